//! Switches on types and enums: `java.lang.runtime.SwitchBootstraps.typeSwitch` and `enumSwitch`, of Java 21.
//!
//! ```text
//! int call-site(T target, int restart) {
//!     Objects.checkIndex(restart, LABELS + 1);
//!     if (target == null) return -1;
//!     if (restart <= 0 && target is LABEL 0) return 0;
//!     …
//!     return LABELS;
//! }
//! ```
//!
//! What it does not do: labels of primitive types, which no final version of Java has.

use super::{ENTRY, OBJECT, REFERENCE, STRING, Unsupported, method};
use crate::class::{flags, shown};
use crate::opcode::{IF_ICMPGT, IF_ICMPNE, IFEQ, IFNONNULL, INVOKESTATIC, INVOKEVIRTUAL, POP};
use crate::write::{Branch, Code, Frame, Owner, Reference, Writer};

/// A call site that tells which label a value has.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    /// The name of the class that is made.
    pub name: &'a [u8],
    /// The descriptor of the call site.
    pub descriptor: &'a [u8],
    /// The labels.
    pub labels: &'a [Label<'a>],
}

/// A label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label<'a> {
    /// An object of a class, by its name.
    Class(&'a [u8]),
    /// This string.
    Text(&'a [u8]),
    /// This number as an Integer, or as a Character.
    Int(i32),
    /// The constant of an enum, by the names of both; that of the enum may have dots for slashes.
    Enum(&'a [u8], &'a [u8]),
}

/// The class of a switch.
///
/// # Errors
/// [`Unsupported`], if the call site does not take an object and an int and give an int, or the class would be too large.
pub fn switch(switch: &Switch<'_>) -> Result<Vec<u8>, Unsupported> {
    let site = method(switch.descriptor)?;
    let ([target @ [b'L' | b'[', ..], b"I"], b"I") = (site.parameters.as_slice(), site.result) else {
        return Err(Unsupported::argument(shown(switch.descriptor), "the descriptor of a switch"));
    };
    let mut class = Writer::new(flags::FINAL | flags::SUPER | flags::SYNTHETIC, switch.name, OBJECT);
    let mut code = class.method(flags::STATIC, ENTRY, switch.descriptor);
    let count = i32::try_from(switch.labels.len()).unwrap_or(i32::MAX);
    code.load(b"I", 1);
    code.int(count.saturating_add(1));
    code.invoke(INVOKESTATIC, Reference::new("java/util/Objects", "checkIndex", "(II)I"), Owner::Class);
    code.op(POP);
    code.load(target, 0);
    let there = code.branch(IFNONNULL);
    code.int(-1);
    code.give(b"I");
    code.land(there, Frame::Same);
    for (index, label) in (0..count).zip(switch.labels) {
        match *label {
            Label::Class(name) => case(&mut code, index, name, |_| None),
            Label::Text(text) => case(&mut code, index, STRING, |code| Some(is_text(code, text))),
            Label::Int(number) => {
                case(&mut code, index, NUMBER.class, |code| Some(is_number(code, NUMBER, number)));
                case(&mut code, index, CHARACTER.class, |code| Some(is_number(code, CHARACTER, number)));
            }
            // By its name, so that an enum is not initialized that nobody has used.
            Label::Enum(class, name) => {
                let class: Vec<u8> =
                    class.iter().map(|byte| if *byte == b'.' { b'/' } else { *byte }).collect();
                case(&mut code, index, &class, |code| Some(is_named(code, name)));
            }
        }
    }
    code.int(count);
    code.give(b"I");
    code.end();
    Ok(class.finish()?)
}

const NUMBER: Reference<'_> = Reference { class: b"java/lang/Number", name: b"intValue", descriptor: b"()I" };
const CHARACTER: Reference<'_> =
    Reference { class: b"java/lang/Character", name: b"charValue", descriptor: b"()C" };
const ENUM_NAME: Reference<'_> =
    Reference { class: b"java/lang/Enum", name: b"name", descriptor: b"()Ljava/lang/String;" };

/// Gives the index if the target is of the class and passes the test, which branches if not.
fn case(code: &mut Code<'_>, index: i32, class: &[u8], test: impl FnOnce(&mut Code<'_>) -> Option<Branch>) {
    code.load(b"I", 1);
    code.int(index);
    let passed = code.branch(IF_ICMPGT);
    code.load(REFERENCE, 0);
    code.instance_of(class);
    let other_class = code.branch(IFEQ);
    let other_value = test(code);
    code.int(index);
    code.give(b"I");
    for branch in [Some(passed), Some(other_class), other_value].into_iter().flatten() {
        code.land(branch, Frame::Same);
    }
}

/// What a method of the target gives.
fn ask(code: &mut Code<'_>, method: Reference<'_>) {
    code.load(REFERENCE, 0);
    code.cast(method.class);
    code.invoke(INVOKEVIRTUAL, method, Owner::Class);
}

fn is_number(code: &mut Code<'_>, method: Reference<'_>, number: i32) -> Branch {
    ask(code, method);
    code.int(number);
    code.branch(IF_ICMPNE)
}

fn is_text(code: &mut Code<'_>, text: &[u8]) -> Branch {
    code.text(text);
    code.load(REFERENCE, 0);
    equal(code)
}

fn is_named(code: &mut Code<'_>, name: &[u8]) -> Branch {
    code.text(name);
    ask(code, ENUM_NAME);
    equal(code)
}

fn equal(code: &mut Code<'_>) -> Branch {
    let equals = Reference::new("java/lang/String", "equals", "(Ljava/lang/Object;)Z");
    code.invoke(INVOKEVIRTUAL, equals, Owner::Class);
    code.branch(IFEQ)
}
