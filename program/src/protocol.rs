//! What client and server say to each other about programs: requests to the entry point and their answers.
//!
//! Frames of these kinds, which say the version, too, carry the bytes that are encoded here; `codec.rs` has the primitives. All numbers are
//! little-endian; texts, lists and options are preceded by a u32 that counts what follows.
//!
//! | kind | request | answer |
//! | --- | --- | --- |
//! | [`RUN`] | [`RunRequest`] | [`Outcome`], with [`Progress`] before it |
//! | [`BILL`] | [`RunRequest`] | [`BillAnswer`] |
//! | [`CANCEL`] | run identity | 1 byte: whether it was running |
//! | [`ASK`] | run identity | 1 byte: 0 unknown, 1 running, 2 ended, then its [`Outcome`] |
//! | [`STATUS`] | nothing | [`Status`] |
//! | [`RESUME`] | [`ResumeRequest`] | [`Outcome`], with [`Progress`] before it |
//! | [`RUNS`] | nothing | list of [`RunInfo`] |
//! | [`DISCARD`] | run identity | 1 byte: whether it was kept |
//! | [`INSTALLED`] | a name, or nothing | list of [`InstalledProgram`]: that one with its source, or all without |
//! | [`SERVICES`] | nothing | list of [`ServiceInfo`], with the portal on the root of each |

mod bills;
pub(crate) mod codec;
mod installed;
mod progress;
mod refusals;
mod request;
mod resume;
mod services;

use std::borrow::Cow;
use std::fmt;

use codec::{Reader, Writer};

use carnet_idl::descriptor::Effect;

use crate::bill::{Bill, Hash};
use crate::interp::FaultKind;
use crate::limits::{Amounts, LimitKind, LimitSource, Standing};
use crate::tree::{CapKind, Pos};
use crate::verify::{BoundOp, Fault, FaultKind as RejectionKind};

pub use codec::Malformed;
pub use installed::{InstalledProgram, decode_installed, encode_installed};
pub use progress::{LineSpent, Progress};
pub use refusals::NotWalked;
pub use request::{Argument, Engine, RunOptions, RunProgram, RunRequest, decode_arguments, encode_arguments};
pub use resume::{
    InDoubt, Kept, NAME_BYTES_MAX, Raise, ResumeRequest, RunInfo, SET_MAX, SetVariable, SetVariables,
    ShortOf, StoppedRun, VariableValue, decode_runs, encode_runs, raised,
};
pub use services::{ServiceInfo, decode_services, encode_services};

/// Version of what is said here, which is part of each request's kind: whoever speaks another one is told so, instead of an answer that he
/// cannot read. A value that is new in an answer, such as a way to end, is a new version, and so is a new kind of request.
///
/// Servers of version 1 say no more than that they do not know a request. Version 2 had no [`SERVICES`], and did not say which limits are used up when a
/// call is in doubt ([`Kept::short_of`]). Outcomes of both are read as they are.
pub const VERSION: u8 = 3;
/// Requests of one version.
const KINDS: u8 = 16;

/// Runs a program.
pub const RUN: u8 = KINDS * VERSION;
/// Asks for a program's bill.
pub const BILL: u8 = RUN + 1;
/// Cancels a run.
pub const CANCEL: u8 = RUN + 2;
/// Asks for a run's outcome.
pub const ASK: u8 = RUN + 3;
/// Asks how the server is.
pub const STATUS: u8 = RUN + 4;
/// Lets a run go on that stopped.
pub const RESUME: u8 = RUN + 5;
/// Lists the principal's runs that have a name, and run or are kept.
pub const RUNS: u8 = RUN + 6;
/// Lets go of a run that is kept.
pub const DISCARD: u8 = RUN + 7;
/// Asks for programs that are installed.
pub const INSTALLED: u8 = RUN + 8;
/// Asks for the services beside the one of the session, and for their roots: single calls are made of them as of the session's own.
pub const SERVICES: u8 = RUN + 9;

/// What a server of any version says of a request that it does not know.
pub(crate) const UNKNOWN: &str = "no such request about programs";

/// What a server says of a request of this kind, which is none of its own.
pub(crate) fn not_known(kind: u8) -> String {
    match kind / KINDS {
        VERSION => UNKNOWN.to_owned(),
        version => format!(
            "{UNKNOWN}: the client speaks version {version} of the protocol for programs, and the server version {VERSION}; the older one is \
             to be replaced"
        ),
    }
}

/// Digits of an approval that are shown, and the least that approve: 128 bits. Whoever writes two programs can make their
/// hashes agree in half as many bits as he can afford to try, so that eight digits, say, approve what nobody has seen.
pub const APPROVAL_DIGITS: usize = 32;

/// Chosen by the client; asking again with it returns the stored outcome instead of running twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub u128);

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// In what way.
    pub end: End,
    /// The instruction at which it ended.
    pub at: u32,
    /// Its place in the source.
    pub pos: Pos,
    /// The call that failed, or was about to be made.
    pub call: Option<StoppedCall>,
    /// The result, or what there was of it.
    pub result: Option<Vec<u8>>,
    /// Calls of each operation that was called, in the program's order.
    pub calls: Vec<CallCount>,
    /// What was used.
    pub receipt: Receipt,
    /// It was a dry run: writes are those that would have been made.
    pub dry: bool,
    /// It can go on.
    pub kept: Option<Kept>,
    /// It was kept, or would have been, and cannot go on: why, for people, a clause. Nothing if it is kept.
    pub cannot_go_on: Option<String>,
}

/// How often an operation was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallCount {
    /// Its interface: `Dir`.
    pub interface: Cow<'static, str>,
    /// Its name: `open`.
    pub operation: Cow<'static, str>,
    /// Reads or writes.
    pub effect: Effect,
    /// How often.
    pub count: u64,
    /// How many of these calls failed: they were made, and took no effect.
    pub failed: u64,
}

impl CallCount {
    /// Calls of an operation of a program that is loaded here: names are borrowed from its descriptor.
    #[must_use]
    pub fn of(op: &BoundOp, count: u64, failed: u64) -> CallCount {
        CallCount {
            interface: Cow::Borrowed(&op.module.interfaces[op.interface.index()].name),
            operation: Cow::Borrowed(&op.operation.name),
            effect: op.operation.effect,
            count,
            failed,
        }
    }
}

impl CallCount {
    /// `Dir.open`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.interface, self.operation)
    }

    /// How many of the calls took effect; in a dry run: would have.
    #[must_use]
    pub fn took_effect(&self) -> u64 {
        self.count.saturating_sub(self.failed)
    }
}

impl fmt::Display for CallCount {
    /// `Dir.open 12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} {}", self.interface, self.operation, self.count)
    }
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// Calls.
    pub calls: u64,
    /// Calls of writing operations.
    pub writes: u64,
    /// Bytes written.
    pub written: u64,
    /// Instructions.
    pub instructions: u64,
    /// Bytes that texts and lists held at the end.
    pub memory: u64,
    /// Wall time in ns.
    pub time_ns: u64,
}

impl Receipt {
    /// What is counted for principals.
    pub(crate) fn amounts(&self) -> Amounts {
        let Receipt { calls, writes, written, instructions, .. } = *self;
        Amounts { calls, writes, written, instructions }
    }

    /// What was used when `limit` of that kind was reached.
    #[must_use]
    pub fn used_of(&self, kind: LimitKind, limit: u64) -> u64 {
        match kind {
            LimitKind::Instructions => self.instructions,
            LimitKind::Calls => self.calls,
            LimitKind::Writes => self.writes,
            LimitKind::Written => self.written,
            LimitKind::Memory => self.memory.min(limit),
            LimitKind::Time => self.time_ns,
            LimitKind::Returned | LimitKind::Loop(_) => limit,
        }
    }
}

/// The ways in which a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It ran to its end.
    Done,
    /// It ended itself with a message.
    Failed(Vec<u8>),
    /// A call failed: with this message; raised, or else by the caller's, service's or our fault.
    CallFailed {
        /// What went wrong.
        message: String,
        /// Whether the service raised it.
        raised: bool,
    },
    /// The answer of a call that writes never came: nobody knows whether it took effect. The outcome's call is that one.
    CallInDoubt {
        /// What became of the way to the service.
        message: String,
    },
    /// It did something that has no meaning.
    Fault(FaultKind),
    /// A limit was reached.
    Limit {
        /// What is limited.
        kind: LimitKind,
        /// The limit.
        limit: u64,
        /// How much was used when it stopped.
        used: u64,
        /// Where the limit comes from.
        source: LimitSource,
    },
    /// A portal was revoked.
    Revoked,
    /// It was cancelled.
    Cancelled,
    /// A dry run came to where it would have to read what it did not write.
    CannotKnow,
    /// The server's process ended while it was under way. What is counted is up to its last writing call; the outcome's call is
    /// that one if it is in doubt, and is not counted.
    ServerEnded {
        /// The call had begun, and nobody knows whether it took effect.
        in_doubt: bool,
    },
    /// The verifier rejected it; nothing was run.
    Rejected(Vec<Fault>),
    /// Policy refused it; nothing was run.
    Refused(Refusal),
}

/// Why policy refused a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bill is larger than the server accepts.
    Bill {
        /// What of it.
        kind: LimitKind,
        /// At most so much, by the bill.
        bill: u64,
        /// The server accepts so much.
        accepts: u64,
    },
    /// The policy accepts no default limits: lines of the loops that have them.
    Defaults {
        /// Name of the policy.
        policy: String,
        /// Lines.
        lines: Vec<u32>,
    },
    /// It writes, and nobody approved that.
    NotApproved {
        /// Calls of writing operations, at most.
        writes: u64,
        /// Who asked.
        principal: String,
        /// What approves it.
        approval: Hash,
    },
    /// The approval is for another program, bill or arguments.
    WrongApproval,
    /// The identity was used for another run: another program, other arguments, or one of the two is a dry run.
    IdentityUsed,
    /// The server runs so many at the same time, as many as it may.
    Busy(u32),
    /// An argument is wrong.
    Argument {
        /// Which one, from 0.
        index: u32,
        /// What is wrong.
        message: String,
    },
    /// The server is shutting down.
    Closing,
    /// The principal has nothing left of what it would need.
    Allowance {
        /// What of it.
        kind: LimitKind,
        /// How the principal stands.
        standing: Box<Standing>,
    },
    /// The principal has so many runs at the same time, as many as one may.
    PrincipalBusy(u32),
    /// No run is kept under this identity: it never stopped, or was let go.
    NotKept,
    /// The run went on from that stop already.
    WentOn,
    /// The header of the program has no limit of this kind that could be raised.
    NoCap(CapKind),
    /// What was approved with its limits cannot go on with higher ones.
    RaisesApproved,
    /// It was named by its hash, and it is not in the server's cache: the client sends it whole.
    NotCached,
    /// It writes, and the server cannot write down what it does: why.
    NoJournal(String),
    /// The policy of this name lets the principal run installed programs only.
    OnlyInstalled(String),
    /// The limits of an installed program are fixed.
    RaisesInstalled,
    /// It would repeat a call that may have taken effect, is not idempotent, and that nobody said to repeat.
    InDoubt,
    /// A variable cannot be set so.
    Variable {
        /// Its slot.
        slot: u16,
        /// What is wrong.
        message: String,
    },
    /// What was approved, or is installed, goes on with the variables that it has.
    FixedVariables,
    /// Variables are to be set of another program than the run's.
    OtherProgram,
    /// An earlier server has kept the run, and it cannot go on with this one: why.
    CannotGoOn(String),
    /// The server takes no trees.
    NoTrees,
    /// It is to be run or go on as a tree, and cannot: why. It can in any other engine.
    NotATree(NotWalked),
}

/// A call that was not made, or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedCall {
    /// `Dir.remove`.
    pub operation: String,
    /// The portal register it was called on; the client knows its name.
    pub register: u16,
    /// Names of its arguments and what they were, for people.
    pub arguments: Vec<(String, String)>,
    /// It was begun, and came back before it was done, because the run was to stop.
    pub interrupted: bool,
}

/// Set beside the register of a call that was interrupted.
const INTERRUPTED: u32 = 1 << 16;

/// The bill and what approves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillAnswer {
    /// The bill, or why there is none.
    pub bill: Result<Bill, Vec<Fault>>,
    /// Approves this program with this bill and these arguments.
    pub approval: Hash,
    /// What policy would say.
    pub refusal: Option<Refusal>,
}

/// How the server is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Seconds since it began.
    pub uptime_s: u64,
    /// Runs at the moment.
    pub running: u64,
    /// Runs that ended since it began: done, and not done.
    pub done: u64,
    /// See `done`.
    pub not_done: u64,
    /// Programs that were rejected or refused.
    pub refused: u64,
    /// Calls made by programs.
    pub calls: u64,
    /// Outcomes stored.
    pub stored: u64,
    /// Runs that stopped and are kept.
    pub kept: u64,
    /// Verified programs in the cache.
    pub cached: u64,
    /// Those of them that are machine code, too.
    pub translated: u64,
    /// How far back it remembers runs of the principal who asks.
    pub memory: Memory,
    /// How the principal stands who asks.
    pub standing: Standing,
}

/// How far back a server remembers the runs of one principal: one that is unknown, and was sent when the server said `now`, never
/// began if the same server has forgotten nothing since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Which server it is, and whose runs; another number after whatever may have made it lose some.
    pub server: u64,
    /// Of runs that began this is the last one's number.
    pub now: u64,
    /// None is forgotten that has a higher number.
    pub forgotten: u64,
}

impl Memory {
    /// Whether the server, as it says now, has forgotten none of the runs that began after it said this. One that has counted fewer runs
    /// than then was put back to an earlier state, and knows nothing of what came after that.
    #[must_use]
    pub fn reaches_to(&self, now: &Memory) -> bool {
        self.server == now.server && now.forgotten <= self.now && self.now <= now.now
    }

    pub(crate) fn write(&self, w: &mut Writer) {
        [self.server, self.now, self.forgotten].into_iter().for_each(|n| w.u64(n));
    }

    pub(crate) fn read(r: &mut Reader<'_>) -> Result<Memory, Malformed> {
        Ok(Memory { server: r.u64()?, now: r.u64()?, forgotten: r.u64()? })
    }
}

impl Outcome {
    /// Writes it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(128);
        self.write(&mut w);
        w.finish()
    }

    /// Writes it into memory used before.
    pub(crate) fn encode_into(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        let mut w = Writer::onto(std::mem::take(bytes));
        self.write(&mut w);
        *bytes = w.finish();
    }

    fn write(&self, w: &mut Writer) {
        self.end.write(w);
        w.u32(self.at);
        w.pos(self.pos);
        w.option(self.call.as_ref(), |w, call| call.write(w));
        w.option(self.result.as_ref(), |w, result| w.bytes(result));
        w.count(self.calls.len());
        for call in &self.calls {
            w.bytes(call.interface.as_bytes());
            w.bytes(call.operation.as_bytes());
            w.u8(u8::from(call.effect == Effect::Writes));
            w.u64(call.count);
            w.u64(call.failed);
        }
        let r = &self.receipt;
        [r.calls, r.writes, r.written, r.instructions, r.memory, r.time_ns]
            .into_iter()
            .for_each(|n| w.u64(n));
        w.u8(u8::from(self.dry));
        resume::write_kept(w, self.kept.as_ref(), self.cannot_go_on.as_deref());
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(bytes: &[u8]) -> Result<Outcome, Malformed> {
        let mut r = Reader::new(bytes);
        let outcome = Outcome::read(&mut r)?;
        r.end()?;
        Ok(outcome)
    }

    fn read(r: &mut Reader<'_>) -> Result<Outcome, Malformed> {
        let end = End::read(r)?;
        let (at, pos) = (r.u32()?, r.pos()?);
        let call = r.option(StoppedCall::read)?;
        let result = r.option(|r| Ok(r.bytes()?.to_vec()))?;
        let calls = r.list(25, |r| {
            Ok(CallCount {
                interface: Cow::Owned(r.string()?),
                operation: Cow::Owned(r.string()?),
                effect: if r.bool()? { Effect::Writes } else { Effect::Reads },
                count: r.u64()?,
                failed: r.u64()?,
            })
        })?;
        let receipt = Receipt {
            calls: r.u64()?,
            writes: r.u64()?,
            written: r.u64()?,
            instructions: r.u64()?,
            memory: r.u64()?,
            time_ns: r.u64()?,
        };
        let dry = r.bool()?;
        let (kept, cannot_go_on) = resume::read_kept(r)?;
        Ok(Outcome { end, at, pos, call, result, calls, receipt, dry, kept, cannot_go_on })
    }
}

impl StoppedCall {
    fn write(&self, w: &mut Writer) {
        w.bytes(self.operation.as_bytes());
        w.u32(u32::from(self.register) | if self.interrupted { INTERRUPTED } else { 0 });
        w.count(self.arguments.len());
        for (name, value) in &self.arguments {
            w.bytes(name.as_bytes());
            w.bytes(value.as_bytes());
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<StoppedCall, Malformed> {
        let operation = r.string()?;
        let word = r.u32()?;
        let register = u16::try_from(word & !INTERRUPTED).map_err(|_| Malformed)?;
        let count = r.count(8)?;
        let mut arguments = Vec::with_capacity(count);
        for _ in 0..count {
            arguments.push((r.string()?, r.string()?));
        }
        Ok(StoppedCall { operation, register, arguments, interrupted: word & INTERRUPTED != 0 })
    }
}

impl End {
    fn write(&self, w: &mut Writer) {
        match self {
            End::Done => w.u8(0),
            End::Failed(message) => {
                w.u8(1);
                w.bytes(message);
            }
            End::CallFailed { message, raised } => {
                w.u8(2);
                w.bytes(message.as_bytes());
                w.u8(u8::from(*raised));
            }
            End::Fault(kind) => {
                w.u8(3);
                w.u8(*kind as u8);
            }
            End::Limit { kind, limit, used, source } => {
                w.u8(4);
                w.limit_kind(*kind);
                w.u64(*limit);
                w.u64(*used);
                w.limit_source(*source);
            }
            End::Revoked => w.u8(5),
            End::Cancelled => w.u8(6),
            End::CannotKnow => w.u8(7),
            End::Rejected(faults) => {
                w.u8(8);
                write_faults(w, faults);
            }
            End::Refused(refusal) => {
                w.u8(9);
                refusal.write(w);
            }
            End::CallInDoubt { message } => {
                w.u8(11);
                w.bytes(message.as_bytes());
            }
            End::ServerEnded { in_doubt } => {
                w.u8(10);
                w.u8(u8::from(*in_doubt));
            }
        }
    }

    fn read(r: &mut Reader<'_>) -> Result<End, Malformed> {
        Ok(match r.u8()? {
            0 => End::Done,
            1 => End::Failed(r.bytes()?.to_vec()),
            2 => End::CallFailed { message: r.string()?, raised: r.bool()? },
            3 => End::Fault(fault_kind(r.u8()?)?),
            4 => End::Limit {
                kind: r.limit_kind()?,
                limit: r.u64()?,
                used: r.u64()?,
                source: r.limit_source()?,
            },
            5 => End::Revoked,
            6 => End::Cancelled,
            7 => End::CannotKnow,
            8 => End::Rejected(read_faults(r)?),
            9 => End::Refused(Refusal::read(r)?),
            10 => End::ServerEnded { in_doubt: r.bool()? },
            11 => End::CallInDoubt { message: r.string()? },
            _ => return Err(Malformed),
        })
    }
}

pub(crate) fn fault_kind(number: u8) -> Result<FaultKind, Malformed> {
    [
        FaultKind::Overflow,
        FaultKind::DivisionByZero,
        FaultKind::Index,
        FaultKind::TextTooLong,
        FaultKind::ListFull,
        FaultKind::NullPortal,
        FaultKind::Internal,
        FaultKind::Reference,
        FaultKind::Arm,
        FaultKind::Cut,
        FaultKind::ListTooLong,
    ]
    .into_iter()
    .find(|kind| *kind as u8 == number)
    .ok_or(Malformed)
}

fn write_faults(w: &mut Writer, faults: &[Fault]) {
    w.count(faults.len());
    for fault in faults {
        w.option(fault.at.as_ref(), |w, at| w.u32(*at));
        w.pos(fault.pos);
        w.bytes(fault.rule.as_bytes());
        w.u8(u8::from(fault.kind == RejectionKind::Unsupported));
        w.bytes(fault.message.as_bytes());
    }
}

/// The rules of the verifier, so that a rule is a name and not any text of the server's.
const RULES: [&str; 20] = [
    "table",
    "loop",
    "no-limit",
    "end",
    "operation",
    "type",
    "register",
    "flags",
    "operands",
    "branch",
    "repeat",
    "strided",
    "message",
    "word",
    "block",
    "unsupported",
    "unknown-interface",
    "unknown-operation",
    "not-in-programs",
    "tree",
];

fn read_faults(r: &mut Reader<'_>) -> Result<Vec<Fault>, Malformed> {
    let count = r.count(18)?;
    let mut faults = Vec::with_capacity(count);
    for _ in 0..count {
        let at = r.option(Reader::u32)?;
        let pos = r.pos()?;
        let name = r.string()?;
        let rule = RULES.into_iter().find(|rule| *rule == name).unwrap_or("rejected");
        let kind = if r.bool()? { RejectionKind::Unsupported } else { RejectionKind::Unsafe };
        faults.push(Fault { at, pos, rule, kind, message: r.string()? });
    }
    Ok(faults)
}

impl Status {
    /// Writes it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(192);
        let Status {
            uptime_s,
            running,
            done,
            not_done,
            refused,
            calls,
            stored,
            kept,
            cached,
            translated,
            memory,
            standing: _,
        } = *self;
        [uptime_s, running, done, not_done, refused, calls, stored, kept, cached, translated]
            .into_iter()
            .for_each(|n| w.u64(n));
        memory.write(&mut w);
        w.standing(&self.standing);
        w.finish()
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(bytes: &[u8]) -> Result<Status, Malformed> {
        let mut r = Reader::new(bytes);
        let status = Status {
            uptime_s: r.u64()?,
            running: r.u64()?,
            done: r.u64()?,
            not_done: r.u64()?,
            refused: r.u64()?,
            calls: r.u64()?,
            stored: r.u64()?,
            kept: r.u64()?,
            cached: r.u64()?,
            translated: r.u64()?,
            memory: Memory::read(&mut r)?,
            standing: r.standing()?,
        };
        r.end()?;
        Ok(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind after `kind`; a new one must be put here.
    fn after(kind: FaultKind) -> Option<FaultKind> {
        match kind {
            FaultKind::Overflow => Some(FaultKind::DivisionByZero),
            FaultKind::DivisionByZero => Some(FaultKind::Index),
            FaultKind::Index => Some(FaultKind::TextTooLong),
            FaultKind::TextTooLong => Some(FaultKind::ListFull),
            FaultKind::ListFull => Some(FaultKind::NullPortal),
            FaultKind::NullPortal => Some(FaultKind::Internal),
            FaultKind::Internal => Some(FaultKind::Reference),
            FaultKind::Reference => Some(FaultKind::Arm),
            FaultKind::Arm => Some(FaultKind::Cut),
            FaultKind::Cut => Some(FaultKind::ListTooLong),
            FaultKind::ListTooLong => None,
        }
    }

    #[test]
    fn every_fault_of_a_run_is_understood_by_its_client() {
        let mut next = Some(FaultKind::Overflow);
        while let Some(kind) = next {
            let mut w = Writer::with_capacity(2);
            End::Fault(kind).write(&mut w);
            assert_eq!(End::read(&mut Reader::new(&w.finish())), Ok(End::Fault(kind)));
            next = after(kind);
        }
    }
}
