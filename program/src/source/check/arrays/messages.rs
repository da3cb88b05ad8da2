//! Messages of call arrays: their operations, and what is in their requests from the beginning.
//!
//! A constant is a preset or a literal. A parameter lies in the field that names it first; fields that name it later, and
//! other messages of the same array, get a copy.

use super::super::super::ast::{self, Amount, ExprKind as Ast, Field, Name};
use super::super::super::faults::Reported;
use super::super::{Checked, Checker, types::fits};
use super::layout::{Leaf, leaves};
use super::{Making, Message, Portal, Thing};
use crate::array::{Command, Messages, Preset, Text, TextKind};
use crate::bytecode::SLOTS_MAX;
use crate::import::ModuleId;
use crate::tree::{ExprKind, InterfaceId, Ty, VarId};
use carnet_idl::descriptor::{self, Type, Word};
use carnet_idl::diagnostic::{Diagnostic, Span};
use std::collections::HashSet;

impl<'a> Checker<'a, '_> {
    pub(super) fn message(
        &mut self,
        name: Name<'a>,
        count: Option<Amount<'a>>,
        path: &[Name<'a>],
        fields: &[Field<'a>],
        line: u16,
        making: &mut Making<'a>,
    ) -> Checked<()> {
        let (count, is_array) = self.count_of(count, name.span, SLOTS_MAX)?;
        self.free(name, making)?;
        let (module_id, module, interface, number) = self.operation_of(path)?;
        let operation = &self.tables.descriptor(interface).operations[usize::from(number)];
        let span = path.iter().fold(name.span, |span, name| span.to(name.span));
        let used = self.operation(interface, number, span)?;
        let is_scalar =
            |word: &Word| matches!(word, Word::Bool | Word::Int { .. } | Word::Float { .. } | Word::Enum(_));
        if !operation.layout.inouts.iter().all(is_scalar) {
            let text = format!(
                "{} is not supported in call arrays: it has an inout that is more than a scalar",
                operation.name
            );
            let fault = Diagnostic::unsupported("not-in-programs", span, text);
            return Err(self.faults.report(fault.help("call it in a program")));
        }
        let status = making.tried.contains(name.text);
        let words = operation.layout.words() + usize::from(status);
        let first = making.slots;
        making.slots += words * usize::from(count);
        if making.slots > SLOTS_MAX {
            let message = format!("all messages together take at most {SLOTS_MAX} words");
            return Err(self.array_fault(name.span, message, format!("found {} with these", making.slots)));
        }
        if words == 0 {
            // It has no words to lie in: a status gives it one.
            let text = format!("{} has neither parameters nor results, so no message", operation.name);
            return Err(self.array_fault(span, text, "call it with `try`, for its status"));
        }
        let (first, words) = (first as u16, words as u16);
        making.array.messages.push(Messages { op: used.imported.id.0, count, status });
        let message =
            Message { first, words, count, is_array, module, module_id, interface, operation, status };
        let mut set = HashSet::new();
        for field in fields {
            match self.field_of(field, &message, line, making) {
                Ok(leaf) => set.extend(leaf.at..leaf.at + leaf.words),
                // It may be the portal that is missing.
                Err(Reported) => set.extend(0..words),
            }
        }
        let is_unset =
            |leaf: &&Leaf| matches!(leaf.ty, Type::Portal(_)) && !leaf.is_reply && !set.contains(&leaf.at);
        if let Some(leaf) = leaves(module, operation).iter().find(is_unset) {
            let text = format!("{} needs the portal `{}`", operation.name, leaf.name);
            return Err(self.array_fault(span, text, "found none"));
        }
        making.things.insert(name.text, Thing::Message(message));
        Ok(())
    }

    fn operation_of(
        &mut self,
        path: &[Name<'a>],
    ) -> Checked<(ModuleId, &'a descriptor::Module, InterfaceId, u16)> {
        let (Some(last), Some(interface)) = (path.last(), path.len().checked_sub(2).map(|at| path[at]))
        else {
            let span = path.first().map_or(Span::default(), |name| name.span);
            return Err(self.array_fault(span, "a message is of an operation", "expected e.g. `Dir.open`"));
        };
        let module = path.len().checked_sub(3).map(|at| path[at]);
        let written = ast::TypeRef { module, name: interface, args: None, span: interface.span };
        let Ty::Portal(id) = self.type_of(&written)? else {
            return Err(self.array_fault(
                interface.span,
                "an operation is one of an interface",
                "found another type",
            ));
        };
        let described = self.tables.descriptor(id);
        let Some(number) = described.operations.iter().position(|op| op.name == last.text) else {
            let text = format!("{} has no operation `{}`", described.name, last.text);
            let fault = Diagnostic::error("unknown-operation", last.span, text);
            let names = described.operations.iter().map(|op| op.name.as_str());
            let label = format!("found `{}`, expected an operation of {}", last.text, described.name);
            return Err(self.faults.report(fault.label(label).suggest(last.text, names)));
        };
        let used = &self.tables.interfaces[id.index()].module;
        let Some((module_id, module)) = self.tables.module(used) else { return Err(Reported) };
        Ok((module_id, module, id, number as u16))
    }

    /// What a request has in a field from the beginning.
    fn field_of(
        &mut self,
        field: &Field<'a>,
        message: &Message<'a>,
        line: u16,
        making: &mut Making<'a>,
    ) -> Checked<Leaf> {
        let span = field.path.last().map_or(field.value.span, |name| name.span);
        let leaf = self.leaf(message, &field.path, span)?;
        if leaf.is_reply {
            return Err(self.array_fault(
                span,
                "a reply is the service's to fill",
                "expected a field of the request",
            ));
        }
        let slot = message.first + leaf.at;
        if let Ast::Name(text) = field.value.kind {
            if let Some(Thing::Portal(portal)) = making.things.get(text) {
                let portal = *portal;
                self.portal_field(portal, &leaf, slot, message, field, making)?;
                return Ok(leaf);
            }
            if let Some(var) = self.unit.scope.get(text).and_then(|local| local.var) {
                self.param_field(var, &leaf, slot, message, field, line, making)?;
                return Ok(leaf);
            }
        }
        self.constant_field(&leaf, slot, message, field, making)?;
        Ok(leaf)
    }

    fn portal_field(
        &mut self,
        portal: Portal,
        leaf: &Leaf,
        slot: u16,
        message: &Message<'a>,
        field: &Field<'a>,
        making: &mut Making<'a>,
    ) -> Checked<()> {
        let wanted = match leaf.ty {
            Type::Portal(id) => self.tables.interface(message.module_id, id).ok(),
            _ => None,
        };
        if wanted != Some(portal.interface) || field.step.is_some() {
            return Err(self.array_fault(
                field.value.span,
                "this portal cannot stand here",
                "found a portal",
            ));
        }
        if portal.is_array && portal.count < message.count {
            let text = format!("{} portals for {} messages", portal.count, message.count);
            return Err(self.array_fault(field.value.span, text, "each message takes the next one"));
        }
        making.array.presets.push(Preset {
            slot,
            stride: message.words,
            count: message.count,
            value: portal.register.into(),
            add: i64::from(portal.is_array),
        });
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "what a field is, and where it is")]
    fn param_field(
        &mut self,
        var: VarId,
        leaf: &Leaf,
        slot: u16,
        message: &Message<'a>,
        field: &Field<'a>,
        line: u16,
        making: &mut Making<'a>,
    ) -> Checked<()> {
        let Ok(wanted) = self.tables.ty(message.module_id, &leaf.ty) else { return Err(Reported) };
        let ty = self.unit.vars[var.index()].ty.clone();
        if !fits(&ty, &wanted) {
            let label = format!("found {}, expected {}", self.type_text(&ty), self.type_text(&wanted));
            return Err(self.array_fault(field.value.span, "the parameter is of another type", label));
        }
        let step = self.step_of(field, &wanted)?;
        let first = match making.places.get(&var) {
            Some(first) => *first,
            None => {
                if let (Ty::Str(cap), Ty::Str(max)) | (Ty::Bytes(cap), Ty::Bytes(max)) = (&ty, &wanted) {
                    if cap > max {
                        let name = &self.unit.vars[var.index()].name;
                        let text = format!("`{name}` may have {cap} bytes, and the field takes {max}");
                        let kind = if matches!(ty, Ty::Str(_)) { "string" } else { "bytes" };
                        return Err(self.array_fault(
                            field.value.span,
                            text,
                            format!("declare it as {kind}({max})"),
                        ));
                    }
                    let kind = TextKind::Held(*cap);
                    making.array.texts.push(Text { slot, stride: 0, count: 1, kind });
                }
                making.places.insert(var, slot);
                slot
            }
        };
        // A word is not copied onto itself, unless the others count from it.
        let (to, items) = match first == slot && step == 0 {
            true => (slot.wrapping_add(message.words), message.count - 1),
            false => (slot, message.count),
        };
        if items > 0 && (items > 1 || to != first) {
            making.copies.push((copy(first, to, message.words, step, items), line));
        }
        Ok(())
    }

    fn step_of(&mut self, field: &Field<'a>, ty: &Ty) -> Checked<i64> {
        let Some(step) = &field.step else { return Ok(0) };
        let value = self.constant(step)?;
        match (&value.expr.kind, ty) {
            (ExprKind::Int(step), Ty::Int) => Ok(*step),
            _ => Err(self.array_fault(
                step.span,
                "a step is a number, added to numbers",
                "found something else",
            )),
        }
    }

    fn constant_field(
        &mut self,
        leaf: &Leaf,
        slot: u16,
        message: &Message<'a>,
        field: &Field<'a>,
        making: &mut Making<'a>,
    ) -> Checked<()> {
        let Ok(wanted) = self.tables.ty(message.module_id, &leaf.ty) else { return Err(Reported) };
        let value = self.constant(&field.value)?;
        let value = match (&value.ty, &wanted) {
            // A text that is written is bytes, too.
            (Ty::Str(_), Ty::Bytes(_)) => value.expr,
            _ => self.check_fits(value, &wanted, field.value.span)?,
        };
        let add = self.step_of(field, &wanted)?;
        let (stride, count) = (message.words, message.count);
        let value = match value.kind {
            ExprKind::Int(value) => value,
            ExprKind::Bool(value) => value.into(),
            ExprKind::Float(value) => value.word.cast_signed(),
            ExprKind::Enum(_, value) => value.into(),
            ExprKind::Text(text) => {
                let kind = making.literal(&text);
                making.array.texts.push(Text { slot, stride, count, kind });
                return Ok(());
            }
            _ => {
                return Err(self.array_fault(
                    field.value.span,
                    "a field is a constant or a parameter",
                    "found neither",
                ));
            }
        };
        if value != 0 || add != 0 {
            making.array.presets.push(Preset { slot, stride, count, value, add });
        }
        Ok(())
    }
}

/// A move of one word to so many others.
fn copy(from: u16, to: u16, to_stride: u16, add: i64, items: u16) -> Command {
    let items = items.into();
    Command::Move { from, from_step: 0, to, to_step: 0, stride: 0, to_stride, size: 1, items, add }
}
