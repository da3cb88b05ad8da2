//! The copy loop of Figure 9 over services that do nothing, and variants of it, made by the builder.

use carnet_program::builder::{Builder, Type, Var, greater, named, while_};
use carnet_program::tree::Tree;

use crate::services::{null, other};

/// A variant of the null copy loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `while read(i, j, k) > 0 { write(i, j, k) }`.
    Plain,
    /// `write(k, j, i)`.
    Exchanged,
    /// A third call in the loop.
    ThirdCall,
    /// Another service, with other names and numbers of operations.
    OtherService,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 4] =
        [Variant::Plain, Variant::Exchanged, Variant::ThirdCall, Variant::OtherService];

    /// Its name in the results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Variant::Plain => "interp",
            Variant::Exchanged => "interp, operands exchanged",
            Variant::ThirdCall => "interp, a third call",
            Variant::OtherService => "interp, another service",
        }
    }

    /// Instructions of bytecode in one iteration: loop, calls, test.
    #[must_use]
    pub fn instructions(self) -> f64 {
        if self == Variant::ThirdCall { 5.0 } else { 4.0 }
    }

    /// What the service's sum is after `n` iterations with the arguments 1, 2, 3.
    #[must_use]
    pub fn sum(self, n: i64) -> i64 {
        match self {
            Variant::Plain | Variant::OtherService => 14 * n,
            Variant::Exchanged => 10 * n,
            Variant::ThirdCall => 28 * n,
        }
    }
}

/// Iterations that the loop may have at most.
const LIMIT: u64 = 1 << 40;

/// The tree of a variant.
///
/// # Errors
/// What the builder finds wrong, which would be a bug.
pub fn tree(variant: Variant) -> Result<Tree, String> {
    let mut vars = Builder::new("copy", &[null::module(), other::module()]);
    let interface = if variant == Variant::OtherService { "other.Tape" } else { "null.Null" };
    let service = vars.param("service", named(interface));
    let [i, j, k]: [Var; 3] = ["i", "j", "k"].map(|name| vars.param(name, Type::Int));
    let copy = match variant {
        Variant::Plain => {
            while_(greater(service.call("read", (i, j, k)), 0), (service.call("write", (i, j, k)),))
        }
        Variant::Exchanged => {
            while_(greater(service.call("read", (i, j, k)), 0), (service.call("write", (k, j, i)),))
        }
        Variant::ThirdCall => while_(
            greater(service.call("read", (i, j, k)), 0),
            (service.call("write", (i, j, k)), service.call("again", (i, j, k))),
        ),
        Variant::OtherService => {
            while_(greater(service.call("scan", (i, j, k)), 0), (service.call("punch", (i, j, k)),))
        }
    };
    vars.build(copy.limit(LIMIT)).map_err(|error| error.to_string())
}
