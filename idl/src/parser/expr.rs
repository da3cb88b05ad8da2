//! Constant expressions.

use super::{Parsed, Parser};
use crate::diagnostic::Span;
use crate::lexer::TokenKind;
use crate::syntax::{Expr, ExprKind, Operator};

/// Operators of each level, those that bind least first.
const LEVELS: [&[(&str, Operator)]; 4] = [
    &[("|", Operator::Or)],
    &[("<<", Operator::ShiftLeft), (">>", Operator::ShiftRight)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide)],
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
        let kind = match self.token.kind {
            TokenKind::Int(value) => {
                self.advance();
                ExprKind::Int(value)
            }
            TokenKind::Word => ExprKind::Name(self.name("a number or the name of a constant")?),
            TokenKind::Mark('-') => {
                self.advance();
                ExprKind::Negative(Box::new(self.nested(Parser::unary)?))
            }
            TokenKind::Mark('(') => {
                self.advance();
                let inner = self.expr()?;
                self.mark(')')?;
                return Ok(Expr { span: start.to(self.last.span), ..inner });
            }
            _ => return Err(self.expected("a number or the name of a constant")),
        };
        Ok(Expr { kind, span: Span::new(start.start, self.last.span.end) })
    }
}
