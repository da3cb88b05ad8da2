//! Rust back end: a module in, the text of a Rust file out. Deterministic; nothing is read but the module.
//!
//! The file is short, because what needs thought stands by hand in `carnet_portal::stub`. It has, in
//! this order: the embedded descriptor, enums, structs, exceptions, writers for list results, and for each interface
//! the service's trait, the client, and the dispatch between them.
//!
//! | part | what it writes |
//! | --- | --- |
//! | `names` | Rust names for IDL names, free of keywords and of each other |
//! | `code` | lines, indented; lists broken when they are long |
//! | `shape` | which word of a block belongs to which parameter, and how values become words |
//! | `constants` | constants |
//! | `types` | enums, structs, exceptions, list writers |
//! | `unions` | unions |
//! | `exceptions` | exceptions whose members travel as data; what operations with several raise |
//! | `server` | the service's trait, and for each operation what calls it |
//! | `dispatch` | operations by their numbers |
//! | `client` | client |
//! | `near` | its calls of a service of the same process |
//! | `plain` | calls of plain sessions, on both sides |

mod client;
mod code;
mod constants;
mod dispatch;
mod exceptions;
mod names;
mod near;
mod plain;
mod server;
mod shape;
mod types;
mod unions;

use std::collections::BTreeSet;

use crate::backend::{Lines, Scope};
use crate::descriptor::{Interface, InterfaceId, Mode, Module, Operation, StructId, Type};
use crate::size::Sizes;
use names::Names;
use shape::Face;

/// The text of a Rust file for `module`, to be included into a module of its own:
///
/// ```ignore
/// pub mod files {
///     include!(concat!(env!("OUT_DIR"), "/files.rs"));
/// }
/// ```
#[must_use]
pub fn generate_rust(module: &Module) -> String {
    let used = Used::of(module);
    let rust = Rust { module, names: Names::new(module, &used.lists_out), used };
    let mut code = Lines::default();
    rust.head(&mut code);
    rust.types(&mut code);
    for (index, interface) in module.interfaces.iter().enumerate() {
        let Ok(index) = u16::try_from(index) else { break };
        rust.interface(InterfaceId(index), interface, &mut code);
    }
    code.into_text()
}

/// As [`generate_rust`], of all modules of one file: several are modules of their own in it.
#[must_use]
pub fn generate_rust_of(modules: &[Module]) -> String {
    if let [only] = modules {
        return generate_rust(only);
    }
    let mut taken = Scope::default();
    let mut inner = |module: &Module| {
        let name = taken.take(&names::free(&module.name));
        format!("{ALLOW}\npub mod {name} {{\n{}}}\n", generate_rust(module))
    };
    modules.iter().map(&mut inner).collect()
}

/// On items: names and shapes are the interface's, not ours, and not every crate that includes them needs all.
const ALLOW: &str =
    "#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = \"generated\")]";

struct Rust<'a> {
    module: &'a Module,
    names: Names,
    used: Used,
}

impl Rust<'_> {
    fn head(&self, code: &mut Lines) {
        let name = &self.module.name;
        code.line(&format!("// Made from the interface `{name}`; changes here are lost."));
        code.blank();
        code.line("#[allow(unused_imports, reason = \"generated: not every interface needs all\")]");
        code.line("use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};");
        code.blank();
        code.line(&format!("/// The descriptor of `{name}`."));
        code.line(ALLOW);
        code.line("#[must_use]");
        code.open("pub fn module() -> &'static stub::Module {");
        code.line("static MODULE: ::std::sync::LazyLock<stub::Module> =");
        code.line("    ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));");
        code.line("&MODULE");
        code.close("}");
        code.blank();
        code.bytes("const DESCRIPTOR: &[u8] =", &crate::encode(self.module));
    }

    fn types(&self, code: &mut Lines) {
        self.constants(code);
        for (index, new) in self.module.enums.iter().enumerate() {
            self.enumeration(index, new, code);
        }
        for (index, new) in self.module.structs.iter().enumerate() {
            self.structure(index, new, code);
        }
        for (index, new) in self.module.unions.iter().enumerate() {
            self.union(index, new, code);
        }
        for (index, new) in self.module.exceptions.iter().enumerate() {
            self.exception(index, new, code);
        }
        for element in &self.used.lists_out {
            self.list_writer(element, code);
        }
    }

    fn interface(&self, id: InterfaceId, interface: &Interface, code: &mut Lines) {
        let face = Face {
            id,
            interface,
            names: self.names.of(id),
            base: interface.base.map(|base| self.names.of(base)),
            operations: self.operations(id, interface),
        };
        self.raised_enums(id, interface, code);
        self.service(&face, code);
        self.client(&face, code);
        self.plain_client(&face, code);
        self.dispatch(&face, code);
    }
}

impl Rust<'_> {
    /// The type of what an operation raises, the one behind `at` others that are not inherited: the exception, or an
    /// enum of them.
    fn raised(&self, id: InterfaceId, at: usize, operation: &Operation) -> Option<String> {
        match operation.raises[..] {
            [] => None,
            [id] => Some(self.names.exceptions[id.index()].clone()),
            _ => Some(self.names.raised[id.index()][at].clone()),
        }
    }
}

/// What is used where, so that nothing is written that nobody calls.
#[derive(Debug, Default)]
struct Used {
    /// Elements of list results: each has a writer.
    lists_out: Vec<Type>,
    /// Structs that are read out of lists.
    read: BTreeSet<StructId>,
    /// Structs that are written into lists by clients, or by services that were given the list.
    written: BTreeSet<StructId>,
    /// Plain exceptions whose members travel as data, since they are raised beside others.
    members: BTreeSet<usize>,
}

impl Used {
    fn of(module: &Module) -> Used {
        let (mut used, sizes, mut seen) = (Used::default(), Sizes::of_module(module), BTreeSet::new());
        for operation in module.interfaces.iter().flat_map(Interface::own) {
            if operation.raises.len() > 1 {
                used.members.extend(operation.raises.iter().map(|id| id.index()));
            }
            let params = operation.params.iter().map(|param| (param.mode, &param.ty));
            for (mode, ty) in params.chain(operation.result.iter().map(|ty| (Mode::Out, ty))) {
                if let Type::List { of, .. } = ty {
                    used.list(&sizes, mode, of);
                    used.lists_within(module, of, &mut seen);
                } else {
                    used.lists_within(module, ty, &mut seen);
                }
            }
        }
        let members = module.exceptions.iter().flat_map(|new| &new.members).map(|member| &member.ty);
        let arms = module.unions.iter().flat_map(|new| &new.arms).map(|arm| &arm.ty);
        members.chain(arms).for_each(|ty| used.lists_within(module, ty, &mut seen));
        used
    }

    /// Lists in a value that is a part: what they hold is read on one side, and written on the other.
    fn lists_within(&mut self, module: &Module, ty: &Type, seen: &mut BTreeSet<StructId>) {
        match ty {
            Type::List { of, .. } => {
                if let Type::Struct(id) = **of {
                    self.read.insert(id);
                    self.written.insert(id);
                }
                self.lists_within(module, of, seen);
            }
            Type::Array { of, .. } => self.lists_within(module, of, seen),
            Type::Struct(id) if seen.insert(*id) => {
                let fields = module.structs[id.index()].fields.iter();
                fields.for_each(|field| self.lists_within(module, &field.ty, seen));
            }
            _ => {}
        }
    }

    fn list(&mut self, sizes: &Sizes, mode: Mode, of: &Type) {
        // What holds portals is returned as a whole, and read and written in place.
        if sizes.of(of).portals > 0 {
            return;
        }
        if mode == Mode::Out && !self.lists_out.contains(of) {
            self.lists_out.push(of.clone());
        }
        if let Type::Struct(id) = of {
            self.read.insert(*id);
            if mode != Mode::Out {
                self.written.insert(*id);
            }
        }
    }
}
