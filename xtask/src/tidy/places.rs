//! Names of places that must not stand in the repository: folders of one person's machine, and hosts that
//! packages come from (a mirror or a proxy may stand in for them; clients know where to look).

use super::{Fault, Tree};

/// Cargo writes hosts into its lock file.
const EXCEPT: [&str; 1] = ["Cargo.lock"];

/// Built of pieces, so that this file does not match itself.
fn folders() -> Vec<String> {
    ["work", "root", "home"].iter().map(|name| format!("/{name}/")).collect()
}

/// Built of pieces, as above.
fn hosts() -> Vec<String> {
    [
        ("crates", "io"),
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("proxy.golang", "org"),
        ("maven.apache", "org"),
        ("maven", "org"),
        ("deb.debian", "org"),
    ]
    .iter()
    .map(|(name, end)| format!("{name}.{end}"))
    .collect()
}

/// Lines that name such a place.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let (folders, hosts) = (folders(), hosts());
    let mut faults = Vec::new();
    for (name, text) in tree.texts() {
        if EXCEPT.iter().any(|end| name.rsplit('/').next() == Some(end)) {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            let found = folders.iter().find(|folder| begins_path(line, folder));
            let found = found.or_else(|| hosts.iter().find(|host| line.contains(host.as_str())));
            if let Some(place) = found {
                let what = format!("`{place}` names a place outside of the repository: say it without");
                faults.push(Fault::new(name, index + 1, "place", what));
            }
        }
    }
    faults
}

/// Whether `folder` stands in `line` as the beginning of a path, not in the middle of one.
fn begins_path(line: &str, folder: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '/' | '*' | '}');
    line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(inner))
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    #[test]
    fn such_places_are_found_and_others_are_not() {
        let text = format!(
            "see {}x\nsee docs{}x\nat https://{}/a\nlib/home/x\n",
            folders()[0],
            folders()[0],
            hosts()[0]
        );
        assert_eq!(places(check, &[("a.txt", &text), ("b/Cargo.lock", &text)]), ["a.txt:1", "a.txt:3"]);
    }

    #[test]
    fn this_file_does_not_match_itself() {
        assert!(places(check, &[("places.rs", include_str!("places.rs"))]).is_empty());
    }
}
