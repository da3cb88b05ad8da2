//! Both ends of plain sessions in Rust, without anything between them and who asks.

use std::cell::RefCell;

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::plain::{Framed, Number, Session};
use carnet_portal::stub::CallError;
use carnet_portal::wire::{HEADER_BYTES, Reply, Request, kind};

use super::message::Body;
use super::service::Mirror;
use super::stubs::*;
use super::{Answer, Believed, ROOT_PORTAL};

/// A session whose first object is the root, and what it has answered.
pub struct PlainServer {
    session: Session,
    reply: Vec<u8>,
    calls: u32,
}

impl PlainServer {
    /// The session.
    ///
    /// # Panics
    /// If it takes no object.
    #[must_use]
    pub fn start() -> PlainServer {
        let mut session = Session::new(Caller::local());
        let root = session.add(DerivedAt::serve(Mirror)).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(root, DerivedAt(Number(ROOT_PORTAL)));
        PlainServer { session, reply: Vec::new(), calls: 0 }
    }

    /// What the session answers.
    ///
    /// # Panics
    /// If that is no reply to this call.
    pub fn call(&mut self, op: u16, body: &Body) -> Answer {
        self.calls += 1;
        let len = (HEADER_BYTES + body.bytes.len()) as u32;
        let header = Request {
            len,
            kind: kind::CALL,
            portals: body.portals,
            op,
            target: ROOT_PORTAL,
            call: self.calls,
        };
        let frame = [&header.encode()[..], &body.bytes].concat();
        self.session
            .answer(&frame, &mut self.reply)
            .unwrap_or_else(|failure| panic!("a call is taken for none: {failure}"));
        let header = Reply::decode(&self.reply).unwrap_or_else(|| panic!("no header: {:?}", self.reply));
        assert_eq!(
            (header.call, header.kind, header.len as usize),
            (self.calls, kind::REPLY, self.reply.len())
        );
        let body = Body { portals: header.portals, bytes: self.reply[HEADER_BYTES..].to_vec() };
        Answer { status: header.status, raised: header.raised, body }
    }
}

/// What a client makes of a reply to operation `op`, as [`super::client::ClientInRust::reply`] says it; none if it has no such
/// operation in plain sessions.
///
/// # Panics
/// If it takes a value that it cannot send.
pub fn believed(op: &str, answer: &Answer) -> Option<Believed> {
    let (next, asked) = (RefCell::new(Some(answer)), RefCell::new(None));
    let mut channel = Framed::new(|frame: &mut Vec<u8>| {
        let request = Request::decode(frame).unwrap_or_else(|| panic!("{op}: no header: {frame:?}"));
        assert_eq!(request.len as usize, frame.len(), "{op}");
        let refused = Answer { status: Kind::Refused as u16, ..Answer::default() };
        let Answer { status, raised, body } = next.take().cloned().unwrap_or_else(|| {
            let body = Body { portals: request.portals, bytes: frame[HEADER_BYTES..].to_vec() };
            *asked.borrow_mut() = Some((request.op, body));
            refused
        });
        let len = (HEADER_BYTES + body.bytes.len()) as u32;
        let header =
            Reply { len, kind: kind::REPLY, portals: body.portals, status, call: request.call, raised };
        *frame = [&header.encode()[..], &body.bytes].concat();
        Ok(())
    });
    let outcome = believe(op, &mut channel)?;
    drop(channel);
    Some(match (outcome, asked.into_inner()) {
        (Ok(()), Some((op, body))) => Believed::Value(op, body),
        (Ok(()), None) => panic!("{op}: what was taken cannot be sent"),
        (Err(failure), _) => Believed::Refused(failure.kind() as u16),
    })
}

/// What was raised is sent to the operation that raises just this, if plain sessions have it.
macro_rules! any_raised {
    ($error:ident, $base:ident, $to:ident, $outcome:expr) => {
        match $outcome {
            Ok(()) => Ok(drop($base.set_level($to, 0))),
            Err(CallError::Raised($error::Busy(raised))) => Ok(drop($base.busy($to, raised.until))),
            // That one takes a union and an array.
            Err(CallError::Raised($error::Denied(_))) => return None,
            Err(CallError::Raised($error::Empty(_))) => Ok(drop($base.empty($to))),
            // What is no text comes as a text with replacements, which may be too long.
            Err(CallError::Raised($error::Plain(raised))) if !raised.message.is_ascii() => {
                Ok(drop($base.empty($to)))
            }
            Err(CallError::Raised($error::Plain(raised))) => {
                Ok(drop($base.plain($to, raised.kind, raised.message.as_bytes())))
            }
            Err(CallError::Failed(failure)) => Err(failure),
        }
    };
}

/// Calls `op`, and sends what came back, as the other clients do.
fn believe(op: &str, to: &mut impl carnet_portal::plain::Channel) -> Option<Result<(), Failure>> {
    let derived = DerivedAt(Number(ROOT_PORTAL));
    let base = derived.to_base();
    let mut at = 0;
    Some(match op {
        "_get_level" => base.level(to).map(|back| drop(base.set_level(to, back))),
        "_get_name" => base.name(to).map(<[u8]>::to_vec).map(|back| drop(base.set_name(to, &back))),
        "_get_shade" => base.shade(to).map(|back| drop(derived.kind(to, back, b""))),
        "_get_height" => derived.height(to).map(|back| drop(derived.set_height(to, back))),
        "kind" => derived.kind(to, Shade::Dark, b"").map(|back| drop(derived.kind(to, back, b""))),
        "moved" => {
            let back = derived.moved(to, Shade::Dark, &mut at, false, b"");
            back.map(|back| drop(derived.moved(to, Shade::Dark, &mut (at ^ back), false, b"")))
        }
        "found" => {
            let back = derived.found(to, 0, &mut at, 0).map(|(back, text)| (back, text.to_vec()));
            back.map(|(back, text)| drop(derived.moved(to, Shade::Dark, &mut at, back, &text)))
        }
        "both" => {
            let back = derived.both(to, 0, 0, 0.0, Shade::Dark);
            back.map(|(back, shade)| drop(derived.moved(to, shade, &mut i64::from(back), false, b"")))
        }
        "busy" => any_raised!(BaseBusyError, base, to, base.busy(to, 0)),
        "empty" => any_raised!(BaseEmptyError, base, to, base.empty(to)),
        "plain" => any_raised!(BasePlainError, base, to, base.plain(to, Shade::Dim, b"")),
        _ => return None,
    })
}
