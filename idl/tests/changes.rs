//! What changes between two versions of an interface, and the pages that are made of one: golden texts.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use carnet_idl::descriptor::Module;
use carnet_idl::{
    Files, Sources, Verdict, compare, compare_all, compile, compile_included, compile_str, document,
};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn module(path: &Path) -> Module {
    let text = fs::read_to_string(path).expect("a file");
    compile_str("x.idl", &text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn check(path: &Path, found: &str) {
    if env::var_os("BLESS").is_some() {
        fs::write(path, found).expect("to bless");
    }
    assert_eq!(found, fs::read_to_string(path).expect("a golden text"), "{}", path.display());
}

#[test]
fn changes_are_told_with_what_follows() {
    let folder = folder().join("against");
    let (old, new) = (module(&folder.join("old.idl")), module(&folder.join("new.idl")));
    let mut text = String::new();
    for change in compare(&old, &new) {
        let _ =
            writeln!(text, "{} {}: {}\n    {}", change.verdict.name(), change.place, change.what, change.why);
    }
    check(&folder.join("changes.txt"), &text);
}

/// The hashes are what binds: every operation that is lost is told, and nothing is called broken that is not.
#[test]
fn the_verdict_is_that_of_the_hashes() {
    let folder = folder().join("against");
    let (old, new) = (module(&folder.join("old.idl")), module(&folder.join("new.idl")));
    let changes = compare(&old, &new);
    for interface in &old.interfaces {
        let now = new.interfaces.iter().find(|now| now.name == interface.name);
        for operation in &interface.operations {
            let is_kept = now.is_some_and(|now| now.operation_by_hash(operation.hash).is_some());
            // `Dir.open`, or `Dir.attribute level (reading)` for `_get_level`.
            let name = operation.name.trim_start_matches("_get_").trim_start_matches("_set_");
            let is_it = |place: &str| {
                let place = place.strip_prefix(&format!("m::{}.", interface.name)).unwrap_or("");
                match operation.name.strip_prefix('_') {
                    Some(way) => {
                        let way = if way.starts_with("get") { "reading" } else { "writing" };
                        place == format!("attribute {name} ({way})")
                    }
                    None => place == name,
                }
            };
            let is_told = changes.iter().any(|c| c.verdict == Verdict::Breaks && is_it(&c.place));
            // Those of one hash that programs walk, or do no longer.
            let paged = now.and_then(|now| now.operation_by_hash(operation.hash)).map(|(_, now)| now.paged);
            let is_walked = paged.is_some_and(|paged| paged != operation.paged);
            assert!(is_kept != is_told || now.is_none() || is_walked, "{}", operation.name);
        }
    }
    assert!(compare(&old, &old).is_empty() && compare(&new, &new).is_empty());
}

/// One thing is changed at a time: `OLD` becomes `NEW` in this text, and that breaks callers or does not.
const ONE_BY_ONE: &str = "module m {
  const long MAX = 8;
  typedef string<8> Name;
  enum Kind { file, dir };
  enum Other { one, two };
  struct Entry { Name name; long size; };
  union Either switch (Kind) { case file: long a; default: short b; };
  exception Error { Kind kind; string<8> message; };
  exception Busy { long until; };
  interface Base { @reads long ping(); };
  interface Between : Base { void between(); };
  interface Dir : Between {
    @reads @paged sequence<Entry, 4> list(in string<8> after, out boolean last);
    void kind(in Kind kind);
    Entry entry();
    void either(in Either either);
    void name(in string<MAX> name, in sequence<long, 16> some);
    void fails() raises (Error);
    void busy() raises (Error, Busy);
    void told(in long a);
    void array(in octet key[16]);
    Dir child(in long a, in long b);
    attribute long level;
  };
};";

#[test]
fn each_change_that_breaks_is_told_and_no_other() {
    let breaking = [
        ("enum Kind { file, dir }", "enum Kind { dir, file }"),
        ("enum Kind { file, dir }", "enum Kind { file, dir, link }"),
        ("Kind { file, dir };", "Kind { file, folder };"),
        ("struct Entry { Name name; long size; };", "struct Entry { long size; Name name; };"),
        ("long size;", "long length;"),
        ("long size;", "long size; long more;"),
        ("long size;", "unsigned long size;"),
        ("case file: long a; default: short b;", "case dir: long a; default: short b;"),
        ("default: short b;", "case dir: short b;"),
        ("typedef string<8> Name;", "typedef string<9> Name;"),
        ("const long MAX = 8;", "const long MAX = 7;"),
        ("const long MAX = 8;", "const long MAX = 9;"),
        ("sequence<long, 16>", "sequence<long, 15>"),
        ("octet key[16]", "octet key[15]"),
        ("exception Busy { long until; };", "exception Busy { long long until; };"),
        ("exception Busy { long until; };", "exception Busy { long since; };"),
        ("Kind kind; string<8> message;", "Kind kind; string<7> message;"),
        ("Kind kind; string<8> message;", "Other kind; string<8> message;"),
        ("raises (Error, Busy)", "raises (Busy, Error)"),
        ("raises (Error);", ";"),
        ("Error", "Fault"),
        ("Busy", "Late"),
        ("Entry", "Row"),
        ("@reads long ping();", "long ping();"),
        ("void told(in long a);", "@reads void told(in long a);"),
        ("void told(in long a);", "oneway void told(in long a);"),
        ("void told(in long a);", "void told(inout long a);"),
        ("void told(in long a);", "void told(inout string a);"),
        ("void told(in long a);", "void told(in long a, in long b);"),
        ("void told(in long a);", "void tell(in long a);"),
        ("void told(in long a);", ""),
        ("@reads @paged sequence", "@reads sequence"),
        ("Dir child", "Base child"),
        ("Dir : Between", "Dir : Base"),
        ("Between : Base", "Between"),
        ("attribute long level", "readonly attribute long level"),
        ("attribute long level", "attribute long height"),
        ("Dir", "Folder"),
        ("module m", "module n"),
    ];
    let keeping = [
        ("typedef string<8> Name;", "typedef string<8> Word; typedef Word Name;"),
        ("in long a, in long b", "in long first, in long second"),
        ("void told(in long a);", "@idempotent @blocks void told(in long a);"),
        ("void told(in long a);", "@cost(bytes = a) void told(in long a);"),
        ("void told(in long a);", "void added(); void told(in long a);"),
        ("interface Base { @reads", "interface Base { void added(); @reads"),
        ("void between();", "void added(); void between();"),
        ("exception Busy", "exception New { long a; }; exception Busy"),
        ("interface Dir", "interface New { }; interface Dir"),
        ("enum Other { one, two };", "enum Other { two, one, three };"),
        ("void kind(in Kind kind);\n    Entry entry();", "Entry entry();\n    void kind(in Kind kind);"),
        ("interface Base {", "interface Root { void f(); }; interface Base : Root {"),
    ];
    let changed = |old: &str, new: &str| {
        let text = ONE_BY_ONE.replace(old, new);
        assert_ne!(text, ONE_BY_ONE, "{old}");
        compile_str("x.idl", &text).unwrap_or_else(|faults| panic!("{new}: {faults:?}"))
    };
    let before = compile_str("x.idl", ONE_BY_ONE).unwrap_or_else(|faults| panic!("{faults:?}"));
    for (verdict, changes) in [(true, &breaking[..]), (false, &keeping[..])] {
        for (old, new) in changes {
            let changes = compare(&before, &changed(old, new));
            let breaks = changes.iter().any(|change| change.verdict == Verdict::Breaks);
            assert_eq!(breaks, verdict, "`{old}` to `{new}`: {changes:#?}");
        }
    }
}

/// The modules of a text that includes another as `s.idl`, and the `s` of that.
fn modules(text: &str, other: &str) -> Files {
    let read = |path: &Path| {
        let text = if path.ends_with("s.idl") { other } else { text };
        Ok(text.to_owned())
    };
    let sources = Sources::load_with(Path::new("x.idl"), &[], &read).expect("interface files");
    files(&sources)
}

fn files(sources: &Sources) -> Files {
    let own = compile(sources).unwrap_or_else(|faults| panic!("{}", sources.render(&faults)));
    let included = compile_included(sources, &["s"]);
    Files { own, included: included.unwrap_or_else(|faults| panic!("{}", sources.render(&faults))) }
}

/// Who names an included file beside the one that includes it has made no new module, and who does so no longer has taken none away.
#[test]
fn a_module_of_an_included_file_is_neither_new_nor_gone() {
    let m = "#include \"s.idl\"\nmodule m { interface I : s::P { }; };";
    let s = |operation: &str| format!("module s {{ interface P {{ void {operation}(); }}; }};");
    let apart = modules(m, &s("f"));
    assert_eq!((apart.own[0].name.as_str(), apart.included[0].name.as_str()), ("m", "s"));
    let together = |operation: &str| {
        let mut files = modules(m, &s(operation));
        files.own.append(&mut files.included);
        files
    };
    assert_eq!(compare_all(&apart, &together("f")), []);
    assert_eq!(compare_all(&together("f"), &apart), []);
    // A module that is renamed besides is known as that.
    let renamed = modules(&m.replace("module m", "module n"), &s("f"));
    let changes = compare_all(&together("f"), &renamed);
    assert_eq!((changes.len(), changes[0].what.as_str()), (1, "the module was `m`, is `n`"), "{changes:#?}");
    // What changed in it is told once for itself, and once for what inherits it.
    for (old, new) in [(apart.clone(), together("g")), (together("f"), modules(m, &s("g")))] {
        let changes = compare_all(&old, &new);
        let told: Vec<&str> = changes.iter().map(|change| change.place.as_str()).collect();
        assert_eq!(told, ["s::P.f", "m::I.f", "s::P.g", "m::I.g"], "{changes:#?}");
    }
    // One that only has the name of another file's is held against it.
    let other = Files { own: together("f").own.split_off(1), included: vec![] };
    assert!(compare_all(&apart, &other).iter().all(|change| change.what == "the module is gone"));
}

#[test]
fn what_no_operation_reaches_of_another_module_breaks_nothing() {
    let shared = |operation: &str| format!("module s {{ interface P {{ void {operation}(); }}; }};");
    let told = |old: &str, new: (&str, &str)| -> Vec<String> {
        let text =
            |rest: &str| format!("#include \"s.idl\"\nmodule m {{ {rest} interface I {{ void f(); }}; }};");
        let (old, new) = (modules(&text(old), &shared("f")), modules(&text(new.0), &shared(new.1)));
        let breaks = compare_all(&old, &new).into_iter().filter(|change| change.verdict == Verdict::Breaks);
        breaks.map(|change| format!("{}: {}", change.place, change.what)).collect()
    };
    let held = "struct W { s::P p; };";
    assert!(told(held, ("", "f")).is_empty(), "{:?}", told(held, ("", "f")));
    assert!(told(held, (held, "g")).is_empty());
    // It can be had through an operation, in what one gives, or through what an interface inherits.
    let used = [
        "interface J { s::P p(); };",
        "struct W { s::P p; }; interface J { sequence<W, 2> all(); };",
        "interface J : s::P { };",
    ];
    for used in used {
        assert!(told(used, (used, "g")).contains(&"s::P.f: is gone".to_owned()), "{used}");
    }
}

#[test]
fn a_renamed_module_is_the_reason_why_its_operations_are_others() {
    let text = |name: &str| {
        format!(
            "module {name} {{ interface A {{ void f(); }}; }};\n\
             module b {{ interface B {{ void g(); }}; interface C : {name}::A {{ }}; }};"
        )
    };
    let [old, new] = ["a", "a2"].map(|name| files(&Sources::of_text("x.idl", &text(name))));
    let changes = compare_all(&old, &new);
    let told: Vec<String> = changes
        .iter()
        .filter(|change| change.verdict == Verdict::Breaks)
        .map(|change| format!("{}: {}", change.place, change.what))
        .collect();
    let expected = ["a2: the module was `a`, is `a2`", "a2::A.f: was declared in `a::A`, is in `a2::A`"];
    for line in expected {
        assert!(told.iter().any(|told| told == line), "{told:#?}");
    }
    assert!(!told.iter().any(|told| told.contains("not before")), "{told:#?}");
    // Inherited from there, too.
    assert!(told.contains(&"b::C.f: was declared in `a::A`, is in `a2::A`".to_owned()), "{told:#?}");
}

/// Each stays in its cell, and is code there to its end.
#[test]
fn constants_on_pages_open_no_tags() {
    let text = "@version(\"1 <b>\\n`\")\nmodule m {\n\
        const string TICKS = \"`<script>`` | a\";\nconst char TICK = '`';\nconst char BAR = '|';\n};";
    let page = &document(&compile_str("m.idl", text).expect("no faults"))[0];
    let expected = "# m 1 &lt;b> `\n\n## Constants\n\n| name | type | value |\n| --- | --- | --- |\n\
        | `TICKS` | `string<4096>` | ```\"`<script>`` \\| a\"``` |\n\
        | `TICK` | `char` | ``'`'`` |\n| `BAR` | `char` | `'\\|'` |\n";
    assert_eq!(page.text, expected);
}

#[test]
fn pages_are_written_for_each_interface() {
    let folder = folder().join("pages");
    let pages = document(&module(&folder.join("notes.idl")));
    let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["notes", "notes.Book", "notes.Shelf"]);
    for page in &pages {
        check(&folder.join(format!("{}.md", page.name)), &page.text);
    }
}
