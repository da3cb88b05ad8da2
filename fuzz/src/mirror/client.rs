//! The client in Rust, and a server that answers it what it is told to.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex, PoisonError};

use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::stub::{CallError, Extends as _};
use carnet_portal::wire::{HEADER_BYTES, Reply, Request, kind};

use super::message::Body;
use super::service::socket_path;
use super::stubs::*;
use super::{Answer, Believed};

/// What the server answers next, and what it was asked after that.
#[derive(Default)]
struct Script {
    answer: Option<Answer>,
    asked: Option<(u16, Body)>,
}

/// A client of a server that lies.
pub struct ClientInRust {
    script: Arc<Mutex<Script>>,
    derived: Derived,
}

impl ClientInRust {
    /// Starts the server, and connects to it.
    ///
    /// # Panics
    /// If there are no sockets.
    #[must_use]
    pub fn start() -> ClientInRust {
        let script = Arc::default();
        let derived = connect(&script);
        ClientInRust { script, derived }
    }

    /// What the client makes of a reply to operation `op`: what it says when it sends the value again.
    ///
    /// # Panics
    /// If it takes a value that it cannot send.
    pub fn reply(&mut self, op: &str, answer: Answer) -> Believed {
        *self.script() = Script { answer: Some(answer), asked: None };
        let mut outcome = self.believe(op);
        if self.script().answer.is_some() {
            // The last answer was nonsense that ended the connection.
            self.derived = connect(&self.script);
            outcome = self.believe(op);
        }
        assert!(self.script().answer.take().is_none(), "{op}: the client asks nothing");
        let asked = self.script().asked.take();
        match (outcome, asked) {
            (Ok(()), Some((op, body))) => Believed::Value(op, body),
            (Ok(()), None) => panic!("{op}: what was taken cannot be sent"),
            (Err(kind), _) => Believed::Refused(kind as u16),
        }
    }

    fn script(&self) -> std::sync::MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `op`, and sends what came back.
    fn believe(&self, op: &str) -> Result<(), Kind> {
        let to = &self.derived;
        let base = to.to_base();
        let link = || Link { base: to.to_base(), name: Vec::new() };
        let (key, numbers, tables) = ([0; 16], numbers(), tables());
        let value = Value::Number(0);
        macro_rules! again {
            ($call:ident, $argument:expr) => {
                to.$call($argument).map(|back| drop(to.$call(&back)))
            };
        }
        let outcome = match op {
            "_get_level" => to.level().map(|back| drop(to.set_level(back))),
            "_get_name" => to.name().map(|back| drop(to.set_name(&back))),
            "_get_shade" => to.shade().map(|back| drop(to.kind(back, b""))),
            "_get_height" => to.height().map(|back| drop(to.set_height(back))),
            "kind" => to.kind(Shade::Dark, b"").map(|back| drop(to.kind(back, b""))),
            "moved" => {
                let mut at = 0;
                let back = to.moved(Shade::Dark, &mut at, false, b"");
                back.map(|back| drop(to.moved(Shade::Dark, &mut (at ^ back), false, b"")))
            }
            "found" => {
                let mut at = 0;
                let back = to.found(0, &mut at, 0);
                back.map(|(back, text)| drop(to.moved(Shade::Dark, &mut at, back, &text)))
            }
            "both" => to
                .both(0, 0, 0.0, Shade::Dark)
                .map(|(back, shade)| drop(to.moved(shade, &mut i64::from(back), false, b""))),
            "numbers" => again!(numbers, &numbers),
            "tables" => again!(tables, &tables),
            "value" => again!(value, &value),
            "many" => again!(many, &Many::Other(0, false)),
            "truth" => again!(truth, &Truth::Real(0.0)),
            "letter" => again!(letter, &Letter::Number(0)),
            "wide" => again!(wide, &Wide::Value(Value::Number(0))),
            "mixed" => again!(mixed, &mixed()),
            "shelf" => again!(shelf, &shelf()),
            "held" => again!(held, &Held::Other(0, false)),
            "chosen" => again!(chosen, &chosen()),
            "rows" => again!(rows, &[vec![], vec![]]),
            "shelves" => again!(shelves, &[]),
            "choices" => again!(choices, &[]),
            "deep" => again!(deep, &[]),
            "grid" => again!(grid, &[]),
            "several" => {
                let mut b = [0; 3];
                to.several(&value, &mut b, b"").map(|(d, e)| drop(to.several(&d, &mut b, &e)))
            }
            "texts_both" => {
                let (mut a, mut b, mut c) = (vec![], vec![], named());
                let back = to.texts_both(&mut a, &mut b, &mut c);
                back.map(|()| drop(to.texts_both(&mut a, &mut b, &mut c)))
            }
            "shapes_both" => {
                let (mut a, mut b, mut c, mut d) = (mixed(), value, key, named());
                let back = to.shapes_both(&mut a, &mut b, &mut c, &mut d);
                back.map(|()| drop(to.shapes_both(&mut a, &mut b, &mut c, &mut d)))
            }
            "lists_both" => {
                let (mut a, mut b, mut c) = (vec![], vec![], vec![]);
                let back = to.lists_both(&mut a, &mut b, &mut c);
                back.map(|()| drop(to.lists_both(&mut a, &mut b, &mut c)))
            }
            "portals_both" => {
                let (mut a, mut b, mut c, mut d) = (base, link(), vec![], vec![]);
                let back = to.portals_both(&mut a, &mut b, &mut c, &mut d);
                back.map(|()| drop(to.portals_both(&mut a, &mut b, &mut c, &mut d)))
            }
            "labelled" => again!(labelled, &[]),
            "manies" => again!(manies, &[]),
            "mixes" => again!(mixes, &[]),
            "triples" => again!(triples, &[]),
            "keys" => again!(keys, &[]),
            "shades" => again!(shades, &[]),
            "doubles" => again!(doubles, &[]),
            "floats" => again!(floats, &[]),
            "truths" => again!(truths, &[]),
            "shorts" => again!(shorts, &[]),
            "wides" => again!(wides, &[]),
            "words" => again!(words, &[]),
            "text" => again!(text, b""),
            "raw" => again!(raw, b""),
            "base" => to.base(&base, 0).map(|back| drop(to.base(&back, 0))),
            "self" => again!(self_, to),
            "link" => again!(link, &link()),
            "pair" => again!(pair, &Links { first: link(), shade: Shade::Dim, second: to.to_base() }),
            "links" => again!(links, &[]),
            "bases" => again!(bases, &[]),
            _ => return self.believe_raised(op, &value, &key),
        };
        outcome.map_err(|failure| failure.kind())
    }

    /// Calls an operation that raises, and sends what was raised to the operation that raises just this.
    fn believe_raised(&self, op: &str, value: &Value, key: &[u8; 16]) -> Result<(), Kind> {
        let to = &self.derived;
        macro_rules! any {
            ($error:ident, $outcome:expr) => {
                match $outcome {
                    Ok(()) => drop(to.set_level(0)),
                    Err(CallError::Raised($error::Busy(raised))) => drop(to.busy(raised.until)),
                    Err(CallError::Raised($error::Denied(raised))) => self.deny(&raised),
                    Err(CallError::Raised($error::Empty(_))) => drop(to.empty()),
                    // What is no text comes as a text with replacements, which may be too long.
                    Err(CallError::Raised($error::Plain(raised))) if !raised.message.is_ascii() => {
                        drop(to.empty())
                    }
                    Err(CallError::Raised($error::Plain(raised))) => {
                        drop(to.plain(raised.kind, raised.message.as_bytes()))
                    }
                    Err(CallError::Failed(failure)) => return Err(failure.kind()),
                }
            };
        }
        match op {
            "busy" => any!(BaseBusyError, to.busy(0)),
            "denied" => any!(BaseDeniedError, to.denied(b"", value, key, 0.0)),
            "empty" => any!(BaseEmptyError, to.empty()),
            "plain" => any!(BasePlainError, to.plain(Shade::Dim, b"")),
            "denied_alone" => match to.denied_alone(b"", value, key, 0.0) {
                Ok(()) => drop(to.set_level(0)),
                Err(CallError::Raised(raised)) => self.deny(&raised),
                Err(CallError::Failed(failure)) => return Err(failure.kind()),
            },
            "packed" => match to.packed(&shelf()) {
                Ok(()) => drop(to.set_level(0)),
                Err(CallError::Raised(raised)) => drop(to.packed(&raised.shelf)),
                Err(CallError::Failed(failure)) => return Err(failure.kind()),
            },
            _ => panic!("{op} is called by nobody"),
        }
        Ok(())
    }

    fn deny(&self, raised: &Denied) {
        drop(self.derived.denied(&raised.who, &raised.why, &raised.key, raised.real));
    }
}

fn numbers() -> Numbers {
    Numbers { a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, i: 0, j: 0.0, k: 0.0, l: false }
}

fn tables() -> Tables {
    let names = [Vec::new(), Vec::new()];
    Tables { triple: [0; 3], table: [[0; 3]; 2], key: [0; 16], names, shades: [Shade::Light; 2] }
}

fn named() -> Named {
    Named { name: Vec::new(), at: 0, tag: Vec::new() }
}

fn shelf() -> Shelf {
    Shelf { name: Vec::new(), named: Vec::new(), texts: Vec::new(), key: [0; 16] }
}

fn chosen() -> Chosen {
    Chosen { held: Vec::new(), truths: Vec::new(), values: Vec::new(), many: Many::Other(0, false) }
}

fn mixed() -> Mixed {
    let (many, truth) = (Many::Other(0, false), Truth::Real(0.0));
    Mixed { shade: Shade::Light, many, real: 0.0, truth, name: Vec::new(), key: [0; 16] }
}

/// A server for one session, and the session.
fn connect(script: &Arc<Mutex<Script>>) -> Derived {
    let path = socket_path("replies");
    let listener = UnixListener::bind(&path).unwrap_or_else(|error| panic!("no socket: {error}"));
    let theirs = Arc::clone(script);
    std::thread::spawn(move || {
        // A client that was told nonsense has gone.
        let _gone = listener.accept().and_then(|(socket, _)| serve(socket, &theirs));
    });
    let session = RemoteSession::connect(&Address::Unix(path.clone()), ConnectOptions::default())
        .unwrap_or_else(|failure: Failure| panic!("the client does not connect: {failure}"));
    let derived = Derived::from_portal(session.root());
    // Connected or not, the next one has another path.
    let _gone = std::fs::remove_file(path);
    derived
}

/// Answers the first call as the script says, and refuses the next one, which it keeps.
fn serve(mut socket: UnixStream, script: &Mutex<Script>) -> std::io::Result<()> {
    loop {
        let mut header = [0; HEADER_BYTES];
        socket.read_exact(&mut header)?;
        let Some(request) = Request::decode(&header) else { return Ok(()) };
        let mut bytes = vec![0; (request.len as usize).saturating_sub(HEADER_BYTES)];
        socket.read_exact(&mut bytes)?;
        if request.kind != kind::CALL {
            continue;
        }
        let answer = {
            let mut script = script.lock().unwrap_or_else(PoisonError::into_inner);
            script.answer.take().unwrap_or_else(|| {
                script.asked = Some((request.op, Body { portals: request.portals, bytes }));
                Answer { status: Kind::Refused as u16, ..Answer::default() }
            })
        };
        let len = (HEADER_BYTES + answer.body.bytes.len()) as u32;
        let Answer { status, raised, body } = answer;
        let header =
            Reply { len, kind: kind::REPLY, portals: body.portals, status, call: request.call, raised };
        socket.write_all(&[&header.encode()[..], &body.bytes].concat())?;
    }
}
