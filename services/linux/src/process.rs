//! The process of a session: what it gives up, and the loop that makes its calls and runs its programs.
//!
//! ```text
//! started with the socket as descriptor 0, memory to write down calls in as 1, no environment
//!   close what was inherited ─► rules ─► own descriptors above the limit, 0 to 2 on /dev/null ─► limits, Landlock, seccomp
//!   request ─► call, or slice of a program ─► answer ─► …                                     until the socket is closed
//! ```
//! It has one thread, and nothing of the server: no descriptor, no key, and no memory but that.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use carnet_idl::descriptor::Module;
use carnet_portal::call::{Areas, Call, Caller, Failure, Kind, Object};
use carnet_portal::panics::survived;
use carnet_program::beside::{Ledger, Runner};
use carnet_sandbox::{Calls, Condition, Network, Paths, Rights, landlock_version};
use carnet_syscalls::{Descriptors, Ring};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit};

use crate::ahead::Ahead;
use crate::calls::Process;
use crate::guard::Guard;
use crate::linux;
use crate::plan::plans;
use crate::policy::{Limits, Rules, Together, WithoutLandlock};
use crate::wire::{self, Malformed, Parts};

/// Descriptors that the process keeps for itself, above those of its session.
const OWN_MAX: u16 = 64;

/// Works for one session, and ends with it. The program that serves Linux calls starts itself again to do this: see
/// [`Starter`](crate::Starter).
#[must_use]
pub fn run() -> ExitCode {
    match begin() {
        Ok(Begun { mut link, process, interrupt, ledger }) => {
            // The socket is closed when the session ends.
            let _ = serve(&mut link, process, interrupt, ledger);
            ExitCode::SUCCESS
        }
        Err(_) => ExitCode::FAILURE,
    }
}

/// System calls of this process itself, as an object that programs call: by no rules, with the process's rights, and on descriptors 0, 1
/// and 2, those that it was started with, and those that programs open, all of them below `own`, a descriptor of this process's. From now on
/// no others are made here.
///
/// # Errors
/// [`io::ErrorKind::ResourceBusy`] if other descriptors were opened here, which belong to somebody, or another thread could open some.
pub fn unconfined(own: Option<RawFd>) -> io::Result<Arc<dyn Object>> {
    carnet_syscalls::alone(own.as_slice())?;
    let most = rustix::process::getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let below = u16::try_from(most).unwrap_or(u16::MAX >> 1).min(u16::MAX >> 1);
    let below = own.and_then(|own| u16::try_from(own).ok()).map_or(below, |own| below.min(own));
    Ok(Arc::new(Process::new(Descriptors::claim(below)?, None, None, Ahead::default())))
}

struct Begun {
    link: UnixStream,
    /// What makes the calls.
    process: Arc<Process>,
    /// What a signal sets.
    interrupt: &'static AtomicU32,
    /// Where calls of programs are written down.
    ledger: Ledger,
}

fn begin() -> io::Result<Begun> {
    carnet_sandbox::close_inherited()?;
    let mut first = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let ledger = Ledger::accept(io::stdout().as_fd().try_clone_to_owned()?)?;
    let mut content = Vec::new();
    wire::receive(&mut first, &mut content, &mut || Ok(()))?;
    let rules = read_rules(&content).map_err(|Malformed| io::ErrorKind::InvalidData)?;
    let all = Some(u64::from(below(&rules) + OWN_MAX));
    rustix::process::setrlimit(Resource::Nofile, Rlimit { current: all, maximum: all })?;
    let mut link = UnixStream::from(above(first.into(), &rules)?);
    match confined(&rules) {
        Ok((process, interrupt)) => {
            wire::send(&mut link, &[wire::GOOD])?;
            Ok(Begun { link, process, interrupt, ledger })
        }
        Err(error) => {
            let mut text = vec![wire::RAISED];
            text.extend_from_slice(error.to_string().as_bytes());
            wire::send(&mut link, &text)?;
            Err(error)
        }
    }
}

/// The first descriptor that the session cannot have.
fn below(rules: &Rules) -> u16 {
    rules.limits.descriptors.clamp(8, 1 << 14)
}

/// The same descriptor with a number that the session cannot have.
fn above(fd: OwnedFd, rules: &Rules) -> io::Result<OwnedFd> {
    Ok(rustix::io::fcntl_dupfd_cloexec(&fd, i32::from(below(rules)))?)
}

/// Gives up everything but what the rules say.
fn confined(rules: &Rules) -> io::Result<(Arc<Process>, &'static AtomicU32)> {
    let limits = &rules.limits;
    let mut roots = Vec::new();
    let mut paths = Paths::new(rules.network.clone());
    for (path, rights) in &rules.directories {
        let flags = OFlags::PATH | OFlags::CLOEXEC | OFlags::DIRECTORY;
        let root = above(rustix::fs::open(path, flags, Mode::empty())?, rules)?;
        paths.allow(above(root.try_clone()?, rules)?, *rights);
        roots.push((path.clone(), root));
    }
    if let Some((_, first)) = roots.first() {
        rustix::process::fchdir(first)?;
    }
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    drop(null);
    let interrupt = carnet_sandbox::interrupted_by_signal()?;
    carnet_sandbox::ends_by_its_faults()?;
    carnet_sandbox::keep_apart()?;
    for (resource, most) in
        [(Resource::As, limits.memory), (Resource::Fsize, limits.file), (Resource::Cpu, limits.processor)]
    {
        rustix::process::setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    for resource in [Resource::Core, Resource::Nproc] {
        rustix::process::setrlimit(resource, Rlimit { current: Some(0), maximum: Some(0) })?;
    }
    // Tables that are made on first use.
    let _ = plans();
    // Without one, each call goes alone.
    let ring = match rules.together {
        Together::WherePays | Together::WherePossible => Ring::new(|fd| above(fd, rules)).ok(),
        Together::Never => None,
    };
    let descriptors = Descriptors::claim(below(rules))?;
    match (landlock_version(), rules.without_landlock) {
        (Some(_), _) => paths.restrict()?,
        (None, WithoutLandlock::Serve) => drop(paths),
        (None, WithoutLandlock::Refuse) => return Err(io::ErrorKind::Unsupported.into()),
    }
    together(calls(&rules.network), ring.as_ref()).restrict()?;
    let guard = Guard { roots, network: rules.network.clone(), heard: Mutex::default() };
    let ahead = Ahead::new(ring, rules.together == Together::WherePays);
    Ok((Arc::new(Process::new(descriptors, Some(guard), limits.written, ahead)), interrupt))
}

/// The calls of the interface, and those that Rust's library and the system's need for memory, locks and the end.
fn calls(network: &Network) -> Calls {
    const SOCKET: u16 = 41;
    // rt_sigreturn, sched_yield, mremap, munmap, brk, madvise, futex, restart_syscall, sigaltstack, rt_sigprocmask, exit, exit_group,
    // openat2, clock_gettime.
    const OWN: [u32; 14] = [15, 24, 25, 11, 12, 28, 202, 219, 131, 14, 60, 231, 437, 228];
    /// PROT_NONE, PROT_READ, both with PROT_WRITE: memory is never code.
    const PROTECTION: Condition = Condition { argument: 2, one_of: &[0, 1, 3] };
    const MMAP: u32 = 9;
    const MPROTECT: u32 = 10;
    const FCNTL: u32 = 72;
    let offered = plans().iter().map(|plan| plan.number).filter(|number| *number != SOCKET);
    let calls = Calls::new().allow(offered.map(u32::from)).allow(OWN);
    let calls = calls.allow_if(MMAP, PROTECTION).allow_if(MPROTECT, PROTECTION);
    // F_GETFD, F_GETFL.
    let calls = calls.allow_if(FCNTL, Condition { argument: 1, one_of: &[1, 3] });
    if *network == Network::default() {
        return calls;
    }
    calls.allow_if(u32::from(SOCKET), Condition { argument: 0, one_of: &[2, 10] })
}

/// With a ring, also submissions to it, and reads that do not wait. Rings are not made any more, and the one that there is takes
/// nothing but reads: what is submitted passes no filter.
fn together(calls: Calls, ring: Option<&Ring>) -> Calls {
    const PREADV2: u32 = 327;
    const ENTER: u32 = 426;
    /// RWF_NOWAIT.
    const NO_WAITING: Condition = Condition { argument: 5, one_of: &[8] };
    let Some(fd) = ring.and_then(|ring| u32::try_from(ring.fd()).ok()) else { return calls };
    // Once in the life of a process.
    let one_of = Box::leak(Box::new([fd]));
    calls.allow_if(PREADV2, NO_WAITING).allow_if(ENTER, Condition { argument: 0, one_of })
}

fn serve(
    link: &mut UnixStream,
    process: Arc<Process>,
    interrupt: &'static AtomicU32,
    ledger: Ledger,
) -> io::Result<()> {
    let modules: [&'static Module; 1] = [linux::module()];
    let root: Arc<dyn Object> = Arc::clone(&process) as Arc<dyn Object>;
    let interrupt = *INTERRUPT.get_or_init(|| interrupt);
    let mut runner = Runner::new(&modules, Arc::clone(&root)).written_down(ledger);
    let mut caller = Worker { root, words: Vec::new(), areas: Areas::default(), caller: Caller::local() };
    let (mut request, mut answer) = (Vec::new(), Vec::new());
    loop {
        wire::receive(link, &mut request, &mut || Ok(()))?;
        interrupt.store(0, Ordering::Relaxed);
        process.forget_what_was_begun();
        let Some((kind, content)) = request.split_first() else { return Ok(()) };
        answer.clear();
        let done = match *kind {
            wire::CALL => {
                process.forget_rows();
                caller.call(content, &mut answer)
            }
            wire::PROGRAM => match runner.take(content) {
                Ok(()) => continue,
                Err(error) => return Err(io::Error::other(error.to_string())),
            },
            wire::RUN => advance(&mut runner, content, interrupt, &mut answer),
            _ => return Ok(()),
        };
        if let Err(failure) = done {
            wire::put_failure(&mut answer, &failure);
        }
        wire::send(link, &answer)?;
    }
}

/// A slice of a program.
fn advance(
    runner: &mut Runner,
    content: &[u8],
    interrupt: &AtomicU32,
    answer: &mut Vec<u8>,
) -> Result<(), Failure> {
    let not_run = |error: String| Failure::new(Kind::Internal, &error);
    let (hash, request) =
        content.split_first_chunk().ok_or_else(|| not_run("a request that is none".into()))?;
    let done = runner.advance(hash, request, interrupt, is_interruption);
    answer.push(wire::GOOD);
    answer.append(&mut done.map_err(|error| not_run(error.to_string()))?);
    Ok(())
}

/// What a signal sets; of the process, as signals are.
static INTERRUPT: OnceLock<&AtomicU32> = OnceLock::new();

/// Whether a call came back because of the signal that interrupts runs.
fn is_interruption(failure: &Failure) -> bool {
    let is_set = || INTERRUPT.get().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed) != 0);
    let details = failure.details();
    failure.kind() == Kind::Raised && i32::from(details.raised) == Errno::INTR.raw_os_error() && is_set()
}

/// Makes single calls.
struct Worker {
    root: Arc<dyn Object>,
    words: Vec<u64>,
    areas: Areas,
    caller: Caller,
}

impl Worker {
    fn call(&mut self, content: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
        let malformed = |Malformed| Failure::new(Kind::Protocol, "a request that is none");
        let mut parts = Parts(content);
        let op = parts.u16().map_err(malformed)?;
        let operations = &linux::module().interfaces[0].operations;
        let operation = operations.get(usize::from(op)).ok_or_else(|| malformed(Malformed))?;
        wire::read_call(&mut parts, operation, &mut self.words, &mut self.areas).map_err(malformed)?;
        let mut made = Vec::new();
        let mut call = Call {
            words: &mut self.words,
            areas: &mut self.areas,
            portals: &[],
            made: &mut made,
            caller: &self.caller,
        };
        let root = &self.root;
        let done = survived(|| root.dispatch(op, &mut call));
        done.unwrap_or_else(|| Err(Failure::new(Kind::Internal, "the call broke off in the middle")))?;
        wire::put_answer(answer, operation, &self.words, &self.areas)
    }
}

/// The rules as the first message.
pub(crate) fn write_rules(rules: &Rules) -> Vec<u8> {
    let mut out = Vec::new();
    let number = |out: &mut Vec<u8>, n: u64| out.extend(n.to_le_bytes());
    number(&mut out, rules.directories.len() as u64);
    for (path, rights) in &rules.directories {
        wire::put_bytes(&mut out, path.as_os_str().as_bytes());
        number(&mut out, u64::from(*rights == Rights::Write));
    }
    for ports in [&rules.network.bind, &rules.network.connect] {
        number(&mut out, ports.len() as u64);
        ports.iter().for_each(|port| number(&mut out, u64::from(*port)));
    }
    let Limits { descriptors, memory, file, processor, written, .. } = rules.limits;
    for n in [u64::from(descriptors), memory, file, processor, written.unwrap_or(u64::MAX)] {
        number(&mut out, n);
    }
    number(&mut out, u64::from(rules.without_landlock == WithoutLandlock::Serve));
    let together = match rules.together {
        Together::WherePays => 0,
        Together::Never => 1,
        Together::WherePossible => 2,
    };
    number(&mut out, together);
    out
}

fn read_rules(content: &[u8]) -> Result<Rules, Malformed> {
    let mut parts = Parts(content);
    let mut directories = Vec::new();
    for _ in 0..parts.u64()? {
        let path = PathBuf::from(std::ffi::OsString::from_vec(parts.bytes()?.to_vec()));
        let rights = if parts.u64()? == 1 { Rights::Write } else { Rights::Read };
        directories.push((path, rights));
    }
    let mut network = Network::default();
    for ports in [&mut network.bind, &mut network.connect] {
        for _ in 0..parts.u64()? {
            ports.push(u16::try_from(parts.u64()?).map_err(|_| Malformed)?);
        }
    }
    let descriptors = u16::try_from(parts.u64()?).map_err(|_| Malformed)?;
    let [memory, file, processor] = [parts.u64()?, parts.u64()?, parts.u64()?];
    let written = Some(parts.u64()?).filter(|written| *written < u64::MAX);
    let without_landlock = if parts.u64()? == 1 { WithoutLandlock::Serve } else { WithoutLandlock::Refuse };
    let together = match parts.u64()? {
        0 => Together::WherePays,
        1 => Together::Never,
        2 => Together::WherePossible,
        _ => return Err(Malformed),
    };
    parts.end()?;
    let (call, processes) = (Duration::ZERO, 0);
    let limits = Limits { descriptors, memory, file, processor, call, written, processes };
    Ok(Rules { directories, network, limits, without_landlock, together })
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const WITHIN: &str = "CARNET_LINUX_CONFINED";
    /// What the process below ends with if all is as it should be.
    const REFUSED: i32 = 40;

    /// A process that is confined as that of a session: not a test by itself.
    #[test]
    fn confined_process() {
        let Some(dir) = std::env::var_os(WITHIN) else { return };
        carnet_sandbox::close_inherited().expect("they can be listed");
        let made_before = Ring::new(Ok).is_ok();
        let rules = Rules::new(dir, Rights::Read);
        let (_process, _) = confined(&rules).expect("it needs no privilege");
        let refused = Ring::new(Ok).map(drop).map_err(|error| error.raw_os_error());
        let is_right = made_before && refused == Err(Some(Errno::PERM.raw_os_error()));
        std::process::exit(if is_right { REFUSED } else { 1 });
    }

    #[test]
    fn a_session_makes_no_ring_of_its_own() {
        if let Err(error) = Ring::new(Ok) {
            eprintln!("skipped: there is no io_uring here: {error}");
            return;
        }
        let dir = tempfile::tempdir().expect("a directory");
        let mut child = Command::new(std::env::current_exe().expect("it has a name"));
        child.args(["process::tests::confined_process", "--exact", "--nocapture"]).env(WITHIN, dir.path());
        let ended = child.output().expect("it starts");
        assert_eq!(ended.status.code(), Some(REFUSED), "{}", String::from_utf8_lossy(&ended.stderr));
    }
}
