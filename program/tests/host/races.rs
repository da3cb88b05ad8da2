//! Several clients of one user who begin, resume, cancel, discard, leave and ask for the same runs at the same time, while their time
//! runs out: whatever comes first, each write is made once and told of, and nothing is left behind.

use std::time::Duration;

use carnet_program::client::{Asked, Client};
use carnet_program::host::{JournalError, Policy};
use carnet_program::limits::Limits;
use carnet_program::protocol::{End, Outcome, ResumeRequest, RunId, RunRequest};

use super::on_root;
use super::probe::{Fixture, program, wait_until};
use super::restart::directory;
use super::survives::files;

const RUNS: u128 = 6;
const CLIENTS: u64 = 4;
const STEPS: usize = 150;

/// Stops before each write but the first.
const WRITES: &str = "
program writes(p: Probe) -> int at most 1_000 writes {
  let other = p.named(\"me\")
  var sum = 0
  for i in 0 .. 12 { sum += other.add(i) }
  return sum
}";

fn policy(kept_for: Duration) -> Policy {
    let limits = Limits { writes: 1, ..Limits::default() };
    Policy { limits, kept_for, ..Policy::default() }
}

/// The same numbers for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

fn does_anything(fixture: &Fixture, seed: u64, bytes: &[u8]) {
    let mut dice = Dice(seed * 0x9e37_79b9 + 1);
    let mut client = fixture.client();
    for _ in 0..STEPS {
        let id = u128::from(dice.below(RUNS as u64));
        let request = RunRequest { name: "mine", ..on_root(id, bytes) };
        match dice.below(8) {
            0 => drop(client.discard(RunId(id)).expect("the server answers")),
            1 => drop(client.cancel(RunId(id)).expect("the server answers")),
            2 => drop(client.runs().expect("the server answers")),
            3 => {
                // It does not wait for the answer.
                let root = client.transport().root();
                drop(client.start(&request, &[&root]).expect("it is sent"));
                client = fixture.client();
            }
            4 => {
                let root = client.transport().root();
                drop(client.run(&request, &[&root]).expect("the server answers"));
            }
            _ => {
                let stop = match client.ask(RunId(id)).expect("the server answers") {
                    Asked::Ended(outcome) => outcome.kept.map_or(1, |kept| kept.stop),
                    Asked::Unknown | Asked::Running => 1 + dice.below(12) as u32,
                };
                let resumed = client.resume(&ResumeRequest::new(RunId(id), stop)).expect("it is sent");
                drop(resumed.wait(&mut |_| {}).expect("the server answers"));
            }
        }
    }
}

/// How a run ended or stopped.
fn settled(client: &Client, id: u128) -> Option<Outcome> {
    wait_until(|| client.ask(RunId(id)).expect("the server answers") != Asked::Running);
    match client.ask(RunId(id)).expect("the server answers") {
        Asked::Ended(outcome) => Some(*outcome),
        _ => None,
    }
}

fn check(fixture: &Fixture, seed: u64) -> Vec<Option<Outcome>> {
    let bytes = program(WRITES);
    std::thread::scope(|scope| {
        for k in 0..CLIENTS {
            let bytes = &bytes;
            scope.spawn(move || does_anything(fixture, seed * CLIENTS + k, bytes));
        }
    });
    let client = fixture.client();
    let outcomes: Vec<_> = (0..RUNS).map(|id| settled(&client, id)).collect();
    let told: u64 = outcomes.iter().flatten().map(|outcome| outcome.receipt.writes).sum();
    assert_eq!(told, fixture.probe.writes(), "seed {seed}: {outcomes:?}");
    for outcome in outcomes.iter().flatten() {
        let is_over = matches!(outcome.end, End::Done | End::Limit { .. } | End::Cancelled);
        assert!(is_over && outcome.receipt.writes <= 12, "seed {seed}: {outcome:?}");
    }
    assert_eq!(fixture.programs.status("").running, 0, "seed {seed}");
    outcomes
}

#[test]
fn each_write_is_made_once_and_told_of() {
    for (seed, kept_for) in [(1, 600_000), (2, 3), (3, 600_000), (4, 1)] {
        let policy = policy(Duration::from_millis(kept_for));
        let fixture = if seed % 2 == 0 { Fixture::new(policy) } else { Fixture::with_one_loop(policy) };
        check(&fixture, seed);
        for id in 0..RUNS {
            fixture.client().discard(RunId(id)).expect("the server answers");
        }
        wait_until(|| fixture.programs.status("").kept == 0);
    }
}

/// With a journal: the next server knows what was told, and what was let go leaves no file.
#[test]
fn nothing_of_it_is_left_behind_in_a_journal() {
    for (seed, kept_for) in [(5, 600_000), (6, 3), (7, 600_000)] {
        let (dir, policy) = (directory(), policy(Duration::from_millis(kept_for)));
        let fixture = Fixture::sturdy(policy.clone(), dir.path());
        let told = check(&fixture, seed);
        wait_until(|| fixture.programs.status("").kept == files(dir.path()) as u64);
        drop(fixture);
        // Its last thread may have the files a moment longer.
        wait_until(|| {
            !matches!(Fixture::try_journalled(policy.clone(), dir.path()), Err(JournalError::InUse))
        });
        let next = Fixture::sturdy(policy, dir.path());
        for (id, told) in (0..RUNS).zip(&told) {
            let asked = settled(&next.client(), id);
            let without =
                |outcome: &Option<Outcome>| outcome.clone().map(|outcome| Outcome { kept: None, ..outcome });
            assert_eq!(without(&asked), without(told), "seed {seed}");
            let client = next.client();
            client.discard(RunId(id)).expect("the server answers");
        }
        wait_until(|| files(dir.path()) == 0);
        assert_eq!(next.programs.status("").kept, 0, "seed {seed}");
    }
}
