//! What a process writes down of the slice that it advances, in memory that it shares with its server: which calls it made, and which one is
//! under way.
//!
//! ```text
//! calls begun, instructions left │ last call, if their number is even │ last call, if it is odd │ calls of each operation │ failed ones
//! ```
//! As in a run's place in the [journal](crate::journal), what is said of a call is written before it is counted, over what was said of the
//! call before the last one: whenever the process is killed, what is counted is whole. Counts of the last call's operation are in what is said
//! of that call; those of all others are true since their own last call came back.
//!
//! The server empties it before each slice, and reads it once, when the process has died. It believes no more of it than the run could have
//! done, and no less than it knew before.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::atomic::Ordering;

use carnet_idl::descriptor::{Effect, Word};
use carnet_memory::{Mapping, Sealed, Segment};
use carnet_portal::call::{Areas, Ref};

use super::Before;
use crate::bytecode::TABLE_MAX;
use crate::journal::{text, told};
use crate::limits::Budget;
use crate::text::clip;
use crate::verify::Loaded;

/// Words of a call that are written down, and bytes of the texts among them.
const WORDS_MAX: usize = 32;
const TEXT_BYTES_MAX: usize = 512;
const ONE_TEXT_BYTES_MAX: usize = 256;

/// Offsets.
mod at {
    use super::{TABLE_MAX, half};

    /// Calls begun in this slice.
    pub(super) const BEGUN: usize = 0;
    /// Instructions that the run had left at its last call or round of a loop.
    pub(super) const LEFT: usize = 8;
    pub(super) const HALVES: usize = 64;
    pub(super) const COUNTS: usize = HALVES + 2 * half::BYTES;
    pub(super) const FAILED: usize = COUNTS + 8 * TABLE_MAX;
    pub(super) const BYTES: usize = FAILED + 8 * TABLE_MAX;
}

/// Offsets in what is said of a call.
mod half {
    use super::{TEXT_BYTES_MAX, WORDS_MAX};

    /// Program counter, operation, and round of its repeat.
    pub(super) const WHERE: usize = 0;
    /// Calls of its operation, with it, and failed ones, without.
    pub(super) const COUNT: usize = 8;
    pub(super) const FAILED: usize = 16;
    /// Bytes that may still be written if it does not come back, and since it came back.
    pub(super) const WITHOUT: usize = 24;
    pub(super) const WITH: usize = 32;
    /// How it came back, if it did.
    pub(super) const END: usize = 40;
    /// Number of words, and bytes of text.
    pub(super) const LENGTHS: usize = 48;
    pub(super) const WORDS: usize = 56;
    pub(super) const TEXT: usize = WORDS + 8 * WORDS_MAX;
    pub(super) const BYTES: usize = TEXT + TEXT_BYTES_MAX;
}

/// How a call came back.
const UNDER_WAY: u64 = 0;
const DONE: u64 = 1;
const FAILED: u64 = 2;

/// The memory.
#[derive(Debug)]
pub struct Ledger {
    mapping: Mapping,
}

/// A call that is about to be made.
pub(crate) struct Begun<'a> {
    pub(crate) pc: u16,
    pub(crate) op: u16,
    pub(crate) repeated: u32,
    /// Calls of its operation, this one among them, and failed ones before it.
    pub(crate) count: u64,
    pub(crate) failed: u64,
    /// Instructions that are left.
    pub(crate) instructions_left: u64,
    /// Bytes that may still be written, if it does not come back.
    pub(crate) written_left: u64,
    pub(crate) ins: &'a [Word],
    pub(crate) words: &'a [u64],
    pub(crate) areas: &'a Areas,
}

impl Ledger {
    /// One for a process that is to be started, which [accepts](Ledger::accept) this descriptor.
    ///
    /// # Errors
    /// The system's.
    pub fn create() -> io::Result<(Ledger, OwnedFd)> {
        let segment = Segment::create(at::BYTES)?;
        let mapping = Mapping::new(&segment)?;
        Ok((Ledger { mapping }, segment.as_fd().try_clone_to_owned()?))
    }

    /// That of the process which has started this one.
    ///
    /// # Errors
    /// The system's; [`io::ErrorKind::InvalidData`] if it is none.
    pub fn accept(fd: OwnedFd) -> io::Result<Ledger> {
        let segment = Segment::accept(fd, Sealed::Size, at::BYTES)
            .map_err(|refused| io::Error::new(io::ErrorKind::InvalidData, refused))?;
        Ok(Ledger { mapping: Mapping::new(&segment)? })
    }

    /// Nothing is under way in the process, which is asked for a slice next.
    pub fn empty(&self) {
        self.set(at::LEFT, u64::MAX);
        self.set(at::BEGUN, 0);
    }

    /// What was written down; the process has ended.
    #[must_use]
    pub fn found(&self) -> Found {
        let mut bytes = vec![0; at::BYTES];
        self.mapping.read(0, &mut bytes);
        Found(bytes)
    }

    /// One store after the other, whenever the process is killed.
    #[inline]
    fn set(&self, at: usize, n: u64) {
        self.mapping.word(at).store(n, Ordering::Release);
    }

    #[inline]
    fn word(&self, at: usize) -> u64 {
        self.mapping.word(at).load(Ordering::Relaxed)
    }

    /// A slice begins: calls of each operation so far, and failed ones.
    pub(crate) fn begin(&self, each: impl Iterator<Item = (u64, u64)>) {
        for (op, (count, failed)) in each.take(TABLE_MAX).enumerate() {
            self.set(at::COUNTS + 8 * op, count);
            self.set(at::FAILED + 8 * op, failed);
        }
    }

    /// So many instructions are left.
    #[inline]
    pub(crate) fn left(&self, instructions: u64) {
        self.set(at::LEFT, instructions);
    }

    /// A call begins.
    pub(crate) fn calls(&self, call: &Begun<'_>) {
        let begun = self.word(at::BEGUN).wrapping_add(1);
        let base = half_of(begun);
        let place = u64::from(call.pc) | u64::from(call.op) << 16 | u64::from(call.repeated) << 32;
        self.set(base + half::WHERE, place);
        self.set(base + half::COUNT, call.count);
        self.set(base + half::FAILED, call.failed);
        self.set(base + half::WITHOUT, call.written_left);
        self.set(base + half::END, UNDER_WAY);
        self.set_words(base, call);
        self.left(call.instructions_left);
        self.set(at::BEGUN, begun);
    }

    fn set_words(&self, base: usize, call: &Begun<'_>) {
        let (mut count, mut len) = (0, 0);
        for (word, kind) in call.words.iter().zip(call.ins).take(WORDS_MAX) {
            let shown = match kind {
                Word::String { .. } => {
                    let text = text(call.areas, *word).unwrap_or_default();
                    let text = clip(text, ONE_TEXT_BYTES_MAX.min(TEXT_BYTES_MAX - len));
                    self.mapping.write(base + half::TEXT + len, text.as_bytes());
                    len += text.len();
                    Ref::new(0, len - text.len(), text.len()).unwrap_or_default().0
                }
                Word::List { element, .. } => told(call.areas, *word, element.len()),
                _ => *word,
            };
            self.set(base + half::WORDS + 8 * count, shown);
            count += 1;
        }
        self.set(base + half::LENGTHS, count as u64 | (len as u64) << 16);
    }

    /// The call came back: failed calls of its operation, it among them if it failed, and the bytes that may still be written.
    pub(crate) fn came_back(&self, op: u16, failed: u64, written_left: u64) {
        let base = half_of(self.word(at::BEGUN));
        let (count, before) = (self.word(base + half::COUNT), self.word(base + half::FAILED));
        let op = usize::from(op) % TABLE_MAX;
        self.set(at::COUNTS + 8 * op, count);
        self.set(at::FAILED + 8 * op, failed);
        self.set(base + half::WITH, written_left);
        self.set(base + half::END, if failed > before { FAILED } else { DONE });
    }
}

fn half_of(begun: u64) -> usize {
    at::HALVES + (begun % 2) as usize * half::BYTES
}

/// What a process that died had written down.
#[derive(Clone, Debug)]
pub struct Found(Vec<u8>);

/// How far a run had come.
pub(crate) struct Account {
    pub(crate) counts: Vec<u64>,
    pub(crate) failed: Vec<u64>,
    pub(crate) budget: Budget,
    /// None if there was no call.
    pub(crate) last: Option<LastCall>,
}

/// The last call that began.
pub(crate) struct LastCall {
    pub(crate) pc: u16,
    pub(crate) repeated: u32,
    pub(crate) op: u16,
    /// It did not come back.
    pub(crate) is_under_way: bool,
    pub(crate) words: Vec<u64>,
    pub(crate) texts: Vec<u8>,
}

impl Found {
    /// For tests of what a process can have written there.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Found {
        Found(bytes)
    }

    /// The same.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn word(&self, at: usize) -> u64 {
        self.0.get(at..at + 8).and_then(|word| word.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
    }

    /// How far a run had come from there, if it can be that far.
    pub(super) fn account(&self, program: &Loaded, before: &Before) -> Option<Account> {
        let Before { mut budget, .. } = *before;
        let begun = self.word(at::BEGUN);
        let left = self.word(at::LEFT);
        if left != u64::MAX {
            budget.instructions_left = Some(left).filter(|left| *left <= before.budget.instructions_left)?;
        }
        if begun == 0 {
            let (counts, failed) = (before.counts.clone(), before.failed.clone());
            return Some(Account { counts, failed, budget, last: None });
        }
        let base = half_of(begun);
        let last = self.last_call(base)?;
        let op = usize::from(last.op);
        let each = |from: usize| (0..program.ops.len()).map(move |k| self.word(from + 8 * k));
        let (mut counts, mut failed) =
            (each(at::COUNTS).collect::<Vec<_>>(), each(at::FAILED).collect::<Vec<_>>());
        let (end, is_under_way) = (self.word(base + half::END), last.is_under_way);
        *counts.get_mut(op)? = self.word(base + half::COUNT);
        *failed.get_mut(op)? = self.word(base + half::FAILED).checked_add(u64::from(end != DONE))?;
        let mut all = 0_u64;
        for (k, count) in counts.iter().enumerate() {
            let more = count.checked_sub(*before.counts.get(k)?)?;
            let more_failed = failed[k].checked_sub(before.failed.get(k).copied().unwrap_or(0))?;
            if more_failed > more {
                return None;
            }
            all = all.checked_add(more)?;
            if program.ops[k].operation.effect == Effect::Writes {
                budget.writes_left = budget.writes_left.checked_sub(more)?;
            }
        }
        if all != begun {
            return None;
        }
        budget.calls_left = budget.calls_left.checked_sub(all)?;
        let written = if is_under_way { half::WITHOUT } else { half::WITH };
        let written_left = self.word(base + written);
        budget.written_left = Some(written_left).filter(|left| *left <= before.budget.written_left)?;
        Some(Account { counts, failed, budget, last: Some(last) })
    }

    fn last_call(&self, base: usize) -> Option<LastCall> {
        let place = self.word(base + half::WHERE);
        let lengths = self.word(base + half::LENGTHS);
        let (count, len) = (usize::from(lengths as u16), (lengths >> 16) as usize);
        if count > WORDS_MAX || len > TEXT_BYTES_MAX {
            return None;
        }
        let texts = self.0.get(base + half::TEXT..base + half::TEXT + len)?.to_vec();
        Some(LastCall {
            pc: place as u16,
            op: (place >> 16) as u16,
            repeated: (place >> 32) as u32,
            is_under_way: self.word(base + half::END) == UNDER_WAY,
            words: (0..count).map(|k| self.word(base + half::WORDS + 8 * k)).collect(),
            texts,
        })
    }
}
