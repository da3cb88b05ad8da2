//! Addresses of servers, as people write them: `unix:PATH`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A socket in the file system.
    Unix(PathBuf),
}

/// A text that is no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// `tcp:` and `carnet:`.
    NotYet(String),
    /// Nothing before the first colon that is known.
    Unknown(String),
    /// `unix:` without a path.
    NoPath,
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
            AddressError::NoPath => f.write_str("`unix:` lacks a path\nfor example unix:./c.sock"),
        }
    }
}

impl std::error::Error for AddressError {}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        match text.split_once(':') {
            Some(("unix", "")) => Err(AddressError::NoPath),
            Some(("unix", path)) if !path.contains('\0') => Ok(Address::Unix(PathBuf::from(path))),
            Some(("tcp" | "carnet", _)) => Err(AddressError::NotYet(text.to_owned())),
            _ => Err(AddressError::Unknown(text.to_owned())),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Unix(path) => write!(f, "unix:{}", path.display()),
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
        assert_eq!("unix:".parse::<Address>(), Err(AddressError::NoPath));
        let tcp = "tcp:localhost:1".parse::<Address>().unwrap_err().to_string();
        assert_eq!(tcp, "`tcp:localhost:1`: not supported yet: tcp comes later\nuse unix:PATH");
        for text in ["", "x", "/x", "unix", "Unix:/x", "unix:a\0b"] {
            assert_eq!(text.parse::<Address>(), Err(AddressError::Unknown(text.to_owned())));
        }
    }
}
