//! The README's table of benchmarks, made from the results that are kept.
//!
//! `bench/results/*.json` holds one JSON object a line: `name`, `unit`, `ours`, `better` (lower or higher),
//! `rivals` (a number for each name), `paper`, `ratio` (ours / best rival) and, optionally, `wanted`. The table
//! replaces what stands between the two marks in README.md. A figure that we lose is printed like one that we
//! win.

use std::fs;
use std::path::Path;

use serde_json::Value;

const BEGIN: &str = "<!-- bench:begin -->";
const END: &str = "<!-- bench:end -->";
const README: &str = "README.md";
const RESULTS: &str = "bench/results";

/// Writes the table into README.md.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let readme = read(root)?;
    let made = replaced(&readme, &table(root)?)?;
    if made != readme {
        fs::write(root.join(README), made).map_err(|error| format!("cannot write {README}: {error}"))?;
    }
    Ok(())
}

/// Checks that README.md has the table that `write` would make.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let readme = read(root)?;
    if replaced(&readme, &table(root)?)? == readme {
        return Ok(());
    }
    Err(format!("the table in {README} is not what {RESULTS} says: run `cargo xtask docs-table`"))
}

fn read(root: &Path) -> Result<String, String> {
    fs::read_to_string(root.join(README)).map_err(|error| format!("cannot read {README}: {error}"))
}

/// `readme` with `table` between the marks.
fn replaced(readme: &str, table: &str) -> Result<String, String> {
    let marks = readme.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marks.ok_or_else(|| format!("{README} has no `{BEGIN}` followed by `{END}`"))?;
    Ok(format!("{before}{BEGIN}\n{table}{END}{after}"))
}

/// The table of all results that something is wanted of, by name of file, then in the order of the lines.
fn table(root: &Path) -> Result<String, String> {
    let mut files: Vec<_> = match fs::read_dir(root.join(RESULTS)) {
        Ok(entries) => entries.filter_map(Result::ok).map(|entry| entry.path()).collect(),
        Err(_) => Vec::new(),
    };
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut rows = String::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {name}: {error}"))?;
        rows += &rows_of(&text).map_err(|what| format!("{RESULTS}/{name}:{what}"))?;
    }
    if rows.is_empty() {
        return Ok(format!("No results are kept in {RESULTS} yet; `make bench` measures.\n"));
    }
    let head = "| benchmark | unit | ours | rivals | ours / best rival | wanted | paper |\n";
    Ok(format!("{head}| --- | --- | ---: | --- | ---: | --- | --- |\n{rows}"))
}

fn rows_of(text: &str) -> Result<String, String> {
    let mut rows = String::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row = row(line).map_err(|what| format!("{}: {what}", index + 1))?;
        if !is_beside_the_point(line) {
            rows += &row;
        }
    }
    Ok(rows)
}

/// Results that nobody has said what is wanted of stay in their file: the README has the figures that count.
fn is_beside_the_point(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|result| result["wanted"] == "–")
}

fn row(line: &str) -> Result<String, String> {
    let result: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
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

    /// A repository in a folder of its own, removed at the end.
    struct Repository(std::path::PathBuf);

    impl Repository {
        fn new(name: &str, readme: &str, results: &str) -> Repository {
            let path = std::env::temp_dir().join(format!("carnet-table-{}-{name}", std::process::id()));
            fs::create_dir_all(path.join(RESULTS)).unwrap();
            fs::write(path.join(README), readme).unwrap();
            fs::write(path.join(RESULTS).join("interp.json"), results).unwrap();
            Repository(path)
        }

        fn readme(&self) -> String {
            read(&self.0).unwrap()
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_table_replaces_what_stands_between_the_marks_and_then_checks() {
        let readme = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let repository = Repository::new("replaces", &readme, RESULT);
        assert!(check(&repository.0).unwrap_err().contains("cargo xtask docs-table"));
        write(&repository.0).unwrap();
        let made = repository.readme();
        assert!(made.starts_with(&format!("before\n{BEGIN}\n| benchmark |")), "{made}");
        assert!(made.ends_with(&format!("{ROW}{END}\nafter\n")), "{made}");
        check(&repository.0).unwrap();
    }

    #[test]
    fn a_readme_without_marks_is_named() {
        let repository = Repository::new("marks", "nothing here\n", RESULT);
        assert!(write(&repository.0).unwrap_err().contains("bench:begin"));
        assert_eq!(repository.readme(), "nothing here\n");
    }

    #[test]
    fn a_bad_result_is_named_with_its_line() {
        let bad = format!("{RESULT}\n{}", RESULT.replace("lower", "faster"));
        let repository = Repository::new("bad", &format!("{BEGIN}{END}"), &bad);
        let message = write(&repository.0).unwrap_err();
        assert_eq!(message, "bench/results/interp.json:2: `better` is neither \"lower\" nor \"higher\"");
    }

    #[test]
    fn a_row_has_dashes_for_what_is_not_known() {
        let line =
            r#"{"name":"a|b","unit":"calls","ours":2,"better":"lower","rivals":{},"paper":"7","ratio":null}"#;
        assert_eq!(row(line).unwrap(), "| a\\|b | calls, lower is better | 2 | – | – | – | 7 |\n");
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
