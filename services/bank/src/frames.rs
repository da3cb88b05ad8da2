//! Page frames: who has them, where they are mapped, what they hold.

use std::collections::BTreeSet;
use std::sync::Arc;

use carnet_paging::PAGE;
use carnet_portal::seats::{Bounds, Full, Seat, Seats};
use carnet_portal::stub::{BytesOut, Caller};

use crate::bank::{Error, FramesService, Reason};
use crate::{Bank, error, lock};

/// What a frame holds; nothing is zeros.
pub(crate) type Content = Option<Box<[u8; PAGE]>>;

/// One frame that somebody has.
#[derive(Debug)]
struct Frame {
    user: Arc<str>,
    /// It counts as one of his.
    _seat: Seat,
    /// The portal through which it was taken.
    holder: u64,
    /// It is mapped: it cannot be freed, and its content is elsewhere.
    is_mapped: bool,
    /// It is to be free as soon as it is mapped nowhere.
    is_released: bool,
    content: Content,
}

/// All frames.
#[derive(Debug)]
pub(crate) struct Table {
    frames: Vec<Option<Frame>>,
    free: BTreeSet<usize>,
    seats: Arc<Seats>,
    /// Every call looks through all of it.
    checks: bool,
    holders: u64,
}

impl Table {
    pub(crate) fn new(frames: usize, per_user: usize, checks: bool) -> Table {
        Table {
            frames: (0..frames).map(|_| None).collect(),
            free: (0..frames).collect(),
            seats: Seats::new(Bounds::of(usize::MAX, per_user)),
            checks,
            holders: 0,
        }
    }

    pub(crate) fn free(&self) -> usize {
        self.free.len()
    }

    /// Whether all tables say the same; who wants no expensive calls does not ask for it.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !self.checks {
            return Ok(());
        }
        let is_free = |(at, frame): (usize, &Option<Frame>)| frame.is_none() == self.free.contains(&at);
        let taken = self.frames.iter().flatten().count();
        if self.frames.iter().enumerate().all(is_free) && self.seats.taken() == taken {
            return Ok(());
        }
        Err(error(Reason::Io, "the tables of frames contradict each other (a bug of Carnet)"))
    }

    fn left(&self, caller: &Caller) -> usize {
        self.free.len().min(self.seats.left(caller))
    }

    /// Takes `count` frames one behind the other.
    fn take(&mut self, caller: &Caller, holder: u64, count: usize) -> Result<i64, Error> {
        self.check()?;
        let mut seats = self.seats.take_some(caller, count).map_err(|full| quota(count, full))?;
        let first = if count == 1 { self.free.first().copied() } else { self.run_of(count) };
        let first =
            first.ok_or_else(|| error(Reason::NoFrame, "there are not so many frames that nobody has"))?;
        for at in first..first + count {
            self.free.remove(&at);
            self.frames[at] = Some(Frame {
                user: Arc::clone(&caller.principal),
                _seat: seats.split(1),
                holder,
                is_mapped: false,
                is_released: false,
                content: None,
            });
        }
        Ok(first as i64)
    }

    /// The first of so many free frames in a row.
    fn run_of(&self, count: usize) -> Option<usize> {
        let (mut first, mut length) = (0, 0);
        for &at in &self.free {
            if length > 0 && at == first + length {
                length += 1;
            } else {
                (first, length) = (at, 1);
            }
            if length == count {
                return Some(first);
            }
        }
        None
    }

    fn number(&self, frame: i64) -> Result<usize, Error> {
        let is_one = |at: &usize| self.frames.get(*at).is_some_and(Option::is_some);
        let none = || error(Reason::NotYours, &format!("frame {frame} is not one that you have"));
        usize::try_from(frame).ok().filter(is_one).ok_or_else(none)
    }

    /// A frame of a user's.
    fn of(&mut self, user: &str, frame: i64) -> Result<&mut Frame, Error> {
        let at = self.number(frame)?;
        match &mut self.frames[at] {
            Some(found) if &*found.user == user && !found.is_released => Ok(found),
            _ => Err(error(Reason::NotYours, &format!("frame {frame} is not one that you have"))),
        }
    }

    fn of_unmapped(&mut self, user: &str, frame: i64) -> Result<&mut Frame, Error> {
        let found = self.of(user, frame)?;
        if found.is_mapped {
            return Err(error(Reason::InUse, &format!("frame {frame} is mapped: unmap its page before")));
        }
        Ok(found)
    }

    fn give_back(&mut self, at: usize) {
        if self.frames[at].take().is_some() {
            self.free.insert(at);
        }
    }

    /// Takes the content of a frame to map it.
    pub(crate) fn map(&mut self, user: &str, frame: i64) -> Result<Content, Error> {
        self.check()?;
        let found = self.of_unmapped(user, frame)?;
        found.is_mapped = true;
        Ok(found.content.take())
    }

    /// It is mapped no more, and this is what the page held.
    pub(crate) fn unmapped(&mut self, frame: i64, content: Content) {
        let Ok(at) = self.number(frame) else { return };
        let Some(found) = &mut self.frames[at] else { return };
        (found.is_mapped, found.content) = (false, content);
        if found.is_released {
            self.give_back(at);
        }
    }
}

#[cold]
fn quota(count: usize, full: Full) -> Error {
    let (max, whose) = match full {
        Full::All(max) | Full::Principal(max) => (max, "one user"),
        Full::Process(_, max) => (max, "one process"),
        Full::Relay(max) => (max, "the clients of one relay"),
        Full::RelayPrincipal(max) => (max, "one user of a relay"),
        Full::RelayProcess(max) => (max, "one client of a relay"),
        Full::Session(max) => (max, "one session"),
    };
    error(Reason::Quota, &format!("{count} more are not left of {max} frames, which {whose} may have"))
}

/// The frames that were taken by one portal.
pub(crate) struct Holder {
    bank: Arc<Bank>,
    number: u64,
    /// Who it was given to; whoever else is handed it takes frames of his own.
    _user: Arc<str>,
}

impl Holder {
    pub(crate) fn new(bank: &Arc<Bank>, caller: &Caller) -> Holder {
        let mut table = lock(&bank.frames);
        table.holders += 1;
        Holder { bank: Arc::clone(bank), number: table.holders, _user: Arc::clone(&caller.principal) }
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let mut table = lock(&self.bank.frames);
        for at in 0..table.frames.len() {
            let Some(frame) = table.frames[at].as_mut().filter(|frame| frame.holder == self.number) else {
                continue;
            };
            frame.is_released = true;
            if !frame.is_mapped {
                table.give_back(at);
            }
        }
    }
}

impl FramesService for Holder {
    fn alloc(&self, caller: &Caller) -> Result<i64, Error> {
        lock(&self.bank.frames).take(caller, self.number, 1)
    }

    fn alloc_run(&self, caller: &Caller, count: i64) -> Result<i64, Error> {
        let mut table = lock(&self.bank.frames);
        let count = usize::try_from(count).ok().filter(|count| (1..=table.frames.len()).contains(count));
        let count = count.ok_or_else(|| {
            error(Reason::BadCount, "a run has one frame at least, and no more than there are")
        })?;
        table.take(caller, self.number, count)
    }

    fn free(&self, caller: &Caller, frame: i64) -> Result<(), Error> {
        let mut table = lock(&self.bank.frames);
        table.check()?;
        table.of_unmapped(&caller.principal, frame)?;
        let at = table.number(frame)?;
        table.give_back(at);
        Ok(())
    }

    fn left(&self, caller: &Caller) -> Result<i64, Error> {
        Ok(lock(&self.bank.frames).left(caller) as i64)
    }

    fn fill(&self, caller: &Caller, frame: i64, data: &[u8]) -> Result<(), Error> {
        let mut table = lock(&self.bank.frames);
        let found = table.of_unmapped(&caller.principal, frame)?;
        let mut content = Box::new([0; PAGE]);
        content[..data.len().min(PAGE)].copy_from_slice(&data[..data.len().min(PAGE)]);
        found.content = Some(content);
        Ok(())
    }

    fn content(&self, caller: &Caller, frame: i64, result: &mut BytesOut<'_>) -> Result<(), Error> {
        let mut table = lock(&self.bank.frames);
        let found = table.of_unmapped(&caller.principal, frame)?;
        let fits = match &found.content {
            Some(content) => result.extend(&content[..]),
            None => result.extend(&[0; PAGE]),
        };
        if fits { Ok(()) } else { Err(error(Reason::Io, "a page is longer than the interface says")) }
    }
}
