//! The programs that ship, as source text: for whoever runs them without a file at hand.
//!
//! What each does stands at the head of its file. This crate does not compile or run them; its tests hold each
//! against the ordinary Unix tool, on real trees.
//!
//! | constant | file | like |
//! | --- | --- | --- |
//! | [`COPY_TREE`] | `copy_tree.carnet` | `cp -r` |
//! | [`DISK_USAGE`] | `disk_usage.carnet` | `du --apparent-size` |
//! | [`FIND_DUPLICATES`] | `find_duplicates.carnet` | `sha256sum`, sorted |
//! | [`DELETE_OLD`] | `delete_old.carnet` | `find -name -mtime -delete` |

/// A program that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Name of its file, for messages.
    pub file: &'static str,
    /// Its text.
    pub source: &'static str,
}

macro_rules! shipped {
    ($file:literal) => {
        Shipped { file: $file, source: include_str!(concat!("../", $file)) }
    };
}

/// Copies all directories and regular files below a directory.
pub const COPY_TREE: Shipped = shipped!("copy_tree.carnet");
/// How many bytes and files lie below each entry of a directory.
pub const DISK_USAGE: Shipped = shipped!("disk_usage.carnet");
/// Files that have the same content.
pub const FIND_DUPLICATES: Shipped = shipped!("find_duplicates.carnet");
/// Removes old files by suffix.
pub const DELETE_OLD: Shipped = shipped!("delete_old.carnet");

/// All of them.
pub const ALL: [Shipped; 4] = [COPY_TREE, DISK_USAGE, FIND_DUPLICATES, DELETE_OLD];
