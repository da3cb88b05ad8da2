//! Constants.

use super::names::variants;
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::backend::Scope;
use crate::descriptor::{Constant, Type, Value};

impl Rust<'_> {
    pub(super) fn constants(&self, code: &mut Lines) {
        let mut taken = Scope::with(&["DESCRIPTOR", "MODULE"]);
        for new in &self.module.constants {
            let name = taken.take(&new.name.replace("::", "_").to_ascii_uppercase());
            code.doc(&new.doc, &format!("The constant `{}`.", new.name));
            code.line(ALLOW);
            code.line(&format!("pub const {name}: {} = {};", self.constant_type(&new.ty), self.value(new)));
            code.blank();
        }
    }

    fn constant_type(&self, ty: &Type) -> String {
        if matches!(ty, Type::String { .. }) { "&str".to_owned() } else { self.owned(ty) }
    }

    fn value(&self, new: &Constant) -> String {
        let word = match &new.value {
            Value::Text(text) => return format!("{text:?}"),
            Value::Word(word) => *word,
        };
        match &new.ty {
            Type::Bool => (word == 1).to_string(),
            Type::Char => format!("b'{}'", std::ascii::escape_default(word.to_le_bytes()[0])),
            Type::Float { bits: 32 } => format!("{:?}", f32::from_bits(u32::try_from(word).unwrap_or(0))),
            Type::Float { .. } => format!("{:?}", f64::from_bits(word)),
            Type::Enum(id) => {
                let variants = variants(&self.module.enums[id.index()].values);
                let variant = usize::try_from(word).ok().and_then(|at| variants.get(at));
                format!("{}::{}", self.names.enums[id.index()], variant.map_or("", String::as_str))
            }
            Type::Int { bits: 64, signed: false } => word.to_string(),
            _ => word.cast_signed().to_string(),
        }
    }
}
