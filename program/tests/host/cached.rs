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
use carnet_program::protocol::{Argument, End, Engine, Refusal, RunId, RunOptions, RunProgram, RunRequest};
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
    assert_eq!(fixture.client().status().expect("the server answers").translated, 1);
}

#[test]
fn machine_code_that_cannot_be_made_is_refused_and_nothing_is_run() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(SPINS);
    let refused = run(&fixture, &with(Engine::Native, 1, &bytes));
    assert_eq!(refused.end, End::Refused(Refusal::NoMachineCode("this server makes none".to_owned())));
    let Some(fixture) = translating(Policy::default()) else { return };
    let long = program(&format!("program l(p: Probe) {{ {} }}", "p.add(1)\n".repeat(9_000)));
    let refused = run(&fixture, &with(Engine::Native, 1, &long)).end;
    let End::Refused(Refusal::NoMachineCode(why)) = refused else { panic!("{refused:?}") };
    assert!(why.contains("at most 8192 are translated"), "{why}");
    assert_eq!(fixture.probe.writes(), 0);
    assert_eq!(run(&fixture, &with(Engine::Bytecode, 2, &long)).end, End::Done);
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
    let refused = run(&fixture, &with(Engine::Native, 7, &programs[0])).end;
    let End::Refused(Refusal::NoMachineCode(why)) = refused else { panic!("{refused:?}") };
    assert!(why.starts_with("the translator broke off"), "{why}");
}

/// Makes nothing until it is told to.
struct Slow(Mutex<Receiver<()>>);

impl Translate for Slow {
    fn translate(&mut self, _: &Arc<Loaded>) -> Result<Translation, String> {
        let told = self.0.lock().expect("nobody panics").recv_timeout(Duration::from_secs(30));
        Err(told.map_or("nobody told it to", |()| "it was told to").to_owned())
    }
}

#[test]
fn a_run_that_waits_for_its_code_is_cancelled_and_holds_nobody_up() {
    let fixture = Fixture::new(Policy::default());
    let (tell, told) = sync_channel(1);
    fixture.programs.translate_with(Box::new(Slow(Mutex::new(told))));
    let client = fixture.client();
    let root = client.transport().root();
    let bytes = program(SPINS);
    let waiting = client.start(&with(Engine::Native, 1, &bytes), &[&root]).expect("it is sent");
    let queued = client.start(&with(Engine::Native, 2, &bytes), &[&root]).expect("it is sent");
    assert_eq!(
        client.run(&with(Engine::Any, 3, &bytes), &[&root]).expect("the server answers").end,
        End::Done
    );
    assert!(client.cancel(RunId(1)).expect("the server answers"));
    assert_eq!(waiting.wait(&mut |_| {}).expect("the server answers").end, End::Cancelled);
    tell.send(()).expect("it waits");
    let refused = queued.wait(&mut |_| {}).expect("the server answers").end;
    assert_eq!(refused, End::Refused(Refusal::NoMachineCode("it was told to".to_owned())));
    assert_eq!(fixture.probe.writes(), 1);
}

#[test]
fn programs_that_wait_for_their_code_are_bounded() {
    let policy = Policy { runs_max: 200, runs_per_principal_max: 200, ..Policy::default() };
    let fixture = Fixture::new(policy);
    let (tell, told) = sync_channel(1);
    fixture.programs.translate_with(Box::new(Slow(Mutex::new(told))));
    let clients = [(); 4].map(|()| fixture.client());
    let client = &clients[0];
    let start = |id: u128| {
        let client = &clients[id as usize % clients.len()];
        let root = client.transport().root();
        let bytes = program(&SPINS.replace("p.add(1)", &format!("p.add({id})")));
        client.start(&with(Engine::Native, id, &bytes), &[&root]).expect("it is sent")
    };
    // One is being translated, 64 wait, and each of the others is told at once.
    let running: Vec<_> = (1..=100).map(start).collect();
    wait_until(|| client.status().expect("the server answers").running == 65);
    for id in 1..=100 {
        client.cancel(RunId(id)).expect("the server answers");
    }
    let ends = running.into_iter().map(|running| running.wait(&mut |_| {}).expect("the server answers").end);
    let (cancelled, refused): (Vec<End>, Vec<End>) = ends.partition(|end| *end == End::Cancelled);
    let too_many = "as many programs wait to be translated as may".to_owned();
    assert_eq!(cancelled.len(), 65);
    assert_eq!(refused, vec![End::Refused(Refusal::NoMachineCode(too_many)); 35]);
    drop(tell);
}
