//! Two ends of a link within one process.

use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;

use rustix::net::{SendFlags, send};

use super::*;
use crate::identity::CertifiedKey;

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// Client and server.
fn pair() -> (TlsLink, TlsLink) {
    let (key, fingerprint) = CertifiedKey::generate().unwrap();
    let config = server_config(&key).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (accepted, _) = listener.accept().unwrap();
    let deadline = Instant::now() + PATIENCE;
    let server =
        thread::spawn(move || accept(Arc::new(OwnedFd::from(accepted)), config, deadline, 64 << 10).unwrap());
    let (config, _) = client_config(fingerprint, None).unwrap();
    let client = connect(OwnedFd::from(socket), config, deadline).unwrap();
    let server = server.join().unwrap();
    server.admitted();
    for link in [&client, &server] {
        link.set_timeouts(Some(PATIENCE), Some(PATIENCE));
    }
    (client, server)
}

fn receive(link: &TlsLink) -> Result<usize, Errno> {
    link.receive(&mut [0; 4096], Waiting::TimeOut)
}

#[test]
fn a_cut_is_told_from_an_end() {
    let (client, server) = pair();
    assert_eq!(client.send(&[IoSlice::new(b"last")], Waiting::TimeOut), Ok(4));
    client.hang_up();
    assert_eq!((receive(&server), receive(&server), receive(&server)), (Ok(4), Ok(0), Ok(0)));
    let (client, server) = pair();
    assert_eq!(client.send(&[IoSlice::new(b"last")], Waiting::TimeOut), Ok(4));
    shutdown(&*client.socket, Shutdown::Both).unwrap();
    assert_eq!((receive(&server), receive(&server)), (Ok(4), Err(Errno::CONNRESET)));
}

#[test]
fn part_of_a_record_is_nothing_to_receive() {
    let (client, server) = pair();
    let mut record = Vec::new();
    {
        let mut state = lock(&client.state);
        state.connection.writer().write_all(b"abc").unwrap();
        state.connection.write_tls(&mut record).unwrap();
    }
    let (first, rest) = record.split_at(10);
    send(&*client.socket, first, SendFlags::empty()).unwrap();
    let soon = || Some(Instant::now() + Duration::from_millis(50));
    assert_eq!(server.wait(Readiness::RECEIVE, soon()), Ok(None));
    assert_eq!(server.receive(&mut [0; 8], Waiting::Never), Err(Errno::AGAIN));
    server.set_timeouts(Some(Duration::from_millis(50)), None);
    assert_eq!(receive(&server), Err(Errno::AGAIN));
    send(&*client.socket, rest, SendFlags::empty()).unwrap();
    let ready = server.wait(Readiness::RECEIVE, Some(Instant::now() + PATIENCE));
    assert_eq!(ready, Ok(Some(Readiness::RECEIVE)));
    assert_eq!(receive(&server), Ok(3));
}

#[test]
fn a_flipped_bit_is_an_error() {
    let (client, server) = pair();
    let mut record = Vec::new();
    {
        let mut state = lock(&client.state);
        state.connection.writer().write_all(b"abc").unwrap();
        state.connection.write_tls(&mut record).unwrap();
    }
    record[7] ^= 1;
    send(&*client.socket, &record, SendFlags::empty()).unwrap();
    assert_eq!((receive(&server), receive(&server)), (Err(Errno::PROTO), Err(Errno::PROTO)));
    assert!(server.send(&[IoSlice::new(b"x")], Waiting::TimeOut).is_err());
}

#[test]
fn what_is_kept_back_is_little_and_leaves_when_it_can() {
    let (client, server) = pair();
    let data = vec![7; 1 << 20];
    let mut sent = 0;
    loop {
        match client.send(&[IoSlice::new(&data)], Waiting::Never) {
            Ok(bytes) => {
                assert!(bytes <= OUTBOUND_BYTES_MAX, "no more than may be kept back");
                sent += bytes;
            }
            Err(errno) => break assert_eq!(errno, Errno::AGAIN),
        }
    }
    assert_eq!(client.flush(), Err(Errno::AGAIN));
    let mut received = 0;
    let mut buffer = vec![0; 64 << 10];
    while received < sent {
        // Nobody else would.
        let flushed = client.flush();
        assert!(matches!(flushed, Ok(()) | Err(Errno::AGAIN)));
        received += server.receive(&mut buffer, Waiting::TimeOut).unwrap();
    }
    assert_eq!((received, client.flush()), (sent, Ok(())));
    assert_eq!(server.receive(&mut buffer, Waiting::Never), Err(Errno::AGAIN));
}

#[test]
fn whoever_waits_is_woken_at_the_end() {
    let (client, server) = pair();
    let (client, server) = (Arc::new(client), Arc::new(server));
    for end in [TlsLink::end_receiving, TlsLink::hang_up] {
        let waiting = Arc::clone(&server);
        let thread = thread::spawn(move || receive(&waiting));
        end(&server);
        assert_eq!(thread.join().unwrap(), Ok(0));
    }
    drop(server);
    assert_eq!(receive(&client), Ok(0));
}

#[test]
fn both_directions_at_once_from_several_threads() {
    let (client, server) = pair();
    let (client, server) = (Arc::new(client), Arc::new(server));
    let total = 4 << 20;
    let threads: Vec<_> = [(&client, &server), (&server, &client)]
        .into_iter()
        .flat_map(|(from, to)| {
            let (from, to) = (Arc::clone(from), Arc::clone(to));
            let sending = thread::spawn(move || {
                let data = vec![5; 100_000];
                let mut sent = 0;
                while sent < total {
                    let piece = &data[..data.len().min(total - sent)];
                    sent += from.send(&[IoSlice::new(piece)], Waiting::TimeOut).unwrap();
                }
                sent
            });
            let receiving = thread::spawn(move || {
                let (mut received, mut buffer) = (0, vec![0; 50_000]);
                while received < total {
                    received += to.receive(&mut buffer, Waiting::TimeOut).unwrap();
                }
                received
            });
            [sending, receiving]
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), total);
    }
}
