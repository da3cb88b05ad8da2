//! The tables of a tree for everything in an interface file, with records of the program's own beside.

use carnet_idl::descriptor::{Mode, Module, Operation, Type};
use carnet_program::float::Precision;
use carnet_program::tree::{
    Arm, Block, EnumId, EnumUse, InterfaceId, InterfaceUse, Op, Paged, Record, RecordId, Texts, Tree, Ty,
    Union,
};

/// A tree without a body that may use all of `module`. Its interfaces, enums and structs have the numbers that
/// they have in the module, and unions come behind structs.
#[must_use]
pub fn tree_of(module: &Module, own: Vec<Record>) -> Tree {
    let record = |s: &carnet_idl::descriptor::Struct| Record {
        name: s.name.clone(),
        // What holds arrays of portals is no record of such a tree; one without a use has its number.
        fields: match s.fields.iter().any(|field| holds_arrays_of_portals(module, &field.ty)) {
            true => vec![("none".to_owned(), Ty::Int)],
            false => s.fields.iter().map(|field| (field.name.clone(), ty(module, &field.ty))).collect(),
        },
        union: None,
        list: None,
    };
    let unions = module.unions.iter().map(|union| union_of(module, union));
    let mut tree = Tree {
        name: "generated".to_owned(),
        interfaces: module
            .interfaces
            .iter()
            .map(|i| InterfaceUse { module: module.name.clone(), name: i.name.clone(), texts: Texts::Root })
            .collect(),
        enums: module
            .enums
            .iter()
            .map(|e| EnumUse { name: e.name.clone(), hash: e.hash, values: e.values.clone() })
            .collect(),
        records: module.structs.iter().map(record).chain(unions).chain(own).collect(),
        ops: Vec::new(),
        vars: Vec::new(),
        params: Vec::new(),
        result: None,
        caps: Vec::new(),
        body: Block::default(),
    };
    for (k, interface) in module.interfaces.iter().enumerate() {
        for operation in &interface.operations {
            let op = op(&mut tree, module, InterfaceId(k as u16), operation);
            tree.ops.push(op);
        }
    }
    tree
}

fn holds_arrays_of_portals(module: &Module, ty: &Type) -> bool {
    match ty {
        Type::Array { of, .. } => module.holds_portals(of),
        Type::Struct(id) => {
            let fields = &module.structs[id.index()].fields;
            fields.iter().any(|field| holds_arrays_of_portals(module, &field.ty))
        }
        _ => false,
    }
}

/// A union: its case, and the words that its arms share, with names that nobody can write.
fn union_of(module: &Module, from: &carnet_idl::descriptor::Union) -> Record {
    let shape = from.shape;
    let word = |k: usize| if k <= shape.scalars { Ty::Int } else { Ty::Bytes(shape.bytes_max) };
    let words = (1..=shape.scalars + shape.references).map(|k| (format!("({k})"), word(k)));
    let arm = |arm: &carnet_idl::descriptor::Arm| Arm {
        name: arm.name.clone(),
        ty: ty(module, &arm.ty),
        labels: arm.labels.clone(),
    };
    Record {
        name: from.name.clone(),
        fields: std::iter::once(("case".to_owned(), ty(module, &from.switch))).chain(words).collect(),
        union: Some(Union { scalars: shape.scalars as u16, arms: from.arms.iter().map(arm).collect() }),
        list: None,
    }
}

/// The type of programs for a type of interfaces.
#[must_use]
pub fn ty(module: &Module, from: &Type) -> Ty {
    match from {
        Type::Bool => Ty::Bool,
        Type::Int { .. } | Type::Char => Ty::Int,
        Type::Float { bits } => Ty::Float(Precision::of_bits(*bits)),
        // What programs refuse; the interface that this is for has none of it.
        Type::Array { .. } => Ty::Int,
        Type::Union(id) => Ty::Record(RecordId(module.structs.len() as u16 + id.0)),
        Type::Enum(id) => Ty::Enum(EnumId(id.0)),
        Type::String { max } => Ty::Str(*max),
        Type::Bytes { max } => Ty::Bytes(*max),
        Type::Struct(id) => Ty::Record(RecordId(id.0)),
        Type::List { of, max } => Ty::List(Box::new(ty(module, of)), *max),
        Type::Portal(id) => Ty::Portal(InterfaceId(id.0)),
    }
}

/// The values that one of this type is in a tree: of what holds portals, its parts.
fn split(module: &Module, from: &Type) -> Vec<Ty> {
    match from {
        Type::Struct(id) if module.holds_portals(from) => {
            module.structs[id.index()].fields.iter().flat_map(|field| split(module, &field.ty)).collect()
        }
        Type::Array { of, len } if module.holds_portals(of) => {
            (0..*len).flat_map(|_| split(module, of)).collect()
        }
        from => vec![ty(module, from)],
    }
}

fn op(tree: &mut Tree, module: &Module, interface: InterfaceId, from: &Operation) -> Op {
    let of = |mode: Mode| (0..from.params.len()).filter(move |k| from.params[*k].mode == mode);
    let parts = |k: usize| split(module, &from.params[k].ty).into_iter().map(move |ty| (k, ty));
    let sent: Vec<(usize, Ty)> = of(Mode::In).chain(of(Mode::InOut)).flat_map(parts).collect();
    let place = |param: u16| sent.iter().position(|(k, _)| *k == usize::from(param)).unwrap_or(0) as u16;
    let inouts: Vec<Ty> = of(Mode::InOut).flat_map(parts).map(|(_, ty)| ty).collect();
    let outs = of(Mode::Out).flat_map(parts).map(|(_, ty)| ty);
    let result = from.result.iter().flat_map(|ty| split(module, ty));
    let results: Vec<Ty> = inouts.iter().cloned().chain(result).chain(outs).collect();
    let paged = from.paged.map(|paged| Paged {
        cursor: place(paged.cursor),
        page: inouts.len() as u16,
        last: (results.len() - 1) as u16,
        key: paged.key,
    });
    let value = match results.as_slice() {
        // A struct with nothing but a portal is no portal.
        [_] if from
            .result
            .as_ref()
            .is_some_and(|ty| !matches!(ty, Type::Portal(_)) && module.holds_portals(ty)) =>
        {
            None
        }
        _ if paged.is_some() => None,
        [] => None,
        [only] if tree.lists_portals(only) => None,
        [only] => Some(only.clone()),
        // Each goes into a variable of its own.
        several if several.iter().any(|ty| matches!(ty, Ty::Portal(_) | Ty::List(..))) => None,
        several => {
            let fields = several.iter().enumerate().map(|(k, ty)| (format!("v{k}"), ty.clone())).collect();
            tree.records.push(Record { name: from.name.clone(), fields, union: None, list: None });
            Some(Ty::Record(RecordId(tree.records.len() as u16 - 1)))
        }
    };
    Op {
        interface,
        name: from.name.clone(),
        hash: from.hash,
        effect: from.effect,
        args: sent.iter().map(|(_, ty)| ty.clone()).collect(),
        inouts: inouts.len() as u16,
        results,
        value,
        cost: from.cost.map(place),
        paged,
        raises: module.plain_exception(from).map(|(kind, _)| EnumId(kind.0)),
    }
}
