//! Text in, syntax tree out: recursive descent (OMG IDL 4.2, section 7.4, so much of it as we support).
//!
//! ```text
//! file       = lead "module" N "{" {definition} "}" ";"
//! lead       = {doc | annotation}            annotation = "@" N ["(" argument {"," argument} ")"]
//! argument   = [N "="] (N | TEXT | INT)
//! definition = lead (const | enum | struct | exception | typedef | interface) ";"
//! const      = "const" type N "=" expr       typedef   = "typedef" type N
//! enum       = "enum" N "{" N {"," N} [","] "}"
//! struct     = "struct" N "{" {type N ";"} "}"          exception = "exception" N "{" {type N ";"} "}"
//! interface  = "interface" N "{" {operation} "}"
//! operation  = lead ("void" | type) N "(" [param {"," param}] ")" ["raises" "(" N ")"] ";"
//! param      = ("in" | "inout" | "out") type N
//! type       = "boolean" | "octet" | ["unsigned"] ("short" | "long" ["long"]) | N
//!            | "string" ["<" expr ">"] | "sequence" "<" type ["," expr] ">"
//! expr       = shift {"|" shift}             shift     = sum {("<<" | ">>") sum}
//! sum        = product {("+" | "-") product} product   = unary {("*" | "/") unary}
//! unary      = "-" unary | "(" expr ")" | INT | N
//! ```
//!
//! After a fault the parser skips to the end of the definition or operation and goes on, so that one run
//! shows several. Constructs of IDL that we know but do not have yet are told apart from faults.

mod expr;
mod operation;
mod types;
mod unsupported;

use crate::diagnostic::{Diagnostic, Span};
use crate::faults::Faults;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::limits;
use crate::syntax::*;

/// A fault was found and reported; whoever can go on after it does.
#[derive(Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Parses a whole file. The tree is `None` if not even a module was found.
pub(crate) fn parse(text: &str) -> (Option<File>, Faults) {
    let lexer = Lexer::new(text);
    let none = Token { kind: TokenKind::End, span: Span::default() };
    let mut parser = Parser { lexer, token: none.clone(), last: none, depth: 0 };
    parser.advance();
    parser.last.span = Span::default();
    let file = parser.file().ok();
    (file, parser.lexer.faults)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token to be taken next.
    token: Token,
    /// The token taken last.
    last: Token,
    /// Nesting of types and expressions.
    depth: usize,
}

/// What ends a definition: a parser for one kind of it, chosen by its first word.
impl<'a> Parser<'a> {
    fn file(&mut self) -> Parsed<File> {
        let lead = self.lead();
        if !self.at_word("module") {
            return Err(self.expected("`module NAME {`"));
        }
        self.advance();
        let name = self.name("the module's name")?;
        self.mark('{')?;
        let mut definitions = vec![];
        while !self.at_mark('}') && !self.at_end() && !self.lexer.faults.is_full() {
            match self.definition() {
                Ok(definition) => definitions.push(definition),
                Err(Reported) => self.skip(),
            }
        }
        if self.mark('}').is_ok() && self.mark(';').is_ok() {
            self.nothing_more();
        }
        Ok(File { name, lead, definitions })
    }

    fn nothing_more(&mut self) {
        if self.at_word("module") {
            let message = "several modules in one file";
            self.report(Diagnostic::unsupported("module", self.token.span, message));
        } else if !self.at_end() {
            let _ = self.expected("the end of the file");
        }
    }

    fn definition(&mut self) -> Parsed<Definition> {
        let lead = self.lead();
        let start = self.token.span;
        let (name, kind) = match self.word().unwrap_or("") {
            "const" => self.constant()?,
            "enum" => self.enumeration()?,
            "struct" => self.structure()?,
            "exception" => self.exception()?,
            "typedef" => self.typedef()?,
            "interface" => self.interface()?,
            _ => return Err(self.no_definition(start)),
        };
        self.mark(';')?;
        Ok(Definition { lead, name, kind })
    }

    fn constant(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let ty = self.type_spec()?;
        self.no_other_constant(&ty)?;
        let name = self.name("the constant's name")?;
        self.mark('=')?;
        let value = self.expr()?;
        Ok((name, DefinitionKind::Const { ty, value }))
    }

    fn typedef(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let ty = self.type_spec()?;
        let name = self.name("the new type's name")?;
        self.no_array()?;
        Ok((name, DefinitionKind::Typedef { ty }))
    }

    fn enumeration(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the enum's name")?;
        self.mark('{')?;
        let mut values = vec![];
        while !self.at_mark('}') {
            match self.value() {
                Ok(value) => values.push(value),
                Err(Reported) => self.skip_to_brace(),
            }
            if self.at_end() {
                break;
            }
        }
        self.mark('}')?;
        Ok((name, DefinitionKind::Enum { values }))
    }

    fn value(&mut self) -> Parsed<Name> {
        self.plain_lead();
        let name = self.name("a value's name")?;
        if !self.at_mark('}') {
            self.mark(',')?;
        }
        Ok(name)
    }

    fn structure(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the struct's name")?;
        self.no_inheritance("a struct that extends another")?;
        Ok((name, DefinitionKind::Struct { fields: self.fields()? }))
    }

    fn exception(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the exception's name")?;
        Ok((name, DefinitionKind::Exception { members: self.fields()? }))
    }

    fn fields(&mut self) -> Parsed<Vec<Field>> {
        self.mark('{')?;
        let mut fields = vec![];
        while !self.at_mark('}') && !self.at_start() {
            match self.field() {
                Ok(field) => fields.push(field),
                Err(Reported) => self.skip(),
            }
        }
        self.mark('}')?;
        Ok(fields)
    }

    fn field(&mut self) -> Parsed<Field> {
        self.plain_lead();
        let ty = self.type_spec()?;
        let name = self.name("the field's name")?;
        self.no_array()?;
        self.mark(';')?;
        Ok(Field { name, ty })
    }

    fn interface(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the interface's name")?;
        if self.at_mark(';') {
            return Err(self.forward_declaration(&name));
        }
        self.no_inheritance("an interface that inherits from another")?;
        self.mark('{')?;
        let mut operations = vec![];
        while !self.at_mark('}') && !self.at_start() {
            match self.operation() {
                Ok(operation) => operations.push(operation),
                Err(Reported) => self.skip(),
            }
        }
        self.mark('}')?;
        Ok((name, DefinitionKind::Interface { operations }))
    }

    /// Documentation and annotations. A faulty annotation is reported and left out.
    fn lead(&mut self) -> Lead {
        let mut lead = Lead::default();
        loop {
            match self.token.kind {
                TokenKind::Doc => {
                    let line = self.lexer.slice(self.token.span).trim_start_matches('/');
                    let line = line.strip_prefix(' ').unwrap_or(line).trim_end();
                    lead.doc.extend((!lead.doc.is_empty()).then_some('\n'));
                    lead.doc.push_str(line);
                    self.advance();
                }
                TokenKind::Mark('@') => lead.annotations.extend(self.annotation().ok()),
                _ => return lead,
            }
        }
    }

    /// Before what carries no annotations. Its documentation is not kept.
    fn plain_lead(&mut self) {
        for annotation in self.lead().annotations {
            let message = format!("`@{}` cannot stand here", annotation.name.text);
            let fault = Diagnostic::error("annotation-place", annotation.span, message);
            self.report(fault.help("annotations stand before the module or before an operation"));
        }
    }

    fn annotation(&mut self) -> Parsed<Annotation> {
        let start = self.token.span;
        self.advance();
        let name = self.name("an annotation's name")?;
        let mut arguments = vec![];
        if self.at_mark('(') {
            self.advance();
            if !self.at_mark(')') {
                arguments.push(self.argument()?);
            }
            while self.at_mark(',') {
                self.advance();
                arguments.push(self.argument()?);
            }
            self.mark(')')?;
        }
        Ok(Annotation { name, arguments, span: start.to(self.last.span) })
    }

    fn argument(&mut self) -> Parsed<Argument> {
        let value = match &self.token.kind {
            TokenKind::Word => {
                let name = self.name("a value")?;
                if self.at_mark('=') {
                    self.advance();
                    return Ok(Argument { name: Some(name), ..self.argument()? });
                }
                return Ok(Argument { name: None, value: ArgumentValue::Name(name) });
            }
            TokenKind::Text(text) => ArgumentValue::Text(text.clone()),
            TokenKind::Int(_) => ArgumentValue::Int,
            _ => return Err(self.expected("a name, a text or a number")),
        };
        self.advance();
        Ok(Argument { name: None, value })
    }
}

/// Tokens.
impl<'a> Parser<'a> {
    fn advance(&mut self) {
        let next = self.lexer.next();
        self.last = std::mem::replace(&mut self.token, next);
    }

    fn at_end(&self) -> bool {
        self.token.kind == TokenKind::End
    }

    fn at_mark(&self, mark: char) -> bool {
        self.token.kind == TokenKind::Mark(mark)
    }

    fn word(&self) -> Option<&'a str> {
        (self.token.kind == TokenKind::Word).then(|| self.lexer.slice(self.token.span))
    }

    fn at_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    fn mark(&mut self, mark: char) -> Parsed<()> {
        if self.at_mark(mark) {
            self.advance();
            return Ok(());
        }
        Err(self.expected(&format!("`{mark}`")))
    }

    /// Takes a name; keywords are none.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        let Some(word) = self.word() else { return Err(self.expected(what)) };
        let span = self.token.span;
        if unsupported::KEYWORDS.contains(&word) {
            let message = format!("`{word}` is a word of the language and cannot be a name");
            let label = format!("found a keyword, expected {what}");
            return Err(self.report(Diagnostic::error("keyword", span, message).label(label)));
        }
        if word.starts_with('_') {
            let message = "names that begin with `_`";
            return Err(self.report(Diagnostic::unsupported("name", span, message)));
        }
        self.advance();
        self.no_scope()?;
        let text = word.chars().take(limits::NAME_MAX).collect();
        Ok(Name { text, span })
    }

    fn report(&mut self, fault: Diagnostic) -> Reported {
        self.lexer.faults.push(fault);
        Reported
    }

    /// Reports that something else was expected here.
    fn expected(&mut self, what: &str) -> Reported {
        let found = match &self.token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Text(_) => "a text".to_owned(),
            TokenKind::Doc => "a documentation comment".to_owned(),
            _ => format!("`{}`", self.lexer.slice(self.token.span)),
        };
        // What is missing at the end of a line is shown there, not at the start of the next.
        let between = &self.lexer.slice(Span::new(self.last.span.end, self.token.span.start));
        let is_missing_mark = what.starts_with('`') && between.contains('\n') && self.last.span.end > 0;
        let span = if is_missing_mark || self.at_end() {
            Span::new(self.last.span.end, self.last.span.end)
        } else {
            self.token.span
        };
        let fault = Diagnostic::error("syntax", span, format!("expected {what}"));
        self.report(fault.label(format!("found {found}, expected {what}")))
    }
}

/// Going on after a fault.
impl Parser<'_> {
    /// Whether a list of members must have ended: a definition begins here, or nothing more will be read.
    fn at_start(&self) -> bool {
        let starts = ["const", "enum", "struct", "exception", "typedef", "interface"];
        self.at_end() || self.lexer.faults.is_full() || self.word().is_some_and(|w| starts.contains(&w))
    }

    /// Skips to behind the `;` that ends the faulty member or definition, to the `}` that ends the list of them, or to
    /// the start of the next definition.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        while !self.at_end() {
            match self.token.kind {
                TokenKind::Mark('{') => depth += 1,
                TokenKind::Mark('}') if depth == 0 => return,
                TokenKind::Mark('}') => depth -= 1,
                TokenKind::Mark(';') if depth == 0 => return self.advance(),
                TokenKind::Word if depth == 0 && self.at_start() && self.begins_line() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether the next token is the first of its line, or the last one ended something.
    fn begins_line(&self) -> bool {
        let between = Span::new(self.last.span.end, self.token.span.start);
        matches!(self.last.kind, TokenKind::Mark(';' | '}')) || self.lexer.slice(between).contains('\n')
    }

    fn skip_to_brace(&mut self) {
        while !self.at_mark('}') && !self.at_end() {
            self.advance();
        }
    }

    /// Runs `parse` one level deeper; reports texts that are nested too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let depth = self.depth;
        if depth >= limits::NESTING_MAX {
            let fault = Diagnostic::error("nesting", self.token.span, "this is nested too deep");
            let fault = fault.label(format!("expected at most {} levels", limits::NESTING_MAX));
            return Err(self.report(fault));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth = depth;
        parsed
    }
}
