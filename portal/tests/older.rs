//! Clients that were compiled against an older interface file: it had fewer operations, in another order, and knew less of
//! what inherits from what. They find by its hash each operation that is still there.

use std::any::Any;
use std::sync::{Arc, LazyLock};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Caller, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::{Block, OpNumber, Portal};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};

fn compiled(text: &str) -> Module {
    carnet_idl::compile_str("zoo.idl", text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// What the server serves. Each operation without a portal returns its own number in its own interface.
static NOW: LazyLock<Module> = LazyLock::new(|| {
    compiled(
        "module zoo {
          interface Node {
            @reads long added();
            @reads Node flower();
            @reads long first();
            @reads long second();
          };
          interface Leaf : Node { @reads long more(); @reads long leaf(); };
          interface Petal : Leaf { @reads long petal(); };
        };",
    )
});

/// Only the base, in another order, with something that is gone since.
static BASE: LazyLock<Module> = LazyLock::new(|| {
    compiled(
        "module zoo {
          interface Node {
            @reads long second();
            @reads long gone();
            @reads long first();
            @reads Node flower();
          };
        };",
    )
});

/// Something between the base and what the object is.
static BETWEEN: LazyLock<Module> = LazyLock::new(|| {
    compiled(
        "module zoo {
          interface Node { @reads long first(); @reads Node flower(); };
          interface Leaf : Node { @reads long leaf(); };
        };",
    )
});

/// Both, before the one inherited from the other.
static APART: LazyLock<Module> = LazyLock::new(|| {
    compiled(
        "module zoo {
          interface Node { @reads long first(); @reads Node flower(); @reads long second(); };
          interface Leaf { @reads long leaf(); };
        };",
    )
});

const NODE: InterfaceId = InterfaceId(0);
const LEAF: InterfaceId = InterfaceId(1);
const PETAL: InterfaceId = InterfaceId(2);
const FLOWER: u16 = 1;

struct Plant(InterfaceId);

impl Object for Plant {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&NOW, self.0)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        call.words[0] = if op == FLOWER { call.make(Arc::new(Plant(PETAL))) } else { u64::from(op) };
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// Calls an operation by the name that the caller's interface file has for it; its number, and what it made.
fn call(
    portal: &Portal,
    module: &'static Module,
    interface: InterfaceId,
    name: &str,
) -> Result<(u64, Option<Portal>), Failure> {
    let (op, _) = module.interfaces[interface.index()].operation(name).expect("the caller knows it");
    let mut words = [0];
    let mut block =
        Block { words: &mut words, inputs: &[], outputs: &mut [], portals: &[], made: Vec::new() };
    portal.call(OpNumber { module, interface, op }, &mut block)?;
    let made = block.made.pop();
    Ok((words[0], made))
}

fn number(of: &str) -> u64 {
    u64::from(NOW.interfaces[PETAL.index()].operation(of).expect("it is there").0)
}

/// Does it over a socket and in the same thread, each time with a root of this interface.
fn over_both(root: InterfaceId, what: impl Fn(&Portal)) {
    let capability = Capability::new(Arc::new(Plant(root)));
    what(&LocalSession::new(capability.clone(), Caller::local()).root());
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let options = ServerOptions { name: "zoo".to_owned(), ..ServerOptions::default() };
    let _server = Server::listen(&address, options, move |_: &Caller| Ok(capability.clone())).unwrap();
    what(&RemoteSession::connect(&address, ConnectOptions::default()).unwrap().root());
}

#[test]
fn operations_of_a_base_are_found_on_what_a_client_does_not_know() {
    over_both(NODE, |root| {
        let (_, petal) = call(root, &BASE, NODE, "flower").unwrap();
        let petal = petal.expect("it is a portal");
        for portal in [root, &petal] {
            for name in ["first", "second"] {
                assert_eq!(call(portal, &BASE, NODE, name).unwrap().0, number(name), "{name}");
            }
            assert_eq!(call(portal, &BASE, NODE, "gone").unwrap_err().kind(), Kind::NoSuchOperation);
        }
    });
}

#[test]
fn the_nearest_base_that_a_client_knows_counts() {
    over_both(NODE, |root| {
        let (_, petal) = call(root, &BETWEEN, NODE, "flower").unwrap();
        let petal = petal.expect("it is a portal");
        for (interface, name) in [(LEAF, "leaf"), (LEAF, "first"), (NODE, "first")] {
            assert_eq!(call(&petal, &BETWEEN, interface, name).unwrap().0, number(name), "{name}");
        }
    });
}

/// The root may be more than a client takes it for, too: another client knows it as what it is.
#[test]
fn the_root_is_taken_for_what_it_inherits_from() {
    for root in [NODE, LEAF, PETAL] {
        over_both(root, |root| {
            assert_eq!(call(root, &BASE, NODE, "second").unwrap().0, number("second"));
            assert_eq!(call(root, &NOW, NODE, "second").unwrap().0, number("second"));
        });
    }
    over_both(PETAL, |root| {
        assert_eq!(call(root, &BETWEEN, LEAF, "leaf").unwrap().0, number("leaf"));
    });
}

/// The other way round it is refused: who takes a node for a leaf finds no leaf's operations.
#[test]
fn the_root_is_not_taken_for_what_inherits_from_it() {
    over_both(NODE, |root| {
        let failure = call(root, &NOW, LEAF, "leaf").unwrap_err();
        assert!(matches!(failure.kind(), Kind::Refused | Kind::NoSuchOperation), "{failure}");
    });
}

/// The client calls the first operation of a node, and would call that of a leaf if it were asked: its number says not
/// which. Neither is called in place of the other.
#[test]
fn a_number_that_would_mean_two_operations_means_none() {
    over_both(NODE, |root| {
        let (_, petal) = call(root, &APART, NODE, "flower").unwrap();
        let petal = petal.expect("it is a portal");
        match call(&petal, &APART, NODE, "first") {
            Ok((found, _)) => assert_eq!(found, number("first")),
            Err(failure) => assert_eq!(failure.kind(), Kind::NoSuchOperation),
        }
        assert_eq!(call(&petal, &APART, NODE, "second").unwrap().0, number("second"));
    });
}
