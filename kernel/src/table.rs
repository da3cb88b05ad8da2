//! The table of operations in C, made of the description of an interface of system calls.
//!
//! What verifier and interpreter in C know of an interface is this table: for each operation its hash, the words of its block,
//! which system call it is, where that call's arguments come from, and where what it returns goes. An operation of which something
//! cannot be done there is in the table, too, so that its programs are told that it is not supported, rather than unknown.

use std::fmt::Write as _;

use carnet_idl::descriptor::{Effect, Interface, Mode, Module, Operation, Type, Word};
use carnet_idl::syscall::{Argument, Place, Syscall};

/// Bytes of a C struct that the interpreter has room for.
const STRUCT_BYTES: u32 = 256;
/// Most words of a request whose registers the interpreter keeps.
const SITE_WORDS: usize = 2;
/// `close`, `dup2`, `dup3` and `close_range`: what may close the device that a program runs on.
const CLOSING: [u16; 4] = [3, 33, 292, 436];
/// "None" of a word.
const NO_WORD: u8 = 0xff;

/// The table of the interface `interface` of `module`; `messages` says for each error number what people are told.
///
/// # Errors
/// What is wrong with the description: no such interface, or an operation that is no system call.
pub fn table(module: &Module, interface: &str, messages: &[&str]) -> Result<String, String> {
    let found = module.interfaces.iter().find(|found| found.name == interface);
    let found = found.ok_or_else(|| format!("{} has no interface {interface}", module.name))?;
    let mut rows = found
        .operations
        .iter()
        .map(|operation| Row::new(module, operation).map(|row| (operation, row)))
        .collect::<Result<Vec<_>, String>>()?;
    // The verifier looks them up by halving.
    rows.sort_by_key(|(operation, _)| operation.hash);
    let mut out = String::from(
        "// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 OR MIT\n\
         /* Made of the interface by kernel/src/table.rs: `cargo xtask bless` makes it anew. */\n\
         #include \"carnet_program.h\"\n\n",
    );
    for (operation, row) in &rows {
        row.write_parts(&mut out, &operation.name);
    }
    out += "/* By hash. */\nconst struct carnet_operation carnet_operations[] = {\n";
    for (operation, row) in &rows {
        row.write(&mut out, operation);
    }
    out += "};\n\n";
    write_rest(&mut out, module, found, rows.len(), messages);
    Ok(out)
}

fn write_rest(
    out: &mut String,
    module: &Module,
    interface: &Interface,
    operations: usize,
    messages: &[&str],
) {
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(out, "const u32 carnet_operations_number = {operations};\n");
    *out += "const struct carnet_enum carnet_enums[] = {\n";
    for each in &module.enums {
        let _ = writeln!(out, "\t{{ 0x{:016x}, {} }},\t/* {} */", each.hash.0, each.values.len(), each.name);
    }
    let _ = writeln!(out, "}};\n\nconst u32 carnet_enums_number = {};\n", module.enums.len());
    let _ = writeln!(out, "const char carnet_module_name[] = \"{}\";", module.name);
    let _ = writeln!(out, "const char carnet_interface_name[] = \"{}\";\n", interface.name);
    *out += "const char *const carnet_messages[] = {\n";
    for message in messages {
        let _ = writeln!(out, "\t\"{}\",", message.replace(['"', '\\'], "'"));
    }
    let _ = writeln!(out, "}};\n\nconst u32 carnet_messages_number = {};", messages.len());
}

/// Where an argument comes from: `enum carnet_source`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Word { at: u8, allowed: u32, bits: u8, signed: bool },
    Cut { at: u8, most: u32 },
    Const(i32),
    Text { at: u8, max: u32 },
    Len(u8),
    Room(u8),
    Sent,
    Back,
}

/// A field of a C struct.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u8,
    bytes: u8,
    signed: bool,
    offset: u32,
}

/// An operation as the table has it.
#[derive(Debug, Default)]
struct Row {
    number: u16,
    /// Something of it cannot be done.
    is_refused: bool,
    words: Vec<(&'static str, u16, u32)>,
    sources: Vec<Source>,
    sent: Vec<Field>,
    back: Vec<Field>,
    value: Option<u8>,
    fills: Option<u8>,
    cost: Option<u8>,
    data: Option<u8>,
    /// What it returns is how many bytes it wrote.
    counts: bool,
    raises: Option<u16>,
}

impl Row {
    fn new(module: &Module, operation: &Operation) -> Result<Row, String> {
        let call = Syscall::of(module, operation)?;
        let call = call.ok_or_else(|| format!("{} is no system call", operation.name))?;
        let mut row = Row { number: call.number, ..Row::default() };
        let layout = &operation.layout;
        for word in layout.ins.iter().chain(&layout.inouts).chain(&layout.outs) {
            row.word(word);
        }
        row.raises = module.plain_exception(operation).map(|(kind, _)| kind.0);
        row.is_refused |= !layout.inouts.is_empty() || module.not_in_programs(operation).is_some();
        // Nobody here looks at what a union or a list within another value is.
        let params = operation.params.iter().map(|param| &param.ty);
        row.is_refused |= params.chain(&operation.result).any(|ty| match ty {
            Type::List { of, .. } => module.has_union_or_list(of),
            ty => module.has_union_or_list(ty),
        });
        let maker = Maker { module, operation };
        for (at, argument) in call.arguments.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &call.arguments[before]);
            match maker.source(argument, before, &mut row) {
                Some(source) => row.sources.push(source),
                None => row.is_refused = true,
            }
        }
        maker.results(&call, &mut row);
        let writes = operation.effect == Effect::Writes;
        row.counts = writes && operation.cost.is_some() && row.value.is_some();
        Ok(row)
    }

    fn word(&mut self, word: &Word) {
        let (kind, of, max) = match word {
            Word::Bool => ("KIND_BOOL", 0, 0),
            Word::Int { .. } => ("KIND_INT", 0, 0),
            Word::Enum(id) => ("KIND_ENUM", id.0, 0),
            Word::String { max } => ("KIND_STR", 0, *max),
            Word::Bytes { max } => ("KIND_BYTES", 0, *max),
            Word::Float { .. } | Word::List { .. } | Word::Portal(_) => {
                self.is_refused = true;
                ("KIND_INT", 0, 0)
            }
        };
        self.words.push((kind, of, max));
    }

    /// The arrays that the row refers to.
    fn write_parts(&self, out: &mut String, name: &str) {
        if self.is_refused {
            return;
        }
        if !self.words.is_empty() {
            let words = self.words.iter().map(|(kind, of, max)| format!("{{ {kind}, {of}, {max} }}"));
            let words = wrapped(&words.collect::<Vec<_>>());
            let _ = writeln!(out, "static const struct carnet_word words_{name}[] = {{\n{words}}};");
        }
        if !self.sent.is_empty() || !self.back.is_empty() {
            let fields = self.sent.iter().chain(&self.back).map(|field| {
                let Field { word, bytes, signed, offset } = field;
                format!("{{ {word}, {bytes}, {}, {offset} }}", u8::from(*signed))
            });
            let fields = wrapped(&fields.collect::<Vec<_>>());
            let _ = writeln!(out, "static const struct carnet_field fields_{name}[] = {{\n{fields}}};");
        }
        out.push('\n');
    }

    fn write(&self, out: &mut String, operation: &Operation) {
        let name = &operation.name;
        let Row { number, .. } = self;
        let _ =
            write!(out, "\t{{ /* {name} */\n\t\t.hash = 0x{:016x}, .number = {number}, ", operation.hash.0);
        if self.is_refused {
            *out += ".flags = OPERATION_REFUSED,\n\t},\n";
            return;
        }
        let layout = &operation.layout;
        let writes = if operation.effect == Effect::Writes { "OPERATION_WRITES" } else { "0" };
        let is_text = |word: &(&str, u16, u32)| word.0 == "KIND_STR";
        let is_back = self.fills.is_some_and(|at| self.words.get(usize::from(at)).is_some_and(is_text));
        let is_plain = self.sent.is_empty() && self.back.is_empty() && !is_back && self.cost.is_none();
        // A site knows the owner of one text.
        let texts = self.sources.iter().filter(|source| matches!(source, Source::Text { .. })).count();
        let is_plain = is_plain && texts <= 1 && operation.layout.request_words() <= SITE_WORDS;
        let plain = if is_plain { " | OPERATION_PLAIN" } else { "" };
        let closes = if CLOSING.contains(number) { " | OPERATION_CLOSES" } else { "" };
        let counts = if self.counts { " | OPERATION_COUNTS" } else { "" };
        let _ = writeln!(out, ".flags = {writes}{plain}{closes}{counts},");
        let (ins, outs) = (layout.ins.len(), layout.outs.len());
        let count = self.sources.len();
        let _ = writeln!(out, "\t\t.ins = {ins}, .outs = {outs}, .arguments = {count},");
        let or_none = |word: Option<u8>| word.unwrap_or(NO_WORD);
        let [value, fills, cost, data] = [self.value, self.fills, self.cost, self.data].map(or_none);
        let _ = writeln!(out, "\t\t.value = {value}, .fills = {fills}, .cost = {cost}, .data = {data},");
        let raises = self.raises.unwrap_or(u16::from(NO_WORD));
        let (sent, back) = (self.sent.len(), self.back.len());
        let _ = writeln!(out, "\t\t.raises = {raises}, .sent = {sent}, .back = {back},");
        *out += "\t\t.from = {\n";
        self.sources.iter().for_each(|source| source.write(out));
        *out += "\t\t},\n";
        if !self.words.is_empty() {
            let _ = writeln!(out, "\t\t.words = words_{name},");
        }
        if sent + back > 0 {
            let _ = writeln!(out, "\t\t.fields = fields_{name},");
        }
        *out += "\t},\n";
    }
}

impl Source {
    fn write(self, out: &mut String) {
        let (name, at, number) = match self {
            Source::Word { at, allowed, bits, signed } => {
                let (low, span) = range(bits, signed);
                let _ = writeln!(out, "\t\t\t{{ FROM_WORD, {at}, 0x{allowed:x}, 0x{low:x}, 0x{span:x} }},");
                return;
            }
            Source::Cut { at, most } => ("CUT", at, i64::from(most)),
            Source::Const(number) => ("CONST", 0, i64::from(number)),
            Source::Text { at, max } => ("TEXT", at, i64::from(max)),
            Source::Len(at) => ("LEN", at, 0),
            Source::Room(at) => ("ROOM", at, 0),
            Source::Sent => ("SENT", 0, 0),
            Source::Back => ("BACK", 0, 0),
        };
        let _ = writeln!(out, "\t\t\t{{ FROM_{name}, {at}, {number}, 0, 0 }},");
    }
}

/// Such that a value is in the range of its type if value + low ≤ span, all unsigned. There are no unsigned values above those of
/// `i64`.
fn range(bits: u8, signed: bool) -> (u64, u64) {
    match (bits, signed) {
        (64, true) => (0, u64::MAX),
        (64, false) => (0, u64::MAX >> 1),
        (bits, true) => (1 << (bits - 1), (1 << bits) - 1),
        (bits, false) => (0, (1 << bits) - 1),
    }
}

/// Entries of an array, some to a line.
fn wrapped(entries: &[String]) -> String {
    let lines = entries.chunks(6).map(|line| format!("\t{},\n", line.join(", ")));
    lines.collect()
}

struct Maker<'a> {
    module: &'a Module,
    operation: &'a Operation,
}

impl Maker<'_> {
    /// First word of a parameter in the block, and its type.
    fn place(&self, place: Place) -> (u8, &Type) {
        let words = |ty: &Type| self.words(ty);
        let params = &self.operation.params;
        let of_mode = |mode: Mode, until: usize| {
            params[..until]
                .iter()
                .filter(|param| param.mode == mode)
                .map(|param| words(&param.ty))
                .sum::<usize>()
        };
        let request = self.operation.layout.request_words();
        let (at, ty) = match (place, &self.operation.result) {
            (Place::Param(param), result) => {
                let param = usize::from(param);
                let at = match params[param].mode {
                    Mode::In | Mode::InOut => of_mode(Mode::In, param),
                    Mode::Out => request + result.as_ref().map_or(0, words) + of_mode(Mode::Out, param),
                };
                (at, &params[param].ty)
            }
            (Place::Return, Some(ty)) => (request, ty),
            (Place::Return, None) => (request, &Type::Bool),
        };
        (u8::try_from(at).unwrap_or(NO_WORD), ty)
    }

    fn words(&self, ty: &Type) -> usize {
        match ty {
            Type::Struct(id) => {
                self.module.structs[id.index()].fields.iter().map(|field| self.words(&field.ty)).sum()
            }
            _ => 1,
        }
    }

    /// `None`: this cannot be done.
    fn source(&self, argument: &Argument, before: Option<&Argument>, row: &mut Row) -> Option<Source> {
        match *argument {
            Argument::Constant(number) => i32::try_from(number).ok().map(Source::Const),
            Argument::Value { param, allowed } => {
                let (at, ty) = self.place(Place::Param(param));
                if self.operation.cost == Some(param) {
                    row.cost = (self.operation.effect == Effect::Writes).then_some(at);
                    return Some(Source::Cut { at, most: carnet_idl::descriptor::WORK_BYTES_MAX });
                }
                if let Some(most) = before.and_then(|before| self.room(before)) {
                    return Some(Source::Cut { at, most });
                }
                let Type::Int { bits, signed } = *ty else { return None };
                let allowed = allowed.map_or(Some(u32::MAX), |bits| u32::try_from(bits).ok())?;
                Some(Source::Word { at, allowed, bits, signed })
            }
            Argument::Sent { param, changed: false } => {
                let (at, ty) = self.place(Place::Param(param));
                match ty {
                    Type::String { max } => Some(Source::Text { at, max: *max }),
                    Type::Bytes { max } if row.data.is_none() => {
                        row.data = (self.operation.effect == Effect::Writes).then_some(at);
                        Some(Source::Text { at, max: *max })
                    }
                    _ if row.sent.is_empty() => self.fields(ty, at).map(|fields| {
                        row.sent = fields;
                        Source::Sent
                    }),
                    _ => None,
                }
            }
            Argument::Returned(place) => {
                let (at, ty) = self.place(place);
                match ty {
                    Type::String { .. } | Type::Bytes { .. } if place == Place::Return => {
                        Some(Source::Room(at))
                    }
                    _ if row.back.is_empty() => self.fields(ty, at).map(|fields| {
                        row.back = fields;
                        Source::Back
                    }),
                    _ => None,
                }
            }
            Argument::Size { param } => match self.place(Place::Param(param)) {
                (at, Type::Bytes { .. }) => Some(Source::Len(at)),
                (_, Type::Int { .. }) => Some(Source::Const(4)),
                _ => None,
            },
            Argument::Sent { changed: true, .. } | Argument::SizePlace(_) => None,
        }
    }

    /// The size of the room before an argument.
    fn room(&self, before: &Argument) -> Option<u32> {
        let Argument::Returned(place) = before else { return None };
        match self.place(*place).1 {
            Type::String { max } | Type::Bytes { max } => Some(*max),
            _ => None,
        }
    }

    /// The fields of a C struct, whose words begin at `word`; an integer alone is an `int`.
    fn fields(&self, ty: &Type, word: u8) -> Option<Vec<Field>> {
        if let Type::Int { signed, .. } = *ty {
            return Some(vec![Field { word, bytes: 4, signed, offset: 0 }]);
        }
        // An address of the network is not laid out as it stands.
        if matches!(ty, Type::Struct(id) if self.module.structs[id.index()].name == "Address") {
            return None;
        }
        let mut fields = Vec::new();
        let (size, _) = self.lay(ty, word, 0, &mut fields)?;
        (size <= STRUCT_BYTES).then_some(fields)
    }

    /// Adds the fields of a value at `offset` or behind; where it ends, and its alignment.
    fn lay(&self, ty: &Type, word: u8, offset: u32, fields: &mut Vec<Field>) -> Option<(u32, u32)> {
        match ty {
            Type::Int { bits, signed } => {
                let bytes = bits / 8;
                let offset = offset.next_multiple_of(bytes.into());
                let word = word + u8::try_from(fields.len()).ok()?;
                fields.push(Field { word, bytes, signed: *signed, offset });
                Some((offset + u32::from(bytes), bytes.into()))
            }
            Type::Struct(id) => {
                let parts = &self.module.structs[id.index()].fields;
                let align = parts.iter().map(|part| self.align(&part.ty)).max().unwrap_or(1);
                let mut end = offset.next_multiple_of(align);
                for part in parts {
                    (end, _) = self.lay(&part.ty, word, end, fields)?;
                }
                Some((end.next_multiple_of(align), align))
            }
            _ => None,
        }
    }

    fn align(&self, ty: &Type) -> u32 {
        match ty {
            Type::Int { bits, .. } => u32::from(*bits) / 8,
            Type::Struct(id) => {
                let parts = &self.module.structs[id.index()].fields;
                parts.iter().map(|part| self.align(&part.ty)).max().unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// Where what the call returns goes.
    fn results(&self, call: &Syscall, row: &mut Row) {
        let comes_back = call.arguments.contains(&Argument::Returned(Place::Return));
        let (at, _) = self.place(Place::Return);
        match &self.operation.result {
            None => {}
            Some(Type::Int { .. }) if !comes_back => row.value = Some(at),
            Some(Type::String { .. } | Type::Bytes { .. }) if comes_back => row.fills = Some(at),
            Some(Type::Struct(_) | Type::Int { .. }) if comes_back => {}
            Some(_) => row.is_refused = true,
        }
    }
}
