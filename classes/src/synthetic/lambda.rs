//! Lambdas and method references: `LambdaMetafactory.metafactory` and `altMetafactory`.
//!
//! ```text
//! final synthetic class NAME implements INTERFACE, MARKERS… {
//!     private final CAPTURE a0; …
//!     private NAME(CAPTURES)                     { a0 = …; }
//!     static INTERFACE call-site(CAPTURES)       { return new NAME(CAPTURES); }
//!     public RESULT METHOD(PARAMETERS)           { return IMPLEMENTATION(a0…, converted PARAMETERS…); }   // and for each bridge
//!     private final Object writeReplace()        { return new SerializedLambda(…, a0…); }                 // if it is serializable
//! }
//! ```

use std::borrow::Cow;

use super::convert::{as_type, convert};
use super::{ENTRY, Handle, OBJECT, REFERENCE, Unsupported, class_of, descriptor_of, method};
use crate::class::{flags, shown};
use crate::descriptor::{self, Method};
use crate::opcode::{AASTORE, DUP, INVOKEINTERFACE, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL};
use crate::write::{Owner, Reference, Writer};

/// A call site that makes an object of a functional interface.
#[derive(Clone, Copy, Debug)]
pub struct Lambda<'a> {
    /// The name of the class that is made.
    pub name: &'a [u8],
    /// The class that has the call site. Its private methods may be named by `invokespecial`, as compilers before Java 11 did.
    pub host: &'a [u8],
    /// The descriptor of the call site: captured values, and the interface.
    pub factory: &'a [u8],
    /// The interface's method.
    pub method: &'a [u8],
    /// Its descriptor.
    pub erased: &'a [u8],
    /// What implements it.
    pub implementation: Handle<'a>,
    /// The descriptor that the method has here, where the interface is generic.
    pub instantiated: &'a [u8],
    /// More interfaces that the class implements. It is serializable if `java/io/Serializable` is among them.
    pub markers: &'a [&'a [u8]],
    /// More descriptors of the method.
    pub bridges: &'a [&'a [u8]],
}

/// How the implementation is called.
struct Call<'a> {
    opcode: u8,
    /// The receiver first, if there is one.
    parameters: Vec<Cow<'a, [u8]>>,
    result: Cow<'a, [u8]>,
}

impl<'a> Call<'a> {
    fn of(lambda: &Lambda<'a>) -> Result<Call<'a>, Unsupported> {
        let Handle { kind, member, owner } = lambda.implementation;
        let opcode = match (kind, owner) {
            (5, Owner::Class) => INVOKEVIRTUAL,
            (6, _) => INVOKESTATIC,
            // A private method of the host: a nestmate calls it like any other (JVMS 5.4.6).
            (7, Owner::Class) if member.class == lambda.host => INVOKEVIRTUAL,
            (7, Owner::Interface) if member.class == lambda.host => INVOKEINTERFACE,
            (8, Owner::Class) => INVOKESPECIAL,
            (9, Owner::Interface) => INVOKEINTERFACE,
            _ => {
                let expected = "a method or constructor that implements a lambda";
                return Err(Unsupported::argument(lambda.implementation.shown(), expected));
            }
        };
        let Method { parameters, result } = method(member.descriptor)?;
        let mut parameters: Vec<Cow<'_, [u8]>> = parameters.into_iter().map(Cow::Borrowed).collect();
        let mut result = Cow::Borrowed(result);
        match kind {
            6 => {}
            8 => result = Cow::Owned(descriptor_of(member.class)),
            _ => parameters.insert(0, Cow::Owned(descriptor_of(member.class))),
        }
        Ok(Call { opcode, parameters, result })
    }
}

/// The class of a lambda.
///
/// # Errors
/// [`Unsupported`], if the types do not go together, the handle is none that a lambda may have, or the class would be too large.
pub fn lambda(lambda: &Lambda<'_>) -> Result<Vec<u8>, Unsupported> {
    let site = method(lambda.factory)?;
    let [b'L', interface @ .., b';'] = site.result else {
        return Err(Unsupported::argument(shown(site.result), "the interface of a lambda"));
    };
    let (call, instantiated) = (Call::of(lambda)?, method(lambda.instantiated)?);
    let mut class = Writer::new(flags::FINAL | flags::SUPER | flags::SYNTHETIC, lambda.name, OBJECT);
    class.interface(interface);
    lambda.markers.iter().for_each(|marker| class.interface(marker));
    for (index, capture) in site.parameters.iter().enumerate() {
        class.field(flags::PRIVATE | flags::FINAL, &field(index), capture);
    }
    entry(&mut class, lambda, &site);
    for (index, text) in [lambda.erased].iter().chain(lambda.bridges).enumerate() {
        if *text != lambda.erased || index == 0 {
            forward(&mut class, lambda, (&site, &instantiated, &call), text)?;
        }
    }
    if lambda.markers.contains(&&b"java/io/Serializable"[..]) {
        write_replace(&mut class, lambda, &site)?;
    }
    Ok(class.finish()?)
}

fn field(index: usize) -> Vec<u8> {
    format!("a{index}").into_bytes()
}

/// The constructor, and the method that calls it.
fn entry(class: &mut Writer, lambda: &Lambda<'_>, site: &Method<'_>) {
    let captures = [b"(", site.parameters.concat().as_slice(), b")V"].concat();
    let mut code = class.method(flags::PRIVATE, b"<init>", &captures);
    code.load(REFERENCE, 0);
    code.invoke(
        INVOKESPECIAL,
        Reference { class: OBJECT, name: b"<init>", descriptor: b"()V" },
        Owner::Class,
    );
    let mut local = 1;
    for (index, capture) in site.parameters.iter().enumerate() {
        code.load(REFERENCE, 0);
        code.load(capture, local);
        code.put_field(Reference { class: lambda.name, name: &field(index), descriptor: capture });
        local += descriptor::slots(capture);
    }
    code.give(b"V");
    code.end();

    let mut code = class.method(flags::STATIC, ENTRY, lambda.factory);
    code.new_object(lambda.name);
    code.op(DUP);
    let mut local = 0;
    for capture in &site.parameters {
        code.load(capture, local);
        local += descriptor::slots(capture);
    }
    let constructor = Reference { class: lambda.name, name: b"<init>", descriptor: &captures };
    code.invoke(INVOKESPECIAL, constructor, Owner::Class);
    code.give(site.result);
    code.end();
}

/// What is written instead of a lambda: how the class that made it makes it again.
fn write_replace(class: &mut Writer, lambda: &Lambda<'_>, site: &Method<'_>) -> Result<(), Unsupported> {
    let serialized = b"java/lang/invoke/SerializedLambda";
    let Handle { kind, member, .. } = lambda.implementation;
    let mut code = class.method(flags::PRIVATE | flags::FINAL, b"writeReplace", b"()Ljava/lang/Object;");
    code.new_object(serialized);
    code.op(DUP);
    code.class(lambda.host);
    for text in [class_of(site.result), lambda.method, lambda.erased] {
        code.text(text);
    }
    code.int(i32::from(kind));
    for text in [member.class, member.name, member.descriptor, lambda.instantiated] {
        code.text(text);
    }
    code.int(site.parameters.len() as i32);
    code.new_array(OBJECT);
    for (index, capture) in site.parameters.iter().enumerate() {
        code.op(DUP);
        code.int(index as i32);
        code.load(REFERENCE, 0);
        code.get_field(Reference { class: lambda.name, name: &field(index), descriptor: capture });
        as_type(&mut code, capture, REFERENCE)?;
        code.op(AASTORE);
    }
    let descriptor =
        b"(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;ILjava/lang/String;\
                       Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V";
    let constructor = Reference { class: serialized, name: b"<init>", descriptor };
    code.invoke(INVOKESPECIAL, constructor, Owner::Class);
    code.give(REFERENCE);
    code.end();
    Ok(())
}

/// The interface's method, or a bridge to it.
fn forward(
    class: &mut Writer,
    lambda: &Lambda<'_>,
    (site, instantiated, call): (&Method<'_>, &Method<'_>, &Call<'_>),
    text: &[u8],
) -> Result<(), Unsupported> {
    let own = method(text)?;
    Unsupported::arity(instantiated.parameters.len(), own.parameters.len())?;
    Unsupported::arity(site.parameters.len() + own.parameters.len(), call.parameters.len())?;
    let Handle { member, owner, .. } = lambda.implementation;
    let mut code = class.method(flags::PUBLIC, lambda.method, text);
    if call.opcode == INVOKESPECIAL {
        code.new_object(member.class);
        code.op(DUP);
    }
    for (index, capture) in site.parameters.iter().enumerate() {
        code.load(REFERENCE, 0);
        code.get_field(Reference { class: lambda.name, name: &field(index), descriptor: capture });
    }
    let mut local = 1;
    let needed = call.parameters.iter().skip(site.parameters.len());
    for ((from, via), to) in own.parameters.iter().zip(&instantiated.parameters).zip(needed) {
        code.load(from, local);
        local += descriptor::slots(from);
        convert(&mut code, from, via, to)?;
    }
    code.invoke(call.opcode, member, owner);
    match (&*call.result, own.result) {
        // What is on the stack is left there.
        (_, b"V") => {}
        (b"V", to) => {
            return Err(Unsupported::Conversion { from: "V".to_owned(), to: shown(to) });
        }
        (from, to) => convert(&mut code, from, to, to)?,
    }
    code.give(own.result);
    code.end();
    Ok(())
}
