//! Types.

use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::syntax::{TypeKind, TypeSpec};

impl Parser<'_> {
    pub(super) fn type_spec(&mut self) -> Parsed<TypeSpec> {
        self.nested(Parser::type_here)
    }

    fn type_here(&mut self) -> Parsed<TypeSpec> {
        let start = self.token.span;
        let Some(word) = self.word() else { return Err(self.expected("a type")) };
        let kind = match word {
            "boolean" => self.simple(TypeKind::Bool),
            "octet" | "uint8" => self.simple(TypeKind::Int { bits: 8, signed: false }),
            "short" | "long" | "unsigned" => self.integer()?,
            "string" => self.string()?,
            "sequence" => self.sequence()?,
            "void" => {
                let message = "only an operation's result can be `void`";
                return Err(self.report(Diagnostic::error("void", start, message)));
            }
            _ if self.is_unsupported_type() => self.unsupported_type(),
            _ => TypeKind::Named(self.name("a type")?),
        };
        Ok(TypeSpec { kind, span: start.to(self.last.span) })
    }

    fn simple(&mut self, kind: TypeKind) -> TypeKind {
        self.advance();
        kind
    }

    /// `["unsigned"] ("short" | "long" ["long"])`.
    fn integer(&mut self) -> Parsed<TypeKind> {
        let signed = !self.at_word("unsigned");
        if !signed {
            self.advance();
        }
        if self.at_word("short") {
            return Ok(self.simple(TypeKind::Int { bits: 16, signed }));
        }
        if !self.at_word("long") {
            return Err(self.expected("`short` or `long`"));
        }
        self.advance();
        if self.at_word("long") {
            return Ok(self.simple(TypeKind::Int { bits: 64, signed }));
        }
        if self.at_word("double") {
            return Ok(self.unsupported_type());
        }
        Ok(TypeKind::Int { bits: 32, signed })
    }

    fn string(&mut self) -> Parsed<TypeKind> {
        self.advance();
        if !self.at_mark('<') {
            return Ok(TypeKind::String { max: None });
        }
        self.advance();
        let max = Some(self.expr()?);
        self.mark('>')?;
        Ok(TypeKind::String { max })
    }

    fn sequence(&mut self) -> Parsed<TypeKind> {
        self.advance();
        self.mark('<')?;
        let of = Box::new(self.type_spec()?);
        let mut max = None;
        if self.at_mark(',') {
            self.advance();
            max = Some(self.expr()?);
        }
        self.mark('>')?;
        Ok(TypeKind::Sequence { of, max })
    }
}
