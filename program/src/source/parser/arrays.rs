//! Call arrays.
//!
//! ```text
//! array   = "array" N "(" [params] ")" ["->" type] ["at" "most" cap {"," cap}] "{" {command} "}"
//! command = "message" N ["[" amount "]"] ":" N "." N ["." N] ["(" [field {"," field}] ")"]
//!         | "portal" N ["[" amount "]"] ":" type
//!         | ["try"] "call" operand "with" operand ["into" operand]
//!         | "move" operand "to" operand
//!         | "repeat" amount "{" {command} "}"
//!         | "return" operand
//! field   = N {"." N} ":" expr ["step" expr]
//! operand = N ["[" amount "]"] {"." N}          amount = INT|N
//! ```

use super::super::ast::*;
use super::super::faults::{Reported, meant};
use super::super::lexer::{Kind, LinePlace, Symbol};
use super::{Parsed, Parser};

/// Words that begin a command.
const COMMANDS: &[&str] = &["message", "portal", "call", "try", "move", "repeat", "return"];

impl<'a> Parser<'a, '_> {
    /// An array, as far as it is like a program, and its commands.
    pub(super) fn array(&mut self) -> Parsed<(Program<'a>, Vec<Command<'a>>)> {
        let (name, params, result) = self.signature("the name of the call array")?;
        let caps = if self.word() == "at" { self.caps()? } else { vec![] };
        let (commands, close) = self.commands()?;
        let body = Block { stmts: vec![], close };
        Ok((Program { function: Function { name, params, result, body }, caps }, commands))
    }

    fn commands(&mut self) -> Parsed<(Vec<Command<'a>>, carnet_idl::diagnostic::Span)> {
        self.nested(|p| {
            let open = p.expect(Symbol::OpenBrace)?;
            let mut commands = vec![];
            loop {
                if p.is(Symbol::CloseBrace) {
                    return Ok((commands, p.next().span));
                }
                if p.kind() == Kind::End {
                    return Err(p.unclosed(open, "a command", Symbol::CloseBrace));
                }
                let start = p.at;
                match p.command() {
                    Ok(command) => commands.push(command),
                    Err(Reported) if p.faults.is_full() => return Err(Reported),
                    Err(Reported) => p.skip_to_command(start),
                }
            }
        })
    }

    /// Goes on behind `start`, at a line that begins as a command does, or at the end of the commands.
    fn skip_to_command(&mut self, start: usize) {
        let mut open = 0;
        let begins = |p: &Self| p.token().place == LinePlace::First && COMMANDS.contains(&p.word());
        while self.kind() != Kind::End
            && (open > 0 || self.at == start || !self.is(Symbol::CloseBrace) && !begins(self))
        {
            open += i32::from(self.is(Symbol::OpenBrace)) - i32::from(self.is(Symbol::CloseBrace));
            self.next();
        }
    }

    fn command(&mut self) -> Parsed<Command<'a>> {
        let start = self.span();
        let kind = match self.word() {
            "message" => self.message()?,
            "portal" => self.portal()?,
            "try" | "call" => self.call_command()?,
            "move" => {
                self.next();
                let from = self.operand("what is moved, e.g. `opened.value`")?;
                self.keyword("to")?;
                CommandKind::Move { from, to: self.operand("where it is moved")? }
            }
            "repeat" => {
                self.next();
                let times = self.amount("how often, e.g. `repeat 16 { … }`")?;
                CommandKind::Repeat { times, body: self.commands()?.0 }
            }
            "return" => {
                self.next();
                CommandKind::Return(self.operand("what is returned, e.g. `piece.value`")?)
            }
            word => {
                let expected =
                    "a command: `message`, `portal`, `call`, `try call`, `move`, `repeat` or `return`";
                let fault = self.unexpected_here(expected);
                let fault = match meant(word, COMMANDS.iter().copied()) {
                    Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                    None => fault.help("a call array tests nothing; a `program` does"),
                };
                return Err(self.report(fault));
            }
        };
        Ok(Command { kind, span: start.to(self.before()) })
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.word() != word {
            return Err(self.unexpected(&format!("`{word}`")));
        }
        self.next();
        Ok(())
    }

    fn message(&mut self) -> Parsed<CommandKind<'a>> {
        self.next();
        let name = self.name("the name of the message")?;
        let count = self.count()?;
        self.expect(Symbol::Colon)?;
        let mut path = vec![self.name("an interface and its operation, e.g. `Dir.open`")?];
        while self.take(Symbol::Dot) {
            path.push(self.member("an operation")?);
        }
        let mut fields = vec![];
        if self.is(Symbol::Open) {
            let open = self.next().span;
            while !self.is(Symbol::Close) {
                fields.push(self.field()?);
                if !self.take(Symbol::Comma) && !self.is(Symbol::Close) {
                    return Err(self.unclosed(open, "`,`", Symbol::Close));
                }
            }
            self.next();
        }
        Ok(CommandKind::Message { name, count, path, fields })
    }

    fn field(&mut self) -> Parsed<Field<'a>> {
        let mut path = vec![self.member("a field of the request")?];
        while self.take(Symbol::Dot) {
            path.push(self.member("a field")?);
        }
        self.expect(Symbol::Colon)?;
        let value = self.expr()?;
        let step = if self.word() == "step" {
            self.next();
            Some(self.expr()?)
        } else {
            None
        };
        Ok(Field { path, value, step })
    }

    fn portal(&mut self) -> Parsed<CommandKind<'a>> {
        self.next();
        let name = self.name("the name of the portal")?;
        let count = self.count()?;
        self.expect(Symbol::Colon)?;
        Ok(CommandKind::Portal { name, count, ty: self.type_ref()? })
    }

    fn call_command(&mut self) -> Parsed<CommandKind<'a>> {
        let tried = self.word() == "try";
        if tried {
            self.next();
        }
        self.keyword("call")?;
        let object = self.operand("a portal")?;
        self.keyword("with")?;
        let message = self.operand("a message")?;
        let into = if self.word() == "into" {
            self.next();
            Some(self.operand("a portal")?)
        } else {
            None
        };
        Ok(CommandKind::Call { tried, object, message, into })
    }

    fn count(&mut self) -> Parsed<Option<Amount<'a>>> {
        if !self.take(Symbol::OpenBracket) {
            return Ok(None);
        }
        let count = self.amount("a number")?;
        self.expect(Symbol::CloseBracket)?;
        Ok(Some(count))
    }

    fn operand(&mut self, what: &str) -> Parsed<Operand<'a>> {
        let name = self.name(what)?;
        let index = self.count()?;
        let mut path = vec![];
        while self.take(Symbol::Dot) {
            path.push(self.member("a field")?);
        }
        Ok(Operand { name, index, path, span: name.span.to(self.before()) })
    }
}
