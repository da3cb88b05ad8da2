//! Which files a process may reach, and which TCP ports (Landlock, landlock(7)).
//!
//! What is not allowed below a path of the rules is refused with EACCES, whatever the user may do. Rights are those of the kernel's
//! version, as far as it knows them:
//!
//! | version | what is restricted from then on |
//! | --- | --- |
//! | 1 | reading, writing, making and removing |
//! | 2 | renaming and linking from one directory to another |
//! | 3 | truncating |
//! | 4 | binding to and connecting to TCP ports |
//! | 5 | requests to devices |
//! | 6 | abstract Unix sockets and signals of processes outside |
//!
//! Landlock does not restrict what is asked of a path without opening it (stat, access, readlink): that is the user's to see to.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// What may be done below a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// Files are opened for reading, directories listed.
    Read,
    /// That, and all that changes them, but devices and sockets are not made.
    Write,
}

/// Which TCP ports may be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// To be bound to.
    pub bind: Vec<Port>,
    /// To be connected to.
    pub connect: Vec<Port>,
}

/// A TCP port.
pub type Port = u16;

/// Paths and their rights, for a process to be restricted to.
#[derive(Debug, Default)]
pub struct Paths {
    rules: Vec<(OwnedFd, Rights)>,
    network: Network,
}

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const REMOVE_DIR: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_CHAR: u64 = 1 << 6;
const MAKE_DIR: u64 = 1 << 7;
const MAKE_REG: u64 = 1 << 8;
const MAKE_SOCK: u64 = 1 << 9;
const MAKE_FIFO: u64 = 1 << 10;
const MAKE_BLOCK: u64 = 1 << 11;
const MAKE_SYM: u64 = 1 << 12;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const IOCTL_DEV: u64 = 1 << 15;

const FIRST: u64 = EXECUTE
    | WRITE_FILE
    | READ_FILE
    | READ_DIR
    | REMOVE_DIR
    | REMOVE_FILE
    | MAKE_CHAR
    | MAKE_DIR
    | MAKE_REG
    | MAKE_SOCK
    | MAKE_FIFO
    | MAKE_BLOCK
    | MAKE_SYM;
const READ: u64 = READ_FILE | READ_DIR;
const WRITE: u64 =
    READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE;

const BIND_TCP: u64 = 1;
const CONNECT_TCP: u64 = 2;

const ABSTRACT_SOCKETS: u64 = 1;
const SIGNALS: u64 = 2;

const RULE_PATH_BENEATH: u32 = 1;
const RULE_NET_PORT: u32 = 2;
const CREATE_RULESET_VERSION: u32 = 1;

/// `struct landlock_ruleset_attr`.
#[repr(C)]
struct Ruleset {
    files: u64,
    network: u64,
    scoped: u64,
}

/// `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

/// `struct landlock_net_port_attr`.
#[repr(C)]
struct NetPort {
    allowed: u64,
    port: u64,
}

/// The version of Landlock that this kernel has; `None` if it has none, or it is not switched on.
#[must_use]
pub fn landlock_version() -> Option<u32> {
    let none = std::ptr::null::<Ruleset>();
    // SAFETY: with this flag, the call reads no memory and returns a number.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, CREATE_RULESET_VERSION) };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

fn handled(version: u32) -> (u64, Ruleset) {
    let since = |first: u32, rights: u64| if version >= first { rights } else { 0 };
    let files = FIRST | since(2, REFER) | since(3, TRUNCATE) | since(5, IOCTL_DEV);
    let (network, scoped) = (since(4, BIND_TCP | CONNECT_TCP), since(6, ABSTRACT_SOCKETS | SIGNALS));
    (files, Ruleset { files, network, scoped })
}

impl Paths {
    /// No paths, and these ports.
    #[must_use]
    pub fn new(network: Network) -> Paths {
        Paths { rules: Vec::new(), network }
    }

    /// Allows what is below this directory, or this file.
    pub fn allow(&mut self, path: OwnedFd, rights: Rights) {
        self.rules.push((path, rights));
    }

    /// From now on this thread, and those that it starts, reach nothing else.
    ///
    /// # Errors
    /// If the kernel has no Landlock, or [`keep_apart`](crate::keep_apart) was not called before.
    pub fn restrict(self) -> io::Result<()> {
        let version = landlock_version().ok_or(io::ErrorKind::Unsupported)?;
        let (files, attributes) = handled(version);
        let ruleset = create(&attributes)?;
        for (path, rights) in &self.rules {
            let is_directory = File::from(path.try_clone()?).metadata()?.is_dir();
            let of_files = if is_directory { u64::MAX } else { READ_FILE | WRITE_FILE | TRUNCATE };
            let rights = match rights {
                Rights::Read => READ,
                Rights::Write => WRITE,
            };
            let rule = PathBeneath { allowed: rights & files & of_files, parent: path.as_raw_fd() };
            add(ruleset.as_fd(), RULE_PATH_BENEATH, (&raw const rule).cast())?;
        }
        if attributes.network != 0 {
            let bind = self.network.bind.iter().map(|port| (*port, BIND_TCP));
            for (port, allowed) in bind.chain(self.network.connect.iter().map(|port| (*port, CONNECT_TCP))) {
                let rule = NetPort { allowed, port: u64::from(port) };
                add(ruleset.as_fd(), RULE_NET_PORT, (&raw const rule).cast())?;
            }
        }
        // SAFETY: the descriptor is open; the call touches no memory. What is refused afterwards returns an error.
        let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

fn create(attributes: &Ruleset) -> io::Result<OwnedFd> {
    // An older kernel does not know the later fields, and takes more bytes than it knows if they are 0.
    let (place, size) = (std::ptr::from_ref(attributes), size_of::<Ruleset>());
    // SAFETY: the kernel reads `size` bytes of a structure that has so many.
    let ruleset = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, place, size, 0) };
    let ruleset = i32::try_from(ruleset).ok().filter(|fd| *fd >= 0).ok_or_else(io::Error::last_os_error)?;
    // SAFETY: the kernel has just made this descriptor for the caller, who is this function.
    Ok(unsafe { OwnedFd::from_raw_fd(ruleset) })
}

fn add(ruleset: BorrowedFd<'_>, kind: u32, rule: *const libc::c_void) -> io::Result<()> {
    // SAFETY: each kind stands with its own structure at the two places that call this, and the kernel reads no more than that.
    let done = unsafe { libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), kind, rule, 0) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
