//! Lines of Rust.

use crate::backend::Lines;

/// Lines longer than this are broken where that is simple.
const WIDTH: usize = 100;

impl Lines {
    /// A line, and back one step to the left.
    fn close_with(&mut self, line: &str) {
        self.line(line);
        self.dedent();
    }

    /// As `close`, and a blank line.
    pub(super) fn shut(&mut self, line: &str) {
        self.close(line);
        self.blank();
    }

    /// `impl HEAD` with one function.
    pub(super) fn implement(&mut self, head: &str, function: &str, body: impl FnOnce(&mut Lines)) {
        self.open(&format!("impl {head} {{"));
        self.open(&format!("fn {function} {{"));
        body(self);
        self.close("}");
        self.shut("}");
    }

    /// `name` as an error, whose text `body` writes.
    pub(super) fn error(&mut self, name: &str, body: impl FnOnce(&mut Lines)) {
        let function = "fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result";
        self.implement(&format!("::std::fmt::Display for {name}"), function, body);
        self.line(&format!("impl ::std::error::Error for {name} {{}}"));
        self.blank();
    }

    /// `name` as the failure that raises it, and back; the bodies are of `from` and `from_details`.
    pub(super) fn exception(
        &mut self,
        name: &str,
        raise: impl FnOnce(&mut Lines),
        read: impl FnOnce(&mut Lines),
    ) {
        let from = format!("from(raised: {name}) -> stub::Failure");
        self.implement(&format!("From<{name}> for stub::Failure"), &from, raise);
        let from_details = format!("from_details(details: &stub::Details) -> Option<{name}>");
        self.implement(&format!("stub::Exception for {name}"), &from_details, read);
    }

    /// `head item, item tail`, with the items on lines of their own if it is long.
    pub(super) fn list(&mut self, head: &str, items: &[String], tail: &str) {
        let whole = format!("{head}{}{tail}", items.join(", "));
        if self.fits(whole.len(), WIDTH) || items.is_empty() {
            return self.line(&whole);
        }
        self.open(head);
        for item in items {
            self.line(&format!("{item},"));
        }
        self.close(tail);
    }

    /// `to = value;`.
    pub(super) fn assign(&mut self, to: &str, value: &str) {
        let whole = format!("{to} = {value};");
        if self.fits(whole.len(), WIDTH) || value.ends_with('}') {
            return self.value(&format!("{to} = "), value, ";");
        }
        // A check stands on a line of its own, behind what it checks.
        let check = [".reply(", ".argument("].iter().filter_map(|check| value.rfind(check)).max();
        let (head, tail) = match check {
            Some(at) if !self.fits(value.len() + 5, WIDTH) => {
                (format!("{to} = {}", &value[..at]), &value[at..])
            }
            _ => (format!("{to} ="), value),
        };
        self.open(&head);
        self.close_with(&format!("{tail};"));
    }

    /// `head value tail`; if that is long and the value a struct, its fields stand on lines of their own.
    pub(super) fn value(&mut self, head: &str, value: &str, tail: &str) {
        let fields = value.split_once(" { ").zip(value.strip_suffix(" }"));
        match fields {
            Some(((name, _), whole)) if !self.fits(head.len() + value.len() + tail.len(), WIDTH) => {
                let fields = split(&whole[name.len() + 3..]);
                self.list(&format!("{head}{name} {{"), &fields, &format!("}}{tail}"));
            }
            _ => self.line(&format!("{head}{value}{tail}")),
        }
    }

    /// The lines of a documentation comment; `instead` if there are none.
    pub(super) fn doc(&mut self, doc: &str, instead: &str) {
        let doc = if doc.trim().is_empty() { instead } else { doc };
        for line in doc.lines() {
            let line: String = line.chars().filter(|c| !c.is_control()).collect();
            self.line(format!("/// {line}").trim_end());
        }
    }

    /// A constant byte string.
    pub(super) fn bytes(&mut self, head: &str, bytes: &[u8]) {
        self.line(&format!("{head} b\"\\"));
        let mut line = String::new();
        for byte in bytes {
            let escaped = match byte {
                // A blank at the start of a line would be skipped.
                b' ' if line.is_empty() => "\\x20".to_owned(),
                byte => std::ascii::escape_default(*byte).to_string(),
            };
            if line.len() + escaped.len() > WIDTH - 6 {
                self.raw(&format!("    {line}\\\n"));
                line.clear();
                if *byte == b' ' {
                    line.push_str("\\x20");
                    continue;
                }
            }
            line.push_str(&escaped);
        }
        self.raw(&format!("    {line}\\\n    \";\n\n"));
    }
}

/// Splits at the commas that stand in no bracket.
fn split(items: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in items.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}
