//! What the system says, as the interface's `Error`; paths as people read them.
//!
//! Every message begins with the path as the caller gave it, quoted. Bytes that are not UTF-8, control characters
//! and what would change the direction of the text are escaped: a name must not be able to forge a message.

use std::fmt::{self, Write as _};
use std::io;

use rustix::io::Errno;

use crate::files::{Error, Reason};

/// Bytes of a path that a message shows from its beginning and from its end.
const SHOWN_BYTES: usize = 600;

/// What the system's errors mean here.
const MEANINGS: &[(Errno, Reason, &str)] = &[
    (Errno::NOENT, Reason::NotFound, "does not exist"),
    (Errno::EXIST, Reason::Exists, "exists already"),
    (Errno::NOTDIR, Reason::NotADirectory, "is not a directory, or something on the way to it is not"),
    (Errno::ISDIR, Reason::IsADirectory, "is a directory"),
    (Errno::NOTEMPTY, Reason::NotEmpty, "is not empty"),
    (Errno::ACCESS, Reason::NoPermission, "is closed to the server by its permissions"),
    (Errno::PERM, Reason::NoPermission, "may not be changed so by the server"),
    (Errno::ROFS, Reason::ReadOnly, "lies on a file system that is mounted for reading only"),
    (Errno::NAMETOOLONG, Reason::BadName, "is too long a name"),
    (Errno::ILSEQ, Reason::BadName, "is a name that the file system does not take"),
    (Errno::LOOP, Reason::BadName, "leads through too many symbolic links"),
    (Errno::NXIO, Reason::NotRegular, "is a device, pipe or socket"),
    (Errno::NODEV, Reason::NotRegular, "is a device, pipe or socket"),
    (Errno::NOSPC, Reason::NoSpace, "finds no space left on its file system"),
    (Errno::DQUOT, Reason::NoSpace, "finds no space left in the server's disk quota"),
    (Errno::FBIG, Reason::TooLarge, "would be larger than its file system allows"),
    (Errno::OVERFLOW, Reason::TooLarge, "is larger than can be said"),
    (Errno::BUSY, Reason::Busy, "is in use"),
    (Errno::TXTBSY, Reason::Busy, "is a program that is running"),
    (Errno::AGAIN, Reason::Busy, "is locked by someone else"),
    (Errno::MFILE, Reason::Busy, "cannot be opened now: the server has too many files open"),
    (Errno::NFILE, Reason::Busy, "cannot be opened now: the system has too many files open"),
    (Errno::INVAL, Reason::BadArgument, "cannot take such an argument, says its file system"),
];

/// An error about `path`: `text` is what goes on after the quoted path.
#[cold]
pub(crate) fn error(kind: Reason, path: &[u8], text: impl fmt::Display) -> Error {
    Error::new(kind, &format!("{} {text}", Quoted(path)))
}

/// What `errno` means for `path`.
#[cold]
pub(crate) fn errno(path: &[u8], errno: Errno) -> Error {
    match MEANINGS.iter().find(|(known, ..)| *known == errno) {
        Some((_, kind, text)) => error(*kind, path, text),
        None => error(Reason::Io, path, format_args!("failed: {}", io::Error::from(errno))),
    }
}

/// What an error of cap-std means for `path`. It refuses a path that leaves with an error that the system does not
/// have.
#[cold]
pub(crate) fn system(path: &[u8], fault: &io::Error) -> Error {
    match Errno::from_io_error(fault) {
        Some(number) => errno(path, number),
        None if fault.kind() == io::ErrorKind::PermissionDenied => outside(path),
        None => error(Reason::Io, path, format_args!("failed: {fault}")),
    }
}

/// As [`system`], for what is to be made: what does not exist then is not itself.
#[cold]
pub(crate) fn making(path: &[u8], fault: &io::Error) -> Error {
    match Errno::from_io_error(fault) {
        Some(Errno::NOENT) => {
            error(Reason::NotFound, path, "cannot be made: the directory to make it in does not exist")
        }
        _ => system(path, fault),
    }
}

/// The path leaves what is served.
#[cold]
pub(crate) fn outside(path: &[u8]) -> Error {
    error(Reason::Outside, path, "leaves the served directory")
}

/// The portal does not allow to change anything.
#[cold]
pub(crate) fn read_only(path: &[u8]) -> Error {
    error(Reason::ReadOnly, path, "cannot be changed: this directory is served for reading only")
}

/// Not a regular file.
#[cold]
pub(crate) fn not_regular(path: &[u8]) -> Error {
    error(Reason::NotRegular, path, "is a device, pipe or socket, which are not served")
}

/// A path as messages show it.
struct Quoted<'a>(&'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        if self.0.len() <= 2 * SHOWN_BYTES {
            escape(self.0, f)?;
        } else {
            escape(&self.0[..SHOWN_BYTES], f)?;
            f.write_str("…")?;
            escape(&self.0[self.0.len() - SHOWN_BYTES..], f)?;
        }
        f.write_char('"')
    }
}

fn escape(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' => f.write_char(c)?,
                _ => write!(f, "{}", c.escape_debug())?,
            }
        }
        for byte in chunk.invalid() {
            write!(f, "\\x{byte:02X}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &[u8]) -> String {
        Quoted(path).to_string()
    }

    #[test]
    fn paths_are_shown_as_given_and_cannot_forge() {
        assert_eq!(shown("a/grün's".as_bytes()), r#""a/grün's""#);
        assert_eq!(shown(b"a\xFFb"), r#""a\xFFb""#);
        assert_eq!(shown(b"a\" exists\n\x1b[31m"), r#""a\" exists\n\u{1b}[31m""#);
        assert_eq!(shown("\u{202e}txt".as_bytes()), r#""\u{202e}txt""#);
        let long = shown(&[b'x'; 4096]);
        assert_eq!(long.chars().filter(|c| *c == 'x').count(), 2 * SHOWN_BYTES);
        assert!(long.contains('…'));
    }

    #[test]
    fn the_longest_message_keeps_its_end() {
        let text = error(Reason::Io, &[0xFF; 4096], "failed").message;
        assert!(text.len() < 8192 && text.ends_with("failed"));
    }

    #[test]
    fn what_the_system_says_is_told_apart() {
        for (number, kind, text) in MEANINGS {
            let told = system(b"a", &io::Error::from(*number));
            assert_eq!((told.kind, told.message), (*kind, format!("\"a\" {text}")));
        }
        let other = errno(b"a", Errno::IO);
        assert_eq!(other.kind, Reason::Io);
        assert!(other.message.starts_with("\"a\" failed: "), "{}", other.message);
    }
}
