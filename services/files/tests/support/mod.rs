//! Trees on the real file system, served to generated clients.
#![allow(dead_code, unreachable_pub, reason = "each test uses another part of it")]

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use carnet_files::files::{Dir, Error, Reason};
use carnet_files::{Access, Options, serve};
use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::stub::CallError;

/// How long something may take that must not wait for anyone.
const PATIENCE: Duration = Duration::from_secs(20);

/// A served directory `served`, with `secret` and `private/` beside it, out of reach.
pub struct Tree {
    base: tempfile::TempDir,
    object: Arc<dyn Object>,
}

impl Tree {
    pub fn new() -> Tree {
        Tree::with(|options| options.access = Access::ReadWrite)
    }

    pub fn with(change: impl FnOnce(&mut Options)) -> Tree {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().join("served");
        fs::create_dir(&root).unwrap();
        fs::create_dir(base.path().join("private")).unwrap();
        fs::write(base.path().join("secret"), "secret").unwrap();
        fs::write(base.path().join("private/secret"), "secret").unwrap();
        let mut options = Options::new(root);
        change(&mut options);
        Tree { base, object: serve(options).unwrap().into_object() }
    }

    /// A client in a session of its own.
    pub fn client(&self) -> Dir {
        self.client_of(0)
    }

    pub fn client_of(&self, session: u64) -> Dir {
        self.client_as("local", session)
    }

    pub fn client_as(&self, principal: &str, session: u64) -> Dir {
        self.client_of_caller(Caller::of(principal, session))
    }

    pub fn client_of_caller(&self, caller: Caller) -> Dir {
        let session = LocalSession::new(Capability::new(Arc::clone(&self.object)), caller);
        Dir::from_portal(session.root())
    }

    pub fn object(&self) -> &Arc<dyn Object> {
        &self.object
    }

    /// The path of `name` in the served directory.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.base.path().join("served").join(name)
    }

    /// The path of `name` beside the served directory.
    pub fn outside(&self, name: &str) -> PathBuf {
        self.base.path().join(name)
    }

    pub fn put(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn get(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn link(&self, to: impl AsRef<Path>, name: impl AsRef<Path>) {
        std::os::unix::fs::symlink(to, self.path(name)).unwrap();
    }

    /// Names in the served directory, as the system has them.
    pub fn names(&self) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(self.path("")).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().as_bytes().to_vec()).collect();
        names.sort();
        names
    }

    /// What lies beside the served directory is as it was.
    pub fn assert_outside_untouched(&self) {
        assert_eq!(fs::read(self.outside("secret")).unwrap(), b"secret");
        assert_eq!(fs::read(self.outside("private/secret")).unwrap(), b"secret");
        assert_eq!(fs::read_dir(self.outside("private")).unwrap().count(), 1);
        assert_eq!(fs::read_dir(self.base.path()).unwrap().count(), 3);
    }
}

/// A client on a directory of the system itself.
pub fn system_dir(root: &str) -> Dir {
    let options = Options { access: Access::ReadWrite, ..Options::new(root) };
    let object = serve(options).unwrap().into_object();
    Dir::from_portal(LocalSession::new(Capability::new(object), Caller::local()).root())
}

/// The exception that was raised.
#[track_caller]
pub fn raised<T>(outcome: Result<T, CallError<Error>>) -> Error {
    match outcome {
        Err(CallError::Raised(error)) => error,
        Err(CallError::Failed(failure)) => panic!("failed: {failure:?}"),
        Ok(_) => panic!("an exception was expected"),
    }
}

/// The reason of the exception that was raised.
#[track_caller]
pub fn reason<T>(outcome: Result<T, CallError<Error>>) -> Reason {
    raised(outcome).kind
}

/// Asserts reason and whole message.
#[track_caller]
pub fn assert_raised<T>(outcome: Result<T, CallError<Error>>, kind: Reason, message: &str) {
    let error = raised(outcome);
    assert_eq!((error.kind, error.message.as_str()), (kind, message));
}

/// Runs `work` on a thread of its own; fails if it hangs.
#[track_caller]
pub fn in_time<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wait) = mpsc::channel();
    let thread = std::thread::spawn(move || done.send(work()));
    let result = wait.recv_timeout(PATIENCE);
    match result {
        Ok(value) => {
            let _ = thread.join();
            value
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => panic!("{what} panicked"),
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("{what} hangs"),
    }
}

/// All names of a directory, page by page; `between` is called after each page that is not the last.
pub fn walk(dir: &Dir, path: &[u8], mut between: impl FnMut(&[Vec<u8>])) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    loop {
        let after = names.last().cloned().unwrap_or_default();
        let (page, last) = dir.list(path, &after).unwrap();
        let page: Vec<_> = page.into_iter().map(|entry| entry.name).collect();
        names.extend(page.iter().cloned());
        if last {
            return names;
        }
        assert!(!page.is_empty(), "an empty page that is not the last");
        between(&page);
    }
}

/// Leaves a test whose subject is missing: a failure, so that it is seen, unless whoever runs the tests said that they
/// may skip.
///
/// # Panics
/// Unless `CARNET_TESTS_MAY_SKIP` is set.
pub fn skip(reason: &str) {
    assert!(
        std::env::var_os("CARNET_TESTS_MAY_SKIP").is_some(),
        "what this test needs is missing (CARNET_TESTS_MAY_SKIP=1 skips it): {reason}"
    );
}
