//! The rules of trees about calls of several results that no value holds: each is broken by a tree, which is refused as it comes in.

use std::sync::Arc;

use carnet_program::import::{Misdescribed, Tables};
use carnet_program::source;
use carnet_program::tree::{
    Arm, Bind, Block, CallExpr, EnumId, Expr, ExprKind, InterfaceId, Mutability, NotATree, Pos, Record,
    RecordId, Stmt, StmtKind, Tree, Ty, Var, VarId,
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

/// A tree whose only record is the union `Any`, after those that its arms are.
fn union() -> Tree {
    tree("match desk.sample(1) { on(on) { if on { return 1 } } x { } else { } } return 0")
}

#[test]
fn unions_are_what_they_say() {
    assert_eq!(Tree::decode(&union().encode()), Ok(union()));
    let broken = |change: fn(&mut Record)| {
        let mut tree = union();
        let any = tree.records.iter_mut().find(|record| record.name == "Any").expect("it is used");
        change(any);
        refused(&tree)
    };
    let arm = |record: &mut Record, change: fn(&mut Arm)| {
        change(record.union.as_mut().and_then(|union| union.arms.last_mut()).expect("it has arms"));
    };
    let none = "a union that is none";
    assert_eq!(broken(|any| any.fields.truncate(3)), none);
    assert_eq!(broken(|any| any.fields[0].1 = Ty::Str(4)), none);
    assert_eq!(broken(|any| any.fields[1].1 = Ty::Bool), none);
    assert_eq!(broken(|any| any.fields[4].1 = Ty::Int), none);
    assert_eq!(broken(|any| any.union.as_mut().expect("it is one").scalars = 4), none);
    assert_eq!(broken(|any| any.union.as_mut().expect("it is one").arms.clear()), "a union without arms");
    let last = |change: fn(&mut Arm)| {
        let mut tree = union();
        arm(tree.records.iter_mut().find(|record| record.name == "Any").expect("it is used"), change);
        refused(&tree)
    };
    assert_eq!(last(|arm| arm.ty = Ty::Record(RecordId(99))), "a record that is not there");
    assert_eq!(last(|arm| arm.ty = Ty::Portal(InterfaceId(0))), "a union with a portal");
    assert_eq!(last(|arm| arm.name.clear()), "a name that is empty or has more than 255 bytes");
    let mut itself = union();
    let own = itself.records.iter().position(|record| record.name == "Any").expect("it is used");
    arm(&mut itself.records[own], |arm| arm.ty = Ty::Int);
    if let Some(arm) = itself.records[own].union.as_mut().and_then(|union| union.arms.last_mut()) {
        arm.ty = Ty::Record(RecordId(own as u16));
    }
    assert_eq!(refused(&itself), "a union with a record that is not earlier");
    // One scalar more than the arms share.
    let mut small = union();
    let any = &mut small.records[own];
    any.fields.remove(3);
    any.union.as_mut().expect("it is one").scalars -= 1;
    assert_eq!(refused(&small), "an arm of more words than its union");
}

#[test]
fn trees_describe_unions_as_their_interface_does() {
    assert!(Tables::adopt(&union(), &[module()]).is_ok());
    let differs = |change: fn(&mut Record)| {
        let mut tree = union();
        change(tree.records.iter_mut().find(|record| record.name == "Any").expect("it is used"));
        let error = Tables::adopt(&tree, &[module()]).expect_err("it is another");
        assert!(matches!(error, Misdescribed::Differs(_)), "{error}");
    };
    differs(|any| any.union = None);
    differs(|any| any.union.as_mut().expect("it is one").arms.swap(0, 1));
    differs(|any| any.union.as_mut().expect("it is one").arms[0].labels.push(77));
    differs(|any| any.union.as_mut().expect("it is one").arms[0].ty = Ty::Bool);
    differs(|any| any.fields[0].0 = "kind".to_owned());
    differs(|any| any.fields[4].1 = Ty::Bytes(9));
}

/// A tree whose records are `Folder` and, before it, the lists in it: of labels, and of counts.
fn nested() -> Tree {
    tree("let folder = desk.folder(1) return folder.labels.len")
}

#[test]
fn lists_within_values_are_what_they_say() {
    assert_eq!(Tree::decode(&nested().encode()), Ok(nested()));
    let broken = |change: fn(&mut Record)| {
        let mut tree = nested();
        change(tree.records.iter_mut().find(|record| record.list.is_some()).expect("it has lists"));
        refused(&tree)
    };
    let list = |of: Ty| Some(Ty::List(Box::new(of), 4));
    let none = "a list that is none";
    assert_eq!(broken(|labels| labels.fields[0].1 = Ty::Int), none);
    assert_eq!(broken(|labels| labels.fields.push(("more".to_owned(), Ty::Bytes(1)))), none);
    assert_eq!(broken(|labels| labels.list = Some(Ty::Int)), none);
    let of = |of: Ty| {
        let mut tree = nested();
        tree.records[0].list = list(of);
        refused(&tree)
    };
    assert_eq!(of(Ty::Record(RecordId(99))), "a record that is not there");
    assert_eq!(of(Ty::Record(RecordId(0))), "a list of records that are not earlier");
    assert_eq!(of(Ty::Portal(InterfaceId(0))), "a list of portals within another value");
    // Whoever shows values goes as deep as they are.
    let mut deep = nested();
    let first = deep.records.len();
    for k in first..first + 17 {
        let of = if k == first { Ty::Int } else { Ty::Record(RecordId(k as u16 - 1)) };
        let fields = vec![("(list)".to_owned(), Ty::Bytes(8))];
        deep.records.push(Record { name: "deep".to_owned(), fields, union: None, list: list(of) });
    }
    assert_eq!(refused(&deep), "record `deep` is too large or nested too deep");
    deep.records.pop();
    assert_eq!(deep.check(), Ok(()));
}

#[test]
fn trees_describe_lists_within_values_as_their_interface_does() {
    assert!(Tables::adopt(&nested(), &[module()]).is_ok());
    let differs = |change: fn(&mut Record)| {
        let mut tree = nested();
        change(tree.records.iter_mut().find(|record| record.list.is_some()).expect("it has lists"));
        let error = Tables::adopt(&tree, &[module()]).expect_err("it is another");
        assert!(matches!(error, Misdescribed::Differs(_)), "{error}");
    };
    differs(|labels| labels.list = None);
    differs(|labels| labels.fields[0].1 = Ty::Bytes(9));
    differs(|labels| labels.list = Some(Ty::List(Box::new(Ty::Str(8)), 5)));
    differs(|labels| labels.list = Some(Ty::List(Box::new(Ty::Str(9)), 4)));
    let mut bytes = nested();
    let folder = bytes.records.iter_mut().find(|record| record.name == "Folder").expect("it is used");
    folder.fields[1].1 = Ty::Bytes(105);
    assert!(Tables::adopt(&bytes, &[module()]).is_err());
}

#[test]
fn words_of_unions_are_read_by_their_types() {
    let with = |ty: Ty, of: ExprKind| {
        let mut tree = tree("return 0");
        let pos = Pos::default();
        let of = Box::new(Expr { pos, kind: of });
        let read = Expr { pos, kind: ExprKind::As(ty.clone(), of) };
        let var = VarId(tree.vars.len() as u16);
        tree.vars.push(Var { name: "read".to_owned(), ty, mutability: Mutability::Fixed });
        tree.body.stmts.insert(0, Stmt { pos, kind: StmtKind::Let { var, value: read } });
        tree
    };
    for (ty, of) in [
        (Ty::Bool, ExprKind::Int(1)),
        (Ty::Int, ExprKind::Bool(true)),
        (Ty::Bytes(3), ExprKind::Text(b"abc".to_vec())),
    ] {
        let tree = with(ty, of);
        assert_eq!(Tree::decode(&tree.encode()), Ok(tree));
    }
    let wrong = "a word read as what it cannot be";
    for (ty, of) in [
        (Ty::Int, ExprKind::Int(1)),
        (Ty::Str(3), ExprKind::Int(1)),
        (Ty::Int, ExprKind::Text(b"abc".to_vec())),
        (Ty::Str(3), ExprKind::Text(b"abc".to_vec())),
        (Ty::Bool, ExprKind::Text(b"abc".to_vec())),
        (Ty::List(Box::new(Ty::Int), 3), ExprKind::Int(1)),
    ] {
        assert_eq!(refused(&with(ty, of)), wrong);
    }
    assert_eq!(refused(&with(Ty::Enum(EnumId(9)), ExprKind::Int(1))), "an enum that is not there");
}
