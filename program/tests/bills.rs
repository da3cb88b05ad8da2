//! The bills of the shipped programs, to the letter. `BLESS=1 cargo test -p carnet-program --test bills` writes
//! them anew.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carnet_idl::descriptor::Module;
use carnet_program::bill::bill;
use carnet_program::compile::compile;
use carnet_program::limits::Limits;
use carnet_program::source::parse;
use carnet_program::verify::{Registry, load};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository").to_owned()
}

fn files() -> &'static Module {
    let path = root().join("services/files/files.idl");
    let text = std::fs::read_to_string(path).expect("the interface is in the repository");
    Box::leak(Box::new(carnet_idl::compile_str("files.idl", &text).expect("the interface compiles")))
}

fn bill_of(name: &str) -> String {
    bill_under(name, &Limits::default())
}

fn bill_under(name: &str, limits: &Limits) -> String {
    let text = std::fs::read_to_string(root().join("programs").join(format!("{name}.carnet")));
    bill_of_text(&text.expect("the program is in the repository"), limits)
}

fn bill_of_text(text: &str, limits: &Limits) -> String {
    let module = files();
    let tree = match parse(text, &[Arc::new(module.clone())]) {
        Ok(tree) => tree,
        Err(faults) => panic!("it does not parse: {faults:?}"),
    };
    let bytes = compile(&tree).expect("it fits").encode();
    let loaded = match load(&bytes, &Registry::new(&[module])) {
        Ok(loaded) => loaded,
        Err(fault) => panic!("what the compiler makes is rejected: {fault:#?}"),
    };
    let text = bill(&bytes, &loaded, limits).to_string();
    // The hash changes with every detail of the compiler; the bill does not.
    let at = text.find("sha256:").expect("the bill names its program's hash") + 7;
    let end = at + text[at..].find("  ").expect("the hash ends");
    format!("{}…{}", &text[..at], &text[end..])
}

fn check(name: &str) {
    let bill = bill_of(name);
    let path = root().join(format!("program/tests/golden/{name}.bill"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &bill).expect("the golden text is written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(bill, expected, "the bill of {name} has changed; BLESS=1 writes it anew");
}

#[test]
fn copy_tree() {
    check("copy_tree");
}

#[test]
fn delete_old() {
    check("delete_old");
}

#[test]
fn find_duplicates() {
    check("find_duplicates");
}

#[test]
fn disk_usage() {
    check("disk_usage");
}

/// What no write can write is not written.
#[test]
fn a_bound_on_writes_bounds_the_bytes_written() {
    let none = bill_under("copy_tree", &Limits { writes: 0, ..Limits::default() });
    assert!(none.contains("Changes nothing.") && !none.contains("written"), "{none}");
    let three = bill_under("copy_tree", &Limits { writes: 3, ..Limits::default() });
    assert!(
        three.contains("  written            3.0 MiB   this server's limit; loops alone 97.7 GiB\n"),
        "{three}"
    );
}

/// As long a time as a policy can allow.
#[test]
fn a_long_time_keeps_to_its_column() {
    let limits = Limits { time_ns: 106_751 * 86_400_000_000_000, ..Limits::default() };
    let bill = bill_under("copy_tree", &limits);
    assert!(bill.contains("  time             106,751 d   this server's limit, enforced\n"), "{bill}");
}

/// However long a number is, all of them end in the same column.
#[test]
fn long_numbers_widen_their_column() {
    let limits = Limits { instructions: u64::MAX, time_ns: u64::MAX - 1, ..Limits::default() };
    for bill in [bill_of("disk_usage"), bill_of("find_duplicates"), bill_under("copy_tree", &limits)] {
        let table: Vec<&str> = bill.lines().skip(2).take_while(|line| !line.is_empty()).collect();
        let end = table[0].find("at most").expect("the column has a name") + "at most".len();
        for line in table {
            let (number, rest) = line.split_at(end);
            assert!(!number.ends_with(' ') && (rest.is_empty() || rest.starts_with(' ')), "{bill}");
        }
    }
}

/// More calls than can be counted, however few of them may be writes; the run makes 5,001 and ends.
#[test]
fn what_cannot_be_counted_is_unbounded() {
    let bill = bill_of_text(
        "use files\n\nprogram sat(root: Dir) -> int at most 3 writes {\n  var n = 0\n  \
         for i in 0 .. 9_000_000_000_000_000_000 {\n    for j in 0 .. 9_000_000_000_000_000_000 {\n      \
         root.stat(\".\")\n      n += 1\n      if n > 5000 { return n }\n      \
         if n < 0 { root.make_dir(\"x\") }\n    }\n  }\n  return n\n}\n",
        &Limits::UNLIMITED,
    );
    let expected = "  operation         at most   from
  Dir.stat      R unbounded   line 7
  Dir.make_dir  W         3   line 10
  calls           unbounded   of which writes 3 (line 3)
  instructions    unbounded
  time            unbounded   the server's limit, enforced
  round trips             1   single calls: up to unbounded
";
    assert!(bill.contains(expected), "{bill}");
}
