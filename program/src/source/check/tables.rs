//! Interfaces, enums, records and operations that occur: each once, in the order of their first use.
//!
//! This is the only file of the checker that reads descriptors of operations; from here on all is types of
//! the tree. What programs cannot hold yet (structs with lists, portals beside other results) is reported
//! as not supported where it is used.

use super::globals::Foreign;
use super::{Checked, Checker, Typed};
use crate::tree::{EnumId, EnumUse, InterfaceId, InterfaceUse, Op, OpId, Paged, Record, RecordId, Ty};
use carnet_idl::descriptor::{self, Mode, Type};
use carnet_idl::diagnostic::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;

/// A record takes at most this many words, so that doubling records does not grow without bound.
const RECORD_WORDS_MAX: usize = 1024;

/// Records in records nest at most this deep.
const RECORD_DEPTH_MAX: usize = 16;

/// Index into the used interface files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ModuleId(pub(super) usize);

/// Something that an argument goes into.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Its name.
    pub(super) name: String,
    /// Its type.
    pub(super) ty: Ty,
    /// Used if there is no argument.
    pub(super) default: Option<Typed>,
    /// Least and greatest integer that an interface takes here.
    pub(super) range: Option<(i64, i64)>,
}

/// What a record, operation or function takes, in order of declaration.
pub(super) type Slots = Rc<[Slot]>;

/// An operation as programs see it.
#[derive(Clone, Debug)]
pub(super) struct OpUse {
    /// In the tree.
    pub(super) id: OpId,
    /// What the caller writes.
    pub(super) slots: Slots,
    /// For each of [`Op::args`] the slot; `None` for the cursor.
    pub(super) order: Rc<[Option<usize>]>,
    /// Bound of its exception's message.
    pub(super) message_max: u32,
}

/// The tables of the tree, and where each entry came from.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) interfaces: Vec<InterfaceUse>,
    pub(super) enums: Vec<EnumUse>,
    pub(super) records: Vec<Record>,
    pub(super) ops: Vec<Op>,
    sizes: Vec<Size>,
    slots: Vec<Slots>,
    origins: Vec<(ModuleId, descriptor::InterfaceId)>,
    interface_ids: HashMap<(ModuleId, u16), InterfaceId>,
    enum_ids: HashMap<(ModuleId, u16), EnumId>,
    struct_ids: HashMap<(ModuleId, u16), RecordId>,
    op_uses: HashMap<(InterfaceId, u16), OpUse>,
}

#[derive(Clone, Copy, Debug)]
struct Size {
    words: usize,
    depth: usize,
}

impl Tables {
    /// What the constructor of a record takes.
    pub(super) fn slots(&self, record: RecordId) -> Slots {
        Rc::clone(&self.slots[record.index()])
    }

    /// Where an enum is from.
    pub(super) fn enum_module(&self, id: EnumId) -> Option<ModuleId> {
        self.enum_ids.iter().find(|(_, known)| **known == id).map(|((module, _), _)| *module)
    }

    /// Where a record is from, if it is a struct.
    pub(super) fn record_module(&self, id: RecordId) -> Option<ModuleId> {
        self.struct_ids.iter().find(|(_, known)| **known == id).map(|((module, _), _)| *module)
    }

    fn size(&self, ty: &Ty) -> Size {
        match ty {
            Ty::Record(id) => self.sizes[id.index()],
            _ => Size { words: 1, depth: 0 },
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// The type that a name of an interface file stands for.
    pub(super) fn foreign_type(&mut self, foreign: Foreign, span: Span) -> Checked<Ty> {
        Ok(match foreign {
            Foreign::Interface(module, id) => Ty::Portal(self.interface(module, id, span)?),
            Foreign::Enum(module, id) => Ty::Enum(self.enumeration(module, id, span)?),
            Foreign::Struct(module, id) => Ty::Record(self.structure(module, id, span)?),
        })
    }

    fn interface(
        &mut self,
        module: ModuleId,
        id: descriptor::InterfaceId,
        span: Span,
    ) -> Checked<InterfaceId> {
        if let Some(known) = self.tables.interface_ids.get(&(module, id.0)) {
            return Ok(*known);
        }
        let new = InterfaceId(self.index(self.tables.interfaces.len(), "interfaces", span)?);
        let from = self.used[module.0];
        let name = from.interfaces[id.index()].name.clone();
        self.tables.interfaces.push(InterfaceUse { module: from.name.clone(), name });
        self.tables.origins.push((module, id));
        self.tables.interface_ids.insert((module, id.0), new);
        Ok(new)
    }

    fn enumeration(&mut self, module: ModuleId, id: descriptor::EnumId, span: Span) -> Checked<EnumId> {
        if let Some(known) = self.tables.enum_ids.get(&(module, id.0)) {
            return Ok(*known);
        }
        let new = EnumId(self.index(self.tables.enums.len(), "enums", span)?);
        let from = &self.used[module.0].enums[id.index()];
        self.tables.enums.push(EnumUse {
            name: from.name.clone(),
            hash: from.hash,
            values: from.values.clone(),
        });
        self.tables.enum_ids.insert((module, id.0), new);
        Ok(new)
    }

    fn structure(&mut self, module: ModuleId, id: descriptor::StructId, span: Span) -> Checked<RecordId> {
        if let Some(known) = self.tables.struct_ids.get(&(module, id.0)) {
            return Ok(*known);
        }
        let from = &self.used[module.0].structs[id.index()];
        let mut slots = vec![];
        for field in &from.fields {
            let inner = matches!(field.ty, Type::Struct(inner) if inner.0 >= id.0);
            if inner || matches!(field.ty, Type::List { .. } | Type::Portal(_)) {
                let message = format!(
                    "`{}` of {} has a `{}` that records of programs cannot hold",
                    from.name, self.used[module.0].name, field.name
                );
                let fault = Diagnostic::unsupported("struct", span, message);
                return Err(self.faults.report(fault.label("found a list or portal in a struct")));
            }
            let ty = self.type_from(module, &field.ty, span)?;
            slots.push(Slot { name: field.name.clone(), ty, default: None, range: range(&field.ty) });
        }
        let new = self.new_record(&from.name, slots.into(), span)?;
        self.tables.struct_ids.insert((module, id.0), new);
        Ok(new)
    }

    /// Adds a record.
    pub(super) fn new_record(&mut self, name: &str, slots: Slots, span: Span) -> Checked<RecordId> {
        let new = RecordId(self.index(self.tables.records.len(), "records", span)?);
        let sizes = slots.iter().map(|slot| self.tables.size(&slot.ty));
        let (words, depth) =
            sizes.fold((0, 0), |(words, depth), s| (words + s.words, depth.max(s.depth + 1)));
        if words > RECORD_WORDS_MAX || depth > RECORD_DEPTH_MAX {
            let message = format!("the record `{name}` is too large");
            let limits = format!(
                "{RECORD_WORDS_MAX} fields, those of inner records included, {RECORD_DEPTH_MAX} deep"
            );
            let fault = Diagnostic::error("too-large", span, message);
            return Err(self.faults.report(fault.label(format!("expected at most {limits}"))));
        }
        let fields = slots.iter().map(|slot| (slot.name.clone(), slot.ty.clone())).collect();
        self.tables.records.push(Record { name: name.to_owned(), fields });
        self.tables.sizes.push(Size { words, depth });
        self.tables.slots.push(slots);
        Ok(new)
    }

    fn type_from(&mut self, module: ModuleId, ty: &Type, span: Span) -> Checked<Ty> {
        Ok(match ty {
            Type::Bool => Ty::Bool,
            Type::Int { .. } => Ty::Int,
            Type::Enum(id) => Ty::Enum(self.enumeration(module, *id, span)?),
            Type::String { max } => Ty::Str(*max),
            Type::Bytes { max } => Ty::Bytes(*max),
            Type::Struct(id) => Ty::Record(self.structure(module, *id, span)?),
            Type::List { of, max } => Ty::List(Box::new(self.type_from(module, of, span)?), *max),
            Type::Portal(id) => Ty::Portal(self.interface(module, *id, span)?),
        })
    }

    /// The descriptor of an interface of the tree.
    pub(super) fn descriptor(&self, id: InterfaceId) -> &'a descriptor::Interface {
        let (module, id) = self.tables.origins[id.index()];
        &self.used[module.0].interfaces[id.index()]
    }

    /// Whether an interface of the tree is the one that a descriptor's type means.
    pub(super) fn is_portal_of(&self, wanted: InterfaceId, beside: InterfaceId, ty: &Type) -> bool {
        let (wanted, beside) = (self.tables.origins[wanted.index()], self.tables.origins[beside.index()]);
        matches!(ty, Type::Portal(id) if wanted == (beside.0, *id))
    }

    /// An operation, for a call at `span`.
    pub(super) fn operation(&mut self, interface: InterfaceId, number: u16, span: Span) -> Checked<OpUse> {
        if let Some(known) = self.tables.op_uses.get(&(interface, number)) {
            return Ok(known.clone());
        }
        let id = OpId(self.index(self.tables.ops.len(), "operations", span)?);
        let from = &self.descriptor(interface).operations[usize::from(number)];
        let module = self.tables.origins[interface.index()].0;
        let op = self.new_op(interface, from, span)?;
        let message_max = from.raises.map_or(0, |id| self.used[module.0].exceptions[id.index()].message_max);
        let (slots, order) = visible(from, &op.args);
        let used = OpUse { id, slots, order, message_max };
        self.tables.ops.push(op);
        self.tables.op_uses.insert((interface, number), used.clone());
        Ok(used)
    }

    fn new_op(&mut self, interface: InterfaceId, from: &descriptor::Operation, span: Span) -> Checked<Op> {
        let module = self.tables.origins[interface.index()].0;
        let (sent, back) = (sent(from), back(from));
        let args = sent.iter().map(|at| self.type_from(module, &from.params[*at].ty, span));
        let args = args.collect::<Checked<Vec<Ty>>>()?;
        let results = back.iter().map(|(_, ty)| self.type_from(module, ty, span));
        let results = results.collect::<Checked<Vec<Ty>>>()?;
        let inouts = from.params.iter().filter(|param| param.mode == Mode::InOut).count() as u16;
        let paged = from.paged.and_then(|paged| {
            Some(Paged {
                cursor: position(&sent, paged.cursor)?,
                page: inouts,
                last: back.iter().position(|(at, _)| *at == Some(usize::from(paged.last)))? as u16,
                key: paged.key,
            })
        });
        let value = match paged {
            Some(_) => None,
            None => self.value_of(interface, from, &back, &results, span)?,
        };
        let raises = match from.raises {
            Some(id) => {
                let kind = self.used[module.0].exceptions[id.index()].kind;
                Some(self.enumeration(module, kind, span)?)
            }
            None => None,
        };
        Ok(Op {
            interface,
            name: from.name.clone(),
            hash: from.hash,
            effect: from.effect,
            args,
            inouts,
            results,
            value,
            cost: from.cost.and_then(|at| position(&sent, at)),
            paged,
            raises,
        })
    }

    /// What a call is worth: nothing, the only result, or a record of all.
    fn value_of(
        &mut self,
        interface: InterfaceId,
        from: &descriptor::Operation,
        back: &[(Option<usize>, &Type)],
        results: &[Ty],
        span: Span,
    ) -> Checked<Option<Ty>> {
        if results.len() < 2 {
            return Ok(results.first().cloned());
        }
        let name = format!("{}.{}", self.descriptor(interface).name, from.name);
        if results.iter().any(|ty| matches!(ty, Ty::Portal(_) | Ty::List(..))) {
            let message =
                format!("{name} returns a portal or list beside other values, which programs cannot hold");
            let fault = Diagnostic::unsupported("results", span, message);
            return Err(self.faults.report(fault.label("expected one result, or several plain ones")));
        }
        let taken = from.params.iter().any(|param| param.mode != Mode::In && param.name == "value");
        let slots = back.iter().zip(results).map(|((param, ty), converted)| Slot {
            name: match param {
                Some(at) => from.params[*at].name.clone(),
                None if taken => "result".to_owned(),
                None => "value".to_owned(),
            },
            ty: converted.clone(),
            default: None,
            range: range(ty),
        });
        let slots: Slots = slots.collect();
        Ok(Some(Ty::Record(self.new_record(&name, slots, span)?)))
    }
}

/// Indices of the parameters that are sent, in the order of the message.
fn sent(from: &descriptor::Operation) -> Vec<usize> {
    let of = |mode| (0..from.params.len()).filter(move |at| from.params[*at].mode == mode);
    of(Mode::In).chain(of(Mode::InOut)).collect()
}

/// What the caller writes, and which of it each sent value is; the cursor is none of it.
fn visible(from: &descriptor::Operation, args: &[Ty]) -> (Slots, Rc<[Option<usize>]>) {
    let sent = sent(from);
    let is_cursor = |at: usize| from.paged.is_some_and(|paged| usize::from(paged.cursor) == at);
    let mut slots = vec![];
    let mut order = vec![None; sent.len()];
    for (at, param) in from.params.iter().enumerate().filter(|(at, _)| !is_cursor(*at)) {
        let Some(arg) = sent.iter().position(|sent| *sent == at) else { continue };
        order[arg] = Some(slots.len());
        let name = param.name.clone();
        slots.push(Slot { name, ty: args[arg].clone(), default: None, range: range(&param.ty) });
    }
    (slots.into(), order.into())
}

/// What comes back, in the order of the message; the return value is no parameter.
fn back(from: &descriptor::Operation) -> Vec<(Option<usize>, &Type)> {
    let of = |mode| {
        from.params.iter().enumerate().filter(move |(_, p)| p.mode == mode).map(|(at, p)| (Some(at), &p.ty))
    };
    of(Mode::InOut).chain(from.result.iter().map(|ty| (None, ty))).chain(of(Mode::Out)).collect()
}

fn position(order: &[usize], param: u16) -> Option<u16> {
    order.iter().position(|at| *at == usize::from(param)).and_then(|at| u16::try_from(at).ok())
}

/// The integers that a type of an interface holds, if it is one.
fn range(ty: &Type) -> Option<(i64, i64)> {
    match ty {
        Type::Int { bits: 64, signed: true } => None,
        Type::Int { bits: 64, signed: false } => Some((0, i64::MAX)),
        Type::Int { bits, signed: true } => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        Type::Int { bits, signed: false } => Some((0, (1 << bits) - 1)),
        _ => None,
    }
}
