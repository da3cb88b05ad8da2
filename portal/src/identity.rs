//! By what servers and clients prove who they are: keys, tokens, and the files that they lie in.
//!
//! | file | holds | made by |
//! | --- | --- | --- |
//! | server's key | a private key (PKCS #8, PEM) | the server, once; [`CertifiedKey::open_or_make`] |
//! | client's key, its certificate | the same, and an X.509 certificate (PEM) | the client's owner |
//! | token | one line | [`Token::generate`], whose output the server's owner hands on |
//!
//! A file with a secret that others than its owner can read is refused, since it may be no secret any more. No secret is
//! ever part of a message or of what [`Debug`](fmt::Debug) shows.

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carnet_idl::open_regular;
use rcgen::{CertificateParams, DnType, KeyPair, PKCS_ED25519, PublicKeyData as _};
use rustix::rand::{GetRandomFlags, getrandom};
use rustls::InconsistentKeys;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::fingerprint::Fingerprint;

/// Bytes of a file with a key, a certificate or a token; none needs more.
const FILE_BYTES_MAX: u64 = 64 << 10;

/// Bytes of a token.
pub const TOKEN_BYTES_MAX: usize = 256;

/// What tokens begin with, so that people and tools know one where it should not be.
const TOKEN_START: &str = "carnet-token-";

/// Why a key or token cannot be used.
#[derive(Debug)]
pub enum KeyError {
    /// Others than the owner can read the file, which has this mode.
    Readable(PathBuf, u32),
    /// The file belongs to another user.
    NotOurs(PathBuf),
    /// The file does not hold what it should.
    Content(PathBuf, &'static str),
    /// The certificate in the first file is not that of the key in the second.
    Mismatch(PathBuf, PathBuf),
    /// No key can be made, or the TLS library does not take it.
    Unusable(String),
    /// The system refused.
    System(PathBuf, std::io::Error),
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyError::Readable(path, mode) => write!(
                f,
                "others can read {0}, which must be secret (its mode is {mode:03o})\nif nobody has, close it: chmod 600 {0}",
                path.display()
            ),
            KeyError::NotOurs(path) => {
                write!(
                    f,
                    "{} belongs to another user\ngive a file of your own, which only you can read",
                    path.display()
                )
            }
            KeyError::Content(path, expected) => {
                write!(f, "{} does not hold {expected}\ngive another file", path.display())
            }
            KeyError::Mismatch(certificate, key) => write!(
                f,
                "the certificate in {} is not that of the key in {}\ngive the two that were made together",
                certificate.display(),
                key.display()
            ),
            KeyError::Unusable(why) => write!(f, "the key cannot be used: {why}\ngive another one"),
            KeyError::System(path, error) if error.kind() == ErrorKind::NotFound => {
                write!(f, "there is no file {}\ngive the path of one", path.display())
            }
            KeyError::System(path, error) => {
                write!(f, "cannot use {}: {error}\ngive another file", path.display())
            }
        }
    }
}

impl std::error::Error for KeyError {}

/// A private key, and a certificate that wraps its public key.
#[derive(Clone, PartialEq, Eq)]
pub struct CertifiedKey {
    pub(crate) certificate: Vec<u8>,
    pub(crate) private: Vec<u8>,
}

impl fmt::Debug for CertifiedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertifiedKey(…)")
    }
}

impl CertifiedKey {
    /// The key in the file at `path`, which is made, with the directories above it, if there is none. The certificate is
    /// made anew each time; only the key counts.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn open_or_make(path: &Path) -> Result<(CertifiedKey, Fingerprint), KeyError> {
        let text = match read_secret(path) {
            Err(KeyError::System(_, error)) if error.kind() == ErrorKind::NotFound => {
                make_key(path)?;
                read_secret(path)?
            }
            read => read?,
        };
        let wrong = || KeyError::Content(path.to_owned(), "a private key in PEM (PKCS #8)");
        let text = std::str::from_utf8(&text).map_err(|_| wrong())?;
        let pair = KeyPair::from_pem(text).map_err(|_| wrong())?;
        let fingerprint = Fingerprint::of(&pair.subject_public_key_info());
        Ok((certified(&pair)?, fingerprint))
    }

    /// A key that is nowhere else, for clients and tests that need no other.
    ///
    /// # Errors
    /// [`KeyError::Unusable`].
    pub fn generate() -> Result<(CertifiedKey, Fingerprint), KeyError> {
        let pair = KeyPair::generate_for(&PKCS_ED25519).map_err(unusable)?;
        let fingerprint = Fingerprint::of(&pair.subject_public_key_info());
        Ok((certified(&pair)?, fingerprint))
    }

    /// The key and certificate in these files, which belong together.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn read(certificate: &Path, key: &Path) -> Result<CertifiedKey, KeyError> {
        let private = PrivateKeyDer::from_pem_slice(&read_secret(key)?)
            .map_err(|_| KeyError::Content(key.to_owned(), "a private key in PEM"))?;
        let wrapped = read_certificate(certificate)?;
        let chain = vec![CertificateDer::from(wrapped.clone())];
        let signing = rustls::crypto::ring::sign::any_supported_type(&private)
            .map_err(|_| KeyError::Content(key.to_owned(), "a private key of a kind that TLS takes"))?;
        match rustls::sign::CertifiedKey::new(chain, signing).keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
            Err(rustls::Error::InconsistentKeys(_)) => {
                return Err(KeyError::Mismatch(certificate.to_owned(), key.to_owned()));
            }
            Err(_) => {
                return Err(KeyError::Content(
                    certificate.to_owned(),
                    "an X.509 certificate that can be read",
                ));
            }
        }
        Ok(CertifiedKey { certificate: wrapped, private: private.secret_der().to_vec() })
    }
}

/// The fingerprint of the key of the certificate in the file at `path`, as a server's list of admitted keys has it.
///
/// # Errors
/// [`KeyError`].
pub fn fingerprint_of_certificate(path: &Path) -> Result<Fingerprint, KeyError> {
    let der = CertificateDer::from(read_certificate(path)?);
    let certificate = webpki::EndEntityCert::try_from(&der)
        .map_err(|_| KeyError::Content(path.to_owned(), "an X.509 certificate that can be read"))?;
    Ok(Fingerprint::of(certificate.subject_public_key_info().as_ref()))
}

fn read_certificate(path: &Path) -> Result<Vec<u8>, KeyError> {
    let text = read_file(path, |_| Ok(()))?;
    let certificate = CertificateDer::from_pem_slice(&text)
        .map_err(|_| KeyError::Content(path.to_owned(), "a certificate in PEM"))?;
    Ok(certificate.to_vec())
}

fn certified(pair: &KeyPair) -> Result<CertifiedKey, KeyError> {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "carnet");
    let certificate = params.self_signed(pair).map_err(unusable)?;
    Ok(CertifiedKey { certificate: certificate.der().to_vec(), private: pair.serialize_der() })
}

fn unusable(error: rcgen::Error) -> KeyError {
    KeyError::Unusable(error.to_string())
}

/// Makes the file with a new key, unless another process did meanwhile. It is whole from the moment that it has its
/// name, and nobody else could ever read it.
fn make_key(path: &Path) -> Result<(), KeyError> {
    let system = |error| KeyError::System(path.to_owned(), error);
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(system)?;
    }
    let pair = KeyPair::generate_for(&PKCS_ED25519).map_err(unusable)?;
    let draft = path.with_extension(format!("new-{}", std::process::id()));
    let written = write_secret(&draft, pair.serialize_pem().as_bytes());
    let linked = written.and_then(|()| match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    let removed = fs::remove_file(&draft);
    linked.and(removed).map_err(system)
}

/// Writes a file that did not exist and that only its owner can read.
///
/// # Errors
/// The system's.
pub fn write_secret(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Reads a file that only its owner may be able to read.
fn read_secret(path: &Path) -> Result<Vec<u8>, KeyError> {
    read_file(path, |file| {
        let found = file.metadata().map_err(|error| KeyError::System(path.to_owned(), error))?;
        if found.uid() != rustix::process::geteuid().as_raw() && found.uid() != 0 {
            return Err(KeyError::NotOurs(path.to_owned()));
        }
        match found.mode() & 0o777 {
            mode if mode & 0o077 == 0 => Ok(()),
            mode => Err(KeyError::Readable(path.to_owned(), mode)),
        }
    })
}

fn read_file(path: &Path, check: impl FnOnce(&File) -> Result<(), KeyError>) -> Result<Vec<u8>, KeyError> {
    let system = |error| KeyError::System(path.to_owned(), error);
    let file = open_regular(path).map_err(system)?;
    check(&file)?;
    let mut content = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut content).map_err(system)?;
    if content.len() as u64 > FILE_BYTES_MAX {
        return Err(KeyError::Content(path.to_owned(), "at most 64 KiB"));
    }
    Ok(content)
}

/// A secret by which a server knows a client. The server itself has only its hash.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Arc<[u8]>);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A new one, of 256 random bits.
    ///
    /// # Errors
    /// The system's.
    pub fn generate() -> std::io::Result<Token> {
        let mut random = [0; 32];
        let mut filled = 0;
        while filled < random.len() {
            filled += getrandom(&mut random[filled..], GetRandomFlags::empty())?;
        }
        Ok(Token(format!("{TOKEN_START}{}", Fingerprint(random)).into_bytes().into()))
    }

    /// The one in the file at `path`: its only line.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn read(path: &Path) -> Result<Token, KeyError> {
        let content = read_secret(path)?;
        Token::parse(content.trim_ascii()).ok_or_else(|| {
            KeyError::Content(path.to_owned(), "a token: one line, as `carnet token new` printed it")
        })
    }

    /// These bytes, if they can be a token.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Token> {
        let may_be =
            !bytes.is_empty() && bytes.len() <= TOKEN_BYTES_MAX && bytes.iter().all(u8::is_ascii_graphic);
        may_be.then(|| Token(bytes.into()))
    }

    /// What a server keeps of it.
    #[must_use]
    pub fn hash(&self) -> Fingerprint {
        Fingerprint::of(&self.0)
    }

    /// The secret itself.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

/// How a client proves who it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Credentials {
    /// Not at all; enough where the system says who it is.
    #[default]
    None,
    /// By a token.
    Token(Token),
    /// By a key that the server admits.
    Key(CertifiedKey),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_key_is_made_once_and_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a/b/server.key");
        let (_, first) = CertifiedKey::open_or_make(&path).unwrap();
        let (_, second) = CertifiedKey::open_or_make(&path).unwrap();
        assert_eq!(first, second);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn servers_that_start_at_once_have_one_key() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("server.key");
        make_key(&path).unwrap();
        let first = fs::read(&path).unwrap();
        make_key(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), first);
    }

    #[test]
    fn what_others_can_read_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("server.key");
        CertifiedKey::open_or_make(&path).unwrap();
        for mode in [0o640, 0o604, 0o620, 0o601] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let refused = CertifiedKey::open_or_make(&path).unwrap_err();
            assert!(matches!(refused, KeyError::Readable(_, found) if found == mode), "{refused}");
        }
    }

    #[test]
    fn what_is_no_key_is_named_so() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("server.key");
        for content in
            [&b""[..], b"key", b"\xff\xfe", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
        {
            let _ = fs::remove_file(&path);
            write_secret(&path, content).unwrap();
            let refused = CertifiedKey::open_or_make(&path).unwrap_err();
            assert!(matches!(refused, KeyError::Content(..)), "{refused}");
        }
        let long = vec![b'x'; 65 << 10];
        fs::write(&path, long).unwrap();
        assert!(matches!(CertifiedKey::open_or_make(&path), Err(KeyError::Content(_, "at most 64 KiB"))));
    }

    #[test]
    fn tokens() {
        let token = Token::generate().unwrap();
        assert_ne!(token, Token::generate().unwrap());
        assert_eq!(token.expose().len(), TOKEN_START.len() + 64);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("token");
        write_secret(&path, &[token.expose(), b"\n"].concat()).unwrap();
        assert_eq!(Token::read(&path).unwrap(), token);
        assert_eq!(format!("{token:?}{:?}", Credentials::Token(token.clone())), "Token(…)Token(Token(…))");
        for bad in [&b""[..], b"two words", b"two\nlines", b"\x1b[2J", &[b'x'; TOKEN_BYTES_MAX + 1]] {
            assert_eq!(Token::parse(bad), None);
        }
    }
}
