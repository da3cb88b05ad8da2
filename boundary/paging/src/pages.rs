//! The application's side.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::AtomicU64;

use carnet_memory::{Mapping, Segment};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use crate::pager::Pager;
use crate::{PAGE, PAGES_MAX, system};

/// Memory whose pages a [`Pager`] provides. A thread that touches one that is not there waits for it.
#[derive(Debug)]
pub struct Pages {
    mapping: Mapping,
    segment: Segment,
    faults: OwnedFd,
}

impl Pages {
    /// So many pages, none of which is there.
    ///
    /// # Errors
    /// The system's: [`Errno::PERM`] or [`Errno::NOSYS`] if it has no userfaultfd for users; [`Errno::INVAL`] for no pages or more
    /// than [`PAGES_MAX`].
    pub fn new(pages: usize) -> Result<Pages, Errno> {
        Pages::with(pages, system::FEATURES)
    }

    /// For tests of pagers: pages of an application that has it told of, too, when it takes [some](Pages::take_out) out of its page
    /// table, and waits until that was read.
    ///
    /// # Errors
    /// As [`Pages::new`].
    #[doc(hidden)]
    pub fn hostile(pages: usize) -> Result<Pages, Errno> {
        Pages::with(pages, system::FEATURES | system::FEATURE_EVENT_REMOVE)
    }

    /// For tests of pagers: takes a page out of the page table.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Panics
    /// If there is no such page.
    #[doc(hidden)]
    pub fn take_out(&self, page: usize) -> Result<(), Errno> {
        assert!(page < self.count());
        system::remove(self.mapping.address() + (page * PAGE) as u64, PAGE)
    }

    fn with(pages: usize, features: u64) -> Result<Pages, Errno> {
        if pages == 0 || pages > PAGES_MAX {
            return Err(Errno::INVAL);
        }
        let segment = Segment::create(pages * PAGE)?;
        let mapping = Mapping::new(&segment)?;
        let faults = system::open(features)?;
        system::register(faults.as_fd(), mapping.address(), mapping.len() as u64)?;
        Ok(Pages { mapping, segment, faults })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.mapping.len() / PAGE
    }

    /// The word `at` of a page. Reaching it is no touch; loading or storing is.
    ///
    /// # Panics
    /// If there is no such page, or it has no such word.
    #[must_use]
    pub fn word(&self, page: usize, at: usize) -> &AtomicU64 {
        assert!(at < PAGE / 8, "a page has {} words", PAGE / 8);
        self.mapping.word(page * PAGE + 8 * at)
    }

    /// What provides them, in this process. A thread that waits for a page waits until this is gone, or maps it.
    ///
    /// # Errors
    /// The system's.
    pub fn pager(&self) -> Result<Pager, Errno> {
        let (faults, file) = (fcntl_dupfd_cloexec(&self.faults, 0)?, fcntl_dupfd_cloexec(&self.segment, 0)?);
        Ok(Pager::new(faults, file, self.mapping.address(), self.count(), None))
    }

    /// Hands them to a pager in another process, at the other end of a socket, which should be open as long as the pages are in use:
    /// its end is that of the application.
    ///
    /// # Errors
    /// The system's.
    pub fn offer(&self, socket: &UnixStream) -> Result<(), Errno> {
        let mut place = self.mapping.address().to_le_bytes().to_vec();
        place.extend((self.count() as u64).to_le_bytes());
        let files = [self.faults.as_fd(), self.segment.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let pushed = control.push(SendAncillaryMessage::ScmRights(&files));
        debug_assert!(pushed);
        let sent = sendmsg(socket, &[IoSlice::new(&place)], &mut control, SendFlags::NOSIGNAL)?;
        if sent == place.len() { Ok(()) } else { Err(Errno::MSGSIZE) }
    }
}
