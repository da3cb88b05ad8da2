//! Programs and generated stubs have lists within values from each other: a server that was written with stubs is called by a program
//! beside it, and by a client with the same values, and both come to the same.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::parse;
use nested::*;

mod nested {
    #![allow(unreachable_pub, dead_code, reason = "generated for a public module")]
    include!("../../idl/tests/cases/modules/nested.rs");
}

/// Gives back what it gets, turned round, and keeps what it was told.
#[derive(Default)]
struct Shop {
    told: Arc<Mutex<Vec<Shelf>>>,
}

fn point(x: i32) -> Point {
    Point { x, y: u64::from(x.unsigned_abs()) << 30 }
}

fn named(name: &[u8], points: &[i32]) -> Named {
    Named { name: name.to_vec(), points: points.iter().map(|x| point(*x)).collect() }
}

fn shelf() -> Shelf {
    Shelf {
        label: b"label".to_vec(),
        rows: vec![named(b"one", &[1, -2, i32::MIN]), named(b"", &[])],
        words_: vec![vec![b"a".to_vec(), vec![], b"eight by".to_vec()], vec![]],
        stamp: i64::MIN,
    }
}

fn grid() -> Grid {
    Grid {
        rows: [vec![1, 2, 3, 4], vec![]],
        raw: vec![0, 255],
        shades: vec![Shade::Dark, Shade::Light],
        keys: vec![[1; 16], [2; 16]],
    }
}

fn turned(shelf: &Shelf) -> Shelf {
    let mut new = shelf.clone();
    new.rows.reverse();
    new.words_.reverse();
    new.words_.iter_mut().for_each(|words| words.reverse());
    new
}

impl StoreService for Shop {
    fn top(&self, _: &Caller) -> Result<Shelf, Failure> {
        Ok(shelf())
    }

    fn set_top(&self, _: &Caller, value: &Shelf) -> Result<(), Failure> {
        self.told.lock().expect("nobody panics with it").push(value.clone());
        Ok(())
    }

    fn shelf(&self, _: &Caller, a: &Shelf, c: &mut Shelf) -> Result<(Shelf, Shelf), Failure> {
        let before = std::mem::replace(c, turned(c));
        Ok((turned(a), before))
    }

    fn shelves(
        &self,
        _: &Caller,
        a: &[Shelf],
        b: &mut Vec<Shelf>,
        result: &mut ShelfList<'_>,
    ) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|of| result.push(&of.label, &of.rows, &of.words_, of.stamp)));
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
        assert!(c.push(&[]) && c.push(&[b"one".to_vec(), b"eight by".to_vec()]));
        Ok(())
    }

    fn grid(&self, _: &Caller, a: &Grid, b: &mut Grid, c: &mut GridList<'_>) -> Result<Grid, Failure> {
        assert!(c.push(&a.rows, &a.raw, &a.shades, &a.keys));
        b.rows.reverse();
        b.keys.reverse();
        Ok(a.clone())
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
        if let Choice::List(list) = b {
            list.reverse();
        }
        Ok(if *a == Choice::Number(7) { Choice::Grid(grid()) } else { a.clone() })
    }

    fn choices(
        &self,
        _: &Caller,
        a: &[Choice],
        b: &mut Vec<Choice>,
        result: &mut ChoiceList<'_>,
    ) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|choice| result.push(choice)));
        b.reverse();
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
        Ok(what.clone())
    }

    fn count(&self, _: &Caller, what: &[i32], result: &mut I32List<'_>) -> Result<(), Full> {
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

const PROGRAM: &str = r#"use nested
program all(store: Store) {
  let top = store._get_top()
  store._set_top(top)
  let both = store.shelf(top, top)
  store._set_top(both.value)
  store._set_top(both.c)
  store._set_top(both.b)

  var shelves: list(Shelf, 3)
  shelves.add(top)
  shelves.add(both.value)
  let turned = store.shelves(shelves, shelves)
  for shelf in turned.value { store._set_top(shelf) }
  for shelf in turned.b { store._set_top(shelf) }

  var points: list(Point, 3)
  points.add(Point(3, 4))
  var rows: list(Named, 2)
  rows.add(Named("made", points))
  var text: list(string(8), 3)
  text.add("x")
  var words: list(list(string(8), 3), 2)
  words.add(text)
  store._set_top(store.take(Shelf("made", rows, words, 9)))
  if store.many(rows) != 1 { fail "many" }

  var matrix: list(list(int, 4), 3)
  var row: list(int, 4)
  row.add(1)
  row.add(-2)
  matrix.add(row)
  matrix.add(store.count(row))
  let out = store.matrix(matrix, matrix)
  if out.value[0][1] != -1 || out.b[0][0] != -2 || out.c[0].len != 0 || out.c[1][1] != "eight by" { fail "matrix" }

  let seven = store.choice(Choice(number: 7), Choice(list: rows))
  match seven.b {
    list(list) { if list[0].points[0].y != 4 { fail "an arm" } }
    else { fail "no list" }
  }
  match seven.value {
    grid(grid) {
      let got = store.grid(grid, grid)
      if got.b.rows[1][3] != 4 || got.c[0].shades[0] != Shade.dark || got.value.keys[1] != grid.keys[1] { fail "grid" }
      if got.b.keys[0] != grid.keys[1] || got.value.raw != grid.raw { fail "keys" }
      let pair = store.pair(got.value.rows, grid.rows)
      if pair.value[0][3] != 4 || pair.c[0][0] != 1 || pair.b[0].len != 0 { fail "pair" }
      var choices: list(Choice, 3)
      choices.add(Choice(case: 5, row: row))
      choices.add(seven.value)
      let turned_choices = store.choices(choices, choices)
      if turned_choices.value[1].case != 5 || turned_choices.b[0].case != 3 { fail "choices" }

      var line: list(double, 2)
      line.add(0.5)
      var plane: list(list(double, 2), 2)
      plane.add(line)
      var cube: list(list(list(double, 2), 2), 2)
      cube.add(plane)
      var none: list(list(double, 2), 2)
      cube.add(none)
      var some: list(Choice, 2)
      some.add(seven.value)
      var deeps: list(Deep, 2)
      deeps.add(Deep(cube, some))
      let deep = store.deep(deeps[0], deeps)
      if deep.value.cube[1][0][0] != 0.5 || deep.value.cube[0].len != 0 || deep.b[0].choices[0].case != 3 { fail "deep" }
    }
    else { fail "no grid" }
  }

  var many: list(Point, 1_000)
  for n in 0 .. 1_000 { many.add(Point(n, n)) }
  var texts: list(string, 3)
  texts.add("first")
  texts.add("last")
  let sum = store.sum(Unbounded(many, texts))
  if sum.value != 499_500 || sum.b.points[999].y != 999 || sum.b.texts[0] != "last" { fail "sum" }
}
"#;

/// What the program tells, by the same calls of a client.
fn by_client(store: &Store) -> Vec<Shelf> {
    let top = store.top().expect("it answers");
    let mut c = top.clone();
    let (value, b) = store.shelf(&top, &mut c).expect("it answers");
    let mut told = vec![top.clone(), value.clone(), c, b];
    let (a, mut b) = ([top.clone(), value.clone()], vec![top, value]);
    told.extend(store.shelves(&a, &mut b).expect("it answers"));
    told.extend(b);
    told.push(Shelf {
        label: b"made".to_vec(),
        rows: vec![Named { name: b"made".to_vec(), points: vec![Point { x: 3, y: 4 }] }],
        words_: vec![vec![b"x".to_vec()]],
        stamp: 9,
    });
    told
}

#[test]
fn a_program_and_a_client_come_to_the_same() {
    let directory = tempfile::tempdir().expect("a directory of our own");
    let address = Address::Unix(directory.path().join("s"));
    let shop = Shop::default();
    let told = Arc::clone(&shop.told);
    let root = Capability::new(Store::serve(shop).into_object());
    let programs = Programs::new(&[module()], Policy::default());
    let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
    let server = Server::listen(&address, options, move |_: &Caller| Ok(root.clone())).expect("it listens");
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it is there");
    let store = Store::from_portal(session.root());
    let expected = by_client(&store);
    let tree = parse(PROGRAM, &[Arc::new(module().clone())]).unwrap_or_else(|faults| panic!("{faults:?}"));
    let bytes = compile_to_bytes(&tree).expect("it compiles");
    let (options, name, approval) = (RunOptions::default(), "", "");
    let (arguments, program) = (vec![Argument::Portal(0)], RunProgram::Whole(&bytes));
    let request = RunRequest { id: RunId(1), options, name, approval, arguments, program };
    let outcome = Client::new(session).run(&request, &[store.portal()]).expect("the server answers");
    assert_eq!(outcome.end, End::Done, "{outcome:?}");
    assert_eq!(*told.lock().expect("nobody panics with it"), expected);
    server.shutdown(Instant::now() + Duration::from_secs(10));
}
