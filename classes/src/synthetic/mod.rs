//! The classes behind `invokedynamic`: for each call site of a bootstrap method that javac names, an ordinary class file that
//! does what the method handle would do.
//!
//! ```text
//! call site ─ site ─┬─ lambda ─┐
//!                   ├─ concat ─┼─► bytes of a class with one static method ENTRY, of the call site's descriptor
//!                   ├─ record ─┤
//!                   └─ switch ─┘
//! ```
//!
//! | part | bootstrap methods |
//! | --- | --- |
//! | [`mod@site`] | which of them a call site names, with what |
//! | [`mod@lambda`] | `LambdaMetafactory.metafactory`, `altMetafactory` |
//! | [`mod@concat`] | `StringConcatFactory.makeConcat`, `makeConcatWithConstants` |
//! | [`mod@record`] | `ObjectMethods.bootstrap` |
//! | [`mod@switch`] | `SwitchBootstraps.typeSwitch`, `enumSwitch` |
//! | [`mod@handle`] | none: the class of a method handle |
//! | `convert` | what becomes of a value between two types |
//!
//! To link a call site is to define its class as a nestmate of the class that has the site, by the loader of that, in the same
//! package, and to call [`ENTRY`] instead. Nothing here is trusted: what is made of a hostile call site is verified like any
//! other class, and its members are linked like those of any other. Classes of method handles alone are the library's own, and
//! not verified.
//!
//! All names are modified UTF-8.

mod convert;

pub mod concat;
pub mod handle;
pub mod lambda;
pub mod record;
pub mod site;
pub mod switch;

use crate::class::{Constant, MemberRef, Pool, PoolIndex, shown};
use crate::descriptor;
use crate::write::{Owner, Reference, WriteError};

pub use concat::concat;
pub use lambda::lambda;
pub use record::record;
pub use site::site;
pub use switch::switch;

/// The static method of each class. No method that is written in Java has such a name.
pub const ENTRY: &[u8] = b"call-site";

const OBJECT: &[u8] = b"java/lang/Object";
const STRING: &[u8] = b"java/lang/String";
/// As good as the descriptor of any reference where code is told to load or store one.
const REFERENCE: &[u8] = b"Ljava/lang/Object;";

/// Why no class can be made for a call site.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It does not fit into a class file.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A constant is not what the bootstrap method takes.
    #[error("{found} for {expected}")]
    Argument {
        /// What was found.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// The bootstrap method is none of those that are known.
    #[error("the bootstrap method {0}")]
    Bootstrap(String),
    /// Numbers of parameters do not go together.
    #[error("{found} parameters for {expected}")]
    Arity {
        /// How many there are.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
    /// No conversion leads from one type to the other.
    #[error("no conversion from {from} to {to}")]
    Conversion {
        /// Descriptor of what there is.
        from: String,
        /// Descriptor of what is needed.
        to: String,
    },
}

impl Unsupported {
    fn argument(found: impl Into<String>, expected: &'static str) -> Unsupported {
        Unsupported::Argument { found: found.into(), expected }
    }

    fn arity(found: usize, expected: usize) -> Result<(), Unsupported> {
        if found == expected { Ok(()) } else { Err(Unsupported::Arity { found, expected }) }
    }
}

/// A method handle, as a class file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle<'a> {
    /// What it does, 1 to 9 (JVMS table 5.4.3.5-A).
    pub kind: u8,
    /// The field or method.
    pub member: Reference<'a>,
    /// Whether that is of a class or an interface.
    pub owner: Owner,
}

impl<'a> Handle<'a> {
    /// The handle at an index.
    #[must_use]
    pub fn of(pool: &Pool<'a>, at: PoolIndex) -> Option<Handle<'a>> {
        let Constant::MethodHandle { kind, reference } = pool.get(at) else { return None };
        let (MemberRef { class, name_and_type }, owner) = match pool.get(reference) {
            Constant::InterfaceMethodref(member) => (member, Owner::Interface),
            Constant::Methodref(member) | Constant::Fieldref(member) => (member, Owner::Class),
            _ => return None,
        };
        let (name, descriptor) = pool.name_and_type(name_and_type)?;
        Some(Handle { kind, member: Reference { class: pool.class(class)?, name, descriptor }, owner })
    }

    fn shown(&self) -> String {
        let Reference { class, name, descriptor } = self.member;
        format!("a handle of kind {} of {}.{}{}", self.kind, shown(class), shown(name), shown(descriptor))
    }
}

fn method(text: &[u8]) -> Result<descriptor::Method<'_>, Unsupported> {
    descriptor::method(text).ok_or_else(|| WriteError::Descriptor(shown(text)).into())
}

/// The name by which class constants have a type: that of a class, or the descriptor of an array.
fn class_of(descriptor: &[u8]) -> &[u8] {
    match descriptor {
        [b'L', name @ .., b';'] => name,
        array => array,
    }
}

/// The descriptor of what a class constant names.
fn descriptor_of(class: &[u8]) -> Vec<u8> {
    if class.first() == Some(&b'[') { class.to_vec() } else { [b"L", class, b";"].concat() }
}
