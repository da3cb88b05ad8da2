//! Translates a client's operation numbers into the server's, by the hashes in its Hello.

use carnet_idl::descriptor::{Interface, InterfaceId, Module};

use crate::call::{Failure, Kind};
use crate::wire::Hello;

/// For one session: the server's number of each of the client's operations.
#[derive(Debug)]
pub(crate) struct Operations {
    module: &'static Module,
    /// By the server's interface.
    maps: Vec<Map>,
    /// The client's numbers are the server's own.
    are_own: bool,
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
        Operations { module, maps: module.interfaces.iter().map(|_| Map::Same).collect(), are_own: true }
    }

    /// For a client that was compiled against what `hello` says; `root` is the root object's interface.
    ///
    /// # Errors
    /// [`Kind::Refused`] if the client speaks of another module or root.
    pub(crate) fn new(
        module: &'static Module,
        root: InterfaceId,
        hello: &Hello,
    ) -> Result<Operations, Failure> {
        if hello.module.is_empty() {
            return Ok(Operations::same(module));
        }
        let is_root = |id: InterfaceId| module.interfaces[id.index()].name == hello.root;
        if hello.module != module.name || !(hello.root.is_empty() || module.bases(root).any(is_root)) {
            return Err(other_root(module, &module.interfaces[root.index()].name, hello));
        }
        let maps = ids(module).map(|id| Map::new(module, id, hello)).collect();
        Ok(Operations { module, maps, are_own: false })
    }

    /// The server's number of the client's operation `op` on an object of `interface`.
    ///
    /// # Errors
    /// [`Kind::NoSuchOperation`].
    #[inline]
    pub(crate) fn translate(
        &self,
        module: &'static Module,
        interface: InterfaceId,
        op: u16,
    ) -> Result<u16, Failure> {
        if !std::ptr::eq(module, self.module) {
            return self.translate_included(module, interface, op);
        }
        match self.maps.get(interface.index()) {
            None | Some(Map::Same) => Ok(op),
            Some(Map::Table(table)) => {
                table.get(usize::from(op)).copied().flatten().ok_or_else(|| not_here(module, interface, op))
            }
        }
    }

    /// Of an object of another module's descriptor. The client knows it as what the server's module has of that: by its hash,
    /// the object's interface or the nearest one that it inherits from, whose operations have the same numbers in it.
    #[inline(never)]
    fn translate_included(
        &self,
        module: &'static Module,
        interface: InterfaceId,
        op: u16,
    ) -> Result<u16, Failure> {
        if self.are_own {
            return Ok(op);
        }
        let here = |id: InterfaceId| {
            let hash = module.interfaces[id.index()].hash;
            self.module.interfaces.iter().position(|known| known.hash == hash)
        };
        let number = module.bases(interface).find_map(here).and_then(|known| {
            let number = match &self.maps[known] {
                Map::Same => Some(op),
                Map::Table(table) => table.get(usize::from(op)).copied().flatten(),
            };
            number.filter(|number| usize::from(*number) < self.module.interfaces[known].operations.len())
        });
        number.ok_or_else(|| not_here(module, interface, op))
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
            let name = &module.interfaces[id.index()].name;
            hello.interfaces.iter().find(|client| client.name == *name)
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
fn other_root(module: &Module, root: &str, hello: &Hello) -> Failure {
    let wanted = if hello.root.is_empty() { "an object" } else { &hello.root };
    Failure::new(
        Kind::Refused,
        &format!(
            "this server serves {}.{root}, and the client asks for {wanted} of {}",
            module.name, hello.module
        ),
    )
}
