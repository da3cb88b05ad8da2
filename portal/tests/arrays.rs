//! Arrays of portals and of structs with portals: given, given back and changed, in the same process and over a socket.

#![deny(warnings)]

use std::time::{Duration, Instant};

use arrays::*;
use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{PortalIn, Served};

mod arrays {
    include!("../../idl/tests/cases/modules/arrays.rs");
}

struct Numbered(i32);

impl ItemService for Numbered {
    fn number(&self, _: &Caller) -> Result<i32, Failure> {
        Ok(self.0)
    }
}

fn item(number: i32) -> Served<Item> {
    Item::serve(Numbered(number))
}

/// An item whose number is by so many greater.
fn above(item_: PortalIn<'_, Item>, by: i32) -> Served<Item> {
    item(item_.local::<Numbered>().map_or(-1, |numbered| numbered.0) + by)
}

fn turned(pair: &[PortalIn<'_, Item>; 2], by: i32) -> [Served<Item>; 2] {
    [above(pair[1], by), above(pair[0], by)]
}

fn turned_row(row: &[PlaceGiven<'_>; 2], by: i32) -> [PlaceReturned; 2] {
    let place = |at: usize| PlaceReturned { item: above(row[at].item, by), name: row[at].name.clone() };
    [place(1), place(0)]
}

fn turned_board(board: &BoardGiven<'_>, by: i32) -> BoardReturned {
    BoardReturned { pair: turned(&board.pair, by), row: turned_row(&board.row, by), at: board.at + by }
}

/// Turns round what it is given, with greater numbers.
struct Shelved;

type Pair = [Served<Item>; 2];

impl ShelfService for Shelved {
    fn item(&self, _: &Caller, number: i32) -> Result<Served<Item>, Failure> {
        Ok(item(number))
    }

    fn pair(
        &self,
        _: &Caller,
        a: &[PortalIn<'_, Item>; 2],
        b: &[PortalIn<'_, Item>; 2],
    ) -> Result<(Pair, Pair, [Pair; 2]), Failure> {
        Ok((turned(a, 10), turned(b, 20), [turned(a, 30), turned(b, 40)]))
    }

    fn row(
        &self,
        _: &Caller,
        a: &[PlaceGiven<'_>; 2],
        b: &[PlaceGiven<'_>; 2],
    ) -> Result<([PlaceReturned; 2], [PlaceReturned; 2], Pair), Failure> {
        Ok((turned_row(a, 10), turned_row(b, 20), [above(a[1].item, 30), above(b[1].item, 40)]))
    }

    fn board(
        &self,
        _: &Caller,
        a: &BoardGiven<'_>,
        b: &BoardGiven<'_>,
    ) -> Result<(BoardReturned, BoardReturned), Failure> {
        Ok((turned_board(a, 10), turned_board(b, 20)))
    }

    fn pairs(
        &self,
        _: &Caller,
        a: &[[PortalIn<'_, Item>; 2]],
        b: &[BoardGiven<'_>],
    ) -> Result<(Vec<Pair>, Vec<BoardReturned>), Failure> {
        let pairs = a.iter().rev().map(|pair| turned(pair, 10)).collect();
        Ok((pairs, b.iter().rev().map(|board| turned_board(board, 20)).collect()))
    }
}

fn numbers(items: &[Item]) -> Vec<i32> {
    items.iter().map(|item| item.number().unwrap()).collect()
}

fn places(row: &[Place]) -> Vec<(i32, &[u8])> {
    row.iter().map(|place| (place.item.number().unwrap(), &place.name[..])).collect()
}

fn exercise(shelf: &Shelf) {
    let items = [1, 2, 3, 4].map(|number| shelf.item(number).unwrap());
    let [one, two, three, four] = &items;
    let a = [one.clone(), two.clone()];
    let mut b = [three.clone(), four.clone()];
    let (pair, grid) = shelf.pair(&a, &mut b).unwrap();
    assert_eq!((numbers(&pair), numbers(&b)), (vec![12, 11], vec![24, 23]));
    assert_eq!(grid.map(|row| numbers(&row)), [[32, 31], [44, 43]]);

    let place = |item: &Item, name: &[u8]| Place { item: item.clone(), name: name.to_vec() };
    let a = [place(one, b"one"), place(two, b"")];
    let mut b = [place(three, b"three"), place(four, b"eight by")];
    let (row, pair) = shelf.row(&a, &mut b).unwrap();
    assert_eq!(places(&row), [(12, &b""[..]), (11, b"one")]);
    assert_eq!(places(&b), [(24, &b"eight by"[..]), (23, b"three")]);
    assert_eq!(numbers(&pair), [32, 44]);

    let a = Board { pair: [one.clone(), two.clone()], row: a, at: 5 };
    let mut b = Board { pair: [three.clone(), four.clone()], row: b, at: 6 };
    let board = shelf.board(&a, &mut b).unwrap();
    assert_eq!(
        (numbers(&board.pair), places(&board.row)[1], board.at),
        (vec![12, 11], (11, &b"one"[..]), 15)
    );
    assert_eq!((numbers(&b.pair), places(&b.row)[0], b.at), (vec![24, 23], (43, &b"three"[..]), 26));

    let pairs = [[one.clone(), two.clone()], [three.clone(), four.clone()]];
    let mut boards = vec![b, a];
    let pairs = shelf.pairs(&pairs, &mut boards).unwrap();
    assert_eq!(pairs.iter().map(|pair| numbers(pair)).collect::<Vec<_>>(), [[14, 13], [12, 11]]);
    assert_eq!(boards.iter().map(|board| board.at).collect::<Vec<_>>(), [25, 46]);
    assert_eq!(numbers(&boards[0].pair), [22, 21]);
}

#[test]
fn in_the_same_process() {
    let capability = Capability::new(Shelf::serve(Shelved).into_object());
    exercise(&Shelf::from_portal(LocalSession::new(capability, Caller::local()).root()));
}

#[test]
fn over_a_socket() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let serve = |_: &Caller| Ok(Capability::new(Shelf::serve(Shelved).into_object()));
    let server = Server::listen(&address, ServerOptions::default(), serve).unwrap();
    let transport = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
    exercise(&Shelf::from_portal(transport.root()));
    server.shutdown(Instant::now() + Duration::from_secs(10));
}
