//! The tests of sessions, calls, ends that panic, entry points, progress, releases, hostile and dying peers, shared memory, and doors
//! again: all of it must be the same if one loop serves all clients.
#![allow(
    clippy::duplicate_mod,
    reason = "each file brings the support that it uses, as when it stands alone"
)]

#[path = "brittle.rs"]
mod brittle;
#[path = "calls.rs"]
mod calls;
#[path = "death.rs"]
mod death;
#[path = "door.rs"]
mod door;
#[path = "entry.rs"]
mod entry;
#[path = "hostile.rs"]
mod hostile;
#[path = "lingering.rs"]
mod lingering;
#[path = "memory.rs"]
mod memory;
#[path = "memory_hostile.rs"]
mod memory_hostile;
#[path = "progress.rs"]
mod progress;
#[path = "receipts.rs"]
mod receipts;
#[path = "sessions.rs"]
mod sessions;
#[path = "shared_memory.rs"]
mod shared_memory;
#[path = "turns.rs"]
mod turns;
