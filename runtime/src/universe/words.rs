//! What linkage errors say, in HotSpot's words.

use std::fmt::Write as _;

use carnet_classes::class::{flags, shown};
use carnet_classes::descriptor::{self, package};

use super::{ABSTRACT_METHOD, ILLEGAL, LinkError, Universe};
use crate::class::{Class, ClassId, Kind, Method, Origin};

/// The name of a class for people, and the module that it is in.
pub(super) type Named = (String, String);

/// A type for people, of its descriptor: `java.lang.String[]`.
pub(crate) fn type_name(descriptor: &[u8]) -> String {
    let dimensions = descriptor.iter().take_while(|byte| **byte == b'[').count();
    let element = match &descriptor[dimensions..] {
        [b'L', name @ .., b';'] => shown(name).replace('/', "."),
        b"V" => "void".to_owned(),
        letter => Kind::of(letter).keyword().to_owned(),
    };
    element + &"[]".repeat(dimensions)
}

/// A method for people: `int a.B.call(java.lang.String[])`, or without a class `int call(java.lang.String[])`.
pub(crate) fn declaration(class: Option<&str>, name: &[u8], descriptor: &[u8]) -> String {
    let (parameters, result) = match descriptor::method(descriptor) {
        Some(method) => (method.parameters, method.result),
        None => (Vec::new(), descriptor),
    };
    let parameters: Vec<String> = parameters.iter().map(|parameter| type_name(parameter)).collect();
    let class = class.map(|class| format!("{class}.")).unwrap_or_default();
    format!("{} {class}{}({})", type_name(result), shown(name), parameters.join(", "))
}

/// Where two classes are.
pub(super) fn places(one: &Named, other: &Named) -> String {
    if one.1 == other.1 {
        return format!("{} and {} are in {}", one.0, other.0, one.1);
    }
    format!("{}; {}", place(one), place(other))
}

/// Where a class is.
pub(super) fn place(class: &Named) -> String {
    format!("{} is in {}", class.0, class.1)
}

/// The module of what is of an origin, which is none of what was made.
pub(super) fn module(origin: Origin) -> String {
    let module = if origin == Origin::Library { "module java.base" } else { "unnamed module" };
    format!("{module} of loader {}", loader(origin))
}

fn loader(origin: Origin) -> &'static str {
    if origin == Origin::Library { "'bootstrap'" } else { "'app'" }
}

impl Universe {
    pub(super) fn named(&self, class: &Class) -> Named {
        let module = match self.proxy_module(class) {
            Some(module) => format!("module {module} of loader 'app'"),
            None => module(self.origin(class)),
        };
        (self.java_name(class.id), module)
    }

    /// The module that the library made for proxies of public interfaces, if a class is one of these: their package is called as it is.
    pub(crate) fn proxy_module(&self, class: &Class) -> Option<String> {
        let is_one = matches!(class.origin, Origin::Proxy { .. }) && self.is_trusted(class);
        let package = is_one.then(|| package(self.symbols.text(class.name)))?;
        Some(shown(package.strip_prefix(b"com/sun/proxy/").unwrap_or(package)).replace('/', "."))
    }

    /// A method for people, as one of a class.
    pub(super) fn declared(&self, class: Option<&Class>, method: &Method) -> String {
        let class = class.map(|class| self.java_name(class.id));
        declaration(class.as_deref(), self.symbols.text(method.name), self.symbols.text(method.descriptor))
    }

    /// Why a class called `from` may not use one of a package that no module exports; none if it is of another.
    pub(super) fn not_exported(&self, from: &str, class: &Class) -> Option<String> {
        (!self.is_exported(class)).then(|| {
            format!(
                "class {from} (in unnamed module) cannot access class {} (in module java.base) because module \
                 java.base does not export {} to unnamed module",
                self.java_name(class.id),
                shown(package(self.symbols.text(class.name))).replace('/', ".")
            )
        })
    }

    /// A class tried to use a member that it may not use.
    pub(super) fn tried(&self, from: &Class, holder: &Class, member: u16, what: &str) -> LinkError {
        let words =
            [(flags::ABSTRACT, "abstract "), (flags::PROTECTED, "protected "), (flags::PRIVATE, "private ")];
        let words: String =
            words.iter().filter(|(flag, _)| member & flag != 0).map(|(_, word)| *word).collect();
        let (one, other) = (self.named(from), self.named(holder));
        let mut message = format!("class {} tried to access {words}{what} ({})", one.0, places(&one, &other));
        if member & flags::PRIVATE != 0 {
            let reasons = [from, holder].map(|class| self.nest_host(class).err());
            let reasons: Vec<String> = reasons.into_iter().flatten().map(|(_, reason)| reason).collect();
            if !reasons.is_empty() {
                let _ = write!(message, ", ({})", reasons.join(", "));
            }
        }
        LinkError::new(ILLEGAL, message)
    }

    /// A cast failed.
    pub(crate) fn no_cast(&self, class: ClassId, of: ClassId) -> String {
        // What the runtime made is told as the program's.
        let named = |id| match self.class(id) {
            Some(class) if matches!(class.origin, Origin::Hidden { .. }) => {
                (self.java_name(id), module(Origin::Guest))
            }
            class => class.map_or_else(Default::default, |class| self.named(class)),
        };
        let (one, other) = (named(class), named(of));
        format!("class {} cannot be cast to class {} ({})", one.0, other.0, places(&one, &other))
    }

    /// Why a class is not of the nest that it says.
    pub(super) fn no_member(&self, class: &Class, host: &Class, reason: &str) -> String {
        let typed =
            |class: &Class| format!("{} (loader: {})", self.java_name(class.id), loader(self.origin(class)));
        format!("Type {} is not a nest member of type {}: {reason}", typed(class), typed(host))
    }

    /// An abstract method is called that no object selects another for.
    pub(super) fn is_abstract(&self, method: &Method) -> LinkError {
        let class = self.class(method.class).map(AsRef::as_ref);
        LinkError::new(ABSTRACT_METHOD, format!("'{}'", self.declared(class, method)))
    }

    /// An object of a class has nothing to run for a method but perhaps another one that is abstract.
    pub(crate) fn no_implementation(&self, class: &Class, method: &Method, found: &Method) -> LinkError {
        let words = |method: &Method| if method.has(flags::ABSTRACT) { "abstract " } else { "" };
        let flags_of = |id: ClassId| self.class(id).map_or(0, |class| class.flags);
        let kind = match flags_of(method.class) {
            holder if holder & flags::INTERFACE != 0 => "interface",
            holder if holder & flags::ABSTRACT != 0 => "abstract class",
            _ => "class",
        };
        let mut message = format!(
            "Receiver class {} does not define or inherit an implementation of the resolved method '{}{}' of {kind} {}.",
            self.java_name(class.id),
            words(method),
            self.declared(None, method),
            self.java_name(method.class)
        );
        if found.id != method.id && flags_of(found.class) & flags::INTERFACE == 0 {
            let holder = self.class(found.class).map(AsRef::as_ref);
            let _ =
                write!(message, " Selected method is '{}{}'.", words(found), self.declared(holder, found));
        }
        LinkError::new(ABSTRACT_METHOD, message)
    }
}
