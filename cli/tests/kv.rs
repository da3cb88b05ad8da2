//! `carnet serve kv`: what it says, and a server that is killed while it writes.

mod support;

use std::sync::mpsc::{Sender, channel};
use std::thread;

use carnet_kv::kv::Store;
use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use rustix::process::Signal;
use support::{PATIENCE, Place, golden, signal};

#[test]
fn a_store_from_serving_to_programs() {
    let mut place = Place::new();
    place.write("text.db", &[b'x'; 9_000]);
    golden(&mut place, "kv");
}

const SERVE: &[&str] = &["serve", "kv", "./k.db", "--listen", "unix:./k.sock"];
const ROUNDS: usize = 5;
const ACKNOWLEDGED: usize = 30;

fn connect(place: &Place) -> Store {
    let address = Address::Unix(place.path("k.sock"));
    Store::from_portal(
        RemoteSession::connect(&address, ConnectOptions::default()).expect("it listens").root(),
    )
}

/// Adds to a number until the server is gone, and tells each sum; the last sum that was answered.
fn add_until_it_is_gone(store: &Store, key: &[u8], told: &Sender<()>) -> i64 {
    let mut last = store.get_int(key).unwrap_or(0);
    while let Ok(sum) = store.add(key, 1) {
        assert_eq!(sum, last + 1);
        last = sum;
        // The other side may have seen enough.
        let _ = told.send(());
    }
    last
}

/// Writes a number to two keys until the server is gone; the last one whose commit was answered.
fn write_both_until_it_is_gone(store: &Store, told: &Sender<()>) -> i64 {
    let mut last = store.get_int(b"left").unwrap_or(0);
    loop {
        let Ok(both) = store.begin() else { return last };
        let written = both.put_int(b"left", last + 1).and_then(|()| both.put_int(b"right", last + 1));
        if written.and_then(|()| both.commit()).is_err() {
            return last;
        }
        last += 1;
        let _ = told.send(());
    }
}

/// What was acknowledged is there after the server was killed, what was not is there whole or not at all.
#[test]
fn a_server_that_is_killed_loses_nothing_that_it_acknowledged() {
    let mut place = Place::new();
    for round in 0..ROUNDS {
        assert!(place.serve(SERVE).starts_with("serving ./k.db as kv "), "round {round}");
        let (told, acknowledged) = channel();
        let writers: Vec<_> = ["one", "two", ""]
            .map(|key| {
                let (store, told) = (connect(&place), told.clone());
                let write = move || match key {
                    "" => write_both_until_it_is_gone(&store, &told),
                    key => add_until_it_is_gone(&store, key.as_bytes(), &told),
                };
                thread::spawn(write)
            })
            .into_iter()
            .collect();
        for _ in 0..ACKNOWLEDGED {
            acknowledged.recv_timeout(PATIENCE).expect("writers go on");
        }
        signal(place.server(), Signal::KILL);
        place.server().wait().expect("it ends");
        let last: Vec<i64> = writers.into_iter().map(|writer| writer.join().expect("it ends")).collect();
        assert!(place.serve(SERVE).starts_with("serving ./k.db as kv "), "after round {round}");
        let store = connect(&place);
        let both = [b"left".as_slice(), b"right"].map(|key| store.get_int(key).unwrap_or(0));
        let found = [b"one".as_slice(), b"two"].map(|key| store.get_int(key).unwrap_or(0));
        for (found, last) in found.into_iter().chain([both[0]]).zip(last) {
            assert!(found == last || found == last + 1, "{found} is there, {last} was acknowledged");
        }
        assert_eq!(both[0], both[1], "a transaction is there in part");
        signal(place.server(), Signal::TERM);
        assert_eq!(support::ended(place.server()), Some(0), "round {round}");
    }
}
