//! Who may connect from afar: what a server asks about a token or key that a client showed.
//!
//! [`AdmissionFiles`] answers from two files, which it reads each time, so that what is taken out of them counts at once.
//! One line is one token or key; `#` begins a comment.
//!
//! ```text
//! tokens:  PRINCIPAL HASH [revoked]           HASH: SHA-256 of the token, 64 hexadecimal digits
//! keys:    PRINCIPAL FINGERPRINT [revoked]    see `fingerprint`
//! ```
//! A name may stand in several lines. The file holds nothing secret, but who can write it decides who may connect.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carnet_idl::read_regular;

use crate::call::{Failure, Kind};
use crate::fingerprint::Fingerprint;
use crate::identity::Token;

/// Bytes of a file of tokens or keys.
pub const FILE_BYTES_MAX: u64 = 4 << 20;

/// Bytes of a principal's name.
const NAME_BYTES_MAX: usize = 64;

/// Says who a client is. Messages go to clients, so they must tell nothing that a stranger should not know.
pub trait Admission: Send + Sync + fmt::Debug {
    /// Whose token this is.
    ///
    /// # Errors
    /// [`Kind::Refused`].
    fn by_token(&self, token: &Token, from: IpAddr) -> Result<Arc<str>, Failure>;

    /// Whose key this is. That the client holds it is proved.
    ///
    /// # Errors
    /// [`Kind::Refused`].
    fn by_key(&self, key: &Fingerprint, from: IpAddr) -> Result<Arc<str>, Failure>;

    /// Which of these, which were admitted, are no more. Asked now and then for the sessions that are open, which end
    /// then; what cannot be told now is told the next time.
    fn withdrawn(&self, shown: &[Shown]) -> Vec<Shown>;

    /// A client that was not even asked, or showed nothing: for a log.
    fn turned_away(&self, why: &str, from: IpAddr) {
        let _ = (why, from);
    }
}

/// What a client showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shown {
    /// A token with this hash.
    Token(Fingerprint),
    /// That it holds the key with this fingerprint.
    Key(Fingerprint),
}

/// Admits those who stand in files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdmissionFiles {
    /// Tokens; `None`: nobody is admitted by a token.
    pub tokens: Option<PathBuf>,
    /// Keys; `None`: nobody is admitted by a key.
    pub keys: Option<PathBuf>,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum AdmissionError {
    /// It cannot be read.
    System(PathBuf, std::io::Error),
    /// This line, from 1, is wrong.
    Line(PathBuf, usize, &'static str),
    /// It is longer than such a file may be.
    TooLong(PathBuf),
    /// Others than its owner can write it, and decide so who may connect.
    Writable(PathBuf),
}

impl fmt::Display for AdmissionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdmissionError::System(path, error) if error.kind() == std::io::ErrorKind::NotFound => {
                write!(f, "there is no file {}", path.display())
            }
            AdmissionError::System(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            AdmissionError::Line(path, line, what) => write!(
                f,
                "{}:{line}: {what}\nexpected a name, 64 hexadecimal digits, and perhaps `revoked`",
                path.display()
            ),
            AdmissionError::TooLong(path) => write!(f, "{} is longer than 4 MiB", path.display()),
            AdmissionError::Writable(path) => {
                write!(f, "others than its owner can write {}, and so let in whom they like", path.display())
            }
        }
    }
}

impl std::error::Error for AdmissionError {}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Name.
    pub principal: String,
    /// Hash of the token, or fingerprint of the key.
    pub hash: Fingerprint,
    /// Whether it counts.
    pub standing: Standing,
}

/// Whether a token or key is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Good,
    /// It was.
    Revoked,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standing = if self.standing == Standing::Revoked { " revoked" } else { "" };
        write!(f, "{} {}{standing}", self.principal, self.hash)
    }
}

/// Whether a principal may be called so: it stands in lists, messages and logs.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | '+');
    !text.is_empty() && text.len() <= NAME_BYTES_MAX && text.chars().all(is_good)
}

/// Reads a file of tokens or keys.
///
/// # Errors
/// [`AdmissionError`].
pub fn read(path: &Path) -> Result<Vec<Entry>, AdmissionError> {
    let system = |error| AdmissionError::System(path.to_owned(), error);
    let bytes = read_regular(path, FILE_BYTES_MAX).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => AdmissionError::TooLong(path.to_owned()),
        _ => system(error),
    })?;
    let no_text = |error| system(std::io::Error::new(ErrorKind::InvalidData, error));
    let text = String::from_utf8(bytes).map_err(no_text)?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, number)| entry(line).map_err(|what| AdmissionError::Line(path.to_owned(), number, what)))
        .collect()
}

fn entry(line: &str) -> Result<Entry, &'static str> {
    let mut words = line.split_ascii_whitespace();
    let principal = words.next().filter(|name| is_name(name)).ok_or("this is no name")?;
    let hash = words.next().and_then(|hash| hash.parse().ok()).ok_or("the second word is no hash")?;
    let standing = match words.next() {
        None => Standing::Good,
        Some("revoked") => Standing::Revoked,
        Some(_) => return Err("the third word is unknown"),
    };
    match words.next() {
        None => Ok(Entry { principal: principal.to_owned(), hash, standing }),
        Some(_) => Err("there are too many words"),
    }
}

impl AdmissionFiles {
    /// Reads the files, to find faults before anybody connects.
    ///
    /// # Errors
    /// [`AdmissionError`].
    pub fn check(&self) -> Result<(), AdmissionError> {
        [&self.tokens, &self.keys].into_iter().flatten().try_for_each(|path| {
            read(path)?;
            let system = |error| AdmissionError::System(path.clone(), error);
            let mode = fs::metadata(path).map_err(system)?.mode();
            if mode & 0o022 != 0 { Err(AdmissionError::Writable(path.clone())) } else { Ok(()) }
        })
    }
}

impl Admission for AdmissionFiles {
    fn by_token(&self, token: &Token, _from: IpAddr) -> Result<Arc<str>, Failure> {
        let Some(path) = &self.tokens else {
            return Err(refused("this server knows no tokens; show a client certificate"));
        };
        find(path, &token.hash(), "token")
    }

    fn by_key(&self, key: &Fingerprint, _from: IpAddr) -> Result<Arc<str>, Failure> {
        let Some(path) = &self.keys else {
            return Err(refused("this server knows no client certificates; show a token"));
        };
        find(path, key, "client certificate")
    }

    fn withdrawn(&self, shown: &[Shown]) -> Vec<Shown> {
        // A file that cannot be read now says nothing of anybody.
        let read = |path: &Option<PathBuf>| path.as_deref().and_then(|path| read(path).ok());
        let (tokens, keys) = (read(&self.tokens), read(&self.keys));
        let is_good = |entries: &Option<Vec<Entry>>, hash: &Fingerprint| {
            entries.as_ref().is_none_or(|entries| standing(entries, hash) == Some(Standing::Good))
        };
        let is_withdrawn = |shown: &&Shown| match shown {
            Shown::Token(hash) => !is_good(&tokens, hash),
            Shown::Key(key) => !is_good(&keys, key),
        };
        shown.iter().filter(is_withdrawn).copied().collect()
    }
}

/// What the last line with this hash says.
fn standing(entries: &[Entry], hash: &Fingerprint) -> Option<Standing> {
    entries.iter().rfind(|entry| entry.hash.matches(hash)).map(|entry| entry.standing)
}

/// Looks at every line, whichever matches, so that the time tells nothing.
fn find(path: &Path, hash: &Fingerprint, what: &str) -> Result<Arc<str>, Failure> {
    // What is wrong with the file is the server's secret.
    let entries = read(path).map_err(|_| {
        Failure::new(Kind::Refused, "this server cannot tell who you are, by its own fault; tell its owner")
    })?;
    let mut found = None;
    for entry in &entries {
        if entry.hash.matches(hash) {
            found = Some(entry);
        }
    }
    match found {
        Some(Entry { standing: Standing::Good, principal, .. }) => Ok(Arc::from(principal.as_str())),
        Some(_) => Err(refused(&format!("this {what} was revoked"))),
        None => Err(refused(&format!("this server does not know this {what}"))),
    }
}

fn refused(message: &str) -> Failure {
    Failure::new(Kind::Refused, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const FROM: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("list");
        std::fs::write(&path, text).unwrap();
        (directory, path)
    }

    fn message<T: fmt::Debug>(result: Result<T, Failure>) -> String {
        let failure = result.unwrap_err();
        assert_eq!(failure.kind(), Kind::Refused);
        failure.details().message.clone()
    }

    #[test]
    fn tokens_and_keys_are_told_apart() {
        let (good, gone) = (Token::parse(b"good").unwrap(), Token::parse(b"gone").unwrap());
        let text = format!("# who\n\nalice {}\nbob {} revoked\n", good.hash(), gone.hash());
        let (_directory, path) = file(&text);
        let files = AdmissionFiles { tokens: Some(path.clone()), keys: None };
        files.check().unwrap();
        assert_eq!(files.by_token(&good, FROM).unwrap().as_ref(), "alice");
        assert_eq!(message(files.by_token(&gone, FROM)), "this token was revoked");
        let other = Token::parse(b"other").unwrap();
        assert_eq!(message(files.by_token(&other, FROM)), "this server does not know this token");
        let no_keys = "this server knows no client certificates; show a token";
        assert_eq!(message(files.by_key(&good.hash(), FROM)), no_keys);
        let (here, there) = (Shown::Token(good.hash()), Shown::Token(gone.hash()));
        assert_eq!(files.withdrawn(&[here, there, Shown::Key(gone.hash())]), [there]);
        std::fs::write(&path, "").unwrap();
        assert_eq!(files.withdrawn(&[here]), [here]);
        assert_eq!(message(files.by_token(&good, FROM)), "this server does not know this token");
        std::fs::remove_file(&path).unwrap();
        assert!(files.withdrawn(&[here]).is_empty(), "what cannot be read says nothing");
        assert!(message(files.by_token(&good, FROM)).contains("by its own fault"));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_named() {
        let hash = Fingerprint::of(b"x");
        let cases = [
            ("alice".to_owned(), "the second word is no hash"),
            (format!("al:ice {hash}"), "this is no name"),
            (format!("{} {hash}", "x".repeat(65)), "this is no name"),
            ("alice 123".to_owned(), "the second word is no hash"),
            (format!("alice {hash} revokd"), "the third word is unknown"),
            (format!("alice {hash} revoked yes"), "there are too many words"),
        ];
        for (line, what) in cases {
            let (_directory, path) = file(&format!("# first\n{line}\n"));
            let fault = read(&path).unwrap_err();
            assert!(matches!(fault, AdmissionError::Line(_, 2, found) if found == what), "{line}: {fault}");
        }
    }
}
