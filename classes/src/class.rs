//! A class file as it stands in its bytes: JVMS 4.1, with constants looked up by index.
//!
//! Nothing here says that a file is right; that is for [`format`](crate::format) and [`verify`](mod@crate::verify).
//! All names are the bytes of modified UTF-8 (JVMS 4.4.7), borrowed from the file.

use std::borrow::Cow;

use crate::bytes::{Cursor, Short};

/// Access flags and properties (JVMS 4.1, 4.5, 4.6).
pub mod flags {
    /// Everybody may use it.
    pub const PUBLIC: u16 = 0x0001;
    /// Only its own class may.
    pub const PRIVATE: u16 = 0x0002;
    /// Only its package and subclasses may.
    pub const PROTECTED: u16 = 0x0004;
    /// It belongs to the class and not to its objects.
    pub const STATIC: u16 = 0x0008;
    /// It cannot be extended, changed or overridden.
    pub const FINAL: u16 = 0x0010;
    /// Of a class: every class of today has it.
    pub const SUPER: u16 = 0x0020;
    /// Of a method: holds the monitor while it runs.
    pub const SYNCHRONIZED: u16 = 0x0020;
    /// Of a field.
    pub const VOLATILE: u16 = 0x0040;
    /// Of a method: made by the compiler to keep an override.
    pub const BRIDGE: u16 = 0x0040;
    /// Of a field.
    pub const TRANSIENT: u16 = 0x0080;
    /// Of a method: the last parameter takes the rest.
    pub const VARARGS: u16 = 0x0080;
    /// Of a method: its code is not Java's.
    pub const NATIVE: u16 = 0x0100;
    /// It is an interface.
    pub const INTERFACE: u16 = 0x0200;
    /// It has no objects or no code of its own.
    pub const ABSTRACT: u16 = 0x0400;
    /// Of a method: means nothing since version 61.
    pub const STRICT: u16 = 0x0800;
    /// Not in the source.
    pub const SYNTHETIC: u16 = 0x1000;
    /// It is an annotation interface.
    pub const ANNOTATION: u16 = 0x2000;
    /// It is an enum, or a constant of one.
    pub const ENUM: u16 = 0x4000;
    /// The file describes a module and no class.
    pub const MODULE: u16 = 0x8000;
}

/// Index into the constant pool; 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolIndex(pub u16);

/// A constant (JVMS 4.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant<'a> {
    /// Index 0, or the second index of a long or double.
    Unusable,
    /// A text, in modified UTF-8.
    Utf8(&'a [u8]),
    /// An int.
    Integer(i32),
    /// A float.
    Float(f32),
    /// A long; it takes two indices.
    Long(i64),
    /// A double; it takes two indices.
    Double(f64),
    /// A class, interface or array type, by its name.
    Class(PoolIndex),
    /// A string, by its text.
    String(PoolIndex),
    /// A field.
    Fieldref(MemberRef),
    /// A method of a class.
    Methodref(MemberRef),
    /// A method of an interface.
    InterfaceMethodref(MemberRef),
    /// A name with a descriptor.
    NameAndType {
        /// The name.
        name: PoolIndex,
        /// The descriptor.
        descriptor: PoolIndex,
    },
    /// A method handle.
    MethodHandle {
        /// What it does, 1 to 9 (JVMS table 5.4.3.5-A).
        kind: u8,
        /// The field or method.
        reference: PoolIndex,
    },
    /// A method type, by its descriptor.
    MethodType(PoolIndex),
    /// A constant that a bootstrap method computes.
    Dynamic(Computed),
    /// A call site that a bootstrap method links.
    InvokeDynamic(Computed),
    /// A module, by its name.
    Module(PoolIndex),
    /// A package, by its name.
    Package(PoolIndex),
}

/// A reference to a field or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRef {
    /// The class that it is looked up in.
    pub class: PoolIndex,
    /// Its name and descriptor.
    pub name_and_type: PoolIndex,
}

/// What a bootstrap method computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// Index into the table of the attribute BootstrapMethods.
    pub bootstrap: u16,
    /// Name and descriptor.
    pub name_and_type: PoolIndex,
}

impl Constant<'_> {
    /// What the JVMS calls a constant of this kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Constant::Unusable => "no constant",
            Constant::Utf8(_) => "Utf8",
            Constant::Integer(_) => "Integer",
            Constant::Float(_) => "Float",
            Constant::Long(_) => "Long",
            Constant::Double(_) => "Double",
            Constant::Class(_) => "Class",
            Constant::String(_) => "String",
            Constant::Fieldref(_) => "Fieldref",
            Constant::Methodref(_) => "Methodref",
            Constant::InterfaceMethodref(_) => "InterfaceMethodref",
            Constant::NameAndType { .. } => "NameAndType",
            Constant::MethodHandle { .. } => "MethodHandle",
            Constant::MethodType(_) => "MethodType",
            Constant::Dynamic(_) => "Dynamic",
            Constant::InvokeDynamic(_) => "InvokeDynamic",
            Constant::Module(_) => "Module",
            Constant::Package(_) => "Package",
        }
    }
}

/// The constant pool: constants are taken out of the file's bytes when they are asked for. Every look-up is bounded; what is not there is
/// [`Constant::Unusable`].
#[derive(Clone, Debug)]
pub struct Pool<'a> {
    /// The class file.
    pub bytes: &'a [u8],
    /// Of each index, where its constant stands; 0 for none.
    pub places: Cow<'a, [u32]>,
}

impl<'a> Pool<'a> {
    /// One more than the highest index.
    #[must_use]
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The constant at an index.
    #[must_use]
    pub fn get(&self, at: PoolIndex) -> Constant<'a> {
        constant(&mut Cursor::new(self.from(at))).unwrap_or(Constant::Unusable)
    }

    /// The bytes from a constant on. At place 0 stands no tag.
    fn from(&self, at: PoolIndex) -> &'a [u8] {
        let place = self.places.get(usize::from(at.0)).copied().unwrap_or_default();
        self.bytes.get(place as usize..).unwrap_or_default()
    }

    /// All indices with their constants.
    pub fn iter(&self) -> impl Iterator<Item = (PoolIndex, Constant<'a>)> {
        (0..self.places.len()).map(|index| PoolIndex(index as u16)).map(|at| (at, self.get(at)))
    }

    /// The text at an index.
    #[must_use]
    pub fn utf8(&self, at: PoolIndex) -> Option<&'a [u8]> {
        match self.from(at) {
            [UTF8, high, low, rest @ ..] => rest.get(..usize::from(u16::from_be_bytes([*high, *low]))),
            _ => None,
        }
    }

    /// The name of the class at an index.
    #[must_use]
    pub fn class(&self, at: PoolIndex) -> Option<&'a [u8]> {
        match self.from(at) {
            [CLASS, high, low, ..] => self.utf8(PoolIndex(u16::from_be_bytes([*high, *low]))),
            _ => None,
        }
    }

    /// Name and descriptor at an index.
    #[must_use]
    pub fn name_and_type(&self, at: PoolIndex) -> Option<(&'a [u8], &'a [u8])> {
        match self.get(at) {
            Constant::NameAndType { name, descriptor } => Some((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => None,
        }
    }
}

/// A version: 61.0 is that of Java 17.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// One more for each release of Java since 1.1 (45).
    pub major: u16,
    /// 0, or 65535 where preview features are used.
    pub minor: u16,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A class file.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    /// Its version.
    pub version: Version,
    /// Its constants.
    pub pool: Pool<'a>,
    /// Its access flags.
    pub flags: u16,
    /// The class that it defines.
    pub this_class: PoolIndex,
    /// Its direct superclass; none only for Object and modules.
    pub super_class: PoolIndex,
    /// Its direct superinterfaces.
    pub interfaces: Vec<PoolIndex>,
    /// Its fields.
    pub fields: Vec<Member<'a>>,
    /// Its methods.
    pub methods: Vec<Member<'a>>,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
    /// How many bytes it has.
    pub bytes: usize,
}

impl<'a> ClassFile<'a> {
    /// Its name, for example `java/lang/Object`; empty if the file does not say.
    #[must_use]
    pub fn name(&self) -> &'a [u8] {
        self.pool.class(self.this_class).unwrap_or_default()
    }

    /// The name of its superclass, if it has one.
    #[must_use]
    pub fn super_name(&self) -> Option<&'a [u8]> {
        self.pool.class(self.super_class)
    }

    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.flags & flags::INTERFACE != 0
    }
}

/// A field or method.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Its access flags.
    pub flags: u16,
    /// Its name.
    pub name: PoolIndex,
    /// Its descriptor.
    pub descriptor: PoolIndex,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
}

impl<'a> Member<'a> {
    /// Its name; empty if the file does not say.
    #[must_use]
    pub fn name(&self, pool: &Pool<'a>) -> &'a [u8] {
        pool.utf8(self.name).unwrap_or_default()
    }

    /// Its descriptor; empty if the file does not say.
    #[must_use]
    pub fn descriptor(&self, pool: &Pool<'a>) -> &'a [u8] {
        pool.utf8(self.descriptor).unwrap_or_default()
    }
}

/// An attribute, unread.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: PoolIndex,
    /// Its content.
    pub content: &'a [u8],
}

/// The first attribute of a name.
#[must_use]
pub fn find<'a>(attributes: &[Attribute<'a>], pool: &Pool<'a>, name: &str) -> Option<&'a [u8]> {
    attributes.iter().find(|a| pool.utf8(a.name) == Some(name.as_bytes())).map(|a| a.content)
}

/// The attribute Code (JVMS 4.7.3).
#[derive(Clone, Debug)]
pub struct Code<'a> {
    /// Most slots of the operand stack.
    pub max_stack: u16,
    /// Slots of local variables.
    pub max_locals: u16,
    /// The instructions.
    pub bytes: &'a [u8],
    /// Who handles which exception where, in order of search.
    pub handlers: Vec<Handler>,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
}

/// A row of the table of exception handlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First offset of the range.
    pub start: u16,
    /// Offset behind the range.
    pub end: u16,
    /// Where it goes on.
    pub target: u16,
    /// What it catches; none for everything.
    pub catch: PoolIndex,
}

impl<'a> Code<'a> {
    /// Reads the content of the attribute; `None` unless it is used up exactly.
    #[must_use]
    pub fn read(content: &'a [u8]) -> Option<Code<'a>> {
        let mut cursor = Cursor::new(content);
        let code = Code::parts(&mut cursor).ok()?;
        cursor.is_empty().then_some(code)
    }

    fn parts(cursor: &mut Cursor<'a>) -> Result<Code<'a>, Short> {
        let (max_stack, max_locals) = (cursor.u16()?, cursor.u16()?);
        let length = cursor.u32()?;
        let bytes = cursor.take(length as usize)?;
        let mut handlers = Vec::new();
        for _ in 0..cursor.u16()? {
            handlers.push(Handler {
                start: cursor.u16()?,
                end: cursor.u16()?,
                target: cursor.u16()?,
                catch: PoolIndex(cursor.u16()?),
            });
        }
        Ok(Code { max_stack, max_locals, bytes, handlers, attributes: attributes(cursor)? })
    }
}

/// The tag of a text.
const UTF8: u8 = 1;
/// The tag of a class.
const CLASS: u8 = 7;

/// Reads a constant; [`Constant::Unusable`] if there are none of its tag (JVMS table 4.4-A).
///
/// # Errors
/// If the bytes end before it does.
pub(crate) fn constant<'a>(cursor: &mut Cursor<'a>) -> Result<Constant<'a>, Short> {
    let index = |cursor: &mut Cursor<'a>| cursor.u16().map(PoolIndex);
    let member =
        |cursor: &mut Cursor<'a>| Ok(MemberRef { class: index(cursor)?, name_and_type: index(cursor)? });
    let computed =
        |cursor: &mut Cursor<'a>| Ok(Computed { bootstrap: cursor.u16()?, name_and_type: index(cursor)? });
    Ok(match cursor.u8()? {
        UTF8 => {
            let count = cursor.u16()?;
            Constant::Utf8(cursor.take(usize::from(count))?)
        }
        3 => Constant::Integer(cursor.u32()?.cast_signed()),
        4 => Constant::Float(f32::from_bits(cursor.u32()?)),
        5 => Constant::Long(cursor.u64()?.cast_signed()),
        6 => Constant::Double(f64::from_bits(cursor.u64()?)),
        CLASS => Constant::Class(index(cursor)?),
        8 => Constant::String(index(cursor)?),
        9 => Constant::Fieldref(member(cursor)?),
        10 => Constant::Methodref(member(cursor)?),
        11 => Constant::InterfaceMethodref(member(cursor)?),
        12 => Constant::NameAndType { name: index(cursor)?, descriptor: index(cursor)? },
        15 => Constant::MethodHandle { kind: cursor.u8()?, reference: index(cursor)? },
        16 => Constant::MethodType(index(cursor)?),
        17 => Constant::Dynamic(computed(cursor)?),
        18 => Constant::InvokeDynamic(computed(cursor)?),
        19 => Constant::Module(index(cursor)?),
        20 => Constant::Package(index(cursor)?),
        _ => Constant::Unusable,
    })
}

/// No attribute takes fewer bytes.
const ATTRIBUTE_BYTES_MIN: usize = 6;

/// Reads a list of attributes.
///
/// # Errors
/// If the bytes end before it does.
pub fn attributes<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Attribute<'a>>, Short> {
    let count = cursor.u16()?;
    let mut attributes = Vec::with_capacity(usize::from(count).min(cursor.len() / ATTRIBUTE_BYTES_MIN));
    for _ in 0..count {
        let (name, length) = (PoolIndex(cursor.u16()?), cursor.u32()?);
        attributes.push(Attribute { name, content: cursor.take(length as usize)? });
    }
    Ok(attributes)
}

/// Most bytes of a text that are shown where there may be many.
const BRIEF_BYTES: usize = 256;

/// As [`shown`], the beginning alone of what is long.
#[must_use]
pub fn shown_briefly(text: &[u8]) -> String {
    match text.get(..BRIEF_BYTES) {
        Some(begin) if text.len() > BRIEF_BYTES => format!("{}… ({} bytes)", shown(begin), text.len()),
        _ => shown(text),
    }
}

/// Modified UTF-8 for people: what cannot be shown is replaced.
#[must_use]
pub fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}
