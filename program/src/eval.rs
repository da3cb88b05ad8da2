//! The recursive interpreter of the typed tree: the paper's HighLevelProgram, the oracle for the bytecode
//! interpreter ([`interp`](crate::interp)), and what a server runs trees with that it is asked to run so.
//!
//! It shares no code with that one beyond the types of errors and budgets: values are plain Rust values, control
//! is Rust's own. On every program and input both must agree in results, in the calls that are made, their order
//! and arguments, in what is released when, in errors, in the counts of loops, and in the budget used.
//!
//! Budgets are charged for basic blocks of the bytecode. So the compiler says at which instruction each point of
//! the tree lies ([`Marks`]), the verifier what the block that begins there costs, and this interpreter charges
//! it when it passes the point. Passing two points of one instruction charges once.
//!
//! What need not agree: the memory limit, which is not kept here but for a debugger, as the bytecode keeps it, and for a server: then
//! it counts what values take here (the bytecode counts what its areas hold, those of the compiler's own variables too), and pauses, which do not exist
//! here. A run of the bytecode that the memory limit stopped has done what this one does first.
//!
//! | file | what it does |
//! | --- | --- |
//! | `eval.rs` | a run: state, charges, portals and their scopes |
//! | `eval/value.rs` | values |
//! | `eval/stmt.rs` | statements and loops |
//! | `eval/expr.rs` | expressions and conditions |
//! | `eval/call.rs` | calls |
//! | `eval/depth.rs` | how deep a tree is nested |
//! | `eval/watch.rs` | looking on; `eval/measured.rs`: with the memory limit of the bytecode |
//! | `eval/serve.rs` | what a server wants of a run: more of its budget, a journal, a limit of memory, where it stopped, that it goes on |

mod call;
mod depth;
mod expr;
mod measured;
pub(crate) mod serve;
mod stmt;
mod value;
mod watch;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_idl::descriptor::TypeHash;
use carnet_portal::call::{Failure, Object};
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::panics::drop_quietly;

use crate::bytecode::{NONE, Op};
use crate::compile::{Marks, Point, node, result_var};
use crate::interp::{Env, FaultKind, Stop, ending};
use crate::limits::{Budget, LimitKind};
use crate::tree::{Pos, Tree, VarId};
use crate::verify::{Loaded, Step};

pub use depth::{DEPTH_MAX, is_too_deep};
pub use value::Value;
pub use watch::{Call, State, Watch};

/// An argument of the program.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A scalar, string or bytes.
    Value(Value),
    /// A portal.
    Portal(Capability),
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// Why. The slot of [`Stop::Done`] means nothing here.
    pub stop: Stop,
    /// The result.
    pub value: Option<Value>,
    /// How often each operation was called.
    pub counts: Vec<u64>,
    /// How many of them failed.
    pub failed: Vec<u64>,
    /// How often the body of each loop was entered.
    pub entries: Vec<u64>,
    /// What is left.
    pub budget: Budget,
    /// What the run still held; released when the outcome is dropped.
    pub held: Held,
}

/// The portals that a run held at its end.
#[derive(Debug, Default)]
pub struct Held {
    registers: Vec<Option<Capability>>,
    /// What calls had just made.
    made: Vec<Arc<dyn Object>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.made.drain(..).for_each(drop_quietly);
        self.registers.drain(..).for_each(drop_quietly);
    }
}

/// A tree, and what was compiled and verified of it.
#[derive(Clone, Copy, Debug)]
pub struct Compiled<'t> {
    /// The tree, at the address at which it was compiled.
    pub tree: &'t Tree,
    /// Where its points lie.
    pub marks: &'t Marks,
    /// The verified bytecode.
    pub loaded: &'t Loaded,
}

/// Runs a tree from its beginning. `args` are the program's parameters, in order; `started` is the time at which
/// it begins.
///
/// A tree that is nested deeper than [`DEPTH_MAX`] ends with [`FaultKind::Internal`], as does one that is not well
/// typed: both were refused by who made `compiled`.
#[must_use]
pub fn run(compiled: Compiled<'_>, args: &[Arg], started: i64, env: &Env<'_>, budget: Budget) -> Outcome {
    carry_out(Run::new(compiled, env, budget), args, started)
}

/// As [`run`], while `watch` looks on, and with the memory limit of `budget` as the bytecode keeps it.
#[must_use]
pub fn run_watched(
    compiled: Compiled<'_>,
    args: &[Arg],
    started: i64,
    env: &Env<'_>,
    budget: Budget,
    watch: &mut dyn Watch,
) -> Outcome {
    let mut measured = measured::Measured::new(compiled.loaded, (args, started), env, budget);
    let served = serve::Served::new(&mut measured, u64::MAX, compiled.tree.vars.len());
    let run = Run { watch: Some(watch), served: Some(served), ..Run::new(compiled, env, budget) };
    let outcome = carry_out(run, args, started);
    // Whoever left it did so before what comes next.
    let is_left = outcome.stop == Stop::Cancelled && !measured.is_full();
    match is_left || measured.go_on(&outcome.budget) {
        true => outcome,
        false => Outcome { stop: Stop::Limit(LimitKind::Memory), value: None, ..outcome },
    }
}

fn carry_out(mut run: Run<'_>, args: &[Arg], started: i64) -> Outcome {
    let (stop, value) = ended(&mut run, args, started);
    Outcome {
        stop,
        value,
        counts: run.counts,
        failed: run.failed_calls,
        entries: run.entries,
        budget: run.budget,
        held: Held { registers: run.registers, made: run.made },
    }
}

/// Why a run ended, and its result.
fn ended(run: &mut Run<'_>, args: &[Arg], started: i64) -> (Stop, Option<Value>) {
    let budget = run.budget;
    let exit = match is_too_deep(run.tree) {
        true => Err(Exit::Stop(INTERNAL)),
        false => run.begin(args, started).and_then(|()| run.body()),
    };
    let too_long = |value: &Value| value.returned() > budget.returned_max;
    match exit {
        Ok(()) => (Stop::Done(NONE), None),
        Err(Exit::Return(Some(value))) if too_long(&value) => (Stop::Limit(LimitKind::Returned), None),
        Err(Exit::Return(value)) => (Stop::Done(NONE), value),
        Err(Exit::Stop(stop)) => (stop, None),
        Err(_) => (INTERNAL, None),
    }
}

const INTERNAL: Stop = Stop::Fault(FaultKind::Internal);

/// Why control goes on elsewhere.
enum Exit {
    Stop(Stop),
    Return(Option<Value>),
    /// A call failed with an exception, and a `try` is around it.
    Raised(Failure),
    Break,
    Continue,
    Leave,
}

type Eval<T> = Result<T, Exit>;

/// Index of a place for a portal. Each run of a block has places of its own.
type Register = usize;

/// What a place in a scope belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Var(VarId),
    /// The portal that this call returned, or a copy of its target; or the element of a list that this index names.
    Call(usize),
    /// The first of the portals of the pages that this call gives.
    Page(usize),
    /// One more of the portals of the list before.
    More,
}

/// A block that is open.
struct Scope {
    places: Vec<(Owner, Register)>,
    /// Registers that there were before.
    from: usize,
}

struct Run<'t> {
    tree: &'t Tree,
    marks: &'t Marks,
    loaded: &'t Loaded,
    env: &'t Env<'t>,
    budget: Budget,
    counts: Vec<u64>,
    failed_calls: Vec<u64>,
    entries: Vec<u64>,
    values: Vec<Option<Value>>,
    portals: Vec<Option<Register>>,
    registers: Vec<Option<Capability>>,
    scopes: Vec<Scope>,
    /// Held by blocks that an exception left, until its handler begins.
    left: Vec<Register>,
    /// What the last call made, and what it ends with.
    made: Vec<Arc<dyn Object>>,
    made_under: Grant,
    /// `try`s around what is evaluated.
    handlers: usize,
    /// Results of the functions that are open.
    inlines: Vec<Option<VarId>>,
    /// The variable that a result comes from, if there is one.
    result: Option<VarId>,
    /// Literals that were reached, by their nodes.
    literals: HashMap<usize, Arc<Vec<u8>>>,
    /// The last point that was passed.
    last: Option<u16>,
    watch: Option<&'t mut dyn Watch>,
    /// Variables that are declared, if somebody looks on.
    declared: Vec<VarId>,
    /// Where it is, as the compiler notes places.
    here: Pos,
    served: Option<serve::Served<'t>>,
    /// Instructions that were left when it looked for what stops it.
    seen: u64,
    /// Instructions that were to be charged and not left.
    needs: u64,
}

/// Instructions between two looks.
const NOW_AND_THEN: u64 = 1 << 14;

impl<'t> Run<'t> {
    fn new(compiled: Compiled<'t>, env: &'t Env<'t>, budget: Budget) -> Run<'t> {
        let Compiled { tree, marks, loaded } = compiled;
        Run {
            tree,
            marks,
            loaded,
            env,
            budget,
            counts: vec![0; loaded.ops.len()],
            failed_calls: vec![0; loaded.ops.len()],
            entries: vec![0; loaded.loops.len()],
            values: vec![None; tree.vars.len()],
            portals: vec![None; tree.vars.len()],
            registers: Vec::new(),
            scopes: Vec::new(),
            left: Vec::new(),
            made: Vec::new(),
            made_under: Grant::new(),
            handlers: 0,
            inlines: Vec::new(),
            result: result_var(tree),
            literals: HashMap::new(),
            last: None,
            watch: None,
            declared: Vec::new(),
            here: Pos::default(),
            served: None,
            seen: budget.instructions_left,
            needs: 0,
        }
    }

    fn begin(&mut self, args: &[Arg], started: i64) -> Eval<()> {
        for (param, arg) in self.tree.params.iter().zip(args) {
            self.declared(param.var);
            match arg {
                Arg::Value(value) => self.set(param.var, value.clone())?,
                Arg::Portal(portal) => {
                    self.registers.push(Some(portal.clone()));
                    self.portals[param.var.index()] = Some(self.registers.len() - 1);
                }
            }
        }
        if let Some(var) = self.tree.vars.iter().position(|var| var.name == "started") {
            self.values[var] = Some(Value::Int(started));
        }
        self.pass(0)
    }

    fn body(&mut self) -> Eval<()> {
        self.block(&self.tree.body)?;
        match self.tree.result {
            None => Ok(()),
            Some(_) => stop(Stop::Failed(b"the program ended without a result".to_vec())),
        }
    }

    // Looking on.

    /// Notes that a variable is declared, for who looks on.
    fn declared(&mut self, var: VarId) {
        if self.watch.is_some() && !self.declared.contains(&var) {
            self.declared.push(var);
        }
    }

    fn shown<T>(&mut self, show: impl FnOnce(&mut dyn Watch, &State<'_>) -> T) -> Option<T> {
        let watch = self.watch.as_deref_mut()?;
        let state = State {
            tree: self.tree,
            vars: &self.declared,
            values: &self.values,
            counts: &self.counts,
            budget: &self.budget,
        };
        Some(show(watch, &state))
    }

    /// Whoever looks on may end the run.
    fn go_on(said: Option<ControlFlow<()>>) -> Eval<()> {
        if said == Some(ControlFlow::Break(())) { stop(Stop::Cancelled) } else { Ok(()) }
    }

    // Charges.

    /// Passes a point of the tree.
    fn at<T>(&mut self, place: &T, point: Point) -> Eval<u16> {
        let Some(pc) = self.marks.points.get(&(node(place), point)).copied() else { return stop(INTERNAL) };
        self.pass(pc)?;
        Ok(pc)
    }

    fn has<T>(&self, place: &T, point: Point) -> bool {
        self.marks.points.contains_key(&(node(place), point))
    }

    fn pass(&mut self, pc: u16) -> Eval<()> {
        if self.last != Some(pc) {
            let charged = self.charge(self.step(pc).map_or(0, |step| u64::from(step.charge)));
            self.stops_at(pc, charged)?;
        }
        self.last = Some(pc);
        Ok(())
    }

    fn step(&self, pc: u16) -> Option<&'t Step> {
        self.loaded.code.get(pc as usize)
    }

    fn charge(&mut self, instructions: u64) -> Eval<()> {
        self.affords(instructions)?;
        self.budget.instructions_left -= instructions;
        Ok(())
    }

    /// There are so many left.
    fn affords(&mut self, instructions: u64) -> Eval<()> {
        self.now_and_then()?;
        loop {
            if self.budget.instructions_left >= instructions {
                return Ok(());
            }
            if !self.has_more(LimitKind::Instructions) {
                self.needs = instructions;
                return stop(Stop::Limit(LimitKind::Instructions));
            }
        }
    }

    /// Passes the head of a loop: counts an entry to its body.
    fn enter<T>(&mut self, place: &T, point: Point) -> Eval<()> {
        let pc = self.at(place, point)?;
        let Some(step @ Step { op: Op::Loop, a, .. }) = self.step(pc) else { return stop(INTERNAL) };
        let interrupted = self.interrupted();
        self.stops_at(pc, interrupted)?;
        let count = self.entries[*a as usize] + 1;
        if count > step.imm() {
            return self.stops_at(pc, stop(Stop::Limit(LimitKind::Loop(*a))));
        }
        self.entries[*a as usize] = count;
        Ok(())
    }

    /// Code without calls and loops may be long, and its texts as well: it looks for what stops it now and then.
    fn now_and_then(&mut self) -> Eval<()> {
        let left = self.budget.instructions_left;
        // More may have been given.
        if left <= self.seen && self.seen - left < NOW_AND_THEN {
            return Ok(());
        }
        self.seen = left;
        self.tell_now_and_then();
        self.interrupted()
    }

    fn interrupted(&mut self) -> Eval<()> {
        if self.env.interrupt.load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        if ending(self.env.interrupt).is_none() {
            self.give_way();
        }
        ending(self.env.interrupt).map_or(Ok(()), stop)
    }

    // Portals.

    /// The place of `owner` in the innermost block, made if it is not there.
    fn place_of(&mut self, owner: Owner) -> Register {
        let Some(scope) = self.scopes.last_mut() else { return 0 };
        if let Some((_, register)) = scope.places.iter().find(|(o, _)| *o == owner) {
            return *register;
        }
        self.registers.push(None);
        scope.places.push((owner, self.registers.len() - 1));
        self.registers.len() - 1
    }

    /// The first place of those of a list of portals in the innermost block.
    fn places_of(&mut self, list: Owner, most: usize) -> Register {
        let before = self.registers.len();
        let first = self.place_of(list);
        if first == before
            && let Some(scope) = self.scopes.last_mut()
        {
            for register in first + 1..first + most {
                self.registers.push(None);
                scope.places.push((Owner::More, register));
            }
        }
        first
    }

    /// Ends the innermost block. What it held is released, the last first: at once, or where the exception that
    /// left it is handled; never by a run that stops, which shows what it held.
    fn close(&mut self, how: &Eval<()>) {
        let Some(Scope { places, from }) = self.scopes.pop() else { return };
        let mut registers = places.into_iter().rev().map(|(_, register)| register);
        match how {
            Err(Exit::Stop(_) | Exit::Return(_)) => {}
            Err(Exit::Raised(_)) => self.left.extend(registers),
            _ if self.scopes.is_empty() => {}
            _ => {
                registers.by_ref().for_each(|register| drop_quietly(self.registers[register].take()));
                // Those of inner blocks are free, too.
                self.registers.truncate(from);
            }
        }
    }

    /// The value of a variable from now on.
    fn set(&mut self, var: VarId, value: Value) -> Eval<()> {
        self.weigh(var, &value)?;
        self.values[var.index()] = Some(value);
        Ok(())
    }

    /// Puts what the last call made into a register, if it is of the interface that is wanted there.
    fn take(&mut self, index: usize, (register, wanted): (Register, Option<TypeHash>)) {
        let is_last = index + 1 == self.made.len();
        let object = if is_last { self.made.pop() } else { self.made.get(index).cloned() };
        self.fill(object, (register, wanted));
    }

    fn fill(&mut self, object: Option<Arc<dyn Object>>, (register, wanted): (Register, Option<TypeHash>)) {
        let object = object.filter(|object| {
            let (found, id) = object.interface();
            Some(found.interfaces[id.index()].hash) == wanted
        });
        let taken = object.map(|object| Capability::under(object, &self.made_under));
        drop_quietly(std::mem::replace(&mut self.registers[register], taken));
    }
}

fn stop<T>(stop: Stop) -> Eval<T> {
    Err(Exit::Stop(stop))
}

fn fault<T>(kind: FaultKind) -> Eval<T> {
    stop(Stop::Fault(kind))
}
