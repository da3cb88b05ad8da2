//! Which access flags go together.

use crate::class::{ClassFile, flags::*};

/// What is wrong with the flags of a class, if anything: what was expected instead.
pub(super) fn class(flags: u16) -> Option<&'static str> {
    let has = |bit| flags & bit != 0;
    if has(INTERFACE) {
        // SUPER means nothing there, but compilers of old set it on no interface.
        (!has(ABSTRACT) || has(FINAL | SUPER | ENUM))
            .then_some("an interface that is abstract, not final, super or enum")
    } else if has(ANNOTATION) {
        Some("an annotation that is an interface")
    } else {
        (has(FINAL) && has(ABSTRACT)).then_some("a class that is not both final and abstract")
    }
}

/// At most one of public, private and protected.
fn one_access(flags: u16) -> bool {
    (flags & (PUBLIC | PRIVATE | PROTECTED)).count_ones() <= 1
}

/// The same of a field.
pub(super) fn field(flags: u16, class: &ClassFile<'_>) -> Option<&'static str> {
    let has = |bit| flags & bit != 0;
    if class.is_interface() {
        let needed = PUBLIC | STATIC | FINAL;
        let good = flags & needed == needed && !has(PRIVATE | PROTECTED | VOLATILE | TRANSIENT | ENUM);
        return (!good).then_some("public static final of a field of an interface, and no more");
    }
    let good = one_access(flags) && !(has(FINAL) && has(VOLATILE));
    (!good).then_some("one access, and not both final and volatile")
}

/// The same of a method.
pub(super) fn method(flags: u16, name: &[u8], class: &ClassFile<'_>) -> Option<&'static str> {
    let has = |bit| flags & bit != 0;
    let major = class.version.major;
    if name == b"<clinit>" {
        // All its other flags mean nothing.
        return (major >= 51 && !has(STATIC)).then_some("a static class initializer");
    }
    if class.is_interface() {
        return of_interface(flags, major);
    }
    if !one_access(flags) {
        return Some("one access");
    }
    if name == b"<init>" {
        let not = STATIC | FINAL | SYNCHRONIZED | NATIVE | ABSTRACT | BRIDGE;
        return has(not).then_some("<init> without static, final, synchronized, bridge, native, abstract");
    }
    abstract_alone(flags, major)
}

/// What does not go with abstract.
fn abstract_alone(flags: u16, major: u16) -> Option<&'static str> {
    let strict = if major <= 60 { STRICT } else { 0 };
    let not = PRIVATE | STATIC | FINAL | SYNCHRONIZED | NATIVE | strict;
    (flags & ABSTRACT != 0 && flags & not != 0)
        .then_some("abstract without private, static, final, synchronized, native, strictfp")
}

fn of_interface(flags: u16, major: u16) -> Option<&'static str> {
    let has = |bit| flags & bit != 0;
    if major < 52 {
        let needed = PUBLIC | ABSTRACT;
        let not = PRIVATE | PROTECTED | STATIC | FINAL | SYNCHRONIZED | NATIVE | STRICT;
        let good = flags & needed == needed && !has(not);
        return (!good).then_some("public abstract of a method of an interface before version 52");
    }
    let one = has(PUBLIC) != has(PRIVATE);
    if !one || has(PROTECTED | FINAL | SYNCHRONIZED | NATIVE) {
        return Some("public or private of a method of an interface, not final, synchronized, native");
    }
    abstract_alone(flags, major)
}
