//! A class file as it stands in its bytes: JVMS 4.1, with constants looked up by index.
//!
//! Nothing here says that a file is right; that is for [`format`](crate::format) and [`verify`](mod@crate::verify).
//! All names are the bytes of modified UTF-8 (JVMS 4.4.7), borrowed from the file.

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

/// The constant pool. Every look-up is bounded; what is not there is [`Constant::Unusable`].
#[derive(Clone, Debug, Default)]
pub struct Pool<'a>(pub(crate) Vec<Constant<'a>>);

impl<'a> Pool<'a> {
    /// One more than the highest index.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The constant at an index.
    #[must_use]
    pub fn get(&self, at: PoolIndex) -> Constant<'a> {
        self.0.get(usize::from(at.0)).copied().unwrap_or(Constant::Unusable)
    }

    /// All indices with their constants.
    pub fn iter(&self) -> impl Iterator<Item = (PoolIndex, Constant<'a>)> {
        self.0.iter().enumerate().map(|(index, constant)| (PoolIndex(index as u16), *constant))
    }

    /// The text at an index.
    #[must_use]
    pub fn utf8(&self, at: PoolIndex) -> Option<&'a [u8]> {
        match self.get(at) {
            Constant::Utf8(text) => Some(text),
            _ => None,
        }
    }

    /// The name of the class at an index.
    #[must_use]
    pub fn class(&self, at: PoolIndex) -> Option<&'a [u8]> {
        match self.get(at) {
            Constant::Class(name) => self.utf8(name),
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

/// Reads a list of attributes.
///
/// # Errors
/// If the bytes end before it does.
pub fn attributes<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Attribute<'a>>, Short> {
    let count = cursor.u16()?;
    let mut attributes = Vec::new();
    for _ in 0..count {
        let (name, length) = (PoolIndex(cursor.u16()?), cursor.u32()?);
        attributes.push(Attribute { name, content: cursor.take(length as usize)? });
    }
    Ok(attributes)
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
