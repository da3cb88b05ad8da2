//! Methods that are ours: those that the library calls native, and some others that touch the runtime.
//!
//! A native is called with its arguments in registers, and either returns or says what must be done before it is called again
//! ([`Trap`]). So it makes all the objects that it needs before it changes anything.

mod assertions;
pub(crate) mod class_loader;
mod constants;
mod deflater;
mod files;
pub mod handle;
mod host;
pub(crate) mod lang;
pub(crate) mod library;
mod math;
mod member_name;
mod members;
mod method_handle;
mod modules;
mod null_message;
mod reflection;
mod stack_walk;
mod system;
mod threads;
mod throwable;
mod unsafe_;
mod variables;

pub use assertions::Assertions;

use std::collections::HashMap;

use crate::class::{ClassId, Kind, Method, MethodId};
use crate::domain::{Domain, Ended};
use crate::heap::{ELEMENTS, NULL, Ref, Stray};
use crate::interpret::Fault;
use crate::thread::{Caller, Leaving, Thread};
use crate::universe::{LinkError, STOPPED, Universe};

/// No name of a class, package or file has more bytes (JVMS 4.4.7).
pub const NAME_BYTES_MAX: usize = 65_535;

/// A method that is ours.
pub type Native = fn(&mut Call<'_>) -> Result<Outcome, Trap>;

/// What a native returns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// Nothing.
    Void,
    /// A boolean, byte, char, short or int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// An object or null.
    Reference(Ref),
    /// What this method returns, called with the arguments that are in the registers now.
    Call(MethodId, Leaving),
}

impl Outcome {
    /// A value of a kind, as its register has it.
    pub(crate) fn of(kind: Kind, number: u64) -> Outcome {
        match kind {
            Kind::Reference => Outcome::Reference(number as Ref),
            Kind::Long => Outcome::Long(number as i64),
            Kind::Float => Outcome::Float(f32::from_bits(number as u32)),
            Kind::Double => Outcome::Double(f64::from_bits(number)),
            _ => Outcome::Int(number as i32),
        }
    }

    /// Puts what was returned into a register.
    pub(crate) fn put(self, thread: &mut Thread, at: usize) {
        let number = match self {
            Outcome::Void | Outcome::Call(..) => return,
            Outcome::Int(value) => u64::from(value as u32),
            Outcome::Long(value) => value as u64,
            Outcome::Float(value) => u64::from(value.to_bits()),
            Outcome::Double(value) => value.to_bits(),
            Outcome::Reference(value) => {
                if let Some(place) = thread.references.get_mut(at) {
                    *place = value;
                }
                return;
            }
        };
        if let Some(place) = thread.numbers.get_mut(at) {
            *place = number;
        }
    }
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq)]
pub enum Trap {
    /// There is no room for so many bytes: it is done again when there is.
    Collect(usize),
    /// A class must be initialized: it is done again then.
    Initialize(ClassId),
    /// The thread waits: it is done again when it is woken.
    Wait,
    /// A constant of a class must be computed: it is done again then.
    Compute(ClassId, u16),
    /// An exception.
    Throw(Ref),
    /// An exception of the machine.
    Fault(Fault),
    /// A new exception of a class, with a message.
    New(&'static str, Option<String>),
    /// A linkage error.
    Link(LinkError),
    /// The domain is ended.
    End(Ended),
    /// A mistake of ours.
    Stray,
}

impl From<Stray> for Trap {
    fn from(_: Stray) -> Trap {
        Trap::Stray
    }
}

impl From<LinkError> for Trap {
    fn from(error: LinkError) -> Trap {
        match error.kind {
            // In another turn.
            STOPPED => Trap::Wait,
            _ => Trap::Link(error),
        }
    }
}

/// A call of a native.
pub struct Call<'c> {
    /// The domain.
    pub domain: &'c mut Domain,
    /// The thread that calls.
    pub thread: &'c mut Thread,
    /// All classes.
    pub universe: &'c Universe,
    /// The method.
    pub method: &'c Method,
    /// The register of the first argument.
    pub base: usize,
}

impl Call<'_> {
    /// As the caller of a method, whose result comes to the registers of this call.
    #[must_use]
    pub fn as_caller(&self) -> Caller {
        Caller(self.base as u32)
    }

    /// An int argument, by its slot; `this` has slot 0 if there is one.
    #[must_use]
    pub fn int(&self, slot: usize) -> i32 {
        self.long(slot) as i32
    }

    /// A long argument.
    #[must_use]
    pub fn long(&self, slot: usize) -> i64 {
        self.thread.numbers.get(self.base + slot).map_or(0, |number| *number as i64)
    }

    /// A double argument.
    #[must_use]
    pub fn double(&self, slot: usize) -> f64 {
        f64::from_bits(self.long(slot) as u64)
    }

    /// A float argument.
    #[must_use]
    pub fn float(&self, slot: usize) -> f32 {
        f32::from_bits(self.long(slot) as u32)
    }

    /// A reference.
    #[must_use]
    pub fn reference(&self, slot: usize) -> Ref {
        self.thread.references.get(self.base + slot).copied().unwrap_or(NULL)
    }

    /// A reference that is not null.
    ///
    /// # Errors
    /// A `NullPointerException`.
    pub fn object(&self, slot: usize) -> Result<Ref, Trap> {
        match self.reference(slot) {
            NULL => Err(Trap::Fault(Fault::Null)),
            object => Ok(object),
        }
    }

    /// Sets an argument of the method that is called next.
    pub fn set_reference(&mut self, slot: usize, object: Ref) {
        if let Some(place) = self.thread.references.get_mut(self.base + slot) {
            *place = object;
        }
    }

    /// Sets an argument of the method that is called next.
    pub fn set_number(&mut self, slot: usize, number: u64) {
        if let Some(place) = self.thread.numbers.get_mut(self.base + slot) {
            *place = number;
        }
    }

    /// The class that a `Class` argument is of.
    ///
    /// # Errors
    /// A `NullPointerException`.
    pub fn class(&self, slot: usize) -> Result<ClassId, Trap> {
        self.domain.class_of_mirror(self.object(slot)?)
    }

    /// The text of a string argument.
    ///
    /// # Errors
    /// A `NullPointerException`.
    pub fn text(&self, slot: usize) -> Result<String, Trap> {
        self.domain.text_of(self.object(slot)?)
    }

    /// The text of a string argument that is a name; of one that is longer than [any](NAME_BYTES_MAX), the start.
    ///
    /// # Errors
    /// A `NullPointerException`.
    pub fn name(&self, slot: usize) -> Result<String, Trap> {
        self.domain.name_of(self.object(slot)?)
    }

    /// Ensures that a class is initialized.
    ///
    /// # Errors
    /// [`Trap::Initialize`].
    pub fn initialized(&mut self, class: ClassId) -> Result<(), Trap> {
        if self.domain.may_use(self.thread, class) { Ok(()) } else { Err(Trap::Initialize(class)) }
    }

    /// A class of the library, initialized.
    ///
    /// # Errors
    /// [`Trap`].
    pub fn core_class(&mut self, name: &str) -> Result<ClassId, Trap> {
        let class = self.universe.load(name.as_bytes())?;
        self.initialized(class)?;
        Ok(class)
    }

    /// The method of a class.
    ///
    /// # Errors
    /// If there is none.
    pub fn method_of(&self, class: ClassId, name: &str, descriptor: &str) -> Result<MethodId, Trap> {
        let class = self.universe.class(class).ok_or(Trap::Stray)?;
        let found = self.universe.find_method(class, name.as_bytes(), descriptor.as_bytes());
        found.map(|method| method.id).ok_or_else(|| {
            Trap::Link(LinkError::new("java/lang/NoSuchMethodError", format!("{name}{descriptor}")))
        })
    }

    /// A new array of references.
    ///
    /// # Errors
    /// [`Trap`].
    pub fn new_references(&mut self, element: &str, values: &[Ref]) -> Result<Ref, Trap> {
        let class = self.universe.load(format!("[L{element};").as_bytes())?;
        let array = self.domain.new_array(class, values.len() as u32)?;
        for (at, value) in values.iter().enumerate() {
            self.domain.heap.space.set_u32(array, ELEMENTS + 4 * at as u32, *value)?;
        }
        Ok(array)
    }

    /// Ensures that there is room for so many bytes, so that objects can be made one after the other.
    ///
    /// # Errors
    /// [`Trap::Collect`].
    pub fn room(&self, bytes: usize) -> Result<(), Trap> {
        let space = &self.domain.heap.space;
        if space.room() - space.used() < bytes { Err(Trap::Collect(bytes)) } else { Ok(()) }
    }

    /// What an array of arguments holds.
    ///
    /// # Errors
    /// [`Trap`].
    pub fn elements(&self, array: Ref) -> Result<Vec<Ref>, Trap> {
        if array == NULL {
            return Ok(Vec::new());
        }
        let space = &self.domain.heap.space;
        self.domain.heap.read(space.length(array)? as usize);
        (0..space.length(array)?).map(|at| Ok(space.u32(array, ELEMENTS + 4 * at)?)).collect()
    }
}

/// Natives of a class: name, descriptor, function. What another JDK adds under a name is not meant.
pub(crate) type Rows = &'static [(&'static str, &'static str, Native)];

/// All natives, by class.
pub(crate) struct Natives(HashMap<&'static [u8], Vec<Rows>>);

impl Natives {
    pub(crate) fn all() -> Natives {
        let mut all: HashMap<&'static [u8], Vec<Rows>> = HashMap::new();
        let tables = [
            assertions::NATIVES,
            class_loader::NATIVES,
            constants::NATIVES,
            deflater::NATIVES,
            files::NATIVES,
            handle::NATIVES,
            host::NATIVES,
            lang::NATIVES,
            library::NATIVES,
            math::NATIVES,
            member_name::NATIVES,
            members::NATIVES,
            method_handle::NATIVES,
            modules::NATIVES,
            reflection::NATIVES,
            stack_walk::NATIVES,
            system::NATIVES,
            threads::NATIVES,
            throwable::NATIVES,
            unsafe_::NATIVES,
            variables::NATIVES,
        ];
        for (class, rows) in tables.concat() {
            all.entry(class.as_bytes()).or_default().push(rows);
        }
        Natives(all)
    }

    pub(crate) fn find(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Native> {
        // Native methods of this name do nothing here.
        let rows = self.0.get(class).into_iter().flatten().flat_map(|rows| rows.iter());
        let mut fitting = rows.filter(|(of, text, _)| of.as_bytes() == name && text.as_bytes() == descriptor);
        match (fitting.next(), name, descriptor) {
            (Some((_, _, native)), _, _) => Some(*native),
            (None, b"registerNatives" | b"initIDs", b"()V") => Some(nothing),
            _ => None,
        }
    }
}

/// Does nothing.
pub(crate) fn nothing(_: &mut Call<'_>) -> Result<Outcome, Trap> {
    Ok(Outcome::Void)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use carnet_classes::library::{Library, installed_jdk};
    use carnet_fuzz::java_programs::not_possible;

    use super::Natives;
    use crate::class::Method;
    use crate::universe::Universe;

    #[test]
    fn what_another_jdk_may_add_under_a_name_is_not_ours() {
        let natives = Natives::all();
        assert!(natives.find(b"java/lang/Object", b"hashCode", b"()I").is_some());
        assert!(natives.find(b"java/lang/Object", b"hashCode", b"(I)I").is_none());
    }

    /// The rows that are not of one method of Java 17.
    #[test]
    fn every_row_is_of_one_method() {
        if let Some(why) = not_possible() {
            eprintln!("not possible: {why}");
            return;
        }
        let library = Library::open(installed_jdk().as_deref(), &[]).expect("a JDK");
        let universe = Universe::new(library).expect("core classes");
        let mut wrong = Vec::new();
        for (class, tables) in &Natives::all().0 {
            let id = universe.load(class).expect("a class of the library");
            let methods = &universe.class(id).expect("it is loaded").methods;
            for (name, descriptor, _) in tables.iter().copied().flatten() {
                let fits = |method: &&Arc<Method>| {
                    let text = |symbol| universe.symbols.text(symbol);
                    text(method.name) == name.as_bytes() && text(method.descriptor) == descriptor.as_bytes()
                };
                if methods.iter().filter(fits).count() != 1 {
                    wrong.push(format!("{} {name}{descriptor}", universe.java_name(id)));
                }
            }
        }
        assert_eq!(wrong, [""; 0]);
    }
}
