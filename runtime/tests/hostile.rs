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
    domain.boot().expect("the library begins");
    domain
}

/// Limits of either kind end what a method does, the one of time soon, and that of instructions before each has taken a microsecond.
fn is_ended(universe: &Arc<Universe>, class: &str) {
    let mut domain = limited(universe, Limits { instructions: INSTRUCTIONS, ..Limits::default() });
    let ended = domain.call_static(class, "run", "()I", &[]);
    assert_eq!(ended, Err(CallError::Ended(Ended::Instructions(INSTRUCTIONS))));
    assert!(domain.time < Duration::from_micros(INSTRUCTIONS), "{:?}", domain.time);
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
    taken_of(&[(class, text)])
}

/// Instructions that `run` of the first of some classes takes.
fn taken_of(classes: &[(&str, &str)]) -> Option<u64> {
    let universe = universe(classes)?;
    let mut domain = limited(&universe, Limits::default());
    let before = domain.instructions;
    assert_eq!(domain.call_static(classes[0].0, "run", "()I", &[]), Ok(Some(Value::Int(7))));
    Some(domain.instructions - before)
}

/// A method `run` that does something so often.
fn running(times: i32, what: &str) -> String {
    format!(
        "Object\nmethod run ()I public static\n stack 6 locals 1\n ldc int {times}\n istore_0\nagain:\n frame append int\n\
         {what} iinc 0 -1\n iload_0\n ifne again\n bipush 7\n ireturn\n"
    )
}

/// The name of a class in so many packages, all of one name.
fn nested(packages: usize, name: &str) -> String {
    "a/".repeat(packages) + name
}

#[test]
fn methods_are_looked_through_once_for_all_components_of_a_record() {
    let methods: String = (0..60_000).map(|at| format!("method m{at} ()J public native\n")).collect();
    let record = format!("Record\nflags public final\n{}{methods}", "component absent J\n".repeat(30_000));
    let ask = running(
        i32::MAX,
        " ldc class Many\n invokevirtual java/lang/Class.getRecordComponents()[Ljava/lang/reflect/RecordComponent;\n pop\n",
    );
    let Some(universe) = universe(&[("Seed", &ask), ("Many", &record)]) else { return };
    is_ended(&universe, "Seed");
}

#[test]
fn packages_that_assertions_are_looked_up_for_are_charged() {
    let asked = |packages| {
        let name = nested(packages, "Q");
        let ask =
            format!(" ldc class {name}\n invokevirtual java/lang/Class.desiredAssertionStatus()Z\n pop\n");
        is_ended(&universe(&[("Seed", &running(i32::MAX, &ask)), (&name, "Object\n")])?, "Seed");
        taken_of(&[("Seed", &running(100, &ask)), (&name, "Object\n")])
    };
    let (Some(few), Some(many)) = (asked(1), asked(32_000)) else { return };
    assert!(many > few + 100 * 2 * 32_000 / 8, "{few} {many}");
}

#[test]
fn packages_that_are_compared_are_charged() {
    let names: Vec<String> = (0..100).map(|at| nested(30_000, &format!("p{at:03}/Q"))).collect();
    let taken = |package: &str| {
        let classes: String = names.iter().map(|name| format!(" ldc class {name}\n pop\n")).collect();
        let ask = running(
            10,
            &format!(
                " ldc \"{package}\"\n \
                 invokestatic java/lang/Package.getPackage(Ljava/lang/String;)Ljava/lang/Package;\n pop\n"
            ),
        );
        let text = format!(
            "{ask}method main ([Ljava/lang/String;)V public static\n stack 1 locals 1\n{classes} \
             invokestatic Seed.run()I\n pop\n return\n"
        );
        let mut all = vec![("Seed", &text[..])];
        all.extend(names.iter().map(|name| (&name[..], "Object\n")));
        let mut domain = Domain::new(universe(&all)?, Limits::default(), Io::none()).expect("a domain");
        assert_eq!(domain.run_main("Seed", &[]), Ok(0));
        Some(domain.instructions)
    };
    let dotted = "a.".repeat(30_000);
    let (other, like) = (taken(&format!("{dotted}none1")), taken(&format!("{dotted}none")));
    let (Some(other), Some(like)) = (other, like) else { return };
    assert!(like > other + 10 * 100 * 60_000 / 8, "{other} {like}");
}

#[test]
fn names_in_messages_and_traces_are_charged() {
    let told = |packages: usize| {
        let name = nested(packages, "Q");
        let cast = format!(
            "from:\n ldc \"text\"\n checkcast {name}\n pop\nto:\n goto behind\n\
             caught:\n frame same1 java/lang/ClassCastException\n pop\nbehind:\n frame same\n"
        );
        let cast = running(100, &cast).replacen(
            "stack 6 locals 1\n",
            "stack 6 locals 1\n handler from to caught java/lang/ClassCastException\n",
            1,
        );
        let thrower = "Object\nmethod thrown ()Ljava/lang/Exception; public static\n stack 2 locals 0\n new java/lang/Exception\n dup\n \
             invokespecial java/lang/Exception.<init>()V\n areturn\n";
        let trace = running(
            100,
            &format!(
                " invokestatic {name}.thrown()Ljava/lang/Exception;\n \
             invokevirtual java/lang/Exception.getStackTrace()[Ljava/lang/StackTraceElement;\n pop\n"
            ),
        );
        Some((
            taken_of(&[("Seed", &cast), (&name, thrower)])?,
            taken_of(&[("Seed", &trace), (&name, thrower)])?,
        ))
    };
    let (Some(short), Some(long)) = (told(1), told(32_000)) else { return };
    // Besides, texts are made of them, for each 64 bytes of which an instruction is counted.
    let read = 100 * 2 * 32_000 / 8;
    assert!(long.0 > short.0 + read + read / 4, "{short:?} {long:?}");
    assert!(long.1 > short.1 + 2 * read, "{short:?} {long:?}");
}

/// A `run` that throws 100 exceptions of a class past so many handlers, in a method with so many variables.
fn thrown(class: &str, handlers: usize, variables: usize) -> String {
    let others = " handler from to caught java/lang/ThreadDeath\n".repeat(handlers);
    let again = running(
        100,
        &format!(
            "from:\n new {class}\n dup\n invokespecial {class}.<init>()V\n athrow\nto:\n\
             caught:\n frame same1 java/lang/Throwable\n pop\n"
        ),
    );
    again.replacen("locals 1\n", &format!("locals {variables}\n{others} handler from to caught any\n"), 1)
}

#[test]
fn classes_above_what_is_thrown_are_charged_for_each_handler() {
    let taken = |class| taken("Seed", &thrown(class, 1_000, 1));
    let deep = taken("java/nio/channels/ClosedByInterruptException");
    let (Some(plain), Some(deep)) = (taken("java/lang/Exception"), deep) else { return };
    // Four classes more are looked at in the time of an instruction.
    assert!(deep > plain + 100 * 1_000, "{plain} {deep}");
}

#[test]
fn variables_that_a_handler_clears_are_charged() {
    let taken = |variables| taken("Seed", &thrown("java/lang/Exception", 0, variables));
    let (Some(few), Some(many)) = (taken(1), taken(225)) else { return };
    assert!(many > few + 100 * 200 * 4 / 64, "{few} {many}");
}

#[test]
fn lines_that_are_kept_count_for_classes() {
    let lines = |lines: usize| {
        let text = format!(
            "Object\nmethod run ()I public static\n stack 2 locals 0\n{} new java/lang/Exception\n dup\n \
             invokespecial java/lang/Exception.<init>()V\n \
             invokevirtual java/lang/Exception.getStackTrace()[Ljava/lang/StackTraceElement;\n pop\n bipush 7\n ireturn\n",
            " line 3\n nop\n".repeat(lines),
        );
        let universe = universe(&[("Seed", &text)])?;
        let mut domain = limited(&universe, Limits::default());
        // They are read when the first trace asks for them: all else was made before.
        universe.load(b"Seed").expect("the class is right");
        let before = domain.classes;
        assert_eq!(domain.call_static("Seed", "run", "()I", &[]), Ok(Some(Value::Int(7))));
        Some(domain.classes - before)
    };
    let (Some(few), Some(many)) = (lines(1), lines(60_000)) else { return };
    assert!(many > few + 3 * 60_000, "{few} {many}");
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
