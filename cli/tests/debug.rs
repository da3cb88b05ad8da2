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

/// The lines that it shows, and the prompt, are none of its answer.
#[test]
fn its_answer_in_json_is_one_object() {
    let place = served();
    let output =
        place.shell("printf 's\\np\\nc\\n' | carnet debug step delete_old.carnet root=/scratch --json");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(told["end"], "done", "{told}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("> "), "it still asks");
}

/// Lists and records are shown by their length or whole; what is in them can be asked for.
#[test]
fn an_element_or_a_field_is_shown() {
    let place = served();
    place.write(
        "looks.carnet",
        b"use files\nrecord E { name: string(9), n: int }\nprogram looks(root: Dir) -> int {\n  var l: list(E, 9)\n  \
          l.add(E(name: \"one\", n: 1))\n  l.add(E(name: \"two\", n: 22))\n  let e = l[1]\n  return e.n\n}\n",
    );
    let asked = "p l[0]\\np l[1].name\\np e.name\\np e.n\\np l[2]\\np l.n\\np e.x\\np e[0]\\np x[0]\\np l[-1]\\np l[0\\np e.name.b";
    let said = steps(&place, &format!("s\\ns\\ns\\ns\\n{asked}\\nc\\n"), "looks.carnet root=/");
    let expected = "> name=one n=1\n> two\n> two\n> 22\n> `l` has no element [2]; it has [0] to [1]\n> `l` has no fields\n\
                    > `e` has no field `x`; it has name, n\n> `e` is no list\n> there is no variable `x` here\n\
                    > `l` has no element [-1]; it has [0] to [1]\n> `l` is followed by `[0`\n> `e.name` has no fields\n> done  22\n";
    assert!(said.contains(expected), "{said}");
}

/// What stops a run for its memory stops it here, and not a call later.
#[test]
fn the_memory_limit_stops_it_as_it_stops_the_run() {
    let place = served();
    place.write(
        "heavy.carnet",
        b"use files\nprogram heavy(root: Dir, n: int) -> int {\n  var t: string(8_000_000) = \"0123456789abcdef\"\n  \
          for i in 0 .. 18 limit 99 { t += t }\n  var l: list(string(8_000_000), 99)\n  \
          for i in 0 .. n limit 99 {\n    root.set_mode(\"scratch\", 493)\n    l.add(t)\n  }\n  return l.len\n}\n",
    );
    for n in [5, 50] {
        let argument = format!("n={n}");
        let ask = |words: &[&str]| -> serde_json::Value {
            let program = ["heavy.carnet", "root=/", &argument, "--json"];
            serde_json::from_slice(&place.carnet(&[words, &program].concat()).stdout).expect("an object")
        };
        let bill = ask(&["bill"]);
        let ran = ask(&["run", "--approve", bill["approval"].as_str().expect("a hash")]);
        let calls = &ran["receipt"]["calls"];
        for write in ["", " --write"] {
            let line = format!("printf 'c\\n' | carnet debug step heavy.carnet root=/ n={n}{write} --json");
            let stepped: serde_json::Value =
                serde_json::from_slice(&place.shell(&line).stdout).expect("an outcome");
            assert_eq!((&stepped["calls"], &stepped["exit"]), (calls, &ran["exit"]), "{stepped}");
            let end = stepped["end"].as_str().unwrap_or_default();
            assert_eq!(n == 50, end.contains("stopped: limit reached: memory"), "{stepped}");
        }
    }
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

/// Replays these bytes as a recording; the exit code, and what it says of errors.
fn replayed(place: &Place, bytes: &[u8]) -> (Option<i32>, String) {
    place.write("damaged", bytes);
    let output =
        place.carnet(&["debug", "step", "find_duplicates.carnet", "root=/src", "--replay", "damaged"]);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn recorded(place: &Place) -> Vec<u8> {
    let recorded = steps(place, "", "find_duplicates.carnet root=/src --record calls");
    assert!(recorded.contains("LICENSE = "), "{recorded}");
    std::fs::read(place.path("calls")).expect("a recording")
}

#[test]
fn damaged_recordings_are_refused_with_a_reason() {
    let place = served();
    let bytes = recorded(&place);
    assert_eq!(replayed(&place, &bytes).0, Some(0));
    let refused = |bytes: &[u8], whys: &[&str]| {
        let (code, text) = replayed(&place, bytes);
        assert_eq!(code, Some(2), "{text}");
        assert!(
            whys.iter().any(|why| text.starts_with(&format!("error: cannot replay damaged: {why}"))),
            "{text}"
        );
    };
    let no_recording = "it is no recording;";
    let other_version = "it is of another version of Carnet, or was cut off;";
    let edited = "it was cut off or edited: its end does not fit the rest";
    for cut in (0..bytes.len()).step_by(bytes.len() / 40).chain([bytes.len() - 1]) {
        refused(&bytes[..cut], &[no_recording, other_version, "it was cut off"]);
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 60).chain([bytes.len() - 1]) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x81;
        let (kind, rest) = ([no_recording], [other_version, edited]);
        refused(&changed, if at < 17 { &kind } else { &rest });
    }
    refused(&[&bytes[..], b"x"].concat(), &[edited]);
    refused(b"", &[no_recording]);
    // As it was before there was a digest, and before descriptors said that they have what is `@once`.
    refused(b"carnet recording 1\nand so on", &[other_version]);
    refused(&[b"carnet recording 3\n", &bytes[19..]].concat(), &[other_version]);
    for (file, why) in [("/dev/zero", "it is no regular file"), (".", "it is a directory")] {
        let output =
            place.carnet(&["debug", "step", "find_duplicates.carnet", "root=/src", "--replay", file]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.starts_with(&format!("error: cannot replay {file}: {why}")), "{text}");
    }
}

/// Somebody made a digest that fits.
#[test]
fn recordings_that_are_made_up_do_no_harm() {
    use sha2::Digest as _;
    let place = served();
    let bytes = recorded(&place);
    let body = &bytes[..bytes.len() - 32];
    for at in (19..body.len()).step_by(body.len() / 60) {
        let mut made_up = body.to_vec();
        made_up[at] ^= 0x81;
        let digest = sha2::Sha256::digest(&made_up);
        made_up.extend_from_slice(&digest);
        let (code, text) = replayed(&place, &made_up);
        // It ends in one of the ways that a run has, and by no panic or signal.
        assert!(matches!(code, Some(0..=4)) && !text.contains("panicked"), "{at}: {code:?} {text}");
    }
}
