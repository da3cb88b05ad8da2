//! Java types, literals, and checks of values.
//!
//! Unsigned numbers take the next larger type, so that each value is what it looks like; those of 64 bits have no
//! upper half anyway (see [`Type::Int`]). Arrays and sequences of octets are `carnet.Bytes`, all others lists.

use super::Java;
use super::code::{File, letter, literal};
use super::names::{Class, upper};
use crate::descriptor::{Type, Value};
use crate::show;

impl Java<'_> {
    /// The Java type.
    pub(super) fn ty(&self, file: &mut File<'_>, ty: &Type) -> String {
        match ty {
            Type::Bool => "boolean".to_owned(),
            Type::Char => "char".to_owned(),
            Type::Float { bits: 32 } => "float".to_owned(),
            Type::Float { .. } => "double".to_owned(),
            Type::Int { bits, signed } => integer(*bits, *signed).to_owned(),
            Type::String { .. } => file.imported("java.lang.String"),
            Type::Bytes { .. } => file.imported("carnet.Bytes"),
            Type::Array { .. } if ty.octets().is_some() => file.imported("carnet.Bytes"),
            Type::List { of, .. } | Type::Array { of, .. } => {
                let of = self.boxed(file, of);
                format!("{}<{of}>", file.imported("java.util.List"))
            }
            named => self.class(named).map(|class| file.named(class)).unwrap_or_default(),
        }
    }

    /// The class of a type that has a name.
    fn class(&self, ty: &Type) -> Option<&Class> {
        match ty {
            Type::Enum(id) => self.names.enums.get(id.index()),
            Type::Struct(id) => self.names.structs.get(id.index()),
            Type::Union(id) => self.names.unions.get(id.index()),
            Type::Portal(id) => self.names.interfaces.get(id.index()),
            _ => None,
        }
    }

    /// The Java type as an element of a list.
    fn boxed(&self, file: &mut File<'_>, ty: &Type) -> String {
        let full = match ty {
            Type::Bool => "java.lang.Boolean",
            Type::Char => "java.lang.Character",
            Type::Float { bits: 32 } => "java.lang.Float",
            Type::Float { .. } => "java.lang.Double",
            Type::Int { bits, signed } => integer_class(*bits, *signed),
            ty => return self.ty(file, ty),
        };
        file.imported(full)
    }

    /// A statement that checks the variable `name`, and for lists makes them unchangeable.
    pub(super) fn check(&self, file: &mut File<'_>, name: &str, ty: &Type) -> Option<String> {
        let check = self.checked(file, name, name, ty, 1)?;
        let is_list = matches!(ty, Type::List { .. } | Type::Array { .. }) && ty.octets().is_none();
        Some(if is_list { format!("{name} = {check};") } else { format!("{check};") })
    }

    /// `value` as an expression that is checked; nothing if all values are right.
    pub(super) fn checked(
        &self,
        file: &mut File<'_>,
        name: &str,
        value: &str,
        ty: &Type,
        depth: usize,
    ) -> Option<String> {
        let function = match ty {
            Type::Bool | Type::Float { .. } | Type::Int { signed: true, .. } => return None,
            Type::Int { bits, .. } => format!("uint{bits}"),
            Type::Char => "character".to_owned(),
            Type::String { .. } => "string".to_owned(),
            Type::Bytes { .. } => "bytes".to_owned(),
            Type::Array { .. } if ty.octets().is_some() => "octets".to_owned(),
            Type::Array { of, len: count } | Type::List { of, max: count } => {
                let function = if matches!(ty, Type::Array { .. }) { "array" } else { "list" };
                let check = self.each(file, name, of, depth);
                let bounds = file.imported("carnet.Bounds");
                return Some(format!("{bounds}.{function}(\"{name}\", {value}, {count}{check})"));
            }
            Type::Enum(_) | Type::Struct(_) | Type::Union(_) | Type::Portal(_) => "present".to_owned(),
        };
        let bound = match ty {
            Type::String { max } | Type::Bytes { max } => Some(*max),
            _ => ty.octets(),
        };
        let bound = bound.map_or(String::new(), |bound| format!(", {bound}"));
        Some(format!("{}.{function}(\"{name}\", {value}{bound})", file.imported("carnet.Bounds")))
    }

    /// A function that checks an element of a list, as another argument; nothing if all are right.
    fn each(&self, file: &mut File<'_>, name: &str, of: &Type, depth: usize) -> String {
        // No list that is checked has an element that is null.
        if self.class(of).is_some() {
            return String::new();
        }
        // A variable may not hide another of the same method.
        let each = if depth == 1 { "each".to_owned() } else { format!("each{depth}") };
        let check = self.checked(file, name, &each, of, depth + 1);
        check.map_or(String::new(), |check| format!(", {each} -> {check}"))
    }

    /// A constant or label of a scalar type.
    pub(super) fn value(&self, file: &mut File<'_>, ty: &Type, value: &Value) -> String {
        let word = match value {
            Value::Text(text) => return literal(text),
            Value::Word(word) => *word,
        };
        match ty {
            Type::Bool => (word == 1).to_string(),
            Type::Char => format!("'{}'", letter(u16::from(word.to_le_bytes()[0]), '\'')),
            Type::Float { bits: 32 } => float(f32::from_bits(u32::try_from(word).unwrap_or(0))),
            Type::Float { .. } => double(f64::from_bits(word)),
            Type::Enum(id) => {
                let values = &self.module.enums[id.index()].values;
                let name = usize::try_from(word).ok().and_then(|at| values.get(at));
                let class = file.named(&self.names.enums[id.index()]);
                format!("{class}.{}", name.map_or(String::new(), |name| upper(name)))
            }
            Type::Int { bits, signed } => {
                let suffix = if integer(*bits, *signed) == "long" { "L" } else { "" };
                format!("{}{suffix}", word.cast_signed())
            }
            _ => word.to_string(),
        }
    }

    /// A label where its type cannot be seen from what is around it.
    pub(super) fn label(&self, file: &mut File<'_>, ty: &Type, label: i64) -> String {
        let value = self.value(file, ty, &Value::Word(label.cast_unsigned()));
        match ty {
            Type::Int { bits, signed: true } if *bits < 32 => {
                format!("({}) {value}", integer(*bits, true))
            }
            _ => value,
        }
    }

    /// The type as in an interface file, and what that asks of values: for documentation comments.
    pub(super) fn words(&self, ty: &Type) -> String {
        let asked = match ty {
            Type::Bool | Type::Float { .. } | Type::Int { signed: true, .. } => String::new(),
            Type::Enum(_) | Type::Struct(_) | Type::Union(_) | Type::Portal(_) => String::new(),
            Type::Char => ": one byte, 0 to 255".to_owned(),
            Type::Int { bits: 64, .. } => ": not negative".to_owned(),
            Type::Int { bits, .. } => format!(": 0 to {}", (1_u64 << bits) - 1),
            Type::String { max } => format!(": at most {max} bytes as UTF-8, none of them NUL"),
            Type::Bytes { max } => format!(": at most {max} bytes"),
            Type::List { max, .. } => format!(": at most {max} elements"),
            Type::Array { len, .. } if ty.octets().is_some() => format!(": {len} bytes"),
            Type::Array { len, .. } => format!(": {len} elements"),
        };
        format!("{{@code {}}}{asked}", show::ty(self.module, ty))
    }
}

/// The type that holds all values.
fn integer(bits: u8, signed: bool) -> &'static str {
    match (bits, signed) {
        (8, true) => "byte",
        (16, true) => "short",
        (8 | 16, false) | (32, true) => "int",
        _ => "long",
    }
}

/// Its class.
fn integer_class(bits: u8, signed: bool) -> &'static str {
    match integer(bits, signed) {
        "byte" => "java.lang.Byte",
        "short" => "java.lang.Short",
        "int" => "java.lang.Integer",
        _ => "java.lang.Long",
    }
}

fn float(value: f32) -> String {
    if value.is_finite() {
        format!("{value:?}f")
    } else {
        format!("java.lang.Float.intBitsToFloat({})", value.to_bits().cast_signed())
    }
}

fn double(value: f64) -> String {
    if value.is_finite() {
        format!("{value:?}")
    } else {
        format!("java.lang.Double.longBitsToDouble({}L)", value.to_bits().cast_signed())
    }
}
