//! What a domain reads and writes: standard input, output and error, and nothing else.

use std::io::{BufWriter, IsTerminal as _, Read, Write};

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
