//! Parameters as the IDL4 paper writes them, in the manner of DCE and COM:
//!
//! ```text
//! [in] int handle, [in, out] int *pos, [in] int n, [in, size_is(n)] int *data, [out, string] char **name
//! ```
//!
//! They are the same as `in long handle, inout long pos, in sequence<long> data, out string name`: an array with
//! `size_is` is a sequence, and the parameter that says its size, if it goes the same way, is the sequence's
//! own length. A name alone takes attributes and type of the one before it, a `*` without a type is `int *`.

use super::{Parsed, Parser};
use crate::descriptor::Mode;
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::TokenKind;
use crate::limits;
use crate::syntax::{Name, Param, TypeKind, TypeSpec};

/// What stands before a parameter's name.
#[derive(Clone, Debug)]
pub(super) struct Form {
    attributes: Attributes,
    ty: TypeSpec,
    /// Names that took it.
    names: usize,
}

#[derive(Clone, Debug, Default)]
struct Attributes {
    is_in: bool,
    is_out: bool,
    is_string: bool,
    size_is: Option<Name>,
    span: Span,
}

impl Parser<'_> {
    pub(super) fn paper_param(&mut self) -> Parsed<Param> {
        let start = self.token.span;
        let mut form = match self.last_param.take() {
            Some(form) if !self.at_mark('[') => {
                self.not_too_many(form.names, limits::DECLARATORS_MAX, "names with one type")?;
                form
            }
            _ => {
                let attributes = self.attributes()?;
                Form { attributes, ty: self.paper_type()?, names: 0 }
            }
        };
        let stars = self.stars();
        let name = self.name("the parameter's name")?;
        form.names += 1;
        self.last_param = Some(form.clone());
        let span = start.to(name.span);
        let Attributes { is_in, is_out, is_string, size_is, .. } = form.attributes;
        let mode = match (is_in, is_out) {
            (true, true) => Mode::InOut,
            (false, true) => Mode::Out,
            _ => Mode::In,
        };
        if is_string {
            form.ty = TypeSpec { kind: TypeKind::String { max: None }, span: form.ty.span };
        } else if size_is.is_some() {
            let kind = TypeKind::Sequence { of: Box::new(form.ty.clone()), max: None };
            form.ty = TypeSpec { kind, span: form.ty.span };
        } else if stars > usize::from(is_out) {
            let fault = Diagnostic::error("pointer", span, "this pointer does not say how much it points to");
            return Err(
                self.report(fault.help("write `[in, size_is(n)] int *data` or `[in, string] char *name`"))
            );
        }
        Ok(Param { mode, ty: form.ty, name, size_is })
    }

    /// `[in, out, size_is(n), string]`.
    fn attributes(&mut self) -> Parsed<Attributes> {
        let start = self.token.span;
        let mut attributes = Attributes::default();
        loop {
            self.advance();
            match self.word() {
                Some("in") => attributes.is_in = true,
                Some("out") => attributes.is_out = true,
                Some("string") => attributes.is_string = true,
                Some("size_is") => {
                    attributes.size_is = Some(self.size_is()?);
                    if self.at_mark(']') {
                        break;
                    }
                    if self.at_mark(',') {
                        continue;
                    }
                    return Err(self.expected("`,` or `]`"));
                }
                _ => return Err(self.expected("`in`, `out`, `size_is(NAME)` or `string`")),
            }
            self.advance();
            if !self.at_mark(',') {
                break;
            }
        }
        self.mark(']')?;
        attributes.span = start.to(self.last.span);
        if !attributes.is_in && !attributes.is_out {
            let fault = Diagnostic::error("direction", attributes.span, "this parameter has no direction");
            return Err(self.report(fault.label("expected `in`, `out` or both")));
        }
        Ok(attributes)
    }

    /// `size_is(n)`, and without brackets as the paper prints it.
    fn size_is(&mut self) -> Parsed<Name> {
        self.advance();
        let is_open = self.at_mark('(');
        if is_open {
            self.advance();
        }
        let name = self.name("the parameter that says the size")?;
        if is_open {
            self.mark(')')?;
        }
        Ok(name)
    }

    /// A type with C's names for what has others in IDL.
    fn paper_type(&mut self) -> Parsed<TypeSpec> {
        let span = self.token.span;
        let long = |signed| TypeKind::Int { bits: 32, signed };
        let kind = match (self.word(), &self.token.kind) {
            (_, TokenKind::Mark('*')) => return Ok(TypeSpec { kind: long(true), span }),
            (Some("int"), _) => long(true),
            (Some("void"), _) => TypeKind::Int { bits: 8, signed: false },
            _ => return self.type_spec(),
        };
        self.advance();
        Ok(TypeSpec { kind, span })
    }

    fn stars(&mut self) -> usize {
        let mut stars = 0;
        while self.at_mark('*') {
            stars += 1;
            self.advance();
        }
        stars
    }
}
