//! The bytecode interpreter.
//!
//! A [`Machine`] holds the state of one run: the variable table, areas, portal registers, program counter and
//! what has been charged (the paper's memento is its program counter and variables). [`Machine::advance`] runs
//! a verified program until it ends, stops, or has used up the slice that it was given, and can be called
//! again after a pause, from any thread.
//!
//! What it relies on was promised by the verifier; what it cannot rely on it checks: lengths and indices, null
//! and revoked portals, and every budget. Budgets of instructions are charged per basic block on entry; calls,
//! writes and bytes before each call. A block or call that does not fit is not begun.
//!
//! The variable table is an array of fixed size, so that neither a 16-bit operand nor the argument block that begins
//! there needs a check of its bounds; behind the slots it has a counter for each operation, which is reached in the same
//! way. The operating system gives memory only to what a program touches.
//!
//! | file | what it does |
//! | --- | --- |
//! | `interp.rs` | state, control flow, integers, the quick call |
//! | `interp/apart.rs` | calls with inouts that are more than scalars |
//! | `interp/array.rs` | call arrays, on the same state |
//! | `interp/calls.rs` | calls that write, cost, block, return data or portals; dry runs; repeats |
//! | `interp/data.rs` | texts and lists |
//! | `interp/env.rs` | what a run needs from around it, and how much may be done at a time |
//! | `interp/follow.rs` | following another interpreter of the same program |
//! | `interp/memento.rs` | the state of a run that stopped, as bytes |
//! | `interp/portals.rs` | lists of portals |
//! | `interp/result.rs` | the result as its client reads it; where another interpreter has stopped |
//! | `interp/upcoming.rs` | telling an object of the calls of a repeat |
//! | `interp/variables.rs` | parameters, and variables that are set while the run is stopped |
//! | `interp/telling.rs` | telling of each call, for whoever finds that this process has died |
//! | `interp/pieces.rs` | long texts and lists, in pieces |
//! | `interp/sorted.rs` | sorting that can be stopped, of both interpreters |
//! | `interp/translated.rs` | the same runs, with what is frequent done by translated code |

mod apart;
mod array;
mod calls;
mod data;
mod env;
mod follow;
mod interrupt;
mod looked;
mod memento;
mod pieces;
mod portals;
mod result;
mod sorted;
mod telling;
mod translated;
mod upcoming;
mod variables;

pub(crate) use crate::verify::owns;
pub(crate) use calls::{Pretended, counts_as_done, was_not_sent, written_by_failed};
pub use env::{Blocking, Env, Mode, Slice};
pub(crate) use follow::Answer;
pub use interrupt::{CANCEL, DEADLINE, TURN};
pub(crate) use sorted::{Sorting, moved_at_once};
pub use translated::{Entries, Rounds, Scope, Translation, Way, is_called, is_translated};
pub use variables::{Fitting, Given, fits_scalar, fits_text};

use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_portal::call::{Area, Areas, Failure, Object, Ref};
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::panics::drop_quietly;

use crate::beside::Ledger;
use crate::bytecode::{NONE, Op, SlotType, TABLE_MAX};
use crate::journal::Record;
use crate::limits::{Budget, LimitKind};
use crate::search::Search;
use crate::tree::Rel;
use crate::verify::{Loaded, Step};
pub(crate) use interrupt::ending;
use interrupt::interrupted;
use translated::Sites;

/// Where in the variable table the counters of operations begin: behind what a 16-bit operand can name and the longest
/// argument block that could begin there.
const COUNTS: usize = 65_536 + 256;
/// Length of the variable table.
pub const TABLE: usize = COUNTS + TABLE_MAX;

/// Most memory that a machine keeps for its next run, apart from the variable table.
pub const KEPT_BYTES_MAX: usize = 256 << 10;

/// Why [`Machine::advance`] came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program ended; its result is at this slot ([`NONE`] if it has none).
    Done(u16),
    /// The program ended itself with `fail`.
    Failed(Vec<u8>),
    /// A call failed and the program does not handle it. The call was refused or raised.
    CallFailed(Failure),
    /// A budget or limit was reached.
    Limit(LimitKind),
    /// The program did something that has no meaning.
    Fault(FaultKind),
    /// A portal that was to be used is revoked.
    Revoked,
    /// [`CANCEL`] was set.
    Cancelled,
    /// [`DEADLINE`] was set.
    Deadline,
    /// A dry run would have to read what it did not write.
    CannotKnow,
    /// The slice is used up; go on with [`Machine::advance`].
    Pause,
    /// The next call may block; go on with [`Blocking::Allowed`].
    Blocks,
}

/// Faults of a running program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[repr(u8)]
pub enum FaultKind {
    /// Integer arithmetic left 64 bits.
    #[error("an integer left the range of 64 bits")]
    Overflow = 0,
    /// Division or remainder by zero.
    #[error("division by zero")]
    DivisionByZero = 1,
    /// An index is outside of its list.
    #[error("an index is outside of its list")]
    Index = 2,
    /// A text is longer than its variable allows.
    #[error("a text is longer than its variable allows")]
    TextTooLong = 3,
    /// A list is full.
    #[error("a list is full")]
    ListFull = 4,
    /// A portal variable that holds nothing was used.
    #[error("a portal variable holds nothing")]
    NullPortal = 5,
    /// A bug of ours.
    #[error("the interpreter broke its own rules (a bug of Carnet)")]
    Internal = 6,
    /// A reference outlived the text it was made of. No compiled program does that.
    #[error("a reference names a text that is gone")]
    Reference = 7,
    /// An arm of a union was read that is not there. No compiled program does that.
    #[error("a union holds no such value as its arm was read for")]
    Arm = 8,
    /// A text has not so many bytes as were to be left out.
    #[error("a text has not so many bytes")]
    Cut = 9,
    /// A list takes more bytes than it may within another value.
    #[error("a list takes more bytes than it may within another value")]
    ListTooLong = 10,
}

/// State of one run.
pub struct Machine {
    slots: Box<[u64; TABLE]>,
    areas: Areas,
    portals: Vec<Option<Capability>>,
    /// What the last call made, until `take`.
    made: Vec<Arc<dyn Object>>,
    /// Ends with the portal through which it was made.
    made_under: Grant,
    /// Where translated code calls; empty again whenever a register changes.
    sites: Sites,
    pc: u16,
    /// The block that begins at `pc` was charged when the run stopped there.
    charged: bool,
    /// Calls already made of the repeat at `pc`.
    repeated: u32,
    /// Since variables were set where the run stood last.
    again: Option<Box<variables::Again>>,
    /// Number of the program's operations.
    ops: usize,
    /// How often calls of each operation failed; empty as long as none did.
    failed_calls: Vec<u64>,
    memory: u64,
    /// Bytes of replaced texts in each area, or more; empty as long as there are none.
    dead: Vec<u64>,
    /// Instructions that the run has left behind the present slice: a data instruction that is dearer than what is
    /// left of the slice takes from them, since it cannot be done in parts.
    beyond: u64,
    /// Where each writing call is written down before it is made, and behind it.
    record: Option<Record>,
    /// What data instructions have charged since one looked at the interrupt.
    unseen: u64,
    /// The search in which it gave way: it goes on with it.
    searching: Option<Box<Search>>,
    /// What the instruction charges that it stopped at, beside its block, since there was not so much.
    needs: u64,
    /// The sort in which it did, likewise.
    sorting: Option<Box<data::Sorted>>,
    /// Whether a call raised since the run is to stop, which interrupted it: then no handler is told.
    is_interruption: fn(&Failure) -> bool,
    /// Its calls are made elsewhere.
    follows: Option<follow::Follows>,
    /// What is left, and what was used.
    pub budget: Budget,
}

/// Bytes of memory that areas hold.
pub(crate) fn held(areas: &Areas) -> usize {
    let of = |area: &Area| area.bytes.capacity() + 8 * area.words.capacity();
    areas.list.iter().map(of).sum::<usize>() + areas.list.capacity() * size_of::<Area>()
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.let_go();
    }
}

impl Default for Machine {
    fn default() -> Machine {
        Machine::new()
    }
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("pc", &self.pc).field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// What one instruction of the slow kind came to.
pub(crate) enum Flow {
    /// Go on with the next instruction.
    Next,
    /// Go on there.
    To(u16),
    /// Come back, to do this instruction (again).
    Stop(Stop),
    /// Come back, with this instruction done.
    StopBehind(Stop),
    /// Come back for want of memory, with this instruction done, to stand at that one, which is charged.
    NoRoomAt(u16),
}

/// Where the variable table counts calls of an operation.
#[inline]
#[must_use]
pub fn counter(op: u16) -> usize {
    COUNTS + op as usize % TABLE_MAX
}

/// Why the loop was left; [`Stop`] in words that are quick to build.
enum Exit {
    Done(u16),
    Failed(u16),
    Fuel,
    Limit(LimitKind),
    Fault(FaultKind),
    Revoked,
    Interrupted,
    InterruptedBehind,
    /// Before an instruction that was not charged yet.
    InterruptedBefore,
    Slow(Box<Stop>),
    SlowBehind(Box<Stop>),
    /// Between commands of an array.
    Stopped(Box<Stop>),
    /// Translated code goes on before this instruction, which was not charged yet.
    HandedOver,
}

/// Where the loop hands over to translated code, and whom it tells of calls.
trait HandOver: Copy {
    fn at(self, pc: usize) -> bool;

    #[inline(always)]
    fn ledger(&self) -> Option<&Ledger> {
        None
    }
}

/// Nowhere.
#[derive(Clone, Copy)]
struct Never;

impl HandOver for Never {
    #[inline(always)]
    fn at(self, _pc: usize) -> bool {
        false
    }
}

impl Machine {
    /// A machine without a program. Making one asks the system for half a MiB of zero pages; reuse it.
    ///
    /// # Panics
    /// Never: the vector has the array's length.
    #[must_use]
    pub fn new() -> Machine {
        let slots = vec![0; TABLE].into_boxed_slice();
        let slots = <Box<[u64; TABLE]>>::try_from(slots).unwrap_or_else(|_| Box::new([0; TABLE]));
        Machine {
            slots,
            areas: Areas::default(),
            portals: Vec::new(),
            made: Vec::new(),
            made_under: Grant::new(),
            sites: Sites::default(),
            pc: 0,
            charged: false,
            repeated: 0,
            again: None,
            ops: 0,
            failed_calls: Vec::new(),
            memory: 0,
            dead: Vec::new(),
            beyond: 0,
            record: None,
            unseen: 0,
            searching: None,
            needs: 0,
            sorting: None,
            is_interruption: |_| false,
            follows: None,
            budget: Budget::default(),
        }
    }

    /// Which calls that raised did so since the run is to stop, which interrupted them. Such a one is not told to the program's handler:
    /// [`Machine::advance`] ends with [`Stop::CallFailed`].
    pub(crate) fn interrupted_where(&mut self, is_interruption: fn(&Failure) -> bool) {
        self.is_interruption = is_interruption;
    }

    /// Makes the machine ready to run `program` from its beginning: everything zero, empty and null.
    pub fn reset(&mut self, program: &Loaded, budget: Budget) {
        if program.is_array() {
            self.slots[..program.image.len()].copy_from_slice(&program.image);
        } else {
            self.slots[..program.slots.len()].fill(0);
        }
        self.areas.list.truncate(program.areas.len());
        self.areas.list.iter_mut().for_each(Area::clear);
        self.areas.list.resize_with(program.areas.len(), Area::default);
        self.areas.list[0].bytes.extend_from_slice(&program.literals);
        // The image of an array has these.
        let owners = if program.is_array() { &[][..] } else { &program.areas };
        for (number, area) in owners.iter().enumerate().skip(1) {
            self.slots[area.slot as usize] = whole(number, 0);
        }
        if !program.literals.is_empty() && !program.is_array() {
            for (slot, ty) in program.slots.iter().enumerate() {
                if let SlotType::Literal { len, offset } = *ty {
                    let word = Ref::new(0, offset as usize, len as usize).unwrap_or_default();
                    self.slots[slot] = word.0;
                }
            }
        }
        self.let_go();
        self.portals.resize(program.registers.len(), None);
        self.ops = program.ops.len().min(TABLE_MAX);
        self.failed_calls.clear();
        self.slots[COUNTS..COUNTS + self.ops].fill(0);
        self.pc = 0;
        self.charged = false;
        self.repeated = 0;
        self.again = None;
        self.memory = 0;
        self.dead.clear();
        self.unseen = 0;
        self.searching = None;
        self.needs = 0;
        self.sorting = None;
        self.budget = budget;
    }

    /// Lets go of everything that the run held. A panic of an object's end stays there.
    pub fn release(&mut self) {
        self.end();
        // What grew large should not stay when the run is gone.
        if self.kept_bytes() > KEPT_BYTES_MAX {
            self.areas.list = Vec::new();
            self.dead = Vec::new();
            self.portals = Vec::new();
            self.made = Vec::new();
        }
    }

    /// Lets go of objects and of the run's place in the journal, and keeps memory.
    pub(crate) fn end(&mut self) {
        self.let_go();
        (self.record, self.follows, self.sorting) = (None, None, None);
    }

    fn let_go(&mut self) {
        // What they keep is kept by the registers, too, so nothing ends here.
        self.sites.clear();
        self.portals.drain(..).for_each(drop_quietly);
        self.made.drain(..).for_each(drop_quietly);
    }

    /// Bytes of the memory that grew with its runs. The variable table is not among them: it never grows.
    #[must_use]
    pub fn kept_bytes(&self) -> usize {
        held(&self.areas)
            + self.dead.capacity() * size_of::<u64>()
            + self.portals.capacity() * size_of::<Option<Capability>>()
            + self.made.capacity() * size_of::<Arc<dyn Object>>()
    }

    fn hold(&mut self, register: u16, portal: Option<Capability>) {
        self.sites.clear();
        self.portals[register as usize] = portal;
    }

    /// Runs until the program ends or stops, or the slice is used up.
    pub fn advance(&mut self, program: &Loaded, env: &Env<'_>, slice: Slice) -> Stop {
        if program.is_array() {
            return self.advance_array(program, env, slice, None);
        }
        self.in_slice(slice, |machine, fuel| {
            machine.execute(program, env, fuel, |machine, fuel| {
                machine.run(&program.code, program, env, fuel, Never)
            })
        })
    }

    /// Runs a slice; `execute` says what came of it, and what is left of its fuel.
    fn in_slice(&mut self, slice: Slice, execute: impl FnOnce(&mut Machine, i64) -> (Stop, i64)) -> Stop {
        let fuel = self.budget.instructions_left.min(slice.instructions).min(1 << 62) as i64;
        self.beyond = self.budget.instructions_left - fuel as u64;
        self.needs = 0;
        let calls = self.budget.calls_left.min(slice.calls);
        let later = self.budget.calls_left - calls;
        self.budget.calls_left = calls;
        let (stop, fuel_left) = execute(self, fuel);
        self.budget.instructions_left -= u64::try_from(fuel - fuel_left).unwrap_or(0);
        self.budget.calls_left += later;
        match stop {
            // Only the slice was too small.
            Stop::Limit(LimitKind::Instructions) if self.beyond > 0 => Stop::Pause,
            Stop::Limit(LimitKind::Calls) if later > 0 => Stop::Pause,
            stop => stop,
        }
    }

    /// Runs, and says what came of it in the words of [`Stop`]; also what is left of `fuel`.
    fn execute(
        &mut self,
        program: &Loaded,
        env: &Env<'_>,
        mut fuel: i64,
        run: impl FnOnce(&mut Machine, &mut i64) -> Exit,
    ) -> (Stop, i64) {
        let charge = |pc: u16| program.code.get(pc as usize).map_or(0, |step| i64::from(step.charge));
        if std::mem::take(&mut self.charged) {
            fuel += charge(self.pc);
        }
        self.charged = true;
        let exit = run(self, &mut fuel);
        let stop = match exit {
            Exit::Done(slot) => Stop::Done(slot),
            Exit::Failed(slot) => Stop::Failed(self.text(slot).to_vec()),
            Exit::Fuel => {
                fuel += charge(self.pc);
                self.charged = false;
                Stop::Limit(LimitKind::Instructions)
            }
            Exit::Limit(kind) => Stop::Limit(kind),
            Exit::Fault(kind) => Stop::Fault(kind),
            Exit::Revoked => Stop::Revoked,
            Exit::Interrupted => interrupted(env.interrupt),
            Exit::InterruptedBefore => {
                self.charged = false;
                interrupted(env.interrupt)
            }
            Exit::InterruptedBehind => {
                self.charged = false;
                self.pc += 1;
                interrupted(env.interrupt)
            }
            Exit::Slow(stop) => *stop,
            Exit::SlowBehind(stop) => {
                self.charged = false;
                self.pc += 1;
                *stop
            }
            Exit::Stopped(stop) => {
                self.charged = false;
                *stop
            }
            // Whoever ran it so has gone on.
            Exit::HandedOver => Stop::Fault(FaultKind::Internal),
        };
        (stop, fuel)
    }

    /// The loop. It is one function of its own and has only words in its local variables, so that program counter and
    /// fuel stay in registers of the processor; what is rare is done by functions that are not inlined. Heads of
    /// loops and calls are looked for before all others, since each round of a loop passes some.
    ///
    /// `steps` are those of `program`. It does at least one of them before it hands over.
    #[expect(
        clippy::too_many_lines,
        reason = "one arm for each operation; the loop must be one function to be fast"
    )]
    #[inline(never)]
    fn run(
        &mut self,
        steps: &[Step],
        program: &Loaded,
        env: &Env<'_>,
        left: &mut i64,
        over: impl HandOver,
    ) -> Exit {
        let slow = match env.mode {
            _ if self.follows.is_some() || over.ledger().is_some() => Step::CALL,
            Mode::Real if self.record.is_some() => Step::SLOW | Step::WRITES,
            Mode::Real => Step::SLOW,
            Mode::Dry => Step::CALL,
        };
        let interrupt = env.interrupt;
        let mut fuel = *left;
        let begun_at = self.pc as usize;
        let mut pc = begun_at;
        let exit = 'run: loop {
            macro_rules! fetch {
                () => {{
                    if over.at(pc) && pc != begun_at {
                        break 'run Exit::HandedOver;
                    }
                    let Some(step) = steps.get(pc) else { break 'run Exit::Fault(FaultKind::Internal) };
                    fuel -= i64::from(step.charge);
                    if fuel < 0 {
                        break 'run Exit::Fuel;
                    }
                    step
                }};
            }
            macro_rules! flow {
                ($flow:expr) => {
                    match $flow {
                        Flow::Next => {}
                        Flow::To(target) => {
                            pc = target as usize;
                            if interrupt.load(Ordering::Relaxed) != 0 {
                                break 'run Exit::InterruptedBefore;
                            }
                            continue 'run;
                        }
                        Flow::Stop(stop) => break 'run Exit::Slow(Box::new(stop)),
                        Flow::StopBehind(stop) => break 'run Exit::SlowBehind(Box::new(stop)),
                        Flow::NoRoomAt(target) => {
                            pc = target as usize;
                            self.charge_for(program, target, &mut fuel);
                            break 'run Exit::Slow(Box::new(Stop::Limit(LimitKind::Memory)));
                        }
                    }
                };
            }
            let mut step = fetch!();
            if step.op == Op::Loop {
                if interrupt.load(Ordering::Relaxed) != 0 {
                    break Exit::Interrupted;
                }
                if let Some(ledger) = over.ledger() {
                    ledger.left(self.left_of(fuel));
                }
                let count = self.slots[step.b as usize] + 1;
                if count > step.imm() {
                    break Exit::Limit(LimitKind::Loop(step.a));
                }
                self.slots[step.b as usize] = count;
                pc += 1;
                step = fetch!();
            }
            if step.op == Op::Call {
                loop {
                    if step.flags & slow != 0 {
                        self.pc = pc as u16;
                        flow!(match over.ledger() {
                            None => self.slow_call(program, step, env),
                            Some(ledger) => self.told_call(program, step, env, (ledger, fuel)),
                        });
                    } else {
                        let Some(Some(portal)) = self.portals.get(step.a as usize) else {
                            break 'run Exit::Fault(FaultKind::NullPortal);
                        };
                        if portal.is_revoked() {
                            break 'run Exit::Revoked;
                        }
                        let Some(calls_left) = self.budget.calls_left.checked_sub(1) else {
                            break 'run Exit::Limit(LimitKind::Calls);
                        };
                        if step.flags & Step::WRITES != 0 {
                            let Some(writes_left) = self.budget.writes_left.checked_sub(1) else {
                                break 'run Exit::Limit(LimitKind::Writes);
                            };
                            self.budget.writes_left = writes_left;
                        }
                        self.budget.calls_left = calls_left;
                        self.slots[counter(step.b)] += 1;
                        let first = step.c as usize;
                        let done = if step.flags & Step::SHORT != 0 {
                            let Some(words) = self.slots[first..].first_chunk_mut() else {
                                break 'run Exit::Fault(FaultKind::Internal);
                            };
                            portal.object().short(step.number(), env.caller, words)
                        } else if step.flags & Step::PIECE != 0 {
                            calls::lend(portal, &mut self.slots, &mut self.areas, step, env.caller)
                        } else {
                            self.make_call(step, env.caller)
                        };
                        if let Err(failure) = done {
                            flow!(self.failed(program, pc as u16, failure));
                        }
                        if step.result() != NONE {
                            self.slots[step.result() as usize] = self.slots[first + step.reply_at()];
                        }
                    }
                    if interrupt.load(Ordering::Relaxed) != 0 {
                        break 'run Exit::InterruptedBehind;
                    }
                    pc += 1;
                    step = fetch!();
                    if step.op != Op::Call {
                        break;
                    }
                }
            }
            let slots = &mut *self.slots;
            macro_rules! slot {
                ($operand:ident) => {
                    slots[step.$operand as usize]
                };
            }
            macro_rules! value {
                ($operand:ident) => {
                    slot!($operand) as i64
                };
            }
            macro_rules! jump {
                ($holds:expr) => {{
                    pc = if $holds { step.c as usize } else { pc + 1 };
                    continue;
                }};
            }
            macro_rules! checked {
                ($result:expr) => {
                    match $result {
                        Some(value) => slot!(a) = value as u64,
                        None => break Exit::Fault(FaultKind::Overflow),
                    }
                };
            }
            match step.op {
                Op::Jump => jump!(true),
                Op::JumpEq => jump!(slot!(a) == slot!(b)),
                Op::JumpNe => jump!(slot!(a) != slot!(b)),
                Op::JumpLt => jump!(value!(a) < value!(b)),
                Op::JumpLe => jump!(value!(a) <= value!(b)),
                Op::JumpGt => jump!(value!(a) > value!(b)),
                Op::JumpGe => jump!(value!(a) >= value!(b)),
                Op::JumpEqI => jump!(slot!(a) == step.imm()),
                Op::JumpNeI => jump!(slot!(a) != step.imm()),
                Op::JumpLtI => jump!(value!(a) < step.imm() as i64),
                Op::JumpLeI => jump!(value!(a) <= step.imm() as i64),
                Op::JumpGtI => jump!(value!(a) > step.imm() as i64),
                Op::JumpGeI => jump!(value!(a) >= step.imm() as i64),
                Op::Move => slot!(a) = slot!(b),
                Op::Load => slot!(a) = step.imm(),
                Op::Add => checked!(value!(b).checked_add(value!(c))),
                Op::AddI => checked!(value!(b).checked_add(step.imm() as i64)),
                Op::Sub => checked!(value!(b).checked_sub(value!(c))),
                Op::Mul => checked!(value!(b).checked_mul(value!(c))),
                Op::Div | Op::Rem if value!(c) == 0 => break Exit::Fault(FaultKind::DivisionByZero),
                Op::Div => checked!(value!(b).checked_div(value!(c))),
                Op::Rem => checked!(value!(b).checked_rem(value!(c))),
                Op::Neg => checked!(value!(b).checked_neg()),
                Op::Not => slot!(a) = slot!(b) ^ 1,
                Op::Compare => {
                    let holds = relation(step.flags).holds(value!(b).cmp(&value!(c)));
                    slot!(a) = u64::from(holds);
                }
                Op::Repeat => {
                    self.pc = pc as u16;
                    flow!(match over.ledger() {
                        None => self.repeat(program, step, env),
                        Some(ledger) => self.told_repeat(program, step, env, (ledger, fuel)),
                    });
                    // The call was made by the repeat.
                    pc += 1;
                }
                Op::End => break Exit::Done(step.a),
                Op::Fail => break Exit::Failed(step.a),
                Op::Take => self.take(program, step.a, step.b),
                Op::Drop => self.hold(step.a, None),
                Op::Share => self.hold(step.a, self.portals[step.b as usize].clone()),
                Op::Lend => slot!(a) = u64::from(step.b),
                // These are done above; behind one of them another may stand.
                Op::Loop | Op::Call => {
                    fuel += i64::from(step.charge);
                    continue;
                }
                Op::MoveStrided
                | Op::Set
                | Op::Append
                | Op::Clear
                | Op::CompareText
                | Op::TestText
                | Op::Len
                | Op::Count
                | Op::Get
                | Op::Put
                | Op::Push
                | Op::FloatArith
                | Op::FloatCompare
                | Op::Convert
                | Op::As
                | Op::Tail
                | Op::TakeAll
                | Op::LendAll
                | Op::Pick
                | Op::Keep
                | Op::DropAll
                | Op::Sort => {
                    self.pc = pc as u16;
                    let (done, now) = self.data(program, step, interrupt, fuel);
                    fuel = now;
                    if let Err(stop) = done {
                        break Exit::Slow(Box::new(stop));
                    }
                }
            }
            pc += 1;
        };
        self.pc = pc as u16;
        *left = fuel;
        exit
    }

    /// What a slot of an earlier call names may be another call's portal by now: it is taken only if it is of the
    /// register's interface, and is revoked with what made it.
    fn take(&mut self, program: &Loaded, register: u16, slot: u16) {
        let index = self.slots[slot as usize] as usize;
        let object =
            if index + 1 == self.made.len() { self.made.pop() } else { self.made.get(index).cloned() };
        let (module, id) = program.registers[register as usize];
        let wanted = module.interfaces[id.index()].hash;
        let object = object.filter(|object| {
            let (found, id) = object.interface();
            found.interfaces[id.index()].hash == wanted
        });
        self.hold(register, object.map(|object| Capability::under(object, &self.made_under)));
    }

    /// The bytes that a text slot refers to.
    pub(crate) fn text(&self, slot: u16) -> &[u8] {
        let r = Ref(self.slots[slot as usize]);
        let area = self.areas.list.get(r.area());
        area.and_then(|area| area.bytes.get(r.offset()..r.offset() + r.len())).unwrap_or(&[])
    }
}

/// The word that refers to all `len` bytes of an area.
#[inline]
fn whole(number: usize, len: usize) -> u64 {
    Ref::new(number, 0, len).unwrap_or_default().0
}

#[inline]
fn relation(flags: u8) -> Rel {
    match flags {
        0 => Rel::Eq,
        1 => Rel::Ne,
        2 => Rel::Lt,
        3 => Rel::Le,
        4 => Rel::Gt,
        _ => Rel::Ge,
    }
}
