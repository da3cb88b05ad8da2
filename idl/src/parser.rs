//! Text in, syntax tree out: recursive descent (OMG IDL 4.2, section 7.4, so much of it as we support).
//!
//! ```text
//! file       = {include | module}         include    = "#include" TEXT (at the level of the file only)
//! module     = lead "module" N "{" {definition} "}" ";"
//! lead       = {doc | annotation}         annotation = "@" N ["(" argument {"," argument} ")"]
//! argument   = [N "="] (N | TEXT | NUMBER)
//! definition = module | lead (const | enum | struct | union | exception | typedef | interface) ";"
//! const      = "const" type N "=" expr    typedef    = "typedef" type declarators
//! enum       = "enum" N "{" N {"," N} [","] "}"
//! struct     = "struct" N "{" fields "}"  exception  = "exception" N "{" fields "}"
//! fields     = {type declarators ";"}     declarators = N {"[" expr "]"} {"," N {"[" expr "]"}}
//! union      = "union" N "switch" "(" type ")" "{" {label {label} type declarators ";"} "}"
//! label      = "case" expr ":" | "default" ":"
//! interface  = "interface" N [":" path] "{" {operation | attribute | definition} "}" | "interface" N
//! operation  = lead ["oneway"] ("void" | type) N "(" [param {"," param}] ")" ["raises" raised] ";"
//! attribute  = lead ["readonly"] "attribute" type N {"," N} ["raises" raised] ["getraises" raised] ["setraises" raised] ";"
//! raised     = "(" path {"," path} ")"
//! param      = ("in" | "inout" | "out") type N {"[" expr "]"} | paper
//! paper      = "[" attr {"," attr} "]" [type] {"*"} N | N         attr = "in" | "out" | "string" | "size_is" ["("] N [")"]
//! type       = "boolean" | "char" | "octet" | ["u"] "int" ("8" | "16" | "32" | "64") | "float" | "double" | path
//!            | ["unsigned"] ("short" | "long" ["long"]) | "string" ["<" expr ">"] | "sequence" "<" type ["," expr] ">"
//! path       = ["::"] N {"::" N}
//! expr       = xor {"|" xor}              xor        = and {"^" and}
//! and        = shift {"&" shift}          shift      = sum {("<<" | ">>") sum}
//! sum        = product {("+" | "-") product}         product = unary {("*" | "/" | "%") unary}
//! unary      = ("-" | "+" | "~") unary | "(" expr ")" | NUMBER | CHAR | TEXT {TEXT} | "TRUE" | "FALSE" | path
//! ```
//!
//! After a fault the parser skips to the end of the definition or operation and goes on, so that one run
//! shows several. `int8` and the like are one word. Constructs of IDL that we know but do not have yet are told apart from faults.

mod attribute;
mod expr;
mod operation;
mod paper;
mod types;
mod unsupported;

use std::collections::HashMap;
use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Span};
use crate::faults::Faults;
use crate::lexer::{Comments, Lexer, Token, TokenKind};
use crate::limits;
use crate::markdown;
use crate::sources::Sources;
use crate::syntax::*;

/// A fault was found and reported; whoever can go on after it does.
#[derive(Debug)]
struct Reported;

type Parsed<T> = Result<T, Reported>;

/// Parses all files, included ones first.
pub(crate) fn parse(sources: &Sources) -> (Tree, Faults) {
    let (mut tree, mut modules) = (Tree::new(), HashMap::new());
    let mut faults = Faults::default();
    sources.faults().iter().for_each(|fault| faults.push(fault.clone()));
    for (text, start) in sources.in_order() {
        let mut lexer = Lexer::new(text, start, Comments::Skipped);
        lexer.faults = faults;
        let end = Token { kind: TokenKind::End, span: Span::new(start, start) };
        let (token, last) = (end.clone(), end);
        let is_named = sources.is_named(start);
        let mut parser = Parser {
            lexer,
            token,
            last,
            start,
            depth: 0,
            tree,
            modules,
            scope: ScopeId::FILES,
            is_named,
            last_param: None,
            parts: vec![],
        };
        parser.advance();
        parser.last.span = Span::new(start, start);
        parser.file();
        (tree, modules, faults) = (parser.tree, parser.modules, parser.lexer.faults);
    }
    (tree, faults)
}

/// Whether `word` is one of the language, and no name.
pub(crate) fn is_keyword(word: &str) -> bool {
    unsupported::KEYWORDS.contains(&word)
}

/// Adds an item of a list to documentation, behind a blank line if it is the first.
fn add_item(doc: &mut String, name: &str, of: &str) {
    let end = markdown::end_of_fence(doc);
    let goes_on =
        doc.lines().next_back().is_some_and(|line| line.starts_with("- `") || line.starts_with("  "));
    match end {
        // What is indented may be code of its own.
        Some(end) => doc.push_str(&format!("\n{end}\n\n")),
        None if goes_on => doc.push('\n'),
        None if doc.trim().is_empty() => {}
        None => doc.push_str("\n\n"),
    }
    doc.push_str(&markdown::item(name, of));
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token to be taken next.
    token: Token,
    /// The token taken last.
    last: Token,
    /// Where the file begins.
    start: usize,
    /// Nesting of types, expressions and modules.
    depth: usize,
    tree: Tree,
    /// Modules by the scope they are in and their name: they may be opened again.
    modules: HashMap<(ScopeId, String), ScopeId>,
    /// Where definitions go.
    scope: ScopeId,
    /// Whether this file is the one that was named.
    is_named: bool,
    /// What a name alone repeats, in the paper's form of parameters.
    last_param: Option<paper::Form>,
    /// Names and documentation of parts of the definition that is read: fields, values, arms, parameters.
    parts: Vec<(String, String)>,
}

/// Files, modules, and a parser for each kind of definition, chosen by its first word.
impl<'a> Parser<'a> {
    fn file(&mut self) {
        let mut is_empty = true;
        while !self.at_end() && !self.lexer.faults.is_full() {
            let lead = self.lead();
            let result = if self.at_word("module") {
                is_empty = false;
                self.module(lead)
            } else {
                Err(self.no_module(is_empty))
            };
            if result.is_err() {
                // What is left of a module that could not be read says nothing.
                is_empty = false;
                self.skip();
                // A definition without a module stops `skip` where it begins, and a bracket too many where it stands.
                while !self.at_end() && !self.at_word("module") && self.token.kind != TokenKind::Mark('@') {
                    self.advance();
                }
            }
        }
        if is_empty && self.is_named && self.lexer.faults.is_empty() {
            self.expected("`module NAME {`");
        }
    }

    fn no_module(&mut self, is_first: bool) -> Reported {
        match is_first {
            true => self.expected("`module NAME {`"),
            false => self.expected("the end of the file or another module"),
        }
    }

    fn module(&mut self, lead: Lead) -> Parsed<()> {
        self.advance();
        let name = self.name("the module's name")?;
        self.mark('{')?;
        let scope = self.open_module(name, lead);
        let outer = std::mem::replace(&mut self.scope, scope);
        let read = self.nested(|parser| {
            parser.definitions();
            Ok(())
        });
        self.scope = outer;
        read?;
        self.mark('}')?;
        self.mark(';')
    }

    /// The scope of a module that begins here, or goes on.
    fn open_module(&mut self, name: Name, lead: Lead) -> ScopeId {
        let (within, is_named) = (self.scope, self.is_named);
        let new = ScopeId(self.tree.scopes.len());
        let scope = *self.modules.entry((within, name.text.clone())).or_insert(new);
        if scope == new {
            let kind = ScopeKind::Module;
            self.tree.scopes.push(Scope { name, within, kind, lead, is_named });
        } else {
            let known = &mut self.tree.scopes[scope.0];
            known.is_named |= is_named;
            known.lead.annotations.extend(lead.annotations);
            let is_more = !known.lead.doc.is_empty() && !lead.doc.is_empty();
            known.lead.doc.extend(is_more.then_some('\n'));
            known.lead.doc.push_str(&lead.doc);
        }
        scope
    }

    fn definitions(&mut self) {
        while !self.at_mark('}') && !self.at_end() && !self.lexer.faults.is_full() {
            let lead = self.lead();
            let read = if self.at_word("module") { self.module(lead) } else { self.definition(lead) };
            if let Err(Reported) = read {
                self.skip();
            }
        }
    }

    fn definition(&mut self, lead: Lead) -> Parsed<()> {
        let (start, scope) = (self.token.span, self.scope);
        let definitions = match self.word().unwrap_or("") {
            "const" => vec![self.constant()?],
            "enum" => vec![self.enumeration()?],
            "struct" => vec![self.structure()?],
            "union" => vec![self.union()?],
            "exception" => vec![self.exception()?],
            "typedef" => self.typedef()?,
            "interface" => vec![self.interface()?],
            _ => return Err(self.no_definition(start)),
        };
        self.mark(';')?;
        let lead = self.with_parts(lead);
        self.note_types(&lead.doc, &definitions);
        let (definitions, lead) = (definitions.into_iter(), Rc::new(lead));
        let named = definitions.map(|(name, kind)| Definition { scope, lead: Rc::clone(&lead), name, kind });
        self.tree.definitions.extend(named);
        Ok(())
    }

    fn constant(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let ty = self.type_spec()?;
        let name = self.name("the constant's name")?;
        self.mark('=')?;
        let value = self.expr()?;
        Ok((name, DefinitionKind::Const { ty, value }))
    }

    fn typedef(&mut self) -> Parsed<Vec<(Name, DefinitionKind)>> {
        self.advance();
        let ty = self.type_spec()?;
        let names = self.declarators(&ty, "the new type's name")?;
        Ok(names.into_iter().map(|Field { name, ty }| (name, DefinitionKind::Typedef { ty })).collect())
    }

    fn enumeration(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the enum's name")?;
        self.mark('{')?;
        let (mut values, mut faults) = (vec![], 0);
        while !self.at_mark('}') {
            match self.value() {
                Ok(value) => values.push(value),
                Err(Reported) => {
                    faults += 1;
                    self.skip_to_brace();
                }
            }
            if self.at_end() {
                break;
            }
        }
        self.mark('}')?;
        self.note_lost(&name, values.len(), faults);
        Ok((name, DefinitionKind::Enum { values }))
    }

    fn value(&mut self) -> Parsed<Name> {
        let doc = self.plain_lead();
        let name = self.name("a value's name")?;
        self.part(&[&name], &doc);
        if !self.at_mark('}') {
            self.mark(',')?;
        }
        Ok(name)
    }

    fn structure(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the struct's name")?;
        if self.at_mark(';') {
            return Ok((name, DefinitionKind::Forward));
        }
        self.no_struct_base()?;
        let fields = self.fields(&name)?;
        Ok((name, DefinitionKind::Struct { fields }))
    }

    fn exception(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the exception's name")?;
        let members = self.fields(&name)?;
        Ok((name, DefinitionKind::Exception { members }))
    }

    fn fields(&mut self, of: &Name) -> Parsed<Vec<Field>> {
        self.mark('{')?;
        let (mut fields, mut faults) = (vec![], 0);
        while !self.at_mark('}') && !self.at_start() {
            match self.field() {
                Ok(new) => fields.extend(new),
                Err(Reported) => {
                    faults += 1;
                    self.skip();
                }
            }
        }
        self.mark('}')?;
        self.note_lost(of, fields.len(), faults);
        Ok(fields)
    }

    /// What has faults instead of members is not empty.
    fn note_lost(&mut self, name: &Name, members: usize, faults: usize) {
        if members == 0 && faults > 0 {
            self.tree.lost.insert(name.span);
        }
    }

    fn field(&mut self) -> Parsed<Vec<Field>> {
        let doc = self.plain_lead();
        let ty = self.type_spec()?;
        let fields = self.declarators(&ty, "the field's name")?;
        let names: Vec<&Name> = fields.iter().map(|field| &field.name).collect();
        self.part(&names, &doc);
        self.mark(';')?;
        Ok(fields)
    }

    fn union(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the union's name")?;
        if self.at_mark(';') {
            return Ok((name, DefinitionKind::Forward));
        }
        self.keyword("switch")?;
        self.mark('(')?;
        let switch = self.type_spec()?;
        self.mark(')')?;
        self.mark('{')?;
        let (mut arms, mut faults) = (vec![], 0);
        while !self.at_mark('}') && !self.at_start() {
            match self.arm() {
                Ok(arm) => arms.push(arm),
                Err(Reported) => {
                    faults += 1;
                    self.skip();
                }
            }
        }
        self.mark('}')?;
        self.note_lost(&name, arms.len(), faults);
        Ok((name, DefinitionKind::Union { switch, arms }))
    }

    fn arm(&mut self) -> Parsed<Arm> {
        let doc = self.plain_lead();
        let mut labels = vec![];
        while self.at_word("case") || self.at_word("default") {
            let start = self.token.span;
            self.advance();
            let is_case = self.lexer.slice(start) == "case";
            labels.push(if is_case { Label::Case(self.expr()?) } else { Label::Default(start) });
            self.mark(':')?;
        }
        if labels.is_empty() {
            return Err(self.expected("`case VALUE:` or `default:`"));
        }
        let ty = self.type_spec()?;
        let name = self.name("the arm's name")?;
        self.part(&[&name], &doc);
        let ty = self.dimensions(ty)?;
        self.mark(';')?;
        Ok(Arm { labels, field: Field { name, ty } })
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if !self.at_word(word) {
            return Err(self.expected(&format!("`{word}`")));
        }
        self.advance();
        Ok(())
    }

    fn interface(&mut self) -> Parsed<(Name, DefinitionKind)> {
        self.advance();
        let name = self.name("the interface's name")?;
        if self.at_mark(';') {
            return Ok((name, DefinitionKind::Forward));
        }
        let base = self.base()?;
        self.mark('{')?;
        let (within, is_named, lead) = (self.scope, self.is_named, Lead::default());
        let scope = ScopeId(self.tree.scopes.len());
        self.tree.scopes.push(Scope {
            name: name.clone(),
            within,
            kind: ScopeKind::Interface,
            lead,
            is_named,
        });
        self.scope = scope;
        let operations = self.members();
        self.scope = within;
        self.mark('}')?;
        Ok((name, DefinitionKind::Interface { base, operations, scope }))
    }

    /// `: BASE`.
    fn base(&mut self) -> Parsed<Option<Path>> {
        if !self.at_mark(':') {
            return Ok(None);
        }
        self.advance();
        let base = self.path("the name of an interface")?;
        self.no_second_base()?;
        Ok(Some(base))
    }

    fn members(&mut self) -> Vec<Operation> {
        let mut operations = vec![];
        while !self.at_mark('}') && !self.at_end() && !self.lexer.faults.is_full() {
            if self.at_word("interface") || self.at_word("module") {
                break;
            }
            let lead = self.lead();
            let read = match self.word().unwrap_or("") {
                "const" | "enum" | "struct" | "union" | "exception" | "typedef" => self.definition(lead),
                "attribute" | "readonly" => self.attribute(lead).map(|new| operations.extend(new)),
                _ => self.operation(lead).map(|new| operations.push(new)),
            };
            if let Err(Reported) = read {
                self.skip();
            }
        }
        operations
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
                    // To some it ends a line.
                    lead.doc.extend(line.chars().filter(|c| *c != '\r'));
                    self.advance();
                }
                TokenKind::Mark('@') => lead.annotations.extend(self.annotation().ok()),
                _ => return lead,
            }
        }
    }

    /// Documentation of what carries no annotations.
    fn plain_lead(&mut self) -> String {
        let lead = self.lead();
        for annotation in lead.annotations {
            let message = format!("`@{}` cannot stand here", annotation.name.text);
            let fault = Diagnostic::error("annotation-place", annotation.span, message);
            self.report(fault.help("annotations stand before the module or before an operation"));
        }
        lead.doc
    }

    /// What is said of parts: descriptors have no place for it but the documentation of the whole.
    fn part(&mut self, names: &[&Name], doc: &str) {
        if !doc.trim().is_empty() {
            let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
            self.parts.push((names.join("`, `"), doc.to_owned()));
        }
    }

    /// The lead of a definition, with what is said of its parts as a list.
    fn with_parts(&mut self, mut lead: Lead) -> Lead {
        for (name, doc) in self.parts.drain(..) {
            add_item(&mut lead.doc, &name, &doc);
        }
        lead
    }

    /// New names for types are in no descriptor: what is said of them goes to the module.
    fn note_types(&mut self, doc: &str, definitions: &[(Name, DefinitionKind)]) {
        let is_type = |(_, kind): &&(Name, DefinitionKind)| matches!(kind, DefinitionKind::Typedef { .. });
        let names: Vec<&str> =
            definitions.iter().filter(is_type).map(|(name, _)| name.text.as_str()).collect();
        if names.is_empty() || doc.trim().is_empty() {
            return;
        }
        let (mut scope, mut within) = (self.scope, String::new());
        while self.tree.scopes[scope.0].within != ScopeId::FILES {
            within = format!("{}::{within}", self.tree.scopes[scope.0].name.text);
            scope = self.tree.scopes[scope.0].within;
        }
        let names = names.join(&format!("`, `{within}"));
        add_item(&mut self.tree.scopes[scope.0].lead.doc, &format!("{within}{names}"), doc);
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
            TokenKind::Int(_) | TokenKind::Float(_) | TokenKind::Char(_) => ArgumentValue::Number,
            _ => return Err(self.expected("a name, a text or a number")),
        };
        self.advance();
        Ok(Argument { name: None, value })
    }
}

/// Tokens.
impl<'a> Parser<'a> {
    fn advance(&mut self) {
        let mut next = self.lexer.next();
        // What is included was read already; here only its place matters.
        while matches!(next.kind, TokenKind::Include(_)) {
            if self.scope != ScopeId::FILES {
                let message = "files are included before or behind modules, not within them";
                self.lexer.faults.push(Diagnostic::error("include-place", next.span, message));
            }
            next = self.lexer.next();
        }
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
        let text = word.chars().take(limits::NAME_MAX).collect();
        Ok(Name { text, span })
    }

    /// Takes `N`, `A::N` or `::N`.
    fn path(&mut self, what: &str) -> Parsed<Path> {
        let start = self.token.span;
        let is_absolute = self.token.kind == TokenKind::Scope;
        if is_absolute {
            self.advance();
        }
        let mut parts = vec![self.name(what)?];
        while self.token.kind == TokenKind::Scope {
            self.advance();
            if parts.len() >= limits::NESTING_MAX {
                let message = "this name has too many parts";
                return Err(self.report(Diagnostic::error("nesting", start.to(self.last.span), message)));
            }
            parts.push(self.name(what)?);
        }
        Ok(Path { is_absolute, parts, span: start.to(self.last.span) })
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
        let is_missing_mark =
            what.starts_with('`') && between.contains('\n') && self.last.span.end > self.start;
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
        let starts = ["const", "enum", "struct", "union", "exception", "typedef", "interface", "module"];
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
