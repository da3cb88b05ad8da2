//! Making classes: from bytes to fields, methods and tables (JVMS 5.3, 5.4.2).

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, OnceLock};

use carnet_classes::class::{ClassFile, PoolIndex, find, flags, shown};
use carnet_classes::descriptor::{self, package};
use carnet_classes::library::Origin as Found;
use carnet_classes::read::BYTES_MAX;
use carnet_classes::{format, read};

use super::words::place;
use super::{CHANGED, LinkError, Universe, full};
use crate::account;
use crate::class::{
    Class, ClassId, Field, INTERFACES_FEW, Kind, Method, MethodId, NOT_VIRTUAL, Origin, Shape,
};
use crate::heap::FIELDS;
use crate::symbol::Symbol;

/// No class has more superclasses, nor does loading one lead to another deeper than this.
const DEPTH_MAX: usize = 256;
/// No object has more bytes.
const OBJECT_BYTES_MAX: u32 = 1 << 20;
/// No class implements more interfaces.
const INTERFACES_MAX: usize = 4096;
/// Classes have numbers of 24 bits, and the last one marks moved objects.
const CLASSES_MAX: u32 = (1 << 24) - 1;

/// What a class takes besides what is counted: itself, its places in tables, its `Class` object's place in each domain.
const CLASS_BYTES: usize = 1024;
/// What a static field takes besides: its places in the universe and in a domain.
const STATIC_BYTES: usize = 32;
/// What a method takes besides: its places in tables, and its parameters.
pub(super) const METHOD_BYTES: usize = 64;
/// Bytes of a file are kept once as they are, and once as names.
const FILE_SHARE: usize = 2;

/// Fields that the runtime adds to classes of the library, as references or longs that Java code does not see.
const ADDED: [(&str, &[(&str, &str)]); 6] = [
    ("jdk/internal/reflect/BootstrapConstructorAccessorImpl", &[("carnet$class", "Ljava/lang/Class;")]),
    ("java/lang/Class", &[("carnet$id", "I")]),
    ("java/lang/ClassLoader", &[("carnet$given", "[I")]),
    ("java/lang/invoke/MethodHandle", &[("carnet$parts", "[Ljava/lang/Object;")]),
    ("java/lang/invoke/LambdaForm", &[("carnet$method", "I"), ("carnet$edit", "[I")]),
    (
        "java/lang/invoke/VarHandle",
        &[
            ("carnet$place", "J"),
            ("carnet$class", "Ljava/lang/Class;"),
            ("carnet$type", "Ljava/lang/Class;"),
            ("carnet$kind", "I"),
        ],
    ),
];

/// Names of classes that are being made, the first of which was asked for.
pub(super) type Making = Vec<Box<[u8]>>;

impl Universe {
    /// The class of a name, made if it is not there. `making` are those that wait for it, since it is above them.
    pub(super) fn find_or_make(&self, name: &[u8], making: &mut Making) -> Result<ClassId, LinkError> {
        if let Some(id) = self.loaded(name) {
            return Ok(id);
        }
        let circular = |message| LinkError::new("java/lang/ClassCircularityError", message);
        if making.iter().any(|other| **other == *name) {
            return Err(circular(shown(name)));
        }
        if making.len() > DEPTH_MAX {
            return Err(circular(format!("{}: more than {DEPTH_MAX} classes above it", shown(name))));
        }
        making.push(name.into());
        let made =
            if name.first() == Some(&b'[') { self.make_array(name, making) } else { self.make(name, making) };
        making.pop();
        made
    }

    fn make(&self, name: &[u8], making: &mut Making) -> Result<ClassId, LinkError> {
        let (bytes, found) = self.class_path.find(name).map_err(|absent| match &*absent.reason {
            "not found" => {
                account::look_for(self.class_path.places());
                LinkError::missing(name)
            }
            reason => {
                // As much was read before it was refused, at most.
                account::read(BYTES_MAX);
                let message = format!("{} ({reason})", shown(name));
                LinkError { message, ..LinkError::missing(name) }
            }
        })?;
        let origin = match found {
            Found::Library => Origin::Library,
            Found::Guest if name.starts_with(b"java/") => return Err(LinkError::missing(name)),
            Found::Guest => Origin::Guest,
        };
        self.define(bytes, origin, Some(name), making)
    }

    pub(super) fn add_primitive(&self, name: &str) -> Result<ClassId, LinkError> {
        let name = self.symbols.of(name.as_bytes()).map_err(full)?;
        let flags = flags::PUBLIC | flags::FINAL | flags::ABSTRACT;
        self.add(|id| Class { flags, shape: Shape::Primitive, ..self.blank(id, name) })
    }

    pub(super) fn add_primitive_array(&self, kind: Kind) -> Result<ClassId, LinkError> {
        self.make_array(&[b'[', kind.letter()], &mut Making::new())
    }

    fn add(&self, class: impl FnOnce(ClassId) -> Class) -> Result<ClassId, LinkError> {
        if self.classes.count() >= CLASSES_MAX {
            return Err(full(()));
        }
        self.classes.add(|number| Arc::new(class(ClassId(number)))).map(ClassId).map_err(full)
    }

    fn blank(&self, id: ClassId, name: Symbol) -> Class {
        Class {
            id,
            name,
            flags: flags::PUBLIC,
            origin: Origin::Library,
            shape: Shape::Object,
            parent: None,
            line: Box::new([id]),
            interfaces: Box::default(),
            implements: Box::default(),
            sorted: Box::default(),
            before: Box::default(),
            fields: Box::default(),
            methods: Box::default(),
            table: Box::default(),
            bytes: FIELDS,
            references: Box::default(),
            statics: 0..0,
            initializer: None,
            constants: Box::default(),
            file: Box::default(),
            source: None,
            nest_host: None,
            calls: Mutex::default(),
            array: AtomicU32::new(0),
            verdict: OnceLock::new(),
        }
    }

    fn make_array(&self, name: &[u8], making: &mut Making) -> Result<ClassId, LinkError> {
        if !descriptor::is_field(name) {
            return Err(LinkError { missing: Some(shown(name)), ..LinkError::missing(name) });
        }
        let inner = &name[1..];
        // An array of what is missing is said to be missing itself.
        let missing = |element: &[u8], mut error: LinkError| {
            if error.missing.is_some() && error.message == shown(element) {
                error.message = shown(name);
            }
            error
        };
        let of = match inner {
            [b'L', class @ .., b';'] => {
                let element = self.find_or_make(class, making).map_err(|error| missing(class, error))?;
                self.reference_array(element)?
            }
            [b'[', ..] => {
                let element = self.find_or_make(inner, making).map_err(|error| missing(inner, error))?;
                self.reference_array(element)?
            }
            letter => (Shape::Primitives(Kind::of(letter)), Origin::Library, flags::PUBLIC),
        };
        let id = self.add_array(name, of)?;
        let symbol = self.class(id).ok_or_else(|| full(()))?.name;
        self.names().insert(symbol, id);
        Ok(id)
    }

    /// Adds a class of arrays, which nobody finds by its name. Only one thread at a time makes classes.
    pub(super) fn add_array(&self, name: &[u8], of: (Shape, Origin, u16)) -> Result<ClassId, LinkError> {
        let (shape, origin, visible) = of;
        account::take(CLASS_BYTES + 2 * name.len())?;
        let symbol = self.symbols.of(name).map_err(full)?;
        let object = self.known.object;
        let above = self.class(object).ok_or_else(|| full(()))?;
        let implements = [self.known.cloneable, self.known.serializable];
        self.add(|id| Class {
            flags: visible | flags::FINAL | flags::ABSTRACT,
            origin,
            shape,
            parent: Some(object),
            line: Box::new([object, id]),
            interfaces: Box::new(implements),
            implements: Box::new(implements),
            table: above.table.clone(),
            ..self.blank(id, symbol)
        })
    }

    /// What arrays of an element are: their shape, where they are from, and whether they are public.
    pub(super) fn reference_array(&self, element: ClassId) -> Result<(Shape, Origin, u16), LinkError> {
        let class = self.class(element).ok_or_else(|| full(()))?;
        Ok((Shape::References { element }, class.origin, class.flags & flags::PUBLIC))
    }

    /// Makes a class out of its file.
    pub(super) fn define(
        &self,
        bytes: Vec<u8>,
        origin: Origin,
        name: Option<&[u8]>,
        making: &mut Making,
    ) -> Result<ClassId, LinkError> {
        let wrong = |message: String| LinkError::new("java/lang/ClassFormatError", message);
        if origin != Origin::Library {
            account::read(bytes.len());
        }
        let file = read(&bytes).map_err(|error| {
            wrong(format!("{}: {error}", name.map_or_else(|| "a hidden class".to_owned(), shown)))
        })?;
        if origin != Origin::Library {
            format::check(&file).map_err(|faults| {
                let first = faults.first().map(ToString::to_string).unwrap_or_default();
                let kind = match faults.first().map(|fault| fault.rule) {
                    Some(carnet_classes::fault::Rule::Version) => "java/lang/UnsupportedClassVersionError",
                    _ => "java/lang/ClassFormatError",
                };
                LinkError::new(kind, first)
            })?;
        }
        if let Some(name) = name.filter(|name| *name != file.name()) {
            let message = format!("{} (wrong name: {})", shown(name), shown(file.name()));
            return Err(LinkError::new(super::MISSING, message));
        }
        let class = Maker { universe: self, file: &file, origin }.make(making)?;
        let made = self.add(|_| Class { file: bytes.into(), ..class })?;
        if name.is_some() {
            let class = self.class(made).ok_or_else(|| full(()))?;
            self.names().insert(class.name, made);
        }
        Ok(made)
    }
}

struct Maker<'m, 'a> {
    universe: &'m Universe,
    file: &'m ClassFile<'a>,
    origin: Origin,
}

impl Maker<'_, '_> {
    /// All of the class but its file.
    fn make(&self, making: &mut Making) -> Result<Class, LinkError> {
        let universe = self.universe;
        let name = self.symbol(self.file.name())?;
        let changed = |message: String| Err(LinkError::new(CHANGED, message));
        let own = shown(self.file.name()).replace('/', ".");
        let parent = self.file.super_name().map(|above| universe.find_or_make(above, making)).transpose()?;
        let above = parent.and_then(|id| universe.class(id)).map(Arc::as_ref);
        if let Some(above) = above {
            // What so many classes have above them is counted by nobody's limits.
            if above.line.len() >= DEPTH_MAX {
                return Err(LinkError::new(
                    "java/lang/ClassCircularityError",
                    format!("{}: more than {DEPTH_MAX} classes above it", shown(self.file.name())),
                ));
            }
            if above.is_interface() {
                let above = universe.java_name(above.id);
                return changed(format!("class {own} has interface {above} as super class"));
            }
        }
        let mut interfaces = Vec::new();
        let mut implements: Vec<ClassId> = above.map_or(Vec::new(), |above| above.implements.to_vec());
        account::read(size_of_val(&*implements));
        let mut known: HashSet<ClassId> = implements.iter().copied().collect();
        let (mut before, mut enumerated) = (Vec::new(), HashSet::new());
        for index in &self.file.interfaces {
            let text = self.file.pool.class(*index).unwrap_or_default();
            let id = universe.find_or_make(text, making)?;
            let interface = universe.class(id).ok_or_else(|| full(()))?;
            if !interface.is_interface() {
                let interface = universe.named(interface);
                return changed(format!(
                    "class {own} can not implement {}, because it is not an interface ({})",
                    interface.0,
                    place(&interface)
                ));
            }
            interfaces.push(id);
            account::read(size_of_val(&*interface.implements) + size_of_val(&*interface.before));
            let all = std::iter::once(&id).chain(&interface.implements);
            implements.extend(all.filter(|id| known.insert(**id)));
            before.extend(interface.before.iter().filter(|id| enumerated.insert(**id)));
            if implements.len() > INTERFACES_MAX {
                let message = format!("{own}: more than {INTERFACES_MAX} interfaces");
                return Err(LinkError::new("java/lang/OutOfMemoryError", message));
            }
        }
        let mut sorted = if implements.len() > INTERFACES_FEW { implements.clone() } else { Vec::new() };
        sorted.sort_unstable();
        self.extends(&own, above, &interfaces)?;
        if self.origin != Origin::Library {
            account::take(self.size(above, implements.len() + sorted.len() + before.len()))?;
        }
        let number = ClassId(universe.classes.count());
        let (fields, statics, bytes, references) = self.fields(number, above)?;
        let (methods, table) = self.methods(number, above)?;
        let initializer = self.symbol(b"<clinit>")?;
        let initializer =
            methods.iter().find(|method| method.name == initializer && method.is_static()).cloned();
        let has_defaults = methods.iter().any(|method| !method.has(flags::ABSTRACT | flags::STATIC));
        if self.file.is_interface() && initializer.is_some() && has_defaults {
            before.push(number);
        }
        let text = |name: &str| {
            let content = find(&self.file.attributes, &self.file.pool, name)?;
            let index = PoolIndex(u16::from_be_bytes(*content.first_chunk()?));
            Some((self.file.pool.utf8(index), self.file.pool.class(index)))
        };
        let source = text("SourceFile").and_then(|(text, _)| text);
        let nest_host = text("NestHost").and_then(|(_, class)| class);
        let mut line = above.map_or(Vec::new(), |above| above.line.to_vec());
        line.push(number);
        Ok(Class {
            flags: self.file.flags,
            origin: self.origin,
            parent,
            line: line.into(),
            interfaces: interfaces.into(),
            implements: implements.into(),
            sorted: sorted.into(),
            before: before.into(),
            fields: fields.into(),
            methods: methods.into(),
            table: table.into(),
            bytes,
            references: references.into(),
            statics,
            initializer,
            constants: self.file.pool.places.as_ref().into(),
            source: source.map(|text| self.symbol(text)).transpose()?,
            nest_host: nest_host.map(|text| self.symbol(text)).transpose()?,
            ..universe.blank(number, name)
        })
    }

    /// What the class takes, at most: without its code, which is translated later.
    fn size(&self, above: Option<&Class>, interfaces: usize) -> usize {
        let file = self.file;
        let inherited = above.map_or(0, |above| {
            account::read(size_of_val(&*above.table));
            size_of_val(&*above.table) + size_of_val(&*above.references) + size_of_val(&*above.line)
        });
        let own = size_of_val(&*file.pool.places)
            + file.fields.len() * (size_of::<Field>() + STATIC_BYTES)
            + file.methods.len() * (size_of::<Method>() + METHOD_BYTES);
        CLASS_BYTES + FILE_SHARE * file.bytes + own + inherited + interfaces * size_of::<ClassId>()
    }

    fn symbol(&self, text: &[u8]) -> Result<Symbol, LinkError> {
        self.universe.symbols.of(text).map_err(full)
    }

    /// Whether the class may extend what is above it (JVMS 5.3.5).
    fn extends(&self, own: &str, above: Option<&Class>, interfaces: &[ClassId]) -> Result<(), LinkError> {
        let universe = self.universe;
        let changed = |above: &Class, message: &str| {
            let message = format!("class {own} cannot {message} {}", universe.java_name(above.id));
            Err(LinkError::new(CHANGED, message))
        };
        if let Some(above) = above {
            if above.has(flags::FINAL) {
                return changed(above, "inherit from final class");
            }
            if !self.is_permitted(above) {
                return changed(above, "inherit from sealed class");
            }
            universe.may_extend(self.file.name(), self.origin, above)?;
        }
        for interface in interfaces.iter().filter_map(|id| universe.class(*id)) {
            match (self.is_permitted(interface), self.file.is_interface()) {
                (true, _) => universe.may_extend(self.file.name(), self.origin, interface)?,
                (false, true) => return changed(interface, "extend sealed interface"),
                (false, false) => return changed(interface, "implement sealed interface"),
            }
        }
        Ok(())
    }

    /// Whether another class, if it is sealed, permits this one to extend it.
    fn is_permitted(&self, class: &Class) -> bool {
        if class.origin == Origin::Library && self.origin == Origin::Library {
            return true;
        }
        let Ok(file) = class.parsed() else { return true };
        let Some(content) = find(&file.attributes, &file.pool, "PermittedSubclasses") else { return true };
        content.get(2..).unwrap_or_default().chunks_exact(2).any(|index| {
            file.pool.class(PoolIndex(u16::from_be_bytes([index[0], index[1]]))) == Some(self.file.name())
        })
    }

    /// The place of a slice within the file's bytes.
    fn place(&self, slice: &[u8]) -> Range<usize> {
        let begin = (slice.as_ptr() as usize).wrapping_sub(self.file.pool.bytes.as_ptr() as usize);
        begin..begin + slice.len()
    }

    /// Lays fields out: those of the superclass first, then the wide ones.
    #[expect(clippy::type_complexity, reason = "four parts of one class, named where they are used")]
    fn fields(
        &self,
        class: ClassId,
        above: Option<&Class>,
    ) -> Result<(Vec<Field>, Range<u32>, u32, Vec<u32>), LinkError> {
        let universe = self.universe;
        let first = universe.statics.count();
        let mut fields = Vec::with_capacity(self.file.fields.len());
        for member in &self.file.fields {
            let descriptor = member.descriptor(&self.file.pool);
            let constant = find(&member.attributes, &self.file.pool, "ConstantValue");
            let constant = constant.and_then(|content| content.first_chunk());
            fields.push(Field {
                class,
                name: self.symbol(member.name(&self.file.pool))?,
                descriptor: self.symbol(descriptor)?,
                flags: member.flags,
                kind: Kind::of(descriptor),
                place: 0,
                constant: constant.map_or(0, |index| u16::from_be_bytes(*index)),
            });
        }
        if self.origin == Origin::Library {
            let added = ADDED.iter().find(|(name, _)| name.as_bytes() == self.file.name());
            for (name, descriptor) in added.map_or(&[][..], |(_, fields)| fields) {
                fields.push(Field {
                    class,
                    name: self.symbol(name.as_bytes())?,
                    descriptor: self.symbol(descriptor.as_bytes())?,
                    flags: flags::PRIVATE | flags::SYNTHETIC,
                    kind: Kind::of(descriptor.as_bytes()),
                    place: 0,
                    constant: 0,
                });
            }
        }
        for field in fields.iter_mut().filter(|field| field.is_static()) {
            field.place = universe.statics.add(|_| (field.kind, class)).map_err(full)?;
        }
        let mut end = above.map_or(FIELDS, |above| above.bytes);
        let mut references = above.map_or(Vec::new(), |above| above.references.to_vec());
        for width in [8, 4, 2, 1] {
            for field in fields.iter_mut().filter(|field| !field.is_static() && field.kind.bytes() == width) {
                field.place = end.next_multiple_of(width);
                end = field.place + width;
                if field.kind == Kind::Reference {
                    references.push(field.place);
                }
            }
        }
        if end > OBJECT_BYTES_MAX {
            return Err(full(()));
        }
        Ok((fields, first..universe.statics.count(), end, references))
    }

    #[expect(clippy::type_complexity, reason = "two parts of one class, named where they are used")]
    fn methods(
        &self,
        class: ClassId,
        above: Option<&Class>,
    ) -> Result<(Vec<Arc<Method>>, Vec<Arc<Method>>), LinkError> {
        let universe = self.universe;
        let mut methods = Vec::with_capacity(self.file.methods.len());
        let mut table = above.map_or(Vec::new(), |above| above.table.to_vec());
        let inherited = table.iter().enumerate();
        let mut inherited: Vec<_> =
            inherited.map(|(at, method)| ((method.name, method.descriptor), at)).collect();
        inherited.sort_unstable();
        for member in &self.file.methods {
            let name = self.symbol(member.name(&self.file.pool))?;
            let descriptor = self.symbol(member.descriptor(&self.file.pool))?;
            let is_virtual = !self.file.is_interface()
                && member.flags & (flags::STATIC | flags::PRIVATE) == 0
                && member.name(&self.file.pool).first() != Some(&b'<');
            let mut places = Vec::new();
            if is_virtual {
                let first = inherited.partition_point(|(of, _)| *of < (name, descriptor));
                let same = inherited[first..].iter().take_while(|(of, _)| *of == (name, descriptor));
                let mine = |at: &usize| table.get(*at).is_some_and(|method| self.overrides(method));
                places.extend(same.map(|(_, at)| *at).filter(mine));
            }
            let mut overridden = places.iter().filter_map(|at| table.get(*at));
            if let Some(last) = overridden.find(|method| method.has(flags::FINAL)) {
                return Err(LinkError::new(
                    CHANGED,
                    format!(
                        "class {} overrides final method {}",
                        shown(self.file.name()).replace('/', "."),
                        universe.method_name(last)
                    ),
                ));
            }
            let index = match places.first() {
                Some(at) => *at as u32,
                None if is_virtual => table.len() as u32,
                None => NOT_VIRTUAL,
            };
            let code = find(&member.attributes, &self.file.pool, "Code");
            let method = |number| {
                Arc::new(Method {
                    id: MethodId(number),
                    class,
                    name,
                    descriptor,
                    flags: member.flags,
                    signature: OnceLock::new(),
                    code: code.map_or(0..0, |content| self.place(content)),
                    index,
                    body: OnceLock::new(),
                })
            };
            let number = universe.methods.add(method).map_err(full)?;
            let method = universe.method(MethodId(number)).ok_or_else(|| full(()))?;
            for at in &places {
                if let Some(entry) = table.get_mut(*at) {
                    *entry = Arc::clone(method);
                }
            }
            if places.is_empty() && is_virtual {
                table.push(Arc::clone(method));
            }
            methods.push(Arc::clone(method));
        }
        Ok((methods, table))
    }

    /// Whether a method of this class, of equal name and descriptor, overrides one of a superclass (JVMS 5.4.5).
    fn overrides(&self, above: &Method) -> bool {
        if above.has(flags::PUBLIC | flags::PROTECTED) {
            return true;
        }
        let Some(class) = self.universe.class(above.class) else { return false };
        same_origin(class.origin, self.origin)
            && package(self.universe.symbols.text(class.name)) == package(self.file.name())
    }
}

/// Whether classes of two origins can share a run-time package.
pub(super) fn same_origin(one: Origin, other: Origin) -> bool {
    (one == Origin::Library) == (other == Origin::Library)
}
