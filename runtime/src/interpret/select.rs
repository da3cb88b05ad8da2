//! Calls of what only the object's class knows (JVMS 5.4.6), and of what it does not know.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use carnet_classes::class::{Code, flags};
use carnet_classes::instruction::{Operands, decode};
use carnet_classes::opcode::INVOKEVIRTUAL;

use super::{Next, Run};
use crate::class::{Class, ClassId, Method, MethodId};
use crate::heap::NULL;
use crate::universe::{ABSTRACT_METHOD, LinkError};

impl<'u> Run<'_, 'u> {
    /// A call through an interface that its site does not know.
    pub(super) fn select(&mut self, base: usize) -> Next {
        let Some((_, code, _, word)) = self.word() else { return Err(self.stray()) };
        let object = self.thread.references.get(base).copied().unwrap_or(NULL);
        let Ok(class) = self.domain.heap.space.class_of(object) else { return Err(self.stray()) };
        let of = self.universe.class(class).zip(self.universe.method(MethodId(word.imm())));
        let Some((class, method)) = of else { return Err(self.stray()) };
        match self.selected(class, method) {
            Ok(selected) => {
                if let Some(site) = code.sites.get(word.c()) {
                    site.store(u64::from(class.id.0) << 32 | u64::from(selected.id.0), Ordering::Release);
                }
                match self.universe.method(selected.id) {
                    Some(method) => self.call(method, base),
                    None => Err(self.stray()),
                }
            }
            Err(error) if error.kind == ABSTRACT_METHOD => self.unselected(class, method, base, &error),
            Err(error) => self.link_error(&error),
        }
    }

    /// What a call of a method runs on an object of a class.
    fn selected(&self, class: &'u Class, method: &'u Arc<Method>) -> Result<Arc<Method>, LinkError> {
        let is_of_interface = |id: ClassId| self.universe.class(id).is_some_and(|class| class.is_interface());
        let is_within = || {
            let method = self.top().and_then(|(frame, _)| self.universe.method(frame.method));
            method.is_some_and(|method| is_of_interface(method.class))
        };
        let is_checked = method.has(flags::PRIVATE) || !is_of_interface(method.class) || is_within();
        let instruction = if is_checked { self.instruction() } else { None };
        match instruction {
            Some(instruction) => self.universe.select_checked(class, method, instruction),
            None => self.universe.select(class, method),
        }
    }

    /// A call that found nothing. `invokevirtual` runs the overpass of the object's class; `invokeinterface` tells of that of the
    /// interface, if there is one.
    fn unselected(&mut self, class: &'u Class, method: &Method, base: usize, error: &LinkError) -> Next {
        let Some((from, opcode, constant)) = self.instruction() else { return self.link_error(error) };
        let named =
            from.constant(constant).member().and_then(|(of, _)| self.universe.class_at(from, of).ok());
        let of = if opcode == INVOKEVIRTUAL {
            Some(class)
        } else {
            named.and_then(|id| self.universe.class(id)).map(AsRef::as_ref)
        };
        let text = |symbol| self.universe.symbols.text(symbol);
        let overpass =
            of.map_or(Ok(None), |of| self.universe.overpass(of, text(method.name), text(method.descriptor)));
        match overpass {
            Ok(Some(overpass)) if opcode == INVOKEVIRTUAL => self.call(overpass, base),
            Ok(Some(overpass)) => {
                self.link_error(&self.universe.no_implementation(class, overpass, overpass))
            }
            Ok(None) => self.link_error(error),
            Err(error) => self.link_error(&error),
        }
    }

    /// A call that found an abstract method.
    pub(super) fn unimplemented(&mut self, found: &'u Arc<Method>, base: usize) -> Next {
        let object = self.thread.references.get(base).copied().unwrap_or(NULL);
        let class = self.domain.heap.space.class_of(object).ok().and_then(|class| self.universe.class(class));
        let Some(class) = class else { return Err(self.stray()) };
        let named =
            self.named().filter(|named| named.name == found.name && named.descriptor == found.descriptor);
        self.link_error(&self.universe.no_implementation(class, named.unwrap_or(found), found))
    }

    /// The method that the running instruction names.
    fn named(&self) -> Option<&'u Arc<Method>> {
        let (class, _, constant) = self.instruction()?;
        let (of, both) = class.constant(constant).member()?;
        let of = self.universe.class(self.universe.class_at(class, of).ok()?)?;
        let (name, descriptor) = class.name_and_type(both);
        self.universe.find_method(of, name, descriptor)
    }

    /// The class, opcode and constant of the running instruction.
    fn instruction(&self) -> Option<(&'u Class, u8, u16)> {
        let (frame, code) = self.top()?;
        let method = self.universe.method(frame.method)?;
        let class = self.universe.class(method.class)?;
        let bytes = Code::read(class.file.get(method.code.clone())?)?.bytes;
        let instruction = decode(bytes, u32::from(code.offset(frame.pc as usize))).ok()?;
        match instruction.operands {
            Operands::Constant(constant) | Operands::Site(constant, _) => {
                Some((class, instruction.opcode, constant.0))
            }
            _ => None,
        }
    }
}
