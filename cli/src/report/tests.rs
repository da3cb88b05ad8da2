//! Outcomes that no test over a server can have at will.

use std::borrow::Cow;

use carnet_program::protocol::Receipt;

use super::*;

fn calls(operation: &'static str, effect: Effect, count: u64) -> CallCount {
    CallCount {
        interface: Cow::Borrowed("File"),
        operation: Cow::Borrowed(operation),
        effect,
        count,
        failed: 0,
    }
}

fn of_a_server_that_ended(call: Option<StoppedCall>) -> Reply {
    of_a_run_that_ended(End::ServerEnded { in_doubt: call.is_some() }, call)
}

fn of_a_run_that_ended(end: End, call: Option<StoppedCall>) -> Reply {
    let told = Outcome {
        end,
        at: 9,
        pos: Pos { line: 6, col: 5 },
        call,
        result: None,
        calls: vec![calls("append", Effect::Writes, 7), calls("read", Effect::Reads, 8)],
        receipt: Receipt { calls: 15, writes: 7, ..Receipt::default() },
        dry: false,
        kept: None,
    };
    let (name, typed) = (RunName::chosen("nightly").expect("it is a name"), Typed::default());
    outcome(&Run::new(None, &name, &typed), &told)
}

#[test]
fn a_server_that_ended_in_the_middle_of_a_call() {
    let call = StoppedCall {
        operation: "File.append".to_owned(),
        register: 2,
        arguments: vec![("data".to_owned(), "4 bytes".to_owned())],
        interrupted: false,
    };
    let reply = of_a_server_that_ended(Some(call));
    assert_eq!(reply.exit, Exit::Unknown);
    assert_eq!(
        reply.err,
        "stopped: the server's process ended, with one call in doubt\n  \
         at program:6:5, in File.append(4 bytes), which had begun: look whether it took effect\n  \
         Besides, took effect: File.append 7, File.read 8. Nothing was undone; it cannot go on.\n"
    );
    assert_eq!((&reply.json["end"], &reply.json["exit"]), (&"server_ended".into(), &5.into()));
}

#[test]
fn a_server_that_ended_between_calls() {
    let reply = of_a_server_that_ended(None);
    assert_eq!(reply.exit, Exit::Stopped);
    assert_eq!(
        reply.err,
        "stopped: the server's process ended\n  behind the call at program:6:5\n  \
         took effect: File.append 7, File.read 8. Nothing was undone; it cannot go on.\n"
    );
}

/// What is known of a call is said of it: one that was interrupted had begun, and another one that a run stopped before was not made.
#[test]
fn a_run_that_was_cancelled_in_a_call_or_before_it() {
    for (interrupted, said) in [
        (true, "in System.read(3, 1), which was interrupted before it was done"),
        (false, "before System.read(3, 1), which was NOT made"),
    ] {
        let argument = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let call = StoppedCall {
            operation: "System.read".to_owned(),
            register: 0,
            arguments: vec![argument("fd", "3"), argument("n", "1")],
            interrupted,
        };
        let reply = of_a_run_that_ended(End::Cancelled, Some(call));
        assert_eq!(
            reply.err,
            format!(
                "stopped: cancelled\n  at program:6:5, {said}\n  \
                 took effect: File.append 7, File.read 8. Nothing was undone; all handles closed.\n"
            )
        );
        let told = &reply.json["call"];
        assert_eq!((&told["made"], told["interrupted"] == true), (&interrupted.into(), interrupted));
    }
}
