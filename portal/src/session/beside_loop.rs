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
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::{Failure, Lent, Outbox, OutboxState, SLICES_MAX, Sender, Sending, Session, Taken, lock};
use crate::one_loop::{Notice, Notices, may_wait};
use crate::stream::Progress;
use crate::worker::Rest;

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
            outbox.waits = None;
            if self.is_backlogged.swap(false, Ordering::Relaxed) {
                self.sent.notify_all();
            }
        } else if outbox.waits.is_none() {
            outbox.waits = Some(Rest::new(self.link().gone(0), Instant::now()));
            self.is_backlogged.store(true, Ordering::Relaxed);
            notices.tell(Notice::Attend(self.caller.session));
        }
        Ok(())
    }

    /// Waits until the loop has sent what is queued; gives the client up if it does not read that in time.
    fn wait_until_sent<'s>(
        &'s self,
        mut outbox: MutexGuard<'s, Outbox>,
        sender: &mut Sender<'_>,
    ) -> MutexGuard<'s, Outbox> {
        if outbox.waits.is_none() {
            return outbox;
        }
        sender.waits();
        while let Some(due) = outbox.waits.map(|rest| rest.due(self.limits.write_timeout)) {
            let left = due.map(|due| due.saturating_duration_since(Instant::now()));
            // The loop may not have come to it.
            if left == Some(Duration::ZERO) && !self.has_sent_more(&mut outbox) {
                self.give_up(&mut outbox);
            }
            outbox = match left {
                Some(left) => {
                    let waited = self.sent.wait_timeout_while(outbox, left, |outbox| outbox.waits.is_some());
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.sent.wait(outbox).unwrap_or_else(PoisonError::into_inner),
            };
        }
        outbox
    }

    /// Sends as much of what is queued as the client takes at once; whether its time began anew, or nothing is left.
    fn has_sent_more(&self, outbox: &mut Outbox) -> bool {
        let Some(notices) = self.notices.as_deref() else { return true };
        let before = outbox.waits;
        self.send_more(outbox, notices);
        outbox.waits.is_none_or(|rest| before.is_none_or(|before| rest.since() > before.since()))
    }

    fn send_more(&self, outbox: &mut Outbox, notices: &Notices) {
        let mut sending = outbox.unsent.sending();
        let all = sending.left();
        let sent = sending.as_far_as(self.link());
        let left = sending.left();
        outbox.unsent.keep_last(left);
        if sent.and_then(|_| self.note_backlog(outbox, notices)).is_err() {
            self.give_up(outbox);
        }
        if let Some(rest) = &mut outbox.waits {
            let gone = self.link().gone(rest.here() + (all - left));
            rest.note(gone, self.limits.frame_bytes_min, Instant::now);
        }
    }

    /// The loop sends what is queued, as far as the client takes it; since when the next bytes of the rest wait, if there is any.
    pub(crate) fn send_queued(&self) -> Option<Instant> {
        let notices = self.notices.as_deref()?;
        if !self.is_backlogged.load(Ordering::Relaxed) {
            return None;
        }
        let mut outbox = lock(&self.outbox);
        self.send_more(&mut outbox, notices);
        outbox.waits.map(|rest| rest.since())
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
