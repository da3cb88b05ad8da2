//! From descriptors of interfaces to the tables of a tree: interfaces, enums, records and operations, each once, in
//! the order of their first use.
//!
//! It knows nothing of source text: the [`builder`](crate::builder) uses it as it is, the checker of
//! [`source`](crate::source) adds places to its errors. Values travel as [`tree`](crate::tree) says: the values sent are those of `in`, then `inout` parameters; what comes back is
//! `inout`, return value, `out`; a call that gives back several scalars is worth a record of them, and if there are portals or
//! lists among them, each goes into a variable of its own. The cursor of a paged operation is no argument of the caller's.
//!
//! A struct or array that holds portals is no value in a tree: each of its parts is an argument or result of its own, named by its
//! way there, `link.target` ([why](../../../docs/decisions/0053-structs-with-portals.md)).
//!
//! A list within another value is a record there, whose only field is the bytes that it is in a message
//! ([why](../../../docs/decisions/0056-lists-in-programs.md)).
//!
//! A list of portals, or of structs that hold some, is in a variable, and no value either: the results of an operation that gives one are
//! parts, too, though it be alone.
//!
//! What programs cannot hold is refused where it is first used: unions that hold portals.
//!
//! `import/adopt.rs` goes the other way: from the tables of a tree that is there already to where they came from.

mod adopt;

use std::collections::HashMap;
use std::sync::Arc;

use carnet_idl::descriptor::{self, Mode, Module, Type};
use carnet_idl::limits::PACKED_BYTES_MAX;

pub use adopt::Misdescribed;

use crate::bytecode::PORTALS_MAX;
use crate::float::Precision;
use crate::tree::{
    Arm, EnumId, EnumUse, InterfaceId, InterfaceUse, Op, OpId, Paged, Record, RecordId, Texts, Ty, Union,
};

/// A record takes at most this many words, those of records within it included.
pub const RECORD_WORDS_MAX: usize = 1024;

/// Records in records nest at most this deep.
pub const RECORD_DEPTH_MAX: usize = 16;

/// Why something of an interface cannot be used in a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// An operation takes, gives back or raises what programs have nothing for.
    #[error("{operation} is not supported in programs: {what}")]
    Unsupported {
        /// The operation.
        operation: String,
        /// What it is.
        what: String,
    },
    /// A field of a struct is of a type that programs have not.
    #[error("`{of}` is not supported in programs: `{field}` is {what}")]
    Field {
        /// The struct.
        of: String,
        /// The field.
        field: String,
        /// What it is.
        what: &'static str,
    },
    /// A record takes more than [`RECORD_WORDS_MAX`] words, or nests deeper than [`RECORD_DEPTH_MAX`].
    #[error(
        "the record `{0}` is too large: at most {RECORD_WORDS_MAX} fields, those of inner records included, \
         {RECORD_DEPTH_MAX} deep"
    )]
    RecordTooLarge(String),
    /// A table of the tree is full.
    #[error("a program has at most 65,535 {0}, those of its functions included")]
    TooMany(&'static str),
}

/// Index of a module among those that [`Tables`] was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(pub usize);

/// What the caller of an operation gives, or the maker of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Name of the parameter or field.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Least and greatest integer that the interface takes here, where it is not every integer.
    pub range: Option<(i64, i64)>,
}

/// An operation of a tree, and how it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// In [`Tables::ops`].
    pub id: OpId,
    /// What the caller gives, in order of declaration; of a struct that holds portals, its parts.
    pub inputs: Arc<[Input]>,
    /// For each of [`Op::args`] the input that it is; `None` for the cursor.
    pub order: Arc<[Option<usize>]>,
    /// If it [gives parts](Op::gives_parts): names and types of [`Op::results`]. Else nothing.
    pub parts: Arc<[Input]>,
    /// Bound of its exception's message, 0 if it raises none.
    pub message_max: u32,
}

/// An operation as its interface has it, where structs that hold portals are one thing. Records of these are in no tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// The parameters that the caller gives.
    pub params: Vec<Input>,
    /// What of [`Imported::parts`] is one struct or array: what their names begin with, nothing if that is all of them; and which.
    pub groups: Arc<[(String, Ty)]>,
}

/// The tables of a tree that come from descriptors, and where each entry came from.
#[derive(Clone, Debug, Default)]
pub struct Tables<'m> {
    modules: Vec<&'m Module>,
    /// As [`Tree::interfaces`](crate::tree::Tree::interfaces).
    pub interfaces: Vec<InterfaceUse>,
    /// As [`Tree::enums`](crate::tree::Tree::enums).
    pub enums: Vec<EnumUse>,
    /// As [`Tree::records`](crate::tree::Tree::records).
    pub records: Vec<Record>,
    /// As [`Tree::ops`](crate::tree::Tree::ops).
    pub ops: Vec<Op>,
    /// Module and interface of each of `interfaces`.
    origins: Vec<(ModuleId, descriptor::InterfaceId)>,
    enum_ids: HashMap<(ModuleId, descriptor::EnumId), EnumId>,
    struct_ids: HashMap<(ModuleId, descriptor::StructId), RecordId>,
    union_ids: HashMap<(ModuleId, descriptor::UnionId), RecordId>,
    /// By type and number of the elements.
    array_ids: HashMap<(ModuleId, Type, u32), RecordId>,
    /// Of lists within other values, by the list.
    list_ids: HashMap<Ty, RecordId>,
    imported: HashMap<(InterfaceId, u16), Imported>,
    /// Fields of each record.
    inputs: Vec<Arc<[Input]>>,
    sizes: Vec<Size>,
}

/// What a type takes in a record.
#[derive(Clone, Copy, Debug)]
struct Size {
    words: usize,
    depth: usize,
    /// Of all its texts, at most.
    bytes: usize,
    holds_portals: bool,
}

impl Size {
    /// Of a record without fields.
    const NOTHING: Size = Size { words: 0, depth: 0, bytes: 0, holds_portals: false };

    /// With a field of this size.
    fn beside(self, field: Size) -> Size {
        Size {
            words: self.words + field.words,
            depth: self.depth.max(field.depth + 1),
            bytes: self.bytes.saturating_add(field.bytes),
            holds_portals: self.holds_portals || field.holds_portals,
        }
    }
}

type Result<T> = std::result::Result<T, ImportError>;

impl<'m> Tables<'m> {
    /// Empty tables for programs that use these modules.
    #[must_use]
    pub fn new(modules: &[&'m Module]) -> Tables<'m> {
        Tables { modules: modules.to_vec(), ..Tables::default() }
    }

    /// Lets the program use one more module.
    pub fn use_module(&mut self, module: &'m Module) -> ModuleId {
        self.modules.push(module);
        ModuleId(self.modules.len() - 1)
    }

    /// The modules that the program may use.
    #[must_use]
    pub fn modules(&self) -> &[&'m Module] {
        &self.modules
    }

    /// The module of this name.
    #[must_use]
    pub fn module(&self, name: &str) -> Option<(ModuleId, &'m Module)> {
        let found = self.modules.iter().position(|module| module.name == name)?;
        Some((ModuleId(found), self.modules[found]))
    }

    /// The descriptor of an interface of the tree.
    #[must_use]
    pub fn descriptor(&self, id: InterfaceId) -> &'m descriptor::Interface {
        let (module, id) = self.origins[id.index()];
        &self.modules[module.0].interfaces[id.index()]
    }

    /// The module that an enum is from.
    #[must_use]
    pub fn enum_module(&self, id: EnumId) -> Option<&'m Module> {
        let of = self.enum_ids.iter().find(|(_, known)| **known == id);
        of.map(|((module, _), _)| self.modules[module.0])
    }

    /// The module that a record is from, if it is a struct or union.
    #[must_use]
    pub fn record_module(&self, id: RecordId) -> Option<&'m Module> {
        let structs = self.struct_ids.iter().map(|((module, _), known)| (module, known));
        let unions = self.union_ids.iter().map(|((module, _), known)| (module, known));
        let of = structs.chain(unions).find(|(_, known)| **known == id);
        of.map(|(module, _)| self.modules[module.0])
    }

    /// Whether `ty`, in the descriptor of interface `beside`, is a portal on interface `wanted`.
    #[must_use]
    pub fn is_portal_of(&self, wanted: InterfaceId, beside: InterfaceId, ty: &Type) -> bool {
        let module = self.origins[beside.index()].0;
        matches!(ty, Type::Portal(id) if self.origins[wanted.index()] == (module, *id))
    }

    /// The fields of a record.
    #[must_use]
    pub fn inputs(&self, id: RecordId) -> Arc<[Input]> {
        Arc::clone(&self.inputs[id.index()])
    }

    /// `Dir.open`, for messages.
    #[must_use]
    pub fn op_name(&self, id: OpId) -> String {
        let op = &self.ops[id.index()];
        format!("{}.{}", self.interfaces[op.interface.index()].name, op.name)
    }

    /// An interface.
    ///
    /// # Errors
    /// [`ImportError::TooMany`].
    pub fn interface(&mut self, module: ModuleId, id: descriptor::InterfaceId) -> Result<InterfaceId> {
        if let Some(known) = self.origins.iter().position(|origin| *origin == (module, id)) {
            return Ok(InterfaceId(known as u16));
        }
        let new = InterfaceId(index(self.interfaces.len(), "interfaces")?);
        let from = self.modules[module.0];
        let interface = &from.interfaces[id.index()];
        let name = interface.name.clone();
        let texts = if interface.argument.is_some() { Texts::Any } else { Texts::Root };
        self.interfaces.push(InterfaceUse { module: from.name.clone(), name, texts });
        self.origins.push((module, id));
        Ok(new)
    }

    /// An enum.
    ///
    /// # Errors
    /// [`ImportError::TooMany`].
    pub fn enumeration(&mut self, module: ModuleId, id: descriptor::EnumId) -> Result<EnumId> {
        if let Some(known) = self.enum_ids.get(&(module, id)) {
            return Ok(*known);
        }
        let new = EnumId(index(self.enums.len(), "enums")?);
        let from = &self.modules[module.0].enums[id.index()];
        let (name, values) = (from.name.clone(), from.values.clone());
        self.enums.push(EnumUse { name, hash: from.hash, values });
        self.enum_ids.insert((module, id), new);
        Ok(new)
    }

    /// A struct, as a record.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn structure(&mut self, module: ModuleId, id: descriptor::StructId) -> Result<RecordId> {
        if let Some(known) = self.struct_ids.get(&(module, id)) {
            return Ok(*known);
        }
        let from = &self.modules[module.0].structs[id.index()];
        let mut fields = Vec::with_capacity(from.fields.len());
        for field in &from.fields {
            // A struct refers only to earlier ones; one that does not would have no size.
            let later = matches!(field.ty, Type::Struct(inner) if inner >= id);
            if later {
                return Err(ImportError::RecordTooLarge(from.name.clone()));
            }
            if let Some(what) = self.modules[module.0].foreign_to_programs(&field.ty) {
                let (of, field) = (from.name.clone(), field.name.clone());
                return Err(ImportError::Field { of, field, what });
            }
            let (name, range) = (field.name.clone(), range(&field.ty));
            fields.push(Input { name, ty: self.part(module, &field.ty)?, range });
        }
        let new = self.record(&from.name, fields)?;
        self.struct_ids.insert((module, id), new);
        Ok(new)
    }

    /// A union, as a record of the words that it has in a message.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn union(&mut self, module: ModuleId, id: descriptor::UnionId) -> Result<RecordId> {
        if let Some(known) = self.union_ids.get(&(module, id)) {
            return Ok(*known);
        }
        let from = &self.modules[module.0].unions[id.index()];
        let mut arms = Vec::with_capacity(from.arms.len());
        for arm in &from.arms {
            let of = self.modules[module.0];
            let what = match arm.ty {
                ref ty if of.holds_portals(ty) => Some("what holds a portal"),
                ref ty => of.foreign_to_programs(ty),
            };
            if let Some(what) = what {
                return Err(ImportError::Field { of: from.name.clone(), field: arm.name.clone(), what });
            }
            let ty = self.ty(module, &arm.ty)?;
            arms.push(Arm { name: arm.name.clone(), ty, labels: arm.labels.clone() });
        }
        let case =
            Input { name: "case".to_owned(), ty: self.ty(module, &from.switch)?, range: range(&from.switch) };
        let fields = union_fields(case, from);
        let new = self.record(&from.name, fields)?;
        self.records[new.index()].union = Some(Union { scalars: from.shape.scalars as u16, arms });
        self.union_ids.insert((module, id), new);
        Ok(new)
    }

    /// Least and greatest integer that an arm of a union takes, where it is not every integer.
    #[must_use]
    pub fn arm_range(&self, id: RecordId, arm: usize) -> Option<(i64, i64)> {
        let of = self.union_ids.iter().find(|(_, known)| **known == id);
        of.and_then(|((module, id), _)| range(&self.modules[module.0].unions[id.index()].arms.get(arm)?.ty))
    }

    /// Adds a record.
    ///
    /// # Errors
    /// [`ImportError::RecordTooLarge`], [`ImportError::TooMany`].
    pub fn record(&mut self, name: &str, fields: Vec<Input>) -> Result<RecordId> {
        self.any_record(name, fields, None)
    }

    fn any_record(&mut self, name: &str, fields: Vec<Input>, list: Option<Ty>) -> Result<RecordId> {
        let new = RecordId(index(self.records.len(), "records")?);
        let size = self.size_of(fields.iter().map(|field| &field.ty), list.as_ref());
        if size.words > RECORD_WORDS_MAX || size.depth > RECORD_DEPTH_MAX {
            return Err(ImportError::RecordTooLarge(name.to_owned()));
        }
        let typed = fields.iter().map(|field| (field.name.clone(), field.ty.clone())).collect();
        self.records.push(Record { name: name.to_owned(), fields: typed, union: None, list });
        self.sizes.push(size);
        self.inputs.push(fields.into());
        Ok(new)
    }

    fn size(&self, ty: &Ty) -> Size {
        let bytes = match ty {
            Ty::Record(id) => return self.sizes[id.index()],
            Ty::Str(max) | Ty::Bytes(max) => *max as usize,
            _ => 0,
        };
        Size { words: 1, depth: 0, bytes, holds_portals: matches!(ty, Ty::Portal(_)) }
    }

    /// Of a record of these fields, which is this list within another value if it is one.
    fn size_of<'t>(&self, fields: impl Iterator<Item = &'t Ty>, list: Option<&Ty>) -> Size {
        let size = fields.map(|ty| self.size(ty)).fold(Size::NOTHING, Size::beside);
        match list {
            Some(Ty::List(of, _)) => Size { depth: size.depth + self.size(of).depth, ..size },
            _ => size,
        }
    }

    /// A list of at most `max` elements of this type, which keep its rules, as it is within another value.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn packed(&mut self, of: Ty, max: u32) -> Result<RecordId> {
        let bytes = self.packed_bytes(&of, max);
        let name = format!("list({}, {max})", self.type_name(&of));
        let list = Ty::List(Box::new(of), max);
        if let Some(known) = self.list_ids.get(&list) {
            return Ok(*known);
        }
        let field = Input { name: "(list)".to_owned(), ty: Ty::Bytes(bytes), range: None };
        let new = self.any_record(&name, vec![field], Some(list.clone()))?;
        self.list_ids.insert(list, new);
        Ok(new)
    }

    /// Most bytes that such a list is: its count, the words of its elements, and their texts.
    fn packed_bytes(&self, of: &Ty, max: u32) -> u32 {
        let Size { words, bytes, .. } = self.size(of);
        let element = words.saturating_mul(8).saturating_add(bytes);
        let elements = element.saturating_mul(max as usize).min(PACKED_BYTES_MAX);
        u32::try_from(8 + elements).unwrap_or(u32::MAX)
    }

    /// The list that a record is, if it is one within another value.
    #[must_use]
    pub fn list_of(&self, ty: &Ty) -> Option<&Ty> {
        let Ty::Record(id) = ty else { return None };
        self.records[id.index()].list.as_ref()
    }

    /// Whether it is a struct or array that holds portals, which no tree has as one value.
    #[must_use]
    pub fn is_apart(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Record(_)) && self.size(ty).holds_portals
    }

    /// Whether it is a list of portals, or of structs or arrays that hold some.
    #[must_use]
    pub fn lists_portals(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::List(of, _) if self.size(of).holds_portals)
    }

    /// The values that one of this type is in a tree, with their names behind that of the whole.
    #[must_use]
    pub fn values(&self, name: &str, of: &Input) -> Vec<Input> {
        match of.ty {
            Ty::Record(id) if self.is_apart(&of.ty) => {
                let fields = self.inputs[id.index()].iter();
                fields.flat_map(|field| self.values(&within(name, &field.name), field)).collect()
            }
            _ => vec![Input { name: name.to_owned(), ..of.clone() }],
        }
    }

    /// A type.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn ty(&mut self, module: ModuleId, ty: &Type) -> Result<Ty> {
        match ty {
            Type::List { of, max } => {
                let most = most(self.modules[module.0], of, *max);
                Ok(Ty::List(Box::new(self.part(module, of)?), most))
            }
            ty => self.part(module, ty),
        }
    }

    /// The type of a part of another value.
    fn part(&mut self, module: ModuleId, ty: &Type) -> Result<Ty> {
        Ok(match ty {
            Type::Bool => Ty::Bool,
            Type::Int { .. } | Type::Char => Ty::Int,
            Type::Float { bits } => Ty::Float(Precision::of_bits(*bits)),
            Type::Union(id) => Ty::Record(self.union(module, *id)?),
            Type::Array { of, len } => match ty.octets() {
                Some(len) => Ty::Bytes(len),
                None => Ty::Record(self.array(module, of, *len)?),
            },
            Type::Enum(id) => Ty::Enum(self.enumeration(module, *id)?),
            Type::String { max } => Ty::Str(*max),
            Type::Bytes { max } => Ty::Bytes(*max),
            Type::Struct(id) => Ty::Record(self.structure(module, *id)?),
            Type::List { of, max } => {
                let of = self.part(module, of)?;
                Ty::Record(self.packed(of, *max)?)
            }
            Type::Portal(id) => Ty::Portal(self.interface(module, *id)?),
        })
    }

    /// An array of `len` elements, as a record whose fields are named by their numbers.
    fn array(&mut self, module: ModuleId, of: &Type, len: u32) -> Result<RecordId> {
        let key = (module, of.clone(), len);
        if let Some(known) = self.array_ids.get(&key) {
            return Ok(*known);
        }
        let (element, range) = (self.part(module, of)?, range(of));
        let field = |k: u32| Input { name: k.to_string(), ty: element.clone(), range };
        let new = self.record(&self.array_name(&element, len), (0..len).map(field).collect())?;
        self.array_ids.insert(key, new);
        Ok(new)
    }

    /// `int[3]`, and of arrays of three such `int[2][3]`.
    fn array_name(&self, element: &Ty, len: u32) -> String {
        let of = self.type_name(element);
        let behind = of.rfind(')').unwrap_or(0);
        let inner = of[behind..].find('[').map_or(of.len(), |at| behind + at);
        format!("{}[{len}]{}", &of[..inner], &of[inner..])
    }

    /// A type as programs write it, but for names that several interface files have.
    fn type_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "int".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Float(precision) => precision.name().to_owned(),
            Ty::Enum(id) => self.enums[id.index()].name.clone(),
            Ty::Str(max) => format!("string({max})"),
            Ty::Bytes(max) => format!("bytes({max})"),
            Ty::Record(id) => self.records[id.index()].name.clone(),
            Ty::Portal(id) => self.interfaces[id.index()].name.clone(),
            Ty::List(of, max) => format!("list({}, {max})", self.type_name(of)),
        }
    }

    /// Operation `number` of an interface of the tree.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn operation(&mut self, interface: InterfaceId, number: u16) -> Result<Imported> {
        if let Some(known) = self.imported.get(&(interface, number)) {
            return Ok(known.clone());
        }
        let id = OpId(index(self.ops.len(), "operations")?);
        let module = self.origins[interface.index()].0;
        let from = &self.descriptor(interface).operations[usize::from(number)];
        if let Some(what) = self.modules[module.0].not_in_programs(from) {
            let operation = format!("{}.{}", self.interfaces[interface.index()].name, from.name);
            return Err(ImportError::Unsupported { operation, what });
        }
        let op = self.op(interface, module, from)?;
        let imported = self.described(id, &op, module, from);
        self.ops.push(op);
        self.imported.insert((interface, number), imported.clone());
        Ok(imported)
    }

    /// An operation of the tree as its interface has it.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn whole(&mut self, interface: InterfaceId, number: u16) -> Result<Whole> {
        let module = self.origins[interface.index()].0;
        let from = &self.descriptor(interface).operations[usize::from(number)];
        let cursor = from.paged.map(|paged| usize::from(paged.cursor));
        let mut params = Vec::new();
        for (at, param) in from.params.iter().enumerate() {
            if param.mode != Mode::Out && Some(at) != cursor {
                let ty = self.ty(module, &param.ty)?;
                params.push(Input { name: param.name.clone(), ty, range: range(&param.ty) });
            }
        }
        let mut groups = Vec::new();
        for (name, ty) in results(from) {
            let ty = self.ty(module, ty)?;
            self.groups(&name, &ty, &mut groups);
        }
        Ok(Whole { params, groups: groups.into() })
    }

    /// What in a type of this name holds portals, from outside in.
    pub fn groups(&self, name: &str, ty: &Ty, groups: &mut Vec<(String, Ty)>) {
        let Ty::Record(id) = ty else { return };
        if self.is_apart(ty) {
            groups.push((name.to_owned(), ty.clone()));
            let fields = self.inputs[id.index()].iter();
            fields.for_each(|field| self.groups(&within(name, &field.name), &field.ty, groups));
        }
    }

    /// How an operation is called.
    fn described(&self, id: OpId, op: &Op, module: ModuleId, from: &descriptor::Operation) -> Imported {
        let of = self.modules[module.0];
        let message_max = of.plain_exception(from).map_or(0, |(_, max)| max);
        let cursor = from.paged.map(|paged| usize::from(paged.cursor));
        let sent = sent(of, from);
        let mut visible: Vec<usize> =
            (0..sent.len()).filter(|k| sent[*k].param.is_some() && sent[*k].param != cursor).collect();
        visible.sort_by_key(|k| sent[*k].param);
        let input = |k: &usize| Input {
            name: sent[*k].name.clone(),
            ty: op.args[*k].clone(),
            range: range(sent[*k].ty),
        };
        let inputs = visible.iter().map(input).collect();
        let order = (0..sent.len()).map(|k| visible.iter().position(|visible| *visible == k)).collect();
        let parts = if op.gives_parts() { named(of, from, &op.results).into() } else { Arc::default() };
        Imported { id, inputs, order, parts, message_max }
    }

    fn op(&mut self, interface: InterfaceId, module: ModuleId, from: &descriptor::Operation) -> Result<Op> {
        let of = self.modules[module.0];
        let (sent, back) = (sent(of, from), back(of, from));
        let args = sent.iter().map(|value| self.sent_ty(module, value)).collect::<Result<_>>()?;
        let results: Vec<Ty> = back.iter().map(|value| self.sent_ty(module, value)).collect::<Result<_>>()?;
        let inouts = inouts(from, &sent);
        let paged = paged(from, &sent, &back);
        let value = match paged {
            Some(_) => None,
            None => self.value(interface, module, from, &results)?,
        };
        let raises = match of.plain_exception(from) {
            Some((kind, _)) => Some(self.enumeration(module, kind)?),
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

    fn sent_ty(&mut self, module: ModuleId, value: &Sent<'_>) -> Result<Ty> {
        if value.is_part { self.part(module, value.ty) } else { self.ty(module, value.ty) }
    }

    /// What a call is worth: nothing, the only result, or a record of all; nothing, too, if there are some that no record holds.
    fn value(
        &mut self,
        interface: InterfaceId,
        module: ModuleId,
        from: &descriptor::Operation,
        results: &[Ty],
    ) -> Result<Option<Ty>> {
        let of = self.modules[module.0];
        if results.len() < 2 {
            // A struct with nothing but a portal is no portal.
            let is_whole = back(of, from).iter().all(|value| !value.is_part);
            let is_value = |ty: &&Ty| is_whole && !self.lists_portals(ty);
            return Ok(results.first().filter(is_value).cloned());
        }
        if results.iter().any(|ty| matches!(ty, Ty::Portal(_) | Ty::List(..))) {
            return Ok(None);
        }
        let name = format!("{}.{}", self.interfaces[interface.index()].name, from.name);
        Ok(Some(Ty::Record(self.record(&name, named(of, from, results))?)))
    }
}

/// What the return value of an operation is called among its results.
pub(crate) fn return_name(from: &descriptor::Operation) -> &'static str {
    let taken = from.params.iter().any(|param| param.mode != Mode::In && param.name == "value");
    if taken { "result" } else { "value" }
}

/// What comes back, with the names that it has in programs; `results` are its types there.
fn named(of: &Module, from: &descriptor::Operation, results: &[Ty]) -> Vec<Input> {
    let named =
        |(value, ty): (Sent<'_>, &Ty)| Input { name: value.name, ty: ty.clone(), range: range(value.ty) };
    back(of, from).into_iter().zip(results).map(named).collect()
}

/// The words of a union: names that nobody can write, behind the first.
fn union_fields(case: Input, from: &descriptor::Union) -> Vec<Input> {
    let shape = from.shape;
    let of = |k: usize| if k <= shape.scalars { Ty::Int } else { Ty::Bytes(shape.bytes_max) };
    let words = (1..=shape.scalars + shape.references).map(|k| Input {
        name: format!("({k})"),
        ty: of(k),
        range: None,
    });
    std::iter::once(case).chain(words).collect()
}

/// Most elements of a list of these, whatever the interface says: a program holds no more portals in one.
pub(crate) fn most(module: &Module, of: &Type, max: u32) -> u32 {
    if module.holds_portals(of) { max.min(PORTALS_MAX) } else { max }
}

fn index(len: usize, what: &'static str) -> Result<u16> {
    u16::try_from(len).ok().filter(|index| *index < u16::MAX).ok_or(ImportError::TooMany(what))
}

/// A value that is sent or comes back: of a struct or array that holds portals, a part.
struct Sent<'m> {
    /// The parameter; the return value is none.
    param: Option<usize>,
    name: String,
    ty: &'m Type,
    is_part: bool,
}

/// What is sent, in the order of the message.
fn sent<'m>(of: &'m Module, from: &'m descriptor::Operation) -> Vec<Sent<'m>> {
    let mut sent = Vec::new();
    for mode in [Mode::In, Mode::InOut] {
        for (at, param) in from.params.iter().enumerate().filter(|(_, param)| param.mode == mode) {
            split(of, (Some(at), param.name.clone(), &param.ty), false, &mut sent);
        }
    }
    sent
}

/// What comes back, in the order of the message.
fn back<'m>(of: &'m Module, from: &'m descriptor::Operation) -> Vec<Sent<'m>> {
    let mut back = Vec::new();
    for ((param, _), (name, ty)) in given(from).into_iter().zip(results(from)) {
        split(of, (param, name, ty), false, &mut back);
    }
    back
}

/// Parameters that come back, and the return value, which is none, in the order of the message.
fn given(from: &descriptor::Operation) -> Vec<(Option<usize>, &Type)> {
    let params = || from.params.iter().enumerate();
    let of = |mode| params().filter(move |(_, p)| p.mode == mode).map(|(at, p)| (Some(at), &p.ty));
    of(Mode::InOut).chain(from.result.iter().map(|ty| (None, ty))).chain(of(Mode::Out)).collect()
}

/// The same with their names. Parts of the only one are named by themselves.
fn results(from: &descriptor::Operation) -> Vec<(String, &Type)> {
    let given = given(from);
    let name_of = |param: Option<usize>| match param {
        _ if given.len() == 1 => String::new(),
        Some(at) => from.params[at].name.clone(),
        None => return_name(from).to_owned(),
    };
    given.iter().map(|(param, ty)| (name_of(*param), *ty)).collect()
}

fn split<'m>(
    of: &'m Module,
    (param, name, ty): (Option<usize>, String, &'m Type),
    is_part: bool,
    into: &mut Vec<Sent<'m>>,
) {
    match ty {
        Type::Struct(id) if of.holds_portals(ty) => {
            for field in &of.structs[id.index()].fields {
                split(of, (param, within(&name, &field.name), &field.ty), true, into);
            }
        }
        Type::Array { of: element, len } if of.holds_portals(ty) => {
            (0..*len).for_each(|k| split(of, (param, within(&name, &k.to_string()), element), true, into));
        }
        ty => into.push(Sent { param, name, ty, is_part }),
    }
}

/// The name of a part of what has this name.
pub(crate) fn within(name: &str, part: &str) -> String {
    if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") }
}

fn inouts(from: &descriptor::Operation, sent: &[Sent<'_>]) -> u16 {
    let is_inout = |value: &&Sent<'_>| value.param.is_some_and(|at| from.params[at].mode == Mode::InOut);
    sent.iter().filter(is_inout).count() as u16
}

fn paged(from: &descriptor::Operation, sent: &[Sent<'_>], back: &[Sent<'_>]) -> Option<Paged> {
    let paged = from.paged?;
    let last = back.iter().position(|value| value.param == Some(usize::from(paged.last)))?;
    let cursor = position(sent, paged.cursor)?;
    Some(Paged { cursor, page: inouts(from, sent), last: last as u16, key: paged.key })
}

fn position(order: &[Sent<'_>], param: u16) -> Option<u16> {
    let at = order.iter().position(|value| value.param == Some(usize::from(param)));
    at.and_then(|at| u16::try_from(at).ok())
}

/// The integers that a type of an interface holds, if they are not all.
pub(crate) fn range(ty: &Type) -> Option<(i64, i64)> {
    match *ty {
        Type::Char => Some((0, 255)),
        Type::Int { bits: 64, signed: true } => None,
        Type::Int { bits: 64, signed: false } => Some((0, i64::MAX)),
        Type::Int { bits, signed: true } => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        Type::Int { bits, signed: false } => Some((0, (1 << bits) - 1)),
        _ => None,
    }
}
