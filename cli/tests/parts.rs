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

#[test]
fn results_of_several_kinds_come_to_the_command() {
    let mut place = Place::new();
    let world = Arc::new(desk::World::default());
    let address = Address::Unix(place.path("desk.sock"));
    let served = Arc::clone(&world);
    let roots = move |_: &Caller| Ok(Capability::new(served.root()));
    let server = Server::listen(&address, ServerOptions::default(), roots).expect("it listens");
    let serving = place.serve(&["serve", "relay", "unix:./desk.sock", "--listen", "unix:./relay.sock"]);
    assert!(serving.contains("desk.Desk"), "{serving}");
    place.export("CARNET_SERVER", "unix:./relay.sock");
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
