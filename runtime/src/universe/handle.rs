//! What method handles and call sites name (JVMS 5.4.3.5, 5.4.3.6): it is looked for when they are linked, not when they are called.

use carnet_classes::class::{PoolIndex, shown};
use carnet_classes::descriptor;

use super::words::declaration;
use super::{Access, CHANGED, LinkError, Universe, Use, full};
use crate::class::{Class, ClassId, Constant, Kind};

impl Universe {
    /// The type of a descriptor in a class, which must be allowed to use it.
    ///
    /// # Errors
    /// [`LinkError`].
    pub(crate) fn type_at(&self, from: &Class, descriptor: &[u8]) -> Result<ClassId, LinkError> {
        self.checked(from, self.type_of(descriptor)?)
    }

    /// The class of a field descriptor, or of `V`.
    ///
    /// # Errors
    /// [`LinkError`].
    pub(crate) fn type_of(&self, descriptor: &[u8]) -> Result<ClassId, LinkError> {
        match descriptor {
            [b'L', name @ .., b';'] => self.load(name),
            [b'[', ..] => self.load(descriptor),
            b"V" => Ok(self.primitive(None)),
            letter => Ok(self.primitive(Some(Kind::of(letter)))),
        }
    }

    /// Whether all types of a descriptor are there.
    fn check_types(&self, from: &Class, descriptor: &[u8]) -> Result<(), LinkError> {
        let Some(method) = descriptor::method(descriptor) else {
            return self.type_at(from, descriptor).map(drop);
        };
        let mut types = method.parameters.iter().copied().chain([method.result]);
        types.try_for_each(|text| self.type_at(from, text).map(drop))
    }

    /// Whether the field or method is there that the handle at `at` names, and is what it should be.
    ///
    /// # Errors
    /// [`LinkError`].
    pub(crate) fn check_handle(&self, from: &Class, at: u16) -> Result<(), LinkError> {
        let Constant::MethodHandle(kind, member) = from.constant(at) else { return Ok(()) };
        let constant = from.constant(member);
        let (class, both) = constant.member().unwrap_or_default();
        let class = self.class(self.class_at(from, class)?).ok_or_else(|| full(()))?;
        let (name, text) = from.name_and_type(both);
        let is_named_so = matches!(constant, Constant::InterfaceMember(..));
        if kind > 4 && class.is_interface() != is_named_so {
            let kinds = ["CONSTANT_MethodRef", "CONSTANT_InterfaceMethodRef"];
            let message = format!(
                "Inconsistent constant pool data in classfile for class {}. Method '{}' at index {at} is {} and should be {}",
                shown(self.name(class.id)),
                declaration(None, name, text),
                kinds[usize::from(is_named_so)],
                kinds[usize::from(!is_named_so)]
            );
            return Err(LinkError::new(CHANGED, message));
        }
        self.check_types(from, text)?;
        let field = |to| self.field_at(from, member, to).map(drop);
        let method = |access| self.method_at(from, member, access).map(drop);
        match kind {
            1 => field(Use::Get),
            2 => field(Use::GetStatic),
            3 => field(Use::Put(None)),
            4 => field(Use::PutStatic(None)),
            5 => method(Access::Virtual),
            6 => method(Access::Static),
            9 => method(Access::Interface),
            _ => method(Access::Special),
        }
    }

    /// Whether a call site and the arguments of its bootstrap method name what is there.
    ///
    /// # Errors
    /// [`LinkError`].
    pub(crate) fn check_site(&self, from: &Class, at: u16, arguments: &[PoolIndex]) -> Result<(), LinkError> {
        for argument in arguments {
            match from.constant(argument.0) {
                Constant::Class(_) => self.class_at(from, argument.0).map(drop)?,
                Constant::MethodHandle(..) => self.check_handle(from, argument.0)?,
                Constant::MethodType(text) => self.check_types(from, from.text(text))?,
                _ => {}
            }
        }
        let Constant::Computed(_, both) = from.constant(at) else { return Ok(()) };
        self.check_types(from, from.name_and_type(both).1)
    }
}
