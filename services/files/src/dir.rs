//! Directories.

use std::io;
use std::sync::Arc;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use carnet_portal::stub::{Caller, Served};
use rustix::fs::{
    AtFlags, CWD, Mode, OFlags, RenameFlags, Timespec, Timestamps, UTIME_OMIT, chmodat, fchmod, ftruncate,
    linkat, mkdirat, openat, renameat_with, unlinkat, utimensat,
};
use rustix::io::Errno;

use crate::confine::{MODE_BITS, Place, checked, info_of_open};
use crate::fault;
use crate::file::OpenFile;
use crate::files::{self, DirService, EntryList, Error, Info, Kind, Reason};
use crate::hasher::FileHasher;
use crate::instance::{Instance, Permit, lock};
use crate::{Access, listing};

/// A directory that a portal stands on.
pub(crate) struct Directory {
    pub(crate) dir: Arc<Dir>,
    pub(crate) access: Access,
    /// Tells its listings from those of other portals.
    owner: u64,
    pub(crate) instance: Arc<Instance>,
    /// None for the root, which the service holds anyway. After `dir`: see [`Permit`].
    _permit: Option<Permit>,
}

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Read,
    Edit,
    Create,
    Replace,
}

impl Drop for Directory {
    fn drop(&mut self) {
        lock(&self.instance.walks).forget(self.owner);
    }
}

impl Directory {
    pub(crate) fn root(dir: Dir, access: Access, instance: Arc<Instance>) -> Directory {
        Directory { dir: Arc::new(dir), access, owner: instance.owner(), instance, _permit: None }
    }

    /// A portal on `dir`, which was named `path`.
    pub(crate) fn portal(
        &self,
        caller: &Caller,
        dir: impl FnOnce() -> Result<Arc<Dir>, Error>,
        access: Access,
        path: &[u8],
    ) -> Result<Served<files::Dir>, Error> {
        let permit = self.instance.permit(caller, path)?;
        Ok(files::Dir::serve(Directory {
            dir: dir()?,
            access,
            owner: self.instance.owner(),
            instance: Arc::clone(&self.instance),
            _permit: Some(permit),
        }))
    }

    pub(crate) fn below(&self, path: &[u8], shown: &[u8]) -> Result<Arc<Dir>, Error> {
        let whole = checked(path)?;
        let dir = self.dir.open_dir(whole).map_err(|fault| fault::system(shown, &fault))?;
        Ok(Arc::new(dir))
    }

    fn writable(&self, path: &[u8]) -> Result<(), Error> {
        match self.access {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => Err(fault::read_only(path)),
        }
    }

    fn set_times(&self, path: &[u8], times: Timestamps) -> Result<(), Error> {
        self.writable(path)?;
        let place = self.find(path)?;
        changeable(place.info()?.kind, path)?;
        utimensat(place.parent(), place.name(), &times, AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|errno| fault::errno(path, errno))
    }

    fn find<'a>(&'a self, path: &'a [u8]) -> Result<Place<'a>, Error> {
        Place::find(&self.dir, path)
    }

    fn find_entry<'a>(&'a self, path: &'a [u8]) -> Result<Place<'a>, Error> {
        Place::find_entry(&self.dir, path)
    }

    /// Opens a regular file and nothing else. What it is, is asked before, because opening a device can have
    /// effects, and after, because it may have been exchanged in between.
    pub(crate) fn open_regular(&self, path: &[u8], how: How) -> Result<std::fs::File, Error> {
        let whole = checked(path)?;
        if how != How::Create {
            match self.dir.metadata(whole) {
                Ok(found) if found.is_dir() => return Err(fault::errno(path, Errno::ISDIR)),
                Ok(found) if !found.is_file() => return Err(fault::not_regular(path)),
                Ok(_) => {}
                Err(fault) if how == How::Replace && fault.kind() == io::ErrorKind::NotFound => {}
                Err(fault) => return Err(fault::system(path, &fault)),
            }
        }
        let file = self.dir.open_with(whole, &flags_for(how)).map_err(|fault| match how {
            How::Read | How::Edit => fault::system(path, &fault),
            How::Create | How::Replace => fault::making(path, &fault),
        })?;
        let info = info_of_open(&file, path)?;
        match info.kind {
            Kind::File => {}
            Kind::Dir => return Err(fault::errno(path, Errno::ISDIR)),
            Kind::Symlink | Kind::Other => return Err(fault::not_regular(path)),
        }
        // Only now: what was exchanged for a device must not be emptied.
        if how == How::Replace && info.size > 0 {
            ftruncate(&file, 0).map_err(|errno| fault::errno(path, errno))?;
        }
        Ok(file.into_std())
    }

    fn open_file(&self, caller: &Caller, path: &[u8], how: How) -> Result<Served<files::File>, Error> {
        let access = if how == How::Read { Access::ReadOnly } else { Access::ReadWrite };
        if access == Access::ReadWrite {
            self.writable(path)?;
        }
        let permit = self.instance.permit(caller, path)?;
        let file = self.open_regular(path, how)?;
        Ok(files::File::serve(OpenFile::new(file, path, access, Arc::clone(&self.instance), permit)))
    }
}

fn flags_for(how: How) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(how != How::Read).create_new(how == How::Create).create(how == How::Replace);
    // Neither waits for the other end of a pipe nor takes a terminal, should one be put there meanwhile.
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    options
}

impl DirService for Directory {
    fn at(&self, caller: &Caller, text: &[u8]) -> Result<Served<files::Dir>, Error> {
        let (path, wanted) = split_argument(text);
        if path.first() != Some(&b'/') {
            let hint = "does not begin with \"/\", which here is the served directory";
            return Err(fault::error(Reason::BadName, text, hint));
        }
        let access = match (wanted, self.access) {
            (Some(Access::ReadWrite), Access::ReadOnly) => {
                let text_after = "asks for writing, but this directory is served for reading only";
                return Err(fault::error(Reason::ReadOnly, text, text_after));
            }
            (wanted, own) => wanted.unwrap_or(own),
        };
        let path = &path[path.iter().take_while(|b| **b == b'/').count()..];
        let dir = || if path.is_empty() { Ok(Arc::clone(&self.dir)) } else { self.below(path, text) };
        self.portal(caller, dir, access, text)
    }

    fn narrow(&self, caller: &Caller, path: &[u8], read_only: bool) -> Result<Served<files::Dir>, Error> {
        let access = if read_only { Access::ReadOnly } else { self.access };
        self.portal(caller, || self.below(path, path), access, path)
    }

    fn list(
        &self,
        caller: &Caller,
        path: &[u8],
        after: &[u8],
        result: &mut EntryList<'_>,
    ) -> Result<bool, Error> {
        let place = self.find(path)?;
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let dir = openat(place.parent(), place.name(), flags | OFlags::RDONLY, Mode::empty())
            .map_err(|errno| not_listed(&place, errno))?;
        let walker = listing::Walker { owner: self.owner, session: caller.session };
        listing::page(&self.instance.walks, walker, dir, path, after, result)
    }

    fn open(&self, caller: &Caller, path: &[u8]) -> Result<Served<files::File>, Error> {
        self.open_file(caller, path, How::Read)
    }

    fn edit(&self, caller: &Caller, path: &[u8]) -> Result<Served<files::File>, Error> {
        self.open_file(caller, path, How::Edit)
    }

    fn create(&self, caller: &Caller, path: &[u8]) -> Result<Served<files::File>, Error> {
        self.open_file(caller, path, How::Create)
    }

    fn replace(&self, caller: &Caller, path: &[u8]) -> Result<Served<files::File>, Error> {
        self.open_file(caller, path, How::Replace)
    }

    fn open_hash(&self, caller: &Caller, path: &[u8]) -> Result<Served<files::Hasher>, Error> {
        let permit = self.instance.permit(caller, path)?;
        let file = self.open_regular(path, How::Read)?;
        Ok(files::Hasher::serve(FileHasher::new(file, path, permit)))
    }

    fn stat(&self, _: &Caller, path: &[u8]) -> Result<Info, Error> {
        self.find(path)?.info()
    }

    fn set_mode(&self, _: &Caller, path: &[u8], mode: i32) -> Result<(), Error> {
        self.writable(path)?;
        let bits = u32::try_from(mode).ok().filter(|bits| bits & !MODE_BITS == 0).ok_or_else(|| {
            let text = format!("cannot have the mode {mode:#o}: from 0 to 0o777 is allowed");
            fault::error(Reason::BadArgument, path, text)
        })?;
        let place = self.find(path)?;
        changeable(place.info()?.kind, path)?;
        change_mode(&place, Mode::from_raw_mode(bits))
    }

    fn set_modified(&self, _: &Caller, path: &[u8], modified: i64) -> Result<(), Error> {
        self.set_times(path, Timestamps { last_access: AS_IT_IS, last_modification: time(modified) })
    }

    fn set_accessed(&self, _: &Caller, path: &[u8], accessed: i64) -> Result<(), Error> {
        self.set_times(path, Timestamps { last_access: time(accessed), last_modification: AS_IT_IS })
    }

    fn rename(&self, _: &Caller, path: &[u8], to: &[u8]) -> Result<(), Error> {
        self.writable(path)?;
        let (from, to) = (self.find_entry(path)?, self.find_entry(to)?);
        let info = from.info()?;
        if to.names_directory() && info.kind != Kind::Dir {
            let text = "ends in \"/\", but what is renamed to it is not a directory";
            return Err(fault::error(Reason::NotADirectory, to.path(), text));
        }
        rename_entry(&from, &to, info.kind)
    }

    fn remove(&self, _: &Caller, path: &[u8]) -> Result<(), Error> {
        self.writable(path)?;
        let place = self.find_entry(path)?;
        match place.info()?.kind {
            Kind::File | Kind::Symlink => {}
            Kind::Dir => {
                let text = "is a directory; `remove_dir` removes empty ones";
                return Err(fault::error(Reason::IsADirectory, path, text));
            }
            Kind::Other => return Err(fault::not_regular(path)),
        }
        unlinkat(place.parent(), place.name(), AtFlags::empty()).map_err(|errno| fault::errno(path, errno))
    }

    fn remove_dir(&self, _: &Caller, path: &[u8]) -> Result<(), Error> {
        self.writable(path)?;
        let place = self.find_entry(path)?;
        unlinkat(place.parent(), place.name(), AtFlags::REMOVEDIR).map_err(|errno| match errno {
            // Some file systems say so of a directory that is not empty.
            Errno::EXIST => fault::errno(path, Errno::NOTEMPTY),
            Errno::NOTDIR => fault::error(Reason::NotADirectory, path, "is not a directory"),
            errno => fault::errno(path, errno),
        })
    }

    fn make_dir(&self, _: &Caller, path: &[u8]) -> Result<(), Error> {
        self.writable(path)?;
        let place = self.find_entry(path)?;
        mkdirat(place.parent(), place.name(), Mode::from_raw_mode(0o777))
            .map_err(|errno| fault::making(path, &io::Error::from(errno)))
    }
}

/// `/docs:ro` is a path and what is wanted. A directory whose name ends so is named with one more suffix.
fn split_argument(text: &[u8]) -> (&[u8], Option<Access>) {
    if let Some(path) = text.strip_suffix(b":ro") {
        (path, Some(Access::ReadOnly))
    } else if let Some(path) = text.strip_suffix(b":rw") {
        (path, Some(Access::ReadWrite))
    } else {
        (text, None)
    }
}

/// A symbolic link as the last part is refused by the system with the error of a file.
#[cold]
fn not_listed(place: &Place<'_>, errno: Errno) -> Error {
    match place.info() {
        Ok(info) if info.kind == Kind::Symlink => {
            let text = "is a symbolic link, which listing does not follow";
            fault::error(Reason::NotADirectory, place.path(), text)
        }
        Ok(info) if info.kind != Kind::Dir => {
            fault::error(Reason::NotADirectory, place.path(), "is not a directory")
        }
        _ => fault::errno(place.path(), errno),
    }
}

/// Mode and time are changed of files and directories alone.
/// A time that is not set.
const AS_IT_IS: Timespec = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };

/// A time in ns since 1970.
fn time(ns: i64) -> Timespec {
    const SECOND: i64 = 1_000_000_000;
    Timespec { tv_sec: ns.div_euclid(SECOND), tv_nsec: ns.rem_euclid(SECOND) }
}

fn changeable(kind: Kind, path: &[u8]) -> Result<(), Error> {
    match kind {
        Kind::File | Kind::Dir => Ok(()),
        Kind::Symlink => {
            let text = "is a symbolic link, whose mode and time cannot be changed";
            Err(fault::error(Reason::NotRegular, path, text))
        }
        Kind::Other => Err(fault::not_regular(path)),
    }
}

/// The system has no call that changes the mode of an entry without following it, so the entry is pinned first. A
/// pinned entry can be changed only by way of `/proc`; where there is none, it must be opened, which takes
/// permission to read it.
fn change_mode(place: &Place<'_>, mode: Mode) -> Result<(), Error> {
    let open = |flags| {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(place.parent(), place.name(), flags, Mode::empty())
            .map_err(|errno| fault::errno(place.path(), errno))
    };
    let pinned = open(OFlags::PATH)?;
    changeable(info_of_open(&pinned, place.path())?.kind, place.path())?;
    let way = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&pinned));
    match chmodat(CWD, way, mode, AtFlags::empty()) {
        Err(Errno::NOENT | Errno::NOTDIR) => {
            let opened = open(OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
            fchmod(&opened, mode)
        }
        outcome => outcome,
    }
    .map_err(|errno| fault::errno(place.path(), errno))
}

/// Renames without ever replacing what is there.
fn rename_entry(from: &Place<'_>, to: &Place<'_>, kind: Kind) -> Result<(), Error> {
    let (dirs, names) = ((from.parent(), to.parent()), (from.name(), to.name()));
    match renameat_with(dirs.0, names.0, dirs.1, names.1, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::INVAL | Errno::NOSYS) if kind != Kind::Dir => rename_by_link(from, to),
        Err(Errno::INVAL | Errno::NOSYS) => {
            let text = "cannot become a directory within itself, or its file system cannot rename a \
                        directory without the danger of replacing another";
            Err(fault::error(Reason::BadArgument, from.path(), text))
        }
        Err(errno) => Err(not_renamed(from, to, errno)),
    }
}

/// For file systems that lack the flag: a second name fails where there is one, then the first name goes.
fn rename_by_link(from: &Place<'_>, to: &Place<'_>) -> Result<(), Error> {
    linkat(from.parent(), from.name(), to.parent(), to.name(), AtFlags::empty())
        .map_err(|errno| not_renamed(from, to, errno))?;
    unlinkat(from.parent(), from.name(), AtFlags::empty()).map_err(|errno| fault::errno(from.path(), errno))
}

#[cold]
fn not_renamed(from: &Place<'_>, to: &Place<'_>, errno: Errno) -> Error {
    match errno {
        Errno::EXIST | Errno::NOTEMPTY => fault::errno(to.path(), Errno::EXIST),
        Errno::XDEV => {
            let text = "cannot be renamed so: the new name lies on another file system";
            fault::error(Reason::Io, from.path(), text)
        }
        errno => fault::errno(from.path(), errno),
    }
}

#[cfg(test)]
mod tests {
    use carnet_portal::capability::Capability;
    use carnet_portal::local::LocalSession;

    use super::*;

    #[test]
    fn renaming_by_link_never_replaces() {
        let tree = tempfile::tempdir().unwrap();
        std::fs::write(tree.path().join("a"), "a").unwrap();
        std::fs::write(tree.path().join("b"), "b").unwrap();
        let dir = Dir::open_ambient_dir(tree.path(), cap_std::ambient_authority()).unwrap();
        let place = |path: &'static [u8]| Place::find_entry(&dir, path).unwrap();
        let refused = rename_by_link(&place(b"a"), &place(b"b")).unwrap_err();
        assert_eq!(refused, Error::new(Reason::Exists, "\"b\" exists already"));
        assert_eq!(std::fs::read(tree.path().join("b")).unwrap(), b"b");
        rename_by_link(&place(b"a"), &place(b"c")).unwrap();
        assert_eq!(std::fs::read(tree.path().join("c")).unwrap(), b"a");
        assert!(!tree.path().join("a").exists());
    }

    #[test]
    fn a_walk_keeps_its_window_and_leaves_none() {
        let tree = tempfile::tempdir().unwrap();
        for number in 0..2000 {
            std::fs::write(tree.path().join(format!("{number:04}")), "").unwrap();
        }
        let dir = Dir::open_ambient_dir(tree.path(), cap_std::ambient_authority()).unwrap();
        let instance = Instance::new(None, 9, 1);
        let served = files::Dir::serve(Directory::root(dir, Access::ReadOnly, Arc::clone(&instance)));
        let session = LocalSession::new(Capability::new(served.into_object()), Caller::local());
        let client = files::Dir::from_portal(session.root());
        let kept = || lock(&instance.walks).names();
        client.list(b".", b"").unwrap();
        assert_eq!(kept(), 2000 - 1024);
        client.list(b".", b"1023").unwrap();
        assert_eq!(kept(), 0, "the walk ended");
        client.list(b".", b"").unwrap();
        drop((client, session));
        assert_eq!(kept(), 0, "the portal is gone");
    }

    #[test]
    fn arguments_are_a_path_and_what_is_wanted() {
        assert_eq!(split_argument(b"/docs"), (&b"/docs"[..], None));
        assert_eq!(split_argument(b"/docs:ro"), (&b"/docs"[..], Some(Access::ReadOnly)));
        assert_eq!(split_argument(b"/:rw"), (&b"/"[..], Some(Access::ReadWrite)));
        assert_eq!(split_argument(b"/odd:ro:rw"), (&b"/odd:ro"[..], Some(Access::ReadWrite)));
    }
}
