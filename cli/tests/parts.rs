//! Calls that give portals and lists beside other values, by the command: through `carnet serve relay`, step by step, and from a
//! recording.

mod support;

#[path = "../../program/tests/engines/desk.rs"]
mod desk;

use std::process::Output;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::server::{Server, ServerOptions};
use support::{PATIENCE, Place};

const PROGRAM: &str = "use desk
program p(desk: Desk) -> list(string(30), 9) {
  var seen: list(string(30), 9)
  let page = desk.some(2)
  for item in page.value { seen.add(item.name + page.next) }
  let all = desk.pair(\"asked\", 3)
  for name in all.names { seen.add(name) }
  seen.add(all.second.name() + all.what.name)
  if all.n == 2 && !all.value.same(all.second) { seen.add(\"two\") }
  return seen
}
";

const GIVES: &str = "ac\nbc\nleft\nright\nrightasked\ntwo\n";

fn text(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// A desk behind `carnet serve relay`, which commands find there.
fn relayed(place: &mut Place) -> (Server, Arc<desk::World>) {
    let world = Arc::new(desk::World::default());
    let address = Address::Unix(place.path("desk.sock"));
    let served = Arc::clone(&world);
    let roots = move |_: &Caller| Ok(Capability::new(served.root()));
    let server = Server::listen(&address, ServerOptions::default(), roots).expect("it listens");
    let serving = place.serve(&["serve", "relay", "unix:./desk.sock", "--listen", "unix:./relay.sock"]);
    assert!(serving.contains("desk.Desk"), "{serving}");
    place.export("CARNET_SERVER", "unix:./relay.sock");
    (server, world)
}

#[test]
fn results_of_several_kinds_come_to_the_command() {
    let mut place = Place::new();
    let (server, world) = relayed(&mut place);
    place.write("p.carnet", PROGRAM.as_bytes());
    let bill = text(&place.carnet(&["bill", "p.carnet"]));
    assert!(bill.contains("Desk.pair") && bill.contains("Desk.some"), "{bill}");
    for engine in ["bytecode", "native"] {
        let ran = place.carnet(&["run", "p.carnet", "--engine", engine]);
        let shown = text(&ran);
        assert!(ran.status.success() && shown.starts_with(GIVES), "{engine}: {shown}");
        assert!(shown.contains("receipt: 4 calls (0 writes), 1 round trip"), "{engine}: {shown}");
    }
    // Both portals of each run are let go of, through the relay, too.
    let log = || world.log.lock().expect("no panic while logging").clone();
    let released = || log().iter().filter(|line| line.starts_with("release")).count();
    let end = Instant::now() + PATIENCE;
    while released() < 4 {
        assert!(Instant::now() < end, "{:?}", log());
        std::thread::yield_now();
    }
    assert_eq!(released(), 4, "{:?}", log());

    let recorded = text(&place.shell("carnet debug step p.carnet --record calls < /dev/null"));
    assert!(recorded.contains(GIVES), "{recorded}");
    server.shutdown(Instant::now() + Duration::from_secs(10));
    let steps = "printf 'b 6\\nc\\np page.value\\np page.more\\np\\nc\\n' | \
                 carnet debug step p.carnet --replay calls";
    let played = text(&place.shell(steps));
    assert!(played.contains(GIVES), "{played}");
    assert!(played.contains("2 entries") && played.contains("page.next = \"c\""), "{played}");
}

const STRUCTS: &str = "use desk
program p(desk: Desk) -> string(200) {
  let one = desk.lone(\"chest\")
  let mine = Kept(one.box, 2, \"mine\")
  let all = desk.boxes(\"b\")
  return desk.look(mine) + \",\" + desk.names_in(all) + all[1].name()
}
";

const STRUCTS_GIVE: &str = "chest mine 2,b0 b1 b2b1\n";

#[test]
fn structs_with_portals_come_to_the_command() {
    let mut place = Place::new();
    let (server, _) = relayed(&mut place);
    place.write("s.carnet", STRUCTS.as_bytes());
    for engine in ["bytecode", "native"] {
        let ran = text(&place.carnet(&["run", "s.carnet", "--engine", engine]));
        assert!(ran.contains(STRUCTS_GIVE), "{engine}: {ran}");
    }
    let called = text(&place.carnet(&["call", "Desk.lone", "name=chest"]));
    assert!(called.contains("a Box"), "{called}");
    let given = text(&place.carnet(&["call", "Desk.look", "what.box=chest", "what.n=1", "what.label=x"]));
    assert!(
        given.contains("`what.box` cannot be written on a command line; a program can pass it"),
        "{given}"
    );

    let recorded = text(&place.shell("carnet debug step s.carnet --record calls < /dev/null"));
    assert!(recorded.contains(STRUCTS_GIVE), "{recorded}");
    server.shutdown(Instant::now() + Duration::from_secs(10));
    let steps = "printf 'b 5\\nc\\np mine.label\\nc\\n' | carnet debug step s.carnet --replay calls";
    let played = text(&place.shell(steps));
    assert!(played.contains(STRUCTS_GIVE) && played.contains("> mine\n"), "{played}");
}

const FLOATS: &str = "use desk
record Seen { product: double, tenth: float, y: float }
program f(desk: Desk, x: double, y: float = 1.00000017881393432617187499) -> Seen {
  let all = desk.scaled(x, 0.5)
  return Seen(product: all.value, tenth: all.tenth, y: y)
}
";

#[test]
fn floats_go_to_programs_and_calls_and_come_back() {
    let mut place = Place::new();
    let (server, _world) = relayed(&mut place);
    place.write("f.carnet", FLOATS.as_bytes());
    let run = ["run", "f.carnet"];
    let call = ["call", "Desk.scaled"];
    let odd = "\"result\":{\"product\":\"-inf\",\"tenth\":0.05,\"y\":1e-45}";
    for (command, given, is_done, expected) in [
        (&run, ["x=2.5", "y=-3", ""], true, "done  product=1.25 tenth=0.05 y=-3.0\n"),
        (&run, ["x=2.5", "", ""], true, "done  product=1.25 tenth=0.05 y=1.0000001\n"),
        (&run, ["x=-inf", "y=1e-45", "--json"], true, odd),
        (&run, ["x=0644", "", ""], false, "error: x=0644 is no such value\n"),
        (&call, ["x=2.5", "by=0.5", ""], true, "done  result=1.25 tenth=0.05\n"),
        (&call, ["x=2.5", "by=0.5", "--json"], true, "\"result\":{\"result\":1.25,\"tenth\":0.05}"),
        (&call, ["x=1.", "by=0.5", ""], false, "error: x=1.: expected a number, for example 1.5"),
    ] {
        let given: Vec<&str> = given.into_iter().filter(|word| !word.is_empty()).collect();
        let ran = place.carnet(&[&command[..], &given].concat());
        let shown = text(&ran);
        assert!(ran.status.success() == is_done && shown.contains(expected), "{given:?}: {shown}");
    }
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

const UNIONS: &str = "use desk
program u(desk: Desk, lie: bool = false) -> list(Any, 9) {
  if lie { desk.lie(0) }
  var all: list(Any, 9)
  for case in 1 .. 4 { all.add(desk.sample(case)) }
  let last = desk.sample(8)
  match last {
    spot(spot) { desk.echo(spot.x + 9) }
    else { fail \"no spot\" }
  }
  all.add(last)
  return all
}
";

const LISTS: &str = "use desk
program l(desk: Desk) -> list(Lists, 4) {
  var all: list(Lists, 4)
  for n in 1 .. 3 { all.add(desk.lists(n)) }
  all.add(desk.lists(4))
  return all
}
";

const LISTS_GIVE: &str = "[{\"all\":[3,-1]},{\"items\":[{\"name\":\"a\",\"size\":5,\"color\":\"green\"},{\"name\":\"bcd\",\"size\":6,\"color\":\"blue\"}]},\
                          {\"lamps\":[{\"level\":200},{\"color\":\"blue\"}]}]";

#[test]
fn unions_come_to_programs_through_a_relay_and_are_shown_as_their_arms() {
    let mut place = Place::new();
    let (server, _world) = relayed(&mut place);
    place.write("u.carnet", UNIONS.as_bytes());
    place.write("l.carnet", LISTS.as_bytes());
    let lines = "n=-5\ncase=2 s=two\ncase=3 s=three\nspot=(x=-1 y=1.5 name=spot)\n";
    let json = "\"result\":[{\"n\":-5},{\"case\":2,\"s\":\"two\"},{\"case\":3,\"s\":\"three\"},\
                {\"spot\":{\"x\":-1,\"y\":1.5,\"name\":\"spot\"}}]";
    let refused = "Desk.lie gave back a union that its interface does not have";
    for (given, is_done, expected) in [
        (&["run", "u.carnet"][..], true, lines),
        (&["run", "u.carnet", "--engine", "native"], true, lines),
        (&["run", "u.carnet", "--json"], true, json),
        (&["run", "u.carnet", "lie=true"], false, refused),
        (&["call", "Desk.either", "n=3"], true, "done  n=3\n"),
        (&["call", "Desk.either", "n=-1"], true, "done  case=blue s=minus\n"),
        (&["call", "Desk.either", "n=-1", "--json"], true, "\"result\":{\"case\":\"blue\",\"s\":\"minus\"}"),
        (&["call", "Desk.signed", "sign=1"], false, "sign is a union"),
        (&["call", "Desk.sample", "n=2"], true, "done  case=2 s=two\n"),
        (&["call", "Desk.sample", "n=12"], true, "done  three=[-1, 0, 1]\n"),
        (&["call", "Desk.sample", "n=9"], true, "done  key=61626364\n"),
        (&["call", "Desk.lists", "n=1"], true, "done  all=2 entries\n"),
        (&["call", "Desk.lists", "n=1", "--json"], true, "\"result\":{\"all\":[3,-1]}"),
        (&["call", "Desk.lists", "n=5", "--json"], true, "\"result\":{\"words\":[\"x\",\"\",\"yyy\"]}"),
        (&["call", "Desk.lists", "n=20"], false, "does not have the operation's type"),
        (&["run", "l.carnet", "--json"], true, LISTS_GIVE),
    ] {
        let ran = place.carnet(given);
        let shown = text(&ran);
        assert!(ran.status.success() == is_done && shown.contains(expected), "{given:?}: {shown}");
    }
    let recorded = text(&place.shell("carnet debug step u.carnet --record calls < /dev/null"));
    assert!(recorded.contains(lines), "{recorded}");
    let steps = "printf 'b 9\\nc\\np last\\n' | carnet debug step u.carnet --replay calls";
    let played = text(&place.shell(steps));
    assert!(played.contains("spot=(x=-1 y=1.5 name=spot)"), "{played}");
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

const NESTED: &str = "use desk
record Made { folder: Folder, rows: list(list(int, 3), 3) }
program n(desk: Desk, lie: bool = false) -> list(Made, 3) {
  if lie { desk.folder(11) }
  var all: list(Made, 3)
  for folder in desk.folders(2) { all.add(Made(folder, desk.rows(2))) }
  desk.filed(all[1].folder)
  return all
}
";

const NESTED_GIVE: &str = "[{\"folder\":{\"name\":\"b\",\"labels\":[\"l0\"],\"counts\":[10]},\"rows\":[[],[-1]]},\
                           {\"folder\":{\"name\":\"c\",\"labels\":[\"l0\",\"l1\"],\"counts\":[20,21]},\"rows\":[[],[-1]]}]";

#[test]
fn lists_within_values_go_to_programs_and_calls_and_are_shown_as_lists() {
    let mut place = Place::new();
    let (server, world) = relayed(&mut place);
    place.write("n.carnet", NESTED.as_bytes());
    let refused = "Desk.folder gave back a list that its interface does not have";
    let folder = |counts: &'static str| {
        vec!["call", "Desk.filed", "of.name=x", "of.labels=[\"a b\", c]", counts, "--json"]
    };
    let shelf =
        "of=[{name: \"a\", labels: [\"x\", \"\"], counts: [1, -2]}, {name: \"\", labels: [], counts: []}]";
    for (given, is_done, expected) in [
        (vec!["run", "n.carnet", "--json"], true, NESTED_GIVE),
        (vec!["run", "n.carnet", "--json", "--engine", "native"], true, NESTED_GIVE),
        (vec!["run", "n.carnet", "lie=true"], false, refused),
        (vec!["call", "Desk.folder", "n=2"], true, "2 entries"),
        (
            vec!["call", "Desk.folder", "n=2", "--json"],
            true,
            "\"result\":{\"name\":\"c\",\"labels\":[\"l0\",\"l1\"],\"counts\":[20,21]}",
        ),
        (vec!["call", "Desk.rows", "n=3", "--json"], true, "\"result\":[[],[-1],[-2,-1]]"),
        (
            vec!["call", "Desk.folders", "n=1", "--json"],
            true,
            "[{\"name\":\"b\",\"labels\":[\"l0\"],\"counts\":[10]}]",
        ),
        (vec!["call", "Desk.held", "n=1", "--json"], true, "\"result\":{\"rows\":[[-1],[],[-2,-1]]}"),
        (vec!["call", "Desk.rowed", "of=[[1], [], [2, 3]]"], true, "done  [[1] [] [2 3]]\n"),
        (vec!["call", "Desk.file_all", shelf], true, "done  2\n"),
        (folder("of.counts=[1, 2]"), true, "\"result\":\"(x [a b c] [1 2])\""),
        (folder("of.counts=[1, 2, 3, 4, 5]"), false, "found 5 elements, expected at most 4"),
        (folder("of.counts=[x]"), false, "element 0: expected an integer"),
        (folder("of.counts=1"), false, "expected a list, for example [1, 2, 3]"),
        (vec!["call", "Desk.folder", "n=11"], false, "does not have the operation's type"),
    ] {
        let ran = place.carnet(&given);
        let shown = text(&ran);
        assert!(ran.status.success() == is_done && shown.contains(expected), "{given:?}: {shown}");
    }
    let log = world.log.lock().expect("no panic while logging").clone();
    assert!(log.iter().any(|line| line == "file_all [(a [x ] [1 -2]) ( [] [])]"), "{log:?}");
    let recorded = text(&place.shell("carnet debug step n.carnet --record calls < /dev/null"));
    assert!(recorded.contains("labels=2 entries counts=2 entries"), "{recorded}");
    let steps = "printf 'b 7\\nc\\np all\\np all[1].folder\\n' | carnet debug step n.carnet --replay calls";
    let played = text(&place.shell(steps));
    assert!(played.contains("labels=2 entries counts=2 entries"), "{played}");
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

/// Lists and arrays stand in brackets, as results are shown.
#[test]
fn lists_and_arrays_go_to_calls() {
    let mut place = Place::new();
    let (server, world) = relayed(&mut place);
    let grid = ["of.cell=[[1, 2], [20, 4]]", "of.key=abcd", "of.weight=[0.5, -1]"];
    let filled = [&["Desk.fill"], &grid[..], &["all=true"]].concat();
    let good: [(&[&str], &str); 10] = [
        (&["Desk.turned", "of=[5,6, 7]"], "done  [7, 6, 5]\n"),
        (&["Desk.turned", "of=[5,6, 7]", "--json"], "\"result\":[7,6,5]"),
        (&["Desk.next", "of=[-1,0x10,1KiB]"], "done  of=[0, 17, 1,025]\n"),
        (&["Desk.grid", "n=3"], "cell=[[3, 4], [5, 6]]"),
        (&filled, "done  27\n"),
        (&["Desk.take", "numbers=[1, 2, 3]"], "done  6\n"),
        (
            &[
                "Desk.count_of",
                "color=red",
                "items=[{name: \"a\", size: 1, color: red}, {\"name\": \"b\", \"color\": \"blue\", \"size\": 2}]",
            ],
            "done  1\n",
        ),
        (&["Desk.pack", "parts=[]"], "done  0\n"),
        (&["Desk.sum", "of=[{name: \"x\", value: 1.5, weight: 2}]"], "done  3.0\n"),
        (&["Desk.fill_all", "of=[{cell: [[0, 1], [2, 3]], key: \"wxyz\", weight: [1, 2]}]"], "done  1\n"),
    ];
    for (given, expected) in good {
        let ran = place.carnet(&[&["call"], given].concat());
        let shown = text(&ran);
        assert!(ran.status.success() && shown.contains(expected), "{given:?}: {shown}");
    }
    let log = || world.log.lock().expect("no panic while logging").clone();
    let seen = log();
    for line in [
        "fill [1, 2, 20, 4] abcd [0.5, -1.0] 1",
        "take [1, 2, 3]",
        "count 0 of [\"a\", \"b\"]",
        "sum x 1.5 2.0",
        "fill_all [0, 1, 2, 3] wxyz",
    ] {
        assert!(seen.iter().any(|noted| noted == line), "{line}: {seen:?}");
    }
    let grid = |cell: &'static str, key: &'static str| {
        vec!["Desk.fill", cell, key, "of.weight=[0.5, 1]", "all=true"]
    };
    for (given, why) in [
        (vec!["Desk.turned", "of=[5, 6]"], "of=[5, 6]: found 2 elements, expected 3\n"),
        (vec!["Desk.turned", "of=5"], "of=5: expected a list, for example [1, 2, 3]\n"),
        (vec!["Desk.turned", "of=[5, 6, x]"], "of=[5, 6, x]: element 2: expected an integer"),
        (vec!["Desk.turned", "of=[5, 6, 5000000000]"], "element 2: expected an integer of 32 bits\n"),
        (vec!["Desk.turned", "of=[5, 6, 7"], "found its end, expected `,` or `]`\n"),
        (vec!["Desk.turned"], "`of=…` is missing\nturned takes of=array(int, 3)\n"),
        (grid("of.cell=[[1, 2], [3]]", "of.key=abcd"), "element 1: found 1 elements, expected 2\n"),
        (grid("of.cell=[[1, 2], [3, 4]]", "of.key=abc"), "of.key=abc: expected 4 bytes\n"),
        (vec!["Desk.take", "numbers=[1, 2, 3, 4, 5, 6, 7]"], "found 7 elements, expected at most 6\n"),
        (vec!["Desk.pack", "parts=[{name: \"a\"}]"], "element 0: the field `data` is missing"),
        (
            vec!["Desk.pack", "parts=[{name: \"a\", data: \"0123456789012345678901\"}]"],
            "element 0: data: expected at most 20 bytes\n",
        ),
        (vec!["Desk.signed"], "signed cannot be called from a command line: sign is a union\n"),
        (
            vec!["Desk.lones"],
            "lones cannot be called from a command line: the result is a list with portals\n",
        ),
    ] {
        let ran = place.carnet(&[&["call"], &given[..]].concat());
        let shown = text(&ran);
        assert!(ran.status.code() == Some(2) && shown.contains(why), "{given:?}: {shown}");
    }
    assert_eq!(log(), seen, "nothing of what is wrong was called");
    server.shutdown(Instant::now() + Duration::from_secs(10));
}
