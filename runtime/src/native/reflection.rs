//! Reflection and access control.

use carnet_classes::class::flags;

use super::lang::{no, null, unboxed, widened, yes};
use super::members::class_of;
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::{ClassId, Kind, Method};
use crate::heap::{NULL, Ref};
use crate::thread::{BELOW, Leaving};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/security/AccessController",
        &[
            ("getStackAccessControlContext", "()Ljava/security/AccessControlContext;", null),
            ("getInheritedAccessControlContext", "()Ljava/security/AccessControlContext;", null),
            ("getProtectionDomain", "(Ljava/lang/Class;)Ljava/security/ProtectionDomain;", null),
            ("ensureMaterializedForStackWalk", "(Ljava/lang/Object;)V", nothing),
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
    ("java/util/concurrent/atomic/AtomicLong", &[("VMSupportsCS8", "()Z", yes)]),
    ("java/util/concurrent/atomic/Striped64", &[("getProbe", "()I", |_| Ok(Outcome::Int(1)))]),
    (
        "jdk/internal/reflect/NativeMethodAccessorImpl",
        &[(
            "invoke0",
            "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
            invoke,
        )],
    ),
    (
        "jdk/internal/reflect/NativeConstructorAccessorImpl",
        &[(
            "newInstance0",
            "(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
            new_instance,
        )],
    ),
    (SERIAL, &[("newInstance", "([Ljava/lang/Object;)Ljava/lang/Object;", serial_instance)]),
    (
        "jdk/internal/reflect/ReflectionFactory",
        &[
            // No accessors are ever generated.
            ("inflationThreshold", "()I", |_| Ok(Outcome::Int(i32::MAX))),
            (
                "generateConstructor",
                "(Ljava/lang/Class;Ljava/lang/reflect/Constructor;)Ljava/lang/reflect/Constructor;",
                for_serialization,
            ),
        ],
    ),
    // Who called is told by the frames, without methods made for it.
    ("jdk/internal/reflect/Reflection", &[("isCallerSensitive", "(Ljava/lang/reflect/Method;)Z", no)]),
    (
        "java/io/ObjectStreamClass",
        &[("initNative", "()V", nothing), ("hasStaticInitializer", "(Ljava/lang/Class;)Z", has_initializer)],
    ),
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

fn wrong(text: Option<&str>) -> Trap {
    Trap::New("java/lang/IllegalArgumentException", text.map(str::to_owned))
}

/// Puts the arguments of an array into registers as a method wants them, `this` first if it has one.
fn arguments(call: &mut Call<'_>, method: &Method, this: Option<Ref>, array: Ref) -> Result<(), Trap> {
    let values = call.elements(array)?;
    let signature = call.universe.signature(method);
    if values.len() != signature.parameters.len() {
        return Err(wrong(Some("wrong number of arguments")));
    }
    let class = call.universe.class(method.class).ok_or(Trap::Stray)?;
    let text = call.universe.symbols.text(method.descriptor);
    let shape = carnet_classes::descriptor::method(text).ok_or(Trap::Stray)?;
    let mut placed = Vec::new();
    for ((kind, value), descriptor) in signature.parameters.iter().zip(values).zip(&shape.parameters) {
        if *kind == Kind::Reference {
            if value != NULL {
                let of = class_of(call, class, descriptor)?;
                if !call.universe.is_subclass(call.domain.heap.space.class_of(value)?, of) {
                    return Err(wrong(Some("argument type mismatch")));
                }
            }
            placed.push((*kind, u64::from(value)));
        } else if value == NULL {
            return Err(wrong(None));
        } else {
            let (from, number) =
                unboxed(call, value)?.ok_or_else(|| wrong(Some("argument type mismatch")))?;
            placed.push((*kind, widened(from, number, *kind)?));
        }
    }
    call.thread.reserve(call.base + BELOW);
    let mut slot = BELOW;
    if let Some(this) = this {
        call.set_reference(slot, this);
        slot += 1;
    }
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
    if let Some(kind) = call.universe.signature(&method).result.filter(|kind| *kind != Kind::Reference) {
        call.core_class(crate::domain::box_of(kind).0)?;
    }
    call.initialized(method.class)?;
    if method.is_static() {
        arguments(call, &method, None, array)?;
        return Ok(Outcome::Call(method.id, Leaving::Box(NULL, call.as_caller())));
    }
    let object = if object == NULL { call.object(1)? } else { object };
    let class = call.universe.class(call.domain.heap.space.class_of(object)?).ok_or(Trap::Stray)?;
    if !call.universe.is_subclass(class.id, method.class) {
        return Err(wrong(Some("object is not an instance of declaring class")));
    }
    let selected = match class.table.get(method.index as usize) {
        Some(selected) => selected.id,
        None if method.has(flags::PRIVATE) => method.id,
        None => match call.universe.select(class, &method) {
            Ok(selected) => selected.id,
            Err(error) => {
                let symbols = &call.universe.symbols;
                let (name, descriptor) = (symbols.text(method.name), symbols.text(method.descriptor));
                call.universe.overpass(class, name, descriptor)?.ok_or(error)?.id
            }
        },
    };
    arguments(call, &method, Some(object), array)?;
    Ok(Outcome::Call(selected, Leaving::Box(NULL, call.as_caller())))
}

/// Makes an object of a class, and calls a constructor of it or of a superclass.
fn make(call: &mut Call<'_>, class: ClassId, constructor: Ref, array: Ref) -> Result<Outcome, Trap> {
    let method = reflected(call, constructor)?;
    call.initialized(class)?;
    let object = call.domain.new_object(class)?;
    arguments(call, &method, Some(object), array)?;
    Ok(Outcome::Call(method.id, Leaving::New(object, call.as_caller())))
}

/// `newInstance0(Constructor, Object[])`
fn new_instance(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let constructor = call.object(0)?;
    let class = call.domain.get_field(constructor, b"clazz", b"Ljava/lang/Class;")?;
    let class = call.domain.class_of_mirror(class)?;
    make(call, class, constructor, call.reference(1))
}

/// `generateConstructor(Class, Constructor)`: a constructor that makes objects of a class, and runs for them that of a
/// superclass which is not serializable.
fn for_serialization(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let accessor = call.core_class(SERIAL)?;
    let (class, constructor) = (call.object(1)?, call.object(2)?);
    let of = call.domain.heap.space.class_of(constructor)?;
    call.room(4096)?;
    let accessor = call.domain.new_object(accessor)?;
    call.domain.set_field(accessor, b"constructor", b"Ljava/lang/reflect/Constructor;", constructor)?;
    call.domain.set_field(accessor, b"carnet$class", b"Ljava/lang/Class;", class)?;
    let copy = call.domain.new_object(of)?;
    let bytes = crate::collect::size(call.universe, &call.domain.heap.space, constructor)?;
    let skipped = crate::heap::FIELDS;
    let space = &mut call.domain.heap.space;
    space.copy_within((constructor, skipped), (copy, skipped), bytes - skipped as usize)?;
    call.domain.set_field(
        copy,
        b"constructorAccessor",
        b"Ljdk/internal/reflect/ConstructorAccessor;",
        accessor,
    )?;
    call.domain.set_field(copy, b"override", b"Z", 1)?;
    Ok(Outcome::Reference(copy))
}

/// Whose objects have the class that is made in a field of ours.
const SERIAL: &str = "jdk/internal/reflect/BootstrapConstructorAccessorImpl";

/// `newInstance(Object[])` of such a constructor.
fn serial_instance(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let accessor = call.object(0)?;
    let constructor = call.domain.get_field(accessor, b"constructor", b"Ljava/lang/reflect/Constructor;")?;
    let class = call.domain.get_field(accessor, b"carnet$class", b"Ljava/lang/Class;")?;
    let class = call.domain.class_of_mirror(class)?;
    make(call, class, constructor, call.reference(1))
}

fn has_initializer(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    Ok(Outcome::Int(i32::from(class.initializer.is_some())))
}
