//! Random calls and call arrays for sessions of Linux calls: whatever comes, there is an answer, the process lives on, nothing happens
//! outside of its directory, and nothing is left.
//!
//! The process of a session is this program, started again with one word ([`is_session`]), so that whoever uses these generators must
//! look for it first; or another that does ([`sessions_are`]): one of tests has threads, of which any takes a session's signals.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{Operation, Word};
use carnet_linux::linux;
use carnet_linux::{Linux, Rights, Rules, Starter};
use carnet_portal::address::Address;
use carnet_portal::call::{Area, Areas, Call, Caller, Kind, Object, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::Client;
use carnet_program::host::{Policy, Programs};
use carnet_program::interp::FaultKind;
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};

use crate::arrays;
use crate::entropy::Entropy;

/// The first word on the command line of a session's process.
pub const WORD: &str = "--linux-session";

/// Bytes of a file that a session may write.
const FILE: u64 = 1 << 20;
const SECRET: &[u8] = b"nobody's";

static SESSIONS: OnceLock<PathBuf> = OnceLock::new();

/// From now on this program is started for a session.
pub fn sessions_are(program: &str) {
    SESSIONS.get_or_init(|| program.into());
}

/// Whether this process was started to be that of a session.
#[must_use]
pub fn is_session() -> bool {
    std::env::args().nth(1).as_deref() == Some(WORD) && std::env::vars_os().next().is_none()
}

/// Works for one session.
#[must_use]
pub fn serve() -> ExitCode {
    carnet_linux::process::run()
}

/// A served directory, and what is beside it.
struct Scratch {
    folder: PathBuf,
    service: Linux,
}

impl Scratch {
    fn new() -> Scratch {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("carnet-fuzz-linux-{}-{number}", std::process::id()));
        let served = folder.join("served");
        fs::create_dir_all(served.join("b")).expect("a directory");
        fs::write(folder.join("secret"), SECRET).expect("it is written");
        fs::write(served.join("a"), [b'a'; 5_000]).expect("it is written");
        fs::write(served.join("b/c"), b"c").expect("it is written");
        let mut rules = Rules::new(&served, Rights::Write);
        rules.limits.call = Duration::from_millis(5);
        rules.limits.file = FILE;
        rules.limits.written = Some(4 * FILE);
        rules.limits.descriptors = 32;
        let starter = match SESSIONS.get() {
            Some(program) => Starter { program: program.clone(), ..Starter::myself(WORD) },
            None => Starter::myself(WORD),
        };
        let service = Linux::serve(rules, starter).expect("the kernel has Landlock");
        Scratch { folder, service }
    }

    /// Nothing happened outside, and nobody is left.
    fn check(self) {
        let names = names(&self.folder);
        assert_eq!(names, ["secret", "served"], "something is beside the directory");
        assert_eq!(fs::read(self.folder.join("secret")).ok().as_deref(), Some(SECRET));
        let deadline = Instant::now() + Duration::from_secs(10);
        while self.service.processes() > 0 {
            assert!(Instant::now() < deadline, "a process is left");
            std::thread::yield_now();
        }
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there");
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|name| name != "socket");
    names.sort();
    names
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Directories may have been made unreadable for their owner.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Makes a session, calls it at random, and looks at what is left; whether a call came to something.
///
/// # Panics
/// If a promise is broken.
pub fn check_calls(e: &mut Entropy<'_>) -> bool {
    let scratch = Scratch::new();
    let caller = Caller::of("mallory", 1);
    let session = scratch.service.session(&caller);
    let mut done = false;
    for _ in 0..1 + e.below(12) {
        done |= one_call(&*session, &caller, e);
    }
    let (op, _) = linux::module().interfaces[0].operation("getpid").expect("the interface has it");
    let lives = dispatch(&*session, &caller, op, &mut [0], &mut Areas::default());
    assert_eq!(lives, Ok(()), "its process lives");
    drop(session);
    scratch.check();
    done
}

/// Calls one operation with random arguments; whether it was done.
fn one_call(object: &dyn Object, caller: &Caller, e: &mut Entropy<'_>) -> bool {
    let operations = &linux::module().interfaces[0].operations;
    let number = e.below(operations.len());
    let operation = &operations[number];
    let mut areas = Areas::default();
    let mut block = vec![0; operation.layout.words()];
    let begun_badly = e.one_in(12);
    for (at, word) in operation.layout.ins.iter().chain(&operation.layout.outs).enumerate() {
        let is_area = matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. });
        if !is_area || begun_badly {
            block[at] = int(e).cast_unsigned();
            continue;
        }
        let bytes = if at < operation.layout.ins.len() { text(e) } else { Vec::new() };
        block[at] = Ref::new(areas.list.len(), 0, bytes.len()).expect("it is short").0;
        let words = if matches!(word, Word::List { .. }) { list(operation, e) } else { Vec::new() };
        areas.list.push(Area { bytes, words });
    }
    match dispatch(object, caller, number as u16, &mut block, &mut areas) {
        Ok(()) => true,
        Err(kind) => {
            assert!(matches!(kind, Kind::Raised | Kind::BadArgument), "{}: {kind:?}", operation.name);
            false
        }
    }
}

fn dispatch(
    object: &dyn Object,
    caller: &Caller,
    op: u16,
    words: &mut [u64],
    areas: &mut Areas,
) -> Result<(), Kind> {
    let mut made = Vec::new();
    let mut call = Call { words, areas, portals: &[], made: &mut made, caller };
    object.dispatch(op, &mut call).map_err(|failure| failure.kind())
}

fn list(operation: &Operation, e: &mut Entropy<'_>) -> Vec<u64> {
    let len = e.below(3 * operation.layout.words() + 1);
    (0..len).map(|_| int(e).cast_unsigned()).collect()
}

/// Mostly a descriptor, a flag, or a small number.
fn int(e: &mut Entropy<'_>) -> i64 {
    match e.below(12) {
        0 => e.int(),
        1 => -100,
        2 => 1 << e.below(22),
        3 => e.below(5_000) as i64,
        _ => e.below(12) as i64,
    }
}

fn text(e: &mut Entropy<'_>) -> Vec<u8> {
    const PATHS: [&str; 12] =
        ["a", "b", "b/c", "b/../a", ".", "..", "../secret", "/", "/etc/passwd", "new", "b/new", "link"];
    if e.one_in(5) { e.text(5_000) } else { e.pick(&PATHS).as_bytes().to_vec() }
}

/// Makes a call array of Linux calls, has a session run it, and looks at what is left; whether it was accepted.
///
/// # Panics
/// If a promise is broken.
pub fn check_arrays(e: &mut Entropy<'_>) -> bool {
    let scratch = Scratch::new();
    let mut policy = Policy::default();
    policy.limits.time_ns = 100_000_000;
    let programs = Arc::new(Programs::new(&[linux::module()], policy));
    let options = ServerOptions { entry: Some(programs), ..ServerOptions::default() };
    let address = Address::Unix(scratch.folder.join("socket"));
    let roots = scratch.service.clone();
    let root = move |caller: &Caller| Ok(Capability::new(roots.session(caller)));
    let server = Server::listen(&address, options, root).expect("it listens");
    let transport = RemoteSession::connect(&address, ConnectOptions::default()).expect("it is there");
    let portal = transport.root();
    let client = Client::new(transport);
    let mut accepted = false;
    for id in 1..=1 + e.below(4) {
        let bytes = arrays::array(linux::module(), e, int).encode();
        let request = RunRequest {
            id: RunId(id as u128),
            options: RunOptions::default(),
            name: "",
            approval: "",
            arguments: vec![Argument::Portal(0)],
            program: RunProgram::Whole(&bytes),
        };
        let outcome = client.run(&request, &[&portal]).expect("the server answers");
        let is_ours = matches!(&outcome.end, End::Fault(FaultKind::Internal) | End::CallInDoubt { .. });
        assert!(!is_ours, "{:?}", outcome.end);
        accepted |= !matches!(outcome.end, End::Rejected(_));
    }
    let system = linux::System::from_portal(portal.clone());
    system.getpid().expect("its process lives");
    drop((system, portal, client, server));
    scratch.check();
    accepted
}
