//! Runs that are advanced beside their object, in a process that lies: whatever it answers, the server answers its client, and what it says
//! that was used is no less than what it was given.

use std::any::Any;
use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Call, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_program::beside::{Beside, Program, Runner};
use carnet_program::host::Policy;
use carnet_program::limits::Limits;
use carnet_program::protocol::{Argument, End};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::probe::{Fixture, MODULE, program};
use super::{request, run};

/// What becomes of an answer on its way.
type Lie = Box<dyn Fn(Vec<u8>) -> Vec<u8> + Send>;

/// A process with the object, as far as the server can see.
struct Process {
    runner: Mutex<Runner>,
    lie: Mutex<Lie>,
}

impl Beside for Process {
    fn advance(
        &self,
        program: &Program<'_>,
        request: &[u8],
        interrupt: &AtomicU32,
    ) -> Result<Vec<u8>, Failure> {
        let mut runner = self.runner.lock().expect("nobody panics with it");
        runner.take(program.bytes).expect("it was verified before");
        let answer = runner.advance(program.hash, request, interrupt, |_| false).expect("it is a request");
        Ok(self.lie.lock().expect("nobody panics with it")(answer))
    }
}

/// An object whose calls are made there.
struct Lending {
    object: Arc<dyn Object>,
    process: Arc<Process>,
}

impl Object for Lending {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        self.object.dispatch(op, call)
    }

    fn lend(&self, place: &mut dyn Any) {
        if let Some(place) = place.downcast_mut::<Option<Arc<dyn Beside>>>() {
            *place = Some(Arc::clone(&self.process) as Arc<dyn Beside>);
        }
    }

    fn service(&self) -> &dyn Any {
        self.object.service()
    }
}

/// A server of this, and its process.
fn lending() -> (Fixture, Arc<Process>) {
    let mut process = None;
    // A process that gives back the same again and again has so much time.
    let limits = Limits { time_ns: 20_000_000, ..Limits::default() };
    let fixture = Fixture::behind(Policy { limits, ..Policy::default() }, |root| {
        let object = Arc::clone(root.object());
        let runner = Mutex::new(Runner::new(&[&MODULE], Arc::clone(&object)));
        let made = Arc::new(Process { runner, lie: Mutex::new(Box::new(|answer| answer)) });
        process = Some(Arc::clone(&made));
        Capability::new(Arc::new(Lending { object, process: made }))
    });
    (fixture, process.expect("it was made"))
}

/// Every kind of variable and result, and as many calls as take several slices.
const SOURCES: [&str; 3] = [
    "
record Seen { name: string, n: int }
program lists(p: Probe, n: int) -> list(Seen, 50) {
  var seen: list(Seen, 50)
  var text: string(100)
  for k in 0 .. n limit 100 {
    text += \"a\"
    p.set(k)
    if seen.len < 40 { seen.add(Seen(name: text, n: p.get(k, 1, 2))) }
  }
  return seen
}",
    "
program texts(p: Probe, n: int) -> string(200) {
  var text: string(200) = \"x\"
  for k in 0 .. n limit 100 {
    p.add(k)
    p.set(k)
    if text.len < 100 { text += text }
  }
  return text
}",
    "
program fails(p: Probe, n: int) -> int {
  var sum = 0
  for k in 0 .. n limit 100 { sum += p.add(k) }
  if sum > 10 { fail \"more than there should be\" }
  p.put(\"text\", sum)
  return sum
}",
];

/// A change of an answer: a place, as a part of its length, and what is there.
#[derive(Clone, Debug)]
enum Change {
    Byte(u16, u8),
    Word(u16, u64),
    Cut(u16),
    Longer(u8),
    First(u8, u32),
}

impl Change {
    fn make(&self, answer: &mut Vec<u8>) {
        let place = |part: u16| (usize::from(part) * answer.len()) >> 16;
        match *self {
            Change::Byte(part, byte) => {
                let at = place(part);
                answer.get_mut(at).into_iter().for_each(|place| *place = byte);
            }
            // Of what an answer has most there are words; where one begins is not known here.
            Change::Word(part, word) => {
                let at = place(part);
                if let Some(place) = answer.get_mut(at..at + 8) {
                    place.copy_from_slice(&word.to_le_bytes());
                }
            }
            Change::Cut(part) => answer.truncate(place(part)),
            Change::Longer(more) => answer.extend((0..more).map(|k| k.wrapping_mul(37))),
            // How it stopped.
            Change::First(kind, number) => {
                let stop = [&[kind][..], &number.to_le_bytes()].concat();
                answer.splice(..stop.len().min(answer.len()), stop);
            }
        }
    }
}

fn change() -> impl Strategy<Value = Change> {
    let large = prop_oneof![Just(u64::MAX), Just(1 << 63), Just(1 << 32), 0_u64..300, any::<u64>()];
    prop_oneof![
        4 => (any::<u16>(), any::<u8>()).prop_map(|(part, byte)| Change::Byte(part, byte)),
        4 => (any::<u16>(), large).prop_map(|(part, word)| Change::Word(part, word)),
        1 => any::<u16>().prop_map(Change::Cut),
        1 => any::<u8>().prop_map(Change::Longer),
        2 => (0_u8..10, prop_oneof![0_u32..40, 65_000_u32..65_537, any::<u32>()])
            .prop_map(|(kind, number)| Change::First(kind, number)),
    ]
}

fn any_answers(cases: u32) {
    let (fixture, process) = lending();
    // The second argument of `put` may be one that waits.
    fixture.probe.let_go();
    let programs = SOURCES.map(program);
    let ids = AtomicU64::new(1);
    let panics = Arc::new(AtomicU64::new(0));
    let (counted, before) = (Arc::clone(&panics), take_hook());
    set_hook(Box::new(move |info| {
        // Services of other tests panic because they were asked to.
        let is_ours = info.location().is_some_and(|place| !place.file().contains("tests/"));
        counted.fetch_add(u64::from(is_ours), Ordering::SeqCst);
        before(info);
    }));
    let all = (0..programs.len(), 0_i64..90, proptest::collection::vec(change(), 1..4), 0_u32..4);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let ran = runner.run(&all, |(which, n, changes, from)| {
        let slices = AtomicU32::new(0);
        *process.lie.lock().expect("nobody panics with it") = Box::new(move |mut answer| {
            if slices.fetch_add(1, Ordering::SeqCst) >= from {
                changes.iter().for_each(|change| change.make(&mut answer));
            }
            answer
        });
        let id = u128::from(ids.fetch_add(1, Ordering::SeqCst));
        let arguments = vec![Argument::Portal(0), Argument::Scalar(n)];
        let outcome = run(&fixture, &request(id, &programs[which], arguments));
        prop_assert_eq!(panics.load(Ordering::SeqCst), 0, "nothing panics: {:?}", outcome.end);
        prop_assert!(outcome.receipt.calls <= 1_000_000, "{:?}", outcome.receipt);
        Ok(())
    });
    drop(take_hook());
    ran.expect("every answer is looked at before it is used");
    *process.lie.lock().expect("nobody panics with it") = Box::new(|answer| answer);
    // The time that the server gives is short, and can be over sooner on a busy machine.
    let mut honest = (0..100_u128).map(|at| {
        let arguments = vec![Argument::Portal(0), Argument::Scalar(90)];
        run(&fixture, &request(u128::MAX - at, &programs[0], arguments))
    });
    let honest = honest.find(|outcome| !matches!(outcome.end, End::Limit { .. }));
    let honest = honest.map(|outcome| (outcome.end, outcome.receipt.calls));
    assert_eq!(honest, Some((End::Done, 130)));
}

#[test]
fn whatever_the_process_answers_is_looked_at() {
    any_answers(150);
}

#[test]
#[ignore = "long: verify-long runs it"]
fn whatever_the_process_answers_is_looked_at_for_long() {
    any_answers(10_000);
}
