//! Several clients that wait for one run: the last of them decides whether it goes on.

use carnet_program::client::{Asked, Client, Running};
use carnet_program::host::{Confirm, Policy};
use carnet_program::protocol::{Argument, End, Refusal, RunId, RunRequest};
use carnet_program::text::hex;

use super::probe::{Fixture, program, stall, wait_until};
use super::{COUNT, on_root, request};

const ID: RunId = RunId(6);

/// Waits until it is let go; a run that was cancelled meanwhile ends before its second call.
fn waiting() -> Vec<u8> {
    program(&format!(
        "program w(p: Probe) -> int {{\n  p.block({})\n  return p.get(1, 2, 3)\n}}",
        stall::WAIT
    ))
}

/// Sends the request; when this returns, the server has taken it.
fn waits(client: &Client, bytes: &[u8]) -> Running {
    asks(client, &on_root(ID.0, bytes))
}

fn asks(client: &Client, request: &RunRequest<'_>) -> Running {
    let root = client.transport().root();
    let running = client.start(request, &[&root]).expect("it is sent");
    // Answered behind what was sent before it.
    assert_eq!(client.status().expect("the server answers").running, 1);
    running
}

fn end(running: Running) -> End {
    running.wait(&mut |_| {}).expect("the server answers").end
}

/// Whether it was the first that began it or not.
#[test]
fn a_run_goes_on_while_one_waits_for_it() {
    for leaving in 0..3 {
        let fixture = Fixture::new(Policy::default());
        let bytes = waiting();
        let mut clients = [0; 3].map(|_| Some(fixture.client()));
        let other = fixture.client();
        for client in clients.iter().flatten() {
            drop(waits(client, &bytes));
        }
        let staying = waits(&other, &bytes);
        clients[leaving] = None;
        wait_until(|| fixture.closed() == 1);
        clients = [None, None, None];
        wait_until(|| fixture.closed() == 3);
        drop(clients);
        fixture.probe.let_go();
        assert_eq!(end(staying), End::Done, "{leaving}");
        assert_eq!(fixture.probe.reads(), 1, "it ran once");
    }
}

#[test]
fn a_run_is_cancelled_when_the_last_who_waits_is_gone() {
    let fixture = Fixture::new(Policy::default());
    let bytes = waiting();
    let (first, second, other) = (fixture.client(), fixture.client(), fixture.client());
    // One of them waits for it twice.
    for client in [&first, &second, &second] {
        drop(waits(client, &bytes));
    }
    // It would be cancelled before its first call otherwise.
    wait_until(|| fixture.probe.stalling());
    drop(first);
    wait_until(|| fixture.closed() == 1);
    drop(second);
    wait_until(|| fixture.closed() == 2);
    // Too late: it was cancelled, and this is its outcome.
    let late = waits(&other, &bytes);
    fixture.probe.let_go();
    assert_eq!(end(late), End::Cancelled);
    assert_eq!(fixture.probe.reads(), 0);
}

#[test]
fn whoever_cancels_a_run_cancels_it_for_all_who_wait() {
    let fixture = Fixture::new(Policy::default());
    let bytes = waiting();
    let (first, second) = (fixture.client(), fixture.client());
    let both = [&first, &second].map(|client| waits(client, &bytes));
    assert!(fixture.client().cancel(ID).expect("the server answers"));
    fixture.probe.let_go();
    assert_eq!(both.map(end), [End::Cancelled, End::Cancelled]);
}

fn confirming() -> Policy {
    Policy { confirm: Confirm::Writes, ..Policy::default() }
}

/// Who asks without an approval is refused before the run is known, and keeps nothing from who asks with one. Once it is known,
/// whoever asks waits for it, and is told what became of it.
#[test]
fn an_approval_is_asked_of_whoever_begins_a_run() {
    let fixture = Fixture::new(confirming());
    let bytes = program(COUNT);
    let unapproved = request(ID.0, &bytes, vec![Argument::Named(b"later"), Argument::Scalar(3)]);
    let clients = [0; 3].map(|_| fixture.client());
    let digits = hex(&clients[0].bill(&unapproved).expect("the server answers").approval);
    let approved = RunRequest { approval: &digits, ..unapproved.clone() };
    let wrong = RunRequest { approval: "wrong", ..unapproved.clone() };
    let ask = |request| clients[0].run(request, &[]).expect("the server answers").end;
    assert!(matches!(ask(&unapproved), End::Refused(Refusal::NotApproved { .. })));
    assert_eq!(ask(&wrong), End::Refused(Refusal::WrongApproval));

    let root = clients[1].transport().root();
    let first = clients[1].start(&approved, &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.stalling());
    let second = asks(&clients[2], &unapproved);
    fixture.probe.let_go();
    let refused = End::Refused(Refusal::Argument { index: 0, message: "as the test asked it to".to_owned() });
    assert_eq!([first, second].map(end), [refused.clone(), refused]);

    assert!(matches!(ask(&unapproved), End::Refused(Refusal::NotApproved { .. })));
    assert_eq!(ask(&approved), End::Done);
    assert_eq!([ask(&unapproved), ask(&wrong), ask(&approved)], [End::Done, End::Done, End::Done]);
    assert_eq!(fixture.probe.writes(), 3, "it ran once");
    assert_eq!(fixture.programs.status("").running, 0);
}

/// Whatever else is wrong with it. Each of them counts as refused.
#[test]
fn another_request_under_a_used_identity_is_told_so() {
    let fixture = Fixture::new(confirming());
    let client = fixture.client();
    let root = client.transport().root();
    let waiting = waiting();
    let counting = program(COUNT);
    let [none, wrong] = ["", "00000000000000000000000000000000"].map(|approval| RunRequest {
        approval,
        ..request(ID.0, &counting, vec![Argument::Portal(0), Argument::Scalar(3)])
    });
    let others = [none, wrong, on_root(ID.0, b"no program")];
    let refusals = |what: &str| {
        others.each_ref().map(|other| {
            let before = fixture.programs.status("").refused;
            let end = client.run(other, &[&root]).expect("the server answers").end;
            assert_eq!(fixture.programs.status("").refused, before + 1, "{what}: {end:?}");
            end
        })
    };
    let unknown = refusals("unknown");
    assert!(matches!(
        unknown,
        [End::Refused(Refusal::NotApproved { .. }), End::Refused(Refusal::WrongApproval), End::Rejected(_)]
    ));
    let used = [0; 3].map(|_| End::Refused(Refusal::IdentityUsed));
    let first = waits(&client, &waiting);
    assert_eq!(refusals("running"), used);
    fixture.probe.let_go();
    assert_eq!(end(first), End::Done);
    assert_eq!(refusals("ended"), used);
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("the system's own folder").count()
}

/// However many clients come to wait for however many runs and go, whoever came first. Those who share memory take more than
/// there is if it is not given back; other tests have descriptors, too, but not so many.
#[test]
fn nothing_is_kept_of_those_who_waited_and_are_gone() {
    const CLIENTS: usize = 90;
    const RUNS: u128 = 4;
    let fixture = Fixture::new(Policy::default());
    let bytes = waiting();
    let staying = fixture.client();
    let before = descriptors();
    for id in 1..=RUNS {
        let mut clients: Vec<Client> = (0..CLIENTS).map(|_| fixture.client()).collect();
        let starts = |client: &Client| {
            let root = client.transport().root();
            drop(client.start(&on_root(id, &bytes), &[&root]).expect("it is sent"));
            assert_eq!(client.status().expect("the server answers").running, id as u64);
        };
        clients.iter().for_each(starts);
        starts(&staying);
        // Who began it goes first.
        drop(clients.remove(0));
        drop(clients);
        wait_until(|| fixture.closed() == CLIENTS as u64 * id as u64);
    }
    wait_until(|| descriptors() < before + CLIENTS);
    assert_eq!(staying.status().expect("the server answers").running, RUNS as u64);
    fixture.probe.let_go();
    wait_until(|| staying.status().expect("the server answers").done == RUNS as u64);
}

/// Nor does anybody run what nobody waits for.
#[test]
fn a_run_that_was_not_begun_is_not_begun_for_those_who_are_gone() {
    let fixture = Fixture::new(Policy::default());
    let bytes = program(COUNT);
    let request = request(ID.0, &bytes, vec![Argument::Named(b"later"), Argument::Scalar(3)]);
    let (client, other) = (fixture.client(), fixture.client());
    let root = client.transport().root();
    let first = client.start(&request, &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.stalling());
    drop((asks(&other, &request), other));
    wait_until(|| fixture.closed() == 1);
    fixture.probe.let_go();
    assert!(matches!(end(first), End::Refused(Refusal::Argument { .. })));
    assert_eq!(client.ask(ID).expect("the server answers"), Asked::Unknown);
    assert_eq!((fixture.probe.writes(), fixture.programs.status("").running), (0, 0));
}
