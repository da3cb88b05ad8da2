//! Counts of one driver by callgrind. It knows nothing of stubs but their names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::run;

/// What copies and clears blocks. Callgrind counts one instruction for each byte that some of them set.
const BLOCK: [&str; 3] = ["memcpy", "memmove", "memset"];

/// The object of generated dispatch code in Rust, and its functions that carry out an operation.
const SERVING: &str = "<carnet_portal::stub::dispatch::Serving<";
const DISPATCH: [&str; 4] = ["::dispatch", "::short", "::short_in", "::short_out"];

/// Before the operation's name: what of our client's side in C is generated for it, beside the stub.
const CLIENT: [&str; 2] = ["call_pfs_FS_", "send_pfs_FS_"];

/// How names of our server's side begin: in C and in Rust, generated and what finds the object.
const SERVER: [&str; 7] = [
    "pfs_FS_serve",
    "pfs_FS_pass",
    "server_dispatch",
    "server_pass",
    "<carnet_portal::plain::object::Serving<",
    "<carnet_portal::plain::session::Session<_> as ",
    SERVING,
];

/// A program that is called with words of its own, an operation and a number of calls, makes these calls, and prints
/// nanoseconds per call.
#[derive(Clone, Debug)]
pub(super) struct Driver {
    pub(super) program: PathBuf,
    pub(super) words: Vec<String>,
    /// For what the tool writes.
    pub(super) folder: PathBuf,
    /// Names of the client's stubs and of the user's functions, before that of the operation. They may hold no `*`: callgrind
    /// takes but one of several triggers on a pattern.
    pub(super) stub: String,
    pub(super) user: String,
}

/// Instructions of one call, without those of the user's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    /// Without what copies and clears blocks.
    pub(super) total: u64,
    /// Of what copies and clears blocks.
    pub(super) block: u64,
    /// From the stub's entry to that of the user's function, blocks included, of the sixth call: a rival whose integers
    /// take more bytes as they grow takes more in the mean.
    pub(super) request: u64,
    /// The rest, blocks included.
    pub(super) reply: u64,
    /// How many functions were run, without those for blocks.
    pub(super) functions: usize,
    /// Of the code.
    pub(super) bytes: Bytes,
}

/// Bytes of functions of the program, without the user's and without those of libraries that are linked when it starts. A function that the
/// compiler split is all of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    /// The client's stub, and in ours all that is generated for this operation on its side, run or not.
    pub(super) client: u64,
    /// All that a call runs on both sides, and in ours all of client and server, run or not; that of the server is of all
    /// operations.
    pub(super) both: u64,
}

/// Instructions of one call in all that is between its beginning and the next one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    /// Without what copies and clears blocks.
    pub(super) total: u64,
    /// Of what copies and clears blocks.
    pub(super) block: u64,
    /// Of the total, generated dispatch code in Rust.
    pub(super) dispatch: u64,
}

impl Driver {
    /// Counts one operation: 2000 calls less 1000, and the directions of one call.
    pub(super) fn count(&self, operation: &str) -> Result<Cost, String> {
        let (few, many) = (self.functions(operation, 1000)?, self.functions(operation, 2000)?);
        let (mut total, mut block, mut run) = (0, 0, Vec::new());
        let user = format!("{}{operation}", self.user);
        for (function, cost) in many.into_iter().filter(|(function, _)| *function != user) {
            let more = cost.saturating_sub(few.get(&function).copied().unwrap_or(0));
            if BLOCK.iter().any(|name| function.contains(name)) {
                block += more;
            } else {
                total += more;
                run.extend((more > 0).then_some(function));
            }
        }
        let (request, reply) = self.directions(operation)?;
        let (functions, bytes) = (run.len(), self.bytes(operation, &run)?);
        Ok(Cost { total: total / 1000, block: block / 1000, request, reply, functions, bytes })
    }

    /// As [`Driver::count`], of all threads and from one call's beginning to the next one's, without the function `driver`. What two runs
    /// differ by is shared by `calls`.
    pub(super) fn count_whole(&self, operation: &str, driver: &str, calls: usize) -> Result<Whole, String> {
        let whole = |calls| Ok::<_, String>(costs(&read(&self.run_whole(operation, calls)?)?));
        let (few, many) = (whole(calls)?, whole(2 * calls)?);
        let user = format!("{}{operation}", self.user);
        let (mut total, mut block, mut dispatch) = (0, 0, 0);
        for (function, cost) in
            many.into_iter().filter(|(function, _)| *function != user && function != driver)
        {
            let more = cost.saturating_sub(few.get(&function).copied().unwrap_or(0));
            let is_block = BLOCK.iter().any(|name| function.contains(name));
            *(if is_block { &mut block } else { &mut total }) += more;
            if DISPATCH.iter().any(|name| function.starts_with(SERVING) && function.ends_with(name)) {
                dispatch += more;
            }
        }
        // What happens now and then, as a time-out that is looked at, is a part of an instruction a call.
        let calls = calls as u64;
        let each = |instructions: u64| (instructions + calls / 2) / calls;
        Ok(Whole { total: each(total), block: each(block), dispatch: each(dispatch) })
    }

    fn run_whole(&self, operation: &str, calls: usize) -> Result<PathBuf, String> {
        let out = self.folder.join(format!("whole.{}.{operation}.{calls}", self.words.join(".")));
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", out.display()));
        run(valgrind.arg(&self.program).args(&self.words).args([operation, &calls.to_string()]))?;
        Ok(out)
    }

    fn callgrind(&self, operation: &str, calls: usize, more: &[String]) -> Result<PathBuf, String> {
        let out = self.folder.join(format!("out.{}.{operation}.{calls}", self.words.join(".")));
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--quiet"]);
        valgrind.arg(format!("--toggle-collect={}{operation}", self.stub)).args(more);
        valgrind.arg(format!("--callgrind-out-file={}", out.display()));
        run(valgrind.arg(&self.program).args(&self.words).args([operation, &calls.to_string()]))?;
        Ok(out)
    }

    /// Instructions of each function, of all calls.
    fn functions(&self, operation: &str, calls: usize) -> Result<BTreeMap<String, u64>, String> {
        Ok(costs(&read(&self.callgrind(operation, calls, &[])?)?))
    }

    /// Instructions of request and reply: the tool writes a file before the stub, before the user's function and after it.
    fn directions(&self, operation: &str) -> Result<(u64, u64), String> {
        const CALLS: usize = 8;
        let (stub, user) = (format!("{}{operation}", self.stub), format!("{}{operation}", self.user));
        let dumps = [
            format!("--dump-before={stub}"),
            format!("--dump-before={user}"),
            format!("--dump-after={user}"),
        ];
        let out = self.callgrind(operation, CALLS, &dumps)?;
        // The first call binds symbols; the last has no file after it. In between each has three files.
        let part = |number: usize| -> Result<u64, String> {
            let text = read(Path::new(&format!("{}.{number}", out.display())))?;
            let totals = text.lines().find_map(|line| line.strip_prefix("totals: "));
            totals.and_then(|text| text.trim().parse().ok()).ok_or_else(|| "a file without totals".to_owned())
        };
        let call = 3 * (CALLS - 3) + 1;
        Ok((part(call + 1)?, part(call + 3)?))
    }

    /// Of one operation, whose calls run these functions.
    fn bytes(&self, operation: &str, run_by_calls: &[String]) -> Result<Bytes, String> {
        let symbols = run(Command::new("nm").args(["-S", "-C"]).arg(&self.program))?;
        let stub = format!("{}{operation}", self.stub);
        let (of_client, of_server) = (CLIENT.map(|name| format!("{name}{operation}")), SERVER);
        let mut bytes = Bytes::default();
        for (name, size) in sizes(&symbols) {
            let whole = whole(name);
            let is_client = whole == stub || of_client.iter().any(|generated| whole.starts_with(generated));
            let is_server = of_server.iter().any(|ours| whole.starts_with(ours));
            let is_run = run_by_calls.iter().any(|function| self::whole(function) == whole);
            bytes.client += if is_client { size } else { 0 };
            bytes.both += if is_client || is_server || is_run { size } else { 0 };
        }
        if bytes.client == 0 { Err(format!("no size of {stub}")) } else { Ok(bytes) }
    }

    /// Of one operation's code on the client's side.
    pub(super) fn client_bytes(&self, operation: &str) -> Result<u64, String> {
        self.bytes(operation, &[]).map(|bytes| bytes.client)
    }

    /// Nanoseconds per call, without the tool.
    pub(super) fn nanoseconds(&self, operation: &str, calls: i64) -> Result<f64, String> {
        let mut command = Command::new(&self.program);
        let printed = run(command.args(&self.words).args([operation, &calls.to_string()]))?;
        printed.trim().parse().map_err(|_| format!("the driver printed {printed:?}"))
    }
}

/// Functions and their sizes in what `nm` prints: address, size, kind, name.
fn sizes(symbols: &str) -> impl Iterator<Item = (&str, u64)> {
    symbols.lines().filter_map(|line| {
        let [_, size, kind, name] = line.splitn(4, ' ').collect::<Vec<_>>().try_into().ok()?;
        let size = u64::from_str_radix(size, 16).ok()?;
        matches!(kind, "t" | "T" | "w" | "W").then_some((name, size))
    })
}

/// The function that this one is a part or a copy of: what compilers add to names begins with a dot.
fn whole(name: &str) -> &str {
    name.split_once('.').map_or(name, |(whole, _)| whole)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_what_is_called_is_the_callees() {
        let text = "fn=(1) f\n+1 10\ncfn=(2) g\ncalls=1 +2\n+3 100\n+1 5\nfn=(2)\n* 100\n";
        assert_eq!(costs(text), BTreeMap::from([("f".to_owned(), 15), ("g".to_owned(), 100)]));
    }

    #[test]
    fn sizes_are_those_of_functions() {
        let symbols = "10 08 t x::serve_open\n18 2a t <x::a::A as x::Rival>::open\n20 10 d table\n U puts\n40 t _init\n";
        let found: Vec<_> = sizes(symbols).collect();
        assert_eq!(found, [("x::serve_open", 8), ("<x::a::A as x::Rival>::open", 0x2a)]);
    }

    #[test]
    fn parts_are_of_one_function() {
        for part in ["send_open", "send_open.cold", "send_open.isra.0", "send_open.isra.0.cold"] {
            assert_eq!(whole(part), "send_open");
        }
    }
}
