//! Lines of Java, and the head of a file: its package and what it imports.
//!
//! Sources are ASCII only, so that they mean the same to a compiler in any locale.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use super::names::Class;
use crate::backend::{Lines, Scope};

/// Lines longer than this are broken between parameters.
const WIDTH: usize = 100;

/// A file that grows line by line.
#[derive(Debug)]
pub(super) struct File<'a> {
    class: Class,
    /// Classes within it; they hide others of the same name.
    nested: HashSet<String>,
    /// Classes of its package; they hide those of Java, and would be hidden by imports.
    siblings: &'a Scope,
    imports: BTreeSet<String>,
    lines: Lines,
}

impl<'a> File<'a> {
    pub(super) fn new(class: &Class, nested: &[String], siblings: &'a Scope) -> File<'a> {
        let nested = nested.iter().cloned().collect();
        let class = class.clone();
        File { class, nested, siblings, imports: BTreeSet::new(), lines: Lines::default() }
    }

    /// How a class of Java or of our own package is named here.
    pub(super) fn imported(&mut self, full: &str) -> String {
        let name = full.rsplit('.').next().unwrap_or(full);
        if self.nested.contains(name) || self.siblings.has(name) {
            return full.to_owned();
        }
        if !full.starts_with("java.lang.") {
            self.imports.insert(full.to_owned());
        }
        name.to_owned()
    }

    /// How a class of an interface is named here.
    pub(super) fn named(&self, class: &Class) -> String {
        if class.package == self.class.package && !self.nested.contains(&class.name) {
            return class.name.clone();
        }
        format!("{}.{}", class.package, class.name)
    }

    /// Path and text.
    pub(super) fn finish(self) -> (String, String) {
        let Class { module, package, name } = &self.class;
        let mut text =
            format!("// Made from the interface {module}; changes here are lost.\n\npackage {package};\n\n");
        for import in &self.imports {
            let _ = writeln!(text, "import {import};");
        }
        if !self.imports.is_empty() {
            text.push('\n');
        }
        (format!("{package}/{name}.java"), text + self.lines.text())
    }

    pub(super) fn line(&mut self, line: &str) {
        self.lines.line(line);
    }

    pub(super) fn blank(&mut self) {
        self.lines.blank();
    }

    /// Whether nothing stands in the block yet.
    pub(super) fn is_at_start(&self) -> bool {
        self.lines.text().ends_with("{\n")
    }

    pub(super) fn open(&mut self, line: &str) {
        self.lines.open(line);
    }

    pub(super) fn indent(&mut self) {
        self.lines.indent();
    }

    /// As [`Lines::close`]; braces with nothing between them stand on one line.
    pub(super) fn close(&mut self, line: &str) {
        if line == "}" && self.lines.text().ends_with(" {\n") {
            self.lines.dedent();
            self.lines.truncate(self.lines.text().len() - 1);
            return self.lines.raw("}\n");
        }
        self.lines.close(line);
    }

    /// `head(item, item)tail`, with the items on lines of their own if it is long.
    pub(super) fn call(&mut self, head: &str, items: &[String], tail: &str) {
        let whole = format!("{head}({}){tail}", items.join(", "));
        if items.is_empty() || self.lines.fits(whole.len(), WIDTH) {
            return self.line(&whole);
        }
        self.line(&format!("{head}("));
        for (index, item) in items.iter().enumerate() {
            let end = if index + 1 == items.len() { format!("){tail}") } else { ",".to_owned() };
            self.line(&format!("        {item}{end}"));
        }
    }

    /// A documentation comment: `doc`, or `instead` if that is empty, then `tags`, which are Java already.
    pub(super) fn doc(&mut self, doc: &str, instead: &str, tags: &[String]) {
        let mut lines: Vec<String> = doc.trim().lines().map(ascii).collect();
        if lines.is_empty() {
            lines.push(instead.to_owned());
        }
        if let ([one], []) = (&lines[..], tags) {
            return self.line(&format!("/** {} */", one.trim()));
        }
        if !tags.is_empty() {
            lines.push(String::new());
            lines.extend(tags.iter().cloned());
        }
        self.line("/**");
        lines.iter().for_each(|line| self.line(format!(" * {}", line.trim_end()).trim_end()));
        self.line(" */");
    }
}

/// A line of documentation as HTML of ASCII letters. No part of it is a tag, an end of the comment or an escape.
pub(super) fn ascii(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' | '\\' | '/' | '{' | '}' if c != '/' || out.ends_with('*') => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            ' '..='~' => out.push(c),
            c if c.is_control() => {}
            c => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
        }
    }
    out
}

/// A text as a literal of ASCII letters.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        out.push_str(&letter(unit, '"'));
    }
    out.push('"');
    out
}

/// A letter within quotes. `\u000a` would end the line before the compiler looks at quotes, so small ones are octal.
pub(super) fn letter(unit: u16, quote: char) -> String {
    match char::from_u32(u32::from(unit)) {
        Some('\\') => "\\\\".to_owned(),
        Some(c) if c == quote => format!("\\{c}"),
        Some(c @ ' '..='~') => c.to_string(),
        _ if unit < 0x80 => format!("\\{unit:03o}"),
        _ => format!("\\u{unit:04x}"),
    }
}
