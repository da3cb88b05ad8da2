//! Traced runs: call by call, and where instructions and time go, line by line.
//!
//! A run is advanced in short slices, and what a slice took is put to the block of instructions that it began in. The first slices are
//! single blocks, so that short programs are told exactly. Later ones are longer, and of changing length: a block is where a slice begins as
//! often as its share of all instructions, whatever the loops around it do. A call is a slice of its own.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use super::{Job, LONG_SLICE, Share, Telling};
use crate::bytecode::Op;
use crate::form::Form;
use crate::interp::{Blocking, Slice, Stop};
use crate::protocol::{LineSpent, Progress};
use crate::verify::Loaded;

/// How long a run goes on before it looks at the clock and whose turn it is.
const TURN: Duration = Duration::from_millis(1);

/// Slices of one block each.
const EXACT: u64 = 2_000;
/// Instructions of a later slice, at least; and how many more it may have.
const SLICE: u64 = 1_000;
const MORE: u64 = 512;
/// For what charges as it goes, and not block by block.
const COMMANDS: u64 = 64;

impl Job {
    /// Runs from call to call, telling of each before it is made, and at the end where it went.
    pub(super) fn traced(&mut self, tell: &dyn Fn(&[u8], Telling), share: &mut Share<'_>) {
        let mut calls = 0;
        let mut telling = Duration::ZERO;
        let mut spent = Spent::default();
        loop {
            self.advance_spending(calls, &mut spent, share);
            if self.stop != Stop::Pause {
                let lines = spent.lines(&self.cached.program, &Form::of(&self.cached.bytes));
                let of_a_message = Progress::lines_of(self.outcome_bytes_max);
                for part in lines.chunks(of_a_message) {
                    tell(&Progress::Spent(part.to_vec()).encode(), Telling::All);
                }
                return;
            }
            self.look_at_the_clock();
            calls = 0;
            if let Some(call) = self.call_here() {
                let since = self.began.elapsed();
                let time = since.saturating_sub(telling);
                let time_ns = self.before_ns + u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2);
                tell(&Progress::Call { time_ns, pos: self.pos(), call }.encode(), Telling::All);
                telling += self.began.elapsed().saturating_sub(since);
                calls = 1;
            }
        }
    }

    /// Goes on to the next call, for one turn at most; with the one here, if there is one call.
    fn advance_spending(&mut self, mut calls: u64, spent: &mut Spent, share: &mut Share<'_>) {
        let used = |job: &Job| job.granted.instructions.saturating_sub(job.machine.budget.instructions_left);
        // Each slice is two messages.
        let is_beside = self.is_beside();
        if !is_beside {
            share.begin(&self.interrupt);
        }
        let turn = Instant::now();
        loop {
            let (pc, before, began) = (self.machine.pc(), used(self), Instant::now());
            let step = self.cached.program.code.get(usize::from(pc));
            let (op, charge) = step.map_or((None, 1), |step| (Some(step.op), u64::from(step.charge)));
            let instructions = match op {
                // A repeat comes to its next call by itself.
                _ if is_beside || calls > 0 && op != Some(Op::Call) => LONG_SLICE.instructions,
                _ if calls > 0 => charge,
                _ => spent.slice(&self.cached.program, charge),
            };
            self.advance(Slice { instructions, calls }, Blocking::Allowed);
            spent.add(pc, used(self).saturating_sub(before), began.elapsed());
            calls = 0;
            if self.stop != Stop::Pause || self.call_at().is_some() || turn.elapsed() > TURN || is_beside {
                break;
            }
        }
        if !is_beside {
            share.end();
        }
    }
}

/// What was spent so far, by where slices began.
#[derive(Default)]
struct Spent {
    at: HashMap<u16, (u64, Duration)>,
    slices: u64,
}

impl Spent {
    /// Instructions of the next slice, which begins at a block of so many.
    fn slice(&mut self, program: &Loaded, charge: u64) -> u64 {
        self.slices += 1;
        if program.is_array() {
            return COMMANDS;
        }
        if self.slices <= EXACT {
            return charge;
        }
        // Any sequence without a short period will do.
        let varied = self.slices.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        charge.max(SLICE + varied % MORE)
    }

    /// A slice that began there took so much.
    fn add(&mut self, pc: u16, instructions: u64, time: Duration) {
        let (all, whole) = self.at.entry(pc).or_default();
        (*all, *whole) = (*all + instructions, *whole + time);
    }

    /// By line; each instruction of a block has the same part of what the block took.
    fn lines(&self, program: &Loaded, form: &Form<'_>) -> Vec<LineSpent> {
        let mut lines: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for (pc, (instructions, time)) in &self.at {
            let block = block(program, usize::from(*pc));
            let part = 1.0 / block.len() as f64;
            for at in block {
                let line = lines.entry(form.pos(at as u32).line).or_default();
                line.0 += *instructions as f64 * part;
                line.1 += time.as_nanos() as f64 * part;
            }
        }
        let whole = |(line, (instructions, time)): (u32, (f64, f64))| LineSpent {
            line,
            instructions: instructions.round() as u64,
            time_ns: time.round() as u64,
        };
        lines.into_iter().map(whole).collect()
    }
}

/// The instructions that are charged together with the one at `pc`, from it on. A call is one by itself.
fn block(program: &Loaded, pc: usize) -> std::ops::Range<usize> {
    let is_call = |op| matches!(op, Op::Call | Op::Repeat);
    let rest = program.code.get(pc + 1..).unwrap_or_default();
    let more = match program.code.get(pc) {
        Some(step) if !program.is_array() && !is_call(step.op) => {
            rest.iter().take_while(|step| step.charge == 0).count()
        }
        _ => 0,
    };
    pc..pc + 1 + more
}
