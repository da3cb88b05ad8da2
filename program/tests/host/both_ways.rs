//! Texts that go both ways, in runs that stop in a call of them: what was sent is told, and sent again.

use carnet_codegen::Translator;
use carnet_portal::call::Kind;
use carnet_program::client::Asked;
use carnet_program::host::{Policy, Trees};
use carnet_program::protocol::{
    End, Engine, InDoubt, Outcome, ResumeRequest, RunOptions, RunProgram, RunRequest, StoppedCall,
};

use super::probe::{Fixture, MODULE, program};
use super::restart::{ID, copied, directory, on_root_by, translated, while_it_stalls};
use super::{on_root, run};

/// The second call sends what came back from the first.
const THREE: &str = "
program three(p: Probe) -> string(40) {
  var text: string(40) = \"a\"
  for k in 0 .. 3 { text = p.mark(text, 0).text }
  return text
}";

/// How a call of `mark` is told of.
fn told(call: Option<StoppedCall>) -> (String, Vec<(String, String)>) {
    let call = call.expect("it is known which");
    (call.operation, call.arguments)
}

fn mark(text: &str, how: &str) -> (String, Vec<(String, String)>) {
    let arguments = [("text", format!("\"{text}\"")), ("how", how.to_owned())];
    ("Probe.mark".to_owned(), arguments.map(|(name, value)| (name.to_owned(), value)).into())
}

fn resume(fixture: &Fixture, engine: Engine) -> Outcome {
    let options = RunOptions { engine, ..RunOptions::default() };
    let request = ResumeRequest { options, in_doubt: InDoubt::Repeat, ..ResumeRequest::new(ID, 1) };
    fixture.client().resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
}

/// `a!!!`, as the result of a run.
const DONE: Option<&[u8]> = Some(b"\x04\0\0\0a!!!");

#[test]
fn a_call_that_is_repeated_sends_what_it_had_sent_in_each_engine_and_after_a_restart() {
    let modules = [std::sync::Arc::new(MODULE.clone())];
    let tree =
        carnet_program::source::parse(&format!("use probe{THREE}"), &modules).expect("it is good").encode();
    let bytes = program(THREE);
    for engine in [Engine::Bytecode, Engine::Native, Engine::Tree] {
        let dir = directory();
        let policy = || Policy { trees: Trees::Taken, ..translated() };
        let fixture = Fixture::sturdy(policy(), dir.path());
        fixture.probe.lose_second(Kind::TimedOut);
        let program =
            if engine == Engine::Tree { RunProgram::Tree(&tree) } else { RunProgram::Whole(&bytes) };
        let request = RunRequest { name: "mine", program, ..on_root_by(&bytes, engine) };
        let stopped = run(&fixture, &request);
        assert_eq!(told(stopped.call.clone()), mark("a!", "0"), "{engine:?}");
        assert!(stopped.kept.is_some(), "{engine:?}: {stopped:?}");
        let killed = copied(dir.path());
        let done = resume(&fixture, engine);
        assert_eq!((&done.end, done.result.as_deref()), (&End::Done, DONE), "{engine:?}");
        assert_eq!(fixture.probe.writes(), 4);
        let next = Fixture::sturdy(policy(), killed.path());
        let Asked::Ended(asked) = next.client().ask(ID).expect("the server answers") else {
            panic!("it ended")
        };
        assert_eq!(*asked, stopped);
        let done = resume(&next, Engine::Any);
        assert_eq!((&done.end, done.result.as_deref()), (&End::Done, DONE), "{engine:?}");
        assert_eq!(next.probe.writes(), 2);
    }
}

#[test]
fn a_call_that_was_under_way_is_told_of_with_what_it_sent() {
    let bytes = program(&THREE.replace("(text, 0)", "(text, 2)"));
    for engine in [Engine::Bytecode, Engine::Native] {
        let dir = directory();
        let fixture = Fixture::journalled(translated(), dir.path());
        fixture.programs.translate_with(Box::new(Translator::new().expect("this processor is known")));
        let killed = while_it_stalls(&fixture, dir.path(), &on_root_by(&bytes, engine));
        let next = Fixture::journalled(Policy::default(), killed.path());
        let Asked::Ended(asked) = next.client().ask(ID).expect("the server answers") else {
            panic!("it ended")
        };
        assert_eq!(asked.end, End::ServerEnded { in_doubt: true });
        assert_eq!(told(asked.call.clone()), mark("a", "2"));
        assert_eq!(run(&next, &on_root(ID.0, &bytes)), *asked);
        assert_eq!(next.probe.writes(), 0, "nothing is done twice");
    }
}
