//! Operations that name constants of their class, replaced by what these mean.

use carnet_classes::class::flags;

use super::objects::exception_bytes;
use super::{Domain, READY};
use crate::class::{Body, Class, ClassId, Constant, Kind, Method};
use crate::code::{Code, Word, op};
use crate::heap::{NULL, Ref};
use crate::native::Trap;
use crate::thread::Thread;
use crate::universe::{Access, LinkError, Linked, Use};

impl Domain {
    /// The code of a method, translated if it was not yet; `None` if it has none.
    pub(crate) fn translated<'m>(&self, method: &'m Method) -> Option<&'m Code> {
        match self.universe.body(method) {
            Ok(Body::Code(code)) => Some(code),
            _ => None,
        }
    }

    /// Finds out what runs when a method is called. If there is no room for it, that is told when it is entered.
    pub(crate) fn prepare(&self, method: &Method) {
        let _ = self.universe.body(method);
    }

    /// Follows the constant that an operation of a method of `class` names.
    ///
    /// # Errors
    /// [`Trap`]; the operation failed, or something must be done before it.
    pub(crate) fn link(&mut self, class: &Class, method: &Method, word: Word) -> Result<Word, Trap> {
        let number = word.imm() as u16;
        let registers = (word.a() as u8, word.b() as u8, word.c() as u8);
        let replaced = |op: u8, imm: u32| Ok(Word::new(op, registers, imm));
        let universe = std::sync::Arc::clone(&self.universe);
        match word.op() {
            op::LINK_CONSTANT => match class.constant(number) {
                Constant::String(text) => {
                    let symbol = universe.symbols.of(class.text(text)).map_err(|_| Trap::Stray)?;
                    replaced(op::STRING, universe.string_number(symbol)?)
                }
                Constant::Class(_) => replaced(op::CLASS, universe.class_at(class, number)?.0),
                Constant::MethodHandle(..) | Constant::MethodType(_) => Err(Trap::Compute(class.id, number)),
                _ => Err(Trap::New(
                    "java/lang/UnsupportedOperationException",
                    Some("computed constants".to_owned()),
                )),
            },
            op::LINK_GET => {
                let field = universe.field_at(class, number, Use::Get)?;
                replaced(get(field.kind), field.place)
            }
            op::LINK_PUT => {
                let field = universe.field_at(class, number, Use::Put(Some(method)))?;
                replaced(put(field.kind), field.place)
            }
            op::LINK_GET_STATIC => {
                let field = universe.field_at(class, number, Use::GetStatic)?;
                let is_reference = field.kind == Kind::Reference;
                replaced(if is_reference { op::GET_STATIC_R } else { op::GET_STATIC }, field.place)
            }
            op::LINK_PUT_STATIC => {
                let field = universe.field_at(class, number, Use::PutStatic(Some(method)))?;
                let is_reference = field.kind == Kind::Reference;
                replaced(if is_reference { op::PUT_STATIC_R } else { op::PUT_STATIC }, field.place)
            }
            op::GET_STATIC | op::GET_STATIC_R | op::PUT_STATIC | op::PUT_STATIC_R => {
                let (_, of) = *universe.statics.get(word.imm()).ok_or(Trap::Stray)?;
                if self.state(of) == READY {
                    self.open(of);
                    return Ok(word);
                }
                Err(Trap::Initialize(of))
            }
            op::LINK_NEW => {
                let of = universe.class_at(class, number)?;
                let made = universe.class(of).ok_or(Trap::Stray)?;
                if made.has(flags::ABSTRACT | flags::INTERFACE) || made.elements().is_some() {
                    return Err(Trap::New("java/lang/InstantiationError", Some(universe.java_name(of))));
                }
                replaced(op::NEW, of.0)
            }
            op::LINK_NEW_ARRAY => {
                let of = universe.class_at(class, number)?;
                replaced(op::NEW_ARRAY, universe.array_of(of)?.0)
            }
            op::LINK_NEW_ARRAYS => replaced(op::NEW_ARRAYS, universe.class_at(class, number)?.0),
            op::LINK_CAST => replaced(op::CAST, universe.class_at(class, number)?.0),
            op::LINK_IS_A => replaced(op::IS_A, universe.class_at(class, number)?.0),
            op::LINK_CALL_STATIC => self.call_word(class, word, Access::Static),
            op::LINK_CALL_SPECIAL => self.call_word(class, word, Access::Special),
            op::LINK_CALL_VIRTUAL => self.call_word(class, word, Access::Virtual),
            op::LINK_CALL_INTERFACE => self.call_word(class, word, Access::Interface),
            op::LINK_CALL_DYNAMIC => {
                let method = crate::dynamic::link(&universe, class, number)?;
                replaced(op::CALL_STATIC, method.0)
            }
            // Another domain has linked it meanwhile.
            _ => Ok(word),
        }
    }

    /// What a constant of a class is in this domain: a method type or a method handle. That of a name with a descriptor is the type.
    ///
    /// # Errors
    /// [`Trap::Compute`].
    pub(crate) fn computed(&self, class: ClassId, at: u16) -> Result<Ref, Trap> {
        self.computed.get(&(class, at)).copied().ok_or(Trap::Compute(class, at))
    }

    fn call_word(&mut self, class: &Class, word: Word, access: Access) -> Result<Word, Trap> {
        let registers = (word.a() as u8, word.b() as u8, word.c() as u8);
        let (op, imm) = match self.universe.method_at(class, word.imm() as u16, access)? {
            Linked::Direct(method) if access == Access::Static => (op::CALL_STATIC, method.0),
            Linked::Direct(method) => (op::CALL, method.0),
            Linked::Virtual { index, .. } => (op::CALL_VIRTUAL, index),
            Linked::Interface(method) => (op::CALL_INTERFACE, method.0),
            Linked::Polymorphic(_) => (op::CALL_HANDLE, word.imm()),
        };
        Ok(Word::new(op, registers, imm))
    }

    /// A new exception that tells of a linkage error. That a class was not found is its cause, as class loaders say it.
    ///
    /// # Errors
    /// [`Trap`].
    pub(crate) fn link_exception(&mut self, thread: &mut Thread, error: &LinkError) -> Result<Ref, Trap> {
        let Some(missing) = &error.missing else {
            return self.exception(thread, error.kind, Some(&error.message));
        };
        // All that is needed is there, or nothing is made.
        let each = |text| exception_bytes(thread.frames.len(), Some(text));
        let needed = each(&error.message) + each(missing);
        if self.heap.space.room() - self.heap.space.used() < needed {
            return Err(Trap::Collect(needed));
        }
        let cause = self.exception(thread, "java/lang/ClassNotFoundException", Some(missing))?;
        self.heap.space.set_u32(cause, self.places.cause, NULL)?;
        let made = self.exception(thread, error.kind, Some(&error.message))?;
        self.heap.space.set_u32(made, self.places.cause, cause)?;
        Ok(made)
    }

    /// The `Class` object number that a class has.
    pub(crate) fn mirror_known(&self, class: ClassId) -> u32 {
        self.mirrors.get(class.0 as usize).copied().unwrap_or(0)
    }
}

fn get(kind: Kind) -> u8 {
    match kind {
        Kind::Boolean | Kind::Byte => op::GET_8,
        Kind::Char => op::GET_CHAR,
        Kind::Short => op::GET_SHORT,
        Kind::Int | Kind::Float => op::GET_32,
        Kind::Long | Kind::Double => op::GET_64,
        Kind::Reference => op::GET_R,
    }
}

fn put(kind: Kind) -> u8 {
    match kind {
        Kind::Boolean => op::PUT_BOOLEAN,
        Kind::Byte => op::PUT_8,
        Kind::Char | Kind::Short => op::PUT_16,
        Kind::Int | Kind::Float => op::PUT_32,
        Kind::Long | Kind::Double => op::PUT_64,
        Kind::Reference => op::PUT_R,
    }
}
