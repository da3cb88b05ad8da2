//! `carnet call` of operations whose arguments come back changed, and what of them has no form on a command line.

mod support;

use std::any::Any;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Caller, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_portal::server::{Server, ServerOptions};
use support::Place;

const IDL: &str = "module turns {
  struct Entry { string<20> name; long size; };
  interface Turner {
    long turn(in long by, inout string<20> text, inout long n, inout Entry entry, out string<20> before);
    void shake(inout sequence<octet, 8> bytes);
    void sort(inout sequence<long, 4> numbers);
    void climb(inout Turner at);
  };
};";

static MODULE: LazyLock<Module> =
    LazyLock::new(|| carnet_idl::compile_str("turns.idl", IDL).expect("the interface compiles"));

struct Turner;

impl Turner {
    /// Turns the text round that word `at` refers to; what it was.
    fn turned(call: &mut Call<'_>, at: usize) -> Result<Vec<u8>, Failure> {
        let before = call.areas.bytes(call.words[at], 20)?.to_vec();
        let mut area = call.take(at)?;
        area.bytes.extend(before.iter().rev());
        call.put(at, area)?;
        Ok(before)
    }
}

impl Object for Turner {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&MODULE, InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        if op == 1 {
            return Turner::turned(call, 0).map(drop);
        }
        // By; text, number, name, size; result, what the text was.
        let by = call.words[0];
        let before = Turner::turned(call, 1)?;
        Turner::turned(call, 3)?;
        call.words[5] = call.words[2];
        call.words[2] += by;
        call.words[4] += by;
        let mut area = call.take(6)?;
        area.bytes = before;
        call.put(6, area)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

fn said(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let output = place.carnet(&[&["call"], arguments].concat());
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn what_goes_both_ways_comes_back_changed() {
    let mut place = Place::new();
    let address = Address::Unix(place.path("turns.sock"));
    let root = |_: &Caller| Ok(Capability::new(std::sync::Arc::new(Turner)));
    let server = Server::listen(&address, ServerOptions::default(), root).expect("it listens");
    place.export("CARNET_SERVER", "unix:./turns.sock");
    let all = ["Turner.turn", "by=5", "text=abc", "n=2", "entry.name=xyz", "entry.size=7"];
    let (code, text) = said(&place, &all);
    let expected = "done  text=cba n=7 entry=name=zyx size=12 result=2 before=abc\n";
    assert_eq!((code, text.as_str()), (Some(0), expected));
    assert_eq!(said(&place, &["Turner.shake", "bytes=12"]).0, Some(0));
    for (arguments, why) in [
        (&["Turner.turn", "by=5", "n=2", "entry.name=x", "entry.size=1"][..], "`text=…` is missing"),
        (&["Turner.turn", "by=5", "text=123456789012345678901"], "at most 20 bytes"),
        (&["Turner.turn", "before=abc"], "there is no argument `before`"),
        (&["Turner.sort", "numbers=1"], "expected a list, for example [1, 2, 3]\n"),
        (&["Turner.climb", "at=1"], "`at` cannot be written on a command line; a program can pass it\n"),
    ] {
        let (code, text) = said(&place, arguments);
        assert!(code == Some(2) && text.contains(why), "{arguments:?}: {code:?} {text}");
    }
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

const INHERITED: &str = "module heirs {
  interface Base { long ping(); };
  interface A : Base { attribute long count; long own(); };
  interface Other { void f(); };
};";

static HEIRS: LazyLock<Module> =
    LazyLock::new(|| carnet_idl::compile_str("heirs.idl", INHERITED).expect("the interface compiles"));

struct Heir;

impl Object for Heir {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&HEIRS, HEIRS.interface("A").expect("an interface"))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let at = call.words.len() - 1;
        call.words[at] = u64::from(op) + 40;
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// The root is each of the interfaces that it inherits from; an attribute is two calls.
#[test]
fn what_is_inherited_is_called_by_either_name() {
    let mut place = Place::new();
    let address = Address::Unix(place.path("heirs.sock"));
    let root = |_: &Caller| Ok(Capability::new(std::sync::Arc::new(Heir)));
    let server = Server::listen(&address, ServerOptions::default(), root).expect("it listens");
    place.export("CARNET_SERVER", "unix:./heirs.sock");
    for name in ["Base.ping", "A.ping"] {
        assert_eq!(said(&place, &[name]), (Some(0), "done  40\n".to_owned()), "{name}");
    }
    assert_eq!(said(&place, &["A._get_count"]), (Some(0), "done  41\n".to_owned()));
    assert_eq!(said(&place, &["A.own"]).0, Some(0));
    for (words, why) in [
        (
            &["A.count"][..],
            "error: A.count is an attribute\nit is read and written by calls: `A._get_count` and `A._set_count`\n",
        ),
        (&["Other.f"], "error: the server's root is an A, not an Other\nan Other comes from a call"),
        (&["A.ping", "--on", "x"], "error: no text names an A\n"),
    ] {
        let (code, text) = said(&place, words);
        assert!(code == Some(2) && text.contains(why), "{words:?}: {code:?} {text}");
    }
    server.shutdown(Instant::now() + Duration::from_secs(10));
}
