//! What the main loop in C is, for Rust: messages of one interface's short operations, the table of objects that they are
//! for, and the function that finds object and operation by their numbers.
//!
//! ```text
//! client's stub ── Channel ──► Carry ──► Session: object of this number? ──► Serves: operation of this number?
//!   FSAt           how values            its loop's body                      arguments of their types?
//!                  travel                                                     the service's function
//! ```
//!
//! It sends nothing, starts no thread and waits for nobody. Whoever has a session calls its objects through it, and a loop
//! of yours serves those who are elsewhere with [`Session::answer`], over what you like: it takes a frame of the [message
//! format](crate::wire), and gives the frame that answers it. Frames are those of `carnet.h`, words and data in the same
//! places: a client in C may call what a loop in Rust serves, and the other way round.
//!
//! | channel | the words of a call | its data |
//! | --- | --- | --- |
//! | [`Session`] | registers: up to four of them; or two, and one that goes in and comes back | lent, as address and length |
//! | [`InMemory`] | the session's line, where a message has them | lent, as address and length |
//! | [`Copied`] | as before | copied into the message by the client |
//! | [`Framed`] | a frame | in the frame |
//!
//! ```text
//! Line   caller │ target, operation │ six words: in, inout, out │ data that are sent │ data that come back
//! ```
//! The six words are the argument block of a [short call](carnet_idl::descriptor::Short): an operation's ins, inouts, outs, in the order of their declaration. So
//! word `k` is word `2 + k` of a message in C, whose request and reply share one buffer as they do here.
//!
//! A register holds an integer of 32 bits as well, and says nothing beside it: an operation that has no other values goes from stub to
//! service without a check ([`Carry::few_narrow`]). In a line or a frame its words are held against their types.
//!
//! All of it is safe Rust: no word is taken for an address, and whatever stands in a message is an argument or a failure of
//! the call. A panic of a service ends its call and nothing else.
//!
//! A service works on what goes in and comes back where it lies, in registers at the caller's: after an error it means nothing.
//!
//! Both sides are of one interface: operations go by their numbers, and nobody tells the other which interface these are of, as a
//! session of a server does.
//!
//! What it does not do: portals as parameters, more than six words, `oneway`, and calls by several threads at once. Sessions
//! of a [`Server`](crate::server::Server) do all of that.

mod frame;
mod object;
mod session;
mod way;

pub use frame::{Exchange, Framed};
pub use object::{Kept, ReplyFrom, SentFrom, Serves, carried, keep, unknown_again};
pub use session::{Number, OBJECTS_MAX, Session};
pub use way::{Carry, Channel, Copied, InMemory, call, call_in, call_narrow, call_out, widened};

use crate::call::{Caller, Failure, ShortWords};

/// What an operation returns by value: its first result's word, or 0.
pub type One = Result<i64, Failure>;

/// As [`One`], of an operation without data: its first two.
pub type Two = Result<(i64, i64), Failure>;

/// As [`Two`], of an operation whose values are signed integers of 32 bits.
pub type Narrow = Result<(i32, i32), Failure>;

/// Most bytes of data that are copied into a message.
pub const PIECE_BYTES_MAX: usize = 1 << 16;

/// Who calls what, and with which values: one message, request and then reply.
// The caller stands first: its address is that of the line.
#[repr(C)]
pub struct Line {
    caller: Caller,
    target: u32,
    op: u32,
    words: ShortWords,
    piece: Box<[u8; PIECE_BYTES_MAX]>,
    reply: Vec<u8>,
}

impl Line {
    fn new(caller: Caller) -> Line {
        let piece = Box::new([0; PIECE_BYTES_MAX]);
        Line { caller, target: 0, op: 0, words: ShortWords::default(), piece, reply: Vec::new() }
    }

    /// The words, in the order of the operation's block.
    #[inline(always)]
    pub fn words(&mut self) -> &mut ShortWords {
        &mut self.words
    }

    /// Data that came back, until the next call.
    #[inline(always)]
    #[must_use]
    pub fn reply(&self) -> &[u8] {
        &self.reply
    }
}
