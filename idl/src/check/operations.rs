//! Interfaces: operations and their parameters.

use std::collections::{HashMap, HashSet};

use super::{Checker, id};
use crate::descriptor::{Effect, InterfaceId, Layout, Mode, OpHash, Operation, Param, Type};
use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::syntax::{self, DefinitionKind, Name, Origin, ScopeId, TypeSpec};

impl<'a> Checker<'a> {
    /// Checks definition `index` if it is an interface.
    pub(super) fn interface(&mut self, index: usize) {
        let definition = &self.tree.definitions[index];
        let DefinitionKind::Interface { operations, scope, .. } = &definition.kind else { return };
        self.no_annotations(definition);
        self.unique(operations.iter().map(|o| &o.name), &format!("interface `{}`", definition.name.text));
        self.one_scope(operations, *scope);
        self.count(operations.len(), Some(definition.name.span), "operations");
        let Some(number) = self.interfaces.get(&index).copied() else { return };
        self.not_inherited(number, operations);
        let outer = std::mem::replace(&mut self.scope, *scope);
        for written in operations {
            let Some(mut operation) = self.operation(written) else { continue };
            self.annotate(written, &mut operation, number);
            self.is_oneway(written, &operation);
            self.module.interfaces[number.index()].operations.push(operation);
        }
        self.scope = outer;
    }

    /// Operations, attributes and what else an interface declares have one scope (IDL 4.2, section 7.5.2). An operation
    /// `kind` may stand beside a type `Kind`, though.
    fn one_scope(&mut self, operations: &'a [syntax::Operation], scope: ScopeId) {
        let place = format!("interface `{}`", self.tree.scopes[scope.0].name.text);
        let attributes: Vec<Name> = operations.iter().filter_map(attribute).collect();
        let attributes: HashMap<&str, &Name> =
            attributes.iter().map(|name| (name.text.as_str(), name)).collect();
        for written in operations.iter().filter(|written| written.origin != Origin::Setter) {
            let own = attribute(written);
            let name = own.as_ref().unwrap_or(&written.name);
            let other = attributes.get(name.text.as_str()).copied().filter(|_| own.is_none());
            let index = self.names.get(&(scope, name.text.as_str()));
            if let Some(first) = index.map(|index| &self.tree.definitions[*index].name).or(other) {
                self.declared_twice(name, first, &place);
            }
        }
    }

    /// What is inherited cannot be declared again. Bases were checked before.
    fn not_inherited(&mut self, number: InterfaceId, operations: &[syntax::Operation]) {
        let bases = self.module.bases(number).skip(1);
        let inherited: HashSet<String> = bases
            .flat_map(|base| &self.module.interfaces[base.index()].operations)
            .map(|operation| operation.name.to_ascii_lowercase())
            .collect();
        for operation in operations {
            if inherited.contains(&operation.name.text.to_ascii_lowercase()) {
                let message = format!("`{}` is inherited already", operation.name.text);
                let fault = Diagnostic::error("duplicate-name", operation.name.span, message);
                self.faults.push(fault.label("found again, expected a name of its own"));
            }
        }
        let count = inherited.len() + operations.len();
        let span = self.tree.definitions.iter().find(|_| count > limits::MEMBERS_MAX).map(|d| d.name.span);
        self.count(count, span, "operations");
    }

    /// Puts the operations of each base before those of what inherits from it.
    pub(super) fn take_over_operations(&mut self) {
        if let Err(text) = crate::encoding::inherit(&mut self.module) {
            self.faults.push(Diagnostic::error("too-many", crate::diagnostic::Span::default(), text));
        }
        for interface in &mut self.module.interfaces {
            interface.argument = interface.argument.map(|own| own.saturating_add(interface.inherited));
        }
    }

    fn operation(&mut self, written: &'a syntax::Operation) -> Option<Operation> {
        let name = &written.name.text;
        self.unique(written.params.iter().map(|p| &p.name), &format!("operation `{name}`"));
        self.count(written.params.len(), Some(written.name.span), "parameters");
        let result = written.result.as_ref().map(|spec| self.parameter(spec));
        let params: Vec<Option<Param>> = written.params.iter().map(|param| self.param(param)).collect();
        let raises = self.raises(&written.raises);
        let params = params.into_iter().collect::<Option<Vec<Param>>>()?;
        let (result, raises) = (transpose(result)?, raises?);
        let params = self.without_sizes(written, params)?;
        self.block_size(written, &params, result.as_ref())?;
        Some(Operation {
            name: name.clone(),
            doc: written.lead.doc.clone(),
            hash: OpHash(0),
            effect: if written.origin == Origin::Getter { Effect::Reads } else { Effect::Writes },
            idempotent: written.origin != Origin::Operation,
            once: false,
            blocks: false,
            paged: None,
            cost: None,
            does: None,
            note: String::new(),
            syscall: None,
            params,
            result,
            raises,
            oneway: written.oneway.is_some(),
            layout: Layout::default(),
        })
    }

    /// The parameters without those that say how long another one is as it goes in, or as it comes out: that travels with it.
    fn without_sizes(&mut self, written: &syntax::Operation, params: Vec<Param>) -> Option<Vec<Param>> {
        let mut dropped = HashSet::new();
        for (sized, name) in written.params.iter().filter_map(|p| Some((p, p.size_is.as_ref()?))) {
            let size = params.iter().find(|param| param.name == name.text);
            let label = match size {
                // What goes both ways may be told its size as it goes in: as it comes out, it says its own.
                Some(Param { ty: Type::Int { .. }, mode, .. })
                    if *mode == sized.mode || (*mode, sized.mode) == (Mode::In, Mode::InOut) =>
                {
                    if dropped.insert(name.text.clone()) {
                        continue;
                    }
                    "found a second array of this size, expected one with a size of its own"
                }
                // How much may come back is a number like any other.
                Some(Param { ty: Type::Int { .. }, mode: Mode::In | Mode::InOut, .. }) => continue,
                Some(Param { ty: Type::Int { .. }, .. }) => {
                    "found an `out` parameter, expected one that is sent, too"
                }
                _ => "expected a parameter with an integer",
            };
            let message = format!("`{}` cannot be the size of `{}`", name.text, sized.name.text);
            self.faults.push(Diagnostic::error("size-is", name.span, message).label(label));
            return None;
        }
        Some(params.into_iter().filter(|param| !dropped.contains(&param.name)).collect())
    }

    /// Nothing comes back from a `oneway` operation.
    fn is_oneway(&mut self, written: &syntax::Operation, operation: &Operation) {
        let Some(span) = written.oneway else { return };
        let label = if operation.result.is_some() {
            "found a result, expected `void`"
        } else if operation.params.iter().any(|param| param.mode != Mode::In) {
            "found an `out` or `inout` parameter, expected `in` alone"
        } else if !operation.raises.is_empty() {
            "found `raises`, but nobody would hear of it"
        } else if operation.effect == Effect::Reads {
            "found @reads, but what was read would go nowhere"
        } else {
            return;
        };
        let message = format!("`{}` gives something back, and cannot be `oneway`", operation.name);
        self.faults.push(Diagnostic::error("oneway", span, message).label(label));
    }

    fn param(&mut self, written: &'a syntax::Param) -> Option<Param> {
        let ty = self.parameter(&written.ty)?;
        Some(Param { name: written.name.text.clone(), mode: written.mode, ty })
    }

    /// The type of a parameter or result.
    fn parameter(&mut self, spec: &'a TypeSpec) -> Option<Type> {
        let ty = self.ty(spec)?;
        self.grows_little(&ty, spec.span)?;
        Some(ty)
    }

    fn block_size(
        &mut self,
        written: &syntax::Operation,
        params: &[Param],
        result: Option<&Type>,
    ) -> Option<()> {
        let types = params.iter().map(|param| &param.ty).chain(result);
        let words = types.map(|ty| self.sizes.of(ty).words).fold(0, usize::saturating_add);
        if words <= limits::WORDS_MAX {
            return Some(());
        }
        let message = format!("operation `{}` has too many parameters", written.name.text);
        let fault = Diagnostic::error("block-size", written.name.span, message);
        let label = format!("found {words} words, expected at most {}", limits::WORDS_MAX);
        self.faults.push(
            fault
                .label(label)
                .help("each scalar, string, list and portal takes a word, each struct those of its fields"),
        );
        None
    }

    /// Index of the parameter `name`.
    pub(super) fn param_index(operation: &Operation, name: &str) -> Option<u16> {
        operation.params.iter().position(|param| param.name == name).map(id)
    }

    /// Whether `ty` is a portal on interface `number`.
    pub(super) fn is_portal_on(ty: Option<&Type>, number: InterfaceId) -> bool {
        ty == Some(&Type::Portal(number))
    }
}

/// The name of the attribute that an operation reads.
fn attribute(written: &syntax::Operation) -> Option<Name> {
    let text = written.name.text.strip_prefix("_get_").filter(|_| written.origin == Origin::Getter)?;
    Some(Name { text: text.to_owned(), span: written.name.span })
}

fn transpose<T>(value: Option<Option<T>>) -> Option<Option<T>> {
    match value {
        Some(None) => None,
        Some(some) => Some(some),
        None => Some(None),
    }
}
