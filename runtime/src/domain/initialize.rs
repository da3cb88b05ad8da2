//! Initialization of classes (JVMS 5.5), each domain for itself.

use std::sync::Arc;

use super::{BEGUN, Domain, FAILED, READY};
use crate::class::{Class, ClassId, Constant, Field, Kind, Method, Origin};
use crate::heap::{NULL, Ref};
use crate::native::Trap;
use crate::thread::{Thread, Wait};
use crate::universe::LinkError;

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
                return Init::Waits;
            }
            FAILED => {
                let message = format!("Could not initialize class {}", self.universe.java_name(id));
                return Init::Failed(LinkError::new("java/lang/NoClassDefFoundError", message));
            }
            _ => {}
        }
        let universe = Arc::clone(&self.universe);
        let Some(class) = universe.class(id) else {
            return Init::Failed(LinkError::new("java/lang/InternalError", "no class"));
        };
        if let Err(reason) = universe.verified(class) {
            return Init::Failed(LinkError::new("java/lang/VerifyError", reason));
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
                    first => return first,
                }
            }
        }
        // What tells that an initializer failed must be there before one is run.
        if class.initializer.is_some() && class.origin != Origin::Library {
            match universe.load(b"java/lang/ExceptionInInitializerError") {
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
        self.initializing.remove(&id);
        self.wake_for_class(id);
    }

    /// An initializer threw. Returns what is thrown instead.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn failed(&mut self, thread: &mut Thread, id: ClassId, thrown: Ref) -> Result<Ref, Trap> {
        let class = self.heap.space.class_of(thrown)?;
        let is_error = self.universe.is_named(class, b"java/lang/Error");
        let error = if is_error {
            thrown
        } else {
            thread.uncaught = thrown;
            let made = self.exception(thread, "java/lang/ExceptionInInitializerError", None);
            let made = match made {
                Err(Trap::Collect(bytes)) => {
                    self.make_room(thread, bytes)?;
                    self.exception(thread, "java/lang/ExceptionInInitializerError", None)
                }
                made => made,
            };
            let thrown = std::mem::replace(&mut thread.uncaught, NULL);
            let made = made?;
            self.set_field(made, b"cause", b"Ljava/lang/Throwable;", thrown)?;
            made
        };
        self.set_state(id, FAILED);
        self.initializing.remove(&id);
        let universe = Arc::clone(&self.universe);
        for at in universe.class(id).map_or(0..0, |class| class.statics.clone()) {
            if let Some(ready) = self.ready.get_mut(at as usize) {
                *ready = 0;
            }
        }
        self.wake_for_class(id);
        Ok(error)
    }
}

fn has_defaults(interface: &Class) -> bool {
    use carnet_classes::class::flags;
    interface.methods.iter().any(|method| !method.has(flags::ABSTRACT | flags::STATIC | flags::PRIVATE))
}
