//! Members by name: what the library looks up for method handles, and may be used by whom.

use std::sync::Arc;

use carnet_classes::class::flags;

use super::handle::descriptor_of;
use super::method_handle::{CLASS, shown, text_of_classes, text_of_type};
use super::{Call, Outcome, Rows, Trap};
use crate::class::{Class, ClassId, Method, Origin};
use crate::domain::modified;
use crate::heap::{NULL, Ref};
use crate::universe::{LinkError, declaration};

pub(super) const NATIVES: &[(&str, Rows)] = &[(
    "java/lang/invoke/MethodHandleNatives",
    &[
        ("init", "(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V", init),
        (
            "resolve",
            "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;",
            resolve,
        ),
        ("objectFieldOffset", "(Ljava/lang/invoke/MemberName;)J", |_| Ok(Outcome::Long(0))),
        ("staticFieldOffset", "(Ljava/lang/invoke/MemberName;)J", |_| Ok(Outcome::Long(0))),
        ("staticFieldBase", "(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;", |_| {
            Ok(Outcome::Reference(NULL))
        }),
        ("setCallSiteTargetNormal", SET_TARGET, set_target),
        ("setCallSiteTargetVolatile", SET_TARGET, set_target),
    ],
)];

const SET_TARGET: &str = "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V";

/// In the flags of a `MemberName`.
pub(super) const IS_METHOD: u32 = 1 << 16;
pub(super) const IS_CONSTRUCTOR: u32 = 1 << 17;
const IS_FIELD: u32 = 1 << 18;
const KIND_SHIFT: u32 = 24;
/// A lookup that may do all: of the library itself.
const ALLOWED_ALL: i32 = -1;

/// `setCallSiteTarget…(CallSite, MethodHandle)`
fn set_target(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (site, target) = (call.object(0)?, call.object(1)?);
    call.domain.set_field(site, b"target", b"Ljava/lang/invoke/MethodHandle;", target)?;
    Ok(Outcome::Void)
}

/// `init(MemberName, Object)`: what a field, method or constructor of reflection is.
fn init(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (member, reflected) = (call.object(0)?, call.object(1)?);
    let mirror = call.domain.get_field(reflected, b"clazz", CLASS)?;
    let modifiers = call.domain.get_field(reflected, b"modifiers", b"I")?;
    let class = call.universe.class(call.domain.class_of_mirror(mirror)?).ok_or(Trap::Stray)?;
    let of = call.domain.heap.space.class_of(reflected)?;
    let is_static = modifiers & u32::from(flags::STATIC) != 0;
    let (is, kind) = match call.universe.name(of) {
        b"java/lang/reflect/Field" if is_static => (IS_FIELD, 2),
        b"java/lang/reflect/Field" => (IS_FIELD, 1),
        b"java/lang/reflect/Constructor" => (IS_CONSTRUCTOR, 8),
        _ if is_static => (IS_METHOD, 6),
        _ if class.is_interface() => (IS_METHOD, 9),
        _ => (IS_METHOD, 5),
    };
    call.domain.set_field(member, b"clazz", CLASS, mirror)?;
    call.domain.set_field(member, b"flags", b"I", modifiers & 0xffff | is | kind << KIND_SHIFT)?;
    Ok(Outcome::Void)
}

/// What a `MemberName` says.
pub(super) struct Named {
    pub(super) class: ClassId,
    pub(super) name: Vec<u8>,
    pub(super) descriptor: Vec<u8>,
    flags: u32,
}

impl Named {
    pub(super) fn of(call: &Call<'_>, member: Ref) -> Result<Named, Trap> {
        let domain = &call.domain;
        let name = domain.units_of(domain.get_field(member, b"name", b"Ljava/lang/String;")?)?;
        let of = domain.get_field(member, b"type", b"Ljava/lang/Object;")?;
        let descriptor = match call.universe.name(domain.heap.space.class_of(of)?) {
            b"java/lang/invoke/MethodType" => text_of_type(call, of)?,
            b"java/lang/Class" => descriptor_of(call, domain.class_of_mirror(of)?),
            b"java/lang/String" => modified(&domain.units_of(of)?),
            _ => match call.elements(of)?[..] {
                [result, parameters] => text_of_classes(call, parameters, result)?,
                _ => return Err(Trap::Stray),
            },
        };
        Ok(Named {
            class: domain.class_of_mirror(domain.get_field(member, b"clazz", CLASS)?)?,
            name: modified(&name),
            descriptor,
            flags: domain.get_field(member, b"flags", b"I")?,
        })
    }

    /// The kind of handle that it has (JVMS 4.4.8).
    pub(super) fn kind(&self) -> u8 {
        (self.flags >> KIND_SHIFT & 15) as u8
    }
}

/// The method that a `MemberName` says, of the class that declares it.
pub(super) fn method_named<'u>(call: &Call<'u>, member: Ref) -> Result<&'u Arc<Method>, Trap> {
    let named = Named::of(call, member)?;
    let class = call.universe.class(named.class).ok_or(Trap::Stray)?;
    call.universe.find_method(class, &named.name, &named.descriptor).ok_or(Trap::Stray)
}

/// `resolve(MemberName, Class caller, int lookupMode, boolean speculative)`
fn resolve(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let member = call.object(0)?;
    let named = Named::of(call, member)?;
    match found(call, &named) {
        Ok((class, modifiers, kind)) => {
            let holder = call.domain.mirror(class)?;
            call.domain.set_field(member, b"clazz", CLASS, holder)?;
            let kept = named.flags & !(0xffff | 15 << KIND_SHIFT);
            let flags = kept | u32::from(modifiers) | u32::from(kind) << KIND_SHIFT;
            call.domain.set_field(member, b"flags", b"I", flags)?;
            Ok(Outcome::Reference(member))
        }
        Err(Trap::Link(_)) if call.int(3) != 0 => Ok(Outcome::Reference(NULL)),
        Err(trap) => Err(trap),
    }
}

/// The class that has a member, its access flags, and the kind of handle that it has there.
fn found(call: &Call<'_>, named: &Named) -> Result<(ClassId, u16, u8), Trap> {
    let universe = call.universe;
    let class = universe.class(named.class).ok_or(Trap::Stray)?;
    let (holder, modifiers) = if named.flags & IS_FIELD != 0 {
        let field = universe.find_field(class, &named.name, &named.descriptor);
        let missing = || error("java/lang/NoSuchFieldError", shown(&named.name));
        let field = field.ok_or_else(missing)?;
        (field.class, field.flags)
    } else {
        let method = found_method(call, named, class)?;
        (method.class, method.flags)
    };
    let of = universe.class(holder).ok_or(Trap::Stray)?;
    check_access(call, class, of, modifiers)?;
    let is_static = modifiers & flags::STATIC != 0;
    let is_fixed = modifiers & (flags::PRIVATE | flags::FINAL) != 0 || of.has(flags::FINAL);
    let kind = match (named.kind(), of.is_interface()) {
        // The library tells who wanted the other kind of field.
        (1 | 2, _) => 1 + u8::from(is_static),
        (3 | 4, _) => 3 + u8::from(is_static),
        (5, true) => 9,
        (5 | 9, false) if is_fixed => 7,
        (9, false) => 5,
        (kind, _) => kind,
    };
    Ok((holder, modifiers, kind))
}

/// The method that has a name; or the one that throws since there are several.
fn found_method<'u>(call: &Call<'u>, named: &Named, class: &Class) -> Result<&'u Arc<Method>, Trap> {
    let (universe, kind) = (call.universe, named.kind());
    let special = matches!(&named.name[..], b"<init>" | b"<clinit>");
    let method = match universe.find_method(class, &named.name, &named.descriptor) {
        None => universe.overpass(class, &named.name, &named.descriptor)?,
        found => found,
    };
    let text = |class: ClassId| {
        format!("'{}'", declaration(Some(&universe.java_name(class)), &named.name, &named.descriptor))
    };
    let method = method.filter(|method| !special || (kind == 8 && method.class == class.id));
    let method = method.ok_or_else(|| error("java/lang/NoSuchMethodError", text(class.id)))?;
    if matches!(kind, 5 | 9) && (kind == 9) != class.is_interface() {
        return Err(error(CHANGED, text(class.id)));
    }
    if method.is_static() != (kind == 6) {
        let expected = match (method.is_static(), kind) {
            (false, _) => "Expected static",
            (true, 9) => "Expected instance not static",
            (true, _) => "Expecting non-static",
        };
        return Err(error(CHANGED, format!("{expected} method {}", text(method.class))));
    }
    Ok(method)
}

fn error(kind: &'static str, text: String) -> Trap {
    Trap::Link(LinkError::new(kind, text))
}

const CHANGED: &str = "java/lang/IncompatibleClassChangeError";

/// Whether who looks up may use a member. The library asks as well; what it believes of packages is not enough here.
fn check_access(call: &Call<'_>, named: &Class, holder: &Class, member: u16) -> Result<(), Trap> {
    let universe = call.universe;
    // What is private to others the library refuses by itself, and says more.
    if call.int(2) == ALLOWED_ALL || member & flags::PRIVATE != 0 {
        return Ok(());
    }
    let from = match call.reference(1) {
        NULL => None,
        mirror => Some(call.domain.class_of_mirror(mirror)?).filter(|id| *id != universe.known().object),
    };
    let may = match from.and_then(|from| universe.class(from)) {
        Some(from) => {
            universe.check_class(from, named).is_ok() && universe.may_access(from, holder, named, member)
        }
        None => {
            let is_open = |class: &Class| {
                class.has(flags::PUBLIC)
                    && (class.origin != Origin::Library || universe.name(class.id).starts_with(b"java"))
            };
            is_open(named) && is_open(holder) && member & flags::PUBLIC != 0
        }
    };
    if may {
        return Ok(());
    }
    let message = format!("no access to a member of {}", universe.java_name(holder.id));
    Err(Trap::Link(LinkError::new("java/lang/IllegalAccessError", message)))
}
