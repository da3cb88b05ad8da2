//! The example in C: built as a user would, its server, and frames by hand.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use super::{PATIENCE, Place, skip};

/// What was built by this process: by options, once.
static BUILT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The folder with the example, built by gcc with some options more; `None` if there is no gcc and tests may skip.
pub fn built(options: &[&str]) -> Option<PathBuf> {
    for tool in ["gcc", "make"] {
        if !is_there(tool) {
            skip(&format!("there is no {tool}"));
            return None;
        }
    }
    Some(built_by("gcc", options))
}

/// The folders with the example, built by each compiler that is there: clang may be missing.
pub fn built_by_all(options: &[&str]) -> Vec<PathBuf> {
    let mut builds: Vec<PathBuf> = built(options).into_iter().collect();
    match is_there("clang") {
        true if !builds.is_empty() => builds.push(built_by("clang", options)),
        true => {}
        false => println!("skipped for clang: there is none"),
    }
    builds
}

fn built_by(compiler: &str, options: &[&str]) -> PathBuf {
    let name = options.concat() + compiler;
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}{name}", env!("CARGO_CRATE_NAME")));
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if built.insert(build.clone()) {
        // Of another run, perhaps with other headers. What is not there need not go.
        let _ = std::fs::remove_dir_all(&build);
        let output = Command::new("make")
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/c"))
            .arg(format!("BUILD={}", build.display()))
            .arg(format!("CARNET={}", env!("CARGO_BIN_EXE_carnet")))
            .arg(format!("CC={compiler}"))
            .arg(format!("OPTIONS={}", options.join(" ")))
            .output()
            .expect("make runs");
        assert!(output.status.success(), "{}", shown(&output));
    }
    build
}

/// Faults that C programs do not notice by themselves end them.
pub const SANITIZED: [&str; 3] = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

pub fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The board of `examples/c`, served in C.
pub struct Board {
    server: Child,
    pub socket: PathBuf,
}

impl Board {
    pub fn start(place: &Place, build: &Path) -> Board {
        Board::run(place, &mut Command::new(build.join("board")))
    }

    /// With so many descriptors at most.
    pub fn start_within(place: &Place, build: &Path, descriptors: usize) -> Board {
        let script = format!("ulimit -n {descriptors}; exec \"$0\" \"$@\"");
        Board::run(place, Command::new("sh").args(["-c", &script]).arg(build.join("board")))
    }

    fn run(place: &Place, command: &mut Command) -> Board {
        let socket = place.path("board.sock");
        let mut server = command.arg(&socket).stdout(Stdio::piped()).spawn().expect("it runs");
        let mut ready = [0; 7];
        server.stdout.as_mut().expect("its output").read_exact(&mut ready).expect("it says that it serves");
        assert_eq!(&ready, b"serving");
        Board { server, socket }
    }

    /// Where it listens, by `unix` or `shm`.
    pub fn address(&self, scheme: &str) -> String {
        format!("{scheme}:{}", self.socket.display())
    }

    pub fn call(&self, place: &Place, scheme: &str, words: &[&str]) -> String {
        let server = self.address(scheme);
        let words: Vec<&str> =
            ["call", "--server", &server].into_iter().chain(words.iter().copied()).collect();
        shown(&place.carnet(&words))
    }

    pub fn connect(&self) -> UnixStream {
        let stream = UnixStream::connect(&self.socket).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        stream
    }

    /// What it has had of processors, to a hundredth of a second.
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.server.id())).expect("it lives");
        let (_, fields) = stat.rsplit_once(") ").expect("a name");
        // From the third: user's time is the 14th, the system's the 15th.
        let ticks = fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number"));
        Duration::from_millis(ticks.sum::<u64>() * 10)
    }

    /// What the system says of its process.
    pub fn status(&self) -> String {
        std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).expect("it lives")
    }

    /// Memory that is its own, as shared memory and files are not.
    pub fn private_kib(&self) -> u64 {
        let status = self.status();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("Linux 4.5");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Entries of one of its folders in `/proc`: descriptors that it has open, or stretches of memory.
    pub fn entries(&self, what: &str) -> usize {
        std::fs::read_dir(format!("/proc/{}/{what}", self.server.id())).expect("it lives").count()
    }
}

impl Board {
    /// Ends it in order, as who runs it would; it fails if a sanitizer has anything to say, of memory that is lost as well.
    pub fn end(self) {
        drop(self);
    }

    fn ended(&mut self) -> ExitStatus {
        let id = Pid::from_child(&self.server);
        kill_process(id, Signal::TERM).expect("it has not been waited for");
        let ended = pidfd_open(id, PidfdFlags::empty()).expect("it is our child");
        let patience = Timespec { tv_sec: PATIENCE.as_secs() as i64, tv_nsec: 0 };
        let count =
            poll(&mut [PollFd::new(&ended, PollFlags::IN)], Some(&patience)).expect("it can be polled");
        if count == 0 {
            let _ = self.server.kill();
        }
        self.server.wait().expect("it was started")
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.server.kill();
            let _ = self.server.wait();
            return;
        }
        let status = self.ended();
        assert!(status.success(), "the server in C ended with {status}: what it said is above");
        assert!(!self.socket.exists(), "the server in C left its socket behind");
    }
}

/// What the C client of the files service does at an address, `unix` or `shm`.
pub fn works_on_files(build: &Path, scheme: &str) {
    let mut place = Place::new();
    let big: Vec<u8> = (0..300_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    place.write("data/src/big", &big);
    for number in 0..1500 {
        place.write(&format!("data/many/{number:04}"), b"");
    }
    place.serve(&["serve", "files", "data", "--listen", "unix:./c.sock"]);
    let socket = place.path("c.sock");
    let run = |words: &[&str]| files(build, scheme, &socket, words);
    let folder = std::fs::metadata(place.path("data/src/a")).expect("a folder").len();
    assert_eq!(
        shown(&run(&["list", "src"])),
        format!(
            "file           8 LICENSE\nfile        2000 README\ndir     {folder:>8} a\nfile     1200000 big\n"
        )
    );
    assert_eq!(shown(&run(&["list", "many"])).lines().count(), 1500);
    assert_eq!(run(&["cat", "src/LICENSE"]).stdout, b"license\n");
    assert_eq!(shown(&run(&["copy", "src/big", "backup/big"])), "copied 1200000 bytes\n");
    assert_eq!(std::fs::read(place.path("data/backup/big")).expect("the copy"), big);
    let refused = run(&["cat", "../outside"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(shown(&refused).contains("leaves the served directory"), "{}", shown(&refused));
    let nobody = files(build, scheme, Path::new("./nobody.sock"), &["list", "."]);
    assert_eq!(nobody.status.code(), Some(7), "{}", shown(&nobody));
}

/// Runs the C client of the files service.
pub fn files(build: &Path, scheme: &str, socket: &Path, words: &[&str]) -> Output {
    Command::new(build.join("files"))
        .env("CARNET_TIMEOUT_MS", "30000")
        .arg(format!("{scheme}:{}", socket.display()))
        .args(words)
        .output()
        .expect("it runs")
}

/// What the command does with a board that is served in C.
pub fn is_called_from_rust(build: &Path, scheme: &str) {
    let place = Place::new();
    let board = Board::start(&place, build);
    let call = |words: &[&str]| board.call(&place, scheme, words);
    assert_eq!(call(&["Board.put", "text=hello"]), "done  a Note\n");
    assert_eq!(call(&["Board.notes"]), "done  1\n");
    assert_eq!(call(&["Board.echo", "bytes=abc"]), "done  616263\n");
    let raised = call(&["Board.find", "number=9"]);
    assert!(raised.contains("there is no such note") && raised.contains("nothing_there"), "{raised}");
    let described = place.carnet(&["describe", "Board.put", "--server", &board.address(scheme)]);
    assert!(shown(&described).contains("put(text: string(4096)) -> Note"), "{}", shown(&described));
    let described = place.carnet(&["describe", "--server", &board.address(scheme)]);
    assert_eq!(described.status.code(), Some(0), "{}", shown(&described));
    for expected in ["Board  (the server's root)", "Note\n"] {
        assert!(shown(&described).contains(expected), "{}", shown(&described));
    }
    let program = place.carnet(&["describe", "@none", "--server", &board.address(scheme)]);
    assert_eq!(program.status.code(), Some(2), "{}", shown(&program));
}

pub fn frame(kind: u8, op: u16, target: u32, call: u32, body: &[u8]) -> Vec<u8> {
    let mut frame = (16 + body.len() as u32).to_le_bytes().to_vec();
    frame.extend([kind, 0]);
    frame.extend(op.to_le_bytes());
    frame.extend(target.to_le_bytes());
    frame.extend(call.to_le_bytes());
    frame.extend(body);
    frame
}

/// A Hello that takes the server's own operation numbers.
pub fn hello() -> Vec<u8> {
    let mut body = b"\x89carnet\n".to_vec();
    body.extend([1, 0, 0, 0]);
    body.extend([0; 12]);
    frame(1, 0, 0, 0, &body)
}

pub fn reply(stream: &mut UnixStream) -> Option<(u16, Vec<u8>)> {
    let mut head = [0; 16];
    stream.read_exact(&mut head).ok()?;
    let len = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    let mut body = vec![0; len.checked_sub(16)?];
    stream.read_exact(&mut body).ok()?;
    Some((u16::from_le_bytes([head[6], head[7]]), body))
}

pub const NOTES: u16 = 2;
pub const ECHO: u16 = 3;
