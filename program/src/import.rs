//! From descriptors of interfaces to the tables of a tree: interfaces, enums, records and operations, each once, in
//! the order of their first use.
//!
//! It knows nothing of source text: the [`builder`](crate::builder) uses it as it is, the checker of
//! [`source`](crate::source) adds places to its errors. Values travel as [`tree`](crate::tree) says: the values sent are those of `in`, then `inout` parameters; what comes back is
//! `inout`, return value, `out`; a call that gives back several scalars is worth a record of them, and if there are portals or
//! lists among them, each goes into a variable of its own. The cursor of a paged operation is no argument of the caller's.
//!
//! What programs cannot hold is refused where it is first used: structs with lists or portals.
//!
//! `import/adopt.rs` goes the other way: from the tables of a tree that is there already to where they came from.

mod adopt;

use std::collections::HashMap;
use std::sync::Arc;

use carnet_idl::descriptor::{self, Mode, Module, Type};

pub use adopt::Misdescribed;

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
    /// A struct of a module has a field that is a portal.
    #[error("`{of}` of {module} has a `{field}` that records of programs cannot hold")]
    Struct {
        /// The module.
        module: String,
        /// The struct.
        of: String,
        /// The field.
        field: String,
    },
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
    /// What the caller gives, in order of declaration.
    pub inputs: Arc<[Input]>,
    /// For each of [`Op::args`] the input that it is; `None` for the cursor.
    pub order: Arc<[Option<usize>]>,
    /// If it [gives parts](Op::gives_parts): names and types of [`Op::results`]. Else nothing.
    pub parts: Arc<[Input]>,
    /// Bound of its exception's message, 0 if it raises none.
    pub message_max: u32,
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
}

impl Size {
    /// With a field of this size.
    fn beside(self, field: Size) -> Size {
        Size { words: self.words + field.words, depth: self.depth.max(field.depth + 1) }
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
            if later || matches!(field.ty, Type::Portal(_)) {
                let (of, field) = (from.name.clone(), field.name.clone());
                return Err(ImportError::Struct { module: self.modules[module.0].name.clone(), of, field });
            }
            let what = match field.ty {
                Type::List { .. } => Some("a list"),
                ref ty => self.modules[module.0].foreign_to_programs(ty),
            };
            if let Some(what) = what {
                let (of, field) = (from.name.clone(), field.name.clone());
                return Err(ImportError::Field { of, field, what });
            }
            let (name, range) = (field.name.clone(), range(&field.ty));
            fields.push(Input { name, ty: self.ty(module, &field.ty)?, range });
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
            let what = match arm.ty {
                Type::List { .. } => Some("a list"),
                Type::Portal(_) => Some("a portal"),
                ref ty => self.modules[module.0].foreign_to_programs(ty),
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
        let new = RecordId(index(self.records.len(), "records")?);
        let sizes = fields.iter().map(|field| self.size(&field.ty));
        let size = sizes.fold(Size { words: 0, depth: 0 }, Size::beside);
        if size.words > RECORD_WORDS_MAX || size.depth > RECORD_DEPTH_MAX {
            return Err(ImportError::RecordTooLarge(name.to_owned()));
        }
        let typed = fields.iter().map(|field| (field.name.clone(), field.ty.clone())).collect();
        self.records.push(Record { name: name.to_owned(), fields: typed, union: None });
        self.sizes.push(size);
        self.inputs.push(fields.into());
        Ok(new)
    }

    fn size(&self, ty: &Ty) -> Size {
        match ty {
            Ty::Record(id) => self.sizes[id.index()],
            _ => Size { words: 1, depth: 0 },
        }
    }

    /// A type.
    ///
    /// # Errors
    /// [`ImportError`].
    pub fn ty(&mut self, module: ModuleId, ty: &Type) -> Result<Ty> {
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
            Type::List { of, max } => Ty::List(Box::new(self.ty(module, of)?), *max),
            Type::Portal(id) => Ty::Portal(self.interface(module, *id)?),
        })
    }

    /// An array of `len` elements, as a record whose fields are named by their numbers.
    fn array(&mut self, module: ModuleId, of: &Type, len: u32) -> Result<RecordId> {
        let key = (module, of.clone(), len);
        if let Some(known) = self.array_ids.get(&key) {
            return Ok(*known);
        }
        let (element, range) = (self.ty(module, of)?, range(of));
        let field = |k: u32| Input { name: k.to_string(), ty: element.clone(), range };
        let new = self.record(&self.array_name(&element, len), (0..len).map(field).collect())?;
        self.array_ids.insert(key, new);
        Ok(new)
    }

    /// `int[3]`, and of arrays of three such `int[2][3]`.
    fn array_name(&self, element: &Ty, len: u32) -> String {
        let of = match element {
            Ty::Int => "int".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Float(precision) => precision.name().to_owned(),
            Ty::Enum(id) => self.enums[id.index()].name.clone(),
            Ty::Str(max) => format!("string({max})"),
            Ty::Bytes(max) => format!("bytes({max})"),
            Ty::Record(id) => self.records[id.index()].name.clone(),
            Ty::List(..) | Ty::Portal(_) => String::new(),
        };
        let inner = of.find('[').unwrap_or(of.len());
        format!("{}[{len}]{}", &of[..inner], &of[inner..])
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

    /// How an operation is called.
    fn described(&self, id: OpId, op: &Op, module: ModuleId, from: &descriptor::Operation) -> Imported {
        let message_max = self.modules[module.0].plain_exception(from).map_or(0, |(_, max)| max);
        let cursor = from.paged.map(|paged| usize::from(paged.cursor));
        let sent = sent(from);
        let visible: Vec<usize> =
            (0..from.params.len()).filter(|at| sent.contains(at) && Some(*at) != cursor).collect();
        let input = |at: &usize| Input {
            name: from.params[*at].name.clone(),
            ty: op.args[sent.iter().position(|sent| sent == at).unwrap_or(0)].clone(),
            range: range(&from.params[*at].ty),
        };
        let inputs = visible.iter().map(input).collect();
        let order = sent.iter().map(|at| visible.iter().position(|visible| visible == at)).collect();
        let parts = if op.gives_parts() { named(from, &op.results).into() } else { Arc::default() };
        Imported { id, inputs, order, parts, message_max }
    }

    fn op(&mut self, interface: InterfaceId, module: ModuleId, from: &descriptor::Operation) -> Result<Op> {
        let (sent, back) = (sent(from), back(from));
        let args = sent.iter().map(|at| self.ty(module, &from.params[*at].ty)).collect::<Result<_>>()?;
        let results: Vec<Ty> = back.iter().map(|(_, ty)| self.ty(module, ty)).collect::<Result<_>>()?;
        let inouts = from.params.iter().filter(|param| param.mode == Mode::InOut).count() as u16;
        let paged = from.paged.and_then(|paged| {
            let last = back.iter().position(|(at, _)| *at == Some(usize::from(paged.last)))?;
            let cursor = position(&sent, paged.cursor)?;
            Some(Paged { cursor, page: inouts, last: last as u16, key: paged.key })
        });
        let value = match paged {
            Some(_) => None,
            None => self.value(interface, from, &results)?,
        };
        let raises = match self.modules[module.0].plain_exception(from) {
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

    /// What a call is worth: nothing, the only result, or a record of all; nothing, too, if there are some that no record holds.
    fn value(
        &mut self,
        interface: InterfaceId,
        from: &descriptor::Operation,
        results: &[Ty],
    ) -> Result<Option<Ty>> {
        if results.len() < 2 {
            return Ok(results.first().cloned());
        }
        if results.iter().any(|ty| matches!(ty, Ty::Portal(_) | Ty::List(..))) {
            return Ok(None);
        }
        let name = format!("{}.{}", self.interfaces[interface.index()].name, from.name);
        Ok(Some(Ty::Record(self.record(&name, named(from, results))?)))
    }
}

/// What the return value of an operation is called among its results.
pub(crate) fn return_name(from: &descriptor::Operation) -> &'static str {
    let taken = from.params.iter().any(|param| param.mode != Mode::In && param.name == "value");
    if taken { "result" } else { "value" }
}

/// What comes back, with the names that it has in programs; `results` are its types there.
fn named(from: &descriptor::Operation, results: &[Ty]) -> Vec<Input> {
    let name_of = |param: Option<usize>| match param {
        Some(at) => from.params[at].name.clone(),
        None => return_name(from).to_owned(),
    };
    let named = |((param, from), ty): ((_, &Type), &Ty)| Input {
        name: name_of(param),
        ty: ty.clone(),
        range: range(from),
    };
    back(from).into_iter().zip(results).map(named).collect()
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

fn index(len: usize, what: &'static str) -> Result<u16> {
    u16::try_from(len).ok().filter(|index| *index < u16::MAX).ok_or(ImportError::TooMany(what))
}

/// Indices of the parameters that are sent, in the order of the message.
fn sent(from: &descriptor::Operation) -> Vec<usize> {
    let of = |mode| (0..from.params.len()).filter(move |at| from.params[*at].mode == mode);
    of(Mode::In).chain(of(Mode::InOut)).collect()
}

/// What comes back, in the order of the message; the return value is no parameter.
fn back(from: &descriptor::Operation) -> Vec<(Option<usize>, &Type)> {
    let params = || from.params.iter().enumerate();
    let of = |mode| params().filter(move |(_, p)| p.mode == mode).map(|(at, p)| (Some(at), &p.ty));
    of(Mode::InOut).chain(from.result.iter().map(|ty| (None, ty))).chain(of(Mode::Out)).collect()
}

fn position(order: &[usize], param: u16) -> Option<u16> {
    order.iter().position(|at| *at == usize::from(param)).and_then(|at| u16::try_from(at).ok())
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
