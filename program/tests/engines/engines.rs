//! Runs one case on one engine, and says what happened in text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, LazyLock};

use carnet_codegen::{Translator, Untranslated};
use carnet_idl::descriptor::Module;
use carnet_portal::call::{Caller, Object, Ref};
use carnet_portal::capability::Capability;
use carnet_program::bill::{Bill, Bound, bill};
use carnet_program::bytecode::{ParamPlace, SlotType};
use carnet_program::compile::{compile, compile_marked};
use carnet_program::eval::{self, Arg, Compiled, Value};
use carnet_program::import::Tables;
use carnet_program::interp::{Blocking, Env, Machine, Mode, Scope, Slice, Stop, Translation};
use carnet_program::limits::{Budget, Effective, LimitKind, Limits};
use carnet_program::protocol::{SetVariable, VariableValue};
use carnet_program::tree::{Cap, Tree, Ty};
use carnet_program::verify::{Loaded, Registry, load};

use crate::desk::{World, module};

const STARTED: i64 = 1_000;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Engine {
    Bytecode,
    Tree,
    /// Bytecode, one block and one call at a time.
    Slices,
    /// With its loops translated.
    Translated,
    /// With all of it translated.
    Whole,
    /// The loops as translated code, and bytecode, in turns, one block and one call at a time.
    LoopsInTurns,
    /// All as translated code, and bytecode, in turns, one block and one call at a time.
    Turns,
    /// So many instructions translated, and the rest as bytecode.
    FromTranslated(u64),
    /// So many instructions as bytecode, and the rest translated.
    ToTranslated(u64),
    /// As [`Engine::Turns`]; each time all variables are set to what they hold.
    Set,
    /// As [`Engine::Turns`]; each time another machine takes over what was kept of the one before.
    Kept,
}

impl Engine {
    /// The slice after `done` others, and whether it is translated.
    fn slice(self, done: usize) -> (Slice, bool) {
        let smallest = Slice { instructions: 1, calls: 1 };
        let first = |instructions: u64| match done {
            0 => Slice { instructions, ..Slice::UNLIMITED },
            _ => Slice::UNLIMITED,
        };
        match self {
            Engine::Bytecode | Engine::Tree => (Slice::UNLIMITED, false),
            Engine::Slices => (smallest, false),
            Engine::Translated | Engine::Whole => (Slice::UNLIMITED, true),
            Engine::Turns | Engine::LoopsInTurns => (smallest, done.is_multiple_of(2)),
            Engine::Set | Engine::Kept => (smallest, done.is_multiple_of(2)),
            Engine::FromTranslated(instructions) => (first(instructions), done == 0),
            Engine::ToTranslated(instructions) => (first(instructions), done > 0),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) limits: Limits,
    /// The limits, cut by the program's caps.
    pub(crate) budget: Budget,
    pub(crate) mode: Mode,
    pub(crate) sealed: bool,
    pub(crate) args: Vec<(String, String)>,
}

impl Setting {
    fn parse(line: &str, caps: &[Cap]) -> Setting {
        let (mut limits, mut mode, mut sealed, mut args) = (Limits::UNLIMITED, Mode::Real, false, Vec::new());
        for word in line.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let number = || value.parse().expect("a number");
            match name {
                "dry" => mode = Mode::Dry,
                "sealed" => sealed = true,
                "instructions" => limits.instructions = number(),
                "calls" => limits.calls = number(),
                "writes" => limits.writes = number(),
                "written" => limits.written = number(),
                "memory" => limits.memory = number(),
                "returned" => limits.returned = number(),
                _ => args.push((name.to_owned(), value.to_owned())),
            }
        }
        let budget = Effective::new(&limits, caps).budget();
        Setting { limits, budget, mode, sealed, args }
    }

    /// With a budget of exactly these instructions, calls and writes. Bytes are reserved before it is known how many
    /// will be written, so what was used of them need not be enough.
    pub(crate) fn limited_to(&self, used: &[u64; 4]) -> Setting {
        let [instructions_left, calls_left, writes_left, _] = *used;
        let budget = Budget { instructions_left, calls_left, writes_left, ..self.budget };
        Setting { budget, ..self.clone() }
    }

    /// With one less of instructions, calls or writes, if there is any.
    pub(crate) fn one_less(&self, resource: usize) -> Option<Setting> {
        let mut less = self.clone();
        let left = match resource {
            0 => &mut less.budget.instructions_left,
            1 => &mut less.budget.calls_left,
            2 => &mut less.budget.writes_left,
            _ => return None,
        };
        *left = left.checked_sub(1)?;
        Some(less)
    }

    /// With so many instructions.
    pub(crate) fn with_instructions(&self, instructions_left: u64) -> Setting {
        Setting { budget: Budget { instructions_left, ..self.budget }, ..self.clone() }
    }
}

pub(crate) struct Case {
    pub(crate) tree: Tree,
    pub(crate) loaded: Arc<Loaded>,
    /// See [`translation`].
    pub(crate) translation: Option<Translation>,
    pub(crate) whole: Option<Translation>,
    pub(crate) setting: Setting,
    bill: Bill,
}

/// The translation of a program; `None` on machines without a translator, and of programs that are too long.
fn translation(loaded: &Arc<Loaded>, scope: Scope) -> Option<Translation> {
    match Translator::new().and_then(|mut translator| translator.translate_scope(loaded, scope)) {
        Ok(translation) => Some(translation),
        Err(Untranslated::Machine(_) | Untranslated::TooLong(_)) => None,
        Err(why) => panic!("a program is not translated: {why}"),
    }
}

pub(crate) struct Ended {
    stop: Stop,
    value: Option<Value>,
    pub(crate) log: Vec<String>,
    pub(crate) used: [u64; 4],
    /// Calls of each operation.
    pub(crate) counts: Vec<u64>,
    failed: u64,
    /// What texts and lists held at the end. The tree counts none.
    memory: Option<u64>,
    entries: Vec<u64>,
}

fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&[module()]));
    &REGISTRY
}

impl Case {
    pub(crate) fn parse(source: &str) -> Result<Case, String> {
        static MODULES: LazyLock<Vec<Arc<Module>>> = LazyLock::new(|| vec![Arc::new(module().clone())]);
        let setting = source.lines().find_map(|line| line.strip_prefix("#! ")).unwrap_or_default();
        let text = format!("use desk\n{source}");
        let tree = carnet_program::source::parse(&text, &MODULES)
            .map_err(|faults| carnet_idl::diagnostic::render("case", &text, &faults))?;
        Case::of(tree, setting)
    }

    pub(crate) fn of(tree: Tree, setting: &str) -> Result<Case, String> {
        let sent = tree.encode();
        let received = Tree::decode(&sent).map_err(|error| error.to_string())?;
        assert!(received == tree && received.encode() == sent, "a tree that was sent is another");
        let adopted = Tables::adopt(&tree, &[module()]).map_err(|error| error.to_string())?;
        assert_eq!(adopted.ops, tree.ops);
        let program = compile(&tree).map_err(|error| error.to_string())?;
        let bytes = program.encode();
        let loaded = Arc::new(load(&bytes, registry()).map_err(|error| error.to_string())?);
        let (translation, whole) = (translation(&loaded, Scope::Loops), translation(&loaded, Scope::All));
        let setting = Setting::parse(setting, &loaded.caps);
        let bill = bill(&bytes, &loaded, &setting.limits);
        Ok(Case { tree, loaded, translation, whole, setting, bill })
    }

    pub(crate) fn run(&self, engine: Engine, setting: &Setting) -> Ended {
        let world = Arc::new(World::default());
        self.run_on(engine, setting, &world, &|| world.root())
    }

    /// The same with what the case's portals are on.
    pub(crate) fn run_on(
        &self,
        engine: Engine,
        setting: &Setting,
        world: &Arc<World>,
        root: &dyn Fn() -> Arc<dyn Object>,
    ) -> Ended {
        let interrupt = AtomicU32::new(0);
        let caller = Caller::local();
        let env =
            Env { caller: &caller, interrupt: &interrupt, mode: setting.mode, blocking: Blocking::Allowed };
        if setting.sealed {
            world.grant.revoke();
        }
        let args = self.args(setting, world, root);
        let ended = match engine {
            Engine::Tree => self.tree(&args, &env, setting, world),
            _ => self.machine(&args, &env, setting, world, engine),
        };
        // Texts that are put together again are charged again.
        if !matches!(engine, Engine::Set) {
            self.check_bill(&ended);
        }
        ended
    }

    /// What was used is within the bill, also of each operation.
    fn check_bill(&self, ended: &Ended) {
        for (used, bound) in ended.used.iter().zip(bounds(&self.bill)) {
            assert!(*used <= bound.at_most, "{used} used, and the bill says {bound:?}");
        }
        for (op, count) in self.loaded.ops.iter().zip(&ended.counts).filter(|(_, count)| **count > 0) {
            let line =
                self.bill.lines.iter().find(|line| line.name == op.name()).expect("a line of the bill");
            assert!(*count <= line.at_most, "{count} calls, and the bill says {line:?}");
        }
    }

    fn tree(&self, args: &[Arg], env: &Env<'_>, setting: &Setting, world: &Arc<World>) -> Ended {
        // Marks are of the tree at its address, so they are taken where it lies now.
        let (_, marks) = compile_marked(&self.tree).expect("it compiled before");
        let compiled = Compiled { tree: &self.tree, marks: &marks, loaded: &self.loaded };
        let outcome = eval::run(compiled, args, STARTED, env, setting.budget);
        Ended {
            stop: outcome.stop.clone(),
            value: outcome.value,
            log: world.log.lock().expect("no panic while logging").clone(),
            used: used(&setting.budget, &outcome.budget),
            counts: outcome.counts,
            failed: outcome.failed.iter().sum(),
            memory: None,
            entries: outcome.entries,
        }
    }

    fn args(&self, setting: &Setting, world: &Arc<World>, root: &dyn Fn() -> Arc<dyn Object>) -> Vec<Arg> {
        let arg = |param: &carnet_program::tree::Param| {
            let var = &self.tree.vars[param.var.index()];
            let given =
                setting.args.iter().find(|(name, _)| *name == var.name).map(|(_, value)| value.as_str());
            let given = given.unwrap_or_default();
            match &var.ty {
                Ty::Portal(_) => Arg::Portal(Capability::under(root(), &world.grant)),
                Ty::Bool => Arg::Value(Value::Bool(given == "true")),
                Ty::Int => Arg::Value(Value::Int(given.parse().unwrap_or(0))),
                Ty::Float(precision) => {
                    Arg::Value(Value::Float(precision.written(given).unwrap_or(precision.of(0.0))))
                }
                Ty::Enum(_) => Arg::Value(Value::Enum(given.parse().unwrap_or(0))),
                _ => Arg::Value(Value::Text(Arc::new(given.as_bytes().to_vec()))),
            }
        };
        self.tree.params.iter().map(arg).collect()
    }

    fn machine(
        &self,
        args: &[Arg],
        env: &Env<'_>,
        setting: &Setting,
        world: &Arc<World>,
        engine: Engine,
    ) -> Ended {
        let mut machine = Machine::new();
        machine.reset(&self.loaded, setting.budget);
        for (place, arg) in self.loaded.params.iter().zip(args) {
            match (place, arg) {
                (ParamPlace::Register(register), Arg::Portal(portal)) => {
                    machine.set_portal(*register, portal.clone());
                }
                (ParamPlace::Slot(slot), Arg::Value(Value::Int(n))) => machine.set_scalar(*slot, *n),
                (ParamPlace::Slot(slot), Arg::Value(Value::Float(float))) => {
                    machine.set_scalar(*slot, float.word.cast_signed());
                }
                (ParamPlace::Slot(slot), Arg::Value(Value::Bool(b))) => {
                    machine.set_scalar(*slot, i64::from(*b))
                }
                (ParamPlace::Slot(slot), Arg::Value(Value::Enum(n))) => {
                    machine.set_scalar(*slot, i64::from(*n))
                }
                (ParamPlace::Slot(slot), Arg::Value(Value::Text(text))) => {
                    machine.set_text(&self.loaded, *slot, text).expect("it fits");
                }
                _ => panic!("an argument of another kind than its place"),
            }
        }
        if self.loaded.started != carnet_program::bytecode::NONE {
            machine.set_scalar(self.loaded.started, STARTED);
        }
        let (mut more, mut set_at) = (1, BTreeSet::new());
        let mut done = 0;
        let stop = loop {
            let before = (machine.pc(), machine.budget);
            let (slice, translated) = engine.slice(done);
            done += 1;
            let slice = Slice { instructions: slice.instructions.saturating_mul(more), ..slice };
            let translation = match engine {
                Engine::Whole | Engine::Turns => &self.whole,
                _ => &self.translation,
            };
            let stop = match translation {
                Some(translation) if translated => machine.advance_translated(translation, env, slice),
                _ => machine.advance(&self.loaded, env, slice),
            };
            match stop {
                // A slice that is smaller than a block gets nowhere.
                Stop::Pause if before == (machine.pc(), machine.budget) => more *= 2,
                Stop::Pause => more = 1,
                stop => break stop,
            }
            if matches!(engine, Engine::Kept) {
                machine = taken_over(&machine, &self.loaded);
            }
            // What is done again must not be interrupted for ever.
            if matches!(engine, Engine::Set) && set_at.insert((machine.pc(), machine.budget.calls_left)) {
                set_as_they_are(&mut machine, &self.loaded);
            }
        };
        let (mut stop, mut value) = (stop, None);
        if let Stop::Done(slot) = stop {
            match machine.result(&self.loaded, slot, &mut Vec::new()) {
                Some(()) => value = Value::result(&self.tree, &self.loaded, &machine, slot),
                None => stop = Stop::Limit(LimitKind::Returned),
            }
        }
        Ended {
            stop,
            value,
            log: world.log.lock().expect("no panic while logging").clone(),
            used: used(&setting.budget, &machine.budget),
            counts: machine.counts().to_vec(),
            failed: (0..self.loaded.ops.len()).map(|op| machine.failed_calls(op)).sum(),
            memory: Some(machine.memory()),
            entries: self.loaded.loops.iter().map(|l| machine.slots()[l.table.counter as usize]).collect(),
        }
    }
}

/// Another machine, which knows no more than what was kept of the one before.
fn taken_over(machine: &Machine, program: &Loaded) -> Machine {
    let held = machine.held();
    let memento = machine.memento(program, &held);
    let mut other = Machine::new();
    other.budget = machine.budget;
    other.restore(program, &held, &memento).expect("it is of this program");
    assert_eq!(other.memento(program, &held), memento);
    for cut in [0, memento.len() / 2, memento.len() - 1] {
        Machine::new().restore(program, &held, &memento[..cut]).expect_err("it is cut off");
    }
    other
}

/// Sets each slot that can be set to what it holds.
fn set_as_they_are(machine: &mut Machine, program: &Loaded) {
    for (slot, ty) in program.slots.iter().enumerate() {
        let value = match ty {
            SlotType::Int | SlotType::Bool | SlotType::Float(_) | SlotType::Enum(_) => {
                VariableValue::Scalar(machine.slots()[slot] as i64)
            }
            SlotType::Str(_) | SlotType::Bytes(_) => {
                let r = Ref(machine.slots()[slot]);
                let bytes = &machine.areas().list[r.area()].bytes;
                VariableValue::Text(bytes[r.offset()..r.offset() + r.len()].to_vec())
            }
            SlotType::List(layout, _) => {
                let area = &machine.areas().list[Ref(machine.slots()[slot]).area()];
                let (first, stride) = program.layouts[usize::from(*layout)];
                let types = &program.layout_words[usize::from(first)..usize::from(first + stride)];
                let word = |(word, ty): (&u64, &SlotType)| match ty {
                    SlotType::StrRef(_) | SlotType::BytesRef(_) => {
                        VariableValue::Text(area.string(*word).to_vec())
                    }
                    _ => VariableValue::Scalar(word.cast_signed()),
                };
                // Texts that were replaced and are still held would be let go of.
                if area.bytes.len() > area.text_bytes(|k| types[k % types.len()].text_max().is_some()) {
                    continue;
                }
                VariableValue::List(area.words.iter().zip(types.iter().cycle()).map(word).collect())
            }
            _ => continue,
        };
        let set = [SetVariable { slot: slot as u16, value }];
        let fitting = machine.fit_variables(program, &set);
        if let Ok(fitting) = fitting {
            machine.set_variables(fitting);
        }
    }
}

/// Instructions, calls, writes and bytes written.
fn used(full: &Budget, left: &Budget) -> [u64; 4] {
    [
        full.instructions_left - left.instructions_left,
        full.calls_left - left.calls_left,
        full.writes_left - left.writes_left,
        full.written_left - left.written_left,
    ]
}

/// What the bill says of them.
fn bounds(bill: &Bill) -> [Bound; 4] {
    [bill.instructions, bill.calls, bill.writes, bill.written]
}

/// `12 instructions, 4 calls (3 writes, 200 bytes)`
fn amounts(amounts: [u64; 4]) -> String {
    let [instructions, calls, writes, written] = amounts.map(|n| match n {
        u64::MAX => "unbounded".to_owned(),
        n => n.to_string(),
    });
    let writes = if writes == "0" { String::new() } else { format!(" ({writes} writes, {written} bytes)") };
    format!("{instructions} instructions, {calls} calls{writes}")
}

impl Ended {
    /// Whether the program ended it, and nothing from outside.
    pub(crate) fn by_itself(&self) -> bool {
        match self.stop {
            Stop::Done(_) | Stop::Failed(_) | Stop::CallFailed(_) | Stop::Fault(_) => true,
            Stop::Limit(kind) => matches!(kind, LimitKind::Loop(_)),
            _ => false,
        }
    }

    /// The memory limit stopped it: the tree, which knows none, does more.
    pub(crate) fn by_memory(&self) -> bool {
        self.stop == Stop::Limit(LimitKind::Memory)
    }

    /// Whether the service has seen the same, and after it maybe more.
    pub(crate) fn goes_on_as(&self, other: &Ended) -> bool {
        self.log.starts_with(&other.log)
    }

    /// As another engine, which counts what it holds, reports the same run.
    pub(crate) fn holding_as(self, other: &Ended) -> Ended {
        Ended { memory: self.memory.or(other.memory), ..self }
    }

    /// With what the service has seen of another run.
    pub(crate) fn having_seen(self, other: &Ended) -> Ended {
        Ended { log: other.log.clone(), ..self }
    }

    pub(crate) fn report(&self, case: &Case) -> String {
        let mut text = String::from("-- ");
        let _ = match &self.stop {
            Stop::Done(_) => write!(text, "done"),
            Stop::Failed(message) => write!(text, "failed: {}", message.escape_ascii()),
            Stop::CallFailed(failure) => write!(text, "call failed: {:?}: {failure}", failure.kind()),
            Stop::Limit(kind) => write!(text, "limit: {kind:?}"),
            Stop::Fault(kind) => write!(text, "fault: {kind}"),
            other => write!(text, "{other:?}"),
        };
        if let Some(value) = &self.value {
            let _ = write!(text, " {}", shown(value));
        }
        text.push('\n');
        for line in &self.log {
            let _ = writeln!(text, "   {line}");
        }
        let _ = write!(text, "   used {}", amounts(self.used));
        if self.failed > 0 {
            let _ = write!(text, ", {} failed", self.failed);
        }
        if let Some(memory) = self.memory.filter(|memory| *memory > 0) {
            let _ = write!(text, ", {memory} bytes held");
        }
        let entries = self.entries.iter().zip(&case.loaded.loops);
        let entries: Vec<String> = entries.map(|(n, of)| format!("{n} of {}", of.bound)).collect();
        if !entries.is_empty() {
            let _ = write!(text, "; loops {}", entries.join(", "));
        }
        let defaults = if case.bill.defaults.is_empty() { "" } else { "; by default" };
        let _ =
            writeln!(text, "\n   bill {}{defaults}", amounts(bounds(&case.bill).map(|bound| bound.at_most)));
        text
    }
}

fn shown(value: &Value) -> String {
    let all = |values: &[Value]| values.iter().map(shown).collect::<Vec<_>>().join(", ");
    match value {
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Float(float) => float.to_string(),
        Value::Enum(n) => format!("enum {n}"),
        Value::Text(text) if text.len() > 60 => format!("{} bytes", text.len()),
        Value::Text(text) => format!("\"{}\"", text.escape_ascii()),
        Value::Record(fields) => format!("({})", all(fields)),
        Value::List(elements) => format!("[{}]", all(elements)),
    }
}
