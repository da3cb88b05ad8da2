//! Two processes of one program: a server that ends when its standard input does, and its client, which started it.
//!
//! Nothing is sent through these pipes while anything is measured.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::thread::{CpuSet, sched_setaffinity};

/// The first word on the command line of a server.
pub const SERVE: &str = "--serve";

/// A process that ends when this is dropped.
pub struct Server(Child);

impl Server {
    /// Starts the one that serves a client with this command line; the line by which it says where.
    pub fn start(words: &[&str]) -> Result<(Server, String), String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        command.arg(SERVE).args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = Server(command.spawn().map_err(|error| error.to_string())?);
        let mut line = String::new();
        if let Some(from) = server.0.stdout.take() {
            BufReader::new(from).read_line(&mut line).map_err(|error| error.to_string())?;
        }
        match line.strip_suffix('\n') {
            Some(line) => Ok((server, line.to_owned())),
            None => Err("the server did not start".to_owned()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        // How it ended changes nothing any more.
        let _ = self.0.wait();
    }
}

/// Says where this server is.
pub fn ready(place: &str) -> Result<(), String> {
    println!("{place}");
    std::io::stdout().flush().map_err(|error| error.to_string())
}

/// A name that no other server has.
pub fn name() -> String {
    format!("carnet-rival-{}", std::process::id())
}

/// Where this server has its socket.
pub fn socket() -> PathBuf {
    std::env::temp_dir().join(name())
}

/// Waits until nobody needs this server any more.
pub fn wait_for_end() {
    // Nothing comes but the end.
    let _ = std::io::stdin().lock().read(&mut [0]);
}

/// Ends this process, and removes its socket, when nobody needs it any more.
pub fn end_with_client(socket: &Path) {
    let socket = socket.to_owned();
    std::thread::spawn(move || {
        wait_for_end();
        // Where there is none, there is nothing to remove.
        let _ = std::fs::remove_file(socket);
        std::process::exit(0);
    });
}

/// Keeps this thread, and those that it starts, on one processor.
pub fn pin(processor: &str) -> Result<(), String> {
    let mut set = CpuSet::new();
    set.set(processor.parse().map_err(|_| format!("{processor} is no processor"))?);
    sched_setaffinity(None, &set).map_err(|error| error.to_string())
}
