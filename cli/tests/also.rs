//! `carnet serve --also`: programs over several services.

mod support;

use support::{Place, approval};

/// Writes the size of each file down under its name, in another service.
const INDEX: &str = "use files
use kv
program index(root: Dir, store: Store) -> int at most 100 writes {
  var bytes = 0
  for e in root.list(\".\") limit 100 {
    if e.kind == Kind.file {
      let file = root.open(e.name)
      store.put(e.name, file.read(0, 8))
      bytes += e.size
    }
  }
  return bytes
}";

fn text(output: std::process::Output) -> String {
    String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
}

#[test]
fn a_program_uses_files_and_keys() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("index.carnet", INDEX.as_bytes());
    let serve = ["serve", "files", "./data", "--also", "kv=./index.db", "--listen", "unix:./c.sock"];
    let serving = place.serve(&serve);
    assert!(
        serving.contains("as files (read, write), also kv=./index.db (read, write, at most 1.0 GiB) on"),
        "{serving}"
    );
    let described = text(place.carnet(&["describe"]));
    assert!(described.contains("programs can use kv as well\n"), "{described}");
    let bill = text(place.carnet(&["bill", "index.carnet", "root=/src", "store="]));
    assert!(bill.contains("Store.put ") && bill.contains("File.read "), "{bill}");
    let approve = approval(&bill);
    let run = ["run", "index.carnet", "root=/src", "store=", "--approve", approve];
    let ran = text(place.carnet(&run));
    assert!(ran.starts_with("done  2,008\nreceipt: 7 calls (2 writes), 1 round trip"), "{ran}");
    // A program of the other service alone runs here as well; single calls reach the one of the session.
    let counted = text(place.carnet(&["run", "count_by_prefix.carnet", "store="]));
    assert!(counted.contains("2") && counted.contains("16"), "{counted}");
    let call = text(place.carnet(&["call", "Store.get", "key=LICENSE"]));
    assert!(call.contains("files has no interface `Store`"), "{call}");
    // Approved for one object of the other service is not approved for another.
    let other = text(place.carnet(&["run", "index.carnet", "root=/src", "store=x.", "--approve", approve]));
    assert!(other.contains("the approval is for another program, bill or arguments"), "{other}");
}

/// What `debug step` says that reads these lines.
fn steps(place: &Place, lines: &str, command: &str) -> String {
    text(place.shell(&format!("printf '{lines}' | carnet debug step {command}")))
}

/// What is shown of INDEX, which stops before its second call of `put`.
const SHOWN: &str = "s\\nb Store.put\\nc\\np bytes\\np e.name\\ncalls\\nb 9\\nc\\np bytes\\nclear\\nc\\n";

#[test]
fn a_program_of_several_services_is_stepped_through() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("index.carnet", INDEX.as_bytes());
    let also = ["--also", "kv=./index.db", "--also", "far:files=./data/src", "--listen", "unix:./c.sock"];
    place.serve(&[&["serve", "files", "./data"][..], &also].concat());
    let count = "carnet run count_by_prefix.carnet store=";
    let dry = steps(&place, "c\\n", "index.carnet root=/src store=");
    assert!(dry.ends_with("done  2,008\n7 calls (2 writes, not made)\n"), "{dry}");
    assert!(!text(place.shell(count)).contains("16"), "nothing was written");
    let said = steps(&place, SHOWN, "index.carnet root=/src store= --write");
    assert!(said.contains("call Store.put(\"LICENSE\", 6c6963"), "{said}");
    assert!(said.contains("> LICENSE\n>   Dir.list 1\n  Dir.open 1\n  File.read 1\n"), "{said}");
    assert!(said.ends_with("> done  2,008\n7 calls (2 writes)\n"), "{said}");
    let counted = text(place.shell(count));
    assert!(counted.contains("2") && counted.contains("16"), "{counted}");
    // What a call of the second service came to is shown, as of the first.
    let said = steps(&place, "\\n\\n\\n\\n\\n\\n\\nq\\n", "index.carnet root=/src store= --write");
    assert!(said.contains("call Store.put(\"LICENSE\"") && said.contains("    done\n"), "{said}");
    // A text says which of two file servers is meant.
    for root in ["far:/", "far:/."] {
        let far = steps(&place, "c\\n", &format!("index.carnet root={root} store="));
        assert!(far.contains("done  2,008\n"), "{far}");
    }
    let none = steps(&place, "c\\n", "index.carnet root=/nothing store=");
    assert!(none.contains("failed: root: "), "{none}");
    // One of the other service alone.
    let counted = steps(&place, "c\\n", "count_by_prefix.carnet store=");
    assert!(counted.contains("16") && counted.contains("(0 writes)"), "{counted}");
}

#[test]
fn there_are_no_more_services_than_a_client_can_be_told_of() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("index.carnet", INDEX.as_bytes());
    let serve = |files: usize| -> Vec<String> {
        let also = (0..files).map(|n| format!("--also=n{n}:files=./data"));
        let first = ["serve", "files", "./data", "--also=kv=./index.db", "--listen", "unix:./c.sock"];
        first.into_iter().map(String::from).chain(also).collect()
    };
    let arguments = serve(255);
    let refused = place.carnet(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(refused.status.code(), Some(2));
    let said = text(refused);
    assert!(said.starts_with("error: 256 services beside the first, of 255 at most\n"), "{said}");
    assert!(!place.path("index.db").exists() && !place.path("c.sock").exists(), "nothing was opened");
    let arguments = serve(254);
    place.serve(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let said = steps(&place, "c\\n", "index.carnet root=n253:/src store=");
    assert!(said.ends_with("done  2,008\n7 calls (2 writes, not made)\n"), "{said}");
}

/// What was recorded of several services is played without them.
#[test]
fn calls_of_several_services_are_recorded() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("index.carnet", INDEX.as_bytes());
    place.write("fetch.carnet", FETCH.as_bytes());
    let also = ["--also", "kv=./index.db", "--also", "far:files=./data/src", "--listen", "unix:./c.sock"];
    place.serve(&[&["serve", "files", "./data"][..], &also].concat());
    let index = "index.carnet root=far:/ store= --write";
    let fetch = "fetch.carnet from=far:/ to=/scratch --write";
    let live = steps(&place, SHOWN, &format!("{index} --record indexed"));
    assert!(live.contains("call Store.put(\"LICENSE\""), "{live}");
    let fetched = steps(&place, "n\\nn\\nn\\nn\\nn\\n", &format!("{fetch} --record fetched"));
    assert!(fetched.contains("call Dir.create(\"LICENSE\")") && fetched.contains("done  2,008"), "{fetched}");
    support::signal(place.running(), rustix::process::Signal::KILL);
    let _ = place.server().wait();
    place.export("CARNET_SERVER", "");
    assert_eq!(steps(&place, SHOWN, &format!("{index} --replay indexed")), live);
    assert_eq!(steps(&place, "n\\nn\\nn\\nn\\nn\\n", &format!("{fetch} --replay fetched")), fetched);
    // Of which of two services a call was is recorded as well.
    let other = steps(&place, "c\\n", "index.carnet root=/ store= --replay indexed");
    assert!(other.contains("the recording has another call here"), "{other}");
    // Somebody made digests that fit.
    use sha2::Digest as _;
    let bytes = std::fs::read(place.path("indexed")).expect("a recording");
    let body = &bytes[..bytes.len() - 32];
    for at in (19..body.len()).step_by(body.len() / 40).chain(27..32) {
        for change in [0x81, 0xff] {
            let mut made_up = body.to_vec();
            made_up[at] ^= change;
            let digest = sha2::Sha256::digest(&made_up);
            made_up.extend_from_slice(&digest);
            place.write("made_up", &made_up);
            let output = place.carnet(&[
                "debug",
                "step",
                "index.carnet",
                "root=far:",
                "store=",
                "--replay",
                "made_up",
            ]);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(
                matches!(output.status.code(), Some(0..=4)) && !said.contains("panicked"),
                "{at}: {said}"
            );
        }
    }
}

/// Services of other processes are called through the one server, by the session that each session has behind it.
#[test]
fn a_program_of_several_processes_is_stepped_through() {
    let mut place = Place::new();
    place.write("index.carnet", INDEX.as_bytes());
    place.serve(&["serve", "kv", "./index.db", "--listen", "unix:./kv.sock"]);
    place.serve(&["serve", "files", "./data", "--listen", "unix:./files.sock"]);
    let also = ["--also", "relay=unix:./kv.sock", "--listen", "unix:./c.sock"];
    place.serve(&[&["serve", "relay", "unix:./files.sock"][..], &also].concat());
    place.export("CARNET_SERVER", "unix:./c.sock");
    let said = steps(&place, "b Store.put\\nc\\nc\\nc\\n", "index.carnet root=/src store= --write");
    assert!(said.contains("call Store.put(\"LICENSE\"") && said.contains("done  2,008"), "{said}");
    let counted = text(place.carnet(&["run", "count_by_prefix.carnet", "store="]));
    assert!(counted.contains("16"), "{counted}");
    // One behind is gone.
    support::signal(place.first(), rustix::process::Signal::KILL);
    let gone = steps(&place, "c\\n", "index.carnet root=/src store= --write");
    assert!(gone.contains("failed: ") && !gone.contains("done"), "{gone}");
}

/// A policy that is said of single calls is said of those of all services.
#[test]
fn single_calls_of_services_beside_are_refused_as_those_of_the_first() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("index.carnet", INDEX.as_bytes());
    place.write("p.toml", b"[writes]\nconfirm = true\n[end]\n");
    let also = ["--also", "kv=./index.db", "--policy", "p.toml", "--listen", "unix:./c.sock"];
    place.serve(&[&["serve", "files", "./data"][..], &also].concat());
    let said = steps(&place, "c\\n", "index.carnet root=/src store= --write");
    assert!(said.contains("takes no single call that writes"), "{said}");
    let counted = text(place.carnet(&["run", "count_by_prefix.carnet", "store="]));
    assert!(!counted.contains("16"), "{counted}");
}

#[test]
fn services_that_programs_could_not_tell_apart_are_refused() {
    let place = Place::new();
    for (also, code, expected) in [
        ("files=./data", 2, "two services of the interface files"),
        ("./data", 2, "names no service"),
        ("relay=unix:./x.sock", 7, "cannot reach unix:./x.sock"),
        ("kvv=./x.db", 2, "there is no kind of service `kvv`; did you mean `kv`?"),
        ("kv=./data", 2, "cannot serve ./data"),
    ] {
        let output = place.carnet(&["serve", "files", "./data", "--also", also, "--listen", "unix:./c.sock"]);
        assert_eq!(output.status.code(), Some(code), "{also}");
        let said = text(output);
        assert!(said.contains(expected), "{also}: {said}");
    }
    let two = [
        "serve",
        "files",
        "./data",
        "--also",
        "kv=./a.db",
        "--also",
        "kv=./b.db",
        "--listen",
        "unix:./c.sock",
    ];
    let refused = text(place.carnet(&two));
    let help = "two services of the interface kv\ngive this one a name, with which arguments that mean it begin: --also other:kv=./b.db";
    assert!(refused.contains(help), "{refused}");
    for (name, expected) in [
        ("", "--also calls a service ``\nexpected at most 32 letters"),
        ("a b", "--also calls a service `a b`"),
        ("a:b", "there is no kind of service `b:kv`"),
        ("x123456789012345678901234567890123", "--also calls a service `x1234"),
    ] {
        let also = format!("{name}:kv=./b.db");
        let output = place.carnet(&[&two[..5], &["--also", &also][..], &two[7..]].concat());
        assert_eq!(output.status.code(), Some(2), "{also}");
        let said = text(output);
        assert!(said.contains(expected), "{also}: {said}");
    }
    let twice = ["--also", "a:kv=./a.db", "--also", "a:files=./data", "--listen", "unix:./c.sock"];
    let said = text(place.carnet(&[&two[..3], &twice[..]].concat()));
    assert!(said.contains("two services are called `a`"), "{said}");
}

/// Copies what lies in one directory into another one, piece by piece, wherever the two are.
const FETCH: &str = "use files
program fetch(from: Dir, to: Dir) -> int at most 1_000 writes {
  var bytes = 0
  for e in from.list(\".\") limit 100 {
    if e.kind == Kind.file {
      let source = from.open(e.name)
      let target = to.create(e.name)
      while true limit 4 {
        let piece = source.next(64KiB)
        if piece.len == 0 { break }
        bytes += target.append(piece)
      }
    }
  }
  return bytes
}";

/// As the files' own operation does it, which both files must be of one service for.
const COPY: &str = "use files
program copy(from: Dir, to: Dir, name: string) -> int {
  let source = from.open(\"LICENSE\")
  let target = to.create(name)
  return target.copy_from(source, 0, 1MiB)
}";

/// Two servers of one service, which know nothing of each other: what a program of one of them moves between both crosses once between
/// them, in each direction, and never reaches the client.
#[test]
fn a_program_moves_files_between_two_servers() {
    let mut place = Place::new();
    place.write("fetch.carnet", FETCH.as_bytes());
    place.write("copy.carnet", COPY.as_bytes());
    std::fs::create_dir(place.path("far")).expect("a directory");
    place.serve(&["serve", "files", "./far", "--listen", "unix:./far.sock"]);
    std::fs::create_dir(place.path("near")).expect("a directory");
    let also =
        ["--also", "far:relay=unix:./far.sock", "--also", "near:files=./near", "--listen", "unix:./c.sock"];
    let here = place.serve(&[&["serve", "files", "./data"][..], &also].concat());
    assert!(
        here.contains(", also far:relay=unix:./far.sock (files.Dir of carnet), also near:files=./near ("),
        "{here}"
    );
    place.export("CARNET_SERVER", "unix:./c.sock");
    let described = text(place.carnet(&["describe"]));
    assert!(described.contains("programs can use far:files, near:files as well\n"), "{described}");
    // There, and back from there.
    for (from, to, dir) in [("/src", "far:/", "far"), ("far:/", "near:/", "near")] {
        let (from, to) = (format!("from={from}"), format!("to={to}"));
        let ran = approved(&place, &["fetch.carnet", &from, &to]);
        assert!(ran.starts_with("done  2,008\n"), "{ran}");
        assert!(ran.contains("1 round trip"), "{ran}");
        for file in ["LICENSE", "README"] {
            let there = std::fs::read(place.path(dir).join(file)).expect("it was copied");
            let here = std::fs::read(place.path("data/src").join(file)).expect("it is there");
            assert_eq!(there, here, "{file} in {dir}");
        }
    }
    // Who copies by itself copies its own alone, in either direction, and within one process.
    for (from, to, done) in [
        ("far:/", "/src", "cannot be copied into from a file of another service"),
        ("/src", "far:/", "a portal on an object that the service behind this one does not have"),
        ("near:/", "far:/", "a portal on an object that the service behind this one does not have"),
        ("near:/", "/src", "done  "),
        ("far:/", "far:/", "done  "),
    ] {
        let name = format!("name={}", from.replace(['/', ':'], "-"));
        let ran = approved(&place, &["copy.carnet", &format!("from={from}"), &format!("to={to}"), &name]);
        assert!(ran.contains(done), "{from} {to}: {ran}");
    }
    // The first of the colons says which service, if one has that name.
    let missing = text(place.carnet(&["run", "disk_usage.carnet", "root=:far:/"]));
    assert!(missing.contains("\"far:/\" does not begin with \"/\""), "{missing}");
    let usage = text(place.carnet(&["run", "disk_usage.carnet", "root=far:/"]));
    assert!(usage.contains("receipt: "), "{usage}");
}

/// With names for both there is none that a text without a name means.
#[test]
fn a_text_that_may_mean_several_services_is_refused() {
    let mut place = Place::new();
    let also = ["--also", "a:kv=./a.db", "--also", "b:kv=./b.db", "--listen", "unix:./c.sock"];
    place.serve(&[&["serve", "files", "./data"][..], &also].concat());
    place.export("CARNET_SERVER", "unix:./c.sock");
    let either = text(place.carnet(&["run", "count_by_prefix.carnet", "store="]));
    assert!(either.contains("must begin with `a:` or `b:`"), "{either}");
    let counted = text(place.carnet(&["run", "count_by_prefix.carnet", "store=b:"]));
    assert!(counted.contains("receipt: "), "{counted}");
}

/// What is read-only is so for all.
#[test]
fn read_only_is_said_of_all_services() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("index.carnet", INDEX.as_bytes());
    let make = ["serve", "files", "./data", "--also", "kv=./index.db", "--listen", "unix:./c.sock"];
    place.serve(&make);
    support::signal(place.running(), rustix::process::Signal::TERM);
    support::ended(place.server());
    place.serve(&[&make[..], &["--read-only"]].concat());
    let bill = text(place.carnet(&["bill", "index.carnet", "root=/src", "store="]));
    let run = ["run", "index.carnet", "root=/src", "store=", "--approve", approval(&bill)];
    let ran = text(place.carnet(&run));
    assert!(ran.contains("failed: ") && ran.contains("Store.put"), "{ran}");
}

fn approved(place: &Place, arguments: &[&str]) -> String {
    let bill = text(place.carnet(&[&["bill"], arguments].concat()));
    text(place.carnet(&[&["run"], arguments, &["--approve", approval(&bill)]].concat()))
}

/// Two services, each of a process of its own that knows nothing of the other, in one program: beside a service of this process, and
/// beside another relayed one.
#[test]
fn a_program_uses_services_of_several_processes() {
    let mut place = Place::new();
    place.write("index.carnet", INDEX.as_bytes());
    place.serve(&["serve", "files", "./data", "--listen", "unix:./files.sock"]);
    place.serve(&["serve", "kv", "./index.db", "--listen", "unix:./kv.sock"]);
    let also = ["--also", "relay=unix:./kv.sock", "--listen"];
    let here = place.serve(&[&["serve", "files", "./data"][..], &also, &["unix:./a.sock"]].concat());
    assert!(here.contains(", also relay=unix:./kv.sock (kv.Store of carnet) on unix:./a.sock"), "{here}");
    place.serve(&[&["serve", "relay", "unix:./files.sock"][..], &also, &["unix:./b.sock"]].concat());
    for (server, keys) in [("unix:./a.sock", "a."), ("unix:./b.sock", "b.")] {
        place.export("CARNET_SERVER", server);
        let store = format!("store={keys}");
        let ran = approved(&place, &["index.carnet", "root=/src", &store]);
        assert!(ran.starts_with("done  2,008\nreceipt: 7 calls (2 writes), 1 round trip"), "{ran}");
    }
    place.export("CARNET_SERVER", "unix:./kv.sock");
    let keys = text(place.carnet(&["call", "Store.scan", "prefix="]));
    assert!(keys.contains("a.LICENSE") && keys.contains("b.README"), "{keys}");
}

/// What is of another process dies with that, and a server goes on without it; each session has its own there.
#[test]
fn a_process_behind_that_dies_takes_no_other_with_it() {
    let mut place = Place::new();
    place.write("index.carnet", INDEX.as_bytes());
    let kv = ["serve", "kv", "./index.db", "--listen", "unix:./kv.sock"];
    place.serve(&kv);
    let also = ["--also", "relay=unix:./kv.sock", "--listen", "unix:./c.sock", "--state", "./runs"];
    place.serve(&[&["serve", "files", "./data"][..], &also].concat());
    place.export("CARNET_SERVER", "unix:./c.sock");
    let index = ["index.carnet", "root=/src", "store="];
    assert!(approved(&place, &index).starts_with("done  2,008"), "it is there");
    support::signal(place.first(), rustix::process::Signal::KILL);
    while std::os::unix::net::UnixStream::connect(place.path("kv.sock")).is_ok() {
        std::thread::yield_now();
    }
    let without = approved(&place, &index);
    assert!(without.contains("cannot reach unix:./kv.sock"), "{without}");
    let usage = text(place.carnet(&["run", "disk_usage.carnet", "root=/"]));
    assert!(usage.contains("receipt: "), "{usage}");
    place.serve(&kv);
    assert!(approved(&place, &index).starts_with("done  2,008"), "it is there again");
}

#[test]
fn what_a_relay_beside_cannot_promise_is_refused() {
    let mut place = Place::new();
    place.serve(&["serve", "kv", "./index.db", "--listen", "unix:./kv.sock"]);
    let serve = ["serve", "files", "./data", "--also", "relay=unix:./kv.sock", "--listen", "unix:./c.sock"];
    for (option, expected) in [
        (&["--read-only"][..], "error: --read-only is nothing for a relay"),
        (&["--threads", "loop"], "error: --threads loop is nothing for a relay"),
        (&["--also", "kv=./other.db"], "error: two services of the interface kv"),
    ] {
        let output = place.carnet(&[&serve[..], option].concat());
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        let said = text(output);
        assert!(said.contains(expected), "{option:?}: {said}");
    }
}
