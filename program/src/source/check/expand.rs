//! Functions in line: a call is a copy of the checked body with variables of its own.
//!
//! Growth is bounded by [`charge`](Checker::charge), nesting by [`DEPTH_MAX`].

use super::super::ast::Arg;
use super::tables::Slots;
use super::values::Worth;
use super::{Checked, Checker, DEPTH_MAX, Raise, Unit};
use crate::tree::{
    Bind, Block, CallExpr, Expr, ExprKind, Inline, Mutability, OpId, Place, Stmt, StmtKind, Tree, Ty, Var,
    VarId,
};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// A function that was checked.
#[derive(Debug)]
pub(super) struct Template {
    name: String,
    slots: Slots,
    result: Option<Ty>,
    /// The parameters come first.
    vars: Vec<Var>,
    started: Option<VarId>,
    body: Block,
    raises: Vec<Raise>,
    /// Size of the body.
    nodes: usize,
    /// How deep the body nests.
    depth: u32,
}

impl Template {
    pub(super) fn new(
        name: &str,
        unit: Unit<'_>,
        slots: Slots,
        result: Option<Ty>,
        mut body: Block,
    ) -> Template {
        let mut nodes = unit.vars.len() + slots.len();
        walk_block(&mut body, &mut |id| {
            if let Id::Node(size) = id {
                nodes += size;
            }
        });
        Template {
            name: name.to_owned(),
            slots,
            result,
            vars: unit.vars,
            started: unit.started,
            body,
            raises: unit.raised,
            nodes,
            depth: unit.deepest,
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// A call of a function.
    pub(super) fn expand(&mut self, template: &Template, args: &[Arg<'a>], span: Span) -> Checked<Worth> {
        let bound = self.bind(&template.name, &template.slots, args, span)?;
        let given = self.check_all_given(&template.name, &template.slots, &bound, span);
        let values = self.evaluate(&template.slots, &bound)?;
        given?;
        self.charge(template.nodes, span)?;
        self.check_depth(template, span)?;
        let vars = self.copied_vars(template, span)?;
        let pos = self.pos(span);
        let mut stmts = vec![];
        let mut is_given = vec![false; template.slots.len()];
        for (slot, value) in values {
            is_given[slot] = true;
            stmts.push(Stmt { pos: value.pos, kind: StmtKind::Let { var: vars[slot], value } });
        }
        for (at, slot) in template.slots.iter().enumerate().filter(|(at, _)| !is_given[*at]) {
            let Some(default) = &slot.default else { continue };
            let value = Expr { pos, kind: default.expr.kind.clone() };
            stmts.push(Stmt { pos, kind: StmtKind::Let { var: vars[at], value } });
        }
        let mut body = template.body.clone();
        walk_block(&mut body, &mut |id| {
            if let Id::Var(var) = id {
                *var = vars[var.index()];
            }
        });
        stmts.append(&mut body.stmts);
        for raise in &template.raises {
            self.raise(*raise);
        }
        let result = match &template.result {
            Some(ty) => Some(self.new_var("(result)", ty.clone(), Mutability::Changes, span)?),
            None => None,
        };
        let inline = Inline { result, body: Block { stmts } };
        Ok((Expr { pos, kind: ExprKind::Inline(Box::new(inline)) }, template.result.clone()))
    }

    fn check_depth(&mut self, template: &Template, span: Span) -> Checked<()> {
        let depth = self.unit.depth + template.depth + 2;
        if depth > DEPTH_MAX {
            let fault = Diagnostic::error(
                "too-deep",
                span,
                "the program nests too deep when its functions are expanded",
            );
            return Err(self.faults.report(fault.help("call the function in a statement of its own")));
        }
        self.unit.deepest = self.unit.deepest.max(depth);
        Ok(())
    }

    /// Variables for a copy: new ones, but `started` is the same everywhere.
    fn copied_vars(&mut self, template: &Template, span: Span) -> Checked<Vec<VarId>> {
        let mut vars = Vec::with_capacity(template.vars.len());
        for (at, var) in template.vars.iter().enumerate() {
            let is_started = template.started.is_some_and(|started| started.index() == at);
            vars.push(if is_started {
                self.started(span)?
            } else {
                self.new_var(&var.name, var.ty.clone(), var.mutability, span)?
            });
        }
        Ok(vars)
    }
}

/// Leaves only the operations that the program calls; functions that nobody calls may have named others.
pub(super) fn drop_unused_ops(tree: &mut Tree) {
    let mut used = vec![false; tree.ops.len()];
    walk_block(&mut tree.body, &mut |id| {
        if let Id::Op(op) = id {
            used[op.index()] = true;
        }
    });
    let mut next = 0;
    let numbers: Vec<OpId> = used
        .iter()
        .map(|used| {
            next += u16::from(*used);
            OpId(next.saturating_sub(1))
        })
        .collect();
    walk_block(&mut tree.body, &mut |id| {
        if let Id::Op(op) = id {
            *op = numbers[op.index()];
        }
    });
    let mut used = used.iter();
    tree.ops.retain(|_| used.next().is_some_and(|used| *used));
}

/// What a walk over a tree meets.
enum Id<'t> {
    Var(&'t mut VarId),
    Op(&'t mut OpId),
    /// A node, and how much it weighs: texts weigh more.
    Node(usize),
}

type Visit<'v> = &'v mut dyn FnMut(Id<'_>);

fn walk_block(block: &mut Block, visit: Visit<'_>) {
    for stmt in &mut block.stmts {
        visit(Id::Node(1));
        walk_stmt(&mut stmt.kind, visit);
    }
}

fn walk_stmt(stmt: &mut StmtKind, visit: Visit<'_>) {
    match stmt {
        StmtKind::Let { var, value } => {
            visit(Id::Var(var));
            walk(value, visit);
        }
        StmtKind::Declare(var) => visit(Id::Var(var)),
        StmtKind::Assign { place, value } | StmtKind::Update { place, op: _, value } => {
            walk_place(place, visit);
            walk(value, visit);
        }
        StmtKind::Add { list, value } => {
            visit(Id::Var(list));
            walk(value, visit);
        }
        StmtKind::Sort { list, keys: _ } => visit(Id::Var(list)),
        StmtKind::Do(value) | StmtKind::Fail(value) => walk(value, visit),
        StmtKind::If { cond, then, otherwise } => {
            walk(cond, visit);
            walk_block(then, visit);
            walk_block(otherwise, visit);
        }
        StmtKind::Return(value) | StmtKind::Leave(value) => {
            value.iter_mut().for_each(|value| walk(value, visit))
        }
        StmtKind::Break | StmtKind::Continue => {}
        StmtKind::Try { bind, value, kind, message, otherwise } => {
            match bind {
                Bind::None => {}
                Bind::Let(var) => visit(Id::Var(var)),
                Bind::Assign(place) => walk_place(place, visit),
            }
            walk(value, visit);
            visit(Id::Var(kind));
            visit(Id::Var(message));
            walk_block(otherwise, visit);
        }
        StmtKind::While { .. }
        | StmtKind::ForRange { .. }
        | StmtKind::ForList { .. }
        | StmtKind::ForPaged { .. } => {
            walk_loop(stmt, visit);
        }
    }
}

fn walk_loop(stmt: &mut StmtKind, visit: Visit<'_>) {
    match stmt {
        StmtKind::While { cond, limit: _, body } => {
            walk(cond, visit);
            walk_block(body, visit);
        }
        StmtKind::ForRange { var, from, to, limit: _, body } => {
            visit(Id::Var(var));
            walk(from, visit);
            walk(to, visit);
            walk_block(body, visit);
        }
        StmtKind::ForList { var, index, list, limit: _, body } => {
            visit(Id::Var(var));
            index.iter_mut().for_each(|index| visit(Id::Var(index)));
            visit(Id::Var(list));
            walk_block(body, visit);
        }
        StmtKind::ForPaged { var, index, call, limit: _, body } => {
            visit(Id::Var(var));
            index.iter_mut().for_each(|index| visit(Id::Var(index)));
            walk_call(call, visit);
            walk_block(body, visit);
        }
        _ => {}
    }
}

fn walk_place(place: &mut Place, visit: Visit<'_>) {
    visit(Id::Var(&mut place.var));
    place.index.iter_mut().for_each(|index| walk(index, visit));
}

fn walk_call(call: &mut CallExpr, visit: Visit<'_>) {
    walk(&mut call.target, visit);
    visit(Id::Op(&mut call.op));
    call.args.iter_mut().for_each(|arg| walk(arg, visit));
}

fn walk(expr: &mut Expr, visit: Visit<'_>) {
    visit(Id::Node(1));
    match &mut expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Enum(..) => {}
        ExprKind::Text(text) => visit(Id::Node(text.len() / 16)),
        ExprKind::Var(var) => visit(Id::Var(var)),
        ExprKind::Field(a, _) | ExprKind::Len(a) | ExprKind::Neg(a) | ExprKind::Not(a) => walk(a, visit),
        ExprKind::Index(list, index) => {
            visit(Id::Var(list));
            walk(index, visit);
        }
        ExprKind::Arith(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Test(_, a, b) => {
            walk(a, visit);
            walk(b, visit);
        }
        ExprKind::Concat(parts) | ExprKind::Record(_, parts) => {
            parts.iter_mut().for_each(|part| walk(part, visit))
        }
        ExprKind::Call(call) => walk_call(call, visit),
        ExprKind::Inline(inline) => {
            inline.result.iter_mut().for_each(|result| visit(Id::Var(result)));
            walk_block(&mut inline.body, visit);
        }
    }
}
