//! `name=value` of a command line, to values of a program's parameters.
//!
//! Values are bytes, since file names are. Nothing is evaluated: a number is written as in a program, an enum
//! by the name of its value, a text as it is. What a portal's text means, its interface decides.

pub mod written;

use super::faults::meant;
use super::lexer;
use crate::packed::closed;
use crate::protocol::{SetVariable, VariableValue};
use crate::tree::{Const, InterfaceUse, Texts, Tree, Ty, VarId};
use carnet_portal::call::Area;
use thiserror::Error;
use written::Written;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A plain value.
    Const(Const),
    /// The text from which the interface's `@argument` operation makes a portal; of an interface without one the empty text, which
    /// is the server's root.
    Portal(Vec<u8>),
}

/// What is wrong with the arguments; the caller is to blame.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArgFault {
    /// Not of the form `name=value`.
    #[error("`{found}` is no argument: they look like name=value\n{program} takes {expected}")]
    Form {
        /// As given.
        found: String,
        /// Name of the program.
        program: String,
        /// Its parameters.
        expected: String,
    },
    /// No such parameter.
    #[error("{program} has no parameter `{name}`{}\n{program} takes {expected}", did_you_mean(.meant.as_deref()))]
    Unknown {
        /// As given.
        name: String,
        /// What was probably meant.
        meant: Option<String>,
        /// Name of the program.
        program: String,
        /// Its parameters.
        expected: String,
    },
    /// A parameter has two values.
    #[error("`{name}` is given twice")]
    Twice {
        /// The parameter.
        name: String,
    },
    /// A parameter without default has no value.
    #[error("{program} needs {name}=…: {expected}")]
    Missing {
        /// The parameter.
        name: String,
        /// What may stand there.
        expected: String,
        /// Name of the program.
        program: String,
    },
    /// Not a value of the parameter's type.
    #[error("{name}={found} is no such value{}\nexpected {expected}", behind(.help.as_deref()))]
    Value {
        /// The parameter.
        name: String,
        /// As given.
        found: String,
        /// What to write instead.
        help: Option<String>,
        /// What may stand there.
        expected: String,
    },
}

/// What is wrong with a variable that is to be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetFault {
    /// Not of the form `name=value`.
    #[error("`{found}` sets nothing: expected NAME=VALUE")]
    Form {
        /// As given.
        found: String,
    },
    /// No such variable, or none that can be set.
    #[error(
        "{program} has no variable `{name}` that can be set{}\n{}", did_you_mean(.meant.as_deref()), settable(.known)
    )]
    Unknown {
        /// Name of the program.
        program: String,
        /// As given.
        name: String,
        /// What was probably meant.
        meant: Option<String>,
        /// Those that can be set.
        known: String,
    },
    /// Several variables have the name.
    #[error(
        "{program} has several variables `{name}`, and a name has to say which\ngive them different names, and run it anew"
    )]
    Several {
        /// Name of the program.
        program: String,
        /// As given.
        name: String,
    },
    /// Not a value of its type.
    #[error("{0}")]
    Value(ArgFault),
}

fn settable(known: &str) -> String {
    let rule = "numbers, truth values, enums, texts and lists declared with `var` can be";
    if known.is_empty() { format!("{rule}; it has none") } else { format!("{rule}: {known}") }
}

fn did_you_mean(meant: Option<&str>) -> String {
    behind(meant.map(meant_help).as_deref())
}

fn behind(help: Option<&str>) -> String {
    help.map_or_else(String::new, |help| format!("; {help}"))
}

fn meant_help(meant: &str) -> String {
    format!("did you mean `{meant}`?")
}

/// The values of all parameters of `tree`, in their order.
///
/// # Errors
/// All faults, those of arguments first; never none.
pub fn args<B: AsRef<[u8]>>(tree: &Tree, given: &[B]) -> Result<Vec<Arg>, Vec<ArgFault>> {
    let mut values: Vec<Option<Arg>> = vec![None; tree.params.len()];
    let mut faults = vec![];
    let mut faulty = vec![false; tree.params.len()];
    for text in given {
        match argument(tree, text.as_ref()) {
            Ok((at, _)) if values[at].is_some() || faulty[at] => {
                faults.push(ArgFault::Twice { name: name_of(tree, at).to_owned() });
            }
            Ok((at, Ok(value))) => values[at] = Some(value),
            Ok((at, Err(fault))) => {
                faulty[at] = true;
                faults.push(fault);
            }
            Err(fault) => faults.push(fault),
        }
    }
    for (at, value) in values.iter_mut().enumerate().filter(|(at, value)| value.is_none() && !faulty[*at]) {
        match &tree.params[at].default {
            Some(default) => *value = Some(Arg::Const(default.clone())),
            None if is_root(tree, at) => *value = Some(Arg::Portal(Vec::new())),
            None => faults.push(missing(tree, at)),
        }
    }
    if faults.is_empty() { Ok(values.into_iter().flatten().collect()) } else { Err(faults) }
}

type Parsed<T> = Result<T, ArgFault>;

/// Which parameter is meant, and the value if it is one.
fn argument(tree: &Tree, text: &[u8]) -> Parsed<(usize, Parsed<Arg>)> {
    let shown = String::from_utf8_lossy;
    let Some(equals) = text.iter().position(|byte| *byte == b'=') else {
        return Err(ArgFault::Form {
            found: shown(text).into_owned(),
            program: tree.name.clone(),
            expected: expected_params(tree),
        });
    };
    let (name, value) = (shown(&text[..equals]), &text[equals + 1..]);
    let Some(at) = (0..tree.params.len()).find(|at| name_of(tree, *at) == name) else {
        let names = (0..tree.params.len()).map(|at| name_of(tree, at));
        return Err(ArgFault::Unknown {
            meant: meant(&name, names).map(str::to_owned),
            name: name.into_owned(),
            program: tree.name.clone(),
            expected: expected_params(tree),
        });
    };
    Ok((
        at,
        parse(tree, ty_of(tree, at), value).map_err(|help| bad_value(tree, tree.params[at].var, value, help)),
    ))
}

fn bad_value(tree: &Tree, var: VarId, value: &[u8], help: Option<String>) -> ArgFault {
    let var = &tree.vars[var.index()];
    ArgFault::Value {
        name: var.name.clone(),
        found: String::from_utf8_lossy(value).into_owned(),
        help,
        expected: expected(tree, &var.ty),
    }
}

/// `name=value` of a variable that a run that stopped goes on with; `variables` are those that can be set, with their slots.
///
/// # Errors
/// Why there is none.
pub fn set_variable(tree: &Tree, variables: &[(VarId, u16)], text: &[u8]) -> Result<SetVariable, SetFault> {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (name, value) = match text.iter().position(|byte| *byte == b'=') {
        Some(equals) => (shown(&text[..equals]), &text[equals + 1..]),
        None => return Err(SetFault::Form { found: shown(text) }),
    };
    let can_be = |ty: &Ty| !matches!(ty, Ty::Record(_) | Ty::Portal(_));
    let of = |(var, _): &&(VarId, u16)| can_be(&tree.vars[var.index()].ty);
    let names = variables.iter().filter(of).map(|(var, _)| &*tree.vars[var.index()].name);
    let mut named = variables.iter().filter(of).filter(|(var, _)| tree.vars[var.index()].name == name);
    let Some((var, slot)) = named.next() else {
        let mut known: Vec<&str> = names.clone().collect();
        known.sort_unstable();
        known.dedup();
        let meant = meant(&name, names).map(str::to_owned);
        return Err(SetFault::Unknown { program: tree.name.clone(), name, meant, known: known.join(", ") });
    };
    if named.next().is_some() {
        return Err(SetFault::Several { program: tree.name.clone(), name });
    }
    let parsed = match &tree.vars[var.index()].ty {
        Ty::List(of, max) => list(tree, of, *max, value).map(VariableValue::List).map_err(Some),
        ty => parse(tree, ty, value).map(word),
    };
    let value = parsed.map_err(|help| SetFault::Value(bad_value(tree, *var, value, help)))?;
    Ok(SetVariable { slot: *slot, value })
}

fn word(value: Arg) -> VariableValue {
    match value {
        Arg::Const(Const::Int(n)) => VariableValue::Scalar(n),
        Arg::Const(Const::Bool(b)) => VariableValue::Scalar(i64::from(b)),
        Arg::Const(Const::Float(float)) => VariableValue::Scalar(float.word.cast_signed()),
        Arg::Const(Const::Enum(n)) => VariableValue::Scalar(i64::from(n)),
        Arg::Const(Const::Text(text)) | Arg::Portal(text) => VariableValue::Text(text),
    }
}

/// The words of a list's elements.
fn list(tree: &Tree, of: &Ty, max: u32, text: &[u8]) -> Result<Vec<VariableValue>, String> {
    elements(tree, of, max, &Written::read(text)?)
}

fn elements(tree: &Tree, of: &Ty, max: u32, written: &Written) -> Result<Vec<VariableValue>, String> {
    let (elements, mut words) = (written.elements()?, Vec::new());
    if elements.len() > max as usize {
        return Err(format!("found {} elements", elements.len()));
    }
    for (k, element) in elements.iter().enumerate() {
        put_words(tree, of, element, &mut words).map_err(|why| format!("element {k}: {why}"))?;
    }
    Ok(words)
}

/// The bytes that a list is within another value.
fn packed(words: &[VariableValue], stride: usize) -> Option<Vec<u8>> {
    let mut area = Area::default();
    for word in words {
        let word = match word {
            VariableValue::Scalar(n) => n.cast_unsigned(),
            VariableValue::Text(text) => area.add_string(text)?,
            VariableValue::List(_) => return None,
        };
        area.words.push(word);
    }
    Some(closed(&area, stride))
}

/// The words of a value: of a record those of its fields, of an array those of its elements.
fn put_words(tree: &Tree, ty: &Ty, written: &Written, words: &mut Vec<VariableValue>) -> Result<(), String> {
    let Ty::Record(id) = ty else {
        let value = written.one()?;
        let parsed = parse(tree, ty, value).map_err(|help| {
            let shown = String::from_utf8_lossy(value);
            format!("{shown} is no such value{}; expected {}", behind(help.as_deref()), expected(tree, ty))
        })?;
        words.push(word(parsed));
        return Ok(());
    };
    let record = &tree.records[id.index()];
    if let Some(Ty::List(of, max)) = &record.list {
        let list = packed(&elements(tree, of, *max, written)?, tree.words(of)).ok_or("it is too long")?;
        words.push(VariableValue::Text(list));
        return Ok(());
    }
    let values: Vec<&Written> = match record.is_array() {
        true => written.elements()?.iter().collect(),
        false => {
            let names: Vec<&str> = record.fields.iter().map(|(name, _)| name.as_str()).collect();
            written.fields(&names)?
        }
    };
    if values.len() != record.fields.len() {
        return Err(format!("found {} elements, expected {}", values.len(), record.fields.len()));
    }
    values.into_iter().zip(&record.fields).try_for_each(|(value, (_, ty))| put_words(tree, ty, value, words))
}

fn missing(tree: &Tree, at: usize) -> ArgFault {
    ArgFault::Missing {
        name: name_of(tree, at).to_owned(),
        expected: expected(tree, ty_of(tree, at)),
        program: tree.name.clone(),
    }
}

fn name_of(tree: &Tree, param: usize) -> &str {
    &tree.vars[tree.params[param].var.index()].name
}

fn ty_of(tree: &Tree, param: usize) -> &Ty {
    &tree.vars[tree.params[param].var.index()].ty
}

/// Whether a parameter can only be the server's root, so that nothing needs to be written for it.
#[must_use]
pub fn is_root(tree: &Tree, param: usize) -> bool {
    matches!(ty_of(tree, param), Ty::Portal(id) if tree.interfaces[id.index()].texts == Texts::Root)
}

/// The parameters as one would write them.
fn expected_params(tree: &Tree) -> String {
    if tree.params.is_empty() {
        return "no arguments".to_owned();
    }
    let shown = (0..tree.params.len()).map(|at| {
        let name = name_of(tree, at);
        if tree.params[at].default.is_some() || is_root(tree, at) {
            format!("[{name}=…]")
        } else {
            format!("{name}=…")
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// What may stand for a value of a type.
fn expected(tree: &Tree, ty: &Ty) -> String {
    match ty {
        Ty::Int => "an integer, e.g. 500, 0o644, 10MiB or 7d".to_owned(),
        Ty::Bool => "true or false".to_owned(),
        Ty::Float(_) => "a number, e.g. 1.5, -2 or 1e9, or inf, -inf or NaN".to_owned(),
        Ty::Enum(id) => format!("one of {}", tree.enums[id.index()].values.join(", ")),
        Ty::Str(capacity) => format!("a text of at most {capacity} bytes, without NUL"),
        Ty::Bytes(capacity) => format!("at most {capacity} bytes"),
        Ty::Portal(id) => {
            let interface = &tree.interfaces[id.index()];
            let InterfaceUse { module, name, .. } = interface;
            match interface.texts {
                Texts::Any => format!("a text that names a {module}.{name}"),
                Texts::Root => format!("nothing: the server's root, a {module}.{name}"),
            }
        }
        Ty::List(of, max) => {
            let (one, other) = match **of {
                Ty::Str(_) | Ty::Bytes(_) => ("\"a\"", "\"b\""),
                Ty::Bool => ("true", "false"),
                Ty::Record(_) => ("{name: value}", "{name: value}"),
                _ => ("1", "2"),
            };
            format!("at most {max} elements, written as [{one}, {other}]")
        }
        Ty::Record(_) => "nothing, since no text stands for it".to_owned(),
    }
}

/// The value; else what to write instead, if something else was probably meant.
fn parse(tree: &Tree, ty: &Ty, value: &[u8]) -> Result<Arg, Option<String>> {
    let text = std::str::from_utf8(value);
    match ty {
        Ty::Int => integer(text.map_err(|_| None)?).map(|value| Arg::Const(Const::Int(value))),
        Ty::Float(precision) => match precision.written(text.map_err(|_| None)?) {
            Some(float) => Ok(Arg::Const(Const::Float(float))),
            None => Err(None),
        },
        Ty::Bool => match value {
            b"true" => Ok(Arg::Const(Const::Bool(true))),
            b"false" => Ok(Arg::Const(Const::Bool(false))),
            b"yes" | b"1" | b"on" | b"True" => Err(Some(meant_help("true"))),
            b"no" | b"0" | b"off" | b"False" => Err(Some(meant_help("false"))),
            _ => Err(None),
        },
        Ty::Enum(id) => enum_value(&tree.enums[id.index()].values, text.map_err(|_| None)?),
        Ty::Str(capacity) if value.len() > *capacity as usize || value.contains(&0) => Err(None),
        Ty::Bytes(capacity) if value.len() > *capacity as usize => Err(None),
        Ty::Str(_) | Ty::Bytes(_) => Ok(Arg::Const(Const::Text(value.to_vec()))),
        Ty::Portal(_) if value.contains(&0) => Err(None),
        Ty::Portal(id) if tree.interfaces[id.index()].texts == Texts::Root && !value.is_empty() => Err(None),
        Ty::Portal(_) => Ok(Arg::Portal(value.to_vec())),
        Ty::Record(_) | Ty::List(..) => Err(None),
    }
}

fn enum_value(values: &[String], text: &str) -> Result<Arg, Option<String>> {
    let at = values.iter().position(|value| value == text).and_then(|at| u16::try_from(at).ok());
    match at {
        Some(at) => Ok(Arg::Const(Const::Enum(at))),
        None => Err(meant(text, values.iter().map(String::as_str)).map(meant_help)),
    }
}

/// An integer as in a program, with an optional sign.
///
/// # Errors
/// If it is none, with what to write instead if something else was probably meant, for people.
pub fn integer(text: &str) -> Result<i64, Option<String>> {
    let (sign, number) = match text.strip_prefix('-') {
        Some(number) => ("-", number),
        None => ("", text),
    };
    let unit = number.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(number.len());
    let (digits, unit) = number.split_at(unit);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(None);
    }
    let (value, _) = lexer::number(digits, unit).map_err(|fault| fault.help(sign, digits, unit))?;
    let value = if sign.is_empty() { i64::try_from(value).ok() } else { 0_i64.checked_sub_unsigned(value) };
    value.ok_or(None)
}
