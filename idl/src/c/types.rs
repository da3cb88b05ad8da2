//! Enums, structs, elements of lists, descriptions of interfaces.

use super::C;
use super::names::{flat, word};
use super::shape::{Leaf, Slot};
use crate::backend::Lines;
use crate::descriptor::{Interface, Mode, Type, Value};

impl<'a> C<'a> {
    pub(super) fn types(&self, code: &mut Lines) {
        self.constants(code);
        for new in &self.module.enums {
            code.comment(&new.doc);
            let name = self.name(&new.name);
            code.open(&format!("enum {name} {{"));
            for (number, value) in new.values.iter().enumerate() {
                let comma = if number + 1 == new.values.len() { "" } else { "," };
                code.line(&format!("{name}_{value} = {number}{comma}"));
            }
            code.close("};");
            code.blank();
        }
        for new in &self.module.structs {
            code.comment(&new.doc);
            code.open(&format!("struct {} {{", self.name(&new.name)));
            for field in &new.fields {
                code.line(&format!("{} {};{}", self.ty(&field.ty), word(&field.name), bound(&field.ty)));
            }
            code.close("};");
            code.blank();
        }
        for element in self.elements() {
            self.element(element, code);
        }
        for interface in &self.module.interfaces {
            self.interface(interface, code);
        }
        let names = self.module.interfaces.iter().map(|new| format!("&{}_interface", self.name(&new.name)));
        let names: Vec<String> = names.collect();
        let name = &self.module.name;
        if !names.is_empty() {
            code.line(&format!("static const struct carnet_interface *const {name}_interfaces[] = {{"));
            names.iter().for_each(|each| code.line(&format!("    {each},")));
            code.line("};");
            code.blank();
            let count = names.len();
            code.line(&format!("static const struct carnet_module {name}_module = {{"));
            code.line(&format!("    \"{name}\", {name}_interfaces, {count}"));
            code.line("};");
            code.blank();
        }
    }

    /// Those that C can write: integers and booleans.
    fn constants(&self, code: &mut Lines) {
        let integers = self.module.constants.iter().filter_map(|new| match (&new.ty, &new.value) {
            (Type::Bool | Type::Int { .. }, Value::Word(word)) => Some((new, word.cast_signed())),
            _ => None,
        });
        for (new, value) in integers {
            code.comment(&new.doc);
            // The smallest number has no literal: its digits alone are one too large.
            let value = if value == i64::MIN { "INT64_MIN".to_owned() } else { format!("INT64_C({value})") };
            code.line(&format!("#define {} (({}){value})", self.name(&new.name), self.ty(&new.ty)));
        }
        code.blank();
    }

    fn interface(&self, interface: &Interface, code: &mut Lines) {
        let name = self.name(&interface.name);
        let count = interface.operations.len();
        if count > 0 {
            code.line(&format!("static const uint64_t {name}_operations[] = {{"));
            for operation in &interface.operations {
                code.line(&format!("    0x{:016x}, /* {} */", operation.hash.0, operation.name));
            }
            code.line("};");
        }
        let operations = if count > 0 { format!("{name}_operations") } else { "NULL".to_owned() };
        code.line(&format!("static const struct carnet_interface {name}_interface = {{"));
        let hash = interface.hash.0;
        code.line(&format!("    \"{}\", 0x{hash:016x}, {operations}, {count}", interface.name));
        code.line("};");
        code.blank();
    }

    /// What lists that come back hold, each type once.
    fn elements(&self) -> Vec<&'a Type> {
        let mut found: Vec<&'a Type> = vec![];
        let operations = self.module.interfaces.iter().flat_map(|interface| &interface.operations);
        for operation in operations {
            for ty in operation.params.iter().map(|param| &param.ty).chain(&operation.result) {
                if let Type::List { of, .. } = ty
                    && !found.contains(&&**of)
                {
                    found.push(of);
                }
            }
        }
        found
    }

    /// `files_Entry_at`: an element of a list.
    fn element(&self, of: &'a Type, code: &mut Lines) {
        let slot = Slot { mode: Mode::Out, ty: of, name: "found".to_owned(), first: 0 };
        let access = super::shape::Access::Pointer;
        let leaves = self.leaves(&slot, access, 0);
        let name = self.element_name(of);
        code.line("/* Fetches an element of a list; false if there is none, or it breaks a bound. */");
        code.line(&format!(
            "static inline bool {name}_at(const struct carnet_list *list, size_t index, {} *found)",
            self.ty(of)
        ));
        code.line("{");
        code.open(&format!("    size_t first = index * {};", leaves.len()));
        code.when("index >= list->count", &["return false;"]);
        for leaf in &leaves {
            self.element_leaf(leaf, code);
        }
        code.line("return true;");
        code.close("}");
        code.blank();
    }

    fn element_leaf(&self, leaf: &Leaf<'_>, code: &mut Lines) {
        let fetch = format!("carnet_list_word(list, first + {})", leaf.word);
        let place = format!("&{}", leaf.expr.trim_start_matches('*'));
        let place = leaf.expr.strip_prefix('*').map_or(place, str::to_owned);
        match leaf.ty {
            Type::String { max } => {
                code.when(&format!("!carnet_list_string(list, {fetch}, {max}, {place})"), &["return false;"]);
            }
            Type::Bytes { max } => {
                code.when(&format!("!carnet_list_bytes(list, {fetch}, {max}, {place})"), &["return false;"]);
            }
            ty => match self.no_scalar(ty, &format!("word{}", leaf.word)) {
                None => code.line(&format!("{} = {};", leaf.expr, self.to_scalar(ty, &fetch))),
                Some(wrong) => {
                    let word = format!("word{}", leaf.word);
                    code.line(&format!("uint64_t {word} = {fetch};"));
                    code.when(&wrong, &["return false;"]);
                    code.line(&format!("{} = {};", leaf.expr, self.to_scalar(ty, &word)));
                }
            },
        }
    }

    fn element_name(&self, of: &Type) -> String {
        let name = match of {
            Type::Struct(id) => flat(&self.module.structs[id.index()].name),
            Type::Enum(id) => flat(&self.module.enums[id.index()].name),
            Type::String { max } => format!("string{max}"),
            Type::Bytes { max } => format!("bytes{max}"),
            ty => self.ty(ty).trim_end_matches("_t").to_owned(),
        };
        format!("{}_{name}", self.module.name)
    }
}

fn bound(ty: &Type) -> String {
    match ty {
        Type::String { max } | Type::Bytes { max } => format!(" /* at most {max} bytes */"),
        _ => String::new(),
    }
}
