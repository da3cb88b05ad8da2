//! The rules of the language, for modules that come from a peer and not from the compiler.
//!
//! `check` has the same rules with places and hints; a test makes sure that what it lets through passes
//! here. Nothing is flattened or indexed before this has run.

use std::collections::HashSet;

use crate::descriptor::*;
use crate::limits;
use crate::size::{Size, Sizes};
use crate::syscall::Syscall;

type Verdict = Result<(), String>;

/// Whether `module` keeps all rules. Its layouts and hashes are not looked at; that bases stand before what inherits
/// from them was checked when their operations were taken over.
pub(crate) fn verify(module: &Module) -> Verdict {
    let mut verifier = Verifier { module, sizes: Sizes::default() };
    let definitions = module.enums.iter().map(|new| &new.name);
    let definitions = definitions.chain(module.constants.iter().map(|new| &new.name));
    let definitions = definitions.chain(module.structs.iter().map(|new| &new.name));
    let definitions = definitions.chain(module.unions.iter().map(|new| &new.name));
    let definitions = definitions.chain(module.exceptions.iter().map(|new| &new.name));
    let definitions = definitions.chain(module.interfaces.iter().map(|new| &new.name));
    names(definitions, "the module", Named::Definition)?;
    names([&module.name].into_iter(), "the module", Named::Member)?;
    for new in &module.enums {
        names(new.values.iter(), &new.name, Named::Member)?;
        rule(!new.values.is_empty(), &new.name, "an enum is empty")?;
    }
    verifier.structs_and_unions()?;
    for new in &module.constants {
        verifier.constant(new)?;
    }
    for new in &module.exceptions {
        verifier.exception(new)?;
    }
    for new in &module.interfaces {
        names(new.operations.iter().map(|operation| &operation.name), &new.name, Named::Operation)?;
    }
    for (index, new) in module.interfaces.iter().enumerate() {
        verifier.interface(index, new)?;
    }
    Ok(())
}

fn rule(holds: bool, place: &str, text: &str) -> Verdict {
    if holds { Ok(()) } else { Err(format!("{place}: {text}")) }
}

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// May have names of modules before it.
    Definition,
    /// May be that of an attribute's operation.
    Operation,
    /// Just a name.
    Member,
}

impl Named {
    fn fits(self, name: &str) -> bool {
        match self {
            Named::Member => is_name(name),
            Named::Operation => {
                is_name(name.strip_prefix("_get_").or_else(|| name.strip_prefix("_set_")).unwrap_or(name))
            }
            Named::Definition => {
                let parts = name.strip_prefix("::").unwrap_or(name).split("::");
                parts.clone().count() <= limits::NESTING_MAX + 3 && parts.clone().all(is_name)
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && name.len() <= limits::NAME_MAX
}

/// Names are letters, digits and `_`, and differ by more than the case of letters.
fn names<'a>(names: impl Iterator<Item = &'a String>, place: &str, named: Named) -> Verdict {
    let mut seen = HashSet::new();
    for name in names {
        rule(named.fits(name), "the module", "a name is not one")?;
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
    /// They come in order, so that each refers only to those that were measured already.
    fn structs_and_unions(&mut self) -> Verdict {
        let module = self.module;
        let mut unions = module.unions.iter().peekable();
        for (index, new) in module.structs.iter().enumerate() {
            while let Some(union) = unions.next_if(|union| usize::from(union.structs_before) <= index) {
                self.union(union)?;
            }
            self.structure(new)?;
        }
        unions.try_for_each(|union| self.union(union))
    }

    fn structure(&mut self, new: &Struct) -> Verdict {
        rule(!new.fields.is_empty(), &new.name, "a struct is empty")?;
        self.fields(&new.name, &new.fields)?;
        let size = self.sizes.measure(&new.fields);
        self.fits(size, &new.name)?;
        self.sizes.push(size);
        Ok(())
    }

    fn fields(&self, place: &str, fields: &[Field]) -> Verdict {
        names(fields.iter().map(|field| &field.name), place, Named::Member)?;
        fields.iter().try_for_each(|field| {
            self.ty(&field.ty, place)?;
            self.part(&field.ty, place)
        })
    }

    /// Whether a value of `ty` can be a part of another.
    fn part(&self, ty: &Type, place: &str) -> Verdict {
        let Type::List { of, .. } = ty else { return Ok(()) };
        let element = self.sizes.of(of);
        rule(element.portals == 0, place, "portals are in a list within another value")?;
        rule(element.grows_little(), place, "elements of a list within another value grow too much")
    }

    fn fits(&self, size: Size, place: &str) -> Verdict {
        let fits = size.words <= limits::WORDS_MAX && size.depth <= limits::DEPTH_MAX;
        rule(fits, place, "a struct is too large")?;
        written_out(size, place)
    }

    fn union(&mut self, new: &Union) -> Verdict {
        let place = &new.name;
        let in_order = usize::from(new.structs_before) == self.sizes.structs();
        rule(in_order, place, "a union stands in the wrong place")?;
        names(new.arms.iter().map(|arm| &arm.name), place, Named::Member)?;
        rule(!new.arms.is_empty(), place, "a union is empty")?;
        self.ty(&new.switch, place)?;
        let is_discrete = matches!(new.switch, Type::Bool | Type::Char | Type::Int { .. } | Type::Enum(_));
        rule(is_discrete, place, "a discriminant is none")?;
        let defaults = new.arms.iter().filter(|arm| arm.labels.is_empty()).count();
        rule(defaults <= 1, place, "a union has two defaults")?;
        let mut seen = HashSet::new();
        for arm in &new.arms {
            self.ty(&arm.ty, place)?;
            self.part(&arm.ty, place)?;
            rule(self.sizes.of(&arm.ty).portals == 0, place, "a portal is in a union")?;
            for label in &arm.labels {
                let is_value = is_value(self.module, &new.switch, label.cast_unsigned());
                rule(is_value, place, "a label is no value of the discriminant")?;
                rule(seen.insert(*label), place, "a label stands twice")?;
            }
        }
        let (size, _) = self.sizes.union(&new.arms);
        self.fits(size, place)?;
        self.sizes.push_union(size);
        Ok(())
    }

    fn constant(&self, new: &Constant) -> Verdict {
        self.ty(&new.ty, &new.name)?;
        let fits = match (&new.ty, &new.value) {
            (Type::String { max }, Value::Text(text)) => text.len() <= *max as usize && !text.contains('\0'),
            (Type::Float { bits: 32 }, Value::Word(word)) => *word <= u64::from(u32::MAX),
            (Type::Float { .. }, Value::Word(_)) => true,
            (Type::Int { bits: 64, signed: false }, Value::Word(_)) => true,
            (ty, Value::Word(word)) => is_value(self.module, ty, *word),
            (_, Value::Text(_)) => false,
        };
        rule(fits, &new.name, "a constant is no value of its type")
    }

    fn exception(&self, new: &Exception) -> Verdict {
        self.fields(&new.name, &new.members)?;
        let size = self.sizes.measure(&new.members);
        rule(size.portals == 0, &new.name, "a portal is in an exception")?;
        let fits = size.words <= limits::WORDS_MAX && size.depth <= limits::DEPTH_MAX;
        rule(fits, &new.name, "an exception is too large")?;
        written_out(size, &new.name)?;
        let bytes = size.bytes_sum <= limits::EXCEPTION_BYTES_MAX;
        rule(new.plain().is_some() || bytes, &new.name, "an exception is too large")
    }

    fn ty(&self, ty: &Type, place: &str) -> Verdict {
        let module = self.module;
        match ty {
            Type::Bool | Type::Char => Ok(()),
            Type::Int { bits: 8 | 16 | 32 | 64, .. } => Ok(()),
            Type::Int { .. } => rule(false, place, "there is no such integer"),
            Type::Float { bits } => rule(matches!(bits, 32 | 64), place, "there is no such float"),
            Type::Enum(id) => rule(id.index() < module.enums.len(), place, "there is no such enum"),
            Type::String { max } | Type::Bytes { max } => {
                rule((1..=limits::BYTES_MAX).contains(max), place, "a bound is out of range")
            }
            Type::Struct(id) => rule(id.index() < self.sizes.structs(), place, "a struct is not known here"),
            Type::Union(id) => rule(id.index() < self.sizes.unions(), place, "a union is not known here"),
            Type::Array { of, len } => {
                self.ty(of, place)?;
                self.part(of, place)?;
                let size = self.sizes.of(ty);
                let fits = if ty.octets().is_some() {
                    (1..=limits::ARRAY_BYTES_MAX).contains(len)
                } else {
                    *len > 0 && size.words <= limits::WORDS_MAX
                };
                rule(fits, place, "an array is too large")?;
                written_out(size, place)
            }
            Type::Portal(id) => {
                rule(id.index() < module.interfaces.len(), place, "there is no such interface")
            }
            Type::List { of, max } => {
                rule((1..=limits::LIST_MAX).contains(max), place, "a bound is out of range")?;
                rule(**of != Type::Int { bits: 8, signed: false }, place, "a list holds octets")?;
                self.ty(of, place)?;
                self.part(of, place)?;
                let size = self.sizes.of(ty);
                rule(size.depth - 1 <= limits::DEPTH_MAX, place, "a list is nested too deeply")?;
                written_out(size, place)
            }
        }
    }

    fn interface(&self, index: usize, new: &Interface) -> Verdict {
        // Those of the base were looked at there.
        for operation in new.own() {
            self.operation(operation)?;
        }
        let Some(argument) = new.argument else { return Ok(()) };
        let operation = new.operations.get(usize::from(argument));
        let has_shape = operation.is_some_and(|operation| {
            let takes_text =
                matches!(&operation.params[..], [Param { mode: Mode::In, ty: Type::String { .. }, .. }]);
            let returns = matches!(operation.result, Some(Type::Portal(id)) if id.index() == index);
            takes_text && returns && operation.effect == Effect::Reads
        });
        rule(has_shape, &new.name, "the operation for arguments does not have its shape")
    }

    fn operation(&self, operation: &Operation) -> Verdict {
        let place = &operation.name;
        names(operation.params.iter().map(|param| &param.name), place, Named::Member)?;
        let mut words = 0_usize;
        for ty in types(operation) {
            self.ty(ty, place)?;
            words = words.saturating_add(self.sizes.of(ty).words);
        }
        rule(words <= limits::WORDS_MAX, place, "the argument block is too large")?;
        let raises = operation.raises.iter().all(|id| id.index() < self.module.exceptions.len());
        rule(raises, place, "there is no such exception")?;
        let mut raised = HashSet::new();
        let once = operation.raises.iter().all(|id| raised.insert(*id));
        rule(
            once && raised.len() <= limits::RAISES_MAX,
            place,
            "the exceptions are not a few different ones",
        )?;
        let returns = operation.result.is_some() || operation.params.iter().any(|p| p.mode != Mode::In);
        let is_oneway = !returns && operation.raises.is_empty() && operation.effect == Effect::Writes;
        rule(!operation.oneway || is_oneway, place, "a oneway operation gives something back")?;
        let may_be_once = operation.effect == Effect::Reads && !operation.idempotent;
        rule(!operation.once || may_be_once, place, "what is once writes, or is idempotent")?;
        let counts = |p: &Param| p.mode == Mode::In && matches!(p.ty, Type::Int { .. } | Type::Bytes { .. });
        let cost = operation.cost.is_none() || operation.cost_param().is_some_and(counts);
        rule(cost, place, "the cost names no integer or bytes")?;
        let paged = operation.paged.is_none_or(|paged| self.is_paged(operation, paged));
        rule(paged, place, "a paged operation does not have its shape")?;
        match Syscall::of(self.module, operation) {
            Ok(_) => Ok(()),
            Err(_) => rule(false, place, "the system call does not fit the operation"),
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

fn written_out(size: Size, place: &str) -> Verdict {
    rule(size.written_out <= limits::WRITTEN_OUT_MAX, place, "arrays and lists repeat too much in each other")
}

/// Whether `word` is a value of `ty`, as a discriminant or a label has it.
pub(crate) fn is_value(module: &Module, ty: &Type, word: u64) -> bool {
    let value = word.cast_signed();
    match ty {
        Type::Bool => word <= 1,
        Type::Char => word <= 255,
        Type::Int { bits: 64, signed: true } => true,
        Type::Int { bits: 64, signed: false } => value >= 0,
        Type::Int { bits, signed: true } => (-(1 << (bits - 1))..1 << (bits - 1)).contains(&value),
        Type::Int { bits, signed: false } => (0..1 << *bits).contains(&value),
        Type::Enum(id) => module.enums.get(id.index()).is_some_and(|new| word < new.values.len() as u64),
        _ => false,
    }
}

fn types(operation: &Operation) -> impl Iterator<Item = &Type> {
    operation.params.iter().map(|param| &param.ty).chain(&operation.result)
}
