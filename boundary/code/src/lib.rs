//! Memory for machine code that is made while Carnet runs, the way into it, and the ways out of it into functions of ours;
//! and, for code that was compiled before, the shortest way into an object of the process ([`Gate`]).
//!
//! ```text
//! bytes + Proof ─ Code::new ─► mapped writable ─ copied ─► executable, no longer writable ── Code::run(entry, Frame)
//!                                                                                                      │
//!                              object + function of C ─ Entry::new ─► Sites ◄──────── calls ──────────┘
//! ```
//!
//! No memory is writable and executable at once, and what is executable is never written again; it is given back when its
//! [`Code`] is dropped. What the bytes are is not looked at. So they come with a [`Proof`], the promise that they keep the
//! contract below. Only the one file that makes them may make one: `cargo xtask tidy` knows its name, and it belongs to what
//! must be right for all else to be safe (`cargo xtask tcb`).
//!
//! The contract. Code begins at its first byte as a function of C, `u64 code(frame *, u64 entry)`, of the machine it runs on, and
//!
//! - writes nothing but its stack, what is [`Left`] of the frame and the first words of the variable table, as many as [`Reach`]
//!   says;
//! - reads those, the fields of [`Frame`] at the offsets of [`layout`], the interrupt word, and the functions of the first
//!   [`Sites`], as many as [`Reach`] says;
//! - calls nothing but such functions, as functions of C with the address of their site, that of the frame, and that of
//!   [`ARGUMENTS`] words of the reach; unless one returns [`Outcome::DONE`], it calls no other;
//! - returns for every number of `entry`, or goes on until the interrupt word, `fuel` or `rounds` ends it;
//! - takes no more of the stack than a function of a few variables does.
//!
//! It is part of the floor: the only code that may be unsafe, each time with its argument beside it.

mod gate;

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustix::io::Errno;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

pub use gate::Gate;

/// The promise that bytes are code which keeps the [contract](crate).
#[derive(Debug)]
pub struct Proof(());

impl Proof {
    /// Whoever calls this promises it of the bytes that are then given to [`Code::new`].
    #[must_use]
    pub const fn of_translation() -> Proof {
        Proof(())
    }
}

/// Words that a function is lent.
pub const ARGUMENTS: usize = 6;

/// What came of a call, as code reads it: all but [`Outcome::DONE`] end its work. The interrupt word is one, so that a call that
/// went well has nothing to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Outcome(u64);

impl Outcome {
    /// It went well, and code goes on.
    pub const DONE: Outcome = Outcome(0);
    /// It was not made: its site is closed.
    pub const CLOSED: Outcome = Outcome(1 << 32);
    /// It was made, and went wrong: there is a [trouble](Frame::trouble).
    pub const TROUBLE: Outcome = Outcome(2 << 32);

    /// One that code was told.
    #[inline]
    #[must_use]
    pub const fn new(bits: u64) -> Outcome {
        Outcome(bits)
    }

    /// It was made and went well, and the interrupt word is set.
    #[inline]
    #[must_use]
    pub const fn is_interrupted(self) -> bool {
        self.0 > 0 && self.0 < Outcome::CLOSED.0
    }

    #[cold]
    fn closed() -> Outcome {
        Outcome::CLOSED
    }
}

/// What a function is called on: the object of a site, as long as that is open.
#[derive(Debug)]
#[repr(C)]
pub struct Callee<'a, T> {
    object: &'a T,
    closed: &'a AtomicBool,
}

impl<'a, T> Callee<'a, T> {
    /// The object.
    ///
    /// # Errors
    /// What the call comes to if its site is closed.
    #[inline]
    pub fn object(&self) -> Result<&'a T, Outcome> {
        if self.closed.load(Ordering::Acquire) { Err(Outcome::closed()) } else { Ok(self.object) }
    }
}

/// On whose behalf code calls.
#[repr(C)]
pub struct Context<'a, C, F> {
    caller: &'a C,
    interrupt: &'a AtomicU32,
    trouble: Cell<Option<Box<F>>>,
}

impl<C: fmt::Debug, F> fmt::Debug for Context<'_, C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("caller", &self.caller).finish_non_exhaustive()
    }
}

impl<C, F> Context<'_, C, F> {
    /// Who is calling.
    #[inline]
    #[must_use]
    pub fn caller(&self) -> &C {
        self.caller
    }

    /// What a call comes to that went well.
    #[inline]
    #[must_use]
    pub fn done(&self) -> Outcome {
        Outcome(u64::from(self.interrupt.load(Ordering::Relaxed)))
    }

    /// What a call comes to that went wrong.
    #[cold]
    #[must_use]
    pub fn trouble(&self, trouble: F) -> Outcome {
        self.trouble.set(Some(Box::new(trouble)));
        Outcome::TROUBLE
    }
}

/// A function of C that code calls.
pub type Function<T, C, F> =
    extern "C" fn(&Callee<'_, T>, &Context<'_, C, F>, &mut [u64; ARGUMENTS]) -> Outcome;

/// That of closed sites.
extern "C" fn closed<C, F>(_: &Callee<'_, ()>, _: &Context<'_, C, F>, _: &mut [u64; ARGUMENTS]) -> Outcome {
    Outcome::CLOSED
}

/// By whom something is called, and what it returns.
type Called<C, F> = PhantomData<fn(&C) -> F>;

/// A function together with the object that it is for.
#[derive(Debug)]
pub struct Entry<'a, C, F> {
    object: *const (),
    function: *const (),
    lent: PhantomData<&'a ()>,
    called: Called<C, F>,
}

impl<'a, C, F> Entry<'a, C, F> {
    /// `function` of `object`.
    #[must_use]
    pub fn new<T: Sync>(object: &'a T, function: Function<T, C, F>) -> Entry<'a, C, F> {
        Entry {
            object: std::ptr::from_ref(object).cast(),
            function: function as *const (),
            lent: PhantomData,
            called: PhantomData,
        }
    }
}

/// A switch that closes sites. Whoever has one cannot turn it.
#[derive(Clone, Debug)]
pub struct Switch(Arc<AtomicBool>);

impl Switch {
    /// Closes when this is set.
    #[must_use]
    pub fn new(closed: &Arc<AtomicBool>) -> Switch {
        Switch(Arc::clone(closed))
    }
}

static CLOSED: AtomicBool = AtomicBool::new(true);
static NOTHING: () = ();

/// A place from which code calls: the [`Callee`] of its function, and that.
#[derive(Debug)]
#[repr(C)]
struct Site {
    object: *const (),
    closed: *const AtomicBool,
    function: *const (),
}

/// Places from which code calls, by number. They keep the objects that are called there.
#[derive(Debug)]
pub struct Sites<T: ?Sized, C, F> {
    sites: Vec<Site>,
    kept: Vec<(Arc<T>, Switch)>,
    called: Called<C, F>,
}

// SAFETY: objects are `Sync`, so that their functions may be called from any thread, and an `Arc` of them may be sent and dropped
// anywhere; the pointers lead to what `kept` keeps, or to a static.
unsafe impl<T: ?Sized + Send + Sync, C, F> Send for Sites<T, C, F> {}
// SAFETY: as above; a shared reference to sites changes nothing of them.
unsafe impl<T: ?Sized + Send + Sync, C, F> Sync for Sites<T, C, F> {}

impl<T: ?Sized, C, F> Default for Sites<T, C, F> {
    fn default() -> Sites<T, C, F> {
        Sites { sites: Vec::new(), kept: Vec::new(), called: PhantomData }
    }
}

impl<T: ?Sized + Send + Sync, C, F> Sites<T, C, F> {
    /// Adds a site, where code calls what `entry` finds in `object` until `switch` closes it; closed if there is nothing.
    pub fn add(
        &mut self,
        object: &Arc<T>,
        switch: &Switch,
        entry: impl for<'k> FnOnce(&'k T) -> Option<Entry<'k, C, F>>,
    ) {
        let Some(Entry { object: called, function, .. }) = entry(object) else { return self.add_closed() };
        // The entry lives as long as the object does, wherever the `Arc` lies that keeps it.
        self.sites.push(Site { object: called, closed: Arc::as_ptr(&switch.0), function });
        self.kept.push((Arc::clone(object), switch.clone()));
    }

    /// Adds a site where nothing is called.
    pub fn add_closed(&mut self) {
        let function: Function<(), C, F> = closed;
        self.sites.push(Site {
            object: (&raw const NOTHING),
            closed: &raw const CLOSED,
            function: function as *const (),
        });
    }

    /// Takes all sites away, and lets go of their objects.
    pub fn clear(&mut self) {
        self.sites.clear();
        self.kept.clear();
    }

    /// Their number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }
}

/// What may be used up, and is counted down by code.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Left {
    /// Instructions.
    pub fuel: i64,
    /// Calls.
    pub calls: u64,
    /// Calls that write.
    pub writes: u64,
    /// Rounds of a loop whose instructions and calls were looked at beforehand.
    pub rounds: u64,
}

/// What code works on, in the order that it knows.
#[derive(Debug)]
#[repr(C)]
pub struct Frame<'a, C, F> {
    context: Context<'a, C, F>,
    slots: *mut u64,
    sites: *const Site,
    /// What is left.
    pub left: Left,
    reach: Reach,
    lent: PhantomData<&'a mut [u64]>,
}

/// Offsets in [`Frame`] and in sites.
pub mod layout {
    use std::mem::offset_of;

    use super::{Context, Frame, Left, Site};

    const LEFT: usize = offset_of!(Frame<'_, (), ()>, left);
    // What functions are given as their context.
    const _: () = assert!(offset_of!(Frame<'_, (), ()>, context) == 0);
    /// Address of the interrupt word.
    pub const INTERRUPT: usize = offset_of!(Context<'_, (), ()>, interrupt);
    /// Address of the variable table.
    pub const SLOTS: usize = offset_of!(Frame<'_, (), ()>, slots);
    /// Address of the first site.
    pub const SITES: usize = offset_of!(Frame<'_, (), ()>, sites);
    /// See [`Left::fuel`].
    pub const FUEL: usize = LEFT + offset_of!(Left, fuel);
    /// See [`Left::calls`].
    pub const CALLS: usize = LEFT + offset_of!(Left, calls);
    /// See [`Left::writes`].
    pub const WRITES: usize = LEFT + offset_of!(Left, writes);
    /// See [`Left::rounds`].
    pub const ROUNDS: usize = LEFT + offset_of!(Left, rounds);
    /// Bytes of a site.
    pub const SITE: usize = size_of::<Site>();
    /// Of a site: address of its function.
    pub const FUNCTION: usize = offset_of!(Site, function);
}

impl<'a, C, F> Frame<'a, C, F> {
    /// Lends the variable table, the interrupt word, who is calling, and sites.
    #[inline]
    pub fn new<T: ?Sized + Send + Sync>(
        slots: &'a mut [u64],
        interrupt: &'a AtomicU32,
        caller: &'a C,
        sites: &'a Sites<T, C, F>,
        left: Left,
    ) -> Frame<'a, C, F> {
        Frame {
            context: Context { caller, interrupt, trouble: Cell::new(None) },
            reach: Reach { words: slots.len(), sites: sites.len() },
            slots: slots.as_mut_ptr(),
            sites: sites.sites.as_ptr(),
            left,
            lent: PhantomData,
        }
    }

    /// What the last function that was called came to, if that went wrong.
    #[inline]
    pub fn trouble(&mut self) -> Option<Box<F>> {
        self.context.trouble.take()
    }
}

/// How far code reaches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reach {
    /// Words of the variable table.
    pub words: usize,
    /// Sites.
    pub sites: usize,
}

/// Machine code, until it is dropped.
pub struct Code {
    base: NonNull<u8>,
    len: usize,
    reach: Reach,
}

// SAFETY: the mapping belongs to this value alone (it is unmapped by its drop and nowhere else), no thread is bound to it, and
// nobody writes it after `new`.
unsafe impl Send for Code {}
// SAFETY: as above; what code changes is in the frame, which is lent to it alone.
unsafe impl Sync for Code {}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Code {
    /// Makes `bytes` executable, which reach as far as `reach` says.
    ///
    /// # Errors
    /// The system's; [`Errno::NOTSUP`] on machines that this file does not know.
    pub fn new(_proof: Proof, bytes: &[u8], reach: Reach) -> Result<Code, Errno> {
        // Others must be told, too, that there are new instructions.
        if !cfg!(target_arch = "x86_64") {
            return Err(Errno::NOTSUP);
        }
        let (len, protection) = (bytes.len(), ProtFlags::READ | ProtFlags::WRITE);
        // SAFETY: the address is left to the system, so nothing that exists is replaced.
        let base = unsafe { mmap_anonymous(std::ptr::null_mut(), len, protection, MapFlags::PRIVATE) }?;
        // From here on it is unmapped by the value's drop.
        let code = Code { base: NonNull::new(base.cast()).ok_or(Errno::NOMEM)?, len, reach };
        // SAFETY: the mapping has `len` bytes, is writable, and new, so that `bytes` does not overlap it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), code.base.as_ptr(), len) };
        // SAFETY: the pages are those of this mapping, to which nothing refers.
        unsafe { mprotect(base, len, MprotectFlags::READ | MprotectFlags::EXEC) }?;
        Ok(code)
    }

    /// Bytes of code.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "the system maps nothing of no length")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Runs the code from its entry of this number; what it returns.
    ///
    /// # Panics
    /// If the frame's variable table or sites are shorter than the code reaches.
    #[inline]
    pub fn run<C, F>(&self, entry: u32, frame: &mut Frame<'_, C, F>) -> u64 {
        let (has, reaches) = (frame.reach, self.reach);
        assert!(
            has.words >= reaches.words && has.sites >= reaches.sites,
            "{has:?} where {reaches:?} is reached"
        );
        // SAFETY: a pointer to executable memory that lives as long as `self`, whose first byte begins a function of this
        // type: that is what the proof that `new` was given says.
        let code = unsafe {
            std::mem::transmute::<NonNull<u8>, unsafe extern "C" fn(*mut Frame<'_, C, F>, u64) -> u64>(
                self.base,
            )
        };
        // SAFETY: by its contract it touches nothing but the frame, which is lent to us alone, and what its pointers lead to: a
        // table that is as long as was just checked, lent to the frame alone; a word that is only read, which an aligned load of
        // this machine does as an atomic does; and sites, of which there are as many as was just checked. Each begins as a
        // `Callee` does, with an object and a switch that its `Sites` keep or that are static, and has a function for that type of
        // object, for the frame's type of caller and for its type of trouble: that is what `Entry::new`, `Sites::add`,
        // `Sites::add_closed` and `Frame::new` have in common. A frame begins with its context, which functions share and code
        // leaves alone. The words that a function is lent belong to the table, and code does not touch them meanwhile. All of it
        // is borrowed for longer than the call.
        unsafe { code(frame, u64::from(entry)) }
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, with this base and length; nobody runs in it, since `run` borrows the value.
        // That unmapping fails would be a bug of ours; nothing could be done about it.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.len) };
    }
}
