//! The interpreter: runs bytecode where it stands in the file.
//!
//! ```text
//!   arguments, other variables │ method and instruction to return to, its variables │ stack ─►
//!   ▲ locals                                                                                ▲ top
//! ```
//!
//! A call takes its arguments where the caller's stack has them. Every instruction costs one, and what clears, moves or looks
//! at memory, one more for each 64 bytes. What the verifier promises is relied on for what a program means, not for safety: where a
//! value is not there, the answer is [`Stop::Unverified`].

use crate::opcode::{self as op, i16_at, i32_at, permutation, u8_at, u16_at};
use crate::read::{Kind, Method, NATIVE, STATIC};
use crate::verify::{INT, parameters};
use crate::{Applet, Natives, Stop, Stopped};

/// `this`: there is one object, and its fields need no reference.
const THIS: u32 = u32::MAX;

/// What is kept of the caller below the stack.
const SAVED: usize = 2;

/// The caller of the first method.
const OUTSIDE: u32 = u32::MAX;

/// Bytes that are cleared, moved or looked at for one instruction.
const BYTES_EACH: usize = 64;

/// Calls a method from outside.
pub(crate) fn call(
    applet: &mut Applet<'_>,
    name: &[u8],
    arguments: &[i32],
    natives: &mut dyn Natives,
) -> Result<i32, Stopped> {
    let mut run = Run {
        left: applet.instructions,
        applet,
        natives,
        method: Method::default(),
        index: 0,
        code: &[],
        pc: 0,
        at: 0,
        locals: 0,
        top: 0,
    };
    run.begin(name, arguments).and_then(|()| run.steps()).map_err(|why| Stopped {
        why,
        method: run.index as u8,
        at: run.at as u16,
    })
}

struct Run<'r, 'm> {
    applet: &'r mut Applet<'m>,
    natives: &'r mut dyn Natives,
    /// Instructions that are left.
    left: u64,
    method: Method,
    index: usize,
    code: &'m [u8],
    /// The next instruction.
    pc: usize,
    /// The one that runs.
    at: usize,
    /// Where variables begin.
    locals: usize,
    /// Behind the top of the stack.
    top: usize,
}

impl Run<'_, '_> {
    /// Enters the method of a name.
    fn begin(&mut self, name: &[u8], arguments: &[i32]) -> Result<(), Stop> {
        let class = &self.applet.class;
        let named = |method: &Method| class.named(method).0 == name;
        let index = class.methods().iter().position(named).ok_or(Stop::NoMethod)?;
        let method = class.methods().get(index).copied().unwrap_or_default();
        if method.flags & NATIVE != 0 {
            return Err(Stop::NoMethod);
        }
        let mut kinds = parameters(class.named(&method).1);
        let ints = kinds.by_ref().take(arguments.len()).filter(|kind| kind.ty() == INT).count();
        if ints != arguments.len() || kinds.next().is_some() {
            return Err(Stop::Arguments);
        }
        if method.flags & STATIC == 0 {
            self.push(THIS)?;
        }
        arguments.iter().try_for_each(|argument| self.push(*argument as u32))?;
        self.enter(index, method, OUTSIDE)
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub((bytes / BYTES_EACH) as u64 + 1).ok_or(Stop::Instructions)?;
        Ok(())
    }

    fn word(&mut self, at: usize) -> Result<&mut u32, Stop> {
        self.applet.frames.get_mut(at).ok_or(Stop::Unverified)
    }

    fn push(&mut self, word: u32) -> Result<(), Stop> {
        // Room for a method's stack was found when it was entered; the host's arguments have none yet.
        *self.applet.frames.get_mut(self.top).ok_or(Stop::Depth)? = word;
        self.top += 1;
        Ok(())
    }

    fn pop(&mut self) -> Result<u32, Stop> {
        self.top = self.top.checked_sub(1).ok_or(Stop::Unverified)?;
        self.word(self.top).copied()
    }

    fn pop_int(&mut self) -> Result<i32, Stop> {
        self.pop().map(|word| word as i32)
    }

    fn local(&mut self, index: usize) -> Result<&mut u32, Stop> {
        self.word(self.locals + index)
    }

    /// Enters a method whose arguments are on the stack.
    fn enter(&mut self, index: usize, method: Method, caller: u32) -> Result<(), Stop> {
        let locals = self.top.checked_sub(usize::from(method.arguments)).ok_or(Stop::Unverified)?;
        let saved = locals + usize::from(method.locals);
        if saved + SAVED + usize::from(method.stack) > self.applet.frames.len() {
            return Err(Stop::Depth);
        }
        *self.word(saved)? = caller;
        *self.word(saved + 1)? = self.locals as u32;
        (self.locals, self.top) = (locals, saved + SAVED);
        self.resume(index, method, 0);
        Ok(())
    }

    fn resume(&mut self, index: usize, method: Method, pc: usize) {
        self.code = self.applet.class.code(&method);
        (self.index, self.method, self.pc) = (index, method, pc);
    }

    /// Leaves the method. Its result, if nobody of the applet called it.
    fn leave(&mut self) -> Result<Option<u32>, Stop> {
        let kind = self.method.result;
        let result = if kind == Kind::Void { 0 } else { kind.narrowed(self.pop()?) };
        let saved = self.locals + usize::from(self.method.locals);
        let (caller, locals) = (*self.word(saved)?, *self.word(saved + 1)? as usize);
        if caller == OUTSIDE {
            return Ok(Some(result));
        }
        (self.top, self.locals) = (self.locals, locals);
        let index = (caller >> 16) as usize;
        let method = self.applet.class.methods().get(index).copied().ok_or(Stop::Unverified)?;
        self.resume(index, method, (caller & 0xffff) as usize);
        if kind != Kind::Void {
            self.push(result)?;
        }
        Ok(None)
    }

    /// Runs until the first method returns.
    fn steps(&mut self) -> Result<i32, Stop> {
        loop {
            self.at = self.pc;
            self.spend(0)?;
            if let Some(result) = self.step()? {
                return Ok(result as i32);
            }
        }
    }

    fn step(&mut self) -> Result<Option<u32>, Stop> {
        let (code, at) = (self.code, self.at);
        let opcode = *code.get(at).ok_or(Stop::Unverified)?;
        let byte = u8_at(code, at + 1);
        let short = i16_at(code, at + 1);
        let index = short as u16 as usize;
        self.pc = at + 1;
        match opcode {
            op::NOP => {}
            op::ACONST_NULL => self.push(0)?,
            op::ICONST_M1..=op::ICONST_5 => {
                self.push((i32::from(opcode) - i32::from(op::ICONST_0)) as u32)?
            }
            op::BIPUSH => {
                self.pc = at + 2;
                self.push(byte as i8 as u32)?;
            }
            op::SIPUSH => {
                self.pc = at + 3;
                self.push(short as u32)?;
            }
            op::LDC | op::LDC_W => {
                self.pc = at + if opcode == op::LDC { 2 } else { 3 };
                let index = if opcode == op::LDC { byte } else { index };
                let int = self.applet.class.int(index).ok_or(Stop::Unverified)?;
                self.push(int as u32)?;
            }
            op::ILOAD | op::ALOAD => {
                self.pc = at + 2;
                self.load(byte)?;
            }
            op::ILOAD_0..=op::ALOAD_3 => self.load(usize::from(opcode - op::ILOAD_0) % 4)?,
            op::ISTORE | op::ASTORE => {
                self.pc = at + 2;
                self.store(byte)?;
            }
            op::ISTORE_0..=op::ASTORE_3 => self.store(usize::from(opcode - op::ISTORE_0) % 4)?,
            op::IALOAD => {
                let element = self.element()?;
                self.push(u32::from_ne_bytes(element))?;
            }
            op::BALOAD => {
                let [element] = self.element()?;
                self.push(element as i8 as u32)?;
            }
            op::SALOAD => {
                let element = self.element()?;
                self.push(i16::from_ne_bytes(element) as u32)?;
            }
            op::IASTORE => {
                let word = self.pop()?;
                self.set_element(word.to_ne_bytes())?;
            }
            op::BASTORE => {
                let word = self.pop()?;
                self.set_element([word as u8])?;
            }
            op::SASTORE => {
                let word = self.pop()?;
                self.set_element((word as u16).to_ne_bytes())?;
            }
            op::POP..=op::SWAP => self.permute(opcode)?,
            op::INEG | op::I2B | op::I2S => {
                let a = self.pop_int()?;
                self.push(match opcode {
                    op::INEG => a.wrapping_neg() as u32,
                    op::I2B => a as i8 as u32,
                    _ => a as i16 as u32,
                })?;
            }
            op::IADD..=op::IXOR => {
                let b = self.pop_int()?;
                let a = self.pop_int()?;
                self.push(computed(opcode, a, b)? as u32)?;
            }
            op::IINC => {
                self.pc = at + 3;
                self.increment(byte, i32::from(u8_at(code, at + 2) as i8))?;
            }
            op::IFEQ..=op::IF_ACMPNE => {
                let b = if opcode < op::IF_ICMPEQ { 0 } else { self.pop_int()? };
                let a = self.pop_int()?;
                self.branch(holds(opcode, a, b), short);
            }
            op::IFNULL | op::IFNONNULL => {
                let null = self.pop()? == 0;
                self.branch(null == (opcode == op::IFNULL), short);
            }
            op::GOTO => self.branch(true, short),
            op::GOTO_W => self.branch(true, i32_at(code, at + 1)),
            op::TABLESWITCH => {
                let words = (at + 4) / 4 * 4;
                let (low, high) = (i32_at(code, words + 4), i32_at(code, words + 8));
                let key = self.pop_int()?;
                let entry =
                    if (low..=high).contains(&key) { key.wrapping_sub(low) as u32 as usize + 3 } else { 0 };
                self.branch(true, i32_at(code, words + 4 * entry));
            }
            op::LOOKUPSWITCH => {
                let key = self.pop_int()?;
                self.branch(true, looked_up(code, (at + 4) / 4 * 4, key));
            }
            op::IRETURN..=op::RETURN => return self.leave(),
            op::GETSTATIC..=op::PUTFIELD => {
                self.pc = at + 3;
                self.field(opcode, index)?;
            }
            op::INVOKEVIRTUAL..=op::INVOKESTATIC => {
                self.pc = at + 3;
                self.invoke(index)?;
            }
            op::NEWARRAY => {
                self.pc = at + 2;
                self.new_array(byte)?;
            }
            op::ARRAYLENGTH => {
                let reference = self.pop()?;
                let length = self.applet.heap.length(reference)?;
                self.push(length)?;
            }
            op::WIDE => {
                let index = u16_at(code, at + 2);
                self.pc = at + 4;
                match byte as u8 {
                    op::ILOAD | op::ALOAD => self.load(index)?,
                    op::ISTORE | op::ASTORE => self.store(index)?,
                    _ => {
                        self.pc = at + 6;
                        self.increment(index, i16_at(code, at + 4))?;
                    }
                }
            }
            _ => return Err(Stop::Unverified),
        }
        Ok(None)
    }

    fn load(&mut self, index: usize) -> Result<(), Stop> {
        let word = *self.local(index)?;
        self.push(word)
    }

    fn store(&mut self, index: usize) -> Result<(), Stop> {
        let word = self.pop()?;
        *self.local(index)? = word;
        Ok(())
    }

    fn increment(&mut self, index: usize, by: i32) -> Result<(), Stop> {
        let local = self.local(index)?;
        *local = local.wrapping_add(by as u32);
        Ok(())
    }

    fn branch(&mut self, goes: bool, distance: i32) {
        self.pc = if goes { self.at.wrapping_add_signed(distance as isize) } else { self.at + 3 };
    }

    fn permute(&mut self, opcode: u8) -> Result<(), Stop> {
        let (take, give) = permutation(opcode);
        let mut taken = [0; 4];
        for word in taken.iter_mut().take(usize::from(take)).rev() {
            *word = self.pop()?;
        }
        give.iter().try_for_each(|from| self.push(taken.get(usize::from(*from)).copied().unwrap_or_default()))
    }

    fn element<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let index = self.pop()?;
        let reference = self.pop()?;
        self.applet.heap.element(reference, index).copied()
    }

    fn set_element<const N: usize>(&mut self, element: [u8; N]) -> Result<(), Stop> {
        let index = self.pop()?;
        let reference = self.pop()?;
        *self.applet.heap.element(reference, index)? = element;
        Ok(())
    }

    fn field(&mut self, opcode: u8, index: usize) -> Result<(), Stop> {
        let (slot, field) = self.applet.class.field_at(index).ok_or(Stop::Unverified)?;
        let sets = matches!(opcode, op::PUTSTATIC | op::PUTFIELD);
        let word = if sets { self.pop()? } else { 0 };
        if field.flags & STATIC == 0 && self.pop()? == 0 {
            return Err(Stop::Null);
        }
        let value = self.applet.values.get_mut(slot).ok_or(Stop::Unverified)?;
        if sets {
            *value = field.kind.narrowed(word);
            return Ok(());
        }
        let word = *value;
        self.push(word)
    }

    fn invoke(&mut self, index: usize) -> Result<(), Stop> {
        let Some((index, method)) = self.applet.class.method_at(index) else {
            // Object's constructor does nothing.
            return self.pop().map(drop);
        };
        let first = self.top.checked_sub(usize::from(method.arguments)).ok_or(Stop::Unverified)?;
        let object = method.flags & STATIC == 0;
        if object && *self.word(first)? == 0 {
            return Err(Stop::Null);
        }
        if method.flags & NATIVE == 0 {
            return self.enter(index, method, (self.index << 16 | self.pc) as u32);
        }
        let Applet { frames, heap, .. } = &mut *self.applet;
        let arguments = frames.get(first + usize::from(object)..self.top).ok_or(Stop::Unverified)?;
        let result = self.natives.call(method.code, arguments, heap)?;
        self.top = first;
        if method.result == Kind::Void { Ok(()) } else { self.push(method.result.narrowed(result)) }
    }

    fn new_array(&mut self, element: usize) -> Result<(), Stop> {
        // 8 is byte, 9 short, 10 int (JVMS table 6.5.newarray-A).
        let count = usize::try_from(self.pop_int()?).map_err(|_| Stop::NegativeSize)?;
        let log = element as u32 & 3;
        let bytes = count.checked_mul(1 << log).ok_or(Stop::Memory)?;
        if !self.applet.heap.fits(bytes) {
            self.collect()?;
        }
        self.spend(bytes.min(self.applet.heap.size()))?;
        let reference = self.applet.heap.make(bytes, log)?;
        self.push(reference)
    }

    /// Drops the arrays that nothing refers to.
    fn collect(&mut self) -> Result<(), Stop> {
        let Applet { values, frames, heap, .. } = &mut *self.applet;
        let roots = values.iter().chain(frames.iter().take(self.top));
        let looked_at = 4 * roots.clone().count() + heap.used();
        roots.for_each(|root| heap.mark(*root));
        heap.sweep();
        self.spend(looked_at)
    }
}

fn computed(opcode: u8, a: i32, b: i32) -> Result<i32, Stop> {
    Ok(match opcode {
        op::IADD => a.wrapping_add(b),
        op::ISUB => a.wrapping_sub(b),
        op::IMUL => a.wrapping_mul(b),
        op::IDIV | op::IREM if b == 0 => return Err(Stop::Division),
        op::IDIV => a.wrapping_div(b),
        op::IREM => a.wrapping_rem(b),
        op::ISHL => a.wrapping_shl(b as u32),
        op::ISHR => a.wrapping_shr(b as u32),
        op::IUSHR => (a as u32).wrapping_shr(b as u32) as i32,
        op::IAND => a & b,
        op::IOR => a | b,
        _ => a ^ b,
    })
}

/// Whether a conditional branch is taken.
fn holds(opcode: u8, a: i32, b: i32) -> bool {
    match (opcode - op::IFEQ) % 6 {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a >= b,
        4 => a > b,
        _ => a <= b,
    }
}

/// The distance that a `lookupswitch` has for a key.
fn looked_up(code: &[u8], words: usize, key: i32) -> i32 {
    let (mut low, mut high) = (0, i32_at(code, words + 4) as u32 as usize);
    while low < high {
        let middle = (low + high) / 2;
        let found = i32_at(code, words + 8 + 8 * middle);
        if found == key {
            return i32_at(code, words + 12 + 8 * middle);
        }
        if found < key { low = middle + 1 } else { high = middle }
    }
    i32_at(code, words)
}
