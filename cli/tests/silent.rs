//! Servers that say nothing, say it no more, or never come to an end: the command ends by itself, and says what is known.

mod support;

use std::any::Any;
use std::io::Read as _;
use std::os::unix::net::UnixListener;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use carnet_files::files;
use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest, Responder};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;
use carnet_program::protocol::{ASK, End, Outcome, Progress, RUN, Receipt};
use carnet_program::tree::Pos;
use support::Place;

const RUN_IT: &[&str] = &["run", "disk_usage.carnet", "root=/", "--id", "mine"];

/// What each verb says of a server at `c.sock`, with its exit code.
fn said(place: &Place, arguments: &[&str], timeout: &str) -> String {
    let output = place.carnet(&[arguments, &["--server", "unix:./c.sock", "--timeout", timeout]].concat());
    let mut text = String::from_utf8(output.stdout).expect("text");
    text.push_str(std::str::from_utf8(&output.stderr).expect("text"));
    format!("{text}? {}\n", output.status.code().expect("a code"))
}

#[test]
fn a_server_that_accepts_and_says_nothing() {
    let place = Place::new();
    let _listener = UnixListener::bind(place.path("c.sock")).expect("a socket");
    let nothing = "failed: unix:./c.sock accepted the connection, and gave no answer within 50ms\nnothing was changed. \
                   Is it a Carnet server? If it is only slow, wait longer: --timeout 10m\n? 1\n";
    for arguments in [
        &["bill", "disk_usage.carnet", "root=/"][..],
        &["status"],
        &["status", "--run", "mine"],
        &["describe"],
        &["call", "Dir.stat", "path=x"],
        // It asks for the bill first, and has sent nothing that could run.
        &["run", "delete_old.carnet", "root=/"],
    ] {
        assert_eq!(said(&place, arguments, "50ms"), nothing, "{arguments:?}");
    }
    assert_eq!(
        said(&place, RUN_IT, "50ms"),
        unknown("the server is silent, and answers no question within 50ms", "50ms")
    );
}

fn unknown(why: &str, timeout: &str) -> String {
    format!(
        "outcome unknown: {why} (unix:./c.sock)\nsome of it may have taken effect. Ask what did: carnet status --run \
         mine --server unix:./c.sock --timeout {timeout}\n? 5\n"
    )
}

#[test]
fn a_server_that_dies_in_the_middle() {
    let place = Place::new();
    let listener = UnixListener::bind(place.path("c.sock")).expect("a socket");
    let verbs =
        [&["bill", "disk_usage.carnet", "root=/"][..], &["status"], &["status", "--run", "mine"], RUN_IT];
    let dying = std::thread::spawn(move || {
        for _ in verbs {
            let (mut stream, _) = listener.accept().expect("a client");
            stream.read_exact(&mut [0; 16]).expect("a request");
        }
    });
    for arguments in &verbs[..3] {
        assert_eq!(
            said(&place, arguments, "1m"),
            "failed: unix:./c.sock closed the connection without an answer\nnothing was changed. Is it a Carnet server, \
             and still running?\n? 1\n"
        );
    }
    let lost = "the server closed the connection; it is unknown whether the call was done";
    assert_eq!(said(&place, RUN_IT, "1m"), unknown(lost, "1m"));
    dying.join().expect("it ends");
}

#[test]
fn a_server_that_is_not_there() {
    let place = Place::new();
    for arguments in [&["bill", "disk_usage.carnet", "root=/"][..], &["status"], RUN_IT] {
        assert_eq!(
            said(&place, arguments, "1m"),
            "cannot reach unix:./c.sock: no such socket\nnothing was sent. Start a server: carnet serve files DIR \
             --listen unix:./c.sock\n? 7\n"
        );
    }
}

/// Answers calls when told to, which it never is.
struct Stuck(Mutex<Receiver<()>>);

impl Object for Stuck {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        Nothing.interface()
    }

    fn dispatch(&self, _: u16, _: &mut Call<'_>) -> Result<(), Failure> {
        let told = self.0.lock().expect("nobody else waits").recv();
        Err(Failure::service(&format!("{told:?}")))
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

#[test]
fn a_call_that_is_not_answered_may_have_been_done() {
    let place = Place::new();
    let (end, told) = channel();
    let stuck = Capability::new(Arc::new(Stuck(Mutex::new(told))));
    let address = Address::Unix(place.path("c.sock"));
    let roots = move |_: &carnet_portal::call::Caller| Ok(stuck.clone());
    let server = Server::listen(&address, ServerOptions::default(), roots).expect("it listens");
    assert_eq!(
        said(&place, &["call", "Dir.remove", "path=x"], "500ms"),
        "outcome unknown: no answer within 500ms; it is unknown whether the call was done (unix:./c.sock)\nDir.remove may \
         or may not have been done. Look before you call it again\n? 5\n"
    );
    drop(end);
    drop(server);
}

struct Nothing;

impl Object for Nothing {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (files::module(), files::module().interface("Dir").expect("an interface"))
    }

    fn dispatch(&self, _: u16, _: &mut Call<'_>) -> Result<(), Failure> {
        Err(Failure::service("nothing to call"))
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// Keeps what it is to run, and answers questions about it one after the other.
struct Desk {
    running: Mutex<Vec<Responder>>,
    answers: Mutex<Vec<Answer>>,
}

/// To the question what became of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Nothing,
    Running,
    /// The question is answered with the outcome, which the run itself never is.
    Ended,
    /// It runs, but its outcome comes right behind.
    EndsNow,
}

impl EntryPoint for Desk {
    fn handle(&self, request: EntryRequest<'_>) {
        let mut running = self.running.lock().expect("runs");
        if request.kind == RUN {
            return running.push(request.responder);
        }
        assert_eq!(request.kind, ASK);
        let mut answers = self.answers.lock().expect("answers");
        let answer = if answers.len() > 1 { answers.remove(0) } else { answers[0] };
        match answer {
            // Dropping it would be an answer.
            Answer::Nothing => running.push(request.responder),
            Answer::Running => {
                running[0].progress(&Progress::Counts { calls: 1, written: 0 }.encode());
                request.responder.reply(&[1], Vec::new());
            }
            Answer::Ended => request.responder.reply(&[&[2], outcome().as_slice()].concat(), Vec::new()),
            Answer::EndsNow => {
                request.responder.reply(&[1], Vec::new());
                running.remove(0).reply(&outcome(), Vec::new());
            }
        }
    }

    fn closed(&self, _: &Session) {}
}

fn outcome() -> Vec<u8> {
    Outcome {
        end: End::Failed(b"enough".to_vec()),
        at: 0,
        pos: Pos { line: 3, col: 1 },
        call: None,
        result: None,
        calls: Vec::new(),
        receipt: Receipt::default(),
        dry: false,
        kept: None,
        cannot_go_on: None,
    }
    .encode()
}

/// What is said of a run on a server with this policy that answers so; the last answer again and again.
fn said_of_run(policy: &str, answers: &[Answer], timeout: &str) -> String {
    let place = Place::new();
    let desk = Desk { running: Mutex::default(), answers: Mutex::new(answers.to_vec()) };
    let options = ServerOptions {
        entry: Some(Arc::new(desk)),
        policy: policy.as_bytes().to_vec(),
        ..ServerOptions::default()
    };
    let roots = |_: &carnet_portal::call::Caller| Ok(Capability::new(Arc::new(Nothing)));
    let address = Address::Unix(place.path("c.sock"));
    let _server = Server::listen(&address, options, roots).expect("it listens");
    said(&place, RUN_IT, timeout)
}

#[test]
fn a_server_that_lives_but_knows_nothing_of_the_run() {
    let said = said_of_run("", &[Answer::Nothing], "1s");
    assert_eq!(said, unknown("the server is silent, and answers no question within 1s", "1s"));
}

#[test]
fn a_run_that_lasts_longer_than_it_may() {
    let said = said_of_run(r#"{"limits":{"time_ns":1500000000}}"#, &[Answer::Running], "1s");
    assert_eq!(said, unknown("it may last 1.5s there, and has not ended 1s later", "1s"));
}

#[test]
fn a_long_run_is_waited_for_while_the_server_lives() {
    for last in [Answer::EndsNow, Answer::Ended] {
        let said = said_of_run("", &[Answer::Running, last], "1s");
        assert!(said.starts_with("failed: enough") && said.ends_with("? 1\n"), "{said}");
    }
}
