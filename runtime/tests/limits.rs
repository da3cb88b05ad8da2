//! Limits hold whatever a program does: each ends it from outside, or is an error that it may catch and that helps it no further.

mod support;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_runtime::domain::{CallError, Collecting, Domain, Ended, Limits, Value};
use carnet_runtime::universe::Universe;
use support::{INSTRUCTIONS, assembled, call, domain, folder, limits, universe, universe_of};

/// Methods that have natives read much, again and again.
const READING: [&str; 4] = ["crc", "adler", "exported", "named"];

/// A domain with the library begun, which some of what natives do needs.
fn booted(universe: &Arc<Universe>, limits: Limits) -> Domain {
    let mut domain = domain(universe, limits);
    domain.boot().expect("the library begins");
    domain
}

#[test]
fn calls_from_outside_take_arguments_and_give_results() {
    let Some(universe) = universe() else { return };
    let mut domain = domain(&universe, limits());
    let sum = call(&mut domain, "add", "(II)I", &[Value::Int(40), Value::Int(2)]);
    assert_eq!(sum, Ok(Some(Value::Int(42))));
    assert_eq!(call(&mut domain, "isHeld", "()Z", &[]), Ok(Some(Value::Int(1))));
    let wide = [Value::Long(1 << 40), Value::Double(2.5), Value::Text("three".to_owned()), Value::Float(4.0)];
    let sum = call(&mut domain, "wide", "(JDLjava/lang/String;F)J", &wide);
    assert_eq!(sum, Ok(Some(Value::Long((1 << 40) + 11))));
    domain.heap.collecting = Collecting::Always;
    let text = |text: &str| Value::Text(text.to_owned());
    let twice = call(&mut domain, "twice", "(Ljava/lang/String;)Ljava/lang/String;", &[text("é\u{4e2d}")]);
    assert_eq!(twice, Ok(Some(text("é\u{4e2d}é\u{4e2d}"))));
    let thrown = call(&mut domain, "refuse", "(Ljava/lang/String;)V", &[text("no")]);
    assert!(
        matches!(&thrown, Err(CallError::Thrown(why)) if why.starts_with("java.lang.IllegalStateException: no"))
    );
    let thrown = call(&mut domain, "refuse", "(Ljava/lang/String;)V", &[Value::Null]);
    assert!(
        matches!(&thrown, Err(CallError::Thrown(why)) if why.starts_with("java.lang.IllegalStateException"))
    );
    let wrong = call(&mut domain, "add", "(II)I", &[Value::Int(40), Value::Long(2)]);
    assert!(matches!(wrong, Err(CallError::Arguments(_))));
    assert!(matches!(call(&mut domain, "add", "(I)I", &[Value::Int(1)]), Err(CallError::Link(_))));
    assert!(matches!(domain.call_static("None", "add", "()V", &[]), Err(CallError::Link(_))));
}

#[test]
fn instructions_end_whatever_is_caught() {
    let Some(universe) = universe() else { return };
    let greedy = ["spin", "throwing", "copies", "arrays", "memoryAgain", "interned", "deepAgain"];
    for name in greedy.into_iter().chain(READING) {
        let mut domain = booted(&universe, limits());
        let began = Instant::now();
        let ended = call(&mut domain, name, "()V", &[]);
        assert_eq!(ended, Err(CallError::Ended(Ended::Instructions(INSTRUCTIONS))), "{name}");
        assert!(began.elapsed() < Duration::from_secs(60), "{name} took {:?}", began.elapsed());
    }
}

#[test]
fn processor_time_ends_what_moves_much() {
    let Some(universe) = universe() else { return };
    for name in ["spin", "throwing", "copies", "arrays"].into_iter().chain(READING) {
        let time = Duration::from_millis(100);
        let mut domain = booted(&universe, Limits { instructions: u64::MAX, ..limits() });
        domain.time = Duration::ZERO;
        domain.limits.time = time;
        let ended = call(&mut domain, name, "()V", &[]);
        assert_eq!(ended, Err(CallError::Ended(Ended::Time(time))), "{name}");
        assert!(domain.time < 10 * time, "{name} used {:?}", domain.time);
    }
}

/// Processor time of this thread.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
fn who_waits_for_a_processor_is_not_charged() {
    let Some(universe) = universe() else { return };
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // More than any machine has processors.
        for _ in 0..4 * std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let before = processor_time();
        let mut domain = booted(&universe, limits());
        let ended = call(&mut domain, "copies", "()V", &[]);
        is_done.store(true, Ordering::Relaxed);
        assert_eq!(ended, Err(CallError::Ended(Ended::Instructions(INSTRUCTIONS))));
        let used = processor_time() - before;
        assert!(domain.time <= used && used <= domain.elapsed + Duration::from_secs(1), "{used:?}");
        assert!(domain.time > Duration::ZERO, "{:?}", domain.time);
    });
}

#[test]
fn memory_that_is_used_up_is_an_error_that_can_be_caught() {
    let Some(universe) = universe() else { return };
    let mut domain = domain(&universe, limits());
    let made = call(&mut domain, "memory", "()I", &[]);
    assert!(matches!(made, Ok(Some(Value::Int(10_000..30_000)))), "{made:?}");
    // Nothing was left behind.
    let again = call(&mut domain, "memory", "()I", &[]);
    assert!(matches!(again, Ok(Some(Value::Int(_)))), "{again:?}");
    let thrown = call(&mut domain, "strings", "()V", &[]);
    assert!(
        matches!(&thrown, Err(CallError::Thrown(why)) if why.starts_with("java.lang.OutOfMemoryError: Java heap space")),
        "{thrown:?}"
    );
    // The errors themselves take memory, and who keeps them is ended.
    let small = Limits { heap: 1 << 20, instructions: 100 * INSTRUCTIONS, ..limits() };
    let mut domain = self::domain(&universe, small);
    let ended = call(&mut domain, "errors", "()V", &[]);
    assert_eq!(ended, Err(CallError::Ended(Ended::Memory)));
    assert!(domain.heap.space.used() as u64 <= small.heap + (32 << 10));
}

#[test]
fn what_is_kept_of_classes_that_fail_has_no_memory_of_its_own() {
    let Some(universe) = universe() else { return };
    let mut domain =
        domain(&universe, Limits { heap: 64 << 10, instructions: 100 * INSTRUCTIONS, ..limits() });
    let ended = domain.call_static("Failing", "all", "()I", &[]);
    assert_eq!(ended, Err(CallError::Ended(Ended::Memory)));
}

#[test]
fn memory_that_small_objects_use_up_is_an_error_that_can_be_caught() {
    let Some(universe) = universe() else { return };
    // Four times the length of what is told.
    let told = 4 * "Java heap space caught".len() as i32;
    for heap in [1 << 20, 8 << 20] {
        let limits = Limits { heap, instructions: 100 * INSTRUCTIONS, ..limits() };
        let small = call(&mut domain(&universe, limits), "small", "()I", &[]);
        assert_eq!(small, Ok(Some(Value::Int(told))), "{heap}");
        assert_eq!(domain(&universe, limits).run_main("Small", &[]), Ok(told), "{heap}");
    }
}

#[test]
fn arrays_whose_offsets_would_not_fit_are_refused() {
    let Some(universe) = universe() else { return };
    let mut domain = domain(&universe, Limits { heap: 30 << 30, ..limits() });
    // Those of 4 GiB and more; the others fit, and take address space only.
    let refused = call(&mut domain, "large", "(I)I", &[Value::Int(8)]);
    assert_eq!(refused, Ok(Some(Value::Int(4))));
}

#[test]
fn depth_is_an_error_that_can_be_caught() {
    let Some(universe) = universe() else { return };
    let mut domain = domain(&universe, limits());
    let depth = call(&mut domain, "depth", "()I", &[]);
    assert!(matches!(depth, Ok(Some(Value::Int(11_000..13_000)))), "{depth:?}");
    let mut few = self::domain(&universe, Limits { frames: Limits::FRAMES_LEAST, ..limits() });
    few.boot().expect("the library begins");
    let depth = call(&mut few, "depth", "()I", &[]);
    assert!(matches!(depth, Ok(Some(Value::Int(..400)))), "{depth:?}");
    let thrown = call(&mut domain, "deep", "()I", &[]);
    assert!(
        matches!(&thrown, Err(CallError::Thrown(why)) if why.starts_with("java.lang.StackOverflowError"))
    );
    // It holds as many monitors as it has frames.
    assert_eq!(call(&mut domain, "locked", "(I)V", &[Value::Int(5_000)]), Ok(None));
}

#[test]
fn an_initializer_that_is_too_deep_fails_its_class() {
    let Some(universe) = universe() else { return };
    let of = |calls| {
        let mut domain = domain(&universe, Limits { frames: Limits::FRAMES_LEAST, ..limits() });
        match domain.call_static("Within", "of", "(I)Ljava/lang/String;", &[Value::Int(calls)]) {
            Ok(Some(Value::Text(text))) => text,
            other => panic!("{calls} calls: {other:?}"),
        }
    };
    let frames = Limits::FRAMES_LEAST as i32;
    let mut said: Vec<String> = (frames - 9..frames).map(of).collect();
    said.dedup();
    let failed = "java.lang.StackOverflowError java.lang.NoClassDefFoundError";
    assert_eq!(said, ["made made", failed, "java.lang.StackOverflowError made"]);
}

#[test]
fn a_domain_is_ended_from_outside() {
    let Some(universe) = universe() else { return };
    for (name, wait) in [("spin", false), ("throwing", false), ("crc", false), ("sleep", true)] {
        let mut domain = booted(&universe, Limits { instructions: u64::MAX, ..limits() });
        let handle = domain.handle();
        let began = Instant::now();
        let ended = std::thread::scope(|scope| {
            let running = scope.spawn(move || call(&mut domain, name, "()V", &[]));
            // It runs, or sleeps, or is about to.
            while !wait && began.elapsed() < Duration::from_millis(20) {
                std::thread::yield_now();
            }
            handle.end();
            running.join().expect("no panic")
        });
        assert_eq!(ended, Err(CallError::Ended(Ended::Outside)), "{name}");
        assert!(began.elapsed() < Duration::from_secs(60), "{name}");
    }
}

/// A class of the text, in a universe of its own.

#[test]
fn a_handler_that_handles_itself_is_ended() {
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    let universe = assembled(
        "class Seed extends java/lang/Object\nmethod run ()V public static\n stack 1 locals 0\n\
         handler from to from any\n aconst_null\nfrom:\n frame same1 java/lang/Throwable\n athrow\nto:\n",
    );
    let mut domain = domain(&universe, limits());
    let ended = domain.call_static("Seed", "run", "()V", &[]);
    assert_eq!(ended, Err(CallError::Ended(Ended::Instructions(INSTRUCTIONS))));
}

#[test]
fn monitors_that_are_entered_and_never_left_are_bounded() {
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    // More than lock bits can say.
    let enter = " aload_0\n monitorenter\n".repeat(9);
    let universe = assembled(&format!(
        "class Seed extends java/lang/Object\nmethod run ()V public static\n stack 2 locals 1\n\
         from:\n frame same\n new java/lang/Object\n dup\n \
         invokespecial java/lang/Object.<init>()V\n astore_0\n{enter} goto from\n"
    ));
    let mut domain = domain(&universe, Limits { heap: 64 << 20, ..limits() });
    let ended = domain.call_static("Seed", "run", "()V", &[]);
    assert!(
        matches!(&ended, Err(CallError::Thrown(why)) if why.starts_with("java.lang.OutOfMemoryError: monitors")),
        "{ended:?}"
    );
}

#[test]
fn classes_that_are_deep_or_large_are_linked_or_refused() {
    let Some(universe) = universe() else { return };
    let mut domain = domain(&universe, limits());
    assert_eq!(domain.call_static("D200", "at", "()I", &[]), Ok(Some(Value::Int(200))));
    // Whether those above it are there already or not.
    let fresh = universe_of(folder().expect("it was compiled"));
    for mut domain in [domain, self::domain(&fresh, limits())] {
        let refused = domain.call_static("D299", "at", "()I", &[]);
        assert!(
            matches!(&refused, Err(CallError::Link(why)) if why.kind == "java/lang/ClassCircularityError")
        );
    }
    let mut domain = self::domain(&fresh, limits());
    assert_eq!(
        domain.call_static("Many", "of", "(I)I", &[Value::Int(7919 * 3999)]),
        Ok(Some(Value::Int(3999)))
    );
    let text = domain.call_static("Texts", "of", "(I)Ljava/lang/String;", &[Value::Int(4999)]);
    assert_eq!(text, Ok(Some(Value::Text("text 4999".to_owned()))));
}

#[test]
fn classes_that_are_made_while_it_runs_are_bounded() {
    let Some(universe) = universe() else { return };
    let limits = Limits { instructions: 1 << 32, classes: 2 << 20, ..limits() };
    for _ in 0..2 {
        // What one domain has used up is no loss of another.
        let mut domain = domain(&universe, limits);
        let made = domain.run_main("Proxies", &[]);
        assert!(matches!(made, Ok(50..700)), "{made:?}");
        assert!(domain.classes > limits.classes / 2 && domain.classes <= limits.classes);
    }
}

#[test]
fn deep_stacks_are_run_or_refused() {
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    const MOST: usize = 65_407;
    for slots in [248, 249, 250, 1_000, 40_000, MOST, MOST + 1, 65_535] {
        // As many longs as fit, of which so many are added up that a method is long enough.
        let (longs, added) = (slots / 2, (slots / 2).min(30_000));
        let (push, add) = (" lconst_1\n".repeat(longs), " ladd\n".repeat(added - 1));
        let universe = assembled(&format!(
            "class Seed extends java/lang/Object\nmethod run (I)I public static\n stack {slots} locals 1\n\
             {push}{add} l2i\n iload_0\n iadd\n ireturn\n"
        ));
        let mut domain = domain(&universe, limits());
        let sum = domain.call_static("Seed", "run", "(I)I", &[Value::Int(7)]);
        if slots <= MOST {
            assert_eq!(sum, Ok(Some(Value::Int(7 + added as i32))), "{slots}");
            continue;
        }
        let refused = format!("{slots} slots of values on the stack; at most {MOST} are supported");
        assert!(
            matches!(&sum, Err(CallError::Link(error)) if error.message.ends_with(&refused)),
            "{slots}: {sum:?}"
        );
    }
}

#[test]
fn casts_to_one_of_many_interfaces_take_no_longer() {
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    const COUNT: usize = 4_000;
    let library = Library::open(installed_jdk().as_deref(), &[]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let give = |name: &str, text: String| {
        let text = format!("class {name} extends java/lang/Object\n{text}");
        universe.give(name, assemble(&text).expect("the text is right")).expect("a new class");
    };
    (0..COUNT).for_each(|at| give(&format!("K{at}"), "flags public interface abstract\n".to_owned()));
    let init = "method <init> ()V public\n stack 1 locals 1\n aload_0\n \
                invokespecial java/lang/Object.<init>()V\n return\n";
    let last = COUNT - 1;
    give("Few", format!("flags public\nimplements K{last}\n{init}"));
    let all: String = (0..COUNT).map(|at| format!("implements K{at}\n")).collect();
    give("Many", format!("flags public\n{all}{init}"));
    let ask = format!(" aload_0\n instanceof K{last}\n pop\n").repeat(20);
    let run = |of: &str| {
        format!(
            "method {of} ()V public static\n stack 2 locals 1\n new {of}\n dup\n invokespecial {of}.<init>()V\n \
             astore_0\nagain:\n frame append {of}\n{ask} goto again\n"
        )
    };
    give("Ask", run("Few") + &run("Many"));
    let time = |of: &str| {
        let mut domain = domain(&universe, limits());
        let before = processor_time();
        let ended = domain.call_static("Ask", of, "()V", &[]);
        assert_eq!(ended, Err(CallError::Ended(Ended::Instructions(INSTRUCTIONS))));
        processor_time() - before
    };
    let (_, many) = (time("Many"), time("Many"));
    let few = time("Few");
    assert!(many < 10 * few, "{many:?}, {few:?}");
}

/// As many classes with as many interfaces, each with a method that is in all of them.
fn many_calls(count: usize) -> Arc<Universe> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let bytes = assemble(text).expect("the text is right");
        std::fs::write(folder.path().join(format!("{name}.class")), bytes).expect("it is written");
    };
    let body = "\n stack 1 locals 1\n return\n";
    for at in 0..count {
        let text = format!(
            "class I{at} extends java/lang/Object\nflags public interface abstract\n\
             method all ()V public{body}method only{at} ()V public{body}"
        );
        write(&format!("I{at}"), &text);
    }
    let implements: String = (0..count).map(|at| format!("implements I{at}\n")).collect();
    let mut calls = String::new();
    for class in 0..count {
        let text = format!(
            "class C{class} extends java/lang/Object\n{implements}\
             method <init> ()V public\n stack 1 locals 1\n aload_0\n \
             invokespecial java/lang/Object.<init>()V\n return\n"
        );
        write(&format!("C{class}"), &text);
        calls += &format!(
            " new C{class}\n dup\n invokespecial C{class}.<init>()V\n invokestatic Calls.on(Ljava/lang/Object;)V\n"
        );
    }
    let on: String = (0..count)
        .map(|at| format!(" aload_0\n checkcast I{at}\n invokeinterface interface I{at}.only{at}()V 1\n"))
        .collect();
    let text = format!(
        "class Calls extends java/lang/Object\nmethod run ()V public static\n stack 2 locals 0\n{calls} return\n\
         method on (Ljava/lang/Object;)V static\n stack 1 locals 1\n{on} return\n\
         method none (LC0;)V public static\n stack 1 locals 1\n aload_0\n invokevirtual C0.none()V\n return\n"
    );
    write("Calls", &text);
    let universe = universe_of(folder.path());
    // No domain pays for them, nor for their code.
    let classes = ["C", "I"].into_iter().flat_map(|name| (0..count).map(move |at| format!("{name}{at}")));
    for name in classes.chain(["Calls".to_owned()]) {
        let id = universe.load(name.as_bytes()).expect("the class is right");
        for method in &universe.class(id).expect("it is there").methods {
            universe.body(method).expect("there is room");
        }
    }
    universe
}

#[test]
fn calls_through_interfaces_are_charged() {
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    const COUNT: usize = 100;
    let universe = many_calls(COUNT);
    // They are made by this domain, or there is no room for them.
    for (classes, least) in [(0, 0), (128 << 20, 40 * COUNT * COUNT)] {
        let mut domain = domain(&universe, Limits { classes, ..limits() });
        assert_eq!(domain.call_static("Calls", "run", "()V", &[]), Ok(None));
        assert!(domain.classes >= least as u64, "{}", domain.classes);
    }
    // To find that none has a method is work each time.
    let mut domain = domain(&universe, limits());
    let refused = domain.call_static("Calls", "none", "(LC0;)V", &[Value::Null]);
    assert!(matches!(refused, Err(CallError::Thrown(_))), "{refused:?}");
    let begun = domain.instructions;
    let again = domain.call_static("Calls", "none", "(LC0;)V", &[Value::Null]);
    assert_eq!(again, refused);
    assert!(domain.instructions - begun > 2 * COUNT as u64 / 8, "{}", domain.instructions - begun);
}

/// Interfaces `J0` on, each of which extends all of `K0` on, all with what initializes them; `C` and `D` implement the former, and
/// `B` besides one that is missing. `Use` uses each.
fn many_interfaces(count: usize, above: usize) -> Arc<Universe> {
    let library = Library::open(installed_jdk().as_deref(), &[]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let give = |name: &str, text: String| {
        let text = format!("class {name} extends java/lang/Object\n{text}");
        universe.give(name, assemble(&text).expect("the text is right")).expect("a new class");
    };
    let implements =
        |name: &str, count| (0..count).map(|at| format!("implements {name}{at}\n")).collect::<String>();
    let body = "\n stack 0 locals 1\n return\n";
    let interface = |above: &str| {
        format!(
            "flags public interface abstract\n{above}method <clinit> ()V static{body}method own ()V public{body}"
        )
    };
    (0..above).for_each(|at| give(&format!("K{at}"), interface("")));
    let extends = implements("K", above);
    (0..count).for_each(|at| give(&format!("J{at}"), interface(&extends)));
    let all = implements("J", count);
    let mut uses = String::new();
    for (name, missing) in [("B", "implements Gone\n"), ("C", ""), ("D", "")] {
        give(name, format!("flags public\n{all}{missing}method none ()V public static{body}"));
        uses += &format!(
            "method {name} ()V public static\n stack 0 locals 0\n invokestatic {name}.none()V\n return\n"
        );
    }
    give("Use", uses);
    universe
}

#[test]
fn interfaces_of_a_class_that_is_refused_are_charged() {
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    const COUNT: usize = 50;
    const ABOVE: usize = 400;
    let mut domain = domain(&many_interfaces(COUNT, ABOVE), limits());
    let refused = domain.call_static("Use", "B", "()V", &[]);
    assert!(
        matches!(&refused, Err(CallError::Thrown(why)) if why.starts_with("java.lang.NoClassDefFoundError: Gone")),
        "{refused:?}"
    );
    let begun = domain.instructions;
    assert_eq!(domain.call_static("Use", "B", "()V", &[]), refused);
    let charged = domain.instructions - begun;
    assert!(charged > (COUNT * ABOVE * 4 / 8) as u64, "{charged}");
}

#[test]
fn interfaces_are_looked_through_once_to_initialize_a_class() {
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    const COUNT: usize = 100;
    const ABOVE: usize = 300;
    let universe = many_interfaces(COUNT, ABOVE);
    let initialize = |domain: &mut Domain, name: &str| {
        let begun = domain.instructions;
        assert_eq!(domain.call_static("Use", name, "()V", &[]), Ok(None));
        domain.instructions - begun
    };
    // They are made and linked before.
    let mut first = domain(&universe, limits());
    for name in ["C", "D"] {
        initialize(&mut first, name);
    }
    let mut domain = domain(&universe, limits());
    let interfaces = (COUNT + ABOVE) as u64;
    let charged = initialize(&mut domain, "C");
    assert!(charged < 10 * interfaces, "{charged}");
    let charged = initialize(&mut domain, "D");
    assert!((interfaces * 4 / 8..interfaces).contains(&charged), "{charged}");
}
