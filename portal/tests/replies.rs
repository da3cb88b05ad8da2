//! Replies that no server makes, the same for a client in C and for one in Rust: both believe the same, and blame the same.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::call::{Kind, MEMBERS, Ref};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::stub::{CallError, Extends as _, Failure};
use carnet_portal::wire::{HEADER_BYTES, Reply, Request, kind, portal_bytes};
use whole::*;

#[path = "support/in_c.rs"]
mod in_c;

mod whole {
    include!("../../idl/tests/cases/modules/whole.rs");
}

const PATIENCE: Duration = Duration::from_secs(20);

/// A reply, behind whose portals lie data.
#[derive(Clone, Debug, Default)]
struct Lie {
    status: u16,
    raised: u16,
    portals: Vec<u32>,
    words: Vec<u64>,
    data: Vec<u8>,
    /// Answers another call than the last.
    other_call: Option<u32>,
    /// Portals that nothing in it names.
    rest: Vec<u32>,
}

impl Lie {
    fn encode(&self, call: u32) -> Vec<u8> {
        let mut body: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let ids = body.len() + portal_bytes(self.portals.len());
        body.extend(self.portals.iter().flat_map(|id| id.to_le_bytes()));
        body.resize(ids, 0);
        body.extend(&self.data);
        let header = Reply {
            len: (HEADER_BYTES + body.len()) as u32,
            kind: kind::REPLY,
            portals: self.portals.len() as u8,
            status: self.status,
            call: self.other_call.unwrap_or(call),
            raised: self.raised,
        };
        [&header.encode()[..], &body].concat()
    }
}

/// A good reply of words.
fn words(words: &[u64]) -> Lie {
    Lie { words: words.to_vec(), ..Lie::default() }
}

/// One of words and data.
fn with(words: &[u64], data: &[u8]) -> Lie {
    Lie { data: data.to_vec(), ..self::words(words) }
}

/// One of a list alone: so many elements are said, these are there, and bytes behind them.
fn list(count: u64, elements: &[u64], bytes: &[u8]) -> Lie {
    let mut data = count.to_le_bytes().to_vec();
    data.extend(elements.iter().flat_map(|word| word.to_le_bytes()));
    data.extend(bytes);
    with(&[at(0, data.len())], &data)
}

/// One that hands portals out.
fn handed(portals: &[u32], words: &[u64], data: &[u8]) -> Lie {
    Lie { portals: portals.to_vec(), ..with(words, data) }
}

/// A reply to `reshape`: tables with a key, a key of these bytes, a value and another, whose last word is this.
fn reshaped(key: u64, last: u64) -> Lie {
    let tables = [vec![0; 9], vec![at(0, 16), 0, 0]].concat();
    let other = [vec![9_u64, last], vec![0; 11]].concat();
    with(&[tables, vec![key, 0, 5, 0], other].concat(), &[0; 32])
}

/// Three lists, of which the last has these elements.
fn relabelled(last: [u64; 2]) -> Lie {
    let lists = [vec![1, 0, 5, 0, 7], vec![1, 0], [vec![2], last.to_vec()].concat()];
    let bytes: Vec<u8> = lists.concat().iter().flat_map(|word| word.to_le_bytes()).collect();
    with(&[at(0, 40), at(40, 16), at(56, 24)], &bytes)
}

/// A link and two lists with a portal each, of which the last has this number.
fn relinked(portals: [u32; 3], last: u64) -> Lie {
    let bytes: Vec<u8> = [1, 1, 0, 1, last].iter().flat_map(|word: &u64| word.to_le_bytes()).collect();
    handed(&portals, &[0, 0, at(0, 24), at(24, 16)], &bytes)
}

fn failed(status: u16, raised: u16, data: &[u8]) -> Lie {
    Lie { status, raised, data: data.to_vec(), ..Lie::default() }
}

/// A failure with these portals beside it.
fn beside(failed: Lie, portals: &[u32]) -> Lie {
    Lie { portals: portals.to_vec(), rest: portals.to_vec(), ..failed }
}

fn at(offset: usize, len: usize) -> u64 {
    Ref::new(0, offset, len).unwrap().0
}

const RAISED: u16 = Kind::Raised as u16;

/// What is called, what it is answered, and what becomes of it.
fn cases() -> Vec<(&'static str, Lie, Result<(), Kind>)> {
    let nonsense = Err(Kind::Protocol);
    let raised = Err(Kind::Raised);
    let long = |count: usize| vec![0_u64; count];
    let value = |value: [u64; 3], many: u64, first: u64, data: &[u8]| {
        let mut block = value.to_vec();
        block.extend([many, first]);
        block.extend([0; 8]);
        // Bytes of its own, the same ones.
        block.extend([at(data.len(), 16.min(data.len())), 0, 0]);
        with(&block, &data.repeat(2))
    };
    let denied = |who: u64, tag: u64| [who, tag, 0, 0].map(u64::to_le_bytes).concat();
    let key = |len: usize, count: u64| {
        let mut data = vec![7; 24];
        data.extend(count.to_le_bytes());
        data.extend(at(0, 16).to_le_bytes());
        data.extend([1; 16]);
        with(&[at(0, len), at(24, 32)], &data)
    };
    let element = [1, 0, at(0, 2), 5];
    let links =
        |portals: &[u32], elements: &[u64]| Lie { portals: portals.to_vec(), ..list(1, elements, b"ab") };
    vec![
        // Numbers, and statuses that there are not.
        ("height", words(&[5]), Ok(())),
        ("height", words(&[1 << 31]), nonsense),
        ("height", words(&[1 << 40]), nonsense),
        ("height", words(&[]), nonsense),
        ("height", with(&[], &[0; 7]), nonsense),
        ("height", failed(Kind::Refused as u16, 0, b"no"), Err(Kind::Refused)),
        ("height", failed(13, 0, b"what"), nonsense),
        ("height", failed(0x7ffe, 0, b"what"), nonsense),
        ("height", failed(RAISED, 0, b"undeclared"), nonsense),
        ("height", failed(RAISED, MEMBERS, &[0; 8]), nonsense),
        ("letter", words(&[255]), Ok(())),
        ("letter", words(&[256]), nonsense),
        ("kind", words(&[1]), Ok(())),
        ("kind", words(&[2]), nonsense),
        ("kind", words(&[u64::MAX]), nonsense),
        // Text, and an exception of a kind.
        ("name", with(&[at(0, 8)], b"12345678"), Ok(())),
        ("name", with(&[at(0, 9)], b"123456789"), nonsense),
        ("name", with(&[at(0, 3)], b"a\0b"), nonsense),
        ("name", with(&[at(1, 8)], b"12345678"), nonsense),
        ("name", with(&[at(9, 0)], b"12345678"), nonsense),
        ("name", with(&[1 << 56], b"12345678"), nonsense),
        ("name", failed(RAISED, 1, b"dark"), raised),
        ("name", failed(RAISED, 2, b"what"), nonsense),
        ("name", failed(RAISED, MEMBERS, &[0; 64]), nonsense),
        ("name", failed(RAISED, u16::MAX, &[0; 64]), nonsense),
        // Exceptions with members.
        ("fail", words(&[]), Ok(())),
        ("fail", failed(RAISED, MEMBERS, &[0; 8]), raised),
        ("fail", failed(RAISED, MEMBERS, &[0; 7]), nonsense),
        ("fail", failed(RAISED, MEMBERS | 1, &denied(0, 0)), raised),
        ("fail", failed(RAISED, MEMBERS | 1, &denied(0, 2)), nonsense),
        ("fail", failed(RAISED, MEMBERS | 1, &denied(at(0, 1), 0)), nonsense),
        ("fail", failed(RAISED, MEMBERS | 1, &denied(0, 0)[..24]), nonsense),
        (
            "fail",
            failed(RAISED, MEMBERS | 3, &[[2_u64, 0].map(u64::to_le_bytes).concat(), vec![]].concat()),
            nonsense,
        ),
        ("fail", failed(RAISED, MEMBERS | 4, &[0; 64]), nonsense),
        ("fail", failed(RAISED, 0, b"plain"), nonsense),
        ("fail", failed(RAISED, u16::MAX, &[0; 64]), nonsense),
        // Unions.
        ("value", value([0, 5, 0], 9, 1, b""), Ok(())),
        ("value", value([1, 5, at(0, 2)], 1, 77, b"ab"), Ok(())),
        ("value", value([2, 5, 0], 9, 1, b""), nonsense),
        ("value", value([0, 1 << 40, 0], 9, 1, b""), nonsense),
        ("value", value([0, 5, 0], 9, 2, b""), nonsense),
        ("value", value([0, 5, 0], 1 << 33, 1, b""), nonsense),
        ("value", value([1, 5, at(0, 2)], 9, 1, b"a\0"), nonsense),
        ("value", value([1, 5, at(0, 9)], 9, 1, b"123456789"), nonsense),
        ("value", value([0, 5, 0], -4_i64 as u64, 0, &[1; 16]), Ok(())),
        ("value", value([0, 5, 0], -4_i64 as u64, 0, &[1; 15]), nonsense),
        // Arrays and lists, each element of which counts.
        ("key", key(16, 1), Ok(())),
        ("key", key(15, 1), nonsense),
        ("key", key(17, 1), nonsense),
        ("key", key(16, 2), nonsense),
        ("labelled", list(2, &[element, element].concat(), b"ab"), Ok(())),
        ("labelled", list(1, &[2, 0, 0, 5], b""), nonsense),
        ("labelled", list(2, &[element, [1, 0, at(0, 2), 1 << 32]].concat(), b"ab"), nonsense),
        ("labelled", list(2, &[element, [1, 0, at(0, 3), 1]].concat(), b"ab"), nonsense),
        ("labelled", list(1, &element, b"a\0"), nonsense),
        ("labelled", list(2, &element, b"ab"), nonsense),
        ("labelled", list(4, &long(16), b""), nonsense),
        ("labelled", list(u64::MAX, &element, b"ab"), nonsense),
        ("labelled", list(1 << 59, &long(4), b""), nonsense),
        ("labelled", with(&[at(0, 7)], &[0; 7]), nonsense),
        ("triples", list(1, &[1, 2, 3], b""), Ok(())),
        ("triples", list(1, &[1, 2, 1 << 31], b""), nonsense),
        ("links", links(&[7], &[0, at(0, 2)]), Ok(())),
        ("links", links(&[7], &[1, at(0, 2)]), nonsense),
        ("links", links(&[], &[0, at(0, 2)]), nonsense),
        ("links", links(&[7], &[0, at(0, 3)]), nonsense),
        // Portals that nothing names.
        ("links", Lie { rest: vec![7, 9], ..links(&[7, 8, 9], &[1, at(0, 2)]) }, Ok(())),
        ("links into", Lie { rest: vec![7, 9], ..links(&[7, 8, 9], &[1, at(0, 2)]) }, Ok(())),
        ("links into", Lie { rest: vec![7; 254], ..links(&[7; 255], &[254, at(0, 2)]) }, Ok(())),
        ("links into", links(&[7, 8], &[2, at(0, 2)]), nonsense),
        ("climb", Lie { rest: vec![11], ..handed(&[7, 9, 11], &[0, 1, 5], b"") }, Ok(())),
        ("climb", Lie { rest: vec![9], ..handed(&[7, 9], &[0, 0, 5], b"") }, Ok(())),
        // Portals beside a failure.
        ("height", beside(failed(Kind::Refused as u16, 0, b"no"), &[7, 9]), Err(Kind::Refused)),
        ("height", beside(failed(0x7ffe, 0, b"what"), &[7]), nonsense),
        ("name", beside(failed(RAISED, 1, b""), &[7, 7]), raised),
        ("turn", beside(failed(RAISED, 1, b""), &[8]), raised),
        ("fail", beside(failed(Kind::Refused as u16, 0, b"no"), &[7, 8, 9]), Err(Kind::Refused)),
        ("tell", beside(failed(Kind::Refused as u16, 0, b"no"), &[7]), Err(Kind::Refused)),
        ("links", beside(failed(Kind::Refused as u16, 0, b"no"), &[7; 255]), Err(Kind::Refused)),
        ("links into", beside(failed(Kind::Refused as u16, 0, b"no"), &[7]), Err(Kind::Refused)),
        ("climb", beside(failed(Kind::Revoked as u16, 0, b"no"), &[7, 9]), Err(Kind::Revoked)),
        ("direntries", Lie { words: vec![1, 2, at(0, 16)], ..list(1, &[5], b"") }, Ok(())),
        ("direntries", Lie { words: vec![1, 2, at(0, 16)], ..list(1, &[1 << 31], b"") }, nonsense),
        // What goes both ways, a part of it wrong behind what is right.
        ("turn", with(&[at(0, 2), at(2, 2), at(4, 2)], b"abcdef"), Ok(())),
        ("turn", with(&[at(0, 2), at(2, 2), at(4, 2)], b"abcde\0"), nonsense),
        ("turn", with(&[at(0, 2), at(2, 5), 0], b"abcdef"), nonsense),
        ("turn", with(&[at(0, 2), 0, 0], b"a\0"), nonsense),
        ("numbers", words(&long(23)), Ok(())),
        ("numbers", words(&[long(22), vec![1 << 40]].concat()), nonsense),
        ("numbers", words(&[vec![0, 0, 0, 0, 0, 0, 0, 0, 256], long(14)].concat()), nonsense),
        ("climb", handed(&[7, 9], &[0, 1, 5], b""), Ok(())),
        ("climb", handed(&[7, 9], &[0, 1, 1 << 40], b""), nonsense),
        ("climb", handed(&[7, 9], &[0, 2, 5], b""), nonsense),
        ("climb", handed(&[7, 9, 7], &[2, 3, 5], b""), nonsense),
        ("reshape", reshaped(at(16, 16), 1), Ok(())),
        ("reshape", reshaped(at(16, 16), 2), nonsense),
        ("relabel", relabelled([1, 2]), Ok(())),
        ("relabel", relabelled([1, 1 << 31]), nonsense),
        ("relink", relinked([7, 8, 9], 2), Ok(())),
        ("relink", relinked([7, 8, 9], 3), nonsense),
        ("relink", relinked([7, 7, 7], 3), nonsense),
        ("link", handed(&[7], &[0, at(0, 8)], b"12345678"), Ok(())),
        ("link", handed(&[7], &[0, at(0, 9)], b"123456789"), nonsense),
        ("link", handed(&[7, 8], &[2, 0], b""), nonsense),
        // Words that name more bytes than there are, together.
        ("turn", with(&[at(0, 2), at(0, 2), at(0, 2)], b"abcdef"), Ok(())),
        ("turn", with(&[at(0, 2), at(0, 2), at(0, 3)], b"abcdef"), nonsense),
        ("turn", with(&[at(0, 2), 0, at(0, 1)], b"ab"), nonsense),
        ("reshape", Lie { data: vec![0; 31], ..reshaped(at(0, 16), 1) }, nonsense),
        ("relabel", Lie { words: vec![at(0, 40), at(0, 40), at(40, 16)], ..relabelled([1, 2]) }, nonsense),
        ("links", Lie { words: vec![at(0, 26)], ..links(&[7], &[0, at(0, 2)]) }, Ok(())),
        // What answers nothing that was asked; the second of two.
        ("height", Lie { other_call: Some(99), ..words(&[5]) }, nonsense),
        ("tell", Lie { other_call: Some(99), ..words(&[5]) }, nonsense),
    ]
}

/// Reads one frame; `None` at the end.
fn frame(socket: &mut UnixStream) -> Option<(Request, Vec<u8>)> {
    let mut header = [0; HEADER_BYTES];
    socket.read_exact(&mut header).ok()?;
    let request = Request::decode(&header).unwrap();
    let mut body = vec![0; request.len as usize - HEADER_BYTES];
    socket.read_exact(&mut body).ok()?;
    Some((request, body))
}

/// Answers each client in turn, and hears it to its end. The portals that each gave back.
fn serve(listener: &UnixListener, cases: &[(&str, Lie, Result<(), Kind>)]) -> Vec<Vec<u32>> {
    let answered = |(name, lie, _): &(&str, Lie, Result<(), Kind>)| {
        let mut released = vec![];
        let (mut socket, _) = listener.accept().unwrap();
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        // Of two calls the last one is answered: nothing is said of what was told.
        let mut calls = if *name == "tell" { 2 } else { 1 };
        while let Some((request, body)) = frame(&mut socket) {
            if request.kind == kind::RELEASE {
                let numbers = body.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
                let numbers: Vec<u32> = numbers.collect();
                numbers.chunks(2).for_each(|pair| released.extend(vec![pair[0]; pair[1] as usize]));
            }
            calls -= usize::from(request.kind == kind::CALL);
            if calls == 0 && request.kind == kind::CALL {
                // A client that has hung up already found out what it is to find out.
                let _ = socket.write_all(&lie.encode(request.call));
                calls = usize::MAX;
            }
        }
        released.sort_unstable();
        released
    };
    cases.iter().map(answered).collect()
}

/// What becomes of a call in Rust.
fn called(name: &str, leaf: &Leaf) -> Result<(), Kind> {
    fn plain<T>(outcome: Result<T, Failure>) -> Result<(), Kind> {
        outcome.map(|_| ()).map_err(|failure| failure.kind())
    }
    fn typed<T, E>(outcome: Result<T, CallError<E>>) -> Result<(), Kind> {
        outcome.map(|_| ()).map_err(|error| match error {
            CallError::Raised(_) => Kind::Raised,
            CallError::Failed(failure) => failure.kind(),
        })
    }
    match name {
        "height" => plain(leaf.height()),
        "letter" => plain(leaf.letter(b'a', b"")),
        "kind" => plain(leaf.kind(LeafKind::Green, b"")),
        "name" => typed(leaf.name()),
        "fail" => typed(leaf.fail(0)),
        "tell" => plain(leaf.tell(1, b"").and_then(|()| leaf.height())),
        "value" => plain(leaf.value(&Value::Number(0), &Many::Real(1, 0.0))),
        "key" => plain(leaf.key(&[0; 16], &[])),
        "labelled" => plain(leaf.labelled(&[])),
        "triples" => plain(leaf.triples(&[])),
        "links" | "links into" => plain(leaf.links(&[])),
        "direntries" => plain(Pfs::from_portal(leaf.portal().clone()).pfs_get_direntries(1, &mut 0, 1)),
        "turn" => typed(leaf.turn(&mut vec![], &mut vec![], b"")),
        "numbers" => plain(leaf.numbers(&numbers(), &mut numbers())),
        "climb" => plain(leaf.climb(0, &mut leaf.to_base())),
        "reshape" => {
            plain(leaf.reshape(&mut tables(), &mut [0; 16], &mut Value::Number(0), &mut Many::Real(1, 0.0)))
        }
        "relabel" => plain(leaf.relabel(&mut vec![], &mut vec![], 0, &mut vec![])),
        "relink" => typed(leaf.relink(&mut link(leaf), &mut vec![], &mut vec![])),
        "link" => plain(leaf.link(&link(leaf))),
        name => panic!("{name}"),
    }
}

fn link(leaf: &Leaf) -> Link {
    Link { node: leaf.to_base(), name: vec![] }
}

fn numbers() -> Numbers {
    Numbers { a: 0, b: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, i: 0, j: 0.0, k: 0.0 }
}

fn tables() -> Tables {
    Tables { triple: [0; 3], table: [[0; 3]; 2], key: [0; 16], names: [vec![], vec![]] }
}

/// What becomes of the portals that a good reply names.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    /// They stay the caller's.
    Kept,
    /// They are dropped, and that gives them back.
    Dropped,
}

/// What a refused reply brought is given back, each portal once for each time, and of a good one what nothing in it names.
fn given_back(what: &str, named: Named, released: &[Vec<u32>]) {
    for ((name, lie, outcome), released) in cases().iter().zip(released) {
        let mut expected = match outcome {
            Ok(()) if named == Named::Dropped => lie.portals.clone(),
            Err(Kind::Protocol) => lie.portals.clone(),
            _ => lie.rest.clone(),
        };
        expected.sort_unstable();
        assert_eq!(*released, expected, "{what}: {name}: {lie:?}");
    }
}

fn held(what: &str, found: &[Result<(), Kind>]) {
    let cases = cases();
    assert_eq!(found.len(), cases.len(), "{what}: {found:?}");
    for ((name, lie, expected), found) in cases.iter().zip(found) {
        assert_eq!(found, expected, "{what}: {name}: {lie:?}");
    }
}

#[test]
fn a_client_in_rust_believes_no_more_than_it_should() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let server = std::thread::spawn(move || serve(&listener, &cases()));
    let options = || ConnectOptions { call_timeout: Some(PATIENCE), ..ConnectOptions::default() };
    let connect = || RemoteSession::connect(&Address::Unix(path.clone()), options()).unwrap();
    let call = |name| called(name, &Leaf::from_portal(connect().root()));
    let found: Vec<Result<(), Kind>> = cases().iter().map(|(name, ..)| call(*name)).collect();
    given_back("Rust", Named::Dropped, &server.join().unwrap());
    held("Rust", &found);
}

#[test]
fn a_client_in_c_believes_no_more_than_one_in_rust() {
    for program in in_c::built("believes", module(), &["replies"], &[]) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let server = std::thread::spawn(move || serve(&listener, &cases()));
        let names = cases().into_iter().map(|(name, ..)| name);
        let client = Command::new(&program).arg(&path).args(names).stdout(Stdio::piped()).spawn().unwrap();
        let output = client.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        given_back("C", Named::Kept, &server.join().unwrap());
        let text = String::from_utf8(output.stdout).unwrap();
        let kind = |line: &str| match line.parse::<u16>().unwrap() {
            0 => Ok(()),
            number => Err(Kind::from_number(number).unwrap_or(Kind::Internal)),
        };
        held("C", &text.lines().map(kind).collect::<Vec<_>>());
    }
}
