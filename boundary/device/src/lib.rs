//! `/dev/carnet`: programs that run in the kernel, on behalf of a process that has nothing else to lose.
//!
//! ```text
//! Device::alone ─ one thread, no descriptor of its own ─► run(program, variables, arena) ─ ioctl ─► outcome
//! ```
//!
//! A program in the kernel makes system calls of this process: it reads and writes the variables and the arena that it was handed, and no other
//! memory (the module checks each address against the arena), and it may open, write to and close any descriptor by number. What
//! Rust owns must not be closed or written to by number; so a process in which a program is run owns no descriptor: [`Device::alone`]
//! looks, and refuses where there are some that were opened here, or other threads that could open some. What a program leaves open belongs to nobody.
//!
//! `struct Request` is `struct carnet_run` of `kernel/carnet.h`.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::ioctl::{IntegerSetter, Opcode, Setter, Updater, opcode};

/// The device's own number is one of the last that this process may have, or at least this one, out of the way of what programs open.
const OWN_MIN: i32 = 512;

const GROUP: u8 = 0xc7;
const RUN: Opcode = opcode::read_write::<Request>(GROUP, 1);
const RUN_INSTALLED: Opcode = opcode::none(GROUP, 2);
const RESUME: Opcode = opcode::read_write::<Request>(GROUP, 3);
const DISCARD: Opcode = opcode::write::<u64>(GROUP, 4);
const INSTALL: Opcode = opcode::read_write::<Install>(GROUP, 5);
const REMOVE: Opcode = opcode::write::<Name>(GROUP, 6);
const BIND: Opcode = opcode::read_write::<Request>(GROUP, 8);
/// `CARNET_STOPPED`
const STOPPED: u32 = 5;

/// The device, in a process that is the programs'.
#[derive(Debug)]
pub struct Device {
    /// Never closed here: a program may have closed it, and its number may be another file's by now.
    fd: RawFd,
}

/// What is asked of the kernel, and what it says.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Request {
    name: Name,
    program: u64,
    program_bytes: u32,
    vars_words: u32,
    vars: u64,
    arena: u64,
    arena_bytes: u64,
    limits: u64,
    token: u64,
    outcome: Raw,
    fault: u64,
}

impl Request {
    fn of(variables: &mut [u64], arena: &mut [u64], limits: &[u64; 6]) -> io::Result<Request> {
        Ok(Request {
            vars: variables.as_mut_ptr().expose_provenance() as u64,
            vars_words: length(variables.len())?,
            arena: arena.as_mut_ptr().expose_provenance() as u64,
            arena_bytes: 8 * arena.len() as u64,
            limits: limits.as_ptr().expose_provenance() as u64,
            ..Request::default()
        })
    }
}

fn length(len: usize) -> io::Result<u32> {
    u32::try_from(len).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))
}

/// A program that is to be installed: `struct carnet_install`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Install {
    program: u64,
    program_bytes: u32,
    mode: u32,
    name: Name,
    fault: u64,
}

/// Name of an installed program: the SHA-256 of its bytes, in four words, first bytes lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Name(pub [u64; 4]);

/// What became of a run, in the kernel's numbers: `struct carnet_outcome`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Raw {
    /// `enum carnet_status`.
    pub status: u32,
    /// What it means depends on the status.
    pub detail: u32,
    /// The instruction.
    pub pc: u32,
    /// Calls already made of the repeat there.
    pub repeated: u32,
    /// Instructions, calls, writes, bytes written, and bytes that texts hold.
    pub amounts: [u64; 5],
}

/// Why a program was rejected: `struct carnet_fault`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Fault {
    /// The instruction, or `u32::MAX`: a table.
    pub at: u32,
    /// `enum carnet_rule`.
    pub rule: u16,
    /// 1 if the kernel does not run it though it may be fine.
    pub unsupported: u16,
    /// What was found.
    pub found: u64,
    /// What was expected.
    pub expected: u64,
}

/// What the kernel said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The program was run, until it ended, or was stopped without a way to go on: it has closed the device.
    Ran(Raw),
    /// It was rejected; nothing was run.
    Rejected(Fault),
}

impl Device {
    /// Opens the device at `path`, if this process has one thread, and no descriptors but 0, 1, 2 and those that it was started with.
    ///
    /// # Errors
    /// If the device cannot be opened, or the process is not alone ([`io::ErrorKind::ResourceBusy`]).
    pub fn alone(path: &Path) -> io::Result<Device> {
        let opened = rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(1 << 15);
        let last = i32::try_from(most.min(1 << 15)).unwrap_or(OWN_MIN) - 1;
        let mut numbers = (0..64).map(|before| last - before).chain([OWN_MIN]);
        let own = numbers.find_map(|number| rustix::io::fcntl_dupfd_cloexec(&opened, number.max(3)).ok());
        let own = own.ok_or(rustix::io::Errno::MFILE)?;
        drop(opened);
        carnet_syscalls::alone(&[own.as_raw_fd()])?;
        Ok(Device { fd: own.into_raw_fd() })
    }

    /// Its number, which no program and nobody else may use.
    #[must_use]
    pub fn number(&self) -> RawFd {
        self.fd
    }

    /// Runs a program with limits of instructions, calls, writes, bytes written, memory and time in ns, until it ends. Signals that stop it are
    /// answered by going on, behind their handlers.
    ///
    /// # Errors
    /// What the kernel refused: too little memory for the program, a process under seccomp, no device.
    pub fn run(
        &mut self,
        program: &[u8],
        variables: &mut [u64],
        arena: &mut [u64],
        limits: &[u64; 6],
    ) -> io::Result<Answer> {
        let mut fault = Fault::default();
        let mut request = Request {
            program: program.as_ptr().expose_provenance() as u64,
            program_bytes: length(program.len())?,
            fault: (&raw mut fault).expose_provenance() as u64,
            ..Request::of(variables, arena, limits)?
        };
        let mut done = self.ask::<RUN>(&mut request);
        while done == Err(rustix::io::Errno::INTR) && request.token != 0 {
            done = self.ask::<RESUME>(&mut request);
        }
        match done {
            Ok(()) => Ok(Answer::Ran(request.outcome)),
            Err(rustix::io::Errno::NOEXEC) => Ok(Answer::Rejected(fault)),
            // It was stopped, and has closed the device or put something in its place: it cannot go on.
            Err(_) if request.outcome.status == STOPPED => Ok(Answer::Ran(request.outcome)),
            Err(error) => Err(error.into()),
        }
    }

    /// Installs a program; `mode` says who may run it: 0100 the owner, 0010 the owner's group, 0001 others. `Err` within: it was
    /// rejected.
    ///
    /// # Errors
    /// What the kernel refused: too many programs, a process under seccomp, no device.
    pub fn install(&mut self, program: &[u8], mode: u32) -> io::Result<Result<Name, Fault>> {
        let mut fault = Fault::default();
        let mut ask = Install {
            program: program.as_ptr().expose_provenance() as u64,
            program_bytes: length(program.len())?,
            mode,
            fault: (&raw mut fault).expose_provenance() as u64,
            ..Install::default()
        };
        // SAFETY: the opcode is one of the device's with an `Install`, of which it writes the name; any bits are a good one. The
        // program and the fault are borrowed or owned here for as long as the call takes.
        let updater = unsafe { Updater::<INSTALL, Install>::new(&mut ask) };
        // SAFETY: as said for the updater; installing runs nothing.
        match unsafe { rustix::ioctl::ioctl(self.fd(), updater) } {
            Ok(()) => Ok(Ok(ask.name)),
            Err(rustix::io::Errno::NOEXEC) => Ok(Err(fault)),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes an installed program of this user's out of the kernel; of everyone's, if this process may administer.
    ///
    /// # Errors
    /// There is none, or it is another user's.
    pub fn remove(&mut self, name: &Name) -> io::Result<()> {
        // SAFETY: the opcode is one of the device's that reads a `Name`.
        let setter = unsafe { Setter::<REMOVE, Name>::new(*name) };
        // SAFETY: as said for the setter.
        unsafe { rustix::ioctl::ioctl(self.fd(), setter) }.map_err(io::Error::from)
    }

    /// Runs an installed program, as [`Device::run`] does one that is sent.
    ///
    /// # Errors
    /// There is none of this name, or this user may not run it; or what the kernel refused.
    pub fn run_installed(
        &mut self,
        name: &Name,
        variables: &mut [u64],
        arena: &mut [u64],
        limits: &[u64; 6],
    ) -> io::Result<Raw> {
        let mut request = Request { name: *name, ..Request::of(variables, arena, limits)? };
        self.ask::<BIND>(&mut request)?;
        let (token, place) = (request.token, &raw const request.outcome);
        let outcome = || {
            // SAFETY: `request` lives until this function ends; the kernel writes its outcome in `go`, and nobody at this moment.
            unsafe { place.read_volatile() }
        };
        let mut done = self.go(token);
        while done == Err(rustix::io::Errno::INTR) && outcome().status == STOPPED {
            done = self.go(token);
        }
        let raw = outcome();
        // SAFETY: the opcode is one of the device's that reads a number.
        let setter = unsafe { Setter::<DISCARD, u64>::new(token) };
        // SAFETY: as said for the setter. If the program has closed the device what was bound is gone, or nobody has its token any more.
        let _gone = unsafe { rustix::ioctl::ioctl(self.fd(), setter) };
        done.map(|()| raw).map_err(io::Error::from)
    }

    /// Runs what is bound, by its token.
    fn go(&mut self, token: u64) -> rustix::io::Result<()> {
        // SAFETY: the opcode is one of the device's that takes a token; one that is none is refused.
        let run = unsafe { IntegerSetter::<RUN_INSTALLED>::new_usize(token as usize) };
        // SAFETY: `run_installed` alone comes here, with a token that is bound to slices that it borrows and to a request of its own; the
        // rest is as for `ask`.
        unsafe { rustix::ioctl::ioctl(self.fd(), run) }
    }

    fn fd(&self) -> BorrowedFd<'static> {
        // SAFETY: nothing but this uses the number, which no `OwnedFd` has; if a program has closed it, the kernel says so.
        unsafe { BorrowedFd::borrow_raw(self.fd) }
    }

    fn ask<const OPCODE: Opcode>(&mut self, request: &mut Request) -> rustix::io::Result<()> {
        // SAFETY: the opcode is one of the device's with a `Request`, which it reads and whose token and outcome it writes; any bits
        // are good ones of these. If the number is another file's by now, `ENOTTY` is all that it says to an opcode of this group.
        let updater = unsafe { Updater::<OPCODE, Request>::new(request) };
        // SAFETY: `run` and `run_installed` alone come here, with addresses and lengths of slices that it borrows, of bytes that may be read or words that may
        // be written, each of any value; the module and the calls of the program stay within them. The program may use any
        // descriptor of this process by number; `alone` has made sure that Rust owns none, and there is no other thread.
        unsafe { rustix::ioctl::ioctl(self.fd(), updater) }
    }
}

/// A descriptor that is given to the programs of this process: nobody closes it but they.
#[must_use]
pub fn give(fd: OwnedFd) -> i64 {
    let number = fd.as_raw_fd();
    let _ = fd.into_raw_fd();
    i64::from(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_is_as_long_as_the_kernel_says() {
        assert_eq!((size_of::<Request>(), size_of::<Raw>(), size_of::<Fault>()), (152, 56, 24));
        assert_eq!((size_of::<Install>(), INSTALL, RUN_INSTALLED), (56, 0xc038_c705, 0xc702));
        assert_eq!(RUN, 0xc098_c701);
    }

    #[test]
    fn a_process_that_is_not_alone_runs_nothing() {
        let path = Path::new("/dev/null");
        // Tests run on threads.
        assert_eq!(Device::alone(path).map(|_| ()).map_err(|e| e.kind()), Err(io::ErrorKind::ResourceBusy));
        let none = Device::alone(Path::new("/dev/no-such-device"));
        assert_eq!(none.map(|_| ()).map_err(|e| e.kind()), Err(io::ErrorKind::NotFound));
    }
}
