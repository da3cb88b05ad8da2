//! Enums, records, and exceptions.

use super::Java;
use super::code::File;
use super::names::upper;
use crate::descriptor::{Enum, Exception, Field, Struct, Type};

/// A component of a record: its name, and its type.
pub(super) type Component<'t> = (String, &'t Type);

impl Java<'_> {
    pub(super) fn enumeration(&self, index: usize, new: &Enum) -> (String, String) {
        let class = &self.names.enums[index];
        let mut file = self.file(class, &[]);
        file.doc(&new.doc, &format!("The enum {{@code {}}}.", new.name), &[]);
        file.open(&format!("public enum {} {{", class.name));
        for (number, value) in new.values.iter().enumerate() {
            let end = if number + 1 == new.values.len() { "" } else { "," };
            file.line(&format!("{}{end}", upper(value)));
        }
        file.close("}");
        file.finish()
    }

    pub(super) fn structure(&self, index: usize, new: &Struct) -> (String, String) {
        let class = &self.names.structs[index];
        let mut file = self.file(class, &[]);
        let components = self.components(&new.fields);
        let tags = self.tags(&components);
        file.doc(&new.doc, &format!("The struct {{@code {}}}.", new.name), &tags);
        self.record(&mut file, &format!("public record {}", class.name), "", &components);
        file.close("}");
        file.finish()
    }

    fn components<'t>(&self, fields: &'t [Field]) -> Vec<Component<'t>> {
        let names = self.names.members(fields.iter().map(|field| field.name.as_str()));
        names.into_iter().zip(fields.iter().map(|field| &field.ty)).collect()
    }

    /// What a documentation comment says of parameters.
    pub(super) fn tags(&self, components: &[Component<'_>]) -> Vec<String> {
        components.iter().map(|(name, ty)| format!("@param {name} {}", self.words(ty))).collect()
    }

    /// A record that checks its values; its end is the caller's.
    pub(super) fn record(&self, file: &mut File<'_>, head: &str, tail: &str, components: &[Component<'_>]) {
        let params = self.params(file, components);
        file.call(head, &params, &format!("{tail} {{"));
        file.indent();
        let checks: Vec<String> =
            components.iter().filter_map(|(name, ty)| self.check(file, name, ty)).collect();
        if !checks.is_empty() {
            let name = head.rsplit(' ').next().unwrap_or(head);
            self.constructor(file, name, &checks);
        }
    }

    /// The part of a record's constructor that checks.
    pub(super) fn constructor(&self, file: &mut File<'_>, name: &str, checks: &[String]) {
        file.line("/** Checks all bounds. */");
        file.open(&format!("public {name} {{"));
        checks.iter().for_each(|check| file.line(check));
        file.close("}");
    }

    pub(super) fn params(&self, file: &mut File<'_>, components: &[Component<'_>]) -> Vec<String> {
        components.iter().map(|(name, ty)| format!("{} {name}", self.ty(file, ty))).collect()
    }

    pub(super) fn exception(&self, index: usize, new: &Exception) -> (String, String) {
        let class = &self.names.exceptions[index];
        let mut file = self.file(class, &[]);
        let components = self.components(&new.members);
        let [base, mark] =
            ["Exception", "SuppressWarnings"].map(|name| file.imported(&format!("java.lang.{name}")));
        file.doc(&new.doc, &format!("The exception {{@code {}}}.", new.name), &[]);
        file.line(&format!("@{mark}(\"serial\") // Nothing serializes it: it travels as its members."));
        file.open(&format!("public final class {} extends {base} {{", class.name));
        for (name, ty) in &components {
            let ty = self.ty(&mut file, ty);
            file.line(&format!("private final {ty} {name};"));
        }
        if !components.is_empty() {
            file.blank();
        }
        self.exception_constructor(&mut file, &class.name, new, &components);
        for (name, ty) in &components {
            file.blank();
            let words = self.words(ty);
            file.doc("", &format!("The member {{@code {name}}}."), &[format!("@return {words}")]);
            let ty = self.ty(&mut file, ty);
            file.open(&format!("public {ty} {name}() {{"));
            file.line(&format!("return {name};"));
            file.close("}");
        }
        file.close("}");
        file.finish()
    }

    fn exception_constructor(
        &self,
        file: &mut File<'_>,
        class: &str,
        new: &Exception,
        components: &[Component<'_>],
    ) {
        let plain = new.plain().map(|(_, max)| max);
        let mut tags = self.tags(components);
        if let (Some(max), Some(tag)) = (plain, tags.get_mut(1)) {
            *tag = format!("@param message what people read; cut to {max} bytes as UTF-8");
        }
        file.doc("", "Checks all bounds.", &tags);
        let params = self.params(file, components);
        file.call(&format!("public {class}"), &params, " {");
        file.indent();
        match plain {
            // Who raises it has often put a name into the text, whose length is not known.
            Some(max) => {
                let bounds = file.imported("carnet.Bounds");
                file.line(&format!("super({bounds}.cut(message, {max}));"));
            }
            None => file.line(&format!("super({});", message(class, components))),
        }
        for (name, ty) in components {
            let value = match (plain, ty) {
                (Some(_), Type::String { .. }) => "getMessage()".to_owned(),
                _ => self.checked(file, name, name, ty, 1).unwrap_or_else(|| name.clone()),
            };
            file.line(&format!("this.{name} = {value};"));
        }
        file.close("}");
    }
}

/// The text of an exception without a message of its own: its name, and its members.
fn message(class: &str, components: &[Component<'_>]) -> String {
    let parts: Vec<String> = components
        .iter()
        .enumerate()
        .map(|(index, (name, _))| {
            let before = if index == 0 { format!("{class}: ") } else { ", ".to_owned() };
            format!("\"{before}{name}=\" + {name}")
        })
        .collect();
    match parts.len() {
        0 => format!("\"{class}\""),
        1 | 2 => parts.join(" + "),
        _ => parts.join("\n                + "),
    }
}
