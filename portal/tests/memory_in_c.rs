//! Clients and servers in C hand memory over and map it, among each other and with Rust; peers by hand lie of what they pass.

mod support;

use std::io::{IoSlice, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use carnet_memory::{Draft, Segment, pass};
use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Kind};
use carnet_portal::memory::Memory;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::ServerLimits;
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Reply, Shared, kind};
use rustix::fs::{
    FallocateFlags, MemfdFlags, SealFlags, fallocate, fcntl_add_seals, ftruncate, memfd_create,
};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use server_in_c::ServerInC;
use sums_in_c::{TAKES, descriptors, is_socket, servers};
use support::by_hand::{By, ByHand, reply};
use support::shared::{self, Peer};
use support::sums::generated::{CarnetMemory, Sums, module};
use support::sums::{counted, root, sum};
use support::{raw, until};

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;
#[path = "support/sums_in_c.rs"]
mod sums_in_c;

const WRAPPED: &str = "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=recv,--wrap=recvmsg";

/// What a server by hand has.
const LEN: usize = 10_000;

fn clients(whose: &str) -> Vec<PathBuf> {
    built_so(whose, &[])
}

fn built_so(whose: &str, options: &[&str]) -> Vec<PathBuf> {
    in_c::built(whose, module(), &["memory", "sums_server"], &[&[WRAPPED], options].concat())
}

fn run(program: &Path, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn with_rust(change: impl FnOnce(&mut ServerLimits), each: impl Fn(&str)) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let mut options = ServerOptions::default();
    change(&mut options.limits);
    let root = root().0;
    let serve = move |_: &Caller| Ok(root.clone());
    let server = Server::listen(&Address::Unix(path.clone()), options, serve).unwrap();
    ["unix", "shm"].iter().for_each(|scheme| each(&format!("{scheme}:{}", path.display())));
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

#[test]
fn memory_is_handed_over_and_mapped() {
    for client in clients("hands_memory_over") {
        with_rust(|_| {}, |address| run(&client, &[address]));
    }
}

/// One source file connects, another hands over and maps.
#[test]
fn a_connection_of_another_source_file_is_one() {
    for client in in_c::built("apart", module(), &["apart", "apart_connects"], &[WRAPPED]) {
        with_rust(|_| {}, |address| run(&client, &[address]));
    }
}

#[test]
fn memory_of_the_same_process_is_read() {
    for form in ["-DCARNET_REGISTERS=1", "-DCARNET_REGISTERS=0", "-DCARNET_COPY"] {
        built_so("memory_here", &[form]).iter().for_each(|client| run(client, &["here"]));
    }
}

#[test]
fn more_than_a_server_takes_is_refused_and_taken_later() {
    let limit = |limits: &mut ServerLimits| limits.memory_session_bytes_max = 128 << 10;
    for client in clients("bounded_memory") {
        with_rust(limit, |address| run(&client, &["bounded", address]));
    }
}

/// A server that passes these, each with its number beside that of the request, and answers with `data`.
struct Lie<'a> {
    files: Vec<(u32, BorrowedFd<'a>)>,
    data: Vec<u8>,
    portals: &'a [u32],
    status: Kind,
    text: &'a str,
}

fn lie<'a>(files: &[BorrowedFd<'a>], len: u64, status: Kind, text: &'a str) -> Lie<'a> {
    let files = files.iter().map(|file| (0, *file)).collect();
    Lie { files, data: len.to_le_bytes().to_vec(), portals: &[], status, text }
}

/// No failure.
const DONE: Kind = Kind::Raised;

fn sealed(len: u64, flags: MemfdFlags, seals: SealFlags) -> OwnedFd {
    let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING | flags).unwrap();
    ftruncate(&file, len).unwrap();
    fcntl_add_seals(&file, seals).unwrap();
    file
}

fn answer(call: u32, portals: &[u32], data: &[u8]) -> Vec<u8> {
    let mut body: Vec<u8> = portals.iter().flat_map(|id| id.to_le_bytes()).collect();
    body.resize(body.len().next_multiple_of(8), 0);
    body.extend(data);
    let header = Reply { portals: portals.len() as u8, ..reply(HEADER_BYTES + body.len(), call) };
    [&header.encode()[..], &body].concat()
}

/// Answers one request of this kind, then all calls: `size` says that there is more than there is, `read` gives nothing.
fn say(listener: &UnixListener, lie: &Lie<'_>, wanted: u8) {
    let mut server = ByHand::accept(By::Memory, listener);
    let request = server.request();
    assert_eq!(request.kind, wanted);
    for (number, file) in &lie.files {
        // There may be no room for many that nobody takes.
        let _ = pass::send(server.socket.as_fd(), &(request.call + number).to_le_bytes(), file);
    }
    server.send(&answer(request.call, lie.portals, &lie.data));
    while let Some(request) = server.next_request() {
        if request.kind == kind::CALL {
            let word = u64::from(request.op == 0).to_le_bytes();
            server.send(&answer(request.call, &[], &word));
        }
    }
}

/// Each to a client of its own, in turn.
fn lied_to(whose: &str, what: &str, wanted: u8, lies: &[Lie<'_>]) {
    for program in clients(whose) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let address = format!("shm:{}", path.display());
        let client = Command::new(program)
            .args([what, &address, &lies.len().to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        lies.iter().for_each(|lie| say(&listener, lie, wanted));
        let output = client.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), lies.len(), "{text}");
        for (line, lie) in text.lines().zip(lies) {
            let (status, text) = line.split_once(' ').unwrap();
            let kind = Kind::from_number(status.parse().unwrap()).unwrap_or(DONE);
            assert!(kind == lie.status && text.ends_with(lie.text), "{line}: {:?} {}", lie.status, lie.text);
        }
    }
}

#[test]
fn a_server_cannot_give_memory_that_could_change() {
    let good = Draft::new(LEN).unwrap().seal().unwrap();
    let (short, unsealed) = (Segment::of(b"short").unwrap(), Segment::create(LEN).unwrap());
    let len = LEN as u64;
    let most = SealFlags::SHRINK | SealFlags::GROW;
    let all = most | SealFlags::WRITE;
    let could_grow = sealed(len, MemfdFlags::empty(), SealFlags::SHRINK | SealFlags::WRITE);
    let could_shrink = sealed(len, MemfdFlags::empty(), SealFlags::GROW | SealFlags::WRITE);
    let could_be_written = sealed(len, MemfdFlags::empty(), most | SealFlags::FUTURE_WRITE);
    let huge = sealed(2 << 20, MemfdFlags::HUGETLB, all);
    let empty = sealed(0, MemfdFlags::empty(), all);
    let holes = sealed(len, MemfdFlags::empty(), all);
    let file = tempfile::tempfile().unwrap();
    file.set_len(len).unwrap();
    let (pipe, _end) = std::io::pipe().unwrap();
    let (bad, none) = (Kind::Protocol, "carries no memory, or there is no descriptor left");
    let writable = "memory that could still be written";
    let other = "memory of another length than was agreed";
    let refused = "memory of more bytes than are wanted";
    let mut lies = vec![
        lie(&[good.as_fd()], len, DONE, ""),
        lie(&[unsealed.as_fd()], len, bad, writable),
        lie(&[could_grow.as_fd()], len, bad, writable),
        lie(&[could_shrink.as_fd()], len, bad, writable),
        lie(&[could_be_written.as_fd()], len, bad, writable),
        lie(&[short.as_fd()], len, bad, other),
        lie(&[good.as_fd()], len - 1, bad, other),
        lie(&[empty.as_fd()], 0, bad, other),
        lie(&[holes.as_fd()], len, bad, "memory of which a part was never written"),
        lie(&[file.as_fd()], len, bad, none),
        lie(&[pipe.as_fd()], len, bad, none),
        // What is no memory is not taken, and nothing behind it.
        lie(&[pipe.as_fd(), good.as_fd()], len, bad, none),
        lie(&[], len, bad, none),
        lie(&[good.as_fd()], len + 1, bad, other),
        lie(&[good.as_fd()], (2 << 20) + 1, Kind::Refused, refused),
        lie(&[good.as_fd()], u64::MAX, Kind::Refused, refused),
        lie(&[huge.as_fd()], 2 << 20, bad, "memory in huge pages"),
    ];
    // Those that lie before it are closed; of another number is none.
    let stale = vec![(5, short.as_fd()), (9, unsealed.as_fd()), (0, good.as_fd())];
    lies.push(Lie { files: stale, ..lie(&[], len, DONE, "") });
    lies.push(Lie { files: vec![(1, good.as_fd())], ..lie(&[], len, bad, none) });
    lies.push(Lie { files: vec![(1, good.as_fd()); 64], ..lie(&[], len, bad, none) });
    // No length; a portal beside it; read by calls, it is no more than it says.
    let no_length = "the server's answer to Map is no length";
    lies.push(Lie { data: vec![1; 3], ..lie(&[good.as_fd()], len, bad, no_length) });
    lies.push(Lie { portals: &[7], ..lie(&[good.as_fd()], len, bad, no_length) });
    lies.push(Lie { data: vec![], ..lie(&[], len, Kind::Service, "memory of another size than it says") });
    lied_to("maps_lies", "maps", kind::MAP, &lies);
}

/// A memory file whose pages are there, sealed.
fn large(len: u64) -> OwnedFd {
    let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
    fallocate(&file, FallocateFlags::empty(), 0, len).unwrap();
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE).unwrap();
    file
}

/// Whoever closes it last frees it, for as long as that takes: it stays in the socket, and what is wanted then is read by calls.
#[test]
fn what_is_larger_than_a_client_wants_is_left_in_the_socket() {
    let file = large(6 << 20);
    for program in built_so("leaves", &["-DCARNET_CLOSED_BYTES_MAX=65536"]) {
        // It lies of the length, or says it; it comes before what is wanted.
        let cases = [
            (
                LEN as u64,
                0,
                "10 the server's answer to Map carries no memory, or there is no descriptor left",
            ),
            (6 << 20, 0, "6 memory of more bytes than are wanted"),
            (
                LEN as u64,
                7,
                "10 the server's answer to Map carries no memory, or there is no descriptor left",
            ),
        ];
        for (len, number, text) in cases {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("s");
            let listener = UnixListener::bind(&path).unwrap();
            let address = format!("shm:{}", path.display());
            let client =
                Command::new(&program).args(["again", &address, "3"]).stdout(Stdio::piped()).spawn().unwrap();
            let mut server = ByHand::accept(By::Memory, &listener);
            let request = server.request();
            assert_eq!(request.kind, kind::MAP);
            pass::send(server.socket.as_fd(), &(request.call + number).to_le_bytes(), &file).unwrap();
            server.send(&answer(request.call, &[], &len.to_le_bytes()));
            while let Some(request) = server.next_request() {
                assert_eq!(request.kind, kind::CALL);
                let word = u64::from(request.op == 0).to_le_bytes();
                server.send(&answer(request.call, &[], &word));
            }
            let output = client.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let said = String::from_utf8(output.stdout).unwrap();
            let lines: Vec<&str> = said.lines().collect();
            let read = "7 memory of another size than it says";
            assert_eq!(lines, [text, read, read], "{len}, {number}");
        }
    }
}

/// The same of the memory that it is to share.
#[test]
fn memory_that_is_longer_than_any_ring_is_left_in_the_socket() {
    let file = large(40 << 20);
    for program in clients("shares_too_much") {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let address = format!("shm:{}", path.display());
        let client =
            Command::new(program).args(["maps", &address, "1"]).stderr(Stdio::piped()).spawn().unwrap();
        let (mut socket, _) = listener.accept().unwrap();
        socket.read_exact(&mut vec![0; shared::request().len()]).unwrap();
        let mut frame = vec![0; HEADER_BYTES];
        Shared { ring: 16 << 20 }.encode(&mut frame);
        let len = frame.len();
        frame[..HEADER_BYTES].copy_from_slice(&reply(len, 1).encode());
        pass::send(socket.as_fd(), &frame, &file).unwrap();
        let output = client.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("passed something that is no memory"), "{said}");
    }
}

#[test]
fn several_descriptors_at_once_are_none() {
    let good = Draft::new(LEN).unwrap().seal().unwrap();
    for program in clients("maps_several") {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let address = format!("shm:{}", path.display());
        let client =
            Command::new(program).args(["maps", &address, "1"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut server = ByHand::accept(By::Memory, &listener);
        let request = server.request();
        let files = [good.as_fd(), good.as_fd(), good.as_fd()];
        let mut space = vec![std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        assert!(control.push(SendAncillaryMessage::ScmRights(&files)));
        let number = request.call.to_le_bytes();
        sendmsg(&server.socket, &[IoSlice::new(&number)], &mut control, SendFlags::empty()).unwrap();
        server.send(&answer(request.call, &[], &(LEN as u64).to_le_bytes()));
        server.hear_out();
        let output = client.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with("10 ") && text.contains("carries no memory"), "{text}");
    }
}

#[test]
fn a_server_cannot_answer_what_is_handed_over_with_nonsense() {
    let bad = "the server's answer to Memory is no portal";
    let lies = [
        Lie { data: vec![], portals: &[7], ..lie(&[], 0, DONE, "") },
        Lie { data: vec![], ..lie(&[], 0, Kind::Protocol, bad) },
        Lie { data: vec![], portals: &[7, 8], ..lie(&[], 0, Kind::Protocol, bad) },
        Lie { portals: &[7], ..lie(&[], 0, Kind::Protocol, bad) },
        lie(&[], 0, Kind::Protocol, bad),
    ];
    lied_to("hands_to_liars", "hands", kind::MEMORY, &lies);
}

// ---- Servers in C ----

fn ways(server: &ServerInC) -> [String; 2] {
    ["unix", "shm"].map(|scheme| format!("{scheme}:{}", server.path.display()))
}

#[test]
fn a_server_in_c_takes_memory_and_gives_it() {
    let clients = clients("served_in_c");
    for server in servers("takes_memory", &[TAKES]) {
        for address in ways(&server) {
            clients.iter().for_each(|client| run(client, &[&address]));
        }
        for address in [Address::Unix(server.path.clone()), Address::Shared(server.path.clone())] {
            rust_client(&address, LEN);
        }
    }
}

/// Hands over, passes on, maps what it is given.
fn rust_client(address: &Address, len: usize) {
    let session = RemoteSession::connect(address, ConnectOptions::default()).unwrap();
    let sums = Sums::from_portal(session.root());
    let memory = Memory::of(&counted(len)).unwrap();
    let handed = CarnetMemory::from_portal(session.hand_over(&memory).unwrap());
    assert_eq!(sums.sum(&handed), Ok(sum(&counted(len))));
    assert_eq!(handed.size(), Ok(len as i64));
    assert!(handed.read(5, 9).unwrap() == counted(len)[5..14]);
    assert_eq!((handed.read(-1, 9), handed.read(len as i64, 9)), (Ok(vec![]), Ok(vec![])));
    let theirs = sums.counted(len as i64).unwrap();
    for portal in [handed.portal(), theirs.portal()] {
        assert!(*Memory::map::<CarnetMemory>(portal, len).unwrap() == counted(len)[..]);
    }
}

#[test]
fn a_server_in_c_takes_so_much_and_no_more() {
    let clients = clients("bounded_in_c");
    let bounds = [
        "-DCARNET_MEMORY_CLIENT_MAX=((size_t)128<<10)",
        "-DCARNET_MEMORY_PROCESS_MAX=((size_t)192<<10)",
        "-DCARNET_MEMORY_MAX=((size_t)192<<10)",
    ];
    for server in servers("bounded_server", &[&[TAKES], &bounds[..]].concat()) {
        for address in ways(&server) {
            clients.iter().for_each(|client| run(client, &["bounded", &address]));
        }
        // All together, however they hand it over.
        let connect = |address: Address| RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
        let sessions = [Address::Unix, Address::Shared].map(|way| connect(way(server.path.clone())));
        let [one, two] = sessions;
        let memory = Memory::of(&[1; 64 << 10]).unwrap();
        let most = Memory::of(&[1; 128 << 10]).unwrap();
        until("what clients had that are gone is given back", || one.hand_over(&most).is_ok());
        let first = [0, 1].map(|_| one.hand_over(&memory).unwrap());
        let other = two.hand_over(&memory).unwrap();
        assert_eq!(two.hand_over(&memory).unwrap_err().kind(), Kind::Refused);
        drop(first);
        until("what was released is given back", || {
            // What is released goes with the next call.
            drop(Sums::from_portal(one.root()).counted(1).unwrap());
            two.hand_over(&memory).is_ok()
        });
        drop(other);
    }
}

/// Memory that several clients have portals on is there until the last of them is gone, also if that is not who handed it over.
#[test]
fn memory_that_clients_of_a_server_in_c_share_ends_with_the_last() {
    let bounds = ["-DCARNET_MEMORY_CLIENT_MAX=((size_t)128<<10)", "-DCARNET_MEMORY_MAX=((size_t)192<<10)"];
    for server in servers("shares", &[&[TAKES, "-DSUMS_SHARED"], &bounds[..]].concat()) {
        let before = sockets(&server);
        let connect = || {
            let address = Address::Shared(server.path.clone());
            RemoteSession::connect(&address, ConnectOptions::default()).unwrap()
        };
        let memory = Memory::of(&counted(100_000)).unwrap();
        let is_whole = |theirs: &CarnetMemory| {
            assert_eq!(theirs.size(), Ok(100_000));
            assert!(*Memory::map::<CarnetMemory>(theirs.portal(), 100_000).unwrap() == counted(100_000)[..]);
        };
        for is_first_gone in [true, false] {
            let (one, two) = (connect(), connect());
            let handed = CarnetMemory::from_portal(one.hand_over(&memory).unwrap());
            Sums::from_portal(one.root()).keep(&handed).unwrap();
            let theirs = Sums::from_portal(two.root()).kept().unwrap();
            is_whole(&theirs);
            let (session, last) = if is_first_gone {
                drop((handed, one));
                (two, theirs)
            } else {
                drop((theirs, two));
                (one, handed)
            };
            until("one is gone", || sockets(&server) == before + 1);
            is_whole(&last);
            // It counts for all, until its last portal is released.
            let three = connect();
            assert_eq!(three.hand_over(&memory).unwrap_err().kind(), Kind::Refused);
            drop(last);
            until("it is given back", || {
                drop(Sums::from_portal(session.root()).counted(1).unwrap());
                three.hand_over(&memory).is_ok()
            });
            drop((session, three));
            until("all are gone", || sockets(&server) == before);
        }
    }
}

#[test]
fn a_server_in_c_that_takes_none_says_so() {
    let clients = clients("taken_by_none");
    for server in servers("takes_none", &[]) {
        for (address, text) in ways(&server).iter().zip(["only serves calls", "this server takes no memory"])
        {
            for client in &clients {
                let output = Command::new(client).args(["without", address]).output().unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                let said = String::from_utf8(output.stdout).unwrap();
                // Before Linux 6.16 descriptors arrive, and lie in the socket.
                let is_so = |line: &str| line.contains(text) || line.contains("only serves calls");
                assert!(said.lines().count() == 3 && said.lines().all(is_so), "{said}");
            }
        }
    }
}

/// A client by hand that shares memory with the server.
fn peer(server: &ServerInC) -> Peer {
    let peer = Peer::connect(UnixStream::connect(&server.path).unwrap());
    peer.send(&raw::hello());
    peer
}

fn memory(call: u32, len: u64) -> Vec<u8> {
    raw::frame(kind::MEMORY, &[], 0, 0, call, &len.to_le_bytes())
}

/// What the server answers to all that was sent, before it says farewell to what is no message.
fn answers(peer: &Peer) -> Vec<(Reply, Vec<u8>)> {
    peer.send(&raw::frame(kind::ENTRY_FIRST, &[], 0, 0, 1, &[]));
    peer.send(&raw::frame(kind::CALL, &[], 0, 0, CALL_SESSION, &[]));
    let mut replies = peer.rest();
    assert_eq!(replies.pop().unwrap().0.call, CALL_SESSION);
    replies.pop();
    replies
}

fn pass_to(peer: &Peer, call: u32, file: impl AsFd) {
    assert_eq!(pass::send(peer.socket.as_fd(), &call.to_le_bytes(), file), Ok(4));
}

#[test]
fn what_is_no_sealed_memory_is_refused_by_a_server_in_c() {
    for server in servers("refuses", &[TAKES]) {
        let refuse = |file: BorrowedFd<'_>, len: u64, kind: Kind, text: &str| {
            let peer = peer(&server);
            pass_to(&peer, 7, file);
            peer.send(&memory(7, len));
            let [(reply, message)] = &answers(&peer)[..] else { panic!("one answer: {text}") };
            assert_eq!((reply.call, reply.status), (7, kind as u16), "{text}");
            let message = String::from_utf8_lossy(message);
            assert!(message.contains(text), "{message}");
        };
        let good = Segment::of(&counted(LEN)).unwrap();
        let unsealed = Segment::create(LEN).unwrap();
        let (len, most) = (LEN as u64, SealFlags::SHRINK | SealFlags::GROW);
        let all = most | SealFlags::WRITE;
        let file = tempfile::tempfile().unwrap();
        file.set_len(len).unwrap();
        let before = descriptors(&server);
        let bad = Kind::BadArgument;
        refuse(unsealed.as_fd(), len, bad, "memory that could still be written");
        let could_be_written = sealed(len, MemfdFlags::empty(), most | SealFlags::FUTURE_WRITE);
        refuse(could_be_written.as_fd(), len, bad, "memory that could still be written");
        for wrong in [len - 1, len + 1] {
            refuse(good.as_fd(), wrong, bad, "memory of another length than was agreed");
        }
        refuse(sealed(0, MemfdFlags::empty(), all).as_fd(), 0, bad, "memory of another length");
        refuse(sealed(2 << 20, MemfdFlags::HUGETLB, all).as_fd(), 2 << 20, bad, "memory in huge pages");
        refuse(sealed(1 << 20, MemfdFlags::empty(), all).as_fd(), 1 << 20, bad, "a part was never written");
        for len in [(16 << 20) + 1, 1 << 40, u64::MAX] {
            let bytes = sealed(1 << 40, MemfdFlags::empty(), all);
            refuse(bytes.as_fd(), len, Kind::Refused, "may hand over");
        }
        until("all of them are closed", || descriptors(&server) == before);
        refuse(file.as_fd(), len, Kind::Refused, "no descriptor of memory came with it");
        rust_client(&Address::Shared(server.path.clone()), LEN);
    }
}

#[test]
fn frames_without_memory_and_memory_without_frames_harm_no_server_in_c() {
    for server in servers("harmless", &[TAKES]) {
        let segment = Segment::of(&counted(LEN)).unwrap();
        let before = descriptors(&server);
        let one = peer(&server);
        one.send(&memory(1, LEN as u64));
        pass_to(&one, 3, &segment);
        pass::send(one.socket.as_fd(), &[0], &segment).unwrap();
        one.send(&memory(2, LEN as u64));
        let told: Vec<_> = answers(&one).iter().map(|(reply, _)| (reply.call, reply.status)).collect();
        assert_eq!(told, [(1, Kind::Refused as u16), (2, Kind::Refused as u16)]);
        drop(one);
        // Nonsense ends the session.
        let root = 1;
        let short = raw::frame(kind::MEMORY, &[], 0, 0, 1, &[0; 7]);
        let long = raw::frame(kind::MEMORY, &[], 0, 0, 1, &[0; 9]);
        let named = raw::frame(kind::MEMORY, &[root], 0, 0, 1, &[0; 8]);
        let of_nothing = raw::frame(kind::MAP, &[], 0, 0, 1, &[]);
        let of_two = raw::frame(kind::MAP, &[root, root], 0, 0, 1, &[0; 8]);
        for frame in
            [short, long, named, of_nothing, of_two, memory(CALL_SESSION, 1), raw::map(CALL_SESSION, root)]
        {
            let peer = peer(&server);
            peer.send(&frame);
            let replies = peer.rest();
            assert_eq!((replies[0].0.call, replies[0].0.status), (CALL_SESSION, Kind::Protocol as u16));
        }
        // Portals that are none, or on something else, are no nonsense.
        let peer = peer(&server);
        peer.send(&raw::map(1, 77));
        peer.send(&raw::map(2, root));
        let told: Vec<_> =
            answers(&peer).into_iter().map(|(reply, data)| (reply.status, data.len())).collect();
        assert_eq!((told[0].0, told[1]), (Kind::NoSuchPortal as u16, (0, 0)));
        drop(peer);
        for round in 0..20 {
            let peer = self::peer(&server);
            // As many as the system takes.
            while pass::send(peer.socket.as_fd(), &[0; 4], &segment).is_ok() {}
            if round % 2 == 0 {
                peer.send(&raw::call(0, 1, 1, &[]));
            }
            // It dies: nothing but the socket tells.
            let _ = peer.socket.shutdown(std::net::Shutdown::Both);
            std::mem::forget(peer.end);
        }
        until("all of them are closed", || descriptors(&server) == before);
        rust_client(&Address::Shared(server.path.clone()), LEN);
    }
}

/// Whoever asks again and again is told at last to read by calls.
#[test]
fn a_client_that_takes_no_descriptors_holds_few_of_a_server_in_c() {
    for server in servers("holds_few", &[TAKES]) {
        let peer = peer(&server);
        peer.send(&raw::call(1, 1, 1, &raw::words(&[10])));
        let [(reply, portal)] = &one_answer(&peer)[..] else { panic!("a portal") };
        assert_eq!((reply.call, reply.portals), (1, 1));
        let portal = u32::from_le_bytes(portal[8..12].try_into().unwrap());
        for call in 2..30 {
            peer.send(&raw::map(call, portal));
        }
        let passed = answers(&peer).iter().filter(|(_, data)| data.len() == 8).count();
        assert!((1..10).contains(&passed), "{passed}");
        rust_client(&Address::Shared(server.path.clone()), LEN);
    }
}

/// Waits for the next answer.
fn one_answer(peer: &Peer) -> Vec<(Reply, Vec<u8>)> {
    let (mut bytes, mut buffer) = (vec![], vec![0; 4096]);
    while Reply::decode(&bytes).is_none_or(|reply| bytes.len() < reply.len as usize) {
        let received = peer.end.receive(&mut buffer).unwrap();
        bytes.extend_from_slice(&buffer[..received]);
        std::thread::yield_now();
    }
    raw::replies(&bytes)
}

fn sockets(server: &ServerInC) -> usize {
    let all = std::fs::read_dir(format!("/proc/{}/fd", server.child.id())).unwrap();
    all.filter(|entry| entry.as_ref().is_ok_and(|entry| is_socket(&entry.path()))).count()
}

/// Whoever closes memory last frees all of it: a server's loop does that with no more than clients may hand over, in one step.
#[test]
fn a_server_in_c_closes_no_more_memory_than_it_may_take() {
    let bounds = ["-DCARNET_MEMORY_CLIENT_MAX=((size_t)128<<10)", "-DCARNET_MEMORY_MAX=((size_t)192<<10)"];
    // Six sockets are left as they are, all of this process.
    let left = "-DCARNET_STUCK_PROCESS_MAX=7u";
    for server in servers("closes_little", &[&[TAKES, left], &bounds[..]].concat()) {
        let written = |len: usize| {
            let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
            rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, len as u64).unwrap();
            file
        };
        let before = (sockets(&server), descriptors(&server));
        let mut kept = 0;
        // With a frame: its number, what it says, what lies there with it. Nobody else has any of them.
        let cases: [(u64, &[usize], &str); 6] = [
            (4096, &[192 << 10], "could still be written"),
            (4096, &[(192 << 10) + 1], "no descriptor of memory came"),
            (200 << 10, &[200 << 10], "may hand over"),
            (4096, &[64 << 10, 64 << 10, 4096], "could still be written"),
            (4096, &[64 << 10, 64 << 10, 64 << 10, 4096], "no descriptor of memory came"),
            (4096, &[4096, 1 << 30], "no descriptor of memory came"),
        ];
        for (said, lens, text) in cases {
            let peer = peer(&server);
            for (index, len) in lens.iter().enumerate() {
                pass_to(&peer, if index + 1 == lens.len() { 7 } else { 5 }, written(*len));
            }
            peer.send(&memory(7, said));
            let [(reply, message)] = &answers(&peer)[..] else { panic!("one answer: {text}") };
            assert!(
                reply.status != 0 && String::from_utf8_lossy(message).contains(text),
                "{message:?} {text}"
            );
            drop(peer);
            kept += usize::from(!text.contains("still"));
            until("what may be closed is", || {
                (sockets(&server), descriptors(&server)) == (before.0 + kept, before.1)
            });
        }
        // The same without a frame.
        for (lens, is_kept) in [(vec![64 << 10; 3], false), (vec![64 << 10; 4], true), (vec![1 << 20], true)]
        {
            let peer = peer(&server);
            lens.iter().for_each(|len| pass_to(&peer, 0, written(*len)));
            drop(peer);
            kept += usize::from(is_kept);
            until("what may be closed is", || {
                (sockets(&server), descriptors(&server)) == (before.0 + kept, before.1)
            });
        }
        rust_client(&Address::Shared(server.path.clone()), LEN);
    }
}

/// Bytes that nobody asked for, however many, are no descriptors: nothing is kept for them.
#[test]
fn bytes_in_the_socket_beside_memory_cost_a_server_in_c_nothing() {
    for server in servers("junk", &[TAKES]) {
        let before = sockets(&server);
        let segment = Segment::of(&counted(LEN)).unwrap();
        for round in 0..40 {
            let peer = peer(&server);
            let send = |bytes: &[u8]| {
                rustix::net::send(&peer.socket, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL).is_ok()
            };
            match round {
                0 | 1 => while send(&[0]) {},
                2 | 3 => while send(&[0; 4096]) {},
                _ => assert!(send(&vec![0; 1000 + round])),
            }
            // Between them memory may lie.
            let _ = pass::send(peer.socket.as_fd(), &[0; 4], &segment);
            peer.send(&raw::call(0, 1, 1, &[]));
        }
        until("nothing is left of them", || sockets(&server) == before);
        rust_client(&Address::Shared(server.path.clone()), LEN);
    }
}

/// Leaves something in the sockets of so many clients, one after the other; to how many of them nothing could be passed.
fn leave_something(path: &Path, count: usize) -> usize {
    let (pipe, _end) = std::io::pipe().unwrap();
    let left = |_: &usize| {
        let peer = Peer::connect(UnixStream::connect(path).unwrap());
        let is_refused = pass::send(peer.socket.as_fd(), &[0; 4], &pipe).is_err();
        peer.send(&raw::hello());
        peer.send(&memory(1, 1));
        assert_eq!(answers(&peer)[0].0.status, Kind::Refused as u16);
        is_refused
    };
    (0..count).filter(left).count()
}

/// Whoever passes what is no memory has the server keep a socket. When a process has it keep 4 its new clients can pass nothing more, and
/// when 16 are kept nobody's can. Other processes are this test again.
#[test]
fn a_server_in_c_keeps_few_sockets_in_which_something_else_lies() {
    if let Some(words) = support::process::words() {
        leave_something(Path::new(&words[0]), 10);
        return;
    }
    let another = |path: &Path| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("a_server_in_c_keeps_few_sockets_in_which_something_else_lies");
        let output = command.env(support::process::WORDS, path).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let clients = clients("beside_others");
    for server in servers("keeps_few", &[TAKES]) {
        let sockets = || sockets(&server);
        let before = sockets();
        let refused = leave_something(&server.path, 40);
        // Descriptors are refused by systems that can.
        assert!(refused == 0 || (34..=36).contains(&refused), "{refused}");
        // One more of each process, which came when its last had not been seen to leave.
        let are_kept = |processes: usize| {
            let kept = before + 4 * processes..=before + 5 * processes;
            until("those that left something are left", || kept.contains(&sockets()));
        };
        are_kept(1);
        let [unix, shared] = ways(&server);
        for processes in 2..=4 {
            // Others hand over memory that they share.
            clients.iter().for_each(|client| run(client, &[&shared]));
            another(&server.path);
            are_kept(processes);
        }
        for client in &clients {
            let output = Command::new(client).arg(&shared).output().unwrap();
            assert!(!output.status.success(), "{output:?}");
            // It serves, and takes memory in messages.
            run(client, &[&unix]);
        }
        rust_client(&Address::Unix(server.path.clone()), LEN);
    }
}
