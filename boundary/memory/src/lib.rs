//! Memory that two processes share, made safe to use against a peer that writes to it at any moment.
//!
//! ```text
//! Segment::create ── sealed memfd ── pass::send ══ Unix socket ══► pass::receive ── Segment::accept (seals, length)
//!      └── Mapping::new                                                                  └── Mapping::new
//! Segment::of, Draft::seal ── sealed for good ══════════════════════════► Segment::accept ── Content::new, &[u8]
//! ```
//!
//! | file | what it is | unsafe |
//! | --- | --- | --- |
//! | `segment` | memory files whose size cannot change, made here or checked | none |
//! | `mapping` | a mapped segment, or file of this process's own: atomics and raw copies, never a slice | nearly all of it |
//! | `content` | a mapped segment that nobody can change: plain bytes; and what becomes one | the rest of it |
//! | `pass` | memory files over a Unix socket, and nothing else; bytes behind those of a vector | a system call, the vector's new length |
//!
//! It knows no layout: what the bytes mean, and that none of them is believed, is the business of its users.
//! It is part of the floor: the only code that may be unsafe, each time with its argument beside it.

mod content;
mod mapping;
pub mod pass;
mod segment;

pub use content::{Content, Draft};
pub use mapping::Mapping;
pub use segment::{Offered, Refused, Sealed, Segment, bytes_behind};
