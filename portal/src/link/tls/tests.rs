//! Two ends of a link within one process.

use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;

use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};
use rustix::net::{SendFlags, send};
use rustls::client::ResolvesClientCert;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};

use super::*;
use crate::call::Caller;
use crate::capability::Capability;
use crate::identity::CertifiedKey;
use crate::idle::Idle;
use crate::link::Link;
use crate::remote::{ConnectOptions, RemoteSession};
use crate::session::{Sender, ServerLimits, Session};
use crate::wire::{HEADER_BYTES, Reply, kind};
use crate::worker::Rest;

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

/// Shows one key's certificate and signs with another key.
#[derive(Debug)]
struct Impostor(Arc<rustls::sign::CertifiedKey>);

impl Impostor {
    fn new(shown: &CertifiedKey) -> Impostor {
        let (own, _) = CertifiedKey::generate().unwrap();
        let private = PrivateKeyDer::try_from(own.private).unwrap();
        let signing = rustls::crypto::ring::sign::any_supported_type(&private).unwrap();
        let chain = vec![CertificateDer::from(shown.certificate.clone())];
        Impostor(Arc::new(rustls::sign::CertifiedKey::new(chain, signing)))
    }
}

impl ResolvesClientCert for Impostor {
    fn resolve(&self, _: &[&[u8]], _: &[rustls::SignatureScheme]) -> Option<Arc<rustls::sign::CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

impl ResolvesServerCert for Impostor {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<rustls::sign::CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}

/// Both sides of a handshake.
fn shake(
    server: Arc<ServerConfig>,
    client: rustls::ClientConfig,
) -> (Result<TlsLink, HandshakeError>, Result<TlsLink, HandshakeError>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let socket = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (accepted, _) = listener.accept().unwrap();
    let deadline = Instant::now() + PATIENCE;
    let accepting =
        thread::spawn(move || accept(Arc::new(OwnedFd::from(accepted)), server, deadline, 64 << 10));
    let connected = connect(OwnedFd::from(socket), client, deadline);
    (connected, accepting.join().unwrap())
}

#[test]
fn whoever_shows_a_key_must_hold_it() {
    let (key, fingerprint) = CertifiedKey::generate().unwrap();
    let (bob, bobs) = CertifiedKey::generate().unwrap();
    let server = server_config(&key).unwrap();
    let (client, _) = client_config(fingerprint, Some(&bob)).unwrap();
    let (_, accepted) = shake(Arc::clone(&server), client);
    assert_eq!(accepted.unwrap().peer_key(), Some(bobs));
    let (mut client, _) = client_config(fingerprint, None).unwrap();
    client.client_auth_cert_resolver = Arc::new(Impostor::new(&bob));
    let (_, accepted) = shake(server, client);
    assert!(matches!(accepted, Err(HandshakeError::Tls(_))), "{accepted:?}");
    let mut server = ServerConfig::clone(&server_config(&key).unwrap());
    server.cert_resolver = Arc::new(Impostor::new(&key));
    let (client, _) = client_config(fingerprint, None).unwrap();
    let (connected, _) = shake(Arc::new(server), client);
    assert!(matches!(connected, Err(HandshakeError::Tls(_))), "{connected:?}");
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
    thread::scope(|scope| {
        let until = Instant::now() + Duration::from_millis(200);
        let server = &server;
        let waiting = scope.spawn(move || server.wait(Readiness::RECEIVE, Some(until)));
        for byte in first {
            // Nothing comes to the client: this is a clock.
            let next = Some(Instant::now() + Duration::from_millis(10));
            assert_eq!(client.wait(Readiness::RECEIVE, next), Ok(None));
            send(&*client.socket, &[*byte], SendFlags::empty()).unwrap();
        }
        assert_eq!((waiting.join().unwrap(), Instant::now() >= until), (Ok(None), true));
    });
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

/// Nobody but the client itself sends the rest of a request that the socket took in part, and it waits for the answer.
#[test]
fn a_request_that_is_kept_back_leaves_before_the_answer_is_waited_for() {
    let (client, server) = pair();
    set_socket_send_buffer_size(&*client.socket, 1).unwrap();
    set_socket_recv_buffer_size(&*server.socket, 1).unwrap();
    let data = vec![3; 60_000];
    // Hello and the request.
    let bytes = HEADER_BYTES + 24 + HEADER_BYTES + data.len();
    let answering = thread::spawn(move || {
        let mut received = 0;
        while received < bytes {
            received += receive(&server).unwrap();
        }
        let len = HEADER_BYTES as u32;
        let reply = Reply { len, kind: kind::REPLY, portals: 0, status: 0, call: 1, raised: 0 };
        server.send(&[IoSlice::new(&reply.encode())], Waiting::TimeOut).unwrap();
        server
    });
    let options = ConnectOptions { call_timeout: Some(PATIENCE), ..ConnectOptions::default() };
    let transport = RemoteSession::over(Link::Tls(Box::new(client)), options);
    assert!(transport.control(16, &data, &[], &mut |_| {}).unwrap().data.is_empty());
    drop(answering.join().unwrap());
}

/// TLS takes a short request as a whole, and the socket does not.
#[test]
fn a_request_is_sent_when_the_socket_has_it() {
    let (client, server) = pair();
    set_socket_send_buffer_size(&*client.socket, 1).unwrap();
    let call_timeout = Some(Duration::from_millis(50));
    let options = ConnectOptions { call_timeout, ..ConnectOptions::default() };
    let transport = RemoteSession::over(Link::Tls(Box::new(client)), options);
    // Hello, and the one that is told apart.
    let mut bytes = HEADER_BYTES + 24 + HEADER_BYTES + 1000;
    let failure = loop {
        match transport.start_control(16, &[3; 1000], &[]) {
            Ok(_) => bytes += HEADER_BYTES + 1000,
            Err(failure) => break failure,
        }
    };
    let text = "no answer within 50ms; it is unknown whether the call was done";
    assert_eq!(failure.details().message, text);
    while bytes > 0 {
        bytes -= receive(&server).unwrap();
    }
}

/// The server is slow, and what it answers is not read by anybody.
#[test]
fn requests_are_served_though_the_session_was_dropped_meanwhile() {
    const REQUESTS: u32 = 60;
    let (client, server) = pair();
    let transport = RemoteSession::over(Link::Tls(Box::new(client)), ConnectOptions::default());
    for _ in 0..REQUESTS {
        transport.start_control(16, &[3; 1000], &[]).unwrap();
    }
    let answer = |call| {
        let len = HEADER_BYTES as u32;
        let reply = Reply { len, kind: kind::REPLY, portals: 0, status: 0, call, raised: 0 };
        server.send(&[IoSlice::new(&reply.encode())], Waiting::TimeOut)
    };
    answer(1).unwrap();
    drop(transport);
    let (before, each) = (HEADER_BYTES + 24, HEADER_BYTES + 1000);
    let mut bytes = 0;
    for call in 2..=REQUESTS {
        assert_eq!(answer(call), Ok(HEADER_BYTES), "before {call}");
        while bytes < before + call as usize * each {
            bytes += receive(&server).unwrap();
        }
    }
    assert_eq!(receive(&server), Ok(0), "it has ended as it should");
}

fn draining() -> usize {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    let names = threads.map(|thread| std::fs::read_to_string(thread.unwrap().path().join("comm")));
    names.filter(|name| name.as_ref().is_ok_and(|name| name.trim() == "carnet-drain")).count()
}

fn until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{} threads", draining());
        thread::yield_now();
    }
}

#[test]
fn few_threads_wait_for_peers_of_connections_that_are_over() {
    let (clients, servers): (Vec<_>, Vec<_>) = (0..DRAINS_MAX + 4).map(|_| pair()).unzip();
    thread::scope(|scope| {
        clients.iter().for_each(|client| _ = scope.spawn(|| client.leave_requests()));
    });
    // Threads take their names when they begin.
    until(|| draining() > 0 && draining() == DRAINS.load(Ordering::Relaxed));
    assert!(draining() <= DRAINS_MAX, "{}", draining());
    drop(clients);
    drop(servers);
    until(|| draining() == 0 && DRAINS.load(Ordering::Relaxed) == 0);
}

#[test]
fn whoever_waits_is_woken_at_the_end() {
    for end in [TlsLink::end_receiving, TlsLink::hang_up] {
        let (client, server) = pair();
        let server = Arc::new(server);
        let waiting = Arc::clone(&server);
        let (tell, told) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            tell.send(rustix::thread::gettid()).unwrap();
            receive(&waiting)
        });
        let task = format!("/proc/self/task/{}/stat", told.recv().unwrap().as_raw_nonzero());
        while !std::fs::read_to_string(&task).unwrap().contains(") S ") {
            thread::yield_now();
        }
        end(&server);
        assert_eq!(thread.join().unwrap(), Ok(0));
        drop(server);
        assert_eq!(receive(&client), Ok(0));
    }
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

/// Whoever has taken most of a reply just before its time was over has no time of its own for what is kept back.
#[test]
fn what_is_kept_back_has_no_time_of_its_own() {
    let (_client, server) = pair();
    let limits = ServerLimits { write_timeout: PATIENCE, ..ServerLimits::default() };
    let root = Capability::new(Arc::new(Idle));
    let session = Session::new(Link::Tls(Box::new(server)), Caller::local(), root, limits, None);
    let piece = vec![7; 64 << 10];
    while session.link().send(&[IoSlice::new(&piece)], Waiting::Never).is_ok() {}
    assert_eq!(session.link().flush(), Err(Errno::AGAIN));
    let begun = Instant::now();
    let over = Rest::new(session.link().gone(0), begun.checked_sub(PATIENCE).expect("a time"));
    assert!(!session.is_flushed(&mut Sender::Session, &mut Some(over)));
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}
