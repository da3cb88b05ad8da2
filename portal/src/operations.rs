//! Translates a client's operation numbers into the server's, by the hashes in its Hello.
//!
//! The client's module may be another than the root's, and know some of its interfaces all the same: one includes the other, or
//! both the same. What an interface is called in full says which it is. A client that takes the root for something else
//! is told so when it calls that, and can go on with what else it holds.
//!
//! A session may hold objects of several modules: of what the root's includes, and of services beside. There is a table for the interfaces of
//! each, made of the same Hello when such an object is called first.

use std::cell::RefCell;

use carnet_idl::descriptor::{Interface, InterfaceId, Module};

use crate::call::{Failure, Kind};
use crate::wire::Hello;

/// For one session: the server's number of each of the client's operations.
#[derive(Debug)]
pub(crate) struct Operations {
    module: &'static Module,
    /// By the server's interface.
    maps: Vec<Map>,
    /// Those of other modules whose objects were called.
    others: RefCell<Vec<Other>>,
    /// The Hello, of which they are made.
    said: Box<[u8]>,
    /// The client's numbers are the server's own.
    are_own: bool,
    /// The client takes the root for what it is not: the root's interface, and what is said of its operations.
    refused: Option<(InterfaceId, Failure)>,
}

/// Of another module than the root's.
#[derive(Debug)]
struct Other {
    module: &'static Module,
    /// By its interface, if an object of that was called.
    maps: Vec<Option<Map>>,
}

#[derive(Debug)]
enum Map {
    /// Both sides have the same interface.
    Same,
    /// By the client's number.
    Table(Vec<Option<u16>>),
}

impl Operations {
    /// For a client that uses the server's own numbers.
    pub(crate) fn same(module: &'static Module) -> Operations {
        let maps = module.interfaces.iter().map(|_| Map::Same).collect();
        Operations {
            module,
            maps,
            others: RefCell::default(),
            said: Box::default(),
            are_own: true,
            refused: None,
        }
    }

    /// For a client that was compiled against what `hello` says; `root` is the root object's interface.
    pub(crate) fn new(module: &'static Module, root: InterfaceId, hello: &Hello) -> Operations {
        if hello.module.is_empty() {
            return Operations::same(module);
        }
        let mut maps: Vec<Map> = ids(module).map(|id| Map::new(module, id, hello)).collect();
        let is_root = |id: InterfaceId| full_name(module, id) == in_full(&hello.module, &hello.root);
        let is_taken_wrong = !hello.root.is_empty() && !module.bases(root).any(is_root);
        let refused = is_taken_wrong.then(|| {
            maps[root.index()] = Map::Table(Vec::new());
            (root, other_root(module, root, hello))
        });
        let mut said = Vec::new();
        hello.encode(&mut said);
        Operations { module, maps, others: RefCell::default(), said: said.into(), are_own: false, refused }
    }

    /// The server's number of the client's operation `op` on an object of `interface`.
    ///
    /// # Errors
    /// [`Kind::NoSuchOperation`]; [`Kind::Refused`] if the client takes the root for what it is not, and this may be it.
    #[inline]
    pub(crate) fn translate(
        &self,
        module: &'static Module,
        interface: InterfaceId,
        op: u16,
    ) -> Result<u16, Failure> {
        if !std::ptr::eq(module, self.module) {
            return self.translate_other(module, interface, op);
        }
        match self.maps.get(interface.index()) {
            None | Some(Map::Same) => Ok(op),
            Some(Map::Table(table)) => {
                table.get(usize::from(op)).copied().flatten().ok_or_else(|| self.not_found(interface, op))
            }
        }
    }

    #[cold]
    fn not_found(&self, interface: InterfaceId, op: u16) -> Failure {
        match &self.refused {
            Some((root, refusal)) if *root == interface => refusal.clone(),
            _ => not_here(self.module, interface, op),
        }
    }

    /// Of an object of another module's descriptor than the root's.
    #[inline(never)]
    fn translate_other(
        &self,
        module: &'static Module,
        interface: InterfaceId,
        op: u16,
    ) -> Result<u16, Failure> {
        if self.are_own {
            return Ok(op);
        }
        let mut others = self.others.borrow_mut();
        let known = others.iter().position(|other| std::ptr::eq(other.module, module));
        let at = known.unwrap_or_else(|| {
            others.push(Other { module, maps: module.interfaces.iter().map(|_| None).collect() });
            others.len() - 1
        });
        let map = others[at].maps.get_mut(interface.index());
        let number = map.and_then(|map| match map.get_or_insert_with(|| self.map_of(module, interface)) {
            Map::Same => Some(op),
            Map::Table(table) => table.get(usize::from(op)).copied().flatten(),
        });
        number.ok_or_else(|| not_here(module, interface, op))
    }

    #[cold]
    fn map_of(&self, module: &Module, interface: InterfaceId) -> Map {
        // It was read before.
        Hello::decode(&self.said).map_or(Map::Table(Vec::new()), |hello| Map::new(module, interface, &hello))
    }
}

fn ids(module: &Module) -> impl Iterator<Item = InterfaceId> {
    (0..module.interfaces.len()).filter_map(|index| u16::try_from(index).ok()).map(InterfaceId)
}

impl Map {
    /// A client that does not know the interface itself may know some that it inherits from: the object has those, too.
    /// It takes the object for one of them, and nobody else knows for which. A number that would not mean the same in
    /// all of them, because it knows nothing of how they inherit, means nothing.
    fn new(module: &Module, id: InterfaceId, hello: &Hello) -> Map {
        let interface = &module.interfaces[id.index()];
        let known = module.bases(id).filter_map(|id| {
            let name = full_name(module, id);
            hello.interfaces.iter().find(|client| in_full(&hello.module, &client.name) == name)
        });
        let mut table: Vec<Option<u16>> = Vec::new();
        for client in known {
            if client.hash == interface.hash.0 {
                return Map::Same;
            }
            let numbers = client.operations.iter().map(|hash| number_of(interface, *hash));
            for (op, number) in numbers.enumerate() {
                match table.get_mut(op) {
                    None => table.push(number),
                    Some(other) if *other != number => *other = None,
                    Some(_) => {}
                }
            }
        }
        Map::Table(table)
    }
}

/// Module and name of an interface.
fn full_name(module: &Module, id: InterfaceId) -> (&str, &str) {
    in_full(&module.name, &module.interfaces[id.index()].name)
}

/// The same of what is called `name` in `module`, which is another module's if it begins with `::`.
fn in_full<'n>(module: &'n str, name: &'n str) -> (&'n str, &'n str) {
    name.strip_prefix("::").and_then(|foreign| foreign.split_once("::")).unwrap_or((module, name))
}

fn number_of(interface: &Interface, hash: u64) -> Option<u16> {
    let index = interface.operations.iter().position(|operation| operation.hash.0 == hash)?;
    u16::try_from(index).ok()
}

#[cold]
fn not_here(module: &Module, interface: InterfaceId, op: u16) -> Failure {
    let name = &module.interfaces[interface.index()].name;
    Failure::new(
        Kind::NoSuchOperation,
        &format!(
            "the server's {}.{name} (version {}) has nothing with the signature of the caller's operation {op}",
            module.name, module.version
        ),
    )
}

#[cold]
fn other_root(module: &Module, root: InterfaceId, hello: &Hello) -> Failure {
    let ((server, serves), (client, wanted)) = (full_name(module, root), in_full(&hello.module, &hello.root));
    Failure::new(
        Kind::Refused,
        &format!("this server serves {server}.{serves}, and the client asks for {wanted} of {client}"),
    )
}
