//! Calls from outside: one static method, without a `main` and without starting the library.

use std::sync::Arc;

use carnet_classes::descriptor;

use super::{Domain, Ended};
use crate::class::{Kind, Method};
use crate::heap::{NULL, Ref};
use crate::native::Trap;
use crate::thread::{Thread, ThreadId};
use crate::universe::LinkError;

/// An argument or result of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A boolean, byte, char, short or int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// A string, for a parameter that is a `String` or `Object`.
    Text(String),
    /// Null.
    Null,
    /// Another object, only as a result: it is valid until the domain runs again.
    Object(Ref),
}

/// Why a call has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CallError {
    /// The class cannot be linked, or has no such method with code.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The arguments are not those of the method.
    #[error("arguments that are not those of {0}")]
    Arguments(String),
    /// It threw; what, with the places where it came from.
    #[error("{0}")]
    Thrown(String),
    /// The domain was ended.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// A call that was asked for.
pub(super) struct Asked {
    pub(super) thread: ThreadId,
    method: Arc<Method>,
    arguments: Vec<Value>,
    is_begun: bool,
    /// Why it was not begun. That ends the call, and nothing else.
    refused: Option<LinkError>,
}

impl Domain {
    /// Calls a static method on a new thread, after its class is initialized, and runs all threads until it returns. Those that it
    /// began go on with the next call.
    ///
    /// [Booting](Domain::boot) comes first if the method needs what `System` has, or its `Thread`, which is that of `main` then in each
    /// call; others need no more than some microseconds and kilobytes. After [`Domain::run_main`] that thread is gone.
    ///
    /// # Errors
    /// [`CallError`]. After [`CallError::Ended`], nothing should be run in the domain any more.
    pub fn call_static(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        arguments: &[Value],
    ) -> Result<Option<Value>, CallError> {
        self.paying(|domain| domain.call_paid(class, name, descriptor, arguments))
    }

    fn call_paid(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        arguments: &[Value],
    ) -> Result<Option<Value>, CallError> {
        self.is_over()?;
        let universe = Arc::clone(&self.universe);
        let missing = || LinkError::new("java/lang/NoSuchMethodError", format!("{class}.{name}{descriptor}"));
        let of = universe.class(universe.load(class.as_bytes())?).ok_or_else(missing)?;
        let method = universe.find_method(of, name.as_bytes(), descriptor.as_bytes()).ok_or_else(missing)?;
        if !method.is_static() {
            return Err(missing().into());
        }
        let texts = descriptor::method(descriptor.as_bytes()).map_or(Vec::new(), |shape| shape.parameters);
        let takes_text = |at: usize| {
            texts.get(at).is_some_and(|of| matches!(&**of, b"Ljava/lang/String;" | b"Ljava/lang/Object;"))
        };
        let fits = |(at, (value, kind)): (usize, (&Value, &Kind))| match value {
            Value::Int(_) => {
                matches!(kind, Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int)
            }
            Value::Long(_) => *kind == Kind::Long,
            Value::Float(_) => *kind == Kind::Float,
            Value::Double(_) => *kind == Kind::Double,
            Value::Text(_) => takes_text(at),
            Value::Null => *kind == Kind::Reference,
            Value::Object(_) => false,
        };
        let parameters = &universe.signature(method).parameters;
        let mut each = arguments.iter().zip(parameters).enumerate();
        if arguments.len() != parameters.len() || !each.all(fits) {
            return Err(CallError::Arguments(universe.method_name(method)));
        }
        let full = |_| CallError::Ended(Ended::Memory);
        let mut thread = self.first_thread().map_err(full)?;
        let id = thread.id;
        let (method, arguments) = (Arc::clone(method), arguments.to_vec());
        thread.reserve(0);
        self.asked = Some(Asked {
            thread: id,
            method: Arc::clone(&method),
            arguments,
            is_begun: false,
            refused: None,
        });
        self.start(thread);
        let ran = self.run_all();
        let refused = self.asked.take().and_then(|asked| asked.refused);
        let thread = self.threads.remove(&id).flatten();
        self.turn.retain(|other| *other != id);
        ran?;
        let mut thread = thread.ok_or_else(|| Ended::Internal("a call".to_owned()))?;
        self.users -= 1;
        self.holders.remove(thread.holder);
        self.first_permit = thread.permit;
        if let Some(why) = refused {
            return Err(why.into());
        }
        if thread.uncaught != NULL {
            return Err(CallError::Thrown(self.described(std::mem::replace(&mut thread.uncaught, NULL))));
        }
        let (number, object) = (thread.numbers[0], thread.references[0]);
        Ok(universe.signature(&method).result.map(|kind| match kind {
            Kind::Long => Value::Long(number as i64),
            Kind::Float => Value::Float(f32::from_bits(number as u32)),
            Kind::Double => Value::Double(f64::from_bits(number)),
            Kind::Reference => self.value_of(object),
            _ => Value::Int(number as i32),
        }))
    }

    fn value_of(&self, object: Ref) -> Value {
        if object == NULL {
            return Value::Null;
        }
        let is_text = self.heap.space.class_of(object) == Ok(self.universe.known().string);
        match self.text_of(object) {
            Ok(text) if is_text => Value::Text(text),
            _ => Value::Object(object),
        }
    }

    /// The thread of a call has nothing to run: begins the method, or what comes before it. Returns whether there was anything.
    pub(super) fn call_begins(&mut self, thread: &mut Thread) -> Result<bool, Ended> {
        let Some(asked) = self.asked.as_mut().filter(|asked| asked.thread == thread.id && !asked.is_begun)
        else {
            return Ok(false);
        };
        let method = Arc::clone(&asked.method);
        if thread.uncaught != NULL {
            asked.is_begun = true;
            return Ok(false);
        }
        let begun = match self.class_begins(thread, method.class) {
            Ok(true) => self.begin_call(thread, &method),
            other => other.map(drop),
        };
        match begun {
            Err(Ended::Main(why)) => {
                if let Some(asked) = &mut self.asked {
                    (asked.is_begun, asked.refused) = (true, Some(why));
                }
                Ok(false)
            }
            other => other.map(|()| true),
        }
    }

    pub(super) fn need(&mut self, thread: &mut Thread, bytes: usize) -> Result<(), Ended> {
        match self.make_room(thread, bytes) {
            Ok(true) => Ok(()),
            _ => Err(Ended::Memory),
        }
    }

    fn begin_call(&mut self, thread: &mut Thread, method: &Method) -> Result<(), Ended> {
        let Some(asked) = &mut self.asked else { return Ok(()) };
        let arguments = std::mem::take(&mut asked.arguments);
        let mut slot = 0;
        for argument in arguments {
            let width = if matches!(argument, Value::Long(_) | Value::Double(_)) { 2 } else { 1 };
            let (number, object) = match argument {
                Value::Int(value) => (u64::from(value as u32), NULL),
                Value::Long(value) => (value as u64, NULL),
                Value::Float(value) => (u64::from(value.to_bits()), NULL),
                Value::Double(value) => (value.to_bits(), NULL),
                Value::Text(text) => (0, self.text_for(thread, &text)?),
                Value::Null | Value::Object(_) => (0, NULL),
            };
            if let (Some(place), Some(reference)) =
                (thread.numbers.get_mut(slot), thread.references.get_mut(slot))
            {
                (*place, *reference) = (number, object);
            }
            slot += width;
        }
        let is_begun = self.begins(thread, method.id)?;
        if let Some(asked) = &mut self.asked {
            asked.is_begun = is_begun;
        }
        Ok(())
    }

    fn text_for(&mut self, thread: &mut Thread, text: &str) -> Result<Ref, Ended> {
        loop {
            match self.new_text(text) {
                Ok(string) => return Ok(string),
                Err(Trap::Collect(bytes)) => self.need(thread, bytes)?,
                Err(trap) => return Err(Ended::Internal(format!("{trap:?}"))),
            }
        }
    }
}
