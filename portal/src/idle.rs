//! An object for tests in which nobody calls one.

use std::any::Any;
use std::sync::LazyLock;

use carnet_idl::descriptor::{InterfaceId, Module};

use crate::call::{Call, Failure, Object};

static MODULE: LazyLock<Module> = LazyLock::new(|| {
    carnet_idl::compile_str("t.idl", "module t { interface T { void get(); }; };").expect("it compiles")
});

/// Does nothing.
pub(crate) struct Idle;

impl Object for Idle {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&MODULE, InterfaceId(0))
    }

    fn dispatch(&self, _: u16, _: &mut Call<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}
