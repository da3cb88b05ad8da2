//! The service over a Unix socket, and beside another service.

mod support;

use std::sync::{Arc, mpsc};

use carnet_files::files::{Dir, Reason};
use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Label, Origin};
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::local::LocalSession;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use support::{Tree, assert_raised, reason, walk};

fn listen(tree: &Tree) -> (Server, Address) {
    let address = Address::Unix(tree.outside("private").join("socket"));
    let object = Arc::clone(tree.object());
    let roots = move |_: &Caller| Ok(Capability::new(Arc::clone(&object)));
    (Server::listen(&address, ServerOptions::default(), roots).unwrap(), address)
}

fn connect(address: &Address) -> Dir {
    Dir::from_portal(RemoteSession::connect(address, ConnectOptions::default()).unwrap().root())
}

#[test]
fn over_a_socket() {
    let tree = Tree::new();
    let (_server, address) = listen(&tree);
    let dir = connect(&address);
    dir.make_dir(b"sub").unwrap();
    let sub = dir.at(b"/sub").unwrap();
    let content: Vec<u8> = (0..1_500_000_u32).map(|i| (i / 3) as u8).collect();
    let file = sub.create(b"a\xff").unwrap();
    assert_eq!(file.write(0, &content[..1 << 20]).unwrap(), 1 << 20);
    assert_eq!(file.append(&content[1 << 20..]).unwrap(), 1_500_000 - (1 << 20));
    let copy = dir.create(b"copy").unwrap();
    assert_eq!(copy.copy_from(&file, 0, 2 << 20).unwrap(), 1 << 20);
    assert_eq!(copy.copy_from(&file, 1 << 20, 1 << 20).unwrap(), 1_500_000 - (1 << 20));
    assert_eq!(tree.get("copy"), content);
    assert_eq!(file.read(1 << 20, 1 << 20).unwrap(), content[1 << 20..]);
    assert_eq!(walk(&dir, b"sub", |_| {}), [b"a\xff"]);
    for number in 0..2000 {
        tree.put(format!("n{number:04}"), "");
    }
    assert_eq!(walk(&dir, b".", |_| {}).len(), 2002);
    assert_raised(dir.open(b"../secret"), Reason::Outside, "\"../secret\" leaves the served directory");
    assert_eq!(reason(dir.narrow(b"sub", true).unwrap().create(b"x")), Reason::ReadOnly);
}

/// The handles of a client that goes away are given back: others can have them.
#[test]
fn a_client_that_is_gone_holds_nothing() {
    let tree = Tree::with(|options| options.handles_max = 4);
    tree.put("a", "a");
    let (_server, address) = listen(&tree);
    for _ in 0..20 {
        let dir = connect(&address);
        let files: Vec<_> = (0..2).map(|_| dir.open(b"a")).collect();
        // The server may still be busy with the end of the one before.
        drop(files);
    }
    let mut dir = connect(&address);
    let mut tries = 0;
    while dir.open(b"a").and_then(|_| dir.open(b"a")).is_err() {
        tries += 1;
        assert!(tries < 10_000, "handles were never given back");
        dir = connect(&address);
    }
}

/// Whatever number of sessions it has, and all clients here are one user's: if it stops, others of his can open files.
#[test]
fn one_process_leaves_some_handles_to_the_others_of_its_user() {
    let tree = Tree::with(|options| options.handles_max = 8);
    tree.put("a", "a");
    let address = Address::Unix(tree.outside("private").join("socket"));
    let (object, (told, callers)) = (Arc::clone(tree.object()), mpsc::channel());
    let roots = move |caller: &Caller| {
        told.send(caller.clone()).unwrap();
        Ok(Capability::new(Arc::clone(&object)))
    };
    let _server = Server::listen(&address, ServerOptions::default(), roots).unwrap();
    let sessions = [connect(&address), connect(&address), connect(&address)];
    let me = std::process::id().try_into().unwrap();
    let caller = callers.recv().unwrap();
    assert_eq!(caller.origin, Origin::Process(me));
    let held: Vec<_> = [0, 0, 0, 1].map(|at: usize| sessions[at].open(b"a").unwrap()).into();
    for session in &sessions {
        assert_raised(
            session.open(b"a"),
            Reason::Busy,
            "\"a\" cannot be opened now: this process holds 4 files and directories, as many as it may",
        );
    }
    assert_eq!(sessions[0].stat(b"a").unwrap().size, 1, "what opens nothing goes on");
    let other =
        tree.client_of_caller(Caller { origin: Origin::Process(me + 1), session: u64::MAX, ..caller });
    let theirs = [other.open(b"a").unwrap(), other.open(b"a").unwrap()];
    assert_raised(
        other.open(b"a"),
        Reason::Busy,
        "\"a\" cannot be opened now: your sessions hold 6 files and directories, as many as they may",
    );
    drop(theirs);
    drop(held);
    let tries = (0..10_000).position(|_| sessions[2].open(b"a").is_ok());
    assert!(tries.is_some(), "handles were never given back");
}

/// To this service a relay is one process, and its clients share what that may have as users and processes do elsewhere.
#[test]
fn one_client_of_a_relay_leaves_some_handles_to_the_others() {
    let tree = Tree::with(|options| options.handles_max = 16);
    tree.put("a", "a");
    let (_server, address) = listen(&tree);
    let relayed = |principal: u64, process: u64| {
        let session = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
        session.relays_for(Some(Label { principal, process })).unwrap();
        Dir::from_portal(session.root())
    };
    let full = |dir: &Dir, whose: &str| {
        assert_raised(
            dir.open(b"a"),
            Reason::Busy,
            &format!("\"a\" cannot be opened now: {whose}, as many as it may"),
        );
    };
    let mut held = Vec::new();
    let mut takes = |dir: &Dir, count: usize| held.extend((0..count).map(|_| dir.open(b"a").unwrap()));
    let hog = [relayed(1, 1), relayed(1, 1)];
    takes(&hog[0], 3);
    takes(&hog[1], 1);
    hog.iter().for_each(|dir| full(dir, "one client of this relay holds 4 files and directories"));
    let same = relayed(1, 2);
    takes(&same, 2);
    assert_raised(
        same.open(b"a"),
        Reason::Busy,
        "\"a\" cannot be opened now: your sessions behind this relay hold 6 files and directories, as many as they may",
    );
    let other = relayed(2, 1);
    takes(&other, 2);
    // Labels that nobody had before give nothing more.
    for dir in [&other, &relayed(3, 3)] {
        full(dir, "this relay holds 8 files and directories");
    }
    full(&connect(&address), "this process holds 8 files and directories");
    drop(held);
    let tries = (0..10_000).position(|_| (0..4).all(|_| hog[0].open(b"a").is_ok()));
    assert!(tries.is_some(), "handles were never given back");
}

#[test]
fn files_of_elsewhere_are_no_source() {
    let tree = Tree::new();
    tree.put("a", "a");
    let target = tree.client().edit(b"a").unwrap();
    let source = tree.client().open(b"a").unwrap();
    assert_eq!(target.copy_from(&source, 0, 1).unwrap_err().to_string(), "a portal of another session");
    let foreign = foreign::file_in_one_session_with(&tree);
    assert_raised(
        foreign.0.copy_from(&foreign.1, 0, 1),
        Reason::BadArgument,
        "\"a\" cannot be copied into from a file of another service",
    );
}

#[test]
fn what_was_made_ends_with_the_right_it_came_from() {
    let tree = Tree::new();
    tree.put("a", "a");
    let grant = Grant::new();
    let session = LocalSession::new(Capability::under(Arc::clone(tree.object()), &grant), Caller::local());
    let dir = Dir::from_portal(session.root());
    let (file, sub) = (dir.open(b"a").unwrap(), dir.at(b"/").unwrap());
    grant.revoke();
    assert!(file.read(0, 1).is_err() && sub.open(b"a").is_err() && dir.open(b"a").is_err());
}

/// A service with the same interface that is not ours.
mod foreign {
    use std::sync::Arc;

    use carnet_files::files::{Dir, DirService, EntryList, Error, File, FileService, Hasher, Info, Reason};
    use carnet_portal::call::Caller;
    use carnet_portal::capability::Capability;
    use carnet_portal::local::LocalSession;
    use carnet_portal::stub::{BytesOut, PortalIn, Served};

    use super::Tree;

    /// Gives out files of `tree` by `edit`, its own by `open`.
    struct Both(Arc<LocalSession>);
    struct Other;

    pub(super) fn file_in_one_session_with(tree: &Tree) -> (File, File) {
        let inner = LocalSession::new(Capability::new(Arc::clone(tree.object())), Caller::local());
        let both = Dir::serve(Both(inner)).into_object();
        let session = LocalSession::new(Capability::new(both), Caller::local());
        let dir = Dir::from_portal(session.root());
        (dir.edit(b"a").unwrap(), dir.open(b"a").unwrap())
    }

    fn no<T>() -> Result<T, Error> {
        Err(Error::new(Reason::Io, "not here"))
    }

    impl DirService for Both {
        fn open(&self, _: &Caller, _: &[u8]) -> Result<Served<File>, Error> {
            Ok(File::serve(Other))
        }
        fn edit(&self, _: &Caller, path: &[u8]) -> Result<Served<File>, Error> {
            let file = Dir::from_portal(self.0.root()).edit(path).unwrap();
            Ok(Served::new(Arc::clone(self.0.capability(file.portal().id()).unwrap().object())))
        }
        fn at(&self, _: &Caller, _: &[u8]) -> Result<Served<Dir>, Error> {
            no()
        }
        fn list(&self, _: &Caller, _: &[u8], _: &[u8], _: &mut EntryList<'_>) -> Result<bool, Error> {
            no()
        }
        fn create(&self, _: &Caller, _: &[u8]) -> Result<Served<File>, Error> {
            no()
        }
        fn replace(&self, _: &Caller, _: &[u8]) -> Result<Served<File>, Error> {
            no()
        }
        fn open_hash(&self, _: &Caller, _: &[u8]) -> Result<Served<Hasher>, Error> {
            no()
        }
        fn stat(&self, _: &Caller, _: &[u8]) -> Result<Info, Error> {
            no()
        }
        fn set_mode(&self, _: &Caller, _: &[u8], _: i32) -> Result<(), Error> {
            no()
        }
        fn set_modified(&self, _: &Caller, _: &[u8], _: i64) -> Result<(), Error> {
            no()
        }
        fn set_accessed(&self, _: &Caller, _: &[u8], _: i64) -> Result<(), Error> {
            no()
        }
        fn rename(&self, _: &Caller, _: &[u8], _: &[u8]) -> Result<(), Error> {
            no()
        }
        fn remove(&self, _: &Caller, _: &[u8]) -> Result<(), Error> {
            no()
        }
        fn remove_dir(&self, _: &Caller, _: &[u8]) -> Result<(), Error> {
            no()
        }
        fn make_dir(&self, _: &Caller, _: &[u8]) -> Result<(), Error> {
            no()
        }
        fn narrow(&self, _: &Caller, _: &[u8], _: bool) -> Result<Served<Dir>, Error> {
            no()
        }
    }

    impl FileService for Other {
        fn read(&self, _: &Caller, _: i64, _: i64, _: &mut BytesOut<'_>) -> Result<(), Error> {
            no()
        }
        fn write(&self, _: &Caller, _: i64, _: &[u8]) -> Result<i64, Error> {
            no()
        }
        fn next(&self, _: &Caller, _: i64, _: &mut BytesOut<'_>) -> Result<(), Error> {
            no()
        }
        fn append(&self, _: &Caller, _: &[u8]) -> Result<i64, Error> {
            no()
        }
        fn copy_from(&self, _: &Caller, _: PortalIn<'_, File>, _: i64, _: i64) -> Result<i64, Error> {
            no()
        }
        fn size(&self, _: &Caller) -> Result<i64, Error> {
            no()
        }
        fn truncate(&self, _: &Caller, _: i64) -> Result<(), Error> {
            no()
        }
        fn sync(&self, _: &Caller) -> Result<(), Error> {
            no()
        }
        fn stat(&self, _: &Caller) -> Result<Info, Error> {
            no()
        }
    }
}
