//! `carnet run --engine kernel` on a machine without the module. With it, `cargo xtask kernel-test` runs what is behind it.

mod support;

use std::path::Path;

use support::{Place, approval, skip};

const COPY: &str = "use linux
program made(os: System, name: string(20)) -> int {
  let fd = os.creat(name, 0x1a4)
  os.ftruncate(fd, 77)
  let is = os.fstat(fd)
  return is.size
}";

const PIECES: &str = "use linux
program copy(os: System, source: int, to: int) {
  while true limit 1_000 {
    let data = os.read(source, 5)
    if data.len == 0 { return }
    os.write(to, data)
  }
}";

fn text(output: &std::process::Output) -> String {
    String::from_utf8([output.stdout.clone(), output.stderr.clone()].concat()).expect("text")
}

/// Whether the module is not there.
fn without_module() -> bool {
    let is_there = Path::new("/dev/carnet").exists();
    if is_there {
        skip("the kernel module is loaded here");
    }
    !is_there
}

#[test]
fn without_module_and_server_the_process_runs_it_itself() {
    if !without_module() {
        return;
    }
    let place = Place::empty();
    place.write("made.carnet", COPY.as_bytes());
    let ran = place.carnet(&["run", "--engine", "kernel", "made.carnet", "os=", "name=here"]);
    let said = text(&ran);
    assert_eq!(ran.status.code(), Some(0), "{said}");
    assert!(said.contains("there is no /dev/carnet here; this process runs it"), "{said}");
    assert!(said.contains("done  77") && said.contains("3 calls (2 writes)"), "{said}");
    let made = std::fs::metadata(place.path("here")).expect("it is made");
    assert_eq!(made.len(), 77);
}

#[test]
fn floats_are_computed_by_the_process() {
    if !without_module() {
        return;
    }
    let place = Place::empty();
    place.write(
        "k.carnet",
        b"use linux\nprogram p(sys: linux.System, x: double = 1.5, y: float = 0.5) -> double { return x * double(y) }",
    );
    for (given, expected) in [(&[][..], "0.75"), (&["x=2.5", "y=-3"], "-7.5")] {
        let run = ["run", "--engine", "kernel", "k.carnet", "sys="];
        let ran = place.carnet(&[&run[..], given].concat());
        let said = text(&ran);
        assert!(ran.status.success() && said.contains(&format!("done  {expected}")), "{said}");
    }
}

/// Files that the shell opened for it.
#[test]
fn what_the_command_was_started_with_is_the_programs() {
    if !without_module() {
        return;
    }
    let place = Place::empty();
    place.write("copy.carnet", PIECES.as_bytes());
    place.write("from", b"what is read is what is written");
    let ran = place.shell("carnet run --engine kernel copy.carnet os= source=3 to=4 3< from 4> to");
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran));
    assert_eq!(std::fs::read(place.path("to")).expect("it is made"), b"what is read is what is written");
}

#[test]
fn limits_and_faults_are_told_as_by_a_server() {
    if !without_module() {
        return;
    }
    let place = Place::empty();
    for (body, expected) in [
        ("for i in 0 .. 3 limit 2 { os.sched_yield() }", "2 of 2 entries of a loop (loop, line 2)"),
        ("for i in 0 .. 3 { os.sched_yield() }", "2 of 2 calls (header, line 2)"),
        (
            "for i in 0 .. 90 { os.nanosleep(linux.Timespec(nsec: 20ms)) }",
            "of 0.20 s of time (header, line 2)",
        ),
        ("os.close(99)", "failed: bad file descriptor"),
        ("fail \"enough\"", "failed: enough"),
    ] {
        let cap = if body.contains("limit") { "" } else { " at most 2 calls" };
        let cap = if body.contains("sleep") { " at most 200ms time" } else { cap };
        place.write("p.carnet", format!("use linux\nprogram p(os: System){cap} {{ {body} }}").as_bytes());
        let ran = place.carnet(&["run", "--engine", "kernel", "p.carnet", "os="]);
        let said = text(&ran);
        assert!(said.contains(expected), "{said}");
        assert_ne!(ran.status.code(), Some(0), "{said}");
    }
}

#[test]
fn what_the_kernel_does_not_know_is_refused() {
    let place = Place::empty();
    place.write("made.carnet", COPY.as_bytes());
    for word in ["--dry-run", "--trace", "--tree"] {
        let ran = place.carnet(&["run", "--engine", "kernel", word, "made.carnet", "os=", "name=here"]);
        assert_eq!(ran.status.code(), Some(2), "{}", text(&ran));
    }
    let resumed = place.carnet(&["resume", "r-abcd", "--engine", "kernel", "--server", "unix:./c.sock"]);
    assert_eq!(resumed.status.code(), Some(2), "{}", text(&resumed));
    place.write("files.carnet", b"use files\nprogram p(root: Dir) { root.list(\".\") }");
    let ran = place.carnet(&["run", "--engine", "kernel", "files.carnet", "root=/"]);
    assert_ne!(ran.status.code(), Some(0), "{}", text(&ran));
}

#[test]
fn without_module_a_server_that_is_named_runs_it() {
    if !without_module() {
        return;
    }
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    place.write("made.carnet", COPY.as_bytes());
    let serving = place.serve(&["serve", "linux", "./data", "--listen", "unix:./c.sock"]);
    assert!(serving.contains("linux"), "{serving}");
    let bill = text(&place.carnet(&["bill", "made.carnet", "os=", "name=here"]));
    let approve = approval(&bill);
    let run = ["run", "--engine", "kernel", "made.carnet", "os=", "name=here", "--approve", approve];
    let said = text(&place.carnet(&run));
    assert!(said.contains("there is no /dev/carnet here; the server runs it"), "{said}");
    assert!(said.contains("done  77"), "{said}");
}
