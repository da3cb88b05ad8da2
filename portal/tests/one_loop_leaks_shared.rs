//! The test of `leaks.rs` again, through shared memory, with one loop that serves all clients.

#[path = "leaks.rs"]
mod leaks;
