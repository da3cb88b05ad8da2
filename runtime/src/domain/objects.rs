//! Objects that the runtime makes or looks into: strings, `Class` objects, exceptions.

use std::sync::Arc;

use super::{Domain, FAILED};
use crate::class::{ClassId, Field, Kind, Method, MethodId, Origin, Shape};
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::native::{NAME_BYTES_MAX, Trap};
use crate::thread::{Leaving, STACK_LEAST, Thread, WINDOW};
use crate::universe::{LinkError, Universe};

/// Bytes of stacks that there are beyond the limit for errors that tell of it.
const STACK_MORE: u64 = 1 << 20;

/// What it takes to make an exception, as bytes that are read.
const EXCEPTION: usize = 1 << 10;

/// Most frames that a stack trace tells, as HotSpot.
const TRACE_MAX: usize = 1024;

/// The offset that a backtrace has for a method that is ours and has no frame.
pub const IN_NATIVE: u32 = u32::MAX;

/// Offsets of fields that the runtime needs.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// `String.value`
    pub value: u32,
    /// `String.coder`
    pub coder: u32,
    /// `Class.carnet$id`
    pub class_id: u32,
    /// `Class.componentType`
    pub component: u32,
    /// `Throwable.detailMessage`
    pub message: u32,
    /// `Throwable.backtrace`
    pub backtrace: u32,
    /// `Throwable.depth`
    pub depth: u32,
    /// `Throwable.cause`
    pub cause: u32,
    /// `Throwable.stackTrace`
    pub trace: u32,
    /// `Throwable.suppressedExceptions`
    pub suppressed: u32,
    /// `Reference.referent`
    pub referent: u32,
    /// `Thread.eetop`, which holds the number of a thread that is alive
    pub thread: u32,
    /// `Thread.threadStatus`
    pub status: u32,
    /// `Thread.interrupted`
    pub interrupted: u32,
    /// `Thread.daemon`
    pub daemon: u32,
}

impl Places {
    pub(super) fn find(universe: &Universe) -> Result<Places, LinkError> {
        let known = universe.known();
        let place = |class: ClassId, name: &str, descriptor: &str| {
            let class = universe.class(class);
            let field =
                class.and_then(|class| universe.find_field(class, name.as_bytes(), descriptor.as_bytes()));
            field.map(|field| field.place).ok_or_else(|| {
                LinkError::new(
                    "java/lang/NoSuchFieldError",
                    format!("{name}: this class library is not supported"),
                )
            })
        };
        Ok(Places {
            value: place(known.string, "value", "[B")?,
            coder: place(known.string, "coder", "B")?,
            class_id: place(known.class, "carnet$id", "I")?,
            component: place(known.class, "componentType", "Ljava/lang/Class;")?,
            message: place(known.throwable, "detailMessage", "Ljava/lang/String;")?,
            backtrace: place(known.throwable, "backtrace", "Ljava/lang/Object;")?,
            depth: place(known.throwable, "depth", "I")?,
            cause: place(known.throwable, "cause", "Ljava/lang/Throwable;")?,
            trace: place(known.throwable, "stackTrace", "[Ljava/lang/StackTraceElement;")?,
            suppressed: place(known.throwable, "suppressedExceptions", "Ljava/util/List;")?,
            referent: place(known.reference, "referent", "Ljava/lang/Object;")?,
            thread: place(known.thread, "eetop", "J")?,
            status: place(known.thread, "threadStatus", "I")?,
            interrupted: place(known.thread, "interrupted", "Z")?,
            daemon: place(known.thread, "daemon", "Z")?,
        })
    }
}

/// What an exception takes at most, with a trace of so many frames.
pub(super) fn exception_bytes(frames: usize, message: Option<&str>) -> usize {
    512 + (frames + 1).min(TRACE_MAX) * 8 + message.map_or(0, |message| 2 * message.len())
}

/// The UTF-16 units of modified UTF-8 (JVMS 4.4.7).
#[must_use]
pub fn units(text: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text.iter().map(|byte| u16::from(*byte));
    while let Some(first) = rest.next() {
        let mut more = || rest.next().unwrap_or(0) & 0x3f;
        units.push(match first {
            0x00..=0x7f => first,
            0xc0..=0xdf => (first & 0x1f) << 6 | more(),
            _ => (first & 0x0f) << 12 | more() << 6 | more(),
        });
    }
    units
}

/// Modified UTF-8 of UTF-16 units.
#[must_use]
pub fn modified(units: &[u16]) -> Vec<u8> {
    let mut text = Vec::with_capacity(units.len());
    for unit in units {
        match unit {
            0x01..=0x7f => text.push(*unit as u8),
            0 | 0x80..=0x7ff => text.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
            _ => text.extend([
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    text
}

/// As much of a text as HotSpot tells: so many bytes of modified UTF-8, the last ones each as a char if they are not a whole one.
pub(crate) fn told(text: &[u16], bytes_max: usize) -> String {
    let mut bytes = modified(text);
    bytes.truncate(bytes_max);
    let length = |first: u8| if first < 0xc0 { 1 } else { 2 + usize::from(first >= 0xe0) };
    let is_cut = |at: &usize| at + length(bytes[*at]) > bytes.len();
    let whole = (bytes.len().saturating_sub(2)..bytes.len()).find(is_cut).unwrap_or(bytes.len());
    let (whole, rest) = bytes.split_at(whole);
    String::from_utf16_lossy(&units(whole)) + &rest.iter().map(|byte| char::from(*byte)).collect::<String>()
}

/// A text as strings have it: a coder, and bytes; narrow ones if all units fit.
pub(super) fn encode(units: &[u16]) -> (u8, Vec<u8>) {
    if units.iter().all(|unit| *unit < 0x100) {
        (0, units.iter().map(|unit| *unit as u8).collect())
    } else {
        (1, units.iter().flat_map(|unit| unit.to_le_bytes()).collect())
    }
}

impl Domain {
    /// A new string.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn new_string(&mut self, units: &[u16]) -> Result<Ref, Trap> {
        let (coder, bytes) = encode(units);
        self.new_encoded(coder, &bytes)
    }

    /// A new string of a text as strings have it.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(super) fn new_encoded(&mut self, coder: u8, bytes: &[u8]) -> Result<Ref, Trap> {
        let value = self.new_bytes(bytes)?;
        let string = self.new_object(self.universe.known().string)?;
        self.heap.space.set_u32(string, self.places.value, value)?;
        self.heap.space.set_u8(string, self.places.coder, coder)?;
        Ok(string)
    }

    /// A new string of a text.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn new_text(&mut self, text: &str) -> Result<Ref, Trap> {
        self.new_string(&text.encode_utf16().collect::<Vec<u16>>())
    }

    /// The units of a string.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn units_of(&self, string: Ref) -> Result<Vec<u16>, Trap> {
        self.first_units_of(string, u32::MAX)
    }

    /// The first units of a string, so many at most.
    pub(super) fn first_units_of(&self, string: Ref, most: u32) -> Result<Vec<u16>, Trap> {
        let space = &self.heap.space;
        let value = space.u32(string, self.places.value)?;
        if value == NULL {
            return Ok(Vec::new());
        }
        let coder = space.u8(string, self.places.coder)?;
        let wide = u32::from(coder != 0);
        let count = (space.length(value)? >> wide).min(most);
        let bytes = space.bytes(value, ELEMENTS, (count << wide) as usize)?;
        self.heap.read(bytes.len());
        Ok(match coder {
            0 => bytes.iter().map(|byte| u16::from(*byte)).collect(),
            _ => bytes.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect(),
        })
    }

    /// A string for people.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn text_of(&self, string: Ref) -> Result<String, Trap> {
        if string == NULL {
            return Ok("null".to_owned());
        }
        Ok(String::from_utf16_lossy(&self.units_of(string)?))
    }

    /// A string that names a class, a package or a file. Of one that is longer than any name, as much as shows that.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn name_of(&self, string: Ref) -> Result<String, Trap> {
        Ok(String::from_utf16_lossy(&self.first_units_of(string, NAME_BYTES_MAX as u32 + 1)?))
    }

    /// The string of a constant.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn string_constant(&mut self, number: u32) -> Result<Ref, Trap> {
        let universe = Arc::clone(&self.universe);
        let symbol = universe.strings.get(number).ok_or(Trap::Stray)?;
        let string = self.intern(&units(universe.symbols.text(*symbol)))?;
        *self.strings.entry(number as usize) = string;
        Ok(string)
    }

    /// The `Class` object of a class.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn mirror(&mut self, class: ClassId) -> Result<Ref, Trap> {
        let known = self.mirror_known(class);
        if known != NULL {
            return Ok(known);
        }
        let of = Arc::clone(self.universe.class(class).ok_or(Trap::Stray)?);
        let component = match of.shape {
            Shape::Primitives(kind) => self.mirror(self.universe.primitive(Some(kind)))?,
            Shape::References { element } => self.mirror(element)?,
            Shape::Object | Shape::Primitive => NULL,
        };
        let mirror = self.new_object(self.universe.known().class)?;
        self.heap.space.set_u32(mirror, self.places.class_id, class.0)?;
        self.heap.space.set_u32(mirror, self.places.component, component)?;
        *self.mirrors.entry(class.0 as usize) = mirror;
        Ok(mirror)
    }

    /// The class that a `Class` object is of.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn class_of_mirror(&self, mirror: Ref) -> Result<ClassId, Trap> {
        Ok(ClassId(self.heap.space.u32(mirror, self.places.class_id)?))
    }

    /// A field of an object by its name.
    pub(crate) fn field_of(&self, object: Ref, name: &[u8], descriptor: &[u8]) -> Result<Field, Trap> {
        let class = self.universe.class(self.heap.space.class_of(object)?).ok_or(Trap::Stray)?;
        self.universe.find_field(class, name, descriptor).cloned().ok_or(Trap::Stray)
    }

    /// Sets a reference or int field of an object by its name.
    pub(crate) fn set_field(
        &mut self,
        object: Ref,
        name: &[u8],
        descriptor: &[u8],
        value: u32,
    ) -> Result<(), Trap> {
        let field = self.field_of(object, name, descriptor)?;
        match field.kind.bytes() {
            1 => self.heap.space.set_u8(object, field.place, value as u8)?,
            4 => self.heap.space.set_u32(object, field.place, value)?,
            _ => return Err(Trap::Stray),
        }
        Ok(())
    }

    /// A reference or int field of an object by its name.
    pub(crate) fn get_field(&self, object: Ref, name: &[u8], descriptor: &[u8]) -> Result<u32, Trap> {
        let field = self.field_of(object, name, descriptor)?;
        Ok(match field.kind.bytes() {
            1 => u32::from(self.heap.space.u8(object, field.place)?),
            4 => self.heap.space.u32(object, field.place)?,
            _ => return Err(Trap::Stray),
        })
    }

    /// The number of a static field by its name.
    fn static_of(&self, class: ClassId, name: &[u8], descriptor: &[u8]) -> Result<usize, Trap> {
        let class = self.universe.class(class).ok_or(Trap::Stray)?;
        let field = self.universe.find_field(class, name, descriptor).ok_or(Trap::Stray)?;
        Ok(field.place as usize)
    }

    /// A static field by its name.
    pub(crate) fn get_static(&self, class: ClassId, name: &[u8], descriptor: &[u8]) -> Result<u64, Trap> {
        let at = self.static_of(class, name, descriptor)?;
        self.statics.get(at).map(|field| field.value).ok_or(Trap::Stray)
    }

    /// Sets a static field by its name.
    pub(crate) fn set_static(
        &mut self,
        class: ClassId,
        name: &[u8],
        descriptor: &[u8],
        value: u64,
    ) -> Result<(), Trap> {
        let at = self.static_of(class, name, descriptor)?;
        self.statics.get_mut(at).ok_or(Trap::Stray)?.value = value;
        Ok(())
    }

    /// A new exception of a class, with the stack trace of the thread. It is made without running its constructor, and of its
    /// class and those above it `Throwable` alone is initialized: those of the exceptions that the runtime throws set nothing else.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn exception(
        &mut self,
        thread: &mut Thread,
        class: &'static str,
        message: Option<&str>,
    ) -> Result<Ref, Trap> {
        let id = self.universe.load(class.as_bytes()).map_err(Trap::Link)?;
        self.heap.read(EXCEPTION);
        let throwable = self.universe.known().throwable;
        // If it failed, that can be told all the same.
        if !self.may_use(thread, throwable) && self.state(throwable) != FAILED {
            return Err(Trap::Initialize(throwable));
        }
        // All that is needed is there, or nothing is made.
        let frames = thread.frames.len();
        let needed = exception_bytes(frames, message);
        let space = &self.heap.space;
        if space.room() - space.used() < needed {
            let is_memory = matches!(class, "java/lang/OutOfMemoryError" | "java/lang/StackOverflowError");
            // Who keeps all that tell of it does not get more and more.
            let is_left = space.used() + needed <= self.most();
            if !is_memory || !is_left {
                return Err(Trap::Collect(needed));
            }
            self.open_reserve();
        }
        let text = message.map_or(Ok(NULL), |message| self.new_text(message))?;
        let object = self.new_object(id)?;
        let sentinel = self.get_static(throwable, b"SUPPRESSED_SENTINEL", b"Ljava/util/List;")?;
        let unassigned =
            self.get_static(throwable, b"UNASSIGNED_STACK", b"[Ljava/lang/StackTraceElement;")?;
        let (places, space) = (self.places, &mut self.heap.space);
        space.set_u32(object, places.message, text)?;
        space.set_u32(object, places.cause, object)?;
        space.set_u32(object, places.trace, unassigned as Ref)?;
        space.set_u32(object, places.suppressed, sentinel as Ref)?;
        if class == "java/lang/NullPointerException" {
            // What is null can be asked for (1), but not of a frame that is not told (2).
            let top = thread.frames.last().and_then(|frame| self.universe.method(frame.method));
            let state = if top.is_none_or(|top| self.is_told(top)) { 1 } else { 2 };
            self.set_field(object, b"extendedMessageState", b"I", state)?;
        }
        self.fill_trace(thread, object, frames)?;
        self.close_reserve();
        Ok(object)
    }

    /// Notes where a thread is: method and offset of so many of its frames, the last one first.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub(crate) fn fill_trace(&mut self, thread: &Thread, object: Ref, frames: usize) -> Result<(), Trap> {
        let native = thread.native.map(|method| (method, IN_NATIVE));
        let frames = self.told(thread, frames).map(|(_, method, offset)| (method, offset));
        let told: Vec<(MethodId, u32)> = native.into_iter().chain(frames).take(TRACE_MAX).collect();
        let array = self.new_array(self.universe.primitive_array(Kind::Int), 2 * told.len() as u32)?;
        // Each frame's code is asked for the offset.
        self.heap.read(size_of_val(&*told) * size_of::<u64>());
        for (at, (method, offset)) in told.iter().enumerate() {
            let place = ELEMENTS + 8 * at as u32;
            self.heap.space.set_u32(array, place, method.0)?;
            self.heap.space.set_u32(array, place + 4, *offset)?;
        }
        self.heap.space.set_u32(object, self.places.backtrace, array)?;
        self.heap.space.set_u32(object, self.places.depth, told.len() as u32)?;
        Ok(())
    }

    /// Whether frames of a method are told: it is not of a class that the runtime made.
    fn is_told(&self, method: &Method) -> bool {
        let class = self.universe.class(method.class);
        class.is_some_and(|class| !matches!(class.origin, Origin::Hidden { .. }))
    }

    /// What is told of the frames of a thread below a number, from there down: number, method and offset of the instruction.
    pub(crate) fn told<'d>(
        &'d self,
        thread: &'d Thread,
        frames: usize,
    ) -> impl Iterator<Item = (usize, MethodId, u32)> + 'd {
        let frames = thread.frames.get(..frames).unwrap_or(&thread.frames).iter().enumerate().rev();
        frames.flat_map(|(at, frame)| {
            let method = self.universe.method(frame.method);
            let code =
                method.filter(|method| self.is_told(method)).and_then(|method| self.translated(method));
            let own = code.map(|code| (at, frame.method, u32::from(code.offset(frame.pc as usize))));
            let caller = own.and_then(|_| self.caller(frame.leaving));
            own.into_iter().chain(caller.map(|method| (at, method, IN_NATIVE)))
        })
    }

    /// The native of the library that called a frame, by reflection, to load a class or to walk the stack; it has no frame of its own.
    pub(crate) fn caller(&self, leaving: Leaving) -> Option<MethodId> {
        let (class, name): (&[u8], &[u8]) = match leaving {
            Leaving::Box(..) => (b"jdk/internal/reflect/NativeMethodAccessorImpl", b"invoke0"),
            Leaving::New(..) => (b"jdk/internal/reflect/NativeConstructorAccessorImpl", b"newInstance0"),
            Leaving::Load(..) => (b"java/lang/Class", b"forName0"),
            Leaving::Walk(_) => (b"java/lang/StackStreamFactory$AbstractStackWalker", b"callStackWalk"),
            _ => return None,
        };
        let class = self.universe.class(self.universe.loaded(class)?)?;
        let name = self.universe.symbols.known(name)?;
        class.methods.iter().find(|method| method.name == name).map(|method| method.id)
    }

    /// Whether a thread may begin a frame whose registers begin at `base`; there is room for it then.
    pub(crate) fn may_enter(&self, thread: &mut Thread, base: u32) -> bool {
        // An error that tells of it needs some frames of its own.
        let more = if thread.overflowed { 256 } else { 0 };
        let base = base as usize;
        thread.frames.len() < self.limits.frames as usize + more
            && base < self.limits.registers as usize + more * WINDOW
            && (thread.has_room(base) || self.grow(thread, base))
    }

    /// Makes room for registers up to a window at `base`, and one frame more, if the stack of a thread may grow so much.
    fn grow(&self, thread: &mut Thread, base: usize) -> bool {
        let (has, wanted) = (thread.stack_bytes(), thread.stack_bytes_with(base));
        if wanted > has.max(STACK_LEAST) {
            // Of this, all that tell of such an error have no more than one.
            let more = if thread.overflowed { STACK_MORE } else { 0 };
            if self.others_bytes() + wanted as u64 > self.limits.stacks.saturating_add(more) {
                return false;
            }
            self.heap.moved(wanted - has);
        }
        thread.grow(base);
        true
    }

    /// Bytes of the stacks of all threads but the running one: each has the least at any rate.
    pub(super) fn others_bytes(&self) -> u64 {
        self.heap.read(self.threads.len());
        let others = self.threads.values().flatten();
        others.map(|other| other.stack_bytes().max(STACK_LEAST) as u64).sum()
    }

    /// What a method returned into its first register, as an object: somebody asked by reflection.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn boxed(&mut self, thread: &Thread, method: &Method, base: usize) -> Result<Ref, Trap> {
        match self.universe.signature(method).result {
            Some(Kind::Reference) => thread.references.get(base).copied().ok_or(Trap::Stray),
            Some(kind) => self.new_box(thread, kind, thread.numbers.get(base).copied().ok_or(Trap::Stray)?),
            None => Ok(NULL),
        }
    }

    /// A new object of the class that boxes a kind of number.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn new_box(&mut self, thread: &Thread, kind: Kind, number: u64) -> Result<Ref, Trap> {
        let (class, descriptor) = box_of(kind);
        let id = self.universe.load(class.as_bytes()).map_err(Trap::Link)?;
        if !self.may_use(thread, id) {
            return Err(Trap::Initialize(id));
        }
        let object = self.new_object(id)?;
        let field = self.field_of(object, b"value", descriptor.as_bytes())?;
        match kind.bytes() {
            1 => self.heap.space.set_u8(object, field.place, number as u8)?,
            2 => self.heap.space.set_u16(object, field.place, number as u16)?,
            4 => self.heap.space.set_u32(object, field.place, number as u32)?,
            _ => self.heap.space.set_u64(object, field.place, number)?,
        }
        Ok(object)
    }

    /// The `InvocationTargetException` around what a method threw that was called by reflection.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn wrapped(&mut self, thread: &mut Thread, thrown: Ref) -> Result<Ref, Trap> {
        thread.uncaught = thrown;
        let name = "java/lang/reflect/InvocationTargetException";
        let made = self.exception_of_another(thread, name, None);
        let thrown = std::mem::replace(&mut thread.uncaught, NULL);
        let made = made?;
        self.heap.space.set_u32(made, self.places.cause, NULL)?;
        self.set_field(made, b"target", b"Ljava/lang/Throwable;", thrown)?;
        Ok(made)
    }
}

/// The class that boxes a kind, and the descriptor of its value.
#[must_use]
pub fn box_of(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Boolean => ("java/lang/Boolean", "Z"),
        Kind::Byte => ("java/lang/Byte", "B"),
        Kind::Char => ("java/lang/Character", "C"),
        Kind::Short => ("java/lang/Short", "S"),
        Kind::Int => ("java/lang/Integer", "I"),
        Kind::Float => ("java/lang/Float", "F"),
        Kind::Long => ("java/lang/Long", "J"),
        Kind::Double | Kind::Reference => ("java/lang/Double", "D"),
    }
}
