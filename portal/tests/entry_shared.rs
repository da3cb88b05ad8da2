//! The tests of `entry.rs`, with clients that share memory with the server.

#[path = "entry.rs"]
mod entry;
