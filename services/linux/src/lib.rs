//! System calls of Linux.

/// Stubs of the interface `linux.idl`.
pub mod linux {
    include!(concat!(env!("OUT_DIR"), "/linux.rs"));
}
