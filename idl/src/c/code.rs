//! Lines of C.

use std::fmt::Write as _;

/// Lines longer than this are broken between parameters.
const WIDTH: usize = 110;

/// A text that grows line by line.
#[derive(Debug, Default)]
pub(super) struct Code {
    text: String,
    indent: usize,
}

impl Code {
    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = self.indent * 4);
    }

    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A line, and what follows one step to the right.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    /// Back one step to the left, and a line there.
    pub(super) fn close(&mut self, line: &str) {
        self.indent -= 1;
        self.line(line);
    }

    /// One step to the right.
    pub(super) fn indent(&mut self) {
        self.indent += 1;
    }

    /// One step to the left.
    pub(super) fn dedent(&mut self) {
        self.indent -= 1;
    }

    /// `if (condition) { then }`.
    pub(super) fn when(&mut self, condition: &str, then: &[&str]) {
        self.open(&format!("if ({condition}) {{"));
        then.iter().for_each(|line| self.line(line));
        self.close("}");
    }

    /// `head(item, item)tail`, on several lines if it is long.
    pub(super) fn call(&mut self, head: &str, items: &[String], tail: &str) {
        let whole = format!("{head}({}){tail}", items.join(", "));
        if self.indent * 4 + whole.len() <= WIDTH {
            return self.line(&whole);
        }
        let mut line = format!("{head}(");
        let mut lines = vec![];
        for (index, item) in items.iter().enumerate() {
            let end = if index + 1 == items.len() { format!("){tail}") } else { ",".to_owned() };
            if self.indent * 4 + line.len() + item.len() + end.len() > WIDTH && !line.ends_with('(') {
                lines.push(std::mem::replace(&mut line, "    ".to_owned()));
            }
            let gap = if line.ends_with(['(', ' ']) { "" } else { " " };
            line.push_str(&format!("{gap}{item}{end}"));
        }
        lines.push(line);
        lines.iter().for_each(|line| self.line(line));
    }

    /// A documentation comment; nothing if there is none.
    pub(super) fn doc(&mut self, doc: &str) {
        let clean = |line: &str| -> String {
            line.chars().filter(|c| !c.is_control()).collect::<String>().trim_end().replace("*/", "* /")
        };
        let lines: Vec<String> = doc.trim().lines().map(clean).collect();
        match &lines[..] {
            [] => {}
            [one] => self.line(&format!("/* {one} */")),
            many => {
                self.line(&format!("/* {}", many[0]));
                many[1..].iter().for_each(|line| self.line(format!(" * {line}").trim_end()));
                self.line(" */");
            }
        }
    }
}
