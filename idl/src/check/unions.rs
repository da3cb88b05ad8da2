//! Unions: discriminants, labels, arms.

use std::collections::HashSet;

use super::{Checker, id};
use crate::descriptor::{Arm, Type, Union, UnionShape, Value};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::{self, Definition, Label, TypeSpec};

impl<'a> Checker<'a> {
    pub(super) fn union(
        &mut self,
        definition: &'a Definition,
        switch: &'a TypeSpec,
        arms: &'a [syntax::Arm],
    ) -> Option<Union> {
        let name = &definition.name;
        self.unique(arms.iter().map(|arm| &arm.field.name), &format!("union `{}`", name.text));
        self.count(arms.len(), Some(name.span), "arms");
        self.not_empty(definition, arms.len(), "arm")?;
        let discriminant = self.discriminant(switch);
        let types: Vec<Option<Type>> = arms.iter().map(|arm| self.arm_type(&arm.field)).collect();
        let (types, switch) = (types.into_iter().collect::<Option<Vec<Type>>>()?, discriminant?);
        let arms = self.arms(arms, types, &switch)?;
        self.fits(definition, self.sizes.union(&arms).0)?;
        Some(Union {
            name: self.full_name(definition),
            doc: definition.lead.doc.clone(),
            switch,
            arms,
            structs_before: id(self.sizes.structs()),
            shape: UnionShape::default(),
        })
    }

    fn discriminant(&mut self, spec: &'a TypeSpec) -> Option<Type> {
        let ty = self.ty(spec)?;
        if matches!(ty, Type::Bool | Type::Char | Type::Int { .. } | Type::Enum(_)) {
            return Some(ty);
        }
        let fault = Diagnostic::error("discriminant", spec.span, "this type cannot choose between arms");
        self.faults.push(fault.label("expected a boolean, integer, char or enum"));
        None
    }

    fn arm_type(&mut self, field: &'a syntax::Field) -> Option<Type> {
        let ty = self.ty(&field.ty)?;
        self.part(&ty, field.ty.span)?;
        if self.sizes.of(&ty).portals == 0 {
            return Some(ty);
        }
        let fault = Diagnostic::unsupported("union-arm", field.ty.span, "portals in unions");
        self.faults.push(fault.help("make it a parameter of its own"));
        None
    }

    fn arms(&mut self, arms: &'a [syntax::Arm], types: Vec<Type>, switch: &Type) -> Option<Vec<Arm>> {
        let (mut seen, mut has_default, mut is_right) = (HashSet::new(), false, true);
        let mut default = None;
        let mut new = vec![];
        for (arm, ty) in arms.iter().zip(types) {
            let (mut labels, mut is_default) = (vec![], false);
            self.count(arm.labels.len(), Some(arm.field.name.span), "labels");
            for label in &arm.labels {
                let (value, span) = match label {
                    Label::Default(span) => (None, *span),
                    Label::Case(expr) => match self.value_of(expr, switch) {
                        Some(Value::Word(word)) => (Some(word), expr.span),
                        _ => {
                            is_right = false;
                            continue;
                        }
                    },
                };
                let is_new = match value {
                    Some(word) => seen.insert(word),
                    None => !std::mem::replace(&mut has_default, true),
                };
                is_right &= is_new && self.is_small(value, switch, span);
                if !is_new {
                    self.faults.push(Diagnostic::error(
                        "duplicate-label",
                        span,
                        "this label stands here twice",
                    ));
                }
                is_default |= value.is_none();
                labels.extend(value.map(u64::cast_signed));
            }
            if is_default {
                let span = |label: &Label| if let Label::Default(span) = label { Some(*span) } else { None };
                default = arm.labels.iter().find_map(span).map(|span| (span, labels.len()));
            }
            // Labels beside `default` say nothing more.
            let labels = if is_default { vec![] } else { labels };
            new.push(Arm { name: arm.field.name.text.clone(), ty, labels });
        }
        if let Some((span, beside)) = default.filter(|_| is_right) {
            is_right = self.is_of_use(span, seen.len() - beside, switch);
        }
        is_right.then_some(new)
    }

    /// Whether there are values for `default`: others than the labels of the other arms.
    fn is_of_use(&mut self, span: Span, labels: usize, switch: &Type) -> bool {
        let values = match switch {
            Type::Bool => 2,
            Type::Char => 1 << 8,
            Type::Int { bits, .. } if *bits <= 16 => 1 << *bits,
            Type::Enum(id) => self.module.enums[id.index()].values.len(),
            _ => return true,
        };
        if labels == values {
            let fault = Diagnostic::error("useless-default", span, "`default` can never come");
            self.faults.push(fault.label("found a label for each value").help("leave it out"));
        }
        labels < values
    }

    /// Unsigned 64-bit numbers of the upper half do not exist.
    fn is_small(&mut self, value: Option<u64>, switch: &Type, span: Span) -> bool {
        let unsigned = matches!(switch, Type::Int { bits: 64, signed: false });
        let is_small = !unsigned || value.is_none_or(|word| word.cast_signed() >= 0);
        if !is_small {
            let fault = Diagnostic::error("constant-range", span, "this label can never come");
            self.faults.push(fault.label(format!("expected at most {}", i64::MAX)));
        }
        is_small
    }
}
