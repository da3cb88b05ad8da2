//! Runs in which translated code does what is frequent.
//!
//! The state is the machine's in either case, and all of it is there whenever translated code comes back: so a run that was
//! stopped in one engine goes on in the other. Translated code knows integers, branches, loops, charges, and short calls that have
//! nothing but words. It ends nothing itself: before an instruction that it does not know, or cannot do as the interpreter would
//! without a fault, a limit or an interruption, it comes back with nothing of that instruction done or charged, and the
//! interpreter does it. Only behind a call that it made it comes back to say what came of that.
//!
//! ```text
//! Machine::advance_translated ─► Code::run ── instruction at pc ──► interpreter: it, and others up to an entry ─┐
//!                                    ▲                                                                            │
//!                                    └────────────────────────── number of the entry ◄────────────────────────────┘
//! ```
//!
//! It calls functions of objects at its [`Sites`], one for each operation of each register. They are found when code is entered,
//! and again after a register has changed. Those of null portals, of objects without functions, those that write in a run of which
//! each write is written down, and all of a dry run are closed: the interpreter makes such calls.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_code::{Code, Frame, Left};
use carnet_portal::call::{Caller, Object};
use carnet_portal::direct::Trouble;

use super::{Env, Exit, FaultKind, Flow, HandOver, Machine, Mode, Slice, Stop};
use crate::bytecode::{NONE, Op};
use crate::verify::{Loaded, Step};

/// Where translated code calls objects.
pub(super) type Sites = carnet_code::Sites<dyn Object, Caller, Trouble>;

/// Above the instruction in what code returns: why it came back.
pub mod reason {
    /// The interpreter is to do the instruction.
    pub const DO: u64 = 0;
    /// The call was made, and went wrong.
    pub const TROUBLE: u64 = 1 << 16;
    /// The call was made, and the run is to be interrupted.
    pub const INTERRUPTED: u64 = 2 << 16;
}

/// A verified program and its machine code, which others make.
#[derive(Debug)]
pub struct Translation {
    program: Arc<Loaded>,
    entries: Entries,
    code: Code,
}

/// Where translated code of a program can be entered.
#[derive(Debug)]
pub struct Entries {
    /// Of each instruction, the number of its entry or [`NONE`].
    numbers: Vec<u16>,
    /// Their instructions.
    places: Vec<u16>,
    /// Register and operation of each site, in order.
    sites: Vec<(u16, u16)>,
    /// Whether each of them writes.
    writes: Vec<bool>,
}

impl Entries {
    /// Those of a program: translated instructions at which a basic block begins, or in front of which one stands that is not
    /// translated.
    #[must_use]
    pub fn of(program: &Loaded) -> Entries {
        let (mut numbers, mut places) = (Vec::with_capacity(program.code.len()), Vec::new());
        let mut behind = true;
        for (pc, step) in program.code.iter().enumerate() {
            let known = is_translated(step);
            let is_one = known && (behind || step.charge > 0) && places.len() < usize::from(NONE);
            numbers.push(if is_one { places.len() as u16 } else { NONE });
            if is_one {
                places.push(pc as u16);
            }
            behind = !known;
        }
        let calls = program.code.iter().filter(|step| is_called(step));
        let calls = calls.map(|step| ((step.a, step.number()), step.flags & Step::WRITES != 0));
        // A register has one interface, of which a number is one operation.
        let sites: BTreeMap<(u16, u16), bool> = calls.collect();
        let (sites, writes) = sites.into_iter().unzip();
        Entries { numbers, places, sites, writes }
    }

    /// Register and number of the operation of each site.
    #[must_use]
    pub fn sites(&self) -> &[(u16, u16)] {
        &self.sites
    }

    /// Their instructions, by number.
    #[must_use]
    pub fn places(&self) -> &[u16] {
        &self.places
    }

    /// The number of the entry at an instruction.
    #[inline]
    #[must_use]
    pub fn at(&self, pc: usize) -> Option<u16> {
        self.numbers.get(pc).copied().filter(|number| *number != NONE)
    }
}

impl HandOver for &Entries {
    #[inline]
    fn at(self, pc: usize) -> bool {
        Entries::at(self, pc).is_some()
    }
}

/// Whether translated code makes this call.
#[must_use]
pub fn is_called(step: &Step) -> bool {
    step.op == Op::Call && step.flags & (Step::SHORT | Step::SLOW) == Step::SHORT
}

/// Whether translated code does this instruction.
#[must_use]
pub fn is_translated(step: &Step) -> bool {
    let op = step.op;
    op.branches()
        || is_called(step)
        || matches!(op, Op::Loop | Op::Move | Op::Load | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem)
        || matches!(op, Op::AddI | Op::Neg | Op::Not | Op::Compare | Op::Lend)
}

impl Translation {
    /// `code` is entered where `entries` says, and returns the instruction that it leaves to the interpreter.
    #[must_use]
    pub fn new(program: Arc<Loaded>, entries: Entries, code: Code) -> Translation {
        Translation { program, entries, code }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Loaded> {
        &self.program
    }

    /// Bytes of machine code.
    #[must_use]
    pub fn code_bytes(&self) -> usize {
        self.code.len()
    }
}

impl Machine {
    /// As [`Machine::advance`] with the translation's program, which the machine was made ready for. Either may go on where the
    /// other has stopped.
    pub fn advance_translated(&mut self, translation: &Translation, env: &Env<'_>, slice: Slice) -> Stop {
        self.in_slice(slice, |machine, fuel| {
            let program = &translation.program;
            machine
                .execute(program, env, fuel, |machine, fuel| machine.run_translated(translation, env, fuel))
        })
    }

    fn run_translated(&mut self, translation: &Translation, env: &Env<'_>, fuel: &mut i64) -> Exit {
        let Translation { program, entries, .. } = translation;
        loop {
            if let Some(entry) = entries.at(self.pc as usize)
                && let Some(exit) = self.enter(translation, entry, env, fuel)
            {
                return exit;
            }
            match self.run(&program.code, program, env, fuel, entries) {
                Exit::HandedOver => {}
                exit => return exit,
            }
        }
    }

    /// Runs code from an entry; nothing if the interpreter is to go on at the program counter.
    fn enter(
        &mut self,
        translation: &Translation,
        entry: u16,
        env: &Env<'_>,
        fuel: &mut i64,
    ) -> Option<Exit> {
        let Translation { program, entries, code } = translation;
        self.find_sites(entries, env);
        let left = Left { fuel: *fuel, calls: self.budget.calls_left, writes: self.budget.writes_left };
        let mut frame = Frame::new(&mut self.slots[..], env.interrupt, env.caller, &self.sites, left);
        let back = code.run(u32::from(entry), &mut frame);
        let (left, trouble) = (frame.left, frame.trouble);
        *fuel = left.fuel;
        (self.budget.calls_left, self.budget.writes_left) = (left.calls, left.writes);
        self.pc = back as u16;
        match (back & !0xffff, trouble.map(|trouble| *trouble)) {
            (reason::DO, None) => None,
            (reason::INTERRUPTED, None) => Some(Exit::InterruptedBehind),
            (reason::TROUBLE, Some(Trouble::Panicked(thrown))) => resume_unwind(thrown),
            (reason::TROUBLE, Some(Trouble::Failed(failure))) => match self.failed(program, self.pc, failure)
            {
                Flow::To(target) => {
                    self.pc = target;
                    let interrupted = env.interrupt.load(Ordering::Relaxed) != 0;
                    interrupted.then_some(Exit::InterruptedBefore)
                }
                Flow::Stop(stop) | Flow::StopBehind(stop) => Some(Exit::Slow(Box::new(stop))),
                Flow::Next => Some(Exit::Fault(FaultKind::Internal)),
            },
            _ => Some(Exit::Fault(FaultKind::Internal)),
        }
    }

    /// Finds what is called, unless no register has changed since.
    fn find_sites(&mut self, entries: &Entries, env: &Env<'_>) {
        if env.mode == Mode::Dry {
            self.sites.clear();
        }
        if self.sites.len() == entries.sites.len() {
            return;
        }
        self.sites.clear();
        for ((register, number), writes) in entries.sites.iter().zip(&entries.writes) {
            let is_open = env.mode == Mode::Real && !(*writes && self.record.is_some());
            match self.portals.get(usize::from(*register)) {
                Some(Some(portal)) if is_open => {
                    self.sites.add(portal.object(), &portal.grant().switch(), |object| object.entry(*number));
                }
                _ => self.sites.add_closed(),
            }
        }
    }
}
