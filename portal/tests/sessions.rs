//! Sessions: revocation, time-outs, limits, shutdown, versions, pipelining.

mod support;

use std::io::{Read, Write};
use std::net::Shutdown;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module, OpHash, TypeHash};
use carnet_portal::address::Address;
use carnet_portal::call::{Area, Caller, Failure, Kind, Ref};
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::local::LocalSession;
use carnet_portal::portal::{Block, Input, OpNumber, Portal, PortalId};
use carnet_portal::remote::{ConnectOptions, Pending, RemoteSession};
use carnet_portal::server::{ServerOptions, SingleCalls, Stopped};
use carnet_portal::session::ServerLimits;
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, kind};
use support::{BoxClient, Carrier, Fixture, Raw, World, carrier, kind_of, module, number, op, raw, until};

fn limited(change: impl FnOnce(&mut ServerLimits)) -> ServerOptions {
    let mut options = ServerOptions::default();
    change(&mut options.limits);
    options
}

fn message(failure: &Failure) -> &str {
    &failure.details().message
}

/// Whether that is so within a tenth of a second.
fn soon(is_so: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while !is_so() && begun.elapsed() < Duration::from_millis(100) {
        std::thread::yield_now();
    }
    is_so()
}

/// Reads until the server hangs up.
fn rest(mut socket: Raw) -> Vec<(carnet_portal::wire::Reply, Vec<u8>)> {
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).unwrap();
    raw::replies(&bytes)
}

fn text(reply: &(carnet_portal::wire::Reply, Vec<u8>)) -> String {
    String::from_utf8(reply.1.clone()).unwrap()
}

#[test]
fn revoking_ends_the_right_and_what_was_made_with_it() {
    let world = World::new();
    let grant = Grant::new();
    let (made, given) = (Arc::clone(&world), grant.clone());
    let roots = move |_: &Caller| Ok(Capability::under(made.root(), &given));
    let fixture = Fixture::with_roots(ServerOptions::default(), world, roots);
    let client = fixture.client();
    let opened = client.open("x").unwrap();
    grant.revoke();
    assert_eq!(kind_of(client.add(1, 2)), Some(Kind::Revoked));
    assert_eq!(kind_of(opened.add(1, 2)), Some(Kind::Revoked));
    drop(opened);
    until("a revoked portal is released like any other", || fixture.world.live() == 1);
}

#[test]
fn a_call_that_takes_too_long_is_a_value() {
    let fixture = Fixture::plain();
    let timeout = Duration::from_millis(60);
    let transport =
        fixture.connect_with(ConnectOptions { call_timeout: Some(timeout), ..ConnectOptions::default() });
    let client = BoxClient(transport.root());
    let start = Instant::now();
    let failure = client.wait().unwrap_err();
    assert!(start.elapsed() >= timeout);
    assert_eq!(failure.kind(), Kind::TimedOut);
    assert_eq!(message(&failure), "no answer within 60ms; it is unknown whether the call was done");
    fixture.world.open_gate();
    until("the connection is of use afterwards", || client.add(1, 2) == Ok(3));
}

#[test]
fn a_server_may_take_single_calls_only_if_they_read() {
    let single_calls = SingleCalls::Reads("send it as a program".to_owned());
    let fixture = Fixture::new(ServerOptions { single_calls, ..ServerOptions::default() });
    let client = fixture.client();
    assert_eq!(client.add(1, 2), Ok(3));
    let before = fixture.world.calls.load(Ordering::SeqCst);
    let failure = client.echo(b"abc").unwrap_err();
    assert_eq!((failure.kind(), message(&failure)), (Kind::Refused, "send it as a program"));
    assert_eq!(fixture.world.calls.load(Ordering::SeqCst), before, "the service was not called");
    assert_eq!(client.add(1, 2), Ok(3), "the session goes on");
}

#[test]
fn each_of_several_waiting_threads_times_out() {
    let fixture = Fixture::plain();
    let timeout = Some(Duration::from_millis(60));
    let transport =
        fixture.connect_with(ConnectOptions { call_timeout: timeout, ..ConnectOptions::default() });
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let client = BoxClient(transport.root());
            std::thread::spawn(move || kind_of(client.wait()))
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), Some(Kind::TimedOut));
    }
}

#[test]
fn portals_of_a_reply_that_nobody_waits_for_are_given_back() {
    let fixture = Fixture::plain();
    let transport = fixture.connect();
    let client = BoxClient(transport.root());
    for _ in 0..20 {
        drop(start(&transport, op::OPEN, &mut [Ref::new(0, 0, 1).unwrap().0, 0], &[Input::Bytes(b"x")]));
    }
    assert_eq!(client.add(1, 2).unwrap(), 3);
    until("all were released", || fixture.world.live() == 1);
}

#[test]
fn calls_that_nobody_waits_for_are_done_though_the_session_is_dropped() {
    let fixture = Fixture::plain();
    for round in 1..=10 {
        let transport = fixture.connect();
        (0..60).for_each(|_| drop(start(&transport, op::ADD, &mut [1, 2, 0], &[])));
        drop(transport);
        until("all are done", || fixture.world.calls.load(Ordering::SeqCst) == round * 60);
    }
}

fn start(transport: &Arc<RemoteSession>, op: u16, words: &mut [u64], inputs: &[Input<'_>]) -> Pending {
    let block = Block { words, inputs, outputs: &mut [], portals: &[], made: Vec::new() };
    transport.start_call(PortalId::ROOT, number(op), &block).unwrap()
}

#[test]
fn more_calls_in_flight_than_buffers_hold() {
    let fixture = Fixture::plain();
    let transport = fixture.connect();
    let data: Vec<Vec<u8>> = (0..100_u8).map(|i| vec![i; 100_000]).collect();
    let pending: Vec<Pending> = data
        .iter()
        .map(|bytes| {
            let mut words = [Ref::new(0, 0, bytes.len()).unwrap().0, 0];
            start(&transport, op::ECHO, &mut words, &[Input::Bytes(bytes)])
        })
        .collect();
    for (pending, bytes) in pending.into_iter().zip(&data).rev() {
        let mut outputs = [Area::default()];
        let mut block = Block {
            words: &mut [0, 0],
            inputs: &[Input::Bytes(bytes)],
            outputs: &mut outputs,
            portals: &[],
            made: Vec::new(),
        };
        pending.wait(&mut block).unwrap();
        assert!(outputs[0].bytes == *bytes);
    }
}

#[test]
fn half_a_message_must_be_followed_by_the_other_half() {
    let fixture = Fixture::new(limited(|limits| limits.frame_timeout = Duration::from_millis(50)));
    let mut socket = fixture.raw();
    socket.write_all(&raw::hello()).unwrap();
    socket.write_all(&raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]))[..20]).unwrap();
    let replies = rest(socket);
    assert_eq!(replies[0].0.status, Kind::TimedOut as u16);
    assert_eq!(text(&replies[0]), "half of a message came, and no more for 50ms");
    until("its session is gone", || fixture.sessions() == 0);
}

/// Sends so much of a call, a byte each time that others had theirs for so long; what is answered.
fn slowly(fixture: &Fixture, bytes: usize, every: Duration) -> (carnet_portal::wire::Reply, Vec<u8>) {
    let other = fixture.client();
    let mut socket = fixture.raw();
    socket.write_all(&raw::hello()).unwrap();
    let mut next = Instant::now();
    for byte in &raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]))[..bytes] {
        socket.write_all(&[*byte]).unwrap();
        next += every;
        while Instant::now() < next {
            assert_eq!(other.add(1, 2).unwrap(), 3);
        }
    }
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut header = [0; HEADER_BYTES];
    socket.read_exact(&mut header).unwrap();
    let header = carnet_portal::wire::Reply::decode(&header).unwrap();
    let mut body = vec![0; header.len as usize - HEADER_BYTES];
    socket.read_exact(&mut body).unwrap();
    (header, body)
}

#[test]
fn who_is_slow_is_waited_for_and_who_is_too_slow_is_told_so() {
    let fixture = |timeout, bytes| {
        Fixture::new(limited(|limits| {
            (limits.frame_timeout, limits.frame_bytes_min) = (Duration::from_millis(timeout), bytes);
        }))
    };
    // Three times the time that the next byte has.
    let reply = slowly(&fixture(800, 1), 32, Duration::from_millis(75));
    assert_eq!((reply.0.status, &reply.1), (0, &raw::words(&[3])), "{}", text(&reply));

    let reply = slowly(&fixture(400, 1000), 6, Duration::from_millis(20));
    let why = text(&reply);
    assert_eq!(reply.0.status, Kind::TimedOut as u16, "{why}");
    assert!(
        why.starts_with("half of a message came, and ")
            && why.ends_with(" bytes of it within 400ms; 1000 are the least"),
        "{why}"
    );
}

#[test]
fn hello_must_come_in_time_and_nothing_after_it() {
    let fixture = Fixture::new(limited(|limits| limits.hello_timeout = Duration::from_millis(500)));
    let client = fixture.client();
    assert_eq!(client.add(1, 2).unwrap(), 3);
    let (silent, mut half) = (fixture.raw(), fixture.raw());
    half.write_all(&raw::hello()[..20]).unwrap();
    for socket in [silent, half] {
        let replies = rest(socket);
        assert_eq!((replies[0].0.call, replies[0].0.status), (CALL_SESSION, Kind::TimedOut as u16));
        assert_eq!(text(&replies[0]), "the client did not say Hello within 500ms");
    }
    until("their sessions are gone", || fixture.sessions() == 1);
    assert_eq!(client.add(1, 2).unwrap(), 3);
}

/// It has said Hello as it connected.
#[test]
fn a_client_may_take_its_time_with_the_first_call() {
    let fixture = Fixture::new(limited(|limits| limits.hello_timeout = Duration::from_millis(200)));
    let (late, silent) = (fixture.client(), fixture.raw());
    assert_eq!(text(&rest(silent)[0]), "the client did not say Hello within 200ms");
    assert_eq!(late.add(1, 2).unwrap(), 3);
}

#[test]
fn a_silent_session_ends_if_so_configured() {
    let fixture = Fixture::new(limited(|limits| limits.idle_timeout = Some(Duration::from_millis(50))));
    let client = fixture.client();
    assert_eq!(client.add(1, 2).unwrap(), 3);
    until("the session is gone", || fixture.sessions() == 0);
    let failure = client.add(1, 2).unwrap_err();
    // What lies in memory that is shared may have been taken from there.
    let (kind, more) = if env!("CARGO_CRATE_NAME").ends_with("_shared") {
        (Kind::TimedOut, "")
    } else {
        (Kind::Unreachable, "; this call was not sent")
    };
    let text = format!("the session was silent for too long{more}");
    assert_eq!((failure.kind(), message(&failure)), (kind, &*text));
}

/// What its system takes soon after that does not give it another time.
#[test]
fn a_client_that_reads_nothing_has_its_time_once() {
    const TIME: Duration = Duration::from_secs(3);
    let fixture = Fixture::new(limited(|limits| limits.write_timeout = TIME));
    let mut socket = fixture.raw();
    socket.write_all(&raw::hello()).unwrap();
    let requests: Vec<u8> =
        (1..=50).flat_map(|call| raw::frame(kind::DESCRIBE, &[], 0, 0, call, &[])).collect();
    let began = Instant::now();
    while socket.write_all(&requests).is_ok() {}
    until("its session is gone", || fixture.sessions() == 0);
    let took = began.elapsed();
    assert!(took >= TIME && took < TIME * 7 / 4, "{took:?}");
}

/// However little that is against what lies between the server and its socket.
#[test]
fn a_client_that_reads_a_little_in_each_time_is_served() {
    const TIME: Duration = Duration::from_secs(3);
    const BYTES: usize = 1_000_000;
    let options = limited(|limits| limits.write_timeout = TIME);
    let bytes_min = options.limits.frame_bytes_min;
    let fixture = Fixture::new(options);
    let (other, mut slow) = (fixture.client(), fixture.raw());
    // What was read of a Unix socket is told by the message, which may be longer.
    let (part, answers_max) = match &slow {
        Raw::Unix(_) => (2 * bytes_min, 1),
        Raw::Tls(stream) => {
            rustix::net::sockopt::set_socket_recv_buffer_size(&stream.sock, 16 << 10).unwrap();
            (bytes_min, 16)
        }
    };
    let call = raw::call(op::ECHO, 1, 1, &[raw::words(&[BYTES as u64]), vec![7; BYTES]].concat());
    slow.write_all(&raw::hello()).unwrap();
    let mut asked = 0;
    let has_room = |asked| soon(|| fixture.world.calls.load(Ordering::SeqCst) == asked);
    while asked < answers_max && has_room(asked) {
        slow.write_all(&call).unwrap();
        asked += 1;
    }
    assert!(answers_max == 1 || !has_room(asked), "its answers wait for it");
    let (mut read, mut piece) = (0, vec![0; part]);
    for _ in 0..4 {
        slow.read_exact(&mut piece).unwrap();
        read += part;
        let began = Instant::now();
        while began.elapsed() < TIME * 3 / 4 {
            assert_eq!(other.add(40, 2), Ok(42));
        }
    }
    let mut rest = vec![0; asked * (HEADER_BYTES + 8 + BYTES) - read];
    slow.read_exact(&mut rest).unwrap();
}

#[test]
fn a_client_that_reads_nothing_is_hung_up_on() {
    let fixture = Fixture::new(limited(|limits| limits.write_timeout = Duration::from_millis(50)));
    let mut socket = fixture.raw();
    socket.write_all(&raw::hello()).unwrap();
    let data = vec![7; 1 << 20];
    let body = [raw::words(&[data.len() as u64]), data].concat();
    let request = raw::call(op::ECHO, 1, 1, &body);
    while socket.write_all(&request).is_ok() {}
    until("its session is gone", || fixture.sessions() == 0);
    assert_eq!(fixture.client().add(1, 2).unwrap(), 3);
}

#[test]
fn one_session_too_many_is_told_so() {
    let fixture = Fixture::new(limited(|limits| limits.sessions_max = 2));
    let (first, second) = (fixture.client(), fixture.client());
    assert_eq!((first.add(1, 2).unwrap(), second.add(1, 2).unwrap()), (3, 3));
    let failure = fixture.client().add(1, 2).unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    assert_eq!(message(&failure), "the server has 2 sessions, as many as it may; try again later");
    drop(first);
    until("there is room again", || fixture.client().add(1, 2) == Ok(3));
}

/// Idle ones count: there is room for others, who have theirs.
#[test]
fn one_principal_has_no_more_sessions_than_one_may() {
    let fixture = Fixture::new(limited(|limits| limits.sessions_per_principal_max = 2));
    let clients = (fixture.client(), fixture.client());
    assert_eq!((clients.0.add(1, 2).unwrap(), clients.1.add(1, 2).unwrap()), (3, 3));
    let failure = fixture.client().add(1, 2).unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    assert!(
        message(&failure).ends_with(" has 2 sessions, as many as one user may; end one first"),
        "{failure}"
    );
    drop(clients);
    until("there is room again", || fixture.client().add(1, 2) == Ok(3));
}

/// Who comes to another address of the same server is no other user, and takes a place that is gone for all.
#[test]
fn sessions_at_all_addresses_of_a_server_count_together() {
    let directory = tempfile::tempdir().unwrap();
    let address = |name: &str| Address::Unix(directory.path().join(name));
    let at = |name: &str| {
        let session = RemoteSession::connect(&address(name), ConnectOptions::default()).unwrap();
        BoxClient(session.root())
    };
    for (all, own, why) in [
        (2, 3, "the server has 2 sessions, as many as it may; try again later"),
        (3, 2, " has 2 sessions, as many as one user may; end one first"),
    ] {
        let fixture = Fixture::new(limited(|limits| {
            (limits.sessions_max, limits.sessions_per_principal_max) = (all, own);
        }));
        let server = fixture.server.as_ref().unwrap();
        let _more = ["a", "b"].map(|name| server.listen_also(&address(name)).unwrap());
        let (first, second) = (at("a"), at("b"));
        assert_eq!((first.add(1, 2).unwrap(), second.add(1, 2).unwrap()), (3, 3));
        for name in ["a", "b"] {
            let failure = at(name).add(1, 2).unwrap_err();
            assert_eq!(failure.kind(), Kind::Refused);
            assert!(message(&failure).ends_with(why), "{failure}");
        }
        drop(first);
        until("there is room again, at the other too", || at("b").add(1, 2) == Ok(3));
    }
}

#[test]
fn a_refused_caller_is_told_why() {
    let roots = |caller: &Caller| {
        assert!(!caller.principal.is_empty());
        Err(Failure::new(Kind::Refused, "not today"))
    };
    let fixture = Fixture::with_roots(ServerOptions::default(), World::new(), roots);
    let failure = fixture.client().add(1, 2).unwrap_err();
    assert_eq!((failure.kind(), message(&failure)), (Kind::Refused, "not today"));
}

#[test]
fn a_session_holds_no_more_portals_than_it_may() {
    let fixture = Fixture::new(limited(|limits| limits.portals_max = 3));
    let client = fixture.client();
    let (first, _second) = (client.open("1").unwrap(), client.open("2").unwrap());
    let made = fixture.world.calls.load(Ordering::SeqCst);
    let failure = kind_of(client.open("3"));
    assert_eq!(failure, Some(Kind::Refused));
    assert_eq!(fixture.world.calls.load(Ordering::SeqCst), made, "what is refused was not done");
    // Room that a call did not use is there for the next.
    assert_eq!(client.add(40, 2), Ok(42));
    drop(first);
    assert_eq!(client.open("3").unwrap().label_of(&client).unwrap(), "root");
}

#[test]
fn messages_are_bounded_both_ways() {
    let fixture = Fixture::new(limited(|limits| limits.frame_bytes_max = 64 << 10));
    let client = fixture.client();
    let failure = client.echo(&[0; 100_000]).unwrap_err();
    assert_eq!(failure.kind(), Kind::Protocol);
    let small =
        fixture.connect_with(ConnectOptions { frame_bytes_max: 64 << 10, ..ConnectOptions::default() });
    let client = BoxClient(small.root());
    let failure = client.echo(&[0; 100_000]).unwrap_err();
    assert_eq!(
        (failure.kind(), message(&failure)),
        (Kind::BadArgument, "the arguments make a message longer than 65536 bytes")
    );
    assert_eq!(client.echo(&[1; 60_000]).unwrap(), [1; 60_000]);
}

#[test]
fn arguments_out_of_bounds_are_refused_before_they_are_sent() {
    let fixture = Fixture::plain();
    let client = fixture.client();
    let failure = kind_of(client.open(&"x".repeat(101)));
    assert_eq!(failure, Some(Kind::BadArgument));
    let other = fixture.client();
    let failure = client.label_of(&other).unwrap_err();
    assert_eq!((failure.kind(), message(&failure)), (Kind::BadArgument, "a portal of another session"));
    assert_eq!(client.add(1, 2).unwrap(), 3);
}

#[test]
fn portals_of_one_session_mean_nothing_in_another() {
    let fixture = Fixture::plain();
    let client = fixture.client();
    let opened = client.open("mine").unwrap();
    let mut socket = fixture.raw();
    socket.write_all(&raw::hello()).unwrap();
    socket.write_all(&raw::call(op::ADD, opened.0.id().0, 1, &raw::words(&[1, 2]))).unwrap();
    socket.write_all(&raw::release(&[(opened.0.id().0, u32::MAX)])).unwrap();
    socket.shutdown(Shutdown::Write).unwrap();
    assert_eq!(rest(socket)[0].0.status, Kind::NoSuchPortal as u16);
    assert_eq!(client.label_of(&opened).unwrap(), "mine");
}

#[test]
fn a_piece_of_a_short_call_that_leaves_its_message_or_bound_is_refused() {
    let fixture = Fixture::plain();
    let call = |op: u16, word: u64, data: &[u8]| {
        let mut socket = fixture.raw();
        socket.write_all(&raw::hello()).unwrap();
        let body = [&word.to_le_bytes()[..], data].concat();
        socket.write_all(&raw::call(op, 1, 1, &body)).unwrap();
        socket.shutdown(Shutdown::Write).unwrap();
        let (reply, body) = rest(socket).remove(0);
        (reply.status, body)
    };
    let size = |word, data: &[u8]| {
        let (status, body) = call(op::SIZE, word, data);
        (status, body.first().copied())
    };
    let reference = |area, offset, len| Ref::new(area, offset, len).unwrap().0;
    let refused = Kind::BadArgument as u16;
    assert_eq!(size(reference(0, 0, 16), &[7; 16]), (0, Some(16)));
    assert_eq!(size(reference(0, 8, 8), &[7; 16]), (0, Some(8)));
    assert_eq!(size(reference(0, 0, 0), &[]), (0, Some(0)));
    assert_eq!(
        call(op::ECHO, reference(0, 8, 8), &[7; 16]),
        (0, [raw::words(&[reference(0, 0, 8)]), vec![7; 8]].concat())
    );
    for word in [reference(0, 0, 17), reference(0, 17, 0), reference(0, 9, 8), reference(1, 0, 1), u64::MAX] {
        assert_eq!(size(word, &[7; 16]).0, refused, "{word:#x}");
        assert_eq!(call(op::ECHO, word, &[7; 16]).0, refused, "{word:#x}, with data both ways");
    }
    assert_eq!(size(reference(0, 0, 17), &[7; 24]).0, refused, "longer than its bound");
    assert_eq!(fixture.client().add(1, 2).unwrap(), 3);
}

#[test]
fn a_short_call_with_portals_that_it_has_no_use_for_is_as_any_other() {
    let fixture = Fixture::plain();
    let size = |portal: u32| {
        let mut socket = fixture.raw();
        socket.write_all(&raw::hello()).unwrap();
        let word = Ref::new(0, 8, 4).unwrap().0;
        let body = [&word.to_le_bytes()[..], &portal.to_le_bytes(), &[0; 4], &[7; 16]].concat();
        socket
            .write_all(&raw::frame(carnet_portal::wire::kind::CALL, &[portal], op::SIZE, 1, 1, &body))
            .unwrap();
        socket.shutdown(Shutdown::Write).unwrap();
        let (reply, body) = rest(socket).remove(0);
        (reply.status, body.first().copied())
    };
    assert_eq!(size(1), (0, Some(4)));
    assert_eq!(size(99).0, Kind::NoSuchPortal as u16);
}

#[test]
fn a_blocked_client_does_not_disturb_another() {
    let fixture = Fixture::plain();
    let blocked = fixture.client();
    let thread = std::thread::spawn(move || blocked.wait());
    fixture.world.wait_for_waiting(1);
    assert_eq!(fixture.client().add(1, 2).unwrap(), 3);
    fixture.world.open_gate();
    assert_eq!(thread.join().unwrap(), Ok(()));
}

#[test]
fn a_service_that_destroys_its_arguments_ends_only_that_session() {
    let fixture = Fixture::plain();
    let (client, other) = (fixture.client(), fixture.client());
    assert_eq!(kind_of(client.plain(op::DESTROY, &mut [0; 7])), None);
    // It was not begun, and who sent it before the server had said why is told the reason itself.
    assert!(matches!(kind_of(client.add(1, 2)), Some(Kind::Unreachable | Kind::Service)));
    assert_eq!(other.add(1, 2).unwrap(), 3);
}

/// The module of a client that is older in one way and newer in another: operations in another order, one changed.
fn other_module() -> &'static Module {
    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        let mut module = module().clone();
        let interface = &mut module.interfaces[0];
        interface.hash = TypeHash(1);
        interface.operations.reverse();
        interface.operations[0].hash = OpHash(99);
        module
    });
    &MODULE
}

#[test]
fn operations_are_found_by_hash_not_by_number() {
    let fixture = Fixture::plain();
    let transport = fixture.connect();
    let failure = call_with_other_module(&transport.root());
    assert_eq!(
        message(&failure),
        "the server's boxes.Box (version 1.0) has nothing with the signature of the caller's operation 0"
    );
    assert_eq!(BoxClient(transport.root()).add(1, 2).unwrap(), 3, "another descriptor says Hello again");
    call_with_other_module(&transport.root());
    let local = LocalSession::new(Capability::new(fixture.world.root()), Caller::local());
    let failure = call_with_other_module(&local.root());
    assert_eq!(message(&failure), "the object has nothing like the caller's destroy");
}

/// Calls `add`, which must succeed, and an operation that the service lacks.
fn call_with_other_module(root: &Portal) -> Failure {
    let call = |op: u16, words: &mut [u64]| {
        let op = OpNumber { module: other_module(), interface: InterfaceId(0), op };
        let mut block = Block { words, inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
        root.call(op, &mut block)
    };
    let mut words = [40, 2, 0];
    call(module().interfaces[0].operations.len() as u16 - 1, &mut words).unwrap();
    assert_eq!(words[2], 42);
    let failure = call(0, &mut [0; 7]).unwrap_err();
    assert_eq!(failure.kind(), Kind::NoSuchOperation);
    failure
}

#[test]
fn a_client_of_another_module_is_told_so() {
    static OTHER: LazyLock<Module> =
        LazyLock::new(|| Module { name: "files".to_owned(), ..module().clone() });
    let fixture = Fixture::plain();
    let op = OpNumber { module: &OTHER, interface: InterfaceId(0), op: 0 };
    let mut block =
        Block { words: &mut [1, 2, 0], inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
    let failure = fixture.connect().root().call(op, &mut block).unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    assert_eq!(message(&failure), "this server serves boxes.Box, and the client asks for Box of files");
}

#[test]
fn an_orderly_shutdown_ends_what_has_begun_and_tells_the_rest() {
    let mut fixture = Fixture::plain();
    let (busy, idle) = (fixture.client(), fixture.client());
    assert_eq!(idle.add(1, 2).unwrap(), 3);
    let in_flight = std::thread::spawn(move || {
        let waited = busy.wait();
        let refused = std::iter::repeat_with(|| busy.add(1, 2)).find_map(Result::err);
        (waited, refused.unwrap())
    });
    fixture.world.wait_for_waiting(1);
    let server = fixture.server.take().unwrap();
    let world = Arc::clone(&fixture.world);
    let address = fixture.address.clone();
    let opener = std::thread::spawn(move || {
        until("it accepts no more", || !Fixture::is_listening(&address));
        world.open_gate();
    });
    assert_eq!(server.shutdown(Instant::now() + Duration::from_secs(20)), Stopped::Ended);
    opener.join().unwrap();
    let (waited, later) = in_flight.join().unwrap();
    assert_eq!(waited, Ok(()));
    assert_eq!(
        (later.kind(), message(&later)),
        (Kind::Refused, "the server is shutting down; this was not begun")
    );
    assert_eq!(kind_of(idle.add(1, 2)), Some(Kind::Refused));
    assert_eq!(fixture.world.live(), 0);
    let failure = RemoteSession::connect(&fixture.address, ConnectOptions::default()).unwrap_err();
    assert_eq!(failure.kind(), Kind::Unreachable);
    let why = match carrier() {
        Carrier::Unix | Carrier::Shared => "no such socket",
        Carrier::Tls => "nobody listens there",
    };
    assert_eq!(message(&failure), format!("cannot reach {}: {why}", fixture.address));
}

#[test]
fn a_shutdown_does_not_wait_beyond_its_deadline() {
    let mut fixture = Fixture::plain();
    let client = fixture.client();
    let in_flight = std::thread::spawn(move || kind_of(client.wait()));
    fixture.world.wait_for_waiting(1);
    let server = fixture.server.take().unwrap();
    assert_eq!(server.shutdown(Instant::now()), Stopped::HungUp(1));
    assert_eq!(in_flight.join().unwrap(), Some(Kind::PeerDied));
    fixture.world.open_gate();
    until("the service returned and all is dropped", || fixture.world.live() == 0);
}

#[test]
fn the_service_learns_who_calls() {
    let seen: Arc<Mutex<Vec<Caller>>> = Arc::default();
    let (world, seen_by_roots) = (World::new(), Arc::clone(&seen));
    let made = Arc::clone(&world);
    let roots = move |caller: &Caller| {
        seen_by_roots.lock().unwrap().push(caller.clone());
        Ok(Capability::new(made.root()))
    };
    let fixture = Fixture::with_roots(ServerOptions::default(), world, roots);
    let (first, second) = (fixture.client(), fixture.client());
    first.add(1, 2).unwrap();
    second.add(1, 2).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen[0].principal, seen[1].principal);
    assert_ne!(seen[0].session, seen[1].session);
}

/// What a link took and could not send at once is sent although nothing follows it.
#[test]
fn answers_that_are_read_late_come_to_their_end() {
    const BYTES: usize = 30_000;
    let fixture = Fixture::plain();
    for calls in 1.. {
        assert!(calls < 1000, "there is always room for one answer more");
        let mut socket = fixture.raw();
        if let Raw::Tls(stream) = &socket {
            rustix::net::sockopt::set_socket_recv_buffer_size(&stream.sock, 64 << 10).unwrap();
        }
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        socket.write_all(&raw::hello()).unwrap();
        let before = fixture.world.calls.load(Ordering::SeqCst);
        let made = |count: usize| fixture.world.calls.load(Ordering::SeqCst) >= before + count;
        let frame = raw::call(op::ECHO, 1, 1, &[raw::words(&[BYTES as u64]), vec![7; BYTES]].concat());
        let mut sent = 0;
        while sent < calls && made(sent) {
            socket.write_all(&frame).unwrap();
            sent += 1;
            // The last one is not begun before something is read, if there is no room for the answers before it.
            soon(|| made(sent));
        }
        let is_full = !made(sent);
        assert_eq!(fixture.client().add(40, 2), Ok(42));
        let mut replies = vec![0; sent * (HEADER_BYTES + 8 + BYTES)];
        socket.read_exact(&mut replies).unwrap();
        assert!(raw::replies(&replies).iter().all(|(header, _)| header.status == 0));
        if is_full {
            return;
        }
    }
}
