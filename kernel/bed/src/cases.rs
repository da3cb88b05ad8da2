//! The cases that all engines share: programs that make only system calls, and what becomes of them.
//!
//! `cases/linux.cases` holds them one after the other:
//!
//! ```text
//! == name of the case
//! program p(os: System) …       source text, its `use` is added
//! #! calls=3 n=7                limits and arguments, if any
//! -- …                          what is expected: end and result
//!    used …                     instructions, calls (writes, bytes written), failed calls, bytes of texts held at the end
//! ```
//!
//! `tests/cases.rs` runs them as walked trees, as bytecode and as machine code, with a session of the Linux service, and as processes of
//! their own; `cargo xtask kernel-test` in the kernel. `BLESS=1` writes what the first of these do into the file.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use carnet_kernel::here::{DEVICE, Here, in_kernel};
use carnet_kernel::{End, Memory, Outcome, messages};
use carnet_portal::capability::Capability;
use carnet_program::bytecode::{Program, ResultKind, SlotType};
use carnet_program::eval::{Arg, Value};
use carnet_program::interp::Stop;
use carnet_program::limits::{Budget, Effective, LimitKind, Limits};
use carnet_program::protocol;
use carnet_program::tree::{Tree, Ty};
use carnet_program::verify::{Loaded, Registry, load};

use crate::programs::{compile, module};

/// The cases, as the file has them.
pub const CASES: &str = include_str!("../cases/linux.cases");

/// A case.
pub struct Case {
    /// Its name.
    pub name: String,
    /// Its part of the file, without what is expected.
    pub source: String,
    /// What is expected.
    pub expected: String,
    /// The program as a tree.
    pub tree: Tree,
    /// The program in bytecode.
    pub program: Program,
    /// The same, verified.
    pub loaded: Loaded,
    /// The limits of the run.
    pub limits: Limits,
    /// What it may use by these and by its header.
    pub budget: Budget,
    arguments: Vec<(String, String)>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// In words.
    pub how: String,
    /// Instructions, calls, writes, bytes written.
    pub used: [u64; 4],
    /// Calls that failed.
    pub failed: u64,
    /// Bytes that texts hold; a walked tree counts none.
    pub memory: Option<u64>,
}

impl Case {
    fn parse(block: &str) -> Result<Case, String> {
        let (name, rest) = block.split_once('\n').ok_or("a case has no name")?;
        let (source, expected) = rest.split_once("\n-- ").unwrap_or((rest, ""));
        let text = format!("use linux\n{source}");
        let modules = [std::sync::Arc::new(module().clone())];
        let tree = carnet_program::source::parse(&text, &modules)
            .map_err(|faults| carnet_idl::diagnostic::render(name, &text, &faults))?;
        let program = compile(name, &text)?;
        let loaded =
            load(&program.encode(), &Registry::new(&[module()])).map_err(|error| error.to_string())?;
        let (mut limits, mut arguments) = (Limits::UNLIMITED, Vec::new());
        let setting = source.lines().find_map(|line| line.strip_prefix("#! ")).unwrap_or_default();
        for word in setting.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let place = match key {
                "instructions" => &mut limits.instructions,
                "calls" => &mut limits.calls,
                "writes" => &mut limits.writes,
                "written" => &mut limits.written,
                "memory" => &mut limits.memory,
                _ => {
                    arguments.push((key.to_owned(), value.to_owned()));
                    continue;
                }
            };
            *place = value.parse().map_err(|_| format!("{name}: `{value}` is no number"))?;
        }
        let budget = Effective::new(&limits, &loaded.caps).budget();
        let (name, source) = (name.to_owned(), source.trim_end().to_owned());
        let expected =
            if expected.is_empty() { String::new() } else { format!("-- {}\n", expected.trim_end()) };
        Ok(Case { name, source, expected, tree, program, loaded, limits, budget, arguments })
    }

    /// All of them.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn all() -> Result<Vec<Case>, String> {
        format!("\n{CASES}").split("\n== ").skip(1).map(Case::parse).collect()
    }

    /// The arguments, with this portal.
    #[must_use]
    pub fn args(&self, portal: &Capability) -> Vec<Arg> {
        let arg = |param: &carnet_program::tree::Param| {
            let var = &self.tree.vars[param.var.index()];
            let given = self.arguments.iter().find(|(name, _)| *name == var.name);
            let given = given.map_or("", |(_, value)| value);
            match &var.ty {
                Ty::Portal(_) => Arg::Portal(portal.clone()),
                Ty::Int => Arg::Value(Value::Int(given.parse().unwrap_or(0))),
                Ty::Float(precision) => {
                    Arg::Value(Value::Float(precision.written(given).unwrap_or(precision.of(0.0))))
                }
                Ty::Bool => Arg::Value(Value::Bool(given == "true")),
                Ty::Enum(_) => Arg::Value(Value::Enum(given.parse().unwrap_or(0))),
                _ => Arg::Value(Value::Text(std::sync::Arc::new(given.as_bytes().to_vec()))),
            }
        };
        self.tree.params.iter().map(arg).collect()
    }

    /// Portals that nobody answers, for so many parameters.
    #[must_use]
    pub fn portals(count: usize) -> Vec<Arg> {
        vec![Arg::Portal(in_kernel()); count]
    }

    /// The case as the runner in the emulator reads it: lengths of program, variables and arena u32 each, and a zero; limits u64
    /// each; program; variables and arena in words.
    ///
    /// # Errors
    /// An argument that does not fit.
    pub fn packed(&self) -> Result<(Vec<u8>, Memory), String> {
        // The kernel asks for no object: the portal is what the program may do anyway.
        let memory =
            Memory::new(&self.loaded, &self.args(&in_kernel()), 0).map_err(|error| error.to_string())?;
        let program = self.program.encode();
        let mut out = Vec::new();
        let lengths = [program.len(), memory.variables.len(), memory.arena.len(), 0];
        lengths.iter().for_each(|len| out.extend((*len as u32).to_le_bytes()));
        let Budget { instructions_left, calls_left, writes_left, written_left, memory_max, .. } = self.budget;
        let limits = [instructions_left, calls_left, writes_left, written_left, memory_max, u64::MAX];
        limits.iter().for_each(|limit| out.extend(limit.to_le_bytes()));
        out.extend(program);
        // Most of the arena is room.
        let used = memory.arena.iter().rposition(|word| *word != 0).map_or(0, |at| at + 1);
        out[12..16].copy_from_slice(&(used as u32).to_le_bytes());
        memory.variables.iter().chain(&memory.arena[..used]).for_each(|word| out.extend(word.to_le_bytes()));
        Ok((out, memory))
    }

    /// What the runner printed of this case: numbers in a line, and the texts of the areas, in hexadecimal.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn answered(&self, memory: &mut Memory, line: &str) -> Result<Ended, String> {
        let bad = || format!("{}: the runner printed `{line}`", self.name);
        let mut parts = line.split(" :");
        let number = |word: &str| word.parse::<u64>().ok();
        let numbers: Option<Vec<u64>> = parts.next().unwrap_or("").split(' ').map(number).collect();
        let numbers = numbers.ok_or_else(bad)?;
        let [status, detail, pc, amounts @ ..] = &numbers[..] else { return Err(bad()) };
        let amounts: [u64; 5] = amounts.try_into().map_err(|_| bad())?;
        let outcome = Outcome::new(*status as u32, *detail as u32, *pc as u32, amounts).ok_or_else(bad)?;
        let words = parts.next().unwrap_or("").split_whitespace().map(|word| u64::from_str_radix(word, 16));
        memory.variables = words.collect::<Result<_, _>>().map_err(|_| bad())?;
        for area in parts.next().unwrap_or("").split_whitespace() {
            let (at, bytes) = area.split_once('=').ok_or_else(bad)?;
            let at: usize = at.parse().map_err(|_| bad())?;
            for k in 0..bytes.len() / 2 {
                let byte = u64::from_str_radix(&bytes[2 * k..2 * k + 2], 16).map_err(|_| bad())?;
                let (word, shift) = ((at + k) / 8, (at + k) % 8 * 8);
                memory.arena[word] = memory.arena[word] & !(0xff << shift) | byte << shift;
            }
        }
        let slots = self.loaded.slots.len();
        let counts = memory.variables.get(slots..).ok_or_else(bad)?;
        let failed = counts.chunks_exact(2).map(|pair| pair[1]).sum();
        let how = match outcome.end {
            End::Done(slot) => self.done(&memory.result(&self.loaded, slot)),
            End::Failed(slot) => failed_by_itself(&memory.text(slot)),
            End::CallFailed(error) => call_failed(error.into()),
            End::Limit(kind) => limited(kind),
            End::Fault(kind) => match kind {
                carnet_kernel::FaultKind::Argument => BAD_ARGUMENT.to_owned(),
                kind => format!("fault: {kind}"),
            },
            End::Stopped | End::Rejected => format!("{:?}", outcome.end),
        };
        Ok(Ended { how, used: outcome.used, failed, memory: Some(outcome.memory) })
    }

    /// Runs it as this process, which is alone, in an empty folder.
    ///
    /// # Errors
    /// Why it was not run.
    pub fn run_here(&self) -> Result<Ended, String> {
        let mut here = Here::alone(Path::new(DEVICE)).map_err(|error| error.to_string())?;
        let args = self.args(&here.portal());
        leave_open(&mut here)?;
        let ran = here.run(&self.loaded, &self.program.encode(), &args, &self.limits);
        let protocol::Outcome { end, result, calls, receipt, .. } = ran.map_err(|error| error.to_string())?;
        let how = match end {
            protocol::End::Done => self.done(&result.unwrap_or_default()),
            protocol::End::Failed(message) => failed_by_itself(&message),
            protocol::End::CallFailed { raised: false, .. } => BAD_ARGUMENT.to_owned(),
            protocol::End::CallFailed { message, .. } => {
                call_failed(messages().iter().position(|text| *text == message).unwrap_or(usize::MAX))
            }
            protocol::End::Limit { kind, .. } => limited(kind),
            protocol::End::Fault(kind) => format!("fault: {kind}"),
            other => format!("{other:?}"),
        };
        let used = [receipt.instructions, receipt.calls, receipt.writes, receipt.written];
        let failed = calls.iter().map(|count| count.failed).sum();
        Ok(Ended { how, used, failed, memory: Some(receipt.memory) })
    }

    /// Runs all of them, each by a process of its own of `program`, below `folder`; how many there are.
    ///
    /// # Errors
    /// The first one that does something else than it should.
    pub fn all_here(program: &Path, folder: &Path) -> Result<usize, String> {
        let cases = Case::all()?;
        for (k, case) in cases.iter().enumerate() {
            let own = folder.join(format!("case-{k}"));
            std::fs::create_dir(&own).map_err(|error| error.to_string())?;
            let mut process = Command::new(program);
            let ran = process.args(["case", &k.to_string()]).current_dir(&own).output();
            let ran = ran.map_err(|error| error.to_string())?;
            let [out, wrong] = [&ran.stdout, &ran.stderr].map(|bytes| String::from_utf8_lossy(bytes));
            if out != case.expected {
                return Err(format!("{}: here\n{out}{wrong}expected\n{}", case.name, case.expected));
            }
        }
        Ok(cases.len())
    }

    /// Of a result in the form in which servers send it.
    fn done(&self, mut bytes: &[u8]) -> String {
        let mut out = String::from("done");
        if self.loaded.result != ResultKind::Words {
            return out;
        }
        for ty in &self.loaded.result_words {
            let word = |bytes: &mut &[u8], len: usize| {
                let mut word = [0; 8];
                let (head, rest) = bytes.split_at(len.min(bytes.len()));
                word[..head.len()].copy_from_slice(head);
                *bytes = rest;
                u64::from_le_bytes(word)
            };
            match ty {
                SlotType::StrRef(_) | SlotType::BytesRef(_) => {
                    let len = word(&mut bytes, 4) as usize;
                    let (text, rest) = bytes.split_at(len.min(bytes.len()));
                    let _ = write!(out, " {:?}", String::from_utf8_lossy(text));
                    bytes = rest;
                }
                SlotType::Bool => {
                    let _ = write!(out, " {}", word(&mut bytes, 8) != 0);
                }
                _ => {
                    let _ = write!(out, " {}", word(&mut bytes, 8) as i64);
                }
            }
        }
        out
    }

    /// How a run in this process ended; `result` is that of a program that is done, as servers send it.
    #[must_use]
    pub fn stopped(&self, stop: &Stop, result: &[u8]) -> String {
        match stop {
            Stop::Done(_) => self.done(result),
            Stop::Failed(message) => failed_by_itself(message),
            Stop::CallFailed(failure) if failure.kind() == carnet_portal::call::Kind::Raised => {
                call_failed(failure.details().raised.into())
            }
            Stop::CallFailed(failure) if failure.kind() == carnet_portal::call::Kind::BadArgument => {
                BAD_ARGUMENT.to_owned()
            }
            Stop::Limit(kind) => limited(*kind),
            Stop::Fault(kind) => format!("fault: {kind}"),
            other => format!("{other:?}"),
        }
    }

    /// As a walked tree gives it.
    #[must_use]
    pub fn value(&self, value: Option<&Value>) -> String {
        match value {
            None => "done".to_owned(),
            Some(value) => format!("done {}", shown(value)),
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Float(float) => float.to_string(),
        Value::Enum(n) => n.to_string(),
        Value::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Value::Record(fields) => fields.iter().map(shown).collect::<Vec<_>>().join(" "),
        Value::List(_) => "a list".to_owned(),
    }
}

const BAD_ARGUMENT: &str = "call failed: an argument is out of range";

fn failed_by_itself(message: &[u8]) -> String {
    format!("failed {:?}", String::from_utf8_lossy(message))
}

/// Runs a program that leaves a descriptor open which others would not inherit: it is the programs', and another one may run.
fn leave_open(here: &mut Here) -> Result<(), String> {
    let text = "use linux\nprogram p(os: System) { os.dup3(1, 700, 0x80000) }";
    let bytes = compile("leave", text)?.encode();
    let loaded = load(&bytes, &Registry::new(&[module()])).map_err(|error| error.to_string())?;
    let ran = here.run(&loaded, &bytes, &[Arg::Portal(here.portal())], &Limits::default());
    match ran.map_err(|error| error.to_string())?.end {
        protocol::End::Done => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

fn call_failed(error: usize) -> String {
    let names = &module().enums[0].values;
    format!("call failed: {}", names.get(error).map_or("unknown", String::as_str))
}

fn limited(kind: LimitKind) -> String {
    format!("limit of {}", kind.noun())
}

impl Ended {
    /// As the file has it.
    #[must_use]
    pub fn report(&self) -> String {
        let [instructions, calls, writes, written] = self.used;
        let mut out = format!("-- {}\n   used {instructions} instructions, {calls} calls", self.how);
        if writes > 0 {
            let _ = write!(out, " ({writes} writes, {written} bytes)");
        }
        if self.failed > 0 {
            let _ = write!(out, ", {} failed", self.failed);
        }
        if let Some(memory) = self.memory.filter(|memory| *memory > 0) {
            let _ = write!(out, ", {memory} bytes held");
        }
        out + "\n"
    }
}
