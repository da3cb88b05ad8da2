//! Initialization of classes (JVMS 5.5), each domain for itself.

use std::sync::Arc;

use super::{BEGUN, Domain, FAILED, READY};
use crate::class::{Class, ClassId, Constant, Field, Kind, Method, Origin};
use crate::heap::{NULL, Ref};
use crate::native::Trap;
use crate::thread::{Thread, Wait};
use crate::universe::LinkError;

const INITIALIZER_ERROR: &str = "java/lang/ExceptionInInitializerError";

/// What is to be done about a class that is used.
pub enum Init {
    /// Nothing: it is initialized, or this thread initializes it.
    Ready,
    /// This initializer is run first.
    Begun(Arc<Method>),
    /// Another thread initializes it.
    Waits,
    /// It cannot be initialized.
    Failed(LinkError),
    /// It cannot be initialized, since this class failed before.
    Erroneous(ClassId),
    /// There is no room for so many bytes.
    NoRoom(usize),
}

impl Domain {
    /// The state of a class.
    pub(crate) fn state(&self, class: ClassId) -> u8 {
        self.states.get(class.0 as usize).copied().unwrap_or(0)
    }

    fn set_state(&mut self, class: ClassId, state: u8) {
        let at = class.0 as usize;
        if self.states.len() <= at {
            self.states.resize((at + 1).next_power_of_two(), 0);
        }
        self.states[at] = state;
    }

    /// Makes room for the statics of a class.
    fn open_statics(&mut self, class: &Class) {
        let end = class.statics.end as usize;
        if self.statics.len() < end {
            self.statics.resize(end, 0);
            self.ready.resize(end, 0);
        }
    }

    fn open(&mut self, class: &Class) {
        for at in class.statics.clone() {
            if let Some(ready) = self.ready.get_mut(at as usize) {
                *ready = 1;
            }
        }
    }

    /// Does the next step to initialize a class.
    pub(crate) fn initialize(&mut self, thread: &mut Thread, id: ClassId) -> Init {
        match self.state(id) {
            READY => return Init::Ready,
            BEGUN if self.initializing.get(&id) == Some(&thread.id) => return Init::Ready,
            BEGUN => {
                thread.wait = Wait::Class(id);
                self.waiting.push((id, thread.id));
                return Init::Waits;
            }
            FAILED => return Init::Erroneous(id),
            _ => {}
        }
        let universe = Arc::clone(&self.universe);
        let Some(class) = universe.class(id) else {
            return Init::Failed(LinkError::new("java/lang/InternalError", "no class"));
        };
        if let Err(error) = universe.verified(class) {
            return Init::Failed(error);
        }
        // Superclasses come first, and those superinterfaces that have methods of their own to run.
        if !class.is_interface() {
            let interfaces = class.implements.iter().filter(|id| {
                universe
                    .class(**id)
                    .is_some_and(|interface| interface.initializer.is_some() && has_defaults(interface))
            });
            for above in class.parent.iter().chain(interfaces) {
                match self.initialize(thread, *above) {
                    Init::Ready => {}
                    Init::Begun(first) => {
                        self.needing.entry(first.class).or_default().push(id);
                        return Init::Begun(first);
                    }
                    first => return first,
                }
            }
        }
        // What tells that an initializer failed must be there before one is run.
        if class.initializer.is_some() && class.origin != Origin::Library {
            match universe.load(INITIALIZER_ERROR.as_bytes()) {
                Ok(error) if error != id => match self.initialize(thread, error) {
                    Init::Ready => {}
                    first => return first,
                },
                Ok(_) => {}
                Err(error) => return Init::Failed(error),
            }
        }
        self.open_statics(class);
        for field in class.fields.iter().filter(|field| field.is_static() && field.constant != 0) {
            match self.constant(class, field) {
                Ok(value) => self.statics[field.place as usize] = value,
                Err(Trap::Collect(bytes)) => return Init::NoRoom(bytes),
                Err(_) => return Init::Failed(LinkError::new("java/lang/InternalError", "a constant")),
            }
        }
        match &class.initializer {
            Some(initializer) => {
                self.set_state(id, BEGUN);
                self.initializing.insert(id, thread.id);
                Init::Begun(Arc::clone(initializer))
            }
            None => {
                self.initialized(id);
                Init::Ready
            }
        }
    }

    /// The value that a static field begins with.
    fn constant(&mut self, class: &Class, field: &Field) -> Result<u64, Trap> {
        Ok(match class.constant(field.constant) {
            Constant::Integer(value) => u64::from(value as u32),
            Constant::Float(value) => u64::from(value.to_bits()),
            Constant::Long(value) => value as u64,
            Constant::Double(value) => value.to_bits(),
            Constant::String(text) if field.kind == Kind::Reference => {
                let symbol = self.universe.symbols.of(class.text(text)).map_err(|_| Trap::Stray)?;
                let number = self.universe.string_number(symbol).map_err(Trap::Link)?;
                u64::from(self.string_constant(number)?)
            }
            _ => return Err(Trap::Stray),
        })
    }

    /// A class is initialized.
    pub(crate) fn initialized(&mut self, id: ClassId) {
        let universe = Arc::clone(&self.universe);
        if let Some(class) = universe.class(id) {
            self.open_statics(class);
            self.open(class);
        }
        self.set_state(id, READY);
        if id == universe.known().throwable {
            // It may have been opened for this, the first error of all.
            self.close_reserve();
        }
        self.needing.remove(&id);
        self.initializing.remove(&id);
        self.wake_for_class(id);
    }

    /// An initializer threw; its frame is the last one. Returns what is thrown instead.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn failed(&mut self, thread: &mut Thread, id: ClassId, thrown: Ref) -> Result<Ref, Trap> {
        let class = self.heap.space.class_of(thrown)?;
        let is_error = self.universe.is_named(class, b"java/lang/Error");
        thread.uncaught = thrown;
        let below = thread.frames.len().saturating_sub(1);
        let mut done = self.failure(thread, id, below);
        if !is_error && done.is_ok() {
            done = self.exception_of_another(thread, INITIALIZER_ERROR, None, below).and_then(|error| {
                let thrown = std::mem::replace(&mut thread.uncaught, error);
                self.set_field(error, b"cause", b"Ljava/lang/Throwable;", thrown)
            });
        }
        for needing in self.needing.remove(&id).unwrap_or_default() {
            if done.is_ok() && self.state(needing) == 0 {
                done = self.failure(thread, needing, below);
            }
        }
        let error = std::mem::replace(&mut thread.uncaught, NULL);
        done.map(|()| error)
    }

    /// A class cannot be used because of the exception that `thread.uncaught` is. What is told of it later is made now.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn failure(&mut self, thread: &mut Thread, id: ClassId, frames: usize) -> Result<(), Trap> {
        let thrown = thread.uncaught;
        let mut text = "Exception ".to_owned();
        text += &self.universe.java_name(self.heap.space.class_of(thrown)?);
        let message = self.heap.space.u32(thrown, self.places.message)?;
        if message != NULL {
            text += ": ";
            text += &self.text_of(message)?;
        }
        if thread.object != NULL {
            let name = self.get_field(thread.object, b"name", b"Ljava/lang/String;")?;
            text += &format!(" [in thread \"{}\"]", self.text_of(name)?);
        }
        let record = self.exception_of_another(thread, INITIALIZER_ERROR, Some(&text), frames)?;
        let (places, space) = (self.places, &mut self.heap.space);
        space.set_u32(record, places.cause, NULL)?;
        // It was where the exception was.
        for place in [places.backtrace, places.depth, places.trace] {
            let value = space.u32(thread.uncaught, place)?;
            space.set_u32(record, place, value)?;
        }
        self.failures.insert(id, record);
        self.set_state(id, FAILED);
        self.initializing.remove(&id);
        let universe = Arc::clone(&self.universe);
        for at in universe.class(id).map_or(0..0, |class| class.statics.clone()) {
            if let Some(ready) = self.ready.get_mut(at as usize) {
                *ready = 0;
            }
        }
        self.wake_for_class(id);
        Ok(())
    }

    /// A new exception that tells of the one that `thread.uncaught` is, whatever room there is.
    ///
    /// # Errors
    /// [`Trap`].
    pub(super) fn exception_of_another(
        &mut self,
        thread: &mut Thread,
        name: &'static str,
        message: Option<&str>,
        frames: usize,
    ) -> Result<Ref, Trap> {
        match self.exception_below(thread, name, message, frames) {
            Err(Trap::Collect(bytes)) => {
                if !self.make_room(thread, bytes)? {
                    self.open_reserve();
                }
                self.exception_below(thread, name, message, frames)
            }
            made => made,
        }
    }

    /// What is thrown when a class is used that cannot be initialized since one failed before, itself or one that it needs. In the
    /// second case it and those between fail as well.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn not_initialized(
        &mut self,
        thread: &mut Thread,
        used: ClassId,
        failed: ClassId,
    ) -> Result<Ref, Trap> {
        let universe = Arc::clone(&self.universe);
        let message = format!("Could not initialize class {}", universe.java_name(failed));
        thread.uncaught = self.exception(thread, "java/lang/NoClassDefFoundError", Some(&message))?;
        let record = self.failures.get(&failed).copied().unwrap_or(NULL);
        self.heap.space.set_u32(thread.uncaught, self.places.cause, record)?;
        let needs = |class: &&ClassId| {
            universe.class(**class).is_some_and(|class| {
                class.id != failed && (class.line.contains(&failed) || class.implements.contains(&failed))
            })
        };
        let line = universe.class(used).map(|class| &class.line[..]).unwrap_or_default();
        let mut done = Ok(());
        for class in line.iter().filter(needs) {
            if self.state(*class) == 0 {
                done = done.and_then(|()| self.failure(thread, *class, thread.frames.len()));
            }
        }
        let error = std::mem::replace(&mut thread.uncaught, NULL);
        done.map(|()| error)
    }
}

fn has_defaults(interface: &Class) -> bool {
    use carnet_classes::class::flags;
    interface.methods.iter().any(|method| !method.has(flags::ABSTRACT | flags::STATIC | flags::PRIVATE))
}
