//! How much memory of the process a domain takes, whatever it does. One test at a time, since each counts what the process has.

mod support;

use std::sync::Mutex;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_fuzz::java_programs::javac;
use carnet_runtime::domain::{CallError, Domain, Ended, Limits, Value};
use carnet_runtime::universe::{LinkError, Universe};

use support::{INSTRUCTIONS, assembled, call, domain, limits, universe, universe_of};

/// The tests of this file run one after the other.
static ALONE: Mutex<()> = Mutex::new(());

/// Bytes of memory that the process has.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

#[test]
fn code_that_becomes_long_is_charged() {
    let _alone = ALONE.lock();
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    const COUNT: usize = 20;
    // Of each two bytes ten operations are made.
    let body = " dup2_x2\n pop2\n".repeat(30_000);
    let methods: String = (0..COUNT)
        .map(|at| {
            format!(
                "method m{at} ()V public static\n stack 6 locals 0\n iconst_1\n iconst_2\n iadd\n dup\n dup2\n{body} \
                 return\n"
            )
        })
        .collect();
    let universe = assembled(&format!("class Seed extends java/lang/Object\n{methods}"));
    // The file is charged for by nobody: no domain ran. What one has used up is no loss of another.
    for _ in 0..2 {
        let mut domain = domain(&universe, Limits { classes: 16 << 20, ..limits() });
        let before = resident();
        let called = |at: usize| domain.call_static("Seed", &format!("m{at}"), "()V", &[]);
        let refused = (0..COUNT).map(called).find_map(Result::err);
        let expected = LinkError::new("java/lang/OutOfMemoryError", "Metaspace");
        assert_eq!(refused, Some(CallError::Link(expected)));
        assert!(domain.classes > 10 << 20, "{}", domain.classes);
        assert!(resident().saturating_sub(before) < 32 << 20);
    }
}

/// Classes in a line, each with so many abstract methods of its own.
fn wide(count: usize, methods: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for at in 0..count {
        let above = if at == 0 { "java/lang/Object".to_owned() } else { format!("W{}", at - 1) };
        let methods: String =
            (0..methods).map(|method| format!("method m{at}_{method} ()V public abstract\n")).collect();
        let text = format!("class W{at} extends {above}\nflags public abstract\n{methods}");
        let bytes = assemble(&text).expect("the text is right");
        std::fs::write(folder.path().join(format!("W{at}.class")), bytes).expect("it is written");
    }
    folder
}

#[test]
fn classes_with_many_methods_above_them_are_bounded() {
    let _alone = ALONE.lock();
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    let folder = wide(100, 2_000);
    let universe = universe_of(folder.path());
    let before = resident();
    let mut domain = domain(&universe, Limits { classes: 16 << 20, ..limits() });
    let refused = domain.call_static("W99", "none", "()V", &[]);
    let expected = LinkError::new("java/lang/OutOfMemoryError", "Metaspace");
    assert_eq!(refused, Err(CallError::Link(expected)));
    assert!(resident().saturating_sub(before) < 64 << 20);
}

#[test]
fn threads_and_their_stacks_are_bounded() {
    let _alone = ALONE.lock();
    let Some(universe) = universe() else { return };
    let limits = Limits { threads: 100, instructions: 1 << 32, heap: 64 << 20, ..Limits::default() };
    let mut domain = domain(&universe, limits);
    let before = resident();
    assert_eq!(domain.run_main("Greedy", &[]), Ok(3));
    assert!(resident().saturating_sub(before) < 256 << 20);
}

/// What `Stacks` ends with, and how many bytes more there are then. Its frames have 65,000 registers.
fn stacks(what: &str, stacks: u64) -> Option<(i32, u64)> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Stacks.java"), include_str!("memory/Stacks.java"))
        .expect("it is written");
    if !javac(folder.path(), &["Stacks.java"]) {
        return None;
    }
    let seed = "class Seed extends java/lang/Object\nmethod down (ILjava/lang/Runnable;)V static\n \
                stack 2 locals 65000\n iload_0\n ifeq last\n iload_0\n iconst_1\n isub\n aload_1\n \
                invokestatic Seed.down(ILjava/lang/Runnable;)V\n return\nlast:\n frame same\n aload_1\n \
                invokeinterface interface java/lang/Runnable.run()V 1\n return\n";
    std::fs::write(folder.path().join("Seed.class"), assemble(seed).expect("the text is right"))
        .expect("it is written");
    let limits = Limits { instructions: 1 << 32, stacks, ..limits() };
    let mut domain = domain(&universe_of(folder.path()), limits);
    let before = resident();
    let ended = domain.run_main("Stacks", &[what.to_owned()]).expect("it runs");
    Some((ended, resident().saturating_sub(before)))
}

#[test]
fn stacks_of_frames_with_many_registers_are_bounded_together() {
    let _alone = ALONE.lock();
    let limit = 64 << 20;
    let Some((refused, bytes)) = stacks("stay", limit) else { return };
    assert!((50..100).contains(&refused), "{refused} have no room");
    assert!(bytes < limit + (64 << 20), "{bytes} bytes");
}

#[test]
fn threads_that_return_give_their_stacks_back() {
    let _alone = ALONE.lock();
    let limit = 64 << 20;
    let Some((refused, bytes)) = stacks("comeBack", limit) else { return };
    assert_eq!(refused, 0);
    assert!(bytes < limit, "{bytes} bytes");
}

#[test]
fn a_thread_begins_if_there_is_room_for_its_stack() {
    let _alone = ALONE.lock();
    let Some((begun, _)) = stacks("most", 20 * Limits::STACK_LEAST) else { return };
    assert!((15..20).contains(&begun), "{begun}");
}

/// What is said of each has names of 100,000 bytes.
#[test]
fn methods_that_cannot_be_run_take_no_memory() {
    let _alone = ALONE.lock();
    if installed_jdk().is_none() {
        println!("skipped: no JDK (make setup)");
        return;
    }
    const COUNT: usize = 1_000;
    let (class, name) = ("C".repeat(50_000), "m".repeat(50_000));
    let methods: String =
        (0..COUNT).map(|at| format!("method {name} (LT{at};)V public static native\n")).collect();
    let library = Library::open(installed_jdk().as_deref(), &[]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let text = format!("class {class} extends java/lang/Object\n{methods}");
    universe.give(&class, assemble(&text).expect("the text is right")).expect("a new class");
    let mut domain = domain(&universe, Limits { instructions: 1 << 32, ..limits() });
    let mut call = |at: usize| {
        let refused = domain.call_static(&class, &name, &format!("(LT{at};)V"), &[Value::Null]);
        assert!(matches!(&refused, Err(CallError::Link(error)) if error.message.ends_with("does not have")));
    };
    call(0);
    let before = resident();
    (1..COUNT).for_each(call);
    let more = resident().saturating_sub(before);
    assert!(more < (COUNT * name.len()) as u64, "{more} bytes");
}

#[test]
fn what_is_interned_and_kept_is_in_the_heap_alone() {
    let _alone = ALONE.lock();
    let Some(universe) = universe() else { return };
    let before = resident();
    let mut domain = domain(&universe, Limits { heap: 256 << 20, instructions: 1 << 32, ..limits() });
    let kept = call(&mut domain, "keepInterned", "()I", &[]);
    assert_eq!(kept, Ok(Some(Value::Int(100))));
    let heap = domain.heap.space.room() as u64;
    assert!(heap > 100 << 20 && resident().saturating_sub(before + heap) < 100 << 20);
}

#[test]
fn what_is_interned_and_forgotten_takes_no_memory() {
    let _alone = ALONE.lock();
    let Some(universe) = universe() else { return };
    let before = resident();
    let mut domain = domain(&universe, Limits { instructions: 2 * INSTRUCTIONS, ..limits() });
    let ended = call(&mut domain, "interned", "()V", &[]);
    assert!(matches!(ended, Err(CallError::Ended(Ended::Instructions(_)))), "{ended:?}");
    assert!(resident().saturating_sub(before) < 256 << 20);
}

#[test]
fn a_domain_that_is_idle_takes_little_memory() {
    const COUNT: usize = 1000;
    let _alone = ALONE.lock();
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Applet.java"), include_str!("many/Applet.java"))
        .expect("it is written");
    if !javac(folder.path(), &["Applet.java"]) {
        return;
    }
    let universe = universe_of(folder.path());
    let small = || domain(&universe, Limits { heap: 1 << 20, ..limits() });
    let run =
        |domain: &mut Domain| domain.call_static("Applet", "run", "(I)I", &[Value::Int(7)]).expect("it runs");
    let first = run(&mut small());
    let before = resident();
    let mut domains: Vec<Domain> = (0..COUNT).map(|_| small()).collect();
    for domain in &mut domains {
        assert_eq!(run(domain), first);
    }
    let each = resident().saturating_sub(before) / COUNT as u64;
    println!("{each} bytes for each of {COUNT} domains");
    assert!(each <= 64 << 10, "{each} bytes each");
    for domain in &mut domains {
        assert_ne!(run(domain), first);
    }
}
