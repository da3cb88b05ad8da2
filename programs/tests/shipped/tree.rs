//! Trees to try the programs on.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{CWD, FileType, Mode, OFlags, mkdirat, mknodat, openat};

/// One step of `copy_from` and `step`.
pub(crate) const STEP: usize = 1 << 20;

pub(crate) const DAY: Duration = Duration::from_secs(24 * 3600);

/// Names that programs of all kinds stumble over.
pub(crate) fn awkward_names() -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = [
        &b" "[..],
        b"two  words ",
        b"line\nbreak",
        b"tab\tbell\x07",
        b"-rf",
        b"...",
        b".hidden",
        b"quote\"back\\slash'",
        b"caf\xe9 is Latin-1",
        b"\xff\xfe\xfd",
        "Grüße, 世界".as_bytes(),
        b"$(echo no)",
        b"*",
        b"#",
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    names.push(vec![b'n'; 255]);
    names.push(vec![0xe9; 255]);
    names
}

/// A tree with all that is awkward: names, sizes, depth, links, a pipe, files alike and almost alike.
pub(crate) fn awkward(root: &Path) {
    for (number, name) in awkward_names().iter().enumerate() {
        write(root, name, format!("content {number}").as_bytes());
        let dir = [b"dir of ".as_slice(), &name[..name.len().min(200)]].concat();
        write(&root.join(os(&dir)), name, &vec![b'x'; number * 100]);
    }
    sizes(&root.join("sizes"));
    alike(&root.join("alike"));
    links(&root.join("links"));
    fs::create_dir_all(root.join("empty/of all/files")).expect("directories");
    let deep: PathBuf = (0..40).map(|level| format!("level {level}")).collect();
    write(&root.join(deep), b"bottom", b"reached");
}

/// Files whose sizes lie around those of pages, transfers and steps.
fn sizes(dir: &Path) {
    for size in [0, 1, 4095, 4096, 4097, STEP - 1, STEP, STEP + 1, 2 * STEP + 54_321] {
        write(dir, size.to_string().as_bytes(), &noise(size));
    }
}

/// Files with equal content in several places, and some that differ in one byte.
fn alike(dir: &Path) {
    let large = noise(STEP + 777);
    let mut almost = large.clone();
    *almost.last_mut().expect("it is not empty") ^= 1;
    for name in ["a/large", "b/large", "b/c/large too"] {
        write(dir, name.as_bytes(), &large);
    }
    write(dir, b"a/almost", &almost);
    for name in [&b"one"[..], b"two", b"line\nbreak", b"\xff"] {
        write(dir, name, b"the same words");
        write(dir, &[name, b" other"].concat(), b"the sane words");
    }
    write(dir, b"empty", b"");
}

/// What is neither file nor directory, and a file with two names.
fn links(dir: &Path) {
    write(dir, b"file", b"linked to");
    fs::hard_link(dir.join("file"), dir.join("second name")).expect("a hard link");
    symlink("file", dir.join("to file")).expect("a link");
    symlink("..", dir.join("to above")).expect("a link");
    symlink("/", dir.join("to outside")).expect("a link");
    symlink("nowhere", dir.join("to nowhere")).expect("a link");
    let pipe = dir.join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o600), 0).expect("a pipe");
}

/// Makes directories in each other, with paths longer than `bytes`, which no system call would take as a whole.
pub(crate) fn deeper_than(dir: &Path, bytes: usize) {
    let name = "d".repeat(255);
    let mut at = rustix::fs::open(dir, OFlags::PATH, Mode::empty()).expect("it is there");
    for _ in 0..=bytes / (name.len() + 1) {
        mkdirat(&at, &name, Mode::RWXU).expect("a new directory");
        at = openat(&at, &name, OFlags::PATH, Mode::empty()).expect("it was made");
    }
}

/// Writes a file below `dir`, with the directories above it.
pub(crate) fn write(dir: &Path, name: &[u8], content: &[u8]) -> PathBuf {
    let path = dir.join(os(name));
    fs::create_dir_all(path.parent().expect("it lies in dir")).expect("directories");
    fs::write(&path, content).expect("a file");
    path
}

/// Makes a file or directory seem that old.
pub(crate) fn age(path: &Path, age: Duration) {
    let modified = SystemTime::now().checked_sub(age).expect("a time");
    File::open(path).expect("it is there").set_modified(modified).expect("its time can be set");
}

pub(crate) fn os(name: &[u8]) -> &OsStr {
    OsStr::from_bytes(name)
}

/// Bytes that do not repeat, the same each time.
pub(crate) fn noise(size: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64 ^ size as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..size.div_ceil(8)).flat_map(|_| next()).take(size).collect()
}
