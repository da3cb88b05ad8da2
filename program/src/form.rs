//! Which kind of low-level program bytes are, and what all kinds say of themselves: name and places in the source.

use crate::tree::Pos;
use crate::{array, bytecode};

/// A program's bytes, by kind; bytes that are none have no name and no places.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<'a> {
    /// Bytecode.
    Bytecode(bytecode::View<'a>),
    /// A call array.
    Array(array::View<'a>),
    /// Neither.
    Neither,
}

impl<'a> Form<'a> {
    /// Finds out.
    pub(crate) fn of(bytes: &'a [u8]) -> Form<'a> {
        if array::is_array(bytes) {
            return array::View::new(bytes).map_or(Form::Neither, Form::Array);
        }
        bytecode::View::new(bytes).map_or(Form::Neither, Form::Bytecode)
    }

    /// The program's name, for people.
    pub(crate) fn name(&self) -> String {
        let name = match self {
            Form::Bytecode(view) => view.names().next(),
            Form::Array(view) => view.names().next(),
            Form::Neither => None,
        };
        String::from_utf8_lossy(name.unwrap_or_default()).into_owned()
    }

    /// Source place of an instruction or command.
    pub(crate) fn pos(&self, at: u32) -> Pos {
        match self {
            Form::Bytecode(view) => view.pos(at),
            Form::Array(view) => view.pos(at),
            Form::Neither => Pos::default(),
        }
    }
}
