//! A domain: heap, statics, threads and limits of its own, over classes that it shares with others.
//!
//! It runs on one processor at a time: whoever has it is the only one who has. Threads are switched where the interpreter
//! stops, so nothing in a domain needs a lock.

mod calls;
mod initialize;
mod interned;
mod linking;
mod memory;
mod monitors;
mod objects;
mod output;
mod outside;
pub mod schedule;
mod time;
mod work;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::class::{ClassId, MethodId};
use crate::heap::{Ref, Space};
use crate::io::Io;
use crate::sparse::Sparse;
use crate::thread::{Thread, ThreadId};
use crate::universe::{LinkError, Universe, full};

pub use calls::{CallError, Value};
use interned::Interned;
pub(crate) use memory::MOVED_BYTES;
pub use memory::{Collecting, Heap, HeapStatistics};
pub(crate) use monitors::{Holders, Monitor, NOTIFIED, deeper, shallower};
pub(crate) use objects::told;
pub use objects::{IN_NATIVE, Places, box_of, modified, units};
pub(crate) use output::{HELD_MAX, Stream};
pub use outside::Handle;
use work::Work;

/// States of a class within a domain.
pub(crate) const READY: u8 = 2;
const BEGUN: u8 = 1;
const FAILED: u8 = 3;

/// Frames up to which calls are made without a look at the limit.
pub(crate) const FRAMES_FAST: usize = 1 << 10;

/// What a domain may use. The defaults are for one program of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions of all threads; moving or clearing 64 bytes counts as one, and so does a native's reading eight bytes or chars;
    /// an object that is collected and stays, a call of a native, what it looks up, an exception and a turn of a thread count as some more.
    pub instructions: u64,
    /// Processor time of all threads.
    pub time: Duration,
    /// Time that passes while it runs, or all its threads wait.
    pub elapsed: Duration,
    /// Bytes of the heap, within [`Limits::HEAP`]; there are 32 KiB more for errors that tell that they are used up.
    pub heap: u64,
    /// Threads at a time.
    pub threads: u32,
    /// Bytes of classes that it has made: guests' and those that are made while it runs, for example proxies. They are the universe's,
    /// and never given back. Programs begin with no less than [`Limits::CLASSES_LEAST`].
    pub classes: u64,
    /// Frames of a thread; the library begins with no less than [`Limits::FRAMES_LEAST`].
    pub frames: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of the stacks of all threads together; each thread begins with no less than [`Limits::STACK_LEAST`].
    pub stacks: u64,
}

impl Limits {
    /// What a heap can be limited to; another limit is taken as the nearest of these.
    pub const HEAP: RangeInclusive<u64> = 64 << 10..=32 << 30;
    /// With so many bytes of classes a program of one class can begin.
    pub const CLASSES_LEAST: u64 = 64 << 10;
    /// With so many frames a thread can begin the library.
    pub const FRAMES_LEAST: u32 = 64;
    /// So many bytes of its stack each thread has to itself, whatever others have.
    pub const STACK_LEAST: u64 = crate::thread::STACK_LEAST as u64;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            instructions: u64::MAX,
            time: Duration::MAX,
            elapsed: Duration::MAX,
            heap: 256 << 20,
            threads: 1024,
            classes: 128 << 20,
            frames: 12_000,
            registers: 512 << 10,
            stacks: 128 << 20,
        }
    }
}

/// Why a domain was ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// It asked for it, with this code.
    #[error("exit with {0}")]
    Exit(i32),
    /// It used up its instructions.
    #[error("the limit of {0} instructions is reached")]
    Instructions(u64),
    /// It used up its processor time.
    #[error("the limit of {} ms of processor time is reached", .0.as_millis())]
    Time(Duration),
    /// It took too long, waiting included.
    #[error("the limit of {} ms is reached", .0.as_millis())]
    Elapsed(Duration),
    /// There is no memory left even to tell.
    #[error("there is no memory left to throw an OutOfMemoryError")]
    Memory,
    /// No thread can go on.
    #[error("all threads wait for each other")]
    Deadlock,
    /// Somebody outside ended it.
    #[error("ended from outside")]
    Outside,
    /// The class of `main` cannot be initialized, or a method that a thread is to run cannot be begun.
    #[error("{0}")]
    Main(LinkError),
    /// A mistake of the runtime.
    #[error("internal error: {0}")]
    Internal(String),
}

/// A static field.
#[derive(Clone, Copy, Default)]
pub(crate) struct Static {
    pub(crate) value: u64,
    /// Its class is initialized.
    pub(crate) is_ready: bool,
}

/// A domain.
pub struct Domain {
    /// Its classes.
    pub universe: Arc<Universe>,
    /// Its objects.
    pub heap: Heap,
    /// Static fields by number.
    pub(crate) statics: Sparse<Static>,
    /// States of classes by number.
    pub(crate) states: Sparse<u8>,
    /// Of classes whose initialization failed, an exception that tells why.
    pub(crate) failures: BTreeMap<ClassId, Ref>,
    /// Who waits for which class.
    pub(crate) waiting: Vec<(ClassId, ThreadId)>,
    /// `Class` objects by number of the class.
    pub(crate) mirrors: Sparse<Ref>,
    /// `Module` objects: that of guests, that of the library, and those that the library makes for proxies.
    pub(crate) modules: Vec<Ref>,
    /// For each class of proxies, the loader that it was made for.
    pub(crate) proxies: BTreeMap<ClassId, Ref>,
    /// String constants by number.
    pub(crate) strings: Sparse<Ref>,
    interned: Interned,
    pub(crate) monitors: BTreeMap<Ref, Monitor>,
    pub(crate) holders: Holders,
    pub(crate) threads: BTreeMap<ThreadId, Option<Box<Thread>>>,
    pub(crate) turn: VecDeque<ThreadId>,
    /// When threads are woken that wait.
    pub(crate) timers: BTreeSet<(Instant, ThreadId)>,
    /// How many threads there are that are no daemons.
    pub(crate) users: u32,
    pub(crate) work: Work,
    pub(crate) next_thread: u32,
    /// References that were cleared and not handed to their queues yet.
    pub(crate) cleared: Vec<Ref>,
    /// What it may use.
    pub limits: Limits,
    /// Instructions that were used.
    pub instructions: u64,
    /// Processor time that was used.
    pub time: Duration,
    /// Time that passed while it ran or waited.
    pub elapsed: Duration,
    /// What clocks said when time was counted last.
    clocks: time::Clocks,
    /// Bytes of classes that it has had made.
    pub classes: u64,
    /// Counted up to give objects their identity hashes.
    pub(crate) hashes: u32,
    /// Where fields are that the runtime needs.
    pub(crate) places: Places,
    /// Where the fields of handles of variables are, once one was used.
    pub(crate) variable_places: Option<[u32; 5]>,
    /// Method types and method handles that are constants of classes.
    pub(crate) computed: BTreeMap<(ClassId, u16), Ref>,
    /// How many kinds of method handles it brought into being.
    pub(crate) adapters: u32,
    /// When it began.
    pub(crate) began: Instant,
    /// Its properties, for `System.getProperty`.
    pub properties: Vec<(String, String)>,
    /// Which classes check assertions, unless it says otherwise itself.
    pub assertions: crate::native::Assertions,
    /// The thread of `main`, with its class and method until they are begun.
    pub(crate) main: Option<(ThreadId, Option<(ClassId, MethodId)>)>,
    /// The `Thread` that the library was started with: `main`'s, and that of calls from outside, each in its turn.
    pub(crate) first: Ref,
    /// It was unparked in an earlier call.
    pub(crate) first_permit: bool,
    /// What the program ends with.
    pub(crate) code: i32,
    /// Whether what is to be run at the end was begun.
    pub(crate) shut: bool,
    /// What natives keep outside of the heap.
    pub(crate) held: crate::native::library::Held,
    /// Why it was ended. Nothing runs in it from then on.
    ended: Option<Ended>,
    /// A call that was asked for from outside.
    asked: Option<calls::Asked>,
    /// By which it is ended from outside.
    handle: Handle,
}

impl Domain {
    /// A domain over classes, in which nothing runs yet.
    ///
    /// # Errors
    /// If core classes are not as they should be.
    pub fn new(universe: Arc<Universe>, limits: Limits, io: Io) -> Result<Domain, LinkError> {
        let places = Places::find(&universe)?;
        let space = Space::new(memory::FIRST_WORDS, 1).map_err(full)?;
        Ok(Domain {
            heap: Heap::new(space, limits.heap),
            statics: Sparse::default(),
            states: Sparse::default(),
            failures: BTreeMap::new(),
            waiting: Vec::new(),
            mirrors: Sparse::default(),
            modules: vec![crate::heap::NULL; 2],
            proxies: BTreeMap::new(),
            strings: Sparse::default(),
            interned: Interned::default(),
            monitors: BTreeMap::new(),
            holders: Holders::default(),
            threads: BTreeMap::new(),
            turn: VecDeque::new(),
            timers: BTreeSet::new(),
            users: 0,
            work: Work::new(io),
            next_thread: 1,
            cleared: Vec::new(),
            limits,
            instructions: 0,
            time: Duration::ZERO,
            elapsed: Duration::ZERO,
            clocks: time::Clocks::now(),
            classes: 0,
            hashes: 0x2545_f491,
            places,
            variable_places: None,
            computed: BTreeMap::new(),
            adapters: 0,
            began: Instant::now(),
            properties: Vec::new(),
            assertions: crate::native::Assertions::default(),
            main: None,
            first: crate::heap::NULL,
            first_permit: false,
            code: 0,
            shut: false,
            held: crate::native::library::Held::default(),
            ended: None,
            asked: None,
            handle: Handle::default(),
            universe,
        })
    }
}
