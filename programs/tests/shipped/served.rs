//! A served directory, store or tracker, programs run on it, and what they return.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use carnet_codegen::Translator;
use carnet_files::{Access, SturdyFiles, files};
use carnet_idl::descriptor::Module;
use carnet_kv::{OpenError, SturdyStores, kv};
use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;
use carnet_portal::sturdy::Sturdy;
use carnet_program::client::{Client, Running};
use carnet_program::compile::compile;
use carnet_program::host::{JournalError, Policy, Programs};
use carnet_program::protocol::{Argument, End, Engine, Outcome, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::args::args;
use carnet_program::source::parse;
use carnet_programs::Shipped;
use carnet_tracker::{SturdyTrackers, tracker};
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
        Aged::with(|clock| Served::keys(Policy::default(), clock, |_| {}, Arc::new(|object| object)))
    }

    pub(crate) fn issues() -> Aged {
        Aged::with(|clock| Served::issues(Policy::default(), clock, |_| {}, Arc::new(|object| object)))
    }

    fn with(serve: impl FnOnce(carnet_kv::Clock) -> Served) -> Aged {
        let age = Arc::new(AtomicU64::new(0));
        let of_things = Arc::clone(&age);
        let clock = move || SystemTime::now() - Duration::from_secs(of_things.load(Ordering::Relaxed));
        Aged { served: serve(Arc::new(clock)), age }
    }
}

/// What stands in front of each object of a service.
pub(crate) type Before = Arc<dyn Fn(Arc<dyn Object>) -> Arc<dyn Object> + Send + Sync>;

/// Opens a service in a folder; `None` while somebody else has it open.
type Open = dyn Fn(&Path) -> Option<Arc<dyn Object>>;

/// What is served, and how it is opened in a folder.
struct Service {
    open: Box<Open>,
    before: Before,
    policy: Policy,
    is_database: bool,
}

impl Service {
    fn open(&self, folder: &Path) -> Arc<dyn Object> {
        once_free(|| (self.open)(folder))
    }
}

/// What is opened, as soon as nobody else has it open any more.
fn once_free<T>(open: impl Fn() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        match open() {
            Some(opened) => return opened,
            None => assert!(began.elapsed() < Duration::from_secs(30), "somebody holds it"),
        }
        std::thread::yield_now();
    }
}

/// Finds objects of a service with what stands in front of them.
struct Behind(Box<dyn Sturdy>, Before);

impl Sturdy for Behind {
    fn module(&self) -> &'static Module {
        self.0.module()
    }

    fn identity(&self, root: &dyn Object) -> std::result::Result<Vec<u8>, String> {
        self.0.identity(root)
    }

    fn name(&self, root: &dyn Object, object: &dyn Object) -> std::result::Result<Vec<u8>, String> {
        self.0.name(root, object)
    }

    fn find(
        &self,
        root: &dyn Object,
        name: &[u8],
        caller: &Caller,
    ) -> std::result::Result<Arc<dyn Object>, String> {
        self.0.find(root, name, caller).map(&*self.1)
    }
}

/// A temporary directory, or a store or tracker in one, served for reading and writing.
pub(crate) struct Served {
    client: Option<Client>,
    own: Option<Portal>,
    closed: Arc<AtomicU64>,
    /// How many servers were told to end.
    ending: Arc<AtomicU64>,
    programs: Option<Arc<Counted>>,
    server: Option<Server>,
    service: Service,
    folder: TempDir,
}

impl Served {
    pub(crate) fn new() -> Served {
        Served::with_policy(Policy::default())
    }

    pub(crate) fn with_policy(policy: Policy) -> Served {
        Served::behind(policy, Arc::new(|root| root))
    }

    /// With what `before` puts in front of the files service.
    pub(crate) fn behind(policy: Policy, before: Before) -> Served {
        let folder = tempfile::tempdir().expect("a temporary directory");
        std::fs::create_dir(folder.path().join("root")).expect("a new directory");
        let open = |folder: &Path| {
            let root = carnet_files::Options::new(folder.join("root"));
            let options = carnet_files::Options { access: Access::ReadWrite, ..root };
            Some(carnet_files::serve(options).expect("it is there").into_object())
        };
        Served::on(Service { open: Box::new(open), before, policy, is_database: false }, folder, |_| {})
    }

    /// A store whose values are written when `clock` says; with what `fill` puts there, and what `before` puts in front of it.
    pub(crate) fn keys(
        policy: Policy,
        clock: carnet_kv::Clock,
        fill: impl FnOnce(&kv::Store),
        before: Before,
    ) -> Served {
        let access = carnet_kv::Access::ReadWrite;
        let open = move |folder: &Path| {
            let options = carnet_kv::Options::new(folder.join("data.db"));
            let options = carnet_kv::Options { access, clock: Arc::clone(&clock), ..options };
            opened(carnet_kv::serve(options)).map(carnet_portal::stub::Served::into_object)
        };
        let service = Service { open: Box::new(open), before, policy, is_database: true };
        Served::database(service, |root| fill(&kv::Store::from_portal(root)))
    }

    /// A tracker in which things happen when `clock` says; with what `fill` puts there, and what `before` puts in front of it.
    pub(crate) fn issues(
        policy: Policy,
        clock: carnet_tracker::Clock,
        fill: impl FnOnce(&tracker::Tracker),
        before: Before,
    ) -> Served {
        let access = carnet_tracker::Access::ReadWrite;
        let open = move |folder: &Path| {
            let options = carnet_tracker::Options::new(folder.join("data.db"));
            let options = carnet_tracker::Options { access, clock: Arc::clone(&clock), ..options };
            opened(carnet_tracker::serve(options)).map(carnet_portal::stub::Served::into_object)
        };
        let service = Service { open: Box::new(open), before, policy, is_database: true };
        Served::database(service, |root| fill(&tracker::Tracker::from_portal(root)))
    }

    fn database(service: Service, fill: impl FnOnce(Portal)) -> Served {
        Served::on(service, tempfile::tempdir().expect("a temporary directory"), fill)
    }

    fn on(service: Service, folder: TempDir, fill: impl FnOnce(Portal)) -> Served {
        let (closed, ending) = (Arc::default(), Arc::default());
        let (programs, server) = (None, None);
        let mut served =
            Served { client: None, own: None, closed, ending, programs, server, service, folder };
        let root = served.service.open(served.folder.path());
        let own = LocalSession::new(Capability::new(Arc::clone(&root)), Caller::local()).root();
        fill(own.clone());
        served.own = served.service.is_database.then_some(own);
        served.listen(root, Programs::new(&MODULES.map(|module| module()), served.service.policy.clone()));
        served
    }

    fn listen(&mut self, root: Arc<dyn Object>, programs: Programs) {
        let root = Capability::new((self.service.before)(root));
        if let Ok(translator) = Translator::new() {
            programs.translate_with(Box::new(translator));
        }
        let entry = Arc::new(Counted(programs, Arc::clone(&self.closed)));
        self.programs = Some(Arc::clone(&entry));
        let options = ServerOptions { entry: Some(entry), ..ServerOptions::default() };
        let address = Address::Unix(self.folder.path().join("socket"));
        self.server =
            Some(Server::listen(&address, options, move |_| Ok(root.clone())).expect("a free socket"));
        let client = connected(&address);
        // What a test fills in by single calls may take longer than a server waits for a client's first word.
        client.ask(RunId(0)).expect("the server answers");
        self.client = Some(client);
    }

    /// Ends the server, and serves the same again, with what runs come to written down in `state`.
    pub(crate) fn restart(&mut self, state: &Path) {
        (self.client, self.own) = (None, None);
        self.end();
        let root = self.service.open(self.folder.path());
        if self.service.is_database {
            let own = LocalSession::new(Capability::new(Arc::clone(&root)), Caller::local()).root();
            self.own = Some(own);
        }
        let modules = MODULES.map(|module| module());
        // A thread of the server before may have the last hold on its files.
        let programs =
            once_free(|| match Programs::journalled(&modules, self.service.policy.clone(), state) {
                Err(JournalError::InUse) => None,
                made => Some(made.expect("its files are as they were left")),
            });
        let all: [Box<dyn Sturdy>; 3] =
            [Box::new(SturdyFiles), Box::new(SturdyStores), Box::new(SturdyTrackers)];
        let behind = |names| Box::new(Behind(names, Arc::clone(&self.service.before))) as Box<dyn Sturdy>;
        programs.sturdy_by(all.into_iter().map(behind).collect());
        self.listen(root, programs);
    }

    /// As `carnet serve` does when it is told to end.
    fn end(&mut self) {
        self.programs.take().into_iter().for_each(|programs| programs.0.close());
        self.ending.fetch_add(1, Ordering::SeqCst);
        if let Some(server) = self.server.take() {
            server.shutdown(Instant::now() + Duration::from_secs(5));
        }
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

    /// Counts servers that were told to end.
    pub(crate) fn ending(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.ending)
    }

    /// Another connection.
    pub(crate) fn client(&self) -> Client {
        connected(&Address::Unix(self.folder.path().join("socket")))
    }

    /// The served files, for single calls over a connection of their own.
    pub(crate) fn files(&self) -> files::Dir {
        let address = Address::Unix(self.folder.path().join("socket"));
        let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it listens");
        files::Dir::from_portal(session.root())
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
        send(
            self.client.as_ref().expect("it is served"),
            program,
            arguments,
            RunRequest { id, options, ..nothing() },
        )
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
    let arguments = values.iter().map(Argument::from).collect();
    let (bytecode, sent);
    let program = match request.options.engine {
        Engine::Tree => {
            sent = tree.encode();
            RunProgram::Tree(&sent)
        }
        _ => {
            bytecode = compile(&tree).expect("a shipped program compiles").encode();
            (&bytecode).into()
        }
    };
    client.start(&RunRequest { arguments, program, ..request }, &[]).expect("it is sent")
}

fn connected(address: &Address) -> Client {
    Client::new(RemoteSession::connect(address, ConnectOptions::default()).expect("it listens"))
}

/// A database that is open; `None` while somebody else has it.
fn opened<T>(opened: std::result::Result<T, OpenError>) -> Option<T> {
    match opened {
        Err(OpenError::Locked) => None,
        opened => Some(opened.expect("a good file")),
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.end();
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
