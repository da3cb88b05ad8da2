//! Layouts and stable hashes, computed from the rest of a module, never taken from anyone.
//!
//! A hash is the first 64 bits (big-endian) of the SHA-256 of a canonical text:
//!
//! ```text
//! enum       enum Kind{file,dir,symlink,other}
//! struct     struct Entry{name:string<255>,kind:enum Kind#<hash>,…}           (not in the descriptor)
//! operation  op reads files.Dir.open(in string<4096>)->portal files.File raises Error{enum Reason#<hash>,8192}
//! interface  interface files.Dir{<hash of operation>,…}
//! ```
//!
//! Numbers are decimal, hashes 16 hexadecimal digits. Types: `bool`, `i64` or `u8` and the like, `enum N#h`,
//! `string<N>`, `bytes<N>`, `struct N#h`, `list<T,N>`, `portal M.I`. Whether an operation reads or writes is part of
//! it: who approved a program that only reads must not run one that writes. Names of parameters, other
//! annotations and documentation are not: changing them breaks no caller.

use sha2::{Digest, Sha256};

use crate::descriptor::{Effect, Mode, Module, OpHash, Operation, Struct, Type, TypeHash};

/// Fills in what follows from the rest: layouts and hashes. Ids must be valid.
pub(crate) fn seal(module: &mut Module) {
    for new in &mut module.enums {
        new.hash = TypeHash(digest(&format!("enum {}{{{}}}", new.name, new.values.join(","))));
    }
    let texts = Texts::new(module);
    let mut sealed = Vec::new();
    for interface in &module.interfaces {
        for operation in &interface.operations {
            let hash = OpHash(digest(&texts.operation(&interface.name, operation)));
            sealed.push((hash, module.layout(&operation.params, operation.result.as_ref())));
        }
    }
    let mut sealed = sealed.into_iter();
    for interface in &mut module.interfaces {
        for (operation, (hash, layout)) in interface.operations.iter_mut().zip(&mut sealed) {
            (operation.hash, operation.layout) = (hash, layout);
        }
        let hashes: Vec<String> =
            interface.operations.iter().map(|operation| format!("{:016x}", operation.hash.0)).collect();
        let text = format!("interface {}.{}{{{}}}", module.name, interface.name, hashes.join(","));
        interface.hash = TypeHash(digest(&text));
    }
}

fn digest(text: &str) -> u64 {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Canonical texts. Structs stand by hash, so that a text stays short whatever a struct holds.
struct Texts<'a> {
    module: &'a Module,
    structs: Vec<u64>,
}

impl<'a> Texts<'a> {
    fn new(module: &'a Module) -> Texts<'a> {
        let mut texts = Texts { module, structs: vec![] };
        for new in &module.structs {
            let text = texts.structure(new);
            texts.structs.push(digest(&text));
        }
        texts
    }

    fn structure(&self, new: &Struct) -> String {
        let fields: Vec<String> =
            new.fields.iter().map(|field| format!("{}:{}", field.name, self.ty(&field.ty))).collect();
        format!("struct {}{{{}}}", new.name, fields.join(","))
    }

    fn operation(&self, interface: &str, operation: &Operation) -> String {
        let params: Vec<String> = operation
            .params
            .iter()
            .map(|param| {
                let mode = match param.mode {
                    Mode::In => "in",
                    Mode::InOut => "inout",
                    Mode::Out => "out",
                };
                format!("{mode} {}", self.ty(&param.ty))
            })
            .collect();
        let result = operation.result.as_ref().map_or("void".to_owned(), |ty| self.ty(ty));
        let raises = operation.raises.map_or(String::new(), |id| {
            let raised = &self.module.exceptions[id.index()];
            let kind = self.ty(&Type::Enum(raised.kind));
            format!(" raises {}{{{kind},{}}}", raised.name, raised.message_max)
        });
        let (module, name) = (&self.module.name, &operation.name);
        let effect = if operation.effect == Effect::Reads { "reads" } else { "writes" };
        format!("op {effect} {module}.{interface}.{name}({})->{result}{raises}", params.join(","))
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
            Type::Enum(id) => {
                let named = &self.module.enums[id.index()];
                format!("enum {}#{:016x}", named.name, named.hash.0)
            }
            Type::String { max } => format!("string<{max}>"),
            Type::Bytes { max } => format!("bytes<{max}>"),
            Type::Struct(id) => {
                let name = &self.module.structs[id.index()].name;
                format!("struct {name}#{:016x}", self.structs[id.index()])
            }
            Type::List { of, max } => format!("list<{},{max}>", self.ty(of)),
            Type::Portal(id) => {
                format!("portal {}.{}", self.module.name, self.module.interfaces[id.index()].name)
            }
        }
    }
}
