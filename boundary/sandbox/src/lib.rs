//! What a process gives up before it works for somebody who is not trusted. None of it needs a privilege, and none can be taken back.
//!
//! ```text
//! close_inherited ─► keep_apart ─► Paths::restrict (Landlock) ─► Calls::restrict (seccomp) ─► work
//! ```
//!
//! | part | what it does |
//! | --- | --- |
//! | [`Paths`] | which files may be read and changed, and which TCP ports used (Landlock) |
//! | [`Calls`] | which system calls may be made at all (seccomp) |
//! | [`keep_apart`] | ends with its parent, takes no new rights, is not looked into by others |
//! | [`close_inherited`] | closes what was inherited |
//! | [`interrupted_by_signal`] | a signal that interrupts the call that waits, and is remembered |
//!
//! Of the floor, because each is a system call that this process can be harmed by: by closing what somebody owns, or by a
//! filter or handler that breaks what others rely on.

mod calls;
mod paths;

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{DumpableBehavior, Signal};

pub use calls::{Calls, Condition};
pub use paths::{Network, Paths, Port, Rights, landlock_version};

/// Ends this process when its parent ends, keeps it from gaining rights by the programs that it starts, and others of the
/// same user from looking into its memory.
///
/// # Errors
/// If the system refuses one of these.
pub fn keep_apart() -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    rustix::thread::set_no_new_privs(true)?;
    Ok(())
}

/// Closes what this process inherited but descriptors 0, 1 and 2: what would be inherited in turn.
///
/// # Errors
/// If they cannot be listed.
pub fn close_inherited() -> io::Result<()> {
    let numbers: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // SAFETY: it touches no memory; a number that is no descriptor any more is an error.
        let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
        if flags >= 0 && flags & libc::FD_CLOEXEC == 0 {
            // SAFETY: nobody here owns it: Rust's library, and every other of this workspace, opens what it opens with
            // FD_CLOEXEC, so that this one was opened by whoever started the program.
            unsafe { libc::close(number) };
        }
    }
    Ok(())
}

/// From now on what is wrong with a process ends it at once: Rust's library has a handler that tells of an overrun stack and then sets this
/// itself, which a filter of system calls does not let it do.
///
/// # Errors
/// If the system refuses.
pub fn ends_by_its_faults() -> io::Result<()> {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE] {
        // SAFETY: what a signal does by itself runs no code of anybody's.
        if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

static INTERRUPTED: AtomicU32 = AtomicU32::new(0);

extern "C" fn remember(_: libc::c_int) {
    INTERRUPTED.store(1, Ordering::Relaxed);
}

/// From now on SIGUSR1 sets what this returns, and the system call that waits then comes back with EINTR. SIGXFSZ and SIGPIPE end
/// nothing any more: a call returns EFBIG or EPIPE.
///
/// # Errors
/// If the system refuses.
pub fn interrupted_by_signal() -> io::Result<&'static AtomicU32> {
    // A file that reaches its limit, and a pipe without a reader, are error numbers.
    for signal in [libc::SIGXFSZ, libc::SIGPIPE] {
        // SAFETY: to ignore a signal runs no code of anybody's.
        if unsafe { libc::signal(signal, libc::SIG_IGN) } == libc::SIG_ERR {
            return Err(io::Error::last_os_error());
        }
    }
    // SAFETY: all zeros are a `sigaction`: no handler, no flags, no signals.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = remember as extern "C" fn(libc::c_int) as libc::sighandler_t;
    // Without SA_RESTART.
    // SAFETY: the handler stores into an atomic and does nothing else, which a handler may do at any moment; it has the type
    // that is expected without SA_SIGINFO; nobody else in this workspace uses this signal.
    let done = unsafe { libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut()) };
    if done == 0 { Ok(&INTERRUPTED) } else { Err(io::Error::last_os_error()) }
}
