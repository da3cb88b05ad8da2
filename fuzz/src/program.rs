//! Random valid programs: typed trees as the front end could make them.
//!
//! A tree keeps the rules that the type checker enforces: names in scope, types that fit, functions that change
//! nothing of their caller's, lists that are not changed while a loop goes over them, `try … let` whose block
//! leaves. Texts and lists may be too long for where they go, integers may overflow, indices may be wrong,
//! portals may be null: those are for the engines to find.
//!
//! | file | what it makes |
//! | --- | --- |
//! | `program.rs` | the frame: parameters, types, variables in scope |
//! | `program/stmt.rs` | statements |
//! | `program/repeat.rs` | repeats and strided moves |
//! | `program/expr.rs` | expressions |
//! | `program/union.rs` | unions |

mod expr;
mod repeat;
mod stmt;
mod union;

use carnet_idl::descriptor::Module;
use carnet_program::float::Precision;
use carnet_program::tree::{
    Block, Cap, CapKind, EnumId, Expr, ExprKind, InterfaceId, Mutability, Param, Pos, Record, RecordId, Stmt,
    StmtKind, Tree, Ty, Var, VarId,
};

use crate::entropy::Entropy;
use crate::tables::tree_of;

/// A variable in scope.
#[derive(Clone, Copy)]
struct Visible {
    var: VarId,
    /// Depth of expanded functions at which it was declared.
    frame: usize,
}

/// Where control can leave to.
#[derive(Clone)]
struct Frame {
    /// Loops that are open in this function.
    loops: usize,
    /// For a function: the type of its result.
    leaves: Option<Option<Ty>>,
}

struct Gen<'g, 'e> {
    entropy: &'g mut Entropy<'e>,
    tree: Tree,
    visible: Vec<Visible>,
    frames: Vec<Frame>,
    /// Lists that a loop goes over.
    locked: Vec<VarId>,
    /// Nodes that may still be made.
    left: usize,
    line: u32,
}

/// Makes a program over all of `module`, whose interfaces are its parameters.
///
/// # Panics
/// If the module has no struct and no enum: the generator needs one of each.
#[must_use]
pub fn program(module: &Module, entropy: &mut Entropy<'_>) -> Tree {
    let tree = tree_of(module, own_records(module.structs.len() + module.unions.len()));
    let left = [12, 40, 120, 250][entropy.below(4)];
    let frames = vec![Frame { loops: 0, leaves: None }];
    let mut making = Gen { entropy, tree, visible: Vec::new(), frames, locked: Vec::new(), left, line: 1 };
    making.params(module);
    let result = match making.entropy.below(4) {
        0 => None,
        _ => Some(making.data_type()),
    };
    making.tree.result = result;
    making.tree.body = making.body_of_program();
    if making.entropy.one_in(4) {
        let kind = *making.entropy.pick(&[CapKind::Calls, CapKind::Writes, CapKind::Written]);
        let limit = making.entropy.below(100) as u64;
        making.tree.caps.push(Cap { kind, limit, pos: Pos { line: 1, col: 1 } });
    }
    making.tree
}

/// Records that the program declares; the numbers of those of the module come before.
fn own_records(before: usize) -> Vec<Record> {
    let field = |name: &str, ty: Ty| (name.to_owned(), ty);
    let small = RecordId(before as u16);
    vec![
        Record {
            name: "Small".to_owned(),
            fields: vec![field("n", Ty::Int), field("s", Ty::Str(10)), field("on", Ty::Bool)],
            union: None,
            list: None,
        },
        Record {
            name: "Large".to_owned(),
            fields: vec![
                field("a", Ty::Record(small)),
                field("t", Ty::Bytes(16)),
                field("b", Ty::Record(small)),
                field("s", Ty::Str(4096)),
            ],
            union: None,
            list: None,
        },
        Record { name: "Name".to_owned(), fields: vec![field("name", Ty::Str(20))], union: None, list: None },
        Record {
            name: "Row".to_owned(),
            fields: ["a", "b", "c", "d", "e"].map(|n| field(n, Ty::Int)).into(),
            union: None,
            list: None,
        },
        Record {
            name: "Real".to_owned(),
            fields: vec![
                field("x", Ty::Float(Precision::Double)),
                field("y", Ty::Float(Precision::Single)),
                field("z", Ty::Float(Precision::Double)),
            ],
            union: None,
            list: None,
        },
        // A list within another value, and what holds it.
        Record {
            name: "list(string(12), 4)".to_owned(),
            fields: vec![field("(list)", Ty::Bytes(64))],
            union: None,
            list: Some(Ty::List(Box::new(Ty::Str(12)), 4)),
        },
        Record {
            name: "Group".to_owned(),
            fields: vec![field("n", Ty::Int), field("all", Ty::Record(RecordId(before as u16 + 5)))],
            union: None,
            list: None,
        },
    ]
}

impl Gen<'_, '_> {
    fn params(&mut self, module: &Module) {
        let mut types: Vec<Ty> =
            (0..module.interfaces.len()).map(|k| Ty::Portal(InterfaceId(k as u16))).collect();
        types.extend([Ty::Int, Ty::Bool, Ty::Str(40), Ty::Bytes(64)]);
        types.extend(Precision::ALL.map(Ty::Float));
        types.extend((0..module.enums.len()).map(|k| Ty::Enum(EnumId(k as u16))));
        for ty in types {
            let var = self.declare("p", ty, Mutability::Fixed);
            self.tree.params.push(Param { var, default: None });
        }
    }

    /// The body: statements, and a return where the program should end.
    fn body_of_program(&mut self) -> Block {
        let before = self.visible.len();
        let mut stmts = Vec::new();
        // Nothing but a variable is a list of portals, or of structs that hold some, so that there is one of each.
        let interfaces = (0..self.tree.interfaces.len()).map(|k| Ty::Portal(InterfaceId(k as u16)));
        let records = (0..self.tree.records.len()).map(|k| Ty::Record(RecordId(k as u16)));
        let structs: Vec<Ty> = records.filter(|ty| self.tree.holds_portals(ty)).collect();
        for of in interfaces.chain(structs) {
            let var = self.declare("all", Ty::List(Box::new(of), 3), Mutability::Changes);
            stmts.push(Stmt { pos: self.pos(), kind: StmtKind::Declare(var) });
        }
        while self.left > 0 && stmts.len() < 24 {
            stmts.extend(self.stmt(4));
        }
        if let Some(ty) = self.tree.result.clone().filter(|ty| self.can(ty)) {
            let value = self.expr(&ty, 2);
            stmts.push(Stmt { pos: self.pos(), kind: StmtKind::Return(Some(value)) });
        }
        self.visible.truncate(before);
        Block { stmts }
    }

    fn new_var(&mut self, name: &str, ty: Ty, mutability: Mutability) -> VarId {
        let id = VarId(self.tree.vars.len() as u16);
        self.tree.vars.push(Var { name: format!("{name}{}", id.0), ty, mutability });
        id
    }

    /// A new variable, in scope from here on.
    fn declare(&mut self, name: &str, ty: Ty, mutability: Mutability) -> VarId {
        let var = self.new_var(name, ty, mutability);
        self.see(var);
        var
    }

    fn see(&mut self, var: VarId) {
        self.visible.push(Visible { var, frame: self.frames.len() });
    }

    fn pos(&mut self) -> Pos {
        self.line += 1;
        Pos { line: self.line, col: 1 }
    }

    fn make(&self, kind: ExprKind) -> Expr {
        Expr { pos: Pos { line: self.line, col: 2 }, kind }
    }

    /// Takes from what may still be made; whether there was enough.
    fn spend(&mut self, nodes: usize) -> bool {
        let enough = self.left >= nodes;
        self.left = self.left.saturating_sub(nodes);
        enough
    }

    fn ty(&self, var: VarId) -> &Ty {
        &self.tree.vars[var.index()].ty
    }

    /// Variables in scope for which `good` holds.
    fn vars(&self, good: impl Fn(&Visible, &Var) -> bool) -> Vec<VarId> {
        let good = |v: &&Visible| good(v, &self.tree.vars[v.var.index()]);
        self.visible.iter().filter(good).map(|v| v.var).collect()
    }

    /// Variables that a statement here may change.
    fn changeable(&self, good: impl Fn(&Ty) -> bool) -> Vec<VarId> {
        let depth = self.frames.len();
        self.vars(|v, var| var.mutability == Mutability::Changes && v.frame == depth && good(&var.ty))
    }

    fn scalar_type(&mut self) -> Ty {
        match self.entropy.below(10) {
            0..=3 => Ty::Int,
            4 | 5 => Ty::Bool,
            6 => Ty::Float(Precision::Double),
            7 => Ty::Float(Precision::Single),
            _ => Ty::Enum(EnumId(self.entropy.below(self.tree.enums.len()) as u16)),
        }
    }

    /// A type of what lists hold.
    fn element_type(&mut self) -> Ty {
        match self.entropy.below(6) {
            0 | 1 => self.scalar_type(),
            2 => Ty::Str(*self.entropy.pick(&[4, 12, 300])),
            3 => Ty::Bytes(16),
            _ => self.record_type(),
        }
    }

    /// A record that is a value: one that holds portals is none.
    fn record_type(&mut self) -> Ty {
        let records = (0..self.tree.records.len()).map(|k| Ty::Record(RecordId(k as u16)));
        let values: Vec<Ty> = records.filter(|ty| !self.tree.holds_portals(ty)).collect();
        self.entropy.pick(&values).clone()
    }

    /// A type of values.
    fn data_type(&mut self) -> Ty {
        match self.entropy.below(10) {
            0..=3 => self.scalar_type(),
            4 | 5 => Ty::Str(*self.entropy.pick(&[3, 10, 40, 300, 4096, 10_000])),
            6 => Ty::Bytes(*self.entropy.pick(&[8, 64, 300])),
            7 | 8 => self.record_type(),
            _ => Ty::List(Box::new(self.element_type()), *self.entropy.pick(&[1, 3, 6, 40])),
        }
    }
}

/// Whether a value of type `from` may go where one of type `to` is wanted.
fn fits(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Str(_), Ty::Str(_)) | (Ty::Bytes(_), Ty::Bytes(_)) => true,
        (Ty::List(a, _), Ty::List(b, _)) => a == b,
        _ => from == to,
    }
}
