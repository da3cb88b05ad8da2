//! Initialization of classes (JVMS 5.5), each domain for itself.
//!
//! What a thread has [begun](Begun) lies on a stack of its own: a class, and above it those that come before its initializer. The
//! class that lies on top goes on as soon as the thread is back at the frame that needs it, whatever that frame would do then; what is
//! thrown there fails it. So who needs a class does not ask what became of it, and nothing that was begun is left.

use std::sync::Arc;

use super::objects::told;
use super::{BEGUN, Domain, FAILED, READY, Static};
use crate::account;
use crate::class::{Class, ClassId, Constant, Field, Kind, Origin};
use crate::heap::{NULL, Ref};
use crate::native::Trap;
use crate::thread::{Begun, Thread, Wait};

/// HotSpot tells no more of the class of an exception, and no more of its message and thread.
const TOLD_BYTES: usize = 1999;

const INITIALIZER_ERROR: &str = "java/lang/ExceptionInInitializerError";

impl Domain {
    /// The state of a class.
    pub(crate) fn state(&self, class: ClassId) -> u8 {
        self.states.get(class.0 as usize).copied().unwrap_or(0)
    }

    fn set_state(&mut self, class: ClassId, state: u8) {
        *self.states.entry(class.0 as usize) = state;
    }

    /// Makes room for the statics of a class, for which this domain pays unless it is the library's.
    ///
    /// # Errors
    /// HotSpot's, if it has had as many bytes for classes as it may.
    fn open_statics(&mut self, class: &Class) -> Result<(), Trap> {
        let bytes = class.statics.len() * size_of::<Static>();
        account::read(bytes);
        if class.origin != Origin::Library {
            account::take(bytes)?;
        }
        class.statics.clone().for_each(|at| _ = self.statics.entry(at as usize));
        Ok(())
    }

    /// The statics of a class that is initialized are there for all.
    pub(super) fn open(&mut self, id: ClassId) {
        let universe = Arc::clone(&self.universe);
        if let Some(class) = universe.class(id) {
            for at in class.statics.clone() {
                self.statics.entry(at as usize).is_ready = true;
            }
        }
    }

    /// Whether a thread may use a class: it is initialized, or the thread initializes it.
    pub(crate) fn may_use(&self, thread: &Thread, id: ClassId) -> bool {
        match self.state(id) {
            READY => true,
            BEGUN => {
                account::read(thread.begun.len());
                thread.begun.iter().any(|begun| begun.class == id)
            }
            _ => false,
        }
    }

    /// Begins to initialize a class that a thread needs, unless it may use it: it goes on with that before anything else (steps 1 to 6).
    ///
    /// # Errors
    /// [`Trap`]; nothing has begun then.
    pub(crate) fn initialize(&mut self, thread: &mut Thread, id: ClassId) -> Result<(), Trap> {
        match self.state(id) {
            _ if self.may_use(thread, id) => return Ok(()),
            BEGUN => {
                thread.wait = Wait::Class(id);
                self.waiting.push((id, thread.id));
                return Err(Trap::Wait);
            }
            FAILED => return Err(Trap::Throw(self.not_initialized(thread, id)?)),
            _ => {}
        }
        let universe = Arc::clone(&self.universe);
        let class = universe.class(id).ok_or(Trap::Stray)?;
        // It is linked before, and after those above it.
        let (itself, above) = class.line.split_last().ok_or(Trap::Stray)?;
        for linked in above.iter().chain(&class.implements).chain([itself]) {
            let verified = universe.class(*linked).map_or(Ok(()), |class| universe.verified(class));
            // What succeeds is done once.
            verified.inspect_err(|_| {
                account::read(size_of_val(&*class.line) + size_of_val(&*class.implements))
            })?;
        }
        self.open_statics(class)?;
        for field in class.fields.iter().filter(|field| field.is_static() && field.constant != 0) {
            self.statics.entry(field.place as usize).value = self.constant(class, field)?;
        }
        self.set_state(id, BEGUN);
        thread.begun.push(Begun { class: id, frames: thread.frames.len(), is_entered: false, passed: 0 });
        Ok(())
    }

    /// Of what comes before the initializer of a class, the first that a thread may not use yet (step 7).
    pub(crate) fn comes_first(&self, thread: &mut Thread, class: &Class) -> Option<ClassId> {
        if class.is_interface() {
            return None;
        }
        let above = class.parent.filter(|id| !self.may_use(thread, *id));
        above.or_else(|| {
            let rest = class.before.get(thread.begun.last()?.passed..)?;
            let passed = rest.iter().take_while(|id| self.may_use(thread, **id)).count();
            account::read(passed * size_of::<ClassId>());
            thread.begun.last_mut()?.passed += passed;
            rest.get(passed).copied()
        })
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

    /// The class that a thread has begun last is initialized.
    pub(crate) fn initialized(&mut self, thread: &mut Thread) {
        let Some(Begun { class: id, .. }) = thread.begun.pop() else { return };
        self.open(id);
        self.set_state(id, READY);
        if id == self.universe.known().throwable {
            // It may have been opened for this, the first error of all.
            self.close_reserve();
        }
        self.wake_for_class(id);
    }

    /// The class that a thread has begun last fails with what was thrown. Returns what is thrown instead.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn failed(&mut self, thread: &mut Thread, id: ClassId, thrown: Ref) -> Result<Ref, Trap> {
        let class = self.heap.space.class_of(thrown)?;
        let is_error = self.universe.is_named(class, b"java/lang/Error");
        thread.uncaught = thrown;
        let mut done = self.failure(thread, id);
        if !is_error && done.is_ok() {
            done = self.exception_of_another(thread, INITIALIZER_ERROR, None).and_then(|error| {
                let thrown = std::mem::replace(&mut thread.uncaught, error);
                self.set_field(error, b"cause", b"Ljava/lang/Throwable;", thrown)
            });
        }
        let error = std::mem::replace(&mut thread.uncaught, NULL);
        done?;
        thread.begun.pop();
        Ok(error)
    }

    /// A class cannot be used because of the exception that `thread.uncaught` is. What is told of it later is made now.
    ///
    /// # Errors
    /// [`Trap`].
    fn failure(&mut self, thread: &mut Thread, id: ClassId) -> Result<(), Trap> {
        let thrown = thread.uncaught;
        let message = self.heap.space.u32(thrown, self.places.message)?;
        let mut rest = match message {
            NULL => Vec::new(),
            message => self.first_units_of(message, TOLD_BYTES as u32)?,
        };
        let behind = match (message, thread.object) {
            (NULL, NULL) => "",
            (NULL, _) => " ",
            _ => ": ",
        };
        if thread.object != NULL {
            let name = self.get_field(thread.object, b"name", b"Ljava/lang/String;")?;
            let before = if message == NULL { "[in thread \"" } else { " [in thread \"" };
            rest.extend(before.encode_utf16());
            rest.extend(self.first_units_of(name, TOLD_BYTES as u32)?);
            rest.extend("\"]".encode_utf16());
        }
        let of = format!("Exception {}{behind}", self.universe.java_name(self.heap.space.class_of(thrown)?));
        let text = told(&of.encode_utf16().collect::<Vec<u16>>(), TOLD_BYTES) + &told(&rest, TOLD_BYTES);
        let record = self.exception_of_another(thread, INITIALIZER_ERROR, Some(&text))?;
        let (places, space) = (self.places, &mut self.heap.space);
        space.set_u32(record, places.cause, NULL)?;
        // It was where the exception was.
        for place in [places.backtrace, places.depth, places.trace] {
            let value = space.u32(thread.uncaught, place)?;
            space.set_u32(record, place, value)?;
        }
        self.failures.insert(id, record);
        self.set_state(id, FAILED);
        self.wake_for_class(id);
        Ok(())
    }

    /// A new exception that tells of the one that `thread.uncaught` is, whatever room there is.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn exception_of_another(
        &mut self,
        thread: &mut Thread,
        name: &'static str,
        message: Option<&str>,
    ) -> Result<Ref, Trap> {
        match self.exception(thread, name, message) {
            Err(Trap::Collect(bytes)) => {
                if !self.make_room(thread, bytes)? {
                    self.open_reserve();
                }
                self.exception(thread, name, message)
            }
            made => made,
        }
    }

    /// What is thrown when a class is used that failed before.
    ///
    /// # Errors
    /// [`Trap`].
    fn not_initialized(&mut self, thread: &mut Thread, id: ClassId) -> Result<Ref, Trap> {
        let message = format!("Could not initialize class {}", self.universe.java_name(id));
        let error = self.exception(thread, "java/lang/NoClassDefFoundError", Some(&message))?;
        let record = self.failures.get(&id).copied().unwrap_or(NULL);
        self.heap.space.set_u32(error, self.places.cause, record)?;
        Ok(error)
    }
}
