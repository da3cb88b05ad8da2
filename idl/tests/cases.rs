//! Text cases: each file under `tests/cases` ends with what the compiler says of it.
//!
//! `faults/*.idl` end with diagnostics, `modules/*.idl` with a dump of the descriptor; beside the latter stands the
//! generated Rust as `.rs`. `BLESS=1` writes what is expected anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use carnet_idl::descriptor::{Arm, Effect, Field, Interface, Layout, Module, Operation, Word};
use carnet_idl::diagnostic::render;
use carnet_idl::{Sources, compile, compile_str, generate_c, generate_java, generate_rust};

const MARK: &str = "//--- expected\n";

fn cases(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let entries = fs::read_dir(folder).expect("the folder of cases");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "idl"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// The source and the expected text of a case.
fn read(path: &Path) -> (String, String) {
    let text = fs::read_to_string(path).expect("a case");
    let (source, expected) = text.split_once(MARK).unwrap_or((&text, ""));
    let uncomment = |line: &str| line.strip_prefix("// ").unwrap_or(line.trim_start_matches("//")).to_owned();
    let expected: String = expected.lines().map(|line| uncomment(line) + "\n").collect();
    (source.to_owned(), expected)
}

fn check(path: &Path, source: &str, expected: &str, found: &str) {
    if env::var_os("BLESS").is_some() {
        let comment = |line: &str| format!("// {line}").trim_end().to_owned() + "\n";
        let found: String = found.lines().map(comment).collect();
        fs::write(path, format!("{source}{MARK}{found}")).expect("to bless a case");
    } else {
        assert_eq!(found, expected, "{}: BLESS=1 takes the left for right", path.display());
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn faults_are_reported_as_expected() {
    for path in cases("faults") {
        let (source, expected) = read(&path);
        let name = file_name(&path);
        let faults = compile_str(&name, &source).expect_err(&name);
        check(&path, &source, &expected, &render(&name, &source, &faults));
    }
}

#[test]
fn faults_that_are_not_shown_are_told() {
    let faults = |count: usize, each: &str| {
        let text = format!("module m {{ interface I {{\n{} }}; }};", each.repeat(count));
        render("m.idl", &text, &compile_str("m.idl", &text).expect_err("faults"))
    };
    for each in ["  nope f();\n", "  long f(;\n"] {
        let shown = faults(100, each);
        assert!(shown.contains("49 other faults follow"), "{shown}");
        assert!(
            shown.trim_end().lines().last().is_some_and(|line| line.contains("no more than 50 faults")),
            "{shown}"
        );
        assert!(!faults(20, each).contains("no more than"));
    }
}

#[test]
fn modules_become_the_expected_descriptors_and_code() {
    for path in cases("modules") {
        let (source, expected) = read(&path);
        let sources = Sources::load(&path, &[]).expect("an interface file");
        let modules = compile(&sources).unwrap_or_else(|faults| panic!("{}", sources.render(&faults)));
        let [module] = modules.try_into().expect("one module");
        check(&path, &source, &expected, &dump(&module));
        let (code, path) = (generate_rust(&module), path.with_extension("rs"));
        if env::var_os("BLESS").is_some() {
            fs::write(&path, &code).expect("to bless generated code");
        }
        assert_eq!(code, fs::read_to_string(&path).expect("generated code"), "{}", path.display());
    }
}

/// Descriptors have no place of its own for it.
#[test]
fn what_is_said_of_parts_is_in_all_stubs_and_in_no_hash() {
    let text = "module m {
        /// Said of a type.
        typedef long Far;
        struct S {
            /// Said of a field,
            /// twice.
            Far a, b;
        };
        enum E { one,
            /// Said of a value.
            two };
        union U switch (E) {
            /// Said of an arm.
            case one: long c; };
        exception X {
            /// Said of a member.
            long d; };
        interface I {
            /// Said of a type within.
            typedef long Near;
            /// Said of an operation.
            U f(in S s,
                /// Said of a parameter.
                in E e) raises (X); }; };";
    let bare: String = text.lines().filter(|line| !line.trim().starts_with("///")).collect();
    let [said, bare] = [text, &bare].map(|text| compile_str("m.idl", text).expect("no faults"));
    assert_eq!(said.doc, "- `Far`: Said of a type.\n- `I::Near`: Said of a type within.");
    assert_eq!(said.structs[0].doc, "- `a`, `b`: Said of a field,\n  twice.");
    let operation = &said.interfaces[0].operations[0];
    assert_eq!(operation.doc, "Said of an operation.\n\n- `e`: Said of a parameter.");
    assert_eq!(operation.hash, bare.interfaces[0].operations[0].hash);
    let java: String = generate_java(&said).into_values().collect();
    for stubs in [generate_rust(&said), generate_c(&said), java] {
        for part in ["a field,", "a value.", "an arm.", "a member.", "an operation.", "a parameter."] {
            assert!(stubs.contains(&format!("Said of {part}")), "{part}: {stubs}");
        }
    }
}

/// Structs with many lists of structs with many lists, and so on: 30 to the power of 7 paths.
#[test]
fn structs_in_lists_are_written_out_once() {
    let mut text = "module m { struct S0 { long x; };\n".to_owned();
    for level in 1..=7 {
        let fields: String = (0..30).map(|at| format!("sequence<S{}, 2> f{at}; ", level - 1)).collect();
        text += &format!("struct S{level} {{ {fields}}};\n");
    }
    text += "interface I { S7 turned(in S7 s); }; };";
    let module = compile_str("m.idl", &text).expect("no faults");
    let (rust, c) = (generate_rust(&module), generate_c(&module));
    assert!(rust.len() < 500_000 && c.len() < 500_000, "{} bytes, {} bytes", rust.len(), c.len());
}

/// The most that stubs write out of one type.
#[test]
fn what_stubs_write_out_is_bounded() {
    let text = "module m {
        typedef sequence<long, 1> Longs; typedef Longs Lists[64];
        typedef sequence<Lists, 1> ListsOf; typedef ListsOf Most[7];
        interface I { void put(in Most a); }; };";
    let module = compile_str("m.idl", text).expect("no faults");
    let (rust, c) = (generate_rust(&module), generate_c(&module));
    assert!(rust.len() < 1_000_000 && c.len() < 1_000_000, "{} bytes, {} bytes", rust.len(), c.len());
}

/// Buffers of C are as large as the longest messages: lists in exceptions are packed there.
#[test]
fn exceptions_with_lists_take_what_they_are_packed_in() {
    let text =
        "module m { exception E { sequence<string<3>, 4> a; }; interface I { void f() raises (E); }; };";
    let code = generate_c(&compile_str("m.idl", text).expect("no faults"));
    // Both headers, a word, and what that refers to: the count, four words, and the texts, up to a word's end.
    let bytes = 16 + 16 + 8 + (8_usize + 4 * (8 + 3)).next_multiple_of(8);
    assert!(code.contains(&format!("_interfaces, 1, {bytes}\n")), "{code}");
}

#[test]
fn words_are_counted_as_they_are_flattened() {
    for path in cases("modules") {
        let modules = compile(&Sources::load(&path, &[]).expect("an interface file")).expect("no faults");
        for module in &modules {
            let operations = module.interfaces.iter().flat_map(|interface| &interface.operations);
            let params = operations.flat_map(|operation| &operation.params).map(|param| &param.ty);
            let arms = module.unions.iter().flat_map(|new| &new.arms).map(|arm| &arm.ty);
            let fields = module.structs.iter().flat_map(|new| &new.fields).map(|field| &field.ty);
            for ty in params.chain(arms).chain(fields) {
                let mut words = vec![];
                module.flatten(ty, &mut words);
                assert_eq!(module.word_count(ty), words.len(), "{}: {ty:?}", path.display());
            }
        }
    }
}

/// Each time its texts are looked through, and those of what is in it.
#[test]
fn a_union_is_turned_into_words_once() {
    let code = fs::read_to_string(cases("modules")[0].with_file_name("whole.rs")).expect("generated code");
    let made: Vec<&str> = code.lines().filter(|line| line.contains(".words()")).collect();
    assert!(made.len() > 8 && made.iter().all(|line| line.contains("copy_from_slice(")), "{made:#?}");
    let turned = made.iter().filter(|line| line.contains("d.words().given(\"Node.reshape\")"));
    assert_eq!(turned.count(), 1);
}

#[test]
fn every_rule_has_a_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = vec![folder.clone()];
    let mut codes = vec![];
    while let Some(path) = sources.pop() {
        if path.is_dir() {
            sources
                .extend(fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if !path.ends_with("diagnostic.rs") {
            let text = fs::read_to_string(path).expect("a source file");
            // Back ends report nothing by place; their pairs of texts are no codes.
            if text.contains("Diagnostic") {
                codes.extend(codes_of(&text));
            }
        }
    }
    assert!(codes.len() > 40, "found only {codes:?}");
    let expected: String = cases("faults").iter().map(|path| read(path).1).collect();
    codes.retain(|code| !expected.contains(&format!("[{code}]")));
    // Takes a text of more than 1 MiB: see `hostile.rs`.
    codes.retain(|code| code != "file-size" && code != "too-many-members");
    // Take several files: see `sources.rs`.
    codes.retain(|code| code != "include-cycle" && code != "too-many-files");
    assert!(codes.is_empty(), "no case shows {codes:?}");
}

/// Names of rules in a source file: texts of small letters that are the first argument of a constructor, or the
/// first of a pair.
fn codes_of(text: &str) -> Vec<String> {
    let starts = ["::error(\"", "::unsupported(\"", "=> (\"", "self.lookup(name, \""];
    let codes = starts.iter().flat_map(|start| text.split(start).skip(1));
    let codes = codes.filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    codes
        .filter(|code| !code.is_empty() && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'))
        .collect()
}

/// All of a descriptor but its documentation.
fn dump(module: &Module) -> String {
    let mut out = format!("module {} {:?}\n", module.name, module.version);
    for new in &module.enums {
        let _ = writeln!(out, "enum {} {:016x} {}", new.name, new.hash.0, new.values.join(" "));
    }
    for new in &module.structs {
        let _ = writeln!(out, "struct {} {{ {} }}", new.name, fields(&new.fields));
    }
    for new in &module.exceptions {
        let _ = writeln!(out, "exception {} {{ {} }}", new.name, fields(&new.members));
    }
    for new in &module.unions {
        let arm = |arm: &Arm| format!("{:?} {}: {:?}", arm.labels, arm.name, arm.ty);
        let arms: Vec<String> = new.arms.iter().map(arm).collect();
        let _ =
            writeln!(out, "union {} {:?} {{ {} }} {:?}", new.name, new.switch, arms.join("; "), new.shape);
    }
    for new in &module.constants {
        let _ = writeln!(out, "const {} {:?} = {:?}", new.name, new.ty, new.value);
    }
    for new in &module.interfaces {
        dump_interface(new, &mut out);
    }
    out
}

fn fields(fields: &[Field]) -> String {
    fields.iter().map(|f| format!("{}: {:?}", f.name, f.ty)).collect::<Vec<String>>().join(", ")
}

fn dump_interface(interface: &Interface, out: &mut String) {
    let argument = interface.argument.map_or(String::new(), |number| format!(" argument {number}"));
    let base = interface.base.map_or(String::new(), |id| format!(" base {} ({})", id.0, interface.inherited));
    let _ = writeln!(out, "interface {} {:016x}{base}{argument}", interface.name, interface.hash.0);
    for (number, operation) in interface.operations.iter().enumerate() {
        let _ = writeln!(out, "  {number} {} {:016x}{}", operation.name, operation.hash.0, marks(operation));
        let Layout { ins, inouts, outs, short, turned, brings: _ } = &operation.layout;
        let short = short.map_or(String::new(), |short| format!(" short {short:?}"));
        let turned = turned.map_or(String::new(), |at| format!(" turned {at}"));
        let (ins, inouts, outs) = (words(ins), words(inouts), words(outs));
        let _ = writeln!(out, "    in [{ins}] inout [{inouts}] out [{outs}]{short}{turned}");
    }
}

fn marks(operation: &Operation) -> String {
    let mut marks = String::new();
    let mut mark = |is_set: bool, text: &str| marks.push_str(if is_set { text } else { "" });
    mark(operation.effect == Effect::Reads, " reads");
    mark(operation.idempotent, " idempotent");
    mark(operation.blocks, " blocks");
    mark(operation.oneway, " oneway");
    mark(!operation.raises.is_empty(), &format!(" raises {:?}", operation.raises));
    mark(true, &operation.paged.map_or(String::new(), |paged| format!(" {paged:?}")));
    mark(true, &operation.cost.map_or(String::new(), |cost| format!(" cost {cost}")));
    mark(true, &operation.does.as_ref().map_or(String::new(), |does| format!(" does {does:?}")));
    marks
}

fn words(words: &[Word]) -> String {
    words.iter().map(word).collect::<Vec<String>>().join(" ")
}

fn word(word: &Word) -> String {
    match word {
        Word::Bool => "bool".to_owned(),
        Word::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
        Word::Float { bits } => format!("f{bits}"),
        Word::Enum(id) => format!("enum#{}", id.0),
        Word::String { max } => format!("string<{max}>"),
        Word::Bytes { max } => format!("bytes<{max}>"),
        Word::List { element, max } => format!("list<{}; {max}>", words(element)),
        Word::Portal(id) => format!("portal#{}", id.0),
    }
}
