//! Programs (in work).
pub mod bytecode;
pub mod compile;
pub mod interp;
pub mod limits;
pub mod tree;
pub mod verify;
