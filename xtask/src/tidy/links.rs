//! Links of the documents: files of the repository that are linked are there, and so are their anchors.

use super::markdown::{anchors, prose, spans, targets};
use super::{Fault, Tree};

/// Links that lead nowhere.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, text) in tree.ending(&[".md"]) {
        for (line, content) in prose(text) {
            let (plain, _) = spans(content);
            for target in targets(&plain) {
                faults.extend(fault(tree, name, target).map(|what| Fault::new(name, line, "link", what)));
            }
        }
    }
    faults
}

fn fault(tree: &Tree, from: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let Some(path) = resolve(from, path) else {
        return Some(format!("`{target}` leaves the repository: link to something in it"));
    };
    if !tree.has(&path) {
        return Some(format!("`{target}` is not there (looked for `{path}`): mend the link or add the file"));
    }
    let anchor = anchor?;
    if !path.ends_with(".md") || anchors(tree.text(&path)?).iter().any(|found| found == anchor) {
        return None;
    }
    Some(format!("`{path}` has no heading for `#{anchor}`: mend the anchor"))
}

/// The path from the root of what `target` names in the document `from`; `None` if that is outside.
fn resolve(from: &str, target: &str) -> Option<String> {
    if target.is_empty() {
        return Some(from.to_owned());
    }
    let mut parts: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => from.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev().collect(),
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    #[test]
    fn links_to_what_is_there_pass() {
        let files = [
            (
                "README.md",
                "[a](docs/a.md#one-two) [d](docs) [w](https://a.b/c) [self](#here) `[x](y)`\n# Here\n",
            ),
            ("docs/a.md", "# One two\n[up](../README.md) [root](/README.md)\n"),
        ];
        assert!(places(check, &files).is_empty());
    }

    #[test]
    fn links_to_nothing_fail() {
        let files = [
            ("README.md", "\n[a](docs/b.md)\n[a](docs/a.md#two)\n[o](../other)\n"),
            ("docs/a.md", "# One\n[r](README.md)\n"),
        ];
        let expected = ["README.md:2", "README.md:3", "README.md:4", "docs/a.md:2"];
        assert_eq!(places(check, &files), expected);
    }
}
