//! What a domain reads and writes: standard input, output and error, and nothing else.

use std::fs::File;
use std::io::{IsTerminal as _, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// As many bytes go into a pipe that has room for any, without waiting (`PIPE_BUF`).
const PIPE_BYTES: usize = 4096;
/// How much standard output is held back unless people look on.
const HELD: usize = 8 << 10;

/// Standard input, output and error.
pub struct Io {
    /// Standard input.
    pub input: Box<dyn Read + Send>,
    /// Standard output. It may be held back: it is passed on before input is read, an error is written or all threads wait, and
    /// at the end.
    pub output: Output,
    /// Standard error.
    pub error: Output,
}

/// Something to write to. Where a write would wait for who reads, a worker thread does it, and the domain runs on.
pub struct Output {
    to: Box<dyn Write + Send>,
    waits: Waits,
    /// Bytes up to which what was written is held back.
    pub(crate) holds: usize,
}

/// When a write waits for who reads.
enum Waits {
    Never,
    Perhaps,
    /// When this has no room.
    Full(Arc<File>),
}

impl Output {
    /// Memory, or something else where no write waits.
    #[must_use]
    pub fn memory(to: impl Write + Send + 'static) -> Output {
        Output { to: Box::new(to), waits: Waits::Never, holds: 0 }
    }

    /// Something of which nobody knows whether the next write waits.
    #[must_use]
    pub fn slow(to: impl Write + Send + 'static) -> Output {
        Output { to: Box::new(to), waits: Waits::Perhaps, holds: 0 }
    }

    /// A file, a pipe, a terminal or a socket. What others write to a pipe at the same moment may make a write wait all the same.
    #[must_use]
    pub fn descriptor(descriptor: OwnedFd) -> Output {
        let file = Arc::new(File::from(descriptor));
        let is_file = file.metadata().is_ok_and(|of| of.is_file());
        let waits = if is_file { Waits::Never } else { Waits::Full(Arc::clone(&file)) };
        Output { to: Box::new(file), waits, holds: 0 }
    }

    /// One of the process; by way of `standard` if there is no descriptor left.
    fn process(standard: impl AsFd + Write + Send + 'static) -> Output {
        match standard.as_fd().try_clone_to_owned() {
            Ok(descriptor) => Output::descriptor(descriptor),
            Err(_) => Output::slow(standard),
        }
    }

    /// How many bytes can be written now without waiting.
    fn room(&self) -> usize {
        match &self.waits {
            Waits::Never => usize::MAX,
            Waits::Perhaps => 0,
            Waits::Full(file) => {
                let mut ready = [PollFd::new(file, PollFlags::OUT)];
                match poll(&mut ready, Some(&Timespec::default())) {
                    Ok(1..) => PIPE_BYTES,
                    _ => 0,
                }
            }
        }
    }

    /// Writes what can be written without waiting. Returns how much that was.
    ///
    /// # Errors
    /// Those of writing.
    pub(crate) fn write_ready(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(self.room().min(rest.len()));
            if now.is_empty() {
                break;
            }
            self.to.write_all(now)?;
            rest = later;
        }
        self.to.flush()?;
        Ok(bytes.len() - rest.len())
    }

    /// Writes all, however long it takes.
    ///
    /// # Errors
    /// Those of writing.
    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.to.write_all(bytes)?;
        self.to.flush()
    }
}

impl Io {
    /// Those of the process.
    #[must_use]
    pub fn process() -> Io {
        let output = std::io::stdout();
        // People see each line at once.
        let holds = if output.is_terminal() { 0 } else { HELD };
        Io {
            input: Box::new(std::io::stdin()),
            output: Output { holds, ..Output::process(output) },
            error: Output::process(std::io::stderr()),
        }
    }

    /// None: nothing to read, and what is written is dropped.
    #[must_use]
    pub fn none() -> Io {
        Io {
            input: Box::new(std::io::empty()),
            output: Output::memory(std::io::sink()),
            error: Output::memory(std::io::sink()),
        }
    }
}

/// What a domain writes, kept: a stream for [`Io`], of which there is another end in each clone.
#[derive(Clone, Debug, Default)]
pub struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    /// What was written since it was taken last.
    #[must_use]
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes())
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
