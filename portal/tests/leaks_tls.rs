//! The same over TLS, with strangers. One test, so that nothing else runs meanwhile.

mod support;

use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::Duration;

use carnet_portal::identity::{Credentials, Token};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use support::counts::Counts;
use support::{BoxClient, Fixture, afar, raw, until};

#[test]
fn nothing_stays_behind() {
    let first = Counts::now();
    {
        let fixture = Fixture::plain();
        let before = Counts::now();
        for round in 0..60 {
            one_round(&fixture, round);
        }
        until("all sessions are gone", || fixture.sessions() == 0);
        until("all objects are gone", || fixture.world.live() == 0);
        before.come_back("with the server");
    }
    first.come_back("without it");
}

/// A client that ends well, one that does not, and a stranger.
fn one_round(fixture: &Fixture, round: usize) {
    assert_eq!(fixture.client().add(1, 2), Ok(3));
    let mut socket = fixture.raw();
    socket.write_all(&raw::hello()).unwrap();
    socket.write_all(&raw::open(1, b"never released")).unwrap();
    match round % 6 {
        0 => {
            let token = Credentials::Token(Token::generate().unwrap());
            let transport =
                RemoteSession::connect_as(&fixture.address, ConnectOptions::default(), &token).unwrap();
            assert!(BoxClient(transport.root()).add(1, 2).is_err());
        }
        1 => drop(afar::tcp(&fixture.address)),
        2 => drop(afar::connect(&fixture.address, &[b"carnet/1"]).write_all(&[0xff; 100])),
        3 => drop(afar::connect(&fixture.address, &[b"h2"]).write_all(b"x")),
        4 => {
            let mut stream = afar::tcp(&fixture.address);
            stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        }
        _ => socket.write_all(&[0xff; 100]).unwrap(),
    }
}
