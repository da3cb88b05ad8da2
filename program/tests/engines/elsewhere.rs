//! Programs whose objects are elsewhere: behind a relay, and in a recording.

use std::sync::Arc;

use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::recording::Tape;
use carnet_portal::relay::relay;

use crate::desk::{World, module};
use crate::engines::{Case, Ended, Engine};

const DESK: carnet_idl::descriptor::InterfaceId = carnet_idl::descriptor::InterfaceId(1);

/// What gives portals and lists, alone and beside others.
const FILES: [&str; 4] = ["parts.cases", "inouts.cases", "list_portals.cases", "list_structs.cases"];

/// The cases of a file that are programs of one desk, which is not sealed, and that memory does not stop.
fn cases(file: &str) -> Vec<(String, Case)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/cases").join(file);
    let text = std::fs::read_to_string(&path).expect("the case file is there");
    let mut cases = Vec::new();
    for block in format!("\n{text}").split("\n== ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a case has a name");
        let source = rest.split("\n--").next().unwrap_or_default();
        // What a relay says of a wrong argument, and of an answer that its interface does not have, is in words of its own.
        let is_refused = rest.contains("-- rejected") || rest.contains("BadArgument");
        let is_refused = is_refused || rest.contains("that its interface does not have");
        let is_refused = is_refused || name == "one of another interface is none";
        // A relay does not hand on numbers of portals that are none.
        let is_refused = is_refused || name.starts_with("numbers that were not made");
        if !source.contains("seal") && !source.contains("memory=") && !is_refused {
            cases.push((name.to_owned(), Case::parse(source).expect("it compiles")));
        }
    }
    cases
}

fn same(name: &str, case: &Case, here: &Ended, there: Ended) {
    let there = there.holding_as(here);
    assert_eq!(here.report(case), there.report(case), "{name}");
}

/// What calls give several of comes through a relay as it comes from the object: portals, lists and what is beside them.
#[test]
fn results_come_through_a_relay() {
    let mut run = 0;
    for (name, case) in FILES.into_iter().flat_map(cases) {
        for engine in [Engine::Bytecode, Engine::Tree, Engine::Slices, Engine::Kept] {
            let here = case.run(engine, &case.setting);
            let world = Arc::new(World::default());
            let root = || {
                let session = LocalSession::new(Capability::new(world.root()), Caller::local());
                relay(session.root(), module(), DESK)
            };
            same(&name, &case, &here, case.run_on(engine, &case.setting, &world, &root));
            run += 1;
        }
    }
    assert!(run >= 200, "{run} runs");
}

/// What is recorded of a run is played again: the same calls come to the same.
#[test]
fn results_are_recorded_and_played() {
    for (name, case) in FILES.into_iter().flat_map(cases) {
        let here = case.run(Engine::Tree, &case.setting);
        let (world, tape) = (Arc::new(World::default()), Arc::<Tape>::default());
        let recorded = case.run_on(Engine::Tree, &case.setting, &world, &|| tape.record(world.root()));
        same(&name, &case, &here, recorded);
        let played = Tape::decode(&tape.encode()).expect("it is a recording");
        let silent = Arc::new(World::default());
        let play = || played.play(module(), DESK);
        let again = case.run_on(Engine::Bytecode, &case.setting, &silent, &play);
        assert_eq!(again.log, Vec::<String>::new(), "{name}: the service was called");
        same(&name, &case, &case.run(Engine::Bytecode, &case.setting), again.having_seen(&here));
    }
}
