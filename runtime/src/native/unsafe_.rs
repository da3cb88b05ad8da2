//! `jdk.internal.misc.Unsafe`, as far as it is about objects: there is no memory outside of the heap.
//!
//! Its callers are classes of the library alone; guests cannot link to it. Every access is checked to lie within the
//! object, so that a mistake of the library is an error and not another object's field.

use super::lang::{load, store};
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::Kind;
use crate::heap::{ELEMENTS, NULL, Ref};

macro_rules! of_kind {
    ($kind:ident) => {
        (
            |call| get(call, Kind::$kind),
            |call| put(call, Kind::$kind),
            |call| swap(call, Kind::$kind, Swap::Set),
            |call| swap(call, Kind::$kind, Swap::Exchange),
        )
    };
}

type Four = (super::Native, super::Native, super::Native, super::Native);

const INT: Four = of_kind!(Int);
const LONG: Four = of_kind!(Long);
const REFERENCE: Four = of_kind!(Reference);
const BYTE: Four = of_kind!(Byte);
const SHORT: Four = of_kind!(Short);
const CHAR: Four = of_kind!(Char);
const BOOLEAN: Four = of_kind!(Boolean);
const FLOAT: Four = of_kind!(Float);
const DOUBLE: Four = of_kind!(Double);

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "jdk/internal/misc/Unsafe",
        &[
            ("getInt", "(Ljava/lang/Object;J)I", INT.0),
            ("putInt", "(Ljava/lang/Object;JI)V", INT.1),
            ("getIntVolatile", "(Ljava/lang/Object;J)I", INT.0),
            ("putIntVolatile", "(Ljava/lang/Object;JI)V", INT.1),
            ("compareAndSetInt", "(Ljava/lang/Object;JII)Z", INT.2),
            ("compareAndExchangeInt", "(Ljava/lang/Object;JII)I", INT.3),
            ("getLong", "(Ljava/lang/Object;J)J", LONG.0),
            ("putLong", "(Ljava/lang/Object;JJ)V", LONG.1),
            ("getLongVolatile", "(Ljava/lang/Object;J)J", LONG.0),
            ("putLongVolatile", "(Ljava/lang/Object;JJ)V", LONG.1),
            ("compareAndSetLong", "(Ljava/lang/Object;JJJ)Z", LONG.2),
            ("compareAndExchangeLong", "(Ljava/lang/Object;JJJ)J", LONG.3),
            ("getReference", "(Ljava/lang/Object;J)Ljava/lang/Object;", REFERENCE.0),
            ("putReference", "(Ljava/lang/Object;JLjava/lang/Object;)V", REFERENCE.1),
            ("getReferenceVolatile", "(Ljava/lang/Object;J)Ljava/lang/Object;", REFERENCE.0),
            ("putReferenceVolatile", "(Ljava/lang/Object;JLjava/lang/Object;)V", REFERENCE.1),
            (
                "compareAndSetReference",
                "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
                REFERENCE.2,
            ),
            (
                "compareAndExchangeReference",
                "(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                REFERENCE.3,
            ),
            ("getByte", "(Ljava/lang/Object;J)B", BYTE.0),
            ("putByte", "(Ljava/lang/Object;JB)V", BYTE.1),
            ("getByteVolatile", "(Ljava/lang/Object;J)B", BYTE.0),
            ("putByteVolatile", "(Ljava/lang/Object;JB)V", BYTE.1),
            ("getShort", "(Ljava/lang/Object;J)S", SHORT.0),
            ("putShort", "(Ljava/lang/Object;JS)V", SHORT.1),
            ("getShortVolatile", "(Ljava/lang/Object;J)S", SHORT.0),
            ("putShortVolatile", "(Ljava/lang/Object;JS)V", SHORT.1),
            ("getChar", "(Ljava/lang/Object;J)C", CHAR.0),
            ("putChar", "(Ljava/lang/Object;JC)V", CHAR.1),
            ("getCharVolatile", "(Ljava/lang/Object;J)C", CHAR.0),
            ("putCharVolatile", "(Ljava/lang/Object;JC)V", CHAR.1),
            ("getBoolean", "(Ljava/lang/Object;J)Z", BOOLEAN.0),
            ("putBoolean", "(Ljava/lang/Object;JZ)V", BOOLEAN.1),
            ("getBooleanVolatile", "(Ljava/lang/Object;J)Z", BOOLEAN.0),
            ("putBooleanVolatile", "(Ljava/lang/Object;JZ)V", BOOLEAN.1),
            ("getFloat", "(Ljava/lang/Object;J)F", FLOAT.0),
            ("putFloat", "(Ljava/lang/Object;JF)V", FLOAT.1),
            ("getFloatVolatile", "(Ljava/lang/Object;J)F", FLOAT.0),
            ("putFloatVolatile", "(Ljava/lang/Object;JF)V", FLOAT.1),
            ("getDouble", "(Ljava/lang/Object;J)D", DOUBLE.0),
            ("putDouble", "(Ljava/lang/Object;JD)V", DOUBLE.1),
            ("getDoubleVolatile", "(Ljava/lang/Object;J)D", DOUBLE.0),
            ("putDoubleVolatile", "(Ljava/lang/Object;JD)V", DOUBLE.1),
            ("objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J", field_offset),
            ("objectFieldOffset0", "(Ljava/lang/reflect/Field;)J", reflected_offset),
            ("staticFieldOffset0", "(Ljava/lang/reflect/Field;)J", |call| {
                let field = reflected(call)?;
                Ok(Outcome::Long(STATICS + i64::from(field.place)))
            }),
            ("staticFieldBase0", "(Ljava/lang/reflect/Field;)Ljava/lang/Object;", |call| {
                let field = reflected(call)?;
                call.domain.mirror(field.class).map(Outcome::Reference)
            }),
            ("arrayBaseOffset0", "(Ljava/lang/Class;)I", |_| Ok(Outcome::Int(ELEMENTS as i32))),
            ("arrayIndexScale0", "(Ljava/lang/Class;)I", index_scale),
            ("pageSize", "()I", |_| Ok(Outcome::Int(4096))),
            ("fullFence", "()V", nothing),
            ("loadFence", "()V", nothing),
            ("storeFence", "()V", nothing),
            ("ensureClassInitialized0", "(Ljava/lang/Class;)V", |call| {
                let class = call.class(1)?;
                call.initialized(class)?;
                Ok(Outcome::Void)
            }),
            ("shouldBeInitialized0", "(Ljava/lang/Class;)Z", |call| {
                let class = call.class(1)?;
                Ok(Outcome::Int(i32::from(call.domain.state(class) != crate::domain::READY)))
            }),
            ("allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;", |call| {
                let class = call.class(1)?;
                call.initialized(class)?;
                call.domain.new_object(class).map(Outcome::Reference)
            }),
            ("throwException", "(Ljava/lang/Throwable;)V", |call| Err(Trap::Throw(call.object(1)?))),
            ("copyMemory0", "(Ljava/lang/Object;JLjava/lang/Object;JJ)V", copy_memory),
            ("copySwapMemory0", "(Ljava/lang/Object;JLjava/lang/Object;JJJ)V", copy_swapped),
            ("setMemory0", "(Ljava/lang/Object;JJB)V", set_memory),
        ],
    ),
    ("jdk/internal/misc/UnsafeConstants", &[("<clinit>", "()V", constants)]),
];

enum Swap {
    Set,
    Exchange,
}

/// The object and offset of an access, checked to lie within it.
fn place(call: &Call<'_>, object: Ref, offset: i64, bytes: u64) -> Result<(Ref, u32), Trap> {
    if object == NULL {
        return Err(Trap::New(
            "java/lang/UnsupportedOperationException",
            Some("memory outside of the heap".to_owned()),
        ));
    }
    let size = crate::collect::size(call.universe, &call.domain.heap.space, object)? as u64;
    let at = u64::try_from(offset).ok().filter(|at| *at >= 8 && at.saturating_add(bytes) <= size);
    let at = at.and_then(|at| u32::try_from(at).ok());
    match at {
        Some(at) => Ok((object, at)),
        None => Err(Trap::New("java/lang/InternalError", Some(format!("offset {offset} of an object")))),
    }
}

/// An argument of a kind.
fn argument(call: &Call<'_>, slot: usize, kind: Kind) -> u64 {
    match kind {
        Kind::Reference => u64::from(call.reference(slot)),
        Kind::Long | Kind::Double => call.long(slot) as u64,
        _ => u64::from(call.int(slot) as u32),
    }
}

/// Offsets of static fields begin here, by their numbers; that of their class is the object.
const STATICS: i64 = 1 << 40;

/// What an access is of.
enum Place {
    Object(Ref, u32),
    Static(usize),
}

fn accessed(call: &Call<'_>, kind: Kind) -> Result<Place, Trap> {
    let (object, offset) = (call.reference(1), call.long(2));
    let Some(number) = offset.checked_sub(STATICS).and_then(|number| u32::try_from(number).ok()) else {
        let (object, at) = place(call, object, offset, u64::from(kind.bytes()))?;
        return Ok(Place::Object(object, at));
    };
    let class = call.universe.loaded(b"java/lang/Class");
    let is_class = object != NULL && class == Some(call.domain.heap.space.class_of(object)?);
    let owner = if is_class { Some(call.domain.class_of_mirror(object)?) } else { None };
    match call.universe.statics.get(number) {
        Some((of, class)) if *of == kind && owner == Some(*class) => Ok(Place::Static(number as usize)),
        _ => Err(Trap::New("java/lang/InternalError", Some(format!("static field {number}")))),
    }
}

fn number_at(call: &Call<'_>, place: &Place, kind: Kind) -> Result<u64, Trap> {
    match place {
        Place::Object(object, at) => load(call, *object, *at, kind),
        Place::Static(number) => call.domain.statics.get(*number).map(|field| field.value).ok_or(Trap::Stray),
    }
}

fn set_number(call: &mut Call<'_>, place: &Place, kind: Kind, value: u64) -> Result<(), Trap> {
    match place {
        Place::Object(object, at) => store(call, *object, *at, kind, value),
        Place::Static(number) => {
            call.domain.statics.get_mut(*number).ok_or(Trap::Stray)?.value = value;
            Ok(())
        }
    }
}

fn get(call: &mut Call<'_>, kind: Kind) -> Result<Outcome, Trap> {
    let place = accessed(call, kind)?;
    Ok(Outcome::of(kind, number_at(call, &place, kind)?))
}

fn put(call: &mut Call<'_>, kind: Kind) -> Result<Outcome, Trap> {
    let place = accessed(call, kind)?;
    let value = argument(call, 4, kind);
    set_number(call, &place, kind, value)?;
    Ok(Outcome::Void)
}

fn swap(call: &mut Call<'_>, kind: Kind, swap: Swap) -> Result<Outcome, Trap> {
    let place = accessed(call, kind)?;
    let (expected, value) =
        (argument(call, 4, kind), argument(call, 4 + if kind.is_wide() { 2 } else { 1 }, kind));
    let found = number_at(call, &place, kind)?;
    let same = found == expected;
    if same {
        set_number(call, &place, kind, value)?;
    }
    Ok(match swap {
        Swap::Set => Outcome::Int(i32::from(same)),
        Swap::Exchange => Outcome::of(kind, found),
    })
}

fn field_offset(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(1)?).ok_or(Trap::Stray)?;
    let name = call.text(2)?;
    let known = call.universe.symbols.known(name.as_bytes());
    let field = class.fields.iter().find(|field| Some(field.name) == known && !field.is_static());
    match field {
        Some(field) => Ok(Outcome::Long(i64::from(field.place))),
        None => Err(Trap::New("java/lang/InternalError", Some(name))),
    }
}

/// The field that a `Field` is of.
fn reflected(call: &Call<'_>) -> Result<crate::class::Field, Trap> {
    let field = call.object(1)?;
    let class = call.domain.get_field(field, b"clazz", b"Ljava/lang/Class;")?;
    let class = call.universe.class(call.domain.class_of_mirror(class)?).ok_or(Trap::Stray)?;
    let slot = call.domain.get_field(field, b"slot", b"I")?;
    class.fields.get(slot as usize).cloned().ok_or(Trap::Stray)
}

fn reflected_offset(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    Ok(Outcome::Long(i64::from(reflected(call)?.place)))
}

fn index_scale(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(1)?).ok_or(Trap::Stray)?;
    Ok(Outcome::Int(class.elements().map_or(0, |kind| kind.bytes() as i32)))
}

fn copy_memory(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let count = call.long(7).max(0) as u64;
    let from = place(call, call.reference(1), call.long(2), count)?;
    let to = place(call, call.reference(4), call.long(5), count)?;
    call.domain.heap.moved(count as usize);
    call.domain.heap.space.copy_within(from, to, count as usize)?;
    Ok(Outcome::Void)
}

/// Copies elements of so many bytes, the bytes of each in the other order.
fn copy_swapped(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    copy_memory(call)?;
    let (count, element) = (call.long(7).max(0) as u64, call.long(9).max(1) as usize);
    let (object, at) = place(call, call.reference(4), call.long(5), count)?;
    let bytes = call.domain.heap.space.bytes_mut(object, at, count as usize)?;
    bytes.chunks_exact_mut(element).for_each(<[u8]>::reverse);
    Ok(Outcome::Void)
}

fn set_memory(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let count = call.long(4).max(0) as u64;
    let (object, at) = place(call, call.reference(1), call.long(2), count)?;
    let value = call.int(6) as u8;
    call.domain.heap.moved(count as usize);
    call.domain.heap.space.bytes_mut(object, at, count as usize)?.fill(value);
    Ok(Outcome::Void)
}

/// HotSpot sets these before the class is initialized.
fn constants(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.method.class;
    for (name, descriptor, value) in [
        (&b"ADDRESS_SIZE0"[..], &b"I"[..], 8),
        (b"PAGE_SIZE", b"I", 4096),
        (b"BIG_ENDIAN", b"Z", 0),
        (b"UNALIGNED_ACCESS", b"Z", 1),
        (b"DATA_CACHE_LINE_FLUSH_SIZE", b"I", 0),
    ] {
        call.domain.set_static(class, name, descriptor, value)?;
    }
    Ok(Outcome::Void)
}
