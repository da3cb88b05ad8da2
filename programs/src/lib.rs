//! The programs that ship, as source text: for whoever runs them without a file at hand.
//!
//! What each does stands at the head of its file. This crate does not compile or run them; its tests hold each
//! against the ordinary way to do the same: for files the Unix tool, on real trees.
//!
//! | constant | file | like |
//! | --- | --- | --- |
//! | [`COPY_TREE`] | `copy_tree.carnet` | `cp -r` |
//! | [`DISK_USAGE`] | `disk_usage.carnet` | `du --apparent-size` |
//! | [`FIND_DUPLICATES`] | `find_duplicates.carnet` | `sha256sum`, sorted |
//! | [`DELETE_OLD`] | `delete_old.carnet` | `find -name -mtime -delete` |
//!
//! Those for the key-value service are held against the same done by single calls:
//!
//! | constant | file | like |
//! | --- | --- | --- |
//! | [`BUMP_ALL`] | `bump_all.carnet` | a number read and written for each key |
//! | [`MOVE_PREFIX`] | `move_prefix.carnet` | a value read and written, and its old key deleted, for each key |
//! | [`EXPIRE`] | `expire.carnet` | a list, and a key deleted for each old entry |
//! | [`COUNT_BY_PREFIX`] | `count_by_prefix.carnet` | a list of all keys, counted by the client |

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

/// Adds to every number of a store.
pub const BUMP_ALL: Shipped = shipped!("bump_all.carnet");
/// Renames all keys of a prefix.
pub const MOVE_PREFIX: Shipped = shipped!("move_prefix.carnet");
/// Deletes keys that were not written for long.
pub const EXPIRE: Shipped = shipped!("expire.carnet");
/// How many keys and bytes each prefix has.
pub const COUNT_BY_PREFIX: Shipped = shipped!("count_by_prefix.carnet");

/// All of them.
pub const ALL: [Shipped; 8] =
    [COPY_TREE, DISK_USAGE, FIND_DUPLICATES, DELETE_OLD, BUMP_ALL, MOVE_PREFIX, EXPIRE, COUNT_BY_PREFIX];
