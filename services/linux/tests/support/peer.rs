//! Who stands on the other side of programs that ship: what they send there, and what comes back.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use carnet_programs::{
    ANSWER_TCP, ANSWER_UDP, ASK_TCP, ASK_UDP, BROADCAST_TCP, BROADCAST_UDP, FILE_COPY, SEND_TCP, Shipped,
};

/// How long anybody waits for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The other side of a program: what it is told, and what comes there.
pub(crate) struct Peer {
    pub(crate) connect: Vec<u16>,
    pub(crate) bind: Vec<u16>,
    pub(crate) arguments: Vec<String>,
    pub(crate) seen: Box<dyn FnOnce() -> Vec<String> + Send>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    listener.set_nonblocking(true).expect("it is a socket");
    (listener, port)
}

fn datagrams() -> (UdpSocket, u16) {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    socket.set_read_timeout(Some(PATIENCE)).expect("a time");
    let port = socket.local_addr().expect("it is bound").port();
    (socket, port)
}

/// Tries until it is there; `None` if that is not before long: the test has left the other side to itself.
pub(crate) fn before_long<T>(look: impl Fn() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    loop {
        let found = look();
        if found.is_some() || began.elapsed() > PATIENCE {
            return found;
        }
        thread::yield_now();
    }
}

/// What comes on the next connection up to its end, and what is answered.
fn answers(listener: &TcpListener, answer: &[u8]) -> String {
    let Some((mut client, _)) = before_long(|| listener.accept().ok()) else { return "nobody".to_owned() };
    client.set_nonblocking(false).expect("it is a socket");
    client.set_read_timeout(Some(PATIENCE)).expect("a time");
    let mut all = Vec::new();
    let ended = client.read_to_end(&mut all).is_ok();
    let _ = client.write_all(answer);
    format!("{} {ended}", text(&all))
}

/// Nobody else has come.
fn no_more(listener: &TcpListener) -> String {
    listener.accept().map_or_else(|error| format!("{:?}", error.kind()), |_| "one more".to_owned())
}

/// No other datagram has.
fn none_left(socket: &UdpSocket) -> String {
    socket.set_nonblocking(true).expect("it is a socket");
    let left = socket.recv(&mut [0; 99]);
    left.map_or_else(|error| format!("{:?}", error.kind()), |_| "one more".to_owned())
}

/// Asks as soon as somebody listens.
fn asks_tcp(port: u16, question: &'static [u8]) -> JoinHandle<String> {
    thread::spawn(move || {
        let connected = before_long(|| TcpStream::connect(("127.0.0.1", port)).ok());
        let Some(mut server) = connected else { return "nobody".to_owned() };
        server.set_read_timeout(Some(PATIENCE)).expect("a time");
        server.write_all(question).expect("it is taken");
        server.shutdown(Shutdown::Write).expect("it is open");
        let mut answer = Vec::new();
        let ended = server.read_to_end(&mut answer).is_ok();
        format!("{} {ended}", text(&answer))
    })
}

/// Two questions, one after the other, and their answers.
fn asks_udp(socket: UdpSocket, port: u16) -> JoinHandle<Vec<String>> {
    thread::spawn(move || {
        socket.connect(("127.0.0.1", port)).expect("an address");
        // Where nobody is bound yet, the system says so, and the question is gone.
        let ask = |question: &[u8]| {
            let mut answer = [0; 99];
            socket.send(question).ok()?;
            let len = socket.recv(&mut answer).ok()?;
            Some(text(&answer[..len]))
        };
        let mut seen: Vec<String> =
            [&b"a"[..], b"bcd"].into_iter().filter_map(|question| before_long(|| ask(question))).collect();
        seen.push(none_left(&socket));
        seen
    })
}

/// A port that is free, and that the system gives to nobody by itself: whoever connects to one of those before somebody listens may
/// find himself at the other end.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let next = NEXT.fetch_add(1, Ordering::Relaxed) + 97 * std::process::id();
        let port = 20_000 + (next % 10_000) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() && UdpSocket::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Who stands on the other side of a program.
pub(crate) fn peer(program: Shipped, files: &Path) -> Peer {
    let mut peer =
        Peer { connect: Vec::new(), bind: Vec::new(), arguments: Vec::new(), seen: Box::new(Vec::new) };
    let mut arguments = |given: &[&str]| {
        let ip = if program == FILE_COPY { None } else { Some("ip=0x7f000001") };
        let given = ["system="].into_iter().chain(ip).chain(given.iter().copied());
        peer.arguments = given.map(str::to_owned).collect();
    };
    match program {
        FILE_COPY => {
            let (from, to) = (files.join("from"), files.join("to"));
            std::fs::write(from, b"all that there is".repeat(7_000)).expect("it is written");
            arguments(&["from=from", "to=to"]);
            peer.seen = Box::new(move || vec![format!("{:?}", std::fs::read(to).map(|all| all.len()))]);
        }
        SEND_TCP | ASK_TCP => {
            let (listener, port) = listener();
            let what = if program == SEND_TCP { &["data=hello", "times=3"][..] } else { &["request=hello"] };
            arguments(&[&[&*format!("port={port}")], what].concat());
            peer.connect = vec![port];
            let serving = thread::spawn(move || vec![answers(&listener, b"yes"), no_more(&listener)]);
            peer.seen = Box::new(|| serving.join().expect("it ends"));
        }
        BROADCAST_TCP => {
            let [(first, a), (second, b)] = [listener(), listener()];
            let step = i32::from(b) - i32::from(a);
            arguments(&[&format!("port={a}"), &format!("port_step={step}"), "data=hello", "count=2"]);
            peer.connect = vec![a, b];
            let serving = thread::spawn(move || {
                [first, second].into_iter().flat_map(|one| [answers(&one, b""), no_more(&one)]).collect()
            });
            peer.seen = Box::new(|| serving.join().expect("it ends"));
        }
        ANSWER_TCP => {
            let port = free_port();
            arguments(&[&format!("port={port}"), "answer=yes", "clients=2"]);
            peer.bind = vec![port];
            let asking = [asks_tcp(port, b"a"), asks_tcp(port, b"bcd")];
            peer.seen = Box::new(|| asking.into_iter().map(|one| one.join().expect("it ends")).collect());
        }
        ASK_UDP => {
            let (socket, port) = datagrams();
            arguments(&[&format!("port={port}"), "request=abc", "wait=2_000", "tries=1"]);
            peer.connect = vec![port];
            let serving = thread::spawn(move || {
                let mut asked = [0; 99];
                let Ok((len, from)) = socket.recv_from(&mut asked) else { return vec!["nobody".to_owned()] };
                let _ = socket.send_to(b"yes", from);
                vec![text(&asked[..len]), none_left(&socket)]
            });
            peer.seen = Box::new(|| serving.join().expect("it ends"));
        }
        ANSWER_UDP => {
            let ((socket, theirs), port) = (datagrams(), free_port());
            arguments(&[&format!("port={port}"), "answer=yes", "datagrams=2"]);
            (peer.connect, peer.bind) = (vec![theirs], vec![port]);
            let asking = asks_udp(socket, port);
            peer.seen = Box::new(|| asking.join().expect("it ends"));
        }
        BROADCAST_UDP => {
            let [(first, a), (second, b)] = [datagrams(), datagrams()];
            let step = i32::from(b) - i32::from(a);
            arguments(&[&format!("port={a}"), &format!("port_step={step}"), "data=hello", "count=2"]);
            peer.connect = vec![a, b];
            peer.seen = Box::new(move || {
                let got = [first, second].into_iter().flat_map(|one| {
                    let mut got = [0; 99];
                    let len = one.recv(&mut got).expect("it came");
                    [text(&got[..len]), none_left(&one)]
                });
                got.collect()
            });
        }
        other => panic!("nobody stands on the other side of {}", other.file),
    }
    peer
}
