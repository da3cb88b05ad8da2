//! What a server needs that others reach over a network: its key, and who may connect.
//!
//! Each connection that ends with a session or a refusal is logged with its address; of many refusals in a second only the first,
//! and how many more there were. What a client showed is not.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use carnet_portal::address::Address;
use carnet_portal::admission::{self, Admission, AdmissionError, AdmissionFiles, Shown, Standing};
use carnet_portal::call::Failure;
use carnet_portal::door::{Door, DoorLimits};
use carnet_portal::fingerprint::Fingerprint;
use carnet_portal::identity::{CertifiedKey, KeyError, Token};
use tracing::{info, warn};

use crate::args;
use crate::exit::Problem;
use crate::refusals::Refusals;
use crate::report::shell_word;
use crate::source::shown;
use crate::value::harmless_lines;

/// The way in from other machines, if one of `addresses` needs it.
///
/// # Errors
/// If nobody could prove who they are, or a file is not as it should be.
pub fn door(args: &args::Serve, addresses: &[Address], limits: DoorLimits) -> Result<Option<Door>, Problem> {
    let Some(address) = addresses.iter().find(|address| matches!(address, Address::Tcp(_))) else {
        return Ok(None);
    };
    if args.tokens.is_none() && args.client_keys.is_none() {
        return Err(Problem::usage(format!(
            "error: will not listen on {address} without authentication\nmake a token: carnet token new NAME --tokens \
             FILE, and add --tokens FILE; or add --client-keys FILE, or use --listen unix:PATH"
        )));
    }
    let files = AdmissionFiles::new(args.tokens.clone(), args.client_keys.clone());
    files.check().map_err(|error| wrong_file(&error))?;
    somebody(args, address)?;
    let path = args.key.clone().map_or_else(default_key, Ok)?;
    let key = CertifiedKey::open_or_make(&path).map_err(|error| wrong_key(&error))?;
    let door = Door::new(&key, Arc::new(Logged { files, refusals: Mutex::default() }), limits);
    door.map(Some).map_err(|error| wrong_key(&error))
}

/// Refuses files that let nobody in.
fn somebody(args: &args::Serve, address: &Address) -> Result<(), Problem> {
    for path in [&args.tokens, &args.client_keys].into_iter().flatten() {
        let entries = admission::read(path).map_err(|error| wrong_file(&error))?;
        if entries.iter().any(|entry| entry.standing == Standing::Good) {
            return Ok(());
        }
    }
    let named = [&args.tokens, &args.client_keys].into_iter().flatten();
    let named: Vec<String> = named.map(|path| shown(path)).collect();
    let (tokens, also) = match &args.tokens {
        Some(path) => (shell_word(&shown(path)), ""),
        None => ("FILE".to_owned(), ", and add --tokens FILE"),
    };
    Err(Problem::usage(harmless_lines(&format!(
        "error: will not listen on {address}: what is in {} lets nobody in\n\
         make a token: carnet token new NAME --tokens {tokens}{also}; or add --client-keys FILE with a client's name and fingerprint",
        named.join(" and ")
    ))))
}

/// Where the server's key is unless the command line says otherwise.
fn default_key() -> Result<PathBuf, Problem> {
    state_dir().map(|state| state.join("server.key")).ok_or_else(|| {
        Problem::usage("error: there is no place for the server's key: HOME is not set\ngive --key FILE")
    })
}

/// Where files of this user are that last, if there is such a place.
#[must_use]
pub fn state_dir() -> Option<PathBuf> {
    let absolute = |text: OsString| Some(PathBuf::from(text)).filter(|path| path.is_absolute());
    let state = std::env::var_os("XDG_STATE_HOME").and_then(absolute);
    let home = || std::env::var_os("HOME").and_then(absolute).map(|home| home.join(".local/state"));
    state.or_else(home).map(|state| state.join("carnet"))
}

/// A key, certificate or token of ours is not as it should be.
#[must_use]
pub fn wrong_key(error: &KeyError) -> Problem {
    Problem::usage(harmless_lines(&format!("error: {error}")))
}

/// A file of tokens or keys is not as it should be.
#[must_use]
pub fn wrong_file(error: &AdmissionError) -> Problem {
    let hint = match error {
        AdmissionError::System(path, why) if why.kind() == std::io::ErrorKind::NotFound => {
            format!("\nmake it: carnet token new NAME --tokens {}", shell_word(&shown(path)))
        }
        AdmissionError::System(..) => "\ngive a file that can be read".to_owned(),
        AdmissionError::TooLong(_) => "\ngive a shorter one".to_owned(),
        AdmissionError::Writable(path) => format!("\nmend it: chmod go-w {}", shell_word(&shown(path))),
        AdmissionError::Cut(path) => format!(
            "\nlook what is missing at its end; if it is whole, end the line: echo >> {}",
            shell_word(&shown(path))
        ),
        AdmissionError::Line(..) => String::new(),
    };
    Problem::usage(harmless_lines(&format!("error: {error}{hint}")))
}

/// Admits those who stand in the files, and logs who came.
#[derive(Debug)]
struct Logged {
    files: AdmissionFiles,
    refusals: Mutex<Refusals>,
}

impl Logged {
    fn tell_faults(&self) {
        for fault in self.files.take_faults() {
            warn!(fault, "nothing of a file counts; those stay admitted who were before");
        }
    }

    fn tell_untold(refusals: &mut Refusals, now: Instant) {
        if let Some(more) = refusals.untold(now) {
            warn!(more, "refused, and not told one by one");
        }
    }

    fn log(&self, by: &str, answer: &Result<Arc<str>, Failure>, from: IpAddr) {
        match answer {
            Ok(principal) => info!(%from, by, principal = &**principal, "admitted"),
            Err(refusal) => {
                let now = Instant::now();
                let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
                Logged::tell_untold(&mut refusals, now);
                if refusals.count(now) {
                    warn!(%from, by, why = refusal.details().message, "refused");
                }
            }
        }
    }
}

impl Admission for Logged {
    fn by_token(&self, token: &Token, from: IpAddr) -> Result<Arc<str>, Failure> {
        let answer = self.files.by_token(token, from);
        self.tell_faults();
        self.log("token", &answer, from);
        answer
    }

    fn by_key(&self, key: &Fingerprint, from: IpAddr) -> Result<Arc<str>, Failure> {
        let answer = self.files.by_key(key, from);
        self.tell_faults();
        self.log("client certificate", &answer, from);
        answer
    }

    fn withdrawn(&self, shown: &[Shown]) -> Vec<Shown> {
        let withdrawn = self.files.withdrawn(shown);
        self.tell_faults();
        if !withdrawn.is_empty() {
            warn!(sessions = withdrawn.len(), "ended: their tokens or keys are not admitted any more");
        }
        withdrawn
    }

    fn turned_away(&self, why: &str, from: IpAddr) {
        info!(%from, why, "turned away");
    }

    fn meanwhile(&self) {
        Logged::tell_untold(
            &mut self.refusals.lock().unwrap_or_else(PoisonError::into_inner),
            Instant::now(),
        );
    }
}
