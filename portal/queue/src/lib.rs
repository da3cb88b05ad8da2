//! Two queues of frames in memory that two processes share, one each way, and sleeping until something comes.
//!
//! ```text
//! client                      shared memory                         server
//! Sender ── frames ──► ring of 64-byte lines ──────────────► Receiver
//! Receiver ◄────────── ring of 64-byte lines ◄── frames ──── Sender
//! Bell ◄──────────────── "there is something for you" ─────► Bell
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `layout` | every byte that is shared, and the rules for it: the file is the specification |
//! | `memory` | what the queues need of memory, so that a model checker can stand in for it |
//! | `sender`, `receiver` | the two ends of a ring |
//! | `bell` | sleeping and waking without a lost wake-up |
//! | `bells` | sleeping on the bells of several at once |
//! | `end` | one side of the whole: what a transport uses |
//!
//! Neither side believes the other: each keeps its own position in its own memory, and what it reads of the other's is
//! compared with its own before it is used. A side that breaks the rules is [`Broken`], and harms itself alone. It
//! knows nothing of what frames mean, but for their length; it opens no connection and has no time-outs of its own
//! (that is the transport's work).

mod bell;
mod bells;
mod end;
pub mod layout;
mod memory;
mod receiver;
mod sender;

pub use bells::{BELLS_MAX, Bell, can_sleep_on_several, sleep_on_several};
pub use end::{End, Wanted};
pub use memory::{Memory, Slept};

/// The other side broke the rules of the queue; nothing that it says can be used any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;
