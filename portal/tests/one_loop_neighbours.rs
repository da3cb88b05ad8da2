//! The test of `neighbours.rs`, with clients of one loop.

#[path = "neighbours.rs"]
mod neighbours;
