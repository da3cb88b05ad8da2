//! Room for objects, and when there is none.

use std::cell::Cell;
use std::collections::HashMap;

use super::{Domain, Limits, Monitor};
use crate::class::{ClassId, Kind, MethodId};
use crate::collect::{Collection, References, Soft};
use crate::heap::{ELEMENTS, LENGTH};
use crate::heap::{GRANULE, HEAP_BYTES_MAX, NULL, OBJECT_BYTES_MAX, Ref, Space, Stray};
use crate::native::Trap;
use crate::thread::Thread;

/// Words of a heap in which nothing was made yet.
pub(super) const FIRST_WORDS: usize = 1 << 10;
/// A heap that has less than this many bytes grows without being collected.
const SMALL: usize = 1 << 20;
/// What a collection costs that finds nothing, as bytes that are moved: the space that it begins with is cleared.
const COLLECTION: usize = SMALL;
/// What each object that is collected costs besides, as bytes that are moved: most are small, and none lies beside the last one.
const OBJECT: usize = 2 * MOVED_BYTES;
/// Kept back for the error that tells that memory is used up.
const RESERVE: usize = 32 << 10;

/// When objects are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collecting {
    /// When there is no room.
    WhenFull,
    /// At every operation that makes an object and in every slice, which are short. Each time all references change, and those
    /// of before lead nowhere.
    Always,
}

/// What happened in a heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapStatistics {
    /// Collections.
    pub collections: u64,
    /// Bytes that were copied.
    pub copied: u64,
    /// Bytes that were left after the last one.
    pub live: u64,
}

/// A heap with its limit.
pub struct Heap {
    /// Its objects.
    pub space: Space,
    /// Bytes that it may have.
    pub limit: u64,
    /// When objects are collected.
    pub collecting: Collecting,
    /// What happened.
    pub statistics: HeapStatistics,
    /// How often room was asked for since something was made. Who makes several objects, and asks for room for one at a time,
    /// would never come to an end if there were just that.
    pub(crate) retries: u32,
    /// Work that is not charged for yet, in bytes that were moved or cleared.
    uncharged: Cell<usize>,
}

/// Moving or clearing so many bytes counts as one instruction.
pub(crate) const MOVED_BYTES: usize = 64;
/// A page is taken from the system when it is used first, which takes as long as moving so many times its bytes. A collection gives all back.
const FRESH: usize = 3;
/// Bytes of a page.
const PAGE: usize = 4096;
/// A native that reads so many bytes or chars counts as one instruction.
const READ_UNITS: usize = 8;

impl Heap {
    pub(super) fn new(space: Space, limit: u64) -> Heap {
        Heap {
            space,
            limit: limit.clamp(*Limits::HEAP.start(), HEAP_BYTES_MAX),
            collecting: Collecting::WhenFull,
            statistics: HeapStatistics::default(),
            retries: 0,
            uncharged: Cell::new(0),
        }
    }

    /// So many bytes were moved or cleared.
    pub(crate) fn moved(&self, bytes: usize) {
        self.uncharged.set(self.uncharged.get().saturating_add(bytes));
    }

    /// A native reads so many bytes, chars or references.
    pub(crate) fn read(&self, units: usize) {
        self.moved(units.saturating_mul(MOVED_BYTES / READ_UNITS));
    }

    /// What is not charged for yet, in instructions; it is now.
    pub(crate) fn charge(&self) -> i64 {
        let uncharged = self.uncharged.get();
        self.uncharged.set(uncharged % MOVED_BYTES);
        (uncharged / MOVED_BYTES) as i64
    }
}

impl Domain {
    /// Makes an object of a class that is initialized.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn new_object(&mut self, class: ClassId) -> Result<Ref, Trap> {
        let bytes = self.universe.class(class).map_or(8, |class| class.bytes) as usize;
        self.heap.space.allocate(class, bytes).map_err(|_| Trap::Collect(bytes))
    }

    /// Makes an array of so many elements.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn new_array(&mut self, class: ClassId, length: u32) -> Result<Ref, Trap> {
        let kind = self.universe.class(class).and_then(|class| class.elements()).ok_or(Trap::Stray)?;
        let bytes = ELEMENTS as usize + kind.bytes() as usize * length as usize;
        let array = self.heap.space.allocate(class, bytes).map_err(|_| Trap::Collect(bytes))?;
        self.heap.moved(if bytes < PAGE { bytes } else { FRESH * bytes });
        self.heap.space.set_u32(array, LENGTH, length)?;
        Ok(array)
    }

    /// Makes an array of bytes.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn new_bytes(&mut self, bytes: &[u8]) -> Result<Ref, Trap> {
        let array = self.new_array(self.universe.primitive_array(Kind::Byte), bytes.len() as u32)?;
        self.heap.space.bytes_mut(array, ELEMENTS, bytes.len())?.copy_from_slice(bytes);
        Ok(array)
    }

    /// Makes arrays of arrays: so many of each dimension.
    ///
    /// # Errors
    /// [`Trap::Collect`] before anything is made.
    pub(crate) fn new_arrays(&mut self, class: ClassId, counts: &[i32]) -> Result<Ref, Trap> {
        let mut bytes = 0_u64;
        let mut arrays = 1_u64;
        let mut at = class;
        for count in counts {
            let of = self.universe.class(at).ok_or(Trap::Stray)?;
            let width = u64::from(of.elements().ok_or(Trap::Stray)?.bytes());
            let each = (u64::from(ELEMENTS) + width * *count as u64).next_multiple_of(GRANULE as u64);
            bytes = bytes.saturating_add(arrays.saturating_mul(each));
            arrays = arrays.saturating_mul(*count as u64);
            if let crate::class::Shape::References { element } = of.shape {
                at = element;
            }
        }
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        if bytes > self.heap.space.room() - self.heap.space.used() {
            return Err(Trap::Collect(bytes));
        }
        self.nested(class, counts)
    }

    fn nested(&mut self, class: ClassId, counts: &[i32]) -> Result<Ref, Trap> {
        let Some((count, rest)) = counts.split_first() else { return Ok(NULL) };
        let array = self.new_array(class, *count as u32)?;
        if !rest.is_empty()
            && let Some(crate::class::Shape::References { element }) =
                self.universe.class(class).map(|class| class.shape)
        {
            for at in 0..*count as u32 {
                let inner = self.nested(element, rest)?;
                self.heap.space.set_u32(array, ELEMENTS + 4 * at, inner)?;
            }
        }
        Ok(array)
    }

    /// Makes room for so many bytes; `false` if the limit does not allow it.
    ///
    /// # Errors
    /// [`Stray`], a mistake of ours.
    pub(crate) fn make_room(&mut self, thread: &mut Thread, bytes: usize) -> Result<bool, Stray> {
        if bytes > OBJECT_BYTES_MAX {
            return Ok(false);
        }
        let mut bytes = bytes.next_multiple_of(GRANULE);
        let fits = |domain: &Domain, bytes: usize| {
            let space = &domain.heap.space;
            bytes <= space.room() - space.used()
        };
        let limit = usize::try_from(self.heap.limit).unwrap_or(usize::MAX);
        if self.heap.collecting == Collecting::WhenFull {
            let used = self.heap.space.used();
            let since = used.saturating_sub(self.heap.statistics.live as usize);
            // As long as little was made since, growing is cheaper than collecting.
            let wanted = used.saturating_add(bytes);
            if wanted < limit / 2 && (wanted < SMALL || since < self.heap.statistics.live as usize) {
                self.grow_to(wanted);
                if fits(self, bytes) {
                    return Ok(true);
                }
            }
            if !self.collect(thread, Soft::Keep)? {
                return Ok(false);
            }
        }
        if self.heap.collecting == Collecting::Always {
            bytes = bytes.saturating_mul(1 << self.heap.retries.min(8));
            self.heap.retries += 1;
            if !self.collect(thread, Soft::Keep)? {
                return Ok(false);
            }
            self.heap.space.cut(0);
        }
        if !fits(self, bytes) {
            let wanted = self.heap.space.used().saturating_add(bytes);
            if wanted.saturating_add(RESERVE) > limit && !self.collect(thread, Soft::Clear)? {
                return Ok(false);
            }
            let wanted = self.heap.space.used().saturating_add(bytes);
            if wanted.saturating_add(RESERVE) > limit {
                return Ok(false);
            }
            self.grow_to(wanted);
        }
        Ok(fits(self, bytes))
    }

    /// Lets the reserve be used: there is an error to be told.
    pub(crate) fn open_reserve(&mut self) {
        let room = self.heap.space.used().saturating_add(RESERVE).min(self.most());
        self.heap.space.grow(room / GRANULE);
    }

    /// What was opened beyond the limit is closed again, but for what is used of it.
    pub(super) fn close_reserve(&mut self) {
        self.heap.space.cut(usize::try_from(self.heap.limit).unwrap_or(usize::MAX) / GRANULE);
    }

    /// What the heap may have if there is an error to be told.
    pub(super) fn most(&self) -> usize {
        usize::try_from(self.heap.limit).unwrap_or(usize::MAX).saturating_add(RESERVE)
    }

    fn grow_to(&mut self, bytes: usize) {
        let limit = usize::try_from(self.heap.limit).unwrap_or(usize::MAX);
        let room = match self.heap.collecting {
            Collecting::WhenFull => bytes.saturating_mul(2).min(limit).max(bytes),
            Collecting::Always => bytes,
        };
        self.heap.space.grow(room.div_ceil(GRANULE));
    }

    /// Clears registers of references into which the methods that run put none: what stands there is of methods that returned.
    /// Of the running thread, none at `end` and above is needed. What weak references refer to is then not held for longer
    /// than on HotSpot, whose `System.gc` programs wait for.
    pub(crate) fn forget(&mut self, thread: &mut Thread, end: usize) {
        let universe = std::sync::Arc::clone(&self.universe);
        let mut stale: HashMap<MethodId, Vec<usize>> = HashMap::new();
        if let Some(rest) = thread.references.get_mut(end..) {
            rest.fill(NULL);
        }
        let others = self.threads.values_mut().flatten().map(|thread| &mut **thread);
        for thread in others.chain(std::iter::once(thread)) {
            for frame in &thread.frames {
                let Some(code) = universe.method(frame.method).and_then(|method| method.translated()) else {
                    continue;
                };
                // Where the frame has not moved up yet, its far variables are not there.
                if code.far > 0 && frame.pc == 0 {
                    continue;
                }
                let stale =
                    stale.entry(frame.method).or_insert_with(|| universe.never_references(frame.method));
                for local in stale {
                    let place = code.place(frame.base as usize, *local);
                    if let Some(place) = thread.references.get_mut(place) {
                        *place = NULL;
                    }
                }
            }
        }
    }

    /// Collects all objects that nothing reaches; `false`, and nothing is changed, if the machine has no memory for their copies.
    ///
    /// # Errors
    /// [`Stray`], a mistake of ours.
    pub fn collect(&mut self, thread: &mut Thread, soft: Soft) -> Result<bool, Stray> {
        let used = self.heap.space.used();
        let origin = match self.heap.collecting {
            Collecting::WhenFull => 1,
            // All references change each time: those of before lie before or behind the space.
            Collecting::Always => {
                let end = u64::from(self.heap.space.origin()) + (self.heap.space.room() / GRANULE) as u64;
                if end > u64::from(u32::MAX / 2) { 1 } else { end as Ref }
            }
        };
        let room = self.heap.space.room().min(used.max(SMALL / 2) * 2);
        let (Ok(to), Ok(left)) = (Space::new(room / GRANULE, origin), Space::new(0, 1)) else {
            return Ok(false);
        };
        let references = References {
            class: self.universe.known().reference,
            soft: self.universe.loaded(b"java/lang/ref/SoftReference"),
            last: self.universe.loaded(b"java/lang/ref/FinalReference"),
            referent: self.places.referent,
        };
        let universe = std::sync::Arc::clone(&self.universe);
        let mut from = std::mem::replace(&mut self.heap.space, left);
        let mut collection = Collection::new(&universe, references, soft, &mut from, to);
        let mut roots = 0;
        let mut visit = |root: &mut Ref| {
            roots += 1;
            collection.root(root);
        };
        for (number, field) in self.statics.iter_mut() {
            let kind = universe.statics.get(number as u32).map(|(kind, _)| *kind);
            if kind == Some(Kind::Reference) {
                let mut root = field.value as Ref;
                visit(&mut root);
                field.value = u64::from(root);
            }
        }
        self.mirrors.iter_mut().for_each(|(_, mirror)| visit(mirror));
        self.modules.iter_mut().for_each(&mut visit);
        visit(&mut self.first);
        self.proxies.values_mut().for_each(&mut visit);
        self.strings.iter_mut().for_each(|(_, string)| visit(string));
        self.cleared.iter_mut().for_each(&mut visit);
        self.failures.values_mut().for_each(&mut visit);
        self.computed.values_mut().for_each(&mut visit);
        thread.roots(thread.end(&universe), &mut visit);
        for other in self.threads.values_mut().flatten() {
            other.roots(other.end(&universe), &mut visit);
        }
        let mut monitors = std::mem::take(&mut self.monitors).into_iter().collect::<Vec<(Ref, Monitor)>>();
        for (object, _) in &mut monitors {
            visit(object);
        }
        self.monitors = monitors.into_iter().collect();
        let mut cleared = collection.follow()?;
        self.interned.follow(&collection)?;
        let objects = collection.objects();
        self.heap.space = collection.finish();
        self.close_reserve();
        if !cleared.is_empty() {
            self.cleared.append(&mut cleared);
            self.wake_for_references();
        }
        let statistics = &mut self.heap.statistics;
        statistics.collections += 1;
        statistics.live = self.heap.space.used() as u64;
        statistics.copied += statistics.live;
        if self.heap.collecting == Collecting::WhenFull {
            self.heap.moved(FRESH * self.heap.space.used() + objects * OBJECT + COLLECTION);
            self.heap.read(roots + self.statics.len() + self.interned.count());
        }
        Ok(true)
    }
}
