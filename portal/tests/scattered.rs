//! Long data of a reply, which go straight to the caller's buffer: however they are cut, whatever is said of them, and if
//! they stop half way.

mod support;

use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::call::{Failure, Kind, Ref};
use carnet_portal::portal::{PortalId, Transport};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::wire::{HEADER_BYTES, Reply, kind};
use support::by_hand::{By, ByHand, reply};
use support::{BoxClient, data, kind_of, number, op, until};

/// Bytes before the data of an answer.
const HEAD: usize = HEADER_BYTES + 8;

/// The answer of `echo` whose result word is `word`, with these data.
fn answer(call: u32, word: u64, data: &[u8]) -> Vec<u8> {
    [&reply(HEAD + data.len(), call).encode()[..], &word.to_le_bytes(), data].concat()
}

fn word(offset: usize, len: usize) -> u64 {
    Ref::new(0, offset, len).unwrap().0
}

/// What `caller` says of a server that does what `serve` says.
fn with<T>(
    by: By,
    options: ConnectOptions,
    serve: impl FnOnce(&mut ByHand) + Send,
    caller: impl FnOnce(&Arc<RemoteSession>, &BoxClient) -> T,
) -> T {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    std::thread::scope(|scope| {
        let server = scope.spawn(|| {
            let mut server = ByHand::accept(by, &listener);
            serve(&mut server);
        });
        let session = RemoteSession::connect(&address(by, &path), options).unwrap();
        let said = caller(&session, &BoxClient(session.root()));
        server.join().unwrap();
        said
    })
}

fn address(by: By, path: &Path) -> Address {
    match by {
        By::Socket => Address::Unix(path.to_owned()),
        By::Memory => Address::Shared(path.to_owned()),
    }
}

/// What a caller of `echo` gets whose answer is made by `made` and sent in two pieces.
fn echoed(by: By, cut: usize, made: impl FnOnce(u32) -> Vec<u8> + Send) -> Result<Vec<u8>, Failure> {
    let serve = |server: &mut ByHand| {
        let call = server.call();
        let frame = made(call);
        let (first, second) = frame.split_at(cut.min(frame.len()));
        server.send(first);
        server.send(second);
    };
    with(by, ConnectOptions::default(), serve, |_, client| client.echo(b"more"))
}

#[test]
fn data_arrive_whole_however_they_are_cut() {
    for len in [0, 1000, 1001, 5000, 70_001, 1 << 20] {
        let data = data(len);
        for cut in [HEADER_BYTES, HEAD - 1, HEAD, HEAD + 1, HEAD + 900, 4096, 65_536 + 3] {
            let back = echoed(By::Socket, cut, |call| answer(call, word(0, len), &data));
            assert!(back.unwrap() == data, "{len} bytes, cut after {cut}");
        }
        // Through memory a frame is cut at lines.
        for cut in [64, 1024, 4096, 16_384] {
            let back = echoed(By::Memory, cut, |call| answer(call, word(0, len), &data));
            assert!(back.unwrap() == data, "{len} bytes, cut after {cut}");
        }
    }
}

/// Memory that held a long answer is likely to hold another one: less of it is received before its place is known.
#[test]
fn memory_that_held_a_long_answer_takes_any_other() {
    // Behind 24 bytes of head, 40 fill a line of the ring.
    const LENGTHS: [usize; 10] = [5000, 0, 7, 40, 41, 1000, 1001, 4096, 70_001, 1];
    let text = "why ".repeat(100);
    for by in [By::Socket, By::Memory] {
        let serve = |server: &mut ByHand| {
            for len in LENGTHS {
                let call = server.call();
                server.send(&answer(call, word(0, len), &data(len)));
            }
            let call = server.call();
            let failed = Reply { status: Kind::Service as u16, ..reply(HEADER_BYTES + text.len(), call) };
            server.send(&[&failed.encode()[..], text.as_bytes()].concat());
        };
        // All are asked for before any is looked at: the server waits for each.
        let mut answers = with(by, ConnectOptions::default(), serve, |session, _| {
            let mut back = Vec::with_capacity(8192);
            let mut ask = |_| {
                back.clear();
                let done = session.short(PortalId::ROOT, number(op::ECHO), &mut [0; 6], b"more", &mut back);
                done.unwrap().map(|()| back.clone())
            };
            (0..=LENGTHS.len()).map(&mut ask).collect::<Vec<_>>()
        });
        let failure = answers.pop().unwrap().unwrap_err();
        assert_eq!((failure.kind(), &*failure.details().message), (Kind::Service, &*text));
        for (answer, len) in answers.into_iter().zip(LENGTHS) {
            assert!(answer.unwrap() == data(len), "{by:?}, {len} bytes");
        }
    }
}

#[test]
fn data_that_do_not_end_the_frame_are_found_where_they_are() {
    for by in [By::Socket, By::Memory] {
        let data = data(80_000);
        let back = echoed(by, 8192, |call| answer(call, word(8, 79_000), &data));
        assert!(back.unwrap() == data[8..79_008]);
        let at_the_end = echoed(by, 8192, |call| answer(call, word(1000, 79_000), &data));
        assert!(at_the_end.unwrap() == data[1000..]);
    }
}

#[test]
fn what_is_wrong_with_long_data_is_the_servers_fault() {
    let too_long = (1 << 20) + 1;
    for by in [By::Socket, By::Memory] {
        for (word, len) in [
            (word(0, 80_001), 80_000),
            (word(80_001, 0), 80_000),
            (word(79_999, 2), 80_000),
            (word(0, 80_000) | 1 << 63, 80_000),
            (word(0, too_long), too_long),
        ] {
            let data = data(len);
            let failure = echoed(by, 8192, |call| answer(call, word, &data)).unwrap_err();
            assert_eq!(failure.kind(), Kind::Protocol, "{word:x}");
        }
    }
}

#[test]
fn a_server_that_dies_within_the_data_is_noticed() {
    for by in [By::Socket, By::Memory] {
        for sent in [HEADER_BYTES + 48, 4096, 65_536] {
            let data = data(100_000);
            let serve = |server: &mut ByHand| {
                let call = server.call();
                server.send(&answer(call, word(0, data.len()), &data)[..sent]);
                server.memory.as_ref().inspect(|end| end.hang_up());
            };
            let back = with(by, ConnectOptions::default(), serve, |_, client| client.echo(b"more"));
            assert_eq!(kind_of(back), Some(Kind::PeerDied), "{by:?} after {sent}");
        }
    }
}

/// The time of a call is over in the middle of its data. What came of them is not lost: the frame goes on behind it.
#[test]
fn the_rest_of_what_came_too_late_is_no_other_frame() {
    for by in [By::Socket, By::Memory] {
        for sent in [2048, 4096, 65_536] {
            let (data, has_come, is_over) = (data(100_000), AtomicBool::new(false), AtomicBool::new(false));
            let serve = |server: &mut ByHand| {
                let call = server.call();
                has_come.store(true, SeqCst);
                let late = answer(call, word(0, data.len()), &data);
                server.send(&late[..sent]);
                until("the caller has given up", || is_over.load(SeqCst));
                server.send(&late[sent..]);
                let call = server.call();
                server.send(&[&reply(HEADER_BYTES + 9, call).encode()[..], &data[..9]].concat());
            };
            let timeout = Some(Duration::from_millis(40));
            let options = ConnectOptions { call_timeout: timeout, ..ConnectOptions::default() };
            let (late, next) = with(by, options, serve, |session, client| {
                let late = client.echo(b"more");
                until("the server has the call", || has_come.load(SeqCst));
                is_over.store(true, SeqCst);
                // This one may take as long as it will.
                let next = session.start_control(kind::ENTRY_FIRST, b"more", &[]).unwrap();
                (late, next.wait(&mut |_| {}))
            });
            assert_eq!(kind_of(late), Some(Kind::TimedOut), "{by:?} after {sent}");
            assert_eq!(next.unwrap().data, data[..9]);
        }
    }
}
