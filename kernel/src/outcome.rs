//! What became of a run, as the kernel writes it: `struct carnet_outcome`.

use carnet_program::limits::LimitKind;

/// Faults of a program that was running: `enum carnet_faulted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// Integer arithmetic left 64 bits.
    #[error("an integer left the range of 64 bits")]
    Overflow,
    /// Division or remainder by zero.
    #[error("division by zero")]
    Division,
    /// A reference outlived the text it was made of. No compiled program does that.
    #[error("a reference names a text that is gone")]
    Gone,
    /// The arena could not be written.
    #[error("the arena could not be written")]
    Arena,
    /// The process came under seccomp while the program ran.
    #[error("the process came under seccomp while the program ran")]
    Seccomp,
    /// An argument is out of the range of its type.
    #[error("an argument is out of the range of its type")]
    Argument,
    /// A variable that the caller set has no value of its type.
    #[error("a variable was set to what its type does not have")]
    Variable,
    /// A text has not so many bytes.
    #[error("a text has not so many bytes")]
    Cut,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program ended; its result is at this slot.
    Done(u16),
    /// It said `fail`; its message is at this slot.
    Failed(u16),
    /// A call failed with this error number, and the program does not handle it.
    CallFailed(u16),
    /// A limit was reached; of a loop the number is not known here.
    Limit(LimitKind),
    /// The program did something that has no meaning.
    Fault(FaultKind),
    /// A signal stopped it.
    Stopped,
    /// The verifier rejected it; nothing was run.
    Rejected,
}

/// What became of a run, and what it used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The instruction.
    pub pc: u32,
    /// Instructions, calls, writes, bytes written.
    pub used: [u64; 4],
    /// Bytes that texts hold.
    pub memory: u64,
}

impl Outcome {
    /// Reads status, detail, instruction, and the five amounts.
    #[must_use]
    pub fn new(status: u32, detail: u32, pc: u32, amounts: [u64; 5]) -> Option<Outcome> {
        let slot = u16::try_from(detail);
        let end = match status {
            0 => End::Done(slot.ok()?),
            1 => End::Failed(slot.ok()?),
            2 => End::CallFailed(slot.ok()?),
            3 => End::Limit(limit(detail)?),
            4 => End::Fault(fault(detail)?),
            5 => End::Stopped,
            6 => End::Rejected,
            _ => return None,
        };
        let [instructions, calls, writes, written, memory] = amounts;
        Some(Outcome { end, pc, used: [instructions, calls, writes, written], memory })
    }
}

fn limit(number: u32) -> Option<LimitKind> {
    const KINDS: [LimitKind; 7] = [
        LimitKind::Instructions,
        LimitKind::Calls,
        LimitKind::Writes,
        LimitKind::Written,
        LimitKind::Memory,
        LimitKind::Time,
        LimitKind::Loop(u16::MAX),
    ];
    KINDS.get(number as usize).copied()
}

fn fault(number: u32) -> Option<FaultKind> {
    const KINDS: [FaultKind; 8] = [
        FaultKind::Overflow,
        FaultKind::Division,
        FaultKind::Gone,
        FaultKind::Arena,
        FaultKind::Seccomp,
        FaultKind::Argument,
        FaultKind::Variable,
        FaultKind::Cut,
    ];
    KINDS.get(number as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ends_are_read_and_no_other() {
        let read =
            |status, detail| Outcome::new(status, detail, 3, [1, 2, 3, 4, 5]).map(|outcome| outcome.end);
        assert_eq!(read(0, 65_535), Some(End::Done(65_535)));
        assert_eq!(read(2, 9), Some(End::CallFailed(9)));
        assert_eq!(read(3, 1), Some(End::Limit(LimitKind::Calls)));
        assert_eq!(read(4, 6), Some(End::Fault(FaultKind::Variable)));
        assert_eq!(read(6, 0), Some(End::Rejected));
        assert_eq!([read(7, 0), read(3, 7), read(4, 8), read(0, 65_536)], [None; 4]);
    }
}
