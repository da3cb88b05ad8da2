//! From the typed tree to bytecode, in one pass.
//!
//! The compiler is small because the tree is closed and typed, and quick because it must be: a client may
//! compile at every call (CompositeCall, section "Compiling extensions": 3.47 µs on a 366 MHz machine). Code is
//! destination-driven: arguments are computed straight into the block of their call, results stay where the call
//! left them as long as nobody changes them, constants and parameters are put into argument blocks once, before
//! the program begins, and not once a round.
//!
//! | file | what it lowers |
//! | --- | --- |
//! | `mod.rs` | the program: parameters, result, tables |
//! | `emit.rs` | instructions, labels, slots, temporaries |
//! | `expr.rs` | expressions |
//! | `condition.rs` | conditions |
//! | `call.rs` | calls |
//! | `stmt.rs` | statements |
//! | `loops.rs` | loops |
//!
//! A loop looks like this; [`bytecode`](crate::bytecode) says why it is bounded:
//!
//! ```text
//!         jump test
//! head:   loop L          counts, stops at the limit
//!         body
//! step:   (next element)
//! test:   condition → head
//! end:
//! ```

mod call;
mod condition;
mod emit;
mod expr;
mod loops;
mod stmt;

use std::collections::{BTreeMap, HashMap};

use crate::bytecode::{NONE, Op, ParamPlace, Program, ResultKind, SlotType, WORDS_MAX};
use crate::tree::{Expr, ExprKind, InterfaceId, Mutability, Pos, Stmt, StmtKind, Tree, Ty, VarId};

/// Why a tree cannot be compiled. Only size and two rare forms: all else was refused by the type checker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A table of the bytecode is full.
    #[error("the program is too large: more than {1} {0}")]
    TooLarge(&'static str, usize),
    /// Not supported yet.
    #[error("not supported yet: {0}")]
    Unsupported(&'static str),
}

/// What [`CompileError::TooLarge`] has too many of, where there is other advice than for the rest.
const NESTED_LOOPS: &str = "loops within each other (a loop over pages counts as two)";
/// As [`NESTED_LOOPS`], of [`CompileError::Unsupported`].
const TEXT_IN_LIST: &str = "`+=` on a text in a list";

impl CompileError {
    /// What to write instead.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            CompileError::TooLarge(NESTED_LOOPS, _) => {
                "keep what is still to do in a list, and walk over it behind the loop that fills it"
            }
            CompileError::TooLarge(..) => {
                "do what is alike in a loop; every call of a `fn` copies its body with all that it declares"
            }
            CompileError::Unsupported(TEXT_IN_LIST) => "write `l[i] = l[i] + …`",
            CompileError::Unsupported(_) => "give the parts of it names with `let`",
        }
    }
}

/// Why the tree of a text cannot be compiled, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Misfit {
    /// Why.
    pub error: CompileError,
    /// Where that shows.
    pub pos: Pos,
}

/// Places of the tree at which a basic block may begin. The tree interpreter charges there what the bytecode
/// interpreter charges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Point {
    /// Of a call or repeat: behind it.
    After,
    /// Of an operand of `&&` and `||` behind the first: its beginning.
    Right,
    /// Of `&&` and `||` used as a value: the false case.
    False,
    /// Of `&&` and `||` used as a value: behind it.
    Value,
    /// Of an inlined function: behind it.
    Left,
    /// Not a place, of an expression: its text or list (or texts) were copied to where they went, not shared.
    Copied,
    /// Not a place, of an expression: they were copied by way of a second place.
    CopiedTwice,
    /// Of a condition of an `if`: its branch; of a loop over pages: where a page was not the last.
    Then,
    /// Of a condition of an `if`: where it does not hold.
    Else,
    /// Behind a statement.
    End,
    /// The `loop` instruction of a body.
    Body,
    /// Where a loop goes on to its next element.
    Step,
    /// A loop's test.
    Test,
    /// The `loop` instruction over pages.
    Page,
    /// Behind the entries of a page.
    PageEnd,
    /// Where a page had entries, so that there may be a next one.
    NextPage,
    /// The block of a `try`.
    Handler,
}

/// Where the points of a tree lie in its bytecode; keys are addresses of tree nodes. A statement and the
/// expression that it begins with may have one address, so statements and expressions have points of their own.
#[derive(Debug, Default)]
pub struct Marks {
    /// Instruction index of each point.
    pub points: HashMap<(usize, Point), u16>,
}

/// Identity of a tree node while the tree is borrowed: its address.
#[must_use]
pub fn node<T>(node: &T) -> usize {
    std::ptr::from_ref(node).addr()
}

/// Lowers `tree` to bytecode.
///
/// # Errors
/// [`CompileError`] if a table is full.
pub fn compile(tree: &Tree) -> Result<Program, CompileError> {
    let mut compiler = Compiler::new(tree, None);
    compiler.lower()?;
    Ok(compiler.named())
}

/// Lowers `tree` to bytecode as it is sent: what [`Program::encode`] writes of what [`compile`] gives, without copies
/// of the names on the way.
///
/// # Errors
/// As [`compile`].
pub fn compile_to_bytes(tree: &Tree) -> Result<Vec<u8>, CompileError> {
    let mut compiler = Compiler::new(tree, None);
    compiler.lower()?;
    let interfaces = tree.interfaces.iter().map(|used| (&used.module[..], &used.name[..]));
    Ok(compiler.out.encode_named(&tree.name, interfaces))
}

/// What of a program its source has names for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The variable that each portal register was made for; a register without a name has the empty one.
    pub registers: Vec<String>,
    /// Variables that can change and are one slot, and which.
    pub variables: Vec<(VarId, u16)>,
}

/// As [`compile`], and says what has which name.
///
/// # Errors
/// As [`compile`], with the place.
pub fn compile_named(tree: &Tree) -> Result<(Program, Names), Misfit> {
    let mut compiler = Compiler::new(tree, None);
    if let Err(error) = compiler.lower() {
        return Err(Misfit { error, pos: compiler.pos });
    }
    let mut names =
        Names { registers: vec![String::new(); compiler.out.registers.len()], variables: Vec::new() };
    for (at, (var, storage)) in tree.vars.iter().zip(&compiler.vars).enumerate() {
        match storage {
            Storage::Register(register) if names.registers[*register as usize].is_empty() => {
                names.registers[*register as usize].clone_from(&var.name);
            }
            Storage::Portals(Portals { registers: Held { first, most, .. }, .. }) => {
                (*first..first + most)
                    .for_each(|register| names.registers[usize::from(register)].clone_from(&var.name));
            }
            Storage::Slot(slot) if let Some(columns) = compiler.columns.get(slot) => {
                for (_, Portals { registers: Held { first, most, .. }, .. }) in columns {
                    (*first..first + most)
                        .for_each(|register| names.registers[usize::from(register)].clone_from(&var.name));
                }
            }
            // Those of the checker's own have names that no source can write.
            Storage::Slot(slot) if var.mutability == Mutability::Changes && !var.name.starts_with('(') => {
                names.variables.push((VarId(at as u16), *slot));
            }
            _ => {}
        }
    }
    Ok((compiler.named(), names))
}

/// As [`compile`], and says where the tree's points went.
///
/// # Errors
/// As [`compile`].
pub fn compile_marked(tree: &Tree) -> Result<(Program, Marks), CompileError> {
    let mut compiler = Compiler::new(tree, Some(Marks::default()));
    compiler.lower()?;
    let marks = compiler.marks.take().unwrap_or_default();
    Ok((compiler.named(), marks))
}

/// Where a variable's value is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Storage {
    /// Not declared yet.
    Nowhere,
    /// A constant.
    Imm(i64),
    /// A slot: scalar, text or list.
    Slot(u16),
    /// The slots of a record, from this one.
    Record(u16),
    /// Element of a list: list slot, slot of the index. Never changes while it is named.
    Element(u16, u16),
    /// A portal register.
    Register(u16),
    /// A list of portals.
    Portals(Portals),
}

/// Where a list of portals is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Portals {
    /// Its registers.
    registers: Held,
    /// The slot that says how many of them count.
    count: u16,
}

/// Portal registers that end together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    first: u16,
    /// More than one only of a list.
    most: u16,
    is_list: bool,
}

/// What an expression came to.
type Val = Storage;

#[derive(Clone, Copy)]
struct Loop {
    /// Label that `continue` goes to.
    next: u16,
    /// Label that `break` goes to.
    end: u16,
    /// Registers held when its body began.
    held: usize,
}

struct Leave {
    result: Option<VarId>,
    end: u16,
    /// Registers held when the function began.
    held: usize,
}

#[derive(Clone, Copy)]
struct Handler {
    label: u16,
    kind: u16,
    message: u16,
}

struct Compiler<'t> {
    tree: &'t Tree,
    out: Program,
    /// Moved to the front at the end: what is put into argument blocks once.
    prologue: Vec<crate::bytecode::Ins>,
    vars: Vec<Storage>,
    /// Instruction index of each label.
    labels: Vec<u32>,
    /// Registers that end with an open block, those of the innermost block last.
    held: Vec<Held>,
    /// How many blocks are open.
    blocks: usize,
    /// The innermost open loop.
    innermost: Option<Loop>,
    leaves: Vec<Leave>,
    handler: Option<Handler>,
    /// Registers of the blocks that ended within the value of the current `try`.
    inner_registers: Vec<Held>,
    /// Registers of the calls in a loop's condition, which is compiled behind the body.
    reserved: BTreeMap<usize, u16>,
    /// A change happens as a whole or not at all: a call in its value may fail and be handled.
    whole: Whole,
    /// Free temporaries, and those in use by the current statement.
    free: Vec<u16>,
    live: Vec<u16>,
    /// Variable whose storage is the program's result, if all `return`s name it.
    result_var: Option<VarId>,
    /// Slots of the result, if they are not a variable's.
    result_slots: u16,
    /// Slots of the literals.
    literals: BTreeMap<Vec<u8>, u16>,
    /// Values of the arguments of the calls that are being compiled, those of the innermost call last.
    values: Vec<Option<Val>>,
    /// First slots of the arguments and results of all calls so far; see [`Site`](call::Site).
    places: Vec<u16>,
    /// Portals of lists of structs, by the list's slot: the word of an element, and where those of this word are.
    columns: BTreeMap<u16, Vec<(u16, Portals)>>,
    /// Slots and calls that strided moves and repeats name, so far.
    spread: u64,
    pos: Pos,
    marks: Option<Marks>,
}

impl<'t> Compiler<'t> {
    fn new(tree: &'t Tree, marks: Option<Marks>) -> Self {
        let out = Program {
            // Who wants names puts them in.
            name: String::new(),
            code: Vec::with_capacity(32),
            ops: tree
                .ops
                .iter()
                .map(|op| crate::bytecode::OpRef { hash: op.hash.0, interface: op.interface.0 })
                .collect(),
            loops: Vec::with_capacity(2),
            enums: tree.enums.iter().map(|e| e.hash.0).collect(),
            slots: Vec::with_capacity(32),
            layouts: Vec::new(),
            layout_words: Vec::new(),
            result: ResultKind::None,
            so_far: NONE,
            result_words: Vec::new(),
            caps: tree.caps.clone(),
            lines: Vec::with_capacity(if tree.body.stmts.first().is_some_and(|stmt| stmt.pos.line > 0) {
                16
            } else {
                0
            }),
            registers: Vec::with_capacity(4),
            params: Vec::with_capacity(tree.params.len()),
            started: NONE,
            literals: Vec::new(),
            interfaces: Vec::new(),
        };
        Compiler {
            tree,
            out,
            prologue: Vec::with_capacity(16),
            vars: vec![Storage::Nowhere; tree.vars.len()],
            labels: Vec::with_capacity(16),
            held: Vec::new(),
            blocks: 0,
            innermost: None,
            leaves: Vec::new(),
            handler: None,
            inner_registers: Vec::new(),
            reserved: BTreeMap::new(),
            whole: Whole::Any,
            free: Vec::new(),
            live: Vec::new(),
            result_var: None,
            result_slots: NONE,
            literals: BTreeMap::new(),
            values: Vec::with_capacity(8),
            places: Vec::with_capacity(16),
            columns: BTreeMap::new(),
            spread: 0,
            pos: Pos::default(),
            marks,
        }
    }

    /// The program, with the names of its tree.
    fn named(self) -> Program {
        let interfaces = self.tree.interfaces.iter().map(|used| (used.module.clone(), used.name.clone()));
        Program { name: self.tree.name.clone(), interfaces: interfaces.collect(), ..self.out }
    }

    fn lower(&mut self) -> Result<(), CompileError> {
        self.params()?;
        self.result()?;
        self.block(&self.tree.body)?;
        if !matches!(self.out.code.last().map(|ins| ins.op), Some(Op::End | Op::Fail)) || self.label_at_end()
        {
            self.end_without_value()?;
        }
        self.finish()
    }

    fn params(&mut self) -> Result<(), CompileError> {
        for param in &self.tree.params {
            let var = param.var;
            let place = match &self.tree.vars[var.index()].ty {
                Ty::Portal(interface) => {
                    let register = self.new_register(*interface)?;
                    self.vars[var.index()] = Storage::Register(register);
                    ParamPlace::Register(register)
                }
                Ty::Record(_) | Ty::List(..) => {
                    return Err(CompileError::Unsupported("records and lists as parameters"));
                }
                ty => {
                    let ty = self.slot_type(ty)?;
                    let slot = self.new_slot(ty)?;
                    self.vars[var.index()] = Storage::Slot(slot);
                    ParamPlace::Slot(slot)
                }
            };
            self.out.params.push(place);
        }
        if let Some(var) = self.tree.vars.iter().position(|v| v.name == "started") {
            let slot = self.new_slot(SlotType::Int)?;
            self.vars[var] = Storage::Slot(slot);
            self.out.started = slot;
        }
        Ok(())
    }

    /// Decides where the result will be: in the variable that every `return` names, if there is one, so that it
    /// can be seen while the program runs; else in slots of its own.
    fn result(&mut self) -> Result<(), CompileError> {
        let Some(ty) = &self.tree.result else { return Ok(()) };
        let mut words = Vec::new();
        match ty {
            Ty::List(element, _) => {
                self.out.result = ResultKind::List;
                self.flatten(element, Flat::Value, &mut words)?;
            }
            ty => {
                self.out.result = ResultKind::Words;
                self.flatten(ty, Flat::Value, &mut words)?;
            }
        }
        if words.len() > WORDS_MAX {
            return Err(CompileError::TooLarge("fields in the result", WORDS_MAX));
        }
        self.out.result_words = words;
        if let Some(var) = result_var(self.tree) {
            self.result_var = Some(var);
            self.declare(var)?;
            self.out.so_far = match self.vars[var.index()] {
                Storage::Slot(slot) | Storage::Record(slot) => slot,
                _ => NONE,
            };
        }
        Ok(())
    }

    fn interface_of(&self, id: InterfaceId) -> u16 {
        id.0
    }
}

/// Whether texts of a flattened type own areas, are variables' words or plain values.
#[derive(Clone, Copy, PartialEq)]
enum Flat {
    /// Variables: texts own an area.
    Owned,
    /// Arguments and values: texts are references.
    Value,
}

/// How a variable of several parts may change.
#[derive(Clone, Copy, PartialEq)]
enum Whole {
    /// Part by part.
    Any,
    /// Only when all parts are there.
    Must,
}

enum Returned {
    Nothing,
    Var(VarId),
    Other,
}

/// The variable that every `return` of a program names, if it is one of several parts: it is what there is of the result
/// while the program runs.
pub(crate) fn result_var(tree: &Tree) -> Option<VarId> {
    let mut only = Returned::Nothing;
    returns(&tree.body.stmts, &mut only);
    match only {
        Returned::Var(var) if matches!(tree.vars[var.index()].ty, Ty::List(..) | Ty::Record(_)) => Some(var),
        _ => None,
    }
}

/// What the `return` statements of a program name.
fn returns(stmts: &[Stmt], seen: &mut Returned) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Return(value) => {
                *seen = match (&*seen, value.as_ref().map(|e| &e.kind)) {
                    (Returned::Nothing, Some(ExprKind::Var(var))) => Returned::Var(*var),
                    (Returned::Var(old), Some(ExprKind::Var(var))) if old == var => Returned::Var(*var),
                    _ => Returned::Other,
                };
            }
            StmtKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, then)| returns(&then.stmts, seen));
                returns(&otherwise.stmts, seen);
            }
            StmtKind::While { body, .. }
            | StmtKind::ForRange { body, .. }
            | StmtKind::ForList { body, .. }
            | StmtKind::ForPaged { body, .. } => returns(&body.stmts, seen),
            StmtKind::Try { otherwise, .. } => returns(&otherwise.stmts, seen),
            _ => {}
        }
    }
}

/// Whether an expression reads a variable.
fn mentions(expr: &Expr, var: VarId) -> bool {
    match &expr.kind {
        ExprKind::Var(v) => *v == var,
        ExprKind::Index(v, e) => *v == var || mentions(e, var),
        ExprKind::Field(e, _) | ExprKind::Len(e) | ExprKind::Neg(e) | ExprKind::Not(e) => mentions(e, var),
        ExprKind::Convert(_, e) | ExprKind::As(_, e) => mentions(e, var),
        ExprKind::Arith(first, rest) => mentions(first, var) || rest.iter().any(|(_, e)| mentions(e, var)),
        ExprKind::Compare(_, a, b) | ExprKind::Test(_, a, b) | ExprKind::Tail(a, b) => {
            mentions(a, var) || mentions(b, var)
        }
        ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Concat(parts) | ExprKind::Record(_, parts) => {
            parts.iter().any(|e| mentions(e, var))
        }
        ExprKind::Call(call) => mentions(&call.target, var) || call.args.iter().any(|e| mentions(e, var)),
        // An inlined function may read any variable through its parameters: say yes, which costs a copy at most.
        ExprKind::Inline(_) => true,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) => false,
        ExprKind::Enum(..) | ExprKind::Text(_) => false,
    }
}
