//! Programs that the server has in its cache: named by their hash, and translated when they run much.

use std::cell::Cell;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use carnet_codegen::Translator;
use carnet_program::bill::hash;
use carnet_program::host::{Confirm, Policy, Translate};
use carnet_program::interp::Translation;
use carnet_program::limits::{LimitKind, Limits};
use carnet_program::protocol::{
    Argument, End, Engine, Refusal, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest,
};
use carnet_program::text::hex;
use carnet_program::verify::Loaded;

use super::probe::{Fixture, program, wait_until};
use super::{COUNT, int, on_root, request, run};

fn counting(id: u128, program: RunProgram<'_>) -> RunRequest<'_> {
    let arguments = vec![Argument::Portal(0), Argument::Scalar(4)];
    RunRequest { program, ..request(id, &[], arguments) }
}

#[test]
fn a_program_is_run_by_its_hash_once_it_was_sent() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let hash = hash(&bytes);
    let unknown = run(&fixture, &counting(1, RunProgram::Hash(&hash)));
    assert_eq!(unknown.end, End::Refused(Refusal::NotCached));
    assert_eq!(fixture.probe.writes(), 0, "nothing was run");
    // Its identity was not taken; whoever has the bytecode too needs to do nothing.
    let healed = run(&fixture, &counting(1, RunProgram::Cached { hash: &hash, bytes: &bytes }));
    assert_eq!((&healed.end, int(&healed)), (&End::Done, 6));
    for id in 2..4 {
        let cached = run(&fixture, &counting(id, RunProgram::Hash(&hash)));
        assert_eq!((cached.end, cached.result), (End::Done, healed.result.clone()));
    }
    assert_eq!(fixture.probe.writes(), 12);
    let status = fixture.client().status().expect("the server answers");
    assert_eq!((status.cached, status.refused), (1, 0));
}

/// Also one that is waited for in pieces, and a bill.
#[test]
fn a_client_heals_a_miss_by_itself() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    let root = client.transport().root();
    let bytes = program(COUNT);
    let hash = hash(&bytes);
    let started = counting(1, RunProgram::Cached { hash: &hash, bytes: &bytes });
    let outcome = client.start(&started, &[&root]).expect("it is sent").wait(&mut |_| {});
    assert_eq!(outcome.expect("the server answers").end, End::Done);
    let other = program(&COUNT.replace("n: int = 5", "n: int = 6"));
    let other_hash = carnet_program::bill::hash(&other);
    let asked = RunProgram::Cached { hash: &other_hash, bytes: &other };
    let billed = client.bill(&counting(2, asked)).expect("the server answers");
    assert_eq!((billed.bill.map(|bill| bill.hash), billed.refusal), (Ok(other_hash), None));
    let missed = client.bill(&counting(2, RunProgram::Hash(&[7; 32]))).expect("the server answers");
    assert_eq!(missed.refusal, Some(Refusal::NotCached));
}

/// However the program was named, it is the same run.
#[test]
fn a_run_is_the_same_whether_its_program_was_sent_or_named() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let hash = hash(&bytes);
    let first = run(&fixture, &counting(1, (&bytes).into()));
    assert_eq!(run(&fixture, &counting(1, RunProgram::Hash(&hash))), first);
    assert_eq!(fixture.probe.writes(), 4);
    let other = program(&COUNT.replace("sum += p.add(i)", "sum += p.add(i) + 1"));
    assert_eq!(run(&fixture, &counting(1, (&other).into())).end, End::Refused(Refusal::IdentityUsed));
}

#[test]
fn an_approval_is_for_the_program_however_it_is_named() {
    let fixture = Fixture::new(Policy { confirm: Confirm::Writes, ..Policy::default() });
    let bytes = program(COUNT);
    let hash = hash(&bytes);
    let refused = run(&fixture, &counting(1, (&bytes).into())).end;
    let End::Refused(Refusal::NotApproved { approval, .. }) = refused else { panic!("{refused:?}") };
    let named = counting(1, RunProgram::Hash(&hash));
    assert!(matches!(run(&fixture, &named).end, End::Refused(Refusal::NotApproved { .. })));
    let digits = hex(&approval);
    assert_eq!(run(&fixture, &RunRequest { approval: &digits, ..named }).end, End::Done);
}

/// What is rejected, or not cached, is not there for anybody.
#[test]
fn what_was_rejected_has_no_hash_to_be_run_by() {
    let fixture = Fixture::new(Policy::default());
    let damaged = [&program(COUNT)[..], b"x"].concat();
    assert!(matches!(run(&fixture, &counting(1, (&damaged).into())).end, End::Rejected(_)));
    let named = run(&fixture, &counting(1, RunProgram::Hash(&hash(&damaged))));
    assert_eq!(named.end, End::Refused(Refusal::NotCached));
    let none = Fixture::new(Policy { cached_max: 0, ..Policy::default() });
    let bytes = program(COUNT);
    let hash = hash(&bytes);
    for id in 1..3 {
        let healed = counting(id, RunProgram::Cached { hash: &hash, bytes: &bytes });
        assert_eq!(run(&none, &healed).end, End::Done);
    }
}

const SPINS: &str = "
program spins(p: Probe) -> int {
  var sum = 0
  for i in 0 .. 20_000 limit 20_000 {
    sum += i * i
  }
  return sum + p.add(1)
}";

fn with(engine: Engine, id: u128, program: &[u8]) -> RunRequest<'_> {
    RunRequest { options: RunOptions { engine, ..RunOptions::default() }, ..on_root(id, program) }
}

fn translating(policy: Policy) -> Option<Fixture> {
    let translator = Translator::new().ok()?;
    let fixture = Fixture::new(policy);
    fixture.programs.translate_with(Box::new(translator));
    Some(fixture)
}

#[test]
fn a_program_that_runs_much_is_translated_and_does_the_same() {
    let Some(fixture) = translating(Policy { translated_after: 20_000, ..Policy::default() }) else { return };
    let bytes = program(SPINS);
    let translated = || fixture.client().status().expect("the server answers").translated;
    let id = Cell::new(0);
    let next = || {
        id.set(id.get() + 1);
        let mut outcome = run(&fixture, &on_root(id.get(), &bytes));
        assert_eq!(outcome.end, End::Done);
        outcome.receipt.time_ns = 0;
        outcome
    };
    let first = next();
    assert_eq!(translated(), 0, "it has not run enough");
    wait_until(|| {
        assert_eq!(next(), first);
        translated() == 1
    });
    assert_eq!(next(), first);
}

/// The bound is told alike, too.
#[test]
fn each_engine_stops_where_the_others_do() {
    let limits = Limits { instructions: 50_000, ..Limits::default() };
    let Some(fixture) = translating(Policy { limits, ..Policy::default() }) else { return };
    let bytes = program(SPINS);
    let outcomes = [Engine::Any, Engine::Bytecode, Engine::Native].map(|engine| {
        let mut outcome = run(&fixture, &with(engine, engine as u128, &bytes));
        assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Instructions, .. }));
        outcome.receipt.time_ns = 0;
        outcome
    });
    assert_eq!(outcomes[0], outcomes[1]);
    assert_eq!(outcomes[0], outcomes[2]);
    wait_until(|| fixture.client().status().expect("the server answers").translated == 1);
}

/// On a server that makes none, and of a program that is too long for it.
#[test]
fn without_machine_code_a_program_is_interpreted() {
    let fixture = Fixture::new(Policy::default());
    assert_eq!(run(&fixture, &with(Engine::Native, 1, &program(SPINS))).end, End::Done);
    let Some(fixture) = translating(Policy::default()) else { return };
    let long = program(&format!("program l(p: Probe) {{ {} }}", "p.add(1)\n".repeat(9_000)));
    assert_eq!(run(&fixture, &with(Engine::Native, 1, &long)).end, End::Done);
    let status = fixture.client().status().expect("the server answers");
    assert_eq!((fixture.probe.writes(), status.translated), (9_000, 0));
}

/// The rest of a run is not lost because of an engine that is not there.
#[test]
fn a_run_that_stopped_goes_on_without_machine_code() {
    let limits = Limits { calls: 2, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..Policy::default() });
    let client = fixture.client();
    let root = client.transport().root();
    let bytes = program(COUNT);
    let named = RunRequest { name: "mine", ..counting(1, (&bytes).into()) };
    let first = client.run(&named, &[&root]).expect("the server answers");
    let stop = first.kept.expect("it can go on").stop;
    let options = RunOptions { engine: Engine::Native, ..RunOptions::default() };
    let request = ResumeRequest { options, ..ResumeRequest::new(RunId(1), stop) };
    let outcome = client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers");
    assert_eq!((outcome.end, fixture.probe.writes()), (End::Done, 4));
}

struct Broken;

impl Translate for Broken {
    fn translate(&mut self, _: &Arc<Loaded>) -> Result<Translation, String> {
        panic!("as the test asked it to");
    }
}

#[test]
fn a_translator_that_breaks_off_harms_no_run() {
    let fixture = Fixture::new(Policy { translated_after: 0, ..Policy::default() });
    fixture.programs.translate_with(Box::new(Broken));
    let programs = [program(SPINS), program(&SPINS.replace("p.add(1)", "p.add(2)"))];
    let mut id = 0;
    for bytes in programs.iter().cycle().take(6) {
        id += 1;
        assert_eq!(run(&fixture, &on_root(id, bytes)).end, End::Done);
    }
    assert_eq!(run(&fixture, &with(Engine::Native, 7, &programs[0])).end, End::Done);
}

/// Makes nothing until it is told to.
struct Slow(Mutex<Receiver<()>>);

impl Translate for Slow {
    fn translate(&mut self, _: &Arc<Loaded>) -> Result<Translation, String> {
        let told = self.0.lock().expect("nobody panics").recv_timeout(Duration::from_secs(60));
        Err(told.map_or("nobody told it to", |()| "it was told to").to_owned())
    }
}

/// More of them than may wait in line.
#[test]
fn runs_do_not_wait_long_for_their_code() {
    let policy = Policy { runs_max: 200, runs_per_principal_max: 200, ..Policy::default() };
    let fixture = Fixture::new(policy);
    let (tell, told) = sync_channel(1);
    fixture.programs.translate_with(Box::new(Slow(Mutex::new(told))));
    let clients = [(); 4].map(|()| fixture.client());
    let start = |id: u128| {
        let client = &clients[id as usize % clients.len()];
        let root = client.transport().root();
        let bytes = program(&SPINS.replace("p.add(1)", &format!("p.add({id})")));
        client.start(&with(Engine::Native, id, &bytes), &[&root]).expect("it is sent")
    };
    let running: Vec<_> = (1..=100).map(start).collect();
    for running in running {
        assert_eq!(running.wait(&mut |_| {}).expect("the server answers").end, End::Done);
    }
    drop(tell);
}
