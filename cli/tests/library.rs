//! The programs that ship for Linux calls, by name, against real files and real sockets on the loopback interface.

mod support;

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddrV4, TcpListener, TcpStream, UdpSocket};
use std::process::Output;
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SendFlags, SocketType};
use support::{PATIENCE, Place, approval, free_port};

const LOOPBACK: &str = "ip=0x7f000001";

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// A served directory whose sessions may connect to these ports and listen on those.
fn served(connect: &[u16], bind: &[u16]) -> Place {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    let mut words: Vec<String> =
        ["serve", "linux", "./data", "--listen", "unix:./c.sock"].map(String::from).into();
    connect.iter().for_each(|port| words.extend(["--connect".to_owned(), port.to_string()]));
    bind.iter().for_each(|port| words.extend(["--bind".to_owned(), port.to_string()]));
    place.serve(&words.iter().map(String::as_str).collect::<Vec<_>>());
    place
}

/// Runs a program by its name, as its bill was approved.
fn run(place: &Place, program: &str, arguments: &[&str]) -> Output {
    let all = ["system="].iter().chain(arguments);
    let bill = text(&place.carnet(&["bill", program].iter().chain(all.clone()).copied().collect::<Vec<_>>()));
    let approve = ["--approve", approval(&bill)];
    place.carnet(&["run", program].iter().chain(all).chain(&approve).copied().collect::<Vec<_>>())
}

#[track_caller]
fn done(output: &Output, result: &str) {
    let text = text(output);
    assert!(output.status.success() && text.starts_with(result), "{text}");
}

fn port(listener: &TcpListener) -> u16 {
    listener.local_addr().expect("it is bound").port()
}

fn udp() -> (UdpSocket, u16) {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a port");
    socket.set_read_timeout(Some(PATIENCE)).expect("a time");
    let port = socket.local_addr().expect("it is bound").port();
    (socket, port)
}

/// The next who connects, who must do so before long.
fn accepted(listener: &TcpListener) -> TcpStream {
    let began = Instant::now();
    listener.set_nonblocking(true).expect("it is a socket");
    loop {
        if let Ok((client, _)) = listener.accept() {
            client.set_nonblocking(false).expect("it is a socket");
            client.set_read_timeout(Some(PATIENCE)).expect("a time");
            return client;
        }
        assert!(began.elapsed() < PATIENCE, "nobody connects");
        std::thread::yield_now();
    }
}

/// What comes on a connection, up to its end.
fn received(listener: &TcpListener) -> Vec<u8> {
    let mut client = accepted(listener);
    let mut all = Vec::new();
    client.read_to_end(&mut all).expect("it ends");
    all
}

/// Connects as soon as somebody listens.
fn connected(port: u16) -> TcpStream {
    let began = Instant::now();
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => {
                stream.set_read_timeout(Some(PATIENCE)).expect("a time");
                return stream;
            }
            Err(error) => assert!(began.elapsed() < PATIENCE, "{error}"),
        }
        std::thread::yield_now();
    }
}

#[test]
fn file_copy_makes_the_same_file() {
    let place = served(&[], &[]);
    let long: Vec<u8> = (0..(3 << 20) + 7_u32).map(|at| (at ^ (at >> 9)) as u8).collect();
    for content in [&b""[..], b"short", &long] {
        place.write("data/from", content);
        place.write("data/to", b"what was there before");
        let bytes = content.len().to_string();
        let thousands =
            bytes.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",");
        done(&run(&place, "+file_copy", &["from=from", "to=to"]), &format!("done  {thousands}\n"));
        assert_eq!(std::fs::read(place.path("data/to")).expect("it is there"), content);
    }
    let missing = run(&place, "+file_copy", &["from=nothing", "to=to"]);
    assert_eq!(missing.status.code(), Some(1), "{}", text(&missing));
    let outside = run(&place, "+file_copy", &["from=../c.sock", "to=to"]);
    assert_eq!(outside.status.code(), Some(1), "{}", text(&outside));
}

#[test]
fn send_tcp_sends_what_a_client_would() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let (there, nowhere) = (port(&listener), free_port());
    let place = served(&[there, nowhere], &[]);
    std::thread::scope(|scope| {
        let got = scope.spawn(|| received(&listener));
        let arguments = [LOOPBACK, &format!("port={there}"), "data=hello", "times=1_000"];
        done(&run(&place, "+send_tcp", &arguments), "done  5,000\n");
        assert_eq!(got.join().expect("it is read"), b"hello".repeat(1_000));
    });
    let refused = run(&place, "+send_tcp", &[LOOPBACK, &format!("port={nowhere}"), "data=x"]);
    assert!(
        refused.status.code() == Some(1) && text(&refused).contains("System.connect"),
        "{}",
        text(&refused)
    );
    // Neither may it connect where its server does not let it.
    let forbidden = run(&place, "+send_tcp", &[LOOPBACK, &format!("port={}", free_port()), "data=x"]);
    assert_eq!(forbidden.status.code(), Some(1), "{}", text(&forbidden));
}

#[test]
fn ask_tcp_gives_back_the_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let place = served(&[port(&listener)], &[]);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut client = accepted(&listener);
            let mut asked = String::new();
            client.read_to_string(&mut asked).expect("it ends");
            // In two parts: an answer goes on until its end.
            client.write_all(asked.to_uppercase().as_bytes()).expect("it reads");
            client.write_all(b"!").expect("it reads");
        });
        let arguments = [LOOPBACK, &format!("port={}", port(&listener)), "request=hello"];
        // Bytes are shown in hexadecimal.
        done(&run(&place, "+ask_tcp", &arguments), "done  48454c4c4f21\n");
    });
}

#[test]
fn answer_tcp_answers_each_client() {
    let at = free_port();
    let place = served(&[], &[at]);
    std::thread::scope(|scope| {
        let program = scope.spawn(|| {
            run(&place, "+answer_tcp", &[LOOPBACK, &format!("port={at}"), "answer=yes", "clients=2"])
        });
        // One that goes away with a reset, without its answer, is not counted.
        let hasty = connected(at);
        rustix::net::sockopt::set_socket_linger(&hasty, Some(Duration::ZERO)).expect("it is a socket");
        drop(hasty);
        for question in [&b"a"[..], b"bcd"] {
            let mut client = connected(at);
            client.write_all(question).expect("it is read");
            client.shutdown(Shutdown::Write).expect("it is open");
            let mut answer = Vec::new();
            client.read_to_end(&mut answer).expect("it ends");
            assert_eq!(answer, b"yes");
        }
        done(&program.join().expect("it ends"), "done  4\n");
    });
}

#[test]
fn ask_udp_asks_again_until_somebody_answers() {
    let (socket, at) = udp();
    let place = served(&[at], &[]);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut buffer = [0; 100];
            // The first one is lost.
            socket.recv_from(&mut buffer).expect("it asks");
            let (len, from) = socket.recv_from(&mut buffer).expect("it asks again");
            buffer[..len].reverse();
            socket.send_to(&buffer[..len], from).expect("it is sent");
        });
        let arguments = [LOOPBACK, &format!("port={at}"), "request=abc", "wait=50", "tries=20"];
        done(&run(&place, "+ask_udp", &arguments), "done  636261\n");
    });
    let silent =
        run(&place, "+ask_udp", &[LOOPBACK, &format!("port={at}"), "request=abc", "wait=1", "tries=2"]);
    assert!(silent.status.code() == Some(1) && text(&silent).contains("no answer came"), "{}", text(&silent));
}

#[test]
fn answer_udp_answers_each_datagram() {
    let (socket, _) = udp();
    let at = free_port();
    // To no port may it send but to those who have asked.
    let place = served(&[], &[at]);
    std::thread::scope(|scope| {
        let program = scope.spawn(|| {
            run(&place, "+answer_udp", &[LOOPBACK, &format!("port={at}"), "answer=yes", "datagrams=2"])
        });
        socket.connect(("127.0.0.1", at)).expect("an address");
        let began = Instant::now();
        for question in [&b"a"[..], b"bcd"] {
            let mut answer = [0; 10];
            // Where nobody listens yet, the system refuses it.
            let len = loop {
                assert!(began.elapsed() < PATIENCE, "no answer");
                if let Ok(len) = socket.send(question).and_then(|_| socket.recv(&mut answer)) {
                    break len;
                }
            };
            assert_eq!(&answer[..len], b"yes");
        }
        done(&program.join().expect("it ends"), "done  4\n");
    });
}

/// A datagram from no port, to which nothing can be sent back: who may not send such is told so.
fn nameless(to: u16, data: &[u8]) -> rustix::io::Result<()> {
    let (v4, raw) = (AddressFamily::INET, SocketType::RAW);
    let socket = rustix::net::socket(v4, raw, Some(rustix::net::ipproto::UDP))?;
    let len = (8 + data.len()) as u16;
    // Ports, length, and no sum.
    let header = [[0; 2], to.to_be_bytes(), len.to_be_bytes(), [0; 2]].concat();
    let to = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0);
    rustix::net::sendto(socket, &[&header, data].concat(), SendFlags::empty(), &to).map(drop)
}

#[test]
fn whoever_names_no_port_ends_no_server_of_datagrams() {
    let (socket, _) = udp();
    let at = free_port();
    match nameless(at, b"") {
        Ok(()) | Err(rustix::io::Errno::CONNREFUSED) => {}
        Err(errno) => {
            // Said also where the tests pass.
            let _ = writeln!(std::io::stderr(), "SKIPPED: no raw sockets here: {errno}");
            return;
        }
    }
    let place = served(&[], &[at]);
    std::thread::scope(|scope| {
        let program = scope.spawn(|| {
            run(&place, "+answer_udp", &[LOOPBACK, &format!("port={at}"), "answer=yes", "datagrams=3"])
        });
        socket.connect(("127.0.0.1", at)).expect("an address");
        let asked = |question: &[u8]| {
            let (began, mut answer) = (Instant::now(), [0; 10]);
            while socket.send(question).and_then(|_| socket.recv(&mut answer)).is_err() {
                assert!(began.elapsed() < PATIENCE, "no answer");
            }
        };
        asked(b"a");
        nameless(at, b"bc").expect("as before");
        asked(b"def");
        done(&program.join().expect("it ends"), "done  6\n");
    });
}

/// To the first address there is no way: it is one of many.
fn broadcasts_go_on_behind_who_cannot_be_reached(place: &Place, listener: &TcpListener) {
    let (many, one) = (0xe000_0001_i64, 0x7f00_0001_i64);
    let (ip, step) = (format!("ip={many}"), format!("ip_step={}", one - many));
    let port = format!("port={}", port(listener));
    std::thread::scope(|scope| {
        let got = scope.spawn(|| received(listener));
        done(&run(place, "+broadcast_tcp", &[&ip, &port, &step, "data=hello", "count=2"]), "done  1\n");
        assert_eq!(got.join().expect("it is read"), b"hello");
    });
}

#[test]
fn broadcasts_reach_all_who_are_there() {
    let listeners = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let sockets = [udp(), udp()];
    let ports = listeners.each_ref().map(port);
    let nobody = free_port();
    let place = served(&[ports[0], ports[1], sockets[0].1, sockets[1].1, nobody], &[]);
    let to = |first: u16, second: u16| {
        [format!("port={first}"), format!("port_step={}", i64::from(second) - i64::from(first))]
    };
    std::thread::scope(|scope| {
        let got = listeners.each_ref().map(|listener| scope.spawn(|| received(listener)));
        let [port, step] = to(ports[0], ports[1]);
        done(&run(&place, "+broadcast_tcp", &[LOOPBACK, &port, &step, "data=hello", "count=2"]), "done  2\n");
        for one in got {
            assert_eq!(one.join().expect("it is read"), b"hello");
        }
        let last = scope.spawn(|| received(&listeners[1]));
        let [port, step] = to(nobody, ports[1]);
        done(&run(&place, "+broadcast_tcp", &[LOOPBACK, &port, &step, "data=again", "count=2"]), "done  1\n");
        assert_eq!(last.join().expect("it is read"), b"again");
    });
    broadcasts_go_on_behind_who_cannot_be_reached(&place, &listeners[0]);
    let [port, step] = to(sockets[0].1, sockets[1].1);
    done(&run(&place, "+broadcast_udp", &[LOOPBACK, &port, &step, "data=hello", "count=2"]), "done  10\n");
    for (socket, _) in &sockets {
        let mut got = [0; 10];
        let len = socket.recv(&mut got).expect("it came");
        assert_eq!(&got[..len], b"hello");
    }
}

#[test]
fn a_name_that_no_program_has_is_told() {
    let place = Place::new();
    let near = place.carnet(&["check", "+send_tpc"]);
    assert_eq!(near.status.code(), Some(2));
    assert!(text(&near).contains("did you mean `+send_tcp`?"), "{}", text(&near));
    let far = text(&place.carnet(&["check", "+x"]));
    assert!(far.contains("no program `x` comes with this command\nthere are: copy_tree, "), "{far}");
}
