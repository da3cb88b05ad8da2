//! Types: from the text, compared, and in words for messages.

use super::super::ast::{Amount, Name, TypeArg, TypeRef};
use super::super::faults::{Reported, meant};
use super::globals::{Foreign, Global};
use super::{Checked, Checker, Typed};
use crate::bytecode::PORTALS_MAX;
use crate::import::return_name;
use crate::tree::{ExprKind, Precision, Ty};
use carnet_idl::descriptor::{Mode, Module};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// Bytes that `string` without a capacity holds.
pub(super) const STRING_MAX: u32 = 4096;

/// Largest capacity of a list, in elements.
const LIST_MAX: i64 = 1 << 30;
/// Largest capacity of a string or of bytes: what one reference can say.
const TEXT_MAX: i64 = carnet_portal::call::Ref::LEN_MAX as i64;

/// The types that the language has by itself.
pub(super) const BUILT_IN: &[&str] = &["int", "bool", "float", "double", "string", "bytes", "list"];

// From the text.

impl<'a> Checker<'a, '_> {
    /// The type that is meant.
    pub(super) fn type_of(&mut self, written: &TypeRef<'a>) -> Checked<Ty> {
        let name = written.name;
        if let Some(module) = written.module {
            let ty = self.type_in(module, name)?;
            self.no_args(written)?;
            return Ok(ty);
        }
        match name.text {
            "int" => self.no_args(written).map(|()| Ty::Int),
            "bool" => self.no_args(written).map(|()| Ty::Bool),
            "float" => self.no_args(written).map(|()| Ty::Float(Precision::Single)),
            "double" => self.no_args(written).map(|()| Ty::Float(Precision::Double)),
            "string" if written.args.is_none() => Ok(Ty::Str(STRING_MAX)),
            "string" => self.only_capacity(written).map(Ty::Str),
            "bytes" => self.only_capacity(written).map(Ty::Bytes),
            "list" => self.list_type(written),
            _ => {
                let ty = self.named_type(name)?;
                self.no_args(written)?;
                Ok(ty)
            }
        }
    }

    fn type_in(&mut self, module: Name<'a>, name: Name<'a>) -> Checked<Ty> {
        if !self.is_module(module.text) {
            let fault = Diagnostic::error(
                "unknown-type",
                module.span,
                format!("no `use {}` stands in this file", module.text),
            )
            .label(format!("found `{}`, expected the name of a used interface file", module.text));
            let is_known = self.modules.iter().any(|known| known.name == module.text);
            return Err(self.faults.report(if is_known {
                fault.help(format!("begin the file with `use {}`", module.text))
            } else {
                fault
            }));
        }
        match self.foreign(module.text, name.text) {
            Some(foreign) => {
                let ty = self.foreign_type(foreign, name.span)?;
                self.type_of_values(ty, name.span)
            }
            None => {
                let message = format!("{} has no type `{}`", module.text, name.text);
                let candidates = self.globals.names_of(|global| matches!(global, Global::Foreign(_)));
                let fault =
                    Diagnostic::error("unknown-type", name.span, message).suggest(name.text, candidates);
                Err(self.faults.report(fault.label(format!("found `{}`", name.text))))
            }
        }
    }

    fn named_type(&mut self, name: Name<'a>) -> Checked<Ty> {
        let what = match self.globals.get(name.text) {
            Some(Global::Record(id, _)) => return Ok(Ty::Record(*id)),
            Some(Global::Foreign(foreign)) => {
                let foreign = *foreign;
                let ty = self.foreign_type(foreign, name.span)?;
                return self.type_of_values(ty, name.span);
            }
            Some(Global::Ambiguous(one, other)) => {
                let (one, other) = (*one, *other);
                return Err(self.ambiguous(name, one, other));
            }
            Some(Global::Poisoned) => return Err(Reported),
            Some(Global::Const(_)) => "a constant",
            Some(Global::Fn(_) | Global::OpeningFn) => "a function",
            Some(Global::OpeningRecord) => {
                let fault =
                    Diagnostic::error("recursion", name.span, format!("`{}` cannot hold itself", name.text));
                return Err(self.faults.report(fault.label("found the record that is being declared")));
            }
            None => return Err(self.unknown_type(name)),
        };
        let fault =
            Diagnostic::error("unknown-type", name.span, format!("`{}` is {what}, not a type", name.text));
        Err(self.faults.report(fault.label(format!("found {what}, expected a type"))))
    }

    fn unknown_type(&mut self, name: Name<'a>) -> Reported {
        let fault = Diagnostic::error("unknown-type", name.span, format!("there is no type `{}`", name.text))
            .label(format!("found `{}`, expected a type", name.text));
        let known = self.globals.names_of(|global| matches!(global, Global::Record(..) | Global::Foreign(_)));
        let fault = if let Some(later) = self.globals.later(name.text) {
            fault.help(format!("it is declared in line {}: move that up, before its use", self.line(later)))
        } else if let Some(module) = self.unused_module_with(name.text) {
            fault.help(format!("{module} has it: begin the file with `use {module}`"))
        } else if let Some(meant) = meant(name.text, BUILT_IN.iter().copied().chain(known)) {
            fault.help(format!("did you mean `{meant}`?"))
        } else if self.tables.modules().is_empty() {
            fault.help("types of interfaces come with `use NAME` at the top, e.g. `use files`")
        } else {
            fault.help("types are int, bool, float, double, string, bytes(N), list(T, N), records, and those of interfaces")
        };
        self.faults.report(fault)
    }

    fn no_args(&mut self, written: &TypeRef<'a>) -> Checked<()> {
        if written.args.is_none() {
            return Ok(());
        }
        let fault =
            Diagnostic::error("capacity", written.span, format!("`{}` has no capacity", written.name.text));
        Err(self.faults.report(fault.label(format!("expected `{}`", written.name.text))))
    }

    /// The capacity of `string(N)` and `bytes(N)`.
    fn only_capacity(&mut self, written: &TypeRef<'a>) -> Checked<u32> {
        match written.args.as_deref() {
            Some([capacity]) => self.capacity(capacity, TEXT_MAX),
            _ => {
                let name = written.name.text;
                let fault = Diagnostic::error("capacity", written.span, format!("`{name}` needs a capacity"))
                    .label(format!("expected the largest number of bytes, e.g. `{name}(32)`"));
                Err(self.faults.report(fault))
            }
        }
    }

    fn list_type(&mut self, written: &TypeRef<'a>) -> Checked<Ty> {
        let Some([TypeArg::Type(element), capacity]) = written.args.as_deref() else {
            let fault = Diagnostic::error("capacity", written.span, "`list` needs a type and a capacity");
            return Err(self.faults.report(
                fault
                    .label("expected the type of the elements and their largest number, e.g. `list(string, 1_000)`")
                    .help("the capacity is a bound, not a cost: memory is charged as it is used"),
            ));
        };
        let of = self.type_of(element);
        let capacity = self.capacity(capacity, LIST_MAX)?;
        let of = of?;
        match &of {
            Ty::Portal(_) => {
                let message = "only a variable can be a list of portals";
                let fault = Diagnostic::error("portal", element.span, message)
                    .label("found a portal, expected a value")
                    .help("begin one by `var all: list(…)`, or name what a call gives by `let all = …`");
                Err(self.faults.report(fault))
            }
            _ => {
                let of = self.part_type(of, element.span)?;
                Ok(Ty::List(Box::new(of), capacity))
            }
        }
    }

    /// The type that is meant, of a variable: one of portals is a list, too.
    pub(super) fn type_of_variable(&mut self, written: &TypeRef<'a>) -> Checked<Ty> {
        let (None, "list", Some([TypeArg::Type(element), capacity])) =
            (written.module, written.name.text, written.args.as_deref())
        else {
            return self.type_of(written);
        };
        let foreign = if element.args.is_none() { self.named_foreign(element) } else { None };
        let of = match foreign {
            Some(Foreign::Interface(..)) => self.type_of(element),
            Some(of @ Foreign::Struct(..)) => match self.foreign_type(of, element.span)? {
                ty if self.tables.is_apart(&ty) => Ok(ty),
                _ => return self.type_of(written),
            },
            _ => return self.type_of(written),
        };
        let capacity = self.capacity(capacity, PORTALS_MAX.into())?;
        Ok(Ty::List(Box::new(of?), capacity))
    }

    /// What of an interface file a name without arguments stands for.
    fn named_foreign(&self, written: &TypeRef<'a>) -> Option<Foreign> {
        let name = written.name.text;
        match written.module {
            Some(module) if self.is_module(module.text) => self.foreign(module.text, name),
            Some(_) => None,
            None => match self.globals.get(name) {
                Some(Global::Foreign(foreign)) => Some(*foreign),
                _ => None,
            },
        }
    }

    /// A portal where only values may be.
    pub(super) fn portal_inside(&mut self, span: Span, what: &str) -> Reported {
        let fault = Diagnostic::error("portal", span, format!("a {what} cannot hold a portal"))
            .label("found a portal, expected a value")
            .help("portals live in variables, and are released at the end of their block");
        self.faults.report(fault)
    }

    fn capacity(&mut self, written: &TypeArg<'a>, max: i64) -> Checked<u32> {
        let (value, span) = match written {
            TypeArg::Int(value, span) => (i64::try_from(*value).unwrap_or(i64::MAX), *span),
            TypeArg::Type(TypeRef { module: None, name, args: None, .. }) => {
                (self.int_constant(*name)?, name.span)
            }
            TypeArg::Type(other) => {
                let fault = Diagnostic::error("capacity", other.span, "a capacity is a number");
                return Err(self.faults.report(fault.label("found a type, expected a number or a constant")));
            }
        };
        match u32::try_from(value) {
            Ok(capacity) if (1..=max).contains(&value) => Ok(capacity),
            _ => {
                let message = format!("a capacity is from 1 to {}", grouped(max));
                let fault =
                    Diagnostic::error("capacity", span, message).label(format!("found {}", grouped(value)));
                Err(self.faults.report(fault))
            }
        }
    }

    /// A number, or a constant that is one; not negative.
    pub(super) fn amount(&mut self, amount: Amount<'a>) -> Checked<u64> {
        let (value, span) = match amount {
            Amount::Int(value, _, span) => (i64::try_from(value).unwrap_or(i64::MAX), span),
            Amount::Const(name) => (self.int_constant(name)?, name.span),
        };
        u64::try_from(value).map_err(|_| {
            let fault = Diagnostic::error("limit", span, "a limit cannot be negative");
            self.faults.report(fault.label(format!("found {}", grouped(value))))
        })
    }

    fn int_constant(&mut self, name: Name<'a>) -> Checked<i64> {
        let found = match self.globals.get(name.text) {
            Some(Global::Const(value)) => match value.expr.kind {
                ExprKind::Int(value) => return Ok(value),
                _ => self.type_text(&value.ty.clone()),
            },
            Some(Global::Poisoned) => return Err(Reported),
            Some(_) => format!("`{}`", name.text),
            None if self.unit.scope.get(name.text).is_some() => format!("the variable `{}`", name.text),
            None => {
                let fault = self.unknown_name(name);
                return Err(self.faults.report(fault));
            }
        };
        let fault = Diagnostic::error("constant", name.span, "limits and capacities are known beforehand")
            .label(format!("found {found}, expected a number or a constant"))
            .help("declare it before the program, e.g. `const MAX = 1_000`");
        Err(self.faults.report(fault))
    }
}

// Compared.

/// Whether a value of type `from` goes where `to` is wanted. Capacities may differ: they are checked when
/// the program runs.
pub(super) fn fits(from: &Ty, to: &Ty) -> bool {
    match (from, to) {
        (Ty::Str(_), Ty::Str(_)) | (Ty::Bytes(_), Ty::Bytes(_)) => true,
        (Ty::List(from, _), Ty::List(to, _)) => from == to,
        _ => from == to,
    }
}

impl<'a> Checker<'a, '_> {
    /// The value, if it fits where `to` is wanted.
    pub(super) fn check_fits(&mut self, value: Typed, to: &Ty, span: Span) -> Checked<crate::tree::Expr> {
        let value = match *to {
            Ty::Float(precision) => self.rounded(value, precision, span)?,
            _ => value,
        };
        if !fits(&value.ty, self.seen(to)) {
            return Err(self.mismatch(&value, to, span));
        }
        if let (Ty::List(..), Ty::Record(id)) = (&value.ty, to) {
            return self.packed(value, *id, span);
        }
        let capacity = match to {
            Ty::Str(capacity) | Ty::Bytes(capacity) => *capacity,
            _ => return Ok(value.expr),
        };
        match &value.expr.kind {
            ExprKind::Text(bytes) if bytes.len() > capacity as usize => {
                let message = format!("this text is longer than `{}`", self.type_text(to));
                let found = format!("found {} bytes, expected at most {capacity}", bytes.len());
                Err(self.faults.report(Diagnostic::error("too-long", span, message).label(found)))
            }
            _ => Ok(value.expr),
        }
    }

    /// A constant that is a double, as the nearest float where one is wanted; other values are as they are. A literal is
    /// rounded once, from what is written, as an argument is.
    pub(super) fn rounded(&mut self, value: Typed, to: Precision, span: Span) -> Checked<Typed> {
        match value.expr.kind {
            ExprKind::Float(float) if float.precision == Precision::Double && to == Precision::Single => {
                let text = self.text.get(span.start..span.end);
                let literal = text.filter(|text| Precision::Double.parse(text) == Some(float));
                let rounded = literal.and_then(|text| to.parse(text)).unwrap_or_else(|| float.to(to));
                if rounded.value().is_infinite() && float.value().is_finite() {
                    let message = "this number does not fit into a float";
                    let fault = Diagnostic::error("overflow", span, message);
                    return Err(self.faults.report(fault.label("a float is at most 3.4028235e38")));
                }
                Ok(self.typed(ExprKind::Float(rounded), Ty::Float(to), span))
            }
            _ => Ok(value),
        }
    }

    /// A value of one type where another is wanted.
    pub(super) fn mismatch(&mut self, value: &Typed, to: &Ty, span: Span) -> Reported {
        let (found, to) = (&value.ty, &self.seen(to).clone());
        let (used, wanted) = (self.noun(found), self.a_noun(to));
        let message = match (found, to) {
            (Ty::List(..), Ty::List(..)) => "list of one type used as a list of another".to_owned(),
            _ => format!("{used} used as {wanted}"),
        };
        let label = format!("found {}, expected {}", self.type_text(found), self.type_text(to));
        let fault = Diagnostic::error("type", span, message).label(label);
        let fault = match self.mismatch_help(value, to) {
            Some(help) => fault.help(help),
            None => fault,
        };
        self.faults.report(fault)
    }

    /// What to do about it.
    pub(super) fn mismatch_help(&self, value: &Typed, to: &Ty) -> Option<String> {
        Some(match (&value.ty, to) {
            (_, Ty::Portal(_)) => self.portal_help(to),
            (Ty::Portal(_), _) => {
                "a portal is a right to call: use what one of its operations gives".to_owned()
            }
            (Ty::Int, Ty::Bool) => "compare it, e.g. `n != 0`".to_owned(),
            (Ty::Int, Ty::Float(precision)) => match value.expr.kind {
                ExprKind::Int(n) => format!("write `{n}.0`: nothing is converted by itself"),
                _ => format!("to convert the integer, write `{}(…)`", precision.name()),
            },
            (Ty::Float(_), Ty::Float(precision)) => {
                format!("to convert it, write `{}(…)`", precision.name())
            }
            (Ty::Float(_), Ty::Int) => {
                "a float is no bound, index or count, and there is no conversion to an integer".to_owned()
            }
            (Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_), Ty::Str(_)) => {
                "nothing is converted to text: return numbers in a record, and they are shown as numbers"
                    .to_owned()
            }
            (Ty::Str(_), Ty::Bytes(_)) => {
                "nothing is converted to bytes: take them as a parameter, e.g. `data: bytes(1_000)`, and run with \
                 data=TEXT"
                    .to_owned()
            }
            (Ty::Bytes(_), Ty::Str(_)) => {
                "string and bytes are different types, and nothing is converted".to_owned()
            }
            (_, Ty::Enum(id)) => {
                let used = &self.tables.enums[id.index()];
                let meant = match &value.expr.kind {
                    ExprKind::Text(text) => {
                        used.values.iter().find(|value| value.as_bytes() == text.as_slice())
                    }
                    _ => None,
                };
                let example = meant.or(used.values.first())?;
                format!("its values are written `{}.{example}`", self.type_text(to))
            }
            (union, _) if self.is_union(union) => {
                "what a union holds is read by `match`".to_owned()
            }
            (Ty::Record(id), _) => {
                let fields = &self.tables.records[id.index()].fields;
                let (name, _) = fields.iter().find(|(_, ty)| fits(self.seen(ty), to))?;
                format!("did you mean its field `{name}`?")
            }
            (Ty::Str(_), Ty::Int) => "nothing is converted: numbers are written without quotes".to_owned(),
            (Ty::List(..), Ty::Int) => "its length is `.len`".to_owned(),
            (Ty::List(..), _) => "an element is `list[index]`".to_owned(),
            _ => return None,
        })
    }

    /// Where a portal of this type could come from.
    pub(super) fn portal_help(&self, wanted: &Ty) -> String {
        let general = "portals come from parameters or calls";
        let Ty::Portal(wanted) = wanted else { return general.to_owned() };
        for name in self.unit.scope.names().take(256) {
            let Some(var) = self.unit.scope.get(name).and_then(|local| local.var) else { continue };
            let Ty::Portal(held) = self.unit.vars[var.index()].ty else { continue };
            let operations = &self.descriptor(held).operations;
            let makes = |ty: &carnet_idl::descriptor::Type| self.tables.is_portal_of(*wanted, held, ty);
            if let Some(op) = operations.iter().find(|op| op.result.as_ref().is_some_and(makes)) {
                let args = op.params.iter().filter(|param| param.mode != Mode::Out);
                let args: Vec<_> = args.map(|param| param.name.as_str()).collect();
                let call = format!("{name}.{}({})", op.name, args.join(", "));
                return match op.params.iter().any(|param| param.mode != Mode::In) {
                    true => format!("{general}, e.g. {call}.{}", return_name(op)),
                    false => format!("{general}, e.g. {call}"),
                };
            }
        }
        general.to_owned()
    }
}

// In words.

impl Checker<'_, '_> {
    /// A type as it is written.
    pub(super) fn type_text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "int".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Float(precision) => precision.name().to_owned(),
            Ty::Enum(id) => {
                self.clear_name(&self.tables.enums[id.index()].name, self.tables.enum_module(*id))
            }
            Ty::Str(STRING_MAX) => "string".to_owned(),
            Ty::Str(capacity) => format!("string({capacity})"),
            Ty::Bytes(capacity) => format!("bytes({capacity})"),
            Ty::Record(_) if let Some(list) = self.tables.list_of(ty) => self.type_text(list),
            Ty::Record(id) => {
                self.clear_name(&self.tables.records[id.index()].name, self.tables.record_module(*id))
            }
            Ty::List(of, capacity) => {
                format!("list({}, {})", self.type_text(of), grouped(i64::from(*capacity)))
            }
            Ty::Portal(id) => {
                let interface = &self.tables.interfaces[id.index()];
                format!("portal {}.{}", interface.module, interface.name)
            }
        }
    }

    /// A name, with its interface file in front if two have it.
    fn clear_name(&self, name: &str, module: Option<&Module>) -> String {
        match (self.globals.get(name), module) {
            (Some(Global::Ambiguous(..)), Some(module)) => format!("{}.{name}", module.name),
            _ => name.to_owned(),
        }
    }

    /// What a value is called.
    pub(super) fn noun(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "integer".to_owned(),
            Ty::Bool => "truth value".to_owned(),
            Ty::Float(precision) => precision.name().to_owned(),
            Ty::Str(_) => "string".to_owned(),
            Ty::Bytes(_) => "bytes".to_owned(),
            Ty::List(..) => "list".to_owned(),
            Ty::Enum(_) | Ty::Record(_) => format!("`{}`", self.type_text(ty)),
            Ty::Portal(id) => self.tables.interfaces[id.index()].name.to_lowercase(),
        }
    }

    /// The same with its article.
    pub(super) fn a_noun(&self, ty: &Ty) -> String {
        let noun = self.noun(ty);
        match ty {
            Ty::Bytes(_) => noun,
            _ if noun.trim_start_matches('`').to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']) => {
                format!("an {noun}")
            }
            _ => format!("a {noun}"),
        }
    }
}

/// A number with its digits in groups, as it may be written in a program.
pub(super) fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut out = if value < 0 { "-".to_owned() } else { String::new() };
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}
