//! Trees in bytes: what was written is what is read, and what was changed is refused or keeps all promises.

use carnet_program::compile::compile;
use carnet_program::eval::is_too_deep;
use carnet_program::import::Tables;
use carnet_program::tree::{NotATree, Tree};
use carnet_program::verify::load;

use crate::entropy::Entropy;
use crate::mutate::damage;
use crate::probe::{module, registry};
use crate::{engines, program, steps};

/// A tree and its bytes are the same; only one that is nested too deep for the recursive interpreter is not taken.
///
/// # Panics
/// If they are not.
pub fn check_round_trip(tree: &Tree) {
    let bytes = tree.encode();
    match Tree::decode(&bytes) {
        Ok(again) => {
            assert_eq!(*tree, again, "a tree that was read differs");
            assert!(again.encode() == bytes, "a tree that was read is written otherwise");
        }
        Err(NotATree::TooDeep) => assert!(is_too_deep(tree), "a tree is said to be too deep"),
        Err(error) => panic!("a tree cannot be read: {error}"),
    }
}

/// Reads bytes; a tree is written as it was, compiled, verified, held against its interfaces, and run by all engines. Whether
/// it came so far.
///
/// # Panics
/// If a promise is broken.
pub fn check_bytes(bytes: &[u8], entropy: &mut Entropy<'_>) -> bool {
    steps::add(bytes.len() as u64 / 64);
    let tree = match Tree::decode(bytes) {
        Ok(tree) => tree,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    assert!(tree.encode() == bytes, "a tree is written otherwise than it was read");
    assert!(!is_too_deep(&tree), "a tree that is too deep is taken");
    let Ok(compiled) = compile(&tree) else { return false };
    if load(&compiled.encode(), registry()).is_err() || Tables::adopt(&tree, &[module()]).is_err() {
        return false;
    }
    engines::check_tree(&tree, entropy);
    true
}

/// A generated tree, and changes of its bytes; whether one of them could still be run.
///
/// # Panics
/// If a promise is broken.
pub fn check_damaged(entropy: &mut Entropy<'_>) -> bool {
    let tree = program::program(module(), entropy);
    check_round_trip(&tree);
    let whole = tree.encode();
    (0..16).fold(false, |accepted, _| {
        let mut bytes = whole.clone();
        for _ in 0..1 + entropy.below(3) {
            damage(&mut bytes, entropy);
        }
        check_bytes(&bytes, entropy) | accepted
    })
}
