//! The constant pool: JVMS 4.4.

use crate::class::{Constant, MemberRef, PoolIndex, flags, shown_briefly};
use crate::descriptor;
use crate::fault::Rule;

use super::{Checker, Good, Spot};

impl<'a> Checker<'a, '_> {
    pub(super) fn constants(&mut self) {
        // Name and type are needed by what refers to them.
        for (index, constant) in self.class.pool.iter() {
            if self.is_full() {
                return;
            }
            let place = Spot::Constant(index.0);
            self.since(place, constant);
            match constant {
                Constant::Utf8(text) if !descriptor::is_modified_utf8(text) => {
                    self.fault(place, Rule::Text, shown_briefly(text), "modified UTF-8");
                }
                Constant::Class(at) => {
                    let name = self.text(place, at, "a class name");
                    if let Some(name) = name.filter(|name| !self.is(at, Good::Class, name)) {
                        self.fault(
                            place,
                            Rule::Name,
                            shown_briefly(name),
                            "the name of a class or array type",
                        );
                    }
                }
                Constant::String(text) => {
                    self.text(place, text, "a string");
                }
                Constant::Module(name) | Constant::Package(name) => {
                    self.text(place, name, "a name");
                }
                Constant::NameAndType { name, descriptor } => self.name_and_type(place, name, descriptor),
                Constant::MethodType(at) => {
                    let text = self.text(place, at, "a method descriptor");
                    if let Some(text) = text.filter(|text| !self.is(at, Good::Method, text)) {
                        self.fault(
                            place,
                            Rule::Descriptor,
                            shown_briefly(text),
                            "the descriptor of a method",
                        );
                    }
                }
                _ => {}
            }
        }
        if self.faults.is_empty() {
            self.references();
        }
    }

    /// A constant that its version does not know.
    fn since(&mut self, place: Spot<'a>, constant: Constant<'_>) {
        let major = self.class.version.major;
        let first = match constant {
            Constant::MethodHandle { .. } | Constant::MethodType(_) | Constant::InvokeDynamic(_) => 51,
            Constant::Dynamic(_) => 55,
            Constant::Module(_) | Constant::Package(_) => 53,
            _ => return,
        };
        if major < first {
            let found = format!("{} in version {}", constant.kind(), self.class.version);
            self.fault(place, Rule::Constant, found, format!("it since version {first}"));
        }
        let of_module = matches!(constant, Constant::Module(_) | Constant::Package(_));
        if of_module && self.class.flags & flags::MODULE == 0 {
            self.fault(place, Rule::Constant, constant.kind(), "it in the description of a module only");
        }
    }

    fn name_and_type(&mut self, place: Spot<'a>, name_at: PoolIndex, text_at: PoolIndex) {
        let name = self.text(place, name_at, "a name");
        let text = self.text(place, text_at, "a descriptor");
        let (Some(name), Some(text)) = (name, text) else { return };
        let of_method = text.first() == Some(&b'(');
        let (name_is, text_is) =
            if of_method { (Good::MethodName, Good::Method) } else { (Good::Name, Good::Field) };
        if !self.is(name_at, name_is, name) {
            self.fault(place, Rule::Name, shown_briefly(name), "the name of a field or method");
        }
        if !self.is(text_at, text_is, text) {
            self.fault(place, Rule::Descriptor, shown_briefly(text), "the descriptor of a field or method");
        }
    }

    /// Constants that refer to names and types, which are known to be good now.
    fn references(&mut self) {
        let bootstraps = self.bootstraps();
        for (index, constant) in self.class.pool.iter() {
            let place = Spot::Constant(index.0);
            match constant {
                Constant::Fieldref(field) => {
                    self.member(place, field, Needed::Field);
                }
                Constant::Methodref(method) => {
                    let member = self.member(place, method, Needed::Method);
                    let initializer = |(name, text): &(&[u8], &[u8])| {
                        name.first() == Some(&b'<') && !(*name == b"<init>" && text.ends_with(b")V"))
                    };
                    if let Some((name, text)) = member.filter(initializer) {
                        let found = shown_briefly(name) + &shown_briefly(text);
                        self.fault(place, Rule::Name, found, "no special method but <init> with result V");
                    }
                }
                Constant::InterfaceMethodref(method) => {
                    self.member(place, method, Needed::Method);
                }
                Constant::MethodHandle { kind, reference } => self.handle(place, kind, reference),
                Constant::Dynamic(computed) => {
                    self.typed(place, computed.name_and_type, Needed::Field);
                    self.bootstrap(place, computed.bootstrap, bootstraps);
                }
                Constant::InvokeDynamic(computed) => {
                    let member = self.typed(place, computed.name_and_type, Needed::Method);
                    if let Some((name, _)) = member.filter(|(name, _)| name.first() == Some(&b'<')) {
                        self.fault(place, Rule::Name, shown_briefly(name), "the name of an ordinary method");
                    }
                    self.bootstrap(place, computed.bootstrap, bootstraps);
                }
                _ => {}
            }
        }
    }

    fn member(&mut self, place: Spot<'a>, member: MemberRef, needed: Needed) -> Option<(&'a [u8], &'a [u8])> {
        if self.class.pool.class(member.class).is_none() {
            self.not_a(place, member.class, "the Class of a member");
        }
        self.typed(place, member.name_and_type, needed)
    }

    /// A name and type of the needed kind.
    fn typed(&mut self, place: Spot<'a>, at: PoolIndex, needed: Needed) -> Option<(&'a [u8], &'a [u8])> {
        let Some((name, text)) = self.class.pool.name_and_type(at) else {
            self.not_a(place, at, "a NameAndType");
            return None;
        };
        if (text.first() == Some(&b'(')) != (needed == Needed::Method) {
            let expected = if needed == Needed::Method { "of a method" } else { "of a field" };
            self.fault(place, Rule::Descriptor, shown_briefly(text), format!("the descriptor {expected}"));
        }
        Some((name, text))
    }

    fn bootstrap(&mut self, place: Spot<'a>, index: u16, count: usize) {
        if usize::from(index) >= count {
            let found = format!("bootstrap method {index}");
            self.fault(place, Rule::Constant, found, format!("one of {count} of BootstrapMethods"));
        }
    }

    fn handle(&mut self, place: Spot<'a>, kind: u8, reference: PoolIndex) {
        let to = self.class.pool.get(reference);
        let interfaces = self.class.version.major >= 52;
        let good = match kind {
            1..=4 => matches!(to, Constant::Fieldref(_)),
            5 | 8 => matches!(to, Constant::Methodref(_)),
            6 | 7 => {
                matches!(to, Constant::Methodref(_))
                    || (interfaces && matches!(to, Constant::InterfaceMethodref(_)))
            }
            9 => matches!(to, Constant::InterfaceMethodref(_)),
            _ => false,
        };
        if !good {
            let found = format!("a handle of kind {kind} to #{} {}", reference.0, to.kind());
            self.fault(place, Rule::Constant, found, "a member that goes with its kind");
            return;
        }
        let (Constant::Methodref(member) | Constant::InterfaceMethodref(member)) = to else { return };
        let Some((name, _)) = self.class.pool.name_and_type(member.name_and_type) else { return };
        if (name == b"<init>") != (kind == 8) || name == b"<clinit>" {
            let found = format!("a handle of kind {kind} to {}", shown_briefly(name));
            self.fault(place, Rule::Name, found, "<init> for kind 8 only, and never <clinit>");
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    Field,
    Method,
}
