//! Attributes of classes, fields and methods: JVMS 4.7.
//!
//! One row for each attribute that means something to a virtual machine ([`KNOWN`]). All others, annotations among them,
//! are passed over.

use std::collections::HashSet;

use crate::bytes::{Cursor, Short};
use crate::class::{Attribute, Constant, Member, PoolIndex, find, flags};
use crate::descriptor;
use crate::fault::Rule;

use super::{Checker, Spot, is_class_initializer};

/// Where an attribute belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Class,
    Field,
    Method,
    Component,
}

/// What an attribute contains.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Nothing.
    Empty,
    /// A text.
    Utf8,
    /// A class.
    Class,
    /// Classes, as many as it says.
    Classes,
    /// A constant of the field's type.
    Constant,
    /// A class and a method of it, or none.
    Enclosing,
    /// Rows of inner class, outer class, name, flags.
    Inner,
    /// Names and flags of parameters.
    Parameters,
    /// Bootstrap methods with their arguments.
    Bootstraps,
    /// Components of a record.
    Components,
    /// Whatever else: only that it is there once is checked here.
    Other,
}

struct Known {
    name: &'static str,
    of: &'static [Of],
    /// The first version that knows it.
    since: u16,
    shape: Shape,
}

const fn known(name: &'static str, of: &'static [Of], since: u16, shape: Shape) -> Known {
    Known { name, of, since, shape }
}

const ALL: &[Of] = &[Of::Class, Of::Field, Of::Method];
const ALL_AND_COMPONENTS: &[Of] = &[Of::Class, Of::Field, Of::Method, Of::Component];

const KNOWN: &[Known] = &[
    known("Code", &[Of::Method], 45, Shape::Other),
    known("ConstantValue", &[Of::Field], 45, Shape::Constant),
    known("Exceptions", &[Of::Method], 45, Shape::Classes),
    known("SourceFile", &[Of::Class], 45, Shape::Utf8),
    known("Synthetic", ALL, 45, Shape::Empty),
    known("Deprecated", ALL, 45, Shape::Empty),
    known("InnerClasses", &[Of::Class], 45, Shape::Inner),
    known("EnclosingMethod", &[Of::Class], 49, Shape::Enclosing),
    known("Signature", ALL_AND_COMPONENTS, 49, Shape::Utf8),
    known("SourceDebugExtension", &[Of::Class], 49, Shape::Other),
    known("AnnotationDefault", &[Of::Method], 49, Shape::Other),
    known("RuntimeVisibleAnnotations", ALL_AND_COMPONENTS, 49, Shape::Other),
    known("RuntimeInvisibleAnnotations", ALL_AND_COMPONENTS, 49, Shape::Other),
    known("RuntimeVisibleParameterAnnotations", &[Of::Method], 49, Shape::Other),
    known("RuntimeInvisibleParameterAnnotations", &[Of::Method], 49, Shape::Other),
    known("BootstrapMethods", &[Of::Class], 51, Shape::Bootstraps),
    known("MethodParameters", &[Of::Method], 52, Shape::Parameters),
    known("RuntimeVisibleTypeAnnotations", ALL_AND_COMPONENTS, 52, Shape::Other),
    known("RuntimeInvisibleTypeAnnotations", ALL_AND_COMPONENTS, 52, Shape::Other),
    known("NestHost", &[Of::Class], 55, Shape::Class),
    known("NestMembers", &[Of::Class], 55, Shape::Classes),
    known("Record", &[Of::Class], 60, Shape::Components),
    known("PermittedSubclasses", &[Of::Class], 61, Shape::Classes),
];

/// Why the content of an attribute is wrong.
enum Wrong {
    /// It ends too early.
    Short,
    /// A constant is of the wrong kind.
    Constant(PoolIndex, &'static str),
    /// Something else.
    Other(&'static str),
}

impl From<Short> for Wrong {
    fn from(_: Short) -> Wrong {
        Wrong::Short
    }
}

impl<'a> Checker<'a, '_> {
    pub(super) fn class_attributes(&mut self) {
        let class = self.class;
        self.attributes(&class.attributes, Of::Class, Spot::Class);
        let has = |name| find(&class.attributes, &class.pool, name).is_some();
        if class.version.major >= 55 && has("NestHost") && has("NestMembers") {
            let expected = "a member or a host of a nest, not both";
            self.fault(Spot::Class, Rule::Attribute, "NestHost and NestMembers", expected);
        }
        if class.version.major >= 61 && class.flags & flags::FINAL != 0 && has("PermittedSubclasses") {
            let expected = "a class that can be extended";
            self.fault(Spot::Class, Rule::Attribute, "PermittedSubclasses of a final class", expected);
        }
    }

    pub(super) fn field_attributes(&mut self, field: &Member<'a>, place: Spot<'a>) {
        self.attributes(&field.attributes, Of::Field, place);
        let pool = &self.class.pool;
        let Some(&[high, low]) = find(&field.attributes, pool, "ConstantValue") else { return };
        let at = PoolIndex(u16::from_be_bytes([high, low]));
        // It means nothing for a field of objects, but is of the field's type all the same.
        let good = matches!(
            (field.descriptor(pool), pool.get(at)),
            (b"I" | b"S" | b"C" | b"B" | b"Z", Constant::Integer(_))
                | (b"J", Constant::Long(_))
                | (b"F", Constant::Float(_))
                | (b"D", Constant::Double(_))
                | (b"Ljava/lang/String;", Constant::String(_))
        );
        if !good {
            self.not_a(place, at, "a constant of the field's type");
        }
    }

    pub(super) fn method_attributes(
        &mut self,
        method: &Member<'a>,
        descriptor: &descriptor::Method<'_>,
        place: Spot<'a>,
    ) {
        self.attributes(&method.attributes, Of::Method, place);
        // The flags of a class initializer mean nothing but whether it is static.
        let initializer = is_class_initializer(method, &self.class.pool);
        let codeless = !initializer && method.flags & (flags::NATIVE | flags::ABSTRACT) != 0;
        match find(&method.attributes, &self.class.pool, "Code") {
            Some(_) if codeless => {
                self.fault(place, Rule::Attribute, "Code of a native or abstract method", "none");
            }
            None if !codeless => {
                self.fault(place, Rule::Attribute, "no Code", "that of a method neither native nor abstract");
            }
            Some(code) => self.code(code, super::argument_slots(method, descriptor), place),
            None => {}
        }
    }

    /// Checks a list of attributes.
    pub(super) fn attributes(&mut self, list: &[Attribute<'a>], of: Of, place: Spot<'a>) {
        let mut seen = 0u32;
        for attribute in list {
            let Some(name) = self.text(place, attribute.name, "an attribute's name") else { continue };
            let known = KNOWN.iter().position(|row| row.name.as_bytes() == name);
            let Some(index) = known.filter(|index| KNOWN[*index].of.contains(&of)) else { continue };
            let row = &KNOWN[index];
            if row.since > self.class.version.major {
                continue;
            }
            if seen & 1 << index != 0 {
                self.fault(place, Rule::Duplicate, format!("{} twice", row.name), "each attribute once");
            }
            seen |= 1 << index;
            let mut cursor = Cursor::new(attribute.content);
            let read = self.shape(row.shape, &mut cursor, place);
            let all = cursor.is_empty() || row.shape == Shape::Other;
            match read {
                Ok(()) if all => {}
                Ok(()) | Err(Wrong::Short) => {
                    let found = format!("{} of {} bytes", row.name, attribute.content.len());
                    self.fault(place, Rule::Attribute, found, "one that is used up exactly");
                }
                Err(Wrong::Constant(at, expected)) => self.not_a(place, at, expected),
                Err(Wrong::Other(expected)) => self.fault(place, Rule::Attribute, row.name, expected),
            }
        }
    }

    fn shape(&mut self, shape: Shape, cursor: &mut Cursor<'a>, place: Spot<'a>) -> Result<(), Wrong> {
        match shape {
            Shape::Empty | Shape::Other => {}
            Shape::Utf8 => self.utf8(cursor, "an attribute")?,
            Shape::Class => self.class_at(cursor)?,
            Shape::Classes => {
                for _ in 0..cursor.u16()? {
                    self.class_at(cursor)?;
                }
            }
            Shape::Constant => drop(cursor.u16()?),
            Shape::Enclosing => {
                self.class_at(cursor)?;
                let method = PoolIndex(cursor.u16()?);
                if method != PoolIndex(0) && self.class.pool.name_and_type(method).is_none() {
                    return Err(Wrong::Constant(method, "the NameAndType of a method"));
                }
            }
            Shape::Inner => self.inner(cursor)?,
            Shape::Parameters => {
                for _ in 0..cursor.u8()? {
                    self.optional_utf8(cursor)?;
                    cursor.u16()?;
                }
            }
            Shape::Bootstraps => {
                for _ in 0..cursor.u16()? {
                    self.bootstrap_method(cursor)?;
                }
            }
            Shape::Components => self.components(cursor, place)?,
        }
        Ok(())
    }

    fn class_at(&self, cursor: &mut Cursor<'_>) -> Result<(), Wrong> {
        let at = PoolIndex(cursor.u16()?);
        self.class.pool.class(at).map(drop).ok_or(Wrong::Constant(at, "a Class"))
    }

    fn utf8(&self, cursor: &mut Cursor<'_>, expected: &'static str) -> Result<(), Wrong> {
        let at = PoolIndex(cursor.u16()?);
        self.class.pool.utf8(at).map(drop).ok_or(Wrong::Constant(at, expected))
    }

    fn optional_utf8(&self, cursor: &mut Cursor<'_>) -> Result<(), Wrong> {
        let at = PoolIndex(cursor.u16()?);
        if at == PoolIndex(0) || self.class.pool.utf8(at).is_some() {
            return Ok(());
        }
        Err(Wrong::Constant(at, "the Utf8 of a name, or none"))
    }

    fn inner(&self, cursor: &mut Cursor<'_>) -> Result<(), Wrong> {
        let pool = &self.class.pool;
        let mut seen = HashSet::new();
        for _ in 0..cursor.u16()? {
            let (inner, outer) = (PoolIndex(cursor.u16()?), PoolIndex(cursor.u16()?));
            if pool.class(inner).is_none() {
                return Err(Wrong::Constant(inner, "the Class of an inner class"));
            }
            if outer != PoolIndex(0) && pool.class(outer).is_none() {
                return Err(Wrong::Constant(outer, "the Class of an outer class, or none"));
            }
            if inner == outer {
                return Err(Wrong::Other("a class that is not its own outer class"));
            }
            self.optional_utf8(cursor)?;
            let modifiers = cursor.u16()?;
            // Of the flags of a class, those that speak of nesting may stand here as well.
            if super::flags::class(modifiers & !flags::MODULE).is_some() {
                return Err(Wrong::Other("flags of a class that go together"));
            }
            if !seen.insert(inner) {
                return Err(Wrong::Other("each inner class once"));
            }
        }
        Ok(())
    }

    fn bootstrap_method(&self, cursor: &mut Cursor<'_>) -> Result<(), Wrong> {
        let pool = &self.class.pool;
        let method = PoolIndex(cursor.u16()?);
        if !matches!(pool.get(method), Constant::MethodHandle { .. }) {
            return Err(Wrong::Constant(method, "the MethodHandle of a bootstrap method"));
        }
        for _ in 0..cursor.u16()? {
            let at = PoolIndex(cursor.u16()?);
            if !is_loadable(pool.get(at)) {
                return Err(Wrong::Constant(at, "a constant that can be loaded"));
            }
        }
        Ok(())
    }

    fn components(&mut self, cursor: &mut Cursor<'a>, place: Spot<'a>) -> Result<(), Wrong> {
        for _ in 0..cursor.u16()? {
            let (name, text) = (PoolIndex(cursor.u16()?), PoolIndex(cursor.u16()?));
            let pool = &self.class.pool;
            if !pool.utf8(name).is_some_and(descriptor::is_unqualified) {
                return Err(Wrong::Constant(name, "the name of a component"));
            }
            if !pool.utf8(text).is_some_and(descriptor::is_field) {
                return Err(Wrong::Constant(text, "the descriptor of a component"));
            }
            let list = crate::class::attributes(cursor)?;
            self.attributes(&list, Of::Component, place);
        }
        Ok(())
    }

    /// How many bootstrap methods there are.
    pub(super) fn bootstraps(&self) -> usize {
        let content = find(&self.class.attributes, &self.class.pool, "BootstrapMethods").unwrap_or_default();
        Cursor::new(content).u16().map_or(0, usize::from)
    }
}

/// Whether `ldc` could load it, or a bootstrap method take it.
pub(super) fn is_loadable(constant: Constant<'_>) -> bool {
    matches!(
        constant,
        Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)
            | Constant::Class(_)
            | Constant::String(_)
            | Constant::MethodHandle { .. }
            | Constant::MethodType(_)
            | Constant::Dynamic(_)
    )
}
