//! Files that nothing reaches, and folders with nothing in them.
//!
//! A source in Rust is reached from a root of its crate (library, programs, tests, examples, benchmarks, build
//! script) by `mod` declarations, or because another source of its crate names it in a text (`include!`).

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::rust::{code, tokens};
use super::tree::is_data;
use super::{Fault, Tree};

/// Dead files and empty folders.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults: Vec<Fault> = tree.texts().filter_map(|(name, text)| placeholder(name, text)).collect();
    let crates: Vec<Crate<'_>> =
        tree.ending(&["Cargo.toml"]).filter_map(|(file, text)| Crate::new(file, text)).collect();
    let reached: BTreeSet<String> = crates.iter().flat_map(|each| each.reached(tree)).collect();
    for (name, _) in tree.ending(&[".rs"]).filter(|(name, _)| !is_data(name)) {
        let named = || crates.iter().any(|each| each.owns(name) && each.names(tree, name));
        if !reached.contains(name) && !named() {
            let what = "no crate reaches this file: declare it with `mod`, or remove it";
            faults.push(Fault::new(name, 1, "dead", what));
        }
    }
    faults
}

fn placeholder(name: &str, text: &str) -> Option<Fault> {
    let file = name.rsplit('/').next().unwrap_or(name);
    let keeps = matches!(file, ".gitkeep" | ".keep") || (text.trim().is_empty() && !is_data(name));
    keeps.then(|| {
        Fault::new(name, 1, "empty", "a folder or file comes when it has something in it: remove it")
    })
}

struct Crate<'a> {
    /// Ends with a slash, unless it is the root.
    folder: &'a str,
    manifest: Table,
}

impl<'a> Crate<'a> {
    fn new(file: &'a str, text: &str) -> Option<Crate<'a>> {
        let manifest: Table = text.parse().ok()?;
        manifest
            .contains_key("package")
            .then_some(Crate { folder: file.strip_suffix("Cargo.toml")?, manifest })
    }

    fn owns(&self, name: &str) -> bool {
        name.starts_with(self.folder)
    }

    /// Whether a source of this crate names the file `name` in its text.
    fn names(&self, tree: &Tree, name: &str) -> bool {
        let file = name.rsplit('/').next().unwrap_or(name);
        let quoted = [format!("/{file}\""), format!("\"{file}\"")];
        let mut sources = tree.ending(&[".rs"]).filter(|(other, _)| *other != name && self.owns(other));
        sources.any(|(_, text)| quoted.iter().any(|quoted| text.contains(quoted)))
    }

    /// All files that are reached from this crate's roots.
    fn reached(&self, tree: &Tree) -> BTreeSet<String> {
        let explicit = self.explicit_roots();
        let mut open: Vec<String> = tree
            .all()
            .filter(|name| self.is_root(name) || explicit.contains(*name))
            .map(String::from)
            .collect();
        let roots: BTreeSet<String> = open.iter().cloned().collect();
        let mut reached = BTreeSet::new();
        while let Some(name) = open.pop() {
            if !reached.insert(name.clone()) {
                continue;
            }
            if let Some(text) = tree.text(&name) {
                let place = if roots.contains(&name) { Place::Root } else { Place::Module };
                open.extend(modules(&name, text, place).into_iter().filter(|to| tree.has_file(to)));
            }
        }
        reached
    }

    /// Whether Cargo finds `name` by itself.
    fn is_root(&self, name: &str) -> bool {
        let Some(inner) = name.strip_prefix(self.folder) else { return false };
        if matches!(inner, "src/lib.rs" | "src/main.rs" | "build.rs") {
            return true;
        }
        let folders = ["src/bin/", "tests/", "examples/", "benches/"];
        let Some(inner) = folders.iter().find_map(|folder| inner.strip_prefix(folder)) else { return false };
        match inner.split_once('/') {
            None => inner.ends_with(".rs"),
            Some((_, file)) => file == "main.rs",
        }
    }

    /// What the manifest names with `path`.
    fn explicit_roots(&self) -> BTreeSet<String> {
        let path = |target: &Value| Some(format!("{}{}", self.folder, target.get("path")?.as_str()?));
        let lists = ["bin", "test", "example", "bench"];
        let listed = lists.iter().filter_map(|key| self.manifest.get(*key)?.as_array()).flatten();
        listed.chain(self.manifest.get("lib")).filter_map(path).collect()
    }
}

/// Whether a file's modules lie beside it or in a folder of its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Module,
}

/// The files that the `mod` declarations of `text` may mean.
fn modules(name: &str, text: &str, place: Place) -> Vec<String> {
    let (folder, file) = name.rsplit_once('/').map_or(("", name), |(folder, file)| (folder, file));
    let base = if place == Place::Root || file == "mod.rs" {
        folder.to_owned()
    } else {
        join(folder, file.trim_end_matches(".rs"))
    };
    let mut found = Vec::new();
    for declared in declared(text) {
        match declared.path {
            Some(path) => found.push(join(folder, path)),
            None => {
                let path = declared.inside.iter().fold(base.clone(), |base, part| join(&base, part));
                let stem = join(&path, declared.name);
                found.extend([format!("{stem}.rs"), format!("{stem}/mod.rs")]);
            }
        }
    }
    found
}

fn join(folder: &str, name: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// One `mod name;`.
struct Declared<'a> {
    name: &'a str,
    /// From `#[path = "…"]`.
    path: Option<&'a str>,
    /// Names of the modules in braces around it.
    inside: Vec<&'a str>,
}

fn declared(text: &str) -> Vec<Declared<'_>> {
    let code = code(text);
    let tokens = tokens(&code);
    let mut found = Vec::new();
    // For each open brace the name of its module, if it is one.
    let mut braces: Vec<Option<&str>> = Vec::new();
    let mut path = None;
    for (index, (at, token)) in tokens.iter().enumerate() {
        let after = |n: usize| tokens.get(index + n).map_or("", |(_, token)| *token);
        match *token {
            "path" if after(1) == "=" => path = text[*at..].split('"').nth(1),
            "mod" if after(2) == ";" => {
                let (start, length) = (tokens[index + 1].0, after(1).len());
                let inside = braces.iter().flatten().copied().collect();
                found.push(Declared { name: &text[start..start + length], path, inside });
            }
            "{" => braces.push(module_before(text, &tokens[..index])),
            "}" => {
                braces.pop();
            }
            _ => {}
        }
        if matches!(*token, ";" | "{" | "}") {
            path = None;
        }
    }
    found
}

/// `name` if the tokens end with `mod name`.
fn module_before<'a>(text: &'a str, tokens: &[(usize, &str)]) -> Option<&'a str> {
    let [.., (_, "mod"), (at, name)] = tokens else { return None };
    Some(&text[*at..at + name.len()])
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    const MANIFEST: (&str, &str) =
        ("a/Cargo.toml", "[package]\nname = \"a\"\n[[bin]]\npath = \"tool/go.rs\"\n");

    #[test]
    fn what_is_declared_is_reached() {
        let files = [
            MANIFEST,
            ("a/src/lib.rs", "pub mod b;\nmod inner { mod e; }\n#[path = \"odd/f.rs\"]\nmod g;\n"),
            ("a/src/b.rs", "mod c;\nmod d;\n"),
            ("a/src/b/c.rs", "//"),
            ("a/src/b/d/mod.rs", "mod h;"),
            ("a/src/b/d/h.rs", "//"),
            ("a/src/inner/e.rs", "//"),
            ("a/src/odd/f.rs", "//"),
            ("a/src/bin/x.rs", "mod y;"),
            ("a/src/bin/y.rs", "//"),
            ("a/tests/t.rs", "mod shared;\ninclude!(\"gen/table.rs\");"),
            ("a/tests/shared/mod.rs", "//"),
            ("a/tests/gen/table.rs", "//"),
            ("a/tests/golden/out.rs", "//"),
            ("a/examples/e/main.rs", "//"),
            ("a/tool/go.rs", "//"),
            ("a/build.rs", "//"),
        ];
        assert!(places(check, &files).is_empty(), "{:?}", places(check, &files));
    }

    #[test]
    fn what_is_not_declared_is_dead() {
        let files = [
            MANIFEST,
            ("a/src/lib.rs", "// mod b;\nmod c { }\n"),
            ("a/src/b.rs", "//"),
            ("a/src/c.rs", "//"),
            ("a/tests/x/y.rs", "//"),
            ("loose.rs", "//"),
        ];
        let expected = ["a/src/b.rs:1", "a/src/c.rs:1", "a/tests/x/y.rs:1", "loose.rs:1"];
        assert_eq!(places(check, &files), expected);
    }

    #[test]
    fn modules_that_declare_each_other_end() {
        let files = [MANIFEST, ("a/src/lib.rs", "mod b;\n"), ("a/src/b.rs", "#[path = \"b.rs\"] mod b;\n")];
        assert!(places(check, &files).is_empty());
    }

    #[test]
    fn placeholders_are_found() {
        let files = [("docs/.gitkeep", ""), ("docs/a.md", " \n"), ("a/tests/cases/empty.carnet", "")];
        assert_eq!(places(check, &files), ["docs/.gitkeep:1", "docs/a.md:1"]);
    }
}
