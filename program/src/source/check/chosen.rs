//! Elements of arrays at indices that are known only when the program runs, and loops over arrays.
//!
//! An array is a record whose fields are its elements, and what is a field is known beforehand. So the element is chosen among all, by halves:
//!
//! ```text
//! a[i]        if i < 0 || i >= 3 { fault }  if i < 1 { a[0] } else if i < 2 { a[1] } else { a[2] }
//! a[i] = v    the same, with `a[0] = v` and so on, behind the value
//! for x in a  a list of all of them, which is walked over
//! ```
//! The tree has nothing of its own for this, and so no engine has.

use super::super::ast::Expr;
use super::arguments::is_quiet;
use super::growth::Growth;
use super::{Checked, Checker, Typed};
use crate::source::faults::Reported;
use crate::tree::{self, Block, ExprKind, Inline, Mutability, Place, Rel, Stmt, StmtKind, Ty, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// Which element of an array is meant.
pub(super) enum At {
    /// It is known.
    Known(u16),
    /// It is known when the program runs.
    Chosen(tree::Expr),
}

/// What an assignment changes.
pub(super) struct Spot {
    /// Where it is. Of an element that is chosen, the first one of its array.
    pub(super) place: Place,
    /// Its type.
    pub(super) ty: Ty,
    /// The elements that are chosen, from outside in.
    pub(super) chosen: Vec<Chosen>,
}

/// An element that is chosen.
pub(super) struct Chosen {
    /// Which of [`Place::fields`] it is.
    field: usize,
    index: tree::Expr,
    len: u16,
    span: Span,
}

impl Spot {
    /// A variable, or an element of a list.
    pub(super) fn new(place: Place, ty: Ty) -> Spot {
        Spot { place, ty, chosen: Vec::new() }
    }

    /// An element of the array that this is.
    pub(super) fn element(mut self, at: At, of: Ty, len: u16, span: Span) -> Spot {
        let field = match at {
            At::Known(at) => at,
            At::Chosen(index) => {
                self.chosen.push(Chosen { field: self.place.fields.len(), index, len, span });
                0
            }
        };
        self.place.fields.push(field);
        Spot { ty: of, ..self }
    }
}

/// When it is seen that there is no such element: as with lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// Before the value is computed.
    First,
    /// Behind that.
    Last,
}

impl<'a> Checker<'a, '_> {
    /// Type and number of the elements, if it is an array of an interface.
    pub(super) fn elements_of(&self, ty: &Ty) -> Option<(Ty, u16)> {
        let Ty::Record(id) = ty else { return None };
        let record = &self.tables.records[id.index()];
        let (_, of) = record.fields.first().filter(|_| record.is_array())?;
        // A record has at most 1024 fields.
        Some((of.clone(), record.fields.len() as u16))
    }

    /// The element that is meant.
    pub(super) fn array_index(&mut self, index: &Expr<'a>, len: u16) -> Checked<At> {
        let value = self.expect(index, &Ty::Int)?;
        let ExprKind::Int(n) = value.kind else { return Ok(At::Chosen(value)) };
        match u16::try_from(n).ok().filter(|at| *at < len) {
            Some(at) => Ok(At::Known(at)),
            None => {
                let fault = Diagnostic::error("index", index.span, format!("there is no element {n}"));
                Err(self.faults.report(fault.label(format!("expected 0 to {}", len - 1))))
            }
        }
    }

    /// An element of an array.
    pub(super) fn array_element(
        &mut self,
        array: Typed,
        at: At,
        (of, len): (Ty, u16),
        span: Span,
    ) -> Checked<Typed> {
        let index = match at {
            At::Known(at) => return Ok(self.typed(ExprKind::Field(Box::new(array.expr), at), of, span)),
            At::Chosen(index) => index,
        };
        let mut stmts = Vec::new();
        let array = self.stays(array, span, &mut stmts)?;
        let index = self.index_of(index, span, &mut stmts)?;
        stmts.push(self.there_is(index, len, span)?);
        let leave = |checker: &mut Self, at: u16| {
            let element = ExprKind::Field(Box::new(array.clone()), at);
            let value = checker.typed(element, Ty::Int, span).expr;
            Ok(StmtKind::Leave(Some(value)))
        };
        stmts.push(self.halves((0, len), index, span, &mut { leave })?);
        let result = self.new_var("(value)", of.clone(), Mutability::Changes, span)?;
        let inline = Inline { result: Some(result), body: Block { stmts } };
        Ok(self.typed(ExprKind::Inline(Box::new(inline)), of, span))
    }

    /// The same spot, with what its indices call done by statements that go to `out`.
    pub(super) fn chosen_before(&mut self, mut spot: Spot, span: Span, out: &mut Vec<Stmt>) -> Checked<Spot> {
        let indices = spot.place.index.iter_mut().chain(spot.chosen.iter_mut().map(|one| &mut one.index));
        let mut indices: Vec<&mut tree::Expr> = indices.collect();
        // All up to the last that calls something, so that they are computed in their order.
        let calling = indices.iter().rposition(|index| !is_quiet(index));
        for index in indices.iter_mut().take(calling.map_or(0, |last| last + 1)) {
            let var = self.index_of(index.clone(), span, out)?;
            **index = self.var(var, span).expr;
        }
        Ok(spot)
    }

    /// Changes what an assignment names; `change` makes the statement of a place and the value. What comes before goes to `out`.
    pub(super) fn change(
        &mut self,
        spot: Spot,
        value: (tree::Expr, Ty),
        missing: Missing,
        span: Span,
        out: &mut Vec<Stmt>,
        change: impl Fn(Place, tree::Expr) -> StmtKind,
    ) -> Checked<StmtKind> {
        let Spot { mut place, chosen, .. } = spot;
        let (value, ty) = value;
        if chosen.is_empty() {
            return Ok(change(place, value));
        }
        if let Some(index) = place.index.take() {
            let index = self.index_of(index, span, out)?;
            place.index = Some(self.var(index, span).expr);
        }
        let mut indices = Vec::with_capacity(chosen.len());
        for Chosen { field, index, len, span } in chosen {
            indices.push((field, self.index_of(index, span, out)?, len, span));
        }
        let mut checks = Vec::with_capacity(indices.len());
        for (_, index, len, span) in &indices {
            checks.push(self.there_is(*index, *len, *span)?);
        }
        if missing == Missing::First {
            // That the list has it is seen before the value, too.
            if let Some(index) = &place.index {
                let element = ExprKind::Index(place.var, Box::new(index.clone()));
                let Ty::List(ty, _) = self.unit.vars[place.var.index()].ty.clone() else {
                    return Err(Reported);
                };
                let element = self.typed(element, (*ty).clone(), span).expr;
                let var = self.new_var("(element)", *ty, Mutability::Fixed, span)?;
                out.push(Stmt { pos: self.pos(span), kind: StmtKind::Let { var, value: element } });
            }
            out.append(&mut checks);
        }
        let value = self.stays(Typed { expr: value, ty }, span, out)?;
        out.append(&mut checks);
        self.change_one(place, &indices, span, &|place| change(place, value.clone()))
    }

    fn change_one(
        &mut self,
        place: Place,
        chosen: &[(usize, VarId, u16, Span)],
        span: Span,
        change: &dyn Fn(Place) -> StmtKind,
    ) -> Checked<StmtKind> {
        let [(field, index, len, _), rest @ ..] = chosen else {
            self.charge(Growth::Elements, 1 + place.fields.len(), span)?;
            return Ok(change(place));
        };
        let mut one = |checker: &mut Self, at: u16| {
            let mut place = place.clone();
            place.fields[*field] = at;
            checker.change_one(place, rest, span, change)
        };
        self.halves((0, *len), *index, span, &mut one).map(|stmt| stmt.kind)
    }

    /// A list of the elements of an array, made by statements that go to `out`.
    pub(super) fn listed(
        &mut self,
        array: Typed,
        (of, len): (Ty, u16),
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<VarId> {
        let array = self.stays(array, span, out)?;
        let ty = Ty::List(Box::new(of), u32::from(len));
        let list = self.new_var("(list)", ty, Mutability::Changes, span)?;
        let pos = self.pos(span);
        out.push(Stmt { pos, kind: StmtKind::Declare(list) });
        self.charge(Growth::Elements, 3 * usize::from(len), span)?;
        for at in 0..len {
            let value = tree::Expr { pos, kind: ExprKind::Field(Box::new(array.clone()), at) };
            out.push(Stmt { pos, kind: StmtKind::Add { list, value } });
        }
        Ok(list)
    }

    /// A value that can be read several times: what is more than a variable or a part of one has one for the purpose.
    fn stays(&mut self, value: Typed, span: Span, out: &mut Vec<Stmt>) -> Checked<tree::Expr> {
        if self.tables.is_apart(&value.ty) {
            return self.settled(value.expr, span, out);
        }
        let mut of = &value.expr;
        while let ExprKind::Field(record, _) = &of.kind {
            of = record;
        }
        let is_plain = matches!(
            of.kind,
            ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) | ExprKind::Enum(..)
        );
        if is_plain {
            return Ok(value.expr);
        }
        let var = self.new_var("(value)", value.ty, Mutability::Fixed, span)?;
        out.push(Stmt { pos: self.pos(span), kind: StmtKind::Let { var, value: value.expr } });
        Ok(self.var(var, span).expr)
    }

    /// An element of a list, or a field of one, whose index is computed once however often it is read. No variable holds it, since there
    /// are portals in it.
    pub(super) fn settled(
        &mut self,
        element: tree::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<tree::Expr> {
        let kind = match element.kind {
            ExprKind::Field(record, field) => {
                ExprKind::Field(Box::new(self.settled(*record, span, out)?), field)
            }
            ExprKind::Index(list, index) => {
                let var = self.index_of(*index, span, out)?;
                ExprKind::Index(list, Box::new(self.var(var, span).expr))
            }
            other => other,
        };
        Ok(tree::Expr { kind, ..element })
    }

    /// The variable of an index: one that stays as it is from the test to the element, also if a run stops between them and is given
    /// another value to go on with.
    pub(super) fn index_of(&mut self, index: tree::Expr, span: Span, out: &mut Vec<Stmt>) -> Checked<VarId> {
        if let ExprKind::Var(var) = index.kind
            && self.unit.vars[var.index()].mutability == Mutability::Fixed
        {
            return Ok(var);
        }
        let var = self.new_var("(index)", Ty::Int, Mutability::Fixed, span)?;
        out.push(Stmt { pos: self.pos(span), kind: StmtKind::Let { var, value: index } });
        Ok(var)
    }

    /// Ends the run as an index outside of a list does, if there is no such element: there is none in a list that is empty.
    pub(super) fn there_is(&mut self, index: VarId, len: u16, span: Span) -> Checked<Stmt> {
        self.charge(Growth::Elements, 12, span)?;
        let pos = self.pos(span);
        let none = self.new_var("(none)", Ty::List(Box::new(Ty::Int), 1), Mutability::Changes, span)?;
        let var = self.new_var("(value)", Ty::Int, Mutability::Fixed, span)?;
        let stmt = |kind| Stmt { pos, kind };
        let read = tree::Expr { pos, kind: ExprKind::Index(none, Box::new(self.var(index, span).expr)) };
        let then = vec![stmt(StmtKind::Declare(none)), stmt(StmtKind::Let { var, value: read })];
        let sides = [(Rel::Lt, 0), (Rel::Ge, len)].map(|(rel, n)| self.compared(rel, index, n, span));
        let outside = tree::Expr { pos, kind: ExprKind::Or(sides.to_vec()) };
        Ok(stmt(StmtKind::If { arms: vec![(outside, Block { stmts: then })], otherwise: Block::default() }))
    }

    fn compared(&self, rel: Rel, index: VarId, n: u16, span: Span) -> tree::Expr {
        let n = self.typed(ExprKind::Int(i64::from(n)), Ty::Int, span).expr;
        let index = self.var(index, span).expr;
        self.typed(ExprKind::Compare(rel, Box::new(index), Box::new(n)), Ty::Bool, span).expr
    }

    /// The statement that `one` makes of the index, which is one of these.
    pub(super) fn halves(
        &mut self,
        (from, to): (u16, u16),
        index: VarId,
        span: Span,
        one: &mut dyn FnMut(&mut Self, u16) -> Checked<StmtKind>,
    ) -> Checked<Stmt> {
        self.charge(Growth::Elements, 4, span)?;
        let pos = self.pos(span);
        if to - from <= 1 {
            return Ok(Stmt { pos, kind: one(self, from)? });
        }
        let middle = from + (to - from) / 2;
        let (below, above) = self.deeper(|checker| {
            let below = checker.halves((from, middle), index, span, one)?;
            Ok((below, checker.halves((middle, to), index, span, one)?))
        })?;
        let cond = self.compared(Rel::Lt, index, middle, span);
        let otherwise = Block { stmts: vec![above] };
        Ok(Stmt { pos, kind: StmtKind::If { arms: vec![(cond, Block { stmts: vec![below] })], otherwise } })
    }
}
