//! Operations and their parameters.

use std::rc::Rc;

use super::{Parsed, Parser};
use crate::descriptor::Mode;
use crate::syntax::{Lead, Operation, Origin, Param, TypeKind, TypeSpec};

impl Parser<'_> {
    pub(super) fn operation(&mut self, lead: Lead) -> Parsed<Operation> {
        let oneway = self.at_word("oneway").then_some(self.token.span);
        if oneway.is_some() {
            self.advance();
        }
        let mut result = if self.at_word("void") {
            self.advance();
            None
        } else {
            Some(self.type_spec()?)
        };
        let name = self.name("the operation's name")?;
        let params = self.params(result.as_mut())?;
        let raises = self.raised("raises")?;
        self.mark(';')?;
        let (origin, lead) = (Origin::Operation, self.with_parts(lead));
        Ok(Operation { lead: Rc::new(lead), name, origin, oneway, result, params, raises })
    }

    fn params(&mut self, result: Option<&mut TypeSpec>) -> Parsed<Vec<Param>> {
        self.last_param = None;
        self.mark('(')?;
        let mut params = vec![];
        if !self.at_mark(')') {
            params.push(self.param()?);
        }
        while self.at_mark(',') {
            self.advance();
            params.push(self.param()?);
        }
        self.mark(')')?;
        // The paper's form has C's `int`.
        if let Some(result) = result
            && self.last_param.is_some()
            && matches!(&result.kind, TypeKind::Named(path) if path.text() == "int")
        {
            result.kind = TypeKind::Int { bits: 32, signed: true };
        }
        Ok(params)
    }

    fn param(&mut self) -> Parsed<Param> {
        let doc = self.plain_lead();
        let param = self.bare_param()?;
        self.part(&[&param.name], &doc);
        Ok(param)
    }

    fn bare_param(&mut self) -> Parsed<Param> {
        let mode = match self.word() {
            Some("in") => Mode::In,
            Some("inout") => Mode::InOut,
            Some("out") => Mode::Out,
            _ if self.at_mark('[') || self.last_param.is_some() => return self.paper_param(),
            _ => return Err(self.expected("`in`, `inout` or `out`")),
        };
        self.advance();
        let ty = self.type_spec()?;
        let name = self.name("the parameter's name")?;
        let ty = self.dimensions(ty)?;
        Ok(Param { mode, ty, name, size_is: None })
    }
}
