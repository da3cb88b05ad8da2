//! Unions of interfaces: made of one arm, and gone by with `match`. Both come down to records of words: a tree knows no other union.

use super::super::ast::{Arg, Block as AstBlock, Expr, MatchArm, Name};
use super::super::faults::{Reported, meant};
use super::growth::Growth;
use super::scope::Held;
use super::statements::Flow;
use super::tables::{Slot, Slots};
use super::{Checked, Checker, Typed};
use crate::tree::{self, Block, ExprKind, Mutability, RecordId, Rel, Stmt, StmtKind, Ty, Union, Words};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// A union that is gone by.
type Matched = (Typed, RecordId, Union);

impl<'a> Checker<'a, '_> {
    pub(super) fn is_union(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Record(id) if self.tables.records[id.index()].union.is_some())
    }

    pub(super) fn union_of(&self, ty: &Ty) -> Option<(RecordId, Union)> {
        let Ty::Record(id) = ty else { return None };
        self.tables.records[id.index()].union.clone().map(|union| (*id, union))
    }

    // Going by the arms.

    /// `match e { n(x) { … } s { … } else { … } }`.
    pub(super) fn match_(
        &mut self,
        value: &Expr<'a>,
        arms: &[MatchArm<'a>],
        otherwise: Option<&AstBlock<'a>>,
        out: &mut Vec<Stmt>,
    ) -> (Checked<StmtKind>, Flow) {
        let found = self.matched(value, out);
        let (mut flow, mut faulty) = (Flow::Leaves, None);
        let mut taken = vec![];
        let mut blocks = vec![];
        for arm in arms {
            if self.faults.is_full() {
                return (Err(Reported), flow);
            }
            let chosen = match &found {
                Ok((_, _, union)) => self.chosen(union, arm, &mut taken),
                Err(reported) => Err(*reported),
            };
            let (block, end) = self.arm_block(found.as_ref().ok().zip(chosen.as_ref().ok()), arm);
            flow = flow.or(end);
            match (chosen, block) {
                (Ok(chosen), Ok(block)) => blocks.push((chosen, block)),
                (Err(reported), _) | (_, Err(reported)) => faulty = Some(reported),
            }
        }
        let rest = otherwise.map(|block| {
            let (block, end) = self.block(block);
            flow = flow.or(end);
            block
        });
        let kind = match (found, faulty) {
            (Err(reported), _) | (_, Some(reported)) => Err(reported),
            (Ok((of, _, union)), None) => {
                let all = self.all_arms(&union, &taken, value.span, otherwise.map(|block| block.close));
                // One comparison for each, though none is written.
                let labels = union.arms.iter().map(|arm| arm.labels.len()).sum();
                let all = all.and_then(|()| self.charge(Growth::Unions, labels, value.span));
                all.map(|()| self.by_case(&of, &union, blocks, rest, value.span))
            }
        };
        (kind, flow)
    }

    /// The value that is gone by: a variable or a field of one, so that it can be named again.
    fn matched(&mut self, value: &Expr<'a>, out: &mut Vec<Stmt>) -> Checked<Matched> {
        let of = self.value(value)?;
        let Some((id, union)) = self.union_of(&of.ty) else {
            let message = format!("`match` goes by the arms of a union, not by {}", self.a_noun(&of.ty));
            let fault = Diagnostic::error("type", value.span, message)
                .label(format!("found {}, expected a union of an interface", self.type_text(&of.ty)))
                .help("to choose among values, write `if x == a { … } else if x == b { … } else { … }`");
            return Err(self.faults.report(fault));
        };
        if is_named(&of.expr) {
            return Ok((of, id, union));
        }
        let var = self.new_var("(union)", of.ty.clone(), Mutability::Fixed, value.span)?;
        out.push(Stmt { pos: self.pos(value.span), kind: StmtKind::Let { var, value: of.expr } });
        Ok((self.var(var, value.span), id, union))
    }

    /// Which arms a block is for.
    fn chosen(&mut self, union: &Union, arm: &MatchArm<'a>, taken: &mut Vec<usize>) -> Checked<Vec<usize>> {
        let mut chosen = vec![];
        for name in &arm.names {
            let at = self.arm_named(union, *name)?;
            if taken.contains(&at) {
                let message = format!("`{}` has a block already", name.text);
                let fault = Diagnostic::error("unreachable", name.span, message);
                return Err(self.faults.report(fault.label("found the arm a second time")));
            }
            taken.push(at);
            chosen.push(at);
        }
        if let (Some(bound), [_, second, ..]) = (arm.bound, &arm.names[..]) {
            let fault = Diagnostic::error("syntax", bound.span, "what several arms hold has no one name")
                .label(format!("found a name beside `{}`, expected one arm", second.text))
                .help("give each of these arms a block of its own");
            return Err(self.faults.report(fault));
        }
        Ok(chosen)
    }

    fn arm_named(&mut self, union: &Union, name: Name<'a>) -> Checked<usize> {
        if let Some(at) = union.arms.iter().position(|arm| arm.name == name.text) {
            return Ok(at);
        }
        let shown: Vec<_> = union.arms.iter().take(12).map(|arm| arm.name.as_str()).collect();
        let fault =
            Diagnostic::error("unknown-field", name.span, format!("the union has no arm `{}`", name.text))
                .label(format!("found `{}`, expected one of {}", name.text, shown.join(", ")));
        Err(self.faults.report(match meant(name.text, union.arms.iter().map(|arm| arm.name.as_str())) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        }))
    }

    /// The block of an arm, which begins with what the arm holds if that has a name.
    fn arm_block(
        &mut self,
        of: Option<(&Matched, &Vec<usize>)>,
        arm: &MatchArm<'a>,
    ) -> (Checked<Block>, Flow) {
        let mark = self.unit.scope.enter();
        let bound = arm.bound.map(|name| {
            if let Some(((_, id, _), _)) = of {
                self.charge(Growth::Unions, self.tables.records[id.index()].fields.len(), name.span)?;
            }
            let held = of.and_then(|((of, _, union), chosen)| {
                let arm = &union.arms[*chosen.first()?];
                Some((arm.ty.clone(), self.held_by(&of.expr, &arm.ty, &mut Words::of(union))))
            });
            let ty = held.as_ref().map(|(ty, _)| ty.clone()).ok_or(Reported);
            let var = self.declare(name, ty, Held::Let)?;
            let (_, value) = held.ok_or(Reported)?;
            Ok(Stmt { pos: self.pos(name.span), kind: StmtKind::Let { var, value } })
        });
        let (mut block, flow) = self.block(&arm.body);
        self.unit.scope.leave(mark);
        match bound {
            Some(Ok(bound)) => block.stmts.insert(0, bound),
            Some(Err(reported)) => return (Err(reported), flow),
            None => {}
        }
        (Ok(block), flow)
    }

    /// What an arm holds, of the words of its union.
    fn held_by(&self, of: &tree::Expr, ty: &Ty, words: &mut Words) -> tree::Expr {
        let kind = match ty {
            Ty::Record(id) => {
                let fields = self.tables.records[id.index()].fields.iter();
                ExprKind::Record(*id, fields.map(|(_, ty)| self.held_by(of, ty, words)).collect())
            }
            ty => {
                let word = ExprKind::Field(Box::new(of.clone()), words.next(ty));
                match ty {
                    Ty::Int | Ty::Bytes(_) => word,
                    _ => ExprKind::As(ty.clone(), Box::new(tree::Expr { pos: of.pos, kind: word })),
                }
            }
        };
        tree::Expr { pos: of.pos, kind }
    }

    /// Every arm has a block, or there is an `else`, and not both.
    fn all_arms(&mut self, union: &Union, taken: &[usize], span: Span, rest: Option<Span>) -> Checked<()> {
        let left = (0..union.arms.len()).filter(|at| !taken.contains(at));
        let left: Vec<_> = left.map(|at| format!("`{}`", union.arms[at].name)).collect();
        let fault = match (rest, left.is_empty()) {
            (None, true) | (Some(_), false) => return Ok(()),
            (None, false) => Diagnostic::error("no-value", span, "this `match` leaves out arms of its union")
                .label(format!("found no block for {}", left.join(", ")))
                .help("write `else { }` if nothing is to be done for them"),
            (Some(rest), true) => Diagnostic::error("unreachable", rest, "this is never reached")
                .label("every arm of the union has a block already"),
        };
        Err(self.faults.report(fault))
    }

    /// The choice by `case`. What came back from a call has one of the union's arms, so that the last needs no question.
    fn by_case(
        &self,
        of: &Typed,
        union: &Union,
        mut blocks: Vec<(Vec<usize>, Block)>,
        rest: Option<Block>,
        span: Span,
    ) -> StmtKind {
        let pos = self.pos(span);
        let never = |text: &str| Block {
            stmts: vec![Stmt {
                pos,
                kind: StmtKind::Fail(tree::Expr { pos, kind: ExprKind::Text(text.as_bytes().to_vec()) }),
            }],
        };
        let rest = match rest {
            Some(rest) => rest,
            None if blocks.len() > 1 => blocks.pop().map(|(_, block)| block).unwrap_or_default(),
            None => never("a union without an arm"),
        };
        let arms = blocks.into_iter().map(|(chosen, block)| (self.is_case(of, union, &chosen, span), block));
        StmtKind::If { arms: arms.collect(), otherwise: rest }
    }

    fn is_case(&self, of: &Typed, union: &Union, chosen: &[usize], span: Span) -> tree::Expr {
        let pos = self.pos(span);
        let expr = |kind| tree::Expr { pos, kind };
        let default = chosen.iter().any(|at| union.arms[*at].labels.is_empty());
        // Those of a block with the default are all that no other block has.
        let (rel, labels): (Rel, Vec<i64>) = if default {
            let others = (0..union.arms.len()).filter(|at| !chosen.contains(at));
            (Rel::Ne, others.flat_map(|at| union.arms[at].labels.iter().copied()).collect())
        } else {
            (Rel::Eq, chosen.iter().flat_map(|at| union.arms[*at].labels.iter().copied()).collect())
        };
        let one = |label: i64| {
            let case = expr(ExprKind::Field(Box::new(of.expr.clone()), 0));
            expr(ExprKind::Compare(rel, Box::new(case), Box::new(expr(self.case(&of.ty, label)))))
        };
        let mut all: Vec<tree::Expr> = labels.into_iter().map(one).collect();
        match (all.len(), rel) {
            (0, rel) => expr(ExprKind::Bool(rel == Rel::Ne)),
            (1, _) => all.swap_remove(0),
            (_, Rel::Ne) => expr(ExprKind::And(all)),
            _ => expr(ExprKind::Or(all)),
        }
    }

    /// A case as a value of its type.
    fn case(&self, union: &Ty, label: i64) -> ExprKind {
        let Ty::Record(id) = union else { return ExprKind::Int(label) };
        match self.tables.records[id.index()].fields[0].1 {
            Ty::Bool => ExprKind::Bool(label != 0),
            Ty::Enum(id) => ExprKind::Enum(id, label as u16),
            _ => ExprKind::Int(label),
        }
    }

    // Making one.

    /// `Either(n: 5)`, `Either(case: Color.blue, s: "x")`.
    pub(super) fn union_value(
        &mut self,
        id: RecordId,
        union: &Union,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<Typed> {
        let name = self.tables.records[id.index()].name.clone();
        let is_case = |arg: &&Arg<'a>| arg.name.is_some_and(|name| name.text == "case");
        let case = args.iter().find(is_case);
        let mut others = args.iter().filter(|arg| !is_case(arg));
        let (Some(arg), None) = (others.next(), others.next()) else {
            let fault = Diagnostic::error("arguments", span, format!("{name} is made of one of its arms"))
                .label(format!("expected e.g. `{name}({}: …)`", union.arms[0].name));
            return Err(self.faults.report(fault));
        };
        let Some(arm_name) = arg.name else {
            let fault =
                Diagnostic::error("arguments", arg.value.span, format!("{name} needs the name of the arm"))
                    .label(format!("found a value without name, expected e.g. `{}: …`", union.arms[0].name));
            return Err(self.faults.report(fault));
        };
        let at = self.arm_named(union, arm_name)?;
        let arm = &union.arms[at];
        let label = self.label(&Ty::Record(id), union, at, case, span)?;
        let range = self.tables.arm_range(id, at);
        let slots: Slots = [Slot { name: arm.name.clone(), ty: arm.ty.clone(), default: None, range }].into();
        let value = self.evaluate(&slots, &[(0, arg)])?.swap_remove(0).1;
        let mut before = vec![];
        let value = match arm.ty {
            Ty::Record(_) if !is_named(&value) => {
                let var = self.new_var("(arm)", arm.ty.clone(), Mutability::Fixed, span)?;
                before.push(Stmt { pos: value.pos, kind: StmtKind::Let { var, value } });
                self.var(var, span).expr
            }
            _ => value,
        };
        let fields = self.tables.records[id.index()].fields.clone();
        let value = match (&arm.ty, fields.last()) {
            (Ty::List(..), Some((_, bytes))) => {
                tree::Expr { pos: value.pos, kind: ExprKind::As(bytes.clone(), Box::new(value)) }
            }
            _ => value,
        };
        self.charge(Growth::Unions, fields.len(), span)?;
        let pos = self.pos(span);
        let empty = |(_, ty): &(String, Ty)| match ty {
            Ty::Bytes(_) => ExprKind::Text(vec![]),
            _ => ExprKind::Int(0),
        };
        let mut words: Vec<_> = fields.iter().map(|field| tree::Expr { pos, kind: empty(field) }).collect();
        words[0].kind = self.case(&Ty::Record(id), label);
        self.put_words(value, &arm.ty, &mut Words::of(union), &mut words);
        let made = self.typed(ExprKind::Record(id, words), Ty::Record(id), span);
        if before.is_empty() { Ok(made) } else { self.inline(before, made, span) }
    }

    /// The case that is written, if it chooses the arm; or the arm's only one.
    fn label(
        &mut self,
        ty: &Ty,
        union: &Union,
        at: usize,
        case: Option<&Arg<'a>>,
        span: Span,
    ) -> Checked<i64> {
        let arm = &union.arms[at];
        let Some(case) = case else {
            return match arm.labels[..] {
                [label] => Ok(label),
                _ => {
                    let message = format!("several cases choose `{}`", arm.name);
                    let fault = Diagnostic::error("arguments", span, message)
                        .label(format!("expected one of them too: `case: …, {}: …`", arm.name));
                    Err(self.faults.report(fault))
                }
            };
        };
        let Ty::Record(id) = ty else { return Err(Reported) };
        let switch = self.tables.records[id.index()].fields[0].1.clone();
        let range = self.tables.inputs(*id).first().and_then(|input| input.range);
        let slots: Slots = [Slot { name: "case".to_owned(), ty: switch, default: None, range }].into();
        let value = self.evaluate(&slots, &[(0, case)])?.swap_remove(0).1;
        let label = match value.kind {
            ExprKind::Int(n) => n,
            ExprKind::Bool(b) => b.into(),
            ExprKind::Enum(_, n) => n.into(),
            _ => return Err(self.not_constant(case.value.span)),
        };
        if union.arm(label).is_some_and(|chosen| chosen.name == arm.name) {
            return Ok(label);
        }
        let message = format!("this case does not choose `{}`", arm.name);
        let chosen = union.arm(label).map_or("no arm".to_owned(), |arm| format!("`{}`", arm.name));
        let fault = Diagnostic::error("arguments", case.value.span, message);
        Err(self.faults.report(fault.label(format!("found the case of {chosen}"))))
    }

    /// Puts a value into the words of its union.
    fn put_words(&self, value: tree::Expr, ty: &Ty, left: &mut Words, words: &mut [tree::Expr]) {
        if let Ty::Record(id) = ty {
            for (at, (_, ty)) in self.tables.records[id.index()].fields.iter().enumerate() {
                let kind = ExprKind::Field(Box::new(value.clone()), at as u16);
                self.put_words(tree::Expr { pos: value.pos, kind }, ty, left, words);
            }
            return;
        }
        let (at, pos) = (usize::from(left.next(ty)), value.pos);
        let kind = match (ty, value.kind) {
            (Ty::Int | Ty::Bytes(_) | Ty::List(..), kind) => kind,
            (_, ExprKind::Bool(b)) => ExprKind::Int(b.into()),
            (_, ExprKind::Enum(_, n)) => ExprKind::Int(n.into()),
            (_, ExprKind::Float(float)) => ExprKind::Int(float.word.cast_signed()),
            (_, ExprKind::Text(text)) if text.is_empty() => ExprKind::Text(text),
            // No longer than the arm takes, which is not all that its word can hold.
            (Ty::Str(max), kind) => ExprKind::As(Ty::Bytes(*max), Box::new(tree::Expr { pos, kind })),
            (_, kind) => ExprKind::As(Ty::Int, Box::new(tree::Expr { pos, kind })),
        };
        words[at] = tree::Expr { pos, kind };
    }
}

/// Whether an expression is a variable, or a field of one: it can be named again.
fn is_named(expr: &tree::Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(_) => true,
        ExprKind::Field(of, _) => is_named(of),
        _ => false,
    }
}
