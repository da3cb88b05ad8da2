//! Generated stubs against each other, over both transports; then against peers that lie.
//!
//! The stubs are the golden text of the interface compiler for `everything.idl`, which has one operation for each
//! thing that a stub must be able to do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Area, Areas, Call, Caller, Failure, Kind, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::{Block, OpNumber, Portal, PortalId, Transport};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{BytesOut, CallError, PortalIn, Served};
use every::*;

mod every {
    include!("../../idl/tests/cases/modules/everything.rs");
}

/// Gives back what it gets, changed a little.
struct Parrot {
    number: i64,
}

impl EchoService for Parrot {
    fn add(&self, _: &Caller, i: i64, j: i64, k: i64) -> Result<i64, Failure> {
        Ok(i.wrapping_add(j).wrapping_add(k).wrapping_add(self.number))
    }

    fn flip(&self, _: &Caller, on: bool) -> Result<bool, Failure> {
        Ok(!on)
    }

    fn octets(&self, _: &Caller, a: u8) -> Result<(u8, u8), Failure> {
        Ok((a, !a))
    }

    fn shorts(&self, _: &Caller, a: i16, b: u16) -> Result<(i16, u16), Failure> {
        Ok((a, b))
    }

    fn longs(&self, _: &Caller, a: i32, b: u32) -> Result<(i32, u32), Failure> {
        Ok((a, b))
    }

    fn wide(&self, _: &Caller, a: u64) -> Result<u64, Failure> {
        // A service that breaks its own interface: there is no such number.
        Ok(if a == 13 { u64::MAX } else { a })
    }

    fn colors(&self, _: &Caller, a: Color) -> Result<(Color, Color), Failure> {
        Ok((a, Color::DarkGreen))
    }

    fn texts(
        &self,
        _: &Caller,
        a: &[u8],
        result: &mut BytesOut<'_>,
        b: &mut BytesOut<'_>,
    ) -> Result<(), Fault> {
        if !result.extend(a) {
            return Err(Fault::new(Reason::Broken, "a text of more than 16 bytes; more than 20 with this"));
        }
        let extended = if a == b"nul" { b.extend(b"\0") } else { b.extend(b"b") };
        assert!(extended && !b.extend(b"more") && b.room() == 3);
        Ok(())
    }

    fn blobs(&self, _: &Caller, a: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        let half = a.len() / 2;
        result.space(half).copy_from_slice(&a[..half]);
        let read = result.fill(100, |vec, room| {
            vec.extend_from_slice(&a[half..]);
            // Too much, and cut off.
            vec.extend_from_slice(&[0; 100]);
            room
        });
        assert_eq!(read, 8 - half);
        result.truncate(a.len());
        Ok(())
    }

    fn spots(&self, _: &Caller, a: &[Spot], result: &mut SpotList<'_>) -> Result<i32, Failure> {
        for spot in a.iter().cycle().take(if a.is_empty() { 0 } else { 5 }) {
            let fits = result.push(&spot.name, &spot.at, spot.color, &spot.digest, spot.id);
            assert_eq!(fits, !spot.name.contains(&0) && result.len() <= 4 && fits);
        }
        Ok(i32::try_from(result.len()).unwrap_or(-1))
    }

    fn numbers(&self, _: &Caller, a: &[i32], result: &mut I32List<'_>) -> Result<(), Failure> {
        assert!(a.iter().all(|number| result.push(*number)));
        Ok(())
    }

    fn others(&self, _: &Caller, a: &[I32], result: &mut I32List_<'_>) -> Result<(), Failure> {
        assert!(a.iter().all(|other| result.push(other.value)));
        Ok(())
    }

    fn words(&self, _: &Caller, a: &[Vec<u8>], result: &mut String5List<'_>) -> Result<(), Failure> {
        for word in a {
            // `grow` breaks the bound of a word; what is pushed after it is lost with the call.
            let longer = if word == b"grow" { b"longer".to_vec() } else { word.clone() };
            assert_eq!(result.push(&longer), longer.len() <= 5);
        }
        Ok(())
    }

    fn palette(
        &self,
        _: &Caller,
        a: &[Color],
        result: &mut ColorList<'_>,
        b: &mut BoolList<'_>,
    ) -> Result<(), Failure> {
        assert!(a.iter().all(|color| result.push(*color) && b.push(*color == Color::Red)));
        Ok(())
    }

    fn ids(&self, _: &Caller, a: &[u64], result: &mut U64List<'_>) -> Result<(), Failure> {
        assert!(a.iter().all(|id| result.push(*id)));
        Ok(())
    }

    fn move_spot(&self, _: &Caller, a: &Spot, by: &Point) -> Result<Spot, Failure> {
        let at = Point { x: a.at.x + by.x, y: a.at.y + by.y };
        let name = if a.name == b"long" { vec![b'x'; 65] } else { a.name.clone() };
        Ok(Spot { at, name, ..a.clone() })
    }

    fn bump(&self, _: &Caller, a: &mut i32, b: &mut Plain, by: i32) -> Result<i32, Failure> {
        *a += by;
        *b = Plain { on: !b.on, color: Color::Self_, level: b.level + 1 };
        Ok(*a * 10)
    }

    fn count(
        &self,
        _: &Caller,
        a: &mut u64,
        b: &mut bool,
        c: &mut Color,
        d: &mut i64,
        fail: i32,
    ) -> Result<(), Failure> {
        (*a, *b, *c, *d) = (*a + 1, !*b, Color::Red, -*d);
        if fail == 0 { Ok(()) } else { Err(Failure::new(Kind::Refused, "as you wished")) }
    }

    fn nothing(&self, _: &Caller) -> Result<(), Failure> {
        Ok(())
    }

    fn fail(&self, _: &Caller, color: Color) -> Result<(), Fault> {
        Err(Fault::new(Reason::Broken, color.name()))
    }

    fn again(&self, _: &Caller, other: PortalIn<'_, Echo>) -> Result<(Served<Echo>, Served<Box>), Failure> {
        let other: &Parrot = other.local().ok_or_else(|| Failure::service("not mine"))?;
        Ok((Echo::serve(Parrot { number: other.number + 1 }), Box::serve(Held(self.number))))
    }

    fn r#type(&self, _: &Caller, a: i32, b: i32, c: i32, d: i32) -> Result<(i32, i32), Failure> {
        Ok((a + b, c + d))
    }
}

struct Held(i64);

impl BoxService for Held {
    fn put(&self, _: &Caller, value: i64) -> Result<(), Failure> {
        if value == self.0 { Ok(()) } else { Err(Failure::new(Kind::Refused, "another value")) }
    }

    fn get(&self, _: &Caller) -> Result<i64, Failure> {
        Ok(self.0)
    }

    fn parse(&self, _: &Caller, text: &[u8]) -> Result<Served<Box>, Failure> {
        Ok(Box::serve(Held(i64::try_from(text.len()).unwrap_or(0))))
    }

    fn work(&self, _: &Caller, n: i64) -> Result<i64, Failure> {
        Ok(n / 2)
    }
}

fn parrot() -> Capability {
    Capability::new(Echo::serve(Parrot { number: 0 }).into_object())
}

fn spot(name: &[u8]) -> Spot {
    let at = Point { x: -3, y: u16::MAX - 1 };
    Spot { name: name.to_vec(), at, color: Color::Self_, digest: vec![0, 1, 255], id: i64::MAX as u64 }
}

fn local() -> Echo {
    Echo::from_portal(LocalSession::new(parrot(), Caller::local()).root())
}

#[test]
fn in_the_same_thread() {
    exercise(&local());
}

#[test]
fn over_a_socket() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let server = Server::listen(&address, ServerOptions::default(), |_: &Caller| Ok(parrot())).unwrap();
    let transport = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
    exercise(&Echo::from_portal(transport.root()));
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

fn exercise(echo: &Echo) {
    scalars(echo);
    data(echo);
    lists(echo);
    portals(echo);
    faults_of_the_caller(echo);
    faults_of_the_service(echo);
}

fn scalars(echo: &Echo) {
    assert_eq!(echo.add(1, -2, i64::MAX).unwrap(), i64::MAX - 1);
    assert!(echo.flip(false).unwrap() && !echo.flip(true).unwrap());
    assert_eq!(echo.octets(200).unwrap(), (200, 55));
    assert_eq!(echo.shorts(i16::MIN, u16::MAX).unwrap(), (i16::MIN, u16::MAX));
    assert_eq!(echo.longs(i32::MIN, u32::MAX).unwrap(), (i32::MIN, u32::MAX));
    assert_eq!(echo.wide(i64::MAX as u64).unwrap(), i64::MAX as u64);
    assert_eq!(echo.colors(Color::Self_).unwrap(), (Color::Self_, Color::DarkGreen));
    assert_eq!(echo.r#type(1, 2, 3, 4).unwrap(), (3, 7));
    echo.nothing().unwrap();
    let (mut a, mut b) = (4, Plain { on: false, color: Color::Red, level: 7 });
    let (mut c, mut d, mut e, mut f) = (1, true, Color::Self_, 5);
    echo.count(&mut c, &mut d, &mut e, &mut f, 1).unwrap_err();
    assert_eq!((c, d, e, f), (1, true, Color::Self_, 5), "a failed call changes nothing");
    echo.count(&mut c, &mut d, &mut e, &mut f, 0).unwrap();
    assert_eq!((c, d, e, f), (2, false, Color::Red, -5));
    assert_eq!(echo.bump(&mut a, &mut b, -6).unwrap(), -20);
    assert_eq!((a, b), (-2, Plain { on: true, color: Color::Self_, level: 8 }));
}

fn data(echo: &Echo) {
    assert_eq!(echo.texts(b"").unwrap(), (b"".to_vec(), b"b".to_vec()));
    assert_eq!(echo.texts(b"\xff\xfe sixteen ok").unwrap().0, b"\xff\xfe sixteen ok");
    assert_eq!(echo.blobs(b"").unwrap(), b"");
    assert_eq!(echo.blobs(b"\0\x01\x02\x03\x04\x05\x06\x07").unwrap(), b"\0\x01\x02\x03\x04\x05\x06\x07");
    let moved = echo.move_spot(&spot(b"here"), &Point { x: 1, y: 1 }).unwrap();
    assert_eq!(moved, Spot { at: Point { x: -2, y: u16::MAX }, ..spot(b"here") });
}

fn lists(echo: &Echo) {
    assert_eq!(echo.spots(&[]).unwrap(), (vec![], 0));
    let two = [spot(b"one"), spot(b"")];
    let (found, count) = echo.spots(&two).unwrap();
    assert_eq!((&found[..2], found.len(), count), (&two[..], 4, 4));
    assert_eq!(echo.numbers(&[i32::MIN, 0, i32::MAX]).unwrap(), [i32::MIN, 0, i32::MAX]);
    assert_eq!(echo.others(&[I32 { value: 7 }]).unwrap(), [I32 { value: 7 }]);
    let words = [b"a".to_vec(), b"".to_vec(), b"five5".to_vec()];
    assert_eq!(echo.words(&words).unwrap(), words);
    let palette = echo.palette(&[Color::Red, Color::Self_]).unwrap();
    assert_eq!(palette, (vec![Color::Red, Color::Self_], vec![true, false]));
    assert_eq!(echo.ids(&[0, i64::MAX as u64]).unwrap(), [0, i64::MAX as u64]);
}

fn portals(echo: &Echo) {
    let (next, held) = echo.again(echo).unwrap();
    assert_eq!(next.add(0, 0, 0).unwrap(), 1);
    assert_eq!(next.again(&next).unwrap().0.add(0, 0, 0).unwrap(), 2);
    assert_eq!((held.get().unwrap(), held.work(9).unwrap()), (0, 4));
    held.put(0).unwrap();
    assert_eq!(held.put(1).unwrap_err().kind(), Kind::Refused);
    assert_eq!(held.parse(b"four").unwrap().get().unwrap(), 4);
    // A portal of the wrong interface, which the type system would not let through by itself.
    let disguised = Echo::from_portal(held.portal().clone());
    assert_eq!(echo.again(&disguised).unwrap_err().kind(), Kind::BadArgument);
}

/// Found by the client: nothing is sent.
fn faults_of_the_caller(echo: &Echo) {
    let failures = [
        echo.wide(1 << 63).unwrap_err(),
        echo.blobs(&[0; 9]).unwrap_err(),
        echo.spots(&vec![spot(b"x"); 5]).unwrap_err(),
        echo.spots(&[spot(b"a\0b")]).unwrap_err(),
        echo.words(&[b"sixsix".to_vec()]).unwrap_err(),
        echo.ids(&[u64::MAX]).unwrap_err(),
        echo.move_spot(&spot(&[b'x'; 65]), &Point { x: 0, y: 0 }).unwrap_err(),
    ];
    for failure in &failures {
        assert_eq!(failure.kind(), Kind::BadArgument, "{failure}");
    }
    assert_eq!(failures[1].to_string(), "Echo.blobs: argument `a` is longer than its bound");
    let CallError::Failed(failure) = echo.texts(b"a\0").unwrap_err() else { panic!("not raised") };
    assert_eq!(failure.to_string(), "Echo.texts: argument `a` contains a NUL byte");
}

fn faults_of_the_service(echo: &Echo) {
    assert_eq!(echo.fail(Color::DarkGreen), Err(CallError::Raised(Fault::new(Reason::Broken, "dark_green"))));
    let raised = echo.texts(b"more than sixteen").unwrap_err();
    assert_eq!(raised, CallError::Raised(Fault::new(Reason::Broken, "a text of more than ")));
    let CallError::Failed(nul) = echo.texts(b"nul").unwrap_err() else { panic!("not raised") };
    assert_eq!(nul.kind(), Kind::Service);
    let failures = [
        echo.wide(13).unwrap_err(),
        echo.words(&[b"grow".to_vec()]).unwrap_err(),
        echo.move_spot(&spot(b"long"), &Point { x: 0, y: 0 }).unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.kind(), Kind::Service, "{failure}");
    }
    assert_eq!(echo.add(1, 1, 1).unwrap(), 3, "it goes on after failures");
}

/// Dispatches one hand-made block; the words after it.
fn dispatch(op: u16, words: &[u64], areas: Vec<Area>) -> Result<(Vec<u64>, Areas), Failure> {
    let (mut words, mut areas) = (words.to_vec(), Areas { list: areas });
    let (portals, mut made, caller) = (vec![None, Some(parrot())], vec![], Caller::local());
    let object = Echo::serve(Parrot { number: 0 }).into_object();
    let mut call =
        Call { words: &mut words, areas: &mut areas, portals: &portals, made: &mut made, caller: &caller };
    object.dispatch(op, &mut call).map(|()| (words, areas))
}

fn bytes(bytes: &[u8]) -> Area {
    Area { bytes: bytes.to_vec(), words: vec![] }
}

fn list(words: &[u64], text: &[u8]) -> Area {
    Area { bytes: text.to_vec(), words: words.to_vec() }
}

fn at(area: usize, offset: usize, len: usize) -> u64 {
    Ref::new(area, offset, len).unwrap().0
}

#[test]
fn words_of_blocks_are_as_the_layout_says() {
    assert_eq!(
        dispatch(0, &[1, 2, -5_i64 as u64, 99], vec![]).unwrap().0,
        [1, 2, -5_i64 as u64, -2_i64 as u64]
    );
    assert_eq!(dispatch(3, &[-1_i64 as u64, 65535, 0, 0], vec![]).unwrap().0[2..], [-1_i64 as u64, 65535]);
    // In, inout, out: by | a, on, color, level | sum, although `a` and `b` are declared before `by`.
    let bumped = dispatch(16, &[2, 40, 0, 1, 6, 0], vec![]).unwrap().0;
    assert_eq!(bumped, [2, 42, 1, 2, 7, 420]);
    // The result is before the other outs, whichever was declared first.
    let text = vec![bytes(b"..hello.."), bytes(b"old"), bytes(b"old")];
    let (words, areas) = dispatch(7, &[at(0, 2, 5), at(1, 0, 0), at(2, 0, 0)], text).unwrap();
    assert_eq!(words, [at(0, 2, 5), at(1, 0, 5), at(2, 0, 1)]);
    assert_eq!((&areas.list[1].bytes[..], &areas.list[2].bytes[..]), (&b"hello"[..], &b"b"[..]));
}

#[test]
fn bad_blocks_are_the_callers_fault_or_ours() {
    let spots = |words: &[u64], text: &[u8]| {
        (9, vec![at(0, 0, 0), at(1, 0, 0), 0], vec![list(words, text), bytes(b"")])
    };
    let good = [at(0, 0, 1), 0, 0, 0, at(0, 0, 1), 0];
    let change = |index: usize, value: u64| {
        let mut words = good;
        words[index] = value;
        spots(&words, b"a")
    };
    let (op, words, areas) = spots(&good, b"a");
    dispatch(op, &words, areas).unwrap();
    let bad: Vec<(u16, Vec<u64>, Vec<Area>)> = vec![
        (1, vec![2, 0], vec![]),
        (2, vec![256, 0, 0], vec![]),
        (2, vec![-1_i64 as u64, 0, 0], vec![]),
        (3, vec![32768, 0, 0, 0], vec![]),
        (3, vec![0, 65536, 0, 0], vec![]),
        (4, vec![1 << 31, 0, 0, 0], vec![]),
        (5, vec![1 << 63, 0], vec![]),
        (6, vec![3, 0, 0], vec![]),
        (8, vec![at(0, 0, 3), at(1, 0, 0)], vec![bytes(b"ab"), bytes(b"")]),
        (8, vec![at(0, 3, 0), at(1, 0, 0)], vec![bytes(b"ab"), bytes(b"")]),
        (8, vec![at(0, 0, 9), at(1, 0, 0)], vec![bytes(&[0; 9]), bytes(b"")]),
        (8, vec![at(2, 0, 0), at(1, 0, 0)], vec![bytes(b"ab"), bytes(b"")]),
        (8, vec![at(0, 0, 1), at(7, 0, 0)], vec![bytes(b"ab"), bytes(b"")]),
        (8, vec![at(0, 0, 1), at(0, 0, 0)], vec![bytes(b"ab")]),
        (7, vec![at(0, 0, 2), at(1, 0, 0), at(2, 0, 0)], vec![bytes(b"a\0"), bytes(b""), bytes(b"")]),
        spots(&good[..5], b"a"),
        spots(&[good; 5].concat(), b"a"),
        change(0, at(0, 1, 1)),
        change(0, at(0, 0, 65)),
        change(1, 32768),
        change(3, 3),
        change(4, at(0, 0, 17)),
        change(5, u64::MAX),
        spots(&good, b"\0"),
        (20, vec![0, 0, 0], vec![]),
        (20, vec![2, 0, 0], vec![]),
        (20, vec![u64::MAX, 0, 0], vec![]),
    ];
    for (op, words, areas) in bad {
        let failure = dispatch(op, &words, areas).unwrap_err();
        assert_eq!(failure.kind(), Kind::BadArgument, "operation {op} of {words:?}: {failure}");
    }
    assert_eq!(dispatch(0, &[1, 2, 3], vec![]).unwrap_err().kind(), Kind::Internal);
    assert_eq!(dispatch(22, &[], vec![]).unwrap_err().kind(), Kind::NoSuchOperation);
    assert_eq!(dispatch(u16::MAX, &[], vec![]).unwrap_err().kind(), Kind::NoSuchOperation);
}

#[test]
fn a_revoked_portal_says_so() {
    let capability = parrot();
    capability.grant().revoke();
    let (mut words, mut areas, mut made, caller) = ([0; 3], Areas::default(), vec![], Caller::local());
    let portals = [Some(capability)];
    let mut call =
        Call { words: &mut words, areas: &mut areas, portals: &portals, made: &mut made, caller: &caller };
    let failure = Echo::serve(Parrot { number: 0 }).object().dispatch(20, &mut call).unwrap_err();
    assert_eq!(failure.kind(), Kind::Revoked);
}

/// A peer whose replies are whatever the test says.
struct Liar<F>(F);

impl<F: Fn(&mut Block<'_>) -> Result<(), Failure> + Send + Sync + 'static> Transport for Liar<F> {
    fn call(self: Arc<Self>, _: PortalId, _: OpNumber, block: &mut Block<'_>) -> Result<(), Failure> {
        (self.0)(block)
    }

    fn release(&self, _: PortalId, _: u32) {}
}

fn lying(reply: impl Fn(&mut Block<'_>) -> Result<(), Failure> + Send + Sync + 'static) -> Echo {
    Echo::from_portal(Portal::new(Arc::new(Liar(reply)), PortalId::ROOT))
}

/// A peer that fills all outs with `word` and all outputs with `area`.
fn filling(word: u64, area: Area) -> Echo {
    lying(move |block| {
        block.words.iter_mut().for_each(|w| *w = word);
        block.outputs.iter_mut().for_each(|output| output.clone_from(&area));
        Ok(())
    })
}

#[test]
fn bad_replies_are_the_peers_fault() {
    let strange = filling(u64::MAX >> 1, list(&[5; 8], &[0; 100]));
    let cut = filling(0, list(&[at(0, 90, 20), 0, 0, 0, 0, 0], &[1; 100]));
    let many = filling(0, list(&[0; 100], b""));
    let spare = Plain { on: true, color: Color::Red, level: 0 };
    let (mut a, mut b) = (5, spare.clone());
    let failures = [
        strange.flip(true).unwrap_err(),
        strange.octets(1).unwrap_err(),
        strange.shorts(1, 1).unwrap_err(),
        strange.longs(1, 1).unwrap_err(),
        strange.colors(Color::Red).unwrap_err(),
        strange.blobs(b"").unwrap_err(),
        strange.spots(&[]).unwrap_err(),
        strange.words(&[]).unwrap_err(),
        strange.numbers(&[]).unwrap_err(),
        strange.palette(&[]).unwrap_err(),
        strange.move_spot(&spot(b""), &Point { x: 0, y: 0 }).unwrap_err(),
        strange.bump(&mut a, &mut b, 1).unwrap_err(),
        strange.again(&strange).unwrap_err(),
        filling(u64::MAX, Area::default()).wide(1).unwrap_err(),
        cut.spots(&[]).unwrap_err(),
        many.numbers(&[]).unwrap_err(),
    ];
    for (number, failure) in failures.iter().enumerate() {
        assert_eq!(failure.kind(), Kind::Protocol, "{number}: {failure}");
    }
    assert_eq!((a, b), (5, spare), "a bad reply changes nothing");
    assert!(
        matches!(strange.texts(b""), Err(CallError::Failed(failure)) if failure.kind() == Kind::Protocol)
    );
    assert_eq!(failures[0].to_string(), "Echo.flip: a result of the reply is not a value of its type");
}

#[test]
fn exceptions_that_the_operation_has_not_are_the_peers_fault() {
    let unknown = lying(|_| Err(Failure::raised(2, "x".to_owned())));
    assert!(matches!(unknown.fail(Color::Red), Err(CallError::Failed(f)) if f.kind() == Kind::Protocol));
    assert_eq!(unknown.nothing().unwrap_err().kind(), Kind::Protocol);
    let lost = lying(|_| Err(Failure::new(Kind::PeerDied, "gone")));
    assert!(matches!(lost.fail(Color::Red), Err(CallError::Failed(f)) if f.kind() == Kind::PeerDied));
}

#[test]
fn lists_are_full_before_they_outgrow_a_message() {
    let mut area = Area::default();
    let mut list = carnet_portal::stub::ListOut::new(&mut area, 1 << 16);
    let mut pushed = 0;
    while list.push(|area| Ok([carnet_portal::stub::add_bytes(area, &[7; 1000], 1000)?, 0])) {
        pushed += 1;
    }
    assert_eq!((pushed, list.len()), ((1 << 20) / 1016, pushed));
    list.finish("x").unwrap();
    assert_eq!((area.words.len(), area.bytes.len()), (pushed * 2, pushed * 1000));
}
