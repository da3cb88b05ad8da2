//! Many connections: from one address, from several, and silent ones.

use super::*;

/// A connection from another address of this machine.
fn from(source: &str, address: &Address) -> TcpStream {
    let (host, port) = afar::place(address);
    let socket: OwnedFd =
        socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap();
    bind(&socket, &SocketAddr::new(source.parse().unwrap(), 0)).unwrap();
    connect(&socket, &SocketAddr::new(host.parse().unwrap(), port)).unwrap();
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

#[test]
fn a_flood_from_one_address_leaves_room_for_others() {
    let limits = DoorLimits {
        strangers_max: 8,
        strangers_per_address_max: 4,
        time_min: Duration::from_secs(600),
        time_max: Duration::from_secs(600),
        ..DoorLimits::default()
    };
    let server = Afar::new(limits);
    let mut flood: Vec<TcpStream> = (0..100).map(|_| from("127.0.0.2", &server.address)).collect();
    // The server takes them in order: the first four may stay, all others are dropped at once.
    for stream in &mut flood[4..] {
        rest(stream);
    }
    server.assert_well();
    let second: Vec<TcpStream> = (0..4).map(|_| from("127.0.0.3", &server.address)).collect();
    // There is no room left: of those from where most are, the first leaves for who comes from elsewhere.
    let newcomer = from("127.0.0.4", &server.address);
    rest(&mut flood[0]);
    until("another one left", || server.call_as(&server.credentials) == Ok(42));
    let waits = |mut stream: &TcpStream| {
        stream.set_nonblocking(true).unwrap();
        stream.read(&mut [0; 1]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };
    assert!(waits(&newcomer) && waits(&flood[3]) && waits(&second[3]), "the others wait still");
}

/// Behind one address there may be many: who says nothing there keeps out nobody who comes later, once it had its time.
#[test]
fn silent_connections_keep_nobody_out_behind_their_address() {
    let limits = DoorLimits {
        strangers_per_address_max: 4,
        time_min: Duration::ZERO,
        time_max: Duration::from_secs(600),
        ..DoorLimits::default()
    };
    let server = Afar::new(limits);
    let mut silent: Vec<TcpStream> = (0..4).map(|_| from("127.0.0.1", &server.address)).collect();
    until("the first one left", || server.call_as(&server.credentials) == Ok(42));
    rest(&mut silent[0]);
    server.assert_well();
}
