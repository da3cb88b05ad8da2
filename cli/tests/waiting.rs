//! `--wait`: how a server waits for clients through shared memory, told by what its threads do while a client that is connected
//! says nothing; how commands wait for answers; and words that say neither.

mod support;

use std::fs;
use std::sync::Arc;
use std::thread::yield_now;
use std::time::{Duration, Instant};

use carnet_files::files::Dir;
use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use support::Place;

/// How long the machine may take for what takes a moment.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ticks of processor time that nobody takes who sleeps: 0.3 s.
const MUCH: u64 = 30;

/// A server that waits so, and a client of it that has made one call.
fn served(how: &str) -> (Place, Arc<RemoteSession>) {
    let mut place = Place::new();
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock", "--wait", how]);
    let address = Address::Shared(place.path("c.sock"));
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("a session");
    Dir::from_portal(session.root()).stat(b"src/README").expect("a call");
    (place, session)
}

/// What stands behind the name in the statistics of a process or thread: state first.
fn fields(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("what the system says");
    let behind = text.rsplit_once(')').expect("a name").1;
    behind.split_whitespace().map(str::to_owned).collect()
}

/// Ticks of processor time, of the system's and its own.
fn ticks(place: &Place) -> u64 {
    let fields = fields(&format!("/proc/{}/stat", place.running().id()));
    fields[11..13].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        yield_now();
    }
}

#[test]
fn who_spins_takes_the_processor_while_nothing_comes() {
    let (place, _session) = served("spin");
    let before = ticks(&place);
    until("it does not spin", || ticks(&place) >= before + MUCH);
}

/// Whether all threads of the server sleep.
fn is_asleep(place: &Place) -> bool {
    let threads = fs::read_dir(format!("/proc/{}/task", place.running().id())).expect("a process");
    let mut paths = threads.map(|thread| thread.expect("a thread").path().join("stat"));
    // One that has ended meanwhile is looked for again.
    paths.all(|path| path.exists() && fields(path.to_str().expect("a name"))[0] == "S")
}

#[test]
fn who_sleeps_leaves_the_processor_to_others() {
    let (place, _session) = served("sleep");
    let before = ticks(&place);
    until("a thread never sleeps", || is_asleep(&place));
    assert!(ticks(&place) < before + MUCH, "it looked for long");
}

#[test]
fn who_adapts_sleeps_when_nothing_comes_and_answers_then() {
    let (place, session) = served("adaptive");
    let before = ticks(&place);
    until("a thread never sleeps", || is_asleep(&place));
    assert!(ticks(&place) < before + MUCH, "it looked for long");
    Dir::from_portal(session.root()).stat(b"src/README").expect("a call");
}

#[test]
fn commands_wait_as_they_are_told() {
    let mut place = Place::new();
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock"]);
    for how in ["spin", "adaptive", "sleep"] {
        let words = ["call", "Dir.stat", "path=src/README", "--server", "shm:./c.sock", "--wait", how];
        let output = place.carnet(&words);
        assert_eq!(output.status.code(), Some(0), "{how}: {output:?}");
        let usual = place.carnet(&words[..5]);
        assert_eq!(output.stdout, usual.stdout, "{how}");
    }
}

#[test]
fn words_that_say_nothing_are_refused() {
    let mut place = Place::new();
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock"]);
    let call = ["call", "Dir.stat", "path=src/README", "--server", "shm:./c.sock", "--wait"];
    let serve = ["serve", "files", "./data", "--listen", "unix:./other.sock", "--wait"];
    for words in [&call[..], &serve[..]] {
        for wrong in ["", "spinning", "SPIN", "0", "sleep ", "spin,sleep"] {
            let output = place.carnet(&[words, &[wrong]].concat());
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{words:?} {wrong:?}: {text}");
            assert!(
                ["spin", "adaptive", "sleep"].iter().all(|word| text.contains(word)),
                "{wrong:?}: {text}"
            );
        }
        let output = place.carnet(words);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
    // Over a socket there is nothing to wait for in another way.
    let output =
        place.carnet(&["call", "Dir.stat", "path=src/README", "--server", "unix:./c.sock", "--wait", "spin"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("--wait is nothing for unix:"), "{text}");
}
