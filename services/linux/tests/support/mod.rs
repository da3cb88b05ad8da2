//! A service with a directory, and sessions of it.

#![allow(dead_code, reason = "each file of tests uses its own part")]

pub(crate) mod peer;
pub(crate) mod served;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use carnet_linux::linux::{self, Address, Errno, System};
use carnet_linux::{Linux, Rights, Rules, Starter};
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::stub::CallError;
use tempfile::TempDir;

pub(crate) const O_WRONLY: i32 = 1;
pub(crate) const O_RDWR: i32 = 2;
pub(crate) const O_CREAT: i32 = 0x40;
pub(crate) const O_EXCL: i32 = 0x80;
pub(crate) const O_TRUNC: i32 = 0x200;
pub(crate) const O_NONBLOCK: i32 = 0x800;
pub(crate) const O_DIRECTORY: i32 = 0x10000;
pub(crate) const O_NOFOLLOW: i32 = 0x20000;
pub(crate) const AT_FDCWD: i32 = -100;

pub(crate) const LOOPBACK: u32 = 0x7f00_0001;

pub(crate) fn loopback(port: u16) -> Address {
    Address { family: 2, number: port, ip: LOOPBACK, high: 0, low: 0, scope: 0, flow: 0 }
}

/// The program of a session's process, built beside the tests.
pub(crate) fn starter() -> Starter {
    Starter { program: env!("CARGO_BIN_EXE_carnet-linux-session").into(), arguments: Vec::new() }
}

pub(crate) fn rules(directory: &Path) -> Rules {
    Rules::new(directory, Rights::Write)
}

pub(crate) fn caller(user: &str) -> Caller {
    Caller::of(user, 1)
}

/// A session, its root, and what keeps it.
pub(crate) struct Open {
    pub(crate) dir: TempDir,
    pub(crate) service: Linux,
    pub(crate) session: Arc<LocalSession>,
    pub(crate) system: System,
}

pub(crate) fn open() -> Open {
    open_with(|_| {})
}

/// One whose rules were changed.
pub(crate) fn open_with(change: impl FnOnce(&mut Rules)) -> Open {
    let dir = tempfile::tempdir().expect("a directory");
    let mut rules = rules(dir.path());
    change(&mut rules);
    let service = Linux::serve(rules, starter()).expect("it is served");
    let (session, system) = session_of(&service, "alice");
    Open { dir, service, session, system }
}

pub(crate) fn session_of(service: &Linux, user: &str) -> (Arc<LocalSession>, System) {
    session_of_caller(service, caller(user))
}

pub(crate) fn session_of_caller(service: &Linux, caller: Caller) -> (Arc<LocalSession>, System) {
    let session = LocalSession::new(Capability::new(service.session(&caller)), caller);
    let system = System::from_portal(session.root());
    (session, system)
}

/// What the kernel refused.
#[track_caller]
pub(crate) fn refused<T>(result: Result<T, CallError<linux::Error>>) -> Errno {
    match result {
        Err(CallError::Raised(error)) => error.kind,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it is not refused"),
    }
}

/// Why a call could not be made.
#[track_caller]
pub(crate) fn failed<T>(result: Result<T, CallError<linux::Error>>) -> String {
    match result {
        Err(CallError::Failed(failure)) => failure.to_string(),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it did not fail"),
    }
}

/// Waits for what another thread or process does, as long as anybody waits for anything.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < peer::PATIENCE, "it does not come true");
        std::thread::yield_now();
    }
}
