//! The test of `exhausted.rs`, with clients that come over TLS.

#[path = "exhausted.rs"]
mod exhausted;
