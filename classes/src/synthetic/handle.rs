//! What runs when a method handle is called: a static method that takes the handle, and then what is given to it.
//!
//! ```text
//! handle.invokeExact(arguments…)  ─►  ENTRY(handle, arguments…) {
//!     MEMBER(arguments…)                                   // Member
//!     handle.parts[0].invokeBasic(arguments, parts, …)     // all others
//! }
//! ```
//!
//! A handle keeps in `carnet$parts` the handles and values that it is made of. Types are [basic](basic) where nothing depends on
//! more: so few classes serve for many handles. Their code is the library's own: it is not verified, and may do what `java.lang.invoke` may.

use std::ops::Range;

use super::convert::{as_type, zero};
use super::{ENTRY, Handle, OBJECT, REFERENCE, Unsupported, descriptor_of, method};
use crate::class::flags;
use crate::descriptor;
use crate::opcode::{
    AALOAD, AASTORE, ACONST_NULL, ATHROW, DUP, IALOAD, IASTORE, IFEQ, INVOKEINTERFACE, INVOKESPECIAL,
    INVOKESTATIC, INVOKEVIRTUAL,
};
use crate::write::{Code, Frame, Owner, Reference, Writer};

const HANDLE: &[u8] = b"java/lang/invoke/MethodHandle";
const HANDLE_TYPE: &[u8] = b"Ljava/lang/invoke/MethodHandle;";
const IMPLEMENTATION: &str = "java/lang/invoke/MethodHandleImpl";
const THROWABLE: &[u8] = b"java/lang/Throwable";

/// A value that code of a handle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// What the handle is given.
    Argument(usize),
    /// An object among the parts of the handle; it is the box of a number where that is wanted.
    Part(usize),
    /// What a call before returned.
    Result(usize),
    /// Zero or null.
    Zero,
}

/// A call of a handle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The handle, among the parts.
    pub part: usize,
    /// Its basic type.
    pub of: Vec<u8>,
    /// What is given to it.
    pub with: Vec<Value>,
}

/// How a call site calls a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// `invokeExact`
    Exact,
    /// `invoke`
    Converted,
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Does {
    /// A field or method is used, as a handle of this kind does (JVMS 5.4.3.5).
    Member {
        /// 1 to 9.
        kind: u8,
        /// Whether the class is one.
        is_interface: bool,
        /// The class that declares it.
        class: Vec<u8>,
        /// Its name.
        name: Vec<u8>,
        /// Its descriptor.
        descriptor: Vec<u8>,
    },
    /// The handle is made one of the type, and called; or it is told that it is of another type.
    Site(Exactness),
    /// The first argument is a handle, which is called with the others.
    Invoker(Exactness),
    /// Arguments and result of the first part are converted.
    Convert {
        /// The type of that.
        target: Vec<u8>,
    },
    /// Parts are called one after the other.
    Steps(Vec<Step>, Value),
    /// What a delegating handle delegates to is called.
    Delegate,
    /// The first part says whether the second or the third is called.
    Guard,
    /// The first part is called; what it throws, if it is of the class that is the second part, the third handles.
    Catch,
    /// The first part is called, and the second then, whatever happened.
    Finally,
    /// An array among the arguments is given to the first part element by element.
    Spread {
        /// Which.
        at: usize,
        /// Descriptor of an element.
        element: Vec<u8>,
        /// The basic type of the part.
        target: Vec<u8>,
    },
    /// The arguments are put into an array, which the first part makes. It has such elements.
    Collect(u8),
    /// The argument is thrown.
    Throw,
    /// Makes handles whose parts are the arguments behind type and form.
    Factory,
}

/// A handle of a type that does something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Adapter {
    /// The descriptor of its type.
    pub of: Vec<u8>,
    /// What it does.
    pub does: Does,
}

/// A descriptor of a method in which all references are Objects, and all that registers have as an int is one.
#[must_use]
pub fn basic(text: &[u8]) -> Vec<u8> {
    let Some(shape) = descriptor::method(text) else { return Vec::new() };
    let each = |text: &[u8]| match text {
        [b'Z' | b'B' | b'S' | b'C' | b'I'] => b"I".to_vec(),
        [letter] => vec![*letter],
        _ => REFERENCE.to_vec(),
    };
    let parameters: Vec<u8> = shape.parameters.iter().flat_map(|text| each(text)).collect();
    [b"(", &parameters[..], b")", &each(shape.result)].concat()
}

/// The class of a handle.
///
/// # Errors
/// [`Unsupported`], if it does not fit into a class file.
pub fn handle(adapter: &Adapter, name: &[u8]) -> Result<Vec<u8>, Unsupported> {
    let mut class = Writer::new(flags::FINAL | flags::SUPER | flags::SYNTHETIC, name, OBJECT);
    let entry = with_first(&adapter.of, HANDLE_TYPE)?;
    let own = method(&adapter.of)?;
    let mut code = class.method(flags::STATIC, ENTRY, &entry);
    let mut locals = vec![1];
    for parameter in &own.parameters {
        locals.push(locals.last().copied().unwrap_or(1) + descriptor::slots(parameter));
    }
    let mut body = Body { code: &mut code, own: &own, locals };
    match &adapter.does {
        Does::Member { kind, is_interface, class, name, descriptor } => {
            let owner = if *is_interface { Owner::Interface } else { Owner::Class };
            body.member(*kind, Reference { class, name, descriptor }, owner)?;
        }
        Does::Site(exactness) => body.site(*exactness, &adapter.of),
        Does::Invoker(exactness) => {
            let rest: Vec<u8> = own.parameters.iter().skip(1).flat_map(|text| text.iter().copied()).collect();
            let text = [b"(", &rest[..], b")", own.result].concat();
            body.arguments(0);
            let name = if *exactness == Exactness::Exact { "invokeExact" } else { "invoke" };
            body.invoke(name.as_bytes(), &text);
        }
        Does::Convert { target } => {
            let shape = method(target)?;
            Unsupported::arity(shape.parameters.len(), own.parameters.len())?;
            body.part(0);
            for (at, (from, to)) in own.parameters.iter().zip(&shape.parameters).enumerate() {
                body.argument(at);
                as_type(body.code, from, to)?;
            }
            body.invoke(b"invokeBasic", &basic(target));
            as_type(body.code, shape.result, own.result)?;
        }
        Does::Steps(steps, result) => body.steps(steps, *result)?,
        Does::Delegate => {
            body.code.load(REFERENCE, 0);
            let get = Reference {
                class: b"java/lang/invoke/DelegatingMethodHandle",
                name: b"getTarget",
                descriptor: b"()Ljava/lang/invoke/MethodHandle;",
            };
            body.code.invoke(INVOKEVIRTUAL, get, Owner::Class);
            body.arguments(0);
            body.invoke(b"invokeBasic", &adapter.of);
        }
        Does::Guard => body.guard(&adapter.of),
        Does::Catch => body.catch(&adapter.of)?,
        Does::Finally => body.finally(&adapter.of)?,
        Does::Spread { at, element, target } => body.spread(*at, element, target)?,
        Does::Collect(element) => {
            body.part(0);
            body.code.int(own.parameters.len() as i32);
            body.invoke(b"invokeBasic", b"(I)Ljava/lang/Object;");
            for at in 0..own.parameters.len() {
                body.code.op(DUP);
                body.code.int(at as i32);
                body.argument(at);
                body.code.op(element_opcode(*element) + (IASTORE - IALOAD));
            }
        }
        Does::Throw => {
            body.argument(0);
            body.code.op(ATHROW);
        }
        Does::Factory => body.factory(),
    }
    code.give(own.result);
    code.end();
    Ok(class.finish()?)
}

/// A descriptor with one parameter more before the others.
fn with_first(text: &[u8], first: &[u8]) -> Result<Vec<u8>, Unsupported> {
    method(text)?;
    Ok([b"(", first, text.get(1..).unwrap_or_default()].concat())
}

/// What loads an element of a descriptor's first letter.
fn element_opcode(letter: u8) -> u8 {
    match letter {
        b'I' => IALOAD,
        b'J' => IALOAD + 1,
        b'F' => IALOAD + 2,
        b'D' => IALOAD + 3,
        b'Z' | b'B' => IALOAD + 5,
        b'C' => IALOAD + 6,
        b'S' => IALOAD + 7,
        _ => AALOAD,
    }
}

struct Body<'b, 'w, 'a> {
    code: &'b mut Code<'w>,
    own: &'b descriptor::Method<'a>,
    /// Where arguments are, and what is behind them.
    locals: Vec<usize>,
}

impl Body<'_, '_, '_> {
    fn argument(&mut self, at: usize) {
        if let (Some(text), Some(local)) = (self.own.parameters.get(at), self.locals.get(at)) {
            self.code.load(text, *local);
        }
    }

    /// All arguments from one on.
    fn arguments(&mut self, from: usize) {
        (from..self.own.parameters.len()).for_each(|at| self.argument(at));
    }

    /// The first local variable that is free.
    fn free(&self) -> usize {
        self.locals.last().copied().unwrap_or(1)
    }

    fn part(&mut self, at: usize) {
        self.code.load(REFERENCE, 0);
        let parts = Reference { class: HANDLE, name: b"carnet$parts", descriptor: b"[Ljava/lang/Object;" };
        self.code.get_field(parts);
        self.code.int(at as i32);
        self.code.op(AALOAD);
    }

    fn invoke(&mut self, name: &[u8], descriptor: &[u8]) {
        self.code.invoke(INVOKEVIRTUAL, Reference { class: HANDLE, name, descriptor }, Owner::Class);
    }

    fn member(&mut self, kind: u8, member: Reference<'_>, owner: Owner) -> Result<(), Unsupported> {
        if kind == 8 {
            self.code.new_object(member.class);
            self.code.op(DUP);
        }
        self.arguments(0);
        match kind {
            1 => self.code.get_field(member),
            2 => self.code.get_static(member),
            3 => self.code.put_field(member),
            4 => self.code.put_static(member),
            5 => self.code.invoke(INVOKEVIRTUAL, member, owner),
            6 => self.code.invoke(INVOKESTATIC, member, owner),
            7 | 8 => self.code.invoke(INVOKESPECIAL, member, owner),
            9 => self.code.invoke(INVOKEINTERFACE, member, owner),
            _ => {
                let handle = Handle { kind, member, owner };
                return Err(Unsupported::argument(handle.shown(), "a field or method"));
            }
        }
        Ok(())
    }

    fn site(&mut self, exactness: Exactness, of: &[u8]) {
        self.code.load(REFERENCE, 0);
        self.code.method_type(of);
        match exactness {
            Exactness::Exact => {
                let check = Reference::new(
                    "java/lang/invoke/Invokers",
                    "checkExactType",
                    "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)V",
                );
                self.code.invoke(INVOKESTATIC, check, Owner::Class);
                self.code.load(REFERENCE, 0);
            }
            Exactness::Converted => {
                let convert = Reference {
                    class: HANDLE,
                    name: b"asType",
                    descriptor: b"(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
                };
                self.code.invoke(INVOKEVIRTUAL, convert, Owner::Class);
            }
        }
        self.arguments(0);
        self.invoke(b"invokeBasic", &basic(of));
    }

    fn steps(&mut self, steps: &[Step], result: Value) -> Result<(), Unsupported> {
        let mut results: Vec<(usize, Vec<u8>)> = Vec::new();
        let mut free = self.free();
        for step in steps {
            let shape = method(&step.of)?;
            Unsupported::arity(step.with.len(), shape.parameters.len())?;
            self.part(step.part);
            for (value, wanted) in step.with.iter().zip(&shape.parameters) {
                self.value(*value, wanted, &results)?;
            }
            self.invoke(b"invokeBasic", &step.of);
            if shape.result != b"V" {
                self.code.store(shape.result, free);
            }
            results.push((free, shape.result.to_vec()));
            free += descriptor::slots(shape.result).max(1);
        }
        if self.own.result != b"V" {
            let wanted = self.own.result;
            self.value(result, wanted, &results)?;
        }
        Ok(())
    }

    fn value(
        &mut self,
        value: Value,
        wanted: &[u8],
        results: &[(usize, Vec<u8>)],
    ) -> Result<(), Unsupported> {
        match value {
            Value::Argument(at) => self.argument(at),
            Value::Part(at) => {
                self.part(at);
                as_type(self.code, REFERENCE, wanted)?;
            }
            Value::Result(at) => match results.get(at) {
                Some((local, text)) if text != b"V" => self.code.load(text, *local),
                _ => return Err(Unsupported::argument("nothing", "what a call returned")),
            },
            Value::Zero => zero(self.code, wanted),
        }
        Ok(())
    }

    fn guard(&mut self, of: &[u8]) {
        let parameters = of.split(|byte| *byte == b')').next().unwrap_or_default();
        self.part(0);
        self.arguments(0);
        self.invoke(b"invokeBasic", &[parameters, b")I"].concat());
        let other = self.code.branch(IFEQ);
        self.part(1);
        self.arguments(0);
        self.invoke(b"invokeBasic", of);
        self.code.give(self.own.result);
        self.code.land(other, Frame::Same);
        self.part(2);
        self.arguments(0);
        self.invoke(b"invokeBasic", of);
    }

    /// Calls the first part, and leaves what it returns; the offsets of that.
    fn protected(&mut self, of: &[u8]) -> Range<usize> {
        let begin = self.code.place();
        self.part(0);
        self.arguments(0);
        self.invoke(b"invokeBasic", of);
        begin..self.code.place()
    }

    fn catch(&mut self, of: &[u8]) -> Result<(), Unsupported> {
        let (thrown, range) = (self.free(), self.protected(of));
        self.code.give(self.own.result);
        self.code.handler(range);
        self.code.store(REFERENCE, thrown);
        self.part(1);
        self.code.load(REFERENCE, thrown);
        let is_instance = Reference::new("java/lang/Class", "isInstance", "(Ljava/lang/Object;)Z");
        self.code.invoke(INVOKEVIRTUAL, is_instance, Owner::Class);
        let other = self.code.branch(IFEQ);
        self.part(2);
        self.code.load(REFERENCE, thrown);
        self.arguments(0);
        self.invoke(b"invokeBasic", &with_first(of, REFERENCE)?);
        self.code.give(self.own.result);
        self.code.land(other, Frame::More(THROWABLE));
        self.code.load(REFERENCE, thrown);
        self.code.op(ATHROW);
        Ok(())
    }

    fn finally(&mut self, of: &[u8]) -> Result<(), Unsupported> {
        let result = self.own.result;
        let given = if result == b"V" { &[][..] } else { result };
        let cleanup = with_first(&with_first(of, given)?, REFERENCE)?;
        let (thrown, range) = (self.free(), self.protected(of));
        let kept = thrown + 1;
        if result != b"V" {
            self.code.store(result, kept);
        }
        self.part(1);
        self.code.op(ACONST_NULL);
        if result != b"V" {
            self.code.load(result, kept);
        }
        self.arguments(0);
        self.invoke(b"invokeBasic", &cleanup);
        self.code.give(result);
        self.code.handler(range);
        self.code.store(REFERENCE, thrown);
        self.part(1);
        self.code.load(REFERENCE, thrown);
        zero(self.code, result);
        self.arguments(0);
        self.invoke(b"invokeBasic", &cleanup);
        as_type(self.code, result, b"V")?;
        self.code.load(REFERENCE, thrown);
        self.code.op(ATHROW);
        Ok(())
    }

    fn spread(&mut self, at: usize, element: &[u8], target: &[u8]) -> Result<(), Unsupported> {
        let shape = method(target)?;
        let count = (shape.parameters.len() + 1).saturating_sub(self.own.parameters.len());
        self.argument(at);
        self.code.int(count as i32);
        let check = Reference::new(IMPLEMENTATION, "checkSpreadArgument", "(Ljava/lang/Object;I)V");
        self.code.invoke(INVOKESTATIC, check, Owner::Class);
        self.part(0);
        (0..at).for_each(|before| self.argument(before));
        let letter = element.first().copied().unwrap_or(b'L');
        for index in 0..count {
            self.argument(at);
            self.code.int(index as i32);
            self.code.op(element_opcode(letter));
        }
        self.arguments(at + 1);
        self.invoke(b"invokeBasic", target);
        Ok(())
    }

    fn factory(&mut self) {
        self.argument(0);
        self.argument(1);
        // A handle of one basic type is not made by this method; what is given for that is null.
        self.code.op(ACONST_NULL);
        let parts = self.own.parameters.len().saturating_sub(2);
        self.code.int(parts as i32);
        self.code.new_array(OBJECT);
        for at in 0..parts {
            self.code.op(DUP);
            self.code.int(at as i32);
            self.argument(at + 2);
            self.code.op(AASTORE);
        }
        let make = Reference::new(
            "java/lang/invoke/BoundMethodHandle",
            "bindSingle",
            "(Ljava/lang/invoke/MethodType;Ljava/lang/invoke/LambdaForm;Ljava/lang/invoke/LambdaForm$BasicType;\
             Ljava/lang/Object;)Ljava/lang/invoke/BoundMethodHandle;",
        );
        self.code.invoke(INVOKESTATIC, make, Owner::Class);
    }
}

/// The descriptor of what a handle of a member takes and gives.
///
/// # Errors
/// [`Unsupported`], for no kind of handle.
pub fn type_of(kind: u8, class: &[u8], text: &[u8]) -> Result<Vec<u8>, Unsupported> {
    let own = descriptor_of(class);
    Ok(match kind {
        1 => [b"(", &own[..], b")", text].concat(),
        2 => [b"()", text].concat(),
        3 => [b"(", &own[..], text, b")V"].concat(),
        4 => [b"(", text, b")V"].concat(),
        5 | 7 | 9 => with_first(text, &own)?,
        6 => text.to_vec(),
        8 => {
            let end = text.len().saturating_sub(1);
            [text.get(..end).unwrap_or_default(), &own].concat()
        }
        _ => return Err(Unsupported::argument(format!("kind {kind}"), "that of a handle")),
    })
}
