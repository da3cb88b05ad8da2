//! `carnet token`: who may connect from other machines.
//!
//! A token is shown once. What the server keeps, in a file of one line for each token, is its hash; see
//! [`admission`](carnet_portal::admission) for the format.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, chown};
use std::path::Path;

use carnet_idl::read_regular;
use carnet_portal::admission::{AdmissionError, Entry, FILE_BYTES_MAX, Standing, is_name, read};
use carnet_portal::identity::{Token, fingerprint_of_certificate, write_secret};
use rustix::fs::{FlockOperation, OFlags, flock};
use serde_json::json;

use crate::args;
use crate::door::{wrong_file, wrong_key};
use crate::exit::{Answer, Problem, Reply};
use crate::source::shown;
use crate::value::harmless;

/// Makes a token, or takes tokens back.
///
/// # Errors
/// If a file is not as it should be.
pub fn token(args: &args::Token) -> Answer {
    match args {
        args::Token::New(args) => new(args),
        args::Token::Revoke(args) => revoke(args),
        args::Token::Fingerprint(args) => {
            let fingerprint =
                fingerprint_of_certificate(&args.certificate).map_err(|error| wrong_key(&error))?;
            let json = json!({
                "exit": 0, "certificate": shown(&args.certificate), "fingerprint": fingerprint.to_string(),
            });
            Ok(Reply::done(format!("{fingerprint}\n"), json))
        }
    }
}

fn new(args: &args::TokenNew) -> Answer {
    if !is_name(&args.name) {
        return Err(Problem::usage(format!(
            "error: `{}` cannot be a name\nexpected at most 64 letters, digits and . - _ @ +",
            harmless(&args.name)
        )));
    }
    // What is wrong with the file is better found before there is a token.
    entries(&args.tokens)?;
    let token = Token::generate()
        .map_err(|error| Problem::failed(format!("error: the system has no random numbers: {error}")))?;
    let text = [token.expose(), b"\n"].concat();
    if let Some(output) = &args.output {
        write_secret(output, &text).map_err(|error| cannot_write(output, &error))?;
    }
    let entry = Entry { principal: args.name.clone(), hash: token.hash(), standing: Standing::Good };
    append(&args.tokens, &entry).map_err(|error| cannot_write(&args.tokens, &error))?;
    let err = match &args.output {
        Some(output) => format!(
            "{} has a token, which is in {} and nowhere else\n{} has its hash\n",
            args.name,
            shown(output),
            shown(&args.tokens)
        ),
        None => format!(
            "{} has a token, which is shown only now\nkeep it in a file that only its owner can read: --token-file FILE\n\
             {} has its hash\n",
            args.name,
            shown(&args.tokens)
        ),
    };
    // A token that went into a file is shown nowhere.
    let shown_here = args.output.is_none().then(|| String::from_utf8_lossy(&text).into_owned());
    let json = json!({
        "exit": 0, "name": args.name, "tokens": shown(&args.tokens), "output": args.output.as_deref().map(shown),
        "token": shown_here.as_deref().map(str::trim_end),
    });
    Ok(Reply { err, ..Reply::done(shown_here.unwrap_or_default(), json) })
}

/// The lines of a file of tokens; none if there is no file.
fn entries(path: &Path) -> Result<Vec<Entry>, Problem> {
    match read(path) {
        Err(AdmissionError::System(_, error)) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(wrong_file(&error)),
        Ok(entries) => Ok(entries),
    }
}

fn append(path: &Path, entry: &Entry) -> std::io::Result<()> {
    let mut file = alone(path, OpenOptions::new().append(true).create(true).mode(0o600))?;
    // The file may be another than the one that was looked at, and what is added behind half a line is not told from it.
    if read_regular(path, FILE_BYTES_MAX)?.last().is_some_and(|last| *last != b'\n') {
        return Err(std::io::Error::new(ErrorKind::InvalidData, "its last line does not end"));
    }
    file.write_all(format!("{entry}\n").as_bytes())
}

fn revoke(args: &args::TokenRevoke) -> Answer {
    // Behind links: what is put in place of a link would be read by nobody.
    let path = fs::canonicalize(&args.tokens).unwrap_or_else(|_| args.tokens.clone());
    let locked = |write| alone(&path, OpenOptions::new().read(true).write(write).custom_flags(AT_ONCE));
    // Some file systems lock only what is open for writing; a file that nobody may write is replaced all the same.
    let alone = locked(true).or_else(|error| match error.kind() {
        ErrorKind::PermissionDenied => locked(false),
        _ => Err(error),
    });
    let good = |entry: &Entry| entry.principal == args.name && entry.standing == Standing::Good;
    let count = entries(&path)?.iter().filter(|entry| good(entry)).count();
    if count == 0 {
        return Err(Problem::failed(format!(
            "failed: {} has no token in {}\nnothing was changed.",
            harmless(&args.name),
            shown(&args.tokens)
        )));
    }
    let _alone = alone.map_err(|error| cannot_write(&args.tokens, &error))?;
    let mark = |line: &str| match line.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        [name, hash] if name == args.name => format!("{name} revoked {hash}\n"),
        [name, hash, "revoked"] if !name.starts_with('#') => format!("{name} revoked {hash}\n"),
        _ => format!("{line}\n"),
    };
    let change = |text: String| replace(&path, &text.lines().map(mark).collect::<String>());
    let bytes = read_regular(&path, FILE_BYTES_MAX);
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into()));
    text.and_then(change).map_err(|error| cannot_write(&args.tokens, &error))?;
    let (tokens, are) = if count == 1 { ("token", "is") } else { ("tokens", "are") };
    let out = format!(
        "{count} {tokens} of {} {are} revoked: servers refuse them from now on, and end the sessions of theirs in 5 s\n",
        args.name
    );
    let json = json!({ "exit": 0, "name": args.name, "tokens": shown(&args.tokens), "revoked": count });
    Ok(Reply::done(out, json))
}

/// A pipe is opened without waiting for its other end.
const AT_ONCE: i32 = OFlags::NONBLOCK.bits().cast_signed();

/// Opens the file so that no other command changes it until it is dropped: what one marks another would write over with what it
/// read before. The file itself is locked, which nobody can open who may not read it.
fn alone(path: &Path, options: &OpenOptions) -> std::io::Result<File> {
    loop {
        let file = options.open(path)?;
        flock(&file, FlockOperation::LockExclusive)?;
        // Whoever had it may have put another in its place.
        let (mine, there) = (file.metadata()?, fs::metadata(path)?);
        if (mine.dev(), mine.ino()) == (there.dev(), there.ino()) {
            return Ok(file);
        }
    }
}

/// A server that reads it meanwhile finds the old file or the new one, never half of it. It belongs to whom it belonged: else the
/// server could perhaps not read it, and would let nobody in and end nobody's session.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let draft = path.with_extension(format!("new-{}", std::process::id()));
    write_secret(&draft, text.as_bytes())?;
    let replaced = (|| {
        let old = fs::metadata(path)?;
        let new = fs::metadata(&draft)?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            chown(&draft, Some(old.uid()), Some(old.gid()))?;
        }
        fs::set_permissions(&draft, old.permissions())?;
        fs::rename(&draft, path)
    })();
    if replaced.is_err() {
        let _ = fs::remove_file(&draft);
    }
    replaced
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Problem {
    let why = match error.kind() {
        ErrorKind::AlreadyExists => "it exists already".to_owned(),
        _ => error.to_string(),
    };
    Problem::usage(format!("error: cannot write {}: {why}\nchoose another file", shown(path)))
}
