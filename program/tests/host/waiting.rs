//! Several clients that wait for one run: the last of them decides whether it goes on.

use carnet_program::client::{Client, Running};
use carnet_program::host::Policy;
use carnet_program::protocol::{End, RunId};

use super::on_root;
use super::probe::{Fixture, program, stall, wait_until};

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
    let root = client.transport().root();
    let running = client.start(&on_root(ID.0, bytes), &[&root]).expect("it is sent");
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
