//! Verification by type checking (JVMS 4.10.1) of the types that the profile has: one pass over a method, by the frames that the
//! compiler wrote.
//!
//! Every frame takes the same room: offset, depth of the stack, and a byte for each variable and stack slot. They stand in
//! the memory that arrays have later.

use crate::opcode::{self as op, i16_at, i32_at, permutation, u8_at, u16_at};
use crate::read::{
    Class, Kind, METHODREF, Method, NATIVE, OBJECT_INIT, Reader, SLOTS_MAX, STATIC, attributes, hold, refused,
};
use crate::{Refused, Rule};

/// A verification type (4.10.1.2).
pub(crate) type Type = u8;

pub(crate) const TOP: Type = 0;
pub(crate) const INT: Type = 1;
/// `this` before Object's constructor was called.
const UNINITIALIZED: Type = 2;
/// All from here on are references.
const NULL: Type = 3;
pub(crate) const THIS: Type = 4;
pub(crate) const OBJECT: Type = 5;
pub(crate) const BYTES: Type = 6;
pub(crate) const SHORTS: Type = 7;
pub(crate) const INTS: Type = 8;

/// Offset and depth in front of a frame's types.
const HEAD: usize = 3;

/// Verifies a method.
pub(crate) fn verify(class: &Class<'_>, method: &Method, scratch: &mut [u8]) -> Result<(), Refused> {
    if method.flags & NATIVE != 0 {
        return Ok(());
    }
    let base = usize::from(method.code) + 8;
    let code = class.code(method);
    // Otherwise it is longer than the file.
    hold(!code.is_empty(), Rule::Code, base)?;
    let mut verifier = Verifier {
        class,
        method,
        code,
        base,
        at: 0,
        slots: [TOP; SLOTS_MAX],
        depth: 0,
        initializer: class.named(method).0 == b"<init>",
        uninitialized: false,
        frames: &[],
    };
    verifier.begin()?;
    let mut reader = Reader { file: class.file, at: base + code.len() };
    hold(reader.u16()? == 0, Rule::Handler, reader.at)?;
    let mut count = 0;
    attributes(&mut reader, |name, content| {
        if class.utf8(name) != b"StackMapTable" {
            return Ok(());
        }
        count = verifier.table(content, scratch)?;
        Ok(())
    })?;
    let end = base - 8 + i32_at(class.file, base - 12) as usize;
    hold(reader.at == end, Rule::Code, reader.at)?;
    verifier.frames = scratch.get(..count * verifier.stride()).unwrap_or_default();
    verifier.begin()?;
    verifier.pass()
}

struct Verifier<'a> {
    class: &'a Class<'a>,
    method: &'a Method,
    code: &'a [u8],
    /// Where in the file the code begins.
    base: usize,
    /// The instruction that is looked at.
    at: usize,
    /// Local variables, then the stack.
    slots: [Type; SLOTS_MAX],
    depth: usize,
    /// Whether this is `<init>`.
    initializer: bool,
    /// Whether `this` is not yet initialized (flagThisUninit).
    uninitialized: bool,
    frames: &'a [u8],
}

type Checked<T = ()> = Result<T, Refused>;

impl<'a> Verifier<'a> {
    /// The room of a frame.
    fn stride(&self) -> usize {
        HEAD + usize::from(self.method.locals) + usize::from(self.method.stack)
    }

    fn fails<T>(&self, rule: Rule) -> Checked<T> {
        Err(refused(rule, self.base + self.at))
    }

    fn hold(&self, holds: bool, rule: Rule) -> Checked {
        hold(holds, rule, self.base + self.at)
    }

    /// The state in front of the first instruction.
    fn begin(&mut self) -> Checked {
        self.slots = [TOP; SLOTS_MAX];
        self.depth = 0;
        self.uninitialized = self.initializer;
        let this = if self.initializer { UNINITIALIZED } else { THIS };
        let own = (self.method.flags & STATIC == 0).then_some(this);
        let types = own.into_iter().chain(parameters(self.class.named(self.method).1).map(Kind::ty));
        for (slot, ty) in self.slots.iter_mut().zip(types) {
            *slot = ty;
        }
        Ok(())
    }

    /// Reads the StackMapTable (4.7.4) into frames; the state is that of each in turn. How many there are.
    fn table(&mut self, content: usize, frames: &mut [u8]) -> Checked<usize> {
        let mut reader = Reader { file: self.class.file, at: content };
        let end = content + i32_at(self.class.file, content.wrapping_sub(4)) as usize;
        let (locals_max, stack_max) = (usize::from(self.method.locals), usize::from(self.method.stack));
        let (count, mut next) = (usize::from(reader.u16()?), 0);
        let mut locals = usize::from(self.method.arguments);
        for index in 0..count {
            let at = reader.at;
            let tag = reader.u8()?;
            self.depth = 0;
            let delta = if tag < 128 { u16::from(tag) % 64 } else { reader.u16()? };
            match tag {
                0..=63 | 251 => {}
                64..=127 | 247 => self.depth = 1,
                248..=250 => {
                    let cut = usize::from(251 - tag);
                    hold(cut <= locals, Rule::Frame, at)?;
                    locals -= cut;
                }
                252..=254 => {
                    let more = usize::from(tag - 251);
                    self.types(&mut reader, locals, more, locals_max)?;
                    locals += more;
                }
                255 => {
                    locals = usize::from(reader.u16()?);
                    self.types(&mut reader, 0, locals, locals_max)?;
                    self.depth = usize::from(reader.u16()?);
                }
                _ => return Err(refused(Rule::Frame, at)),
            }
            self.slots.get_mut(locals..locals_max).unwrap_or_default().fill(TOP);
            self.types(&mut reader, locals_max, self.depth, locals_max + stack_max)?;
            let offset = next + usize::from(delta);
            hold(offset < self.code.len(), Rule::Frame, at)?;
            next = offset + 1;
            let frame =
                frames.get_mut(index * self.stride()..).and_then(|rest| rest.get_mut(..self.stride()));
            let Some((head, types)) = frame.and_then(<[u8]>::split_first_chunk_mut) else {
                return Err(refused(Rule::Limit, at));
            };
            *head = [(offset >> 8) as u8, offset as u8, self.depth as u8];
            types.iter_mut().zip(&self.slots).for_each(|(to, from)| *to = *from);
        }
        hold(reader.at == end, Rule::Frame, reader.at)?;
        Ok(count)
    }

    /// Reads types of a frame into slots that end below `max`.
    fn types(&mut self, reader: &mut Reader<'_>, from: usize, count: usize, max: usize) -> Checked {
        hold(from + count <= max, Rule::Frame, reader.at)?;
        for slot in self.slots.iter_mut().skip(from).take(count) {
            let at = reader.at;
            let ty = match reader.u8()? {
                0 => Some(TOP),
                1 => Some(INT),
                5 => Some(NULL),
                6 => Some(UNINITIALIZED),
                7 => self.class.frame_type(reader.u16()?),
                _ => None,
            };
            *slot = ty.ok_or(refused(Rule::Frame, at))?;
        }
        Ok(())
    }

    fn pass(&mut self) -> Checked {
        let (mut reached, mut passed) = (true, 0);
        while self.at < self.code.len() {
            match self.frame(passed) {
                Some(frame) if u16_at(frame, 0) <= self.at => {
                    self.hold(u16_at(frame, 0) == self.at, Rule::Frame)?;
                    if reached {
                        self.fits(frame)?;
                    }
                    self.resume(frame);
                    passed += 1;
                }
                _ => self.hold(reached, Rule::Target)?,
            }
            let (length, follows) = self.instruction()?;
            self.at += length;
            self.hold(self.at <= self.code.len(), Rule::Instruction)?;
            reached = follows;
        }
        self.hold(!reached, Rule::Target)?;
        self.hold(self.frame(passed).is_none(), Rule::Frame)
    }

    fn frame(&self, index: usize) -> Option<&'a [u8]> {
        self.frames.get(index * self.stride()..)?.get(..self.stride())
    }

    fn resume(&mut self, frame: &[u8]) {
        self.depth = u8_at(frame, 2);
        let types = frame.get(HEAD..).unwrap_or_default();
        self.slots.iter_mut().zip(types).for_each(|(to, from)| *to = *from);
        self.uninitialized =
            types.iter().take(usize::from(self.method.locals)).any(|ty| *ty == UNINITIALIZED);
    }

    /// Whether control may go on with a frame (4.10.1.5).
    fn fits(&self, frame: &[u8]) -> Checked {
        self.hold(u8_at(frame, 2) == self.depth, Rule::Mismatch)?;
        let locals = usize::from(self.method.locals);
        let types = frame.get(HEAD..).unwrap_or_default();
        let used = types.iter().zip(&self.slots).take(locals + self.depth);
        self.hold(used.clone().all(|(to, from)| assignable(*from, *to)), Rule::Mismatch)?;
        let early = used.take(locals).any(|(to, _)| *to == UNINITIALIZED);
        self.hold(early || !self.uninitialized, Rule::Mismatch)
    }

    /// Control may go to a distance from here.
    fn branch(&self, distance: i32) -> Checked {
        let target = self.at as i64 + i64::from(distance);
        let of = |index: usize| self.frame(index).map_or(i64::MAX, |frame| u16_at(frame, 0) as i64);
        let (mut low, mut high) = (0, self.frames.len() / self.stride());
        while low < high {
            let middle = (low + high) / 2;
            if of(middle) < target {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        match self.frame(low) {
            Some(frame) if of(low) == target => self.fits(frame),
            _ => self.fails(Rule::Target),
        }
    }

    fn push(&mut self, ty: Type) -> Checked {
        self.hold(self.depth < usize::from(self.method.stack), Rule::Stack)?;
        let at = usize::from(self.method.locals) + self.depth;
        self.depth += 1;
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = ty;
        }
        Ok(())
    }

    fn pop(&mut self) -> Checked<Type> {
        self.hold(self.depth > 0, Rule::Stack)?;
        self.depth -= 1;
        Ok(u8_at(&self.slots, usize::from(self.method.locals) + self.depth) as Type)
    }

    fn pop_as(&mut self, expected: Type) -> Checked {
        let found = self.pop()?;
        self.hold(assignable(found, expected), Rule::Type)
    }

    fn pop_ints(&mut self, count: usize) -> Checked {
        (0..count).try_for_each(|_| self.pop_as(INT))
    }

    fn local(&mut self, index: usize) -> Checked<&mut Type> {
        let at = self.base + self.at;
        let locals = self.slots.get_mut(..usize::from(self.method.locals));
        locals.and_then(|locals| locals.get_mut(index)).ok_or(refused(Rule::Operand, at))
    }

    fn load(&mut self, index: usize, letter: u8) -> Checked {
        let ty = *self.local(index)?;
        let right = if letter == op::ILOAD { ty == INT } else { ty >= UNINITIALIZED };
        self.hold(right, Rule::Type)?;
        self.push(ty)
    }

    fn store(&mut self, index: usize, letter: u8) -> Checked {
        let ty = self.pop()?;
        let right = if letter == op::ISTORE { ty == INT } else { ty >= UNINITIALIZED };
        self.hold(right, Rule::Type)?;
        *self.local(index)? = ty;
        Ok(())
    }

    fn increment(&mut self, index: usize) -> Checked {
        let right = *self.local(index)? == INT;
        self.hold(right, Rule::Type)
    }

    /// Checks an instruction: its length, and whether control goes on behind it.
    fn instruction(&mut self) -> Checked<(usize, bool)> {
        let (code, at) = (self.code, self.at);
        let opcode = u8_at(code, at) as u8;
        let (byte, short) = (u8_at(code, at + 1), i16_at(code, at + 1));
        let mut length = 1;
        match opcode {
            op::NOP => {}
            op::ACONST_NULL => self.push(NULL)?,
            op::ICONST_M1..=op::ICONST_5 => self.push(INT)?,
            op::BIPUSH => {
                length = 2;
                self.push(INT)?;
            }
            op::SIPUSH => {
                length = 3;
                self.push(INT)?;
            }
            op::LDC | op::LDC_W => {
                length = if opcode == op::LDC { 2 } else { 3 };
                let index = if opcode == op::LDC { byte } else { short as u16 as usize };
                self.hold(self.class.int(index).is_some(), Rule::Operand)?;
                self.push(INT)?;
            }
            op::ILOAD | op::ALOAD => {
                length = 2;
                self.load(byte, opcode)?;
            }
            op::ILOAD_0..=op::ILOAD_3 => self.load(usize::from(opcode - op::ILOAD_0), op::ILOAD)?,
            op::ALOAD_0..=op::ALOAD_3 => self.load(usize::from(opcode - op::ALOAD_0), op::ALOAD)?,
            op::ISTORE | op::ASTORE => {
                length = 2;
                self.store(byte, opcode)?;
            }
            op::ISTORE_0..=op::ISTORE_3 => self.store(usize::from(opcode - op::ISTORE_0), op::ISTORE)?,
            op::ASTORE_0..=op::ASTORE_3 => self.store(usize::from(opcode - op::ASTORE_0), op::ASTORE)?,
            op::IALOAD | op::BALOAD | op::SALOAD => {
                self.pop_as(INT)?;
                self.pop_as(array_of(opcode))?;
                self.push(INT)?;
            }
            op::IASTORE | op::BASTORE | op::SASTORE => {
                self.pop_ints(2)?;
                self.pop_as(array_of(opcode))?;
            }
            op::POP..=op::SWAP => self.permute(opcode)?,
            op::IADD | op::ISUB | op::IMUL | op::IDIV | op::IREM => self.computes(2)?,
            op::ISHL | op::ISHR | op::IUSHR | op::IAND | op::IOR | op::IXOR => self.computes(2)?,
            op::INEG | op::I2B | op::I2S => self.computes(1)?,
            op::IINC => {
                length = 3;
                self.increment(byte)?;
            }
            op::IFEQ..=op::IF_ICMPLE => {
                length = 3;
                self.pop_ints(if opcode < op::IF_ICMPEQ { 1 } else { 2 })?;
                self.branch(short)?;
            }
            op::IF_ACMPEQ | op::IF_ACMPNE | op::IFNULL | op::IFNONNULL => {
                length = 3;
                for _ in 0..if opcode < op::IFNULL { 2 } else { 1 } {
                    let ty = self.pop()?;
                    self.hold(ty >= UNINITIALIZED, Rule::Type)?;
                }
                self.branch(short)?;
            }
            op::GOTO => {
                self.branch(short)?;
                return Ok((3, false));
            }
            op::GOTO_W => {
                self.branch(i32_at(code, at + 1))?;
                return Ok((5, false));
            }
            op::TABLESWITCH | op::LOOKUPSWITCH => return self.switch(opcode).map(|length| (length, false)),
            op::IRETURN | op::ARETURN | op::RETURN => {
                self.returns(opcode)?;
                return Ok((1, false));
            }
            op::GETSTATIC..=op::PUTFIELD => {
                length = 3;
                self.field(opcode, short as u16 as usize)?;
            }
            op::INVOKEVIRTUAL..=op::INVOKESTATIC => {
                length = 3;
                self.invoke(opcode, short as u16 as usize)?;
            }
            op::NEWARRAY => {
                length = 2;
                self.pop_as(INT)?;
                let array = match byte {
                    8 => BYTES,
                    9 => SHORTS,
                    10 => INTS,
                    _ => return self.fails(Rule::Operand),
                };
                self.push(array)?;
            }
            op::ARRAYLENGTH => {
                let ty = self.pop()?;
                self.hold(ty == NULL || ty >= BYTES, Rule::Type)?;
                self.push(INT)?;
            }
            op::WIDE => {
                let index = u16_at(code, at + 2);
                length = 4;
                match byte as u8 {
                    opcode @ (op::ILOAD | op::ALOAD) => self.load(index, opcode)?,
                    opcode @ (op::ISTORE | op::ASTORE) => self.store(index, opcode)?,
                    op::IINC => {
                        length = 6;
                        self.increment(index)?;
                    }
                    _ => return self.fails(Rule::Instruction),
                }
            }
            _ => return self.fails(Rule::Instruction),
        }
        Ok((length, true))
    }

    fn computes(&mut self, operands: usize) -> Checked {
        self.pop_ints(operands)?;
        self.push(INT)
    }

    fn permute(&mut self, opcode: u8) -> Checked {
        let (take, give) = permutation(opcode);
        let mut taken = [TOP; 4];
        for slot in taken.iter_mut().take(usize::from(take)).rev() {
            *slot = self.pop()?;
        }
        give.iter().try_for_each(|from| self.push(u8_at(&taken, usize::from(*from)) as Type))
    }

    fn switch(&mut self, opcode: u8) -> Checked<usize> {
        self.pop_as(INT)?;
        let (code, words) = (self.code, (self.at + 4) / 4 * 4);
        let word = |at: usize| i32_at(code, words + 4 * at);
        let (count, first, step) = if opcode == op::TABLESWITCH {
            (i64::from(word(2)) - i64::from(word(1)) + 1, 3, 1)
        } else {
            (i64::from(word(1)), 3, 2)
        };
        let least = i64::from(opcode == op::TABLESWITCH);
        self.hold(count >= least && count <= code.len() as i64, Rule::Operand)?;
        let count = count as usize;
        let end = words + if step == 1 { 12 + 4 * count } else { 8 + 8 * count };
        self.hold(end <= code.len(), Rule::Instruction)?;
        self.branch(word(0))?;
        for index in 0..count {
            self.branch(word(first + step * index))?;
            let key = |index: usize| word(2 + 2 * index);
            self.hold(step == 1 || index == 0 || key(index - 1) < key(index), Rule::Operand)?;
        }
        Ok(end - self.at)
    }

    fn returns(&mut self, opcode: u8) -> Checked {
        let result = self.method.result.ty();
        let right = match opcode {
            op::RETURN => result == TOP,
            op::IRETURN => result == INT,
            _ => result >= BYTES,
        };
        self.hold(right && !self.uninitialized, Rule::Type)?;
        if result == TOP { Ok(()) } else { self.pop_as(result) }
    }

    fn field(&mut self, opcode: u8, index: usize) -> Checked {
        let Some((_, field)) = self.class.field_at(index) else { return self.fails(Rule::Operand) };
        let of_class = matches!(opcode, op::GETSTATIC | op::PUTSTATIC);
        self.hold(of_class == (field.flags & STATIC != 0), Rule::Operand)?;
        let ty = field.kind.ty();
        if matches!(opcode, op::PUTSTATIC | op::PUTFIELD) {
            self.pop_as(ty)?;
        }
        if !of_class {
            let object = self.pop()?;
            // Its own field may be set before Object's constructor is called.
            let early = object == UNINITIALIZED && opcode == op::PUTFIELD && self.initializer;
            self.hold(early || assignable(object, THIS), Rule::Type)?;
        }
        if matches!(opcode, op::GETSTATIC | op::GETFIELD) { self.push(ty) } else { Ok(()) }
    }

    fn invoke(&mut self, opcode: u8, index: usize) -> Checked {
        let Some((_, method)) = self.class.method_at(index) else {
            let constructor = self.class.link(index, METHODREF) == OBJECT_INIT;
            self.hold(constructor && opcode == op::INVOKESPECIAL, Rule::Operand)?;
            return self.initialize();
        };
        let (name, text) = self.class.named(&method);
        let initializes = name.first() == Some(&b'<');
        let of_class = opcode == op::INVOKESTATIC;
        self.hold(of_class == (method.flags & STATIC != 0), Rule::Operand)?;
        self.hold(!initializes || opcode == op::INVOKESPECIAL, Rule::Operand)?;
        // Parameters are popped from the last on.
        let mut types = [TOP; SLOTS_MAX];
        let mut count = 0;
        for (slot, kind) in types.iter_mut().zip(parameters(text)) {
            *slot = kind.ty();
            count += 1;
        }
        types.iter().take(count).rev().try_for_each(|ty| self.pop_as(*ty))?;
        if initializes {
            return self.initialize();
        }
        if !of_class {
            self.pop_as(THIS)?;
        }
        if method.result == Kind::Void { Ok(()) } else { self.push(method.result.ty()) }
    }

    /// A constructor is called for `this`.
    fn initialize(&mut self) -> Checked {
        let ty = self.pop()?;
        self.hold(ty == UNINITIALIZED, Rule::Type)?;
        self.uninitialized = false;
        self.slots.iter_mut().filter(|slot| **slot == UNINITIALIZED).for_each(|slot| *slot = THIS);
        Ok(())
    }
}

/// The kinds of a method's parameters.
pub(crate) fn parameters(text: &[u8]) -> impl Iterator<Item = Kind> {
    let mut rest = text.strip_prefix(b"(").unwrap_or_default();
    core::iter::from_fn(move || {
        let (kind, behind) = Kind::first(rest)?;
        rest = behind;
        Some(kind)
    })
}

/// What an instruction on elements works on.
fn array_of(opcode: u8) -> Type {
    match opcode {
        op::BALOAD | op::BASTORE => BYTES,
        op::SALOAD | op::SASTORE => SHORTS,
        _ => INTS,
    }
}

/// Whether a value of one type may be where another is expected (4.10.1.2).
fn assignable(from: Type, to: Type) -> bool {
    from == to || to == TOP || (from == NULL && to > NULL) || (to == OBJECT && from > NULL)
}
