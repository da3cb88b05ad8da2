//! What parameters are in C: their types, the words that they take, the checks of scalars.

use super::C;
use super::names::{For, parameters};
use super::words::is_of_runtime;
use crate::descriptor::{Interface, Mode, Operation, Type, Word};

/// A parameter, or the result.
pub(super) struct Slot<'a> {
    pub(super) mode: Mode,
    pub(super) ty: &'a Type,
    /// Its name in C.
    pub(super) name: String,
    /// Name of the list that comes back, if it is a list that goes both ways: that is of another type.
    pub(super) back: String,
    /// Name of the buffer for what comes back, if that is data.
    pub(super) into: String,
    /// Its first word among those of its mode.
    pub(super) first: usize,
}

impl Slot<'_> {
    /// Whether what comes back is data, which can have a buffer.
    pub(super) fn has_buffer(&self) -> bool {
        !self.into.is_empty()
    }

    /// Name of what comes back.
    pub(super) fn given_back(&self) -> &str {
        if self.back.is_empty() { &self.name } else { &self.back }
    }
}

/// A part of a parameter that takes one word.
pub(super) struct Leaf<'a> {
    pub(super) ty: &'a Type,
    /// Its value.
    pub(super) expr: String,
    /// Its word, counted from the start of the message that it stands in.
    pub(super) word: usize,
}

/// An operation as its stubs see it.
pub(super) struct Shape<'a> {
    /// Result first, then as declared.
    pub(super) slots: Vec<Slot<'a>>,
    /// What the operation returns, if it returns its result.
    pub(super) returned: Option<&'a Type>,
    /// Whether the operation's own functions return a status.
    pub(super) raises: bool,
    pub(super) ins: usize,
    pub(super) inouts: usize,
    pub(super) outs: usize,
    /// Words of the request and of the reply that refer to something, where there are several.
    pub(super) sent: Option<String>,
    pub(super) replied: Option<String>,
    /// Those of the reply.
    pub(super) references: String,
}

/// What a function before this one said to nobody is not this one's, and may be gone.
pub(super) const SAYS_NOTHING: &str = "carnet_saying = NULL;";

/// Words of a near message, either way.
const NEAR_WORDS_MAX: usize = 6;

/// Bytes with a bound of at least this many are gathered instead of copied.
const GATHER_BYTES_MIN: u32 = 1024;

pub(super) fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_))
}

/// Whether every word is a value of the type, so that it can be used where it lies.
pub(super) fn is_word(ty: &Type) -> bool {
    matches!(ty, Type::Int { bits: 64, signed: true })
}

/// Whether it is the lower half of its word in a near message.
pub(super) fn is_half(ty: &Type) -> bool {
    matches!(ty, Type::Int { bits: 32, signed: true })
}

/// A bit for each word that refers to something, of which there are at most 64.
pub(super) fn references_of<'w>(words: impl IntoIterator<Item = &'w Word>) -> String {
    let words = words.into_iter().enumerate();
    let bits: u64 = words.filter(|(_, word)| is_reference(word)).map(|(at, _)| 1 << at).sum();
    format!("UINT64_C(0x{bits:x})")
}

fn is_reference(word: &Word) -> bool {
    matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. })
}

pub(super) fn is_data(ty: &Type) -> bool {
    matches!(ty, Type::String { .. } | Type::Bytes { .. } | Type::List { .. })
}

impl<'a> C<'a> {
    pub(super) fn shape(&self, operation: &'a Operation) -> Shape<'a> {
        let layout = &operation.layout;
        let raises = !operation.raises.is_empty();
        let returned = operation.result.as_ref().filter(|ty| !raises && is_scalar(ty));
        let mut taken = parameters();
        let mut first = [0; 3];
        let mut place = |mode: Mode, words: usize| {
            let at = &mut first[mode as usize];
            *at += words;
            *at - words
        };
        let mut slots = vec![];
        if let Some(ty) = &operation.result {
            let first = place(Mode::Out, self.stride(ty));
            let name = self.taken.parameter("result", &mut taken);
            slots.push(Slot { mode: Mode::Out, ty, name, back: String::new(), into: String::new(), first });
        }
        for param in &operation.params {
            let first = place(param.mode, self.stride(&param.ty));
            let name = self.taken.parameter(&param.name, &mut taken);
            slots.push(Slot {
                mode: param.mode,
                ty: &param.ty,
                name,
                back: String::new(),
                into: String::new(),
                first,
            });
        }
        // Behind all others, which have the names of the file.
        for slot in slots.iter_mut().filter(|slot| slot.mode == Mode::InOut) {
            if let Type::List { .. } = slot.ty {
                slot.back = self.taken.parameter(&format!("{}_back", slot.name), &mut taken);
            }
        }
        for slot in slots.iter_mut().filter(|slot| slot.mode != Mode::In && is_data(slot.ty)) {
            slot.into = self.taken.parameter(&format!("{}_into", slot.name), &mut taken);
        }
        let (ins, inouts, outs) = (layout.ins.len(), layout.inouts.len(), layout.outs.len());
        let several = |words: [&'a [Word]; 2]| {
            let words = || words.into_iter().flatten();
            (words().filter(|word| is_reference(word)).count() > 1).then(|| references_of(words()))
        };
        let sent = several([&layout.ins, &layout.inouts]);
        let replied = several([&layout.inouts, &layout.outs]);
        let references = references_of(layout.inouts.iter().chain(&layout.outs));
        Shape { slots, returned, raises, ins, inouts, outs, sent, replied, references }
    }

    /// The words of an operation's request and reply of which half counts in near messages; `None` if it has none of these.
    pub(super) fn halves(&self, operation: &'a Operation) -> Option<Halves> {
        let shape = self.shape(operation);
        let (request, reply) = (shape.request(self, Access::Value), shape.reply(self, Access::Value));
        let (sent, answered) = (Extras::of(&request), shape.replied(&reply));
        let fits = shape.request_words().max(shape.reply_words()) <= NEAR_WORDS_MAX;
        let is_flat = |extras: &Extras| extras.portals == 0 && (extras.data == 0 || extras.piece.is_some());
        let is_one_way = sent.data == 0 || answered.data == 0;
        if !self.is_plain(operation) || !fits || !is_one_way || !is_flat(&sent) || !is_flat(&answered) {
            return None;
        }
        let mask = |leaves: &[Leaf<'_>]| {
            leaves.iter().filter(|leaf| is_half(leaf.ty)).map(|leaf| 1 << (leaf.word - 2)).sum::<u8>()
        };
        let result = shape.slots(Mode::Out).find(|slot| shape.is_returned(slot) && is_half(slot.ty));
        let result = result.map_or(0, |slot| 1 << (shape.reply_base(Mode::Out) - 2 + slot.first));
        let halves = Halves { request: mask(&request), reply: mask(&reply) | result };
        (halves.request | halves.reply != 0).then_some(halves)
    }

    /// The leaves of `slot`, whose words of its mode begin at `base`. `access` is how a value is reached from the name:
    /// `name` itself, or what it points to.
    pub(super) fn leaves(&self, slot: &Slot<'a>, access: Access, base: usize) -> Vec<Leaf<'a>> {
        let mut leaves = vec![];
        let expr = match (slot.ty, access) {
            (Type::Struct(_), Access::Pointer) => format!("{}->", slot.name),
            (Type::Struct(_), Access::Value) => format!("{}.", slot.name),
            (_, Access::Pointer) => format!("*{}", slot.name),
            (_, Access::Value) => slot.name.clone(),
        };
        self.flatten(slot.ty, expr, &mut (base + slot.first), &mut leaves);
        leaves
    }

    fn flatten(&self, ty: &'a Type, expr: String, next: &mut usize, leaves: &mut Vec<Leaf<'a>>) {
        if let Type::Struct(id) = ty {
            let fields = &self.module.structs[id.index()].fields;
            for (field, name) in fields.iter().zip(self.members(fields)) {
                let dot = if matches!(field.ty, Type::Struct(_)) { "." } else { "" };
                self.flatten(&field.ty, format!("{expr}{name}{dot}"), next, leaves);
            }
            return;
        }
        leaves.push(Leaf { ty, expr, word: *next });
        *next += 1;
    }

    /// The C type of a value, as it is handed to and from clients.
    pub(super) fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Int { bits, signed } => format!("{}int{bits}_t", if *signed { "" } else { "u" }),
            Type::Enum(_) => format!("enum {}", self.tag(ty)),
            Type::String { .. } => "struct carnet_string".to_owned(),
            Type::Bytes { .. } => "struct carnet_bytes".to_owned(),
            Type::List { .. } => "struct carnet_list".to_owned(),
            Type::Char => "uint8_t".to_owned(),
            Type::Float { bits: 32 } => "float".to_owned(),
            Type::Float { .. } => "double".to_owned(),
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } => format!("struct {}", self.tag(ty)),
            Type::Portal(_) => "struct carnet_portal".to_owned(),
        }
    }

    /// What stands behind `struct` or `enum`.
    pub(super) fn tag(&self, ty: &Type) -> String {
        let what = if matches!(ty, Type::Array { .. }) { For::Array } else { For::Definition };
        self.names.of(what, &self.identity(ty))
    }

    /// `Dir.open`, for messages and for names.
    pub(super) fn place(interface: &Interface, operation: &Operation) -> String {
        format!("{}.{}", interface.name, operation.name)
    }

    /// `files_Dir_open`.
    pub(super) fn operation(&self, interface: &Interface, operation: &Operation) -> String {
        self.stub(For::Operation, interface, operation)
    }

    /// What is made of an operation.
    pub(super) fn stub(&self, what: For, interface: &Interface, operation: &Operation) -> String {
        self.names.of(what, &C::place(interface, operation))
    }

    /// The kinds that an operation raises, as two arguments: the first of them, and how many.
    pub(super) fn kinds(&self, operation: &Operation) -> String {
        match self.module.plain_exception(operation) {
            _ if operation.raises.is_empty() => "0, 0".to_owned(),
            Some((kinds, _)) => format!("0, {}", self.module.enums[kinds.index()].values.len()),
            None => format!("CARNET_TYPED, {}", operation.raises.len()),
        }
    }

    /// A client's expression that remembers why a call failed.
    pub(super) fn failed(&self, operation: &Operation) -> String {
        match operation.raises.is_empty() {
            true => "carnet_failed(answer)".to_owned(),
            false => format!("carnet_failed_or_raised(answer, {})", self.kinds(operation)),
        }
    }

    /// A server's expression for the status that its function returned.
    pub(super) fn declared(&self, operation: &Operation) -> String {
        format!("carnet_declared(status, {})", self.kinds(operation))
    }

    /// What a client's stub returns.
    pub(super) fn called_returns(&self, shape: &Shape<'a>) -> String {
        shape.returned.map_or("carnet_status".to_owned(), |ty| self.ty(ty))
    }

    /// What a client's stub takes.
    pub(super) fn called_parameters(&self, shape: &Shape<'a>) -> Vec<String> {
        let own = shape.parameters().flat_map(|slot| {
            let (ty, name) = (self.ty(slot.ty), &slot.name);
            match (slot.mode, slot.ty) {
                (Mode::In, Type::List { of, .. }) => vec![format!("{} {name}", self.given_list(of))],
                (Mode::InOut, Type::List { of, .. }) => {
                    vec![format!("{} {name}", self.given_list(of)), format!("{ty} *{}", slot.back)]
                }
                (Mode::In, ty_) if C::is_compound(ty_) => vec![format!("const {ty} *{name}")],
                (Mode::In, _) => vec![format!("{ty} {name}")],
                _ => vec![format!("{ty} *{name}")],
            }
        });
        std::iter::once("struct carnet_portal self".to_owned()).chain(own).collect()
    }

    /// What a server's function takes.
    pub(super) fn served_parameters(&self, shape: &Shape<'a>) -> Vec<String> {
        let own = shape.parameters().flat_map(|slot| {
            let (ty, name) = (self.ty(slot.ty), &slot.name);
            match (slot.mode, slot.ty) {
                (Mode::In, Type::Portal(_)) => vec![format!("void *{name}")],
                (Mode::InOut, Type::Portal(_)) => vec![format!("{} *{name}", self.part(slot.ty))],
                (Mode::Out, Type::Portal(_)) => vec![format!("void **{name}")],
                (Mode::In, Type::List { .. }) => vec![format!("const {ty} *{name}")],
                (Mode::InOut, Type::List { of, .. }) => {
                    vec![format!("const {ty} *{name}"), format!("{} *{}", self.given_list(of), slot.back)]
                }
                (Mode::Out, Type::List { of, .. }) => vec![format!("{} *{name}", self.given_list(of))],
                (Mode::In, ty_) if C::is_compound(ty_) => vec![format!("const {ty} *{name}")],
                (Mode::In, _) => vec![format!("{ty} {name}")],
                _ => vec![format!("{ty} *{name}")],
            }
        });
        std::iter::once("const struct carnet_self *self".to_owned()).chain(own).collect()
    }

    /// What a server's function returns.
    pub(super) fn served_returns(&self, shape: &Shape<'a>) -> String {
        match shape.returned {
            Some(ty) => format!("{} ", self.ty(ty)),
            None if shape.raises => "carnet_status ".to_owned(),
            None => "void ".to_owned(),
        }
    }

    /// The word of a scalar.
    pub(super) fn to_word(ty: &Type, expr: &str) -> String {
        match ty {
            Type::Int { signed: true, bits } if *bits < 64 => format!("(uint64_t)(int64_t){expr}"),
            Type::Float { bits: 32 } => format!("carnet_of_float({expr})"),
            Type::Float { .. } => format!("carnet_of_double({expr})"),
            _ => format!("(uint64_t){expr}"),
        }
    }

    /// The scalar that is in a word.
    pub(super) fn to_scalar(&self, ty: &Type, word: &str) -> String {
        match ty {
            Type::Bool => format!("{word} != 0"),
            Type::Float { bits: 32 } => format!("carnet_to_float({word})"),
            Type::Float { .. } => format!("carnet_to_double({word})"),
            _ => format!("({}){word}", self.ty(ty)),
        }
    }

    /// The condition under which `word` is no value of the type; `None` if every word is one.
    pub(super) fn no_scalar(&self, ty: &Type, word: &str) -> Option<String> {
        match ty {
            Type::Bool => Some(format!("{word} > 1")),
            Type::Char => Some(format!("{word} > UINT8_MAX")),
            Type::Float { bits: 32 } => Some(format!("{word} > UINT32_MAX")),
            Type::Enum(id) => Some(format!("{word} >= {}", self.module.enums[id.index()].values.len())),
            Type::Int { bits: 64, signed: true } => None,
            Type::Int { bits: 64, signed: false } => Some(format!("{word} > INT64_MAX")),
            Type::Int { bits, signed: true } => Some(format!("(int64_t){word} != (int{bits}_t){word}")),
            Type::Int { bits, signed: false } => Some(format!("{word} > UINT{bits}_MAX")),
            _ => None,
        }
    }

    /// As [`C::no_scalar`], of a value of its C type, which is as long as it should be.
    pub(super) fn no_value(&self, ty: &Type, value: &str) -> Option<String> {
        match ty {
            Type::Enum(_) => self.no_scalar(ty, &format!("carnet_of_enum((uint64_t){value})")),
            Type::Int { bits: 64, .. } => self.no_scalar(ty, value),
            _ => None,
        }
    }
}

/// How a value is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// The name is the value.
    Value,
    /// The name points to it.
    Pointer,
}

impl<'a> Shape<'a> {
    /// A name for a variable of a stub's own, which neither a parameter nor the runtime has: `carnet_given` would be both for a
    /// portal `carnet`.
    pub(super) fn local(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while is_of_runtime(&name)
            || self.slots.iter().any(|slot| [&slot.name, &slot.back, &slot.into].contains(&&name))
        {
            name.push('_');
        }
        name
    }

    /// What comes back and can have a buffer, in the order of its words.
    pub(super) fn buffers(&self) -> impl Iterator<Item = &Slot<'a>> {
        [Mode::InOut, Mode::Out]
            .into_iter()
            .flat_map(|mode| self.slots(mode))
            .filter(|slot| slot.has_buffer())
    }

    pub(super) fn slots(&self, mode: Mode) -> impl Iterator<Item = &Slot<'a>> {
        self.slots.iter().filter(move |slot| slot.mode == mode)
    }

    /// The parameters of stubs, in their order: all but what is returned.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &Slot<'a>> {
        let modes = [Mode::In, Mode::InOut, Mode::Out];
        modes.into_iter().flat_map(|mode| self.slots(mode)).filter(|slot| !self.is_returned(slot))
    }

    /// Whether the result is the operation's return value.
    pub(super) fn is_returned(&self, slot: &Slot<'a>) -> bool {
        self.returned.is_some_and(|ty| std::ptr::eq(ty, slot.ty))
    }

    pub(super) fn request_words(&self) -> usize {
        self.ins + self.inouts
    }

    pub(super) fn reply_words(&self) -> usize {
        self.inouts + self.outs
    }

    /// First word of the request's leaves of a mode.
    pub(super) fn request_base(&self, mode: Mode) -> usize {
        2 + if mode == Mode::In { 0 } else { self.ins }
    }

    /// First word of the reply's leaves of a mode, counted from the reply's head.
    pub(super) fn reply_base(&self, mode: Mode) -> usize {
        2 + if mode == Mode::InOut { 0 } else { self.inouts }
    }

    /// What goes in, or comes out: leaves in the order of their words.
    pub(super) fn request(&self, c: &C<'a>, inout: Access) -> Vec<Leaf<'a>> {
        let mut leaves = vec![];
        for slot in self.slots(Mode::In) {
            let access = if matches!(slot.ty, Type::Struct(_)) { Access::Pointer } else { Access::Value };
            leaves.extend(c.leaves(slot, access, self.request_base(Mode::In)));
        }
        for slot in self.slots(Mode::InOut) {
            leaves.extend(c.leaves(slot, inout, self.request_base(Mode::InOut)));
        }
        leaves
    }

    /// As [`Shape::request`], without what the operation returns.
    pub(super) fn reply(&self, c: &C<'a>, access: Access) -> Vec<Leaf<'a>> {
        let mut leaves = vec![];
        for mode in [Mode::InOut, Mode::Out] {
            for slot in self.slots(mode).filter(|slot| !self.is_returned(slot)) {
                leaves.extend(c.leaves(slot, access, self.reply_base(mode)));
            }
        }
        leaves
    }

    /// What a reply of these leaves has. A struct is handed over whole, so that none of its data is a piece that is left where
    /// it lies.
    pub(super) fn replied(&self, reply: &[Leaf<'a>]) -> Extras {
        let mut extras = Extras::of(reply);
        let is_alone = |leaf: &Leaf<'a>| self.slots.iter().any(|slot| std::ptr::eq(slot.ty, leaf.ty));
        extras.piece =
            extras.piece.filter(|word| reply.iter().any(|leaf| leaf.word == *word && is_alone(leaf)));
        extras
    }
}

/// For each word of a near request and reply a bit that says whether half of it counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halves {
    pub(super) request: u8,
    pub(super) reply: u8,
}

/// The head of a message of our own: near, with the word that refers to its piece.
pub(super) fn near_head(number: usize, words: usize, piece: Option<usize>, halves: u8) -> String {
    match piece {
        Some(at) => format!("CARNET_NEAR_PIECE({number}, {words}, {at}, 0x{halves:x})"),
        None => format!("CARNET_NEAR({number}, {words}, CARNET_NO_PIECE, 0x{halves:x})"),
    }
}

/// What a message has beside scalars.
pub(super) struct Extras {
    pub(super) portals: usize,
    pub(super) data: usize,
    /// The word of the only data, if it may be gathered; counted from the head.
    pub(super) piece: Option<usize>,
}

impl Extras {
    pub(super) fn of(leaves: &[Leaf<'_>]) -> Extras {
        let portals = leaves.iter().filter(|leaf| matches!(leaf.ty, Type::Portal(_))).count();
        let data: Vec<&Leaf<'_>> = leaves.iter().filter(|leaf| is_data(leaf.ty)).collect();
        let piece = match data[..] {
            [only] if portals == 0 && matches!(only.ty, Type::Bytes { max } if *max >= GATHER_BYTES_MIN) => {
                Some(only.word)
            }
            _ => None,
        };
        Extras { portals, data: data.len(), piece }
    }
}
