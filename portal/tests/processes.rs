//! One process takes no more sessions than one may, and others have theirs. The other is this test again, told to connect.

mod support;

use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::ServerOptions;
use support::process::{Again, stop_here, words};
use support::{BoxClient, Fixture, until};

const TEST: &str = "one_process_has_no_more_sessions_than_one_may";

#[test]
fn one_process_has_no_more_sessions_than_one_may() {
    if let Some(words) = words() {
        let address = Address::Unix(words[0].clone().into());
        let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
        assert_eq!(BoxClient(session.root()).add(1, 2), Ok(3));
        return stop_here();
    }
    let mut options = ServerOptions::default();
    assert!(options.limits.sessions_per_process_max < options.limits.sessions_per_principal_max);
    options.limits.sessions_per_process_max = 2;
    let fixture = Fixture::new(options);
    let clients = [fixture.client(), fixture.client()];
    clients.iter().for_each(|client| assert_eq!(client.add(1, 2), Ok(3)));
    let failure = fixture.client().add(1, 2).unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    assert_eq!(failure.details().message, "this process has 2 sessions, as many as one may; end one first");
    let other = Again::stopped(TEST, &[fixture.path().display().to_string()]);
    until("it has its session", || fixture.sessions() == 3);
    other.go_on();
    drop(clients);
    until("there is room again", || fixture.client().add(1, 2) == Ok(3));
}
