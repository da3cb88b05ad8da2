//! Generated stubs of lists within other values: in structs, lists, arrays, unions and exceptions.
//!
//! Rust against Rust in one thread, over both kinds of session and through a relay; and both ways between C and Rust. What no
//! stub sends is in `hostile`.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::relay::relay;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{CallError, Interface as _};
use nested::*;
use server_in_c::ServerInC;

#[path = "nested/hostile.rs"]
mod hostile;
#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/liar.rs"]
mod liar;
#[path = "support/server_in_c.rs"]
mod server_in_c;

mod nested {
    include!("../../idl/tests/cases/modules/nested.rs");
}

// ---- The service ----

/// Gives back what it gets, with lists turned round. Some values ask for results that break a bound.
#[derive(Default)]
struct Shop {
    top: Mutex<Option<Shelf>>,
}

fn turned(shelf: &Shelf) -> Shelf {
    let mut new = shelf.clone();
    new.rows.reverse();
    new.words_.iter_mut().for_each(|words| words.reverse());
    new.words_.reverse();
    new.stamp += 1;
    match &shelf.label[..] {
        b"rows" => new.rows = vec![row(b"", 0); 3],
        b"points" => new.rows = vec![row(b"", 4)],
        b"far" => new.rows = vec![Named { name: vec![], points: vec![Point { x: 0, y: u64::MAX }] }],
        b"words" => new.words_ = vec![vec![vec![]; 4]],
        b"text" => new.words_ = vec![vec![b"nine long".to_vec()]],
        b"nul" => new.words_ = vec![vec![b"a\0b".to_vec()]],
        _ => {}
    }
    new
}

fn turned_choice(choice: &Choice) -> Choice {
    match choice {
        Choice::List(list) => Choice::List(list.iter().rev().cloned().collect()),
        Choice::Number(7) => Choice::List(vec![row(b"", 0); 3]),
        Choice::Number(number) => Choice::Number(-number),
        Choice::Grid(grid) => Choice::Grid(turned_grid(grid)),
        Choice::Row(label, row) => Choice::Row(*label, row.iter().rev().copied().collect()),
        Choice::Text(label, text) => Choice::Text(*label, text.iter().rev().copied().collect()),
    }
}

fn turned_grid(grid: &Grid) -> Grid {
    let mut new = grid.clone();
    new.rows.reverse();
    new.shades.reverse();
    new.keys.reverse();
    new
}

impl StoreService for Shop {
    fn top(&self, _: &Caller) -> Result<Shelf, Failure> {
        let top = self.top.lock().unwrap_or_else(|broken| broken.into_inner());
        top.clone().ok_or_else(|| Failure::service("there is nothing"))
    }

    fn set_top(&self, _: &Caller, value: &Shelf) -> Result<(), Failure> {
        *self.top.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(value.clone());
        Ok(())
    }

    fn shelf(&self, _: &Caller, a: &Shelf, c: &mut Shelf) -> Result<(Shelf, Shelf), Failure> {
        let before = std::mem::replace(c, turned(a));
        Ok((turned(a), before))
    }

    fn shelves(
        &self,
        _: &Caller,
        a: &[Shelf],
        b: &mut Vec<Shelf>,
        result: &mut ShelfList<'_>,
    ) -> Result<(), Failure> {
        for shelf in a.iter().rev().map(turned) {
            // A list that breaks a bound fails the call.
            let _ = result.push(&shelf.label, &shelf.rows, &shelf.words_, shelf.stamp);
        }
        b.iter_mut().for_each(|shelf| *shelf = turned(shelf));
        Ok(())
    }

    fn matrix(
        &self,
        _: &Caller,
        a: &[Vec<i32>],
        b: &mut Vec<Vec<i32>>,
        result: &mut I32ListList<'_>,
        c: &mut String8ListList<'_>,
    ) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|row| result.push(row)));
        b.iter_mut().for_each(|row| row.reverse());
        if b.first().is_some_and(|row| row == &[5]) {
            b[0] = vec![0; 5];
        }
        assert!(c.push(&[]) && c.push(&[b"one".to_vec(), b"eight by".to_vec()]));
        Ok(())
    }

    fn grid(&self, _: &Caller, a: &Grid, b: &mut Grid, c: &mut GridList<'_>) -> Result<Grid, Failure> {
        for grid in [a, b] {
            assert!(c.push(&grid.rows, &grid.raw, &grid.shades, &grid.keys));
        }
        *b = turned_grid(b);
        Ok(turned_grid(a))
    }

    fn pair(
        &self,
        _: &Caller,
        a: &[Vec<i32>; 2],
        b: &mut [Vec<i32>; 2],
    ) -> Result<([Vec<i32>; 2], [Vec<i32>; 2]), Failure> {
        let before = b.clone();
        b.reverse();
        Ok((a.clone(), before))
    }

    fn choice(&self, _: &Caller, a: &Choice, b: &mut Choice) -> Result<Choice, Failure> {
        *b = turned_choice(b);
        Ok(turned_choice(a))
    }

    fn choices(
        &self,
        _: &Caller,
        a: &[Choice],
        b: &mut Vec<Choice>,
        result: &mut ChoiceList<'_>,
    ) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|choice| result.push(choice)));
        b.iter_mut().for_each(|choice| *choice = turned_choice(choice));
        Ok(())
    }

    fn deep(&self, _: &Caller, a: &Deep, b: &mut Vec<Deep>) -> Result<Deep, Failure> {
        b.reverse();
        Ok(Deep { cube: a.cube.iter().rev().cloned().collect(), choices: a.choices.clone() })
    }

    fn sum(&self, _: &Caller, a: &Unbounded) -> Result<(i64, Unbounded), Failure> {
        let sum = a.points.iter().map(|point| i64::from(point.x)).sum();
        Ok((sum, Unbounded { points: a.points.clone(), texts: a.texts.iter().rev().cloned().collect() }))
    }

    fn take(&self, _: &Caller, what: &Shelf) -> Result<Shelf, StoreTakeError> {
        match &what.label[..] {
            b"refuse" => {
                let why = Choice::Row(5, vec![1, 2, 3, 4]);
                Err(Refused { who: b"you".to_vec(), which: what.rows.clone(), why }.into())
            }
            b"full" => Err(Full { row: vec![] }.into()),
            b"broken" => Err(Full { row: vec![0; 5] }.into()),
            _ => Ok(turned(what)),
        }
    }

    fn count(&self, _: &Caller, what: &[i32], result: &mut I32List<'_>) -> Result<(), Full> {
        if what.is_empty() {
            return Err(Full { row: vec![1, -1, i32::MIN, i32::MAX] });
        }
        assert!(what.iter().all(|number| result.push(number + 1)));
        Ok(())
    }

    fn tell(&self, caller: &Caller, a: &Shelf) -> Result<(), Failure> {
        StoreService::set_top(self, caller, a)
    }

    fn many(&self, _: &Caller, a: &[Named]) -> Result<i32, Failure> {
        Ok(a.len() as i32)
    }

    fn beside(&self, _: &Caller, a: i32) -> Result<i32, Failure> {
        Ok(a + 1)
    }
}

fn shop() -> Capability {
    Capability::new(Store::serve(Shop::default()).into_object())
}

// ---- Values ----

fn row(name: &[u8], points: i32) -> Named {
    let point = |x: i32| Point { x: -x, y: u64::from(x.unsigned_abs()) << 30 };
    Named { name: name.to_vec(), points: (0..points).map(point).collect() }
}

/// With lists that have this many elements, which is more than some may have if it is 4.
fn shelf(label: &[u8], len: usize) -> Shelf {
    let len = len.min(3);
    let rows = (0..len.min(2)).map(|at| row(&b"row 1234"[..4 + at], len as i32)).collect();
    let texts = [&b""[..], b"a", b"eight by"];
    let words = (0..len.min(2)).map(|at| (0..len).map(|k| texts[(k + at) % 3].to_vec()).collect()).collect();
    Shelf { label: label.to_vec(), rows, words_: words, stamp: i64::MIN }
}

fn grid(len: usize) -> Grid {
    let row = |len: usize| (0..len as i32).map(|x| x * -1_000_000).collect();
    Grid {
        rows: [row(len), row(4 - len)],
        raw: vec![7; len],
        shades: [Shade::Dark, Shade::Light, Shade::Dark][..len.min(3)].to_vec(),
        keys: [[1; 16], [2; 16]][..len.min(2)].to_vec(),
    }
}

fn choices() -> [Choice; 8] {
    [
        Choice::List(vec![]),
        Choice::List(vec![row(b"full row", 3), row(b"", 0)]),
        Choice::Number(-3),
        Choice::Grid(grid(0)),
        Choice::Grid(grid(4)),
        Choice::Row(5, vec![4, 3, 2, 1]),
        Choice::Row(4, vec![]),
        Choice::Text(-9, b"eight by".to_vec()),
    ]
}

fn deep() -> Deep {
    let line = vec![0.5, f64::NEG_INFINITY];
    Deep { cube: vec![vec![line.clone(), vec![]], vec![vec![], line]], choices: choices()[3..5].to_vec() }
}

// ---- Its caller ----

fn exercise(store: &Store) {
    structs(store);
    lists(store);
    unions(store);
    unbounded(store);
    hostile::shared_from_afar(store);
    exceptions(store);
    faults_of_the_caller(store);
    faults_of_the_service(store);
    assert_eq!(store.beside(1).unwrap(), 2);
}

fn structs(store: &Store) {
    for len in 0..=3 {
        let a = shelf(b"label", len);
        let mut c = shelf(b"c", 3 - len);
        let (result, b) = store.shelf(&a, &mut c).unwrap();
        assert_eq!((&result, &b, &c), (&turned(&a), &shelf(b"c", 3 - len), &turned(&a)));
        store.set_top(&a).unwrap();
        assert_eq!(store.top().unwrap(), a);
        store.tell(&b).unwrap();
        assert_eq!(store.top().unwrap(), b);
    }
    for len in 0..=4 {
        let (a, mut b) = (grid(len), grid(4 - len));
        let (result, c) = store.grid(&a, &mut b).unwrap();
        assert_eq!((result, &b), (turned_grid(&a), &turned_grid(&grid(4 - len))));
        assert_eq!(c, [a, grid(4 - len)]);
        let mut b = grid(4 - len).rows;
        let (result, c) = store.pair(&grid(len).rows, &mut b).unwrap();
        assert_eq!((result, c), (grid(len).rows, grid(4 - len).rows));
        assert_eq!(b, grid(len).rows);
    }
    let mut b = vec![deep(), Deep { cube: vec![], choices: vec![] }];
    assert_eq!(store.deep(&deep(), &mut b).unwrap().cube, deep().cube.into_iter().rev().collect::<Vec<_>>());
    assert_eq!(b, [Deep { cube: vec![], choices: vec![] }, deep()]);
}

fn lists(store: &Store) {
    for len in 0..=3 {
        let a: Vec<Shelf> = (0..len).map(|at| shelf(b"a", at)).collect();
        let mut b: Vec<Shelf> = (0..3 - len).map(|at| shelf(b"b", at)).collect();
        let expected: Vec<Shelf> = b.iter().map(turned).collect();
        let result = store.shelves(&a, &mut b).unwrap();
        assert_eq!((result, b), (a.iter().rev().map(turned).collect(), expected));
    }
    let (a, mut b) = ([vec![1, 2, 3, 4], vec![], vec![-1]], vec![vec![1, 2], vec![]]);
    let (result, c) = store.matrix(&a, &mut b).unwrap();
    assert_eq!((result, b), (vec![vec![-1], vec![], vec![1, 2, 3, 4]], vec![vec![2, 1], vec![]]));
    assert_eq!(c, [vec![], vec![b"one".to_vec(), b"eight by".to_vec()]]);
    assert_eq!(store.matrix(&[], &mut vec![]).unwrap().0, Vec::<Vec<i32>>::new());
}

fn unions(store: &Store) {
    for (at, a) in choices().into_iter().enumerate() {
        let mut b = choices()[7 - at].clone();
        let result = store.choice(&a, &mut b).unwrap();
        assert_eq!((result, b), (turned_choice(&a), turned_choice(&choices()[7 - at])));
    }
    for three in choices().chunks(3) {
        let mut b = three.to_vec();
        let result = store.choices(three, &mut b).unwrap();
        assert_eq!(result, three.iter().rev().cloned().collect::<Vec<_>>());
        assert_eq!(b, three.iter().map(turned_choice).collect::<Vec<_>>());
    }
}

/// As many elements as a message has room for; one more is refused.
fn unbounded(store: &Store) {
    let points = vec![Point { x: 1, y: 0 }; 1 << 16];
    let texts: Vec<Vec<u8>> = (0..100).map(|len| vec![b'x'; len * 10]).collect();
    let a = Unbounded { points, texts };
    let (sum, b) = store.sum(&a).unwrap();
    assert_eq!((sum, b.points.len()), (1 << 16, 1 << 16));
    assert!(b.points == a.points && b.texts.iter().rev().eq(&a.texts));
    let long = Unbounded { points: vec![Point { x: 1, y: 0 }; (1 << 16) + 1], texts: vec![] };
    assert_eq!(store.sum(&long).unwrap_err().kind(), Kind::BadArgument);
    let wide = Unbounded { points: vec![], texts: vec![vec![b'x'; 4096]; 256] };
    assert_eq!(store.sum(&wide).unwrap_err().kind(), Kind::BadArgument);
}

fn exceptions(store: &Store) {
    assert_eq!(store.take(&shelf(b"taken", 2)).unwrap(), turned(&shelf(b"taken", 2)));
    let raised = |what: &Shelf| match store.take(what) {
        Err(CallError::Raised(raised)) => raised,
        other => panic!("{other:?}"),
    };
    for len in 0..=3 {
        let what = shelf(b"refuse", len);
        let why = Choice::Row(5, vec![1, 2, 3, 4]);
        let refused = Refused { who: b"you".to_vec(), which: what.rows.clone(), why };
        assert_eq!(raised(&what), StoreTakeError::Refused(refused));
    }
    assert_eq!(raised(&shelf(b"full", 0)), StoreTakeError::Full(Full { row: vec![] }));
    let Err(CallError::Failed(failure)) = store.take(&shelf(b"broken", 0)) else { panic!("raised") };
    assert_eq!(failure.kind(), Kind::Service, "{failure}");
    assert_eq!(store.count(&[1, 2]).unwrap(), [2, 3]);
    let full = Full { row: vec![1, -1, i32::MIN, i32::MAX] };
    assert_eq!(store.count(&[]), Err(CallError::Raised(full)));
}

/// Found by the client: nothing is sent, and nothing changed.
fn faults_of_the_caller(store: &Store) {
    let good = || shelf(b"a", 1);
    let wrong = [
        Shelf { rows: vec![row(b"", 0); 3], ..good() },
        Shelf { rows: vec![row(b"nine long", 0)], ..good() },
        Shelf { rows: vec![row(b"a\0", 0)], ..good() },
        Shelf { rows: vec![row(b"", 4)], ..good() },
        Shelf { rows: vec![Named { name: vec![], points: vec![Point { x: 0, y: 1 << 63 }] }], ..good() },
        Shelf { words_: vec![vec![]; 3], ..good() },
        Shelf { words_: vec![vec![vec![]; 4]], ..good() },
        Shelf { words_: vec![vec![b"nine long".to_vec()]], ..good() },
        Shelf { words_: vec![vec![], vec![b"a\0".to_vec()]], ..good() },
    ];
    store.set_top(&good()).unwrap();
    for shelf in wrong {
        let mut inout = shelf.clone();
        let failures = [
            store.set_top(&shelf).unwrap_err(),
            store.tell(&shelf).unwrap_err(),
            store.shelf(&good(), &mut inout).unwrap_err(),
            store.shelves(&[good(), shelf.clone()], &mut vec![]).unwrap_err(),
            store.shelves(&[], &mut vec![shelf.clone()]).unwrap_err(),
        ];
        assert_eq!(failures.map(|failure| failure.kind()), [Kind::BadArgument; 5], "{shelf:?}");
        assert_eq!(inout, shelf);
    }
    let wide = |rows: [Vec<i32>; 2]| Grid { rows, ..grid(1) };
    let failures = [
        store.grid(&wide([vec![], vec![0; 5]]), &mut grid(0)).map(drop).unwrap_err(),
        store.grid(&grid(0), &mut Grid { keys: vec![[0; 16]; 3], ..grid(0) }).map(drop).unwrap_err(),
        store.grid(&grid(0), &mut Grid { shades: vec![Shade::Dark; 4], ..grid(0) }).map(drop).unwrap_err(),
        store.pair(&[vec![], vec![0; 5]], &mut grid(0).rows).map(drop).unwrap_err(),
        store.matrix(&[vec![0; 5]], &mut vec![]).map(drop).unwrap_err(),
        store.matrix(&[vec![], vec![], vec![], vec![]], &mut vec![]).map(drop).unwrap_err(),
        store.choice(&Choice::List(vec![row(b"", 4)]), &mut choices()[0].clone()).map(drop).unwrap_err(),
        store.choice(&Choice::Row(3, vec![]), &mut choices()[0].clone()).map(drop).unwrap_err(),
        store.choice(&Choice::Row(4, vec![0; 5]), &mut choices()[0].clone()).map(drop).unwrap_err(),
        store.choice(&choices()[0], &mut Choice::Text(4, vec![])).map(drop).unwrap_err(),
        store.choices(&[Choice::Grid(wide([vec![0; 5], vec![]]))], &mut vec![]).map(drop).unwrap_err(),
        store
            .deep(&Deep { cube: vec![vec![vec![0.0; 3]]], choices: vec![] }, &mut vec![])
            .map(drop)
            .unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.kind(), Kind::BadArgument, "{failure}");
    }
    assert_eq!(store.top().unwrap(), good());
}

fn faults_of_the_service(store: &Store) {
    for label in [&b"rows"[..], b"points", b"far", b"words", b"text", b"nul"] {
        let (asking, before) = (shelf(label, 1), shelf(b"c", 2));
        let mut c = before.clone();
        let failures = [
            store.shelf(&asking, &mut c).unwrap_err(),
            store.shelves(std::slice::from_ref(&asking), &mut vec![]).unwrap_err(),
            store.shelves(&[], &mut vec![asking.clone()]).unwrap_err(),
        ];
        assert_eq!(failures.map(|failure| failure.kind()), [Kind::Service; 3], "{asking:?}");
        assert_eq!(c, before);
    }
    let failures = [
        store.matrix(&[], &mut vec![vec![5]]).map(drop).unwrap_err(),
        store.choice(&Choice::Number(7), &mut Choice::Number(1)).map(drop).unwrap_err(),
        store.choice(&Choice::Number(1), &mut Choice::Number(7)).map(drop).unwrap_err(),
    ];
    assert_eq!(failures.map(|failure| failure.kind()), [Kind::Service; 3]);
}

// ---- Where it runs ----

#[test]
fn in_the_same_thread() {
    exercise(&Store::from_portal(LocalSession::new(shop(), Caller::local()).root()));
}

#[test]
fn over_both_kinds_of_session_and_through_a_relay() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let serve = |_: &Caller| Ok(shop());
    let server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), serve).unwrap();
    for address in [Address::Unix(path.clone()), Address::Shared(path.clone())] {
        let transport = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
        exercise(&Store::from_portal(transport.root()));
        let root = Capability::new(relay(transport.root(), module(), Store::ID));
        exercise(&Store::from_portal(LocalSession::new(root, Caller::local()).root()));
    }
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

/// How many callers in C were built, and content.
fn calls_from_c(whose: &str, path: &Path) -> usize {
    let callers = in_c::built(whose, module(), &["store_caller"], &[]);
    for caller in &callers {
        for scheme in ["unix", "shm"] {
            let output = Command::new(caller).arg(format!("{scheme}:{}", path.display())).output().unwrap();
            assert!(output.status.success(), "{scheme}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    callers.len()
}

#[test]
fn a_client_in_c_calls_it_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let serve = |_: &Caller| Ok(shop());
    let server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), serve).unwrap();
    println!("{} callers in C", calls_from_c("client", &path));
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

#[test]
fn a_server_in_c_serves_it_all() {
    // A MiB each way is more than a message buffer has room for, unless it is made for that.
    let size = "-DCARNET_FRAME_BYTES_MAX=4194304";
    let options = ["-DCARNET_STUBS=\"nested.h\"", "-DCARNET_ROOT=nested_Store", size, "carnet_main.c"];
    for program in in_c::built("server", module(), &["store"], &options) {
        let server = ServerInC::start(&program);
        for address in [Address::Unix(server.path.clone()), Address::Shared(server.path.clone())] {
            let transport = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
            exercise(&Store::from_portal(transport.root()));
        }
        calls_from_c("both", &server.path);
    }
}
