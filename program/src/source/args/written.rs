//! Lists, arrays and records on a command line:
//!
//! ```text
//! value  = list | record | text | plain
//! list   = "[" [value {"," value}] "]"
//! record = "{" [name ":" value {"," name ":" value}] "}"      a name may stand in quotes
//! text   = '"' … '"', with \n, \t, \r, \\, \" and \xHH
//! plain  = anything up to the next "," "]" or "}": a number, truth value or value of an enum, as they are written alone
//! ```
//! What JSON has of such values is written so, too. What a value means, its type decides.

/// Lists in lists, records included: no type has so many.
const DEPTH_MAX: usize = 32;

/// A value as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// A number, a truth value, or the name of an enum's value.
    Plain(String),
    /// A text.
    Text(Vec<u8>),
    /// The elements of a list or array.
    List(Vec<Written>),
    /// Fields of a record with their names.
    Record(Vec<(String, Written)>),
}

impl Written {
    /// Reads one.
    ///
    /// # Errors
    /// What was found and what was expected, for people.
    pub fn read(text: &[u8]) -> Result<Written, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.expected("nothing more")),
        }
    }

    /// The elements of what must be a list or array.
    ///
    /// # Errors
    /// What was expected, for people.
    pub fn elements(&self) -> Result<&[Written], String> {
        match self {
            Written::List(elements) => Ok(elements),
            _ => Err("expected a list, for example [1, 2, 3]".to_owned()),
        }
    }

    /// The bytes of what is a text, or one word: as they are written alone.
    ///
    /// # Errors
    /// What was expected, for people.
    pub fn one(&self) -> Result<&[u8], String> {
        match self {
            Written::Plain(text) => Ok(text.as_bytes()),
            Written::Text(text) => Ok(text),
            Written::List(_) | Written::Record(_) => Err("found several values, expected one".to_owned()),
        }
    }

    /// The values of a record's fields, in the order of `names`, each once.
    ///
    /// # Errors
    /// Which is missing, unknown or there twice, for people.
    pub fn fields<'w>(&'w self, names: &[&str]) -> Result<Vec<&'w Written>, String> {
        let shown = || names.iter().take(12).map(|name| format!("{name}: …")).collect::<Vec<_>>().join(", ");
        let Written::Record(fields) = self else { return Err(format!("expected {{{}}}", shown())) };
        for (at, (name, _)) in fields.iter().enumerate() {
            if !names.contains(&name.as_str()) {
                return Err(format!("there is no field `{name}`; expected {{{}}}", shown()));
            }
            if fields[..at].iter().any(|(other, _)| other == name) {
                return Err(format!("the field `{name}` is given twice"));
            }
        }
        let of = |name: &&str| match fields.iter().find(|(given, _)| given == name) {
            Some((_, value)) => Ok(value),
            None => Err(format!("the field `{name}` is missing; expected {{{}}}", shown())),
        };
        names.iter().map(of).collect()
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

type Read<T> = Result<T, String>;

impl Reader<'_> {
    /// The next byte that is no blank space.
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn expected(&mut self, what: &str) -> String {
        match self.peek() {
            None => format!("found its end, expected {what}"),
            Some(byte) => format!("found `{}` at byte {}, expected {what}", byte.escape_ascii(), self.at + 1),
        }
    }

    fn value(&mut self, depth: usize) -> Read<Written> {
        if depth > DEPTH_MAX {
            return Err(format!("more than {DEPTH_MAX} lists within each other"));
        }
        match self.peek() {
            Some(b'[') => self.all(b']', |reader| reader.value(depth + 1)).map(Written::List),
            Some(b'{') => self.all(b'}', |reader| reader.field(depth + 1)).map(Written::Record),
            Some(b'"') => self.text().map(Written::Text),
            _ => self.plain().map(Written::Plain),
        }
    }

    fn field(&mut self, depth: usize) -> Read<(String, Written)> {
        let name = match self.peek() {
            Some(b'"') => {
                String::from_utf8(self.text()?).map_err(|_| "a name that is no UTF-8".to_owned())?
            }
            _ => self.plain()?,
        };
        if !self.takes(b':') {
            return Err(self.expected("`:`"));
        }
        Ok((name, self.value(depth)?))
    }

    /// What stands between brackets, with commas between them.
    fn all<T>(&mut self, close: u8, mut one: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.at += 1;
        let mut all = Vec::new();
        if self.takes(close) {
            return Ok(all);
        }
        loop {
            all.push(one(self)?);
            if self.takes(close) {
                return Ok(all);
            }
            if !self.takes(b',') {
                return Err(self.expected(&format!("`,` or `{}`", char::from(close))));
            }
        }
    }

    fn plain(&mut self) -> Read<String> {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|byte| b"[]{},:\"".contains(byte) || byte.is_ascii_whitespace());
        let word = &rest[..end.unwrap_or(rest.len())];
        if word.is_empty() {
            return Err(self.expected("a value"));
        }
        let word = std::str::from_utf8(word).map_err(|_| "a word that is no UTF-8: write texts in quotes")?;
        self.at += word.len();
        Ok(word.to_owned())
    }

    fn text(&mut self) -> Read<Vec<u8>> {
        self.at += 1;
        let mut text = Vec::new();
        loop {
            let Some(byte) = self.text.get(self.at).copied() else {
                return Err("a text without its closing quote".to_owned());
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(text),
                b'\\' => text.push(self.escape()?),
                byte => text.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Read<u8> {
        let what = self.text.get(self.at).copied();
        self.at += 1;
        match what {
            Some(b'n') => Ok(b'\n'),
            Some(b't') => Ok(b'\t'),
            Some(b'r') => Ok(b'\r'),
            Some(byte @ (b'\\' | b'"' | b'/')) => Ok(byte),
            Some(b'x') => {
                let digits =
                    self.text.get(self.at..self.at + 2).and_then(|digits| std::str::from_utf8(digits).ok());
                let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                self.at += 2;
                byte.ok_or_else(|| "`\\x` without its two hexadecimal digits".to_owned())
            }
            _ => {
                Err("an escape in a text that does not exist; there are \\n \\t \\r \\\\ \\\" \\xHH"
                    .to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Written {
        Written::Plain(text.to_owned())
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let list = Written::List(vec![plain("1"), plain("-2"), plain("10MiB")]);
        assert_eq!(Written::read(b" [1, -2,10MiB ] "), Ok(list.clone()));
        assert_eq!(Written::read(b"[]"), Ok(Written::List(vec![])));
        assert_eq!(Written::read(b"[[1,-2,10MiB],[]]"), Ok(Written::List(vec![list, Written::List(vec![])])));
        assert_eq!(Written::read(br#""a,\"\x41\n""#), Ok(Written::Text(b"a,\"A\n".to_vec())));
        let record = Written::read(br#"{"name": "x", size: 3}"#).expect("a record");
        assert_eq!(record.fields(&["size", "name"]), Ok(vec![&plain("3"), &Written::Text(b"x".to_vec())]));
        assert!(record.fields(&["size"]).is_err_and(|why| why.contains("no field `name`")));
        assert!(record.fields(&["size", "name", "kind"]).is_err_and(|why| why.contains("`kind` is missing")));
        let twice = Written::read(b"{a: 1, a: 2}").expect("a record");
        assert!(twice.fields(&["a"]).is_err_and(|why| why.contains("given twice")));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        for (text, why) in [
            ("", "found its end, expected a value"),
            ("[1, 2", "found its end, expected `,` or `]`"),
            ("[1 2]", "found `2` at byte 4, expected `,` or `]`"),
            ("[1,]", "found `]` at byte 4, expected a value"),
            ("1]", "found `]` at byte 2, expected nothing more"),
            ("{a}", "found `}` at byte 3, expected `:`"),
            ("\"a", "a text without its closing quote"),
            ("\"\\x4\"", "`\\x` without its two hexadecimal digits"),
            ("\"\\x+1\"", "`\\x` without its two hexadecimal digits"),
            ("\"\\q\"", "an escape in a text that does not exist; there are \\n \\t \\r \\\\ \\\" \\xHH"),
        ] {
            assert_eq!(Written::read(text.as_bytes()), Err(why.to_owned()), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(Written::read(deep.as_bytes()).is_err_and(|why| why.contains("within each other")));
        assert!(Written::read(&[b'[', 0xff, b']']).is_err());
    }
}
