//! The pager's side: of an application in this process, or of one that is not trusted in another.

use std::fmt;
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use carnet_memory::{Sealed, Segment};
use carnet_peer::credentials;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FallocateFlags, fallocate, readlinkat};
use rustix::io::{Errno, pread, read};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recv, recvmsg};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::look::Look;
use crate::{PAGE, PAGES_MAX, system};

/// How long [`Pager::map`] waits while an application changes its memory.
pub const CHANGING_MAX: Duration = Duration::from_millis(100);

/// Messages of an application that are read without a look at the time.
const MESSAGES: usize = 64;

/// What may be done to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It may be read.
    Read,
    /// It may be written, too.
    Write,
}

/// A page that a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its number.
    pub page: usize,
    /// What the thread wants.
    pub access: Access,
    /// The page is there, and may not be written.
    pub protected: bool,
}

/// Why what was offered is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not what an application hands over.
    Unfit(&'static str),
    /// The system's answer; [`Errno::TIMEDOUT`] if nothing came in time.
    System(Errno),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Unfit(what) => f.write_str(what),
            Refused::System(errno) => errno.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

impl From<Errno> for Refused {
    fn from(errno: Errno) -> Refused {
        Refused::System(errno)
    }
}

/// Provides the pages of one application. All of it may be done by several threads.
#[derive(Debug)]
pub struct Pager {
    faults: OwnedFd,
    file: OwnedFd,
    start: u64,
    pages: usize,
    /// The application, if it is another process.
    peer: Option<Peer>,
    look: Look,
}

/// A process that has offered its pages. Its end is seen at its socket, and at the process if a child of it has the socket, too.
#[derive(Debug)]
pub(crate) struct Peer {
    socket: UnixStream,
    process: OwnedFd,
}

impl Peer {
    /// Of whoever has connected. Where the system cannot say which process that was, its number says it, which may be another process's
    /// if it has ended meanwhile. Then one that has no number here, since it is outside of our container, is refused.
    fn of(socket: UnixStream) -> Result<Peer, Errno> {
        let process = match carnet_peer::process(socket.as_fd()) {
            Err(Errno::NOPROTOOPT) => {
                let number = credentials(socket.as_fd())?.process.ok_or(Errno::SRCH)?;
                pidfd_open(number, PidfdFlags::empty())
            }
            answer => answer,
        }?;
        Ok(Peer { socket, process })
    }

    fn ends(&self) -> [PollFd<'_>; 2] {
        [PollFd::new(&self.socket, PollFlags::RDHUP), PollFd::new(&self.process, PollFlags::IN)]
    }
}

impl Pager {
    pub(crate) fn new(faults: OwnedFd, file: OwnedFd, start: u64, pages: usize, peer: Option<Peer>) -> Pager {
        Pager { faults, file, start, pages, peer, look: Look::new() }
    }

    /// Takes what an application [offers](crate::Pages::offer), and the socket, within this time.
    ///
    /// # Errors
    /// [`Refused`]. Whatever came is closed by another thread: that can take as long as the other side likes.
    pub fn receive(socket: UnixStream, within: Duration) -> Result<Pager, Refused> {
        let peer = Peer::of(socket)?;
        wait(&mut [PollFd::new(&peer.socket, PollFlags::IN)], within)?
            .ok_or(Refused::System(Errno::TIMEDOUT))?;
        match look(&peer.socket) {
            Ok((place, [faults, file])) => Pager::of_offer(peer, place, faults, file),
            Err((refused, files)) => {
                // The socket holds them, too.
                std::thread::spawn(move || drop((peer, files)));
                Err(refused)
            }
        }
    }

    fn of_offer(
        peer: Peer,
        [start, pages]: [u64; 2],
        faults: OwnedFd,
        file: OwnedFd,
    ) -> Result<Pager, Refused> {
        let pages = usize::try_from(pages).unwrap_or(0);
        if pages == 0 || pages > PAGES_MAX || !start.is_multiple_of(PAGE as u64) {
            return Err(Refused::Unfit("no pages, too many of them, or pages at no place for pages"));
        }
        if start.checked_add((pages * PAGE) as u64).is_none() {
            return Err(Refused::Unfit("pages at no place for pages"));
        }
        let segment = Segment::accept(file, Sealed::Size, pages * PAGE);
        let segment =
            segment.map_err(|_| Refused::Unfit("memory that could be resized, or of another size"))?;
        let file = segment.into_file();
        Ok(Pager::new(faults, file, start, pages, Some(peer)))
    }

    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// The application, if it is another process: for whoever must end it, which may have ended.
    #[must_use]
    pub fn application(&self) -> Option<BorrowedFd<'_>> {
        Some(self.peer.as_ref()?.process.as_fd())
    }

    /// Number of the application's process, if it is another one and has a number here.
    #[must_use]
    pub fn process(&self) -> Option<Pid> {
        credentials(self.peer.as_ref()?.socket.as_fd()).ok()?.process
    }

    /// Whether the application has ended, as far as that can be seen.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.peer.as_ref().is_some_and(|peer| {
            poll(&mut peer.ends(), Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
        })
    }

    /// Whether a fault is waiting that nobody has read.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        let mut one = [PollFd::new(&self.faults, PollFlags::IN)];
        poll(&mut one, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// The next fault, or none within this time. Each is told once; while a page is missing, others who touch it are told of, too.
    ///
    /// # Errors
    /// [`Errno::SRCH`] if the application has ended; else the system's.
    pub fn fault(&self, within: Duration) -> Result<Option<Fault>, Errno> {
        let begun = Instant::now();
        let until = begun.checked_add(within);
        let mut look = None;
        loop {
            if let Some(fault) = self.told()? {
                if look.is_some_and(|look: Duration| !look.is_zero()) {
                    self.look.found();
                }
                return Ok(Some(fault));
            }
            let time = *look.get_or_insert_with(|| self.look.time().min(within));
            if begun.elapsed() < time {
                std::hint::spin_loop();
                continue;
            }
            if !time.is_zero() {
                self.look.in_vain();
                look = Some(Duration::ZERO);
            }
            let left = until.map_or(within, |until| until.saturating_duration_since(Instant::now()));
            let faults = PollFd::new(&self.faults, PollFlags::IN);
            let found = match self.peer.as_ref().map(Peer::ends) {
                Some([socket, process]) => wait(&mut [faults, socket, process], left),
                None => wait(&mut [faults], left),
            };
            match found? {
                // The application can have any number of other things told here.
                Some(0) if left.is_zero() => return Ok(None),
                Some(0) => {}
                Some(_) => return Err(Errno::SRCH),
                None => return Ok(None),
            }
        }
    }

    /// What the system tells now, if that is a fault in these pages, as far as a few messages go.
    fn told(&self) -> Result<Option<Fault>, Errno> {
        for _ in 0..MESSAGES {
            let mut message = [0; 32];
            match read(&self.faults, &mut message) {
                Ok(32) => {
                    if let Some(fault) = self.decoded(&message) {
                        return Ok(Some(fault));
                    }
                }
                Ok(_) => return Err(Errno::IO),
                Err(Errno::AGAIN | Errno::INTR) => return Ok(None),
                Err(errno) => return Err(errno),
            }
        }
        Ok(None)
    }

    /// A fault in these pages; the application may have others told of here, which are no business of ours.
    fn decoded(&self, message: &[u8; 32]) -> Option<Fault> {
        const PAGE_FAULT: u8 = 0x12;
        let word = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&message[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let (flags, address) = (word(8), word(16));
        let page = usize::try_from(address.checked_sub(self.start)? / PAGE as u64).ok()?;
        let access = if flags & 1 == 1 { Access::Write } else { Access::Read };
        (message[0] == PAGE_FAULT && page < self.pages).then_some(Fault {
            page,
            access,
            protected: flags & 2 == 2,
        })
    }

    fn address(&self, page: usize) -> Result<u64, Errno> {
        if page >= self.pages {
            return Err(Errno::RANGE);
        }
        Ok(self.start + (page * PAGE) as u64)
    }

    /// Maps a page with this content, and lets those go on who wait for it.
    ///
    /// # Errors
    /// [`Errno::EXIST`] if it is there, [`Errno::RANGE`] if there is no such page, [`Errno::SRCH`] if the application has ended,
    /// [`Errno::AGAIN`] if it changes its memory for longer than [`CHANGING_MAX`], else the system's.
    pub fn map(&self, page: usize, content: &[u8; PAGE], access: Access) -> Result<(), Errno> {
        let address = self.address(page)?;
        let mut until = None;
        loop {
            match system::copy(self.faults.as_fd(), address, content, access == Access::Read) {
                // The application's memory is being changed: by a thread of it, which is soon done, or which waits until somebody reads
                // of that here, if the application wants it so.
                Err(Errno::AGAIN) if !self.has_ended() => {
                    if Instant::now() >= *until.get_or_insert_with(|| Instant::now() + CHANGING_MAX) {
                        return Err(Errno::AGAIN);
                    }
                    std::thread::yield_now();
                }
                done => return done,
            }
        }
    }

    /// Lets a page be written, or not any more; those who wait to write it go on.
    ///
    /// # Errors
    /// As [`Pager::map`]; [`Errno::NOENT`] if it is not there.
    pub fn protect(&self, page: usize, access: Access) -> Result<(), Errno> {
        let address = self.address(page)?;
        system::protect(self.faults.as_fd(), address, access == Access::Read)
    }

    /// Takes a page away, and says what it held. Who touches it next waits for it.
    ///
    /// # Errors
    /// [`Errno::RANGE`] if there is no such page, else the system's.
    pub fn unmap(&self, page: usize) -> Result<Box<[u8; PAGE]>, Errno> {
        self.address(page)?;
        // Nobody writes between reading it and taking it away.
        match self.protect(page, Access::Read) {
            Ok(()) | Err(Errno::NOENT | Errno::SRCH) => {}
            Err(errno) => return Err(errno),
        }
        let (mut content, at) = (Box::new([0; PAGE]), (page * PAGE) as u64);
        let mut got = 0;
        while got < PAGE {
            match pread(&self.file, &mut content[got..], at + got as u64)? {
                0 => break,
                more => got += more,
            }
        }
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        fallocate(&self.file, flags, at, PAGE as u64)?;
        Ok(content)
    }
}

/// Which of these has something; none in time.
fn wait(fds: &mut [PollFd<'_>], within: Duration) -> Result<Option<usize>, Errno> {
    let until = Instant::now().checked_add(within);
    loop {
        let left = until.map_or(within, |until| until.saturating_duration_since(Instant::now()));
        let time = Timespec::try_from(left.min(Duration::from_secs(1 << 30))).unwrap_or_default();
        match poll(fds, Some(&time)) {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(fds.iter().position(|fd| !fd.revents().is_empty())),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

type Offer = ([u64; 2], [OwnedFd; 2]);

/// What lies in the socket, taken out if it is an offer. Else what came with it.
fn look(socket: &UnixStream) -> Result<Offer, (Refused, Vec<OwnedFd>)> {
    let mut place = [0; 17];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::PEEK | RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    let seen = recvmsg(socket, &mut [IoSliceMut::new(&mut place)], &mut control, flags);
    let rights = |message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    };
    let files: Vec<OwnedFd> = control.drain().filter_map(rights).flatten().collect();
    let seen = match seen {
        Ok(seen) => seen.bytes,
        Err(errno) => return Err((errno.into(), files)),
    };
    let files = match <[OwnedFd; 2]>::try_from(files) {
        Ok(files) => files,
        Err(files) => return Err((Refused::Unfit("something else than pages was handed over"), files)),
    };
    if seen != 16 || !is_userfaultfd(&files[0]) || rustix::fs::fcntl_get_seals(&files[1]).is_err() {
        return Err((Refused::Unfit("something else than pages was handed over"), files.into()));
    }
    // Without room for descriptors: the system drops its own references, and `files` has others.
    let taken = recv(socket, &mut place[..16], RecvFlags::DONTWAIT);
    if let Err(errno) = taken {
        return Err((errno.into(), files.into()));
    }
    let word = |at: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&place[at..at + 8]);
        u64::from_le_bytes(bytes)
    };
    Ok(([word(0), word(8)], files))
}

/// Requests of userfaultfd mean other things to other descriptors.
fn is_userfaultfd(file: &OwnedFd) -> bool {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    readlinkat(CWD, path, Vec::new()).is_ok_and(|target| target.as_bytes() == b"anon_inode:[userfaultfd]")
}
