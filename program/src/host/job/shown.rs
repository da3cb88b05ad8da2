//! Arguments of a call, for people.

use carnet_idl::descriptor::{Mode, Word};
use carnet_portal::call::{Areas, Ref};

use crate::float::{Float, Precision};
use crate::text::quoted;
use crate::verify::BoundOp;

/// Names of the arguments that go in, and what they are. `words` are those of the request, or the first of them: inouts are passed over if
/// theirs are not there.
pub(in crate::host) fn arguments_of(op: &BoundOp, words: &[u64], areas: &Areas) -> Vec<(String, String)> {
    let mut at = 0;
    let mut arguments = Vec::new();
    let of = |mode: Mode| op.operation.params.iter().filter(move |param| param.mode == mode);
    for param in of(Mode::In).chain(of(Mode::InOut)) {
        let mut kinds = Vec::new();
        op.module.flatten(&param.ty, &mut kinds);
        let words = words.get(at..).unwrap_or(&[]);
        if param.mode == Mode::InOut && words.len() < kinds.len() {
            break;
        }
        let values: Vec<String> =
            kinds.iter().zip(words).map(|(kind, word)| value(op, kind, *word, areas)).collect();
        at += kinds.len();
        arguments.push((param.name.clone(), values.join(", ")));
    }
    arguments
}

fn value(op: &BoundOp, kind: &Word, value: u64, areas: &Areas) -> String {
    match kind {
        Word::Bool => (value != 0).to_string(),
        Word::Int { .. } => (value as i64).to_string(),
        Word::Float { bits } => Float { precision: Precision::of_bits(*bits), word: value }.to_string(),
        Word::Enum(id) => {
            let values = &op.module.enums[id.index()].values;
            values.get(value as usize).cloned().unwrap_or_default()
        }
        Word::String { .. } => quoted(text_of(areas, value)),
        Word::Bytes { .. } => format!("{} bytes", Ref(value).len()),
        Word::List { element, .. } => {
            let list = areas.list.get(Ref(value).area());
            // Of one that was written down its reference tells the length.
            let elements = list.map_or(Ref(value).len(), |area| area.words.len() / element.len().max(1));
            format!("a list of {elements}")
        }
        Word::Portal(id) => format!("a {}", op.module.interfaces[id.index()].name),
    }
}

fn text_of(areas: &Areas, word: u64) -> &[u8] {
    let r = Ref(word);
    let area = areas.list.get(r.area());
    area.and_then(|area| area.bytes.get(r.offset()..r.offset() + r.len())).unwrap_or(&[])
}
