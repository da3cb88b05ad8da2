//! Names of the file and of the interfaces that it uses.

use super::super::ast::{File, Name};
use super::super::faults::{Reported, meant};
use super::expand::Template;
use super::tables::Slots;
use super::{Checker, Typed};
use crate::import::ModuleId;
use crate::tree::RecordId;
use carnet_idl::descriptor;
use carnet_idl::diagnostic::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// What a name of the file means.
#[derive(Clone, Debug)]
pub(super) enum Global {
    /// A constant.
    Const(Rc<Typed>),
    /// A record of the file.
    Record(RecordId, Slots),
    /// A function.
    Fn(Rc<Template>),
    /// The function that is being declared.
    OpeningFn,
    /// The record that is being declared.
    OpeningRecord,
    /// A type of an interface file.
    Foreign(Foreign),
    /// A type that two interface files have.
    Ambiguous(ModuleId, ModuleId),
    /// Its declaration has a fault.
    Poisoned,
}

/// A type of an interface file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Foreign {
    /// An interface.
    Interface(ModuleId, descriptor::InterfaceId),
    /// An enum.
    Enum(ModuleId, descriptor::EnumId),
    /// A struct.
    Struct(ModuleId, descriptor::StructId),
    /// A union.
    Union(ModuleId, descriptor::UnionId),
}

impl Foreign {
    fn module(self) -> ModuleId {
        match self {
            Foreign::Interface(module, _) | Foreign::Enum(module, _) => module,
            Foreign::Struct(module, _) | Foreign::Union(module, _) => module,
        }
    }

    fn what(self) -> &'static str {
        match self {
            Foreign::Interface(..) => "an interface",
            Foreign::Enum(..) => "an enum",
            Foreign::Struct(..) => "a struct",
            Foreign::Union(..) => "a union",
        }
    }
}

/// The names.
#[derive(Debug, Default)]
pub(super) struct Globals<'a> {
    map: HashMap<&'a str, (Global, Option<Span>)>,
    /// All declarations of the file, also those further down.
    all: HashMap<&'a str, Span>,
    program: Option<Name<'a>>,
}

impl<'a> Globals<'a> {
    /// Notes the names that the file will declare, for messages.
    pub(super) fn note_all(&mut self, file: &File<'a>) {
        self.all = file.items.iter().map(|item| (item.name().text, item.name().span)).collect();
        self.program = Some(file.program.function.name);
    }

    /// Looks a name up.
    pub(super) fn get(&self, name: &str) -> Option<&Global> {
        self.map.get(name).map(|(global, _)| global)
    }

    /// Where a name is declared further down in the file.
    pub(super) fn later(&self, name: &str) -> Option<Span> {
        self.all.get(name).copied()
    }

    /// Whether it is the name of the program.
    pub(super) fn is_program(&self, name: &str) -> bool {
        self.program.is_some_and(|program| program.text == name)
    }

    /// All names.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.map.keys().copied()
    }

    /// Names with a meaning that `wanted` accepts, sorted.
    pub(super) fn names_of(&self, wanted: impl Fn(&Global) -> bool) -> Vec<&'a str> {
        let mut names: Vec<_> =
            self.map.iter().filter(|(_, (global, _))| wanted(global)).map(|(name, _)| *name).collect();
        names.sort_unstable();
        names
    }

    /// Gives a name its meaning.
    pub(super) fn set(&mut self, name: &'a str, global: Global, span: Option<Span>) {
        self.map.insert(name, (global, span));
    }
}

/// How programs call what a module has: what it includes, by the last part of its name.
fn spoken(name: &str) -> &str {
    name.strip_prefix("::").and_then(|name| name.rsplit("::").next()).unwrap_or(name)
}

impl<'a> Checker<'a, '_> {
    /// `use NAME`.
    pub(super) fn use_module(&mut self, name: Name<'a>) {
        if self.is_module(name.text) {
            let fault = Diagnostic::error("duplicate", name.span, format!("`{}` is used already", name.text));
            return self.faults.push(fault.label("found it a second time"));
        }
        let Some(module) = self.modules.iter().find(|module| module.name == name.text) else {
            return self.unknown_module(name);
        };
        let id = self.tables.use_module(module);
        let enums =
            module.enums.iter().zip(0..).map(|(e, i)| (&e.name, Foreign::Enum(id, descriptor::EnumId(i))));
        let structs = module
            .structs
            .iter()
            .zip(0..)
            .map(|(s, i)| (&s.name, Foreign::Struct(id, descriptor::StructId(i))));
        let unions =
            module.unions.iter().zip(0..).map(|(u, i)| (&u.name, Foreign::Union(id, descriptor::UnionId(i))));
        let interfaces = module
            .interfaces
            .iter()
            .zip(0..)
            .map(|(x, i)| (&x.name, Foreign::Interface(id, descriptor::InterfaceId(i))));
        // What stands in the module itself goes before what it includes.
        let (own, included): (Vec<_>, Vec<_>) = enums
            .chain(structs)
            .chain(unions)
            .chain(interfaces)
            .partition(|(name, _)| !name.starts_with("::"));
        for (name, foreign) in own.into_iter().chain(included) {
            let name = spoken(name);
            let global = match self.globals.get(name) {
                Some(Global::Foreign(other)) if other.module() == id => continue,
                Some(Global::Foreign(other)) => Global::Ambiguous(other.module(), id),
                Some(other) => other.clone(),
                None => Global::Foreign(foreign),
            };
            self.globals.set(name, global, None);
        }
    }

    fn unknown_module(&mut self, name: Name<'a>) {
        let names: Vec<_> = self.modules.iter().map(|module| format!("`{}`", module.name)).collect();
        let expected =
            if names.is_empty() { "none, since none are known".to_owned() } else { names.join(", ") };
        let fault = Diagnostic::error(
            "unknown-interface",
            name.span,
            format!("there is no interface file `{}`", name.text),
        )
        .label(format!("found `{}`, expected {expected}", name.text));
        let fault = match meant(name.text, self.modules.iter().map(|module| module.name.as_str())) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault.help("interfaces of your own are given by `--idl PATH`"),
        };
        self.faults.push(fault);
    }

    /// A type of a used interface file by its full name.
    pub(super) fn foreign(&self, module: &str, name: &str) -> Option<Foreign> {
        let (id, module) = self.tables.module(module)?;
        self.foreign_of(id, module, name)
    }

    fn foreign_of(&self, id: ModuleId, module: &descriptor::Module, name: &str) -> Option<Foreign> {
        let names = module.interfaces.iter().map(|new| &new.name);
        let names = names.chain(module.enums.iter().map(|new| &new.name));
        let names = names.chain(module.structs.iter().map(|new| &new.name));
        let mut names = names.chain(module.unions.iter().map(|new| &new.name));
        let name = if names.clone().any(|full| full == name) {
            name
        } else {
            names.find(|full| spoken(full) == name)?
        };
        if let Some(interface) = module.interface(name) {
            return Some(Foreign::Interface(id, interface));
        }
        let index = |at: Option<usize>| at.and_then(|at| u16::try_from(at).ok());
        if let Some(at) = index(module.enums.iter().position(|e| e.name == name)) {
            return Some(Foreign::Enum(id, descriptor::EnumId(at)));
        }
        if let Some(at) = index(module.structs.iter().position(|s| s.name == name)) {
            return Some(Foreign::Struct(id, descriptor::StructId(at)));
        }
        let at = index(module.unions.iter().position(|u| u.name == name))?;
        Some(Foreign::Union(id, descriptor::UnionId(at)))
    }

    /// Whether a name is that of a used interface file.
    pub(super) fn is_module(&self, name: &str) -> bool {
        self.tables.module(name).is_some()
    }

    /// A known interface file that is not used and has a type of this name.
    pub(super) fn unused_module_with(&self, name: &str) -> Option<&'a str> {
        let modules = self.modules;
        modules
            .iter()
            .filter(|module| !self.is_module(&module.name))
            .find(|module| self.foreign_of(ModuleId(0), module, name).is_some())
            .map(|module| module.name.as_str())
    }

    /// A name that means something in the whole file is declared again.
    pub(super) fn shadows(&mut self, name: Name<'a>) -> Reported {
        let (what, place) = match self.globals.map.get(name.text) {
            Some((Global::Foreign(foreign), _)) => {
                (foreign.what(), format!("from `use {}`", self.tables.modules()[foreign.module().0].name))
            }
            Some((global, Some(span))) => {
                let what = match global {
                    Global::Const(_) => "a constant",
                    Global::Record(..) | Global::OpeningRecord => "a record",
                    Global::Fn(_) | Global::OpeningFn => "a function",
                    _ => "a name",
                };
                (what, format!("in line {}", self.line(*span)))
            }
            _ => ("a type", "of the interfaces".to_owned()),
        };
        let fault = Diagnostic::error("shadowing", name.span, format!("`{}` is {what} already", name.text))
            .label(format!("found a second `{}`, the first is {place}", name.text))
            .help("nothing is shadowed: choose another name");
        self.faults.report(fault)
    }

    /// A type that two interface files have.
    pub(super) fn ambiguous(&mut self, name: Name<'a>, one: ModuleId, other: ModuleId) -> Reported {
        let used = self.tables.modules();
        let (one, other) = (&used[one.0].name, &used[other.0].name);
        let fault =
            Diagnostic::error("ambiguous", name.span, format!("two interface files have a `{}`", name.text))
                .label(format!("found `{0}`, expected `{one}.{0}` or `{other}.{0}`", name.text));
        self.faults.report(fault)
    }
}
