//! The test of `exhausted.rs`, with clients of one loop.

#[path = "exhausted.rs"]
mod exhausted;
