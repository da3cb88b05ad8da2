//! What blocks is done by worker threads, while the domain runs its other threads.
//!
//! There is one for standard input, begun when it is read first. It reads as much as was asked for and no more, and ends with the
//! input; one that blocks for ever stays behind when the domain goes. Those for [output](super::output) are like it.

use std::io::Read;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::Domain;
use super::output::{Stream, Writer};
use crate::io::{Io, Output};
use crate::thread::{ThreadId, Wait};

/// What was done.
pub(super) enum Done {
    /// For a thread.
    Read(ThreadId, std::io::Result<Vec<u8>>),
    /// So many bytes were written to a stream, or not.
    Written(Stream, Output, usize, std::io::Result<()>),
}

/// Worker threads of a domain.
pub(crate) struct Work {
    done: (Sender<Done>, Receiver<Done>),
    /// How many threads wait for input.
    asked: u32,
    input: Input,
    pub(super) output: Writer,
    pub(super) error: Writer,
}

/// Standard input.
enum Input {
    /// Nobody read it.
    Fresh(Box<dyn Read + Send>),
    /// Its worker takes such requests.
    Worker(Sender<(ThreadId, usize)>),
}

impl Work {
    pub(super) fn new(io: Io) -> Work {
        let done = channel();
        let writer = |stream, to| Writer::new(stream, to, done.0.clone());
        let (output, error) = (writer(Stream::Output, io.output), writer(Stream::Error, io.error));
        Work { done, asked: 0, input: Input::Fresh(io.input), output, error }
    }
}

impl Domain {
    /// Lets a worker read so many bytes of standard input at most, for a thread that waits until then.
    ///
    /// # Errors
    /// If there can be no worker.
    pub(crate) fn read_input(&mut self, thread: ThreadId, count: usize) -> std::io::Result<()> {
        if let Input::Fresh(input) = &mut self.work.input {
            let mut input = std::mem::replace(input, Box::new(std::io::empty()));
            let (sender, asked) = channel::<(ThreadId, usize)>();
            let done = self.work.done.0.clone();
            std::thread::Builder::new().name("input".to_owned()).spawn(move || {
                for (thread, count) in asked {
                    let mut bytes = vec![0; count];
                    let read = input.read(&mut bytes).map(|read| {
                        bytes.truncate(read);
                        bytes
                    });
                    if done.send(Done::Read(thread, read)).is_err() {
                        return;
                    }
                }
            })?;
            self.work.input = Input::Worker(sender);
        }
        let gone = || std::io::Error::other("standard input is gone");
        let Input::Worker(input) = &self.work.input else { return Err(gone()) };
        input.send((thread, count)).map_err(|_| gone())?;
        self.work.asked += 1;
        Ok(())
    }

    /// Whether a worker has something to do.
    pub(super) fn is_working(&self) -> bool {
        self.work.asked > 0 || self.work.output.is_working() || self.work.error.is_working()
    }

    /// Takes what workers are done with, and wakes who waited for it; waits for the first one for so long.
    pub(super) fn take_answers(&mut self, wait: Duration) {
        let first = match wait {
            Duration::ZERO => self.work.done.1.try_recv().ok(),
            wait => self.work.done.1.recv_timeout(wait).ok(),
        };
        let Some(first) = first else { return };
        let more: Vec<Done> = self.work.done.1.try_iter().collect();
        for done in std::iter::once(first).chain(more) {
            match done {
                Done::Read(id, answer) => {
                    self.work.asked = self.work.asked.saturating_sub(1);
                    if let Some(thread) = self.other(id).filter(|thread| thread.wait == Wait::Work) {
                        thread.answer = Some(answer);
                        self.wake(id);
                    }
                }
                Done::Written(stream, to, count, written) => self.written(stream, to, count, written),
            }
        }
    }
}
