//! The tests of `memory_freed.rs`, with one loop that serves all clients.

#[path = "memory_freed.rs"]
mod memory_freed;
