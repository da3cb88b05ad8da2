//! `java.lang`: objects, classes, strings, numbers.

use carnet_classes::class::{PoolIndex, find, flags, shown};
use carnet_classes::descriptor::{DIMENSIONS_MAX, is_class_constant};

use super::class_loader::{element, proxy};
use super::{Call, NAME_BYTES_MAX, Native, Outcome, Rows, Trap};
use crate::class::{Class, ClassId, Kind, Origin, Shape};
use crate::collect::Soft;
use crate::domain::Places;
use crate::heap::{ELEMENTS, NULL, Ref};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Object",
        &[
            ("getClass", "()Ljava/lang/Class;", get_class),
            ("hashCode", "()I", hash_code),
            ("clone", "()Ljava/lang/Object;", clone),
        ],
    ),
    ("java/lang/Class", CLASS),
    ("java/lang/String", &[("intern", "()Ljava/lang/String;", intern)]),
    ("java/lang/StringUTF16", &[("isBigEndian", "()Z", no)]),
    ("java/lang/Float", &[("floatToRawIntBits", "(F)I", same_int), ("intBitsToFloat", "(I)F", same_int)]),
    (
        "java/lang/Double",
        &[("doubleToRawLongBits", "(D)J", same_long), ("longBitsToDouble", "(J)D", same_long)],
    ),
    ("java/lang/Runtime", RUNTIME),
    ("java/lang/reflect/Array", ARRAY),
    (
        "jdk/internal/reflect/Reflection",
        &[
            ("getCallerClass", "()Ljava/lang/Class;", caller_class),
            ("getClassAccessFlags", "(Ljava/lang/Class;)I", class_flags),
            ("areNestMates", "(Ljava/lang/Class;Ljava/lang/Class;)Z", nest_mates),
            ("isSameClassPackage", "(Ljava/lang/Class;Ljava/lang/Class;)Z", same_package),
        ],
    ),
];

const CLASS: Rows = &[
    ("getPrimitiveClass", "(Ljava/lang/String;)Ljava/lang/Class;", primitive_class),
    ("isArray", "()Z", |call| of_class(call, |class| i32::from(class.elements().is_some()))),
    ("isInterface", "()Z", |call| of_class(call, |class| i32::from(class.is_interface()))),
    ("isPrimitive", "()Z", |call| of_class(call, |class| i32::from(class.shape == Shape::Primitive))),
    ("isHidden", "()Z", |call| {
        // Arrays of such classes are as others.
        of_class(call, |class| {
            i32::from(matches!(class.origin, Origin::Hidden { .. }) && class.elements().is_none())
        })
    }),
    ("isRecord0", "()Z", |call| of_class(call, |class| i32::from(attribute(class, "Record").is_some()))),
    ("isInstance", "(Ljava/lang/Object;)Z", is_instance),
    ("isAssignableFrom", "(Ljava/lang/Class;)Z", is_assignable),
    ("getModifiers", "()I", modifiers),
    ("getSuperclass", "()Ljava/lang/Class;", superclass),
    ("getInterfaces0", "()[Ljava/lang/Class;", interfaces),
    ("initClassName", "()Ljava/lang/String;", class_name),
    ("getSimpleBinaryName0", "()Ljava/lang/String;", simple_name),
    ("getDeclaringClass0", "()Ljava/lang/Class;", declaring_class),
    ("getProtectionDomain0", "()Ljava/security/ProtectionDomain;", null),
    ("getSigners", "()[Ljava/lang/Object;", null),
    ("getNestHost0", "()Ljava/lang/Class;", nest_host),
];

const RUNTIME: Rows = &[
    ("availableProcessors", "()I", |_| Ok(Outcome::Int(1))),
    ("freeMemory", "()J", |call| {
        let free = call.domain.heap.limit.saturating_sub(call.domain.heap.space.used() as u64);
        Ok(Outcome::Long(free as i64))
    }),
    ("totalMemory", "()J", |call| Ok(Outcome::Long(call.domain.heap.limit as i64))),
    ("maxMemory", "()J", |call| Ok(Outcome::Long(call.domain.heap.limit as i64))),
    // Nothing is finalized.
    ("runFinalization", "()V", |_| Ok(Outcome::Void)),
    ("gc", "()V", |call| {
        call.domain.forget(call.thread, call.base);
        call.domain.collect(call.thread, Soft::Keep)?;
        Ok(Outcome::Void)
    }),
];

const ARRAY: Rows = &[
    ("newArray", "(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
    ("multiNewArray", "(Ljava/lang/Class;[I)Ljava/lang/Object;", new_arrays),
    ("getLength", "(Ljava/lang/Object;)I", |call| {
        let array = array(call)?.0;
        Ok(Outcome::Int(call.domain.heap.space.length(array)? as i32))
    }),
    ("get", "(Ljava/lang/Object;I)Ljava/lang/Object;", get_element),
    ("set", "(Ljava/lang/Object;ILjava/lang/Object;)V", set_element),
    ("getBoolean", "(Ljava/lang/Object;I)Z", |call| get_number(call, Kind::Boolean)),
    ("getByte", "(Ljava/lang/Object;I)B", |call| get_number(call, Kind::Byte)),
    ("getChar", "(Ljava/lang/Object;I)C", |call| get_number(call, Kind::Char)),
    ("getShort", "(Ljava/lang/Object;I)S", |call| get_number(call, Kind::Short)),
    ("getInt", "(Ljava/lang/Object;I)I", |call| get_number(call, Kind::Int)),
    ("getLong", "(Ljava/lang/Object;I)J", |call| get_number(call, Kind::Long)),
    ("getFloat", "(Ljava/lang/Object;I)F", |call| get_number(call, Kind::Float)),
    ("getDouble", "(Ljava/lang/Object;I)D", |call| get_number(call, Kind::Double)),
    ("setBoolean", "(Ljava/lang/Object;IZ)V", |call| set_number(call, Kind::Boolean)),
    ("setByte", "(Ljava/lang/Object;IB)V", |call| set_number(call, Kind::Byte)),
    ("setChar", "(Ljava/lang/Object;IC)V", |call| set_number(call, Kind::Char)),
    ("setShort", "(Ljava/lang/Object;IS)V", |call| set_number(call, Kind::Short)),
    ("setInt", "(Ljava/lang/Object;II)V", |call| set_number(call, Kind::Int)),
    ("setLong", "(Ljava/lang/Object;IJ)V", |call| set_number(call, Kind::Long)),
    ("setFloat", "(Ljava/lang/Object;IF)V", |call| set_number(call, Kind::Float)),
    ("setDouble", "(Ljava/lang/Object;ID)V", |call| set_number(call, Kind::Double)),
];

pub(super) fn no(_: &mut Call<'_>) -> Result<Outcome, Trap> {
    Ok(Outcome::Int(0))
}

pub(super) fn yes(_: &mut Call<'_>) -> Result<Outcome, Trap> {
    Ok(Outcome::Int(1))
}

pub(super) fn null(_: &mut Call<'_>) -> Result<Outcome, Trap> {
    Ok(Outcome::Reference(NULL))
}

fn same_int(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    Ok(Outcome::Int(call.int(0)))
}

fn same_long(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    Ok(Outcome::Long(call.long(0)))
}

fn get_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.domain.heap.space.class_of(call.object(0)?)?;
    call.domain.mirror(class).map(Outcome::Reference)
}

pub(super) fn identity_hash(call: &mut Call<'_>, object: Ref) -> Result<i32, Trap> {
    if object == NULL {
        return Ok(0);
    }
    let known = call.domain.heap.space.hash(object)?;
    if known != 0 {
        return Ok(known as i32);
    }
    // xorshift: not secret, but without a pattern.
    let mut hash = call.domain.hashes;
    hash ^= hash << 13;
    hash ^= hash >> 17;
    hash ^= hash << 5;
    call.domain.hashes = hash;
    let hash = (hash & 0x7fff_ffff).max(1);
    call.domain.heap.space.set_hash(object, hash)?;
    Ok(hash as i32)
}

fn hash_code(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    identity_hash(call, object).map(Outcome::Int)
}

fn clone(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    let class = call.domain.heap.space.class_of(object)?;
    let universe = call.universe;
    if !universe.is_subclass(class, universe.known().cloneable) {
        return Err(Trap::New("java/lang/CloneNotSupportedException", Some(universe.java_name(class))));
    }
    let of = universe.class(class).ok_or(Trap::Stray)?;
    let copy = match of.elements() {
        Some(_) => call.domain.new_array(class, call.domain.heap.space.length(object)?)?,
        None => call.domain.new_object(class)?,
    };
    let bytes = crate::collect::size(universe, &call.domain.heap.space, object)?;
    let skipped = crate::heap::FIELDS;
    call.domain.heap.space.copy_within((object, skipped), (copy, skipped), bytes - skipped as usize)?;
    Ok(Outcome::Reference(copy))
}

fn of_class(call: &mut Call<'_>, ask: fn(&Class) -> i32) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    Ok(Outcome::Int(ask(class)))
}

/// The content of an attribute of a class.
pub(super) fn attribute<'c>(class: &'c Class, name: &str) -> Option<&'c [u8]> {
    let file = class.parsed().ok()?;
    find(&file.attributes, &file.pool, name)
}

fn primitive_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let name = call.text(0)?;
    let kind = Kind::PRIMITIVES.into_iter().find(|kind| kind.keyword() == name);
    call.domain.mirror(call.universe.primitive(kind)).map(Outcome::Reference)
}

fn is_instance(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let of = call.class(0)?;
    let object = call.reference(1);
    if object == NULL {
        return Ok(Outcome::Int(0));
    }
    let class = call.domain.heap.space.class_of(object)?;
    Ok(Outcome::Int(i32::from(call.universe.is_subclass(class, of))))
}

fn is_assignable(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (of, class) = (call.class(0)?, call.class(1)?);
    let universe = call.universe;
    let primitive = |id: ClassId| universe.class(id).is_some_and(|class| class.shape == Shape::Primitive);
    let fits = if primitive(of) || primitive(class) { of == class } else { universe.is_subclass(class, of) };
    Ok(Outcome::Int(i32::from(fits)))
}

/// The row of InnerClasses that is about the class itself: outer class, name and flags.
fn inner(class: &Class) -> Option<(u16, u16, u16)> {
    let rows = attribute(class, "InnerClasses")?;
    let file = class.parsed().ok()?;
    let name = file.name();
    rows.get(2..)?.chunks_exact(8).find_map(|row| {
        let word = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
        (file.pool.class(PoolIndex(word(0))) == Some(name)).then(|| (word(2), word(4), word(6)))
    })
}

fn flags_of(call: &Call<'_>, id: ClassId) -> Result<u16, Trap> {
    let class = call.universe.class(id).ok_or(Trap::Stray)?;
    if let Shape::References { element } = class.shape {
        let inner = flags_of(call, element)?;
        return Ok(inner & (flags::PUBLIC | flags::PRIVATE | flags::PROTECTED)
            | flags::FINAL
            | flags::ABSTRACT);
    }
    let own = inner(class).map_or(class.flags, |row| row.2);
    Ok(own & !flags::SUPER)
}

fn modifiers(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.class(0)?;
    Ok(Outcome::Int(i32::from(flags_of(call, class)?)))
}

fn class_flags(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    Ok(Outcome::Int(i32::from(class.flags & !flags::SUPER)))
}

fn superclass(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    match class.parent.filter(|_| !class.is_interface()) {
        Some(parent) => call.domain.mirror(parent).map(Outcome::Reference),
        None => Ok(Outcome::Reference(NULL)),
    }
}

fn interfaces(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    let mirrors =
        class.interfaces.iter().map(|id| call.domain.mirror(*id)).collect::<Result<Vec<Ref>, Trap>>()?;
    call.new_references("java/lang/Class", &mirrors).map(Outcome::Reference)
}

fn class_name(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.class(0)?;
    let name = call.universe.java_name(class);
    let units: Vec<u16> = name.encode_utf16().collect();
    let string = call.domain.intern(&units)?;
    let mirror = call.object(0)?;
    call.domain.set_field(mirror, b"name", b"Ljava/lang/String;", string)?;
    Ok(Outcome::Reference(string))
}

fn simple_name(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    match inner(class) {
        Some((_, name, _)) if name != 0 => {
            let units = crate::domain::units(class.text(name));
            call.domain.new_string(&units).map(Outcome::Reference)
        }
        _ => Ok(Outcome::Reference(NULL)),
    }
}

fn declaring_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    match inner(class) {
        Some((outer, _, _)) if outer != 0 => {
            let outer = call.universe.class_at(class, outer)?;
            call.domain.mirror(outer).map(Outcome::Reference)
        }
        _ => Ok(Outcome::Reference(NULL)),
    }
}

/// Two `Class` arguments.
fn pair<'u>(call: &Call<'u>) -> Result<(&'u Class, &'u Class), Trap> {
    let (one, other) = (call.class(0)?, call.class(1)?);
    let class = |id| call.universe.class(id).map(std::sync::Arc::as_ref).ok_or(Trap::Stray);
    Ok((class(one)?, class(other)?))
}

fn nest_mates(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (one, other) = pair(call)?;
    Ok(Outcome::Int(i32::from(call.universe.are_nest_mates(one, other))))
}

fn same_package(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (one, other) = pair(call)?;
    Ok(Outcome::Int(i32::from(call.universe.same_package(one, other))))
}

fn nest_host(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let id = call.class(0)?;
    let class = call.universe.class(id).ok_or(Trap::Stray)?;
    let host = call.universe.nest_host(class).unwrap_or_else(|(own, _)| own);
    call.domain.mirror(host).map(Outcome::Reference)
}

/// A name of a class that is an argument, as class files have it: `java/lang/Object`, `[I`.
///
/// # Errors
/// [`no_class`] if it is that of none.
pub(super) fn internal_name(call: &Call<'_>, slot: usize) -> Result<Vec<u8>, Trap> {
    let text = call.name(slot)?;
    if text.contains('/') {
        return Err(no_class(text));
    }
    let path = text.replace('.', "/");
    let name = crate::domain::modified(&path.encode_utf16().collect::<Vec<u16>>());
    // Of an array's that is too long, the end is not there.
    let dimensions = name.iter().take_while(|byte| **byte == b'[').count();
    let is_cut = name.len() > NAME_BYTES_MAX && (1..=DIMENSIONS_MAX).contains(&dimensions);
    // HotSpot looks for a class whose name ends so, too.
    if !is_cut && !is_class_constant(path.strip_suffix('/').unwrap_or(&path).as_bytes()) {
        return Err(no_class(path));
    }
    if name.len() > NAME_BYTES_MAX {
        let message = format!("Class name exceeds maximum length of {NAME_BYTES_MAX}: {path}");
        let message: Vec<u16> = message.encode_utf16().collect();
        return Err(no_class(crate::domain::told(&message, MESSAGE_BYTES)));
    }
    Ok(name)
}

/// The class whose name is an argument, for a loader.
///
/// # Errors
/// [`no_class`], or what keeps it from being linked.
pub(super) fn named(call: &Call<'_>, slot: usize, loader: Ref) -> Result<ClassId, Trap> {
    let name = internal_name(call, slot)?;
    if let Some(proxy) = proxy(call, element(&name).unwrap_or_default(), loader)? {
        let mut dimensions = name.iter().take_while(|byte| **byte == b'[');
        return Ok(dimensions.try_fold(proxy, |class, _| call.universe.array_of(class))?);
    }
    call.universe.load(&name).or_else(|error| {
        let text = call.name(slot)?;
        // That of another one, above it, says so.
        let rest = error.message.strip_prefix(&shown(&name));
        let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("));
        Err(match &error.missing {
            Some(element) if is_own && text.starts_with('[') => no_class(element.clone()),
            Some(_) if is_own => no_class(text),
            _ => Trap::Link(error),
        })
    })
}

/// As long as HotSpot's are that tell a name that is too long.
const MESSAGE_BYTES: usize = 1023;

/// What is thrown if there is no class of a name.
pub(super) fn no_class(name: String) -> Trap {
    Trap::New(NO_CLASS, Some(name))
}

pub(crate) const NO_CLASS: &str = "java/lang/ClassNotFoundException";

fn caller_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let frames = &call.thread.frames;
    let classes = frames.iter().rev().skip(1).filter_map(|frame| call.universe.method(frame.method));
    let caller = classes.map(|method| method.class).find(|class| {
        let name = call.universe.name(*class);
        name != b"java/lang/reflect/Method" && !name.starts_with(b"jdk/internal/reflect/")
    });
    match caller {
        Some(class) => call.domain.mirror(class).map(Outcome::Reference),
        None => Ok(Outcome::Reference(NULL)),
    }
}

fn intern(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let string = call.object(0)?;
    Ok(Outcome::Reference(call.domain.intern_string(string)?))
}

fn new_array(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let element = call.class(0)?;
    let length = call.int(1);
    let Ok(count) = u32::try_from(length) else {
        return Err(Trap::Fault(crate::interpret::Fault::Negative(length)));
    };
    let class = arrays_of(call, element, 1)?;
    call.domain.new_array(class, count).map(Outcome::Reference)
}

/// What it takes to find arrays of one dimension more, as bytes that are read.
const DIMENSION: usize = 64;

/// The class of arrays of an element with so many dimensions more.
fn arrays_of(call: &Call<'_>, element: ClassId, more: usize) -> Result<ClassId, Trap> {
    let own = call.universe.name(element).iter().take_while(|byte| **byte == b'[').count();
    if element == call.universe.primitive(None) || more == 0 || own + more > DIMENSIONS_MAX {
        return Err(Trap::New("java/lang/IllegalArgumentException", None));
    }
    (0..more).try_fold(element, |class, _| Ok(call.universe.array_of(class)?))
}

fn new_arrays(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (element, counts) = (call.class(0)?, call.object(1)?);
    let space = &call.domain.heap.space;
    let dimensions = space.length(counts)?;
    call.domain.heap.read(DIMENSION * dimensions as usize);
    let class = arrays_of(call, element, dimensions as usize)?;
    let mut lengths = Vec::new();
    for at in 0..dimensions {
        lengths.push(space.u32(counts, ELEMENTS + 4 * at)? as i32);
    }
    if let Some(negative) = lengths.iter().find(|length| **length < 0) {
        return Err(Trap::Fault(crate::interpret::Fault::Negative(*negative)));
    }
    call.domain.new_arrays(class, &lengths).map(Outcome::Reference)
}

/// An array argument with what it holds.
/// An argument that is an array, with the kind of its elements.
fn array(call: &Call<'_>) -> Result<(Ref, Kind), Trap> {
    let array = call.object(0)?;
    let class = call.universe.class(call.domain.heap.space.class_of(array)?).ok_or(Trap::Stray)?;
    Ok((array, class.elements().ok_or_else(|| not("an array"))?))
}

/// An array of numbers or booleans.
fn numbers(call: &Call<'_>) -> Result<(Ref, Kind), Trap> {
    match array(call)? {
        (_, Kind::Reference) => Err(not("an array of primitive type")),
        numbers => Ok(numbers),
    }
}

fn not(what: &str) -> Trap {
    Trap::New("java/lang/IllegalArgumentException", Some(format!("Argument is not {what}")))
}

fn place(call: &Call<'_>, array: Ref, kind: Kind, index: i32) -> Result<u32, Trap> {
    let length = call.domain.heap.space.length(array)?;
    if index as u32 >= length {
        return Err(Trap::New("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    Ok(ELEMENTS + index as u32 * kind.bytes())
}

fn get_element(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (array, kind) = array(call)?;
    let at = place(call, array, kind, call.int(1))?;
    let number = load(call, array, at, kind)?;
    if kind == Kind::Reference {
        return Ok(Outcome::Reference(number as Ref));
    }
    call.domain.new_box(call.thread, kind, number).map(Outcome::Reference)
}

/// A value within an object.
pub(super) fn load(call: &Call<'_>, object: Ref, at: u32, kind: Kind) -> Result<u64, Trap> {
    let space = &call.domain.heap.space;
    Ok(match kind {
        Kind::Boolean | Kind::Byte => i64::from(space.u8(object, at)? as i8) as u64,
        Kind::Char => u64::from(space.u16(object, at)?),
        Kind::Short => i64::from(space.u16(object, at)? as i16) as u64,
        Kind::Int | Kind::Float | Kind::Reference => u64::from(space.u32(object, at)?),
        Kind::Long | Kind::Double => space.u64(object, at)?,
    })
}

/// Sets a value within an object.
pub(super) fn store(call: &mut Call<'_>, object: Ref, at: u32, kind: Kind, value: u64) -> Result<(), Trap> {
    let space = &mut call.domain.heap.space;
    match kind {
        Kind::Boolean | Kind::Byte => space.set_u8(object, at, value as u8)?,
        Kind::Char | Kind::Short => space.set_u16(object, at, value as u16)?,
        Kind::Int | Kind::Float | Kind::Reference => space.set_u32(object, at, value as u32)?,
        Kind::Long | Kind::Double => space.set_u64(object, at, value)?,
    }
    Ok(())
}

/// The number in a box, with its kind; none if it is no box.
pub(super) fn unboxed(call: &Call<'_>, object: Ref) -> Result<Option<(Kind, u64)>, Trap> {
    if object == NULL {
        return Ok(None);
    }
    let class = call.domain.heap.space.class_of(object)?;
    let name = call.universe.name(class);
    for kind in Kind::PRIMITIVES {
        let (of, descriptor) = crate::domain::box_of(kind);
        if of.as_bytes() == name {
            let field = call.domain.field_of(object, b"value", descriptor.as_bytes())?;
            return load(call, object, field.place, kind).map(|number| Some((kind, number)));
        }
    }
    Ok(None)
}

fn mismatch() -> Trap {
    Trap::New("java/lang/IllegalArgumentException", Some("argument type mismatch".to_owned()))
}

/// A number as another kind, by widening (JLS 5.1.2).
pub(super) fn widened(from: Kind, number: u64, to: Kind) -> Result<u64, Trap> {
    use Kind::{Byte, Char, Double, Float, Int, Long, Short};
    let whole = || match from {
        Long => number as i64,
        _ => i64::from(number as i32),
    };
    Ok(match (from, to) {
        (from, to) if from == to => number,
        (Byte, Short | Int) | (Short | Char, Int) => number,
        (Byte | Short | Char | Int, Long) => whole() as u64,
        (Byte | Short | Char | Int, Float) => u64::from((number as i32 as f32).to_bits()),
        (Long, Float) => u64::from((number as i64 as f32).to_bits()),
        (Byte | Short | Char | Int | Long, Double) => (whole() as f64).to_bits(),
        (Float, Double) => f64::from(f32::from_bits(number as u32)).to_bits(),
        _ => return Err(mismatch()),
    })
}

/// An element as a number of a kind, by widening.
fn get_number(call: &mut Call<'_>, kind: Kind) -> Result<Outcome, Trap> {
    let (array, from) = numbers(call)?;
    let at = place(call, array, from, call.int(1))?;
    let number = widened(from, load(call, array, at, from)?, kind)?;
    Ok(Outcome::of(kind, number))
}

/// Sets an element to a number of a kind, by widening.
fn set_number(call: &mut Call<'_>, kind: Kind) -> Result<Outcome, Trap> {
    let (array, to) = numbers(call)?;
    let at = place(call, array, to, call.int(1))?;
    let number = widened(kind, call.long(2) as u64, to)?;
    store(call, array, at, to, number)?;
    Ok(Outcome::Void)
}

fn set_element(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (array, kind) = array(call)?;
    let value = call.reference(2);
    if kind != Kind::Reference && value == NULL {
        return Err(Trap::New("java/lang/IllegalArgumentException", None));
    }
    let at = place(call, array, kind, call.int(1))?;
    if kind == Kind::Reference {
        if value != NULL {
            let class = call.domain.heap.space.class_of(value)?;
            let of = call.universe.class(call.domain.heap.space.class_of(array)?).ok_or(Trap::Stray)?;
            if let Shape::References { element } = of.shape
                && !call.universe.is_subclass(class, element)
            {
                return Err(Trap::New(
                    "java/lang/IllegalArgumentException",
                    Some("array element type mismatch".to_owned()),
                ));
            }
        }
        store(call, array, at, kind, u64::from(value))?;
        return Ok(Outcome::Void);
    }
    let (from, number) = unboxed(call, value)?.ok_or_else(mismatch)?;
    let number = widened(from, number, kind)?;
    store(call, array, at, kind, number)?;
    Ok(Outcome::Void)
}

const _: fn(&Places) = |_| ();
const _: Native = no;
