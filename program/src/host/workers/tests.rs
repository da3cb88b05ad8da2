//! Threads, the lock and the condition variable: what the model of the crew cannot show.

use std::sync::mpsc::{Receiver, channel};

use super::*;
use crate::interp::CANCEL;

/// Longer than any of this takes on a machine that is busy.
const AT_MOST: Duration = Duration::from_secs(60);

fn far() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

/// Gives work that tells what its interrupt says when it begins.
fn give(workers: &Workers, deadline: Instant, interrupt: &Arc<AtomicU32>) -> Receiver<u32> {
    let (telling, told) = channel();
    let seen = Arc::clone(interrupt);
    let does = move || {
        // Whoever gave it may be gone.
        let _ = telling.send(seen.load(Ordering::Relaxed));
    };
    workers.run(Box::new(does), deadline, Arc::clone(interrupt));
    told
}

/// All threads of `workers` are at work until the returned is dropped.
fn occupied(workers: &Workers, threads: usize) -> Vec<std::sync::mpsc::Sender<()>> {
    let occupy = |_| {
        let ((hold, held), (telling, told)) = (channel::<()>(), channel());
        let does = move || {
            telling.send(()).expect("the test waits for it");
            // It ends when the other end is dropped.
            let _ = held.recv();
        };
        workers.run(Box::new(does), far(), Arc::default());
        told.recv_timeout(AT_MOST).expect("a thread is free");
        hold
    };
    (0..threads).map(occupy).collect()
}

/// Threads that give up waiting at the same time as work comes, on and on.
#[test]
fn all_work_is_done_however_short_threads_wait() {
    for idle_us in [0, 20, 200] {
        let workers = Workers::with_idle(3, Duration::from_micros(idle_us), Box::new(|| {}));
        thread::scope(|scope| {
            for giver in 0..4_u32 {
                let workers = &workers;
                scope.spawn(move || {
                    for round in 0..1_000 {
                        let told = give(workers, far(), &Arc::default());
                        told.recv_timeout(AT_MOST).expect("it is done");
                        // So that threads are met in each phase of their wait.
                        (0..(round * 7 + giver * 13) % 50 * 40).for_each(|_| std::hint::spin_loop());
                    }
                });
            }
        });
    }
}

/// Throws another at its end.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::panic_any(Bomb);
    }
}

/// A thread that did not come back from it would be counted for ever, and there is one only.
#[test]
fn a_thread_outlives_what_was_thrown() {
    let workers = Workers::new(1, Box::new(|| {}));
    for _ in 0..3 {
        workers.run(Box::new(|| std::panic::panic_any(Bomb)), far(), Arc::default());
        assert_eq!(give(&workers, far(), &Arc::default()).recv_timeout(AT_MOST), Ok(0));
    }
}

#[test]
fn work_that_no_thread_has_begun_ends_at_its_deadline() {
    let workers = Workers::new(2, Box::new(|| {}));
    let held = occupied(&workers, 2);
    let told = give(&workers, Instant::now() + Duration::from_millis(1), &Arc::default());
    assert_eq!(told.recv_timeout(AT_MOST), Ok(DEADLINE));
    drop(held);
}

#[test]
fn work_that_no_thread_has_begun_ends_when_it_is_cancelled() {
    let workers = Workers::new(1, Box::new(|| {}));
    let held = occupied(&workers, 1);
    let (waits, cancelled) = (Arc::default(), Arc::default());
    let (waiting, told) = (give(&workers, far(), &waits), give(&workers, far(), &cancelled));
    cancelled.fetch_or(CANCEL, Ordering::Relaxed);
    workers.end_interrupted();
    assert_eq!(told.recv_timeout(AT_MOST), Ok(CANCEL));
    // It was cancelled before it was given: who did that found it in no queue.
    let early = Arc::new(AtomicU32::new(CANCEL));
    assert_eq!(give(&workers, far(), &early).recv_timeout(AT_MOST), Ok(CANCEL));
    assert!(waiting.try_recv().is_err(), "the thread is held");
    drop(held);
    assert_eq!(waiting.recv_timeout(AT_MOST), Ok(0));
}
