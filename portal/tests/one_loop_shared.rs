//! The tests of sessions, calls, entry points, progress, releases and hostile clients
//! again, through shared memory: all of it must be the same if one loop serves all clients.
#![allow(
    clippy::duplicate_mod,
    reason = "each file brings the support that it uses, as when it stands alone"
)]

#[path = "calls.rs"]
mod calls;
#[path = "entry.rs"]
mod entry;
#[path = "hostile.rs"]
mod hostile;
#[path = "memory.rs"]
mod memory;
#[path = "progress.rs"]
mod progress;
#[path = "receipts.rs"]
mod receipts;
#[path = "robbed.rs"]
mod robbed;
#[path = "sessions.rs"]
mod sessions;
#[path = "turns.rs"]
mod turns;
