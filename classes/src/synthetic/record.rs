//! The methods that a record has by itself: `java.lang.runtime.ObjectMethods.bootstrap`.
//!
//! ```text
//! String call-site(R r)            { return "R[a=" + r.a + ", b=" + r.b + "]"; }
//! int call-site(R r)               { return (0 * 31 + hash(r.a)) * 31 + hash(r.b); }
//! boolean call-site(R r, Object o) { return r == o || o instanceof R s && same(r.b, s.b) && same(r.a, s.a); }
//! ```
//!
//! Components are compared from the last to the first, as the JDK of Java 17 does it.

use super::concat::{append, append_text, begin, finish};
use super::convert::primitive;
use super::{ENTRY, OBJECT, REFERENCE, Unsupported, descriptor_of};
use crate::class::flags;
use crate::opcode::{IADD, IF_ACMPNE, IF_ICMPEQ, IFEQ, IFNE, IMUL, INVOKESTATIC, LCMP};
use crate::write::{Branch, Code, Frame, Owner, Reference, Writer};

/// Which of the methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// `toString`
    ToString,
    /// `hashCode`
    HashCode,
    /// `equals`
    Equals,
}

/// A call site in a method of a record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The name of the class that is made.
    pub name: &'a [u8],
    /// The method.
    pub which: Which,
    /// The record.
    pub class: &'a [u8],
    /// Its name without package and outer classes ([`simple_name`](super::site::simple_name)).
    pub simple_name: &'a [u8],
    /// Its fields.
    pub components: &'a [Component<'a>],
}

/// A component of a record, which is one of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
}

/// The class of such a method.
///
/// # Errors
/// [`Unsupported`], if the class would be too large.
pub fn record(record: &Record<'_>) -> Result<Vec<u8>, Unsupported> {
    let mut class = Writer::new(flags::FINAL | flags::SUPER | flags::SYNTHETIC, record.name, OBJECT);
    let of = descriptor_of(record.class);
    let (more, result): (&[u8], &[u8]) = match record.which {
        Which::ToString => (b"", b"Ljava/lang/String;"),
        Which::HashCode => (b"", b"I"),
        Which::Equals => (b"Ljava/lang/Object;", b"Z"),
    };
    let descriptor = [b"(", &of[..], more, b")", result].concat();
    let mut code = class.method(flags::STATIC, ENTRY, &descriptor);
    match record.which {
        Which::ToString => to_string(&mut code, record),
        Which::HashCode => hash_code(&mut code, record),
        Which::Equals => equals(&mut code, record),
    }
    code.give(result);
    code.end();
    Ok(class.finish()?)
}

/// Pushes a component of the record in a local variable.
fn get(code: &mut Code<'_>, record: &Record<'_>, component: &Component<'_>, local: usize) {
    code.load(REFERENCE, local);
    let Component { name, descriptor } = *component;
    code.get_field(Reference { class: record.class, name, descriptor });
}

fn to_string(code: &mut Code<'_>, record: &Record<'_>) {
    begin(code);
    append_text(code, record.simple_name);
    for (index, component) in record.components.iter().enumerate() {
        let before: &[u8] = if index == 0 { b"[" } else { b", " };
        append_text(code, &[before, component.name, b"="].concat());
        get(code, record, component, 0);
        append(code, component.descriptor);
    }
    append_text(code, if record.components.is_empty() { b"[]" } else { b"]" });
    finish(code);
}

fn hash_code(code: &mut Code<'_>, record: &Record<'_>) {
    code.int(0);
    for component in record.components {
        code.int(31);
        code.op(IMUL);
        get(code, record, component, 0);
        hash(code, component.descriptor);
        code.op(IADD);
    }
}

fn hash(code: &mut Code<'_>, descriptor: &[u8]) {
    let (class, ty) = match primitive(descriptor) {
        Some(primitive) => (primitive.class, &primitive.letter[..]),
        None => ("java/util/Objects", &b"Ljava/lang/Object;"[..]),
    };
    let descriptor = [b"(", ty, b")I"].concat();
    let method = Reference { class: class.as_bytes(), name: b"hashCode", descriptor: &descriptor };
    code.invoke(INVOKESTATIC, method, Owner::Class);
}

fn equals(code: &mut Code<'_>, record: &Record<'_>) {
    code.load(REFERENCE, 0);
    code.load(REFERENCE, 1);
    let other = code.branch(IF_ACMPNE);
    answer(code, 1);
    code.land(other, Frame::Same);
    code.load(REFERENCE, 1);
    code.instance_of(record.class);
    let is_record = code.branch(IFNE);
    answer(code, 0);
    code.land(is_record, Frame::Same);
    code.load(REFERENCE, 1);
    code.cast(record.class);
    code.store(REFERENCE, 2);
    let mut frame = Frame::More(record.class);
    for component in record.components.iter().rev() {
        get(code, record, component, 0);
        get(code, record, component, 2);
        let same = same(code, component.descriptor);
        answer(code, 0);
        code.land(same, frame);
        frame = Frame::Same;
    }
    code.int(1);
}

fn answer(code: &mut Code<'_>, answer: i32) {
    code.int(answer);
    code.give(b"Z");
}

/// Compares two values and branches if they are the same.
fn same(code: &mut Code<'_>, descriptor: &[u8]) -> Branch {
    let compare = |code: &mut Code<'_>, class, descriptor| {
        code.invoke(INVOKESTATIC, Reference::new(class, "compare", descriptor), Owner::Class);
        code.branch(IFEQ)
    };
    match descriptor {
        b"Z" | b"B" | b"C" | b"S" | b"I" => code.branch(IF_ICMPEQ),
        b"J" => {
            code.op(LCMP);
            code.branch(IFEQ)
        }
        b"F" => compare(code, "java/lang/Float", "(FF)I"),
        b"D" => compare(code, "java/lang/Double", "(DD)I"),
        _ => {
            let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
            let method = Reference::new("java/util/Objects", "equals", descriptor);
            code.invoke(INVOKESTATIC, method, Owner::Class);
            code.branch(IFNE)
        }
    }
}
