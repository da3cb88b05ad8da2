//! One process takes no more sessions than one may, and others have theirs. The other is this test again, told to connect; or told to
//! serve, in a PID namespace of its own, where processes outside have no number.

mod support;

use std::io::{BufRead as _, BufReader, Read as _, stdin};
use std::process::{Child, Command, Stdio};

use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::ServerOptions;
use support::process::{Again, WORDS, stop_here, words};
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

const SHARES: &str = "one_process_shares_no_more_memory_than_one_may";

/// The rest is for others of its user.
#[test]
fn one_process_shares_no_more_memory_than_one_may() {
    let connect = |path: String| {
        let session = RemoteSession::connect(&Address::Shared(path.into()), ConnectOptions::default());
        BoxClient(session.unwrap().root())
    };
    if let Some(words) = words() {
        assert_eq!(connect(words[0].clone()).add(1, 2), Ok(3));
        return stop_here();
    }
    let bytes = carnet_queue::layout::memory_bytes(256 << 10).unwrap();
    let mut options = ServerOptions::default();
    (options.limits.shared_session_bytes_max, options.limits.shared_bytes_max) = (bytes, 4 * bytes);
    let fixture = Fixture::new(options);
    let path = fixture.path().display().to_string();
    let clients = [connect(path.clone()), connect(path.clone())];
    clients.iter().for_each(|client| assert_eq!(client.add(1, 2), Ok(3)));
    let refused = || connect(path.clone()).add(1, 2).unwrap_err().details().message.clone();
    assert_eq!(refused(), format!("this process shares {} bytes of memory, as many as it may", 2 * bytes));
    let other = Again::stopped(SHARES, std::slice::from_ref(&path));
    drop(clients);
    until("there is room again", || connect(path.clone()).add(1, 2) == Ok(3));
    other.go_on();
}

const CONTAINED: &str = "a_server_in_a_container_admits_those_outside";

/// What a server in a container says before its address.
const AT: &str = "it serves at ";

/// Where a container forbids namespaces of users, its root may still have others.
const NAMESPACES: [&[&str]; 2] = [&["--user", "--map-root-user", "--pid"], &["--pid"]];

#[test]
fn a_server_in_a_container_admits_those_outside() {
    if words().is_some() {
        return serve_contained();
    }
    let Some((mut server, path)) = contained() else { return };
    let address = Address::Unix(path.clone().into());
    let connect = || BoxClient(RemoteSession::connect(&address, ConnectOptions::default()).unwrap().root());
    let mine = connect();
    assert_eq!(mine.add(1, 2), Ok(3));
    let other = Again::stopped(TEST, &[path]);
    // Nobody in there knows that these are two processes.
    let failure = connect().add(1, 2).unwrap_err();
    assert_eq!(failure.kind(), Kind::Refused);
    let message = &failure.details().message;
    assert!(message.starts_with("the processes of "), "{message}");
    assert!(
        message.ends_with(
            " that this server cannot see have 2 sessions, as many as one process may; end one first"
        ),
        "{message}"
    );
    other.go_on();
    until("there is room again", || connect().add(1, 2) == Ok(3));
    drop(server.stdin.take());
    assert!(server.wait().unwrap().success());
}

/// The server's side: with a client of its own, whose process it sees, so that its sessions count apart.
fn serve_contained() {
    assert_eq!(std::process::id(), 1, "this is a namespace of its own");
    let mut options = ServerOptions::default();
    options.limits.sessions_per_process_max = 2;
    let fixture = Fixture::new(options);
    let clients = [fixture.client(), fixture.client()];
    clients.iter().for_each(|client| assert_eq!(client.add(1, 2), Ok(3)));
    println!("{AT}{}", fixture.path().display());
    assert_eq!(stdin().read(&mut [0]).unwrap(), 0);
}

/// A server in a PID namespace of its own, and where it is, if the kernel lets us have one.
fn contained() -> Option<(Child, String)> {
    let mut reasons = String::new();
    for namespace in NAMESPACES {
        let mut command = Command::new("unshare");
        command.args(namespace).args(["--fork", "--kill-child"]).arg(std::env::current_exe().unwrap());
        command.args([CONTAINED, "--exact", "--nocapture"]).env(WORDS, "serve");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("there is a program `unshare`");
        let said = BufReader::new(server.stdout.as_mut().unwrap());
        let path = said.lines().find_map(|line| Some(line.unwrap().split_once(AT)?.1.to_owned()));
        if let Some(path) = path {
            return Some((server, path));
        }
        let ended = server.wait_with_output().unwrap();
        let reason = String::from_utf8_lossy(&ended.stderr);
        assert_ne!(ended.status.code(), Some(101), "{reason}");
        reasons += &reason;
    }
    eprintln!("skipped: no PID namespace here: {reasons}");
    None
}
