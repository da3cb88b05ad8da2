//! The test of `stopped.rs`, with clients of one loop.

#[path = "stopped.rs"]
mod stopped;
