//! Servers that lie: whatever they answer, the command says so and ends with a code that is true.

mod support;

use std::any::Any;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;
use std::process::Stdio;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use carnet_files::files;
use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest, Responder};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;
use carnet_portal::wire::{HEADER_BYTES, Reply, kind};
use carnet_program::protocol::{
    End, InstalledProgram, Outcome, Receipt, Refusal, StoppedCall, encode_installed,
};
use carnet_program::tree::Pos;
use rustix::process::Signal;
use serde_json::json;
use support::{PATIENCE, Place, ended, rest, signal};

struct Nothing;

impl Object for Nothing {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (files::module(), files::module().interface("Dir").expect("an interface"))
    }

    fn dispatch(&self, _: u16, _: &mut Call<'_>) -> Result<(), Failure> {
        Err(Failure::raised(999, "\x1b]0;title\x07 raised what it has not".to_owned()))
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// Answers everything with the same bytes.
#[derive(Default)]
struct Liar(Mutex<Vec<u8>>);

impl EntryPoint for Liar {
    fn handle(&self, request: EntryRequest<'_>) {
        let answer = self.0.lock().expect("an answer").clone();
        request.responder.progress(&answer);
        request.responder.reply(&answer, Vec::new());
    }

    fn closed(&self, _: &Session) {}
}

fn lying(place: &mut Place) -> (Server, Arc<Liar>) {
    let liar = Arc::new(Liar::default());
    let entry: Arc<dyn EntryPoint> = Arc::<Liar>::clone(&liar);
    let options = ServerOptions { entry: Some(entry), policy: b"\x1b{".to_vec(), ..ServerOptions::default() };
    let address = Address::Unix(place.path("c.sock"));
    let roots = |_: &carnet_portal::call::Caller| Ok(Capability::new(Arc::new(Nothing)));
    place.export("CARNET_SERVER", "unix:./c.sock");
    (Server::listen(&address, options, roots).expect("it listens"), liar)
}

/// Exit code and all that was printed; nothing of it may play tricks on a terminal.
fn run(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let output = place.carnet(arguments);
    let mut text = String::from_utf8(output.stdout).expect("text");
    text.push_str(std::str::from_utf8(&output.stderr).expect("text"));
    assert!(!text.contains("panicked"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    (output.status.code(), text)
}

fn outcome(end: End, result: Option<Vec<u8>>) -> Vec<u8> {
    let call = StoppedCall {
        operation: "Dir.\x1b[31mlist".to_owned(),
        register: 60_000,
        arguments: vec![("path\x07".to_owned(), "\"\u{202e}x\"".to_owned())],
        interrupted: false,
    };
    Outcome { call: Some(call), result, ..plain_outcome(end) }.encode()
}

fn plain_outcome(end: End) -> Outcome {
    Outcome {
        end,
        at: u32::MAX,
        pos: Pos { line: u32::MAX, col: u32::MAX },
        call: None,
        result: None,
        calls: Vec::new(),
        receipt: Receipt { calls: u64::MAX, time_ns: u64::MAX, ..Receipt::default() },
        dry: false,
        kept: None,
        cannot_go_on: None,
    }
}

#[test]
fn an_answer_that_is_no_outcome_leaves_the_outcome_unknown() {
    let mut place = Place::new();
    let (_server, liar) = lying(&mut place);
    for answer in [&b""[..], b"\x00", b"\xff\xff\xff\xff\xff\xff\xff\xff", &[7; 300]] {
        *liar.0.lock().expect("an answer") = answer.to_vec();
        let (exit, text) = run(&place, &["run", "disk_usage.carnet", "root=/"]);
        assert_eq!(exit, Some(5), "{text}");
        assert!(text.starts_with("outcome unknown: "), "{text}");
        let (exit, text) = run(&place, &["bill", "disk_usage.carnet", "root=/"]);
        assert_eq!(exit, Some(1), "{text}");
        let (exit, text) = run(&place, &["status", "--run", "x"]);
        assert!(matches!(exit, Some(1 | 5)), "{text}");
    }
}

#[test]
fn a_result_of_another_type_is_said_to_be_one() {
    let mut place = Place::new();
    let (_server, liar) = lying(&mut place);
    let results: [&[u8]; 5] = [b"", b"\xff\xff\xff\xff", b"\x01\0\0\0\x05\0\0\0ab", &[0; 100], &[1; 5]];
    for result in results {
        *liar.0.lock().expect("an answer") = outcome(End::Done, Some(result.to_vec()));
        let (exit, text) = run(&place, &["run", "disk_usage.carnet", "root=/"]);
        assert_eq!(exit, Some(1), "{text}");
        assert!(text.starts_with("failed: the server's result does not have the program's type"), "{text}");
    }
}

#[test]
fn texts_of_a_server_play_no_tricks() {
    let mut place = Place::new();
    let (_server, liar) = lying(&mut place);
    let message = "\x1b[2J\"\u{202e}x\" gone".to_owned();
    for end in [
        End::CallFailed { message, raised: true },
        End::Failed(b"\x1b[2J\xff".to_vec()),
        End::Cancelled,
        End::CannotKnow,
    ] {
        *liar.0.lock().expect("an answer") = outcome(end, None);
        let (exit, text) = run(&place, &["run", "disk_usage.carnet", "root=/"]);
        assert!(matches!(exit, Some(1 | 4)), "{text}");
    }
    let (exit, text) = run(&place, &["call", "Dir.stat", "path=x"]);
    assert_eq!(exit, Some(1), "{text}");
    let (exit, text) = run(&place, &["describe"]);
    assert_eq!(exit, Some(1), "{text}");
    assert!(text.contains("the server's answer about a program is cut off or damaged"), "{text}");
    let name = "\x1b[2J\"\u{202e}x".to_owned();
    let source = "return 1 \x1b]0;title\x07\n\u{202e}".to_owned();
    *liar.0.lock().expect("an answer") =
        encode_installed(&[InstalledProgram { name, hash: [7; 32], source }]);
    let asked: [(&[&str], i32); 4] = [
        (&["describe"], 0),
        (&["describe", "@x"], 2),
        (&["describe", "@\x1b[2J\"\u{202e}x"], 0),
        (&["run", "@x"], 2),
    ];
    for (arguments, expected) in asked {
        let (exit, text) = run(&place, arguments);
        assert_eq!(exit, Some(expected), "{arguments:?}: {text}");
    }
}

/// Whatever is said, and where: some lines are printed of it, and how much is left out.
#[test]
fn long_texts_of_a_server_are_cut() {
    let mut place = Place::new();
    let (_server, liar) = lying(&mut place);
    let long = "\u{e9}\x1b".repeat(120_000);
    let call = || StoppedCall {
        operation: format!("Dir.{long}"),
        register: 60_000,
        arguments: vec![("path".to_owned(), format!("\"{long}"))],
        interrupted: false,
    };
    let ends = [
        End::CallFailed { message: format!("\"{long}"), raised: true },
        End::Failed(long.clone().into_bytes()),
        End::CallInDoubt { message: long.clone() },
        End::Cancelled,
        End::Refused(Refusal::NoJournal(long.clone())),
        End::Refused(Refusal::Argument { index: 0, message: long.clone() }),
    ];
    for end in ends {
        let calls = matches!(end, End::CallFailed { .. } | End::Cancelled);
        let outcome = Outcome { call: calls.then(call), ..plain_outcome(end) };
        *liar.0.lock().expect("an answer") = outcome.encode();
        let (_, text) = run(&place, &["run", "disk_usage.carnet", "root=/"]);
        assert!(text.contains("… (") && text.contains(" more bytes were left out)"), "{text}");
        assert!(text.len() < 20 << 10, "{} bytes: {text}", text.len());
    }
    // A frame by hand: our own server cuts what it says.
    place.export("CARNET_SERVER", "unix:./long.sock");
    let listener = UnixListener::bind(place.path("long.sock")).expect("a socket");
    let server = std::thread::spawn(move || {
        for _ in 0..4 {
            let (mut stream, _) = listener.accept().expect("a client");
            let message = vec![b'x'; 1_000_000];
            let len = (HEADER_BYTES + message.len()) as u32;
            let status = Kind::Refused as u16;
            let header = Reply { len, kind: kind::REPLY, portals: 0, status, call: 0, raised: 0 };
            stream.write_all(&header.encode()).expect("a client");
            stream.write_all(&message).expect("a client");
            // Until it has hung up.
            let _ = stream.read_to_end(&mut Vec::new());
        }
    });
    for arguments in [
        &["describe"][..],
        &["status"],
        &["call", "Dir.stat", "path=x"],
        &["run", "disk_usage.carnet", "root=/"],
    ] {
        let (exit, text) = run(&place, arguments);
        assert_ne!(exit, Some(0), "{text}");
        assert!(text.contains("xxx… (995,904 more bytes were left out)"), "{text}");
        assert!(text.len() < 10 << 10, "{} bytes: {text}", text.len());
    }
    server.join().expect("it ends");
}

#[test]
fn a_server_without_programs_describes_itself() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    let address = Address::Unix(place.path("c.sock"));
    let roots = |_: &carnet_portal::call::Caller| Ok(Capability::new(Arc::new(Nothing)));
    let _server = Server::listen(&address, ServerOptions::default(), roots).expect("it listens");
    let (exit, text) = run(&place, &["describe"]);
    assert_eq!(exit, Some(0), "{text}");
    assert!(text.contains("R stat("), "{text}");
    let (exit, text) = run(&place, &["describe", "@x"]);
    assert_eq!(exit, Some(2), "{text}");
    for verb in ["run", "bill"] {
        let (exit, text) = run(&place, &[verb, "disk_usage.carnet", "root=/"]);
        assert_eq!(exit, Some(6), "{text}");
        assert_eq!(text, "refused: this server does nothing but calls\nnothing was run.\n");
    }
}

/// Keeps every request, says so, and answers none.
struct Silent(SyncSender<Responder>);

impl EntryPoint for Silent {
    fn handle(&self, request: EntryRequest<'_>) {
        self.0.send(request.responder).expect("a test that listens");
    }

    fn closed(&self, _: &Session) {}
}

#[test]
fn a_server_that_does_not_answer_can_be_left() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    let (kept, requests) = sync_channel(10);
    let options = ServerOptions { entry: Some(Arc::new(Silent(kept))), ..ServerOptions::default() };
    let address = Address::Unix(place.path("c.sock"));
    let roots = |_: &carnet_portal::call::Caller| Ok(Capability::new(Arc::new(Nothing)));
    let _server = Server::listen(&address, options, roots).expect("it listens");
    let unknown = "outcome unknown: you left before it ended (unix:./c.sock)\nsome of it may have taken effect. \
                   Ask what did: carnet status --run lost";
    let json = json!({ "exit": 5, "error": "unknown", "message": unknown });
    for (form, expected) in [(&[][..], String::new()), (&["--json"], format!("{json}\n"))] {
        let arguments = [&["run", "disk_usage.carnet", "root=/", "--id", "lost"], form].concat();
        let mut command = place.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let run = requests.recv_timeout(PATIENCE).expect("the run");
        signal(&child, Signal::INT);
        let cancel = requests.recv_timeout(PATIENCE).expect("that it is cancelled");
        signal(&child, Signal::INT);
        assert_eq!(ended(&mut child), Some(5));
        let said = rest(child.stderr.take().expect("its errors"));
        let cancelling = "cancelling; once more leaves without waiting for the outcome";
        assert_eq!(said, format!("{cancelling}\n{unknown}\n"));
        assert_eq!(rest(child.stdout.take().expect("its output")), expected);
        drop((run, cancel));
    }
}

#[test]
fn what_is_no_carnet_server_is_named_so() {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./other.sock");
    let listener = UnixListener::bind(place.path("other.sock")).expect("a socket");
    let other = std::thread::spawn(move || {
        for _ in 0..3 {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut start = [0; 16];
            stream.read_exact(&mut start).expect("a request");
            // A client that hangs up early is what this is about.
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    for (arguments, code) in
        [(&["describe"][..], 1), (&["status"], 1), (&["run", "disk_usage.carnet", "root=/"], 5)]
    {
        let (exit, text) = run(&place, arguments);
        assert_eq!(exit, Some(code), "{text}");
        assert!(text.contains("unix:./other.sock"), "{text}");
    }
    other.join().expect("it ends");
}
