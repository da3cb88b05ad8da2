//! Reads of a repeat that go to the kernel together, before they are asked for one by one.
//!
//! ```text
//! told of calls k, k+1, … ─► as many as fit ─► one submission ─► all done, and kept
//! call k ─► is it the next that is kept? ── yes, and it was read whole ─► its bytes        anything else ─► plain call
//! ```
//! Only what has no effect is made before its turn: reads at an offset of regular files. What is kept is in the order of its repeat, and
//! any call but the next of these throws all of it away, as does the end of a slice of the run. So a call comes to what the plain call comes to; short counts and
//! errors are always the plain call's own.
//!
//! | calls | what is done |
//! | --- | --- |
//! | `pread64`, some at least | made together; of what the page cache has, if that is quicker here ([`pays`](crate::pays)) |
//! | those in a short row, of what the page cache has not | plain; the kernel is told before where the row goes, and fetches it in few pieces |
//! | `read` of several files that the page cache has not | their bytes are brought there together; the calls are plain |
//! | all others | plain; decision 0031 says why, with measurements |

use std::time::{Duration, Instant};

use carnet_portal::call::Upcoming;
use carnet_syscalls::{Arg, Descriptors, READS_MAX, ReadAt, Ring};
use rustix::io::Errno;

use crate::pays::{Kind, Pays, Way};
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
/// Behind so many bytes of a row the kernel has begun to read ahead by itself: calls go together again, which waits for it less often.
const ROW_BYTES_MAX: i64 = 512 << 10;
/// A call that takes longer, with a nanosecond for eight bytes, and longer than some that did not, may have waited for a disk.
const CACHED_MAX: Duration = Duration::from_micros(4);
/// How many times as long as those.
const CACHED_TIMES: u64 = 4;
/// Whether the page cache has the first of a row of fewer calls is not asked if it had all that was read last.
const ROW_FEWEST: usize = 32;
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
    /// What was learnt; `None` if all is made together that can be.
    pays: Option<Pays>,
    /// What was read last was in the page cache, as far as the time says that it took.
    is_cached: bool,
    watch: Option<Watch>,
    /// Calls of a watched plain batch that are still to come.
    left: usize,
}

/// A batch whose time is taken.
#[derive(Clone, Copy, Debug)]
struct Watch {
    since: Instant,
    kind: Kind,
    way: Way,
    /// All of its calls.
    calls: usize,
    /// Calls that the object was told of.
    told: usize,
    /// Its first call.
    first: ReadAt,
    /// It is one of a bout.
    is_bout: bool,
}

impl Watch {
    fn of(first: ReadAt, told: usize, way: Way, is_bout: bool) -> Watch {
        let calls = told.min(READS_MAX);
        Watch { since: Instant::now(), kind: Kind::of(calls, first.len), way, calls, told, first, is_bout }
    }

    /// Whether these are the calls behind the first of this plain batch.
    fn goes_on_with(&self, calls: &Upcoming<'_>) -> bool {
        self.way == Way::Plain && !self.is_bout && calls.len() + 1 == self.told
    }
}

/// A row that the kernel fetches.
#[derive(Clone, Copy)]
struct Row {
    /// Where it began.
    begins: i64,
    /// Where it goes on.
    fd: i64,
    offset: i64,
    /// The repeat has more calls behind those that were told of.
    goes_on: bool,
}

impl Row {
    /// Whether it goes on with this read.
    fn goes_on_with(&self, read: ReadAt) -> bool {
        (self.fd, self.offset) == (read.fd, read.offset)
    }

    fn is_long(&self) -> bool {
        self.offset - self.begins >= ROW_BYTES_MAX
    }
}

impl Ahead {
    /// With a ring, or without: then nothing is made before its turn. It learns what pays, or makes all together that can be.
    pub(crate) fn new(ring: Option<Ring>, learns: bool) -> Ahead {
        Ahead { ring, pays: learns.then(Pays::default), ..Ahead::default() }
    }

    /// Nothing of what is kept will be asked for.
    pub(crate) fn forget(&mut self) {
        self.reads.clear();
        (self.next, self.left, self.watch) = (0, 0, None);
    }

    /// Whether the call that is made now is kept, and put into `into`. It is none of what was made before its turn otherwise.
    #[inline]
    pub(crate) fn gives(&mut self, plan: &Plan, words: &[u64], into: Option<&mut Vec<u8>>) -> bool {
        if self.left > 0 {
            self.count(plan);
            return false;
        }
        !self.reads.is_empty() && self.gives_next(plan, words, into)
    }

    /// A call of a watched plain batch comes; before the last one the time is taken.
    fn count(&mut self, plan: &Plan) {
        if plan.number != PREAD64 {
            return self.forget();
        }
        self.left -= 1;
        if self.left == 0 {
            self.end_watch(1);
        }
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
            self.end_watch(0);
            self.forget();
        }
        let is_whole = taken == Ok(call.len);
        if !is_whole {
            into.clear();
        }
        is_whole
    }

    /// All of a batch but so many were made.
    fn end_watch(&mut self, to_come: usize) {
        let Some(watch) = self.watch.take() else { return };
        let (took, calls) = (watch.since.elapsed(), watch.calls - to_come);
        self.is_cached = self.is_quick(watch, took, calls);
        if let (true, Some(pays)) = (watch.is_bout, &mut self.pays) {
            pays.took(watch.kind, watch.way, nanos(took), calls);
        }
    }

    /// Whether this many calls took as long as they do where the page cache has all.
    fn is_quick(&self, watch: Watch, took: Duration, calls: usize) -> bool {
        let known = self.pays.as_ref().map_or(0, |pays| pays.plain_ns(watch.kind));
        let each = nanos(CACHED_MAX) + watch.first.len as u64 / 8;
        nanos(took) <= each.max(known.saturating_mul(CACHED_TIMES)).saturating_mul(calls as u64)
    }

    /// No row goes on. It does over the slices of a run: what the kernel has read ahead looks cached to whoever asks anew.
    pub(crate) fn forget_rows(&mut self) {
        self.row = None;
    }

    /// Makes calls before their turn if that pays; of how many it is not to be told again.
    pub(crate) fn begin(&mut self, descriptors: Descriptors, plan: &Plan, calls: &Upcoming<'_>) -> usize {
        let begun = self.watch.take();
        self.forget();
        if self.ring.is_none() || self.useless >= USELESS_MAX {
            return ALL;
        }
        match plan.number {
            PREAD64 => {
                if let Some(watch) = begun.filter(|watch| watch.goes_on_with(calls)) {
                    self.is_cached = self.is_quick(watch, watch.since.elapsed(), 1);
                    if self.is_cached {
                        return watch.calls - 1;
                    }
                }
                self.make(descriptors, plan, calls)
            }
            READ => self.bring(descriptors, plan, calls),
            _ => ALL,
        }
    }

    fn make(&mut self, descriptors: Descriptors, plan: &Plan, calls: &Upcoming<'_>) -> usize {
        if calls.len() < FEWEST {
            return ALL;
        }
        let Some(first) = calls.words(0).and_then(|words| read_of(plan, words)) else { return 1 };
        let before = self.row.take().filter(|row| row.goes_on_with(first));
        let second = calls.words(1).and_then(|words| read_of(plan, words));
        let may_be_row = second.is_some_and(|second| follows(&[first, second]));
        let is_cached = self.is_cached;
        let mut misses = before.is_some() || !is_cached && is_missing(descriptors, first);
        let mut watch = if misses { None } else { self.next_batch(first, calls.len()) };
        // What is made plain is watched, whatever was cached before; to ask of each batch that goes together costs too much of a short one.
        let is_plain = watch.is_some_and(|watch| watch.way == Way::Plain);
        if is_cached && !is_plain && may_be_row && calls.len() >= ROW_FEWEST {
            misses |= is_missing(descriptors, first);
        }
        if misses {
            (self.is_cached, watch) = (false, None);
        }
        if let Some(watch) = watch.filter(|watch| watch.way == Way::Plain) {
            self.watch = Some(watch);
            // The first call of what is no bout shows whether they have to wait.
            self.left = if watch.is_bout { watch.calls } else { 0 };
            return if watch.is_bout { watch.calls } else { 1 };
        }
        let reads = (0..calls.len().min(READS_MAX)).map_while(|k| read_of(plan, calls.words(k)?));
        let mut bytes = 0;
        self.reads.extend(reads.take_while(|read| {
            bytes += read.len;
            bytes <= BYTES_MAX
        }));
        let count = self.reads.len();
        let is_row = misses && self.reads.array_windows().all(follows);
        if count < FEWEST || is_row && self.go_through_row(descriptors, before, calls.len() - count) {
            self.forget();
        } else {
            let unlearnt = || Watch::of(first, calls.len(), Way::Together, false);
            let watch = watch.or_else(|| self.pays.is_some().then(unlearnt));
            self.submit(descriptors);
            self.watch = watch.map(|watch| Watch { calls: count, ..watch });
        }
        count.max(1)
    }

    /// The next batch of what the page cache has; `None` if all is made together that can be.
    fn next_batch(&mut self, first: ReadAt, told: usize) -> Option<Watch> {
        let pays = self.pays.as_mut()?;
        let (way, is_bout) = pays.way(Kind::of(told.min(READS_MAX), first.len));
        Some(Watch::of(first, told, way, is_bout))
    }

    /// The reads are of a row that the page cache has not, with so many behind them. As long as it is short they stay plain, since each that waits
    /// makes the kernel fetch what is behind it; the kernel is told where the row begins.
    fn go_through_row(&mut self, descriptors: Descriptors, before: Option<Row>, more: usize) -> bool {
        let (Some(first), Some((fd, offset))) = (self.reads.first(), self.reads.last().and_then(end)) else {
            return false;
        };
        let begins = before.map_or(first.offset, |row| row.begins);
        self.row = Some(Row { begins, fd, offset, goes_on: more > 0 });
        if before.is_none_or(|row| !row.goes_on) {
            self.fetch_row(descriptors, offset, more);
        }
        before.is_none_or(|row| !row.is_long())
    }

    /// Tells the kernel of the beginning of a row, to this byte, and of what `more` calls will read if it goes on, as much again at most: then it
    /// reads ahead by itself, as if the row had been read from before. If it does not listen, it does so from the beginning.
    fn fetch_row(&self, descriptors: Descriptors, end: i64, more: usize) {
        let (Some(first), Some(last)) = (self.reads.first(), self.reads.last()) else { return };
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

/// Where a read ends.
fn end(read: &ReadAt) -> Option<(i64, i64)> {
    Some((read.fd, read.offset.checked_add(read.len as i64)?))
}

/// Whether the second begins where the first ends.
fn follows(pair: &[ReadAt; 2]) -> bool {
    end(&pair[0]) == Some((pair[1].fd, pair[1].offset))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
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
