//! C names for IDL names.
//!
//! What C flattens can become one: `a::b_c` beside `a::b::c`, the operation `size_max` of `File` beside `max` of
//! `File_size`, an operation `service` beside what a header itself declares. Every name that stands outside of functions
//! is made here, once, for what it names and not for how it is spelled; one that is taken has a `_` behind it. Names of
//! the interface come first, then what we make up that users write, then the rest: so that what is bent is rather ours.
//!
//! | scope | what is in it |
//! | --- | --- |
//! | tags | structs, unions and enums |
//! | ordinary | functions, objects, values of enums |
//! | macros | constants, which no name of another scope, no field and no parameter may have |
//! | prefixes | interfaces, which are no name in C, but begin many |

use std::collections::{HashMap, HashSet};

use super::C;
use super::words::{CALLED, is_of_runtime, is_word};
use crate::backend::Scope;
use crate::descriptor::{Module, Operation, Type};

/// What follows the module's name: `inner::Dir` as `inner_Dir`.
pub(super) fn flat(name: &str) -> String {
    name.trim_start_matches("::").replace("::", "_")
}

/// Names that the headers of one file have taken; they can be included together.
#[derive(Debug, Default)]
pub(super) struct Taken {
    tags: Scope,
    ordinary: Scope,
    macros: Scope,
    prefixes: Scope,
    /// What became of names that were taken: thousands that are one in C are not all tried for each.
    last: HashMap<(Among, String), String>,
}

impl Taken {
    fn take(&mut self, among: Among, name: &str) -> String {
        let wished = (among, name.to_owned());
        let mut name = self.last.get(&wished).cloned().unwrap_or_else(|| name.to_owned());
        while !self.is_free(among, &name) {
            name.push('_');
        }
        if name != wished.1 {
            self.last.insert(wished, name.clone());
        }
        let scope = match among {
            Among::Tags => &mut self.tags,
            Among::Ordinary => &mut self.ordinary,
            Among::Macros => &mut self.macros,
            Among::Prefixes => &mut self.prefixes,
        };
        scope.reserve(&name);
        name
    }

    fn is_free(&self, among: Among, name: &str) -> bool {
        let is_taken = match among {
            Among::Tags => self.tags.has(name),
            Among::Ordinary => self.ordinary.has(name),
            Among::Macros => self.tags.has(name) || self.ordinary.has(name),
            // They are parts of names, which are looked at one by one.
            Among::Prefixes => return !self.prefixes.has(name),
        };
        !is_taken && !self.macros.has(name) && !is_word(name) && !is_of_runtime(name)
    }

    /// Names of fields, each free of words and of the others.
    pub(super) fn members<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let mut own = Scope::default();
        let free = |name: &str, own: &Scope| !own.has(name) && !self.macros.has(name);
        names.map(|name| bent(&word(name), &mut own, free)).collect()
    }

    /// The name of a parameter, which hides nothing that a stub needs.
    pub(super) fn parameter(&self, name: &str, own: &mut Scope) -> String {
        let free = |name: &str, own: &Scope| {
            let is_outside = self.macros.has(name) || self.ordinary.has(name) || is_of_runtime(name);
            !own.has(name) && !is_outside && !CALLED.contains(&name)
        };
        bent(&word(name), own, free)
    }
}

fn bent(name: &str, own: &mut Scope, is_free: impl Fn(&str, &Scope) -> bool) -> String {
    let mut name = name.to_owned();
    while !is_free(&name, own) {
        name.push('_');
    }
    own.reserve(&name);
    name
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Among {
    Tags,
    Ordinary,
    Macros,
    Prefixes,
}

/// What a name is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum For {
    /// A type, a constant; of an interface what its names begin with.
    Definition,
    /// A value of an enum.
    Value,
    /// The function of a server's user.
    Operation,
    Call,
    /// The same, with buffers for what comes back.
    CallInto,
    CallOther,
    Send,
    SendOther,
    Unpassed,
    /// A server's stub of an operation, or that of an interface.
    Serve,
    ServeOwn,
    ServeOther,
    Pass,
    PassHalf,
    /// The union of what an operation raises, and a kind of it.
    Raised,
    Kind,
    // Of interfaces.
    Interface,
    Operations,
    Service,
    Released,
    // Of types.
    Array,
    List,
    At,
    Pack,
    Put,
    Take,
    /// What a copy is made by, what says how long it is, and what both stand on.
    Copy,
    Room,
    Copied,
    // Of the module.
    Interfaces,
    Module,
    Descriptor,
}

/// Names by what they are for and by whose they are: `Dir` or `inner::Node`, `Dir.open`, `Color.red`. Those are never the
/// same for two.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<(For, String), String>);

impl Names {
    /// Names for `module`, none of which is in `taken`; they are there afterwards.
    pub(super) fn new(module: &Module, taken: &mut Taken) -> Names {
        let guard = super::guard(module);
        ["CARNET_SERVER", &guard].iter().for_each(|name| taken.macros.reserve(name));
        let none = Taken::default();
        let c = C { module, names: Names::default(), taken: &none };
        let mut namer = Namer { c, taken, names: Names::default() };
        namer.definitions();
        namer.operations();
        namer.wholes();
        namer.types();
        namer.stubs();
        namer.names
    }

    /// The name of what there is.
    pub(super) fn of(&self, what: For, whose: &str) -> String {
        self.0.get(&(what, whose.to_owned())).cloned().unwrap_or_default()
    }
}

struct Namer<'a, 't> {
    c: C<'a>,
    taken: &'t mut Taken,
    names: Names,
}

impl<'a> Namer<'a, '_> {
    fn take(&mut self, among: Among, what: For, whose: &str, name: &str) {
        let name = self.taken.take(among, name);
        self.names.0.insert((what, whose.to_owned()), name);
    }

    /// What the interface file declares.
    fn definitions(&mut self) {
        let module = self.c.module;
        let tags = module.enums.iter().map(|new| &new.name).chain(module.structs.iter().map(|new| &new.name));
        let tags = tags.chain(module.unions.iter().map(|new| &new.name));
        // Others have no struct.
        let typed: Vec<_> = self.c.typed_exceptions().map(|new| &new.name).collect();
        let constants = module.constants.iter().map(|new| (Among::Macros, &new.name));
        let prefixes = module.interfaces.iter().map(|new| (Among::Prefixes, &new.name));
        let all = constants.chain(tags.chain(typed).map(|name| (Among::Tags, name))).chain(prefixes);
        for (among, name) in all {
            self.take(among, For::Definition, name, &format!("{}_{}", module.name, flat(name)));
        }
        for new in &module.enums {
            let tag = self.names.of(For::Definition, &new.name);
            for value in &new.values {
                let whose = format!("{}.{value}", new.name);
                self.take(Among::Ordinary, For::Value, &whose, &format!("{tag}_{value}"));
            }
        }
    }

    /// By interface: its prefix and operations of its own, with what they are called by.
    fn own(&self) -> impl Iterator<Item = (String, String, &'a Operation)> {
        let module = self.c.module;
        let names = module.interfaces.iter().map(|new| self.names.of(For::Definition, &new.name));
        let names: Vec<String> = names.collect();
        let each = module.interfaces.iter().zip(names);
        each.flat_map(|(interface, prefix)| {
            let named = move |operation| (prefix.clone(), C::place(interface, operation), operation);
            interface.own().iter().map(named)
        })
    }

    /// What users write and call.
    fn operations(&mut self) {
        let own: Vec<_> = self.own().collect();
        for (prefix, place, operation) in &own {
            self.take(Among::Ordinary, For::Operation, place, &format!("{prefix}_{}", operation.name));
        }
        for (prefix, place, operation) in &own {
            self.take(Among::Ordinary, For::Call, place, &format!("call_{prefix}_{}", operation.name));
        }
        for (prefix, place, operation) in &own {
            self.take(
                Among::Ordinary,
                For::CallInto,
                place,
                &format!("call_{prefix}_{}_into", operation.name),
            );
        }
    }

    /// What there is once for an interface or the module.
    fn wholes(&mut self) {
        let module = self.c.module;
        let all = [(For::Interfaces, "interfaces"), (For::Module, "module"), (For::Descriptor, "descriptor")];
        for (what, word) in all {
            self.take(Among::Ordinary, what, "", &format!("{}_{word}", module.name));
        }
        let seen = [(For::Interface, "interface"), (For::Service, "service"), (For::Released, "released")];
        let inner = [
            (For::Operations, "operations"),
            (For::Serve, "serve"),
            (For::ServeOther, "serve_other"),
            (For::Pass, "pass"),
            (For::PassHalf, "pass_half"),
        ];
        for (what, word) in seen.into_iter().chain(inner) {
            for new in &module.interfaces {
                let prefix = self.names.of(For::Definition, &new.name);
                self.take(Among::Ordinary, what, &new.name, &format!("{prefix}_{word}"));
            }
        }
    }

    /// Arrays, lists, and the functions of all types of values.
    fn types(&mut self) {
        let module = self.c.module;
        let fields = module.structs.iter().flat_map(|new| &new.fields).map(|field| &field.ty);
        let arms = module.unions.iter().flat_map(|new| &new.arms).map(|arm| &arm.ty);
        let typed: Vec<_> = self.c.typed_exceptions().collect();
        let members = typed.iter().flat_map(|new| &new.members).map(|member| &member.ty);
        let operations = module.interfaces.iter().flat_map(|new| &new.operations);
        let values = operations.flat_map(|new| new.params.iter().map(|param| &param.ty).chain(&new.result));
        let mut seen = HashSet::new();
        for ty in fields.chain(arms).chain(members).chain(values) {
            self.inner(ty, &mut seen);
        }
        let named =
            module.structs.iter().map(|new| &new.name).chain(module.unions.iter().map(|new| &new.name));
        for name in named.chain(typed.iter().map(|new| &new.name)) {
            let stem = self.names.of(For::Definition, name);
            self.codec(name, &stem);
        }
        for element in self.c.packed_elements() {
            let (whose, stem) = (self.c.identity(element), self.stem(element));
            self.take(Among::Ordinary, For::Pack, &whose, &format!("{stem}_pack"));
        }
        for name in self.c.copied() {
            let stem = self.names.of(For::Definition, name);
            for (what, word) in [(For::Copy, "copy"), (For::Room, "room"), (For::Copied, "copied")] {
                self.take(Among::Ordinary, what, name, &format!("{stem}_{word}"));
            }
        }
    }

    fn inner(&mut self, ty: &Type, seen: &mut HashSet<String>) {
        let (Type::Array { of, .. } | Type::List { of, .. }) = ty else { return };
        self.inner(of, seen);
        let (whose, stem) = match ty {
            Type::Array { len, .. } => (self.c.identity(ty), format!("{}x{len}", self.stem(of))),
            _ => (format!("{}[]", self.c.identity(of)), self.stem(of)),
        };
        if !seen.insert(whose.clone()) {
            return;
        }
        if matches!(ty, Type::Array { .. }) {
            self.take(Among::Tags, For::Array, &whose, &stem);
            let stem = self.names.of(For::Array, &whose);
            return self.codec(&whose, &stem);
        }
        let of = self.c.identity(of);
        self.take(Among::Tags, For::List, &of, &format!("{stem}_list"));
        self.take(Among::Ordinary, For::At, &of, &format!("{stem}_at"));
    }

    fn codec(&mut self, whose: &str, stem: &str) {
        self.take(Among::Ordinary, For::Put, whose, &format!("{stem}_put"));
        self.take(Among::Ordinary, For::Take, whose, &format!("{stem}_take"));
    }

    /// What names of a type begin with: `files_Entry`, `files_int32x3` for three numbers.
    fn stem(&self, ty: &Type) -> String {
        let module = self.c.module;
        let part = match ty {
            Type::Array { .. } => return self.names.of(For::Array, &self.c.identity(ty)),
            Type::List { of, max } => return format!("{}_list{max}", self.stem(of)),
            Type::String { max } => format!("string{max}"),
            Type::Bytes { max } => format!("bytes{max}"),
            _ => match defined(module, ty) {
                Some(name) => return self.names.of(For::Definition, name),
                None => self.c.ty(ty).trim_end_matches("_t").to_owned(),
            },
        };
        format!("{}_{part}", module.name)
    }

    /// What operations are made of.
    fn stubs(&mut self) {
        let own: Vec<_> = self.own().collect();
        for (prefix, place, operation) in &own {
            if !self.c.is_typed(operation) {
                continue;
            }
            let name = format!("{prefix}_{}", operation.name);
            self.take(Among::Tags, For::Raised, place, &format!("{name}_raised"));
            for id in &operation.raises {
                let exception = &self.c.module.exceptions[id.index()].name;
                let whose = format!("{place} {exception}");
                self.take(Among::Ordinary, For::Kind, &whose, &format!("{name}_{}", flat(exception)));
            }
        }
        for (prefix, place, operation) in &own {
            let (name, call) = (&operation.name, format!("{prefix}_{}", operation.name));
            let all = [
                (For::Send, format!("send_{call}")),
                (For::SendOther, format!("send_{call}_other")),
                (For::CallOther, format!("call_{call}_other")),
                (For::Unpassed, format!("call_{call}_unpassed")),
                (For::Serve, format!("{prefix}_serve_{name}")),
                (For::ServeOwn, format!("{prefix}_serve_{name}_own")),
                (For::Pass, format!("{prefix}_pass_{name}")),
            ];
            all.iter().for_each(|(what, name)| self.take(Among::Ordinary, *what, place, name));
        }
    }
}

/// The IDL name of a type that has one.
fn defined<'m>(module: &'m Module, ty: &Type) -> Option<&'m str> {
    Some(match ty {
        Type::Struct(id) => &module.structs[id.index()].name,
        Type::Union(id) => &module.unions[id.index()].name,
        Type::Enum(id) => &module.enums[id.index()].name,
        Type::Portal(id) => &module.interfaces[id.index()].name,
        _ => return None,
    })
}

impl C<'_> {
    /// What tells a type from all that are another one in C: `inner::Node`, `int32_t[3]`.
    pub(super) fn identity(&self, ty: &Type) -> String {
        match (defined(self.module, ty), ty) {
            (Some(name), _) => name.to_owned(),
            (_, Type::Array { of, len }) => format!("{}[{len}]", self.identity(of)),
            (_, Type::List { of, max }) => format!("{}[..{max}]", self.identity(of)),
            (_, Type::String { max }) => format!("string {max}"),
            (_, Type::Bytes { max }) => format!("bytes {max}"),
            (_, ty) => format!("{} ", self.ty(ty)),
        }
    }
}

/// A parameter or field, which is none of the words of C and C++, nor a `word3` or `kept_` of stubs.
fn word(name: &str) -> String {
    let number = name.strip_prefix("word").unwrap_or("-");
    let is_ours = name.starts_with("kept_") || number.bytes().all(|byte| byte.is_ascii_digit());
    if is_word(name) || is_ours { format!("{name}_") } else { name.to_owned() }
}

/// A scope for the names of a function's parameters, without those that the function itself uses.
pub(super) fn parameters() -> Scope {
    Scope::with(&[
        "answer", "channel", "done", "end", "found", "head", "index", "landing", "list", "message", "part",
        "put", "raised", "reply", "self", "status", "take", "targets", "word",
    ])
}
