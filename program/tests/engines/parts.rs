//! The rules of trees about calls of several results that no value holds: each is broken by a tree, which is refused as it comes in.

use std::sync::Arc;

use carnet_program::source;
use carnet_program::tree::{
    Bind, Block, CallExpr, Expr, ExprKind, Mutability, NotATree, Pos, Stmt, StmtKind, Tree, Ty, VarId,
};

use crate::desk::module;

fn tree(body: &str) -> Tree {
    let text = format!("use desk\nprogram p(desk: Desk) -> int {{\n{body}\n}}\n");
    source::parse(&text, &[Arc::new(module().clone())]).expect("the source is good")
}

fn found() -> Tree {
    tree("let found = desk.both(\"abc\") let n = desk.echo(1) return found.value.size() + found.n + n")
}

fn attempt() -> Tree {
    tree("let found = try desk.both(\"abc\") else { return 0 } return found.n")
}

/// What is said of a tree that is sent.
fn refused(tree: &Tree) -> String {
    match Tree::decode(&tree.encode()) {
        Err(NotATree::IllFormed(rule)) => rule.what,
        other => panic!("{other:?}"),
    }
}

/// The variables and the call of the first statement.
fn parts(tree: &mut Tree) -> (&mut Vec<VarId>, &mut CallExpr) {
    match &mut tree.body.stmts[0].kind {
        StmtKind::LetParts { vars, call } => (vars, call),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_result_has_a_variable_of_its_own() {
    assert_eq!(Tree::decode(&found().encode()), Ok(found()));
    let mut few = found();
    parts(&mut few).0.pop();
    assert_eq!(refused(&few), "too few or too many variables for the results of a call");
    let mut swapped = found();
    parts(&mut swapped).0.swap(0, 1);
    let other_type = "a variable of a loop, of an error or of a result that changes, or is of another type";
    assert_eq!(refused(&swapped), other_type);
    let mut changes = found();
    let number = parts(&mut changes).0[1];
    changes.vars[number.index()].mutability = Mutability::Changes;
    assert_eq!(refused(&changes), other_type);
    let mut twice = found();
    twice.body.stmts.insert(0, twice.body.stmts[0].clone());
    assert_eq!(refused(&twice), "`found.value` is declared at two places");
    let mut late = found();
    late.body.stmts.rotate_left(1);
    late.body.stmts.swap(0, 1);
    assert_eq!(refused(&late), "`found.value` has no value here");
}

#[test]
fn such_a_call_is_no_value_and_others_are() {
    let mut value = found();
    let call = parts(&mut value).1.clone();
    let kind = ExprKind::Call(Box::new(call));
    value
        .body
        .stmts
        .insert(0, Stmt { pos: Pos::default(), kind: StmtKind::Do(Expr { pos: Pos::default(), kind }) });
    assert_eq!(refused(&value), "a call as a value whose results no value can hold");
    let mut plain = found();
    let StmtKind::Let { value: Expr { kind: ExprKind::Call(echo), .. }, .. } =
        plain.body.stmts[1].kind.clone()
    else {
        panic!("it is a call");
    };
    *parts(&mut plain).1 = *echo;
    assert_eq!(refused(&plain), "the results of a call that is worth something, taken apart");
    let mut worth = found();
    let both = parts(&mut worth).1.op;
    worth.ops[both.index()].value = Some(Ty::Int);
    assert_eq!(refused(&worth), "operation `both` is not worth what it gives back");
}

#[test]
fn an_attempt_is_of_such_a_call_and_leaves() {
    assert_eq!(Tree::decode(&attempt().encode()), Ok(attempt()));
    let of = |change: fn(&mut Bind, &mut Expr, &mut Block)| {
        let mut tree = attempt();
        match &mut tree.body.stmts[0].kind {
            StmtKind::Try { bind, value, otherwise, .. } => change(bind, value, otherwise),
            other => panic!("{other:?}"),
        }
        refused(&tree)
    };
    assert_eq!(of(|_, value, _| value.kind = ExprKind::Int(1)), "the results of what is no call");
    let goes_on = of(|_, _, otherwise| otherwise.stmts.clear());
    assert_eq!(goes_on, "an attempt behind which a variable may have no value");
    let dropped = of(|bind, _, _| *bind = Bind::None);
    assert_eq!(dropped, "a call as a value whose results no value can hold");
}
