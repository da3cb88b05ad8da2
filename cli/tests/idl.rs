//! `carnet idl`: included files, what breaks callers, laying out, pages.

use std::path::Path;
use std::process::Command;

/// Exit code, standard output, standard error of `carnet idl …` in `folder`.
fn idl(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_carnet"))
        .arg("idl")
        .args(args)
        .current_dir(folder)
        .output()
        .expect("carnet runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

const SHARED: &str = "module shared { enum Kind { a, b }; interface Base { Kind kind(); }; };\n";
const MAIN: &str =
    "#include \"shared.idl\"\nmodule m { interface I : shared::Base { void f(in long x); }; };\n";

#[test]
fn included_files_are_found_and_their_faults_named() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "main.idl", MAIN);
    write(folder.path(), "lib/shared.idl", SHARED);
    let (exit, _, err) = idl(folder.path(), &["check", "main.idl"]);
    assert_eq!(exit, 3);
    assert!(err.contains("cannot read shared.idl") && err.contains("--> main.idl:1:1"), "{err}");
    let (exit, out, _) = idl(folder.path(), &["check", "-I", "lib", "main.idl"]);
    assert_eq!((exit, out.as_str()), (0, "ok: m, 1 interface, 2 operations\n"));
    write(folder.path(), "lib/shared.idl", "module shared { interface Base { Kint kind(); }; };\n");
    let (exit, _, err) = idl(folder.path(), &["build", "--lang", "rust", "-I", "lib", "main.idl"]);
    assert_eq!(exit, 3);
    assert!(
        err.contains("--> lib/shared.idl:1:34") && err.contains("note: included from main.idl:1:1"),
        "{err}"
    );
}

#[test]
fn several_modules_become_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "two.idl", "module a { struct S { long x; }; };\nmodule b { typedef a::S T; };\n");
    let (exit, out, _) = idl(folder.path(), &["build", "--lang", "rust", "two.idl"]);
    assert_eq!(exit, 0);
    let allowed = |module: &str| {
        out.lines()
            .zip(out.lines().skip(1))
            .any(|(allow, line)| allow.starts_with("#[allow(") && line == format!("pub mod {module} {{"))
    };
    assert!(allowed("a") && allowed("b"), "{out}");
    assert!(out.starts_with("#[allow(") && out.contains("\n}\n#[allow("), "{out}");
    let (_, out, _) = idl(folder.path(), &["check", "two.idl"]);
    assert_eq!(out, "ok: a, 0 interfaces, 0 operations\nok: b, 0 interfaces, 0 operations\n");
}

/// What ships with the compiler needs no file.
#[test]
fn stubs_are_made_of_a_file_that_ships_with_the_compiler() {
    let folder = tempfile::tempdir().expect("a folder");
    for (lang, expected) in [("java", "// carnet_/Memory.java\n"), ("rust", "pub ")] {
        let (exit, out, err) =
            idl(folder.path(), &["build", "carnet/memory.idl", "--lang", lang, "-o", lang]);
        assert_eq!(exit, 0, "{lang}: {out}{err}");
        let (_, out, _) = idl(folder.path(), &["build", "carnet/memory.idl", "--lang", lang]);
        assert!(out.contains(expected), "{lang}: {out}");
    }
    let (exit, _, err) = idl(folder.path(), &["build", "carnet/memry.idl", "--lang", "java"]);
    assert_eq!((exit, err.contains("there is no interface file carnet/memry.idl")), (2, true), "{err}");
}

#[test]
fn modules_that_are_words_of_rust_have_other_names_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = ["fn", "type", "self", "self_", "super", "crate", "async", "plain"];
    let text: String =
        words.iter().map(|word| format!("module {word} {{ struct S {{ long x; }}; }};\n")).collect();
    write(folder.path(), "words.idl", &text);
    let (exit, out, err) = idl(folder.path(), &["build", "--lang", "rust", "words.idl"]);
    assert_eq!(exit, 0, "{err}");
    let modules: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("pub mod ")).collect();
    let expected =
        ["r#fn {", "r#type {", "self_ {", "self__ {", "super_ {", "crate_ {", "r#async {", "plain {"];
    assert_eq!(modules, expected);
}

#[test]
fn headers_of_others_are_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in
        ["carnet", "carnet_values", "time", "errno", "signal", "poll", "fcntl", "stdint", "stdbool", "math"]
    {
        let text = format!("module first {{ const long x = 1; }};\nmodule {name} {{ const long y = 2; }};\n");
        write(folder.path(), "it.idl", &text);
        let (exit, out, err) = idl(folder.path(), &["build", "--lang", "c", "it.idl", "-o", "stubs"]);
        assert_eq!((exit, out.as_str()), (3, ""), "{err}");
        let header = format!("it.idl: the stubs of module `{name}` would be {name}.h");
        assert!(err.contains(&header) && err.contains("give the module another name"), "{err}");
        assert!(!folder.path().join("stubs").exists(), "something was written");
    }
    write(folder.path(), "it.idl", "module times { const long x = 1; };\n");
    let (exit, _, err) = idl(folder.path(), &["build", "--lang", "c", "it.idl", "-o", "stubs"]);
    assert_eq!((exit, folder.path().join("stubs/times.h").exists()), (0, true), "{err}");
}

/// All texts below a folder, by path.
fn texts(folder: &Path) -> std::collections::BTreeMap<String, String> {
    let mut found = std::collections::BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("a path in it").display().to_string();
                found.insert(name, std::fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    found
}

#[test]
fn java_is_a_folder_for_each_package() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "main.idl", MAIN);
    write(folder.path(), "shared.idl", SHARED);
    for out in ["one", "two"] {
        for file in ["main.idl", "shared.idl"] {
            let (exit, said, err) = idl(folder.path(), &["build", "--lang", "java", file, "-o", out]);
            assert_eq!((exit, said), (0, format!("wrote {out}\n")), "{err}");
        }
    }
    let one = texts(&folder.path().join("one"));
    assert_eq!(one, texts(&folder.path().join("two")));
    assert!(one["m/I.java"].contains("public interface I extends shared.Base {"), "{}", one["m/I.java"]);
    assert!(
        one.contains_key("shared/Kind.java") && one.contains_key("carnet/Bounds.java"),
        "{:?}",
        one.keys()
    );
    let (exit, out, _) = idl(folder.path(), &["build", "--lang", "java", "shared.idl"]);
    assert_eq!((exit, out.starts_with("// shared/Base.java\n")), (0, true), "{out}");
}

#[test]
fn what_breaks_callers_is_told_by_the_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "old.idl", "module m { interface I { void f(in long x); }; };\n");
    write(folder.path(), "more.idl", "module m { interface I { void g(); void f(in long y); }; };\n");
    write(folder.path(), "other.idl", "module m { interface I { void f(in short x); }; };\n");
    let (exit, out, _) = idl(folder.path(), &["check", "old.idl", "--against", "old.idl"]);
    assert_eq!((exit, out.ends_with("nothing changed\n")), (0, true), "{out}");
    let (exit, out, _) = idl(folder.path(), &["check", "more.idl", "--against", "old.idl"]);
    assert_eq!((exit, out.ends_with("old callers and programs keep working\n")), (0, true), "{out}");
    assert!(out.contains("keeps m::I.g: is new\n"), "{out}");
    let (exit, out, _) = idl(folder.path(), &["check", "other.idl", "--against", "old.idl"]);
    assert_eq!(exit, 1, "{out}");
    assert!(out.contains("breaks m::I.f: was `in long`, is `in short`\n"), "{out}");
    let (exit, out, _) = idl(folder.path(), &["check", "--json", "other.idl", "--against", "old.idl"]);
    assert_eq!(exit, 1);
    let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(told["files"][0]["changes"][0]["verdict"], "breaks", "{out}");
    // Of a file with several modules.
    let two = |one: &str, other: &str| {
        format!(
            "module {one} {{ interface I {{ void f(); }}; }};\nmodule {other} {{ interface J {{ void g(); }}; }};\n"
        )
    };
    write(folder.path(), "two.idl", &two("a", "b"));
    write(folder.path(), "fewer.idl", "module a { interface I { void f(); }; };\n");
    write(folder.path(), "renamed.idl", &two("a", "c"));
    write(folder.path(), "both.idl", &two("c", "d"));
    for (new, old, exit, told) in [
        ("fewer.idl", "two.idl", 1, "breaks b: the module is gone\n"),
        ("two.idl", "fewer.idl", 0, "keeps b: the module is new\n"),
        ("renamed.idl", "two.idl", 1, "breaks c: the module was `b`, is `c`\n"),
        ("both.idl", "two.idl", 1, "breaks a: the module is gone\n"),
    ] {
        let (found, out, _) = idl(folder.path(), &["check", new, "--against", old]);
        assert_eq!((found, out.contains(told)), (exit, true), "{new}: {out}");
    }
    // Files are held against the old one together.
    write(folder.path(), "b.idl", "module b { interface J { void g(); }; };\n");
    let (exit, out, _) = idl(folder.path(), &["check", "b.idl", "fewer.idl", "--against", "two.idl"]);
    assert_eq!((exit, out.matches("nothing changed\n").count()), (0, 1), "{out}");
    let (exit, out, _) = idl(folder.path(), &["check", "--json", "b.idl", "old.idl", "--against", "two.idl"]);
    let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((exit, told["changes"][0]["what"].as_str()), (1, Some("the module was `a`, is `m`")), "{out}");
    // What the old one includes is not new, whoever names it now.
    write(folder.path(), "top.idl", "#include \"old.idl\"\nmodule t { interface T : m::I { }; };\n");
    let (exit, out, _) = idl(folder.path(), &["check", "old.idl", "top.idl", "--against", "top.idl"]);
    assert_eq!((exit, out.ends_with("nothing changed\n")), (0, true), "{out}");
    let (exit, out, _) = idl(folder.path(), &["check", "top.idl", "--against", "old.idl"]);
    assert_eq!(
        (exit, out.contains("keeps t: the module is new\n"), out.contains("gone")),
        (0, true, false),
        "{out}"
    );
    let (exit, out, err) = idl(folder.path(), &["check", "old.idl", "more.idl", "--against", "old.idl"]);
    assert_eq!((exit, err.contains("two of the files have the module `m`")), (2, true), "{out}{err}");
    let (exit, _, err) = idl(folder.path(), &["check", "old.idl", "--against", "none.idl"]);
    assert_eq!((exit, err.contains("none.idl")), (2, true), "{err}");
    // Faults are another matter, in either file and beside changes that break.
    write(folder.path(), "faulty.idl", "module m { interface };\n");
    for words in [
        &["check", "faulty.idl", "--against", "old.idl"][..],
        &["check", "old.idl", "--against", "faulty.idl"],
        &["check", "other.idl", "faulty.idl", "--against", "old.idl"],
        &["check", "faulty.idl", "other.idl", "--against", "old.idl"],
    ] {
        let (exit, out, err) = idl(folder.path(), words);
        assert_eq!((exit, err.contains("error[")), (3, true), "{words:?}: {out}{err}");
    }
}

/// Of the file that is named, of those that it includes, and of those that are laid out.
#[test]
fn a_file_has_at_most_a_mebibyte() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = format!("module long_one {{ interface I {{ void f(); }}; }};\n//{}\n", "x".repeat(1 << 20));
    write(folder.path(), "long.idl", &long);
    write(folder.path(), "main.idl", "#include \"long.idl\"\nmodule m { interface J : long_one::I {}; };\n");
    for words in [&["check", "long.idl"][..], &["check", "main.idl"], &["fmt", "long.idl"]] {
        let (exit, _, err) = idl(folder.path(), words);
        assert_eq!(exit, 3, "{words:?}: {err}");
        assert!(err.contains("long.idl is too large"), "{words:?}: {err}");
        assert!(err.contains("expected at most 1048576"), "{words:?}: {err}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("long.idl")).expect("it is there"), long);
    write(folder.path(), "huge.idl", &"x".repeat((4 << 20) + 1));
    let (exit, _, err) = idl(folder.path(), &["check", "huge.idl"]);
    assert_eq!((exit, err.contains("an interface file has at most 1048576")), (2, true), "{err}");
}

#[test]
fn folders_of_included_files_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.idl", "module a { interface I { void f(); }; };\n");
    for verb in [&["build", "--lang", "rust"][..], &["check"]] {
        let with = |include: &str| idl(folder.path(), &[verb, &["-I", include, "a.idl"]].concat());
        let (exit, _, err) = with("nowhere");
        assert_eq!((exit, err.contains("-I nowhere is no folder")), (2, true), "{err}");
        assert_eq!(with(".").0, 0);
    }
}

#[test]
fn nothing_is_meant_that_is_being_defined() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.idl", "module a { const long X = Y + 1; interface I { void f(); }; };\n");
    let (exit, _, err) = idl(folder.path(), &["check", "a.idl"]);
    assert_eq!(
        (exit, err.contains("there is no constant `Y`"), err.contains("did you mean")),
        (3, true, false),
        "{err}"
    );
    write(
        folder.path(),
        "a.idl",
        "module a { const long Z = 1; const long X = Y + 1; interface I { void f(); }; };\n",
    );
    let (_, _, err) = idl(folder.path(), &["check", "a.idl"]);
    assert!(err.contains("did you mean `Z`?"), "{err}");
}

#[test]
fn files_are_laid_out_once() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.idl", "module m{interface I{void f( );};}; // end\n");
    let (exit, _, err) = idl(folder.path(), &["fmt", "--check", "a.idl"]);
    assert_eq!((exit, err.contains("a.idl is laid out otherwise")), (3, true));
    assert_eq!(idl(folder.path(), &["fmt", "a.idl"]).0, 0);
    let text = std::fs::read_to_string(folder.path().join("a.idl")).expect("the file");
    assert_eq!(text, "module m {\n  interface I {\n    void f();\n  };\n}; // end\n");
    assert_eq!(idl(folder.path(), &["fmt", "--check", "a.idl"]).0, 0);
    write(folder.path(), "b.idl", "module m { interface };\n");
    let (exit, _, err) = idl(folder.path(), &["fmt", "b.idl"]);
    assert_eq!((exit, err.starts_with("error[syntax]")), (3, true), "{err}");
}

/// Files before and behind one with faults are laid out, and all is told.
#[test]
fn a_file_with_faults_keeps_no_other_from_being_laid_out() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.idl", "c.idl"] {
        write(folder.path(), name, "module m{interface I{};};\n");
    }
    write(folder.path(), "b.idl", "module m { interface };\n");
    let (exit, out, err) = idl(folder.path(), &["fmt", "a.idl", "b.idl", "none.idl", "c.idl"]);
    assert_eq!((exit, out.as_str()), (3, "wrote a.idl\nwrote c.idl\n"), "{err}");
    assert!(err.starts_with("error[syntax]") && err.contains("none.idl"), "{err}");
    assert_eq!(idl(folder.path(), &["fmt", "--check", "a.idl", "c.idl"]).0, 0);
}

/// A full disk, here a limit to what a file may hold, leaves the file as it was, and nothing beside it. Links stay links, and
/// rights stay.
#[test]
fn a_file_that_cannot_be_written_is_as_it_was() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("module m{{{}}};\n", "interface I; ".repeat(2000));
    write(folder.path(), "big.idl", &text);
    let path = folder.path().join("big.idl");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("to change rights");
    symlink("big.idl", folder.path().join("link.idl")).expect("a link");
    let limited =
        format!("trap '' XFSZ; ulimit -f 1; exec {} idl fmt link.idl", env!("CARGO_BIN_EXE_carnet"));
    let output =
        Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().expect("a shell");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("cannot write link.idl") && err.contains("as it was"), "{err}");
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 2);
    assert_eq!(idl(folder.path(), &["fmt", "link.idl"]).0, 0);
    assert!(std::fs::read_to_string(&path).expect("the file").starts_with("module m {\n  interface I;\n"));
    assert!(folder.path().join("link.idl").is_symlink());
    assert_eq!(path.metadata().expect("the file").permissions().mode() & 0o777, 0o640);
}

/// Not even by who may write any file.
#[test]
fn a_file_that_is_read_only_is_not_laid_out() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let folder = tempfile::tempdir().expect("a folder");
    let text = "module m{interface I{};};\n";
    write(folder.path(), "a.idl", text);
    write(folder.path(), "b.idl", text);
    let path = folder.path().join("a.idl");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).expect("to change rights");
    let inode = path.metadata().expect("the file").ino();
    let (exit, out, err) = idl(folder.path(), &["fmt", "a.idl", "b.idl"]);
    assert_eq!((exit, out.as_str()), (2, "wrote b.idl\n"), "{err}");
    let expected =
        "error: cannot write a.idl: it is read-only\nthe file is as it was. `chmod u+w` lets it be written\n";
    assert_eq!(err, expected);
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), text);
    let found = path.metadata().expect("the file");
    assert_eq!((found.ino(), found.mode() & 0o777), (inode, 0o444));
    let (exit, _, err) = idl(folder.path(), &["fmt", "--check", "a.idl"]);
    assert_eq!((exit, err.contains("is laid out otherwise")), (3, true), "{err}");
}

/// All names of a file go on to be its names. If it cannot be written, here beyond a limit to what a file may hold, it is as it was
/// under each, also where it was written over already.
#[test]
fn a_file_of_several_names_keeps_them() {
    use std::os::unix::fs::{MetadataExt as _, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["a.idl", "b.idl", "link.idl"].map(|name| folder.path().join(name));
    let text = format!("module m{{{}}}; // end\n", "interface I; ".repeat(2000));
    write(folder.path(), "a.idl", &text);
    std::fs::hard_link(&names[0], &names[1]).expect("a second name");
    symlink("b.idl", &names[2]).expect("a link");
    let inode = names[0].metadata().expect("the file").ino();
    let same = |expected: &dyn Fn(&str) -> bool| {
        for name in &names {
            assert_eq!(name.metadata().expect("the file").ino(), inode);
            assert!(expected(&std::fs::read_to_string(name).expect("the file")), "{}", name.display());
        }
        assert!(names[2].is_symlink());
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 3, "nothing beside them");
    };
    // What is kept of it needs as much room as it has: units of 512 bytes.
    let blocks = text.len().div_ceil(512);
    let carnet = env!("CARGO_BIN_EXE_carnet");
    for limit in [1, blocks] {
        let limited = format!("trap '' XFSZ; ulimit -f {limit}; exec {carnet} idl fmt link.idl");
        let output =
            Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().expect("a shell");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("cannot write link.idl") && err.contains("as it was"), "{err}");
        same(&|found| found == text);
    }
    assert_eq!(idl(folder.path(), &["fmt", "link.idl"]).0, 0);
    same(&|found| found.starts_with("module m {\n  interface I;\n") && found.ends_with("}; // end\n"));
    // The new text is shorter than the old one.
    let text = format!("module m {{{}\n}};\n", "\n".repeat(3000));
    std::fs::write(&names[0], text).expect("to write");
    assert_eq!(idl(folder.path(), &["fmt", "a.idl"]).0, 0);
    same(&|found| found.len() < 100 && found.starts_with("module m {") && found.ends_with("};\n"));
}

#[test]
fn each_interface_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "main.idl", MAIN);
    write(folder.path(), "shared.idl", SHARED);
    let (exit, out, _) = idl(folder.path(), &["doc", "main.idl", "-o", "pages"]);
    assert_eq!((exit, out.as_str()), (0, "wrote pages/m.md\nwrote pages/m.I.md\n"));
    let page = std::fs::read_to_string(folder.path().join("pages/m.I.md")).expect("a page");
    assert!(page.contains("It inherits from `::shared::Base`: `kind`.\n"), "{page}");
}
