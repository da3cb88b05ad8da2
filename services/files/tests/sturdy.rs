//! Directories, files and hashers that the next service over the same directory finds again.

use std::fs;
use std::sync::Arc;

use carnet_files::files::{Dir, File, Hasher};
use carnet_files::{Access, Options, SturdyFiles, serve};
use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::sturdy::Sturdy as _;

/// A served directory, and the session that its portals are of.
struct Served {
    folder: tempfile::TempDir,
    root: Arc<dyn Object>,
    session: Arc<LocalSession>,
}

fn session(root: &Arc<dyn Object>) -> Arc<LocalSession> {
    LocalSession::new(Capability::new(Arc::clone(root)), Caller::local())
}

/// By what it is, not by its path.
#[test]
fn a_root_is_known_again_and_told_from_others() {
    let (one, other) = (Served::new(), Served::new());
    let identity = |root: &Arc<dyn Object>| SturdyFiles.identity(&**root).expect("it has one");
    let first = identity(&one.root);
    assert_eq!(identity(&opened(&one.folder, Access::ReadOnly)), first);
    assert_ne!(identity(&other.root), first);
    let moved = other.folder.path().join("moved");
    fs::rename(one.folder.path(), &moved).expect("they are on one disk");
    let root = serve(Options::new(&moved)).expect("it is there").into_object();
    assert_eq!(identity(&root), first);
    fs::create_dir(one.folder.path()).expect("its name is free");
    assert_ne!(identity(&opened(&one.folder, Access::ReadOnly)), first, "another one in its place");
    let below = one.dir().at(b"/a").expect("it is there");
    let below = one.session.capability(below.portal().id()).expect("it is of this session");
    assert_ne!(identity(below.object()), first);
}

impl Served {
    fn new() -> Served {
        let folder = tempfile::tempdir().expect("there is room");
        fs::create_dir_all(folder.path().join("a/b")).expect("new directories");
        fs::write(folder.path().join("a/f"), "0123456789").expect("a new file");
        let root = opened(&folder, Access::ReadWrite);
        Served { session: session(&root), folder, root }
    }

    fn dir(&self) -> Dir {
        Dir::from_portal(self.session.root())
    }

    fn name(&self, portal: &Portal) -> Result<Vec<u8>, String> {
        let capability = self.session.capability(portal.id()).expect("it is of this session");
        SturdyFiles.name(&*self.root, &**capability.object())
    }

    /// What another service finds, which is asked as this one was.
    fn found(&self, name: &[u8], access: Access) -> Result<Portal, String> {
        let root = opened(&self.folder, access);
        let found = SturdyFiles.find(&*root, name, &Caller::local())?;
        Ok(session(&found).root())
    }

    fn again(&self, portal: &Portal) -> Result<Portal, String> {
        self.found(&self.name(portal)?, Access::ReadWrite)
    }
}

fn opened(folder: &tempfile::TempDir, access: Access) -> Arc<dyn Object> {
    serve(Options { access, ..Options::new(folder.path()) }).expect("it is there").into_object()
}

#[test]
fn they_are_what_they_were() {
    let served = Served::new();
    let dir = served.dir();
    // The root itself, a directory, and one that may only be read.
    let below = dir.narrow(b"a", false).expect("it is there");
    let again = Dir::from_portal(served.again(below.portal()).expect("it is found"));
    assert_eq!(again.open(b"f").and_then(|file| file.read(0, 3)).expect("it reads"), b"012");
    again.create(b"new").expect("it may write");
    let read_only = dir.narrow(b"a/b", true).expect("it is there");
    let again = Dir::from_portal(served.again(read_only.portal()).expect("it is found"));
    assert!(again.create(b"new").is_err());
    let root = dir.narrow(b".", false).expect("it is there");
    let again = Dir::from_portal(served.again(root.portal()).expect("it is found"));
    assert!(again.stat(b"a/f").is_ok());
    // Files go on where they were.
    let file = dir.open(b"a/f").expect("it is there");
    assert_eq!(file.next(4).expect("it reads"), b"0123");
    let again = File::from_portal(served.again(file.portal()).expect("it is found"));
    assert_eq!(again.next(4).expect("it reads"), b"4567");
    assert!(again.write(0, b"x").is_err(), "it was opened for reading");
    let file = dir.edit(b"a/f").expect("it is there");
    let again = File::from_portal(served.again(file.portal()).expect("it is found"));
    assert_eq!(again.write(0, b"x").expect("it writes"), 1);
    // So does what hashes.
    let hasher = dir.open_hash(b"a/f").expect("it is there");
    assert_eq!(hasher.step(4).expect("it reads"), 4);
    let again = Hasher::from_portal(served.again(hasher.portal()).expect("it is found"));
    assert_eq!((again.step(100), hasher.step(100)), (Ok(6), Ok(6)));
    assert_eq!(again.value(), hasher.value());
}

#[test]
fn what_was_moved_is_found_where_it_is() {
    let served = Served::new();
    let file = served.dir().open(b"a/f").expect("it is there");
    fs::rename(served.folder.path().join("a/f"), served.folder.path().join("a/b/g")).expect("it is moved");
    let again = File::from_portal(served.again(file.portal()).expect("it is found"));
    assert_eq!(again.read(0, 3).expect("it reads"), b"012");
}

#[test]
fn what_is_another_one_now_is_not_taken_for_it() {
    let served = Served::new();
    let (file, hasher) = (served.dir().open(b"a/f"), served.dir().open_hash(b"a/f"));
    let (file, hasher) = (file.expect("it is there"), hasher.expect("it is there"));
    hasher.step(4).expect("it reads");
    let dir = served.dir().narrow(b"a/b", false).expect("it is there");
    let names =
        [file.portal(), hasher.portal(), dir.portal()].map(|portal| served.name(portal).expect("named"));
    let found = |name: &[u8]| served.found(name, Access::ReadWrite).map(drop);
    let path = served.folder.path().join("a/f");
    // Changed where it was hashed; as a file it is the same.
    fs::write(&path, "0x23456789").expect("it is there");
    assert_eq!(found(&names[0]), Ok(()));
    assert_eq!(found(&names[1]), Err("\"a/f\" was changed where it was hashed already".to_owned()));
    fs::write(&path, "01").expect("it is there");
    assert_eq!(found(&names[1]), Err("\"a/f\" was changed where it was hashed already".to_owned()));
    // Another one under its name.
    fs::write(served.folder.path().join("a/other"), "0123456789").expect("a new file");
    fs::rename(served.folder.path().join("a/other"), &path).expect("it is moved");
    assert_eq!(found(&names[0]), Err("\"a/f\" is another one now".to_owned()));
    fs::remove_file(&path).expect("it is there");
    assert!(found(&names[0]).is_err_and(|why| why.contains("does not exist")));
    // Something of another kind.
    fs::create_dir(&path).expect("a new directory");
    assert!(found(&names[0]).is_err());
    fs::rename(served.folder.path().join("a/b"), served.folder.path().join("a/c")).expect("it is moved");
    fs::create_dir(served.folder.path().join("a/b")).expect("a new directory");
    assert_eq!(found(&names[2]), Err("\"a/b\" is another one now".to_owned()));
    // What is gone has no name.
    assert_eq!(served.name(file.portal()), Err("is no longer where it was".to_owned()));
}

/// A link that was put in the way leads nowhere else.
#[test]
fn names_lead_nowhere_else() {
    let served = Served::new();
    let outside = tempfile::tempdir().expect("there is room");
    fs::write(outside.path().join("f"), "secret").expect("a new file");
    let file = served.dir().open(b"a/f").expect("it is there");
    let name = served.name(file.portal()).expect("it is named");
    fs::rename(served.folder.path().join("a"), served.folder.path().join("old")).expect("it is moved");
    std::os::unix::fs::symlink(outside.path(), served.folder.path().join("a")).expect("a new link");
    assert!(served.found(&name, Access::ReadWrite).is_err());
    // What left the directory cannot be named.
    fs::rename(served.folder.path().join("old"), outside.path().join("a")).expect("it is moved");
    assert_eq!(served.name(file.portal()), Err("is no longer below the served directory".to_owned()));
    // Names that nobody gave.
    for name in [&b""[..], b"\x00", b"\x09\x00", &[0; 26], &[1; 26], &[2; 40], &[0xff; 64]] {
        assert!(served.found(name, Access::ReadWrite).is_err(), "{name:?}");
    }
    let up = [&[0, 1][..], &[0; 24], b"../.."].concat();
    assert!(
        served.found(&up, Access::ReadWrite).is_err_and(|why| why.contains("leaves the served directory"))
    );
}

#[test]
fn rights_are_those_of_the_root_that_finds() {
    let served = Served::new();
    let file = served.dir().edit(b"a/f").expect("it is there");
    let name = served.name(file.portal()).expect("it is named");
    let why = "\"a/f\" could be written, and is now served for reading only";
    assert_eq!(served.found(&name, Access::ReadOnly).map(drop), Err(why.to_owned()));
}

#[test]
fn what_hashes_has_a_name_up_to_64_kib() {
    let served = Served::new();
    let large = fs::File::create(served.folder.path().join("large")).expect("a new file");
    large.set_len(1 << 20).expect("there is room");
    let hasher = served.dir().open_hash(b"large").expect("it is there");
    assert_eq!(hasher.step(64 << 10), Ok(64 << 10));
    let again = Hasher::from_portal(served.again(hasher.portal()).expect("it is found"));
    assert_eq!(again.value(), hasher.value());
    assert_eq!(hasher.step(1), Ok(1));
    assert_eq!(served.name(hasher.portal()), Err("has taken in 65537 bytes, more than 65536".to_owned()));
}
