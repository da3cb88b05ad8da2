//! The place of a run: who it is, and the last writing call that it began.
//!
//! ```text
//! place: state, calls begun, file that is kept, each with a digest │ head with its check │ last call, if their number is even │ last call, if it is odd
//! ```
//! What is said of a call is written before it is counted, over what was said of the call before the last one: whenever the
//! process is killed, what is counted is whole. A head is written when no file is said to be kept: whenever one is, the head is whole, and of the same run.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_idl::descriptor::{Layout, Word};
use carnet_memory::Mapping;
use carnet_portal::call::{Areas, Ref};

use super::{HEADER_BYTES, Journal, check, lock, sealed, unsealed, wrote};
use crate::bill::Hash;
use crate::bytecode::TABLE_MAX;
use crate::digest::Digest;
use crate::text::clip;

/// Bytes of a place: whole pages.
pub(super) const PLACE_BYTES: usize = 10 * 4096;
/// Words of arguments that are written down.
const WORDS_MAX: usize = 256;
/// Bytes of the texts among them, and of each.
const TEXT_BYTES_MAX: usize = 1024;
const ONE_TEXT_BYTES_MAX: usize = 256;
/// Bytes of a principal's name.
const PRINCIPAL_BYTES_MAX: usize = 256;
/// Bytes of a run's name.
const NAME_BYTES_MAX: usize = 64;

/// Free, or of a run that is kept: nothing is under way.
const RESTS: u64 = 0;
/// Of a run that is under way.
const RUNS: u64 = 1;
/// Bits of the state, and of the number of calls, in their words.
const STATE_BITS: u32 = 1;
const BEGUN_BITS: u32 = 40;
/// Bits of the run of which a file is kept, counted from 1, in its word.
const KEPT_BITS: u32 = 40;

/// Offsets in a place.
mod at {
    pub(super) const STATE: usize = 0;
    pub(super) const BEGUN: usize = 8;
    /// Digest of the head.
    pub(super) const CHECK: usize = 16;
    /// Of which run a file is kept, or that it is of none.
    pub(super) const KEPT: usize = 24;
    /// Up to `HALVES`.
    pub(super) const HEAD: usize = 64;
    pub(super) const HALVES: usize = 512;
}

/// Offsets in the half of a place that tells of a call.
mod half {
    use super::{TABLE_MAX, TEXT_BYTES_MAX, WORDS_MAX};

    /// Digest of the rest, but for the two words that are known when the call has come back.
    pub(super) const CHECK: usize = 0;
    /// Digest of how it ended.
    pub(super) const END: usize = 8;
    /// Bytes that were written with it.
    pub(super) const WITH: usize = 16;
    /// Bytes that were written before it.
    pub(super) const BEFORE: usize = 24;
    /// Number of operations, of words, and bytes of text.
    pub(super) const LENGTHS: usize = 32;
    /// Program counter and operation.
    pub(super) const WHERE: usize = 40;
    pub(super) const WORDS: usize = 64;
    pub(super) const TEXT: usize = WORDS + 8 * WORDS_MAX;
    pub(super) const COUNTS: usize = TEXT + TEXT_BYTES_MAX;
    pub(super) const FAILED: usize = COUNTS + 8 * TABLE_MAX;
    pub(super) const BYTES: usize = FAILED + 8 * TABLE_MAX;
}

/// Where the names are in the head, behind all that has a fixed length.
const NAMES: usize = 108;

const _: () = assert!(at::HALVES + 2 * half::BYTES <= PLACE_BYTES);
const _: () = assert!(at::HEAD + NAMES + PRINCIPAL_BYTES_MAX + NAME_BYTES_MAX <= at::HALVES);

/// Who a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Who {
    pub(crate) principal: Arc<str>,
    pub(crate) id: u128,
    /// Of what the run is.
    pub(crate) digest: u64,
    /// Empty if it has none.
    pub(crate) name: String,
    /// How often it had stopped when it began or went on.
    pub(crate) stops: u32,
    /// Of the journal's runs, this one: another may have had its identity, whose outcome is no longer stored.
    pub(crate) serial: u64,
    /// How it went on last, by which it is known if that is asked for again.
    pub(crate) resumed: Option<Resumed>,
}

/// How a run went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Resumed {
    /// From which of its stops, counted from 1.
    pub(crate) stop: u32,
    /// Of what was changed before.
    pub(crate) changes: Hash,
}

/// A writing call that is about to be made.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) pc: u16,
    /// Number of the program's operation.
    pub(crate) op: u16,
    /// Its arguments, in and inout.
    pub(crate) layout: &'a Layout,
    pub(crate) words: &'a [u64],
    pub(crate) areas: &'a Areas,
    /// Calls of each operation, this one among them; those that failed, empty if none did.
    pub(crate) counts: &'a [u64],
    pub(crate) failed: &'a [u64],
}

/// What is said of a call, as it is written.
struct Half<'a> {
    mapping: &'a Mapping,
    base: usize,
    digest: Digest,
}

impl Half<'_> {
    fn set(&mut self, at: usize, n: u64) {
        self.mapping.word(self.base + at).store(n, Ordering::Relaxed);
        wrote();
        self.digest.words([at as u64, n]);
    }
}

/// Whether a run keeps its program from being removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pin {
    Held,
    /// The program is lost; if it comes again, it is pinned for others.
    None,
}

/// The place of a run that is under way or kept. It is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Record {
    journal: Arc<Journal>,
    base: usize,
    who: Who,
    hash: Hash,
    begun: u64,
    /// Bytes that its calls have written.
    pub(super) written: u64,
    /// Texts of the last call.
    texts: Vec<u8>,
    pin: Pin,
    /// What is in it is not given up.
    is_left: bool,
    /// There is a file of what is kept of it.
    is_kept: bool,
}

impl Record {
    pub(super) fn new(journal: Arc<Journal>, place: usize, who: Who, hash: Hash, pin: Pin) -> Record {
        let base = HEADER_BYTES + place * PLACE_BYTES;
        Record {
            journal,
            base,
            who,
            hash,
            begun: 0,
            written: 0,
            texts: Vec::new(),
            pin,
            is_left: false,
            is_kept: false,
        }
    }

    pub(super) fn who(&self) -> &Who {
        &self.who
    }

    fn set(&self, at: usize, n: u64) {
        self.journal.set(self.base + at, n);
    }

    fn set_state(&self, state: u64) {
        set_state(&self.journal.mapping, self.journal.key, self.base, state);
    }

    fn set_begun(&self, begun: u64) {
        self.set(at::BEGUN, begun_word(self.journal.key, self.base, begun));
    }

    /// Its run is under way from now on.
    ///
    /// # Errors
    /// If a name is too long for its place.
    pub(super) fn begin(&mut self) -> Result<(), String> {
        self.set_begun(0);
        self.set_head()?;
        self.set_state(RUNS);
        Ok(())
    }

    /// Says whose place it is. Killed in the middle of it, a place that rests is nobody's.
    fn set_head(&self) -> Result<(), String> {
        let head = encode(&self.who, &self.hash)?;
        self.set(at::KEPT, kept_word(self.journal.key, self.base, None));
        self.journal.mapping.write(self.base + at::HEAD, &head);
        wrote();
        self.set(at::CHECK, check(self.journal.key, &head));
        Ok(())
    }

    /// Of an earlier server's run, which has written so much, the file is kept here from now on.
    pub(super) fn takes_over(&mut self, written: u64) {
        (self.written, self.is_kept) = (written, true);
        // Its names fitted before.
        if self.set_head().is_ok() {
            self.keeps_a_file();
        }
    }

    /// Its run, which was kept since its last stop, is under way again. Its file goes: a place of before, put back, has nothing to go on from.
    pub(crate) fn go_on(&mut self, resumed: Resumed) {
        self.who.stops += 1;
        self.who.resumed = Some(resumed);
        // If it was kept by an earlier server, its place may have been another run's.
        self.set_begun(self.begun);
        // Its names fitted before.
        if self.set_head().is_ok() {
            self.set_state(RUNS);
        }
        // What stays is of an earlier stop than the next.
        let _ = self.forget();
    }

    /// Where the half of a call is.
    fn half(&self, number: u64) -> usize {
        self.base + at::HALVES + (number % 2) as usize * half::BYTES
    }

    /// A writing call is about to be made.
    pub(crate) fn call(&mut self, call: &Call<'_>) {
        let begun = self.begun + 1;
        let (mapping, base) = (&self.journal.mapping, self.half(begun));
        let mut half = Half { mapping, base, digest: Digest(self.journal.key) };
        half.set(half::CHECK, begun);
        half.set(half::BEFORE, self.written);
        half.set(half::WHERE, u64::from(call.pc) | u64::from(call.op) << 16);
        let kinds = || call.layout.ins.iter().chain(&call.layout.inouts);
        let words = kinds().count().min(call.words.len()).min(WORDS_MAX);
        self.texts.clear();
        for (k, (word, ty)) in call.words.iter().zip(kinds()).take(words).enumerate() {
            let text = match ty {
                Word::String { .. } => text(call.areas, *word),
                _ => None,
            };
            let shown = text.map(|text| {
                let from = self.texts.len();
                let text = clip(text, ONE_TEXT_BYTES_MAX.min(TEXT_BYTES_MAX - from));
                self.texts.extend_from_slice(text.as_bytes());
                Ref::new(0, from, text.len()).unwrap_or_default().0
            });
            let shown = shown.or_else(|| match ty {
                Word::List { element, .. } => Some(told(call.areas, *word, element.len())),
                _ => None,
            });
            half.set(half::WORDS + 8 * k, shown.unwrap_or(*word));
        }
        let lengths = call.counts.len() as u64 | (words as u64) << 16 | (self.texts.len() as u64) << 32;
        half.set(half::LENGTHS, lengths);
        for (k, count) in call.counts.iter().take(TABLE_MAX).enumerate() {
            half.set(half::COUNTS + 8 * k, *count);
            half.set(half::FAILED + 8 * k, call.failed.get(k).copied().unwrap_or(0));
        }
        mapping.write(base + half::TEXT, &self.texts);
        wrote();
        half.digest.bytes(0, &self.texts);
        mapping.word(base + half::CHECK).store(half.digest.0, Ordering::Relaxed);
        wrote();
        mapping.word(base + half::END).store(self.ended(begun, CallEnd::InDoubt), Ordering::Relaxed);
        wrote();
        self.set_begun(begun);
        self.begun = begun;
    }

    /// What stands for the end of a call.
    fn ended(&self, begun: u64, end: CallEnd) -> u64 {
        end_word(self.journal.key, begun, end, self.written)
    }

    /// It came back, having written so many bytes.
    pub(crate) fn returned(&mut self, failed: bool, written: u64) {
        self.written += written;
        let end = if failed { CallEnd::Failed } else { CallEnd::Returned };
        let half = self.half(self.begun);
        let mapping = &self.journal.mapping;
        mapping.word(half + half::WITH).store(self.written, Ordering::Release);
        wrote();
        mapping.word(half + half::END).store(self.ended(self.begun, end), Ordering::Release);
        wrote();
    }

    /// It was not sent: the call before it is the last one, and its half is as it was.
    pub(crate) fn was_not_sent(&mut self) {
        self.begun -= 1;
        self.set_begun(self.begun);
    }

    /// Nothing is under way: its outcome was written down, or it was not begun.
    pub(super) fn rest(&mut self) {
        self.set_state(RESTS);
    }

    /// Bytes that its calls have written.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// There is a file of what is kept of it from now on, which is missed if it goes by itself.
    pub(super) fn keeps_a_file(&mut self) {
        self.is_kept = true;
        self.set(at::KEPT, kept_word(self.journal.key, self.base, Some(self.who.serial)));
    }

    /// Its file is not missed from now on.
    fn keeps_no_file(&mut self) -> bool {
        self.set(at::KEPT, kept_word(self.journal.key, self.base, None));
        std::mem::replace(&mut self.is_kept, false)
    }

    /// Somebody let it go: nothing of it stays, not even for the next server.
    pub(crate) fn forget(&mut self) -> io::Result<()> {
        // Before the file goes: else a server that was killed between would be said to have lost it.
        if !self.keeps_no_file() {
            return Ok(());
        }
        let removed = std::fs::remove_file(super::kept::file(&self.journal.dir, self.who.serial));
        wrote();
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Its outcome could not be written down: whoever comes next says of it what the place says.
    pub(super) fn leave(&mut self) {
        self.is_left = true;
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if self.is_left {
            return;
        }
        let is_closed = self.journal.is_closed.load(Ordering::Acquire);
        if !is_closed {
            // What stays is no run's: its outcome was pushed out, its time is over, or it went on.
            let _ = self.forget();
        }
        self.rest();
        // What is kept needs its program at the next server.
        if self.pin == Pin::Held && !(is_closed && self.is_kept) {
            lock(&self.journal.shelf).unpin(&self.hash);
        }
        let place = (self.base - HEADER_BYTES) / PLACE_BYTES;
        lock(&self.journal.free).push(place);
    }
}

/// How many elements a list has, as the length of a reference to nothing.
pub(crate) fn told(areas: &Areas, word: u64, words: usize) -> u64 {
    let list = areas.list.get(Ref(word).area());
    let elements = list.map_or(0, |list| list.words.len() / words.max(1));
    Ref::new(Ref::AREAS_MAX - 1, 0, elements.min(Ref::LEN_MAX)).unwrap_or_default().0
}

/// A text, as much of it as is one.
pub(crate) fn text(areas: &Areas, word: u64) -> Option<&str> {
    let r = Ref(word);
    let area = areas.list.get(r.area())?;
    let bytes = area.bytes.get(r.offset()..r.offset() + r.len())?;
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
    }
}

fn encode(who: &Who, hash: &Hash) -> Result<[u8; at::HALVES - at::HEAD], String> {
    let mut bytes = [0; at::HALVES - at::HEAD];
    let Who { principal, id, digest, name, stops, serial, resumed } = who;
    if principal.len() > PRINCIPAL_BYTES_MAX || name.len() > NAME_BYTES_MAX {
        return Err(format!("a name of more than {PRINCIPAL_BYTES_MAX} bytes"));
    }
    bytes[..16].copy_from_slice(&id.to_le_bytes());
    bytes[16..24].copy_from_slice(&digest.to_le_bytes());
    bytes[24..28].copy_from_slice(&stops.to_le_bytes());
    bytes[28..30].copy_from_slice(&(principal.len() as u16).to_le_bytes());
    bytes[30..32].copy_from_slice(&(name.len() as u16).to_le_bytes());
    bytes[32..64].copy_from_slice(hash);
    bytes[64..72].copy_from_slice(&serial.to_le_bytes());
    if let Some(Resumed { stop, changes }) = resumed {
        bytes[72..76].copy_from_slice(&stop.to_le_bytes());
        bytes[76..NAMES].copy_from_slice(changes);
    }
    let names = &mut bytes[NAMES..];
    names[..principal.len()].copy_from_slice(principal.as_bytes());
    names[PRINCIPAL_BYTES_MAX..][..name.len()].copy_from_slice(name.as_bytes());
    Ok(bytes)
}

/// A run that was under way when the process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    /// Where it was found.
    pub(super) place: usize,
    pub(crate) who: Who,
    /// Of its program.
    pub(crate) hash: Hash,
    /// The last writing call that it began, if any.
    pub(crate) last: Option<Last>,
}

/// The last writing call that a run began; as [`Call`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Last {
    pub(crate) pc: u16,
    pub(crate) op: u16,
    pub(crate) written: u64,
    pub(crate) words: Vec<u64>,
    /// What the texts among them refer to.
    pub(crate) texts: Vec<u8>,
    pub(crate) counts: Vec<u64>,
    pub(crate) failed: Vec<u64>,
    pub(crate) ended: CallEnd,
}

/// What is known of the last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEnd {
    /// It took effect.
    Returned,
    /// It failed.
    Failed,
    /// Nothing.
    InDoubt,
}

fn set_state(mapping: &Mapping, key: u64, base: usize, state: u64) {
    mapping.word(base + at::STATE).store(sealed(key ^ base as u64, state, STATE_BITS), Ordering::Release);
    wrote();
}

fn begun_word(key: u64, base: usize, begun: u64) -> u64 {
    sealed(key ^ (base + at::BEGUN) as u64, begun, BEGUN_BITS)
}

fn kept_word(key: u64, base: usize, serial: Option<u64>) -> u64 {
    sealed(key ^ (base + at::KEPT) as u64, serial.map_or(0, |serial| serial + 1), KEPT_BITS)
}

/// The run of which a file is kept, as a place says.
pub(super) fn found_kept(mapping: &Mapping, key: u64, place: usize) -> Result<Option<u64>, String> {
    let damaged = |what: &str| Err(format!("is not as it was left: {what} of place {place}"));
    let base = HEADER_BYTES + place * PLACE_BYTES;
    let word = mapping.word(base + at::KEPT).load(Ordering::Relaxed);
    let Some(serial) = unsealed(key ^ (base + at::KEPT) as u64, word, KEPT_BITS) else {
        return damaged("the kept file");
    };
    let Some(serial) = serial.checked_sub(1) else { return Ok(None) };
    match found_head(mapping, key, base) {
        Some((who, _)) if who.serial == serial => Ok(Some(serial)),
        _ => damaged("the head"),
    }
}

/// A place that is free keeps no file.
pub(super) fn keeps_no_file(mapping: &Mapping, key: u64, place: usize) {
    let base = HEADER_BYTES + place * PLACE_BYTES;
    mapping.word(base + at::KEPT).store(kept_word(key, base, None), Ordering::Release);
    wrote();
}

/// Nothing was ever under way in a place.
pub(super) fn clear(mapping: &Mapping, key: u64, place: usize) {
    set_state(mapping, key, HEADER_BYTES + place * PLACE_BYTES, RESTS);
    keeps_no_file(mapping, key, place);
}

/// Whose place it is, and of which program, if that is as it was written.
fn found_head(mapping: &Mapping, key: u64, base: usize) -> Option<(Who, Hash)> {
    let mut bytes = [0; at::HALVES - at::HEAD];
    mapping.read(base + at::HEAD, &mut bytes);
    let is_whole = check(key, &bytes) == mapping.word(base + at::CHECK).load(Ordering::Relaxed);
    if is_whole { decode(&bytes) } else { None }
}

/// The run that was under way in a place, if one was.
pub(super) fn found(mapping: &Mapping, key: u64, place: usize) -> Result<Option<Left>, String> {
    let damaged = |what: &str| Err(format!("is not as it was left: {what} of place {place}"));
    let base = HEADER_BYTES + place * PLACE_BYTES;
    let word = |at: usize| mapping.word(base + at).load(Ordering::Relaxed);
    match unsealed(key ^ base as u64, word(at::STATE), STATE_BITS) {
        Some(RESTS) => return Ok(None),
        Some(_) => {}
        None => return damaged("the state"),
    }
    let Some((who, hash)) = found_head(mapping, key, base) else { return damaged("the head") };
    let Some(begun) = unsealed(key ^ (base + at::BEGUN) as u64, word(at::BEGUN), BEGUN_BITS) else {
        return damaged("the number of calls");
    };
    let mut last = None;
    if begun > 0 {
        last = last_call(mapping, base + at::HALVES + (begun % 2) as usize * half::BYTES, key, begun);
        if last.is_none() {
            return damaged("the last call");
        }
    }
    Ok(Some(Left { place, who, hash, last }))
}

fn last_call(mapping: &Mapping, base: usize, key: u64, begun: u64) -> Option<Last> {
    let word = |at: usize| mapping.word(base + at).load(Ordering::Relaxed);
    let mut digest = Digest(key);
    let mut checked = |at: usize, n: u64| {
        digest.words([at as u64, n]);
        n
    };
    checked(half::CHECK, begun);
    let before = checked(half::BEFORE, word(half::BEFORE));
    let place = checked(half::WHERE, word(half::WHERE));
    let lengths = word(half::LENGTHS);
    let (ops, words) = (usize::from(lengths as u16), usize::from((lengths >> 16) as u16));
    let len = (lengths >> 32) as usize;
    let op = (place >> 16) as u16;
    if ops > TABLE_MAX || words > WORDS_MAX || len > TEXT_BYTES_MAX || usize::from(op) >= ops {
        return None;
    }
    let mut texts = vec![0; len];
    mapping.read(base + half::TEXT, &mut texts);
    let words = (0..words).map(|k| half::WORDS + 8 * k).map(|at| checked(at, word(at))).collect();
    checked(half::LENGTHS, lengths);
    let each = (0..ops).map(|k| {
        let [count, failed] = [half::COUNTS, half::FAILED].map(|at| checked(at + 8 * k, word(at + 8 * k)));
        (count, failed)
    });
    let (counts, failed) = each.unzip();
    digest.bytes(0, &texts);
    let with = word(half::WITH);
    let ends = [(CallEnd::InDoubt, before), (CallEnd::Returned, with), (CallEnd::Failed, with)];
    let (ended, written) =
        ends.into_iter().find(|(end, written)| end_word(key, begun, *end, *written) == word(half::END))?;
    (digest.0 == word(half::CHECK)).then_some(Last {
        pc: place as u16,
        op,
        written,
        words,
        texts,
        counts,
        failed,
        ended,
    })
}

/// What stands for the end of a call.
fn end_word(key: u64, begun: u64, end: CallEnd, written: u64) -> u64 {
    let mut digest = Digest(key);
    digest.words([begun, end as u64]);
    digest.words([written, 1]);
    digest.0
}

fn decode(bytes: &[u8; at::HALVES - at::HEAD]) -> Option<(Who, Hash)> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
    let text = |at: usize, len: usize, max: usize| {
        let bytes = bytes.get(NAMES + at..NAMES + at + len).filter(|_| len <= max)?;
        std::str::from_utf8(bytes).ok()
    };
    let lengths = number(24) >> 32;
    // Stops are counted from 1.
    let stop = number(72) as u32;
    let resumed =
        if stop == 0 { None } else { Some(Resumed { stop, changes: bytes[76..NAMES].try_into().ok()? }) };
    let who = Who {
        principal: text(0, usize::from(lengths as u16), PRINCIPAL_BYTES_MAX)?.into(),
        id: u128::from(number(0)) | u128::from(number(8)) << 64,
        digest: number(16),
        name: text(PRINCIPAL_BYTES_MAX, usize::from((lengths >> 16) as u16), NAME_BYTES_MAX)?.to_owned(),
        stops: number(24) as u32,
        serial: number(64),
        resumed,
    };
    Some((who, bytes[32..64].try_into().ok()?))
}
