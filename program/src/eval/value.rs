//! Values of programs.

use std::sync::Arc;

use carnet_portal::call::{Areas, Ref};

use crate::bytecode::ResultKind;
use crate::float::Float;
use crate::interp::Machine;
use crate::packed;
use crate::tree::{Tree, Ty};
use crate::verify::Loaded;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Integer.
    Int(i64),
    /// Truth value.
    Bool(bool),
    /// Number with a fraction.
    Float(Float),
    /// Number of an enum's value.
    Enum(u16),
    /// String or bytes. A copy of it is the same one, until either is changed.
    Text(Arc<Vec<u8>>),
    /// Record: its fields.
    Record(Vec<Value>),
    /// List: its elements, likewise.
    List(Arc<Vec<Value>>),
}

impl Value {
    /// What a variable of type `ty` begins as.
    #[must_use]
    pub fn zero(tree: &Tree, ty: &Ty) -> Value {
        match ty {
            Ty::Int | Ty::Portal(_) => Value::Int(0),
            Ty::Bool => Value::Bool(false),
            Ty::Float(precision) => Value::Float(Float { precision: *precision, word: 0 }),
            Ty::Enum(_) => Value::Enum(0),
            Ty::Str(_) | Ty::Bytes(_) => Value::Text(Arc::default()),
            Ty::Record(id) => {
                let fields = &tree.records[id.index()].fields;
                Value::Record(fields.iter().map(|(_, ty)| Value::zero(tree, ty)).collect())
            }
            Ty::List(..) => Value::List(Arc::default()),
        }
    }

    /// What a dry run takes for a result of type `ty`: zero, but a union has an arm.
    pub(super) fn pretended(tree: &Tree, ty: &Ty) -> Value {
        let Ty::Record(id) = ty else { return Value::zero(tree, ty) };
        let record = &tree.records[id.index()];
        let mut fields: Vec<Value> = record.fields.iter().map(|(_, ty)| Value::pretended(tree, ty)).collect();
        if let Some(union) = &record.union {
            let case = union.first_case();
            fields[0] = match fields[0] {
                Value::Bool(_) => Value::Bool(case != 0),
                Value::Enum(_) => Value::Enum(case as u16),
                _ => Value::Int(case),
            };
        }
        Value::Record(fields)
    }

    /// The result that a bytecode run left at `slot`; `None` if the program has none.
    #[must_use]
    pub fn result(tree: &Tree, loaded: &Loaded, machine: &Machine, slot: u16) -> Option<Value> {
        let ty = tree.result.as_ref()?;
        let slots = machine.slots();
        match loaded.result {
            ResultKind::None => None,
            ResultKind::Words => {
                let words = slots.get(slot as usize..)?;
                Some(Value::of_words(tree, ty, &mut words.iter().copied(), machine.areas(), None))
            }
            ResultKind::List => Some(Value::of_list(tree, ty, slots[slot as usize], machine.areas())),
        }
    }

    /// A value of its words. Texts lie in the areas that their references name, or all in area `within`.
    pub(super) fn of_words(
        tree: &Tree,
        ty: &Ty,
        words: &mut impl Iterator<Item = u64>,
        areas: &Areas,
        within: Option<usize>,
    ) -> Value {
        if let Ty::Record(id) = ty {
            let fields = tree.records[id.index()].fields.iter();
            return Value::Record(
                fields.map(|(_, ty)| Value::of_words(tree, ty, words, areas, within)).collect(),
            );
        }
        let word = words.next().unwrap_or(0);
        match ty {
            Ty::Bool => Value::Bool(word != 0),
            Ty::Float(precision) => Value::Float(Float { precision: *precision, word }),
            Ty::Enum(_) => Value::Enum(word as u16),
            Ty::Str(_) | Ty::Bytes(_) => {
                let r = Ref(word);
                let area = areas.list.get(within.unwrap_or(r.area()));
                let text = area.and_then(|area| area.bytes.get(r.offset()..r.offset() + r.len()));
                Value::Text(Arc::new(text.unwrap_or(&[]).to_vec()))
            }
            Ty::List(..) => Value::of_list(tree, ty, word, areas),
            _ => Value::Int(word.cast_signed()),
        }
    }

    fn of_list(tree: &Tree, ty: &Ty, word: u64, areas: &Areas) -> Value {
        let number = Ref(word).area();
        let (Ty::List(element, _), Some(area)) = (ty, areas.list.get(number)) else {
            return Value::List(Arc::default());
        };
        let elements = area.words.chunks(tree.words(element).max(1));
        let value =
            |words: &[u64]| Value::of_words(tree, element, &mut words.iter().copied(), areas, Some(number));
        Value::List(Arc::new(elements.map(value).collect()))
    }

    /// The elements of the list that bytes are; nothing if they are none, or an element is not what its type holds.
    pub(super) fn unpacked(tree: &Tree, of: &Ty, bytes: &[u8]) -> Option<Vec<Value>> {
        fn types<'t>(tree: &'t Tree, ty: &'t Ty, all: &mut Vec<&'t Ty>) {
            match ty {
                Ty::Record(id) => {
                    tree.records[id.index()].fields.iter().for_each(|(_, ty)| types(tree, ty, all));
                }
                ty => all.push(ty),
            }
        }
        let mut all = Vec::new();
        types(tree, of, &mut all);
        let is_text = |k: usize| matches!(all[k % all.len()], Ty::Str(_) | Ty::Bytes(_));
        let list = packed::opened(bytes, all.len(), is_text)?;
        let fits = |(k, word): (usize, &u64)| match all[k % all.len()] {
            Ty::Bool => *word <= 1,
            Ty::Enum(id) => *word < tree.enums[id.index()].values.len() as u64,
            Ty::Float(precision) => precision.holds(*word),
            Ty::Str(max) => Ref(*word).len() <= *max as usize && !list.string(*word).contains(&0),
            Ty::Bytes(max) => Ref(*word).len() <= *max as usize,
            _ => true,
        };
        if !list.words.iter().enumerate().all(fits) {
            return None;
        }
        let areas = Areas { list: vec![list] };
        let elements = areas.list[0].words.chunks(all.len());
        let value = |words: &[u64]| Value::of_words(tree, of, &mut words.iter().copied(), &areas, Some(0));
        Some(elements.map(value).collect())
    }

    /// Word `at` of a record, whose words are those of its fields one after the other; or of a scalar, which has one.
    pub(super) fn word(&mut self, at: usize) -> Option<&mut Value> {
        fn find<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
            match value {
                Value::Record(fields) => fields.iter_mut().find_map(|field| find(field, left)),
                word if *left == 0 => Some(word),
                _ => {
                    *left -= 1;
                    None
                }
            }
        }
        let mut left = at;
        find(self, &mut left)
    }

    /// Goes over its words, one after the other, once.
    pub(super) fn each_word(&self, with: &mut impl FnMut(&Value)) {
        match self {
            Value::Record(fields) => fields.iter().for_each(|field| field.each_word(with)),
            word => with(word),
        }
    }

    /// The same, to change them.
    pub(super) fn each_word_mut(&mut self, with: &mut impl FnMut(&mut Value)) {
        match self {
            Value::Record(fields) => fields.iter_mut().for_each(|field| field.each_word_mut(with)),
            word => with(word),
        }
    }

    /// Whether one of these words is so, which ascend.
    pub(super) fn has_word<T>(&self, words: &[(u16, T)], is_so: impl Fn(i64) -> bool) -> bool {
        let (mut is_it, mut found) = (among(words), false);
        self.each_word(&mut |word| found |= is_it() && is_so(word.int()));
        found
    }

    /// Does something with these of its words, which ascend. How many it has of them.
    pub(super) fn each_of_words<T>(
        &mut self,
        words: &[(u16, T)],
        mut with: impl FnMut(usize, &mut Value),
    ) -> usize {
        let (mut is_it, mut found) = (among(words), 0);
        self.each_word_mut(&mut |word| {
            if is_it() {
                with(found, word);
                found += 1;
            }
        });
        found
    }

    /// The same with empty texts and lists.
    pub(super) fn without_texts(&self) -> Value {
        match self {
            Value::Text(_) => Value::Text(Arc::default()),
            Value::List(_) => Value::List(Arc::default()),
            Value::Record(fields) => Value::Record(fields.iter().map(Value::without_texts).collect()),
            scalar => scalar.clone(),
        }
    }

    /// The word of a scalar.
    pub(super) fn int(&self) -> i64 {
        match self {
            Value::Int(n) => *n,
            Value::Float(float) => float.word.cast_signed(),
            Value::Bool(b) => i64::from(*b),
            Value::Enum(n) => i64::from(*n),
            _ => 0,
        }
    }

    pub(super) fn bool(&self) -> bool {
        matches!(self, Value::Bool(true))
    }

    pub(super) fn text(&self) -> &[u8] {
        match self {
            Value::Text(text) => text,
            _ => &[],
        }
    }

    /// Bytes of a text, elements of a list.
    pub(super) fn count(&self) -> Option<usize> {
        match self {
            Value::Text(text) => Some(text.len()),
            Value::List(elements) => Some(elements.len()),
            _ => None,
        }
    }

    pub(super) fn elements(&self) -> &[Value] {
        match self {
            Value::List(elements) => elements,
            _ => &[],
        }
    }

    /// The texts in it, with the capacities that type `ty` gives them, in order.
    pub(super) fn texts<'v>(&'v self, tree: &Tree, ty: &Ty, texts: &mut Vec<(&'v [u8], usize)>) {
        match (self, ty) {
            (Value::Text(text), Ty::Str(max) | Ty::Bytes(max)) => texts.push((text, *max as usize)),
            (Value::Record(values), Ty::Record(id)) => {
                let fields = &tree.records[id.index()].fields;
                values.iter().zip(fields).for_each(|(value, (_, ty))| value.texts(tree, ty, texts));
            }
            _ => {}
        }
    }

    /// Bytes of the value as a result: eight of a scalar, four of a list and a text, and what is in them.
    pub(crate) fn returned(&self) -> u64 {
        match self {
            Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Enum(_) => 8,
            Value::Text(text) => 4 + text.len() as u64,
            Value::Record(fields) => fields.iter().map(Value::returned).sum(),
            Value::List(elements) => 4 + elements.iter().map(Value::returned).sum::<u64>(),
        }
    }

    /// Bytes of memory that it takes.
    pub(super) fn weight(&self) -> u64 {
        let within = match self {
            Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Enum(_) => 0,
            Value::Text(text) => text.len() as u64,
            Value::Record(values) => values.iter().map(Value::weight).sum(),
            Value::List(values) => values.iter().map(Value::weight).sum(),
        };
        size_of::<Value>() as u64 + within
    }

    /// Writes it as a client reads the result of a run: words as u64, texts as u32 and bytes, lists as u32 and elements.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Enum(_) => {
                out.extend_from_slice(&self.int().to_le_bytes())
            }
            Value::Text(text) => {
                out.extend_from_slice(&(text.len() as u32).to_le_bytes());
                out.extend_from_slice(text);
            }
            Value::Record(fields) => fields.iter().for_each(|field| field.encode(out)),
            Value::List(elements) => {
                out.extend_from_slice(&(elements.len() as u32).to_le_bytes());
                elements.iter().for_each(|element| element.encode(out));
            }
        }
    }

    /// Bytes that a list of elements of type `element` takes: its words and texts.
    pub(super) fn size(&self, tree: &Tree, element: &Ty) -> u64 {
        let words = 8 * tree.words(element) * self.elements().len();
        let mut texts = Vec::new();
        self.elements().iter().for_each(|value| value.texts(tree, element, &mut texts));
        (words + texts.iter().map(|(text, _)| text.len()).sum::<usize>()) as u64
    }
}

/// Asked for each word of a value in turn, whether it is one of these, which ascend.
fn among<T>(words: &[(u16, T)]) -> impl FnMut() -> bool {
    let (mut at, mut left) = (0, words.iter().map(|(word, _)| usize::from(*word)).peekable());
    move || {
        at += 1;
        left.next_if(|word| word + 1 == at).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Of each of so many words two lie in a record of their own.
    fn wide(pairs: i64) -> Value {
        Value::Record(
            (0..pairs).map(|n| Value::Record(vec![Value::Int(2 * n), Value::Int(2 * n + 1)])).collect(),
        )
    }

    /// However many of its words are wanted, each of an element is looked at once.
    #[test]
    fn words_of_an_element_are_gone_over_once() {
        let (mut value, every_second): (_, Vec<(u16, ())>) =
            (wide(32), (0..32).map(|n| (2 * n + 1, ())).collect());
        let mut seen = 0;
        value.each_word(&mut |word| {
            assert_eq!(word.int(), seen);
            seen += 1;
        });
        assert_eq!(seen, 64);
        let asked = Cell::new(0);
        let never = value.has_word(&every_second, |word| {
            asked.set(asked.get() + 1);
            word % 2 == 0
        });
        assert_eq!((never, asked.get()), (false, 32));
        assert!(
            value.has_word(&every_second, |word| word == 63)
                && !value.has_word(&every_second, |word| word == 62)
        );
        let count = value.each_of_words(&every_second, |n, word| {
            assert_eq!(word.int(), 2 * n as i64 + 1);
            *word = Value::Int(-1);
        });
        assert_eq!(count, 32);
        let mut words = Vec::new();
        value.each_word(&mut |word| words.push(word.int()));
        let expected: Vec<i64> = (0..32).flat_map(|n| [2 * n, -1]).collect();
        assert_eq!(words, expected);
        // Words that it does not have.
        assert_eq!(wide(1).each_of_words(&[(1, ()), (2, ())], |_, _| {}), 1);
        assert_eq!(Value::Int(7).each_of_words(&[(0, ())], |_, word| assert_eq!(word.int(), 7)), 1);
    }
}
