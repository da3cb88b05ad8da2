//! The process with the kernel's verifier and interpreter, `kernel/test/host.c`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use carnet_program::limits::Budget;

/// What it says of a program.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was rejected.
    Rejected {
        /// `enum carnet_rule`.
        rule: u32,
        /// Whether it may be fine.
        unsupported: bool,
    },
    /// It was not run, since it needs more memory than the test has.
    Accepted,
    /// It was run.
    Ran {
        /// Status and detail.
        status: (u32, u32),
        /// The instruction.
        pc: u32,
        /// Instructions, calls, writes, bytes written, memory.
        used: [u64; 5],
        /// Variables, and the counts behind them.
        words: Vec<u64>,
    },
}

/// It runs, and answers.
#[derive(Debug)]
pub struct Host {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Drop for Host {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Compiles it, with sanitizers; why not, without a compiler.
fn build(program: &Path) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let gcc = || Command::new("gcc");
    if gcc().arg("--version").stdout(Stdio::null()).status().is_err() {
        return Err("there is no gcc to compile the kernel's verifier and interpreter with".to_owned());
    }
    let sources = ["test/host.c", "carnet_verify.c", "carnet_interp.c", "carnet_operations.c"];
    let output = gcc()
        .args(["-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"])
        .arg(program)
        .args(sources.map(|source| root.join(source)))
        .output()
        .map_err(|error| error.to_string())?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

impl Host {
    /// Builds and starts it; why not, if there is no compiler.
    ///
    /// # Errors
    /// What is missing.
    ///
    /// # Panics
    /// If the compiler does not take it.
    pub fn start() -> Result<Host, String> {
        static BUILT: AtomicU32 = AtomicU32::new(0);
        let number = BUILT.fetch_add(1, Ordering::Relaxed);
        let name = format!("carnet-kernel-host-{}-{number}", std::process::id());
        let program = std::env::temp_dir().join(name);
        build(&program)?;
        let child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        // What runs needs its file no more.
        let _gone = std::fs::remove_file(&program);
        let mut child = child.map_err(|error| error.to_string())?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(to), Some(from)) => Ok(Host { child, to, from: BufReader::new(from) }),
            _ => panic!("a program without pipes"),
        }
    }

    /// Verifies and runs a program; also how many signals came. What a sanitizer finds is on standard error.
    ///
    /// # Panics
    /// If it finds something.
    pub fn ask(
        &mut self,
        program: &[u8],
        budget: &Budget,
        given: &[u64],
        every: u32,
        texts: &[(u32, Vec<u8>)],
    ) -> (Verdict, u32) {
        let mut request = Vec::new();
        let head = [program.len() as u32, given.len() as u32, every, texts.len() as u32];
        head.iter().for_each(|word| request.extend(word.to_le_bytes()));
        request.extend(program);
        let limits = [
            budget.instructions_left,
            budget.calls_left,
            budget.writes_left,
            budget.written_left,
            budget.memory_max,
        ];
        limits.iter().chain(given).for_each(|word| request.extend(word.to_le_bytes()));
        for (param, text) in texts {
            request.extend(param.to_le_bytes());
            request.extend((text.len() as u32).to_le_bytes());
            request.extend(text);
        }
        let mut line = String::new();
        // If it is gone the missing answer tells.
        let _gone = self.to.write_all(&request).and_then(|()| self.from.read_line(&mut line));
        answer(line.trim_end())
            .unwrap_or_else(|| panic!("the host has ended at {program:?} {given:?}: {line}"))
    }
}

fn answer(line: &str) -> Option<(Verdict, u32)> {
    if line == "accepted" {
        return Some((Verdict::Accepted, 0));
    }
    if let Some(why) = line.strip_prefix("rejected ") {
        let mut words = why.split(' ').map(|word| word.parse::<u32>().ok());
        let (rule, unsupported) = (words.next()??, words.next()?? == 1);
        return Some((Verdict::Rejected { rule, unsupported }, 0));
    }
    let (numbers, words) = line.split_once(" :")?;
    let numbers: Vec<u64> = numbers.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let [status, detail, pc, used @ .., signals] = &numbers[..] else { return None };
    let words =
        words.split_whitespace().map(|word| u64::from_str_radix(word, 16).ok()).collect::<Option<_>>()?;
    let status = (*status as u32, *detail as u32);
    let used = used.try_into().ok()?;
    Some((Verdict::Ran { status, pc: *pc as u32, used, words }, *signals as u32))
}
