//! The service: rules, and how many processes there are.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use carnet_portal::call::{Caller, Object};
use carnet_portal::seats::{Bounds, Full, Seat, Seats};
use carnet_portal::stub::{Module, Served};
use carnet_portal::sturdy::Sturdy;
use carnet_sandbox::landlock_version;

use crate::linux;
use crate::policy::{Rules, WithoutLandlock};
use crate::session::{Root, Session};

/// How the process of a session is started: a program that calls [`process::run`](crate::process::run) when it has these
/// arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Starter {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl Starter {
    /// The program that runs, once more, with one argument.
    #[must_use]
    pub fn myself(argument: &str) -> Starter {
        // Also when the file was replaced since.
        Starter { program: "/proc/self/exe".into(), arguments: vec![argument.into()] }
    }
}

/// Why Linux calls cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum NotServed {
    /// A directory cannot be opened, or is none.
    #[error("{path}: {error}", path = .path.display())]
    Directory {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Files of processes are below it: through them a process changes its own memory.
    #[error("{path}: /proc is below it", path = .0.display())]
    Proc(PathBuf),
    /// No directory was given.
    #[error("no directory is served")]
    Nothing,
    /// The system has no thread for starting processes.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// A session's process does not begin, for what is said.
    #[error("no session could begin: {0}")]
    Process(String),
    /// The kernel has no Landlock.
    #[error("this kernel has no Landlock, which keeps a session's process within the directories")]
    NoLandlock,
}

/// What all sessions share.
pub(crate) struct Shared {
    pub(crate) rules: Rules,
    pub(crate) starter: Starter,
    pub(crate) spawner: Spawner,
    pub(crate) seats: Arc<Seats>,
}

impl Shared {
    /// A place for the process of a session of this caller's.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn seat(&self, caller: &Caller) -> Result<Seat, String> {
        self.seats.take(caller).map_err(|full| match full {
            Full::All(max) => {
                format!("there are {max} sessions with a process, as many as may be; try again later")
            }
            Full::Principal(max) => format!(
                "{} has {max} sessions or kept runs with a process, as many as one user may; end one first",
                caller.principal
            ),
            full => {
                full.tell("", ["has", "have"], "sessions or kept runs with a process") + "; end one first"
            }
        })
    }
}

/// Starts all processes, on one thread that lives as long as any session: a process ends with the thread that started it
/// (`PR_SET_PDEATHSIG` of prctl(2)), and so with the server, whatever it waits for.
pub(crate) struct Spawner(Mutex<mpsc::Sender<Wanted>>);

/// What is to be started, and where the process goes.
type Wanted = (Command, mpsc::Sender<io::Result<Child>>);

impl Spawner {
    fn new() -> io::Result<Spawner> {
        let (sender, wanted) = mpsc::channel::<Wanted>();
        let start_all = move || {
            for (mut command, to) in wanted {
                // Whoever asked has given up if this fails; the process sees its socket closed.
                let _ = to.send(command.spawn());
            }
        };
        thread::Builder::new().name("carnet-linux".to_owned()).spawn(start_all)?;
        Ok(Spawner(Mutex::new(sender)))
    }

    /// Starts a process.
    pub(crate) fn spawn(&self, command: Command) -> io::Result<Child> {
        let (to, from) = mpsc::channel();
        let gone = || io::Error::other("the thread that starts processes is gone");
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send((command, to)).map_err(|_| gone())?;
        from.recv().map_err(|_| gone())?
    }
}

/// Linux calls, for sessions with a process each.
#[derive(Clone)]
pub struct Linux(Arc<Shared>);

impl std::fmt::Debug for Linux {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Linux").field(&self.0.rules).finish()
    }
}

impl Linux {
    /// Serves by these rules.
    ///
    /// # Errors
    /// [`NotServed`].
    pub fn serve(mut rules: Rules, starter: Starter) -> Result<Linux, NotServed> {
        if rules.directories.is_empty() {
            return Err(NotServed::Nothing);
        }
        for (path, _) in &mut rules.directories {
            let of = |error| NotServed::Directory { path: path.clone(), error };
            let real = path.canonicalize().map_err(of)?;
            std::fs::read_dir(&real).map_err(of)?;
            if has_proc(&real) {
                return Err(NotServed::Proc(path.clone()));
            }
            *path = real;
        }
        if landlock_version().is_none() && rules.without_landlock == WithoutLandlock::Refuse {
            return Err(NotServed::NoLandlock);
        }
        let seats = Seats::new(Bounds::places(rules.limits.processes));
        let spawner = Spawner::new().map_err(NotServed::Thread)?;
        Ok(Linux(Arc::new(Shared { rules, starter, spawner, seats })))
    }

    /// Looks whether a session's process begins: what it may have can be too little for itself.
    ///
    /// # Errors
    /// [`NotServed::Process`].
    pub fn begins(&self) -> Result<(), NotServed> {
        Session::new(Arc::clone(&self.0), Caller::of("", 0)).begins().map_err(NotServed::Process)
    }

    /// The object of a new session; its process begins with its first call.
    #[must_use]
    pub fn session(&self, caller: &Caller) -> Arc<dyn Object> {
        let session = Session::new(Arc::clone(&self.0), caller.clone());
        Served::<linux::System>::new(Arc::new(Root(Arc::new(session)))).into_object()
    }

    /// Processes that there are.
    #[must_use]
    pub fn processes(&self) -> usize {
        self.0.seats.taken()
    }

    /// What is served, in the order of the rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }
}

/// Whether files of processes (proc(5)) are at or below a directory, or it is among them.
fn has_proc(directory: &Path) -> bool {
    let mounts = std::fs::read("/proc/self/mounts").unwrap_or_default();
    let mut lines = mounts.split(|byte| *byte == b'\n').map(|line| line.split(|byte| *byte == b' '));
    lines.any(|mut parts| {
        let (place, kind) = (parts.nth(1), parts.next());
        let place = place.map(|place| PathBuf::from(String::from_utf8_lossy(place).into_owned()));
        kind == Some(b"proc")
            && place.is_some_and(|place| place.starts_with(directory) || directory.starts_with(place))
    })
}

/// Descriptors are a process's own, which ends with the server: nothing of a session is found again by a later one.
#[derive(Clone, Copy, Debug)]
pub struct SturdyLinux;

impl Sturdy for SturdyLinux {
    fn module(&self) -> &'static Module {
        linux::module()
    }

    fn identity(&self, _: &dyn Object) -> Result<Vec<u8>, String> {
        Err("is a session's process, which ends with the server".to_owned())
    }

    fn name(&self, _: &dyn Object, _: &dyn Object) -> Result<Vec<u8>, String> {
        Err("is of a session's process, which ends with the server".to_owned())
    }

    fn gone(&self, object: &dyn Object) -> Option<String> {
        object.service().downcast_ref::<Root>().and_then(|root| root.0.died())
    }

    fn find(&self, _: &dyn Object, _: &[u8], _: &Caller) -> Result<Arc<dyn Object>, String> {
        Err("a session's process keeps nothing for a later server".to_owned())
    }
}
