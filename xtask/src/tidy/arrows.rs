//! Direction of dependencies between our crates, and the lints that all of them inherit.
//!
//! Dependencies for tests (`[dev-dependencies]`) may point anywhere: nobody who uses a crate gets them.

use toml::{Table, Value};

use super::{Fault, Tree};

/// Our crates, from the bottom up, each with those that it may depend on. Since a row names rows above it
/// only, there are no cycles. Only benchmarks and `xtask` stand below `carnet-bench`.
const ARROWS: &[(&str, &[&str])] = &[
    ("carnet-memory", &[]),
    ("carnet-code", &[]),
    ("carnet-peer", &[]),
    ("carnet-paging", &["carnet-memory", "carnet-peer"]),
    ("carnet-syscalls", &[]),
    ("carnet-sandbox", &[]),
    ("carnet-idl", &[]),
    ("carnet-queue", &["carnet-memory"]),
    ("carnet-portal", &["carnet-memory", "carnet-peer", "carnet-code", "carnet-idl", "carnet-queue"]),
    ("carnet-program", &["carnet-memory", "carnet-code", "carnet-idl", "carnet-portal"]),
    ("carnet-codegen", &["carnet-code", "carnet-program"]),
    ("carnet-classes", &[]),
    ("carnet-runtime", &["carnet-classes"]),
    ("carnet-applet", &[]),
    ("carnet-files", &["carnet-idl", "carnet-portal"]),
    ("carnet-database", &[]),
    ("carnet-kv", &["carnet-idl", "carnet-portal", "carnet-database"]),
    ("carnet-tracker", &["carnet-idl", "carnet-portal", "carnet-database"]),
    ("carnet-bank", &["carnet-idl", "carnet-portal", "carnet-paging"]),
    ("carnet-linux", &["carnet-idl", "carnet-portal", "carnet-program", "carnet-syscalls", "carnet-sandbox"]),
    ("carnet-device", &["carnet-syscalls"]),
    (
        "carnet-kernel",
        &[
            "carnet-device",
            "carnet-syscalls",
            "carnet-idl",
            "carnet-portal",
            "carnet-program",
            "carnet-linux",
        ],
    ),
    (
        "carnet-kernel-bed",
        &["carnet-idl", "carnet-portal", "carnet-program", "carnet-linux", "carnet-kernel"],
    ),
    ("carnet-programs", &[]),
    ("carnet-example-counter", &["carnet-idl", "carnet-portal", "carnet-program"]),
    ("carnet-sim", &[]),
    (
        "carnet",
        &[
            "carnet-idl",
            "carnet-portal",
            "carnet-program",
            "carnet-codegen",
            "carnet-classes",
            "carnet-runtime",
            "carnet-files",
            "carnet-kv",
            "carnet-tracker",
            "carnet-bank",
            "carnet-linux",
            "carnet-kernel",
            "carnet-programs",
        ],
    ),
    (
        "carnet-fuzz",
        &[
            "carnet-idl",
            "carnet-portal",
            "carnet-program",
            "carnet-codegen",
            "carnet-classes",
            "carnet-runtime",
            "carnet-applet",
            "carnet-files",
            "carnet-kernel-bed",
            "carnet-linux",
            "carnet-sim",
        ],
    ),
    ("carnet-bench-reread", &["carnet-idl", "carnet-portal"]),
    (
        "carnet-bench",
        &[
            "carnet-bench-reread",
            "carnet-memory",
            "carnet-paging",
            "carnet-idl",
            "carnet-queue",
            "carnet-portal",
            "carnet-program",
            "carnet-codegen",
            "carnet-classes",
            "carnet-runtime",
            "carnet-applet",
            "carnet-files",
            "carnet-kv",
            "carnet-bank",
            "carnet-linux",
            "carnet-programs",
            "carnet-sim",
            "carnet-fuzz",
        ],
    ),
    ("carnet-bench-stubs", &["carnet-idl", "carnet-portal", "carnet-program"]),
    ("xtask", &[]),
];

/// Arrows against the table, each with its reason.
const EXCEPTIONS: &[(&str, &str, &str)] =
    &[("carnet", "carnet-sim", "the demo puts a slow link between client and server")];

/// Workspaces of their own: rivals use what is measured, fuzz targets a fuzzer's run-time.
const APART: [&str; 2] = ["bench/rivals/", FUZZ_TARGETS];

/// Its crate holds nothing but calls of the fuzzer's macro, which exports a symbol and so cannot forbid what is unsafe.
const FUZZ_TARGETS: &str = "fuzz/targets/";

/// Dependencies that point up, crates that the table does not know, and crates without our lints.
pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (file, text) in tree.ending(&["Cargo.toml"]) {
        match text.parse::<Table>() {
            Ok(manifest) if manifest.contains_key("package") => {
                if !APART.iter().any(|folder| file.starts_with(folder)) {
                    faults.extend(arrows(file, text, &manifest));
                }
                faults.extend(lints(tree, file, &manifest));
            }
            Ok(_) => {}
            Err(error) => faults.push(Fault::new(file, 1, "arrow", error.message())),
        }
    }
    faults
}

fn arrows(file: &str, text: &str, manifest: &Table) -> Vec<Fault> {
    let name = manifest["package"].get("name").and_then(Value::as_str).unwrap_or_default();
    let Some((_, allowed)) = ARROWS.iter().find(|(row, _)| *row == name) else {
        let what = format!("`{name}` is not in the table of xtask/src/tidy/arrows.rs: add its row");
        return vec![Fault::new(file, 1, "arrow", what)];
    };
    let ours = |to: &&String| ARROWS.iter().any(|(row, _)| *row == to.as_str());
    let excepted = |to: &str| EXCEPTIONS.iter().any(|(from, other, _)| *from == name && *other == to);
    dependencies(manifest)
        .into_iter()
        .filter(ours)
        .filter(|to| !allowed.contains(&to.as_str()) && !excepted(to))
        .map(|to| {
            let what = format!("`{name}` may not depend on `{to}`: dependencies point down (tidy/arrows.rs)");
            Fault::new(file, line_of_key(text, to), "arrow", what)
        })
        .collect()
}

/// Names under `[dependencies]` and `[build-dependencies]`, those of single targets included.
fn dependencies(manifest: &Table) -> Vec<&String> {
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let tables = std::iter::once(manifest).chain(targets.filter_map(|(_, target)| target.as_table()));
    tables
        .flat_map(|table| ["dependencies", "build-dependencies"].map(|key| table.get(key)))
        .flatten()
        .filter_map(Value::as_table)
        .flat_map(Table::keys)
        .collect()
}

fn line_of_key(text: &str, key: &str) -> usize {
    text.lines().position(|line| line.starts_with(key)).map_or(1, |index| index + 1)
}

/// A crate inherits the workspace's lints, and these forbid unsafe code. One of the floor has lints of its own, which
/// ask for an argument beside each piece of it.
fn lints(tree: &Tree, file: &str, manifest: &Table) -> Option<Fault> {
    if file.starts_with("boundary/") {
        return floor_lints(file, manifest);
    }
    let inherits =
        manifest.get("lints").and_then(|lints| lints.get("workspace")) == Some(&Value::Boolean(true));
    if !inherits {
        return Some(Fault::new(
            file,
            1,
            "lints",
            "the workspace's lints are not inherited: add `[lints] workspace = true`",
        ));
    }
    if file.starts_with(FUZZ_TARGETS) {
        return None;
    }
    let (root, workspace) = workspace_of(tree, file, manifest)?;
    let forbidden =
        workspace.get("workspace").and_then(|table| table.get("lints")?.get("rust")?.get("unsafe_code"));
    if forbidden.and_then(Value::as_str) == Some("forbid") {
        return None;
    }
    Some(Fault::new(&root, 1, "lints", "`[workspace.lints.rust]` lacks `unsafe_code = \"forbid\"`"))
}

fn floor_lints(file: &str, manifest: &Table) -> Option<Fault> {
    let level = |group: &str, lint: &str| manifest.get("lints")?.get(group)?.get(lint)?.as_str();
    let wanted = [("rust", "unsafe_op_in_unsafe_fn"), ("clippy", "undocumented_unsafe_blocks")];
    let (group, lint) = wanted.into_iter().find(|(group, lint)| level(group, lint) != Some("deny"))?;
    Some(Fault::new(file, 1, "lints", format!("`[lints.{group}]` lacks `{lint} = \"deny\"`")))
}

/// The nearest manifest above `file`, or itself, that is a workspace.
fn workspace_of(tree: &Tree, file: &str, manifest: &Table) -> Option<(String, Table)> {
    if manifest.contains_key("workspace") {
        return Some((file.to_owned(), manifest.clone()));
    }
    let mut folder = file.strip_suffix("Cargo.toml")?.trim_end_matches('/');
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        let above = if folder.is_empty() { "Cargo.toml".to_owned() } else { format!("{folder}/Cargo.toml") };
        let table = tree.text(&above).and_then(|text| text.parse::<Table>().ok());
        if let Some(table) = table.filter(|table| table.contains_key("workspace")) {
            return Some((above, table));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::testing::places;
    use super::*;

    const ROOT: (&str, &str) =
        ("Cargo.toml", "[workspace]\nmembers = []\n[workspace.lints.rust]\nunsafe_code = \"forbid\"\n");

    fn manifest(name: &str, rest: &str) -> String {
        format!("[package]\nname = \"{name}\"\n[lints]\nworkspace = true\n{rest}\n")
    }

    #[test]
    fn rows_name_rows_above_them_only() {
        for (index, (name, allowed)) in ARROWS.iter().enumerate() {
            for to in *allowed {
                assert!(ARROWS[..index].iter().any(|(row, _)| row == to), "{name} -> {to}");
            }
        }
    }

    #[test]
    fn arrows_down_pass_and_arrows_up_fail() {
        let down = manifest("carnet-portal", "[dependencies]\ncarnet-idl.workspace = true\nsha2 = \"1\"");
        assert!(places(check, &[ROOT, ("portal/Cargo.toml", &down)]).is_empty());
        let up = manifest("carnet-portal", "[dependencies]\nsha2 = \"1\"\ncarnet-program = \"1\"");
        assert_eq!(places(check, &[ROOT, ("portal/Cargo.toml", &up)]), ["portal/Cargo.toml:7"]);
        let build = manifest("carnet-idl", "[target.x.build-dependencies]\ncarnet-portal = \"1\"");
        assert_eq!(places(check, &[ROOT, ("idl/Cargo.toml", &build)]), ["idl/Cargo.toml:6"]);
    }

    #[test]
    fn tests_may_depend_on_anything() {
        let up = manifest("carnet-portal", "[dev-dependencies]\ncarnet-sim.workspace = true");
        assert!(places(check, &[ROOT, ("portal/Cargo.toml", &up)]).is_empty());
    }

    #[test]
    fn a_crate_without_a_row_fails() {
        let new = manifest("carnet-new", "");
        assert_eq!(places(check, &[ROOT, ("new/Cargo.toml", &new)]), ["new/Cargo.toml:1"]);
    }

    #[test]
    fn a_crate_without_the_lints_fails() {
        let text = "[package]\nname = \"carnet-idl\"\n";
        assert_eq!(places(check, &[ROOT, ("idl/Cargo.toml", text)]), ["idl/Cargo.toml:1"]);
    }

    #[test]
    fn a_crate_of_the_floor_denies_what_has_no_argument() {
        let lints = "[lints.rust]\nunsafe_op_in_unsafe_fn = \"deny\"\n[lints.clippy]\n";
        let manifest = |more: &str| format!("[package]\nname = \"carnet-memory\"\n{lints}{more}\n");
        let (good, bad) = (manifest("undocumented_unsafe_blocks = \"deny\""), manifest("all = \"warn\""));
        assert!(places(check, &[ROOT, ("boundary/memory/Cargo.toml", &good)]).is_empty());
        assert_eq!(
            places(check, &[ROOT, ("boundary/memory/Cargo.toml", &bad)]),
            ["boundary/memory/Cargo.toml:1"]
        );
    }

    #[test]
    fn a_workspace_that_allows_unsafe_code_fails() {
        let rival = manifest("rivals", "[workspace]\n");
        let files = [ROOT, ("bench/rivals/Cargo.toml", rival.as_str())];
        assert_eq!(places(check, &files), ["bench/rivals/Cargo.toml:1"]);
        let lax = ("Cargo.toml", "[workspace]\n");
        let idl = manifest("carnet-idl", "");
        assert_eq!(places(check, &[lax, ("idl/Cargo.toml", &idl)]), ["Cargo.toml:1"]);
    }
}
