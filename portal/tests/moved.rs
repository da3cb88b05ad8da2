//! Long data that go both ways, which a server receives to where its service changes them: however they are cut, whatever is said
//! of them, and if they stop half way.

mod support;

use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::time::{Duration, Instant};

use carnet_portal::call::{Kind, Ref};
use carnet_portal::server::ServerOptions;
use carnet_portal::wire::{HEADER_BYTES, Reply};
use support::{Fixture, Raw, all_come_back, data, kind_of, op, raw, reversed, until};

/// Longer than all that a socket and a receive buffer hold: the server has begun before all is sent.
const LONG: usize = 1 << 20;

/// A `turn` whose data are said to be `word`.
fn turn(call: u32, word: Ref, data: &[u8]) -> Vec<u8> {
    raw::call(op::TURN, 1, call, &[&raw::words(&[word.0, 5]), data].concat())
}

fn session(fixture: &Fixture) -> Raw {
    let mut session = fixture.raw();
    session.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    session.write_all(&raw::hello()).unwrap();
    session
}

/// Sends a request, and reads its reply.
fn ask(session: &mut Raw, request: &[u8]) -> (Reply, Vec<u8>) {
    session.write_all(request).unwrap();
    reply(session)
}

fn reply(session: &mut Raw) -> (Reply, Vec<u8>) {
    let mut header = [0; HEADER_BYTES];
    session.read_exact(&mut header).unwrap();
    let header = Reply::decode(&header).unwrap();
    let mut body = vec![0; header.len as usize - HEADER_BYTES];
    session.read_exact(&mut body).unwrap();
    (header, body)
}

/// What is after the words of a good answer.
fn turned((header, body): (Reply, Vec<u8>)) -> Vec<u8> {
    assert_eq!(header.status, 0, "{}", String::from_utf8_lossy(&body));
    let (words, data) = body.split_at(16);
    assert_eq!(words[8..], (-5_i64).to_le_bytes());
    assert_eq!(words[..8], (data.len() as u64).to_le_bytes());
    data.to_vec()
}

#[test]
fn all_lengths_come_back() {
    let fixture = Fixture::plain();
    // Long ones behind short ones and the other way round, around the bounds of what is moved and of receive buffers.
    let lengths =
        [3, LONG, 0, 1, 40_000, 8_100, 8_300, 65_400, 65_500, 65_536, 70_000, 64, LONG - 1, 2, 300_000];
    all_come_back(&fixture.client(), &lengths);
}

#[test]
fn a_server_has_begun_with_what_it_has() {
    let fixture = Fixture::plain();
    let mut session = session(&fixture);
    let (all, wanted) = (turn(1, Ref::new(0, 0, LONG).unwrap(), &data(LONG)), reversed(data(LONG)));
    for cut in [1, 4, 15, HEADER_BYTES, 20, 24, 31, 32, 33, 64, 4_000, 70_000, 600_000, all.len() - 1] {
        assert_eq!(turned(ask(&mut session, &raw::call(op::TURN, 1, 2, &raw::words(&[0, 5])))), []);
        let (first, rest) = all.split_at(cut);
        session.write_all(first).unwrap();
        // It comes to the rest when it has done what is before.
        std::thread::yield_now();
        assert!(turned(ask(&mut session, rest)) == wanted, "cut at {cut}");
    }
}

#[test]
fn frames_behind_a_long_one_are_answered() {
    let fixture = Fixture::plain();
    let mut session = session(&fixture);
    let long = turn(1, Ref::new(0, 0, LONG).unwrap(), &data(LONG));
    let all = [&long[..], &raw::call(op::ADD, 1, 2, &raw::words(&[40, 2])), &long, &long].concat();
    std::thread::scope(|scope| {
        // Who sends more than sockets hold reads meanwhile.
        let mut other = match &session {
            Raw::Unix(socket) => Raw::Unix(socket.try_clone().unwrap()),
            Raw::Tls(_) => unreachable!("these tests are not run over TLS"),
        };
        scope.spawn(move || other.write_all(&all).unwrap());
        assert!(turned(reply(&mut session)) == reversed(data(LONG)));
        assert_eq!(reply(&mut session).1, 42_u64.to_le_bytes());
        assert!(turned(reply(&mut session)) == reversed(data(LONG)));
        assert!(turned(reply(&mut session)) == reversed(data(LONG)));
    });
}

#[test]
fn references_that_name_other_bytes_are_kept_to_or_refused() {
    let fixture = Fixture::plain();
    let mut session = session(&fixture);
    let bytes = data(LONG);
    for (offset, len) in [(1, LONG - 1), (0, LONG - 1), (LONG / 2, LONG / 2), (0, 0), (LONG, 0), (7, 1)] {
        let word = Ref::new(0, offset, len).unwrap();
        let back = turned(ask(&mut session, &turn(1, word, &bytes)));
        assert!(back == reversed(bytes[offset..offset + len].to_vec()), "{offset}, {len}");
    }
    for (offset, len) in [(1, LONG), (0, LONG + 1), (LONG + 1, 0), (LONG - 1, 2)] {
        let (header, _) = ask(&mut session, &turn(1, Ref::new(0, offset, len).unwrap(), &bytes));
        assert_eq!(header.status, Kind::BadArgument as u16, "{offset}, {len}");
        assert!(
            turned(ask(&mut session, &turn(1, Ref::new(0, 0, LONG).unwrap(), &bytes)))
                == reversed(data(LONG))
        );
    }
    // More than the bound, all of it said and sent.
    let (header, _) = ask(&mut session, &turn(1, Ref::new(0, 0, LONG + 1).unwrap(), &data(LONG + 1)));
    assert_eq!(header.status, Kind::BadArgument as u16);
    // A portal that is not there, and one that nobody asked for.
    let body = [&raw::words(&[LONG as u64, 5]), &bytes[..]].concat();
    let (header, _) = ask(&mut session, &raw::call(op::TURN, 77, 1, &body));
    assert_eq!(header.status, Kind::NoSuchPortal as u16);
    assert!(
        turned(ask(&mut session, &turn(1, Ref::new(0, 0, LONG).unwrap(), &bytes))) == reversed(data(LONG))
    );
}

#[test]
fn half_of_one_ends_its_session_alone() {
    let mut options = ServerOptions::default();
    options.limits.frame_timeout = Duration::from_millis(200);
    let fixture = Fixture::new(options);
    let all = turn(1, Ref::new(0, 0, LONG).unwrap(), &data(LONG));
    for part in [32, 100, 60_000, 500_000, all.len() - 1] {
        let mut session = session(&fixture);
        let begun = Instant::now();
        let (header, body) = ask(&mut session, &all[..part]);
        let why = String::from_utf8_lossy(&body).into_owned();
        assert_eq!((header.call, header.status), (0, Kind::TimedOut as u16), "{why}");
        assert!(why.contains("half of a message came"), "{why}");
        assert!(begun.elapsed() >= Duration::from_millis(200));
        assert_eq!(fixture.client().add(40, 2), Ok(42));
    }
    for part in [32, 100, 60_000, 500_000, all.len() - 1] {
        let mut session = session(&fixture);
        session.write_all(&all[..part]).unwrap();
        session.shutdown(Shutdown::Both).unwrap();
    }
    until("all sessions have ended", || fixture.sessions() == 0);
    assert_eq!(fixture.client().turn(&data(LONG), 1), Ok((reversed(data(LONG)), -1)));
}

#[test]
fn a_server_that_ends_waits_for_no_rest() {
    let mut fixture = Fixture::plain();
    let mut session = session(&fixture);
    let all = turn(1, Ref::new(0, 0, LONG).unwrap(), &data(LONG));
    session.write_all(&all[..500_000]).unwrap();
    let begun = Instant::now();
    fixture.server.take().unwrap().shutdown(begun + Duration::from_secs(15));
    assert!(begun.elapsed() < Duration::from_secs(10));
    let (header, body) = reply(&mut session);
    assert_eq!((header.call, header.status), (0, Kind::Refused as u16));
    assert!(String::from_utf8_lossy(&body).contains("shutting down"));
}

#[test]
fn what_the_service_leaves_is_used_again() {
    let fixture = Fixture::plain();
    let client = fixture.client();
    for _ in 0..3 {
        assert_eq!(client.turn(&data(LONG), 1), Ok((reversed(data(LONG)), -1)));
        assert!(kind_of(client.plain(op::PANIC, &mut [])).is_some());
    }
}
