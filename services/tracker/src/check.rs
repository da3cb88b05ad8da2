//! What callers give: names, texts, numbers and cursors. The interface has checked lengths, and that there is no NUL.

use crate::fault;
use crate::tracker::{Error, Reason};

/// A name of a project, which stands in command lines and addresses.
pub(crate) fn project(name: &[u8]) -> Result<(), Error> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    if name.first().is_some_and(u8::is_ascii_alphanumeric) && name.iter().all(is_plain) {
        return Ok(());
    }
    let text = "is no name: letters, digits, `.`, `_` and `-` are, after a letter or digit";
    Err(fault::of(Reason::BadName, "project", name, text))
}

/// A line of text that is not empty: a label, a user, a title. `noun` says which.
pub(crate) fn line(noun: &str, kind: Reason, text: &[u8]) -> Result<(), Error> {
    let why = match str::from_utf8(text) {
        Ok("") => "is empty",
        Ok(line) if line.contains(char::is_control) => "has a control character",
        Ok(line) if line.trim() != line => "begins or ends with blank space",
        Ok(_) => return Ok(()),
        Err(_) => "is not UTF-8",
    };
    Err(fault::of(kind, noun, text, why))
}

/// A text of any lines, which may be empty.
pub(crate) fn text(noun: &str, text: &[u8]) -> Result<(), Error> {
    match str::from_utf8(text) {
        Ok(_) => Ok(()),
        // All of it could be longer than a message may be.
        Err(error) => {
            let from = &text[error.valid_up_to()..text.len().min(error.valid_up_to() + 16)];
            Err(fault::of(
                Reason::BadText,
                noun,
                from,
                format_args!("from byte {} on is not UTF-8", error.valid_up_to()),
            ))
        }
    }
}

/// The number that a listing goes on behind, 0 for its beginning. Only what a listing shows is one.
pub(crate) fn cursor(after: &[u8]) -> Result<u64, Error> {
    if after.is_empty() {
        return Ok(0);
    }
    let number = str::from_utf8(after).ok().and_then(|text| text.parse::<i64>().ok());
    let number = number.filter(|number| *number > 0 && number.to_string().as_bytes() == after);
    number.map(i64::cast_unsigned).ok_or_else(|| {
        fault::of(
            Reason::BadCursor,
            "cursor",
            after,
            "is none that a listing showed: one is the `id` of an entry",
        )
    })
}

/// A caller's name as an author: its beginning, if it is longer than a name may be.
pub(crate) fn author(principal: &str) -> &[u8] {
    let mut end = principal.len().min(64);
    while !principal.is_char_boundary(end) {
        end -= 1;
    }
    &principal.as_bytes()[..end]
}
