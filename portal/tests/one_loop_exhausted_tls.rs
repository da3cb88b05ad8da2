//! The test of `exhausted.rs`, with clients of one loop that come over TLS.

#[path = "exhausted.rs"]
mod exhausted;
