//! What the back ends have in common: a text that grows line by line, and names that are taken.
//!
//! Each back end adds to [`Lines`] what its language needs, in its own `code.rs`.

use std::collections::HashSet;
use std::fmt::Write as _;

/// A text that grows line by line.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: String,
    indent: usize,
}

impl Lines {
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Appends what is laid out already.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Takes back what was written behind `len` bytes.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
    }

    pub(crate) fn line(&mut self, line: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{:width$}{line}", "", width = self.indent * 4);
    }

    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A line, and what follows one step to the right.
    pub(crate) fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    /// Back one step to the left, and a line there.
    pub(crate) fn close(&mut self, line: &str) {
        self.indent -= 1;
        self.line(line);
    }

    /// What follows is one step to the right.
    pub(crate) fn indent(&mut self) {
        self.indent += 1;
    }

    /// What follows is one step to the left.
    pub(crate) fn dedent(&mut self) {
        self.indent -= 1;
    }

    /// Whether a line of `len` letters ends within `width` columns here.
    pub(crate) fn fits(&self, len: usize, width: usize) -> bool {
        self.indent * 4 + len <= width
    }
}

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope(HashSet<String>);

impl Scope {
    pub(crate) fn with(names: &[&str]) -> Scope {
        Scope(names.iter().map(|name| (*name).to_owned()).collect())
    }

    /// Takes `name`, or one like it. What Rust writes in front of its own words is not needed for another name.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.0.insert(name.clone()) {
            name = format!("{}_", name.trim_start_matches("r#"));
        }
        name
    }

    /// Keeps `name` from being taken.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.0.insert(name.to_owned());
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// `not_found` as `NotFound`, `inner::Pair` as `InnerPair`.
pub(crate) fn camel(name: &str) -> String {
    let mut out = String::new();
    for part in name.split(['_', ':']) {
        let mut chars = part.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}
