//! Interfaces: operations and their parameters.

use super::{Checker, id};
use crate::descriptor::{Effect, InterfaceId, Layout, Mode, OpHash, Operation, Param, Type};
use crate::diagnostic::Diagnostic;
use crate::limits;
use crate::syntax::{self, DefinitionKind};

impl<'a> Checker<'a> {
    /// Checks definition `index` if it is an interface.
    pub(super) fn interface(&mut self, index: usize) {
        let definition = &self.file.definitions[index];
        let DefinitionKind::Interface { operations } = &definition.kind else { return };
        self.no_annotations(definition);
        self.unique(operations.iter().map(|o| &o.name), &format!("interface `{}`", definition.name.text));
        self.count(operations.len(), definition.name.span, "operations");
        // An interface that is declared twice was given two numbers; the first of them takes what is here.
        let Some(number) = self.module.interface(&definition.name.text) else { return };
        for written in operations {
            let Some(mut operation) = self.operation(written) else { continue };
            self.annotate(written, &mut operation, number);
            self.module.interfaces[number.index()].operations.push(operation);
        }
    }

    fn operation(&mut self, written: &'a syntax::Operation) -> Option<Operation> {
        let name = &written.name.text;
        self.unique(written.params.iter().map(|p| &p.name), &format!("operation `{name}`"));
        self.count(written.params.len(), written.name.span, "parameters");
        let result = written.result.as_ref().map(|spec| self.ty(spec));
        let params: Vec<Option<Param>> = written.params.iter().map(|param| self.param(param)).collect();
        let raises = written.raises.as_ref().map(|name| self.raised(name));
        let params = params.into_iter().collect::<Option<Vec<Param>>>()?;
        let (result, raises) = (transpose(result)?, transpose(raises)?);
        self.block_size(written, &params, result.as_ref())?;
        Some(Operation {
            name: name.clone(),
            doc: written.lead.doc.clone(),
            hash: OpHash(0),
            effect: Effect::Writes,
            idempotent: false,
            blocks: false,
            paged: None,
            cost: None,
            does: None,
            note: String::new(),
            params,
            result,
            raises,
            layout: Layout::default(),
        })
    }

    fn param(&mut self, written: &'a syntax::Param) -> Option<Param> {
        let ty = self.ty(&written.ty)?;
        if written.mode == Mode::InOut && !self.is_scalar(&ty) {
            let message = "inout parameters other than scalars and structs of scalars";
            let fault = Diagnostic::unsupported("inout", written.ty.span, message);
            self.faults.push(fault.help("use one `in` and one `out` parameter"));
            return None;
        }
        Some(Param { name: written.name.text.clone(), mode: written.mode, ty })
    }

    /// Whether a value of `ty` is words alone.
    fn is_scalar(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Int { .. } | Type::Enum(_) => true,
            Type::Struct(id) => self.module.structs[id.index()].fields.iter().all(|f| self.is_scalar(&f.ty)),
            Type::String { .. } | Type::Bytes { .. } | Type::List { .. } | Type::Portal(_) => false,
        }
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

fn transpose<T>(value: Option<Option<T>>) -> Option<Option<T>> {
    match value {
        Some(None) => None,
        Some(some) => Some(some),
        None => Some(None),
    }
}
