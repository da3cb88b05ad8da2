//! One descriptor for each module: what stands in it, and what it uses of other modules.
//!
//! ```text
//! all of the files                     module `b`
//! a::Kind  a::Point  a::Dir  b::X  →   ::a::Kind  X          (what X uses, and what that uses)
//! ```
//!
//! The order stays, so that structs still refer to earlier ones only and bases stand first; ids are given anew.

use crate::descriptor::*;

/// A module with nothing in it.
pub(super) fn empty(name: String) -> Module {
    Module {
        name,
        version: String::new(),
        doc: String::new(),
        unknown: String::new(),
        constants: vec![],
        enums: vec![],
        structs: vec![],
        unions: vec![],
        exceptions: vec![],
        interfaces: vec![],
    }
}

/// The descriptors of the modules whose names and documentation are `heads`, out of `all`.
pub(super) fn project(all: &Module, heads: Vec<Module>) -> Vec<Module> {
    let sealed = heads.into_iter().map(|head| {
        let mut module = Projection::new(all, &head.name).into_module(head);
        crate::hash::seal(&mut module);
        module
    });
    sealed.collect()
}

/// What is taken: for each table, whether the entry is.
struct Projection<'a> {
    all: &'a Module,
    prefix: String,
    constants: Vec<bool>,
    enums: Vec<bool>,
    structs: Vec<bool>,
    unions: Vec<bool>,
    exceptions: Vec<bool>,
    interfaces: Vec<bool>,
}

impl<'a> Projection<'a> {
    fn new(all: &'a Module, name: &str) -> Projection<'a> {
        let prefix = format!("{name}::");
        let own = |name: &String| name.starts_with(&prefix);
        let mut new = Projection {
            all,
            constants: all.constants.iter().map(|new| own(&new.name)).collect(),
            enums: all.enums.iter().map(|new| own(&new.name)).collect(),
            structs: vec![false; all.structs.len()],
            unions: vec![false; all.unions.len()],
            exceptions: vec![false; all.exceptions.len()],
            interfaces: vec![false; all.interfaces.len()],
            prefix: prefix.clone(),
        };
        for constant in all.constants.iter().filter(|constant| own(&constant.name)) {
            new.take(&constant.ty);
        }
        for (index, _) in all.structs.iter().enumerate().filter(|(_, new)| own(&new.name)) {
            new.take(&Type::Struct(StructId(id(index))));
        }
        for (index, _) in all.unions.iter().enumerate().filter(|(_, new)| own(&new.name)) {
            new.take(&Type::Union(UnionId(id(index))));
        }
        for (index, _) in all.exceptions.iter().enumerate().filter(|(_, new)| own(&new.name)) {
            new.take_exception(index);
        }
        for (index, _) in all.interfaces.iter().enumerate().filter(|(_, new)| own(&new.name)) {
            new.take_interface(index);
        }
        new
    }

    fn take(&mut self, ty: &Type) {
        let all = self.all;
        match ty {
            Type::Enum(id) => self.enums[id.index()] = true,
            Type::Struct(id) => {
                if !std::mem::replace(&mut self.structs[id.index()], true) {
                    all.structs[id.index()].fields.iter().for_each(|field| self.take(&field.ty));
                }
            }
            Type::Union(id) => {
                if !std::mem::replace(&mut self.unions[id.index()], true) {
                    self.take(&all.unions[id.index()].switch);
                    all.unions[id.index()].arms.iter().for_each(|arm| self.take(&arm.ty));
                }
            }
            Type::Array { of, .. } | Type::List { of, .. } => self.take(of),
            Type::Portal(id) => self.take_interface(id.index()),
            Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } => {}
            Type::String { .. } | Type::Bytes { .. } => {}
        }
    }

    fn take_exception(&mut self, index: usize) {
        if !std::mem::replace(&mut self.exceptions[index], true) {
            self.all.exceptions[index].members.iter().for_each(|member| self.take(&member.ty));
        }
    }

    /// Interfaces can refer to each other without end, so those that are found wait in a list.
    fn take_interface(&mut self, index: usize) {
        let mut open = vec![index];
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut self.interfaces[index], true) {
                continue;
            }
            let interface = &self.all.interfaces[index];
            open.extend(interface.base.map(InterfaceId::index));
            for operation in &interface.operations {
                operation.raises.iter().for_each(|id| self.take_exception(id.index()));
                for ty in operation.params.iter().map(|param| &param.ty).chain(&operation.result) {
                    self.take_or_wait(ty, &mut open);
                }
            }
        }
    }

    fn take_or_wait(&mut self, ty: &Type, open: &mut Vec<usize>) {
        match ty {
            Type::Portal(id) => open.push(id.index()),
            Type::Array { of, .. } | Type::List { of, .. } => self.take_or_wait(of, open),
            Type::Struct(id) if !self.structs[id.index()] => {
                self.structs[id.index()] = true;
                let all = self.all;
                all.structs[id.index()].fields.iter().for_each(|field| self.take_or_wait(&field.ty, open));
            }
            ty => self.take(ty),
        }
    }

    fn into_module(self, mut module: Module) -> Module {
        let ids = Ids {
            enums: numbers(&self.enums),
            structs: numbers(&self.structs),
            unions: numbers(&self.unions),
            exceptions: numbers(&self.exceptions),
            interfaces: numbers(&self.interfaces),
        };
        let all = self.all;
        let name = |name: &String| self.name(name);
        module.constants = chosen(&all.constants, &self.constants)
            .map(|new| Constant { name: name(&new.name), ty: ids.ty(&new.ty), ..new.clone() })
            .collect();
        module.enums = chosen(&all.enums, &self.enums)
            .map(|new| Enum { name: name(&new.name), ..new.clone() })
            .collect();
        module.structs = chosen(&all.structs, &self.structs)
            .map(|new| Struct {
                name: name(&new.name),
                doc: new.doc.clone(),
                fields: ids.fields(&new.fields),
            })
            .collect();
        module.unions = chosen(&all.unions, &self.unions)
            .map(|new| Union { name: name(&new.name), ..ids.union(new, &self.structs) })
            .collect();
        module.exceptions = chosen(&all.exceptions, &self.exceptions)
            .map(|new| Exception {
                name: name(&new.name),
                doc: new.doc.clone(),
                members: ids.fields(&new.members),
            })
            .collect();
        module.interfaces = chosen(&all.interfaces, &self.interfaces)
            .map(|new| Interface { name: name(&new.name), ..ids.interface(new) })
            .collect();
        module
    }

    /// `m::Dir` as `Dir`, that of another module as `::other::Dir`.
    fn name(&self, full: &str) -> String {
        full.strip_prefix(&self.prefix).map_or_else(|| format!("::{full}"), str::to_owned)
    }
}

fn id(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

/// The new number of each entry that is taken.
fn numbers(taken: &[bool]) -> Vec<u16> {
    let next = taken.iter().scan(0_u16, |next, taken| {
        let number = *next;
        *next += u16::from(*taken);
        Some(number)
    });
    next.collect()
}

fn chosen<'a, T>(all: &'a [T], taken: &'a [bool]) -> impl Iterator<Item = &'a T> {
    all.iter().zip(taken).filter(|(_, taken)| **taken).map(|(item, _)| item)
}

/// New ids by old ones.
struct Ids {
    enums: Vec<u16>,
    structs: Vec<u16>,
    unions: Vec<u16>,
    exceptions: Vec<u16>,
    interfaces: Vec<u16>,
}

impl Ids {
    fn ty(&self, ty: &Type) -> Type {
        match ty {
            Type::Enum(id) => Type::Enum(EnumId(self.enums[id.index()])),
            Type::Struct(id) => Type::Struct(StructId(self.structs[id.index()])),
            Type::Union(id) => Type::Union(UnionId(self.unions[id.index()])),
            Type::Array { of, len } => Type::Array { of: Box::new(self.ty(of)), len: *len },
            Type::List { of, max } => Type::List { of: Box::new(self.ty(of)), max: *max },
            Type::Portal(id) => Type::Portal(self.interface_id(*id)),
            Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } => ty.clone(),
            Type::String { .. } | Type::Bytes { .. } => ty.clone(),
        }
    }

    fn interface_id(&self, id: InterfaceId) -> InterfaceId {
        InterfaceId(self.interfaces[id.index()])
    }

    fn fields(&self, fields: &[Field]) -> Vec<Field> {
        fields.iter().map(|field| Field { name: field.name.clone(), ty: self.ty(&field.ty) }).collect()
    }

    fn union(&self, new: &Union, structs: &[bool]) -> Union {
        let arm = |arm: &Arm| Arm { ty: self.ty(&arm.ty), ..arm.clone() };
        let before = structs.iter().take(usize::from(new.structs_before)).filter(|taken| **taken).count();
        Union {
            switch: self.ty(&new.switch),
            arms: new.arms.iter().map(arm).collect(),
            structs_before: id(before),
            ..new.clone()
        }
    }

    fn interface(&self, new: &Interface) -> Interface {
        let operation = |operation: &Operation| Operation {
            params: operation
                .params
                .iter()
                .map(|param| Param { ty: self.ty(&param.ty), ..param.clone() })
                .collect(),
            result: operation.result.as_ref().map(|ty| self.ty(ty)),
            raises: operation.raises.iter().map(|id| ExceptionId(self.exceptions[id.index()])).collect(),
            ..operation.clone()
        };
        Interface {
            base: new.base.map(|id| self.interface_id(id)),
            operations: new.operations.iter().map(operation).collect(),
            ..new.clone()
        }
    }
}
