//! What lies behind the header of a message: random ones that are right, changes that make them wrong, and what they say.

use carnet_idl::descriptor::{Arm, Module, Operation, Type, Word};

use crate::entropy::Entropy;
use crate::mutate::damage;

/// Words, portal ids and data of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Body {
    /// Number of portal ids, as the header says it.
    pub portals: u8,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// A word of a message with what it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A scalar.
    Word(u64),
    /// A string or bytes.
    Bytes(Vec<u8>),
    /// A portal's id.
    Portal(u32),
    /// The words of all elements.
    List(Vec<Said>),
}

/// The types whose words a message has.
#[must_use]
pub fn sent_types(operation: &Operation) -> Vec<Type> {
    types(operation, carnet_idl::descriptor::Mode::In)
}

/// The types whose words the reply of an operation has.
#[must_use]
pub fn returned_types(operation: &Operation) -> Vec<Type> {
    types(operation, carnet_idl::descriptor::Mode::Out)
}

fn types(operation: &Operation, own: carnet_idl::descriptor::Mode) -> Vec<Type> {
    use carnet_idl::descriptor::Mode;
    let of = |mode: Mode| {
        operation.params.iter().filter(move |param| param.mode == mode).map(|param| param.ty.clone())
    };
    match own {
        Mode::Out => of(Mode::InOut).chain(operation.result.clone()).chain(of(Mode::Out)).collect(),
        _ => of(Mode::In).chain(of(Mode::InOut)).collect(),
    }
}

/// The words of values of these types.
#[must_use]
pub fn words_of(module: &Module, types: &[Type]) -> Vec<Word> {
    let mut words = Vec::new();
    types.iter().for_each(|ty| module.flatten(ty, &mut words));
    words
}

/// Where the data of a value goes.
#[derive(Clone, Copy)]
enum Place {
    /// To the message's, where each item begins at a multiple of 8.
    Message,
    /// To its list's or exception's, one item after the other.
    Element,
}

/// Makes a random message that is right.
struct Maker<'m, 'e, 'b> {
    module: &'m Module,
    entropy: &'e mut Entropy<'b>,
    ids: Vec<u32>,
    wanted: Wanted,
    /// Bits that the bytes of strings may have.
    letter: u8,
}

/// What a random message has.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Makes the id of a portal.
    pub portal: fn(&mut Entropy<'_>) -> u32,
    /// So many elements or bytes more than their bound lists, strings and arrays may have.
    pub beyond: u32,
}

/// A random message whose words are those of `types`.
pub fn random(module: &Module, types: &[Type], entropy: &mut Entropy<'_>, wanted: Wanted) -> Body {
    let mut maker = Maker { module, entropy, ids: Vec::new(), wanted, letter: 0xff };
    let (mut words, mut data) = (Vec::new(), Vec::new());
    for ty in types {
        maker.value(ty, Place::Message, &mut words, &mut data);
    }
    let mut bytes = bytes_of(&words);
    bytes.extend(maker.ids.iter().flat_map(|id| id.to_le_bytes()));
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.extend(data);
    Body { portals: maker.ids.len() as u8, bytes }
}

/// The members of a random exception, as they come instead of a reply's words. Its strings are ASCII: what is for people
/// need not survive if it is no text.
pub fn random_members(module: &Module, types: &[Type], entropy: &mut Entropy<'_>, beyond: u32) -> Body {
    let wanted = Wanted { portal: |_| 0, beyond };
    let mut maker = Maker { module, entropy, ids: Vec::new(), wanted, letter: 0x7f };
    let (mut words, mut data) = (Vec::new(), Vec::new());
    for ty in types {
        maker.value(ty, Place::Element, &mut words, &mut data);
    }
    Body { portals: 0, bytes: [bytes_of(&words), data].concat() }
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Maker<'_, '_, '_> {
    fn value(&mut self, ty: &Type, place: Place, words: &mut Vec<u64>, data: &mut Vec<u8>) {
        let word = match ty {
            Type::Bool => self.entropy.below(2) as u64,
            Type::Char => self.entropy.below(256) as u64,
            Type::Float { bits: 32 } => u64::from(self.real().to_bits()),
            Type::Float { .. } => f64::from(self.real()).to_bits(),
            Type::Int { bits, signed } => self.int(*bits, *signed),
            Type::Enum(id) => self.entropy.below(self.module.enums[id.index()].values.len()) as u64,
            Type::String { max } => self.text(*max).put(place, data),
            Type::Bytes { max } => self.octets(*max as usize, 0).put(place, data),
            Type::Portal(_) => {
                self.ids.push((self.wanted.portal)(self.entropy));
                self.ids.len() as u64 - 1
            }
            Type::List { of, max } => self.list(of, *max).put(place, data),
            Type::Array { of, len } => {
                let Some(len) = ty.octets() else {
                    return (0..*len).for_each(|_| self.value(of, place, words, data));
                };
                self.octets(len as usize, len as usize).put(place, data)
            }
            Type::Struct(id) => {
                let module = self.module;
                let fields = &module.structs[id.index()].fields;
                return fields.iter().for_each(|field| self.value(&field.ty, place, words, data));
            }
            Type::Union(_) => return self.union(ty, place, words, data),
        };
        words.push(word);
    }

    /// The words of the arm in their places, scalars before references; those that it has not are zero.
    fn union(&mut self, ty: &Type, place: Place, words: &mut Vec<u64>, data: &mut Vec<u8>) {
        let Type::Union(id) = ty else { return };
        let union = &self.module.unions[id.index()];
        let arm = self.entropy.pick(&union.arms);
        words.push(match arm.labels.first() {
            Some(_) => self.entropy.pick(&arm.labels).cast_unsigned(),
            None => self.other_label(&union.switch, &|label| {
                union.arms.iter().any(|arm| arm.labels.contains(&label))
            }),
        });
        let mut layout = Vec::new();
        self.module.flatten(&arm.ty, &mut layout);
        let mut own = Vec::new();
        self.value(&arm.ty, place, &mut own, data);
        let (first, shape) = (words.len(), union.shape);
        words.resize(first + shape.scalars + shape.references, 0);
        let (mut scalar, mut reference) = (first, first + shape.scalars);
        for (word, value) in layout.iter().zip(own) {
            let next = if is_reference(word) { &mut reference } else { &mut scalar };
            words[*next] = value;
            *next += 1;
        }
    }

    /// A discriminant that chooses no arm by its label.
    fn other_label(&mut self, switch: &Type, is_taken: &dyn Fn(i64) -> bool) -> u64 {
        let Type::Int { bits, signed } = switch else { return 0 };
        loop {
            let label = self.int(*bits, *signed);
            if !is_taken(label.cast_signed()) {
                return label;
            }
        }
    }

    fn list(&mut self, of: &Type, max: u32) -> Item {
        let count = self.entropy.below((max + self.wanted.beyond) as usize + 1);
        let (mut words, mut data) = (vec![count as u64], Vec::new());
        (0..count).for_each(|_| self.value(of, Place::Element, &mut words, &mut data));
        Item([bytes_of(&words), data].concat())
    }

    fn int(&mut self, bits: u8, signed: bool) -> u64 {
        let int = self.entropy.int();
        // Unsigned 64-bit numbers end where signed ones do.
        let shift = if signed || bits < 64 { 64 - u32::from(bits) } else { 1 };
        if signed { (int << shift >> shift).cast_unsigned() } else { int.cast_unsigned() << shift >> shift }
    }

    fn real(&mut self) -> f32 {
        *self.entropy.pick(&[0.0, -0.0, 1.5, -1e30, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE])
    }

    fn text(&mut self, max: u32) -> Item {
        let mut text = self.entropy.text(max as usize);
        if self.entropy.one_in(4) {
            text.resize((max + self.wanted.beyond) as usize, b'x');
        }
        text.iter_mut().for_each(|byte| *byte &= self.letter);
        Item(text)
    }

    fn octets(&mut self, max: usize, min: usize) -> Item {
        let len = if self.entropy.one_in(4) {
            max + self.wanted.beyond as usize
        } else {
            min + self.entropy.below(max - min + 1)
        };
        Item((0..len).map(|_| self.entropy.below(256) as u8).collect())
    }
}

/// Something that a word refers to.
struct Item(Vec<u8>);

impl Item {
    fn put(self, place: Place, data: &mut Vec<u8>) -> u64 {
        if let Place::Message = place {
            data.resize(data.len().next_multiple_of(8), 0);
        }
        let word = (data.len() as u64) << 24 | self.0.len() as u64;
        data.extend(self.0);
        word
    }
}

fn is_reference(word: &Word) -> bool {
    matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. })
}

/// Changes a message a little. Mostly a word, whether of the message, of a list or of an array; also its end, single
/// bits, and the number of portals.
pub fn change(body: &mut Body, entropy: &mut Entropy<'_>) {
    match entropy.below(12) {
        0 => body.bytes.truncate(entropy.below(body.bytes.len() + 1)),
        1 => body.bytes.extend((0..entropy.below(20)).map(|k| k as u8)),
        2 => damage(&mut body.bytes, entropy),
        3 => body.portals = *entropy.pick(&[0, 1, 2, 3, 4, 255]),
        _ => {
            let at = entropy.below(body.bytes.len() / 8) * 8;
            let word = strange(body.bytes.len(), entropy);
            if let Some(place) = body.bytes.get_mut(at..at + 8) {
                place.copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// A word that decoders may take for something: a small number, an edge, or a reference near the end of `len` bytes.
fn strange(len: usize, entropy: &mut Entropy<'_>) -> u64 {
    match entropy.below(10) {
        0 => entropy.bits(),
        1 => u64::MAX - entropy.below(4) as u64,
        2 => 1 << entropy.below(64),
        3 => (1 << entropy.below(64)) - 1,
        4 => entropy.below(400) as u64,
        5 => *entropy.pick(&[97, 98, i64::MIN + 1, -4, i64::from(i32::MIN), i64::from(i32::MIN) - 1]) as u64,
        6 | 7 => {
            let offset = if entropy.one_in(2) { entropy.below(6) * 8 } else { entropy.below(len + 2) };
            let length =
                *entropy.pick(&[0, 1, 5, 8, 9, 15, 16, 17, 24, len.saturating_sub(offset), len, 0xff_ffff]);
            (offset as u64) << 24 | length as u64
        }
        _ => entropy.below(5) as u64,
    }
}

/// What a message says whose words are those of `types`; `None` if it is none.
#[must_use]
pub fn said(module: &Module, types: &[Type], body: &Body) -> Option<Vec<Said>> {
    let words = words_of(module, types).len();
    let ids_at = words * 8;
    let data_at = ids_at + (usize::from(body.portals) * 4).next_multiple_of(8);
    let ids = body.bytes.get(ids_at..data_at)?;
    let words = words_in(&body.bytes, words)?;
    Saying { module, ids }.all(types, &words, &body.bytes[data_at..])
}

/// The portal ids of a message with so many words, as many as are there.
#[must_use]
pub fn ids(words: usize, body: &Body) -> Vec<u32> {
    let (chunks, _) = body.bytes.get(words * 8..).unwrap_or(&[]).as_chunks::<4>();
    chunks.iter().take(usize::from(body.portals)).map(|id| u32::from_le_bytes(*id)).collect()
}

/// What the members of an exception say.
#[must_use]
pub fn said_members(module: &Module, types: &[Type], bytes: &[u8]) -> Option<Vec<Said>> {
    let words = words_in(bytes, words_of(module, types).len())?;
    let data = bytes.get(words.len() * 8..)?;
    Saying { module, ids: &[] }.all(types, &words, data)
}

/// The first words of some bytes.
fn words_in(bytes: &[u8], count: usize) -> Option<Vec<u64>> {
    let (chunks, _) = bytes.as_chunks::<8>();
    Some(chunks.get(..count)?.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

/// Reads what values say. Two say the same whose data lies elsewhere, or that differ in words which an arm of a union does not
/// need: in a list that is passed on as it came, these go with it.
struct Saying<'m> {
    module: &'m Module,
    /// Those of portals.
    ids: &'m [u8],
}

impl Saying<'_> {
    /// All values whose words these are.
    fn all(&self, types: &[Type], words: &[u64], data: &[u8]) -> Option<Vec<Said>> {
        let (mut said, mut words) = (Vec::new(), words);
        types.iter().try_for_each(|ty| self.value(ty, &mut words, data, &mut said))?;
        Some(said)
    }

    /// The value whose words are the next.
    fn value(&self, ty: &Type, words: &mut &[u64], data: &[u8], said: &mut Vec<Said>) -> Option<()> {
        match ty {
            Type::Struct(id) => {
                let mut fields = self.module.structs[id.index()].fields.iter();
                return fields.try_for_each(|field| self.value(&field.ty, words, data, said));
            }
            Type::Array { of, len } if ty.octets().is_none() => {
                return (0..*len).try_for_each(|_| self.value(of, words, data, said));
            }
            Type::Union(_) => return self.union(ty, words, data, said),
            _ => {}
        }
        let word = *words.split_off_first()?;
        said.push(match ty {
            Type::String { .. } | Type::Bytes { .. } | Type::Array { .. } => {
                Said::Bytes(named(word, data)?.to_vec())
            }
            Type::Portal(_) => {
                let at = usize::try_from(word).ok()?.checked_mul(4)?;
                Said::Portal(u32::from_le_bytes(*self.ids.get(at..)?.first_chunk()?))
            }
            Type::List { of, .. } => Said::List(self.list(of, named(word, data)?)?),
            _ => Said::Word(word),
        });
        Some(())
    }

    fn union(&self, ty: &Type, words: &mut &[u64], data: &[u8], said: &mut Vec<Said>) -> Option<()> {
        let Type::Union(id) = ty else { return None };
        let union = &self.module.unions[id.index()];
        let label = *words.split_off_first()?;
        let scalars = words.split_off(..union.shape.scalars)?;
        let references = words.split_off(..union.shape.references)?;
        let has = |arm: &&Arm| arm.labels.contains(&label.cast_signed());
        let arm = union.arms.iter().find(has).or(union.arms.iter().find(|arm| arm.labels.is_empty()))?;
        said.push(Said::Word(label));
        let (mut layout, mut scalars, mut references) = (Vec::new(), scalars.iter(), references.iter());
        self.module.flatten(&arm.ty, &mut layout);
        let own =
            layout.iter().map(|word| if is_reference(word) { references.next() } else { scalars.next() });
        let own: Vec<u64> = own.map(|word| word.copied()).collect::<Option<_>>()?;
        self.value(&arm.ty, &mut &own[..], data, said)
    }

    fn list(&self, of: &Type, item: &[u8]) -> Option<Vec<Said>> {
        if item.is_empty() {
            return Some(Vec::new());
        }
        let count = usize::try_from(words_in(item, 1)?[0]).ok()?;
        let words = count.checked_mul(self.module.word_count(of))?.checked_add(1)?;
        let all = words_in(item, words)?;
        let (mut said, mut words, data) = (Vec::new(), &all[1..], &item[words * 8..]);
        (0..count).try_for_each(|_| self.value(of, &mut words, data, &mut said))?;
        Some(said)
    }
}

/// The bytes that a word refers to.
fn named(word: u64, data: &[u8]) -> Option<&[u8]> {
    let (offset, len) = ((word >> 24) as usize, word as usize & 0xff_ffff);
    data.get(offset..offset.checked_add(len)?)
}
