//! One method: its instructions, its handlers, its frames, and the pass over them.

use crate::class::{Code, Handler, Member, PoolIndex, find, flags};
use crate::fault::{Place, Rule};
use crate::instruction::{Bad, Instruction, Operands, Padding, decode};
use crate::opcode;

use super::context::{Broken, Checked, Context, broken};
use super::execute::Next;
use super::frames::{Frames, Reader, Starts};
use super::state::State;
use super::types::{THROWABLE, Type};

/// What is used again for each method.
#[derive(Default)]
pub(super) struct Memory {
    marks: Marks,
    frames: Frames,
    state: State,
}

/// What is known of each offset of the code.
#[derive(Default)]
pub(super) struct Marks(Vec<u8>);

const START: u8 = 1;
const NEW: u8 = 2;
/// The range of a handler begins here.
const GUARDED: u8 = 4;

impl Marks {
    fn has(&self, offset: u32, mark: u8) -> bool {
        self.0.get(offset as usize).is_some_and(|marks| marks & mark != 0)
    }
}

impl Starts for Marks {
    fn is_start(&self, offset: u32) -> bool {
        self.has(offset, START)
    }

    fn is_new(&self, offset: u32) -> bool {
        self.has(offset, NEW)
    }
}

/// A method while it is checked.
pub(super) struct Method<'m, 'a, 'h> {
    pub(super) context: &'m mut Context<'a, 'h>,
    pub(super) state: &'m mut State,
    marks: &'m Marks,
    frames: &'m Frames,
    handlers: &'m [Handler],
    pub(super) code: &'m [u8],
    /// Whether it is `<init>`.
    pub(super) is_initializer: bool,
    /// The slots of its result.
    pub(super) result: Box<[Type]>,
}

/// A place with the rule that is broken there.
pub(super) type AtPlace = (Place, Box<Broken>);

/// Checks a method, if it has code.
pub(super) fn check<'a>(
    context: &mut Context<'a, '_>,
    member: &Member<'a>,
    memory: &mut Memory,
) -> Result<(), AtPlace> {
    let class = context.class;
    let Some(content) = find(&member.attributes, &class.pool, "Code") else { return Ok(()) };
    let (name, text) = (member.name(&class.pool), member.descriptor(&class.pool));
    let of_method = |wrong| (Place::method(name, text), wrong);
    let at = |offset: u32, instruction: &'static str, wrong| {
        let method = match Place::method(name, text) {
            Place::Method(method) => method,
            _ => String::new(),
        };
        (Place::Code { method, offset, instruction }, wrong)
    };
    let code = match Code::read(content) {
        Some(code) => code,
        None => {
            return broken(Rule::Attribute, "a Code of another length", "one that is used up")
                .map_err(of_method);
        }
    };
    let text = class.pool.utf8(member.descriptor).unwrap_or_default();
    let signature = context.signature(text).map_err(of_method)?;
    let is_initializer = name == b"<init>";
    let mut locals = Vec::with_capacity(signature.parameters.len() + 1);
    if member.flags & flags::STATIC == 0 {
        let uninitialized = is_initializer && class.super_class != PoolIndex(0);
        locals.push(if uninitialized { Type::UninitializedThis } else { Type::Object(context.this) });
    }
    locals.extend_from_slice(&signature.parameters);

    let Memory { marks, frames, state } = memory;
    scan(&code, marks, class.version.major).map_err(|(offset, name, wrong)| at(offset, name, wrong))?;
    handlers(context, &code, marks).map_err(of_method)?;
    variables(context, &code, marks).map_err(of_method)?;
    frames.clear();
    if let Some(table) = find(&code.attributes, &class.pool, "StackMapTable") {
        Reader { context, code: &code, starts: marks, frames, in_initializer: is_initializer }
            .read(table, &locals)
            .map_err(of_method)?;
    }
    state.begin(&locals, code.max_locals, code.max_stack);
    let result = signature.result;
    let Code { bytes, ref handlers, .. } = code;
    let mut method = Method { context, state, marks, frames, handlers, code: bytes, is_initializer, result };
    method.pass().map_err(|(offset, name, wrong)| at(offset, name, wrong))
}

type AtOffset = (u32, &'static str, Box<Broken>);

/// Finds where instructions begin.
fn scan(code: &Code<'_>, marks: &mut Marks, major: u16) -> Result<(), AtOffset> {
    marks.0.clear();
    marks.0.resize(code.bytes.len(), 0);
    let mut offset = 0;
    while (offset as usize) < code.bytes.len() {
        let at = |name, rule, found: String, expected: &str| {
            let expected = expected.to_owned();
            Err((offset, name, Box::new(Broken { rule, found, expected })))
        };
        let instruction = match decode(code.bytes, offset) {
            Ok(instruction) => instruction,
            Err(bad @ (Bad::Opcode(_) | Bad::Wide(_) | Bad::Short)) => {
                return at("", Rule::Instruction, bad.to_string(), "an instruction");
            }
            Err(bad) => return at("", Rule::Operand, bad.to_string(), "keys in their order"),
        };
        let name = instruction.row.name;
        match instruction.operands {
            _ if matches!(instruction.opcode, opcode::JSR | opcode::JSR_W | opcode::RET) => {
                return at(
                    name,
                    Rule::Subroutine,
                    name.to_owned(),
                    "no subroutines: they are of old versions",
                );
            }
            Operands::Switch(switch) if major < 51 && switch.padded == Padding::Other => {
                return at(
                    name,
                    Rule::Operand,
                    "padding that is not 0".to_owned(),
                    "zeros before version 51",
                );
            }
            _ => {}
        }
        marks.0[offset as usize] |= if instruction.opcode == opcode::NEW { START | NEW } else { START };
        offset += instruction.length;
    }
    for handler in &code.handlers {
        if let Some(marks) = marks.0.get_mut(usize::from(handler.start)) {
            *marks |= GUARDED;
        }
    }
    Ok(())
}

/// Handlers guard whole instructions, and catch what can be thrown.
fn handlers(context: &mut Context<'_, '_>, code: &Code<'_>, marks: &Marks) -> Checked {
    for handler in &code.handlers {
        let end = u32::from(handler.end);
        let ends = end as usize == code.bytes.len() || marks.is_start(end);
        if !marks.is_start(handler.start.into()) || !ends || !marks.is_start(handler.target.into()) {
            let found = format!("a handler for {} to {} at {}", handler.start, handler.end, handler.target);
            return broken(Rule::Handler, found, "places where instructions begin");
        }
        let caught = caught(context, handler)?;
        if !context.assignable(caught, Type::Object(THROWABLE))? {
            return broken(
                Rule::Handler,
                context.names.show(caught),
                "what is caught to be a java/lang/Throwable",
            );
        }
    }
    Ok(())
}

/// Tables for debuggers name variables from one instruction to another (JVMS 4.7.13, 4.7.14).
fn variables(context: &Context<'_, '_>, code: &Code<'_>, marks: &Marks) -> Checked {
    for attribute in &code.attributes {
        let name = context.class.pool.utf8(attribute.name);
        if !matches!(name, Some(b"LocalVariableTable" | b"LocalVariableTypeTable")) {
            continue;
        }
        let rows = attribute.content.get(2..).unwrap_or_default().chunks_exact(10);
        for row in rows {
            let word = |at: usize| u32::from(u16::from_be_bytes([row[at], row[at + 1]]));
            let (start, end) = (word(0), word(0) + word(2));
            if !marks.is_start(start) || (end as usize != code.bytes.len() && !marks.is_start(end)) {
                let found = format!("a variable from {start} to {end}");
                return broken(Rule::Attribute, found, "places where instructions begin");
            }
        }
    }
    Ok(())
}

fn caught(context: &mut Context<'_, '_>, handler: &Handler) -> Checked<Type> {
    if handler.catch == PoolIndex(0) {
        return Ok(Type::Object(THROWABLE));
    }
    context.class_at(handler.catch).map(Type::Object)
}

impl Method<'_, '_, '_> {
    /// The pass: from one instruction to the next, with frames where control comes from elsewhere.
    fn pass(&mut self) -> Result<(), AtOffset> {
        let code = self.code;
        let (mut offset, mut next, mut coming) = (0, 0, 0);
        let mut flow = Next::Follows;
        while (offset as usize) < code.len() {
            let instruction = match decode(code, offset) {
                Ok(instruction) => instruction,
                Err(bad) => {
                    let broken = broken(Rule::Instruction, bad.to_string(), "an instruction");
                    return broken.map_err(|wrong| (offset, "", wrong));
                }
            };
            let at = |wrong| (offset, instruction.row.name, wrong);
            if self.frames.list.get(next).is_some_and(|frame| frame.offset == offset) {
                self.enter(next, flow).map_err(at)?;
                next += 1;
            } else if flow == Next::Elsewhere {
                let found = "no frame behind an instruction that does not go on";
                return broken(Rule::FrameMissing, found, "one in StackMapTable").map_err(at);
            }
            if self.state.changed || self.marks.has(offset, GUARDED) {
                self.guard(offset).map_err(at)?;
                self.state.changed = false;
            }
            flow = self.execute(offset, &instruction).map_err(at)?;
            coming = offset;
            offset += instruction.length;
        }
        if flow == Next::Follows {
            let broken = broken(Rule::CodeEnd, "an instruction that goes on at the end of the code", "none");
            return broken.map_err(|wrong| (coming, "", wrong));
        }
        Ok(())
    }

    /// Goes on with a frame, which fits if control also comes from above.
    fn enter(&mut self, index: usize, flow: Next) -> Checked {
        let frame = &self.frames.list[index];
        if flow == Next::Follows {
            self.state.fits(&self.state.stack, self.frames, frame, self.context)?;
        }
        self.state.resume(self.frames, frame, self.context)
    }

    /// Control may go to an offset.
    pub(super) fn branch(&mut self, target: i64) -> Checked {
        let Some(offset) = u32::try_from(target).ok().filter(|offset| self.marks.is_start(*offset)) else {
            return broken(
                Rule::Target,
                format!("a branch to {target}"),
                "a place where an instruction begins",
            );
        };
        match self.frames.at(offset) {
            Some(frame) => self.state.fits(&self.state.stack, self.frames, frame, self.context),
            None => {
                broken(Rule::FrameMissing, format!("no frame at the target {offset}"), "one in StackMapTable")
            }
        }
    }

    /// An exception at an offset may go to each handler that guards it, with the variables as they are.
    pub(super) fn guard(&mut self, offset: u32) -> Checked {
        let handlers = self.handlers;
        self.context.step(handlers.len())?;
        let guards =
            |handler: &&Handler| (u32::from(handler.start)..u32::from(handler.end)).contains(&offset);
        for handler in handlers.iter().filter(guards) {
            let caught = caught(self.context, handler)?;
            match self.frames.at(handler.target.into()) {
                Some(frame) => self.state.fits(&[caught], self.frames, frame, self.context)?,
                None => {
                    let found = format!("no frame at the handler {}", handler.target);
                    return broken(Rule::FrameMissing, found, "one in StackMapTable");
                }
            }
        }
        Ok(())
    }

    /// What the operands of an instruction name as a constant.
    pub(super) fn constant(instruction: &Instruction<'_>) -> PoolIndex {
        match instruction.operands {
            Operands::Constant(at) | Operands::Site(at, _) | Operands::Dimensions(at, _) => at,
            _ => PoolIndex(0),
        }
    }
}
