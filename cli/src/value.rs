//! Values: results of programs and of single calls, for people and as JSON.
//!
//! Results come from a server, which may be hostile: what does not fit its type is an error, nothing is believed
//! about lengths, and nothing reaches a terminal that could play tricks on it.
//!
//! A result is encoded as the host writes it: words as u64, texts as u32 and bytes, a list as u32 and its elements.
//!
//! | type | for people | JSON |
//! | --- | --- | --- |
//! | integer | `6,204,113` | number |
//! | float, double | the shortest text that is this number: `0.1`, `1e100`, `inf`, `NaN` | number, or a string if it is infinite or no number |
//! | string | as it is, control characters and bytes that are not UTF-8 escaped | string, or `{"bytes": "…"}` with hexadecimal digits if it is not UTF-8 |
//! | bytes | hexadecimal digits | the same |
//! | record | `files=412 bytes=6,204,113` | object |
//! | array | `[1, 2, 3]` | array |
//! | union | `size=412`, or `case=3 size=412` if several cases choose the arm | object of the arm, and perhaps `case` |
//! | list of texts | one a line | array |
//! | list of records with two fields | `a = b` | array of objects |
//! | list of other records | aligned columns | array of objects |

use carnet_program::float::{Float, Precision};
use carnet_program::packed;
use carnet_program::text::{grouped, hex};
use carnet_program::tree::{Const, RecordId, Tree, Ty};
use serde_json::{Map, Value as Json, json};

/// Bytes that are shown of what a peer says of one failure: more than any has to say that means well.
const TOLD_BYTES_MAX: usize = 4 << 10;

/// A value with the names of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Integer.
    Int(i64),
    /// Truth value.
    Bool(bool),
    /// Number with a fraction.
    Float(Float),
    /// Name of an enum's value.
    Enum(String),
    /// String.
    Text(Vec<u8>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Record.
    Record(Vec<(String, Value)>),
    /// Union: its case, if that is not the only one that chooses the arm; the arm, and what it holds.
    Union(Option<Box<Value>>, String, Box<Value>),
    /// List.
    List(Vec<Value>),
    /// A portal that came back, by the name of its interface.
    Portal(String),
}

/// The bytes are not a result of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server's result does not have the program's type")]
pub struct Misfit;

/// Reads the result of a program.
///
/// # Errors
/// [`Misfit`] if the bytes are not one value of the program's result.
pub fn decode(tree: &Tree, bytes: &[u8]) -> Result<Option<Value>, Misfit> {
    let mut reader = Reader { tree, rest: bytes };
    let value = tree.result.as_ref().map(|ty| reader.value(ty)).transpose()?;
    if reader.rest.is_empty() { Ok(value) } else { Err(Misfit) }
}

struct Reader<'a> {
    tree: &'a Tree,
    rest: &'a [u8],
}

impl Reader<'_> {
    fn value(&mut self, ty: &Ty) -> Result<Value, Misfit> {
        Ok(match ty {
            Ty::Int => Value::Int(self.word()? as i64),
            Ty::Bool => match self.word()? {
                0 => Value::Bool(false),
                1 => Value::Bool(true),
                _ => return Err(Misfit),
            },
            Ty::Float(precision) => {
                let word = self.word()?;
                Value::Float(float(*precision, word).ok_or(Misfit)?)
            }
            Ty::Enum(id) => {
                let values = &self.tree.enums[id.index()].values;
                let at = usize::try_from(self.word()?).map_err(|_| Misfit)?;
                Value::Enum(values.get(at).ok_or(Misfit)?.clone())
            }
            Ty::Str(max) => Value::Text(self.text(*max)?),
            Ty::Bytes(max) => Value::Bytes(self.text(*max)?),
            Ty::Record(id) if self.tree.records[id.index()].union.is_some() => self.union(*id)?,
            Ty::Record(id) if let Some((list, max)) = list_within(self.tree, *id) => {
                packed_value(self.tree, list, &self.text(max)?)?
            }
            Ty::Record(id) => {
                let fields = &self.tree.records[id.index()].fields;
                let named = fields.iter().map(|(name, ty)| Ok((name.clone(), self.value(ty)?)));
                Value::Record(named.collect::<Result<_, Misfit>>()?)
            }
            Ty::List(of, max) => self.list(of, *max)?,
            Ty::Portal(_) => return Err(Misfit),
        })
    }

    /// A union comes as the words that its arms share.
    fn union(&mut self, id: RecordId) -> Result<Value, Misfit> {
        let (mut scalars, mut texts) = (Vec::new(), Vec::new());
        for (_, ty) in &self.tree.records[id.index()].fields {
            match ty {
                Ty::Bytes(max) => texts.push(self.text(*max)?),
                _ => scalars.push(self.word()?),
            }
        }
        union_of(self.tree, id, &scalars, &texts)
    }

    /// Elements are read as they come: no memory is taken for a number that is only claimed.
    fn list(&mut self, of: &Ty, max: u32) -> Result<Value, Misfit> {
        let count = self.count()?;
        if count > max {
            return Err(Misfit);
        }
        let mut list = Vec::new();
        for _ in 0..count {
            let before = self.rest.len();
            list.push(self.value(of)?);
            if self.rest.len() == before {
                return Err(Misfit);
            }
        }
        Ok(Value::List(list))
    }

    fn word(&mut self) -> Result<u64, Misfit> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Misfit)?;
        self.rest = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    fn count(&mut self) -> Result<u32, Misfit> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Misfit)?;
        self.rest = rest;
        Ok(u32::from_le_bytes(*bytes))
    }

    fn text(&mut self, max: u32) -> Result<Vec<u8>, Misfit> {
        let len = self.count()?;
        if len > max {
            return Err(Misfit);
        }
        let (text, rest) = self.rest.split_at_checked(len as usize).ok_or(Misfit)?;
        self.rest = rest;
        Ok(text.to_vec())
    }
}

/// A union of its words, the scalars first.
pub(crate) fn union_of(
    tree: &Tree,
    id: RecordId,
    scalars: &[u64],
    texts: &[Vec<u8>],
) -> Result<Value, Misfit> {
    arm(tree, &Ty::Record(id), &mut &*scalars, &mut &*texts)
}

/// The list within another value that a record is, and how many bytes that takes at most.
pub(crate) fn list_within(tree: &Tree, id: RecordId) -> Option<(&Ty, u32)> {
    let record = &tree.records[id.index()];
    match (&record.list, record.fields.first()) {
        (Some(list), Some((_, Ty::Bytes(max)))) => Some((list, *max)),
        _ => None,
    }
}

/// A list within another value, of its bytes.
pub(crate) fn packed_value(tree: &Tree, list: &Ty, bytes: &[u8]) -> Result<Value, Misfit> {
    match list {
        Ty::List(of, max) => packed_list(tree, of, *max, bytes),
        _ => Err(Misfit),
    }
}

fn packed_list(tree: &Tree, of: &Ty, max: u32, bytes: &[u8]) -> Result<Value, Misfit> {
    let mut types = Vec::new();
    flatten(tree, of, &mut types);
    let is_text = |k: usize| matches!(types[k % types.len()], Ty::Str(_) | Ty::Bytes(_));
    let list = packed::opened(bytes, types.len(), is_text).ok_or(Misfit)?;
    let elements = list.words.chunks_exact(types.len());
    if elements.len() > max as usize {
        return Err(Misfit);
    }
    let read = elements.map(|words| {
        // As in a result: a text is its length and its bytes.
        let mut all = Vec::new();
        for (ty, word) in types.iter().zip(words) {
            match ty {
                Ty::Str(_) | Ty::Bytes(_) => {
                    let text = list.string(*word);
                    all.extend_from_slice(&(text.len() as u32).to_le_bytes());
                    all.extend_from_slice(text);
                }
                _ => all.extend_from_slice(&word.to_le_bytes()),
            }
        }
        let mut reader = Reader { tree, rest: &all };
        reader.value(of)
    });
    Ok(Value::List(read.collect::<Result<_, Misfit>>()?))
}

/// The types of the words of a value.
fn flatten<'t>(tree: &'t Tree, ty: &'t Ty, types: &mut Vec<&'t Ty>) {
    match ty {
        Ty::Record(id) => {
            tree.records[id.index()].fields.iter().for_each(|(_, ty)| flatten(tree, ty, types));
        }
        ty => types.push(ty),
    }
}

/// A value of the words of a union, of which it takes the first.
fn arm(tree: &Tree, ty: &Ty, scalars: &mut &[u64], texts: &mut &[Vec<u8>]) -> Result<Value, Misfit> {
    if let Ty::Record(id) = ty {
        let record = &tree.records[id.index()];
        if let Some((list, _)) = list_within(tree, *id) {
            return packed_value(tree, list, texts.split_off_first().ok_or(Misfit)?);
        }
        let Some(union) = &record.union else {
            let fields = record.fields.iter();
            let named = fields.map(|(name, ty)| Ok((name.clone(), arm(tree, ty, scalars, texts)?)));
            return Ok(Value::Record(named.collect::<Result<_, Misfit>>()?));
        };
        let count = 1 + usize::from(union.scalars);
        let mut scalars = scalars.split_off(..count).ok_or(Misfit)?;
        let mut texts = texts.split_off(..record.fields.len() - count).ok_or(Misfit)?;
        let chosen = union.arm(scalars[0].cast_signed()).ok_or(Misfit)?;
        let case = arm(tree, &record.fields[0].1, &mut scalars, &mut texts)?;
        let held = arm(tree, &chosen.ty, &mut scalars, &mut texts)?;
        let case = (chosen.labels.len() != 1).then(|| Box::new(case));
        return Ok(Value::Union(case, chosen.name.clone(), Box::new(held)));
    }
    if let Ty::Str(max) | Ty::Bytes(max) = ty {
        let text = texts.split_off_first().filter(|text| text.len() <= *max as usize).ok_or(Misfit)?.clone();
        return Ok(if let Ty::Str(_) = ty { Value::Text(text) } else { Value::Bytes(text) });
    }
    if let Ty::List(of, max) = ty {
        let bytes = texts.split_off_first().ok_or(Misfit)?;
        return packed_list(tree, of, *max, bytes);
    }
    let word = scalars.split_off_first().ok_or(Misfit)?.to_le_bytes();
    Reader { tree, rest: &word }.value(ty)
}

impl Value {
    /// For programs.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self {
            Value::Int(n) => json!(n),
            Value::Bool(value) => json!(value),
            Value::Float(float) => json_of(*float),
            Value::Enum(name) | Value::Portal(name) => json!(name),
            Value::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => json!(text),
                Err(_) => json!({ "bytes": hex(text) }),
            },
            Value::Bytes(bytes) => json!(hex(bytes)),
            Value::Record(fields) if is_array(fields) => {
                fields.iter().map(|(_, value)| value.to_json()).collect()
            }
            Value::Record(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), value.to_json()));
                Json::Object(fields.collect::<Map<_, _>>())
            }
            Value::Union(case, arm, held) => {
                let case = case.iter().map(|case| ("case".to_owned(), case.to_json()));
                Json::Object(case.chain([(arm.clone(), held.to_json())]).collect::<Map<_, _>>())
            }
            Value::List(list) => list.iter().map(Value::to_json).collect(),
        }
    }

    /// For people, as the result of something: one or more lines.
    #[must_use]
    pub fn lines(&self) -> String {
        match self {
            Value::List(list) if list.is_empty() => "done  no entries\n".to_owned(),
            Value::List(list) => table(list),
            Value::Record(fields) if fields.iter().any(|(_, value)| value.entries().is_some()) => {
                mixed(fields)
            }
            value => format!("done  {}\n", value.short()),
        }
    }

    /// For people, within a line.
    #[must_use]
    pub fn short(&self) -> String {
        match self {
            Value::Int(n) => number(*n),
            Value::Bool(value) => value.to_string(),
            Value::Float(float) => float.to_string(),
            Value::Enum(name) => harmless(name),
            Value::Text(text) => plain(text),
            Value::Bytes(bytes) => hex(bytes),
            Value::Portal(name) => format!("a {}", harmless(name)),
            Value::Record(fields) if is_array(fields) => {
                let shown = fields.iter().map(|(_, value)| value.short());
                format!("[{}]", shown.collect::<Vec<_>>().join(", "))
            }
            Value::Record(fields) => {
                let shown =
                    fields.iter().map(|(name, value)| format!("{}={}", harmless(name), value.short()));
                shown.collect::<Vec<_>>().join(" ")
            }
            Value::Union(case, arm, held) => {
                let case = case.iter().map(|case| format!("case={} ", case.short()));
                let held = match &**held {
                    Value::Record(fields) if !is_array(fields) => format!("({})", held.short()),
                    held => held.short(),
                };
                format!("{}{}={held}", case.collect::<String>(), harmless(arm))
            }
            Value::List(list) if list.len() == 1 => "1 entry".to_owned(),
            Value::List(list) => format!("{} entries", grouped(list.len() as u64)),
        }
    }

    /// How many entries a list has; `None` if it is none.
    #[must_use]
    pub fn entries(&self) -> Option<usize> {
        if let Value::List(list) = self { Some(list.len()) } else { None }
    }
}

/// The float that a word is the bits of.
pub(crate) fn float(precision: Precision, word: u64) -> Option<Float> {
    precision.holds(word).then_some(Float { precision, word })
}

/// Whether these are the elements of an array, named by their numbers.
fn is_array(fields: &[(String, Value)]) -> bool {
    fields.first().is_some_and(|(name, _)| name == "0")
}

/// The number that its text is; JSON has none for what is infinite or no number.
fn json_of(float: Float) -> Json {
    let text = float.to_string();
    let number = text.parse().ok().and_then(serde_json::Number::from_f64);
    number.map_or(Json::String(text), Json::Number)
}

fn number(n: i64) -> String {
    let digits = grouped(n.unsigned_abs());
    if n < 0 { format!("-{digits}") } else { digits }
}

/// What has lists and other values: a call can return both.
fn mixed(fields: &[(String, Value)]) -> String {
    let (lists, others): (Vec<_>, Vec<_>) =
        fields.iter().cloned().partition(|(_, value)| value.entries().is_some());
    let mut text: String =
        lists.iter().filter(|(_, list)| list.entries() != Some(0)).map(|(_, list)| list.lines()).collect();
    let counts = lists.iter().map(|(name, list)| format!("{}={}", harmless(name), list.short()));
    let others = others.iter().map(|(name, value)| format!("{}={}", harmless(name), value.short()));
    text.push_str(&format!("done  {}\n", counts.chain(others).collect::<Vec<_>>().join(" ")));
    text
}

/// A list that is not empty.
fn table(list: &[Value]) -> String {
    let mut text = String::new();
    match &list[0] {
        Value::Record(fields) if fields.len() == 2 => {
            for value in list {
                let Value::Record(fields) = value else { continue };
                let parts: Vec<String> = fields.iter().map(|(_, value)| value.short()).collect();
                text.push_str(&parts.join(" = "));
                text.push('\n');
            }
        }
        Value::Record(_) => columns(list, &mut text),
        _ => list.iter().for_each(|value| {
            text.push_str(&value.short());
            text.push('\n');
        }),
    }
    text
}

/// Numbers to the right, all else to the left, names above.
fn columns(list: &[Value], text: &mut String) {
    let Some(Value::Record(first)) = list.first() else { return };
    let right: Vec<bool> = first.iter().map(|(_, value)| matches!(value, Value::Int(_))).collect();
    let mut rows = vec![first.iter().map(|(name, _)| harmless(name)).collect::<Vec<_>>()];
    for value in list {
        if let Value::Record(fields) = value {
            rows.push(fields.iter().map(|(_, value)| value.short()).collect());
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..first.len()).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).zip(&right).map(|((cell, width), right)| {
            if *right { format!("{cell:>width$}") } else { format!("{cell:width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
}

/// Bytes as text without quotes: control characters and bytes that are not UTF-8 are escaped.
#[must_use]
pub fn plain(text: &[u8]) -> String {
    plain_up_to(usize::MAX, text, |_| false).0
}

/// What a peer says of a failure, as [`plain`] shows it: cut where it is longer than anybody reads.
#[must_use]
pub fn told(text: impl AsRef<[u8]>) -> String {
    let text = text.as_ref();
    cut(plain_up_to(TOLD_BYTES_MAX, text, |_| false), text)
}

/// As [`told`], but lines stay lines.
#[must_use]
pub fn told_lines(text: &str) -> String {
    cut(plain_up_to(TOLD_BYTES_MAX, text.as_bytes(), |c| c == '\n'), text.as_bytes())
}

/// Says what was left out of a text that was shown so far.
fn cut((mut shown, taken): (String, usize), text: &[u8]) -> String {
    let left = text.len() - taken;
    if left > 0 {
        shown.push_str(&format!("… ({} more bytes were left out)", grouped(left as u64)));
    }
    shown
}

/// As much of a text as is no longer than `bytes_max` when it is shown, and how much of it that is. `stays` says of a character
/// that it is shown as it is.
fn plain_up_to(bytes_max: usize, text: &[u8], stays: impl Fn(char) -> bool) -> (String, usize) {
    let (mut out, mut taken, mut escaped) = (String::new(), 0, String::new());
    for chunk in text.utf8_chunks() {
        let chars = chunk.valid().chars().map(|c| (c.len_utf8(), Ok(c)));
        for (bytes, piece) in chars.chain(chunk.invalid().iter().map(|byte| (1, Err(byte)))) {
            escaped.clear();
            match piece {
                Ok(c) if is_tricky(c) && !stays(c) => escaped.extend(c.escape_default()),
                Ok(c) => escaped.push(c),
                Err(byte) => escaped.push_str(&format!("\\x{byte:02x}")),
            }
            if out.len() + escaped.len() > bytes_max {
                return (out, taken);
            }
            out.push_str(&escaped);
            taken += bytes;
        }
    }
    (out, taken)
}

/// A text of somebody else, without what could play tricks on a terminal.
#[must_use]
pub fn harmless(text: &str) -> String {
    plain(text.as_bytes())
}

/// As [`harmless`], but lines stay lines.
#[must_use]
pub fn harmless_lines(text: &str) -> String {
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// Control characters, and those that change the direction of text.
fn is_tricky(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A type as a program writes it.
#[must_use]
pub fn type_name(tree: &Tree, ty: &Ty) -> String {
    match ty {
        Ty::Int => "int".to_owned(),
        Ty::Bool => "bool".to_owned(),
        Ty::Float(precision) => precision.name().to_owned(),
        Ty::Enum(id) => {
            let used = &tree.enums[id.index()];
            format!("{} ({})", used.name, used.values.join(", "))
        }
        Ty::Str(_) => "string".to_owned(),
        Ty::Bytes(max) => format!("bytes({max})"),
        Ty::Record(id) => tree.records[id.index()].name.clone(),
        Ty::List(of, max) => format!("list({}, {max})", type_name(tree, of)),
        Ty::Portal(id) => tree.interfaces[id.index()].name.clone(),
    }
}

/// A constant of a type, for people.
#[must_use]
pub fn constant(tree: &Tree, ty: &Ty, value: &Const) -> String {
    match (value, ty) {
        (Const::Int(n), _) => number(*n),
        (Const::Bool(value), _) => value.to_string(),
        (Const::Float(float), _) => float.to_string(),
        (Const::Enum(value), Ty::Enum(id)) => {
            tree.enums[id.index()].values.get(usize::from(*value)).cloned().unwrap_or_default()
        }
        (Const::Enum(value), _) => value.to_string(),
        (Const::Text(text), _) => carnet_program::text::quoted(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carnet_program::source::parse;

    const PROGRAM: &str = "record Row { name: string, size: int, hash: bytes(4), ok: bool }
        program p() -> list(Row, 10) { var rows: list(Row, 10) return rows }";

    fn tree() -> Tree {
        parse(PROGRAM, &[]).expect("a program")
    }

    fn row(out: &mut Vec<u8>, name: &[u8], size: i64, ok: u64) {
        out.extend(u32::try_from(name.len()).expect("a short name").to_le_bytes());
        out.extend(name);
        out.extend(size.to_le_bytes());
        out.extend([2, 0, 0, 0, 0xab, 0xcd]);
        out.extend(ok.to_le_bytes());
    }

    fn two_rows() -> Vec<u8> {
        let mut out = 2_u32.to_le_bytes().to_vec();
        row(&mut out, b"a", 1_234_567, 1);
        row(&mut out, b"b\xff\n", -5, 0);
        out
    }

    #[test]
    fn a_result_is_read_by_its_type_and_shown_in_columns() {
        let value = decode(&tree(), &two_rows()).expect("a result").expect("a value");
        let lines = "name          size  hash  ok\na        1,234,567  abcd  true\nb\\xff\\n         -5  abcd  false\n";
        assert_eq!(value.lines(), lines);
        let json = value.to_json();
        assert_eq!(json[0], json!({ "name": "a", "size": 1_234_567, "hash": "abcd", "ok": true }));
        assert_eq!(json[1]["name"], json!({ "bytes": "62ff0a" }));
    }

    #[test]
    fn what_is_cut_or_changed_is_a_misfit_or_another_value_but_never_more() {
        let (tree, bytes) = (tree(), two_rows());
        for len in 0..bytes.len() {
            assert_eq!(decode(&tree, &bytes[..len]), Err(Misfit), "{len} bytes");
        }
        assert_eq!(decode(&tree, &[&bytes[..], &[0]].concat()), Err(Misfit));
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                if let Ok(Some(value)) = decode(&tree, &changed) {
                    assert!(value.entries().is_some_and(|entries| entries <= 10));
                    assert!(!value.lines().contains('\x1b'));
                }
            }
        }
    }

    #[test]
    fn what_a_peer_says_is_cut_and_counted() {
        assert_eq!(told(b"a\x1b\xff\n"), "a\\u{1b}\\xff\\n");
        assert_eq!(told_lines("a\x1b\nb"), "a\\u{1b}\nb");
        for (piece, shown) in
            [("x", "x"), ("\u{e9}", "\u{e9}"), ("\x1b", "\\u{1b}"), ("\u{1d11e}", "\u{1d11e}")]
        {
            let fits = TOLD_BYTES_MAX / shown.len();
            assert_eq!(told(piece.repeat(fits)), shown.repeat(fits));
            let left = 1_000_000 * piece.len();
            let expected =
                format!("{}… ({} more bytes were left out)", shown.repeat(fits), grouped(left as u64));
            let long = piece.repeat(fits + 1_000_000);
            assert_eq!(told(&long), expected);
            assert_eq!(told_lines(&long), expected);
        }
    }

    #[test]
    fn small_values_are_shown_within_a_line() {
        let list = |values: &[i64]| Value::List(values.iter().map(|n| Value::Int(*n)).collect());
        assert_eq!(list(&[1, -2000]).lines(), "1\n-2,000\n");
        assert_eq!(list(&[]).lines(), "done  no entries\n");
        assert_eq!(Value::Bool(true).lines(), "done  true\n");
        assert_eq!(number(i64::MIN), "-9,223,372,036,854,775,808");
        assert_eq!(plain("a\u{202e}\u{7}b".as_bytes()), "a\\u{202e}\\u{7}b");
        let pair = |a: &str, n| {
            Value::Record(vec![("k".to_owned(), Value::Text(a.into())), ("v".to_owned(), Value::Int(n))])
        };
        assert_eq!(Value::List(vec![pair("x", 1), pair("y", 2)]).lines(), "x = 1\ny = 2\n");
        assert_eq!(pair("x", 1).lines(), "done  k=x v=1\n");
    }
}
