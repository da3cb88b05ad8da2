//! Expressions, places and arguments.
//!
//! ```text
//! expr  = || over && over one comparison over + - over * / % over unary - ! over place
//! place = atom {"." N | "[" expr "]" | "(" [args] ")"}
//! args  = arg {"," arg}               arg = [N ":"] expr
//! atom  = INT|FLOAT|STRING|"true"|"false"|N|"(" expr ")"
//! ```

use super::super::ast::*;
use super::super::lexer::{Kind, Symbol};
use super::{Parsed, Parser, RESERVED};
use crate::tree::{ArithOp, Rel};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// How strongly operators bind; comparisons do not repeat.
const COMPARE: u8 = 3;
const MUL: u8 = 5;

impl<'a> Parser<'a, '_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr<'a>> {
        self.nested(|p| p.binary(1))
    }

    /// Operators that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr<'a>> {
        let mut left = self.unary()?;
        while let Some((_, strength)) = self.operator()
            && strength >= least
        {
            left = self.chain(left, strength)?;
        }
        Ok(left)
    }

    /// What operators of one strength put behind `first`.
    fn chain(&mut self, first: Expr<'a>, strength: u8) -> Parsed<Expr<'a>> {
        let (mut span, mut depth) = (first.span, first.depth);
        let mut rest = vec![];
        while let Some((op, found)) = self.operator()
            && found == strength
        {
            if strength == COMPARE && !rest.is_empty() {
                return Err(self.second_comparison());
            }
            self.next();
            let right = self.binary(strength + 1)?;
            (span, depth) = (span.to(right.span), depth.max(right.depth));
            rest.push((op, right));
        }
        self.node(ExprKind::Chain(Box::new(first), rest), span, depth)
    }

    fn operator(&mut self) -> Option<(BinaryOp, u8)> {
        let Kind::Symbol(symbol) = self.kind() else { return None };
        let found = match symbol {
            Symbol::OrOr => (BinaryOp::Or, 1),
            Symbol::AndAnd => (BinaryOp::And, 2),
            Symbol::EqEq => (BinaryOp::Compare(Rel::Eq), COMPARE),
            Symbol::NotEq => (BinaryOp::Compare(Rel::Ne), COMPARE),
            Symbol::Less => (BinaryOp::Compare(Rel::Lt), COMPARE),
            Symbol::LessEq => (BinaryOp::Compare(Rel::Le), COMPARE),
            Symbol::Greater => (BinaryOp::Compare(Rel::Gt), COMPARE),
            Symbol::GreaterEq => (BinaryOp::Compare(Rel::Ge), COMPARE),
            Symbol::Plus => (BinaryOp::Arith(ArithOp::Add), 4),
            Symbol::Minus => (BinaryOp::Arith(ArithOp::Sub), 4),
            Symbol::Star => (BinaryOp::Arith(ArithOp::Mul), MUL),
            Symbol::Slash => (BinaryOp::Arith(ArithOp::Div), MUL),
            Symbol::Percent => (BinaryOp::Arith(ArithOp::Rem), MUL),
            _ => return None,
        };
        Some(found)
    }

    fn second_comparison(&mut self) -> super::Reported {
        let fault = Diagnostic::error("syntax", self.span(), "comparisons cannot be chained")
            .label(format!("found {}, expected `&&` or `||`", self.found()))
            .help("write `a < b && b < c`");
        self.report(fault)
    }

    fn unary(&mut self) -> Parsed<Expr<'a>> {
        let op = match self.kind() {
            Kind::Symbol(Symbol::Minus) => UnaryOp::Neg,
            Kind::Symbol(Symbol::Not) => UnaryOp::Not,
            _ => return self.place(),
        };
        let start = self.next().span;
        let operand = self.nested(Self::unary)?;
        let (span, depth) = (start.to(operand.span), operand.depth);
        self.node(ExprKind::Unary(op, Box::new(operand)), span, depth)
    }

    pub(super) fn place(&mut self) -> Parsed<Expr<'a>> {
        let mut place = self.atom()?;
        loop {
            let depth = place.depth;
            let start = place.span;
            let (kind, depth) = match self.kind() {
                Kind::Symbol(Symbol::Dot) => {
                    self.next();
                    (ExprKind::Dot(Box::new(place), self.member("a name")?), depth)
                }
                Kind::Symbol(Symbol::OpenBracket) => {
                    let open = self.next().span;
                    let index = self.expr()?;
                    if !self.take(Symbol::CloseBracket) {
                        return Err(self.unclosed(open, "an operator", Symbol::CloseBracket));
                    }
                    let depth = depth.max(index.depth);
                    (ExprKind::Index(Box::new(place), Box::new(index)), depth)
                }
                Kind::Symbol(Symbol::Open) => {
                    let open = self.span();
                    let args = self.args()?;
                    let depth = args.iter().map(|arg| arg.value.depth).fold(depth, u16::max);
                    (ExprKind::Call(Box::new(place), args, open), depth)
                }
                _ => return Ok(place),
            };
            let span = start.to(self.before());
            place = self.node(kind, span, depth)?;
        }
    }

    fn args(&mut self) -> Parsed<Vec<Arg<'a>>> {
        let open = self.next().span;
        let mut args = vec![];
        while !self.is(Symbol::Close) {
            args.push(self.arg()?);
            if !self.take(Symbol::Comma) && !self.is(Symbol::Close) {
                return Err(self.no_comma(open));
            }
        }
        self.next();
        Ok(args)
    }

    fn no_comma(&mut self, open: Span) -> super::Reported {
        if self.is(Symbol::Eq) {
            let fault = Diagnostic::error("syntax", self.span(), "named arguments are written with `:`")
                .label("found `=`, expected `:`")
                .help("write `name: value`, or `==` to compare");
            return self.report(fault);
        }
        self.unclosed(open, "`,`", Symbol::Close)
    }

    fn arg(&mut self) -> Parsed<Arg<'a>> {
        let named = self.kind() == Kind::Word
            && self.tokens.get(self.at + 1).is_some_and(|t| t.kind == Kind::Symbol(Symbol::Colon));
        let name = if named {
            let name = self.member("a name")?;
            self.next();
            Some(name)
        } else {
            None
        };
        Ok(Arg { name, value: self.expr()? })
    }

    fn atom(&mut self) -> Parsed<Expr<'a>> {
        let span = self.span();
        let kind = match self.kind() {
            Kind::Int(value, _) => ExprKind::Int(value),
            Kind::Float(value) => ExprKind::Float(value),
            Kind::Text(text) => ExprKind::Text(std::mem::take(&mut self.texts[text])),
            Kind::Word => match self.word() {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "try" => return Err(self.misplaced_try()),
                _ => ExprKind::Name(self.value_name()?),
            },
            Kind::Symbol(Symbol::Open) => return self.parenthesised(),
            _ => return Err(self.no_value()),
        };
        if self.span() == span {
            self.next();
        }
        Ok(Expr { kind, span, depth: 1 })
    }

    fn value_name(&mut self) -> Parsed<&'a str> {
        let word = self.word();
        let help = match word {
            "null" | "nil" | "None" | "NULL" | "undefined" => {
                "there is no null: an empty text is `\"\"`, and `try` says what happens if a call fails"
            }
            "not" => "did you mean `!`?",
            _ if RESERVED.contains(&word) => return Err(self.unexpected("a value")),
            _ => return self.name("a value").map(|name| name.text),
        };
        let fault = self.unexpected_here("a value").help(help);
        Err(self.report(fault))
    }

    fn misplaced_try(&mut self) -> super::Reported {
        let fault =
            Diagnostic::error("syntax", self.span(), "`try` stands right behind `=`, or begins a statement")
                .label("found `try`, expected a value")
                .help("write `let x = try portal.op(…) else { … }`");
        self.report(fault)
    }

    fn no_value(&mut self) -> super::Reported {
        let fault = self.unexpected_here("a value");
        let fault = match self.kind() {
            Kind::Symbol(Symbol::OpenBracket) => {
                fault.help("a list starts empty: `var names: list(string, 100)`, then `names.add(…)`")
            }
            Kind::Symbol(Symbol::OpenBrace) => fault.help("a record is made by `Name(field: value, …)`"),
            Kind::Symbol(Symbol::Plus) => fault.help("write `x += 1` to add to a variable"),
            _ => fault,
        };
        self.report(fault)
    }

    fn parenthesised(&mut self) -> Parsed<Expr<'a>> {
        let open = self.next().span;
        let inner = self.expr()?;
        if self.is(Symbol::Comma) {
            let fault = self.unexpected_here("`)`").help("values are grouped by a record");
            return Err(self.report(fault));
        }
        if !self.take(Symbol::Close) {
            return Err(self.unclosed(open, "an operator", Symbol::Close));
        }
        Ok(Expr { span: open.to(self.before()), ..inner })
    }

    /// A node above others of this depth.
    fn node(&mut self, kind: ExprKind<'a>, span: Span, below: u16) -> Parsed<Expr<'a>> {
        if below >= NESTING_MAX {
            return Err(self.too_deep(span));
        }
        Ok(Expr { kind, span, depth: below + 1 })
    }
}
