//! The thread that waits for sockets while the loop sleeps on bells.
//!
//! ```text
//! loop:    SEEN ─► WATCHING, wake ─ sleep while it is WATCHING ─ SEEN? ask the sockets
//! watcher: wait while it is SEEN ─ wait for a socket ─ WATCHING ─► SEEN, wake
//! ```
//! What was ready before it began to watch is ready still, so that nothing is missed. It serves nobody.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Acquire, Ordering::Relaxed, Ordering::SeqCst};
use std::thread::JoinHandle;

use carnet_queue::Bell;
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::thread::futex;

use super::poll::Poll;

/// A socket was ready, or nobody has asked yet.
const SEEN: u32 = 0;
/// The watcher waits for the sockets.
const WATCHING: u32 = 1;
/// The watcher must end.
const OVER: u32 = 2;

/// It ends when this is dropped.
pub(super) struct Watcher {
    watch: Arc<Watch>,
    thread: Option<JoinHandle<()>>,
}

struct Watch {
    state: AtomicU32,
    sockets: Arc<OwnedFd>,
    /// Readable when the watcher must end.
    end: OwnedFd,
}

impl Watcher {
    pub(super) fn start(poll: &Poll) -> std::io::Result<Watcher> {
        let end = eventfd(0, EventfdFlags::CLOEXEC)?;
        let watch = Arc::new(Watch { state: AtomicU32::new(SEEN), sockets: poll.descriptor(), end });
        let shared = Arc::clone(&watch);
        let thread = std::thread::Builder::new().name("carnet-watcher".to_owned());
        let thread = thread.spawn(move || shared.run())?;
        Ok(Watcher { watch, thread: Some(thread) })
    }

    /// Has it wait for the sockets, unless it does. What rings when one of them is ready.
    pub(super) fn watch(&self) -> Bell<'_> {
        if self.watch.state.compare_exchange(SEEN, WATCHING, SeqCst, Relaxed).is_ok() {
            wake(&self.watch.state);
        }
        Bell { word: &self.watch.state, value: WATCHING }
    }

    /// Whether a socket was ready since.
    pub(super) fn has_seen(&self) -> bool {
        self.watch.state.load(Acquire) == SEEN
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.watch.state.store(OVER, SeqCst);
        wake(&self.watch.state);
        // It counts to 2^64, so that there is always room.
        let _ = rustix::io::write(&self.watch.end, &1_u64.to_ne_bytes());
        // It does not panic.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Watch {
    fn run(&self) {
        loop {
            match self.state.load(Acquire) {
                OVER => return,
                WATCHING => self.watch(),
                // However it ends, the state is looked at again.
                state => drop(futex::wait(&self.state, futex::Flags::empty(), state, None)),
            }
        }
    }

    fn watch(&self) {
        let wait = |fd| PollFd::new(fd, PollFlags::IN);
        let waited = poll(&mut [wait(&*self.sockets), wait(&self.end)], None);
        let seen = || self.state.compare_exchange(WATCHING, SEEN, SeqCst, Relaxed);
        if waited.is_ok() && seen().is_ok() {
            wake(&self.state);
        }
    }
}

fn wake(word: &AtomicU32) {
    // Nobody to wake is no fault.
    let _ = futex::wake(word, futex::Flags::empty(), i32::MAX as u32);
}
