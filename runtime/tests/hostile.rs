//! Class files with which one operation could take long: what it does is charged for, and limits end it in the midst.

use std::sync::Arc;
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_runtime::domain::{CallError, Domain, Ended, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

const INSTRUCTIONS: u64 = 10_000_000;
const TIME: Duration = Duration::from_millis(100);
/// Branches of a method, and its variables.
const BRANCHES: usize = 4_000;
const VARIABLES: usize = 250;

/// A universe of these classes; `None` where there is no JDK.
fn universe(classes: &[(&str, &str)]) -> Option<Arc<Universe>> {
    let Some(jdk) = installed_jdk() else {
        println!("skipped: no JDK (make setup)");
        return None;
    };
    let universe = Universe::new(Library::open(Some(&jdk), &[]).expect("a JDK")).expect("core classes");
    for (name, text) in classes {
        let text = format!("class {name} extends java/lang/{text}");
        universe.give(name, assemble(&text).expect("the text is right")).expect("a new class");
    }
    Some(universe)
}

fn limited(universe: &Arc<Universe>, limits: Limits) -> Domain {
    let mut domain = Domain::new(Arc::clone(universe), limits, Io::none()).expect("a domain");
    drop(domain.boot().expect("the library begins"));
    domain
}

/// Limits of either kind end what a method does, the one of time soon.
fn is_ended(universe: &Arc<Universe>, class: &str) {
    let mut domain = limited(universe, Limits { instructions: INSTRUCTIONS, ..Limits::default() });
    let ended = domain.call_static(class, "run", "()I", &[]);
    assert_eq!(ended, Err(CallError::Ended(Ended::Instructions(INSTRUCTIONS))));
    let mut domain = limited(universe, Limits::default());
    (domain.time, domain.limits.time) = (Duration::ZERO, TIME);
    let ended = domain.call_static(class, "run", "()I", &[]);
    assert_eq!(ended, Err(CallError::Ended(Ended::Time(TIME))));
    assert!(domain.time < 20 * TIME, "{:?}", domain.time);
}

#[test]
fn handlers_that_do_not_fit_are_charged() {
    let handlers = " handler from to caught Other\n".repeat(60_000);
    let text = format!(
        "Object\nmethod run ()I public static\n stack 2 locals 0\n sipush 10000\n invokestatic Seed.deep(I)V\n \
         iconst_0\n ireturn\n\
         method deep (I)V static\n stack 2 locals 1\n{handlers} iload_0\n ifeq last\n iload_0\n iconst_1\n isub\n\
         from:\n invokestatic Seed.deep(I)V\nto:\n return\n\
         caught:\n frame same1 Other\n pop\n return\n\
         last:\n frame same\n new java/lang/RuntimeException\n dup\n \
         invokespecial java/lang/RuntimeException.<init>()V\n athrow\n"
    );
    let Some(universe) = universe(&[("Seed", &text), ("Other", "RuntimeException\n")]) else { return };
    is_ended(&universe, "Seed");
}

/// A class of so many methods, in which all variables are compared for each branch, unless none changed.
fn branching(methods: usize, change: &str) -> String {
    let store: String = (2..VARIABLES).map(|at| format!(" aload_1\n astore {at}\n")).collect();
    let maps = " java/util/AbstractMap".repeat(VARIABLES - 1);
    let branches = format!("{change} iload_0\n ifeq all\n").repeat(BRANCHES);
    let mut text =
        "Object\nmethod run ()I public static\n stack 1 locals 0\n bipush 7\n ireturn\n".to_owned();
    for at in 0..methods {
        text += &format!(
            "method m{at} (I)V static\n stack 2 locals {VARIABLES}\n new java/util/HashMap\n dup\n \
             invokespecial java/util/HashMap.<init>()V\n astore_1\n{store}{branches}\
             all:\n frame full int{maps} /\n return\n"
        );
    }
    text
}

#[test]
fn verifying_is_charged_and_stopped() {
    let change = " fconst_0\n fstore_0\n iconst_0\n istore_0\n";
    let Some(universe) = universe(&[("Seed", &branching(120, change))]) else { return };
    is_ended(&universe, "Seed");
    // Who has more to spend has it verified.
    let mut domain = limited(&universe, Limits::default());
    assert_eq!(domain.call_static("Seed", "run", "()I", &[]), Ok(Some(Value::Int(7))));
    let mut domain = limited(&universe, Limits { instructions: INSTRUCTIONS, ..Limits::default() });
    assert_eq!(domain.call_static("Seed", "run", "()I", &[]), Ok(Some(Value::Int(7))));
}

#[test]
fn variables_that_did_not_change_are_compared_once() {
    let Some(universe) = universe(&[("Seed", &branching(120, ""))]) else { return };
    let mut domain = limited(&universe, Limits { instructions: INSTRUCTIONS, ..Limits::default() });
    assert_eq!(domain.call_static("Seed", "run", "()I", &[]), Ok(Some(Value::Int(7))));
}

#[test]
fn tables_of_lines_are_read_once() {
    let lines = " line 4\n".repeat(65_534);
    let text = format!(
        "Object\nmethod run ()I public static\n stack 2 locals 0\n sipush 1000\n invokestatic Seed.deep(I)I\n ireturn\n\
         method deep (I)I static\n stack 2 locals 1\n iload_0\n ifeq last\n iload_0\n iconst_1\n isub\n\
         {lines} line 5\n invokestatic Seed.deep(I)I\n ireturn\n\
         last:\n frame same\n new java/lang/Exception\n dup\n invokespecial java/lang/Exception.<init>()V\n \
         invokevirtual java/lang/Exception.getStackTrace()[Ljava/lang/StackTraceElement;\n iconst_2\n aaload\n \
         invokevirtual java/lang/StackTraceElement.getLineNumber()I\n ireturn\n"
    );
    let Some(universe) = universe(&[("Seed", &text)]) else { return };
    let mut domain = limited(&universe, Limits { instructions: INSTRUCTIONS, ..Limits::default() });
    assert_eq!(domain.call_static("Seed", "run", "()I", &[]), Ok(Some(Value::Int(5))));
}

/// Instructions that `run` of a class takes.
fn taken(class: &str, text: &str) -> Option<u64> {
    let universe = universe(&[(class, text)])?;
    let mut domain = limited(&universe, Limits::default());
    let before = domain.instructions;
    assert_eq!(domain.call_static(class, "run", "()I", &[]), Ok(Some(Value::Int(7))));
    Some(domain.instructions - before)
}

#[test]
fn fields_that_are_looked_through_are_charged() {
    let fields: String = (0..20_000).map(|at| format!("field f{at} I static\n")).collect();
    let text = |field: u32| {
        let uses = format!(" getstatic Seed.f{field} I\n pop\n").repeat(2_000);
        format!(
            "Object\n{fields}method run ()I public static\n stack 1 locals 0\n{uses} bipush 7\n ireturn\n"
        )
    };
    let (Some(first), Some(last)) = (taken("Seed", &text(0)), taken("Seed", &text(19_999))) else { return };
    // Each field of the class is charged as an eighth of an instruction, whether it is the one or not.
    assert!(first.min(last) > 2_000 * 20_000 / 8, "{first} {last}");
}

#[test]
fn code_that_is_looked_through_to_collect_is_charged() {
    let text = |nops: usize| {
        let nops = " nop\n".repeat(nops);
        let collect = " invokestatic java/lang/System.gc()V\n".repeat(50);
        format!(
            "Object\nmethod run ()I public static\n stack 1 locals 0\n{collect} bipush 7\n ireturn\n{}{nops} bipush 7\n ireturn\n",
            "there:\n frame same\n"
        )
    };
    let (Some(short), Some(long)) = (taken("Seed", &text(0)), taken("Seed", &text(60_000))) else { return };
    assert!(long > short + 50 * 60_000 / 8, "{short} {long}");
}
