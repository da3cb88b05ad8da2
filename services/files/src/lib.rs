//! The files service (in work).

/// Stubs of the interface `files.idl`.
pub mod files {
    include!(concat!(env!("OUT_DIR"), "/files.rs"));
}
