//! What goes in and comes back changed: `inout` of everything that an argument can be.

use std::sync::Arc;

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Kind};
use carnet_portal::local::LocalSession;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{BytesOut, CallError, Extends as _, PortalIn, Served};

use super::whole::*;
use super::{Tree, tables};

// ---- The service ----

/// The old text is the result, the third the new one; bytes are turned round.
pub(super) fn turn(
    a: &mut Vec<u8>,
    b: &mut Vec<u8>,
    c: &[u8],
    result: &mut BytesOut<'_>,
) -> Result<(), Plain> {
    assert!(result.extend(a));
    match c {
        b"leave" => return Ok(()),
        b"long" => *a = b"nine long".to_vec(),
        b"nul" => *a = b"a\0b".to_vec(),
        b"longer" => b.resize(2001, 0),
        _ => *a = c.to_vec(),
    }
    b.reverse();
    if c == b"raise" {
        return Err(Plain::new(Shade::Dark, "turned in vain"));
    }
    Ok(())
}

pub(super) fn reshape(a: &mut Tables, b: &mut [u8; 16], c: &mut Value, d: &mut Many) {
    a.names.swap(0, 1);
    a.triple[0] = 9;
    b.reverse();
    *c = match c {
        Value::Number(7) => Value::Text(b"nine long".to_vec()),
        Value::Number(_) => Value::Text(b"number".to_vec()),
        Value::Text(text) => Value::Number(text.len() as i32),
    };
    if *d == Many::Other(-5, true) {
        *d = Many::Tables(a.clone());
    }
}

/// Lists come back turned round; one number asks for lists that break their bounds.
pub(super) fn relabel(a: &mut Vec<Labelled>, b: &mut [Vec<u8>], add: i32, c: &mut Vec<i32>) {
    a.reverse();
    a.iter_mut().for_each(|each| each.at += add);
    b.reverse();
    c.iter_mut().for_each(|each| *each += add);
    match add {
        97 => a.resize(4, Labelled { value: Value::Number(0), at: 0 }),
        98 => b[0] = b"nine long".to_vec(),
        99 => c.resize(4, 0),
        _ => {}
    }
}

/// A node above the one that came, which stays if there is nothing to climb.
pub(super) fn climb(by: i32, a: PortalIn<'_, Node>) -> (Served<Node>, Served<Node>, i32) {
    let level = Tree::level_of(&a);
    let above = if by == 0 { a.served() } else { Tree::node(level + by) };
    (Tree::node(level - by), above, level)
}

type Relinked = (LinkReturned, Vec<LinkReturned>, Vec<Served<Node>>);

/// One name raises, another asks for a list that breaks its bound, a third leaves all as it is.
pub(super) fn relink(
    a: &LinkGiven<'_>,
    b: &[LinkGiven<'_>],
    c: &[PortalIn<'_, Node>],
) -> Result<Relinked, NodeRelinkError> {
    let is_left = a.name == b"leave";
    let node = |node: &PortalIn<'_, Node>, by| {
        if is_left { node.served() } else { Tree::node(Tree::level_of(node) + by) }
    };
    let link = |link: &LinkGiven<'_>| LinkReturned { node: node(&link.node, 1), name: link.name.clone() };
    if a.name == b"raise" {
        return Err(Busy { until: 3 }.into());
    }
    let times = if a.name == b"many" { 4 } else { 1 };
    let links = b.iter().rev().cycle().take(b.len() * times).map(link).collect();
    Ok((link(a), links, c.iter().rev().map(|each| node(each, 10)).collect()))
}

// ---- Its caller ----

pub(super) fn exercise(leaf: &Leaf) {
    texts(leaf);
    shapes(leaf);
    lists(leaf);
    portals(leaf);
}

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at % 251) as u8).collect()
}

fn texts(leaf: &Leaf) {
    for len in [0, 1, 100, 2000] {
        let (mut a, mut b) = (b"before".to_vec(), bytes(len));
        assert_eq!(leaf.turn(&mut a, &mut b, b"after").unwrap(), b"before");
        let reversed: Vec<u8> = bytes(len).into_iter().rev().collect();
        assert_eq!((&a[..], b), (&b"after"[..], reversed));
        assert_eq!(leaf.turn(&mut a, &mut Vec::new(), b"").unwrap(), b"after");
        assert_eq!(a, b"");
        assert_eq!(leaf.turn(&mut a, &mut Vec::new(), b"8 bytes!").unwrap(), b"");
        assert_eq!(a, b"8 bytes!");
    }
    // Nothing of the caller's is changed by a call that fails.
    let (mut a, mut b) = (b"before".to_vec(), bytes(1500));
    assert_eq!(leaf.turn(&mut a, &mut b, b"leave").unwrap(), b"before");
    assert_eq!((&a[..], &b), (&b"before"[..], &bytes(1500)));
    let raised = leaf.turn(&mut a, &mut b, b"raise").unwrap_err();
    assert_eq!(raised, CallError::Raised(Plain::new(Shade::Dark, "turned in vain")));
    assert_eq!((&a[..], b), (&b"before"[..], bytes(1500)));
}

fn shapes(leaf: &Leaf) {
    let mut a = tables(b"name");
    let mut b = *b"0123456789abcdef";
    let (mut c, mut d) = (Value::Number(1), Many::Other(-5, true));
    leaf.reshape(&mut a, &mut b, &mut c, &mut d).unwrap();
    assert_eq!(a.names, [b"".to_vec(), b"name".to_vec()]);
    assert_eq!((a.triple, a.table, &a.key), ([9, 0, 1], tables(b"").table, b"0123456789abcdef"));
    assert_eq!(
        (&b, &c, &d),
        (b"fedcba9876543210", &Value::Text(b"number".to_vec()), &Many::Tables(a.clone()))
    );
    d = Many::Key([3; 16]);
    leaf.reshape(&mut a, &mut b, &mut c, &mut d).unwrap();
    assert_eq!((&b, c, d), (b"0123456789abcdef", Value::Number(6), Many::Key([3; 16])));
}

fn labels() -> Vec<Labelled> {
    vec![
        Labelled { value: Value::Text(b"eight by".to_vec()), at: 1 },
        Labelled { value: Value::Number(i32::MIN), at: 2 },
    ]
}

fn lists(leaf: &Leaf) {
    let (mut a, mut b, mut c) = (labels(), vec![b"one".to_vec(), vec![], b"three".to_vec()], vec![1, -1]);
    leaf.relabel(&mut a, &mut b, 10, &mut c).unwrap();
    assert_eq!((a[0].at, &a[1].value, a[1].at), (12, &labels()[0].value, 11));
    assert_eq!((b, c), (vec![b"three".to_vec(), vec![], b"one".to_vec()], vec![11, 9]));
    let (mut a, mut b, mut c) = (vec![], vec![], vec![]);
    leaf.relabel(&mut a, &mut b, 10, &mut c).unwrap();
    assert!(a.is_empty() && b.is_empty() && c.is_empty());
}

fn portals(leaf: &Leaf) {
    leaf.set_level(5).unwrap();
    let mut node: Node = leaf.to_base();
    let (below, level) = leaf.climb(2, &mut node).unwrap();
    assert_eq!((below.level().unwrap(), node.level().unwrap(), level), (3, 7, 5));
    // What stays is the same object.
    let (_, level) = leaf.climb(0, &mut node).unwrap();
    node.set_level(70).unwrap();
    let mut again = node.clone();
    assert_eq!((level, leaf.climb(1, &mut again).unwrap().1, again.level().unwrap()), (7, 70, 71));

    let mut a = Link { node: leaf.to_base(), name: b"a".to_vec() };
    let mut b = vec![a.clone(), Link { node: node.clone(), name: b"b".to_vec() }];
    let mut c = vec![node.clone(), leaf.to_base(), leaf.to_base()];
    leaf.relink(&mut a, &mut b, &mut c).unwrap();
    assert_eq!((a.node.level().unwrap(), &a.name[..]), (6, &b"a"[..]));
    let levels: Vec<i32> = b.iter().map(|link| link.node.level().unwrap()).collect();
    assert_eq!((levels, &b[0].name[..]), (vec![71, 6], &b"b"[..]));
    let levels = |c: &[Node]| c.iter().map(|node| node.level().unwrap()).collect::<Vec<i32>>();
    assert_eq!(levels(&c), [15, 15, 80]);
    a.name = b"leave".to_vec();
    leaf.relink(&mut a, &mut b, &mut c).unwrap();
    assert_eq!((a.node.level().unwrap(), levels(&c)), (6, vec![80, 15, 15]));
    a.name = b"raise".to_vec();
    let raised = leaf.relink(&mut a, &mut b, &mut c).unwrap_err();
    assert_eq!(raised, CallError::Raised(NodeRelinkError::Busy(Busy { until: 3 })));
    assert_eq!(levels(&c), [80, 15, 15]);
    let (mut b, mut c) = (vec![], vec![]);
    a.name = b"none".to_vec();
    leaf.relink(&mut a, &mut b, &mut c).unwrap();
    assert!(b.is_empty() && c.is_empty() && a.node.level().unwrap() == 7);
}

fn failed<E: std::fmt::Debug>(outcome: Result<impl std::fmt::Debug, CallError<E>>) -> Kind {
    match outcome {
        Err(CallError::Failed(failure)) => failure.kind(),
        other => panic!("{other:?}"),
    }
}

/// Found by the client: nothing is sent, and nothing changed.
pub(super) fn faults_of_the_caller(leaf: &Leaf) {
    let link = || Link { node: leaf.to_base(), name: b"a".to_vec() };
    let mut long = Link { name: b"nine long".to_vec(), ..link() };
    let (mut text, mut many) = (b"nine long".to_vec(), bytes(2001));
    let kinds = [
        failed(leaf.turn(&mut text, &mut vec![], b"")),
        failed(leaf.turn(&mut b"a\0".to_vec(), &mut vec![], b"")),
        failed(leaf.turn(&mut vec![], &mut many, b"")),
        failed(leaf.relink(&mut long, &mut vec![], &mut vec![])),
        failed(leaf.relink(&mut link(), &mut vec![link(); 4], &mut vec![])),
        failed(leaf.relink(&mut link(), &mut vec![], &mut vec![leaf.to_base(); 4])),
    ];
    assert_eq!(kinds, [Kind::BadArgument; 6]);
    assert_eq!((&text[..], many), (&b"nine long"[..], bytes(2001)));
    let (key, value) = ([0; 16], Value::Number(0));
    let key_many = Many::Key(key);
    let failures = [
        leaf.reshape(&mut tables(b"too long!"), &mut key.clone(), &mut value.clone(), &mut key_many.clone()),
        leaf.reshape(
            &mut tables(b""),
            &mut key.clone(),
            &mut Value::Text(vec![b'x'; 9]),
            &mut key_many.clone(),
        ),
        leaf.reshape(&mut tables(b""), &mut key.clone(), &mut value.clone(), &mut Many::Real(3, 0.0)),
        leaf.relabel(&mut vec![labels()[0].clone(); 4], &mut vec![], 0, &mut vec![]),
        leaf.relabel(&mut vec![], &mut vec![b"nine long".to_vec()], 0, &mut vec![]),
        leaf.relabel(&mut vec![], &mut vec![], 0, &mut vec![0; 4]),
    ];
    assert!(
        failures.iter().all(|each| each.as_ref().is_err_and(|f| f.kind() == Kind::BadArgument)),
        "{failures:?}"
    );
}

pub(super) fn faults_of_the_service(leaf: &Leaf) {
    let link = |name: &[u8]| Link { node: leaf.to_base(), name: name.to_vec() };
    let (mut text, mut labelled) = (b"before".to_vec(), labels());
    let kinds = [
        failed(leaf.turn(&mut text, &mut vec![], b"long")),
        failed(leaf.turn(&mut text, &mut vec![], b"nul")),
        failed(leaf.turn(&mut text, &mut vec![], b"longer")),
        failed(leaf.relink(&mut link(b"many"), &mut vec![link(b"b")], &mut vec![])),
    ];
    assert_eq!(kinds, [Kind::Service; 4]);
    let failures = [
        leaf.reshape(&mut tables(b""), &mut [0; 16], &mut Value::Number(7), &mut Many::Key([0; 16])),
        leaf.relabel(&mut labelled, &mut vec![], 97, &mut vec![]),
        leaf.relabel(&mut labelled, &mut vec![vec![]], 98, &mut vec![]),
        leaf.relabel(&mut labelled, &mut vec![], 99, &mut vec![]),
    ];
    assert!(
        failures.iter().all(|each| each.as_ref().is_err_and(|f| f.kind() == Kind::Service)),
        "{failures:?}"
    );
    assert_eq!((&text[..], labelled), (&b"before"[..], labels()));
}

/// All that a session holds is under the right of its root: what goes back is the very right that was lent, no more and no less.
#[test]
fn what_goes_back_is_revoked_with_what_was_lent() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let root = super::tree(&Arc::default());
    let grant = root.grant().clone();
    let here = LocalSession::new(root.clone(), Caller::local()).root();
    let roots = move |_: &Caller| Ok(root.clone());
    let _server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), roots).unwrap();
    let afar = RemoteSession::connect(&Address::Unix(path), ConnectOptions::default()).unwrap().root();
    let lent_and_back = [here, afar].map(|portal| {
        let leaf = Leaf::from_portal(portal);
        let mut lent = leaf.to_base();
        leaf.climb(2, &mut lent).unwrap();
        let mut back = Node::from_portal(lent.portal().clone());
        leaf.climb(0, &mut back).unwrap();
        assert_eq!((lent.portal().id(), lent.level().unwrap()), (back.portal().id(), back.level().unwrap()));
        [lent, back]
    });
    grant.revoke();
    let kinds = lent_and_back.map(|each| each.map(|node| node.level().unwrap_err().kind()));
    assert_eq!(kinds, [[Kind::Revoked; 2]; 2]);
}
