//! The class of constants.

use super::Java;
use super::names::upper;
use crate::backend::Scope;
use crate::descriptor::{Constant, Type, Value};

impl Java<'_> {
    /// A class with all constants; none if there are none.
    pub(super) fn constants(&self) -> Option<(String, String)> {
        if self.module.constants.is_empty() {
            return None;
        }
        let class = &self.names.constants;
        let (mut file, mut taken) = (self.file(class, &[]), Scope::default());
        file.doc("", &format!("The constants of the interface {{@code {}}}.", self.module.name), &[]);
        file.open(&format!("public final class {} {{", class.name));
        file.line(&format!("private {}() {{}}", class.name));
        for new in &self.module.constants {
            let name = taken.take(&upper(&new.name));
            file.blank();
            file.doc(&new.doc, &format!("The constant {{@code {}}}{}.", new.name, unsigned(new)), &[]);
            let (ty, value) = (self.ty(&mut file, &new.ty), self.value(&mut file, &new.ty, &new.value));
            file.line(&format!("public static final {ty} {name} = {value};"));
        }
        file.close("}");
        Some(file.finish())
    }
}

/// What a constant is that Java has no number for.
fn unsigned(new: &Constant) -> String {
    match (&new.ty, &new.value) {
        (Type::Int { bits: 64, signed: false }, Value::Word(word)) if *word > i64::MAX.cast_unsigned() => {
            format!(", {word} without a sign")
        }
        _ => String::new(),
    }
}
