//! Pages that a pager provides, in this process and in another; offers that are none.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use carnet_paging::{Access, PAGE, PAGES_MAX, Pager, Pages, Refused};
use rustix::io::Errno;

const SOON: Duration = Duration::from_secs(30);

fn page_of(byte: u8) -> [u8; PAGE] {
    [byte; PAGE]
}

#[test]
fn a_thread_waits_for_its_page_and_goes_on() {
    let pages = Pages::new(4).expect("the system has userfaultfd");
    let pager = pages.pager().expect("there are descriptors left");
    assert_eq!(pager.fault(Duration::ZERO), Ok(None));
    thread::scope(|scope| {
        let reader = scope.spawn(|| pages.word(2, 1).load(Ordering::Relaxed));
        let fault = pager.fault(SOON).expect("it can be read").expect("it was touched");
        assert_eq!((fault.page, fault.access, fault.protected), (2, Access::Read, false));
        pager.map(2, &page_of(7), Access::Write).expect("it is missing");
        assert_eq!(reader.join().expect("it goes on"), 0x0707_0707_0707_0707);
    });
    assert_eq!(pager.map(2, &page_of(8), Access::Write), Err(Errno::EXIST));
    assert_eq!(pager.map(4, &page_of(8), Access::Write), Err(Errno::RANGE));
    assert_eq!(pager.fault(Duration::ZERO), Ok(None));
}

#[test]
fn a_page_that_may_not_be_written_is_waited_for_and_one_that_is_taken_away_comes_again() {
    let pages = Pages::new(1).expect("the system has userfaultfd");
    let pager = pages.pager().expect("there are descriptors left");
    pager.map(0, &page_of(1), Access::Read).expect("it is missing");
    thread::scope(|scope| {
        let writer = scope.spawn(|| pages.word(0, 0).store(5, Ordering::Relaxed));
        let fault = pager.fault(SOON).expect("it can be read").expect("it was written");
        assert_eq!((fault.page, fault.access, fault.protected), (0, Access::Write, true));
        pager.protect(0, Access::Write).expect("it is there");
        writer.join().expect("it goes on");
    });
    let held = pager.unmap(0).expect("it is there");
    assert_eq!((held[..8].to_vec(), held[PAGE - 1]), (5u64.to_le_bytes().to_vec(), 1));
    thread::scope(|scope| {
        let reader = scope.spawn(|| pages.word(0, 0).load(Ordering::Relaxed));
        let fault = pager.fault(SOON).expect("it can be read").expect("it was touched again");
        assert!(!fault.protected);
        pager.map(0, &held, Access::Read).expect("it is missing");
        assert_eq!(reader.join().expect("it goes on"), 5);
    });
}

#[test]
fn no_pages_and_too_many_are_refused() {
    assert!(matches!(Pages::new(0), Err(Errno::INVAL)));
    assert!(matches!(Pages::new(PAGES_MAX + 1), Err(Errno::INVAL)));
}

/// The other process of the tests below: it is this test, run again with a word in the environment.
#[test]
fn application() {
    let Some(what) = std::env::var_os("CARNET_PAGED") else { return };
    let socket = UnixStream::connect(what).expect("the test listens");
    if std::env::var_os("CARNET_PAGED_HOSTILE").is_some() {
        let pages = Pages::hostile(3).expect("the system has userfaultfd");
        pages.offer(&socket).expect("the test receives");
        // Each time it waits until somebody reads of that; it goes on until it is killed.
        loop {
            pages.take_out(1).expect("it is its own");
        }
    }
    let pages = Pages::new(3).expect("the system has userfaultfd");
    pages.offer(&socket).expect("the test receives");
    if std::env::var_os("CARNET_PAGED_LEFT").is_some() {
        // It has the socket until the other side closes that.
        let child =
            Command::new("cat").stdin(std::os::fd::OwnedFd::from(socket)).stdout(Stdio::null()).spawn();
        drop(child.expect("it starts"));
        return;
    }
    let sum: u64 = (0..3).map(|page| pages.word(page, 0).load(Ordering::Relaxed)).sum();
    std::io::stdout().write_all(format!("sum {sum}\n").as_bytes()).expect("the test reads");
}

/// The other process, which may be told more, and the pager of what it offers.
fn paged(change: impl FnOnce(&mut Command)) -> (Child, Pager) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s");
    let listener = std::os::unix::net::UnixListener::bind(&path).expect("it is free");
    let mut command = Command::new(std::env::current_exe().expect("it is this one"));
    command
        .args(["--exact", "application", "--nocapture"])
        .env("CARNET_PAGED", path)
        .stdout(Stdio::piped())
        .stdin(Stdio::null());
    change(&mut command);
    let child = command.spawn().expect("it starts");
    let socket = listener.accept().expect("it connects").0;
    (child, Pager::receive(socket, SOON).expect("it offers its pages"))
}

/// One that changes its memory, and waits until somebody reads of that.
#[test]
fn an_application_that_changes_its_memory_for_ever_holds_nobody_up() {
    let (mut child, pager) = paged(|command| _ = command.env("CARNET_PAGED_HOSTILE", "1"));
    let began = Instant::now();
    // It may not have begun yet.
    let refused = loop {
        match pager.map(0, &page_of(0), Access::Write) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(errno) => break errno,
        }
        assert!(began.elapsed() < SOON, "it never changes its memory");
    };
    assert_eq!(refused, Errno::AGAIN);
    // What is told is no fault, and no time is spent on it beyond what is given.
    assert_eq!(pager.fault(Duration::ZERO), Ok(None));
    child.kill().expect("it is there");
    child.wait().expect("it ends");
}

#[test]
fn an_application_of_another_process_is_paged_and_its_end_is_seen() {
    let (mut child, pager) = paged(|_| {});
    assert_eq!((pager.pages(), pager.has_ended()), (3, false));
    for expected in 0..3 {
        let fault = pager.fault(SOON).expect("it can be read").expect("it touches the next");
        assert_eq!(fault.page, expected);
        let mut content = page_of(0);
        content[0] = 10 + expected as u8;
        pager.map(expected, &content, Access::Write).expect("it is missing");
    }
    let mut said = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    assert!(said.contains("sum 33\n"), "{said}");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(pager.fault(SOON), Err(Errno::SRCH));
    assert!(pager.has_ended());
    assert_eq!(pager.map(0, &page_of(0), Access::Write), Err(Errno::SRCH));
}

/// Its number may be another process's by now.
#[test]
fn an_application_that_leaves_its_socket_to_a_child_is_seen_to_end() {
    let (mut child, pager) = paged(|command| _ = command.env("CARNET_PAGED_LEFT", "1"));
    assert_eq!(pager.fault(SOON), Err(Errno::SRCH));
    assert!(pager.has_ended());
    child.wait().expect("it ends");
    let process = pager.application().expect("it is another process");
    let killed = rustix::process::pidfd_send_signal(process, rustix::process::Signal::KILL);
    assert_eq!(killed, Err(Errno::SRCH));
}

#[test]
fn an_application_that_is_killed_in_a_fault_is_seen_to_end() {
    let (mut child, pager) = paged(|_| {});
    assert!(pager.fault(SOON).expect("it can be read").is_some());
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    assert_eq!(pager.map(0, &page_of(0), Access::Write), Err(Errno::SRCH));
    assert!(pager.fault(SOON).is_err());
}

/// Whatever comes instead of pages is refused, and nothing of it stays.
#[test]
fn other_offers_are_refused() {
    let refused = |send: &dyn Fn(&mut UnixStream)| {
        let (mut ours, theirs) = UnixStream::pair().expect("a pair");
        send(&mut ours);
        Pager::receive(theirs, Duration::from_millis(50)).expect_err("it is no offer")
    };
    assert_eq!(refused(&|_| {}), Refused::System(Errno::TIMEDOUT));
    let unfit = |refused| assert!(matches!(refused, Refused::Unfit(_)), "{refused:?}");
    unfit(refused(&|socket| socket.write_all(&[0; 16]).expect("there is room")));
    unfit(refused(&|socket| socket.write_all(b"pages").expect("there is room")));
    // Descriptors that are something else.
    let file = std::fs::File::open("/dev/null").expect("it is there");
    unfit(refused(&|socket| {
        let _ = carnet_memory::pass::send(std::os::fd::AsFd::as_fd(socket), &[0; 16], &file);
    }));
    // The end of a socket.
    let (ours, theirs) = UnixStream::pair().expect("a pair");
    drop(ours);
    assert!(Pager::receive(theirs, SOON).is_err());
}

/// Descriptors and mappings of this process.
fn held() -> (usize, usize) {
    let descriptors = std::fs::read_dir("/proc/self/fd").expect("it is there").count();
    let maps = std::fs::read_to_string("/proc/self/maps").expect("it is there");
    (descriptors, maps.lines().filter(|line| line.contains("memfd:")).count())
}

/// Alone in its process, so that no other test opens anything meanwhile.
#[test]
fn nothing_is_left() {
    if std::env::var_os("CARNET_PAGED_ALONE").is_none() {
        let ended = Command::new(std::env::current_exe().expect("it is this one"))
            .args(["--exact", "nothing_is_left"])
            .env("CARNET_PAGED_ALONE", "1")
            .output()
            .expect("it starts");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
        return;
    }
    let before = held();
    for _ in 0..20 {
        let pages = Pages::new(2).expect("the system has userfaultfd");
        let pager = pages.pager().expect("there are descriptors left");
        pager.map(1, &page_of(3), Access::Write).expect("it is missing");
        pager.unmap(1).expect("it is there");
    }
    assert_eq!(held(), before);
}
