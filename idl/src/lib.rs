//! The interface compiler (in work).
pub mod descriptor;
pub mod diagnostic;
