//! The tables of benchmarks, made from the results that are kept.
//!
//! `bench/results/*.json` holds one JSON object a line: `name`, `unit`, `ours`, `better` (lower or higher),
//! `rivals` (a number for each name), `paper`, `ratio` (ours / best rival) and, optionally, `wanted`. A table
//! replaces what stands between the two marks of its page: the README has the headlines, docs/support/results.md all that
//! something is wanted of. A figure that we lose is printed like one that we win.

use std::fs;
use std::path::Path;

use serde_json::Value;

const BEGIN: &str = "<!-- bench:begin -->";
const END: &str = "<!-- bench:end -->";
const RESULTS: &str = "bench/results";
const HEAD: &str = "| benchmark | unit | ours | rivals | ours / best rival | wanted | paper |\n\
                    | --- | --- | ---: | --- | ---: | --- | --- |\n";

/// A page with a table.
struct Page {
    path: &'static str,
    rows: Rows,
}

/// Which results a table shows.
enum Rows {
    /// Those of these names, in this order.
    Named(&'static [&'static str]),
    /// Those that something is wanted of, by name of file, then in the order of the lines.
    Wanted,
}

const PAGES: [Page; 2] = [
    Page { path: "README.md", rows: Rows::Named(&HEADLINES) },
    Page { path: "docs/support/results.md", rows: Rows::Wanted },
];

/// One or two for each thing that is measured: the best known, and what is lost.
const HEADLINES: [&str; 19] = [
    "remote-copy, 8 MiB, 20 ms",
    "break-even, same core",
    "break-even, a program of one call, same core",
    "break-even, a program of one call, another each time, same core",
    "interp",
    "compile",
    "load, in memory used before",
    "channels: cross core, an empty call, shared memory, spinning",
    "channels: cross core, an empty call, shared memory, spinning, beside other RPC",
    "channels: same core, an empty call, shared memory, sleeping",
    "channels: cross core, 1 MiB, shared memory, spinning, beside other RPC",
    "iozone: cross core, shared memory, spinning",
    "iozone: same core, Unix socket",
    "stubs open, registers",
    "stubs write, copied",
    "stubs write, Rust, copied",
    "java-start, first line printed",
    "java-interp, geometric mean",
    "verify, one class",
];

/// A line of a file of results.
struct Kept {
    /// `bench/results/interp.json:2`
    place: String,
    result: Value,
}

/// Writes the tables into their pages.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    for (path, made) in stale(root)? {
        fs::write(root.join(path), made).map_err(|error| format!("cannot write {path}: {error}"))?;
    }
    Ok(())
}

/// Checks that the pages have the tables that `write` would make.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    match stale(root)?.first() {
        None => Ok(()),
        Some((path, _)) => {
            Err(format!("the table in {path} is not what {RESULTS} says: run `cargo xtask docs-table`"))
        }
    }
}

/// The pages that `write` would change, each with its new text.
fn stale(root: &Path) -> Result<Vec<(&'static str, String)>, String> {
    let kept = kept(root)?;
    let mut stale = Vec::new();
    for Page { path, rows } in &PAGES {
        let text = read(root, path)?;
        let made = replaced(path, &text, &table(rows, &kept)?)?;
        if made != text {
            stale.push((*path, made));
        }
    }
    Ok(stale)
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}

/// The text of a page with `table` between the marks.
fn replaced(path: &str, text: &str, table: &str) -> Result<String, String> {
    let marks = text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marks.ok_or_else(|| format!("{path} has no `{BEGIN}` followed by `{END}`"))?;
    Ok(format!("{before}{BEGIN}\n{table}{END}{after}"))
}

/// All results, by name of file, then in the order of the lines.
fn kept(root: &Path) -> Result<Vec<Kept>, String> {
    let mut files: Vec<_> = match fs::read_dir(root.join(RESULTS)) {
        Ok(entries) => entries.filter_map(Result::ok).map(|entry| entry.path()).collect(),
        Err(_) => Vec::new(),
    };
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut kept = Vec::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {name}: {error}"))?;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("{RESULTS}/{name}:{}", index + 1);
            let result = serde_json::from_str(line).map_err(|error| format!("{place}: {error}"))?;
            kept.push(Kept { place, result });
        }
    }
    Ok(kept)
}

fn table(rows: &Rows, kept: &[Kept]) -> Result<String, String> {
    if kept.is_empty() {
        return Ok(format!("No results are kept in {RESULTS} yet; `make bench` measures.\n"));
    }
    let shown: Vec<&Kept> = match rows {
        Rows::Wanted => kept.iter().filter(|kept| kept.result["wanted"] != "–").collect(),
        Rows::Named(names) => {
            let find = |name: &&str| {
                let found = kept.iter().find(|kept| kept.result["name"] == **name);
                found.ok_or_else(|| format!("{RESULTS} has no `{name}`, which is a headline"))
            };
            names.iter().map(find).collect::<Result<_, _>>()?
        }
    };
    let mut table = String::from(HEAD);
    for Kept { place, result } in shown {
        table += &row(result).map_err(|what| format!("{place}: {what}"))?;
    }
    Ok(table)
}

fn row(result: &Value) -> Result<String, String> {
    let better = result["better"].as_str().filter(|word| matches!(*word, "lower" | "higher"));
    let better = better.ok_or("`better` is neither \"lower\" nor \"higher\"")?;
    let name = result["name"].as_str().ok_or("`name` is not a text")?;
    let unit = result["unit"].as_str().ok_or("`unit` is not a text")?;
    let ours = result["ours"].as_f64().ok_or("`ours` is not a number")?;
    let ratio = result["ratio"].as_f64().map_or("–".to_owned(), |ratio| format!("{}×", number(ratio)));
    Ok(format!(
        "| {} | {}, {better} is better | {} | {} | {ratio} | {} | {} |\n",
        cell(name),
        cell(unit),
        number(ours),
        rivals(&result["rivals"])?,
        any(&result["wanted"]),
        any(&result["paper"]),
    ))
}

fn rivals(value: &Value) -> Result<String, String> {
    let Some(rivals) = value.as_object() else { return Err("`rivals` is not an object".to_owned()) };
    let each: Vec<String> =
        rivals.iter().map(|(name, value)| format!("{} {}", cell(name), any(value))).collect();
    Ok(if each.is_empty() { "–".to_owned() } else { each.join(", ") })
}

/// A number or a text; a dash for what is not there.
fn any(value: &Value) -> String {
    match value {
        Value::Number(_) => value.as_f64().map(number).unwrap_or_default(),
        Value::String(text) => cell(text),
        _ => "–".to_owned(),
    }
}

/// Three significant digits, and thousands apart; exact for integers.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return thousands(&format!("{value:.0}"));
    }
    // The magnitude of a finite number is between -324 and 308.
    #[expect(clippy::cast_possible_truncation, reason = "a small whole number, see above")]
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = usize::try_from(2 - magnitude).unwrap_or(0);
    thousands(&format!("{value:.decimals$}"))
}

fn thousands(text: &str) -> String {
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut out = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// Text that cannot leave its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: &str = r#"{"name":"interp","unit":"ns","ours":11.96,"better":"lower","rivals":{"rbpf":44,"wasmi":42.25},"paper":null,"ratio":0.28308,"wanted":12}"#;
    const ROW: &str = "| interp | ns, lower is better | 12.0 | rbpf 44, wasmi 42.2 | 0.283× | 12 | – |\n";

    /// A page in a repository of its own, removed at the end.
    struct Repository(std::path::PathBuf);

    impl Repository {
        fn new(name: &str, page: &str, results: &str) -> Repository {
            let path = std::env::temp_dir().join(format!("carnet-table-{}-{name}", std::process::id()));
            fs::create_dir_all(path.join(RESULTS)).unwrap();
            fs::create_dir_all(path.join("docs/support")).unwrap();
            for Page { path: place, .. } in &PAGES {
                fs::write(path.join(place), page).unwrap();
            }
            fs::write(path.join(RESULTS).join("interp.json"), results).unwrap();
            Repository(path)
        }

        fn page(&self, place: &str) -> String {
            read(&self.0, place).unwrap()
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn headlines() -> String {
        HEADLINES.map(|name| RESULT.replace("\"interp\"", &format!("\"{name}\""))).join("\n")
    }

    #[test]
    fn tables_replace_what_stands_between_the_marks_and_then_check() {
        let results = format!("{}\n{}", headlines(), RESULT.replace("\"interp\"", "\"another\""));
        let repository =
            Repository::new("replaces", &format!("before\n{BEGIN}\nold\n{END}\nafter\n"), &results);
        assert!(check(&repository.0).unwrap_err().contains("cargo xtask docs-table"));
        write(&repository.0).unwrap();
        for Page { path, .. } in &PAGES {
            let made = repository.page(path);
            assert!(made.starts_with(&format!("before\n{BEGIN}\n| benchmark |")), "{made}");
            assert!(made.contains(ROW) && made.ends_with(&format!("{END}\nafter\n")), "{made}");
            assert_eq!(made.contains("| another |"), path.contains("results"), "{made}");
        }
        check(&repository.0).unwrap();
    }

    #[test]
    fn a_headline_without_a_result_is_named() {
        let repository = Repository::new("headline", &format!("{BEGIN}{END}"), RESULT);
        assert_eq!(
            write(&repository.0).unwrap_err(),
            format!("bench/results has no `{}`, which is a headline", HEADLINES[0])
        );
    }

    #[test]
    fn a_page_without_marks_is_named() {
        let repository = Repository::new("marks", "nothing here\n", &headlines());
        assert!(write(&repository.0).unwrap_err().contains("bench:begin"));
        assert_eq!(repository.page("README.md"), "nothing here\n");
    }

    #[test]
    fn a_bad_result_is_named_with_its_line() {
        let bad = format!("{}\n{}", headlines(), RESULT.replace("lower", "faster"));
        let repository = Repository::new("bad", &format!("{BEGIN}{END}"), &bad);
        let message = write(&repository.0).unwrap_err();
        let line = HEADLINES.len() + 1;
        assert_eq!(
            message,
            format!("bench/results/interp.json:{line}: `better` is neither \"lower\" nor \"higher\"")
        );
    }

    #[test]
    fn a_row_has_dashes_for_what_is_not_known() {
        let line =
            r#"{"name":"a|b","unit":"calls","ours":2,"better":"lower","rivals":{},"paper":"7","ratio":null}"#;
        assert_eq!(
            row(&serde_json::from_str(line).unwrap()).unwrap(),
            "| a\\|b | calls, lower is better | 2 | – | – | – | 7 |\n"
        );
    }

    #[test]
    fn numbers_have_three_digits_or_are_whole() {
        for (value, text) in
            [(0.0, "0"), (1234567.0, "1,234,567"), (0.012345, "0.0123"), (12.34, "12.3"), (-1234.5, "-1,234")]
        {
            assert_eq!(number(value), text);
        }
    }
}
