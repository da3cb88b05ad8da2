//! Files laid out: golden texts, the files of this repository, and any text that can be read.

use std::path::Path;
use std::{env, fs};

use carnet_idl::{compile_str, format};
use proptest::prelude::*;

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}

/// Laid out twice is laid out once, and means the same.
fn check(text: &str) -> String {
    let once = format("x.idl", text).expect("no faults of syntax");
    let twice = format("x.idl", &once).unwrap_or_else(|faults| panic!("{once}\n{faults:?}"));
    assert_eq!(twice, once, "of\n{text}");
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(letters(&once), letters(text));
    if let Ok(module) = compile_str("x.idl", text) {
        assert_eq!(compile_str("x.idl", &once), Ok(module));
    }
    once
}

#[test]
fn a_file_is_laid_out_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/format");
    let (source, golden) = (folder.join("before.idl"), folder.join("after.idl"));
    let found = check(&read(&source));
    if env::var_os("BLESS").is_some() {
        fs::write(&golden, &found).expect("to bless");
    }
    assert_eq!(found, read(&golden));
}

#[test]
fn the_files_of_this_repository_keep_their_meaning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in
        ["../services/files/files.idl", "tests/cases/modules/everything.idl", "tests/cases/modules/whole.idl"]
    {
        let text = read(&root.join(path));
        check(text.split("//--- expected").next().unwrap_or_default());
    }
}

#[test]
fn all_lines_end_alike() {
    let text = "/// What it is.\r\nmodule m {\r\n  /* one\r\n     two */ interface I { // three\r\n /* four\r\n */ };\r\n};\r\n";
    assert_eq!(check(text), check(&text.replace('\r', "")));
    assert!(!check(text).contains('\r'));
}

#[test]
fn a_file_with_faults_is_left_alone() {
    let faults = format("x.idl", "module m { interface I { void f() } };").expect_err("a fault");
    assert_eq!(faults[0].code, "syntax");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Blanks, ends of lines and comments anywhere between tokens.
    #[test]
    fn any_layout_of_a_text_is_laid_out(gaps in proptest::collection::vec(0..12_usize, 1..60)) {
        let tokens = "module m { const long N = - ( 1 << 3 ) * 2 | ~ 4 ; enum E { a , b } ; struct S { \
            string < 8 > x ; sequence < sequence_of , ( 16 >> 1 ) > y [ 3 ] ; } ; union U switch ( E ) { case a : long p ; \
            default : :: m :: S q ; } ; @reads @cost ( bytes = n ) interface I : J :: K { oneway void f ( in E e , inout ::m::S s ) \
            raises ( A , B ) ; int g ( [ in , size_is ( n ) ] int * d , [ in ] int n ) ; attribute long t , v ; } ; \
            interface Empty { } ; } ;";
        let fillers = [
            " ", "\n", "\n\n\n", " // c\n", "\n// c\n", " /* c */ ", "\t", "\n/* c\n d */\n", "\r\n", " // c\r\n", "/**/ ", " //\n",
        ];
        let mut text = String::new();
        for (at, token) in tokens.split_whitespace().enumerate() {
            text.push_str(token);
            // `<<` and `>>` are two tokens that stand together.
            text.push_str(fillers[gaps[at % gaps.len()]]);
        }
        if format("x.idl", &text).is_ok() {
            check(&text);
        } else {
            prop_assert!(false, "{:?}", format("x.idl", &text));
        }
    }
}
