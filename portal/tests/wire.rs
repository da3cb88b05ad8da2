//! Golden bytes: what a client and a server put on the wire, and what they refuse to read.
//!
//! `BLESS=1` writes `golden/frames.txt` anew.

mod support;

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixListener;
use std::sync::LazyLock;

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Area, Ref};
use carnet_portal::portal::{Block, Input, OpNumber, Portal, PortalId};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::ServerOptions;
use carnet_portal::wire::{
    Description, Hello, HelloInterface, MAGIC, Malformed, Reply, Request, Sections, frame_len,
};
use support::{Fixture, number, op, raw};

fn dump(title: &str, bytes: &[u8], golden: &mut String) {
    writeln!(golden, "{title}").unwrap();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (frame, after) = rest.split_at(frame_len(rest).unwrap() as usize);
        for (line, chunk) in frame.chunks(16).enumerate() {
            write!(golden, "  {:04x} ", line * 16).unwrap();
            for (index, byte) in chunk.iter().enumerate() {
                write!(golden, "{}{byte:02x}", if index == 8 { "  " } else { " " }).unwrap();
            }
            golden.push('\n');
        }
        rest = after;
        golden.push('\n');
    }
}

/// What a client sends, to a server that never answers.
struct Recorder {
    listener: UnixListener,
    transport: std::sync::Arc<RemoteSession>,
    _directory: tempfile::TempDir,
}

impl Recorder {
    fn new() -> Recorder {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let transport = RemoteSession::connect(&Address::Unix(path), ConnectOptions::default()).unwrap();
        Recorder { listener, transport, _directory: directory }
    }

    fn start(&self, number_of: u16, words: &mut [u64], inputs: &[Input<'_>], portals: &[&Portal]) {
        let block = Block { words, inputs, outputs: &mut [], portals, made: Vec::new() };
        drop(self.transport.start_call(PortalId::ROOT, number(number_of), &block).unwrap());
    }

    fn sent(self) -> Vec<u8> {
        let (mut peer, _) = self.listener.accept().unwrap();
        drop(self.transport);
        let mut bytes = Vec::new();
        peer.read_to_end(&mut bytes).unwrap();
        bytes
    }
}

fn word(input: usize, len: usize) -> u64 {
    Ref::new(input, 0, len).unwrap().0
}

/// What a client sends behind Hello as it connects, and Hello with an interface.
fn behind_hello(sent: &[u8]) -> &[u8] {
    let first = frame_len(sent).unwrap() as usize;
    &sent[first + frame_len(&sent[first..]).unwrap() as usize..]
}

fn client_frames(golden: &mut String) {
    let recorder = Recorder::new();
    recorder.start(op::ADD, &mut [40, 2, 0], &[], &[]);
    dump("client: Hello as it connects, Hello, add(40, 2)", &recorder.sent(), golden);

    let recorder = Recorder::new();
    recorder.start(op::OPEN, &mut [word(0, 5), 0], &[Input::Bytes(b"label")], &[]);
    let mut list = Area::default();
    for text in ["one", "three"] {
        let word = list.add_string(text.as_bytes()).unwrap();
        list.words.push(word);
    }
    recorder.start(op::REVERSE, &mut [word(0, 0), 0], &[Input::List(&list)], &[]);
    recorder.start(op::TURN, &mut [word(0, 3), 7], &[Input::Bytes(b"abc")], &[]);
    let portal = Portal::new(recorder.transport.clone(), PortalId(0x0002_0003));
    recorder.start(op::LABEL_OF, &mut [0, 0], &[], &[&portal]);
    drop(portal);
    let sent = recorder.sent();
    let title = "client: open(\"label\"), reverse([\"one\", \"three\"]), turn(\"abc\", 7), label_of(0x20003), Release";
    dump(title, behind_hello(&sent), golden);
}

fn server_frames(golden: &mut String) {
    let options =
        ServerOptions { name: "golden".to_owned(), version: "1.2".to_owned(), ..ServerOptions::default() };
    let fixture = Fixture::new(options);
    let mut socket = fixture.raw();
    let mut requests = raw::hello();
    requests.extend(raw::call(op::ADD, 1, 1, &raw::words(&[40, 2])));
    requests.extend(raw::open(2, b"label"));
    requests.extend(raw::call(op::FAIL, 1, 3, &raw::words(&[9])));
    let list = raw::words(&[29, 2, 3, 3 << 24 | 2]);
    requests.extend(raw::call(op::REVERSE, 1, 4, &[&list[..], b"onetw"].concat()));
    requests.extend(raw::call(99, 1, 5, &[]));
    socket.write_all(&requests).unwrap();
    socket.shutdown(Shutdown::Write).unwrap();
    let mut replies = Vec::new();
    socket.read_to_end(&mut replies).unwrap();
    let title = "server: 42, a portal, raised 9, [\"tw\", \"one\"], no such operation";
    dump(title, &replies, golden);
}

#[test]
fn frames_are_what_they_were() {
    let mut golden = String::new();
    client_frames(&mut golden);
    server_frames(&mut golden);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/frames.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &golden).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    assert!(golden == expected, "the message format changed:\n{golden}");
}

/// Calls of five, six and seven words.
static WIDE: LazyLock<Module> = LazyLock::new(|| {
    let operation = |words: u16| {
        let params: Vec<String> = (0..words).map(|k| format!("in long long p{k}")).collect();
        format!("void take_{words}({});", params.join(", "))
    };
    let text = format!(
        "module wide {{ interface Wide {{ {} {} {} }}; }};",
        operation(5),
        operation(6),
        operation(7)
    );
    carnet_idl::compile_str("wide.idl", &text).unwrap()
});

/// A call of six words without data is one cache line as it is sent.
#[test]
fn small_calls_fit_into_a_cache_line() {
    for (op, bytes) in [(0, 56), (1, 64), (2, 72)] {
        let recorder = Recorder::new();
        let number = OpNumber { module: &WIDE, interface: InterfaceId(0), op };
        let block =
            Block { words: &mut [1; 7], inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
        drop(recorder.transport.start_call(PortalId::ROOT, number, &block).unwrap());
        let sent = recorder.sent();
        let call = behind_hello(&sent);
        assert_eq!((frame_len(call), call.len()), (Some(bytes), bytes as usize), "operation {op}");
    }
    let sections = Sections::of(64, 6, 0).unwrap();
    assert_eq!((sections.portals, sections.data), (64, 64));
    assert_eq!(Sections::of(64, 7, 0), None);
    assert_eq!(Sections::of(64, 5, 1).unwrap().data, 64);
    assert_eq!(Sections::of(63, 6, 0), None);
}

#[test]
fn headers_come_back() {
    let request =
        Request { len: 77, kind: 2, portals: 3, op: 0x1234, target: 0x5678_9abc, call: 0xdef0_1234 };
    assert_eq!(Request::decode(&request.encode()), Some(request));
    let reply = Reply { len: 77, kind: 3, portals: 3, status: 0x1234, call: 0xdef0_1234, raised: 0x4321 };
    assert_eq!(Reply::decode(&reply.encode()), Some(reply));
    assert_eq!(Request::decode(&[0; 15]), None);
    let mut bad = reply.encode();
    bad[15] = 1;
    assert_eq!(Reply::decode(&bad), None);
}

fn hello() -> Hello {
    let interface = HelloInterface { name: "Dir".to_owned(), hash: 7, operations: vec![1, 2, u64::MAX] };
    Hello { module: "files".to_owned(), root: "Dir".to_owned(), interfaces: vec![interface] }
}

#[test]
fn hello_comes_back_and_no_part_of_it_does() {
    let mut bytes = Vec::new();
    hello().encode(&mut bytes);
    assert_eq!(Hello::decode(&bytes), Ok(hello()));
    for len in 0..bytes.len() {
        let expected = if len < MAGIC.len() { Malformed::Magic } else { Malformed::Short };
        assert_eq!(Hello::decode(&bytes[..len]), Err(expected), "{len} bytes of it");
    }
    bytes.push(0);
    assert_eq!(Hello::decode(&bytes), Err(Malformed::Long));
    bytes.pop();
    bytes[8] = 2;
    assert_eq!(Hello::decode(&bytes), Err(Malformed::Version(2)));
    bytes[8] = 1;
    bytes[16] = 0xff;
    assert_eq!(Hello::decode(&bytes), Err(Malformed::Name));
}

#[test]
fn counts_that_lie_take_no_memory() {
    let mut bytes = Vec::new();
    Hello::default().encode(&mut bytes);
    let count = bytes.len() - 4;
    bytes[count..].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Hello::decode(&bytes), Err(Malformed::Short));
}

#[test]
fn a_description_comes_back() {
    let description = Description {
        root: 2,
        server: "s".to_owned(),
        version: "0.1".to_owned(),
        module: vec![1, 2, 3],
        policy: b"strict".to_vec(),
    };
    let mut bytes = Vec::new();
    description.encode(&mut bytes);
    assert_eq!(Description::decode(&bytes), Ok(description));
    for len in 0..bytes.len() {
        assert_eq!(Description::decode(&bytes[..len]), Err(Malformed::Short));
    }
}

#[test]
fn a_client_learns_what_the_server_is() {
    let fixture = Fixture::new(ServerOptions {
        name: "boxes of tests".to_owned(),
        version: "9".to_owned(),
        policy: b"opaque".to_vec(),
        ..ServerOptions::default()
    });
    let description = fixture.connect().describe().unwrap();
    assert_eq!((description.server.as_str(), description.version.as_str()), ("boxes of tests", "9"));
    assert_eq!((description.root, description.policy.as_slice()), (0, &b"opaque"[..]));
    assert_eq!(description.module, carnet_idl::encode(support::module()));
}
