//! Text of an interface file in, tokens out (OMG IDL 4.2, section 7.2).
//!
//! Every byte of the text is looked at once. What is no token becomes a diagnostic and is skipped.
//! `<<` and `>>` stay two tokens each, because `>>` also closes `sequence<string<8>>`.

use crate::diagnostic::{Diagnostic, Span};
use crate::faults::Faults;
use crate::limits;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word: keyword or name.
    Word,
    /// An integer.
    Int(u64),
    /// A text in quotes.
    Text(String),
    /// `/// …`: one line of a documentation comment, without the slashes.
    Doc,
    /// `@`, a bracket, or an operator of one character.
    Mark(char),
    /// `::`.
    Scope,
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Where it stands.
    pub(crate) span: Span,
}

/// Makes tokens one by one, so that a text costs no memory beyond its own.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    found: Option<Token>,
    pub(crate) faults: Faults,
}

impl<'a> Lexer<'a> {
    /// Begins at the start of `text`.
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0, found: None, faults: Faults::default() }
    }

    /// The next token; [`TokenKind::End`] again and again at the end.
    pub(crate) fn next(&mut self) -> Token {
        while self.found.is_none() && self.at < self.text.len() {
            self.step();
        }
        let end = Span::new(self.text.len(), self.text.len());
        self.found.take().unwrap_or(Token { kind: TokenKind::End, span: end })
    }

    /// The text at `span`.
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    /// The text from byte `at`.
    pub(crate) fn rest_from(&self, at: usize) -> &'a str {
        &self.text[at..]
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes one token, comment, or stretch of blank space.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        match first {
            // Some editors begin a file with a byte order mark.
            c if c.is_whitespace() || (c == '\u{feff}' && self.at == 0) => self.at += c.len_utf8(),
            '/' if rest.starts_with("///") && !rest.starts_with("////") => self.doc(),
            '/' if rest.starts_with("//") => self.at += line_len(rest),
            '/' if rest.starts_with("/*") => self.block_comment(),
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '0'..='9' => self.number(),
            '"' => self.text(),
            '#' => self.preprocessor(),
            ':' if rest.starts_with("::") => self.push(TokenKind::Scope, self.at + 2),
            '@' | '{' | '}' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | ';' | ':' | '=' | '+' | '-' | '*'
            | '/' | '|' | '&' | '^' | '~' | '%' => self.push(TokenKind::Mark(first), self.at + 1),
            '\'' => self.character(),
            other => self.unknown(other),
        }
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        self.found = Some(Token { kind, span: Span::new(self.at, end) });
        self.at = end;
    }

    fn doc(&mut self) {
        let end = self.at + line_len(self.rest());
        self.push(TokenKind::Doc, end);
    }

    fn block_comment(&mut self) {
        match self.rest().find("*/") {
            Some(end) => self.at += end + 2,
            None => {
                let span = Span::new(self.at, self.at + 2);
                let fault = Diagnostic::error("open-comment", span, "this comment has no end");
                self.faults.push(fault.help("close it with `*/`"));
                self.at = self.text.len();
            }
        }
    }

    fn word(&mut self) {
        let len = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let end = self.at + len.unwrap_or(self.rest().len());
        if end - self.at > limits::NAME_MAX {
            let span = Span::new(self.at, end);
            self.faults.push(Diagnostic::error("name-length", span, "this name is too long").label(format!(
                "found {} letters, expected at most {}",
                end - self.at,
                limits::NAME_MAX
            )));
        }
        self.push(TokenKind::Word, end);
    }

    fn number(&mut self) {
        let rest = self.rest();
        let len = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
        let (digits, span) = (&rest[..len], Span::new(self.at, self.at + len));
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => u64::from_str_radix(hex, 16),
            None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
            None => digits.parse(),
        };
        if digits.contains('.') {
            let message = "numbers with a decimal point";
            self.faults.push(Diagnostic::unsupported("float", span, message));
        } else if value.is_err() {
            let fault = Diagnostic::error("number", span, "this is not a number that fits in 64 bits");
            self.faults.push(fault.label("expected decimal, 0x… or 0… digits"));
        }
        self.push(TokenKind::Int(value.unwrap_or(1)), span.end);
    }

    fn text(&mut self) {
        let line = &self.rest()[..line_len(self.rest())];
        let mut content = String::new();
        let mut chars = line.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => return self.push(TokenKind::Text(content), self.at + at + 1),
                '\\' => content.extend(chars.next().map(|(_, escaped)| escaped)),
                c => content.push(c),
            }
        }
        let end = self.at + line.len();
        let fault =
            Diagnostic::error("open-text", Span::new(self.at, end), "this text has no end in its line");
        self.faults.push(fault.help("close it with `\"`"));
        self.push(TokenKind::Text(content), end);
    }

    fn preprocessor(&mut self) {
        let len = line_len(self.rest());
        let fault =
            Diagnostic::unsupported("preprocessor", Span::new(self.at, self.at + len), "preprocessor lines");
        self.faults.push(fault.help("put everything into one file"));
        self.at += len;
    }

    fn character(&mut self) {
        let line = &self.rest()[1..line_len(self.rest())];
        let len = line.find('\'').map_or(1, |end| end + 2);
        let span = Span::new(self.at, self.at + len);
        self.faults.push(Diagnostic::unsupported("char", span, "characters"));
        self.push(TokenKind::Int(1), span.end);
    }

    /// Skips the whole stretch of strange characters, so that one fault gives one diagnostic.
    fn unknown(&mut self, first: char) {
        let rest = self.rest();
        let len = rest.find(|c: char| c.is_ascii_graphic() || c.is_whitespace()).unwrap_or(rest.len());
        let span = Span::new(self.at, self.at + len.max(first.len_utf8()));
        let fault = Diagnostic::error("character", span, "this character means nothing here");
        self.faults.push(fault.label(format!("found `{first}`")));
        self.at = span.end;
    }
}

fn line_len(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}
