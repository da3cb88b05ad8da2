//! Tokens to [`ast`](super::ast), by recursive descent.
//!
//! It resolves no names. After a fault it starts anew at the next statement or declaration, so that one
//! run reports several; what comes of a text with faults is thrown away. Nesting is bounded
//! ([`NESTING_MAX`]), and every step but that of a fault takes a token, so the cost is that of the text.
//!
//! | part | what it reads |
//! | --- | --- |
//! | this file | the file: `use`, declarations, header, types; and the helpers |
//! | `arrays` | call arrays |
//! | `statements` | blocks and statements |
//! | `expressions` | expressions, places, arguments |
//!
//! The grammar stands at each function in the words of the language reference.

mod arrays;
mod expressions;
mod statements;

use super::ast::*;
use super::faults::{Faults, Reported, meant};
use super::lexer::{Kind, LinePlace, Symbol, Token, Tokens, Unit};
use crate::tree::CapKind;
use carnet_idl::diagnostic::{Diagnostic, Span};

type Parsed<T> = Result<T, Reported>;

/// Words that cannot be names.
pub(super) const RESERVED: &[&str] = &[
    "use", "const", "record", "fn", "program", "let", "var", "if", "else", "while", "for", "in", "sort",
    "try", "return", "break", "continue", "fail", "true", "false",
];

/// Words that begin a declaration.
const DECLARATIONS: &[&str] = &["use", "const", "record", "fn", "program"];

/// What people write for declarations elsewhere.
const FOREIGN_DECLARATIONS: &[(&str, &str)] = &[
    ("import", "use"),
    ("include", "use"),
    ("using", "use"),
    ("from", "use"),
    ("struct", "record"),
    ("class", "record"),
    ("type", "record"),
    ("func", "fn"),
    ("fun", "fn"),
    ("def", "fn"),
    ("function", "fn"),
    ("sub", "fn"),
    ("proc", "fn"),
    ("main", "program"),
    ("let", "const"),
    ("var", "const"),
];

const CAPS: &[(&str, CapKind)] = &[
    ("writes", CapKind::Writes),
    ("calls", CapKind::Calls),
    ("written", CapKind::Written),
    ("returned", CapKind::Returned),
    ("time", CapKind::Time),
];

fn cap_kind(word: &str) -> Option<CapKind> {
    CAPS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
}

/// Reads a whole file; `None` if it has faults.
pub(super) fn file<'a>(text: &'a str, tokens: Tokens, faults: &mut Faults) -> Option<File<'a>> {
    let Tokens { all, texts } = tokens;
    let mut parser = Parser { text, tokens: all, texts, at: 0, depth: 0, faults };
    let file = parser.file();
    if faults.is_empty() { file } else { None }
}

struct Parser<'a, 'f> {
    text: &'a str,
    tokens: Vec<Token>,
    texts: Vec<Vec<u8>>,
    at: usize,
    depth: u16,
    faults: &'f mut Faults,
}

// The file.

impl<'a> Parser<'a, '_> {
    /// file = {"use" N} {const|record|fn} (program|array)
    fn file(&mut self) -> Option<File<'a>> {
        let (mut uses, mut items, mut program, mut commands) = (vec![], vec![], None, None);
        while self.kind() != Kind::End && !self.faults.is_full() {
            let start = self.at;
            if self.declaration(&mut uses, &mut items, &mut program, &mut commands).is_err() {
                self.skip_to_declaration(start);
            }
        }
        if program.is_none() && self.faults.is_empty() {
            let fault = Diagnostic::error("program", self.span(), "this file holds no program");
            self.faults.push(
                fault
                    .label("found the end of the file, expected `program`")
                    .help("a program looks like: program count(root: Dir) -> int { … }"),
            );
        }
        Some(File { uses, items, program: program?, commands })
    }

    fn declaration(
        &mut self,
        uses: &mut Vec<Name<'a>>,
        items: &mut Vec<Item<'a>>,
        program: &mut Option<Program<'a>>,
        commands: &mut Option<Vec<Command<'a>>>,
    ) -> Parsed<()> {
        let word = self.word();
        if DECLARATIONS.contains(&word) || word == "array" {
            self.check_order(word, items, program.as_ref())?;
        }
        match word {
            "use" => {
                self.next();
                uses.push(self.name("the name of an interface file, e.g. `files`")?);
            }
            "const" => items.push(self.constant()?),
            "record" => items.push(self.record()?),
            "fn" => items.push(Item::Fn(self.function()?)),
            "program" => *program = Some(self.program()?),
            "array" => {
                let (header, body) = self.array()?;
                (*program, *commands) = (Some(header), Some(body));
            }
            _ => return Err(self.no_declaration()),
        }
        Ok(())
    }

    /// `use` comes first and the program last, and there is one.
    fn check_order(&mut self, word: &str, items: &[Item<'a>], program: Option<&Program<'a>>) -> Parsed<()> {
        let span = self.span();
        let fault = match (word, program) {
            ("program" | "array", Some(first)) => {
                Diagnostic::error("program", span, "a file holds one program, and this is the second")
                    .label(format!("found `program` again, after `{}`", first.function.name.text))
                    .help("put it into a file of its own")
            }
            (_, Some(_)) => {
                Diagnostic::error("order", span, format!("`{word}` stands before the program, not after it"))
                    .label(format!("found `{word}`, expected the end of the file"))
                    .help("the program is the last thing in a file")
            }
            ("use", None) if !items.is_empty() => {
                Diagnostic::error("order", span, "`use` stands before everything else")
                    .label("found `use`, expected a declaration or the program")
            }
            _ => return Ok(()),
        };
        self.faults.push(fault);
        Ok(())
    }

    fn no_declaration(&mut self) -> Reported {
        let token = self.token();
        if token.kind == Kind::Symbol(Symbol::CloseBrace) && !self.faults.is_empty() {
            return Reported;
        }
        let fault =
            Diagnostic::error("syntax", token.span, format!("{} begins no declaration", self.found())).label(
                format!("found {}, expected `use`, `const`, `record`, `fn` or `program`", self.found()),
            );
        let word = self.word();
        let foreign =
            FOREIGN_DECLARATIONS.iter().find(|(foreign, _)| *foreign == word).map(|(_, ours)| *ours);
        let fault = match foreign.or_else(|| meant(word, DECLARATIONS.iter().copied())) {
            Some(ours) => fault.help(format!("did you mean `{ours}`?")),
            None if token.kind == Kind::Symbol(Symbol::CloseBrace) => {
                fault.help("there is one `}` too many; perhaps a block ended sooner than you thought")
            }
            None if word.is_empty() => fault,
            None => fault.help("statements stand inside of `program NAME(…) { … }`"),
        };
        self.report(fault)
    }

    /// Goes on behind `start`, at a word that can only begin a declaration.
    fn skip_to_declaration(&mut self, start: usize) {
        if self.at == start {
            self.next();
        }
        while self.kind() != Kind::End && !self.at_declaration() {
            self.next();
        }
    }

    /// Whether a declaration surely begins here. These words cannot be names, and begin no statement.
    fn at_declaration(&self) -> bool {
        self.token().place == LinePlace::First && DECLARATIONS.contains(&self.word())
    }

    /// const = "const" N "=" expr
    fn constant(&mut self) -> Parsed<Item<'a>> {
        self.next();
        let name = self.name("the name of the constant")?;
        if self.is(Symbol::Colon) {
            let fault = Diagnostic::error("syntax", self.span(), "a constant has the type of its value");
            return Err(self.report(fault.label("found `:`, expected `=`")));
        }
        self.expect(Symbol::Eq)?;
        Ok(Item::Const(name, self.expr()?))
    }

    /// record = "record" N "{" params "}"
    fn record(&mut self) -> Parsed<Item<'a>> {
        self.next();
        let name = self.name("the name of the record")?;
        let open = self.expect(Symbol::OpenBrace)?;
        let fields = self.params(open, Symbol::CloseBrace)?;
        Ok(Item::Record(name, fields))
    }

    /// fn = "fn" N "(" \[params] ")" \["->" type] block
    fn function(&mut self) -> Parsed<Function<'a>> {
        let (name, params, result) = self.signature("the name of the function")?;
        let body = self.block("the function")?;
        Ok(Function { name, params, result, body })
    }

    /// program = "program" N "(" \[params] ")" \["->" type] \["at" "most" cap {"," cap}] block
    fn program(&mut self) -> Parsed<Program<'a>> {
        let (name, params, result) = self.signature("the name of the program")?;
        let caps = if self.word() == "at" { self.caps()? } else { vec![] };
        let body = self.block("the program")?;
        Ok(Program { function: Function { name, params, result, body }, caps })
    }

    fn signature(&mut self, what: &str) -> Parsed<(Name<'a>, Vec<Param<'a>>, Option<TypeRef<'a>>)> {
        self.next();
        let name = self.name(what)?;
        let open = self.expect(Symbol::Open)?;
        let params = self.params(open, Symbol::Close)?;
        if self.is(Symbol::Colon) {
            let fault = Diagnostic::error("syntax", self.span(), "the type of a result stands behind `->`");
            return Err(self.report(fault.label("found `:`, expected `->` or `{`")));
        }
        let result = if self.take(Symbol::Arrow) { Some(self.type_ref()?) } else { None };
        Ok((name, params, result))
    }

    fn caps(&mut self) -> Parsed<Vec<Cap<'a>>> {
        self.next();
        if self.word() != "most" {
            return Err(self.unexpected("`most`"));
        }
        self.next();
        let mut caps = vec![self.cap()?];
        while self.take(Symbol::Comma) {
            caps.push(self.cap()?);
        }
        Ok(caps)
    }

    /// cap = (INT|N) ("writes"|"calls"|"written"|"returned"|"time")
    fn cap(&mut self) -> Parsed<Cap<'a>> {
        let start = self.span();
        if cap_kind(self.word()).is_some() {
            let fault = Diagnostic::error("cap", start, "a cap begins with its number");
            return Err(
                self.report(fault.label(format!("found {}, expected e.g. `200 writes`", self.found())))
            );
        }
        let limit = self.amount("a cap, e.g. `200 writes`")?;
        let Some(kind) = cap_kind(self.word()) else { return Err(self.unknown_cap()) };
        let span = start.to(self.next().span);
        Ok(Cap { limit, kind, span })
    }

    fn unknown_cap(&mut self) -> Reported {
        let message = "a cap limits writes, calls, written, returned or time";
        let fault = Diagnostic::error("cap", self.span(), message)
            .label(format!("found {}, expected one of these words", self.found()));
        let fault = match meant(self.word(), CAPS.iter().map(|(name, _)| *name)) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        };
        self.report(fault)
    }

    /// params = param {"," param}, up to `close`
    fn params(&mut self, open: Span, close: Symbol) -> Parsed<Vec<Param<'a>>> {
        let mut params = vec![];
        while !self.is(close) {
            params.push(self.param()?);
            if !self.take(Symbol::Comma) && !self.is(close) {
                return Err(self.unclosed(open, "`,`", close));
            }
        }
        self.next();
        Ok(params)
    }

    /// param = N ":" type \["=" expr]
    fn param(&mut self) -> Parsed<Param<'a>> {
        let name = self.name("a name")?;
        if self.kind() == Kind::Word {
            let (first, second) = (name.text, self.word());
            let fault =
                Diagnostic::error("syntax", self.span(), "the name comes before the type, with `:` between")
                    .label(format!("found `{second}`, expected `:`"))
                    .help(format!("did you mean `{second}: {first}`?"));
            return Err(self.report(fault));
        }
        self.expect(Symbol::Colon)?;
        let ty = self.type_ref()?;
        let default = if self.take(Symbol::Eq) { Some(self.expr()?) } else { None };
        Ok(Param { name, ty, default })
    }

    /// type = N \["." N] \["(" (type|INT) {"," (type|INT)} ")"]
    fn type_ref(&mut self) -> Parsed<TypeRef<'a>> {
        self.nested(|p| {
            let first = p.name("a type")?;
            let (module, name) =
                if p.take(Symbol::Dot) { (Some(first), p.name("a type")?) } else { (None, first) };
            p.check_foreign_type(name)?;
            let args = if p.is(Symbol::Open) { Some(p.type_args()?) } else { None };
            let span = first.span.to(p.before());
            Ok(TypeRef { module, name, args, span })
        })
    }

    /// `list<T>`, `list[T]`, `T[]` and `T?`, which look like types elsewhere.
    fn check_foreign_type(&mut self, name: Name<'a>) -> Parsed<()> {
        if !self.is(Symbol::Less) && !self.is(Symbol::OpenBracket) {
            return Ok(());
        }
        let fault = Diagnostic::error("syntax", self.span(), "what a type holds stands in parentheses");
        let help = match name.text {
            "list" => "write `list(string, 1_000)`: type and largest number of elements".to_owned(),
            "string" | "bytes" => format!("write `{}(255)`: the largest number of bytes", name.text),
            other => format!("a list of it is `list({other}, 1_000)`"),
        };
        Err(self.report(fault.label(format!("found {}, expected `(`", self.found())).help(help)))
    }

    fn type_args(&mut self) -> Parsed<Vec<TypeArg<'a>>> {
        let open = self.next().span;
        let mut args = vec![];
        while !self.is(Symbol::Close) {
            args.push(match self.kind() {
                Kind::Int(value, _) => TypeArg::Int(value, self.next().span),
                _ => TypeArg::Type(self.type_ref()?),
            });
            if !self.take(Symbol::Comma) && !self.is(Symbol::Close) {
                return Err(self.unclosed(open, "`,`", Symbol::Close));
            }
        }
        self.next();
        Ok(args)
    }
}

// The helpers.

impl<'a> Parser<'a, '_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// Place of the token before this one.
    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// The word here; empty if it is something else.
    fn word(&self) -> &'a str {
        self.word_at(self.at)
    }

    fn word_at(&self, at: usize) -> &'a str {
        match self.tokens.get(at) {
            Some(Token { kind: Kind::Word, span, .. }) => &self.text[span.start..span.end],
            _ => "",
        }
    }

    /// Takes this token; the end is never passed.
    fn next(&mut self) -> Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is(&self, symbol: Symbol) -> bool {
        self.kind() == Kind::Symbol(symbol)
    }

    fn take(&mut self, symbol: Symbol) -> bool {
        let is = self.is(symbol);
        if is {
            self.next();
        }
        is
    }

    fn expect(&mut self, symbol: Symbol) -> Parsed<Span> {
        if self.is(symbol) {
            return Ok(self.next().span);
        }
        Err(self.unexpected(&format!("`{}`", symbol.text())))
    }

    /// A new or known name.
    fn name(&mut self, what: &str) -> Parsed<Name<'a>> {
        let text = self.word();
        if text.is_empty() {
            return Err(self.unexpected(what));
        }
        if RESERVED.contains(&text) {
            let message = format!("`{text}` is a word of the language and cannot be a name");
            let fault = Diagnostic::error("syntax", self.span(), message);
            return Err(self.report(fault.label(format!("found `{text}`, expected {what}"))));
        }
        Ok(Name { text, span: self.next().span })
    }

    /// A name behind a dot or before a colon, where words of the language may stand.
    fn member(&mut self, what: &str) -> Parsed<Name<'a>> {
        let text = self.word();
        if text.is_empty() {
            return Err(self.unexpected(what));
        }
        Ok(Name { text, span: self.next().span })
    }

    /// INT|N
    fn amount(&mut self, what: &str) -> Parsed<Amount<'a>> {
        match self.kind() {
            Kind::Int(value, unit) => Ok(Amount::Int(value, unit, self.next().span)),
            Kind::Word => Ok(Amount::Const(self.name(what)?)),
            _ => Err(self.unexpected(what)),
        }
    }

    /// Goes one level deeper, if that is allowed.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= NESTING_MAX {
            return Err(self.too_deep(self.span()));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self, span: Span) -> Reported {
        let message = format!("this nests more than {NESTING_MAX} deep");
        let fault = Diagnostic::error("too-deep", span, message);
        self.report(fault.help("give parts of it names, or put them into functions"))
    }

    /// Reports a fault, unless it comes of something that was reported.
    fn report(&mut self, fault: Diagnostic) -> Reported {
        if self.kind() != Kind::Unknown {
            self.faults.push(fault);
        }
        Reported
    }

    /// What stands here, for messages.
    fn found(&self) -> String {
        match self.kind() {
            Kind::End => "the end of the file".to_owned(),
            Kind::Unknown => "something unknown".to_owned(),
            Kind::Text(_) => "a text".to_owned(),
            Kind::Int(_, Unit::None) | Kind::Float(_) => "a number".to_owned(),
            Kind::Int(..) => "a number with a unit".to_owned(),
            Kind::Symbol(symbol) => format!("`{}`", symbol.text()),
            Kind::Word => format!("`{}`", self.word()),
        }
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        let fault = self.unexpected_here(expected);
        self.report(fault)
    }

    fn unexpected_here(&self, expected: &str) -> Diagnostic {
        let found = self.found();
        let message = match self.kind() {
            Kind::End => "the file ends too early".to_owned(),
            _ => format!("{found} cannot stand here"),
        };
        Diagnostic::error("syntax", self.span(), message).label(format!("found {found}, expected {expected}"))
    }

    /// Neither `more` nor `close` follows in what `open` opened.
    fn unclosed(&mut self, open: Span, more: &str, close: Symbol) -> Reported {
        let expected = format!("{more} or `{}`", close.text());
        let mut fault = self.unexpected_here(&expected);
        let line = 1 + self.text[..open.start].matches('\n').count();
        if self.text[open.start..self.span().start].contains('\n') {
            let open = &self.text[open.start..open.end];
            fault = fault.note(format!("the `{open}` of line {line} is still open"));
        }
        if close == Symbol::CloseBracket
            && matches!(self.kind(), Kind::Symbol(Symbol::DotDot | Symbol::Colon))
        {
            fault = fault.help("an index is one number: no part is cut out of a text or a list yet");
        }
        self.report(fault)
    }
}
