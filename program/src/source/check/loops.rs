//! Loops and their limits.

use super::super::ast::{self, Amount, Expr, ExprKind as Ast, Name};
use super::super::faults::Reported;
use super::calls::OpCall;
use super::parts::Given;
use super::scope::Held;
use super::{Checked, Checker, Typed};
use crate::tree::{Block, ExprKind, Limit, Mutability, Paged, Stmt, StmtKind, Ty, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// What a `for` walks over.
enum Source {
    Value(Typed),
    /// A list among the results of a call.
    Part(OpCall, usize),
    Paged(OpCall, Paged),
}

impl<'a> Checker<'a, '_> {
    pub(super) fn while_(
        &mut self,
        cond: &Expr<'a>,
        limit: Option<Amount<'a>>,
        body: &ast::Block<'a>,
    ) -> Checked<StmtKind> {
        let cond = self.expect(cond, &Ty::Bool);
        let limit = self.limit(limit);
        self.unit.loops.push(None);
        let (body, _) = self.block(body);
        self.unit.loops.pop();
        Ok(StmtKind::While { cond: cond?, limit: limit?, body })
    }

    fn limit(&mut self, limit: Option<Amount<'a>>) -> Checked<Limit> {
        let Some(amount) = limit else { return Ok(Limit::None) };
        let value = self.amount(amount)?;
        if value > 0 {
            return Ok(Limit::At(value));
        }
        let span = match amount {
            Amount::Int(_, _, span) => span,
            Amount::Const(name) => name.span,
        };
        let fault = Diagnostic::error("limit", span, "a loop that is never entered needs no limit");
        Err(self.faults.report(fault.label("found 0, expected 1 or more")))
    }

    pub(super) fn for_(
        &mut self,
        names: (Name<'a>, Option<Name<'a>>),
        from: &Expr<'a>,
        to: Option<&Expr<'a>>,
        limit: Option<Amount<'a>>,
        body: &ast::Block<'a>,
        out: &mut Vec<Stmt>,
    ) -> Checked<StmtKind> {
        let limit = self.limit(limit);
        match to {
            Some(to) => self.for_range(names, from, to, limit, body),
            None => match self.for_source(from) {
                Ok(Source::Paged(call, paged)) => self.for_paged(names, (call, paged), limit, body, out),
                Ok(Source::Value(list)) => self.for_list(names, list, from.span, limit, body, out),
                Ok(Source::Part(call, at)) => {
                    let (stmts, vars) = self.taken_apart(call, from.span)?;
                    out.extend(stmts);
                    let list = self.var(vars[at], from.span);
                    self.for_list(names, list, from.span, limit, body, out)
                }
                Err(reported) => {
                    let _ = self.loop_body(names, Err(reported), None, body);
                    Err(reported)
                }
            },
        }
    }

    fn for_range(
        &mut self,
        names: (Name<'a>, Option<Name<'a>>),
        from: &Expr<'a>,
        to: &Expr<'a>,
        limit: Checked<Limit>,
        body: &ast::Block<'a>,
    ) -> Checked<StmtKind> {
        let (from, to) = (self.expect(from, &Ty::Int), self.expect(to, &Ty::Int));
        if let Some(second) = names.1 {
            let fault = Diagnostic::error("syntax", second.span, "a range gives one number at a time");
            self.faults.push(fault.label("found a second name"));
        }
        let (var, _, body) = self.loop_body((names.0, None), Ok(Ty::Int), None, body);
        Ok(StmtKind::ForRange { var: var?, from: from?, to: to?, limit: limit?, body })
    }

    fn for_source(&mut self, from: &Expr<'a>) -> Checked<Source> {
        if let Ast::Call(callee, args, _) = &from.kind
            && let Ast::Dot(base, name) = &callee.kind
            && self.global(callee).is_none()
        {
            let receiver = self.value(base)?;
            let Ty::Portal(interface) = receiver.ty else {
                let given = self.member_call(receiver, *name, args, from.span)?;
                return self.walked(given, from.span);
            };
            let call = self.op_call(receiver.expr, interface, *name, args, from.span)?;
            if let Some(paged) = call.paged {
                return Ok(Source::Paged(call, paged));
            }
            let given = self.op_given(call, from.span)?;
            return self.walked(given, from.span);
        }
        // The list is walked over where the call left it.
        if let Ast::Dot(base, name) = &from.kind
            && let Ast::Call(..) = base.kind
        {
            let worth = match self.given(base)? {
                Given::Parts(call) => {
                    let at = self.part_at(&call, *name)?;
                    if let Ty::List(..) = call.parts[at].ty {
                        return Ok(Source::Part(call, at));
                    }
                    self.part_of_call(call, *name, from.span)?
                }
                Given::Group(group) => return Err(self.group_alone(&group, base.span)),
                Given::Worth(worth) => {
                    let value = self.with_value(worth, base.span)?;
                    self.part(value, *name, from.span)?
                }
            };
            return self.walked(Given::Worth((worth.expr, Some(worth.ty))), from.span);
        }
        let given = self.given(from)?;
        self.walked(given, from.span)
    }

    fn walked(&mut self, given: Given, span: Span) -> Checked<Source> {
        let worth = match given {
            Given::Worth(worth) => worth,
            Given::Parts(call) if self.portals_alone(&call).is_some() => return Ok(Source::Part(call, 0)),
            Given::Parts(call) => return Err(self.several(&call, span)),
            Given::Group(group) => return Err(self.group_alone(&group, span)),
        };
        let fault = match worth {
            (expr, Some(ty @ Ty::List(..))) => return Ok(Source::Value(Typed { expr, ty })),
            (expr, Some(ty)) if self.elements_of(&ty).is_some() => {
                return Ok(Source::Value(Typed { expr, ty }));
            }
            (_, None) => {
                Diagnostic::error("no-value", span, "this call returns nothing").label("expected a list")
            }
            (_, Some(ty)) => {
                let message = format!("`for` cannot walk over {}", self.a_noun(&ty));
                let label = format!(
                    "found {}, expected a list, a range, or a call of a paged operation",
                    self.type_text(&ty)
                );
                let fault = Diagnostic::error("type", span, message).label(label);
                match &ty {
                    Ty::Int => fault.help("to count, write `for i in 0 .. n`"),
                    Ty::Portal(id) => {
                        match self.descriptor(*id).operations.iter().find(|op| op.paged.is_some()) {
                            Some(op) => fault.help(format!("did you mean its operation `{}(…)`?", op.name)),
                            None => fault,
                        }
                    }
                    _ => fault,
                }
            }
        };
        Err(self.faults.report(fault))
    }

    fn for_list(
        &mut self,
        names: (Name<'a>, Option<Name<'a>>),
        list: Typed,
        span: Span,
        limit: Checked<Limit>,
        body: &ast::Block<'a>,
        out: &mut Vec<Stmt>,
    ) -> Checked<StmtKind> {
        let array = self.elements_of(&list.ty);
        let of = match (&array, list.ty.clone()) {
            (Some((of, _)), _) => of.clone(),
            (None, Ty::List(of, _)) => *of,
            (None, _) => return Err(Reported),
        };
        if array.is_some() && self.tables.is_apart(&of) {
            return Err(self.chosen_struct(span));
        }
        let list = match list.expr.kind {
            _ if let Some(array) = array => self.listed(list, array, span, out)?,
            ExprKind::Var(var) => var,
            _ => {
                let var = self.new_var("(list)", list.ty, Mutability::Fixed, span)?;
                out.push(Stmt { pos: self.pos(span), kind: StmtKind::Let { var, value: list.expr } });
                var
            }
        };
        let (var, index, body) = self.loop_body(names, Ok(of), Some(list), body);
        Ok(StmtKind::ForList { var: var?, index: index?, list, limit: limit?, body })
    }

    fn for_paged(
        &mut self,
        names: (Name<'a>, Option<Name<'a>>),
        source: (OpCall, Paged),
        limit: Checked<Limit>,
        body: &ast::Block<'a>,
        out: &mut Vec<Stmt>,
    ) -> Checked<StmtKind> {
        let (call, paged) = source;
        out.extend(call.before);
        let page = &self.tables.ops[call.call.op.index()].results[usize::from(paged.page)];
        let Ty::List(of, _) = page.clone() else { return Err(Reported) };
        let (var, index, body) = self.loop_body(names, Ok(*of), None, body);
        Ok(StmtKind::ForPaged { var: var?, index: index?, call: Box::new(call.call), limit: limit?, body })
    }

    /// Declares a loop's variable for elements that are lists, and the name for the list that each is.
    fn packed_element(&mut self, name: Name<'a>, ty: Ty) -> (Checked<VarId>, Option<Stmt>) {
        let list = self.seen(&ty).clone();
        let (var, named) = match (
            self.new_var("(element)", ty, Mutability::Fixed, name.span),
            self.declare(name, Ok(list), Held::Loop),
        ) {
            (Ok(var), Ok(named)) => (var, named),
            (Err(reported), _) | (_, Err(reported)) => return (Err(reported), None),
        };
        let value = self.unpacked(self.var(var, name.span)).expr;
        let first = Stmt { pos: self.pos(name.span), kind: StmtKind::Let { var: named, value } };
        (Ok(var), Some(first))
    }

    /// Declares the loop's variables and checks its body.
    fn loop_body(
        &mut self,
        names: (Name<'a>, Option<Name<'a>>),
        element: Checked<Ty>,
        list: Option<VarId>,
        body: &ast::Block<'a>,
    ) -> (Checked<VarId>, Checked<Option<VarId>>, Block) {
        let mark = self.unit.scope.enter();
        let (index, name) = match names {
            (name, None) => (None, name),
            (index, Some(name)) => (Some(index), name),
        };
        let index = index.map(|index| self.declare(index, Ok(Ty::Int), Held::Loop)).transpose();
        let (var, first) = match element {
            Ok(ty) if self.tables.list_of(&ty).is_some() => self.packed_element(name, ty),
            element => (self.declare(name, element, Held::Loop), None),
        };
        self.unit.loops.push(list);
        let (mut body, _) = self.block(body);
        if let Some(first) = first {
            body.stmts.insert(0, first);
        }
        self.unit.loops.pop();
        self.unit.scope.leave(mark);
        (var, index, body)
    }
}
