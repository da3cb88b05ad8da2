//! Runs of a server that was killed, as the next one knows them. A server that is killed is its directory, copied.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;

use carnet_codegen::Translator;
use carnet_program::client::{Asked, Client};
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{
    CallCount, End, Engine, Outcome, Refusal, RunId, RunOptions, RunProgram, RunRequest,
};
use tempfile::TempDir;

use super::on_root;
use super::probe::{Fixture, program, wait_until};

pub(super) const ID: RunId = RunId(31);

/// Writes quickly, then comes to a call that takes as long as the test wants.
const PUTS: &str = r#"
program puts(p: Probe) -> int {
  var sum = 0
  for i in 0 .. 2_000 limit 2_000 {
    sum += p.add(i) + p.get(i, i, i)
  }
  sum += p.put("over", 0)
  sum += p.put("the text", 2)
  return sum
}"#;

const FIVE: &str = "
program five(p: Probe) -> int at most 50 writes {
  var sum = 0
  for i in 0 .. 5 {
    sum += p.add(i)
  }
  return sum
}";

const STALLS: &str = "program stalls(p: Probe) -> int { return p.put(\"the text\", 2) }";

pub(super) fn directory() -> TempDir {
    tempfile::tempdir().expect("there is room")
}

pub(super) fn copied(dir: &Path) -> TempDir {
    let copy = directory();
    for below in ["", "programs", "kept"] {
        std::fs::create_dir_all(copy.path().join(below)).expect("there is room");
        for entry in std::fs::read_dir(dir.join(below)).expect("it is there").flatten() {
            let to = copy.path().join(below).join(entry.file_name());
            if entry.path().is_file() {
                std::fs::copy(entry.path(), to).expect("there is room");
            }
        }
    }
    copy
}

/// Puts files beside those of a journal that a server which was killed may leave, and the next one removes.
pub(super) fn with_leftovers(dir: &Path) {
    for left in ["outcomes.9", "programs/part1", "kept/77.part"] {
        std::fs::write(dir.join(left), b"left").expect("there is room");
    }
}

/// All that is in a directory.
pub(super) fn all_in(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for below in ["", "programs", "kept"] {
        for entry in std::fs::read_dir(dir.join(below)).expect("it is there").flatten() {
            if entry.path().is_file() {
                all.insert(entry.path(), std::fs::read(entry.path()).expect("it is read"));
            }
        }
    }
    all
}

/// The directory as it is in the last call of a run.
pub(super) fn while_it_stalls(fixture: &Fixture, dir: &Path, request: &RunRequest<'_>) -> TempDir {
    thread::scope(|scope| {
        let running = scope.spawn(|| run(&fixture.client(), request));
        wait_until(|| fixture.probe.stalling());
        let killed = copied(dir);
        fixture.probe.let_go();
        assert_eq!(running.join().expect("it ends").end, End::Done);
        killed
    })
}

fn run(client: &Client, request: &RunRequest<'_>) -> Outcome {
    let root = client.transport().root();
    client.run(request, &[&root]).expect("the server answers")
}

fn asked(fixture: &Fixture) -> Asked {
    fixture.client().ask(ID).expect("the server answers")
}

fn outcome(fixture: &Fixture) -> Outcome {
    match asked(fixture) {
        Asked::Ended(outcome) => *outcome,
        other => panic!("it has an outcome, and not {other:?}"),
    }
}

pub(super) fn translated() -> Policy {
    Policy { translated_after: 0, ..Policy::default() }
}

pub(super) fn on_root_by(bytes: &[u8], engine: Engine) -> RunRequest<'_> {
    let options = RunOptions { engine, ..RunOptions::default() };
    RunRequest { options, ..on_root(ID.0, bytes) }
}

#[test]
fn one_call_at_most_is_in_doubt_in_each_engine() {
    let bytes = program(PUTS);
    for engine in [Engine::Bytecode, Engine::Native] {
        let dir = directory();
        let fixture = Fixture::journalled(translated(), dir.path());
        fixture.programs.translate_with(Box::new(Translator::new().expect("this processor is known")));
        let killed = while_it_stalls(&fixture, dir.path(), &on_root_by(&bytes, engine));
        let next = Fixture::journalled(Policy::default(), killed.path());
        let outcome = outcome(&next);
        assert_eq!(outcome.end, End::ServerEnded { in_doubt: true });
        let call = outcome.call.clone().expect("it is known which");
        assert_eq!(call.operation, "Probe.put");
        let shown = [("text", "\"the text\""), ("how", "2")];
        assert_eq!(call.arguments, shown.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let counts: Vec<(&str, u64)> =
            outcome.calls.iter().map(|call: &CallCount| (&*call.operation, call.count)).collect();
        assert_eq!(counts, [("add", 2_000), ("get", 2_000), ("put", 1)], "{engine:?}");
        assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (4_001, 2_001));
        assert_eq!(outcome.pos.line, 8);
        // Whoever sends it again hears what became of it.
        assert_eq!(run(&next.client(), &on_root(ID.0, &bytes)), outcome);
        assert_eq!(next.probe.writes(), 0, "nothing is done twice");
        let other = run(&next.client(), &on_root(ID.0, &program(FIVE)));
        assert_eq!(other.end, End::Refused(Refusal::IdentityUsed));
        // The server after that knows it as well, and no place is lost.
        let killed = copied(killed.path());
        let few = Policy { runs_max: 1, kept_max: 0, ..Policy::default() };
        let last = Fixture::journalled(few, killed.path());
        assert_eq!(self::outcome(&last), outcome);
        assert_eq!(run(&last.client(), &on_root(77, &program(FIVE))).end, End::Done);
    }
}

#[test]
fn outcomes_that_were_told_are_told_again() {
    let dir = directory();
    let bytes = program(FIVE);
    let fixture = Fixture::journalled(Policy::default(), dir.path());
    let told = run(&fixture.client(), &on_root(ID.0, &bytes));
    assert_eq!((&told.end, fixture.probe.writes()), (&End::Done, 5));
    for killed in [copied(dir.path()), copied(copied(dir.path()).path())] {
        let next = Fixture::journalled(Policy::default(), killed.path());
        assert_eq!(outcome(&next), told);
        assert_eq!(run(&next.client(), &on_root(ID.0, &bytes)), told);
        assert_eq!(next.probe.writes(), 0);
    }
}

/// What changes nothing can be done again.
#[test]
fn runs_that_write_nothing_are_not_written_down() {
    let reads = program("program reads(p: Probe) -> int { return p.get(1, 2, 3) }");
    let writes = program(FIVE);
    let dry = RunOptions { dry: true, ..RunOptions::default() };
    for (request, is_known) in [
        (on_root(ID.0, &reads), false),
        (RunRequest { options: dry, ..on_root(ID.0, &writes) }, false),
        (RunRequest { name: "mine", ..on_root(ID.0, &reads) }, true),
    ] {
        let dir = directory();
        let fixture = Fixture::journalled(Policy::default(), dir.path());
        assert_eq!(run(&fixture.client(), &request).end, End::Done);
        let killed = copied(dir.path());
        let next = Fixture::journalled(Policy::default(), killed.path());
        assert_eq!(asked(&next) != Asked::Unknown, is_known);
    }
}

#[test]
fn a_program_that_was_named_by_its_hash_is_known_to_the_next_server() {
    let dir = directory();
    let bytes = program("program reads(p: Probe) -> int { return p.get(1, 2, 3) }");
    let hash = carnet_program::bill::hash(&bytes);
    let by_hash = |id: u128| RunRequest { program: RunProgram::Hash(&hash), ..on_root(id, &[]) };
    let fixture = Fixture::journalled(Policy::default(), dir.path());
    assert_eq!(run(&fixture.client(), &by_hash(1)).end, End::Refused(Refusal::NotCached));
    assert_eq!(run(&fixture.client(), &on_root(2, &bytes)).end, End::Done);
    assert_eq!(run(&fixture.client(), &by_hash(3)).end, End::Done);
    let killed = copied(dir.path());
    let next = Fixture::journalled(Policy::default(), killed.path());
    assert_eq!(run(&next.client(), &by_hash(4)).end, End::Done);
}

/// The disk is full: who has an outcome has it, and nothing that writes is begun any more.
#[test]
fn a_server_that_cannot_write_down_what_runs_do_runs_none_that_writes() {
    let dir = directory();
    drop(Fixture::journalled(Policy::default(), dir.path()));
    std::fs::remove_file(dir.path().join("outcomes.0")).expect("it is there");
    std::os::unix::fs::symlink("/dev/full", dir.path().join("outcomes.0")).expect("there is room");
    let fixture = Fixture::journalled(Policy::default(), dir.path());
    let writes = program(FIVE);
    assert_eq!(run(&fixture.client(), &on_root(1, &writes)).end, End::Done);
    let refused = run(&fixture.client(), &on_root(2, &writes)).end;
    assert!(
        matches!(&refused, End::Refused(Refusal::NoJournal(why)) if why.contains("No space left")),
        "{refused:?}"
    );
    assert_eq!(fixture.probe.writes(), 5);
    let reads = program("program reads(p: Probe) -> int { return p.get(1, 2, 3) }");
    assert_eq!(run(&fixture.client(), &on_root(3, &reads)).end, End::Done);
}

/// Its first outcome was pushed out; a run that took the identity again was under way when the server was killed.
#[test]
fn a_run_whose_identity_was_used_before_is_told_of() {
    let dir = directory();
    let few = Policy { stored_max: 2, ..Policy::default() };
    let fixture = Fixture::journalled(few.clone(), dir.path());
    let (five, stalls) = (program(FIVE), program(STALLS));
    for id in [ID.0, 1, 2] {
        assert_eq!(run(&fixture.client(), &on_root(id, &five)).end, End::Done);
    }
    assert_eq!(asked(&fixture), Asked::Unknown, "it is forgotten");
    let killed = while_it_stalls(&fixture, dir.path(), &on_root(ID.0, &stalls));
    let next = Fixture::journalled(few, killed.path());
    assert_eq!(outcome(&next).end, End::ServerEnded { in_doubt: true });
    assert_eq!(run(&next.client(), &on_root(ID.0, &stalls)).end, End::ServerEnded { in_doubt: true });
    assert_eq!(next.probe.writes(), 0, "nothing is done twice");
}

/// The server was killed when the outcome counted, and the place said still that the run is under way.
#[test]
fn an_outcome_that_counts_is_what_is_told() {
    let dir = directory();
    let fixture = Fixture::journalled(Policy::default(), dir.path());
    let stalling = while_it_stalls(&fixture, dir.path(), &on_root(ID.0, &program(STALLS)));
    let killed = copied(dir.path());
    let journal = killed.path().join("journal");
    let under_way = std::fs::read(stalling.path().join("journal")).expect("it is there");
    let mut counts = std::fs::read(&journal).expect("it is there");
    // The header says what counts.
    counts[4096..].copy_from_slice(&under_way[4096..]);
    std::fs::write(&journal, counts).expect("there is room");
    let few = Policy { runs_max: 1, kept_max: 0, ..Policy::default() };
    let next = Fixture::journalled(few, killed.path());
    assert_eq!(outcome(&next).end, End::Done);
    let killed = copied(killed.path());
    assert_eq!(outcome(&Fixture::journalled(Policy::default(), killed.path())).end, End::Done);
}

/// The one file of a program in the directory of a server.
pub(super) fn program_file(dir: &Path) -> std::path::PathBuf {
    let mut programs = std::fs::read_dir(dir.join("programs")).expect("it is there").flatten();
    programs.next().expect("it has one").path()
}

/// What it called is known by its program alone. All else is told, and once the program is there again, all of it.
#[test]
fn a_run_under_way_whose_program_is_lost_is_told_so_until_it_is_there_again() {
    let dir = directory();
    let fixture = Fixture::journalled(Policy::default(), dir.path());
    let (five, stalls) = (program(FIVE), program(STALLS));
    let killed = while_it_stalls(&fixture, dir.path(), &on_root(ID.0, &stalls));
    let file = program_file(killed.path());
    let whole = std::fs::read(&file).expect("it is there");
    for damaged in [Some(&whole[1..]), Some(&[][..]), None] {
        let is = match damaged {
            Some(bytes) => std::fs::write(&file, bytes).map(|()| "is not as it was left"),
            None => std::fs::remove_file(&file).map(|()| "is missing"),
        };
        let is = is.expect("it is damaged");
        let next = Fixture::journalled(Policy::default(), killed.path());
        let told = outcome(&next);
        let End::CallInDoubt { message } = &told.end else { panic!("{:?}", told.end) };
        assert!(message.contains("the server's process ended") && message.ends_with(is), "{message}");
        assert_eq!(told.call.map(|call| call.operation).as_deref(), Some("lost program.operation 1"));
        assert_eq!((told.calls, told.receipt.calls), (Vec::new(), 0), "what is in doubt is not counted");
        let [not_taken] = &next.programs.not_taken()[..] else { panic!("whoever runs it is told") };
        assert!(not_taken.why.starts_with("programs/") && not_taken.why.ends_with(is), "{}", not_taken.why);
        assert_eq!(run(&next.client(), &on_root(ID.0, &stalls)).end, told.end, "it is not done again");
        assert_eq!(next.probe.writes(), 0);
        assert_eq!(std::fs::read(&file).ok().as_deref(), damaged, "it stays as it is");
        // Others run, and what they came to is there after all this.
        assert_eq!(run(&next.client(), &on_root(77, &five)).end, End::Done);
    }
    std::fs::write(&file, whole).expect("there is room");
    let next = Fixture::journalled(Policy::default(), killed.path());
    assert_eq!(outcome(&next).end, End::ServerEnded { in_doubt: true });
    assert!(matches!(next.client().ask(RunId(77)), Ok(Asked::Ended(outcome)) if outcome.end == End::Done));
    assert_eq!(next.programs.not_taken(), []);
}

/// What a run wrote is known by its program alone.
#[test]
fn a_server_of_other_interfaces_does_not_begin() {
    let dir = directory();
    let fixture = Fixture::journalled(Policy::default(), dir.path());
    let killed = while_it_stalls(&fixture, dir.path(), &on_root(ID.0, &program(STALLS)));
    with_leftovers(killed.path());
    let before = all_in(killed.path());
    let why = Programs::journalled(&[], Policy::default(), killed.path())
        .map(|_| ())
        .map_err(|error| error.to_string());
    let why = why.expect_err("it cannot tell of it");
    assert!(why.contains("that were under way: program ") && why.contains("Probe"), "{why}");
    assert!(all_in(killed.path()) == before, "something was changed");
    let next = Fixture::journalled(Policy::default(), killed.path());
    assert_eq!(outcome(&next).end, End::ServerEnded { in_doubt: true });
}

#[test]
fn a_server_that_stores_fewer_outcomes_than_runs_were_under_way_does_not_begin() {
    let dir = directory();
    let fixture = Fixture::journalled(Policy::default(), dir.path());
    let bytes = program(STALLS);
    let killed = while_it_stalls(&fixture, dir.path(), &on_root(ID.0, &bytes));
    let none = Policy { stored_max: 0, ..Policy::default() };
    with_leftovers(killed.path());
    let before = all_in(killed.path());
    let why = Fixture::try_journalled(none, killed.path()).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(
        why,
        Err("cannot tell what became of runs that were under way: the policy stores fewer outcomes than there are of them, 1"
            .to_owned())
    );
    assert!(all_in(killed.path()) == before, "something was changed");
    let next = Fixture::journalled(Policy::default(), killed.path());
    assert_eq!(outcome(&next).end, End::ServerEnded { in_doubt: true });
}

/// A service that takes long to let an object go of a run that is kept no more.
#[test]
fn a_run_that_was_let_go_holds_no_place_whatever_its_objects_do() {
    let dir = directory();
    let few = Policy { runs_max: 1, runs_per_principal_max: 1, kept_max: 1, ..Policy::default() };
    let fixture = Fixture::journalled(few, dir.path());
    let sticks = program(
        "program sticks(p: Probe) -> int at most 1 writes { let other = p.named(\"sticky\")\n  p.add(1)\n  return p.add(2) }",
    );
    let stops = program("program stops(p: Probe) -> int at most 1 writes { return p.add(1) + p.add(2) }");
    let client = fixture.client();
    for (id, bytes) in [(1, &sticks), (2, &stops), (3, &stops)] {
        let stopped = run(&client, &RunRequest { name: "mine", ..on_root(id, bytes) });
        assert!(stopped.kept.is_some(), "{id}: {stopped:?}");
    }
    wait_until(|| fixture.probe.sticking());
    assert_eq!(run(&client, &on_root(4, &program(FIVE))).end, End::Done);
    fixture.probe.let_go();
    wait_until(|| fixture.probe.gone() == 1);
}
