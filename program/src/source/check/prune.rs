//! What a program does not use leaves its tables, so that nobody must know it to run the program.
//!
//! Functions that nobody calls and records that nobody makes have named operations, interfaces, enums and
//! records. What is used: by the body, the variables and the result; and what these are made of.

use super::walk::{Id, walk_block};
use crate::tree::{EnumId, InterfaceId, OpId, RecordId, Tree, Ty};

/// Leaves in the tables of `tree` only what it uses.
pub(super) fn prune(tree: &mut Tree) {
    let mut used = Used {
        interfaces: vec![false; tree.interfaces.len()],
        enums: vec![false; tree.enums.len()],
        records: vec![false; tree.records.len()],
        ops: vec![false; tree.ops.len()],
    };
    used.mark_body(tree);
    used.mark_types(tree);
    let numbers = Numbers {
        interfaces: numbers(&used.interfaces),
        enums: numbers(&used.enums),
        records: numbers(&used.records),
        ops: numbers(&used.ops),
    };
    keep(&mut tree.interfaces, &used.interfaces);
    keep(&mut tree.enums, &used.enums);
    keep(&mut tree.records, &used.records);
    keep(&mut tree.ops, &used.ops);
    numbers.renumber(tree);
}

struct Used {
    interfaces: Vec<bool>,
    enums: Vec<bool>,
    records: Vec<bool>,
    ops: Vec<bool>,
}

impl Used {
    fn mark_body(&mut self, tree: &mut Tree) {
        walk_block(&mut tree.body, &mut |id| match id {
            Id::Op(id) => self.ops[id.index()] = true,
            Id::Enum(id) => self.enums[id.index()] = true,
            Id::Record(id) => self.records[id.index()] = true,
            Id::Var(_) | Id::Node(_) | Id::Stmt(_) => {}
        });
    }

    fn mark_types(&mut self, tree: &Tree) {
        tree.vars.iter().for_each(|var| self.mark(&var.ty));
        tree.result.iter().for_each(|ty| self.mark(ty));
        for op in tree.ops.iter().zip(self.ops.clone()).filter(|(_, used)| *used).map(|(op, _)| op) {
            self.interfaces[op.interface.index()] = true;
            op.args.iter().chain(&op.results).chain(&op.value).for_each(|ty| self.mark(ty));
            op.raises.iter().for_each(|id| self.enums[id.index()] = true);
        }
        // A record holds earlier ones only.
        for (at, record) in tree.records.iter().enumerate().rev() {
            if self.records[at] {
                record.fields.iter().for_each(|(_, ty)| self.mark(ty));
                record.union.iter().flat_map(|union| &union.arms).for_each(|arm| self.mark(&arm.ty));
                record.list.iter().for_each(|list| self.mark(list));
            }
        }
    }

    fn mark(&mut self, ty: &Ty) {
        match ty {
            Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Str(_) | Ty::Bytes(_) => {}
            Ty::Enum(id) => self.enums[id.index()] = true,
            Ty::Record(id) => self.records[id.index()] = true,
            Ty::Portal(id) => self.interfaces[id.index()] = true,
            Ty::List(of, _) => self.mark(of),
        }
    }
}

/// The new index of each entry that stays.
fn numbers(used: &[bool]) -> Vec<u16> {
    let mut next = 0;
    let number = |used: &bool| {
        let number = next;
        next += u16::from(*used);
        number
    };
    used.iter().map(number).collect()
}

fn keep<T>(table: &mut Vec<T>, used: &[bool]) {
    let mut used = used.iter();
    table.retain(|_| used.next().is_some_and(|used| *used));
}

struct Numbers {
    interfaces: Vec<u16>,
    enums: Vec<u16>,
    records: Vec<u16>,
    ops: Vec<u16>,
}

impl Numbers {
    fn renumber(&self, tree: &mut Tree) {
        walk_block(&mut tree.body, &mut |id| match id {
            Id::Op(id) => *id = OpId(self.ops[id.index()]),
            Id::Enum(id) => self.enumeration(id),
            Id::Record(id) => *id = RecordId(self.records[id.index()]),
            Id::Var(_) | Id::Node(_) | Id::Stmt(_) => {}
        });
        let vars = tree.vars.iter_mut().map(|var| &mut var.ty);
        let fields = tree.records.iter_mut().flat_map(|record| {
            let arms = record.union.iter_mut().flat_map(|union| union.arms.iter_mut().map(|arm| &mut arm.ty));
            record.fields.iter_mut().map(|(_, ty)| ty).chain(arms).chain(&mut record.list)
        });
        vars.chain(fields).chain(&mut tree.result).for_each(|ty| self.ty(ty));
        for op in &mut tree.ops {
            op.interface = InterfaceId(self.interfaces[op.interface.index()]);
            op.args.iter_mut().chain(&mut op.results).chain(&mut op.value).for_each(|ty| self.ty(ty));
            op.raises.iter_mut().for_each(|id| self.enumeration(id));
        }
    }

    fn enumeration(&self, id: &mut EnumId) {
        *id = EnumId(self.enums[id.index()]);
    }

    fn ty(&self, ty: &mut Ty) {
        match ty {
            Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Str(_) | Ty::Bytes(_) => {}
            Ty::Enum(id) => self.enumeration(id),
            Ty::Record(id) => *id = RecordId(self.records[id.index()]),
            Ty::Portal(id) => *id = InterfaceId(self.interfaces[id.index()]),
            Ty::List(of, _) => self.ty(of),
        }
    }
}
