//! Exceptions whose members travel as data, and enums of what an operation raises.

use super::names::camel;
use super::shape::{Leaf, Side, part};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::backend::Scope;
use crate::descriptor::{Exception, ExceptionId, Field, Interface, InterfaceId, Type};

impl Rust<'_> {
    /// An exception that is not `kind` and `message` alone.
    pub(super) fn rich_exception(&self, index: usize, new: &Exception, code: &mut Lines) {
        let name = &self.names.exceptions[index];
        let doc = if new.doc.is_empty() { format!("The exception `{}`.", new.name) } else { new.doc.clone() };
        self.fielded(Side::Client, name, &doc, "", &new.members, code);
        self.members(index, new, code);
        code.open(&format!("impl ::std::fmt::Display for {name} {{"));
        code.open("fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {");
        code.line(&format!("write!(f, \"{}: {{self:?}}\")", new.name));
        code.close("}");
        code.shut("}");
        code.line(&format!("impl ::std::error::Error for {name} {{}}"));
        code.blank();
        self.conversions(name, &[(String::new(), ExceptionId(u16::try_from(index).unwrap_or(0)))], code);
    }

    /// Members to words and back.
    pub(super) fn members(&self, index: usize, new: &Exception, code: &mut Lines) {
        let name = &self.names.exceptions[index];
        let plain = new.plain().is_some();
        let mut word = 0;
        let fields: Vec<String> = new
            .members
            .iter()
            .zip(super::types::field_names(&new.members))
            .map(|(member, rust)| {
                let value = self.build(Side::Client, &member.ty, &mut word, "?", &mut |ty, word| {
                    self.element(Side::Client, ty, &format!("words[{word}]"))
                });
                // People read a plain exception's message, so that it is text there.
                let is_text = plain && matches!(member.ty, Type::String { .. });
                format!("{rust}: {}", if is_text { format!("stub::text(&{value})") } else { value })
            })
            .collect();
        let value = if fields.is_empty() {
            format!("{name} {{}}")
        } else {
            format!("{name} {{ {} }}", fields.join(", "))
        };
        self.reading(name, word, &value, code);
        let leaves: Vec<Leaf> = new
            .members
            .iter()
            .zip(super::types::field_names(&new.members))
            .flat_map(|(member, rust)| self.leaves(&member.ty, &self.member(member, &rust, plain), "?"))
            .collect();
        self.writing(name, &leaves, code);
    }

    fn member(&self, member: &Field, rust: &str, plain: bool) -> String {
        match member.ty {
            Type::String { max } if plain => format!("stub::cut(&self.{rust}, {max})"),
            ref ty => part(ty, &format!("self.{rust}")),
        }
    }

    /// What the operations of an interface raise, where that is several.
    pub(super) fn raised_enums(&self, id: InterfaceId, interface: &Interface, code: &mut Lines) {
        let own = usize::from(interface.inherited);
        for (operation, name) in interface.operations.iter().zip(&self.names.raised[id.index()]).skip(own) {
            if name.is_empty() {
                continue;
            }
            let mut taken = Scope::default();
            let variants: Vec<(String, ExceptionId)> = operation
                .raises
                .iter()
                .map(|id| (taken.take(&camel(&self.module.exceptions[id.index()].name)), *id))
                .collect();
            self.raised_enum(name, &format!("{}.{}", interface.name, operation.name), &variants, code);
        }
    }

    fn raised_enum(&self, name: &str, title: &str, variants: &[(String, ExceptionId)], code: &mut Lines) {
        let has_float = |id: &ExceptionId| {
            self.module.exceptions[id.index()].members.iter().any(|member| self.has_float(&member.ty))
        };
        let eq = if variants.iter().any(|(_, id)| has_float(id)) { "" } else { ", Eq" };
        code.line(&format!("/// What `{title}` raises."));
        code.line(ALLOW);
        code.line(&format!("#[derive(Clone, Debug, PartialEq{eq})]"));
        code.open(&format!("pub enum {name} {{"));
        for (variant, id) in variants {
            code.line(&format!("/// `{}`.", self.module.exceptions[id.index()].name));
            code.line(&format!("{variant}({}),", self.names.exceptions[id.index()]));
        }
        code.shut("}");
        code.open(&format!("impl ::std::fmt::Display for {name} {{"));
        code.open("fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {");
        code.open("match self {");
        for (variant, _) in variants {
            code.line(&format!("{name}::{variant}(raised) => raised.fmt(f),"));
        }
        code.close("}");
        code.close("}");
        code.shut("}");
        code.line(&format!("impl ::std::error::Error for {name} {{}}"));
        code.blank();
        for (variant, id) in variants {
            let exception = &self.names.exceptions[id.index()];
            code.open(&format!("impl From<{exception}> for {name} {{"));
            code.open(&format!("fn from(raised: {exception}) -> {name} {{"));
            code.line(&format!("{name}::{variant}(raised)"));
            code.close("}");
            code.shut("}");
        }
        self.conversions(name, variants, code);
    }

    /// To a failure and back: the place of the exception among those that are raised, and its members.
    fn conversions(&self, name: &str, variants: &[(String, ExceptionId)], code: &mut Lines) {
        code.open(&format!("impl From<{name}> for stub::Failure {{"));
        code.open(&format!("fn from(raised: {name}) -> stub::Failure {{"));
        if let [(variant, id)] = variants
            && variant.is_empty()
        {
            let title = &self.module.exceptions[id.index()].name;
            code.line(&format!("stub::raised_members(0, \"{title}\", &raised, {name}::write)"));
        } else {
            code.open("match &raised {");
            for (place, (variant, id)) in variants.iter().enumerate() {
                let (exception, title) =
                    (&self.names.exceptions[id.index()], &self.module.exceptions[id.index()].name);
                code.open(&format!("{name}::{variant}(raised) => {{"));
                code.line(&format!("stub::raised_members({place}, \"{title}\", raised, {exception}::write)"));
                code.close("}");
            }
            code.close("}");
        }
        code.close("}");
        code.shut("}");
        code.open(&format!("impl stub::Exception for {name} {{"));
        code.open(&format!("fn from_details(details: &stub::Details) -> Option<{name}> {{"));
        code.open("match stub::place(details) {");
        for (place, (variant, id)) in variants.iter().enumerate() {
            let exception = &self.names.exceptions[id.index()];
            let wrap = if variant.is_empty() { String::new() } else { format!(".map({name}::{variant})") };
            code.line(&format!("{place} => stub::members(details, {exception}::read){wrap},"));
        }
        code.line("_ => None,");
        code.close("}");
        code.close("}");
        code.shut("}");
    }
}
