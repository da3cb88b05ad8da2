//! What crosses a relay, when, and what is counted.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use carnet_sim::{Counts, Direction, DyingPeer, Fault, Relay, RelayOptions, Step};

struct Setup {
    relay: Relay,
    client: UnixStream,
    server: UnixStream,
    _directory: tempfile::TempDir,
}

fn paths(directory: &tempfile::TempDir) -> (PathBuf, PathBuf) {
    (directory.path().join("relay"), directory.path().join("server"))
}

fn setup(round_trip: Duration, faults: &[Fault]) -> Setup {
    let directory = tempfile::tempdir().unwrap();
    let (front, back) = paths(&directory);
    let listener = UnixListener::bind(&back).unwrap();
    let relay = Relay::start(&front, &back, RelayOptions { round_trip, faults: faults.to_vec() }).unwrap();
    let client = UnixStream::connect(&front).unwrap();
    let (server, _) = listener.accept().unwrap();
    for socket in [&client, &server] {
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    }
    Setup { relay, client, server, _directory: directory }
}

fn read(socket: &mut UnixStream, bytes: usize) -> Vec<u8> {
    let mut buffer = vec![0; bytes];
    socket.read_exact(&mut buffer).unwrap();
    buffer
}

fn read_all(socket: &mut UnixStream) -> Vec<u8> {
    let mut buffer = Vec::new();
    socket.read_to_end(&mut buffer).unwrap();
    buffer
}

/// The least of some trials: a busy machine makes a trial longer, nothing makes it shorter.
fn measured_round_trip(round_trip: Duration, trials: usize) -> Duration {
    let mut setup = setup(round_trip, &[]);
    (0..trials)
        .map(|_| {
            let start = Instant::now();
            setup.client.write_all(b"ping").unwrap();
            read(&mut setup.server, 4);
            setup.server.write_all(b"pong!").unwrap();
            read(&mut setup.client, 5);
            start.elapsed()
        })
        .min()
        .unwrap()
}

#[test]
fn a_round_trip_takes_as_long_as_configured() {
    for (configured_us, trials) in [(1_000, 60), (20_000, 10)] {
        let configured = Duration::from_micros(configured_us);
        let measured = measured_round_trip(configured, trials);
        assert!(measured >= configured, "{measured:?} for {configured:?}");
        assert!(measured < configured + Duration::from_micros(500), "{measured:?} for {configured:?}");
    }
}

#[test]
fn what_follows_closely_arrives_closely() {
    let round_trip = Duration::from_millis(40);
    let mut setup = setup(round_trip, &[]);
    let start = Instant::now();
    for i in 0..100_u8 {
        setup.client.write_all(&[i]).unwrap();
    }
    let arrived = read(&mut setup.server, 100);
    assert!(arrived.into_iter().eq(0..100));
    let took = start.elapsed();
    assert!(took >= round_trip / 2, "{took:?}");
    assert!(took < round_trip * 10, "each byte waited for the one before: {took:?}");
}

#[test]
fn bytes_and_turns_are_counted() {
    let mut setup = setup(Duration::ZERO, &[]);
    for _ in 0..3 {
        setup.client.write_all(b"12345").unwrap();
        read(&mut setup.server, 5);
        setup.server.write_all(b"123").unwrap();
        read(&mut setup.client, 3);
    }
    setup.server.write_all(b"more").unwrap();
    read(&mut setup.client, 4);
    let counted = Counts { connections: 1, to_server_bytes: 15, to_client_bytes: 13, round_trips: 3 };
    assert_eq!(setup.relay.counts(), counted);
    setup.relay.reset();
    assert_eq!(setup.relay.counts(), Counts::default());
}

#[test]
fn much_crosses_whole() {
    let mut setup = setup(Duration::from_millis(1), &[]);
    let bytes: Vec<u8> = (0..20_000_000_u32).map(|i| (i / 3) as u8).collect();
    let sent = bytes.clone();
    let mut client = setup.client.try_clone().unwrap();
    let writer = std::thread::spawn(move || {
        client.write_all(&sent).unwrap();
        client.shutdown(std::net::Shutdown::Write).unwrap();
    });
    assert!(read_all(&mut setup.server) == bytes);
    writer.join().unwrap();
    setup.server.write_all(b"after the other direction has ended").unwrap();
    drop(setup.server);
    assert_eq!(read_all(&mut setup.client), b"after the other direction has ended");
}

#[test]
fn a_cut_ends_both_directions_at_its_byte() {
    let fault = Fault::Cut { direction: Direction::ToServer, after: 7 };
    let mut setup = setup(Duration::ZERO, &[fault]);
    setup.client.write_all(b"0123456789").unwrap();
    assert_eq!(read_all(&mut setup.server), b"0123456");
    assert_eq!(read_all(&mut setup.client), b"");
}

#[test]
fn a_bit_is_flipped_where_it_is_wanted() {
    let fault = Fault::FlipBit { direction: Direction::ToClient, byte: 2, bit: 5 };
    let mut setup = setup(Duration::ZERO, &[fault]);
    setup.server.write_all(b"ab").unwrap();
    assert_eq!(read(&mut setup.client, 2), b"ab");
    setup.server.write_all(b"cd").unwrap();
    assert_eq!(read(&mut setup.client, 2), b"Cd");
}

#[test]
fn a_stalled_direction_stays_open_and_silent() {
    let fault = Fault::Stall { direction: Direction::ToServer, after: 3 };
    let mut setup = setup(Duration::ZERO, &[fault]);
    setup.client.write_all(b"0123456789").unwrap();
    assert_eq!(read(&mut setup.server, 3), b"012");
    setup.server.write_all(b"still here").unwrap();
    assert_eq!(read(&mut setup.client, 10), b"still here");
    setup.server.set_nonblocking(true).unwrap();
    let error = setup.server.read(&mut [0; 1]).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn a_dropped_relay_ends_its_connections() {
    let Setup { relay, mut client, mut server, .. } = setup(Duration::from_secs(100), &[]);
    client.write_all(b"never arrives").unwrap();
    let path = relay.path().unwrap().to_owned();
    drop(relay);
    assert_eq!(read_all(&mut server), b"");
    assert!(!matches!(client.read(&mut [0; 1]), Ok(1..)));
    assert!(!path.exists());
}

#[test]
fn tcp_is_delayed_and_counted_like_a_unix_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let round_trip = Duration::from_millis(10);
    let options = RelayOptions { round_trip, faults: Vec::new() };
    let relay = Relay::tcp(listener.local_addr().unwrap(), options).unwrap();
    assert_eq!(relay.path(), None);
    let mut client = TcpStream::connect(relay.address().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    let start = Instant::now();
    client.write_all(b"ping").unwrap();
    let mut buffer = [0; 5];
    server.read_exact(&mut buffer[..4]).unwrap();
    server.write_all(b"pong!").unwrap();
    client.read_exact(&mut buffer).unwrap();
    assert!(start.elapsed() >= round_trip);
    assert_eq!(&buffer, b"pong!");
    let counts = Counts { connections: 1, to_server_bytes: 4, to_client_bytes: 5, round_trips: 1 };
    assert_eq!(relay.counts(), counts);
    drop(relay);
    assert!(!matches!(client.read(&mut buffer), Ok(1..)));
}

#[test]
fn a_dying_peer_follows_its_script() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("peer");
    let steps = vec![Step::Read(2), Step::Write(b"yes".to_vec())];
    let peer = DyingPeer::start(&path, steps).unwrap();
    let mut client = UnixStream::connect(&path).unwrap();
    client.write_all(b"ok").unwrap();
    assert_eq!(read_all(&mut client), b"yes");
    peer.join();
}
