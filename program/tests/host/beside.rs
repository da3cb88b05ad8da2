//! Runs that are advanced beside their object, in a process that lies: whatever it answers, the server answers its client, and what it says
//! that was used is no less than what it was given. And in one that dies: what it did until then is known to the call.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::{Effect, InterfaceId, Module};
use carnet_portal::call::{Call, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_program::beside::{Beside, Found, Ledger, Lost, Program, Runner};
use carnet_program::host::Policy;
use carnet_program::limits::Limits;
use carnet_program::protocol::{Argument, End, Outcome, RunOptions, RunRequest};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::arrays::array;
use super::probe::{Fixture, MODULE, program};
use super::{request, run};

/// What becomes of an answer on its way.
type Lie = Box<dyn Fn(Vec<u8>) -> Vec<u8> + Send>;
/// The same of what it leaves when it dies.
type Lies = Box<dyn Fn(Found) -> Found + Send>;

/// A process with the object, as far as the server can see.
struct Process {
    runner: Mutex<Runner>,
    lie: Mutex<Lie>,
    ledger: Arc<Ledger>,
    watched: Arc<Watched>,
    /// What becomes of what it leaves.
    change: Mutex<Lies>,
    /// What it says when it ends.
    says: Mutex<Kind>,
}

/// The object where it is called: in its so many-th call, or behind the slice with that one, the process dies.
struct Watched {
    object: Arc<dyn Object>,
    ledger: Arc<Ledger>,
    calls: AtomicU64,
    dies_in: AtomicU64,
    dies_behind: AtomicU64,
    /// What is in its memory then.
    found: Mutex<Option<Found>>,
}

impl Object for Watched {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.object.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let dispatched = self.object.dispatch(op, call);
        if number == self.dies_in.load(Ordering::SeqCst) {
            *self.found.lock().expect("nobody panics with it") = Some(self.ledger.found());
        }
        dispatched
    }

    fn service(&self) -> &dyn Any {
        self.object.service()
    }
}

impl Watched {
    /// What is found if the process has died by now.
    fn died(&self) -> Option<Found> {
        let behind = self.dies_behind.load(Ordering::SeqCst);
        if behind > 0 && self.calls.load(Ordering::SeqCst) >= behind {
            return Some(self.ledger.found());
        }
        self.found.lock().expect("nobody panics with it").take()
    }

    /// A process of which nothing was called yet.
    fn dies(&self, within: u64, behind: u64) {
        self.calls.store(0, Ordering::SeqCst);
        self.dies_in.store(within, Ordering::SeqCst);
        self.dies_behind.store(behind, Ordering::SeqCst);
    }
}

impl Beside for Process {
    fn advance(&self, program: &Program<'_>, request: &[u8], interrupt: &AtomicU32) -> Result<Vec<u8>, Lost> {
        let mut runner = self.runner.lock().expect("nobody panics with it");
        self.ledger.empty();
        runner.take(program.bytes).expect("it was verified before");
        let answer = runner.advance(program.hash, request, interrupt, |_| false).expect("it is a request");
        if let Some(found) = self.watched.died() {
            let found = self.change.lock().expect("nobody panics with it")(found);
            let says = *self.says.lock().expect("nobody panics with it");
            return Err(Lost { failure: Failure::new(says, "it died"), found: Some(found) });
        }
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
    // A process that gives back the same again and again has so much time.
    lending_for(20_000_000)
}

fn lending_for(time_ns: u64) -> (Fixture, Arc<Process>) {
    let mut process = None;
    let limits = Limits { time_ns, ..Limits::default() };
    let fixture = Fixture::behind(Policy { limits, ..Policy::default() }, |root| {
        let object = Arc::clone(root.object());
        let (ledger, shared) = Ledger::create().expect("there is memory");
        let there = Ledger::accept(shared).expect("it is the same");
        let ledger = Arc::new(ledger);
        let watched = Arc::new(Watched {
            object: Arc::clone(&object),
            ledger: Arc::clone(&ledger),
            calls: AtomicU64::new(0),
            dies_in: AtomicU64::new(0),
            dies_behind: AtomicU64::new(0),
            found: Mutex::new(None),
        });
        let runner = Runner::new(&[&MODULE], Arc::clone(&watched) as _).written_down(there);
        let (runner, lie) = (Mutex::new(runner), Mutex::new(Box::new(|answer| answer) as Lie));
        let change = Mutex::new(Box::new(|found| found) as Lies);
        let says = Mutex::new(Kind::PeerDied);
        let made = Arc::new(Process { runner, lie, ledger, watched, change, says });
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

/// Calls of all kinds, some of which raise.
const WRITES: &str = "
program writes(p: Probe, n: int) -> int {
  var sum = p.get(1, 2, 3)
  var text: string(100)
  for k in 0 .. n limit 200 {
    sum += p.add(k)
    text += \"b\"
    sum += p.put(text, 0)
    try p.named(text) else { sum += 1 }
  }
  return sum
}";

/// Calls that took effect, as they are told.
fn took_effect(outcome: &Outcome) -> BTreeMap<String, u64> {
    outcome.calls.iter().map(|call| (call.operation.to_string(), call.took_effect())).collect()
}

/// In whichever call it dies: that one is in doubt if it writes, and all before are told, in counts, effects and charges.
#[test]
fn a_process_that_dies_in_a_call_is_accounted_for() {
    const CALLS: u64 = 1 + 3 * 60;
    let (fixture, process) = lending_for(60_000_000_000);
    let bytes = program(WRITES);
    let arguments = || vec![Argument::Portal(0), Argument::Scalar(60)];
    let whole = run(&fixture, &request(1, &bytes, arguments()));
    assert_eq!((&whole.end, whole.receipt.calls), (&End::Done, CALLS));
    let mut instructions = 0;
    for number in 1..=CALLS {
        process.watched.dies(number, 0);
        let outcome = run(&fixture, &request(1 + u128::from(number), &bytes, arguments()));
        let (round, which) = ((number + 1) / 3, (number + 1) % 3);
        let call = outcome.call.as_ref().expect("it is known which");
        assert!(!call.interrupted && outcome.kept.is_none() && outcome.result.is_none());
        let (name, argument) = match (number, which) {
            (1, _) => ("Probe.get", "1".to_owned()),
            (_, 0) => ("Probe.add", (round - 1).to_string()),
            (_, 1) => ("Probe.put", format!("\"{}\"", "b".repeat(round as usize))),
            _ => ("Probe.named", format!("\"{}\"", "b".repeat(round as usize))),
        };
        assert_eq!((&call.operation[..], &call.arguments[0].1), (name, &argument), "{number}");
        let died = "it died".to_owned();
        let end = match name {
            "Probe.add" | "Probe.put" => End::CallInDoubt { message: died },
            _ => End::CallFailed { message: died, raised: false },
        };
        assert_eq!(outcome.end, end, "{number}");
        let receipt = outcome.receipt;
        let (adds, puts) = ((number + 1) / 3, number / 3);
        assert_eq!((receipt.calls, receipt.writes), (number, adds + puts), "{number}");
        assert!(receipt.instructions > instructions && receipt.instructions < whole.receipt.instructions);
        instructions = receipt.instructions;
        let told = took_effect(&outcome);
        let of = |name: &str| told.get(name).copied().unwrap_or(0);
        let before = |all: u64, is_it: bool| all - u64::from(is_it);
        assert_eq!(of("add"), before(adds, name == "Probe.add"), "{number}");
        assert_eq!(of("put"), before(puts, name == "Probe.put"), "{number}");
        assert_eq!((of("get"), of("named")), (u64::from(number > 1), 0), "{number}");
    }
    // Each byte of a text that is sent counts as written, also with the call that is in doubt.
    process.watched.dies(CALLS, 0);
    let last = run(&fixture, &request(1_000, &bytes, arguments()));
    assert_eq!(last.receipt.written, whole.receipt.written);
}

/// So of a call array, in the middle of a repeat.
#[test]
fn a_process_that_dies_in_a_repeat_is_accounted_for() {
    let (fixture, process) = lending_for(60_000_000_000);
    let bytes = array(
        "array adds(p: Probe) -> list(int, 6) {
  message first: Probe.set(n: 7)
  message m[6]: Probe.add(n: 10 step 1)
  call p with first
  repeat 6 { call p with m }
  return m.value
}",
    );
    for number in 1..=7_u64 {
        process.watched.dies(number, 0);
        let outcome = run(&fixture, &request(u128::from(number), &bytes, vec![Argument::Portal(0)]));
        assert_eq!(outcome.end, End::CallInDoubt { message: "it died".to_owned() }, "{number}");
        let call = outcome.call.as_ref().expect("it is known which");
        let (name, line, n) = if number == 1 { ("Probe.set", 5, 7) } else { ("Probe.add", 6, 8 + number) };
        assert_eq!((&call.operation[..], outcome.pos.line), (name, line), "{number}");
        assert_eq!(call.arguments, [("n".to_owned(), n.to_string())], "{number}");
        assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (number, number));
        assert_eq!(took_effect(&outcome).values().sum::<u64>(), number - 1);
    }
}

/// Of a dry run nothing can be in doubt.
#[test]
fn a_process_that_dies_in_a_dry_run_leaves_no_doubt() {
    let (fixture, process) = lending_for(60_000_000_000);
    let bytes = program(WRITES);
    // Reads alone are made: the first one, and one in each round.
    process.watched.dies(3, 0);
    let options = RunOptions { dry: true, ..RunOptions::default() };
    let arguments = vec![Argument::Portal(0), Argument::Scalar(60)];
    let outcome = run(&fixture, &RunRequest { options, ..request(1, &bytes, arguments) });
    assert_eq!(outcome.end, End::CallFailed { message: "it died".to_owned(), raised: false });
    assert_eq!((outcome.receipt.calls, outcome.receipt.writes, outcome.receipt.written), (7, 4, 0));
    assert_eq!(fixture.probe.writes(), 0);
}

/// Whatever it says that it did: what it had written down is told, and the run does not go on as if nothing was done.
#[test]
fn a_process_that_says_it_did_nothing_is_held_against_what_it_wrote_down() {
    let (fixture, process) = lending_for(60_000_000_000);
    let bytes = program(&WRITES.replace("p.put(text, 0)", "p.set(k)"));
    for (at, kind) in
        [Kind::Unreachable, Kind::Refused, Kind::Service, Kind::BadArgument].into_iter().enumerate()
    {
        *process.says.lock().expect("nobody panics with it") = kind;
        process.watched.dies(0, 70);
        let before = fixture.probe.writes();
        let arguments = vec![Argument::Portal(0), Argument::Scalar(60)];
        let named = RunRequest { name: "lies", ..request(1 + at as u128, &bytes, arguments) };
        let outcome = run(&fixture, &named);
        let message = "it died, from a process that had made calls by then".to_owned();
        assert_eq!(outcome.end, End::CallFailed { message, raised: false }, "{kind:?}");
        assert!(outcome.kept.is_none());
        assert_eq!(outcome.receipt.calls, process.watched.calls.load(Ordering::SeqCst));
        let writes = outcome.calls.iter().filter(|call| call.effect == Effect::Writes);
        let told: u64 = writes.map(|call| call.took_effect()).sum();
        assert_eq!(told, fixture.probe.writes() - before);
    }
}

/// Between two calls nothing is in doubt, and nothing is missing.
#[test]
fn a_process_that_dies_between_calls_leaves_no_doubt() {
    let (fixture, process) = lending_for(60_000_000_000);
    // Without a call that may wait the first calls are a slice of their own.
    let bytes = program(&WRITES.replace("p.put(text, 0)", "p.set(k)"));
    for behind in [1, 50, 70, 150] {
        process.watched.dies(0, behind);
        let before = fixture.probe.writes();
        let arguments = vec![Argument::Portal(0), Argument::Scalar(60)];
        let outcome = run(&fixture, &request(u128::from(behind), &bytes, arguments));
        assert_eq!(outcome.end, End::CallFailed { message: "it died".to_owned(), raised: false });
        assert!(outcome.call.is_none() && outcome.kept.is_none());
        assert_eq!(outcome.receipt.calls, process.watched.calls.load(Ordering::SeqCst));
        let writes = outcome.calls.iter().filter(|call| call.effect == Effect::Writes);
        let told: u64 = writes.map(|call| call.took_effect()).sum();
        assert_eq!(told, fixture.probe.writes() - before);
    }
}

/// Whatever a process has left there, no more is believed than the run could have done, and no less than was known.
fn any_ledgers(cases: u32) {
    let (fixture, process) = lending_for(60_000_000_000);
    let bytes = program(&WRITES.replace("p.put(text, 0)", "p.set(k)"));
    let ids = AtomicU64::new(1);
    let all = (1_u64..180, proptest::collection::vec((any::<u16>(), any::<u64>(), 0_u8..3), 0..4));
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let ran = runner.run(&all, |(number, changes)| {
        process.watched.dies(number, 0);
        *process.change.lock().expect("nobody panics with it") = Box::new(move |found| {
            let mut bytes = found.bytes().to_vec();
            for (part, word, how) in &changes {
                // Most of what is looked at is in the first two pages.
                let len = if *how == 0 { bytes.len() } else { 2_048 } / 8;
                let at = ((usize::from(*part) * len) >> 16) * 8;
                let word = if *how == 2 { word % 300 } else { *word };
                bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
            }
            Found::of(bytes)
        });
        let id = u128::from(ids.fetch_add(1, Ordering::SeqCst));
        let arguments = vec![Argument::Portal(0), Argument::Scalar(60)];
        let outcome = run(&fixture, &request(id, &bytes, arguments));
        let is_told = matches!(outcome.end, End::CallFailed { .. } | End::CallInDoubt { .. });
        prop_assert!(is_told, "{:?}", outcome.end);
        // The first slice has 64 calls, and all others are in the second.
        let known = if number > 64 { 64 } else { 0 };
        prop_assert!(
            (known..=known + 2_000).contains(&outcome.receipt.calls),
            "{number}: {:?}",
            outcome.receipt
        );
        prop_assert!(outcome.receipt.writes <= outcome.receipt.calls);
        Ok(())
    });
    ran.expect("what it left is looked at before it is believed");
}

#[test]
fn whatever_the_process_has_left_is_looked_at() {
    any_ledgers(200);
}

#[test]
#[ignore = "long: verify-long runs it"]
fn whatever_the_process_has_left_is_looked_at_for_long() {
    any_ledgers(10_000);
}
