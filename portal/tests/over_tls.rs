//! The tests of sessions, calls, entry points, progress and hostile clients again: all of it must be the same over TLS.
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
#[path = "sessions.rs"]
mod sessions;
