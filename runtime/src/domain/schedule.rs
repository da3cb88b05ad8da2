//! Threads in turn: each runs for a slice, in the order in which they can.

use std::time::{Duration, Instant};

use carnet_classes::class::flags;

use super::{Collecting, Domain, Ended};
use crate::class::{Body, ClassId, Method, MethodId};
use crate::collect::Soft;
use crate::heap::{NULL, Ref};
use crate::interpret::{Stop, run};
use crate::native::Trap;
use crate::thread::{Ending, Frame, Leaving, STACK_LEAST, Thread, ThreadId, Wait};
use crate::universe::LinkError;

/// Instructions of a slice.
const SLICE: i64 = 50_000;
/// What it takes to let another thread run, in instructions.
const TURN: u64 = 64;
/// `threadStatus` of a thread that has ended.
const TERMINATED: u32 = 2;
/// How long is slept at most when all threads wait, and how long who was ended waits for what it wrote.
pub(super) const IDLE: Duration = Duration::from_secs(1);
/// Those of a slice where each begins with a collection.
const SLICE_SHORT: i64 = 2_000;

impl Domain {
    /// Adds a thread, while one runs whose stack has so many bytes.
    ///
    /// # Errors
    /// If there are as many as there may be, or the stacks of the others leave none for it.
    pub(crate) fn add_thread(&mut self, running: usize) -> Result<Box<Thread>, Trap> {
        let full = |what: &str| {
            let message = format!("unable to create native thread: the limit of {what} is reached");
            Err(Trap::New("java/lang/OutOfMemoryError", Some(message)))
        };
        if self.threads.len() >= self.limits.threads as usize {
            return full("threads");
        }
        if self.others_bytes() + (running + STACK_LEAST) as u64 > self.limits.stacks {
            return full("stacks");
        }
        let id = ThreadId(self.next_thread);
        self.next_thread += 1;
        Ok(Box::new(Thread::new(id)))
    }

    /// Adds a thread for what is run from outside. Once the library was started, it is the one that Java knows as its first.
    ///
    /// # Errors
    /// As [`Domain::add_thread`].
    pub(crate) fn first_thread(&mut self) -> Result<Box<Thread>, Trap> {
        let mut thread = self.add_thread(0)?;
        thread.object = self.first;
        if thread.object != NULL {
            thread.permit = std::mem::take(&mut self.first_permit);
            self.heap.space.set_u64(thread.object, self.places.thread, u64::from(thread.id.0))?;
        }
        Ok(thread)
    }

    /// Lets a thread take its turns.
    pub(crate) fn start(&mut self, mut thread: Box<Thread>) {
        let daemon = self.heap.space.u8(thread.object, self.places.daemon);
        thread.is_daemon = thread.object != NULL && daemon.is_ok_and(|daemon| daemon != 0);
        thread.holder = self.holders.add(thread.id);
        self.users += u32::from(!thread.is_daemon);
        self.turn.push_back(thread.id);
        self.threads.insert(thread.id, Some(thread));
    }

    /// Another thread, that is not running.
    pub(crate) fn other(&mut self, id: ThreadId) -> Option<&mut Thread> {
        self.threads.get_mut(&id)?.as_deref_mut()
    }

    /// Lets a thread go on that waits: it looks again whether it can.
    pub(crate) fn wake(&mut self, id: ThreadId) {
        let Some(thread) = self.threads.get_mut(&id).and_then(Option::as_deref_mut) else { return };
        if thread.wait != Wait::Nothing {
            thread.wait = Wait::Nothing;
            if let Some(deadline) = thread.deadline.take() {
                self.timers.remove(&(deadline, id));
            }
            self.turn.push_back(id);
        }
    }

    pub(crate) fn wake_for_class(&mut self, class: ClassId) {
        let woken: Vec<ThreadId> =
            self.waiting.extract_if(.., |(of, _)| *of == class).map(|(_, id)| id).collect();
        woken.into_iter().for_each(|id| self.wake(id));
    }

    /// There are references to be handed to their queues.
    pub(crate) fn wake_for_references(&mut self) {
        let threads = self.threads.values().flatten();
        let waiting = threads.filter(|thread| thread.wait == Wait::References).map(|thread| thread.id);
        let waiting: Vec<ThreadId> = waiting.collect();
        waiting.into_iter().for_each(|id| self.wake(id));
    }

    /// Begins a method whose arguments lie from `base` on, in its monitor if it is synchronized.
    ///
    /// # Errors
    /// [`Trap`]; nothing has begun then.
    pub(crate) fn enter_frame(
        &mut self,
        thread: &mut Thread,
        method: &Method,
        base: u32,
        leaving: Leaving,
    ) -> Result<(), Trap> {
        match self.universe.body(method)? {
            Body::Code(_) => {}
            Body::Refused(why) => return Err(Trap::Link(self.universe.refusal(method, why))),
            Body::Abstract | Body::Native(_) => {
                let name = self.universe.method_name(method);
                return Err(Trap::Link(LinkError::new("java/lang/UnsatisfiedLinkError", name)));
            }
        }
        if !self.may_enter(thread, base) {
            thread.overflowed = true;
            return Err(Trap::New("java/lang/StackOverflowError", None));
        }
        let leaving = match leaving {
            Leaving::Plain if method.has(flags::SYNCHRONIZED) => {
                Leaving::Monitor(self.enter_of(thread, method, base)?)
            }
            Leaving::Box(_, caller) if method.has(flags::SYNCHRONIZED) => {
                Leaving::Box(self.enter_of(thread, method, base)?, caller)
            }
            Leaving::Load(loader, _) if loader != NULL && !self.enter(thread, loader)? => {
                return Err(Trap::Wait);
            }
            // Of initializers and constructors, the flag means nothing.
            other => other,
        };
        thread.frames.push(Frame { method: method.id, pc: 0, base, leaving });
        Ok(())
    }

    /// Enters the monitor of a synchronized method: that of its class, or of the object that it is called on.
    fn enter_of(&mut self, thread: &mut Thread, method: &Method, base: u32) -> Result<Ref, Trap> {
        let object = if method.is_static() {
            self.mirror(method.class)?
        } else {
            thread.references.get(base as usize).copied().ok_or(Trap::Stray)?
        };
        if self.enter(thread, object)? { Ok(object) } else { Err(Trap::Wait) }
    }

    /// Begins a method on a thread that has nothing to run. Its arguments were put into the first registers.
    ///
    /// # Errors
    /// [`Trap`]; nothing has begun then.
    pub(crate) fn put(&mut self, thread: &mut Thread, method: MethodId) -> Result<(), Trap> {
        let universe = std::sync::Arc::clone(&self.universe);
        self.enter_frame(thread, universe.method(method).ok_or(Trap::Stray)?, 0, Leaving::Plain)
    }

    /// As [`Domain::put`], as soon as there is room; `false` if the thread waits for the method's monitor first.
    pub(super) fn begins(&mut self, thread: &mut Thread, method: MethodId) -> Result<bool, Ended> {
        loop {
            match self.put(thread, method) {
                Ok(()) => return Ok(true),
                Err(Trap::Wait) => return Ok(false),
                Err(Trap::Collect(bytes)) => self.need(thread, bytes)?,
                Err(trap) => return Err(refused(trap)),
            }
        }
    }

    /// Runs all threads until only daemons are left, or the domain is ended: then it stays so.
    pub fn run_all(&mut self) -> Result<(), Ended> {
        self.is_over()?;
        let ran = self.paying(|domain| {
            let ended = domain.run_threads();
            domain.finish_writing(ended)
        });
        self.ended = ran.clone().err();
        ran
    }

    /// Whether it was ended, and why. Its threads stand where they stood then, with the locks that they held.
    ///
    /// # Errors
    /// [`Ended`].
    pub(crate) fn is_over(&self) -> Result<(), Ended> {
        self.ended.clone().map_or(Ok(()), Err)
    }

    fn run_threads(&mut self) -> Result<(), Ended> {
        loop {
            self.may_go_on()?;
            self.wake_sleepers()?;
            if self.is_working() {
                self.take_answers(Duration::ZERO);
            }
            let Some(id) = self.turn.pop_front() else {
                self.wait_for_others()?;
                continue;
            };
            let Some(mut thread) = self.threads.get_mut(&id).and_then(Option::take) else { continue };
            let stop = self.turn_of(&mut thread)?;
            let goes_on = match stop {
                Stop::Slice | Stop::Waits => true,
                Stop::Done => self.done(&mut thread)?,
                Stop::Ended(ended) => return Err(ended),
            };
            if goes_on {
                self.put_back(thread);
                continue;
            }
            if self.asked.as_ref().is_some_and(|asked| asked.thread == id) {
                self.threads.insert(id, Some(thread));
                return Ok(());
            }
            self.threads.remove(&id);
            self.holders.remove(thread.holder);
            self.users -= u32::from(!thread.is_daemon);
            if self.users == 0 && !self.shut_down()? {
                return Ok(());
            }
        }
    }

    /// Puts a thread back until its next turn, which is when what it waits for has come.
    fn put_back(&mut self, mut thread: Box<Thread>) {
        let id = thread.id;
        thread.trim(&self.universe);
        if thread.wait == Wait::Nothing {
            thread.deadline = None;
            self.turn.push_back(id);
        } else if let Some(deadline) = thread.deadline {
            self.timers.insert((deadline, id));
        }
        self.threads.insert(id, Some(thread));
    }

    /// Runs one thread until it stops, a slice at most.
    fn turn_of(&mut self, thread: &mut Thread) -> Result<Stop, Ended> {
        let left = self.limits.instructions.saturating_sub(self.instructions);
        if left == 0 {
            return Err(Ended::Instructions(self.limits.instructions));
        }
        let mut slice = SLICE.min(i64::try_from(left).unwrap_or(i64::MAX));
        if self.heap.collecting == Collecting::Always {
            slice = slice.min(SLICE_SHORT);
            if !self.collect(thread, Soft::Keep).map_err(|stray| Ended::Internal(stray.to_string()))? {
                return Err(Ended::Memory);
            }
        }
        let (stop, rest) = run(self, thread, slice);
        self.instructions = self.instructions.saturating_add((slice - rest).max(0) as u64 + TURN);
        if self.instructions >= self.limits.instructions {
            return Err(Ended::Instructions(self.limits.instructions));
        }
        Ok(stop)
    }

    fn wake_sleepers(&mut self) -> Result<(), Ended> {
        if self.timers.is_empty() {
            return Ok(());
        }
        let now = Instant::now();
        while let Some((_, id)) = self.timers.first().copied().filter(|(deadline, _)| *deadline <= now) {
            self.timers.pop_first();
            self.wake_early(id).map_err(|_| Ended::Internal("a thread that waits".to_owned()))?;
        }
        Ok(())
    }

    /// All threads wait: sleeps until the first one is due, or a worker is done.
    fn wait_for_others(&mut self) -> Result<(), Ended> {
        let first = self.timers.first().map(|(deadline, _)| *deadline);
        if first.is_none() && !self.is_working() {
            return Err(Ended::Deadlock);
        }
        // Who reads it need not wait as well.
        self.pass_output_on();
        let rest = first.map_or(IDLE, |deadline| deadline.saturating_duration_since(Instant::now()));
        self.take_answers(rest.min(IDLE).min(self.elapsed_left()));
        Ok(())
    }

    /// A thread has nothing left to run. Returns whether it has something else to do before it goes.
    fn done(&mut self, thread: &mut Thread) -> Result<bool, Ended> {
        thread.frames.clear();
        let internal = |error: LinkError| Ended::Internal(error.to_string());
        if self.call_begins(thread)? || self.main_begins(thread)? {
            return Ok(true);
        }
        if self.asked.as_ref().is_some_and(|asked| asked.thread == thread.id) {
            return Ok(false);
        }
        if thread.ending == Ending::Starts {
            return self.run_begins(thread);
        }
        let uncaught = std::mem::replace(&mut thread.uncaught, NULL);
        let universe = std::sync::Arc::clone(&self.universe);
        let class = universe.class(universe.known().thread).filter(|_| thread.object != NULL);
        let Some(class) = class else { return Ok(false) };
        let is_main = self.main.is_some_and(|(id, _)| id == thread.id);
        let (name, descriptor): (&[u8], &[u8]) = match thread.ending {
            Ending::Runs if uncaught != NULL => {
                if is_main {
                    self.code = 1;
                }
                thread.ending = Ending::Tells;
                (b"dispatchUncaughtException", b"(Ljava/lang/Throwable;)V")
            }
            Ending::Starts | Ending::Runs | Ending::Tells => {
                if uncaught != NULL {
                    self.tell_handler_failed(thread, uncaught);
                }
                thread.ending = Ending::Leaves;
                (b"exit", b"()V")
            }
            Ending::Leaves => {
                self.left(thread)?;
                return Ok(false);
            }
        };
        let method = universe.find_method(class, name, descriptor);
        let missing = || LinkError::new("java/lang/NoSuchMethodError", "of Thread");
        let method = method.ok_or_else(missing).map_err(internal)?;
        thread.reserve(0);
        thread.references[0] = thread.object;
        thread.references[1] = uncaught;
        self.put(thread, method.id).map_err(refused)?;
        Ok(true)
    }

    /// Who was to tell of an uncaught exception threw one.
    fn tell_handler_failed(&mut self, thread: &Thread, thrown: Ref) {
        let class = self.heap.space.class_of(thrown).map(|class| self.universe.java_name(class));
        let name = self.get_field(thread.object, b"name", b"Ljava/lang/String;");
        let name = name.and_then(|name| self.text_of(name));
        let (class, name) = (class.unwrap_or_default(), name.unwrap_or_default());
        self.write_error(&format!(
            "\nException: {class} thrown from the UncaughtExceptionHandler in thread \"{name}\"\n"
        ));
    }

    /// Begins `run` of a thread.
    fn run_begins(&mut self, thread: &mut Thread) -> Result<bool, Ended> {
        let internal = || Ended::Internal("a thread that begins".to_owned());
        let universe = std::sync::Arc::clone(&self.universe);
        let class = self.heap.space.class_of(thread.object).ok().and_then(|class| universe.class(class));
        let run = class.and_then(|class| universe.find_method(class, b"run", b"()V")).ok_or_else(internal)?;
        thread.references[0] = thread.object;
        if self.begins(thread, run.id)? {
            thread.ending = Ending::Runs;
        }
        Ok(true)
    }

    /// The thread is gone for Java, and who joins it is told.
    fn left(&mut self, thread: &mut Thread) -> Result<(), Ended> {
        let stray = |_| Ended::Internal("a thread that ends".to_owned());
        let (space, places) = (&mut self.heap.space, self.places);
        space.set_u32(thread.object, places.status, TERMINATED).map_err(stray)?;
        space.set_u64(thread.object, places.thread, 0).map_err(stray)?;
        self.notify(thread.object, usize::MAX);
        if thread.object == self.first {
            self.first = NULL;
        }
        Ok(())
    }

    /// Begins `main`, after its class is initialized.
    fn main_begins(&mut self, thread: &mut Thread) -> Result<bool, Ended> {
        let Some((id, Some((class, method)))) = self.main else { return Ok(false) };
        if id != thread.id {
            return Ok(false);
        }
        if thread.uncaught != NULL {
            // Its class failed: there is nothing to begin.
            self.main = Some((id, None));
            return Ok(false);
        }
        if self.class_begins(thread, class)? {
            thread.references[0] = thread.held;
            if self.begins(thread, method)? {
                thread.held = NULL;
                self.main = Some((id, None));
            }
        }
        Ok(true)
    }

    /// Whether the class is initialized of the method that a thread is to begin with; if not, the thread does that first.
    pub(super) fn class_begins(&mut self, thread: &mut Thread, class: ClassId) -> Result<bool, Ended> {
        match self.initialize(thread, class) {
            Ok(()) => return Ok(thread.begun.is_empty()),
            Err(Trap::Wait) => {}
            Err(Trap::Collect(bytes)) => self.need(thread, bytes)?,
            Err(Trap::Throw(error)) => thread.uncaught = error,
            Err(trap) => return Err(refused(trap)),
        }
        Ok(false)
    }

    /// Runs what is to be run when no thread of the program is left: hooks.
    fn shut_down(&mut self) -> Result<bool, Ended> {
        if std::mem::replace(&mut self.shut, true) || self.main.is_none() {
            return Ok(false);
        }
        let universe = std::sync::Arc::clone(&self.universe);
        let internal = |error: LinkError| Ended::Internal(error.to_string());
        let id = universe.load(b"java/lang/Shutdown").map_err(internal)?;
        let method = universe.class(id).and_then(|class| universe.find_method(class, b"shutdown", b"()V"));
        let Some(method) = method else { return Ok(false) };
        let stray = |_| Ended::Internal("the end".to_owned());
        let object = self.new_object(universe.known().thread);
        let mut thread = self.add_thread(0).map_err(stray)?;
        thread.object = match object {
            Ok(object) => object,
            Err(_) => return Ok(false),
        };
        thread.ending = Ending::Leaves;
        self.main = Some((thread.id, Some((id, method.id))));
        self.start(thread);
        Ok(true)
    }
}

/// What becomes of a domain in which a method cannot be begun.
pub(super) fn refused(trap: Trap) -> Ended {
    match trap {
        Trap::Link(error) => Ended::Main(error),
        Trap::New(kind, message) => Ended::Main(LinkError::new(kind, message.unwrap_or_default())),
        trap => Ended::Internal(format!("{trap:?}")),
    }
}
