//! The test of `leaks_tls.rs` again, over TLS, with one loop that serves all clients.

#[path = "leaks_tls.rs"]
mod leaks_tls;
