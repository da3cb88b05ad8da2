//! Calls of a program are answered and refused as single calls are: random sequences of them over the files service, one by one through
//! generated stubs, and as one program that goes on behind each refusal.
//!
//! Each sequence works in a new directory, once each way, and what is left in it is compared, too. Half of them have the directory for
//! reading only. Paths are good ones, ones that are not there, and ones that lead out.

use std::fmt::Write as _;
use std::path::Path;

use carnet_files::files::{self, Dir, Kind, Reason};
use carnet_portal::stub::CallError;
use carnet_programs::Shipped;

use crate::served::{Served, tool};

const SEQUENCES: u64 = 30;
const CALLS: usize = 40;

/// Few names, so that calls meet what others left, and some that are never good.
const PATHS: [&str; 12] =
    ["a", "a", "b", "b", "d", "d/a", "d/b", "d/e", "", ".", "../socket", "d/../../socket"];
const NUMBERS: [i64; 7] = [-1, 0, 1, 3, 0o644, 0o7777, i64::MAX];

/// One call, or two of which the first gives a portal.
#[derive(Clone, Copy, Debug)]
enum Step {
    MakeDir(&'static str),
    RemoveDir(&'static str),
    Remove(&'static str),
    Rename(&'static str, &'static str),
    SetMode(&'static str, i64),
    Append(&'static str),
    Write(&'static str, i64),
    Truncate(&'static str, i64),
    Read(&'static str, i64, i64),
    Size(&'static str),
    IsFile(&'static str),
    Hash(&'static str, i64),
    Narrow(&'static str, &'static str),
}

/// What came of it: a number and bytes, or a reason and a message.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    reason: i64,
    message: Vec<u8>,
    number: i64,
    data: Vec<u8>,
}

/// Stands for a call that was not refused.
const ANSWERED: i64 = -1;

/// Numbers of a seed, by xorshift.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn step(&mut self) -> Step {
        let (path, other) = (PATHS[self.below(PATHS.len())], PATHS[self.below(PATHS.len())]);
        let (number, more) = (NUMBERS[self.below(NUMBERS.len())], NUMBERS[self.below(NUMBERS.len())]);
        match self.below(13) {
            0 => Step::MakeDir(path),
            1 => Step::RemoveDir(path),
            2 => Step::Remove(path),
            3 => Step::Rename(path, other),
            // Nothing is closed to the one who looks at what is left.
            4 => Step::SetMode(path, number & 0o777_777 | 0o700),
            5 => Step::Append(path),
            // Far enough for no file to become large.
            6 => Step::Write(path, number.min(0o7777)),
            7 => Step::Truncate(path, number.min(0o7777)),
            8 => Step::Read(path, number, more),
            9 => Step::Size(path),
            10 => Step::IsFile(path),
            11 => Step::Hash(path, number),
            _ => Step::Narrow(path, other),
        }
    }
}

impl Step {
    /// The calls in a program: all that may be refused, the last of which gives a number or bytes, if there are any.
    fn source(self) -> (Vec<String>, &'static str) {
        let one = |call: String| (vec![format!("root.{call}")], "");
        let two = |first: String, second: String, gives| {
            (vec![format!("let at = root.{first}"), format!("let got = at.{second}")], gives)
        };
        match self {
            Step::MakeDir(path) => one(format!("make_dir({path:?})")),
            Step::RemoveDir(path) => one(format!("remove_dir({path:?})")),
            Step::Remove(path) => one(format!("remove({path:?})")),
            Step::Rename(path, to) => one(format!("rename({path:?}, {to:?})")),
            Step::SetMode(path, mode) => one(format!("set_mode({path:?}, {mode})")),
            Step::Append(path) => {
                two(format!("create({path:?})"), "append(content)".to_owned(), "number: got")
            }
            Step::Write(path, pos) => {
                two(format!("edit({path:?})"), format!("write({pos}, content)"), "number: got")
            }
            Step::Truncate(path, size) => {
                let (mut calls, _) = two(format!("edit({path:?})"), String::new(), "");
                calls[1] = format!("at.truncate({size})");
                (calls, "")
            }
            Step::Read(path, pos, n) => {
                two(format!("open({path:?})"), format!("read({pos}, {n})"), "data: got")
            }
            Step::Size(path) => two(format!("open({path:?})"), "size()".to_owned(), "number: got"),
            Step::IsFile(path) => {
                (vec![format!("let got = root.stat({path:?})")], "number: is_file(got.kind)")
            }
            Step::Hash(path, n) => two(format!("open_hash({path:?})"), format!("step({n})"), "number: got"),
            Step::Narrow(path, made) => {
                let (mut calls, _) = two(format!("narrow({path:?}, true)"), String::new(), "");
                calls[1] = format!("at.make_dir({made:?})");
                (calls, "")
            }
        }
    }

    fn singly(self, root: &Dir) -> Result<(i64, Vec<u8>), CallError<files::Error>> {
        let nothing = |()| (0, Vec::new());
        let number = |number: i64| (number, Vec::new());
        let path = |path: &'static str| path.as_bytes();
        match self {
            Step::MakeDir(at) => root.make_dir(path(at)).map(nothing),
            Step::RemoveDir(at) => root.remove_dir(path(at)).map(nothing),
            Step::Remove(at) => root.remove(path(at)).map(nothing),
            Step::Rename(at, to) => root.rename(path(at), path(to)).map(nothing),
            Step::SetMode(at, mode) => root.set_mode(path(at), mode as i32).map(nothing),
            Step::Append(at) => root.create(path(at))?.append(CONTENT).map(number),
            Step::Write(at, pos) => root.edit(path(at))?.write(pos, CONTENT).map(number),
            Step::Truncate(at, size) => root.edit(path(at))?.truncate(size).map(nothing),
            Step::Read(at, pos, n) => root.open(path(at))?.read(pos, n).map(|data| (0, data)),
            Step::Size(at) => root.open(path(at))?.size().map(number),
            Step::IsFile(at) => root.stat(path(at)).map(|info| number(i64::from(info.kind == Kind::File))),
            Step::Hash(at, n) => root.open_hash(path(at))?.step(n).map(number),
            Step::Narrow(at, made) => root.narrow(path(at), true)?.make_dir(path(made)).map(nothing),
        }
    }
}

const CONTENT: &[u8] = b"content";

/// A program of these calls.
fn program(steps: &[Step]) -> Shipped {
    let mut source = "use files\n
record Said { refused: bool, reason: Reason, message: string(8192), number: int, data: bytes(8_000) }
fn is_file(kind: Kind) -> int {
  if kind == Kind.file { return 1 }
  return 0
}
program alike(root: Dir, content: bytes(100)) -> list(Said, 100) {
  var all: list(Said, 100)
"
    .to_owned();
    for step in steps {
        let (calls, gives) = step.source();
        source.push_str("  for once in 0 .. 1 {\n");
        for call in calls {
            // What is asked behind `let` stands there.
            let (name, asked) = call
                .split_once(" = ")
                .map_or((String::new(), &call[..]), |(name, asked)| (format!("{name} = "), asked));
            let _ = writeln!(
                source,
                "    {name}try {asked} else {{
      all.add(Said(refused: true, reason: error.kind, message: error.message))
      break
    }}"
            );
        }
        let gives = if gives.is_empty() { String::new() } else { format!(", {gives}") };
        let _ = writeln!(source, "    all.add(Said(refused: false, reason: Reason.io{gives}))\n  }}");
    }
    source.push_str("  return all\n}\n");
    Shipped { file: "alike.carnet", source: source.leak() }
}

fn by_program(served: &Served, steps: &[Step], root: &str) -> Vec<Said> {
    served.done(program(steps), &[root, "content=content"], |result| {
        result.list(|said| {
            let (refused, reason) = (said.int() != 0, said.int());
            let (message, number, data) = (said.text(), said.int(), said.text());
            Said { reason: if refused { reason } else { ANSWERED }, message, number, data }
        })
    })
}

fn by_calls(root: &Dir, steps: &[Step]) -> Vec<Said> {
    let said = |step: &Step| match step.singly(root) {
        Ok((number, data)) => Said { reason: ANSWERED, message: Vec::new(), number, data },
        Err(CallError::Raised(error)) => Said {
            reason: error.kind as i64,
            message: error.message.into_bytes(),
            number: 0,
            data: Vec::new(),
        },
        Err(failed) => panic!("{step:?}: {failed}"),
    };
    steps.iter().map(said).collect()
}

/// Names, kinds, modes and contents.
fn left(root: &Path) -> Vec<u8> {
    tool(
        root,
        "find . -mindepth 1 -printf '%P %y %m ' -type f -exec sha256sum {} ';' -o -mindepth 1 -printf '\\n' | sort",
    )
}

#[test]
fn random_calls_are_answered_and_refused_alike() {
    let (mut answered, mut refused) = (0, [0; 1 + Reason::Io as usize]);
    for seed in 1..=SEQUENCES {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let steps: Vec<Step> = (0..CALLS).map(|_| numbers.step()).collect();
        let is_read_only = seed % 2 == 0;
        let [programs, calls] = [(); 2].map(|()| Served::new());
        for served in [&programs, &calls] {
            std::fs::write(served.dir("d").join("a"), b"there").expect("a file");
        }
        let root = calls.files();
        let root = if is_read_only { root.narrow(b".", true).expect("it is there") } else { root };
        let by_calls = by_calls(&root, &steps);
        let by_program = by_program(&programs, &steps, if is_read_only { "root=/:ro" } else { "root=/" });
        assert_eq!(by_program.len(), CALLS, "seed {seed}");
        for (step, (by_program, by_call)) in steps.iter().zip(by_program.iter().zip(&by_calls)) {
            assert_eq!(by_program, by_call, "seed {seed}: {step:?}");
        }
        assert_eq!(left(&programs.root()), left(&calls.root()), "seed {seed}");
        for said in by_calls {
            match usize::try_from(said.reason) {
                Ok(reason) => refused[reason] += 1,
                Err(_) => answered += 1,
            }
        }
    }
    // Of both there were some, and refusals for many reasons.
    let reasons = refused.iter().filter(|count| **count > 0).count();
    assert!(
        answered > 100 && refused[Reason::Outside as usize] > 20 && reasons >= 7,
        "{answered}, {refused:?}"
    );
}
