//! The ast to a typed tree: names, types, constants, expansion.
//!
//! Each function is checked once, into a template; a call copies the template, so that the cost is that of
//! the text plus that of the copies, which are bounded (`growth`). A fault in a declaration leaves
//! a poisoned name behind, whose uses report nothing more.
//!
//! | part | what it does |
//! | --- | --- |
//! | this file | the order of the work; the program's header |
//! | `scope` | names of variables, their lifetimes |
//! | `globals` | names of the file and of the interfaces it uses |
//! | `types` | types as written to types of the tree; what is assignable; words for messages |
//! | `tables` | what descriptors give the tables of the tree, with places for faults |
//! | `declarations` | constants, records, functions, parameters |
//! | `statements`, `loops`, `places` | statements |
//! | `values`, `operators` | expressions |
//! | `calls`, `records`, `arguments` | operations and functions, records, and what they are given |
//! | `packed` | lists within other values |
//! | `unions` | unions of interfaces, made and gone by |
//! | `parts` | calls of several results that no record holds |
//! | `arrays` | call arrays |
//! | `fold` | constants computed beforehand |
//! | `expand`, `walk`, `prune` | copies of templates; what is not used leaves the tables |
//! | `growth` | how much longer than its text a tree may be |

mod arguments;
mod arrays;
mod calls;
mod chosen;
mod declarations;
mod expand;
mod fold;
mod globals;
mod groups;
mod growth;
mod loops;
mod operators;
mod packed;
mod parts;
mod places;
mod prune;
mod records;
mod scope;
mod statements;
mod tables;
mod types;
mod unions;
mod values;
mod walk;

use super::Read;
use super::ast::{Amount, Cap, File, Program};
use super::faults::{Faults, Reported};
use super::lexer::Unit as NumberUnit;
use crate::import::Tables;
use crate::tree::{self, Mutability, OpId, Pos, RecordId, Tree, Ty, Var, VarId};
use carnet_idl::descriptor::Module;
use carnet_idl::diagnostic::{Diagnostic, Span};
use globals::Globals;
use growth::Grown;
use parts::Parts;
use scope::Scope;
use std::collections::HashMap;
use std::sync::Arc;
use tables::{Groups, Slots};

type Checked<T> = Result<T, Reported>;

/// How deep the tree nests at most, after expansion.
const DEPTH_MAX: u32 = 400;

/// The places of all statements of a tree, of expanded functions, too.
pub(super) fn statements(tree: &Tree) -> Vec<Pos> {
    let (mut body, mut places) = (tree.body.clone(), Vec::new());
    walk::walk_block(&mut body, &mut |id| {
        if let walk::Id::Stmt(pos) = id {
            places.push(pos);
        }
    });
    places
}

/// Checks a file; `None` or a tree of no worth if there are faults.
pub(super) fn check(
    file: &File<'_>,
    text: &str,
    modules: &[Arc<Module>],
    faults: &mut Faults,
) -> Option<Read> {
    let mut checker = Checker {
        faults,
        text,
        line_starts: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect(),
        modules,
        globals: Globals::default(),
        tables: Tables::default(),
        record_slots: HashMap::new(),
        op_slots: HashMap::new(),
        unit: Unit::new(UnitKind::Constant, None),
        grown: Grown::default(),
    };
    checker.globals.note_all(file);
    for name in &file.uses {
        checker.use_module(*name);
    }
    for item in &file.items {
        checker.item(item);
    }
    match &file.commands {
        Some(commands) => {
            checker.array(&file.program, commands).ok().map(|array| Read::Array(Box::new(array)))
        }
        None => checker.program(&file.program).ok().map(Read::Program),
    }
}

/// What is known while checking.
struct Checker<'a, 'f> {
    faults: &'f mut Faults,
    text: &'f str,
    line_starts: Vec<usize>,
    modules: &'a [Arc<Module>],
    globals: Globals<'a>,
    tables: Tables<'a>,
    record_slots: HashMap<RecordId, Slots>,
    op_slots: HashMap<OpId, (Slots, Groups)>,
    unit: Unit<'a>,
    grown: Grown,
}

/// What has variables of its own: the program, a function, a constant.
struct Unit<'a> {
    kind: UnitKind<'a>,
    result: Option<Ty>,
    vars: Vec<Var>,
    scope: Scope<'a>,
    /// What names stand for that are the results of a call.
    parts: Vec<Parts>,
    /// The variable `started`, once it is used.
    started: Option<VarId>,
    /// Loops around the place being checked: the list that each walks over, if it does.
    loops: Vec<Option<VarId>>,
    /// For each `try` around the place: what the calls in it raise.
    tries: Vec<Vec<Raise>>,
    /// An operation in the innermost `try` that raises what none can catch.
    uncaught: Option<String>,
    /// For each block of a `try` around the place: `error.kind` and `error.message`.
    errors: Vec<(VarId, VarId)>,
    /// What is raised outside of any `try`.
    raised: Vec<Raise>,
    depth: u32,
    deepest: u32,
}

/// What an operation raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Raise {
    kind: tree::EnumId,
    message_max: u32,
}

/// What a [`Unit`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnitKind<'a> {
    /// A constant: no variables.
    Constant,
    /// A function.
    Function(&'a str),
    /// The program.
    Program(&'a str),
}

impl<'a> UnitKind<'a> {
    /// As it is called in messages.
    fn shown(self) -> String {
        match self {
            UnitKind::Constant => "the constant".to_owned(),
            UnitKind::Function(name) | UnitKind::Program(name) => format!("`{name}`"),
        }
    }
}

impl<'a> Unit<'a> {
    fn new(kind: UnitKind<'a>, result: Option<Ty>) -> Unit<'a> {
        Unit {
            kind,
            result,
            vars: vec![],
            scope: Scope::default(),
            parts: vec![],
            started: None,
            loops: vec![],
            tries: vec![],
            uncaught: None,
            errors: vec![],
            raised: vec![],
            depth: 0,
            deepest: 0,
        }
    }
}

/// A value of the tree and its type.
#[derive(Clone, Debug)]
struct Typed {
    expr: tree::Expr,
    ty: Ty,
}

impl<'a> Checker<'a, '_> {
    fn program(&mut self, program: &Program<'a>) -> Checked<Tree> {
        let function = &program.function;
        let name = function.name;
        if self.globals.get(name.text).is_some() {
            let _ = self.shadows(name);
        }
        let result = function.result.as_ref().map(|ty| self.type_of(ty)).transpose();
        if let (Ok(Some(Ty::Portal(_))), Some(written)) = (&result, &function.result) {
            let fault = Diagnostic::error("portal", written.span, "a program's result cannot be a portal");
            self.faults.push(fault.label("portals are released when the program ends"));
        }
        self.unit = Unit::new(UnitKind::Program(name.text), result.as_ref().ok().cloned().flatten());
        let params = self.program_params(&function.params);
        let caps = self.caps(&program.caps);
        let body = self.body(&function.body);
        if let (Ok(Some(_)), Err(at)) = (&result, body.1) {
            self.missing_return(at);
        }
        let params = params?;
        let result = result?;
        if !self.faults.is_empty() {
            return Err(Reported);
        }
        let tables = std::mem::take(&mut self.tables);
        let mut tree = Tree {
            name: name.text.to_owned(),
            interfaces: tables.interfaces,
            enums: tables.enums,
            records: tables.records,
            ops: tables.ops,
            vars: std::mem::take(&mut self.unit.vars),
            params,
            result,
            caps,
            body: body.0,
        };
        prune::prune(&mut tree);
        Ok(tree)
    }

    fn caps(&mut self, caps: &[Cap<'a>]) -> Vec<tree::Cap> {
        let mut checked: Vec<tree::Cap> = vec![];
        for cap in caps {
            let Ok(limit) = self.cap_limit(cap) else { continue };
            if checked.iter().any(|other| other.kind == cap.kind) {
                let fault = Diagnostic::error("duplicate", cap.span, "this is capped already");
                self.faults.push(fault.label("found a second cap of the same kind"));
            }
            checked.push(tree::Cap { kind: cap.kind, limit, pos: self.pos(cap.span) });
        }
        checked
    }

    /// The number of a cap, in the unit of its kind.
    fn cap_limit(&mut self, cap: &Cap<'a>) -> Checked<u64> {
        use tree::CapKind;
        let limit = self.amount(cap.limit)?;
        let Amount::Int(_, unit, span) = cap.limit else { return Ok(limit) };
        let (fits, expected, example) = match cap.kind {
            CapKind::Writes | CapKind::Calls => {
                (unit == NumberUnit::None, "a number without unit", "200 writes")
            }
            CapKind::Written | CapKind::Returned => (unit != NumberUnit::Time, "bytes", "10MiB written"),
            CapKind::Time => (unit == NumberUnit::Time, "a time with its unit", "30s time"),
        };
        if fits {
            return Ok(limit);
        }
        let fault = Diagnostic::error("unit", span, format!("this cap takes {expected}"));
        let found = match unit {
            NumberUnit::None => "a number without unit",
            NumberUnit::Bytes => "bytes",
            NumberUnit::Time => "a time",
        };
        Err(self.faults.report(fault.label(format!("found {found}, expected {expected}, e.g. `{example}`"))))
    }

    /// Line and column of a span's start, for the tree.
    fn pos(&self, span: Span) -> Pos {
        let line = self.line(span);
        let col = 1 + span.start - self.line_starts[line - 1];
        Pos { line: line as u32, col: col as u32 }
    }

    /// Line of a span's start, from 1.
    fn line(&self, span: Span) -> usize {
        self.line_starts.partition_point(|start| *start <= span.start).max(1)
    }

    /// A new variable.
    fn new_var(&mut self, name: &str, ty: Ty, mutability: Mutability, span: Span) -> Checked<VarId> {
        let index = self.index(self.unit.vars.len(), "variables", span)?;
        self.unit.vars.push(Var { name: name.to_owned(), ty, mutability });
        Ok(VarId(index))
    }

    /// An index into a table of `len` things; there are at most 65,535 of each.
    fn index(&mut self, len: usize, things: &str, span: Span) -> Checked<u16> {
        match u16::try_from(len) {
            Ok(index) if index < u16::MAX => Ok(index),
            _ => {
                let message =
                    format!("a program has at most 65,535 {things}, those of its functions included");
                Err(self.faults.report(Diagnostic::error("too-large", span, message)))
            }
        }
    }

    /// Does `inner` one level deeper in the tree.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.unit.depth += 1;
        self.unit.deepest = self.unit.deepest.max(self.unit.depth);
        let result = inner(self);
        self.unit.depth -= 1;
        result
    }
}
