//! Sending if one loop serves all clients: it must wait for none of them.
//!
//! ```text
//! the loop's own reply ──► client ──► what it does not take: queue ──► the loop, when the client takes more
//! another thread ──► waits until the queue is empty ──► client ─┘ ──► waits again, without the lock
//! ```
//! The loop begins no request of a client that has something in its queue. So there is never more in it than what one
//! request is answered with, and what a program of the same client was sending; a frame has a limit. What is queued must
//! be gone in the time that a client has to read a reply.

use std::io::IoSlice;
use std::sync::atomic::Ordering;
use std::sync::{MutexGuard, PoisonError};
use std::time::Instant;

use rustix::io::Errno;

use super::{Failure, Lent, Outbox, OutboxState, SLICES_MAX, Sender, Sending, Session, Taken, lock};
use crate::one_loop::{Notice, Notices, may_wait};
use crate::stream::Progress;

/// Bytes of a reply whose memory a session keeps while it is idle.
const IDLE_BUFFER_BYTES_MAX: usize = 1 << 10;

impl Session {
    /// As [`Session::send`]. The loop queues what the client does not take; whoever else sends waits until the queue is
    /// empty, before and after.
    pub(super) fn send_beside_loop<'a>(
        &self,
        notices: &Notices,
        mut sender: Sender<'_>,
        build: impl FnOnce(&mut Vec<u8>) -> Result<Lent<'a>, Failure>,
    ) -> Result<(), Failure> {
        let waits = may_wait();
        let mut outbox = lock(&self.outbox);
        if waits {
            outbox = self.wait_until_sent(outbox, &mut sender);
        }
        outbox.buffer.clear();
        let lent = build(&mut outbox.buffer)?;
        if outbox.state == OutboxState::Broken {
            return Ok(());
        }
        let Outbox { buffer, unsent, .. } = &mut *outbox;
        let mut slices = [IoSlice::new(&[]); SLICES_MAX];
        let count = lent.slices(buffer, &mut slices);
        let mut sending = Sending::new(slices, count);
        let sent = if unsent.is_empty() { sending.as_far_as(self.link()) } else { Ok(Progress::Some) };
        if sent == Ok(Progress::Some) {
            unsent.append(&sending);
        }
        if sent.and_then(|_| self.note_backlog(&mut outbox, notices)).is_err() {
            self.give_up(&mut outbox);
        } else if waits {
            drop(self.wait_until_sent(outbox, &mut sender));
        }
        Ok(())
    }

    /// Remembers whether something is left, and has the loop send it then.
    pub(super) fn note_backlog(&self, outbox: &mut Outbox, notices: &Notices) -> Result<(), Errno> {
        let is_left = !outbox.unsent.is_empty() || self.flush_link()? == Taken::Part;
        if !is_left {
            outbox.waits_since = None;
            if self.is_backlogged.swap(false, Ordering::Relaxed) {
                self.sent.notify_all();
            }
        } else if outbox.waits_since.is_none() {
            outbox.waits_since = Some(Instant::now());
            self.is_backlogged.store(true, Ordering::Relaxed);
            notices.tell(Notice::Attend(self.caller.session));
        }
        Ok(())
    }

    /// Waits until the loop has sent what is queued; gives the client up if it does not read that in time.
    fn wait_until_sent<'s>(
        &'s self,
        outbox: MutexGuard<'s, Outbox>,
        sender: &mut Sender<'_>,
    ) -> MutexGuard<'s, Outbox> {
        let is_left = |outbox: &mut Outbox| outbox.waits_since.is_some();
        if outbox.waits_since.is_none() {
            return outbox;
        }
        sender.waits();
        let waited = self.sent.wait_timeout_while(outbox, self.limits.write_timeout, is_left);
        let (mut outbox, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() && outbox.state == OutboxState::Open {
            self.give_up(&mut outbox);
        }
        outbox
    }

    /// The loop sends what is queued, as far as the client takes it; since when the rest waits, if there is any.
    pub(crate) fn send_queued(&self) -> Option<Instant> {
        let notices = self.notices.as_deref()?;
        if !self.is_backlogged.load(Ordering::Relaxed) {
            return None;
        }
        let mut outbox = lock(&self.outbox);
        let mut sending = outbox.unsent.sending();
        let sent = sending.as_far_as(self.link());
        let left = sending.left();
        outbox.unsent.keep_last(left);
        if sent.and_then(|_| self.note_backlog(&mut outbox, notices)).is_err() {
            self.give_up(&mut outbox);
        }
        outbox.waits_since
    }

    /// Whether something is queued for the loop to send.
    #[inline]
    pub(crate) fn is_backlogged(&self) -> bool {
        self.is_backlogged.load(Ordering::Relaxed)
    }

    /// The client did not read what is queued in time.
    pub(crate) fn give_up_queued(&self) {
        self.give_up(&mut lock(&self.outbox));
    }

    /// Gives memory back that long replies took.
    pub(crate) fn trim(&self) {
        let mut outbox = lock(&self.outbox);
        if outbox.buffer.capacity() > IDLE_BUFFER_BYTES_MAX {
            outbox.buffer = Vec::new();
        }
    }
}
