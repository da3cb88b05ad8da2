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

/// Whoever mistypes where to stop does not see it run on, and least of all what it changes.
#[test]
fn what_cannot_be_a_breakpoint_is_refused() {
    let place = served();
    let program = "delete_old.carnet root=/scratch --write";
    for (what, why) in [
        ("99", "no statement begins in line 99; some do in 8–15, 17–19, 23"),
        ("7", "no statement begins in line 7; some do in "),
        ("Dir.nosuch", "the program does not call `Dir.nosuch`; it calls Dir.list, Dir.remove"),
        ("File.remove", "the program does not call `File.remove`; it calls "),
        ("foo", "the program does not call `foo`; it calls "),
    ] {
        let output = place.carnet(&[
            "debug",
            "step",
            "delete_old.carnet",
            "root=/scratch",
            "--write",
            "--break",
            "Dir.list",
            "--break",
            what,
        ]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(&format!("error: --break: {why}")), "{said}");
        assert!(said.ends_with("nothing was run\n"), "{said}");
        // Neither by `continue`, nor because there is nothing more to read.
        for commands in
            [format!("b {what}\\nc\\n"), format!("b {what}\\n"), format!("b {what}\\nc\\nclear 8\\nc\\n")]
        {
            let said = steps(&place, &commands, program);
            assert!(said.contains(why) && said.contains("stopped: you left it"), "{said}");
            assert!(said.ends_with("0 calls (0 writes)\n"), "{said}");
        }
        assert!(place.path("data/scratch/1.tmp").is_file());
        // Where nothing is changed there is nothing to be held back.
        let said = steps(&place, &format!("b {what}\\nc\\n"), "delete_old.carnet root=/scratch");
        assert!(
            said.ends_with("4 calls (3 writes, not made)\n") || said.contains("would have to read"),
            "{said}"
        );
    }
    let said = steps(&place, "b 99\\nb Dir.remove\\nc\\nq\\n", program);
    assert!(said.contains("call Dir.remove(") && said.contains("stopped: you left it"), "{said}");
    assert!(place.path("data/scratch/1.tmp").is_file());
    let said = steps(&place, "b 99\\nclear\\nc\\n", program);
    assert!(said.ends_with("4 calls (3 writes)\n"), "{said}");
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
