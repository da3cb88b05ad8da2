//! What a program does does not depend on how many variables its methods have, and how deep their stacks are: where registers cannot all be
//! named, they lie elsewhere.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_fuzz::java_programs::javac;
use carnet_runtime::domain::{Collecting, Domain, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

/// Variables of methods: the fewest that the program has, and such around what operations can name, with a stack that is deep or not.
const VARIABLES: [usize; 9] = [16, 119, 120, 240, 241, 242, 243, 400, 65_000];
/// Slots of the stack that hold something while others are called.
const HELD: [usize; 3] = [4, 130, 300];

/// How often methods that do so are called.
const TIMES: usize = 10;

/// A method under way: its text, and its variables by slot with their types in frames.
struct Method {
    text: String,
    variables: Vec<(usize, &'static str)>,
    count: usize,
}

impl Method {
    /// A method with these parameters, which fills its variables and holds as many texts as said while others are called.
    fn new(head: &str, parameters: &[&'static str], (count, held): (usize, usize)) -> Method {
        let mut method = Method {
            text: format!("method {head}\n stack {} locals {count}\n", held + 4),
            variables: Vec::new(),
            count,
        };
        let mut slot = 0;
        for of in parameters {
            method.variables.push((slot, of));
            slot += if *of == "long" { 2 } else { 1 };
        }
        let own = 6;
        for at in 0..own {
            let place = slot + at * (count - slot - 2) / (own - 1);
            let (of, text) = match at % 2 {
                0 => ("java/lang/String", format!(" ldc \"variable{at}\"\n wide_astore {place}\n")),
                _ => ("long", format!(" ldc2_w long {at}\n wide_lstore {place}\n")),
            };
            method.variables.push((place, of));
            method.text += &text;
        }
        method
    }

    fn adds(mut self, text: &str) -> Method {
        self.text += text;
        self
    }

    /// Calls others while texts are on the stack.
    fn acts(mut self, held: usize) -> Method {
        (0..held).for_each(|at| writeln!(self.text, " ldc \"stacked{}\"", at % 20).expect("a text"));
        self.text += " invokestatic Acts.act()V\n";
        self.text += &" invokestatic Acts.add(Ljava/lang/String;)V\n".repeat(held);
        self.tells()
    }

    /// Tells all variables.
    fn tells(mut self) -> Method {
        for (slot, of) in &self.variables {
            self.text += &match *of {
                "java/lang/String" => {
                    format!(" wide_aload {slot}\n invokestatic Acts.add(Ljava/lang/String;)V\n")
                }
                "long" => format!(" wide_lload {slot}\n invokestatic Acts.add(J)V\n"),
                _ => continue,
            };
        }
        self
    }

    /// A frame with all variables, and this on the stack.
    fn frame(mut self, stack: &str) -> Method {
        let mut types = vec!["top"; self.count];
        let mut covered = Vec::new();
        for (slot, of) in &self.variables {
            types[*slot] = of;
            covered.extend((*of == "long").then_some(slot + 1));
        }
        let types = types.iter().enumerate().filter(|(slot, _)| !covered.contains(slot)).map(|(_, of)| *of);
        writeln!(self.text, " frame full {} / {stack}", types.collect::<Vec<_>>().join(" ")).expect("a text");
        self
    }

    /// Catches what is thrown, and tells all variables after it.
    fn catches(self) -> Method {
        self.adds(" handler from to caught any\nfrom:\n invokestatic Acts.fail()V\nto:\n goto on\ncaught:\n")
            .frame("java/lang/Throwable")
            .adds(" pop\n")
            .tells()
            .adds("on:\n")
            .frame("")
    }
}

/// Gives up the monitor of a synchronized method.
const LEAVE: &str = " ldc class Seed\n monitorexit\n";

/// A loader whose methods have so many variables, and hold as much on their stacks.
fn seed(size: (usize, usize)) -> String {
    const GIVEN: &[&str] = &["java/lang/String", "long"];
    const OWN: &[&str] = &["Seed", "java/lang/String", "long"];
    let to = "(Ljava/lang/String;J)Ljava/lang/Object; public static";
    let number = " invokestatic Acts.number()Ljava/lang/Object;\n";
    let fresh = |head: &str, parameters| Method::new(head, parameters, size).acts(size.1);
    let methods = [
        fresh(&format!("many {to}"), GIVEN).catches().adds(number).adds(" areturn\n"),
        // The exception of a monitor that was given up is caught where it is thrown.
        fresh(&format!("gives {to} synchronized"), GIVEN)
            .adds(LEAVE)
            .adds(number)
            .adds(" handler from to caught java/lang/IllegalMonitorStateException\nfrom:\n areturn\nto:\ncaught:\n")
            .frame("java/lang/IllegalMonitorStateException")
            .adds(" pop\n")
            .tells()
            .adds(" ldc class Seed\n monitorenter\n ldc \"again\"\n areturn\n"),
        // Nobody catches it, and it comes in the place of another one.
        fresh(&format!("loses {to} synchronized"), GIVEN).adds(LEAVE).adds(number).adds(" areturn\n"),
        fresh(&format!("hides {to} synchronized"), GIVEN)
            .adds(LEAVE)
            .adds(" invokestatic Acts.fail()V\n aconst_null\n areturn\n"),
        Method::new("<init> (Ljava/lang/String;J)V public", OWN, size)
            .adds(" aload_0\n invokespecial java/lang/ClassLoader.<init>()V\n")
            .acts(size.1)
            .catches()
            .adds(" return\n"),
        fresh("loadClass (Ljava/lang/String;)Ljava/lang/Class; public", &["Seed", "java/lang/String"])
            .catches()
            .adds(" aload_0\n aload_1\n")
            .adds(" invokestatic Acts.load(Ljava/lang/ClassLoader;Ljava/lang/String;)Ljava/lang/Class;\n areturn\n"),
        fresh("<clinit> ()V static", &[]).catches().adds(" return\n"),
    ];
    let through = |name: &str, called: &str| {
        format!(
            "method {name} {to}\n stack 3 locals 3\n aload_0\n lload_1\n \
             invokestatic Seed.{called}(Ljava/lang/String;J)Ljava/lang/Object;\n areturn\n"
        )
    };
    let methods: String = methods.into_iter().map(|method| method.text).collect();
    let through = through("through", "many") + &through("throughGives", "gives");
    format!("class Seed extends java/lang/ClassLoader\n{methods}{through}")
}

/// What the program says whose methods have so many variables.
fn told(folder: &Path, size: (usize, usize), collecting: Collecting) -> String {
    let bytes = assemble(&seed(size)).expect("the text is right");
    std::fs::write(folder.join("Seed.class"), bytes).expect("it is written");
    let library = Library::open(installed_jdk().as_deref(), &[folder.to_owned()]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let limits = Limits { heap: 16 << 20, time: Duration::from_secs(300), ..Limits::default() };
    let output = Written::default();
    let io = Io { output: Output::memory(output.clone()), ..Io::none() };
    let mut domain = Domain::new(universe, limits, io).expect("a domain");
    domain.heap.collecting = collecting;
    let ended = domain.run_main("Drive", &[]);
    let text = String::from_utf8(output.take()).expect("a text");
    if ended == Ok(0) { text } else { format!("{text}{ended:?}\n") }
}

fn folder() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Drive.java"), include_str!("frames/Drive.java"))
        .expect("it is written");
    javac(folder.path(), &["Drive.java"]).then_some(folder)
}

/// The program does what it does on HotSpot.
fn check(collecting: Collecting) {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    for size in VARIABLES.into_iter().flat_map(|count| HELD.map(|held| (count, held))) {
        let found = told(folder.path(), size, collecting);
        let (stacked, rest): (Vec<&str>, Vec<&str>) =
            found.lines().partition(|line| line.starts_with("stacked"));
        let expected = include_str!("frames/hotspot.out").lines().filter(|line| !line.starts_with("stacked"));
        if !rest.iter().copied().eq(expected.clone()) || stacked.len() != TIMES * size.1 {
            let differs = rest.iter().zip(expected).position(|(found, expected)| *found != expected);
            let seen = differs.map(|at| &rest[at.saturating_sub(5)..=at]);
            wrong.push(format!("{size:?}: {} lines, {} stacked; {seen:?}", rest.len(), stacked.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn methods_do_the_same_with_any_number_of_variables() {
    check(Collecting::WhenFull);
}

#[test]
fn methods_do_the_same_while_objects_move() {
    check(Collecting::Always);
}

/// Prints what HotSpot is to say: `SEED=folder` has the classes written there.
#[test]
#[ignore = "writes the classes for HotSpot"]
fn classes_for_hotspot() {
    let into = std::env::var("SEED").expect("a folder");
    let bytes = assemble(&seed((VARIABLES[0], HELD[0]))).expect("the text is right");
    std::fs::write(Path::new(&into).join("Seed.class"), bytes).expect("it is written");
}
