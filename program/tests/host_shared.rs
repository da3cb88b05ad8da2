//! The tests of `host` again, with clients that share memory with the server.

#[path = "host/main.rs"]
mod host;
