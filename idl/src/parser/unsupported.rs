//! What IDL has and we do not have yet: recognised, so that nobody takes it for a fault of the text.

use super::{Parsed, Parser, Reported};
use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::TokenKind;
use crate::syntax::TypeKind;

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
    &["wchar", "wstring", "any", "fixed", "map", "struct", "union", "enum", "bitset", "bitmask"];
const DEFINITIONS: &[&str] = &[
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

impl Parser<'_> {
    pub(super) fn is_unsupported_type(&self) -> bool {
        self.word().is_some_and(|word| TYPES.contains(&word))
    }

    /// Reports and takes a type, so that parsing goes on behind it.
    pub(super) fn unsupported_type(&mut self, word: &str) -> TypeKind {
        let span = self.token.span;
        let help = match word {
            "wchar" | "wstring" => "strings are bytes, by custom UTF-8: use `char` and `string`",
            "struct" | "union" | "enum" => "define it by itself, and use its name here",
            "map" => "use a sequence of structs with a key and a value",
            "bitset" | "bitmask" => "use an integer, and constants for its bits",
            "any" => "use a union of what it may be",
            _ => "use an integer, `double` or a string",
        };
        let fault = Diagnostic::unsupported("type", span, format!("the type `{word}`"));
        self.report(fault.help(help));
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

    /// What stands at `start` begins no definition that we have.
    pub(super) fn no_definition(&mut self, start: Span) -> Reported {
        let Some(word) = self.word() else { return self.expected("a definition or `}`") };
        if DEFINITIONS.contains(&word) {
            let message = format!("`{word}` in a module");
            return self.report(Diagnostic::unsupported("definition", start, message));
        }
        let known = ["const", "enum", "struct", "union", "exception", "typedef", "interface", "module"];
        let fault = Diagnostic::error("syntax", start, "this begins no definition");
        let label = format!(
            "found `{word}`, expected const, enum, struct, union, exception, typedef, interface or module"
        );
        self.report(fault.label(label).suggest(word, known))
    }

    pub(super) fn no_struct_base(&mut self) -> Parsed<()> {
        if !self.at_mark(':') {
            return Ok(());
        }
        let message = "a struct that extends another";
        let fault = Diagnostic::unsupported("struct-inheritance", self.token.span, message);
        Err(self.report(fault.help("give it a field with the other struct")))
    }

    pub(super) fn no_second_base(&mut self) -> Parsed<()> {
        if !self.at_mark(',') {
            return Ok(());
        }
        let message = "an interface that inherits from several others";
        let fault = Diagnostic::unsupported("inheritance", self.token.span, message);
        Err(self.report(
            fault.help("inherit from one, and give the others as portals: `readonly attribute Other other;`"),
        ))
    }
}
