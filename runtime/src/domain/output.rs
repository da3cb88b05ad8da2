//! Standard output and error: what can be written without waiting is written by who runs, the rest by a worker.
//!
//! ```text
//! write ─► held ─┬─ there is room ─► written
//!                └─ there is none ─► a worker, and who writes on waits once as much is held as may be
//! ```
//!
//! Each stream has a worker of its own, begun when it is needed first, that has the stream while it writes; so order is kept. One that
//! is never read from stays behind with its worker when the domain goes.

use std::sync::mpsc::{SendError, Sender, channel};
use std::time::{Duration, Instant};

use super::work::Done;
use super::{Domain, Ended, schedule::IDLE};
use crate::io::Output;
use crate::thread::{Thread, ThreadId, Wait};

/// As much is held at most before who writes waits.
pub(crate) const HELD_MAX: usize = 64 << 10;

/// One of the two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Output,
    Error,
}

impl Stream {
    fn other(self) -> Stream {
        match self {
            Stream::Output => Stream::Error,
            Stream::Error => Stream::Output,
        }
    }
}

/// A stream as the domain has it.
pub(super) struct Writer {
    stream: Stream,
    /// Where it goes; a worker has it otherwise.
    to: Option<Output>,
    worker: Option<Sender<(Output, Vec<u8>)>>,
    done: Sender<Done>,
    /// What was not passed on yet.
    held: Vec<u8>,
    /// Bytes that were written to it.
    taken: u64,
    /// How many of these have left it.
    passed: u64,
    /// What could not be written, for who writes next.
    failed: Option<std::io::Error>,
    /// Who waits for a worker.
    waiting: Vec<ThreadId>,
}

impl Writer {
    pub(super) fn new(stream: Stream, to: Output, done: Sender<Done>) -> Writer {
        Writer {
            stream,
            to: Some(to),
            worker: None,
            done,
            held: Vec::new(),
            taken: 0,
            passed: 0,
            failed: None,
            waiting: Vec::new(),
        }
    }

    /// Whether a worker has it.
    pub(super) fn is_working(&self) -> bool {
        self.to.is_none()
    }

    /// Takes what fits, which is nothing while a worker is behind. Returns how much that was.
    fn take(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(HELD_MAX.saturating_sub(self.held.len()));
        self.held.extend_from_slice(&bytes[..count]);
        self.taken += count as u64;
        if self.to.as_ref().is_some_and(|to| self.held.len() > to.holds) {
            self.pass_on();
        }
        count
    }

    /// Writes what is held, as far as that does not wait; a worker writes the rest.
    fn pass_on(&mut self) {
        if self.held.is_empty() {
            return;
        }
        let Some(mut to) = self.to.take() else { return };
        let written = to.write_ready(&self.held).unwrap_or_else(|error| {
            self.failed = Some(error);
            self.held.len()
        });
        self.held.drain(..written);
        self.passed += written as u64;
        if self.held.is_empty() {
            self.to = Some(to);
            return;
        }
        let bytes = std::mem::take(&mut self.held);
        let worker = match &self.worker {
            Some(worker) => worker,
            None => self.worker.insert(writing(self.stream, self.done.clone())),
        };
        if let Err(SendError((to, bytes))) = worker.send((to, bytes)) {
            // There can be no worker.
            self.to = Some(to);
            self.passed += bytes.len() as u64;
            self.failed = Some(std::io::Error::other("no thread to write"));
            self.worker = None;
        }
    }
}

/// A worker for a stream. Nobody receives if there can be none.
fn writing(stream: Stream, done: Sender<Done>) -> Sender<(Output, Vec<u8>)> {
    let (sender, asked) = channel::<(Output, Vec<u8>)>();
    let work = move || {
        for (mut to, bytes) in asked {
            let written = to.write_all(&bytes);
            if done.send(Done::Written(stream, to, bytes.len(), written)).is_err() {
                return;
            }
        }
    };
    // Without a thread the receiver is gone, and whoever sends gets back what was sent.
    let _ = std::thread::Builder::new().name("output".to_owned()).spawn(work);
    sender
}

impl Domain {
    fn writer(&mut self, stream: Stream) -> &mut Writer {
        match stream {
            Stream::Output => &mut self.work.output,
            Stream::Error => &mut self.work.error,
        }
    }

    /// Writes to a stream. Returns how much of it was taken; with none, the thread waits until more can be.
    ///
    /// # Errors
    /// What was written could not be, now or since somebody wrote last.
    pub(crate) fn write(
        &mut self,
        thread: &mut Thread,
        stream: Stream,
        bytes: &[u8],
    ) -> std::io::Result<usize> {
        // What a thread wrote first is seen first, wherever it goes. What others write may wait for ever.
        let other = self.writer(stream.other());
        other.pass_on();
        if thread.wrote[other.stream as usize] > other.passed {
            other.waiting.push(thread.id);
            thread.wait = Wait::Work;
            return Ok(0);
        }
        let writer = self.writer(stream);
        let taken = writer.take(bytes);
        if let Some(error) = writer.failed.take() {
            return Err(error);
        }
        if taken == 0 {
            writer.waiting.push(thread.id);
            thread.wait = Wait::Work;
        } else {
            thread.wrote[stream as usize] = writer.taken;
        }
        Ok(taken)
    }

    /// Writes an error of which there is no thread left that could wait.
    pub(super) fn write_error(&mut self, text: &str) {
        self.pass_output_on();
        let error = &mut self.work.error;
        error.held.extend_from_slice(text.as_bytes());
        error.taken += text.len() as u64;
        error.pass_on();
    }

    /// Passes standard output on: who reads it should have it before anything else happens.
    pub(crate) fn pass_output_on(&mut self) {
        self.work.output.pass_on();
    }

    /// A worker is done with a stream.
    pub(super) fn written(&mut self, stream: Stream, to: Output, count: usize, written: std::io::Result<()>) {
        let writer = self.writer(stream);
        writer.to = Some(to);
        writer.passed += count as u64;
        writer.failed = written.err();
        writer.pass_on();
        let waiting = std::mem::take(&mut writer.waiting);
        waiting.into_iter().for_each(|id| self.wake(id));
    }

    /// Waits until all that was written is passed on, or the domain is ended; after that, for no longer than a second.
    ///
    /// # Errors
    /// What it was ended by, then or before.
    pub(super) fn finish_writing(&mut self, mut ended: Result<(), Ended>) -> Result<(), Ended> {
        self.work.output.pass_on();
        self.work.error.pass_on();
        let is_over = !matches!(ended, Ok(()) | Err(Ended::Exit(_)));
        let mut until = is_over.then(|| Instant::now() + IDLE);
        while self.work.output.is_working() || self.work.error.is_working() {
            let rest = until.map(|until| until.saturating_duration_since(Instant::now()));
            match (rest, self.may_go_on()) {
                (Some(Duration::ZERO), _) => break,
                (Some(rest), _) => self.take_answers(rest),
                (None, Ok(())) => self.take_answers(IDLE.min(self.elapsed_left())),
                (None, Err(why)) => (ended, until) = (Err(why), Some(Instant::now() + IDLE)),
            }
        }
        ended
    }
}
