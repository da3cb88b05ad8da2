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
//! [`Rounds`] of a loop use up the same, so code only counts them. How many reach no limit is computed before they are entered, and
//! what they used up is taken when code comes back: whoever looks at the machine then sees no difference.
//!
//! It calls functions of objects at its [`Sites`], one for each operation of each register. They are found when code is entered,
//! and again after a register has changed. Those of null portals, of objects without functions, those that write in a run of which
//! each write is written down, and all of a dry run are closed: the interpreter makes such calls.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_code::{Code, Frame, Left, Outcome};
use carnet_portal::call::{Caller, Object};
use carnet_portal::direct::Trouble;

use super::{Env, Exit, FaultKind, Flow, HandOver, Machine, Mode, Slice, Stop, counter};
use crate::bytecode::{Loop, NONE, Op};
use crate::limits::LimitKind;
use crate::verify::{Loaded, Step};

/// Where translated code calls objects.
pub(super) type Sites = carnet_code::Sites<dyn Object, Caller, Trouble>;

/// A verified program and its machine code, which others make.
#[derive(Debug)]
pub struct Translation {
    program: Arc<Loaded>,
    entries: Entries,
    code: Code,
}

/// What of a program is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Its loops: what a run does once is done by the time that its translation is entered.
    Loops,
    /// All that [can be](is_translated).
    All,
}

/// How an instruction is done by translated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Not at all.
    Interpreted,
    /// Its block is charged when it begins, and its calls before they are made.
    Charged,
    /// It belongs to [`Rounds`].
    Round,
}

/// A loop that lies in no other, and each round of which does the same until one ends the loop. How many rounds reach no limit is
/// known before they are entered, and what they used up is taken when they are left.
///
/// ```text
/// head:  loop …               one less of the rounds, or the interpreter
///        …                    no branch, but out of the loop
/// last:  branch to head       or the interpreter
/// ```
#[derive(Clone, Debug)]
pub struct Rounds {
    /// Their first instruction.
    pub head: u16,
    /// The branch to it.
    pub last: u16,
    counter: u16,
    bound: u64,
    charge: u64,
    calls: u64,
    writes: u64,
    /// Calls of each operation in a round.
    counts: Vec<(u16, u64)>,
}

impl Rounds {
    fn of(program: &Loaded, of: &Loop) -> Option<Rounds> {
        let nested = program.loops.iter().map(|other| other.table);
        if nested.filter(|other| other.head != of.head).any(|other| within(&other, of.head)) {
            return None;
        }
        let steps = program.code.get(usize::from(of.head)..usize::from(of.end))?;
        let (head, body) = steps.split_first().filter(|(head, _)| head.op == Op::Loop)?;
        let (_, others) = body.split_last().filter(|(last, _)| last.op.branches() && last.c == of.head)?;
        let leaves = |step: &Step| !within(of, step.c);
        let is_straight =
            |step: &Step| is_translated(step) && step.op != Op::Loop && (!step.op.branches() || leaves(step));
        if !others.iter().all(is_straight) {
            return None;
        }
        let calls = body.iter().filter(|step| step.op == Op::Call);
        let mut counts = BTreeMap::new();
        calls.clone().for_each(|step| *counts.entry(step.b).or_default() += 1);
        let writes = calls.filter(|step| step.flags & Step::WRITES != 0).count();
        let charge = steps.iter().map(|step| u64::from(step.charge)).sum();
        Some(Rounds {
            head: of.head,
            last: of.end - 1,
            counter: head.b,
            bound: head.imm(),
            charge,
            calls: counts.values().sum(),
            writes: writes as u64,
            counts: counts.into_iter().collect(),
        })
    }

    /// Whether they call anything.
    #[must_use]
    pub fn call(&self) -> bool {
        self.calls > 0
    }
}

fn within(of: &Loop, pc: u16) -> bool {
    (of.head..of.end).contains(&pc)
}

/// Where translated code of a program can be entered.
#[derive(Debug)]
pub struct Entries {
    /// How each instruction is done.
    ways: Vec<Way>,
    /// Of each instruction, the number of its entry or [`NONE`].
    numbers: Vec<u16>,
    /// Their instructions.
    places: Vec<u16>,
    /// In order of their heads.
    rounds: Vec<Rounds>,
    /// Register and operation of each site, in order.
    sites: Vec<(u16, u16)>,
    /// Whether each of them writes.
    writes: Vec<bool>,
}

impl Entries {
    /// Those of a program: heads of [`Rounds`], and other translated instructions at which a basic block begins, or in front of which
    /// one stands that is not translated so.
    #[must_use]
    pub fn of(program: &Loaded, scope: Scope) -> Entries {
        let mut rounds: Vec<_> =
            program.loops.iter().filter_map(|of| Rounds::of(program, &of.table)).collect();
        rounds.sort_by_key(|rounds| rounds.head);
        let ways = ways(program, scope, &rounds);
        let (mut numbers, mut places) = (Vec::with_capacity(program.code.len()), Vec::new());
        let mut before = Way::Interpreted;
        for (pc, (step, way)) in program.code.iter().zip(&ways).enumerate() {
            let begins = match way {
                Way::Interpreted => false,
                Way::Charged => before != Way::Charged || step.charge > 0,
                Way::Round => step.op == Op::Loop,
            };
            let is_one = begins && places.len() < usize::from(NONE);
            numbers.push(if is_one { places.len() as u16 } else { NONE });
            if is_one {
                places.push(pc as u16);
            }
            before = *way;
        }
        let calls = program.code.iter().zip(&ways).filter(|(_, way)| **way != Way::Interpreted);
        let calls = calls.map(|(step, _)| step).filter(|step| is_called(step));
        let calls = calls.map(|step| ((step.a, step.number()), step.flags & Step::WRITES != 0));
        // A register has one interface, of which a number is one operation.
        let sites: BTreeMap<(u16, u16), bool> = calls.collect();
        let (sites, writes) = sites.into_iter().unzip();
        Entries { ways, numbers, places, rounds, sites, writes }
    }

    /// How an instruction is done.
    #[must_use]
    pub fn way(&self, pc: usize) -> Way {
        self.ways.get(pc).copied().unwrap_or(Way::Interpreted)
    }

    /// Loops that are done in rounds, in order of their heads.
    #[must_use]
    pub fn rounds(&self) -> &[Rounds] {
        &self.rounds
    }

    #[inline]
    fn rounds_at(&self, pc: u16) -> Option<&Rounds> {
        let found = self.rounds.binary_search_by_key(&pc, |rounds| rounds.head);
        found.ok().and_then(|found| self.rounds.get(found))
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

/// How each instruction of a program is done.
fn ways(program: &Loaded, scope: Scope, rounds: &[Rounds]) -> Vec<Way> {
    let steps = program.code.iter();
    let translated = |step| if is_translated(step) { Way::Charged } else { Way::Interpreted };
    let mut ways: Vec<Way> = match scope {
        Scope::All => steps.map(translated).collect(),
        Scope::Loops => vec![Way::Interpreted; steps.len()],
    };
    let mut done = 0;
    // They begin in order, and one that lies in another ends before it.
    for of in program.loops.iter().map(|of| of.table) {
        for pc in usize::from(of.head).max(done)..usize::from(of.end).min(ways.len()) {
            ways[pc] = translated(&program.code[pc]);
        }
        done = done.max(of.end.into());
    }
    for of in rounds {
        ways[usize::from(of.head)..=usize::from(of.last)].fill(Way::Round);
    }
    ways
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
        || matches!(op, Op::FloatArith | Op::FloatCompare | Op::Convert)
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
            let pc = self.pc;
            if let Some(entry) = entries.at(pc as usize)
                && let Some(exit) = self.enter(translation, entry, env, fuel)
            {
                return exit;
            }
            // There the interpreter would not hand over again.
            if self.pc != pc && entries.rounds_at(self.pc).is_some() {
                continue;
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
        let rounds = entries.rounds_at(self.pc);
        let ahead = rounds.map_or(0, |rounds| self.rounds_ahead(rounds, env, *fuel));
        if rounds.is_some() && ahead == 0 {
            return None;
        }
        self.find_sites(entries, env);
        let (calls, writes) = (self.budget.calls_left, self.budget.writes_left);
        let left = Left { fuel: *fuel, calls, writes, rounds: ahead };
        let mut frame = Frame::new(&mut self.slots[..], env.interrupt, env.caller, &self.sites, left);
        let back = code.run(u32::from(entry), &mut frame);
        let (left, trouble) = (frame.left, frame.trouble());
        // The instruction, and above it what its call came to.
        let (pc, outcome) = (back as u16, Outcome::new(back >> 16));
        self.pc = pc;
        *fuel = left.fuel;
        (self.budget.calls_left, self.budget.writes_left) = (left.calls, left.writes);
        let step = program.code.get(usize::from(pc))?;
        match rounds {
            Some(rounds) => self.settle(program, rounds, ahead - left.rounds, outcome, fuel),
            None if outcome == Outcome::CLOSED => self.give_back(step, fuel),
            None => {}
        }
        match (outcome, trouble.map(|trouble| *trouble)) {
            // The interpreter does it.
            (Outcome::DONE | Outcome::CLOSED, None) => None,
            (outcome, None) if outcome.is_interrupted() => {
                if step.result() != NONE {
                    let reply = usize::from(step.c) + step.reply_at();
                    self.slots[usize::from(step.result())] = self.slots[reply];
                }
                Some(Exit::InterruptedBehind)
            }
            (Outcome::TROUBLE, Some(Trouble::Panicked(thrown))) => resume_unwind(thrown),
            (Outcome::TROUBLE, Some(Trouble::Failed(failure))) => match self.failed(program, pc, failure) {
                Flow::To(target) => {
                    self.pc = target;
                    let interrupted = env.interrupt.load(Ordering::Relaxed) != 0;
                    interrupted.then_some(Exit::InterruptedBefore)
                }
                Flow::NoRoomAt(target) => {
                    self.pc = target;
                    self.charge_for(program, target, fuel);
                    Some(Exit::Slow(Box::new(Stop::Limit(LimitKind::Memory))))
                }
                Flow::Stop(stop) | Flow::StopBehind(stop) => Some(Exit::Slow(Box::new(stop))),
                Flow::Next => Some(Exit::Fault(FaultKind::Internal)),
            },
            _ => Some(Exit::Fault(FaultKind::Internal)),
        }
    }

    /// How many rounds reach no limit, whatever happens in them; none if the run is to be interrupted: code sees that behind calls.
    fn rounds_ahead(&self, of: &Rounds, env: &Env<'_>, fuel: i64) -> u64 {
        if env.interrupt.load(Ordering::Relaxed) != 0 {
            return 0;
        }
        let each = |left: u64, of_a_round: u64| left.checked_div(of_a_round).unwrap_or(u64::MAX);
        let rounds = of.bound.saturating_sub(self.slots[usize::from(of.counter)]);
        let rounds = rounds.min(each(u64::try_from(fuel).unwrap_or(0), of.charge));
        rounds.min(each(self.budget.calls_left, of.calls)).min(each(self.budget.writes_left, of.writes))
    }

    /// Takes what so many rounds have used up, but for what the last of them did not come to.
    fn settle(&mut self, program: &Loaded, of: &Rounds, begun: u64, outcome: Outcome, fuel: &mut i64) {
        self.slots[usize::from(of.counter)] += begun;
        *fuel -= (begun * of.charge) as i64;
        self.budget.calls_left -= begun * of.calls;
        self.budget.writes_left -= begun * of.writes;
        for (op, calls) in &of.counts {
            self.slots[counter(*op)] += begun * calls;
        }
        let was_made = outcome == Outcome::TROUBLE || outcome.is_interrupted();
        let next = usize::from(self.pc) + usize::from(was_made);
        // Before the head none has begun.
        if self.pc != of.head {
            let rest = program.code.get(next..=usize::from(of.last)).unwrap_or(&[]);
            rest.iter().for_each(|step| self.give_back(step, fuel));
        }
    }

    /// Gives back what was taken for an instruction.
    fn give_back(&mut self, step: &Step, fuel: &mut i64) {
        *fuel += i64::from(step.charge);
        if step.op == Op::Call {
            self.budget.calls_left += 1;
            self.budget.writes_left += u64::from(step.flags & Step::WRITES != 0);
            self.slots[counter(step.b)] -= 1;
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
