//! Random, mutated and adversarial sources: no panic, no endless work, and faults that can be shown.

use crate::{MODULES, SHIPPED, print};
use carnet_idl::diagnostic::render;
use carnet_program::compile::compile;
use carnet_program::source::{self, SOURCE_BYTES_MAX};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Far more than the largest source takes, also without optimisation on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Words that mean something, so that soups of them get past the lexer.
const WORDS: &[&str] = &[
    "use",
    "files",
    "const",
    "record",
    "fn",
    "program",
    "let",
    "var",
    "if",
    "else",
    "while",
    "for",
    "in",
    "sort",
    "by",
    "try",
    "return",
    "break",
    "continue",
    "fail",
    "true",
    "false",
    "limit",
    "at",
    "most",
    "writes",
    "time",
    "started",
    "error",
    "kind",
    "message",
    "int",
    "bool",
    "string",
    "bytes",
    "list",
    "Dir",
    "File",
    "Entry",
    "Kind",
    "dir",
    "root",
    "open",
    "list",
    "remove",
    "add",
    "len",
    "x",
    "y",
    "f",
    "R",
    "0",
    "1",
    "5s",
    "10MiB",
    "9223372036854775808",
    "\"a\"",
    "\"\"",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    ".",
    "..",
    "->",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    "+",
    "+=",
    "-",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "!",
    "\n",
    "\n",
    "#",
    "\0",
    "é",
    "\"",
    "'",
    ";",
];

/// Parses and shows what came of it.
fn survive(text: &str) {
    match source::parse(text, &MODULES) {
        Ok(tree) => assert!(!print::tree(&tree).is_empty()),
        Err(faults) => {
            assert!((1..=50).contains(&faults.len()), "{} faults", faults.len());
            assert!(faults.is_sorted_by_key(|fault| fault.span.start));
            assert!(
                faults.iter().all(|fault| fault.span.start <= fault.span.end && !fault.message.is_empty())
            );
            assert!(!render("random.carnet", text, &faults).is_empty());
        }
    }
}

fn within_patience(text: &str) {
    let text = &text[..text.floor_char_boundary(SOURCE_BYTES_MAX)];
    let begin = Instant::now();
    survive(text);
    let taken = begin.elapsed();
    assert!(taken < PATIENCE, "{taken:?} for {} bytes that begin with {:?}", text.len(), &text[..60]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        match source::decode(&bytes) {
            Ok(text) => survive(text),
            Err(not_text) => {
                prop_assert!(!render("x", &not_text.shown, &[not_text.fault]).is_empty());
                survive(&String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn soups_of_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..120)) {
        survive(&words.join(" "));
    }

    #[test]
    fn soups_of_words_in_a_program(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        survive(&format!("use files\nprogram p(root: Dir, x: int) -> int {{\n{}\n}}", words.join(" ")));
    }

    /// Words of a good program are taken away, doubled, exchanged or replaced.
    #[test]
    fn mutated_programs(
        which in 0..SHIPPED.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, prop::sample::select(WORDS)), 1..6),
    ) {
        let mut words: Vec<&str> = SHIPPED[which].1.split_inclusive([' ', '\n', '(', ')', '.', ',']).collect();
        for (at, edit, word) in edits {
            let at = at.index(words.len());
            match edit {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[at]),
                2 => {
                    let next = (at + 1) % words.len();
                    words.swap(at, next);
                }
                _ => words[at] = word,
            }
            if words.is_empty() {
                break;
            }
        }
        survive(&words.concat());
    }

    /// Every byte of a good program may be cut off or flipped.
    #[test]
    fn flipped_bytes(which in 0..SHIPPED.len(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let text = SHIPPED[which].1;
        let at = at.index(text.len());
        survive(&String::from_utf8_lossy(&text.as_bytes()[..at]));
        let mut bytes = text.as_bytes().to_vec();
        bytes[at] = byte;
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_arguments(given in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..6)) {
        let tree = source::parse("use files program p(a: int, b: Kind, c: string(3), d: Dir) {}", &MODULES);
        let tree = tree.expect("it is right");
        prop_assert!(source::args::args(&tree, &given).is_err());
        let named: Vec<Vec<u8>> = given.iter().map(|value| [b"a=", value.as_slice()].concat()).collect();
        prop_assert!(source::args::args(&tree, &named).is_err());
    }
}

/// `unit` as often as fits between the two others.
fn repeated(before: &str, unit: &str, after: &str, bytes: usize) -> String {
    format!("{before}{}{after}", unit.repeat((bytes - before.len() - after.len()) / unit.len()))
}

/// Beginnings of things, things, and ends of things.
const UNITS: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "-",
    "!",
    "x",
    "x ",
    "x.",
    "x(",
    "x[0]",
    "1+",
    "x + x + ",
    "\"",
    "\"a\"+",
    "\n",
    "#",
    "é",
    "\\",
    "let a = (",
    "if x { ",
    "if x > 0 { } else ",
    "else if x ",
    "while true { ",
    "for i in 0 .. 5 { ",
    "return ",
    "try ",
    "list(",
    "let y = x\n",
    "x += 1\n",
    "x = ",
    "fail \"a\"\n",
    "1KiB ",
    "@ ",
    "; ",
    "unknown()\n",
    "a: b, ",
];

#[test]
fn the_largest_sources_take_bounded_time() {
    for unit in UNITS {
        within_patience(&repeated("program p(x: int) -> int {\n", unit, "\nreturn 0 }", SOURCE_BYTES_MAX));
        for before in ["", "record R { ", "const A = ", "program p("] {
            within_patience(&repeated(before, unit, "", SOURCE_BYTES_MAX / 16));
        }
    }
}

/// A chain is one level, however long it is: what it comes to is an answer or a limit, on a thread with little stack.
#[test]
fn the_longest_chains_need_no_stack() {
    let too_many = "the program is too large: more than 65536 instructions";
    let check = move |before: &str, unit: &str, after: &str, wanted: &str| {
        let before =
            format!("program p(x: int, t: bool, s: string) {{\n var n = x var u = t var r = s\n{before}");
        let begin = Instant::now();
        let refused = source::parse(&repeated(&before, unit, after, 1 << 20), &MODULES).expect_err("1 MiB");
        assert_eq!(refused[0].code, "too-large");
        let text = repeated(&before, unit, after, SOURCE_BYTES_MAX);
        let tree = source::parse(&text, &MODULES).unwrap_or_else(|faults| panic!("{unit}: {faults:?}"));
        assert!(!print::tree(&tree).is_empty() && !format!("{tree:?}").is_empty());
        assert!(tree.clone() == tree);
        let compiled = compile(&tree).map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(compiled, wanted, "{unit}");
        assert!(begin.elapsed() < PATIENCE, "{unit}: {:?}", begin.elapsed());
    };
    let run = move || {
        check("n = 1", "+1", "}", "");
        check("n = 1", " - 1 * 2", "}", "");
        check("u = true", " && true", "}", "");
        check("r = \"\"", "+\"\"", "}", "");
        check("n = x", "+x", "}", too_many);
        check("n = x", "-r.len", "}", too_many);
        check("n = x", "+x*x/x", "}", "the program is too large: more than 65535 variables");
        check("u = t", "||t", "}", too_many);
        check("u = t", "&&t||t", "}", too_many);
        check("r = s", "+s", "}", too_many);
        check("if t {}", "else if t {}", "}", "");
        check("if t {}", "else if t {n=x}", "else{}}", "");
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
}

/// What stands in a chain behind as many faults as are shown is not looked at.
#[test]
fn chains_of_faults_take_bounded_time() {
    let names: String = (0..4000).map(|at| format!("let unknowm{at} = 0\n")).collect();
    for (before, unit) in [
        ("n = x", "+unknown"),
        ("n = x", "+t"),
        ("u = t", "&&x"),
        ("if t {}", "else if unknown {}"),
        ("if t {}", "else if t {n=t}"),
    ] {
        let before = format!("program p(x: int, t: bool) {{\n var n = x var u = t\n{names}{before}");
        within_patience(&repeated(&before, unit, "}", SOURCE_BYTES_MAX));
    }
}

/// The largest source with such lines, `@` being their number and `&` the next.
fn numbered(before: &str, line: &str, after: &str) -> String {
    let mut text = before.to_owned();
    for at in 0..SOURCE_BYTES_MAX {
        let next = line.replace('@', &at.to_string()).replace('&', &(at + 1).to_string());
        if text.len() + next.len() + after.len() > SOURCE_BYTES_MAX {
            break;
        }
        text.push_str(&next);
    }
    text + after
}

#[test]
fn many_names_take_bounded_time() {
    let program = "program p() { }";
    for (before, line, after) in [
        ("", "const C@ = @\n", program),
        ("const C0 = 1\n", "const C& = C@ + C@\n", program),
        ("const C0 = \"a\"\n", "const C& = C@ + C@\n", program),
        ("record R0 { x: int }\n", "record R& { a: R@ }\n", program),
        ("record R0 { x: int }\n", "record R& { a: R@, b: R@ }\n", program),
        ("fn f0() { }\n", "fn f&() { f@() }\n", program),
        ("fn f0() { }\n", "fn f&() { f@() f@() }\n", program),
        ("", "record R@ { x: int }\n", "program p(x: R999999) {}"),
        ("program p() {\n", "var v@ = 0\n", "w1 = 0 }"),
        ("program p() {\n", "if true { var v@ = 0 }\n", "w1 = 0 }"),
        ("record R { x: int, ", "f@: int, ", "} program p() { let r = R(y: 0) }"),
    ] {
        within_patience(&numbered(before, line, after));
    }
}

/// A record of many fields that is made at many places.
#[test]
fn fields_left_out_are_charged() {
    let fields: Vec<String> = (0..1000).map(|at| format!("f{at}: int")).collect();
    let text = format!(
        "record R {{ {} }}\nprogram p() {{\n var r = R()\n{} }}",
        fields.join(", "),
        "r = R()\n".repeat(20_000)
    );
    let faults = source::parse(&text, &MODULES).expect_err("it grows to 20,000,000 values");
    assert_eq!(faults[0].code, "too-large");
}

/// As deep as the language allows: walking such a tree needs no more stack than a thread has.
#[test]
fn the_deepest_programs_are_accepted() {
    let deepest = (1..200)
        .map(|depth| format!("program p(x: bool) {{ {}{} }}", "if x { ".repeat(depth), "}".repeat(depth)));
    let last = deepest.take_while(|text| source::parse(text, &MODULES).is_ok()).last().expect("one is right");
    survive(&last.replacen("{ }", &format!("{{ if {}x {{ }} }}", "!".repeat(90)), 1));
    let called = |calls: usize| {
        let body = format!("return {}x", "!".repeat(60));
        let first = format!("fn f0(x: bool) -> bool {{ {body} }}\n");
        let more = (0..calls).map(|at| format!("fn f{}(x: bool) -> bool {{ return !!!f{at}(x) }}\n", at + 1));
        format!("{first}{}program p() -> bool {{ return f{calls}(true) }}", more.collect::<String>())
    };
    let last = (1..100).map(called).take_while(|text| source::parse(text, &MODULES).is_ok()).last();
    survive(&last.expect("one call is right"));
}

/// Each function calls the one before in an argument: depth adds up as well as size.
#[test]
fn expansion_is_bounded_in_size_and_depth() {
    for (body, code) in [("f@(x)", "too-deep"), ("f@(f@(x))", "too-large"), ("f@(x) + f@(x)", "too-large")] {
        let mut text = String::from("fn f0(x: int) -> int { return x }\n");
        for at in 0..3000_usize {
            let body = body.replace('@', &at.to_string());
            text.push_str(&format!("fn f{}(x: int) -> int {{ return {body} }}\n", at + 1));
        }
        text.push_str("program p() -> int { return f3000(1) }");
        let faults = source::parse(&text, &MODULES).expect_err("it grows without bound");
        assert_eq!(faults[0].code, code, "{faults:?}");
        assert!(faults.len() < 5, "{faults:?}");
    }
}

/// A large text that is used at many places is charged for each of them.
#[test]
fn copies_of_large_constants_are_bounded() {
    let text = format!(
        "use files\nconst T = \"{}\"\nfn f(s: string) {{ }}\nprogram p() {{ {} }}",
        "a".repeat(4000),
        "f(T) ".repeat(20_000)
    );
    let faults = source::parse(&text, &MODULES).expect_err("it grows to 80 MB");
    assert_eq!(faults[0].code, "too-large");
}

/// What is most of it is named, wherever the limit is reached.
#[test]
fn a_program_that_grows_too_large_is_told_by_what() {
    let desk = carnet_idl::compile_str("desk.idl", include_str!("../engines/desk.idl"));
    let modules = [Arc::new(desk.expect("it is right"))];
    let fields = (0..18).map(|k| format!("f{k}: int")).collect::<Vec<_>>().join(", ");
    for (times, text, when) in [
        (20_000, "f(1)", "its functions are expanded"),
        (2_000, "g(T)", "the texts of its constants are put where they are named"),
        (9_000, "if true { let r = R() }", "fields that are left out are filled in"),
        (22_000, "a=Any(n:1)", "its unions are written out"),
        (8_700, "match a{n(n){}s(s){}else{}}", "its unions are written out"),
        (7_000, "if true { let e = three[at] }", "elements of its arrays are chosen"),
    ] {
        let program = |times: usize| {
            format!(
                "use desk\nconst T = \"{}\"\nrecord R {{ {fields} }}\n\
                 fn f(x: int) -> int {{ return x + x + x + x + x + x + x + x }}\nfn g(s: string) {{ }}\n\
                 program p(d: Desk, at: int) {{\nlet three = d.three(1)\nvar a = Any(n: 1)\n\
                 if true {{ let n = f(1) + f(2) }}\n{}}}",
                "a".repeat(2_000),
                format!("{text}\n").repeat(times),
            )
        };
        let few = source::parse(&program(3), &modules);
        assert!(few.is_ok(), "{text}: {:?}", few.err());
        let Err(faults) = source::parse(&program(times), &modules) else { panic!("{text} does not grow") };
        assert_eq!(faults.len(), 1, "{text}: {faults:?}");
        let expected = format!("the program grows too large when {when}");
        assert_eq!((faults[0].code, faults[0].message.as_str()), ("too-large", expected.as_str()), "{text}");
    }
}

/// Of each thing there are at most 65,535.
#[test]
fn more_variables_than_an_index_counts() {
    let text = format!("program p() {{ {} }}", "if true { let x = 1 }\n".repeat(11_000));
    assert!(source::parse(&text, &MODULES).is_ok());
    let text = format!("fn g(x: int, y: int) {{ }}\nprogram p() {{ {} }}", "g(1,1)\n".repeat(33_000));
    let faults = source::parse(&text, &MODULES).expect_err("there are 66,000 variables");
    assert_eq!(faults[0].code, "too-large");
}
