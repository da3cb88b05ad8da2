//! Programs made by Rust calls: constructors of the typed tree (CompositeCall, Figure 3).
//!
//! Constructors are free functions that check nothing; [`Builder::build`] checks names, arguments and types and
//! makes a [`Tree`], which [`compile`](crate::compile) takes like one that was made of source text. The paper's
//! program for copy, where `Read` and `Write` are calls on two files:
//!
//! ```
//! use carnet_program::builder::{Builder, Type, greater, len, named, sequence, set, while_};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let files = carnet_idl::compile_str("files.idl", "module files { interface File {
//! #   @reads sequence<octet, 65536> next(in long long n);
//! #   long long append(in sequence<octet, 65536> data); }; };").unwrap();
//! let mut vars = Builder::new("copy", &[&files]);
//! let (from, to) = (vars.param("from", named("files.File")), vars.param("to", named("files.File")));
//! let buf = vars.var("buf", Type::Bytes(65_536));
//! let read = || set(buf, from.call("next", [65_536]));
//! let write = || to.call("append", [buf]);
//!
//! let copy = sequence((read(),
//!     while_(greater(len(buf), 0), (
//!         write(),
//!         read(),
//!     )),
//! ));
//! let program = carnet_program::compile::compile(&vars.build(copy)?)?;
//! # assert_eq!(program.loops.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Builder`] | parameters, variables and records of one program: the paper's VarTable |
//! | [`Var`] | a variable of it |
//! | [`Value`], [`Call`] | expressions |
//! | [`Command`] | statements |
//! | [`BuildError`] | what is wrong with them |
//!
//! A program can be passed from one part of a client to the next, each adding what it has to do, and be sent once:
//! [`Builder::extend`] goes on with a tree that is there.
//!
//! ```
//! use carnet_program::builder::{Builder, Type, named};
//! use carnet_program::tree::Tree;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let files = carnet_idl::compile_str("files.idl", "module files { interface File {
//! #   @reads sequence<octet, 65536> next(in long long n);
//! #   long long append(in sequence<octet, 65536> data); }; };").unwrap();
//! let mut first = Builder::new("notes", &[&files]);
//! let to = first.param("to", named("files.File"));
//! let note = first.param("note", Type::Bytes(100));
//! let sent = first.build(to.call("append", [note]))?.encode();
//!
//! let mut second = Builder::extend(Tree::decode(&sent)?, &[&files])?;
//! let to = second.existing("to").ok_or("no such parameter")?;
//! let more = second.param("more", Type::Bytes(100));
//! let tree = second.build(to.call("append", [more]))?;
//! assert_eq!((tree.params.len(), tree.body.stmts.len()), (3, 2));
//! # Ok(())
//! # }
//! ```
//!
//! Variables of [`Builder::var`] start as zero and may change anywhere; names of [`Builder::name`] get their value
//! once, from [`let_`] or a loop, which also gives them their type, and end with its block. What it does not do:
//! inline functions are Rust functions here, and constants are not folded.

mod check;
mod error;
mod nodes;

use carnet_idl::descriptor::Module;

use crate::import::Tables;
use crate::tree::{Bind, Cap, CapKind, Const, Pos, StmtKind, Tree, VarId};

pub use error::BuildError;
pub use nodes::*;

/// A variable of a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Var(u16);

/// A type, by name where it comes from an interface or is a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Signed 64-bit integer.
    Int,
    /// Truth value.
    Bool,
    /// Number with a fraction, of 32 bits.
    Float,
    /// Number with a fraction, of 64 bits.
    Double,
    /// Bytes without NUL, at most so many.
    Str(u32),
    /// Bytes, at most so many.
    Bytes(u32),
    /// At most so many elements.
    List(Box<Type>, u32),
    /// Interface, enum or struct of a module (`files.File`), or a record of the program.
    Named(String),
}

/// The type of this name: `files.File`, `files.Kind`, or a record of the program.
#[must_use]
pub fn named(name: &str) -> Type {
    Type::Named(name.to_owned())
}

/// A list of at most `max` elements.
#[must_use]
pub fn list(of: Type, max: u32) -> Type {
    Type::List(Box::new(of), max)
}

/// One program in the making.
#[derive(Clone, Debug)]
pub struct Builder<'m> {
    name: String,
    tables: Tables<'m>,
    vars: Vec<Made>,
    records: Vec<(String, Vec<(String, Type)>)>,
    result: Option<Type>,
    caps: Vec<Cap>,
    /// The program that is extended.
    base: Option<Tree>,
}

/// A variable as it was asked for.
#[derive(Clone, Debug)]
struct Made {
    name: String,
    role: Role,
}

#[derive(Clone, Debug)]
enum Role {
    Param(Type, Option<Const>),
    Declared(Type),
    /// Gets its type from where it gets its value.
    Given,
    /// The time at which the run began.
    Started,
    /// Of the program that is extended, and whether it can be used behind its end.
    There(Reach),
}

/// Whether a variable can be used behind the end of its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// A parameter, or declared in the outermost block.
    Outermost,
    /// Its block has ended.
    Ended,
}

impl<'m> Builder<'m> {
    /// A program of this name that may use these modules.
    #[must_use]
    pub fn new(name: &str, modules: &[&'m Module]) -> Builder<'m> {
        Builder {
            name: name.to_owned(),
            tables: Tables::new(modules),
            vars: Vec::new(),
            records: Vec::new(),
            result: None,
            caps: Vec::new(),
            base: None,
        }
    }

    /// Goes on with a program that is there: what is built is done behind what it does. It keeps its name, its parameters,
    /// which come first, and its caps.
    ///
    /// # Errors
    /// [`BuildError`] if it breaks a rule of trees, is not of these modules, or always ends itself, so that nothing comes
    /// behind it.
    pub fn extend(tree: Tree, modules: &[&'m Module]) -> Result<Builder<'m>, BuildError> {
        tree.check()?;
        let tables = Tables::adopt(&tree, modules)?;
        if check::leaves(&tree.body.stmts) {
            return Err(BuildError::Ended(tree.name));
        }
        let reach = reach(&tree);
        let made = tree.vars.iter().zip(reach);
        let vars = made.map(|(var, reach)| Made { name: var.name.clone(), role: Role::There(reach) });
        Ok(Builder {
            name: tree.name.clone(),
            tables,
            vars: vars.collect(),
            records: Vec::new(),
            result: None,
            caps: tree.caps.clone(),
            base: Some(tree),
        })
    }

    /// A variable of the program that is extended: a parameter, or one that its outermost block declares.
    #[must_use]
    pub fn existing(&self, name: &str) -> Option<Var> {
        let is_it = |made: &Made| made.name == name && matches!(made.role, Role::There(Reach::Outermost));
        let at = self.vars.iter().rposition(is_it)?;
        u16::try_from(at).ok().map(Var)
    }

    /// A parameter.
    pub fn param(&mut self, name: &str, ty: Type) -> Var {
        self.make(name, Role::Param(ty, None))
    }

    /// A parameter that a run may leave out.
    pub fn param_or(&mut self, name: &str, ty: Type, default: Const) -> Var {
        self.make(name, Role::Param(ty, Some(default)))
    }

    /// A variable that starts as zero, empty, or the first value of its enum. No portal.
    pub fn var(&mut self, name: &str, ty: Type) -> Var {
        self.make(name, Role::Declared(ty))
    }

    /// A name for what [`let_`] or a loop gives it.
    pub fn name(&mut self, name: &str) -> Var {
        self.make(name, Role::Given)
    }

    /// The time at which the run began, in ns since 1970.
    pub fn started(&mut self) -> Var {
        self.existing("started").unwrap_or_else(|| self.make("started", Role::Started))
    }

    /// A record type, which can be named from then on.
    pub fn record(&mut self, name: &str, fields: &[(&str, Type)]) {
        let fields = fields.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())).collect();
        self.records.push((name.to_owned(), fields));
    }

    /// The type of the result.
    pub fn returns(&mut self, ty: Type) {
        self.result = Some(ty);
    }

    /// A cap of the whole run.
    pub fn at_most(&mut self, kind: CapKind, limit: u64) {
        self.caps.push(Cap { kind, limit, pos: Pos::default() });
    }

    /// Checks the program with this body and makes its tree.
    ///
    /// # Errors
    /// The first [`BuildError`].
    pub fn build(self, body: impl Commands) -> Result<Tree, BuildError> {
        check::build(self, body.into_commands())
    }

    fn make(&mut self, name: &str, role: Role) -> Var {
        // One too many is found when the program is built.
        let var = Var(u16::try_from(self.vars.len()).unwrap_or(u16::MAX));
        self.vars.push(Made { name: name.to_owned(), role });
        var
    }
}

/// How far each variable of a program reaches.
fn reach(tree: &Tree) -> Vec<Reach> {
    let mut reach = vec![Reach::Ended; tree.vars.len()];
    let mut outermost = |var: VarId| reach[var.index()] = Reach::Outermost;
    tree.params.iter().for_each(|param| outermost(param.var));
    for stmt in &tree.body.stmts {
        match &stmt.kind {
            StmtKind::Let { var, .. }
            | StmtKind::Declare(var)
            | StmtKind::Try { bind: Bind::Let(var), .. } => outermost(*var),
            StmtKind::LetParts { vars, .. } | StmtKind::Try { bind: Bind::Parts(vars), .. } => {
                vars.iter().for_each(|var| outermost(*var));
            }
            _ => {}
        }
    }
    if let Some(started) = tree.vars.iter().position(|var| var.name == "started") {
        reach[started] = Reach::Outermost;
    }
    reach
}
