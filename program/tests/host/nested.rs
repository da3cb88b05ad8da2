//! Trees as deep as the stack of the recursive interpreter allows.

use carnet_program::protocol::{Argument, End, Engine};
use carnet_program::tree::{
    Block, Expr, ExprKind, Inline, Mutability, Pos, Stmt, StmtKind, Tree, Ty, Var, VarId,
};

use super::probe::Fixture;
use super::run;
use super::trees::{fault, sent, taken, tree};

/// Statements and values, one within the other.
fn nested(depth: usize) -> Tree {
    let mut tree = tree("program deep(p: Probe) -> int { return p.get(1, 2, 3) }");
    let at = |kind| Stmt { pos: Pos { line: 2, col: 1 }, kind };
    let value = |kind| Expr { pos: Pos { line: 2, col: 1 }, kind };
    let mut body = std::mem::take(&mut tree.body);
    for level in 0..depth {
        let within = std::mem::take(&mut body);
        let kind = if level % 2 == 0 {
            let arms = vec![(value(ExprKind::Bool(true)), within)];
            StmtKind::If { arms, otherwise: Block::default() }
        } else {
            StmtKind::While {
                cond: value(ExprKind::Bool(true)),
                limit: carnet_program::tree::Limit::At(2),
                body: within,
            }
        };
        body.stmts.push(at(kind));
    }
    tree.body = body;
    // The same of values, each the operand of a function's body.
    let mut sum = value(ExprKind::Int(1));
    for _ in 0..60 {
        sum = value(ExprKind::Neg(Box::new(sum)));
    }
    let inline = Inline {
        result: None,
        body: Block { stmts: vec![at(StmtKind::Fail(value(ExprKind::Text(b"no".to_vec()))))] },
    };
    let never = vec![(
        value(ExprKind::Compare(
            carnet_program::tree::Rel::Eq,
            Box::new(sum),
            Box::new(value(ExprKind::Int(5))),
        )),
        Block { stmts: vec![at(StmtKind::Do(value(ExprKind::Inline(Box::new(inline)))))] },
    )];
    tree.body.stmts.insert(0, at(StmtKind::If { arms: never, otherwise: Block::default() }));
    tree
}

#[test]
fn a_tree_is_nested_as_deep_as_the_stack_allows() {
    let fixture = Fixture::new(taken());
    // Loops nest less deep than blocks: one in two levels is one.
    let bytes = nested(30).encode();
    for (id, engine) in [(1, Engine::Tree), (2, Engine::Bytecode)] {
        let outcome = run(&fixture, &sent(id, &bytes, engine, vec![Argument::Portal(0)]));
        assert_eq!(outcome.end, End::Done, "{engine:?}");
    }
    let mut deepest = tree("program deep(p: Probe) -> int { return p.get(1, 2, 3) }");
    let blocks = carnet_program::eval::DEPTH_MAX - 4;
    for more in [0, 8] {
        let mut body = tree("program deep(p: Probe) -> int { return p.get(1, 2, 3) }").body;
        for _ in 0..blocks + more {
            let cond = Expr { pos: Pos::default(), kind: ExprKind::Bool(true) };
            let kind = StmtKind::If { arms: vec![(cond, body)], otherwise: Block::default() };
            body = Block { stmts: vec![Stmt { pos: Pos::default(), kind }] };
        }
        deepest.body = body;
        let bytes = deepest.encode();
        let outcome =
            run(&fixture, &sent(10 + more as u128, &bytes, Engine::Tree, vec![Argument::Portal(0)]));
        match more {
            0 => assert_eq!(outcome.end, End::Done),
            _ => assert_eq!(fault(outcome), "the tree is nested more than 128 deep"),
        }
    }
}

/// Calls as arguments of calls, and functions within functions: what takes most of the stack at each level.
#[test]
fn calls_and_functions_nest_as_deep() {
    let fixture = Fixture::new(taken());
    let pos = Pos { line: 2, col: 1 };
    let value = |kind| Expr { pos, kind };
    let mut calls = tree("program deep(p: Probe) -> int { return p.get(1, 2, 3) }");
    let StmtKind::Return(Some(first)) = calls.body.stmts[0].kind.clone() else { panic!("it returns") };
    let ExprKind::Call(call) = first.kind.clone() else { panic!("a call") };
    let around = |within: Expr| {
        let mut call = call.clone();
        call.args[2] = within;
        value(ExprKind::Call(call))
    };
    let all = (0..120).fold(first.clone(), |within, _| around(within));
    calls.body.stmts[0].kind = StmtKind::Return(Some(all));
    let mut functions = tree("program deep(p: Probe) -> int { return p.get(1, 2, 3) }");
    let all = (0..60).fold(first, |within, k| {
        functions.vars.push(Var { name: format!("v{k}"), ty: Ty::Int, mutability: Mutability::Changes });
        let result = Some(VarId(functions.vars.len() as u16 - 1));
        let body = Block { stmts: vec![Stmt { pos, kind: StmtKind::Leave(Some(within)) }] };
        value(ExprKind::Inline(Box::new(Inline { result, body })))
    });
    functions.body.stmts[0].kind = StmtKind::Return(Some(all));
    for (id, tree, reads) in [(1, calls, 121), (2, functions, 1)] {
        let outcome = run(&fixture, &sent(id, &tree.encode(), Engine::Tree, vec![Argument::Portal(0)]));
        assert_eq!((outcome.end, outcome.receipt.calls), (End::Done, reads));
    }
}
