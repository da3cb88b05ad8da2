//! Who may promise what the floor relies on.
//!
//! A function of `boundary/` whose safety rests on another module takes a proof. That module's file is named here, and no
//! other may make the proof: so what must be right for all else to be safe can be listed, and is short (`cargo xtask tcb`).

use super::rust::code;
use super::tree::{line_of, words};
use super::{Fault, Tree};

/// What makes a proof, the floor's crate that believes it, and the file that may.
pub(crate) const PROOFS: &[(&str, &str, &str)] =
    &[("of_translation", "boundary/code/", "codegen/src/emit.rs")];

/// Proofs that are made elsewhere, and rows of the table that nobody needs.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (maker, floor, file) in PROOFS {
        let elsewhere = |name: &str| name != *file && !name.starts_with(floor);
        let mut made = false;
        for (name, text) in tree.ending(&[".rs"]).filter(|(name, _)| !name.starts_with(floor)) {
            let code = code(text);
            let mut found = words(&code, maker);
            if elsewhere(name) {
                let what = format!("only {file} may promise this (xtask/src/tidy/proofs.rs)");
                faults.extend(found.map(|at| Fault::new(name, line_of(&code, at), "proof", what.clone())));
            } else {
                made |= found.next().is_some();
            }
        }
        if tree.has_file(file) && !made {
            let what = format!("it makes no proof `{maker}`: take its row out of xtask/src/tidy/proofs.rs");
            faults.push(Fault::new(file, 1, "proof", what));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    #[test]
    fn a_proof_is_made_in_one_file_only() {
        let (_, floor, file) = PROOFS[0];
        let makes = "fn f() {\n    Proof::of_translation();\n}\n";
        let floor = format!("{floor}src/lib.rs");
        assert!(places(check, &[(file, makes), (&floor, makes)]).is_empty());
        assert_eq!(places(check, &[(file, makes), ("a/src/lib.rs", makes)]), ["a/src/lib.rs:2"]);
        assert_eq!(places(check, &[(file, "// Proof::of_translation\n")]), [format!("{file}:1")]);
    }
}
