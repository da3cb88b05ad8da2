//! Texts and descriptors from people who mean no good: nothing panics, and nothing costs more than its size.

use carnet_idl::descriptor::Module;
use carnet_idl::diagnostic::render;
use carnet_idl::{DecodeError, compile_str, decode, encode, generate_rust, limits};
use proptest::prelude::*;

const FILES: &str = include_str!("../../services/files/files.idl");
const EVERYTHING: &str = include_str!("cases/modules/everything.idl");
const WHOLE: &str = include_str!("cases/modules/whole.idl");

/// Whatever comes out of it must be of use: faults can be shown, modules survive encoding and make code.
fn swallow(text: &str) -> Option<Module> {
    match compile_str("x.idl", text) {
        Ok(module) => {
            assert_eq!(decode(&encode(&module)).as_ref(), Ok(&module));
            assert!(!generate_rust(&module).is_empty());
            Some(module)
        }
        Err(faults) => {
            assert!(!faults.is_empty() && faults.len() <= limits::FAULTS_MAX);
            assert!(render("x.idl", text, &faults).contains("--> x.idl:"));
            None
        }
    }
}

/// A word of the language, or something like one.
fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "module",
        "interface",
        "struct",
        "enum",
        "exception",
        "typedef",
        "const",
        "in",
        "out",
        "inout",
        "raises",
        "void",
        "boolean",
        "octet",
        "short",
        "long",
        "unsigned",
        "string",
        "sequence",
        "Kind",
        "Entry",
        "Dir",
        "n",
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        "<<",
        ">>",
        ",",
        ";",
        "::",
        ":",
        "=",
        "+",
        "-",
        "*",
        "/",
        "|",
        "[",
        "]",
        "@reads",
        "@paged",
        "@cost(bytes = n)",
        "@does(\"a\", \"b\", \"c\")",
        "@argument",
        "0",
        "1",
        "4096",
        "0xffffffffffffffff",
        "\"text\"",
        "\"",
        "'c'",
        "// c\n",
        "/// d\n",
        "/* b */",
        "/*",
        "\n",
        "ü",
        "\0",
        "#",
        "1.5",
        "_x",
        "union",
        "switch",
        "case",
        "default",
        "attribute",
        "readonly",
        "oneway",
        "char",
        "double",
        "int8",
        "uint64",
        "size_is",
        "int",
        "~",
        "^",
        "%",
        "1e400",
        "TRUE",
        "'\\x41'",
        "[2]",
        "[in]",
        "[in, size_is(n)]",
        "#include \"x.idl\"\n",
        "m::",
    ])
}

/// A valid module: every enum, struct and operation uses what was made before it.
fn module_text() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "boolean",
        "octet",
        "short",
        "unsigned short",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "Kind",
    ]);
    let field = prop_oneof![
        scalar.clone().prop_map(str::to_owned),
        (1..5000_u32).prop_map(|max| format!("string<{max}>")),
        (1..5000_u32).prop_map(|max| format!("sequence<octet, {max}>")),
    ];
    let param = prop_oneof![
        field.clone(),
        Just("S0".to_owned()),
        Just("I".to_owned()),
        (field.clone(), 1..100_u32)
            .prop_filter("bytes", |(of, _)| of != "octet")
            .prop_map(|(of, max)| format!("sequence<{of}, {max}>")),
        (1..100_u32).prop_map(|max| format!("sequence<S0, {max}>")),
    ];
    let params = prop::collection::vec((prop::bool::ANY, param.clone()), 0..5);
    let operation = (prop::option::of(param.clone()), params, prop::option::of(param), prop::bool::ANY);
    let fields = prop::collection::vec(field, 1..6);
    let structs = prop::collection::vec(fields, 1..4);
    (structs, prop::collection::vec(operation, 0..8)).prop_map(|(structs, operations)| {
        let mut text = String::from("/// d\n@version(\"1\") module m { enum Kind { a, b };\n");
        text += "exception E { Kind kind; string<9> message; };\n";
        for (number, fields) in structs.iter().enumerate().rev() {
            let fields: String = fields.iter().enumerate().map(|(i, ty)| format!("{ty} f{i}; ")).collect();
            text += &format!("struct S{number} {{ {fields}}};\n");
        }
        text += "interface I {\n";
        for (number, (result, params, inout, raises)) in operations.iter().enumerate() {
            let mut all: Vec<String> = vec![];
            for (index, (is_in, ty)) in params.iter().enumerate() {
                all.push(format!("{} {ty} p{index}", if *is_in { "in" } else { "out" }));
            }
            all.extend(inout.iter().map(|ty| format!("inout {ty} both")));
            let (result, raises) =
                (result.as_deref().unwrap_or("void"), if *raises { "raises (E)" } else { "" });
            text += &format!("  @idempotent {result} o{number}({}) {raises};\n", all.join(", "));
        }
        text + "};\n};\n"
    })
}

proptest! {
    #[test]
    fn any_text_is_answered(text in ".{0,300}") {
        swallow(&text);
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        swallow(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words_are_answered(words in prop::collection::vec(token(), 0..120)) {
        swallow(&words.join(" "));
        swallow(&format!("module m {{ {} }};", words.join(" ")));
        swallow(&format!("module m {{ interface I {{ {} }}; }};", words.join(" ")));
    }

    #[test]
    fn changed_files_are_answered(
        changes in prop::collection::vec((any::<prop::sample::Index>(), token(), 0..9_usize), 1..5),
        is_whole: bool,
    ) {
        let mut text: Vec<char> = if is_whole { WHOLE } else { FILES }.chars().collect();
        for (at, token, cut) in &changes {
            let at = at.index(text.len());
            let end = (at + cut).min(text.len());
            text.splice(at..end, token.chars());
        }
        swallow(&text.into_iter().collect::<String>());
    }

    #[test]
    fn valid_modules_survive_encoding(text in module_text()) {
        match compile_str("m.idl", &text) {
            Ok(module) => prop_assert_eq!(decode(&encode(&module)), Ok(module)),
            // The only rule that these modules can break.
            Err(faults) => prop_assert!(faults.iter().all(|fault| fault.code == "block-size"), "{faults:?}"),
        }
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode(&bytes);
        for version in [3, 4] {
            let _ = decode(&[b"carnet-idl", &[version][..], &bytes].concat());
        }
    }

    /// Bits flipped, bytes cut out, put in, doubled: what is still accepted keeps all rules, so that encoding it again
    /// gives the same bytes.
    #[test]
    fn changed_descriptors_are_decoded_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..4),
        is_whole: bool,
    ) {
        let mut bytes = encode(&compile_str("x.idl", if is_whole { WHOLE } else { EVERYTHING }).unwrap());
        for (at, value, kind) in changes {
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] ^= 1 << (value % 8),
                1 => bytes[at] = value,
                2 => bytes.insert(at, value),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(module) = decode(&bytes) {
            prop_assert_eq!(encode(&module), bytes);
            prop_assert!(!generate_rust(&module).is_empty());
        }
    }
}

#[test]
fn every_cut_descriptor_is_refused() {
    let bytes = encode(&compile_str("x.idl", FILES).unwrap());
    for len in 0..bytes.len() {
        assert!(decode(&bytes[..len]).is_err(), "cut to {len} bytes");
    }
    assert_eq!(decode(&[&bytes[..], b"\0"].concat()), Err(DecodeError::Length));
    assert_eq!(decode(&vec![0; limits::ENCODED_MAX + 1]), Err(DecodeError::TooLarge));
}

/// A descriptor says the first version that has what is in it, so that whoever knows less says that it is newer, and reads all others.
#[test]
fn a_descriptor_of_another_version_is_told() {
    let of = |marks: &str| format!("module m {{ interface I {{ {marks} long next(); }}; }};");
    let [plain, once] =
        ["@reads", "@reads @once"].map(|marks| encode(&compile_str("m.idl", &of(marks)).unwrap()));
    let at = b"carnet-idl".len();
    assert_eq!([plain[at], once[at]], [3, 4]);
    assert_eq!(encode(&decode(&plain).unwrap()), plain);
    assert!(decode(&once).unwrap().interfaces[0].operations[0].once);
    let with = |bytes: &[u8], version: u8| {
        let mut bytes = bytes.to_vec();
        bytes[at] = version;
        decode(&bytes)
    };
    for version in [0, 1, 2, 5, 255] {
        assert_eq!(with(&once, version), Err(DecodeError::Version(version)));
    }
    assert_eq!(
        DecodeError::Version(5).to_string(),
        "a descriptor of version 5; versions 3 and 4 are known here"
    );
    for wrong in [with(&once, 3), with(&plain, 4)] {
        assert_eq!(wrong, Err(DecodeError::Invalid("version")));
    }
    assert_eq!(decode(&[b"Carnet-idl\x03", &plain[at + 1..]].concat()), Err(DecodeError::NotADescriptor));
}

/// Structs that hold the one before twice: without a check of sizes, 2^n words.
#[test]
fn structs_do_not_explode() {
    let mut text = String::from("module m { struct S0 { long a; };\n");
    for number in 1..2000 {
        let before = number - 1;
        text += &format!("struct S{number} {{ S{before} a; S{before} b; }};\n");
    }
    let faults = compile_str("x.idl", &(text + "};")).unwrap_err();
    assert!(faults.iter().any(|fault| fault.code == "struct-size"));
}

/// 1 MiB of what a careless compiler takes squared time, memory or stack for. Squared, each would take hours.
#[test]
fn large_texts_cost_no_more_than_their_size() {
    let wrap = |inner: &str| format!("module m {{ {inner} }};");
    let fill = |unit: &str| unit.repeat((limits::TEXT_MAX - 100) / unit.len());
    let fill_half = |unit: &str| unit.repeat((limits::TEXT_MAX / 2 - 100) / unit.len());
    // As long as the others, with so many that differ.
    let wide = |count: usize, unit: &str| {
        let text: String = (0..count).map(|n| unit.replace("{n}", &n.to_string())).collect();
        let blanks = " ".repeat(limits::TEXT_MAX - 300 - text.len());
        text + &blanks
    };
    let numbered = |unit: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for number in 0.. {
            let next = unit(number);
            if text.len() + next.len() > limits::TEXT_MAX - 100 {
                break;
            }
            text += &next;
        }
        text
    };
    let texts = [
        fill("("),
        fill("<"),
        fill("/*"),
        fill("\""),
        fill("'"),
        fill("'\\"),
        fill("\"\\"),
        fill("@"),
        fill("@a("),
        fill("///\n"),
        fill("€"),
        fill("module m {"),
        fill("\n"),
        fill("a"),
        fill("1"),
        fill("#\n"),
        wrap(&fill("}")),
        wrap(&fill("{")),
        wrap(&fill(";")),
        wrap(&fill("struct S {")),
        wrap(&fill("/// d\n")),
        wrap(&fill("@reads ")),
        wrap(&fill("const long A = 1;")),
        wrap(&fill("struct S { long a; };")),
        wrap(&format!("const long A = {}1;", fill("("))),
        wrap(&format!("const long A = {}1;", fill("- "))),
        wrap(&format!("const long A = {}1;", fill("1+"))),
        wrap(&format!("enum E {{ {} }};", fill("a,"))),
        wrap(&format!("typedef {} T;", fill("sequence<"))),
        wrap(&format!("struct S {{ {} }};", fill("T a;"))),
        wrap(&format!("interface I {{ {} }};", fill("void f();"))),
        wrap(&format!("interface I {{ void f({}); }};", fill("in T a,"))),
        wrap(&format!("interface I {{ {} void f(); }};", fill("@reads "))),
        wrap(&numbered(&|n| format!("const long A{n} = A{};", n + 1))),
        wrap(&numbered(&|n| format!("const long A{n} = {n};"))),
        wrap(&numbered(&|n| format!("typedef T{} T{n};", n + 1))),
        wrap(&numbered(&|n| format!("struct S{n} {{ S{} a; }};", n + 1))),
        wrap(&numbered(&|n| format!("interface I{n} {{ }};"))),
        wrap(&numbered(&|n| format!("struct S{n} {{ Unknown{n} a; }};"))),
        wrap(&format!("interface I {{ {} }};", numbered(&|n| format!("void f{n}(in T{n} a);")))),
        wrap(&format!("enum E {{ {} a }};", numbered(&|n| format!("a{n},")))),
        wrap(&format!(
            "interface I0 {{ }}; {}",
            numbered(&|n| format!("interface I{} : I{n} {{ }};", n + 1))
        )),
        wrap(&format!(
            "interface A {{ {} }}; interface B : A {{}}; interface C : B {{}};",
            wide(2100, "void f{n}();")
        )),
        wrap(&format!("struct S {{ {} a; }};", fill("long a[2][2], "))),
        wrap(&format!("struct S {{ long {} a; }};", fill("a,"))),
        wrap(&format!("struct S {{ sequence<long, {}1> {} a; }};", fill_half("1+"), fill_half("a,"))),
        wrap(&format!("typedef {} T;", fill("A::"))),
        wrap(&format!("union U switch (long) {{ {} }};", fill("case 1: long a;"))),
        wrap(&format!("union U switch (long) {{ {} long a; }};", fill("case 1:"))),
        wrap(&format!("union U switch (long) {{ {} }};", numbered(&|n| format!("case {n}: long a{n};")))),
        wrap(&numbered(&|n| format!("union U{n} switch (long) {{ case 1: U{} a; }};", n + 1))),
        wrap(&format!("interface I {{ void f() raises ({}E); }};", fill("E,"))),
        wrap(&format!("interface I {{ readonly attribute long a raises ({}E); }};", fill("E,"))),
        wrap(&format!("interface I {{ {} }};", fill("attribute long a;"))),
        wrap(&format!("interface I {{ void f([in] int a{}); }};", fill(",b"))),
        wrap(&fill("module a {")),
        wrap(&numbered(&|n| format!("module a{n} {{}};"))),
        fill("/// d\nmodule m {};") + "module",
        numbered(&|n| format!("module a{n} {{}};")),
        fill("#include \"x\"\n"),
        format!("const string A = {}", fill("\"a\" ")),
    ];
    for text in &texts {
        assert!(text.len() <= limits::TEXT_MAX && text.len() > limits::TEXT_MAX / 2);
        let Err(faults) = compile_str("x.idl", text) else { panic!("{} is right", &text[..60]) };
        let shown = render("x.idl", text, &faults);
        assert!(shown.len() < 100_000, "{} bytes of faults for {}…", shown.len(), &text[..60]);
    }
    let large = compile_str("x.idl", &" ".repeat(limits::TEXT_MAX + 1)).unwrap_err();
    assert_eq!(large[0].code, "file-size");
}

/// As many members as there may be: the largest modules that are accepted.
#[test]
fn the_largest_modules_are_compiled() {
    let some = |count: usize, start: &str, unit: &dyn Fn(usize) -> String, end: &str| {
        let text: String = (0..count).map(unit).collect();
        format!("module m {{ {start}{text}{end} }};")
    };
    let many = |start: &str, unit: &dyn Fn(usize) -> String, end: &str| some(4000, start, unit, end);
    let interfaces =
        |count: usize| some(count, "", &|n| format!("interface I{n} {{ I{} f(); }};", count - 1 - n), "");
    let texts = [
        many("", &|n| format!("struct S{n} {{ long a; }};"), ""),
        many("interface I {", &|n| format!("void f{n}(in long a);"), "};"),
        many("enum E {", &|n| format!("a{n},"), "};"),
        interfaces(2200),
    ];
    for text in &texts {
        assert!(swallow(text).is_some(), "{}…", &text[..60]);
    }
    // Of more, no server would hear its client out.
    let faults = compile_str("x.idl", &interfaces(2300)).unwrap_err();
    assert_eq!((faults.len(), faults[0].code), (1, "too-many"));
}
