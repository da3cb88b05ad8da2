//! What each instruction does to types (JVMS 4.10.1.9): by its row in the table of opcodes, or by a function here.

use crate::class::{Constant, PoolIndex};
use crate::fault::Rule;
use crate::instruction::{Instruction, Operands, Switch};
use crate::opcode::{self, Effect};

use super::context::{Checked, broken};
use super::method::Method;
use super::state::{LOADED, of_letter};
use super::types::{Component, OBJECT, THROWABLE, Type};

/// Where control goes behind an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// To the one that follows.
    Follows,
    /// Not there.
    Elsewhere,
}

impl Method<'_, '_, '_> {
    pub(super) fn execute(&mut self, offset: u32, instruction: &Instruction<'_>) -> Checked<Next> {
        match instruction.row.effect {
            Effect::Plain(pops, pushes) => {
                self.pop_letters(pops)?;
                for letter in pushes.bytes() {
                    self.state.push_value(of_letter(letter))?;
                }
            }
            Effect::Load(letter, local) => self.load(letter, local_of(instruction, local))?,
            Effect::Store(letter, local) => self.store(letter, local_of(instruction, local))?,
            Effect::ArrayLoad(letter) => self.array_load(letter)?,
            Effect::ArrayStore(letter) => self.array_store(letter)?,
            Effect::Permute { take, give, cuts } => self.permute(take, give, cuts)?,
            Effect::Branch(pops) => {
                self.pop_letters(pops)?;
                self.go(instruction)?;
            }
            Effect::Return(letter) => return self.returns(letter).map(|()| Next::Elsewhere),
            Effect::Own => return self.own(offset, instruction),
        }
        Ok(Next::Follows)
    }

    fn own(&mut self, offset: u32, instruction: &Instruction<'_>) -> Checked<Next> {
        let at = Self::constant(instruction);
        match instruction.opcode {
            opcode::ACONST_NULL => self.state.push(Type::Null)?,
            opcode::LDC | opcode::LDC_W => self.load_constant(at, 1)?,
            opcode::LDC2_W => self.load_constant(at, 2)?,
            opcode::IINC => self.increment(instruction)?,
            opcode::GOTO | opcode::GOTO_W => {
                self.go(instruction)?;
                return Ok(Next::Elsewhere);
            }
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                self.state.pop_as(Type::Integer, self.context)?;
                if let Operands::Switch(switch) = instruction.operands {
                    self.switch(&switch)?;
                }
                return Ok(Next::Elsewhere);
            }
            opcode::GETSTATIC | opcode::PUTSTATIC | opcode::GETFIELD | opcode::PUTFIELD => {
                self.field(at, instruction.opcode)?
            }
            opcode::INVOKEDYNAMIC => self.call_site(instruction)?,
            opcode::INVOKEVIRTUAL
            | opcode::INVOKESPECIAL
            | opcode::INVOKESTATIC
            | opcode::INVOKEINTERFACE => {
                self.invoke(offset, instruction)?;
            }
            opcode::NEW => self.new_object(offset, at)?,
            opcode::NEWARRAY => self.new_primitives(instruction)?,
            opcode::ANEWARRAY => {
                self.state.pop_as(Type::Integer, self.context)?;
                let element = self.context.class_at(at)?;
                let Some(array) = self.context.names.array_of(element) else {
                    return broken(Rule::Operand, "an array of 256 dimensions", "at most 255");
                };
                self.state.push(Type::Object(array))?;
            }
            opcode::MULTIANEWARRAY => self.new_dimensions(instruction)?,
            opcode::ARRAYLENGTH => {
                let array = self.state.pop()?;
                self.component(array, "an array")?;
                self.state.push(Type::Integer)?;
            }
            opcode::ATHROW => {
                self.state.pop_as(Type::Object(THROWABLE), self.context)?;
                return Ok(Next::Elsewhere);
            }
            opcode::CHECKCAST => {
                self.state.pop_as(Type::Object(OBJECT), self.context)?;
                let class = self.context.class_at(at)?;
                self.state.push(Type::Object(class))?;
            }
            opcode::INSTANCEOF => {
                self.state.pop_as(Type::Object(OBJECT), self.context)?;
                self.context.class_at(at)?;
                self.state.push(Type::Integer)?;
            }
            // `jsr`, `ret` and a bare `wide` do not come this far.
            _ => return broken(Rule::Instruction, instruction.row.name, "another instruction"),
        }
        Ok(Next::Follows)
    }

    fn pop_letters(&mut self, letters: &str) -> Checked {
        for letter in letters.bytes().rev() {
            self.state.pop_letter(letter, self.context)?;
        }
        Ok(())
    }

    fn load(&mut self, letter: u8, local: u16) -> Checked {
        let ty = self.variable(letter, local)?;
        self.state.push_value(ty)
    }

    /// The type of a variable that is one of the letter's.
    fn variable(&mut self, letter: u8, local: u16) -> Checked<Type> {
        let ty = self.state.local(local)?;
        let wanted = of_letter(letter);
        let good = if letter == b'A' { ty.is_reference() } else { ty == wanted };
        if !good {
            let expected =
                if letter == b'A' { "a reference".to_owned() } else { self.context.names.show(wanted) };
            let found = format!("{} in local variable {local}", self.context.names.show(ty));
            return broken(Rule::LocalType, found, expected);
        }
        if let Some(second) = ty.second() {
            let found = self.state.local(local.saturating_add(1))?;
            if found != second {
                let found = format!("{} in local variable {}", self.context.names.show(found), local + 1);
                return broken(Rule::LocalType, found, self.context.names.show(second));
            }
        }
        Ok(ty)
    }

    fn store(&mut self, letter: u8, local: u16) -> Checked {
        let ty = if letter == b'A' {
            self.state.pop_reference(self.context)?
        } else {
            self.state.pop_as(of_letter(letter), self.context)?
        };
        self.state.set_local(local, ty)
    }

    fn increment(&mut self, instruction: &Instruction<'_>) -> Checked {
        let Operands::Iinc(local, _) = instruction.operands else { return Ok(()) };
        self.variable(b'I', local).map(drop)
    }

    /// The type of an array's elements, `None` for those of null.
    fn component(&mut self, array: Type, expected: &str) -> Checked<Option<Component>> {
        if array == Type::Null {
            return Ok(None);
        }
        let component = match array {
            Type::Object(name) => self.context.names.component(name),
            _ => None,
        };
        if component.is_none() {
            return broken(Rule::StackType, self.context.names.show(array), expected);
        }
        Ok(component)
    }

    /// Pops an array whose elements go with a letter; gives the class of its elements, if it has one.
    fn pop_array(&mut self, letter: u8) -> Checked<Type> {
        let array = self.state.pop()?;
        let expected = match letter {
            b'A' => "an array of references".to_owned(),
            b'B' => "[B or [Z".to_owned(),
            letter => format!("[{}", char::from(letter)),
        };
        match self.component(array, &expected)? {
            None => Ok(Type::Null),
            Some(Component::Reference(name)) if letter == b'A' => Ok(Type::Object(name)),
            Some(Component::Primitive(of)) if of == letter || (letter == b'B' && of == b'Z') => {
                Ok(Type::Null)
            }
            Some(_) => broken(Rule::StackType, self.context.names.show(array), expected),
        }
    }

    fn array_load(&mut self, letter: u8) -> Checked {
        self.state.pop_as(Type::Integer, self.context)?;
        let element = self.pop_array(letter)?;
        self.state.push_value(if letter == b'A' { element } else { of_letter(letter) })
    }

    fn array_store(&mut self, letter: u8) -> Checked {
        // Whether an object may be an element is decided when it is stored.
        self.state.pop_as(of_letter(letter), self.context)?;
        self.state.pop_as(Type::Integer, self.context)?;
        self.pop_array(letter).map(drop)
    }

    fn permute(&mut self, take: u8, give: &[u8], cuts: &[u8]) -> Checked {
        let stack = &self.state.stack;
        let depth = |depth: u8| stack.len().checked_sub(usize::from(depth));
        if depth(take).is_none() {
            let found = format!("{} slots on the stack", stack.len());
            return broken(Rule::StackUnderflow, found, format!("{take}"));
        }
        for cut in cuts {
            if let Some(ty) = depth(*cut).map(|at| stack[at]).filter(|ty| ty.is_second()) {
                let found = self.context.names.show(ty);
                return broken(Rule::StackType, found, format!("a value that begins {cut} slots down"));
            }
        }
        let mut taken = [Type::Top; 4];
        for slot in &mut taken[..usize::from(take)] {
            *slot = self.state.pop()?;
        }
        give.iter().try_for_each(|slot| self.state.push(taken[usize::from(*slot) - 1]))
    }

    fn go(&mut self, instruction: &Instruction<'_>) -> Checked {
        let Operands::Target(target) = instruction.operands else { return Ok(()) };
        self.branch(target)
    }

    fn switch(&mut self, switch: &Switch<'_>) -> Checked {
        self.branch(switch.default)?;
        let (mut key_before, mut target_before) = (None, switch.default);
        for (key, target) in switch.cases() {
            if switch.low.is_none() && key_before.is_some_and(|before| before >= key) {
                let before = key_before.unwrap_or_default();
                return broken(Rule::Operand, format!("key {key} behind {before}"), "keys in their order");
            }
            if target != target_before {
                self.branch(target)?;
            }
            (key_before, target_before) = (Some(key), target);
        }
        Ok(())
    }

    fn returns(&mut self, letter: u8) -> Checked {
        let result = std::mem::take(&mut self.result);
        let wanted = result.first().map_or("void".to_owned(), |ty| self.context.names.show(*ty));
        let goes = match result.first() {
            None => letter == b'V',
            Some(Type::Object(_)) => letter == b'A',
            Some(ty) => letter != b'A' && letter != b'V' && of_letter(letter) == *ty,
        };
        if !goes {
            let found = if letter == b'V' { "return" } else { "the return of another type" };
            return broken(Rule::Return, found, format!("the return of {wanted}"));
        }
        self.state.pop_slots(&result, self.context)?;
        self.result = result;
        if self.is_initializer && self.state.flag_this_uninit {
            let expected = "a call of super() or this() before it";
            return broken(Rule::Initialization, "return while `this` is uninitialized", expected);
        }
        Ok(())
    }

    /// `ldc` and its like, of a constant of so many slots.
    fn load_constant(&mut self, at: PoolIndex, slots: usize) -> Checked {
        let [string, class, handle, method] = LOADED;
        let ty = match self.context.class.pool.get(at) {
            Constant::Integer(_) => Type::Integer,
            Constant::Float(_) => Type::Float,
            Constant::Long(_) => Type::Long,
            Constant::Double(_) => Type::Double,
            Constant::String(_) => Type::Object(string),
            Constant::Class(_) => Type::Object(class),
            Constant::MethodHandle { .. } => Type::Object(handle),
            Constant::MethodType(_) => Type::Object(method),
            Constant::Dynamic(computed) => {
                let (_, _, signature) = self.context.typed(computed.name_and_type)?;
                signature.result.first().copied().unwrap_or(Type::Top)
            }
            _ => Type::Top,
        };
        if ty == Type::Top || slots != 1 + usize::from(ty.second().is_some()) {
            let expected = if slots == 1 { "a constant of one slot" } else { "a constant of two slots" };
            return self.context.constant(at, expected);
        }
        self.state.push_value(ty)
    }

    fn new_primitives(&mut self, instruction: &Instruction<'_>) -> Checked {
        let Operands::ArrayType(code) = instruction.operands else { return Ok(()) };
        let names: [&'static [u8]; 8] = [b"[Z", b"[C", b"[F", b"[D", b"[B", b"[S", b"[I", b"[J"];
        let Some(name) = usize::from(code).checked_sub(4).and_then(|at| names.get(at)) else {
            return broken(Rule::Operand, format!("array type {code}"), "4 to 11");
        };
        self.state.pop_as(Type::Integer, self.context)?;
        let array = self.context.names.id((*name).into());
        self.state.push(Type::Object(array))
    }

    fn new_dimensions(&mut self, instruction: &Instruction<'_>) -> Checked {
        let Operands::Dimensions(at, count) = instruction.operands else { return Ok(()) };
        let array = self.context.class_at(at)?;
        let dimensions = self.context.names.text(array).iter().take_while(|byte| **byte == b'[').count();
        if count == 0 || usize::from(count) > dimensions {
            let found = format!("{count} dimensions of {}", self.context.names.show(Type::Object(array)));
            return broken(Rule::Operand, found, "at least 1, and no more than the type has");
        }
        for _ in 0..count {
            self.state.pop_as(Type::Integer, self.context)?;
        }
        self.state.push(Type::Object(array))
    }
}

/// The local variable of an instruction: that of its row, or of its operand.
fn local_of(instruction: &Instruction<'_>, local: Option<u8>) -> u16 {
    match (local, instruction.operands) {
        (Some(local), _) => u16::from(local),
        (None, Operands::Local(local)) => local,
        (None, _) => 0,
    }
}
