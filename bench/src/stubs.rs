//! Instructions of stubs per call, counted by callgrind: exact, and the same in every run of the same compiler.
//!
//! In C, driver, stubs, transport and user functions (`bench/stubs/`) are object files of their own, so that no compiler
//! sees through a call. In Rust (`bench/stubs/rust`), where stubs are part of whom they are compiled with, the client's
//! stub, the transport, what finds the object, what finds the operation and the user's function are kept out of line. The transport is one jump. What is counted is all from the client stub's entry to its return, without
//! the user's function: marshalling, the server's loop with its look-up of object and operation, all checks, and the
//! reply's status. The total is a run of 2000 calls less one of 1000, divided by 1000; the driver checks each result.
//! Rivals are counted in the same way, and the same ones stand beside both forms, since they have but one.
//!
//! | form | what becomes of the 4096 and 1024 bytes |
//! | --- | --- |
//! | registers | there is no message: four values are in registers, the others in the channel's cache line |
//! | descriptors | address and length are in the message |
//! | copied | they are copied into the message by memcpy, whose own instructions are told apart |
//! | 32 bits | as before, with integers of half a word: in a message each is held against its type. In Rust those of `Rust` and, as registers, of `open`: what goes both ways in a plain session has 64 bits |
//! | Rust, registers | there is no message: words are in registers, so are address and length; a table of objects and a number for the operation as in all other forms |
//! | Rust, descriptors | the words are in the message, and address and length are beside its head, in registers |
//! | Rust, copied | the client copies 4096 bytes into the message by memcpy; the service writes 1024 into it |
//! | Rust | they are lent: the service reads the caller's bytes, and writes into the caller's buffer. The client holds the service and calls its function: no message, no table |
//! | Rust, between processes | they go through a Unix socket; how is told below |
//!
//! Beside instructions there are bytes of code: all that is generated for a function on the client's side, whether calls run it or not, the
//! server's side of all three, and what carries a call from one to the other; of rivals, all functions that a call runs on both sides.
//!
//! The last one of the table is no snapshot: client and server are two threads with a socket between them, all of whose instructions outside of
//! the kernel are counted, but for those of the service's function and the driver's loop. Stub, frame, session, the server's
//! look-up of the object, checks and status are in it, and what the system calls take in libraries; what the kernel does is not.
//!
//! Beside these, and in tests alone, the same calls are made by one program of the service's process ([`Form::Composed`]): what
//! generated code of the server takes for them, and what is copied, stands beside single calls.

mod callgrind;
mod rivals;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{Contender, Measured, Scale, measure, on_any_processor};
use crate::report::{Figure, Judged};
use callgrind::{Cost, Driver, Whole};
use rivals::{Counted, Rival};

/// A function of the paper.
struct Operation {
    name: &'static str,
    /// What Table 4 says.
    paper: &'static str,
    /// What we want: as register messages, with descriptors, and copied.
    wanted: [&'static str; 3],
}

const OPERATIONS: [Operation; 3] = [
    Operation {
        name: "open",
        paper: "IDL4 102 (65 + 37), Flick 221",
        wanted: ["≤ 30", "≤ 40", "≤ 51, without the block copy"],
    },
    Operation {
        name: "write",
        paper: "IDL4 111 (73 + 38), Flick 255",
        wanted: ["≤ 32", "≤ 45", "≤ 55, without the block copy"],
    },
    Operation {
        name: "get_direntries",
        paper: "IDL4 121 (79 + 42), Flick 285",
        wanted: ["≤ 44", "≤ 50", "≤ 60, without the block copy"],
    },
];

const NAMES: [&str; 3] = [OPERATIONS[0].name, OPERATIONS[1].name, OPERATIONS[2].name];

/// Names of the functions that are counted.
#[must_use]
pub fn operations() -> [&'static str; 3] {
    NAMES
}

const PARTS: [&str; 5] = ["client", "server", "transport", "user", "driver"];

/// How data travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In registers, as address and length.
    Registers,
    /// As address and length.
    Descriptors,
    /// Within the message.
    Copied,
    /// As [`Form::Registers`], by stubs in Rust.
    RustRegisters,
    /// As [`Form::Descriptors`], by stubs in Rust.
    RustDescriptors,
    /// As [`Form::Copied`], by stubs in Rust.
    RustCopied,
    /// Lent, by stubs in Rust that call the service's function.
    Rust,
    /// Through a Unix socket, by stubs in Rust.
    Served,
    /// By a program beside the service.
    Composed,
    /// As [`Form::Registers`], with integers of 32 bits.
    NarrowRegisters,
    /// As [`Form::Descriptors`], with integers of 32 bits.
    NarrowDescriptors,
    /// As [`Form::Copied`], with integers of 32 bits.
    NarrowCopied,
    /// As [`Form::RustRegisters`], with integers of 32 bits: of the operation that has no parameter which goes both ways, since these
    /// have 64 bits in plain sessions.
    RustNarrowRegisters,
    /// As [`Form::Rust`], with integers of 32 bits.
    RustNarrow,
}

impl Form {
    /// All whose counts are the same in every run.
    pub const ALL: [Form; 12] = [
        Form::Registers,
        Form::Descriptors,
        Form::Copied,
        Form::RustRegisters,
        Form::RustDescriptors,
        Form::RustCopied,
        Form::Rust,
        Form::NarrowRegisters,
        Form::NarrowDescriptors,
        Form::NarrowCopied,
        Form::RustNarrowRegisters,
        Form::RustNarrow,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Form::Registers => "registers",
            Form::Descriptors => "descriptors",
            Form::Copied => "copied",
            Form::RustRegisters => "Rust, registers",
            Form::RustDescriptors => "Rust, descriptors",
            Form::RustCopied => "Rust, copied",
            Form::Rust => "Rust",
            Form::Served => "Rust, between processes",
            Form::Composed => "Rust, by a program",
            Form::NarrowRegisters => "registers, 32 bits",
            Form::NarrowDescriptors => "descriptors, 32 bits",
            Form::NarrowCopied => "copied, 32 bits",
            Form::RustNarrowRegisters => "Rust, registers, 32 bits",
            Form::RustNarrow => "Rust, 32 bits",
        }
    }

    /// What was wanted of this form, if anything was.
    fn wanted(self, operation: &Operation) -> Option<&'static str> {
        let [registers, descriptors, copied] = operation.wanted;
        match self {
            Form::Registers | Form::NarrowRegisters | Form::RustRegisters | Form::RustNarrowRegisters => {
                Some(registers)
            }
            Form::Descriptors | Form::NarrowDescriptors | Form::RustDescriptors => Some(descriptors),
            Form::Copied | Form::NarrowCopied | Form::RustCopied => Some(copied),
            // The service's function is called: there is no message.
            Form::Rust | Form::RustNarrow | Form::Served | Form::Composed => None,
        }
    }

    /// Names of the functions that are counted in this form.
    #[must_use]
    pub fn operations(self) -> &'static [&'static str] {
        if self == Form::RustNarrowRegisters { &NAMES[..1] } else { &NAMES }
    }

    /// Instructions that this operation takes at most, without the block copy, as was wanted; `None` if nothing was wanted of this form.
    ///
    /// # Panics
    /// If there is no such operation.
    #[must_use]
    pub fn aim(self, operation: &str) -> Option<u64> {
        let known = OPERATIONS.iter().find(|known| known.name == operation).expect("an operation");
        let wanted = self.wanted(known)?;
        let number = wanted.split([' ', ',']).nth(1).and_then(|number| number.parse().ok());
        Some(number.expect("wanted is a number"))
    }

    /// Who stands in the results.
    fn ours(self) -> &'static str {
        match self {
            Form::RustRegisters
            | Form::RustDescriptors
            | Form::RustCopied
            | Form::RustNarrowRegisters
            | Form::RustNarrow
            | Form::Rust
            | Form::Served
            | Form::Composed => "ours, Rust",
            _ => "ours, C",
        }
    }
}

/// Instructions of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Of the paper's functions.
    pub operation: &'static str,
    /// Without the block copy.
    pub total: u64,
    /// Of the block copy.
    pub block: u64,
    /// From the stub's entry to that of the user's function, and the rest, block copy included; `None` if these are of two
    /// threads.
    pub directions: Option<(u64, u64)>,
    /// Bytes of the code that is generated for this operation on the client's side.
    pub client_bytes: u64,
    /// The same with the server's side, for all operations, and with what carries the call; `None` if it is a server of its own thread.
    pub both_bytes: Option<u64>,
}

/// Instructions that hand one call to its service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedOn {
    /// Of generated code, from the server's or the interpreter's call to that of the service's function and back.
    pub dispatch: u64,
    /// Of what copies and clears blocks.
    pub block: u64,
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Count { operation, total, .. } = self;
        match self.directions {
            Some((request, reply)) => write!(f, "{operation} {total} (request {request}, reply {reply}")?,
            None => write!(f, "{operation} {total} (both sides")?,
        }
        write!(f, ", block copy {})", self.block)
    }
}

/// The compiler and the tool that the counts hold for; what is missing, if they are not there.
///
/// # Errors
/// The name of what is missing.
pub fn tools() -> Result<String, String> {
    let first_line = |tool: &str| {
        let output = Command::new(tool).arg("--version").output().map_err(|_| format!("no {tool}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().next().map(str::to_owned).ok_or_else(|| format!("no {tool}"))
    };
    let (gcc, rustc, valgrind) = (first_line("gcc")?, first_line("rustc")?, first_line("valgrind")?);
    Ok(format!("{gcc}, {rustc}, {valgrind}, {}", std::env::consts::ARCH))
}

/// The built driver of one form.
#[derive(Debug)]
pub struct Built {
    driver: Driver,
    form: Form,
}

impl Built {
    /// Compiles all parts, in `folder` or where cargo does.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn new(folder: &Path, form: Form) -> Result<Built, String> {
        let folder = folder.join(form.name().replace(", ", "-").replace(' ', "-"));
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let driver = match form {
            Form::Registers => in_c(folder, &["-DCARNET_REGISTERS=1"])?,
            Form::Descriptors => in_c(folder, &["-DCARNET_REGISTERS=0"])?,
            Form::Copied => in_c(folder, &["-DCARNET_COPY"])?,
            Form::NarrowRegisters => in_c(folder, &["-DCARNET_REGISTERS=1", NARROW])?,
            Form::NarrowDescriptors => in_c(folder, &["-DCARNET_REGISTERS=0", NARROW])?,
            Form::NarrowCopied => in_c(folder, &["-DCARNET_COPY", NARROW])?,
            Form::RustRegisters => in_plain_rust(folder, "registers")?,
            Form::RustDescriptors => in_plain_rust(folder, "descriptors")?,
            Form::RustCopied => in_plain_rust(folder, "copied")?,
            Form::RustNarrowRegisters => built_in_rust(folder, "registers-32", "")?,
            Form::RustNarrow => built_in_rust(folder, "near-32", NEAR)?,
            Form::Rust => in_rust(folder, &[])?,
            Form::Served => in_rust(folder, &["socket"])?,
            Form::Composed => in_rust(folder, &["program"])?,
        };
        Ok(Built { driver, form })
    }

    /// Counts one operation.
    ///
    /// # Errors
    /// If valgrind fails, or a result is wrong.
    pub fn count(&self, operation: &'static str) -> Result<Count, String> {
        if matches!(self.form, Form::Served | Form::Composed) {
            let Whole { total, block, .. } = self.driver.count_whole(operation, MAIN, CALLS)?;
            let client_bytes = self.driver.client_bytes(operation)?;
            return Ok(Count { operation, total, block, directions: None, client_bytes, both_bytes: None });
        }
        let Cost { total, mut block, request, reply, bytes, .. } = self.driver.count(operation)?;
        if request + reply == total {
            // What was copied, the service's function copied.
            block = 0;
        }
        if request + reply != total + block {
            return Err(format!(
                "{operation}: {request} + {reply} instructions, and {total} + {block} in all"
            ));
        }
        let (directions, both_bytes) = (Some((request, reply)), Some(bytes.both));
        Ok(Count { operation, total, block, directions, client_bytes: bytes.client, both_bytes })
    }

    /// Of one call by stubs in Rust, from its beginning to the next one's: what generated code of the server takes, and what copies
    /// blocks, the service's own function included.
    ///
    /// # Errors
    /// If valgrind fails, or a result is wrong.
    pub fn passed_on(&self, operation: &'static str) -> Result<PassedOn, String> {
        let Whole { block, dispatch, .. } = self.driver.count_whole(operation, MAIN, CALLS)?;
        Ok(PassedOn { dispatch, block })
    }
}

/// Instructions that one turn of a program's loop takes in the bytecode interpreter and in the call's stub: in all that is there but the
/// service's function, and what copies blocks, which is the system's and not alike on all processors. Of two loops without a call, and of
/// one for each of [`operations`].
///
/// # Errors
/// What the compiler says, or if valgrind fails, or a result is wrong.
pub fn count_loops(folder: &Path) -> Result<Vec<(&'static str, u64)>, String> {
    let built = Built::new(folder, Form::Composed)?;
    let counted = |what| built.driver.count_whole(what, MAIN, TURNS).map(|whole| (what, whole.total));
    ["add", "branch"].into_iter().chain(operations()).map(counted).collect()
}

/// Calls by which runs differ.
const CALLS: usize = 1000;

/// The same of a program's turns: where hashed tables put what it is compiled by is drawn by lot, and makes a difference of some 2,000 instructions in one
/// run of ten.
const TURNS: usize = 20_000;

/// The loop of the driver in Rust.
const MAIN: &str = "carnet_bench_stubs::main";

/// Integers of 32 bits.
const NARROW: &str = "-DPFS_NARROW";

/// Generates the stubs in `folder` and compiles all parts with `options`.
fn in_c(folder: PathBuf, options: &[&str]) -> Result<Driver, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("stubs");
    let io = |error: std::io::Error| error.to_string();
    let idl = fs::read_to_string(sources.join("pfs.idl")).map_err(io)?;
    let idl = if options.contains(&NARROW) { idl.replace("long long", "long") } else { idl };
    let module = carnet_idl::compile_str("pfs.idl", &idl).map_err(|faults| format!("{faults:?}"))?;
    let header = carnet_idl::generate_c(&module);
    fs::write(folder.join("pfs.h"), header).map_err(io)?;
    for (name, text) in carnet_idl::C_RUNTIME {
        fs::write(folder.join(name), text).map_err(io)?;
    }
    for part in PARTS {
        let mut gcc = Command::new("gcc");
        gcc.current_dir(&folder).args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"]);
        gcc.args(options).arg("-I.").arg("-I").arg(&sources);
        run(gcc.arg("-c").arg(sources.join(part).with_extension("c")).args(["-o", &format!("{part}.o")]))?;
    }
    let objects = PARTS.map(|part| format!("{part}.o"));
    run(Command::new("gcc").current_dir(&folder).args(objects).args(["-o", "driver"]))?;
    let (stub, user) = ("stub_".to_owned(), "pfs_FS_".to_owned());
    Ok(Driver { program: folder.join("driver"), words: Vec::new(), folder, stub, user })
}

/// The module with the stubs of a client that calls a portal.
const NEAR: &str = "near::";

/// The driver of the stubs in Rust that go through a server's thread, or call the service's function; called with `words`.
fn in_rust(folder: PathBuf, words: &[&str]) -> Result<Driver, String> {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    Ok(Driver { words, ..built_in_rust(folder, "", NEAR)? })
}

/// The driver of the stubs in Rust that go through a plain session, in this form.
fn in_plain_rust(folder: PathBuf, form: &str) -> Result<Driver, String> {
    built_in_rust(folder, form, "plain::")
}

/// Has cargo build the package of the stubs in Rust: its program for this form, whose stubs are in this module.
fn built_in_rust(folder: PathBuf, form: &str, module: &str) -> Result<Driver, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&root).args([
        "build",
        "--quiet",
        "--profile",
        "counts",
        "--package",
        "carnet-bench-stubs",
    ]);
    // Within `cargo test` there is one, by which a build script of a dependency finds that it has to run again.
    cargo.env_remove("CARGO_MANIFEST_DIR");
    on_any_processor(|| run(cargo.arg("--target-dir").arg(&target)))?;
    let dash = if form.is_empty() { "" } else { "-" };
    let program = format!("carnet-bench-stubs{dash}{form}");
    let name = program.replace('-', "_");
    Ok(Driver {
        program: target.join("counts").join(program),
        words: Vec::new(),
        folder,
        stub: format!("{name}::{module}stub_"),
        user: format!("<{name}::service::User as {name}::pfs::FSService>::"),
    })
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Counts, and measures nanoseconds beside.
///
/// # Errors
/// A wrong result, or a compiler that fails.
pub fn run_all(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let tools = match tools() {
        Ok(tools) => tools,
        Err(missing) => {
            println!("stubs: skipped: {missing}");
            return Ok(Vec::new());
        }
    };
    let folder = std::env::temp_dir().join(format!("carnet-stubs-{}", std::process::id()));
    let figures = all_forms(scale, &folder, &tools, pinned);
    // What is left behind is in the folder for temporary files.
    let _ = fs::remove_dir_all(&folder);
    figures
}

fn all_forms(scale: Scale, folder: &Path, tools: &str, pinned: &str) -> Result<Vec<Figure>, String> {
    let rivals = if scale == Scale::Full { rivals::all(folder)? } else { Vec::new() };
    let forms = Form::ALL.into_iter().chain([Form::Served]).map(|form| Built::new(folder, form));
    let forms = forms.collect::<Result<Vec<_>, String>>()?;
    let figures =
        OPERATIONS.iter().map(|operation| figures(&forms, operation, &rivals, scale, tools, pinned));
    let mut figures = figures.collect::<Result<Vec<_>, String>>()?.concat();
    // Forms one after the other, and operations within.
    figures.sort_by_key(|(form, _)| *form);
    Ok(figures.into_iter().map(|(_, figure)| figure).collect())
}

/// Calls of a sample: as many for each, so that what disturbs a machine meets samples that are alike; but fewer where a kernel is between.
fn calls_of_a_sample(form: Form, scale: Scale) -> i64 {
    scale.work(if form == Form::Served { 20_000 } else { 500_000 })
}

/// Of one operation in all forms, each with its place among them: all are timed in turns, together with the rivals.
fn figures(
    forms: &[Built],
    operation: &Operation,
    rivals: &[Rival],
    scale: Scale,
    tools: &str,
    pinned: &str,
) -> Result<Vec<(usize, Figure)>, String> {
    eprintln!("stubs: {} is counted, then timed", operation.name);
    let rivals = rivals::counted(rivals, operation.name)?;
    let forms = forms.iter().enumerate();
    let forms: Vec<_> =
        forms.filter(|(_, built)| built.form.operations().contains(&operation.name)).collect();
    let ours = forms.iter().map(|(_, built)| {
        let calls = calls_of_a_sample(built.form, scale);
        Contender::new(built.form.ours(), move || built.driver.nanoseconds(operation.name, calls))
    });
    let theirs = rivals.iter().map(|rival| rival.contender(operation.name, scale.work(500_000)));
    let mut times = measure(scale, &mut ours.chain(theirs).collect::<Vec<_>>())?;
    let of_rivals = times.split_off(forms.len());
    let all = forms.into_iter().zip(times).map(|((place, built), time)| {
        let figures = of_form(built, operation, &rivals, (time, of_rivals.clone()), scale, tools, pinned)?;
        Ok(figures.into_iter().map(move |figure| (place, figure)).collect::<Vec<_>>())
    });
    Ok(all.collect::<Result<Vec<_>, String>>()?.concat())
}

/// Of one operation in one form, with nanoseconds of ours and of rivals.
fn of_form(
    built: &Built,
    operation: &Operation,
    rivals: &[Counted<'_>],
    (time, of_rivals): (Measured, Vec<Measured>),
    scale: Scale,
    tools: &str,
    pinned: &str,
) -> Result<Vec<Figure>, String> {
    let wanted = built.form.wanted(operation).unwrap_or("–");
    let &Operation { name: operation, paper, .. } = operation;
    let count = built.count(operation)?;
    let calls = calls_of_a_sample(built.form, scale);
    let exact = |name: &str, total: u64| {
        let total = total as f64;
        Measured { name: name.to_owned(), median: total, rounds: (total, total), samples: vec![total] }
    };
    let ours = exact(built.form.ours(), count.total);
    let name = format!("stubs {operation}, {}", built.form.name());
    let theirs: String = rivals.iter().map(|rival| format!("{rival}; ")).collect();
    let how = format!("{count}; client stub {} bytes; {theirs}{tools}", count.client_bytes);
    let size = count.both_bytes.map(|both| Figure {
        name: format!("{name}, size"),
        unit: "bytes",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "–",
        ours: exact(built.form.ours(), both),
        rivals: rivals.iter().map(|rival| exact(rival.name, rival.cost.bytes.both)).collect(),
        how: format!(
            "code of one call on both sides, without the user's function and shared libraries; of ours also what no call runs, {} \
             of the client's side and the server's for all three functions; of rivals what calls run; {tools}",
            count.client_bytes
        ),
    });
    let figure = Figure {
        name: name.clone(),
        unit: "instructions",
        judged: Judged::LowMedian,
        paper: Some(paper),
        wanted,
        ours,
        rivals: rivals.iter().map(|rival| exact(rival.name, rival.cost.total)).collect(),
        how,
    };
    let how = format!("{calls} calls a sample, the driver's loop included; {pinned}");
    let name = format!("{name}, time");
    let time = Figure {
        name,
        unit: "ns",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "–",
        ours: time,
        rivals: of_rivals,
        how,
    };
    Ok([figure].into_iter().chain(size).chain([time]).collect())
}
