//! Clients and servers that speak different versions of the protocol for programs: each is told so.

use std::sync::Arc;

use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind};
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::session::Session;
use carnet_program::client::Client;
use carnet_program::host::Policy;
use carnet_program::protocol::RunId;

use super::probe::{Fixture, program};
use super::{COUNT, request};

#[test]
fn a_client_of_another_version_is_told() {
    let fixture = Fixture::new(Policy::default());
    let client = fixture.client();
    for (kind, version) in (16..=24).map(|kind| (kind, 1)).chain([(41, 2), (64, 4), (126, 7)]) {
        let failure = client.transport().control(kind, &[0; 16], &[], &mut |_| {}).expect_err("none of ours");
        let expected = format!(
            "no such request about programs: the client speaks version {version} of the protocol for programs, and the server \
             version 3; the older one is to be replaced"
        );
        assert_eq!((failure.kind(), &failure.details().message), (Kind::Protocol, &expected));
    }
    let failure = client.transport().control(63, &[], &[], &mut |_| {}).expect_err("none of ours");
    assert_eq!(failure.details().message, "no such request about programs");
    assert!(!client.cancel(RunId(1)).expect("the session goes on"));
}

/// Knows the requests of version 1, and says this of all others.
struct First;

impl EntryPoint for First {
    fn handle(&self, request: EntryRequest<'_>) {
        match request.kind {
            16..=24 => request.responder.reply(&[0], Vec::new()),
            _ => {
                let failure = Failure::new(Kind::Protocol, "no such request about programs");
                request.responder.fail(&failure);
            }
        }
    }

    fn closed(&self, _: &Session) {}
}

#[test]
fn a_server_of_another_version_is_told_of() {
    let dir = tempfile::tempdir().expect("there is room");
    let address = Address::Unix(dir.path().join("s"));
    let root = Fixture::new(Policy::default()).root();
    let options = ServerOptions { entry: Some(Arc::new(First)), ..ServerOptions::default() };
    let _server = Server::listen(&address, options, move |_| Ok(root.clone())).expect("it listens");
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("the server is there");
    let client = Client::new(session);
    let bytes = program(COUNT);
    let request = request(1, &bytes, Vec::new());
    let failures = [
        client.run(&request, &[]).map(drop),
        client.bill(&request).map(drop),
        client.ask(RunId(1)).map(drop),
        client.status().map(drop),
        client.runs().map(drop),
        client.installed().map(drop),
        client.cancel(RunId(1)).map(drop),
        client.services().map(drop),
    ];
    for failure in failures {
        let failure = failure.expect_err("it is another version");
        assert_eq!(
            failure.details().message,
            "the server does not speak version 3 of the protocol for programs, as this client does; the older one is to be \
             replaced"
        );
    }
}
