//! The test of `neighbours.rs`, with clients of one loop that share memory with it.

#[path = "neighbours.rs"]
mod neighbours;
