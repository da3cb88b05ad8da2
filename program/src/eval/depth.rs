//! How deep a tree is nested: what recursion over it costs in stack.

use crate::tree::{Bind, Block, CallExpr, Expr, ExprKind, Place, RepeatArg, Stmt, StmtKind, Tree};

/// Deepest nesting of blocks and expressions.
pub const DEPTH_MAX: usize = 128;

/// Whether `tree` is nested deeper than [`DEPTH_MAX`].
#[must_use]
pub fn is_too_deep(tree: &Tree) -> bool {
    !block(&tree.body, DEPTH_MAX)
}

/// Whether a block fits into `left` levels.
fn block(block: &Block, left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else { return false };
    block.stmts.iter().all(|s| stmt(s, left))
}

fn stmt(stmt: &Stmt, left: usize) -> bool {
    match &stmt.kind {
        StmtKind::Declare(_)
        | StmtKind::Sort { .. }
        | StmtKind::Move { .. }
        | StmtKind::Break
        | StmtKind::Continue => true,
        StmtKind::Repeat(repeat) => {
            let args = repeat.args.iter().all(|arg| match arg {
                RepeatArg::Same(arg) => expr(arg, left),
                RepeatArg::Each(_) => true,
            });
            args && expr(&repeat.target, left)
        }
        StmtKind::Let { value, .. } | StmtKind::Add { value, .. } => expr(value, left),
        StmtKind::Assign { place: p, value } | StmtKind::Update { place: p, value, .. } => {
            place(p, left) && expr(value, left)
        }
        StmtKind::Do(value) | StmtKind::Fail(value) => expr(value, left),
        StmtKind::If { arms, otherwise } => {
            arms.iter().all(|(cond, then)| expr(cond, left) && block(then, left)) && block(otherwise, left)
        }
        StmtKind::While { cond, body, .. } => expr(cond, left) && block(body, left),
        StmtKind::ForRange { from, to, body, .. } => expr(from, left) && expr(to, left) && block(body, left),
        StmtKind::ForList { body, .. } => block(body, left),
        StmtKind::LetParts { call: c, .. } => call(c, left),
        StmtKind::ForPaged { call: c, body, .. } => call(c, left) && block(body, left),
        StmtKind::Try { bind, value, otherwise, .. } => {
            let bind = match bind {
                Bind::Assign(p) => place(p, left),
                Bind::None | Bind::Let(_) | Bind::Parts(_) => true,
            };
            bind && expr(value, left) && block(otherwise, left)
        }
        StmtKind::Return(value) | StmtKind::Leave(value) => value.iter().all(|value| expr(value, left)),
    }
}

fn place(place: &Place, left: usize) -> bool {
    place.index.iter().all(|index| expr(index, left))
}

fn call(call: &CallExpr, left: usize) -> bool {
    expr(&call.target, left) && call.args.iter().all(|arg| expr(arg, left))
}

fn expr(e: &Expr, left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else { return false };
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) | ExprKind::Enum(..) => true,
        ExprKind::Text(_) | ExprKind::Var(_) => true,
        ExprKind::Field(a, _) | ExprKind::Index(_, a) => expr(a, left),
        ExprKind::Len(a)
        | ExprKind::Neg(a)
        | ExprKind::Not(a)
        | ExprKind::Convert(_, a)
        | ExprKind::As(_, a) => expr(a, left),
        ExprKind::Arith(first, rest) => {
            expr(first, left) && rest.iter().all(|(_, operand)| expr(operand, left))
        }
        ExprKind::Compare(_, a, b) | ExprKind::Test(_, a, b) | ExprKind::Tail(a, b) => {
            expr(a, left) && expr(b, left)
        }
        ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Concat(parts) | ExprKind::Record(_, parts) => {
            parts.iter().all(|part| expr(part, left))
        }
        ExprKind::Call(c) => call(c, left),
        ExprKind::Inline(inline) => block(&inline.body, left),
    }
}
