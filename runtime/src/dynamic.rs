//! Call sites that bootstrap methods link (JVMS 5.4.3.6): those of javac become calls of a hidden class
//! ([`carnet_classes::synthetic`]), made once for all domains. So do method handles.

use carnet_classes::class::PoolIndex;
use carnet_classes::synthetic::handle::{Adapter, handle};
use carnet_classes::synthetic::site::arguments;
use carnet_classes::synthetic::{ENTRY, site};

use crate::class::{Class, ClassId, MethodId};
use crate::native::Trap;
use crate::universe::{LinkError, Universe};

/// The method that a call site calls from now on, in every domain.
///
/// # Errors
/// [`Trap`].
pub(crate) fn link(universe: &Universe, class: &Class, constant: u16) -> Result<MethodId, Trap> {
    let error = |message: String| Trap::Link(LinkError::new("java/lang/BootstrapMethodError", message));
    let file = class.parsed().map_err(|reason| error(reason.to_string()))?;
    if !universe.is_trusted(class) {
        let arguments = arguments(&file, PoolIndex(constant)).map_err(|reason| error(reason.to_string()))?;
        universe.check_site(class, constant, &arguments)?;
    }
    let mut name = universe.symbols.text(class.name).to_vec();
    name.extend_from_slice(format!("$$Site{constant}").as_bytes());
    let bytes = site(&file, PoolIndex(constant), &name).map_err(|reason| error(reason.to_string()))?;
    entry(universe, bytes, class.id)
}

/// The method that handles of a kind call, in every domain.
///
/// # Errors
/// [`Trap`].
pub(crate) fn adapter(universe: &Universe, adapter: Adapter) -> Result<MethodId, Trap> {
    let host = universe.load(b"java/lang/invoke/MethodHandle")?;
    let bytes = handle(&adapter, b"java/lang/invoke/MethodHandle$$Adapter").map_err(|reason| {
        Trap::New("java/lang/UnsupportedOperationException", Some(format!("a method handle: {reason}")))
    })?;
    let method = entry(universe, bytes, host)?;
    universe.add_adapter(adapter, method);
    Ok(method)
}

fn entry(universe: &Universe, bytes: Vec<u8>, host: ClassId) -> Result<MethodId, Trap> {
    let made = universe.load_hidden(bytes, host)?;
    let made = universe.class(made).ok_or(Trap::Stray)?;
    let entry = made.methods.iter().find(|method| universe.symbols.text(method.name) == ENTRY);
    entry.map(|method| method.id).ok_or(Trap::Stray)
}
