//! Where the fields of a message lie: the words of its block, by name.

use carnet_idl::descriptor::{Mode, Module, Operation, Type};

/// A parameter or result of an operation, or a field of one that is a struct.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// `name`, or `name.field`.
    pub(super) name: String,
    /// Its type.
    pub(super) ty: Type,
    /// First word, from the beginning of the block.
    pub(super) at: u16,
    /// Words.
    pub(super) words: u16,
    /// Whether it is the service's to fill, and nobody else's.
    pub(super) is_reply: bool,
}

/// All fields of a message, structs before their fields. What the operation returns is called `value`, or `result` if a
/// parameter is called so.
pub(super) fn leaves(module: &Module, operation: &Operation) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut put =
        |name: &str, ty: &Type, is_reply: bool| one(module, name, ty, is_reply, &mut at, &mut found);
    let of = |mode: Mode| operation.params.iter().filter(move |param| param.mode == mode);
    of(Mode::In).for_each(|param| put(&param.name, &param.ty, false));
    of(Mode::InOut).for_each(|param| put(&param.name, &param.ty, false));
    if let Some(result) = &operation.result {
        let taken = operation.params.iter().any(|param| param.name == "value");
        put(if taken { "result" } else { "value" }, result, true);
    }
    of(Mode::Out).for_each(|param| put(&param.name, &param.ty, true));
    found
}

fn one(module: &Module, name: &str, ty: &Type, is_reply: bool, at: &mut u16, found: &mut Vec<Leaf>) {
    let place = found.len();
    let first = *at;
    found.push(Leaf { name: name.to_owned(), ty: ty.clone(), at: first, words: 1, is_reply });
    match ty {
        Type::Struct(id) => {
            for field in &module.structs[id.index()].fields {
                one(module, &format!("{name}.{}", field.name), &field.ty, is_reply, at, found);
            }
        }
        Type::Array { of, len } if ty.octets().is_none() => {
            for k in 0..*len {
                one(module, &format!("{name}[{k}]"), of, is_reply, at, found);
            }
        }
        _ => *at += 1,
    }
    found[place].words = *at - first;
}
