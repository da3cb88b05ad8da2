//! Types.

use super::{Parsed, Parser};
use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::limits;
use crate::syntax::{Field, TypeKind, TypeSpec};

impl Parser<'_> {
    pub(super) fn type_spec(&mut self) -> Parsed<TypeSpec> {
        self.nested(Parser::type_here)
    }

    fn type_here(&mut self) -> Parsed<TypeSpec> {
        let start = self.token.span;
        if self.token.kind == TokenKind::Scope {
            let kind = TypeKind::Named(self.path("a type")?);
            return Ok(TypeSpec { kind, span: start.to(self.last.span) });
        }
        let Some(word) = self.word() else { return Err(self.expected("a type")) };
        let kind = match word {
            "boolean" => self.simple(TypeKind::Bool),
            "char" => self.simple(TypeKind::Char),
            "float" => self.simple(TypeKind::Float { bits: 32 }),
            "double" => self.simple(TypeKind::Float { bits: 64 }),
            "octet" | "uint8" => self.simple(TypeKind::Int { bits: 8, signed: false }),
            "int8" => self.simple(TypeKind::Int { bits: 8, signed: true }),
            "int16" => self.simple(TypeKind::Int { bits: 16, signed: true }),
            "uint16" => self.simple(TypeKind::Int { bits: 16, signed: false }),
            "int32" => self.simple(TypeKind::Int { bits: 32, signed: true }),
            "uint32" => self.simple(TypeKind::Int { bits: 32, signed: false }),
            "int64" => self.simple(TypeKind::Int { bits: 64, signed: true }),
            "uint64" => self.simple(TypeKind::Int { bits: 64, signed: false }),
            "short" | "long" | "unsigned" => self.integer()?,
            "string" => self.string()?,
            "sequence" => self.sequence()?,
            "void" => {
                let message = "only an operation's result can be `void`";
                return Err(self.report(Diagnostic::error("void", start, message)));
            }
            _ if self.is_unsupported_type() => self.unsupported_type(word),
            _ => TypeKind::Named(self.path("a type")?),
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
            return Ok(self.unsupported_type("long double"));
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

    /// Reports a list that is to have more than `most` items, of which `count` are there.
    pub(super) fn not_too_many(&mut self, count: usize, most: usize, what: &str) -> Parsed<()> {
        if count < most {
            return Ok(());
        }
        let fault = Diagnostic::error("too-many", self.token.span, format!("too many {what}"));
        Err(self.report(fault.label(format!("expected at most {most}"))))
    }

    /// The dimensions behind a name, if there are any: `[2][3]` makes an array of 2 arrays of 3.
    pub(super) fn dimensions(&mut self, of: TypeSpec) -> Parsed<TypeSpec> {
        if !self.at_mark('[') {
            return Ok(of);
        }
        self.advance();
        let len = self.expr()?;
        self.mark(']')?;
        let of = Box::new(self.nested(|parser| parser.dimensions(of))?);
        let span = of.span.to(self.last.span);
        Ok(TypeSpec { kind: TypeKind::Array { of, len }, span })
    }

    /// `name`, or `name[3]`, again and again with commas between: what is declared with `ty`.
    pub(super) fn declarators(&mut self, ty: &TypeSpec, what: &str) -> Parsed<Vec<Field>> {
        let mut fields = vec![];
        loop {
            let name = self.name(what)?;
            let ty = self.dimensions(ty.clone())?;
            fields.push(Field { name, ty });
            if !self.at_mark(',') {
                return Ok(fields);
            }
            // Each takes a copy of the type.
            self.not_too_many(fields.len(), limits::DECLARATORS_MAX, "names in one declaration")?;
            self.advance();
        }
    }
}
