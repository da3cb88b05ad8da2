//! Lines of C.

use crate::backend::Lines;

/// Lines longer than this are broken between parameters.
const WIDTH: usize = 110;

impl Lines {
    /// `if (condition) { then }`.
    pub(super) fn when(&mut self, condition: &str, then: &[&str]) {
        self.open(&format!("if ({condition}) {{"));
        then.iter().for_each(|line| self.line(line));
        self.close("}");
    }

    /// `head(item, item)tail`, on several lines if it is long.
    pub(super) fn call(&mut self, head: &str, items: &[String], tail: &str) {
        let whole = format!("{head}({}){tail}", items.join(", "));
        if self.fits(whole.len(), WIDTH) {
            return self.line(&whole);
        }
        let mut line = format!("{head}(");
        let mut lines = vec![];
        for (index, item) in items.iter().enumerate() {
            let end = if index + 1 == items.len() { format!("){tail}") } else { ",".to_owned() };
            if !self.fits(line.len() + item.len() + end.len(), WIDTH) && !line.ends_with('(') {
                lines.push(std::mem::replace(&mut line, "    ".to_owned()));
            }
            let gap = if line.ends_with(['(', ' ']) { "" } else { " " };
            line.push_str(&format!("{gap}{item}{end}"));
        }
        lines.push(line);
        lines.iter().for_each(|line| self.line(line));
    }

    /// A documentation comment; nothing if there is none.
    pub(super) fn comment(&mut self, doc: &str) {
        // Neither end nor begin a comment in this one; nor join its lines, which is what `??/` at their ends means.
        let clean = |line: &str| -> String {
            let line: String = line.chars().filter(|c| !c.is_control()).collect();
            line.trim_end().replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/")
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
