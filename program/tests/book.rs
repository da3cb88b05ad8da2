//! The listings of the users' book (`docs/book/`): what it shows is so.
//!
//! The fence of a listing says what is checked; a fence that is not in this table is a fault.
//!
//! | fence | checked |
//! | --- | --- |
//! | `carnet` | a whole file: it is parsed, compiled and verified |
//! | `carnet statements` | the same, within a program that has the parameters of [`STATEMENTS`] |
//! | `carnet declarations` | the same, before a program that does nothing |
//! | `idl`, `idl definitions` | a whole file, or what stands in a module: it is compiled; programs of the page behind a whole one may use it |
//! | … `error=CODE,CODE` | it is rejected, for these reasons in this order |
//! | `text message`, `text bill` | what comes of the listing before: the messages, the bill |
//! | `rust PATH` | the lines stand in this file of the repository |
//! | `carnet PATH`, `idl PATH`, `text PATH` | they are this file; a program or interface is checked, too |
//! | `carnet NAME` | a whole file: it is parsed, compiled and verified; `cli/tests/book.rs` runs it |
//! | `console run`, `toml NAME` | by `cli/tests/book.rs` |
//! | `toml`, `console`, `text` | not here |
//!
//! The tables of codes must name every code that the compilers have, and their examples must be rejected for it.
//! `BLESS=1 cargo test -p carnet-program --test book` writes anew what a listing takes from elsewhere.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use carnet_idl::Sources;
use carnet_idl::descriptor::Module;
use carnet_idl::diagnostic::{Diagnostic, render};
use carnet_program::bill::bill;
use carnet_program::compile::compile_named;
use carnet_program::limits::Limits;
use carnet_program::source::{Read, not_compiled, read as read_source};
use carnet_program::verify::{Registry, load};

/// What stands around `carnet statements`.
const STATEMENTS: (&str, &str) = (
    "use files\nconst MAX = 100\nrecord Found { path: string, size: int }\n\
     program listing(root: Dir, file: File, path: string, n: int, ready: bool) {\n",
    "}\n",
);

/// What stands around `carnet declarations`.
const DECLARATIONS: (&str, &str) = ("use files\n", "program listing() {}\n");

/// What stands around `idl definitions`.
const DEFINITIONS: (&str, &str) = ("module listing {\n", "};\n");

/// The interfaces that listings may use.
const INTERFACES: [&str; 6] = [
    "services/bank/bank.idl",
    "services/files/files.idl",
    "services/kv/kv.idl",
    "services/linux/linux.idl",
    "services/tracker/tracker.idl",
    "examples/counter/counter.idl",
];

static MODULES: LazyLock<Vec<&'static Module>> = LazyLock::new(|| {
    let compiled = INTERFACES.map(|path| {
        let text = read(path);
        let module = carnet_idl::compile_str(path, &text);
        module.unwrap_or_else(|faults| panic!("{}", render(path, &text, &faults)))
    });
    compiled.into_iter().map(|module| &*Box::leak(Box::new(module))).collect()
});

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository").to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// The pages, by their paths from the root.
fn pages() -> Vec<String> {
    let folder = root().join("docs/book").read_dir().expect("the book is there");
    let names = folder.map(|entry| entry.expect("it is readable").file_name().into_string().expect("UTF-8"));
    let mut pages: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/book/{name}")).collect();
    pages.sort();
    pages
}

/// A listing: the words of its fence, its text, and where it stands.
struct Listing {
    fence: String,
    text: String,
    /// Line of the fence, from 1.
    line: usize,
}

/// The page cut into prose and listings, so that it can be put together again.
fn listings(page: &str) -> Vec<Listing> {
    let mut found: Vec<Listing> = vec![];
    let mut open = false;
    for (line, content) in page.lines().enumerate() {
        match content.strip_prefix("```") {
            Some(fence) if !open => {
                found.push(Listing { fence: fence.to_owned(), text: String::new(), line: line + 1 });
                open = true;
            }
            Some(_) => open = false,
            None if open => {
                let listing = found.last_mut().expect("one is open");
                listing.text.push_str(content);
                listing.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "the last listing has no end");
    found
}

/// What came of a listing that can be shown below it.
#[derive(Default)]
struct Shown {
    message: String,
    bill: String,
    /// Interfaces of the page's own: programs behind them use them.
    modules: Vec<&'static Module>,
}

type Checked = Result<(), String>;

#[test]
fn every_listing_is_so() {
    let mut faults = String::new();
    let mut count = 0;
    for page in pages() {
        let text = read(&page);
        let mut now = text.clone();
        let mut shown = Shown::default();
        for listing in listings(&text) {
            count += 1;
            match check(&listing, &mut shown) {
                Ok(None) => {}
                Ok(Some(fresh)) if std::env::var_os("BLESS").is_some() => {
                    let fenced = |text: &str| format!("```{}\n{text}```", listing.fence);
                    now = now.replacen(&fenced(&listing.text), &fenced(&fresh), 1);
                }
                Ok(Some(fresh)) => {
                    let _ = writeln!(
                        faults,
                        "{page}:{}: the listing should be (BLESS=1 writes it):\n{fresh}",
                        listing.line
                    );
                }
                Err(fault) => {
                    let _ = writeln!(faults, "{page}:{}: {fault}", listing.line);
                }
            }
        }
        if now != text {
            fs::write(root().join(&page), now).expect("the page is written");
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(count > 60, "only {count} listings were found");
}

/// Checks a listing; if it differs from what it is taken from, says what it should be.
fn check(listing: &Listing, shown: &mut Shown) -> Result<Option<String>, String> {
    let words: Vec<&str> = listing.fence.split_whitespace().collect();
    let (errors, words): (Vec<&str>, Vec<&str>) = words.into_iter().partition(|w| w.starts_with("error="));
    let errors: Vec<&str> = errors.iter().flat_map(|word| word["error=".len()..].split(',')).collect();
    let wrapped = |(before, after): (&str, &str)| format!("{before}{}{after}", listing.text);
    match words[..] {
        ["carnet"] => program(&listing.text, &errors, shown)?,
        ["console", "run"] | ["toml", _] => {}
        ["carnet", "statements"] => program(&wrapped(STATEMENTS), &errors, shown)?,
        ["carnet", "declarations"] => program(&wrapped(DECLARATIONS), &errors, shown)?,
        ["idl"] => interface(&listing.text, &errors, shown)?,
        ["idl", "definitions"] => interface(&wrapped(DEFINITIONS), &errors, shown)?,
        ["text", "message"] => return Ok(differs(&listing.text, &shown.message)),
        ["text", "bill"] => return Ok(differs(&listing.text, &shown.bill)),
        ["rust" | "c" | "java", path] => contains(path, &listing.text)?,
        [language @ ("carnet" | "idl" | "text"), path] if path.contains('/') => {
            let whole = read(path);
            match language {
                "carnet" => program(&whole, &errors, shown)?,
                "idl" => interface(&whole, &errors, shown)?,
                _ => {}
            }
            return Ok(differs(&listing.text, &whole));
        }
        ["carnet", name] if name.ends_with(".carnet") => program(&listing.text, &errors, shown)?,
        ["toml" | "console" | "text"] if errors.is_empty() => {}
        _ => return Err(format!("unknown fence `{}`", listing.fence)),
    }
    Ok(None)
}

fn differs(found: &str, expected: &str) -> Option<String> {
    (found.trim_end() != expected.trim_end()).then(|| expected.trim_end().to_owned() + "\n")
}

/// The lines stand in the file, one after the other, blank lines and indentation aside.
fn contains(path: &str, lines: &str) -> Checked {
    let squeezed = |text: &str| -> String {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    };
    // `…` alone on a line leaves lines of the file out.
    let file = squeezed(&read(path));
    let mut at = 0;
    for part in squeezed(lines).split("\n…\n") {
        match file[at..].find(part) {
            Some(found) => at += found + part.len(),
            None => return Err(format!("{path} does not hold these lines:\n{part}")),
        }
    }
    Ok(())
}

/// Checks a program and notes what can be shown of it.
fn program(text: &str, errors: &[&str], shown: &mut Shown) -> Checked {
    let all: Vec<&'static Module> = MODULES.iter().chain(&shown.modules).copied().collect();
    let modules: Vec<Arc<Module>> = all.iter().map(|module| Arc::new((*module).clone())).collect();
    let bytes = match read_source(text, &modules) {
        Err(faults) => return rejected("listing.carnet", text, &faults, errors, shown),
        Ok(Read::Array(array)) => array.array.encode(),
        Ok(Read::Program(tree)) => match compile_named(&tree) {
            Ok((compiled, _)) => compiled.encode(),
            Err(misfit) => {
                return rejected("listing.carnet", text, &[not_compiled(text, &misfit)], errors, shown);
            }
        },
    };
    if !errors.is_empty() {
        return Err(format!("it is accepted, and {errors:?} is expected"));
    }
    let loaded = load(&bytes, &Registry::new(&all)).map_err(|fault| format!("{fault:#?}"))?;
    shown.bill = without_hash(&bill(&bytes, &loaded, &Limits::default()).to_string());
    Ok(())
}

/// The hash changes with every detail of the compiler; the bill does not.
fn without_hash(bill: &str) -> String {
    let (before, rest) = bill.split_once("sha256:").unwrap_or((bill, ""));
    let after = rest.find("  ").map_or(rest, |end| &rest[end..]);
    format!("{before}sha256:…{after}")
}

fn interface(text: &str, errors: &[&str], shown: &mut Shown) -> Checked {
    // What it includes ships with the compiler.
    let path = Path::new("listing.idl");
    let read = |asked: &Path| {
        if asked == path { Ok(text.to_owned()) } else { Err(ErrorKind::NotFound.into()) }
    };
    let sources = Sources::load_with(path, &[], &read).expect("it is a text");
    match carnet_idl::compile(&sources) {
        Err(faults) => rejected("listing.idl", text, &faults, errors, shown),
        Ok(modules) if errors.is_empty() => {
            for module in modules {
                shown.modules.retain(|before| before.name != module.name);
                if MODULES.iter().all(|shipped| shipped.name != module.name) {
                    shown.modules.push(Box::leak(Box::new(module)));
                }
            }
            Ok(())
        }
        Ok(_) => Err(format!("it is accepted, and {errors:?} is expected")),
    }
}

fn rejected(name: &str, text: &str, faults: &[Diagnostic], errors: &[&str], shown: &mut Shown) -> Checked {
    shown.message = render(name, text, faults);
    let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
    if codes == errors { Ok(()) } else { Err(format!("found {codes:?}\n{}", shown.message)) }
}

/// The rows of the table below a heading: the cells of each.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let text = read(page);
    let (_, below) = text.split_once(&format!("\n{heading}\n")).expect("the heading is there");
    let section = below.split("\n#").next().unwrap_or(below);
    let rows = section.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.skip(2).map(cells).collect()
}

fn span(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`')
}

/// The codes of the diagnostics that the sources below `folder` make, and all their texts.
fn codes(folder: &Path, except: &str) -> (BTreeSet<String>, String) {
    let (mut codes, mut all) = (BTreeSet::new(), String::new());
    for entry in folder.read_dir().expect("the folder is there") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() {
            let (more, text) = self::codes(&path, except);
            codes.extend(more);
            all.push_str(&text);
        } else if !path.ends_with(except) {
            let text = fs::read_to_string(&path).expect("sources are text");
            for made in ["Diagnostic::error(", "Diagnostic::unsupported("] {
                let after = text.match_indices(made).map(|(at, _)| text[at + made.len()..].trim_start());
                let literal = after.filter_map(|after| after.strip_prefix('"')?.split('"').next());
                codes.extend(literal.map(str::to_owned));
            }
            all.push_str(&text);
        }
    }
    (codes, all)
}

/// All codes stand in the table, and all that stand there are codes.
fn check_table(rows: &[Vec<String>], folder: &str, except: &str) {
    let (codes, sources) = codes(&root().join(folder), except);
    let named: BTreeSet<String> =
        rows.iter().map(|row| span(&row[0]).expect("a code in ticks").to_owned()).collect();
    let missing: Vec<&String> = codes.difference(&named).collect();
    assert!(missing.is_empty(), "the table lacks {missing:?}");
    let unknown: Vec<&String> =
        named.iter().filter(|code| !sources.contains(&format!("\"{code}\""))).collect();
    assert!(unknown.is_empty(), "no diagnostic has the code {unknown:?}");
}

#[test]
fn codes_of_programs() {
    let rows = table("docs/book/language.md", "## Codes");
    check_table(&rows, "program/src/source", "no file");
    let mut faults = String::new();
    for row in &rows {
        let (code, Some(example)) = (span(&row[0]).unwrap_or_default(), span(&row[2])) else { continue };
        let (before, after) = match example.split(' ').next() {
            _ if example.contains("program ") || example.starts_with("array ") => ("", ""),
            Some("use" | "const" | "record" | "fn") => DECLARATIONS,
            _ => STATEMENTS,
        };
        let text = format!("{before}{example}\n{after}");
        if let Err(fault) = program(&text, &[code], &mut Shown::default()) {
            let _ = writeln!(faults, "{code}: `{example}`: {fault}");
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(rows.iter().filter(|row| span(&row[2]).is_some()).count() > 30);
}

#[test]
fn codes_of_interfaces() {
    let rows = table("docs/book/interfaces.md", "## Codes");
    check_table(&rows, "idl/src", "diagnostic.rs");
}

#[test]
fn the_contents_name_every_page() {
    let contents = read("docs/book/README.md");
    for page in pages() {
        let name = page.rsplit('/').next().unwrap_or(&page);
        assert!(
            name == "README.md" || contents.contains(&format!("]({name})")),
            "{name} is not in the contents"
        );
    }
}
