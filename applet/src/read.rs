//! From bytes to tables: where in the file each constant, field and method stands.
//!
//! Nothing is copied. A constant is a word: the offset of its tag below, and above it what a reference to a field or method was
//! found to name, so that no name is compared again. There is no overloading, no other class and one object: a name with a
//! descriptor is one slot or one method.

use crate::opcode::{i32_at, u8_at, u16_at};
use crate::verify::{self, Type};
use crate::{Natives, Refused, Rule};

/// Most fields and most methods.
const MEMBERS_MAX: usize = 255;

/// Most local variables and stack slots of a method together.
pub(crate) const SLOTS_MAX: usize = 255;

/// What a constant names: nothing of the applet's own, or Object's constructor; else the member's index and 2.
pub(crate) const FOREIGN: u32 = 0;
pub(crate) const OBJECT_INIT: u32 = 1;
const OWN: u32 = 2;

const PRIVATE_TO_PUBLIC: u16 = 0x0007;
pub(crate) const STATIC: u16 = 0x0008;
const FINAL: u16 = 0x0010;
const SYNCHRONIZED: u16 = 0x0020;
const VOLATILE: u16 = 0x0040;
pub(crate) const NATIVE: u16 = 0x0100;
const INTERFACE: u16 = 0x0200;
const ABSTRACT: u16 = 0x0400;
const ANNOTATION: u16 = 0x2000;
const MODULE: u16 = 0x8000;

/// Tags of constants (table 4.4-A).
const UTF8: usize = 1;
pub(crate) const INTEGER: usize = 3;
const LONG: usize = 5;
const DOUBLE: usize = 6;
const CLASS: usize = 7;
pub(crate) const FIELDREF: usize = 9;
pub(crate) const METHODREF: usize = 10;
const NAME_AND_TYPE: usize = 12;

/// What a field, parameter or result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Void,
    Byte,
    Short,
    Int,
    Bytes,
    Shorts,
    Ints,
}

impl Kind {
    /// What a descriptor begins with, and what follows.
    pub(crate) fn first(text: &[u8]) -> Option<(Kind, &[u8])> {
        Some(match text {
            [b'B', rest @ ..] => (Kind::Byte, rest),
            [b'S', rest @ ..] => (Kind::Short, rest),
            [b'I', rest @ ..] => (Kind::Int, rest),
            [b'[', b'B', rest @ ..] => (Kind::Bytes, rest),
            [b'[', b'S', rest @ ..] => (Kind::Shorts, rest),
            [b'[', b'I', rest @ ..] => (Kind::Ints, rest),
            _ => return None,
        })
    }

    /// Its type on the stack.
    pub(crate) fn ty(self) -> Type {
        match self {
            Kind::Void => verify::TOP,
            Kind::Byte | Kind::Short | Kind::Int => verify::INT,
            Kind::Bytes => verify::BYTES,
            Kind::Shorts => verify::SHORTS,
            Kind::Ints => verify::INTS,
        }
    }

    /// A word as a field or result of this kind has it.
    pub(crate) fn narrowed(self, word: u32) -> u32 {
        match self {
            Kind::Byte => word as i8 as u32,
            Kind::Short => word as i16 as u32,
            _ => word,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field {
    /// The offset of its flags.
    member: u16,
    pub(crate) flags: u16,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Method {
    /// The offset of its flags.
    pub(crate) member: u16,
    pub(crate) flags: u16,
    /// The offset of what its Code contains, or the number of a native method.
    pub(crate) code: u16,
    /// How many arguments it has, `this` included.
    pub(crate) arguments: u8,
    pub(crate) result: Kind,
    pub(crate) locals: u8,
    pub(crate) stack: u8,
}

/// A class file with its tables.
#[derive(Debug)]
pub(crate) struct Class<'m> {
    pub(crate) file: &'m [u8],
    constants: &'m [u32],
    fields: [Field; MEMBERS_MAX],
    fields_count: usize,
    methods: [Method; MEMBERS_MAX],
    methods_count: usize,
    /// The index of its name.
    name: u16,
}

/// Reads from an offset on.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'m> {
    pub(crate) file: &'m [u8],
    pub(crate) at: usize,
}

impl<'m> Reader<'m> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'m [u8], Refused> {
        let taken = self.file.get(self.at..).and_then(|rest| rest.get(..count));
        let taken = taken.ok_or_else(|| refused(Rule::Layout, self.at))?;
        self.at += count;
        Ok(taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Refused> {
        self.take(1).map(|byte| u8_at(byte, 0) as u8)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Refused> {
        self.take(2).map(|two| u16_at(two, 0) as u16)
    }

    pub(crate) fn u32(&mut self) -> Result<usize, Refused> {
        self.take(4).map(|four| i32_at(four, 0) as u32 as usize)
    }
}

pub(crate) fn refused(rule: Rule, at: usize) -> Refused {
    Refused { rule, at: at as u32 }
}

/// Refuses unless it holds.
pub(crate) fn hold(holds: bool, rule: Rule, at: usize) -> Result<(), Refused> {
    if holds { Ok(()) } else { Err(refused(rule, at)) }
}

/// Reads a class file, and gives back the words that its constants leave.
pub(crate) fn read<'m>(
    file: &'m [u8],
    words: &'m mut [u32],
    natives: &dyn Natives,
) -> Result<(Class<'m>, &'m mut [u32]), Refused> {
    hold(file.len() <= usize::from(u16::MAX), Rule::Layout, 0)?;
    let mut reader = Reader { file, at: 0 };
    hold(reader.u32()? == 0xcafe_babe, Rule::Layout, 0)?;
    let (minor, major) = (reader.u16()?, reader.u16()?);
    hold((50..=69).contains(&major) && (major < 56 || minor == 0), Rule::Version, 4)?;
    let count = usize::from(reader.u16()?);
    let (constants, words) = words.split_at_mut_checked(count).ok_or(refused(Rule::Limit, 8))?;
    index(&mut reader, constants)?;
    let mut class = Class {
        file,
        constants: &[],
        fields: [Field::default(); MEMBERS_MAX],
        fields_count: 0,
        methods: [Method::default(); MEMBERS_MAX],
        methods_count: 0,
        name: 0,
    };
    let head = reader.at;
    let parts = Parts { file, constants };
    let flags = reader.u16()?;
    hold(flags & (INTERFACE | ABSTRACT | ANNOTATION | MODULE) == 0, Rule::Class, head)?;
    class.name = parts.class(reader.u16()?);
    let name = parts.utf8(class.name).ok_or(refused(Rule::Constant, head + 2))?;
    let plain = name.first() != Some(&b'[') && name != OBJECT;
    let above = parts.utf8(parts.class(reader.u16()?));
    hold(plain && above == Some(OBJECT) && reader.u16()? == 0, Rule::Class, head + 2)?;
    parts.members(&mut reader, &mut class, Members::Fields)?;
    parts.members(&mut reader, &mut class, Members::Methods(natives))?;
    attributes(&mut reader, |_, _| Ok(()))?;
    hold(reader.at == file.len(), Rule::Layout, reader.at)?;
    for at in 1..count {
        let found = Parts { file, constants }.own(&class, at as u16);
        if let Some(constant) = constants.get_mut(at) {
            *constant |= found << 16;
        }
    }
    class.constants = constants;
    Ok((class, words))
}

const OBJECT: &[u8] = b"java/lang/Object";

/// Where the constants are (4.4).
fn index(reader: &mut Reader<'_>, constants: &mut [u32]) -> Result<(), Refused> {
    hold(!constants.is_empty(), Rule::Layout, 8)?;
    constants.fill(0);
    let mut index = 1;
    while index < constants.len() {
        let at = reader.at;
        let tag = usize::from(reader.u8()?);
        let length = match tag {
            UTF8 => usize::from(reader.u16()?),
            INTEGER | 4 | FIELDREF | METHODREF | 11 | NAME_AND_TYPE | 17 | 18 => 4,
            LONG | DOUBLE => 8,
            CLASS | 8 | 16 | 19 | 20 => 2,
            15 => 3,
            _ => return Err(refused(Rule::Constant, at)),
        };
        reader.take(length)?;
        *constants.get_mut(index).ok_or(refused(Rule::Layout, at))? = at as u32;
        index += if matches!(tag, LONG | DOUBLE) { 2 } else { 1 };
    }
    hold(index == constants.len(), Rule::Layout, reader.at)
}

/// Reads a list of attributes (4.7); each is told by the index of its name and where its content begins.
pub(crate) fn attributes(
    reader: &mut Reader<'_>,
    mut each: impl FnMut(u16, usize) -> Result<(), Refused>,
) -> Result<(), Refused> {
    for _ in 0..reader.u16()? {
        let (name, length) = (reader.u16()?, reader.u32()?);
        let content = reader.at;
        reader.take(length)?;
        each(name, content)?;
    }
    Ok(())
}

/// A file with the offsets of its constants.
#[derive(Clone, Copy)]
struct Parts<'m, 'c> {
    file: &'m [u8],
    constants: &'c [u32],
}

enum Members<'n> {
    Fields,
    Methods(&'n dyn Natives),
}

impl<'m> Parts<'m, '_> {
    /// Where the constant of an index has its content, if it is of this kind.
    fn content(&self, index: u16, tag: usize) -> Option<usize> {
        let at = *self.constants.get(usize::from(index))? as u16;
        (at != 0 && u8_at(self.file, usize::from(at)) == tag).then_some(usize::from(at) + 1)
    }

    fn utf8(&self, index: u16) -> Option<&'m [u8]> {
        let at = self.content(index, UTF8)?;
        self.file.get(at + 2..)?.get(..u16_at(self.file, at))
    }

    /// The index of a class's name; 0 if it is no class.
    fn class(&self, index: u16) -> u16 {
        self.content(index, CLASS).map_or(0, |at| self.half(at))
    }

    /// The index that stands at an offset.
    fn half(&self, at: usize) -> u16 {
        u16_at(self.file, at) as u16
    }

    /// Name and descriptor of a member that stands at an offset.
    fn named(&self, member: u16) -> Option<(&'m [u8], &'m [u8])> {
        let at = usize::from(member);
        Some((self.utf8(self.half(at + 2))?, self.utf8(self.half(at + 4))?))
    }

    fn members(
        &self,
        reader: &mut Reader<'m>,
        class: &mut Class<'m>,
        what: Members<'_>,
    ) -> Result<(), Refused> {
        for index in 0..usize::from(reader.u16()?) {
            let at = reader.at;
            let (member, flags) = (at as u16, reader.u16()?);
            reader.take(4)?;
            let (name, text) = self.named(member).ok_or(refused(Rule::Constant, at))?;
            let limit = refused(Rule::Limit, at);
            match what {
                Members::Fields => {
                    let field = self.field(member, flags, text)?;
                    let before = class.fields().iter().any(|f| self.named(f.member) == Some((name, text)));
                    hold(!before, Rule::Duplicate, at)?;
                    attributes(reader, |_, _| Ok(()))?;
                    *class.fields.get_mut(index).ok_or(limit)? = field;
                    class.fields_count += 1;
                }
                Members::Methods(natives) => {
                    let before =
                        class.methods().iter().any(|m| self.named(m.member).is_some_and(|n| n.0 == name));
                    hold(!before, Rule::Duplicate, at)?;
                    let mut method = Self::method(member, flags, name, text)?;
                    let native = method.flags & NATIVE != 0;
                    let mut code = natives.find(name, text).filter(|_| native);
                    attributes(reader, |attribute, content| {
                        if self.utf8(attribute) == Some(b"Code") {
                            hold(code.is_none() && !native, Rule::Code, content)?;
                            code = Some(content as u16);
                        }
                        Ok(())
                    })?;
                    method.code = code.ok_or(refused(Rule::Code, at))?;
                    if !native {
                        self.limits(&mut method)?;
                    }
                    *class.methods.get_mut(index).ok_or(limit)? = method;
                    class.methods_count += 1;
                }
            }
        }
        Ok(())
    }

    fn field(&self, member: u16, flags: u16, text: &[u8]) -> Result<Field, Refused> {
        let at = usize::from(member);
        let both = FINAL | VOLATILE;
        hold((flags & PRIVATE_TO_PUBLIC).count_ones() <= 1 && flags & both != both, Rule::Flags, at)?;
        match Kind::first(text) {
            Some((kind, [])) => Ok(Field { member, flags, kind }),
            _ => Err(refused(Rule::Descriptor, at)),
        }
    }

    fn method(member: u16, mut flags: u16, name: &[u8], text: &[u8]) -> Result<Method, Refused> {
        let at = usize::from(member);
        if name == b"<clinit>" {
            // Its other flags mean nothing (4.6).
            flags &= STATIC | SYNCHRONIZED;
        }
        let one_access = (flags & PRIVATE_TO_PUBLIC).count_ones() <= 1;
        let good = match name {
            b"<clinit>" => flags & STATIC != 0 && text == b"()V",
            b"<init>" => {
                one_access && flags & (STATIC | FINAL | VOLATILE | NATIVE) == 0 && text.ends_with(b")V")
            }
            _ => one_access && name.first() != Some(&b'<'),
        };
        hold(good && flags & (ABSTRACT | SYNCHRONIZED) == 0, Rule::Flags, at)?;
        let wrong = refused(Rule::Descriptor, at);
        let mut arguments = u8::from(flags & STATIC == 0);
        let mut rest = text.strip_prefix(b"(").ok_or(wrong)?;
        while let Some((_, behind)) = Kind::first(rest) {
            arguments = arguments.checked_add(1).ok_or(wrong)?;
            rest = behind;
        }
        let result = match rest.strip_prefix(b")").ok_or(wrong)? {
            b"V" => Kind::Void,
            result => Kind::first(result).filter(|(_, rest)| rest.is_empty()).ok_or(wrong)?.0,
        };
        Ok(Method { member, flags, arguments, result, ..Method::default() })
    }

    /// The limits that stand in front of a method's code.
    fn limits(&self, method: &mut Method) -> Result<(), Refused> {
        let at = usize::from(method.code);
        let (stack, locals) = (u16_at(self.file, at), u16_at(self.file, at + 2));
        hold(stack + locals <= SLOTS_MAX && usize::from(method.arguments) <= locals, Rule::Limit, at)?;
        (method.stack, method.locals) = (stack as u8, locals as u8);
        Ok(())
    }

    /// What a constant names of the class's own. Names are equal if they are the same constant: so they are in what a compiler
    /// writes, and hostile ones are not long to compare.
    fn own(&self, class: &Class<'m>, index: u16) -> u32 {
        let (field, method) = (self.content(index, FIELDREF), self.content(index, METHODREF));
        let Some(at) = field.or(method) else { return FOREIGN };
        let Some(both) = self.content(self.half(at + 2), NAME_AND_TYPE) else { return FOREIGN };
        let of = self.class(self.half(at));
        let same = |member: u16| i32_at(self.file, usize::from(member) + 2) == i32_at(self.file, both);
        let found = match field {
            _ if of != class.name => None,
            Some(_) => class.fields().iter().position(|field| same(field.member)),
            None => class.methods().iter().position(|method| same(method.member)),
        };
        let named = (self.utf8(self.half(both)), self.utf8(self.half(both + 2)));
        match found {
            Some(index) => index as u32 + OWN,
            None if self.utf8(of) == Some(OBJECT) && named == (Some(b"<init>"), Some(b"()V")) => OBJECT_INIT,
            None => FOREIGN,
        }
    }
}

impl<'m> Class<'m> {
    pub(crate) fn fields(&self) -> &[Field] {
        self.fields.get(..self.fields_count).unwrap_or_default()
    }

    pub(crate) fn methods(&self) -> &[Method] {
        self.methods.get(..self.methods_count).unwrap_or_default()
    }

    /// The code of a method that is not native.
    pub(crate) fn code(&self, method: &Method) -> &'m [u8] {
        let at = usize::from(method.code);
        let length = i32_at(self.file, at + 4) as u32 as usize;
        self.file.get(at + 8..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }

    fn parts(&self) -> Parts<'m, '_> {
        Parts { file: self.file, constants: self.constants }
    }

    pub(crate) fn utf8(&self, index: u16) -> &'m [u8] {
        self.parts().utf8(index).unwrap_or_default()
    }

    /// Name and descriptor of a method.
    pub(crate) fn named(&self, method: &Method) -> (&'m [u8], &'m [u8]) {
        self.parts().named(method.member).unwrap_or_default()
    }

    /// What a reference to a field or method was found to name.
    pub(crate) fn link(&self, index: usize, tag: usize) -> u32 {
        let here = self.parts().content(index as u16, tag).is_some();
        self.constants.get(index).filter(|_| here).map_or(FOREIGN, |constant| constant >> 16)
    }

    /// Index of the field that a constant names.
    pub(crate) fn field_at(&self, index: usize) -> Option<(usize, Field)> {
        let slot = self.link(index, FIELDREF).checked_sub(OWN)? as usize;
        self.fields().get(slot).map(|field| (slot, *field))
    }

    /// Index of the method that a constant names.
    pub(crate) fn method_at(&self, index: usize) -> Option<(usize, Method)> {
        let slot = self.link(index, METHODREF).checked_sub(OWN)? as usize;
        self.methods().get(slot).map(|method| (slot, *method))
    }

    /// The int at an index.
    pub(crate) fn int(&self, index: usize) -> Option<i32> {
        self.parts().content(index as u16, INTEGER).map(|at| i32_at(self.file, at))
    }

    /// The type that a frame has for the class of an index.
    pub(crate) fn frame_type(&self, index: u16) -> Option<Type> {
        let of = self.parts().class(index);
        let name = self.parts().utf8(of)?;
        match Kind::first(name) {
            _ if of == self.name => Some(verify::THIS),
            _ if name == OBJECT => Some(verify::OBJECT),
            Some((kind, [])) if name.first() == Some(&b'[') => Some(kind.ty()),
            _ => None,
        }
    }

    /// Sets fields to what they begin with (4.7.2).
    pub(crate) fn initial(&self, values: &mut [u32]) -> Result<(), Refused> {
        for (field, value) in self.fields().iter().zip(values) {
            *value = 0;
            let mut reader = Reader { file: self.file, at: usize::from(field.member) + 6 };
            attributes(&mut reader, |name, content| {
                if self.utf8(name) == b"ConstantValue" && field.flags & STATIC != 0 {
                    let int = self.int(u16_at(self.file, content)).filter(|_| field.kind.ty() == verify::INT);
                    *value = field.kind.narrowed(int.ok_or(refused(Rule::Constant, content))? as u32);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}
