//! Calls as frames of the [message format](crate::wire), which a transport of yours carries.
//!
//! ```text
//! client's stub ─► Framed ─ frame ─► Exchange ══ yours ══► a loop of yours ─ frame ─► Session::answer ─► service
//! ```
//! What a frame holds is as hostile as what comes through a socket: each length, reference and number is looked at before it
//! is used, on both sides.

use carnet_idl::descriptor::{Layout, Operation, Short};

use crate::call::{Failure, Kind, ShortWords};
use crate::message::{
    Frame, failure_data, nonsense, read_failure, read_short_reply, read_short_request, short_reply,
    short_request,
};
use crate::stub::Interface;
use crate::wire::{FRAME_BYTES_MAX, Reply, Request, Sections, kind};

use super::object::Serves;
use super::way::{Carry, Channel};
use super::{Line, One, Session, Two};

impl<const OBJECTS: usize> Session<OBJECTS> {
    /// Serves one call that came as a frame: the loop's body for those who are elsewhere. `reply` is the frame that answers it
    /// then, also if the call failed.
    ///
    /// ```
    /// use carnet_portal::call::{Caller, Kind};
    /// use carnet_portal::plain::Session;
    ///
    /// let (mut session, mut reply) = (Session::new(Caller::local()), Vec::new());
    /// assert_eq!(session.answer(b"no frame", &mut reply).unwrap_err().kind(), Kind::Protocol);
    /// ```
    ///
    /// # Errors
    /// [`Kind::Protocol`] if it is no call: whoever sent it knows nothing of frames, and there is nothing to answer.
    pub fn answer(&mut self, request: &[u8], reply: &mut Vec<u8>) -> Result<(), Failure> {
        let header = Request::decode(request).filter(|header| header.kind == kind::CALL);
        let header = header.filter(|header| header.len as usize == request.len()).ok_or_else(no_call)?;
        reply.clear();
        let answer = Reply { len: 0, kind: kind::REPLY, portals: 0, status: 0, call: header.call, raised: 0 };
        let Err(failure) = self.call_of(&header, answer, request, reply) else { return Ok(()) };
        reply.clear();
        let details = failure.details();
        let answer = Reply { status: details.kind as u16, raised: details.raised, ..answer };
        let mut frame = Frame::begin(reply, 0, 0);
        frame.put_copied(failure_data(details));
        let lent = frame.finish_reply(answer, FRAME_BYTES_MAX);
        lent.map(drop).ok_or_else(too_long)
    }

    fn call_of(
        &mut self,
        header: &Request,
        answer: Reply,
        request: &[u8],
        reply: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let layout = self.layout(header)?;
        let short = layout.short.ok_or_else(not_short)?;
        let sections = Sections::of(request.len(), layout.request_words(), 0);
        let sections = sections.filter(|_| header.portals == 0).ok_or_else(too_short)?;
        let (words, piece) = read_short_request(request, sections, layout, short)?;
        let line = self.line_mut();
        line.words = words;
        line.reply.clear();
        let (target, op) = (header.target, u32::from(header.op));
        let results = match short {
            Short::Words => Carry::few_in_line(target, self, op)?,
            Short::In(_) => (Carry::sent_in_line(target, self, op, piece)?, 0),
            Short::Out(_) => (Carry::replied_in_line(target, self, op)?, 0),
            Short::Both(..) => return Err(not_short()),
        };
        let Line { words, reply: out, .. } = self.line_mut();
        for (at, result) in results_of(layout).zip([results.0, results.1]) {
            words[at] = result.cast_unsigned();
        }
        let lent = short_reply(reply, layout, words, out)?.finish_reply(answer, FRAME_BYTES_MAX);
        lent.ok_or_else(too_long)?.put_into(reply);
        Ok(())
    }

    /// That of the operation that is called.
    fn layout(&self, header: &Request) -> Result<&'static Layout, Failure> {
        let object: &dyn Serves = self.object(header.target)?;
        let operation = object.operation(header.op);
        let unknown = || Failure::new(Kind::NoSuchOperation, "the interface has no such operation");
        Ok(&operation.ok_or_else(unknown)?.layout)
    }
}

/// Places of the results that are no data, in the block: up to two.
fn results_of(layout: &Layout) -> impl Iterator<Item = usize> {
    let data = layout.short.and_then(Short::returned);
    (layout.request_words()..layout.words()).filter(move |at| Some(*at) != data).take(2)
}

/// Sends a frame, and waits for the one that answers it.
pub trait Exchange {
    /// `frame` is a call, and then its answer.
    ///
    /// # Errors
    /// [`Kind::Unreachable`] if nothing was sent; [`Kind::PeerDied`], [`Kind::TimedOut`] if no answer came.
    fn exchange(&mut self, frame: &mut Vec<u8>) -> Result<(), Failure>;
}

impl<F: FnMut(&mut Vec<u8>) -> Result<(), Failure>> Exchange for F {
    fn exchange(&mut self, frame: &mut Vec<u8>) -> Result<(), Failure> {
        self(frame)
    }
}

/// Calls that travel as frames.
#[derive(Debug)]
pub struct Framed<E> {
    exchange: E,
    frame: Vec<u8>,
    reply: Vec<u8>,
    calls: u32,
    /// An answer is missing, and may come for another call.
    is_broken: bool,
}

impl<E: Exchange> Framed<E> {
    /// Calls whose frames `exchange` carries.
    #[must_use]
    pub fn new(exchange: E) -> Framed<E> {
        Framed { exchange, frame: Vec::new(), reply: Vec::new(), calls: 0, is_broken: false }
    }

    /// Makes a call; `words` are then those of the reply, too.
    fn made<I: Interface>(
        &mut self,
        target: u32,
        op: u32,
        words: &mut ShortWords,
        piece: &[u8],
    ) -> Result<&'static Layout, Failure> {
        let operation = &I::module().interfaces[I::ID.index()].operations[op as usize];
        let layout = &operation.layout;
        self.calls = self.calls.wrapping_add(1).max(1);
        let header = Request {
            len: 0,
            kind: kind::CALL,
            portals: 0,
            op: u16::try_from(op).unwrap_or(u16::MAX),
            target,
            call: self.calls,
        };
        self.frame.clear();
        let lent = short_request(&mut self.frame, layout, words, piece)?;
        let lent = lent.finish_request(header, FRAME_BYTES_MAX).ok_or_else(too_long)?;
        lent.put_into(&mut self.frame);
        if self.is_broken {
            return Err(Failure::new(Kind::Unreachable, "an answer is missing: nothing is sent any more"));
        }
        let exchanged = self.exchange.exchange(&mut self.frame);
        let is_mine = || Reply::decode(&self.frame).is_some_and(|header| header.call == self.calls);
        self.is_broken = match &exchanged {
            Ok(()) => !is_mine(),
            Err(failure) => failure.kind() != Kind::Unreachable,
        };
        exchanged?;
        self.answered(operation, words)?;
        Ok(layout)
    }

    fn answered(&mut self, operation: &Operation, words: &mut ShortWords) -> Result<(), Failure> {
        let header = Reply::decode(&self.frame).filter(|header| header.kind == kind::REPLY);
        let header = header.ok_or_else(|| nonsense("it is none"))?;
        if header.len as usize != self.frame.len() || header.call != self.calls {
            return Err(nonsense("it is not the answer to this call"));
        }
        if header.status == Kind::Raised as u16 && operation.raises.is_empty() {
            return Err(nonsense("it raises an exception that the operation has not"));
        }
        if header.status != 0 {
            return Err(read_failure(&header, &self.frame));
        }
        if header.portals != 0 {
            return Err(nonsense("it hands portals over"));
        }
        self.reply.clear();
        read_short_reply(&header, &self.frame, &operation.layout, words, &mut self.reply)
    }
}

impl<E: Exchange> Channel for Framed<E> {
    fn call<I: Interface, const N: usize>(
        target: u32,
        channel: &mut Framed<E>,
        op: u32,
        words: [u64; N],
    ) -> Two {
        let mut block = ShortWords::default();
        block.iter_mut().zip(words).for_each(|(to, word)| *to = word);
        let layout = channel.made::<I>(target, op, &mut block, &[])?;
        Ok(first_two(layout, &block))
    }

    fn call_in<I: Interface, const W0: usize, const PLACE: usize, const W1: usize, const PIECE: usize>(
        target: u32,
        channel: &mut Framed<E>,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
        piece: &[u8],
    ) -> One {
        let mut block = ShortWords::default();
        (block[W0], block[W1], block[PLACE]) = (w0, w1, place.cast_unsigned());
        let layout = channel.made::<I>(target, op, &mut block, piece)?;
        *place = block[PLACE].cast_signed();
        Ok(first_two(layout, &block).0)
    }

    fn call_out<I: Interface, const W0: usize, const PLACE: usize, const W1: usize>(
        target: u32,
        channel: &mut Framed<E>,
        op: u32,
        w0: u64,
        place: &mut i64,
        w1: u64,
    ) -> One {
        // Without a piece that one looks for no place of it.
        Self::call_in::<I, W0, PLACE, W1, 0>(target, channel, op, w0, place, w1, &[])
    }

    fn reply(&self) -> &[u8] {
        &self.reply
    }
}

fn first_two(layout: &Layout, block: &ShortWords) -> (i64, i64) {
    let mut results = results_of(layout).map(|at| block[at].cast_signed());
    (results.next().unwrap_or(0), results.next().unwrap_or(0))
}

#[cold]
fn no_call() -> Failure {
    Failure::new(Kind::Protocol, "a frame that is no call")
}

#[cold]
fn not_short() -> Failure {
    Failure::new(
        Kind::Refused,
        "a plain session has no operations with portals, lists, data both ways, or more than a few words",
    )
}

#[cold]
fn too_short() -> Failure {
    Failure::bad_argument("a message that is not as long as its operation says")
}

#[cold]
fn too_long() -> Failure {
    Failure::bad_argument("a message that is longer than a frame may be")
}
