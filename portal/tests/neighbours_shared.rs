//! The test of `neighbours.rs`, with clients that share memory with the server.

#[path = "neighbours.rs"]
mod neighbours;
