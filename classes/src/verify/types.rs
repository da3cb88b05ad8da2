//! Verification types (JVMS 4.10.1.2), and the names of classes as numbers.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::class::shown;
use crate::descriptor::DIMENSIONS_MAX;

/// The name of a class or array type, within one [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

/// A verification type. Values of two slots have a type of their own for the second one, so that every type is one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Whatever; nothing can be done with it.
    Top,
    Integer,
    Float,
    Long,
    LongSecond,
    Double,
    DoubleSecond,
    /// Of `null`.
    Null,
    /// Of `this` before the superclass's initializer was called.
    UninitializedThis,
    /// Of an object that `new` at this offset made and that was not initialized.
    Uninitialized(u16),
    /// An object of this class, an interface's or array.
    Object(NameId),
}

impl Type {
    /// Whether it is the second slot of a value.
    pub(super) fn is_second(self) -> bool {
        matches!(self, Type::LongSecond | Type::DoubleSecond)
    }

    /// The second slot of a value that begins with this one.
    pub(super) fn second(self) -> Option<Type> {
        match self {
            Type::Long => Some(Type::LongSecond),
            Type::Double => Some(Type::DoubleSecond),
            _ => None,
        }
    }

    /// Whether it is a reference, initialized or not.
    pub(super) fn is_reference(self) -> bool {
        self.is_uninitialized() || matches!(self, Type::Null | Type::Object(_))
    }

    pub(super) fn is_uninitialized(self) -> bool {
        matches!(self, Type::UninitializedThis | Type::Uninitialized(_))
    }
}

macro_rules! well_known {
    ($($name:ident $text:literal,)*) => {
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "they number the constants below")]
        enum WellKnown { $($name,)* }
        $(pub(super) const $name: NameId = NameId(WellKnown::$name as u32);)*
        const WELL_KNOWN: &[&[u8]] = &[$($text,)*];
    };
}

well_known! {
    OBJECT b"java/lang/Object",
    STRING b"java/lang/String",
    CLASS b"java/lang/Class",
    THROWABLE b"java/lang/Throwable",
    CLONEABLE b"java/lang/Cloneable",
    SERIALIZABLE b"java/io/Serializable",
    METHOD_HANDLE b"java/lang/invoke/MethodHandle",
    METHOD_TYPE b"java/lang/invoke/MethodType",
}

/// Names of classes and array types, each with one number.
#[derive(Debug)]
pub(super) struct Names<'a> {
    texts: Vec<Cow<'a, [u8]>>,
    ids: HashMap<Cow<'a, [u8]>, NameId>,
}

impl<'a> Names<'a> {
    pub(super) fn new() -> Names<'a> {
        let mut names = Names { texts: Vec::with_capacity(64), ids: HashMap::with_capacity(64) };
        for name in WELL_KNOWN {
            names.id(Cow::Borrowed(name));
        }
        names
    }

    pub(super) fn id(&mut self, name: Cow<'a, [u8]>) -> NameId {
        if let Some(id) = self.ids.get(&name) {
            return *id;
        }
        let id = NameId(self.texts.len() as u32);
        self.texts.push(name.clone());
        self.ids.insert(name, id);
        id
    }

    /// Its text; what a number stands for does not change.
    pub(super) fn text(&self, id: NameId) -> &[u8] {
        &self.texts[id.0 as usize]
    }

    /// Pushes the slots of a value of this field descriptor, which is known to be one; none for `V`.
    pub(super) fn push(&mut self, descriptor: &'a [u8], to: &mut Vec<Type>) {
        let ty = match descriptor {
            [b'J', ..] => Type::Long,
            [b'D', ..] => Type::Double,
            [b'F', ..] => Type::Float,
            [b'V', ..] => return,
            [b'L', name @ .., b';'] => Type::Object(self.id(Cow::Borrowed(name))),
            [b'[', ..] => Type::Object(self.id(Cow::Borrowed(descriptor))),
            _ => Type::Integer,
        };
        to.push(ty);
        to.extend(ty.second());
    }

    /// Whether it is an array type.
    pub(super) fn is_array(&self, id: NameId) -> bool {
        self.text(id).first() == Some(&b'[')
    }

    /// The element type of an array type: of references by its name, or the letter of a primitive.
    pub(super) fn component(&mut self, array: NameId) -> Option<Component> {
        match self.texts[array.0 as usize].clone() {
            Cow::Borrowed([b'[', element @ ..]) => Some(self.component_of(element, Cow::Borrowed)),
            Cow::Owned(text) if text.first() == Some(&b'[') => {
                Some(self.component_of(&text[1..], |e| Cow::Owned(e.to_vec())))
            }
            _ => None,
        }
    }

    fn component_of<'t>(&mut self, element: &'t [u8], own: impl Fn(&'t [u8]) -> Cow<'a, [u8]>) -> Component {
        match element {
            [b'L', name @ .., b';'] => Component::Reference(self.id(own(name))),
            [b'[', ..] => Component::Reference(self.id(own(element))),
            _ => Component::Primitive(element.first().copied().unwrap_or_default()),
        }
    }

    /// The type of arrays of a class or array type; `None` if that has too many dimensions.
    pub(super) fn array_of(&mut self, element: NameId) -> Option<NameId> {
        let text = self.text(element);
        let array =
            if text.first() == Some(&b'[') { [b"[", text].concat() } else { [b"[L", text, b";"].concat() };
        let dimensions = array.iter().take_while(|byte| **byte == b'[').count();
        (dimensions <= DIMENSIONS_MAX).then(|| self.id(Cow::Owned(array)))
    }

    /// A type for people.
    pub(super) fn show(&self, ty: Type) -> String {
        match ty {
            Type::Top => "top".to_owned(),
            Type::Integer => "int".to_owned(),
            Type::Float => "float".to_owned(),
            Type::Long => "long".to_owned(),
            Type::LongSecond => "second slot of long".to_owned(),
            Type::Double => "double".to_owned(),
            Type::DoubleSecond => "second slot of double".to_owned(),
            Type::Null => "null".to_owned(),
            Type::UninitializedThis => "uninitializedThis".to_owned(),
            Type::Uninitialized(offset) => format!("uninitialized({offset})"),
            Type::Object(name) => shown(self.text(name)),
        }
    }
}

/// The element type of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Component {
    /// The letter of its descriptor.
    Primitive(u8),
    Reference(NameId),
}
