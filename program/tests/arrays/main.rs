//! Call arrays: their text, what they do, a model that they are held against, and bytes that are none.
//!
//! | file | what it tests |
//! | --- | --- |
//! | `cases/*.cases` | sources, and the commands, bill and run that come of them, or the messages (`BLESS=1` writes them anew) |
//! | `model` | random arrays do what a naive interpreter does |
//! | `hostile` | edited and random bytes: refused with a reason, or harmless |
//! | `desk.idl`, in `../engines` | the service that they call |
//!
//! A case looks like this; the last source line `$ name=value …` has it run.
//!
//! ```text
//! === what it is about
//! source
//! ---
//! messages; or commands, bill and run
//! ```

#[path = "../engines/desk.rs"]
mod desk;
mod hostile;
mod model;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use carnet_idl::descriptor::Module;
use carnet_idl::diagnostic::render;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_program::array::show::show;
use carnet_program::bill::bill;
use carnet_program::bytecode::{NONE, ParamPlace};
use carnet_program::interp::{Blocking, CANCEL, Env, Machine, Mode, Slice, Stop};
use carnet_program::limits::{Budget, Limits};
use carnet_program::source::args::{Arg, args};
use carnet_program::source::{ArrayProgram, Read, parse, read};
use carnet_program::tree::Const;
use carnet_program::verify::{Loaded, Registry, load};

use desk::World;

static MODULES: LazyLock<Vec<Arc<Module>>> = LazyLock::new(|| vec![Arc::new(desk::module().clone())]);

fn registry() -> Registry {
    Registry::new(&[desk::module()])
}

/// An array of a source that is right.
fn array(source: &str) -> ArrayProgram {
    match read(source, &MODULES) {
        Ok(Read::Array(array)) => *array,
        Ok(Read::Program(_)) => panic!("it is a program"),
        Err(faults) => panic!("{}", render("case.carnet", source, &faults)),
    }
}

fn loaded(bytes: &[u8]) -> Loaded {
    load(bytes, &registry()).unwrap_or_else(|fault| panic!("{fault:#?}"))
}

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    log: Vec<String>,
    stop: String,
    result: Option<Vec<u8>>,
    counts: Vec<u64>,
}

/// Runs an array on a desk of its own.
fn run(program: &Loaded, arguments: &[Arg], budget: Budget, mode: Mode, slice: Slice) -> Ran {
    let world = Arc::new(World::default());
    let mut machine = Machine::new();
    machine.reset(program, budget);
    let root = Capability::under(world.root(), &world.grant);
    for (argument, place) in arguments.iter().zip(&program.params) {
        match (argument, place) {
            (Arg::Portal(_), ParamPlace::Register(register)) => machine.set_portal(*register, root.clone()),
            (Arg::Const(Const::Int(n)), ParamPlace::Slot(slot)) => machine.set_scalar(*slot, *n),
            (Arg::Const(Const::Bool(n)), ParamPlace::Slot(slot)) => machine.set_scalar(*slot, (*n).into()),
            (Arg::Const(Const::Enum(n)), ParamPlace::Slot(slot)) => machine.set_scalar(*slot, (*n).into()),
            (Arg::Const(Const::Text(text)), ParamPlace::Slot(slot)) => {
                machine.set_text(program, *slot, text).expect("it fits");
            }
            other => panic!("{other:?}"),
        }
    }
    drop(root);
    let (interrupt, caller) = (AtomicU32::new(0), Caller::local());
    let env = Env { caller: &caller, interrupt: &interrupt, mode, blocking: Blocking::Allowed };
    let stop = loop {
        match machine.advance(program, &env, slice) {
            Stop::Pause => {}
            stop => break stop,
        }
    };
    let mut bytes = Vec::new();
    let at = if let Stop::Done(at) = stop { at } else { program.so_far };
    let result = (at != NONE).then(|| machine.result(program, at, &mut bytes)).flatten().map(|()| bytes);
    let stop = match stop {
        Stop::CallFailed(failure) => format!("failed: {}", failure.details().message),
        stop => format!("{stop:?}"),
    };
    let counts = machine.counts().to_vec();
    machine.release();
    let log = std::mem::take(&mut *world.log.lock().expect("nobody panics with it"));
    Ran { log, stop, result, counts }
}

/// Wherever an array is when it is cancelled, it makes one more call at most, and as many moves as stand before that.
#[test]
fn an_array_that_is_cancelled_stops_soon() {
    let source = "use desk
array a(desk: Desk) -> int {
  message m[2]: Desk.echo(n: 1 step 1)
  repeat 20_000 {
    call desk with m[0]
    call desk with m[1]
  }
  return m[0].value
}";
    let program = loaded(&array(source).array.encode());
    let world = Arc::new(World::default());
    let (interrupt, caller) = (AtomicU32::new(0), Caller::local());
    let env = Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
    for after in [1, 2, 3, 100, 101, 15_000, 30_001] {
        let mut machine = Machine::new();
        let budget = Budget { calls_left: 50_000, ..plenty() };
        machine.reset(&program, budget);
        machine.set_portal(0, Capability::under(world.root(), &world.grant));
        interrupt.store(0, Ordering::Relaxed);
        let stop = machine.advance(&program, &env, Slice { calls: after, ..Slice::UNLIMITED });
        assert_eq!((stop, machine.counts()[0]), (Stop::Pause, after));
        interrupt.store(CANCEL, Ordering::Relaxed);
        let left = machine.budget.instructions_left;
        assert_eq!(machine.advance(&program, &env, Slice::UNLIMITED), Stop::Cancelled, "{after}");
        let charged = left - machine.budget.instructions_left;
        assert!(machine.counts()[0] <= after + 1 && charged <= 4, "{after}: {charged} instructions");
        world.log.lock().expect("nobody panics with it").clear();
    }
}

fn plenty() -> Budget {
    Budget {
        calls_left: 10_000,
        writes_left: 10_000,
        written_left: 1 << 30,
        instructions_left: 1 << 30,
        memory_max: 1 << 24,
        returned_max: 1 << 20,
    }
}

/// Messages of a source, or what comes of it.
fn outcome(source: &str) -> String {
    let (source, given) = match source.trim_end().rsplit_once("\n$") {
        Some((source, given)) => (format!("{source}\n"), Some(given)),
        None => (source.to_owned(), None),
    };
    let ArrayProgram { tree, array, .. } = match read(&source, &MODULES) {
        Err(faults) => return render("case.carnet", &source, &faults),
        Ok(Read::Program(_)) => return "a program\n".to_owned(),
        Ok(Read::Array(array)) => *array,
    };
    let bytes = array.encode();
    let mut out = show(&bytes).expect("it was encoded");
    let program = match load(&bytes, &registry()) {
        Ok(program) => program,
        Err(fault) => return format!("{out}{fault:#?}\n"),
    };
    let billed = bill(&bytes, &program, &Limits::UNLIMITED).to_string();
    let rows = billed.lines().skip(2).take_while(|line| !line.starts_with("  time"));
    rows.for_each(|row| writeln!(out, "{row}").expect("a String takes all"));
    if let Some(given) = given {
        let given: Vec<&str> = given.split_whitespace().collect();
        let arguments = args(&tree, &given).expect("they fit");
        let Ran { log, stop, result, .. } = run(&program, &arguments, plenty(), Mode::Real, Slice::UNLIMITED);
        log.iter().for_each(|line| writeln!(out, "> {line}").expect("a String takes all"));
        let result = result.map_or("nothing".to_owned(), |bytes| bytes.escape_ascii().to_string());
        writeln!(out, "{stop}\n{result}").expect("a String takes all");
    }
    out
}

#[test]
fn cases() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arrays/cases/arrays.cases");
    let text = std::fs::read_to_string(&path).expect("the cases are there");
    let (mut now, mut count) = (String::new(), 0);
    for case in text.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').expect("a case has a title");
        let source = rest.split_once("---\n").map_or(rest, |(source, _)| source);
        let _ = write!(now, "=== {title}\n{source}---\n{}", outcome(source));
        count += 1;
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, now).expect("the cases are writable");
    } else {
        for (now, text) in now.split("=== ").zip(text.split("=== ")) {
            assert_eq!(now, text, "BLESS=1 accepts");
        }
        assert_eq!(now.len(), text.len());
    }
    assert!(count >= 20, "only {count} cases");
}

/// An array that is run in the smallest slices does what it does at once.
#[test]
fn slices_change_nothing() {
    let source = "use desk array a(desk: Desk, n: int) -> list(int, 4) {
        message m[4]: Desk.echo(n: n step 2)
        message s: Desk.split()
        repeat 4 { call desk with m }
        move m[3].value to s.n
        call desk with s
        return m.value
    }";
    let ArrayProgram { tree, array, .. } = array(source);
    let program = loaded(&array.encode());
    let arguments = args(&tree, &["n=30"]).expect("they fit");
    let at_once = run(&program, &arguments, plenty(), Mode::Real, Slice::UNLIMITED);
    let slowly = run(&program, &arguments, plenty(), Mode::Real, Slice { instructions: 1, calls: 1 });
    assert_eq!(at_once, slowly);
    assert_eq!(at_once.log, ["echo 30", "echo 32", "echo 34", "echo 36", "split 36"]);
    assert_eq!(at_once.counts, [4, 1]);
}

/// Every budget stops an array before what it has no more for.
#[test]
fn limits_fire() {
    let source = "use desk array a(desk: Desk) {
        message m[8]: Desk.set(n: 1 step 1)
        message f: Desk.find(name: \"name\")
        call desk with f
        repeat 8 { call desk with m }
    }";
    let program = loaded(&array(source).array.encode());
    let arguments = [Arg::Portal(Vec::new())];
    let at = |budget: Budget| {
        let ran = run(&program, &arguments, budget, Mode::Real, Slice::UNLIMITED);
        (ran.log.len(), ran.stop)
    };
    assert_eq!(at(plenty()), (9, "Done(65535)".to_owned()));
    assert_eq!(at(Budget { calls_left: 4, ..plenty() }), (4, "Limit(Calls)".to_owned()));
    assert_eq!(at(Budget { writes_left: 5, ..plenty() }), (6, "Limit(Writes)".to_owned()));
    // Of ten charges one is the find's, one the repeat's.
    assert_eq!(at(Budget { instructions_left: 9, ..plenty() }), (8, "Limit(Instructions)".to_owned()));
    assert_eq!(at(Budget { instructions_left: 0, ..plenty() }), (0, "Limit(Instructions)".to_owned()));
    assert_eq!(at(Budget { memory_max: 3, ..plenty() }), (1, "Limit(Memory)".to_owned()));
    assert_eq!(program.totals.instructions, 10);
}

#[test]
fn a_dry_run_writes_nothing() {
    let source = "use desk array a(desk: Desk) -> int {
        message e: Desk.echo(n: 7)
        message w: Desk.set(n: 1)
        call desk with e
        call desk with w
        return e.value
    }";
    let program = loaded(&array(source).array.encode());
    let ran = run(&program, &[Arg::Portal(Vec::new())], plenty(), Mode::Dry, Slice::UNLIMITED);
    assert_eq!((ran.log, ran.counts), (vec!["echo 7".to_owned()], vec![1, 1]));
    assert_eq!(ran.result, Some(7u64.to_le_bytes().to_vec()));
}

/// What has no tree is no tree.
#[test]
fn an_array_is_not_parsed_as_a_tree() {
    let faults = parse("use desk array a(desk: Desk) { }", &MODULES).expect_err("it is an array");
    assert_eq!(faults[0].code, "array");
}
