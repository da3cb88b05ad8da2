//! Syntax tree in, checked modules out. Every rule has a code and a case in `tests/cases`.
//!
//! | part | rules |
//! | --- | --- |
//! | this file | names: declared once, not recursive; order of structs |
//! | `scopes` | what a name stands for where it is used |
//! | `types` | types, bounds, structs, enums, exceptions |
//! | `unions` | discriminants, labels, arms |
//! | `constants` | constant expressions |
//! | `operations` | interfaces, parameters, block size |
//! | `annotations` | which annotation stands where, and what it asks of the operation |
//! | `project` | one descriptor for each module, with what it uses of others |
//!
//! All files are checked as one; ids count through all modules until `project` takes them apart. Names are resolved on
//! first use, so that definitions may stand in any order. A definition that failed was reported once; what uses it
//! fails silently.

mod annotations;
mod constants;
mod operations;
mod project;
mod scopes;
mod types;
mod unions;

use std::collections::HashMap;

use crate::descriptor::{
    Constant, EnumId, ExceptionId, Interface, InterfaceId, Module, StructId, Type, TypeHash, UnionId, Value,
};
use crate::diagnostic::{Diagnostic, Span};
use crate::faults::Faults;
use crate::limits;
use crate::size::Sizes;
use crate::syntax::{Definition, DefinitionKind, Name, Path, ScopeId, ScopeKind, Tree};

/// Which modules are wanted.
#[derive(Clone, Copy)]
pub(crate) enum Of<'n> {
    /// Those of the file that was named.
    Named,
    /// Those that it has not itself and that are called so.
    Included(&'n [&'n str]),
}

/// Checks `tree`. The modules that are wanted, in order, are whole only if no fault was added to `faults`.
pub(crate) fn check(tree: &Tree, of: &Of<'_>, faults: &mut Faults) -> Vec<Module> {
    let definitions = (tree.definitions.len(), tree.definitions.first().map(|d| d.name.span), "definitions");
    let scopes = (tree.scopes.len(), tree.scopes.last().map(|s| s.name.span), "modules and interfaces");
    for (count, span, what) in [definitions, scopes] {
        if count > limits::MEMBERS_MAX {
            faults.push(too_many(count, limits::MEMBERS_MAX, span.unwrap_or_default(), what));
            return vec![];
        }
    }
    let mut checker = Checker::new(tree, faults);
    checker.declare();
    let heads = checker.heads(of);
    checker.bases();
    for index in 0..tree.definitions.len() {
        checker.resolve(index, tree.definitions[index].name.span);
    }
    for index in 0..tree.definitions.len() {
        checker.interface(index);
    }
    if !checker.faults.is_empty() {
        return vec![];
    }
    checker.take_over_operations();
    let modules = project::project(&checker.module, heads);
    modules.iter().for_each(|module| checker.can_be_announced(module));
    modules
}

fn too_many(count: usize, most: usize, span: Span, what: &str) -> Diagnostic {
    let fault = Diagnostic::error("too-many", span, format!("too many {what}"));
    fault.label(format!("found {count}, expected at most {most}"))
}

/// Bytes of what a client says first: its module, what it takes the root for, and each interface with its hash and those of its
/// operations. Numbers have 4 bytes, hashes 8, and before a name stands its length.
fn hello_bytes(module: &Module) -> usize {
    let name = |interface: &Interface| 4 + interface.name.len();
    let interface = |new: &Interface| name(new) + 8 + 4 + 8 * new.operations.len();
    let root = module.interfaces.iter().map(name).max().unwrap_or(4);
    8 + 4 + 4 + module.name.len() + root + 4 + module.interfaces.iter().map(interface).sum::<usize>()
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Meaning {
    /// Not looked at yet.
    Unseen,
    /// Being resolved: meeting it again is a recursion.
    Busy,
    /// Wrong, and reported.
    Failed,
    /// Its type and value.
    Const(Type, Value),
    Exception(ExceptionId),
    /// Enum, struct, union, typedef or interface.
    Type(Type),
}

struct Checker<'a> {
    tree: &'a Tree,
    faults: &'a mut Faults,
    /// Everything of all modules; names have those of their modules before them.
    module: Module,
    /// By scope and exact name: index into `tree.definitions`.
    names: HashMap<(ScopeId, &'a str), usize>,
    /// By scope and exact name: modules and interfaces.
    scopes: HashMap<(ScopeId, &'a str), ScopeId>,
    /// Scopes of the interfaces that interfaces inherit from, by their own scopes.
    base_scopes: HashMap<ScopeId, ScopeId>,
    /// Names of scopes with those of their modules before them.
    prefixes: Vec<String>,
    /// For each definition.
    meanings: Vec<Meaning>,
    /// For each definition that is an interface.
    interfaces: HashMap<usize, InterfaceId>,
    sizes: Sizes,
    /// Where what is being checked stands.
    scope: ScopeId,
    depth: usize,
}

impl<'a> Checker<'a> {
    fn new(tree: &'a Tree, faults: &'a mut Faults) -> Checker<'a> {
        let meanings = tree.definitions.iter().map(|_| Meaning::Unseen).collect();
        let mut prefixes: Vec<String> = Vec::with_capacity(tree.scopes.len());
        for scope in &tree.scopes {
            let before = prefixes.get(scope.within.0).cloned().unwrap_or_default();
            let is_files = scope.kind == ScopeKind::Files;
            prefixes.push(if is_files { String::new() } else { format!("{before}{}::", scope.name.text) });
        }
        Checker {
            tree,
            faults,
            module: project::empty(String::new()),
            names: HashMap::new(),
            scopes: HashMap::new(),
            base_scopes: HashMap::new(),
            prefixes,
            meanings,
            interfaces: HashMap::new(),
            sizes: Sizes::default(),
            scope: ScopeId::FILES,
            depth: 0,
        }
    }

    /// Enters all names, and numbers the interfaces: they may refer to each other.
    fn declare(&mut self) {
        let tree = self.tree;
        let mut seen: HashMap<(ScopeId, String), &Name> = HashMap::new();
        for (index, scope) in tree.scopes.iter().enumerate() {
            if scope.kind == ScopeKind::Module {
                self.declare_once(&mut seen, scope.within, &scope.name);
            }
            if scope.kind != ScopeKind::Files {
                self.scopes.entry((scope.within, &scope.name.text)).or_insert(ScopeId(index));
            }
        }
        for (index, definition) in tree.definitions.iter().enumerate() {
            if matches!(definition.kind, DefinitionKind::Forward) {
                continue;
            }
            self.declare_once(&mut seen, definition.scope, &definition.name);
            self.names.entry((definition.scope, &definition.name.text)).or_insert(index);
            if matches!(definition.kind, DefinitionKind::Interface { .. }) {
                let number = InterfaceId(id(self.module.interfaces.len()));
                self.meanings[index] = Meaning::Type(Type::Portal(number));
                self.interfaces.insert(index, number);
                self.module.interfaces.push(Interface {
                    name: self.full_name(definition),
                    doc: definition.lead.doc.clone(),
                    base: None,
                    inherited: 0,
                    operations: vec![],
                    argument: None,
                    hash: TypeHash(0),
                });
            }
        }
        self.forward_declarations();
    }

    /// A name with those of its modules before it.
    fn full_name(&self, definition: &Definition) -> String {
        format!("{}{}", self.prefixes[definition.scope.0], definition.name.text)
    }

    /// A client begins with what it knows of all interfaces of its module, also those of other modules that it uses.
    fn can_be_announced(&mut self, module: &Module) {
        let (found, most) = (hello_bytes(module), limits::HELLO_BYTES_MAX);
        if found <= most {
            return;
        }
        let scopes = self.tree.scopes.iter().filter(|scope| scope.within == ScopeId::FILES);
        let scope =
            scopes.filter(|scope| scope.kind == ScopeKind::Module).find(|it| it.name.text == module.name);
        let message =
            format!("module `{}` has too many interfaces and operations for one client", module.name);
        let span = scope.map_or(Span::default(), |scope| scope.name.span);
        let fault = Diagnostic::error("too-many", span, message);
        let fault = fault.label(format!(
            "a client's first message takes {found} bytes to name them, expected at most {most}"
        ));
        self.faults
            .push(fault.help("put some of them into a module of their own that this one does not use"));
    }

    /// What is only declared must be defined somewhere.
    fn forward_declarations(&mut self) {
        for definition in &self.tree.definitions {
            let key = (definition.scope, definition.name.text.as_str());
            if matches!(definition.kind, DefinitionKind::Forward) && !self.names.contains_key(&key) {
                let message = format!("`{}` has no body anywhere", definition.name.text);
                let fault = Diagnostic::error("forward", definition.name.span, message);
                self.faults.push(fault.label("found a forward declaration alone"));
            }
        }
    }

    fn declare_once<'n>(
        &mut self,
        seen: &mut HashMap<(ScopeId, String), &'n Name>,
        scope: ScopeId,
        name: &'n Name,
    ) {
        let Some(first) = seen.insert((scope, name.text.to_ascii_lowercase()), name) else { return };
        let of = &self.tree.scopes[scope.0];
        let place = match of.kind {
            ScopeKind::Files => "this file".to_owned(),
            ScopeKind::Module => "this module".to_owned(),
            ScopeKind::Interface => format!("interface `{}`", of.name.text),
        };
        self.declared_twice(name, first, &place);
    }

    /// Reports names that differ from an earlier one by the case of letters at most (IDL 4.2, section 7.2.3).
    fn unique<'n>(&mut self, names: impl Iterator<Item = &'n Name>, scope: &str) {
        let mut seen: HashMap<String, &Name> = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(name.text.to_ascii_lowercase(), name) {
                self.declared_twice(name, first, scope);
            }
        }
    }

    fn declared_twice(&mut self, name: &Name, first: &Name, scope: &str) {
        let message = format!("`{}` is declared twice in {scope}", name.text);
        let fault = Diagnostic::error("duplicate-name", name.span, message);
        let fault = fault.label("found again, expected a name of its own");
        self.faults.push(match first.text == name.text {
            true => fault,
            false => fault.note(format!("`{}` differs only by the case of letters", first.text)),
        });
    }

    /// Reports lists of members that are too long for their numbers.
    fn count(&mut self, members: usize, span: Option<Span>, what: &str) {
        if members > limits::MEMBERS_MAX {
            self.faults.push(too_many(members, limits::MEMBERS_MAX, span.unwrap_or_default(), what));
        }
    }

    /// What definition `index` stands for; `used` is where it is needed.
    fn resolve(&mut self, index: usize, used: Span) -> Meaning {
        let definition = &self.tree.definitions[index];
        match &self.meanings[index] {
            Meaning::Unseen => {}
            Meaning::Busy => {
                self.recursive(definition, used);
                return Meaning::Failed;
            }
            meaning => return meaning.clone(),
        }
        if self.depth >= limits::DEPTH_MAX {
            let fault = Diagnostic::error("depth", used, "too many definitions rest on each other");
            self.faults.push(fault.label(format!("expected at most {} levels", limits::DEPTH_MAX)));
            return Meaning::Failed;
        }
        self.meanings[index] = Meaning::Busy;
        self.depth += 1;
        let outer = std::mem::replace(&mut self.scope, definition.scope);
        let meaning = self.define(definition).unwrap_or(Meaning::Failed);
        self.scope = outer;
        self.depth -= 1;
        self.meanings[index] = meaning.clone();
        meaning
    }

    fn recursive(&mut self, definition: &Definition, used: Span) {
        let (code, help) = match definition.kind {
            DefinitionKind::Struct { .. } => ("recursive-struct", "refer to others by a number or a name"),
            _ => ("recursive-definition", "give it a value that does not need itself"),
        };
        let message = format!("{} `{}` contains itself", definition.kind.noun(), definition.name.text);
        self.faults.push(Diagnostic::error(code, used, message).help(help));
    }

    /// `None` if it is wrong, which was reported then.
    fn define(&mut self, definition: &'a Definition) -> Option<Meaning> {
        self.no_annotations(definition);
        match &definition.kind {
            DefinitionKind::Const { ty, value } => {
                let (ty, value) = self.constant(ty, value)?;
                let (name, doc) = (self.full_name(definition), definition.lead.doc.clone());
                let (of, content) = (ty.clone(), value.clone());
                self.module.constants.push(Constant { name, doc, ty: of, value: content });
                Some(Meaning::Const(ty, value))
            }
            DefinitionKind::Typedef { ty } => Some(Meaning::Type(self.ty(ty)?)),
            DefinitionKind::Enum { values } => {
                let new = self.enumeration(definition, values)?;
                self.module.enums.push(new);
                Some(Meaning::Type(Type::Enum(EnumId(id(self.module.enums.len() - 1)))))
            }
            DefinitionKind::Struct { fields } => {
                let new = self.structure(definition, fields)?;
                self.sizes.push(self.sizes.measure(&new.fields));
                self.module.structs.push(new);
                Some(Meaning::Type(Type::Struct(StructId(id(self.module.structs.len() - 1)))))
            }
            DefinitionKind::Union { switch, arms } => {
                let new = self.union(definition, switch, arms)?;
                self.sizes.push_union(self.sizes.union(&new.arms).0);
                self.module.unions.push(new);
                Some(Meaning::Type(Type::Union(UnionId(id(self.module.unions.len() - 1)))))
            }
            DefinitionKind::Exception { members } => {
                let new = self.exception(definition, members)?;
                self.module.exceptions.push(new);
                Some(Meaning::Exception(ExceptionId(id(self.module.exceptions.len() - 1))))
            }
            DefinitionKind::Interface { .. } | DefinitionKind::Forward => None,
        }
    }

    /// What `path` stands for; reports unknown names with those that were probably meant.
    fn lookup(&mut self, path: &Path, code: &'static str, wanted: Wanted) -> Meaning {
        if let Some(index) = self.find(path, self.scope) {
            return self.resolve(index, path.span);
        }
        self.unknown(path, code, wanted);
        Meaning::Failed
    }

    fn unknown(&mut self, path: &Path, code: &'static str, wanted: Wanted) {
        // Comparing with all names costs too much for faults that nobody will see.
        if self.faults.is_full() {
            return self.faults.skip();
        }
        let builtin: &[&str] = if wanted == Wanted::Type { BUILTIN_TYPES } else { &[] };
        // What is being defined cannot be meant.
        let candidates = self.tree.definitions.iter().zip(&self.meanings);
        let candidates =
            candidates.filter(|(d, meaning)| wanted.fits(&d.kind) && !matches!(meaning, Meaning::Busy));
        let candidates = candidates.map(|(d, _)| d.name.text.as_str()).chain(builtin.iter().copied());
        let message = format!("there is no {} `{}`", wanted.noun(), path.text());
        let label = format!("found `{}`, expected {}", path.text(), wanted.expected());
        let fault = Diagnostic::error(code, path.span, message).label(label);
        self.faults.push(fault.suggest(path.last(), candidates));
    }
}

const BUILTIN_TYPES: &[&str] = &[
    "boolean",
    "char",
    "octet",
    "short",
    "long",
    "long long",
    "float",
    "double",
    "string",
    "sequence",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
];

/// What a name is expected to stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Type,
    Constant,
    Exception,
    Interface,
}

impl Wanted {
    fn noun(self) -> &'static str {
        match self {
            Wanted::Type => "type",
            Wanted::Constant => "constant",
            Wanted::Exception => "exception",
            Wanted::Interface => "interface",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Wanted::Type => "a type of this module or of the language",
            Wanted::Constant => "a number or the name of a constant",
            Wanted::Exception => "an exception of this module",
            Wanted::Interface => "an interface that is defined before this one",
        }
    }

    fn fits(self, kind: &DefinitionKind) -> bool {
        match self {
            Wanted::Type => !matches!(kind, DefinitionKind::Const { .. } | DefinitionKind::Exception { .. }),
            Wanted::Constant => matches!(kind, DefinitionKind::Const { .. }),
            Wanted::Exception => matches!(kind, DefinitionKind::Exception { .. }),
            Wanted::Interface => matches!(kind, DefinitionKind::Interface { .. }),
        }
    }
}

/// An index; lists longer than that are reported by `count`, and the module is dropped.
fn id(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
