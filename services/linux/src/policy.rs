//! What a session may do: directories, ports, amounts.

use std::path::PathBuf;
use std::time::Duration;

use carnet_sandbox::{Network, Rights};

/// What the sessions of a service may do.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Directories and what may be done below them; paths that are not absolute begin at the first.
    pub directories: Vec<(PathBuf, Rights)>,
    /// Ports of TCP and UDP. Without any there are no sockets.
    pub network: Network,
    /// Amounts.
    pub limits: Limits,
    /// What to do on a kernel without Landlock.
    pub without_landlock: WithoutLandlock,
    /// Whether calls of a repeat go to the kernel together.
    pub together: Together,
}

/// Whether independent calls of a repeat go to the kernel together, by io_uring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Together {
    /// Where the kernel allows it, and it pays, which is learnt.
    #[default]
    WherePays,
    /// Where the kernel allows it.
    WherePossible,
    /// Each goes alone.
    Never,
}

/// What to do where the kernel cannot confine a process to directories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WithoutLandlock {
    /// Nothing is served.
    #[default]
    Refuse,
    /// It is served all the same: symbolic links below the directories lead out of them.
    Serve,
}

/// How much one session's process may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open descriptors, 0, 1 and 2 included.
    pub descriptors: u16,
    /// Bytes of memory that its process maps.
    pub memory: u64,
    /// Bytes of a file.
    pub file: u64,
    /// Seconds of the processor.
    pub processor: u64,
    /// How long a single call may wait before it is interrupted.
    pub call: Duration,
    /// Bytes that the session writes.
    pub written: Option<u64>,
    /// Processes of all sessions together; of one user three quarters of them, and of one process of his two thirds of those.
    pub processes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            descriptors: 256,
            memory: 1 << 30,
            file: 1 << 40,
            processor: 3_600,
            call: Duration::from_secs(30),
            written: None,
            processes: 128,
        }
    }
}

impl Rules {
    /// Nothing but what is below one directory.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, rights: Rights) -> Rules {
        Rules {
            directories: vec![(directory.into(), rights)],
            network: Network::default(),
            limits: Limits::default(),
            without_landlock: WithoutLandlock::default(),
            together: Together::default(),
        }
    }
}
