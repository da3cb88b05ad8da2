//! What a domain reads and writes: standard input, output and error, and nothing else.

use std::io::{Read, Write};

/// Standard input, output and error.
pub struct Io {
    /// Standard input.
    pub input: Box<dyn Read + Send>,
    /// Standard output.
    pub output: Box<dyn Write + Send>,
    /// Standard error.
    pub error: Box<dyn Write + Send>,
}

impl Io {
    /// Those of the process.
    #[must_use]
    pub fn process() -> Io {
        Io {
            input: Box::new(std::io::stdin()),
            output: Box::new(std::io::stdout()),
            error: Box::new(std::io::stderr()),
        }
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
