//! From bytes to a [`ClassFile`], by `noak`: the one file that names it.
//!
//! `noak` reads the frame of the file: constants, members and lists of attributes. What stands in attributes is read by
//! us ([`crate::class`], [`mod@crate::verify`]), since it does not add up the offsets of a StackMapTable and does not
//! say whether an attribute was used up.
//!
//! Hostile bytes: nothing is allocated by a count of the file alone, `noak` bounds each list by what is left to read;
//! what is over [`BYTES_MAX`] is not looked at.

use noak::reader::cpool::Item;
use noak::reader::{self, DecodeMany};

use crate::class::{Attribute, ClassFile, Computed, Constant, Member, MemberRef, Pool, PoolIndex, Version};

/// No class file may be longer.
pub const BYTES_MAX: usize = 16 << 20;

/// Why bytes are no class file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// There are too many.
    #[error("{0} bytes are too many for a class file: at most {BYTES_MAX}")]
    TooLong(usize),
    /// They are laid out otherwise.
    #[error("not a class file: {0}")]
    Malformed(String),
    /// Something follows the class.
    #[error("{0} bytes follow the class file")]
    Rest(usize),
}

impl From<noak::error::DecodeError> for ReadError {
    fn from(error: noak::error::DecodeError) -> ReadError {
        ReadError::Malformed(error.to_string())
    }
}

/// Reads a class file. Only its frame is judged; all else is for [`crate::verify()`].
///
/// # Errors
/// [`ReadError`].
pub fn read(bytes: &[u8]) -> Result<ClassFile<'_>, ReadError> {
    if bytes.len() > BYTES_MAX {
        return Err(ReadError::TooLong(bytes.len()));
    }
    let class = reader::Class::new(bytes)?;
    if class.buffer_size() != bytes.len() {
        return Err(ReadError::Rest(bytes.len() - class.buffer_size()));
    }
    let mut interfaces = Vec::new();
    for index in class.interfaces() {
        interfaces.push(PoolIndex(index?.as_u16()));
    }
    let (mut fields, mut methods) = (Vec::new(), Vec::new());
    for field in class.fields() {
        let field = field?;
        fields.push(Member {
            flags: field.access_flags().bits(),
            name: PoolIndex(field.name().as_u16()),
            descriptor: PoolIndex(field.descriptor().as_u16()),
            attributes: attributes(field.attributes())?,
        });
    }
    for method in class.methods() {
        let method = method?;
        methods.push(Member {
            flags: method.access_flags().bits(),
            name: PoolIndex(method.name().as_u16()),
            descriptor: PoolIndex(method.descriptor().as_u16()),
            attributes: attributes(method.attributes())?,
        });
    }
    Ok(ClassFile {
        version: Version { major: class.version().major, minor: class.version().minor },
        pool: pool(&class, bytes)?,
        flags: class.access_flags().bits(),
        this_class: PoolIndex(class.this_class().as_u16()),
        super_class: PoolIndex(class.super_class().map_or(0, |index| index.as_u16())),
        interfaces,
        fields,
        methods,
        attributes: attributes(class.attributes())?,
        bytes: bytes.len(),
    })
}

fn attributes<'a>(list: DecodeMany<'a, reader::Attribute<'a>, u16>) -> Result<Vec<Attribute<'a>>, ReadError> {
    let mut attributes = Vec::new();
    for attribute in list {
        let attribute = attribute?;
        attributes
            .push(Attribute { name: PoolIndex(attribute.name().as_u16()), content: attribute.content() });
    }
    Ok(attributes)
}

fn pool<'a>(class: &reader::Class<'a>, bytes: &[u8]) -> Result<Pool<'a>, ReadError> {
    // Magic and version are 8 bytes, then comes the count.
    let count = bytes.get(8..10).map_or(0, |count| usize::from(u16::from_be_bytes([count[0], count[1]])));
    let mut constants = Vec::with_capacity(count);
    constants.push(Constant::Unusable);
    for (index, item) in class.pool().iter_indices() {
        // The second index of a long or double is left out.
        constants.resize(usize::from(index.as_u16()), Constant::Unusable);
        constants.push(constant(item));
    }
    let wide = matches!(constants.last(), Some(Constant::Long(_) | Constant::Double(_)));
    // `noak` takes a long as the last constant, though its second index is beyond the count.
    if constants.len() + usize::from(wide) > count {
        return Err(ReadError::Malformed("the constant pool ends within a long or double".to_owned()));
    }
    constants.resize(count, Constant::Unusable);
    Ok(Pool(constants))
}

fn constant<'a>(item: &Item<'a>) -> Constant<'a> {
    macro_rules! member {
        ($of:expr) => {
            MemberRef {
                class: PoolIndex($of.class.as_u16()),
                name_and_type: PoolIndex($of.name_and_type.as_u16()),
            }
        };
    }
    macro_rules! computed {
        ($of:expr) => {
            Computed {
                bootstrap: $of.bootstrap_method_attr,
                name_and_type: PoolIndex($of.name_and_type.as_u16()),
            }
        };
    }
    match item {
        Item::Utf8(utf8) => Constant::Utf8(utf8.content.as_bytes()),
        Item::Integer(number) => Constant::Integer(number.value),
        Item::Float(number) => Constant::Float(number.value),
        Item::Long(number) => Constant::Long(number.value),
        Item::Double(number) => Constant::Double(number.value),
        Item::Class(class) => Constant::Class(PoolIndex(class.name.as_u16())),
        Item::String(string) => Constant::String(PoolIndex(string.string.as_u16())),
        Item::FieldRef(field) => Constant::Fieldref(member!(field)),
        Item::MethodRef(method) => Constant::Methodref(member!(method)),
        Item::InterfaceMethodRef(method) => Constant::InterfaceMethodref(member!(method)),
        Item::NameAndType(both) => Constant::NameAndType {
            name: PoolIndex(both.name.as_u16()),
            descriptor: PoolIndex(both.descriptor.as_u16()),
        },
        Item::MethodHandle(handle) => Constant::MethodHandle {
            // The kinds are listed in their order, from 1 on.
            kind: handle.kind as u8 + 1,
            reference: PoolIndex(handle.reference.as_u16()),
        },
        Item::MethodType(method) => Constant::MethodType(PoolIndex(method.descriptor.as_u16())),
        Item::Dynamic(constant) => Constant::Dynamic(computed!(constant)),
        Item::InvokeDynamic(site) => Constant::InvokeDynamic(computed!(site)),
        Item::Module(module) => Constant::Module(PoolIndex(module.name.as_u16())),
        Item::Package(package) => Constant::Package(PoolIndex(package.name.as_u16())),
    }
}
