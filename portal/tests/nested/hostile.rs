//! Requests and replies that no stub sends: every packed list is looked at as a whole before anything of it is believed.

use carnet_portal::call::{Area, Areas, Call, Caller, Details, Failure, Kind, MEMBERS, Ref};
use carnet_portal::portal::{Block, Input, OpNumber};
use carnet_portal::stub::{self, Exception as _, Interface as _, Wrong};

use super::nested::*;
use super::{Shop, choices, row, shelf};

fn at(area: usize, offset: usize, len: usize) -> u64 {
    Ref::new(area, offset, len).unwrap().0
}

/// A packed list of these words and bytes.
fn packed(count: u64, words: &[u64], bytes: &[u8]) -> Vec<u8> {
    let words: Vec<u8> = std::iter::once(&count).chain(words).flat_map(|word| word.to_le_bytes()).collect();
    [&words[..], bytes].concat()
}

/// Dispatches `take` with these rows, packed, and two texts as words.
fn take(rows: &[u8], words: &[u8]) -> Result<(), Failure> {
    let (op, operation) = module().interfaces[0].operation("take").unwrap();
    let mut block = vec![0; operation.layout.words()];
    block[..3].copy_from_slice(&[0, at(0, 0, rows.len()), at(0, rows.len(), words.len())]);
    let mut areas = Areas { list: vec![Area { bytes: [rows, words].concat(), words: vec![] }] };
    areas.list.resize_with(block.len() + 1, Area::default);
    for (place, word) in block.iter_mut().enumerate().skip(4) {
        *word = at(place, 0, 0);
    }
    let (mut made, caller) = (vec![], Caller::local());
    let mut call =
        Call { words: &mut block, areas: &mut areas, portals: &[], made: &mut made, caller: &caller };
    Store::serve(Shop::default()).into_object().dispatch(op, &mut call)
}

/// Two rows, of a name and points each: good, and what it becomes when something of it is not.
#[test]
fn packed_lists_of_requests_are_exact() {
    let points = packed(1, &[5, 6], &[]);
    let bytes = [b"name", &points[..]].concat();
    let len = points.len();
    let two = [at(0, 0, 4), at(0, 4, len), at(0, 0, 0), at(0, 4 + len, 0)];
    let good = packed(2, &two, &bytes);
    take(&good, &[]).unwrap();
    // No bytes at all are no elements, and no element may be without words.
    take(&[], &[]).unwrap();
    take(&packed(0, &[], &[]), &packed(0, &[], &[])).unwrap();

    for cut in 1..good.len() {
        assert_eq!(
            take(&good[..cut], &[]).map_err(|failure| failure.kind()),
            Err(Kind::BadArgument),
            "{cut}"
        );
    }
    let counted = |count| packed(count, &two, &bytes);
    let named = |name: u64, points: u64| packed(1, &[name, points], &bytes);
    let within = |inner: Vec<u8>| packed(1, &[0, at(0, 0, inner.len())], &inner);
    let wrong = [
        packed(2, &two, &[&bytes[..], b"nobody's"].concat()),
        packed(0, &[], b"x"),
        counted(3),
        counted(u64::MAX),
        counted(1 << 60),
        counted(1 << 61 | 1),
        named(at(1, 0, 4), at(0, 4, len)),
        named(at(0, bytes.len(), 1), 0),
        named(at(0, 0, bytes.len() + 1), 0),
        named(at(0, Ref::OFFSET_MAX, Ref::LEN_MAX), 0),
        named(u64::MAX, 0),
        named(at(0, 0, 4), 0),
        named(0, at(0, 4, len - 1)),
        named(0, at(0, 4, len + 1)),
        named(0, at(0, 5, len)),
        named(0, at(0, 4, 7)),
        // A name and points that share bytes.
        named(at(0, 4, 8), at(0, 4, len)),
        within(packed(4, &[0; 8], &[])),
        within(packed(2, &[0; 3], &[])),
        within(packed(u64::MAX, &[0; 8], &[])),
        within(packed(1, &[1 << 31, 0], &[])),
        within(packed(1, &[0, 1 << 63], &[])),
    ];
    for (number, rows) in wrong.iter().enumerate() {
        assert_eq!(take(rows, &[]).map_err(|failure| failure.kind()), Err(Kind::BadArgument), "{number}");
    }
    // Two elements that name the same bytes.
    let sharing = packed(2, &[at(0, 0, 4), at(0, 4, len), at(0, 0, 4), 0], &bytes);
    let failure = take(&sharing, &[]).unwrap_err();
    assert_eq!(failure.details().message, "Store.take: argument `what` names the same bytes more than once");
    // As many bytes as there are, of which some are named twice and some not at all.
    let hiding = packed(1, &[at(0, 0, 4), at(0, 0, len)], &[&points[..], b"hide"].concat());
    assert_eq!(take(&hiding, &[]).unwrap_err().details().message, failure.details().message);
    let text =
        |text: &[u8]| packed(1, &[at(0, 0, 16 + text.len())], &packed(1, &[at(0, 0, text.len())], text));
    take(&[], &text(b"eight by")).unwrap();
    for wrong in [text(b"nine long"), text(b"a\0b")] {
        assert_eq!(take(&[], &wrong).map_err(|failure| failure.kind()), Err(Kind::BadArgument));
    }
}

/// What is taken for a list is counted before it is: 65,536 that are not there, and 65,536 that all name one text.
#[test]
fn nothing_is_made_of_what_is_only_claimed() {
    let element = |words: &[u64; 1], area: &Area| stub::field_bytes(area, words[0], 1 << 20);
    let unpacked = |bytes: &[u8]| stub::unpacked(bytes, 1 << 16, &[0], element).map(|all| all.len());
    assert_eq!(unpacked(&packed(1 << 16, &[], &[0; 4096])), Err(Wrong::Shape));
    let long = vec![7; 1_000_000];
    let all = at(0, 0, 1_000_000);
    assert_eq!(unpacked(&packed(1, &[all], &long)), Ok(1));
    assert_eq!(unpacked(&packed(2, &[all, all], &long)), Err(Wrong::Shared));
    let halves = [at(0, 0, 500_000), at(0, 500_000, 500_000)];
    assert_eq!(unpacked(&packed(2, &halves, &long)), Ok(2));
    assert_eq!(unpacked(&packed(3, &[halves[0], halves[1], at(0, 5, 1)], &long)), Err(Wrong::Shared));
    // One behind the other, and each byte once: nothing hides where another is named twice.
    let two = |a, b| unpacked(&packed(2, &[a, b], b"samehide"));
    assert_eq!(two(at(0, 0, 4), at(0, 4, 4)), Ok(2));
    assert_eq!(two(at(0, 0, 8), at(0, 3, 0)), Ok(2));
    assert_eq!(two(at(0, 8, 0), at(0, 0, 8)), Ok(2));
    assert_eq!(two(at(0, 0, 4), at(0, 0, 4)), Err(Wrong::Shared));
    assert_eq!(two(at(0, 0, 5), at(0, 4, 3)), Err(Wrong::Shared));
    assert_eq!(two(at(0, 4, 4), at(0, 0, 4)), Err(Wrong::Shape));
    assert_eq!(two(at(0, 0, 3), at(0, 4, 4)), Err(Wrong::Shape));
    assert_eq!(two(at(0, 0, 8), at(0, 9, 0)), Err(Wrong::Reference));
    let many = vec![at(0, 0, 0); 1 << 16];
    assert_eq!(unpacked(&packed(1 << 16, &many, &[])), Ok(1 << 16));
    assert_eq!(unpacked(&packed(1, &[at(0, 0, 7)], &[0; 8])), Err(Wrong::Shape));
    assert_eq!(unpacked(&packed(1, &[all], &[7; 1 << 20])), Err(Wrong::TooLong));
    assert_eq!(unpacked(&packed((1 << 16) + 1, &vec![0; (1 << 16) + 1], &[])), Err(Wrong::TooLong));
}

/// A list that is a parameter may have texts that share bytes, but no more than a message has room for: 65,536 rows that all name
/// one list of points would be looked at one by one.
pub(super) fn shared_from_afar(store: &Store) {
    let points = packed(3, &[0; 6], &[]);
    let (op, _) = module().interfaces[0].operation("many").unwrap();
    let number = OpNumber { op, module: module(), interface: Store::ID };
    let call = |count: usize| {
        let words = [0, at(0, 0, points.len())].repeat(count);
        let area = Area { bytes: points.clone(), words };
        let (inputs, mut words) = ([Input::List(&area)], [at(0, 0, 0), 0]);
        let mut block =
            Block { words: &mut words, inputs: &inputs, outputs: &mut [], portals: &[], made: vec![] };
        store.portal().call(number, &mut block).map(|()| words[1])
    };
    assert_eq!(call(30_000), Ok(30_000));
    assert_eq!(call(60_000).unwrap_err().kind(), Kind::BadArgument);
}

/// Whatever one byte is changed to, it is refused, or is another value that the same checks let through.
#[test]
fn changed_bytes_are_refused_or_are_other_values() {
    let element = |words: &[u64; 1], area: &Area| {
        let element = |words: &[u64; 1], area: &Area| stub::field_string(area, words[0], 8);
        stub::field_list(area, words[0], 3, &[0], element)
    };
    let texts = [vec![b"one".to_vec(), b"".to_vec()], vec![], vec![b"eight by".to_vec()]];
    let pack = |texts: &[Vec<Vec<u8>>]| {
        stub::packed(texts, 3, |texts, area: &mut Area| {
            let packed =
                stub::packed(texts, 3, |text, area: &mut Area| Ok([stub::add_string(area, text, 8)?]))?;
            Ok([stub::add_bytes(area, &packed, 1 << 10)?])
        })
    };
    let good = pack(&texts).unwrap();
    assert_eq!(stub::unpacked(&good, 3, &[0], element).unwrap(), texts);
    let (mut refused, mut other) = (0, 0);
    for place in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[place] ^= 1 << bit;
            match stub::unpacked(&bytes, 3, &[0], element) {
                Err(_) => refused += 1,
                Ok(texts) => {
                    assert!(texts.len() <= 3 && pack(&texts).is_ok(), "{place}: {texts:?}");
                    other += 1;
                }
            }
        }
    }
    assert!(refused > 300 && other > 50, "{refused} refused, {other} taken");
}

fn liar(answer: impl FnMut(&mut Block<'_>) -> Result<(), Failure> + Send + 'static) -> Store {
    Store::from_portal(super::liar::liar(answer))
}

#[test]
fn hostile_replies_change_nothing() {
    let rows = |rows: Vec<u8>| {
        liar(move |block| {
            // The rows of what goes both ways.
            block.outputs[1].bytes.clone_from(&rows);
            Ok(())
        })
    };
    let mut c = shelf(b"c", 2);
    rows(packed(1, &[0, 0], &[])).shelf(&shelf(b"a", 1), &mut c).unwrap();
    assert_eq!(c.rows, [row(b"", 0)]);
    c = shelf(b"c", 2);
    for wrong in [
        vec![0; 7],
        packed(3, &[0; 6], &[]),
        packed(1, &[0], &[]),
        packed(2, &[at(0, 0, 1), 0, at(0, 0, 1), 0], b"x"),
        packed(1, &[at(0, 0, 2), 0], b"x"),
    ] {
        let failure = rows(wrong).shelf(&shelf(b"a", 1), &mut c).unwrap_err();
        assert_eq!((failure.kind(), &c), (Kind::Protocol, &shelf(b"c", 2)), "{failure}");
    }
    let list = liar(|block| {
        let bytes = packed(5, &[0; 5], &[]);
        block.outputs[0] = Area { words: vec![at(0, 0, bytes.len())], bytes };
        Ok(())
    });
    let mut b = vec![vec![9]];
    assert_eq!(list.matrix(&[], &mut b).unwrap_err().kind(), Kind::Protocol);
    assert_eq!(b, [[9]]);
    let union = liar(|block| {
        block.words[7] = 4;
        block.outputs[0].bytes = packed(5, &[0; 5], &[]);
        Ok(())
    });
    let mut b = choices()[2].clone();
    assert_eq!(union.choice(&choices()[0], &mut b).unwrap_err().kind(), Kind::Protocol);
    assert_eq!(b, choices()[2]);
}

#[test]
fn hostile_exceptions_are_refused() {
    let details = |members: &[u8]| Details {
        kind: Kind::Raised,
        raised: MEMBERS | 1,
        members: members.to_vec(),
        message: String::new(),
    };
    let full = |row: Vec<u8>| {
        StoreTakeError::from_details(&details(&[&at(0, 0, row.len()).to_le_bytes()[..], &row].concat()))
    };
    let row = vec![7, -7];
    let taken = full(packed(2, &[7, (-7_i64).cast_unsigned()], &[]));
    assert_eq!(taken, Some(StoreTakeError::Full(Full { row })));
    assert_eq!(full(vec![]), Some(StoreTakeError::Full(Full { row: vec![] })));
    for wrong in [vec![0; 7], packed(5, &[0; 5], &[]), packed(2, &[0], &[]), packed(1, &[1 << 31], &[])] {
        assert_eq!(full(wrong), None);
    }
    assert_eq!(StoreTakeError::from_details(&details(&at(0, 0, 8).to_le_bytes())), None);
}
