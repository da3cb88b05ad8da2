//! What blocks is done by worker threads, while the domain runs its other threads.
//!
//! There is one for standard input, begun when it is read first. It reads as much as was asked for and no more, and ends with the
//! input; one that blocks for ever stays behind when the domain goes.

use std::io::Read as _;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::Domain;
use crate::thread::{ThreadId, Wait};

/// What was done for a thread.
type Done = (ThreadId, std::io::Result<Vec<u8>>);

/// Worker threads of a domain.
pub(crate) struct Work {
    done: (Sender<Done>, Receiver<Done>),
    /// How many threads wait for an answer.
    asked: u32,
    input: Option<Sender<(ThreadId, usize)>>,
}

impl Work {
    pub(super) fn new() -> Work {
        Work { done: channel(), asked: 0, input: None }
    }
}

impl Domain {
    /// Lets a worker read so many bytes of standard input at most, for a thread that waits until then.
    ///
    /// # Errors
    /// If there can be no worker.
    pub(crate) fn read_input(&mut self, thread: ThreadId, count: usize) -> std::io::Result<()> {
        if self.work.input.is_none() {
            let mut input = std::mem::replace(&mut self.io.input, Box::new(std::io::empty()));
            let (sender, asked) = channel::<(ThreadId, usize)>();
            let done = self.work.done.0.clone();
            std::thread::Builder::new().name("input".to_owned()).spawn(move || {
                for (thread, count) in asked {
                    let mut bytes = vec![0; count];
                    let read = input.read(&mut bytes).map(|read| {
                        bytes.truncate(read);
                        bytes
                    });
                    if done.send((thread, read)).is_err() {
                        return;
                    }
                }
            })?;
            self.work.input = Some(sender);
        }
        let gone = || std::io::Error::other("standard input is gone");
        let sent = self.work.input.as_ref().map(|input| input.send((thread, count)));
        sent.and_then(Result::ok).ok_or_else(gone)?;
        self.work.asked += 1;
        Ok(())
    }

    /// Whether a worker has something to do.
    pub(super) fn is_working(&self) -> bool {
        self.work.asked > 0
    }

    /// Wakes the threads that workers are done for; waits for the first one for so long.
    pub(super) fn take_answers(&mut self, wait: Duration) {
        let first = match wait {
            Duration::ZERO => self.work.done.1.try_recv().ok(),
            wait => self.work.done.1.recv_timeout(wait).ok(),
        };
        let Some(first) = first else { return };
        let more: Vec<Done> = self.work.done.1.try_iter().collect();
        for (id, answer) in std::iter::once(first).chain(more) {
            self.work.asked = self.work.asked.saturating_sub(1);
            let Some(thread) = self.other(id).filter(|thread| thread.wait == Wait::Work) else { continue };
            thread.answer = Some(answer);
            self.wake(id);
        }
    }
}
