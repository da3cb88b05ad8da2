//! The test of `stopped.rs`, with clients that come over TLS.

#[path = "stopped.rs"]
mod stopped;
