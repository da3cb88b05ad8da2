//! The test of `neighbours.rs`, with clients that come over TLS.

#[path = "neighbours.rs"]
mod neighbours;
