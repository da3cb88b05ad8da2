//! The test of `stopped.rs`, with clients of one loop that come over TLS.

#[path = "stopped.rs"]
mod stopped;
