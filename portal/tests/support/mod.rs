//! A small service written by hand: what generated code would be, for the tests of the session.
//!
//! `Box` objects count how many of them live, so that a test can tell when the service learned of the last release. Those
//! whose label begins with `brittle` panic at their end; `brittle pair` makes two, and what ends with `in vain` fails then.
//!
//! Fixtures serve over a Unix socket; in crates that are named so, which have the same tests again,
//! through shared memory or over TLS, and with one loop that serves all clients instead of a thread for each.
#![allow(dead_code, unreachable_pub, reason = "each test uses another part of it")]

pub mod afar;
pub mod by_hand;
pub mod counts;
pub mod process;
pub mod sums;

use std::any::Any;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module, OpHash, TypeHash};
use carnet_portal::address::Address;
use carnet_portal::call::{Area, Call, Caller, Failure, Kind, Object, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::identity::Credentials;
use carnet_portal::portal::{Block, Input, OpNumber, Portal};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Threads};

/// Operation numbers of `Box`.
pub mod op {
    pub const ADD: u16 = 0;
    pub const ECHO: u16 = 1;
    pub const REVERSE: u16 = 2;
    pub const OPEN: u16 = 3;
    pub const LABEL_OF: u16 = 4;
    pub const TURN: u16 = 5;
    pub const FAIL: u16 = 6;
    pub const PANIC: u16 = 7;
    pub const WAIT: u16 = 8;
    pub const ME: u16 = 9;
    pub const TOO_MUCH: u16 = 10;
    pub const SIZE: u16 = 11;
    pub const DESTROY: u16 = 12;
}

pub const DATA_MAX: u32 = 1 << 20;

/// As the compiler makes it, but for the hashes, which are numbers that can be recognised in messages.
fn build() -> Module {
    let text = "
        @version(\"1.0\")
        module boxes {
          const unsigned long MAX = 1048576;
          typedef sequence<octet, MAX> Data;
          typedef sequence<string<100>, 1000> Texts;
          interface Box {
            @reads long long add(in long long a, in long long b);
            Data echo(in Data data);
            Texts reverse(in Texts texts);
            Box open(in string<100> label);
            string<100> label_of(in Box other);
            void turn(inout Data data, inout long long value);
            void fail(in long long kind);
            void panic();
            @blocks void wait();
            Box me();
            string<100> too_much();
            @reads long long size(in sequence<octet, 16> data);
            void destroy(in long long a, in long long b, in long long c, in long long d, in long long e,
              in long long f, in long long g);
          };
        };";
    let mut module = carnet_idl::compile_str("boxes.idl", text).unwrap_or_else(|faults| panic!("{faults:?}"));
    let interface = &mut module.interfaces[0];
    interface.hash = TypeHash(0xb0c5);
    for (number, operation) in interface.operations.iter_mut().enumerate() {
        operation.hash = OpHash(0x1000 + number as u64);
    }
    module
}

pub fn module() -> &'static Module {
    static MODULE: LazyLock<Module> = LazyLock::new(build);
    &MODULE
}

/// What all boxes of one test share.
#[derive(Default)]
pub struct World {
    pub live: AtomicUsize,
    pub calls: AtomicUsize,
    gate: Mutex<Gate>,
    gate_changed: Condvar,
}

#[derive(Default)]
struct Gate {
    waiting: usize,
    open: bool,
}

impl World {
    pub fn new() -> Arc<World> {
        Arc::default()
    }

    pub fn root(self: &Arc<World>) -> Arc<dyn Object> {
        self.make("root")
    }

    fn make(self: &Arc<World>, label: &str) -> Arc<dyn Object> {
        Arc::new_cyclic(|me| {
            self.live.fetch_add(1, Ordering::SeqCst);
            BoxObject { label: label.to_owned(), world: Arc::clone(self), me: me.clone() }
        })
    }

    pub fn live(&self) -> usize {
        self.live.load(Ordering::SeqCst)
    }

    /// Returns when `count` calls of `wait` are in the service.
    pub fn wait_for_waiting(&self, count: usize) {
        let gate = self.gate.lock().unwrap();
        let waited = self
            .gate_changed
            .wait_timeout_while(gate, Duration::from_secs(20), |gate| gate.waiting < count)
            .unwrap();
        assert!(!waited.1.timed_out(), "no call came");
    }

    /// Lets all calls of `wait` return.
    pub fn open_gate(&self) {
        self.gate.lock().unwrap().open = true;
        self.gate_changed.notify_all();
    }

    fn wait_at_gate(&self) {
        let mut gate = self.gate.lock().unwrap();
        gate.waiting += 1;
        self.gate_changed.notify_all();
        let mut gate = self.gate_changed.wait_while(gate, |gate| !gate.open).unwrap();
        gate.waiting -= 1;
    }
}

struct BoxObject {
    label: String,
    world: Arc<World>,
    me: std::sync::Weak<BoxObject>,
}

impl Drop for BoxObject {
    fn drop(&mut self) {
        self.world.live.fetch_sub(1, Ordering::SeqCst);
        assert!(!self.label.starts_with("brittle"), "as its label says");
    }
}

impl BoxObject {
    fn answer(&self, call: &mut Call<'_>, at: usize, bytes: &[u8]) -> Result<(), Failure> {
        let mut area = call.areas.take(call.words[at])?;
        area.bytes.extend_from_slice(bytes);
        call.words[at] = call.areas.put(call.words[at], area)?;
        Ok(())
    }

    fn reverse(&self, call: &mut Call<'_>) -> Result<(), Failure> {
        let list = call.areas.list[Ref(call.words[0]).area()].clone();
        let mut area = call.areas.take(call.words[1])?;
        for word in list.words.iter().rev() {
            let word = area.add_string(list.string(*word)).unwrap();
            area.words.push(word);
        }
        call.words[1] = call.areas.put(call.words[1], area)?;
        Ok(())
    }
}

impl Object for BoxObject {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(0))
    }

    fn dispatch(&self, number: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        self.world.calls.fetch_add(1, Ordering::SeqCst);
        match number {
            op::ADD => {
                call.words[2] = call.words[0].wrapping_add(call.words[1]);
                Ok(())
            }
            op::ECHO => {
                let bytes = call.areas.bytes(call.words[0], DATA_MAX)?.to_vec();
                self.answer(call, 1, &bytes)
            }
            op::REVERSE => self.reverse(call),
            op::OPEN => {
                let label = String::from_utf8_lossy(call.areas.string(call.words[0], 100)?).into_owned();
                call.words[1] = call.make(self.world.make(&label));
                if label.starts_with("brittle pair") {
                    call.make(self.world.make(&label));
                }
                if label.ends_with("in vain") { Err(Failure::service(&label)) } else { Ok(()) }
            }
            op::LABEL_OF => {
                let portal = call.portal(call.words[0], "boxes", "Box")?;
                let other: &BoxObject = portal.object().service().downcast_ref().unwrap();
                let label = other.label.clone();
                self.answer(call, 1, label.as_bytes())
            }
            op::TURN => {
                let mut bytes = call.areas.bytes(call.words[0], DATA_MAX)?.to_vec();
                bytes.reverse();
                call.words[1] = call.words[1].wrapping_neg();
                self.answer(call, 0, &bytes)
            }
            op::FAIL => Err(Failure::raised(call.words[0] as u16, "as you wished".to_owned())),
            op::PANIC => panic!("the box is broken"),
            op::WAIT => {
                self.world.wait_at_gate();
                Ok(())
            }
            op::ME => {
                call.words[0] = call.make(self.me.upgrade().unwrap());
                Ok(())
            }
            op::TOO_MUCH => self.answer(call, 0, &[b'x'; 101]),
            op::SIZE => {
                call.words[1] = call.areas.bytes(call.words[0], 16)?.len() as u64;
                Ok(())
            }
            op::DESTROY => {
                call.areas.list.clear();
                Ok(())
            }
            _ => unreachable!("the session checks operation numbers"),
        }
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// A typed client, as the stub compiler would make it.
pub struct BoxClient(pub Portal);

pub fn number(op: u16) -> OpNumber {
    OpNumber { module: module(), interface: InterfaceId(0), op }
}

fn input(index: usize, len: usize) -> u64 {
    Ref::new(index, 0, len).unwrap().0
}

impl BoxClient {
    pub fn add(&self, a: u64, b: u64) -> Result<u64, Failure> {
        let mut words = [a, b, 0];
        let mut block =
            Block { words: &mut words, inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
        self.0.call(number(op::ADD), &mut block)?;
        Ok(words[2])
    }

    fn bytes(&self, number_of: u16, bytes: &[u8], words: &mut [u64]) -> Result<Vec<u8>, Failure> {
        words[0] = input(0, bytes.len());
        let mut outputs = [Area::default()];
        let inputs = [Input::Bytes(bytes)];
        let mut block =
            Block { words, inputs: &inputs, outputs: &mut outputs, portals: &[], made: Vec::new() };
        self.0.call(number(number_of), &mut block)?;
        let [area] = outputs;
        Ok(area.bytes)
    }

    pub fn echo(&self, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        self.bytes(op::ECHO, bytes, &mut [0, 0])
    }

    pub fn turn(&self, bytes: &[u8], value: i64) -> Result<(Vec<u8>, i64), Failure> {
        let mut words = [0, value as u64];
        let bytes = self.bytes(op::TURN, bytes, &mut words)?;
        Ok((bytes, words[1] as i64))
    }

    pub fn reverse(&self, texts: &[&str]) -> Result<Vec<String>, Failure> {
        let mut list = Area::default();
        for text in texts {
            let word = list.add_string(text.as_bytes()).unwrap();
            list.words.push(word);
        }
        let mut words = [input(0, 0), 0];
        let mut outputs = [Area::default()];
        let inputs = [Input::List(&list)];
        let mut block = Block {
            words: &mut words,
            inputs: &inputs,
            outputs: &mut outputs,
            portals: &[],
            made: Vec::new(),
        };
        self.0.call(number(op::REVERSE), &mut block)?;
        let texts = outputs[0].words.iter().map(|word| outputs[0].string(*word));
        Ok(texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect())
    }

    pub fn open(&self, label: &str) -> Result<BoxClient, Failure> {
        let mut words = [input(0, label.len()), 0];
        let inputs = [Input::Bytes(label.as_bytes())];
        let mut block =
            Block { words: &mut words, inputs: &inputs, outputs: &mut [], portals: &[], made: Vec::new() };
        self.0.call(number(op::OPEN), &mut block)?;
        let index = usize::try_from(block.words[1]).unwrap();
        Ok(BoxClient(block.made[index].clone()))
    }

    pub fn label_of(&self, other: &BoxClient) -> Result<String, Failure> {
        let mut words = [0, 0];
        let mut outputs = [Area::default()];
        let mut block = Block {
            words: &mut words,
            inputs: &[],
            outputs: &mut outputs,
            portals: &[&other.0],
            made: Vec::new(),
        };
        self.0.call(number(op::LABEL_OF), &mut block)?;
        Ok(String::from_utf8_lossy(&outputs[0].bytes).into_owned())
    }

    pub fn me(&self) -> Result<BoxClient, Failure> {
        let mut words = [0];
        let mut block =
            Block { words: &mut words, inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
        self.0.call(number(op::ME), &mut block)?;
        Ok(BoxClient(block.made[0].clone()))
    }

    pub fn fail(&self, kind: u64) -> Failure {
        self.plain(op::FAIL, &mut [kind]).unwrap_err()
    }

    pub fn plain(&self, number_of: u16, words: &mut [u64]) -> Result<(), Failure> {
        let mut outputs = [Area::default()];
        let mut block = Block { words, inputs: &[], outputs: &mut outputs, portals: &[], made: Vec::new() };
        self.0.call(number(number_of), &mut block)
    }

    pub fn wait(&self) -> Result<(), Failure> {
        self.plain(op::WAIT, &mut [])
    }
}

/// What carries the sessions of fixtures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    Unix,
    Shared,
    Tls,
}

/// That of this crate. Tests whose file is named `…_shared` are those of another file, with clients that share memory
/// with the server; `…_tls` likewise.
pub fn carrier() -> Carrier {
    match env!("CARGO_CRATE_NAME") {
        name if name.ends_with("_tls") => Carrier::Tls,
        name if name.ends_with("_shared") => Carrier::Shared,
        _ => Carrier::Unix,
    }
}

/// What serves the sessions of fixtures: in crates that are named `one_loop…`, one loop.
pub fn threads() -> Threads {
    if env!("CARGO_CRATE_NAME").starts_with("one_loop") { Threads::Loop } else { Threads::PerClient }
}

/// A server on a socket of its own.
pub struct Fixture {
    pub world: Arc<World>,
    pub server: Option<Server>,
    pub address: Address,
    pub credentials: Credentials,
    directory: tempfile::TempDir,
}

impl Fixture {
    pub fn new(options: ServerOptions) -> Fixture {
        let world = World::new();
        let made = Arc::clone(&world);
        Fixture::with_roots(options, world, move |_: &Caller| Ok(Capability::new(made.root())))
    }

    pub fn with_roots(
        options: ServerOptions,
        world: Arc<World>,
        roots: impl Fn(&Caller) -> Result<Capability, Failure> + Send + Sync + 'static,
    ) -> Fixture {
        let directory = tempfile::tempdir().unwrap();
        match carrier() {
            Carrier::Unix => {
                let address = Address::Unix(directory.path().join("s"));
                Fixture::listen(&address, Credentials::None, options, world, roots, directory)
            }
            Carrier::Shared => {
                let address = Address::Shared(directory.path().join("s"));
                Fixture::listen(&address, Credentials::None, options, world, roots, directory)
            }
            Carrier::Tls => {
                let (door, credentials) = afar::door(directory.path(), afar::many());
                let options = ServerOptions { door: Some(door), ..options };
                Fixture::listen(&afar::anywhere(), credentials, options, world, roots, directory)
            }
        }
    }

    fn listen(
        address: &Address,
        credentials: Credentials,
        options: ServerOptions,
        world: Arc<World>,
        roots: impl Fn(&Caller) -> Result<Capability, Failure> + Send + Sync + 'static,
        directory: tempfile::TempDir,
    ) -> Fixture {
        let options = ServerOptions { threads: threads(), ..options };
        let server = Server::listen(address, options, roots).unwrap();
        Fixture { world, address: server.address(), server: Some(server), credentials, directory }
    }

    pub fn plain() -> Fixture {
        Fixture::new(ServerOptions::default())
    }

    pub fn connect(&self) -> Arc<RemoteSession> {
        self.connect_with(ConnectOptions::default())
    }

    pub fn connect_with(&self, options: ConnectOptions) -> Arc<RemoteSession> {
        RemoteSession::connect_as(&self.address, options, &self.credentials).unwrap()
    }

    pub fn client(&self) -> BoxClient {
        BoxClient(self.connect().root())
    }

    pub fn path(&self) -> std::path::PathBuf {
        self.directory.path().join("s")
    }

    /// What a client can send and receive that is not ours.
    pub fn raw(&self) -> Raw {
        match carrier() {
            Carrier::Unix | Carrier::Shared => Raw::Unix(UnixStream::connect(self.path()).unwrap()),
            Carrier::Tls => Raw::Tls(Box::new(afar::connect_as(&self.address, &self.credentials))),
        }
    }

    /// A connection to the server's socket file, if it has one.
    pub fn socket(&self) -> Option<UnixStream> {
        match self.raw() {
            Raw::Unix(socket) => Some(socket),
            Raw::Tls(_) => None,
        }
    }

    /// Whether the server still accepts.
    pub fn is_listening(address: &Address) -> bool {
        match address {
            Address::Unix(path) | Address::Shared(path) => path.exists(),
            Address::Tcp(place) | Address::Carnet(place, _) => {
                std::net::TcpStream::connect((place.host.as_str(), place.port)).is_ok()
            }
        }
    }

    pub fn sessions(&self) -> usize {
        self.server.as_ref().unwrap().sessions()
    }
}

/// A client's end of a connection, after what the link itself needs.
pub enum Raw {
    Unix(UnixStream),
    Tls(Box<afar::Stream>),
}

impl Raw {
    pub fn set_read_timeout(&self, timeout: Option<Duration>) -> std::io::Result<()> {
        match self {
            Raw::Unix(stream) => stream.set_read_timeout(timeout),
            Raw::Tls(stream) => stream.sock.set_read_timeout(timeout),
        }
    }

    pub fn shutdown(&mut self, how: Shutdown) -> std::io::Result<()> {
        match self {
            Raw::Unix(stream) => stream.shutdown(how),
            Raw::Tls(stream) => {
                stream.conn.send_close_notify();
                stream.flush()
            }
        }
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Raw::Unix(stream) => stream.read(buffer),
            Raw::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Raw {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Raw::Unix(stream) => stream.write(bytes),
            Raw::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Raw::Unix(stream) => stream.flush(),
            Raw::Tls(stream) => stream.flush(),
        }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.world.open_gate();
        if let Some(server) = self.server.take() {
            server.shutdown(Instant::now() + Duration::from_secs(10));
        }
    }
}

/// Frames as a client makes them, by hand.
pub mod raw {
    use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Hello, Reply, Request, kind};

    pub fn frame(kind: u8, portals: &[u32], op: u16, target: u32, call: u32, body: &[u8]) -> Vec<u8> {
        let len = (HEADER_BYTES + body.len()) as u32;
        let header = Request { len, kind, portals: portals.len() as u8, op, target, call };
        let mut frame = header.encode().to_vec();
        frame.extend_from_slice(body);
        frame
    }

    pub fn hello() -> Vec<u8> {
        let mut data = Vec::new();
        Hello::default().encode(&mut data);
        frame(kind::HELLO, &[], 0, 0, CALL_SESSION, &data)
    }

    pub fn words(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    pub fn call(op: u16, target: u32, call: u32, body: &[u8]) -> Vec<u8> {
        frame(kind::CALL, &[], op, target, call, body)
    }

    pub fn release(pairs: &[(u32, u32)]) -> Vec<u8> {
        let body: Vec<u8> =
            pairs.iter().flat_map(|(id, n)| [id.to_le_bytes(), n.to_le_bytes()]).flatten().collect();
        frame(kind::RELEASE, &[], 0, 0, CALL_SESSION, &body)
    }

    /// Asks for the memory behind a portal.
    pub fn map(call: u32, portal: u32) -> Vec<u8> {
        frame(kind::MAP, &[portal], 0, 0, call, &u64::from(portal).to_le_bytes())
    }

    /// A call with all that a call can have: a string, the portal of the root, data.
    pub fn open(call_number: u32, label: &[u8]) -> Vec<u8> {
        let mut body = words(&[label.len() as u64]);
        body.extend_from_slice(label);
        call(super::op::OPEN, 1, call_number, &body)
    }

    /// Replies one after the other; panics if the last is not whole.
    pub fn replies(mut bytes: &[u8]) -> Vec<(Reply, Vec<u8>)> {
        let mut replies = Vec::new();
        while !bytes.is_empty() {
            let header = Reply::decode(bytes).expect("a reply");
            let (frame, rest) = bytes.split_at(header.len as usize);
            replies.push((header, frame[HEADER_BYTES..].to_vec()));
            bytes = rest;
        }
        replies
    }
}

/// Bytes that tell where they belong: neighbours differ, and so do pieces that are moved by less than 251.
pub fn data(len: usize) -> Vec<u8> {
    (0..len).map(|index| (index * 7 % 251) as u8).collect()
}

/// What `turn` makes of bytes.
pub fn reversed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.reverse();
    bytes
}

/// Bytes of all these lengths go to the box and come back, with shorter calls between them.
pub fn all_come_back(client: &BoxClient, lengths: &[usize]) {
    for &len in lengths {
        assert_eq!(client.turn(&data(len), 9), Ok((reversed(data(len)), -9)), "{len}");
        assert_eq!(client.echo(&data(len / 2)), Ok(data(len / 2)));
        assert_eq!(client.add(len as u64, 2), Ok(len as u64 + 2));
    }
}

/// Waits until `is_so`, at most 20 s.
pub fn until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::yield_now();
    }
}

pub fn kind_of<T>(result: Result<T, Failure>) -> Option<Kind> {
    result.err().map(|failure| failure.kind())
}

/// A client of shared memory made by hand, that can do what a good one does not.
pub mod shared {
    use std::io::{IoSlice, Write};
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;

    use carnet_memory::{Mapping, Sealed, Segment, pass};
    use carnet_portal::wire::{Reply, Share, Shared, kind};
    use carnet_queue::layout::{Side, memory_bytes};
    use carnet_queue::{End, Wanted};
    use rustix::net::RecvFlags;

    use super::raw;

    pub struct Peer {
        pub socket: UnixStream,
        pub end: End<Mapping>,
        /// The same memory, to scribble over.
        pub memory: Mapping,
        pub ring: usize,
    }

    pub fn request() -> Vec<u8> {
        let mut data = Vec::new();
        Share { ring: 4096 }.encode(&mut data);
        raw::frame(kind::SHARE, &[], 0, 0, 1, &data)
    }

    impl Peer {
        pub fn connect(mut socket: UnixStream) -> Peer {
            socket.write_all(&request()).unwrap();
            let mut answer = [0; 64];
            let (count, file) = pass::receive(socket.as_fd(), &mut answer, RecvFlags::empty()).unwrap();
            let header = Reply::decode(&answer[..count]).unwrap();
            assert_eq!((header.call, header.status, header.len as usize), (1, 0, count));
            let ring = Shared::decode(&answer[16..count]).unwrap().ring as usize;
            let bytes = memory_bytes(ring).unwrap();
            let segment = Segment::accept(file.unwrap(), Sealed::Size, bytes).unwrap();
            let map = || Mapping::new(&segment).unwrap();
            Peer { socket, end: End::new(map(), Side::Client, ring), memory: map(), ring }
        }

        pub fn send(&self, frame: &[u8]) -> usize {
            self.end.send(&[IoSlice::new(frame)]).unwrap()
        }

        /// Replies until the server hangs up.
        pub fn rest(&self) -> Vec<(Reply, Vec<u8>)> {
            let (mut bytes, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
            loop {
                let is_over = self.end.has_other_hung_up();
                let received = self.end.receive(&mut buffer).unwrap();
                bytes.extend_from_slice(&buffer[..received]);
                if received == 0 && is_over {
                    return raw::replies(&bytes);
                }
                let wanted = Wanted { frames: true, room: false };
                self.end.sleep(wanted, std::time::Duration::from_millis(10), || false);
            }
        }
    }
}
