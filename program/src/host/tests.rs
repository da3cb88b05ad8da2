//! Runs that begin when answers were read.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use rustix::thread::gettid;

use super::*;

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
