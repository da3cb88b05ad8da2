//! Files, of which there are none: paths can be made and taken apart, and none of them leads anywhere.
//!
//! The few files of the JDK that its own classes read are in `system`.

use super::lang::{no, null};
use super::system::{PATH_BYTES, TOO_LONG};
use super::{Call, Outcome, Rows, Trap, nothing};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/io/UnixFileSystem",
        &[
            ("getBooleanAttributes0", "", super::system::file_attributes),
            ("checkAccess", "", no),
            ("getLastModifiedTime", "", |_| Ok(Outcome::Long(0))),
            ("getLength", "", |_| Ok(Outcome::Long(0))),
            ("getSpace", "", |_| Ok(Outcome::Long(0))),
            ("setPermission", "", no),
            ("setLastModifiedTime", "", no),
            ("setReadOnly", "", no),
            ("createDirectory", "", no),
            ("createFileExclusively", "", |_| {
                Err(Trap::New("java/io/IOException", Some("No such file or directory".to_owned())))
            }),
            ("delete0", "", no),
            ("rename0", "", no),
            ("list", "", null),
            ("canonicalize0", "", canonical),
        ],
    ),
    ("sun/nio/fs/UnixNativeDispatcher", DISPATCHER),
    ("sun/nio/fs/LinuxNativeDispatcher", &[("init", "", nothing), ("setmntent", "", missing)]),
];

const DISPATCHER: Rows = &[
    ("init", "", no),
    ("getcwd", "", |call| call.domain.new_bytes(b"/").map(Outcome::Reference)),
    ("exists", "", no),
    ("strerror", "", |call| call.domain.new_bytes(b"No such file or directory").map(Outcome::Reference)),
    ("stat", "(Lsun/nio/fs/UnixPath;)I", no),
    ("stat", "", missing),
    ("dup", "", missing),
    ("open", "", missing),
    ("openat", "", missing),
    ("link", "", missing),
    ("unlink", "", missing),
    ("unlinkat", "", missing),
    ("mknod", "", missing),
    ("rename", "", missing),
    ("renameat", "", missing),
    ("mkdir", "", missing),
    ("rmdir", "", missing),
    ("readlink", "", missing),
    ("realpath", "", missing),
    ("lstat", "", missing),
    ("fstat", "", missing),
    ("fstatat", "", missing),
    ("chown", "", missing),
    ("lchown", "", missing),
    ("fchown", "", missing),
    ("chmod", "", missing),
    ("fchmod", "", missing),
    ("utimes", "", missing),
    ("futimes", "", missing),
    ("futimens", "", missing),
    ("lutimes", "", missing),
    ("opendir", "", missing),
    ("fdopendir", "", missing),
    ("access", "", missing),
    ("getpwuid", "", missing),
    ("getgrgid", "", missing),
    ("getpwnam", "", missing),
    ("getgrnam", "", missing),
    ("statvfs", "", missing),
];

/// The path without `.` and `..`: nothing is there that is a link.
fn canonical(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let path = call.name(1)?;
    if path.len() > PATH_BYTES {
        return Err(Trap::New("java/io/IOException", Some(TOO_LONG.to_owned())));
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    call.domain.new_text(&format!("/{}", parts.join("/"))).map(Outcome::Reference)
}

/// The error of Linux for what is not there.
const ENOENT: u32 = 2;

fn missing(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let error = call.domain.exception(call.thread, "sun/nio/fs/UnixException", None)?;
    call.domain.set_field(error, b"errno", b"I", ENOENT)?;
    Err(Trap::Throw(error))
}
