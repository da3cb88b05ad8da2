//! Types and operations as interface files write them, for documentation and for what changed.

use crate::descriptor::*;

/// A type.
pub(crate) fn ty(module: &Module, of: &Type) -> String {
    match of {
        Type::Bool => "boolean".to_owned(),
        Type::Char => "char".to_owned(),
        Type::Float { bits: 32 } => "float".to_owned(),
        Type::Float { .. } => "double".to_owned(),
        Type::Int { bits: 8, signed: true } => "int8".to_owned(),
        Type::Int { bits: 8, .. } => "octet".to_owned(),
        Type::Int { bits, signed } => {
            let name = match bits {
                16 => "short",
                32 => "long",
                _ => "long long",
            };
            format!("{}{name}", if *signed { "" } else { "unsigned " })
        }
        Type::Enum(id) => module.enums[id.index()].name.clone(),
        Type::Struct(id) => module.structs[id.index()].name.clone(),
        Type::Union(id) => module.unions[id.index()].name.clone(),
        Type::Portal(id) => module.interfaces[id.index()].name.clone(),
        Type::String { max } => format!("string<{max}>"),
        Type::Bytes { max } => format!("sequence<octet, {max}>"),
        Type::List { of, max } => format!("sequence<{}, {max}>", ty(module, of)),
        Type::Array { of, len } => {
            // The outer dimension stands first: that of what the array holds comes behind it.
            let inner = ty(module, of);
            let (name, dimensions) =
                inner.split_once('[').map_or((inner.as_str(), ""), |(name, rest)| (name, rest));
            let rest = if dimensions.is_empty() { String::new() } else { format!("[{dimensions}") };
            format!("{name}[{len}]{rest}")
        }
    }
}

/// `in long a`.
pub(crate) fn param(module: &Module, param: &Param) -> String {
    let mode = match param.mode {
        Mode::In => "in",
        Mode::InOut => "inout",
        Mode::Out => "out",
    };
    format!("{mode} {} {}", ty(module, &param.ty), param.name)
}

/// The name of an operation as it was written: `attribute x` for the operations that it became.
pub(crate) fn name(operation: &Operation) -> String {
    let attribute = |prefix: &str, what: &str| {
        operation.name.strip_prefix(prefix).map(|name| format!("attribute {name} ({what})"))
    };
    attribute("_get_", "reading")
        .or_else(|| attribute("_set_", "writing"))
        .unwrap_or_else(|| operation.name.clone())
}

/// `Dir open(in string<255> path) raises (Error)`.
pub(crate) fn signature(module: &Module, operation: &Operation) -> String {
    let result = operation.result.as_ref().map_or("void".to_owned(), |of| ty(module, of));
    let params: Vec<String> = operation.params.iter().map(|new| param(module, new)).collect();
    let raised: Vec<&str> =
        operation.raises.iter().map(|id| module.exceptions[id.index()].name.as_str()).collect();
    let raises = if raised.is_empty() { String::new() } else { format!(" raises ({})", raised.join(", ")) };
    let oneway = if operation.oneway { "oneway " } else { "" };
    format!("{oneway}{result} {}({}){raises}", operation.name, params.join(", "))
}
