//! Data of replies that go to buffers of a client in Rust: the same, from the same servers, with the same lies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use carnet_portal::local::LocalSession;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::stub::CallError;
use carnet_portal::wire::kind;

use super::*;
use crate::support::{kind_of, until};

/// Buffers for what comes back of `several`.
#[derive(Default)]
struct Buffers {
    a: Vec<u8>,
    b: Vec<u8>,
    d: Vec<Pair>,
    e: Vec<Vec<u8>>,
}

impl Buffers {
    /// With room for so many bytes, and as many elements as there may be.
    fn of(bytes: usize) -> Buffers {
        let (a, b) = (Vec::with_capacity(bytes), Vec::with_capacity(bytes));
        Buffers { a, b, d: Vec::with_capacity(4000), e: Vec::with_capacity(1000) }
    }

    fn several(&mut self, source: &Source, len: i64, sent: &[u8]) -> Result<(i64, i64), Failure> {
        source.several_into(len, sent, &mut self.a, &mut self.b, &mut self.d, &mut self.e)
    }

    /// Where each begins, and how much it has room for.
    fn places(&self) -> [(usize, usize); 4] {
        [
            (self.a.as_ptr().addr(), self.a.capacity()),
            (self.b.as_ptr().addr(), self.b.capacity()),
            (self.d.as_ptr().addr(), self.d.capacity()),
            (self.e.as_ptr().addr(), self.e.capacity()),
        ]
    }
}

/// Element by element, those of lists that are as long as they may be.
fn pair_list(len: i64) -> Vec<Pair> {
    (0..len).map(|at| Pair { a: at, b: -at }).collect()
}

fn text_list(len: i64) -> Vec<Vec<u8>> {
    (0..len).map(|at| b"123456789"[..at as usize % 10].to_vec()).collect()
}

fn connect(address: &str, options: ConnectOptions) -> (Source, Arc<RemoteSession>) {
    let session = RemoteSession::connect(&address.parse().unwrap(), options).unwrap();
    (Source::from_portal(session.root()), session)
}

/// Each length into buffers that have room, and then what is shorter or longer.
fn each_length(source: &Source, is_elsewhere: bool) {
    for len in [0, 1, 7, 1000, 5000, 150_000] {
        let sent = bytes(len, 3);
        for room in [len, 0, len / 2, 200_000] {
            let mut buffers = Buffers::of(room as usize);
            let places = buffers.places();
            assert_eq!(buffers.several(source, len, &sent), Ok((len, -len)));
            assert!(buffers.a.iter().eq(sent.iter().rev()), "{len} bytes, room for {room}");
            assert!(buffers.b == vec![b'x'; len as usize], "{len} bytes, room for {room}");
            assert!(buffers.d == pair_list(len.min(4000)) && buffers.e == text_list(len.min(1000)));
            if is_elsewhere && room >= len {
                assert_eq!(buffers.places(), places, "{len} bytes, room for {room}");
            }
            let mut turned = sent.clone();
            let (_, b, _, d, e) = source.several(len, &mut turned).unwrap();
            assert!((turned, b) == (buffers.a, buffers.b) && (d, e) == (buffers.d, buffers.e));
        }
    }
    // What a buffer held before is gone.
    let mut buffers = Buffers::default();
    for len in [5000, 3, 20_000, 0] {
        assert_eq!(buffers.several(source, len, b"abc"), Ok((len, -len)));
        assert!(buffers.a == b"cba" && buffers.b.len() == len as usize);
        assert_eq!((buffers.d.len() as i64, buffers.e.len() as i64), (len.min(4000), len.min(1000)));
    }
}

fn others(source: &Source, is_elsewhere: bool) {
    let sent = bytes(1 << 20, 0);
    let mut back: Vec<u8> = Vec::with_capacity(1 << 20);
    let place = back.as_ptr().addr();
    source.turn_into(&sent, &mut back).unwrap();
    assert!(back.iter().eq(sent.iter().rev()));
    assert!(!is_elsewhere || back.as_ptr().addr() == place);
    let mut beside: Vec<u8> = Vec::with_capacity(70_000);
    let place = beside.as_ptr().addr();
    let card = source.card_into(70_000, &mut beside).unwrap();
    assert!(card == Card { name: b"a card".to_vec(), picture: bytes(70_000, 1) });
    assert!(beside == bytes(70_000, 0));
    assert!(!is_elsewhere || beside.as_ptr().addr() == place);
    let next = source.next_into(3000, &mut beside).unwrap();
    assert!(beside == bytes(3000, 0));
    next.bytes_into(9, &mut beside).unwrap();
    assert_eq!(beside, bytes(9, 0));
    assert!(matches!(source.text_into(-1, &mut beside), Err(CallError::Raised(_))));
}

fn all(source: &Source, is_elsewhere: bool) {
    each_length(source, is_elsewhere);
    others(source, is_elsewhere);
}

#[test]
fn data_land_where_a_client_in_rust_wants_them() {
    let elsewhere = |address: &str| all(&connect(address, ConnectOptions::default()).0, true);
    with_rust(elsewhere);
    with_c("landed_in_rust", elsewhere);
    let root = Capability::new(Source::serve(Data).into_object());
    all(&Source::from_portal(LocalSession::new(root, Caller::local()).root()), false);
}

/// What a call fails with before it is made leaves the memory of buffers with their owner.
#[test]
fn a_call_that_is_not_made_keeps_no_buffer() {
    with_rust(|address| {
        let (source, _) = connect(address, ConnectOptions::default());
        let mut buffers = Buffers::of(5000);
        let places = buffers.places();
        let failed = buffers.several(&source, 1, &vec![0; (1 << 20) + 1]);
        assert_eq!(kind_of(failed), Some(Kind::BadArgument));
        assert_eq!(buffers.places(), places);
    });
}

/// As in `c/landing.c`: of what was believed all is looked at.
fn called(source: &Source, name: &str, room: usize) -> Result<(), Failure> {
    let mut buffers = Buffers::of(room);
    match name {
        "bytes" | "wide" => {
            source.bytes_into(0, &mut buffers.a)?;
            assert!(buffers.a == bytes(buffers.a.len() as i64, 0));
        }
        "text" => match source.text_into(0, &mut buffers.b) {
            Ok(()) => assert!(buffers.b.iter().all(|letter| *letter == b'x')),
            Err(CallError::Failed(failure)) => return Err(failure),
            Err(CallError::Raised(raised)) => panic!("{raised}"),
        },
        "next" => {
            source.next_into(0, &mut buffers.a)?;
            assert!(buffers.a == bytes(1000, 0));
        }
        name => {
            assert_eq!(name, "several");
            buffers.several(source, 0, b"abc")?;
            assert!(buffers.d == pair_list(buffers.d.len() as i64));
        }
    }
    Ok(())
}

#[test]
fn a_client_in_rust_believes_no_lie_either() {
    for by in [By::Socket, By::Memory] {
        for room in [0, 1000, 100_000] {
            lied_to_in_rust(by, room, &lies());
        }
    }
}

fn lied_to_in_rust(by: By, room: usize, lies: &[Lie]) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let all = lies.to_vec();
    let server = std::thread::spawn(move || all.iter().for_each(|lie| say(by, &listener, lie)));
    for (at, lie) in lies.iter().enumerate() {
        let timeout = if let Then::SaysNothing(_) = lie.then { 100 } else { 20_000 };
        let (source, session) = connect(&address(by, &path), options(timeout));
        let found = called(&source, lie.name, room).map_err(|failure| failure.kind());
        assert_eq!(found, lie.outcome, "{by:?}, room for {room}, {at}: {}", lie.name);
        drop((source, session));
    }
    server.join().unwrap();
}

fn options(timeout_ms: u64) -> ConnectOptions {
    ConnectOptions { call_timeout: Some(Duration::from_millis(timeout_ms)), ..ConnectOptions::default() }
}

fn address(by: By, path: &Path) -> String {
    let [unix, shared] = ways(path);
    if let By::Socket = by { unix } else { shared }
}

/// A reply whose pieces are long, with lists between them and behind.
fn long() -> (Vec<u8>, Vec<u8>) {
    let data = bytes(100_000, 0);
    (several(&data, &vec![b'x'; 70_001], &pairs(500, 500), &texts(at(0, 1), b"1")), data)
}

/// Wherever it is cut, what comes behind the cut is what belongs there.
#[test]
fn pieces_arrive_whole_however_they_are_cut() {
    let (reply, data) = long();
    for by in [By::Socket, By::Memory] {
        let cuts =
            [64, 128, 1024, 1088, 20_032, 65_536, 100_032, 100_096, 100_992, 170_048, 170_112, 178_048];
        for room in [0, 200_000] {
            let lie = |cut| Lie { cuts: vec![cut], ..lie("several", reply.clone(), Ok(())) };
            let lies: Vec<Lie> = cuts.into_iter().map(lie).collect();
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("s");
            let listener = UnixListener::bind(&path).unwrap();
            let all = lies.clone();
            let server = std::thread::spawn(move || all.iter().for_each(|lie| say(by, &listener, lie)));
            for cut in cuts {
                let (source, _) = connect(&address(by, &path), options(20_000));
                let mut buffers = Buffers::of(room);
                assert_eq!(buffers.several(&source, 0, b"abc"), Ok((0, 0)), "{by:?}, cut at {cut}");
                assert!(buffers.a == data && buffers.b == vec![b'x'; 70_001], "{by:?}, cut at {cut}");
                assert!(buffers.d == pair_list(500) && buffers.e == [&b""[..], b"1"], "{by:?}, cut at {cut}");
            }
            server.join().unwrap();
        }
    }
}

/// The time of a call is over within its pieces. What came of them is not lost: the frame goes on behind it.
#[test]
fn the_rest_of_pieces_that_came_too_late_is_no_other_frame() {
    let (late, _) = long();
    for by in [By::Socket, By::Memory] {
        for sent in [1024, 2048, 65_536, 100_032, 100_096, 150_016, 170_048, 170_112, 175_040] {
            for room in [0, 200_000] {
                goes_on(by, &late, sent, room);
            }
        }
    }
}

fn goes_on(by: By, late: &[u8], sent: usize, room: usize) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut server = ByHand::accept(by, &listener);
            assert_eq!(server.call(), 1);
            server.send(&late[..sent]);
            until("the caller has given up", || is_over.load(SeqCst));
            server.send(&late[sent..]);
            let call = server.call();
            server.send(&[&reply(HEADER_BYTES + 9, call).encode()[..], &late[..9]].concat());
        });
        let (source, session) = connect(&address(by, &path), options(40));
        let mut buffers = Buffers::of(room);
        let failed = buffers.several(&source, 0, b"abc");
        is_over.store(true, SeqCst);
        assert_eq!(kind_of(failed), Some(Kind::TimedOut), "{by:?} after {sent}");
        let next = session.start_control(kind::ENTRY_FIRST, b"more", &[]).unwrap();
        assert_eq!(next.wait(&mut |_| {}).unwrap().data, late[..9], "{by:?} after {sent}");
    });
}
