//! What a class declares, as objects of `java.lang.reflect`.
//!
//! The slot of a field, method or constructor is its number among those of the class.

use std::collections::HashMap;

use carnet_classes::class::{Attribute, ClassFile, Member, PoolIndex, find};
use carnet_classes::descriptor;

use super::{Call, Outcome, Rows, Trap};
use crate::account;
use crate::class::{Class, ClassId, Origin};
use crate::domain::units;
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::universe::{LinkError, Universe};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Class",
        &[
            ("getDeclaredFields0", "(Z)[Ljava/lang/reflect/Field;", |call| declared(call, &FIELDS)),
            ("getDeclaredMethods0", "(Z)[Ljava/lang/reflect/Method;", |call| declared(call, &METHODS)),
            ("getDeclaredConstructors0", "(Z)[Ljava/lang/reflect/Constructor;", |call| {
                declared(call, &CONSTRUCTORS)
            }),
            ("getRecordComponents0", "()[Ljava/lang/reflect/RecordComponent;", components),
            ("getPermittedSubclasses0", "()[Ljava/lang/Class;", permitted),
            ("getDeclaredClasses0", "()[Ljava/lang/Class;", declared_classes),
            ("getNestMembers0", "()[Ljava/lang/Class;", nest_members),
            ("getEnclosingMethod0", "()[Ljava/lang/Object;", enclosing_method),
            ("getGenericSignature0", "()Ljava/lang/String;", signature),
            ("getRawAnnotations", "()[B", |call| raw_of_class(call, "RuntimeVisibleAnnotations")),
            ("getRawTypeAnnotations", "()[B", |call| raw_of_class(call, "RuntimeVisibleTypeAnnotations")),
        ],
    ),
    ("java/lang/reflect/Field", &[("getTypeAnnotationBytes0", "()[B", type_annotations)]),
    (
        "java/lang/reflect/Executable",
        &[
            ("getTypeAnnotationBytes0", "()[B", type_annotations),
            ("getParameters0", "()[Ljava/lang/reflect/Parameter;", parameters),
        ],
    ),
];

/// A kind of members.
struct Members {
    /// The class of their objects.
    of: &'static str,
    /// Those of a class file, each with its slot.
    all: for<'f, 'a> fn(&'f ClassFile<'a>) -> Vec<(usize, &'f Member<'a>)>,
    /// Makes the object of one.
    make: for<'m, 'a> fn(&mut Call<'_>, &One<'m, 'a>) -> Result<Ref, Trap>,
}

/// A member of a class.
struct One<'m, 'a> {
    class: &'m Class,
    file: &'m ClassFile<'a>,
    member: &'m Member<'a>,
    slot: usize,
}

const FIELDS: Members = Members {
    of: "java/lang/reflect/Field",
    all: |file| file.fields.iter().enumerate().collect(),
    make: field,
};

const METHODS: Members = Members {
    of: "java/lang/reflect/Method",
    all: |file| named(file, |name| name.first() != Some(&b'<')),
    make: method,
};

const CONSTRUCTORS: Members = Members {
    of: "java/lang/reflect/Constructor",
    all: |file| named(file, |name| name == b"<init>"),
    make: constructor,
};

fn named<'f, 'a>(file: &'f ClassFile<'a>, of: fn(&[u8]) -> bool) -> Vec<(usize, &'f Member<'a>)> {
    file.methods.iter().enumerate().filter(|(_, member)| of(member.name(&file.pool))).collect()
}

/// Bytes that the objects of a member may take; each class that it names may get its `Class` object as well.
fn bytes_of(file: &ClassFile<'_>, member: &Member<'_>) -> usize {
    let attributes: usize = member.attributes.iter().map(|attribute| 2 * attribute.content.len() + 256).sum();
    let text = 2 * (member.name(&file.pool).len() + member.descriptor(&file.pool).len());
    let signature = find(&member.attributes, &file.pool, "Signature");
    let signature = signature.and_then(|content| utf8(file, content)).map_or(0, <[u8]>::len);
    512 + attributes + text + 2 * signature + 256 * member.descriptor(&file.pool).len().min(512)
}

/// The text that an attribute of two bytes names.
fn utf8<'a>(file: &ClassFile<'a>, content: &[u8]) -> Option<&'a [u8]> {
    file.pool.utf8(PoolIndex(u16::from_be_bytes(*content.first_chunk()?)))
}

/// `getDeclared...0(boolean publicOnly)`
fn declared(call: &mut Call<'_>, members: &Members) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.class(0)?).ok_or(Trap::Stray)?;
    let public_only = call.int(1) != 0;
    let Ok(file) = class.parsed() else { return empty(call, members.of) };
    let wanted: Vec<(usize, &Member<'_>)> = (members.all)(&file)
        .into_iter()
        .filter(|(_, member)| !public_only || member.flags & carnet_classes::class::flags::PUBLIC != 0)
        .collect();
    call.room(wanted.iter().map(|(_, member)| bytes_of(&file, member)).sum::<usize>() + 4096)?;
    let mut made = Vec::with_capacity(wanted.len());
    for (slot, member) in wanted {
        made.push((members.make)(call, &One { class, file: &file, member, slot })?);
    }
    call.new_references(members.of, &made).map(Outcome::Reference)
}

fn empty(call: &mut Call<'_>, of: &str) -> Result<Outcome, Trap> {
    call.new_references(of, &[]).map(Outcome::Reference)
}

/// The class of a field descriptor, or of `V`, as a class of this file means it.
pub(super) fn class_of(call: &Call<'_>, from: &Class, descriptor: &[u8]) -> Result<ClassId, Trap> {
    let universe = call.universe;
    match descriptor {
        [b'L', name @ .., b';']
            if from.origin.host().is_some() && name == universe.symbols.text(from.name) =>
        {
            Ok(from.id)
        }
        _ => Ok(universe.type_of(descriptor)?),
    }
}

fn mirror_of(call: &mut Call<'_>, from: &Class, descriptor: &[u8]) -> Result<Ref, Trap> {
    let class = class_of(call, from, descriptor)?;
    call.domain.mirror(class)
}

/// An array of bytes of an attribute, null if there is none.
fn raw(
    call: &mut Call<'_>,
    file: &ClassFile<'_>,
    attributes: &[Attribute<'_>],
    name: &str,
) -> Result<Ref, Trap> {
    match find(attributes, &file.pool, name) {
        Some(content) => call.domain.new_bytes(content),
        None => Ok(NULL),
    }
}

/// The generic signature, null if there is none.
fn signature_of(
    call: &mut Call<'_>,
    file: &ClassFile<'_>,
    attributes: &[Attribute<'_>],
) -> Result<Ref, Trap> {
    let content = find(attributes, &file.pool, "Signature").and_then(|content| utf8(file, content));
    match content {
        Some(text) => call.domain.new_string(&units(text)),
        None => Ok(NULL),
    }
}

/// Sets fields of an object that is being made.
fn set(call: &mut Call<'_>, object: Ref, fields: &[(&str, &str, u32)]) -> Result<Ref, Trap> {
    for (name, descriptor, value) in fields {
        call.domain.set_field(object, name.as_bytes(), descriptor.as_bytes(), *value)?;
    }
    Ok(object)
}

const CLASS: &str = "Ljava/lang/Class;";
const CLASSES: &str = "[Ljava/lang/Class;";
const STRING: &str = "Ljava/lang/String;";

fn field(call: &mut Call<'_>, one: &One<'_, '_>) -> Result<Ref, Trap> {
    use carnet_classes::class::flags::{FINAL, STATIC};
    let of = call.core_class("java/lang/reflect/Field")?;
    let clazz = call.domain.mirror(one.class.id)?;
    let name = call.domain.intern(&units(one.member.name(&one.file.pool)))?;
    let of_type = mirror_of(call, one.class, one.member.descriptor(&one.file.pool))?;
    let signature = signature_of(call, one.file, &one.member.attributes)?;
    let annotations = raw(call, one.file, &one.member.attributes, "RuntimeVisibleAnnotations")?;
    let flags = one.member.flags;
    let is_record = find(&one.file.attributes, &one.file.pool, "Record").is_some();
    let is_hidden = matches!(one.class.origin, Origin::Hidden { .. });
    let trusted = flags & FINAL != 0 && (flags & STATIC != 0 || is_record || is_hidden);
    let object = call.domain.new_object(of)?;
    set(
        call,
        object,
        &[
            ("clazz", CLASS, clazz),
            ("slot", "I", one.slot as u32),
            ("name", STRING, name),
            ("type", CLASS, of_type),
            ("modifiers", "I", u32::from(flags)),
            ("trustedFinal", "Z", u32::from(trusted)),
            ("signature", STRING, signature),
            ("annotations", "[B", annotations),
        ],
    )
}

/// `Class` objects of the parameters and exceptions of a method.
fn types(call: &mut Call<'_>, one: &One<'_, '_>) -> Result<(Ref, Ref), Trap> {
    let text = one.member.descriptor(&one.file.pool);
    let shape = descriptor::method(text).ok_or(Trap::Stray)?;
    let mut parameters = Vec::with_capacity(shape.parameters.len());
    for parameter in &shape.parameters {
        parameters.push(mirror_of(call, one.class, parameter)?);
    }
    let content = find(&one.member.attributes, &one.file.pool, "Exceptions").unwrap_or_default();
    let exceptions = listed(call, one.class, content, |_| true)?;
    Ok((call.new_references("java/lang/Class", &parameters)?, exceptions))
}

/// The `Class` objects of an attribute that is a count and class constants, of those whose names are wanted.
fn listed(
    call: &mut Call<'_>,
    class: &Class,
    content: &[u8],
    wanted: impl Fn(&Class) -> bool,
) -> Result<Ref, Trap> {
    let mut mirrors = Vec::new();
    for index in content.get(2..).unwrap_or_default().chunks_exact(2) {
        let id = call.universe.class_at(class, u16::from_be_bytes([index[0], index[1]]))?;
        if call.universe.class(id).is_some_and(|class| wanted(class)) {
            mirrors.push(call.domain.mirror(id)?);
        }
    }
    call.new_references("java/lang/Class", &mirrors)
}

fn method(call: &mut Call<'_>, one: &One<'_, '_>) -> Result<Ref, Trap> {
    let name = call.domain.intern(&units(one.member.name(&one.file.pool)))?;
    let shape = descriptor::method(one.member.descriptor(&one.file.pool)).ok_or(Trap::Stray)?;
    let result = mirror_of(call, one.class, shape.result)?;
    let default = raw(call, one.file, &one.member.attributes, "AnnotationDefault")?;
    let object = executable(call, one, "java/lang/reflect/Method")?;
    set(
        call,
        object,
        &[("name", STRING, name), ("returnType", CLASS, result), ("annotationDefault", "[B", default)],
    )
}

fn constructor(call: &mut Call<'_>, one: &One<'_, '_>) -> Result<Ref, Trap> {
    executable(call, one, "java/lang/reflect/Constructor")
}

/// What methods and constructors have in common.
fn executable(call: &mut Call<'_>, one: &One<'_, '_>, of: &str) -> Result<Ref, Trap> {
    let of = call.core_class(of)?;
    let clazz = call.domain.mirror(one.class.id)?;
    let (parameters, exceptions) = types(call, one)?;
    let attributes = &one.member.attributes;
    let signature = signature_of(call, one.file, attributes)?;
    let annotations = raw(call, one.file, attributes, "RuntimeVisibleAnnotations")?;
    let of_parameters = raw(call, one.file, attributes, "RuntimeVisibleParameterAnnotations")?;
    let object = call.domain.new_object(of)?;
    set(
        call,
        object,
        &[
            ("clazz", CLASS, clazz),
            ("slot", "I", one.slot as u32),
            ("parameterTypes", CLASSES, parameters),
            ("exceptionTypes", CLASSES, exceptions),
            ("modifiers", "I", u32::from(one.member.flags)),
            ("signature", STRING, signature),
            ("annotations", "[B", annotations),
            ("parameterAnnotations", "[B", of_parameters),
        ],
    )
}

/// The class of a `Class` argument.
fn class(call: &Call<'_>) -> Result<std::sync::Arc<Class>, Trap> {
    call.universe.class(call.class(0)?).cloned().ok_or(Trap::Stray)
}

/// A component of a record.
struct Component<'a> {
    name: &'a [u8],
    descriptor: &'a [u8],
    attributes: Vec<Attribute<'a>>,
}

/// Those of an attribute `Record` (JVMS 4.7.30), each a name, a descriptor and attributes; `None` if it is damaged.
fn components_of<'a>(file: &ClassFile<'a>, content: &'a [u8]) -> Option<Vec<Component<'a>>> {
    let mut words = Words(content);
    let mut components = Vec::new();
    for _ in 0..words.short()? {
        let name = file.pool.utf8(PoolIndex(words.short()?))?;
        let descriptor = file.pool.utf8(PoolIndex(words.short()?))?;
        let mut attributes = Vec::new();
        for _ in 0..words.short()? {
            let name = PoolIndex(words.short()?);
            attributes.push(Attribute { name, content: words.sized()? });
        }
        components.push(Component { name, descriptor, attributes });
    }
    Some(components)
}

/// The slot of each component's accessor, for which all methods of the class are looked at once.
fn accessors(universe: &Universe, class: &Class, components: &[Component<'_>]) -> Vec<Option<usize>> {
    account::read(size_of_val(&*class.methods));
    let methods = class.methods.iter().enumerate();
    let slots: HashMap<_, usize> =
        methods.map(|(slot, method)| ((method.name, method.descriptor), slot)).collect();
    let slot = |component: &Component<'_>| {
        account::look_up(component.name.len() + component.descriptor.len());
        let name = universe.symbols.known(component.name)?;
        let descriptor = universe.symbols.known(&[b"()", component.descriptor].concat())?;
        slots.get(&(name, descriptor)).copied()
    };
    components.iter().map(slot).collect()
}

/// `getRecordComponents0()`
fn components(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let of = call.core_class("java/lang/reflect/RecordComponent")?;
    call.core_class("java/lang/reflect/Method")?;
    let class = class(call)?;
    let Ok(file) = class.parsed() else { return Ok(Outcome::Reference(NULL)) };
    let Some(content) = find(&file.attributes, &file.pool, "Record") else {
        return Ok(Outcome::Reference(NULL));
    };
    let components = components_of(&file, content)
        .ok_or_else(|| Trap::Link(LinkError::new("java/lang/ClassFormatError", "Record")))?;
    // Names may be long and used by all: they are looked up when it is known that there is room for them.
    let texts = components.iter().map(|one| 256 + 2 * one.name.len() + 256 * one.descriptor.len().min(512));
    let bytes = 68 * content.len() + texts.sum::<usize>() + 4096;
    call.room(bytes)?;
    let accessors = accessors(call.universe, &class, &components);
    let methods = accessors.iter().flatten().filter_map(|slot| file.methods.get(*slot));
    call.room(bytes + methods.map(|member| bytes_of(&file, member)).sum::<usize>())?;
    let clazz = call.domain.mirror(class.id)?;
    let mut made = Vec::with_capacity(components.len());
    for (Component { name, descriptor, attributes }, slot) in components.iter().zip(accessors) {
        let accessor = match slot.and_then(|slot| Some((slot, file.methods.get(slot)?))) {
            Some((slot, member)) => method(call, &One { class: &class, file: &file, member, slot })?,
            None => NULL,
        };
        let name = call.domain.intern(&units(name))?;
        let of_type = mirror_of(call, &class, descriptor)?;
        let signature = signature_of(call, &file, attributes)?;
        let annotations = raw(call, &file, attributes, "RuntimeVisibleAnnotations")?;
        let of_types = raw(call, &file, attributes, "RuntimeVisibleTypeAnnotations")?;
        let object = call.domain.new_object(of)?;
        made.push(set(
            call,
            object,
            &[
                ("clazz", CLASS, clazz),
                ("name", STRING, name),
                ("type", CLASS, of_type),
                ("accessor", "Ljava/lang/reflect/Method;", accessor),
                ("signature", STRING, signature),
                ("annotations", "[B", annotations),
                ("typeAnnotations", "[B", of_types),
            ],
        )?);
    }
    call.new_references("java/lang/reflect/RecordComponent", &made).map(Outcome::Reference)
}

/// Big-endian numbers of an attribute.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn short(&mut self) -> Option<u16> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u16::from_be_bytes(*first))
    }

    /// So many bytes as the next four say.
    fn sized(&mut self) -> Option<&'a [u8]> {
        let (count, rest) = self.0.split_first_chunk()?;
        let (content, rest) = rest.split_at_checked(u32::from_be_bytes(*count) as usize)?;
        self.0 = rest;
        Some(content)
    }
}

/// The classes of an attribute of a class, with room for them; null if it has no such attribute.
fn classes_of(call: &mut Call<'_>, name: &str, wanted: fn(&Class, &Class) -> bool) -> Result<Outcome, Trap> {
    let class = class(call)?;
    let Some(content) = super::lang::attribute(&class, name) else { return Ok(Outcome::Reference(NULL)) };
    call.room(256 * content.len() + 256)?;
    listed(call, &class, content, |other| wanted(&class, other)).map(Outcome::Reference)
}

fn permitted(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    classes_of(call, "PermittedSubclasses", |class, other| {
        other.parent == Some(class.id) || other.interfaces.contains(&class.id)
    })
}

fn declared_classes(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = class(call)?;
    let content = super::lang::attribute(&class, "InnerClasses").unwrap_or_default();
    call.room(256 * content.len() + 256)?;
    let own = call.universe.symbols.text(class.name);
    let mut mirrors = Vec::new();
    for row in content.get(2..).unwrap_or_default().chunks_exact(8) {
        let word = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
        if word(2) != 0 && class.class_text(word(2)) == own {
            let inner = call.universe.class_at(&class, word(0))?;
            mirrors.push(call.domain.mirror(inner)?);
        }
    }
    call.new_references("java/lang/Class", &mirrors).map(Outcome::Reference)
}

/// The host of the nest and its members, the host first.
fn nest_members(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = class(call)?;
    let universe = call.universe;
    let host = universe.nest_host(&class).unwrap_or_else(|(own, _)| own);
    let host = universe.class(host).ok_or(Trap::Stray)?;
    let content = super::lang::attribute(host, "NestMembers").unwrap_or_default();
    call.room(256 * content.len() + 1024)?;
    let mut mirrors = vec![call.domain.mirror(host.id)?];
    for index in content.get(2..).unwrap_or_default().chunks_exact(2) {
        let id = universe.class_at(host, u16::from_be_bytes([index[0], index[1]]))?;
        mirrors.push(call.domain.mirror(id)?);
    }
    call.new_references("java/lang/Class", &mirrors).map(Outcome::Reference)
}

/// The class around a local or anonymous class, with name and descriptor of the method.
fn enclosing_method(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = class(call)?;
    let Some(content) = super::lang::attribute(&class, "EnclosingMethod") else {
        return Ok(Outcome::Reference(NULL));
    };
    let mut words = Words(content);
    let (Some(outer), Some(both)) = (words.short(), words.short()) else {
        return Ok(Outcome::Reference(NULL));
    };
    call.room(2 * class.file.len().min(1 << 16) + 1024)?;
    let outer = call.universe.class_at(&class, outer)?;
    let outer = call.domain.mirror(outer)?;
    let (mut name, mut descriptor) = (NULL, NULL);
    if both != 0 {
        let texts = class.name_and_type(both);
        name = call.domain.new_string(&units(texts.0))?;
        descriptor = call.domain.new_string(&units(texts.1))?;
    }
    let array = call.universe.load(b"[Ljava/lang/Object;")?;
    let array = call.domain.new_array(array, 3)?;
    for (at, value) in [outer, name, descriptor].into_iter().enumerate() {
        call.domain.heap.space.set_u32(array, ELEMENTS + 4 * at as u32, value)?;
    }
    Ok(Outcome::Reference(array))
}

fn signature(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = class(call)?;
    let Some(content) = super::lang::attribute(&class, "Signature") else {
        return Ok(Outcome::Reference(NULL));
    };
    let index = content.first_chunk().map_or(0, |index| u16::from_be_bytes(*index));
    call.domain.new_string(&units(class.text(index))).map(Outcome::Reference)
}

fn raw_of_class(call: &mut Call<'_>, name: &str) -> Result<Outcome, Trap> {
    let class = class(call)?;
    match super::lang::attribute(&class, name) {
        Some(content) => call.domain.new_bytes(content).map(Outcome::Reference),
        None => Ok(Outcome::Reference(NULL)),
    }
}

/// An attribute of the member that a `Field`, `Method` or `Constructor` is of.
fn attribute_of(call: &Call<'_>, name: &str) -> Result<Option<Vec<u8>>, Trap> {
    let object = call.object(0)?;
    let class = call.domain.get_field(object, b"clazz", CLASS.as_bytes())?;
    let class = call.universe.class(call.domain.class_of_mirror(class)?).ok_or(Trap::Stray)?;
    let slot = call.domain.get_field(object, b"slot", b"I")? as usize;
    let Ok(file) = class.parsed() else { return Ok(None) };
    let is_field = call.universe.name(call.domain.heap.space.class_of(object)?) == b"java/lang/reflect/Field";
    let member = if is_field { file.fields.get(slot) } else { file.methods.get(slot) };
    let content = member.and_then(|member| find(&member.attributes, &file.pool, name));
    Ok(content.map(<[u8]>::to_vec))
}

fn type_annotations(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    match attribute_of(call, "RuntimeVisibleTypeAnnotations")? {
        Some(content) => call.domain.new_bytes(&content).map(Outcome::Reference),
        None => Ok(Outcome::Reference(NULL)),
    }
}

/// The parameters that the class file names (JVMS 4.7.24), null if it names none.
fn parameters(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let Some(content) = attribute_of(call, "MethodParameters")? else { return Ok(Outcome::Reference(NULL)) };
    let of = call.core_class("java/lang/reflect/Parameter")?;
    let executable = call.object(0)?;
    let class = call.domain.get_field(executable, b"clazz", CLASS.as_bytes())?;
    let class = call.universe.class(call.domain.class_of_mirror(class)?).ok_or(Trap::Stray)?;
    call.room(class.file.len() + 1024)?;
    let mut made = Vec::new();
    for (at, row) in content.get(1..).unwrap_or_default().chunks_exact(4).enumerate() {
        let index = u16::from_be_bytes([row[0], row[1]]);
        let name = if index == 0 { NULL } else { call.domain.intern(&units(class.text(index)))? };
        let object = call.domain.new_object(of)?;
        made.push(set(
            call,
            object,
            &[
                ("name", STRING, name),
                ("modifiers", "I", u32::from(u16::from_be_bytes([row[2], row[3]]))),
                ("executable", "Ljava/lang/reflect/Executable;", executable),
                ("index", "I", at as u32),
            ],
        )?);
    }
    call.new_references("java/lang/reflect/Parameter", &made).map(Outcome::Reference)
}
