//! What a domain reads and writes: standard input, output and error, and nothing else.

use std::io::{BufWriter, IsTerminal as _, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Standard input, output and error.
pub struct Io {
    /// Standard input.
    pub input: Box<dyn Read + Send>,
    /// Standard output. It may be held back: it is flushed before input is read, an error is written or all threads wait, and at the end.
    pub output: Box<dyn Write + Send>,
    /// Standard error.
    pub error: Box<dyn Write + Send>,
}

impl Io {
    /// Those of the process.
    #[must_use]
    pub fn process() -> Io {
        let output = std::io::stdout();
        // People see each line at once.
        let output: Box<dyn Write + Send> =
            if output.is_terminal() { Box::new(output) } else { Box::new(BufWriter::new(output)) };
        Io { input: Box::new(std::io::stdin()), output, error: Box::new(std::io::stderr()) }
    }

    /// None: nothing to read, and what is written is dropped.
    #[must_use]
    pub fn none() -> Io {
        Io {
            input: Box::new(std::io::empty()),
            output: Box::new(std::io::sink()),
            error: Box::new(std::io::sink()),
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
