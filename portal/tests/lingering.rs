//! Descriptors whose closing takes as long as their sender likes: nobody but the sender waits for them.
//!
//! Such a one is a TCP socket with a time to linger and unsent bytes, whose other end reads nothing.

mod support;

use std::io::{IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::{Duration, Instant};

use carnet_memory::{Segment, pass};
use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_portal::server::ServerOptions;
use carnet_portal::wire::{CALL_SESSION, Reply, Shared, kind};
use carnet_queue::layout::memory_bytes;
use rustix::io::Errno;
use rustix::net::sockopt::set_socket_linger;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use support::shared::{Peer, request};
use support::{BoxClient, Fixture, kind_of, raw, until};

/// How long closing takes if nobody reads.
const LINGER: Duration = Duration::from_secs(60);

/// How long others may wait at most: not for that.
const SOON: Duration = Duration::from_secs(15);

/// The socket, whose closing waits as long as the other end is there.
fn lingering() -> (OwnedFd, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let other = listener.accept().unwrap().0;
    one.set_nonblocking(true).unwrap();
    while one.write(&[7; 1 << 16]).is_ok() {}
    set_socket_linger(&one, Some(LINGER)).unwrap();
    (one.into(), other)
}

fn pass_all(
    socket: &UnixStream,
    bytes: &[u8],
    files: &[BorrowedFd<'_>],
    flags: SendFlags,
) -> Result<usize, Errno> {
    let mut space = vec![MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(files.len()))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    assert!(control.push(SendAncillaryMessage::ScmRights(files)));
    sendmsg(socket, &[IoSlice::new(bytes)], &mut control, flags | SendFlags::NOSIGNAL)
}

fn soon<T>(what: &str, done: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = done();
    assert!(begun.elapsed() < SOON, "{what} took {:?}", begun.elapsed());
    done
}

/// Whether the system lets a socket refuse descriptors; that it does not is told.
fn can_refuse() -> bool {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version < (6, 16) {
        println!("skipped: Linux {release} has no sockets that refuse descriptors, 6.16 has");
    }
    version >= (6, 16)
}

#[test]
fn a_server_takes_no_descriptor_where_none_belongs() {
    if !can_refuse() {
        return;
    }
    let fixture = Fixture::plain();
    let good = fixture.client();
    let (file, _other) = lingering();
    // Before it is accepted, and as one that is admitted.
    let hostile = fixture.socket().unwrap();
    let passed = |bytes: &[u8]| pass_all(&hostile, bytes, &[file.as_fd()], SendFlags::empty());
    assert_eq!(passed(&[16]), Err(Errno::PERM));
    (&hostile).write_all(&raw::hello()).unwrap();
    soon("a call", || assert_eq!(good.add(1, 2), Ok(3)));
    assert_eq!(passed(&[16]), Err(Errno::PERM));
    soon("another client", || assert_eq!(fixture.client().add(1, 2), Ok(3)));
}

#[test]
fn a_client_takes_no_descriptor_where_none_belongs() {
    if !can_refuse() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let (file, _other) = lingering();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut socket, _) = listener.accept().unwrap();
            assert!(socket.read(&mut [0; 4096]).unwrap() > 0);
            let passed = pass_all(&socket, &[24], &[file.as_fd()], SendFlags::empty());
            assert_eq!(passed, Err(Errno::PERM));
            let _ = socket.read_to_end(&mut Vec::new());
        });
        let options =
            ConnectOptions { call_timeout: Some(Duration::from_millis(200)), ..ConnectOptions::default() };
        let session = RemoteSession::connect(&Address::Unix(path), options).unwrap();
        let failure = soon("a call with a time-out", || BoxClient(session.root()).add(1, 2));
        assert_eq!(kind_of(failure), Some(Kind::TimedOut));
        soon("the end", || drop(session));
    });
}

/// Passes descriptors in many ways to a server that shares memory, and leaves; others are served all the while.
#[test]
fn what_is_passed_beside_shared_memory_holds_nobody_up() {
    let fixture = support::sums::fixture(|_| {});
    let good = || {
        let session = RemoteSession::connect(&Address::Shared(fixture.path()), ConnectOptions::default());
        let handed = session.unwrap().hand_over(&carnet_portal::memory::Memory::of(b"x").unwrap());
        assert!(handed.is_ok(), "{handed:?}");
    };
    let segment = Segment::of(b"sealed").unwrap();
    let ways: [(&[u8], usize, SendFlags); 5] = [
        // As memory, as what comes before it, behind it in one message, several at once, out of band.
        (&7_u32.to_le_bytes(), 0, SendFlags::empty()),
        (&1_u32.to_le_bytes(), 0, SendFlags::empty()),
        (&7_u32.to_le_bytes(), 1, SendFlags::empty()),
        (&7_u32.to_le_bytes(), 9, SendFlags::empty()),
        (&[7], 0, SendFlags::OOB),
    ];
    let mut others = Vec::new();
    for (bytes, before, flags) in ways {
        let hostile = Peer::connect(fixture.socket().unwrap());
        hostile.send(&raw::hello());
        let (file, other) = lingering();
        others.push(other);
        let files: Vec<_> = std::iter::repeat_n(segment.as_fd(), before).chain([file.as_fd()]).collect();
        pass_all(&hostile.socket, bytes, &files, flags).unwrap();
        drop(files);
        drop(file);
        pass::send(hostile.socket.as_fd(), &7_u32.to_le_bytes(), &segment).unwrap();
        hostile.send(&raw::frame(kind::MEMORY, &[], 0, 0, 7, &6_u64.to_le_bytes()));
        hostile.send(&raw::frame(kind::MEMORY, &[], 0, 0, 7, &6_u64.to_le_bytes()));
        hostile.send(&raw::frame(200, &[], 0, 0, 1, &[]));
        let replies = soon("the answer", || hostile.rest());
        let told: Vec<_> = replies.iter().map(|(reply, _)| (reply.call, reply.status)).collect();
        let refused = (7, Kind::Refused as u16);
        assert_eq!(told, [refused, refused, (CALL_SESSION, Kind::Protocol as u16)]);
        soon("another client", good);
        drop(hostile);
        soon("its end", || until("it is gone", || fixture.sessions() == 0));
        soon("another client", good);
    }
    // Left there, without a word.
    for _ in 0..3 {
        let hostile = Peer::connect(fixture.socket().unwrap());
        let (file, other) = lingering();
        others.push(other);
        pass::send(hostile.socket.as_fd(), &[0; 4], file).unwrap();
        drop(hostile);
        soon("another client", good);
    }
    soon("the server's end", || drop(fixture));
}

#[test]
fn a_session_counts_until_what_it_left_is_closed() {
    let mut options = ServerOptions::default();
    options.limits.sessions_per_principal_max = 1;
    let fixture = Fixture::new(options);
    let hostile = Peer::connect(fixture.socket().unwrap());
    let (file, other) = lingering();
    pass::send(hostile.socket.as_fd(), &[0; 4], file).unwrap();
    drop(hostile);
    until("it is gone", || fixture.sessions() == 0);
    assert_eq!(kind_of(fixture.client().add(1, 2)), Some(Kind::Refused));
    // Then closing does not wait any more.
    drop(other);
    until("its place is free", || fixture.client().add(1, 2) == Ok(3));
}

/// A socket whose other end lies in its own, waiting to be received, does not end with the process that had it. Descriptors that
/// nothing follows are half of a message.
#[test]
fn a_session_ends_whose_client_left_its_own_end_of_the_socket_behind() {
    for waiting in [WaitMode::Sleeping, WaitMode::Adaptive, WaitMode::Spinning] {
        let mut options = ServerOptions { waiting, ..ServerOptions::default() };
        options.limits.frame_timeout = Duration::from_millis(300);
        let fixture = Fixture::new(options);
        let session = RemoteSession::connect(&Address::Shared(fixture.path()), ConnectOptions::default());
        let idle = BoxClient(session.unwrap().root());
        assert_eq!(idle.add(1, 2), Ok(3));
        let file = Segment::of(b"sealed").unwrap();
        for is_behind in [false, true] {
            let hostile = Peer::connect(fixture.socket().unwrap());
            hostile.send(&raw::hello());
            if is_behind {
                pass::send(hostile.socket.as_fd(), &[7; 4], &file).unwrap();
            }
            pass_all(&hostile.socket, &[7; 4], &[hostile.socket.as_fd()], SendFlags::empty()).unwrap();
            drop(hostile);
        }
        until("their sessions are over", || fixture.sessions() == 1);
        // One that lives is told.
        let hostile = Peer::connect(fixture.socket().unwrap());
        hostile.send(&raw::hello());
        pass::send(hostile.socket.as_fd(), &[7; 4], &file).unwrap();
        let told = soon("the farewell", || hostile.rest());
        let told: Vec<_> = told.iter().map(|(reply, _)| (reply.call, reply.status)).collect();
        assert_eq!(told, [(CALL_SESSION, Kind::TimedOut as u16)]);
        // Who says nothing, and left nothing there, stays.
        assert_eq!(idle.add(1, 2), Ok(3));
    }
}

/// What becomes of a client to whom a server answers that it shares memory, and passes `file` with that, behind `before`.
fn shared_by(before: Option<&Segment>, file: OwnedFd) -> Result<u64, Failure> {
    const RING: u32 = 4096;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let mut frame = vec![0; 16];
    Shared { ring: RING }.encode(&mut frame);
    let header = Reply { len: 20, kind: kind::REPLY, portals: 0, status: 0, call: 1, raised: 0 };
    frame[..16].copy_from_slice(&header.encode());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            socket.read_exact(&mut vec![0; request().len()]).unwrap();
            let files: Vec<_> = before.iter().map(|before| before.as_fd()).chain([file.as_fd()]).collect();
            pass_all(&socket, &frame, &files, SendFlags::empty()).unwrap();
            drop(files);
            // Whoever is last closes it; if that is this end, nobody is to wait for it here.
            std::thread::spawn(move || drop(file));
            let _ = socket.read_to_end(&mut Vec::new());
        });
        let session = RemoteSession::connect(&Address::Shared(path), ConnectOptions::default()).unwrap();
        let sum = soon("its call", || BoxClient(session.root()).add(1, 2));
        soon("its end", || drop(session));
        sum
    })
}

#[test]
fn a_client_does_not_wait_for_what_its_server_passes() {
    let segment = Segment::create(memory_bytes(4096).unwrap()).unwrap();
    for before in [None, Some(&segment)] {
        let (file, _other) = lingering();
        let failure = shared_by(before, file).unwrap_err();
        assert_eq!(failure.kind(), Kind::Protocol);
        assert!(failure.details().message.contains("what came with it is no memory"), "{failure:?}");
    }
}
