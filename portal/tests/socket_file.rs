//! The socket file of a server: private, replaced only if stale, removed only if it is ours.

mod support;

use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{ListenError, Server, ServerOptions};
use support::{BoxClient, Fixture, World};

#[test]
fn a_socket_file_is_private_and_only_a_stale_one_is_replaced() {
    let fixture = Fixture::plain();
    let path = fixture.path();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let listen = |path: &std::path::Path| {
        let world = World::new();
        let roots = move |_: &Caller| Ok(Capability::new(world.root()));
        Server::listen(&Address::Unix(path.to_owned()), ServerOptions::default(), roots)
    };
    assert!(matches!(listen(&path), Err(ListenError::InUse(_))));
    let stale = path.with_file_name("stale");
    drop(UnixListener::bind(&stale).unwrap());
    let server = listen(&stale).unwrap();
    let client =
        BoxClient(RemoteSession::connect(&server.address(), ConnectOptions::default()).unwrap().root());
    assert_eq!(client.add(1, 2).unwrap(), 3);
    let file = path.with_file_name("file");
    std::fs::write(&file, "precious").unwrap();
    let error = listen(&file).unwrap_err();
    assert!(error.to_string().contains("exists and is not a socket"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), b"precious");
    let long = path.with_file_name("x".repeat(120));
    assert!(matches!(listen(&long), Err(ListenError::TooLong(_))));
    assert!(matches!(listen(&path.with_file_name("no/such")), Err(ListenError::System(..))));
}

#[test]
fn another_servers_socket_file_is_not_removed() {
    let mut fixture = Fixture::plain();
    std::fs::remove_file(fixture.path()).unwrap();
    let other = UnixListener::bind(fixture.path()).unwrap();
    let server = fixture.server.take().unwrap();
    server.shutdown(Instant::now() + Duration::from_secs(20));
    assert!(fixture.path().exists());
    drop(other);
}
