//! The tests of `receipts.rs`, with clients that share memory with the server.

#[path = "receipts.rs"]
mod receipts;
