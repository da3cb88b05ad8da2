//! The test of `stopped.rs`, with clients that share memory with the server.

#[path = "stopped.rs"]
mod stopped;
