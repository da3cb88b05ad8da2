//! Addresses of servers, as people write them: `unix:PATH`, `shm:PATH`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A socket in the file system.
    Unix(PathBuf),
    /// Shared memory that is set up over a socket in the file system. To listen there is to listen on the socket.
    Shared(PathBuf),
}

/// A text that is no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// `tcp:` and `carnet:`.
    NotYet(String),
    /// Nothing before the first colon that is known.
    Unknown(String),
    /// `unix:` or `shm:` without a path.
    NoPath(&'static str),
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddressError::NotYet(text) => {
                write!(f, "`{text}`: not supported yet: tcp comes later\nuse unix:PATH")
            }
            AddressError::Unknown(text) => {
                write!(f, "`{text}` is not an address\nexpected unix:PATH, for example unix:./c.sock")
            }
            AddressError::NoPath(kind) => write!(f, "`{kind}:` lacks a path\nfor example {kind}:./c.sock"),
        }
    }
}

impl std::error::Error for AddressError {}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        match text.split_once(':') {
            Some(("unix", "")) => Err(AddressError::NoPath("unix")),
            Some(("shm", "")) => Err(AddressError::NoPath("shm")),
            Some(("unix", path)) if !path.contains('\0') => Ok(Address::Unix(PathBuf::from(path))),
            Some(("shm", path)) if !path.contains('\0') => Ok(Address::Shared(PathBuf::from(path))),
            Some(("tcp" | "carnet", _)) => Err(AddressError::NotYet(text.to_owned())),
            _ => Err(AddressError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Unix(path) => write!(f, "unix:{}", path.display()),
            Address::Shared(path) => write!(f, "shm:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_an_address_and_what_is_not() {
        assert_eq!("unix:./a b:c".parse(), Ok(Address::Unix(PathBuf::from("./a b:c"))));
        assert_eq!("unix:/x".parse::<Address>().unwrap().to_string(), "unix:/x");
        assert_eq!("unix:".parse::<Address>(), Err(AddressError::NoPath("unix")));
        assert_eq!("shm:./x".parse(), Ok(Address::Shared(PathBuf::from("./x"))));
        assert_eq!("shm:/x".parse::<Address>().unwrap().to_string(), "shm:/x");
        assert_eq!("shm:".parse::<Address>(), Err(AddressError::NoPath("shm")));
        let tcp = "tcp:localhost:1".parse::<Address>().unwrap_err().to_string();
        assert_eq!(tcp, "`tcp:localhost:1`: not supported yet: tcp comes later\nuse unix:PATH");
        for text in ["", "x", "/x", "unix", "Unix:/x", "unix:a\0b", "shm:a\0b"] {
            assert_eq!(text.parse::<Address>(), Err(AddressError::Unknown(text.to_owned())));
        }
    }
}
