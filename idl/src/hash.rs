//! Layouts and stable hashes, computed from the rest of a module, never taken from anyone.
//!
//! A hash is the first 64 bits (big-endian) of the SHA-256 of a canonical text:
//!
//! ```text
//! enum       enum Kind{file,dir,symlink,other}
//! struct     struct Entry{name:string<255>,kind:enum Kind#<hash>,…}           (not in the descriptor)
//! union      union Shape(enum Kind#<hash>){0,1:size:f64;default:name:string<8>}   (not in the descriptor)
//! exception  exception Busy{until:i64}                                        (not in the descriptor)
//! operation  op reads files.Dir.open(in string<4096>)->portal files.File raises Error{enum Reason#<hash>,8192}
//!            op writes oneway log.Log.put(in string<80>)->void raises Busy#<hash>,Full#<hash>
//! interface  interface files.Dir{<hash of operation>,…}     interface a.Derived:a.Base{…}
//! ```
//!
//! An exception stands with kind and bound if it is the only one and plain (see [`crate::descriptor`]), else by hash. An
//! inherited operation has the hash that it has in its base. Names are those without their outermost module, except
//! for interfaces; so a definition has the same hash wherever it is used.
//!
//! Numbers are decimal, hashes 16 hexadecimal digits. Types: `bool`, `i64` or `u8` and the like, `enum N#h`,
//! `string<N>`, `bytes<N>`, `struct N#h`, `list<T,N>`, `portal M.I`, `char`, `f32`, `f64`, `union N#h`, `array<T,N>`.
//! Whether an operation reads or writes is part of
//! it: who approved a program that only reads must not run one that writes. Names of parameters, other
//! annotations and documentation are not: changing them breaks no caller.

use std::cell::LazyCell;

use sha2::{Digest, Sha256};

use crate::descriptor::{
    Effect, Exception, Field, InterfaceId, Layout, Mode, Module, OpHash, Operation, Struct, StructId, Type,
    TypeHash, Union, UnionId,
};
use crate::size::Sizes;

/// Fills in what follows from the rest: layouts, shapes and hashes. Ids must be valid, and sizes within their limits.
pub(crate) fn seal(module: &mut Module) {
    for new in &mut module.enums {
        let name = local(&new.name);
        new.hash = TypeHash(digest(&format!("enum {name}{{{}}}", new.values.join(","))));
    }
    let sizes = Sizes::of_module(module);
    for new in &mut module.unions {
        new.shape = sizes.union(&new.arms).1;
    }
    let sealed = Texts::new(module).interfaces(&LazyCell::new(|| sizes));
    for (interface, (hash, operations)) in module.interfaces.iter_mut().zip(sealed) {
        interface.hash = hash;
        for (operation, (hash, layout)) in interface.operations.iter_mut().zip(operations) {
            (operation.hash, operation.layout) = (hash, layout);
        }
    }
}

/// A name without the outermost module.
fn local(name: &str) -> &str {
    match name.strip_prefix("::") {
        Some(foreign) => foreign.split_once("::").map_or(foreign, |(_, name)| name),
        None => name,
    }
}

fn digest(text: &str) -> u64 {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Hash of an interface, hashes and layouts of its operations.
type Sealed = (TypeHash, Vec<(OpHash, Layout)>);

/// Canonical texts. Structs and unions stand by hash, so that a text stays short whatever they hold.
struct Texts<'a> {
    module: &'a Module,
    structs: Vec<u64>,
    unions: Vec<u64>,
    /// Parts of operations' texts.
    exceptions: Vec<String>,
}

impl<'a> Texts<'a> {
    fn new(module: &'a Module) -> Texts<'a> {
        let mut texts = Texts { module, structs: vec![], unions: vec![], exceptions: vec![] };
        let mut unions = module.unions.iter().peekable();
        for (index, new) in module.structs.iter().enumerate() {
            while let Some(union) = unions.next_if(|union| usize::from(union.structs_before) <= index) {
                texts.unions.push(digest(&texts.union(union)));
            }
            texts.structs.push(digest(&texts.structure(new)));
        }
        for union in unions {
            texts.unions.push(digest(&texts.union(union)));
        }
        texts.exceptions = module.exceptions.iter().map(|new| texts.exception(new)).collect();
        texts
    }

    fn structure(&self, new: &Struct) -> String {
        format!("struct {}{{{}}}", local(&new.name), self.fields(&new.fields))
    }

    fn fields(&self, fields: &[Field]) -> String {
        let texts: Vec<String> =
            fields.iter().map(|field| format!("{}:{}", field.name, self.ty(&field.ty))).collect();
        texts.join(",")
    }

    fn union(&self, new: &Union) -> String {
        let arm = |arm: &crate::descriptor::Arm| {
            let labels: Vec<String> = arm.labels.iter().map(i64::to_string).collect();
            let labels = if labels.is_empty() { "default".to_owned() } else { labels.join(",") };
            format!("{labels}:{}:{}", arm.name, self.ty(&arm.ty))
        };
        let arms: Vec<String> = new.arms.iter().map(arm).collect();
        format!("union {}({}){{{}}}", local(&new.name), self.ty(&new.switch), arms.join(";"))
    }

    fn exception(&self, new: &Exception) -> String {
        let name = local(&new.name);
        let text = format!("exception {name}{{{}}}", self.fields(&new.members));
        format!("{name}#{:016x}", digest(&text))
    }

    fn interfaces<F: FnOnce() -> Sizes>(&self, sizes: &LazyCell<Sizes, F>) -> Vec<Sealed> {
        let mut all: Vec<Sealed> = Vec::new();
        for (index, interface) in self.module.interfaces.iter().enumerate() {
            let name = self.interface(index);
            // A base stands before what inherits from it.
            let base = interface.base.and_then(|id| all.get(id.index()));
            let inherited = usize::from(interface.inherited);
            let mut operations: Vec<(OpHash, Layout)> = match base {
                Some((_, operations)) => operations.iter().take(inherited).cloned().collect(),
                None => vec![],
            };
            for operation in interface.operations.iter().skip(operations.len()) {
                let hash = OpHash(digest(&self.operation(&name, operation)));
                let layout = self.module.layout_by(sizes, &operation.params, operation.result.as_ref());
                operations.push((hash, layout));
            }
            let hashes: Vec<String> = operations.iter().map(|(hash, _)| format!("{:016x}", hash.0)).collect();
            let base = interface.base.map_or(String::new(), |id| format!(":{}", self.interface(id.index())));
            let text = format!("interface {name}{base}{{{}}}", hashes.join(","));
            all.push((TypeHash(digest(&text)), operations));
        }
        all
    }

    /// `files.Dir`.
    fn interface(&self, index: usize) -> String {
        let name = &self.module.interfaces[index].name;
        match name.strip_prefix("::").and_then(|foreign| foreign.split_once("::")) {
            Some((module, name)) => format!("{module}.{name}"),
            None => format!("{}.{name}", self.module.name),
        }
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
        let raises = self.raises(operation);
        let name = &operation.name;
        let effect = if operation.effect == Effect::Reads { "reads" } else { "writes" };
        let oneway = if operation.oneway { " oneway" } else { "" };
        format!("op {effect}{oneway} {interface}.{name}({})->{result}{raises}", params.join(","))
    }

    fn raises(&self, operation: &Operation) -> String {
        if let Some((kind, message_max)) = self.module.plain_exception(operation) {
            let name = local(&self.module.exceptions[operation.raises[0].index()].name);
            return format!(" raises {name}{{{},{message_max}}}", self.ty(&Type::Enum(kind)));
        }
        let names: Vec<&str> =
            operation.raises.iter().map(|id| self.exceptions[id.index()].as_str()).collect();
        if names.is_empty() { String::new() } else { format!(" raises {}", names.join(",")) }
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Char => "char".to_owned(),
            Type::Float { bits } => format!("f{bits}"),
            Type::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
            Type::Enum(id) => {
                let named = &self.module.enums[id.index()];
                format!("enum {}#{:016x}", local(&named.name), named.hash.0)
            }
            Type::String { max } => format!("string<{max}>"),
            Type::Bytes { max } => format!("bytes<{max}>"),
            Type::Struct(StructId(id)) => {
                let name = local(&self.module.structs[usize::from(*id)].name);
                format!("struct {name}#{:016x}", self.structs[usize::from(*id)])
            }
            Type::Union(UnionId(id)) => {
                let name = local(&self.module.unions[usize::from(*id)].name);
                format!("union {name}#{:016x}", self.unions[usize::from(*id)])
            }
            Type::Array { of, len } => format!("array<{},{len}>", self.ty(of)),
            Type::List { of, max } => format!("list<{},{max}>", self.ty(of)),
            Type::Portal(InterfaceId(id)) => format!("portal {}", self.interface(usize::from(*id))),
        }
    }
}
