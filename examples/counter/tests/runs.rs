//! The example prints what `expected.txt` holds, which the book shows. `BLESS=1` writes it anew.

use std::path::Path;
use std::process::Command;

#[test]
fn it_prints_what_the_book_shows() {
    let directory = tempfile::tempdir().expect("a directory for the socket");
    let address = format!("unix:{}", directory.path().join("s").display());
    let output = Command::new(env!("CARGO_BIN_EXE_carnet-example-counter"))
        .arg(&address)
        .output()
        .expect("the example starts");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{shown}\n{}", String::from_utf8_lossy(&output.stderr));
    let shown: String = shown.lines().map(|line| masked(line) + "\n").collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &shown).expect("the expected text is written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(shown, expected, "the example prints something else; BLESS=1 accepts it");
}

/// Hashes and counts of instructions change with every detail of the compiler.
fn masked(line: &str) -> String {
    let changing = ["sha256:", "  instructions "].iter().find_map(|mark| Some((line.find(mark)?, *mark)));
    let Some((at, mark)) = changing else { return line.to_owned() };
    let value = line[at + mark.len()..].trim_start();
    let start = line.len() - value.len();
    let end = start + value.find(' ').unwrap_or(value.len());
    format!("{}…{}", &line[..start], &line[end..])
}
