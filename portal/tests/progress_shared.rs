//! The tests of `progress.rs`, with clients that share memory with the server.

#[path = "progress.rs"]
mod progress;
