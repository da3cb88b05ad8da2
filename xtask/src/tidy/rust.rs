//! As much of Rust's lexer as the rules need: code without comments and literals, its tokens, its attributes.
//!
//! Blanked text has the same length and the same lines as the original, so that an offset in one is an offset
//! in the other.

use std::ops::Range;

/// `text` with comments and the insides of literals replaced by blanks.
pub(super) fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = not_code(bytes, at);
        if end > at {
            for byte in out[at..end].iter_mut().filter(|byte| **byte != b'\n') {
                *byte = b' ';
            }
            at = end;
        } else {
            at += 1;
        }
    }
    // Only whole literals and comments were blanked, which begin and end at characters.
    String::from_utf8(out).unwrap_or_default()
}

/// The end of the comment or literal that begins at `at`; `at` itself if none does.
fn not_code(bytes: &[u8], at: usize) -> usize {
    match bytes[at] {
        b'/' if bytes.get(at + 1) == Some(&b'/') => find(bytes, at, b'\n'),
        b'/' if bytes.get(at + 1) == Some(&b'*') => block_comment(bytes, at),
        b'"' => quoted(bytes, at, b'"'),
        b'r' if !in_name(bytes, at) => raw_string(bytes, at),
        b'\'' if is_char(bytes, at) => quoted(bytes, at, b'\''),
        _ => at,
    }
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> usize {
    bytes[from..].iter().position(|byte| *byte == wanted).map_or(bytes.len(), |length| from + length)
}

fn block_comment(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while at < bytes.len() {
        match &bytes[at..(at + 2).min(bytes.len())] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

fn quoted(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of `r"…"` or `r#"…"#` that begins at `from`, or `from` (a raw name such as `r#type`, or a plain one).
fn raw_string(bytes: &[u8], from: usize) -> usize {
    let hashes = bytes[from + 1..].iter().take_while(|byte| **byte == b'#').count();
    let open = from + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return from;
    }
    let mut close = vec![b'"'];
    close.resize(1 + hashes, b'#');
    let inside = &bytes[open + 1..];
    let length = inside.windows(close.len()).position(|window| window == close);
    length.map_or(bytes.len(), |length| open + 1 + length + close.len())
}

/// Whether the letter at `at` continues a name; the `b` or `c` of `br"…"` is no name.
fn in_name(bytes: &[u8], at: usize) -> bool {
    let name = |index: usize| bytes[index].is_ascii_alphanumeric() || bytes[index] == b'_';
    match at.checked_sub(1) {
        Some(before) if matches!(bytes[before], b'b' | b'c') => before > 0 && name(before - 1),
        Some(before) => name(before),
        None => false,
    }
}

/// Whether the quote at `at` begins a character and not a lifetime.
fn is_char(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at + 1) {
        Some(b'\\') => true,
        Some(first) => {
            let length = match first {
                0xf0.. => 4,
                0xe0.. => 3,
                0xc0.. => 2,
                _ => 1,
            };
            bytes.get(at + 1 + length) == Some(&b'\'')
        }
        None => false,
    }
}

/// Names and single signs of blanked `code`, with their offsets.
pub(super) fn tokens(code: &str) -> Vec<(usize, &str)> {
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length =
            if name(first) { rest.find(|c| !name(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        if !first.is_whitespace() {
            tokens.push((code.len() - rest.len(), &rest[..length]));
        }
        rest = &rest[length..];
    }
    tokens
}

/// Where the attributes of blanked `code` stand, from `#` to after `]`.
pub(super) fn attributes(code: &str) -> Vec<Range<usize>> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    for (index, (start, token)) in tokens.iter().enumerate() {
        let after = tokens.get(index + 1).map(|(_, token)| *token);
        let open = if after == Some("!") { index + 2 } else { index + 1 };
        if *token == "#" && tokens.get(open).is_some_and(|(_, token)| *token == "[") {
            found.push(*start..closing(&tokens[open..]).unwrap_or(code.len()));
        }
    }
    found
}

/// The offset after the bracket that closes the first of `tokens`.
fn closing(tokens: &[(usize, &str)]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens {
        match *token {
            "[" => depth += 1,
            "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_nothing_else() {
        for (text, expected) in [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("f(\"x\\\"y\", 'z', '\\'', 'ä')", "f(      ,    ,     ,     )"),
            ("fn f<'a>(x: &'a str)", "fn f<'a>(x: &'a str)"),
            ("r#\"a\"b\"# c r#type", "         c r#type"),
            ("br\"a\" b\"c\" bar \"d\"", "b     b    bar    "),
            ("\"open\nnext", "     \n    "),
        ] {
            assert_eq!(code(text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_have_their_offsets() {
        assert_eq!(tokens("mod a_1;"), [(0, "mod"), (4, "a_1"), (7, ";")]);
    }

    #[test]
    fn attributes_are_found_whole() {
        let code = "#![allow(x)]\n#[a(b[0])] fn f() { y[#] }";
        let found: Vec<&str> = attributes(code).into_iter().map(|range| &code[range]).collect();
        assert_eq!(found, ["#![allow(x)]", "#[a(b[0])]"]);
    }
}
