//! Operations and their parameters.

use super::{Parsed, Parser};
use crate::descriptor::Mode;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Name, Operation, Param};

impl Parser<'_> {
    pub(super) fn operation(&mut self) -> Parsed<Operation> {
        let lead = self.lead();
        if self.is_unsupported_member() {
            return Err(self.unsupported_member());
        }
        let result = if self.at_word("void") {
            self.advance();
            None
        } else {
            Some(self.type_spec()?)
        };
        let name = self.name("the operation's name")?;
        let params = self.params()?;
        let raises = if self.at_word("raises") { Some(self.raises()?) } else { None };
        self.mark(';')?;
        Ok(Operation { lead, name, result, params, raises })
    }

    fn params(&mut self) -> Parsed<Vec<Param>> {
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
        Ok(params)
    }

    fn param(&mut self) -> Parsed<Param> {
        self.plain_lead();
        if self.at_mark('[') {
            return Err(self.attribute_list());
        }
        let mode = match self.word() {
            Some("in") => Mode::In,
            Some("inout") => Mode::InOut,
            Some("out") => Mode::Out,
            _ => return Err(self.expected("`in`, `inout` or `out`")),
        };
        self.advance();
        let ty = self.type_spec()?;
        let name = self.name("the parameter's name")?;
        self.no_array()?;
        Ok(Param { mode, ty, name })
    }

    /// `raises (Name)`.
    fn raises(&mut self) -> Parsed<Name> {
        self.advance();
        self.mark('(')?;
        let name = self.name("the exception's name")?;
        if self.at_mark(',') {
            let message = "operations that raise several exceptions";
            let fault = Diagnostic::unsupported("raises", self.token.span, message);
            return Err(self.report(fault.help("use one exception whose member `kind` tells them apart")));
        }
        self.mark(')')?;
        Ok(name)
    }
}
