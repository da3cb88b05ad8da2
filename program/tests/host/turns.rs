//! More runs that compute than there are processors: each gives way in the middle of what it does and goes on there, in every
//! engine, and what comes of it is what comes of it alone.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use carnet_codegen::Translator;
use carnet_program::client::Client;
use carnet_program::host::{Policy, Trees};
use carnet_program::limits::Limits;
use carnet_program::protocol::{Argument, End, Engine, Outcome, RunOptions, RunProgram, RunRequest};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use super::arrays::array;
use super::probe::{Fixture, program};
use super::{request, trees};

/// What runs spend their time with: arithmetic, texts, lists that are sorted, calls, calls that fail into handlers, and writes. Each
/// calls `stall` once, when it is a little on its way.
const SOURCES: [&str; 6] = [
    "sum = (sum * 31 + i) % 1_000_003",
    "var text: string(300) = \"x\"
    for k in 0 .. 8 { text += text }
    if text != \"xy\" { sum += text.len }",
    "var l: list(R, 64)
    for k in 0 .. 64 { l.add(R(key: k * 37 % 64)) }
    sort l by key
    for r in l { sum = (sum * 3 + r.key) % 1_000_003 }",
    "sum = (sum * 31 + p.get(i, 2, 3)) % 1_000_003",
    "try p.named(\"nobody\") else { sum = (sum * 31 + i) % 1_000_003 }",
    "sum = (sum * 31 + p.add(i)) % 1_000_003",
];

fn source(body: &str) -> String {
    format!(
        "record R {{ key: int }}
program r(p: Probe, n: int) -> int {{
  var sum = 0
  for i in 0 .. n limit 100_000_000 {{
    if i == n / 16 {{ p.stall(0) }}
    {body}
  }}
  return sum
}}"
    )
}

/// The most calls that fit into one.
const ARRAY: &str = "array r(p: Probe) -> int {
  message early: Probe.stall(n: 0)
  message m: Probe.add(n: 1)
  repeat 4000 { call p with m }
  call p with early
  repeat 58000 { call p with m }
  return m.value
}";

fn policy() -> Policy {
    let most = u64::from(u32::MAX);
    let limits = Limits { instructions: 1 << 50, calls: most, writes: most, ..Limits::default() };
    Policy { limits, trees: Trees::Taken, runs_max: 200, runs_per_principal_max: 200, ..Policy::default() }
}

/// A program, how it is sent, how often it goes round, and what came of it alone.
struct Kind {
    sent: Vec<u8>,
    engine: Engine,
    rounds: Option<Cell<i64>>,
    alone: Cell<Option<Outcome>>,
}

impl Kind {
    fn new(body: &str, engine: Engine) -> Kind {
        let text = source(body);
        let sent = if engine == Engine::Tree { trees::tree(&text).encode() } else { program(&text) };
        Kind { sent, engine, rounds: Some(Cell::new(64)), alone: Cell::new(None) }
    }

    /// A call array goes round as often as it says.
    fn array() -> Kind {
        Kind { sent: array(ARRAY), engine: Engine::Any, rounds: None, alone: Cell::new(None) }
    }

    fn request(&self, id: u128) -> RunRequest<'_> {
        let options = RunOptions { engine: self.engine, ..RunOptions::default() };
        let program = match self.engine {
            Engine::Tree => RunProgram::Tree(&self.sent),
            _ => RunProgram::Whole(&self.sent),
        };
        let rounds = self.rounds.as_ref().map(|rounds| Argument::Scalar(rounds.get()));
        let arguments = [Argument::Portal(0)].into_iter().chain(rounds).collect();
        RunRequest { options, program, ..request(id, &[], arguments) }
    }

    /// Runs it alone, as often round as take some turns.
    fn measure(&self, client: &Client, ids: &mut impl Iterator<Item = u128>) {
        const LONG_NS: u64 = 60_000_000;
        let root = client.transport().root();
        let mut run = || {
            let id = ids.next().expect("there are enough");
            let outcome = client.run(&self.request(id), &[&root]).expect("the server answers");
            assert_eq!(outcome.end, End::Done);
            outcome
        };
        // The first one may wait for its machine code.
        run();
        loop {
            let outcome = run();
            match &self.rounds {
                Some(rounds) if outcome.receipt.time_ns < LONG_NS => rounds.set(rounds.get() * 2),
                _ => return self.alone.set(Some(outcome)),
            }
        }
    }
}

/// What is the same whenever a run is made.
fn lasting(mut outcome: Outcome) -> Outcome {
    outcome.receipt.time_ns = 0;
    outcome
}

/// All at once, each by a client of its own; how many were on their way when the first one ended.
fn take_turns(fixture: &Fixture, kinds: &[Kind], ids: &mut impl Iterator<Item = u128>) -> usize {
    let client = fixture.client();
    kinds.iter().for_each(|kind| kind.measure(&client, ids));
    let before = fixture.probe.threads().len();
    let writes_before = fixture.probe.writes();
    let begun_at_first_end = AtomicUsize::new(usize::MAX);
    let clients: Vec<Client> = kinds.iter().map(|_| fixture.client()).collect();
    let roots: Vec<_> = clients.iter().map(|client| client.transport().root()).collect();
    let started = kinds.iter().zip(&clients).zip(&roots).map(|((kind, client), root)| {
        let id = ids.next().expect("there are enough");
        client.start(&kind.request(id), &[root]).expect("it is sent")
    });
    let started: Vec<_> = started.collect();
    let together: Vec<Outcome> = thread::scope(|scope| {
        let waits = started.into_iter().map(|running| {
            scope.spawn(|| {
                let outcome = running.wait(&mut |_| {}).expect("the server answers");
                begun_at_first_end.fetch_min(fixture.probe.threads().len() - before, Ordering::SeqCst);
                outcome
            })
        });
        let waits: Vec<_> = waits.collect();
        waits.into_iter().map(|wait| wait.join().expect("nobody panics")).collect()
    });
    let mut writes = 0;
    for (kind, outcome) in kinds.iter().zip(together) {
        let alone = kind.alone.take().expect("it was run alone");
        writes += alone.receipt.writes;
        assert_eq!(lasting(outcome), lasting(alone), "{:?}, {:?} rounds", kind.engine, kind.rounds);
    }
    assert_eq!(fixture.probe.writes() - writes_before, writes);
    begun_at_first_end.into_inner()
}

/// From now on this thread, and what it starts, has two processors at most.
fn have_two_processors() {
    let all = sched_getaffinity(None).expect("it can be asked");
    let mut two = CpuSet::new();
    (0..CpuSet::MAX_CPU).filter(|cpu| all.is_set(*cpu)).take(2).for_each(|cpu| two.set(cpu));
    sched_setaffinity(None, &two).expect("it has them already");
}

#[test]
fn runs_of_every_engine_give_way_and_do_the_same() {
    have_two_processors();
    let fixture = Fixture::new(policy());
    let mut engines = vec![Engine::Bytecode, Engine::Tree];
    if let Ok(translator) = Translator::new() {
        fixture.programs.translate_with(Box::new(translator));
        engines.push(Engine::Native);
    }
    let kinds = engines.iter().flat_map(|engine| SOURCES.map(|body| Kind::new(body, *engine)));
    let kinds: Vec<_> = kinds.chain([Kind::array()]).collect();
    let mut ids = 1..;
    // One behind the other, it is less than half of them: two, and what is quick on its session's thread. On a busy machine the first
    // ones may be far when the last ones begin.
    let give_way = (0..5).any(|_| take_turns(&fixture, &kinds, &mut ids) >= kinds.len() / 2);
    assert!(give_way, "the first run ends before others are on their way");
}
