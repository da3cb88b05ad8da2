//! Who may connect from afar: what a server asks about a token or key that a client showed.
//!
//! [`AdmissionFiles`] answers from two files, which it looks at each time, so that what is taken out of them counts at once.
//! It reads them again only when they have changed: else each guess of a stranger would cost as much as a file is long.
//! One line is one token or key; `#` begins a comment.
//!
//! ```text
//! tokens:  PRINCIPAL [revoked] HASH           HASH: SHA-256 of the token, 64 hexadecimal digits
//! keys:    PRINCIPAL [revoked] FINGERPRINT    see `fingerprint`
//! ```
//! A name may stand in several lines. The last line ends as the others do, and `revoked` stands before what it revokes: a file that was cut
//! within a line is known, and cut behind one it admits fewer, unless somebody wrote a line of its own to revoke what a line before admits. Earlier versions wrote `revoked` at the end; it is read there, too.
//!
//! The file holds nothing secret, but who can write it decides who may connect. If it has a fault, or others than its owner can write it,
//! nothing of it counts: those stay admitted who were before, and the fault is [told](AdmissionFiles::take_faults).

use std::fmt;
use std::fs::File;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carnet_idl::{open_regular, read_at_most};

use crate::call::{Failure, Kind};
use crate::fingerprint::Fingerprint;
use crate::identity::Token;
use crate::session::lock;

/// Bytes of a file of tokens or keys.
pub const FILE_BYTES_MAX: u64 = 4 << 20;

/// Faults of a file that are kept to be told.
const FAULTS_MAX: usize = 16;

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

    /// Asked now and then, each [`DoorLimits::recheck`](crate::door::DoorLimits::recheck), whoever is there: for what a log has to
    /// say later.
    fn meanwhile(&self) {}
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
#[derive(Debug, Default)]
pub struct AdmissionFiles {
    tokens: Option<List>,
    keys: Option<List>,
}

/// A file, and what was read there.
struct List {
    path: PathBuf,
    read: Mutex<Readings>,
}

#[derive(Default)]
struct Readings {
    last: Option<Reading>,
    /// What was there, or was there before it had a fault.
    good: Found,
    /// Faults that nobody was told of yet.
    faults: Vec<String>,
}

/// What counts of a file, if anything does.
type Found = Option<Arc<Vec<Entry>>>;

#[derive(Clone, Copy)]
struct Reading {
    /// The file as it was, before and after it was read.
    stamp: Stamp,
    /// When it was first found so.
    seen: Instant,
    /// When it was read.
    read: Instant,
}

/// By what a file is known again. What changes it without changing this changed it within one tick of its system's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    bytes: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Longer than a tick of the clock by which files are stamped.
const TICK: Duration = Duration::from_millis(50);

/// The same where files are stamped by the second, or two.
const COARSE_TICK: Duration = Duration::from_millis(2500);

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
    /// Its last line does not end.
    Cut(PathBuf),
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
                "{}:{line}: {what}\nexpected a name, perhaps `revoked`, and 64 hexadecimal digits",
                path.display()
            ),
            AdmissionError::Cut(path) => {
                write!(f, "{} was cut: its last line does not end with a newline", path.display())
            }
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
        let standing = if self.standing == Standing::Revoked { "revoked " } else { "" };
        write!(f, "{} {standing}{}", self.principal, self.hash)
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
    let file = open_regular(path).map_err(|error| AdmissionError::System(path.to_owned(), error))?;
    read_open(path, &file)
}

/// The same of a file that is open already.
fn read_open(path: &Path, file: &File) -> Result<Vec<Entry>, AdmissionError> {
    let system = |error| AdmissionError::System(path.to_owned(), error);
    if file.metadata().map_err(system)?.mode() & 0o022 != 0 {
        return Err(AdmissionError::Writable(path.to_owned()));
    }
    let bytes = read_at_most(file, FILE_BYTES_MAX).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => AdmissionError::TooLong(path.to_owned()),
        _ => system(error),
    })?;
    let no_text = |error| system(std::io::Error::new(ErrorKind::InvalidData, error));
    let text = String::from_utf8(bytes).map_err(no_text)?;
    if !text.is_empty() && !text.ends_with('\n') {
        return Err(AdmissionError::Cut(path.to_owned()));
    }
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, number)| entry(line).map_err(|what| AdmissionError::Line(path.to_owned(), number, what)))
        .collect()
}

fn entry(line: &str) -> Result<Entry, &'static str> {
    let words: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
    let (principal, standing, hash) = match words[..] {
        [principal, hash] => (principal, Standing::Good, hash),
        [principal, "revoked", hash] | [principal, hash, "revoked"] => (principal, Standing::Revoked, hash),
        [_, second, _] if second.parse::<Fingerprint>().is_ok() => return Err("the third word is unknown"),
        [_, second, _, _] if second == "revoked" || second.parse::<Fingerprint>().is_ok() => {
            return Err("there are too many words");
        }
        _ => return Err("the second word is no hash"),
    };
    if !is_name(principal) {
        return Err("this is no name");
    }
    let hash = hash.parse().map_err(|_| match standing {
        Standing::Good => "the second word is no hash",
        Standing::Revoked => "what is revoked is no hash",
    })?;
    Ok(Entry { principal: principal.to_owned(), hash, standing })
}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.path, f)
    }
}

impl Stamp {
    /// Of an open file: for that, file systems of a network ask for the newest.
    fn of(file: &File) -> std::io::Result<Stamp> {
        let found = file.metadata()?;
        Ok(Stamp {
            file: (found.dev(), found.ino()),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }

    /// How long after it was found something may still change the file and leave this as it is.
    fn tick(&self) -> Duration {
        if self.changed.1 == 0 { COARSE_TICK } else { TICK }
    }
}

impl Reading {
    /// Whether the file is still as it was read, if it is found so now. By our own clock, which need not agree with that of the
    /// file: what was read a tick after the stamp was there was changed by nothing that has the same.
    fn holds(&self, stamp: &Stamp) -> bool {
        self.stamp == *stamp && self.read.duration_since(self.seen) >= stamp.tick()
    }
}

impl List {
    fn new(path: PathBuf) -> List {
        List { path, read: Mutex::default() }
    }

    /// What stands there now, or stood there before it had a fault; nothing if it cannot be read. Who comes while it is read waits for
    /// that, and reads it not once more.
    fn entries(&self) -> Found {
        let mut read = lock(&self.read);
        let opened = open_regular(&self.path).and_then(|file| Ok((Stamp::of(&file)?, file)));
        let Ok((stamp, file)) = opened else {
            read.last = None;
            return None;
        };
        let same = read.last.filter(|reading| reading.stamp == stamp);
        if same.is_some_and(|reading| reading.holds(&stamp)) {
            return read.good.clone();
        }
        read.last = None;
        let now = Instant::now();
        match read_open(&self.path, &file) {
            Ok(entries) => read.good = Some(Arc::new(entries)),
            Err(error) if error.is_of_content() => {
                if same.is_none() && read.faults.len() < FAULTS_MAX {
                    read.faults.push(error.to_string());
                }
            }
            Err(_) => return None,
        }
        if Stamp::of(&file).is_ok_and(|after| after == stamp) {
            read.last = Some(Reading { stamp, seen: same.map_or(now, |reading| reading.seen), read: now });
        }
        read.good.clone()
    }
}

impl AdmissionError {
    /// Whether it stays so until the file is another.
    fn is_of_content(&self) -> bool {
        match self {
            AdmissionError::System(_, error) => error.kind() == ErrorKind::InvalidData,
            AdmissionError::Line(..)
            | AdmissionError::TooLong(_)
            | AdmissionError::Writable(_)
            | AdmissionError::Cut(_) => true,
        }
    }
}

impl AdmissionFiles {
    /// Admits by the tokens in one file and the keys in another. `None`: nobody is admitted by one.
    #[must_use]
    pub fn new(tokens: Option<PathBuf>, keys: Option<PathBuf>) -> AdmissionFiles {
        AdmissionFiles { tokens: tokens.map(List::new), keys: keys.map(List::new) }
    }

    /// Reads the files, to find faults before anybody connects.
    ///
    /// # Errors
    /// [`AdmissionError`].
    pub fn check(&self) -> Result<(), AdmissionError> {
        let mut lists = [&self.tokens, &self.keys].into_iter().flatten();
        lists.try_for_each(|list| read(&list.path).map(drop))
    }

    /// What was found wrong with the files since this was asked, each fault once, and no more than a few: for a log.
    pub fn take_faults(&self) -> Vec<String> {
        let lists = [&self.tokens, &self.keys].into_iter().flatten();
        lists.flat_map(|list| std::mem::take(&mut lock(&list.read).faults)).collect()
    }
}

impl Admission for AdmissionFiles {
    fn by_token(&self, token: &Token, _from: IpAddr) -> Result<Arc<str>, Failure> {
        let Some(tokens) = &self.tokens else {
            return Err(refused("this server knows no tokens; show a client certificate"));
        };
        find(tokens, &token.hash(), "token")
    }

    fn by_key(&self, key: &Fingerprint, _from: IpAddr) -> Result<Arc<str>, Failure> {
        let Some(keys) = &self.keys else {
            return Err(refused("this server knows no client certificates; show a token"));
        };
        find(keys, key, "client certificate")
    }

    fn withdrawn(&self, shown: &[Shown]) -> Vec<Shown> {
        // A file that cannot be read now says nothing of anybody.
        let read = |list: &Option<List>| list.as_ref().and_then(List::entries);
        let (tokens, keys) = (read(&self.tokens), read(&self.keys));
        let is_good = |found: &Found, hash: &Fingerprint| match found {
            Some(entries) => standing(entries, hash) == Some(Standing::Good),
            None => true,
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
fn find(list: &List, hash: &Fingerprint, what: &str) -> Result<Arc<str>, Failure> {
    // What is wrong with the file is the server's secret.
    let entries = list.entries().ok_or_else(|| {
        Failure::new(Kind::Refused, "this server cannot tell who you are, by its own fault; tell its owner")
    })?;
    let mut found = None;
    for entry in entries.iter() {
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
    use std::fs;
    use std::net::Ipv4Addr;
    use std::os::unix::fs::PermissionsExt as _;

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
        let files = AdmissionFiles::new(Some(path.clone()), None);
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

    /// However short it is made, whoever was revoked stays so: the file is refused, or has no line of him.
    #[test]
    fn a_cut_lets_nobody_in_again() {
        let gone = Token::parse(b"gone").unwrap();
        let last = Entry { principal: "bob".to_owned(), hash: gone.hash(), standing: Standing::Revoked };
        for last in [last.to_string(), format!("bob {} revoked", gone.hash())] {
            let text = format!("alice {}\n{last}\n", Fingerprint::of(b"x"));
            for len in 0..=text.len() {
                let (_directory, path) = file(&text[..len]);
                let files = AdmissionFiles::new(Some(path), None);
                assert!(files.by_token(&gone, FROM).is_err(), "{len}: {:?}", &text[..len]);
                let is_whole = text[..len].is_empty() || text[..len].ends_with('\n');
                assert_eq!(files.check().is_ok(), is_whole, "{len}");
            }
        }
    }

    #[test]
    fn of_a_file_with_a_fault_nothing_counts() {
        let (old, new) = (Token::parse(b"old").unwrap(), Token::parse(b"new").unwrap());
        let whole = format!("alice {}\n", old.hash());
        let faults = [
            (format!("bob {}\n{whole}alice revok", new.hash()), "was cut"),
            (format!("bob {}\nalice revoked {}", new.hash(), old.hash()), "was cut"),
            (format!("bob {}\nalice {} revokd\n", new.hash(), old.hash()), ":2: the third word is unknown"),
        ];
        for (text, fault) in faults {
            let (_directory, path) = file(&whole);
            let files = AdmissionFiles::new(Some(path.clone()), None);
            assert!(files.by_token(&old, FROM).is_ok());
            fs::write(&path, text).unwrap();
            for _ in 0..3 {
                assert!(files.by_token(&old, FROM).is_ok(), "those stay who were admitted");
                assert!(files.by_token(&new, FROM).is_err(), "{fault}");
                assert!(files.withdrawn(&[Shown::Token(old.hash())]).is_empty());
            }
            let told = files.take_faults();
            assert!(told.len() == 1 && told[0].contains(fault), "{told:?}");
            fs::write(&path, format!("bob {}\n", new.hash())).unwrap();
            assert!(files.by_token(&new, FROM).is_ok() && files.by_token(&old, FROM).is_err());
            assert_eq!(files.take_faults(), [""; 0]);
        }
        // Nobody asks, and the file is changed again and again.
        let (_directory, path) = file("");
        let files = AdmissionFiles::new(Some(path.clone()), None);
        for n in 0..2 * FAULTS_MAX {
            fs::write(&path, "x".repeat(n + 1)).unwrap();
            assert!(files.by_token(&old, FROM).is_err());
        }
        assert_eq!(files.take_faults().len(), FAULTS_MAX);
    }

    #[test]
    fn a_file_that_others_come_to_write_counts_no_more() {
        let (old, new) = (Token::parse(b"old").unwrap(), Token::parse(b"new").unwrap());
        let (_directory, path) = file(&format!("alice {}\n", old.hash()));
        let files = AdmissionFiles::new(Some(path.clone()), None);
        assert!(files.by_token(&old, FROM).is_ok());
        fs::write(&path, format!("mallory {}\n", new.hash())).unwrap();
        for mode in [0o620, 0o602] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert!(files.by_token(&old, FROM).is_ok() && files.by_token(&new, FROM).is_err());
            assert!(files.take_faults()[0].contains("others than its owner can write"));
        }
        let begins = AdmissionFiles::new(Some(path.clone()), None);
        assert!(message(begins.by_token(&old, FROM)).contains("by its own fault"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(files.by_token(&new, FROM).is_ok() && files.by_token(&old, FROM).is_err());
    }

    /// Bytes that this process has read by system calls on files.
    fn bytes_read() -> u64 {
        let text = fs::read_to_string("/proc/self/io").unwrap();
        text.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
    }

    /// Reads the file until it is known that nothing that has the same stamp can change it any more.
    fn settle(list: &List) {
        let holds = |last: &Reading| last.holds(&Stamp::of(&File::open(&list.path).unwrap()).unwrap());
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < Duration::from_secs(60), "what was read never stays");
            list.entries();
            if lock(&list.read).last.as_ref().is_some_and(holds) {
                return;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn guesses_do_not_have_the_file_read_again() {
        for fault in ["", "no line\n"] {
            let line = |n: u32| format!("{} {}\n", "x".repeat(64), Fingerprint::of(&n.to_le_bytes()));
            let (_directory, path) = file(&((0..10_000).map(line).collect::<String>() + fault));
            let bytes = fs::metadata(&path).unwrap().len();
            let files = AdmissionFiles::new(Some(path.clone()), Some(path));
            for list in [&files.tokens, &files.keys].into_iter().flatten() {
                settle(list);
            }
            let before = bytes_read();
            for guess in 0..100_u32 {
                let guess = Token::parse(format!("guess-{guess}").as_bytes()).unwrap();
                files.by_token(&guess, FROM).unwrap_err();
                files.by_key(&guess.hash(), FROM).unwrap_err();
                files.withdrawn(&[]);
            }
            let read = bytes_read() - before;
            assert!(read < 20 * bytes, "{read} bytes of a file of {bytes}");
        }
    }

    /// However a file is changed, and however soon after it was read.
    #[test]
    fn what_is_revoked_is_refused_at_once() {
        let token = Token::parse(b"alice's").unwrap();
        let lines = [
            format!("alice {}\n", token.hash()),
            format!("alice {} revoked\n", token.hash()),
            // As long as the first.
            format!("alice {}\n", Token::parse(b"another").unwrap().hash()),
        ];
        let (directory, path) = file(&lines[0]);
        let files = AdmissionFiles::new(Some(path.clone()), None);
        let draft = directory.path().join("draft");
        for round in 0..300 {
            let replaced = lines[1 + round % 2].as_str();
            for (text, is_good) in [(replaced, false), (&lines[0], true)] {
                if round % 3 == 0 {
                    fs::write(&draft, text).unwrap();
                    fs::rename(&draft, &path).unwrap();
                } else {
                    fs::write(&path, text).unwrap();
                }
                for _ in 0..2 {
                    assert_eq!(files.by_token(&token, FROM).is_ok(), is_good, "{round}: {text}");
                }
                if round % 50 == 0 {
                    settle(files.tokens.as_ref().unwrap());
                }
            }
        }
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
            (format!("alice revoked {hash} yes"), "there are too many words"),
            ("alice revoked 123".to_owned(), "what is revoked is no hash"),
            ("alice revoked".to_owned(), "the second word is no hash"),
        ];
        for (line, what) in cases {
            let (_directory, path) = file(&format!("# first\n{line}\n"));
            let fault = read(&path).unwrap_err();
            assert!(matches!(fault, AdmissionError::Line(_, 2, found) if found == what), "{line}: {fault}");
        }
    }
}
