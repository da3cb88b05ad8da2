//! What the command prints, and what becomes of it when it cannot be written.
//!
//! Whoever hung up (a closed pipe) did not want to read the rest: that is no failure. All else, for example a full
//! disk behind `> FILE`, loses what was asked for, and is told on standard error and by an exit code of its own.

use std::fs::File;
use std::io::{ErrorKind, Result, Write as _};
use std::os::fd::AsFd as _;

use serde_json::Value;

use crate::exit::{Exit, Reply};

/// In what form a reply is printed.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Text for people.
    Text,
    /// One JSON object.
    Json,
}

impl Shape {
    /// A reply as it is printed; nothing if it has nothing to say in this form.
    #[must_use]
    pub fn of(self, out: &str, json: &Value) -> String {
        match self {
            Shape::Json if json.is_null() => String::new(),
            Shape::Json => format!("{json}\n"),
            Shape::Text => out.to_owned(),
        }
    }
}

/// Prints a reply; how the command ends.
pub fn print(reply: &Reply, shape: Shape) -> Exit {
    let printed = write(shape.of(&reply.out, &reply.json).as_bytes());
    tell(&reply.err);
    match printed {
        Ok(()) => reply.exit,
        Err(error) => lost(&error, reply),
    }
}

/// Writes to standard output; a reader that is gone is none of our failures.
///
/// # Errors
/// If it could not all be written.
pub fn write(bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    // Past the buffer of the standard library, which takes a descriptor that cannot be written to for success.
    let out = std::io::stdout().as_fd().try_clone_to_owned();
    match out.and_then(|out| File::from(out).write_all(bytes)) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes to standard error. If that fails, nobody is left to be told.
pub fn tell(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Says that a reply was not printed. What ended otherwise than well keeps its own exit code.
fn lost(error: &std::io::Error, reply: &Reply) -> Exit {
    let again = match reply.json["run"].as_str() {
        Some(run) => format!("the server keeps the outcome for a while: carnet status --run {run}"),
        None => "what was to be shown is lost, wholly or in part; nothing that was done is undone".to_owned(),
    };
    tell(&format!("error: cannot write to standard output: {error}\n{again}\n"));
    if reply.exit == Exit::Done { Exit::Unwritten } else { reply.exit }
}
