//! Bounds of a job that do not show from outside: what it keeps, how long it holds a session's thread, its deadline
//! when there is no clock, and the call that it names when it stops in a repeat.

use std::any::Any;
use std::sync::atomic::AtomicU64;
use std::sync::{LazyLock, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Call, Object};

use super::*;
use crate::bytecode::{Ins, Op, OpRef, ParamPlace, Program, ResultKind, SlotType, pack};
use crate::host::cache::Cache;
use crate::host::trees::Received;
use crate::interp::{self, CANCEL};
use crate::verify::Registry;

static MODULE: LazyLock<Module> = LazyLock::new(|| {
    let text =
        "module t { interface T { @reads long long get(in long long n); long long add(in long long n); }; };";
    carnet_idl::compile_str("t.idl", text).expect("the interface compiles")
});

/// What is to happen in a call, given its argument.
type Act = dyn Fn(i64) + Send + Sync;

struct Acting(Box<Act>);

impl Object for Acting {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&MODULE, InterfaceId(0))
    }

    fn dispatch(&self, _op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        (self.0)(call.words[0].cast_signed());
        call.words[1] = call.words[0];
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

fn compiled(source: &str) -> Vec<u8> {
    let text = format!("use t\n{source}");
    let tree = match crate::source::parse(&text, &[Arc::new(MODULE.clone())]) {
        Ok(tree) => tree,
        Err(faults) => panic!("{}", carnet_idl::diagnostic::render("test", &text, &faults)),
    };
    crate::compile::compile(&tree).expect("it fits").encode()
}

/// Makes the job ready to run the program on one object.
fn ready(job: &mut Job, program: &[u8], limits: Limits, act: impl Fn(i64) + Send + Sync + 'static) {
    let cache = Cache::new(&Policy::default(), 0);
    let loaded = cache.load(program, &Registry::new(&[&MODULE]), &Arc::from("me"));
    job.cached = loaded.expect("it is accepted");
    job.effective = Effective::new(&limits, &job.cached.program.caps);
    job.granted = Amounts::from(&job.effective.limits);
    job.machine.reset(&job.cached.program, job.effective.budget());
    job.machine.set_portal(0, Capability::new(Arc::new(Acting(Box::new(act)))));
    job.began = Instant::now();
    job.stop = Stop::Pause;
}

fn ended(job: &mut Job, program: &[u8], limits: Limits) -> Outcome {
    ready(job, program, limits, |_| {});
    job.go_on(&|_, _| {}, &|_| {}, &Turns::new(1));
    job.end(None, &[])
}

const GROWS: &str = "
program grows(t: T) -> int {
  var a: string(8_000_000) = \"aaaaaaaaaaaaaaaa\"
  for i in 0 .. 16 { a += a }
  return a.len
}";

#[test]
fn an_idle_job_keeps_little_of_what_large_runs_took() {
    let mut job = Job::default();
    let outcome = ended(&mut job, &compiled(GROWS), Limits::default());
    assert_eq!(outcome.end, End::Done);
    assert!(job.machine.kept_bytes() > 1 << 20, "the run was large");
    assert!(job.release(), "it can be used again");
    assert!(job.machine.kept_bytes() <= interp::KEPT_BYTES_MAX, "{} bytes", job.machine.kept_bytes());
}

#[test]
fn an_idle_job_keeps_the_memory_of_small_runs() {
    let mut job = Job::default();
    let small =
        compiled("program s(t: T) -> string { var s: string = \"some text\"\n s += \"!\"\n return s }");
    assert_eq!(ended(&mut job, &small, Limits::default()).end, End::Done);
    let kept = job.machine.kept_bytes();
    assert!(job.release());
    assert!(kept > 0 && job.machine.kept_bytes() == kept, "{kept} bytes");
}

#[test]
fn an_outcome_leaves_little_memory_behind() {
    let mut job = Job::default();
    let long = compiled(&GROWS.replace("-> int", "-> string(8_000_000)").replace("a.len", "a"));
    let limits = Limits { returned: 8 << 20, ..Limits::default() };
    let outcome = ended(&mut job, &long, limits);
    assert_eq!(outcome.result.as_ref().map(Vec::len), Some(4 + (1 << 20)));
    assert!(job.encode(outcome).len() > 1 << 20);
    assert!(job.release());
    let kept = job.encoded.capacity() + job.result.capacity();
    assert!(kept <= 2 * KEPT_BYTES_MAX, "{kept} bytes");
}

/// It would stay beside those that are cached, though nobody counts it.
#[test]
fn an_idle_job_keeps_no_program() {
    let mut job = Job::default();
    assert_eq!(ended(&mut job, &compiled(CALLS), Limits::default()).end, End::Done);
    let program = Arc::downgrade(&job.cached.program);
    assert!(program.upgrade().is_some());
    assert!(job.release());
    assert!(program.upgrade().is_none());
}

const CALLS: &str = "
program calls(t: T, n: int) -> int {
  var sum = 0
  for i in 0 .. n limit 1_000_000_000 { sum += t.get(i) }
  return sum
}";

/// Calls that were quick become slow: the first of them takes as long as a run may stay on the session's thread.
#[test]
fn few_slow_calls_are_made_on_the_sessions_thread() {
    const QUICK: i64 = 2_000;
    let time = Duration::from_millis(500);
    let (slow, since) = (Arc::new(AtomicU64::new(0)), Mutex::new(None));
    let counted = Arc::clone(&slow);
    let mut job = Job::default();
    ready(&mut job, &compiled(CALLS), Limits::default(), move |n| {
        let began = *since.lock().expect("nobody panics with it").get_or_insert_with(Instant::now);
        if n >= QUICK {
            counted.fetch_add(1, Ordering::Relaxed);
            while began.elapsed() < time {
                std::hint::spin_loop();
            }
        }
    });
    let Some(ParamPlace::Slot(n)) = job.cached.program.params.get(1).copied() else {
        panic!("n is a number")
    };
    job.machine.set_scalar(n, 100_000);
    assert!(matches!(job.begin(time), Progressing::GoesOn));
    assert!(slow.load(Ordering::Relaxed) <= FIRST_CALLS_MAX, "{slow:?} slow calls");
}

/// Calls that are slow from the beginning: one, and the run moves.
#[test]
fn one_slow_call_moves_a_run_to_a_program_thread() {
    let time = super::super::HOP_AFTER;
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let mut job = Job::default();
    ready(&mut job, &compiled(CALLS), Limits::default(), move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        while began.elapsed() <= time {
            std::hint::spin_loop();
        }
    });
    let Some(ParamPlace::Slot(n)) = job.cached.program.params.get(1).copied() else {
        panic!("n is a number")
    };
    job.machine.set_scalar(n, 1_000);
    assert!(matches!(job.begin(time), Progressing::GoesOn));
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

const SPINS: &str = "
program spins(t: T) -> int {
  var n = 0
  while n >= 0 limit 1_000_000_000_000 { n += 1 }
  return n
}";

/// No clock was told of these jobs, as if the system had had no thread for it.
#[test]
fn without_a_clock_a_run_ends_at_its_deadline_all_the_same() {
    let spins = compiled(SPINS);
    // Several slices on a program thread, each of which takes longer than that.
    let budget = 5 * LONG_SLICE.instructions;
    let limits = Limits { time_ns: 1_000_000, instructions: budget, ..Limits::default() };
    let outcome = ended(&mut Job::default(), &spins, limits);
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
    assert!(outcome.receipt.instructions < budget);

    // Time that was over before the run came to its thread.
    let limits = Limits { time_ns: 0, ..Limits::default() };
    let outcome = ended(&mut Job::default(), &spins, limits);
    assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
    assert_eq!(outcome.receipt.instructions, 0);

    // A traced run, from call to call.
    let mut job = Job::default();
    let limits = Limits { time_ns: 1_000_000, ..Limits::default() };
    let program = compiled(CALLS);
    ready(&mut job, &program, limits, |_| {});
    let Some(ParamPlace::Slot(n)) = job.cached.program.params.get(1).copied() else {
        panic!("n is a number")
    };
    job.machine.set_scalar(n, 100_000);
    job.options.trace = true;
    job.go_on(&|_, _| {}, &|_| {}, &Turns::new(1));
    let end = job.end(None, &[]).end;
    assert!(matches!(end, End::Limit { kind: LimitKind::Time, .. }), "{end:?}");
}

fn ins(op: Op, a: u16, b: u16, c: u16, d: u64) -> Ins {
    Ins { op, flags: 0, a, b, c, d }
}

/// Calls `add` with what is in slots 0, 2 and 4; slots 1, 3 and 5 are for results.
fn repeated() -> Vec<u8> {
    let (_, add) = MODULE.interfaces[0].operation("add").expect("it has it");
    let program = Program {
        name: "by hand".to_owned(),
        code: vec![
            ins(Op::Load, 0, 0, 0, 10),
            ins(Op::Load, 2, 0, 0, 20),
            ins(Op::Load, 4, 0, 0, 30),
            ins(Op::Repeat, 0, 0, 0, pack([3, 0, 2, 0])),
            ins(Op::Call, 0, 0, 0, pack([NONE, NONE, 0, 0])),
            ins(Op::End, NONE, 0, 0, 0),
        ],
        ops: vec![OpRef { hash: add.hash.0, interface: 0 }],
        loops: Vec::new(),
        enums: Vec::new(),
        slots: vec![SlotType::Int; 6],
        layouts: Vec::new(),
        layout_words: Vec::new(),
        result: ResultKind::None,
        so_far: NONE,
        result_words: Vec::new(),
        caps: Vec::new(),
        lines: Vec::new(),
        registers: vec![0],
        params: vec![ParamPlace::Register(0)],
        started: NONE,
        literals: Vec::new(),
        interfaces: vec![("t".to_owned(), "T".to_owned())],
    };
    program.encode()
}

fn argument(outcome: &Outcome) -> Option<&str> {
    outcome.call.as_ref().map(|call| call.arguments[0].1.as_str())
}

#[test]
fn a_stop_inside_a_repeat_names_the_call_that_was_not_made() {
    for (writes, expected) in [(0, "10"), (1, "20"), (2, "30")] {
        let limits = Limits { writes, ..Limits::default() };
        let outcome = ended(&mut Job::default(), &repeated(), limits);
        assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Writes, .. }), "{:?}", outcome.end);
        assert_eq!((argument(&outcome), outcome.receipt.writes), (Some(expected), writes));
    }
    assert_eq!(ended(&mut Job::default(), &repeated(), Limits::default()).end, End::Done);
}

/// Cancelled from inside of a call, so that exactly this call is the last.
#[test]
fn a_repeat_that_is_cancelled_behind_its_last_call_names_none() {
    for (last, expected) in [(10, Some("20")), (20, Some("30")), (30, None)] {
        let mut job = Job::default();
        let interrupt = Arc::new(AtomicU32::new(0));
        job.interrupt = Arc::clone(&interrupt);
        ready(&mut job, &repeated(), Limits::default(), move |n| {
            if n == last {
                interrupt.store(CANCEL, Ordering::Relaxed);
            }
        });
        job.go_on(&|_, _| {}, &|_| {}, &Turns::new(1));
        let outcome = job.end(None, &[]);
        assert_eq!(outcome.end, End::Cancelled);
        assert_eq!((argument(&outcome), outcome.receipt.writes), (expected, last.cast_unsigned() / 10));
    }
}

/// It has the only seat, and is in the middle of its tree: who waits sits down, and the walk waits then.
#[test]
fn a_walk_gives_way_to_who_waits() {
    let turns = Turns::new(1);
    let (called, is_called) = std::sync::mpsc::channel();
    let called = Mutex::new(called);
    let mut job = Job::default();
    let act = move |n| {
        if n == 10 {
            called.lock().expect("nobody panics with it").send(()).expect("it is waited for");
        }
    };
    let limits = Limits { instructions: 1 << 50, calls: 1 << 50, ..Limits::default() };
    ready(&mut job, &compiled(CALLS), limits, act);
    let Some(ParamPlace::Slot(n)) = job.cached.program.params.get(1).copied() else {
        panic!("n is a number")
    };
    job.machine.set_scalar(n, i64::MAX);
    let tree = crate::source::parse(&format!("use t\n{CALLS}"), &[Arc::new(MODULE.clone())]);
    let tree = tree.expect("it parsed before").encode();
    job.runs_tree(Some(Received::of_tree(tree, Arc::clone(&job.cached))));
    let (interrupt, turns) = (job.interrupt(), &turns);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            is_called.recv().expect("it is called");
            let mut share = Share::new(turns);
            share.begin(&Arc::default());
            let began = Instant::now();
            while turns.waiting() == 0 {
                assert!(began.elapsed() < Duration::from_secs(30), "it does not wait");
                std::thread::yield_now();
            }
            interrupt.fetch_or(CANCEL, Ordering::Relaxed);
        });
        job.go_on(&|_, _| {}, &|_| {}, turns);
    });
    assert_eq!(job.end(None, &[]).end, End::Cancelled);
}

#[test]
fn the_pool_of_idle_jobs_is_bounded_and_takes_no_broken_ones() {
    let programs = super::super::Programs::new(&[&MODULE], super::super::Policy::default());
    let idle = || super::super::lock(&programs.inner.idle).len();
    let mut broken = Box::new(Job::default());
    broken.spoil();
    programs.inner.put_away(broken);
    assert_eq!(idle(), 0);
    for _ in 0..=super::super::IDLE_JOBS_MAX {
        programs.inner.put_away(Box::default());
    }
    assert_eq!(idle(), super::super::IDLE_JOBS_MAX);
}
