//! Types, bounds, structs, enums, exceptions.

use super::{Checker, Meaning, Wanted};
use crate::descriptor::{Enum, Exception, ExceptionId, Field, Struct, Type, TypeHash};
use crate::diagnostic::{Diagnostic, Span};
use crate::limits;
use crate::size::Size;
use crate::syntax::{self, Annotation, Definition, DefinitionKind, Expr, Name, Path, TypeKind, TypeSpec};

impl<'a> Checker<'a> {
    /// The type that `spec` means; `None` if it is wrong, which was reported then.
    pub(super) fn ty(&mut self, spec: &'a TypeSpec) -> Option<Type> {
        match &spec.kind {
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::Int { bits, signed } => Some(Type::Int { bits: *bits, signed: *signed }),
            TypeKind::String { max } => Some(Type::String { max: self.string_bound(max.as_ref())? }),
            TypeKind::Sequence { of, max } => self.sequence(of, max.as_ref()),
            TypeKind::Char => Some(Type::Char),
            TypeKind::Float { bits } => Some(Type::Float { bits: *bits }),
            TypeKind::Array { of, len } => self.array(spec.span, of, len),
            TypeKind::Named(path) => self.named(path),
            TypeKind::Wrong => None,
        }
    }

    fn named(&mut self, path: &Path) -> Option<Type> {
        let noun = match self.lookup(path, "unknown-type", Wanted::Type) {
            Meaning::Type(ty) => return Some(ty),
            Meaning::Const(..) => "a constant",
            Meaning::Exception(_) => "an exception",
            Meaning::Unseen | Meaning::Busy | Meaning::Failed => return None,
        };
        let fault = Diagnostic::error("not-a-type", path.span, format!("`{}` is no type", path.text()));
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

    fn sequence(&mut self, of: &'a TypeSpec, max: Option<&'a Expr>) -> Option<Type> {
        let element = self.ty(of);
        let is_bytes = matches!(element, Some(Type::Char | Type::Int { bits: 8, signed: false }));
        let (most, unit) =
            if is_bytes { (limits::BYTES_MAX, "bytes") } else { (limits::LIST_MAX, "elements") };
        let bound = match max {
            Some(max) => self.bound(max, most, unit),
            None => Some(limits::SEQUENCE_DEFAULT_BYTES),
        };
        let (element, bound) = (element?, bound?);
        if is_bytes {
            return Some(Type::Bytes { max: bound });
        }
        self.part(&element, of.span)?;
        let size = self.sizes.of(&element);
        let words = u32::try_from(size.words.max(1)).unwrap_or(u32::MAX);
        let default = (bound / words.saturating_mul(8)).clamp(1, limits::LIST_MAX);
        let max = if max.is_some() { bound } else { default };
        let list = Type::List { of: Box::new(element), max };
        // What it holds may be as deep as what any value may hold.
        let size = self.sizes.of(&list);
        let depth = size.depth - 1;
        if depth > limits::DEPTH_MAX {
            let fault = Diagnostic::error("sequence-depth", of.span, "this is nested too deeply");
            let label = format!("found {depth} levels, expected at most {}", limits::DEPTH_MAX);
            self.faults.push(fault.label(label));
            return None;
        }
        self.written_out(size, of.span)?;
        Some(list)
    }

    /// Whether stubs can write out all parts of a value where they read it.
    fn written_out(&mut self, size: Size, span: Span) -> Option<()> {
        if size.written_out <= limits::WRITTEN_OUT_MAX {
            return Some(());
        }
        let fault = Diagnostic::error("nested-size", span, "arrays and lists repeat too much in each other");
        let label = format!("found {} parts, expected at most {}", size.written_out, limits::WRITTEN_OUT_MAX);
        self.faults.push(fault.label(label).help("make a list's element a struct: it counts as one"));
        None
    }

    /// Whether a value of `ty` can be a part of another: a list travels as bytes there.
    pub(super) fn part(&mut self, ty: &Type, span: Span) -> Option<()> {
        let Type::List { of, .. } = ty else { return Some(()) };
        if self.sizes.of(of).portals > 0 {
            let fault =
                Diagnostic::unsupported("nested-portal", span, "portals in lists within other values");
            let help = "make it a parameter of its own: a sequence of portals, or of structs that hold them";
            self.faults.push(fault.help(help));
            return None;
        }
        self.grows_little(ty, span)
    }

    /// Whether a list takes a bounded number of times the memory that it takes in a message.
    pub(super) fn grows_little(&mut self, ty: &Type, span: Span) -> Option<()> {
        let Type::List { of, .. } = ty else { return Some(()) };
        let element = self.sizes.of(of);
        if element.grows_little() {
            return Some(());
        }
        let message = "elements of this list grow too much where it is read";
        let label = format!(
            "found {} bytes in memory for {} in a message, expected at most {} times as many",
            element.held,
            element.sent_min(),
            limits::GROWTH_MAX
        );
        let fault = Diagnostic::error("list-growth", span, message).label(label);
        self.faults.push(fault.help("use `sequence<octet, N>` for the arrays in its unions"));
        None
    }

    fn array(&mut self, span: Span, of: &'a TypeSpec, len: &'a Expr) -> Option<Type> {
        let element = self.ty(of);
        let len = self.bound(len, limits::BYTES_MAX, "elements");
        let (element, len) = (element?, len?);
        self.part(&element, of.span)?;
        let ty = Type::Array { of: Box::new(element), len };
        if ty.octets().is_some_and(|bytes| bytes > limits::ARRAY_BYTES_MAX) {
            let fault = Diagnostic::error("array-size", span, "this array is too large to be held by value");
            let label = format!("found {len} bytes, expected at most {}", limits::ARRAY_BYTES_MAX);
            self.faults.push(fault.label(label).help(format!("use `sequence<octet, {len}>`")));
            return None;
        }
        let size = self.sizes.of(&ty);
        let words = size.words;
        if words > limits::WORDS_MAX {
            let fault =
                Diagnostic::error("array-size", span, "this array is too large for a message's block");
            let label = format!("found {words} words, expected at most {}", limits::WORDS_MAX);
            self.faults.push(fault.label(label).help(format!("use `sequence<T, {len}>`")));
            return None;
        }
        self.written_out(size, span)?;
        Some(ty)
    }

    pub(super) fn enumeration(&mut self, definition: &Definition, values: &[Name]) -> Option<Enum> {
        self.unique(values.iter(), &format!("enum `{}`", definition.name.text));
        self.count(values.len(), Some(definition.name.span), "values");
        self.not_empty(definition, values.len(), "value")?;
        Some(Enum {
            name: self.full_name(definition),
            doc: definition.lead.doc.clone(),
            values: values.iter().map(|value| value.text.clone()).collect(),
            hash: TypeHash(0),
        })
    }

    pub(super) fn not_empty(&mut self, definition: &Definition, members: usize, noun: &str) -> Option<()> {
        if members > 0 {
            return Some(());
        }
        if self.tree.lost.contains(&definition.name.span) {
            return None;
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
        self.count(fields.len(), Some(span), "fields");
        self.not_empty(definition, fields.len(), "field")?;
        let fields: Vec<Option<Field>> = fields.iter().map(|field| self.field(field)).collect();
        let fields = fields.into_iter().collect::<Option<Vec<Field>>>()?;
        let size = self.sizes.measure(&fields);
        self.fits(definition, size)?;
        Some(Struct { name: self.full_name(definition), doc: definition.lead.doc.clone(), fields })
    }

    /// Whether a struct, union or exception is small enough.
    pub(super) fn fits(&mut self, definition: &Definition, size: Size) -> Option<()> {
        if size.words <= limits::WORDS_MAX && size.depth <= limits::DEPTH_MAX {
            return self.written_out(size, definition.name.span);
        }
        let message = format!("{} `{}` is too large", definition.kind.noun(), definition.name.text);
        let label = format!(
            "found {} words in {} levels, expected at most {} in {}",
            size.words,
            size.depth,
            limits::WORDS_MAX,
            limits::DEPTH_MAX
        );
        self.faults.push(Diagnostic::error("struct-size", definition.name.span, message).label(label));
        None
    }

    fn field(&mut self, field: &'a syntax::Field) -> Option<Field> {
        let ty = self.ty(&field.ty)?;
        self.part(&ty, field.ty.span)?;
        Some(Field { name: field.name.text.clone(), ty })
    }

    pub(super) fn exception(
        &mut self,
        definition: &'a Definition,
        members: &'a [syntax::Field],
    ) -> Option<Exception> {
        let name = &definition.name;
        self.unique(members.iter().map(|member| &member.name), &format!("exception `{}`", name.text));
        self.count(members.len(), Some(name.span), "members");
        let members: Vec<Option<Field>> = members.iter().map(|member| self.field(member)).collect();
        let members = members.into_iter().collect::<Option<Vec<Field>>>()?;
        let size = self.sizes.measure(&members);
        self.fits(definition, size)?;
        let new = Exception { name: self.full_name(definition), doc: definition.lead.doc.clone(), members };
        if size.portals > 0 {
            let fault = Diagnostic::unsupported("portal-in-exception", name.span, "portals in exceptions");
            self.faults.push(fault.help("return it from an operation of its own"));
            return None;
        }
        if new.plain().is_none() && size.bytes_sum > limits::EXCEPTION_BYTES_MAX {
            let message = format!("exception `{}` is too large", name.text);
            let most = limits::EXCEPTION_BYTES_MAX;
            let label = format!(
                "found {} bytes in its strings, expected at most {most} in all of them",
                size.bytes_sum
            );
            let fault = Diagnostic::error("exception-size", name.span, message).label(label);
            self.faults.push(fault.help("give its strings smaller bounds: `string<200>`"));
            return None;
        }
        Some(new)
    }

    /// The exceptions that `raises (…)` means.
    pub(super) fn raises(&mut self, paths: &[Path]) -> Option<Vec<ExceptionId>> {
        let found: Vec<Option<ExceptionId>> = paths.iter().map(|path| self.raised(path)).collect();
        let found = found.into_iter().collect::<Option<Vec<ExceptionId>>>()?;
        for (index, path) in paths.iter().enumerate() {
            if found[..index].contains(&found[index]) {
                let message = format!("`{}` is raised twice", path.text());
                self.faults.push(Diagnostic::error("duplicate-raises", path.span, message));
                return None;
            }
        }
        Some(found)
    }

    fn raised(&mut self, path: &Path) -> Option<ExceptionId> {
        let noun = match self.lookup(path, "unknown-exception", Wanted::Exception) {
            Meaning::Exception(id) => return Some(id),
            Meaning::Const(..) => "a constant",
            Meaning::Type(_) => "a type",
            Meaning::Unseen | Meaning::Busy | Meaning::Failed => return None,
        };
        let message = format!("`{}` is no exception", path.text());
        let fault = Diagnostic::error("not-an-exception", path.span, message);
        self.faults.push(fault.label(format!("found {noun}, expected an exception")));
        None
    }

    /// Definitions carry no annotations yet.
    pub(super) fn no_annotations(&mut self, definition: &Definition) {
        let what = match definition.kind {
            DefinitionKind::Interface { .. } => "an interface",
            _ => "a definition",
        };
        self.misplaced(&definition.lead.annotations, what);
    }

    pub(super) fn misplaced(&mut self, annotations: &[Annotation], before: &str) {
        for annotation in annotations {
            let message = format!("`@{}` cannot stand here", annotation.name.text);
            let fault = Diagnostic::error("annotation-place", annotation.span, message);
            self.faults.push(
                fault
                    .label(format!("found before {before}"))
                    .help("annotations stand before the module or before an operation"),
            );
        }
    }
}
