//! The way to the server: address, session, and what the server says of itself.

use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::identity::{CertifiedKey, Credentials, Token};
use carnet_portal::remote::{ConnectOptions, RemoteSession, WaitMode};
use carnet_program::client::Client;

use crate::args;
use crate::door::wrong_key;
use crate::exit::{Exit, Problem};
use crate::value::{harmless, told, told_lines};

/// How long a server may take to accept.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a server may leave a question or a single call unanswered, unless the command line says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The longest time-out. Whoever wants to wait longer asks again.
const TIMEOUT_MAX: Duration = Duration::from_secs(86_400);

/// A session with a server.
#[derive(Debug)]
pub struct Connection {
    /// Where it is.
    pub address: Address,
    /// How long it may leave a question or a single call unanswered. Runs of programs have limits of their own.
    pub timeout: Duration,
    /// What carries calls.
    pub transport: Arc<RemoteSession>,
    /// What carries programs.
    pub client: Client,
}

/// What a server says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Its interfaces. Kept as long as the process lives, as descriptors are.
    pub module: &'static Module,
    /// That of the root object.
    pub root: InterfaceId,
}

/// Connects to the server that the command line or the environment names.
///
/// # Errors
/// If none is named, or it cannot be reached.
pub fn connect(server: &args::Server) -> Result<Connection, Problem> {
    Way::of(server)?.connect()
}

/// How a server is reached.
#[derive(Debug)]
pub struct Way {
    address: Address,
    timeout: Duration,
    credentials: Credentials,
    waiting: WaitMode,
}

impl Way {
    /// The way that the command line or the environment names.
    ///
    /// # Errors
    /// If none is named, or what proves who calls cannot be read.
    pub fn of(server: &args::Server) -> Result<Way, Problem> {
        let address = address(server)?;
        let timeout = server.client.timeout.as_deref().map_or(Ok(TIMEOUT), timeout)?;
        let waiting = waiting(server, &address)?;
        let credentials = credentials(server, &address)?;
        Ok(Way { address, timeout, credentials, waiting })
    }

    fn options(&self) -> ConnectOptions {
        ConnectOptions {
            connect_timeout: CONNECT_TIMEOUT.min(self.timeout),
            call_timeout: Some(self.timeout),
            waiting: self.waiting,
            ..ConnectOptions::default()
        }
    }

    /// Begins a session.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn session(&self) -> Result<Arc<RemoteSession>, Failure> {
        RemoteSession::connect_as(&self.address, self.options(), &self.credentials)
    }

    /// Connects.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn connect(&self) -> Result<Connection, Problem> {
        let transport = self.session().map_err(|failure| unreachable(&self.address, &failure))?;
        let (address, timeout) = (self.address.clone(), self.timeout);
        Ok(Connection { address, timeout, client: Client::new(Arc::clone(&transport)), transport })
    }
}

/// How to prove who calls. On this machine the system says it, and no file is read.
fn credentials(server: &args::Server, address: &Address) -> Result<Credentials, Problem> {
    if address.file().is_some() {
        return Ok(Credentials::None);
    }
    let args::Client { client_cert, client_key, token_file, .. } = &server.client;
    let read = match (client_cert, client_key, token_file) {
        (Some(certificate), Some(key), _) => CertifiedKey::read(certificate, key).map(Credentials::Key),
        (_, _, Some(file)) => Token::read(file).map(Credentials::Token),
        _ => {
            return Err(Problem::usage(format!(
                "error: {address} wants to know who calls\ngive --token-file FILE or set CARNET_TOKEN_FILE, or give \
                 --client-cert FILE and --client-key FILE"
            )));
        }
    };
    read.map_err(|error| wrong_key(&error))
}

/// How to wait for answers, which is asked for shared memory alone: elsewhere the system waits.
fn waiting(server: &args::Server, address: &Address) -> Result<WaitMode, Problem> {
    match (server.wait, address) {
        (None, _) => Ok(WaitMode::default()),
        (Some(wait), Address::Shared(_)) => Ok(wait.into()),
        (Some(_), _) => Err(Problem::usage(format!(
            "error: --wait is nothing for {address}\nit says how to wait for answers through shared memory: shm:PATH"
        ))),
    }
}

fn timeout(text: &str) -> Result<Duration, Problem> {
    let given = crate::policy::time(text).map(Duration::from_nanos);
    let fits = |time: Duration| if time.is_zero() || time > TIMEOUT_MAX { Err("") } else { Ok(time) };
    given.and_then(fits).map_err(|why| {
        Problem::usage(format!(
            "error: --timeout {} is no time to wait{why}\nexpected 1ms to 1d, for example 500ms, 5s or 10m",
            harmless(text)
        ))
    })
}

/// The address that the command line or the environment names.
///
/// # Errors
/// If there is none, or it is no address.
pub fn address(server: &args::Server) -> Result<Address, Problem> {
    match server.server.as_deref() {
        None | Some("") => Err(Problem::usage(
            "error: no server is named\ngive --server ADDR or set CARNET_SERVER, for example: \
             export CARNET_SERVER=unix:./c.sock",
        )),
        Some(text) => match text.parse().map_err(|error| Problem::usage(format!("error: {error}")))? {
            Address::Tcp(_) => Err(Problem::usage(format!(
                "error: {text} is where a server listens\ngive the whole address that `carnet serve` printed: \
                 carnet://HOST:PORT#FINGERPRINT"
            ))),
            address => Ok(address),
        },
    }
}

fn unreachable(address: &Address, failure: &Failure) -> Problem {
    let hint = match address.file() {
        Some(path) => {
            let listen = harmless(&where_to_listen(address, path));
            format!("Start a server: carnet serve files DIR --listen {listen}")
        }
        None => "Does the server run, and is this the address that it printed?".to_owned(),
    };
    let text = format!("{}\nnothing was sent. {hint}", told_lines(&failure.details().message));
    Problem { exit: Exit::Unreachable, name: "unreachable", text }
}

/// The address itself, unless something else lies there.
fn where_to_listen(address: &Address, path: &Path) -> String {
    let taken = std::fs::symlink_metadata(path).is_ok_and(|entry| !entry.file_type().is_socket());
    if taken { "unix:./c.sock".to_owned() } else { crate::report::shell_word(&address.to_string()) }
}

impl Connection {
    /// Asks the server what it is.
    ///
    /// # Errors
    /// What the way to it answered, or that its answer makes no sense.
    pub fn describe(&self) -> Result<(Described, carnet_portal::wire::Description), Problem> {
        let description = self.transport.describe().map_err(|failure| self.query_failed(&failure))?;
        let module =
            carnet_idl::decode(&description.module).map_err(|error| self.nonsense(&error.to_string()))?;
        if usize::from(description.root) >= module.interfaces.len() {
            return Err(self.nonsense("its root has no interface"));
        }
        let module: &'static Module = Box::leak(Box::new(module));
        Ok((Described { module, root: InterfaceId(description.root) }, description))
    }

    /// A question that changes nothing was not answered.
    #[must_use]
    pub fn query_failed(&self, failure: &Failure) -> Problem {
        let message = &failure.details().message;
        let address = &self.address;
        match failure.kind() {
            // It was there when the connection was made.
            Kind::Unreachable | Kind::PeerDied => Problem::failed(format!(
                "failed: {address} closed the connection without an answer\nnothing was changed. Is it a Carnet \
                 server, and still running?"
            )),
            Kind::TimedOut => Problem::failed(format!(
                "failed: {address} accepted the connection, and gave no answer within {:?}\nnothing was changed. Is it \
                 a Carnet server? If it is only slow, wait longer: --timeout 10m",
                self.timeout
            )),
            Kind::Protocol => self.nonsense(message),
            Kind::Refused | Kind::NoSuchOperation => Problem {
                exit: Exit::Refused,
                name: "refused",
                text: format!("refused: {}\nnothing was run.", told(message)),
            },
            _ => Problem::failed(format!("failed: {}\nnothing was changed.", told(message))),
        }
    }

    /// An answer that makes no sense.
    #[must_use]
    pub fn nonsense(&self, why: &str) -> Problem {
        Problem::failed(format!(
            "failed: {} does not speak as a Carnet server does: {}\nnothing was changed. Is it the right socket, \
             and a server of this version?",
            self.address,
            told(why)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(address: &str, wait: Option<args::Wait>) -> Result<Way, Problem> {
        let server = Some(address.to_owned());
        Way::of(&args::Server { server, wait, ..args::Server::default() })
    }

    #[test]
    fn a_session_waits_as_it_was_told_to() {
        let waits = |wait| way("shm:./c.sock", wait).expect("a way").options().waiting;
        assert_eq!(waits(None), WaitMode::Adaptive);
        assert_eq!(waits(Some(args::Wait::Spin)), WaitMode::Spinning);
        assert_eq!(waits(Some(args::Wait::Adaptive)), WaitMode::Adaptive);
        assert_eq!(waits(Some(args::Wait::Sleep)), WaitMode::Sleeping);
        assert!(way("unix:./c.sock", None).is_ok());
        assert!(way("unix:./c.sock", Some(args::Wait::Sleep)).is_err());
    }
}
