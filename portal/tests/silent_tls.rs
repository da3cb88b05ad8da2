//! The test of `silent.rs`, over TLS.

#[path = "silent.rs"]
mod silent;
