//! Interfaces: a method for each operation, and records of what operations give back.

use super::Java;
use super::code::{File, literal};
use super::types::Component;
use crate::descriptor::{Effect, Interface, Mode, Operation, Type};

/// What comes back: the result, then `inout` and `out` parameters.
pub(super) fn given_back(operation: &Operation) -> Vec<(&str, &Type)> {
    let params = operation.params.iter().filter(|param| param.mode != Mode::In);
    let params = params.map(|param| (param.name.as_str(), &param.ty));
    operation.result.iter().map(|ty| ("result", ty)).chain(params).collect()
}

/// What the caller gives.
fn given(operation: &Operation) -> Vec<(&str, &Type)> {
    let params = operation.params.iter().filter(|param| param.mode != Mode::Out);
    params.map(|param| (param.name.as_str(), &param.ty)).collect()
}

impl Java<'_> {
    pub(super) fn interface(&self, index: usize, new: &Interface) -> (String, String) {
        let class = &self.names.interfaces[index];
        let mut file = self.file(class, &self.names.results[index]);
        file.doc(&new.doc, &format!("The interface {{@code {}}}.", new.name), &[]);
        let mark = file.imported("carnet.Interface");
        let name = format!("{}::{}", class.module, new.name);
        file.line(&format!("@{mark}(name = {}, hash = {:#018x}L)", literal(&name), new.hash.0));
        let base = new.base.map_or(String::new(), |id| {
            format!(" extends {}", file.named(&self.names.interfaces[id.index()]))
        });
        file.open(&format!("public interface {}{base} {{", class.name));
        let own = usize::from(new.inherited);
        for (number, operation) in new.operations.iter().enumerate().skip(own) {
            if number > own {
                file.blank();
            }
            self.operation(&mut file, index, number, operation);
        }
        file.close("}");
        file.finish()
    }

    fn operation(&self, file: &mut File<'_>, interface: usize, number: usize, operation: &Operation) {
        let params = self.named(given(operation));
        let back = self.named(given_back(operation));
        let record = &self.names.results[interface][number];
        let result = match &back[..] {
            [] => "void".to_owned(),
            [(_, ty)] => self.ty(file, ty),
            _ => record.clone(),
        };
        let classes = operation.raises.iter().map(|id| &self.names.exceptions[id.index()]);
        let raises: Vec<String> = classes.map(|class| file.named(class)).collect();
        let mut tags = self.tags(&params);
        match &back[..] {
            [] => {}
            [(_, ty)] => tags.push(format!("@return {}", self.words(ty))),
            _ => tags.push("@return all that comes back".to_owned()),
        }
        tags.extend(raises.iter().map(|name| format!("@throws {name} as the service says")));
        file.doc(&operation.doc, &instead(operation), &tags);
        let is_argument =
            self.module.interfaces[interface].argument.is_some_and(|at| usize::from(at) == number);
        self.marks(file, operation, is_argument);
        let params = self.params(file, &params);
        let throws = if raises.is_empty() { String::new() } else { format!(" throws {}", raises.join(", ")) };
        let name = &self.names.methods[interface][number];
        file.call(&format!("{result} {name}"), &params, &format!("{throws};"));
        if back.len() > 1 {
            file.blank();
            let doc = format!("What {{@code {}}} gives back.", operation.name);
            file.doc("", &doc, &self.tags(&back));
            self.record(file, &format!("record {record}"), "", &back);
            file.close("}");
        }
    }

    fn named<'t>(&self, values: Vec<(&str, &'t Type)>) -> Vec<Component<'t>> {
        let names = self.names.members(values.iter().map(|(name, _)| *name));
        names.into_iter().zip(values.iter().map(|(_, ty)| *ty)).collect()
    }

    /// The annotations of an operation.
    fn marks(&self, file: &mut File<'_>, operation: &Operation, is_argument: bool) {
        let param = |index: u16| literal(&operation.params[usize::from(index)].name);
        let mut mark = |is_set: bool, name: &str, values: String| {
            if is_set {
                let name = file.imported(&format!("carnet.{name}"));
                file.line(&format!("@{name}{values}"));
            }
        };
        let name = literal(&operation.name);
        mark(true, "Operation", format!("(name = {name}, hash = {:#018x}L)", operation.hash.0));
        mark(is_argument, "Argument", String::new());
        mark(operation.effect == Effect::Reads, "Reads", String::new());
        mark(operation.effect == Effect::Writes, "Writes", String::new());
        mark(operation.idempotent, "Idempotent", String::new());
        mark(operation.once, "Once", String::new());
        mark(operation.blocks, "Blocks", String::new());
        mark(operation.oneway, "Oneway", String::new());
        if let Some(paged) = operation.paged {
            let key = literal(&self.key(operation, paged.key));
            let (cursor, last) = (param(paged.cursor), param(paged.last));
            mark(true, "Paged", format!("(cursor = {cursor}, last = {last}, key = {key})"));
        }
        if let Some(cost) = operation.cost {
            mark(true, "Cost", format!("(bytes = {})", param(cost)));
        }
        if let Some([verb, one, many]) = &operation.does {
            let words = [verb, one, many].map(|word| literal(word)).join(", ");
            mark(true, "Does", format!("({{{words}}})"));
        }
        mark(!operation.note.is_empty(), "Note", format!("({})", literal(&operation.note)));
    }

    /// The name of the key field of what a paged operation lists.
    fn key(&self, operation: &Operation, key: u16) -> String {
        let Some(Type::List { of, .. }) = &operation.result else { return String::new() };
        let Type::Struct(id) = **of else { return String::new() };
        let field = self.module.structs[id.index()].fields.get(usize::from(key));
        field.map_or(String::new(), |field| field.name.clone())
    }
}

fn instead(operation: &Operation) -> String {
    match operation.name.strip_prefix('_').and_then(|name| name.split_once('_')) {
        Some(("get", name)) => format!("Reads the attribute {{@code {name}}}."),
        Some((_, name)) => format!("Sets the attribute {{@code {name}}}."),
        None => format!("The operation {{@code {}}}.", operation.name),
    }
}
