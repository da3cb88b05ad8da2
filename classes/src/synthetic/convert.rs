//! Conversions between the types of a functional interface's method and those of what implements it, as
//! `java.lang.invoke.LambdaMetafactory` describes them.

use super::{OBJECT, Unsupported, class_of};
use crate::class::shown;
use crate::opcode::{
    ACONST_NULL, F2D, I2D, I2F, I2L, INVOKESTATIC, INVOKEVIRTUAL, L2D, L2F, POP, POP2, SWAP,
};
use crate::write::{Code, Owner, Reference};

/// A primitive type, the class of its boxes, and the method that unboxes.
pub(super) struct Primitive {
    pub(super) letter: [u8; 1],
    pub(super) class: &'static str,
    unbox: &'static str,
}

#[rustfmt::skip]
const PRIMITIVES: [Primitive; 8] = [
    Primitive { letter: [b'Z'], class: "java/lang/Boolean", unbox: "booleanValue" },
    Primitive { letter: [b'B'], class: "java/lang/Byte", unbox: "byteValue" },
    Primitive { letter: [b'C'], class: "java/lang/Character", unbox: "charValue" },
    Primitive { letter: [b'S'], class: "java/lang/Short", unbox: "shortValue" },
    Primitive { letter: [b'I'], class: "java/lang/Integer", unbox: "intValue" },
    Primitive { letter: [b'J'], class: "java/lang/Long", unbox: "longValue" },
    Primitive { letter: [b'F'], class: "java/lang/Float", unbox: "floatValue" },
    Primitive { letter: [b'D'], class: "java/lang/Double", unbox: "doubleValue" },
];

/// The primitive type of a descriptor.
pub(super) fn primitive(descriptor: &[u8]) -> Option<&'static Primitive> {
    PRIMITIVES.iter().find(|primitive| primitive.letter == *descriptor)
}

/// The primitive type whose boxes a descriptor names.
fn boxed(descriptor: &[u8]) -> Option<&'static Primitive> {
    PRIMITIVES.iter().find(|primitive| primitive.class.as_bytes() == class_of(descriptor))
}

/// Converts the value on the stack from the type that it has to that which is needed. `via` is what it is known to be beside: the
/// type that a generic parameter stands for; a primitive one says nothing.
pub(super) fn convert(code: &mut Code<'_>, from: &[u8], via: &[u8], to: &[u8]) -> Result<(), Unsupported> {
    if let Some(from) = primitive(from) {
        return match (primitive(to), boxed(to)) {
            (Some(to), _) => widen(code, from, to),
            (None, Some(to)) => {
                widen(code, from, to)?;
                enclose(code, to);
                Ok(())
            }
            (None, None) => {
                enclose(code, from);
                cast(code, from.class.as_bytes(), class_of(to));
                Ok(())
            }
        };
    }
    let known = if primitive(via).is_some() { from } else { via };
    cast(code, class_of(from), class_of(known));
    match primitive(to) {
        Some(to) => disclose(code, known, to),
        None => {
            cast(code, class_of(known), class_of(to));
            Ok(())
        }
    }
}

/// Converts the value on the stack as `java.lang.invoke.MethodHandle.asType` describes it; `V` is no value.
pub(super) fn as_type(code: &mut Code<'_>, from: &[u8], to: &[u8]) -> Result<(), Unsupported> {
    match (from, to) {
        (b"V", b"V") => {}
        (b"V", to) => zero(code, to),
        (b"J" | b"D", b"V") => code.op(POP2),
        (_, b"V") => code.op(POP),
        _ => match (primitive(from), boxed(from), primitive(to)) {
            (None, None, Some(to)) => {
                // What is in the box is known by the object alone.
                code.int(0);
                let name = format!("unbox{}", to.class.rsplit('/').next().unwrap_or_default());
                let descriptor = [b"(Ljava/lang/Object;Z)", &to.letter[..]].concat();
                let class = b"sun/invoke/util/ValueConversions";
                let method = Reference { class, name: name.as_bytes(), descriptor: &descriptor };
                code.invoke(INVOKESTATIC, method, Owner::Class);
            }
            (Some(from), _, None) => enclose(code, from),
            (None, _, None) if from != to && class_of(to) != OBJECT => {
                code.class(class_of(to));
                code.op(SWAP);
                let descriptor = b"(Ljava/lang/Object;)Ljava/lang/Object;";
                let method = Reference { class: b"java/lang/Class", name: b"cast", descriptor };
                code.invoke(INVOKEVIRTUAL, method, Owner::Class);
            }
            (None, _, None) => {}
            _ => return convert(code, from, from, to),
        },
    }
    Ok(())
}

/// Pushes zero or null.
pub(super) fn zero(code: &mut Code<'_>, descriptor: &[u8]) {
    match descriptor {
        b"V" => {}
        b"J" => code.long(0),
        b"F" => code.float(0.0),
        b"D" => code.double(0.0),
        [_] => code.int(0),
        _ => code.op(ACONST_NULL),
    }
}

fn cast(code: &mut Code<'_>, from: &[u8], to: &[u8]) {
    if from != to && to != OBJECT {
        code.cast(to);
    }
}

/// A widening primitive conversion (JLS 5.1.2), or none.
fn widen(code: &mut Code<'_>, from: &Primitive, to: &Primitive) -> Result<(), Unsupported> {
    let ([from], [to]) = (from.letter, to.letter);
    let opcode = match (from, to) {
        _ if from == to => return Ok(()),
        (b'B', b'S' | b'I') | (b'S' | b'C', b'I') => return Ok(()),
        (b'B' | b'S' | b'C' | b'I', b'J') => I2L,
        (b'B' | b'S' | b'C' | b'I', b'F') => I2F,
        (b'B' | b'S' | b'C' | b'I', b'D') => I2D,
        (b'J', b'F') => L2F,
        (b'J', b'D') => L2D,
        (b'F', b'D') => F2D,
        _ => return Err(Unsupported::Conversion { from: shown(&[from]), to: shown(&[to]) }),
    };
    code.op(opcode);
    Ok(())
}

/// Boxes a value.
fn enclose(code: &mut Code<'_>, primitive: &Primitive) {
    let class = primitive.class.as_bytes();
    let descriptor = [b"(", &primitive.letter[..], b")L", class, b";"].concat();
    let method = Reference { class, name: b"valueOf", descriptor: &descriptor };
    code.invoke(INVOKESTATIC, method, Owner::Class);
}

/// Unboxes what is a box, or a superclass of boxes; then a box of the needed type, or any number.
fn disclose(code: &mut Code<'_>, from: &[u8], to: &Primitive) -> Result<(), Unsupported> {
    if let Some(from) = boxed(from) {
        unbox(code, from.class, from);
        return widen(code, from, to);
    }
    let class = if matches!(to.letter, [b'Z' | b'C']) { to.class } else { "java/lang/Number" };
    cast(code, class_of(from), class.as_bytes());
    unbox(code, class, to);
    Ok(())
}

fn unbox(code: &mut Code<'_>, class: &str, to: &Primitive) {
    let descriptor = [b"()", &to.letter[..]].concat();
    let method = Reference { class: class.as_bytes(), name: to.unbox.as_bytes(), descriptor: &descriptor };
    code.invoke(INVOKEVIRTUAL, method, Owner::Class);
}
