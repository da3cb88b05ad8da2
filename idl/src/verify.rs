//! The rules of the language, for modules that come from a peer and not from the compiler.
//!
//! `check` has the same rules with places and hints; a test makes sure that what it lets through passes
//! here. Nothing is flattened or indexed before this has run.

use std::collections::HashSet;

use crate::descriptor::*;
use crate::limits;
use crate::size::Sizes;

type Verdict = Result<(), String>;

/// Whether `module` keeps all rules. Its layouts and hashes are not looked at.
pub(crate) fn verify(module: &Module) -> Verdict {
    let mut verifier = Verifier { module, sizes: Sizes::default() };
    let definitions = module.enums.iter().map(|new| &new.name);
    let definitions = definitions.chain(module.structs.iter().map(|new| &new.name));
    let definitions = definitions.chain(module.exceptions.iter().map(|new| &new.name));
    let definitions = definitions.chain(module.interfaces.iter().map(|new| &new.name));
    names(definitions, "the module")?;
    names([&module.name].into_iter(), "the module")?;
    for new in &module.enums {
        names(new.values.iter(), &new.name)?;
        rule(!new.values.is_empty(), &new.name, "an enum is empty")?;
    }
    for new in &module.structs {
        verifier.structure(new)?;
    }
    for new in &module.exceptions {
        rule(new.kind.index() < module.enums.len(), &new.name, "there is no such enum")?;
        rule((1..=limits::BYTES_MAX).contains(&new.message_max), &new.name, "a bound is out of range")?;
    }
    for new in &module.interfaces {
        names(new.operations.iter().map(|operation| &operation.name), &new.name)?;
    }
    for (index, new) in module.interfaces.iter().enumerate() {
        verifier.interface(index, new)?;
    }
    Ok(())
}

fn rule(holds: bool, place: &str, text: &str) -> Verdict {
    if holds { Ok(()) } else { Err(format!("{place}: {text}")) }
}

/// Names are letters, digits and `_`, and differ by more than the case of letters.
fn names<'a>(names: impl Iterator<Item = &'a String>, place: &str) -> Verdict {
    let mut seen = HashSet::new();
    for name in names {
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && name.len() <= limits::NAME_MAX;
        rule(is_name, "the module", "a name is not one")?;
        rule(seen.insert(name.to_ascii_lowercase()), place, "a name stands twice")?;
        rule(seen.len() <= limits::MEMBERS_MAX, place, "there are too many members")?;
    }
    Ok(())
}

struct Verifier<'a> {
    module: &'a Module,
    sizes: Sizes,
}

impl Verifier<'_> {
    /// Structs come in order, so that a field can only be of a struct that was measured already.
    fn structure(&mut self, new: &Struct) -> Verdict {
        names(new.fields.iter().map(|field| &field.name), &new.name)?;
        rule(!new.fields.is_empty(), &new.name, "a struct is empty")?;
        for field in &new.fields {
            self.ty(&field.ty, &new.name)?;
            let is_plain = !matches!(field.ty, Type::List { .. } | Type::Portal(_));
            rule(is_plain, &new.name, "a list or portal is in a struct")?;
        }
        let size = self.sizes.measure(&new.fields);
        let fits = size.words <= limits::WORDS_MAX && size.depth <= limits::DEPTH_MAX;
        rule(fits, &new.name, "a struct is too large")?;
        self.sizes.push(size);
        Ok(())
    }

    fn ty(&self, ty: &Type, place: &str) -> Verdict {
        let module = self.module;
        match ty {
            Type::Bool => Ok(()),
            Type::Int { bits: 8, signed: false } | Type::Int { bits: 16 | 32 | 64, .. } => Ok(()),
            Type::Int { .. } => rule(false, place, "there is no such integer"),
            Type::Enum(id) => rule(id.index() < module.enums.len(), place, "there is no such enum"),
            Type::String { max } | Type::Bytes { max } => {
                rule((1..=limits::BYTES_MAX).contains(max), place, "a bound is out of range")
            }
            Type::Struct(id) => rule(id.index() < self.sizes.len(), place, "a struct is not known here"),
            Type::Portal(id) => {
                rule(id.index() < module.interfaces.len(), place, "there is no such interface")
            }
            Type::List { of, max } => {
                rule((1..=limits::LIST_MAX).contains(max), place, "a bound is out of range")?;
                let is_bytes = **of == Type::Int { bits: 8, signed: false };
                let is_plain = !matches!(**of, Type::List { .. } | Type::Portal(_)) && !is_bytes;
                rule(is_plain, place, "a list holds lists, portals or octets")?;
                self.ty(of, place)
            }
        }
    }

    fn interface(&self, index: usize, new: &Interface) -> Verdict {
        for operation in &new.operations {
            self.operation(operation)?;
        }
        let Some(argument) = new.argument else { return Ok(()) };
        let operation = new.operations.get(usize::from(argument));
        let has_shape = operation.is_some_and(|operation| {
            let takes_text =
                matches!(&operation.params[..], [Param { mode: Mode::In, ty: Type::String { .. }, .. }]);
            let returns = matches!(operation.result, Some(Type::Portal(id)) if id.index() == index);
            takes_text && returns
        });
        rule(has_shape, &new.name, "the operation for arguments does not have its shape")
    }

    fn operation(&self, operation: &Operation) -> Verdict {
        let place = &operation.name;
        names(operation.params.iter().map(|param| &param.name), place)?;
        let mut words = 0_usize;
        for (mode, ty) in types(operation) {
            self.ty(ty, place)?;
            rule(mode != Mode::InOut || self.is_scalar(ty), place, "an inout parameter is no scalar")?;
            words = words.saturating_add(self.sizes.of(ty).words);
        }
        rule(words <= limits::WORDS_MAX, place, "the argument block is too large")?;
        let raises = operation.raises.is_none_or(|id| id.index() < self.module.exceptions.len());
        rule(raises, place, "there is no such exception")?;
        let cost = operation.cost.is_none_or(|cost| {
            let param = operation.params.get(usize::from(cost));
            param.is_some_and(|p| p.mode == Mode::In && matches!(p.ty, Type::Int { .. }))
        });
        rule(cost, place, "the cost names no integer")?;
        let paged = operation.paged.is_none_or(|paged| self.is_paged(operation, paged));
        rule(paged, place, "a paged operation does not have its shape")
    }

    fn is_scalar(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Int { .. } | Type::Enum(_) => true,
            Type::Struct(id) => self.module.structs[id.index()].fields.iter().all(|f| self.is_scalar(&f.ty)),
            Type::String { .. } | Type::Bytes { .. } | Type::List { .. } | Type::Portal(_) => false,
        }
    }

    fn is_paged(&self, operation: &Operation, paged: Paged) -> bool {
        let param = |index: u16| operation.params.get(usize::from(index));
        let cursor =
            param(paged.cursor).is_some_and(|p| p.mode == Mode::In && matches!(p.ty, Type::String { .. }));
        let last = param(paged.last).is_some_and(|p| p.mode == Mode::Out && p.ty == Type::Bool);
        let Some(Type::List { of, .. }) = &operation.result else { return false };
        let Type::Struct(id) = **of else { return false };
        let key = self.module.structs[id.index()].fields.get(usize::from(paged.key));
        cursor && last && key.is_some_and(|field| matches!(field.ty, Type::String { .. }))
    }
}

fn types(operation: &Operation) -> impl Iterator<Item = (Mode, &Type)> {
    let params = operation.params.iter().map(|param| (param.mode, &param.ty));
    params.chain(operation.result.iter().map(|ty| (Mode::Out, ty)))
}
