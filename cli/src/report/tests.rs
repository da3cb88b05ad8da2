//! Outcomes that no test over a server can have at will.

use std::borrow::Cow;

use carnet_program::protocol::{Kept, Receipt};

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
    reply_to(&Outcome { end, ..told(call) })
}

fn reply_to(told: &Outcome) -> Reply {
    let (name, typed) = (RunName::chosen("nightly").expect("it is a name"), Typed::default());
    outcome(&Run::new(None, &name, &typed), told)
}

fn told(call: Option<StoppedCall>) -> Outcome {
    Outcome {
        end: End::ServerEnded { in_doubt: call.is_some() },
        at: 9,
        pos: Pos { line: 6, col: 5 },
        call,
        result: None,
        calls: vec![calls("append", Effect::Writes, 7), calls("read", Effect::Reads, 8)],
        receipt: Receipt { calls: 15, writes: 7, ..Receipt::default() },
        dry: false,
        kept: None,
        cannot_go_on: None,
    }
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

/// What is proposed is not refused.
#[test]
fn what_is_in_doubt_goes_on_if_whoever_looked_says_so() {
    let used_up = [None, Some((LimitKind::Writes, 2)), Some((LimitKind::Written, 3 << 10)), None];
    for (in_doubt, short_of, proposed) in [
        (InDoubt::Leave, [None; 4], "  continue within 10 min: carnet resume nightly\n"),
        (
            InDoubt::Leave,
            used_up,
            "  continue within 10 min: carnet resume nightly --more '2 writes' --more '3KiB written'\n",
        ),
        (
            InDoubt::Repeat,
            used_up,
            "  if it did not take effect, continue within 10 min, which makes it again: \
             carnet resume nightly --repeat --more '2 writes' --more '3KiB written'\n",
        ),
        (
            InDoubt::Repeat,
            [None; 4],
            "  if it did not take effect, continue within 10 min, which makes it again: carnet resume nightly --repeat\n",
        ),
    ] {
        let call = StoppedCall {
            operation: "File.append".to_owned(),
            register: 2,
            arguments: Vec::new(),
            interrupted: false,
        };
        let kept = Some(Kept { stop: 1, for_s: 600, portals: 2, in_doubt, short_of });
        let end = End::CallInDoubt { message: "nobody answered".to_owned() };
        let reply = reply_to(&Outcome { end, kept, ..told(Some(call)) });
        assert!(reply.err.ends_with(&format!("Nothing was undone.\n{proposed}")), "{}", reply.err);
    }
}

#[test]
fn why_a_run_cannot_go_on_is_told() {
    let end = End::Limit { kind: LimitKind::Writes, limit: 2, used: 2, source: LimitSource::Header(3) };
    let reply = reply_to(&Outcome { end, cannot_go_on: Some("it is gone".to_owned()), ..told(None) });
    assert!(reply.err.ends_with("all handles closed.\n  cannot go on: it is gone\n"), "{}", reply.err);
    assert_eq!(reply.json["cannot_go_on"], "it is gone");
    assert_eq!(reply_to(&told(None)).json.get("cannot_go_on"), None);
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
