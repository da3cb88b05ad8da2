//! Structs and arrays of interfaces that hold portals. A portal lives in a variable of its own, so none of these is a value: each is
//! a group of values, which have one name in front of theirs, as the [results of a call](super::parts) have.
//!
//! ```text
//! let l = Link(target: d, at: 1)     l.target and l.at are variables
//! i.link(l)                          an argument for each of them
//! let got = i.got()                  the same names, of what came back
//! ```

use std::sync::Arc;

use super::super::ast::{Arg, Expr, ExprKind as Ast, Name};
use super::super::faults::Reported;
use super::calls::OpCall;
use super::chosen::At;
use super::globals::Global;
use super::growth::Growth;
use super::parts::{Given, Parts, listed};
use super::scope::{Held, Local};
use super::tables::{Slot, Slots};
use super::{Checked, Checker, Typed};
use crate::import::{Input, within};
use crate::tree::{
    self, Block, ExprKind, Inline, InterfaceId, Mutability, RecordId, Stmt, StmtKind, Ty, VarId,
};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// A struct that holds portals, made of its fields.
pub(super) struct Group {
    ty: Ty,
    /// What is evaluated before its values.
    before: Vec<Stmt>,
    names: Arc<[Input]>,
    values: Vec<tree::Expr>,
}

impl<'a> Checker<'a, '_> {
    /// `Link(target: d, at: 1)`.
    pub(super) fn group(
        &mut self,
        id: RecordId,
        slots: &Slots,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<Group> {
        let record = self.tables.records[id.index()].name.clone();
        let bound = self.bind(&record, slots, args, span)?;
        let mut before = vec![];
        let (parts, values) = self.spread(slots, &bound, None, &mut before, span)?;
        let given = self.arranged(&parts, values, None, &mut before, span)?;
        self.charge(Growth::Fields, given.len(), span)?;
        let mut values = Vec::with_capacity(given.len());
        for (part, value) in parts.iter().zip(given) {
            values.push(match value {
                Some(value) => value,
                None => self.zero(&record, part, span)?,
            });
        }
        let names = parts.iter().map(|part| Input {
            name: part.name.clone(),
            ty: part.ty.clone(),
            range: part.range,
        });
        Ok(Group { ty: Ty::Record(id), before, names: names.collect(), values })
    }

    /// Values of arguments, each with its slot; of one that is a group, those of its parts. The slots are those of the parts.
    pub(super) fn spread(
        &mut self,
        slots: &Slots,
        bound: &[(usize, &Arg<'a>)],
        mut target: Option<(&mut tree::Expr, InterfaceId)>,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Checked<(Slots, Vec<(usize, tree::Expr)>)> {
        if !slots.iter().any(|slot| self.tables.is_apart(&slot.ty) || self.tables.lists_portals(&slot.ty)) {
            return Ok((Slots::clone(slots), self.evaluate(slots, bound)?));
        }
        let (mut parts, mut firsts) = (vec![], vec![]);
        for slot in slots.iter() {
            firsts.push(parts.len());
            let whole = Input { name: slot.name.clone(), ty: slot.ty.clone(), range: slot.range };
            parts.extend(self.tables.values(&slot.name, &whole).iter().map(Slot::from));
        }
        let parts: Slots = parts.into();
        let (mut values, mut faulty) = (vec![], None);
        for one in bound {
            let (slot, arg) = *one;
            let wanted = &slots[slot].ty;
            if !self.tables.is_apart(wanted) && !self.tables.lists_portals(wanted) {
                match self.evaluate(slots, std::slice::from_ref(one)) {
                    Ok(found) => values.extend(found.into_iter().map(|(slot, value)| (firsts[slot], value))),
                    Err(reported) => faulty = Some(reported),
                }
                continue;
            }
            let mut first = vec![];
            let given = match self.tables.lists_portals(wanted) {
                true => self.portals_given(&arg.value, wanted, &mut first).map(|list| vec![list]),
                false => self.grouped(&arg.value, wanted, &mut first),
            };
            match given {
                Ok(found) => {
                    if !first.is_empty() {
                        if let Some((target, interface)) = &mut target {
                            self.put_aside(target, &Ty::Portal(*interface), before, span)?;
                        }
                        for (part, value) in &mut values {
                            self.put_aside(value, &parts[*part].ty, before, span)?;
                        }
                    }
                    before.append(&mut first);
                    values.extend(found.into_iter().enumerate().map(|(k, value)| (firsts[slot] + k, value)));
                }
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok((parts, values)), Err)
    }

    /// The values of a group where one of this type is wanted; what is evaluated before goes to `out`.
    fn grouped(&mut self, expr: &Expr<'a>, to: &Ty, out: &mut Vec<Stmt>) -> Checked<Vec<tree::Expr>> {
        let span = expr.span;
        match self.given(expr)? {
            Given::Group(group) if group.ty == *to => {
                out.extend(group.before);
                Ok(group.values)
            }
            Given::Group(group) => Err(self.wrong_group(&group.ty, to, span)),
            Given::Parts(call) => match call.groups.first() {
                Some((name, ty)) if name.is_empty() && ty == to => {
                    let (stmts, vars) = self.taken_apart(call, span)?;
                    out.extend(stmts);
                    Ok(vars.into_iter().map(|var| self.var(var, span).expr).collect())
                }
                Some((name, ty)) if name.is_empty() => {
                    let ty = ty.clone();
                    Err(self.wrong_group(&ty, to, span))
                }
                _ => Err(self.several(&call, span)),
            },
            Given::Worth(worth) => {
                let value = self.with_value(worth, span)?;
                if value.ty != *to {
                    return Err(self.mismatch(&value, to, span));
                }
                let group = self.group_of(value, span)?;
                out.extend(group.before);
                Ok(group.values)
            }
        }
    }

    /// `list.add(…)` of a struct that holds portals: what is added. What is evaluated before goes to `out`.
    pub(super) fn added(&mut self, expr: &Expr<'a>, to: &Ty, out: &mut Vec<Stmt>) -> Checked<tree::Expr> {
        let values = self.grouped(expr, to, out)?;
        self.made_of(to, &mut values.into_iter(), expr.span).ok_or(Reported)
    }

    /// The struct of these values, as it stands in a tree where it is added to a list.
    fn made_of(
        &self,
        ty: &Ty,
        values: &mut impl Iterator<Item = tree::Expr>,
        span: Span,
    ) -> Option<tree::Expr> {
        let id = match ty {
            Ty::Record(id) if self.tables.is_apart(ty) => *id,
            _ => return values.next(),
        };
        let inputs = self.tables.inputs(id);
        let fields = inputs.iter().map(|field| self.made_of(&field.ty, values, span));
        let kind = ExprKind::Record(id, fields.collect::<Option<_>>()?);
        Some(tree::Expr { pos: self.pos(span), kind })
    }

    /// What an element of a list holds that holds portals.
    pub(super) fn group_of(&mut self, element: Typed, span: Span) -> Checked<Group> {
        let Typed { expr, ty } = element;
        let mut before = vec![];
        let expr = self.settled(expr, span, &mut before)?;
        let (mut names, mut values) = (vec![], vec![]);
        let whole = Input { name: String::new(), ty: ty.clone(), range: None };
        self.fields_of(expr, whole, &mut names, &mut values);
        self.charge(Growth::Fields, values.len(), span)?;
        Ok(Group { ty, before, names: names.into(), values })
    }

    fn fields_of(&self, of: tree::Expr, input: Input, names: &mut Vec<Input>, values: &mut Vec<tree::Expr>) {
        let id = match input.ty {
            Ty::Record(id) if self.tables.is_apart(&input.ty) => id,
            _ => {
                names.push(input);
                return values.push(of);
            }
        };
        for (k, field) in self.tables.inputs(id).iter().enumerate() {
            // A record has at most 1024 fields.
            let kind = ExprKind::Field(Box::new(of.clone()), k as u16);
            let input = Input { name: within(&input.name, &field.name), ..field.clone() };
            self.fields_of(tree::Expr { pos: of.pos, kind }, input, names, values);
        }
    }

    fn wrong_group(&mut self, found: &Ty, to: &Ty, span: Span) -> Reported {
        let (used, wanted) = (self.noun(found), self.a_noun(to));
        let fault = Diagnostic::error("type", span, format!("{used} used as {wanted}"));
        let label = format!("found {}, expected {}", self.type_text(found), self.type_text(to));
        self.faults.report(fault.label(label))
    }

    /// The group that this names.
    pub(super) fn named_group(&self, expr: &Expr<'a>) -> Option<Group> {
        let (parts, path) = self.parts_path(expr)?;
        let parts = &self.unit.parts[parts];
        let (_, ty) = parts.groups.iter().find(|(name, _)| *name == path)?;
        let of_group = parts.of_group(&path);
        let (names, values): (Vec<Input>, Vec<tree::Expr>) = of_group
            .map(|(part, name, var)| {
                (Input { name: name.to_owned(), ..part.clone() }, self.var(var, expr.span).expr)
            })
            .unzip();
        Some(Group { ty: ty.clone(), before: vec![], names: names.into(), values })
    }

    /// The results or group that this names, and the way to the part of them that it is: nothing, or that of a group.
    pub(super) fn parts_path(&self, expr: &Expr<'a>) -> Option<(usize, String)> {
        let (base, name) = match &expr.kind {
            Ast::Name(text) => return Some((self.unit.scope.get(text)?.parts?, String::new())),
            Ast::Dot(base, name) => (base, name.text.to_owned()),
            Ast::Index(base, index) => match index.kind {
                Ast::Int(n) => (base, n.to_string()),
                _ => match self.global(index)? {
                    Global::Const(value) => match value.expr.kind {
                        ExprKind::Int(n) => (base, n.to_string()),
                        _ => return None,
                    },
                    _ => return None,
                },
            },
            _ => return None,
        };
        let (parts, path) = self.parts_path(base)?;
        let path = within(&path, &name);
        let groups = &self.unit.parts[parts].groups;
        groups.iter().any(|(group, _)| *group == path).then_some((parts, path))
    }

    /// `let l = Link(…)`: a variable for each of its values. The last declaration is given back, the others go to `out`.
    pub(super) fn let_group(
        &mut self,
        name: Name<'a>,
        group: Group,
        out: &mut Vec<Stmt>,
    ) -> Checked<StmtKind> {
        self.check_free(name)?;
        let vars = self.part_vars(name.text, &group.names, name.span)?;
        let mut groups = vec![];
        self.tables.groups("", &group.ty, &mut groups);
        let callee = self.type_text(&group.ty);
        let parts = Parts { callee, names: group.names, groups: groups.into(), vars: vars.clone() };
        let local = Local { var: None, parts: Some(self.unit.parts.len()), held: Held::Let, span: name.span };
        self.unit.parts.push(parts);
        self.unit.scope.insert(name.text, local);
        out.extend(group.before);
        let mut lets = vars.into_iter().zip(group.values).map(|(var, value)| (value.pos, var, value));
        let Some(last) = lets.next_back() else { return Err(Reported) };
        out.extend(lets.map(|(pos, var, value)| Stmt { pos, kind: StmtKind::Let { var, value } }));
        Ok(StmtKind::Let { var: last.1, value: last.2 })
    }

    /// `pair[k]`, of an array of portals.
    pub(super) fn portal_element(
        &mut self,
        (parts, path): (usize, String),
        index: &Expr<'a>,
        span: Span,
    ) -> Checked<Typed> {
        let groups = &self.unit.parts[parts].groups;
        let ty = groups.iter().find(|(name, _)| *name == path).map(|(_, ty)| ty.clone());
        let Some((of, len)) = ty.and_then(|ty| self.elements_of(&ty)) else {
            return Err(self.alone(parts, &path, span));
        };
        let index = match self.array_index(index, len)? {
            At::Known(at) => {
                let name = within(&path, &at.to_string());
                let Some(var) = self.unit.parts[parts].var(&name) else {
                    return Err(self.alone(parts, &name, span));
                };
                return Ok(self.var(var, span));
            }
            At::Chosen(index) if matches!(of, Ty::Portal(_)) => index,
            At::Chosen(_) => return Err(self.chosen_struct(span)),
        };
        let vars = self.unit.parts[parts].vars_of(&path);
        self.chosen_portal(&vars, index, (of, len), span, vec![])
    }

    /// An element of an array of structs with portals, chosen by what is known when the program runs.
    pub(super) fn chosen_struct(&mut self, span: Span) -> Reported {
        let message = "which element this is must be known beforehand, since it holds a portal";
        let fault = Diagnostic::unsupported("portal", span, message);
        self.faults.report(fault.label("expected a number in the brackets"))
    }

    /// An element of a list of structs with portals that has no name.
    fn element_of_call(&mut self, span: Span) -> Reported {
        let message = "an element of this list holds a portal, so that it is no value by itself";
        let fault = Diagnostic::error("portal", span, message)
            .label("found a list that nothing has a name for")
            .help("name it first: `let all = …`, then `all[…]`");
        self.faults.report(fault)
    }

    /// `desk.pair()[k]`: the others go.
    pub(super) fn portal_of_call(
        &mut self,
        call: OpCall,
        index: &Expr<'a>,
        (whole, span): (Span, Span),
    ) -> Checked<Typed> {
        if let Some(Ty::List(of, _)) = self.portals_alone(&call) {
            let of = (**of).clone();
            if self.tables.is_apart(&of) {
                return Err(self.element_of_call(whole));
            }
            let (stmts, vars) = self.taken_apart(call, span)?;
            let index = self.expect(index, &Ty::Int)?;
            let element = self.typed(ExprKind::Index(vars[0], Box::new(index)), of, span);
            return self.inline(stmts, element, span);
        }
        let array = call.groups.first().filter(|(name, _)| name.is_empty());
        let array = array.and_then(|(_, ty)| self.elements_of(ty));
        let Some((of @ Ty::Portal(_), len)) = array else { return Err(self.several(&call, whole)) };
        let (stmts, vars) = self.taken_apart(call, span)?;
        match self.array_index(index, len)? {
            At::Known(at) => {
                let value = self.var(vars[usize::from(at)], span);
                self.inline(stmts, value, span)
            }
            At::Chosen(index) => self.chosen_portal(&vars, index, (of, len), span, stmts),
        }
    }

    /// The one of these that the index says, behind what is to be done first.
    fn chosen_portal(
        &mut self,
        vars: &[VarId],
        index: tree::Expr,
        (of, len): (Ty, u16),
        span: Span,
        mut stmts: Vec<Stmt>,
    ) -> Checked<Typed> {
        let index = self.index_of(index, span, &mut stmts)?;
        stmts.push(self.there_is(index, len, span)?);
        let leave = |checker: &mut Self, at: u16| {
            Ok(StmtKind::Leave(Some(checker.var(vars[usize::from(at)], span).expr)))
        };
        stmts.push(self.halves((0, len), index, span, &mut { leave })?);
        let result = self.new_var("(value)", of.clone(), Mutability::Changes, span)?;
        let inline = Inline { result: Some(result), body: Block { stmts } };
        Ok(self.typed(ExprKind::Inline(Box::new(inline)), of, span))
    }

    /// A group, by its name, where one value is wanted.
    fn alone(&mut self, parts: usize, path: &str, span: Span) -> Reported {
        let names = self.unit.parts[parts].of_group(path).map(|(part, _, _)| part.clone());
        let label = format!("expected one of {}", listed(&names.collect::<Vec<_>>()));
        let callee = &self.unit.parts[parts].callee;
        let message = format!("this is several values of {callee}, not one");
        self.faults.report(Diagnostic::error("results", span, message).label(label))
    }

    /// A group where one value is wanted.
    pub(super) fn group_alone(&mut self, group: &Group, span: Span) -> Reported {
        self.struct_alone(&group.ty, span)
    }

    /// The same of an element of a list.
    pub(super) fn struct_alone(&mut self, ty: &Ty, span: Span) -> Reported {
        let message = format!("`{}` holds a portal, so that it is no value by itself", self.type_text(ty));
        let fault = Diagnostic::error("portal", span, message)
            .label("found it where one value is wanted")
            .help("take what it holds, by `let x = …` and the names of its fields, or hand it to a call");
        self.faults.report(fault)
    }

    /// A type that is written where one of values is wanted.
    pub(super) fn type_of_values(&mut self, ty: Ty, span: Span) -> Checked<Ty> {
        if !self.tables.is_apart(&ty) {
            return Ok(ty);
        }
        let shown = self.type_text(&ty);
        let fault = Diagnostic::error(
            "portal",
            span,
            format!("`{shown}` holds a portal, so nothing is of this type"),
        )
        .label("found a struct with a portal, expected a type of values, or an interface")
        .help(format!(
            "make one by `let x = {shown}(…)`; to hand it to a function, hand over what it holds, one by one"
        ));
        Err(self.faults.report(fault))
    }
}
