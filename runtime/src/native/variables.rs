//! How handles of variables come to be: of fields that a lookup finds, of elements of arrays, and of bytes as wider numbers. What they
//! do is in [`handle`](super::handle).

use carnet_classes::class::flags;

use super::handle::{BIG, CLASS, FINAL, Site, VAR_HANDLE, descriptor_of, unsupported};
use super::member_name::Named;
use super::{Call, Outcome, Rows, Trap};
use crate::class::{Class, ClassId, Field, Kind, Origin, Shape};
use crate::heap::Ref;

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/invoke/MethodHandles$Lookup",
        &[
            (
                "findVarHandle",
                "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
                |call| field_handle(call, Site::Field),
            ),
            (
                "findStaticVarHandle",
                "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
                |call| field_handle(call, Site::Static),
            ),
        ],
    ),
    (
        "java/lang/invoke/MethodHandles",
        &[(
            "privateLookupIn",
            "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandles$Lookup;)Ljava/lang/invoke/MethodHandles$Lookup;",
            private_lookup,
        )],
    ),
    (
        "java/lang/invoke/VarHandles",
        &[
            (
                "makeFieldHandle",
                "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;Ljava/lang/Class;Z)Ljava/lang/invoke/VarHandle;",
                member_handle,
            ),
            ("makeArrayElementHandle", "(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;", array_handle),
            ("byteArrayViewHandle", "(Ljava/lang/Class;Z)Ljava/lang/invoke/VarHandle;", |call| {
                let bytes = call.universe.primitive_array(Kind::Byte);
                view_handle(call, Site::View, bytes)
            }),
            ("makeByteBufferViewHandle", "(Ljava/lang/Class;Z)Ljava/lang/invoke/VarHandle;", |call| {
                let buffer = call.universe.load(b"java/nio/ByteBuffer")?;
                view_handle(call, Site::Buffer, buffer)
            }),
        ],
    ),
];

/// In `allowedModes` of a lookup: it may do what its class may.
const PRIVATE: u32 = 2;
/// `allowedModes` of a lookup that may do what its class may: `PUBLIC`, `PRIVATE`, `PROTECTED`, `PACKAGE` and `MODULE`.
const ALL_MODES: u32 = 31;

/// The class on whose behalf a lookup looks, if it may do all that this class may.
fn lookup_class(call: &Call<'_>, lookup: Ref) -> Result<Option<ClassId>, Trap> {
    let modes = call.domain.get_field(lookup, b"allowedModes", b"I")?;
    let class = call.domain.get_field(lookup, b"lookupClass", CLASS)?;
    let class = call.domain.class_of_mirror(class)?;
    Ok((modes & PRIVATE != 0).then_some(class))
}

fn no_access(message: String) -> Trap {
    Trap::New("java/lang/IllegalAccessException", Some(message))
}

/// Whether a lookup may use a field: as its class may, or as anybody.
fn check_access(call: &Call<'_>, lookup: Ref, named: &Class, field: &Field) -> Result<(), Trap> {
    let universe = call.universe;
    let holder = universe.class(field.class).ok_or(Trap::Stray)?;
    let may = match lookup_class(call, lookup)? {
        Some(from) => {
            let from = universe.class(from).ok_or(Trap::Stray)?;
            universe.check_class(from, named).is_ok() && universe.may_access(from, holder, named, field.flags)
        }
        None => {
            let name = universe.name(named.id);
            let is_public = |class: &Class| class.has(flags::PUBLIC);
            let is_open = named.origin == Origin::Guest || name.starts_with(b"java/");
            is_open && is_public(named) && is_public(holder) && field.flags & flags::PUBLIC != 0
        }
    };
    if may {
        return Ok(());
    }
    let name = String::from_utf8_lossy(universe.symbols.text(field.name)).into_owned();
    Err(no_access(format!("no access to the field {}.{name}", universe.java_name(field.class))))
}

/// `findVarHandle(Class, String, Class)` and its like for static fields.
fn field_handle(call: &mut Call<'_>, site: Site) -> Result<Outcome, Trap> {
    let (lookup, class, name, of) = (call.object(0)?, call.class(1)?, call.text(2)?, call.class(3)?);
    let universe = call.universe;
    let named = universe.class(class).ok_or(Trap::Stray)?;
    let text = crate::domain::modified(&name.encode_utf16().collect::<Vec<u16>>());
    let Some(field) = universe.find_field(named, &text, &descriptor_of(call, of)).cloned() else {
        return Err(Trap::New("java/lang/NoSuchFieldException", Some(format!("no such field: {name}"))));
    };
    if field.is_static() != (site == Site::Static) {
        let expected = if field.is_static() { "non-static" } else { "static" };
        return Err(no_access(format!("{expected} field expected: {name}")));
    }
    check_access(call, lookup, named, &field)?;
    let flags = if field.flags & flags::FINAL != 0 { FINAL } else { 0 };
    new_field_handle(call, &field, (class, of), flags)
}

/// `makeFieldHandle(MemberName, Class, Class, boolean)`, of a field that the library has looked up, and found accessible.
fn member_handle(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (named, class, of) = (Named::of(call, call.object(0)?)?, call.class(1)?, call.class(2)?);
    let looked = call.universe.class(class).ok_or(Trap::Stray)?;
    let field = call.universe.find_field(looked, &named.name, &named.descriptor);
    let field = field.cloned().ok_or(Trap::Stray)?;
    let is_final = field.flags & flags::FINAL != 0 && call.int(3) == 0;
    new_field_handle(call, &field, (class, of), if is_final { FINAL } else { 0 })
}

/// A handle of a field of a class, or of one above it.
fn new_field_handle(
    call: &mut Call<'_>,
    field: &Field,
    (class, of): (ClassId, ClassId),
    flags: u32,
) -> Result<Outcome, Trap> {
    let (site, holder) = if field.is_static() { (Site::Static, field.class) } else { (Site::Field, class) };
    if site == Site::Static {
        call.initialized(holder)?;
    }
    new_handle(call, (site, field.kind, flags), field.place, (holder, of))
}

/// What an array of a class has.
fn elements(call: &Call<'_>, class: ClassId) -> Result<(Kind, ClassId), Trap> {
    let found = call.universe.class(class).ok_or(Trap::Stray)?;
    match found.shape {
        Shape::Primitives(kind) => Ok((kind, call.universe.primitive(Some(kind)))),
        Shape::References { element } => Ok((Kind::Reference, element)),
        _ => {
            let what = match &descriptor_of(call, class)[..] {
                [_] => "",
                _ if found.is_interface() => "interface ",
                _ => "class ",
            };
            let message = format!("not an array: {what}{}", call.universe.java_name(class));
            Err(Trap::New("java/lang/IllegalArgumentException", Some(message)))
        }
    }
}

fn array_handle(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.class(0)?;
    let (kind, of) = elements(call, class)?;
    new_handle(call, (Site::Element, kind, 0), 0, (class, of))
}

/// `byteArrayViewHandle(Class, boolean isBig)` and its like for buffers, of whose class they take an object.
fn view_handle(call: &mut Call<'_>, site: Site, viewed: ClassId) -> Result<Outcome, Trap> {
    let (kind, of) = elements(call, call.class(0)?)?;
    if kind == Kind::Reference || kind.bytes() == 1 {
        return Err(unsupported());
    }
    let flags = if call.int(1) != 0 { BIG } else { 0 };
    new_handle(call, (site, kind, flags), 0, (viewed, of))
}

/// `privateLookupIn(Class, Lookup)`: the library opens nothing to guests, and each guest all to others.
fn private_lookup(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (class, lookup) = (call.class(0)?, call.object(1)?);
    let universe = call.universe;
    let of = universe.class(class).ok_or(Trap::Stray)?;
    if of.shape != Shape::Object {
        let message = format!("{} is no class with members", universe.java_name(class));
        return Err(Trap::New("java/lang/IllegalArgumentException", Some(message)));
    }
    let from = lookup_class(call, lookup)?.and_then(|from| universe.class(from));
    let may = from.is_some_and(|from| universe.is_trusted(from) || of.origin == Origin::Guest);
    if !may {
        return Err(no_access(format!("{} is not open to this lookup", universe.java_name(class))));
    }
    let id = call.domain.heap.space.class_of(lookup)?;
    let made = call.domain.new_object(id)?;
    let mirror = call.object(0)?;
    call.domain.set_field(made, b"lookupClass", CLASS, mirror)?;
    call.domain.set_field(made, b"allowedModes", b"I", ALL_MODES)?;
    Ok(Outcome::Reference(made))
}

/// Makes a handle.
fn new_handle(
    call: &mut Call<'_>,
    (site, kind, flags): (Site, Kind, u32),
    place: u32,
    (class, of): (ClassId, ClassId),
) -> Result<Outcome, Trap> {
    let id = call.core_class(VAR_HANDLE)?;
    let (class, of) = (call.domain.mirror(class)?, call.domain.mirror(of)?);
    let handle = call.domain.new_object(id)?;
    call.domain.set_field(handle, b"carnet$class", CLASS, class)?;
    call.domain.set_field(handle, b"carnet$type", CLASS, of)?;
    call.domain.set_field(handle, b"carnet$kind", b"I", kind as u32 | (site as u32) << 8 | flags)?;
    let field = call.domain.field_of(handle, b"carnet$place", b"J")?;
    call.domain.heap.space.set_u64(handle, field.place, u64::from(place))?;
    Ok(Outcome::Reference(handle))
}
