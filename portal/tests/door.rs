//! The door: who is let in from afar, what others are told, and that they cost nothing.

mod support;

#[path = "door/flood.rs"]
mod flood;

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use carnet_portal::address::{Address, Place};
use carnet_portal::admission::{Admission, AdmissionFiles, Shown};
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::door::{Door, DoorLimits};
use carnet_portal::fingerprint::Fingerprint;
use carnet_portal::identity::{CertifiedKey, Credentials, Token};
use carnet_portal::memory::Memory;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{ListenError, Server, ServerOptions, Threads};
use carnet_portal::wire::{CALL_SESSION, Request, kind};
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};
use support::{BoxClient, World, afar, op, raw, sums, until};

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server over TLS whose only client is `alice`, by a token.
struct Afar {
    server: Option<Server>,
    address: Address,
    credentials: Credentials,
    directory: tempfile::TempDir,
    callers: Arc<Mutex<Vec<Caller>>>,
}

impl Afar {
    fn new(limits: DoorLimits) -> Afar {
        let directory = tempfile::tempdir().unwrap();
        let (door, credentials) = afar::door(directory.path(), limits);
        Afar::behind(door, credentials, directory)
    }

    fn behind(door: Door, credentials: Credentials, directory: tempfile::TempDir) -> Afar {
        let (world, callers) = (World::new(), Arc::<Mutex<Vec<Caller>>>::default());
        let seen = Arc::clone(&callers);
        let roots = move |caller: &Caller| {
            seen.lock().unwrap().push(caller.clone());
            Ok(Capability::new(world.root()))
        };
        let options = ServerOptions { door: Some(door), ..ServerOptions::default() };
        let options = ServerOptions { threads: support::threads(), ..options };
        let server = Server::listen(&afar::anywhere(), options, roots).unwrap();
        Afar { address: server.address(), server: Some(server), credentials, directory, callers }
    }

    fn call_as(&self, credentials: &Credentials) -> Result<u64, Failure> {
        let transport = RemoteSession::connect_as(&self.address, ConnectOptions::default(), credentials)?;
        BoxClient(transport.root()).add(40, 2)
    }

    /// Others are served.
    fn assert_well(&self) {
        assert_eq!(self.call_as(&self.credentials), Ok(42));
    }

    fn sessions(&self) -> usize {
        self.server.as_ref().unwrap().sessions()
    }

    fn token(&self) -> Token {
        match &self.credentials {
            Credentials::Token(token) => token.clone(),
            _ => panic!("no token"),
        }
    }
}

impl Drop for Afar {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.shutdown(Instant::now() + PATIENCE);
        }
    }
}

fn refused(result: Result<u64, Failure>) -> String {
    let failure = result.unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused, "{failure:?}");
    failure.details().message.clone()
}

fn unreachable(address: &Address, credentials: &Credentials) -> String {
    let options = ConnectOptions { connect_timeout: Duration::from_millis(500), ..ConnectOptions::default() };
    let failure = RemoteSession::connect_as(address, options, credentials).unwrap_err();
    assert_eq!(failure.kind(), Kind::Unreachable, "{failure:?}");
    let message = failure.details().message.clone();
    message.strip_prefix(&format!("cannot reach {address}: ")).expect("the address").to_owned()
}

#[test]
fn a_token_says_who_calls_and_is_asked_for_each_time() {
    let server = Afar::new(DoorLimits::default());
    server.assert_well();
    assert_eq!(server.callers.lock().unwrap()[0].principal.as_ref(), "alice");
    let other = Credentials::Token(Token::generate().unwrap());
    assert_eq!(refused(server.call_as(&other)), "this server does not know this token");
    let none = refused(server.call_as(&Credentials::None));
    assert_eq!(none, "this server admits only those who show a token or a client certificate");
    let key = Credentials::Key(CertifiedKey::generate().unwrap().0);
    let no_keys = "this server knows no client certificates; show a token";
    assert_eq!(refused(server.call_as(&key)), no_keys);
    let tokens = server.directory.path().join("tokens");
    fs::write(&tokens, format!("alice {} revoked\n", server.token().hash())).unwrap();
    assert_eq!(refused(server.call_as(&server.credentials)), "this token was revoked");
    assert_eq!(server.callers.lock().unwrap().len(), 1, "nobody else got to the service");
    fs::write(&tokens, format!("alice {}\n", server.token().hash())).unwrap();
    server.assert_well();
}

/// A stranger costs no more because many others may come in.
#[test]
fn who_guesses_does_not_have_the_file_read_again() {
    let bytes_read = || {
        let text = fs::read_to_string("/proc/self/io").unwrap();
        text.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse::<u64>().unwrap()
    };
    let server = Afar::new(DoorLimits::default());
    let tokens = server.directory.path().join("tokens");
    let line = |n: u32| format!("{} {}\n", "x".repeat(64), Fingerprint::of(&n.to_le_bytes()));
    let others: String = (0..20_000).map(line).collect();
    let with_others = |standing| format!("alice {}{standing}\n{others}", server.token().hash());
    fs::write(&tokens, with_others("")).unwrap();
    let bytes = fs::metadata(&tokens).unwrap().len();
    let guess = Credentials::Token(Token::generate().unwrap());
    // For a moment each reads it: what was written last may be written once more at the same time by the file's clock.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(4) {
        refused(server.call_as(&guess));
    }
    let before = bytes_read();
    for _ in 0..40 {
        assert_eq!(refused(server.call_as(&guess)), "this server does not know this token");
    }
    let times = (bytes_read() - before) / bytes;
    assert!(times < 20, "it was read {times} times");
    server.assert_well();
    fs::write(&tokens, with_others(" revoked")).unwrap();
    assert_eq!(refused(server.call_as(&server.credentials)), "this token was revoked");
}

#[test]
fn sessions_of_a_revoked_token_end() {
    let server = Afar::new(DoorLimits { recheck: Duration::from_millis(20), ..DoorLimits::default() });
    let tokens = server.directory.path().join("tokens");
    let other = Token::generate().unwrap();
    let mut text = fs::read_to_string(&tokens).unwrap();
    text.push_str(&format!("bob {}\n", other.hash()));
    fs::write(&tokens, &text).unwrap();
    let connect = |credentials: &Credentials| {
        let options = ConnectOptions::default();
        let transport = RemoteSession::connect_as(&server.address, options, credentials).unwrap();
        let client = BoxClient(transport.root());
        client.add(1, 2).unwrap();
        client
    };
    let (alice, bob) = (connect(&server.credentials), connect(&Credentials::Token(other.clone())));
    // In one step: a file that is written in place is empty for a moment, and then admits nobody.
    let written = server.directory.path().join("written");
    fs::write(&written, format!("alice {} revoked\nbob {}\n", server.token().hash(), other.hash())).unwrap();
    fs::rename(&written, &tokens).unwrap();
    until("hers has ended", || server.sessions() == 1);
    assert_eq!(alice.add(1, 2).unwrap_err().kind(), Kind::Unreachable);
    assert_eq!(bob.add(1, 2), Ok(3));
}

#[test]
fn a_key_says_who_calls_if_its_holder_shows_it() {
    let directory = tempfile::tempdir().unwrap();
    let keys = directory.path().join("keys");
    let (bob, fingerprint) = CertifiedKey::generate().unwrap();
    fs::write(&keys, format!("bob {fingerprint}\n")).unwrap();
    let admission = AdmissionFiles::new(None, Some(keys));
    let key = CertifiedKey::open_or_make(&directory.path().join("server.key")).unwrap();
    let door = Door::new(&key, Arc::new(admission), DoorLimits::default()).unwrap();
    let server = Afar::behind(door, Credentials::Key(bob), directory);
    server.assert_well();
    assert_eq!(server.callers.lock().unwrap()[0].principal.as_ref(), "bob");
    let other = Credentials::Key(CertifiedKey::generate().unwrap().0);
    assert_eq!(refused(server.call_as(&other)), "this server does not know this client certificate");
    let token = Credentials::Token(Token::generate().unwrap());
    let no_tokens = "this server knows no tokens; show a client certificate";
    assert_eq!(refused(server.call_as(&token)), no_tokens);
}

#[test]
fn without_a_door_there_is_no_port() {
    let world = World::new();
    let roots = move |_: &Caller| Ok(Capability::new(world.root()));
    let refused = Server::listen(&afar::anywhere(), ServerOptions::default(), roots).unwrap_err();
    assert!(matches!(refused, ListenError::NoDoor(_)), "{refused}");
}

#[test]
fn another_key_is_told_with_both_fingerprints_and_nothing_is_sent() {
    let server = Afar::new(DoorLimits::default());
    let Address::Carnet(place, found) = server.address.clone() else { panic!("no address of clients") };
    let expected = Fingerprint::of(b"another");
    let address = Address::Carnet(place, expected);
    let why = unreachable(&address, &server.credentials);
    let first = format!("the server there has another key\nexpected {expected}\nfound    {found}\n");
    assert!(why.starts_with(&first), "{why}");
    assert!(server.callers.lock().unwrap().is_empty());
    server.assert_well();
}

/// Listens, and does with the first connection what `with` says.
fn listener(with: impl FnOnce(TcpStream) + Send + 'static) -> (Address, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || with(listener.accept().unwrap().0));
    let place = Place { host: "127.0.0.1".to_owned(), port };
    (Address::Carnet(place, Fingerprint::of(b"any")), thread)
}

#[test]
fn what_is_no_server_of_ours_is_told_apart() {
    let token = Credentials::Token(Token::generate().unwrap());
    let told = |with: fn(TcpStream)| {
        let (address, thread) = listener(with);
        let why = unreachable(&address, &token);
        thread.join().unwrap();
        why
    };
    let plain = told(|mut stream| {
        let _ = stream.read(&mut [0; 4096]);
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    assert_eq!(plain, "what listens there does not speak TLS");
    let closed = told(|mut stream| {
        let _ = stream.read(&mut [0; 4096]);
    });
    // Or another reason that is not told: a limit may be one.
    let expected = "what listens there hung up during the handshake\nif it is a Carnet server, it may have as many connections \
                    from this address already as its limits take: try again later";
    assert_eq!(closed, expected);
    let silent = told(|mut stream| {
        let _ = stream.read_to_end(&mut Vec::new());
    });
    assert_eq!(silent, "it does not answer in time");
    let (nobody, thread) = listener(drop);
    drop(afar::tcp(&nobody));
    thread.join().unwrap();
    assert_eq!(unreachable(&nobody, &token), "nobody listens there");
    let unknown = "carnet://no-such-host.invalid:1#".to_owned() + &Fingerprint::of(b"").to_string();
    assert_eq!(unreachable(&unknown.parse().unwrap(), &token), "there is no such host");
}

/// Reads until the server hangs up; whether it did so in order.
fn rest(stream: &mut impl Read) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => (bytes, true),
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof) => {
            (bytes, false)
        }
        Err(error) => panic!("the server hangs: {error}"),
    }
}

fn farewell(bytes: &[u8]) -> (u16, String) {
    let replies = raw::replies(bytes);
    assert_eq!((replies.len(), replies[0].0.call), (1, CALL_SESSION));
    (replies[0].0.status, String::from_utf8(replies[0].1.clone()).unwrap())
}

#[test]
fn before_the_token_there_is_nothing_else() {
    let server = Afar::new(DoorLimits::default());
    let told = |bytes: &[u8]| {
        let mut stream = afar::connect(&server.address, &[b"carnet/1"]);
        stream.sock.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(bytes).unwrap();
        let (answer, in_order) = rest(&mut stream);
        assert!(in_order, "it says that it ends");
        farewell(&answer)
    };
    let token = server.token();
    let frame =
        |kind, portals: &[u32], op, target, call| raw::frame(kind, portals, op, target, call, token.expose());
    let nonsense = "the client sent what is not a message of this protocol: its first is a token, which is at most 256 \
                    bytes";
    let with_len = |len: u32| {
        let header = Request { len, kind: kind::TOKEN, portals: 0, op: 0, target: 0, call: CALL_SESSION };
        header.encode().to_vec()
    };
    let bad = [
        frame(kind::RELEASE, &[], 0, 0, 0),
        frame(kind::CALL, &[], op::ADD, 1, 1),
        frame(kind::DESCRIBE, &[], 0, 0, 1),
        frame(kind::SHARE, &[], 0, 0, 1),
        frame(16, &[], 0, 0, 1),
        frame(kind::TOKEN, &[1], 0, 0, 0),
        frame(kind::TOKEN, &[], 1, 0, 0),
        frame(kind::TOKEN, &[], 0, 1, 0),
        frame(kind::TOKEN, &[], 0, 0, 1),
        with_len(0),
        with_len(16),
        with_len(16 + 257),
        with_len(u32::MAX),
        raw::frame(kind::TOKEN, &[], 0, 0, 0, b"two words"),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
    ];
    for bytes in bad {
        assert_eq!(told(&bytes), (Kind::Protocol as u16, nonsense.to_owned()), "{bytes:?}");
    }
    assert!(server.callers.lock().unwrap().is_empty());
    let twice = [afar::token_frame(&server.credentials), afar::token_frame(&server.credentials)].concat();
    let first =
        "the client sent what is not a message of this protocol: the first message of a client is Hello";
    assert_eq!(told(&twice), (Kind::Protocol as u16, first.to_owned()));
    server.assert_well();
}

#[test]
fn a_tls_client_of_another_protocol_is_turned_away() {
    let server = Afar::new(DoorLimits::default());
    for protocols in [&[&b"h2"[..]][..], &[]] {
        let mut stream = afar::connect(&server.address, protocols);
        stream.sock.set_read_timeout(Some(PATIENCE)).unwrap();
        let written = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
        if written.is_ok() {
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            assert!(answer.is_empty(), "it says nothing to strangers");
        }
    }
    assert!(server.callers.lock().unwrap().is_empty());
    server.assert_well();
}

/// What a client sends first.
fn client_hello(address: &Address) -> Vec<u8> {
    let mut stream = afar::connect(address, &[b"carnet/1"]);
    let mut hello = Vec::new();
    stream.conn.write_tls(&mut hello).unwrap();
    hello
}

/// Sends `bytes`, then waits until the server hangs up.
fn send_raw(address: &Address, bytes: &[u8]) {
    let mut stream = afar::tcp(address);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // A server that has hung up already takes no more.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = rest(&mut stream);
}

#[test]
fn handshakes_that_end_anywhere_or_are_flipped_anywhere_are_survived() {
    let server = Afar::new(DoorLimits { strangers_per_address_max: 64, ..DoorLimits::default() });
    let hello = client_hello(&server.address);
    for len in 0..hello.len() {
        send_raw(&server.address, &hello[..len]);
        let mut flipped = hello.clone();
        flipped[len] ^= 1 << (len % 8);
        send_raw(&server.address, &flipped);
    }
    for junk in [
        &[0; 1000][..],
        &[0xff; 1000],
        b"\x16\x03\x01\xff\xff",
        b"\x15\x03\x03\x00\x02\x02\x28",
        b"\x16\x03\x03\x00\x00",
    ] {
        send_raw(&server.address, junk);
        send_raw(&server.address, &[&hello[..], junk].concat());
        send_raw(&server.address, &[&hello[..], &hello[..], junk].concat());
    }
    assert!(server.callers.lock().unwrap().is_empty());
    server.assert_well();
}

/// Keeps what would be logged of those who were turned away.
#[derive(Debug)]
struct Watching {
    files: AdmissionFiles,
    turned_away: Arc<Mutex<Vec<String>>>,
}

impl Admission for Watching {
    fn by_token(&self, token: &Token, from: IpAddr) -> Result<Arc<str>, Failure> {
        self.files.by_token(token, from)
    }

    fn by_key(&self, key: &Fingerprint, from: IpAddr) -> Result<Arc<str>, Failure> {
        self.files.by_key(key, from)
    }

    fn withdrawn(&self, shown: &[Shown]) -> Vec<Shown> {
        self.files.withdrawn(shown)
    }

    fn turned_away(&self, why: &str, from: IpAddr) {
        assert!(from.is_loopback());
        self.turned_away.lock().unwrap().push(why.to_owned());
    }
}

#[test]
fn the_host_is_told_who_was_turned_away_and_why() {
    let directory = tempfile::tempdir().unwrap();
    let turned_away = Arc::<Mutex<Vec<String>>>::default();
    let watching = Watching { files: AdmissionFiles::default(), turned_away: Arc::clone(&turned_away) };
    let key = CertifiedKey::open_or_make(&directory.path().join("server.key")).unwrap();
    let limits = DoorLimits { time_max: Duration::from_millis(300), ..DoorLimits::default() };
    let door = Door::new(&key, Arc::new(watching), limits).unwrap();
    let server = Afar::behind(door, Credentials::None, directory);
    let told = |with: &dyn Fn()| {
        with();
        until("it is told", || !turned_away.lock().unwrap().is_empty());
        turned_away.lock().unwrap().drain(..).collect::<Vec<_>>().join(", ")
    };
    let address = &server.address;
    assert_eq!(told(&|| send_raw(address, b"GET / HTTP/1.1\r\n\r\n")), "it does not speak TLS");
    assert_eq!(told(&|| drop(client_hello(address))), "it left during the handshake");
    let half = b"\x16\x03\x01\x01\x00\x01\x00\x00\xfc";
    assert_eq!(told(&|| send_raw(address, half)), "it left during the handshake");
    assert_eq!(told(&|| wait_for_end(&mut afar::tcp(address))), "its handshake took too long");
    let other = || drop(afar::connect(address, &[b"h2"]).write_all(b"GET / HTTP/1.1\r\n\r\n"));
    assert_eq!(told(&other), "it speaks TLS, and another protocol inside");
    let none = "this server admits only those who show a token or a client certificate";
    assert_eq!(told(&|| drop(server.call_as(&Credentials::None))), none);
    let left = || afar::connect(address, &[b"carnet/1"]).write_all(b"abc").unwrap();
    assert_eq!(told(&left), "it left before it said who it is");
}

#[test]
fn a_silent_session_from_afar_ends() {
    let server = Afar::new(DoorLimits { idle_timeout: Duration::from_millis(50), ..DoorLimits::default() });
    let options = ConnectOptions::default();
    let transport = RemoteSession::connect_as(&server.address, options, &server.credentials).unwrap();
    let client = BoxClient(transport.root());
    assert_eq!(client.add(1, 2), Ok(3));
    until("its session is gone", || server.sessions() == 0);
    let why = client.add(1, 2).unwrap_err();
    assert_eq!(why.kind(), Kind::Unreachable);
    assert_eq!(why.details().message, "the session was silent for too long; this call was not sent");
}

/// Reads until the server hangs up, however it does.
fn wait_for_end(stream: &mut TcpStream) {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    rest(stream);
}

#[test]
fn strangers_have_little_time_however_they_spend_it() {
    let limits = DoorLimits { time_max: Duration::from_millis(300), ..DoorLimits::default() };
    let server = Afar::new(limits);
    let began = Instant::now();
    let mut silent = afar::tcp(&server.address);
    let mut half = afar::tcp(&server.address);
    half.write_all(&client_hello(&server.address)[..50]).unwrap();
    let mut unsaid = afar::connect(&server.address, &[b"carnet/1"]);
    unsaid.sock.set_read_timeout(Some(PATIENCE)).unwrap();
    unsaid.write_all(&afar::token_frame(&server.credentials)[..20]).unwrap();
    let (said, _) = rest(&mut unsaid);
    assert_eq!(
        farewell(&said),
        (Kind::TimedOut as u16, "the client did not say who it is in time".to_owned())
    );
    wait_for_end(&mut silent);
    wait_for_end(&mut half);
    assert!(began.elapsed() >= limits.time_max);
    assert!(server.callers.lock().unwrap().is_empty());
    server.assert_well();
}

#[test]
fn a_handshake_that_drips_has_no_more_time() {
    let limits = DoorLimits { time_max: Duration::from_millis(300), ..DoorLimits::default() };
    let server = Afar::new(limits);
    let mut stream = afar::tcp(&server.address);
    stream.set_nonblocking(true).unwrap();
    let deadline = Instant::now() + PATIENCE;
    // A record that says it is long, and never ends.
    let mut drops =
        b"\x16\x03\x01\x3f\xff\x01\x00\x3f\xfb\x03\x03".iter().copied().chain(std::iter::repeat(7));
    let mut next = Instant::now();
    loop {
        assert!(Instant::now() < deadline, "it never ends");
        match stream.read(&mut [0; 64]) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Ok(1..) => {}
            Ok(0) | Err(_) => break,
        }
        if Instant::now() >= next {
            next += Duration::from_millis(5);
            let _ = stream.write(&[drops.next().unwrap()]);
        }
        std::thread::yield_now();
    }
    server.assert_well();
}

#[test]
fn strangers_send_few_bytes() {
    let limits = DoorLimits { bytes_max: 4 << 10, ..DoorLimits::default() };
    let server = Afar::new(limits);
    let mut stream = afar::tcp(&server.address);
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    // A handshake message of 16 MiB in records of 16 KiB.
    let mut record = b"\x16\x03\x01\x40\x00\x01\xff\xff\xff".to_vec();
    record.resize(5 + (16 << 10), 0);
    let mut sent = 0;
    while sent < 64 << 20 && stream.write_all(&record).is_ok() {
        sent += record.len();
    }
    assert!(sent < 64 << 20, "it hung up");
    // An honest handshake is within that, and would not be within less.
    server.assert_well();
    let server = Afar::new(DoorLimits { bytes_max: 200, ..DoorLimits::default() });
    assert!(server.call_as(&server.credentials).is_err());
}

#[test]
fn sessions_of_one_address_are_bounded() {
    let server = Afar::new(DoorLimits { sessions_per_address_max: 2, ..DoorLimits::default() });
    let connect = || {
        let options = ConnectOptions::default();
        let transport = RemoteSession::connect_as(&server.address, options, &server.credentials).unwrap();
        let client = BoxClient(transport.root());
        client.add(1, 2).map(|_| client)
    };
    let (first, _second) = (connect().unwrap(), connect().unwrap());
    let refused = connect().map(|_| ()).unwrap_err();
    let text = "there are 2 sessions from your address, as many as may be; try again later";
    assert_eq!((refused.kind(), refused.details().message.as_str()), (Kind::Refused, text));
    drop(first);
    until("there is room again", || connect().is_ok());
}

/// `bob` has a token, too.
fn add_bob(directory: &Path) -> Credentials {
    let token = Token::generate().unwrap();
    let mut tokens = fs::OpenOptions::new().append(true).open(directory.join("tokens")).unwrap();
    writeln!(tokens, "bob {}", token.hash()).unwrap();
    Credentials::Token(token)
}

/// Calls that wait are made by four threads at most.
#[test]
fn one_principals_calls_that_wait_leave_a_thread_for_others() {
    let directory = tempfile::tempdir().unwrap();
    let (door, alice) = afar::door(directory.path(), afar::many());
    let bob = add_bob(directory.path());
    let mut options = ServerOptions { door: Some(door), threads: Threads::Loop, ..ServerOptions::default() };
    options.limits.blocking_max = 4;
    let world = World::new();
    let made = Arc::clone(&world);
    let roots = move |_: &Caller| Ok(Capability::new(made.root()));
    let server = Server::listen(&afar::anywhere(), options, roots).unwrap();
    let address = server.address();
    let connect = |credentials: &Credentials| {
        RemoteSession::connect_as(&address, ConnectOptions::default(), credentials).unwrap()
    };
    let bob = BoxClient(connect(&bob).root());
    std::thread::scope(|scope| {
        let wait = |client: BoxClient| scope.spawn(move || client.wait());
        let mut waiting: Vec<_> = (0..6).map(|_| wait(BoxClient(connect(&alice).root()))).collect();
        until("alice's clients are there", || server.sessions() == 7);
        world.wait_for_waiting(3);
        let begun = (1..=20).map(|adds| {
            bob.add(40, 2).unwrap();
            world.calls.load(Ordering::SeqCst) - adds
        });
        let begun: Vec<usize> = begun.collect();
        waiting.push(wait(bob));
        world.wait_for_waiting(4);
        world.open_gate();
        assert_eq!(begun, [3; 20], "alice has her share");
        waiting.into_iter().for_each(|call| assert_eq!(call.join().unwrap(), Ok(())));
    });
    server.shutdown(Instant::now() + PATIENCE);
}

/// Four pieces of memory are as many as all may hand over.
#[test]
fn one_principals_memory_leaves_room_for_others() {
    let directory = tempfile::tempdir().unwrap();
    let (door, alice) = afar::door(directory.path(), afar::many());
    let bob = add_bob(directory.path());
    let mut options = ServerOptions { door: Some(door), ..ServerOptions::default() };
    (options.limits.memory_session_bytes_max, options.limits.memory_bytes_max) = (128 << 10, 256 << 10);
    let options = ServerOptions { threads: support::threads(), ..options };
    let root = sums::root().0;
    let server = Server::listen(&afar::anywhere(), options, move |_: &Caller| Ok(root.clone())).unwrap();
    let address = server.address();
    let connect = |credentials: &Credentials| {
        RemoteSession::connect_as(&address, ConnectOptions::default(), credentials).unwrap()
    };
    let memory = Memory::of(b"x").unwrap();
    let refused = |session: &Arc<RemoteSession>| {
        let failure = session.hand_over(&memory).unwrap_err();
        (failure.kind(), failure.details().message.clone())
    };
    let of_alice = [connect(&alice), connect(&alice)];
    let [one, _two, _three] = [0, 0, 1].map(|session| of_alice[session].hand_over(&memory).unwrap());
    let text = "1 bytes more than the sessions of one principal may hand over: 196608 at the same time";
    assert_eq!(refused(&of_alice[1]), (Kind::Refused, text.to_owned()));
    let of_bob = connect(&bob);
    let _four = of_bob.hand_over(&memory).unwrap();
    let text = "1 bytes more than the sessions of this server may hand over: 262144 at the same time";
    assert_eq!(refused(&of_bob), (Kind::Refused, text.to_owned()));
    drop(one);
    until("what alice gave back is there", || of_bob.hand_over(&memory).is_ok());
    server.shutdown(Instant::now() + PATIENCE);
}

/// Twelve of one principal, none of whom is let in before it is known of all whether they are.
#[test]
fn those_who_come_at_once_are_no_more_than_may_be() {
    let directory = tempfile::tempdir().unwrap();
    let (door, credentials) = afar::door(directory.path(), afar::many());
    let mut options =
        ServerOptions { door: Some(door), threads: support::threads(), ..ServerOptions::default() };
    (options.limits.sessions_max, options.limits.sessions_per_principal_max) = (2, 1);
    let known = Arc::new((Mutex::new(0), Condvar::new()));
    let one_more = |known: &(Mutex<usize>, Condvar)| {
        let mut count = known.0.lock().unwrap();
        *count += 1;
        known.1.notify_all();
        drop(known.1.wait_timeout_while(count, PATIENCE, |count| *count < 12).unwrap());
    };
    let (world, inside) = (World::new(), Arc::clone(&known));
    let roots = move |_: &Caller| {
        one_more(&inside);
        Ok(Capability::new(world.root()))
    };
    let server = Server::listen(&afar::anywhere(), options, roots).unwrap();
    let call = || {
        let options = ConnectOptions::default();
        let transport = RemoteSession::connect_as(&server.address(), options, &credentials).unwrap();
        let answer = BoxClient(transport.root()).add(40, 2);
        if answer.is_err() {
            let text = refused(answer);
            assert_eq!(text, "alice has 1 sessions, as many as one user may; end one first");
            one_more(&known);
            return None;
        }
        Some(transport)
    };
    let served = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..12).map(|_| scope.spawn(call)).collect();
        calls.into_iter().filter_map(|call| call.join().unwrap()).count()
    });
    assert_eq!(served, 1);
    until("it is gone", || server.sessions() == 0);
    assert!(call().is_some(), "its place is free");
    server.shutdown(Instant::now() + PATIENCE);
}

#[test]
fn a_shutdown_does_not_wait_for_strangers() {
    let limits = DoorLimits { time_max: Duration::from_secs(600), ..DoorLimits::default() };
    let mut server = Afar::new(limits);
    let mut silent = afar::tcp(&server.address);
    server.assert_well();
    let stopped = server.server.take().unwrap().shutdown(Instant::now() + PATIENCE);
    assert_eq!(stopped, carnet_portal::server::Stopped::Ended);
    wait_for_end(&mut silent);
}

/// What befalls a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    Cut,
    Flip,
}

/// Carries bytes to the server and back until `after` of them went to the server, then cuts both off, or flips a bit
/// of the next and goes on.
fn harm(server: &Address, after: usize, harm: Harm) -> (Address, std::thread::JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let onward = afar::place(server);
    let Address::Carnet(_, fingerprint) = server else { panic!("no address of clients") };
    let address = Address::Carnet(Place { host: "127.0.0.1".to_owned(), port }, *fingerprint);
    let thread = std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut server = TcpStream::connect((onward.0.as_str(), onward.1)).unwrap();
        let (mut from_server, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let back = std::thread::spawn(move || {
            let _ = std::io::copy(&mut from_server, &mut to_client);
            let _ = to_client.shutdown(std::net::Shutdown::Both);
        });
        let (mut buffer, mut sent) = (vec![0; 64 << 10], 0);
        while let Ok(read @ 1..) = client.read(&mut buffer) {
            let whole = read.min(after - sent.min(after));
            let part = &mut buffer[..if harm == Harm::Flip { read } else { whole }];
            if harm == Harm::Flip && (sent..sent + read).contains(&after) {
                part[after - sent] ^= 1;
            }
            sent += part.len();
            if server.write_all(part).is_err() || (harm == Harm::Cut && sent >= after) {
                break;
            }
        }
        let _ = server.shutdown(std::net::Shutdown::Both);
        let _ = client.shutdown(std::net::Shutdown::Both);
        back.join().unwrap();
        sent
    });
    (address, thread)
}

/// A session of some calls over `address`.
fn converse(address: &Address, credentials: &Credentials) -> Result<(), Failure> {
    // A length made longer makes both sides wait for what never comes.
    let soon = Duration::from_millis(300);
    let options =
        ConnectOptions { connect_timeout: soon, call_timeout: Some(soon), ..ConnectOptions::default() };
    let transport = RemoteSession::connect_as(address, options, credentials)?;
    let client = BoxClient(transport.root());
    client.add(1, 2)?;
    client.open("label").map(|_| ())?;
    client.echo(&[7; 3000]).map(|_| ())
}

#[test]
fn a_cut_or_a_flipped_bit_anywhere_is_a_value_and_leaves_nothing() {
    let server = Afar::new(DoorLimits { strangers_per_address_max: 64, ..DoorLimits::default() });
    let (address, thread) = harm(&server.address, usize::MAX, Harm::Cut);
    assert_eq!(converse(&address, &server.credentials), Ok(()));
    let whole = thread.join().unwrap();
    // Behind the last call come a release and the end, which nobody waits for.
    for what in [Harm::Cut, Harm::Flip] {
        for after in (0..whole - 120).step_by(29) {
            let (address, thread) = harm(&server.address, after, what);
            match converse(&address, &server.credentials) {
                Err(failure) => {
                    let told = [Kind::PeerDied, Kind::Unreachable, Kind::Refused, Kind::TimedOut];
                    assert!(told.contains(&failure.kind()), "{failure:?} {what:?} after {after}");
                }
                // The version in a record's header means nothing any more, and nobody looks at it.
                Ok(()) => assert!(what == Harm::Flip, "cut after {after}"),
            }
            thread.join().unwrap();
        }
    }
    until("all sessions are gone", || server.sessions() == 0);
    server.assert_well();
}
