//! What both sides insist on: TLS 1.3, this protocol, and keys instead of names.
//!
//! A certificate is only the wrapping of a key here: neither its issuer nor its names nor its dates are looked at. The
//! client compares the key with the one of its address, and the server looks it up in its list, after the handshake
//! has proved that the peer holds it. There are no tickets, no early data and no renegotiation (which TLS 1.3 does not
//! have), so that each connection proves it anew.

use std::sync::{Arc, Mutex};

use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::NoServerSessionStorage;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::version::TLS13;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, PeerIncompatible,
    SignatureScheme,
};

use crate::fingerprint::Fingerprint;
use crate::identity::{CertifiedKey, KeyError};
use crate::session::lock;

pub(crate) use rustls::ServerConfig;

/// The protocol inside, as TLS names it (RFC 7301).
pub(super) const PROTOCOL: &[u8] = b"carnet/1";

/// Fingerprint of a certificate's key.
pub(super) fn fingerprint(certificate: &CertificateDer<'_>) -> Option<Fingerprint> {
    let certificate = webpki::EndEntityCert::try_from(certificate).ok()?;
    Some(Fingerprint::of(certificate.subject_public_key_info().as_ref()))
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// What a server with this key insists on.
///
/// # Errors
/// [`KeyError::Unusable`].
pub(crate) fn server_config(key: &CertifiedKey) -> Result<Arc<ServerConfig>, KeyError> {
    let provider = provider();
    let algorithms = provider.signature_verification_algorithms;
    let config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .map(|builder| builder.with_client_cert_verifier(Arc::new(AnyKey { algorithms })))
        .and_then(|builder| builder.with_single_cert(chain(key), private(key)?));
    let mut config = config.map_err(|error| KeyError::Unusable(error.to_string()))?;
    config.alpn_protocols = vec![PROTOCOL.to_vec()];
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    config.max_early_data_size = 0;
    Ok(Arc::new(config))
}

/// What a client insists on that expects the server's key to be `expected`, and shows `key` if the server asks.
///
/// # Errors
/// [`KeyError::Unusable`].
pub(crate) fn client_config(
    expected: Fingerprint,
    key: Option<&CertifiedKey>,
) -> Result<(ClientConfig, Arc<Pinned>), KeyError> {
    let provider = provider();
    let algorithms = provider.signature_verification_algorithms;
    let pinned = Arc::new(Pinned { algorithms, expected, found: Mutex::default() });
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .map_err(|error| KeyError::Unusable(error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::<Pinned>::clone(&pinned));
    let mut config = match key {
        None => builder.with_no_client_auth(),
        Some(key) => private(key)
            .and_then(|private| builder.with_client_auth_cert(chain(key), private))
            .map_err(|error| KeyError::Unusable(error.to_string()))?,
    };
    config.alpn_protocols = vec![PROTOCOL.to_vec()];
    config.resumption = Resumption::disabled();
    // Names say nothing here; so none is told to whoever listens on the wire.
    config.enable_sni = false;
    Ok((config, pinned))
}

fn chain(key: &CertifiedKey) -> Vec<CertificateDer<'static>> {
    vec![CertificateDer::from(key.certificate.clone())]
}

fn private(key: &CertifiedKey) -> Result<PrivateKeyDer<'static>, Error> {
    PrivateKeyDer::try_from(key.private.clone()).map_err(|why| Error::General(why.to_owned()))
}

/// Any key whose holder is at the other end. Whether it is admitted is decided afterwards, with a message that says so.
#[derive(Debug)]
struct AnyKey {
    algorithms: WebPkiSupportedAlgorithms,
}

impl ClientCertVerifier for AnyKey {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        let readable = fingerprint(certificate).map(|_| ClientCertVerified::assertion());
        readable.ok_or(Error::InvalidCertificate(CertificateError::BadEncoding))
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::PeerIncompatible(PeerIncompatible::Tls13RequiredForQuic))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// One key, and no other.
#[derive(Debug)]
pub(crate) struct Pinned {
    algorithms: WebPkiSupportedAlgorithms,
    expected: Fingerprint,
    found: Mutex<Option<Fingerprint>>,
}

impl Pinned {
    /// The key that the server showed, if it was another.
    pub(crate) fn other(&self) -> Option<Fingerprint> {
        lock(&self.found).filter(|found| !found.matches(&self.expected))
    }

    /// The key that the server should have.
    pub(crate) fn expected(&self) -> Fingerprint {
        self.expected
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let found =
            fingerprint(certificate).ok_or(Error::InvalidCertificate(CertificateError::BadEncoding))?;
        *lock(&self.found) = Some(found);
        if found.matches(&self.expected) {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(Error::InvalidCertificate(CertificateError::UnknownIssuer))
        }
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::PeerIncompatible(PeerIncompatible::Tls13RequiredForQuic))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
