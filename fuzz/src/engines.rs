//! Runs a program on both interpreters and as translated code, whole and in slices, and compares.
//!
//! Each run has a world of its own that answers from the same seed. Compared are why the run ended, its result,
//! what the service saw (calls with arguments, releases, in order), how often each operation was called and each
//! loop entered, and what is left of the budget. The bytecode runs are held against their bill, with the caps of the
//! program and the limits of the run, besides. The limit of memory is the bytecode's alone: what it stops must be the beginning of what the tree does.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use carnet_codegen::{Translator, Untranslated};
use carnet_portal::call::{Area, Caller};
use carnet_portal::capability::Grant;
use carnet_program::bill::bill;
use carnet_program::bytecode::{NONE, ParamPlace, SlotType};
use carnet_program::compile::{CompileError, compile_marked, compile_to_bytes};
use carnet_program::eval::{self, Arg, Compiled, Outcome, Value};
use carnet_program::interp::{
    Blocking, CANCEL, DEADLINE, Env, FaultKind, Machine, Mode, Scope, Slice, Stop, TURN, Translation,
};
use carnet_program::limits::{Budget, Effective, LimitKind, Limits};
use carnet_program::tree::{Cap, Tree, Ty};
use carnet_program::verify::{Loaded, load};

use crate::entropy::Entropy;
use crate::probe::{World, capability, module, registry};

/// No run of a test is longer, so that a test ends.
const INSTRUCTIONS_MAX: u64 = 60_000;
/// Nor makes more calls: those of a repeat cost hardly any instructions.
const CALLS_MAX: u64 = 10_000;
/// A limit that no run reaches.
const PLENTY: u64 = 1 << 40;

/// So many slices without progress, each larger than the one before, are no chance.
const STUCK: u64 = 400;

/// The start time of every run.
const STARTED: i64 = 1_700_000_000_000_000_000;

/// Everything about a run that is not the program.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Answers of the service.
    pub seed: u64,
    /// Limits.
    pub budget: Budget,
    /// Whether writes are made.
    pub mode: Mode,
    /// The call in which the first portal is revoked.
    pub revoked_in: Option<u64>,
    /// Arguments that are no portals, in order.
    pub values: Vec<Value>,
}

/// What can be seen of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Why it ended.
    pub stop: Stop,
    /// Its result.
    pub value: Option<Value>,
    /// What the service saw.
    pub log: Vec<String>,
    /// Calls of each operation.
    pub counts: Vec<u64>,
    /// How many of them failed.
    pub failed: Vec<u64>,
    /// Entries to each loop.
    pub entries: Vec<u64>,
    /// What is left: instructions, calls, writes, bytes written.
    pub left: [u64; 4],
}

impl Setting {
    /// A random setting for a program with these parameters.
    #[must_use]
    pub fn random(tree: &Tree, entropy: &mut Entropy<'_>) -> Setting {
        let small = |entropy: &mut Entropy<'_>, most: usize| match entropy.below(3) {
            0 => entropy.below(most) as u64,
            _ => PLENTY,
        };
        let budget = Budget {
            instructions_left: small(entropy, 400).min(INSTRUCTIONS_MAX),
            calls_left: small(entropy, 20).min(CALLS_MAX),
            writes_left: small(entropy, 6),
            written_left: small(entropy, 60),
            memory_max: small(entropy, 3000),
            returned_max: small(entropy, 200),
        };
        let mut values = Vec::new();
        for param in &tree.params {
            values.extend(match &tree.vars[param.var.index()].ty {
                Ty::Int => Some(Value::Int(entropy.int())),
                Ty::Float(precision) => Some(Value::Float(entropy.float(*precision))),
                Ty::Bool => Some(Value::Bool(entropy.one_in(2))),
                Ty::Enum(id) => Some(Value::Enum(entropy.below(tree.enums[id.index()].values.len()) as u16)),
                Ty::Str(max) | Ty::Bytes(max) => Some(Value::Text(Arc::new(entropy.text(*max as usize)))),
                _ => None,
            });
        }
        Setting {
            seed: entropy.bits(),
            budget,
            mode: if entropy.one_in(5) { Mode::Dry } else { Mode::Real },
            revoked_in: entropy.one_in(6).then(|| entropy.below(6) as u64),
            values,
        }
        .capped(&tree.caps)
    }

    /// With the limits cut by the caps of a program's header, as by a server.
    #[must_use]
    pub fn capped(self, caps: &[Cap]) -> Setting {
        Setting { budget: Effective::new(&self.limits(), caps).budget(), ..self }
    }

    fn limits(&self) -> Limits {
        let budget = &self.budget;
        Limits {
            instructions: budget.instructions_left,
            calls: budget.calls_left,
            writes: budget.writes_left,
            written: budget.written_left,
            returned: budget.returned_max,
            memory: budget.memory_max,
            time_ns: u64::MAX,
        }
    }

    /// A setting that stops no run.
    #[must_use]
    pub fn unlimited() -> Setting {
        let budget = Budget {
            instructions_left: PLENTY,
            calls_left: PLENTY,
            writes_left: PLENTY,
            written_left: PLENTY,
            memory_max: PLENTY,
            returned_max: PLENTY,
        };
        Setting { seed: 0, budget, mode: Mode::Real, revoked_in: None, values: Vec::new() }
    }

    fn world(&self) -> (Arc<World>, Grant) {
        let grant = Grant::new();
        let revocation = self.revoked_in.map(|call| (call, grant.clone()));
        (World::new(module(), self.seed, revocation), grant)
    }
}

/// Compiles, verifies and runs `tree` on all engines.
///
/// # Panics
/// If a promise is broken.
pub fn check_tree(tree: &Tree, entropy: &mut Entropy<'_>) {
    let (program, marks) = match compile_marked(tree) {
        Ok(compiled) => compiled,
        Err(CompileError::TooLarge(..)) => return,
        Err(error) => panic!("a valid tree does not compile: {error}"),
    };
    let bytes = program.encode();
    crate::mutate::check_round_trip(&program, &bytes);
    assert!(compile_to_bytes(tree).is_ok_and(|sent| sent == bytes), "what is sent is not what was compiled");
    let loaded = match load(&bytes, registry()) {
        Ok(loaded) => Arc::new(loaded),
        Err(error) => panic!("what was compiled is rejected: {error}"),
    };
    let translations = translations(&loaded);
    let compiled = Compiled { tree, marks: &marks, loaded: &loaded };
    for _ in 0..3 {
        let setting = Setting::random(tree, entropy);
        let by_tree = run_tree(compiled, &setting);
        let by_code = run_code(Some(tree), By::Bytecode(&loaded), &setting, None);
        if by_code.stop == Stop::Limit(LimitKind::Memory) {
            assert_begins("tree", &by_tree, &by_code, &setting);
            let unlimited =
                Setting { budget: Budget { memory_max: PLENTY, ..setting.budget }, ..setting.clone() };
            let whole = run_code(Some(tree), By::Bytecode(&loaded), &unlimited, None);
            assert_same("tree and bytecode without a limit of memory", &by_tree, &whole, &unlimited);
        } else {
            assert_same("tree and bytecode", &by_tree, &by_code, &setting);
        }
        let in_slices = run_code(Some(tree), By::Bytecode(&loaded), &setting, Some(entropy));
        assert_same("bytecode whole and in slices", &by_code, &in_slices, &setting);
        check_translated(Some(tree), &translations, &by_code, &setting);
        check_bill(&bytes, &loaded, &by_code, &setting);
    }
}

/// The translations of a program, of its loops and of all of it; none on machines that have no translator, and of programs that are
/// too long.
///
/// # Panics
/// If the translator does not take the program.
#[must_use]
pub fn translations(loaded: &Arc<Loaded>) -> Vec<Translation> {
    [Scope::Loops, Scope::All].into_iter().filter_map(|scope| translation(loaded, scope)).collect()
}

fn translation(loaded: &Arc<Loaded>, scope: Scope) -> Option<Translation> {
    thread_local! {
        static TRANSLATOR: RefCell<Option<Translator>> = RefCell::new(Translator::new().ok());
    }
    TRANSLATOR.with_borrow_mut(|translator| match translator.as_mut()?.translate_scope(loaded, scope) {
        Ok(translation) => Some(translation),
        Err(Untranslated::TooLong(_) | Untranslated::Array) => None,
        Err(why) => panic!("a verified program is not translated: {why}"),
    })
}

/// Translated code, whole and in slices that take turns with the interpreter, does what the interpreter did.
///
/// # Panics
/// If it does not.
pub fn check_translated(
    tree: Option<&Tree>,
    translations: &[Translation],
    by_code: &Seen,
    setting: &Setting,
) {
    for by in translations.iter().map(By::Translated) {
        let translated = run_code(tree, by, setting, None);
        assert_same("bytecode and translated code", by_code, &translated, setting);
        let in_turns = run_code(tree, by, setting, Some(&mut Entropy::of_seed(setting.seed)));
        assert_same("bytecode and translated code in turns", by_code, &in_turns, setting);
    }
}

/// What the memory limit stopped did what the run without it does first: the tree keeps no such limit.
fn assert_begins(what: &str, whole: &Seen, stopped: &Seen, setting: &Setting) {
    let no_more = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a <= b);
    let begins = whole.log.starts_with(&stopped.log)
        && no_more(&stopped.counts, &whole.counts)
        && no_more(&stopped.failed, &whole.failed)
        && no_more(&stopped.entries, &whole.entries)
        && no_more(&whole.left, &stopped.left);
    assert!(
        begins,
        "{what} does not begin as a run that ran out of memory:\n{whole:?}\n{stopped:?}\nwith {setting:?}"
    );
}

fn assert_same(what: &str, a: &Seen, b: &Seen, setting: &Setting) {
    if a == b {
        return;
    }
    let at = a.log.iter().zip(&b.log).take_while(|(a, b)| a == b).count();
    let from = at.saturating_sub(3);
    let rest = |seen: &Seen| seen.log.iter().skip(from).take(8).cloned().collect::<Vec<_>>().join("\n    ");
    let brief = |seen: &Seen| {
        format!(
            "{:?}\n  value {:?}\n  left {:?}\n  counts {:?}\n  failed {:?}\n  entries {:?}\n  log from {from}:\n    {}",
            seen.stop,
            seen.value,
            seen.left,
            seen.counts,
            seen.failed,
            seen.entries,
            rest(seen)
        )
    };
    panic!("{what} differ:\n  {}\nand\n  {}\nwith {setting:?}", brief(a), brief(b));
}

/// Runs the tree interpreter.
#[must_use]
pub fn run_tree(compiled: Compiled<'_>, setting: &Setting) -> Seen {
    let (world, grant) = setting.world();
    let mut values = setting.values.iter();
    let mut args = Vec::new();
    for param in &compiled.tree.params {
        args.push(match &compiled.tree.vars[param.var.index()].ty {
            Ty::Portal(id) => {
                let name = &compiled.tree.interfaces[id.index()].name;
                let interface = module().interface(name).unwrap_or_else(|| panic!("no interface {name}"));
                Arg::Portal(capability(&world, interface, &grant))
            }
            _ => Arg::Value(values.next().cloned().unwrap_or(Value::Int(0))),
        });
    }
    let caller = Caller::local();
    let interrupt = AtomicU32::new(0);
    let env = Env { caller: &caller, interrupt: &interrupt, mode: setting.mode, blocking: Blocking::Allowed };
    let outcome = eval::run(compiled, &args, STARTED, &env, setting.budget);
    let log = world.log();
    let Outcome { stop, value, counts, failed, entries, budget, held: _ } = outcome;
    crate::steps::add(setting.budget.instructions_left - budget.instructions_left);
    Seen { stop, value, log, counts, failed, entries, left: left(&budget) }
}

fn left(budget: &Budget) -> [u64; 4] {
    [budget.instructions_left, budget.calls_left, budget.writes_left, budget.written_left]
}

/// What carries bytecode out.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// The interpreter.
    Bytecode(&'a Loaded),
    /// Translated code; in slices, in turns with the interpreter.
    Translated(&'a Translation),
}

/// Runs bytecode; with `slices`, in random slices, with pauses and interruptions.
///
/// # Panics
/// If the machine breaks a promise.
#[must_use]
pub fn run_code(
    tree: Option<&Tree>,
    by: By<'_>,
    setting: &Setting,
    slices: Option<&mut Entropy<'_>>,
) -> Seen {
    let loaded = by.loaded();
    let (world, grant) = setting.world();
    let mut machine = Machine::new();
    machine.reset(loaded, setting.budget);
    let mut values = setting.values.iter();
    let given = loaded.params.iter().try_for_each(|place| match place {
        ParamPlace::Register(register) => {
            let (_, interface) = loaded.registers[*register as usize];
            machine.set_portal(*register, capability(&world, interface, &grant));
            Ok(())
        }
        ParamPlace::Slot(slot) => set(&mut machine, loaded, *slot, values.next()),
    });
    if loaded.started != NONE {
        machine.set_scalar(loaded.started, STARTED);
    }
    let stop = given.err().unwrap_or_else(|| drive(&mut machine, by, setting, slices));
    crate::steps::add(setting.budget.instructions_left - machine.budget.instructions_left);
    assert_ne!(stop, Stop::Fault(FaultKind::Internal), "the interpreter broke its own rules");
    if stop != Stop::Limit(LimitKind::Memory) {
        let most = setting.budget.memory_max;
        assert!(machine.memory() <= most, "{} bytes held, of at most {most}", machine.memory());
    }
    let mut returned = Vec::new();
    let (stop, value) = match stop {
        Stop::Done(slot) if slot != NONE && machine.result(loaded, slot, &mut returned).is_none() => {
            (Stop::Limit(LimitKind::Returned), None)
        }
        Stop::Done(slot) => {
            (Stop::Done(NONE), tree.and_then(|tree| Value::result(tree, loaded, &machine, slot)))
        }
        stop => (stop, None),
    };
    assert!(returned.len() as u64 <= setting.budget.returned_max, "{} bytes returned", returned.len());
    if !matches!(stop, Stop::Fault(_)) {
        let held: u64 = machine.areas().list.iter().skip(1).map(size).sum();
        assert_eq!(machine.memory(), held, "the account of memory is wrong");
    }
    let entries = loaded.loops.iter().map(|l| machine.slots()[l.table.counter as usize]).collect();
    let seen = Seen {
        stop,
        value,
        log: world.log(),
        counts: machine.counts().to_vec(),
        failed: (0..machine.counts().len()).map(|op| machine.failed_calls(op)).collect(),
        entries,
        left: left(&machine.budget),
    };
    machine.release();
    check_promises(loaded, setting, &seen);
    seen
}

impl By<'_> {
    fn loaded(&self) -> &Loaded {
        match self {
            By::Bytecode(loaded) => loaded,
            By::Translated(translation) => translation.program(),
        }
    }

    fn advance(&self, machine: &mut Machine, env: &Env<'_>, slice: Slice) -> Stop {
        match self {
            By::Bytecode(loaded) => machine.advance(loaded, env, slice),
            By::Translated(translation) => machine.advance_translated(translation, env, slice),
        }
    }
}

fn size(area: &Area) -> u64 {
    area.bytes.len() as u64 + 8 * area.words.len() as u64
}

fn set(machine: &mut Machine, loaded: &Loaded, slot: u16, value: Option<&Value>) -> Result<(), Stop> {
    let value = value.cloned().unwrap_or(Value::Int(0));
    match (loaded.slots[slot as usize], value) {
        (SlotType::Str(max) | SlotType::Bytes(max), Value::Text(text)) => {
            let text = &text[..text.len().min(max as usize)];
            return machine.set_text(loaded, slot, text);
        }
        (SlotType::Int, Value::Int(n)) => machine.set_scalar(slot, n),
        (SlotType::Float(_), Value::Float(float)) => machine.set_scalar(slot, float.word.cast_signed()),
        (SlotType::Bool, Value::Bool(b)) => machine.set_scalar(slot, i64::from(b)),
        (SlotType::Enum(_), Value::Enum(n)) => machine.set_scalar(slot, i64::from(n)),
        _ => {}
    }
    Ok(())
}

fn drive(machine: &mut Machine, by: By<'_>, setting: &Setting, slices: Option<&mut Entropy<'_>>) -> Stop {
    let caller = Caller::local();
    let interrupt = AtomicU32::new(0);
    let mut env =
        Env { caller: &caller, interrupt: &interrupt, mode: setting.mode, blocking: Blocking::Allowed };
    let Some(entropy) = slices else { return by.advance(machine, &env, Slice::UNLIMITED) };
    // A slice that is too small for one block makes no progress, nor does a call that may block and must not.
    let mut growth = 0;
    loop {
        crate::steps::add(1);
        assert!(growth < STUCK, "a run in slices makes no progress at instruction {}", machine.pc());
        let before = (machine.pc(), left(&machine.budget));
        let slice = Slice {
            instructions: (entropy.below(24) as u64 + growth) << growth.min(40),
            calls: entropy.below(4) as u64 + growth,
        };
        interrupt.store([0, 0, 0, CANCEL, DEADLINE, TURN][entropy.below(6)], Ordering::Relaxed);
        env.blocking = if growth > 0 || entropy.one_in(2) { Blocking::Allowed } else { Blocking::Pauses };
        let by = match by {
            By::Translated(translation) if entropy.one_in(2) => By::Bytecode(translation.program()),
            by => by,
        };
        match by.advance(machine, &env, slice) {
            Stop::Pause | Stop::Cancelled | Stop::Deadline | Stop::Blocks => {}
            stop => return stop,
        }
        growth = if before == (machine.pc(), left(&machine.budget)) { growth + 1 } else { 0 };
    }
}

/// What the verifier promised of every run.
fn check_promises(loaded: &Loaded, setting: &Setting, seen: &Seen) {
    let totals = loaded.totals;
    let budget = left(&setting.budget);
    let used = |k: usize| budget[k] - seen.left[k];
    assert!(used(0) <= totals.instructions, "{} instructions, promised {}", used(0), totals.instructions);
    assert!(used(1) <= totals.calls, "{} calls, promised {}", used(1), totals.calls);
    assert!(used(2) <= totals.writes, "{} writes, promised {}", used(2), totals.writes);
    assert!(used(3) <= totals.written, "{} bytes written, promised {}", used(3), totals.written);
    assert_eq!(used(1), seen.counts.iter().sum::<u64>(), "calls are counted twice");
    for (made, failed) in seen.counts.iter().zip(&seen.failed) {
        assert!(failed <= made, "{failed} of {made} calls failed");
    }
    for (l, entries) in loaded.loops.iter().zip(&seen.entries) {
        assert!(*entries <= l.bound, "a loop was entered {entries} times, promised {}", l.bound);
    }
    if setting.mode == Mode::Real {
        let calls = seen.log.iter().filter(|line| !line.starts_with("release")).count();
        assert!(calls as u64 <= totals.calls, "the service saw {calls} calls, promised {}", totals.calls);
    }
}

/// The bounds of the bill under the limits of the setting, which the caps of the program have cut.
///
/// # Panics
/// If the run did more.
pub fn check_bill(bytes: &[u8], loaded: &Loaded, seen: &Seen, setting: &Setting) {
    let bill = bill(bytes, loaded, &setting.limits());
    let budget = left(&setting.budget);
    let bounds = [bill.instructions, bill.calls, bill.writes, bill.written];
    for (k, bound) in bounds.iter().enumerate() {
        let used = budget[k] - seen.left[k];
        assert!(used <= bound.at_most, "{used} of amount {k}, the bill says {bound:?}, with {setting:?}");
    }
    for (k, count) in seen.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let name = loaded.ops[k].name();
        let lines = bill.lines.iter().filter(|line| line.name == name).map(|line| line.at_most);
        let at_most = lines.fold(0, u64::saturating_add);
        assert!(*count <= at_most, "{count} calls of {name}, the bill says {at_most}, with {setting:?}");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A limit that no run reaches is not compared.
    #[test]
    fn every_limit_stops_some_runs() {
        let mut reached: Vec<LimitKind> = Vec::new();
        for seed in 0..1_200 {
            let mut entropy = Entropy::of_seed(crate::entropy::mixed(seed));
            let tree = crate::program::program(module(), &mut entropy);
            let Ok(program) = carnet_program::compile::compile(&tree) else { continue };
            let loaded = load(&program.encode(), registry()).expect("a compiled program is valid");
            let setting = Setting::random(&tree, &mut entropy);
            if let Stop::Limit(kind) = run_code(Some(&tree), By::Bytecode(&loaded), &setting, None).stop {
                reached.push(if let LimitKind::Loop(_) = kind { LimitKind::Loop(0) } else { kind });
            }
        }
        for kind in [
            LimitKind::Instructions,
            LimitKind::Calls,
            LimitKind::Writes,
            LimitKind::Written,
            LimitKind::Returned,
            LimitKind::Memory,
            LimitKind::Loop(0),
        ] {
            assert!(reached.contains(&kind), "no run reaches its limit of {}: {reached:?}", kind.noun());
        }
    }

    /// What no program has, or no run comes to, is not compared.
    #[test]
    fn unions_are_made_gone_by_and_sent_both_ways() {
        let (mut made, mut gone_by, mut calls) = (0, 0, BTreeMap::new());
        for seed in 0..2_000 {
            let mut entropy = Entropy::of_seed(crate::entropy::mixed(seed));
            let tree = crate::program::program(module(), &mut entropy);
            let Ok(program) = carnet_program::compile::compile(&tree) else { continue };
            made += tree.vars.iter().filter(|var| tree.holds_union(&var.ty)).count();
            gone_by += tree.vars.iter().filter(|var| var.name.starts_with("held")).count();
            let loaded = load(&program.encode(), registry()).expect("a compiled program is valid");
            let setting = Setting::random(&tree, &mut entropy);
            let seen = run_code(Some(&tree), By::Bytecode(&loaded), &setting, None);
            for (op, count) in loaded.ops.iter().zip(seen.counts) {
                *calls.entry(op.name()).or_insert(0) += count;
            }
        }
        println!("{made} variables, {gone_by} arms, calls: {calls:?}");
        assert!(made > 300 && gone_by > 100, "{made} variables, {gone_by} arms");
        for name in ["picked", "which", "show", "swing", "pass", "picks"] {
            let name = format!("Root.{name}");
            assert!(calls.get(&name).is_some_and(|count| *count >= 3), "few calls of {name}: {calls:?}");
        }
    }
}
