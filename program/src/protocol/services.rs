//! Services that a server has beside the one of a session.

use super::Malformed;
use super::codec::{decode_list, encode_list};

/// A service beside the one of the session. Its root is the portal of the same place in the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceInfo {
    /// What texts of arguments call it by; empty if it has no name.
    pub name: String,
    /// The [encoded](carnet_idl::encode) module of its interface.
    pub module: Vec<u8>,
    /// Number of its root's interface in the module.
    pub root: u16,
}

/// Writes a list of them.
#[must_use]
pub fn encode_services(services: &[ServiceInfo]) -> Vec<u8> {
    encode_list(services, |w, service| {
        w.bytes(service.name.as_bytes());
        w.bytes(&service.module);
        w.u32(service.root.into());
    })
}

/// Reads a list of them.
///
/// # Errors
/// [`Malformed`].
pub fn decode_services(bytes: &[u8]) -> Result<Vec<ServiceInfo>, Malformed> {
    decode_list(bytes, 12, |r| {
        let (name, module) = (r.string()?, r.bytes()?.to_vec());
        Ok(ServiceInfo { name, module, root: u16::try_from(r.u32()?).map_err(|_| Malformed)? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_shorter() {
        let one = |name: &str, root| ServiceInfo { name: name.to_owned(), module: vec![7; 300], root };
        for services in [vec![], vec![one("", 0)], vec![one("far", 3), one("b", 1)]] {
            let bytes = encode_services(&services);
            assert_eq!(decode_services(&bytes), Ok(services));
            for len in 0..bytes.len() {
                assert!(decode_services(&bytes[..len]).is_err(), "{len}");
            }
            assert!(decode_services(&[&bytes[..], b"x"].concat()).is_err());
        }
    }
}
