//! Dispatching one call on an object, so that no service can hurt the session that calls it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Layout, Module, Operation, Short, Word, conforms};

use crate::call::{Area, Areas, Call, Caller, Failure, Kind, Object, Ref, ShortWords};
use crate::capability::{Capability, Grant};
use crate::panics::drop_quietly;

/// The operation `op` of an object's interface.
///
/// # Errors
/// [`Kind::NoSuchOperation`].
#[inline]
pub(crate) fn operation(
    module: &'static Module,
    interface: InterfaceId,
    op: u16,
) -> Result<&'static Operation, Failure> {
    module
        .interfaces
        .get(interface.index())
        .and_then(|interface| interface.operations.get(usize::from(op)))
        .ok_or_else(|| no_such_operation(module, interface, op))
}

/// Carries the call out. A panic of the service is a failure of this call only.
///
/// # Errors
/// What the service answered; [`Kind::Revoked`]; [`Kind::Internal`] if it panicked.
#[inline]
pub(crate) fn invoke(
    capability: &Capability,
    op: u16,
    operation: &Operation,
    call: &mut Call<'_>,
) -> Result<(), Failure> {
    guarded(capability.grant(), || &operation.name, || capability.object().dispatch(op, call))?;
    check_made(capability, &operation.layout, call.words, call.areas, call.made)
}

/// Carries a call of the operation `name` out by the right `grant`. What it makes is not looked at; short calls make
/// nothing.
///
/// # Errors
/// As [`invoke`].
#[inline(always)]
pub(crate) fn guarded<'n, T, E>(
    grant: &Grant,
    name: impl FnOnce() -> &'n str,
    call: impl FnOnce() -> Result<T, E>,
) -> Result<T, Failure>
where
    Failure: From<E>,
{
    if grant.is_revoked() {
        return Err(revoked());
    }
    caught(name, call)
}

/// The same by a right that is in force.
///
/// # Errors
/// What the service answered; [`Kind::Internal`] if it panicked.
#[inline(always)]
pub(crate) fn caught<'n, T, E>(
    name: impl FnOnce() -> &'n str,
    call: impl FnOnce() -> Result<T, E>,
) -> Result<T, Failure>
where
    Failure: From<E>,
{
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(failure)) => Err(failure.into()),
        Err(panic) => Err(panicked(name, panic)),
    }
}

/// The right has ended.
#[cold]
pub(crate) fn revoked() -> Failure {
    Failure::new(Kind::Revoked, "the portal was revoked")
}

/// A short call for an object that knows calls alone.
pub(crate) fn short_by_dispatch<O: Object + ?Sized>(
    object: &O,
    op: u16,
    caller: &Caller,
    words: &mut ShortWords,
    piece: &[u8],
) -> Result<(), Failure> {
    let areas = &mut Areas { list: vec![Area { bytes: piece.to_vec(), words: Vec::new() }] };
    dispatch_short(object, op, caller, words, areas).map(drop)
}

/// As [`short_by_dispatch`], for one that fills `out`.
pub(crate) fn short_out_by_dispatch<O: Object + ?Sized>(
    object: &O,
    op: u16,
    caller: &Caller,
    words: &mut ShortWords,
    piece: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let areas = &mut Areas { list: vec![Area { bytes: piece.to_vec(), words: Vec::new() }, Area::default()] };
    if let Some(at) = dispatch_short(object, op, caller, words, areas)? {
        // A reference that leads nowhere is here the object's own.
        let result = areas.bytes(words[at], u32::MAX).map_err(|_| no_data())?;
        out.extend_from_slice(result);
    }
    Ok(())
}

/// What is sent is area 0, and what comes back area 1; the word of that then refers to it.
fn dispatch_short<O: Object + ?Sized>(
    object: &O,
    op: u16,
    caller: &Caller,
    words: &mut ShortWords,
    areas: &mut Areas,
) -> Result<Option<usize>, Failure> {
    let (module, interface) = object.interface();
    let layout = &operation(module, interface, op)?.layout;
    let returned = layout.short.and_then(Short::returned);
    if let Some(at) = layout.short.and_then(Short::sent) {
        let len = areas.list[0].bytes.len();
        words[at] = Ref::new(0, 0, len).ok_or_else(|| Failure::bad_argument("an argument is too long"))?.0;
    }
    if let Some(at) = returned {
        words[at] = Ref::new(1, 0, 0).unwrap_or_default().0;
    }
    let block = words.get_mut(..layout.words()).ok_or_else(|| Failure::service("no short operation"))?;
    let mut made = Vec::new();
    object.dispatch(op, &mut Call { words: block, areas, portals: &[], made: &mut made, caller })?;
    Ok(returned)
}

#[cold]
fn no_data() -> Failure {
    Failure::service("a reference names no data")
}

/// Checks that each portal of a reply is there and has the interface that the operation says.
fn check_made(
    capability: &Capability,
    layout: &Layout,
    words: &[u64],
    areas: &Areas,
    made: &[Arc<dyn Object>],
) -> Result<(), Failure> {
    let module = capability.object().interface().0;
    let is_made = |value: u64, expected: InterfaceId| {
        let object = usize::try_from(value).ok().and_then(|index| made.get(index));
        object.is_some_and(|object| has_interface(object.as_ref(), module, expected))
    };
    let replied = layout.inouts.iter().chain(&layout.outs);
    for (word, value) in replied.zip(&words[layout.ins.len()..]) {
        let is_right = match word {
            Word::Portal(expected) => is_made(*value, *expected),
            Word::List { element, .. } => {
                let empty = Vec::new();
                let list = areas.list.get(Ref(*value).area()).map_or(&empty, |area| &area.words);
                let portals = element.iter().enumerate().filter_map(|(at, word)| match word {
                    Word::Portal(expected) => Some((at, *expected)),
                    _ => None,
                });
                portals.into_iter().all(|(at, expected)| {
                    list.iter().skip(at).step_by(element.len()).all(|value| is_made(*value, expected))
                })
            }
            _ => true,
        };
        if !is_right {
            return Err(Failure::service("the service returned no portal, or one of another interface"));
        }
    }
    Ok(())
}

fn has_interface(object: &dyn Object, module: &'static Module, interface: InterfaceId) -> bool {
    let (found, id) = object.interface();
    std::ptr::eq(found, module) && id == interface || conforms((found, id), (module, interface))
}

#[cold]
pub(crate) fn no_such_operation(module: &Module, interface: InterfaceId, op: u16) -> Failure {
    let name = module.interfaces.get(interface.index()).map_or("?", |interface| &interface.name);
    Failure::new(Kind::NoSuchOperation, &format!("{}.{name} has no operation {op}", module.name))
}

/// What a service that panicked said. What it threw may panic at its own end. Apart, so that a call that does not panic
/// saves no registers for it.
#[cold]
#[inline(never)]
pub(crate) fn panicked<'n>(operation: impl FnOnce() -> &'n str, panic: Box<dyn Any + Send>) -> Failure {
    let said = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it said nothing");
    let failure = Failure::new(Kind::Internal, &format!("the service panicked in {}: {said}", operation()));
    drop_quietly(panic);
    failure
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;
    use std::sync::LazyLock;

    use super::*;

    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        let text = "module t { interface T { string<8> get(); }; };";
        carnet_idl::compile_str("t.idl", text).expect("the interface compiles")
    });

    /// Thrown by a service; throws so many more at its end.
    struct Bomb(u8);

    impl Drop for Bomb {
        fn drop(&mut self) {
            if self.0 > 0 {
                panic_any(Bomb(self.0 - 1));
            }
        }
    }

    /// Knows calls alone. Its result names an area that the call has not, or it throws.
    enum Broken {
        Result,
        Throws,
    }

    impl Object for Broken {
        fn interface(&self) -> (&'static Module, InterfaceId) {
            (&MODULE, InterfaceId(0))
        }

        fn dispatch(&self, _: u16, call: &mut Call<'_>) -> Result<(), Failure> {
            if let Broken::Throws = self {
                panic_any(Bomb(2));
            }
            call.words[0] = Ref::new(9, 0, 1).expect("it is small").0;
            Ok(())
        }

        fn service(&self) -> &dyn Any {
            self
        }
    }

    fn short_out(object: Broken) -> Kind {
        let capability = Capability::new(Arc::new(object));
        let (mut words, mut out) = (ShortWords::default(), Vec::new());
        let done = guarded(
            capability.grant(),
            || "get",
            || capability.object().short_out(0, &Caller::local(), &mut words, &[], &mut out),
        );
        done.expect_err("it is broken").kind()
    }

    #[test]
    fn a_result_that_is_not_there_is_the_services_fault() {
        assert_eq!(short_out(Broken::Result), Kind::Service);
    }

    #[test]
    fn what_a_service_throws_may_throw_once_more() {
        assert_eq!(short_out(Broken::Throws), Kind::Internal);
        let (mut words, mut areas, mut made, caller) = ([0], Areas::default(), Vec::new(), Caller::local());
        let mut call =
            Call { words: &mut words, areas: &mut areas, portals: &[], made: &mut made, caller: &caller };
        let capability = Capability::new(Arc::new(Broken::Throws));
        let done = invoke(&capability, 0, &MODULE.interfaces[0].operations[0], &mut call);
        assert_eq!(done.expect_err("it threw").kind(), Kind::Internal);
    }
}
