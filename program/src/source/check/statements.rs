//! Blocks and statements.

use super::super::ast::{self, AssignOp, Declarator, Expr, ExprKind as Ast, Name, Rhs, TypeRef};
use super::super::faults::{Reported, meant};
use super::calls::OpCall;
use super::chosen::Missing;
use super::groups::Group;
use super::parts::Given;
use super::scope::Held;
use super::types::STRING_MAX;
use super::{Checked, Checker, Raise, Typed, UnitKind};
use crate::tree::{self, ArithOp, Bind, Block, ExprKind, Inline, Mutability, Stmt, StmtKind, Ty, VarId};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// Whether what follows is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// The block was left.
    Leaves,
    /// It goes on, at least sometimes.
    GoesOn,
}

impl Flow {
    /// Behind two blocks of which one is run.
    pub(super) fn or(self, other: Flow) -> Flow {
        if self == Flow::Leaves { other } else { self }
    }
}

/// What a variable begins with.
enum Initial {
    Value(Typed),
    /// Several results, each in a variable of its own.
    Parts(OpCall),
    /// A struct that holds portals: what it holds, the same.
    Group(Group),
}

/// A `try`, checked: its value and its block.
struct Tried {
    value: Typed,
    kind: VarId,
    message: VarId,
    otherwise: Block,
    flow: Flow,
}

impl<'a> Checker<'a, '_> {
    /// The body of a function or program; says where its end is if that can be reached. What has a fault may have been
    /// meant to leave before that.
    pub(super) fn body(&mut self, body: &ast::Block<'a>) -> (Block, Result<(), Span>) {
        let before = self.faults.len();
        let (block, flow) = self.block(body);
        let leaves = flow == Flow::Leaves || self.faults.len() > before;
        (block, if leaves { Ok(()) } else { Err(body.close) })
    }

    /// A block with a scope of its own.
    pub(super) fn block(&mut self, block: &ast::Block<'a>) -> (Block, Flow) {
        let mark = self.unit.scope.enter();
        let checked = self.deeper(|checker| checker.stmts(&block.stmts));
        self.unit.scope.leave(mark);
        checked
    }

    fn stmts(&mut self, stmts: &[ast::Stmt<'a>]) -> (Block, Flow) {
        let mut block = Block::default();
        let mut left: Option<Span> = None;
        for stmt in stmts {
            if self.grown.is_too_much() || self.faults.is_full() {
                return (block, Flow::Leaves);
            }
            if let Some(left) = left {
                let line = self.line(left);
                let fault = Diagnostic::error("unreachable", stmt.span, "this is never reached");
                self.faults.push(fault.label(format!("the block was left in line {line}")));
                return (block, Flow::Leaves);
            }
            if self.stmt(stmt, &mut block.stmts) == Flow::Leaves {
                left = Some(stmt.span);
            }
        }
        (block, if left.is_some() { Flow::Leaves } else { Flow::GoesOn })
    }

    /// Checks a statement; one with a fault is left out, but may still leave its block.
    fn stmt(&mut self, stmt: &ast::Stmt<'a>, out: &mut Vec<Stmt>) -> Flow {
        use ast::StmtKind as S;
        let span = stmt.span;
        let (kind, flow) = match &stmt.kind {
            S::If { arms, otherwise } => self.choice(arms, otherwise.as_ref()),
            S::Match { value, arms, otherwise } => self.match_(value, arms, otherwise.as_ref(), out),
            S::Return(value) => (self.return_(value.as_ref(), span), Flow::Leaves),
            S::Break => (self.in_loop("break", span).map(|()| StmtKind::Break), Flow::Leaves),
            S::Continue => (self.in_loop("continue", span).map(|()| StmtKind::Continue), Flow::Leaves),
            S::Fail(message) => {
                (self.expect(message, &Ty::Str(STRING_MAX)).map(StmtKind::Fail), Flow::Leaves)
            }
            S::Try(value, block) => self.try_statement(value, block),
            S::Declare { word, name, ty, value } => {
                (self.declaration((*word, *name), ty.as_ref(), value.as_ref(), span, out), Flow::GoesOn)
            }
            S::While { cond, limit, body } => (self.while_(cond, *limit, body), Flow::GoesOn),
            S::For { names, from, to, limit, body } => {
                (self.for_(*names, from, to.as_ref(), *limit, body, out), Flow::GoesOn)
            }
            S::Sort { list, keys } => (self.sort(*list, keys), Flow::GoesOn),
            S::Place(place) => (self.effect(place), Flow::GoesOn),
            S::Assign { place, op, op_span, value } => {
                (self.assignment(place, (*op, *op_span), value, span, out), Flow::GoesOn)
            }
        };
        if let Ok(kind) = kind {
            out.push(Stmt { pos: self.pos(span), kind });
        }
        flow
    }

    fn choice(
        &mut self,
        arms: &[(Expr<'a>, ast::Block<'a>)],
        otherwise: Option<&ast::Block<'a>>,
    ) -> (Checked<StmtKind>, Flow) {
        let mut checked = Vec::with_capacity(arms.len());
        let mut flow = Flow::Leaves;
        for (cond, then) in arms {
            if self.faults.is_full() {
                return (Err(Reported), flow);
            }
            let cond = self.expect(cond, &Ty::Bool);
            let (then, end) = self.block(then);
            flow = flow.or(end);
            checked.push(cond.map(|cond| (cond, then)));
        }
        let (otherwise, end) = match otherwise {
            Some(block) => self.block(block),
            None => (Block::default(), Flow::GoesOn),
        };
        let arms = checked.into_iter().collect::<Checked<_>>();
        (arms.map(|arms| StmtKind::If { arms, otherwise }), flow.or(end))
    }

    fn return_(&mut self, value: Option<&Expr<'a>>, span: Span) -> Checked<StmtKind> {
        let name = self.unit.kind.shown();
        let value = match (value, self.unit.result.clone()) {
            (Some(value), Some(ty)) => Some(self.expect(value, &ty)?),
            (None, None) => None,
            (Some(value), None) => {
                let worth = self.value(value)?;
                let message = format!("{name} returns nothing");
                let fault = Diagnostic::error("type", value.span, message);
                let help =
                    format!("to return it, write `-> {}` behind the parameters", self.type_text(&worth.ty));
                return Err(self.faults.report(fault.label("found a value").help(help)));
            }
            (None, Some(ty)) => {
                let fault = Diagnostic::error("type", span, format!("{name} returns {}", self.a_noun(&ty)));
                let label = format!("found nothing, expected {}", self.type_text(&ty));
                return Err(self.faults.report(fault.label(label)));
            }
        };
        Ok(match self.unit.kind {
            UnitKind::Program(_) => StmtKind::Return(value),
            UnitKind::Function(_) | UnitKind::Constant => StmtKind::Leave(value),
        })
    }

    /// The end of something that must return a value can be reached.
    pub(super) fn missing_return(&mut self, close: Span) {
        let (name, ty) = (self.unit.kind.shown(), self.unit.result.clone());
        let Some(ty) = ty else { return };
        let message = format!("{name} can end without returning {}", self.a_noun(&ty));
        let fault = Diagnostic::error("no-return", close, message);
        let label = format!("found the end of {name}, expected `return` with {}", self.type_text(&ty));
        self.faults.push(fault.label(label));
    }

    fn in_loop(&mut self, word: &str, span: Span) -> Checked<()> {
        if !self.unit.loops.is_empty() {
            return Ok(());
        }
        let fault = Diagnostic::error("no-loop", span, format!("`{word}` stands in no loop"));
        let fault = fault.label("expected it in `for` or `while`");
        Err(self.faults.report(match self.unit.kind {
            UnitKind::Function(_) => fault.help("to leave the function, write `return`"),
            _ => fault.help("to end the program, write `return` or `fail`"),
        }))
    }

    // Declarations.

    fn declaration(
        &mut self,
        (word, name): (Declarator, Name<'a>),
        ty: Option<&TypeRef<'a>>,
        value: Option<&Rhs<'a>>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<StmtKind> {
        let held = if word == Declarator::Let { Held::Let } else { Held::Var };
        let ty = ty.map(|ty| self.type_of_variable(ty)).transpose();
        let ty = match ty {
            Ok(ty) => ty,
            Err(reported) => {
                let _ = self.declare(name, Err(reported), held);
                return Err(reported);
            }
        };
        match value {
            None => self.empty_declaration(held, name, ty, span),
            Some(Rhs::Expr(value)) => {
                let value = match self.initial(value, ty.as_ref(), (held, name)) {
                    Ok(Initial::Parts(call)) => return self.let_parts(name, call, out),
                    Ok(Initial::Group(group)) => return self.let_group(name, group, out),
                    Ok(Initial::Value(value)) => Ok(value),
                    Err(reported) => Err(reported),
                };
                let ty = value.as_ref().map(|value| ty.unwrap_or_else(|| value.ty.clone())).map_err(|r| *r);
                let var = self.declare(name, ty, held);
                Ok(StmtKind::Let { var: var?, value: value?.expr })
            }
            Some(Rhs::Try(value, block)) => {
                let mut parts = None;
                let tried = self.tried(value, block, |checker, value| {
                    match checker.initial(value, ty.as_ref(), (held, name))? {
                        Initial::Value(value) => Ok(value),
                        Initial::Parts(call) if !call.before.is_empty() => {
                            Err(checker.parts_out_of_order(value.span))
                        }
                        Initial::Parts(call) => {
                            let call = parts.insert(call);
                            let kind = ExprKind::Call(Box::new(call.call.clone()));
                            Ok(checker.typed(kind, Ty::Bool, value.span))
                        }
                        Initial::Group(group) => Err(checker.group_alone(&group, value.span)),
                    }
                });
                if let (Ok(_), Some(call)) = (&tried, &parts) {
                    let vars = self.declare_parts(name, call)?;
                    return self.behind_attempt(tried?, name, block.close, Bind::Parts(vars));
                }
                let var_ty = tried.as_ref().map(|tried| ty.clone().unwrap_or_else(|| tried.value.ty.clone()));
                let var = self.declare(name, var_ty.map_err(|reported| *reported), held);
                self.behind_attempt(tried?, name, block.close, Bind::Let(var?))
            }
        }
    }

    /// A declaration by an attempt, behind which the name has a value.
    fn behind_attempt(&mut self, tried: Tried, name: Name<'a>, close: Span, bind: Bind) -> Checked<StmtKind> {
        match tried.flow {
            Flow::Leaves => Ok(tried.statement(bind)),
            Flow::GoesOn => Err(self.must_leave(name, close, &bind)),
        }
    }

    /// `let found = dir.find(…)`, of a call of several results.
    fn let_parts(&mut self, name: Name<'a>, call: OpCall, out: &mut Vec<Stmt>) -> Checked<StmtKind> {
        let vars = self.declare_parts(name, &call)?;
        out.extend(call.before);
        Ok(StmtKind::LetParts { vars, call: Box::new(call.call) })
    }

    /// The first value of a variable. The texts of a `var` may grow up to the language's default.
    fn initial(
        &mut self,
        value: &Expr<'a>,
        ty: Option<&Ty>,
        (held, name): (Held, Name<'a>),
    ) -> Checked<Initial> {
        let worth = match (self.given(value)?, ty) {
            (Given::Parts(call), None) if held == Held::Let => return Ok(Initial::Parts(call)),
            (Given::Parts(call), _) => return Err(self.parts_in_var(name, &call)),
            (Given::Group(group), None) if held == Held::Let => return Ok(Initial::Group(group)),
            (Given::Group(group), _) => return Err(self.group_alone(&group, value.span)),
            (Given::Worth(worth), _) => worth,
        };
        let mut typed = self.with_value(worth, value.span)?;
        if self.tables.lists_portals(&typed.ty) {
            return Err(self.portals_copied(value.span));
        }
        if self.tables.is_apart(&typed.ty) {
            return match (held, ty) {
                (Held::Let, None) => self.group_of(typed, value.span).map(Initial::Group),
                _ => Err(self.struct_alone(&typed.ty, value.span)),
            };
        }
        if let Some(ty) = ty {
            let expr = self.check_fits(typed, ty, value.span)?;
            return Ok(Initial::Value(Typed { expr, ty: ty.clone() }));
        }
        if let (Ty::Str(capacity), Held::Var) = (&mut typed.ty, held) {
            *capacity = (*capacity).max(STRING_MAX);
        }
        Ok(Initial::Value(typed))
    }

    fn empty_declaration(
        &mut self,
        held: Held,
        name: Name<'a>,
        ty: Option<Ty>,
        span: Span,
    ) -> Checked<StmtKind> {
        let text = name.text;
        let fault = match (&ty, held) {
            (Some(ty), Held::Var) if self.has_zero(ty) => {
                return self.declare(name, Ok(ty.clone()), held).map(StmtKind::Declare);
            }
            (Some(ty), Held::Var) => {
                let message = format!("`{text}` needs a value from the start");
                let what = match ty {
                    Ty::Portal(_) => "a portal",
                    Ty::Enum(_) => "an enum",
                    ty if self.is_union(ty) => "a union",
                    _ => "a record with an enum",
                };
                let label = format!("found none, and {what} has no zero");
                let fault = Diagnostic::error("no-value", span, message).label(label);
                if let Ty::Portal(_) = ty { fault.help(self.portal_help(ty)) } else { fault }
            }
            (None, Held::Var) => {
                Diagnostic::error("no-value", span, format!("`{text}` needs a type or a value"))
                    .label(format!("expected e.g. `var {text} = 0` or `var {text}: string`"))
            }
            (_, _) => Diagnostic::error(
                "no-value",
                span,
                format!("`{text}` needs a value, since a `let` never changes"),
            )
            .label(format!("expected `let {text} = …`"))
            .help(format!("to give it a value later, write `var {text}: type`")),
        };
        let reported = self.faults.report(fault);
        let _ = self.declare(name, ty.ok_or(reported), held);
        Err(reported)
    }

    // Assignments and effects.

    fn assignment(
        &mut self,
        place: &Expr<'a>,
        (op, op_span): (AssignOp, Span),
        value: &Rhs<'a>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<StmtKind> {
        let found = self.place(place);
        let assign = |place, value| StmtKind::Assign { place, value };
        match (op, value) {
            (AssignOp::Set, Rhs::Expr(value)) => {
                let spot = found?;
                let ty = spot.ty.clone();
                let value = self.expect(value, &ty)?;
                self.change(spot, (value, ty), Missing::Last, span, out, assign)
            }
            (AssignOp::Set, Rhs::Try(value, block)) => {
                // What is tried is the value alone.
                let spot = self.chosen_before(found?, span, out)?;
                let ty = spot.ty.clone();
                let mut tried = self.tried(value, block, |checker, value| {
                    let expr = checker.expect(value, &ty)?;
                    Ok(Typed { expr, ty: ty.clone() })
                })?;
                if spot.chosen.is_empty() {
                    return Ok(tried.statement(Bind::Assign(spot.place)));
                }
                let (value, mut stmts) = ((tried.value.expr, ty), Vec::new());
                let kind = self.change(spot, value, Missing::Last, span, &mut stmts, assign)?;
                stmts.push(Stmt { pos: self.pos(span), kind });
                let inline = Inline { result: None, body: Block { stmts } };
                tried.value = self.typed(ExprKind::Inline(Box::new(inline)), Ty::Bool, span);
                Ok(tried.statement(Bind::None))
            }
            (_, Rhs::Try(value, _)) => {
                let fault = Diagnostic::error("try", op_span, "`try` goes with `=` only");
                let fault = fault.label("found an update, expected `=`");
                let _ = value;
                Err(self.faults.report(fault.help("name the value first: `let n = try … else { … }`")))
            }
            (AssignOp::Add | AssignOp::Sub, Rhs::Expr(value)) => {
                let spot = found?;
                let op = if op == AssignOp::Add { ArithOp::Add } else { ArithOp::Sub };
                let (value, ty) = self.update(&spot.ty, op, op_span, value)?;
                let update = |place, value| StmtKind::Update { place, op, value };
                self.change(spot, (value, ty), Missing::First, span, out, update)
            }
        }
    }

    /// By what something is updated.
    fn update(&mut self, ty: &Ty, op: ArithOp, op_span: Span, value: &Expr<'a>) -> Checked<(tree::Expr, Ty)> {
        match (ty, op) {
            (Ty::Int | Ty::Float(_), _) | (Ty::Str(_) | Ty::Bytes(_), ArithOp::Add) => {
                let wanted = if matches!(ty, Ty::Str(_)) { Ty::Str(STRING_MAX) } else { ty.clone() };
                Ok((self.expect(value, &wanted)?, ty.clone()))
            }
            _ => {
                let sign = if op == ArithOp::Add { "+=" } else { "-=" };
                let message = format!("`{sign}` does not work on {}", self.a_noun(ty));
                let expected = if op == ArithOp::Add { "a number, string or bytes" } else { "a number" };
                let label = format!("found {}, expected {expected}", self.type_text(ty));
                let fault = Diagnostic::error("type", op_span, message).label(label);
                Err(self.faults.report(match ty {
                    Ty::List(..) => fault.help("to add to a list, write `list.add(…)`"),
                    _ => fault,
                }))
            }
        }
    }

    /// A place alone: a call, or `list.add(…)`.
    fn effect(&mut self, place: &Expr<'a>) -> Checked<StmtKind> {
        if let Ast::Call(callee, args, _) = &place.kind {
            if let Ast::Dot(base, name) = &callee.kind
                && name.text == "add"
                && let Ast::Name(text) = base.kind
                && self.list_named(text)
            {
                return self.add(Name { text, span: base.span }, args, place.span);
            }
            if let Ast::Dot(base, name) = &callee.kind
                && name.text == "add"
                && let Ast::Dot(of, _) = &base.kind
                && self.parts_named(of).is_some()
            {
                return Err(self.part_changed(of, base.span));
            }
            let expr = match self.given(place)? {
                Given::Worth((expr, _)) => expr,
                Given::Parts(call) => self.parts_for_effect(call, place.span)?,
                Given::Group(group) => return Err(self.group_alone(&group, place.span)),
            };
            if matches!(expr.kind, ExprKind::Call(_) | ExprKind::Inline(_)) {
                return Ok(StmtKind::Do(expr));
            }
        } else if let Ast::Name(text) = place.kind
            && self.means_nothing(text)
        {
            return Err(self.no_statement(Name { text, span: place.span }));
        } else {
            self.value(place)?;
        }
        let fault = Diagnostic::error("no-effect", place.span, "this does nothing");
        Err(self.faults.report(fault.label("found a value, expected a call or an assignment")))
    }

    fn list_named(&self, name: &str) -> bool {
        let var = self.unit.scope.get(name).and_then(|local| local.var);
        var.is_some_and(|var| matches!(self.unit.vars[var.index()].ty, Ty::List(..)))
    }

    fn means_nothing(&self, name: &str) -> bool {
        self.unit.scope.get(name).is_none()
            && self.globals.get(name).is_none()
            && !matches!(name, "started" | "error")
    }

    /// A lonely word that is no name: perhaps a mistyped statement.
    fn no_statement(&mut self, name: Name<'a>) -> Reported {
        const ALONE: &[&str] = &["break", "continue", "return"];
        let fault = self.unknown_name(name);
        self.faults.report(match meant(name.text, ALONE.iter().copied()) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None if name.text == "pass" => fault.help("a block may be empty"),
            None => fault,
        })
    }

    // `try`.

    fn try_statement(&mut self, value: &Expr<'a>, block: &ast::Block<'a>) -> (Checked<StmtKind>, Flow) {
        let tried = self.tried(value, block, |checker, value| {
            let (expr, ty) = match checker.given(value)? {
                Given::Worth((expr, ty)) => (expr, ty),
                Given::Parts(call) => (checker.parts_for_effect(call, value.span)?, None),
                Given::Group(group) => return Err(checker.group_alone(&group, value.span)),
            };
            Ok(Typed { expr, ty: ty.unwrap_or(Ty::Bool) })
        });
        (tried.map(|tried| tried.statement(Bind::None)), Flow::GoesOn)
    }

    fn tried(
        &mut self,
        value: &Expr<'a>,
        block: &ast::Block<'a>,
        check: impl FnOnce(&mut Self, &Expr<'a>) -> Checked<Typed>,
    ) -> Checked<Tried> {
        self.unit.tries.push(vec![]);
        let around = self.unit.uncaught.take();
        let checked = check(self, value);
        let raised = self.unit.tries.pop().unwrap_or_default();
        let uncaught = std::mem::replace(&mut self.unit.uncaught, around);
        let checked = checked?;
        let raise = self.only_raise(&raised, uncaught, value.span)?;
        let kind = self.new_var("error.kind", Ty::Enum(raise.kind), Mutability::Fixed, value.span)?;
        let message =
            self.new_var("error.message", Ty::Str(raise.message_max), Mutability::Fixed, value.span)?;
        self.unit.errors.push((kind, message));
        let (otherwise, flow) = self.block(block);
        self.unit.errors.pop();
        Ok(Tried { value: checked, kind, message, otherwise, flow })
    }

    /// What `error` is, of all that the tried calls raise.
    fn only_raise(&mut self, raised: &[Raise], uncaught: Option<String>, span: Span) -> Checked<Raise> {
        let message_max = raised.iter().map(|raise| raise.message_max).max().unwrap_or(0).max(1);
        let fault = match raised {
            [] if let Some(operation) = uncaught => {
                Diagnostic::error("try", span, format!("what {operation} raises cannot be caught"))
                    .label("expected an operation that raises one exception, of `kind` and `message`")
                    .help("call it without `try`: what it raises ends the run, and its message is shown")
            }
            [] => Diagnostic::error("try", span, "nothing in this can fail")
                .label("expected a call of an operation that raises an exception")
                .help("`try` never catches limits, cancellation or revocation"),
            [first, ..] => match raised.iter().find(|raise| raise.kind != first.kind) {
                None => return Ok(Raise { kind: first.kind, message_max }),
                Some(other) => {
                    let name = |raise: &Raise| self.tables.enums[raise.kind.index()].name.clone();
                    Diagnostic::error("try", span, "these calls fail in different ways")
                        .label(format!("found exceptions with `{}` and `{}`", name(first), name(other)))
                        .help("try them one by one, so that `error.kind` has one type")
                }
            },
        };
        Err(self.faults.report(fault))
    }

    fn must_leave(&mut self, name: Name<'a>, close: Span, bind: &Bind) -> Reported {
        let message = format!("this block must leave, since `{}` would have no value after it", name.text);
        let fault = Diagnostic::error("try", close, message)
            .label("found the end of the block, expected `return`, `break`, `continue` or `fail`");
        self.faults.report(match bind {
            Bind::Parts(_) => fault,
            _ => fault.help(format!(
                "or begin with a value: `var {0} = …`, then `{0} = try … else {{ … }}`",
                name.text
            )),
        })
    }
}

impl Tried {
    fn statement(self, bind: Bind) -> StmtKind {
        let Tried { value, kind, message, otherwise, flow: _ } = self;
        StmtKind::Try { bind, value: value.expr, kind, message, otherwise }
    }
}
