//! Looking on while a tree is run: for debuggers.

use std::ops::ControlFlow;

use carnet_portal::call::Failure;

use super::Value;
use crate::limits::Budget;
use crate::tree::{Op, Pos, Tree, VarId};

/// Looks on, and may end the run: it stops as one that is cancelled.
pub trait Watch {
    /// A statement is about to be carried out.
    fn statement(&mut self, pos: Pos, state: &State<'_>) -> ControlFlow<()>;

    /// A call is about to be made.
    fn call(&mut self, call: &Call<'_>, state: &State<'_>) -> ControlFlow<()>;

    /// A call was made: what came back, in the order of [`Op::results`].
    fn returned(&mut self, call: &Call<'_>, came: Result<&[Value], &Failure>, state: &State<'_>);
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The operation.
    pub op: &'a Op,
    /// Its arguments; in place of a portal 0.
    pub args: &'a [Value],
}

/// How a run is.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// The program.
    pub tree: &'a Tree,
    /// Variables that are declared, the outermost first.
    pub vars: &'a [VarId],
    /// What they are worth, by number; portals are worth nothing.
    pub values: &'a [Option<Value>],
    /// Calls so far, by operation.
    pub counts: &'a [u64],
    /// What is left.
    pub budget: &'a Budget,
}
