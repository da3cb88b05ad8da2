//! Documentation as Markdown. What a comment says is text: it opens no tags, outside of code, and nothing that it opens is left
//! open for what stands behind it.
//!
//! Of Markdown this knows fenced code, by itself and in items of lists, and code within a line. Where it cannot be sure that something is
//! code, as with code that goes on in the next line or in the next cell of a table, or code that is only indented, a `<` is written as text.
//! Where it cannot be sure what a fence belongs to, that is text, and so are all fences and code behind it: of two fences, the end of one that was
//! missed would be the beginning of the next. Blank is what CommonMark calls so: spaces and tabs.

/// A comment as paragraphs; nothing if it is empty.
pub(crate) fn prose(doc: &str) -> String {
    let doc = doc.trim();
    if doc.is_empty() {
        return String::new();
    }
    let lines: Vec<&str> = doc.lines().collect();
    let in_tables = in_tables(&lines);
    let mut out = String::new();
    let mut blocks = Blocks::default();
    let mut is_sure = true;
    for (text, is_in_table) in lines.iter().zip(in_tables) {
        match blocks.next(text) {
            Line::Code => out.push_str(text),
            Line::Begins => {
                out.push_str(&escaped(text));
                is_sure = true;
            }
            Line::Unsure => out.push_str(&without_code(text)),
            Line::Text => {
                // A line without an end of its code makes all that follows in its paragraph unsure.
                is_sure = is_blank(text) || (is_sure && is_closed(text));
                let is_cut = is_in_table && has_bars_in_code(text);
                out.push_str(&if is_sure && !is_cut { line(text) } else { escaped(text) });
            }
        }
        out.push('\n');
    }
    if let Some(end) = blocks.end() {
        out.push_str(&end);
        out.push('\n');
    }
    out + "\n"
}

/// A comment on a part as an item of a list. It is Markdown as the comment is, but ends the code that it begins.
pub(crate) fn item(name: &str, doc: &str) -> String {
    let doc = doc.trim();
    let mut out = format!("- `{name}`:");
    for (at, text) in doc.lines().map(str::trim_end).enumerate() {
        let is_beside = at == 0 && Fence::of(text).is_none() && marker(text) == Marker::None;
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

/// The line that is missing to end the code of a comment. What is in an item of a list ends with that.
pub(crate) fn end_of_fence(doc: &str) -> Option<String> {
    let mut blocks = Blocks::default();
    for text in doc.trim().lines() {
        blocks.next(text);
    }
    blocks.end()
}

/// A line of text, with its code as it is.
pub(crate) fn line(text: &str) -> String {
    let parts = parts(text);
    parts.iter().map(|part| if part.is_code { part.text.to_owned() } else { escaped(part.text) }).collect()
}

/// A comment as a cell of a table, behind its `|`.
pub(crate) fn cell(doc: &str) -> String {
    let lines: Vec<&str> = doc.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let text = lines.join(" ");
    // Whether a bar behind two backslashes ends a cell is another matter with each who reads it.
    let text = if text.contains("\\|") { escaped(&text) } else { line(&text) };
    // A bar ends a cell even within code.
    let text = text.replace('|', "\\|");
    if text.is_empty() { text } else { format!(" {text}") }
}

/// A text as code in a cell of a table: between more backticks than it has anywhere, since as many would end it.
pub(crate) fn code_cell(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    let room = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    // A bar ends a cell even within code.
    format!("{marks}{room}{}{room}{marks}", text.replace('|', "\\|"))
}

fn is_blank(text: &str) -> bool {
    text.trim_matches([' ', '\t']).is_empty()
}

fn escaped(text: &str) -> String {
    text.replace('<', "&lt;")
}

/// A line that begins no code, neither by itself nor within it.
fn without_code(text: &str) -> String {
    let mut out = escaped(text);
    for (run, mark) in [("```", '`'), ("~~~", '~')] {
        if out.contains(run) {
            out = out.replace(mark, &format!("\\{mark}"));
        }
    }
    out
}

/// Of each line, whether it may be a row of a table: whether its paragraph has a line like `| --- | --- |`.
fn in_tables(lines: &[&str]) -> Vec<bool> {
    let is_rule = |text: &&str| {
        let text = text.trim_start_matches([' ', '\t', '>']);
        text.contains('-') && text.contains(['|', ':']) && text.chars().all(|c| "|:- \t".contains(c))
    };
    let paragraphs = lines.split_inclusive(|text| is_blank(text));
    paragraphs.flat_map(|lines| std::iter::repeat_n(lines.iter().any(is_rule), lines.len())).collect()
}

/// Whether code of a line has bars. In a table they end the cell, and the code was none.
fn has_bars_in_code(text: &str) -> bool {
    parts(text).iter().any(|part| part.is_code && part.text.contains('|'))
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Text,
    /// It begins code.
    Begins,
    /// Of code, or its end.
    Code,
    /// What it is cannot be told.
    Unsure,
}

/// What is open behind a line.
#[derive(Default)]
struct Blocks<'t> {
    /// The columns at which what the open items of lists hold begins, the innermost last.
    items: Vec<usize>,
    /// Code, and the column of the item that it is in.
    fence: Option<(Fence<'t>, usize)>,
    /// The last line was of a paragraph, which was in so many items.
    paragraph: Option<usize>,
    /// A line that is not indented may have gone on with the paragraph of an item, or ended the item.
    is_lazy: bool,
    is_unsure: bool,
}

impl<'t> Blocks<'t> {
    fn next(&mut self, text: &'t str) -> Line {
        let indent = text.len() - text.trim_start_matches(' ').len();
        if is_blank(text) {
            self.paragraph = None;
            return match (&self.fence, self.is_unsure) {
                (Some(_), _) => Line::Code,
                (None, true) => Line::Unsure,
                (None, false) => Line::Text,
            };
        }
        let is_alone = self.fence.as_ref().is_some_and(|(_, column)| *column == 0);
        if text[indent..].starts_with('\t') && !is_alone {
            // Whether it is in an item is another matter.
            (self.fence, self.is_unsure) = (None, true);
        }
        if let Some((fence, column)) = &self.fence {
            if indent >= *column {
                if Fence::of(&text[*column..]).is_some_and(|end| fence.is_ended_by(&end)) {
                    self.fence = None;
                }
                return Line::Code;
            }
            // The item ends, and its code with it.
            self.fence = None;
        }
        let line = if self.is_unsure { None } else { self.block(text, indent) };
        self.is_unsure |= line.is_none();
        line.unwrap_or(Line::Unsure)
    }

    /// A line outside of code; `None` if it cannot be told what it is.
    fn block(&mut self, text: &'t str, indent: usize) -> Option<Line> {
        let within = self.items.iter().filter(|column| **column <= indent).count();
        let mut at = if within == 0 { 0 } else { self.items[within - 1] };
        let mut found = vec![];
        while !is_break(&text[at..]) {
            match marker(&text[at..]) {
                // Behind a paragraph this is its next line, and else an item.
                Marker::Item { number, .. } if number != 1 && self.paragraph == Some(within) => return None,
                Marker::Item { width, .. } => {
                    at += width;
                    found.push(at);
                }
                Marker::Unsure => return None,
                Marker::None | Marker::Quote => break,
            }
        }
        let fence = Fence::of(&text[at..]);
        if fence.is_none() && found.is_empty() && self.paragraph.is_some() && within < self.items.len() {
            self.is_lazy = true;
            return Some(Line::Text);
        }
        self.items.truncate(within);
        self.is_lazy &= within > 0;
        self.items.append(&mut found);
        self.paragraph = fence.is_none().then_some(self.items.len());
        let Some(fence) = fence else { return Some(Line::Text) };
        if self.is_lazy {
            return None;
        }
        self.fence = Some((fence, at));
        Some(Line::Begins)
    }

    /// The line that ends what would go on.
    fn end(&self) -> Option<String> {
        self.fence.as_ref().filter(|(_, column)| *column == 0).map(|(fence, _)| fence.marks())
    }
}

/// What a line begins with.
#[derive(Debug, PartialEq, Eq)]
enum Marker {
    None,
    /// `- ` or `1. `: what the item holds begins behind so many bytes. Its number, 1 if it has none.
    Item {
        width: usize,
        number: u32,
    },
    Quote,
    /// An item that begins with nothing, or with a tab.
    Unsure,
}

fn marker(text: &str) -> Marker {
    let rest = text.trim_start_matches(' ');
    let indent = text.len() - rest.len();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (len, number) = match rest[digits..].chars().next() {
        _ if indent > 3 => return Marker::None,
        Some('>') if digits == 0 => return Marker::Quote,
        Some('-' | '+' | '*') if digits == 0 => (1, 1),
        Some('.' | ')') if (1..10).contains(&digits) => (digits + 1, rest[..digits].parse().unwrap_or(0)),
        _ => return Marker::None,
    };
    let behind = &rest[len..];
    let spaces = behind.len() - behind.trim_start_matches(' ').len();
    if is_blank(behind) || behind[spaces..].starts_with('\t') {
        return Marker::Unsure;
    }
    match spaces {
        0 => Marker::None,
        1..5 => Marker::Item { width: indent + len + spaces, number },
        // Indented code.
        _ => Marker::Item { width: indent + len + 1, number },
    }
}

/// Whether a line is a line across the page, and begins no items.
fn is_break(text: &str) -> bool {
    let marks = text.replace([' ', '\t'], "");
    let is_of = |mark| marks.chars().all(|c| c == mark);
    marks.len() >= 3 && ['-', '*', '_'].into_iter().any(is_of)
}

/// A line that begins or ends code.
#[derive(Debug)]
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

    /// What ends it.
    fn marks(&self) -> String {
        self.mark.to_string().repeat(self.len)
    }

    fn is_ended_by(&self, other: &Fence<'_>) -> bool {
        other.mark == self.mark && other.len >= self.len && is_blank(other.rest)
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
    fn code_is_between_more_backticks_than_it_has() {
        let texts = [
            ("a", "`a`"),
            ("\"`<b>`\"", "``\"`<b>`\"``"),
            ("'`'", "``'`'``"),
            ("a``b`<c>", "```a``b`<c>```"),
            ("`<a>", "`` `<a> ``"),
            ("a | b", "`a \\| b`"),
        ];
        for (text, expected) in texts {
            let found = code_cell(text);
            assert_eq!(found, expected);
            assert!(parts(&found).iter().all(|part| part.is_code || part.text.is_empty()), "{found}");
        }
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
        // Code of an item within it ends with that, and would not be ended by a line outside.
        assert_eq!(item("a", "- ```\n  <x>"), "- `a`:\n  - ```\n    <x>");
        assert_eq!(prose(&item("a", "- ```\n  <x>")), "- `a`:\n  - ```\n    <x>\n\n");
    }

    /// Of each, what is code in CommonMark stays as it is, and no other `<` does.
    #[test]
    fn fences_belong_to_what_they_are_in() {
        let texts = [
            // In an item, by its indentation or beside its mark; the item ends it.
            ("- a\n  ```\n  <x>\n  ```\n  <b>", "- a\n  ```\n  <x>\n  ```\n  &lt;b>\n\n"),
            ("- ```\n  <x>\n  ```\n  <b>\n\n<c>", "- ```\n  <x>\n  ```\n  &lt;b>\n\n&lt;c>\n\n"),
            ("1. - ~~~\n     <x>\n<b>\n```\n<y>", "1. - ~~~\n     <x>\n&lt;b>\n```\n<y>\n```\n\n"),
            ("- a\n\n  ```\n  <x>\n\n  <y>\n<b>", "- a\n\n  ```\n  <x>\n\n  <y>\n&lt;b>\n\n"),
            ("1. a\n2. b\n   ```\n   <x>\n3. <b>", "1. a\n2. b\n   ```\n   <x>\n3. &lt;b>\n\n"),
            ("- a\nb\n```\n<x>\n```\n<b>", "- a\nb\n```\n<x>\n```\n&lt;b>\n\n"),
            // None begins in a quotation, in indented code, or in a paragraph that is indented.
            ("> ```\n<b>\n> ```\n<c>", "> ```\n&lt;b>\n> ```\n&lt;c>\n\n"),
            ("a\n\n    ```\n<b>", "a\n\n    ```\n&lt;b>\n\n"),
            ("-      ```\n<b>", "-      ```\n&lt;b>\n\n"),
            ("* * *\n  ```\n<x>\n  ```", "* * *\n  ```\n<x>\n  ```\n\n"),
            ("**a**\n```\n<x>\n```", "**a**\n```\n<x>\n```\n\n"),
            // What is blank to others is not to CommonMark.
            ("- ```\n\u{a0}\n<b>", "- ```\n\u{a0}\n&lt;b>\n\n"),
            ("```\n<x>\n```\u{a0}\n<y>", "```\n<x>\n```\u{a0}\n<y>\n```\n\n"),
        ];
        for (text, expected) in texts {
            assert_eq!(prose(text), expected, "{text:?}");
        }
    }

    #[test]
    fn where_a_fence_belongs_nowhere_for_sure_there_is_no_code() {
        for before in
            ["- a\nb\n  ", "-\n  ", "a\n2. ", "a\n2. b\n   ", "- ```\n\t", "- ```\n  \t", "-\t", "a\n\n\t"]
        {
            let found = prose(&format!("{before}```\n<b>\n```\n`<c>` ~~~\n\n<d>"));
            assert!(found.ends_with("\n&lt;b>\n\\`\\`\\`\n`&lt;c>` \\~\\~\\~\n\n&lt;d>\n\n"), "{found}");
            let marks = found.lines().skip(1).filter(|text| text.trim().starts_with("```")).count();
            assert_eq!(marks, 0, "{found}");
        }
    }

    /// A bar ends a cell, and with it code.
    #[test]
    fn code_in_a_table_ends_with_its_cell() {
        let table = "| a `x | <b>` |\n| --- | --- |\n| `<c>` | <d> |\n| `<e>` | ` | <f>` |";
        let expected =
            "| a `x | &lt;b>` |\n| --- | --- |\n| `<c>` | &lt;d> |\n| `&lt;e>` | ` | &lt;f>` |\n\n";
        assert_eq!(prose(table), expected);
        assert_eq!(prose(&table.replace(" --- ", ":-")), expected.replace(" --- ", ":-"));
        // Elsewhere it does not.
        assert_eq!(prose("`a | <b>`"), "`a | <b>`\n\n");
        assert_eq!(cell("`a \\| <b>`"), " `a \\\\| &lt;b>`");
    }

    /// Where code goes on in the next line, backticks there end it.
    #[test]
    fn code_over_several_lines_opens_no_tags() {
        let found = prose("`a\nb` <c> `\n`<d>`\n\n`<e>`");
        assert_eq!(found, "`a\nb` &lt;c> `\n`&lt;d>`\n\n`<e>`\n\n");
    }
}
