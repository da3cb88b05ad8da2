//! Exceptions whose members travel as data, and enums of what an operation raises.

use super::names::variants;
use super::shape::{Leaf, Side, part};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::descriptor::{Exception, ExceptionId, Field, Interface, InterfaceId, Type};

impl Rust<'_> {
    /// An exception that is not `kind` and `message` alone.
    pub(super) fn rich_exception(&self, index: usize, new: &Exception, code: &mut Lines) {
        let name = &self.names.exceptions[index];
        let doc = if new.doc.is_empty() { format!("The exception `{}`.", new.name) } else { new.doc.clone() };
        self.fielded(Side::Client, name, &doc, "", &new.members, code);
        self.members(index, new, code);
        code.error(name, |code| code.line(&format!("write!(f, \"{}: {{self:?}}\")", new.name)));
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
        for (operation, name) in interface.own().iter().zip(&self.names.raised[id.index()]) {
            if name.is_empty() {
                continue;
            }
            let raised = operation.raises.iter().map(|id| &self.module.exceptions[id.index()].name);
            let variants: Vec<(String, ExceptionId)> =
                variants(raised).into_iter().zip(operation.raises.iter().copied()).collect();
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
        code.error(name, |code| {
            code.open("match self {");
            for (variant, _) in variants {
                code.line(&format!("{name}::{variant}(raised) => raised.fmt(f),"));
            }
            code.close("}");
        });
        for (variant, id) in variants {
            let exception = &self.names.exceptions[id.index()];
            let from = format!("from(raised: {exception}) -> {name}");
            code.implement(&format!("From<{exception}> for {name}"), &from, |code| {
                code.line(&format!("{name}::{variant}(raised)"));
            });
        }
        self.conversions(name, variants, code);
    }

    /// To a failure and back: the place of the exception among those that are raised, and its members.
    fn conversions(&self, name: &str, variants: &[(String, ExceptionId)], code: &mut Lines) {
        code.exception(
            name,
            |code| self.raise(name, variants, code),
            |code| {
                code.open("match stub::place(details) {");
                for (place, (variant, id)) in variants.iter().enumerate() {
                    let exception = &self.names.exceptions[id.index()];
                    let wrap =
                        if variant.is_empty() { String::new() } else { format!(".map({name}::{variant})") };
                    code.line(&format!("{place} => stub::members(details, {exception}::read){wrap},"));
                }
                code.line("_ => None,");
                code.close("}");
            },
        );
    }

    fn raise(&self, name: &str, variants: &[(String, ExceptionId)], code: &mut Lines) {
        let title = |id: &ExceptionId| &self.module.exceptions[id.index()].name;
        if let [(variant, id)] = variants
            && variant.is_empty()
        {
            return code.line(&format!("stub::raised_members(0, \"{}\", &raised, {name}::write)", title(id)));
        }
        code.open("match &raised {");
        for (place, (variant, id)) in variants.iter().enumerate() {
            let (exception, title) = (&self.names.exceptions[id.index()], title(id));
            code.open(&format!("{name}::{variant}(raised) => {{"));
            code.line(&format!("stub::raised_members({place}, \"{title}\", raised, {exception}::write)"));
            code.close("}");
        }
        code.close("}");
    }
}
