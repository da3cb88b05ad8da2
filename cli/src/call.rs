//! `carnet call`: one call of any operation, by the server's descriptor alone.
//!
//! Arguments are `name=value`, as for programs, integers included; a record's fields are `name.field=value`, and lists and arrays are
//! [written](carnet_program::source::args::written) as `name=[1, 2]`. Portals cannot be written on a command line: a program can pass them. Those that come back
//! are named and released.

use carnet_idl::descriptor::{InterfaceId, Mode, Module, Operation, Type, UnionId, Word};
use carnet_idl::diagnostic::did_you_mean;
use carnet_portal::call::{Area, Failure, Kind, MEMBERS, Ref};
use carnet_portal::portal::{Block, Input, OpNumber, Portal};
use carnet_program::float::Precision;
use carnet_program::packed;
use carnet_program::source::args::integer;
use carnet_program::source::args::written::Written;
use serde_json::json;

use crate::args;
use crate::connect::{Connection, Described, connect};
use crate::describe::{find, ty};
use crate::exit::{Answer, Exit, Problem, Reply};
use crate::source::one;
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
    // What inherits from an interface has its operations, and under the same numbers.
    if !module.inherits(described.root, wanted) {
        let wanted = &module.interfaces[wanted.index()].name;
        return Err(Problem::usage(format!(
            "error: the server's root is {}, not {}\n{} comes from a call: write a program, or call an operation of {}",
            one(&interface.name),
            one(wanted),
            one(wanted),
            interface.name
        )));
    }
    let Some(text) = on else { return Ok(root) };
    let Some(number) = interface.argument else {
        return Err(Problem::usage(format!("error: no text names {}\nleave --on out", one(&interface.name))));
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

/// The inputs of a call: words of the request, and the texts and lists that they refer to.
struct Arguments {
    words: Vec<u64>,
    given: Vec<Given>,
}

enum Given {
    Bytes(Vec<u8>),
    List(Area),
}

/// Where words of a value go, and what they refer to.
trait Sink {
    fn word(&mut self, word: u64);

    /// The word that refers to a text, which is kept; none if no word could.
    fn text(&mut self, text: &[u8]) -> Option<u64>;
}

impl Sink for Arguments {
    fn word(&mut self, word: u64) {
        self.words.push(word);
    }

    fn text(&mut self, text: &[u8]) -> Option<u64> {
        let word = Ref::new(self.given.len(), 0, text.len())?;
        self.given.push(Given::Bytes(text.to_vec()));
        Some(word.0)
    }
}

impl Sink for Area {
    fn word(&mut self, word: u64) {
        self.words.push(word);
    }

    fn text(&mut self, text: &[u8]) -> Option<u64> {
        self.add_string(text)
    }
}

impl Arguments {
    /// Reads `name=value` for each part of the request that has a name.
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
        let mut arguments = Arguments { words: Vec::new(), given: Vec::new() };
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
        let wrong = |why: String| format!("{}={}: {why}", slot.name, plain(value));
        let read = || Written::read(value).map_err(wrong);
        match slot.ty {
            Type::Portal(_) => {
                Err(format!("`{}` cannot be written on a command line{}", slot.name, slot.instead))
            }
            ty @ Type::List { .. } if slot.is_part() => put(module, ty, &read()?, self).map_err(wrong),
            Type::List { of, max } => {
                let area = area_of(module, (of, *max), &read()?).map_err(wrong)?;
                let word =
                    Ref::new(self.given.len(), 0, 0).ok_or_else(|| wrong("too many values".to_owned()))?;
                self.given.push(Given::List(area));
                self.words.push(word.0);
                Ok(())
            }
            ty @ Type::Array { .. } if ty.octets().is_none() => {
                put(module, ty, &read()?, self).map_err(wrong)
            }
            ty => put_one(module, ty, value, self).map_err(wrong),
        }
    }

    fn inputs(&self) -> Vec<Input<'_>> {
        self.given.iter().map(Given::input).collect()
    }
}

impl Given {
    fn input(&self) -> Input<'_> {
        match self {
            Given::Bytes(text) => Input::Bytes(text),
            Given::List(area) => Input::List(area),
        }
    }
}

fn put_all(module: &Module, of: &Type, elements: &[Written], to: &mut dyn Sink) -> Result<(), String> {
    let put = |(k, element): (usize, &Written)| {
        put(module, of, element, to).map_err(|why| format!("element {k}: {why}"))
    };
    elements.iter().enumerate().try_for_each(put)
}

/// A list as it was written.
fn area_of(module: &Module, (of, max): (&Type, u32), written: &Written) -> Result<Area, String> {
    let (elements, mut area) = (written.elements()?, Area::default());
    if elements.len() > max as usize {
        return Err(format!("found {} elements, expected at most {max}", elements.len()));
    }
    put_all(module, of, elements, &mut area)?;
    Ok(area)
}

/// The words of a value as it was written.
fn put(module: &Module, ty: &Type, written: &Written, to: &mut dyn Sink) -> Result<(), String> {
    match ty {
        Type::Struct(id) => {
            let fields = &module.structs[id.index()].fields;
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let values = written.fields(&names)?;
            values.into_iter().zip(fields).try_for_each(|(value, field)| {
                put(module, &field.ty, value, to).map_err(|why| format!("{}: {why}", field.name))
            })
        }
        Type::Array { of, len } if ty.octets().is_none() => {
            let elements = written.elements()?;
            if elements.len() != *len as usize {
                return Err(format!("found {} elements, expected {len}", elements.len()));
            }
            put_all(module, of, elements, to)
        }
        // Within another value it is bytes.
        Type::List { of, max } => {
            let area = area_of(module, (of, *max), written)?;
            let bytes = packed::closed(&area, module.word_count(of));
            let word = to.text(&bytes).ok_or("expected a shorter list")?;
            to.word(word);
            Ok(())
        }
        ty => put_one(module, ty, written.one()?, to),
    }
}

/// The word of what is one.
fn put_one(module: &Module, ty: &Type, value: &[u8], to: &mut dyn Sink) -> Result<(), String> {
    let expected = |what: &str| format!("expected {what}");
    let text = std::str::from_utf8(value).unwrap_or("");
    let word = match ty {
        Type::Bool => match text {
            "true" => 1,
            "false" => 0,
            _ => return Err(expected("true or false")),
        },
        Type::Int { .. } | Type::Char => {
            let (bits, signed) = match ty {
                Type::Int { bits, signed } => (*bits, *signed),
                _ => (8, false),
            };
            let n = integer(text).map_err(|help| {
                let help = help.map_or_else(String::new, |help| format!("; {help}"));
                expected(&format!("an integer, for example 500, 0o644, 10MiB or 7d{help}"))
            })?;
            if !fits(n, bits, signed) {
                return Err(expected(&format!("an integer of {bits} bits")));
            }
            n as u64
        }
        Type::Float { bits } => {
            let float = Precision::of_bits(*bits).written(text);
            float.ok_or_else(|| expected("a number, for example 1.5, -2 or 1e9, or inf, -inf or NaN"))?.word
        }
        Type::Enum(id) => {
            let values = &module.enums[id.index()].values;
            let at = values.iter().position(|name| name == text);
            at.ok_or_else(|| expected(&format!("one of {}", values.join(", "))))? as u64
        }
        Type::Array { len, .. } if value.len() != *len as usize => {
            return Err(expected(&format!("{len} bytes")));
        }
        Type::String { max } | Type::Bytes { max } if value.len() > *max as usize => {
            return Err(expected(&format!("at most {max} bytes")));
        }
        Type::String { .. } | Type::Bytes { .. } | Type::Array { .. } => {
            to.text(value).ok_or_else(|| expected("a shorter text"))?
        }
        Type::Struct(_) | Type::Union(_) | Type::List { .. } | Type::Portal(_) => {
            return Err("this cannot be written on a command line".to_owned());
        }
    };
    to.word(word);
    Ok(())
}

/// Refuses operations whose values have no form on a command line or in its answer.
fn supported(module: &Module, operation: &Operation) -> Result<(), Problem> {
    let params = operation.params.iter().map(|param| (param.name.as_str(), &param.ty, param.mode));
    let result = operation.result.iter().map(|ty| ("the result", ty, Mode::Out));
    for (name, ty, mode) in params.chain(result) {
        // The same types that programs have not; and no text stands for a union.
        let is_given = mode != Mode::Out && module.has_union(ty);
        let union = is_given.then_some("a union");
        if let Some(found) = module.foreign_to_programs(ty).or(union) {
            return Err(usage(
                module,
                operation,
                &format!("{} cannot be called from a command line: {name} is {found}", operation.name),
            ));
        }
    }
    Ok(())
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

/// A part of the request, by the name that the command line has for it.
struct Slot<'m> {
    name: String,
    ty: &'m Type,
    /// What to do if it has no form there.
    instead: &'static str,
}

impl Slot<'_> {
    /// Whether it is a part of a parameter, which has the way to it in its name.
    fn is_part(&self) -> bool {
        self.name.contains('.')
    }
}

fn slots<'m>(module: &'m Module, operation: &'m Operation) -> Vec<Slot<'m>> {
    let is_in_programs = module.not_in_programs(operation).is_none();
    let instead = if is_in_programs { "; a program can pass it" } else { "" };
    let mut slots = Vec::new();
    for mode in [Mode::In, Mode::InOut] {
        for param in operation.params.iter().filter(|param| param.mode == mode) {
            name_parts(module, &param.name, &param.ty, instead, &mut slots);
        }
    }
    slots
}

/// The fields of structs have names of their own.
fn name_parts<'m>(
    module: &'m Module,
    name: &str,
    ty: &'m Type,
    instead: &'static str,
    slots: &mut Vec<Slot<'m>>,
) {
    let Type::Struct(id) = ty else {
        return slots.push(Slot { name: name.to_owned(), ty, instead });
    };
    for field in &module.structs[id.index()].fields {
        name_parts(module, &format!("{name}.{}", field.name), &field.ty, instead, slots);
    }
}

fn slot_of<'a>(
    operation: &Operation,
    module: &Module,
    slots: &[Slot<'_>],
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
    target.call_answered(op, &mut block)?;
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
        let Type::List { of, .. } = ty else { return self.part(ty) };
        self.at += 1;
        let (module, area) = (self.module, self.output()?.clone());
        list(module, of, &area)
    }

    /// A part of a value, or one that is no list.
    fn part(&mut self, ty: &Type) -> Result<Value, Failure> {
        if let Type::Struct(id) = ty {
            let fields = &self.module.structs[id.index()].fields;
            let named = fields.iter().map(|field| Ok((field.name.clone(), self.part(&field.ty)?)));
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
        if let Some((of, len)) = array(ty) {
            let elements = (0..len).map(|k| Ok((k.to_string(), self.part(of)?)));
            return Ok(Value::Record(elements.collect::<Result<_, Failure>>()?));
        }
        let word = *self.words.get(self.at).ok_or_else(nonsense)?;
        self.at += 1;
        match ty {
            Type::String { .. } => Ok(Value::Text(self.output()?.bytes.clone())),
            Type::Bytes { .. } | Type::Array { .. } => Ok(Value::Bytes(self.output()?.bytes.clone())),
            Type::List { of, .. } => packed_list(self.module, of, &self.output()?.bytes.clone()),
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
    let elements = area.words.chunks_exact(module.word_count(of).max(1));
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
    if let Some((of, len)) = array(ty) {
        let elements = (0..len).map(|k| Ok((k.to_string(), element_value(module, of, words, area)?)));
        return Ok(Value::Record(elements.collect::<Result<_, Failure>>()?));
    }
    let word = words.next().ok_or_else(nonsense)?;
    match ty {
        Type::String { .. } => Ok(Value::Text(area.string(word).to_vec())),
        Type::Bytes { .. } | Type::Array { .. } => Ok(Value::Bytes(area.string(word).to_vec())),
        Type::List { of, .. } => packed_list(module, of, area.string(word)),
        ty => scalar(module, ty, word),
    }
}

/// A list within another value.
fn packed_list(module: &'static Module, of: &Type, bytes: &[u8]) -> Result<Value, Failure> {
    let mut words = Vec::new();
    module.flatten_part(of, &mut words);
    let is_text = |k: usize| is_variable(&words[k % words.len()]);
    list(module, of, &packed::opened(bytes, words.len(), is_text).ok_or_else(nonsense)?)
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
    let arm = of.arm(case).ok_or_else(nonsense)?;
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
        Type::List { of, .. } => packed_list(module, of, &text(texts)?),
        Type::String { .. } => text(texts).map(Value::Text),
        Type::Bytes { .. } => text(texts).map(Value::Bytes),
        Type::Array { .. } => match array(ty) {
            Some((of, len)) => {
                let elements = (0..len).map(|k| Ok((k.to_string(), held_by(module, of, scalars, texts)?)));
                Ok(Value::Record(elements.collect::<Result<_, Failure>>()?))
            }
            None => text(texts).map(Value::Bytes),
        },
        ty => scalar(module, ty, *scalars.split_off_first().ok_or_else(nonsense)?),
    }
}

/// Type and number of the elements of an array whose elements have words of their own. They are shown as a record's whose fields are numbers.
fn array(ty: &Type) -> Option<(&Type, u32)> {
    match ty {
        Type::Array { of, len } if ty.octets().is_none() => Some((of, *len)),
        _ => None,
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
