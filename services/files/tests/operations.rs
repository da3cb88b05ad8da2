//! Each operation, as a client sees it, beside what the system says of the tree.

mod support;

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use carnet_files::STEP_BYTES;
use carnet_files::files::{Dir, File, Kind, Reason};
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use support::{Tree, assert_raised, raised, reason, system_dir, walk};

const STEP: i64 = STEP_BYTES as i64;

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 / 5) as u8).collect()
}

#[test]
fn files_are_read_at_positions() {
    let tree = Tree::new();
    let content = pattern(3 * STEP_BYTES);
    tree.put("a", &content);
    let file = tree.client().open(b"a").unwrap();
    assert_eq!(file.read(0, 10).unwrap(), content[..10]);
    assert_eq!(file.read(1000, 70_000).unwrap(), content[1000..71_000]);
    assert_eq!(file.read(STEP + 1, i64::MAX).unwrap(), content[STEP_BYTES + 1..2 * STEP_BYTES + 1]);
    assert_eq!(file.read(3 * STEP - 5, 10).unwrap(), content[3 * STEP_BYTES - 5..]);
    assert_eq!(file.read(3 * STEP, 10).unwrap(), b"");
    assert_eq!(file.read(i64::MAX, 10).unwrap(), b"");
    assert_eq!(file.read(0, 0).unwrap(), b"");
    assert_eq!(file.read(7, 3).unwrap(), content[7..10], "a small read after a large one");
}

#[test]
fn next_goes_on_where_it_ended_for_each_portal() {
    let tree = Tree::new();
    let content = pattern(STEP_BYTES + 100);
    tree.put("a", &content);
    let dir = tree.client();
    let (one, two) = (dir.open(b"a").unwrap(), dir.open(b"a").unwrap());
    assert_eq!(one.next(10).unwrap(), content[..10]);
    assert_eq!(two.next(5).unwrap(), content[..5]);
    assert_eq!(one.next(STEP + 1).unwrap(), content[10..STEP_BYTES + 10]);
    assert_eq!(one.next(STEP).unwrap(), content[STEP_BYTES + 10..]);
    assert_eq!(one.next(STEP).unwrap(), b"");
    assert_eq!(one.read(0, 1).unwrap(), content[..1]);
    tree.put("a", [content.as_slice(), b"more"].concat());
    assert_eq!(one.next(STEP).unwrap(), b"more");
}

#[test]
fn files_are_written_at_positions_and_at_the_end() {
    let tree = Tree::new();
    let file = tree.client().create(b"a").unwrap();
    assert_eq!(file.write(3, b"def").unwrap(), 3);
    assert_eq!(tree.get("a"), b"\0\0\0def");
    assert_eq!(file.write(0, b"abc").unwrap(), 3);
    assert_eq!(file.append(b"ghi").unwrap(), 3);
    assert_eq!(file.write(1, b"").unwrap(), 0);
    assert_eq!(file.append(b"").unwrap(), 0);
    assert_eq!(tree.get("a"), b"abcdefghi");
    assert_eq!(file.size().unwrap(), 9);
    file.truncate(4).unwrap();
    assert_eq!(tree.get("a"), b"abcd");
    file.truncate(6).unwrap();
    assert_eq!(tree.get("a"), b"abcd\0\0");
    let big = pattern(STEP_BYTES);
    assert_eq!(file.write(6, &big).unwrap(), STEP);
    assert_eq!(file.read(6, STEP).unwrap(), big);
    file.sync().unwrap();
    assert_eq!(file.stat().unwrap().size, STEP + 6);
}

#[test]
fn appending_portals_do_not_overwrite_each_other() {
    let tree = Tree::new();
    tree.put("log", "");
    let threads: Vec<_> = (0..4_u8)
        .map(|number| {
            let dir = tree.client_of(u64::from(number));
            std::thread::spawn(move || {
                let file = dir.edit(b"log").unwrap();
                for _ in 0..200 {
                    assert_eq!(file.append(&[number; 10]).unwrap(), 10);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let log = tree.get("log");
    assert_eq!(log.len(), 4 * 200 * 10);
    assert!(log.chunks(10).all(|line| line.iter().all(|b| *b == line[0])));
}

#[test]
fn opening_creating_replacing() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("a", "old content");
    assert_eq!(dir.edit(b"a").unwrap().read(0, 3).unwrap(), b"old");
    assert_eq!(tree.get("a"), b"old content");
    assert_raised(dir.create(b"a"), Reason::Exists, "\"a\" exists already");
    assert_eq!(tree.get("a"), b"old content");
    dir.replace(b"a").unwrap().write(0, b"new").unwrap();
    assert_eq!(tree.get("a"), b"new");
    dir.replace(b"b").unwrap();
    assert_eq!(tree.get("b"), b"");
    assert_raised(dir.edit(b"c"), Reason::NotFound, "\"c\" does not exist");
    assert_raised(
        dir.create(b"d/e"),
        Reason::NotFound,
        "\"d/e\" cannot be made: the directory to make it in does not exist",
    );
    assert_eq!(tree.names(), [b"a", b"b"]);
}

#[test]
fn paths_may_wander_within_the_tree() {
    let tree = Tree::new();
    let dir = tree.client();
    fs::create_dir_all(tree.path("a/b")).unwrap();
    tree.put("a/f", "f");
    for path in ["a/f", "./a/f", "a/./f", "a//f", "a/b/../f", "a/../a/f", "./a/b/../../a/f"] {
        assert_eq!(dir.open(path.as_bytes()).unwrap().read(0, 9).unwrap(), b"f", "{path}");
        assert_eq!(dir.stat(path.as_bytes()).unwrap().kind, Kind::File, "{path}");
    }
    for path in [".", "./", "a/..", "a/b/../..", "a/../", "./."] {
        assert_eq!(dir.stat(path.as_bytes()).unwrap().kind, Kind::Dir, "{path}");
        assert_eq!(walk(&dir, path.as_bytes(), |_| {}), [b"a"], "{path}");
    }
    assert_eq!(walk(&dir, b"a/", |_| {}), [b"b", b"f"]);
    dir.make_dir(b"a/c/").unwrap();
    dir.rename(b"a/c/", b"c/").unwrap();
    dir.remove_dir(b"c/").unwrap();
    assert_eq!(reason(dir.stat(b"a/f/")), Reason::NotADirectory);
    assert_eq!(reason(dir.remove(b"a/f/")), Reason::NotADirectory);
    assert_eq!(reason(dir.open(b"a/f/")), Reason::NotADirectory);
    assert_eq!(reason(dir.rename(b"a/f", b"g/")), Reason::NotADirectory);
    assert_eq!(reason(dir.create(b"new/")), Reason::IsADirectory);
    assert_eq!(tree.names(), [b"a"]);
}

#[test]
fn stat_tells_what_the_system_tells() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("file", "12345");
    fs::create_dir(tree.path("dir")).unwrap();
    tree.link("file", "link");
    fs::set_permissions(tree.path("file"), fs::Permissions::from_mode(0o640)).unwrap();
    for (name, kind) in [("file", Kind::File), ("dir", Kind::Dir), ("link", Kind::Symlink)] {
        let (info, meta) =
            (dir.stat(name.as_bytes()).unwrap(), fs::symlink_metadata(tree.path(name)).unwrap());
        assert_eq!(info.kind, kind);
        assert_eq!(info.size as u64, meta.size());
        assert_eq!(info.modified, meta.mtime() * 1_000_000_000 + meta.mtime_nsec());
        assert_eq!(info.mode as u32, meta.mode() & 0o777);
    }
    let (entries, last) = dir.list(b".", b"").unwrap();
    assert!(last);
    for entry in &entries {
        let info = dir.stat(&entry.name).unwrap();
        assert_eq!(
            (entry.kind, entry.size, entry.modified, entry.mode),
            (info.kind, info.size, info.modified, info.mode)
        );
    }
    assert_eq!(entries.len(), 3);
    assert_eq!(dir.open(b"file").unwrap().stat().unwrap(), dir.stat(b"file").unwrap());
}

#[test]
fn mode_and_time_are_set() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("a", "a");
    fs::create_dir(tree.path("d")).unwrap();
    for (name, mode) in [("a", 0o600), ("a", 0), ("a", 0o777), ("d", 0o700), (".", 0o755)] {
        dir.set_mode(name.as_bytes(), mode).unwrap();
        assert_eq!(dir.stat(name.as_bytes()).unwrap().mode, mode);
        assert_eq!(fs::metadata(tree.path(name)).unwrap().mode() & 0o7777, mode as u32);
    }
    for mode in [0o4755, 0o2755, 0o1755, 0o1000, -1, i32::MIN, i32::MAX] {
        assert_eq!(reason(dir.set_mode(b"a", mode)), Reason::BadArgument, "{mode:o}");
    }
    assert_raised(
        dir.set_mode(b"a", 0o4755),
        Reason::BadArgument,
        "\"a\" cannot have the mode 0o4755: from 0 to 0o777 is allowed",
    );
    let read = fs::metadata(tree.path("a")).unwrap().atime_nsec();
    for time in [0, 1, 1_700_000_000_123_456_789, -1, -1_500_000_000] {
        dir.set_modified(b"a", time).unwrap();
        assert_eq!(dir.stat(b"a").unwrap().modified, time);
    }
    assert_eq!(fs::metadata(tree.path("a")).unwrap().atime_nsec(), read, "the time of reading stays");
    dir.set_accessed(b"a", 1_700_000_000_123_456_789).unwrap();
    let meta = fs::metadata(tree.path("a")).unwrap();
    assert_eq!((meta.atime(), meta.atime_nsec()), (1_700_000_000, 123_456_789));
    assert_eq!(dir.stat(b"a").unwrap().modified, -1_500_000_000, "the time of writing stays");
    dir.set_modified(b"d", 5).unwrap();
    assert_eq!(dir.stat(b"d").unwrap().modified, 5);
    assert_eq!(reason(dir.set_modified(b"no", 5)), Reason::NotFound);
}

#[test]
fn renaming_never_replaces() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("a", "a");
    tree.put("b", "b");
    fs::create_dir_all(tree.path("d/sub")).unwrap();
    fs::create_dir(tree.path("empty")).unwrap();
    tree.link("nowhere", "link");
    for (from, to) in [("a", "b"), ("a", "d"), ("d", "empty"), ("d", "a"), ("a", "link"), ("a", "a")] {
        let message = format!("\"{to}\" exists already");
        assert_raised(dir.rename(from.as_bytes(), to.as_bytes()), Reason::Exists, &message);
    }
    assert_eq!(reason(dir.rename(b"d", b"d/sub/d")), Reason::BadArgument);
    assert_eq!(reason(dir.rename(b"no", b"new")), Reason::NotFound);
    assert_eq!(reason(dir.rename(b"a", b"no/new")), Reason::NotFound);
    assert_eq!(reason(dir.rename(b".", b"new")), Reason::BadName);
    assert_eq!(reason(dir.rename(b"a", b"d/..")), Reason::BadName);
    dir.rename(b"a", b"d/a").unwrap();
    dir.rename(b"d", b"e").unwrap();
    dir.rename(b"link", b"other").unwrap();
    assert_eq!(tree.get("e/a"), b"a");
    assert_eq!(fs::read_link(tree.path("other")).unwrap().as_os_str(), "nowhere");
    assert_eq!(tree.get("b"), b"b");
}

#[test]
fn removing_and_making_directories() {
    let tree = Tree::new();
    let dir = tree.client();
    dir.make_dir(b"d").unwrap();
    assert_eq!(reason(dir.make_dir(b"d")), Reason::Exists);
    assert_eq!(reason(dir.make_dir(b"x/y")), Reason::NotFound);
    tree.put("d/f", "f");
    assert_raised(dir.remove_dir(b"d"), Reason::NotEmpty, "\"d\" is not empty");
    assert_eq!(reason(dir.remove(b"d")), Reason::IsADirectory);
    assert_raised(dir.remove_dir(b"d/f"), Reason::NotADirectory, "\"d/f\" is not a directory");
    assert_eq!(reason(dir.open(b"d")), Reason::IsADirectory);
    assert_eq!(reason(dir.replace(b"d")), Reason::IsADirectory);
    assert_eq!(reason(dir.list(b"d/f", b"")), Reason::NotADirectory);
    dir.remove(b"d/f").unwrap();
    assert_eq!(reason(dir.remove(b"d/f")), Reason::NotFound);
    dir.remove_dir(b"d").unwrap();
    assert_eq!(reason(dir.list(b"d", b"")), Reason::NotFound);
    for path in [".", "..", "./"] {
        let path = path.as_bytes();
        assert!(dir.remove_dir(path).is_err() && dir.make_dir(path).is_err() && dir.remove(path).is_err());
    }
    assert!(tree.names().is_empty());
}

fn copy_all(from: &File, to: &File, step: i64) -> i64 {
    let mut pos = 0;
    loop {
        match to.copy_from(from, pos, step).unwrap() {
            0 => return pos,
            n => pos += n,
        }
    }
}

#[test]
fn copying_on_the_server() {
    let tree = Tree::new();
    let dir = tree.client();
    for len in [0, 1, 4096, STEP_BYTES, 2 * STEP_BYTES + 17] {
        let content = pattern(len);
        tree.put("from", &content);
        let (from, to) = (dir.open(b"from").unwrap(), dir.replace(b"to").unwrap());
        assert_eq!(copy_all(&from, &to, i64::MAX), len as i64);
        assert_eq!(tree.get("to"), content);
    }
    let (from, to) = (dir.open(b"from").unwrap(), dir.edit(b"to").unwrap());
    assert_eq!(to.copy_from(&from, 5, 10 * STEP).unwrap(), STEP, "at most one step");
    to.truncate(0).unwrap();
    assert_eq!(to.copy_from(&from, 100, 3).unwrap(), 3);
    assert_eq!(tree.get("to").len(), 103);
    assert_eq!(tree.get("to")[100..], tree.get("from")[100..103]);
    assert_eq!(to.copy_from(&from, i64::MAX, i64::MAX).unwrap(), 0);
    assert_eq!(to.copy_from(&from, 0, 0).unwrap(), 0);
    assert_eq!(reason(to.copy_from(&from, -1, 1)), Reason::BadArgument);
    assert_eq!(reason(to.copy_from(&from, 0, -1)), Reason::BadArgument);
    assert_eq!(reason(from.copy_from(&to, 0, 1)), Reason::ReadOnly);
}

#[test]
fn a_file_is_a_copy_of_itself() {
    let tree = Tree::new();
    let dir = tree.client();
    tree.put("a", "abcdef");
    fs::hard_link(tree.path("a"), tree.path("b")).unwrap();
    let (a, b) = (dir.edit(b"a").unwrap(), dir.open(b"b").unwrap());
    assert_eq!(a.copy_from(&a, 0, 100).unwrap(), 6);
    assert_eq!(a.copy_from(&b, 2, 3).unwrap(), 3);
    assert_eq!(a.copy_from(&b, 6, 3).unwrap(), 0);
    assert_eq!(tree.get("a"), b"abcdef");
}

/// The system does not copy between kinds of file systems by itself.
#[test]
fn copying_between_file_systems() {
    let tree = Tree::new();
    tree.put("to", "");
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else {
        return support::skip("there is no second file system at /dev/shm");
    };
    let content = pattern(200_000);
    fs::write(memory.path().join("a"), &content).unwrap();
    let other = carnet_files::serve(carnet_files::Options::new(memory.path())).unwrap();
    let session = LocalSession::new(Capability::new(other.into_object()), Caller::local());
    let source = Dir::from_portal(session.root()).open(b"a").unwrap();
    assert_eq!(both::copy_to(&tree, &session, &source), content);
}

/// Calls `copy_from` with objects of two sessions, which a client cannot.
mod both {
    use std::sync::Arc;

    use carnet_files::files::{Dir, File, module};
    use carnet_portal::call::{Areas, Call, Caller};
    use carnet_portal::capability::Capability;
    use carnet_portal::local::LocalSession;
    use carnet_portal::stub::Interface as _;

    use super::{STEP, Tree};

    pub(super) fn copy_to(tree: &Tree, from: &Arc<LocalSession>, source: &File) -> Vec<u8> {
        let session = LocalSession::new(Capability::new(Arc::clone(tree.object())), Caller::local());
        let file = Dir::from_portal(session.root()).edit(b"to").unwrap();
        let source = from.capability(source.portal().id()).unwrap();
        let target = session.capability(file.portal().id()).unwrap();
        let (op, _) = module().interfaces[File::ID.index()].operation("copy_from").unwrap();
        let mut pos = 0;
        loop {
            let mut words = [0, pos, STEP as u64, 0];
            let mut call = Call {
                words: &mut words,
                areas: &mut Areas::default(),
                portals: &[Some(source.clone())],
                made: &mut Vec::new(),
                caller: &Caller::local(),
            };
            target.object().dispatch(op, &mut call).unwrap();
            match words[3] {
                0 => return tree.get("to"),
                n => pos += n,
            }
        }
    }
}

#[test]
fn hashing_in_steps() {
    let tree = Tree::new();
    let dir = tree.client();
    let hex = |bytes: Vec<u8>| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    tree.put("empty", "");
    let empty = dir.open_hash(b"empty").unwrap();
    assert_eq!(empty.step(100).unwrap(), 0);
    let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(hex(empty.value().unwrap()), of_nothing);
    tree.put("abc", "abc");
    let abc = dir.open_hash(b"abc").unwrap();
    assert_eq!(hex(abc.value().unwrap()), of_nothing, "nothing was taken in yet");
    assert_eq!((abc.step(2).unwrap(), abc.step(2).unwrap(), abc.step(2).unwrap()), (2, 1, 0));
    let of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(hex(abc.value().unwrap()), of_abc);
    let content = pattern(2 * STEP_BYTES + 5);
    tree.put("large", &content);
    let (large, small) = (dir.open_hash(b"large").unwrap(), dir.open_hash(b"large").unwrap());
    assert_eq!(large.step(i64::MAX).unwrap(), STEP, "at most one step");
    assert_eq!((large.step(STEP).unwrap(), large.step(STEP).unwrap()), (STEP, 5));
    while small.step(99_999).unwrap() > 0 {}
    assert_eq!(large.value().unwrap(), small.value().unwrap());
    assert_eq!(reason(large.step(-1)), Reason::BadArgument);
    assert_eq!(reason(dir.open_hash(b"nothing")), Reason::NotFound);
    assert_eq!(reason(dir.open_hash(b".")), Reason::IsADirectory);
}

#[test]
fn names_are_bytes() {
    let tree = Tree::new();
    let dir = tree.client();
    let odd: &[u8] = b"odd \xff\xfe\n\x1b[31m\"'name";
    let longest = [b'n'; 255];
    for name in [odd, &longest] {
        dir.create(name).unwrap().write(0, b"x").unwrap();
        assert_eq!(dir.stat(name).unwrap().size, 1);
        assert_eq!(raised(dir.create(name)).kind, Reason::Exists);
    }
    assert_eq!(walk(&dir, b".", |_| {}), tree.names());
    assert_eq!(raised(dir.make_dir(odd)).message, "\"odd \\xFF\\xFE\\n\\u{1b}[31m\\\"'name\" exists already");
    dir.rename(odd, b"plain").unwrap();
    assert_eq!(fs::read(tree.path(std::ffi::OsStr::from_bytes(b"plain"))).unwrap(), b"x");
    for (path, text) in [
        (vec![b'n'; 256], "contains a name of more than 255 bytes"),
        (b"".to_vec(), "is an empty path; the directory itself is \".\""),
        ([&b"a/".repeat(2047)[..], b"bc"].concat(), "is too long a name"),
    ] {
        let error = raised(dir.open(&path));
        assert_eq!(error.kind, Reason::BadName);
        assert!(error.message.ends_with(text), "{}", error.message);
    }
    let failure = dir.stat(b"a\0b").unwrap_err();
    assert_eq!(failure.to_string(), "Dir.stat: argument `path` contains a NUL byte");
    assert_eq!(dir.list(b".", &[b'z'; 255]).unwrap(), (Vec::new(), true));
}

#[test]
fn numbers_out_of_range_are_the_callers_fault() {
    let tree = Tree::new();
    let file = tree.client().create(b"a").unwrap();
    assert_raised(file.read(-1, 1), Reason::BadArgument, "\"a\" has no position -1: it must not be negative");
    assert_eq!(reason(file.read(0, -1)), Reason::BadArgument);
    assert_eq!(reason(file.next(-1)), Reason::BadArgument);
    assert_eq!(reason(file.write(i64::MIN, b"x")), Reason::BadArgument);
    assert_eq!(reason(file.truncate(-1)), Reason::BadArgument);
    assert_eq!(reason(file.write(i64::MAX, b"x")), Reason::TooLarge);
    assert_eq!(reason(file.write(i64::MAX - 3, b"xxxx")), Reason::TooLarge);
    assert_eq!(file.size().unwrap(), 0);
}

#[test]
fn what_the_system_refuses() {
    let own = system_dir("/proc/self");
    assert_eq!(reason(own.set_mode(b"status", 0o400)), Reason::NoPermission);
    // The first page of a process is never mapped.
    assert_eq!(reason(own.open(b"mem").unwrap().read(0, 10)), Reason::Io);
}

#[test]
fn a_root_that_cannot_be_served() {
    let tree = Tree::new();
    tree.put("file", "");
    for name in ["file", "missing"] {
        let path = tree.path(name);
        let fault = carnet_files::serve(carnet_files::Options::new(&path)).unwrap_err();
        assert!(fault.to_string().contains(&format!("cannot serve {path:?}: ")), "{fault}");
    }
}
