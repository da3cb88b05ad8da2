//! C names for IDL names.

use crate::backend::Scope;

/// What follows the module's name: `inner::Dir` as `inner_Dir`.
pub(super) fn flat(name: &str) -> String {
    name.trim_start_matches("::").replace("::", "_")
}

/// Words of C and C++, and names of the headers that stubs include.
const TAKEN: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "not",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "xor",
];

/// A parameter or field, which is none of the words of C and C++, nor a `word3` or `kept_` of stubs.
pub(super) fn word(name: &str) -> String {
    let number = name.strip_prefix("word").unwrap_or("-");
    if TAKEN.contains(&name) || name.starts_with("kept_") || number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return format!("{name}_");
    }
    name.to_owned()
}

/// A scope for the names of a function's parameters, without those that the function itself uses.
pub(super) fn parameters() -> Scope {
    Scope::with(&[
        "answer", "channel", "done", "end", "found", "head", "index", "list", "message", "put", "raised",
        "reply", "self", "status", "take", "word",
    ])
}
