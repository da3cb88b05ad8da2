//! Names and descriptors (JVMS 4.2, 4.3).

/// Most dimensions of an array type.
pub const DIMENSIONS_MAX: usize = 255;

/// Most slots of parameters, `this` included.
pub const SLOTS_MAX: usize = 255;

/// Whether `name` may be that of a field, or a part of a class's.
#[must_use]
pub fn is_unqualified(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(|byte| matches!(byte, b'.' | b';' | b'[' | b'/'))
}

/// Whether `name` may be that of a method.
#[must_use]
pub fn is_method_name(name: &[u8]) -> bool {
    matches!(name, b"<init>" | b"<clinit>")
        || (is_unqualified(name) && !name.iter().any(|byte| matches!(byte, b'<' | b'>')))
}

/// Whether `name` is that of a class or interface, for example `java/lang/Object`.
#[must_use]
pub fn is_class_name(name: &[u8]) -> bool {
    name.split(|byte| *byte == b'/').all(is_unqualified)
}

/// Whether `name` is that of a class, interface or array type, as class constants have it.
#[must_use]
pub fn is_class_constant(name: &[u8]) -> bool {
    if name.first() == Some(&b'[') { is_field(name) } else { is_class_name(name) }
}

/// Whether it is the descriptor of a field.
#[must_use]
pub fn is_field(descriptor: &[u8]) -> bool {
    field(descriptor).is_some_and(|length| length == descriptor.len())
}

/// The length of the field descriptor that `text` begins with.
#[must_use]
pub fn field(text: &[u8]) -> Option<usize> {
    let dimensions = text.iter().take_while(|byte| **byte == b'[').count();
    if dimensions > DIMENSIONS_MAX {
        return None;
    }
    match text.get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => {
            let name = &text[dimensions + 1..];
            let end = name.iter().position(|byte| *byte == b';')?;
            is_class_name(&name[..end]).then_some(dimensions + end + 2)
        }
        _ => None,
    }
}

/// A method descriptor, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method<'a> {
    /// The descriptors of the parameters.
    pub parameters: Vec<&'a [u8]>,
    /// That of the result, `V` for none.
    pub result: &'a [u8],
}

impl Method<'_> {
    /// How many slots the parameters take, without `this`.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.parameters.iter().map(|parameter| slots(parameter)).sum()
    }
}

/// Slots of a value: 2 for long and double.
#[must_use]
pub fn slots(descriptor: &[u8]) -> usize {
    if matches!(descriptor, b"J" | b"D") { 2 } else { 1 }
}

/// Takes a method descriptor apart; `None` if it is none.
#[must_use]
pub fn method(descriptor: &[u8]) -> Option<Method<'_>> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut parameters = Vec::new();
    while rest.first() != Some(&b')') {
        let (parameter, behind) = rest.split_at(field(rest)?);
        parameters.push(parameter);
        rest = behind;
    }
    let result = &rest[1..];
    let method = Method { parameters, result };
    ((result == b"V" || is_field(result)) && method.slots() <= SLOTS_MAX).then_some(method)
}

/// Whether it is a method descriptor.
#[must_use]
pub fn is_method(descriptor: &[u8]) -> bool {
    let Some(mut rest) = descriptor.strip_prefix(b"(") else { return false };
    let mut taken = 0;
    while rest.first() != Some(&b')') {
        let Some(length) = field(rest) else { return false };
        taken += slots(&rest[..length]);
        rest = &rest[length..];
    }
    taken <= SLOTS_MAX && (&rest[1..] == b"V" || is_field(&rest[1..]))
}

/// The package of a class, empty for none.
#[must_use]
pub fn package(class: &[u8]) -> &[u8] {
    class.iter().rposition(|byte| *byte == b'/').map_or(&[], |at| &class[..at])
}

/// Whether bytes are modified UTF-8 (JVMS 4.4.7).
#[must_use]
pub fn is_modified_utf8(text: &[u8]) -> bool {
    if text.is_ascii() {
        return !text.contains(&0);
    }
    let next =
        |byte: Option<&u8>| byte.filter(|byte| *byte & 0xc0 == 0x80).map(|byte| u32::from(byte & 0x3f));
    let mut rest = text;
    while let [first, behind @ ..] = rest {
        let (value, used, least) = match first {
            0 | 0x80..=0xbf | 0xf0.. => return false,
            0x01..=0x7f => (Some(1), 0, 0),
            0xc0..=0xdf => (next(behind.first()).map(|low| u32::from(first & 0x1f) << 6 | low), 1, 0x80),
            0xe0..=0xef => {
                let (high, low) = (next(behind.first()), next(behind.get(1)));
                let value = high.zip(low).map(|(high, low)| u32::from(first & 0x0f) << 12 | high << 6 | low);
                (value, 2, 0x800)
            }
        };
        // A NUL is written in two bytes.
        if !value.is_some_and(|value| value >= least || (used == 1 && value == 0)) {
            return false;
        }
        rest = &behind[used..];
    }
    true
}
