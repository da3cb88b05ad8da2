//! Messages and replies that no stub makes, for the stubs of the whole language.

use std::sync::Arc;

use carnet_portal::call::{Area, Areas, Call, Caller, Details, Failure, Kind, MEMBERS, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::portal::Block;
use carnet_portal::stub::{CallError, Exception, Extends as _, PortalIn};

use super::whole::*;
use super::{Tree, local, tree};

/// An object with another interface.
struct Deep;

impl InnerDeepService for Deep {
    fn turn(&self, _: &Caller, a: &InnerPair, _: PortalIn<'_, Leaf>) -> Result<InnerPair, Failure> {
        Ok(a.clone())
    }
}

/// Dispatches one hand-made block, with a missing, a right and a wrong portal.
fn dispatch(name: &str, words: &[u64], areas: Vec<Area>) -> Result<Vec<u64>, Failure> {
    let (op, operation) = module().interfaces[1].operation(name).unwrap();
    let mut block = words.to_vec();
    block.resize(operation.layout.words(), 0);
    let mut areas = Areas { list: areas };
    let deep = Capability::new(InnerDeep::serve(Deep).into_object());
    let portals = [None, Some(tree(&Arc::default())), Some(deep)];
    let (mut made, caller) = (vec![], Caller::local());
    let mut call =
        Call { words: &mut block, areas: &mut areas, portals: &portals, made: &mut made, caller: &caller };
    Leaf::serve(Tree::default()).into_object().dispatch(op, &mut call).map(|()| block)
}

fn at(area: usize, offset: usize, len: usize) -> u64 {
    Ref::new(area, offset, len).unwrap().0
}

fn area(words: &[u64], bytes: &[u8]) -> Area {
    Area { bytes: bytes.to_vec(), words: words.to_vec() }
}

/// `letter(in char a, in sequence<char, 8> b)`, `kind(in Kind a, …)`, `value(in Value a, in Many c, …)` and others.
#[test]
fn hostile_words_are_refused() {
    let spare =
        || vec![area(&[], b"0123456789abcdef0123456789"), area(&[], b""), area(&[], b""), area(&[], b"")];
    // Value: discriminant, scalar, text; Many: discriminant, nine scalars, three byte words.
    let value = |words: [u64; 3], many: u64| {
        let mut block = words.to_vec();
        block.extend([many, 0, 0, 0, 0, 0, 0, 0, 0, 0, at(0, 0, 16), 0, 0]);
        dispatch("value", &block, spare())
    };
    assert!(value([1, 0, at(0, 0, 8)], 3).is_ok());
    assert!(value([1, 0, at(0, 0, 8)], -4_i64 as u64).is_ok());
    let blocks = [
        value([2, 0, 0], 3),
        value([u64::MAX, 0, 0], 3),
        value([0, 1 << 31, 0], 3),
        value([1, 0, at(0, 0, 9)], 3),
        value([1, 0, at(0, 20, 8)], 3),
        value([1, 0, at(9, 0, 1)], 3),
        // The default arm needs its discriminant in 32 bits and a boolean.
        value([0, 0, 0], 1 << 40),
        dispatch("value", &[0, 0, 0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], spare()),
        // A key of another length.
        dispatch("key", &[at(0, 0, 15), at(1, 0, 0), at(2, 0, 0), at(3, 0, 0)], spare()),
        dispatch("letter", &[256, at(0, 0, 1)], spare()),
        dispatch("letter", &[1, at(0, 0, 9)], spare()),
        dispatch("kind", &[2, at(0, 0, 1)], spare()),
        dispatch("_set_level", &[1 << 31], vec![]),
        // Portals: missing, not there at all, on another interface.
        dispatch("link", &[0, at(0, 0, 1)], spare()),
        dispatch("link", &[3, at(0, 0, 1)], spare()),
        dispatch("link", &[u64::MAX, at(0, 0, 1)], spare()),
        dispatch("link", &[2, at(0, 0, 1)], spare()),
        dispatch("links", &[at(0, 0, 0), at(1, 0, 0)], vec![area(&[0, 0], b""), area(&[], b"")]),
        dispatch("links", &[at(0, 0, 0), at(1, 0, 0)], vec![area(&[2, 0], b""), area(&[], b"")]),
        dispatch("links", &[at(0, 0, 0), at(1, 0, 0)], vec![area(&[1], b""), area(&[], b"")]),
        dispatch("nodes", &[at(0, 0, 0), at(1, 0, 0)], vec![area(&[1, 1, 1, 1], b""), area(&[], b"")]),
        dispatch("reals", &[at(7, 0, 0), at(1, 0, 0)], spare()),
    ];
    for (number, found) in blocks.iter().enumerate() {
        assert_eq!(found.as_ref().map_err(Failure::kind), Err(Kind::BadArgument), "{number}");
    }
    let revoked = Kind::Revoked;
    assert_eq!(revoked_link().unwrap_err().kind(), revoked);
}

/// `turn(inout string<8> a, inout sequence<octet, 2000> b, in string<8> c)`: `c`, `a`, `b` and the result; and others of
/// what goes both ways.
#[test]
fn hostile_words_of_what_goes_both_ways_are_refused() {
    let spare =
        || vec![area(&[], b"0123456789\0bcdef"), area(&[], &[7; 2001]), area(&[], b""), area(&[], b"")];
    let turn = |a: u64, b: u64| dispatch("turn", &[at(0, 0, 1), a, b, at(3, 0, 0)], spare());
    let relabel = |a: &[u64], b: &[u64], c: &[u64]| {
        let areas = vec![area(a, b"text"), area(b, b"text"), area(c, b"")];
        dispatch("relabel", &[1, at(0, 0, 0), at(1, 0, 0), at(2, 0, 0)], areas)
    };
    let text = at(0, 0, 4);
    let done = turn(at(2, 0, 0), at(1, 0, 2000)).unwrap();
    assert_eq!((Ref(done[1]), Ref(done[2])), (Ref(at(2, 0, 1)), Ref(at(1, 0, 2000))));
    assert!(relabel(&[1, 0, text, 5, 0, 6, 0, 7], &[text], &[1, 2, 3]).is_ok());
    // Two that lie in one area are not two: who makes such a block gets what is there last, and nobody falls.
    assert!(turn(at(1, 0, 1), at(1, 0, 2)).is_ok());
    let links = |a: [u64; 2], b: &[u64], c: &[u64]| {
        let areas = vec![area(&[], b"name"), area(b, b"name"), area(c, b"")];
        dispatch("relink", &[a[0], a[1], at(1, 0, 0), at(2, 0, 0)], areas)
    };
    assert!(links([1, at(0, 0, 4)], &[1, text], &[1, 1]).is_ok());
    let blocks = [
        turn(at(0, 0, 9), 0),
        turn(at(0, 15, 8), 0),
        turn(at(9, 0, 1), 0),
        turn(at(0, 5, 8), 0),
        turn(0, at(1, 0, 2001)),
        turn(0, at(1, 2000, 2)),
        turn(0, u64::MAX),
        relabel(&[2, 0, 0, 0], &[], &[]),
        relabel(&[0, 0, 0], &[], &[]),
        relabel(&[0; 16], &[], &[]),
        relabel(&[1, 0, at(0, 1, 4), 0], &[], &[]),
        relabel(&[], &[0; 4], &[]),
        relabel(&[], &[at(0, 0, 5)], &[]),
        relabel(&[], &[], &[1 << 31]),
        relabel(&[], &[], &[0; 4]),
        dispatch("relabel", &[1, at(8, 0, 0), 0, 0], spare()),
        dispatch("reshape", &[0; 29], spare()),
        dispatch("climb", &[1, 0], vec![]),
        dispatch("climb", &[1, 2], vec![]),
        dispatch("climb", &[1, 3], vec![]),
        dispatch("climb", &[1, u64::MAX], vec![]),
        links([2, 0], &[], &[]),
        links([1, at(0, 0, 5)], &[], &[]),
        links([1, 0], &[1], &[]),
        links([1, 0], &[0, 0], &[]),
        links([1, 0], &[1, at(0, 3, 2)], &[]),
        links([1, 0], &[], &[2]),
        links([1, 0], &[], &[1; 4]),
    ];
    for (number, found) in blocks.iter().enumerate() {
        assert_eq!(found.as_ref().map_err(Failure::kind), Err(Kind::BadArgument), "{number}");
    }
}

/// Each reply is looked at as a whole before anything is changed.
#[test]
fn hostile_replies_change_nothing() {
    let set = |at: usize, words: &'static [u64], bytes: &'static [u8]| {
        liar(move |block| {
            block.outputs[at] = area(words, bytes);
            Ok(())
        })
    };
    for leaf in
        [set(0, &[], b"nine long"), set(0, &[], b"a\0b"), set(1, &[], &[0; 2001]), set(2, &[], b"nine long")]
    {
        let (mut a, mut b) = (b"a".to_vec(), vec![1, 2]);
        let Err(CallError::Failed(failure)) = leaf.turn(&mut a, &mut b, b"") else { panic!("it was taken") };
        assert_eq!((failure.kind(), &a[..], &b[..]), (Kind::Protocol, &b"a"[..], &[1, 2][..]));
    }
    let wrong = [
        set(0, &[2, 0, 0, 0], b""),
        set(0, &[0; 3], b""),
        set(0, &[0; 16], b""),
        set(1, &[0; 4], b""),
        set(1, &[1], b""),
        set(2, &[1 << 31], b""),
        set(2, &[0; 4], b""),
    ];
    for leaf in wrong {
        let (mut a, mut b, mut c) = (vec![], vec![b"b".to_vec()], vec![3]);
        let failure = leaf.relabel(&mut a, &mut b, 0, &mut c).unwrap_err();
        assert_eq!((failure.kind(), a.len(), &b[0][..], &c[..]), (Kind::Protocol, 0, &b"b"[..], &[3][..]));
    }
    let mut node = local().to_base();
    assert_eq!(liar(|_| Ok(())).climb(1, &mut node).unwrap_err().kind(), Kind::Protocol);
    assert_eq!(node.level().unwrap(), 0);
    let mut link = Link { node, name: b"a".to_vec() };
    let Err(CallError::Failed(failure)) = liar(|_| Ok(())).relink(&mut link, &mut vec![], &mut vec![]) else {
        panic!("a link without a portal was taken")
    };
    assert_eq!((failure.kind(), link.node.level().unwrap(), &link.name[..]), (Kind::Protocol, 0, &b"a"[..]));
}

fn revoked_link() -> Result<(), Failure> {
    let (op, operation) = module().interfaces[1].operation("link").unwrap();
    let mut words = vec![0; operation.layout.words()];
    let capability = tree(&Arc::default());
    capability.grant().revoke();
    let portals = [Some(capability)];
    let (mut areas, mut made) = (Areas { list: vec![area(&[], b""), area(&[], b"")] }, vec![]);
    let caller = Caller::local();
    let mut call =
        Call { words: &mut words, areas: &mut areas, portals: &portals, made: &mut made, caller: &caller };
    Leaf::serve(Tree::default()).into_object().dispatch(op, &mut call)
}

pub(super) fn liar(answer: impl FnMut(&mut Block<'_>) -> Result<(), Failure> + Send + 'static) -> Leaf {
    Leaf::from_portal(super::liar::liar(answer))
}

#[test]
fn hostile_replies_are_refused() {
    let failures = [
        liar(|block| {
            block.words[16] = 7;
            Ok(())
        })
        .value(&Value::Number(0), &Many::Key([0; 16]))
        .unwrap_err(),
        liar(|block| {
            block.outputs[0].bytes = vec![0; 15];
            Ok(())
        })
        .key(&[0; 16], &[])
        .unwrap_err(),
        liar(|_| Ok(())).link(&Link { node: local().to_base(), name: vec![] }).unwrap_err(),
        liar(|block| {
            block.outputs[0].words = vec![0, 0];
            Ok(())
        })
        .links(&[])
        .unwrap_err(),
        liar(|block| {
            block.words[0] = 1 << 40;
            Ok(())
        })
        .height()
        .unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.kind(), Kind::Protocol, "{failure}");
    }
}

#[test]
fn hostile_exceptions_are_refused() {
    let details = |raised: u16, members: &[u8]| Details {
        kind: Kind::Raised,
        raised,
        members: members.to_vec(),
        message: String::new(),
    };
    let word = |value: i64| value.to_le_bytes();
    let busy = NodeFailError::Busy(Busy { until: 5 });
    assert_eq!(NodeFailError::from_details(&details(MEMBERS, &word(5))), Some(busy));
    let denied = |who: u64, tag: u64| [who, tag, 0, 0].map(u64::to_le_bytes).concat();
    assert!(NodeFailError::from_details(&details(MEMBERS | 1, &denied(0, 0))).is_some());
    for (raised, members) in [
        (0, word(5).to_vec()),
        (MEMBERS, vec![]),
        (MEMBERS, vec![0; 7]),
        (MEMBERS | 4, vec![0; 64]),
        (u16::MAX, vec![0; 64]),
        (MEMBERS | 1, vec![0; 24]),
        (MEMBERS | 1, denied(at(0, 0, 1), 0)),
        (MEMBERS | 1, denied(0, 2)),
        (MEMBERS | 3, [2_u64, 0].map(u64::to_le_bytes).concat()),
    ] {
        assert_eq!(NodeFailError::from_details(&details(raised, &members)), None, "{raised:x} {members:?}");
    }
    let leaf = liar(|_| Err(Failure::raised_members(9, vec![], String::new())));
    let Err(CallError::Failed(failure)) = leaf.fail(0) else { panic!("raised") };
    assert_eq!(failure.kind(), Kind::Protocol);
}
