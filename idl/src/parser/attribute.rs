//! Attributes: each becomes an operation that reads it and, unless it is `readonly`, one that writes it.

use std::rc::Rc;

use super::{Parsed, Parser};
use crate::descriptor::Mode;
use crate::limits;
use crate::syntax::{Field, Lead, Name, Operation, Origin, Param, Path, TypeSpec};

impl Parser<'_> {
    pub(super) fn attribute(&mut self, lead: Lead) -> Parsed<Vec<Operation>> {
        let is_readonly = self.at_word("readonly");
        if is_readonly {
            self.advance();
        }
        self.keyword("attribute")?;
        let ty = self.type_spec()?;
        let names = self.declarators(&ty, "the attribute's name")?;
        let both = self.raised("raises")?;
        let (mut get, mut set) = (self.raised("getraises")?, self.raised("setraises")?);
        self.mark(';')?;
        get.extend(both.iter().cloned());
        set.extend(both);
        let (mut operations, lead) = (vec![], Rc::new(lead));
        for Field { name, ty } in names {
            if !is_readonly {
                operations.push(setter(&lead, &name, &ty, &set));
            }
            operations.push(getter(&lead, &name, ty, &get));
        }
        // Of each attribute the reading operation is first.
        operations.reverse();
        operations.sort_by_key(|operation| operation.name.span);
        Ok(operations)
    }

    /// `word (path, …)`, if it stands here.
    pub(super) fn raised(&mut self, word: &str) -> Parsed<Vec<Path>> {
        if !self.at_word(word) {
            return Ok(vec![]);
        }
        self.advance();
        self.mark('(')?;
        let mut raised = vec![self.path("the exception's name")?];
        while self.at_mark(',') {
            self.not_too_many(raised.len(), limits::RAISES_MAX, "exceptions")?;
            self.advance();
            raised.push(self.path("the exception's name")?);
        }
        self.mark(')')?;
        Ok(raised)
    }
}

fn getter(lead: &Rc<Lead>, name: &Name, ty: TypeSpec, raises: &[Path]) -> Operation {
    Operation {
        lead: Rc::clone(lead),
        name: Name { text: format!("_get_{}", name.text), span: name.span },
        origin: Origin::Getter,
        oneway: None,
        result: Some(ty),
        params: vec![],
        raises: raises.to_vec(),
    }
}

fn setter(lead: &Rc<Lead>, name: &Name, ty: &TypeSpec, raises: &[Path]) -> Operation {
    let value = Name { text: "value".to_owned(), span: name.span };
    Operation {
        lead: Rc::clone(lead),
        name: Name { text: format!("_set_{}", name.text), span: name.span },
        origin: Origin::Setter,
        oneway: None,
        result: None,
        params: vec![Param { mode: Mode::In, ty: ty.clone(), name: value, size_is: None }],
        raises: raises.to_vec(),
    }
}
