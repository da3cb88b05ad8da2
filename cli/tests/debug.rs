//! `carnet debug step`: what it says, what it changes, and recordings that are damaged.

mod support;

use support::Place;

fn served() -> Place {
    let mut place = Place::new();
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock"]);
    place.export("CARNET_SERVER", "unix:./c.sock");
    place
}

/// What a command says that reads these lines.
fn steps(place: &Place, lines: &str, command: &str) -> String {
    let output = place.shell(&format!("printf '{lines}' | carnet debug step {command}"));
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).expect("text")
}

#[test]
fn it_stops_where_it_is_told_and_shows_what_is_there() {
    let place = served();
    let said = steps(
        &place,
        "s\\n\\ns\\np\\nb Dir.remove\\nc\\np path\\ncalls\\nclear Dir.remove\\nb 19\\nc\\nl\\np gone\\np nothing\\nwhat\\nq\\n",
        "delete_old.carnet root=/scratch",
    );
    let expected = include_str!("debug/step.txt");
    if std::env::var_os("BLESS").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debug/step.txt");
        std::fs::write(path, &said).expect("it is written");
    } else {
        assert_eq!(said, expected, "BLESS=1 writes it anew");
    }
    assert!(place.path("data/scratch/1.tmp").is_file(), "nothing was removed");
}

#[test]
fn what_writes_is_made_if_that_is_said() {
    let place = served();
    let said = steps(&place, "c\\n", "delete_old.carnet root=/scratch --write");
    assert!(said.ends_with("4 calls (3 writes)\n"), "{said}");
    assert!(!place.path("data/scratch/1.tmp").exists());
    // Of its end nothing is said that was not: the input is over, and so it goes on.
    let said = steps(&place, "", "delete_old.carnet root=/scratch");
    assert!(said.ends_with("done  no entries\n1 call (0 writes)\n"), "{said}");
}

/// A recording is as good as the server was, for the same run, and for no other.
#[test]
fn a_recording_is_replayed_without_the_server() {
    let mut place = served();
    let program = "find_duplicates.carnet root=/src";
    let live = steps(&place, "n\\nn\\nn\\n", &format!("{program} --record calls"));
    assert!(live.contains("call Dir.open_hash(\"./LICENSE\")"), "{live}");
    support::signal(place.running(), rustix::process::Signal::KILL);
    let _ = place.server().wait();
    place.export("CARNET_SERVER", "");
    let replayed = steps(&place, "n\\nn\\nn\\n", &format!("{program} --replay calls"));
    assert_eq!(replayed, live);
    let other = steps(&place, "c\\n", "find_duplicates.carnet root=/ --replay calls");
    assert!(other.contains("the recording has another call here"), "{other}");
    let again = steps(&place, "", &format!("{program} --record calls --server unix:./c.sock"));
    assert!(again.contains("cannot reach") || again.contains("cannot write the recording"), "{again}");
    assert_eq!(steps(&place, "n\\nn\\nn\\n", &format!("{program} --replay calls")), live);
}

/// Cut and edited recordings are refused, or give another answer: none does harm.
#[test]
fn damaged_recordings_are_refused_with_a_reason() {
    let place = served();
    let recorded = steps(&place, "", "find_duplicates.carnet root=/src --record calls");
    assert!(recorded.contains("LICENSE = "), "{recorded}");
    let bytes = std::fs::read(place.path("calls")).expect("a recording");
    let replay = |bytes: &[u8]| {
        place.write("damaged", bytes);
        let output =
            place.carnet(&["debug", "step", "find_duplicates.carnet", "root=/src", "--replay", "damaged"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!text.contains("panicked"), "{text}");
        (output.status.code(), text)
    };
    for cut in (0..bytes.len()).step_by(bytes.len() / 40) {
        let (code, text) = replay(&bytes[..cut]);
        assert!(matches!(code, Some(1 | 2)), "{cut}: {code:?} {text}");
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 60) {
        let mut edited = bytes.clone();
        edited[at] ^= 0x81;
        let (code, text) = replay(&edited);
        assert!(matches!(code, Some(0..=4)), "{at}: {code:?} {text}");
    }
    assert!(replay(b"").1.contains("it is no recording of this version"));
}
