//! A Java thread: registers, frames, and what it waits for. Its stack is data, so a thread is switched by running another.

use std::time::Instant;

use crate::class::{ClassId, MethodId};
use crate::domain::FRAMES_FAST;
use crate::heap::{NULL, Ref};
use crate::universe::Universe;

/// Registers that a window has: what an operation can name in 8 bits.
pub const WINDOW: usize = 256;

/// Number of a thread within its domain. Numbers are not used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub u32);

/// What is done when a frame is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Nothing but going on in the frame below.
    Plain,
    /// The monitor of this object is left.
    Monitor(Ref),
    /// It is an initializer: what [the class](Begun) needs next is done.
    Initializer,
    /// It computed this constant of a class.
    Constant(ClassId, u16),
    /// It was called by reflection, from a native with these registers: what it returns is boxed, what it throws is wrapped. The monitor
    /// of this object is left, if it is not null.
    Box(Ref, Caller),
    /// It is a constructor that was called by reflection, for this object.
    New(Ref, Caller),
    /// It is `doStackWalk` of a walker.
    Walk(Caller),
    /// It is `loadClass` of a loader that was asked for a class: the loader has what it returns from now on, and the native is called
    /// again. The monitor of this object, which is the loader, is left, if it is not null.
    Load(Ref, Caller),
}

/// The first register of a native that called a method, and takes what it returns there. It is kept apart, since where the registers
/// of that method lie does not tell it: with many variables they are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller(pub u32);

/// Registers between those of such a native and those of the method that it calls: what the native was called
/// with stays as it is, since it may have to be called again.
pub const BELOW: usize = 8;

/// A method that runs.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The method.
    pub method: MethodId,
    /// The operation that comes next, or is being done: below another frame, the one that called it or needs its class.
    pub pc: u32,
    /// Its first register.
    pub base: u32,
    /// What is done when it is left.
    pub leaving: Leaving,
}

/// A class whose initialization a thread has begun, and that it goes on with when it has no more frames than then.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    /// The class.
    pub class: ClassId,
    /// How many frames there were: nothing that comes now is done in the last of them before the class is initialized.
    pub frames: usize,
    /// Whether its initializer was entered; until then, classes above it come first.
    pub is_entered: bool,
    /// How many of the interfaces that come before it are known to be initialized.
    pub passed: usize,
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wait {
    /// Nothing.
    #[default]
    Nothing,
    /// To enter a monitor.
    Monitor(Ref),
    /// To be notified.
    Notify(Ref),
    /// Until it is unparked.
    Park,
    /// For time to pass.
    Sleep,
    /// For a class that another thread initializes.
    Class(ClassId),
    /// For a worker thread to finish what was asked of it.
    Work,
    /// For references that are cleared.
    References,
}

/// How far the end of a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// It has not begun: its `run` is called next.
    Starts,
    /// It runs.
    Runs,
    /// Its uncaught exception is being told.
    Tells,
    /// It leaves its group.
    Leaves,
}

/// Registers that each thread may have, whatever others have.
const REGISTERS_LEAST: usize = 1 << 12;
/// Bytes of the stack that each thread may have, whatever others have.
pub(crate) const STACK_LEAST: usize = stack_bytes(REGISTERS_LEAST, FRAMES_FAST);

const fn stack_bytes(registers: usize, frames: usize) -> usize {
    registers * (size_of::<u64>() + size_of::<Ref>()) + frames * size_of::<Frame>()
}

/// A Java thread.
pub struct Thread {
    /// Its number.
    pub id: ThreadId,
    /// Its `Thread` object; null as long as nobody asked for it.
    pub object: Ref,
    /// Registers as numbers.
    pub numbers: Vec<u64>,
    /// Registers as references.
    pub references: Vec<Ref>,
    /// Frames, the running one last.
    pub frames: Vec<Frame>,
    /// Classes that it initializes. One that another needs comes after that.
    pub begun: Vec<Begun>,
    /// What it waits for.
    pub wait: Wait,
    /// When it is woken in any case.
    pub deadline: Option<Instant>,
    /// How far an operation came that waits within: the count of a monitor that `wait` gave up, for example.
    pub phase: u32,
    /// What a worker thread did for it.
    pub answer: Option<std::io::Result<Vec<u8>>>,
    /// Where what it wrote to standard output and error ends.
    pub wrote: [u64; 2],
    /// Its number as a holder of [locks](crate::heap::Space::lock), 0 for none.
    pub holder: u8,
    /// Whether the program may end before it does.
    pub is_daemon: bool,
    /// Whether it was unparked and did not park since.
    pub permit: bool,
    /// The method of ours that throws: it has no frame.
    pub native: Option<MethodId>,
    /// An exception for which a handler is looked for since a slice before: in the frames that are left.
    pub thrown: Ref,
    /// The exception that ended it.
    pub uncaught: Ref,
    /// Whether it came to the limit of its frames; some more are there for the error.
    pub overflowed: bool,
    /// How far its end is.
    pub ending: Ending,
    /// What it needs before it has a frame: the arguments of `main`.
    pub held: Ref,
}

impl Thread {
    /// A thread that has nothing to run yet.
    #[must_use]
    pub fn new(id: ThreadId) -> Thread {
        Thread {
            id,
            object: NULL,
            numbers: vec![0; WINDOW],
            references: vec![NULL; WINDOW],
            frames: Vec::new(),
            begun: Vec::new(),
            wait: Wait::Nothing,
            deadline: None,
            phase: 0,
            answer: None,
            wrote: [0; 2],
            holder: 0,
            is_daemon: false,
            permit: false,
            native: None,
            thrown: NULL,
            uncaught: NULL,
            overflowed: false,
            ending: Ending::Runs,
            held: NULL,
        }
    }

    /// Where the registers of another frame can begin: behind those of the running one, which has so many.
    #[must_use]
    pub fn above(&self, registers: u32) -> u32 {
        self.frames.last().map_or(0, |frame| frame.base + registers)
    }

    /// Behind all registers that are used: those of the running frame, and a window for the arguments of a native, which has no frame.
    pub(crate) fn end(&self, universe: &Universe) -> usize {
        let frame = self.frames.last();
        let code = frame.and_then(|frame| universe.method(frame.method)?.translated());
        self.above(code.map_or(0, |code| code.registers)) as usize + WINDOW
    }

    /// Whether a window at `base` is there, and a place for one frame more.
    pub(crate) fn has_room(&self, base: usize) -> bool {
        base + WINDOW <= self.numbers.len() && self.frames.len() < self.frames.capacity()
    }

    /// Bytes of its stack.
    pub(crate) fn stack_bytes(&self) -> usize {
        stack_bytes(self.numbers.len(), self.frames.capacity())
    }

    /// Bytes of its stack when there is room for a window at `base` and one frame more.
    pub(crate) fn stack_bytes_with(&self, base: usize) -> usize {
        let frames = self.frames.capacity();
        let frames = if self.frames.len() < frames { frames } else { 2 * frames };
        stack_bytes(self.room(base), frames)
    }

    /// As many registers as there are with a window at `base`.
    fn room(&self, base: usize) -> usize {
        let needed = base + WINDOW;
        if needed <= self.numbers.len() { self.numbers.len() } else { needed.next_power_of_two() }
    }

    /// Makes room for a window at `base` and one frame more, and for some more, so that this is seldom done.
    pub(crate) fn grow(&mut self, base: usize) {
        self.reserve(self.room(base) - WINDOW);
        self.frames.reserve(1);
    }

    /// Makes sure that a window at `base` is there, and no more.
    pub fn reserve(&mut self, base: usize) {
        let needed = base + WINDOW;
        if let Some(missing) = needed.checked_sub(self.numbers.len()).filter(|missing| *missing > 0) {
            self.numbers.reserve_exact(missing);
            self.numbers.resize(needed, 0);
            self.references.reserve_exact(missing);
            self.references.resize(needed, NULL);
        }
    }

    /// Gives back what is not used of its stack, if that is most of it.
    pub(crate) fn trim(&mut self, universe: &Universe) {
        if self.stack_bytes() <= STACK_LEAST {
            return;
        }
        let kept = self.end(universe).max(REGISTERS_LEAST);
        if kept < self.numbers.len() / 4 {
            self.numbers.truncate(kept);
            self.numbers.shrink_to_fit();
            self.references.truncate(kept);
            self.references.shrink_to_fit();
        }
        if self.frames.len().max(FRAMES_FAST) < self.frames.capacity() / 4 {
            self.frames.shrink_to(FRAMES_FAST);
        }
    }

    /// All references that it holds, in registers below `end`. Those above are cleared: no frame has them.
    pub(crate) fn roots(&mut self, end: usize, visit: &mut dyn FnMut(&mut Ref)) {
        let end = end.min(self.references.len());
        let (held, rest) = self.references.split_at_mut(end);
        rest.fill(NULL);
        held.iter_mut().for_each(&mut *visit);
        for frame in &mut self.frames {
            match &mut frame.leaving {
                Leaving::Monitor(object)
                | Leaving::Box(object, _)
                | Leaving::New(object, _)
                | Leaving::Load(object, _) => visit(object),
                Leaving::Plain | Leaving::Initializer | Leaving::Constant(..) | Leaving::Walk(_) => {}
            }
        }
        match &mut self.wait {
            Wait::Monitor(object) | Wait::Notify(object) => visit(object),
            _ => {}
        }
        visit(&mut self.object);
        visit(&mut self.thrown);
        visit(&mut self.uncaught);
        visit(&mut self.held);
    }
}
