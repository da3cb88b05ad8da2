//! OpenSSH's `sftp` and `sftp-server`, without ssh between: nothing is encrypted, and nobody logs in.
//!
//! ```text
//! sftp ══ pipes ══ carnet-bench --peer pipe ══ Relay ══ Unix socket ══ sftp-server      over a link that takes time
//! sftp ══ pipes ══ sftp-server                                                          over none, which is in its favour
//! ```
//! `sftp` stays for all copies: what is timed is from its commands to its answer, without its start.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use carnet_sim::{Relay, RelayOptions};

use crate::measure::processors;
use crate::peer::WORD;

const SERVER: &str = "/usr/lib/openssh/sftp-server";
/// The family of peers that carry bytes between their standard streams and a socket.
pub(crate) const PIPE: &str = "pipe";

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// How a file is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// To the client and back.
    GetPut,
    /// By the server, which OpenSSH's can since version 9.0.
    Server,
}

pub(super) const WAYS: [(By, &str); 2] =
    [(By::GetPut, "sftp, get and put"), (By::Server, "sftp, cp on the server")];

/// Client, link and server.
pub(super) struct Sftp {
    client: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    relay: Option<Relay>,
    served: PathBuf,
    folder: PathBuf,
}

impl Sftp {
    /// Starts both without anything between.
    pub(super) fn bare(served: &Path, folder: &Path) -> Result<Sftp, String> {
        there()?;
        Sftp::of(client(folder, SERVER)?, None, served, folder)
    }

    /// Starts all of them.
    pub(super) fn linked(served: &Path, folder: &Path) -> Result<Sftp, String> {
        there()?;
        let (back, front) = (folder.join("sftp-server"), folder.join("sftp"));
        let listener = UnixListener::bind(&back).map_err(said)?;
        let relay = Relay::start(&front, &back, RelayOptions::default()).map_err(said)?;
        let program = std::env::current_exe().map_err(said)?;
        let pipe = format!("{} {WORD} {PIPE} {} {}", program.display(), front.display(), processors() - 1);
        let client = client(folder, &pipe)?;
        serve_one(&listener)?;
        Sftp::of(client, Some(relay), served, folder)
    }

    fn of(mut client: Child, relay: Option<Relay>, served: &Path, folder: &Path) -> Result<Sftp, String> {
        let (to, from) = (client.stdin.take(), client.stdout.take());
        let (to, from) = (to.ok_or("sftp has no input")?, BufReader::new(from.ok_or("sftp has no output")?));
        let mut sftp = Sftp { client, to, from, relay, served: served.to_owned(), folder: folder.to_owned() };
        sftp.ask(&format!("cd {}\n", served.display()))?;
        Ok(sftp)
    }

    /// Sets the link's round-trip time.
    pub(super) fn set_round_trip(&self, time: Duration) {
        if let Some(relay) = &self.relay {
            relay.set_round_trip(time);
        }
    }

    /// Milliseconds of one copy.
    pub(super) fn copy(&mut self, by: By, from: &str, to: &str) -> Result<f64, String> {
        let commands = match by {
            By::GetPut => format!("get {from} {}\nput {} {to}\n", self.local(), self.local()),
            By::Server => format!("cp {from} {to}\n"),
        };
        let begun = Instant::now();
        self.ask(&commands)?;
        Ok(begun.elapsed().as_nanos() as f64 / 1e6)
    }

    fn local(&self) -> String {
        self.folder.join("fetched").display().to_string()
    }

    /// Gives commands, and waits until they are done: it says where it is then, for which it asks nobody.
    fn ask(&mut self, commands: &str) -> Result<(), String> {
        let given = self.to.write_all(commands.as_bytes()).and_then(|()| self.to.write_all(b"lpwd\n"));
        given.and_then(|()| self.to.flush()).map_err(said)?;
        let mut line = String::new();
        while !line.starts_with("Local working directory") {
            line.clear();
            if self.from.read_line(&mut line).map_err(said)? == 0 {
                let mut why = String::new();
                if let Some(errors) = &mut self.client.stderr {
                    errors.read_to_string(&mut why).map_err(said)?;
                }
                return Err(format!("sftp ended in {}: {}", self.served.display(), why.trim()));
            }
        }
        Ok(())
    }
}

impl Drop for Sftp {
    fn drop(&mut self) {
        // The server ends with its connection.
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}

fn there() -> Result<(), String> {
    if Path::new(SERVER).exists() {
        return Ok(());
    }
    Err(format!("{SERVER} is not there (package openssh-sftp-server)"))
}

/// `sftp`, which starts `server` as its way to one.
fn client(folder: &Path, server: &str) -> Result<Child, String> {
    Command::new("sftp")
        .args(["-q", "-b", "-", "-D", server, "-"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("sftp: {error} (package openssh-client)"))
}

/// Starts `sftp-server` for the next who connects, within 20 s.
fn serve_one(listener: &UnixListener) -> Result<(), String> {
    listener.set_nonblocking(true).map_err(said)?;
    let begun = Instant::now();
    let socket = loop {
        match listener.accept() {
            Ok((socket, _)) => break socket,
            Err(_) if begun.elapsed() < Duration::from_secs(20) => std::thread::yield_now(),
            Err(error) => return Err(format!("sftp did not connect: {error}")),
        }
    };
    socket.set_nonblocking(false).map_err(said)?;
    let both = socket.try_clone().map_err(said)?;
    let server = Command::new(SERVER)
        .stdin(Stdio::from(OwnedFd::from(socket)))
        .stdout(Stdio::from(OwnedFd::from(both)))
        .stderr(Stdio::null())
        .spawn();
    let mut server = server.map_err(|error| format!("{SERVER}: {error}"))?;
    // It ends when its client does; somebody has to take note of that.
    std::thread::spawn(move || _ = server.wait());
    Ok(())
}

/// Carries bytes from standard input to a socket, and from there to standard output, until either ends.
pub(crate) fn serve_pipe(path: &str) -> Result<(), String> {
    let socket = UnixStream::connect(path).map_err(said)?;
    let mut back = socket.try_clone().map_err(said)?;
    let mut out = File::from(std::io::stdout().as_fd().try_clone_to_owned().map_err(said)?);
    let mut into = File::from(std::io::stdin().as_fd().try_clone_to_owned().map_err(said)?);
    let returning = std::thread::spawn(move || _ = carry(&mut back, &mut out));
    // An end of either is the end of both.
    let _ = carry(&mut into, &mut &socket);
    let _ = socket.shutdown(std::net::Shutdown::Write);
    let _ = returning.join();
    Ok(())
}

fn carry(from: &mut impl Read, to: &mut impl std::io::Write) -> std::io::Result<()> {
    let mut buffer = vec![0; 256 << 10];
    loop {
        match from.read(&mut buffer)? {
            0 => return Ok(()),
            read => to.write_all(&buffer[..read])?,
        }
    }
}
