//! Entry points: requests that are answered later, from other threads, with progress and portals.

mod support;

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use carnet_portal::call::{Failure, Kind};
use carnet_portal::entry::{EntryPoint, EntryRequest, Responder};
use carnet_portal::remote::ConnectOptions;
use carnet_portal::server::{ServerOptions, Stopped};
use carnet_portal::session::Session;
use support::{BoxClient, Fixture, kind_of, until};

const ECHO: u8 = 16;
const LATER: u8 = 17;
const CANCEL: u8 = 18;
const FORGET: u8 = 19;
const FAIL: u8 = 20;
const WORK: u8 = 21;
const PANIC: u8 = 22;

/// Keeps requests until another comes, as a program that is cancelled would be.
#[derive(Default)]
struct Desk {
    kept: Mutex<Vec<Responder>>,
    changed: Condvar,
    closed: Mutex<Vec<u64>>,
}

impl Desk {
    fn kept(&self) -> usize {
        self.kept.lock().unwrap().len()
    }
}

impl EntryPoint for Desk {
    fn handle(&self, request: EntryRequest<'_>) {
        match request.kind {
            ECHO => request.responder.reply(request.data, request.portals),
            LATER => {
                request.responder.progress(b"kept");
                self.kept.lock().unwrap().push(request.responder);
                self.changed.notify_all();
            }
            CANCEL => {
                for kept in self.kept.lock().unwrap().drain(..) {
                    kept.fail(&Failure::new(Kind::Refused, "cancelled"));
                }
                request.responder.reply(b"", Vec::new());
            }
            FAIL => request.responder.fail(&Failure::raised(4, "no".to_owned())),
            WORK => {
                let (responder, root) = (request.responder, request.session.root().clone());
                std::thread::spawn(move || {
                    for step in 0..5_u8 {
                        responder.progress(&[step]);
                    }
                    responder.reply(b"done", vec![root]);
                });
            }
            PANIC => panic!("the entry point is broken"),
            _ => {}
        }
    }

    fn closed(&self, session: &Session) {
        self.closed.lock().unwrap().push(session.caller().session);
        for kept in self.kept.lock().unwrap().drain(..) {
            kept.reply(b"what was done", Vec::new());
        }
    }
}

fn fixture() -> (Arc<Desk>, Fixture) {
    let desk: Arc<Desk> = Arc::default();
    let mut options = ServerOptions { entry: Some(desk.clone()), ..ServerOptions::default() };
    options.limits.entries_max = 3;
    (desk, Fixture::new(options))
}

#[test]
fn data_and_portals_cross_both_ways() {
    let (_desk, fixture) = fixture();
    let transport = fixture.connect();
    let opened = BoxClient(transport.root()).open("x").unwrap();
    let reply = transport.control(ECHO, b"abc", &[&opened.0], &mut |_| {}).unwrap();
    assert_eq!(reply.data, b"abc");
    assert_eq!(reply.portals[0].id(), opened.0.id());
    drop(opened);
    let again = BoxClient(reply.portals.into_iter().next().unwrap());
    assert_eq!(again.label_of(&again).unwrap(), "x");
    drop(again);
    until("both receipts are back", || fixture.world.live() == 1);
    let long = vec![9; 1 << 20];
    assert!(transport.control(ECHO, &long, &[], &mut |_| {}).unwrap().data == long);
}

#[test]
fn a_question_that_is_not_answered_in_time_is_given_up() {
    let (_desk, fixture) = fixture();
    let timeout = Duration::from_millis(60);
    let transport =
        fixture.connect_with(ConnectOptions { call_timeout: Some(timeout), ..ConnectOptions::default() });
    let mut heard = 0;
    let asked = transport.control(LATER, b"", &[], &mut |_| heard += 1);
    assert_eq!((kind_of(asked), heard), (Some(Kind::TimedOut), 1));
    assert_eq!(transport.control(ECHO, b"abc", &[], &mut |_| {}).unwrap().data, b"abc", "it is still of use");
}

#[test]
fn a_request_can_be_cancelled_by_another() {
    let (desk, fixture) = fixture();
    let transport = fixture.connect();
    let waiting = {
        let transport = Arc::clone(&transport);
        std::thread::spawn(move || {
            let mut heard = Vec::new();
            let result = transport.control(LATER, b"", &[], &mut |data| heard.push(data.to_vec()));
            (result.map(|_| ()), heard)
        })
    };
    let kept = desk.kept.lock().unwrap();
    let timeout = Duration::from_secs(20);
    let (kept, waited) = desk.changed.wait_timeout_while(kept, timeout, |kept| kept.is_empty()).unwrap();
    assert!(!waited.timed_out());
    drop(kept);
    assert_eq!(BoxClient(transport.root()).add(1, 2).unwrap(), 3, "calls go on meanwhile");
    transport.control(CANCEL, b"", &[], &mut |_| {}).unwrap();
    let (result, heard) = waiting.join().unwrap();
    let failure = result.unwrap_err();
    assert_eq!((failure.kind(), failure.details().message.as_str()), (Kind::Refused, "cancelled"));
    assert_eq!(heard, [b"kept"]);
}

#[test]
fn progress_comes_in_order_from_another_thread() {
    let (_desk, fixture) = fixture();
    let transport = fixture.connect();
    let mut heard = Vec::new();
    let mut reentrant = 0;
    let reply = transport
        .control(WORK, b"", &[], &mut |data| {
            heard.extend_from_slice(data);
            // A listener may use the connection.
            reentrant += BoxClient(transport.root()).add(1, 0).unwrap();
        })
        .unwrap();
    assert_eq!(reply.data, b"done");
    assert_eq!((heard.as_slice(), reentrant), (&[0, 1, 2, 3, 4][..], 5));
    assert_eq!(reply.portals[0].id(), transport.root().id());
}

#[test]
fn what_is_not_answered_is_answered_so() {
    let (_desk, fixture) = fixture();
    let transport = fixture.connect();
    let control = |kind: u8| transport.control(kind, b"", &[], &mut |_| {}).unwrap_err();
    assert_eq!(control(FORGET).details().message, "the request was dropped unanswered");
    let failed = control(FAIL);
    assert_eq!((failed.kind(), failed.details().raised), (Kind::Raised, 4));
    assert_eq!(control(PANIC).kind(), Kind::Internal);
    assert_eq!(control(15).kind(), Kind::BadArgument);
    assert_eq!(control(128).kind(), Kind::BadArgument);
}

#[test]
fn unanswered_requests_are_bounded() {
    let (desk, fixture) = fixture();
    let transport = fixture.connect();
    let pending: Vec<_> = (0..3).map(|_| transport.start_control(LATER, b"", &[]).unwrap()).collect();
    until("all are kept", || desk.kept() == 3);
    let failure = transport.control(ECHO, b"", &[], &mut |_| {}).unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    desk.kept.lock().unwrap().pop().unwrap().reply(b"", Vec::new());
    until("there is room again", || transport.control(ECHO, b"", &[], &mut |_| {}).is_ok());
    drop(pending);
}

#[test]
fn the_end_of_a_session_reaches_the_entry_point() {
    let (desk, fixture) = fixture();
    let transport = fixture.connect();
    let pending = transport.start_control(LATER, b"", &[]).unwrap();
    until("it is kept", || desk.kept() == 1);
    drop((pending, transport));
    until("the entry point hears of it", || desk.closed.lock().unwrap().len() == 1);
    until("the session is gone", || fixture.sessions() == 0 && desk.kept() == 0);
}

#[test]
fn a_shutdown_cancels_at_its_deadline_and_still_delivers_the_answer() {
    let (desk, mut fixture) = fixture();
    let transport = fixture.connect();
    let pending = transport.start_control(LATER, b"", &[]).unwrap();
    until("it is kept", || desk.kept() == 1);
    let stopped = fixture.server.take().unwrap().shutdown(Instant::now());
    assert_eq!(pending.wait(&mut |_| {}).unwrap().data, b"what was done");
    assert_eq!(stopped, Stopped::Ended);
}

#[test]
fn a_server_without_entry_point_says_so() {
    let fixture = Fixture::plain();
    let result = fixture.connect().control(ECHO, b"", &[], &mut |_| {});
    assert_eq!(kind_of(result), Some(Kind::NoSuchOperation));
}

/// Keeps one request, whoever comes and goes.
#[derive(Default)]
struct Keeper(Mutex<Option<Responder>>);

impl EntryPoint for Keeper {
    fn handle(&self, request: EntryRequest<'_>) {
        *self.0.lock().unwrap() = Some(request.responder);
    }

    fn closed(&self, _session: &Session) {}
}

#[test]
fn whoever_waits_for_an_answer_is_not_idle() {
    let keeper: Arc<Keeper> = Arc::default();
    let mut options = ServerOptions { entry: Some(keeper.clone()), ..ServerOptions::default() };
    options.limits.idle_timeout = Some(Duration::from_millis(50));
    let fixture = Fixture::new(options);
    let pending = fixture.connect().start_control(LATER, b"", &[]).unwrap();
    until("it is kept", || keeper.0.lock().unwrap().is_some());
    for _ in 0..3 {
        assert_eq!(fixture.sessions(), 1);
        let idle = fixture.client();
        assert_eq!(idle.add(1, 2), Ok(3));
        until("an idle session is ended", || fixture.sessions() == 1);
    }
    keeper.0.lock().unwrap().take().unwrap().reply(b"at last", Vec::new());
    assert_eq!(pending.wait(&mut |_| {}).unwrap().data, b"at last");
}
