//! Constants that are objects which the library makes: method types and method handles (JVMS 5.4.3.5).
//!
//! A method of `MethodHandleNatives` makes each on its first use in a domain, in a frame above the one that needs it; the operation is done again after it.

use carnet_classes::descriptor;

use super::{Next, Run};
use crate::class::{ClassId, Constant};
use crate::domain::units;
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::native::Trap;
use crate::thread::Leaving;

const NATIVES: &[u8] = b"java/lang/invoke/MethodHandleNatives";

/// A call that computes a constant: name and descriptor of a method, and what it is given, each as a number and as a reference.
type Computing = (&'static str, &'static str, Vec<(u64, Ref)>);

impl Run<'_, '_> {
    /// Computes a constant of a class. The operation that needs it is done again after that.
    pub(super) fn compute(&mut self, class: ClassId, at: u16) -> Next {
        let (name, text, given) = match self.computing(class, at) {
            Ok(computing) => computing,
            Err(Trap::Compute(class, at)) => return self.compute(class, at),
            Err(trap) => return self.trap(trap),
        };
        let universe = self.universe;
        let natives = universe.loaded(NATIVES).and_then(|id| universe.class(id));
        let method = natives.and_then(|class| universe.find_method(class, name.as_bytes(), text.as_bytes()));
        let Some(method) = method else { return Err(self.stray()) };
        let registers = self.top().map_or(0, |(_, code)| code.registers);
        let base = self.thread.above(registers);
        self.thread.reserve(base as usize);
        for (slot, (number, object)) in given.into_iter().enumerate() {
            let slot = base as usize + slot;
            if let (Some(place), Some(reference)) =
                (self.thread.numbers.get_mut(slot), self.thread.references.get_mut(slot))
            {
                (*place, *reference) = (number, object);
            }
        }
        self.enter_frame(method, base, Leaving::Constant(class, at))
    }

    /// What computes a constant. Types come before the handles that have them.
    fn computing(&mut self, id: ClassId, at: u16) -> Result<Computing, Trap> {
        let universe = self.universe;
        let natives = universe.load(NATIVES)?;
        if !self.domain.may_use(self.thread, natives) {
            return Err(Trap::Initialize(natives));
        }
        let class = universe.class(id).ok_or(Trap::Stray)?;
        match class.constant(at) {
            Constant::NameAndType(_, text) | Constant::MethodType(text) => {
                let shape = descriptor::method(class.text(text)).ok_or(Trap::Stray)?;
                let result = self.mirror_of(id, shape.result)?;
                let mut parameters = Vec::new();
                for text in &shape.parameters {
                    parameters.push(self.mirror_of(id, text)?);
                }
                let array =
                    self.domain.new_array(universe.load(b"[Ljava/lang/Class;")?, parameters.len() as u32)?;
                for (at, mirror) in parameters.iter().enumerate() {
                    self.domain.heap.space.set_u32(array, ELEMENTS + 4 * at as u32, *mirror)?;
                }
                Ok((
                    "findMethodHandleType",
                    "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
                    vec![(0, result), (0, array)],
                ))
            }
            Constant::MethodHandle(kind, member) => {
                universe.check_handle(class, at)?;
                let (holder, both) = class.constant(member).member().ok_or(Trap::Stray)?;
                let holder = universe.class_at(class, holder)?;
                let (name, text) = class.name_and_type(both);
                let of =
                    if kind <= 4 { self.mirror_of(id, text)? } else { self.domain.computed(id, both)? };
                let name = self.domain.intern(&units(name))?;
                let (caller, holder) = (self.domain.mirror(id)?, self.domain.mirror(holder)?);
                Ok((
                    "linkMethodHandleConstant",
                    "(Ljava/lang/Class;ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
                    vec![(0, caller), (u64::from(kind), NULL), (0, holder), (0, name), (0, of)],
                ))
            }
            _ => Err(Trap::Stray),
        }
    }

    /// The `Class` object of a descriptor in a class, which must be allowed to use it.
    fn mirror_of(&mut self, from: ClassId, text: &[u8]) -> Result<Ref, Trap> {
        let from = self.universe.class(from).ok_or(Trap::Stray)?;
        let class = self.universe.type_at(from, text)?;
        self.domain.mirror(class)
    }
}
