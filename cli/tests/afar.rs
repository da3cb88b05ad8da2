//! Serving over TCP: what the command says, and that all of it works as over a Unix socket.

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use carnet_portal::address::Address;
use carnet_portal::call::Kind;
use carnet_portal::identity::{Credentials, Token};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use rustix::process::Signal;
use support::{Place, ended, golden, rest, signal};

/// A server on a port of its own with one token, and what it printed; the variables for clients are set.
fn served(place: &mut Place, name: &str) -> String {
    let made = place.carnet(&["token", "new", name, "--tokens", "tokens", "--output", "my.token"]);
    assert!(made.status.success(), "{made:?}");
    let line = place.serve(&[
        "serve",
        "files",
        "./data",
        "--listen",
        "tcp://127.0.0.1:0",
        "--listen",
        "unix:./c.sock",
        "--tokens",
        "tokens",
    ]);
    let start = line.find("carnet://").expect("an address");
    let address = line[start..].split_whitespace().next().expect("an address").to_owned();
    place.export("CARNET_SERVER", &address);
    place.export("CARNET_TOKEN_FILE", "my.token");
    address
}

fn text(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr].concat()).expect("text")
}

#[test]
fn what_is_said_to_those_who_come_from_afar() {
    let mut place = Place::new();
    for (name, content, mode) in [
        ("wrong.token", "carnet-token-0\n", 0o600),
        ("open.token", "carnet-token-0\n", 0o644),
        ("empty.token", "", 0o600),
    ] {
        place.write(name, content.as_bytes());
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).expect("its mode");
    }
    golden(&mut place, "afar");
}

#[test]
fn a_run_is_the_same_principals_over_tcp_and_unix() {
    let mut place = Place::new();
    let user = text(&Command::new("id").arg("-un").output().expect("`id` runs"));
    served(&mut place, user.trim());
    let run = place.carnet(&["run", "disk_usage.carnet", "root=/", "--id", "both"]);
    assert!(run.status.success(), "{}", text(&run));
    place.export("CARNET_SERVER", "unix:./c.sock");
    let asked = place.carnet(&["status", "--run", "both"]);
    assert!(text(&asked).starts_with("done"), "{}", text(&asked));
    let again = place.carnet(&["run", "disk_usage.carnet", "root=/", "--id", "both"]);
    assert_eq!(again.stdout, run.stdout, "the stored outcome, receipt and all");
    assert!(text(&again).ends_with("this is its outcome, and nothing was begun\n"), "{}", text(&again));
}

/// Errors, faults and limits: the same words, exit codes and effects, however the server is reached.
#[test]
fn what_fails_or_stops_does_so_alike_over_each_transport() {
    let user = text(&Command::new("id").arg("-un").output().expect("`id` runs"));
    for server in [None, Some("unix:./c.sock"), Some("shm:./c.sock")] {
        let mut place = Place::new();
        // Over TCP, unless it is said otherwise.
        served(&mut place, user.trim());
        if let Some(server) = server {
            place.export("CARNET_SERVER", server);
        }
        golden(&mut place, "ends");
    }
}

#[test]
fn an_interrupt_cancels_the_run() {
    let mut place = Place::new();
    served(&mut place, "alice");
    let arguments = ["run", "forever.carnet", "root=/", "--trace"];
    let mut child = place
        .command(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut errors = child.stderr.take().expect("its errors");
    // The first line of the trace says that it runs.
    errors.read_exact(&mut [0; 1]).expect("a trace");
    signal(&child, Signal::INT);
    let said = rest(errors);
    assert_eq!(ended(&mut child), Some(4), "{said}");
    assert!(said.contains("cancel"), "{said}");
}

#[test]
fn another_key_is_made_for_another_server_and_stays_with_the_first() {
    let mut place = Place::new();
    let first = served(&mut place, "alice");
    signal(place.server(), Signal::TERM);
    assert_eq!(ended(place.server()), Some(0));
    let key = place.path("state/carnet/server.key");
    assert_eq!(fs::metadata(&key).expect("the key").permissions().mode() & 0o777, 0o600);
    let serve = |place: &mut Place, more: &[&str]| {
        let arguments =
            [&["serve", "files", "./data", "--listen", "tcp://127.0.0.1:0", "--tokens", "tokens"], more];
        place.serve(&arguments.concat())
    };
    let fingerprint = first.split_once('#').expect("a fingerprint").1;
    assert!(serve(&mut place, &[]).contains(fingerprint));
    assert!(!serve(&mut place, &["--key", "other.key"]).contains(fingerprint));
}

#[test]
fn a_client_certificate_says_who_calls() {
    let mut place = Place::new();
    // Not of the kind that we make ourselves.
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).expect("a key");
    let names = vec!["me.example".to_owned()];
    let certificate = rcgen::CertificateParams::new(names).and_then(|params| params.self_signed(&key));
    place.write("me.crt", certificate.expect("a certificate").pem().as_bytes());
    place.write("me.key", key.serialize_pem().as_bytes());
    fs::set_permissions(place.path("me.key"), fs::Permissions::from_mode(0o600)).expect("its mode");
    let fingerprint = text(&place.carnet(&["token", "fingerprint", "me.crt"]));
    place.write("keys", format!("carol {fingerprint}").as_bytes());
    let line =
        place.serve(&["serve", "files", "./data", "--listen", "tcp://127.0.0.1:0", "--client-keys", "keys"]);
    let start = line.find("carnet://").expect("an address");
    place.export("CARNET_SERVER", line[start..].trim());
    let status = place.carnet(&["status", "--client-cert", "me.crt", "--client-key", "me.key"]);
    assert!(status.status.success(), "{}", text(&status));
}

#[test]
fn what_does_not_speak_tls_is_named_so() {
    let mut place = Place::new();
    served(&mut place, "alice");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let _ = stream.read(&mut [0; 4096]);
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").expect("a client that reads");
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let address = format!("carnet://127.0.0.1:{port}#{}", "0".repeat(64));
    let output = place.carnet(&["describe", "--server", &address]);
    other.join().expect("it ends");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(
        text(&output),
        format!(
            "cannot reach {address}: what listens there does not speak TLS\nnothing was sent. Does the server run, \
             and is this the address that it printed?\n"
        )
    );
}

/// A server whose log can be read, and its address.
fn logging(place: &mut Place, more: &[&str]) -> (Child, String) {
    served(place, "alice");
    signal(place.server(), Signal::TERM);
    assert_eq!(ended(place.server()), Some(0));
    let arguments = ["serve", "files", "./data", "--listen", "tcp://127.0.0.1:0", "--tokens", "tokens"];
    let mut child = place
        .command(&[&arguments[..], more].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut line = String::new();
    let out = child.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let address = line[line.find("carnet://").expect("an address")..].trim().to_owned();
    place.export("CARNET_SERVER", &address);
    (child, address)
}

/// Whoever guesses tokens has the log say how often, not a line each time.
#[test]
fn many_refusals_are_counted_and_not_each_told() {
    const THREADS: usize = 4;
    const EACH: usize = 25;
    let mut place = Place::new();
    let (mut child, address) = logging(&mut place, &[]);
    let address: Address = address.parse().expect("an address");
    let wrong = Token::parse(format!("carnet-token-{}", "5".repeat(64)).as_bytes()).expect("a token");
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let (options, wrong) = (ConnectOptions::default(), Credentials::Token(wrong.clone()));
                    let session =
                        RemoteSession::connect_as(&address, options, &wrong).expect("it speaks TLS");
                    assert_eq!(session.describe().expect_err("a refusal").kind(), Kind::Refused);
                }
            });
        }
    });
    let seconds = begun.elapsed().as_secs() as usize + 1;
    let (mut told, mut counted, mut lines) = (0, 0, Vec::new());
    for line in BufReader::new(child.stderr.take().expect("its log")).lines() {
        let line = line.expect("text");
        match line.split_once("not told one by one more=") {
            Some((_, more)) => counted += more.trim().parse::<usize>().expect("a number"),
            None => told += usize::from(line.contains("does not know this token")),
        }
        lines.push(line);
        if told + counted == THREADS * EACH {
            break;
        }
    }
    assert_eq!(told + counted, THREADS * EACH, "{lines:?}");
    assert!(told <= 10 * (seconds + 1), "{told} lines in {seconds} s");
    signal(&child, Signal::TERM);
    assert_eq!(ended(&mut child), Some(0));
}

#[test]
fn nothing_secret_is_logged() {
    let mut place = Place::new();
    let (mut child, address) = logging(&mut place, &["--log", "trace"]);
    let wrong = format!("carnet-token-{}", "5".repeat(64));
    place.write("wrong.token", wrong.as_bytes());
    fs::set_permissions(place.path("wrong.token"), fs::Permissions::from_mode(0o600)).expect("its mode");
    assert!(place.carnet(&["describe"]).status.success());
    assert_eq!(place.carnet(&["describe", "--token-file", "wrong.token"]).status.code(), Some(6));
    let (_, place_of) = address.split_once("//").expect("a place");
    let mut stream = TcpStream::connect(place_of.split('#').next().expect("a place")).expect("a connection");
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("it takes it");
    let _ = stream.read_to_end(&mut Vec::new());
    signal(&child, Signal::TERM);
    let log = rest(child.stderr.take().expect("its log"));
    assert_eq!(ended(&mut child), Some(0));
    for said in ["principal=\"alice\"", "this server does not know this token", "it does not speak TLS"] {
        assert!(log.contains(said), "{said} in {log}");
    }
    let token = fs::read_to_string(place.path("my.token")).expect("the token");
    let key = fs::read_to_string(place.path("state/carnet/server.key")).expect("the key");
    let key = key.lines().nth(1).expect("its first line").to_owned();
    for secret in [token.trim(), token.trim().trim_start_matches("carnet-token-"), &wrong, &key] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[test]
fn a_certificate_of_another_key_is_told_before_anybody_is_asked() {
    let mut place = Place::new();
    served(&mut place, "alice");
    for name in ["one", "other"] {
        let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).expect("a key");
        let params = rcgen::CertificateParams::new(vec!["me.example".to_owned()]).expect("parameters");
        let certificate = params.self_signed(&key).expect("a certificate");
        place.write(&format!("{name}.crt"), certificate.pem().as_bytes());
        place.write(&format!("{name}.key"), key.serialize_pem().as_bytes());
        let path = place.path(&format!("{name}.key"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("its mode");
    }
    let status = place.carnet(&["status", "--client-cert", "one.crt", "--client-key", "other.key"]);
    assert_eq!(status.status.code(), Some(2), "{}", text(&status));
    let expected = "error: the certificate in one.crt is not that of the key in other.key\ngive the two that were made together\n";
    assert_eq!(text(&status), expected);
}

/// The policy says how many, and who is dropped is told that this may be why.
#[test]
fn strangers_from_one_address_are_as_many_as_the_policy_says() {
    let mut place = Place::new();
    place.write(
        "few.toml",
        b"[tcp]\nstrangers_per_address = 1\nsessions_per_address = 1\nstranger_for = \"1m\"\n[end]\n",
    );
    let made = place.carnet(&["token", "new", "alice", "--tokens", "tokens", "--output", "my.token"]);
    assert!(made.status.success(), "{}", text(&made));
    let serve =
        ["serve", "files", "./data", "--listen", "tcp://127.0.0.1:0", "--tokens", "tokens", "--key", "key"];
    let line = place.serve(&[&serve[..], &["--policy", "few.toml"]].concat());
    let address = line[line.find("carnet://").expect("an address")..].trim().to_owned();
    place.export("CARNET_SERVER", &address);
    place.export("CARNET_TOKEN_FILE", "my.token");
    assert!(place.carnet(&["describe"]).status.success());
    let to = address.trim_start_matches("carnet://").split('#').next().expect("a place").to_owned();
    let begun = std::time::Instant::now();
    // Until the server has taken the silent one in, it takes others; and once that one had a second, it leaves for them.
    let (silent, refused) = loop {
        let silent = TcpStream::connect(&to).expect("it listens");
        let refused = place.carnet(&["describe"]);
        if !refused.status.success() {
            break (silent, refused);
        }
        assert!(begun.elapsed() < support::PATIENCE, "all are let in");
    };
    assert_eq!(refused.status.code(), Some(7), "{}", text(&refused));
    assert!(
        text(&refused).contains("it may have as many connections from this address"),
        "{}",
        text(&refused)
    );
    drop(silent);
    while !place.carnet(&["describe"]).status.success() {
        assert!(begun.elapsed() < support::PATIENCE, "nobody is let in any more");
    }
    for (name, wrong, why) in [
        ("zero.toml", "strangers = 0", "0 is not between 1 and 16384"),
        ("typo.toml", "stranger = 1", "did you mean `strangers`?"),
    ] {
        place.write(name, format!("[tcp]\n{wrong}\n[end]\n").as_bytes());
        let refused = place.carnet(&[&serve[..], &["--policy", name]].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
        assert!(text(&refused).contains(why), "{}", text(&refused));
    }
}

/// Said as what it is, by servers and clients, and nobody is told to listen there.
#[test]
fn a_path_too_long_for_a_socket_is_told() {
    let place = Place::new();
    for kind in ["unix", "shm"] {
        let address = format!("{kind}:./{}", "x".repeat(120));
        for words in
            [&["describe", "--server", &address][..], &["serve", "files", "./data", "--listen", &address]]
        {
            let refused = place.carnet(words);
            assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
            let said = text(&refused);
            assert!(
                said.contains("too long for a socket: it has 122 bytes, and at most 107 can be"),
                "{said}"
            );
            assert!(!said.contains("carnet serve"), "{said}");
        }
    }
}

/// It is the Unix socket, by which clients share memory as well.
#[test]
fn a_server_listens_at_an_address_of_shared_memory() {
    let mut place = Place::new();
    assert!(place.serve(&["serve", "files", "./data", "--listen", "shm:./x.sock"]).contains("./x.sock"));
    for address in ["shm:./x.sock", "unix:./x.sock"] {
        let described = place.carnet(&["describe", "--server", address]);
        assert!(described.status.success(), "{}", text(&described));
    }
}
