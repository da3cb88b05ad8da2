//! `carnet call`: one call of any operation, by the server's descriptor alone.
//!
//! Arguments are `name=value`, as for programs, integers included; a record's fields are `name.field=value`. Lists and portals cannot
//! be written on a command line: a program can pass them. Portals that come back are named and released.

use carnet_idl::descriptor::{InterfaceId, Mode, Module, Operation, Type, UnionId, Word};
use carnet_idl::diagnostic::did_you_mean;
use carnet_portal::call::{Area, Failure, Kind, MEMBERS, Ref};
use carnet_portal::portal::{Block, Input, OpNumber, Portal};
use carnet_program::float::Precision;
use carnet_program::source::args::integer;
use serde_json::json;

use crate::args;
use crate::connect::{Connection, Described, connect};
use crate::describe::{find, ty};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::value::{self, Value, harmless, plain, told};

/// Makes the call.
///
/// # Errors
/// If it cannot be made, or fails.
pub fn call(args: &args::Call) -> Answer {
    let connection = connect(&args.server)?;
    let (described, _) = connection.describe()?;
    let (interface, operation) = find(described.module, &args.operation)?;
    let Some(operation) = operation else {
        return Err(Problem::usage(format!(
            "error: {} is an interface\nname an operation of it, for example {}.{}",
            interface.name,
            interface.name,
            interface.operations.first().map_or("", |operation| &operation.name)
        )));
    };
    let id = described.module.interface(&interface.name).unwrap_or(described.root);
    let number = interface.operation(&operation.name).map_or(0, |(number, _)| number);
    let op = OpNumber { module: described.module, interface: id, op: number };
    let given: Vec<&[u8]> = args.arguments.iter().map(|text| text.as_encoded_bytes()).collect();
    let arguments = Arguments::read(described.module, operation, &given)?;
    let target =
        target(&connection, &described, id, args.on.as_deref().map(std::ffi::OsStr::as_encoded_bytes))?;
    let value = make(&target, op, &arguments).map_err(|failure| failed(&connection, op, &failure))?;
    let text = value.as_ref().map_or_else(|| "done\n".to_owned(), Value::lines);
    let json =
        json!({ "exit": 0, "operation": args.operation, "result": value.map(|value| value.to_json()) });
    Ok(Reply::done(text, json))
}

/// The portal to call: the root, or what its `@argument` operation makes of a text.
fn target(
    at: &Connection,
    described: &Described,
    wanted: InterfaceId,
    on: Option<&[u8]>,
) -> Result<Portal, Problem> {
    let root = at.transport.root();
    let module = described.module;
    let interface = &module.interfaces[described.root.index()];
    if wanted != described.root {
        let wanted = &module.interfaces[wanted.index()].name;
        return Err(Problem::usage(format!(
            "error: the server's root is a {}, not a {wanted}\na {wanted} comes from a call: write a program, or call \
             an operation of {}",
            interface.name, interface.name
        )));
    }
    let Some(text) = on else { return Ok(root) };
    let Some(number) = interface.argument else {
        return Err(Problem::usage(format!("error: no text names a {}\nleave --on out", interface.name)));
    };
    let op = OpNumber { module, interface: described.root, op: number };
    let word = Ref::new(0, 0, text.len()).ok_or_else(|| Problem::usage("error: --on is too long"))?;
    let (mut words, inputs) = ([word.0, 0], [Input::Bytes(text)]);
    let mut made =
        Block { words: &mut words, inputs: &inputs, outputs: &mut [], portals: &[], made: Vec::new() };
    root.call(op, &mut made).map_err(|failure| failed(at, op, &failure))?;
    made.made
        .into_iter()
        .next()
        .ok_or_else(|| Problem::failed("failed: the server made no portal of that text"))
}

/// The inputs of a call: words of the request, and the texts that they refer to.
struct Arguments {
    words: Vec<u64>,
    texts: Vec<Vec<u8>>,
}

impl Arguments {
    /// Reads `name=value` for each scalar of the request.
    fn read(module: &Module, operation: &Operation, given: &[&[u8]]) -> Result<Arguments, Problem> {
        supported(module, operation)?;
        let slots = slots(module, operation);
        let mut values: Vec<Option<&[u8]>> = vec![None; slots.len()];
        for text in given {
            let (at, value) = slot_of(operation, module, &slots, text)?;
            if values[at].replace(value).is_some() {
                return Err(usage(module, operation, &format!("`{}` is given twice", slots[at].name)));
            }
        }
        let mut arguments = Arguments { words: Vec::new(), texts: Vec::new() };
        for (slot, value) in slots.iter().zip(values) {
            let is_cursor = cursor(operation) == Some(slot.name.as_str());
            let Some(value) = value.or(is_cursor.then_some(b"".as_slice())) else {
                return Err(usage(module, operation, &format!("`{}=…` is missing", slot.name)));
            };
            arguments.add(module, slot, value).map_err(|why| usage(module, operation, &why))?;
        }
        Ok(arguments)
    }

    fn add(&mut self, module: &Module, slot: &Slot, value: &[u8]) -> Result<(), String> {
        let shown = plain(value);
        let wrong = |expected: &str| format!("{}={shown}: expected {expected}", slot.name);
        let text = std::str::from_utf8(value).unwrap_or("");
        let word = match &slot.word {
            Word::Bool => match text {
                "true" => 1,
                "false" => 0,
                _ => return Err(wrong("true or false")),
            },
            Word::Int { bits, signed } => {
                let n = integer(text).map_err(|help| {
                    let help = help.map_or_else(String::new, |help| format!("; {help}"));
                    wrong(&format!("an integer, for example 500, 0o644, 10MiB or 7d{help}"))
                })?;
                if !fits(n, *bits, *signed) {
                    return Err(wrong(&format!("an integer of {bits} bits")));
                }
                n as u64
            }
            Word::Float { bits } => {
                let float = Precision::of_bits(*bits).written(text);
                float.ok_or_else(|| wrong("a number, for example 1.5, -2 or 1e9, or inf, -inf or NaN"))?.word
            }
            Word::Enum(id) => {
                let values = &module.enums[id.index()].values;
                let at = values.iter().position(|name| name == text);
                at.ok_or_else(|| wrong(&format!("one of {}", values.join(", "))))? as u64
            }
            Word::String { max } | Word::Bytes { max } => {
                if value.len() > *max as usize {
                    return Err(wrong(&format!("at most {max} bytes")));
                }
                let word =
                    Ref::new(self.texts.len(), 0, value.len()).ok_or_else(|| wrong("a shorter text"))?;
                self.texts.push(value.to_vec());
                word.0
            }
            Word::List { .. } | Word::Portal(_) => {
                return Err(format!("`{}` cannot be written on a command line{}", slot.name, slot.instead));
            }
        };
        self.words.push(word);
        Ok(())
    }

    fn inputs(&self) -> Vec<Input<'_>> {
        self.texts.iter().map(|text| Input::Bytes(text)).collect()
    }
}

/// Refuses operations whose values have no form on a command line or in its answer.
fn supported(module: &Module, operation: &Operation) -> Result<(), Problem> {
    let params = operation.params.iter().map(|param| (param.name.as_str(), &param.ty, param.mode));
    let result = operation.result.iter().map(|ty| ("the result", ty, Mode::Out));
    for (name, ty, mode) in params.chain(result) {
        // The same types that programs have not, and arrays; and no text stands for a union.
        let array = holds(module, ty, |ty| matches!(ty, Type::Array { .. })).then_some("an array");
        let is_given = mode != Mode::Out && holds(module, ty, |ty| matches!(ty, Type::Union(_)));
        let union = is_given.then_some("a union");
        if let Some(found) = module.foreign_to_programs(ty).or(array).or(union) {
            return Err(usage(
                module,
                operation,
                &format!("{} cannot be called from a command line: {name} is {found}", operation.name),
            ));
        }
    }
    Ok(())
}

/// Whether a type is such a one, or holds one.
fn holds(module: &Module, ty: &Type, wanted: fn(&Type) -> bool) -> bool {
    wanted(ty)
        || match ty {
            Type::Array { of, .. } | Type::List { of, .. } => holds(module, of, wanted),
            Type::Struct(id) => {
                module.structs[id.index()].fields.iter().any(|field| holds(module, &field.ty, wanted))
            }
            Type::Union(id) => {
                module.unions[id.index()].arms.iter().any(|arm| holds(module, &arm.ty, wanted))
            }
            _ => false,
        }
}

/// The parameter with which a paged operation goes on; empty for the first page.
fn cursor(operation: &Operation) -> Option<&str> {
    let paged = operation.paged?;
    operation.params.get(usize::from(paged.cursor)).map(|param| param.name.as_str())
}

fn fits(n: i64, bits: u8, signed: bool) -> bool {
    match (bits, signed) {
        (64, true) => true,
        (64, false) => n >= 0,
        (bits, true) => (-(1_i64 << (bits - 1))..1_i64 << (bits - 1)).contains(&n),
        (bits, false) => (0..1_i64 << bits).contains(&n),
    }
}

/// One word of the request, by the name that the command line has for it.
struct Slot {
    name: String,
    word: Word,
    /// What to do if it has no form there.
    instead: &'static str,
}

fn slots(module: &Module, operation: &Operation) -> Vec<Slot> {
    let is_in_programs = module.not_in_programs(operation).is_none();
    let instead = if is_in_programs { "; a program can pass it" } else { "" };
    let mut slots = Vec::new();
    for mode in [Mode::In, Mode::InOut] {
        for param in operation.params.iter().filter(|param| param.mode == mode) {
            name_words(module, &param.name, &param.ty, instead, &mut slots);
        }
    }
    slots
}

fn name_words(module: &Module, name: &str, ty: &Type, instead: &'static str, slots: &mut Vec<Slot>) {
    if let Type::Struct(id) = ty {
        for field in &module.structs[id.index()].fields {
            name_words(module, &format!("{name}.{}", field.name), &field.ty, instead, slots);
        }
        return;
    }
    let mut words = Vec::new();
    module.flatten(ty, &mut words);
    slots.extend(words.into_iter().map(|word| Slot { name: name.to_owned(), word, instead }));
}

fn slot_of<'a>(
    operation: &Operation,
    module: &Module,
    slots: &[Slot],
    text: &'a [u8],
) -> Result<(usize, &'a [u8]), Problem> {
    let shown = plain(text);
    let Some(equals) = text.iter().position(|byte| *byte == b'=') else {
        return Err(usage(
            module,
            operation,
            &format!("`{shown}` is no argument: they look like name=value"),
        ));
    };
    let name = plain(&text[..equals]);
    match slots.iter().position(|slot| slot.name == name) {
        Some(at) => Ok((at, &text[equals + 1..])),
        None => {
            let meant = did_you_mean(&name, slots.iter().map(|slot| slot.name.as_str()));
            let hint = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            Err(usage(module, operation, &format!("there is no argument `{name}`{hint}")))
        }
    }
}

fn usage(module: &Module, operation: &Operation, what: &str) -> Problem {
    let sent = operation.params.iter().filter(|param| param.mode != Mode::Out);
    let takes: Vec<String> = sent.map(|param| format!("{}={}", param.name, ty(module, &param.ty))).collect();
    let takes = if takes.is_empty() { "no arguments".to_owned() } else { takes.join(" ") };
    Problem::usage(format!(
        "error: {}\n{} takes {}",
        harmless(what),
        harmless(&operation.name),
        harmless(&takes)
    ))
}

/// Makes one call; what came back.
fn make(target: &Portal, op: OpNumber, arguments: &Arguments) -> Result<Option<Value>, Failure> {
    let layout = &op.operation().layout;
    let mut words = arguments.words.clone();
    words.resize(layout.words(), 0);
    let inputs = arguments.inputs();
    let both = layout.inouts.iter().filter(|word| is_variable(word));
    let mut outputs: Vec<Area> = both.map(|_| Area::default()).collect();
    for (word, place) in layout.outs.iter().zip(&mut words[layout.request_words()..]) {
        if is_variable(word) {
            *place = Ref::new(inputs.len() + outputs.len(), 0, 0).unwrap_or_default().0;
            outputs.push(Area::default());
        }
    }
    let mut block =
        Block { words: &mut words, inputs: &inputs, outputs: &mut outputs, portals: &[], made: Vec::new() };
    target.call(op, &mut block)?;
    drop(block);
    Back { module: op.module, words: &words[layout.ins.len()..], at: 0, outputs: &outputs, next: 0 }
        .all(op.operation())
}

fn is_variable(word: &Word) -> bool {
    matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. })
}

/// What came back, read by the operation's types. The transport has checked lengths, not values.
struct Back<'a> {
    module: &'static Module,
    words: &'a [u64],
    at: usize,
    outputs: &'a [Area],
    next: usize,
}

impl Back<'_> {
    /// Inouts, return value, outs; a single unnamed one stands for itself.
    fn all(&mut self, operation: &Operation) -> Result<Option<Value>, Failure> {
        let mut fields = Vec::new();
        let of = |mode| operation.params.iter().filter(move |param| param.mode == mode);
        for param in of(Mode::InOut) {
            fields.push((param.name.clone(), self.value(&param.ty)?));
        }
        if let Some(ty) = &operation.result {
            fields.push(("result".to_owned(), self.value(ty)?));
        }
        for param in of(Mode::Out) {
            fields.push((param.name.clone(), self.value(&param.ty)?));
        }
        Ok(match fields.len() {
            0 => None,
            1 if operation.result.is_some() => fields.pop().map(|(_, value)| value),
            _ => Some(Value::Record(fields)),
        })
    }

    fn value(&mut self, ty: &Type) -> Result<Value, Failure> {
        if let Type::Struct(id) = ty {
            let fields = &self.module.structs[id.index()].fields;
            let named = fields.iter().map(|field| Ok((field.name.clone(), self.value(&field.ty)?)));
            return Ok(Value::Record(named.collect::<Result<_, Failure>>()?));
        }
        if let Type::Union(id) = ty {
            let shape = self.module.unions[id.index()].shape;
            let first = self.at;
            self.at += self.module.word_count(ty);
            let scalars = self.words.get(first..=first + shape.scalars).ok_or_else(nonsense)?;
            let texts = (0..shape.references).map(|_| Ok(self.output()?.bytes.clone()));
            let texts = texts.collect::<Result<Vec<_>, Failure>>()?;
            return union(self.module, *id, &mut &*scalars, &mut &texts[..]);
        }
        let word = *self.words.get(self.at).ok_or_else(nonsense)?;
        self.at += 1;
        match ty {
            Type::String { .. } => Ok(Value::Text(self.output()?.bytes.clone())),
            Type::Bytes { .. } => Ok(Value::Bytes(self.output()?.bytes.clone())),
            Type::List { of, .. } => {
                let (module, area) = (self.module, self.output()?.clone());
                list(module, of, &area)
            }
            ty => scalar(self.module, ty, word),
        }
    }

    fn output(&mut self) -> Result<&Area, Failure> {
        let output = self.outputs.get(self.next).ok_or_else(nonsense)?;
        self.next += 1;
        Ok(output)
    }
}

fn list(module: &'static Module, of: &Type, area: &Area) -> Result<Value, Failure> {
    let mut words = Vec::new();
    module.flatten(of, &mut words);
    let elements = area.words.chunks_exact(words.len().max(1));
    let read = elements.map(|element| element_value(module, of, &mut element.iter().copied(), area));
    Ok(Value::List(read.collect::<Result<_, Failure>>()?))
}

fn element_value(
    module: &'static Module,
    ty: &Type,
    words: &mut dyn Iterator<Item = u64>,
    area: &Area,
) -> Result<Value, Failure> {
    if let Type::Struct(id) = ty {
        let mut fields = Vec::new();
        for field in &module.structs[id.index()].fields {
            fields.push((field.name.clone(), element_value(module, &field.ty, words, area)?));
        }
        return Ok(Value::Record(fields));
    }
    if let Type::Union(id) = ty {
        let shape = module.unions[id.index()].shape;
        let scalars: Vec<u64> = words.take(1 + shape.scalars).collect();
        let texts: Vec<Vec<u8>> =
            words.take(shape.references).map(|word| area.string(word).to_vec()).collect();
        return union(module, *id, &mut &scalars[..], &mut &texts[..]);
    }
    let word = words.next().ok_or_else(nonsense)?;
    match ty {
        Type::String { .. } => Ok(Value::Text(area.string(word).to_vec())),
        Type::Bytes { .. } => Ok(Value::Bytes(area.string(word).to_vec())),
        ty => scalar(module, ty, word),
    }
}

/// A union of the first of these words.
fn union(
    module: &'static Module,
    id: UnionId,
    scalars: &mut &[u64],
    texts: &mut &[Vec<u8>],
) -> Result<Value, Failure> {
    let of = &module.unions[id.index()];
    let mut scalars = scalars.split_off(..=of.shape.scalars).ok_or_else(nonsense)?;
    let mut texts = texts.split_off(..of.shape.references).ok_or_else(nonsense)?;
    let word = *scalars.split_off_first().ok_or_else(nonsense)?;
    let case = word.cast_signed();
    let labelled = of.arms.iter().find(|arm| arm.labels.contains(&case));
    let arm = labelled.or_else(|| of.arms.iter().find(|arm| arm.labels.is_empty())).ok_or_else(nonsense)?;
    let held = held_by(module, &arm.ty, &mut scalars, &mut texts)?;
    let case = scalar(module, &of.switch, word)?;
    let case = (arm.labels.len() != 1).then(|| Box::new(case));
    Ok(Value::Union(case, arm.name.clone(), Box::new(held)))
}

/// What an arm holds takes the first words that are left.
fn held_by(
    module: &'static Module,
    ty: &Type,
    scalars: &mut &[u64],
    texts: &mut &[Vec<u8>],
) -> Result<Value, Failure> {
    let text = |texts: &mut &[Vec<u8>]| texts.split_off_first().cloned().ok_or_else(nonsense);
    match ty {
        Type::Struct(id) => {
            let fields = module.structs[id.index()].fields.iter();
            let named =
                fields.map(|field| Ok((field.name.clone(), held_by(module, &field.ty, scalars, texts)?)));
            Ok(Value::Record(named.collect::<Result<_, Failure>>()?))
        }
        Type::Union(id) => union(module, *id, scalars, texts),
        Type::String { .. } => text(texts).map(Value::Text),
        Type::Bytes { .. } => text(texts).map(Value::Bytes),
        ty => scalar(module, ty, *scalars.split_off_first().ok_or_else(nonsense)?),
    }
}

fn scalar(module: &'static Module, ty: &Type, word: u64) -> Result<Value, Failure> {
    match ty {
        Type::Bool if word <= 1 => Ok(Value::Bool(word == 1)),
        Type::Int { .. } | Type::Char => Ok(Value::Int(word as i64)),
        Type::Float { bits } => {
            value::float(Precision::of_bits(*bits), word).map(Value::Float).ok_or_else(nonsense)
        }
        Type::Enum(id) => {
            let values = &module.enums[id.index()].values;
            let name = usize::try_from(word).ok().and_then(|at| values.get(at));
            name.map(|name| Value::Enum(name.clone())).ok_or_else(nonsense)
        }
        Type::Portal(id) => Ok(Value::Portal(module.interfaces[id.index()].name.clone())),
        _ => Err(nonsense()),
    }
}

fn nonsense() -> Failure {
    Failure::new(Kind::Protocol, "the server's answer does not have the operation's type")
}

fn failed(at: &Connection, op: OpNumber, failure: &Failure) -> Problem {
    let details = failure.details();
    let message = told(&details.message);
    let operation = op.operation();
    let name = format!("{}.{}", op.module.interfaces[op.interface.index()].name, operation.name);
    match details.kind {
        Kind::Raised => {
            let kinds =
                op.module.plain_exception(operation).map(|(kind, _)| &op.module.enums[kind.index()].values);
            let place = usize::from(details.raised & !MEMBERS);
            // Of an exception with members its name is told.
            let kind = match operation.raises.get(place) {
                Some(id) if details.raised & MEMBERS != 0 => Some(&op.module.exceptions[id.index()].name),
                _ => kinds.and_then(|kinds| kinds.get(usize::from(details.raised))),
            };
            let kind = kind.map_or_else(String::new, |kind| format!(" ({kind})"));
            Problem::failed(format!("failed: {message}\n  {name}{kind}"))
        }
        Kind::PeerDied | Kind::TimedOut => Problem {
            exit: Exit::Unknown,
            name: "unknown",
            text: format!(
                "outcome unknown: {message} ({})\n{name} may or may not have been done. Look before you call it again",
                at.address
            ),
        },
        Kind::Refused => Problem {
            exit: Exit::Refused,
            name: "refused",
            text: format!("refused: {message}\nnothing was done."),
        },
        _ => Problem::failed(format!("failed: {message}\n  {name}")),
    }
}
