//! Calls of translated code that do not come back as others do: a service that panics, and one that has the run interrupted.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Call, Caller, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_portal::direct::{self, Entry};
use carnet_program::interp::{Blocking, CANCEL, Env, Machine, Mode, Slice, Stop};

use crate::desk::module;
use crate::engines::Case;

const INTERRUPTS: u64 = 5;
const PANICS: u64 = 7;

/// Only `echo` is called.
struct Odd(Arc<AtomicU32>);

impl Object for Odd {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(1))
    }

    fn dispatch(&self, _op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        match call.words[0] {
            INTERRUPTS => self.0.store(CANCEL, Ordering::Relaxed),
            PANICS => panic!("as an example"),
            _ => {}
        }
        call.words[1] = call.words[0] * 10;
        Ok(())
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        direct::entry(self, op)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

#[test]
fn a_panic_and_an_interruption_in_a_call_are_what_they_are_to_the_interpreter() {
    let source = "program p(desk: Desk) {\nfor n in 1..10 {\ndesk.echo(n)\ndesk.echo(n + 20)\n}\n}";
    let case = Case::parse(source).expect("a program");
    let mut stops = Vec::new();
    for translated in [None, case.translation.as_ref()] {
        let interrupt = Arc::new(AtomicU32::new(0));
        let caller = Caller::local();
        let env =
            Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
        let mut machine = Machine::new();
        machine.reset(&case.loaded, case.setting.budget);
        machine.set_portal(0, Capability::new(Arc::new(Odd(Arc::clone(&interrupt)))));
        let advance = |machine: &mut Machine| match translated {
            Some(translation) => machine.advance_translated(translation, &env, Slice::UNLIMITED),
            None => machine.advance(&case.loaded, &env, Slice::UNLIMITED),
        };
        assert_eq!(advance(&mut machine), Stop::Cancelled);
        stops.push((machine.pc(), machine.budget, machine.counts().to_vec()));
        interrupt.store(0, Ordering::Relaxed);
        let thrown = catch_unwind(AssertUnwindSafe(|| advance(&mut machine)));
        let thrown = thrown.expect_err("the service panics");
        assert_eq!(thrown.downcast_ref::<&str>(), Some(&"as an example"));
        assert_eq!(machine.counts().iter().sum::<u64>(), 2 * PANICS - 1, "each call was made once");
    }
    assert_eq!(stops[0], stops[1], "it stops behind the call, with nothing else done");
}
