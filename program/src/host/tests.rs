//! Runs that begin when answers were read.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use rustix::thread::gettid;

use super::*;
use crate::journal::{Bounds, Resumed, Who};
use crate::protocol::{InDoubt, Kept, StoppedCall};

fn key(principal: &str) -> Key {
    Key { principal: principal.into(), id: RunId(7) }
}

/// A thread that asks to run. It tells its number, then whether it is not held up any more.
fn asks(inner: &Arc<Inner>, within: Duration) -> (i32, Receiver<bool>) {
    let inner = Arc::clone(inner);
    let ((asking, asked), (telling, told)) = (channel(), channel());
    thread::spawn(move || {
        asking.send(gettid().as_raw_nonzero().get()).expect("the test waits for it");
        let begins = !inner.when_let_go(&key("alice"), within).is_held_up(&key("alice"));
        // The test is over if nobody listens.
        let _ = telling.send(begins);
    });
    (asked.recv().expect("it asks"), told)
}

fn sleeps(thread: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('S'))
}

#[test]
fn a_run_begins_when_the_answer_before_it_was_read() {
    let policy = Policy { runs_per_principal_max: 2, ..Policy::default() };
    let inner = Programs::new(&[], policy).inner;
    let alice: Arc<str> = "alice".into();
    (0..2).for_each(|_| lock(&inner.runs).hold_up(&alice));
    assert!(!lock(&inner.runs).is_held_up(&key("bob")), "others have their share");
    let (_, begins) = asks(&inner, Duration::from_millis(1));
    assert_eq!(begins.recv(), Ok(false), "nobody lets go");
    let (thread, begins) = asks(&inner, Duration::from_secs(3600));
    while !sleeps(thread) {
        assert_eq!(begins.try_recv(), Err(TryRecvError::Empty), "it did not wait");
        thread::yield_now();
    }
    inner.let_go(&alice);
    assert_eq!(begins.recv_timeout(Duration::from_secs(30)), Ok(true));
}

/// A server is killed when a run has just gone on from a call in doubt: the run began no call since, and that one is in doubt.
#[test]
fn a_run_that_went_on_from_a_call_in_doubt_left_it_so() {
    let dir = tempfile::tempdir().expect("there is room");
    let policy = Policy::default();
    let bounds = Bounds { places: policy.runs_max + policy.kept_max, programs: 4, program_bytes: 1 << 20 };
    let (journal, _) = Journal::open(dir.path(), &bounds).expect("it is new");
    let (principal, name): (Arc<str>, _) = ("alice".into(), "nightly".to_owned());
    let who = Who { principal, id: 7, digest: 7, name, stops: 0, serial: 0, resumed: None };
    let bytes = b"bytecode";
    let mut record = journal.begin(who, &crate::bill::hash(bytes), bytes).expect("there is a place");
    let call = StoppedCall {
        operation: "Store.add".to_owned(),
        register: 0,
        arguments: Vec::new(),
        interrupted: false,
    };
    let stopped = Outcome {
        call: Some(call.clone()),
        kept: Some(Kept { stop: 1, for_s: 60, portals: 1, in_doubt: InDoubt::Repeat, short_of: [None; 4] }),
        ..no_account_of(End::CallInDoubt { message: "nobody answered".to_owned() })
    };
    journal.ended(&mut record, &stopped.encode());
    record.go_on(Resumed { stop: 1, changes: [0; 32] });
    let killed = tempfile::tempdir().expect("there is room");
    for below in ["", "programs"] {
        std::fs::create_dir_all(killed.path().join(below)).expect("there is room");
        let files = std::fs::read_dir(dir.path().join(below)).expect("it is there").flatten();
        for file in files.filter(|file| file.path().is_file()) {
            let copy = killed.path().join(below).join(file.file_name());
            std::fs::copy(file.path(), copy).expect("there is room");
        }
    }
    let next = Programs::journalled(&[], policy, killed.path()).expect("it is as it was left");
    let Found::Ended(told) = lock(&next.inner.runs).find(&key("alice")) else { panic!("it is known") };
    let told = Outcome::decode(&told).expect("an outcome");
    assert_eq!((told.end, told.call), (End::ServerEnded { in_doubt: true }, Some(call)));
}
