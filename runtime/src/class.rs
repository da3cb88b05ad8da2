//! Classes as they are linked: shared by all domains of a universe, and never changed once they are there.
//!
//! What differs from domain to domain (statics, state of initialization, `Class` objects, strings) is not here but in
//! the [domain](crate::domain), at numbers that a class gives out.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, OnceLock};

use carnet_classes::class::{self, ClassFile, Pool, PoolIndex, flags};
use carnet_classes::read::{ReadError, read};

use crate::account;
use crate::code::Code;
use crate::code::translate::Untranslatable;
use crate::native::Native;
use crate::symbol::Symbol;
use crate::universe::LinkError;

/// Number of a class within its universe; fits into 24 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

/// Number of a method within its universe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId(pub u32);

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// `Z`
    Boolean,
    /// `B`
    Byte,
    /// `C`
    Char,
    /// `S`
    Short,
    /// `I`
    Int,
    /// `F`
    Float,
    /// `J`
    Long,
    /// `D`
    Double,
    /// An object, array or null.
    Reference,
}

impl Kind {
    /// All that are not references.
    pub const PRIMITIVES: [Kind; 8] = [
        Kind::Boolean,
        Kind::Byte,
        Kind::Char,
        Kind::Short,
        Kind::Int,
        Kind::Float,
        Kind::Long,
        Kind::Double,
    ];

    /// Of a field descriptor.
    #[must_use]
    pub fn of(descriptor: &[u8]) -> Kind {
        match descriptor.first() {
            Some(b'Z') => Kind::Boolean,
            Some(b'B') => Kind::Byte,
            Some(b'C') => Kind::Char,
            Some(b'S') => Kind::Short,
            Some(b'I') => Kind::Int,
            Some(b'F') => Kind::Float,
            Some(b'J') => Kind::Long,
            Some(b'D') => Kind::Double,
            _ => Kind::Reference,
        }
    }

    /// Bytes in an object or array.
    #[must_use]
    pub fn bytes(self) -> u32 {
        match self {
            Kind::Boolean | Kind::Byte => 1,
            Kind::Char | Kind::Short => 2,
            Kind::Int | Kind::Float | Kind::Reference => 4,
            Kind::Long | Kind::Double => 8,
        }
    }

    /// Whether it takes two slots of variables and operand stack.
    #[must_use]
    pub fn is_wide(self) -> bool {
        matches!(self, Kind::Long | Kind::Double)
    }

    /// The letter of its descriptor; `L` for references.
    #[must_use]
    pub fn letter(self) -> u8 {
        match self {
            Kind::Boolean => b'Z',
            Kind::Byte => b'B',
            Kind::Char => b'C',
            Kind::Short => b'S',
            Kind::Int => b'I',
            Kind::Float => b'F',
            Kind::Long => b'J',
            Kind::Double => b'D',
            Kind::Reference => b'L',
        }
    }

    /// What Java calls a primitive of this kind.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Byte => "byte",
            Kind::Char => "char",
            Kind::Short => "short",
            Kind::Int => "int",
            Kind::Float => "float",
            Kind::Long => "long",
            Kind::Double => "double",
            Kind::Reference => "Object",
        }
    }
}

/// Where the bytes of a class came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The class library of the installed JDK.
    Library,
    /// A folder or jar that the user named: hostile until verified.
    Guest,
    /// Made by the runtime, as a nest mate of the class that asked for it.
    Hidden {
        /// That class.
        host: ClassId,
    },
    /// Made by the library of the interfaces of a proxy.
    Proxy {
        /// The one that is not public, in whose run-time package it is; `Proxy` if all are.
        host: ClassId,
    },
}

impl Origin {
    /// The class on whose behalf a class was made, if it was not found by its name.
    #[must_use]
    pub fn host(self) -> Option<ClassId> {
        match self {
            Origin::Hidden { host } | Origin::Proxy { host } => Some(host),
            Origin::Library | Origin::Guest => None,
        }
    }
}

/// What kind of type a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Out of a class file.
    Object,
    /// An array of primitives.
    Primitives(Kind),
    /// An array of objects, interfaces or arrays.
    References {
        /// What its elements are.
        element: ClassId,
    },
    /// A primitive type, or `void`. It has no objects.
    Primitive,
}

/// A constant, without its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// None.
    Unusable,
    /// A text.
    Utf8,
    /// An int.
    Integer(i32),
    /// A float.
    Float(f32),
    /// A long.
    Long(i64),
    /// A double.
    Double(f64),
    /// A class, by its name.
    Class(u16),
    /// A string, by its text.
    String(u16),
    /// A field, or a method of a class: class, and name with descriptor.
    Member(u16, u16),
    /// A method of an interface, likewise.
    InterfaceMember(u16, u16),
    /// Name and descriptor.
    NameAndType(u16, u16),
    /// A method handle: what it does, and on what.
    MethodHandle(u8, u16),
    /// A method type.
    MethodType(u16),
    /// A computed constant or call site: bootstrap method, and name with descriptor.
    Computed(u16, u16),
}

impl Constant {
    /// Class, and name with descriptor, of a field or method.
    #[must_use]
    pub fn member(self) -> Option<(u16, u16)> {
        match self {
            Constant::Member(class, both) | Constant::InterfaceMember(class, both) => Some((class, both)),
            _ => None,
        }
    }

    fn of(constant: class::Constant<'_>) -> Constant {
        match constant {
            class::Constant::Utf8(_) => Constant::Utf8,
            class::Constant::Integer(value) => Constant::Integer(value),
            class::Constant::Float(value) => Constant::Float(value),
            class::Constant::Long(value) => Constant::Long(value),
            class::Constant::Double(value) => Constant::Double(value),
            class::Constant::Class(name) => Constant::Class(name.0),
            class::Constant::String(text) => Constant::String(text.0),
            class::Constant::Fieldref(member) | class::Constant::Methodref(member) => {
                Constant::Member(member.class.0, member.name_and_type.0)
            }
            class::Constant::InterfaceMethodref(member) => {
                Constant::InterfaceMember(member.class.0, member.name_and_type.0)
            }
            class::Constant::NameAndType { name, descriptor } => Constant::NameAndType(name.0, descriptor.0),
            class::Constant::MethodHandle { kind, reference } => Constant::MethodHandle(kind, reference.0),
            class::Constant::MethodType(text) => Constant::MethodType(text.0),
            class::Constant::Dynamic(computed) | class::Constant::InvokeDynamic(computed) => {
                Constant::Computed(computed.bootstrap, computed.name_and_type.0)
            }
            class::Constant::Unusable | class::Constant::Module(_) | class::Constant::Package(_) => {
                Constant::Unusable
            }
        }
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its class.
    pub class: ClassId,
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its access flags.
    pub flags: u16,
    /// What it holds.
    pub kind: Kind,
    /// Its offset in an object; of a static one, its number among the statics of the universe.
    pub place: u32,
    /// The constant that a static one begins with, 0 for none.
    pub constant: u16,
}

impl Field {
    /// Whether it belongs to the class.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.flags & flags::STATIC != 0
    }
}

/// What runs when a method is called.
pub enum Body {
    /// Code.
    Code(Box<Code>),
    /// A function of ours.
    Native(Native),
    /// Nothing: it is abstract.
    Abstract,
    /// Nothing: it cannot be run, which calls of it throw.
    Refused(Refused),
}

/// Why a method cannot be run. Names are not kept with it: they may be long, and of many methods.
pub enum Refused {
    /// It is native, and not of ours.
    Native,
    /// Its code is not supported.
    Code(Untranslatable),
}

/// What a method takes and returns.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Slots of its parameters, `this` included.
    pub slots: u16,
    /// What its parameters hold, `this` not included.
    pub parameters: Box<[Kind]>,
    /// What it returns; none for `void`.
    pub result: Option<Kind>,
}

/// A method.
pub struct Method {
    /// Its number.
    pub id: MethodId,
    /// Its class.
    pub class: ClassId,
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its access flags.
    pub flags: u16,
    /// What it takes and returns, once it was asked for.
    pub signature: OnceLock<Signature>,
    /// Its attribute Code within the class's bytes, empty for none.
    pub code: Range<usize>,
    /// Index into the table of virtual methods; [`NOT_VIRTUAL`] for others.
    pub index: u32,
    /// What runs, once it was asked for.
    pub body: OnceLock<Body>,
}

/// The index of a method that is never looked up by the class of an object.
pub const NOT_VIRTUAL: u32 = u32::MAX;

impl Method {
    /// Whether it has one of these flags.
    #[must_use]
    pub fn has(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    /// Whether it belongs to the class.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.has(flags::STATIC)
    }

    /// What it was translated to, if it was.
    pub(crate) fn translated(&self) -> Option<&Code> {
        match self.body.get() {
            Some(Body::Code(code)) => Some(code),
            _ => None,
        }
    }
}

/// So many interfaces of a class are looked through.
pub(crate) const INTERFACES_FEW: usize = 16;

/// A class, interface, array or primitive type.
pub struct Class {
    /// Its number.
    pub id: ClassId,
    /// Its name, for example `java/lang/Object` or `[I`.
    pub name: Symbol,
    /// Its access flags; of a member class, those of the file.
    pub flags: u16,
    /// Where it came from.
    pub origin: Origin,
    /// What it is.
    pub shape: Shape,
    /// Its superclass.
    pub parent: Option<ClassId>,
    /// Its superclasses, from Object down to itself.
    pub line: Box<[ClassId]>,
    /// Its direct superinterfaces.
    pub interfaces: Box<[ClassId]>,
    /// All interfaces that it implements or extends.
    pub implements: Box<[ClassId]>,
    /// The same in order of their numbers, if they are many.
    pub sorted: Box<[ClassId]>,
    /// Interfaces that are initialized with it if it is a class, in order (JVMS 5.5 step 7); for an interface, with a class below it.
    pub before: Box<[ClassId]>,
    /// Its own fields.
    pub fields: Box<[Field]>,
    /// Its own methods.
    pub methods: Box<[Arc<Method>]>,
    /// Virtual methods by index.
    pub table: Box<[Arc<Method>]>,
    /// Bytes of an object, header included.
    pub bytes: u32,
    /// Offsets of the references in an object.
    pub references: Box<[u32]>,
    /// Its static fields' numbers.
    pub statics: Range<u32>,
    /// Its initializer.
    pub initializer: Option<Arc<Method>>,
    /// Where each of its constants stands in its file; 0 for none.
    pub constants: Box<[u32]>,
    /// Its file.
    pub file: Box<[u8]>,
    /// The name of its source file.
    pub source: Option<Symbol>,
    /// The class that is host of its nest, if that is not itself.
    pub nest_host: Option<Symbol>,
    /// Where a call through an interface leads: by the interface's method.
    pub calls: Mutex<HashMap<MethodId, Option<Arc<Method>>>>,
    /// The number of the array class of its arrays, 0 if there is none yet.
    pub array: AtomicU32,
    /// Why the verifier rejected it, once it was asked; not that a class is missing, which may be there later.
    pub verdict: OnceLock<Result<(), LinkError>>,
}

impl Class {
    /// Whether it has one of these flags.
    #[must_use]
    pub fn has(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    /// Its file, read again.
    ///
    /// # Errors
    /// [`ReadError`], though not for a class that was made of it.
    pub(crate) fn parsed(&self) -> Result<ClassFile<'_>, ReadError> {
        account::read(self.file.len());
        read(&self.file)
    }

    /// The version of its file, 61 of Java 17.
    pub(crate) fn major(&self) -> u16 {
        self.file.get(6..8).map_or(0, |version| u16::from_be_bytes([version[0], version[1]]))
    }

    /// Whether it implements or extends an interface. It is asked within operations, which are charged as one instruction.
    pub(crate) fn has_interface(&self, id: ClassId) -> bool {
        match &*self.sorted {
            [] => self.implements.contains(&id),
            sorted => sorted.binary_search(&id).is_ok(),
        }
    }

    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.has(flags::INTERFACE)
    }

    /// What the elements of an array class hold.
    #[must_use]
    pub fn elements(&self) -> Option<Kind> {
        match self.shape {
            Shape::Primitives(kind) => Some(kind),
            Shape::References { .. } => Some(Kind::Reference),
            Shape::Object | Shape::Primitive => None,
        }
    }

    /// The method that it declares.
    #[must_use]
    pub fn method(&self, name: Symbol, descriptor: Symbol) -> Option<&Arc<Method>> {
        self.methods.iter().find(|method| method.name == name && method.descriptor == descriptor)
    }

    /// The field that it declares.
    #[must_use]
    pub fn field(&self, name: Symbol, descriptor: Symbol) -> Option<&Field> {
        account::read(self.fields.len());
        self.fields.iter().find(|field| field.name == name && field.descriptor == descriptor)
    }

    fn pool(&self) -> Pool<'_> {
        Pool { bytes: &self.file, places: Cow::Borrowed(&self.constants) }
    }

    /// The text of a constant.
    #[must_use]
    pub fn text(&self, at: u16) -> &[u8] {
        self.pool().utf8(PoolIndex(at)).unwrap_or_default()
    }

    /// A constant.
    #[must_use]
    pub fn constant(&self, at: u16) -> Constant {
        Constant::of(self.pool().get(PoolIndex(at)))
    }

    /// The name of a Class constant.
    #[must_use]
    pub fn class_text(&self, at: u16) -> &[u8] {
        self.pool().class(PoolIndex(at)).unwrap_or_default()
    }

    /// Name and descriptor of a NameAndType constant.
    #[must_use]
    pub fn name_and_type(&self, at: u16) -> (&[u8], &[u8]) {
        self.pool().name_and_type(PoolIndex(at)).unwrap_or_default()
    }
}
