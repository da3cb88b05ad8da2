//! The process with the kernel's verifier and interpreter, `kernel/test/host.c`.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

use carnet_program::limits::Budget;

/// What it says of a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Rejected {
        rule: u32,
        unsupported: bool,
    },
    /// It was not run, since it needs more memory than the test has.
    Accepted,
    Ran {
        status: (u32, u32),
        pc: u32,
        used: [u64; 5],
        words: Vec<u64>,
    },
}

pub(crate) struct Host {
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

/// Compiles it, with sanitizers; `None` without a compiler.
fn built() -> Option<&'static Path> {
    static BUILT: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
        if Command::new("gcc").arg("--version").stdout(Stdio::null()).status().is_err() {
            println!("skipped: there is no gcc to compile the kernel's verifier and interpreter with");
            return None;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("carnet-kernel-host");
        let sources = ["test/host.c", "carnet_verify.c", "carnet_interp.c", "carnet_operations.c"];
        let output = Command::new("gcc")
            .args([
                "-std=gnu11",
                "-g",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-Wno-missing-field-initializers",
            ])
            .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"])
            .arg(&program)
            .args(sources.map(|source| root.join(source)))
            .output()
            .expect("gcc starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(program)
    });
    BUILT.as_deref()
}

impl Host {
    pub(crate) fn start() -> Option<Host> {
        let mut child =
            Command::new(built()?).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Some(Host { child, to, from: BufReader::new(from) })
    }

    /// Verifies and runs a program; also how many signals came. What a sanitizer finds is on standard error.
    pub(crate) fn ask(
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
        self.to.write_all(&request).expect("the host reads");
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the host answers");
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
