//! One way to lay an interface file out: two blanks for each level, a definition or member on each line, annotations on
//! a line before it, lines of at most 110 letters where that can be. Comments and single blank lines stay.
//!
//! The tokens of the text are laid out again; none is added, removed or changed, so that the meaning cannot change, and
//! laying out twice is laying out once.

use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Comments, Lexer, Token, TokenKind};
use crate::limits;
use crate::parser;
use crate::sources::{Sources, too_large};

const WIDTH: usize = 110;

/// The text of an interface file, laid out.
///
/// # Errors
/// Its faults of syntax, or that it is longer than [`limits::TEXT_MAX`]; whether names and types are right does not matter.
pub fn format(name: &str, text: &str) -> Result<String, Vec<Diagnostic>> {
    if text.len() > limits::TEXT_MAX {
        return Err(vec![too_large(name, text.len(), Span::new(0, 0))]);
    }
    let (_, faults) = parser::parse(&Sources::alone(name, text));
    if !faults.is_empty() {
        return Err(faults.into_list());
    }
    let mut lexer = Lexer::new(text, 0, Comments::Kept);
    let mut tokens = vec![];
    loop {
        let token = lexer.next();
        if token.kind == TokenKind::End {
            break;
        }
        tokens.push(token);
    }
    let mut layout = Layout {
        text,
        out: String::new(),
        indent: 0,
        line: vec![],
        stack: vec![],
        is_short: false,
        was_open: true,
    };
    for index in 0..tokens.len() {
        layout.token(&tokens, index);
    }
    layout.flush();
    // Lines of block comments, which are the only ones that are taken over with their ends.
    Ok(layout.out.replace("\r\n", "\n"))
}

struct Layout<'a> {
    text: &'a str,
    out: String,
    indent: usize,
    /// The statement so far: its words, and what stands before each.
    line: Vec<(Gap, &'a str)>,
    /// Open brackets of the statement.
    stack: Vec<char>,
    /// Whether the body that is open stands on the line of its name.
    is_short: bool,
    /// Whether the last line opened a body, or there is none: no blank line follows.
    was_open: bool,
}

/// What stands before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    None,
    Blank,
    /// A blank, or the end of a line that is too long.
    Break,
    /// The end of the line: what is before is a comment.
    Line,
}

impl<'a> Layout<'a> {
    fn token(&mut self, tokens: &[Token], index: usize) {
        let token = &tokens[index];
        let before = index.checked_sub(1).map(|index| &tokens[index]);
        let gap = &self.text[before.map_or(0, |token| token.span.end)..token.span.start];
        let lines = gap.matches('\n').count();
        let word = self.slice(token.span);
        if self.line.is_empty() && lines > 1 && !self.was_open && token.kind != TokenKind::Mark('}') {
            self.out.push('\n');
        }
        match &token.kind {
            TokenKind::Comment => self.comment(word, before.is_some() && lines == 0),
            TokenKind::Doc | TokenKind::Include(_) => {
                self.flush();
                self.put_line(word.trim_end());
            }
            TokenKind::Mark('{') => self.open(tokens, index),
            TokenKind::Mark('}') if std::mem::take(&mut self.is_short) => {
                let is_empty = self.line.last().is_some_and(|(_, word)| *word == "{");
                self.push(if is_empty { Gap::None } else { Gap::Blank }, word);
            }
            TokenKind::Mark('}') => {
                self.flush();
                self.indent = self.indent.saturating_sub(1);
                self.push(Gap::None, word);
            }
            TokenKind::Mark(';') => {
                self.push(Gap::None, word);
                self.flush();
            }
            _ => {
                if self.ends_annotations(tokens, index) {
                    self.flush();
                }
                let gap = self.gap(tokens, index);
                self.push(gap, word);
                self.count(token, tokens.get(index + 1));
                if self.is_list_comma(word) {
                    self.flush();
                }
            }
        }
    }

    fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    /// Whether a value of an enum ends here, which has a line of its own.
    fn is_list_comma(&self, word: &str) -> bool {
        word == "," && self.stack.is_empty() && self.line.len() == 2 && !self.is_short
    }

    fn comment(&mut self, word: &'a str, is_behind: bool) {
        if is_behind && self.line.is_empty() && self.out.ends_with('\n') {
            self.out.pop();
            self.out.push(' ');
            self.out.push_str(word.trim_end());
            self.out.push('\n');
        } else if self.line.is_empty() {
            self.put_line(word.trim_end());
        } else {
            self.push(Gap::Blank, word.trim_end());
        }
    }

    /// `{`; an enum or an empty body stays on its line if it fits there.
    fn open(&mut self, tokens: &[Token], index: usize) {
        let gap = if self.line.is_empty() { Gap::None } else { Gap::Blank };
        self.push(gap, "{");
        self.stack.clear();
        let rest = &tokens[index + 1..];
        if rest.first().is_some_and(|token| token.kind == TokenKind::Mark('}')) || self.is_short(rest) {
            self.is_short = true;
            return;
        }
        self.flush();
        self.indent += 1;
        self.was_open = true;
    }

    /// Whether the values of an enum fit behind its name.
    fn is_short(&self, rest: &[Token]) -> bool {
        let end = rest.iter().position(|token| token.kind == TokenKind::Mark('}')).unwrap_or(rest.len());
        let values = &rest[..end];
        let is_plain = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Mark(','));
        let len = |token: &Token| token.span.end - token.span.start + 1;
        let head: usize = self.line.iter().map(|(_, word)| word.len() + 1).sum();
        let width = self.indent * 2 + head + values.iter().map(len).sum::<usize>() + 3;
        self.first_word() == "enum" && values.iter().all(is_plain) && width <= WIDTH
    }

    /// Whether annotations stand on the line, and something else begins here.
    fn ends_annotations(&self, tokens: &[Token], index: usize) -> bool {
        let begins_with_one = self.line.first().is_some_and(|(_, word)| *word == "@");
        let is_open = self.stack.contains(&'(');
        let before = index.checked_sub(1).map(|index| &tokens[index].kind);
        let is_name = before == Some(&TokenKind::Mark('@'));
        let is_argument = tokens[index].kind == TokenKind::Mark('(') && before == Some(&TokenKind::Word);
        let is_next = tokens[index].kind == TokenKind::Mark('@');
        begins_with_one && !is_open && !is_name && !is_argument && !is_next
    }

    /// Keeps account of brackets.
    fn count(&mut self, token: &Token, next: Option<&Token>) {
        let TokenKind::Mark(mark) = token.kind else { return };
        match mark {
            '(' | '[' => self.stack.push(mark),
            ')' | ']' => {
                self.stack.pop();
            }
            '<' if !is_double(token, next) && self.line.len() > 1 && !self.is_second('<') => {
                self.stack.push('<')
            }
            '>' if self.stack.last() == Some(&'<') => {
                self.stack.pop();
            }
            _ => {}
        }
    }

    /// Whether the last token is the second half of `<<` or `>>`.
    fn is_second(&self, mark: char) -> bool {
        let Some([.., (_, first), (gap, second)]) = self.line.get(..) else { return false };
        *gap == Gap::None && first.starts_with(mark) && second.starts_with(mark) && first.len() == 1
    }

    fn push(&mut self, gap: Gap, word: &'a str) {
        let is_behind_comment = self.line.last().is_some_and(|(_, before)| before.starts_with("//"));
        self.line.push((if is_behind_comment { Gap::Line } else { gap }, word));
    }

    fn first_word(&self) -> &'a str {
        self.line.first().map_or("", |(_, word)| word)
    }

    fn gap(&self, tokens: &[Token], index: usize) -> Gap {
        let Some((_, before)) = self.line.last() else { return Gap::None };
        let (token, last) = (&tokens[index], &tokens[index - 1]);
        let next = tokens.get(index + 1);
        let is_close = last.span.end == token.span.start;
        let word = self.slice(token.span);
        let is_type_bracket = self.stack.last() == Some(&'<');
        match (*before, word) {
            // Halves of a shift.
            ("<", "<") if is_close => Gap::None,
            (">", ">") if is_close && !is_type_bracket => Gap::None,
            (_, "," | ")" | "]" | ";") | ("(" | "[" | "@" | "::" | "~", _) => Gap::None,
            (_, ">") if is_type_bracket => Gap::None,
            ("<", _) if is_type_bracket && !self.is_second('<') => Gap::None,
            (_, "<") if !is_double(token, next) => Gap::None,
            (_, ":") if !matches!(self.first_word(), "interface" | "struct") => Gap::None,
            (_, "::") if is_name(last, before) => Gap::None,
            (_, "(") if last.kind == TokenKind::Word && !SPACED.contains(before) => Gap::None,
            (_, "[") if last.kind == TokenKind::Word || *before == "]" => Gap::None,
            ("*", _) if self.is_pointer() => Gap::None,
            ("-" | "+", _) if self.is_sign() => Gap::None,
            (",", _) if self.stack.last() == Some(&'(') => Gap::Break,
            (_, "raises" | "getraises" | "setraises") => Gap::Break,
            ("|" | "+" | "-" | "*" | "/" | "&" | "^" | "%", _) => Gap::Break,
            _ => Gap::Blank,
        }
    }

    /// Whether a `*` is the paper's: in the parameters of an operation.
    fn is_pointer(&self) -> bool {
        let is_definition =
            matches!(self.first_word(), "const" | "typedef" | "case" | "union" | "sequence" | "string");
        self.stack[..] == ['('] && !is_definition
    }

    /// Whether the last token is a sign before a number, not an operator between two.
    fn is_sign(&self) -> bool {
        let before = self.line.iter().rev().nth(1).map_or("", |(_, word)| *word);
        matches!(
            before,
            "" | "(" | "<" | "[" | "," | "=" | "|" | "^" | "&" | "+" | "-" | "*" | "/" | "%" | "~" | "case"
        ) || (before == ">" && self.stack.last() != Some(&'<') && self.first_word() == "const")
    }

    /// Writes the statement, broken where it is too long.
    fn flush(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let mut rows: Vec<String> = vec![String::new()];
        // Words that stay together.
        let mut piece = String::new();
        let mut glue = Gap::None;
        let line = std::mem::take(&mut self.line);
        for (gap, word) in line {
            if matches!(gap, Gap::Break | Gap::Line) {
                self.add(&mut rows, glue, &piece);
                (piece, glue) = (String::new(), gap);
            } else if gap == Gap::Blank {
                piece.push(' ');
            }
            piece.push_str(word);
        }
        self.add(&mut rows, glue, &piece);
        for (number, row) in rows.iter().enumerate() {
            let indent = self.indent * 2 + if number > 0 { 4 } else { 0 };
            self.out.push_str(&format!("{:indent$}{row}\n", ""));
        }
        self.stack.clear();
        self.was_open = false;
    }

    fn add(&self, rows: &mut Vec<String>, gap: Gap, piece: &str) {
        let extra = if rows.len() > 1 { 4 } else { 0 };
        let Some(row) = rows.last_mut() else { return };
        let len = self.indent * 2 + extra + row.chars().count() + 1 + piece.chars().count();
        if gap == Gap::Line || (gap == Gap::Break && len > WIDTH) {
            rows.push(piece.to_owned());
        } else {
            row.push_str(if gap == Gap::Break { " " } else { "" });
            row.push_str(piece);
        }
    }

    fn put_line(&mut self, line: &str) {
        let indent = self.indent * 2;
        self.out.push_str(&format!("{:indent$}{line}\n", ""));
        self.was_open = false;
    }
}

/// Words that have a blank before their bracket.
const SPACED: &[&str] = &["raises", "getraises", "setraises", "switch", "case"];

/// Whether a token and the next are the halves of `<<`.
fn is_double(token: &Token, next: Option<&Token>) -> bool {
    next.is_some_and(|next| next.kind == token.kind && next.span.start == token.span.end)
}

/// Whether `::` belongs to the word before it: that is a name, not a word of the language.
fn is_name(last: &Token, word: &str) -> bool {
    last.kind == TokenKind::Word && !parser::is_keyword(word)
}
