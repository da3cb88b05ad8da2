//! Constant expressions.

use super::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::lexer::TokenKind;
use crate::syntax::{Expr, ExprKind, Operator, Unary};

/// Operators of each level, those that bind least first.
const LEVELS: [&[(&str, Operator)]; 6] = [
    &[("|", Operator::Or)],
    &[("^", Operator::Xor)],
    &[("&", Operator::And)],
    &[("<<", Operator::ShiftLeft), (">>", Operator::ShiftRight)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)],
];

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.level(&LEVELS))
    }

    fn level(&mut self, levels: &[&[(&str, Operator)]]) -> Parsed<Expr> {
        let Some((operators, tighter)) = levels.split_first() else { return self.unary() };
        let mut left = self.level(tighter)?;
        // Each operator makes the tree one level deeper, and trees are walked recursively.
        let depth = self.depth;
        while let Some(operator) = self.operator(operators) {
            self.depth += 1;
            let right = self.nested(|parser| parser.level(tighter))?;
            let span = left.span.to(right.span);
            let kind = ExprKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
            left = Expr { kind, span };
        }
        self.depth = depth;
        Ok(left)
    }

    /// Takes one of `operators`, if one stands here.
    fn operator(&mut self, operators: &[(&str, Operator)]) -> Option<Operator> {
        let at = self.token.span.start;
        let rest = self.lexer.rest_from(at);
        let (text, operator) = operators.iter().find(|(text, _)| rest.starts_with(text))?;
        for _ in 0..text.len() {
            self.advance();
        }
        Some(*operator)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.token.span;
        let unary = match self.token.kind {
            TokenKind::Mark('-') => Some(Unary::Negative),
            TokenKind::Mark('+') => Some(Unary::Plus),
            TokenKind::Mark('~') => Some(Unary::Complement),
            _ => None,
        };
        let kind = if let Some(operator) = unary {
            self.advance();
            ExprKind::Unary { operator, inner: Box::new(self.nested(Parser::unary)?) }
        } else if self.at_mark('(') {
            self.advance();
            let inner = self.expr()?;
            self.mark(')')?;
            return Ok(Expr { span: start.to(self.last.span), ..inner });
        } else {
            self.primary()?
        };
        Ok(Expr { kind, span: Span::new(start.start, self.last.span.end) })
    }

    fn primary(&mut self) -> Parsed<ExprKind> {
        let kind = match &self.token.kind {
            TokenKind::Int(value) => ExprKind::Int(*value),
            TokenKind::Float(value) => ExprKind::Float(*value),
            TokenKind::Char(value) => ExprKind::Char(*value),
            TokenKind::Text(_) => return Ok(ExprKind::Text(self.texts())),
            TokenKind::Word if self.at_word("TRUE") => ExprKind::Bool(true),
            TokenKind::Word if self.at_word("FALSE") => ExprKind::Bool(false),
            TokenKind::Word | TokenKind::Scope => {
                return Ok(ExprKind::Name(self.path("a number or the name of a constant")?));
            }
            _ => return Err(self.expected("a number or the name of a constant")),
        };
        self.advance();
        Ok(kind)
    }

    /// Texts that stand behind each other are one.
    fn texts(&mut self) -> String {
        let mut whole = String::new();
        while let TokenKind::Text(text) = &self.token.kind {
            whole.push_str(text);
            self.advance();
        }
        whole
    }
}
