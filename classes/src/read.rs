//! From bytes to a [`ClassFile`] (JVMS 4.1): constants, members and lists of attributes, in one pass.
//!
//! Only the frame of the file is judged. Whether a text is modified UTF-8 and an index leads to what it should is for
//! [`format`](mod@crate::format); what stands in attributes is for whoever reads them ([`crate::class`], [`mod@crate::verify`]).
//!
//! Hostile bytes: nothing is allocated by a count of the file alone, each list is bounded by what is left to read;
//! what is over [`BYTES_MAX`] is not looked at.

use crate::bytes::{Cursor, Short};
use crate::class::{ClassFile, Computed, Constant, Member, MemberRef, Pool, PoolIndex, Version, attributes};

/// No class file may be longer.
pub const BYTES_MAX: usize = 16 << 20;

/// What a class file begins with.
const MAGIC: u32 = 0xCAFE_BABE;
/// No constant takes fewer bytes.
const CONSTANT_BYTES_MIN: usize = 3;

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

impl From<Short> for ReadError {
    fn from(_: Short) -> ReadError {
        ReadError::Malformed("it ends too early".to_owned())
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
    let mut cursor = Cursor::new(bytes);
    if cursor.u32()? != MAGIC {
        return Err(ReadError::Malformed(format!("it does not begin with {MAGIC:#X}")));
    }
    let (minor, major) = (cursor.u16()?, cursor.u16()?);
    let class = ClassFile {
        version: Version { major, minor },
        pool: pool(&mut cursor)?,
        flags: cursor.u16()?,
        this_class: PoolIndex(cursor.u16()?),
        super_class: PoolIndex(cursor.u16()?),
        interfaces: interfaces(&mut cursor)?,
        fields: members(&mut cursor)?,
        methods: members(&mut cursor)?,
        attributes: attributes(&mut cursor)?,
        bytes: bytes.len(),
    };
    if cursor.is_empty() { Ok(class) } else { Err(ReadError::Rest(cursor.len())) }
}

fn interfaces(cursor: &mut Cursor<'_>) -> Result<Vec<PoolIndex>, Short> {
    (0..cursor.u16()?).map(|_| cursor.u16().map(PoolIndex)).collect()
}

fn members<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Member<'a>>, Short> {
    let mut members = Vec::new();
    for _ in 0..cursor.u16()? {
        members.push(Member {
            flags: cursor.u16()?,
            name: PoolIndex(cursor.u16()?),
            descriptor: PoolIndex(cursor.u16()?),
            attributes: attributes(cursor)?,
        });
    }
    Ok(members)
}

fn pool<'a>(cursor: &mut Cursor<'a>) -> Result<Pool<'a>, ReadError> {
    let count = usize::from(cursor.u16()?);
    let mut constants = Vec::with_capacity(count.min(1 + cursor.len() / CONSTANT_BYTES_MIN));
    constants.push(Constant::Unusable);
    while constants.len() < count {
        let tag = cursor.u8()?;
        let constant = constant(cursor, tag)?
            .ok_or_else(|| ReadError::Malformed(format!("constant #{} has tag {tag}", constants.len())))?;
        constants.push(constant);
        if matches!(constant, Constant::Long(_) | Constant::Double(_)) {
            constants.push(Constant::Unusable);
        }
    }
    // The last one may be a long, which takes one more, and index 0 is always taken.
    match constants.len() {
        taken if taken > count => {
            Err(ReadError::Malformed(format!("{count} constants take {taken} indices")))
        }
        _ => Ok(Pool(constants)),
    }
}

/// The constant of a tag (JVMS table 4.4-A), if there are such.
fn constant<'a>(cursor: &mut Cursor<'a>, tag: u8) -> Result<Option<Constant<'a>>, Short> {
    let index = |cursor: &mut Cursor<'a>| cursor.u16().map(PoolIndex);
    let member =
        |cursor: &mut Cursor<'a>| Ok(MemberRef { class: index(cursor)?, name_and_type: index(cursor)? });
    let computed =
        |cursor: &mut Cursor<'a>| Ok(Computed { bootstrap: cursor.u16()?, name_and_type: index(cursor)? });
    Ok(Some(match tag {
        1 => {
            let count = cursor.u16()?;
            Constant::Utf8(cursor.take(usize::from(count))?)
        }
        3 => Constant::Integer(cursor.u32()?.cast_signed()),
        4 => Constant::Float(f32::from_bits(cursor.u32()?)),
        5 => Constant::Long(cursor.u64()?.cast_signed()),
        6 => Constant::Double(f64::from_bits(cursor.u64()?)),
        7 => Constant::Class(index(cursor)?),
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
        _ => return Ok(None),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(file: &[u8]) -> String {
        read(file).expect_err("no class file").to_string()
    }

    #[test]
    fn what_is_no_class_file_is_told() {
        let file = |constants: &[u8]| [b"\xca\xfe\xba\xbe\0\0\0\x3d", constants, &[0; 14]].concat();
        assert!(read(&file(&[0, 1])).is_ok());
        assert_eq!(why(&file(&[0, 1])[..23]), "not a class file: it ends too early");
        assert_eq!(why(&[file(&[0, 1]), vec![0; 2]].concat()), "2 bytes follow the class file");
        assert_eq!(why(b"class A {}"), "not a class file: it does not begin with 0xCAFEBABE");
        assert_eq!(why(&file(&[0, 2, 13])), "not a class file: constant #1 has tag 13");
        assert_eq!(why(&file(&[0, 2, 1, 0, 20])), "not a class file: it ends too early");
        let long = [0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(why(&file(&long)), "not a class file: 2 constants take 3 indices");
        assert_eq!(why(&file(&[0, 0])), "not a class file: 0 constants take 1 indices");
        let long = BYTES_MAX + 1;
        assert_eq!(
            why(&vec![0; long]),
            format!("{long} bytes are too many for a class file: at most {BYTES_MAX}")
        );
    }
}
