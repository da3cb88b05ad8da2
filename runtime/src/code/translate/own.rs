//! Instructions that the table of opcodes does not tell: constants, control, fields, calls, objects.

use carnet_classes::descriptor;
use carnet_classes::instruction::{Instruction, Operands};
use carnet_classes::opcode;

use super::forms::constant_of;
use super::{Done, Local, Next, Translator, Value};
use crate::class::{Constant, Kind};
use crate::code::{Switch, Word, op};

impl Translator<'_> {
    pub(super) fn own_instruction(&mut self, instruction: &Instruction<'_>) -> Done<Next> {
        let operands = instruction.operands;
        match instruction.opcode {
            opcode::ACONST_NULL => {
                self.push(Value::Null, Kind::Reference)?;
            }
            opcode::LDC | opcode::LDC_W | opcode::LDC2_W => self.constant(operands)?,
            opcode::IINC => {
                let Operands::Iinc(local, number) = operands else { return self.broken("no number") };
                let number = i32::from(number) as u32;
                match self.local(local, Kind::Int)? {
                    Local::Near(local) => {
                        self.release(local)?;
                        self.define(op::ADD_N, local, local, 0, number);
                    }
                    Local::Far(below) => {
                        let spare = self.spare(0);
                        self.emit(Word::new(op::FAR_GET, (spare, 0, 0), below));
                        self.emit(Word::new(op::ADD_N, (spare, spare, 0), number));
                        self.emit(Word::new(op::FAR_PUT, (spare, 0, 0), below));
                    }
                }
            }
            opcode::GOTO | opcode::GOTO_W => {
                let Operands::Target(target) = operands else { return self.broken("no target") };
                self.settle(0)?;
                let target = self.reach(target)?;
                if !self.go_back(target) {
                    let count = self.counted();
                    self.emit(Word::new(op::GOTO, (0, 0, count), target));
                }
                return Ok(Next::Leaves);
            }
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                let Operands::Switch(switch) = operands else { return self.broken("no switch") };
                let key = self.take()?;
                self.settle(0)?;
                let default = self.reach(switch.default)?;
                let mut cases = Vec::new();
                for (number, target) in switch.cases() {
                    cases.push((number, self.reach(target)?));
                }
                let made = match switch.low {
                    Some(low) => {
                        Switch::Table { low, targets: cases.iter().map(|case| case.1).collect(), default }
                    }
                    None => {
                        cases.sort_by_key(|case| case.0);
                        Switch::Lookup { cases: cases.into(), default }
                    }
                };
                let number = self.switches.len() as u32;
                self.switches.push(made);
                let count = self.counted();
                self.emit(Word::new(op::SWITCH, (key, 0, count), number));
                return Ok(Next::Leaves);
            }
            opcode::GETSTATIC | opcode::PUTSTATIC | opcode::GETFIELD | opcode::PUTFIELD => {
                self.field(instruction)?;
            }
            opcode::INVOKEVIRTUAL
            | opcode::INVOKESPECIAL
            | opcode::INVOKESTATIC
            | opcode::INVOKEINTERFACE
            | opcode::INVOKEDYNAMIC => self.call(instruction)?,
            opcode::NEW => {
                let own = self.push_result(Kind::Reference)?;
                self.define(op::LINK_NEW, own, 0, 0, constant_of(operands));
            }
            opcode::NEWARRAY => {
                let Operands::ArrayType(code) = operands else { return self.broken("no type") };
                // Numbered from 4 on: boolean, char, float, double, byte, short, int, long.
                let kinds = [
                    Kind::Boolean,
                    Kind::Char,
                    Kind::Float,
                    Kind::Double,
                    Kind::Byte,
                    Kind::Short,
                    Kind::Int,
                    Kind::Long,
                ];
                let kind = usize::from(code).checked_sub(4).and_then(|at| kinds.get(at));
                let Some(kind) = kind else { return self.broken("no type") };
                let length = self.take()?;
                let own = self.push_result(Kind::Reference)?;
                // The classes of arrays of primitives have the same numbers in every universe.
                let class = crate::universe::primitive_array_number(*kind);
                self.define(op::NEW_ARRAY, own, length, 0, class);
            }
            opcode::ANEWARRAY => {
                let length = self.take()?;
                let own = self.push_result(Kind::Reference)?;
                self.define(op::LINK_NEW_ARRAY, own, length, 0, constant_of(operands));
            }
            opcode::ARRAYLENGTH => {
                let array = self.take()?;
                let own = self.push_result(Kind::Int)?;
                self.define(op::LENGTH, own, array, 0, 0);
            }
            opcode::ATHROW => {
                let thrown = self.take()?;
                let count = self.counted();
                self.emit(Word::new(op::THROW, (thrown, 0, count), 0));
                return Ok(Next::Leaves);
            }
            opcode::CHECKCAST => {
                let entry = self.pop()?;
                if entry.value != Value::Null {
                    let register = self.register(entry)?;
                    self.emit(Word::new(op::LINK_CAST, (0, register, 0), constant_of(operands)));
                }
                self.stack.push(entry);
            }
            opcode::INSTANCEOF => {
                let object = self.take()?;
                let own = self.push_result(Kind::Int)?;
                self.define(op::LINK_IS_A, own, object, 0, constant_of(operands));
            }
            opcode::MULTIANEWARRAY => {
                let Operands::Dimensions(constant, dimensions) = operands else {
                    return self.broken("no dimensions");
                };
                let from = self.stack.len().checked_sub(usize::from(dimensions));
                let Some(from) = from.filter(|_| dimensions > 0) else {
                    return self.broken("too few values on the stack");
                };
                self.settle(from)?;
                let base = self.own(self.stack[from].slot);
                self.stack.truncate(from);
                self.push(Value::Own, Kind::Reference)?;
                self.emit(Word::based(op::LINK_NEW_ARRAYS, base, dimensions, u32::from(constant.0)));
            }
            _ => return self.broken("an instruction that is not supported"),
        }
        Ok(Next::Follows)
    }

    pub(super) fn constant(&mut self, operands: Operands<'_>) -> Done {
        let number = constant_of(operands);
        match self.class.constant(number as u16) {
            Constant::Integer(value) => self.push(Value::Int(value), Kind::Int)?,
            Constant::Float(value) => self.push(Value::Int(value.to_bits() as i32), Kind::Float)?,
            Constant::Long(value) => self.push(Value::Long(value as u64), Kind::Long)?,
            Constant::Double(value) => self.push(Value::Long(value.to_bits()), Kind::Double)?,
            Constant::Computed(_, both) => {
                let kind = Kind::of(self.class.name_and_type(both).1);
                let own = self.push_result(kind)?;
                self.emit(Word::new(op::LINK_CONSTANT, (own, 0, 0), number));
            }
            _ => {
                let own = self.push_result(Kind::Reference)?;
                self.define(op::LINK_CONSTANT, own, 0, 0, number);
            }
        }
        Ok(())
    }

    pub(super) fn field(&mut self, instruction: &Instruction<'_>) -> Done {
        let number = constant_of(instruction.operands);
        let Some((_, both)) = self.class.constant(number as u16).member() else {
            return self.broken("no field");
        };
        let kind = Kind::of(self.class.name_and_type(both).1);
        match instruction.opcode {
            opcode::GETSTATIC => {
                let own = self.push_result(kind)?;
                self.define(op::LINK_GET_STATIC, own, 0, 0, number);
            }
            opcode::PUTSTATIC => {
                let value = self.take()?;
                let value = self.narrowed(value, Some(kind));
                self.emit(Word::new(op::LINK_PUT_STATIC, (value, 0, 0), number));
            }
            opcode::GETFIELD => {
                let object = self.take()?;
                let own = self.push_result(kind)?;
                self.define(op::LINK_GET, own, object, 0, number);
            }
            _ => {
                let (value, object) = (self.take()?, self.take()?);
                self.emit(Word::new(op::LINK_PUT, (value, object, 0), number));
            }
        }
        Ok(())
    }

    pub(super) fn call(&mut self, instruction: &Instruction<'_>) -> Done {
        let constant = match instruction.operands {
            Operands::Site(constant, _) => constant.0,
            _ => constant_of(instruction.operands) as u16,
        };
        let both = match self.class.constant(constant) {
            Constant::Member(_, both) | Constant::InterfaceMember(_, both) | Constant::Computed(_, both) => {
                both
            }
            _ => return self.broken("no method"),
        };
        let text = self.class.name_and_type(both).1;
        let Some(shape) = descriptor::method(text) else { return self.broken("no descriptor of a method") };
        let (op, has_object) = match instruction.opcode {
            opcode::INVOKESTATIC => (op::LINK_CALL_STATIC, false),
            opcode::INVOKEDYNAMIC => (op::LINK_CALL_DYNAMIC, false),
            opcode::INVOKESPECIAL => (op::LINK_CALL_SPECIAL, true),
            opcode::INVOKEINTERFACE => (op::LINK_CALL_INTERFACE, true),
            _ => (op::LINK_CALL_VIRTUAL, true),
        };
        let arguments = shape.parameters.len() + usize::from(has_object);
        let Some(from) = self.stack.len().checked_sub(arguments) else {
            return self.broken("too few values on the stack");
        };
        self.settle(from)?;
        let slot = self.stack.get(from).map_or(self.depth(), |entry| entry.slot);
        let base = self.own(slot);
        self.stack.truncate(from);
        let result = (shape.result != b"V").then(|| Kind::of(shape.result));
        if let Some(kind) = result {
            self.push(Value::Own, kind)?;
        }
        // Sites are numbered here, so that code does not grow when it is linked. Those behind the last number have none.
        let mut site = 0;
        let is_selected = op == op::LINK_CALL_INTERFACE || op == op::LINK_CALL_VIRTUAL;
        if is_selected || op == op::LINK_CALL_SPECIAL && self.class.is_interface() {
            site = self.sites.min(usize::from(u8::MAX)) as u8;
            self.sites += 1;
        }
        self.emit(Word::based(op, base, site, u32::from(constant)));
        Ok(())
    }
}
