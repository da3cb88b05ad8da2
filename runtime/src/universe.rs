//! All classes that were loaded, by name and by number.
//!
//! A universe has one class path. Domains share it: a class is loaded, verified and translated once, and runs in each domain with
//! that domain's statics. Nothing is ever taken out; a universe goes away as a whole.

mod define;
mod handle;
mod link;
mod overpass;
mod words;

use std::cell::Cell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use carnet_classes::class::{Code, flags, shown};
use carnet_classes::descriptor;
use carnet_classes::fault::{Fault, Rule};
use carnet_classes::hierarchy::{Absent, Hierarchy, Outline};
use carnet_classes::instruction::{Operands, decode};
use carnet_classes::library::{Duplicate, Library};
use carnet_classes::opcode::Effect;
use carnet_classes::synthetic::handle::Adapter;
use foldhash::fast::RandomState;

use crate::account;
use crate::class::{
    Body, Class, ClassId, Constant, Kind, Method, MethodId, Origin, Refused, Shape, Signature,
};
use crate::code::translate::translate;
use crate::native::Natives;
use crate::symbol::{Symbol, Symbols};
use crate::table::Table;

use define::Making;
pub use link::{Access, Linked, Use};
pub(crate) use words::{declaration, type_name};

pub(crate) const ABSTRACT_METHOD: &str = "java/lang/AbstractMethodError";
const CHANGED: &str = "java/lang/IncompatibleClassChangeError";
const ILLEGAL: &str = "java/lang/IllegalAccessError";
const MISSING: &str = "java/lang/NoClassDefFoundError";

/// The verifier was stopped, so that others may run or the domain is ended: what needs its verdict is done again.
pub(crate) const STOPPED: &str = "stopped";

/// What the verifier does, as bytes that are read.
const VERIFYING: usize = 8;

/// How the verifier ends what it found of a class that is not there.
const NOT_FOUND: &str = ": not found";

/// A linkage error (JVMS 5): the class of the Java error, and its message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct LinkError {
    /// For example `java/lang/NoClassDefFoundError`.
    pub kind: &'static str,
    /// What it says.
    pub message: String,
    /// The class that was not found, if that is the cause: `java.lang.Object`.
    pub missing: Option<String>,
}

impl LinkError {
    /// An error of a kind.
    #[must_use]
    pub fn new(kind: &'static str, message: impl Into<String>) -> LinkError {
        LinkError { kind, message: message.into(), missing: None }
    }

    /// There is no class of a name.
    #[must_use]
    pub fn missing(name: &[u8]) -> LinkError {
        let missing = Some(shown(name).replace('/', "."));
        LinkError { missing, ..LinkError::new(MISSING, shown(name)) }
    }

    /// As Java tells it.
    fn told(&self) -> String {
        format!("{}: {}", self.kind.replace('/', "."), self.message)
    }
}

/// More than fits.
pub(crate) fn full<E>(_: E) -> LinkError {
    LinkError::new("java/lang/OutOfMemoryError", "classes: more than a universe holds")
}

/// What the verifier asks, and does, on behalf of the domain that runs.
struct Verifying<'u> {
    classes: &'u Library,
    /// Work that it may do.
    left: Cell<usize>,
}

impl Hierarchy for Verifying<'_> {
    fn outline(&self, name: &[u8]) -> Result<Arc<Outline>, Absent> {
        account::look_up(name.len());
        self.classes.outline(name)
    }

    fn goes_on(&self, work: usize) -> bool {
        account::read(VERIFYING.saturating_mul(work));
        self.left.set(self.left.get().saturating_sub(work));
        self.left.get() > 0
    }
}

/// Classes that everything needs, by number.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// `java/lang/Object`
    pub object: ClassId,
    /// `java/lang/Class`
    pub class: ClassId,
    /// `java/lang/String`
    pub string: ClassId,
    /// `java/lang/Throwable`
    pub throwable: ClassId,
    /// `java/lang/Cloneable`
    pub cloneable: ClassId,
    /// `java/io/Serializable`
    pub serializable: ClassId,
    /// `java/lang/Thread`
    pub thread: ClassId,
    /// `java/lang/ref/Reference`
    pub reference: ClassId,
}

/// The number of the class of arrays of a primitive type: the same in every universe.
#[must_use]
pub fn primitive_array_number(kind: Kind) -> u32 {
    FIRST_ARRAY + 2 * kind as u32
}

/// Behind no class, Object, Cloneable, Serializable, and `boolean`.
const FIRST_ARRAY: u32 = 5;

/// All classes of a class path.
pub struct Universe {
    class_path: Library,
    /// Names and descriptors.
    pub symbols: Symbols,
    classes: Table<Arc<Class>>,
    methods: Table<Arc<Method>>,
    /// Of each static field, what it holds, and its class.
    pub(crate) statics: Table<(Kind, ClassId)>,
    /// The texts of string constants.
    pub(crate) strings: Table<Symbol>,
    string_numbers: Mutex<HashMap<Symbol, u32, RandomState>>,
    by_name: Mutex<HashMap<Symbol, ClassId, RandomState>>,
    /// Held while a class is made, so that each is made once.
    making: Mutex<()>,
    natives: Natives,
    /// Of a class, the methods that throw when they are called, since its interfaces have none to choose: by name and descriptor.
    overpasses: Mutex<HashMap<(ClassId, Symbol, Symbol), MethodId>>,
    /// What runs for handles of each kind.
    adapters: Mutex<HashMap<Adapter, MethodId>>,
    primitives: [ClassId; 9],
    known: Known,
}

impl Universe {
    /// A universe over a class library, in which the core classes are loaded.
    ///
    /// # Errors
    /// If the class library is none.
    pub fn new(class_path: Library) -> Result<Arc<Universe>, LinkError> {
        let nothing = ClassId(0);
        let known = Known {
            object: nothing,
            class: nothing,
            string: nothing,
            throwable: nothing,
            cloneable: nothing,
            serializable: nothing,
            thread: nothing,
            reference: nothing,
        };
        let mut universe = Universe {
            class_path,
            symbols: Symbols::default(),
            classes: Table::default(),
            methods: Table::default(),
            statics: Table::default(),
            strings: Table::default(),
            string_numbers: Mutex::default(),
            by_name: Mutex::default(),
            making: Mutex::new(()),
            natives: Natives::all(),
            overpasses: Mutex::default(),
            adapters: Mutex::default(),
            primitives: [nothing; 9],
            known,
        };
        // Number 0 is no class.
        universe.add_primitive("")?;
        universe.known.object = universe.load(b"java/lang/Object")?;
        universe.known.cloneable = universe.load(b"java/lang/Cloneable")?;
        universe.known.serializable = universe.load(b"java/io/Serializable")?;
        for (at, kind) in Kind::PRIMITIVES.into_iter().enumerate() {
            universe.primitives[at] = universe.add_primitive(kind.keyword())?;
            let array = universe.add_primitive_array(kind)?;
            if array.0 != primitive_array_number(kind) {
                return Err(full(()));
            }
        }
        universe.primitives[8] = universe.add_primitive("void")?;
        universe.known.class = universe.load(b"java/lang/Class")?;
        universe.known.string = universe.load(b"java/lang/String")?;
        universe.known.throwable = universe.load(b"java/lang/Throwable")?;
        universe.known.thread = universe.load(b"java/lang/Thread")?;
        universe.known.reference = universe.load(b"java/lang/ref/Reference")?;
        Ok(Arc::new(universe))
    }

    /// Where classes come from.
    pub(crate) fn class_path(&self) -> &Library {
        &self.class_path
    }

    /// The classes that everything needs.
    #[must_use]
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// A class. Numbers come from this universe alone.
    #[inline]
    #[must_use]
    pub fn class(&self, id: ClassId) -> Option<&Arc<Class>> {
        self.classes.get(id.0)
    }

    /// How many classes there are.
    #[must_use]
    pub fn class_count(&self) -> u32 {
        self.classes.count()
    }

    /// A method.
    #[inline]
    #[must_use]
    pub fn method(&self, id: MethodId) -> Option<&Arc<Method>> {
        self.methods.get(id.0)
    }

    /// The name of a class, empty for none.
    #[must_use]
    pub fn name(&self, id: ClassId) -> &[u8] {
        self.class(id).map_or(&[], |class| self.symbols.text(class.name))
    }

    /// The name of a class as Java has it: `java.lang.Object`, `[I`.
    #[must_use]
    pub fn java_name(&self, id: ClassId) -> String {
        let name = self.name(id);
        account::read(name.len());
        shown(name).replace('/', ".")
    }

    /// A method for people: `java.util.List.of(...)`.
    #[must_use]
    pub fn method_name(&self, method: &Method) -> String {
        let (name, descriptor) = (self.symbols.text(method.name), self.symbols.text(method.descriptor));
        format!("{}.{}{}", self.java_name(method.class), shown(name), shown(descriptor))
    }

    /// The class of a primitive type; the ninth is `void`.
    #[must_use]
    pub fn primitive(&self, kind: Option<Kind>) -> ClassId {
        self.primitives[kind.map_or(8, |kind| (kind as usize).min(8))]
    }

    /// The class of arrays of a primitive type.
    #[must_use]
    pub fn primitive_array(&self, kind: Kind) -> ClassId {
        ClassId(primitive_array_number(kind))
    }

    /// A class that was loaded already.
    #[must_use]
    pub fn loaded(&self, name: &[u8]) -> Option<ClassId> {
        account::look_up(name.len());
        let symbol = self.symbols.known(name)?;
        self.names().get(&symbol).copied()
    }

    fn names(&self) -> std::sync::MutexGuard<'_, HashMap<Symbol, ClassId, RandomState>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The class of a name, for example `java/lang/Object` or `[I`; loaded if it is not there yet.
    ///
    /// # Errors
    /// [`LinkError`], `NoClassDefFoundError` if there is none.
    pub fn load(&self, name: &[u8]) -> Result<ClassId, LinkError> {
        if let Some(id) = self.loaded(name) {
            return Ok(id);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        self.find_or_make(name, &mut Making::new())
    }

    /// Adds a class of a guest to the class path. It is made when it is used first.
    ///
    /// # Errors
    /// [`LinkError`], `LinkageError` if there is a class of this name.
    pub fn give(&self, name: &str, bytes: Vec<u8>) -> Result<(), LinkError> {
        let duplicate = |error: Duplicate| LinkError::new("java/lang/LinkageError", error.to_string());
        self.class_path.give(name, bytes).map_err(duplicate)
    }

    /// Makes a hidden class, as nest mate of `host`.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn load_hidden(&self, bytes: Vec<u8>, host: ClassId) -> Result<ClassId, LinkError> {
        self.load_made(bytes, Origin::Hidden { host })
    }

    /// Makes a class of proxies.
    ///
    /// # Errors
    /// [`LinkError`].
    pub(crate) fn load_proxy(&self, bytes: Vec<u8>) -> Result<ClassId, LinkError> {
        let mut host = self.load(b"java/lang/reflect/Proxy")?;
        if let Ok(file) = carnet_classes::read::read(&bytes) {
            for name in file.interfaces.iter().filter_map(|index| file.pool.class(*index)) {
                let interface = self.load(name)?;
                if self.class(interface).is_some_and(|interface| !interface.has(flags::PUBLIC)) {
                    host = interface;
                }
            }
        }
        self.load_made(bytes, Origin::Proxy { host })
    }

    fn load_made(&self, bytes: Vec<u8>, origin: Origin) -> Result<ClassId, LinkError> {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        self.define(bytes, origin, None, &mut Making::new())
    }

    /// What runs for handles of a kind, if there were any.
    pub(crate) fn adapter(&self, adapter: &Adapter) -> Option<MethodId> {
        self.adapters.lock().unwrap_or_else(PoisonError::into_inner).get(adapter).copied()
    }

    /// Says what runs for handles of a kind.
    pub(crate) fn add_adapter(&self, adapter: Adapter, method: MethodId) {
        self.adapters.lock().unwrap_or_else(PoisonError::into_inner).insert(adapter, method);
    }

    /// The class of arrays of a class.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn array_of(&self, element: ClassId) -> Result<ClassId, LinkError> {
        let class = self.class(element).ok_or_else(|| full(()))?;
        let known = class.array.load(Ordering::Acquire);
        if known != 0 {
            return Ok(ClassId(known));
        }
        let mut name = vec![b'['];
        match Kind::PRIMITIVES.into_iter().find(|kind| self.primitive(Some(*kind)) == element) {
            Some(kind) => name.push(kind.letter()),
            None => {
                let text = self.symbols.text(class.name);
                if text.first() == Some(&b'[') {
                    name.extend_from_slice(text);
                } else {
                    name.push(b'L');
                    name.extend_from_slice(text);
                    name.push(b';');
                }
            }
        }
        let array = match class.origin {
            // Nobody finds it by its name.
            Origin::Hidden { .. } | Origin::Proxy { .. } => {
                let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
                // Told before another thread looks, which would make one more.
                match class.array.load(Ordering::Acquire) {
                    0 => {
                        let made = self.add_array(&name, self.reference_array(element)?)?;
                        class.array.store(made.0, Ordering::Release);
                        made
                    }
                    made => ClassId(made),
                }
            }
            _ => self.load(&name)?,
        };
        class.array.store(array.0, Ordering::Release);
        Ok(array)
    }

    /// The number of a string constant.
    pub(crate) fn string_number(&self, text: Symbol) -> Result<u32, LinkError> {
        let mut numbers = self.string_numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(&text) {
            return Ok(*number);
        }
        let number = self.strings.add(|_| text).map_err(full)?;
        numbers.insert(text, number);
        Ok(number)
    }

    /// Whether a class, or one above it, has this name.
    #[must_use]
    pub(crate) fn is_named(&self, id: ClassId, name: &[u8]) -> bool {
        let Some(class) = self.class(id) else { return false };
        class.line.iter().any(|id| self.name(*id) == name)
    }

    /// What runs when a method is called; found out on first use.
    ///
    /// # Errors
    /// HotSpot's, if its class is not verified, or the domain that runs has no room for the code. Another one may have.
    pub fn body<'m>(&self, method: &'m Method) -> Result<&'m Body, LinkError> {
        if let Some(body) = method.body.get() {
            return Ok(body);
        }
        let made = self.make_body(method)?;
        Ok(method.body.get_or_init(|| made))
    }

    /// The local variables of a method that never hold a reference.
    pub(crate) fn never_references(&self, method: MethodId) -> Vec<usize> {
        let Some(method) = self.method(method) else { return Vec::new() };
        let attribute = self.class(method.class).and_then(|class| class.file.get(method.code.clone()));
        let Some(code) = attribute.and_then(Code::read) else { return Vec::new() };
        account::read(code.bytes.len());
        let mut never = vec![true; usize::from(code.max_locals)];
        let mut is_reference = |local: usize| {
            if let Some(place) = never.get_mut(local) {
                *place = false;
            }
        };
        let mut slot = 0;
        if !method.is_static() {
            is_reference(0);
            slot = 1;
        }
        for kind in &self.signature(method).parameters {
            if *kind == Kind::Reference {
                is_reference(slot);
            }
            slot += if kind.is_wide() { 2 } else { 1 };
        }
        let mut at = 0;
        while let Ok(found) = decode(code.bytes, at) {
            match (found.row.effect, found.operands) {
                (Effect::Store(b'A', Some(local)), _) => is_reference(usize::from(local)),
                (Effect::Store(b'A', None), Operands::Local(local)) => is_reference(usize::from(local)),
                _ => {}
            }
            at += found.length;
        }
        let locals = never.iter().enumerate();
        locals.filter(|(_, never)| **never).map(|(local, _)| local).collect()
    }

    /// What a method takes and returns. Descriptors of guests were checked; what is none takes and returns nothing.
    pub fn signature<'m>(&self, method: &'m Method) -> &'m Signature {
        method.signature.get_or_init(|| {
            let shape = descriptor::method(self.symbols.text(method.descriptor));
            let shape = shape.unwrap_or(descriptor::Method { parameters: Vec::new(), result: b"V" });
            Signature {
                slots: shape.slots() as u16 + u16::from(!method.is_static()),
                parameters: shape.parameters.iter().map(|text| Kind::of(text)).collect(),
                result: (shape.result != b"V").then(|| Kind::of(shape.result)),
            }
        })
    }

    fn make_body(&self, method: &Method) -> Result<Body, LinkError> {
        let Some(class) = self.class(method.class) else { return Ok(Body::Abstract) };
        if class.origin == Origin::Library {
            let text = |symbol| self.symbols.text(symbol);
            let native = self.natives.find(text(class.name), text(method.name), text(method.descriptor));
            if let Some(native) = native {
                return Ok(Body::Native(native));
            }
        }
        if method.has(flags::ABSTRACT) {
            return Ok(Body::Abstract);
        }
        if method.has(flags::NATIVE) {
            return Ok(Body::Refused(Refused::Native));
        }
        // Nothing runs that is not verified. Mostly it was, when its class was initialized; interfaces may not be before their methods
        // are called.
        self.verified(class)?;
        let caught = self.caught(class, method)?;
        let code = match translate(class, method, self.signature(method), &caught) {
            Ok(code) => code,
            Err(reason) => return Ok(Body::Refused(Refused::Code(reason))),
        };
        if class.origin != Origin::Library {
            account::read(code.bytes());
            account::take(code.bytes())?;
        }
        Ok(Body::Code(Box::new(code)))
    }

    /// The names of the classes that a method's handlers catch, by the number of their text. They are compared for each exception.
    fn caught(&self, class: &Class, method: &Method) -> Result<HashMap<u16, Symbol>, LinkError> {
        let mut caught = HashMap::new();
        let code = class.file.get(method.code.clone()).and_then(Code::read);
        for handler in code.map(|code| code.handlers).unwrap_or_default() {
            let Constant::Class(text) = class.constant(handler.catch.0) else { continue };
            let Entry::Vacant(place) = caught.entry(text) else { continue };
            let name = class.text(text);
            account::look_up(name.len());
            if class.origin != Origin::Library && self.symbols.known(name).is_none() {
                account::take(2 * name.len())?;
            }
            place.insert(self.symbols.of(name).map_err(full)?);
        }
        Ok(caught)
    }

    /// What a call of a method throws that cannot be run.
    pub(crate) fn refusal(&self, method: &Method, why: &Refused) -> LinkError {
        let class = self.class(method.class).map(AsRef::as_ref);
        let reason = match why {
            // Only call sites can call those of handles of variables.
            Refused::Native if self.name(method.class) == b"java/lang/invoke/VarHandle" => {
                let message = format!("'{}'", self.declared(class, method));
                return LinkError::new("java/lang/UnsatisfiedLinkError", message);
            }
            Refused::Native => "a native method that the runtime does not have".to_owned(),
            Refused::Code(reason) => reason.to_string(),
        };
        let message = format!("{}: {reason}", self.method_name(method));
        LinkError::new("java/lang/UnsupportedOperationException", message)
    }

    /// Whether a class may be linked: guests are verified, once, or until no class is missing that the verifier asks for.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn verified(&self, class: &Class) -> Result<(), LinkError> {
        if let Some(verdict) = class.verdict.get() {
            return verdict.clone();
        }
        let verdict = self.verify(class);
        if verdict.as_ref().is_err_and(|error| matches!(error.kind, MISSING | STOPPED)) {
            return verdict;
        }
        class.verdict.get_or_init(|| verdict).clone()
    }

    fn verify(&self, class: &Class) -> Result<(), LinkError> {
        if class.shape != Shape::Object || self.is_trusted(class) {
            return Ok(());
        }
        let wrong = |reason: String| LinkError::new("java/lang/VerifyError", reason);
        let file = class.parsed().map_err(|error| wrong(error.to_string()))?;
        let verifying = Verifying { classes: &self.class_path, left: Cell::new(account::portion()) };
        carnet_classes::verify(&file, &verifying).map_err(|faults| match faults.first() {
            Some(Fault { rule: Rule::Stopped, .. }) => {
                account::enlarge();
                LinkError::new(STOPPED, "")
            }
            Some(Fault { rule: Rule::Missing, found, .. }) if found.ends_with(NOT_FOUND) => {
                LinkError::missing(&found.as_bytes()[..found.len() - NOT_FOUND.len()])
            }
            fault => wrong(fault.map(ToString::to_string).unwrap_or_default()),
        })
    }

    /// Whether an object of a class can be assigned to a variable of another (JVMS 6.5 `instanceof`).
    #[must_use]
    pub fn is_subclass(&self, id: ClassId, of: ClassId) -> bool {
        if id == of || of == self.known.object {
            return true;
        }
        let (Some(class), Some(above)) = (self.class(id), self.class(of)) else { return false };
        if above.is_interface() {
            return class.has_interface(of);
        }
        match (class.shape, above.shape) {
            (Shape::Object, Shape::Object) => {
                above.line.len().checked_sub(1).and_then(|depth| class.line.get(depth)) == Some(&of)
            }
            (Shape::References { element }, Shape::References { element: wanted }) => {
                self.is_subclass(element, wanted)
            }
            _ => false,
        }
    }
}
