//! Which changes of an interface keep old callers and old programs working.
//!
//! Both are bound to hashes of operations: an operation that has the same hash is called as before, wherever it stands
//! now, and one that has another is not found by anyone who was made for the old one. So the hashes decide, and what is
//! compared besides only says why.

use std::collections::HashSet;

use crate::descriptor::*;
use crate::show;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    /// Whether what was made for the old interface still works.
    pub verdict: Verdict,
    /// Where: `files::Dir.open`, or `files`.
    pub place: String,
    /// What is different.
    pub what: String,
    /// What follows from it.
    pub why: &'static str,
}

/// What a change does to what was made for the old interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Callers or programs stop working.
    Breaks,
    /// All works, but something else than a call is different.
    Notice,
    /// All works as before.
    Keeps,
}

impl Verdict {
    /// In one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Breaks => "breaks",
            Verdict::Notice => "notice",
            Verdict::Keeps => "keeps",
        }
    }
}

const BOUND: &str = "callers and programs made for the old one find no such operation";
const BY_HASH: &str = "operations are found by their hashes, wherever they stand";

/// The modules of files that are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Those of the files themselves.
    pub own: Vec<Module>,
    /// Those of files that they include: what has their names on the other side was not made or taken away.
    pub included: Vec<Module>,
}

impl Files {
    fn module(&self, name: &str) -> Option<&Module> {
        self.own.iter().chain(&self.included).find(|module| module.name == name)
    }
}

/// What is different between the modules of two sets of files. If one module of either has no counterpart, it was renamed.
#[must_use]
pub fn compare_all(old: &Files, new: &Files) -> Vec<Change> {
    let gone: Vec<&Module> = old.own.iter().filter(|module| new.module(&module.name).is_none()).collect();
    let come: Vec<&Module> = new.own.iter().filter(|module| old.module(&module.name).is_none()).collect();
    let renamed = match (&gone[..], &come[..]) {
        ([old], [new]) => Some((*old, *new)),
        _ => None,
    };
    let mut changes = Vec::new();
    for module in &new.own {
        if let Some(old) = old.module(&module.name).or(renamed.map(|(old, _)| old)) {
            changes.extend(compare(old, module));
        }
    }
    for old in old.own.iter().filter(|old| !new.own.iter().any(|new| new.name == old.name)) {
        if let Some(module) = new.module(&old.name) {
            changes.extend(compare(old, module));
        }
    }
    if renamed.is_none() {
        let change = |module: &Module, verdict, what: &str, why| Change {
            verdict,
            place: module.name.clone(),
            what: what.to_owned(),
            why,
        };
        changes.extend(gone.iter().map(|module| {
            change(module, Verdict::Breaks, "the module is gone", "a client asks for a module by its name")
        }));
        changes
            .extend(come.iter().map(|module| {
                change(module, Verdict::Keeps, "the module is new", "nothing old knows of it")
            }));
    }
    // What several modules use of another one is the same in each.
    let mut seen = HashSet::new();
    changes.retain(|change| seen.insert(change.clone()));
    changes.sort_by_key(|change| change.verdict);
    changes
}

/// What is different in `new`, breaking changes first.
#[must_use]
pub fn compare(old: &Module, new: &Module) -> Vec<Change> {
    let mut changes = Changes { old, new, list: vec![] };
    changes.modules();
    let reached = reached(old);
    for (interface, _) in old.interfaces.iter().zip(reached).filter(|(_, is_reached)| *is_reached) {
        changes.interface(interface);
    }
    for interface in &new.interfaces {
        if old.interface(&interface.name).is_none() {
            changes.add(Verdict::Keeps, &interface.name, "is new", "nothing old knows of it");
        }
    }
    changes.constants();
    changes.list.sort_by_key(|change| change.verdict);
    changes.list
}

/// Of each interface, whether somebody can have a portal on it by this module: it is one of its own, or what its operations say.
/// Interfaces of other modules are there, too, if only a type has them that no operation uses.
fn reached(module: &Module) -> Vec<bool> {
    let mut reached: Vec<bool> = module.interfaces.iter().map(|new| !new.name.starts_with("::")).collect();
    let mut next: Vec<usize> = (0..reached.len()).filter(|at| reached[*at]).collect();
    while let Some(at) = next.pop() {
        let interface = &module.interfaces[at];
        let mut found: Vec<usize> = interface.base.iter().map(|base| base.index()).collect();
        for operation in &interface.operations {
            let types = operation.params.iter().map(|param| &param.ty).chain(&operation.result);
            types.for_each(|ty| portals(module, ty, &mut found));
        }
        found.retain(|at| !std::mem::replace(&mut reached[*at], true));
        next.extend(found);
    }
    reached
}

/// Interfaces of the portals in a value. Unions have none, nor have exceptions.
fn portals(module: &Module, ty: &Type, found: &mut Vec<usize>) {
    match ty {
        Type::Portal(id) => found.push(id.index()),
        Type::Array { of, .. } | Type::List { of, .. } => portals(module, of, found),
        Type::Struct(id) => {
            let fields = &module.structs[id.index()].fields;
            fields.iter().for_each(|field| portals(module, &field.ty, found));
        }
        _ => {}
    }
}

/// The interface that declares an operation of another, with its module's name.
fn declarer(module: &Module, interface: &Interface, number: u16) -> String {
    let mut of = interface;
    while let Some(base) = of.base.filter(|_| number < of.inherited) {
        of = &module.interfaces[base.index()];
    }
    match of.name.strip_prefix("::") {
        Some(name) => name.to_owned(),
        None => format!("{}::{}", module.name, of.name),
    }
}

struct Changes<'a> {
    old: &'a Module,
    new: &'a Module,
    list: Vec<Change>,
}

impl Changes<'_> {
    /// A difference at a place in the module, or in another one that it uses.
    fn add(&mut self, verdict: Verdict, place: &str, what: impl Into<String>, why: &'static str) {
        let place = match place.strip_prefix("::") {
            Some(of_another) => of_another.to_owned(),
            None => format!("{}::{place}", self.new.name),
        };
        self.list.push(Change { verdict, place, what: what.into(), why });
    }

    fn add_of_module(&mut self, verdict: Verdict, what: impl Into<String>, why: &'static str) {
        self.list.push(Change { verdict, place: self.new.name.clone(), what: what.into(), why });
    }

    fn modules(&mut self) {
        let (old, new) = (self.old, self.new);
        if old.name != new.name {
            let what = format!("the module was `{}`, is `{}`", old.name, new.name);
            self.add_of_module(Verdict::Breaks, what, "a client asks for a module by its name");
        }
        if old.unknown != new.unknown {
            let why = "bills of programs say something else";
            self.add_of_module(Verdict::Notice, "@unknown is different", why);
        }
    }

    fn interface(&mut self, old: &Interface) {
        let name = &old.name;
        let Some(id) = self.new.interface(name) else {
            return self.add(Verdict::Breaks, name, "is gone", "portals on it can no longer be had");
        };
        let new = &self.new.interfaces[id.index()];
        for (number, operation) in (0..).zip(&old.operations) {
            self.operation(old, number, operation, new);
        }
        for operation in &new.operations {
            if old.operation(&operation.name).is_none() {
                let place = format!("{name}.{}", show::name(operation));
                self.add(Verdict::Keeps, &place, "is new", "nothing old knows of it");
            }
        }
        self.bases(old, new);
        let argument =
            |of: &Interface| of.argument.map(|number| of.operations[usize::from(number)].name.clone());
        if argument(old) != argument(new) && old.argument.is_some() {
            let why = "command lines name objects of this interface in another way, or no longer";
            self.add(Verdict::Breaks, name, "@argument is on another operation", why);
        }
    }

    fn bases(&mut self, old: &Interface, new: &Interface) {
        let names = |module: &Module, interface: &Interface| -> Vec<String> {
            let bases = interface.base.into_iter().flat_map(|base| module.bases(base));
            bases.map(|base| module.interfaces[base.index()].name.clone()).collect()
        };
        let (before, after) = (names(self.old, old), names(self.new, new));
        for base in before.iter().filter(|base| !after.contains(base)) {
            let what = format!("no longer inherits from `{base}`");
            self.add(
                Verdict::Breaks,
                &new.name,
                what,
                "its portals are refused where one on the base is expected",
            );
        }
        for base in after.iter().filter(|base| !before.contains(base)) {
            let what = format!("inherits from `{base}`");
            // A message has the caller's number of an operation, and not in which interface he counted.
            let counted = self.old.interfaces.iter().any(|known| known.name == *base);
            if counted && !old.operations.is_empty() {
                let why = "callers made for the old one number the operations of both from 0; such a number is refused now";
                self.add(Verdict::Breaks, &new.name, what, why);
            } else {
                self.add(Verdict::Keeps, &new.name, what, BY_HASH);
            }
        }
    }

    fn operation(&mut self, was_of: &Interface, number: u16, old: &Operation, of: &Interface) {
        let place = format!("{}.{}", was_of.name, show::name(old));
        if let Some((at, new)) = of.operation_by_hash(old.hash) {
            if at != number {
                self.add(Verdict::Keeps, &place, "has another number", BY_HASH);
            }
            return self.details(&place, old, new);
        }
        let Some((at, new)) = of.operation(&old.name) else {
            return self.add(Verdict::Breaks, &place, "is gone", BOUND);
        };
        let differences = self.differences(old, new);
        if differences.is_empty() {
            let what = match (number < was_of.inherited, at < of.inherited) {
                (false, true) => "is inherited, and was not before".to_owned(),
                (true, false) => "is declared here, and was not before".to_owned(),
                _ => {
                    let (before, after) = (declarer(self.old, was_of, number), declarer(self.new, of, at));
                    format!("was declared in `{before}`, is in `{after}`")
                }
            };
            return self.add(Verdict::Breaks, &place, what, BOUND);
        }
        for what in differences {
            self.add(Verdict::Breaks, &place, what, BOUND);
        }
    }

    /// Why two operations of one name have different hashes.
    fn differences(&self, old: &Operation, new: &Operation) -> Vec<String> {
        let mut found = vec![];
        let (before, after) = (self.shape(self.old, old), self.shape(self.new, new));
        for (before, after) in before.iter().zip(&after).filter(|(before, after)| before != after) {
            found.push(format!("was `{before}`, is `{after}`"));
        }
        if before.len() != after.len() {
            let parameters = |operation: &Operation| match operation.params.len() {
                1 => "1 parameter".to_owned(),
                n => format!("{n} parameters"),
            };
            found.push(format!("had {}, has {}", parameters(old), parameters(new)));
        }
        if old.effect != new.effect {
            let verb = if new.effect == Effect::Reads { "wrote, and reads" } else { "read, and writes" };
            found.push(format!("{verb} now"));
        }
        if old.oneway != new.oneway {
            found.push(if new.oneway { "is oneway now" } else { "is no longer oneway" }.to_owned());
        }
        let raised = |module: &Module, operation: &Operation| -> Vec<String> {
            operation.raises.iter().map(|id| module.exceptions[id.index()].name.clone()).collect()
        };
        let (before, after) = (raised(self.old, old), raised(self.new, new));
        if before != after {
            let show =
                |names: &[String]| if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            found.push(format!("raised {}, raises {}", show(&before), show(&after)));
        }
        if found.is_empty() {
            found.extend(self.types(old, new));
        }
        found
    }

    /// Result and parameters, without names of parameters: these are told of apart.
    fn shape(&self, module: &Module, operation: &Operation) -> Vec<String> {
        let params = operation.params.iter().map(|param| {
            let text = show::param(module, param);
            text.strip_suffix(&format!(" {}", param.name)).unwrap_or(&text).to_owned()
        });
        let result = operation.result.as_ref().map_or("void".to_owned(), |ty| show::ty(module, ty));
        std::iter::once(result).chain(params).collect()
    }

    /// The enums, structs, unions and exceptions of an operation that are defined otherwise.
    fn types(&self, old: &Operation, new: &Operation) -> Vec<String> {
        let names = |module: &Module, operation: &Operation| {
            let mut definitions = Definitions { module, list: vec![] };
            for ty in operation.params.iter().map(|param| &param.ty).chain(&operation.result) {
                definitions.of(ty);
            }
            for id in &operation.raises {
                definitions.exception(*id);
            }
            definitions.list
        };
        let (before, after) = (names(self.old, old), names(self.new, new));
        let changed = before.iter().filter_map(|(name, before)| {
            let (_, after) = after.iter().find(|(other, after)| other == name && after != before)?;
            Some(format!("`{name}` was `{before}`, is `{after}`"))
        });
        changed.collect()
    }

    /// What else is different in operations of one hash.
    fn details(&mut self, place: &str, old: &Operation, new: &Operation) {
        for (before, after) in old.params.iter().zip(&new.params).filter(|(old, new)| old.name != new.name) {
            let what = format!("the parameter `{}` is named `{}` now", before.name, after.name);
            let why = "nothing that is compiled has its name; command lines and sources of programs may";
            self.add(Verdict::Notice, place, what, why);
        }
        if old.idempotent != new.idempotent {
            let what = if new.idempotent { "is @idempotent now" } else { "is no longer @idempotent" };
            let why = "a call that is in doubt is repeated by itself only if it is";
            self.add(Verdict::Notice, place, what, why);
        }
        if old.once != new.once {
            let what = if new.once { "is @once now" } else { "is no longer @once" };
            let why = "a call that is in doubt and reads is repeated by itself only if it is not";
            self.add(Verdict::Notice, place, what, why);
        }
        if old.blocks != new.blocks {
            let what = if new.blocks { "is marked @blocks" } else { "is no longer marked @blocks" };
            self.add(Verdict::Notice, place, what, "programs run it on another thread");
        }
        if old.cost != new.cost {
            self.add(Verdict::Notice, place, "@cost is different", "bills and budgets of programs are, too");
        }
        if old.paged != new.paged {
            let why = match (old.paged, new.paged) {
                (None, _) => "sources of programs that call it outside of the head of a loop are refused",
                _ => "programs that walk its list are refused",
            };
            self.add(Verdict::Breaks, place, "@paged is different", why);
        }
        if old.syscall != new.syscall {
            self.add(
                Verdict::Notice,
                place,
                "@syscall is different",
                "it is made by another system call, or otherwise",
            );
        }
        if old.does != new.does || old.note != new.note {
            self.add(Verdict::Keeps, place, "@does or @note is different", "bills say it in other words");
        }
    }

    fn constants(&mut self) {
        let (old, new) = (self.old, self.new);
        for before in &old.constants {
            let after = new.constants.iter().find(|after| after.name == before.name);
            let what = match after {
                None => "is gone",
                Some(after) if after.value != before.value || after.ty != before.ty => "is different",
                Some(_) => continue,
            };
            let why = "what is compiled keeps the old value; sources see it when they are compiled again";
            self.add(Verdict::Notice, &before.name, what, why);
        }
    }
}

/// Names and definitions that a type rests on, each once.
struct Definitions<'a> {
    module: &'a Module,
    list: Vec<(String, String)>,
}

impl Definitions<'_> {
    fn put(&mut self, name: &str, text: String) -> bool {
        let is_new = !self.list.iter().any(|(known, _)| known == name);
        if is_new {
            self.list.push((name.to_owned(), text));
        }
        is_new
    }

    fn of(&mut self, ty: &Type) {
        let module = self.module;
        match ty {
            Type::Enum(id) => {
                let new = &module.enums[id.index()];
                self.put(&new.name, new.values.join(", "));
            }
            Type::Struct(id) => {
                let new = &module.structs[id.index()];
                if self.put(&new.name, fields(module, &new.fields)) {
                    new.fields.iter().for_each(|field| self.of(&field.ty));
                }
            }
            Type::Union(id) => {
                let new = &module.unions[id.index()];
                let arm = |arm: &Arm| format!("{:?} {} {}", arm.labels, show::ty(module, &arm.ty), arm.name);
                let arms: Vec<String> = new.arms.iter().map(arm).collect();
                if self.put(&new.name, format!("{}: {}", show::ty(module, &new.switch), arms.join("; "))) {
                    self.of(&new.switch);
                    new.arms.iter().for_each(|arm| self.of(&arm.ty));
                }
            }
            Type::Array { of, .. } | Type::List { of, .. } => self.of(of),
            _ => {}
        }
    }

    fn exception(&mut self, id: ExceptionId) {
        let new = &self.module.exceptions[id.index()];
        if self.put(&new.name, fields(self.module, &new.members)) {
            new.members.iter().for_each(|member| self.of(&member.ty));
        }
    }
}

fn fields(module: &Module, fields: &[Field]) -> String {
    fields
        .iter()
        .map(|field| format!("{} {}", show::ty(module, &field.ty), field.name))
        .collect::<Vec<_>>()
        .join("; ")
}
