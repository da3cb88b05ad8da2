//! Calls of translated code that do not come back as others do: a service that panics, one that has the run interrupted, and one
//! that ends the right to call it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Call, Caller, Failure, Object};
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::direct::{self, Entry};
use carnet_program::interp::{Blocking, CANCEL, Env, Machine, Mode, Slice, Stop};

use crate::desk::module;
use crate::engines::Case;

const INTERRUPTS: u64 = 5;
const PANICS: u64 = 7;
const REVOKES: u64 = 25;

/// Only `echo` is called.
struct Odd {
    interrupt: Arc<AtomicU32>,
    grant: OnceLock<Grant>,
}

impl Object for Odd {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(1))
    }

    fn dispatch(&self, _op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        match call.words[0] {
            INTERRUPTS => self.interrupt.store(CANCEL, Ordering::Relaxed),
            REVOKES => self.grant.get().into_iter().for_each(Grant::revoke),
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
        machine.set_portal(
            0,
            Capability::new(Arc::new(Odd { interrupt: Arc::clone(&interrupt), grant: OnceLock::new() })),
        );
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

/// In the fifth round: the next call belongs to the sixth, or to the same.
#[test]
fn a_right_that_a_call_ends_is_not_there_for_the_next() {
    for calls in ["desk.echo(n)\ndesk.echo(n + 20)", "desk.echo(n + 20)\ndesk.echo(n)\ndesk.echo(n)"] {
        let case = Case::parse(&format!("program p(desk: Desk) {{\nfor n in 1..10 {{\n{calls}\n}}\n}}"));
        let case = case.expect("a program");
        let [interpreted, translated] = [None, case.translation.as_ref()].map(|translation| {
            let (interrupt, caller) = (Arc::new(AtomicU32::new(0)), Caller::local());
            let env = Env {
                caller: &caller,
                interrupt: &AtomicU32::new(0),
                mode: Mode::Real,
                blocking: Blocking::Allowed,
            };
            let odd = Arc::new(Odd { interrupt, grant: OnceLock::new() });
            let portal = Capability::new(Arc::clone(&odd) as Arc<dyn Object>);
            odd.grant.set(portal.grant().clone()).expect("it is set once");
            let mut machine = Machine::new();
            machine.reset(&case.loaded, case.setting.budget);
            machine.set_portal(0, portal);
            let stop = match translation {
                Some(translation) => machine.advance_translated(translation, &env, Slice::UNLIMITED),
                None => machine.advance(&case.loaded, &env, Slice::UNLIMITED),
            };
            let entries: Vec<u64> =
                case.loaded.loops.iter().map(|of| machine.slots()[of.table.counter as usize]).collect();
            (stop, machine.pc(), machine.budget, machine.counts().to_vec(), entries)
        });
        assert_eq!(interpreted.0, Stop::Revoked);
        assert_eq!(interpreted, translated);
    }
}

#[test]
fn a_run_that_is_cancelled_before_a_loop_makes_no_call_of_it() {
    let case =
        Case::parse("program p(desk: Desk) {\nfor n in 1..10 {\ndesk.echo(n)\n}\n}").expect("a program");
    let [interpreted, translated] = [None, case.translation.as_ref()].map(|translation| {
        let (interrupt, caller) = (AtomicU32::new(CANCEL), Caller::local());
        let env =
            Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
        let mut machine = Machine::new();
        machine.reset(&case.loaded, case.setting.budget);
        let odd = Odd { interrupt: Arc::default(), grant: OnceLock::new() };
        machine.set_portal(0, Capability::new(Arc::new(odd)));
        let stop = match translation {
            Some(translation) => machine.advance_translated(translation, &env, Slice::UNLIMITED),
            None => machine.advance(&case.loaded, &env, Slice::UNLIMITED),
        };
        (stop, machine.pc(), machine.budget, machine.counts().to_vec())
    });
    assert_eq!((&interpreted.0, interpreted.3[0]), (&Stop::Cancelled, 0));
    assert_eq!(interpreted, translated);
}
