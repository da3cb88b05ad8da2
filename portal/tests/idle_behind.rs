//! A relay of a service that hangs up on whom it has not heard of for a while.
//!
//! The service is made by hand: it answers some calls of each session, says why it hangs up, or nothing, and takes the next one.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, LazyLock};
use std::thread::JoinHandle;

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Area, Areas, Call, Caller, Failure, Kind, Object, Ref};
use carnet_portal::relay;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Reply, Request, kind};

static MODULE: LazyLock<Module> = LazyLock::new(|| {
    let text =
        "module m { interface T { long count(); T other(); @reads @argument T of(in string<9> text); }; };";
    carnet_idl::compile_str("m.idl", text).expect("it compiles")
});

/// Which have the state of a process.
static OF_A_PROCESS: LazyLock<Module> = LazyLock::new(|| {
    let text = "module m { interface T { long count(); @syscall(\"3\") void close(); }; };";
    carnet_idl::compile_str("m.idl", text).expect("it compiles")
});

const COUNT: u16 = 0;
const OTHER: u16 = 1;
const OF: u16 = 2;

/// How a session ends.
type End = Option<(Kind, &'static str)>;

const IDLE_C: End = Some((Kind::Refused, "this server hangs up on clients that say nothing for so long"));
const IDLE_RUST: End = Some((Kind::TimedOut, "the session was silent for too long"));

/// Serves sessions one after the other: so many calls of each, then this end, which is told when it is there.
fn serve(path: &Path, sessions: Vec<(usize, End)>) -> (JoinHandle<u64>, Receiver<()>) {
    let listener = UnixListener::bind(path).expect("a socket");
    let (tell, told) = channel();
    let thread = std::thread::spawn(move || {
        let mut counted = 0;
        for (calls, end) in sessions {
            let (mut socket, _) = listener.accept().expect("a client");
            for _ in 0..calls {
                answer(&mut socket, &mut counted);
            }
            if let Some((kind, text)) = end {
                send(&mut socket, CALL_SESSION, kind as u16, 0, text.as_bytes());
            }
            drop(socket);
            tell.send(()).expect("the test goes on");
        }
        counted
    });
    (thread, told)
}

/// Answers the next call: the operation's number says what it is.
fn answer(socket: &mut UnixStream, counted: &mut u64) {
    loop {
        let mut header = [0; HEADER_BYTES];
        socket.read_exact(&mut header).expect("a request comes");
        let header = Request::decode(&header).expect("it has a header");
        let mut data = vec![0; header.len as usize - HEADER_BYTES];
        socket.read_exact(&mut data).expect("it comes as a whole");
        if header.kind != kind::CALL {
            continue;
        }
        if header.op == COUNT {
            *counted += 1;
            send(socket, header.call, 0, 0, &counted.to_le_bytes());
        } else {
            // The portal's place, and its number.
            send(socket, header.call, 0, 1, &[0_u64.to_le_bytes(), 70_000_u64.to_le_bytes()].concat());
        }
        return;
    }
}

fn send(socket: &mut UnixStream, call: u32, status: u16, portals: u8, data: &[u8]) {
    let len = (HEADER_BYTES + data.len()) as u32;
    let header = Reply { len, kind: kind::REPLY, portals, status, call, raised: 0 };
    socket.write_all(&[&header.encode()[..], data].concat()).expect("the client is there");
}

fn root(path: &Path, module: &'static Module) -> Arc<dyn Object> {
    let address = Address::Unix(path.to_owned());
    let connect = move || Ok(RemoteSession::connect(&address, ConnectOptions::default())?.root());
    relay::root(connect, module, InterfaceId(0))
}

/// A call without arguments: its result, and what it made.
fn call(object: &dyn Object, op: u16) -> Result<(u64, Option<Arc<dyn Object>>), Failure> {
    let (mut areas, mut made, mut words) =
        (Areas { list: vec![Area::default()] }, Vec::new(), [Ref::default().0, 0]);
    let caller = Caller::local();
    let first = usize::from(op != OF);
    let words = &mut words[first..];
    object.dispatch(
        op,
        &mut Call { words, areas: &mut areas, portals: &[], made: &mut made, caller: &caller },
    )?;
    Ok((*words.last().expect("a result"), made.pop()))
}

fn count(object: &dyn Object) -> Result<u64, Failure> {
    call(object, COUNT).map(|(count, _)| count)
}

#[test]
fn the_first_call_after_a_time_without_calls_is_made() {
    for end in [IDLE_C, IDLE_RUST] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let (server, ended) = serve(&path, vec![(2, end), (1, end), (1, None)]);
        let root = root(&path, &MODULE);
        assert_eq!((count(&*root), count(&*root)), (Ok(1), Ok(2)));
        ended.recv().unwrap();
        assert_eq!(count(&*root), Ok(3), "{end:?}");
        ended.recv().unwrap();
        assert_eq!(count(&*root), Ok(4), "{end:?}, again");
        assert_eq!(server.join().unwrap(), 4, "each call is made once");
    }
}

/// What it makes of the empty text is had again, and is not in the way.
#[test]
fn what_the_empty_text_names_is_had_again_in_the_same_way() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let (server, ended) = serve(&path, vec![(2, IDLE_C), (3, None)]);
    let root = root(&path, &MODULE);
    let made = call(&*root, OF).expect("it is made").1.expect("an object");
    assert_eq!(count(&*made), Ok(1));
    ended.recv().unwrap();
    // It is made anew, and called; then the root is, in the same session.
    assert_eq!((count(&*made), count(&*root)), (Ok(2), Ok(3)));
    server.join().unwrap();
}

#[test]
fn who_holds_something_of_that_session_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let (server, ended) = serve(&path, vec![(2, IDLE_C), (1, None)]);
    let root = root(&path, &MODULE);
    let other = call(&*root, OTHER).expect("it is made").1.expect("an object");
    assert_eq!(count(&*other), Ok(1));
    ended.recv().unwrap();
    let failure = count(&*root).expect_err("something was lost");
    assert_eq!(failure.kind(), Kind::Refused);
    assert_eq!(failure.details().message, IDLE_C.unwrap().1);
    assert_eq!(count(&*root), Ok(2));
    assert_eq!(count(&*other).map_err(|failure| failure.kind()), Err(Kind::Revoked));
    server.join().unwrap();
}

/// It did not say why: it may have ended, and have begun anew.
#[test]
fn who_calls_a_service_that_was_lost_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let (server, ended) = serve(&path, vec![(1, None), (1, None)]);
    let root = root(&path, &MODULE);
    assert_eq!(count(&*root), Ok(1));
    ended.recv().unwrap();
    assert_eq!(count(&*root).map_err(|failure| failure.kind()), Err(Kind::Unreachable));
    assert_eq!(count(&*root), Ok(2));
    server.join().unwrap();
}

#[test]
fn a_process_is_over_with_its_session() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let (server, ended) = serve(&path, vec![(1, IDLE_C)]);
    let root = root(&path, &OF_A_PROCESS);
    assert_eq!(count(&*root), Ok(1));
    ended.recv().unwrap();
    assert_eq!(count(&*root).map_err(|failure| failure.kind()), Err(Kind::Refused));
    assert_eq!(count(&*root).map_err(|failure| failure.kind()), Err(Kind::Revoked));
    server.join().unwrap();
}
