//! The test of `leaks.rs` again, with one loop that serves all clients.

#[path = "leaks.rs"]
mod leaks;
