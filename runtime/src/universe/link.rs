//! Resolution (JVMS 5.4.3), access (5.4.4) and selection (5.4.6).

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use carnet_classes::class::{PoolIndex, find, flags, shown};
use carnet_classes::descriptor::package;
use carnet_classes::opcode::{INVOKEINTERFACE, INVOKESPECIAL};

use super::define::same_origin;
use super::words::{declaration, module, places};
use super::{CHANGED, ILLEGAL, LinkError, Universe, full};
use crate::account;
use crate::class::{Class, ClassId, Constant, Field, Method, MethodId, NOT_VIRTUAL, Origin, Shape};
use crate::symbol::Symbol;

/// What a class takes for one [call through an interface](Universe::select) that it knows.
const CALL_BYTES: usize = 48;

/// A resolved method, and how it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linked {
    /// This one.
    Direct(MethodId),
    /// By an index into the table of the object's class.
    Virtual {
        /// The index.
        index: u32,
        /// The method that was resolved.
        method: MethodId,
    },
    /// By the class of the object, looked up by the interface's method.
    Interface(MethodId),
    /// A method of `MethodHandle` or `VarHandle` that takes any arguments.
    Polymorphic(MethodId),
}

/// How a method is named by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `invokestatic`
    Static,
    /// `invokespecial`
    Special,
    /// `invokevirtual`
    Virtual,
    /// `invokeinterface`
    Interface,
}

/// What an instruction does with a field; what sets it is of a method, unless it is a handle.
#[derive(Clone, Copy)]
pub enum Use<'m> {
    /// `getfield`
    Get,
    /// `getstatic`
    GetStatic,
    /// `putfield`
    Put(Option<&'m Method>),
    /// `putstatic`
    PutStatic(Option<&'m Method>),
}

/// Version of class files since which final fields are set in initializers alone.
const JAVA_9: u16 = 53;

impl Universe {
    /// The class that a constant of a class names.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn class_at(&self, from: &Class, at: u16) -> Result<ClassId, LinkError> {
        let text = from.class_text(at);
        // A class that was made names itself by a name that nobody else can use.
        if from.origin.host().is_some() && text == self.symbols.text(from.name) {
            return Ok(from.id);
        }
        if let Some(id) = self.numbered(from, text) {
            return Ok(id);
        }
        self.checked(from, self.load(text)?)
    }

    /// A class, if it, or that of the elements of an array, may be used by another.
    pub(super) fn checked(&self, from: &Class, id: ClassId) -> Result<ClassId, LinkError> {
        let mut class = self.class(id).ok_or_else(|| full(()))?;
        while let Shape::References { element } = class.shape {
            class = self.class(element).ok_or_else(|| full(()))?;
        }
        self.check_class(from, class)?;
        Ok(id)
    }

    /// Whether a class may be used by another.
    ///
    /// # Errors
    /// `IllegalAccessError` if it may not.
    pub(crate) fn check_class(&self, from: &Class, class: &Class) -> Result<(), LinkError> {
        if self.may_use(from, class) {
            return Ok(());
        }
        let message = self.not_exported(&self.java_name(from.id), class).unwrap_or_else(|| {
            let (class, from) = (self.named(class), self.named(from));
            format!("failed to access class {} from class {} ({})", class.0, from.0, places(&class, &from))
        });
        Err(LinkError::new(ILLEGAL, message))
    }

    /// Whether a class may be used by another: those of the library that are internal to it are not for guests.
    fn may_use(&self, from: &Class, class: &Class) -> bool {
        if self.is_trusted(from) {
            return true;
        }
        self.is_exported(class) && (class.has(flags::PUBLIC) || self.same_package(from, class))
    }

    /// Whether a class is of a guest, or of a package of Java SE, which modules export; the JDK's own are for itself.
    pub(super) fn is_exported(&self, class: &Class) -> bool {
        let packages: [&[u8]; 5] = [b"java/", b"javax/", b"org/w3c/dom/", b"org/xml/sax/", b"org/ietf/jgss/"];
        let name = self.symbols.text(class.name);
        class.origin != Origin::Library
            || class.shape != Shape::Object
            || packages.iter().any(|package| name.starts_with(package))
    }

    /// Whether nothing is checked of what a class asks for: it is of the library.
    pub(crate) fn is_trusted(&self, class: &Class) -> bool {
        match class.origin.host() {
            Some(host) => self.class(host).is_some_and(|host| self.is_trusted(host)),
            None => class.origin == Origin::Library,
        }
    }

    /// Whether two classes are in the same run-time package (JVMS 5.3).
    pub(crate) fn same_package(&self, one: &Class, other: &Class) -> bool {
        same_origin(self.origin(one), self.origin(other))
            && package(self.symbols.text(one.name)) == package(self.symbols.text(other.name))
    }

    pub(super) fn origin(&self, class: &Class) -> Origin {
        let host = class.origin.host().and_then(|host| self.class(host));
        host.map_or(class.origin, |host| host.origin)
    }

    /// Whether two classes may use each other's private members.
    pub(crate) fn are_nest_mates(&self, one: &Class, other: &Class) -> bool {
        let host = |class| self.nest_host(class).unwrap_or_else(|(own, _)| own);
        self.same_package(one, other) && host(one) == host(other)
    }

    /// The host of a class's nest: the one that it names, if that counts it among its members (JVMS 5.4.4).
    ///
    /// # Errors
    /// If it does not: the class itself, which is its own host, and why.
    pub(crate) fn nest_host(&self, class: &Class) -> Result<ClassId, (ClassId, String)> {
        let class = match class.origin {
            Origin::Hidden { host } => self.class(host).map_or(class, Arc::as_ref),
            _ => class,
        };
        let Some(name) = class.nest_host else { return Ok(class.id) };
        let name = self.symbols.text(name);
        let failed = |error: LinkError| {
            let (own, host) = (self.java_name(class.id), shown(name));
            (class.id, format!("Nest host resolution of {own} with host {host} failed: {}", error.told()))
        };
        let host = self.load(name).and_then(|id| self.class(id).ok_or_else(|| full(()))).map_err(failed)?;
        let reason = if !self.same_package(class, host) {
            "types are in different packages"
        } else if !has_member(host, self.symbols.text(class.name)) {
            "current type is not listed as a nest member"
        } else {
            return Ok(host.id);
        };
        Err((class.id, self.no_member(class, host, reason)))
    }

    /// Whether a class that is being made by `origin` may be built on another, as its superclass or superinterface.
    ///
    /// # Errors
    /// If it may not.
    pub(super) fn may_extend(&self, name: &[u8], origin: Origin, above: &Class) -> Result<(), LinkError> {
        let host = origin.host().and_then(|host| self.class(host));
        let own = host.map_or(origin, |host| self.origin(host));
        let of = self.symbols.text(above.name);
        let same = same_origin(own, self.origin(above)) && package(of) == package(name);
        if own == Origin::Library || same || (above.has(flags::PUBLIC) && self.is_exported(above)) {
            return Ok(());
        }
        let name = shown(name).replace('/', ".");
        let (check, role) = match (above.is_interface(), above.has(flags::ABSTRACT)) {
            (true, _) => ("superinterface check", "superinterface"),
            (false, true) => ("superclass access check", "abstract superclass"),
            (false, false) => ("superclass access check", "superclass"),
        };
        let message = match self.not_exported(&name, above) {
            Some(reason) => format!("{check} failed: {reason}"),
            None => {
                let above = self.named(above);
                let places = places(&(name.clone(), module(own)), &above);
                format!("class {name} cannot access its {role} {} ({places})", above.0)
            }
        };
        Err(LinkError::new(ILLEGAL, message))
    }

    /// Whether a member of `holder` may be used by `from` (JVMS 5.4.4).
    pub(crate) fn may_access(&self, from: &Class, holder: &Class, named: &Class, member: u16) -> bool {
        if member & flags::PUBLIC != 0 || self.is_trusted(from) || from.id == holder.id {
            return true;
        }
        if member & flags::PRIVATE != 0 {
            return self.are_nest_mates(from, holder);
        }
        if self.same_package(from, holder) {
            return true;
        }
        let family = |class: ClassId| {
            let own = match from.origin {
                Origin::Hidden { host } => host,
                _ => from.id,
            };
            self.is_subclass(own, class)
        };
        // All objects of interfaces are objects, but what those keep to themselves is not for interfaces.
        member & flags::PROTECTED != 0
            && family(holder.id)
            && (named.shape != Shape::Object
                || !from.is_interface()
                    && (member & flags::STATIC != 0
                        || family(named.id)
                        || self.is_subclass(named.id, from.id)))
    }

    /// The field that a constant names, for an instruction of `from`.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn field_at(&self, from: &Class, at: u16, to: Use<'_>) -> Result<Field, LinkError> {
        let Some((class, both)) = from.constant(at).member() else {
            return Err(LinkError::new("java/lang/ClassFormatError", "no field"));
        };
        let (name, descriptor) = from.name_and_type(both);
        let named = self.class(self.class_at(from, class)?).ok_or_else(|| full(()))?;
        let found = self.find_field(named, name, descriptor);
        let field = found.ok_or_else(|| LinkError::new("java/lang/NoSuchFieldError", shown(name)))?;
        let holder = self.class(field.class).ok_or_else(|| full(()))?;
        if !self.may_access(from, holder, named, field.flags) {
            let what = format!("field {}.{}", self.java_name(holder.id), shown(name));
            return Err(self.tried(from, holder, field.flags & !flags::ABSTRACT, &what));
        }
        let described = || format!("{}.{}", self.java_name(named.id), shown(name));
        let is_static = matches!(to, Use::GetStatic | Use::PutStatic(_));
        let which = if is_static { "static" } else { "non-static" };
        if field.is_static() != is_static {
            return Err(LinkError::new(CHANGED, format!("Expected {which} field {}", described())));
        }
        if let Use::Put(method) | Use::PutStatic(method) = to
            && field.flags & flags::FINAL != 0
            && let Some(wrong) = self.wrong_setter(from, field, method)
        {
            let message =
                format!("Update to {which} final field {} attempted from a different {wrong}", described());
            return Err(LinkError::new(ILLEGAL, message));
        }
        Ok(field.clone())
    }

    /// Why a final field may not be set: its own class does, and since Java 9 in initializers alone.
    fn wrong_setter(&self, from: &Class, field: &Field, method: Option<&Method>) -> Option<String> {
        if field.class != from.id {
            return Some(format!("class ({}) than the field's declaring class", self.java_name(from.id)));
        }
        let method = method.filter(|_| from.major() >= JAVA_9)?;
        let name = self.symbols.text(method.name);
        let initializer = if field.is_static() { "<clinit>" } else { "<init>" };
        (name != initializer.as_bytes())
            .then(|| format!("method ({}) than the initializer method {initializer} ", shown(name)))
    }

    /// A field of a class, its interfaces and superclasses (JVMS 5.4.3.2).
    #[must_use]
    pub fn find_field(&self, class: &Class, name: &[u8], descriptor: &[u8]) -> Option<&Field> {
        account::look_up(name.len() + descriptor.len());
        let (name, descriptor) = (self.symbols.known(name)?, self.symbols.known(descriptor)?);
        let of_interface = |id: &ClassId| {
            let interface = self.class(*id)?;
            let above =
                || interface.implements.iter().find_map(|id| self.class(*id)?.field(name, descriptor));
            interface.field(name, descriptor).or_else(above)
        };
        class.line.iter().rev().find_map(|id| {
            let class = self.class(*id)?;
            class.field(name, descriptor).or_else(|| class.interfaces.iter().find_map(of_interface))
        })
    }

    /// A method of a class and its superclasses, then of its interfaces (JVMS 5.4.3.3, 5.4.3.4).
    #[must_use]
    pub fn find_method(&self, class: &Class, name: &[u8], descriptor: &[u8]) -> Option<&Arc<Method>> {
        account::look_up(name.len() + descriptor.len());
        let (name, descriptor) = (self.symbols.known(name)?, self.symbols.known(descriptor)?);
        self.find_symbols(class, name, descriptor)
    }

    fn find_symbols(&self, class: &Class, name: Symbol, descriptor: Symbol) -> Option<&Arc<Method>> {
        // Constructors are not inherited, and interfaces have of Object what is public.
        let is_initializer = self.symbols.text(name).first() == Some(&b'<');
        let declared = class.line.iter().rev().find_map(|id| {
            let declaring = self.class(*id)?;
            account::read(declaring.methods.len());
            let method = declaring.method(name, descriptor)?;
            let is_inherited = !class.is_interface() || (method.has(flags::PUBLIC) && !method.is_static());
            (*id == class.id || (is_inherited && !is_initializer)).then_some(method)
        });
        declared.or_else(|| self.most_specific(class, name, descriptor).ok().flatten())
    }

    /// The method of the interfaces of a class that no other overrides (JVMS 5.4.3.3).
    ///
    /// # Errors
    /// All that no other overrides, if several of them are not abstract.
    pub(super) fn most_specific(
        &self,
        class: &Class,
        name: Symbol,
        descriptor: Symbol,
    ) -> Result<Option<&Arc<Method>>, Vec<&Arc<Method>>> {
        let mut found: Vec<&Arc<Method>> = Vec::new();
        let mut above: HashSet<ClassId> = HashSet::new();
        for interface in class.implements.iter().filter_map(|id| self.class(*id)) {
            account::read(interface.methods.len());
            let method = interface.method(name, descriptor);
            if let Some(method) = method.filter(|method| !method.has(flags::PRIVATE | flags::STATIC)) {
                account::read(size_of_val(&*interface.implements));
                above.extend(&interface.implements);
                found.push(method);
            }
        }
        let is_specific = |method: &&Arc<Method>| !above.contains(&method.class);
        let specific: Vec<&Arc<Method>> = found.iter().copied().filter(is_specific).collect();
        let mut bodies = specific.iter().copied().filter(|method| !method.has(flags::ABSTRACT));
        match (bodies.next(), bodies.next()) {
            (Some(_), Some(_)) => Err(specific),
            (Some(method), None) => Ok(Some(method)),
            (None, _) => Ok(specific.first().or(found.first()).copied()),
        }
    }

    /// The method that a constant names, and how an instruction of `from` calls it.
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn method_at(&self, from: &Class, at: u16, access: Access) -> Result<Linked, LinkError> {
        let Some((class, both)) = from.constant(at).member() else {
            return Err(LinkError::new("java/lang/ClassFormatError", "no method"));
        };
        let (name, descriptor) = from.name_and_type(both);
        let named = self.class(self.class_at(from, class)?).ok_or_else(|| full(()))?;
        let described =
            |class: ClassId| format!("'{}'", declaration(Some(&self.java_name(class)), name, descriptor));
        if named.is_interface() != (access == Access::Interface)
            && !matches!(access, Access::Static | Access::Special)
        {
            let (found, expected) =
                if named.is_interface() { ("interface", "class") } else { ("class", "interface") };
            let message = format!("Found {found} {}, but {expected} was expected", self.java_name(named.id));
            return Err(LinkError::new(CHANGED, message));
        }
        if named.is_interface() != matches!(from.constant(at), Constant::InterfaceMember(..)) {
            let expected = if named.is_interface() { "InterfaceMethodref" } else { "Methodref" };
            let message = format!("Method {} must be {expected} constant", described(named.id));
            return Err(LinkError::new(CHANGED, message));
        }
        if let Some(method) = self.polymorphic(named, name) {
            return Ok(Linked::Polymorphic(method));
        }
        let found = match self.find_method(named, name, descriptor) {
            None => self.overpass(named, name, descriptor)?,
            found => found,
        };
        let method = found.ok_or_else(|| {
            let has_one = |id: &ClassId| {
                self.class(*id).is_some_and(|class| self.find_method(class, name, descriptor).is_some())
            };
            let message = if name == b"<init>" && named.line.iter().any(has_one) {
                let method = declaration(None, name, descriptor);
                format!("{}: method '{method}' not found", self.java_name(named.id))
            } else {
                described(named.id)
            };
            LinkError::new("java/lang/NoSuchMethodError", message)
        })?;
        let holder = self.class(method.class).ok_or_else(|| full(()))?;
        if !self.may_access(from, holder, named, method.flags) {
            return Err(self.tried(from, holder, method.flags, &format!("method {}", described(holder.id))));
        }
        if method.is_static() != (access == Access::Static) {
            let expected = match access {
                Access::Static => "Expected static",
                Access::Interface => "Expected instance not static",
                Access::Special | Access::Virtual => "Expecting non-static",
            };
            return Err(LinkError::new(CHANGED, format!("{expected} method {}", described(holder.id))));
        }
        match access {
            Access::Static => Ok(Linked::Direct(method.id)),
            Access::Special => self.special(from, named, method),
            Access::Virtual if method.has(flags::PRIVATE) => Ok(Linked::Direct(method.id)),
            Access::Virtual if method.index != NOT_VIRTUAL => {
                if method.has(flags::FINAL) || holder.has(flags::FINAL) {
                    return Ok(Linked::Direct(method.id));
                }
                Ok(Linked::Virtual { index: method.index, method: method.id })
            }
            // Also a private one, and one of Object: whether the object has the interface is known when it is called.
            Access::Virtual | Access::Interface => Ok(Linked::Interface(method.id)),
        }
    }

    /// What `invokespecial` calls (JVMS 6.5).
    fn special(&self, from: &Class, named: &Class, method: &Arc<Method>) -> Result<Linked, LinkError> {
        let name = self.symbols.text(method.name);
        let above = from.parent.filter(|_| {
            name != b"<init>"
                && !named.is_interface()
                && from.id != named.id
                && self.is_subclass(from.id, named.id)
        });
        let Some(above) = above.and_then(|id| self.class(id)) else {
            if method.has(flags::ABSTRACT) {
                return Err(self.is_abstract(method));
            }
            // The verifier takes any object for one of an interface.
            let is_known = !from.is_interface() || name == b"<init>";
            return Ok(if is_known { Linked::Direct(method.id) } else { Linked::Interface(method.id) });
        };
        let found = self.find_symbols(above, method.name, method.descriptor);
        let selected = match found.filter(|method| !method.has(flags::ABSTRACT)) {
            None => self.overpass(above, name, self.symbols.text(method.descriptor))?,
            selected => selected,
        };
        let selected = selected.ok_or_else(|| self.is_abstract(found.unwrap_or(method)))?;
        Ok(Linked::Direct(selected.id))
    }

    /// A method that takes any arguments: those of handles (JVMS 2.9.3).
    fn polymorphic(&self, class: &Class, name: &[u8]) -> Option<MethodId> {
        let of = self.symbols.text(class.name);
        if of != b"java/lang/invoke/MethodHandle" && of != b"java/lang/invoke/VarHandle" {
            return None;
        }
        let name = self.symbols.known(name)?;
        let mut named = class.methods.iter().filter(|method| method.name == name);
        let method = named.next()?;
        (method.has(flags::NATIVE) && method.has(flags::VARARGS)).then_some(method.id)
    }

    fn find_selected(&self, class: &Class, method: &Method) -> Option<Arc<Method>> {
        let declared = class.line.iter().rev().find_map(|id| {
            let class = self.class(*id)?;
            account::read(class.methods.len());
            let found = class.method(method.name, method.descriptor)?;
            (!found.has(flags::STATIC | flags::PRIVATE)).then_some(found)
        });
        match declared {
            // Overridden below by the table: a class between may have another in the same package.
            Some(found) if found.index != NOT_VIRTUAL => {
                class.table.get(found.index as usize).or(Some(found)).cloned()
            }
            Some(found) => Some(Arc::clone(found)),
            None => self.most_specific(class, method.name, method.descriptor).ok().flatten().cloned(),
        }
    }

    /// What a call in the code of an interface runs, or one of a private method or one of Object through an interface: `invokespecial`
    /// runs the method itself, `invokeinterface` that or what overrides it. The verifier takes any object for one of an interface, so
    /// that here is where it is looked at (JVMS 6.5).
    ///
    /// # Errors
    /// [`LinkError`].
    pub(crate) fn select_checked(
        &self,
        class: &Class,
        method: &Arc<Method>,
        (from, opcode, constant): (&Class, u8, u16),
    ) -> Result<Arc<Method>, LinkError> {
        if opcode == INVOKESPECIAL {
            if self.is_subclass(class.id, from.id) {
                return Ok(Arc::clone(method));
            }
            let message = format!(
                "Receiver class {} must be the current class or a subtype of interface {}",
                self.java_name(class.id),
                self.java_name(from.id)
            );
            return Err(LinkError::new(ILLEGAL, message));
        }
        let named = from.constant(constant).member().map(|(of, _)| self.class_at(from, of)).transpose()?;
        if let Some(named) =
            named.filter(|named| opcode == INVOKEINTERFACE && !self.is_subclass(class.id, *named))
        {
            return Err(self.not_implemented(class, named));
        }
        if method.has(flags::PRIVATE) { Ok(Arc::clone(method)) } else { self.select(class, method) }
    }

    fn not_implemented(&self, class: &Class, interface: ClassId) -> LinkError {
        let message = format!(
            "Class {} does not implement the requested interface {}",
            self.java_name(class.id),
            self.java_name(interface)
        );
        LinkError::new(CHANGED, message)
    }

    /// What a call of an interface's method runs on an object of a class (JVMS 5.4.6).
    ///
    /// # Errors
    /// [`LinkError`].
    pub fn select(&self, class: &Class, method: &Method) -> Result<Arc<Method>, LinkError> {
        let known = class.calls.lock().unwrap_or_else(PoisonError::into_inner).get(&method.id).cloned();
        let selected = known.unwrap_or_else(|| {
            let found = self.find_selected(class, method);
            // Where there is no room it is looked for each time.
            if account::take(CALL_BYTES).is_ok() {
                let mut calls = class.calls.lock().unwrap_or_else(PoisonError::into_inner);
                calls.insert(method.id, found.clone());
            }
            found
        });
        if !self.is_subclass(class.id, method.class) {
            return Err(self.not_implemented(class, method.class));
        }
        match selected {
            Some(found) if found.has(flags::ABSTRACT) => Err(self.no_implementation(class, method, &found)),
            Some(found) if !found.has(flags::PUBLIC) => {
                let message = format!("'{}'", self.declared(Some(class), &found));
                Err(LinkError::new(ILLEGAL, message))
            }
            Some(found) => Ok(found),
            None => Err(self.no_implementation(class, method, method)),
        }
    }
}

/// Whether the host of a nest names a class among its members.
fn has_member(host: &Class, name: &[u8]) -> bool {
    let Ok(file) = host.parsed() else { return false };
    let members = find(&file.attributes, &file.pool, "NestMembers").and_then(|content| content.get(2..));
    members
        .unwrap_or_default()
        .chunks_exact(2)
        .any(|index| file.pool.class(PoolIndex(u16::from_be_bytes([index[0], index[1]]))) == Some(name))
}
