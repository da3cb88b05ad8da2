//! Local variables and operand stack while a method is checked.

use crate::fault::Rule;

use super::context::{Checked, Context, broken};
use super::frames::{Frame, Frames};
use super::types::{CLASS, METHOD_HANDLE, METHOD_TYPE, NameId, OBJECT, STRING, Type};

/// What is known in front of an instruction.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) locals: Vec<Type>,
    pub(super) stack: Vec<Type>,
    stack_max: usize,
    /// Whether `this` is still to be initialized (JVMS flagThisUninit).
    pub(super) flag_this_uninit: bool,
    /// Whether variables changed since handlers were checked against them.
    pub(super) changed: bool,
    /// How often variables changed, so that a frame that they fit need not be compared until they do.
    version: u32,
}

impl State {
    /// The state at the beginning of a method.
    pub(super) fn begin(&mut self, locals: &[Type], locals_max: u16, stack_max: u16) {
        self.locals.clear();
        self.locals.extend_from_slice(locals);
        self.locals.resize(usize::from(locals_max), Type::Top);
        self.stack.clear();
        self.stack_max = usize::from(stack_max);
        self.flag_this_uninit = locals.contains(&Type::UninitializedThis);
        self.version = 0;
        self.change();
    }

    /// Goes on with a frame.
    pub(super) fn resume(
        &mut self,
        frames: &Frames,
        frame: &Frame,
        context: &mut Context<'_, '_>,
    ) -> Checked {
        let (locals, stack) = (frames.locals(frame), frames.stack(frame));
        context.step(locals.len())?;
        let max = self.locals.len();
        self.locals.clear();
        self.locals.extend_from_slice(locals);
        self.locals.resize(max, Type::Top);
        self.stack.clear();
        self.stack.extend_from_slice(stack);
        self.flag_this_uninit = frame.flag_this_uninit;
        self.change();
        Ok(())
    }

    /// Whether control may go to a frame with this stack on top of the local variables (JVMS 4.10.1.5).
    pub(super) fn fits(
        &self,
        stack: &[Type],
        frames: &Frames,
        frame: &Frame,
        context: &mut Context<'_, '_>,
    ) -> Checked {
        let (locals, expected) = (frames.locals(frame), frames.stack(frame));
        context.step(expected.len())?;
        if stack.len() != expected.len() {
            let expected = format!("{} in the frame at {}", expected.len(), frame.offset);
            return broken(Rule::FrameMismatch, format!("{} slots on the stack", stack.len()), expected);
        }
        let pairs = |what, found: &[Type], expected: &[Type], context: &mut Context<'_, '_>| {
            for (slot, (found, expected)) in found.iter().zip(expected).enumerate() {
                if found != expected && !context.assignable(*found, *expected)? {
                    let found = format!("{} in {what} {slot}", context.names.show(*found));
                    let expected =
                        format!("{} in the frame at {}", context.names.show(*expected), frame.offset);
                    return broken(Rule::FrameMismatch, found, expected);
                }
            }
            Ok(())
        };
        if frame.fitting.get() != self.version {
            context.step(locals.len())?;
            pairs("local variable", &self.locals, locals, context)?;
            frame.fitting.set(self.version);
        }
        pairs("stack slot", stack, expected, context)?;
        if self.flag_this_uninit && !frame.flag_this_uninit {
            let expected = format!("an initialized `this` in the frame at {}", frame.offset);
            return broken(Rule::FrameMismatch, "an uninitialized `this`", expected);
        }
        Ok(())
    }

    fn change(&mut self) {
        self.changed = true;
        self.version += 1;
    }

    pub(super) fn push(&mut self, ty: Type) -> Checked {
        if self.stack.len() >= self.stack_max {
            let found = format!("{} slots on the stack", self.stack.len() + 1);
            return broken(Rule::StackOverflow, found, format!("at most {}", self.stack_max));
        }
        self.stack.push(ty);
        Ok(())
    }

    /// Pushes all slots of a value.
    pub(super) fn push_value(&mut self, ty: Type) -> Checked {
        self.push(ty)?;
        ty.second().map_or(Ok(()), |second| self.push(second))
    }

    pub(super) fn pop(&mut self) -> Checked<Type> {
        match self.stack.pop() {
            Some(ty) => Ok(ty),
            None => broken(Rule::StackUnderflow, "an empty stack", "a value"),
        }
    }

    /// Pops a value that is assignable to a type.
    pub(super) fn pop_as(&mut self, expected: Type, context: &mut Context<'_, '_>) -> Checked<Type> {
        if let Some(second) = expected.second() {
            let found = self.pop()?;
            if found != second {
                return mismatch(found, expected, context);
            }
        }
        let found = self.pop()?;
        if found == expected || context.assignable(found, expected)? {
            return Ok(found);
        }
        mismatch(found, expected, context)
    }

    /// Pops the values of these slots, the last one first.
    pub(super) fn pop_slots(&mut self, expected: &[Type], context: &mut Context<'_, '_>) -> Checked {
        for ty in expected.iter().rev().filter(|ty| !ty.is_second()) {
            self.pop_as(*ty, context)?;
        }
        Ok(())
    }

    /// Pops a reference, initialized or not.
    pub(super) fn pop_reference(&mut self, context: &Context<'_, '_>) -> Checked<Type> {
        let found = self.pop()?;
        if found.is_reference() {
            return Ok(found);
        }
        broken(Rule::StackType, context.names.show(found), "a reference")
    }

    /// Pops a value of a letter: I, J, F, D, A (an initialized object) or R (any reference).
    pub(super) fn pop_letter(&mut self, letter: u8, context: &mut Context<'_, '_>) -> Checked {
        match letter {
            b'R' => self.pop_reference(context).map(drop),
            letter => self.pop_as(of_letter(letter), context).map(drop),
        }
    }

    /// The type of a local variable.
    pub(super) fn local(&self, index: u16) -> Checked<Type> {
        match self.locals.get(usize::from(index)) {
            Some(ty) => Ok(*ty),
            None => broken(
                Rule::LocalIndex,
                format!("local variable {index}"),
                format!("one below {}", self.locals.len()),
            ),
        }
    }

    /// Sets a local variable, both slots of it; a value of two slots that it cuts is lost.
    pub(super) fn set_local(&mut self, index: u16, ty: Type) -> Checked {
        let slots = [Some(ty), ty.second()];
        for (index, ty) in (index..=u16::MAX).zip(slots.into_iter().flatten()) {
            let before = self.local(index)?;
            let at = usize::from(index);
            if before == ty {
                continue;
            }
            self.change();
            if before.is_second() && at > 0 && !ty.is_second() {
                self.locals[at - 1] = Type::Top;
            }
            if before.second().is_some() && at + 1 < self.locals.len() {
                self.locals[at + 1] = Type::Top;
            }
            self.locals[at] = ty;
        }
        Ok(())
    }

    /// An object is initialized: all that refers to it is of this type now.
    pub(super) fn replace(&mut self, from: Type, to: Type, context: &mut Context<'_, '_>) -> Checked {
        context.step(self.locals.len() + self.stack.len())?;
        for slot in self.locals.iter_mut().chain(&mut self.stack).filter(|slot| **slot == from) {
            *slot = to;
        }
        self.change();
        Ok(())
    }
}

/// What a letter of the table of opcodes stands for.
pub(super) fn of_letter(letter: u8) -> Type {
    match letter {
        b'J' => Type::Long,
        b'F' => Type::Float,
        b'D' => Type::Double,
        b'A' => Type::Object(OBJECT),
        _ => Type::Integer,
    }
}

/// What a value of the wrong type is told as.
pub(super) fn mismatch<T>(found: Type, expected: Type, context: &Context<'_, '_>) -> Checked<T> {
    broken(Rule::StackType, context.names.show(found), context.names.show(expected))
}

/// The classes of constants that `ldc` loads.
pub(super) const LOADED: [NameId; 4] = [STRING, CLASS, METHOD_HANDLE, METHOD_TYPE];
