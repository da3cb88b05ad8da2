//! Instructions of C stubs per call, counted by callgrind: exact, and the same in every run of the same compiler.
//!
//! Driver, stubs, transport and user functions (`bench/stubs/`) are object files of their own, so that no compiler sees
//! through a call. The transport is one jump. What is counted is all from the client stub's entry to its return, without
//! the user's function: marshalling, the server's loop with its look-up of object and operation, all checks, and the
//! reply's status. The total is a run of 2000 calls less one of 1000, divided by 1000; the driver checks each result.
//!
//! | form | what becomes of the 4096 and 1024 bytes |
//! | --- | --- |
//! | descriptors | address and length are in the message |
//! | copied | they are copied into the message by memcpy, whose own instructions are told apart |

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{Contender, Measured, Scale, measure};
use crate::report::Figure;

/// A function of the paper.
struct Operation {
    name: &'static str,
    /// What Table 4 says.
    paper: &'static str,
    /// What we want, by form.
    wanted: [&'static str; 2],
}

const OPERATIONS: [Operation; 3] = [
    Operation {
        name: "open",
        paper: "IDL4 102 (65 + 37), Flick 221",
        wanted: ["≤ 40", "≤ 51, without the block copy"],
    },
    Operation {
        name: "write",
        paper: "IDL4 111 (73 + 38), Flick 255",
        wanted: ["≤ 45", "≤ 55, without the block copy"],
    },
    Operation {
        name: "get_direntries",
        paper: "IDL4 121 (79 + 42), Flick 285",
        wanted: ["≤ 50", "≤ 60, without the block copy"],
    },
];

/// Names of the functions that are counted.
#[must_use]
pub fn operations() -> [&'static str; 3] {
    OPERATIONS.map(|operation| operation.name)
}

const PARTS: [&str; 5] = ["client", "server", "transport", "user", "driver"];

/// How data travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As address and length.
    Descriptors,
    /// Within the message.
    Copied,
}

impl Form {
    /// Both.
    pub const ALL: [Form; 2] = [Form::Descriptors, Form::Copied];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Form::Descriptors => "descriptors",
            Form::Copied => "copied",
        }
    }

    fn option(self) -> &'static str {
        match self {
            Form::Descriptors => "-DGATHERED",
            Form::Copied => "-DCARNET_COPY",
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
    /// From the stub's entry to that of the user's function, block copy included.
    pub request: u64,
    /// The rest, block copy included.
    pub reply: u64,
    /// Bytes of the client's stub.
    pub client_bytes: u64,
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Count { operation, total, request, reply, .. } = self;
        write!(f, "{operation} {total} (request {request}, reply {reply}, block copy {})", self.block)
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
    Ok(format!("{}, {}, {}", first_line("gcc")?, first_line("valgrind")?, std::env::consts::ARCH))
}

/// The built driver of one form.
#[derive(Debug)]
pub struct Built {
    folder: PathBuf,
    form: Form,
}

impl Built {
    /// Generates stubs in `folder` and compiles all parts.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn new(folder: &Path, form: Form) -> Result<Built, String> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("stubs");
        let folder = folder.join(form.name());
        let io = |error: std::io::Error| error.to_string();
        fs::create_dir_all(&folder).map_err(io)?;
        let idl = fs::read_to_string(sources.join("pfs.idl")).map_err(io)?;
        let module = carnet_idl::compile_str("pfs.idl", &idl).map_err(|faults| format!("{faults:?}"))?;
        let header = carnet_idl::generate_c(&module).map_err(|missing| missing.to_string())?;
        fs::write(folder.join("pfs.h"), header).map_err(io)?;
        for (name, text) in carnet_idl::C_RUNTIME {
            fs::write(folder.join(name), text).map_err(io)?;
        }
        for part in PARTS {
            let mut gcc = Command::new("gcc");
            gcc.current_dir(&folder).args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"]);
            gcc.arg(form.option()).arg("-I.").arg("-I").arg(&sources);
            run(gcc
                .arg("-c")
                .arg(sources.join(part).with_extension("c"))
                .args(["-o", &format!("{part}.o")]))?;
        }
        let objects = PARTS.map(|part| format!("{part}.o"));
        run(Command::new("gcc").current_dir(&folder).args(objects).args(["-o", "driver"]))?;
        Ok(Built { folder, form })
    }

    /// Counts one operation.
    ///
    /// # Errors
    /// If valgrind fails, or a result is wrong.
    pub fn count(&self, operation: &'static str) -> Result<Count, String> {
        let (few, many) = (self.functions(operation, 1000)?, self.functions(operation, 2000)?);
        let user = format!("pfs_FS_{operation}");
        let (mut total, mut block) = (0, 0);
        for (function, cost) in many {
            let each = (cost - few.get(&function).copied().unwrap_or(0)) / 1000;
            match function {
                name if name == user => {}
                name if name.contains("memcpy") || name.contains("memmove") => block += each,
                _ => total += each,
            }
        }
        let (request, reply) = self.directions(operation)?;
        if request + reply != total + block {
            return Err(format!(
                "{operation}: {request} + {reply} instructions, and {total} + {block} in all"
            ));
        }
        let client_bytes = self.size(&format!("stub_{operation}"))?;
        Ok(Count { operation, total, block, request, reply, client_bytes })
    }

    fn callgrind(&self, operation: &str, calls: u32, more: &[String]) -> Result<PathBuf, String> {
        let out = self.folder.join(format!("out.{operation}.{calls}"));
        let mut valgrind = Command::new("valgrind");
        valgrind.current_dir(&self.folder).args(["--tool=callgrind", "--quiet"]);
        valgrind.arg(format!("--toggle-collect=stub_{operation}")).args(more);
        valgrind.arg(format!("--callgrind-out-file={}", out.display()));
        run(valgrind.args(["./driver", operation, &calls.to_string()]))?;
        Ok(out)
    }

    /// Instructions of each function, of all calls.
    fn functions(&self, operation: &str, calls: u32) -> Result<BTreeMap<String, u64>, String> {
        let out = self.callgrind(operation, calls, &[])?;
        Ok(costs(&fs::read_to_string(out).map_err(|error| error.to_string())?))
    }

    /// Instructions of request and reply: the tool writes a file before the stub, before the user's function and after it.
    fn directions(&self, operation: &str) -> Result<(u64, u64), String> {
        const CALLS: usize = 8;
        let user = format!("pfs_FS_{operation}");
        let dumps = [
            format!("--dump-before=stub_{operation}"),
            format!("--dump-before={user}"),
            format!("--dump-after={user}"),
        ];
        let out = self.callgrind(operation, CALLS as u32, &dumps)?;
        // The first call binds symbols; the last has no file after it. In between each has three files.
        let part = |number: usize| -> Result<u64, String> {
            let path = PathBuf::from(format!("{}.{number}", out.display()));
            let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
            let totals = text.lines().find_map(|line| line.strip_prefix("totals: "));
            totals.and_then(|text| text.trim().parse().ok()).ok_or_else(|| "a file without totals".to_owned())
        };
        let call = 3 * (CALLS - 3) + 1;
        Ok((part(call + 1)?, part(call + 3)?))
    }

    fn size(&self, symbol: &str) -> Result<u64, String> {
        let symbols = run(Command::new("nm").current_dir(&self.folder).args(["-S", "driver"]))?;
        let line = symbols.lines().find(|line| line.ends_with(&format!(" {symbol}")));
        let size = line.and_then(|line| u64::from_str_radix(line.split(' ').nth(1)?, 16).ok());
        size.ok_or_else(|| format!("no size of {symbol}"))
    }

    fn nanoseconds(&self, operation: &str, calls: i64) -> Result<f64, String> {
        let printed = run(Command::new(self.folder.join("driver")).args([operation, &calls.to_string()]))?;
        printed.trim().parse().map_err(|_| format!("the driver printed {printed:?}"))
    }
}

/// The instructions of each function in a file of callgrind, without those of functions that it calls.
fn costs(text: &str) -> BTreeMap<String, u64> {
    let (mut names, mut costs) = (BTreeMap::new(), BTreeMap::new());
    let (mut function, mut is_call) = (String::new(), false);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            let (id, name) = name.split_once(' ').unwrap_or((name, ""));
            if !name.is_empty() {
                names.insert(id.to_owned(), name.to_owned());
            }
            if line.starts_with("fn=") {
                function = names.get(id).cloned().unwrap_or_default();
            }
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = line.split(' ').nth(1).and_then(|cost| cost.parse::<u64>().ok()).unwrap_or(0);
            if !std::mem::take(&mut is_call) {
                *costs.entry(function.clone()).or_default() += cost;
            }
        }
    }
    costs
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
    let figures = Form::ALL.into_iter().map(|form| {
        let built = Built::new(&folder, form)?;
        OPERATIONS.iter().map(|operation| figures(&built, operation, scale, &tools, pinned)).collect()
    });
    let figures: Result<Vec<Vec<[Figure; 2]>>, String> = figures.collect();
    // What is left behind is in the folder for temporary files.
    let _ = fs::remove_dir_all(&folder);
    Ok(figures?.into_iter().flatten().flatten().collect())
}

fn figures(
    built: &Built,
    operation: &Operation,
    scale: Scale,
    tools: &str,
    pinned: &str,
) -> Result<[Figure; 2], String> {
    let &Operation { name: operation, paper, wanted } = operation;
    let count = built.count(operation)?;
    let calls = scale.work(2_000_000);
    let mut contenders = [Contender::new("ours, C", || built.nanoseconds(operation, calls))];
    let ns = measure(scale, &mut contenders)?.remove(0);
    let exact = count.total as f64;
    let ours =
        Measured { name: "ours, C".to_owned(), median: exact, rounds: (exact, exact), samples: vec![exact] };
    let name = format!("stubs {operation}, {}", built.form.name());
    let how = format!("{count}; client stub {} bytes; {tools}", count.client_bytes);
    let figure = Figure {
        name: name.clone(),
        unit: "instructions",
        paper: Some(paper),
        wanted: wanted[built.form as usize],
        ours,
        rivals: Vec::new(),
        how,
    };
    let how = format!("{calls} calls a sample, the driver's loop included; {pinned}");
    let name = format!("{name}, time");
    let time = Figure { name, unit: "ns", paper: None, wanted: "–", ours: ns, rivals: Vec::new(), how };
    Ok([figure, time])
}
