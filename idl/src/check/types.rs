//! Types, bounds, structs, enums, exceptions.

use super::{Checker, Meaning, Wanted};
use crate::descriptor::{Enum, Exception, Field, Struct, Type, TypeHash};
use crate::diagnostic::{Diagnostic, Span};
use crate::limits;
use crate::syntax::{self, Definition, DefinitionKind, Expr, Name, TypeKind, TypeSpec};

impl<'a> Checker<'a> {
    /// The type that `spec` means; `None` if it is wrong, which was reported then.
    pub(super) fn ty(&mut self, spec: &'a TypeSpec) -> Option<Type> {
        match &spec.kind {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int { bits, signed } => Some(Type::Int { bits: *bits, signed: *signed }),
            TypeKind::String { max } => Some(Type::String { max: self.string_bound(max.as_ref())? }),
            TypeKind::Sequence { of, max } => self.sequence(spec.span, of, max.as_ref()),
            TypeKind::Named(name) => self.named(name),
            TypeKind::Wrong => None,
        }
    }

    fn named(&mut self, name: &Name) -> Option<Type> {
        let noun = match self.lookup(name, "unknown-type", Wanted::Type) {
            Meaning::Type(ty) => return Some(ty),
            Meaning::Const(_) => "a constant",
            Meaning::Exception(_) => "an exception",
            Meaning::Unseen | Meaning::Busy | Meaning::Failed => return None,
        };
        let fault = Diagnostic::error("not-a-type", name.span, format!("`{}` is no type", name.text));
        self.faults.push(fault.label(format!("found {noun}, expected a type")));
        None
    }

    fn string_bound(&mut self, max: Option<&'a Expr>) -> Option<u32> {
        match max {
            Some(max) => self.bound(max, limits::BYTES_MAX, "bytes"),
            None => Some(limits::STRING_DEFAULT),
        }
    }

    fn bound(&mut self, expr: &'a Expr, most: u32, unit: &str) -> Option<u32> {
        let value = self.value(expr)?;
        let bound = u32::try_from(value).ok().filter(|bound| (1..=most).contains(bound));
        if bound.is_none() {
            let fault = Diagnostic::error("bound", expr.span, "this bound is out of range");
            self.faults.push(fault.label(format!("found {value}, expected 1 to {most} {unit}")));
        }
        bound
    }

    fn sequence(&mut self, span: Span, of: &'a TypeSpec, max: Option<&'a Expr>) -> Option<Type> {
        let element = self.ty(of);
        let is_bytes = element == Some(Type::Int { bits: 8, signed: false });
        let (most, unit) =
            if is_bytes { (limits::BYTES_MAX, "bytes") } else { (limits::LIST_MAX, "elements") };
        let Some(max) = max else {
            let fault = Diagnostic::error("unbounded", span, "this sequence has no bound");
            self.faults.push(
                fault
                    .label("found no bound, expected `sequence<T, N>`")
                    .help(format!("give the largest number of {unit}, for example `sequence<T, 1000>`")),
            );
            return None;
        };
        let max = self.bound(max, most, unit);
        let (element, max) = (element?, max?);
        if is_bytes {
            return Some(Type::Bytes { max });
        }
        let (code, what) = match &element {
            Type::List { .. } => ("nested-list", "lists in lists"),
            Type::Portal(_) => ("portal-in-list", "lists of portals"),
            _ => return Some(Type::List { of: Box::new(element), max }),
        };
        self.faults.push(Diagnostic::unsupported(code, of.span, what));
        None
    }

    pub(super) fn enumeration(&mut self, definition: &Definition, values: &[Name]) -> Option<Enum> {
        self.unique(values.iter(), &format!("enum `{}`", definition.name.text));
        self.count(values.len(), definition.name.span, "values");
        self.not_empty(definition, values.len(), "value")?;
        Some(Enum {
            name: definition.name.text.clone(),
            doc: definition.lead.doc.clone(),
            values: values.iter().map(|value| value.text.clone()).collect(),
            hash: TypeHash(0),
        })
    }

    fn not_empty(&mut self, definition: &Definition, members: usize, noun: &str) -> Option<()> {
        if members > 0 {
            return Some(());
        }
        let what = definition.kind.noun();
        let message = format!("{what} `{}` is empty", definition.name.text);
        let fault = Diagnostic::error("empty", definition.name.span, message);
        self.faults.push(fault.label(format!("expected at least one {noun}")));
        None
    }

    pub(super) fn structure(
        &mut self,
        definition: &'a Definition,
        fields: &'a [syntax::Field],
    ) -> Option<Struct> {
        let (name, span) = (&definition.name.text, definition.name.span);
        self.unique(fields.iter().map(|field| &field.name), &format!("struct `{name}`"));
        self.count(fields.len(), span, "fields");
        self.not_empty(definition, fields.len(), "field")?;
        let fields: Vec<Option<Field>> = fields.iter().map(|field| self.field(field)).collect();
        let fields = fields.into_iter().collect::<Option<Vec<Field>>>()?;
        let size = self.sizes.measure(&fields);
        if size.words > limits::WORDS_MAX || size.depth > limits::DEPTH_MAX {
            let message = format!("struct `{name}` is too large");
            let label = format!(
                "found {} words in {} levels, expected at most {} in {}",
                size.words,
                size.depth,
                limits::WORDS_MAX,
                limits::DEPTH_MAX
            );
            self.faults.push(Diagnostic::error("struct-size", span, message).label(label));
            return None;
        }
        Some(Struct { name: name.clone(), doc: definition.lead.doc.clone(), fields })
    }

    fn field(&mut self, field: &'a syntax::Field) -> Option<Field> {
        let ty = self.ty(&field.ty)?;
        let (code, what) = match ty {
            Type::Portal(_) => ("portal-in-struct", "portals in structs"),
            Type::List { .. } => ("list-in-struct", "lists in structs"),
            _ => return Some(Field { name: field.name.text.clone(), ty }),
        };
        let fault = Diagnostic::unsupported(code, field.ty.span, what);
        self.faults.push(fault.help("make it a parameter of its own"));
        None
    }

    /// Exactly an enum `kind` and a string `message`: programs test the one, people read the other.
    pub(super) fn exception(
        &mut self,
        definition: &'a Definition,
        members: &'a [syntax::Field],
    ) -> Option<Exception> {
        let types: Vec<Option<Type>> = members.iter().map(|member| self.ty(&member.ty)).collect();
        let names: Vec<&str> = members.iter().map(|member| member.name.text.as_str()).collect();
        let types = types.into_iter().collect::<Option<Vec<Type>>>()?;
        if let (["kind", "message"], [Type::Enum(kind), Type::String { max }]) = (&names[..], &types[..]) {
            let (name, doc) = (definition.name.text.clone(), definition.lead.doc.clone());
            return Some(Exception { name, doc, kind: *kind, message_max: *max });
        }
        let message = "exceptions with other members than an enum `kind` and a string `message`";
        let fault = Diagnostic::unsupported("exception", definition.name.span, message);
        self.faults.push(fault.help("write `{ Reason kind; string<4096> message; }` with an enum `Reason`"));
        None
    }

    /// The exception that `raises (name)` means.
    pub(super) fn raised(&mut self, name: &Name) -> Option<crate::descriptor::ExceptionId> {
        match self.lookup(name, "unknown-exception", Wanted::Exception) {
            Meaning::Exception(id) => Some(id),
            Meaning::Const(_) | Meaning::Type(_) => {
                let noun = self.file.definitions[self.names[name.text.as_str()]].kind.noun();
                let message = format!("`{}` is no exception", name.text);
                let fault = Diagnostic::error("not-an-exception", name.span, message);
                self.faults.push(fault.label(format!("found {noun}, expected an exception")));
                None
            }
            Meaning::Unseen | Meaning::Busy | Meaning::Failed => None,
        }
    }

    /// Definitions carry no annotations yet.
    pub(super) fn no_annotations(&mut self, definition: &Definition) {
        for annotation in &definition.lead.annotations {
            let message = format!("`@{}` cannot stand here", annotation.name.text);
            let fault = Diagnostic::error("annotation-place", annotation.span, message);
            let what = match definition.kind {
                DefinitionKind::Interface { .. } => "an interface",
                _ => "a definition",
            };
            self.faults.push(
                fault
                    .label(format!("found before {what}"))
                    .help("annotations stand before the module or before an operation"),
            );
        }
    }
}
