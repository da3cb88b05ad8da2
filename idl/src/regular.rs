//! Reading files that somebody named: regular ones only, and no more of them than can be of use.
//!
//! The length that a file says of itself is not relied on: that of `/dev/zero` is 0, and it has no end. A pipe that
//! nobody writes to would make whoever opens it wait for ever; it is opened without waiting, and refused.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Opens a regular file for reading; never waits.
///
/// # Errors
/// The system's; [`ErrorKind::IsADirectory`]; [`ErrorKind::InvalidInput`] for whatever else is no regular file.
pub fn open_regular(path: &Path) -> Result<File> {
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let kind = file.metadata()?.file_type();
    match (kind.is_file(), kind.is_dir()) {
        (true, _) => Ok(file),
        (_, true) => Err(Error::new(ErrorKind::IsADirectory, "it is a directory")),
        _ => Err(Error::new(ErrorKind::InvalidInput, "it is no regular file")),
    }
}

/// Reads a regular file of at most `bytes_max` bytes; takes no more memory than that, whatever the file is.
///
/// # Errors
/// As [`open_regular`]; [`ErrorKind::FileTooLarge`] if it is longer.
pub fn read_regular(path: &Path, bytes_max: u64) -> Result<Vec<u8>> {
    read_at_most(&open_regular(path)?, bytes_max)
}

/// The same of a file that is open already, from where it stands.
///
/// # Errors
/// The system's; [`ErrorKind::FileTooLarge`] if there is more.
pub fn read_at_most(file: &File, bytes_max: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it has more than {bytes_max} bytes")));
    }
    Ok(bytes)
}
