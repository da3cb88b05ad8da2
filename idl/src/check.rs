//! Syntax tree in, checked module out. Every rule has a code and a case in `tests/cases`.
//!
//! | part | rules |
//! | --- | --- |
//! | this file | names: declared once, known, not recursive; order of structs |
//! | `types` | types, bounds, structs, enums, exceptions |
//! | `constants` | constant expressions |
//! | `operations` | parameters, block size |
//! | `annotations` | which annotation stands where, and what it asks of the operation |
//!
//! Names are resolved on first use, so that definitions may stand in any order. A definition that failed
//! was reported once; what uses it fails silently.

mod annotations;
mod constants;
mod operations;
mod types;

use std::collections::HashMap;

use crate::descriptor::{EnumId, ExceptionId, Interface, InterfaceId, Module, StructId, Type, TypeHash};
use crate::diagnostic::{Diagnostic, Span};
use crate::faults::Faults;
use crate::limits;
use crate::size::Sizes;
use crate::syntax::{Definition, DefinitionKind, File, Name};

/// Checks `file`. The module is whole only if no fault was added to `faults`.
pub(crate) fn check(file: &File, faults: &mut Faults) -> Module {
    let mut checker = Checker::new(file, faults);
    checker.module_annotations();
    checker.declare();
    if file.definitions.len() > limits::MEMBERS_MAX {
        return checker.module;
    }
    for index in 0..file.definitions.len() {
        checker.resolve(index, file.definitions[index].name.span);
    }
    for index in 0..file.definitions.len() {
        checker.interface(index);
    }
    if checker.faults.is_empty() {
        crate::hash::seal(&mut checker.module);
    }
    checker.module
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
    Const(i128),
    Exception(ExceptionId),
    /// Enum, struct, typedef or interface.
    Type(Type),
}

struct Checker<'a> {
    file: &'a File,
    faults: &'a mut Faults,
    module: Module,
    /// By exact name: index into `file.definitions`.
    names: HashMap<&'a str, usize>,
    /// For each definition.
    meanings: Vec<Meaning>,
    sizes: Sizes,
    depth: usize,
}

impl<'a> Checker<'a> {
    fn new(file: &'a File, faults: &'a mut Faults) -> Checker<'a> {
        let module = Module {
            name: file.name.text.clone(),
            version: String::new(),
            doc: file.lead.doc.clone(),
            unknown: String::new(),
            enums: vec![],
            structs: vec![],
            exceptions: vec![],
            interfaces: vec![],
        };
        let meanings = file.definitions.iter().map(|_| Meaning::Unseen).collect();
        let (names, sizes) = (HashMap::new(), Sizes::default());
        Checker { file, faults, module, names, meanings, sizes, depth: 0 }
    }

    /// Enters all names, and numbers the interfaces: they may refer to each other.
    fn declare(&mut self) {
        self.unique(self.file.definitions.iter().map(|d| &d.name), "this module");
        self.count(self.file.definitions.len(), self.file.name.span, "definitions");
        for (index, definition) in self.file.definitions.iter().enumerate() {
            self.names.entry(&definition.name.text).or_insert(index);
            if matches!(definition.kind, DefinitionKind::Interface { .. }) {
                self.meanings[index] =
                    Meaning::Type(Type::Portal(InterfaceId(id(self.module.interfaces.len()))));
                self.module.interfaces.push(Interface {
                    name: definition.name.text.clone(),
                    doc: definition.lead.doc.clone(),
                    operations: vec![],
                    argument: None,
                    hash: TypeHash(0),
                });
            }
        }
    }

    /// Reports names that differ from an earlier one by the case of letters at most (IDL 4.2, section 7.2.3).
    fn unique<'n>(&mut self, names: impl Iterator<Item = &'n Name>, scope: &str) {
        let mut seen: HashMap<String, &Name> = HashMap::new();
        for name in names {
            let Some(first) = seen.insert(name.text.to_ascii_lowercase(), name) else { continue };
            let message = format!("`{}` is declared twice in {scope}", name.text);
            let fault = Diagnostic::error("duplicate-name", name.span, message);
            let fault = fault.label("found again, expected a name of its own");
            self.faults.push(match first.text == name.text {
                true => fault,
                false => fault.note(format!("`{}` differs only by the case of letters", first.text)),
            });
        }
    }

    /// Reports lists of members that are too long for their numbers.
    fn count(&mut self, members: usize, span: Span, what: &str) {
        if members > limits::MEMBERS_MAX {
            let fault = Diagnostic::error("too-many", span, format!("too many {what}"));
            self.faults
                .push(fault.label(format!("found {members}, expected at most {}", limits::MEMBERS_MAX)));
        }
    }

    /// What definition `index` stands for; `used` is where it is needed.
    fn resolve(&mut self, index: usize, used: Span) -> Meaning {
        match &self.meanings[index] {
            Meaning::Unseen => {}
            Meaning::Busy => {
                self.recursive(&self.file.definitions[index], used);
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
        let meaning = self.define(&self.file.definitions[index]).unwrap_or(Meaning::Failed);
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
            DefinitionKind::Const { ty, value } => Some(Meaning::Const(self.constant(ty, value)?)),
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
            DefinitionKind::Exception { members } => {
                let new = self.exception(definition, members)?;
                self.module.exceptions.push(new);
                Some(Meaning::Exception(ExceptionId(id(self.module.exceptions.len() - 1))))
            }
            DefinitionKind::Interface { .. } => None,
        }
    }

    /// What `name` stands for; reports unknown names with those that were probably meant.
    fn lookup(&mut self, name: &Name, code: &'static str, wanted: Wanted) -> Meaning {
        if let Some(index) = self.names.get(name.text.as_str()) {
            return self.resolve(*index, name.span);
        }
        // Comparing with all names costs too much for faults that nobody will see.
        if self.faults.is_full() {
            return Meaning::Failed;
        }
        let builtin: &[&str] = if wanted == Wanted::Type { BUILTIN_TYPES } else { &[] };
        let candidates = self.file.definitions.iter().filter(|d| wanted.fits(&d.kind));
        let candidates = candidates.map(|d| d.name.text.as_str()).chain(builtin.iter().copied());
        let message = format!("there is no {} `{}`", wanted.noun(), name.text);
        let label = format!("found `{}`, expected {}", name.text, wanted.expected());
        let fault = Diagnostic::error(code, name.span, message).label(label);
        self.faults.push(fault.suggest(&name.text, candidates));
        Meaning::Failed
    }
}

const BUILTIN_TYPES: &[&str] = &["boolean", "octet", "short", "long", "long long", "string", "sequence"];

/// What a name is expected to stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Type,
    Constant,
    Exception,
}

impl Wanted {
    fn noun(self) -> &'static str {
        match self {
            Wanted::Type => "type",
            Wanted::Constant => "constant",
            Wanted::Exception => "exception",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Wanted::Type => "a type of this module or of the language",
            Wanted::Constant => "a number or the name of a constant",
            Wanted::Exception => "an exception of this module",
        }
    }

    fn fits(self, kind: &DefinitionKind) -> bool {
        match self {
            Wanted::Type => !matches!(kind, DefinitionKind::Const { .. } | DefinitionKind::Exception { .. }),
            Wanted::Constant => matches!(kind, DefinitionKind::Const { .. }),
            Wanted::Exception => matches!(kind, DefinitionKind::Exception { .. }),
        }
    }
}

/// An index; lists longer than that are reported by `count`, and the module is dropped.
fn id(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
