//! Programs of system calls that run as the process that asks for it: in the kernel where that has the module and supports them, and otherwise
//! by the interpreter of `carnet-program`, in this process. Both have the process's rights and descriptors, and give the same outcome.

use std::io;
use std::os::fd::RawFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Call, Caller, Failure, Kind, Object};
use carnet_portal::capability::{Capability, Grant};
use carnet_program::bytecode::View;
use carnet_program::eval::Arg;
use carnet_program::interp::{self, Blocking, Env, Machine, Mode, Slice, Stop};
use carnet_program::limits::{Effective, LimitKind, Limits};
use carnet_program::protocol::{CallCount, End, Outcome, Receipt};
use carnet_program::tree::Pos;
use carnet_program::verify::Loaded;

use crate::device::{Answer, Device, Fault};
use crate::memory::{Given, given};
use crate::outcome::{self, FaultKind};
use crate::{Memory, Misfit, messages, rule};

/// The device of the module.
pub const DEVICE: &str = "/dev/carnet";

/// Between looks at the clock. Calls that may wait are made one by one.
const SLICE: Slice = Slice { instructions: 100_000, calls: 100 };

/// A process that is the programs': it has one thread, and has opened no descriptors but 0, 1 and 2.
#[derive(Debug)]
pub struct Here {
    device: Option<Device>,
    portal: Capability,
    /// Why the kernel did not run the last program.
    unsupported: Option<Fault>,
    /// Descriptors that programs left open, and the device's.
    theirs: Vec<RawFd>,
}

/// Why a program was not run.
#[derive(Debug, thiserror::Error)]
pub enum NotRun {
    /// An argument does not fit.
    #[error("{0}")]
    Misfit(#[from] Misfit),
    /// The kernel rejects it.
    #[error("the kernel rejects it: {}", told(.0))]
    Rejected(Fault),
    /// The kernel refused to take it.
    #[error("{0}")]
    System(#[from] io::Error),
    /// Module and program are not of the same version.
    #[error("the kernel says what this version does not know")]
    Unknown,
}

/// What the kernel says of a program that it does not run.
#[must_use]
pub fn told(fault: &Fault) -> String {
    let Fault { at, found, expected, .. } = fault;
    let place = if *at == u32::MAX { "a table".to_owned() } else { format!("instruction {at}") };
    format!("{} at {place}: found {found:x}, expected {expected:x}", rule(fault.rule))
}

impl Here {
    /// With the module whose device this is, or without one where there is no device, or none for this user. From now on the process, and what
    /// it starts, has descriptors below 32,767 only, or below that of the device.
    ///
    /// # Errors
    /// If the process has other threads or descriptors ([`io::ErrorKind::ResourceBusy`]), or the system refuses.
    pub fn alone(device: &Path) -> io::Result<Here> {
        let device = match Device::alone(device) {
            Ok(device) => Some(device),
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) =>
            {
                None
            }
            Err(error) => return Err(error),
        };
        let own = device.as_ref().map(Device::number);
        let system = carnet_linux::process::unconfined(own)?;
        let portal = Capability::under(system, &Grant::new());
        Ok(Here { device, portal, unsupported: None, theirs: own.into_iter().collect() })
    }

    /// Whether programs run in the kernel.
    #[must_use]
    pub fn is_in_kernel(&self) -> bool {
        self.device.is_some()
    }

    /// Why the program that ran last was not run by the kernel although it has the module: what it does not support.
    #[must_use]
    pub fn unsupported(&self) -> Option<&Fault> {
        self.unsupported.as_ref()
    }

    /// What a program is given for its `System`.
    #[must_use]
    pub fn portal(&self) -> Capability {
        self.portal.clone()
    }

    /// Runs a program to its end; `bytes` are those it was loaded from. In the kernel, signals that stop it are answered by going on, behind
    /// their handlers; by the interpreter, a call that a handler interrupts fails with `EINTR` unless it is to be restarted. Portals among the
    /// arguments all mean the system here. What the kernel does not support is [interpreted](Here::unsupported). The interpreter looks at the
    /// clock between calls: one that waits goes beyond the limit of time.
    ///
    /// # Errors
    /// [`NotRun`]: nothing was done. [`NotRun::System`] of [`io::ErrorKind::ResourceBusy`] if the process is not alone any more.
    pub fn run(
        &mut self,
        program: &Loaded,
        bytes: &[u8],
        args: &[Arg],
        limits: &Limits,
    ) -> Result<Outcome, NotRun> {
        // What was opened here since would be in the reach of programs.
        carnet_syscalls::alone(&self.theirs)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let started = i64::try_from(now.as_nanos()).unwrap_or(i64::MAX);
        let effective = Effective::new(limits, &program.caps);
        let job = Job { program, bytes, effective };
        self.unsupported = None;
        let ran = match &mut self.device {
            Some(device) => match job.in_kernel(device, Memory::new(program, args, started)?) {
                Err(NotRun::Rejected(fault)) if fault.unsupported == 1 => {
                    self.unsupported = Some(fault);
                    None
                }
                ran => Some(ran?),
            },
            None => None,
        };
        let outcome = match ran {
            Some(outcome) => outcome,
            None => job.interpreted(args, &self.portal, started)?,
        };
        // Nothing but the program has run. If it has left no descriptor free to look with, the next run is told.
        if let Ok(theirs) = carnet_syscalls::opened_here() {
            self.theirs = theirs;
        }
        Ok(outcome)
    }
}

/// A run.
struct Job<'p> {
    program: &'p Loaded,
    bytes: &'p [u8],
    effective: Effective,
}

impl Job<'_> {
    fn in_kernel(&self, device: &mut Device, mut memory: Memory) -> Result<Outcome, NotRun> {
        let limits = &self.effective.limits;
        let budget =
            [limits.instructions, limits.calls, limits.writes, limits.written, limits.memory, limits.time_ns];
        let began = Instant::now();
        let raw = match device.run(self.bytes, &mut memory.variables, &mut memory.arena, &budget)? {
            Answer::Ran(raw) => raw,
            Answer::Rejected(fault) => return Err(NotRun::Rejected(fault)),
        };
        let ran =
            outcome::Outcome::new(raw.status, raw.detail, raw.pc, raw.amounts).ok_or(NotRun::Unknown)?;
        let [instructions, calls, writes, written] = ran.used;
        let receipt =
            Receipt { calls, writes, written, instructions, memory: ran.memory, time_ns: ns(began) };
        let mut result = None;
        let end = match ran.end {
            outcome::End::Done(slot) => {
                let bytes = memory.result(self.program, slot);
                if bytes.len() as u64 > limits.returned {
                    self.limit(LimitKind::Returned, &receipt)
                } else {
                    result = Some(bytes);
                    End::Done
                }
            }
            outcome::End::Failed(slot) => End::Failed(memory.text(slot)),
            outcome::End::CallFailed(error) => {
                let message = messages().get(usize::from(error)).unwrap_or(&"not an error of this system");
                End::CallFailed { message: (*message).to_owned(), raised: true }
            }
            outcome::End::Limit(LimitKind::Loop(_)) => self.limit(self.loop_at(ran.pc), &receipt),
            outcome::End::Limit(kind) => self.limit(kind, &receipt),
            outcome::End::Fault(FaultKind::Overflow) => End::Fault(interp::FaultKind::Overflow),
            outcome::End::Fault(FaultKind::Division) => End::Fault(interp::FaultKind::DivisionByZero),
            outcome::End::Fault(FaultKind::Gone) => End::Fault(interp::FaultKind::Reference),
            outcome::End::Fault(FaultKind::Cut) => End::Fault(interp::FaultKind::Cut),
            outcome::End::Fault(kind) => End::CallFailed { message: kind.to_string(), raised: false },
            outcome::End::Stopped | outcome::End::Rejected => End::Cancelled,
        };
        let counts = memory.variables[self.program.slots.len()..].chunks_exact(2);
        Ok(self.outcome(end, ran.pc, result, counts.map(|count| (count[0], count[1])), receipt))
    }

    fn interpreted(&self, args: &[Arg], system: &Capability, started: i64) -> Result<Outcome, NotRun> {
        let (program, full) = (self.program, self.effective.budget());
        let began = Instant::now();
        let mut machine = Machine::new();
        machine.reset(program, full);
        let mut stop = None;
        for given in given(program, args)? {
            match given {
                Given::Portal(register) => machine.set_portal(register, system.clone()),
                Given::Word(slot, word) => machine.set_scalar(slot, word),
                Given::Text(slot, text) => stop = stop.or(machine.set_text(program, slot, text).err()),
            }
        }
        if program.started != carnet_program::bytecode::NONE {
            machine.set_scalar(program.started, started);
        }
        let (caller, interrupt) = (Caller::local(), AtomicU32::new(0));
        let mut env =
            Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Pauses };
        let time = Duration::from_nanos(self.effective.limits.time_ns);
        let stop = stop.unwrap_or_else(|| {
            loop {
                let calls = if env.blocking == Blocking::Allowed { 1 } else { SLICE.calls };
                match machine.advance(program, &env, Slice { calls, ..SLICE }) {
                    Stop::Pause | Stop::Blocks if began.elapsed() >= time => {
                        return Stop::Limit(LimitKind::Time);
                    }
                    Stop::Pause => env.blocking = Blocking::Pauses,
                    Stop::Blocks => env.blocking = Blocking::Allowed,
                    stop => return stop,
                }
            }
        });
        let left = &machine.budget;
        let counts: Vec<_> =
            machine.counts().iter().enumerate().map(|(op, n)| (*n, machine.failed_calls(op))).collect();
        let receipt = Receipt {
            calls: full.calls_left - left.calls_left,
            writes: full.writes_left - left.writes_left,
            written: full.written_left - left.written_left,
            instructions: full.instructions_left - left.instructions_left,
            memory: machine.memory(),
            time_ns: ns(began),
        };
        let mut result = None;
        let end = match stop {
            Stop::Done(slot) => {
                let mut bytes = Vec::new();
                match machine.result(program, slot, &mut bytes) {
                    Some(()) => {
                        result = Some(bytes);
                        End::Done
                    }
                    None => self.limit(LimitKind::Returned, &receipt),
                }
            }
            Stop::Failed(message) => End::Failed(message),
            Stop::CallFailed(failure) => End::CallFailed {
                message: failure.details().message.clone(),
                raised: failure.kind() == Kind::Raised,
            },
            Stop::Limit(kind) => self.limit(kind, &receipt),
            Stop::Fault(kind) => End::Fault(kind),
            // Nobody revokes, cancels, or tries anything here.
            _ => End::Cancelled,
        };
        Ok(self.outcome(end, u32::from(machine.pc()), result, counts.into_iter(), receipt))
    }

    /// The loop at an instruction: the kernel does not count loops.
    fn loop_at(&self, pc: u32) -> LimitKind {
        let at = self.program.loops.iter().position(|l| u32::from(l.table.head) == pc);
        LimitKind::Loop(at.map_or(u16::MAX, |at| at as u16))
    }

    fn limit(&self, kind: LimitKind, receipt: &Receipt) -> End {
        let (limit, source) = self.effective.limit_in(kind, self.program);
        End::Limit { kind, limit, used: receipt.used_of(kind, limit), source }
    }

    fn outcome(
        &self,
        end: End,
        pc: u32,
        result: Option<Vec<u8>>,
        counts: impl Iterator<Item = (u64, u64)>,
        receipt: Receipt,
    ) -> Outcome {
        let made = self.program.ops.iter().zip(counts).filter(|(_, (count, _))| *count > 0);
        let calls = made.map(|(op, (count, failed))| CallCount::of(op, count, failed)).collect();
        let pos = match View::new(self.bytes) {
            Ok(view) if end != End::Done => view.pos(pc),
            _ => Pos::default(),
        };
        Outcome {
            end,
            at: pc,
            pos,
            call: None,
            result,
            calls,
            receipt,
            dry: false,
            kept: None,
            cannot_go_on: None,
        }
    }
}

fn ns(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Stands where a portal is expected: the kernel asks for none.
#[must_use]
pub fn in_kernel() -> Capability {
    Capability::under(Arc::new(InKernel), &Grant::new())
}

struct InKernel;

impl Object for InKernel {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (carnet_linux::linux::module(), InterfaceId(0))
    }

    fn dispatch(&self, _op: u16, _call: &mut Call<'_>) -> Result<(), Failure> {
        Err(Failure::service("it is called in the kernel alone"))
    }

    fn service(&self) -> &dyn std::any::Any {
        self
    }
}
