//! Programs (in work).
pub mod bytecode;
pub mod compile;
pub mod tree;
pub mod verify;
