//! Fields, methods, call sites, and how objects come to be (JVMS 4.10.1.8, 4.10.1.9).

use crate::class::{Constant, MemberRef, PoolIndex, shown};
use crate::fault::Rule;
use crate::instruction::{Instruction, Operands};
use crate::opcode::{
    GETFIELD, GETSTATIC, INVOKEINTERFACE, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL, PUTFIELD, PUTSTATIC,
};

use super::context::{Checked, Signature, broken};
use super::method::Method;
use super::types::{NameId, OBJECT, Type};

impl Method<'_, '_, '_> {
    pub(super) fn field(&mut self, at: PoolIndex, opcode: u8) -> Checked {
        let Constant::Fieldref(MemberRef { class, name_and_type }) = self.context.class.pool.get(at) else {
            return self.context.constant(at, "a Fieldref");
        };
        let class = self.context.class_at(class)?;
        let (name, text, signature) = self.context.typed(name_and_type)?;
        if matches!(opcode, PUTFIELD | PUTSTATIC) {
            self.state.pop_slots(&signature.result, self.context)?;
        }
        if matches!(opcode, GETFIELD | PUTFIELD) {
            self.pop_owner(class, name, text, opcode)?;
        }
        if matches!(opcode, GETFIELD | GETSTATIC) {
            signature.result.iter().try_for_each(|ty| self.state.push(*ty))?;
        }
        Ok(())
    }

    /// Pops the object that a field is of.
    fn pop_owner(&mut self, class: NameId, name: &[u8], text: &[u8], opcode: u8) -> Checked {
        let early = self.state.stack.last() == Some(&Type::UninitializedThis);
        if early && opcode == PUTFIELD && self.is_initializer && class == self.context.this {
            let own = self.context.class.name();
            if self.context.outline(own)?.field(name, text).is_some() {
                // A field of its own may be set before the superclass is initialized.
                return self.state.pop().map(drop);
            }
        }
        let object = self.state.pop_as(Type::Object(class), self.context)?;
        if object == Type::Object(self.context.this) {
            return Ok(());
        }
        if self.context.is_protected_elsewhere(class, |outline| outline.field(name, text))? {
            self.own_object(object, name)?;
        }
        Ok(())
    }

    /// What a protected member of another package is used on is of this class.
    fn own_object(&mut self, object: Type, name: &[u8]) -> Checked {
        let this = Type::Object(self.context.this);
        if self.context.assignable(object, this)? {
            return Ok(());
        }
        let found = format!("the protected {} of {}", shown(name), self.context.names.show(object));
        broken(Rule::Protected, found, format!("it of {}", self.context.names.show(this)))
    }

    pub(super) fn call_site(&mut self, instruction: &Instruction<'_>) -> Checked {
        let Operands::Site(at, zeros) = instruction.operands else { return Ok(()) };
        let Constant::InvokeDynamic(computed) = self.context.class.pool.get(at) else {
            return self.context.constant(at, "an InvokeDynamic");
        };
        if zeros != [0, 0] {
            return broken(Rule::Operand, format!("{zeros:?} behind the constant"), "two zeros");
        }
        let (_, _, signature) = self.context.typed(computed.name_and_type)?;
        self.pass_arguments(&signature)?;
        self.push_result(&signature)
    }

    fn pass_arguments(&mut self, signature: &Signature) -> Checked {
        self.state.pop_slots(&signature.parameters, self.context)
    }

    fn push_result(&mut self, signature: &Signature) -> Checked {
        signature.result.iter().try_for_each(|ty| self.state.push(*ty))
    }

    pub(super) fn invoke(&mut self, offset: u32, instruction: &Instruction<'_>) -> Checked {
        let (at, opcode) = (Self::constant(instruction), instruction.opcode);
        let member = self.method_of(at, opcode)?;
        let class = self.context.class_at(member.class)?;
        let (name, text, signature) = self.context.typed(member.name_and_type)?;
        let initializer = name == b"<init>";
        if name.first() == Some(&b'<') && !(initializer && opcode == INVOKESPECIAL) {
            return broken(
                Rule::Operand,
                format!("a call of {}", shown(name)),
                "<init> by invokespecial only",
            );
        }
        if let Operands::Site(_, [count, zero]) = instruction.operands {
            let slots = signature.parameters.len() + 1;
            if usize::from(count) != slots || zero != 0 {
                let found = format!("{count} and {zero} behind the constant");
                return broken(Rule::Operand, found, format!("{slots} slots of arguments and 0"));
            }
        }
        self.pass_arguments(&signature)?;
        match opcode {
            _ if initializer => return self.initialize(offset, class, text),
            INVOKEVIRTUAL => self.pop_receiver(class, name, text)?,
            INVOKESPECIAL => self.pop_special(class, at)?,
            INVOKEINTERFACE => drop(self.state.pop_as(Type::Object(class), self.context)?),
            _ => {}
        }
        self.push_result(&signature)
    }

    /// The method that an instruction calls; which constants it may be named by depends on instruction and version.
    fn method_of(&self, at: PoolIndex, opcode: u8) -> Checked<MemberRef> {
        let of_interfaces = self.context.class.version.major >= 52;
        match (opcode, self.context.class.pool.get(at)) {
            (INVOKEINTERFACE, Constant::InterfaceMethodref(member)) => Ok(member),
            (INVOKEINTERFACE, _) => self.context.constant(at, "an InterfaceMethodref"),
            (_, Constant::Methodref(member)) => Ok(member),
            (INVOKESTATIC | INVOKESPECIAL, Constant::InterfaceMethodref(member)) if of_interfaces => {
                Ok(member)
            }
            _ => self.context.constant(at, "a Methodref"),
        }
    }

    /// The object that `invokevirtual` calls.
    fn pop_receiver(&mut self, class: NameId, name: &[u8], text: &[u8]) -> Checked {
        let object = self.state.pop_as(Type::Object(class), self.context)?;
        if object == Type::Object(self.context.this) {
            return Ok(());
        }
        if !self.context.is_protected_elsewhere(class, |outline| outline.method(name, text))? {
            return Ok(());
        }
        // Arrays have a public clone().
        let array = matches!(object, Type::Object(object) if self.context.names.is_array(object));
        if array && class == OBJECT && name == b"clone" {
            return Ok(());
        }
        self.own_object(object, name)
    }

    /// `invokespecial` calls methods of this class, its superclasses and direct superinterfaces on this class's objects.
    fn pop_special(&mut self, class: NameId, at: PoolIndex) -> Checked {
        let (file, this) = (self.context.class, self.context.this);
        let named = self.context.names.text(class);
        let near = class == this
            || file.super_name() == Some(named)
            || file.interfaces.iter().any(|at| file.pool.class(*at) == Some(named));
        if !near {
            let shown = shown(named);
            let indirect = matches!(file.pool.get(at), Constant::InterfaceMethodref(_));
            if indirect || !self.context.assignable(Type::Object(this), Type::Object(class))? {
                let expected = "this class, a superclass or a direct superinterface";
                return broken(Rule::Operand, format!("a method of {shown}"), expected);
            }
        }
        self.state.pop_as(Type::Object(this), self.context).map(drop)
    }

    /// A call of `<init>`: of the class that `new` named, or for `this`, of this class or its superclass.
    fn initialize(&mut self, offset: u32, class: NameId, text: &[u8]) -> Checked {
        let object = self.state.pop()?;
        match object {
            Type::UninitializedThis => self.initialize_this(class)?,
            Type::Uninitialized(made) => {
                let of = self.made_by(made)?;
                if of != class {
                    let expected = self.context.names.show(Type::Object(of));
                    let found = format!("<init> of {}", self.context.names.show(Type::Object(class)));
                    return broken(Rule::Initialization, found, format!("that of {expected}"));
                }
                if self.context.is_protected_elsewhere(class, |outline| outline.method(b"<init>", text))? {
                    self.own_object(Type::Object(class), b"<init>")?;
                }
                self.state.replace(object, Type::Object(class), self.context)?;
            }
            other => {
                let found = self.context.names.show(other);
                return broken(Rule::Initialization, found, "an uninitialized object");
            }
        }
        // Handlers must also fit what holds behind a call that did not fail.
        self.guard(offset)
    }

    fn initialize_this(&mut self, class: NameId) -> Checked {
        let (this, file) = (self.context.this, self.context.class);
        if class != this && file.super_name() != Some(self.context.names.text(class)) {
            let found = format!("<init> of {}", self.context.names.show(Type::Object(class)));
            return broken(Rule::Initialization, found, "that of this class or its superclass");
        }
        self.state.flag_this_uninit = false;
        self.state.replace(Type::UninitializedThis, Type::Object(this), self.context)
    }

    /// The class of what `new` at an offset makes.
    fn made_by(&mut self, offset: u16) -> Checked<NameId> {
        let at = usize::from(offset) + 1;
        let index = self.code.get(at..at + 2).map_or(0, |index| u16::from_be_bytes([index[0], index[1]]));
        self.context.class_at(PoolIndex(index))
    }

    pub(super) fn new_object(&mut self, offset: u32, at: PoolIndex) -> Checked {
        let class = self.context.class_at(at)?;
        if self.context.names.is_array(class) {
            let found = self.context.names.show(Type::Object(class));
            return broken(Rule::Operand, found, "a class that is no array");
        }
        let made = Type::Uninitialized(offset as u16);
        // An object that was made here before must not be taken for this one.
        if self.state.stack.contains(&made) {
            let found = format!("{} on the stack", self.context.names.show(made));
            return broken(Rule::Initialization, found, "one object of a `new` at a time");
        }
        if self.state.locals.contains(&made) {
            self.state.replace(made, Type::Top, self.context)?;
        }
        self.context.step(self.state.locals.len() + self.state.stack.len())?;
        self.state.push(made)
    }
}
