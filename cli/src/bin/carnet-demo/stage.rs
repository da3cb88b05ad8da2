//! What the demonstration plays on: a temporary directory, a server on it, a slow link; and clearing it all up.
//!
//! ```text
//! carnet-demo-XXXXXX/
//!   served/calls/    files/{src,copies/older}  backup/  again/   for single calls
//!   served/program/  the same                                   for programs
//!   server.sock      the server listens here
//!   link.sock        clients connect here; what they send goes to server.sock, delayed and counted
//! ```
//! Everything goes away at the end, also after an error, and when the user interrupts it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use carnet_files::{Access, files};
use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::host::{Accepts, Policy, Programs};
use carnet_sim::{Relay, RelayOptions};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tempfile::TempDir;

use crate::Trouble;
use crate::checkout::{Source, sources};

/// Programs whose bill is above this are refused.
pub(crate) const WRITES_ACCEPTED: u64 = 200_000;

/// Every second directory has a leftover file of this age; every eighth of these is new instead.
const OLD: Duration = Duration::from_secs(30 * 24 * 3600);

/// The link's socket file.
const LINK: &str = "link.sock";

/// How long sessions may take to end.
const SHUTDOWN: Duration = Duration::from_secs(5);

/// The stage, set.
pub(crate) struct Stage {
    // They go away in this order, once `drop` has ended the server: link, then directory.
    relay: Relay,
    server: Option<Server>,
    programs: Arc<Programs>,
    folder: TempDir,
    filled: Filled,
}

/// What lies in each of the two equal directories.
#[derive(Clone, Copy, Default)]
pub(crate) struct Filled {
    pub(crate) files: usize,
    pub(crate) dirs: usize,
    pub(crate) bytes: u64,
}

impl Stage {
    /// Fills the directory with at most `files_max` files of the repository, and starts server and link.
    pub(crate) fn set(files_max: usize, round_trip: Duration) -> Result<Stage, Trouble> {
        let folder = tempfile::Builder::new().prefix("carnet-demo-").tempdir()?;
        clear_up_when_interrupted(folder.path().to_owned())?;
        let served = folder.path().join("served");
        let sources = sources(files_max)?;
        let filled = fill(&served.join("calls"), &sources)?;
        fill(&served.join("program"), &sources)?;
        let socket = folder.path().join("server.sock");
        let policy = Policy {
            name: "demo".to_owned(),
            accepts: Accepts { writes: Some(WRITES_ACCEPTED), ..Accepts::default() },
            ..Policy::default()
        };
        let programs = Arc::new(Programs::new(&[files::module()], policy));
        let server = serve(&served, &socket, Arc::clone(&programs))?;
        let relay = Relay::start(
            &folder.path().join(LINK),
            &socket,
            RelayOptions { round_trip, ..RelayOptions::default() },
        )?;
        Ok(Stage { relay, server: Some(server), programs, folder, filled })
    }

    /// A new session with the server, over the link.
    pub(crate) fn connect(&self) -> Result<Arc<RemoteSession>, Trouble> {
        let address = Address::Unix(self.folder.path().join(LINK));
        Ok(RemoteSession::connect(&address, ConnectOptions::default())?)
    }

    /// The link.
    pub(crate) fn relay(&self) -> &Relay {
        &self.relay
    }

    /// Where a path of the served directory really lies.
    pub(crate) fn on_disk(&self, path: &str) -> PathBuf {
        self.folder.path().join("served").join(path)
    }

    pub(crate) fn filled(&self) -> Filled {
        self.filled
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.programs.close();
        if let Some(server) = self.server.take() {
            server.shutdown(Instant::now() + SHUTDOWN);
        }
    }
}

fn serve(served: &Path, socket: &Path, programs: Arc<Programs>) -> Result<Server, Trouble> {
    let options = carnet_files::Options { access: Access::ReadWrite, ..carnet_files::Options::new(served) };
    let root = Capability::new(carnet_files::serve(options)?.into_object());
    let options =
        ServerOptions { name: "demo".to_owned(), entry: Some(programs), ..ServerOptions::default() };
    let address = Address::Unix(socket.to_owned());
    Ok(Server::listen(&address, options, move |_| Ok(root.clone()))?)
}

/// Set when the user interrupts it.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the process is about to end because the user interrupted it: what fails now fails for that reason.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Acquire)
}

/// By itself an interrupt would end the process at once, and the directory would stay.
fn clear_up_when_interrupted(folder: PathBuf) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            INTERRUPTED.store(true, Ordering::Release);
            // A job may make files while they are removed.
            let gone = (0..20).any(|_| fs::remove_dir_all(&folder).is_ok() || !folder.exists());
            let folder = folder.display();
            eprintln!("\ninterrupted; {} {folder}", if gone { "removed" } else { "could not remove" });
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

fn fill(root: &Path, sources: &[Source]) -> io::Result<Filled> {
    let files = root.join("files");
    for empty in ["backup", "again"] {
        fs::create_dir_all(root.join(empty))?;
    }
    let mut filled = Filled::default();
    for (number, source) in sources.iter().enumerate() {
        let text = &source.bytes;
        // What is older differs from what is new in some places.
        let older = if number % 6 == 0 { &text[..text.len() / 2] } else { text };
        write(&files.join("src").join(&source.path), text, &mut filled)?;
        write(&files.join("copies/older").join(&source.path), older, &mut filled)?;
    }
    let dirs = dirs_below(&files)?;
    filled.dirs = dirs.len();
    for (number, dir) in dirs.iter().enumerate().filter(|(number, _)| number % 2 == 0) {
        let leftover = dir.join(format!("session-{number}.tmp"));
        write(&leftover, format!("left over, number {number}\n").as_bytes(), &mut filled)?;
        if number % 16 != 0 {
            fs::File::options().write(true).open(&leftover)?.set_modified(SystemTime::now() - OLD)?;
        }
    }
    Ok(filled)
}

fn write(path: &Path, bytes: &[u8], filled: &mut Filled) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    filled.files += 1;
    filled.bytes += bytes.len() as u64;
    fs::write(path, bytes)
}

/// `root` and all directories below it, sorted.
fn dirs_below(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut dirs = vec![root.to_owned()];
    let mut at = 0;
    while let Some(dir) = dirs.get(at).cloned() {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                dirs.push(entry.path());
            }
        }
        at += 1;
    }
    dirs.sort();
    Ok(dirs)
}
