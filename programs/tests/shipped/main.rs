//! The shipped programs against the ordinary way: Unix tools, on real trees with all kinds of awkward names, and single calls.
//!
//! Each program runs beside a real service, over a real Unix socket. What the tools answer is the truth;
//! they are coreutils, findutils and diffutils, which every Debian has: a missing one fails the test.

mod alike;
mod copy_tree;
mod delete_old;
mod disk_usage;
mod find_duplicates;
mod interrupted;
mod issues;
mod keys;
mod served;
mod tree;
