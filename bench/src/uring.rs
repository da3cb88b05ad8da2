//! Independent calls of a repeat: made together where that pays, against the same one by one, and against what the kernel itself gives.
//!
//! | row | what is made 1, 10, 100 and 1000 times |
//! | --- | --- |
//! | pread | 4 KiB of a file that the page cache has |
//! | statx | of as many small files, by path |
//! | open, read, close | as many small files |
//! | pread, not cached | 4 KiB of a file that the page cache has not: in a row, or from places 16 KiB apart |
//!
//! Each is a call array that looks at the clock before and behind its repeats, within the session's process: what it takes to bring the
//! array there and its messages back is not counted. Ours may use io_uring, the rival may not; both processes are alike otherwise.
//!
//! Beside them stands what the kernel gives by itself (`bench/uring/kernel.c`, a process under a seccomp filter, as that of a session):
//! the same system calls in a loop, and by a ring. Where its ring is no quicker than its loop, there is nothing to gain.

use std::path::Path;
use std::process::Command as Process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::Operation;
use carnet_linux::linux::{self, System};
use carnet_linux::{Linux, Rights, Rules, Starter, Together};
use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::array::{Array, Command, Messages, OnError, Preset, Returns, Text, TextKind};
use carnet_program::bill::hash;
use carnet_program::bytecode::{NONE, OpRef, ParamPlace};
use carnet_program::client::Client;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};

use crate::folder::Folder;
use crate::measure::{Contender, Scale, measure};
use crate::plot::{self, Axis, Plot, Series};
use crate::remote_linux::WORD;
use crate::report::{Figure, Judged};
use crate::rival::{Rival, gcc};

const COUNTS: [u16; 4] = [1, 10, 100, 1000];
const RECORD: usize = 4096;
/// Bytes from one record to the next where they are far apart.
const FAR: usize = 4 * RECORD;
/// Bytes of a small file.
const SMALL: usize = 200;
/// One array makes about so many calls.
const CALLS: u16 = 1000;
/// A sample takes about so long.
const SAMPLE: Duration = Duration::from_millis(30);
const AT_FDCWD: i64 = -100;
const BASIC_STATS: i64 = 0x7ff;
const MONOTONIC: i64 = 1;
const DONTNEED: i64 = 4;

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Pread,
    Statx,
    Open,
    /// Not cached, one behind the other.
    Row,
    /// Not cached, from far apart.
    Far,
}

impl What {
    const ALL: [What; 5] = [What::Pread, What::Statx, What::Open, What::Row, What::Far];

    fn name(self) -> &'static str {
        match self {
            What::Pread => "pread of 4 KiB, cached",
            What::Statx => "statx",
            What::Open => "open, read and close of a small file",
            What::Row => "pread of 4 KiB in a row, not cached",
            What::Far => "pread of 4 KiB from far apart, not cached",
        }
    }

    /// Its word in the language of the kernel's own loops.
    fn key(self) -> &'static str {
        match self {
            What::Pread => "pread",
            What::Statx => "statx",
            What::Open => "open",
            What::Row => "row",
            What::Far => "far",
        }
    }
}

/// Measures.
///
/// # Errors
/// A system without Landlock or gcc, a server that cannot be started, or a wrong answer.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let counts = if scale == Scale::Tiny { &COUNTS[..2] } else { &COUNTS[..] };
    let folder = filled(usize::from(counts.iter().copied().max().unwrap_or(0)))?;
    let (with, without) = (Stage::set(&folder, Together::WherePays)?, Stage::set(&folder, Together::Never)?);
    let mut kernel = if scale == Scale::Full { Some(Kernel::start(&folder)?) } else { None };
    let mut figures = Vec::new();
    for what in What::ALL {
        let first = figures.len();
        for n in counts {
            figures.push(figure(scale, what, *n, (&with, &without), kernel.as_mut(), pinned)?);
        }
        if scale == Scale::Full {
            draw(what, counts, &figures[first..])?;
        }
    }
    Ok(figures)
}

fn draw(what: What, counts: &[u16], figures: &[Figure]) -> Result<(), String> {
    let line = |name: &str, of: fn(&Figure) -> f64| {
        let points = counts.iter().zip(figures).map(|(n, figure)| (f64::from(*n), of(figure) / 1e3));
        Series::new(name, points.collect())
    };
    let plain = line("plain loop", |figure| figure.rivals[0].median);
    let series = vec![line("repeat", |figure| figure.ours.median), plain.dashed()];
    let title = format!("Linux calls of one repeat: {}", what.name());
    let (x, y) = ("calls at once", "µs each");
    let plot = Plot { title, x, x_axis: Axis::Decades, y, y_axis: Axis::Linear, series };
    plot::keep(&format!("uring-{}", what.key()), &plot.svg()).map_err(|error| format!("cannot draw: {error}"))
}

fn figure(
    scale: Scale,
    what: What,
    n: u16,
    (with, without): (&Stage, &Stage),
    kernel: Option<&mut Kernel>,
    pinned: &str,
) -> Result<Figure, String> {
    let kernel = kernel.map(std::cell::RefCell::new);
    let (ours, rival) = (with.prepare(what, n), without.prepare(what, n));
    let mut contenders = vec![
        Contender::new("ours", || with.time(scale, &ours)),
        Contender::new("plain loop", || without.time(scale, &rival)),
    ];
    if let Some(kernel) = &kernel {
        contenders.push(Contender::new("kernel's loop", || kernel.borrow_mut().time("plain", what, n)));
        contenders.push(Contender::new("kernel's ring", || kernel.borrow_mut().time("ring", what, n)));
    }
    let mut measured = measure(scale, &mut contenders)?;
    drop(contenders);
    let bare = measured.split_off(2);
    let ours = measured.remove(0);
    let kernel = match &bare[..] {
        [plain, ring] => {
            format!("the kernel itself {:.0} ns, by a ring {:.0} ns; ", plain.median, ring.median)
        }
        _ => String::new(),
    };
    let how = format!("{kernel}io_uring {}; {pinned}", allowed());
    Ok(Figure {
        name: format!("uring: {}, {n} at once", what.name()),
        unit: "ns each",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 1.05× the plain loop",
        ours,
        rivals: measured,
        how,
    })
}

fn allowed() -> &'static str {
    match std::fs::read_to_string("/proc/sys/kernel/io_uring_disabled") {
        Ok(text) if text.trim() != "0" => "forbidden here",
        _ => "allowed",
    }
}

/// Records in one file, and small files.
fn filled(most: usize) -> Result<Folder, String> {
    let folder = Folder::new("uring")?;
    let files = folder.path().join("files");
    std::fs::create_dir(&files).map_err(said)?;
    let records: Vec<u8> = (0..most * FAR).map(|k| (k ^ (k >> 8)) as u8).collect();
    std::fs::write(folder.path().join("records"), records).map_err(said)?;
    for k in 0..most {
        std::fs::write(files.join(k.to_string()), [7; SMALL]).map_err(said)?;
    }
    // What is not on the disk yet is not forgotten by the page cache.
    let records = std::fs::File::open(folder.path().join("records")).map_err(said)?;
    records.sync_all().map_err(said)?;
    Ok(folder)
}

/// The kernel's own loops.
struct Kernel(Rival);

impl Kernel {
    fn start(folder: &Folder) -> Result<Kernel, String> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("uring/kernel.c");
        let made = folder.path().join("uring-kernel");
        gcc(&source, &["-O2", "-std=gnu11"], &made)?;
        Ok(Kernel(Rival::start(Process::new(made).arg(folder.path()))?))
    }

    fn time(&mut self, how: &str, what: What, n: u16) -> Result<f64, String> {
        let key = format!("{how}:{}:{n}", what.key());
        let one = self.0.time(&key, SAMPLE, i64::from(n))?;
        Ok(one / f64::from(n))
    }
}

/// A server whose sessions make calls together, or do not.
struct Stage {
    client: Client,
    system: System,
    records: i64,
    ids: AtomicU64,
    _server: Server,
}

/// An array, its hash, and how many calls of a kind it makes.
struct Prepared {
    bytes: Vec<u8>,
    hash: [u8; 32],
    made: u64,
    calls: u64,
}

impl Stage {
    fn set(folder: &Folder, together: Together) -> Result<Stage, String> {
        let mut rules = Rules::new(folder.path(), Rights::Read);
        rules.limits.descriptors = 2 * CALLS;
        rules.together = together;
        let service = Linux::serve(rules, Starter::myself(WORD)).map_err(said)?;
        let programs = Programs::new(&[linux::module()], Policy::default());
        let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
        let socket = folder.path().join(format!("{together:?}"));
        let roots = move |caller: &_| Ok(Capability::new(service.session(caller)));
        let server = Server::listen(&Address::Unix(socket.clone()), options, roots).map_err(said)?;
        let session =
            RemoteSession::connect(&Address::Unix(socket), ConnectOptions::default()).map_err(said)?;
        let system = System::from_portal(session.root());
        let records = system.open(b"records", 0).map_err(said)?;
        let (client, ids) = (Client::new(session), AtomicU64::new(1));
        Ok(Stage { client, system, records: records.into(), ids, _server: server })
    }

    fn prepare(&self, what: What, n: u16) -> Prepared {
        let mut maker = Maker::new(self.records);
        maker.begin(matches!(what, What::Row | What::Far));
        let rounds = match what {
            What::Row | What::Far => 1,
            What::Open => (CALLS / 4 / n).max(1),
            _ => (CALLS / n).max(1),
        };
        match what {
            What::Pread | What::Row => maker.reads(n, rounds, RECORD),
            What::Far => maker.reads(n, rounds, FAR),
            What::Statx => maker.statx(n, rounds),
            What::Open => maker.small_files(n, rounds),
        }
        maker.finish(u64::from(n) * u64::from(rounds))
    }

    /// Nanoseconds of one call, or of one file.
    fn time(&self, scale: Scale, prepared: &Prepared) -> Result<f64, String> {
        let (mut sum, mut made, begun) = (0.0, 0, Instant::now());
        loop {
            sum += self.once(prepared)?;
            made += prepared.made;
            // To bring messages there and back takes longer than what is measured.
            let is_enough = sum >= SAMPLE.as_nanos() as f64 || begun.elapsed() > 3 * SAMPLE;
            if is_enough || scale == Scale::Tiny {
                return Ok(sum / made as f64);
            }
        }
    }

    fn once(&self, prepared: &Prepared) -> Result<f64, String> {
        let id = RunId(u128::from(self.ids.fetch_add(1, Ordering::Relaxed)));
        let program = RunProgram::Cached { hash: &prepared.hash, bytes: &prepared.bytes };
        let (options, arguments) = (RunOptions::default(), vec![Argument::Portal(0)]);
        let request = RunRequest { id, options, name: "", approval: "", arguments, program };
        let outcome = self.client.run(&request, &[self.system.portal()]).map_err(said)?;
        if outcome.end != End::Done || outcome.receipt.calls != prepared.calls {
            return Err(format!("{:?} after {} calls", outcome.end, outcome.receipt.calls));
        }
        let result = outcome.result.as_deref().and_then(|result| result.get(4..)).unwrap_or_default();
        let words: Vec<i64> =
            result.as_chunks::<8>().0.iter().map(|word| i64::from_le_bytes(*word)).collect();
        let [s, ns, s_behind, ns_behind] = words[..] else { return Err("there are no times".to_owned()) };
        Ok(((s_behind - s) * 1_000_000_000 + ns_behind - ns) as f64)
    }
}

/// Makes an array.
struct Maker {
    array: Array,
    slots: u16,
    records: i64,
    clock: Placed,
    calls: u64,
}

/// Where messages lie.
#[derive(Clone, Copy)]
struct Placed {
    first: u16,
    words: u16,
    /// Words before the reply.
    request: u16,
}

fn operation(name: &str) -> &'static Operation {
    let found = linux::module().interfaces[0].operation(name);
    found.map(|(_, operation)| operation).unwrap_or_else(|| panic!("the interface has {name}"))
}

impl Maker {
    fn new(records: i64) -> Maker {
        let array = Array {
            name: "uring".to_owned(),
            registers: vec![0],
            params: vec![ParamPlace::Register(0)],
            interfaces: vec![("linux".to_owned(), "System".to_owned())],
            ..Array::default()
        };
        let mut maker =
            Maker { array, slots: 0, records, clock: Placed { first: 0, words: 0, request: 0 }, calls: 0 };
        maker.clock = maker.messages("clock_gettime", 2);
        maker.preset(maker.clock, 0, 2, MONOTONIC, 0);
        maker
    }

    fn messages(&mut self, name: &str, count: u16) -> Placed {
        let operation = operation(name);
        let op = self.array.ops.len() as u16;
        self.array.ops.push(OpRef { hash: operation.hash.0, interface: 0 });
        self.array.messages.push(Messages { op, count, status: false });
        let (words, request) = (operation.layout.words() as u16, operation.layout.request_words() as u16);
        let placed = Placed { first: self.slots, words, request };
        self.slots += words * count;
        placed
    }

    fn preset(&mut self, of: Placed, word: u16, count: u16, value: i64, add: i64) {
        self.array.presets.push(Preset { slot: of.first + word, stride: of.words, count, value, add });
    }

    /// The path of file k in message k.
    fn paths(&mut self, of: Placed, word: u16, count: u16) {
        for k in 0..count {
            let (path, offset) = (format!("files/{k}"), self.array.literals.len() as u32);
            self.array.literals.extend_from_slice(path.as_bytes());
            let kind = TextKind::Literal { len: path.len() as u32, offset };
            self.array.texts.push(Text { slot: of.first + k * of.words + word, stride: 0, count: 1, kind });
        }
    }

    fn command(&mut self, command: Command) {
        self.array.commands.push((command, 0));
    }

    fn call(&mut self, message: u16) {
        self.command(Command::call(0, message));
        self.calls += 1;
    }

    fn repeat(&mut self, times: u16, of: Placed) {
        self.command(Command::Repeat { times: times.into(), commands: 1 });
        self.command(Command::Call {
            register: 0,
            register_step: 0,
            message: of.first,
            message_step: of.words,
            into: NONE,
            into_step: 0,
            on_error: OnError::Abort,
        });
        self.calls += u64::from(times);
    }

    /// What is not measured: a call that may block, so that the run has come to where it stays; and, before cold reads, that the page
    /// cache lets go of the whole file, which it may hold in large pieces.
    fn begin(&mut self, is_cold: bool) {
        let nothing = self.messages("read", 1);
        self.preset(nothing, 0, 1, self.records, 0);
        self.call(nothing.first);
        if is_cold {
            let advice = self.messages("fadvise64", 1);
            self.preset(advice, 0, 1, self.records, 0);
            self.preset(advice, 3, 1, DONTNEED, 0);
            self.call(advice.first);
        }
        self.call(self.clock.first);
    }

    fn reads(&mut self, n: u16, rounds: u16, stride: usize) {
        let reads = self.messages("pread64", n);
        self.preset(reads, 0, n, self.records, 0);
        self.preset(reads, 1, n, RECORD as i64, 0);
        self.preset(reads, 2, n, 0, stride as i64);
        (0..rounds).for_each(|_| self.repeat(n, reads));
    }

    fn statx(&mut self, n: u16, rounds: u16) {
        let asks = self.messages("statx", n);
        self.preset(asks, 0, n, AT_FDCWD, 0);
        self.paths(asks, 1, n);
        self.preset(asks, 3, n, BASIC_STATS, 0);
        (0..rounds).for_each(|_| self.repeat(n, asks));
    }

    /// All are opened, then all are read, then all are closed.
    fn small_files(&mut self, n: u16, rounds: u16) {
        let opens = self.messages("open", n);
        self.paths(opens, 0, n);
        let reads = self.messages("read", n);
        self.preset(reads, 1, n, RECORD as i64, 0);
        let closes = self.messages("close", n);
        for _ in 0..rounds {
            self.repeat(n, opens);
            self.moved(n, opens, reads);
            self.moved(n, opens, closes);
            self.repeat(n, reads);
            self.repeat(n, closes);
        }
    }

    /// What each of `from` returned is what each of `to` begins with.
    fn moved(&mut self, n: u16, from: Placed, to: Placed) {
        self.command(Command::Move {
            from: from.first + from.request,
            from_step: 0,
            to: to.first,
            to_step: 0,
            stride: from.words,
            to_stride: to.words,
            size: 1,
            items: n.into(),
            add: 0,
        });
    }

    fn finish(mut self, made: u64) -> Prepared {
        self.call(self.clock.first + self.clock.words);
        self.array.returns = Some(Returns {
            first: self.clock.first + self.clock.request,
            stride: self.clock.words,
            items: 2,
            words: 2,
            list: true,
        });
        let bytes = self.array.encode();
        let hash = hash(&bytes);
        Prepared { bytes, hash, made, calls: self.calls }
    }
}
