//! A served directory, store or tracker, programs run on it, and what they return.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use carnet_codegen::Translator;
use carnet_files::{Access, files};
use carnet_idl::descriptor::Module;
use carnet_kv::kv;
use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;
use carnet_program::client::{Client, Running};
use carnet_program::compile::compile;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, Outcome, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::args::args;
use carnet_program::source::parse;
use carnet_programs::Shipped;
use carnet_tracker::tracker;
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use tempfile::TempDir;

/// What programs can use.
const MODULES: [fn() -> &'static Module; 3] = [files::module, kv::module, tracker::module];

/// Programs, and how many sessions have ended for them.
struct Counted(Programs, Arc<AtomicU64>);

impl EntryPoint for Counted {
    fn handle(&self, request: EntryRequest<'_>) {
        self.0.handle(request);
    }

    fn closed(&self, session: &Session) {
        self.0.closed(session);
        self.1.fetch_add(1, Ordering::SeqCst);
    }

    fn cancel(&self, session: &Session) {
        self.0.cancel(session);
    }
}

/// A store or tracker in which things happened as long ago as `age` says, in seconds.
pub(crate) struct Aged {
    pub(crate) served: Served,
    pub(crate) age: Arc<AtomicU64>,
}

impl Aged {
    pub(crate) fn keys() -> Aged {
        Aged::with(|clock| Served::keys(Policy::default(), clock, |_| {}, |object| object))
    }

    pub(crate) fn issues() -> Aged {
        Aged::with(|clock| Served::issues(Policy::default(), clock, |_| {}, |object| object))
    }

    fn with(serve: impl FnOnce(carnet_kv::Clock) -> Served) -> Aged {
        let age = Arc::new(AtomicU64::new(0));
        let of_things = Arc::clone(&age);
        let clock = move || SystemTime::now() - Duration::from_secs(of_things.load(Ordering::Relaxed));
        Aged { served: serve(Arc::new(clock)), age }
    }
}

/// A temporary directory, or a store or tracker in one, served for reading and writing.
pub(crate) struct Served {
    client: Client,
    own: Option<Portal>,
    closed: Arc<AtomicU64>,
    server: Option<Server>,
    folder: TempDir,
}

impl Served {
    pub(crate) fn new() -> Served {
        Served::with_policy(Policy::default())
    }

    pub(crate) fn with_policy(policy: Policy) -> Served {
        Served::behind(policy, |root| root)
    }

    /// With what `before` puts in front of the files service.
    pub(crate) fn behind(policy: Policy, before: impl FnOnce(Arc<dyn Object>) -> Arc<dyn Object>) -> Served {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let root = folder.path().join("root");
        std::fs::create_dir(&root).expect("a new directory");
        let options = carnet_files::Options { access: Access::ReadWrite, ..carnet_files::Options::new(root) };
        let root = before(carnet_files::serve(options).expect("it is there").into_object());
        Served::on(root, policy, folder, None)
    }

    /// A store whose values are written when `clock` says; with what `fill` puts there, and what `before` puts in front of it.
    pub(crate) fn keys(
        policy: Policy,
        clock: carnet_kv::Clock,
        fill: impl FnOnce(&kv::Store),
        before: impl FnOnce(Arc<dyn Object>) -> Arc<dyn Object>,
    ) -> Served {
        let access = carnet_kv::Access::ReadWrite;
        let open = |path| {
            let options = carnet_kv::Options { access, clock, ..carnet_kv::Options::new(path) };
            carnet_kv::serve(options).expect("a new file").into_object()
        };
        Served::database(policy, open, |root| fill(&kv::Store::from_portal(root)), before)
    }

    /// A tracker in which things happen when `clock` says; with what `fill` puts there, and what `before` puts in front of it.
    pub(crate) fn issues(
        policy: Policy,
        clock: carnet_tracker::Clock,
        fill: impl FnOnce(&tracker::Tracker),
        before: impl FnOnce(Arc<dyn Object>) -> Arc<dyn Object>,
    ) -> Served {
        let access = carnet_tracker::Access::ReadWrite;
        let open = |path| {
            let options = carnet_tracker::Options { access, clock, ..carnet_tracker::Options::new(path) };
            carnet_tracker::serve(options).expect("a new file").into_object()
        };
        Served::database(policy, open, |root| fill(&tracker::Tracker::from_portal(root)), before)
    }

    fn database(
        policy: Policy,
        open: impl FnOnce(PathBuf) -> Arc<dyn Object>,
        fill: impl FnOnce(Portal),
        before: impl FnOnce(Arc<dyn Object>) -> Arc<dyn Object>,
    ) -> Served {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let root = open(folder.path().join("data.db"));
        let own = LocalSession::new(Capability::new(Arc::clone(&root)), Caller::local()).root();
        fill(own.clone());
        Served::on(before(root), policy, folder, Some(own))
    }

    fn on(root: Arc<dyn Object>, policy: Policy, folder: TempDir, own: Option<Portal>) -> Served {
        let root = Capability::new(root);
        let closed = Arc::new(AtomicU64::new(0));
        let programs = Programs::new(&MODULES.map(|module| module()), policy);
        if let Ok(translator) = Translator::new() {
            programs.translate_with(Box::new(translator));
        }
        let entry = Arc::new(Counted(programs, Arc::clone(&closed)));
        let options = ServerOptions { entry: Some(entry), ..ServerOptions::default() };
        let address = Address::Unix(folder.path().join("socket"));
        let server = Server::listen(&address, options, move |_| Ok(root.clone())).expect("a free socket");
        let client = connected(&address);
        // What a test fills in by single calls may take longer than a server waits for a client's first word.
        client.ask(RunId(0)).expect("the server answers");
        Served { client, own, closed, server: Some(server), folder }
    }

    /// The served store, for single calls past the server.
    pub(crate) fn store(&self) -> kv::Store {
        kv::Store::from_portal(self.own.clone().expect("a store is served"))
    }

    /// The served tracker, for single calls past the server.
    pub(crate) fn tracker(&self) -> tracker::Tracker {
        tracker::Tracker::from_portal(self.own.clone().expect("a tracker is served"))
    }

    /// Sessions of which the programs know that they have ended.
    pub(crate) fn closed(&self) -> u64 {
        self.closed.load(Ordering::SeqCst)
    }

    /// Another connection.
    pub(crate) fn client(&self) -> Client {
        connected(&Address::Unix(self.folder.path().join("socket")))
    }

    /// The served directory.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    /// A directory below it, which is made if it is not there.
    pub(crate) fn dir(&self, path: &str) -> PathBuf {
        let dir = self.root().join(path);
        std::fs::create_dir_all(&dir).expect("a directory can be made");
        dir
    }

    /// A directory beside it, for what the tools make.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn run(&self, program: Shipped, arguments: &[&str]) -> Outcome {
        self.run_with(program, arguments, RunOptions::default())
    }

    pub(crate) fn run_with(&self, program: Shipped, arguments: &[&str], options: RunOptions) -> Outcome {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = RunId(u128::from(NEXT.fetch_add(1, Ordering::Relaxed)));
        send(&self.client, program, arguments, RunRequest { id, options, ..nothing() })
            .wait(&mut |_| {})
            .expect("the server answers")
    }

    /// Runs a program to its end, and reads its result.
    pub(crate) fn done<T>(
        &self,
        program: Shipped,
        arguments: &[&str],
        read: impl FnOnce(&mut Result) -> T,
    ) -> T {
        let outcome = self.run(program, arguments);
        assert_eq!(outcome.end, End::Done, "{}: {:?}", program.file, outcome.call);
        result(&outcome, read)
    }
}

/// A request to fill in.
pub(crate) fn nothing() -> RunRequest<'static> {
    RunRequest {
        id: RunId(0),
        options: RunOptions::default(),
        name: "",
        approval: "",
        arguments: Vec::new(),
        program: RunProgram::Whole(&[]),
    }
}

/// Sends a program as the request says.
pub(crate) fn send(
    client: &Client,
    program: Shipped,
    arguments: &[&str],
    request: RunRequest<'_>,
) -> Running {
    let modules = MODULES.map(|module| Arc::new(module().clone()));
    let tree = parse(program.source, &modules).expect("a shipped program parses");
    let values = args(&tree, arguments).expect("good arguments");
    let program = compile(&tree).expect("a shipped program compiles").encode();
    let arguments = values.iter().map(Argument::from).collect();
    client.start(&RunRequest { arguments, program: (&program).into(), ..request }, &[]).expect("it is sent")
}

fn connected(address: &Address) -> Client {
    Client::new(RemoteSession::connect(address, ConnectOptions::default()).expect("it listens"))
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.shutdown(Instant::now() + Duration::from_secs(5));
        }
    }
}

/// Reads an outcome's result, all of it.
pub(crate) fn result<T>(outcome: &Outcome, read: impl FnOnce(&mut Result) -> T) -> T {
    let mut result = Result(outcome.result.as_deref().expect("there is a result"));
    let value = read(&mut result);
    assert!(result.0.is_empty(), "{} bytes of the result are left", result.0.len());
    value
}

/// Calls of one operation, which only one interface has.
pub(crate) fn calls(outcome: &Outcome, operation: &str) -> u64 {
    outcome.calls.iter().find(|calls| calls.operation == operation).map_or(0, |calls| calls.count)
}

/// What is left of a result: numbers of 8 bytes, texts and lists after a count of 4.
pub(crate) struct Result<'a>(&'a [u8]);

impl Result<'_> {
    pub(crate) fn int(&mut self) -> i64 {
        i64::from_le_bytes(self.take(8).try_into().expect("8 bytes"))
    }

    pub(crate) fn text(&mut self) -> Vec<u8> {
        let len = self.count();
        self.take(len).to_vec()
    }

    pub(crate) fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.count()).map(|_| element(self)).collect()
    }

    fn count(&mut self) -> usize {
        u32::from_le_bytes(self.take(4).try_into().expect("4 bytes")) as usize
    }

    fn take(&mut self, len: usize) -> &[u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }
}

/// From now on this thread, and the server that it starts, may read only what permissions allow, also as root.
pub(crate) fn obey_permissions() {
    let mut held = capabilities(None).expect("every thread may ask");
    held.effective.remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH);
    set_capabilities(None, held).expect("every thread may give up");
}

/// What a command of the shell prints, run in `dir` with file names taken as bytes.
pub(crate) fn tool(dir: &Path, command: &str) -> Vec<u8> {
    tool_on(dir, command, OsStr::new(""))
}

/// As [`tool`], with a name that the command calls `$1`.
pub(crate) fn tool_on(dir: &Path, command: &str, name: &OsStr) -> Vec<u8> {
    let ran = std::process::Command::new("sh")
        .args(["-c", command, "sh"])
        .arg(name)
        .current_dir(dir)
        .env("LC_ALL", "C")
        .output()
        .expect("there is a shell");
    let (status, out, err) = (ran.status, ran.stdout, String::from_utf8_lossy(&ran.stderr).into_owned());
    assert!(
        status.success() && err.is_empty(),
        "{command}: {status}\n{}{err}",
        String::from_utf8_lossy(&out)
    );
    out
}

/// The texts of a list in which each ends with NUL.
pub(crate) fn ended_by_nul(list: &[u8]) -> Vec<Vec<u8>> {
    list.split_inclusive(|byte| *byte == 0)
        .map(|text| text.strip_suffix(b"\0").unwrap_or(text).to_vec())
        .collect()
}
