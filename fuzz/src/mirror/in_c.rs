//! The service and the client in C: `mirror.c` with the stubs that are made now, built with sanitizers, behind pipes.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::message::Body;
use super::{Answer, Believed, module};

const HARNESS: &str = include_str!("mirror.c");

/// What the sanitizers are told: what is reached by nobody at the end is no fault, since the program ends with its input.
const QUIET: &str = "detect_leaks=0";

/// The program, which ends with its input.
pub struct InC {
    input: ChildStdin,
    output: ChildStdout,
    child: Child,
}

impl InC {
    /// Builds and starts it; why not, if there is no compiler with sanitizers.
    ///
    /// # Errors
    /// What is missing.
    ///
    /// # Panics
    /// If the compiler does not take what was generated.
    pub fn start() -> Result<InC, String> {
        let folder = std::env::temp_dir().join(format!("carnet-fuzz-c-{}", std::process::id()));
        let started = build(&folder).map(|()| run(&folder));
        // What runs needs its file no more.
        let _gone = std::fs::remove_dir_all(&folder);
        started
    }

    /// What the service answers to operation `op`; `room` says how little room there is when it is served once more.
    ///
    /// # Panics
    /// If a sanitizer finds a fault.
    pub fn call(&mut self, op: u16, body: &Body, room: u16) -> Answer {
        self.exchange([0, op, 0, room], body);
        let (status, raised, body) = self.answer();
        Answer { status, raised, body }
    }

    /// What the client makes of a reply to operation `op`.
    ///
    /// # Panics
    /// If a sanitizer finds a fault, or it takes a value that it cannot send.
    pub fn reply(&mut self, op: u16, answer: &Answer) -> Believed {
        self.exchange([1, answer.status, answer.raised, op], &answer.body);
        match self.answer() {
            (op, 1, body) => Believed::Value(op, body),
            (status, ..) => Believed::Refused(status),
        }
    }

    fn exchange(&mut self, [side, op, raised, more]: [u16; 4], body: &Body) {
        let mut record = vec![side as u8, body.portals];
        [op, raised, more].iter().for_each(|word| record.extend(word.to_le_bytes()));
        record.extend((body.bytes.len() as u32).to_le_bytes());
        record.extend(&body.bytes);
        // If it is gone the answer tells.
        let _gone = self.input.write_all(&record);
    }

    fn answer(&mut self) -> (u16, u16, Body) {
        let mut head = [0; 12];
        self.read(&mut head);
        let word = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let mut bytes = vec![0; u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize];
        self.read(&mut bytes);
        (word(2), word(4), Body { portals: head[1], bytes })
    }

    fn read(&mut self, bytes: &mut [u8]) {
        if self.output.read_exact(bytes).is_err() {
            panic!("what was generated in C has a fault, named above: {:?}", self.child.wait());
        }
    }
}

fn build(folder: &Path) -> Result<(), String> {
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text)
            .unwrap_or_else(|error| panic!("cannot write {name}: {error}"));
    };
    std::fs::create_dir_all(folder).unwrap_or_else(|error| panic!("cannot make a folder: {error}"));
    // Not optimised: that takes longer than the seconds that are fuzzed.
    let options =
        ["-std=c11", "-g", "-Wall", "-Wextra", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    write("none.c", "int main(void) { return 0; }\n");
    let gcc = || {
        let mut command = Command::new("gcc");
        command.current_dir(folder).args(options).arg("-I.");
        command
    };
    match gcc().args(["none.c", "-o", "none"]).output() {
        Ok(output) if output.status.success() => {}
        _ => return Err("there is no gcc with sanitizers".to_owned()),
    }
    carnet_idl::C_RUNTIME.iter().for_each(|(name, text)| write(name, text));
    write("mirror.h", &carnet_idl::generate_c(module()));
    write("operations.h", &operations());
    write("mirror.c", HARNESS);
    let output = gcc().args(["mirror.c", "-o", "mirror"]).output().map_err(|error| error.to_string())?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The numbers of the root's operations.
fn operations() -> String {
    let operations = super::root().operations.iter().enumerate();
    operations.map(|(number, operation)| format!("#define OP_{} {number}\n", operation.name)).collect()
}

fn run(folder: &Path) -> InC {
    let mut child = Command::new(folder.join("mirror"))
        .env("ASAN_OPTIONS", QUIET)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("the program in C does not start: {error}"));
    match (child.stdin.take(), child.stdout.take()) {
        (Some(input), Some(output)) => InC { input, output, child },
        _ => panic!("a program without pipes"),
    }
}
