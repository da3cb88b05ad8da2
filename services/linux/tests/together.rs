//! Reads of a repeat that go to the kernel together come to what they come to one by one: results, order, errors, counts, budgets, stops.

mod support;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use carnet_linux::linux::System;
use carnet_linux::{Starter, Together, process};
use carnet_program::client::Client;
use carnet_program::host::Policy;
use carnet_program::protocol::{Argument, End, Outcome, Raise, ResumeRequest, RunId, RunRequest};
use carnet_program::tree::CapKind;
use carnet_sandbox::Calls;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rustix::fs::OFlags;
use rustix::io::Errno;
use support::served::{Served, bytes, request, served_by};
use support::*;

const FILE: usize = 100_000;

/// A session with `files/data` open as 3, a pipe that holds something as 4 and 5, and the directory as 6.
struct Side {
    client: Client,
    system: System,
    pid: i32,
    served: Served,
    ids: AtomicU64,
}

fn content() -> Vec<u8> {
    (0..FILE).map(|k| (k ^ (k >> 8) ^ (k >> 16)) as u8).collect()
}

fn side(together: Together, starter: Starter, policy: Policy) -> Side {
    let served = served_by(starter, false, policy, |rules| rules.together = together);
    fs::write(served.dir.path().join("files/data"), content()).expect("it is written");
    let (client, system) = served.client();
    assert_eq!(system.open_write(b"data", O_RDWR, 0).expect("it is there"), 3);
    assert_eq!(system.pipe2(O_NONBLOCK).expect("a pipe").writer, 5);
    assert_eq!(system.write(5, b"in the pipe").expect("it has room"), 11);
    assert_eq!(system.open(b".", O_DIRECTORY).expect("it is there"), 6);
    let pid = system.getpid().expect("it lives");
    Side { client, system, pid, served, ids: AtomicU64::new(1) }
}

/// What must be the same on both sides: all but the time.
fn told(outcome: &Outcome) -> String {
    let mut outcome = outcome.clone();
    outcome.receipt.time_ns = 0;
    let stop = outcome.kept.take().map(|kept| kept.stop);
    format!("{stop:?} {outcome:?}")
}

/// A run that is kept if it stops.
fn named(id: RunId, bytes: &[u8]) -> RunRequest<'_> {
    RunRequest { name: "t", ..request(id.0, bytes, vec![Argument::Portal(0)]) }
}

impl Side {
    fn new_id(&self) -> RunId {
        RunId(u128::from(self.ids.fetch_add(1, Ordering::Relaxed)))
    }

    /// Runs an array, and goes on with so many calls more as long as there were too few; what was told each time.
    fn outcomes(&self, bytes: &[u8], more: u64) -> Vec<String> {
        let id = self.new_id();
        let request = named(id, bytes);
        let mut outcome = self.client.run(&request, &[self.system.portal()]).expect("the server answers");
        let mut all = vec![told(&outcome)];
        while let (End::Limit { .. }, Some(kept), true) = (&outcome.end, &outcome.kept, all.len() < 40) {
            let raises = vec![Raise { kind: CapKind::Calls, by: more }];
            let resume = ResumeRequest { raises, ..ResumeRequest::new(id, kept.stop) };
            let resumed = self.client.resume(&resume).expect("it begins");
            outcome = resumed.wait(&mut |_| {}).expect("it answers");
            all.push(told(&outcome));
        }
        let _ = self.client.discard(id);
        all
    }

    fn proc(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.pid))
    }

    fn descriptors(&self) -> Vec<(String, PathBuf)> {
        let entries = fs::read_dir(self.proc("fd")).expect("proc is there");
        let one = |entry: std::io::Result<fs::DirEntry>| {
            let entry = entry.expect("it is there");
            (
                entry.file_name().to_string_lossy().into_owned(),
                fs::read_link(entry.path()).unwrap_or_default(),
            )
        };
        entries.map(one).collect()
    }

    /// How many calls its ring has taken; `None` if it has no ring.
    fn submitted(&self) -> Option<u64> {
        let ring = self.descriptors().into_iter().find(|(_, to)| to.ends_with("anon_inode:[io_uring]"))?;
        let told = fs::read_to_string(self.proc(&format!("fdinfo/{}", ring.0))).expect("proc is there");
        let line = told.lines().find_map(|line| line.strip_prefix("SqTail:")).expect("the kernel tells");
        Some(line.trim().parse().expect("a number"))
    }
}

/// Whether the system lets anybody have a ring: told by who has one.
fn has_ring(side: &Side) -> bool {
    let has = side.submitted().is_some();
    if !has {
        eprintln!("skipped: there is no io_uring here");
    }
    has
}

fn reads(n: usize, len: usize, stride: i64, first: i64) -> Vec<u8> {
    bytes(&format!(
        "use linux\narray t(sys: System) -> list(bytes(1MiB), {n}) {{\n\
         message piece[{n}]: System.pread64(fd: 3, n: {len}, offset: {first} step {stride})\n\
         repeat {n} {{ call sys with piece }}\nreturn piece.value\n}}\n"
    ))
}

#[test]
fn reads_of_a_repeat_are_made_together() {
    let side = side(Together::WherePossible, starter(), Policy::default());
    if !has_ring(&side) {
        return;
    }
    let array = reads(500, 100, -150, 99_000);
    let before = side.submitted();
    let first = side.outcomes(&array, 0);
    assert_eq!(side.submitted(), before.map(|before| before + 500));
    // Too few are made one by one.
    side.outcomes(&reads(5, 100, 150, 0), 0);
    assert_eq!(side.submitted(), before.map(|before| before + 500));
    let alone = self::side(Together::Never, starter(), Policy::default());
    assert_eq!(alone.submitted(), None, "it has none");
    assert_eq!(alone.outcomes(&array, 0), first);
}

#[test]
fn a_session_finds_out_what_pays() {
    let side = side(Together::WherePays, starter(), Policy::default());
    let Some(before) = side.submitted() else { return eprintln!("skipped: there is no io_uring here") };
    let array = reads(64, 100, -150, 99_000);
    let all = 40;
    (0..all).for_each(|_| drop(side.outcomes(&array, 0)));
    let together = (side.submitted().expect("there is a ring") - before) / 64;
    // Four of the first batches that are cached go each way.
    assert!((4..=all - 4).contains(&together), "{together} of {all}");
}

/// The same from this descriptor; calls that fail end nothing.
fn tried(fd: i64, n: usize) -> Vec<u8> {
    bytes(&format!(
        "use linux\narray t(sys: System) {{\n\
         message piece[{n}]: System.pread64(fd: {fd}, n: 100, offset: 0 step 150)\n\
         repeat {n} {{ try call sys with piece }}\n}}\n"
    ))
}

#[test]
fn repeats_that_no_call_could_do_leave_the_ring() {
    let side = side(Together::WherePossible, starter(), Policy::default());
    if !has_ring(&side) {
        return;
    }
    assert_eq!(side.system.open_write(b"data", O_WRONLY, 0).expect("it is there"), 7);
    // None is open, the pipe has no offsets, a directory is not read, and this file only written.
    for fd in [300, 4, 6, 7, -1] {
        let outcomes = side.outcomes(&tried(fd, 20), 0);
        assert!(outcomes.len() == 1 && outcomes[0].contains("Done"), "{outcomes:?}");
    }
    let before = side.submitted();
    side.outcomes(&reads(50, 100, 150, 0), 0);
    assert_eq!(side.submitted(), before.map(|before| before + 50));
}

/// Bytes of one read of a row, and how many reads there are: more than are ever made together.
const PIECE: usize = 4 << 10;
const PIECES: usize = 120;
/// Reads of a long row, most of them behind the end of its file.
const LONG: usize = 300;
/// Files of rows that are not cached, of which the last is for one that goes back; one more is for a long row.
const ROWS: usize = 6;

/// Writes a long file past the page cache, which has nothing of it then; whether the system can.
fn written_past_the_cache(path: &Path) -> bool {
    let direct = OFlags::DIRECT.bits().cast_signed();
    let mut file = match OpenOptions::new().write(true).create_new(true).custom_flags(direct).open(path) {
        Err(error) if error.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => return false,
        file => file.expect("it is made"),
    };
    let room = vec![7; PIECE + 4096];
    let begins = room.as_ptr().align_offset(4096);
    (0..=PIECES).for_each(|_| file.write_all(&room[begins..begins + PIECE]).expect("it is written"));
    true
}

#[test]
fn reads_in_a_row_from_disk_are_fetched_by_the_kernel() {
    let side = side(Together::WherePossible, starter(), Policy::default());
    if !has_ring(&side) {
        return;
    }
    let files = side.served.dir.path().join("files");
    let names: Vec<String> = (0..=ROWS).map(|k| format!("long{k}")).collect();
    if !names.iter().all(|name| written_past_the_cache(&files.join(name))) {
        return eprintln!("skipped: the system's folder for what is temporary is not on a disk");
    }
    for (name, fd) in names.iter().zip(7..) {
        assert_eq!(side.system.open(name.as_bytes(), 0).expect("it is there"), fd);
    }
    let reads_of = |fd: usize, stride: i64, n: usize| {
        bytes(&format!(
            "use linux\narray t(sys: System) {{\n\
             message piece[{n}]: System.pread64(fd: {fd}, n: {PIECE}, offset: {} step {stride})\n\
             repeat {n} {{ call sys with piece }}\n}}\n",
            if stride < 0 { PIECE * PIECES } else { 0 }
        ))
    };
    let row = |fd, stride| reads_of(fd, stride, PIECES);
    let submitted = |array: &[u8]| {
        let before = side.submitted().expect("there is a ring");
        let outcomes = side.outcomes(array, 0);
        assert!(outcomes.len() == 1 && outcomes[0].contains("Done"), "{outcomes:?}");
        side.submitted().expect("there is a ring") - before
    };
    // What is behind the first of them the kernel has read before it is asked for, so that only who remembers the row knows it. A disk that is so
    // quick that the first is there when the kernel is asked for it has it look cached: that is so of some, and not of all.
    let mut missing = (7..7 + ROWS - 1).map(|fd| (fd, row(fd, PIECE as i64)));
    let (_, forth) = missing.find(|(_, row)| submitted(row) == 0).expect("in a row, not cached");
    assert_eq!(submitted(&forth), PIECES as u64, "in a row, cached");
    assert_eq!(submitted(&row(7 + ROWS - 1, -(PIECE as i64))), PIECES as u64, "not in a row, not cached");
    // Of a long row only the first 512 KiB are left to the kernel, if it looked as if it was not cached at all.
    let together = submitted(&reads_of(7 + ROWS, PIECE as i64, LONG));
    assert!([LONG as u64, LONG as u64 - 128].contains(&together), "{together} of {LONG}");
}

/// A random array over these descriptors.
#[derive(Clone, Debug)]
struct Random {
    n: usize,
    len: i64,
    len_step: i64,
    offset: i64,
    stride: i64,
    /// Messages that ask of another descriptor.
    odd: Vec<(usize, i64)>,
    tries: bool,
    beside: &'static str,
    calls: usize,
    more: u64,
}

fn random() -> impl Strategy<Value = Random> {
    let offset = prop_oneof![4 => 0..FILE as i64, 1 => Just(-5_i64), 1 => Just(i64::MAX - 100_000), 1 => Just(FILE as i64 - 300)];
    let stride = prop_oneof![2 => -2_000_i64..2_000, 2 => Just(100_i64), 1 => Just(0_i64)];
    let fd = prop_oneof![
        Just(0_i64),
        Just(3),
        Just(4),
        Just(5),
        Just(6),
        Just(7),
        Just(-1),
        Just(300),
        Just(1 << 31)
    ];
    let beside = prop_oneof![
        4 => Just(""),
        1 => Just("move there.offset to piece.offset"),
        1 => Just("move there.n to also.n"),
        1 => Just("call sys with also"),
        1 => Just("call sys with change"),
    ];
    let odd = prop_oneof![2 => Just(Vec::new()), 3 => proptest::collection::vec((0_usize..200, fd), 1..4)];
    (
        (1_usize..200, prop_oneof![6 => 1_i64..3_000, 1 => -2_i64..1, 1 => Just(i64::MAX - 200)], 0_i64..3),
        (offset, stride, odd),
        (any::<bool>(), beside, 0_usize..250, 1_u64..60),
    )
        .prop_map(|((n, len, len_step), (offset, stride, odd), (tries, beside, calls, more))| {
            let odd = odd.into_iter().map(|(at, fd)| (at % n, fd)).collect();
            Random { n, len, len_step, offset, stride, odd, tries, beside, calls, more }
        })
}

impl Random {
    fn source(&self) -> String {
        let Random { n, len, len_step, offset, stride, odd, tries, beside, calls, .. } = self;
        let mut text = format!(
            "use linux\narray t(sys: System) -> list(bytes(1MiB), {n})\n  at most {calls} calls\n{{\n\
             message piece[{n}]: System.pread64(fd: 3, n: {len} step {len_step}, offset: {offset} step {stride})\n"
        );
        if beside.contains("there") {
            text += &format!("message there[{n}]: System.pread64(fd: 3, n: 10 step 3, offset: 7 step 11)\n");
        }
        if beside.contains("also") {
            text += &format!("message also[{n}]: System.pread64(fd: 3, n: 4, offset: 7 step 11)\n");
        }
        if beside.contains("change") {
            text += &format!("message change[{n}]: System.ftruncate(fd: 3, length: 90000 step -400)\n");
        }
        for (k, (at, fd)) in odd.iter().enumerate() {
            // A number that is no descriptor of C's comes by a word that takes any.
            text += &format!(
                "message odd{k}: System.lseek(offset: {fd})\nmove odd{k}.offset to piece[{at}].fd\n"
            );
        }
        let tries = if *tries { "try " } else { "" };
        text + &format!("repeat {n} {{\n{tries}call sys with piece\n{beside}\n}}\nreturn piece.value\n}}\n")
    }
}

fn alike(cases: u32) {
    let mut small = Policy::default();
    small.limits.memory = 30_000;
    let sides = [Policy::default(), small].map(|policy| {
        [Together::WherePossible, Together::WherePays, Together::Never]
            .map(|together| side(together, starter(), policy.clone()))
    });
    if !has_ring(&sides[0][0]) {
        return;
    }
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let done = TestRunner::new(config).run(&(random(), any::<bool>()), |(random, is_small)| {
        let sides = &sides[usize::from(is_small)];
        let array = bytes(&random.source());
        let told = sides.each_ref().map(|side| side.outcomes(&array, random.more));
        prop_assert_eq!(&told[0], &told[1]);
        prop_assert_eq!(&told[0], &told[2]);
        // What an array has cut off is put back.
        for side in sides {
            let file = fs::File::options().write(true).open(side.served.dir.path().join("files/data"));
            file.expect("it is there").write_all_at(&content(), 0).expect("it is written");
        }
        Ok(())
    });
    done.unwrap_or_else(|error| panic!("{error}"));
    for sides in &sides {
        assert!(sides[0].submitted() > Some(100), "the ring was used");
        for side in sides {
            assert_eq!(side.system.read(4, 100).expect("it was not read"), b"in the pipe");
        }
    }
}

#[test]
fn random_arrays_come_to_the_same() {
    alike(60);
}

#[test]
#[ignore = "long: cargo xtask verify-long"]
fn many_random_arrays_come_to_the_same() {
    alike(3_000);
}

#[test]
fn a_run_that_is_cancelled_goes_on_to_the_same_end() {
    let repeats = "repeat 200 { call sys with piece }\n".repeat(400);
    let array = bytes(&format!(
        "use linux\narray t(sys: System) -> list(bytes(1MiB), 200) {{\n\
         message piece[200]: System.pread64(fd: 3, n: 300, offset: 0 step 450)\n{repeats}return piece.value\n}}\n"
    ));
    let mut ends = Vec::new();
    for together in [Together::WherePossible, Together::WherePays, Together::Never] {
        let side = side(together, starter(), Policy::default());
        let id = side.new_id();
        let request = named(id, &array);
        let (other, _) = side.served.client();
        let mut running = side.client.start(&request, &[side.system.portal()]).expect("it begins");
        let outcome = loop {
            let _ = other.cancel(id).expect("it answers");
            let outcome = running.wait(&mut |_| {}).expect("it answers");
            let (End::Cancelled, Some(kept)) = (&outcome.end, &outcome.kept) else { break outcome };
            let resume = ResumeRequest::new(id, kept.stop);
            running = side.client.resume(&resume).expect("it begins");
            if kept.stop >= 5 {
                break running.wait(&mut |_| {}).expect("it answers");
            }
        };
        assert_eq!((&outcome.end, outcome.receipt.calls), (&End::Done, 80_000));
        ends.push((outcome.result, outcome.receipt.instructions, outcome.receipt.memory));
    }
    assert!(ends[1..].iter().all(|end| *end == ends[0]));
}

/// What a file holds that was open but not in the page cache is brought there, and the descriptor stands where it stood.
#[test]
fn reads_where_descriptors_stand_are_plain() {
    let with = side(Together::WherePossible, starter(), Policy::default());
    let without = side(Together::Never, starter(), Policy::default());
    let n = 20;
    let array = bytes(&format!(
        "use linux\narray t(sys: System) -> list(bytes(1MiB), {n}) {{\n\
         message forget[{n}]: System.fadvise64(fd: 7 step 1, advice: 4)\n\
         message piece[{n}]: System.read(fd: 7 step 1, n: 50)\n\
         repeat {n} {{ call sys with forget }}\nrepeat {n} {{ call sys with piece }}\n\
         repeat {n} {{ call sys with piece }}\nreturn piece.value\n}}\n"
    ));
    for side in [&with, &without] {
        for k in 0..n {
            let path = side.served.dir.path().join(format!("files/{k}"));
            fs::write(&path, format!("{k:-<50}{k:+<50}")).expect("it is written");
            fs::File::open(&path).expect("it is there").sync_all().expect("it has a disk");
            assert_eq!(side.system.open(k.to_string().as_bytes(), 0).expect("it is there"), 7 + k);
        }
    }
    assert_eq!(with.outcomes(&array, 0), without.outcomes(&array, 0));
    assert_eq!(with.system.lseek(7, 0, 1).expect("it is open"), 100);
}

#[test]
fn nothing_grows_and_nothing_stays() {
    let side = side(Together::WherePossible, starter(), Policy::default());
    let arrays = [reads(200, 400, 450, 0), reads(16, 50_000, 3_000, 0), reads(60, 17_000, 77, 0)];
    let resident = || {
        let told = fs::read_to_string(side.proc("statm")).expect("proc is there");
        told.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).expect("a number")
    };
    let all = || arrays.iter().for_each(|array| drop(side.outcomes(array, 0)));
    all();
    let (descriptors, pages) = (side.descriptors(), resident());
    (0..50).for_each(|_| all());
    assert_eq!(side.descriptors(), descriptors);
    assert!(resident() < pages + 1_024, "{} pages after {pages}", resident());
    let (pid, service) = (side.proc(""), side.served.service.clone());
    drop(side);
    wait_until(|| service.processes() == 0);
    assert!(!pid.exists());
}

/// The process of a session under a filter that knows no io_uring, as in many containers: not a test by itself.
#[test]
fn a_process_where_rings_are_forbidden() {
    let is_session = rustix::fs::fstat(rustix::stdio::stdin())
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::Socket);
    if !is_session || !std::env::args().any(|word| word == "--exact") || std::env::vars_os().next().is_some()
    {
        return;
    }
    const SETUP: u32 = 425;
    rustix::thread::set_no_new_privs(true).expect("it needs no privilege");
    Calls::new()
        .allow((0..600).filter(|number| *number != SETUP))
        .restrict()
        .expect("the kernel has seccomp");
    std::process::exit(i32::from(process::run() != ExitCode::SUCCESS));
}

#[test]
fn where_rings_are_forbidden_reads_are_plain() {
    let forbidden = Starter {
        program: std::env::current_exe().expect("it has a name"),
        arguments: ["a_process_where_rings_are_forbidden", "--exact", "--nocapture"].map(Into::into).to_vec(),
    };
    let plain = side(Together::WherePays, forbidden, Policy::default());
    assert_eq!(plain.submitted(), None, "it has none");
    let usual = side(Together::WherePossible, starter(), Policy::default());
    let array = reads(300, 700, 300, 0);
    assert_eq!(plain.outcomes(&array, 0), usual.outcomes(&array, 0));
}
