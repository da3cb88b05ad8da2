//! The tour of the README, typed as it stands: every command does what it should, and what is shown of it is what comes,
//! hashes included. `BLESS=1` writes the outputs anew.

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use support::{Place, with_approval};

/// Where the tour serves a copy of the documents.
const SERVED: &str = "/tmp/carnet-tour";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A place that looks like the repository as far as the tour goes, with the documents being served.
fn place() -> Place {
    let mut place = Place::new();
    for folder in ["programs", "docs", "examples"] {
        symlink(repository().join(folder), place.path(folder)).expect("a link");
    }
    for entry in fs::read_dir(repository().join("docs/book")).expect("the book") {
        let path = entry.expect("a page").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        place.write(&format!("served/book/{name}"), &fs::read(&path).expect("a page"));
    }
    place.export("CARNET_SERVER", "unix:./c.sock");
    let said = place.serve(&["serve", "files", "served", "--listen", "unix:./c.sock"]);
    assert_eq!(said, "serving served as files (read, write) on unix:./c.sock\n");
    place
}

/// What a command says, and that it does what it should.
fn said(place: &Place, command: &str) -> String {
    let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
    let output = place.carnet(&arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command}: {err}");
    String::from_utf8(output.stdout).expect("text")
}

/// The README with the outputs and approvals that come now. What the shell does, and `serve`, is left as it is.
fn typed(place: &Place, readme: &str) -> String {
    let (mut out, mut approval) = (Vec::new(), String::new());
    let mut lines = readme.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ ") else {
            out.push(line.to_owned());
            continue;
        };
        let command = with_approval(command, &approval);
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && *line != "```") {
            shown.push(line.to_owned());
        }
        if command.starts_with("carnet ") && !command.ends_with('&') {
            let now = said(place, &command);
            if let Some((_, shown)) = now.split_once("approve:") {
                approval = shown.chars().take_while(char::is_ascii_hexdigit).collect();
            }
            if !shown.is_empty() {
                shown = now.lines().map(str::to_owned).collect();
            }
        }
        out.push(format!("$ {command}"));
        out.extend(shown);
    }
    out.join("\n") + "\n"
}

/// The program that the tour says to save.
fn program(readme: &str) -> &str {
    let start = readme.find("\nuse files\n").expect("a program");
    let end = readme[start..].find("\n```").expect("its end");
    &readme[start + 1..=start + end]
}

#[test]
fn the_tour_of_the_readme_is_what_comes() {
    let place = place();
    let path = repository().join("README.md");
    let readme = fs::read_to_string(&path).expect("the README");
    assert!(readme.contains(&format!(
        "carnet serve files {SERVED} --listen unix:./c.sock &\nserving {SERVED} as files"
    )));
    place.write("big.carnet", program(&readme).as_bytes());
    let now = typed(&place, &readme);
    if std::env::var_os("BLESS").is_some() {
        return fs::write(path, now).expect("the README");
    }
    let (old, new): (Vec<_>, Vec<_>) =
        readme.lines().zip(now.lines()).filter(|(old, new)| old != new).unzip();
    assert!(readme == now, "README.md shows\n{}\nbut what comes is\n{}", old.join("\n"), new.join("\n"));
}
