//! Format checking (JVMS 4.8): what can be said of a class file without its code and without other classes.
//!
//! | part | what it checks |
//! | --- | --- |
//! | `constants` | the constant pool (4.4) |
//! | `flags` | access flags (4.1, 4.5, 4.6) |
//! | `attributes` | attributes of class, fields and methods (4.7) |
//! | `tables` | the tables for debuggers within Code (4.7.12 to 4.7.14) |
//!
//! An attribute is looked at where it belongs and in versions that know it; elsewhere it means nothing. What annotations
//! say is not looked at: nothing here relies on it.

mod attributes;
mod constants;
mod flags;
mod tables;

use std::collections::HashSet;

use crate::class::{ClassFile, Code, Member, Pool, PoolIndex, Version, flags as bits, shown, shown_briefly};
use crate::descriptor;
use crate::fault::{Fault, Place, Rule};

/// No more than so many faults are listed.
pub const FAULTS_MAX: usize = 20;

/// The versions that are read: Java 6 to 25.
pub const MAJORS: std::ops::RangeInclusive<u16> = 50..=69;

/// Checks the format of a class.
///
/// # Errors
/// All faults, up to [`FAULTS_MAX`].
pub fn check(class: &ClassFile<'_>) -> Result<(), Vec<Fault>> {
    let mut checker = Checker { class, faults: Vec::new(), good: HashSet::new() };
    checker.version();
    if checker.faults.is_empty() {
        checker.constants();
    }
    // Whatever follows reads constants.
    if checker.faults.is_empty() {
        checker.class();
        checker.members();
        checker.class_attributes();
    }
    if checker.faults.is_empty() { Ok(()) } else { Err(checker.faults) }
}

/// The arguments of a method in slots, `this` included.
#[must_use]
pub fn argument_slots(member: &Member<'_>, descriptor: &descriptor::Method<'_>) -> usize {
    descriptor.slots() + usize::from(member.flags & bits::STATIC == 0)
}

/// Whether a member is the initializer of the class.
#[must_use]
pub fn is_class_initializer(member: &Member<'_>, pool: &Pool<'_>) -> bool {
    member.name(pool) == b"<clinit>"
}

/// A place, not yet for people: most have no fault.
#[derive(Clone, Copy)]
enum Spot<'a> {
    Class,
    /// By index.
    Constant(u16),
    /// By name and descriptor.
    Field(&'a [u8], &'a [u8]),
    /// By name and descriptor.
    Method(&'a [u8], &'a [u8]),
}

impl From<Spot<'_>> for Place {
    fn from(spot: Spot<'_>) -> Place {
        match spot {
            Spot::Class => Place::Class,
            Spot::Constant(index) => Place::Constant(index),
            Spot::Field(name, descriptor) => Place::field(name, descriptor),
            Spot::Method(name, descriptor) => Place::method(name, descriptor),
        }
    }
}

/// What a text was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Good {
    Class,
    Name,
    MethodName,
    Field,
    Method,
}

struct Checker<'a, 'c> {
    class: &'c ClassFile<'a>,
    faults: Vec<Fault>,
    /// A text may be long, and named by many.
    good: HashSet<(PoolIndex, Good)>,
}

impl<'a> Checker<'a, '_> {
    fn fault(&mut self, place: Spot<'_>, rule: Rule, found: impl Into<String>, expected: impl Into<String>) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(Fault {
                class: shown(self.class.name()),
                place: place.into(),
                rule,
                found: found.into(),
                expected: expected.into(),
            });
        }
    }

    /// Whether there is no room for more faults: nothing needs to be looked at any more.
    fn is_full(&self) -> bool {
        self.faults.len() >= FAULTS_MAX
    }

    /// Whether the text at an index is what is needed; each is looked at once.
    fn is(&mut self, at: PoolIndex, what: Good, text: &[u8]) -> bool {
        if self.good.contains(&(at, what)) {
            return true;
        }
        let is_good = match what {
            Good::Class => descriptor::is_class_constant(text),
            Good::Name => descriptor::is_unqualified(text),
            Good::MethodName => descriptor::is_method_name(text),
            Good::Field => descriptor::is_field(text),
            Good::Method => descriptor::is_method(text),
        };
        if is_good {
            self.good.insert((at, what));
        }
        is_good
    }

    fn version(&mut self) {
        let Version { major, minor } = self.class.version;
        let (first, last) = (MAJORS.start(), MAJORS.end());
        if !MAJORS.contains(&major) {
            self.fault(
                Spot::Class,
                Rule::Version,
                format!("version {}", self.class.version),
                format!("{first} to {last}"),
            );
        } else if major >= 56 && minor != 0 {
            let what =
                if minor == u16::MAX { "without preview features, minor 0" } else { "a minor version of 0" };
            self.fault(Spot::Class, Rule::Version, format!("version {}", self.class.version), what);
        }
    }

    fn class(&mut self) {
        let class = self.class;
        // Before modules came, in version 53, the bit meant nothing (JVMS 4.1).
        if class.flags & bits::MODULE != 0 && class.version.major >= 53 {
            self.fault(Spot::Class, Rule::Flags, "the description of a module", "a class or interface");
            return;
        }
        if let Some(expected) = flags::class(class.flags) {
            self.fault(Spot::Class, Rule::Flags, format!("{:#06x}", class.flags), expected);
        }
        self.class_named(class.this_class, "this class");
        let object = class.name() == b"java/lang/Object";
        if object != (class.super_class == PoolIndex(0)) {
            let found = class.super_name().map_or("none".to_owned(), shown);
            let expected =
                if object { "no superclass of java/lang/Object" } else { "the name of a superclass" };
            self.fault(Spot::Class, Rule::Superclass, found, expected);
        } else if !object {
            self.class_named(class.super_class, "the superclass");
            if class.is_interface() && class.super_name() != Some(b"java/lang/Object") {
                let found = class.super_name().map_or("none".to_owned(), shown);
                self.fault(
                    Spot::Class,
                    Rule::Superclass,
                    found,
                    "java/lang/Object as superclass of an interface",
                );
            }
        }
        let mut seen = HashSet::new();
        for interface in &class.interfaces {
            self.class_named(*interface, "an interface");
            if !seen.insert(class.pool.class(*interface)) {
                let name = shown(class.pool.class(*interface).unwrap_or_default());
                self.fault(Spot::Class, Rule::Duplicate, format!("{name} twice"), "each interface once");
            }
        }
    }

    /// A class constant that names a class and no array.
    fn class_named(&mut self, at: PoolIndex, what: &str) {
        match self.class.pool.class(at) {
            None => self.not_a(Spot::Class, at, &format!("the Class of {what}")),
            Some(name) if name.first() == Some(&b'[') => {
                self.fault(Spot::Class, Rule::Name, shown_briefly(name), format!("{what} that is no array"));
            }
            Some(_) => {}
        }
    }

    /// A constant is not what is needed.
    fn not_a(&mut self, place: Spot<'a>, at: PoolIndex, expected: &str) {
        let found = format!("#{} {}", at.0, self.class.pool.get(at).kind());
        self.fault(place, Rule::Constant, found, expected);
    }

    /// The text at an index, or a fault.
    fn text(&mut self, place: Spot<'a>, at: PoolIndex, what: &str) -> Option<&'a [u8]> {
        let text = self.class.pool.utf8(at);
        if text.is_none() {
            self.not_a(place, at, &format!("the Utf8 of {what}"));
        }
        text
    }

    fn members(&mut self) {
        let class = self.class;
        let mut seen = HashSet::new();
        for field in &class.fields {
            if self.is_full() {
                return;
            }
            self.field(field);
            let key = (field.name(&class.pool), field.descriptor(&class.pool));
            if !seen.insert(key) {
                self.fault(Spot::Field(key.0, key.1), Rule::Duplicate, "it twice", "each field once");
            }
        }
        seen.clear();
        for method in &class.methods {
            if self.is_full() {
                return;
            }
            self.method(method);
            let key = (method.name(&class.pool), method.descriptor(&class.pool));
            if !seen.insert(key) {
                self.fault(Spot::Method(key.0, key.1), Rule::Duplicate, "it twice", "each method once");
            }
        }
    }

    fn field(&mut self, field: &Member<'a>) {
        let pool = &self.class.pool;
        let place = Spot::Field(field.name(pool), field.descriptor(pool));
        let name = self.text(place, field.name, "the name");
        if let Some(name) = name.filter(|name| !self.is(field.name, Good::Name, name)) {
            self.fault(place, Rule::Name, shown_briefly(name), "the name of a field");
        }
        let text = self.text(place, field.descriptor, "the descriptor");
        if let Some(text) = text.filter(|text| !self.is(field.descriptor, Good::Field, text)) {
            self.fault(place, Rule::Descriptor, shown_briefly(text), "the descriptor of a field");
        }
        if let Some(expected) = flags::field(field.flags, self.class) {
            self.fault(place, Rule::Flags, format!("{:#06x}", field.flags), expected);
        }
        self.field_attributes(field, place);
    }

    fn method(&mut self, method: &Member<'a>) {
        let class = self.class;
        let place = Spot::Method(method.name(&class.pool), method.descriptor(&class.pool));
        let Some(name) = self.text(place, method.name, "the name") else { return };
        if !self.is(method.name, Good::MethodName, name) {
            self.fault(place, Rule::Name, shown_briefly(name), "the name of a method");
        }
        let Some(text) = self.text(place, method.descriptor, "the descriptor") else { return };
        let Some(parts) = descriptor::method(text) else {
            self.fault(
                place,
                Rule::Descriptor,
                shown_briefly(text),
                "the descriptor of a method with at most 255 slots",
            );
            return;
        };
        if argument_slots(method, &parts) > descriptor::SLOTS_MAX {
            self.fault(place, Rule::Descriptor, "more than 255 slots of arguments", "at most 255");
        }
        let initializer = match name {
            b"<init>" => !class.is_interface() && parts.result == b"V",
            b"<clinit>" => parts.result == b"V" && (class.version.major < 51 || parts.parameters.is_empty()),
            _ => true,
        };
        if !initializer {
            let expected = "<init> of a class with result V, or <clinit> with ()V";
            self.fault(place, Rule::Descriptor, shown_briefly(text), expected);
        }
        if let Some(expected) = flags::method(method.flags, name, class) {
            self.fault(place, Rule::Flags, format!("{:#06x}", method.flags), expected);
        }
        self.method_attributes(method, &parts, place);
    }

    /// Tables and limits of a method's code; the instructions are the verifier's.
    fn code(&mut self, content: &'a [u8], arguments: usize, place: Spot<'a>) {
        let Some(code) = Code::read(content) else {
            self.fault(place, Rule::Attribute, "a Code of another length", "one that is used up exactly");
            return;
        };
        if code.bytes.is_empty() || code.bytes.len() > usize::from(u16::MAX) {
            self.fault(
                place,
                Rule::CodeLength,
                format!("{} bytes of code", code.bytes.len()),
                "1 to 65535 bytes",
            );
        }
        if arguments > usize::from(code.max_locals) {
            let found = format!("{} slots of local variables", code.max_locals);
            self.fault(place, Rule::LocalIndex, found, format!("{arguments} for the arguments"));
        }
        for handler in &code.handlers {
            let end = usize::from(handler.end);
            if handler.start >= handler.end
                || end > code.bytes.len()
                || usize::from(handler.target) >= code.bytes.len()
            {
                let found =
                    format!("a handler for {} to {} at {}", handler.start, handler.end, handler.target);
                self.fault(
                    place,
                    Rule::Handler,
                    found,
                    format!("places within {} bytes of code", code.bytes.len()),
                );
            }
            if handler.catch != PoolIndex(0) && self.class.pool.class(handler.catch).is_none() {
                self.not_a(place, handler.catch, "the Class of what is caught");
            }
        }
        self.code_attributes(&code, place);
    }
}
