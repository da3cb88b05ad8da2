//! What the checker adds to the [tables](crate::import::Tables) of a tree: places for their errors, and the defaults
//! of the program's own records.

use std::rc::Rc;
use std::sync::Arc;

use carnet_idl::descriptor;
use carnet_idl::diagnostic::{Diagnostic, Span};

use super::globals::Foreign;
use super::{Checked, Checker, Typed};
use crate::import::{ImportError, Imported, Input, RECORD_DEPTH_MAX, RECORD_WORDS_MAX};
use crate::tree::{InterfaceId, RecordId, Ty};

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

impl From<&Input> for Slot {
    fn from(input: &Input) -> Slot {
        Slot { name: input.name.clone(), ty: input.ty.clone(), default: None, range: input.range }
    }
}

/// What a record, operation or function takes, in order of declaration.
pub(super) type Slots = Rc<[Slot]>;

/// Structs and arrays that hold portals, by what the names of their parts begin with.
pub(super) type Groups = Arc<[(String, Ty)]>;

/// An operation, and what the caller writes.
#[derive(Clone, Debug)]
pub(super) struct OpUse {
    /// As the tree knows it.
    pub(super) imported: Imported,
    /// What the caller writes.
    pub(super) slots: Slots,
    /// As [`Whole::groups`](crate::import::Whole::groups).
    pub(super) groups: Groups,
}

impl<'a> Checker<'a, '_> {
    /// The type that a name of an interface file stands for.
    pub(super) fn foreign_type(&mut self, foreign: Foreign, span: Span) -> Checked<Ty> {
        let ty = match foreign {
            Foreign::Interface(module, id) => self.tables.interface(module, id).map(Ty::Portal),
            Foreign::Enum(module, id) => self.tables.enumeration(module, id).map(Ty::Enum),
            Foreign::Struct(module, id) => self.tables.structure(module, id).map(Ty::Record),
            Foreign::Union(module, id) => self.tables.union(module, id).map(Ty::Record),
        };
        self.imported(ty, span)
    }

    /// Adds a record of the file.
    pub(super) fn new_record(&mut self, name: &str, slots: &Slots, span: Span) -> Checked<RecordId> {
        let input = |slot: &Slot| Input { name: slot.name.clone(), ty: slot.ty.clone(), range: slot.range };
        let new = self.tables.record(name, slots.iter().map(input).collect());
        let new = self.imported(new, span)?;
        self.record_slots.insert(new, Rc::clone(slots));
        Ok(new)
    }

    /// What the constructor of a record takes.
    pub(super) fn slots_of(&mut self, record: RecordId) -> Slots {
        let inputs = || self.tables.inputs(record).iter().map(Slot::from).collect();
        Rc::clone(self.record_slots.entry(record).or_insert_with(inputs))
    }

    /// The descriptor of an interface of the tree.
    pub(super) fn descriptor(&self, id: InterfaceId) -> &'a descriptor::Interface {
        self.tables.descriptor(id)
    }

    /// An operation, for a call at `span`.
    pub(super) fn operation(&mut self, interface: InterfaceId, number: u16, span: Span) -> Checked<OpUse> {
        let imported = self.tables.operation(interface, number);
        let imported = self.imported(imported, span)?;
        if let Some((slots, groups)) = self.op_slots.get(&imported.id) {
            return Ok(OpUse { imported, slots: Rc::clone(slots), groups: Arc::clone(groups) });
        }
        let whole = self.tables.whole(interface, number);
        let whole = self.imported(whole, span)?;
        let slots: Slots = whole.params.iter().map(Slot::from).collect();
        self.op_slots.insert(imported.id, (Rc::clone(&slots), Arc::clone(&whole.groups)));
        Ok(OpUse { imported, slots, groups: whole.groups })
    }

    /// Reports what of an interface cannot be used.
    pub(super) fn imported<T>(&mut self, result: Result<T, ImportError>, span: Span) -> Checked<T> {
        let fault = match result {
            Ok(imported) => return Ok(imported),
            Err(fault) => fault,
        };
        Err(self.faults.report(match &fault {
            ImportError::Unsupported { .. } | ImportError::Field { .. } => {
                Diagnostic::unsupported("not-in-programs", span, fault.to_string()).help(
                    "call it from outside of programs, or give the interface an operation with other types",
                )
            }
            ImportError::RecordTooLarge(name) => {
                Diagnostic::error("too-large", span, format!("the record `{name}` is too large")).label(
                    format!(
                        "expected at most {RECORD_WORDS_MAX} fields, those of inner records included, \
                     {RECORD_DEPTH_MAX} deep"
                    ),
                )
            }
            ImportError::TooMany(_) => Diagnostic::error("too-large", span, fault.to_string()),
        }))
    }
}
