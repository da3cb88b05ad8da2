//! Blocks and statements.
//!
//! ```text
//! block = "{" {stmt} [last] "}"       last = "return" [expr]|"break"|"continue"|"fail" expr
//! stmt  = ("let"|"var") N [":" type] ["=" rhs]
//!       | "if" expr block {"else" "if" expr block} ["else" block]
//!       | "match" expr "{" {N {"," N} ["(" N ")"] block} ["else" block] "}"
//!       | "while" expr [limit] block
//!       | "for" N ["," N] "in" expr [".." expr] [limit] block
//!       | "sort" N "by" N {"," N}
//!       | "try" expr "else" block | place [("="|"+="|"-=") rhs]
//! rhs   = expr | "try" expr "else" block      limit = "limit" (INT|N)
//! ```
//!
//! What stands behind a `last` is read here and reported by the checker, which says it better.

use super::super::ast::*;
use super::super::faults::{Reported, meant};
use super::super::lexer::{Kind, LinePlace, Symbol};
use super::{Parsed, Parser, RESERVED};
use carnet_idl::diagnostic::Diagnostic;

/// Words that begin a statement.
const STATEMENTS: &[&str] =
    &["let", "var", "if", "match", "while", "for", "sort", "try", "return", "break", "continue", "fail"];

/// What people write for these elsewhere.
const FOREIGN_STATEMENTS: &[(&str, &str)] = &[
    ("elif", "else if"),
    ("elsif", "else if"),
    ("elseif", "else if"),
    ("foreach", "for"),
    ("loop", "while true"),
    ("until", "while !"),
    ("mut", "var"),
    ("const", "let"),
    ("auto", "let"),
    ("throw", "fail"),
    ("raise", "fail"),
    ("panic", "fail"),
    ("error", "fail"),
    ("exit", "return"),
    ("next", "continue"),
    ("unless", "if !"),
    ("when", "if"),
];

/// How values are chosen among, and arms of unions.
const CHOOSE: &str = "to choose among values, write `if x == a { … } else if x == b { … } else { … }`; \
                      by the arms of a union, `match x { a(v) { … } else { … } }`";

/// What chooses among values elsewhere.
const CHOICES: &[&str] = &["match", "switch", "select", "case"];

/// Words for the order of a `sort` elsewhere.
const ORDERS: [&str; 6] = ["asc", "ascending", "desc", "descending", "reverse", "reversed"];

impl<'a> Parser<'a, '_> {
    /// A block; `owner` says whose it is.
    pub(super) fn block(&mut self, owner: &str) -> Parsed<Block<'a>> {
        if !self.is(Symbol::OpenBrace) {
            return Err(self.no_block(owner));
        }
        self.nested(Self::statements)
    }

    fn no_block(&mut self, owner: &str) -> Reported {
        let fault = match self.kind() {
            Kind::Symbol(Symbol::Eq) if owner.starts_with('`') => {
                Diagnostic::error("syntax", self.span(), "`=` assigns; to compare, write `==`")
                    .label("found `=`, expected `{`")
                    .help("did you mean `==`?")
            }
            _ => {
                let fault = self.unexpected_here(&format!("`{{` and the block of {owner}"));
                match self.word() {
                    "and" => fault.help("did you mean `&&`?"),
                    "or" => fault.help("did you mean `||`?"),
                    _ => fault,
                }
            }
        };
        self.report(fault)
    }

    fn statements(&mut self) -> Parsed<Block<'a>> {
        let open = self.next().span;
        let mut stmts = vec![];
        loop {
            if self.is(Symbol::CloseBrace) {
                return Ok(Block { stmts, close: self.next().span });
            }
            if self.kind() == Kind::End || self.at_declaration() {
                return Err(self.unclosed(open, "a statement", Symbol::CloseBrace));
            }
            let start = self.at;
            match self.statement() {
                Ok(stmt) => stmts.push(stmt),
                Err(_) if self.faults.is_full() => return Err(Reported),
                Err(_) => self.skip_to_statement(start),
            }
        }
    }

    /// Goes on behind `start`: at the first line that begins with a word, outside of blocks begun since
    /// `start`, or at the end of the block.
    fn skip_to_statement(&mut self, start: usize) {
        let mut open = self.open_since(start);
        if self.at == start {
            open += brace_step(self.next().kind);
        }
        loop {
            let at_word = self.kind() == Kind::Word && self.token().place == LinePlace::First;
            match self.kind() {
                Kind::End => return,
                _ if self.at_declaration() => return,
                Kind::Symbol(Symbol::CloseBrace) if open <= 0 => return,
                _ if at_word && open <= 0 && self.word() != "else" => return,
                _ => {}
            }
            open += brace_step(self.next().kind);
        }
    }

    /// Blocks begun and not ended between `start` and here.
    fn open_since(&self, start: usize) -> i32 {
        self.tokens[start..self.at].iter().map(|token| brace_step(token.kind)).sum()
    }

    fn statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.span();
        let kind = match self.word() {
            "let" => self.declare(Declarator::Let)?,
            "var" => self.declare(Declarator::Var)?,
            "if" => return self.if_statement(),
            "while" => return self.while_statement(),
            "for" => return self.for_statement(),
            "sort" => self.sort()?,
            "try" => {
                let (value, otherwise) = self.tried()?;
                return Ok(Stmt { span: start.to(value.span), kind: StmtKind::Try(value, otherwise) });
            }
            "return" => self.return_statement()?,
            "break" => {
                self.next();
                StmtKind::Break
            }
            "continue" => {
                self.next();
                StmtKind::Continue
            }
            "fail" => {
                self.next();
                StmtKind::Fail(self.expr()?)
            }
            "match" if self.begins_match() => return self.match_statement(),
            "" => return Err(self.no_statement()),
            _ => return self.place_statement(),
        };
        Ok(Stmt { kind, span: start.to(self.before()) })
    }

    fn no_statement(&mut self) -> Reported {
        let fault = Diagnostic::error("syntax", self.span(), "a statement begins with a word")
            .label(format!("found {}, expected a statement", self.found()));
        let fault = match self.kind() {
            Kind::Symbol(Symbol::Open) => fault.help("give the value a name: `let x = (…)`"),
            Kind::Symbol(Symbol::OpenBrace) => fault.help("a block belongs to `if`, `while`, `for` or `try`"),
            _ => fault,
        };
        self.report(fault)
    }

    fn declare(&mut self, word: Declarator) -> Parsed<StmtKind<'a>> {
        self.next();
        if word == Declarator::Let && self.word() == "mut" {
            let fault = Diagnostic::error("syntax", self.span(), "what changes is declared with `var`")
                .label("found `mut`, expected a name")
                .help("did you mean `var`?");
            return Err(self.report(fault));
        }
        let name = self.name("a name")?;
        let ty = if self.take(Symbol::Colon) { Some(self.type_ref()?) } else { None };
        let value = if self.take(Symbol::Eq) { Some(self.rhs()?) } else { None };
        Ok(StmtKind::Declare { word, name, ty, value })
    }

    fn rhs(&mut self) -> Parsed<Rhs<'a>> {
        if self.word() == "try" {
            let (value, otherwise) = self.tried()?;
            return Ok(Rhs::Try(value, otherwise));
        }
        Ok(Rhs::Expr(self.expr()?))
    }

    fn tried(&mut self) -> Parsed<(Expr<'a>, Block<'a>)> {
        self.next();
        let value = self.expr()?;
        if self.word() != "else" {
            let fault =
                Diagnostic::error("syntax", self.span(), "`try` says with `else` what happens on failure")
                    .label(format!("found {}, expected `else {{ … }}`", self.found()))
                    .help("without `try`, a failed call ends the program");
            return Err(self.report(fault));
        }
        self.next();
        Ok((value, self.block("`else`")?))
    }

    fn if_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.next().span;
        let cond = self.expr()?;
        let span = start.to(cond.span);
        let mut arms = vec![(cond, self.block("`if`")?)];
        let mut otherwise = None;
        while self.word() == "else" {
            self.next();
            if self.word() != "if" {
                otherwise = Some(self.block("`else`")?);
                break;
            }
            self.next();
            let cond = self.expr()?;
            arms.push((cond, self.block("`else if`")?));
        }
        Ok(Stmt { kind: StmtKind::If { arms, otherwise }, span })
    }

    /// `match` is a name elsewhere: no other statement has a second one behind it, in its line.
    fn begins_match(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        next.is_some_and(|next| next.kind == Kind::Word && next.place != LinePlace::First)
    }

    fn match_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.next().span;
        let value = self.expr()?;
        let span = start.to(value.span);
        if !self.is(Symbol::OpenBrace) {
            return Err(self.no_block("`match`"));
        }
        let (arms, otherwise) = self.nested(Self::match_arms)?;
        Ok(Stmt { kind: StmtKind::Match { value, arms, otherwise }, span })
    }

    fn match_arms(&mut self) -> Parsed<(Vec<MatchArm<'a>>, Option<Block<'a>>)> {
        let open = self.next().span;
        let (mut arms, mut otherwise) = (vec![], None);
        while !self.take(Symbol::CloseBrace) {
            if self.kind() == Kind::End || self.at_declaration() || otherwise.is_some() {
                return Err(self.unclosed(open, "the end of the `match`", Symbol::CloseBrace));
            }
            if self.word() == "else" {
                self.next();
                otherwise = Some(self.block("`else`")?);
                continue;
            }
            if self.word().is_empty() {
                let fault = self.unexpected_here("the name of an arm, or `else`");
                return Err(self.report(fault.help(CHOOSE)));
            }
            let mut names = vec![self.member("the name of an arm")?];
            while self.take(Symbol::Comma) {
                names.push(self.member("the name of an arm")?);
            }
            let bound = self.take(Symbol::Open).then(|| self.name("a name")).transpose()?;
            if bound.is_some() && !self.take(Symbol::Close) {
                return Err(self.unexpected("`)`"));
            }
            arms.push(MatchArm { names, bound, body: self.block("the arm")? });
        }
        if arms.is_empty() {
            let fault = Diagnostic::error("syntax", open, "a `match` without an arm chooses nothing");
            return Err(self.report(fault.label("found none, expected e.g. `n(x) { … }`").help(CHOOSE)));
        }
        Ok((arms, otherwise))
    }

    fn while_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.next().span;
        let cond = self.expr()?;
        let limit = self.limit()?;
        let span = start.to(self.before());
        let body = self.block("`while`")?;
        Ok(Stmt { kind: StmtKind::While { cond, limit, body }, span })
    }

    fn for_statement(&mut self) -> Parsed<Stmt<'a>> {
        let start = self.next().span;
        if self.is(Symbol::Open) {
            let fault = Diagnostic::error("syntax", self.span(), "`for` needs no parentheses")
                .label("found `(`, expected a name")
                .help("write `for x in list { … }` or `for i in 0 .. 10 { … }`");
            return Err(self.report(fault));
        }
        let first = self.name("a name")?;
        let second = if self.take(Symbol::Comma) { Some(self.name("a name")?) } else { None };
        if self.word() != "in" {
            return Err(self.unexpected("`in`"));
        }
        self.next();
        let from = self.expr()?;
        let to = if self.take(Symbol::DotDot) { Some(self.expr()?) } else { None };
        let limit = self.limit()?;
        let span = start.to(self.before());
        let body = self.block("`for`")?;
        Ok(Stmt { kind: StmtKind::For { names: (first, second), from, to, limit, body }, span })
    }

    fn limit(&mut self) -> Parsed<Option<Amount<'a>>> {
        if self.word() != "limit" {
            return Ok(None);
        }
        self.next();
        self.amount("a number or a constant").map(Some)
    }

    fn sort(&mut self) -> Parsed<StmtKind<'a>> {
        self.next();
        let list = self.name("the name of a list")?;
        if self.word() != "by" {
            let fault = self.unexpected_here("`by` and the names of fields");
            return Err(self.report(fault.help(format!("write `sort {} by FIELD`", list.text))));
        }
        self.next();
        let mut keys = vec![self.member("the name of a field")?];
        while self.take(Symbol::Comma) {
            keys.push(self.member("the name of a field")?);
        }
        let goes_on = self.tokens.get(self.at).is_some_and(|token| token.place != LinePlace::First);
        if goes_on && ORDERS.contains(&self.word()) {
            let (name, fault) = (list.text, self.unexpected_here("`,` or a statement"));
            let help =
                format!("the order is from small to large; from its end: `{name}[{name}.len - 1 - i]`");
            return Err(self.report(fault.help(help)));
        }
        Ok(StmtKind::Sort { list, keys })
    }

    /// Nothing can follow but the end of the block, so whatever else follows is the value.
    fn return_statement(&mut self) -> Parsed<StmtKind<'a>> {
        self.next();
        let none = self.is(Symbol::CloseBrace)
            || self.kind() == Kind::End
            || (RESERVED.contains(&self.word()) && !matches!(self.word(), "true" | "false" | "try"));
        Ok(StmtKind::Return(if none { None } else { Some(self.expr()?) }))
    }

    fn place_statement(&mut self) -> Parsed<Stmt<'a>> {
        self.check_foreign_statement()?;
        let word = self.word();
        let place = self.place()?;
        let start = place.span;
        if self.is(Symbol::OpenBrace) && CHOICES.contains(&word) {
            let fault = Diagnostic::error("syntax", start, format!("`{word}` begins no statement"));
            return Err(self.begins_none(fault, word));
        }
        let op = match self.kind() {
            Kind::Symbol(Symbol::Eq) => AssignOp::Set,
            Kind::Symbol(Symbol::PlusEq) => AssignOp::Add,
            Kind::Symbol(Symbol::MinusEq) => AssignOp::Sub,
            _ => {
                self.check_place_end()?;
                return Ok(Stmt { kind: StmtKind::Place(place), span: start });
            }
        };
        let op_span = self.next().span;
        let value = self.rhs()?;
        let span = start.to(self.before());
        Ok(Stmt { kind: StmtKind::Assign { place, op, op_span, value }, span })
    }

    /// Words that begin a statement in other languages, if something that is no place follows.
    fn check_foreign_statement(&mut self) -> Parsed<()> {
        let word = self.word();
        let follows = self.tokens.get(self.at + 1).copied();
        let is_place = follows.is_none_or(|next| match next.kind {
            Kind::Symbol(Symbol::Minus) => {
                self.tokens.get(self.at + 2).is_some_and(|t| t.kind == Kind::Symbol(Symbol::Minus))
            }
            Kind::Symbol(Symbol::OpenBrace | Symbol::Not) => false,
            Kind::Symbol(_) => true,
            _ => next.place == LinePlace::First,
        });
        if RESERVED.contains(&word) || !is_place {
            let fault = Diagnostic::error("syntax", self.span(), format!("`{word}` begins no statement"));
            return Err(self.begins_none(fault, word));
        }
        Ok(())
    }

    fn begins_none(&mut self, fault: Diagnostic, word: &str) -> Reported {
        let next = self.word_at(self.at + 1);
        let foreign = FOREIGN_STATEMENTS.iter().find(|(foreign, _)| *foreign == word).map(|(_, ours)| *ours);
        let fault = fault.label(format!("found `{word}`, expected a statement"));
        let fault = match foreign.or_else(|| meant(word, STATEMENTS.iter().copied())) {
            _ if word == "at" && next == "most" => fault.help(
                "`at most …` stands in the header of the program, before its `{`; \
                 a loop is bounded by `limit N` before its own",
            ),
            _ if CHOICES.contains(&word) => fault.help(CHOOSE),
            Some(ours) => fault.help(format!("did you mean `{ours}`?")),
            None if word == "else" => fault.help("`else` follows the `}` of an `if`"),
            None if !next.is_empty() => {
                fault.help(format!("a variable is declared by `let {next} = …` or `var {next} = …`"))
            }
            None => fault,
        };
        self.report(fault)
    }

    /// What follows a place must be able to begin a statement.
    fn check_place_end(&mut self) -> Parsed<()> {
        let Kind::Symbol(symbol) = self.kind() else { return Ok(()) };
        let (message, help) = match symbol {
            Symbol::CloseBrace | Symbol::Open => return Ok(()),
            Symbol::Plus if self.follows(Symbol::Plus) => ("there is no `++`", "write `+= 1`"),
            Symbol::Minus if self.follows(Symbol::Minus) => ("there is no `--`", "write `-= 1`"),
            Symbol::EqEq => ("`==` compares; to assign, write `=`", "did you mean `=`?"),
            Symbol::Colon if self.follows(Symbol::Eq) => {
                ("there is no `:=`", "a new variable is declared by `let x = …`")
            }
            Symbol::Colon => ("a variable is declared with `let` or `var`", "write `var x: type`"),
            Symbol::Star | Symbol::Slash | Symbol::Percent if self.follows(Symbol::Eq) => {
                ("only `=`, `+=` and `-=` assign", "write `x = x * y`")
            }
            _ => return Err(self.unexpected("`=`, `+=`, `-=` or another statement")),
        };
        let fault = Diagnostic::error("syntax", self.span(), message);
        Err(self.report(fault.label(format!("found {}, expected a statement", self.found())).help(help)))
    }

    fn follows(&self, symbol: Symbol) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|next| next.kind == Kind::Symbol(symbol))
    }
}

fn brace_step(kind: Kind) -> i32 {
    match kind {
        Kind::Symbol(Symbol::OpenBrace) => 1,
        Kind::Symbol(Symbol::CloseBrace) => -1,
        _ => 0,
    }
}
