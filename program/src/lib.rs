//! Programs (in work).
pub mod tree;
