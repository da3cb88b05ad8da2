//! The test of `neighbours.rs`, with clients of one loop that come over TLS.

#[path = "neighbours.rs"]
mod neighbours;
