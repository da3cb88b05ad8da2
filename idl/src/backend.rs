//! What the back ends have in common: a text that grows line by line, and names that are taken.
//!
//! Each back end adds to [`Lines`] what its language needs, in its own `code.rs`.

use std::collections::{HashMap, HashSet};
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

/// `_`s that make one name differ from others; more of them are counted, so that a name stays short enough for a file.
const UNDERSCORES_MAX: usize = 16;

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    names: HashSet<String>,
    /// By names that were not free: how many like them were tried. Thousands that are one here are not all tried for each.
    tried: HashMap<String, usize>,
}

impl Scope {
    pub(crate) fn with(names: &[&str]) -> Scope {
        Scope { names: names.iter().map(|name| (*name).to_owned()).collect(), tried: HashMap::new() }
    }

    /// Takes `name`, or one like it. What Rust writes in front of its own words is not needed for another name.
    pub(crate) fn take(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let tried = self.tried.entry(name.to_owned()).or_default();
        let name = name.trim_start_matches("r#");
        loop {
            *tried += 1;
            let like = match *tried {
                few if few <= UNDERSCORES_MAX => format!("{name}{}", "_".repeat(few)),
                many => format!("{name}_{many}"),
            };
            if self.names.insert(like.clone()) {
                return like;
            }
        }
    }

    /// Keeps `name` from being taken.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Were each looked for from the first on, this would not end.
    #[test]
    fn thousands_of_names_that_are_one_are_found_at_once_and_stay_short() {
        let mut scope = Scope::with(&["r#type_"]);
        let names: Vec<String> = (0..50_000).map(|_| scope.take("Name")).collect();
        assert_eq!(names[..3], ["Name", "Name_", "Name__"]);
        assert_eq!((names[16].as_str(), names[17].as_str()), ("Name________________", "Name_17"));
        assert!(names.iter().all(|name| name.len() <= 20));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        let like = ["Name_17", "Name_"].map(|name| scope.take(name));
        assert_eq!(like, ["Name_17_".to_owned(), format!("Name{}", "_".repeat(17))]);
        assert_eq!([scope.take("r#type"), scope.take("r#type")], ["r#type", "type_"]);
    }
}
