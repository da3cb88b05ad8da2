//! Stubs of other interface compilers and serialisers, from `bench/rivals/stubs`, counted as ours.
//!
//! Object, operation and status travel beside their messages as they do beside ours, so that what differs are the stubs.
//! All check what they read; rkyv and FlatBuffers can do without, which no server could afford. Each has its quickest
//! form that needs no code of one's own that is not checked:
//!
//! | rival | form |
//! | --- | --- |
//! | bincode 2 | integers of fixed width, data borrowed from the message |
//! | Cap'n Proto | for each function the best of three ways to give its builders memory |
//! | FlatBuffers | builders kept; the verifier before each read |
//! | prost | `int64`, `bytes` as `Vec<u8>`: the defaults |
//! | rkyv | the interface without memory of its own; archives checked |
//! | rpcgen | XDR without the headers of ONC RPC, `hyper` and `opaque<>`; in C, if the machine has it |

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::callgrind::{Cost, Driver};
use super::run;
use crate::measure::Contender;
use crate::rival::build;

/// Names, types in the program in Rust, and its words for them; more than one, if the best is taken.
const RUST: [(&str, &str, &[&str]); 5] = [
    ("bincode 2", "bincode::Bincode", &["bincode"]),
    ("Cap'n Proto", "capnp::Capnp<P>", &["capnp-scratch", "capnp-small", "capnp-usual"]),
    ("FlatBuffers", "flatbuffers::FlatBuffers", &["flatbuffers"]),
    ("prost", "prost::Prost", &["prost"]),
    ("rkyv", "rkyv::Rkyv", &["rkyv"]),
];

/// The driver of the rival in C, in object files of their own.
const PARTS: [&str; 5] = ["client", "server", "transport", "user", "driver"];

/// Functions of a call if nothing is called out of line: stub, transport, dispatch.
const ALL_IN_LINE: usize = 3;

/// A rival that is built.
pub(super) struct Rival {
    name: &'static str,
    drivers: Vec<Driver>,
}

/// What one call of a rival costs, in its best form.
pub(super) struct Counted<'a> {
    pub(super) name: &'static str,
    pub(super) cost: Cost,
    driver: &'a Driver,
    /// Bytes of the client's stub, if it is one function.
    client_bytes: Option<u64>,
}

/// Builds all that can be built here.
pub(super) fn all(folder: &Path) -> Result<Vec<Rival>, String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let package = "carnet-rivals-stubs";
    let program = build(package)?.join("release").join(package);
    let mut rivals: Vec<Rival> = RUST
        .iter()
        .map(|(name, of, words)| {
            let drivers = words.iter().map(|word| in_rust(&program, folder, of, word)).collect();
            Rival { name, drivers }
        })
        .collect();
    match rpcgen(folder)? {
        Ok(driver) => rivals.push(Rival { name: "rpcgen", drivers: vec![driver] }),
        Err(missing) => println!("stubs: rpcgen skipped: {missing}"),
    }
    Ok(rivals)
}

fn in_rust(program: &Path, folder: &Path, of: &str, word: &str) -> Driver {
    let crate_name = "carnet_rivals_stubs";
    Driver {
        program: program.to_owned(),
        words: vec![word.to_owned()],
        folder: folder.to_owned(),
        stub: format!("<{crate_name}::{of} as {crate_name}::harness::Rival>::stub_"),
        user: format!("{crate_name}::user::pfs_"),
    }
}

/// Builds the rival in C; what is missing, if it is not there.
fn rpcgen(folder: &Path) -> Result<Result<Driver, &'static str>, String> {
    let headers = Path::new("/usr/include/tirpc");
    if Command::new("rpcgen").arg("--version").output().is_err() {
        return Ok(Err("no rpcgen"));
    }
    if !headers.exists() {
        return Ok(Err("no libtirpc"));
    }
    let rivals = Path::new(env!("CARGO_MANIFEST_DIR")).join("rivals/stubs");
    let folder = folder.join("rpcgen");
    let io = |error: std::io::Error| error.to_string();
    fs::create_dir_all(&folder).map_err(io)?;
    fs::copy(rivals.join("schema/pfs.x"), folder.join("pfs.x")).map_err(io)?;
    for (what, to) in [("-h", "pfs.h"), ("-c", "pfs_xdr.c")] {
        // It writes no file over another.
        let _ = fs::remove_file(folder.join(to));
        run(Command::new("rpcgen").current_dir(&folder).args([what, "-o", to, "pfs.x"]))?;
    }
    let compile = |source: PathBuf, to: &str, warnings: &[&str]| {
        let mut gcc = Command::new("gcc");
        gcc.current_dir(&folder).args(["-std=gnu11", "-O2", "-I.", "-I"]).arg(headers).args(warnings);
        run(gcc.arg("-c").arg(source).args(["-o", to])).map(|_| to.to_owned())
    };
    let mut objects = vec![compile(PathBuf::from("pfs_xdr.c"), "pfs_xdr.o", &["-w"])?];
    for part in PARTS {
        let source = rivals.join("c").join(part).with_extension("c");
        objects.push(compile(source, &format!("{part}.o"), &["-Wall", "-Wextra", "-Werror"])?);
    }
    run(Command::new("gcc").current_dir(&folder).args(objects).args(["-ltirpc", "-o", "driver"]))?;
    let program = folder.join("driver");
    let (stub, user) = ("stub_".to_owned(), "pfs_".to_owned());
    Ok(Ok(Driver { program, words: Vec::new(), folder, stub, user }))
}

/// Counts one operation of all rivals.
pub(super) fn counted<'a>(rivals: &'a [Rival], operation: &str) -> Result<Vec<Counted<'a>>, String> {
    rivals
        .iter()
        .map(|rival| rival.count(operation).map_err(|what| format!("{}: {what}", rival.name)))
        .collect()
}

impl Rival {
    /// Counts all forms, and takes the best.
    fn count(&self, operation: &str) -> Result<Counted<'_>, String> {
        let counts = self.drivers.iter().map(|driver| Ok((driver.count(operation)?, driver)));
        let counts = counts.collect::<Result<Vec<_>, String>>()?;
        let best = counts.into_iter().min_by_key(|(cost, _)| cost.total);
        let (cost, driver) = best.ok_or("it has no form")?;
        let client_bytes = (cost.functions == ALL_IN_LINE).then_some(cost.bytes.client);
        Ok(Counted { name: self.name, cost, driver, client_bytes })
    }
}

impl Counted<'_> {
    /// Its time.
    pub(super) fn contender<'a>(&'a self, operation: &'a str, calls: i64) -> Contender<'a> {
        Contender::new(self.name, move || self.driver.nanoseconds(operation, calls))
    }
}

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost { total, block, request, reply, .. } = self.cost;
        write!(f, "{} {total} (request {request}, reply {reply}, block copy {block}", self.name)?;
        if self.driver.words.first().is_some_and(|word| word.contains('-')) {
            write!(f, ", as {}", self.driver.words.concat())?;
        }
        self.client_bytes.map_or(Ok(()), |bytes| write!(f, ", client stub {bytes} bytes"))?;
        f.write_str(")")
    }
}
