//! Names of runs.
//!
//! A run's identity is 128 bits; people name it by a text, and the identity is that text's hash. So a name can be
//! chosen (`--id backup-2026-11-21`), and one that was made up is short enough to be copied.

use carnet_program::protocol::RunId;
use sha2::{Digest as _, Sha256};

use crate::exit::Problem;

/// The longest name.
const NAME_MAX: usize = carnet_program::protocol::NAME_BYTES_MAX;

/// Digits of names that are made up: no letters that look alike.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// A run's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunName(String);

impl RunName {
    /// The name that was chosen.
    ///
    /// # Errors
    /// If it could not be typed again or shown safely.
    pub fn chosen(name: &str) -> Result<RunName, Problem> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '@');
        if name.is_empty() || name.len() > NAME_MAX || !name.chars().all(is_plain) {
            return Err(Problem::usage(format!(
                "error: `{}` is no name of a run\nexpected 1 to {NAME_MAX} letters, digits and - _ . : @, \
                 for example r-7k2m or backup-2026-11-21",
                crate::value::harmless(name)
            )));
        }
        Ok(RunName(name.to_owned()))
    }

    /// A name that nobody has used: 80 random bits.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn fresh() -> Result<RunName, Problem> {
        let mut random = [0; 16];
        let got = rustix::rand::getrandom(&mut random[..], rustix::rand::GetRandomFlags::empty());
        if got != Ok(random.len()) {
            return Err(Problem::failed("error: the system gives no random numbers\nname the run: --id ID"));
        }
        let digits = random.iter().map(|byte| char::from(DIGITS[usize::from(byte % 32)]));
        Ok(RunName(format!("r-{}", digits.collect::<String>())))
    }

    /// As it is typed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the server knows it by.
    #[must_use]
    pub fn id(&self) -> RunId {
        let hash: [u8; 32] = Sha256::digest(self.0.as_bytes()).into();
        let mut first = [0; 16];
        first.copy_from_slice(&hash[..16]);
        RunId(u128::from_le_bytes(first))
    }
}

impl std::fmt::Display for RunName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_fresh_ones_differ() {
        for name in ["", "a b", "x\n", "é", &"x".repeat(65)] {
            assert_eq!(RunName::chosen(name).unwrap_err().exit, crate::exit::Exit::Usage, "{name}");
        }
        let (one, two) = (RunName::fresh().unwrap(), RunName::fresh().unwrap());
        assert_ne!(one.id(), two.id());
        assert_eq!(RunName::chosen(&one.to_string()).unwrap().id(), one.id());
    }
}
