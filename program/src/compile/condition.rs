//! Conditions: branches instead of values.

use super::{CompileError, Compiler, Point, Storage};
use crate::bytecode::{Op, SlotType};
use crate::tree::{Expr, ExprKind, Rel};

type Result<T> = std::result::Result<T, CompileError>;

/// When a branch is taken.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum When {
    /// When its condition holds.
    Holds,
    /// When it does not.
    Fails,
}

impl When {
    fn other(self) -> When {
        match self {
            When::Holds => When::Fails,
            When::Fails => When::Holds,
        }
    }
}

impl Compiler<'_> {
    /// Branches to `label` when the condition holds, or when it fails; else goes on behind.
    pub(super) fn branch(&mut self, cond: &Expr, label: u16, when: When) -> Result<()> {
        match &cond.kind {
            ExprKind::Not(of) => self.branch(of, label, when.other()),
            ExprKind::And(parts) => self.branch_chain(parts, When::Fails, label, when),
            ExprKind::Or(parts) => self.branch_chain(parts, When::Holds, label, when),
            ExprKind::Bool(value) => {
                if *value == (when == When::Holds) {
                    self.jump(label);
                }
                Ok(())
            }
            ExprKind::Compare(rel, left, right) if self.is_integral(left) => {
                let rel = if when == When::Holds { *rel } else { rel.negated() };
                self.compare_branch(rel, left, right, label)
            }
            _ => {
                let value = self.expr(cond)?;
                let slot = self.in_slot(value, SlotType::Bool)?;
                let op = if when == When::Holds { Op::JumpNeI } else { Op::JumpEqI };
                self.emit(op, slot, 0, label, 0);
                Ok(())
            }
        }
    }

    /// As [`Compiler::branch`]; the first of `parts` that `decides` makes those behind it not matter.
    fn branch_chain(&mut self, parts: &[Expr], decides: When, label: u16, when: When) -> Result<()> {
        let skip = if decides == when { label } else { self.new_label()? };
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.mark(part, Point::Right);
            }
            if at + 1 == parts.len() {
                self.branch(part, label, when)?;
            } else {
                self.branch(part, skip, decides)?;
            }
        }
        if skip != label {
            self.bind(skip);
        }
        Ok(())
    }

    fn compare_branch(&mut self, rel: Rel, left: &Expr, right: &Expr, label: u16) -> Result<()> {
        let ty = self.scalar_type(left);
        let (a, b) = (self.expr(left)?, self.expr(right)?);
        match (a, b) {
            (Storage::Imm(n), Storage::Slot(b)) => {
                self.emit(jump_i(mirrored(rel)), b, 0, label, n as u64);
            }
            (a, Storage::Imm(n)) => {
                let a = self.in_slot(a, ty)?;
                self.emit(jump_i(rel), a, 0, label, n as u64);
            }
            (a, b) => {
                let (a, b) = (self.in_slot(a, ty)?, self.in_slot(b, ty)?);
                self.emit(jump(rel), a, b, label, 0);
            }
        }
        Ok(())
    }
}

fn jump(rel: Rel) -> Op {
    match rel {
        Rel::Eq => Op::JumpEq,
        Rel::Ne => Op::JumpNe,
        Rel::Lt => Op::JumpLt,
        Rel::Le => Op::JumpLe,
        Rel::Gt => Op::JumpGt,
        Rel::Ge => Op::JumpGe,
    }
}

fn jump_i(rel: Rel) -> Op {
    match rel {
        Rel::Eq => Op::JumpEqI,
        Rel::Ne => Op::JumpNeI,
        Rel::Lt => Op::JumpLtI,
        Rel::Le => Op::JumpLeI,
        Rel::Gt => Op::JumpGtI,
        Rel::Ge => Op::JumpGeI,
    }
}

/// The relation with its sides exchanged.
fn mirrored(rel: Rel) -> Rel {
    match rel {
        Rel::Lt => Rel::Gt,
        Rel::Le => Rel::Ge,
        Rel::Gt => Rel::Lt,
        Rel::Ge => Rel::Le,
        same => same,
    }
}
