//! Random call arrays: nearly valid ones, and their bytes changed. What is accepted runs within its bill, whole and in slices.

use carnet_idl::descriptor::{Module, Word};
use carnet_program::array::{Array, Command, Messages, OnError, Preset, Returns, Text, TextKind};
use carnet_program::bytecode::{NONE, OpRef, ParamPlace};
use carnet_program::float::Precision;

use crate::entropy::Entropy;
use crate::mutate::{check_bytes, damage};
use crate::probe::module;

/// Makes an array, checks what becomes of it, and of its bytes when they are changed; whether it was accepted.
///
/// # Panics
/// If a promise is broken.
pub fn check_array(entropy: &mut Entropy<'_>) -> bool {
    let bytes = array(module(), entropy, |e| e.int() / 4).encode();
    let accepted = check_bytes(&bytes, entropy);
    for _ in 0..4 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + entropy.below(3) {
            damage(&mut damaged, entropy);
        }
        check_bytes(&damaged, entropy);
    }
    accepted
}

/// An array of a module's operations, mostly with operands that fit. Integers of requests are such ones.
pub(crate) fn array(module: &Module, e: &mut Entropy<'_>, int: fn(&mut Entropy<'_>) -> i64) -> Array {
    let mut array =
        Array { name: "random".to_owned(), literals: b"some literal".to_vec(), ..Array::default() };
    for interface in &module.interfaces {
        array.interfaces.push((module.name.clone(), interface.name.clone()));
    }
    for k in 0..module.interfaces.len() as u16 {
        // The first of each is an argument; calls may fill the others.
        array.registers.extend([k; 3]);
        array.params.push(ParamPlace::Register(3 * k));
    }
    let mut first = Vec::new();
    let mut slots = 0;
    for _ in 0..1 + e.below(4) {
        let interface = e.below(module.interfaces.len());
        let operations = &module.interfaces[interface].operations;
        let operation = e.pick(operations);
        array.ops.push(OpRef { hash: operation.hash.0, interface: interface as u16 });
        let (count, status) = (1 + e.below(3) as u16, e.one_in(2));
        array.messages.push(Messages { op: array.ops.len() as u16 - 1, count, status });
        let words = operation.layout.words() + usize::from(status);
        first.push((slots, words, count, interface));
        for (at, word) in operation.layout.ins.iter().enumerate() {
            fill(&mut array, e, (slots + at, words, count), word, int);
        }
        slots += words * usize::from(count);
    }
    for _ in 0..1 + e.below(5) {
        let (slot, words, count, interface) = *e.pick(&first);
        let times = 1 + e.below(usize::from(count)) as u16;
        let repeated = e.one_in(2);
        if repeated {
            let commands = 1 + e.below(2) as u16;
            array.commands.push((Command::Repeat { times: times.into(), commands }, 1));
        }
        let tried = array.messages.iter().any(|one| one.status) && e.one_in(3);
        array.commands.push((
            Command::Call {
                register: (3 * interface + e.below(2)) as u16,
                register_step: 0,
                message: slot as u16,
                message_step: if repeated { words as u16 } else { 0 },
                into: if e.one_in(4) { 3 * e.below(module.interfaces.len().min(2)) as u16 + 1 } else { NONE },
                into_step: e.below(2) as u16 * u16::from(repeated && e.one_in(2)),
                on_error: if tried { OnError::CarryOn } else { OnError::Abort },
            },
            2,
        ));
        if e.one_in(2) {
            array.commands.push((moved(e, slots), 3));
        }
    }
    if e.one_in(2) {
        let (slot, words, count, _) = *e.pick(&first);
        let (at, list) = (e.below(words), e.one_in(2));
        array.returns = Some(Returns {
            first: (slot + at) as u16,
            stride: words as u16,
            items: if list { count } else { 1 },
            words: 1,
            list,
        });
    }
    array
}

fn moved(e: &mut Entropy<'_>, slots: usize) -> Command {
    let beyond = usize::from(e.one_in(30));
    let any = |e: &mut Entropy<'_>| e.below(slots + beyond) as u16;
    Command::Move {
        from: any(e),
        from_step: e.below(3) as u16,
        to: any(e),
        to_step: e.below(3) as u16,
        stride: e.below(3) as u16,
        to_stride: e.below(3) as u16,
        size: 1 + u16::from(e.one_in(8)),
        items: 1 + e.below(2) as u32,
        add: if e.one_in(4) { e.int() } else { 0 },
    }
}

/// What a word of a request has from the beginning.
fn fill(
    array: &mut Array,
    e: &mut Entropy<'_>,
    (slot, stride, count): (usize, usize, u16),
    word: &Word,
    int: fn(&mut Entropy<'_>) -> i64,
) {
    let (slot, stride) = (slot as u16, stride as u16);
    match word {
        Word::String { max } | Word::Bytes { max } => {
            let len = e.below(array.literals.len() + 1).min(*max as usize) as u32;
            let kind = TextKind::Literal { len, offset: 0 };
            array.texts.push(Text { slot, stride, count, kind });
        }
        Word::Portal(id) => {
            let value = i64::from(3 * id.0);
            array.presets.push(Preset { slot, stride, count, value, add: 0 });
        }
        Word::Float { bits } => {
            let value = e.float(Precision::of_bits(*bits)).word.cast_signed();
            array.presets.push(Preset { slot, stride, count, value, add: 0 });
        }
        Word::Bool => array.presets.push(Preset { slot, stride, count, value: e.below(2) as i64, add: 0 }),
        Word::Enum(_) => array.presets.push(Preset { slot, stride, count, value: e.below(3) as i64, add: 0 }),
        Word::Int { .. } => array.presets.push(Preset { slot, stride, count, value: int(e), add: 1 }),
        Word::List { .. } => {}
    }
}
