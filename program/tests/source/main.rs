//! The front end of the program language, held against text cases and random texts.
//!
//! | file | what it tests |
//! | --- | --- |
//! | `cases/*.cases` | sources, and the tree or the messages that come of them (`BLESS=1` writes them anew) |
//! | `hostile` | random and mutated sources: no panic, bounded time |
//! | `print` | trees as text |
//! | `counter.idl`, `twin.idl` | interfaces that only tests know |
//!
//! A case looks like this (the name of the file may be left out); with a last source line `$ name=value …`, what comes of the arguments follows too.
//!
//! ```text
//! === what it is about (NAME.carnet)
//! source
//! ---
//! tree or messages
//! ```

mod hostile;
mod print;

use carnet_idl::descriptor::{Field, InterfaceId, Module, Type};
use carnet_idl::diagnostic::render;
use carnet_program::compile::compile_named;
use carnet_program::source;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The interfaces that cases may use.
pub(crate) static MODULES: LazyLock<Vec<Arc<Module>>> = LazyLock::new(|| {
    [
        ("files.idl", include_str!("../../../services/files/files.idl")),
        ("counter.idl", include_str!("counter.idl")),
        ("twin.idl", include_str!("twin.idl")),
    ]
    .map(|(name, text)| {
        let compiled = carnet_idl::compile_str(name, text);
        Arc::new(compiled.unwrap_or_else(|faults| panic!("{}", render(name, text, &faults))))
    })
    .to_vec()
});

/// Tree or messages of a source.
fn outcome(file: &str, source: &str) -> String {
    let (source, given) = match source.trim_end().rsplit_once("\n$") {
        Some((source, given)) => (format!("{source}\n"), Some(given)),
        None => (source.to_owned(), None),
    };
    let tree = match source::parse(&source, &MODULES) {
        Err(faults) => return render(file, &source, &faults),
        Ok(tree) => tree,
    };
    if let Err(misfit) = compile_named(&tree) {
        return render(file, &source, &[source::not_compiled(&source, &misfit)]);
    }
    let Some(given) = given else { return print::tree(&tree) };
    let given: Vec<&str> = given.split_whitespace().collect();
    let mut out = String::new();
    match source::args::args(&tree, &given) {
        Ok(args) => args.iter().for_each(|arg| writeln!(out, "{arg:?}").expect("a String takes all")),
        Err(faults) => faults.iter().for_each(|fault| writeln!(out, "{fault}").expect("a String takes all")),
    }
    out
}

/// What the file of cases should be, and how many there are.
fn run_cases(text: &str) -> (String, usize) {
    let mut out = String::new();
    let mut count = 0;
    for case in text.split_inclusive('\n').fold(Vec::<String>::new(), |mut cases, line| {
        match cases.last_mut() {
            Some(case) if !line.starts_with("===") => case.push_str(line),
            _ => cases.push(line.to_owned()),
        }
        cases
    }) {
        let (title, rest) = case.split_once('\n').expect("a case has a title and a source");
        let source = rest.split_once("---\n").map_or(rest, |(source, _)| source);
        let file = title.rsplit_once('(').and_then(|(_, file)| file.strip_suffix(".carnet)"));
        let file = file.map_or("case.carnet".to_owned(), |file| format!("{file}.carnet"));
        let _ = write!(out, "{title}\n{source}---\n{}", outcome(&file, source));
        count += 1;
    }
    (out, count)
}

fn check_file(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("a case file is readable");
    let (now, count) = run_cases(&text);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, now).expect("a case file is writable");
    } else if now != text {
        let differs = now.lines().zip(text.lines()).position(|(a, b)| a != b);
        let line = differs.unwrap_or_else(|| now.lines().count().min(text.lines().count()));
        let show = |text: &str| text.lines().skip(line).take(12).collect::<Vec<_>>().join("\n");
        panic!(
            "{}:{} differs (BLESS=1 accepts)\nnow:\n{}\nbefore:\n{}",
            path.display(),
            line + 1,
            show(&now),
            show(&text)
        );
    }
    count
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/source/cases");
    let mut paths: Vec<_> = folder
        .read_dir()
        .expect("the cases are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let count: usize = paths.iter().map(|path| check_file(path)).sum();
    assert!(count >= 150, "only {count} cases were found in {} files", paths.len());
}

/// The programs that ship.
pub(crate) const SHIPPED: [(&str, &str); 4] = [
    ("copy_tree", include_str!("../../../programs/copy_tree.carnet")),
    ("delete_old", include_str!("../../../programs/delete_old.carnet")),
    ("disk_usage", include_str!("../../../programs/disk_usage.carnet")),
    ("find_duplicates", include_str!("../../../programs/find_duplicates.carnet")),
];

#[test]
fn shipped_programs_are_right_and_named_like_their_files() {
    for (name, text) in SHIPPED {
        match source::parse(text, &MODULES) {
            Ok(tree) => assert_eq!(tree.name, name),
            Err(faults) => panic!("{}", render(name, text, &faults)),
        }
    }
}

/// Messages and bills that name these lines are part of the reference.
#[test]
fn lines_of_shipped_programs_stay_where_the_reference_says() {
    for (name, line, text) in [
        ("copy_tree", 6, "  at most 10GiB written"),
        ("copy_tree", 21, "        while pos < e.size {"),
        ("copy_tree", 22, "          let n = dst.copy_from(src, pos, 1MiB)"),
        ("delete_old", 6, "  at most 200 writes"),
        ("delete_old", 18, "        root.remove(path)"),
    ] {
        let source = SHIPPED.iter().find(|(shipped, _)| *shipped == name).expect("it ships").1;
        assert_eq!(source.lines().nth(line - 1), Some(text), "{name}, line {line}");
    }
}

#[test]
fn a_file_that_is_no_text_is_shown_with_its_place() {
    let not_text =
        source::decode(b"use files\nprogram p() { fail \"caf\xe9\" }\n").expect_err("it is not UTF-8");
    let shown = render("latin.carnet", &not_text.shown, &[not_text.fault]);
    assert!(shown.contains("--> latin.carnet:2:24"), "{shown}");
    assert!(shown.contains("found byte 0xe9"), "{shown}");
    assert_eq!(source::decode("é".as_bytes()).expect("it is UTF-8"), "é");
}

#[test]
fn structs_that_records_cannot_hold_are_not_supported() {
    let mut twin = Module::clone(&MODULES[2]);
    let of = Box::new(Type::Portal(InterfaceId(0)));
    twin.structs[0].fields.push(Field { name: "parts".to_owned(), ty: Type::List { of, max: 8 } });
    let text = "use twin program p(t: Twin) { let x = t.tally() }";
    let faults = source::parse(text, &[Arc::new(twin)]).expect_err("the struct has a list of portals");
    assert_eq!(faults[0].code, "not-in-programs");
    let shown = render("p.carnet", text, &faults);
    let expected = "not supported yet[not-in-programs]: Twin.tally is not supported in programs: the result is a list of portals";
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn a_source_that_is_too_large_is_refused() {
    let text = format!("program p() {{}}{}", " ".repeat(source::SOURCE_BYTES_MAX));
    let faults = source::parse(&text, &MODULES).expect_err("it is too large");
    assert_eq!(faults[0].code, "too-large");
}

/// The place is that of the first that is too many.
#[test]
fn what_does_not_fit_is_named_with_its_place() {
    for (statement, count, says, first, found) in [
        ("  let f@ = d.open(\".\")\n", 5_000, "4096 portal variables", 4_096, "d"),
        ("  for i in 0 .. 1 { }\n", 5_000, "4096 loops", 4_097, "for"),
        ("n=n*n+n*n\n", 22_000, "65536 instructions", 21_845, "n"),
    ] {
        let body: String = (0..count).map(|k| statement.replace('@', &k.to_string())).collect();
        let shown =
            outcome("p.carnet", &format!("use files\nprogram p(d: Dir, m: int) {{\n  var n = m\n{body}}}\n"));
        assert!(
            shown.starts_with(&format!("error[too-large]: the program is too large: more than {says}\n")),
            "{shown}"
        );
        let carets = "^".repeat(found.len());
        assert!(shown.contains(&format!("--> p.carnet:{}:", first + 3)), "{shown}");
        assert!(shown.contains(&format!(" {carets} the limit is reached here\nhelp: ")), "{shown}");
    }
}
