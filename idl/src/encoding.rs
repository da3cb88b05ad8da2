//! Descriptors as bytes: what stubs embed, and what a server sends to clients that do not know it.
//!
//! ```text
//! module     "carnet-idl" version:u8 name version doc unknown constants enums structs unions exceptions interfaces
//! list       count:u16 items           text      length:u32 UTF-8             (all little-endian)
//! constant   name doc type (0 u64 | 1 text)
//! enum       name doc values           struct    name doc fields              field  name type
//! union      name doc switch:type structs_before:u16 arms                     arm    name type labels:list of i64
//! exception  name doc members:list of field
//! interface  name doc base:option argument:option operations                  (not those of the base)
//! operation  name doc note flags:u16 [cursor:u16 last:u16 key:u16] [cost:u16] [verb one many] [result:type] [syscall:text]
//!            raises:list of u16 params  param     name mode:u8 type
//! flags      reads 1, idempotent 2, blocks 4, paged 8, cost 16, does 32, result 64, oneway 128, syscall 256, once 512
//! type       0 bool | 1 bits:u8 signed:u8 | 2 enum:u16 | 3 string max:u32 | 4 bytes max:u32 | 5 struct:u16
//!            | 6 list max:u32 type | 7 portal:u16 | 8 char | 9 float bits:u8 | 10 union:u16 | 11 array len:u32 type
//! option     0 | 1 u16
//! ```
//!
//! Version 1 knew neither constants, unions, bases, arrays, chars nor floats, and one plain exception for an operation;
//! version 2 knew no system calls, and version 3 no `once`. A module without it is written as of version 3, as it always was. Other versions
//! are refused.
//!
//! Layouts and hashes are not in it: they follow from the rest, and the reader computes them for itself. A
//! descriptor from a peer is hostile: [`decode`] bounds every length by what is left, checks every number
//! and every rule of the language before it computes anything, and costs no more than the size of its input.

use std::fmt;

use crate::descriptor::*;
use crate::{hash, limits, verify};

const MAGIC: &[u8] = b"carnet-idl";
/// Of modules with an operation that is `once`.
const VERSION: u8 = 4;
/// Of all others.
const BEFORE: u8 = 3;

const READS: u16 = 1;
const IDEMPOTENT: u16 = 2;
const BLOCKS: u16 = 4;
const PAGED: u16 = 8;
const COST: u16 = 16;
const DOES: u16 = 32;
const RESULT: u16 = 64;
const ONEWAY: u16 = 128;
const SYSCALL: u16 = 256;
const ONCE: u16 = 512;

/// Why bytes are no descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// It is longer than [`limits::ENCODED_MAX`].
    TooLarge,
    /// It does not begin like a descriptor.
    NotADescriptor,
    /// It is of this version.
    Version(u8),
    /// It ends early, or goes on after its end.
    Length,
    /// A number or text that stands for nothing.
    Invalid(&'static str),
    /// It breaks a rule of the language; the text says where.
    Rule(String),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::TooLarge => write!(f, "a descriptor of more than {} bytes", limits::ENCODED_MAX),
            DecodeError::NotADescriptor => f.write_str("not a descriptor"),
            DecodeError::Version(version) => {
                write!(f, "a descriptor of version {version}; versions {BEFORE} and {VERSION} are known here")
            }
            DecodeError::Length => f.write_str("a descriptor that is cut off, or too long for what it holds"),
            DecodeError::Invalid(what) => write!(f, "a descriptor with an invalid {what}"),
            DecodeError::Rule(text) => write!(f, "a descriptor that breaks a rule: {text}"),
        }
    }
}

impl std::error::Error for DecodeError {}

/// The bytes of a module that [`compile_str`](crate::compile_str) or [`decode`] returned.
#[must_use]
pub fn encode(module: &Module) -> Vec<u8> {
    let mut out = Writer(MAGIC.to_vec());
    out.u8(version_of(module));
    out.text(&module.name);
    out.text(&module.version);
    out.text(&module.doc);
    out.text(&module.unknown);
    out.list(&module.constants, |out, new| {
        out.head(&new.name, &new.doc);
        out.ty(&new.ty);
        out.value(&new.value);
    });
    out.list(&module.enums, |out, new| {
        out.head(&new.name, &new.doc);
        out.list(&new.values, |out, value| out.text(value));
    });
    out.list(&module.structs, |out, new| {
        out.head(&new.name, &new.doc);
        out.list(&new.fields, Writer::field);
    });
    out.list(&module.unions, |out, new| {
        out.head(&new.name, &new.doc);
        out.ty(&new.switch);
        out.u16(new.structs_before);
        out.list(&new.arms, |out, arm| {
            out.text(&arm.name);
            out.ty(&arm.ty);
            out.list(&arm.labels, |out, label| out.0.extend(label.to_le_bytes()));
        });
    });
    out.list(&module.exceptions, |out, new| {
        out.head(&new.name, &new.doc);
        out.list(&new.members, Writer::field);
    });
    out.list(&module.interfaces, |out, new| {
        out.head(&new.name, &new.doc);
        out.option(new.base.map(|id| id.0));
        out.option(new.argument);
        out.list(new.own(), Writer::operation);
    });
    out.0
}

/// The module that `bytes` describe.
///
/// # Errors
/// [`DecodeError`] if they are not what [`encode`] makes of a module that keeps all rules.
pub fn decode(bytes: &[u8]) -> Result<Module, DecodeError> {
    if bytes.len() > limits::ENCODED_MAX {
        return Err(DecodeError::TooLarge);
    }
    let rest = bytes.strip_prefix(MAGIC).ok_or(DecodeError::NotADescriptor)?;
    let mut reader = Reader { rest };
    let version = reader.u8()?;
    if !matches!(version, BEFORE | VERSION) {
        return Err(DecodeError::Version(version));
    }
    let mut module = reader.module()?;
    if !reader.rest.is_empty() {
        return Err(DecodeError::Length);
    }
    if version != version_of(&module) {
        return Err(DecodeError::Invalid("version"));
    }
    inherit(&mut module).map_err(DecodeError::Rule)?;
    verify::verify(&module).map_err(DecodeError::Rule)?;
    hash::seal(&mut module);
    Ok(module)
}

/// The first version that has all that is in a module.
fn version_of(module: &Module) -> u8 {
    let mut operations = module.interfaces.iter().flat_map(Interface::own);
    if operations.any(|operation| operation.once) { VERSION } else { BEFORE }
}

/// Puts the operations of each base before those of what inherits from it.
///
/// # Errors
/// The rule that is broken: bases stand before what inherits from them, and few operations are inherited.
pub(crate) fn inherit(module: &mut Module) -> Result<(), String> {
    let mut inherited = 0;
    for index in 0..module.interfaces.len() {
        let (earlier, rest) = module.interfaces.split_at_mut(index);
        let Some(base) = rest[0].base else { continue };
        let Some(base) = earlier.get(base.index()) else {
            return Err(format!("{}: a base is not known here", rest[0].name));
        };
        inherited += base.operations.len();
        if inherited > limits::MEMBERS_MAX {
            return Err(format!("{}: too many operations are inherited", rest[0].name));
        }
        let new = &mut rest[0];
        new.inherited = u16::try_from(base.operations.len()).unwrap_or(u16::MAX);
        new.operations.splice(0..0, base.operations.iter().cloned());
    }
    Ok(())
}

struct Writer(Vec<u8>);

impl Writer {
    fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    fn option(&mut self, value: Option<u16>) {
        self.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            self.u16(value);
        }
    }

    fn text(&mut self, text: &str) {
        self.u32(u32::try_from(text.len()).unwrap_or(u32::MAX));
        self.0.extend(text.as_bytes());
    }

    fn field(&mut self, field: &Field) {
        self.text(&field.name);
        self.ty(&field.ty);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Word(word) => {
                self.u8(0);
                self.0.extend(word.to_le_bytes());
            }
            Value::Text(text) => {
                self.u8(1);
                self.text(text);
            }
        }
    }

    fn head(&mut self, name: &str, doc: &str) {
        self.text(name);
        self.text(doc);
    }

    fn list<T>(&mut self, items: &[T], item: impl Fn(&mut Writer, &T)) {
        self.u16(u16::try_from(items.len()).unwrap_or(u16::MAX));
        for each in items {
            item(self, each);
        }
    }

    fn operation(&mut self, operation: &Operation) {
        self.head(&operation.name, &operation.doc);
        self.text(&operation.note);
        self.u16(flags(operation));
        if let Some(paged) = operation.paged {
            self.u16(paged.cursor);
            self.u16(paged.last);
            self.u16(paged.key);
        }
        if let Some(cost) = operation.cost {
            self.u16(cost);
        }
        for text in operation.does.iter().flatten() {
            self.text(text);
        }
        if let Some(result) = &operation.result {
            self.ty(result);
        }
        if let Some(text) = &operation.syscall {
            self.text(text);
        }
        self.list(&operation.raises, |out, raised| out.u16(raised.0));
        self.list(&operation.params, |out, param| {
            out.text(&param.name);
            out.u8(param.mode as u8);
            out.ty(&param.ty);
        });
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Bool => self.u8(0),
            Type::Int { bits, signed } => self.0.extend([1, *bits, u8::from(*signed)]),
            Type::Enum(id) => self.tagged(2, id.0),
            Type::String { max } => self.bounded(3, *max),
            Type::Bytes { max } => self.bounded(4, *max),
            Type::Struct(id) => self.tagged(5, id.0),
            Type::List { of, max } => {
                self.bounded(6, *max);
                self.ty(of);
            }
            Type::Portal(id) => self.tagged(7, id.0),
            Type::Char => self.u8(8),
            Type::Float { bits } => self.0.extend([9, *bits]),
            Type::Union(id) => self.tagged(10, id.0),
            Type::Array { of, len } => {
                self.bounded(11, *len);
                self.ty(of);
            }
        }
    }

    fn tagged(&mut self, tag: u8, id: u16) {
        self.u8(tag);
        self.u16(id);
    }

    fn bounded(&mut self, tag: u8, max: u32) {
        self.u8(tag);
        self.u32(max);
    }
}

fn flags(operation: &Operation) -> u16 {
    let set = [
        (operation.effect == Effect::Reads, READS),
        (operation.idempotent, IDEMPOTENT),
        (operation.blocks, BLOCKS),
        (operation.paged.is_some(), PAGED),
        (operation.cost.is_some(), COST),
        (operation.does.is_some(), DOES),
        (operation.result.is_some(), RESULT),
        (operation.oneway, ONEWAY),
        (operation.syscall.is_some(), SYSCALL),
        (operation.once, ONCE),
    ];
    set.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum()
}

struct Reader<'a> {
    rest: &'a [u8],
}

type Read<T> = Result<T, DecodeError>;

impl<'a> Reader<'a> {
    fn bytes(&mut self, len: usize) -> Read<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(len).ok_or(DecodeError::Length)?;
        self.rest = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(DecodeError::Length)?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn u8(&mut self) -> Read<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    fn u16(&mut self) -> Read<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Read<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn option(&mut self) -> Read<Option<u16>> {
        if self.flag()? { self.u16().map(Some) } else { Ok(None) }
    }

    fn flag(&mut self) -> Read<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(DecodeError::Invalid("flag")),
        }
    }

    fn text(&mut self) -> Read<String> {
        let len = usize::try_from(self.u32()?).map_err(|_| DecodeError::Length)?;
        let text = std::str::from_utf8(self.bytes(len)?).map_err(|_| DecodeError::Invalid("text"))?;
        Ok(text.to_owned())
    }

    /// Memory is taken as items arrive, never for a number that the peer only claims.
    fn list<T>(&mut self, item: impl Fn(&mut Reader<'a>) -> Read<T>) -> Read<Vec<T>> {
        let count = self.u16()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn module(&mut self) -> Read<Module> {
        Ok(Module {
            name: self.text()?,
            version: self.text()?,
            doc: self.text()?,
            unknown: self.text()?,
            constants: self.list(Reader::constant)?,
            enums: self.list(Reader::enumeration)?,
            structs: self.list(Reader::structure)?,
            unions: self.list(Reader::union)?,
            exceptions: self.list(Reader::exception)?,
            interfaces: self.list(Reader::interface)?,
        })
    }

    fn constant(&mut self) -> Read<Constant> {
        let (name, doc, ty) = (self.text()?, self.text()?, self.ty()?);
        let value = if self.flag()? { Value::Text(self.text()?) } else { Value::Word(self.u64()?) };
        Ok(Constant { name, doc, ty, value })
    }

    fn enumeration(&mut self) -> Read<Enum> {
        let (name, doc) = (self.text()?, self.text()?);
        Ok(Enum { name, doc, values: self.list(Reader::text)?, hash: TypeHash(0) })
    }

    fn structure(&mut self) -> Read<Struct> {
        let (name, doc) = (self.text()?, self.text()?);
        Ok(Struct { name, doc, fields: self.list(Reader::field)? })
    }

    fn field(&mut self) -> Read<Field> {
        Ok(Field { name: self.text()?, ty: self.ty()? })
    }

    fn union(&mut self) -> Read<Union> {
        let (name, doc, switch) = (self.text()?, self.text()?, self.ty()?);
        let (structs_before, arms) = (self.u16()?, self.list(Reader::arm)?);
        Ok(Union { name, doc, switch, arms, structs_before, shape: UnionShape::default() })
    }

    fn arm(&mut self) -> Read<Arm> {
        let (name, ty) = (self.text()?, self.ty()?);
        Ok(Arm { name, ty, labels: self.list(|r| Ok(r.u64()?.cast_signed()))? })
    }

    fn exception(&mut self) -> Read<Exception> {
        let (name, doc) = (self.text()?, self.text()?);
        Ok(Exception { name, doc, members: self.list(Reader::field)? })
    }

    fn interface(&mut self) -> Read<Interface> {
        let (name, doc, base) = (self.text()?, self.text()?, self.option()?.map(InterfaceId));
        let (argument, operations) = (self.option()?, self.list(Reader::operation)?);
        Ok(Interface { name, doc, base, inherited: 0, argument, operations, hash: TypeHash(0) })
    }

    fn operation(&mut self) -> Read<Operation> {
        let (name, doc, note, flags) = (self.text()?, self.text()?, self.text()?, self.u16()?);
        if flags >= ONCE << 1 {
            return Err(DecodeError::Invalid("flag"));
        }
        let paged =
            self.when(flags & PAGED, |r| Ok(Paged { cursor: r.u16()?, last: r.u16()?, key: r.u16()? }))?;
        let cost = self.when(flags & COST, Reader::u16)?;
        let does = self.when(flags & DOES, |r| Ok([r.text()?, r.text()?, r.text()?]))?;
        let result = self.when(flags & RESULT, Reader::ty)?;
        let syscall = self.when(flags & SYSCALL, Reader::text)?;
        let raises = self.list(|r| Ok(ExceptionId(r.u16()?)))?;
        Ok(Operation {
            name,
            doc,
            hash: OpHash(0),
            effect: if flags & READS == 0 { Effect::Writes } else { Effect::Reads },
            idempotent: flags & IDEMPOTENT != 0,
            once: flags & ONCE != 0,
            blocks: flags & BLOCKS != 0,
            paged,
            cost,
            does,
            note,
            syscall,
            params: self.list(Reader::param)?,
            result,
            raises,
            oneway: flags & ONEWAY != 0,
            layout: Layout::default(),
        })
    }

    fn when<T>(&mut self, flag: u16, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if flag == 0 { Ok(None) } else { read(self).map(Some) }
    }

    fn param(&mut self) -> Read<Param> {
        let name = self.text()?;
        let mode = match self.u8()? {
            0 => Mode::In,
            1 => Mode::InOut,
            2 => Mode::Out,
            _ => return Err(DecodeError::Invalid("mode")),
        };
        Ok(Param { name, mode, ty: self.ty()? })
    }

    fn ty(&mut self) -> Read<Type> {
        self.nested_type(limits::NESTING_MAX)
    }

    /// A type of at most so many levels, so that the recursion ends.
    fn nested_type(&mut self, levels: usize) -> Read<Type> {
        let inner = levels.checked_sub(1).ok_or(DecodeError::Invalid("type"))?;
        Ok(match self.u8()? {
            0 => Type::Bool,
            1 => Type::Int { bits: self.u8()?, signed: self.flag()? },
            2 => Type::Enum(EnumId(self.u16()?)),
            3 => Type::String { max: self.u32()? },
            4 => Type::Bytes { max: self.u32()? },
            5 => Type::Struct(StructId(self.u16()?)),
            6 => Type::List { max: self.u32()?, of: Box::new(self.nested_type(inner)?) },
            7 => Type::Portal(InterfaceId(self.u16()?)),
            8 => Type::Char,
            9 => Type::Float { bits: self.u8()? },
            10 => Type::Union(UnionId(self.u16()?)),
            11 => Type::Array { len: self.u32()?, of: Box::new(self.nested_type(inner)?) },
            _ => return Err(DecodeError::Invalid("type")),
        })
    }
}
