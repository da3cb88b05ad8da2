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
            ("getBooleanAttributes0", "(Ljava/io/File;)I", super::system::file_attributes),
            ("checkAccess", "(Ljava/io/File;I)Z", no),
            ("getLastModifiedTime", "(Ljava/io/File;)J", |_| Ok(Outcome::Long(0))),
            ("getLength", "(Ljava/io/File;)J", |_| Ok(Outcome::Long(0))),
            ("getSpace", "(Ljava/io/File;I)J", |_| Ok(Outcome::Long(0))),
            ("setPermission", "(Ljava/io/File;IZZ)Z", no),
            ("setLastModifiedTime", "(Ljava/io/File;J)Z", no),
            ("setReadOnly", "(Ljava/io/File;)Z", no),
            ("createDirectory", "(Ljava/io/File;)Z", no),
            ("createFileExclusively", "(Ljava/lang/String;)Z", |_| {
                Err(Trap::New("java/io/IOException", Some("No such file or directory".to_owned())))
            }),
            ("delete0", "(Ljava/io/File;)Z", no),
            ("rename0", "(Ljava/io/File;Ljava/io/File;)Z", no),
            ("list", "(Ljava/io/File;)[Ljava/lang/String;", null),
            ("canonicalize0", "(Ljava/lang/String;)Ljava/lang/String;", canonical),
        ],
    ),
    ("sun/nio/fs/UnixNativeDispatcher", DISPATCHER),
    ("sun/nio/fs/LinuxNativeDispatcher", &[("init", "()V", nothing), ("setmntent", "([B[B)J", missing)]),
];

const DISPATCHER: Rows = &[
    ("init", "()I", no),
    ("getcwd", "()[B", |call| call.domain.new_bytes(b"/").map(Outcome::Reference)),
    ("exists", "(Lsun/nio/fs/UnixPath;)Z", no),
    ("strerror", "(I)[B", |call| call.domain.new_bytes(b"No such file or directory").map(Outcome::Reference)),
    ("stat", "(Lsun/nio/fs/UnixPath;)I", no),
    ("stat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V", missing),
    ("dup", "(I)I", missing),
    ("open", "(Lsun/nio/fs/UnixPath;II)I", missing),
    ("openat", "(I[BII)I", missing),
    ("link", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V", missing),
    ("unlink", "(Lsun/nio/fs/UnixPath;)V", missing),
    ("unlinkat", "(I[BI)V", missing),
    ("mknod", "(Lsun/nio/fs/UnixPath;IJ)V", missing),
    ("rename", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixPath;)V", missing),
    ("renameat", "(I[BI[B)V", missing),
    ("mkdir", "(Lsun/nio/fs/UnixPath;I)V", missing),
    ("rmdir", "(Lsun/nio/fs/UnixPath;)V", missing),
    ("readlink", "(Lsun/nio/fs/UnixPath;)[B", missing),
    ("realpath", "(Lsun/nio/fs/UnixPath;)[B", missing),
    ("lstat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V", missing),
    ("fstat", "(ILsun/nio/fs/UnixFileAttributes;)V", missing),
    ("fstatat", "(I[BILsun/nio/fs/UnixFileAttributes;)V", missing),
    ("chown", "(Lsun/nio/fs/UnixPath;II)V", missing),
    ("lchown", "(Lsun/nio/fs/UnixPath;II)V", missing),
    ("fchown", "(III)V", missing),
    ("chmod", "(Lsun/nio/fs/UnixPath;I)V", missing),
    ("fchmod", "(II)V", missing),
    ("utimes", "(Lsun/nio/fs/UnixPath;JJ)V", missing),
    ("futimes", "(IJJ)V", missing),
    ("futimens", "(IJJ)V", missing),
    ("lutimes", "(Lsun/nio/fs/UnixPath;JJ)V", missing),
    ("opendir", "(Lsun/nio/fs/UnixPath;)J", missing),
    ("fdopendir", "(I)J", missing),
    ("access", "(Lsun/nio/fs/UnixPath;I)V", missing),
    ("getpwuid", "(I)[B", missing),
    ("getgrgid", "(I)[B", missing),
    ("getpwnam", "(Ljava/lang/String;)I", missing),
    ("getgrnam", "(Ljava/lang/String;)I", missing),
    ("statvfs", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileStoreAttributes;)V", missing),
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
