//! Trees in files, for programs that are made now and sent later.
//!
//! ```text
//! magic 12 bytes, length of the tree u32 (little-endian), SHA-256 of the tree 32 bytes, tree
//! ```
//!
//! The hash is against accidents: that a file is what it was when it was written. Whoever edits a file on purpose can hash it
//! anew, and its tree is held against the rules of trees like one that came from anywhere.

use super::{NotATree, Tree, VERSION};

/// First bytes of every file.
pub const FILE_MAGIC: [u8; 12] = *b"carnet-tree\n";

const LENGTH_AT: usize = FILE_MAGIC.len();
const HASH_AT: usize = LENGTH_AT + 4;
const TREE_AT: usize = HASH_AT + 32;

/// Why a file has no tree that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATreeFile {
    /// It does not begin as such a file does.
    #[error("it is no file with a tree")]
    Magic,
    /// It is shorter than it was.
    #[error("it is cut off: it has {found} bytes of {expected}")]
    Cut {
        /// Bytes that are there.
        found: usize,
        /// Bytes that there were, or must be at least.
        expected: usize,
    },
    /// It is longer than it was, or has other bytes.
    #[error("it was changed since it was written: its contents do not match its hash")]
    Changed,
    /// What it has is no tree.
    #[error(transparent)]
    NotATree(#[from] NotATree),
}

impl Tree {
    /// Writes the tree as a file has it.
    #[must_use]
    pub fn to_file(&self) -> Vec<u8> {
        let tree = self.encode();
        let mut bytes = Vec::with_capacity(TREE_AT + tree.len());
        bytes.extend_from_slice(&FILE_MAGIC);
        bytes.extend_from_slice(&u32::try_from(tree.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend_from_slice(&crate::bill::hash(&tree));
        bytes.extend_from_slice(&tree);
        bytes
    }

    /// Reads what a file has.
    ///
    /// # Errors
    /// [`NotATreeFile`].
    pub fn of_file(bytes: &[u8]) -> Result<Tree, NotATreeFile> {
        let found = bytes.len();
        if !bytes.starts_with(&FILE_MAGIC) {
            return Err(match FILE_MAGIC.starts_with(bytes) {
                true => NotATreeFile::Cut { found, expected: TREE_AT },
                false => NotATreeFile::Magic,
            });
        }
        let Some((head, tree)) = bytes.split_at_checked(TREE_AT) else {
            return Err(NotATreeFile::Cut { found, expected: TREE_AT });
        };
        // Another version may be of another form.
        match tree.get(super::MAGIC.len()) {
            Some(&version) if tree.starts_with(&super::MAGIC) && version != VERSION => {
                return Err(NotATree::Version(version).into());
            }
            _ => {}
        }
        let (length, hash) = head[LENGTH_AT..].split_at(HASH_AT - LENGTH_AT);
        let length = length.first_chunk().map_or(0, |length| u32::from_le_bytes(*length) as usize);
        if tree.len() < length {
            return Err(NotATreeFile::Cut { found, expected: TREE_AT + length });
        }
        if tree.len() != length || crate::bill::hash(tree) != *hash {
            return Err(NotATreeFile::Changed);
        }
        Ok(Tree::decode(tree)?)
    }
}
