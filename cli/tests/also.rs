//! `carnet serve --also`: programs over several services.

mod support;

use support::Place;

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
    let approve = bill.split("approve:").nth(1).and_then(|rest| rest.split_whitespace().next());
    let approve = approve.expect("an approval");
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

#[test]
fn services_that_programs_could_not_tell_apart_are_refused() {
    let place = Place::new();
    for (also, expected) in [
        ("files=./data", "two services of the interface files"),
        ("./data", "names no service"),
        ("relay=unix:./x.sock", "--also takes no relay"),
        ("kvv=./x.db", "there is no kind of service `kvv`; did you mean `kv`?"),
        ("kv=./data", "cannot serve ./data"),
    ] {
        let output = place.carnet(&["serve", "files", "./data", "--also", also, "--listen", "unix:./c.sock"]);
        assert_eq!(output.status.code(), Some(2), "{also}");
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
    assert!(text(place.carnet(&two)).contains("two services of the interface kv"));
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
    let approve = bill.split("approve:").nth(1).and_then(|rest| rest.split_whitespace().next());
    let run = ["run", "index.carnet", "root=/src", "store=", "--approve", approve.expect("an approval")];
    let ran = text(place.carnet(&run));
    assert!(ran.contains("failed: ") && ran.contains("Store.put"), "{ran}");
}
