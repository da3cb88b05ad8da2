//! Arguments: which goes where, what is missing, and their values.
//!
//! They are evaluated in the order in which they are written, whatever the order of the parameters.

use super::super::ast::{Arg, Name};
use super::super::faults::{Reported, meant};
use super::tables::{Slot, Slots};
use super::types::grouped;
use super::{Checked, Checker};
use crate::tree::{self, ExprKind, InterfaceId, Mutability, Stmt, StmtKind, Ty};
use carnet_idl::diagnostic::{Diagnostic, Span};

impl<'a> Checker<'a, '_> {
    /// Which argument goes where, in the order written.
    pub(super) fn bind<'e>(
        &mut self,
        callee: &str,
        slots: &Slots,
        args: &'e [Arg<'a>],
        span: Span,
    ) -> Checked<Vec<(usize, &'e Arg<'a>)>> {
        let mut bound: Vec<(usize, &Arg<'a>)> = vec![];
        let mut taken = vec![false; slots.len()];
        let mut named = false;
        for (at, arg) in args.iter().enumerate() {
            let slot = match arg.name {
                Some(name) => {
                    named = true;
                    let Some(slot) = slots.iter().position(|slot| slot.name == name.text) else {
                        return Err(self.unknown_argument(callee, slots, name));
                    };
                    slot
                }
                None if named => {
                    let fault =
                        Diagnostic::error("arguments", arg.value.span, "arguments with names come last");
                    return Err(self
                        .faults
                        .report(fault.label("found a value without name, expected `name: value`")));
                }
                None if at >= slots.len() => return Err(self.wrong_count(callee, slots, args, span)),
                None => at,
            };
            if std::mem::replace(&mut taken[slot], true) {
                let at = arg.name.map_or(arg.value.span, |name| name.span);
                let fault =
                    Diagnostic::error("arguments", at, format!("`{}` is given twice", slots[slot].name));
                return Err(self.faults.report(fault.label("found a second value")));
            }
            bound.push((slot, arg));
        }
        Ok(bound)
    }

    fn unknown_argument(&mut self, callee: &str, slots: &Slots, name: Name<'a>) -> Reported {
        let message = format!("{callee} takes no `{}`", name.text);
        let fault = Diagnostic::error("arguments", name.span, message).label(format!(
            "found `{}`, expected {}",
            name.text,
            self.signature(callee, slots)
        ));
        self.faults.report(match meant(name.text, slots.iter().map(|slot| slot.name.as_str())) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        })
    }

    fn wrong_count(&mut self, callee: &str, slots: &Slots, args: &[Arg<'a>], span: Span) -> Reported {
        let count = match slots.len() {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let at = args.get(slots.len()).map_or(span, |arg| arg.value.span);
        let fault = Diagnostic::error("arguments", at, format!("{callee} takes {count}, not {}", args.len()));
        self.faults.report(fault.label(format!("expected {}", self.signature(callee, slots))))
    }

    /// Reports parameters without default that got no value.
    pub(super) fn check_all_given(
        &mut self,
        callee: &str,
        slots: &Slots,
        bound: &[(usize, &Arg<'a>)],
        span: Span,
    ) -> Checked<()> {
        let is_given = |at: usize| slots[at].default.is_some() || bound.iter().any(|(slot, _)| *slot == at);
        let missing: Vec<_> =
            (0..slots.len()).filter(|at| !is_given(*at)).map(|at| format!("`{}`", slots[at].name)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let fault = Diagnostic::error("arguments", span, format!("{callee} needs {}", missing.join(" and ")));
        Err(self.faults.report(fault.label(format!("expected {}", self.signature(callee, slots)))))
    }

    /// What may be called, as it is declared.
    fn signature(&self, callee: &str, slots: &Slots) -> String {
        let name = callee.rsplit('.').next().unwrap_or(callee);
        let mut shown: Vec<_> = slots.iter().take(8).map(|slot| self.slot_text(slot)).collect();
        if slots.len() > shown.len() {
            shown.push("…".to_owned());
        }
        format!("{name}({})", shown.join(", "))
    }

    fn slot_text(&self, slot: &Slot) -> String {
        let default = if slot.default.is_some() { " = …" } else { "" };
        format!("{}: {}{default}", slot.name, self.type_text(&slot.ty))
    }

    /// The values of arguments, in the order written.
    pub(super) fn evaluate(
        &mut self,
        slots: &Slots,
        bound: &[(usize, &Arg<'a>)],
    ) -> Checked<Vec<(usize, tree::Expr)>> {
        let mut values = vec![];
        let mut faulty = None;
        for (slot, arg) in bound {
            let wanted = &slots[*slot];
            let value = self.expect(&arg.value, &wanted.ty).and_then(|value| {
                self.check_range(wanted, &value, arg.value.span)?;
                Ok(value)
            });
            match value {
                Ok(value) => values.push((*slot, value)),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(values), Err)
    }

    fn check_range(&mut self, slot: &Slot, value: &tree::Expr, span: Span) -> Checked<()> {
        let (Some((least, most)), ExprKind::Int(found)) = (slot.range, &value.kind) else { return Ok(()) };
        if (least..=most).contains(found) {
            return Ok(());
        }
        let message = format!("`{}` takes no such number", slot.name);
        let label = format!("found {}, expected {} to {}", grouped(*found), grouped(least), grouped(most));
        Err(self.faults.report(Diagnostic::error("overflow", span, message).label(label)))
    }

    /// Whether evaluating in the order of the slots is evaluating in the order written, as far as one sees.
    fn in_order(&self, values: &[(usize, tree::Expr)]) -> bool {
        values.is_sorted_by_key(|(slot, _)| *slot)
            || values.iter().filter(|(_, value)| !is_quiet(value)).count() < 2
    }

    /// The values by slot. If they are written in another order, they are evaluated before, as is the call's target.
    pub(super) fn arranged(
        &mut self,
        slots: &Slots,
        values: Vec<(usize, tree::Expr)>,
        target: Option<(&mut tree::Expr, InterfaceId)>,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Checked<Vec<Option<tree::Expr>>> {
        let in_order = self.in_order(&values);
        if !in_order && let Some((target, interface)) = target {
            self.put_aside(target, &Ty::Portal(interface), before, span)?;
        }
        let mut arranged = vec![None; slots.len()];
        for (slot, value) in values {
            let ty = &slots[slot].ty;
            arranged[slot] = Some(if in_order { value } else { self.set_aside(value, ty, before, span)? });
        }
        Ok(arranged)
    }

    /// Evaluates a value beforehand, unless that makes no difference.
    fn set_aside(
        &mut self,
        value: tree::Expr,
        ty: &Ty,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Checked<tree::Expr> {
        if is_quiet(&value) {
            return Ok(value);
        }
        let pos = value.pos;
        let var = self.new_var("(argument)", ty.clone(), Mutability::Fixed, span)?;
        before.push(Stmt { pos, kind: StmtKind::Let { var, value } });
        Ok(tree::Expr { pos, kind: ExprKind::Var(var) })
    }

    /// The same of one that stays where it is.
    pub(super) fn put_aside(
        &mut self,
        value: &mut tree::Expr,
        ty: &Ty,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Checked<()> {
        let pos = value.pos;
        let there = std::mem::replace(value, tree::Expr { pos, kind: ExprKind::Bool(false) });
        *value = self.set_aside(there, ty, before, span)?;
        Ok(())
    }
}

/// Whether an expression calls nothing, so that nobody sees when it is evaluated.
pub(super) fn is_quiet(expr: &tree::Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(_) | ExprKind::Inline(_) => false,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) | ExprKind::Enum(..) => true,
        ExprKind::Text(_) | ExprKind::Var(_) => true,
        ExprKind::Field(a, _)
        | ExprKind::Index(_, a)
        | ExprKind::Len(a)
        | ExprKind::Neg(a)
        | ExprKind::Convert(_, a)
        | ExprKind::As(_, a)
        | ExprKind::Not(a) => is_quiet(a),
        ExprKind::Arith(first, rest) => is_quiet(first) && rest.iter().all(|(_, operand)| is_quiet(operand)),
        ExprKind::Compare(_, a, b) | ExprKind::Test(_, a, b) | ExprKind::Tail(a, b) => {
            is_quiet(a) && is_quiet(b)
        }
        ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Concat(parts) | ExprKind::Record(_, parts) => {
            parts.iter().all(is_quiet)
        }
    }
}
