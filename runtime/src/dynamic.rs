//! Call sites that bootstrap methods link (JVMS 5.4.3.6): those of javac become calls of a hidden class
//! ([`carnet_classes::synthetic`]), made once for all domains.

use carnet_classes::class::{PoolIndex, shown};
use carnet_classes::read;
use carnet_classes::synthetic::{ENTRY, site};

use crate::class::{Class, MethodId};
use crate::native::Trap;
use crate::universe::{LinkError, Universe};

/// The method that a call site calls from now on, in every domain.
///
/// # Errors
/// [`Trap`].
pub(crate) fn link(universe: &Universe, class: &Class, constant: u16) -> Result<MethodId, Trap> {
    let error = |message: String| Trap::Link(LinkError::new("java/lang/BootstrapMethodError", message));
    let file = read(&class.file).map_err(|reason| error(reason.to_string()))?;
    let mut name = universe.symbols.text(class.name).to_vec();
    name.extend_from_slice(format!("$$Site{constant}").as_bytes());
    let bytes = site(&file, PoolIndex(constant), &name).map_err(|reason| error(reason.to_string()))?;
    let made = universe.load_hidden(bytes, class.id)?;
    let made = universe.class(made).ok_or(Trap::Stray)?;
    let entry = made.methods.iter().find(|method| universe.symbols.text(method.name) == ENTRY);
    entry.map(|method| method.id).ok_or_else(|| error(shown(&name)))
}
