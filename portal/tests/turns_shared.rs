//! The tests of `turns.rs`, with clients that share memory with the server.

#[path = "turns.rs"]
mod turns;
