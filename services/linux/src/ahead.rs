//! Reads of a repeat that go to the kernel together, before they are asked for one by one.
//!
//! ```text
//! told of calls k, k+1, … ─► as many as fit ─► one submission ─► all done, and kept
//! call k ─► is it the next that is kept? ── yes, and it was read whole ─► its bytes        anything else ─► plain call
//! ```
//! Only what has no effect is made before its turn: reads at an offset of regular files. What is kept is of one repeat, in its order, and
//! any call but the next of these throws all of it away. So a call comes to what the plain call comes to; short counts and
//! errors are always the plain call's own.
//!
//! | calls | what is done |
//! | --- | --- |
//! | `pread64`, some at least | made together |
//! | those in a row, of what the page cache has not | plain; the kernel is told before where the row goes, and fetches it in few pieces |
//! | `read` of several files that the page cache has not | their bytes are brought there together; the calls are plain |
//! | all others | plain; decision 0031 says why, with measurements |

use carnet_portal::call::Upcoming;
use carnet_syscalls::{Arg, Descriptors, READS_MAX, ReadAt, Ring};
use rustix::io::Errno;

use crate::plan::{Plan, Source};

/// Numbers of system calls.
const READ: u16 = 0;
const LSEEK: u16 = 8;
const PREAD64: u16 = 17;
const FADVISE64: u16 = 221;
const SEEK_CUR: i64 = 1;
const WILLNEED: i64 = 3;

/// Fewer than so many are not made together: a submission costs as much as some calls.
const FEWEST: usize = 8;
/// Bytes that are kept at most.
const BYTES_MAX: usize = 1 << 20;
/// The kernel is told of a row in pieces of so many bytes: of one longer than it reads ahead by itself it takes the beginning.
const TOLD_BYTES: i64 = 128 << 10;
/// Submissions that may bring nothing before there are no more.
const USELESS_MAX: u32 = 3;
/// Of how many calls the object is not told again.
const ALL: usize = usize::MAX;

/// What is kept.
#[derive(Default)]
pub(crate) struct Ahead {
    ring: Option<Ring>,
    reads: Vec<ReadAt>,
    /// The next of `reads` to be asked for.
    next: usize,
    useless: u32,
    row: Option<Row>,
}

/// A row that the kernel fetches.
#[derive(Clone, Copy)]
struct Row {
    /// Where it goes on.
    fd: i64,
    offset: i64,
    /// The repeat has more calls behind those that were told of.
    goes_on: bool,
}

impl Ahead {
    /// With a ring, or without: then nothing is made before its turn.
    pub(crate) fn new(ring: Option<Ring>) -> Ahead {
        Ahead { ring, ..Ahead::default() }
    }

    /// Nothing of what is kept will be asked for.
    pub(crate) fn forget(&mut self) {
        self.reads.clear();
        self.next = 0;
    }

    /// Whether the call that is made now is kept, and put into `into`. It is none of what was made before its turn otherwise.
    #[inline]
    pub(crate) fn gives(&mut self, plan: &Plan, words: &[u64], into: Option<&mut Vec<u8>>) -> bool {
        !self.reads.is_empty() && self.gives_next(plan, words, into)
    }

    fn gives_next(&mut self, plan: &Plan, words: &[u64], into: Option<&mut Vec<u8>>) -> bool {
        let call = if plan.number == PREAD64 { read_of(plan, words) } else { None };
        let next = self.reads.get(self.next).copied();
        let (Some(ring), Some(into), Some(call)) =
            (&mut self.ring, into.filter(|into| into.is_empty()), call.filter(|call| Some(*call) == next))
        else {
            self.forget();
            return false;
        };
        let taken = ring.take(self.next, into);
        self.next += 1;
        if self.next == self.reads.len() {
            self.forget();
        }
        let is_whole = taken == Ok(call.len);
        if !is_whole {
            into.clear();
        }
        is_whole
    }

    /// No row goes on. It does over the slices of a run: what the kernel has read ahead looks cached to whoever asks anew.
    pub(crate) fn forget_rows(&mut self) {
        self.row = None;
    }

    /// Makes calls before their turn if that pays; of how many it is not to be told again.
    pub(crate) fn begin(&mut self, descriptors: Descriptors, plan: &Plan, calls: &Upcoming<'_>) -> usize {
        self.forget();
        if self.ring.is_none() || self.useless >= USELESS_MAX {
            return ALL;
        }
        match plan.number {
            PREAD64 => self.make(descriptors, plan, calls),
            READ => self.bring(descriptors, plan, calls),
            _ => ALL,
        }
    }

    fn make(&mut self, descriptors: Descriptors, plan: &Plan, calls: &Upcoming<'_>) -> usize {
        if calls.len() < FEWEST {
            return ALL;
        }
        let reads = (0..calls.len().min(READS_MAX)).map_while(|k| read_of(plan, calls.words(k)?));
        let mut bytes = 0;
        self.reads.extend(reads.take_while(|read| {
            bytes += read.len;
            bytes <= BYTES_MAX
        }));
        let count = self.reads.len();
        if count < FEWEST {
            self.forget();
        } else if let Some(begins) = self.row_of(descriptors, calls.len() > count) {
            if begins {
                self.fetch_row(descriptors, calls.len() - count);
            }
            self.forget();
        } else {
            self.submit(descriptors);
        }
        count.max(1)
    }

    /// Tells the kernel of the beginning of a row, and of what `more` calls will read if it goes on, as much again at most: then it reads ahead by
    /// itself, as if the row had been read from before. If it does not listen, it does so from the beginning.
    fn fetch_row(&self, descriptors: Descriptors, more: usize) {
        let (Some(first), Some(last), Some(Row { offset: end, .. })) =
            (self.reads.first(), self.reads.last(), self.row)
        else {
            return;
        };
        let behind = (last.len as i64).saturating_mul(i64::try_from(more).unwrap_or(i64::MAX));
        let end = end.saturating_add(behind.min(end - first.offset));
        let mut offset = first.offset;
        while offset < end {
            let len = (end - offset).min(TOLD_BYTES);
            let mut args = [first.fd, offset, len, WILLNEED].map(Arg::Number);
            if descriptors.call(FADVISE64, &mut args).is_err() {
                return;
            }
            offset += len;
        }
    }

    /// Whether a repeat begins with these reads, if they are in a row that the page cache has not, or go on with such a one: each that waits makes
    /// the kernel fetch what is behind it. Only the first is asked for, since asking for a later one makes the kernel read ahead from there.
    fn row_of(&mut self, descriptors: Descriptors, has_more: bool) -> Option<bool> {
        let end = |read: &ReadAt| Some((read.fd, read.offset.checked_add(read.len as i64)?));
        let follows = |pair: &[ReadAt]| end(&pair[0]) == Some((pair[1].fd, pair[1].offset));
        let before = self.row.take();
        let (first, last) = (self.reads.first()?, self.reads.last()?);
        let before = before.filter(|row| (row.fd, row.offset) == (first.fd, first.offset));
        let is_known = before.is_some();
        if !self.reads.windows(2).all(follows) || !is_known && !is_missing(descriptors, *first) {
            return None;
        }
        let (fd, offset) = end(last)?;
        self.row = Some(Row { fd, offset, goes_on: has_more });
        Some(before.is_none_or(|row| !row.goes_on))
    }

    /// Reads what `read` will need, at where each descriptor stands now, and keeps nothing of it: the call moves its descriptor.
    fn bring(&mut self, descriptors: Descriptors, plan: &Plan, calls: &Upcoming<'_>) -> usize {
        let standing = |k: usize| {
            let read = read_of(plan, calls.words(k)?)?;
            let mut args = [Arg::Number(read.fd), Arg::Number(0), Arg::Number(SEEK_CUR)];
            let offset = descriptors.call(LSEEK, &mut args).ok()?;
            Some(ReadAt { offset, ..read })
        };
        let Some(first) = standing(0) else { return ALL };
        if !is_missing(descriptors, first) {
            return READS_MAX;
        }
        let mut bytes = 0;
        let others = (1..calls.len().min(READS_MAX)).map_while(standing);
        for read in std::iter::once(first).chain(others) {
            bytes += read.len;
            // Where a descriptor stands is known of its next read only.
            if bytes > BYTES_MAX || self.reads.iter().any(|before| before.fd == read.fd) {
                break;
            }
            self.reads.push(read);
        }
        let count = self.reads.len();
        if count > 1 {
            self.submit(descriptors);
        }
        self.forget();
        count.max(1)
    }

    fn submit(&mut self, descriptors: Descriptors) {
        let Some(ring) = &mut self.ring else { return };
        match ring.read(descriptors, &self.reads) {
            Ok(()) if ring.any_done() => self.useless = 0,
            // Where the kernel needs threads of this process for it, it may do nothing.
            Ok(()) if ring.any_left() => self.useless += 1,
            // What no call could do says nothing of the ring.
            Ok(()) => {}
            Err(_) => {
                self.ring = None;
                self.forget();
            }
        }
    }
}

/// Whether a read would wait for the disk, as far as its first byte says.
fn is_missing(descriptors: Descriptors, read: ReadAt) -> bool {
    descriptors.read_cached(read.fd, read.offset, 1, &mut Vec::new()) == Err(Errno::AGAIN)
}

/// What a call with this block reads; `None` if it may not be made before its turn. One of `read` has the offset 0.
fn read_of(plan: &Plan, words: &[u64]) -> Option<ReadAt> {
    let number = |source: Option<&Source>| match source {
        Some(Source::Value { word, .. }) => words.get(*word).map(|word| word.cast_signed()),
        _ => None,
    };
    let (fd, offset) = (number(plan.sources.first())?, number(plan.sources.get(3)).unwrap_or(0));
    let len = usize::try_from(number(plan.sources.get(2))?).ok()?;
    (0 < len && len <= BYTES_MAX && offset >= 0).then_some(ReadAt { fd, len, offset })
}
