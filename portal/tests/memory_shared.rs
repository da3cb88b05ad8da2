//! The tests of `memory.rs`, with clients that share memory with the server.

#[path = "memory.rs"]
mod memory;
