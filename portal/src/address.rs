//! Addresses of servers, as people write them.
//!
//! | address | who uses it |
//! | --- | --- |
//! | `unix:PATH` | server and clients |
//! | `shm:PATH` | the same; clients share memory with the server then |
//! | `tcp://HOST:PORT` | a server, to listen; port 0 lets the system choose |
//! | `carnet://HOST:PORT#FINGERPRINT` | clients; the server prints it, see [`Fingerprint`] |
//!
//! An IPv6 address stands in brackets: `tcp://[::1]:7000`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::fingerprint::Fingerprint;

/// Bytes of a socket's path: Linux has room for so many, and a zero behind them, which most programs put there.
pub const PATH_BYTES_MAX: usize = 107;

/// Where a server listens, or is reached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A socket in the file system.
    Unix(PathBuf),
    /// Shared memory that is set up over a socket in the file system. To listen there is to listen on the socket.
    Shared(PathBuf),
    /// Where a server listens with TLS.
    Tcp(Place),
    /// Where clients reach a server with TLS, and its key.
    Carnet(Place, Fingerprint),
}

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Name or number, without brackets.
    pub host: String,
    /// Port.
    pub port: u16,
}

/// A text that is no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// Nothing before the first colon that is known.
    Unknown(String),
    /// `unix:` or `shm:` without a path.
    NoPath(&'static str),
    /// A path of so many bytes, more than [`PATH_BYTES_MAX`].
    LongPath(&'static str, usize),
    /// No host and port where they belong.
    NoPlace(String),
    /// `carnet://` without a fingerprint.
    NoFingerprint(String),
    /// What stands behind `#` is no fingerprint.
    BadFingerprint(String),
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddressError::Unknown(text) => {
                write!(
                    f,
                    "`{text}` is not an address\nexpected unix:PATH, for example unix:./c.sock, or shm:PATH for the same \
                     through shared memory, or carnet://HOST:PORT#FINGERPRINT as a server prints it, or tcp://HOST:PORT to \
                     listen"
                )
            }
            AddressError::NoPath(kind) => write!(f, "`{kind}:` lacks a path\nfor example {kind}:./c.sock"),
            AddressError::LongPath(kind, bytes) => write!(
                f,
                "`{kind}:…` has a path too long for a socket: it has {bytes} bytes, and at most \
                 {PATH_BYTES_MAX} can be\ngive a shorter one, for example {kind}:./c.sock from within its directory"
            ),
            AddressError::NoPlace(text) => write!(
                f,
                "`{text}` lacks a host and a port\nfor example localhost:7000, 192.0.2.1:7000 or [2001:db8::1]:7000"
            ),
            AddressError::NoFingerprint(text) => write!(
                f,
                "`{text}` lacks the fingerprint of the server's key\ngive the whole address that `carnet serve` printed: \
                 carnet://HOST:PORT#FINGERPRINT"
            ),
            AddressError::BadFingerprint(text) => write!(
                f,
                "`{text}` is no fingerprint of a key: it has 64 digits 0 to 9 and a to f\ngive the whole address that \
                 `carnet serve` printed: carnet://HOST:PORT#FINGERPRINT"
            ),
        }
    }
}

impl std::error::Error for AddressError {}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        if let Some(rest) = text.strip_prefix("tcp://") {
            return rest
                .parse()
                .map(Address::Tcp)
                .map_err(|NotAPlace| AddressError::NoPlace(text.to_owned()));
        }
        if let Some(rest) = text.strip_prefix("carnet://") {
            return carnet(text, rest);
        }
        match text.split_once(':') {
            Some(("unix", "")) => Err(AddressError::NoPath("unix")),
            Some(("shm", "")) => Err(AddressError::NoPath("shm")),
            Some(("unix", path)) if !path.contains('\0') => file("unix", path).map(Address::Unix),
            Some(("shm", path)) if !path.contains('\0') => file("shm", path).map(Address::Shared),
            _ => Err(AddressError::Unknown(text.to_owned())),
        }
    }
}

/// The path of a socket.
fn file(kind: &'static str, path: &str) -> Result<PathBuf, AddressError> {
    if path.len() > PATH_BYTES_MAX {
        return Err(AddressError::LongPath(kind, path.len()));
    }
    Ok(PathBuf::from(path))
}

fn carnet(text: &str, rest: &str) -> Result<Address, AddressError> {
    let (place, fingerprint) = rest.split_once('#').unwrap_or((rest, ""));
    let place = place.parse().map_err(|NotAPlace| AddressError::NoPlace(text.to_owned()))?;
    if fingerprint.is_empty() {
        return Err(AddressError::NoFingerprint(text.to_owned()));
    }
    let fingerprint =
        fingerprint.parse().map_err(|_| AddressError::BadFingerprint(fingerprint.to_owned()))?;
    Ok(Address::Carnet(place, fingerprint))
}

impl Address {
    /// The socket file, if it has one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Address::Unix(path) | Address::Shared(path) => Some(path),
            Address::Tcp(_) | Address::Carnet(..) => None,
        }
    }
}

/// A text that does not name host and port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPlace;

impl FromStr for Place {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Place, NotAPlace> {
        let (host, port) = text.rsplit_once(':').ok_or(NotAPlace)?;
        let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let host = match bracketed {
            Some(host) if host.chars().all(|c| is_plain(c) || matches!(c, ':' | '%')) => host,
            None if host.chars().all(is_plain) => host,
            _ => return Err(NotAPlace),
        };
        let is_number = !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
        let port = port.parse().ok().filter(|_| is_number && !host.is_empty()).ok_or(NotAPlace)?;
        Ok(Place { host: host.to_owned(), port })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Unix(path) => write!(f, "unix:{}", path.display()),
            Address::Shared(path) => write!(f, "shm:{}", path.display()),
            Address::Tcp(place) => write!(f, "tcp://{place}"),
            Address::Carnet(place, fingerprint) => write!(f, "carnet://{place}#{fingerprint}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FINGERPRINT: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn fault(text: &str) -> AddressError {
        text.parse::<Address>().unwrap_err()
    }

    #[test]
    fn what_is_an_address_and_what_is_not() {
        assert_eq!("unix:./a b:c".parse(), Ok(Address::Unix(PathBuf::from("./a b:c"))));
        assert_eq!("unix:/x".parse::<Address>().unwrap().to_string(), "unix:/x");
        assert_eq!(fault("unix:"), AddressError::NoPath("unix"));
        assert_eq!("shm:./x".parse(), Ok(Address::Shared(PathBuf::from("./x"))));
        assert_eq!("shm:/x".parse::<Address>().unwrap().to_string(), "shm:/x");
        assert_eq!(fault("shm:"), AddressError::NoPath("shm"));
        for text in
            ["", "x", "/x", "unix", "Unix:/x", "unix:a\0b", "shm:a\0b", "tcp:localhost:1", "http://x:1"]
        {
            assert_eq!(fault(text), AddressError::Unknown(text.to_owned()));
        }
    }

    #[test]
    fn paths_are_as_long_as_the_system_takes() {
        for kind in ["unix", "shm"] {
            let (longest, longer) = ("x".repeat(PATH_BYTES_MAX), "x".repeat(PATH_BYTES_MAX + 1));
            assert!(format!("{kind}:{longest}").parse::<Address>().is_ok());
            let fault = fault(&format!("{kind}:{longer}"));
            assert_eq!(fault, AddressError::LongPath(kind, 108));
            assert!(fault.to_string().contains("it has 108 bytes, and at most 107 can be"), "{fault}");
        }
        // As the standard library has it, with which other programs are written.
        let system = std::os::unix::net::SocketAddr::from_pathname::<String>;
        assert!(system("x".repeat(PATH_BYTES_MAX)).is_ok());
        assert!(system("x".repeat(PATH_BYTES_MAX + 1)).is_err());
    }

    #[test]
    fn hosts_and_ports() {
        for text in
            ["tcp://localhost:0", "tcp://192.0.2.1:7000", "tcp://[::1]:65535", "tcp://[fe80::1%eth0]:1"]
        {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
            let carnet = format!("{}#{FINGERPRINT}", text.replace("tcp", "carnet"));
            assert_eq!(carnet.parse::<Address>().unwrap().to_string(), carnet);
        }
        let bad =
            ["", "x", ":1", "x:", "x:65536", "x:+1", "x:-1", "::1:7000", "[::1]", "[]:1", "a b:1", "x\x1b:1"];
        for place in bad {
            let text = format!("tcp://{place}");
            assert_eq!(fault(&text), AddressError::NoPlace(text.clone()));
            let text = format!("carnet://{place}#{FINGERPRINT}");
            assert_eq!(fault(&text), AddressError::NoPlace(text.clone()));
        }
    }

    #[test]
    fn fingerprints_are_whole() {
        for text in ["carnet://x:1", "carnet://x:1#"] {
            assert_eq!(fault(text), AddressError::NoFingerprint(text.to_owned()));
        }
        let (short, long, other) =
            (&FINGERPRINT[1..], format!("{FINGERPRINT}0"), FINGERPRINT.replace('f', "g"));
        for bad in [short, &long, &other, "+0"] {
            assert_eq!(fault(&format!("carnet://x:1#{bad}")), AddressError::BadFingerprint(bad.to_owned()));
        }
    }
}
