//! Reflection and access control.

use super::lang::{load, no, null, unboxed, widened, yes};
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::{ClassId, Kind};
use crate::heap::{NULL, Ref};
use crate::thread::Leaving;

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/security/AccessController",
        &[
            ("getStackAccessControlContext", "", null),
            ("getInheritedAccessControlContext", "", null),
            ("getProtectionDomain", "", null),
            ("ensureMaterializedForStackWalk", "", nothing),
            ("doPrivileged", "(Ljava/security/PrivilegedAction;)Ljava/lang/Object;", |call| {
                privileged(call, "java/security/PrivilegedAction")
            }),
            (
                "doPrivileged",
                "(Ljava/security/PrivilegedAction;Ljava/security/AccessControlContext;)Ljava/lang/Object;",
                |call| privileged(call, "java/security/PrivilegedAction"),
            ),
        ],
    ),
    ("java/util/concurrent/atomic/AtomicLong", &[("VMSupportsCS8", "", yes)]),
    ("java/util/concurrent/atomic/Striped64", &[("getProbe", "", |_| Ok(Outcome::Int(1)))]),
    ("java/lang/ClassLoader", &[("getSystemClassLoader", "", null), ("getPlatformClassLoader", "", null)]),
    ("java/lang/Module", &[("isNamed", "", no)]),
    ("jdk/internal/reflect/NativeMethodAccessorImpl", &[("invoke0", "", invoke)]),
    ("jdk/internal/reflect/NativeConstructorAccessorImpl", &[("newInstance0", "", new_instance)]),
    ("jdk/internal/misc/Blocker", &[]),
];

fn privileged(call: &mut Call<'_>, interface: &str) -> Result<Outcome, Trap> {
    let action = call.object(0)?;
    let interface = call.universe.load(interface.as_bytes())?;
    let run = call.method_of(interface, "run", "()Ljava/lang/Object;")?;
    let class = call.universe.class(call.domain.heap.space.class_of(action)?).ok_or(Trap::Stray)?;
    let run = call.universe.method(run).ok_or(Trap::Stray)?;
    let selected = call.universe.select(class, run)?;
    Ok(Outcome::Call(selected.id, Leaving::Plain))
}

/// The method that a `Method` or `Constructor` is of.
fn reflected(call: &Call<'_>, object: Ref) -> Result<std::sync::Arc<crate::class::Method>, Trap> {
    let class = call.domain.get_field(object, b"clazz", b"Ljava/lang/Class;")?;
    let slot = call.domain.get_field(object, b"slot", b"I")?;
    let class = call.universe.class(call.domain.class_of_mirror(class)?).ok_or(Trap::Stray)?;
    class.methods.get(slot as usize).cloned().ok_or(Trap::Stray)
}

/// Puts the arguments of an array into registers from a slot on, as a method wants them.
fn arguments(
    call: &mut Call<'_>,
    method: &crate::class::Method,
    array: Ref,
    first: usize,
) -> Result<(), Trap> {
    let wrong = |text: &str| Trap::New("java/lang/IllegalArgumentException", Some(text.to_owned()));
    let values = call.elements(array)?;
    if values.len() != method.parameters.len() {
        return Err(wrong("wrong number of arguments"));
    }
    let text = call.universe.symbols.text(method.descriptor);
    let shape = carnet_classes::descriptor::method(text).ok_or(Trap::Stray)?;
    let mut placed = Vec::new();
    for ((kind, value), descriptor) in method.parameters.iter().zip(values).zip(&shape.parameters) {
        if *kind == Kind::Reference {
            if value != NULL {
                let name = match descriptor {
                    [b'L', name @ .., b';'] => name,
                    array => *array,
                };
                let of = call.universe.load(name)?;
                let class = call.domain.heap.space.class_of(value)?;
                if !call.universe.is_subclass(class, of) {
                    return Err(wrong("argument type mismatch"));
                }
            }
            placed.push((*kind, u64::from(value)));
        } else {
            let (from, number) = unboxed(call, value)?.ok_or_else(|| wrong("argument type mismatch"))?;
            placed.push((*kind, widened(from, number, *kind)?));
        }
    }
    let mut slot = first;
    for (kind, number) in placed {
        if kind == Kind::Reference {
            call.set_reference(slot, number as Ref);
        } else {
            call.set_number(slot, number);
        }
        slot += if kind.is_wide() { 2 } else { 1 };
    }
    Ok(())
}

/// `invoke0(Method, Object, Object[])`
fn invoke(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (method, object, array) = (reflected(call, call.object(0)?)?, call.reference(1), call.reference(2));
    // The box of a number is made when it returns: its class must be there then.
    if let Some(kind) = method.result.filter(|kind| *kind != Kind::Reference) {
        call.library(crate::domain::box_of(kind).0)?;
    }
    call.library("java/lang/reflect/InvocationTargetException")?;
    call.initialized(method.class)?;
    if method.is_static() {
        arguments(call, &method, array, 0)?;
        return Ok(Outcome::Call(method.id, Leaving::Box));
    }
    let object = if object == NULL { call.object(1)? } else { object };
    let class = call.universe.class(call.domain.heap.space.class_of(object)?).ok_or(Trap::Stray)?;
    if !call.universe.is_subclass(class.id, method.class) {
        return Err(Trap::New(
            "java/lang/IllegalArgumentException",
            Some("object is not an instance of declaring class".to_owned()),
        ));
    }
    let selected = match class.table.get(method.index as usize) {
        Some(selected) => selected.id,
        None if method.has(carnet_classes::class::flags::PRIVATE) => method.id,
        None => call.universe.select(class, &method)?.id,
    };
    arguments(call, &method, array, 1)?;
    call.set_reference(0, object);
    Ok(Outcome::Call(selected, Leaving::Box))
}

/// `newInstance0(Constructor, Object[])`: not there yet; see the table of what is supported.
fn new_instance(_: &mut Call<'_>) -> Result<Outcome, Trap> {
    Err(Trap::New("java/lang/UnsupportedOperationException", Some("making objects by reflection".to_owned())))
}

const _: fn(&Call<'_>, Ref, u32, Kind) -> Result<u64, Trap> = load;
const _: ClassId = ClassId(0);
