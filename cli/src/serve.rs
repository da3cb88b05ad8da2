//! `carnet serve`: a service and, beside it, the programs of its clients.
//!
//! SIGINT or SIGTERM end it in order: no new runs and sessions, what is running is cancelled at its next call or round of a loop and
//! told to its client, the socket file is removed. A second signal ends it at once.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use carnet_codegen::Translator;
use carnet_files::Access;
use carnet_idl::descriptor::Module;
use carnet_kv::Durability;
use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::door::Door;
use carnet_portal::entry::EntryPoint;
use carnet_portal::meter::Meter;
use carnet_portal::server::{ListenError, Server, ServerOptions, SingleCalls, Stopped, Threads, WaitMode};
use carnet_portal::sturdy::Sturdy;
use carnet_program::host::{Confirm, JournalError, NotTaken, Policy, Programs, Trees};
use carnet_program::verify::LoadError;
use serde_json::json;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tracing::info;

use crate::also::{self, Also, OpenedBeside};
use crate::args;
use crate::door;
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::interfaces;
use crate::output;
use crate::policy::{self, Rules};
use crate::relay;
use crate::report;
use crate::services::{self, Opened, Roots, Wanted};
use crate::source::{compile, shown};
use crate::value::harmless;

/// Programs that are installed, at most.
const INSTALLED_MAX: usize = 256;
/// How long sessions may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// Serves until a signal comes.
///
/// # Errors
/// If it cannot serve.
pub fn serve(args: &args::Serve) -> Answer {
    log_to_stderr(&args.log)?;
    let kind = if args.kind == relay::KIND { None } else { Some(services::kind(&args.kind)?) };
    let addresses = listen_addresses(args)?;
    is_for_linux(args)?;
    let Rules { mut policy, installed, door: limits } =
        args.policy.as_deref().map_or_else(|| Ok(Rules::default()), policy::read)?;
    if args.trees {
        policy.trees = Trees::Taken;
    }
    let quota = args.quota.as_deref().map(quota).transpose()?;
    let beside = also::parse(args)?;
    let durability = durability(args, &beside)?;
    let access = if args.read_only { Access::ReadOnly } else { Access::ReadWrite };
    let door = door::door(args, &addresses, limits)?;
    let opened = match kind {
        Some(kind) => {
            let alike = also::alike(&beside, args, kind.name);
            (kind.open)(&Wanted { what: &args.what, access, quota, durability, alike, linux: &args.linux })?
        }
        None => relay::open(args, args.what.as_os_str(), &[])?,
    };
    // From here on a signal waits until the server can end in order.
    let signals = Signals::new([SIGINT, SIGTERM])
        .map_err(|error| Problem::failed(format!("error: cannot wait for signals: {error}")))?;
    let listen = Listen { addresses, door, threads: args.threads.into(), waiting: args.wait.into() };
    let others = also::open(&beside, args, access, durability, opened.module)?;
    let all = || std::iter::once(&opened).chain(others.iter().map(|other| &other.opened));
    let mut modules: Vec<&'static Module> = Vec::new();
    for Opened { module, .. } in all() {
        if !modules.iter().any(|known| std::ptr::eq(*known, *module)) {
            modules.push(module);
        }
    }
    let programs = match &args.state {
        None => Programs::new(&modules, policy),
        Some(dir) => {
            not_served(dir, args, &beside)?;
            Programs::journalled(&modules, policy, dir).map_err(|error| no_state(dir, &error))?
        }
    };
    programs.sturdy_by(all().map(|it| Box::new(Arc::clone(&it.sturdy)) as Box<dyn Sturdy>).collect());
    if let Some(folder) = installed {
        install(&programs, &folder, &modules)?;
    }
    let roots = others.iter().map(OpenedBeside::beside);
    let roots = roots.collect::<Result<_, _>>().map_err(|failure| Problem::failed(failure.to_string()))?;
    programs.also(roots).map_err(|error| Problem::usage(format!("error: {error}")))?;
    tell_not_taken(&programs);
    let Opened { roots, summary, at_end, .. } = opened;
    let hosted = host(&listen, &args.name, roots, programs)?;
    let addresses: Vec<String> = hosted.addresses().iter().map(Address::to_string).collect();
    let (what, on) = (shown(&args.what), addresses.join(" and "));
    let also = others.iter().map(|other| format!(", also {} ({})", other.text, other.opened.summary));
    let text = format!("serving {what} as {} ({summary}){} on {on}\n", args.kind, also.collect::<String>());
    let also: Vec<&str> = others.iter().map(|other| other.text.as_str()).collect();
    let json = json!({
        "serving": what, "kind": args.kind, "summary": summary, "also": also, "addresses": addresses,
    });
    let serving = crate::shape(&args.form).of(&text, &json);
    let printed = output::write(serving.as_bytes());
    if let Err(error) = &printed {
        output::tell(&format!("cannot write to standard output: {error}\n{serving}"));
    }
    wait(signals);
    let stopped = hosted.end(Instant::now() + GRACE);
    let at_end = others.iter().map(|other| &other.opened.at_end).chain([&at_end]);
    let unwritten: Vec<String> = at_end.filter_map(|at_end| at_end().err()).collect();
    if !unwritten.is_empty() {
        return Err(Problem::failed(format!(
            "error: not all changes are on the disk: the database {}\nwhat was acknowledged since the last that is may be lost",
            harmless(&unwritten.join(", another one "))
        )));
    }
    info!(?stopped, "ended");
    let exit = if printed.is_ok() { Exit::Done } else { Exit::Unwritten };
    // All that there is to say was said when it began.
    Ok(Reply { exit, ..Reply::done(String::new(), json!(null)) })
}

/// What is said of Linux calls is for them alone, and they are not for one loop.
fn is_for_linux(args: &args::Serve) -> Result<(), Problem> {
    let is_linux = args.kind == services::LINUX;
    if !is_linux && args.linux != args::Linux::default() {
        return Err(Problem::usage(
            "error: --read, --write, --connect, --bind, --descriptors, --process-memory, --without-landlock and --without-io-uring are for \
             linux\nleave them out: what else is served has no process",
        ));
    }
    if is_linux && args.threads == args::Threads::Loop {
        return Err(Problem::usage(
            "error: one loop cannot serve Linux calls, of which each may wait for the one before\nleave --threads out",
        ));
    }
    Ok(())
}

/// When changes of databases are on the disk.
fn durability(args: &args::Serve, beside: &[Also<'_>]) -> Result<Durability, Problem> {
    let mut kinds = beside.iter().map(|also| also.kind).chain([args.kind.as_str()]);
    if args.durability.is_some() && !kinds.any(services::is_database) {
        return Err(Problem::usage(
            "error: --durability is for kv and tracker, whose changes are in a database\nleave it out: what else is served decides that",
        ));
    }
    Ok(match args.durability {
        Some(args::Durability::Memory) => Durability::Memory,
        Some(args::Durability::Disk) | None => Durability::Disk,
    })
}

/// What the server before this one has kept, and cannot go on, is not dropped without a word.
fn tell_not_taken(programs: &Programs) {
    for NotTaken { principal, run, program, why } in programs.not_taken() {
        output::tell(&format!(
            "the run `{}` of {} ({}) cannot go on with this server: {}\n",
            harmless(&run),
            harmless(&principal),
            harmless(&program),
            harmless(&why)
        ));
    }
}

fn log_to_stderr(filter: &str) -> Result<(), Problem> {
    let filter = tracing_subscriber::EnvFilter::try_new(filter).map_err(|error| {
        Problem::usage(format!("error: --log: {error}\nexpected error, warn, info, debug or trace"))
    })?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    // A process that serves twice, as tests do, keeps its first log.
    let _ = log.try_init();
    Ok(())
}

fn listen_addresses(args: &args::Serve) -> Result<Vec<Address>, Problem> {
    if args.listen.is_empty() {
        let what = crate::report::shell_word(&args.what.to_string_lossy());
        return Err(Problem::usage(format!(
            "error: where to listen is missing\ngive --listen, for example: carnet serve {} {what} --listen unix:./c.sock",
            args.kind
        )));
    }
    let parse =
        |text: &String| text.parse().map_err(|error| Problem::usage(format!("error: --listen {error}")));
    args.listen.iter().map(parse).collect()
}

fn quota(text: &str) -> Result<u64, Problem> {
    policy::size(text).map_err(|why| {
        Problem::usage(format!(
            "error: --quota {} is no size{why}\nexpected for example 10GiB, 500MiB or 4096",
            crate::value::harmless(text)
        ))
    })
}

impl From<args::Threads> for Threads {
    fn from(threads: args::Threads) -> Threads {
        match threads {
            args::Threads::PerClient => Threads::PerClient,
            args::Threads::Loop => Threads::Loop,
        }
    }
}

impl From<args::Wait> for WaitMode {
    fn from(wait: args::Wait) -> WaitMode {
        match wait {
            args::Wait::Spin => WaitMode::Spinning,
            args::Wait::Adaptive => WaitMode::Adaptive,
            args::Wait::Sleep => WaitMode::Sleeping,
        }
    }
}

/// Waits for the first signal; a second one ends the process.
fn wait(mut signals: Signals) {
    if signals.forever().next().is_some() {
        info!("ending: no new sessions and runs; a second signal ends at once");
    }
    let impatient = move || {
        if signals.forever().next().is_some() {
            std::process::exit(1);
        }
    };
    // Without a thread the grace time still ends it.
    let _ = thread::Builder::new().name("carnet-signals".to_owned()).spawn(impatient);
}

/// Where to listen.
#[derive(Debug)]
pub struct Listen {
    /// Everywhere.
    pub addresses: Vec<Address>,
    /// How clients from other machines are let in.
    pub door: Option<Door>,
    /// What serves the clients.
    pub threads: Threads,
    /// How to wait for clients through shared memory.
    pub waiting: WaitMode,
}

impl From<Address> for Listen {
    fn from(address: Address) -> Listen {
        Listen {
            addresses: vec![address],
            door: None,
            threads: Threads::default(),
            waiting: WaitMode::default(),
        }
    }
}

/// A service with its programs, and one server for each address.
#[derive(Debug)]
pub struct Hosted {
    servers: Vec<Server>,
    programs: Arc<Programs>,
}

/// Listens and serves each session its root, with programs over its interfaces.
///
/// # Errors
/// If it cannot listen.
pub fn host(listen: &Listen, name: &str, roots: Roots, programs: Programs) -> Result<Hosted, Problem> {
    let policy = programs.policy();
    let mut shown = policy::to_json(policy);
    shown["also"] = json!(programs.others());
    let policy_shown = shown.to_string().into_bytes();
    let single_calls = single_calls(policy);
    let is_translating = policy.translated_after < u64::MAX;
    let programs = Arc::new(programs);
    match Translator::new() {
        Ok(translator) if is_translating => programs.translate_with(Box::new(translator)),
        Ok(_) => {}
        Err(why) => info!(%why, "programs are interpreted"),
    }
    let options = ServerOptions {
        name: name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        policy: policy_shown,
        entry: Some(Arc::clone(&programs) as Arc<dyn EntryPoint>),
        single_calls,
        meter: Some(Arc::clone(&programs) as Arc<dyn Meter>),
        door: listen.door.clone(),
        threads: listen.threads,
        waiting: listen.waiting,
        ..ServerOptions::default()
    };
    let logged = move |caller: &Caller| {
        info!(principal = &*caller.principal, session = caller.session, "session");
        roots(caller)
    };
    let mut servers: Vec<Server> = Vec::new();
    for address in &listen.addresses {
        let server = match servers.first() {
            None => Server::listen(address, options.clone(), logged.clone()),
            Some(first) => first.listen_also(address),
        };
        servers.push(server.map_err(cannot_listen)?);
    }
    Ok(Hosted { servers, programs })
}

/// Nobody sees the bill of a single call, so where writes are confirmed, only programs may write.
fn single_calls(policy: &Policy) -> SingleCalls {
    match policy.confirm {
        Confirm::Nothing => SingleCalls::All,
        Confirm::Writes => SingleCalls::Reads(format!(
            "policy `{}` takes no single call that writes; send it as a program and approve that: carnet bill FILE \
             NAME=VALUE…",
            policy.name
        )),
    }
}

impl Hosted {
    /// Where clients find it.
    #[must_use]
    pub fn addresses(&self) -> Vec<Address> {
        self.servers.iter().map(Server::address).collect()
    }

    /// Ends in order: no new runs, running ones are cancelled at their next call or round of a loop, sessions are told.
    pub fn end(self, deadline: Instant) -> Stopped {
        self.programs.close();
        let ended = self.servers.into_iter().map(|server| server.shutdown(deadline));
        let hung_up = ended.map(|stopped| match stopped {
            Stopped::Ended => 0,
            Stopped::HungUp(sessions) => sessions,
        });
        match hung_up.sum() {
            0 => Stopped::Ended,
            sessions => Stopped::HungUp(sessions),
        }
    }
}

/// Installs the programs of a folder, each under its file's stem.
fn install(programs: &Programs, folder: &Path, served: &[&'static Module]) -> Result<(), Problem> {
    let unread = |error: io::Error| {
        Problem::usage(format!(
            "error: cannot read the folder of installed programs {}: {error}\n`installed` in the policy names it, from \
             where the policy is",
            shown(folder)
        ))
    };
    let entries: Result<Vec<_>, _> = fs::read_dir(folder).map_err(unread)?.collect();
    let paths = entries.map_err(unread)?.into_iter().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "carnet")).collect();
    paths.sort();
    if paths.len() > INSTALLED_MAX {
        return Err(Problem::usage(format!(
            "error: {} has {} programs\na server installs at most {INSTALLED_MAX}",
            shown(folder),
            paths.len()
        )));
    }
    for path in paths {
        let name =
            path.file_stem().and_then(OsStr::to_str).filter(|name| is_name(name)).ok_or_else(|| {
                Problem::usage(format!(
                    "error: {} is no name for a program\nletters, digits, `-`, `_` and `.` are, at most 64",
                    shown(&path)
                ))
            })?;
        // The services' own go before a built-in one of the same name.
        let mut modules: Vec<_> = served.iter().map(|module| Arc::new(Module::clone(module))).collect();
        for known in interfaces::known(&args::Interfaces::default())? {
            interfaces::add(&mut modules, known);
        }
        let source = compile(&path, modules)?;
        if !source.is_text() {
            return Err(Problem::rejected(format!(
                "error: {} has a tree\nonly source texts are installed: clients read them",
                shown(&path)
            )));
        }
        programs.install(name, &source.text, &source.bytes).map_err(|error| {
            let LoadError::Rejected(faults) = &error else {
                return Problem::rejected(format!("error: {}: {error}", shown(&path)));
            };
            Problem::rejected(report::rejected(Some(&source), faults))
        })?;
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    (1..=64).contains(&name.len()) && name.chars().all(is_plain)
}

/// Clients cannot change what the server writes down: a mapped file that somebody cuts ends the process.
fn not_served(state: &Path, args: &args::Serve, beside: &[Also<'_>]) -> Result<(), Problem> {
    let Some(state_dir) = resolved(state) else {
        return Err(Problem::usage(format!(
            "error: --state {}: `..` behind a directory that is not there\ngive the path without",
            shown(state)
        )));
    };
    let own = (args.kind.as_str(), args.what.as_path());
    let all = beside.iter().map(|also| (also.kind, Path::new(also.what))).chain([own]);
    for (_, served) in all.filter(|(kind, _)| *kind == "files") {
        let Ok(real) = served.canonicalize() else { continue };
        if state_dir.starts_with(&real) || real.starts_with(state_dir.join("programs")) {
            return Err(Problem::usage(format!(
                "error: --state {} is within what is served, {}\ngive a directory that clients cannot change",
                shown(state),
                shown(served)
            )));
        }
    }
    Ok(())
}

/// A path without links, some of which may have to be made yet; none if it goes up from there.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there =
        path.ancestors().find_map(|dir| Some((dir.canonicalize().ok()?, path.strip_prefix(dir).ok()?)));
    let Some((dir, rest)) = there else { return Some(path.clone()) };
    let goes_up = rest.components().any(|part| part == Component::ParentDir);
    (!goes_up).then(|| dir.join(rest))
}

fn no_state(dir: &Path, error: &JournalError) -> Problem {
    let help = match error {
        JournalError::InUse => "give each server a directory of its own",
        JournalError::System { .. } => "give a directory that can be written",
        JournalError::NotServed(_) => {
            "nothing was changed. Serve once what was served before, with that policy, or give another directory: what these runs \
             came to is not known then"
        }
        JournalError::Version(_) | JournalError::Damaged { .. } => {
            "nothing was changed. Put back what was there, or give another directory: what runs came to is not known then"
        }
    };
    Problem::failed(format!("error: --state {}: {error}\n{help}", shown(dir)))
}

fn cannot_listen(error: ListenError) -> Problem {
    let text = match &error {
        ListenError::System(Address::Unix(path) | Address::Shared(path), why)
            if why.kind() == std::io::ErrorKind::NotFound =>
        {
            let (path, directory) = (shown(path), shown(path.parent().unwrap_or(path)));
            format!(
                "cannot listen on unix:{path}: there is no directory {directory}\nmake it, or choose another path"
            )
        }
        ListenError::System(Address::Unix(_) | Address::Shared(_), _) => {
            format!("{error}\nchoose another path: --listen unix:PATH")
        }
        ListenError::System(..) => format!("{error}\nchoose another host or port: --listen tcp://HOST:PORT"),
        _ => error.to_string(),
    };
    Problem::usage(format!("error: {}", crate::value::harmless_lines(&text)))
}
