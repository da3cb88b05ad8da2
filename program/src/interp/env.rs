//! What a run needs from around it, and how much may be done at a time.

use std::sync::atomic::AtomicU32;
use std::time::Instant;

use carnet_portal::call::Caller;

/// What a run needs from around it.
#[derive(Debug)]
pub struct Env<'a> {
    /// On whose behalf.
    pub caller: &'a Caller,
    /// [`CANCEL`](super::CANCEL), [`DEADLINE`](super::DEADLINE) and [`TURN`](super::TURN).
    pub interrupt: &'a AtomicU32,
    /// Whether writes are made.
    pub mode: Mode,
    /// Whether a call that may block is made, or makes the run pause with [`Stop::Blocks`](super::Stop::Blocks).
    pub blocking: Blocking,
}

/// Whether writes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are.
    Real,
    /// They are only counted.
    Dry,
}

/// What happens before a call that may block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    /// It is made.
    Allowed,
    /// The run pauses, to go on elsewhere.
    Pauses,
    /// It is made if its object knows until then that it does not wait ([`Object::is_ready`]); else the run pauses.
    ///
    /// [`Object::is_ready`]: carnet_portal::call::Object::is_ready
    Tried(Instant),
}

/// How much may be done before [`Machine::advance`](super::Machine::advance) comes back with [`Stop::Pause`](super::Stop::Pause).
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Instructions.
    pub instructions: u64,
    /// Calls.
    pub calls: u64,
}

impl Slice {
    /// No pauses.
    pub const UNLIMITED: Slice = Slice { instructions: u64::MAX, calls: u64::MAX };
}
