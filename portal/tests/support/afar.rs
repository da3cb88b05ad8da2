//! Servers over TLS, and clients of them that are not ours.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use carnet_portal::address::{Address, Place};
use carnet_portal::admission::AdmissionFiles;
use carnet_portal::door::{Door, DoorLimits};
use carnet_portal::identity::{CertifiedKey, Credentials, Token};
use carnet_portal::wire::{CALL_SESSION, kind};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned};

use super::raw;

/// A connection to a server whose key is not looked at.
pub type Stream = StreamOwned<ClientConnection, TcpStream>;

/// A port of the system's choice, on this machine only.
pub fn anywhere() -> Address {
    Address::Tcp(Place { host: "127.0.0.1".to_owned(), port: 0 })
}

/// Room for tests that do not ask how much there is.
pub fn many() -> DoorLimits {
    DoorLimits {
        strangers_max: 256,
        strangers_per_address_max: 256,
        sessions_per_address_max: 256,
        ..DoorLimits::default()
    }
}

/// A door with a key and one token, which is `alice`'s.
pub fn door(directory: &Path, limits: DoorLimits) -> (Door, Credentials) {
    let token = Token::generate().unwrap();
    let tokens = directory.join("tokens");
    fs::write(&tokens, format!("alice {}\n", token.hash())).unwrap();
    let admission = AdmissionFiles::new(Some(tokens), None);
    let key = CertifiedKey::open_or_make(&directory.join("server.key")).unwrap();
    (Door::new(&key, Arc::new(admission), limits).unwrap(), Credentials::Token(token))
}

/// Host and port of an address.
pub fn place(address: &Address) -> (String, u16) {
    match address {
        Address::Tcp(place) | Address::Carnet(place, _) => (place.host.clone(), place.port),
        Address::Unix(_) | Address::Shared(_) => panic!("not an address of TCP"),
    }
}

/// A bare connection.
pub fn tcp(address: &Address) -> TcpStream {
    let (host, port) = place(address);
    let stream = TcpStream::connect((host.as_str(), port)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// A frame with a token.
pub fn token_frame(credentials: &Credentials) -> Vec<u8> {
    match credentials {
        Credentials::Token(token) => raw::frame(kind::TOKEN, &[], 0, 0, CALL_SESSION, token.expose()),
        _ => panic!("no token"),
    }
}

/// Before the handshake, and nothing said yet.
pub fn connect(address: &Address, protocols: &[&[u8]]) -> Stream {
    over(tcp(address), protocols)
}

/// The same over a bare connection.
pub fn over(connection: TcpStream, protocols: &[&[u8]]) -> Stream {
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Anybody))
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let name = ServerName::try_from("example.org").unwrap();
    StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), connection)
}

/// After the token.
pub fn connect_as(address: &Address, credentials: &Credentials) -> Stream {
    let mut stream = connect(address, &[b"carnet/1"]);
    stream.write_all(&token_frame(credentials)).unwrap();
    stream
}

#[derive(Debug)]
struct Anybody;

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        default_provider().signature_verification_algorithms.supported_schemes()
    }
}
