//! Calls: of operations, of functions, and of what texts have built in; what may be called at all.

use super::super::ast::{Arg, Expr, ExprKind as Ast, Name};
use super::super::faults::{Reported, meant};
use super::globals::{Foreign, Global};
use super::parts::Given;
use super::scope::Local;
use super::tables::{Groups, Slot, Slots};
use super::types::{BUILT_IN, STRING_MAX};
use super::values::Worth;
use super::{Checked, Checker, Raise, Typed};
use crate::import::Input;
use crate::tree::{self, CallExpr, ExprKind, Inline, InterfaceId, Precision, Stmt, StmtKind, TextTest, Ty};
use carnet_idl::diagnostic::{Diagnostic, Span};
use std::sync::Arc;

const NO_CONVERSIONS: &str =
    "nothing is converted but numbers, to `float(…)` and `double(…)`: there are no other conversions";

/// Functions of other languages, and what to write here.
const USUAL_ELSEWHERE: [(&[&str], &str); 6] = [
    (&["str", "to_string", "parse", "int_to_string"], NO_CONVERSIONS),
    (&["len", "length", "size", "count"], "the length of a text or list is `x.len`"),
    (&["add", "append", "push"], "to add to a list, write `list.add(…)`"),
    (&["sort", "sorted"], "to sort a list of records, write `sort list by FIELD`"),
    (
        &["print", "println", "printf", "echo", "puts", "log", "write"],
        "a program says what it found by its result: `return …`",
    ),
    (&["now", "time", "clock"], "the time at which the run began is `started`"),
];

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
    /// Its results, if no value holds them.
    pub(super) parts: Arc<[Input]>,
    /// What of these is one struct or array that holds portals.
    pub(super) groups: Groups,
}

impl<'a> Checker<'a, '_> {
    pub(super) fn call(
        &mut self,
        callee: &Expr<'a>,
        args: &[Arg<'a>],
        open: Span,
        span: Span,
    ) -> Checked<Given> {
        match &callee.kind {
            Ast::Name(text) => {
                let name = Name { text, span: callee.span };
                match self.unit.scope.get(text) {
                    Some(Local { parts: Some(parts), .. }) => Err(self.several_named(name, parts)),
                    Some(local) => Err(local.var.map_or(Reported, |var| self.called_value(name, var, open))),
                    None => match self.globals.get(text).cloned() {
                        Some(global) => self.global_call(global, name, args, span),
                        None => match Precision::ALL.into_iter().find(|to| to.name() == *text) {
                            Some(to) => self.conversion(to, args, span).map(some).map(Given::Worth),
                            None => Err(self.unknown_function(name)),
                        },
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

    /// `float(x)`, `double(x)`: the nearest to an integer or to another float.
    fn conversion(&mut self, to: Precision, args: &[Arg<'a>], span: Span) -> Checked<Typed> {
        let ty = Ty::Float(to);
        let name = to.name();
        let slots: Slots =
            [Slot { name: "number".to_owned(), ty: ty.clone(), default: None, range: None }].into();
        let bound = self.bind(name, &slots, args, span)?;
        self.check_all_given(name, &slots, &bound, span)?;
        let given = &bound[0].1.value;
        let value = self.value(given)?;
        let kind = match value.expr.kind {
            ExprKind::Int(n) => ExprKind::Float(to.of_int(n)),
            ExprKind::Float(float) => ExprKind::Float(float.to(to)),
            kind if value.ty == ty => kind,
            kind if matches!(value.ty, Ty::Int | Ty::Float(_)) => {
                ExprKind::Convert(to, Box::new(tree::Expr { pos: value.expr.pos, kind }))
            }
            _ => {
                let message = format!("{} converted to {name}", self.noun(&value.ty));
                let label = format!("found {}, expected a number", self.type_text(&value.ty));
                return Err(self.faults.report(Diagnostic::error("type", given.span, message).label(label)));
            }
        };
        Ok(self.typed(kind, ty, span))
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
    ) -> Checked<Given> {
        match global {
            Global::Fn(template) => self.expand(&template, args, span).map(Given::Worth),
            Global::Record(id, slots) => self.record(id, &slots, args, span).map(some).map(Given::Worth),
            Global::Foreign(foreign) => match self.foreign_type(foreign, name.span)? {
                ty if let Some((id, union)) = self.union_of(&ty) => {
                    self.union_value(id, &union, args, span).map(some).map(Given::Worth)
                }
                Ty::Record(id) if self.tables.is_apart(&Ty::Record(id)) => {
                    let slots = self.slots_of(id);
                    self.group(id, &slots, args, span).map(Given::Group)
                }
                Ty::Record(id) => {
                    let slots = self.slots_of(id);
                    self.record(id, &slots, args, span).map(some).map(Given::Worth)
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
        let usual = USUAL_ELSEWHERE.iter().find(|(names, _)| names.contains(&text));
        let help = match (self.globals.later(text), usual, meant(text, known)) {
            (Some(later), ..) => {
                Some(format!("it is declared in line {}: move that up, before its use", self.line(later)))
            }
            _ if text == "list" => {
                Some("`list` is a type, and a list begins empty: `var x: list(string, 1_000)`".to_owned())
            }
            _ if BUILT_IN.contains(&text) => Some(NO_CONVERSIONS.to_owned()),
            (_, Some((_, help)), _) => Some((*help).to_owned()),
            (.., meant) => meant.map(|meant| format!("did you mean `{meant}`?")),
        };
        self.faults.report(match help {
            Some(help) => fault.help(help),
            None => fault,
        })
    }

    // Members of values.

    /// A call of something that a value has.
    pub(super) fn member_call(
        &mut self,
        receiver: Typed,
        name: Name<'a>,
        args: &[Arg<'a>],
        span: Span,
    ) -> Checked<Given> {
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
                self.op_given(call, span)
            }
            (Ty::Str(_) | Ty::Bytes(_), Some(test)) => {
                self.text_test(test, receiver, name, args, span).map(some).map(Given::Worth)
            }
            (Ty::Str(_) | Ty::Bytes(_), None) if name.text == "from" => {
                self.text_tail(receiver, name, args, span).map(some).map(Given::Worth)
            }
            (Ty::List(..), _) if name.text == "add" && matches!(receiver.expr.kind, ExprKind::As(..)) => {
                Err(self.list_changed(span))
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

    fn text_tail(&mut self, text: Typed, name: Name<'a>, args: &[Arg<'a>], span: Span) -> Checked<Typed> {
        let slots: Slots = [Slot { name: "at".to_owned(), ty: Ty::Int, default: None, range: None }].into();
        let bound = self.bind(name.text, &slots, args, span)?;
        self.check_all_given(name.text, &slots, &bound, span)?;
        let at = self.expect(&bound[0].1.value, &Ty::Int)?;
        Ok(self.typed(ExprKind::Tail(Box::new(text.expr), Box::new(at)), text.ty, span))
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
        let (mut target, mut before) = (target, vec![]);
        let (slots, values) =
            self.spread(&used.slots, &bound, Some((&mut target, interface)), &mut before, span)?;
        given?;
        let mut values = self.arranged(&slots, values, Some((&mut target, interface)), &mut before, span)?;
        let id = used.imported.id;
        let op = &self.tables.ops[id.index()];
        let (value, paged, raises) = (op.value.clone(), op.paged, op.raises);
        if let Some(kind) = raises {
            self.raise(Raise { kind, message_max: used.imported.message_max });
        } else if !self.descriptor(interface).operations[usize::from(number)].raises.is_empty() {
            self.unit.uncaught = Some(callee);
        }
        let empty = tree::Expr { pos: self.pos(span), kind: ExprKind::Text(vec![]) };
        let args = used
            .imported
            .order
            .iter()
            .map(|slot| slot.and_then(|slot| values[slot].take()).unwrap_or_else(|| empty.clone()));
        let call = CallExpr { target, op: id, args: args.collect() };
        Ok(OpCall { before, call, value, paged, parts: used.imported.parts.clone(), groups: used.groups })
    }

    /// Notes what a call may raise, for the `try` around it.
    pub(super) fn raise(&mut self, raise: Raise) {
        let raised = self.unit.tries.last_mut().unwrap_or(&mut self.unit.raised);
        if !raised.contains(&raise) {
            raised.push(raise);
        }
    }

    /// The call as an expression, unless no value holds what it gives.
    pub(super) fn op_given(&mut self, call: OpCall, span: Span) -> Checked<Given> {
        if !call.parts.is_empty() {
            return Ok(Given::Parts(call));
        }
        self.op_worth(call, span).map(Given::Worth)
    }

    fn op_worth(&mut self, call: OpCall, span: Span) -> Checked<Worth> {
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
}

fn some(value: Typed) -> Worth {
    (value.expr, Some(value.ty))
}
