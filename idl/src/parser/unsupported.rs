//! What IDL has and we do not have yet: recognised, so that nobody takes it for a fault of the text.

use super::{Parsed, Parser, Reported};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::TokenKind;
use crate::syntax::{Name, TypeKind, TypeSpec};

/// Words that cannot be names.
pub(super) const KEYWORDS: &[&str] = &[
    "abstract",
    "any",
    "attribute",
    "bitfield",
    "bitmask",
    "bitset",
    "boolean",
    "case",
    "char",
    "component",
    "const",
    "consumes",
    "context",
    "custom",
    "default",
    "double",
    "emits",
    "enum",
    "eventtype",
    "exception",
    "factory",
    "finder",
    "fixed",
    "float",
    "getraises",
    "home",
    "import",
    "in",
    "inout",
    "interface",
    "local",
    "long",
    "manages",
    "map",
    "mirrorport",
    "module",
    "multiple",
    "native",
    "octet",
    "oneway",
    "out",
    "primarykey",
    "private",
    "provides",
    "public",
    "publishes",
    "raises",
    "readonly",
    "sequence",
    "setraises",
    "short",
    "string",
    "struct",
    "supports",
    "switch",
    "truncatable",
    "typedef",
    "typeid",
    "typename",
    "typeprefix",
    "union",
    "unsigned",
    "uses",
    "valuetype",
    "void",
    "wchar",
    "wstring",
];

const TYPES: &[&str] =
    &["float", "double", "char", "wchar", "wstring", "any", "fixed", "map", "struct", "union", "enum"];
const DEFINITIONS: &[&str] = &[
    "union",
    "module",
    "native",
    "bitset",
    "bitmask",
    "abstract",
    "local",
    "valuetype",
    "component",
    "home",
    "import",
    "eventtype",
    "custom",
    "typeid",
    "typeprefix",
];
const MEMBERS: &[&str] = &["attribute", "readonly", "oneway"];

impl Parser<'_> {
    pub(super) fn is_unsupported_type(&self) -> bool {
        self.word().is_some_and(|word| TYPES.contains(&word))
    }

    /// Reports and takes a type, so that parsing goes on behind it.
    pub(super) fn unsupported_type(&mut self) -> TypeKind {
        let span = self.token.span;
        let word = self.word().unwrap_or("");
        let fault = Diagnostic::unsupported("type", span, format!("the type `{word}`"));
        self.report(
            fault.help("scalars are boolean, octet, short, long, long long and their unsigned forms"),
        );
        self.advance();
        if self.at_mark('<') {
            self.skip_brackets();
        }
        TypeKind::Wrong
    }

    /// What stands between `<` and its `>`.
    fn skip_brackets(&mut self) {
        let mut depth = 0_usize;
        while !self.at_end() && !self.at_mark(';') && !self.at_mark('}') {
            match self.token.kind {
                TokenKind::Mark('<') => depth += 1,
                TokenKind::Mark('>') => depth -= 1,
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return;
            }
        }
    }

    pub(super) fn no_other_constant(&mut self, ty: &TypeSpec) -> Parsed<()> {
        if !matches!(ty.kind, TypeKind::Bool | TypeKind::String { .. }) {
            return Ok(());
        }
        Err(self.report(Diagnostic::unsupported("constant", ty.span, "constants other than integers")))
    }

    pub(super) fn is_unsupported_member(&self) -> bool {
        self.word().is_some_and(|word| MEMBERS.contains(&word))
    }

    pub(super) fn unsupported_member(&mut self) -> Reported {
        let word = self.word().unwrap_or("");
        let fault = Diagnostic::unsupported("member", self.token.span, format!("`{word}` in an interface"));
        self.report(fault.help("write operations, for example `long long size();`"))
    }

    /// What stands at `start` begins no definition that we have.
    pub(super) fn no_definition(&mut self, start: Span) -> Reported {
        let Some(word) = self.word() else { return self.expected("a definition or `}`") };
        if DEFINITIONS.contains(&word) {
            let message = format!("`{word}` in a module");
            return self.report(Diagnostic::unsupported("definition", start, message));
        }
        let known = ["const", "enum", "struct", "exception", "typedef", "interface"];
        let fault = Diagnostic::error("syntax", start, "this begins no definition");
        let label = format!("found `{word}`, expected const, enum, struct, exception, typedef or interface");
        self.report(fault.label(label).suggest(word, known))
    }

    pub(super) fn no_inheritance(&mut self, what: &str) -> Parsed<()> {
        if !self.at_mark(':') {
            return Ok(());
        }
        Err(self.report(Diagnostic::unsupported("inheritance", self.token.span, what)))
    }

    pub(super) fn forward_declaration(&mut self, name: &Name) -> Reported {
        let message = format!("`{}` has no body", name.text);
        let fault = Diagnostic::error("forward", name.span, message).label("found a forward declaration");
        self.report(fault.help("leave it out: interfaces may be used before they are declared"))
    }

    pub(super) fn no_array(&mut self) -> Parsed<()> {
        if !self.at_mark('[') {
            return Ok(());
        }
        let fault = Diagnostic::unsupported("array", self.token.span, "arrays");
        Err(self.report(fault.help("use `sequence<T, N>`")))
    }

    pub(super) fn no_scope(&mut self) -> Parsed<()> {
        if self.token.kind != TokenKind::Scope {
            return Ok(());
        }
        let fault = Diagnostic::unsupported("scope", self.token.span, "names of other modules");
        Err(self.report(fault.help("leave the module's name out: there is only one")))
    }

    /// The paper's `[in, size_is(n)]`.
    pub(super) fn attribute_list(&mut self) -> Reported {
        let fault =
            Diagnostic::unsupported("size-is", self.token.span, "parameter attributes in square brackets");
        self.report(fault.help("write `in sequence<T, N> name`: the length travels with it"))
    }
}
