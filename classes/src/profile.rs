//! The applet profile: the subset of the virtual machine that JIVE runs on a network interface (Welsh, Oppenheimer and Culler,
//! "U-Net/SLE: A Java-based User-Customizable Virtual Network Interface", section 3.1), as a check of classes that are
//! [verified](mod@crate::verify).
//!
//! | rule | what an applet has |
//! | --- | --- |
//! | `applet-class` | one class that extends Object, with no interfaces |
//! | `applet-type` | byte, short, int, and one-dimensional arrays of these |
//! | `applet-constant` | `ldc` of int |
//! | `applet-object` | no object but arrays and the one of the applet's own class |
//! | `applet-member` | fields and methods that the class declares itself, and Object's constructor |
//! | `applet-overload` | one method of each name |
//! | `applet-exception` | no handlers, nothing thrown |
//! | `applet-thread` | no monitors |
//!
//! Section 3.1 has boolean neither among the types that it supports nor among those that it leaves out. It is left out
//! here: what is not named is not supported. Conditions need none, since the virtual machine compares ints and branches.
//!
//! It is a subset of the virtual machine and not of the language: what a compiler keeps in tables for debuggers, and what it
//! says of exceptions that a method may throw, means nothing when the class runs, and is not looked at.

use std::collections::{HashMap, HashSet};

use crate::class::{ClassFile, Code, Constant, Member, PoolIndex, find, flags, shown};
use crate::descriptor;
use crate::fault::{Fault, Place, Rule};
use crate::format::FAULTS_MAX;
use crate::instruction::{Instruction, Operands, decode};
use crate::opcode::{
    ANEWARRAY, ATHROW, CHECKCAST, Effect, GETSTATIC, I2C, INSTANCEOF, INVOKEDYNAMIC, INVOKEINTERFACE,
    INVOKESPECIAL, INVOKESTATIC, LDC, LDC_W, LDC2_W, MONITORENTER, MONITOREXIT, MULTIANEWARRAY, NEW,
    NEWARRAY, PUTSTATIC, Row,
};

/// Types of elements, by the operand of `newarray` (JVMS table 6.5.newarray-A).
const ELEMENTS: [(u8, &str); 8] = [
    (4, "boolean"),
    (5, "char"),
    (6, "float"),
    (7, "double"),
    (8, "byte"),
    (9, "short"),
    (10, "int"),
    (11, "long"),
];

const TYPES: &str = "byte, short, int, or an array of one of these";

/// A rule that is broken, what was found, what was expected.
type Beyond = (Rule, String, &'static str);

/// Holds a class that is verified against the profile.
///
/// # Errors
/// All that is beyond the profile, up to [`FAULTS_MAX`].
pub fn check(class: &ClassFile<'_>) -> Result<(), Vec<Fault>> {
    let members = class.fields.iter().chain(&class.methods);
    let own = members.map(|m| ((m.name(&class.pool), m.descriptor(&class.pool)), m.flags)).collect();
    let mut checker = Checker { class, own, faults: Vec::new() };
    checker.class();
    checker.fields();
    checker.methods();
    if checker.faults.is_empty() { Ok(()) } else { Err(checker.faults) }
}

struct Checker<'a, 'c> {
    class: &'c ClassFile<'a>,
    /// The flags of the fields and methods that the class declares, by name and descriptor.
    own: HashMap<(&'a [u8], &'a [u8]), u16>,
    faults: Vec<Fault>,
}

impl<'a> Checker<'a, '_> {
    fn fault(&mut self, place: Place, (rule, found, expected): Beyond) {
        if self.faults.len() < FAULTS_MAX {
            let class = shown(self.class.name());
            self.faults.push(Fault { class, place, rule, found, expected: expected.to_owned() });
        }
    }

    fn class(&mut self) {
        let class = self.class;
        let mut wrong = |found: String, expected| {
            self.fault(Place::Class, (Rule::AppletClass, found, expected));
        };
        if class.flags & (flags::INTERFACE | flags::ABSTRACT) != 0 {
            wrong("an interface or abstract class".to_owned(), "a class that has objects");
        }
        let above = class.super_name().unwrap_or_default();
        if above != b"java/lang/Object" {
            wrong(format!("the superclass {}", shown(above)), "java/lang/Object");
        }
        for interface in &class.interfaces {
            wrong(
                format!("the interface {}", shown(class.pool.class(*interface).unwrap_or_default())),
                "none",
            );
        }
    }

    fn fields(&mut self) {
        let class = self.class;
        for field in &class.fields {
            let (name, text) = (field.name(&class.pool), field.descriptor(&class.pool));
            if !is_type(text) {
                self.fault(Place::field(name, text), (Rule::AppletType, shown(text), TYPES));
            }
        }
    }

    fn methods(&mut self) {
        let class = self.class;
        let mut names = HashSet::new();
        for method in &class.methods {
            let (name, text) = (method.name(&class.pool), method.descriptor(&class.pool));
            let place = || Place::method(name, text);
            if !names.insert(name) {
                let found = format!("another method {}", shown(name));
                self.fault(place(), (Rule::AppletOverload, found, "one method of each name"));
            }
            if method.flags & flags::SYNCHRONIZED != 0 {
                let found = "a synchronized method".to_owned();
                self.fault(place(), (Rule::AppletThread, found, "no monitors"));
            }
            let types = descriptor::method(text).map_or(Vec::new(), |method| {
                let result = Some(method.result).filter(|result| *result != b"V");
                method.parameters.into_iter().chain(result).collect()
            });
            for ty in types.into_iter().filter(|ty| !is_type(ty)) {
                self.fault(place(), (Rule::AppletType, shown(ty), TYPES));
            }
            self.code(method);
        }
    }

    fn code(&mut self, method: &Member<'a>) {
        let pool = &self.class.pool;
        let Some(code) = find(&method.attributes, pool, "Code").and_then(Code::read) else { return };
        let place = || Place::method(method.name(pool), method.descriptor(pool));
        if let Some(handler) = code.handlers.first() {
            let found = format!("a handler for {} to {}", handler.start, handler.end);
            self.fault(place(), (Rule::AppletException, found, "no exceptions"));
        }
        let mut offset = 0;
        // It is verified: what cannot be decoded is the end.
        while let Ok(instruction) = decode(code.bytes, offset) {
            if let Some(beyond) = self.instruction(&instruction) {
                let method = shown(method.name(pool)) + &shown(method.descriptor(pool));
                self.fault(Place::Code { method, offset, instruction: instruction.row.name }, beyond);
            }
            offset += instruction.length;
        }
    }

    fn instruction(&self, instruction: &Instruction<'a>) -> Option<Beyond> {
        let pool = &self.class.pool;
        let of_type = |found: &str| Some((Rule::AppletType, found.to_owned(), TYPES));
        match (instruction.opcode, instruction.operands) {
            (LDC | LDC_W | LDC2_W, Operands::Constant(at)) => match pool.get(at) {
                Constant::Integer(_) => None,
                constant => Some((Rule::AppletConstant, constant.kind().to_owned(), "Integer")),
            },
            (NEW | CHECKCAST | INSTANCEOF, Operands::Constant(at)) => {
                let found = shown(pool.class(at).unwrap_or_default());
                let objects = "no objects but arrays and the one of the applet";
                let expected =
                    if instruction.opcode == NEW { objects } else { "types that are known before" };
                Some((Rule::AppletObject, found, expected))
            }
            (ANEWARRAY | MULTIANEWARRAY, _) => of_type("an array of references"),
            (NEWARRAY, Operands::ArrayType(code)) => {
                let element =
                    ELEMENTS.iter().find(|(of, _)| *of == code).map_or("nothing", |(_, name)| *name);
                if matches!(element, "byte" | "short" | "int") { None } else { of_type(element) }
            }
            (GETSTATIC..=INVOKESTATIC, Operands::Constant(at)) => self.member(instruction.opcode, at),
            (INVOKEINTERFACE | INVOKEDYNAMIC, _) => {
                let found = instruction.row.name.to_owned();
                Some((Rule::AppletMember, found, "calls of methods that the class declares itself"))
            }
            (ATHROW, _) => Some((Rule::AppletException, "an exception".to_owned(), "no exceptions")),
            (MONITORENTER | MONITOREXIT, _) => {
                Some((Rule::AppletThread, "a monitor".to_owned(), "no monitors"))
            }
            (I2C, _) => of_type("char"),
            _ => beyond(instruction.row).and_then(of_type),
        }
    }

    /// Fields and methods are found in the class itself: nothing is left to link.
    fn member(&self, opcode: u8, at: PoolIndex) -> Option<Beyond> {
        let pool = &self.class.pool;
        let (Constant::Fieldref(to) | Constant::Methodref(to) | Constant::InterfaceMethodref(to)) =
            pool.get(at)
        else {
            return None;
        };
        let class = pool.class(to.class).unwrap_or_default();
        let (name, text) = pool.name_and_type(to.name_and_type).unwrap_or_default();
        let found = self.own.get(&(name, text)).filter(|_| class == self.class.name());
        let constructs = opcode == INVOKESPECIAL && class == b"java/lang/Object" && name == b"<init>";
        let expected = if matches!(opcode, GETSTATIC | PUTSTATIC | INVOKESTATIC) { flags::STATIC } else { 0 };
        if constructs || found.is_some_and(|found| found & flags::STATIC == expected) {
            return None;
        }
        let space = if text.first() == Some(&b'(') { "" } else { " " };
        let found = format!("{}.{}{space}{}", shown(class), shown(name), shown(text));
        let expected = if expected == 0 {
            "one that the class declares itself, not static"
        } else {
            "one that the class declares itself, static"
        };
        Some((Rule::AppletMember, found, expected))
    }
}

fn is_type(descriptor: &[u8]) -> bool {
    matches!(descriptor.strip_prefix(b"[").unwrap_or(descriptor), b"B" | b"S" | b"I")
}

/// A type beyond the profile that an instruction works on.
fn beyond(row: &Row) -> Option<&'static str> {
    let wide = |ty: u8| match ty {
        b'J' => Some("long"),
        b'F' => Some("float"),
        b'D' => Some("double"),
        _ => None,
    };
    match row.effect {
        Effect::Plain(pops, pushes) => pops.bytes().chain(pushes.bytes()).find_map(wide),
        Effect::Load(ty, _) | Effect::Store(ty, _) | Effect::Return(ty) => wide(ty),
        Effect::ArrayLoad(b'A') | Effect::ArrayStore(b'A') => Some("an array of references"),
        Effect::ArrayLoad(b'C') | Effect::ArrayStore(b'C') => Some("char"),
        Effect::ArrayLoad(ty) | Effect::ArrayStore(ty) => wide(ty),
        _ => None,
    }
}
