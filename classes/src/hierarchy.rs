//! What the verifier asks of other classes, and who answers.

use std::sync::Arc;

use crate::class::{ClassFile, Member, Pool, flags};

/// What is known of a class without its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its name.
    pub name: Box<[u8]>,
    /// Its access flags.
    pub flags: u16,
    /// Its superclass.
    pub super_class: Option<Box<[u8]>>,
    /// Its superinterfaces.
    pub interfaces: Vec<Box<[u8]>>,
    /// Its fields.
    pub fields: Vec<Declared>,
    /// Its methods.
    pub methods: Vec<Declared>,
    /// Which of them are final.
    finals: Vec<usize>,
}

/// A field or method that a class declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: Box<[u8]>,
    /// Its descriptor.
    pub descriptor: Box<[u8]>,
    /// Its access flags.
    pub flags: u16,
}

impl Outline {
    /// That of a class file.
    #[must_use]
    pub fn of(class: &ClassFile<'_>) -> Outline {
        let declared =
            |members: &[Member<'_>]| members.iter().map(|m| Declared::of(m, &class.pool)).collect();
        let methods: Vec<Declared> = declared(&class.methods);
        let finals = methods.iter().enumerate().filter(|(_, method)| method.has(flags::FINAL));
        Outline {
            finals: finals.map(|(index, _)| index).collect(),
            name: class.name().into(),
            flags: class.flags,
            super_class: class.super_name().map(Into::into),
            interfaces: class
                .interfaces
                .iter()
                .filter_map(|at| class.pool.class(*at))
                .map(Into::into)
                .collect(),
            fields: declared(&class.fields),
            methods,
        }
    }

    /// Whether it is an interface.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.flags & flags::INTERFACE != 0
    }

    /// The final methods that it declares.
    pub fn finals(&self) -> impl Iterator<Item = &Declared> {
        self.finals.iter().map(|index| &self.methods[*index])
    }

    /// The method that it declares.
    #[must_use]
    pub fn method(&self, name: &[u8], descriptor: &[u8]) -> Option<&Declared> {
        find(&self.methods, name, descriptor)
    }

    /// The field that it declares.
    #[must_use]
    pub fn field(&self, name: &[u8], descriptor: &[u8]) -> Option<&Declared> {
        find(&self.fields, name, descriptor)
    }
}

fn find<'m>(members: &'m [Declared], name: &[u8], descriptor: &[u8]) -> Option<&'m Declared> {
    members.iter().find(|member| *member.name == *name && *member.descriptor == *descriptor)
}

impl Declared {
    fn of(member: &Member<'_>, pool: &Pool<'_>) -> Declared {
        Declared {
            name: member.name(pool).into(),
            descriptor: member.descriptor(pool).into(),
            flags: member.flags,
        }
    }

    /// Whether it has one of these flags.
    #[must_use]
    pub fn has(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }
}

/// A class that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{class}: {reason}")]
pub struct Absent {
    /// Its name.
    pub class: String,
    /// Why.
    pub reason: String,
}

/// Whoever knows classes by name: a loader.
///
/// It is asked only where an answer is needed: that equal names are equal, and that everything is an Object, needs none.
pub trait Hierarchy {
    /// The class of a name; never asked for array types.
    ///
    /// # Errors
    /// [`Absent`], if there is none or it cannot be read.
    fn outline(&self, name: &[u8]) -> Result<Arc<Outline>, Absent>;

    /// The verifier did so much, in bytes that were read and types that were compared. Whether it is to go on: if not, there is no
    /// verdict, which is told as [`Rule::Stopped`](crate::fault::Rule::Stopped).
    fn goes_on(&self, _work: usize) -> bool {
        true
    }
}
