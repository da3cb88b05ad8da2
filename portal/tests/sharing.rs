//! Words of a message that name the same bytes: who takes such a message would take many times as much memory as it has bytes. Servers
//! and clients in Rust refuse it, and take no more than a few times what came; so do servers in C, which would look at bytes as often.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::thread;

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Hello, Reply, Request, kind};
use server_in_c::ServerInC;
use sharing::*;

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;

mod sharing {
    include!("../../idl/tests/cases/modules/sharing.rs");
}

/// Counts what it is given, and gives back what goes both ways as it came.
struct Counter;

impl TakerService for Counter {
    fn rows(&self, _: &Caller, a: &Rows) -> Result<i32, Failure> {
        Ok(a.all.iter().map(Vec::len).sum::<usize>() as i32)
    }

    fn given(&self, _: &Caller) -> Result<Rows, Failure> {
        Ok(Rows { all: [const { vec![] }; 60] })
    }

    fn texts(
        &self,
        _: &Caller,
        a: &[Vec<u8>],
        b: &[Vec<u8>],
        c: &[Vec<u8>],
        d: &[Vec<u8>],
    ) -> Result<i32, Failure> {
        Ok((a.len() + b.len() + c.len() + d.len()) as i32)
    }

    fn told(
        &self,
        _: &Caller,
        _: &mut String4096List<'_>,
        _: &mut String4096List<'_>,
        _: &mut String4096List<'_>,
        _: &mut String4096List<'_>,
    ) -> Result<(), Failure> {
        Ok(())
    }

    fn turn(
        &self,
        _: &Caller,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
        _: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        Ok(())
    }
}

// ---- Messages ----

/// What words refer to: some of it, or nothing.
fn word(offset: usize, len: usize) -> u64 {
    (offset as u64) << 24 | len as u64
}

/// A message's words and data.
fn body(words: &[u64], data: &[u8]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).chain(data.iter().copied()).collect()
}

/// A list of elements of a word.
fn list(words: impl ExactSizeIterator<Item = u64>, bytes: &[u8]) -> Vec<u8> {
    body(&std::iter::once(words.len() as u64).chain(words).collect::<Vec<u64>>(), bytes)
}

/// Elements of the longest row: 24 bytes of memory for 8 in the message.
const CELLS: usize = 1 << 16;

/// Sixty words, of which so many name the same row of all cells.
fn rows(named: usize) -> Vec<u8> {
    let row = list((0..CELLS).map(|_| 0), &[]);
    let words: Vec<u64> = (0..60).map(|at| if at < named { word(0, row.len()) } else { 0 }).collect();
    body(&words, &row)
}

/// Four lists, each of so many texts of 4,096 bytes that are the same ones.
fn texts(count: usize) -> Vec<u8> {
    let one = list((0..count).map(|_| word(0, 4096)), &[b'x'; 4096]);
    let words: Vec<u64> = (0..4).map(|at| word(at * one.len(), one.len())).collect();
    body(&words, &one.repeat(4))
}

/// Eight words, of which so many name the same mebibyte.
fn bytes(named: usize) -> Vec<u8> {
    let words: Vec<u64> = (0..8).map(|at| if at < named { word(0, 1 << 20) } else { 0 }).collect();
    body(&words, &vec![7; 1 << 20])
}

/// Messages of operations, and the most of each that is taken.
fn shared() -> [(&'static str, Vec<u8>); 6] {
    [
        ("rows", rows(60)),
        ("rows", rows(2)),
        // Each list has less than a message has room for, and all together more.
        ("texts", texts(500)),
        ("texts", texts(129)),
        ("turn", bytes(8)),
        ("turn", bytes(2)),
    ]
}

fn honest() -> [(&'static str, Vec<u8>); 3] {
    [("rows", rows(1)), ("texts", texts(128)), ("turn", bytes(1))]
}

// ---- Sessions of raw frames ----

/// What a server says to a request: its status.
struct Raw {
    socket: UnixStream,
    calls: u32,
}

impl Raw {
    fn connect(path: &Path) -> Raw {
        let mut caller = Raw { socket: UnixStream::connect(path).unwrap(), calls: 0 };
        let mut hello = Vec::new();
        Hello::default().encode(&mut hello);
        caller.send(kind::HELLO, [0, 0, CALL_SESSION], &hello);
        caller
    }

    fn send(&mut self, kind: u8, [op, target, call]: [u32; 3], body: &[u8]) {
        let len = (HEADER_BYTES + body.len()) as u32;
        let header = Request { len, kind, portals: 0, op: op as u16, target, call };
        self.socket.write_all(&[&header.encode()[..], body].concat()).unwrap();
    }

    fn call(&mut self, op: &str, body: &[u8]) -> u16 {
        self.calls += 1;
        let (number, _) = module().interfaces[0].operation(op).unwrap();
        self.send(kind::CALL, [number.into(), 1, self.calls], body);
        let mut header = [0; HEADER_BYTES];
        self.socket.read_exact(&mut header).unwrap();
        let reply = Reply::decode(&header).unwrap();
        let mut rest = vec![0; reply.len as usize - HEADER_BYTES];
        self.socket.read_exact(&mut rest).unwrap();
        assert_eq!(reply.call, self.calls, "{}", String::from_utf8_lossy(&rest));
        reply.status
    }
}

/// A client whose server answers each call with the next of these bodies.
fn told(folder: &Path, replies: Vec<Vec<u8>>) -> (Taker, thread::JoinHandle<()>) {
    let path = folder.join("told");
    let listener = UnixListener::bind(&path).unwrap();
    let server = thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        for body in replies {
            let request = loop {
                let mut header = [0; HEADER_BYTES];
                socket.read_exact(&mut header).unwrap();
                let request = Request::decode(&header).unwrap();
                socket.read_exact(&mut vec![0; request.len as usize - HEADER_BYTES]).unwrap();
                if request.kind == kind::CALL {
                    break request;
                }
            };
            let len = (HEADER_BYTES + body.len()) as u32;
            let header =
                Reply { len, kind: kind::REPLY, portals: 0, status: 0, call: request.call, raised: 0 };
            socket.write_all(&[&header.encode()[..], &body].concat()).unwrap();
        }
    });
    let session = RemoteSession::connect(&Address::Unix(path), ConnectOptions::default()).unwrap();
    (Taker::from_portal(session.root()), server)
}

// ---- Memory ----

/// Bytes of memory that this process has in use, and the most that it ever had.
fn memory() -> [usize; 2] {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    ["VmRSS:", "VmHWM:"].map(|name| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() << 10
    })
}

/// Most bytes that are taken meanwhile: what was taken at once before hides as much.
fn taken(run: impl FnOnce()) -> usize {
    let [before, _] = memory();
    run();
    memory()[1] - before
}

/// As much as a session and its other end may keep of a message, each in a buffer of its own, and allocators take beside.
const KEPT_MAX: usize = 12 << 20;

/// All in one, since what is measured is that of the process.
#[test]
fn words_that_name_the_same_bytes_are_refused_before_anything_is_made_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    let roots = |_: &Caller| Ok(Capability::new(Taker::serve(Counter).into_object()));
    let _server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), roots).unwrap();
    let mut caller = Raw::connect(&path);
    let messages = shared();
    let replies = vec![rows(60), texts(500), bytes(8)];
    let (taker, told) = told(folder.path(), [replies, vec![rows(1), texts(128), bytes(1)]].concat());
    let of_server = taken(|| {
        for (op, body) in &messages {
            assert_eq!(caller.call(op, body), Kind::BadArgument as u16, "{op}");
        }
    });
    assert!(of_server < KEPT_MAX, "{of_server}");
    let both = || {
        let mut all = [const { vec![] }; 8];
        let [a, b, c, d, e, f, g, h] = &mut all;
        taker.turn(a, b, c, d, e, f, g, h).map(|()| all.iter().map(Vec::len).sum::<usize>())
    };
    let of_client = taken(|| {
        assert_eq!(taker.given().unwrap_err().kind(), Kind::Protocol);
        assert_eq!(taker.told().unwrap_err().kind(), Kind::Protocol);
        assert_eq!(both().unwrap_err().kind(), Kind::Protocol);
    });
    assert!(of_client < KEPT_MAX, "{of_client}");
    // What one word names alone is taken.
    for (op, body) in &honest() {
        assert_eq!(caller.call(op, body), 0, "{op}");
    }
    assert_eq!(taker.given().unwrap().all.map(|row| row.len())[..2], [CELLS, 0]);
    assert_eq!(taker.told().unwrap().0.len(), 128);
    assert_eq!(both().unwrap(), 1 << 20);
    told.join().unwrap();

    let options = ["-DCARNET_STUBS=\"sharing.h\"", "-DCARNET_ROOT=sharing_Taker", "carnet_main.c"];
    for program in in_c::built("sharing", module(), &["sharing_server"], &options) {
        let server = ServerInC::start(&program);
        let mut caller = Raw::connect(&server.path);
        for (op, body) in &messages {
            assert_eq!(caller.call(op, body), Kind::BadArgument as u16, "{op}");
        }
        for (op, body) in &honest() {
            assert_eq!(caller.call(op, body), 0, "{op}");
        }
    }
}
