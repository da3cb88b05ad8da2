//! Programs that the Linux kernel runs.
mod table;
pub use table::table;
