//! Calls: of operations, of records, of functions, and of what texts have built in.
//!
//! Arguments are evaluated in the order in which they are written, whatever the order of the parameters.

use super::super::ast::{Arg, Expr, ExprKind as Ast, Name};
use super::super::faults::{Reported, meant};
use super::globals::{Foreign, Global};
use super::tables::{Slot, Slots};
use super::types::{BUILT_IN, STRING_MAX, grouped};
use super::values::Worth;
use super::{Checked, Checker, Raise, Typed};
use crate::tree::{
    self, CallExpr, ExprKind, Inline, InterfaceId, Mutability, RecordId, Stmt, StmtKind, TextTest, Ty,
};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// A call of an operation.
pub(super) struct OpCall {
    /// What is evaluated before, if arguments stand in another order than the parameters.
    pub(super) before: Vec<Stmt>,
    /// The call.
    pub(super) call: CallExpr,
    /// What it is worth.
    pub(super) value: Option<Ty>,
    /// Whether it goes on page by page.
    pub(super) paged: Option<tree::Paged>,
}

impl<'a> Checker<'a, '_> {
    pub(super) fn call(
        &mut self,
        callee: &Expr<'a>,
        args: &[Arg<'a>],
        open: Span,
        span: Span,
    ) -> Checked<Worth> {
        match &callee.kind {
            Ast::Name(text) => {
                let name = Name { text, span: callee.span };
                match self.unit.scope.get(text) {
                    Some(local) => Err(local.var.map_or(Reported, |var| self.called_value(name, var, open))),
                    None => match self.globals.get(text).cloned() {
                        Some(global) => self.global_call(global, name, args, span),
                        None => Err(self.unknown_function(name)),
                    },
                }
            }
            Ast::Dot(base, name) => match self.global(callee) {
                Some(global) => self.global_call(global, *name, args, span),
                None => {
                    let receiver = self.value(base)?;
                    self.member_call(receiver, *name, args, span)
                }
            },
            _ => {
                let fault = Diagnostic::error("type", callee.span, "only names can be called")
                    .label("found a value, expected a function, record or operation");
                let fault = self.with_line_note(fault, callee.span, open);
                Err(self.faults.report(fault))
            }
        }
    }

    /// A variable that is called.
    fn called_value(&mut self, name: Name<'a>, var: tree::VarId, open: Span) -> Reported {
        let ty = self.unit.vars[var.index()].ty.clone();
        let message = format!("`{}` is {}, not a function", name.text, self.a_noun(&ty));
        let fault = Diagnostic::error("type", name.span, message)
            .label(format!("found {}, expected a function", self.type_text(&ty)));
        let fault = self.with_line_note(fault, name.span, open);
        self.faults.report(match ty {
            Ty::List(..) => fault.help(format!("an element is `{}[index]`", name.text)),
            _ => fault,
        })
    }

    /// Explains what a parenthesis at the start of a line does.
    fn with_line_note(&self, fault: Diagnostic, callee: Span, open: Span) -> Diagnostic {
        let line = self.line(open);
        if line == self.line(Span::new(callee.end.saturating_sub(1), callee.end)) {
            return fault;
        }
        fault.note(format!(
            "line {line} begins with `(`, so it goes on with this: a statement begins with a word"
        ))
    }

    fn global_call(
        &mut self,
        global: Global,
        name: Name<'a>,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<Worth> {
        match global {
            Global::Fn(template) => self.expand(&template, args, span),
            Global::Record(id, slots) => self.record(id, &slots, args, span).map(some),
            Global::Foreign(foreign) => match self.foreign_type(foreign, name.span)? {
                Ty::Record(id) => {
                    let slots = self.slots_of(id);
                    self.record(id, &slots, args, span).map(some)
                }
                ty => Err(self.uncallable(foreign, &ty, name)),
            },
            Global::Ambiguous(one, other) => Err(self.ambiguous(name, one, other)),
            Global::OpeningFn => Err(self.recursion(name)),
            Global::Const(_) => {
                let fault = Diagnostic::error(
                    "type",
                    name.span,
                    format!("`{}` is a constant, not a function", name.text),
                );
                Err(self.faults.report(fault))
            }
            Global::OpeningRecord | Global::Poisoned => Err(Reported),
        }
    }

    fn uncallable(&mut self, foreign: Foreign, ty: &Ty, name: Name<'a>) -> Reported {
        let fault = match foreign {
            Foreign::Interface(..) => Diagnostic::error(
                "portal",
                name.span,
                format!("a program cannot make a `{}` by itself", name.text),
            )
            .label("found an interface, expected a function or record")
            .help(self.portal_help(ty)),
            _ => Diagnostic::error(
                "type",
                name.span,
                format!("`{}` is an enum: nothing is converted to it", name.text),
            ),
        };
        self.faults.report(fault)
    }

    fn recursion(&mut self, name: Name<'a>) -> Reported {
        let fault = Diagnostic::error("recursion", name.span, format!("`{}` calls itself", name.text))
            .label("found a call of the function that it stands in")
            .help(
                "there is no recursion: keep a list of what is still to do, and walk over it while it grows",
            );
        self.faults.report(fault)
    }

    fn unknown_function(&mut self, name: Name<'a>) -> Reported {
        let text = name.text;
        if self.globals.is_program(text) {
            let fault =
                Diagnostic::error("recursion", name.span, format!("the program `{text}` cannot be called"));
            return self.faults.report(fault.help("put what is needed at several places into a `fn`"));
        }
        let fault =
            Diagnostic::error("unknown-function", name.span, format!("there is no function `{text}`"))
                .label(format!("found `{text}`, expected a function or record that was declared before"));
        let known = self.globals.names_of(|global| matches!(global, Global::Fn(_) | Global::Record(..)));
        let fault = if let Some(later) = self.globals.later(text) {
            fault.help(format!("it is declared in line {}: move that up, before its use", self.line(later)))
        } else if BUILT_IN.contains(&text) || matches!(text, "str" | "to_string" | "parse" | "int_to_string")
        {
            fault.help("nothing is converted: there are no conversions between types")
        } else if matches!(text, "len" | "length" | "size" | "count") {
            fault.help("the length of a text or list is `x.len`")
        } else if matches!(text, "add" | "append" | "push") {
            fault.help("to add to a list, write `list.add(…)`")
        } else if matches!(text, "sort" | "sorted") {
            fault.help("to sort a list of records, write `sort list by FIELD`")
        } else if matches!(text, "print" | "println" | "printf" | "echo" | "puts" | "log" | "write") {
            fault.help("a program says what it found by its result: `return …`")
        } else if matches!(text, "now" | "time" | "clock") {
            fault.help("the time at which the run began is `started`")
        } else if let Some(meant) = meant(text, known) {
            fault.help(format!("did you mean `{meant}`?"))
        } else {
            fault
        };
        self.faults.report(fault)
    }

    // Members of values.

    /// A call of something that a value has.
    pub(super) fn member_call(
        &mut self,
        receiver: Typed,
        name: Name<'a>,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<Worth> {
        let test = match name.text {
            "starts_with" => Some(TextTest::StartsWith),
            "ends_with" => Some(TextTest::EndsWith),
            "contains" => Some(TextTest::Contains),
            _ => None,
        };
        match (&receiver.ty, test) {
            (Ty::Portal(interface), _) => {
                let interface = *interface;
                let shown = match receiver.expr.kind {
                    ExprKind::Var(var) => self.unit.vars[var.index()].name.clone(),
                    _ => "…".to_owned(),
                };
                let call = self.op_call(receiver.expr, interface, name, args, span)?;
                if call.paged.is_some() {
                    return Err(self.paged_outside(&shown, name, span));
                }
                self.op_worth(call, span)
            }
            (Ty::Str(_) | Ty::Bytes(_), Some(test)) => {
                self.text_test(test, receiver, name, args, span).map(some)
            }
            (Ty::List(..), _) if name.text == "add" => {
                let fault =
                    Diagnostic::error("no-value", name.span, "`add` is a statement and returns nothing");
                Err(self.faults.report(fault.label("expected a value")))
            }
            (Ty::Str(_) | Ty::Bytes(_) | Ty::List(..), _) if name.text == "len" => {
                let fault = Diagnostic::error("syntax", span, "`len` is written without parentheses");
                Err(self.faults.report(fault.label("expected `.len`")))
            }
            (ty, _) => {
                let ty = ty.clone();
                Err(self.unknown_field(&ty, name))
            }
        }
    }

    fn text_test(
        &mut self,
        test: TextTest,
        text: Typed,
        name: Name<'a>,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<Typed> {
        let ty = if matches!(text.ty, Ty::Str(_)) { Ty::Str(STRING_MAX) } else { text.ty.clone() };
        let slots: Slots =
            [Slot { name: "text".to_owned(), ty: ty.clone(), default: None, range: None }].into();
        let bound = self.bind(name.text, &slots, args, span)?;
        self.check_all_given(name.text, &slots, &bound, span)?;
        let other = self.expect(&bound[0].1.value, &ty)?;
        Ok(self.typed(ExprKind::Test(test, Box::new(text.expr), Box::new(other)), Ty::Bool, span))
    }

    // Operations.

    /// A call of an operation, which may be paged.
    pub(super) fn op_call(
        &mut self,
        target: tree::Expr,
        interface: InterfaceId,
        name: Name<'a>,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<OpCall> {
        let Some((number, _)) = self.descriptor(interface).operation(name.text) else {
            return Err(self.unknown_operation(interface, name));
        };
        let used = self.operation(interface, number, name.span)?;
        let callee = format!("{}.{}", self.descriptor(interface).name, name.text);
        let bound = self.bind(&callee, &used.slots, args, span)?;
        let given = self.check_all_given(&callee, &used.slots, &bound, span);
        let values = self.evaluate(&used.slots, &bound)?;
        given?;
        let (mut target, mut before) = (target, vec![]);
        let values = self.arranged(&used.slots, values, Some((&mut target, interface)), &mut before, span)?;
        let id = used.imported.id;
        let op = &self.tables.ops[id.index()];
        let (value, paged, raises) = (op.value.clone(), op.paged, op.raises);
        if let Some(kind) = raises {
            self.raise(Raise { kind, message_max: used.imported.message_max });
        }
        let mut values: Vec<Option<tree::Expr>> = values.into_iter().map(Some).collect();
        let empty = tree::Expr { pos: self.pos(span), kind: ExprKind::Text(vec![]) };
        let args = used
            .imported
            .order
            .iter()
            .map(|slot| slot.and_then(|slot| values[slot].take()).unwrap_or_else(|| empty.clone()));
        Ok(OpCall { before, call: CallExpr { target, op: id, args: args.collect() }, value, paged })
    }

    /// Notes what a call may raise, for the `try` around it.
    pub(super) fn raise(&mut self, raise: Raise) {
        let raised = self.unit.tries.last_mut().unwrap_or(&mut self.unit.raised);
        if !raised.contains(&raise) {
            raised.push(raise);
        }
    }

    /// The call as an expression.
    pub(super) fn op_worth(&mut self, call: OpCall, span: Span) -> Checked<Worth> {
        let expr = tree::Expr { pos: self.pos(span), kind: ExprKind::Call(Box::new(call.call)) };
        let mut stmts = call.before;
        if stmts.is_empty() {
            return Ok((expr, call.value));
        }
        match call.value {
            Some(ty) => self.inline(stmts, Typed { expr, ty }, span).map(some),
            None => {
                stmts.push(Stmt { pos: self.pos(span), kind: StmtKind::Do(expr) });
                let inline = Inline { result: None, body: tree::Block { stmts } };
                Ok((tree::Expr { pos: self.pos(span), kind: ExprKind::Inline(Box::new(inline)) }, None))
            }
        }
    }

    fn unknown_operation(&mut self, interface: InterfaceId, name: Name<'a>) -> Reported {
        let used = &self.tables.interfaces[interface.index()];
        let message = format!("{} has no operation `{}`", used.name, name.text);
        let label = format!("found `{}`, expected an operation of {}.{}", name.text, used.module, used.name);
        let operations = self.descriptor(interface).operations.iter().map(|op| op.name.as_str());
        let fault = Diagnostic::error("unknown-operation", name.span, message).label(label);
        let fault = match meant(name.text, operations.clone()) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => {
                let shown: Vec<_> = operations.take(20).collect();
                fault.help(format!("it has {}", shown.join(", ")))
            }
        };
        self.faults.report(fault)
    }

    fn paged_outside(&mut self, portal: &str, name: Name<'a>, span: Span) -> Reported {
        let fault =
            Diagnostic::error("paged", span, format!("`{}` returns its elements page by page", name.text))
                .label("found a call, expected it in a `for`")
                .help(format!("write `for x in {portal}.{}(…) {{ … }}`", name.text));
        self.faults.report(fault)
    }

    // Records.

    fn record(&mut self, id: RecordId, slots: &Slots, args: &[Arg<'a>], span: Span) -> Checked<Typed> {
        let name = self.tables.records[id.index()].name.clone();
        let bound = self.bind(&name, slots, args, span)?;
        let mut given: Vec<Option<tree::Expr>> = vec![None; slots.len()];
        let values = self.evaluate(slots, &bound)?;
        let in_order = self.in_order(&values);
        let mut before = vec![];
        for (slot, value) in values {
            let ty = &slots[slot].ty;
            given[slot] = Some(if in_order { value } else { self.set_aside(value, ty, &mut before, span)? });
        }
        self.charge(given.iter().filter(|field| field.is_none()).count(), span)?;
        let mut fields = vec![];
        for (slot, value) in slots.iter().zip(given) {
            fields.push(match (value, &slot.default) {
                (Some(value), _) => value,
                (None, Some(default)) => {
                    self.charge_value(&default.expr, span)?;
                    tree::Expr { pos: self.pos(span), kind: default.expr.kind.clone() }
                }
                (None, None) => self.zero(&name, slot, span)?,
            });
        }
        let value = self.typed(ExprKind::Record(id, fields), Ty::Record(id), span);
        if before.is_empty() { Ok(value) } else { self.inline(before, value, span) }
    }

    /// The value of a field that was left out.
    fn zero(&mut self, record: &str, slot: &Slot, span: Span) -> Checked<tree::Expr> {
        if let Some(kind) = self.zero_of(&slot.ty, span)? {
            return Ok(tree::Expr { pos: self.pos(span), kind });
        }
        let fault = Diagnostic::error("arguments", span, format!("{record} needs `{}`", slot.name))
            .label(format!("expected `{}: …`, {}", slot.name, self.type_text(&slot.ty)))
            .help("an enum has no zero, so it cannot be left out");
        Err(self.faults.report(fault))
    }

    fn zero_of(&mut self, ty: &Ty, span: Span) -> Checked<Option<ExprKind>> {
        Ok(Some(match ty {
            Ty::Int => ExprKind::Int(0),
            Ty::Bool => ExprKind::Bool(false),
            Ty::Str(_) | Ty::Bytes(_) => ExprKind::Text(vec![]),
            Ty::Enum(_) | Ty::Portal(_) | Ty::List(..) => return Ok(None),
            Ty::Record(id) => {
                let slots = self.slots_of(*id);
                self.charge(slots.len(), span)?;
                let mut fields = vec![];
                for slot in slots.iter() {
                    let kind = match &slot.default {
                        Some(default) => {
                            self.charge_value(&default.expr, span)?;
                            Some(default.expr.kind.clone())
                        }
                        None => self.zero_of(&slot.ty, span)?,
                    };
                    let Some(kind) = kind else { return Ok(None) };
                    fields.push(tree::Expr { pos: self.pos(span), kind });
                }
                ExprKind::Record(*id, fields)
            }
        }))
    }

    /// Whether a variable of this type can start as zero or empty.
    pub(super) fn has_zero(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Enum(_) | Ty::Portal(_) => false,
            Ty::Record(id) => self.tables.records[id.index()].fields.iter().all(|(_, ty)| self.has_zero(ty)),
            _ => true,
        }
    }

    fn charge_value(&mut self, value: &tree::Expr, span: Span) -> Checked<()> {
        match &value.kind {
            ExprKind::Text(text) => self.charge(text.len() / 16, span),
            _ => Ok(()),
        }
    }

    // Arguments.

    /// Which argument goes where, in the order written.
    pub(super) fn bind<'e>(
        &mut self,
        callee: &str,
        slots: &Slots,
        args: &'e [Arg<'a>],
        span: Span,
    ) -> Checked<Vec<(usize, &'e Arg<'a>)>> {
        let mut bound: Vec<(usize, &Arg<'a>)> = vec![];
        let mut taken = vec![false; slots.len()];
        let mut named = false;
        for (at, arg) in args.iter().enumerate() {
            let slot = match arg.name {
                Some(name) => {
                    named = true;
                    let Some(slot) = slots.iter().position(|slot| slot.name == name.text) else {
                        return Err(self.unknown_argument(callee, slots, name));
                    };
                    slot
                }
                None if named => {
                    let fault =
                        Diagnostic::error("arguments", arg.value.span, "arguments with names come last");
                    return Err(self
                        .faults
                        .report(fault.label("found a value without name, expected `name: value`")));
                }
                None if at >= slots.len() => return Err(self.wrong_count(callee, slots, args, span)),
                None => at,
            };
            if std::mem::replace(&mut taken[slot], true) {
                let at = arg.name.map_or(arg.value.span, |name| name.span);
                let fault =
                    Diagnostic::error("arguments", at, format!("`{}` is given twice", slots[slot].name));
                return Err(self.faults.report(fault.label("found a second value")));
            }
            bound.push((slot, arg));
        }
        Ok(bound)
    }

    fn unknown_argument(&mut self, callee: &str, slots: &Slots, name: Name<'a>) -> Reported {
        let message = format!("{callee} takes no `{}`", name.text);
        let fault = Diagnostic::error("arguments", name.span, message).label(format!(
            "found `{}`, expected {}",
            name.text,
            self.signature(callee, slots)
        ));
        self.faults.report(match meant(name.text, slots.iter().map(|slot| slot.name.as_str())) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        })
    }

    fn wrong_count(&mut self, callee: &str, slots: &Slots, args: &[Arg<'a>], span: Span) -> Reported {
        let count = match slots.len() {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            n => format!("{n} arguments"),
        };
        let at = args.get(slots.len()).map_or(span, |arg| arg.value.span);
        let fault = Diagnostic::error("arguments", at, format!("{callee} takes {count}, not {}", args.len()));
        self.faults.report(fault.label(format!("expected {}", self.signature(callee, slots))))
    }

    /// Reports parameters without default that got no value.
    pub(super) fn check_all_given(
        &mut self,
        callee: &str,
        slots: &Slots,
        bound: &[(usize, &Arg<'a>)],
        span: Span,
    ) -> Checked<()> {
        let is_given = |at: usize| slots[at].default.is_some() || bound.iter().any(|(slot, _)| *slot == at);
        let missing: Vec<_> =
            (0..slots.len()).filter(|at| !is_given(*at)).map(|at| format!("`{}`", slots[at].name)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let fault = Diagnostic::error("arguments", span, format!("{callee} needs {}", missing.join(" and ")));
        Err(self.faults.report(fault.label(format!("expected {}", self.signature(callee, slots)))))
    }

    /// What may be called, as it is declared.
    fn signature(&self, callee: &str, slots: &Slots) -> String {
        let name = callee.rsplit('.').next().unwrap_or(callee);
        let mut shown: Vec<_> = slots.iter().take(8).map(|slot| self.slot_text(slot)).collect();
        if slots.len() > shown.len() {
            shown.push("…".to_owned());
        }
        format!("{name}({})", shown.join(", "))
    }

    fn slot_text(&self, slot: &Slot) -> String {
        let default = if slot.default.is_some() { " = …" } else { "" };
        format!("{}: {}{default}", slot.name, self.type_text(&slot.ty))
    }

    /// The values of arguments, in the order written.
    pub(super) fn evaluate(
        &mut self,
        slots: &Slots,
        bound: &[(usize, &Arg<'a>)],
    ) -> Checked<Vec<(usize, tree::Expr)>> {
        let mut values = vec![];
        let mut faulty = None;
        for (slot, arg) in bound {
            let wanted = &slots[*slot];
            let value = self.expect(&arg.value, &wanted.ty).and_then(|value| {
                self.check_range(wanted, &value, arg.value.span)?;
                Ok(value)
            });
            match value {
                Ok(value) => values.push((*slot, value)),
                Err(reported) => faulty = Some(reported),
            }
        }
        faulty.map_or(Ok(values), Err)
    }

    fn check_range(&mut self, slot: &Slot, value: &tree::Expr, span: Span) -> Checked<()> {
        let (Some((least, most)), ExprKind::Int(found)) = (slot.range, &value.kind) else { return Ok(()) };
        if (least..=most).contains(found) {
            return Ok(());
        }
        let message = format!("`{}` takes no such number", slot.name);
        let label = format!("found {}, expected {} to {}", grouped(*found), grouped(least), grouped(most));
        Err(self.faults.report(Diagnostic::error("overflow", span, message).label(label)))
    }

    /// Whether evaluating in the order of the slots is evaluating in the order written, as far as one sees.
    fn in_order(&self, values: &[(usize, tree::Expr)]) -> bool {
        values.is_sorted_by_key(|(slot, _)| *slot)
            || values.iter().filter(|(_, value)| !is_quiet(value)).count() < 2
    }

    /// The values in the order of the slots, all of which have one.
    fn arranged(
        &mut self,
        slots: &Slots,
        values: Vec<(usize, tree::Expr)>,
        target: Option<(&mut tree::Expr, InterfaceId)>,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Checked<Vec<tree::Expr>> {
        let in_order = self.in_order(&values);
        if !in_order
            && let Some((target, interface)) = target
            && !is_quiet(target)
        {
            let portal = std::mem::replace(&mut target.kind, ExprKind::Bool(false));
            let portal = tree::Expr { pos: target.pos, kind: portal };
            *target = self.set_aside(portal, &Ty::Portal(interface), before, span)?;
        }
        let mut arranged = vec![];
        for (slot, value) in values {
            let value = if in_order { value } else { self.set_aside(value, &slots[slot].ty, before, span)? };
            arranged.push((slot, value));
        }
        arranged.sort_by_key(|(slot, _)| *slot);
        Ok(arranged.into_iter().map(|(_, value)| value).collect())
    }

    /// Evaluates a value beforehand, unless that makes no difference.
    fn set_aside(
        &mut self,
        value: tree::Expr,
        ty: &Ty,
        before: &mut Vec<Stmt>,
        span: Span,
    ) -> Checked<tree::Expr> {
        if is_quiet(&value) {
            return Ok(value);
        }
        let pos = value.pos;
        let var = self.new_var("(argument)", ty.clone(), Mutability::Fixed, span)?;
        before.push(Stmt { pos, kind: StmtKind::Let { var, value } });
        Ok(tree::Expr { pos, kind: ExprKind::Var(var) })
    }
}

fn some(value: Typed) -> Worth {
    (value.expr, Some(value.ty))
}

/// Whether an expression calls nothing, so that nobody sees when it is evaluated.
fn is_quiet(expr: &tree::Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(_) | ExprKind::Inline(_) => false,
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Enum(..) | ExprKind::Text(_) | ExprKind::Var(_) => {
            true
        }
        ExprKind::Field(a, _)
        | ExprKind::Index(_, a)
        | ExprKind::Len(a)
        | ExprKind::Neg(a)
        | ExprKind::Not(a) => is_quiet(a),
        ExprKind::Arith(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Test(_, a, b) => is_quiet(a) && is_quiet(b),
        ExprKind::Concat(parts) | ExprKind::Record(_, parts) => parts.iter().all(is_quiet),
    }
}
