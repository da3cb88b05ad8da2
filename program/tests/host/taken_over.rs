//! What the next server takes over of the one before: whose runs go on, below which root, on which thread, and what is told of the rest.

use std::time::Duration;

use carnet_portal::remote::ConnectOptions;
use carnet_program::client::Asked;
use carnet_program::host::{NotTaken, Policy};
use carnet_program::protocol::{End, Kept, Outcome, Refusal, ResumeRequest, RunId, RunRequest};

use super::on_root;
use super::probe::{Fixture, program, wait_until};
use super::restart::{copied, directory, program_file};
use super::survives::{FIVE, ID, asked, files, holding, listed, more, resumed, run, stopped};

/// Another root has objects of the same names, which are others.
#[test]
fn a_run_goes_on_below_the_root_that_it_began_below() {
    for source in [program(FIVE), holding("me")] {
        let dir = directory();
        let fixture = Fixture::sturdy(Policy::default(), dir.path());
        assert!(run(&fixture.client(), &source).kept.is_some());
        let killed = copied(dir.path());
        let next = Fixture::sturdy(Policy::default(), killed.path());
        next.probe.is_now(7);
        let why = "it began below another root of probe than this server has".to_owned();
        assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::CannotGoOn(why)));
        assert_eq!(next.probe.writes(), 0);
        // Nothing was done to it.
        next.probe.is_now(0);
        assert_eq!(resumed(&next, &more(1)).end, End::Done);
    }
}

/// Its file was damaged before a run came to rest on it: under a server, and before it began.
#[test]
fn a_damaged_program_is_written_anew_from_what_was_sent() {
    let bytes = program(FIVE);
    let mut edited = bytes.clone();
    edited[40] ^= 1;
    for damaged in [&bytes[1..], &[], &edited] {
        let dir = directory();
        let (told, killed) = stopped(dir.path());
        let file = program_file(killed.path());
        std::fs::write(&file, damaged).expect("it is there");
        let next = Fixture::sturdy(Policy::default(), killed.path());
        // What rests on it already is told why it does not go on, and stays.
        let hash = carnet_program::text::hex(&carnet_program::bill::hash(&bytes));
        let why = format!(
            "programs/{hash} is not as it was left, its program; it goes on when that is there again"
        );
        assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::CannotGoOn(why)));
        assert_eq!((asked(&next), next.probe.writes()), (Asked::Ended(Box::new(told)), 0));
        for id in [1, 2] {
            let request = RunRequest { name: "another", ..on_root(id, &bytes) };
            let client = next.client();
            let root = client.transport().root();
            let stopped = client.run(&request, &[&root]).expect("the server answers");
            assert!(stopped.kept.is_some(), "{stopped:?}");
            assert_eq!(std::fs::read(&file).expect("it is there"), bytes, "{id}");
            let last = copied(killed.path());
            let last = Fixture::sturdy(Policy::default(), last.path());
            for id in [RunId(id), ID] {
                assert_eq!(resumed(&last, &ResumeRequest { id, ..more(1) }).end, End::Done);
            }
            std::fs::write(&file, damaged).expect("it is there");
        }
        // What was written is not taken for a program.
        let names = std::fs::read_dir(killed.path().join("programs")).expect("it is there");
        assert_eq!(names.count(), 1);
    }
}

/// How the file of a program is damaged.
type Damage<'a> = &'a dyn Fn(&std::path::Path, &[u8]);

/// Its run stays, and goes on when the file is there again; whoever runs the server need not wait until somebody wants that.
#[test]
fn a_kept_run_whose_program_is_damaged_is_told_at_each_beginning() {
    let write = |file: &std::path::Path, bytes: &[u8]| std::fs::write(file, bytes).expect("it is there");
    let cases: [Damage<'_>; 5] = [
        &|file, _| write(file, &[]),
        &|file, bytes| write(file, &bytes[..bytes.len() - 1]),
        &|file, bytes| write(file, &[&bytes[..bytes.len() - 1], &[!bytes[bytes.len() - 1]]].concat()),
        &|file, bytes| write(file, &[bytes, b"xx"].concat()),
        // More than anybody would read.
        &|file, _| {
            let file = std::fs::File::options().write(true).open(file).expect("it is there");
            file.set_len(1 << 42).expect("it takes no room");
        },
    ];
    for damage in cases {
        let dir = directory();
        let (_, killed) = stopped(dir.path());
        let file = program_file(killed.path());
        let bytes = std::fs::read(&file).expect("it is there");
        damage(&file, &bytes);
        let hash = carnet_program::text::hex(&carnet_program::bill::hash(&bytes));
        for server in 0..2 {
            let next = Fixture::sturdy(Policy::default(), killed.path());
            let told = next.programs.not_taken();
            let why = format!(
                "programs/{hash} is not as it was left, its program; it goes on when that is there again"
            );
            assert!(
                matches!(&told[..], [one] if one.run == "mine" && one.program == "five" && one.why == why),
                "{told:?}"
            );
            assert_eq!((listed(&next).len(), files(killed.path())), (1, 1), "server {server}");
            // It is not lost to a server that has it installed.
            next.programs.install("five", FIVE, &bytes).expect("it is a program");
            assert_eq!(next.programs.not_taken(), []);
        }
        std::fs::remove_file(&file).expect("it is there");
        std::fs::write(&file, &bytes).expect("there is room");
        let next = Fixture::sturdy(Policy::default(), killed.path());
        assert_eq!(next.programs.not_taken(), []);
        assert_eq!(resumed(&next, &more(1)).end, End::Done);
    }
}

/// A server in a copy of the directory of one whose run holds something, that takes long to find that.
fn slow() -> (Fixture, tempfile::TempDir) {
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    assert!(run(&fixture.client(), &holding("me")).kept.is_some());
    let killed = copied(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    next.probe.finds_slowly();
    (next, killed)
}

#[test]
fn while_objects_are_looked_for_others_are_answered() {
    let (next, _dir) = slow();
    let options = ConnectOptions { call_timeout: Some(Duration::from_secs(10)), ..ConnectOptions::default() };
    let client = next.client_with(options);
    let first = client.resume(&more(1)).expect("it is sent");
    wait_until(|| next.probe.stalling());
    // On the same connection, too, whose thread it would be.
    assert_eq!(client.ask(ID).expect("the server answers"), Asked::Running);
    assert_eq!(next.call(&client, 10, 3).expect("the server answers"), 3);
    assert_eq!(listed(&next).iter().filter(|run| run.stopped.is_none()).count(), 1);
    // It goes on already, for whoever asks now.
    assert!(!client.discard(ID).expect("the server answers"));
    let second = client.resume(&more(1)).expect("it is sent");
    next.probe.let_go();
    let outcomes = [first, second].map(|one| one.wait(&mut |_| {}).expect("the server answers"));
    assert_eq!((&outcomes[0].end, &outcomes[1]), (&End::Done, &outcomes[0]));
    assert_eq!(next.probe.writes(), 2, "one by itself, and one that the test made");
}

/// Who cancels is answered at once, however long the service looks; and the run is as it was.
#[test]
fn looking_for_objects_is_cancelled_while_the_service_looks() {
    let (next, dir) = slow();
    let before = asked(&next);
    let client = next.client();
    let running = client.resume(&more(1)).expect("it is sent");
    wait_until(|| next.probe.stalling());
    assert!(next.client().cancel(ID).expect("the server answers"));
    // The service looks on.
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert!(next.probe.stalling());
    let Asked::Ended(told) = before else { panic!("it stopped") };
    // The limit that had stopped it is to be raised all the same.
    let End::Limit { kind, limit, .. } = told.end else { panic!("{:?}", told.end) };
    let short_of = [Some((kind, limit)), None, None, None];
    let kept = told.kept.map(|kept| Kept { short_of, ..kept });
    assert_eq!(outcome, Outcome { end: End::Cancelled, kept, ..*told.clone() });
    assert_eq!((asked(&next), files(dir.path())), (Asked::Ended(told), 1));
    let status = client.status().expect("the server answers");
    assert_eq!((status.running, status.kept), (0, 1));
    next.probe.let_go();
    let stop = outcome.kept.expect("it is kept").stop;
    assert_eq!(resumed(&next, &more(stop)).end, End::Done);
    assert_eq!(next.probe.writes(), 1);
}

/// Nobody holds more threads by that than he may have runs: one that still looks counts.
#[test]
fn who_cancels_while_objects_are_looked_for_has_no_more_threads_than_runs() {
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    assert!(run(&fixture.client(), &holding("me")).kept.is_some());
    let killed = copied(dir.path());
    let policy = Policy { runs_per_principal_max: 1, ..Policy::default() };
    let next = Fixture::sturdy(policy, killed.path());
    next.probe.finds_slowly();
    let client = next.client();
    let running = client.resume(&more(1)).expect("it is sent");
    wait_until(|| next.probe.stalling());
    assert!(next.client().cancel(ID).expect("the server answers"));
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!(outcome.end, End::Cancelled);
    assert_eq!(resumed(&next, &more(1)).end, End::Refused(Refusal::PrincipalBusy(1)));
    next.probe.let_go();
    wait_until(|| resumed(&next, &more(1)).end == End::Done);
}

/// Nor does the end of the server wait for that; the next one has the run.
#[test]
fn a_server_that_ends_while_objects_are_looked_for_keeps_the_run() {
    let (next, dir) = slow();
    let before = asked(&next);
    let client = next.client();
    let running = client.resume(&more(1)).expect("it is sent");
    wait_until(|| next.probe.stalling());
    next.programs.close();
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!((outcome.end, files(dir.path())), (End::Cancelled, 1));
    assert!(outcome.kept.is_some());
    let copy = copied(dir.path());
    next.probe.let_go();
    let last = Fixture::sturdy(Policy::default(), copy.path());
    assert_eq!(asked(&last), before);
    assert_eq!(resumed(&last, &more(1)).end, End::Done);
}

#[test]
fn who_leaves_while_objects_are_looked_for_leaves_a_run_that_can_go_on() {
    let (next, dir) = slow();
    let client = next.client();
    drop(client.resume(&more(1)).expect("it is sent"));
    wait_until(|| next.probe.stalling());
    drop(client);
    wait_until(|| next.closed() > 0);
    next.probe.let_go();
    wait_until(|| listed(&next).iter().any(|run| run.stopped.is_some()));
    assert_eq!((next.probe.writes(), files(dir.path())), (0, 1));
    let Asked::Ended(outcome) = asked(&next) else { panic!("it stopped") };
    let kept = outcome.kept.expect("it can go on");
    // It stopped before it went on, or behind that.
    assert_eq!(resumed(&next, &more(kept.stop)).end, End::Done);
}

/// With one loop over all, too, who lets a run go holds up nobody, however long a service takes to let its objects go.
#[test]
fn while_objects_are_let_go_others_are_answered() {
    let fixture = Fixture::with_one_loop(Policy::default());
    let bytes = holding("sticky");
    let options = ConnectOptions { call_timeout: Some(Duration::from_secs(10)), ..ConnectOptions::default() };
    let other = fixture.client_with(options);
    let client = fixture.client();
    assert!(run(&client, &bytes).kept.is_some());
    std::thread::scope(|scope| {
        let discarding = scope.spawn(|| client.discard(ID).expect("the server answers"));
        wait_until(|| fixture.probe.sticking());
        let answer =
            other.ask(ID).map(|asked| matches!(asked, Asked::Ended(outcome) if outcome.kept.is_none()));
        assert!(!discarding.is_finished(), "its handles are not closed yet");
        fixture.probe.let_go();
        assert!(discarding.join().expect("it ends"));
        assert!(answer.expect("the server answers others meanwhile"));
    });
    assert_eq!(fixture.probe.gone(), 1);
}

/// An answer is lost, and the server with it: who asks again is told what was told, and nothing runs twice.
#[test]
fn a_resume_that_is_asked_again_has_the_same_answer_from_the_next_server() {
    let dir = directory();
    let (_, killed) = stopped(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    let again = resumed(&next, &ResumeRequest::new(ID, 1));
    assert_eq!(again.kept.map(|kept| kept.stop), Some(2));
    let killed = copied(killed.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    assert_eq!(resumed(&next, &ResumeRequest::new(ID, 1)), again);
    let done = resumed(&next, &more(2));
    assert_eq!(done.end, End::Done);
    let killed = copied(killed.path());
    let last = Fixture::sturdy(Policy::default(), killed.path());
    assert_eq!(resumed(&last, &more(2)), done);
    // Another request is another one.
    assert_eq!(resumed(&last, &ResumeRequest::new(ID, 2)).end, End::Refused(Refusal::NotKept));
    assert_eq!((next.probe.writes(), last.probe.writes()), (2, 0));
}

/// The same, if it was under way.
#[test]
fn a_resume_that_was_under_way_is_told_as_it_ended() {
    let stalls = "program stalls(p: Probe) -> int at most 1 writes {
      p.add(1)
      return p.put(\"text\", 2)
    }";
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    assert!(run(&fixture.client(), &program(stalls)).kept.is_some());
    let killed = copied(dir.path());
    let next = Fixture::sturdy(Policy::default(), killed.path());
    let client = next.client();
    let running = client.resume(&more(1)).expect("it is sent");
    wait_until(|| next.probe.stalling());
    let killed = copied(killed.path());
    let last = Fixture::sturdy(Policy::default(), killed.path());
    let told: Outcome = resumed(&last, &more(1));
    assert_eq!(told.end, End::ServerEnded { in_doubt: true });
    assert_eq!((last.probe.writes(), resumed(&last, &more(1))), (0, told));
    next.probe.let_go();
    running.wait(&mut |_| {}).expect("the server answers");
}

/// Whatever becomes of its file.
#[test]
fn what_was_discarded_stays_so() {
    let dir = directory();
    let (_, killed) = stopped(dir.path());
    let kept = std::fs::read_dir(killed.path().join("kept")).expect("it is there").next();
    let path = kept.expect("there is one").expect("it is read").path();
    let bytes = std::fs::read(&path).expect("it is read");
    let next = Fixture::sturdy(Policy::default(), killed.path());
    assert!(next.client().discard(ID).expect("the server answers"));
    assert_eq!(files(killed.path()), 0);
    std::fs::write(&path, bytes).expect("there is room");
    let killed = copied(killed.path());
    let last = Fixture::sturdy(Policy::default(), killed.path());
    assert_eq!(resumed(&last, &more(1)).end, End::Refused(Refusal::NotKept));
    let Asked::Ended(outcome) = asked(&last) else { panic!("it has a receipt") };
    assert_eq!((outcome.kept, outcome.receipt.writes), (None, 3));
    assert_eq!(listed(&last), []);
}

#[test]
fn runs_that_cannot_be_taken_over_are_told_to_the_operator() {
    let small = Policy { kept_max: 0, kept_per_principal_max: 0, ..Policy::default() };
    let no_place = Policy { runs_max: 0, ..small.clone() };
    let none = |_: &std::path::Path| {};
    let no_program = |dir: &std::path::Path| {
        std::fs::remove_dir_all(dir.join("programs")).expect("it is there");
    };
    type Change<'a> = &'a dyn Fn(&std::path::Path);
    let cases: [(_, _, Change<'_>, &str); 4] = [
        (program(FIVE), small, &none, "there is no room for it among what this server keeps"),
        (program(FIVE), no_place, &none, "this server runs and keeps fewer runs at a time"),
        (program(FIVE), Policy::default(), &no_program, " is missing, its program"),
        (holding("brittle"), Policy::default(), &none, "it holds a probe.Probe that is brittle"),
    ];
    for (source, policy, change, why) in cases {
        let dir = directory();
        let fixture = Fixture::sturdy(Policy::default(), dir.path());
        assert!(run(&fixture.client(), &source).kept.is_some(), "{why}");
        assert_eq!(fixture.programs.not_taken(), []);
        let killed = copied(dir.path());
        change(killed.path());
        let next = Fixture::sturdy(policy, killed.path());
        let told: Vec<NotTaken> = next.programs.not_taken();
        assert!(matches!(&told[..], [one] if one.run == "mine" && one.why.ends_with(why)), "{told:?}");
        assert!(!told[0].program.is_empty() && !told[0].principal.is_empty());
    }
}

/// Its program, and all names, not only its variables.
#[test]
fn what_is_taken_over_counts_as_much_as_it_will_take() {
    let texts: String =
        ('a'..='o').map(|c| format!("  let {c} = \"{}\"\n", c.to_string().repeat(4_000))).collect();
    let lengths: String = ('a'..='o').map(|c| format!(" + {c}.len")).collect();
    let source = format!(
        "program five(p: Probe) -> int at most 1 writes {{\n{texts}  p.add(1)\n  return p.add(2){lengths}\n}}"
    );
    let dir = directory();
    let fixture = Fixture::sturdy(Policy::default(), dir.path());
    assert!(run(&fixture.client(), &program(&source)).kept.is_some());
    for (kept_bytes_max, is_kept) in [(2 << 20, true), (300 << 10, false)] {
        let killed = copied(dir.path());
        let next = Fixture::sturdy(Policy { kept_bytes_max, ..Policy::default() }, killed.path());
        assert_eq!(
            (listed(&next).len() == 1, next.programs.not_taken().len()),
            (is_kept, usize::from(!is_kept))
        );
    }
}

/// Whoever asks for the same step waits for it, whenever it was found to be running; whoever asks for another one is told so.
#[test]
fn who_asks_for_a_step_that_is_under_way_waits_for_it() {
    let stalls = "program stalls(p: Probe) -> int at most 1 writes {
      p.add(1)
      return p.put(\"text\", 2)
    }";
    let fixture = Fixture::new(Policy::default());
    assert!(run(&fixture.client(), &program(stalls)).kept.is_some());
    let (first, second) = (fixture.client(), fixture.client());
    let running = first.resume(&more(1)).expect("it is sent");
    wait_until(|| fixture.probe.stalling());
    let (asked, stop) = second.ask_with_stop(ID).expect("the server answers");
    assert_eq!((asked, stop), (Asked::Running, Some(1)));
    let again = second.resume(&more(1)).expect("it is sent");
    let other = ResumeRequest { raises: Vec::new(), ..more(1) };
    assert_eq!(resumed(&fixture, &other).end, End::Refused(Refusal::WentOn));
    fixture.probe.let_go();
    let told = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!(again.wait(&mut |_| {}).expect("the server answers"), told);
    let (asked, stop) = second.ask_with_stop(ID).expect("the server answers");
    assert_eq!((asked, stop), (Asked::Ended(Box::new(told)), None));
}

/// What there is of a run whose file is gone.
fn lost(fixture: &Fixture) -> (Outcome, Vec<NotTaken>) {
    assert_eq!(listed(fixture), []);
    assert_eq!(resumed(fixture, &more(1)).end, End::Refused(Refusal::NotKept));
    let Asked::Ended(outcome) = asked(fixture) else { panic!("it has a receipt") };
    (*outcome, fixture.programs.not_taken())
}

/// Somebody removed it, or the disk lost it: that is told when the server begins, and to whoever asks for the run from then on.
#[test]
fn a_kept_run_whose_file_is_missing_is_told() {
    let dir = directory();
    let (told, killed) = stopped(dir.path());
    std::fs::remove_dir_all(killed.path().join("kept")).expect("it is there");
    let next = Fixture::sturdy(Policy::default(), killed.path());
    let (outcome, not_taken) = lost(&next);
    let why = "kept/0 is missing, what was kept of it";
    let [one] = &not_taken[..] else { panic!("{not_taken:?}") };
    assert_eq!((&*one.run, &*one.why), ("mine", why));
    let cannot_go_on = Some(why.to_owned());
    assert_eq!(outcome, Outcome { kept: None, cannot_go_on, ..told });
    assert_eq!(next.client().discard(ID), Ok(false));
    // The next one knows it as well, and whoever runs it was told.
    let killed = copied(killed.path());
    assert_eq!(lost(&Fixture::sturdy(Policy::default(), killed.path())), (outcome, Vec::new()));
}

/// How the file of a run goes.
type Goes = fn(&Fixture);

/// Files go by themselves: when the time of a run is over, when others take its place, when it went on or was let go, and when a server
/// takes over less than there is. None of that is a loss, nor is it when the server is killed before the file is gone.
#[test]
fn a_file_that_went_by_itself_is_not_missed() {
    let goes: [(&str, Goes); 4] = [
        ("it went on", |fixture| assert_eq!(resumed(fixture, &more(1)).end, End::Done)),
        ("let go", |fixture| assert_eq!(fixture.client().discard(ID), Ok(true))),
        ("another took its place", |fixture| {
            let bytes = program(FIVE);
            let other = RunRequest { name: "other", ..on_root(77, &bytes) };
            let client = fixture.client();
            assert!(client.run(&other, &[&client.transport().root()]).expect("it answers").kept.is_some());
        }),
        ("its time was over", |fixture| wait_until(|| listed(fixture).is_empty())),
    ];
    for (how, go) in goes {
        let kept_for = Duration::from_secs(if how == "its time was over" { 1 } else { 600 });
        let policy = Policy { kept_max: 1, kept_for, ..Policy::default() };
        let dir = directory();
        let fixture = Fixture::sturdy(policy.clone(), dir.path());
        assert!(run(&fixture.client(), &program(FIVE)).kept.is_some(), "{how}");
        go(&fixture);
        wait_until(|| !dir.path().join("kept/0").exists());
        let mut killed = copied(dir.path());
        for server in ["the next", "the one after it"] {
            let next = Fixture::sturdy(policy.clone(), killed.path());
            assert_eq!(next.programs.not_taken(), [], "{how}, {server}");
            let Asked::Ended(outcome) = asked(&next) else { panic!("it has a receipt") };
            assert_eq!((outcome.kept, outcome.cannot_go_on), (None, None), "{how}, {server}");
            killed = copied(killed.path());
        }
    }
}

/// The places of the journal are others' by then.
#[test]
fn what_an_earlier_server_kept_is_missed_by_the_next_alone() {
    let dir = directory();
    let (_, killed) = stopped(dir.path());
    // It takes none over, and says so.
    let none = Policy { kept_max: 0, kept_per_principal_max: 0, ..Policy::default() };
    let next = Fixture::sturdy(none, killed.path());
    assert_eq!(next.programs.not_taken().len(), 1);
    let killed = copied(killed.path());
    assert_eq!(files(killed.path()), 0);
    assert_eq!(Fixture::sturdy(Policy::default(), killed.path()).programs.not_taken(), []);
}
