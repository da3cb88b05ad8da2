//! What an approval covers: the program, its bill, and the arguments, portals by the texts that name them.

use carnet_portal::portal::Portal;
use carnet_program::host::{Confirm, Policy};
use carnet_program::limits::Limits;
use carnet_program::protocol::{APPROVAL_DIGITS, Argument, End, Outcome, Refusal, RunOptions, RunRequest};
use carnet_program::text::hex;

use super::probe::{Fixture, program};
use super::{COUNT, request, run};

fn confirming() -> Policy {
    Policy { confirm: Confirm::Writes, ..Policy::default() }
}

/// The digits that a server gives for a request.
fn approval(fixture: &Fixture, request: &RunRequest<'_>) -> String {
    hex(&fixture.client().bill(request).expect("the server answers").approval)
}

fn with<'a>(approval: &'a str, request: RunRequest<'a>) -> RunRequest<'a> {
    RunRequest { approval, ..request }
}

fn refused(outcome: &Outcome) -> &Refusal {
    match &outcome.end {
        End::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_approval_names_the_object_of_each_portal_by_its_text() {
    let fixture = Fixture::new(confirming());
    let bytes = program(COUNT);
    let on = |id, name| request(id, &bytes, vec![Argument::Named(name), Argument::Scalar(1)]);
    let digits = approval(&fixture, &on(1, b"me"));
    assert_eq!(run(&fixture, &with(&digits, on(1, b"me"))).end, End::Done);
    // Another name of the same object, and the object itself: neither is what was approved.
    let other_name = run(&fixture, &with(&digits, on(2, b"myself")));
    assert_eq!(*refused(&other_name), Refusal::WrongApproval);
    let root = request(3, &bytes, vec![Argument::Portal(0), Argument::Scalar(1)]);
    assert_eq!(*refused(&run(&fixture, &with(&digits, root))), Refusal::WrongApproval);
    assert_eq!(fixture.probe.writes(), 1);
}

#[test]
fn an_approval_is_for_one_bill_and_one_program() {
    let fixture = Fixture::new(confirming());
    let bytes = program(COUNT);
    let arguments = || vec![Argument::Named(b"me"), Argument::Scalar(1)];
    let digits = approval(&fixture, &request(1, &bytes, arguments()));
    // The same bill and arguments; only a name in it differs.
    let other = program(&COUNT.replace("count", "other"));
    let outcome = run(&fixture, &with(&digits, request(2, &other, arguments())));
    assert_eq!(*refused(&outcome), Refusal::WrongApproval);
    // The same program, on a server that cuts its bill.
    let limits = Limits { writes: 49, ..Limits::default() };
    let cutting = Fixture::new(Policy { limits, ..confirming() });
    let outcome = run(&cutting, &with(&digits, request(3, &bytes, arguments())));
    assert_eq!(*refused(&outcome), Refusal::WrongApproval);
    assert_eq!((fixture.probe.writes(), cutting.probe.writes()), (0, 0));
}

/// Every bound of the bill is in the hash, also one that no line of the bill shows.
#[test]
fn each_limit_of_the_server_that_cuts_the_bill_changes_the_approval() {
    let bytes = program(COUNT);
    let of = |limits| {
        let fixture = Fixture::new(Policy { limits, ..confirming() });
        approval(&fixture, &request(1, &bytes, vec![Argument::Named(b"me"), Argument::Scalar(1)]))
    };
    let full = Limits::default();
    let cut = [
        full,
        Limits { time_ns: full.time_ns / 2, ..full },
        Limits { instructions: 100, ..full },
        Limits { calls: 10, ..full },
        Limits { writes: 10, ..full },
    ];
    let digits: std::collections::BTreeSet<String> = cut.into_iter().map(of).collect();
    assert_eq!(digits.len(), cut.len());
    // A limit that cuts nothing of this bill changes nothing.
    assert!(digits.contains(&of(Limits { instructions: full.instructions / 2, ..full })));
}

/// A portal that a call of the session made, and that no argument names.
fn held(fixture: &Fixture) -> (carnet_program::client::Client, Portal) {
    let client = fixture.client();
    let portal = fixture.made(&client.transport().root());
    (client, portal)
}

#[test]
fn a_portal_that_an_approval_cannot_name_is_refused() {
    let fixture = Fixture::new(confirming());
    let bytes = program(COUNT);
    let on_index = |id| request(id, &bytes, vec![Argument::Portal(0), Argument::Scalar(1)]);
    let digits = approval(&fixture, &on_index(1));
    let (client, portal) = held(&fixture);
    // The hash is right for the root, whose place the portal takes here.
    for request in [with(&digits, on_index(1)), on_index(2)] {
        let outcome = client.run(&request, &[&portal]).expect("the server answers");
        let Refusal::Argument { index: 0, message } = refused(&outcome) else { panic!("{outcome:?}") };
        assert!(message.contains("an approval cannot say which object"), "{message}");
    }
    assert_eq!(fixture.probe.writes(), 0);
    assert_eq!(run(&fixture, &with(&digits, on_index(3))).end, End::Done, "the root itself");

    // Where nothing needs approval, any portal will do.
    let dry = RunRequest { options: RunOptions { dry: true, ..RunOptions::default() }, ..on_index(4) };
    assert_eq!(client.run(&dry, &[&portal]).expect("the server answers").end, End::Done);
    let free = Fixture::new(Policy::default());
    let (client, portal) = held(&free);
    assert_eq!(client.run(&on_index(5), &[&portal]).expect("the server answers").end, End::Done);
    assert_eq!(free.probe.writes(), 1);
}

/// Its limits cannot be raised, and without more it would stop there at once: so it is not kept, and told why.
#[test]
fn an_approved_run_that_used_up_its_header_cannot_go_on() {
    let fixture = Fixture::new(confirming());
    let bytes = program(&COUNT.replace("at most 50", "at most 2"));
    let on_root =
        || RunRequest { name: "mine", ..request(1, &bytes, vec![Argument::Portal(0), Argument::Scalar(3)]) };
    let digits = approval(&fixture, &on_root());
    let stopped = run(&fixture, &with(&digits, on_root()));
    assert!(matches!(stopped.end, End::Limit { used: 2, .. }), "{:?}", stopped.end);
    let why = "it was approved with this limit; have it approved with another one, and run it anew";
    assert_eq!((stopped.kept, stopped.cannot_go_on.as_deref()), (None, Some(why)));
    // Where nobody approves, more can be given.
    let free = Fixture::new(Policy::default());
    let stopped = run(&free, &on_root());
    assert!(stopped.kept.is_some() && stopped.cannot_go_on.is_none(), "{stopped:?}");
}

/// A run is asked for again under its identity, however it was approved then and is now, and whether its calls are shown.
#[test]
fn an_approval_is_no_part_of_what_a_run_is() {
    let fixture = Fixture::new(confirming());
    let bytes = program(COUNT);
    let on_root = || request(1, &bytes, vec![Argument::Portal(0), Argument::Scalar(3)]);
    let digits = approval(&fixture, &on_root());
    let first = run(&fixture, &with(&digits[..APPROVAL_DIGITS], on_root()));
    assert_eq!(first.end, End::Done);
    let traced = RunOptions { trace: true, ..RunOptions::default() };
    let again = [
        with(&digits, on_root()),
        on_root(),
        RunRequest { options: traced, ..with(&digits[..APPROVAL_DIGITS], on_root()) },
    ];
    for request in again {
        assert_eq!(run(&fixture, &request), first, "{request:?}");
    }
    assert_eq!(fixture.probe.writes(), 3, "it ran once");
}

/// Neither gives its outcome for the other.
#[test]
fn a_dry_run_is_another_run_than_a_real_one() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let real = |id| request(id, &bytes, vec![Argument::Portal(0), Argument::Scalar(3)]);
    let dry = |id| RunRequest { options: RunOptions { dry: true, ..RunOptions::default() }, ..real(id) };
    assert_eq!(run(&fixture, &real(1)).end, End::Done);
    assert_eq!(*refused(&run(&fixture, &dry(1))), Refusal::IdentityUsed);
    assert_eq!(run(&fixture, &dry(2)).end, End::Done);
    assert_eq!(*refused(&run(&fixture, &real(2))), Refusal::IdentityUsed);
    assert_eq!(fixture.probe.writes(), 3, "the real one ran");
}

#[test]
fn a_short_approval_approves_nothing() {
    let fixture = Fixture::new(confirming());
    let bytes = program(COUNT);
    let on_root = |id| request(id, &bytes, vec![Argument::Portal(0), Argument::Scalar(1)]);
    let digits = approval(&fixture, &on_root(1));
    for (id, taken) in (1..).zip([1, 8, 16, APPROVAL_DIGITS - 1]) {
        let outcome = run(&fixture, &with(&digits[..taken], on_root(id)));
        assert_eq!(*refused(&outcome), Refusal::WrongApproval, "{taken} digits");
    }
    assert_eq!(run(&fixture, &with(&digits[..APPROVAL_DIGITS], on_root(9))).end, End::Done);
}
