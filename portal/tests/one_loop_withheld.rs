//! The tests of `withheld.rs`, with clients of one loop.

#[path = "withheld.rs"]
mod withheld;
