//! Long data that go both ways through shared memory, of whose requests a server takes the beginning, and then the rest to where its
//! service changes them.

mod support;

use std::time::Duration;

use carnet_portal::call::{Kind, Ref};
use carnet_portal::server::ServerOptions;
use carnet_portal::wire::Reply;
use carnet_queue::Wanted;
use support::shared::Peer;
use support::{Fixture, all_come_back, data, op, raw, reversed, until};

const LONG: usize = 1 << 20;

fn turn(word: Ref, data: &[u8]) -> Vec<u8> {
    raw::call(op::TURN, 1, 1, &[&raw::words(&[word.0, 5]), data].concat())
}

/// Sends all of it, in as many steps as that takes, unless the server is gone.
fn send(peer: &Peer, bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() && !peer.end.has_other_hung_up() {
        rest = &rest[peer.send(rest)..];
        std::thread::yield_now();
    }
}

/// The next reply; what came behind it stays in `bytes`.
fn reply(peer: &Peer, bytes: &mut Vec<u8>) -> (Reply, Vec<u8>) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        if let Some(header) = Reply::decode(bytes)
            && header.len as usize <= bytes.len()
        {
            let frame: Vec<u8> = bytes.drain(..header.len as usize).collect();
            return raw::replies(&frame).remove(0);
        }
        let received = peer.end.receive(&mut buffer).unwrap();
        bytes.extend_from_slice(&buffer[..received]);
        if received == 0 {
            peer.end.sleep(Wanted { frames: true, room: false }, Duration::from_millis(10), || false);
        }
    }
}

#[test]
fn all_lengths_come_back() {
    let fixture = Fixture::plain();
    // Long ones behind each other, whose beginning alone is received at first, and short ones behind them, which are longer than that.
    let lengths =
        [3, LONG, LONG, 0, 1, 40, 8_100, 8_300, 300_000, 65_400, 100, 65_500, 65_536, 64, LONG - 1, 2, 9_000];
    all_come_back(&fixture.client(), &lengths);
}

#[test]
fn references_that_name_other_bytes_are_kept_to_or_refused() {
    let fixture = Fixture::plain();
    for (offset, len, status) in [
        (0, LONG, 0),
        (1, LONG - 1, 0),
        (0, 0, 0),
        (0, LONG + 1, Kind::BadArgument as u16),
        (LONG, 1, Kind::BadArgument as u16),
    ] {
        let peer = Peer::connect(fixture.socket().unwrap());
        send(&peer, &raw::hello());
        let all = turn(Ref::new(0, offset, len).unwrap(), &data(LONG));
        std::thread::scope(|scope| {
            // Twice: the second is begun as one that is expected.
            scope.spawn(|| [(); 2].map(|()| send(&peer, &all)));
            let mut bytes = Vec::new();
            for _ in 0..2 {
                let (header, body) = reply(&peer, &mut bytes);
                assert_eq!(header.status, status, "{offset}, {len}");
                if status == 0 {
                    assert!(body[16..] == reversed(data(LONG)[offset..offset + len].to_vec()));
                }
            }
        });
    }
}

#[test]
fn half_of_one_ends_its_session_alone() {
    let mut options = ServerOptions::default();
    options.limits.frame_timeout = Duration::from_millis(200);
    let fixture = Fixture::new(options);
    let all = turn(Ref::new(0, 0, LONG).unwrap(), &data(LONG));
    for part in [64, 100, 60_000, 500_000, all.len() - 1] {
        let peer = Peer::connect(fixture.socket().unwrap());
        send(&peer, &raw::hello());
        send(&peer, &all[..part]);
        let replies = peer.rest();
        let [(header, body)] = &replies[..] else { panic!("{} replies", replies.len()) };
        assert_eq!((header.call, header.status), (0, Kind::TimedOut as u16));
        assert!(String::from_utf8_lossy(body).contains("half of a message came"));
    }
    for part in [64, 100, 60_000, 500_000, all.len() - 1] {
        let peer = Peer::connect(fixture.socket().unwrap());
        send(&peer, &raw::hello());
        send(&peer, &all[..part]);
        drop(peer);
    }
    until("all sessions have ended", || fixture.sessions() == 0);
    assert_eq!(fixture.client().turn(&data(LONG), 1), Ok((reversed(data(LONG)), -1)));
}
