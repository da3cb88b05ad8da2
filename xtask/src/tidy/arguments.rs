//! Arguments for soundness name what would fail if they were wrong.
//!
//! In docs/soundness/, each row of a table with a column *checked by* names at least one test there, as
//! `path.rs::test`. That the test exists is looked at by `commands`.

use super::markdown::{prose, spans};
use super::{Fault, Tree};

/// The heading of the column that names tests.
const COLUMN: &str = "checked by";

/// Rows that name no test.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let documents = tree.ending(&[".md"]).filter(|(name, _)| name.starts_with("docs/soundness/"));
    documents.flat_map(|(name, text)| rows_without(name, text)).collect()
}

fn rows_without(name: &str, text: &str) -> Vec<Fault> {
    let mut column = None;
    let mut faults = Vec::new();
    for (line, content) in prose(text) {
        let cells: Vec<&str> = content.split('|').map(str::trim).collect();
        if !content.starts_with('|') {
            column = None;
        } else if let Some(found) = cells.iter().position(|cell| *cell == COLUMN) {
            column = Some(found);
        } else if let Some(cell) = column.and_then(|at| cells.get(at))
            && !cell.starts_with("---")
            && !spans(cell).1.iter().any(|span| span.contains(".rs::"))
        {
            let what = "no test is named that would fail: name one as `path.rs::test`";
            faults.push(Fault::new(name, line, "argument", what));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    const HEAD: &str = "| surface | argument | checked by |\n| --- | --- | --- |\n";

    fn faults_in(rows: &str) -> Vec<String> {
        places(check, &[("docs/soundness/README.md", &format!("{HEAD}{rows}"))])
    }

    #[test]
    fn a_row_that_names_a_test_passes() {
        assert!(
            faults_in("| frames | they are checked | `portal/tests/wire.rs::x`, and more |\n").is_empty()
        );
    }

    #[test]
    fn a_row_that_names_none_fails() {
        let rows = "| a | `a.rs::b` | tests in `portal/tests/` |\n| c | d | `a.rs::b` |\n| e | f | |\n";
        assert_eq!(faults_in(rows), ["docs/soundness/README.md:3", "docs/soundness/README.md:5"]);
    }

    #[test]
    fn other_tables_and_documents_are_left_alone() {
        assert!(faults_in("\n| word | means |\n| --- | --- |\n| a | b |\n").is_empty());
        assert!(places(check, &[("docs/book/a.md", &format!("{HEAD}| a | b | c |\n"))]).is_empty());
    }
}
