//! Runs that are kept, and go on with the next server.

use std::path::Path;
use std::time::Duration;

use carnet_program::client::{Asked, Client};
use carnet_program::host::{Confirm, Defaults, JournalError, OnlyInstalled, Policy};
use carnet_program::limits::Limits;
use carnet_program::protocol::{
    End, Engine, InDoubt, NotWalked, Outcome, Raise, Refusal, ResumeRequest, RunId, RunInfo, RunOptions,
    RunRequest, SetVariable, SetVariables, VariableValue,
};
use carnet_program::tree::CapKind;
use tempfile::TempDir;

use super::on_root;
use super::probe::{Fixture, program, wait_until};
use super::restart::{all_in, copied, directory, with_leftovers};

pub(super) const ID: RunId = RunId(91);

/// Stops before its fourth call that writes.
pub(super) const FIVE: &str = "
program five(p: Probe) -> int at most 3 writes {
  var sum = 100
  for i in 0 .. 5 {
    sum += p.add(i)
  }
  return sum
}";

/// Holds a probe twice, and one that is brittle or not.
pub(super) fn holding(name: &str) -> Vec<u8> {
    program(&format!(
        "program holds(p: Probe) -> int at most 1 writes {{
          let one = p.named(\"{name}\")
          p.add(1)
          return one.get(1, 2, 3) + p.add(2)
        }}"
    ))
}

pub(super) fn run(client: &Client, bytes: &[u8]) -> Outcome {
    let root = client.transport().root();
    let request = RunRequest { name: "mine", ..on_root(ID.0, bytes) };
    client.run(&request, &[&root]).expect("the server answers")
}

pub(super) fn resumed(fixture: &Fixture, request: &ResumeRequest) -> Outcome {
    fixture.client().resume(request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
}

pub(super) fn more(stop: u32) -> ResumeRequest {
    ResumeRequest { raises: vec![Raise { kind: CapKind::Writes, by: 50 }], ..ResumeRequest::new(ID, stop) }
}

pub(super) fn asked(fixture: &Fixture) -> Asked {
    fixture.client().ask(ID).expect("the server answers")
}

pub(super) fn listed(fixture: &Fixture) -> Vec<RunInfo> {
    fixture.client().runs().expect("the server answers")
}

/// A run of [`FIVE`] that stopped; its outcome, and the directory as a server leaves it that is killed now.
pub(super) fn stopped(dir: &Path) -> (Outcome, TempDir) {
    let fixture = Fixture::sturdy(Policy::default(), dir);
    let told = run(&fixture.client(), &program(FIVE));
    assert_eq!(told.kept.map(|kept| kept.stop), Some(1));
    assert_eq!(fixture.probe.writes(), 3);
    (told, copied(dir))
}

/// Files of runs that are kept.
pub(super) fn files(dir: &Path) -> usize {
    std::fs::read_dir(dir.join("kept")).expect("it is there").count()
}

#[test]
fn what_was_kept_goes_on_with_each_server_that_follows() {
    let dir = directory();
    let (told, killed) = stopped(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    assert_eq!(asked(&next), Asked::Ended(Box::new(told.clone())));
    let infos = listed(&next);
    assert_eq!((infos.len(), &*infos[0].name, &*infos[0].program), (1, "mine", "five"));
    // Nothing was raised: it stops again at once.
    let again = resumed(&next, &ResumeRequest::new(ID, 1));
    assert_eq!((&again.end, again.kept.map(|kept| kept.stop)), (&told.end, Some(2)));
    assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::WentOn));
    let killed_again = copied(killed.path());
    let last = Fixture::sturdy(Policy::default(), killed_again.path());
    let done = resumed(&last, &more(2));
    assert_eq!((&done.end, done.result.as_deref()), (&End::Done, Some(&110_i64.to_le_bytes()[..])));
    assert_eq!((done.receipt.writes, done.receipt.calls), (5, 5));
    assert!(
        done.receipt.time_ns > told.receipt.time_ns && done.receipt.instructions > told.receipt.instructions
    );
    assert_eq!((next.probe.writes(), last.probe.writes()), (0, 2), "each is made once");
    assert_eq!(files(killed_again.path()), 0);
    // Whoever asks again is told what it came to, also by the next one.
    assert_eq!(resumed(&last, &more(2)), done);
    let killed = copied(killed_again.path());
    assert_eq!(asked(&Fixture::sturdy(Policy::default(), killed.path())), Asked::Ended(Box::new(done)));
}

/// What is there of an earlier stop is not said to be an old copy that somebody put back.
#[test]
fn what_could_not_be_written_is_not_missed() {
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    run(&fixture.client(), &program(FIVE));
    let first = std::fs::read(dir.path().join("kept/0")).expect("it is kept");
    // Nothing is written over a directory.
    std::fs::create_dir(dir.path().join("kept/0.part")).expect("its name is free");
    let again = resumed(&fixture, &ResumeRequest::new(ID, 1));
    assert_eq!(again.kept.map(|kept| kept.stop), Some(2));
    assert!(!dir.path().join("kept/0").exists(), "it is of no use");
    // Nor if it could not be removed.
    for left in [None, Some(first)] {
        let killed = copied(dir.path());
        if let Some(bytes) = left {
            std::fs::write(killed.path().join("kept/0"), bytes).expect("there is room");
        }
        let next = Fixture::sturdy(Policy::default(), killed.path());
        assert_eq!(next.programs.not_taken(), []);
        let Asked::Ended(told) = asked(&next) else { panic!("it stopped") };
        assert_eq!((told.kept, told.cannot_go_on), (None, None));
    }
    // Here it can go on.
    assert_eq!(resumed(&fixture, &more(2)).end, End::Done);
}

/// Also by a server that writes nothing down.
#[test]
fn a_service_is_told_that_a_kept_run_holds_its_objects() {
    let dir = directory();
    for fixture in [Fixture::sturdy(Policy::default(), dir.path()), Fixture::plain_sturdy()] {
        assert!(run(&fixture.client(), &holding("me")).kept.is_some());
        let first = fixture.probe.kept();
        assert!(first > 0);
        // It stops again.
        assert!(resumed(&fixture, &ResumeRequest::new(ID, 1)).kept.is_some());
        assert!(fixture.probe.kept() > first);
        let ends = program("program ends(p: Probe) -> int { return p.add(1) }");
        let before = fixture.probe.kept();
        let client = fixture.client();
        let root = client.transport().root();
        let done = client.run(&on_root(7, &ends), &[&root]).map(|outcome| outcome.end);
        assert_eq!(done.expect("the server answers"), End::Done);
        assert_eq!(fixture.probe.kept(), before, "what ends is not kept");
    }
}

#[test]
fn a_server_that_ends_in_order_leaves_runs_for_the_next() {
    let dir = directory();
    let waits = "program waits(p: Probe) -> int {
      p.add(1)
      let n = p.stall(2)
      return n + p.add(2)
    }";
    {
        let fixture = Fixture::sturdy(Policy::default(), dir.path());
        let bytes = program(waits);
        let told = std::thread::scope(|scope| {
            let running = scope.spawn(|| run(&fixture.client(), &bytes));
            wait_until(|| fixture.probe.stalling());
            fixture.programs.close();
            fixture.probe.let_go();
            running.join().expect("it ends")
        });
        assert_eq!((&told.end, told.kept.map(|kept| kept.stop)), (&End::Cancelled, Some(1)));
        assert_eq!(resumed(&fixture, &ResumeRequest::new(ID, 1)).end, End::Refused(Refusal::Closing));
    }
    // Its last thread may have the files a moment longer.
    let mut next = None;
    wait_until(|| {
        !matches!(Fixture::try_journalled(Policy::default(), dir.path()), Err(JournalError::InUse))
    });
    next.replace(Fixture::sturdy(Policy::default(), dir.path()));
    let next = next.expect("it was made");
    let done = resumed(&next, &ResumeRequest::new(ID, 1));
    assert_eq!((&done.end, done.receipt.writes, next.probe.writes()), (&End::Done, 2, 1));
}

#[test]
fn objects_are_found_again_or_it_is_told_which_are_not() {
    for (name, why) in [("me", None), ("brittle", Some("it holds a probe.Probe that is brittle"))] {
        let dir = directory();
        let fixture = Fixture::sturdy(Policy::default(), dir.path());
        assert_eq!(run(&fixture.client(), &holding(name)).kept.map(|kept| kept.stop), Some(1), "{name}");
        let killed = copied(dir.path());
        let next = Fixture::sturdy(Policy::default(), killed.path());
        // Nor is it said that it can go on before somebody tries.
        let Asked::Ended(told) = asked(&next) else { panic!("it has stopped") };
        assert_eq!((told.kept.is_none(), told.cannot_go_on.as_deref()), (why.is_some(), why));
        assert_eq!(listed(&next).is_empty(), why.is_some());
        let answer = resumed(&next, &more(1));
        match why {
            None => assert_eq!((&answer.end, next.probe.writes()), (&End::Done, 1)),
            Some(why) => {
                let refused = End::Refused(Refusal::CannotGoOn(why.to_owned()));
                assert_eq!(answer.end, refused);
                // It stays as it is, and may be let go.
                assert_eq!(resumed(&next, &more(1)).end, refused);
                assert!(next.client().discard(ID).expect("the server answers"));
                assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::NotKept));
            }
        }
    }
}

/// A server that cannot find them says so, and changes nothing.
#[test]
fn a_server_that_knows_no_names_lets_nothing_go_on() {
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    run(&fixture.client(), &holding("me"));
    let killed = copied(dir.path());
    {
        let next = Fixture::journalled(Policy::default(), killed.path());
        let why = "this server finds no objects of probe again".to_owned();
        assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::CannotGoOn(why)));
    }
    let killed = copied(killed.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    assert_eq!(resumed(&next, &more(1)).end, End::Done);
}

#[test]
fn what_is_over_does_not_come_back() {
    // Let go by its owner, after its time, and for others.
    let no_time = Policy { kept_for: Duration::from_secs(1), ..Policy::default() };
    let one = Policy { kept_max: 1, kept_per_principal_max: 1, ..Policy::default() };
    for (how, policy) in [("discarded", Policy::default()), ("late", no_time), ("pushed out", one)] {
        let dir = directory();
        let fixture = Fixture::sturdy(policy.clone(), dir.path());
        run(&fixture.client(), &program(FIVE));
        assert_eq!(files(dir.path()), 1, "{how}");
        match how {
            "discarded" => assert!(fixture.client().discard(ID).expect("the server answers")),
            "late" => wait_until(|| listed(&fixture).is_empty()),
            _ => {
                let client = fixture.client();
                let (root, bytes) = (client.transport().root(), program(FIVE));
                let other = RunRequest { name: "other", ..on_root(1, &bytes) };
                assert!(client.run(&other, &[&root]).expect("the server answers").kept.is_some());
            }
        }
        wait_until(|| files(dir.path()) == usize::from(how == "pushed out"));
        let killed = copied(dir.path());
        let next = Fixture::sturdy(policy, killed.path());
        assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::NotKept), "{how}");
        let Asked::Ended(outcome) = asked(&next) else { panic!("it has a receipt") };
        assert_eq!((outcome.kept, outcome.receipt.writes), (None, 3), "{how}");
    }
}

/// A file of a time that is over is not taken for the present.
#[test]
fn time_goes_on_while_no_server_runs() {
    let dir = directory();
    let policy = Policy { kept_for: Duration::from_secs(1), ..Policy::default() };
    let fixture = Fixture::sturdy(policy.clone(), dir.path());
    run(&fixture.client(), &program(FIVE));
    let killed = copied(dir.path());
    wait_until(|| files(dir.path()) == 0);
    let next = Fixture::sturdy(policy, killed.path());
    assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::NotKept));
    assert_eq!(files(killed.path()), 0);
}

#[test]
fn files_that_are_not_as_they_were_left_are_refused_and_stay() {
    let dir = directory();
    let (_, killed) = stopped(dir.path());
    let file = std::fs::read_dir(killed.path().join("kept")).expect("it is there").next();
    let file = file.expect("there is one").expect("it is read").path();
    let whole = std::fs::read(&file).expect("it is read");
    let refused = |bytes: &[u8], why: &str| {
        std::fs::write(&file, bytes).expect("there is room");
        let before = all_in(killed.path());
        // One that has as many runs as the one before, and one that would need more room in the journal.
        for runs_max in [Policy::default().runs_max, 70] {
            let policy = Policy { runs_max, ..Policy::default() };
            let error = Fixture::try_journalled(policy, killed.path()).expect_err("it is refused");
            assert!(error.to_string().contains(why), "{error}");
            assert!(all_in(killed.path()) == before, "{error}: something was changed");
        }
    };
    with_leftovers(killed.path());
    for cut in [0, 7, 23, whole.len() / 2, whole.len() - 1] {
        refused(&whole[..cut], "is ");
    }
    for at in (0..whole.len()).step_by(whole.len() / 97) {
        let mut edited = whole.clone();
        edited[at] ^= 4;
        refused(&edited, "is ");
    }
    let mut newer = whole.clone();
    newer[8] = 9;
    refused(&newer, "is of version 9, and this server knows version 3");
    refused(&[&whole[..], b"x"].concat(), "it was cut off or edited");
    std::fs::write(&file, &whole).expect("there is room");
    let next = Fixture::sturdy(Policy::default(), killed.path());
    assert!(
        ["outcomes.9", "programs/part1", "kept/77.part"]
            .iter()
            .all(|left| !killed.path().join(left).exists())
    );
    assert_eq!(resumed(&next, &more(1)).end, End::Done);
}

/// What it did before it went on is not forgotten if the next server is killed before it writes anything, or after.
#[test]
fn a_run_that_went_on_has_its_receipt_when_the_next_server_is_killed_too() {
    for (second, writes) in [("get(1, 2, 3)", 1), ("add(2)", 2)] {
        let source = format!(
            "program stalls(p: Probe) -> int at most 2 calls {{
              p.add(1)
              p.get(1, 2, 3)
              p.{second}
              let n = p.stall(2)
              return n + p.add(2)
            }}"
        );
        let dir = directory();
        let fixture = Fixture::sturdy(Policy::default(), dir.path());
        let told = run(&fixture.client(), &program(&source));
        assert_eq!((told.receipt.writes, told.kept.is_some()), (1, true));
        let killed = copied(dir.path());
        let next = Fixture::sturdy(Policy::default(), killed.path());
        let raises = vec![Raise { kind: CapKind::Calls, by: 50 }];
        let request = ResumeRequest { raises, ..ResumeRequest::new(ID, 1) };
        std::thread::scope(|scope| {
            let running = scope.spawn(|| resumed(&next, &request));
            wait_until(|| next.probe.stalling());
            let killed = copied(killed.path());
            let last = Fixture::sturdy(Policy::default(), killed.path());
            let Asked::Ended(outcome) = asked(&last) else { panic!("it has a receipt") };
            assert_eq!(
                (&outcome.end, outcome.receipt.writes),
                (&End::ServerEnded { in_doubt: false }, writes)
            );
            assert_eq!((outcome.kept, files(killed.path())), (None, 0));
            next.probe.let_go();
            assert_eq!(running.join().expect("it ends").end, End::Done);
        });
    }
}

/// Two who ask at once make it go on once.
#[test]
fn it_goes_on_once() {
    let dir = directory();
    let (_, killed) = stopped(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    let ends: Vec<Outcome> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(|| resumed(&next, &more(1)))).collect();
        asking.into_iter().map(|asking| asking.join().expect("it ends")).collect()
    });
    assert!(ends.iter().all(|outcome| outcome.end == End::Done && *outcome == ends[0]));
    assert_eq!(next.probe.writes(), 2);
}

/// Variables are set, limits raised and doubts left as in the server that has kept it.
#[test]
fn what_may_be_said_to_a_kept_run_may_be_said_to_the_next_server() {
    let dir = directory();
    let (_, killed) = stopped(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    let bytes = program(FIVE);
    let options = RunOptions { engine: Engine::Tree, ..RunOptions::default() };
    let refused = resumed(&next, &ResumeRequest { options, ..more(1) });
    assert_eq!(refused.end, End::Refused(Refusal::NotATree(NotWalked::Earlier)));
    let wrong = SetVariables { program: [0; 32], variables: Vec::new() };
    let request = ResumeRequest { set: Some(wrong), ..more(1) };
    assert_eq!(resumed(&next, &request).end, End::Refused(Refusal::OtherProgram));
    let set = SetVariables {
        program: carnet_program::bill::hash(&bytes),
        variables: vec![SetVariable { slot: u16::MAX, value: VariableValue::Scalar(1) }],
    };
    let request = ResumeRequest { set: Some(set), in_doubt: InDoubt::Repeat, ..more(1) };
    assert!(matches!(resumed(&next, &request).end, End::Refused(Refusal::Variable { .. })));
    assert_eq!(resumed(&next, &more(1)).end, End::Done);
}

/// The next server's limits hold.
#[test]
fn the_next_servers_policy_holds() {
    let dir = directory();
    let (_, killed) = stopped(dir.path());
    let limits = Limits { memory: 1, ..Limits::default() };
    let mut policy = Policy { limits, ..Policy::default() };
    policy.accepts.writes = Some(2);
    let next = Fixture::sturdy(policy, killed.path());
    assert!(matches!(resumed(&next, &more(1)).end, End::Refused(Refusal::Bill { .. })));
    assert_eq!(next.probe.writes(), 0);
    drop(next);
    let killed = copied(killed.path());
    let next = Fixture::sturdy(Policy { confirm: Confirm::Writes, ..Policy::default() }, killed.path());
    let why = "this server wants an approval of what writes, and it had none".to_owned();
    assert_eq!(resumed(&next, &ResumeRequest::new(ID, 1)).end, End::Refused(Refusal::CannotGoOn(why)));
    let only = Policy { only_installed: OnlyInstalled::Everybody, ..Policy::default() };
    let killed = copied(killed.path());
    let next = Fixture::sturdy(only, killed.path());
    assert!(matches!(resumed(&next, &more(1)).end, End::Refused(Refusal::OnlyInstalled(_))));
}

/// What the next server does not begin, it does not let go on either.
#[test]
fn the_next_server_may_refuse_loops_without_a_limit() {
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    let unlimited = "program e(p: Probe) at most 1 writes {\n  while p.add(1) > 0 { }\n}";
    assert!(run(&fixture.client(), &program(unlimited)).kept.is_some());
    let killed = copied(dir.path());
    let strict = Policy { defaults: Defaults::Refused, name: "strict".into(), ..Policy::default() };
    let next = Fixture::sturdy(strict, killed.path());
    let refused = Refusal::Defaults { policy: "strict".into(), lines: vec![3] };
    assert_eq!(resumed(&next, &more(1)).end, End::Refused(refused));
    assert_eq!(next.probe.writes(), 0);
}

/// Whatever the clock says that is left: it may have been set back.
#[test]
fn the_next_server_keeps_no_run_longer_than_it_keeps_its_own() {
    let dir = directory();
    let policy = |kept_for_s| Policy { kept_for: Duration::from_secs(kept_for_s), ..Policy::default() };
    let fixture = Fixture::sturdy(policy(1 << 40), dir.path());
    run(&fixture.client(), &program(FIVE));
    let killed = copied(dir.path());
    let next = Fixture::sturdy(policy(600), killed.path());
    let left_s = listed(&next).iter().filter_map(|run| run.stopped.as_ref()).map(|run| run.left_s).max();
    assert!(left_s.is_some_and(|left_s| left_s <= 600), "{left_s:?}");
}
