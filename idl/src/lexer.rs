//! Text of an interface file in, tokens out (OMG IDL 4.2, section 7.2).
//!
//! Every byte of the text is looked at once. What is no token becomes a diagnostic and is skipped.
//! `<<` and `>>` stay two tokens each, because `>>` also closes `sequence<string<8>>`.

use crate::diagnostic::{Diagnostic, Span};
use crate::faults::Faults;
use crate::limits;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// A word: keyword or name.
    Word,
    /// An integer.
    Int(u64),
    /// A number with a decimal point or an exponent.
    Float(f64),
    /// A text in quotes.
    Text(String),
    /// A character in single quotes: one byte.
    Char(u8),
    /// `#include "name"`: the name.
    Include(String),
    /// A comment that is no documentation; only if they are asked for.
    Comment,
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
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Where it stands.
    pub(crate) span: Span,
}

/// What becomes of comments that are no documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comments {
    /// Passed over.
    Skipped,
    /// Tokens.
    Kept,
}

/// Makes tokens one by one, so that a text costs no memory beyond its own.
pub(crate) struct Lexer<'a> {
    /// Up to the end of the file.
    text: &'a str,
    start: usize,
    at: usize,
    comments: Comments,
    found: Option<Token>,
    pub(crate) faults: Faults,
}

impl<'a> Lexer<'a> {
    /// Begins at byte `start` of `text`.
    pub(crate) fn new(text: &'a str, start: usize, comments: Comments) -> Lexer<'a> {
        Lexer { text, start, at: start, comments, found: None, faults: Faults::default() }
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
            c if c.is_whitespace() || (c == '\u{feff}' && self.at == self.start) => self.at += c.len_utf8(),
            '/' if rest.starts_with("///") && !rest.starts_with("////") => self.doc(),
            '/' if rest.starts_with("//") => self.comment(line_len(rest)),
            '/' if rest.starts_with("/*") => self.block_comment(),
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '0'..='9' => self.number(),
            '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(),
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

    fn comment(&mut self, len: usize) {
        match self.comments {
            Comments::Skipped => self.at += len,
            Comments::Kept => self.push(TokenKind::Comment, self.at + len),
        }
    }

    fn block_comment(&mut self) {
        match self.rest().find("*/") {
            Some(end) => self.comment(end + 2),
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
        let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
        let mut before = '0';
        let len = rest.find(|c: char| {
            // The sign of an exponent belongs to the number.
            let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !is_hex;
            before = c;
            !(c.is_ascii_alphanumeric() || c == '.' || is_sign)
        });
        let digits = &rest[..len.unwrap_or(rest.len())];
        let span = Span::new(self.at, self.at + digits.len());
        let is_float = !is_hex && digits.contains(['.', 'e', 'E']);
        let kind = if is_float { float(digits).map(TokenKind::Float) } else { integer(digits) };
        if kind.is_none() && is_float {
            let fault = Diagnostic::error("number", span, "this is not a number");
            self.faults
                .push(fault.label("expected digits with one decimal point, and an exponent if needed"));
        } else if kind.is_none() {
            let fault = Diagnostic::error("number", span, "this is not a number that fits in 64 bits");
            self.faults.push(fault.label("expected decimal, 0x… or 0… digits"));
        }
        self.push(kind.unwrap_or(TokenKind::Int(1)), span.end);
    }

    fn text(&mut self) {
        match self.quoted('"', usize::MAX) {
            Ok((content, end)) => match String::from_utf8(content) {
                Ok(text) if !text.contains('\0') => self.push(TokenKind::Text(text), end),
                _ => {
                    let span = Span::new(self.at, end);
                    let fault = Diagnostic::error("text", span, "a text is UTF-8 without NUL characters");
                    self.faults.push(fault.label("found an escape that makes it something else"));
                    self.push(TokenKind::Text(String::new()), end);
                }
            },
            Err(end) => {
                let span = Span::new(self.at, end);
                let fault = Diagnostic::error("open-text", span, "this text has no end in its line");
                self.faults.push(fault.help("close it with `\"`"));
                self.push(TokenKind::Text(String::new()), end);
            }
        }
    }

    fn character(&mut self) {
        let (content, end) = match self.quoted('\'', CHARACTER_MAX) {
            Ok((content, end)) => (content, end),
            // A quotation mark that is alone takes nothing else with it.
            Err(_) => (vec![], self.at + 1),
        };
        if content.len() != 1 {
            let fault = Diagnostic::error("char", Span::new(self.at, end), "this is not one character");
            self.faults.push(fault.label("expected one character of one byte between `'` and `'`"));
        }
        self.push(TokenKind::Char(content.first().copied().unwrap_or(b'?')), end);
    }

    /// What stands between two `mark`s, and the place behind the second; if there is none among the next `most`
    /// characters of the line, the place where it was given up. Looks at nothing behind that, so that a text costs no
    /// more than it is long.
    fn quoted(&mut self, mark: char, most: usize) -> Result<(Vec<u8>, usize), usize> {
        let text = self.text;
        let (mut content, mut at) = (Vec::new(), self.at + 1);
        for _ in 0..most {
            let Some(c) = text[at..].chars().next().filter(|c| *c != '\n') else { break };
            at += c.len_utf8();
            if c == mark {
                return Ok((content, at));
            }
            if c != '\\' {
                content.extend(c.encode_utf8(&mut [0; 4]).bytes());
                continue;
            }
            if text[at..].starts_with('\n') {
                break;
            }
            let (byte, taken) = escape(&text[at..]);
            if byte.is_none() && taken > 0 {
                let span = Span::new(at - 1, at + taken);
                let fault = Diagnostic::error("escape", span, "there is no such escape");
                self.faults.push(fault.label("expected n t r a b f v 0…7 x… \\ ' \" or ? after `\\`"));
            }
            content.extend(byte);
            at += taken;
        }
        Err(at)
    }

    /// A line that begins with `#`: only files are included.
    fn preprocessor(&mut self) {
        let line = self.rest()[..line_len(self.rest())].trim_end();
        let span = Span::new(self.at, self.at + line.len());
        let words = line[1..].trim_start();
        if let Some(name) = words.strip_prefix("include") {
            let name = name.trim();
            let name = name.strip_prefix('"').and_then(|name| name.split_once('"')).map(|(name, _)| name);
            let name = name.filter(|name| !name.is_empty());
            if name.is_none() {
                let fault = Diagnostic::error("include", span, "this names no file to include");
                self.faults.push(fault.label("expected `#include \"name.idl\"`"));
            }
            return match name {
                Some(name) => self.push(TokenKind::Include(name.to_owned()), span.end),
                None => self.at = span.end,
            };
        }
        let fault = Diagnostic::unsupported("preprocessor", span, "preprocessor lines other than `#include`");
        let is_guard =
            ["ifndef", "define", "endif", "pragma once"].iter().any(|word| words.starts_with(word));
        self.faults.push(match is_guard {
            true => fault.help("leave it out: each file is read once, however often it is included"),
            false => fault.help("leave it out; constants are `const unsigned long N = 8;`"),
        });
        self.at = span.end;
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

/// Characters between the quotation marks of a character, escapes and faults with them; a mark that has no second one
/// is alone.
const CHARACTER_MAX: usize = 16;

fn line_len(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

fn integer(digits: &str) -> Option<TokenKind> {
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    // `from_str_radix` takes a sign, which the lexer never gives it.
    value.ok().map(TokenKind::Int)
}

/// Rust's form has the forms of IDL in it, but also `inf` and the like, which do not begin with a digit.
fn float(digits: &str) -> Option<f64> {
    digits.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The byte that the escape at the start of `rest` stands for, and how many bytes it takes.
fn escape(rest: &str) -> (Option<u8>, usize) {
    let Some(first) = rest.chars().next() else { return (None, 0) };
    let simple = match first {
        'n' => Some(b'\n'),
        't' => Some(b'\t'),
        'r' => Some(b'\r'),
        'a' => Some(7),
        'b' => Some(8),
        'f' => Some(12),
        'v' => Some(11),
        '\\' | '\'' | '"' | '?' => Some(first as u8),
        _ => None,
    };
    if simple.is_some() {
        return (simple, 1);
    }
    let digits = |text: &str, radix: u32, most: usize| {
        text.chars().take(most).take_while(|c| c.is_digit(radix)).count()
    };
    match first {
        'x' => {
            let count = digits(&rest[1..], 16, 2);
            (u8::from_str_radix(&rest[1..=count], 16).ok(), 1 + count)
        }
        '0'..='7' => {
            let count = digits(rest, 8, 3);
            (u8::from_str_radix(&rest[..count], 8).ok(), count)
        }
        other => (None, other.len_utf8()),
    }
}
