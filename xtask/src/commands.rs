//! The commands, each a list of programs to start.
//!
//! Everything is built with `--locked`: what was tested is what Cargo.lock says.

use std::path::Path;

use crate::setup;
use crate::steps::{Line, Step, Work, run_all};
use crate::{applet, table, tcb, tidy};

/// A command of `cargo xtask`.
pub(crate) struct Command {
    pub(crate) name: &'static str,
    usage: &'static str,
    about: &'static str,
    /// Runs it in the repository at the path, with the words after its name.
    pub(crate) run: fn(&Path, &[String]) -> Result<(), String>,
}

/// All commands, in the order in which they are listed.
pub(crate) const ALL: &[Command] = &[
    Command { name: "demo", usage: "demo", about: "see on real files what Carnet is for", run: demo },
    Command { name: "test", usage: "test", about: "every check and every test", run: test },
    Command { name: "tidy", usage: "tidy", about: "a test of the source itself", run: run_tidy },
    Command {
        name: "bench",
        usage: "bench [NAME…] [--json] [--tiny]",
        about: "benchmarks beside their rivals; all without a name",
        run: bench,
    },
    Command {
        name: "bless",
        usage: "bless [ARGS of cargo test]",
        about: "accept present output of text cases; review the diff",
        run: bless,
    },
    Command { name: "fuzz", usage: "fuzz [ARGS]", about: "the fuzz targets", run: fuzz },
    Command {
        name: "verify-long",
        usage: "verify-long",
        about: "the class verifier at length, with HotSpot as the judge",
        run: verify_long,
    },
    Command {
        name: "applet-size",
        usage: "applet-size",
        about: "how small the engine for applets is, beside JIVE",
        run: applet_size,
    },
    Command {
        name: "kernel-test",
        usage: "kernel-test",
        about: "the kernel module in an emulator: its own tests, the shared cases, changed programs",
        run: kernel_test,
    },
    Command { name: "tcb", usage: "tcb", about: "what must be right for all else to be safe", run: run_tcb },
    Command {
        name: "docs-table",
        usage: "docs-table [--check]",
        about: "make the README's table from bench/results",
        run: docs_table,
    },
    Command {
        name: "setup",
        usage: "setup [COMMAND]",
        about: "install or name what a command needs, or all of them",
        run: run_setup,
    },
];

/// Looks a command up by name.
pub(crate) fn find(name: &str) -> Option<&'static Command> {
    ALL.iter().find(|command| command.name == name)
}

/// The list of commands, for people.
pub(crate) fn usage() -> String {
    let mut text = String::from("cargo xtask COMMAND\n\n");
    for command in ALL {
        text += &format!("  {:32} {}\n", command.usage, command.about);
    }
    text
}

fn demo(root: &Path, rest: &[String]) -> Result<(), String> {
    Line::new("run --release --locked -p carnet --bin carnet-demo --").and(rest).run(root)
}

fn test(root: &Path, rest: &[String]) -> Result<(), String> {
    no_words(rest)?;
    setup::meet(Some("test"))?;
    let check_tidy = || tidy::check(root);
    let check_size = || applet::size(root);
    let kernel = match setup::meet(Some("kernel-test")) {
        Ok(()) => cargo("kernel module", "run --locked --quiet -p carnet-kernel-bed -- test"),
        Err(why) => Step { name: "kernel module", work: Work::Skip(why) },
    };
    run_all(
        root,
        &[
            cargo("format", "fmt --all --check"),
            Step { name: "tidy", work: Work::Check("cargo xtask tidy", &check_tidy) },
            cargo("clippy", "clippy --workspace --all-targets --locked --quiet -- -D warnings"),
            Step { name: "applet, size", work: Work::Check("cargo xtask applet-size", &check_size) },
            cargo("tests", "test --workspace --lib --bins --tests --examples --locked --quiet"),
            cargo("doc tests", "test --workspace --doc --locked --quiet"),
            kernel,
            if_there(
                root,
                "benchmarks, tiny",
                "bench/src/main.rs",
                "run --locked --quiet -p carnet-bench -- --tiny",
            ),
            if_there(
                root,
                "fuzz, 5 s",
                "fuzz/src/main.rs",
                "run --locked --quiet -p carnet-fuzz -- --seconds 5",
            ),
        ],
    )
}

fn cargo(name: &'static str, line: &str) -> Step<'static> {
    Step { name, work: Work::Cargo(Line::new(line)) }
}

/// A step that is skipped, with the reason, as long as its program is not there.
fn if_there(root: &Path, name: &'static str, file: &str, line: &str) -> Step<'static> {
    if root.join(file).exists() {
        return cargo(name, line);
    }
    Step { name, work: Work::Skip(format!("there is no {file} yet")) }
}

fn run_tidy(root: &Path, rest: &[String]) -> Result<(), String> {
    no_words(rest)?;
    setup::meet(Some("tidy"))?;
    tidy::check(root)
}

fn run_tcb(root: &Path, rest: &[String]) -> Result<(), String> {
    no_words(rest)?;
    tcb::print(root)
}

/// The kernel's are counted in an emulator, and need other things.
fn bench(root: &Path, rest: &[String]) -> Result<(), String> {
    let (kernel, others): (Vec<String>, Vec<String>) =
        rest.iter().cloned().partition(|word| word == "kernel");
    let is_named = |word: &String| !word.starts_with("--");
    if kernel.is_empty() || others.iter().any(is_named) {
        setup::meet(Some("bench"))?;
        Line::new("run --release --locked --quiet -p carnet-bench --").and(&others).run(root)?;
    }
    if kernel.is_empty() && others.iter().any(is_named) {
        return Ok(());
    }
    let json = others.iter().find(|word| *word == "--json").cloned();
    match setup::meet(Some("kernel-test")) {
        Err(why) if kernel.is_empty() => {
            eprintln!("kernel: skipped: {why}");
            Ok(())
        }
        met => {
            met?;
            Line::new("run --locked --quiet -p carnet-kernel-bed -- bench").and(json.as_slice()).run(root)
        }
    }
}

fn kernel_test(root: &Path, rest: &[String]) -> Result<(), String> {
    no_words(rest)?;
    setup::meet(Some("kernel-test"))?;
    Line::new("run --locked --quiet -p carnet-kernel-bed -- test").run(root)
}

fn bless(root: &Path, rest: &[String]) -> Result<(), String> {
    let line = Line::new("test --locked --quiet").with("BLESS", "1").with("INSTA_UPDATE", "always");
    let all = ["--workspace".to_owned()];
    line.and(if rest.is_empty() { &all } else { rest }).run(root)
}

fn fuzz(root: &Path, rest: &[String]) -> Result<(), String> {
    Line::new("run --release --locked --quiet -p carnet-fuzz --").and(rest).run(root)
}

fn verify_long(root: &Path, rest: &[String]) -> Result<(), String> {
    no_words(rest)?;
    setup::meet(Some("verify-long"))?;
    let all = ["--", "--include-ignored", "--nocapture"].map(str::to_owned);
    let tests = "test --locked -p carnet-classes -p carnet-fuzz -p carnet-applet --test java_base --test hotspot --test applets";
    Line::new(tests).and(&all).run(root)?;
    // Of the runtime and of random programs; there is another test of this name.
    Line::new("test --locked -p carnet-runtime -p carnet-fuzz --test programs").and(&all).run(root)?;
    // What lies: processes beside objects, and programs of Linux calls.
    let tests = "test --locked -p carnet-program -p carnet-linux --test host --test hostile --test together";
    Line::new(tests).and(&["--", "--ignored", "--nocapture"].map(str::to_owned)).run(root)
}

fn applet_size(root: &Path, rest: &[String]) -> Result<(), String> {
    no_words(rest)?;
    applet::size(root)
}

fn docs_table(root: &Path, rest: &[String]) -> Result<(), String> {
    match rest {
        [] => table::write(root),
        [word] if word == "--check" => table::check(root),
        _ => Err("docs-table takes --check or nothing".to_owned()),
    }
}

fn run_setup(_root: &Path, rest: &[String]) -> Result<(), String> {
    match rest {
        [] => setup::meet(None)?,
        [name] if setup::commands().contains(&name.as_str()) => setup::meet(Some(name))?,
        _ => return Err(format!("setup takes one of: {}; or nothing", setup::commands().join(", "))),
    }
    println!("ready");
    Ok(())
}

fn no_words(rest: &[String]) -> Result<(), String> {
    match rest {
        [] => Ok(()),
        [word, ..] => Err(format!("this command takes no words, found `{word}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_found_by_its_name_and_listed() {
        for command in ALL {
            assert!(command.usage.starts_with(command.name));
            assert!(find(command.name).is_some_and(|found| found.usage == command.usage));
            assert!(usage().contains(command.about));
        }
        assert!(find("nothing").is_none());
    }

    #[test]
    fn whoever_has_needs_is_a_command() {
        for name in setup::commands() {
            assert!(find(name).is_some(), "{name} has needs and is no command");
        }
    }
}
