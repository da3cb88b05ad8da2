//! Class files out of parts, for classes that no compiler made.
//!
//! ```text
//! Writer ─ method ─► Code ─ end ─► Writer ─ finish ─► bytes of version 61, or the first thing that did not fit
//! ```
//!
//! It keeps what a class file counts: constants (each there once), depth of the operand stack, local variables, frames where
//! branches land. Whatever passes a limit is kept until [`Writer::finish`] tells of it, so that nobody has to ask after
//! each instruction. Names are looked up again for each use, so how much of them is bounded as well: few hostile names of 64 KiB
//! would keep whoever writes busy. It does not judge: whether the class is right is for [`verify`](mod@crate::verify).
//!
//! All names and texts are modified UTF-8, as those of the reader.

use std::collections::HashMap;

use crate::class::{flags, shown};
use crate::descriptor;
use crate::opcode::{self, Effect};

/// The version that is written: that of Java 17.
pub const MAJOR: u16 = 61;

/// Most bytes of names and texts that are looked up for a class, each as often as it is used.
pub const LOOKED_UP_MAX: usize = 1 << 24;

/// What no class file can say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A limit is passed.
    #[error("more than {0}")]
    Limit(&'static str),
    /// A text that should be the descriptor of a method is none.
    #[error("no descriptor of a method: {0}")]
    Descriptor(String),
}

/// What a method belongs to: calls of the two are written in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A class.
    Class,
    /// An interface.
    Interface,
}

/// A method or field, as code names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The class that it is looked up in.
    pub class: &'a [u8],
    /// Its name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
}

impl<'a> Reference<'a> {
    /// One of literals.
    #[must_use]
    pub fn new(class: &'a str, name: &'a str, descriptor: &'a str) -> Reference<'a> {
        Reference { class: class.as_bytes(), name: name.as_bytes(), descriptor: descriptor.as_bytes() }
    }
}

/// A list that begins with its count.
#[derive(Debug, Default)]
struct Counted {
    count: usize,
    bytes: Vec<u8>,
}

impl Counted {
    fn add(&mut self, parts: &[u16]) {
        self.count += 1;
        self.extend(parts);
    }

    fn extend(&mut self, parts: &[u16]) {
        self.bytes.extend(parts.iter().flat_map(|part| part.to_be_bytes()));
    }
}

/// A class that is being written.
#[derive(Debug)]
pub struct Writer {
    constants: Vec<u8>,
    /// One more than the highest index.
    constants_count: u16,
    known: HashMap<Vec<u8>, u16>,
    looked_up: usize,
    flags: u16,
    this_class: u16,
    super_class: u16,
    interfaces: Counted,
    fields: Counted,
    methods: Counted,
    wrong: Option<WriteError>,
}

impl Writer {
    /// Begins a class.
    #[must_use]
    pub fn new(flags: u16, name: &[u8], super_name: &[u8]) -> Writer {
        let mut writer = Writer {
            constants: Vec::new(),
            constants_count: 1,
            known: HashMap::new(),
            looked_up: 0,
            flags,
            this_class: 0,
            super_class: 0,
            interfaces: Counted::default(),
            fields: Counted::default(),
            methods: Counted::default(),
            wrong: None,
        };
        (writer.this_class, writer.super_class) = (writer.class(name), writer.class(super_name));
        writer
    }

    /// Adds an interface that the class implements, unless it is there.
    pub fn interface(&mut self, name: &[u8]) {
        let at = self.class(name).to_be_bytes();
        if !self.interfaces.bytes.chunks(2).any(|known| known == at) {
            self.interfaces.add(&[u16::from_be_bytes(at)]);
        }
    }

    /// Adds a field.
    pub fn field(&mut self, flags: u16, name: &[u8], descriptor: &[u8]) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.fields.add(&[flags, name, descriptor, 0]);
    }

    /// Begins a method; it is added when its code ends.
    pub fn method(&mut self, flags: u16, name: &[u8], descriptor: &[u8]) -> Code<'_> {
        let (arguments, _) = self.slots(descriptor);
        let locals = arguments + usize::from(flags & flags::STATIC == 0);
        self.arguments(locals);
        let member = [flags, self.utf8(name), self.utf8(descriptor), 1];
        Code {
            class: self,
            member,
            bytes: Vec::new(),
            depth: 0,
            depth_max: 0,
            locals,
            handlers: Vec::new(),
            frames: Counted::default(),
            last_frame: None,
        }
    }

    /// The class file.
    ///
    /// # Errors
    /// The first limit that was passed.
    pub fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        out.extend(MAJOR.to_be_bytes());
        out.extend(self.constants_count.to_be_bytes());
        out.append(&mut self.constants);
        for part in [self.flags, self.this_class, self.super_class] {
            out.extend(part.to_be_bytes());
        }
        let interfaces = std::mem::take(&mut self.interfaces);
        self.counted(&mut out, interfaces, "65535 interfaces");
        let fields = std::mem::take(&mut self.fields);
        self.counted(&mut out, fields, "65535 fields");
        let methods = std::mem::take(&mut self.methods);
        self.counted(&mut out, methods, "65535 methods");
        out.extend([0, 0]);
        self.wrong.map_or(Ok(out), Err)
    }

    fn counted(&mut self, out: &mut Vec<u8>, list: Counted, limit: &'static str) {
        out.extend(self.short(list.count, limit).to_be_bytes());
        out.extend(list.bytes);
    }

    fn fail(&mut self, why: WriteError) {
        self.wrong.get_or_insert(why);
    }

    /// A number of two bytes, if it fits.
    fn short(&mut self, number: usize, limit: &'static str) -> u16 {
        u16::try_from(number).unwrap_or_else(|_| {
            self.fail(WriteError::Limit(limit));
            0
        })
    }

    /// Counts what is looked up: whether it may be.
    fn look_up(&mut self, bytes: usize) -> bool {
        self.looked_up = self.looked_up.saturating_add(bytes);
        if self.looked_up > LOOKED_UP_MAX {
            self.fail(WriteError::Limit("16 MiB of names"));
        }
        self.wrong.is_none()
    }

    /// How many slots arguments and result take.
    fn slots(&mut self, text: &[u8]) -> (usize, usize) {
        if !self.look_up(text.len()) {
            return (0, 0);
        }
        let Some(method) = descriptor::method(text) else {
            self.fail(WriteError::Descriptor(shown(text)));
            return (0, 0);
        };
        (method.slots(), if method.result == b"V" { 0 } else { descriptor::slots(method.result) })
    }

    /// What a method takes, `this` included, has so many slots.
    fn arguments(&mut self, slots: usize) -> u8 {
        u8::try_from(slots).unwrap_or_else(|_| {
            self.fail(WriteError::Limit("255 slots of arguments"));
            0
        })
    }

    /// The index of a constant, which is added unless it is there.
    fn constant(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(at) = self.known.get(&bytes) {
            return *at;
        }
        let at = self.constants_count;
        let long = matches!(bytes.first(), Some(5 | 6));
        let Some(next) = at.checked_add(if long { 2 } else { 1 }) else {
            self.fail(WriteError::Limit("65534 constants"));
            return 0;
        };
        self.constants_count = next;
        self.constants.extend(&bytes);
        self.known.insert(bytes, at);
        at
    }

    fn tagged(&mut self, tag: u8, parts: &[u16]) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(parts.iter().flat_map(|part| part.to_be_bytes()));
        self.constant(bytes)
    }

    fn utf8(&mut self, text: &[u8]) -> u16 {
        let length = self.short(text.len(), "65535 bytes of a text");
        if !self.look_up(text.len()) {
            return 0;
        }
        self.constant([&[1], &length.to_be_bytes()[..], text].concat())
    }

    fn class(&mut self, name: &[u8]) -> u16 {
        let name = self.utf8(name);
        self.tagged(7, &[name])
    }

    fn member(&mut self, tag: u8, of: Reference<'_>) -> u16 {
        let (class, name, descriptor) = (self.class(of.class), self.utf8(of.name), self.utf8(of.descriptor));
        let name_and_type = self.tagged(12, &[name, descriptor]);
        self.tagged(tag, &[class, name_and_type])
    }
}

/// A branch whose target is not there yet.
#[must_use]
#[derive(Debug)]
pub struct Branch(usize);

/// What the frame of a place says that a branch lands at. The stack is empty there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// Local variables are those of the frame before, or of the arguments.
    Same,
    /// One more of this class behind them.
    More(&'a [u8]),
}

/// The code of a method that is being written.
///
/// ```
/// use carnet_classes::class::flags;
/// use carnet_classes::opcode::IADD;
/// use carnet_classes::write::Writer;
///
/// let mut class = Writer::new(flags::FINAL | flags::SUPER, b"Sum", b"java/lang/Object");
/// let mut code = class.method(flags::STATIC, b"of", b"(II)I");
/// code.load(b"I", 0);
/// code.load(b"I", 1);
/// code.op(IADD);
/// code.give(b"I");
/// code.end();
/// assert!(class.finish().is_ok());
/// ```
#[must_use]
#[derive(Debug)]
pub struct Code<'w> {
    class: &'w mut Writer,
    member: [u16; 4],
    bytes: Vec<u8>,
    depth: usize,
    depth_max: usize,
    locals: usize,
    handlers: Vec<u8>,
    frames: Counted,
    last_frame: Option<usize>,
}

impl Code<'_> {
    /// An instruction without operands whose effect on the stack is in the [table](crate::opcode::TABLE).
    pub fn op(&mut self, opcode: u8) {
        let letters = |types: &str| types.bytes().map(|letter| descriptor::slots(&[letter])).sum::<usize>();
        self.bytes.push(opcode);
        match opcode::row(opcode).map(|row| row.effect) {
            Some(Effect::Plain(pops, pushes)) => self.change(letters(pops), letters(pushes)),
            Some(Effect::Permute { take, give, .. }) => self.change(usize::from(take), give.len()),
            Some(Effect::ArrayLoad(letter)) => self.change(2, descriptor::slots(&[letter])),
            Some(Effect::ArrayStore(letter)) => self.change(2 + descriptor::slots(&[letter]), 0),
            Some(Effect::Own) if opcode == opcode::ACONST_NULL => self.change(0, 1),
            _ => {}
        }
    }

    fn change(&mut self, pops: usize, pushes: usize) {
        self.depth = self.depth.saturating_sub(pops) + pushes;
        self.depth_max = self.depth_max.max(self.depth);
    }

    /// Loads a local variable of a type.
    pub fn load(&mut self, descriptor: &[u8], local: usize) {
        self.local(opcode::ILOAD + kind(descriptor), local);
        self.change(0, descriptor::slots(descriptor));
    }

    /// Stores to a local variable of a type.
    pub fn store(&mut self, descriptor: &[u8], local: usize) {
        self.local(opcode::ISTORE + kind(descriptor), local);
        self.change(descriptor::slots(descriptor), 0);
        self.locals = self.locals.max(local.saturating_add(descriptor::slots(descriptor)));
    }

    fn local(&mut self, opcode: u8, local: usize) {
        match u8::try_from(local) {
            Ok(local) => self.bytes.extend([opcode, local]),
            Err(_) => {
                let local = self.class.short(local, "65535 slots of local variables");
                self.bytes.extend([opcode::WIDE, opcode]);
                self.bytes.extend(local.to_be_bytes());
            }
        }
    }

    /// Returns a value of a type, `V` for none.
    pub fn give(&mut self, descriptor: &[u8]) {
        self.bytes.push(opcode::IRETURN + if descriptor == b"V" { 5 } else { kind(descriptor) });
        self.depth = 0;
    }

    fn with(&mut self, opcode: u8, constant: u16) {
        self.bytes.push(opcode);
        self.bytes.extend(constant.to_be_bytes());
    }

    /// Pushes a number.
    pub fn int(&mut self, number: i32) {
        match (i8::try_from(number), i16::try_from(number)) {
            (Ok(byte @ -1..=5), _) => self.bytes.push(opcode::ICONST_0.wrapping_add_signed(byte)),
            (Ok(byte), _) => self.bytes.extend([opcode::BIPUSH, byte.to_be_bytes()[0]]),
            (_, Ok(short)) => self.with(opcode::SIPUSH, u16::from_be_bytes(short.to_be_bytes())),
            _ => {
                let at = self.class.constant([&[3][..], &number.to_be_bytes()].concat());
                self.with(opcode::LDC_W, at);
            }
        }
        self.change(0, 1);
    }

    /// Pushes a number.
    pub fn float(&mut self, number: f32) {
        let at = self.class.constant([&[4][..], &number.to_be_bytes()].concat());
        self.with(opcode::LDC_W, at);
        self.change(0, 1);
    }

    /// Pushes a number.
    pub fn long(&mut self, number: i64) {
        let at = self.class.constant([&[5][..], &number.to_be_bytes()].concat());
        self.with(opcode::LDC2_W, at);
        self.change(0, 2);
    }

    /// Pushes a number.
    pub fn double(&mut self, number: f64) {
        let at = self.class.constant([&[6][..], &number.to_be_bytes()].concat());
        self.with(opcode::LDC2_W, at);
        self.change(0, 2);
    }

    /// Pushes a string.
    pub fn text(&mut self, text: &[u8]) {
        let text = self.class.utf8(text);
        let at = self.class.tagged(8, &[text]);
        self.with(opcode::LDC_W, at);
        self.change(0, 1);
    }

    /// Pushes a class.
    pub fn class(&mut self, name: &[u8]) {
        let at = self.class.class(name);
        self.with(opcode::LDC_W, at);
        self.change(0, 1);
    }

    /// Pushes a method type.
    pub fn method_type(&mut self, descriptor: &[u8]) {
        let text = self.class.utf8(descriptor);
        let at = self.class.tagged(16, &[text]);
        self.with(opcode::LDC_W, at);
        self.change(0, 1);
    }

    /// `getstatic`.
    pub fn get_static(&mut self, field: Reference<'_>) {
        let at = self.class.member(9, field);
        self.with(opcode::GETSTATIC, at);
        self.change(0, descriptor::slots(field.descriptor));
    }

    /// `putstatic`.
    pub fn put_static(&mut self, field: Reference<'_>) {
        let at = self.class.member(9, field);
        self.with(opcode::PUTSTATIC, at);
        self.change(descriptor::slots(field.descriptor), 0);
    }

    /// `getfield`.
    pub fn get_field(&mut self, field: Reference<'_>) {
        let at = self.class.member(9, field);
        self.with(opcode::GETFIELD, at);
        self.change(1, descriptor::slots(field.descriptor));
    }

    /// `putfield`.
    pub fn put_field(&mut self, field: Reference<'_>) {
        let at = self.class.member(9, field);
        self.with(opcode::PUTFIELD, at);
        self.change(1 + descriptor::slots(field.descriptor), 0);
    }

    /// Calls a method by one of the four instructions for it.
    pub fn invoke(&mut self, opcode: u8, method: Reference<'_>, owner: Owner) {
        let (arguments, result) = self.class.slots(method.descriptor);
        let pops = arguments + usize::from(opcode != opcode::INVOKESTATIC);
        let at = self.class.member(if owner == Owner::Interface { 11 } else { 10 }, method);
        self.with(opcode, at);
        if opcode == opcode::INVOKEINTERFACE {
            let slots = self.class.arguments(pops);
            self.bytes.extend([slots, 0]);
        }
        self.change(pops, result);
    }

    /// `new`.
    pub fn new_object(&mut self, class: &[u8]) {
        let at = self.class.class(class);
        self.with(opcode::NEW, at);
        self.change(0, 1);
    }

    /// `anewarray`.
    pub fn new_array(&mut self, element: &[u8]) {
        let at = self.class.class(element);
        self.with(opcode::ANEWARRAY, at);
    }

    /// `checkcast`.
    pub fn cast(&mut self, class: &[u8]) {
        let at = self.class.class(class);
        self.with(opcode::CHECKCAST, at);
    }

    /// `instanceof`.
    pub fn instance_of(&mut self, class: &[u8]) {
        let at = self.class.class(class);
        self.with(opcode::INSTANCEOF, at);
    }

    /// A branch forward; [`Code::land`] says where it goes.
    pub fn branch(&mut self, opcode: u8) -> Branch {
        let pops = match opcode::row(opcode).map(|row| row.effect) {
            Some(Effect::Branch(pops)) => pops.len(),
            _ => 0,
        };
        let at = self.bytes.len();
        self.with(opcode, 0);
        self.change(pops, 0);
        Branch(at)
    }

    /// The branch goes here; the stack is empty. Of several branches to one place, the first one says the frame.
    pub fn land(&mut self, branch: Branch, frame: Frame<'_>) {
        let (here, Branch(from)) = (self.bytes.len(), branch);
        match (i16::try_from(here.saturating_sub(from)), self.bytes.get_mut(from + 1..from + 3)) {
            (Ok(distance), Some(place)) => place.copy_from_slice(&distance.to_be_bytes()),
            _ => self.class.fail(WriteError::Limit("32767 bytes between branch and target")),
        }
        self.depth = 0;
        if self.last_frame == Some(here) {
            return;
        }
        let delta = self.last_frame.map_or(here, |last| here.saturating_sub(last + 1));
        let delta = self.class.short(delta, "65535 bytes of code");
        self.last_frame = Some(here);
        // The frames are same_frame_extended and append_frame (JVMS 4.7.4).
        match frame {
            Frame::Same => {
                self.frames.bytes.push(251);
                self.frames.add(&[delta]);
            }
            Frame::More(class) => {
                let class = self.class.class(class);
                self.frames.bytes.push(252);
                self.frames.add(&[delta]);
                self.frames.bytes.push(7);
                self.frames.extend(&[class]);
            }
        }
    }

    /// The offset of what comes next.
    #[must_use]
    pub fn place(&self) -> usize {
        self.bytes.len()
    }

    /// What is thrown within a range of offsets is on the stack here, alone. No frame is written: the code is for nobody who verifies.
    pub fn handler(&mut self, range: std::ops::Range<usize>) {
        for offset in [range.start, range.end, self.place()] {
            let offset = self.class.short(offset, "65535 bytes of code");
            self.handlers.extend(offset.to_be_bytes());
        }
        // Of any class.
        self.handlers.extend([0, 0]);
        self.depth = 0;
        self.change(0, 1);
    }

    /// Ends the code and adds its method to the class.
    pub fn end(self) {
        let Code { class, member, bytes, depth_max, locals, handlers, frames, .. } = self;
        let depth = class.short(depth_max, "65535 slots of the operand stack");
        let locals = class.short(locals, "65535 slots of local variables");
        let length = class.short(bytes.len(), "65535 bytes of code");
        let mut content = Vec::with_capacity(bytes.len() + 12);
        for part in [depth, locals, 0, length] {
            content.extend(part.to_be_bytes());
        }
        content.extend(bytes);
        content.extend(class.short(handlers.len() / 8, "65535 handlers").to_be_bytes());
        content.extend(handlers);
        content.extend([0, u8::from(frames.count > 0)]);
        if frames.count > 0 {
            let count = class.short(frames.count, "65535 frames").to_be_bytes();
            let table = [&count[..], &frames.bytes].concat();
            class.attribute(&mut content, b"StackMapTable", &table);
        }
        class.methods.add(&member);
        let mut methods = std::mem::take(&mut class.methods);
        class.attribute(&mut methods.bytes, b"Code", &content);
        class.methods = methods;
    }
}

impl Writer {
    fn attribute(&mut self, out: &mut Vec<u8>, name: &[u8], content: &[u8]) {
        out.extend(self.utf8(name).to_be_bytes());
        // Limits of what is in it keep it far below what four bytes can say.
        out.extend((content.len() as u32).to_be_bytes());
        out.extend(content);
    }
}

/// The place of a type in the families of loads, stores and returns.
fn kind(descriptor: &[u8]) -> u8 {
    match descriptor.first() {
        Some(b'J') => 1,
        Some(b'F') => 2,
        Some(b'D') => 3,
        Some(b'L' | b'[') => 4,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::{Code as Read, find};
    use crate::{format, read};

    fn class() -> Writer {
        Writer::new(flags::FINAL | flags::SUPER, b"A", b"java/lang/Object")
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut class = class();
        class.interface(b"I");
        class.interface(b"I");
        class.field(flags::PRIVATE, b"x", b"J");
        let mut code = class.method(flags::STATIC, b"f", b"(IJ)I");
        code.load(b"I", 0);
        let over = code.branch(opcode::IFNE);
        code.int(40_000);
        code.give(b"I");
        code.land(over, Frame::Same);
        code.int(40_000);
        code.long(7);
        code.store(b"J", 300);
        code.give(b"I");
        code.end();
        let bytes = class.finish().expect("a class");
        let class = read(&bytes).expect("a class file");
        assert!(format::check(&class).is_ok(), "{:?}", format::check(&class));
        assert_eq!((class.interfaces.len(), class.fields.len(), class.methods.len()), (1, 1, 1));
        let content = find(&class.methods[0].attributes, &class.pool, "Code").expect("code");
        let code = Read::read(content).expect("code");
        assert_eq!((code.max_stack, code.max_locals), (3, 302));
        let integers = class.pool.iter().filter(|(_, c)| c.kind() == "Integer");
        assert_eq!(integers.count(), 1, "each constant once");
    }

    #[test]
    fn limits_are_errors() {
        let limit = |what| Err(WriteError::Limit(what));
        let finish = |build: &dyn Fn(&mut Writer)| {
            let mut class = class();
            build(&mut class);
            class.finish().map(drop)
        };
        assert_eq!(finish(&|class| class.field(0, &[b'x'; 65_535], b"I")), Ok(()));
        assert_eq!(finish(&|class| class.field(0, &[b'x'; 65_536], b"I")), limit("65535 bytes of a text"));
        let many =
            |class: &mut Writer| (0..70_000).for_each(|at: u32| class.field(0, &at.to_be_bytes(), b"I"));
        assert_eq!(finish(&many), limit("65534 constants"));
        let fields = |class: &mut Writer| (0..65_536).for_each(|_| class.field(0, b"x", b"I"));
        assert_eq!(finish(&fields), limit("65535 fields"));
        let code = |count: usize, after: usize| {
            move |class: &mut Writer| {
                let mut code = class.method(flags::STATIC, b"f", b"()V");
                code.int(0);
                let branch = code.branch(opcode::IFNE);
                (0..count).for_each(|_| code.op(0));
                code.land(branch, Frame::Same);
                (0..after).for_each(|_| code.op(0));
                code.give(b"V");
                code.end();
            }
        };
        assert_eq!(finish(&code(32_764, 32_766)), Ok(()));
        assert_eq!(finish(&code(32_764, 32_767)), limit("65535 bytes of code"));
        assert_eq!(finish(&code(32_765, 0)), limit("32767 bytes between branch and target"));
        let again = |count| {
            move |class: &mut Writer| {
                let mut code = class.method(flags::STATIC, b"f", b"()V");
                (0..count).for_each(|_| code.text(&[b'x'; 65_535]));
                code.end();
            }
        };
        assert_eq!(finish(&again(255)), Ok(()));
        assert_eq!(finish(&again(257)), limit("16 MiB of names"));
        let deep = |class: &mut Writer| {
            let mut code = class.method(flags::STATIC, b"f", b"()V");
            (0..65_536).for_each(|_| code.int(0));
            code.end();
        };
        assert_eq!(finish(&deep), limit("65535 slots of the operand stack"));
        let call = |class: &mut Writer| class.method(flags::STATIC, b"f", b"(I").end();
        assert_eq!(finish(&call), Err(WriteError::Descriptor("(I".to_owned())));
    }
}
