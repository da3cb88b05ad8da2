//! Exceptions: those that operations throw by themselves, and the way from where one is thrown to who handles it.

use super::{Fault, NOBODY, Next, Run, Stop};
use crate::class::ClassId;
use crate::domain::{Ended, Init};
use crate::heap::{NULL, Ref, Stray};
use crate::native::Trap;
use crate::thread::{Leaving, WINDOW};
use crate::universe::LinkError;

impl Run<'_, '_> {
    pub(super) fn fault(&mut self, fault: &Fault) -> Next {
        let (class, message) = self.described(fault);
        self.throw_new(class, message)
    }

    /// The exception that a fault is: its class and message.
    pub(super) fn described(&self, fault: &Fault) -> (&'static str, Option<String>) {
        let name = |class: ClassId| self.universe.java_name(class);
        match fault {
            Fault::Null => ("java/lang/NullPointerException", None),
            Fault::Bounds(index, length) => (
                "java/lang/ArrayIndexOutOfBoundsException",
                Some(format!("Index {index} out of bounds for length {length}")),
            ),
            Fault::Zero => ("java/lang/ArithmeticException", Some("/ by zero".to_owned())),
            Fault::Negative(length) => ("java/lang/NegativeArraySizeException", Some(length.to_string())),
            Fault::Store(class) => ("java/lang/ArrayStoreException", Some(name(*class))),
            Fault::Cast(class, of) => {
                ("java/lang/ClassCastException", Some(self.domain.cast_message(*class, *of)))
            }
            Fault::Monitor => ("java/lang/IllegalMonitorStateException", None),
        }
    }

    pub(super) fn link_error(&mut self, error: &LinkError) -> Next {
        self.throw_made(|run| run.domain.link_exception(run.thread, error))
    }

    /// A class is used that cannot be initialized since one failed before.
    pub(super) fn erroneous(&mut self, used: ClassId, failed: ClassId) -> Next {
        match self.domain.not_initialized(self.thread, used, failed) {
            Ok(error) => self.throw(error),
            Err(trap) => self.trap(trap),
        }
    }

    /// Throws a new exception.
    pub(super) fn throw_new(&mut self, class: &'static str, message: Option<String>) -> Next {
        self.throw_made(|run| run.domain.exception(run.thread, class, message.as_deref()))
    }

    /// Throws what is made. If a class needs an initializer for it, the operation fails again after that.
    fn throw_made(&mut self, make: impl Fn(&mut Self) -> Result<Ref, Trap>) -> Next {
        match make(self) {
            Ok(object) => {
                self.domain.heap.retries = 0;
                self.throw(object)
            }
            Err(Trap::Initialize(needed)) => {
                if self.universe.name(needed) == b"java/lang/OutOfMemoryError" {
                    self.domain.open_reserve();
                }
                match self.domain.initialize(self.thread, needed) {
                    Init::Ready => self.throw_made(make),
                    step => self.initializing(needed, step),
                }
            }
            Err(Trap::Collect(bytes)) => match self.domain.make_room(self.thread, bytes) {
                Ok(true) => self.throw_made(make),
                Ok(false) => Err(Stop::Ended(Ended::Memory)),
                Err(Stray) => Err(self.stray()),
            },
            Err(Trap::Link(error)) => Err(Stop::Ended(Ended::Internal(error.to_string()))),
            Err(Trap::End(ended)) => Err(Stop::Ended(ended)),
            Err(_) => Err(self.stray()),
        }
    }

    /// Throws an object: finds who handles it, and leaves frames until there is one.
    pub(super) fn throw(&mut self, mut object: Ref) -> Next {
        (self.pass, self.statics) = (NOBODY, 0..0);
        loop {
            let Some((frame, code)) = self.top() else {
                self.thread.uncaught = object;
                return Err(Stop::Done);
            };
            let Some(method) = self.universe.method(frame.method) else { return Err(self.stray()) };
            let Ok(thrown) = self.domain.heap.space.class_of(object) else { return Err(self.stray()) };
            // What is counted for an exception: some instructions for each frame that is left.
            self.fuel -= 16;
            let offset = code.offset(frame.pc as usize);
            let class = self.universe.class(method.class);
            let catches = |catch: u16| {
                catch == 0
                    || class.is_some_and(|class| self.universe.is_named(thrown, class.class_text(catch)))
            };
            let handler = code
                .handlers
                .iter()
                .find(|handler| (handler.start..handler.end).contains(&offset) && catches(handler.catch));
            if let Some(handler) = handler {
                let first = frame.base as usize + usize::from(code.locals);
                let end = (frame.base + code.registers) as usize + WINDOW;
                let references = self.thread.references.iter_mut().take(end).skip(first);
                // The stack has nothing else, and no frame is above: what the operation had would be held for longer than it.
                for (place, reference) in
                    references.zip(std::iter::once(object).chain(std::iter::repeat(NULL)))
                {
                    *place = reference;
                }
                if let Some(frame) = self.thread.frames.last_mut() {
                    frame.pc = handler.target;
                }
                self.thread.overflowed = false;
                return Ok(());
            }
            match frame.leaving {
                Leaving::Monitor(held) => {
                    let _ = self.domain.exit(self.thread, held);
                }
                Leaving::Initializer(class) => match self.domain.failed(self.thread, class, object) {
                    Ok(error) => object = error,
                    Err(Trap::Initialize(class)) => {
                        // The class of the error comes first; its frame goes on top, and the throw is done again after it.
                        self.thread.uncaught = object;
                        let next = self.initialize(class);
                        object = std::mem::replace(&mut self.thread.uncaught, NULL);
                        next?;
                    }
                    Err(_) => return Err(self.stray()),
                },
                Leaving::Box(held) | Leaving::New(held) => {
                    if held != NULL && matches!(frame.leaving, Leaving::Box(_)) {
                        let _ = self.domain.exit(self.thread, held);
                    }
                    self.thread.frames.pop();
                    match self.domain.wrapped(self.thread, object) {
                        Ok(error) => object = error,
                        Err(_) => return Err(self.stray()),
                    }
                    continue;
                }
                Leaving::Plain | Leaving::Constant(..) => {}
            }
            self.thread.frames.pop();
        }
    }
}
