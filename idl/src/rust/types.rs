//! Enums, structs, exceptions, writers of list results.

use super::names::{snake, variants};
use super::shape::{Leaf, Side, put_unions};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::backend::Scope;
use crate::descriptor::{Enum, Exception, Field, Struct, StructId, Type};

impl Rust<'_> {
    pub(super) fn enumeration(&self, index: usize, new: &Enum, code: &mut Lines) {
        let name = &self.names.enums[index];
        let variants = variants(&new.values);
        code.doc(&new.doc, &format!("The enum `{}`.", new.name));
        code.line(ALLOW);
        code.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]");
        code.open(&format!("pub enum {name} {{"));
        for (variant, value) in variants.iter().zip(&new.values) {
            code.line(&format!("/// `{value}`."));
            code.line(&format!("{variant},"));
        }
        code.shut("}");
        code.line(ALLOW);
        code.open(&format!("impl {name} {{"));
        code.line("/// The value with this number.");
        code.line("#[must_use]");
        code.open(&format!("pub const fn from_word(word: u64) -> Option<{name}> {{"));
        code.open("match word {");
        for (number, variant) in variants.iter().enumerate() {
            code.line(&format!("{number} => Some({name}::{variant}),"));
        }
        code.line("_ => None,");
        code.close("}");
        code.shut("}");
        code.line("/// Its number.");
        code.line("#[must_use]");
        code.open("pub const fn to_word(self) -> u64 {");
        code.line("self as u64");
        code.shut("}");
        code.line("/// Its name in the interface.");
        code.line("#[must_use]");
        code.open("pub const fn name(self) -> &'static str {");
        code.open("match self {");
        for (variant, value) in variants.iter().zip(&new.values) {
            code.line(&format!("{name}::{variant} => \"{value}\","));
        }
        code.close("}");
        code.close("}");
        code.shut("}");
    }

    /// Rust names of a struct's fields.
    pub(super) fn fields(&self, id: StructId) -> Vec<String> {
        field_names(&self.module.structs[id.index()].fields)
    }

    pub(super) fn structure(&self, index: usize, new: &Struct, code: &mut Lines) {
        let id = StructId(u16::try_from(index).unwrap_or(u16::MAX));
        let ty = Type::Struct(id);
        self.fielded(Side::Client, &self.names.structs[index], &new.doc, &new.name, &new.fields, code);
        if self.has_portal(&ty) {
            let doc = |side: &str| format!("The struct `{}`, as a service {side}.", new.name);
            let given = &self.names.given[index];
            self.fielded(Side::Given, &format!("{given}<'a>"), &doc("is handed it"), "", &new.fields, code);
            let returned = &self.names.returned[index];
            self.fielded(Side::Returned, returned, &doc("returns it"), "", &new.fields, code);
            return;
        }
        if self.used.read.contains(&id) {
            self.read(id, code);
        }
        if self.used.written.contains(&id) {
            self.write(id, code);
        }
    }

    /// A Rust struct with these fields.
    pub(super) fn fielded(
        &self,
        side: Side,
        name: &str,
        doc: &str,
        title: &str,
        fields: &[Field],
        code: &mut Lines,
    ) {
        code.doc(doc, &format!("The struct `{title}`."));
        code.line(ALLOW);
        let derives = if fields.iter().any(|field| self.has_portal(&field.ty)) {
            "Clone, Debug"
        } else if fields.iter().any(|field| self.has_float(&field.ty)) {
            "Clone, Debug, PartialEq"
        } else {
            "Clone, Debug, PartialEq, Eq"
        };
        code.line(&format!("#[derive({derives})]"));
        code.open(&format!("pub struct {name} {{"));
        for (field, rust) in fields.iter().zip(field_names(fields)) {
            code.line(&format!("/// `{}`{}.", field.name, bound(&field.ty)));
            let ty = self.owned_on(side, &field.ty).replace("'_", "'a");
            code.line(&format!("pub {rust}: {ty},"));
        }
        code.shut("}");
    }

    /// A struct out of a list.
    fn read(&self, id: StructId, code: &mut Lines) {
        let (name, ty) = (&self.names.structs[id.index()], Type::Struct(id));
        let value = self.build(Side::Client, &ty, &mut 0, "?", &mut |ty, word| {
            self.element(Side::Client, ty, &format!("words[{word}]"))
        });
        self.reading(name, self.words(&ty), &value, code);
    }

    /// `read` of something that is read out of a list.
    pub(super) fn reading(&self, name: &str, words: usize, value: &str, code: &mut Lines) {
        let area = if value.contains("(area,") { "area" } else { "_area" };
        let block = if value.contains("words[") { "words" } else { "_words" };
        code.line(ALLOW);
        code.open(&format!("impl {name} {{"));
        code.open(&format!(
            "fn read({block}: &[u64; {words}], {area}: &stub::Area) -> Result<{name}, stub::Wrong> {{"
        ));
        code.value("Ok(", value, ")");
        code.close("}");
        code.shut("}");
    }

    /// A struct into a list.
    fn write(&self, id: StructId, code: &mut Lines) {
        self.writing(&self.names.structs[id.index()], &self.leaves(&Type::Struct(id), "self", "?"), code);
    }

    /// `write` of something that consists of `leaves`.
    pub(super) fn writing(&self, name: &str, leaves: &[Leaf], code: &mut Lines) {
        let words: Vec<String> = leaves.iter().map(|leaf| leaf.element_word(Side::Client)).collect();
        let area = if words.iter().any(|word| word.contains("(area,")) { "area" } else { "_area" };
        code.line(ALLOW);
        code.open(&format!("impl {name} {{"));
        code.open(&format!(
            "fn write(&self, {area}: &mut stub::Area) -> Result<[u64; {}], stub::Wrong> {{",
            leaves.len()
        ));
        code.words(&words, &put_unions(leaves, 0));
        code.close("}");
        code.shut("}");
    }

    /// A part of a list's element, out of `word` and `area`.
    pub(super) fn element(&self, side: Side, ty: &Type, word: &str) -> String {
        match ty {
            Type::String { max } => format!("stub::field_string(area, {word}, {max})?"),
            Type::Bytes { max } => format!("stub::field_bytes(area, {word}, {max})?"),
            Type::Array { .. } => {
                format!("stub::array(stub::field_bytes(area, {word}, {}))?", ty.octets().unwrap_or(0))
            }
            Type::List { of, max } => {
                format!("stub::field_list(area, {word}, {})?", self.unpacking(of, *max))
            }
            Type::Portal(id) => {
                let client = &self.names.interfaces[id.index()];
                match side {
                    Side::Client => format!("{client}::from_portal(stub::made(&made, {word})?)"),
                    _ => format!("stub::portal_in::<{client}>(call.portals, {word})?"),
                }
            }
            _ => self.scalar(ty, word).or_wrong(),
        }
    }

    /// An expression for the function that reads elements of type `ty`.
    pub(super) fn reader(&self, side: Side, ty: &Type) -> String {
        match ty {
            Type::Struct(id) if !self.has_portal(ty) => {
                format!("{}::read", self.names.structs[id.index()])
            }
            Type::String { max } => {
                format!("|words: &[u64; 1], area| stub::field_string(area, words[0], {max})")
            }
            Type::Bytes { max } => {
                format!("|words: &[u64; 1], area| stub::field_bytes(area, words[0], {max})")
            }
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } | Type::List { .. } | Type::Portal(_) => {
                let value = self.build(side, ty, &mut 0, "?", &mut |ty, word| {
                    self.element(side, ty, &format!("words[{word}]"))
                });
                let area = if value.contains("(area,") { "area" } else { "_" };
                format!("|words: &[u64; {}], {area}| Ok({value})", self.words(ty))
            }
            _ => format!("|words: &[u64; 1], _| {}", self.scalar(ty, "words[0]").result()),
        }
    }

    /// An expression for the function that writes elements of type `ty`.
    pub(super) fn writer(&self, side: Side, ty: &Type) -> String {
        if let Type::Struct(id) = ty
            && !self.has_portal(ty)
        {
            return format!("{}::write", self.names.structs[id.index()]);
        }
        let leaves = self.leaves(ty, "each", "?");
        let words: Vec<String> = leaves.iter().map(|leaf| leaf.element_word(side)).collect();
        let (words, unions) = (words.join(", "), put_unions(&leaves, 0));
        let area = if words.contains("(area,") { "area" } else { "_" };
        match ty {
            _ if !unions.is_empty() => {
                format!("|each, {area}| {{ let mut words = [{words}]; {} Ok(words) }}", unions.join(" "))
            }
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } | Type::List { .. } | Type::Portal(_) => {
                format!("|each, {area}| Ok([{words}])")
            }
            Type::String { .. } | Type::Bytes { .. } => format!("|each, area| Ok([{words}])"),
            _ => format!("|&each, _| Ok([{words}])"),
        }
    }

    pub(super) fn exception(&self, index: usize, new: &Exception, code: &mut Lines) {
        let name = &self.names.exceptions[index];
        let Some((kind, message_max)) = new.plain() else { return self.rich_exception(index, new, code) };
        let kind = &self.names.enums[kind.index()];
        code.doc(&new.doc, &format!("The exception `{}`.", new.name));
        code.line(ALLOW);
        code.line("#[derive(Clone, Debug, PartialEq, Eq)]");
        code.open(&format!("pub struct {name} {{"));
        code.line("/// What programs test.");
        code.line(&format!("pub kind: {kind},"));
        code.line(&format!("/// What people read; cut to {} bytes when raised.", message_max));
        code.line("pub message: String,");
        code.shut("}");
        code.line(ALLOW);
        code.open(&format!("impl {name} {{"));
        code.line("/// With this kind and text.");
        code.line("#[must_use]");
        code.open(&format!("pub fn new(kind: {kind}, message: &str) -> {name} {{"));
        code.line(&format!("{name} {{ kind, message: message.to_owned() }}"));
        code.close("}");
        code.shut("}");
        code.error(name, |code| code.line("f.write_str(&self.message)"));
        let raise = format!("stub::raised(raised.kind.to_word(), raised.message, {message_max})");
        code.exception(
            name,
            |code| code.line(&raise),
            |code| {
                code.line(&format!("let kind = {kind}::from_word(u64::from(details.raised))?;"));
                code.line(&format!("Some({name} {{ kind, message: details.message.clone() }})"));
            },
        );
        if self.used.members.contains(&index) {
            self.members(index, new, code);
        }
    }

    /// The writer of list results with this element.
    pub(super) fn list_writer(&self, element: &Type, code: &mut Lines) {
        let name = self.names.list(element);
        let params = match element {
            Type::Struct(id) => {
                let fields = &self.module.structs[id.index()].fields;
                self.fields(*id).into_iter().zip(fields.iter().map(|field| &field.ty)).collect()
            }
            ty => vec![("value".to_owned(), ty)],
        };
        let leaves: Vec<Leaf> = params.iter().flat_map(|(param, ty)| self.leaves(ty, param, "?")).collect();
        let words: Vec<String> = leaves.iter().map(|leaf| leaf.element_word(Side::Client)).collect();
        let unions = put_unions(&leaves, 0);
        let area = if words.iter().any(|word| word.contains("(area,")) { "area" } else { "_" };
        let params = params.iter().map(|(param, ty)| format!("{param}: {}", self.lent(ty)));
        let params: Vec<String> = std::iter::once("&mut self".to_owned()).chain(params).collect();
        code.line("/// Writes a list result.");
        code.line(ALLOW);
        code.line("#[derive(Debug)]");
        code.line(&format!("pub struct {name}<'a>(stub::ListOut<'a>);"));
        code.blank();
        code.line(ALLOW);
        code.open(&format!("impl {name}<'_> {{"));
        code.line("/// Elements written so far.");
        code.line("#[must_use]");
        code.open("pub fn len(&self) -> usize {");
        code.line("self.0.len()");
        code.shut("}");
        code.line("/// Whether nothing was written.");
        code.line("#[must_use]");
        code.open("pub fn is_empty(&self) -> bool {");
        code.line("self.0.is_empty()");
        code.shut("}");
        code.line("/// Whether nothing more can be written.");
        code.line("#[must_use]");
        code.open("pub fn is_full(&self) -> bool {");
        code.line("self.0.is_full()");
        code.shut("}");
        code.line("/// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a");
        code.line("/// bound: the call fails then.");
        code.line("#[must_use]");
        code.list("pub fn push(", &params, ") -> bool {");
        code.indent();
        if let ([word], []) = (&words[..], &unions[..]) {
            code.line(&format!("self.0.push(|{area}| Ok([{word}]))"));
        } else {
            code.open(&format!("self.0.push(|{area}| {{"));
            code.words(&words, &unions);
            code.close("})");
        }
        code.close("}");
        code.shut("}");
    }
}

fn bound(ty: &Type) -> String {
    match ty {
        Type::String { max } => format!(", at most {max} bytes without NUL"),
        Type::Bytes { max } => format!(", at most {max} bytes"),
        Type::Char => ", a character".to_owned(),
        Type::List { max, .. } => format!(", at most {max} elements"),
        _ => String::new(),
    }
}

pub(super) fn field_names(fields: &[Field]) -> Vec<String> {
    let mut taken = Scope::with(&["area", "list", "stub", "words"]);
    fields.iter().map(|field| taken.take(&snake(&field.name))).collect()
}

impl Leaf {
    /// Its word in a list's element, in a function that fails with `Wrong`.
    pub(super) fn element_word(&self, side: Side) -> String {
        let expr = &self.expr;
        match &self.ty {
            Some(Type::Bytes { max }) if self.is_made => format!("stub::add_bytes(area, &{expr}?, {max})?"),
            Some(Type::String { max }) => format!("stub::add_string(area, {expr}, {max})?"),
            Some(Type::Bytes { max }) => format!("stub::add_bytes(area, {expr}, {max})?"),
            Some(Type::Array { len, .. }) => format!("stub::add_bytes(area, {expr}, {len})?"),
            Some(Type::Portal(_)) => match side {
                Side::Client => format!("stub::hand(&mut portals, {expr}.portal())"),
                _ => format!("stub::make(call.made, {})", self.moved()),
            },
            ty => Rust::sure_word(ty.as_ref(), expr).unwrap_or_else(|| format!("stub::u64_word({expr})?")),
        }
    }
}
