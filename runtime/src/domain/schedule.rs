//! Threads in turn: each runs for a slice, in the order in which they can.

use std::time::{Duration, Instant};

use carnet_classes::class::flags;

use super::{Collecting, Domain, Ended, Init};
use crate::class::{Body, ClassId, Method, MethodId};
use crate::collect::Soft;
use crate::heap::{NULL, Ref};
use crate::interpret::{Stop, run};
use crate::native::{Call, Trap};
use crate::thread::{Ending, Frame, Leaving, Thread, ThreadId, Wait};
use crate::universe::LinkError;

/// Instructions of a slice.
const SLICE: i64 = 50_000;
/// `threadStatus` of a thread that has ended.
const TERMINATED: u32 = 2;
/// How long is slept at most when all threads wait, and how long who was ended waits for what it wrote.
pub(super) const IDLE: Duration = Duration::from_secs(1);
/// Those of a slice where each begins with a collection.
const SLICE_SHORT: i64 = 2_000;

impl Domain {
    /// Adds a thread.
    ///
    /// # Errors
    /// If there are as many as there may be.
    pub(crate) fn add_thread(&mut self) -> Result<Box<Thread>, Trap> {
        if self.threads.len() >= self.limits.threads as usize {
            let message = "unable to create native thread: the limit of threads is reached".to_owned();
            return Err(Trap::New("java/lang/OutOfMemoryError", Some(message)));
        }
        let id = ThreadId(self.next_thread);
        self.next_thread += 1;
        Ok(Box::new(Thread::new(id)))
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

    /// Puts a method on a thread that has nothing to run. Its arguments were put into the first registers.
    ///
    /// # Errors
    /// If it cannot be run.
    pub(crate) fn put(&mut self, thread: &mut Thread, method: MethodId) -> Result<(), LinkError> {
        let universe = std::sync::Arc::clone(&self.universe);
        let missing = || LinkError::new("java/lang/NoSuchMethodError", "nothing to run");
        let method = universe.method(method).ok_or_else(missing)?;
        if self.translated(method).is_none() || method.has(flags::SYNCHRONIZED) {
            return Err(LinkError::new("java/lang/UnsatisfiedLinkError", universe.method_name(method)));
        }
        thread.reserve(0);
        let leaving = Leaving::Plain;
        thread.frames.push(Frame { method: method.id, pc: 0, base: 0, leaving });
        Ok(())
    }

    /// Runs all threads until only daemons are left, or the domain is ended.
    pub fn run_all(&mut self) -> Result<(), Ended> {
        let ended = self.run_threads();
        self.finish_writing(&ended);
        ended
    }

    fn run_threads(&mut self) -> Result<(), Ended> {
        loop {
            if self.handle.is_ended() {
                return Err(Ended::Outside);
            }
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
            let collected = self.collect(thread, Soft::Keep);
            collected.map_err(|stray| Ended::Internal(stray.to_string()))?;
        }
        let began = Instant::now();
        let (stop, rest) = run(self, thread, slice);
        self.instructions = self.instructions.saturating_add((slice - rest).max(0) as u64);
        self.time += began.elapsed();
        if self.instructions >= self.limits.instructions {
            return Err(Ended::Instructions(self.limits.instructions));
        }
        if self.time > self.limits.time {
            return Err(Ended::Time(self.limits.time));
        }
        Ok(stop)
    }

    /// Whether a slice that began then may go on: whatever its events cost, they do not keep the domain from being ended.
    ///
    /// # Errors
    /// Why it is ended.
    pub(crate) fn may_go_on(&self, began: Instant) -> Result<(), Ended> {
        if self.handle.is_ended() {
            return Err(Ended::Outside);
        }
        if self.limits.time != Duration::MAX && self.time + began.elapsed() > self.limits.time {
            return Err(Ended::Time(self.limits.time));
        }
        Ok(())
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
        self.take_answers(rest.min(IDLE));
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
        self.put(thread, method.id).map_err(internal)?;
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

    /// Begins `run` of a thread, in its monitor if it is synchronized.
    fn run_begins(&mut self, thread: &mut Thread) -> Result<bool, Ended> {
        let internal = || Ended::Internal("a thread that begins".to_owned());
        let universe = std::sync::Arc::clone(&self.universe);
        let class = self.heap.space.class_of(thread.object).ok().and_then(|class| universe.class(class));
        let run = class.and_then(|class| universe.find_method(class, b"run", b"()V")).ok_or_else(internal)?;
        let mut leaving = Leaving::Plain;
        if run.has(flags::SYNCHRONIZED) {
            let object = thread.object;
            if !self.enter(thread, object).map_err(|_| internal())? {
                return Ok(true);
            }
            leaving = Leaving::Monitor(object);
        }
        thread.ending = Ending::Runs;
        thread.reserve(0);
        thread.references[0] = thread.object;
        thread.frames.push(Frame { method: run.id, pc: 0, base: 0, leaving });
        Ok(true)
    }

    /// The thread is gone for Java, and who joins it is told.
    fn left(&mut self, thread: &mut Thread) -> Result<(), Ended> {
        let stray = |_| Ended::Internal("a thread that ends".to_owned());
        let (space, places) = (&mut self.heap.space, self.places);
        space.set_u32(thread.object, places.status, TERMINATED).map_err(stray)?;
        space.set_u64(thread.object, places.thread, 0).map_err(stray)?;
        self.notify(thread.object, usize::MAX);
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
        let internal = |error: LinkError| Ended::Internal(error.to_string());
        match self.initialize(thread, class) {
            Init::Ready => {
                self.main = Some((id, None));
                thread.reserve(0);
                thread.references[0] = std::mem::replace(&mut thread.held, NULL);
                self.put(thread, method).map_err(internal)?;
            }
            Init::Begun(initializer) => self.begin_initializer(thread, &initializer).map_err(internal)?,
            Init::NoRoom(bytes) => match self.make_room(thread, bytes) {
                Ok(true) => {}
                _ => return Err(Ended::Memory),
            },
            Init::Waits => {}
            Init::Failed(error) => return Err(Ended::Main(error)),
            Init::Erroneous(failed) => {
                let error = self.not_initialized(thread, class, failed);
                thread.uncaught = error.map_err(|_| Ended::Memory)?;
            }
        }
        Ok(true)
    }

    /// Puts the initializer of a class on a thread that has nothing to run.
    pub(crate) fn begin_initializer(
        &mut self,
        thread: &mut Thread,
        method: &Method,
    ) -> Result<(), LinkError> {
        match self.universe.body(method) {
            Body::Native(native) => {
                let universe = std::sync::Arc::clone(&self.universe);
                thread.reserve(0);
                let mut call = Call { domain: self, thread, universe: &universe, method, base: 0 };
                native(&mut call).map_err(|trap| {
                    LinkError::new(
                        "java/lang/InternalError",
                        format!("{}: {trap:?}", universe.method_name(method)),
                    )
                })?;
                self.initialized(method.class);
            }
            _ => {
                self.put(thread, method.id)?;
                if let Some(frame) = thread.frames.last_mut() {
                    frame.leaving = Leaving::Initializer(method.class);
                }
            }
        }
        Ok(())
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
        let mut thread = self.add_thread().map_err(stray)?;
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
