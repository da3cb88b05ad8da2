//! Clients that were compiled against an older interface file: it had fewer operations, in another order, and knew less of
//! what inherits from what. They find by its hash each operation that is still there.

use std::any::Any;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, LazyLock, OnceLock};

use carnet_idl::Sources;
use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Caller, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::entry::{EntryPoint, EntryRequest};
use carnet_portal::local::LocalSession;
use carnet_portal::portal::{Block, OpNumber, Portal};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions, Threads};
use carnet_portal::session::Session;
use server_in_c::ServerInC;

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;

fn compiled(text: &str) -> Module {
    carnet_idl::compile_str("zoo.idl", text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// What the server serves. Each operation without a portal returns its own number in its own interface.
static NOW: LazyLock<Module> = LazyLock::new(|| {
    compiled(
        "module zoo {
          struct Given { Node node; };
          interface Node {
            @reads long added();
            @reads Given flower();
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
          struct Given { Node node; };
          interface Node {
            @reads long second();
            @reads long gone();
            @reads long first();
            @reads Given flower();
          };
        };",
    )
});

/// Something between the base and what the object is.
static BETWEEN: LazyLock<Module> = LazyLock::new(|| {
    compiled(
        "module zoo {
          struct Given { Node node; };
          interface Node { @reads long first(); @reads Given flower(); };
          interface Leaf : Node { @reads long leaf(); };
        };",
    )
});

/// Both, before the one inherited from the other.
static APART: LazyLock<Module> = LazyLock::new(|| {
    compiled(
        "module zoo {
          struct Given { Node node; };
          interface Node { @reads long first(); @reads Given flower(); @reads long second(); };
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

/// Does it in the same thread and over a socket, the server in Rust and in C, each time with a root of this interface.
fn over_all(root: InterfaceId, what: impl Fn(&Portal)) {
    over_both(Capability::new(Arc::new(Plant(root))), &what);
    over_c(servers_in_c(root), &what);
}

/// Over a socket, with servers in C.
fn over_c(programs: &[PathBuf], what: impl Fn(&Portal)) {
    for program in programs {
        let server = ServerInC::start(program);
        what(
            &RemoteSession::connect(&Address::Unix(server.path.clone()), ConnectOptions::default())
                .unwrap()
                .root(),
        );
    }
}

/// In the same thread and over a socket.
fn over_both(root: Capability, what: impl Fn(&Portal)) {
    what(&LocalSession::new(root.clone(), Caller::local()).root());
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let options = ServerOptions { name: "zoo".to_owned(), ..ServerOptions::default() };
    let _server = Server::listen(&address, options, move |_: &Caller| Ok(root.clone())).unwrap();
    what(&RemoteSession::connect(&address, ConnectOptions::default()).unwrap().root());
}

/// The same service in C, whose root has this interface.
fn servers_in_c(root: InterfaceId) -> &'static [PathBuf] {
    let built = |root: &str| {
        let root = format!("-DCARNET_ROOT=zoo_{root}");
        in_c::built(&root[2..], &NOW, &["zoo"], &["-DCARNET_STUBS=\"zoo.h\"", &root, "carnet_main.c"])
    };
    static NODES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    static LEAVES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    static PETALS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    match root {
        NODE => NODES.get_or_init(|| built("Node")),
        LEAF => LEAVES.get_or_init(|| built("Leaf")),
        _ => PETALS.get_or_init(|| built("Petal")),
    }
}

#[test]
fn operations_of_a_base_are_found_on_what_a_client_does_not_know() {
    over_all(NODE, |root| {
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
    over_all(NODE, |root| {
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
        over_all(root, |root| {
            assert_eq!(call(root, &BASE, NODE, "second").unwrap().0, number("second"));
            assert_eq!(call(root, &NOW, NODE, "second").unwrap().0, number("second"));
        });
    }
    over_all(PETAL, |root| {
        assert_eq!(call(root, &BETWEEN, LEAF, "leaf").unwrap().0, number("leaf"));
    });
}

/// The other way round it is refused: who takes a node for a leaf finds no leaf's operations.
#[test]
fn the_root_is_not_taken_for_what_inherits_from_it() {
    over_all(NODE, |root| {
        let failure = call(root, &NOW, LEAF, "leaf").unwrap_err();
        assert!(matches!(failure.kind(), Kind::Refused | Kind::NoSuchOperation), "{failure}");
    });
}

/// The client calls the first operation of a node, and would call that of a leaf if it were asked: its number says not
/// which. Neither is called in place of the other.
#[test]
fn a_number_that_would_mean_two_operations_means_none() {
    over_all(NODE, |root| {
        let (_, petal) = call(root, &APART, NODE, "flower").unwrap();
        let petal = petal.expect("it is a portal");
        match call(&petal, &APART, NODE, "first") {
            Ok((found, _)) => assert_eq!(found, number("first")),
            Err(failure) => assert_eq!(failure.kind(), Kind::NoSuchOperation),
        }
        assert_eq!(call(&petal, &APART, NODE, "second").unwrap().0, number("second"));
    });
}

/// What the files say, one after the other; the last module.
fn last(text: &str) -> Vec<Module> {
    carnet_idl::compile(&Sources::of_text("two.idl", text)).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// An object of a module that the root's module includes.
static INCLUDED: LazyLock<Vec<Module>> = LazyLock::new(|| {
    last(
        "module pond {
          interface Water { @reads long first(); @reads long second(); };
          interface Lake : Water { @reads long lake(); };
        };
        module zoo { interface Gate { @reads pond::Water open(); }; };",
    )
});

/// The same as it was before.
static INCLUDED_BEFORE: LazyLock<Vec<Module>> = LazyLock::new(|| {
    last(
        "module pond { interface Water { @reads long second(); @reads long gone(); @reads long first(); }; };
        module zoo { interface Gate { @reads pond::Water open(); }; };",
    )
});

/// The gate, and what it gives: mostly an object of the other module's own descriptor, which the root's module knows in part.
struct Gate(&'static Module, InterfaceId);

struct Pond(&'static Module, InterfaceId);

impl Object for Gate {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&INCLUDED[1], INCLUDED[1].interface("Gate").unwrap())
    }

    fn dispatch(&self, _: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        call.words[0] = call.make(Arc::new(Pond(self.0, self.1)));
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

impl Object for Pond {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (self.0, self.1)
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        call.words[0] = u64::from(op);
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// The gate in C, whose water is one of the root's module; or its water as the root.
fn gates_in_c(root: &str) -> &'static [PathBuf] {
    let built = |root: &str| {
        let root = format!("-DCARNET_ROOT=zoo_{root}");
        let options = ["-DCARNET_STUBS=\"zoo.h\"", &root, "carnet_main.c"];
        in_c::built(&root[2..], &INCLUDED[1], &["gate"], &options)
    };
    static GATES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    static WATERS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    match root {
        "Gate" => GATES.get_or_init(|| built("Gate")),
        _ => WATERS.get_or_init(|| built("pond_Water")),
    }
}

/// In Rust with this root, and in C.
fn over_gates(root: Gate, what: impl Fn(&Portal)) {
    over_both(Capability::new(Arc::new(root)), &what);
    over_c(gates_in_c("Gate"), &what);
}

#[test]
fn operations_of_an_included_module_are_found_by_their_hashes_too() {
    let (zoo, before): (&'static Module, &'static Module) = (&INCLUDED[1], &INCLUDED_BEFORE[1]);
    for object in ["Water", "Lake"] {
        let object = INCLUDED[0].interface(object).unwrap();
        over_gates(Gate(&INCLUDED[0], object), |root| {
            for client in [zoo, before] {
                let id = |name: &str| client.interface(name).unwrap();
                let (_, water) = call(root, client, id("Gate"), "open").unwrap();
                let water = water.expect("it is a portal");
                for (name, number) in [("first", 0), ("second", 1)] {
                    assert_eq!(call(&water, client, id("::pond::Water"), name).unwrap().0, number, "{name}");
                }
            }
            let (_, water) = call(root, before, before.interface("Gate").unwrap(), "open").unwrap();
            let failure = call(&water.unwrap(), before, before.interface("::pond::Water").unwrap(), "gone");
            assert_eq!(failure.unwrap_err().kind(), Kind::NoSuchOperation);
        });
    }
}

/// The other module's own stubs are as good, whichever descriptor the object has: what is called the same in full is the same.
#[test]
fn an_included_modules_own_clients_find_its_operations() {
    let (pond, zoo, before) = (&INCLUDED[0], &INCLUDED[1], &INCLUDED_BEFORE[0]);
    for object in [pond, zoo] {
        let water_of =
            |module: &Module| module.interface("Water").or(module.interface("::pond::Water")).unwrap();
        over_gates(Gate(object, water_of(object)), |root| {
            let gate = zoo.interface("Gate").unwrap();
            let open = || call(root, zoo, gate, "open").unwrap().1.expect("it is a portal");
            let water = open();
            for client in [zoo, pond, before, zoo] {
                for (name, number) in [("first", 0), ("second", 1)] {
                    assert_eq!(call(&water, client, water_of(client), name).unwrap().0, number, "{name}");
                }
                call(&open(), client, water_of(client), "first").expect("the session goes on");
            }
            let gone = call(&water, before, water_of(before), "gone").unwrap_err();
            assert_eq!(gone.kind(), Kind::NoSuchOperation);
        });
    }
}

/// Answers every request with an object of a service beside.
struct Beside(Capability);

impl EntryPoint for Beside {
    fn handle(&self, request: EntryRequest<'_>) {
        request.responder.reply(&[], vec![self.0.clone()]);
    }

    fn closed(&self, _: &Session) {}
}

/// An object of a service beside: the root's module knows nothing of it, and its own clients find what they call, older ones as well.
#[test]
fn operations_of_a_module_that_the_roots_does_not_include_are_found() {
    let (pond, zoo) = (&INCLUDED[0], &INCLUDED[1]);
    let gate = zoo.interface("Gate").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let root = Capability::new(Arc::new(Gate(pond, pond.interface("Lake").unwrap())));
    for (name, threads) in [("a", Threads::default()), ("b", Threads::Loop)] {
        let entry: Arc<dyn EntryPoint> = Arc::new(Beside(Capability::new(Arc::new(Plant(PETAL)))));
        let options = ServerOptions { entry: Some(entry), threads, ..ServerOptions::default() };
        let (address, root) = (Address::Unix(directory.path().join(name)), root.clone());
        let _server = Server::listen(&address, options, move |_: &Caller| Ok(root.clone())).unwrap();
        let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
        let petal = session.control(16, &[], &[], &mut |_| {}).unwrap().portals.remove(0);
        for _ in 0..2 {
            for (client, of, names) in [
                (&*NOW, PETAL, &["added", "first", "second", "more", "leaf", "petal"][..]),
                (&*NOW, LEAF, &["added", "leaf"][..]),
                (&*BASE, NODE, &["second", "first"][..]),
                (&*BETWEEN, LEAF, &["first", "leaf"][..]),
            ] {
                for name in names {
                    assert_eq!(call(&petal, client, of, name).unwrap().0, number(name), "{name}");
                }
                // What the root's own module has is found as before.
                let (_, water) = call(&session.root(), zoo, gate, "open").unwrap();
                let water_of = zoo.interface("::pond::Water").unwrap();
                assert_eq!(call(&water.unwrap(), zoo, water_of, "second").unwrap().0, 1);
            }
            let gone = call(&petal, &BASE, NODE, "gone").unwrap_err();
            assert_eq!(gone.kind(), Kind::NoSuchOperation);
            // A client that has none of it calls none of it, whatever its numbers mean there.
            let none = call(&petal, zoo, gate, "open").unwrap_err();
            assert_eq!(none.kind(), Kind::NoSuchOperation);
        }
    }
}

/// A call that takes the root for something else fails, and no other does: the session goes on.
#[test]
fn a_root_that_is_taken_wrong_fails_that_call_alone() {
    let (pond, zoo) = (&INCLUDED[0], &INCLUDED[1]);
    let strange = &*NOW;
    let wrong = [(pond, "Water"), (zoo, "::pond::Water"), (strange, "Leaf"), (pond, "Lake")];
    let water = pond.interface("Water").unwrap();
    over_gates(Gate(pond, water), |root| {
        for (client, name) in wrong {
            let operation = if name == "Leaf" { "leaf" } else { "first" };
            for _ in 0..2 {
                let failure = call(root, client, client.interface(name).unwrap(), operation).unwrap_err();
                assert!(matches!(failure.kind(), Kind::Refused | Kind::NoSuchOperation), "{failure}");
            }
            let opened =
                call(root, zoo, zoo.interface("Gate").unwrap(), "open").expect("the session goes on");
            assert_eq!(call(&opened.1.unwrap(), pond, water, "second").unwrap().0, 1);
        }
    });
}

/// The root itself may be of an included module: that one's clients take it for what it is, those of the root's module do, too.
#[test]
fn a_root_of_an_included_module_is_what_that_says() {
    let (pond, zoo, before) = (&INCLUDED[0], &INCLUDED[1], &INCLUDED_BEFORE[0]);
    let water_of = |module: &Module| module.interface("Water").or(module.interface("::pond::Water")).unwrap();
    let what = |root: &Portal| {
        for client in [zoo, pond, before] {
            for (name, number) in [("first", 0), ("second", 1)] {
                assert_eq!(call(root, client, water_of(client), name).unwrap().0, number, "{name}");
            }
        }
        let failure = call(root, zoo, zoo.interface("Gate").unwrap(), "open").unwrap_err();
        assert!(matches!(failure.kind(), Kind::Refused | Kind::NoSuchOperation), "{failure}");
        assert_eq!(call(root, pond, water_of(pond), "second").unwrap().0, 1, "the session goes on");
    };
    over_both(Capability::new(Arc::new(Pond(zoo, water_of(zoo)))), what);
    over_c(gates_in_c("pond_Water"), what);
}

/// A client in C says once what it takes the root for: calls of a wrong one fail and say so, with the session as it was.
#[test]
fn a_client_in_c_is_told_what_its_root_is() {
    let (pond, zoo) = (&INCLUDED[0], &INCLUDED[1]);
    let clients = in_c::built("older", pond, &["gate_caller"], &[]);
    let calls = |address: &Address, becomes: &str| {
        for client in &clients {
            let output = Command::new(client).arg(address.to_string()).arg(becomes).output().unwrap();
            assert!(output.status.success(), "{becomes}: {}", String::from_utf8_lossy(&output.stderr));
        }
    };
    let water = |module: &'static Module, name: &str| Pond(module, module.interface(name).unwrap());
    let gate = Gate(pond, pond.interface("Water").unwrap());
    let roots = [
        (Capability::new(Arc::new(gate)), "Gate", "refused"),
        (Capability::new(Arc::new(water(zoo, "::pond::Water"))), "pond_Water", "served"),
    ];
    for (root, in_c, becomes) in roots {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s");
        let server =
            Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), move |_: &Caller| {
                Ok(root.clone())
            });
        [Address::Unix, Address::Shared].iter().for_each(|way| calls(&way(path.clone()), becomes));
        drop(server.unwrap());
        for program in gates_in_c(in_c) {
            let server = ServerInC::start(program);
            [Address::Unix, Address::Shared].iter().for_each(|way| calls(&way(server.path.clone()), becomes));
        }
    }
}
