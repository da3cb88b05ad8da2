//! What the inner loop cannot do: linking, initialization, collection, calls of natives, monitors.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Event, Fault, Next, Run, Stop};
use crate::account;
use crate::class::{Body, ClassId, Method};
use crate::code::{Code, Word, op};
use crate::domain::{Collecting, Ended};
use crate::heap::{NULL, Ref, Stray};
use crate::native::lang::NO_CLASS;
use crate::native::{Call, Outcome, Trap};
use crate::thread::{BELOW, Begun, Caller, Frame, Leaving};

/// As many monitors may be held at a time.
const MONITORS_MAX: usize = 1 << 16;

/// What it takes to call a native that does next to nothing, in instructions.
const NATIVE: i64 = 16;

/// After so many events within a slice it is seen whether the domain is to be ended. An event is some work of a native at most.
const EVENTS: u32 = 64;

impl<'u> Run<'_, 'u> {
    /// Runs until the slice is over.
    pub(super) fn go(&mut self) -> Stop {
        for count in 1_u32.. {
            let frames = self.thread.frames.len();
            let begun = self.thread.begun.last().filter(|begun| begun.frames == frames).copied();
            let next = match (std::mem::replace(&mut self.thread.thrown, NULL), begun) {
                (NULL, Some(begun)) => self.initialize_on(begun),
                (NULL, None) => match self.inner() {
                    Some(event) => self.event(event),
                    None => Err(Stop::Done),
                },
                (thrown, _) => self.throw(thrown),
            };
            let read = account::charge();
            // Where all slices begin with a collection, they would be too short for what natives make.
            if self.domain.heap.collecting == Collecting::WhenFull {
                self.domain.heap.read(read);
            }
            self.fuel -= self.domain.heap.charge();
            match next {
                Err(stop) => return stop,
                // What was thrown and caught came to no branch, and natives do any amount of work.
                Ok(()) if self.fuel < 0 => return Stop::Slice,
                Ok(()) if count.is_multiple_of(EVENTS) => {
                    if let Err(ended) = self.domain.may_go_on() {
                        return Stop::Ended(ended);
                    }
                }
                Ok(()) => {}
            }
        }
        Stop::Slice
    }

    /// Does what the inner loop could not.
    pub(super) fn event(&mut self, event: Event<'u>) -> Next {
        match event {
            Event::Slice => Err(Stop::Slice),
            Event::Stray => Err(self.stray()),
            Event::Fault(fault) => self.fault(&fault),
            Event::Throw(object) => self.throw(object),
            Event::Link => self.link(),
            Event::Initialize(class) => self.initialize(class),
            Event::Call(method, base) => self.call(method, base),
            Event::Select(base) => self.select(base),
            Event::Return => self.leave(),
            Event::Collect(bytes) => self.collect(bytes),
            Event::String(number) => {
                let made = self.domain.string_constant(number);
                self.allowed(made.map(|_| ()))
            }
            Event::Class(number) => {
                let made = self.domain.mirror(ClassId(number));
                self.allowed(made.map(|_| ()))
            }
            Event::Enter(_) if self.domain.monitors.len() >= MONITORS_MAX => {
                self.throw_new("java/lang/OutOfMemoryError", Some("monitors".to_owned()))
            }
            Event::Enter(object) => match self.domain.enter(self.thread, object) {
                Ok(true) => self.done(),
                Ok(false) => Err(Stop::Waits),
                Err(Stray) => Err(self.stray()),
            },
            Event::Exit(object) => match self.domain.exit(self.thread, object) {
                Ok(true) => self.done(),
                Ok(false) => self.fault(&Fault::Monitor),
                Err(Stray) => Err(self.stray()),
            },
            Event::Arrays => self.arrays(),
            Event::Handle => self.handle(),
            Event::Far => self.far(),
        }
    }

    /// Something that verified code and a right collector cannot lead to.
    pub(super) fn stray(&self) -> Stop {
        let place = self.thread.frames.last().map(|frame| {
            let method = self.universe.method(frame.method);
            let name = method.map(|method| self.universe.method_name(method)).unwrap_or_default();
            format!("{name}, operation {}", frame.pc)
        });
        Stop::Ended(Ended::Internal(place.unwrap_or_default()))
    }

    /// The operation is done, and the next one follows.
    pub(super) fn done(&mut self) -> Next {
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.pc += 1;
        }
        Ok(())
    }

    /// The operation that led here.
    pub(super) fn word(&self) -> Option<(Frame, &'u Code, usize, Word)> {
        let (frame, code) = self.top()?;
        let at = frame.pc as usize;
        let word = code.words.get(at)?.load(Ordering::Relaxed);
        Some((frame, code, at, Word(word)))
    }

    /// Goes on after something that may have been refused; then the operation is done again.
    pub(super) fn allowed(&mut self, result: Result<(), Trap>) -> Next {
        match result {
            Ok(()) => {
                self.domain.heap.retries = 0;
                Ok(())
            }
            Err(trap) => self.trap(trap),
        }
    }

    /// A refusal. The operation is done again if that makes sense.
    pub(super) fn trap(&mut self, trap: Trap) -> Next {
        match trap {
            Trap::Collect(bytes) => self.make_room(bytes),
            Trap::Initialize(class) => self.initialize(class),
            Trap::Compute(class, at) => self.compute(class, at),
            Trap::Wait => Err(Stop::Waits),
            Trap::Throw(object) => self.throw(object),
            Trap::Fault(fault) => self.fault(&fault),
            Trap::New(class, message) => self.throw_new(class, message),
            Trap::Link(error) => self.link_error(&error),
            Trap::End(ended) => Err(Stop::Ended(ended)),
            Trap::Stray => Err(self.stray()),
        }
    }

    pub(super) fn collect(&mut self, bytes: usize) -> Next {
        self.domain.heap.retries = 0;
        self.make_room(bytes)
    }

    /// Makes room for so many bytes, or throws where the operation is.
    pub(super) fn make_room(&mut self, bytes: usize) -> Next {
        match self.domain.make_room(self.thread, bytes) {
            Ok(true) => Ok(()),
            Ok(false) => self.out_of_memory(),
            Err(Stray) => Err(self.stray()),
        }
    }

    pub(super) fn out_of_memory(&mut self) -> Next {
        let length = self
            .word()
            .filter(|(_, _, _, word)| word.op() == op::NEW_ARRAY)
            .and_then(|(frame, _, _, word)| self.thread.numbers.get(frame.base as usize + word.b()));
        let message = match length {
            // As HotSpot, whatever the heap.
            Some(length) if *length as i32 > i32::MAX - 2 => "Requested array size exceeds VM limit",
            _ => "Java heap space",
        };
        self.throw_new("java/lang/OutOfMemoryError", Some(message.to_owned()))
    }

    /// Begins to initialize a class, unless this thread may use it.
    pub(super) fn initialize(&mut self, class: ClassId) -> Next {
        let begun = self.domain.initialize(self.thread, class);
        if begun.is_ok() {
            self.pass = class;
            let statics = self.universe.class(class).map_or(0..0, |class| class.statics.clone());
            self.statics = statics.start as usize..statics.end as usize;
        }
        self.allowed(begun)
    }

    /// Goes on with the class that this thread has begun last.
    fn initialize_on(&mut self, begun: Begun) -> Next {
        let Some(class) = self.universe.class(begun.class) else { return Err(self.stray()) };
        if !begun.is_entered {
            if let Some(first) = self.domain.comes_first(self.thread, class) {
                return self.initialize(first);
            }
            if let Some(initializer) = &class.initializer {
                let base = self.thread.above(self.top().map_or(0, |(_, code)| code.registers));
                let entered = match self.universe.body(initializer) {
                    Ok(Body::Native(native)) => self.native(initializer, base as usize, *native).map(|_| ()),
                    _ => self.domain.enter_frame(self.thread, initializer, base, Leaving::Initializer),
                };
                if let (Ok(()), Some(begun)) = (&entered, self.thread.begun.last_mut()) {
                    begun.is_entered = true;
                }
                return self.allowed(entered);
            }
        }
        self.domain.initialized(self.thread);
        Ok(())
    }

    /// Begins a method whose arguments lie from `base` on, in its monitor if it is synchronized.
    pub(super) fn enter_frame(&mut self, method: &Method, base: u32, leaving: Leaving) -> Next {
        let entered = self.domain.enter_frame(self.thread, method, base, leaving);
        self.allowed(entered)
    }

    pub(super) fn overflow(&mut self) -> Next {
        self.thread.overflowed = true;
        self.throw_new("java/lang/StackOverflowError", None)
    }

    /// Does what Rust code does for a method, whose arguments lie from `base` on.
    fn native<T>(&mut self, method: &Method, base: usize, work: impl FnOnce(&mut Call<'_>) -> T) -> T {
        self.thread.reserve(base);
        self.fuel -= NATIVE;
        let (domain, universe) = (&mut *self.domain, self.universe);
        work(&mut Call { domain, thread: self.thread, universe, method, base })
    }

    /// Calls a method that is not simply code.
    pub(super) fn call(&mut self, method: &'u Arc<Method>, base: usize) -> Next {
        self.domain.prepare(method);
        match method.body.get() {
            Some(Body::Native(native)) => {
                if !self.domain.may_enter(self.thread, base as u32) {
                    return self.overflow();
                }
                let outcome = self.native(method, base, *native);
                self.thread.native = outcome.is_err().then_some(method.id);
                let next = self.finish_native(base, outcome);
                self.thread.native = None;
                next
            }
            Some(Body::Abstract) => self.unimplemented(method, base),
            _ => self.enter_frame(method, base as u32, Leaving::Plain),
        }
    }

    /// Puts what a native returned where it belongs.
    pub(super) fn finish_native(&mut self, base: usize, outcome: Result<Outcome, Trap>) -> Next {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(trap) => return self.trap(trap),
        };
        self.domain.heap.retries = 0;
        let Outcome::Call(called, leaving) = outcome else {
            outcome.put(self.thread, base);
            return self.done();
        };
        match (self.universe.method(called), leaving) {
            (Some(called), Leaving::Plain) => self.call(called, base),
            (Some(called), leaving) => self.call_reflected(called, base + BELOW, leaving),
            (None, _) => Err(self.stray()),
        }
    }

    /// Calls a method by reflection: what it returns is an object, put below its registers.
    fn call_reflected(&mut self, method: &'u Arc<Method>, base: usize, leaving: Leaving) -> Next {
        self.domain.prepare(method);
        match method.body.get() {
            Some(Body::Native(native)) => {
                if !self.domain.may_enter(self.thread, base as u32) {
                    return self.overflow();
                }
                let outcome = self.native(method, base, *native);
                match outcome {
                    Ok(Outcome::Call(called, Leaving::Plain)) => match self.universe.method(called) {
                        Some(called) => self.call_reflected(called, base, leaving),
                        None => Err(self.stray()),
                    },
                    Ok(Outcome::Call(..)) => {
                        let message = format!("{} by reflection", self.universe.method_name(method));
                        self.throw_new("java/lang/UnsupportedOperationException", Some(message))
                    }
                    Ok(outcome) => {
                        outcome.put(self.thread, base);
                        self.hand_back(method, base, leaving)
                    }
                    Err(trap) => {
                        self.thread.native = Some(method.id);
                        let next = self.trap_reflected(trap);
                        self.thread.native = None;
                        next
                    }
                }
            }
            Some(Body::Refused(why)) => self.trap_reflected(Trap::Link(self.universe.refusal(method, why))),
            _ => self.enter_frame(method, base as u32, leaving),
        }
    }

    /// Puts what a native returned that was called by reflection where its caller takes it.
    fn hand_back(&mut self, method: &Method, base: usize, leaving: Leaving) -> Next {
        let handed = match leaving {
            Leaving::New(object, _) => Ok(object),
            _ => match self.domain.boxed(self.thread, method, base) {
                // It cannot be called again: room is made now.
                Err(Trap::Collect(bytes)) => match self.domain.make_room(self.thread, bytes) {
                    Ok(true) => self.domain.boxed(self.thread, method, base),
                    Ok(false) => return self.out_of_memory(),
                    Err(Stray) => Err(Trap::Stray),
                },
                boxed => boxed,
            },
        };
        match (handed, leaving) {
            (Ok(object), Leaving::Box(_, caller) | Leaving::New(_, caller) | Leaving::Walk(caller)) => {
                self.hand(caller, object);
                self.done()
            }
            _ => Err(self.stray()),
        }
    }

    /// A refusal of a native that was called by reflection.
    fn trap_reflected(&mut self, trap: Trap) -> Next {
        let made = match trap {
            Trap::Fault(fault) => {
                let (class, message) = self.described(&fault);
                self.domain.exception(self.thread, class, message.as_deref())
            }
            Trap::New(class, message) => self.domain.exception(self.thread, class, message.as_deref()),
            Trap::Link(error) => self.domain.link_exception(self.thread, &error),
            Trap::Throw(object) => Ok(object),
            other => return self.trap(other),
        };
        match made {
            Ok(object) => self.throw_wrapped(object),
            Err(trap) => self.trap(trap),
        }
    }

    fn throw_wrapped(&mut self, object: Ref) -> Next {
        match self.domain.wrapped(self.thread, object) {
            Ok(error) => self.throw(error),
            Err(trap) => Err(self.untold(&trap)),
        }
    }

    /// Leaves the monitor of a frame that ends, if it has one; whether the thread held it. Compiled code cannot leave it too early, but
    /// assembled code can, and may enter it again when it handles the exception.
    pub(super) fn left(&mut self, monitor: Ref) -> bool {
        monitor == NULL || self.domain.exit(self.thread, monitor) != Ok(false)
    }

    /// A frame is left with something to do, or has far variables. Its registers stay as they are until that is done: it may be refused,
    /// and the frame go on.
    pub(super) fn leave(&mut self) -> Next {
        let Some((frame, _, _, word)) = self.word() else { return Err(self.stray()) };
        let base = frame.base as usize;
        let Some(first) = base.checked_sub(word.imm() as usize) else { return Err(self.stray()) };
        let from = base + word.a();
        let made = self.thread.references.get(from).copied().unwrap_or(NULL);
        let mut refused = None;
        match frame.leaving {
            Leaving::Load(monitor, Caller(native)) => {
                // The monitor is left last: until then this may be done again.
                refused = match self.loaded(frame.leaving, native, made) {
                    Ok(refused) => refused,
                    Err(trap) => return self.trap(trap),
                };
                if !self.left(monitor) {
                    return self.fault(&Fault::Monitor);
                }
            }
            Leaving::Monitor(object) => {
                if !self.left(object) {
                    return self.fault(&Fault::Monitor);
                }
            }
            Leaving::Box(monitor, caller) => {
                let Some(method) = self.universe.method(frame.method) else { return Err(self.stray()) };
                // The monitor is left last: until then this may be done again.
                let boxed = match self.domain.boxed(self.thread, method, from) {
                    Ok(boxed) => boxed,
                    Err(trap) => return self.trap(trap),
                };
                if !self.left(monitor) {
                    return self.fault(&Fault::Monitor);
                }
                self.hand(caller, boxed);
            }
            Leaving::New(object, caller) => self.hand(caller, object),
            Leaving::Walk(caller) => self.hand(caller, made),
            Leaving::Constant(class, at) => {
                self.domain.computed.insert((class, at), made);
            }
            Leaving::Plain | Leaving::Initializer => {}
        }
        self.copy(from, first);
        self.thread.frames.pop();
        match frame.leaving {
            Leaving::Initializer => Ok(()),
            _ if self.thread.frames.is_empty() => Err(Stop::Done),
            Leaving::Load(..) if let Some(name) = refused => {
                self.thread.native = self.domain.caller(frame.leaving);
                let next = self.throw_new(NO_CLASS, Some(name));
                self.thread.native = None;
                next
            }
            // What needed it is done again.
            Leaving::Constant(..) | Leaving::Load(..) => Ok(()),
            _ => self.done(),
        }
    }

    /// A loader returned what it was asked for by a native with registers from `base` on. Returns the name of the class if it is not
    /// that one.
    fn loaded(&mut self, leaving: Leaving, base: u32, given: Ref) -> Result<Option<String>, Trap> {
        let native = self.domain.caller(leaving).and_then(|native| self.universe.method(native));
        self.native(native.ok_or(Trap::Stray)?, base as usize, |call| {
            crate::native::class_loader::take(call, given)
        })
    }

    /// Puts what a native called a method for where the native's result is.
    fn hand(&mut self, Caller(base): Caller, object: Ref) {
        if let Some(place) = self.thread.references.get_mut(base as usize) {
            *place = object;
        }
    }

    /// Arrays of arrays.
    pub(super) fn arrays(&mut self) -> Next {
        let Some((frame, _, _, word)) = self.word() else { return Err(self.stray()) };
        let base = frame.base as usize + word.base();
        let counts: Vec<i32> = (0..word.c())
            .map(|at| self.thread.numbers.get(base + at).map_or(0, |number| *number as i32))
            .collect();
        if let Some(negative) = counts.iter().find(|count| **count < 0) {
            return self.fault(&Fault::Negative(*negative));
        }
        match self.domain.new_arrays(ClassId(word.imm()), &counts) {
            Ok(array) => {
                if let Some(place) = self.thread.references.get_mut(base) {
                    *place = array;
                }
                self.done()
            }
            Err(trap) => self.trap(trap),
        }
    }

    /// A method of a handle, which takes any arguments.
    pub(super) fn handle(&mut self) -> Next {
        let Some((frame, _, _, word)) = self.word() else { return Err(self.stray()) };
        let Some(class) =
            self.universe.method(frame.method).and_then(|method| self.universe.class(method.class))
        else {
            return Err(self.stray());
        };
        let base = frame.base as usize + word.base();
        let Some(method) = self.universe.method(frame.method) else { return Err(self.stray()) };
        let outcome =
            self.native(method, base, |call| crate::native::handle::call(call, class, word.imm() as u16));
        self.finish_native(base, outcome)
    }

    /// Follows a constant to what it means, and replaces the operation; it is done again then.
    pub(super) fn link(&mut self) -> Next {
        let Some((frame, code, at, word)) = self.word() else { return Err(self.stray()) };
        let method = self.universe.method(frame.method);
        let class = method.and_then(|method| self.universe.class(method.class));
        let Some((method, class)) = method.zip(class) else { return Err(self.stray()) };
        match self.domain.link(class, method, word) {
            Ok(linked) => {
                code.set(at, linked.0);
                Ok(())
            }
            Err(Trap::Link(_)) if self.passes_null(frame.base as usize, word) => self.done(),
            Err(Trap::Compute(class, number)) => match self.domain.computed.get(&(class, number)) {
                // It is of this domain alone: the operation stays as it is.
                Some(object) => {
                    if let Some(place) = self.thread.references.get_mut(frame.base as usize + word.a()) {
                        *place = *object;
                    }
                    self.done()
                }
                None => self.compute(class, number),
            },
            Err(trap) => self.trap(trap),
        }
    }

    /// A cast or question about a class that cannot be linked: of null it is answered without the class.
    fn passes_null(&mut self, base: usize, word: Word) -> bool {
        let is_null = self.thread.references.get(base + word.b()) == Some(&NULL);
        if word.op() == op::LINK_IS_A
            && is_null
            && let Some(answer) = self.thread.numbers.get_mut(base + word.a())
        {
            *answer = 0;
        }
        is_null && matches!(word.op(), op::LINK_IS_A | op::LINK_CAST)
    }
}
