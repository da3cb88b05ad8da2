//! Which system call an operation is: what `@syscall("0 fd *return n")` says.
//!
//! ```text
//! text      number {argument}                  at most 6 arguments, in the order of the kernel's registers
//! argument  7 | -100 | 0x1000                  a constant
//!         | name [":" CONSTANT]                the value of a parameter; with bits that may be set
//!         | "*" name | "*" name ">return"      the address of what is sent | that comes back changed
//!         | "*return" | "*" out                the address of what comes back
//!         | "#" name                           the size of what is sent: bytes, or elements of a list
//!         | "^" name | "^return"               the address of an `int` with the size of what comes back
//! ```
//!
//! The argument behind the address of bytes, a string or a list that comes back is the size of the room for it, and is cut to what
//! fits. The compiler and the decoder keep these rules; whoever makes system calls of an operation (a service, a generator of tables) asks
//! [`Syscall::of`] and relies on them.

use crate::descriptor::{Constant, Mode, Module, Operation, Type, Value};

/// Largest number of a system call.
pub const NUMBER_MAX: u16 = 1023;
/// Arguments of a system call.
pub const ARGUMENTS_MAX: usize = 6;

/// A system call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Syscall {
    /// Its number.
    pub number: u16,
    /// Its arguments, in the order of the kernel's registers.
    pub arguments: Vec<Argument>,
}

/// Where data are: a parameter, by its index in [`Operation::params`], or what is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A parameter.
    Param(u16),
    /// The result.
    Return,
}

/// One argument of a system call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number.
    Constant(i64),
    /// The value of an `in` parameter, of which no other bits may be set than `allowed`.
    Value {
        /// Index of the parameter.
        param: u16,
        /// Bits that may be set.
        allowed: Option<i64>,
    },
    /// The address of what is sent.
    Sent {
        /// Index of the parameter.
        param: u16,
        /// It comes back changed, as the result.
        changed: bool,
    },
    /// The address of what comes back.
    Returned(Place),
    /// The size of what is sent: bytes, or elements of a list.
    Size {
        /// Index of the parameter.
        param: u16,
    },
    /// The address of an `int` with the size of what comes back.
    SizePlace(Place),
}

impl Syscall {
    /// The system call that `operation` is, if it is one.
    ///
    /// # Errors
    /// What is wrong with its text.
    pub fn of(module: &Module, operation: &Operation) -> Result<Option<Syscall>, String> {
        let Some(text) = &operation.syscall else { return Ok(None) };
        let mut words = text.split(' ');
        let number = words.next().and_then(|word| word.parse().ok()).filter(|number| *number <= NUMBER_MAX);
        let number = number.ok_or_else(|| format!("found no number from 0 to {NUMBER_MAX}"))?;
        let reader = Reader { module, operation };
        let mut arguments = Vec::new();
        for word in words {
            if arguments.len() == ARGUMENTS_MAX {
                return Err(format!("found more than {ARGUMENTS_MAX} arguments"));
            }
            arguments.push(reader.argument(word)?);
        }
        reader.rooms(&arguments)?;
        reader.all_used(&arguments)?;
        Ok(Some(Syscall { number, arguments }))
    }
}

struct Reader<'a> {
    module: &'a Module,
    operation: &'a Operation,
}

impl Reader<'_> {
    fn argument(&self, word: &str) -> Result<Argument, String> {
        if let Some(number) = constant(word) {
            return Ok(Argument::Constant(number));
        }
        if let Some(name) = word.strip_prefix('*') {
            return self.address(name);
        }
        if let Some(name) = word.strip_prefix('#') {
            let (param, ty) = self.sent(name)?;
            let is_sized = !matches!(ty, Type::String { .. });
            return if is_sized {
                Ok(Argument::Size { param })
            } else {
                Err(format!("`{name}` has no size"))
            };
        }
        if let Some(name) = word.strip_prefix('^') {
            return Ok(Argument::SizePlace(self.returned(name)?.0));
        }
        let (name, allowed) = match word.split_once(':') {
            Some((name, constant)) => (name, Some(self.bits(constant)?)),
            None => (word, None),
        };
        let (param, ty) = self.sent(name)?;
        match ty {
            ty if ty.is_plain() => Ok(Argument::Value { param, allowed }),
            _ => Err(format!("`{name}` is no number; its address is `*{name}`")),
        }
    }

    fn address(&self, name: &str) -> Result<Argument, String> {
        if let Some(name) = name.strip_suffix(">return") {
            let (param, ty) = self.sent(name)?;
            let is_whole = matches!(ty, Type::List { .. } | Type::Struct(_));
            let changed = Argument::Sent { param, changed: true };
            return match is_whole && self.operation.result.as_ref() == Some(ty) {
                true => Ok(changed),
                false => Err(format!("`{name}` is no list or struct of the result's type")),
            };
        }
        match self.returned(name) {
            Ok((place, _)) => Ok(Argument::Returned(place)),
            Err(_) => self.sent(name).map(|(param, _)| Argument::Sent { param, changed: false }),
        }
    }

    fn sent(&self, name: &str) -> Result<(u16, &Type), String> {
        let found = self.operation.params.iter().position(|p| p.name == name && p.mode == Mode::In);
        let at = found.ok_or_else(|| format!("there is no `in` parameter `{name}`"))?;
        Ok((u16::try_from(at).unwrap_or(u16::MAX), &self.operation.params[at].ty))
    }

    fn returned(&self, name: &str) -> Result<(Place, &Type), String> {
        if let ("return", Some(ty)) = (name, &self.operation.result) {
            return Ok((Place::Return, ty));
        }
        let found = self.operation.params.iter().position(|p| p.name == name && p.mode == Mode::Out);
        let at = found.ok_or_else(|| format!("nothing of the name `{name}` comes back"))?;
        Ok((Place::Param(u16::try_from(at).unwrap_or(u16::MAX)), &self.operation.params[at].ty))
    }

    fn bits(&self, name: &str) -> Result<i64, String> {
        // The compiler has names with those of their modules before them.
        let is_it = |constant: &&Constant| constant.name.rsplit("::").next() == Some(name);
        let mut found = self.module.constants.iter().filter(is_it).map(|constant| match constant.value {
            Value::Word(word) if matches!(constant.ty, Type::Int { .. }) => Ok(word.cast_signed()),
            _ => Err(format!("`{name}` is no integer")),
        });
        let first = found.next().ok_or_else(|| format!("there is no constant `{name}`"))??;
        match found.all(|other| other == Ok(first)) {
            true => Ok(first),
            false => Err(format!("there are several constants `{name}`")),
        }
    }

    /// Behind the address of data of variable size stands how much room there is.
    fn rooms(&self, arguments: &[Argument]) -> Result<(), String> {
        for (at, argument) in arguments.iter().enumerate() {
            let Argument::Returned(place) = argument else { continue };
            let ty = match place {
                Place::Return => self.operation.result.as_ref(),
                Place::Param(param) => self.operation.params.get(usize::from(*param)).map(|param| &param.ty),
            };
            let is_variable =
                matches!(ty, Some(Type::Bytes { .. } | Type::String { .. } | Type::List { .. }));
            let room = arguments.get(at + 1);
            let has_room =
                matches!(room, Some(Argument::Constant(1..) | Argument::Value { allowed: None, .. }));
            if is_variable && !has_room {
                return Err("found no size behind the address of data that come back".to_owned());
            }
        }
        Ok(())
    }

    /// Each parameter goes somewhere, and all that comes back comes from somewhere.
    fn all_used(&self, arguments: &[Argument]) -> Result<(), String> {
        for (at, param) in (0_u16..).zip(&self.operation.params) {
            let is_used = arguments.iter().any(|argument| match argument {
                Argument::Value { param, .. } | Argument::Sent { param, .. } => *param == at,
                Argument::Returned(place) => *place == Place::Param(at),
                Argument::Constant(_) | Argument::Size { .. } | Argument::SizePlace(_) => false,
            });
            if !is_used {
                return Err(format!("`{}` is no argument of the call", param.name));
            }
        }
        let comes_back = arguments.iter().any(|argument| {
            matches!(argument, Argument::Returned(Place::Return) | Argument::Sent { changed: true, .. })
        });
        match &self.operation.result {
            None | Some(Type::Int { .. }) => Ok(()),
            Some(_) if comes_back => Ok(()),
            Some(_) => Err("the result comes from nowhere; its address is `*return`".to_owned()),
        }
    }
}

fn constant(word: &str) -> Option<i64> {
    match word.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok().filter(|number| *number >= 0),
        None => word.parse().ok().filter(|_| !word.starts_with('+')),
    }
}
