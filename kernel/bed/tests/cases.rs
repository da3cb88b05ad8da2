//! The shared cases, as walked trees, as bytecode, and as machine code, with a session of the Linux service; and as processes of their own.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use carnet_codegen::Translator;
use carnet_kernel::here::Here;
use carnet_kernel_bed::cases::{CASES, Case, Ended};
use carnet_linux::{Linux, Rights, Rules, Starter};
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_program::bytecode::ParamPlace;
use carnet_program::compile::compile_marked;
use carnet_program::eval::{self, Arg, Compiled, Value};
use carnet_program::interp::{Blocking, Env, Machine, Mode, Scope, Slice, Stop};
use carnet_program::limits::Budget;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Engine {
    Bytecode,
    Tree,
    Native,
}

/// A session with an empty directory of its own.
fn run(case: &Case, engine: Engine) -> Ended {
    let dir = tempfile::tempdir().expect("a directory");
    let starter = Starter {
        program: env!("CARGO_BIN_EXE_carnet-kernel-bed").into(),
        arguments: vec!["session".into()],
    };
    let service = Linux::serve(Rules::new(dir.path(), Rights::Write), starter).expect("it is served");
    let caller = Caller::of("tester", 1);
    let portal = Capability::new(service.session(&caller));
    let args = case.args(&portal);
    let interrupt = AtomicU32::new(0);
    let env = Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
    match engine {
        Engine::Tree => tree(case, &args, &env),
        _ => machine(case, &args, &env, engine),
    }
}

fn used(full: &Budget, left: &Budget) -> [u64; 4] {
    [
        full.instructions_left - left.instructions_left,
        full.calls_left - left.calls_left,
        full.writes_left - left.writes_left,
        full.written_left - left.written_left,
    ]
}

fn tree(case: &Case, args: &[Arg], env: &Env<'_>) -> Ended {
    let (_, marks) = compile_marked(&case.tree).expect("it compiled before");
    let compiled = Compiled { tree: &case.tree, marks: &marks, loaded: &case.loaded };
    let outcome = eval::run(compiled, args, 0, env, case.budget);
    let how = match &outcome.stop {
        Stop::Done(_) => case.value(outcome.value.as_ref()),
        stop => case.stopped(stop, &[]),
    };
    let failed = outcome.failed.iter().sum();
    Ended { how, used: used(&case.budget, &outcome.budget), failed, memory: None }
}

fn machine(case: &Case, args: &[Arg], env: &Env<'_>, engine: Engine) -> Ended {
    let mut machine = Machine::new();
    machine.reset(&case.loaded, case.budget);
    for (place, arg) in case.loaded.params.iter().zip(args) {
        match (place, arg) {
            (ParamPlace::Register(register), Arg::Portal(portal)) => {
                machine.set_portal(*register, portal.clone());
            }
            (ParamPlace::Slot(slot), Arg::Value(Value::Int(n))) => machine.set_scalar(*slot, *n),
            (ParamPlace::Slot(slot), Arg::Value(Value::Text(text))) => {
                machine.set_text(&case.loaded, *slot, text).expect("it fits");
            }
            _ => panic!("an argument of another kind than its place"),
        }
    }
    let stop = match engine {
        Engine::Native => {
            let loaded = Arc::new(case.loaded.clone());
            let translated = Translator::new().and_then(|mut t| t.translate_scope(&loaded, Scope::All));
            match translated {
                Ok(translation) => machine.advance_translated(&translation, env, Slice::UNLIMITED),
                // A machine without a translator.
                Err(_) => machine.advance(&case.loaded, env, Slice::UNLIMITED),
            }
        }
        _ => machine.advance(&case.loaded, env, Slice::UNLIMITED),
    };
    let mut result = Vec::new();
    if let Stop::Done(slot) = stop {
        machine.result(&case.loaded, slot, &mut result).expect("it is short");
    }
    Ended {
        how: case.stopped(&stop, &result),
        used: used(&case.budget, &machine.budget),
        failed: (0..case.loaded.ops.len()).map(|op| machine.failed_calls(op)).sum(),
        memory: Some(machine.memory()),
    }
}

#[test]
fn all_engines_of_this_process_do_the_same() {
    let mut actual = String::new();
    for case in Case::all().expect("the cases are good") {
        let ended = run(&case, Engine::Bytecode);
        let native = run(&case, Engine::Native);
        assert_eq!(ended, native, "{}: bytecode and machine code", case.name);
        let tree = Ended { memory: ended.memory, ..run(&case, Engine::Tree) };
        // A tree counts no memory, and does more.
        if !ended.how.contains("memory") {
            assert_eq!(ended, tree, "{}: bytecode and tree", case.name);
        }
        actual += &format!("== {}\n{}\n{}\n", case.name, case.source, ended.report());
    }
    if std::env::var_os("BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/linux.cases");
        std::fs::write(path, &actual).expect("the cases are written");
        return;
    }
    let differs = actual.lines().zip(CASES.lines()).find(|(a, b)| a != b);
    assert!(actual == CASES, "BLESS=1 writes what the engines do: {differs:?}");
}

/// Each as a process of its own that has nothing else: the kernel's module is not asked for, or it does the same.
#[test]
fn a_process_that_is_alone_does_the_same() {
    let dir = tempfile::tempdir().expect("a directory");
    let program = Path::new(env!("CARGO_BIN_EXE_carnet-kernel-bed"));
    let count = Case::all_here(program, dir.path()).expect("all cases do what they should");
    assert!(count > 20, "{count} cases");
}

/// What another thread opens would be the programs'.
#[test]
fn a_process_that_is_not_alone_runs_nothing() {
    let refused = Here::alone(Path::new("/nowhere")).map(drop).map_err(|error| error.kind());
    assert_eq!(refused, Err(ErrorKind::ResourceBusy));
}
