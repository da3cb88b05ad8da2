//! Annotations: which may stand where, and what they ask of the operation.

use super::{Checker, id};
use crate::descriptor::{Effect, InterfaceId, Mode, Module, Operation, Paged, Type};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::{self, Annotation, Argument, ArgumentValue, Origin};
use crate::syscall::Syscall;

const OF_OPERATIONS: &[&str] = &[
    "reads",
    "writes",
    "idempotent",
    "once",
    "blocks",
    "paged",
    "cost",
    "does",
    "note",
    "argument",
    "syscall",
];
/// More than there are, and few enough to compare each with each.
const ANNOTATIONS_MAX: usize = 16;
const OF_MODULES: &[&str] = &["version", "unknown"];

impl<'a> Checker<'a> {
    pub(super) fn module_annotations(&mut self, annotations: &[Annotation], module: &mut Module) {
        self.known(annotations, OF_MODULES, OF_OPERATIONS);
        for annotation in annotations {
            match (annotation.name.text.as_str(), one_text(annotation)) {
                ("version", Some(text)) => module.version.clone_from(text),
                ("version", None) => self.wrong_arguments(annotation, "@version(\"1.0\")"),
                ("unknown", Some(text)) => module.unknown.clone_from(text),
                ("unknown", None) => self.wrong_arguments(annotation, "@unknown(\"WHAT\")"),
                _ => {}
            }
        }
    }

    /// Reports annotations that are too many, unknown, in the wrong place, or given twice.
    fn known(&mut self, annotations: &[Annotation], here: &[&str], elsewhere: &[&str]) {
        for (index, annotation) in annotations.iter().enumerate() {
            if index == ANNOTATIONS_MAX {
                let fault = Diagnostic::error("too-many", annotation.span, "too many annotations");
                return self.faults.push(fault.label(format!("expected at most {ANNOTATIONS_MAX}")));
            }
            let name = annotation.name.text.as_str();
            if elsewhere.contains(&name) {
                let fault = Diagnostic::error(
                    "annotation-place",
                    annotation.span,
                    format!("`@{name}` cannot stand here"),
                );
                self.faults.push(fault.label(format!("expected one of @{}", here.join(", @"))));
            } else if !here.contains(&name) {
                let fault = Diagnostic::error(
                    "unknown-annotation",
                    annotation.span,
                    format!("there is no annotation `@{name}`"),
                );
                let fault = fault.label(format!("expected one of @{}", here.join(", @")));
                self.faults.push(fault.suggest(name, here.iter().copied()));
            } else if annotations[..index].iter().any(|earlier| earlier.name.text == name) {
                let fault = Diagnostic::error(
                    "duplicate-annotation",
                    annotation.span,
                    format!("`@{name}` stands here twice"),
                );
                self.faults.push(fault);
            }
        }
    }

    fn wrong_arguments(&mut self, annotation: &Annotation, form: &str) {
        let message = format!("`@{}` does not take these arguments", annotation.name.text);
        let fault = Diagnostic::error("annotation-arguments", annotation.span, message);
        self.faults.push(fault.label(format!("expected {form}")));
    }

    /// Applies the annotations of `written` to `operation`.
    pub(super) fn annotate(
        &mut self,
        written: &'a syntax::Operation,
        operation: &mut Operation,
        of: InterfaceId,
    ) {
        self.known(&written.lead.annotations, OF_OPERATIONS, OF_MODULES);
        for annotation in written.lead.annotations.iter().take(ANNOTATIONS_MAX) {
            match annotation.name.text.as_str() {
                "cost" => self.cost(annotation, operation),
                "does" => self.does(annotation, operation),
                "note" => match one_text(annotation) {
                    Some(text) => operation.note.clone_from(text),
                    None => self.wrong_arguments(annotation, "@note(\"TEXT\")"),
                },
                "syscall" => self.syscall(annotation, operation),
                name if !annotation.arguments.is_empty() && OF_OPERATIONS.contains(&name) => {
                    self.wrong_arguments(annotation, &format!("@{name} alone"));
                }
                "reads" => operation.effect = Effect::Reads,
                "writes" => self.writes(annotation, written),
                "idempotent" => operation.idempotent = true,
                "once" => self.once(annotation, written, operation),
                "blocks" => operation.blocks = true,
                "paged" => self.paged(annotation, operation),
                "argument" => self.argument(annotation, operation, of),
                _ => {}
            }
        }
        self.argument_reads(written, operation);
    }

    fn writes(&mut self, annotation: &Annotation, written: &syntax::Operation) {
        if written.lead.annotations.iter().take(ANNOTATIONS_MAX).any(|other| other.name.text == "reads") {
            let message = "an operation either reads or writes";
            let fault = Diagnostic::error("annotation-conflict", annotation.span, message);
            self.faults.push(fault.label("found @reads and @writes").help("split it into two operations"));
        }
    }

    /// `@once` is said of what reads. What writes is repeated with a word alone, unless it is `@idempotent`.
    fn once(&mut self, annotation: &Annotation, written: &syntax::Operation, operation: &mut Operation) {
        operation.once = true;
        let annotations = written.lead.annotations.iter().take(ANNOTATIONS_MAX);
        let has = |name: &str| annotations.clone().any(|other| other.name.text == name);
        let either = "an operation is either @once or @idempotent";
        let (message, found, help) = match written.origin {
            // The one that reads, which there always is, has told it.
            Origin::Setter => return,
            Origin::Getter => {
                let help = "write an operation in its place: `@reads @once long next();`";
                (either, "found an attribute, which is @idempotent without the word", Some(help))
            }
            Origin::Operation if !has("reads") => ("only what reads can be @once", "found no @reads", None),
            Origin::Operation if has("idempotent") => (either, "found both", None),
            Origin::Operation => return,
        };
        let fault = Diagnostic::error("annotation-conflict", annotation.span, message).label(found);
        self.faults.push(match help {
            Some(help) => fault.help(help),
            None => fault,
        });
    }

    /// `@cost(bytes = n)`: `n` is an `in` parameter that counts bytes of work, or is these bytes.
    fn cost(&mut self, annotation: &Annotation, operation: &mut Operation) {
        let [Argument { name: Some(unit), value: ArgumentValue::Name(name) }] = &annotation.arguments[..]
        else {
            return self.wrong_arguments(annotation, "@cost(bytes = PARAMETER)");
        };
        if unit.text != "bytes" {
            return self.wrong_arguments(annotation, "@cost(bytes = PARAMETER)");
        }
        let index = Self::param_index(operation, &name.text);
        let fits = |index: &u16| {
            let param = &operation.params[usize::from(*index)];
            param.mode == Mode::In && matches!(param.ty, Type::Int { .. } | Type::Bytes { .. })
        };
        operation.cost = index.filter(fits);
        if operation.cost.is_none() {
            let message = format!("`{}` is no `in` parameter with an integer or bytes", name.text);
            let fault = Diagnostic::error("cost-parameter", name.span, message);
            let names = operation.params.iter().map(|param| param.name.as_str());
            let fault = fault.label("expected the parameter that says how many bytes of work to do");
            self.faults.push(if index.is_none() { fault.suggest(&name.text, names) } else { fault });
        }
    }

    /// `@does("remove", "file", "files")`.
    fn does(&mut self, annotation: &Annotation, operation: &mut Operation) {
        let texts: Vec<&String> = annotation.arguments.iter().filter_map(text).collect();
        match texts[..] {
            [verb, one, many] if annotation.arguments.len() == 3 => {
                operation.does = Some([verb.clone(), one.clone(), many.clone()]);
            }
            _ => self.wrong_arguments(annotation, "@does(\"VERB\", \"ONE\", \"MANY\")"),
        }
    }

    /// `@syscall("0 fd *return n")`: see [`crate::syscall`].
    fn syscall(&mut self, annotation: &Annotation, operation: &mut Operation) {
        let Some(text) = one_text(annotation) else {
            return self.wrong_arguments(annotation, "@syscall(\"NUMBER ARGUMENT…\")");
        };
        operation.syscall = Some(text.clone());
        if let Err(label) = Syscall::of(&self.module, operation) {
            operation.syscall = None;
            let message = format!("`{}` is not this system call", operation.name);
            let fault = Diagnostic::error("syscall", annotation.span, message).label(label);
            self.faults.push(
                fault.help("write the number, then the arguments in the kernel's order: \"0 fd *return n\""),
            );
        }
    }

    /// Cursor: the last `in string`. End mark: the one `out boolean`. Key: the first string of an element.
    fn paged(&mut self, annotation: &Annotation, operation: &mut Operation) {
        let is_cursor =
            |p: &crate::descriptor::Param| p.mode == Mode::In && matches!(p.ty, Type::String { .. });
        let is_last = |p: &crate::descriptor::Param| p.mode == Mode::Out && p.ty == Type::Bool;
        let cursor = operation.params.iter().rposition(is_cursor);
        let last = operation.params.iter().position(is_last);
        let lasts = operation.params.iter().filter(|p| is_last(p)).count();
        let key = self.key(operation.result.as_ref());
        let Some(cursor) = cursor else {
            return self.wrong_page(annotation.span, "found no `in string` parameter to go on from");
        };
        let (Some(last), 1) = (last, lasts) else {
            let label =
                format!("found {lasts} `out boolean` parameters, expected one that marks the last page");
            return self.wrong_page(annotation.span, &label);
        };
        let Some(key) = key else {
            return self
                .wrong_page(annotation.span, "expected a sequence of structs with a string as the result");
        };
        operation.paged = Some(Paged { cursor: id(cursor), last: id(last), key: id(key) });
    }

    fn wrong_page(&mut self, span: Span, label: &str) {
        let fault =
            Diagnostic::error("paged-shape", span, "this operation does not have the shape of `@paged`");
        self.faults.push(fault.label(label).help(
            "write `sequence<Entry, 1024> list(in string after, out boolean last)`; the first string of Entry is the key",
        ));
    }

    fn key(&self, result: Option<&Type>) -> Option<usize> {
        let Some(Type::List { of, .. }) = result else { return None };
        let Type::Struct(id) = **of else { return None };
        self.module.structs[id.index()].fields.iter().position(|f| matches!(f.ty, Type::String { .. }))
    }

    /// Makes a portal of this interface from one text.
    fn argument(&mut self, annotation: &Annotation, operation: &Operation, of: InterfaceId) {
        let takes_text =
            matches!(&operation.params[..], [p] if p.mode == Mode::In && matches!(p.ty, Type::String { .. }));
        let interface = &mut self.module.interfaces[of.index()];
        if !takes_text || !Self::is_portal_on(operation.result.as_ref(), of) {
            let message = "this operation does not have the shape of `@argument`";
            let fault = Diagnostic::error("argument-shape", annotation.span, message);
            let name = interface.name.rsplit("::").next().unwrap_or_default();
            let form = format!("`{name} {}(in string text)`", operation.name);
            self.faults.push(fault.label(format!("expected {form}")));
        } else if interface.argument.is_some() {
            let message = "an interface has at most one `@argument`";
            self.faults.push(Diagnostic::error("duplicate-annotation", annotation.span, message));
        } else {
            interface.argument = Some(id(interface.operations.len()));
        }
    }

    /// It is called before a program runs, outside of its bill and whatever approves it, in dry runs too.
    fn argument_reads(&mut self, written: &'a syntax::Operation, operation: &Operation) {
        let mut annotations = written.lead.annotations.iter().take(ANNOTATIONS_MAX);
        let argument = annotations.find(|annotation| annotation.name.text == "argument");
        if let (Effect::Writes, Some(annotation)) = (operation.effect, argument) {
            let message = format!("`{}` makes arguments, and must not write", operation.name);
            let fault = Diagnostic::error("argument-shape", annotation.span, message);
            self.faults.push(fault.label("found an operation that writes, expected `@reads @argument`"));
        }
    }
}

fn text(argument: &Argument) -> Option<&String> {
    match argument {
        Argument { name: None, value: ArgumentValue::Text(text) } => Some(text),
        _ => None,
    }
}

/// The text of an annotation that has just one.
fn one_text(annotation: &Annotation) -> Option<&String> {
    match &annotation.arguments[..] {
        [Argument { name: None, value: ArgumentValue::Text(text) }] => Some(text),
        _ => None,
    }
}
