//! Diagnostics: what is wrong in a source text, where, and what to do about it.
//!
//! The interface compiler and the program compiler share this, so that their messages look alike. It knows
//! nothing of either language and prints nothing by itself; [`render`] returns the text.
//!
//! ```text
//! error[unknown-operation]: Dir has no operation `delete`       code, message
//!   --> clean.carnet:18:14                                      span (line and column in characters)
//! 18 |         root.delete(path)
//!    |              ^^^^^^ found `delete`, expected an operation  label
//! note: the interface is in files.idl                           notes
//! help: did you mean `remove`?                                  help
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Span`], [`Lines`] | a range of a source text; where its lines begin |
//! | [`Severity`] | wrong, or right but not supported yet |
//! | [`Diagnostic`] | one fault |
//! | [`render`] | the text for people |
//! | [`did_you_mean`] | the name that was probably meant |
//!
//! Source texts are hostile: spans that leave the text are cut, long lines are shown in part, control
//! characters are replaced. The cost is that of the text plus that of each shown line.

use std::fmt::Write as _;

/// A range of bytes of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to, but without, `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The text is wrong.
    Error,
    /// The text may well be right, but this version cannot do it.
    Unsupported,
}

/// One fault of a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Wrong, or not supported yet.
    pub severity: Severity,
    /// Name of the rule, for example `unknown-type`.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Stands beside the carets: "found …, expected …". May be empty.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
    /// More that helps to understand it.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// The text at `span` is wrong.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        Diagnostic {
            severity: Severity::Error,
            code,
            message,
            span,
            label: String::new(),
            help: None,
            notes: vec![],
        }
    }

    /// This version cannot do what the text at `span` asks for.
    #[must_use]
    pub fn unsupported(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Unsupported, ..Diagnostic::error(code, span, message) }
    }

    /// With this text beside the carets.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// With this advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// With the advice "did you mean …?" if `name` resembles one of `candidates`.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match did_you_mean(name, candidates) {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None => self,
        }
    }

    /// With one note more.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }
}

/// The text for people: all diagnostics in the order given, a blank line between them.
///
/// `source_name` is shown as it is, for example `files.idl`.
#[must_use]
pub fn render(source_name: &str, source_text: &str, diagnostics: &[Diagnostic]) -> String {
    let lines = Lines::new(source_text);
    render_in(diagnostics, |diagnostic| (source_name, &lines, diagnostic.clone()))
}

/// As [`render`], with a source for each diagnostic: its name, its lines, and the diagnostic as it is in there.
pub(crate) fn render_in<'a>(
    diagnostics: &[Diagnostic],
    source: impl Fn(&Diagnostic) -> (&'a str, &'a Lines<'a>, Diagnostic),
) -> String {
    let mut out = String::new();
    for (number, diagnostic) in diagnostics.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let (name, lines, diagnostic) = source(diagnostic);
        render_one(name, lines, &diagnostic, &mut out);
        if number == 0 {
            out.push_str(&others_follow(diagnostics.len() - 1));
        }
    }
    out
}

fn others_follow(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => "1 other fault follows.\n".to_owned(),
        n => format!("{n} other faults follow.\n"),
    }
}

fn render_one(source_name: &str, lines: &Lines<'_>, diagnostic: &Diagnostic, out: &mut String) {
    let head = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Unsupported => "not supported yet",
    };
    let place = lines.place(diagnostic.span.start);
    let excerpt = Excerpt::new(lines, place, diagnostic.span);
    let number = place.line.to_string();
    let width = number.len().max(2);
    let carets = format!("{}{}", " ".repeat(excerpt.indent), "^".repeat(excerpt.carets));
    let label = printable(&diagnostic.label);
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{head}[{}]: {}", diagnostic.code, printable(&diagnostic.message));
    let _ = writeln!(out, "{:width$}--> {source_name}:{}:{}", "", place.line, place.column);
    let _ = writeln!(out, "{}", format!("{number:>width$} | {}", excerpt.text).trim_end());
    let _ = writeln!(out, "{}", format!("{:width$} | {carets} {label}", "").trim_end());
    for note in &diagnostic.notes {
        let _ = writeln!(out, "note: {}", printable(note));
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "help: {}", printable(help));
    }
}

/// Line and column of a byte, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Lines<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// The place of byte `at`; that of the end if it lies behind the text.
    #[must_use]
    pub fn place(&self, at: usize) -> Place {
        let at = self.text.floor_char_boundary(at);
        let line = self.starts.partition_point(|start| *start <= at);
        Place { line, column: 1 + self.text[self.starts[line - 1]..at].chars().count() }
    }

    /// Span of line `line` (from 1) without its end mark.
    fn line(&self, line: usize) -> Span {
        let start = self.starts[line - 1];
        let end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        let text = &self.text[start..end];
        Span::new(start, start + text.strip_suffix('\r').unwrap_or(text).len())
    }
}

/// Characters of a line that are shown at most, and those of them before the fault.
const SHOWN_MAX: usize = 160;
const SHOWN_BEFORE: usize = 60;

/// The shown part of a line and its carets.
struct Excerpt {
    text: String,
    indent: usize,
    carets: usize,
}

impl Excerpt {
    fn new(lines: &Lines<'_>, place: Place, span: Span) -> Excerpt {
        let line = lines.line(place.line);
        let start = lines.text.floor_char_boundary(span.start).min(line.end);
        let end = lines.text.floor_char_boundary(span.end).clamp(start, line.end);
        let before = expand(&lines.text[line.start..start], usize::MAX);
        let at = expand(&lines.text[start..end], SHOWN_MAX);
        let after = expand(&lines.text[end..line.end], SHOWN_MAX);
        let columns = before.chars().count();
        let needed = columns + at.chars().count().min(SHOWN_BEFORE);
        let skipped = if needed >= SHOWN_MAX { columns.saturating_sub(SHOWN_BEFORE) } else { 0 };
        let lead = if skipped > 0 { "… " } else { "" };
        let indent = lead.chars().count() + columns - skipped;
        let shown: String = before.chars().skip(skipped).chain(at.chars()).chain(after.chars()).collect();
        let mut text: String = lead.chars().chain(shown.chars()).take(SHOWN_MAX).collect();
        if text.len() < lead.len() + shown.len() {
            text.push_str(" …");
        }
        Excerpt { text, indent, carets: at.chars().count().min(SHOWN_MAX.saturating_sub(indent)).max(1) }
    }
}

/// Up to `max` characters of a line, with blanks for tabs.
fn expand(text: &str, max: usize) -> String {
    let expanded =
        text.chars().flat_map(|c| if c == '\t' { [Some(' '); 4] } else { [Some(c), None, None, None] });
    expanded.flatten().take(max).map(harmless).collect()
}

/// Characters of a message, label, note or help that are shown; longer ones repeat a hostile text.
const TEXT_MAX: usize = 500;

fn printable(text: &str) -> String {
    let mut shown: String = text.chars().take(TEXT_MAX).map(harmless).collect();
    if text.chars().nth(TEXT_MAX).is_some() {
        shown.push('…');
    }
    shown
}

/// Replaces what could play tricks on a terminal: control characters, and those that change the direction of text.
fn harmless(c: char) -> char {
    let is_tricky = c.is_control()
        || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if is_tricky { '\u{fffd}' } else { c }
}

/// Names that mean the same to people who come from elsewhere.
const SYNONYMS: &[&[&str]] = &[
    &["remove", "delete", "unlink", "rm", "erase", "del"],
    &["make_dir", "mkdir", "create_dir", "make_directory"],
    &["remove_dir", "rmdir", "delete_dir"],
    &["rename", "move", "mv"],
    &["list", "ls", "readdir", "read_dir", "entries", "dir"],
    &["stat", "info", "metadata"],
    &["set_mode", "chmod"],
    &["set_modified", "utime", "touch"],
    &["add", "push", "append", "insert"],
    &["len", "length", "size", "count"],
    &["create", "new", "make"],
    &["sync", "fsync", "flush"],
    &["copy_from", "copy", "cp"],
    &["string", "str", "text", "char"],
    &["int", "long", "integer", "i64", "i32", "int64", "int32"],
    &["bool", "boolean"],
    &["octet", "byte", "u8", "uint8"],
];

/// Longer names are not compared, so that a hostile text cannot make this slow.
const COMPARED_MAX: usize = 64;

/// The candidate that resembles `name` most: few letters differ, or it is another word for the same.
#[must_use]
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > COMPARED_MAX {
        return None;
    }
    let allowed = (name.chars().count() / 3).max(1);
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in candidates.into_iter().filter(|c| c.len() <= COMPARED_MAX && *c != name) {
        let distance = if candidate.eq_ignore_ascii_case(name) {
            0
        } else if are_synonyms(name, candidate) {
            1
        } else {
            distance(name, candidate)
        };
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn are_synonyms(a: &str, b: &str) -> bool {
    SYNONYMS.iter().any(|group| group.contains(&a) && group.contains(&b))
}

/// Letters to insert, delete, replace or exchange with their neighbour to get from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = vec![];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn f() {\n\tlet n = dst.copy_form(3)\r\n  ünïcode wrong\n}\n";

    fn show(start: usize, end: usize) -> String {
        let diagnostic = Diagnostic::error("type", Span::new(start, end), "integer used as a file");
        render("copy.carnet", TEXT, &[diagnostic.label("found int").help("try x").note("see y")])
    }

    #[test]
    fn shows_line_carets_note_and_help() {
        let at = TEXT.find("copy_form").unwrap_or_default();
        let expected = "error[type]: integer used as a file\n  --> copy.carnet:2:14\n \
                        2 |     let n = dst.copy_form(3)\n   |                 ^^^^^^^^^ found int\n\
                        note: see y\nhelp: try x\n";
        assert_eq!(show(at, at + 9), expected);
    }

    #[test]
    fn counts_columns_in_characters() {
        let at = TEXT.find("wrong").unwrap_or_default();
        assert!(show(at, at + 5).contains("copy.carnet:3:11\n 3 |   ünïcode wrong\n   |           ^^^^^ f"));
    }

    #[test]
    fn a_span_over_several_lines_ends_with_the_first() {
        assert!(show(7, TEXT.len()).contains(" 1 | fn f() {\n   |        ^ found"));
    }

    #[test]
    fn spans_outside_of_the_text_are_cut() {
        for (start, end) in [(TEXT.len(), TEXT.len()), (usize::MAX, usize::MAX), (40, 2), (42, 43)] {
            assert!(show(start, end).contains('^'));
        }
        let empty = render("x", "", &[Diagnostic::error("a", Span::default(), "b")]);
        assert_eq!(empty, "error[a]: b\n  --> x:1:1\n 1 |\n   | ^\n");
    }

    #[test]
    fn long_lines_are_shown_in_part_and_control_characters_not_at_all() {
        let text = format!("{}\x1b[31mbad{}", "a".repeat(5000), "b".repeat(5000));
        let shown = render("x", &text, &[Diagnostic::error("a", Span::new(5005, 5008), "\x07")]);
        assert!(shown.len() < 1000 && !shown.contains('\x1b') && !shown.contains('\x07'));
        assert!(shown.contains("bad"));
    }

    #[test]
    fn says_how_many_follow_and_what_is_not_supported() {
        let one = Diagnostic::unsupported("inheritance", Span::new(0, 2), "x");
        let shown = render("x", TEXT, &[one.clone(), one.clone(), one]);
        assert!(shown.starts_with("not supported yet[inheritance]: x\n"));
        assert_eq!(shown.matches("2 other faults follow.\n\n").count(), 1);
    }

    #[test]
    fn large_line_numbers_widen_the_margin() {
        let text = "\n".repeat(99) + "x";
        let shown = render("x", &text, &[Diagnostic::error("a", Span::new(99, 100), "b")]);
        assert_eq!(shown, "error[a]: b\n   --> x:100:1\n100 | x\n    | ^\n");
    }

    #[test]
    fn suggests_near_names_and_other_words() {
        let names = ["open", "remove", "remove_dir", "list"];
        assert_eq!(did_you_mean("delete", names), Some("remove"));
        assert_eq!(did_you_mean("opne", names), Some("open"));
        assert_eq!(did_you_mean("List", names), Some("list"));
        assert_eq!(did_you_mean("xyzzy", names), None);
        assert_eq!(did_you_mean("open", ["open"]), None);
        assert_eq!(did_you_mean(&"o".repeat(1 << 20), names), None);
    }
}
