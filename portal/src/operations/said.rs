//! What a client's Hello says that it knows, in the form in which it stays with the session: read once, sorted, and flat.
//!
//! ```text
//! interfaces ── by name: { its name in `names`, its hash, its part of the lists below }
//! hashes     ── of operations, by the client's number
//! order      ── these numbers, by hash
//! ```
//!
//! The lists of a client are as long as a Hello may be, and are looked into for objects of each module that it calls: that costs the
//! logarithm of their length for each operation of ours. Of names or hashes that stand there twice the first counts. All of it takes
//! half as much again as the Hello.

use std::cmp::Ordering;
use std::ops::Range;

use super::in_full;
use crate::wire::Hello;

#[derive(Debug)]
pub(super) struct Said {
    module: Box<str>,
    names: Box<str>,
    interfaces: Box<[Interface]>,
    hashes: Box<[u64]>,
    order: Box<[u16]>,
}

#[derive(Debug)]
struct Interface {
    hash: u64,
    name: (u32, u32),
    operations: (u32, u32),
}

/// An interface that the client knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub(super) hash: u64,
    hashes: &'a [u64],
    order: &'a [u16],
}

impl Said {
    pub(super) fn new(hello: &Hello) -> Said {
        let (mut names, mut hashes, mut order) = (String::new(), Vec::new(), Vec::new());
        let mut interfaces = Vec::with_capacity(hello.interfaces.len());
        for client in &hello.interfaces {
            let name = (len_u32(names.len()), len_u32(names.len() + client.name.len()));
            names.push_str(&client.name);
            // No call has a greater number.
            let count = client.operations.len().min(usize::from(u16::MAX) + 1);
            let operations = (len_u32(hashes.len()), len_u32(hashes.len() + count));
            hashes.extend_from_slice(&client.operations[..count]);
            order.extend(numbers_by_hash(&client.operations[..count]));
            interfaces.push(Interface { hash: client.hash, name, operations });
        }
        let full = |interface: &Interface| in_full(&hello.module, &names[range(interface.name)]);
        // Of the same name the first stays.
        interfaces.sort_by(|one, other| by_name(full(one), full(other)));
        interfaces.dedup_by(|later, first| by_name(full(later), full(first)).is_eq());
        Said {
            module: hello.module.as_str().into(),
            interfaces: interfaces.into(),
            names: names.into(),
            hashes: hashes.into(),
            order: order.into(),
        }
    }

    /// What the client knows of the interface called so: module and name.
    pub(super) fn interface(&self, wanted: (&str, &str)) -> Option<Known<'_>> {
        let full = |interface: &Interface| in_full(&self.module, &self.names[range(interface.name)]);
        let at = self.interfaces.binary_search_by(|interface| by_name(full(interface), wanted)).ok()?;
        let Interface { hash, operations, .. } = self.interfaces[at];
        Some(Known { hash, hashes: &self.hashes[range(operations)], order: &self.order[range(operations)] })
    }

    /// Bytes that it takes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.module.len()
            + self.names.len()
            + size_of_val(&*self.interfaces)
            + size_of_val(&*self.hashes)
            + size_of_val(&*self.order)
    }
}

impl Known<'_> {
    /// The client's number of the operation of this hash.
    pub(super) fn number_of(&self, hash: u64) -> Option<u16> {
        let at = self.order.partition_point(|number| {
            compared();
            self.hashes[usize::from(*number)] < hash
        });
        self.order.get(at).copied().filter(|number| self.hashes[usize::from(*number)] == hash)
    }

    /// Whether the client may mean the operation of this hash by its number: it has no other of that number here.
    pub(super) fn may_mean(&self, number: u16, hash: u64) -> bool {
        compared();
        self.hashes.get(usize::from(number)).is_none_or(|found| *found == hash)
    }
}

fn numbers_by_hash(operations: &[u64]) -> Vec<u16> {
    let mut numbers: Vec<u16> = (0..=u16::MAX).take(operations.len()).collect();
    numbers.sort_unstable_by_key(|number| (operations[usize::from(*number)], *number));
    numbers
}

/// By the name first. That of the client's module may be long, and is not compared with itself.
fn by_name((module, name): (&str, &str), (other_module, other): (&str, &str)) -> Ordering {
    compared();
    name.cmp(other).then_with(|| match std::ptr::eq(module, other_module) {
        true => Ordering::Equal,
        false => module.cmp(other_module),
    })
}

fn range((start, end): (u32, u32)) -> Range<usize> {
    start as usize..end as usize
}

/// A Hello is shorter than that.
fn len_u32(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
thread_local! {
    /// How often something of a client was compared with something else.
    pub(super) static COMPARED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

fn compared() {
    #[cfg(test)]
    COMPARED.set(COMPARED.get() + 1);
}
