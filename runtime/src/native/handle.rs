//! Methods of handles, which take any arguments (JVMS 2.9.3). How handles of variables come to be is in
//! [`variables`](super::variables).
//!
//! A `VarHandle` says in hidden fields which variable it means; no class of the library's own machinery for handles runs.
//! The descriptor of a call site is the guest's: arguments and result are checked and converted as `MethodHandle.asType` would,
//! before anything is changed.
//!
//! ```text
//! carnet$kind    what the variable holds │ Site << 8 │ FINAL │ BIG
//! carnet$place   offset of a field, number of a static one
//! carnet$class   class of the object that has the field, class of a static one, class of the array or buffer
//! carnet$type    class of what the variable holds
//! ```

use carnet_classes::descriptor;

use super::lang::{load, store, unboxed, widened};
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::{Class, ClassId, Kind, Shape};
use crate::domain::box_of;
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::interpret::Fault;
use crate::thread::Leaving;

pub(super) const NATIVES: &[(&str, Rows)] = &[(
    "java/lang/invoke/VarHandle",
    &[
        ("<clinit>", "()V", nothing),
        (
            "accessModeTypeUncached",
            "(Ljava/lang/invoke/VarHandle$AccessType;)Ljava/lang/invoke/MethodType;",
            access_type,
        ),
        ("isAccessModeSupported", "(Ljava/lang/invoke/VarHandle$AccessMode;)Z", supports),
        ("withInvokeBehavior", "()Ljava/lang/invoke/VarHandle;", |call| with_exact(call, 0)),
        ("withInvokeExactBehavior", "()Ljava/lang/invoke/VarHandle;", |call| with_exact(call, 1)),
        ("fullFence", "()V", nothing),
        ("acquireFence", "()V", nothing),
        ("releaseFence", "()V", nothing),
        ("loadLoadFence", "()V", nothing),
        ("storeStoreFence", "()V", nothing),
    ],
)];

pub(super) const CLASS: &[u8] = b"Ljava/lang/Class;";
pub(super) const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";
/// In `carnet$kind`: the variable cannot be set.
pub(super) const FINAL: u32 = 1 << 16;
/// In `carnet$kind`: the bytes of a view are in big-endian order.
pub(super) const BIG: u32 = 1 << 17;
/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    Field = 0,
    Static = 1,
    Element = 2,
    /// Bytes of an array.
    View = 3,
    /// Bytes of a `ByteBuffer`.
    Buffer = 4,
}

impl Site {
    fn is_view(self) -> bool {
        matches!(self, Site::View | Site::Buffer)
    }
}

/// Whether others may see an access in its midst. Threads take turns, so that all orders of memory are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tearing {
    /// `get` and `set`.
    Allowed,
    /// All others, for which a view must be aligned.
    Never,
}

impl Tearing {
    /// Of a method of `VarHandle`.
    fn of(name: &[u8]) -> Tearing {
        if matches!(name, b"get" | b"set") { Tearing::Allowed } else { Tearing::Never }
    }
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Get,
    Set,
    CompareAndSet,
    CompareAndExchange,
    GetAndSet,
    GetAndAdd,
    GetAndOr,
    GetAndAnd,
    GetAndXor,
}

impl Mode {
    /// Of a method of `VarHandle`.
    fn of(name: &[u8]) -> Option<Mode> {
        let suffixes = [&b"Volatile"[..], b"Opaque", b"Acquire", b"Release", b"Plain"];
        let name = suffixes.iter().find_map(|suffix| name.strip_suffix(*suffix)).unwrap_or(name);
        Some(match name {
            b"get" => Mode::Get,
            b"set" => Mode::Set,
            b"compareAndSet" | b"weakCompareAndSet" => Mode::CompareAndSet,
            b"compareAndExchange" => Mode::CompareAndExchange,
            b"getAndSet" => Mode::GetAndSet,
            b"getAndAdd" => Mode::GetAndAdd,
            b"getAndBitwiseOr" => Mode::GetAndOr,
            b"getAndBitwiseAnd" => Mode::GetAndAnd,
            b"getAndBitwiseXor" => Mode::GetAndXor,
            _ => return None,
        })
    }

    /// How many values it takes.
    fn values(self) -> usize {
        match self {
            Mode::Get => 0,
            Mode::CompareAndSet | Mode::CompareAndExchange => 2,
            _ => 1,
        }
    }
}

/// Calls one, named by a constant of a class, with its arguments from a register on.
pub(crate) fn call(call: &mut Call<'_>, class: &Class, constant: u16) -> Result<Outcome, Trap> {
    let (owner, both) = class.constant(constant).member().ok_or(Trap::Stray)?;
    let (name, text) = class.name_and_type(both);
    if class.class_text(owner) != VAR_HANDLE.as_bytes() {
        return super::method_handle::invoke(call, class, both);
    }
    let shape = descriptor::method(text).ok_or(Trap::Stray)?;
    let Some(mode) = Mode::of(name) else {
        let name = String::from_utf8_lossy(name).into_owned();
        return Err(Trap::New(
            "java/lang/UnsupportedOperationException",
            Some(format!("{name} of a handle")),
        ));
    };
    access(call, (mode, Tearing::of(name)), &shape)
}

/// The variable that a handle means.
struct Variable {
    kind: Kind,
    site: Site,
    flags: u32,
    place: u64,
    class: ClassId,
    of: ClassId,
    is_exact: bool,
}

impl Variable {
    fn read(call: &mut Call<'_>, handle: Ref) -> Result<Variable, Trap> {
        let domain = &call.domain;
        let [flags, place, class, of, exact] = match domain.variable_places {
            Some(places) => places,
            None => [
                domain.field_of(handle, b"carnet$kind", b"I")?.place,
                domain.field_of(handle, b"carnet$place", b"J")?.place,
                domain.field_of(handle, b"carnet$class", CLASS)?.place,
                domain.field_of(handle, b"carnet$type", CLASS)?.place,
                domain.field_of(handle, b"exact", b"Z")?.place,
            ],
        };
        call.domain.variable_places = Some([flags, place, class, of, exact]);
        let (domain, space) = (&call.domain, &call.domain.heap.space);
        // The library has classes of handles of its own, which we do not run.
        if space.u32(handle, of)? == NULL {
            return Err(unsupported());
        }
        let flags = space.u32(handle, flags)?;
        let kind = Kind::PRIMITIVES.into_iter().find(|kind| *kind as u32 == flags & 0xff);
        Ok(Variable {
            kind: kind.unwrap_or(Kind::Reference),
            site: match flags >> 8 & 0xff {
                0 => Site::Field,
                1 => Site::Static,
                2 => Site::Element,
                3 => Site::View,
                _ => Site::Buffer,
            },
            flags,
            place: space.u64(handle, place)?,
            class: domain.class_of_mirror(space.u32(handle, class)?)?,
            of: domain.class_of_mirror(space.u32(handle, of)?)?,
            is_exact: space.u8(handle, exact)? != 0,
        })
    }

    /// The descriptors of what says which variable it is, before any values.
    fn coordinates(&self, call: &Call<'_>) -> Vec<Vec<u8>> {
        let class = descriptor_of(call, self.class);
        match self.site {
            Site::Field => vec![class],
            Site::Static => Vec::new(),
            Site::Element | Site::View | Site::Buffer => vec![class, b"I".to_vec()],
        }
    }
}

/// A variable that was found.
enum Found {
    Static(usize),
    Within(Ref, u32),
}

fn wrong_type() -> Trap {
    Trap::New(
        "java/lang/invoke/WrongMethodTypeException",
        Some("cannot convert the arguments of a handle".to_owned()),
    )
}

pub(super) fn unsupported() -> Trap {
    Trap::New("java/lang/UnsupportedOperationException", None)
}

/// Reads or changes a variable.
fn access(
    call: &mut Call<'_>,
    (mode, tearing): (Mode, Tearing),
    shape: &descriptor::Method<'_>,
) -> Result<Outcome, Trap> {
    let handle = call.object(0)?;
    let variable = Variable::read(call, handle)?;
    let coordinates = match variable.site {
        Site::Static => 0,
        Site::Field => 1,
        Site::Element | Site::View | Site::Buffer => 2,
    };
    if shape.parameters.len() != coordinates + mode.values() {
        return Err(wrong_type());
    }
    if variable.is_exact {
        check_exact(mode, shape, &variable.coordinates(call), &descriptor_of(call, variable.of))?;
    }
    check_mode(mode, &variable)?;
    match mode {
        Mode::Set if shape.result == b"V" => (),
        Mode::Set => return Err(wrong_type()),
        Mode::CompareAndSet => check_result(call, Kind::Boolean, variable.of, shape.result)?,
        _ => check_result(call, variable.kind, variable.of, shape.result)?,
    }
    let mut slot = 1;
    let mut taken: Vec<u64> = Vec::new();
    let values = std::iter::repeat_n((variable.of, variable.kind), mode.values());
    let places = [(variable.class, Kind::Reference), (variable.class, Kind::Int)];
    let wanted = places.into_iter().take(coordinates).chain(values);
    for ((class, kind), descriptor) in wanted.zip(&shape.parameters) {
        taken.push(taken_as(call, slot, descriptor, class, kind)?);
        slot += if Kind::of(descriptor).is_wide() { 2 } else { 1 };
    }
    let (coordinates, values) = taken.split_at(coordinates);
    let found = find(call, &variable, coordinates, (mode, tearing))?;
    let old = get(call, &variable, &found)?;
    let (first, last) = (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
    if let Found::Within(array, _) = found
        && (variable.site, variable.kind) == (Site::Element, Kind::Reference)
    {
        check_element(call, array, last as Ref)?;
    }
    let is_same = old == first;
    let outcome = match mode {
        Mode::Set => Ok(Outcome::Void),
        Mode::CompareAndSet => result(call, Kind::Boolean, u64::from(is_same), shape.result),
        _ => result(call, variable.kind, old, shape.result),
    };
    let outcome = thrown_after(call, outcome)?;
    let new = match mode {
        Mode::Get => return outcome,
        Mode::CompareAndSet | Mode::CompareAndExchange if !is_same => return outcome,
        Mode::GetAndAdd => sum(variable.kind, old, last),
        Mode::GetAndOr => old | last,
        Mode::GetAndAnd => old & last,
        Mode::GetAndXor => old ^ last,
        _ => last,
    };
    set(call, &variable, &found, canonical(variable.kind, new))?;
    outcome
}

/// What the call site gets, or the exception that its cast throws once the variable has changed. All other traps are
/// for now: they come before anything changes.
fn thrown_after(call: &mut Call<'_>, outcome: Result<Outcome, Trap>) -> Result<Result<Outcome, Trap>, Trap> {
    let thrown = match outcome {
        Err(Trap::New(class @ "java/lang/ClassCastException", text)) => {
            call.domain.exception(call.thread, class, text.as_deref())?
        }
        Err(Trap::Fault(Fault::Null)) => {
            call.domain.exception(call.thread, "java/lang/NullPointerException", None)?
        }
        Err(trap) => return Err(trap),
        Ok(outcome) => return Ok(Ok(outcome)),
    };
    Ok(Err(Trap::Throw(thrown)))
}

/// Whether a call site has just the types that an access has.
fn check_exact(
    mode: Mode,
    shape: &descriptor::Method<'_>,
    coordinates: &[Vec<u8>],
    of: &[u8],
) -> Result<(), Trap> {
    let values = shape.parameters.iter().skip(coordinates.len()).all(|value| *value == of);
    let places = coordinates.iter().zip(&shape.parameters).all(|(wanted, found)| wanted == found);
    let result = match mode {
        Mode::Set => b"V",
        Mode::CompareAndSet => b"Z",
        _ => of,
    };
    if values && places && shape.result == result { Ok(()) } else { Err(wrong_type()) }
}

/// Whether a variable can be accessed so.
fn check_mode(mode: Mode, variable: &Variable) -> Result<(), Trap> {
    let is_view = variable.site.is_view();
    let is_whole = !is_view || matches!(variable.kind, Kind::Int | Kind::Long);
    let adds = !matches!(variable.kind, Kind::Boolean | Kind::Reference);
    let bits = !matches!(variable.kind, Kind::Float | Kind::Double | Kind::Reference);
    let can = match mode {
        Mode::Get => true,
        _ if variable.flags & FINAL != 0 => false,
        Mode::Set => true,
        Mode::GetAndAdd => adds && is_whole,
        Mode::GetAndOr | Mode::GetAndAnd | Mode::GetAndXor => bits && is_whole,
        _ => !is_view || variable.kind.bytes() > 2,
    };
    if can { Ok(()) } else { Err(unsupported()) }
}

fn sum(kind: Kind, one: u64, other: u64) -> u64 {
    match kind {
        Kind::Float => u64::from((f32::from_bits(one as u32) + f32::from_bits(other as u32)).to_bits()),
        Kind::Double => (f64::from_bits(one) + f64::from_bits(other)).to_bits(),
        _ => one.wrapping_add(other),
    }
}

/// A value as registers have it.
fn canonical(kind: Kind, value: u64) -> u64 {
    match kind {
        Kind::Boolean => value & 1,
        Kind::Byte => u64::from(i32::from(value as i8) as u32),
        Kind::Char => u64::from(value as u16),
        Kind::Short => u64::from(i32::from(value as i16) as u32),
        Kind::Int | Kind::Float | Kind::Reference => u64::from(value as u32),
        Kind::Long | Kind::Double => value,
    }
}

/// The descriptor of a class, as the types of a call site have it.
pub(super) fn descriptor_of(call: &Call<'_>, class: ClassId) -> Vec<u8> {
    let name = call.universe.class(class).map_or(Vec::new(), |class| call.universe.handle_name(class));
    match Kind::PRIMITIVES.into_iter().find(|kind| call.universe.primitive(Some(*kind)) == class) {
        Some(kind) => vec![kind.letter()],
        None if name.first() == Some(&b'[') => name,
        None => [b"L", &name[..], b";"].concat(),
    }
}

/// The class that a descriptor of a reference names.
fn class_named(call: &Call<'_>, descriptor: &[u8]) -> Result<ClassId, Trap> {
    Ok(call.universe.load(match descriptor {
        [b'L', name @ .., b';'] => name,
        array => array,
    })?)
}

/// Whether an object is of a class.
fn check_object(call: &Call<'_>, object: Ref, of: ClassId) -> Result<(), Trap> {
    if object != NULL {
        let class = call.domain.heap.space.class_of(object)?;
        if !call.universe.is_subclass(class, of) {
            let shape = call.universe.class(of).ok_or(Trap::Stray)?.shape;
            if matches!(shape, Shape::Primitives(_)) {
                return Err(Trap::Fault(Fault::Cast(class, of)));
            }
            // As by `Class.cast`.
            let (found, wanted) = (call.universe.java_name(class), call.universe.java_name(of));
            let message = format!("Cannot cast {found} to {wanted}");
            return Err(Trap::New("java/lang/ClassCastException", Some(message)));
        }
    }
    Ok(())
}

/// An argument, as an access wants it.
fn taken_as(
    call: &mut Call<'_>,
    slot: usize,
    descriptor: &[u8],
    class: ClassId,
    wanted: Kind,
) -> Result<u64, Trap> {
    match (Kind::of(descriptor), wanted) {
        (Kind::Reference, Kind::Reference) => {
            let object = call.reference(slot);
            check_object(call, object, class)?;
            Ok(u64::from(object))
        }
        (Kind::Reference, wanted) => {
            let from = class_named(call, descriptor)?;
            check_opened(call, from, wanted)?;
            opened(call, call.object(slot)?, wanted)
        }
        (from, Kind::Reference) => {
            check_boxed(call, from, class)?;
            call.domain.new_box(call.thread, from, call.long(slot) as u64).map(u64::from)
        }
        (from, wanted) => {
            let number = widened(from, canonical(from, call.long(slot) as u64), wanted);
            number.map(|number| canonical(wanted, number)).map_err(|_| wrong_type())
        }
    }
}

/// Whether what a box of this kind holds may become an object of a class (`MethodHandle.asType`).
fn check_boxed(call: &mut Call<'_>, from: Kind, class: ClassId) -> Result<(), Trap> {
    let of = call.core_class(box_of(from).0)?;
    if call.universe.is_subclass(of, class) { Ok(()) } else { Err(wrong_type()) }
}

/// Whether an object of a class may turn out to be a box of a kind, or is one that widens to it.
fn check_opened(call: &Call<'_>, class: ClassId, wanted: Kind) -> Result<(), Trap> {
    for from in Kind::PRIMITIVES {
        let of = call.universe.load(box_of(from).0.as_bytes())?;
        let fits = if from == wanted {
            call.universe.is_subclass(of, class)
        } else {
            of == class && widened(from, 0, wanted).is_ok()
        };
        if fits {
            return Ok(());
        }
    }
    Err(wrong_type())
}

/// Whether a call site may get the values of a variable at all, whatever they are.
fn check_result(call: &mut Call<'_>, kind: Kind, of: ClassId, descriptor: &[u8]) -> Result<(), Trap> {
    match (kind, Kind::of(descriptor)) {
        _ if descriptor == b"V" => Ok(()),
        (Kind::Reference, Kind::Reference) => Ok(()),
        (Kind::Reference, wanted) => check_opened(call, of, wanted),
        (from, Kind::Reference) => {
            let class = class_named(call, descriptor)?;
            check_boxed(call, from, class)
        }
        (from, wanted) => widened(from, 0, wanted).map(|_| ()).map_err(|_| wrong_type()),
    }
}

/// What is in a box, as a wider kind.
fn opened(call: &Call<'_>, object: Ref, wanted: Kind) -> Result<u64, Trap> {
    let class = call.domain.heap.space.class_of(object)?;
    let cast = || Trap::New("java/lang/ClassCastException", Some(call.universe.java_name(class)));
    let (from, number) = unboxed(call, object)?.ok_or_else(cast)?;
    widened(from, number, wanted).map(|number| canonical(wanted, number)).map_err(|_| cast())
}

/// What a call site gets of a value ([`check_result`] has been asked).
fn result(call: &mut Call<'_>, kind: Kind, value: u64, descriptor: &[u8]) -> Result<Outcome, Trap> {
    if descriptor == b"V" {
        return Ok(Outcome::Void);
    }
    let wanted = Kind::of(descriptor);
    let value = match (kind, wanted) {
        (Kind::Reference, Kind::Reference) => {
            if descriptor != b"Ljava/lang/Object;" && value as Ref != NULL {
                let of = class_named(call, descriptor)?;
                check_object(call, value as Ref, of)?;
            }
            value
        }
        (Kind::Reference, _) => match value as Ref {
            NULL => return Err(Trap::Fault(Fault::Null)),
            object => opened(call, object, wanted)?,
        },
        (from, Kind::Reference) => u64::from(call.domain.new_box(call.thread, from, value)?),
        (from, wanted) => widened(from, value, wanted).map_err(|_| wrong_type())?,
    };
    Ok(match wanted {
        Kind::Reference => Outcome::Reference(value as Ref),
        Kind::Long => Outcome::Long(value as i64),
        Kind::Float => Outcome::Float(f32::from_bits(value as u32)),
        Kind::Double => Outcome::Double(f64::from_bits(value)),
        _ => Outcome::Int(value as i32),
    })
}

/// The variable that coordinates lead to. They are of the classes that the handle wants.
fn find(
    call: &mut Call<'_>,
    variable: &Variable,
    coordinates: &[u64],
    access: (Mode, Tearing),
) -> Result<Found, Trap> {
    let object = coordinates.first().map_or(NULL, |object| *object as Ref);
    if variable.site == Site::Static {
        call.initialized(variable.class)?;
        return Ok(Found::Static(variable.place as usize));
    }
    if object == NULL {
        // The call's own receiver is there, so what is null is not told.
        let null = call.domain.exception(call.thread, "java/lang/NullPointerException", None)?;
        call.domain.set_field(null, b"extendedMessageState", b"I", 2)?;
        return Err(Trap::Throw(null));
    }
    if variable.site == Site::Field {
        return Ok(Found::Within(object, variable.place as u32));
    }
    let index = coordinates.get(1).map_or(0, |index| *index as i32);
    if variable.site.is_view() {
        return find_bytes(call, variable, (object, index), access);
    }
    let (width, length) = (variable.kind.bytes(), call.domain.heap.space.length(object)?);
    match u32::try_from(index).ok().filter(|index| *index < length) {
        Some(index) => Ok(Found::Within(object, ELEMENTS + index * width)),
        None => Err(Trap::Fault(Fault::Bounds(index, length))),
    }
}

/// The bytes of a view, which begin anywhere where there are enough.
fn find_bytes(
    call: &Call<'_>,
    variable: &Variable,
    (object, index): (Ref, i32),
    (mode, tearing): (Mode, Tearing),
) -> Result<Found, Trap> {
    let part = |name, of| call.domain.get_field(object, name, of);
    let (array, first, length, beyond) = if variable.site == Site::Buffer {
        if mode != Mode::Get && part(b"isReadOnly", b"Z")? != 0 {
            return Err(Trap::New("java/nio/ReadOnlyBufferException", None));
        }
        let (first, limit) = (part(b"offset", b"I")?, part(b"limit", b"I")?);
        (part(b"hb", b"[B")?, first, limit, "java/lang/IndexOutOfBoundsException")
    } else {
        let length = call.domain.heap.space.length(object)?;
        (object, 0, length, "java/lang/ArrayIndexOutOfBoundsException")
    };
    let width = variable.kind.bytes();
    let count = i64::from(length) - i64::from(width) + 1;
    if index < 0 || i64::from(index) >= count {
        let message = format!("Index {index} out of bounds for length {count}");
        return Err(Trap::New(beyond, Some(message)));
    }
    let at = first + index as u32;
    if tearing == Tearing::Never && !at.is_multiple_of(width) {
        let message = format!("Misaligned access at index: {index}");
        return Err(Trap::New("java/lang/IllegalStateException", Some(message)));
    }
    // One without an array has memory outside of the heap, and cannot be made.
    if array == NULL {
        return Err(unsupported());
    }
    Ok(Found::Within(array, ELEMENTS + at))
}

/// Bytes of a view in the order that registers have them.
fn ordered(variable: &Variable, value: u64) -> u64 {
    if variable.flags & BIG == 0 {
        return value;
    }
    value.swap_bytes() >> (64 - 8 * variable.kind.bytes())
}

fn get(call: &Call<'_>, variable: &Variable, found: &Found) -> Result<u64, Trap> {
    let value = match found {
        Found::Static(at) => call.domain.statics.get(*at).ok_or(Trap::Stray)?.value,
        Found::Within(object, at) => ordered(variable, load(call, *object, *at, variable.kind)?),
    };
    Ok(canonical(variable.kind, value))
}

fn set(call: &mut Call<'_>, variable: &Variable, found: &Found, value: u64) -> Result<(), Trap> {
    match found {
        Found::Static(at) => call.domain.statics.get_mut(*at).ok_or(Trap::Stray)?.value = value,
        Found::Within(object, at) => {
            store(call, *object, *at, variable.kind, ordered(variable, value))?;
        }
    }
    Ok(())
}

/// An array may be of less than the handle says: its own elements count.
fn check_element(call: &Call<'_>, array: Ref, value: Ref) -> Result<(), Trap> {
    if value == NULL {
        return Ok(());
    }
    let space = &call.domain.heap.space;
    let class = space.class_of(value)?;
    match call.universe.class(space.class_of(array)?).map(|array| array.shape) {
        Some(Shape::References { element }) if call.universe.is_subclass(class, element) => Ok(()),
        Some(Shape::References { .. }) => Err(Trap::Fault(Fault::Store(class))),
        _ => Err(Trap::Stray),
    }
}

/// `accessModeTypeUncached(AccessType)`, which the library makes of the classes of an object, the variable and indexes.
fn access_type(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (handle, access) = (call.object(0)?, call.object(1)?);
    let variable = Variable::read(call, handle)?;
    let types = call.domain.heap.space.class_of(access)?;
    let make = "(Ljava/lang/Class;Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
    let make = call.method_of(types, "accessModeType", make)?;
    let index = call.domain.mirror(call.universe.primitive(Some(Kind::Int)))?;
    let (class, of) = (call.domain.mirror(variable.class)?, call.domain.mirror(variable.of)?);
    let (class, indexes): (Ref, &[Ref]) = match variable.site {
        Site::Static => (NULL, &[]),
        Site::Field => (class, &[]),
        Site::Element | Site::View | Site::Buffer => (class, &[index]),
    };
    let indexes = call.new_references("java/lang/Class", indexes)?;
    call.thread.reserve(call.base);
    for (slot, argument) in [access, class, of, indexes].into_iter().enumerate() {
        call.set_reference(slot, argument);
    }
    Ok(Outcome::Call(make, Leaving::Plain))
}

/// `isAccessModeSupported(AccessMode)`
fn supports(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (handle, mode) = (call.object(0)?, call.object(1)?);
    let variable = Variable::read(call, handle)?;
    let name = call.domain.get_field(mode, b"methodName", b"Ljava/lang/String;")?;
    let mode = Mode::of(call.domain.text_of(name)?.as_bytes()).ok_or(Trap::Stray)?;
    // Where it is not, `toMethodHandle` takes an invoker, which is as good where it is.
    let caller = call.thread.frames.last().and_then(|frame| call.universe.method(frame.method));
    let is_asked = caller.is_none_or(|method| method.class != call.method.class);
    Ok(Outcome::Int(i32::from(is_asked && check_mode(mode, &variable).is_ok())))
}

fn with_exact(call: &mut Call<'_>, exact: u32) -> Result<Outcome, Trap> {
    let handle = call.object(0)?;
    let class = call.domain.heap.space.class_of(handle)?;
    let copy = call.domain.new_object(class)?;
    let bytes = crate::collect::size(call.universe, &call.domain.heap.space, handle)?;
    let from = crate::heap::FIELDS;
    call.domain.heap.space.copy_within((handle, from), (copy, from), bytes - from as usize)?;
    call.domain.set_field(copy, b"exact", b"Z", exact)?;
    Ok(Outcome::Reference(copy))
}
