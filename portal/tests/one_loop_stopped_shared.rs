//! The test of `stopped.rs`, with clients that share memory with one loop.

#[path = "stopped.rs"]
mod stopped;
