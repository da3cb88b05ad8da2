//! Simulated links and faults, for the tests and demonstrations of every part.
//!
//! Nothing here is needed to run Carnet, and nothing needs privileges: a relay is a process's own socket in front of
//! another's.
//!
//! ```text
//! client ══ socket ══ Relay ══ socket ══ server      Unix sockets, or TCP within this machine
//!                           │  delays each direction by half of the round-trip time
//!                           │  counts bytes and round trips
//!                           └  cuts, stalls, flips a bit ([`Fault`])
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Relay`], [`RelayOptions`], [`Counts`] | a link with a round-trip time that counts what crosses it |
//! | [`Fault`], [`Direction`] | what goes wrong on it, at an exact byte |
//! | [`DyingPeer`], [`Step`] | a server that follows a script and dies |
//!
//! What it does not do: bandwidth is not limited, and bytes are neither lost nor reordered, since a stream does neither.

mod link;
mod peer;
mod relay;
mod stream;

pub use link::{Direction, Fault};
pub use peer::{DyingPeer, Step};
pub use relay::{Counts, Relay, RelayOptions};
