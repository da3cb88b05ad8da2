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
//!
//! Those for the issue tracker as well:
//!
//! | constant | file | like |
//! | --- | --- | --- |
//! | [`FILE_ISSUE`] | `file_issue.carnet` | an issue created, labelled and assigned |
//! | [`CLOSE_STALE`] | `close_stale.carnet` | an issue closed, labelled and commented on for each that is old |
//! | [`TRIAGE`] | `triage.carnet` | the labels of each issue read, and one added |
//! | [`RELABEL`] | `relabel.carnet` | a label added and one removed for each issue of a listing |
//! | [`OPEN_BY_ASSIGNEE`] | `open_by_assignee.carnet` | a list of all open issues, counted by the client |
//! | [`DIGEST`] | `digest.carnet` | the comments of each issue that changed, counted by the client |
//!
//! Those for Linux calls are held against real files and sockets:
//!
//! | constant | file | like |
//! | --- | --- | --- |
//! | [`FILE_COPY`] | `file_copy.carnet` | `cp` |
//! | [`SEND_TCP`] | `send_tcp.carnet` | a connection that sends the same again and again |
//! | [`ASK_TCP`], [`ANSWER_TCP`] | `ask_tcp.carnet`, `answer_tcp.carnet` | a request and its answer, and who gives it |
//! | [`ASK_UDP`], [`ANSWER_UDP`] | `ask_udp.carnet`, `answer_udp.carnet` | the same by datagrams |
//! | [`BROADCAST_TCP`], [`BROADCAST_UDP`] | `broadcast_tcp.carnet`, `broadcast_udp.carnet` | the same sent to many |

/// A program that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Name of its file, for messages.
    pub file: &'static str,
    /// Its text.
    pub source: &'static str,
}

impl Shipped {
    /// The name by which it is asked for: that of its file, without what is behind the dot.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.file.split('.').next().unwrap_or(self.file)
    }
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

/// Creates an issue with all that belongs to it.
pub const FILE_ISSUE: Shipped = shipped!("file_issue.carnet");
/// Closes issues that nobody has touched for long.
pub const CLOSE_STALE: Shipped = shipped!("close_stale.carnet");
/// Labels issues by words in their titles.
pub const TRIAGE: Shipped = shipped!("triage.carnet");
/// Gives all issues of a label another one.
pub const RELABEL: Shipped = shipped!("relabel.carnet");
/// Who has how many open issues.
pub const OPEN_BY_ASSIGNEE: Shipped = shipped!("open_by_assignee.carnet");
/// Issues that changed, with their comments.
pub const DIGEST: Shipped = shipped!("digest.carnet");

/// Copies a file by system calls.
pub const FILE_COPY: Shipped = shipped!("file_copy.carnet");
/// Connects, sends in a loop, closes.
pub const SEND_TCP: Shipped = shipped!("send_tcp.carnet");
/// A request over TCP, and its answer.
pub const ASK_TCP: Shipped = shipped!("ask_tcp.carnet");
/// Listens, and answers clients over TCP.
pub const ANSWER_TCP: Shipped = shipped!("answer_tcp.carnet");
/// A datagram, and the one that answers it.
pub const ASK_UDP: Shipped = shipped!("ask_udp.carnet");
/// Answers datagrams.
pub const ANSWER_UDP: Shipped = shipped!("answer_udp.carnet");
/// Connects to many, and sends each the same.
pub const BROADCAST_TCP: Shipped = shipped!("broadcast_tcp.carnet");
/// A datagram to many.
pub const BROADCAST_UDP: Shipped = shipped!("broadcast_udp.carnet");

/// All of them.
pub const ALL: [Shipped; 22] = [
    COPY_TREE,
    DISK_USAGE,
    FIND_DUPLICATES,
    DELETE_OLD,
    BUMP_ALL,
    MOVE_PREFIX,
    EXPIRE,
    COUNT_BY_PREFIX,
    FILE_ISSUE,
    CLOSE_STALE,
    TRIAGE,
    RELABEL,
    OPEN_BY_ASSIGNEE,
    DIGEST,
    FILE_COPY,
    SEND_TCP,
    ASK_TCP,
    ANSWER_TCP,
    ASK_UDP,
    ANSWER_UDP,
    BROADCAST_TCP,
    BROADCAST_UDP,
];
