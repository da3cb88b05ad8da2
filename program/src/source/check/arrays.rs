//! Call arrays: messages laid out in slots, and commands over them.
//!
//! | file | what it does |
//! | --- | --- |
//! | this file | header, calls, moves, repeats, results |
//! | `arrays/messages.rs` | messages and what is in them from the beginning |
//! | `arrays/layout.rs` | where the fields of a message lie |
//!
//! What of an array is like a program, its parameters, result and caps, becomes a tree without a body, so that arguments
//! are read and results are shown as those of programs.
//!
//! A parameter of the array lies in the request that names it first, so that most need no command; others get a copy by a
//! move in front of all commands.

mod layout;
mod messages;

use super::super::ast::{self, Amount, CommandKind, Name, Operand, Program};
use super::super::faults::Reported;
use super::{Checked, Checker, Unit, UnitKind};
use crate::array::{Array, Command, OnError, Returns, Text, TextKind};
use crate::bytecode::{NONE, OpRef, ParamPlace, REGISTERS_MAX};
use crate::source::ArrayProgram;
use crate::tree::{self, InterfaceId, Tree, Ty, VarId};
use carnet_idl::descriptor;
use carnet_idl::diagnostic::{Diagnostic, Span};
use layout::{Leaf, leaves};
use std::collections::{HashMap, HashSet};

/// What a name of an array stands for, parameters that are values apart.
#[derive(Clone, Debug)]
enum Thing<'a> {
    Message(Message<'a>),
    Portal(Portal),
}

/// An array of messages, or one.
#[derive(Clone, Debug)]
struct Message<'a> {
    first: u16,
    words: u16,
    count: u16,
    /// It was declared with a number.
    is_array: bool,
    module: &'a descriptor::Module,
    module_id: crate::import::ModuleId,
    interface: InterfaceId,
    operation: &'a descriptor::Operation,
    status: bool,
}

/// Portals, or one.
#[derive(Clone, Copy, Debug)]
struct Portal {
    register: u16,
    count: u16,
    is_array: bool,
    interface: InterfaceId,
}

/// What is being made.
#[derive(Default)]
struct Making<'a> {
    array: Array,
    things: HashMap<&'a str, Thing<'a>>,
    /// Places of parameters that are values.
    places: HashMap<VarId, u16>,
    slots: usize,
    /// Copies of parameters, in front of all commands.
    copies: Vec<(Command, u16)>,
    returned: bool,
    /// Names of messages whose calls are tried.
    tried: HashSet<&'a str>,
    /// Names whose declarations have faults: of their uses nothing is said.
    poisoned: HashSet<&'a str>,
}

/// The words that an operand names, and how it goes on from message to message.
#[derive(Clone, Debug)]
struct Words {
    first: u16,
    step: u16,
    count: u16,
    /// All messages are meant, and not one.
    all: bool,
    words: u16,
    ty: Ty,
    is_reply: bool,
}

impl<'a> Checker<'a, '_> {
    /// The array of a file.
    pub(super) fn array(
        &mut self,
        program: &Program<'a>,
        commands: &[ast::Command<'a>],
    ) -> Checked<ArrayProgram> {
        let function = &program.function;
        if self.globals.get(function.name.text).is_some() {
            let _ = self.shadows(function.name);
        }
        let result = function.result.as_ref().map(|ty| self.type_of(ty)).transpose()?;
        self.unit = Unit::new(UnitKind::Program(function.name.text), result.clone());
        let params = self.program_params(&function.params)?;
        let caps = self.caps(&program.caps);
        let mut making = Making::default();
        note_tried(commands, &mut making.tried);
        self.portal_params(&params, &mut making)?;
        for command in commands {
            // The faults of one command hide those of no other.
            if self.command(command, &mut making).is_err()
                && let CommandKind::Message { name, .. } | CommandKind::Portal { name, .. } = &command.kind
            {
                making.poisoned.insert(name.text);
            }
        }
        if self.faults.is_empty() {
            self.unplaced_params(function.params.as_slice(), &params, &making);
        }
        if result.is_some() && !making.returned && self.faults.is_empty() {
            let fault = Diagnostic::error("no-return", function.body.close, "the array returns nothing");
            self.faults.push(fault.label("expected `return` with a field of a message"));
        }
        if !self.faults.is_empty() {
            return Err(Reported);
        }
        let tree = self.shell(function.name.text, params, result, caps);
        let registers = self.register_names(&tree, &making);
        Ok(ArrayProgram { array: making.finish(&tree), tree, registers })
    }

    /// What there is of a tree: all but the body.
    fn shell(
        &mut self,
        name: &str,
        params: Vec<tree::Param>,
        result: Option<Ty>,
        caps: Vec<tree::Cap>,
    ) -> Tree {
        let tables = std::mem::take(&mut self.tables);
        Tree {
            name: name.to_owned(),
            interfaces: tables.interfaces,
            enums: tables.enums,
            records: tables.records,
            ops: tables.ops,
            vars: std::mem::take(&mut self.unit.vars),
            params,
            result,
            caps,
            body: tree::Block::default(),
        }
    }

    fn register_names(&self, tree: &Tree, making: &Making<'a>) -> Vec<String> {
        let mut names = vec![String::new(); making.array.registers.len()];
        for (name, thing) in &making.things {
            let Thing::Portal(portal) = thing else { continue };
            for k in 0..portal.count {
                let shown = if portal.is_array { format!("{name}[{k}]") } else { (*name).to_owned() };
                names[usize::from(portal.register + k)] = shown;
            }
        }
        debug_assert!(tree.params.len() <= tree.vars.len());
        names
    }

    fn array_fault(&mut self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Reported {
        self.faults.report(Diagnostic::error("array", span, message).label(label))
    }

    /// Parameters that are portals take the first registers.
    fn portal_params(&mut self, params: &[tree::Param], making: &mut Making<'a>) -> Checked<()> {
        for param in params {
            let var = &self.unit.vars[param.var.index()];
            let Ty::Portal(interface) = var.ty else { continue };
            let register = making.array.registers.len() as u16;
            making.array.registers.push(interface.0);
            let name = self.unit.scope.names().find(|name| *name == var.name);
            if let Some(name) = name {
                let portal = Portal { register, count: 1, is_array: false, interface };
                making.things.insert(name, Thing::Portal(portal));
            }
            making.places.insert(param.var, register);
        }
        Ok(())
    }

    /// A parameter that no request holds has no place.
    fn unplaced_params(&mut self, written: &[ast::Param<'a>], params: &[tree::Param], making: &Making<'a>) {
        for (param, written) in params.iter().zip(written) {
            if !making.places.contains_key(&param.var) {
                let message = format!("`{}` is in no message", written.name.text);
                let fault = Diagnostic::error("array", written.name.span, message);
                self.faults
                    .push(fault.label("a parameter lies in a request: give a message a field with it"));
            }
        }
    }

    fn command(&mut self, command: &ast::Command<'a>, making: &mut Making<'a>) -> Checked<()> {
        let line = u16::try_from(self.line(command.span)).unwrap_or(u16::MAX);
        match &command.kind {
            CommandKind::Message { name, count, path, fields } => {
                self.message(*name, *count, path, fields, line, making)
            }
            CommandKind::Portal { name, count, ty } => {
                let (count, is_array) = self.count_of(*count, name.span, REGISTERS_MAX)?;
                let Ty::Portal(interface) = self.type_of(ty)? else {
                    return Err(self.array_fault(
                        ty.span,
                        "a portal is of an interface",
                        "found another type",
                    ));
                };
                self.free(*name, making)?;
                let register = making.array.registers.len();
                if register + usize::from(count) > REGISTERS_MAX {
                    let message = format!("an array has at most {REGISTERS_MAX} portals");
                    return Err(self.array_fault(name.span, message, "found more with these"));
                }
                making.array.registers.extend(std::iter::repeat_n(interface.0, count.into()));
                let portal = Portal { register: register as u16, count, is_array, interface };
                making.things.insert(name.text, Thing::Portal(portal));
                Ok(())
            }
            CommandKind::Repeat { times, body } => self.repeat(*times, body, command.span, line, making),
            CommandKind::Return(operand) => self.returned(operand, command.span, making),
            CommandKind::Call { .. } | CommandKind::Move { .. } => {
                let command = self.doing(command, None, making)?;
                making.array.commands.push((command, line));
                Ok(())
            }
        }
    }

    fn repeat(
        &mut self,
        times: Amount<'a>,
        body: &[ast::Command<'a>],
        span: Span,
        line: u16,
        making: &mut Making<'a>,
    ) -> Checked<()> {
        let rounds = self.amount(times)?;
        let Some(rounds) = u16::try_from(rounds).ok().filter(|rounds| *rounds > 0) else {
            let label = format!("found {rounds}");
            return Err(self.array_fault(span, "a repeat does what it holds 1 to 65,535 times", label));
        };
        let at = making.array.commands.len();
        let (times, commands) = (rounds.into(), body.len() as u16);
        making.array.commands.push((Command::Repeat { times, commands }, line));
        if body.is_empty() || body.len() > usize::from(u16::MAX) {
            return Err(self.array_fault(span, "a repeat holds commands", "found none"));
        }
        for command in body {
            let line = u16::try_from(self.line(command.span)).unwrap_or(u16::MAX);
            if let Ok(command) = self.doing(command, Some(rounds), making) {
                making.array.commands.push((command, line));
            }
        }
        debug_assert!(making.array.commands.len() > at);
        Ok(())
    }

    /// A call or move, in a repeat of so many rounds.
    fn doing(
        &mut self,
        command: &ast::Command<'a>,
        rounds: Option<u16>,
        making: &mut Making<'a>,
    ) -> Checked<Command> {
        match &command.kind {
            CommandKind::Call { tried, object, message, into } => {
                self.call_of(*tried, object, message, into.as_ref(), rounds, making)
            }
            CommandKind::Move { from, to } => self.move_of(from, to, rounds, making),
            _ => {
                Err(self.array_fault(command.span, "a repeat holds calls and moves", "found another command"))
            }
        }
    }

    fn call_of(
        &mut self,
        tried: bool,
        object: &Operand<'a>,
        message: &Operand<'a>,
        into: Option<&Operand<'a>>,
        rounds: Option<u16>,
        making: &Making<'a>,
    ) -> Checked<Command> {
        let (register, register_step, on) = self.portal_of(object, rounds, making)?;
        let found = self.message_of(message, making)?;
        if let Some(name) = message.path.first() {
            return Err(self.array_fault(name.span, "a call sends the whole message", "found a field of it"));
        }
        let (at, step) = self.which(message, found.count, found.is_array, rounds)?;
        if found.interface != on {
            let of = |id: InterfaceId| self.tables.interfaces[id.index()].name.clone();
            let (wanted, is) = (of(found.interface), of(on));
            let text = format!("{}.{} is no operation of this object", wanted, found.operation.name);
            return Err(self.array_fault(
                object.span,
                text,
                format!("found a portal on {is}, expected {wanted}"),
            ));
        }
        let (into, into_step) = match into {
            None => (NONE, 0),
            Some(into) => {
                let (register, step, interface) = self.portal_of(into, rounds, making)?;
                let gives = found.operation.layout.outs.iter().find_map(|word| match word {
                    descriptor::Word::Portal(id) => Some(*id),
                    _ => None,
                });
                let given = gives.map(|id| self.tables.interface(found.module_id, id));
                if !matches!(given, Some(Ok(id)) if id == interface) {
                    let text = format!("{} gives back no such portal", found.operation.name);
                    return Err(self.array_fault(into.span, text, "the portal is of another interface"));
                }
                (register, step)
            }
        };
        Ok(Command::Call {
            register,
            register_step,
            message: found.first + at * found.words,
            message_step: step * found.words,
            into,
            into_step,
            on_error: if tried { OnError::CarryOn } else { OnError::Abort },
        })
    }

    fn portal_of(
        &mut self,
        operand: &Operand<'a>,
        rounds: Option<u16>,
        making: &Making<'a>,
    ) -> Checked<(u16, u16, InterfaceId)> {
        let portal = match making.things.get(operand.name.text) {
            Some(Thing::Portal(portal)) => *portal,
            Some(Thing::Message(_)) => {
                return Err(self.array_fault(operand.span, "a portal is expected", "found a message"));
            }
            None => return Err(self.no_thing(operand.name, making)),
        };
        if let Some(name) = operand.path.first() {
            return Err(self.array_fault(name.span, "a portal has no fields", "found a field"));
        }
        let (at, step) = self.which(operand, portal.count, portal.is_array, rounds)?;
        Ok((portal.register + at, step, portal.interface))
    }

    fn message_of(&mut self, operand: &Operand<'a>, making: &Making<'a>) -> Checked<Message<'a>> {
        match making.things.get(operand.name.text) {
            Some(Thing::Message(message)) => Ok(message.clone()),
            Some(Thing::Portal(_)) => {
                Err(self.array_fault(operand.span, "a message is expected", "found a portal"))
            }
            None => Err(self.no_thing(operand.name, making)),
        }
    }

    fn no_thing(&mut self, name: Name<'a>, making: &Making<'a>) -> Reported {
        if making.poisoned.contains(name.text) {
            return Reported;
        }
        let fault = Diagnostic::error("unknown-name", name.span, format!("there is no `{}`", name.text));
        let mut known: Vec<&str> = making.things.keys().copied().collect();
        known.sort_unstable();
        self.faults.report(
            fault.label("expected a message or portal that was declared before").suggest(name.text, known),
        )
    }

    /// Which one of several an operand names first, and how many it moves on with a round.
    fn which(
        &mut self,
        operand: &Operand<'a>,
        count: u16,
        is_array: bool,
        rounds: Option<u16>,
    ) -> Checked<(u16, u16)> {
        let name = operand.name.text;
        if let Some(index) = operand.index {
            let at = self.amount(index)?;
            if at >= u64::from(count) {
                let message = format!("there are {count} of `{name}`, the first is `{name}[0]`");
                return Err(self.array_fault(operand.span, message, format!("found number {at}")));
            }
            return Ok((at as u16, 0));
        }
        match (is_array, rounds) {
            (false, _) => Ok((0, 0)),
            (true, Some(rounds)) if rounds <= count => Ok((0, 1)),
            (true, Some(rounds)) => {
                let message = format!("{rounds} rounds, and {count} of `{name}`");
                Err(self.array_fault(operand.span, message, "each round takes the next one"))
            }
            (true, None) => {
                let message = format!("`{name}` is several: say which, e.g. `{name}[0]`");
                Err(self.array_fault(operand.span, message, "or put it into a `repeat`"))
            }
        }
    }

    fn move_of(
        &mut self,
        from: &Operand<'a>,
        to: &Operand<'a>,
        rounds: Option<u16>,
        making: &Making<'a>,
    ) -> Checked<Command> {
        let source = self.words_of(from, making)?;
        let target = self.words_of(to, making)?;
        if target.is_reply {
            return Err(self.array_fault(to.span, "a move goes into a request", "found a field of a reply"));
        }
        if !super::types::fits(&source.ty, &target.ty) {
            let (found, wanted) = (self.type_text(&source.ty), self.type_text(&target.ty));
            let label = format!("found {found}, expected {wanted}");
            return Err(self.array_fault(from.span, "these are of two types", label));
        }
        let is_held = |text: &Text| text.slot == target.first && matches!(text.kind, TextKind::Held(_));
        if matches!(target.ty, Ty::Str(_) | Ty::Bytes(_)) && making.array.texts.iter().any(is_held) {
            let text = "this field holds an argument of the run, and nothing is moved onto that";
            return Err(self.array_fault(to.span, text, "give the other call a message of its own"));
        }
        let size = target.words;
        let mut command = Command::word(source.first, target.first);
        if let Command::Move { from_step, to_step, stride, to_stride, size: words, items, .. } = &mut command
        {
            *words = size;
            match (rounds, target.all, source.all) {
                (Some(rounds), to_all, from_all) => {
                    for (all, operand, count) in [(from_all, from, source.count), (to_all, to, target.count)]
                    {
                        if all && rounds > count {
                            let message = format!("{rounds} rounds, and {count} of `{}`", operand.name.text);
                            return Err(self.array_fault(
                                operand.span,
                                message,
                                "each round takes the next one",
                            ));
                        }
                    }
                    *from_step = if from_all { source.step } else { 0 };
                    *to_step = if to_all { target.step } else { 0 };
                }
                (None, true, from_all) => {
                    if from_all && source.count < target.count {
                        let message =
                            format!("{} messages to {}: some would get nothing", source.count, target.count);
                        return Err(self.array_fault(from.span, message, "found fewer"));
                    }
                    (*items, *to_stride) = (target.count.into(), target.step);
                    *stride = if from_all { source.step } else { 0 };
                }
                (None, false, true) => {
                    let message = format!("`{}` is several: say which", from.name.text);
                    return Err(self.array_fault(from.span, message, "one is expected"));
                }
                (None, false, false) => {}
            }
        }
        Ok(command)
    }

    /// The words of a field.
    fn words_of(&mut self, operand: &Operand<'a>, making: &Making<'a>) -> Checked<Words> {
        let message = self.message_of(operand, making)?;
        let at = match operand.index {
            Some(_) => self.which(operand, message.count, message.is_array, None)?.0,
            None => 0,
        };
        let all = message.is_array && operand.index.is_none();
        let first = message.first + at * message.words;
        let words = |leaf: u16, words: u16, ty: Ty, is_reply: bool| Words {
            first: first + leaf,
            step: message.words,
            count: message.count,
            all,
            words,
            ty,
            is_reply,
        };
        if let [name] = operand.path.as_slice()
            && name.text == "status"
            && message.status
        {
            return Ok(words(message.words - 1, 1, Ty::Int, true));
        }
        let leaf = self.leaf(&message, &operand.path, operand.span)?;
        let ty = self.tables.ty(message.module_id, &leaf.ty);
        let Ok(ty) = ty else {
            return Err(self.array_fault(
                operand.span,
                "programs have nothing for this type",
                "found it here",
            ));
        };
        Ok(words(leaf.at, leaf.words, ty, leaf.is_reply))
    }

    fn leaf(&mut self, message: &Message<'a>, path: &[Name<'a>], span: Span) -> Checked<Leaf> {
        let wanted: Vec<&str> = path.iter().map(|name| name.text).collect();
        let wanted = wanted.join(".");
        let all = leaves(message.module, message.operation);
        if let Some(leaf) = all.iter().find(|leaf| leaf.name == wanted) {
            return Ok(leaf.clone());
        }
        let names: Vec<&str> = all.iter().map(|leaf| leaf.name.as_str()).collect();
        let text = format!("{} has no field `{wanted}`", message.operation.name);
        let label = format!("found `{wanted}`, expected one of {}", names.join(", "));
        let fault = Diagnostic::error("array", path.last().map_or(span, |name| name.span), text);
        Err(self.faults.report(fault.label(label).suggest(&wanted, names)))
    }

    fn count_of(&mut self, count: Option<Amount<'a>>, span: Span, max: usize) -> Checked<(u16, bool)> {
        let Some(count) = count else { return Ok((1, false)) };
        let count = self.amount(count)?;
        match u16::try_from(count).ok().filter(|count| *count > 0 && usize::from(*count) <= max) {
            Some(count) => Ok((count, true)),
            None => {
                let message = format!("there are 1 to {max} in an array");
                Err(self.array_fault(span, message, format!("found {count}")))
            }
        }
    }

    /// A name that is not taken.
    fn free(&mut self, name: Name<'a>, making: &Making<'a>) -> Checked<()> {
        self.check_free(name)?;
        if making.things.contains_key(name.text) {
            let text = format!("`{}` is declared already", name.text);
            return Err(self.array_fault(name.span, text, "found it a second time"));
        }
        Ok(())
    }

    fn returned(&mut self, operand: &Operand<'a>, span: Span, making: &mut Making<'a>) -> Checked<()> {
        if std::mem::replace(&mut making.returned, true) {
            return Err(self.array_fault(span, "an array returns one thing", "found a second `return`"));
        }
        let found = if operand.path.is_empty() {
            self.whole_reply(operand, making)?
        } else {
            self.words_of(operand, making)?
        };
        let ty = match found.all {
            true => Ty::List(Box::new(found.ty.clone()), found.count.into()),
            false => found.ty.clone(),
        };
        if matches!(found.ty, Ty::Portal(_) | Ty::List(..)) {
            return Err(self.array_fault(
                span,
                "a portal or list cannot be returned by an array",
                "found one",
            ));
        }
        match self.unit.result.clone() {
            Some(wanted) if self.same_shape(&ty, &wanted) => {}
            Some(wanted) => {
                let label = format!("found {}, expected {}", self.type_text(&ty), self.type_text(&wanted));
                return Err(self.array_fault(operand.span, "the array returns another type", label));
            }
            None => {
                let text = format!("say what the array returns: `-> {}`", self.type_text(&ty));
                return Err(self.array_fault(operand.span, text, "found a result, expected none"));
            }
        }
        making.array.returns = Some(Returns {
            first: found.first,
            stride: found.step,
            items: if found.all { found.count } else { 1 },
            words: found.words,
            list: found.all,
        });
        Ok(())
    }

    /// All that a reply has.
    fn whole_reply(&mut self, operand: &Operand<'a>, making: &Making<'a>) -> Checked<Words> {
        let message = self.message_of(operand, making)?;
        let number = self.tables.descriptor(message.interface).operations.iter();
        let number = number.take_while(|op| op.name != message.operation.name).count() as u16;
        let used = self.operation(message.interface, number, operand.span)?;
        let Some(ty) = self.tables.ops[used.imported.id.index()].value.clone() else {
            return Err(self.array_fault(operand.span, "this reply is no value", "name a field of it"));
        };
        let at = match operand.index {
            Some(_) => self.which(operand, message.count, message.is_array, None)?.0,
            None => 0,
        };
        let layout = &message.operation.layout;
        Ok(Words {
            first: message.first + at * message.words + layout.ins.len() as u16,
            step: message.words,
            count: message.count,
            all: message.is_array && operand.index.is_none(),
            words: layout.reply_words() as u16,
            ty,
            is_reply: true,
        })
    }

    /// Whether a value of one type is read as one of the other: the same words, texts of the same kind.
    fn same_shape(&self, found: &Ty, wanted: &Ty) -> bool {
        match (found, wanted) {
            (Ty::Str(_), Ty::Str(_)) | (Ty::Bytes(_), Ty::Bytes(_)) => true,
            (Ty::List(found, count), Ty::List(wanted, most)) => {
                count <= most && self.same_shape(found, wanted)
            }
            (Ty::Record(found), Ty::Record(wanted)) => {
                let of = |id: &tree::RecordId| &self.tables.records[id.index()].fields;
                let (found, wanted) = (of(found), of(wanted));
                found.len() == wanted.len()
                    && found
                        .iter()
                        .zip(wanted)
                        .all(|((_, found), (_, wanted))| self.same_shape(found, wanted))
            }
            _ => found == wanted,
        }
    }
}

/// Notes the messages whose calls are tried, or whose status is asked for.
fn note_tried<'a>(commands: &[ast::Command<'a>], tried: &mut HashSet<&'a str>) {
    for command in commands {
        match &command.kind {
            CommandKind::Call { tried: true, message, .. } => _ = tried.insert(message.name.text),
            CommandKind::Repeat { body, .. } => note_tried(body, tried),
            _ => {}
        }
    }
}

impl Making<'_> {
    /// Where a text is among the literals.
    fn literal(&mut self, text: &[u8]) -> TextKind {
        let literals = &mut self.array.literals;
        let known = (!text.is_empty()).then(|| literals.windows(text.len()).position(|piece| piece == text));
        let offset = known.flatten().unwrap_or_else(|| {
            literals.extend_from_slice(text);
            literals.len() - text.len()
        });
        TextKind::Literal { len: text.len() as u32, offset: offset as u32 }
    }

    fn finish(mut self, tree: &Tree) -> Array {
        self.copies.append(&mut self.array.commands);
        let place = |param: &tree::Param| {
            let place = self.places.get(&param.var).copied().unwrap_or(NONE);
            match tree.vars[param.var.index()].ty {
                Ty::Portal(_) => ParamPlace::Register(place),
                _ => ParamPlace::Slot(place),
            }
        };
        let interfaces = tree.interfaces.iter().map(|used| (used.module.clone(), used.name.clone()));
        Array {
            name: tree.name.clone(),
            commands: self.copies,
            ops: tree.ops.iter().map(|op| OpRef { hash: op.hash.0, interface: op.interface.0 }).collect(),
            caps: tree.caps.clone(),
            params: tree.params.iter().map(place).collect(),
            interfaces: interfaces.collect(),
            ..self.array
        }
    }
}
