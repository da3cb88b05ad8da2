//! To the service behind, a relay is one process: what that may have is divided among the relay's clients.

mod support;

use std::any::Any;
use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Instant;

use carnet_files::files::{Dir, File};
use carnet_portal::address::Address;
use carnet_portal::call::Label;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::stub::CallError;
use support::c::{Board, NOTES, built, frame, hello, reply, shown};
use support::{PATIENCE, Place, free_port};

fn connect(place: &Place, relay: &str) -> Arc<RemoteSession> {
    let options = ConnectOptions { call_timeout: Some(PATIENCE), ..ConnectOptions::default() };
    RemoteSession::connect(&Address::Unix(place.path(relay)), options).expect("it listens")
}

/// Waits until something is so.
fn until(mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "it is not so");
        std::thread::yield_now();
    }
}

/// All that this process gets, and what it is told then.
fn opens_all(root: &Dir, path: &[u8]) -> (Vec<File>, String) {
    let mut held = Vec::new();
    loop {
        match root.open(path) {
            Ok(file) => held.push(file),
            Err(CallError::Raised(error)) => return (held, error.message),
            Err(CallError::Failed(failure)) => panic!("{failure}"),
        }
    }
}

const OPENS: &str = "use files
program opens(root: Dir) -> int { let file = root.open(\"src/README\") return file.size() }";

/// Another process of the hog's user and another user, over TCP, who have opened nothing, open what they like. A relay behind a relay is one
/// client of that: others of the first open what they like. Sessions that are said to be for others have no more.
#[test]
fn a_client_of_a_relay_that_opens_all_it_can_leaves_files_to_others() {
    for relays in [1, 2] {
        let mut place = Place::new();
        place.write("opens.carnet", OPENS.as_bytes());
        let made = place.carnet(&["token", "new", "bob", "--tokens", "./tokens", "--output", "./bob"]);
        assert!(made.status.success(), "{}", shown(&made));
        place.serve(&["serve", "files", "./data", "--listen", "unix:./behind.sock"]);
        let mut behind = "unix:./behind.sock";
        if relays == 2 {
            place.serve(&["serve", "relay", behind, "--listen", "unix:./mid.sock"]);
            behind = "unix:./mid.sock";
        }
        let afar = format!("tcp://127.0.0.1:{}", free_port());
        let listen =
            ["--listen", "unix:./relay.sock", "--listen", &afar, "--tokens", "./tokens", "--key", "./key"];
        let serving = place.serve(&[&["serve", "relay", behind], &listen[..]].concat());
        let afar = serving.split([' ', ',', '\n']).find(|word| word.starts_with("carnet://"));
        let afar = afar.unwrap_or_else(|| panic!("{serving}")).to_owned();
        let session = connect(&place, "relay.sock");
        let (held, told) = opens_all(&Dir::from_portal(session.root()), b"src/README");
        let text =
            format!("one client of this relay holds {} files and directories, as many as it may", held.len());
        assert!(told.ends_with(&text), "{told}");
        // In another session it has no more.
        let another = connect(&place, "relay.sock");
        another.relays_for(Some(Label { principal: 7, process: 9 })).expect("it is answered");
        let (more, told) = opens_all(&Dir::from_portal(another.root()), b"src/README");
        assert!(more.is_empty() && told.ends_with(&text), "{told}");
        let opens = |server: &[&str]| {
            let done = place.carnet(&[&["run", "opens.carnet", "root=/", "--server"], server].concat());
            assert!(done.status.success(), "{relays}: {}", shown(&done));
            assert!(shown(&done).starts_with("done  2,000\n"), "{relays}: {}", shown(&done));
        };
        if relays == 1 {
            opens(&["unix:./relay.sock"]);
            opens(&[&afar, "--token-file", "./bob"]);
        } else {
            opens(&["unix:./mid.sock"]);
        }
        opens(&["unix:./behind.sock"]);
        // What is given back it has again.
        let count = held.len();
        drop(held);
        let mut again = opens_all(&Dir::from_portal(session.root()), b"src/README").0;
        until(|| {
            again.extend(opens_all(&Dir::from_portal(session.root()), b"src/README").0);
            again.len() == count
        });
    }
}

/// A session that has made a call, as long as this is held, or what it was told.
fn notes(place: &Place) -> Result<Box<dyn Any>, String> {
    let mut stream = UnixStream::connect(place.path("relay.sock")).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    stream.write_all(&[hello(), frame(2, NOTES, 1, 7, &[])].concat()).expect("to send");
    match reply(&mut stream).expect("an answer") {
        (0, _) => Ok(Box::new(stream)),
        (_, text) => Err(String::from_utf8_lossy(&text).into_owned()),
    }
}

/// The same of a tree of files.
fn stat(place: &Place) -> Result<Box<dyn Any>, String> {
    let session = connect(place, "relay.sock");
    match Dir::from_portal(session.root()).stat(b"src") {
        Ok(_) => Ok(Box::new(session)),
        Err(CallError::Failed(failure)) => Err(failure.details().message.clone()),
        Err(CallError::Raised(error)) => panic!("{error:?}"),
    }
}

/// A board in C has 48 clients of one process, and a server in Rust 144 sessions: one process has half of that through the relay.
#[test]
fn a_client_of_a_relay_that_begins_all_sessions_it_can_leaves_some_to_others() {
    let in_c = built(&[]);
    for (is_in_c, most) in [(true, 24), (false, 72)] {
        let mut place = Place::new();
        let board = match &in_c {
            Some(build) if is_in_c => Some(Board::start(&place, build)),
            None if is_in_c => continue,
            _ => None,
        };
        let behind = match &board {
            Some(board) => board.address("unix"),
            None => {
                place.serve(&["serve", "files", "./data", "--listen", "unix:./behind.sock"]);
                "unix:./behind.sock".to_owned()
            }
        };
        place.serve(&["serve", "relay", &behind, "--listen", "unix:./relay.sock"]);
        let begin = if is_in_c { notes } else { stat };
        let mut held = Vec::new();
        let told = loop {
            match begin(&place) {
                Ok(session) => held.push(session),
                Err(told) => break told,
            }
        };
        let expected = "sessions with the service behind, as many as it may; end one first";
        assert_eq!((held.len(), told), (most, format!("this process has {most} {expected}")));
        let call = if is_in_c { ["call", "Board.notes"] } else { ["call", "Dir.stat"] };
        let path: &[&str] = if is_in_c { &[] } else { &["path=src"] };
        let other = || place.carnet(&[&call, path, &["--server", "unix:./relay.sock"]].concat());
        assert!(other().status.success(), "{}", shown(&other()));
        held.truncate(most - 1);
        until(|| begin(&place).is_ok());
    }
}
