//! Random messages: frames to a living server of the probe, and the decoders of what lies in frames.

use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use carnet_idl::descriptor::{InterfaceId, Word};
use carnet_portal::address::Address;
use carnet_portal::capability::Grant;
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::wire::{Description, HEADER_BYTES, Hello, HelloInterface, Reply, Request, kind};

use crate::entropy::Entropy;
use crate::mutate::damage;
use crate::probe::{World, capability, module};

/// A server that does not answer for so long hangs.
const PATIENCE: Duration = Duration::from_secs(20);

struct Host {
    path: PathBuf,
    _server: Server,
}

/// One server for all messages of the process, gone with it.
fn host() -> &'static Host {
    static HOST: LazyLock<Host> = LazyLock::new(|| {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("carnet-fuzz-{}-{number}.sock", std::process::id());
        let path = std::env::temp_dir().join(name);
        let roots = |_: &carnet_portal::call::Caller| {
            let world = World::new(module(), 1, None);
            Ok(capability(&world, InterfaceId(1), &Grant::new()))
        };
        let mut options = ServerOptions::default();
        options.limits.frame_bytes_max = 1 << 20;
        let server = Server::listen(&Address::Unix(path.clone()), options, roots)
            .unwrap_or_else(|error| panic!("the server does not start: {error}"));
        Host { path, _server: server }
    });
    &HOST
}

/// Sends random frames to a server, which answers or hangs up.
///
/// # Panics
/// If it does neither, or its answer is no sequence of frames.
pub fn check_session(entropy: &mut Entropy<'_>) -> bool {
    let mut bytes = session(entropy);
    for _ in 0..entropy.below(4) {
        damage(&mut bytes, entropy);
    }
    check_session_bytes(&bytes)
}

/// What a client sends in a session.
#[must_use]
pub fn session(entropy: &mut Entropy<'_>) -> Vec<u8> {
    let mut bytes = frame(kind::HELLO, 0, 0, 0, &hello(entropy, 0));
    for call in 0..1 + entropy.below(6) {
        bytes.extend(request(call as u32 + 1, entropy));
    }
    bytes
}

/// Sends `bytes` to a server; whether it answered anything.
///
/// # Panics
/// As [`check_session`].
pub fn check_session_bytes(bytes: &[u8]) -> bool {
    let answer = converse(&host().path, bytes);
    let mut rest = answer.as_slice();
    while !rest.is_empty() {
        let reply = Reply::decode(rest).unwrap_or_else(|| panic!("half a header: {rest:?}"));
        assert!(reply.len as usize >= HEADER_BYTES, "a frame shorter than its header: {reply:?}");
        rest = rest.get(reply.len as usize..).unwrap_or_else(|| panic!("a frame is cut off: {reply:?}"));
    }
    !answer.is_empty()
}

fn converse(path: &Path, bytes: &[u8]) -> Vec<u8> {
    let mut socket = UnixStream::connect(path).unwrap_or_else(|error| panic!("the server is gone: {error}"));
    let _ = socket.set_read_timeout(Some(PATIENCE));
    // A server that has hung up already takes no more.
    let _ = socket.write_all(bytes);
    let _ = socket.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    match socket.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "the server hangs: {error}"),
    }
    answer
}

fn frame(kind: u8, op: u16, target: u32, call: u32, body: &[u8]) -> Vec<u8> {
    let len = (HEADER_BYTES + body.len()) as u32;
    let mut frame = Request { len, kind, portals: 0, op, target, call }.encode().to_vec();
    frame.extend_from_slice(body);
    frame
}

/// A call that is right, or nearly.
fn request(call: u32, entropy: &mut Entropy<'_>) -> Vec<u8> {
    if entropy.one_in(8) {
        let kind = *entropy.pick(&[kind::DESCRIBE, kind::RELEASE, 16, 127, 0, 200, kind::HELLO]);
        let body: Vec<u8> = (0..entropy.below(40)).map(|_| entropy.below(3) as u8).collect();
        return frame(kind, 0, 0, call, &body);
    }
    let root = &module().interfaces[1];
    let op = entropy.below(root.operations.len());
    let (mut words, mut data, mut portals) = (Vec::new(), Vec::new(), 0u8);
    let layout = &root.operations[op].layout;
    let count = layout.request_words();
    for word in layout.ins.iter().chain(&layout.inouts) {
        words.push(match word {
            Word::String { max } | Word::Bytes { max } => {
                data.resize(data.len().next_multiple_of(8), 0);
                let text = entropy.text(*max as usize);
                let at = data.len() as u64;
                data.extend_from_slice(&text);
                at << 24 | text.len() as u64
            }
            Word::Portal(_) => {
                portals += 1;
                u64::from(portals) - 1
            }
            _ => entropy.below(3) as u64,
        });
    }
    let mut body: Vec<u8> = words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
    body.extend((0..portals).flat_map(|_| (1 + entropy.below(4) as u32).to_le_bytes()));
    body.resize(8 * count + (usize::from(portals) * 4).next_multiple_of(8), 0);
    body.extend(data);
    let mut bytes = frame(kind::CALL, op as u16, 1 + entropy.below(3) as u32, call, &body);
    bytes[5] = portals;
    bytes
}

fn hello(entropy: &mut Entropy<'_>, depth: usize) -> Vec<u8> {
    let mut data = Vec::new();
    random_hello(entropy, depth).encode(&mut data);
    data
}

fn random_hello(entropy: &mut Entropy<'_>, many: usize) -> Hello {
    if many == 0 && !entropy.one_in(4) {
        return Hello::default();
    }
    let name = |entropy: &mut Entropy<'_>| (*entropy.pick(&["probe", "Root", "Leaf", "", "ä"])).to_owned();
    let interface = |entropy: &mut Entropy<'_>| HelloInterface {
        name: name(entropy),
        hash: entropy.bits(),
        operations: (0..entropy.below(5)).map(|_| entropy.bits()).collect(),
    };
    Hello {
        module: name(entropy),
        root: name(entropy),
        interfaces: (0..entropy.below(many + 2)).map(|_| interface(entropy)).collect(),
    }
}

/// Decoders of what lies in frames: what was encoded is read again, what is damaged is refused or something else.
///
/// # Panics
/// If a promise is broken.
pub fn check_decoders(entropy: &mut Entropy<'_>) -> bool {
    let hello = random_hello(entropy, 3);
    let mut bytes = Vec::new();
    hello.encode(&mut bytes);
    assert_eq!(Hello::decode(&bytes), Ok(hello), "a hello does not survive its encoding");
    let description = Description {
        root: entropy.bits() as u16,
        server: "server".to_owned(),
        version: "1".to_owned(),
        module: carnet_idl::encode(module()),
        policy: entropy.text(100),
    };
    let mut described = Vec::new();
    description.encode(&mut described);
    assert_eq!(Description::decode(&described), Ok(description), "a description does not survive");
    for bytes in [&mut bytes, &mut described] {
        for _ in 0..1 + entropy.below(4) {
            damage(bytes, entropy);
        }
        check_decoder_bytes(bytes);
    }
    true
}

/// Gives `bytes` to all decoders.
///
/// # Panics
/// If one does, or a header does not survive its encoding.
pub fn check_decoder_bytes(bytes: &[u8]) {
    if let Some(request) = Request::decode(bytes) {
        assert_eq!(request.encode()[..], bytes[..HEADER_BYTES], "a header reads differently");
    }
    if let Some(reply) = Reply::decode(bytes) {
        assert_eq!(Reply::decode(&reply.encode()), Some(reply), "a header reads differently");
    }
    let _hello = Hello::decode(bytes);
    if let Ok(description) = Description::decode(bytes) {
        let _module = carnet_idl::decode(&description.module);
    }
    let _module = carnet_idl::decode(bytes);
}
