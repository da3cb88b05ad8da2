//! Methods that nobody wrote, HotSpot's overpasses: a class has one where its interfaces have several default methods to choose from
//! (JVMS 5.4.6), or have made one abstract again. It throws when it is called. Calls through interfaces do not see it.

use std::sync::{Arc, OnceLock, PoisonError};

use carnet_classes::class::{flags, shown};

use super::define::METHOD_BYTES;
use super::{ABSTRACT_METHOD, CHANGED, LinkError, Universe, full};
use crate::account;
use crate::class::{Body, Class, ClassId, Method, MethodId, NOT_VIRTUAL};
use crate::native::{Call, Outcome, Trap};
use crate::symbol::Symbol;

impl Universe {
    /// The method that throws, if a class has none of this name to run but should.
    ///
    /// # Errors
    /// If there is no room for one more.
    pub(crate) fn overpass(
        &self,
        class: &Class,
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<Option<&Arc<Method>>, LinkError> {
        let symbols = self.symbols.known(name).zip(self.symbols.known(descriptor));
        let Some((name, descriptor)) = symbols else { return Ok(None) };
        if self.unchosen(class, name, descriptor).is_none() {
            return Ok(None);
        }
        let mut overpasses = self.overpasses.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = overpasses.get(&(class.id, name, descriptor)) {
            return Ok(self.method(*known));
        }
        account::take(size_of::<Method>() + METHOD_BYTES)?;
        let method = |number| {
            Arc::new(Method {
                id: MethodId(number),
                class: class.id,
                name,
                descriptor,
                flags: flags::PUBLIC | flags::SYNTHETIC,
                signature: OnceLock::new(),
                code: 0..0,
                index: NOT_VIRTUAL,
                body: OnceLock::from(Body::Native(throws)),
            })
        };
        let id = MethodId(self.methods.add(method).map_err(full)?);
        overpasses.insert((class.id, name, descriptor), id);
        Ok(self.method(id))
    }

    /// Why a class has no method to run; none if it declares one, inherits one, or is not asked to have one.
    fn unchosen(&self, class: &Class, name: Symbol, descriptor: Symbol) -> Option<LinkError> {
        let is_declared = |id: &ClassId| {
            let method = self.class(*id).and_then(|class| class.method(name, descriptor));
            method.is_some_and(|method| !method.has(flags::STATIC | flags::PRIVATE))
        };
        if class.line.iter().any(is_declared) {
            return None;
        }
        match self.most_specific(class, name, descriptor) {
            Err(conflicting) => {
                let words = |method: &&Arc<Method>| {
                    format!(" {}.{}", shown(self.name(method.class)), shown(self.symbols.text(name)))
                };
                let methods: String = conflicting.iter().map(words).collect();
                Some(LinkError::new(CHANGED, format!("Conflicting default methods:{methods}")))
            }
            Ok(Some(method)) if method.has(flags::ABSTRACT) && self.has_defaults(class) => {
                let (name, descriptor) = (self.symbols.text(name), self.symbols.text(descriptor));
                let method = format!("{}.{}{}", shown(self.name(class.id)), shown(name), shown(descriptor));
                Some(LinkError::new(ABSTRACT_METHOD, format!("Method {method} is abstract")))
            }
            Ok(_) => None,
        }
    }

    /// Whether an interface of a class has methods that are not abstract; if none has, HotSpot makes no overpasses.
    fn has_defaults(&self, class: &Class) -> bool {
        let interfaces = class.implements.iter().filter_map(|id| self.class(*id));
        interfaces
            .flat_map(|interface| interface.methods.iter())
            .any(|method| !method.has(flags::ABSTRACT | flags::STATIC))
    }
}

fn throws(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.class(call.method.class).ok_or(Trap::Stray)?;
    let error = call.universe.unchosen(class, call.method.name, call.method.descriptor);
    Err(error.map_or(Trap::Stray, Trap::Link))
}
