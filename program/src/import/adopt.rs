//! The tables of a tree that is there already, held against the descriptors that they say they are of.
//!
//! A tree carries what it needs of its interfaces. Whoever extends it goes on with these tables; whoever runs one that was
//! received must know first that they are right, since the recursive interpreter believes them: an operation that writes and
//! is said to read would be counted as a read.

use std::sync::Arc;

use super::{Input, ModuleId, Tables, back, inouts, paged, position, range, sent, union_fields};
use crate::float::Precision;
use crate::tree::{EnumId, InterfaceId, Op, OpId, RecordId, Tree, Ty};
use carnet_idl::descriptor::{self, Module, Type};

/// Why a tree is none of the interfaces that are known here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misdescribed {
    /// It uses something that no module has.
    #[error("the tree uses {0}, which none of the interface files that are known here has")]
    Unknown(String),
    /// It says something else than the module.
    #[error("the tree describes {0} in another way than its interface file")]
    Differs(String),
}

type Result<T> = std::result::Result<T, Misdescribed>;

impl<'m> Tables<'m> {
    /// The tables of a tree that keeps the [rules of trees](Tree::check), and where each entry came from among `modules`.
    ///
    /// # Errors
    /// [`Misdescribed::Unknown`], [`Misdescribed::Differs`].
    pub fn adopt(tree: &Tree, modules: &[&'m Module]) -> Result<Tables<'m>> {
        let mut tables = Tables::new(modules);
        for used in &tree.interfaces {
            let unknown = || Misdescribed::Unknown(format!("{}.{}", used.module, used.name));
            let (module, of) = tables.module(&used.module).ok_or_else(unknown)?;
            tables.origins.push((module, of.interface(&used.name).ok_or_else(unknown)?));
        }
        tables.interfaces.clone_from(&tree.interfaces);
        tables.enums.clone_from(&tree.enums);
        for record in &tree.records {
            let size = tables.size_of(record.fields.iter().map(|(_, ty)| ty), record.list.as_ref());
            let fields = record.fields.iter();
            let inputs = fields.map(|(name, ty)| Input { name: name.clone(), ty: ty.clone(), range: None });
            tables.sizes.push(size);
            tables.inputs.push(inputs.collect());
        }
        tables.records.clone_from(&tree.records);
        for (k, record) in tree.records.iter().enumerate() {
            if let Some(list @ Ty::List(of, max)) = &record.list
                && let [(name, Ty::Bytes(bytes))] = &record.fields[..]
                && (name.as_str(), *bytes) == ("(list)", tables.packed_bytes(of, *max))
            {
                tables.list_ids.entry(list.clone()).or_insert(RecordId(k as u16));
            }
        }
        tables.ops.clone_from(&tree.ops);
        (0..tree.enums.len()).try_for_each(|k| tables.adopt_enum(EnumId(k as u16)))?;
        (0..tree.ops.len()).try_for_each(|k| tables.adopt_op(OpId(k as u16)))?;
        Ok(tables)
    }

    /// Records of the program itself: no structs or unions, and not what a call is worth.
    pub(crate) fn own_records<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = RecordId> + 't {
        let ids = (0..tree.records.len()).map(|k| RecordId(k as u16));
        ids.filter(|id| {
            let is_struct = self.struct_ids.values().any(|of| of == id);
            let record = &tree.records[id.index()];
            let is_own = record.union.is_none() && record.list.is_none();
            !is_struct && is_own && !tree.ops.iter().any(|op| op.value == Some(Ty::Record(*id)))
        })
    }

    fn adopt_enum(&mut self, id: EnumId) -> Result<()> {
        let used = &self.enums[id.index()];
        for (m, module) in self.modules.iter().enumerate() {
            let Some(k) = module.enums.iter().position(|of| of.hash == used.hash) else { continue };
            if module.enums[k].values != used.values {
                return Err(Misdescribed::Differs(used.name.clone()));
            }
            self.enum_ids.entry((ModuleId(m), descriptor::EnumId(k as u16))).or_insert(id);
        }
        Ok(())
    }

    fn adopt_op(&mut self, id: OpId) -> Result<()> {
        let op = self.ops[id.index()].clone();
        let (module, _) = self.origins[op.interface.index()];
        let described = self.descriptor(op.interface);
        let Some(number) = described.operations.iter().position(|from| from.hash == op.hash) else {
            return Err(Misdescribed::Unknown(self.op_name(id)));
        };
        let from = &described.operations[number];
        if !self.is_as_described(&op, module, from) {
            return Err(Misdescribed::Differs(self.op_name(id)));
        }
        let imported = self.described(id, &op, module, from);
        self.imported.entry((op.interface, number as u16)).or_insert(imported);
        Ok(())
    }

    fn is_as_described(&mut self, op: &Op, module: ModuleId, from: &descriptor::Operation) -> bool {
        let of = self.modules[module.0];
        let (sent, back) = (sent(of, from), back(of, from));
        let raises = self.modules[module.0].plain_exception(from).map(|(kind, _)| kind);
        let raises = raises.and_then(|kind| self.enum_ids.get(&(module, kind)).copied());
        let hash_of = |id: Option<EnumId>| id.map(|id| self.enums[id.index()].hash);
        let same = self.modules[module.0].not_in_programs(from).is_none()
            && op.name == from.name
            && op.effect == from.effect
            && op.inouts == inouts(from, &sent)
            && op.cost == from.cost.and_then(|at| position(&sent, at))
            && op.paged == paged(from, &sent, &back)
            && hash_of(op.raises) == hash_of(raises)
            && op.args.len() == sent.len()
            && op.results.len() == back.len();
        let (args, results) = (sent.iter().zip(&op.args), back.iter().zip(&op.results));
        same && args.chain(results).all(|(value, ty)| match value.is_part {
            true => self.is_part_of(module, value.ty, ty),
            false => self.is_of(module, value.ty, ty),
        })
    }

    /// Whether a type of the tree is this one of a module; where its parts come from is noted.
    fn is_of(&mut self, module: ModuleId, from: &Type, ty: &Ty) -> bool {
        match (from, ty) {
            (Type::List { of, max }, Ty::List(element, most)) => {
                super::most(self.modules[module.0], of, *max) == *most && self.is_part_of(module, of, element)
            }
            (Type::List { .. }, _) => false,
            (from, ty) => self.is_part_of(module, from, ty),
        }
    }

    /// The same of a part of another value.
    fn is_part_of(&mut self, module: ModuleId, from: &Type, ty: &Ty) -> bool {
        match (from, ty) {
            (Type::Bool, Ty::Bool) | (Type::Int { .. } | Type::Char, Ty::Int) => true,
            (Type::Float { bits }, Ty::Float(precision)) => Precision::of_bits(*bits) == *precision,
            (Type::String { max }, Ty::Str(most)) | (Type::Bytes { max }, Ty::Bytes(most)) => max == most,
            (Type::Enum(id), Ty::Enum(of)) => {
                self.enums[of.index()].hash == self.modules[module.0].enums[id.index()].hash
            }
            (Type::Struct(id), Ty::Record(of)) => self.is_struct(module, *id, *of),
            (Type::Union(id), Ty::Record(of)) => self.is_union(module, *id, *of),
            (Type::List { .. }, Ty::Record(id)) => {
                let list = self.records[id.index()].list.clone();
                list.is_some_and(|list| {
                    self.list_ids.get(&list) == Some(id) && self.is_of(module, from, &list)
                })
            }
            (Type::Array { .. }, Ty::Bytes(most)) => from.octets() == Some(*most),
            (Type::Array { of, len }, Ty::Record(id)) => {
                from.octets().is_none() && self.is_array(module, of, *len, *id)
            }
            (Type::Portal(id), Ty::Portal(of)) => self.is_interface(module, *id, *of),
            _ => false,
        }
    }

    fn is_interface(&self, module: ModuleId, id: descriptor::InterfaceId, of: InterfaceId) -> bool {
        self.origins[of.index()] == (module, id)
    }

    fn is_array(&mut self, module: ModuleId, of: &Type, len: u32, id: RecordId) -> bool {
        let record = self.records[id.index()].clone();
        let same = record.fields.len() == len as usize
            && record
                .fields
                .iter()
                .enumerate()
                .all(|(k, (name, ty))| *name == k.to_string() && self.is_part_of(module, of, ty));
        if same {
            self.array_ids.entry((module, of.clone(), len)).or_insert(id);
        }
        same
    }

    fn is_union(&mut self, module: ModuleId, id: descriptor::UnionId, of: RecordId) -> bool {
        if self.union_ids.get(&(module, id)) == Some(&of) {
            return true;
        }
        let from = &self.modules[module.0].unions[id.index()];
        let record = self.records[of.index()].clone();
        let (Some((name, case)), Some(union)) = (record.fields.first(), &record.union) else { return false };
        let first = Input { name: "case".to_owned(), ty: case.clone(), range: range(&from.switch) };
        let fields = union_fields(first, from);
        let arms = || from.arms.iter().zip(&union.arms);
        let same = name == "case"
            && self.is_of(module, &from.switch, case)
            && usize::from(union.scalars) == from.shape.scalars
            && record.fields.iter().map(|(name, ty)| (name, ty)).eq(fields.iter().map(|f| (&f.name, &f.ty)))
            && from.arms.len() == union.arms.len()
            && arms().all(|(from, arm)| from.name == arm.name && from.labels == arm.labels)
            && arms().all(|(from, arm)| self.is_of(module, &from.ty, &arm.ty));
        if same {
            self.inputs[of.index()] = fields.into();
            self.union_ids.entry((module, id)).or_insert(of);
        }
        same
    }

    fn is_struct(&mut self, module: ModuleId, id: descriptor::StructId, of: RecordId) -> bool {
        if self.struct_ids.get(&(module, id)) == Some(&of) {
            return true;
        }
        let from = &self.modules[module.0].structs[id.index()];
        let record = self.records[of.index()].clone();
        let same = from.fields.len() == record.fields.len()
            && from
                .fields
                .iter()
                .zip(&record.fields)
                .all(|(from, (name, ty))| from.name == *name && self.is_part_of(module, &from.ty, ty));
        if same {
            let fields = from.fields.iter().zip(&record.fields);
            let inputs: Vec<Input> = fields
                .map(|(from, (name, ty))| Input {
                    name: name.clone(),
                    ty: ty.clone(),
                    range: range(&from.ty),
                })
                .collect();
            self.inputs[of.index()] = Arc::from(inputs);
            self.struct_ids.entry((module, id)).or_insert(of);
        }
        same
    }
}
