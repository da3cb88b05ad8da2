//! Runs in which translated code does what is frequent.
//!
//! The state is the machine's in either case, and all of it is there whenever translated code comes back: so a run that was
//! stopped in one engine goes on in the other. Translated code knows integers, branches, loops and charges. It ends nothing
//! itself: before an instruction that it does not know, or cannot do as the interpreter would without a fault, a limit or
//! an interruption, it comes back with nothing of that instruction done or charged, and the interpreter does it.
//!
//! ```text
//! Machine::advance_translated ─► Code::run ── instruction at pc ──► interpreter: it, and others up to an entry ─┐
//!                                    ▲                                                                            │
//!                                    └────────────────────────── number of the entry ◄────────────────────────────┘
//! ```

use std::sync::Arc;

use carnet_code::{Code, Frame};

use super::{Env, Exit, HandOver, Machine, Slice, Stop};
use crate::bytecode::{NONE, Op};
use crate::verify::{Loaded, Step};

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
        Entries { numbers, places }
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

/// Whether translated code does this instruction.
#[must_use]
pub fn is_translated(step: &Step) -> bool {
    let op = step.op;
    op.branches()
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
        let Translation { program, entries, code } = translation;
        loop {
            if let Some(entry) = entries.at(self.pc as usize) {
                let mut frame = Frame::new(&mut self.slots[..], env.interrupt, *fuel);
                self.pc = code.run(u32::from(entry), &mut frame) as u16;
                *fuel = frame.fuel;
            }
            match self.run(&program.code, program, env, fuel, entries) {
                Exit::HandedOver => {}
                exit => return exit,
            }
        }
    }
}
