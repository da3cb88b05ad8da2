//! What method handles and call sites name (JVMS 5.4.3.5, 5.4.3.6): it is looked for when they are linked, not when they are called.

use carnet_classes::class::{PoolIndex, shown};
use carnet_classes::descriptor;

use super::words::declaration;
use super::{Access, CHANGED, LinkError, Universe, Use, full};
use crate::class::{Class, ClassId, Constant, Kind, Shape};

/// What the name of a class begins with that has a number instead.
const NUMBERED: &[u8] = b"java/lang/invoke/carnet$";

impl Universe {
    /// The name of a class in the types of handles. One that was made has a number: nobody finds it by its name.
    pub(crate) fn handle_name(&self, class: &Class) -> Vec<u8> {
        let name = self.symbols.text(class.name);
        if class.origin.host().is_none() {
            return name.to_vec();
        }
        let mut element = class;
        while let Shape::References { element: of } = element.shape
            && let Some(of) = self.class(of)
        {
            element = of;
        }
        let number = element.id.0.to_string();
        let element = [NUMBERED, number.as_bytes()].concat();
        match name.iter().take_while(|byte| **byte == b'[').count() {
            0 => element,
            dimensions => [&name[..dimensions], b"L", &element[..], b";"].concat(),
        }
    }

    /// The class that such a number is of, in the code of handles.
    pub(super) fn numbered(&self, from: &Class, name: &[u8]) -> Option<ClassId> {
        let dimensions = name.iter().take_while(|byte| **byte == b'[').count();
        let inner = &name[dimensions..];
        let element = inner.strip_prefix(b"L").and_then(|of| of.strip_suffix(b";")).unwrap_or(inner);
        let number = element.strip_prefix(NUMBERED).and_then(|number| str::from_utf8(number).ok())?;
        let is_of_handle = from.origin.host().is_some() && self.is_trusted(from);
        let class = number.parse().ok().filter(|_| is_of_handle).map(ClassId)?;
        (0..dimensions).try_fold(class, |class, _| self.array_of(class).ok())
    }

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
