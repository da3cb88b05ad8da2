//! The tests of `calls.rs`, with clients that share memory with the server.

#[path = "calls.rs"]
mod calls;
