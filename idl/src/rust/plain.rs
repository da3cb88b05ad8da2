//! Calls of plain sessions: an operation with few values, most of which travel in registers.
//!
//! | kind | goes in | comes back |
//! | --- | --- | --- |
//! | few | up to four words, or integers of 32 bits as they are | up to two, by value |
//! | sent | up to two words, one that comes back, and data | one, by value |
//! | replied | up to two words, one that comes back | one, by value, and data |
//!
//! Any other operation has no call there. Where its values stand in a message is told by the short call's block.

use super::names::Trio;
use super::shape::{Face, Shape, Slot, bounded, tuple};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::descriptor::{InterfaceId, Mode, Operation, SHORT_WORDS, Short, Type};

const WORDS_FEW: usize = 4;
const WORDS_BESIDE_DATA: usize = 2;
const RESULTS_FEW: usize = 2;

/// The place of what an operation has not: no block with data is as long.
const NO_PLACE: usize = SHORT_WORDS - 1;

/// Which of the three it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Few,
    Sent,
    Replied,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Few, Kind::Sent, Kind::Replied];

    /// The kind of an operation, if it is one of plain sessions.
    fn of(operation: &Operation) -> Option<Kind> {
        let short = operation.layout.short.filter(|_| !operation.oneway)?;
        let params = operation.params.iter().map(|param| (param.mode, &param.ty));
        let values = params.chain(operation.result.iter().map(|ty| (Mode::Out, ty)));
        let values: Vec<(Mode, &Type)> = values.filter(|(_, ty)| !is_data(ty)).collect();
        let count = |wanted: Mode| values.iter().filter(|(mode, _)| *mode == wanted).count();
        let [ins, inouts, outs] = [Mode::In, Mode::InOut, Mode::Out].map(count);
        let are_scalars = values.iter().all(|(_, ty)| is_scalar(ty));
        let are_places = values.iter().all(|(mode, ty)| *mode != Mode::InOut || is_word(ty));
        let (kind, fits) = match short {
            Short::Words => (Kind::Few, ins <= WORDS_FEW && inouts == 0 && outs <= RESULTS_FEW),
            Short::In(_) => (Kind::Sent, ins <= WORDS_BESIDE_DATA && inouts <= 1 && outs <= 1),
            Short::Out(_) => (Kind::Replied, ins <= WORDS_BESIDE_DATA && inouts <= 1 && outs <= 1),
            Short::Both(..) => return None,
        };
        (fits && are_scalars && are_places).then_some(kind)
    }

    /// Whether an operation is one of few values, all of which have 32 bits.
    fn is_narrow(operation: &Operation) -> bool {
        let params = operation.params.iter().map(|param| &param.ty);
        let mut values = params.chain(&operation.result).peekable();
        Kind::of(operation) == Some(Kind::Few) && values.peek().is_some() && values.all(is_narrow)
    }

    /// Of the function of `stub::Dispatch`.
    fn name(self) -> &'static str {
        match self {
            Kind::Few => "few",
            Kind::Sent => "sent",
            Kind::Replied => "replied",
        }
    }

    fn result(self) -> &'static str {
        if self == Kind::Few { "stub::Two" } else { "stub::One" }
    }
}

fn is_data(ty: &Type) -> bool {
    matches!(ty, Type::String { .. } | Type::Bytes { .. })
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_))
}

/// Whether each word is one of its values, and each of these its word.
fn is_word(ty: &Type) -> bool {
    *ty == Type::Int { bits: 64, signed: true }
}

/// Whether a register of 32 bits has its values, and no others.
fn is_narrow(ty: &Type) -> bool {
    *ty == Type::Int { bits: 32, signed: true }
}

/// An operation of a plain session.
struct Plain<'s, 'a> {
    shape: &'s Shape<'a>,
    kind: Kind,
    ins: Vec<&'s Slot<'a>>,
    inout: Option<&'s Slot<'a>>,
    data: Option<&'s Slot<'a>>,
    results: Vec<&'s Slot<'a>>,
}

impl<'s, 'a> Plain<'s, 'a> {
    fn of(shape: &'s Shape<'a>) -> Option<Plain<'s, 'a>> {
        let kind = Kind::of(shape.operation)?;
        let values = |mode: Mode| {
            let slots = shape.slots.iter().filter(move |slot| slot.mode == mode && !is_data(slot.ty));
            slots.collect::<Vec<_>>()
        };
        let inout = values(Mode::InOut).first().copied();
        let data = shape.sent().or_else(|| shape.returned_piece());
        Some(Plain { shape, kind, ins: values(Mode::In), inout, data, results: values(Mode::Out) })
    }

    fn all(face: &'s Face<'a, '_>) -> impl Iterator<Item = Plain<'s, 'a>> {
        face.operations.iter().filter_map(Plain::of)
    }

    /// Whether results are handed on as they come: each of them is a word, and there are as many as travel.
    fn is_direct(&self) -> bool {
        let is_string =
            self.kind == Kind::Replied && matches!(self.data, Some(Slot { ty: Type::String { .. }, .. }));
        let count = if self.kind == Kind::Few { RESULTS_FEW } else { 1 };
        let is_kept = if self.is_narrow() { is_narrow } else { is_word };
        let are_words = self.results.iter().all(|slot| is_kept(slot.ty));
        self.shape.raised.is_none() && are_words && self.results.len() == count && !is_string
    }

    fn is_narrow(&self) -> bool {
        Kind::is_narrow(self.shape.operation)
    }

    /// The parameter of the server's function for the words or values of a kind without data.
    fn few_param(&self, ty: &str) -> String {
        let mut names: Vec<&str> = self.ins.iter().map(|slot| slot.name.as_str()).collect();
        if names.len() < WORDS_FEW {
            names.push("..");
        }
        let names = if self.ins.is_empty() { "_".to_owned() } else { format!("[{}]", names.join(", ")) };
        format!("{names}: [{ty}; {WORDS_FEW}]")
    }

    /// Places in the block: of the first word, of what comes back, of the second word, and of the data that are sent.
    fn places(&self) -> String {
        let place = |slot: Option<&&Slot<'_>>| slot.map_or(NO_PLACE, |slot| slot.word);
        let mut places = vec![place(self.ins.first()), place(self.inout.as_ref()), place(self.ins.get(1))];
        places.extend(self.data.filter(|_| self.kind == Kind::Sent).map(|slot| slot.word));
        places.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
    }
}

impl<'a> Rust<'a> {
    /// Whether an interface has operations of plain sessions, its own or inherited.
    fn is_plain(&self, id: InterfaceId) -> bool {
        self.module.interfaces[id.index()].operations.iter().any(|operation| Kind::of(operation).is_some())
    }

    // ---- The client ----

    /// `struct DirAt` and its methods.
    pub(super) fn plain_client(&self, face: &Face<'a, '_>, code: &mut Lines) {
        if !self.is_plain(face.id) {
            return;
        }
        let Trio { at, service, server, .. } = face.names;
        code.line(&format!(
            "/// An object of a [`{service}`] in a [plain](::carnet_portal::plain) session: what it is called by there."
        ));
        code.line(ALLOW);
        code.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]");
        code.line(&format!("pub struct {at}(pub stub::Number);"));
        code.blank();
        code.implement(
            &format!("From<stub::Number> for {at}"),
            &format!("from(number: stub::Number) -> {at}"),
            |code| {
                code.line(&format!("{at}(number)"));
            },
        );
        code.implement(
            &format!("From<{at}> for stub::Number"),
            &format!("from(at: {at}) -> stub::Number"),
            |code| {
                code.line("at.0");
            },
        );
        code.line(ALLOW);
        code.open(&format!("impl {at} {{"));
        code.line("/// An object for a plain session that `service` carries out the operations of.");
        code.line("#[must_use]");
        code.open(&format!("pub fn serve(service: impl {service}) -> stub::Kept<{at}> {{"));
        code.line(&format!("stub::keep::<{server}, _, _>(service)"));
        code.close("}");
        let base = self.module.interfaces[face.id.index()].base.filter(|base| self.is_plain(*base));
        if let Some(base) = base {
            let base = self.names.of(base).at;
            code.blank();
            code.line("/// The same object, as one of what it inherits from.");
            code.line("#[must_use]");
            code.open(&format!("pub fn to_base(self) -> {base} {{"));
            code.line(&format!("{base}(self.0)"));
            code.close("}");
        }
        for plain in Plain::all(face) {
            code.blank();
            self.plain_method(face, &plain, code);
        }
        code.shut("}");
    }

    fn plain_method(&self, face: &Face<'a, '_>, plain: &Plain<'_, 'a>, code: &mut Lines) {
        let shape = plain.shape;
        code.doc(&shape.operation.doc, &format!("The operation `{}`.", shape.operation.name));
        Self::errors(shape, code);
        if let Some(inout) = plain.inout {
            code.line(&format!("/// What `{}` holds then means nothing.", inout.title));
        }
        code.line("#[inline]");
        let is_replied = plain.kind == Kind::Replied;
        let (lifetime, channel) = if is_replied { ("<'c>", "&'c mut") } else { ("", "&mut") };
        let mut params = vec!["self".to_owned(), format!("channel: {channel} impl stub::Channel")];
        params.extend(self.client_params(shape).into_iter().skip(1));
        let results = shape.outs().map(|slot| match slot.is_written() {
            true => "&'c [u8]".to_owned(),
            false => self.owned(slot.ty),
        });
        let results: Vec<String> = results.collect();
        let tail = format!(") -> Result<{}, {}> {{", tuple(&results), Self::call_error(shape));
        code.list(&format!("pub fn {}{lifetime}(", shape.method), &params, &tail);
        code.indent();
        if plain.kind != Kind::Few && plain.inout.is_none() {
            code.line("let place = &mut 0;");
        }
        let (function, arguments) = self.plain_call(face, plain);
        if plain.is_direct() && !is_replied {
            code.list(&format!("{function}("), &arguments, ")");
        } else {
            let names: Vec<String> = plain.results.iter().map(|slot| slot.name.clone()).collect();
            let to = received(plain.kind, &names);
            code.list(&format!("{to}{function}("), &arguments, ")?;");
            self.plain_results(plain, code);
        }
        code.close("}");
    }

    /// What is called, and with what.
    fn plain_call(&self, face: &Face<'a, '_>, plain: &Plain<'_, 'a>) -> (String, Vec<String>) {
        let client = face.names.client;
        let mut arguments = vec!["self.0".to_owned(), "channel".to_owned(), plain.shape.number.to_string()];
        if plain.is_narrow() {
            let ins: Vec<&str> = plain.ins.iter().map(|slot| slot.name.as_str()).collect();
            arguments.push(format!("[{}]", ins.join(", ")));
            return (format!("stub::call_narrow::<{client}, {}>", ins.len()), arguments);
        }
        let ins: Vec<String> = plain.ins.iter().map(|slot| self.plain_word(plain.shape, slot)).collect();
        if plain.kind == Kind::Few {
            arguments.push(format!("[{}]", ins.join(", ")));
            return (format!("stub::call::<{client}, {}>", ins.len()), arguments);
        }
        let word = |at: usize| ins.get(at).cloned().unwrap_or_else(|| "0".to_owned());
        arguments.push(word(0));
        arguments.push(plain.inout.map_or("place", |slot| &slot.name).to_owned());
        arguments.push(word(1));
        arguments.extend(plain.data.filter(|_| plain.kind == Kind::Sent).map(|slot| slot.name.clone()));
        let function = if plain.kind == Kind::Sent { "call_in" } else { "call_out" };
        (format!("stub::{function}::<{client}, {}>", plain.places()), arguments)
    }

    fn plain_word(&self, shape: &Shape<'a>, slot: &Slot<'a>) -> String {
        Rust::sure_word(Some(slot.ty), &slot.name).unwrap_or_else(|| {
            format!("stub::u64_word({}).argument(\"{}\", \"{}\")?", slot.name, shape.title, slot.title)
        })
    }

    /// Checks what came back, and gives it.
    fn plain_results(&self, plain: &Plain<'_, 'a>, code: &mut Lines) {
        let shape = plain.shape;
        let check = format!(".reply(\"{}\")", shape.title);
        let as_they_come = |slot: &&&Slot<'_>| is_word(slot.ty) || plain.is_narrow();
        for slot in plain.results.iter().filter(|slot| !as_they_come(slot)) {
            let value = self.scalar(slot.ty, &format!("{}.cast_unsigned()", slot.name)).or(&check);
            code.assign(&format!("let {}", slot.name), &value);
        }
        if let Some((name, value)) = shape
            .returned_piece()
            .and_then(|slot| Some((&slot.name, bounded(slot.ty, "stub::Channel::reply(channel)")?)))
        {
            code.assign(&format!("let {name}"), &format!("{value}{check}?"));
        }
        let all: Vec<String> = shape.outs().map(|slot| slot.name.clone()).collect();
        code.line(&format!("Ok({})", tuple(&all)));
    }

    // ---- The server ----

    /// The functions of `stub::Dispatch` for plain sessions.
    pub(super) fn plain_dispatch(&self, face: &Face<'a, '_>, code: &mut Lines) {
        for kind in Kind::ALL {
            if face.interface.operations.iter().any(|operation| Kind::of(operation) == Some(kind)) {
                self.plain_way(face, kind, code);
            }
        }
        if face.interface.operations.iter().any(Kind::is_narrow) {
            Self::narrow_way(face, code);
        }
    }

    /// `few_narrow` of `stub::Dispatch`.
    fn narrow_way(face: &Face<'a, '_>, code: &mut Lines) {
        code.blank();
        code.line("#[inline(always)]");
        let names = ["w0", "w1", "w2", "w3"];
        let params = ["service: &S", "op: &u32", "caller: &stub::Caller"].map(str::to_owned);
        let params = params.into_iter().chain(names.map(|name| format!("{name}: i32"))).collect::<Vec<_>>();
        code.list("fn few_narrow(", &params, ") -> stub::Narrow {");
        code.indent();
        code.open("match *op {");
        let names = names.join(", ");
        if let Some(base) = face.base.filter(|_| face.interface.inherited > 0) {
            let last = face.interface.inherited - 1;
            code.line(&format!("..={last} => {}::few_narrow(service, op, caller, {names}),", base.server));
        }
        for number in Plain::all(face).filter(Plain::is_narrow).map(|plain| plain.shape.number) {
            code.line(&format!("{number} => Self::narrow_{number}(service, caller, [{names}]),"));
        }
        code.line("_ => Err(stub::unknown_again::<Self::Interface>(op)),");
        code.close("}");
        code.close("}");
    }

    fn plain_way(&self, face: &Face<'a, '_>, kind: Kind, code: &mut Lines) {
        code.blank();
        code.line("#[inline(always)]");
        let head = ["service: &S".to_owned(), "op: u32".to_owned()];
        let (lifetime, values, names) = match kind {
            Kind::Few => (
                "",
                vec!["caller: &stub::Caller", "w0: u64", "w1: u64", "w2: u64", "w3: u64"],
                "caller, w0, w1, w2, w3",
            ),
            Kind::Sent => ("<'a>", vec!["from: impl stub::SentFrom<'a>"], "from"),
            Kind::Replied => ("<'a>", vec!["from: impl stub::ReplyFrom<'a>"], "from"),
        };
        let params: Vec<String> = head.into_iter().chain(values.into_iter().map(str::to_owned)).collect();
        code.list(&format!("fn {}{lifetime}(", kind.name()), &params, &format!(") -> {} {{", kind.result()));
        code.indent();
        code.open("match op {");
        if let Some(base) = face.base.filter(|_| face.interface.inherited > 0) {
            let last = face.interface.inherited - 1;
            code.line(&format!("..={last} => {}::{}(service, op, {names}),", base.server, kind.name()));
        }
        for plain in Plain::all(face).filter(|plain| plain.kind == kind) {
            let number = plain.shape.number;
            match kind {
                Kind::Few => code
                    .line(&format!("{number} => Self::plain_{number}(service, caller, [w0, w1, w2, w3]),")),
                Kind::Sent | Kind::Replied => {
                    let (data, may_fail) = if kind == Kind::Sent { ("piece", "?") } else { ("out", "") };
                    code.open(&format!("{number} => {{"));
                    let places = plain.places();
                    code.line(&format!(
                        "let (caller, w0, place, w1, {data}) = from.take::<{places}>(){may_fail};"
                    ));
                    code.line(&format!("Self::plain_{number}(service, caller, w0, place, w1, {data})"));
                    code.close("}");
                }
            }
        }
        code.line(match kind {
            Kind::Few => "_ => Err(stub::no_plain_operation::<Self::Interface>(op)),",
            Kind::Sent | Kind::Replied => "_ => Err(from.unknown::<Self::Interface>(op)),",
        });
        code.close("}");
        code.close("}");
    }

    /// The functions that take arguments out of words, for all operations of plain sessions.
    pub(super) fn plain_operations(&self, face: &Face<'a, '_>, code: &mut Lines) {
        for plain in Plain::all(face) {
            code.blank();
            self.plain_operation(face, &plain, code);
            if plain.is_narrow() {
                code.blank();
                self.narrow_operation(face, &plain, code);
            }
        }
    }

    /// The function for values of 32 bits, as they are.
    fn narrow_operation(&self, face: &Face<'a, '_>, plain: &Plain<'_, 'a>, code: &mut Lines) {
        let Plain { shape, .. } = plain;
        code.line(&format!("/// `{}` in a plain session, whose values are in registers.", shape.title));
        code.line("#[inline(always)]");
        let mut params =
            vec![format!("service: &impl {}", face.names.service), "caller: &stub::Caller".to_owned()];
        params.push(plain.few_param("i32"));
        code.list(&format!("fn narrow_{}(", shape.number), &params, ") -> stub::Narrow {");
        code.indent();
        self.plain_invoke(plain, code);
        code.close("}");
    }

    fn plain_operation(&self, face: &Face<'a, '_>, plain: &Plain<'_, 'a>, code: &mut Lines) {
        let (shape, kind) = (plain.shape, plain.kind);
        code.line(&format!("/// `{}` in a plain session.", shape.title));
        code.line("#[inline(always)]");
        let mut params =
            vec![format!("service: &impl {}", face.names.service), "caller: &stub::Caller".to_owned()];
        let name = |slot: Option<&&Slot<'_>>| slot.map_or("_".to_owned(), |slot| slot.name.clone());
        if kind == Kind::Few {
            params.push(plain.few_param("u64"));
        } else {
            params.push(format!("{}: u64", name(plain.ins.first())));
            params.push(format!("{}: &mut i64", name(plain.inout.as_ref())));
            params.push(format!("{}: u64", name(plain.ins.get(1))));
            let ty = if kind == Kind::Sent { "&[u8]" } else { "&mut Vec<u8>" };
            params.push(format!("{}: {ty}", name(plain.data.as_ref())));
        }
        code.list(
            &format!("fn plain_{}(", plain.shape.number),
            &params,
            &format!(") -> {} {{", kind.result()),
        );
        code.indent();
        self.plain_arguments(plain, code);
        if plain.is_narrow() {
            let mut values: Vec<&str> = plain.ins.iter().map(|slot| slot.name.as_str()).collect();
            values.resize(WORDS_FEW, "0");
            let (number, values) = (shape.number, values.join(", "));
            code.line(&format!("stub::widened(Self::narrow_{number}(service, caller, [{values}]))"));
        } else {
            self.plain_invoke(plain, code);
        }
        code.close("}");
    }

    fn plain_arguments(&self, plain: &Plain<'_, 'a>, code: &mut Lines) {
        let title = &plain.shape.title;
        for slot in &plain.ins {
            let check = format!(".argument(\"{title}\", \"{}\")", slot.title);
            code.assign(&format!("let {}", slot.name), &self.scalar(slot.ty, &slot.name).or(&check));
        }
        let Some(slot) = plain.data else { return };
        let (Type::String { max } | Type::Bytes { max }) = slot.ty else { return };
        if plain.kind == Kind::Replied {
            code.line(&format!("let mut {0} = stub::BytesOut::new({0}, {max});", slot.name));
            return;
        }
        let Some(value) = bounded(slot.ty, &slot.name) else { return };
        let check = format!(".argument(\"{title}\", \"{}\")?", slot.title);
        code.assign(&format!("let {}", slot.name), &format!("{value}{check}"));
    }

    fn plain_invoke(&self, plain: &Plain<'_, 'a>, code: &mut Lines) {
        let (shape, title) = (plain.shape, &plain.shape.title);
        let mut arguments = vec!["caller".to_owned()];
        arguments.extend(
            shape.declared().iter().filter(|slot| slot.mode != Mode::Out).map(|slot| slot.name.clone()),
        );
        if let (Kind::Replied, Some(slot)) = (plain.kind, plain.data) {
            arguments.push(format!("&mut {}", slot.name));
        }
        let call = format!("service.{}({})", shape.method, arguments.join(", "));
        if plain.is_direct() {
            code.line(&format!("stub::carried(\"{title}\", || {call})"));
            return;
        }
        let names: Vec<String> = plain.results.iter().map(|slot| slot.name.clone()).collect();
        let to = if names.is_empty() { String::new() } else { format!("let {} = ", tuple(&names)) };
        code.line(&format!("{to}stub::carried(\"{title}\", || Ok({call}?))?;"));
        if let (Kind::Replied, Some(Slot { name, ty: Type::String { .. }, .. })) = (plain.kind, plain.data) {
            code.line(&format!("{name}.finish_string(\"{title}\")?;"));
        }
        let word = |slot: &&Slot<'_>| match is_word(slot.ty) || plain.is_narrow() {
            true => slot.name.clone(),
            false => {
                let word = Rust::sure_word(Some(slot.ty), &slot.name);
                let word = word.unwrap_or_else(|| format!("stub::u64_result({}, \"{title}\")?", slot.name));
                format!("{word}.cast_signed()")
            }
        };
        let mut words: Vec<String> = plain.results.iter().map(word).collect();
        words.resize(if plain.kind == Kind::Few { RESULTS_FEW } else { 1 }, "0".to_owned());
        code.line(&format!("Ok({})", tuple(&words)));
    }
}

/// What a client calls results by until they are checked.
fn received(kind: Kind, names: &[String]) -> String {
    match (kind, names) {
        (_, []) => String::new(),
        (Kind::Few, [one]) => format!("let ({one}, _) = "),
        (Kind::Few, _) => format!("let {} = ", tuple(names)),
        (_, [one, ..]) => format!("let {one} = "),
    }
}
