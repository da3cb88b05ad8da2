//! From bytes to a [`ClassFile`] (JVMS 4.1): constants, members and lists of attributes, in one pass.
//!
//! Only the frame of the file is judged. Whether a text is modified UTF-8 and an index leads to what it should is for
//! [`format`](mod@crate::format); what stands in attributes is for whoever reads them ([`crate::class`], [`mod@crate::verify`]).
//!
//! Hostile bytes: nothing is allocated by a count of the file alone, each list is bounded by what is left to read;
//! what is over [`BYTES_MAX`] is not looked at.

use crate::bytes::{Cursor, Short};
use crate::class::{ClassFile, Constant, Member, Pool, PoolIndex, Version, attributes, constant};

/// No class file may be longer.
pub const BYTES_MAX: usize = 16 << 20;

/// What a class file begins with.
const MAGIC: u32 = 0xCAFE_BABE;
/// No constant takes fewer bytes.
const CONSTANT_BYTES_MIN: usize = 3;
/// No field or method takes fewer bytes.
const MEMBER_BYTES_MIN: usize = 8;

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
        pool: pool(bytes, &mut cursor)?,
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
    let count = cursor.u16()?;
    let mut members = Vec::with_capacity(usize::from(count).min(cursor.len() / MEMBER_BYTES_MIN));
    for _ in 0..count {
        members.push(Member {
            flags: cursor.u16()?,
            name: PoolIndex(cursor.u16()?),
            descriptor: PoolIndex(cursor.u16()?),
            attributes: attributes(cursor)?,
        });
    }
    Ok(members)
}

fn pool<'a>(bytes: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Pool<'a>, ReadError> {
    let count = usize::from(cursor.u16()?);
    let mut places = Vec::with_capacity(count.min(1 + cursor.len() / CONSTANT_BYTES_MIN));
    places.push(0);
    while places.len() < count {
        let place = bytes.len() - cursor.len();
        match constant(cursor)? {
            Constant::Unusable => {
                let (index, tag) = (places.len(), bytes[place]);
                return Err(ReadError::Malformed(format!("constant #{index} has tag {tag}")));
            }
            Constant::Long(_) | Constant::Double(_) => places.extend([place as u32, 0]),
            _ => places.push(place as u32),
        }
    }
    // The last one may be a long, which takes one more, and index 0 is always taken.
    match places.len() {
        taken if taken > count => {
            Err(ReadError::Malformed(format!("{count} constants take {taken} indices")))
        }
        _ => Ok(Pool { bytes, places: places.into() }),
    }
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
