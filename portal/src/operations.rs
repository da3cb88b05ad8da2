//! Translates a client's operation numbers into the server's, by the hashes in its Hello.
//!
//! The client's module may be another than the root's, and know some of its interfaces all the same: one includes the other, or
//! both the same. What an interface is called in full says which it is. A client that takes the root for something else
//! is told so when it calls that, and can go on with what else it holds.
//!
//! A session may hold objects of several modules: of what the root's includes, and of services beside. There is a table for the interfaces of
//! each, made of the same Hello when such an object is called first. That is done where the call is, on the loop too: the Hello was read and
//! sorted before ([`said`]), and a table costs the server's own operations.

mod said;

use std::cell::RefCell;

use carnet_idl::descriptor::{InterfaceId, Module};
use said::{Known, Said};

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
    /// What they are made of; `None`: the client's numbers are the server's own.
    said: Option<Said>,
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
    /// Pairs of the client's number and the server's, by the client's: no more than the server has operations, however many the
    /// client says that there are.
    Table(Box<[(u16, u16)]>),
}

impl Operations {
    /// For a client that uses the server's own numbers.
    pub(crate) fn same(module: &'static Module) -> Operations {
        let maps = module.interfaces.iter().map(|_| Map::Same).collect();
        Operations { module, maps, others: RefCell::default(), said: None, refused: None }
    }

    /// For a client that was compiled against what `hello` says; `root` is the root object's interface.
    pub(crate) fn new(module: &'static Module, root: InterfaceId, hello: &Hello) -> Operations {
        if hello.module.is_empty() {
            return Operations::same(module);
        }
        let said = Said::new(hello);
        let mut maps: Vec<Map> = ids(module).map(|id| Map::new(module, id, &said)).collect();
        let is_root = |id: InterfaceId| full_name(module, id) == in_full(&hello.module, &hello.root);
        let is_taken_wrong = !hello.root.is_empty() && !module.bases(root).any(is_root);
        let refused = is_taken_wrong.then(|| {
            maps[root.index()] = Map::Table(Box::default());
            (root, other_root(module, root, hello))
        });
        Operations { module, maps, others: RefCell::default(), said: Some(said), refused }
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
            Some(Map::Table(table)) => ours(table, op).ok_or_else(|| self.not_found(interface, op)),
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
        let Some(said) = &self.said else { return Ok(op) };
        let mut others = self.others.borrow_mut();
        let known = others.iter().position(|other| std::ptr::eq(other.module, module));
        let at = known.unwrap_or_else(|| {
            others.push(Other { module, maps: module.interfaces.iter().map(|_| None).collect() });
            others.len() - 1
        });
        let map = others[at].maps.get_mut(interface.index());
        let number = map.and_then(|map| match map.get_or_insert_with(|| Map::new(module, interface, said)) {
            Map::Same => Some(op),
            Map::Table(table) => ours(table, op),
        });
        number.ok_or_else(|| not_here(module, interface, op))
    }
}

/// The server's number of the client's operation.
fn ours(table: &[(u16, u16)], op: u16) -> Option<u16> {
    let at = table.binary_search_by_key(&op, |(client, _)| *client).ok()?;
    Some(table[at].1)
}

fn ids(module: &Module) -> impl Iterator<Item = InterfaceId> {
    (0..module.interfaces.len()).filter_map(|index| u16::try_from(index).ok()).map(InterfaceId)
}

impl Map {
    /// A client that does not know the interface itself may know some that it inherits from: the object has those, too.
    /// It takes the object for one of them, and nobody else knows for which. A number that would not mean the same in
    /// all of them, because it knows nothing of how they inherit, means nothing.
    fn new(module: &Module, id: InterfaceId, said: &Said) -> Map {
        let interface = &module.interfaces[id.index()];
        let known: Vec<Known<'_>> =
            module.bases(id).filter_map(|id| said.interface(full_name(module, id))).collect();
        if known.iter().any(|client| client.hash == interface.hash.0) {
            return Map::Same;
        }
        let mut table = Vec::new();
        for (own, operation) in (0..).zip(&interface.operations) {
            let hash = operation.hash.0;
            let is_meant = |op: &u16| known.iter().all(|client| client.may_mean(*op, hash));
            let numbers = known.iter().filter_map(|client| client.number_of(hash)).filter(is_meant);
            table.extend(numbers.map(|op| (op, own)));
        }
        table.sort_unstable();
        table.dedup();
        Map::Table(table.into())
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

#[cfg(test)]
mod tests {
    use carnet_idl::compile_str;
    use carnet_idl::limits::HELLO_BYTES_MAX;

    use super::said::COMPARED;
    use super::*;
    use crate::wire::HelloInterface;

    fn module(text: &str) -> &'static Module {
        Box::leak(Box::new(compile_str("test.idl", text).expect("no faults")))
    }

    /// With so many operations, beside one on which it stands.
    fn wide(name: &str, operations: usize) -> &'static Module {
        let list: String = (0..operations).map(|number| format!("long o{number}(in long a); ")).collect();
        module(&format!(
            "module {name} {{ interface Base {{ long b(); }}; interface Wide : Base {{ {list} }}; }};"
        ))
    }

    fn hash(module: &Module, interface: u16, op: u16) -> u64 {
        module.interfaces[usize::from(interface)].operations[usize::from(op)].hash.0
    }

    fn known(name: &str, operations: Vec<u64>) -> HelloInterface {
        HelloInterface { name: name.to_owned(), hash: 7, operations }
    }

    fn hello(module: &str, interfaces: Vec<HelloInterface>) -> Hello {
        Hello { module: module.to_owned(), root: String::new(), interfaces }
    }

    fn number(operations: &Operations, module: &'static Module, interface: u16, op: u16) -> Option<u16> {
        operations.translate(module, InterfaceId(interface), op).ok()
    }

    #[test]
    fn a_table_of_another_module_costs_the_operations_of_that() {
        let (root, other) = (wide("root", 3), wide("other", 200));
        let numbers = (0..7_900).map(|number| match number % 2 {
            0 => hash(other, 1, u16::try_from(number / 2 % 201).expect("few")),
            _ => number,
        });
        let hello = hello("root", vec![known("::other::Wide", numbers.collect())]);
        let mut bytes = Vec::new();
        hello.encode(&mut bytes);
        assert!((60_000..=HELLO_BYTES_MAX).contains(&bytes.len()), "{} bytes", bytes.len());
        // Hello and one call, again and again.
        for _ in 0..3 {
            let operations = Operations::new(root, InterfaceId(0), &hello);
            COMPARED.set(0);
            assert_eq!(number(&operations, other, 1, 10), Some(5));
            let first = COMPARED.get();
            assert!((201..201 * 20).contains(&first), "{first} comparisons for 201 operations");
            assert_eq!(number(&operations, other, 1, 1), None);
            assert_eq!(number(&operations, other, 1, 400), Some(200));
            assert_eq!(COMPARED.get(), first, "the table is there");
        }
    }

    #[test]
    fn what_stays_of_a_hello_is_little_more_than_that() {
        let many = (0..3_000).map(|index| known(&index.to_string(), vec![index])).collect();
        let long = vec![known("I", (0..8_000).collect())];
        for hello in [hello("m", many), hello("m", long), hello(&"m".repeat(60_000), Vec::new())] {
            let mut bytes = Vec::new();
            hello.encode(&mut bytes);
            let kept = Said::new(&hello).bytes();
            assert!(kept <= bytes.len() * 3 / 2, "{kept} bytes of {}", bytes.len());
        }
    }

    #[test]
    fn a_table_is_no_longer_than_our_list() {
        let root = wide("root", 3);
        let all = vec![hash(root, 1, 1); 8_000];
        let operations = Operations::new(root, InterfaceId(0), &hello("root", vec![known("Wide", all)]));
        assert!(
            matches!(&operations.maps[1], Map::Table(table) if **table == [(0, 1)]),
            "{:?}",
            operations.maps
        );
    }

    #[test]
    fn a_number_that_means_two_things_means_nothing() {
        let root = wide("root", 3);
        let (b, o0, o1) = (hash(root, 1, 0), hash(root, 1, 1), hash(root, 1, 2));
        let both = vec![known("Base", vec![b, 99]), known("Wide", vec![b, o0, o1]), known("Wide", vec![o1])];
        let operations = Operations::new(root, InterfaceId(0), &hello("root", both));
        // Of names that are said twice the first counts; `Base` has something else by the number 1.
        assert_eq!([0, 1, 2, 3].map(|op| number(&operations, root, 1, op)), [Some(0), None, Some(2), None]);
        assert_eq!([0, 1].map(|op| number(&operations, root, 0, op)), [Some(0), None]);
    }
}
