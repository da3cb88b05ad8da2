//! The test of `leaks.rs`, with clients that share memory with the server.

#[path = "leaks.rs"]
mod leaks;
