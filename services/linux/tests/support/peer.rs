//! Who stands on the other side of programs that ship: what they send there, and what comes back.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use carnet_programs::{
    ANSWER_TCP, ANSWER_UDP, ASK_TCP, ASK_UDP, BROADCAST_TCP, BROADCAST_UDP, FILE_COPY, SEND_TCP, Shipped,
};

/// How long anybody waits for anything: what is written down goes to the disk, and a disk that is busy takes half a minute for that.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// What passes between two looks.
const BETWEEN: Duration = Duration::from_millis(1);

/// The other side of a program: what it is told, and what comes there.
pub(crate) struct Peer {
    pub(crate) connect: Vec<u16>,
    pub(crate) bind: Vec<u16>,
    pub(crate) arguments: Vec<String>,
    pub(crate) seen: Box<dyn FnOnce() -> Vec<String> + Send>,
    over: Over,
}

/// Whether the test has left the other side to itself.
#[derive(Clone, Default)]
struct IsOver(Arc<AtomicBool>);

impl IsOver {
    fn get(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Tries until it is there, or the test is over.
    fn or<T>(&self, look: impl Fn() -> Option<T>) -> Option<T> {
        loop {
            let found = look();
            if found.is_some() || self.get() {
                return found;
            }
            thread::park_timeout(BETWEEN);
        }
    }
}

/// Tells it when it is dropped.
#[derive(Default)]
struct Over(IsOver);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::SeqCst);
    }
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

/// What comes on the next connection up to its end, and what is answered.
fn answers(listener: &TcpListener, answer: &[u8], over: &IsOver) -> String {
    let Some((mut client, _)) = over.or(|| listener.accept().ok()) else { return "nobody".to_owned() };
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
fn asks_tcp(port: u16, question: &'static [u8], over: IsOver) -> JoinHandle<String> {
    thread::spawn(move || {
        let connected = over.or(|| TcpStream::connect(("127.0.0.1", port)).ok());
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
fn asks_udp(socket: UdpSocket, port: u16, over: IsOver) -> JoinHandle<Vec<String>> {
    thread::spawn(move || {
        socket.connect(("127.0.0.1", port)).expect("an address");
        socket.set_read_timeout(Some(BETWEEN)).expect("a time");
        // Where nobody is bound yet, the system says so, and the question is gone; where it says nothing, the question is there.
        let ask = |question: &[u8]| {
            let mut answer = [0; 99];
            socket.send(question).ok()?;
            loop {
                match socket.recv(&mut answer) {
                    Ok(len) => return Some(text(&answer[..len])),
                    Err(error) if error.kind() == ErrorKind::WouldBlock && !over.get() => {}
                    Err(_) => return None,
                }
            }
        };
        let mut seen: Vec<String> =
            [&b"a"[..], b"bcd"].into_iter().filter_map(|question| over.or(|| ask(question))).collect();
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
    let over = Over::default();
    let is_over = over.0.clone();
    let (connect, bind, arguments) = (Vec::new(), Vec::new(), Vec::new());
    let mut peer = Peer { connect, bind, arguments, seen: Box::new(Vec::new), over };
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
            let serving =
                thread::spawn(move || vec![answers(&listener, b"yes", &is_over), no_more(&listener)]);
            peer.seen = Box::new(|| serving.join().expect("it ends"));
        }
        BROADCAST_TCP => {
            let [(first, a), (second, b)] = [listener(), listener()];
            let step = i32::from(b) - i32::from(a);
            arguments(&[&format!("port={a}"), &format!("port_step={step}"), "data=hello", "count=2"]);
            peer.connect = vec![a, b];
            let serving = thread::spawn(move || {
                let both = [first, second].into_iter();
                both.flat_map(|one| [answers(&one, b"", &is_over), no_more(&one)]).collect()
            });
            peer.seen = Box::new(|| serving.join().expect("it ends"));
        }
        ANSWER_TCP => {
            let port = free_port();
            arguments(&[&format!("port={port}"), "answer=yes", "clients=2"]);
            peer.bind = vec![port];
            let asking = [asks_tcp(port, b"a", is_over.clone()), asks_tcp(port, b"bcd", is_over)];
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
            let asking = asks_udp(socket, port, is_over);
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
