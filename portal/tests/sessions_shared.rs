//! The tests of `sessions.rs`, with clients that share memory with the server.

#[path = "sessions.rs"]
mod sessions;
