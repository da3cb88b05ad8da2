//! What a service is handed: the same words and bytes by a single call as by a program's, and bytes that a program passes on where they
//! lie.
//!
//! The single calls are those of generated stubs, over a Unix socket or in the same process; programs are run beside the service, by the
//! same server. The interface is the golden one of the interface compiler, which has an operation for each kind of argument.

use std::any::Any;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module, Word};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Caller, Failure, Object, ShortWords};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::parse;
use every::{Color, Echo, Plain, Point, Spot};

mod every {
    #![allow(unreachable_pub, dead_code, reason = "generated for a public module")]
    include!("../../idl/tests/cases/modules/everything.rs");
}

/// A word of a call, as the service finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Handed {
    Word(u64),
    Bytes(Vec<u8>),
}

/// Where bytes lay that the service was handed, and where those that it gave back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Places {
    taken: usize,
    given: usize,
}

/// Writes down what it is handed, and answers with nothing but zeros.
#[derive(Default)]
struct Recorder {
    calls: Mutex<Vec<(u16, Vec<Handed>)>>,
    places: Mutex<Vec<Places>>,
}

impl Recorder {
    fn calls(&self) -> Vec<(u16, Vec<Handed>)> {
        std::mem::take(&mut *self.calls.lock().expect("nobody panics with it"))
    }

    fn note(&self, places: Places) {
        self.places.lock().expect("nobody panics with it").push(places);
    }

    fn places(&self) -> Vec<Places> {
        std::mem::take(&mut *self.places.lock().expect("nobody panics with it"))
    }
}

struct Root(Arc<Recorder>);

/// The number of the operation that takes bytes and gives bytes back, and what it gives.
const BLOBS: u16 = 8;
const ANSWER: &[u8] = b"8 bytes.";

fn handed(word: &Word, value: u64, call: &Call<'_>) -> Result<Handed, Failure> {
    match word {
        Word::String { max } | Word::Bytes { max } => {
            Ok(Handed::Bytes(call.areas.bytes(value, *max)?.to_vec()))
        }
        _ => Ok(Handed::Word(value)),
    }
}

impl Object for Root {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (every::module(), InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let layout = &every::module().interfaces[0].operations[usize::from(op)].layout;
        let requested = layout.ins.iter().chain(&layout.inouts).zip(&*call.words);
        let found = requested.map(|(word, value)| handed(word, *value, call)).collect::<Result<_, _>>()?;
        self.0.calls.lock().expect("nobody panics with it").push((op, found));
        if op == BLOBS {
            let taken = call.areas.bytes(call.words[0], 8)?.as_ptr() as usize;
            let mut area = call.take(1)?;
            area.bytes.extend_from_slice(ANSWER);
            self.0.note(Places { taken, given: area.bytes.as_ptr() as usize });
            return call.put(1, area);
        }
        let outs = layout.request_words()..;
        for (word, out) in layout.outs.iter().zip(&mut call.words[outs]) {
            if matches!(word, Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_)) {
                *out = 0;
            }
        }
        Ok(())
    }

    fn short_out(
        &self,
        op: u16,
        _: &Caller,
        _: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        out.extend_from_slice(ANSWER);
        self.0.calls.lock().expect("nobody panics with it").push((op, vec![Handed::Bytes(piece.to_vec())]));
        self.0.note(Places { taken: piece.as_ptr() as usize, given: out.as_ptr() as usize });
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        &self.0
    }
}

/// A server of it, and who is connected.
struct Stage {
    recorder: Arc<Recorder>,
    client: Client,
    echo: Echo,
    server: Option<Server>,
    _directory: tempfile::TempDir,
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.shutdown(Instant::now() + Duration::from_secs(10));
        }
    }
}

fn stage() -> Stage {
    let directory = tempfile::tempdir().expect("a directory of our own");
    let address = Address::Unix(directory.path().join("s"));
    let recorder = Arc::new(Recorder::default());
    let root = Capability::new(Arc::new(Root(Arc::clone(&recorder))));
    let programs = Programs::new(&[every::module()], Policy::default());
    let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
    let server = Server::listen(&address, options, move |_: &Caller| Ok(root.clone())).expect("it listens");
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it is there");
    let echo = Echo::from_portal(session.root());
    Stage { recorder, client: Client::new(session), echo, server: Some(server), _directory: directory }
}

impl Stage {
    fn run(&self, id: u128, source: &str, mut arguments: Vec<Argument<'_>>) {
        let modules = [Arc::new(every::module().clone())];
        let tree = parse(source, &modules).unwrap_or_else(|faults| panic!("{source}: {faults:?}"));
        let bytes = compile_to_bytes(&tree).expect("it compiles");
        arguments.insert(0, Argument::Portal(0));
        let program = RunProgram::Whole(&bytes);
        let (options, name, approval) = (RunOptions::default(), "", "");
        let request = RunRequest { id: RunId(id), options, name, approval, arguments, program };
        let outcome = self.client.run(&request, &[self.echo.portal()]).expect("the server answers");
        assert_eq!(outcome.end, End::Done, "{source}");
    }
}

/// A single call, and the same in a program. What they come to does not matter: the service answers with zeros, which some of them refuse.
type Pair = (&'static str, fn(&Echo));

const PAIRS: [Pair; 13] = [
    ("echo.add(1, -2, 9223372036854775807)", |echo| drop(echo.add(1, -2, i64::MAX))),
    ("echo.flip(true)", |echo| drop(echo.flip(true))),
    ("echo.octets(200)", |echo| drop(echo.octets(200))),
    ("echo.shorts(-32768, 65535)", |echo| drop(echo.shorts(i16::MIN, u16::MAX))),
    ("echo.longs(-2147483648, 4294967295)", |echo| drop(echo.longs(i32::MIN, u32::MAX))),
    ("echo.wide(9223372036854775807)", |echo| drop(echo.wide(i64::MAX as u64))),
    ("echo.colors(Color.dark_green)", |echo| drop(echo.colors(Color::DarkGreen))),
    ("echo.texts(\"eine Mücke\")", |echo| drop(echo.texts("eine Mücke".as_bytes()))),
    ("echo.blobs(raw)", |echo| drop(echo.blobs(RAW))),
    (
        "echo.move_spot(Spot(name: \"n\", at: Point(x: -3, y: 65534), color: Color.self, digest: raw, id: 7), \
         Point(x: 5, y: 6))",
        |echo| {
            let at = Point { x: -3, y: 65_534 };
            let spot = Spot { name: b"n".to_vec(), at, color: Color::Self_, digest: RAW.to_vec(), id: 7 };
            drop(echo.move_spot(&spot, &Point { x: 5, y: 6 }));
        },
    ),
    ("echo.bump(-4, Plain(on: true, color: Color.self, level: 255), -6)", |echo| {
        drop(echo.bump(&mut -4, &mut Plain { on: true, color: Color::Self_, level: 255 }, -6));
    }),
    ("echo.count(5, true, Color.dark_green, -9, 3)", |echo| {
        drop(echo.count(&mut 5, &mut true, &mut Color::DarkGreen, &mut -9, 3));
    }),
    ("echo.type(1, -2, 3, -4)", |echo| drop(echo.r#type(1, -2, 3, -4))),
];

const RAW: &[u8] = &[0, 1, 127, 128, 255];

#[test]
fn a_program_s_call_hands_over_what_a_single_call_does() {
    let stage = stage();
    for (id, (call, single)) in (1..).zip(PAIRS) {
        single(&stage.echo);
        let by_call = stage.recorder.calls();
        let source = format!("use every\nprogram one(echo: Echo, raw: bytes(8)) {{ {call} }}\n");
        stage.run(id, &source, vec![Argument::Text(RAW)]);
        assert!(by_call.len() == 1 && !by_call[0].1.is_empty(), "{call}: {by_call:?}");
        assert_eq!(stage.recorder.calls(), by_call, "{call}");
    }
}

/// How often bytes that were given back were put elsewhere before they were handed over again.
fn moved(places: &[Places]) -> usize {
    places.windows(2).filter(|pair| pair[0].given != pair[1].taken).count()
}

#[test]
fn bytes_that_a_program_passes_on_are_not_copied() {
    let stage = stage();
    // On the same thread: between processes each answer goes to the client besides, and comes back from there.
    let near =
        LocalSession::new(Capability::new(Arc::new(Root(Arc::clone(&stage.recorder)))), Caller::local());
    let pass_on = |echo: &Echo| {
        let mut data = echo.blobs(RAW).expect("it answers");
        for _ in 0..5 {
            data = echo.blobs(&data).expect("it answers");
        }
    };
    pass_on(&Echo::from_portal(near.root()));
    let by_calls = stage.recorder.places();
    assert_eq!(by_calls.len(), 6);
    let source = "use every
program pass_on(echo: Echo, raw: bytes(8)) {
  let a = echo.blobs(raw)
  let b = echo.blobs(a)
  let c = echo.blobs(b)
  let d = echo.blobs(c)
  let e = echo.blobs(d)
  echo.blobs(e)
}
";
    stage.run(1, source, vec![Argument::Text(RAW)]);
    let places = stage.recorder.places();
    assert_eq!((places.len(), moved(&places)), (6, 0), "{places:?}");
    // As the loop of Figure 6 does: read, and write what was read.
    let source = "use every
program pass_on(echo: Echo, raw: bytes(8)) {
  for k in 0 .. 3 {
    let data = echo.blobs(raw)
    echo.blobs(data)
  }
}
";
    stage.run(2, source, vec![Argument::Text(RAW)]);
    let places = stage.recorder.places();
    let rounds: Vec<usize> = places.chunks(2).map(moved).collect();
    assert_eq!(rounds, [0, 0, 0], "{places:?}");
    assert!(places.iter().step_by(2).all(|place| place.taken == places[0].taken), "{places:?}");
    let source = "use every
program pass_on(echo: Echo, raw: bytes(8)) {
  var data = echo.blobs(raw)
  for k in 0 .. 3 { data = echo.blobs(data) }
}
";
    stage.run(3, source, vec![Argument::Text(RAW)]);
    let places = stage.recorder.places();
    // What a variable is given is copied into it, once: not more often than by the stubs above.
    assert_eq!((places.len(), moved(&places)), (4, 3), "{places:?}");
    assert_eq!(moved(&by_calls), 5, "{by_calls:?}");
}
