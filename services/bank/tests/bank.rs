//! Frames, spaces and slots; page faults served by single calls, by a program and by a call array; applications that die, pagers
//! that stall, and what is left of both.

use std::io::Read as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use carnet_bank::bank::{self, Access, Frames, Machine, Reason, Slots, Space};
use carnet_bank::{Bank, Options};
use carnet_paging::Pages;
use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Origin};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::CallError;
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::{Read, read};

const SOON: Duration = Duration::from_secs(30);
const SOON_NS: i64 = 30_000_000_000;

fn session(bank: Options, user: &str) -> (Arc<Bank>, Capability, Caller) {
    let (bank, root) = Bank::serve(bank).expect("it starts");
    (bank, Capability::new(root.into_object()), Caller::of(user, 1))
}

fn machine(root: &Capability, caller: &Caller) -> (Arc<LocalSession>, Machine) {
    let session = LocalSession::new(root.clone(), caller.clone());
    let machine = Machine::from_portal(session.root());
    (session, machine)
}

fn small() -> Options {
    Options { frames: 8, frames_per_user: 6, slots: 3, slots_per_user: 2, checks: true, ..Options::default() }
}

#[track_caller]
fn raised<T>(result: Result<T, CallError<bank::Error>>, kind: Reason) {
    match result {
        Err(CallError::Raised(error)) => assert_eq!(error.kind, kind, "{}", error.message),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it is not refused"),
    }
}

/// Waits for what another thread or process does.
fn wait_until(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < SOON, "it never happened");
        thread::yield_now();
    }
}

#[test]
fn frames_are_taken_and_given_back() {
    let (bank, root, caller) = session(small(), "ada");
    let (_session, machine) = machine(&root, &caller);
    let frames = machine.frames().expect("they are there");
    assert_eq!(frames.left().expect("it answers"), 6);
    let first = frames.alloc().expect("there are some");
    let run = frames.alloc_run(3).expect("there are some");
    assert_eq!((first, run), (0, 1));
    assert_eq!(frames.content(first).expect("it is ours"), vec![0; 4096]);
    frames.fill(first, b"hello").expect("it is ours");
    assert_eq!(&frames.content(first).expect("it is ours")[..6], b"hello\0");
    frames.free(2).expect("it is ours");
    raised(frames.free(2), Reason::NotYours);
    raised(frames.free(-1), Reason::NotYours);
    raised(frames.free(1 << 40), Reason::NotYours);
    raised(frames.alloc_run(0), Reason::BadCount);
    raised(frames.alloc_run(i64::MAX), Reason::BadCount);
    raised(frames.alloc_run(4), Reason::Quota);
    // Frame 2 is alone between others.
    assert_eq!(frames.alloc_run(2).expect("there are two in a row"), 4);
    assert_eq!(frames.alloc().expect("there is one"), 2);
    raised(frames.alloc(), Reason::Quota);
    assert_eq!(bank.left().0, 2);
    drop(frames);
    assert_eq!(bank.left().0, 8, "what a portal took is free when it is released");
}

#[test]
fn quotas_are_of_users_and_frames_of_who_took_them() {
    let (_bank, root, ada) = session(small(), "ada");
    let bob = Caller::of("bob", 2);
    let ((_a, for_ada), (_b, for_bob)) = (machine(&root, &ada), machine(&root, &bob));
    let (hers, his) = (for_ada.frames().expect("frames"), for_bob.frames().expect("frames"));
    let frame = hers.alloc_run(5).expect("there are some");
    raised(his.free(frame), Reason::NotYours);
    raised(his.content(frame), Reason::NotYours);
    his.alloc_run(3).expect("the last three");
    raised(his.alloc(), Reason::NoFrame);
    raised(hers.alloc(), Reason::NoFrame);
    // A second portal of hers has no quota of its own.
    let more = for_ada.frames().expect("frames");
    assert_eq!(more.left().expect("it answers"), 0);
}

#[test]
fn one_process_has_not_all_that_its_user_may() {
    let options = Options { slots: 4, slots_per_user: 3, ..small() };
    let (_bank, root, ada) = session(options, "ada");
    let of = |process, session| Caller { origin: Origin::Process(process), session, ..ada.clone() };
    let machines = [of(7, 1), of(7, 2), of(8, 3)].map(|caller| machine(&root, &caller));
    let [one, two, other] = machines.each_ref().map(|(_, machine)| machine.frames().expect("frames"));
    // Six are hers.
    one.alloc_run(2).expect("two");
    assert_eq!((two.left().expect("it answers"), other.left().expect("it answers")), (2, 4));
    two.alloc_run(2).expect("two");
    raised(one.alloc(), Reason::Quota);
    raised(two.alloc(), Reason::Quota);
    other.alloc_run(2).expect("the last two");
    raised(other.alloc(), Reason::Quota);
    let [one, two, other] = machines.each_ref().map(|(_, machine)| machine.slots().expect("slots"));
    assert!(one.take().is_ok() && two.take().is_ok());
    raised(one.take(), Reason::Quota);
    other.take().expect("the third");
}

#[test]
fn slots_are_taken_and_given_back() {
    let (bank, root, caller) = session(small(), "ada");
    let (_session, machine) = machine(&root, &caller);
    let slots: Slots = machine.slots().expect("slots");
    assert_eq!((slots.take().expect("one"), slots.take().expect("one")), (0, 1));
    raised(slots.take(), Reason::Quota);
    let other = Caller::of("ben", 2);
    let (_other_session, others) = self::machine(&root, &other);
    let theirs: Slots = others.slots().expect("slots");
    assert_eq!(theirs.take().expect("the last"), 2);
    raised(theirs.take(), Reason::NoSlot);
    raised(theirs.give(0), Reason::NotYours);
    drop(theirs);
    slots.give(0).expect("it is ours");
    raised(slots.give(0), Reason::NotYours);
    raised(slots.give(7), Reason::NotYours);
    assert_eq!(slots.left().expect("it answers"), 2);
    drop(slots);
    assert_eq!(bank.left().2, 3);
}

#[test]
fn pages_are_mapped_protected_and_taken_away() {
    let (bank, root, caller) = session(small(), "ada");
    let (_session, machine) = machine(&root, &caller);
    raised(machine.space(), Reason::NoApplication);
    let pages = Pages::new(3).expect("the system has userfaultfd");
    bank.offer(pages.pager().expect("descriptors")).expect("there is room");
    assert_eq!(machine.waiting().expect("it answers"), 1);
    let (frames, space): (Frames, Space) =
        (machine.frames().expect("frames"), machine.space().expect("the application"));
    assert_eq!((space.pages().expect("it answers"), space.fault(0).expect("none")), (3, -1));
    let frame = frames.alloc().expect("one");
    frames.fill(frame, &7u64.to_le_bytes()).expect("it is ours");
    thread::scope(|scope| {
        let reader = scope.spawn(|| pages.word(1, 0).load(Ordering::Relaxed));
        assert_eq!(space.fault(SOON_NS).expect("it is touched"), 1);
        space.map_page(1, frame, Access::Read).expect("it is missing");
        assert_eq!(reader.join().expect("it goes on"), 7);
    });
    raised(space.map_page(1, frame, Access::Read), Reason::Mapped);
    raised(space.map_page(0, frame, Access::Read), Reason::InUse);
    raised(space.map_page(3, frame, Access::Read), Reason::BadPage);
    raised(space.map_page(-1, frame, Access::Read), Reason::BadPage);
    raised(space.map_page(0, 99, Access::Read), Reason::NotYours);
    raised(frames.free(frame), Reason::InUse);
    raised(frames.content(frame), Reason::InUse);
    raised(space.unmap_page(0), Reason::NotMapped);
    raised(space.protect_page(2, Access::Write), Reason::NotMapped);
    thread::scope(|scope| {
        let writer = scope.spawn(|| pages.word(1, 0).store(9, Ordering::Relaxed));
        assert_eq!(space.fault(SOON_NS).expect("it may not be written"), 1);
        space.protect_page(1, Access::Write).expect("it is mapped");
        writer.join().expect("it goes on");
    });
    space.unmap_page(1).expect("it is mapped");
    assert_eq!(frames.content(frame).expect("it is ours")[..8], 9u64.to_le_bytes());
    assert_eq!((space.mapped().expect("it answers"), bank.left().1), (0, 1));
    // What is mapped when its portal goes is free when the space goes.
    space.map_page(0, frame, Access::Write).expect("it is missing");
    drop(frames);
    assert_eq!(bank.left().0, 7);
    drop(space);
    assert_eq!((bank.left().0, bank.left().1), (8, 0));
}

/// Whether there is a fault can be asked. Who asked is told of it next, and nobody else.
#[test]
fn a_fault_that_is_asked_for_is_not_lost() {
    let (bank, root, caller) = session(small(), "ada");
    let (session, machine) = machine(&root, &caller);
    let pages = Pages::new(2).expect("the system has userfaultfd");
    bank.offer(pages.pager().expect("descriptors")).expect("there is room");
    let (frames, space): (Frames, Space) =
        (machine.frames().expect("frames"), machine.space().expect("the application"));
    let object = session.capability(space.portal().id()).expect("it is there");
    let is_ready = |caller: &Caller, within| object.object().is_ready(0, caller, &[0], within);
    assert!(!is_ready(&caller, Duration::ZERO), "nothing is touched");
    let began = Instant::now();
    assert!(!is_ready(&caller, Duration::from_millis(20)));
    assert!(began.elapsed() >= Duration::from_millis(20), "it was waited for");
    thread::scope(|scope| {
        let reader = scope.spawn(|| pages.word(1, 0).load(Ordering::Relaxed));
        wait_until(|| is_ready(&caller, Duration::ZERO));
        assert!(is_ready(&caller, Duration::ZERO), "it is there still");
        // Another user is refused at once, and reads nothing.
        let bob = Caller::of("bob", 2);
        assert!(is_ready(&bob, SOON));
        let another = scope.spawn(|| space.fault(0).expect("it is another thread's"));
        assert_eq!(another.join().expect("it comes back"), -1);
        assert_eq!(space.fault(0).expect("it is there"), 1);
        assert!(!is_ready(&caller, Duration::ZERO), "it was told once");
        space.map_page(1, frames.alloc().expect("one"), Access::Write).expect("it is missing");
        assert_eq!(reader.join().expect("it goes on"), 0);
    });
}

#[test]
fn another_user_maps_nothing_of_his_own() {
    let (bank, root, ada) = session(small(), "ada");
    let bob = Caller::of("bob", 2);
    let ((session, hers), (_b, his)) = (machine(&root, &ada), machine(&root, &bob));
    let pages = Pages::new(1).expect("the system has userfaultfd");
    bank.offer(pages.pager().expect("descriptors")).expect("there is room");
    let space = hers.space().expect("the application");
    let frame = his.frames().expect("frames").alloc().expect("one");
    raised(space.map_page(0, frame, Access::Read), Reason::NotYours);
    drop(session);
}

// In another process.

/// The application: it is this test, run again with a word in the environment. It adds what its pages hold, and writes on them.
#[test]
fn application() {
    let Some(socket) = std::env::var_os("CARNET_PAGED") else { return };
    if std::env::var_os("CARNET_PAGED_HOSTILE").is_some() {
        let socket = UnixStream::connect(socket).expect("the bank listens");
        let pages = Pages::hostile(4).expect("the system has userfaultfd");
        pages.offer(&socket).expect("the bank receives");
        // Nobody reads of it: it waits until it is ended.
        pages.take_out(1).expect("it is its own");
        return;
    }
    let socket = UnixStream::connect(socket).expect("the bank listens");
    let pages = Pages::new(4).expect("the system has userfaultfd");
    pages.offer(&socket).expect("the bank receives");
    let mut sum = 0;
    for page in 0..4 {
        sum += pages.word(page, 0).load(Ordering::Relaxed);
        pages.word(page, 1).store(page as u64, Ordering::Relaxed);
    }
    println!("sum {sum}");
}

fn started(socket: &Path) -> Child {
    command(socket).spawn().expect("it starts")
}

fn command(socket: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("it is this one"));
    command
        .args(["--exact", "application", "--nocapture"])
        .env("CARNET_PAGED", socket)
        .stdout(Stdio::piped());
    command
}

fn said(child: &mut Child) -> String {
    let mut said = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    assert!(child.wait().expect("it ends").success());
    said
}

/// How a pager serves a fault.
#[derive(Clone, Copy)]
enum Handler {
    Calls,
    Program,
    Array,
}

fn compiled(source: &str) -> Vec<u8> {
    match read(source, &[Arc::new(bank::module().clone())]).expect("it is right") {
        Read::Program(tree) => compile_to_bytes(&tree).expect("it fits"),
        Read::Array(array) => array.array.encode(),
    }
}

fn handler(by: Handler) -> Vec<u8> {
    let source = match by {
        Handler::Calls => return Vec::new(),
        Handler::Program => include_str!("serve_fault.carnet"),
        Handler::Array => include_str!("serve_fault_array.carnet"),
    };
    compiled(source)
}

/// Off++'s allocation of different resources by one call array: all of them, or, where one is missing, those before it and no more.
#[test]
fn different_resources_are_taken_in_one_crossing() {
    let folder = tempfile::tempdir().expect("a folder");
    // Six are this process's.
    let options = Options { slots: 1, frames_per_user: 8, ..small() };
    let (bank, root) = Bank::serve(options).expect("it starts");
    let root = Capability::new(root.into_object());
    let programs = Arc::new(Programs::new(&[bank::module()], Policy::default()));
    let address = Address::Unix(folder.path().join("s"));
    let served = ServerOptions { entry: Some(programs), ..ServerOptions::default() };
    let _server = Server::listen(&address, served, move |_| Ok(root.clone())).expect("it listens");
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it is there");
    let machine = Machine::from_portal(session.root());
    let client = Client::new(session);
    let bytes = compiled(include_str!("take_all.carnet"));
    let taken = |id: u128, frames: &Frames, slots: &Slots| {
        let request = RunRequest {
            id: RunId(id),
            options: RunOptions::default(),
            name: "",
            approval: "",
            arguments: vec![Argument::Portal(0), Argument::Portal(1)],
            program: RunProgram::Whole(&bytes),
        };
        client.run(&request, &[frames.portal(), slots.portal()]).expect("the server answers")
    };
    let (frames, slots) = (machine.frames().expect("frames"), machine.slots().expect("slots"));
    let outcome = taken(1, &frames, &slots);
    assert_eq!((outcome.end, outcome.receipt.calls), (End::Done, 4));
    let apart: Vec<u8> = [&2_u32.to_le_bytes()[..], &3_u64.to_le_bytes(), &4_u64.to_le_bytes()].concat();
    assert_eq!(outcome.result, Some(apart));
    assert_eq!(bank.left(), (3, 0, 0));
    // Now there are frames and no slot, and then not even the frames.
    let more = machine.frames().expect("frames");
    drop(frames);
    let outcome = taken(2, &more, &slots);
    assert!(matches!(outcome.end, End::CallFailed { raised: true, .. }), "{:?}", outcome.end);
    assert_eq!((outcome.receipt.calls, bank.left()), (4, (3, 0, 0)));
    let outcome = taken(3, &more, &slots);
    assert!(matches!(outcome.end, End::CallFailed { raised: true, .. }), "{:?}", outcome.end);
    assert_eq!((outcome.receipt.calls, bank.left()), (1, (3, 0, 0)));
    drop((more, slots));
    wait_until(|| bank.left() == (8, 0, 1));
}

/// Serves one fault.
fn serve(by: Handler, bytes: &[u8], client: &Client, frames: &Frames, space: &Space, page: i64) {
    if let Handler::Calls = by {
        let frame = frames.alloc().expect("there are some");
        return space.map_page(page, frame, Access::Write).expect("it is missing");
    }
    let request = RunRequest {
        id: RunId(page as u128 + 1),
        options: RunOptions::default(),
        name: "",
        approval: "",
        arguments: vec![Argument::Portal(0), Argument::Portal(1), Argument::Scalar(page)],
        program: RunProgram::Whole(bytes),
    };
    let (frames, space): (&Portal, &Portal) = (frames.portal(), space.portal());
    let outcome = client.run(&request, &[frames, space]).expect("the server answers");
    assert_eq!(outcome.end, End::Done);
    assert_eq!((outcome.receipt.calls, outcome.receipt.writes), (2, 2));
}

/// The paper's page fault handler, in an application of a process of its own, by each of its ways and over each of these transports.
#[test]
fn a_page_fault_is_served_by_calls_by_a_program_and_by_an_array() {
    for shared in [false, true] {
        for by in [Handler::Calls, Handler::Program, Handler::Array] {
            let folder = tempfile::tempdir().expect("a folder");
            let socket = folder.path().join("applications");
            let options = Options { socket: Some(socket.clone()), ..small() };
            let (bank, root) = Bank::serve(options).expect("it starts");
            let root = Capability::new(root.into_object());
            let programs = Arc::new(Programs::new(&[bank::module()], Policy::default()));
            let path = folder.path().join("s");
            let address = if shared { Address::Shared(path) } else { Address::Unix(path) };
            let served = ServerOptions { entry: Some(programs), ..ServerOptions::default() };
            let _server = Server::listen(&address, served, move |_| Ok(root.clone())).expect("it listens");
            let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it is there");
            let machine = Machine::from_portal(session.root());
            let client = Client::new(session);
            let mut child = started(&socket);
            wait_until(|| machine.waiting().expect("it answers") == 1);
            let (frames, space) = (machine.frames().expect("frames"), machine.space().expect("it waits"));
            let bytes = handler(by);
            for expected in 0..4 {
                let page = space.fault(SOON_NS).expect("it touches the next");
                assert_eq!(page, expected);
                serve(by, &bytes, &client, &frames, &space, page);
            }
            assert!(said(&mut child).contains("sum 0\n"));
            raised(space.fault(SOON_NS), Reason::Ended);
            assert_eq!(bank.left().0, 4);
            drop((frames, space));
            wait_until(|| bank.left().0 == 8 && bank.left().1 == 0);
        }
    }
}

#[test]
fn an_application_that_dies_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("applications");
    let (bank, root, caller) = session(Options { socket: Some(socket.clone()), ..small() }, "ada");
    let (_session, machine) = machine(&root, &caller);
    // One dies while it waits for a pager, one in a fault.
    let mut first = started(&socket);
    wait_until(|| machine.waiting().expect("it answers") == 1);
    first.kill().expect("it is there");
    first.wait().expect("it ends");
    wait_until(|| machine.waiting().expect("it answers") == 0);
    let mut second = started(&socket);
    wait_until(|| machine.waiting().expect("it answers") == 1);
    let (frames, space) = (machine.frames().expect("frames"), machine.space().expect("it waits"));
    assert_eq!(space.fault(SOON_NS).expect("it touches the first"), 0);
    second.kill().expect("it is there");
    second.wait().expect("it ends");
    let frame = frames.alloc().expect("one");
    raised(space.map_page(0, frame, Access::Write), Reason::Ended);
    raised(space.fault(SOON_NS), Reason::Ended);
    frames.free(frame).expect("it was not mapped");
    drop((frames, space));
    assert_eq!((bank.left().0, bank.left().1), (8, 0));
}

#[test]
fn a_pager_that_stalls_costs_its_application_and_nobody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("applications");
    let options = Options { socket: Some(socket.clone()), fault_time: Duration::from_millis(20), ..small() };
    let (bank, root, caller) = session(options, "ada");
    let (_session, machine) = machine(&root, &caller);
    // Nobody asks for this one.
    let mut unasked = started(&socket);
    let killed = |child: &mut Child| child.wait().expect("it ends").signal() == Some(9);
    assert!(killed(&mut unasked), "its first fault was never served");
    wait_until(|| machine.waiting().expect("it answers") == 0);
    // Of this one a fault is taken, and not served.
    let slow =
        Options { fault_time: Duration::from_secs(1), socket: Some(folder.path().join("b")), ..small() };
    let (other, root, caller) = session(slow, "ada");
    let (_other_session, pager) = self::machine(&root, &caller);
    let mut stalled = started(&folder.path().join("b"));
    wait_until(|| pager.waiting().expect("it answers") == 1);
    let space = pager.space().expect("it waits");
    assert_eq!(space.fault(SOON_NS).expect("it touches the first"), 0);
    assert!(killed(&mut stalled));
    raised(space.fault(SOON_NS), Reason::Stalled);
    drop(space);
    assert_eq!((bank.left().1, other.left().1), (0, 0));
}

/// While an application changes its memory no page can be put there, and it can wait in the middle of that for as long as it likes.
#[test]
fn an_application_that_changes_its_memory_for_ever_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("applications");
    let options = Options { socket: Some(socket.clone()), ..small() };
    let (bank, root, caller) = session(options, "ada");
    let (_session, machine) = machine(&root, &caller);
    let mut hostile = command(&socket).env("CARNET_PAGED_HOSTILE", "1").spawn().expect("it starts");
    wait_until(|| machine.waiting().expect("it answers") == 1);
    let frames = machine.frames().expect("it has some");
    let space = machine.space().expect("it waits");
    let frame = frames.alloc().expect("there is one");
    let mut mapped = 0;
    // It may not have begun yet.
    let failure = loop {
        match space.map_page(mapped, frame, bank::Access::Write) {
            // If it has begun meanwhile, the next page is refused.
            Ok(()) => drop(space.unmap_page(mapped)),
            Err(failure) => break failure,
        }
        mapped = 2 - mapped;
    };
    raised(Err::<(), _>(failure), Reason::Stalled);
    assert_eq!(hostile.wait().expect("it ends").signal(), Some(9));
    raised(space.map_page(0, frame, bank::Access::Write), Reason::Stalled);
    drop((space, frames));
    assert_eq!(bank.left().0, 8);
}

/// An application without a pager would go on with zeros.
#[test]
fn an_application_ends_with_its_pager() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("applications");
    let (_bank, root, caller) = session(Options { socket: Some(socket.clone()), ..small() }, "ada");
    let (session, machine) = machine(&root, &caller);
    let mut child = started(&socket);
    wait_until(|| machine.waiting().expect("it answers") == 1);
    let space = machine.space().expect("it waits");
    assert_eq!(space.fault(SOON_NS).expect("it touches the first"), 0);
    drop((space, machine, session));
    assert_eq!(child.wait().expect("it ends").signal(), Some(9));
}

#[test]
fn the_socket_takes_so_many_and_goes_with_the_bank() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("applications");
    let options = Options { socket: Some(socket.clone()), waiting_max: 1, ..small() };
    let (bank, root, caller) = session(options, "ada");
    let (session, machine) = machine(&root, &caller);
    let mut children: Vec<Child> = (0..3).map(|_| started(&socket)).collect();
    let ended = |child: &mut Child| child.try_wait().expect("it is ours").is_some();
    wait_until(|| machine.waiting().expect("it answers") == 1);
    // Two were one too many each.
    let began = Instant::now();
    while children.iter_mut().filter_map(|child| ended(child).then_some(())).count() < 2 {
        assert!(began.elapsed() < SOON, "who is too many is told");
        thread::yield_now();
    }
    drop((machine, session, root, bank));
    wait_until(|| !socket.exists());
    children.iter_mut().for_each(|child| assert_eq!(child.wait().expect("it ends").signal(), Some(9)));
}
