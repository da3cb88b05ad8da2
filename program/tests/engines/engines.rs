//! Runs one case on one engine, and says what happened in text.

use std::fmt::Write as _;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, LazyLock};

use carnet_codegen::{Translator, Untranslated};
use carnet_idl::descriptor::Module;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_program::bytecode::ParamPlace;
use carnet_program::compile::{compile, compile_marked};
use carnet_program::eval::{self, Arg, Compiled, Value};
use carnet_program::interp::{Blocking, Env, Machine, Mode, Slice, Stop, Translation};
use carnet_program::limits::{Budget, LimitKind};
use carnet_program::tree::{Tree, Ty};
use carnet_program::verify::{Loaded, Registry, load};

use crate::desk::{World, module};

const STARTED: i64 = 1_000;

/// More than any case uses.
const PLENTY: u64 = 1 << 40;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Engine {
    Bytecode,
    Tree,
    /// Bytecode, one block and one call at a time.
    Slices,
    Translated,
    /// Translated code and bytecode in turns, one block and one call at a time.
    Turns,
    /// So many instructions translated, and the rest as bytecode.
    FromTranslated(u64),
    /// So many instructions as bytecode, and the rest translated.
    ToTranslated(u64),
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
            Engine::Translated => (Slice::UNLIMITED, true),
            Engine::Turns => (smallest, done.is_multiple_of(2)),
            Engine::FromTranslated(instructions) => (first(instructions), done == 0),
            Engine::ToTranslated(instructions) => (first(instructions), done > 0),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) budget: Budget,
    mode: Mode,
    sealed: bool,
    args: Vec<(String, String)>,
}

impl Setting {
    fn parse(line: &str) -> Setting {
        let budget = Budget {
            instructions_left: PLENTY,
            calls_left: PLENTY,
            writes_left: PLENTY,
            written_left: PLENTY,
            memory_max: PLENTY,
            returned_max: PLENTY,
        };
        let mut setting = Setting { budget, mode: Mode::Real, sealed: false, args: Vec::new() };
        for word in line.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let number = || value.parse().expect("a number");
            match name {
                "dry" => setting.mode = Mode::Dry,
                "sealed" => setting.sealed = true,
                "instructions" => setting.budget.instructions_left = number(),
                "calls" => setting.budget.calls_left = number(),
                "writes" => setting.budget.writes_left = number(),
                "written" => setting.budget.written_left = number(),
                "memory" => setting.budget.memory_max = number(),
                _ => setting.args.push((name.to_owned(), value.to_owned())),
            }
        }
        setting
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
    tree: Tree,
    pub(crate) loaded: Arc<Loaded>,
    /// See [`translation`].
    pub(crate) translation: Option<Translation>,
    pub(crate) setting: Setting,
}

/// The translation of a program; `None` on machines without a translator, and of programs that are too long.
fn translation(loaded: &Arc<Loaded>) -> Option<Translation> {
    match Translator::new().and_then(|mut translator| translator.translate(loaded)) {
        Ok(translation) => Some(translation),
        Err(Untranslated::Machine(_) | Untranslated::TooLong(_)) => None,
        Err(why) => panic!("a program is not translated: {why}"),
    }
}

pub(crate) struct Ended {
    stop: Stop,
    value: Option<Value>,
    log: Vec<String>,
    pub(crate) used: [u64; 4],
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
        let program = compile(&tree).map_err(|error| error.to_string())?;
        let loaded = Arc::new(load(&program.encode(), registry()).map_err(|error| error.to_string())?);
        let translation = translation(&loaded);
        Ok(Case { tree, loaded, translation, setting: Setting::parse(setting) })
    }

    pub(crate) fn run(&self, engine: Engine, setting: &Setting) -> Ended {
        let world = Arc::new(World::default());
        let interrupt = AtomicU32::new(0);
        let caller = Caller::local();
        let env =
            Env { caller: &caller, interrupt: &interrupt, mode: setting.mode, blocking: Blocking::Allowed };
        if setting.sealed {
            world.grant.revoke();
        }
        let args = self.args(setting, &world);
        let (stop, value, log, budget, entries) = match engine {
            Engine::Tree => {
                // Marks are of the tree at its address, so they are taken where it lies now.
                let (_, marks) = compile_marked(&self.tree).expect("it compiled before");
                let compiled = Compiled { tree: &self.tree, marks: &marks, loaded: &self.loaded };
                let outcome = eval::run(compiled, &args, STARTED, &env, setting.budget);
                let log = world.log.lock().expect("no panic while logging").clone();
                (outcome.stop.clone(), outcome.value, log, outcome.budget, outcome.entries)
            }
            _ => self.machine(&args, &env, setting, &world, engine),
        };
        let full = setting.budget;
        let used = [
            full.instructions_left - budget.instructions_left,
            full.calls_left - budget.calls_left,
            full.writes_left - budget.writes_left,
            full.written_left - budget.written_left,
        ];
        let stop = if let Stop::Done(_) = stop { Stop::Done(0) } else { stop };
        Ended { stop, value, log, used, entries }
    }

    fn args(&self, setting: &Setting, world: &Arc<World>) -> Vec<Arg> {
        let arg = |param: &carnet_program::tree::Param| {
            let var = &self.tree.vars[param.var.index()];
            let given =
                setting.args.iter().find(|(name, _)| *name == var.name).map(|(_, value)| value.as_str());
            let given = given.unwrap_or_default();
            match &var.ty {
                Ty::Portal(_) => Arg::Portal(Capability::under(world.root(), &world.grant)),
                Ty::Bool => Arg::Value(Value::Bool(given == "true")),
                Ty::Int => Arg::Value(Value::Int(given.parse().unwrap_or(0))),
                Ty::Enum(_) => Arg::Value(Value::Enum(given.parse().unwrap_or(0))),
                _ => Arg::Value(Value::Text(given.as_bytes().to_vec())),
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
    ) -> (Stop, Option<Value>, Vec<String>, Budget, Vec<u64>) {
        let mut machine = Machine::new();
        machine.reset(&self.loaded, setting.budget);
        for (place, arg) in self.loaded.params.iter().zip(args) {
            match (place, arg) {
                (ParamPlace::Register(register), Arg::Portal(portal)) => {
                    machine.set_portal(*register, portal.clone());
                }
                (ParamPlace::Slot(slot), Arg::Value(Value::Int(n))) => machine.set_scalar(*slot, *n),
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
        let mut more = 1;
        let mut done = 0;
        let stop = loop {
            let before = (machine.pc(), machine.budget);
            let (slice, translated) = engine.slice(done);
            done += 1;
            let slice = Slice { instructions: slice.instructions.saturating_mul(more), ..slice };
            let stop = match &self.translation {
                Some(translation) if translated => machine.advance_translated(translation, env, slice),
                _ => machine.advance(&self.loaded, env, slice),
            };
            match stop {
                // A slice that is smaller than a block gets nowhere.
                Stop::Pause if before == (machine.pc(), machine.budget) => more *= 2,
                Stop::Pause => more = 1,
                stop => break stop,
            }
        };
        let value = match stop {
            Stop::Done(slot) => Value::result(&self.tree, &self.loaded, &machine, slot),
            _ => None,
        };
        let entries = self.loaded.loops.iter().map(|l| machine.slots()[l.table.counter as usize]).collect();
        let log = world.log.lock().expect("no panic while logging").clone();
        (stop, value, log, machine.budget, entries)
    }
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
        let [instructions, calls, writes, written] = self.used;
        let _ = write!(text, "   used {instructions} instructions, {calls} calls");
        if writes > 0 {
            let _ = write!(text, ", {writes} writes, {written} bytes");
        }
        let bounds = case.loaded.loops.iter().map(|l| l.bound);
        let entries: Vec<String> =
            self.entries.iter().zip(bounds).map(|(entries, bound)| format!("{entries} of {bound}")).collect();
        if !entries.is_empty() {
            let _ = write!(text, "; loops {}", entries.join(", "));
        }
        text.push('\n');
        text
    }
}

fn shown(value: &Value) -> String {
    let all = |values: &[Value]| values.iter().map(shown).collect::<Vec<_>>().join(", ");
    match value {
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Enum(n) => format!("enum {n}"),
        Value::Text(text) if text.len() > 60 => format!("{} bytes", text.len()),
        Value::Text(text) => format!("\"{}\"", text.escape_ascii()),
        Value::Record(fields) => format!("({})", all(fields)),
        Value::List(elements) => format!("[{}]", all(elements)),
    }
}
