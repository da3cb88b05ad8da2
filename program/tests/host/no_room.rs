//! Calls for whose messages there is no room.

use carnet_codegen::Translator;
use carnet_program::host::{Policy, Trees};
use carnet_program::limits::{LimitKind, Limits};
use carnet_program::protocol::{Argument, End, Engine, RunOptions, RunProgram, RunRequest};

use super::probe::Fixture;
use super::trees::tree;
use super::{request, run};

/// A call that was made and failed, with a message for which there is no room, has been made: in each engine the run stands behind it.
#[test]
fn a_call_whose_message_has_no_room_was_made() {
    let limits = Limits { memory: 2_000, ..Limits::default() };
    let fixture =
        Fixture::new(Policy { limits, translated_after: 0, trees: Trees::Taken, ..Policy::default() });
    fixture.programs.translate_with(Box::new(Translator::new().expect("this processor is known")));
    let ends = [
        "p.add(1) let q = try p.named(\"nobody\") else { return 1 } return q.add(2)",
        // Nothing is between the call and the next one.
        "p.add(1) try p.stall(3) else { p.add(2) return 1 } return p.add(3)",
    ];
    fixture.probe.let_go();
    let mut without_room = 0;
    for (nth, end) in ends.into_iter().enumerate() {
        for elements in 200..256 {
            let source = format!(
                "program full(p: Probe) -> int {{ var l: list(int, 300)
                   for i in 0 .. {elements} {{ l.add(i) }}\n{end}\n}}"
            );
            let bytes = tree(&source).encode();
            let ended = |engine: Engine| {
                let id = 10_000 * nth as u128 + 10 * elements as u128 + engine as u128;
                let options = RunOptions { engine, ..RunOptions::default() };
                let program = RunProgram::Tree(&bytes);
                run(&fixture, &RunRequest { options, program, ..request(id, &[], vec![Argument::Portal(0)]) })
            };
            for engine in [Engine::Bytecode, Engine::Native, Engine::Tree] {
                let outcome = ended(engine);
                let failed = outcome.calls.iter().find(|call| call.failed == 1);
                let before = outcome.call.as_ref().map(|call| call.operation.clone());
                match (&outcome.end, failed) {
                    (End::Done, Some(_)) => {}
                    (End::Limit { kind: LimitKind::Memory, .. }, None) => {}
                    (End::Limit { kind: LimitKind::Memory, .. }, Some(failed)) => {
                        without_room += 1;
                        assert_ne!(before, Some(failed.name()), "{engine:?}: {source}");
                        assert_eq!(failed.count, 1);
                    }
                    (end, _) => panic!("{engine:?}: {source}: {end:?}"),
                }
            }
        }
    }
    assert!(without_room >= 6, "each engine has stopped there, twice: {without_room}");
}
