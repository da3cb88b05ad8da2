//! Data of replies that go straight to buffers of a client, in C and in Rust: one, several, lists; from servers in Rust and in C, and
//! what servers by hand lie of them. The programs in C count copies, and hold the edges of their buffers against what was there.

mod support;

use std::io::Read as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{BytesOut, Served};
use carnet_portal::wire::{HEADER_BYTES, Reply, Request, kind, portal_bytes};
use landing::*;
use server_in_c::ServerInC;
use support::by_hand::{By, ByHand, reply};

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;

#[path = "landing/in_rust.rs"]
mod in_rust;

mod landing {
    include!("../../idl/tests/cases/modules/landing.rs");
}

/// What each program is built with, so that copies are counted.
const WRAPPED: &str = "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=recv,--wrap=recvmsg";

fn clients(whose: &str, options: &[&str]) -> Vec<PathBuf> {
    in_c::built(whose, module(), &["landing", "landing_server"], &[&[WRAPPED], options].concat())
}

fn bytes(len: i64, first: i64) -> Vec<u8> {
    (first..first + len).map(|at| (at % 251) as u8).collect()
}

/// As `c/landing_server.c`.
struct Data;

impl SourceService for Data {
    fn bytes(&self, _: &Caller, len: i64, result: &mut BytesOut<'_>) -> Result<(), Failure> {
        assert!(result.extend(&bytes(len, 0)));
        Ok(())
    }

    fn text(&self, _: &Caller, len: i64, result: &mut BytesOut<'_>) -> Result<(), Refused> {
        let len = usize::try_from(len).map_err(|_| Refused::new(Why::Asked, "fewer than none"))?;
        assert!(result.extend(&vec![b'x'; len]));
        Ok(())
    }

    fn turn(&self, _: &Caller, a: &mut Vec<u8>) -> Result<(), Failure> {
        a.reverse();
        Ok(())
    }

    fn several(
        &self,
        _: &Caller,
        len: i64,
        a: &mut Vec<u8>,
        b: &mut BytesOut<'_>,
        d: &mut PairList<'_>,
        e: &mut String9List<'_>,
    ) -> Result<(i64, i64), Failure> {
        a.reverse();
        assert!(b.extend(&vec![b'x'; len as usize]));
        assert!((0..len.min(4000)).all(|at| d.push(at, -at)));
        assert!((0..len.min(1000)).all(|at| e.push(&b"123456789"[..at as usize % 10])));
        Ok((len, -len))
    }

    fn card(&self, _: &Caller, len: i64, beside: &mut BytesOut<'_>) -> Result<Card, Failure> {
        assert!(beside.extend(&bytes(len, 0)));
        Ok(Card { name: b"a card".to_vec(), picture: bytes(len, 1) })
    }

    fn next(&self, _: &Caller, len: i64, a: &mut BytesOut<'_>) -> Result<Served<Source>, Failure> {
        assert!(a.extend(&bytes(len, 0)));
        Ok(Source::serve(Data))
    }

    fn sum(&self, _: &Caller, a: &[u8]) -> Result<i64, Failure> {
        Ok(a.iter().map(|byte| i64::from(*byte)).sum())
    }
}

fn run(program: &Path, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Both ways to a socket.
fn ways(path: &Path) -> [String; 2] {
    ["unix", "shm"].map(|scheme| format!("{scheme}:{}", path.display()))
}

/// All that clients find at a server in Rust.
fn with_rust(each: impl Fn(&str)) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let serve = |_: &Caller| Ok(Capability::new(Source::serve(Data).into_object()));
    let server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), serve).unwrap();
    ways(&path).iter().for_each(|address| each(address));
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

/// The same at servers in C.
fn with_c(whose: &str, each: impl Fn(&str)) {
    let options = ["-DCARNET_STUBS=\"landing.h\"", "-DCARNET_ROOT=landing_Source", "carnet_main.c"];
    for program in in_c::built(whose, module(), &["landing_server"], &options) {
        let server = ServerInC::start(&program);
        ways(&server.path).iter().for_each(|address| each(address));
    }
}

#[test]
fn data_land_where_the_caller_wants_them() {
    for client in clients("lands", &[]) {
        with_rust(|address| run(&client, &[address]));
        with_c("lands_served", |address| run(&client, &[address]));
    }
}

#[test]
fn data_of_the_same_process_are_put_there_too() {
    for form in ["-DCARNET_REGISTERS=1", "-DCARNET_REGISTERS=0", "-DCARNET_COPY"] {
        clients("lands_here", &[form]).iter().for_each(|client| run(client, &["here"]));
    }
}

/// By the system out of a socket, or out of shared memory; nothing is copied through the message.
#[test]
fn a_long_result_is_copied_once() {
    for client in clients("counted", &[]) {
        with_rust(|address| run(&client, &["counts", address]));
        with_c("counted_served", |address| run(&client, &["counts", address]));
    }
}

fn at(offset: usize, len: usize) -> u64 {
    (offset as u64) << 24 | len as u64
}

/// What a server by hand answers, where it is cut, and what it does then.
#[derive(Clone)]
struct Lie {
    name: &'static str,
    reply: Vec<u8>,
    cuts: Vec<usize>,
    then: Then,
    outcome: Result<(), Kind>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Stays,
    /// After so many bytes.
    Dies(usize),
    SaysNothing(usize),
}

/// The answer to call 1 with these portals, words and data.
fn answer(portals: &[u32], words: &[u64], data: &[u8]) -> Vec<u8> {
    let mut body: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let ids = body.len() + portal_bytes(portals.len());
    body.extend(portals.iter().flat_map(|id| id.to_le_bytes()));
    body.resize(ids, 0);
    body.extend(data);
    let header = Reply { portals: portals.len() as u8, ..reply(HEADER_BYTES + body.len(), 1) };
    [&header.encode()[..], &body].concat()
}

fn lie(name: &'static str, reply: Vec<u8>, outcome: Result<(), Kind>) -> Lie {
    Lie { name, reply, cuts: vec![], then: Then::Stays, outcome }
}

/// A list of so many pairs, as it says, where there are these.
fn pairs(said: u64, there: i64) -> Vec<u8> {
    let words = (0..there).flat_map(|at| [at.cast_unsigned(), (-at).cast_unsigned()]);
    std::iter::once(said).chain(words).flat_map(u64::to_le_bytes).collect()
}

/// A list of two texts: none, and this one.
fn texts(reference: u64, text: &[u8]) -> Vec<u8> {
    [&[2_u64, 0, reference].map(u64::to_le_bytes).concat()[..], text].concat()
}

/// A reply to `several` of these data, which are one behind the other from words on.
fn several(a: &[u8], b: &[u8], d: &[u8], e: &[u8]) -> Vec<u8> {
    let mut data = vec![];
    let mut place = |piece: &[u8]| {
        data.resize(data.len().next_multiple_of(8), 0);
        data.extend(piece);
        at(data.len() - piece.len(), piece.len())
    };
    let (a, b, d, e) = (place(a), place(b), place(d), place(e));
    answer(&[], &[a, 0, b, 0, d, e], &data)
}

fn lies() -> Vec<Lie> {
    let nonsense = Err(Kind::Protocol);
    let data = bytes(3000, 0);
    let one = |word: u64, len: usize| answer(&[], &[word], &data[..len]);
    let long = bytes((1 << 20) + 8, 0);
    let mut lies = vec![
        lie("bytes", one(at(0, 1000), 1000), Ok(())),
        // Behind, and before, what nobody asked for.
        lie("bytes", one(at(0, 1000), 3000), Ok(())),
        lie("bytes", one(at(251, 1000), 3000), Ok(())),
        lie("bytes", one(at(0, 1001), 1001), Ok(())),
        lie("bytes", one(at(0, 0), 0), Ok(())),
        lie("bytes", one(at(0, 1000), 999), nonsense),
        lie("bytes", one(at(1000, 1), 1000), nonsense),
        lie("bytes", one(at(999, 2), 1000), nonsense),
        lie("bytes", one(at(1001, 0), 1000), nonsense),
        lie("bytes", one(at(0, 1000) | 1 << 63, 1000), nonsense),
        lie("bytes", one(0xffffff, 1000), nonsense),
        lie("bytes", one(u64::MAX, 1000), nonsense),
        lie("bytes", answer(&[], &[], &[]), nonsense),
        lie("bytes", answer(&[], &[], &[0; 7]), nonsense),
        lie("bytes", answer(&[7; 255], &[], &[]), nonsense),
        // It fits into the buffer, and is more than the interface says.
        lie("wide", answer(&[], &[at(0, 1 << 20)], &long), Ok(())),
        lie("wide", answer(&[], &[at(0, (1 << 20) + 1)], &long), nonsense),
        lie("text", answer(&[], &[at(0, 4)], b"xxxx"), Ok(())),
        lie("text", answer(&[], &[at(0, 4)], b"xx\0x"), nonsense),
        lie("text", answer(&[], &[at(0, 200_001)], &[b'x'; 200_001]), nonsense),
        // A portal beside them; where its number would be lie data.
        lie("next", answer(&[7], &[0, at(0, 1000)], &data[..1000]), Ok(())),
        lie("next", answer(&[7], &[1, at(0, 1000)], &data[..1000]), nonsense),
        lie("next", answer(&[], &[0, at(0, 1000)], &data[..1000]), nonsense),
        lie("next", answer(&[7; 255], &[0, at(0, 1000)], &data[..1000]), Ok(())),
    ];
    let (good_pairs, good_texts) = (pairs(3, 3), texts(at(0, 1), b"1"));
    let good = several(&data[..999], b"xxx", &good_pairs, &good_texts);
    let all = |a: &[u8], b: &[u8], d: &[u8], e: &[u8], outcome| lie("several", several(a, b, d, e), outcome);
    lies.extend([
        lie("several", good.clone(), Ok(())),
        all(&[], b"", &pairs(0, 0), &good_texts, Ok(())),
        all(&data[..1001], &[b'x'; 1001], &pairs(300, 300), &good_texts, Ok(())),
        all(&data, b"x\0x", &good_pairs, &good_texts, nonsense),
        all(&data, b"x", &pairs(4, 3), &good_texts, nonsense),
        all(&data, b"x", &pairs(u64::MAX, 3), &good_texts, nonsense),
        all(&data, b"x", &pairs(1 << 59, 3), &good_texts, nonsense),
        all(&data, b"x", &[3; 7], &good_texts, nonsense),
        all(&data, b"x", &good_pairs, &texts(at(0, 2), b"1"), nonsense),
        all(&data, b"x", &good_pairs, &texts(at(1 << 30, 1), b"1"), nonsense),
        all(&data, b"x", &good_pairs, &texts(at(0, 1), b"\0"), nonsense),
        all(&data, b"x", &good_pairs, &texts(at(0, 10), b"1234567890"), nonsense),
    ]);
    // Not one behind the other: the last first, all at one place, more than there is together.
    let lists = [&good_pairs[..], &good_texts].concat();
    let [pairs_at, texts_at] = [at(0, good_pairs.len()), at(good_pairs.len(), good_texts.len())];
    let [a, b] = [0, 16].map(|offset| at(lists.len() + offset, 16));
    let turned = [&lists[..], &bytes(16, 0), &[b'x'; 16]].concat();
    lies.push(lie("several", answer(&[], &[a, 0, b, 0, pairs_at, texts_at], &turned), Ok(())));
    let shared = [at(0, 1), 0, 0, 0, at(0, 8), at(0, 8)];
    lies.push(lie("several", answer(&[], &shared, &[0; 17]), Ok(())));
    lies.push(lie("several", answer(&[], &shared, &[0; 16]), nonsense));
    // Its last reference leaves the message: nothing lands, and nothing is believed.
    let leaves = answer(&[], &[at(0, 999), 0, at(999, 3), 0, 0, at(5000, 1)], &data);
    lies.push(lie("several", leaves, nonsense));
    // No success: its data are no data.
    let failed = Reply { status: Kind::Refused as u16, ..reply(HEADER_BYTES + data.len(), 1) };
    lies.push(lie("bytes", [&failed.encode()[..], &data].concat(), Err(Kind::Refused)));
    let other = Reply { call: 9, ..reply(good.len(), 1) };
    lies.push(lie("several", [&other.encode()[..], &good[HEADER_BYTES..]].concat(), nonsense));
    // However they are cut, wherever they end.
    let cuts = vec![HEADER_BYTES, HEADER_BYTES + 47, HEADER_BYTES + 48, 500, 1063, 1064, good.len() - 1];
    lies.push(Lie { cuts, ..lie("several", good.clone(), Ok(())) });
    for stopped in [HEADER_BYTES, HEADER_BYTES + 8, HEADER_BYTES + 48, 600, 1070, good.len() - 1] {
        let lie = |then, outcome| Lie { then, ..lie("several", good.clone(), Err(outcome)) };
        lies.push(lie(Then::Dies(stopped), Kind::PeerDied));
        lies.push(lie(Then::SaysNothing(stopped), Kind::TimedOut));
    }
    lies
}

/// Says it to whoever comes, and hears them to their end.
fn say(by: By, listener: &UnixListener, lie: &Lie) {
    let mut server = ByHand::accept(by, listener);
    assert_eq!(server.call(), 1);
    // Through memory a frame is cut at lines.
    let cut = |at: usize| if let By::Socket = by { at } else { (at / 64 * 64).max(64) };
    let end = match lie.then {
        Then::Stays => lie.reply.len(),
        Then::Dies(after) | Then::SaysNothing(after) => cut(after),
    };
    let mut said = 0;
    for next in lie.cuts.iter().map(|at| cut(*at)).chain([end]) {
        server.send(&lie.reply[said..next]);
        said = next;
    }
    if let Then::Dies(_) = lie.then {
        server.memory.as_ref().inspect(|end| end.hang_up());
    } else {
        server.hear_out();
    }
}

#[test]
fn what_servers_lie_touches_nothing_beside_the_buffers() {
    let (quick, patient): (Vec<Lie>, Vec<Lie>) =
        lies().into_iter().partition(|lie| matches!(lie.then, Then::SaysNothing(_)));
    for (lies, timeout) in [(quick, "-DTIMEOUT_MS=100"), (patient, "-DTIMEOUT_MS=20000")] {
        for program in clients("lied_to", &[timeout]) {
            lied_to(&program, By::Socket, &lies);
            lied_to(&program, By::Memory, &lies);
        }
    }
}

/// More than the stub has a place for, with buffers and without.
#[test]
fn portals_that_a_reply_has_no_place_for_are_given_back() {
    for program in clients("hands_too_many", &[]) {
        for (name, outcome, back) in [("next", "0", vec![7, 9]), ("plain", "10", vec![7, 8, 9])] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("s");
            let listener = UnixListener::bind(&path).unwrap();
            let address = format!("unix:{}", path.display());
            let client =
                Command::new(&program).args([&address, name]).stdout(Stdio::piped()).spawn().unwrap();
            let mut server = ByHand::accept(By::Socket, &listener);
            assert_eq!(server.call(), 1);
            server.send(&answer(&[7, 8, 9], &[1, at(0, 1000)], &bytes(1000, 0)));
            let mut said = vec![];
            server.socket.read_to_end(&mut said).unwrap();
            let mut released = vec![];
            while let Some(header) = Request::decode(&said) {
                assert_eq!(header.kind, kind::RELEASE);
                let frame: Vec<u8> = said.drain(..header.len as usize).collect();
                let ids = frame[HEADER_BYTES..]
                    .chunks(8)
                    .map(|pair| u32::from_le_bytes(pair[..4].try_into().unwrap()));
                released.extend(ids);
            }
            assert_eq!(released, back, "{name}");
            let output = client.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
            assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), outcome, "{name}");
        }
    }
}

fn lied_to(program: &Path, by: By, lies: &[Lie]) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let all = lies.to_vec();
    let server = std::thread::spawn(move || all.iter().for_each(|lie| say(by, &listener, lie)));
    let [unix, shared] = ways(&path);
    let address = if let By::Socket = by { unix } else { shared };
    let names = lies.iter().map(|lie| lie.name);
    let client = Command::new(program).arg(address).args(names).stdout(Stdio::piped()).spawn().unwrap();
    let output = client.wait_with_output().unwrap();
    assert!(output.status.success(), "{by:?}: {output:?}");
    server.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), lies.len());
    for (at, (line, lie)) in text.lines().zip(lies).enumerate() {
        let found = match line.parse::<u16>().unwrap() {
            0 => Ok(()),
            number => Err(Kind::from_number(number).unwrap_or(Kind::Internal)),
        };
        assert_eq!(found, lie.outcome, "{by:?}, {at}: {}", lie.name);
    }
}
