//! The least and the most of everything, between clients and servers in C and in Rust: bounds that no message holds, numbers and
//! labels at their ends, as many words, elements and portals as there may be.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{BytesOut, CallError, PortalIn, Served};
use extremes::*;
use server_in_c::ServerInC;

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;

mod extremes {
    include!("../../idl/tests/cases/modules/extremes.rs");
}

/// What goes there and back at once, and what no frame holds although it is within its bound.
const MUCH: usize = 900_000;
const TOO_MUCH: usize = 4 << 20;

/// Gives back what it gets.
struct Mirror;

fn given(is_whole: bool) -> Result<(), Failure> {
    if is_whole { Ok(()) } else { Err(Failure::service("there is no room for it")) }
}

impl NoneService for Mirror {}

impl ExtremesService for Mirror {
    fn numbers(
        &self,
        _: &Caller,
        a: &mut i8,
        b: &mut u8,
        c: &mut i16,
        d: &mut u16,
        e: &mut i32,
        f: &mut u32,
        g: &mut i64,
        h: &mut u64,
        i: &mut u8,
        j: &mut f32,
        k: &mut f64,
    ) -> Result<(), Failure> {
        (*a, *b, *c, *d, *e, *f, *g, *i) = (!*a, !*b, !*c, !*d, !*e, !*f, !*g, !*i);
        (*h, *j, *k) = (i64::MAX as u64 - *h, -*j, -*k);
        Ok(())
    }

    fn only(&self, _: &Caller, a: Only) -> Result<(Only, Only), Failure> {
        Ok((a, a))
    }

    fn many(&self, _: &Caller, a: &[i64; 32]) -> Result<[i64; 32], Failure> {
        let mut b = *a;
        b.reverse();
        Ok(b)
    }

    fn same(&self, _: &Caller, a: &mut [i64; 64]) -> Result<(), Failure> {
        *a = a.map(|word| !word);
        Ok(())
    }

    fn last(&self, _: &Caller, a: &[i64; 63]) -> Result<i64, Failure> {
        Ok(a[62])
    }

    fn first(&self, _: &Caller, _: &Most) -> Result<(), Failure> {
        Ok(())
    }

    fn letter(&self, _: &Caller, a: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        given(result.extend(a))
    }

    fn text(&self, _: &Caller, a: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        given(result.extend(a))
    }

    fn piece(&self, _: &Caller, a: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        given(result.extend(a))
    }

    fn bytes(&self, _: &Caller, a: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        given(result.extend(a))
    }

    fn count(&self, _: &Caller, a: &[u8]) -> Result<u32, Failure> {
        Ok(a.len() as u32)
    }

    fn make(&self, _: &Caller, a: i64, b: &mut BytesOut<'_>) -> Result<i64, Failure> {
        given(b.extend(&vec![b'm'; a as usize])).map(|()| i64::MIN)
    }

    fn made(&self, _: &Caller, a: i64, b: &mut BytesOut<'_>) -> Result<(), Nothing> {
        let text = usize::try_from(a).map_err(|_| Nothing {})?;
        assert!(b.extend(&vec![b'm'; text]));
        Ok(())
    }

    fn block(&self, _: &Caller, a: &Bytes) -> Result<Bytes, Failure> {
        Ok(a.clone())
    }

    fn letters(&self, _: &Caller, a: &[Vec<u8>; 32]) -> Result<[Vec<u8>; 32], Failure> {
        Ok(a.clone())
    }

    fn longs(&self, _: &Caller, a: &[i64], result: &mut I64List<'_>) -> Result<(), Failure> {
        given(a.iter().all(|each| result.push(*each)))
    }

    fn truths(&self, _: &Caller, a: &[bool], result: &mut BoolList<'_>) -> Result<(), Failure> {
        given(a.iter().all(|each| result.push(*each)))
    }

    fn texts(&self, _: &Caller, a: &[Vec<u8>], result: &mut String1List<'_>) -> Result<(), Failure> {
        given(a.iter().all(|each| result.push(each)))
    }

    fn tomes(&self, _: &Caller, a: &[Vec<u8>], result: &mut String4194304List<'_>) -> Result<(), Failure> {
        given(a.iter().all(|each| result.push(each)))
    }

    fn mosts(&self, _: &Caller, a: &[Most], result: &mut MostList<'_>) -> Result<(), Failure> {
        given(a.iter().all(|each| result.push(&each.at)))
    }

    fn blocks(&self, _: &Caller, a: &[Bytes], result: &mut BytesList<'_>) -> Result<(), Failure> {
        given(a.iter().all(|each| result.push(&each.all)))
    }

    fn wide(&self, _: &Caller, a: &Wide) -> Result<Wide, Failure> {
        Ok(a.clone())
    }

    fn unsigned_(&self, _: &Caller, a: &Unsigned) -> Result<Unsigned, Failure> {
        Ok(a.clone())
    }

    fn small(&self, _: &Caller, a: &Small) -> Result<Small, Failure> {
        Ok(a.clone())
    }

    fn truth(&self, _: &Caller, a: &Truth) -> Result<Truth, Failure> {
        Ok(a.clone())
    }

    fn letter_(&self, _: &Caller, a: &Letter) -> Result<Letter, Failure> {
        Ok(a.clone())
    }

    fn alone(&self, _: &Caller, a: &Alone) -> Result<Alone, Failure> {
        Ok(a.clone())
    }

    fn raise(&self, _: &Caller, text: &[u8]) -> Result<(), ExtremesRaiseError> {
        Err(if text.is_empty() { Nothing {}.into() } else { Much { text: text.to_vec() }.into() })
    }

    fn self_(&self, _: &Caller, _: PortalIn<'_, Extremes>) -> Result<Served<Extremes>, Failure> {
        Ok(Extremes::serve(Mirror))
    }

    fn selves(&self, _: &Caller, a: &[PortalIn<'_, Extremes>]) -> Result<Vec<Served<Extremes>>, Failure> {
        let own = Extremes::serve(Mirror);
        Ok(a.iter().map(|_| own.clone()).collect())
    }

    fn tell(&self, _: &Caller, _: &[u8]) -> Result<(), Failure> {
        Ok(())
    }
}

/// What the client in Rust does.
fn exercise(address: &Address) {
    let session = RemoteSession::connect(address, ConnectOptions::default()).unwrap();
    let to = Extremes::from_portal(session.root());
    numbers(&to);
    blocks(&to);
    texts(&to);
    lists(&to);
    unions(&to);
    objects(&to);
}

fn refused<T: std::fmt::Debug>(outcome: Result<T, Failure>) {
    let failure = outcome.unwrap_err();
    assert_eq!(failure.kind(), Kind::BadArgument, "{failure}");
}

fn numbers(to: &Extremes) {
    let (mut a, mut b, mut c, mut d, mut e, mut f) = (A_MIN, B_MAX, C_MIN, D_MAX, E_MIN, F_MAX);
    let (mut g, mut h, mut i, mut j, mut k) = (G_MIN, i64::MAX as u64, I_MAX, J_LEAST, K_LEAST);
    to.numbers(&mut a, &mut b, &mut c, &mut d, &mut e, &mut f, &mut g, &mut h, &mut i, &mut j, &mut k)
        .unwrap();
    assert_eq!((a, b, c, d, e, f, g, h, i), (A_MAX, 0, i16::MAX, 0, i32::MAX, 0, G_MAX, 0, 0));
    assert_eq!((j.to_bits(), k.to_bits()), ((-J_LEAST).to_bits(), (-K_LEAST).to_bits()));
    h = H_MAX;
    refused(
        to.numbers(&mut a, &mut b, &mut c, &mut d, &mut e, &mut f, &mut g, &mut h, &mut i, &mut j, &mut k),
    );
    assert_eq!(to.only(Only::One).unwrap(), (Only::One, Only::One));
    assert_eq!((J_MAX, K_MAX, SILENCE), (f32::MAX, f64::MAX, ""));
}

fn blocks(to: &Extremes) {
    let words: [i64; 64] = std::array::from_fn(|index| i64::MIN + index as i64);
    let half: [i64; 32] = std::array::from_fn(|index| index as i64);
    assert_eq!((to.many(&half).unwrap()[0], to.last(&[7; 63]).unwrap()), (31, 7));
    let mut whole = words;
    to.same(&mut whole).unwrap();
    assert_eq!((whole[0], whole[63]), (i64::MAX, i64::MAX - 63));
    let most = Most { at: words };
    to.first(&most).unwrap();
    assert_eq!(to.mosts(&vec![most.clone(); 4]).unwrap(), vec![most.clone(); 4]);
    refused(to.mosts(&vec![most; 5]));
    let bytes = Bytes { all: [0xfe; 4096] };
    assert_eq!(to.block(&bytes).unwrap(), bytes);
    assert_eq!(to.blocks(&vec![bytes.clone(); 3]).unwrap(), vec![bytes; 3]);
    let mut letters: [Vec<u8>; 32] = std::array::from_fn(|index| vec![0xff; index % 2]);
    assert_eq!(to.letters(&letters).unwrap(), letters);
    letters[31].push(b'b');
    refused(to.letters(&letters));
}

fn texts(to: &Extremes) {
    let (much, too_much) = (vec![b'm'; MUCH], vec![b'm'; TOO_MUCH]);
    assert_eq!((to.letter(b"m").unwrap(), to.piece(b"m").unwrap()), (b"m".to_vec(), b"m".to_vec()));
    refused(to.letter(b"mm"));
    refused(to.piece(b"mm"));
    assert!(to.text(&much).unwrap() == much && to.bytes(&much).unwrap() == much);
    assert_eq!(to.count(&much).unwrap() as usize, MUCH);
    assert!(
        to.make(MUCH as i64).unwrap() == (i64::MIN, much.clone()) && to.made(MUCH as i64).unwrap() == much
    );
    assert_eq!(to.made(-1), Err(CallError::Raised(Nothing {})));
    // Within their bounds, and more than a message holds: an error, and the session goes on.
    refused(to.text(&too_much));
    refused(to.bytes(&too_much));
    refused(to.count(&too_much));
    refused(to.tell(&too_much));
    assert_eq!(to.make(TOO_MUCH as i64).unwrap_err().kind(), Kind::Service);
    let Err(CallError::Failed(failure)) = to.made(TOO_MUCH as i64) else { panic!("made") };
    assert_eq!(failure.kind(), Kind::Service);
    refused(to.count(&[&too_much[..], b"m"].concat()));
    to.tell(&much).unwrap();
    let text = vec![b'm'; 8192];
    let much = ExtremesRaiseError::Much(Much { text: text.clone() });
    assert_eq!(to.raise(&text), Err(CallError::Raised(much)));
    assert_eq!(to.raise(b""), Err(CallError::Raised(ExtremesRaiseError::Nothing(Nothing {}))));
}

fn lists(to: &Extremes) {
    let longs: Vec<i64> = (0..65_536).map(|index| i64::MIN + index).collect();
    assert!(to.longs(&longs).unwrap() == longs);
    refused(to.longs(&[&longs[..], &[0]].concat()));
    assert_eq!(to.truths(&[true]).unwrap(), [true]);
    refused(to.truths(&[true, true]));
    let texts: Vec<Vec<u8>> = (0..40_000).map(|index| vec![b'm'; index % 2]).collect();
    assert!(to.texts(&texts).unwrap() == texts);
    refused(to.texts(&vec![vec![]; 65_537]));
    let tomes = vec![vec![b'm'; 400_000]; 2];
    assert!(to.tomes(&tomes).unwrap() == tomes);
    refused(to.tomes(&[vec![b'm'; TOO_MUCH]]));
}

fn unions(to: &Extremes) {
    for wide in [
        Wide::Least(i64::MIN),
        Wide::Bytes([0xfd; 4096]),
        Wide::Other(0, Inner { one: [9], is_set: true }),
        Wide::Other(i64::MIN + 1, Inner { one: [9], is_set: false }),
    ] {
        assert_eq!(to.wide(&wide).unwrap(), wide);
    }
    refused(to.wide(&Wide::Other(i64::MIN, Inner { one: [9], is_set: true })));
    for one in [Unsigned::Most(b"x".to_vec()), Unsigned::None(Only::One)] {
        assert_eq!(to.unsigned_(&one).unwrap(), one);
    }
    for small in [Small::Least(true), Small::Most(K_MAX)] {
        assert_eq!(to.small(&small).unwrap(), small);
    }
    for truth in [Truth::Yes(Only::One), Truth::No(i64::MAX as u64)] {
        assert_eq!(to.truth(&truth).unwrap(), truth);
    }
    refused(to.truth(&Truth::No(1 << 63)));
    for letter in [Letter::Most(255), Letter::Least(J_LEAST)] {
        assert_eq!(to.letter_(&letter).unwrap(), letter);
    }
    assert_eq!(to.alone(&Alone::Piece(vec![0])).unwrap(), Alone::Piece(vec![0]));
    refused(to.alone(&Alone::Piece(vec![0; 2])));
}

fn objects(to: &Extremes) {
    assert_eq!(to.self_(to).unwrap().only(Only::One).unwrap(), (Only::One, Only::One));
    let selves = to.selves(&vec![to.clone(); 255]).unwrap();
    assert_eq!((selves.len(), selves[254].count(b"123").unwrap()), (255, 3));
    // A message has no more portals, whatever the bound of its lists.
    refused(to.selves(&vec![to.clone(); 256]));
}

/// What the client in C does.
fn exercise_from_c(programs: &[std::path::PathBuf], path: &Path) {
    for program in programs {
        for scheme in ["unix", "shm"] {
            let address = format!("{scheme}:{}", path.display());
            let output = Command::new(program).arg(&address).output().unwrap();
            assert!(output.status.success(), "{address}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn a_server_in_rust() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let serve = |_: &Caller| Ok(Capability::new(Extremes::serve(Mirror).into_object()));
    let server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), serve).unwrap();
    for address in [Address::Unix(path.clone()), Address::Shared(path.clone())] {
        exercise(&address);
    }
    exercise_from_c(&in_c::built("in_rust", module(), &["extremes"], &[]), &path);
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

/// Of a list nobody knows before how many it has, if it may have more than a message.
#[test]
fn what_a_call_made_and_cannot_hand_out_is_told_as_done() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let mut options = ServerOptions::default();
    options.limits.portals_max = 2;
    let serve = |_: &Caller| Ok(Capability::new(Extremes::serve(Mirror).into_object()));
    let server = Server::listen(&address, options, serve).unwrap();
    let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
    let root = Extremes::from_portal(session.root());
    let own = root.self_(&root).unwrap();
    let failed = |failure: Failure| (failure.kind(), failure.details().message.clone());
    let full = "the session holds 2 portals, as many as it may; release some";
    assert_eq!(failed(root.self_(&root).unwrap_err()), (Kind::Refused, full.to_owned()));
    let done = format!("the call was done, but what it made cannot be handed out: {full}");
    assert_eq!(failed(root.selves(std::slice::from_ref(&own)).unwrap_err()), (Kind::Service, done));
    drop(own);
    assert_eq!(root.selves(std::slice::from_ref(&root)).unwrap().len(), 1);
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

#[test]
fn a_server_in_c() {
    let clients = in_c::built("in_c", module(), &["extremes"], &[]);
    let options = ["-DCARNET_STUBS=\"extremes.h\"", "-DCARNET_ROOT=extremes_Extremes", "carnet_main.c"];
    for program in in_c::built("in_c", module(), &["extremes_server"], &options) {
        let server = ServerInC::start(&program);
        let path = &server.path;
        for address in [Address::Unix(path.clone()), Address::Shared(path.clone())] {
            exercise(&address);
        }
        exercise_from_c(&clients, path);
    }
}

/// One that copies has room for what it copies, or says that it has not.
#[test]
fn a_server_in_c_without_room_says_so() {
    let options = [
        "-DCARNET_STUBS=\"extremes.h\"",
        "-DCARNET_ROOT=extremes_Extremes",
        "-DCARNET_COPY",
        "carnet_main.c",
    ];
    for program in in_c::built("without_room", module(), &["extremes_server"], &options) {
        let directory = tempfile::tempdir().unwrap();
        let output = Command::new(program).arg(directory.path().join("s")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(7), "{text}");
        assert!(text.contains("CARNET_FRAME_BYTES_MAX is too small"), "{text}");
    }
}
