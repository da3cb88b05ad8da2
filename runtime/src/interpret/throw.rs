//! Exceptions: those that operations throw by themselves, and the way from where one is thrown to who handles it.

use super::{Fault, NOBODY, Next, Run, Stop};
use crate::class::ClassId;
use crate::domain::{Ended, MOVED_BYTES};
use crate::heap::{NULL, Ref, Stray};
use crate::native::Trap;
use crate::thread::{Leaving, WINDOW};
use crate::universe::LinkError;

/// So many handlers, and classes above what is thrown, are looked at in the time of an instruction.
const LOOKED: usize = 4;

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
                ("java/lang/ClassCastException", Some(self.universe.no_cast(*class, *of)))
            }
            Fault::Monitor => ("java/lang/IllegalMonitorStateException", None),
        }
    }

    pub(super) fn link_error(&mut self, error: &LinkError) -> Next {
        self.throw_made(|run| run.domain.link_exception(run.thread, error))
    }

    /// Throws a new exception.
    pub(super) fn throw_new(&mut self, class: &'static str, message: Option<String>) -> Next {
        self.throw_made(|run| run.domain.exception(run.thread, class, message.as_deref()))
    }

    /// Throws what is made. If that needs an initializer first, the operation fails again after it.
    fn throw_made(&mut self, make: impl Fn(&mut Self) -> Result<Ref, Trap>) -> Next {
        match make(self) {
            Ok(object) => {
                self.domain.heap.retries = 0;
                self.throw(object)
            }
            Err(Trap::Initialize(needed)) => {
                // What is thrown may tell that there is no room.
                self.domain.open_reserve();
                self.initialize(needed)
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

    /// What was thrown cannot be told.
    pub(super) fn untold(&self, trap: &Trap) -> Stop {
        match trap {
            Trap::Collect(_) => Stop::Ended(Ended::Memory),
            _ => self.stray(),
        }
    }

    /// Throws an object: finds who handles it, and leaves frames until there is one.
    pub(super) fn throw(&mut self, mut object: Ref) -> Next {
        (self.pass, self.statics) = (NOBODY, 0..0);
        loop {
            // What is thrown where a class has been begun fails it.
            let frames = self.thread.frames.len();
            while let Some(begun) = self.thread.begun.last().filter(|begun| begun.frames == frames) {
                match self.domain.failed(self.thread, begun.class, object) {
                    Ok(error) => object = error,
                    Err(trap) => return Err(self.untold(&trap)),
                }
            }
            let Some((frame, code)) = self.top() else {
                self.thread.uncaught = object;
                return Err(Stop::Done);
            };
            let Ok(thrown) = self.domain.heap.space.class_of(object) else { return Err(self.stray()) };
            let offset = code.offset(frame.pc as usize);
            let line = self.universe.class(thrown).map_or(&[][..], |class| &class.line);
            let mut looked = 0;
            let handler = code.handlers.iter().find(|handler| {
                looked += 1;
                (handler.start..handler.end).contains(&offset)
                    && handler.catch.is_none_or(|caught| {
                        looked += line.len();
                        line.iter()
                            .any(|id| self.universe.class(*id).is_some_and(|class| class.name == caught))
                    })
            });
            // What is counted for an exception: some instructions for each frame that is left, and what was looked at there.
            self.fuel -= 16 + (looked / LOOKED) as i64;
            if let Some(handler) = handler {
                self.fuel -= i64::from(code.registers) * size_of::<Ref>() as i64 / MOVED_BYTES as i64;
                let first = frame.base as usize + usize::from(code.stack);
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
                Leaving::Monitor(held) | Leaving::Load(held, _) => object = self.instead(object, held)?,
                Leaving::Box(..) | Leaving::New(..) => {
                    if let Leaving::Box(held, _) = frame.leaving {
                        object = self.instead(object, held)?;
                    }
                    self.thread.frames.pop();
                    match self.domain.wrapped(self.thread, object) {
                        Ok(error) => object = error,
                        Err(trap) => return Err(self.untold(&trap)),
                    }
                    continue;
                }
                Leaving::Plain | Leaving::Initializer | Leaving::Constant(..) | Leaving::Walk(_) => {}
            }
            self.thread.frames.pop();
            // There may be as many frames as handlers. It goes on with those that are left.
            if self.fuel < 0 {
                self.thread.thrown = object;
                return Ok(());
            }
        }
    }

    /// What is thrown on when a frame is left with an exception, and with it this monitor: another one, as with HotSpot, if that was given
    /// up before.
    fn instead(&mut self, object: Ref, monitor: Ref) -> Result<Ref, Stop> {
        if self.left(monitor) {
            return Ok(object);
        }
        let (class, message) = self.described(&Fault::Monitor);
        let made = self.domain.exception_of_another(self.thread, class, message.as_deref());
        made.map_err(|trap| self.untold(&trap))
    }
}
