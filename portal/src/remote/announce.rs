//! Hello: telling the server whose operation numbers requests use, in the same write as the first of them.
//!
//! A connection can be used with several descriptors, one after the other: each change says Hello again, and since a
//! session reads in order, each call is understood by the Hello before it.

use carnet_idl::descriptor::{InterfaceId, Module};

use super::RemoteSession;
use super::sending::Outbox;
use crate::call::{Failure, Kind};
use crate::message::{Frame, read_failure};
use crate::portal::{OpNumber, PortalId};
use crate::session::lock;
use crate::wire::{CALL_SESSION, Hello, HelloInterface, Reply, Request, kind};

/// Whose operation numbers the server was told to expect.
#[derive(Clone, Copy, Default)]
pub(super) enum Announced {
    #[default]
    Nothing,
    /// The server's own.
    Server,
    Module(&'static Module),
}

/// Whether what was announced says what the root is taken for, which a server may find wrong.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum OfRoot {
    #[default]
    Nothing,
    Something,
}

/// Whose operation numbers a request uses.
pub(super) struct Announce {
    /// The caller's descriptor, and what it takes the root for if it calls that.
    pub(super) module: Option<(&'static Module, Option<InterfaceId>)>,
}

impl Announce {
    /// For a call of `op` on `target`.
    #[inline]
    pub(super) fn of(target: PortalId, op: OpNumber) -> Announce {
        let root = (target == PortalId::ROOT).then_some(op.interface);
        Announce { module: Some((op.module, root)) }
    }

    /// Says Hello if the server does not know it yet.
    #[inline]
    pub(super) fn put(&self, outbox: &mut Outbox) {
        match (self.module, outbox.announced) {
            (Some((module, _)), Announced::Module(known)) if std::ptr::eq(module, known) => {}
            (None, Announced::Server | Announced::Module(_)) => {}
            _ => self.put_hello(outbox),
        }
    }

    #[cold]
    fn put_hello(&self, outbox: &mut Outbox) {
        outbox.of_root = match self.module {
            Some((_, Some(_))) => OfRoot::Something,
            _ => OfRoot::Nothing,
        };
        let hello = match self.module {
            None => Hello::default(),
            Some((module, root)) => hello(module, root),
        };
        outbox.announced = self.module.map_or(Announced::Server, |(module, _)| Announced::Module(module));
        let mut data = Vec::new();
        hello.encode(&mut data);
        let mut frame = Frame::begin(&mut outbox.buffer, 0, 0);
        frame.put_copied(&data);
        let header = Request { len: 0, kind: kind::HELLO, portals: 0, op: 0, target: 0, call: CALL_SESSION };
        // A descriptor too long for any frame does not exist; the server would end the session.
        let _ = frame.finish_request(header, u32::MAX);
    }
}

impl RemoteSession {
    /// The failure that a reply carries; portals beside it are nobody's. If it may be that the root is not what Hello said, which holds until another one, the next
    /// call says Hello for itself.
    #[cold]
    pub(super) fn read_failure(&self, header: &Reply, frame: &[u8]) -> Failure {
        let failure = read_failure(header, frame);
        self.release_unread(0, frame);
        if failure.kind() == Kind::Refused {
            // While another thread sends, it stays as it is, and the next refusal does it.
            let mut line = lock(&self.line);
            if let Some(outbox) = line.outbox.as_mut().filter(|outbox| outbox.of_root == OfRoot::Something) {
                outbox.announced = Announced::Nothing;
            }
        }
        failure
    }
}

fn hello(module: &Module, root: Option<InterfaceId>) -> Hello {
    let root = root.and_then(|root| module.interfaces.get(root.index()));
    Hello {
        module: module.name.clone(),
        root: root.map_or_else(String::new, |interface| interface.name.clone()),
        interfaces: module
            .interfaces
            .iter()
            .map(|interface| HelloInterface {
                name: interface.name.clone(),
                hash: interface.hash.0,
                operations: interface.operations.iter().map(|operation| operation.hash.0).collect(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::HELLO_BYTES_MAX;

    /// A module with so long a name, and twice 4,092 operations.
    fn compiled(letters: usize) -> Result<Module, String> {
        let operations: String = (0..4092).map(|number| format!("void o{number}(); ")).collect();
        let interface = |name: &str| format!("interface {name} {{ {operations} }};");
        let text = format!("module {} {{ {} {} }};", "m".repeat(letters), interface("A"), interface("B"));
        carnet_idl::compile_str("m.idl", &text).map_err(|faults| format!("{faults:?}"))
    }

    #[test]
    fn the_compiler_takes_what_a_server_takes() {
        let module = compiled(5).unwrap();
        let mut data = Vec::new();
        hello(&module, module.interface("B")).encode(&mut data);
        assert_eq!(data.len(), HELLO_BYTES_MAX);
        let why = compiled(6).unwrap_err();
        assert!(why.contains("takes 65537 bytes to name them, expected at most 65536"), "{why}");
    }
}
