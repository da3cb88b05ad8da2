//! Documentation as Markdown. What a comment says is text: it opens no tags, outside of code, and nothing that it opens is left
//! open for what stands behind it.
//!
//! Of Markdown this knows fenced code, which begins and ends a line, and code within a line. Where it cannot be sure that something is
//! code, as with code that goes on in the next line or code that is only indented, a `<` is written as text.

/// A comment as paragraphs; nothing if it is empty.
pub(crate) fn prose(doc: &str) -> String {
    let doc = doc.trim();
    if doc.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    let mut open: Option<Fence> = None;
    let mut is_sure = true;
    for text in doc.lines() {
        let was_open = open.is_some();
        open = Fence::after(open, text);
        if was_open {
            out.push_str(text);
        } else if open.is_some() {
            out.push_str(&escaped(text));
            is_sure = true;
        } else {
            // A line without an end of its code makes all that follows in its paragraph unsure.
            is_sure = text.trim().is_empty() || (is_sure && is_closed(text));
            out.push_str(&if is_sure { line(text) } else { escaped(text) });
        }
        out.push('\n');
    }
    if let Some(fence) = open {
        out.push_str(&fence.marks());
        out.push('\n');
    }
    out + "\n"
}

/// A comment on a part as an item of a list. It is Markdown as the comment is, but ends the code that it begins.
pub(crate) fn item(name: &str, doc: &str) -> String {
    let doc = doc.trim();
    let mut out = format!("- `{name}`:");
    for (at, text) in doc.lines().map(str::trim_end).enumerate() {
        let is_beside = at == 0 && Fence::of(text).is_none();
        out.push_str(match (is_beside, text) {
            (true, _) => " ",
            (false, "") => "\n",
            _ => "\n  ",
        });
        out.push_str(text);
    }
    if let Some(end) = end_of_fence(doc) {
        out.push_str("\n  ");
        out.push_str(&end);
    }
    out
}

/// The line that is missing to end the code of a comment.
pub(crate) fn end_of_fence(doc: &str) -> Option<String> {
    doc.lines().fold(None, Fence::after).map(|fence| fence.marks())
}

/// A line of text, with its code as it is.
pub(crate) fn line(text: &str) -> String {
    let parts = parts(text);
    parts.iter().map(|part| if part.is_code { part.text.to_owned() } else { escaped(part.text) }).collect()
}

/// A comment as a cell of a table, behind its `|`.
pub(crate) fn cell(doc: &str) -> String {
    let lines: Vec<&str> = doc.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // A bar ends a cell even within code.
    let text = line(&lines.join(" ")).replace('|', "\\|");
    if text.is_empty() { text } else { format!(" {text}") }
}

fn escaped(text: &str) -> String {
    text.replace('<', "&lt;")
}

/// A line that begins or ends code.
struct Fence<'t> {
    mark: char,
    len: usize,
    /// What is behind the marks.
    rest: &'t str,
}

impl<'t> Fence<'t> {
    fn of(text: &'t str) -> Option<Fence<'t>> {
        let marks = text.trim_start_matches(' ');
        let mark = marks.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let rest = marks.trim_start_matches(mark);
        let (indent, len) = (text.len() - marks.len(), marks.len() - rest.len());
        let is_fence = indent < 4 && len >= 3 && !(mark == '`' && rest.contains('`'));
        is_fence.then_some(Fence { mark, len, rest })
    }

    /// What is open behind a line, if `open` is before it.
    fn after(open: Option<Fence<'t>>, text: &'t str) -> Option<Fence<'t>> {
        match (open, Fence::of(text)) {
            (Some(begun), Some(fence)) if begun.is_ended_by(&fence) => None,
            (None, begins) => begins,
            (open, _) => open,
        }
    }

    /// What ends it.
    fn marks(&self) -> String {
        self.mark.to_string().repeat(self.len)
    }

    fn is_ended_by(&self, other: &Fence<'_>) -> bool {
        other.mark == self.mark && other.len >= self.len && other.rest.trim().is_empty()
    }
}

/// A part of a line.
struct Part<'t> {
    text: &'t str,
    is_code: bool,
}

/// Code of a line is between as many backticks as begin it; backticks that nothing ends are text.
fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut start, mut at) = (vec![], 0, 0);
    while let Some(found) = text[at..].find(['`', '\\']) {
        let from = at + found;
        if text[from..].starts_with('\\') {
            at = from + 1 + text[from + 1..].chars().next().map_or(0, char::len_utf8);
            continue;
        }
        let len = run(&text[from..]);
        match end_of_code(text, from + len, len) {
            Some(end) => {
                parts.push(Part { text: &text[start..from], is_code: false });
                parts.push(Part { text: &text[from..end], is_code: true });
                (start, at) = (end, end);
            }
            None => at = from + len,
        }
    }
    parts.push(Part { text: &text[start..], is_code: false });
    parts
}

/// How many backticks a text begins with.
fn run(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Behind the next `len` backticks from `at` on, no fewer and no more.
fn end_of_code(text: &str, mut at: usize, len: usize) -> Option<usize> {
    loop {
        at += text[at..].find('`')?;
        let found = run(&text[at..]);
        at += found;
        if found == len {
            return Some(at);
        }
    }
}

/// Whether all code of a line ends in it.
fn is_closed(text: &str) -> bool {
    let mut rest = parts(text).into_iter().filter(|part| !part.is_code);
    rest.all(|part| !part.text.replace("\\\\", "").replace("\\`", "").contains('`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_and_text_opens_no_tags() {
        let lines = [
            ("a <b> `<c>` <d>", "a &lt;b> `<c>` &lt;d>"),
            ("``a ` <b>`` <c>", "``a ` <b>`` &lt;c>"),
            ("`a <b>", "`a &lt;b>"),
            ("\\`<a>\\` `<b>`", "\\`&lt;a>\\` `<b>`"),
            ("`a\\` <b> `", "`a\\` &lt;b> `"),
            ("\\\\`<a>`", "\\\\`<a>`"),
            ("\\", "\\"),
            ("\\é<", "\\é&lt;"),
            ("", ""),
        ];
        for (text, expected) in lines {
            assert_eq!(line(text), expected);
        }
        assert_eq!(cell("a | b\n\n `<c>` "), " a \\| b `<c>`");
        assert_eq!(cell(" \n"), "");
    }

    #[test]
    fn fenced_code_stays_and_is_ended() {
        let texts = [
            ("```\n<a>\n```\n<b>", "```\n<a>\n```\n&lt;b>\n\n"),
            ("```idl\n<a>", "```idl\n<a>\n```\n\n"),
            ("~~~~\n<a>\n~~~\n```\n<b>", "~~~~\n<a>\n~~~\n```\n<b>\n~~~~\n\n"),
            ("   ```\n<a>\n``` x\n````", "```\n<a>\n``` x\n````\n\n"),
            ("``` a`b <c>", "``` a`b &lt;c>\n\n"),
            ("```<x>\n", "```&lt;x>\n```\n\n"),
        ];
        for (text, expected) in texts {
            assert_eq!(prose(text), expected);
        }
    }

    #[test]
    fn what_is_said_of_parts_is_a_list() {
        assert_eq!(item("a", "one\n\ntwo"), "- `a`: one\n\n  two");
        assert_eq!(item("a", "```\n<x>"), "- `a`:\n  ```\n  <x>\n  ```");
    }

    /// Where code goes on in the next line, backticks there end it.
    #[test]
    fn code_over_several_lines_opens_no_tags() {
        let found = prose("`a\nb` <c> `\n`<d>`\n\n`<e>`");
        assert_eq!(found, "`a\nb` &lt;c> `\n`&lt;d>`\n\n`<e>`\n\n");
    }
}
