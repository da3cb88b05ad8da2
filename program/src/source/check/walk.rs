//! A walk over a tree that meets everything that an index names, to count or renumber it.

use crate::tree::{
    Bind, Block, CallExpr, EnumId, Expr, ExprKind, OpId, Place, Pos, RecordId, Repeat, RepeatArg, StmtKind,
    Ty, VarId,
};

/// What a walk over a tree meets.
pub(super) enum Id<'t> {
    /// A variable, where it is declared, used or changed.
    Var(&'t mut VarId),
    /// The operation of a call.
    Op(&'t mut OpId),
    /// The enum of a value.
    Enum(&'t mut EnumId),
    /// The record that is made.
    Record(&'t mut RecordId),
    /// A node, and how much it weighs: texts weigh more.
    Node(usize),
    /// The place of a statement.
    Stmt(Pos),
}

type Visit<'v> = &'v mut dyn FnMut(Id<'_>);

/// Visits all of a block.
pub(super) fn walk_block(block: &mut Block, visit: Visit<'_>) {
    for stmt in &mut block.stmts {
        visit(Id::Node(1));
        visit(Id::Stmt(stmt.pos));
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
        StmtKind::LetParts { vars, call } => {
            vars.iter_mut().for_each(|var| visit(Id::Var(var)));
            walk_call(call, visit);
        }
        StmtKind::Assign { place, value } | StmtKind::Update { place, op: _, value } => {
            walk_place(place, visit);
            walk(value, visit);
        }
        StmtKind::Add { list, value } => {
            visit(Id::Var(list));
            walk(value, visit);
        }
        StmtKind::Sort { list, keys: _ } => visit(Id::Var(list)),
        StmtKind::Repeat(repeat) => walk_repeat(repeat, visit),
        StmtKind::Move { from, to, count: _ } => {
            visit(Id::Var(&mut from.var));
            visit(Id::Var(&mut to.var));
        }
        StmtKind::Do(value) | StmtKind::Fail(value) => walk(value, visit),
        StmtKind::If { arms, otherwise } => {
            for (cond, then) in arms {
                walk(cond, visit);
                walk_block(then, visit);
            }
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
                Bind::Parts(vars) => vars.iter_mut().for_each(|var| visit(Id::Var(var))),
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

fn walk_repeat(repeat: &mut Repeat, visit: Visit<'_>) {
    walk(&mut repeat.target, visit);
    visit(Id::Op(&mut repeat.op));
    for arg in &mut repeat.args {
        match arg {
            RepeatArg::Same(arg) => walk(arg, visit),
            RepeatArg::Each(items) => visit(Id::Var(&mut items.var)),
        }
    }
    repeat.into.iter_mut().for_each(|into| visit(Id::Var(&mut into.var)));
}

fn walk_call(call: &mut CallExpr, visit: Visit<'_>) {
    walk(&mut call.target, visit);
    visit(Id::Op(&mut call.op));
    call.args.iter_mut().for_each(|arg| walk(arg, visit));
}

fn walk_ty(ty: &mut Ty, visit: Visit<'_>) {
    match ty {
        Ty::Enum(id) => visit(Id::Enum(id)),
        Ty::Record(id) => visit(Id::Record(id)),
        Ty::List(of, _) => walk_ty(of, visit),
        _ => {}
    }
}

fn walk(expr: &mut Expr, visit: Visit<'_>) {
    visit(Id::Node(1));
    match &mut expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) => {}
        ExprKind::Enum(id, _) => visit(Id::Enum(id)),
        ExprKind::Text(text) => visit(Id::Node(text.len() / 16)),
        ExprKind::Var(var) => visit(Id::Var(var)),
        ExprKind::Field(a, _) | ExprKind::Len(a) | ExprKind::Neg(a) | ExprKind::Not(a) => walk(a, visit),
        ExprKind::Convert(_, a) => walk(a, visit),
        ExprKind::As(ty, a) => {
            walk_ty(ty, visit);
            walk(a, visit);
        }
        ExprKind::Index(list, index) => {
            visit(Id::Var(list));
            walk(index, visit);
        }
        ExprKind::Arith(first, rest) => {
            walk(first, visit);
            rest.iter_mut().for_each(|(_, operand)| walk(operand, visit));
        }
        ExprKind::Compare(_, a, b) | ExprKind::Test(_, a, b) | ExprKind::Tail(a, b) => {
            walk(a, visit);
            walk(b, visit);
        }
        ExprKind::Record(id, fields) => {
            visit(Id::Record(id));
            fields.iter_mut().for_each(|field| walk(field, visit));
        }
        ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Concat(parts) => {
            parts.iter_mut().for_each(|part| walk(part, visit));
        }
        ExprKind::Call(call) => walk_call(call, visit),
        ExprKind::Inline(inline) => {
            inline.result.iter_mut().for_each(|result| visit(Id::Var(result)));
            walk_block(&mut inline.body, visit);
        }
    }
}
