//! A server that follows a script and dies: for what a client must survive.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread::JoinHandle;

/// One step of a [`DyingPeer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reads exactly so many bytes.
    Read(usize),
    /// Writes these bytes.
    Write(Vec<u8>),
    /// Reads until the client closes its end, and answers nothing.
    Drain,
}

/// A server that accepts one connection, takes its steps, and closes the connection.
#[derive(Debug)]
pub struct DyingPeer {
    thread: Option<JoinHandle<()>>,
}

impl DyingPeer {
    /// Listens on the socket file `path`, which must not exist.
    ///
    /// # Errors
    /// What the system says to `path`.
    pub fn start(path: &Path, steps: Vec<Step>) -> std::io::Result<DyingPeer> {
        let listener = UnixListener::bind(path)?;
        let thread = std::thread::Builder::new().name("dying-peer".to_owned()).spawn(move || {
            // The script ends early if the client does.
            let _ = follow(&listener, &steps);
        })?;
        Ok(DyingPeer { thread: Some(thread) })
    }

    /// Waits until it is dead.
    pub fn join(mut self) {
        if let Some(thread) = self.thread.take() {
            // It does not panic: its errors are values.
            let _ = thread.join();
        }
    }
}

fn follow(listener: &UnixListener, steps: &[Step]) -> std::io::Result<()> {
    let (mut client, _) = listener.accept()?;
    for step in steps {
        match step {
            Step::Read(bytes) => {
                let mut sink = vec![0; *bytes];
                client.read_exact(&mut sink)?;
            }
            Step::Write(bytes) => client.write_all(bytes)?,
            Step::Drain => {
                let mut sink = [0; 4096];
                while client.read(&mut sink)? > 0 {}
            }
        }
    }
    Ok(())
}
