//! From an empty domain to a program's `main`.

use std::sync::Arc;

use crate::class::{ClassId, MethodId};
use crate::domain::{Domain, Ended};
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::interpret::{Stop, run};
use crate::native::Trap;
use crate::thread::Thread;
use crate::universe::LinkError;

/// Why a program did not begin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BootError {
    /// Its class, or one of the library, cannot be linked.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// It has no `main` that could be run.
    #[error("class {0} has no method `public static void main(String[])`")]
    NoMain(String),
    /// It was ended meanwhile.
    #[error(transparent)]
    Ended(#[from] Ended),
    /// A program ran in the domain before, to its end or until it was ended.
    #[error("a program was run in this domain before")]
    Over,
    /// The library threw.
    #[error("the class library cannot be started: {0}")]
    Library(String),
}

impl From<Trap> for BootError {
    fn from(trap: Trap) -> BootError {
        match trap {
            Trap::Link(error) => BootError::Link(error),
            trap => BootError::Library(format!("{trap:?}")),
        }
    }
}

/// Instructions that starting the library may take.
const FUEL: i64 = 100_000_000;

impl Domain {
    /// Runs a method on a thread that has nothing else to run.
    fn run_now(&mut self, thread: &mut Thread, method: MethodId) -> Result<(), BootError> {
        self.made(thread, |domain, thread| domain.put(thread, method))?;
        self.finish(thread)
    }

    fn finish(&mut self, thread: &mut Thread) -> Result<(), BootError> {
        let left = self.limits.instructions.saturating_sub(self.instructions);
        let fuel = FUEL.min(i64::try_from(left).unwrap_or(i64::MAX));
        let (stop, rest) = run(self, thread, fuel);
        self.instructions = self.instructions.saturating_add((fuel - rest).max(0) as u64);
        if self.instructions >= self.limits.instructions {
            return Err(Ended::Instructions(self.limits.instructions).into());
        }
        match stop {
            Stop::Done if thread.uncaught == NULL => Ok(()),
            Stop::Done => {
                let thrown = std::mem::replace(&mut thread.uncaught, NULL);
                Err(BootError::Library(self.described(thrown)))
            }
            Stop::Ended(ended) => Err(ended.into()),
            Stop::Slice | Stop::Waits => Err(BootError::Library("it does not come to an end".to_owned())),
        }
    }

    /// An exception for people, without running any of its code.
    pub(crate) fn described(&self, thrown: Ref) -> String {
        let class = self.heap.space.class_of(thrown).unwrap_or(ClassId(0));
        let message = self.heap.space.u32(thrown, self.places.message).unwrap_or(NULL);
        let mut text = self.universe.java_name(class);
        if message != NULL {
            text += ": ";
            text += &self.text_of(message).unwrap_or_default();
        }
        if let Ok(trace) = self.heap.space.u32(thrown, self.places.backtrace)
            && trace != NULL
        {
            let count = self.heap.space.length(trace).unwrap_or(0) / 2;
            for at in 0..count.min(12) {
                let method = self.heap.space.u32(trace, ELEMENTS + 8 * at).unwrap_or(0);
                if let Some(method) = self.universe.method(MethodId(method)) {
                    text += "\n  at ";
                    text += &self.universe.method_name(method);
                }
            }
        }
        text
    }

    /// Initializes a class before anything else runs.
    fn initialize_now(&mut self, thread: &mut Thread, class: ClassId) -> Result<(), BootError> {
        loop {
            match self.initialize(thread, class) {
                Ok(()) => return self.finish(thread),
                Err(Trap::Collect(bytes)) => self.room_now(thread, bytes)?,
                Err(trap) => return Err(trap.into()),
            }
        }
    }

    fn room_now(&mut self, thread: &mut Thread, bytes: usize) -> Result<(), BootError> {
        match self.make_room(thread, bytes) {
            Ok(true) => Ok(()),
            _ => Err(Ended::Memory.into()),
        }
    }

    /// Does something that needs room, as often as it takes.
    fn made<T>(
        &mut self,
        thread: &mut Thread,
        make: impl Fn(&mut Domain, &mut Thread) -> Result<T, Trap>,
    ) -> Result<T, BootError> {
        loop {
            match make(self, thread) {
                Ok(made) => {
                    self.heap.retries = 0;
                    return Ok(made);
                }
                Err(Trap::Collect(bytes)) => self.room_now(thread, bytes)?,
                Err(Trap::Initialize(class)) => self.initialize_now(thread, class)?,
                Err(trap) => return Err(trap.into()),
            }
        }
    }

    fn found(&self, class: ClassId, name: &str, descriptor: &str) -> Result<MethodId, BootError> {
        let missing = || LinkError::new("java/lang/NoSuchMethodError", name);
        let class = self.universe.class(class).ok_or_else(missing)?;
        let method = self.universe.find_method(class, name.as_bytes(), descriptor.as_bytes());
        Ok(method.ok_or_else(missing)?.id)
    }

    /// Starts the library: its main thread, and what `System` needs. Does nothing where that was done.
    ///
    /// # Errors
    /// [`BootError`]. Nothing should be run in the domain any more.
    pub fn boot(&mut self) -> Result<(), BootError> {
        self.paying(Domain::boot_paid)
    }

    fn boot_paid(&mut self) -> Result<(), BootError> {
        self.is_over()?;
        if self.first != NULL {
            return Ok(());
        }
        if self.main.is_some() {
            return Err(BootError::Over);
        }
        let universe = Arc::clone(&self.universe);
        let mut thread = self.add_thread(0)?;
        let known = *universe.known();
        self.initialize_now(&mut thread, known.object)?;
        self.initialize_now(&mut thread, known.string)?;
        self.initialize_now(&mut thread, known.class)?;
        let group_class = universe.load(b"java/lang/ThreadGroup")?;
        self.initialize_now(&mut thread, group_class)?;
        self.initialize_now(&mut thread, known.thread)?;
        // Where an error is thrown, there may be no room for its initializer.
        self.initialize_now(&mut thread, known.throwable)?;
        let object = self.made(&mut thread, |domain, _| domain.new_object(known.thread))?;
        thread.object = object;
        self.made(&mut thread, |domain, thread| domain.set_field(thread.object, b"priority", b"I", 5))?;
        self.heap.space.set_u64(object, self.places.thread, u64::from(thread.id.0)).map_err(Trap::from)?;
        // The group of all groups, then that of the main thread.
        let system = self.made(&mut thread, |domain, _| domain.new_object(group_class))?;
        thread.references[0] = system;
        self.set_group(&mut thread, system)?;
        self.run_now(&mut thread, self.found(group_class, "<init>", "()V")?)?;
        let main = self.made(&mut thread, |domain, _| domain.new_object(group_class))?;
        let system = self.group(&thread)?;
        self.set_group(&mut thread, main)?;
        let name = self.made(&mut thread, |domain, _| domain.new_text("main"))?;
        let main = self.group(&thread)?;
        thread.references[..3].copy_from_slice(&[main, system, name]);
        self.run_now(
            &mut thread,
            self.found(group_class, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V")?,
        )?;
        let name = self.made(&mut thread, |domain, _| domain.new_text("main"))?;
        let main = self.group(&thread)?;
        thread.references[..3].copy_from_slice(&[thread.object, main, name]);
        self.run_now(
            &mut thread,
            self.found(known.thread, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V")?,
        )?;
        self.made(&mut thread, |domain, thread| domain.set_field(thread.object, b"threadStatus", b"I", 5))?;
        // What reflection uses of the library registers itself.
        let reflected = universe.load(b"java/lang/reflect/AccessibleObject")?;
        self.initialize_now(&mut thread, reflected)?;
        let system = universe.load(b"java/lang/System")?;
        self.initialize_now(&mut thread, system)?;
        self.run_now(&mut thread, self.found(system, "initPhase1", "()V")?)?;
        // Where it is told of a security manager that somebody sets.
        let stream = b"Ljava/io/PrintStream;";
        let errors = self.get_static(system, b"err", stream)?;
        self.set_static(system, b"initialErrStream", stream, errors)?;
        let machine = universe.load(b"jdk/internal/misc/VM")?;
        thread.numbers[0] = 4;
        self.run_now(&mut thread, self.found(machine, "initLevel", "(I)V")?)?;
        self.first = thread.object;
        Ok(())
    }

    fn group(&mut self, thread: &Thread) -> Result<Ref, BootError> {
        Ok(self.get_field(thread.object, b"group", b"Ljava/lang/ThreadGroup;")?)
    }

    fn set_group(&mut self, thread: &mut Thread, group: Ref) -> Result<(), BootError> {
        Ok(self.set_field(thread.object, b"group", b"Ljava/lang/ThreadGroup;", group)?)
    }

    /// Runs the `main` of a class to its end, and that of all threads that it began.
    ///
    /// # Errors
    /// [`BootError`] if it did not begin.
    pub fn run_main(&mut self, class: &str, arguments: &[String]) -> Result<i32, BootError> {
        self.paying(|domain| domain.run_main_paid(class, arguments))
    }

    fn run_main_paid(&mut self, class: &str, arguments: &[String]) -> Result<i32, BootError> {
        if self.main.is_some() {
            return Err(BootError::Over);
        }
        self.boot_paid()?;
        let mut thread = self.first_thread()?;
        let universe = Arc::clone(&self.universe);
        let id = universe.load(class.as_bytes())?;
        let no_main = || BootError::NoMain(universe.java_name(id));
        let of = universe.class(id).ok_or_else(no_main)?;
        let main = universe.find_method(of, b"main", b"([Ljava/lang/String;)V").ok_or_else(no_main)?;
        if !main.is_static() || !main.has(carnet_classes::class::flags::PUBLIC) {
            return Err(no_main());
        }
        let array = universe.load(b"[Ljava/lang/String;")?;
        let made = self.made(&mut thread, |domain, _| {
            let bytes: usize = arguments.iter().map(|text| 64 + 2 * text.len()).sum();
            let needed = bytes + 64 + 4 * arguments.len();
            let space = &domain.heap.space;
            if space.room() - space.used() < needed {
                return Err(Trap::Collect(needed));
            }
            let made = domain.new_array(array, arguments.len() as u32)?;
            for (at, text) in arguments.iter().enumerate() {
                let string = domain.new_text(text)?;
                domain.heap.space.set_u32(made, ELEMENTS + 4 * at as u32, string)?;
            }
            Ok(made)
        })?;
        thread.held = made;
        self.main = Some((thread.id, Some((id, main.id))));
        self.start(thread);
        match self.run_all() {
            Ok(()) => Ok(self.code),
            Err(Ended::Exit(code)) => Ok(code),
            Err(ended) => Err(ended.into()),
        }
    }
}
