//! Calls with any arguments at all: whatever comes, the process lives, and nothing happens outside of its directory.

mod support;

use std::time::Duration;

use carnet_idl::descriptor::Word;
use carnet_linux::linux;
use carnet_portal::call::{Area, Areas, Call, Kind, Object, Ref};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use support::*;

fn word() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 0_u64..12,
        1 => (-200_i64..0).prop_map(i64::cast_unsigned),
        1 => prop_oneof![Just(1 << 20), Just((1 << 20) + 1), Just(u64::MAX), Just(1 << 63), Just(0x7fff_ffff), Just(1 << 31)],
        1 => any::<u64>(),
    ]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop_oneof![Just("a"), Just("b/c"), Just("."), Just(".."), Just(""), Just("/"), Just("../x"), Just("/proc/self/mem")]
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..64),
        1 => (4_000_usize..4_200).prop_map(|len| vec![b'a'; len]),
    ]
}

/// Calls one operation; references may lead nowhere.
fn call(object: &dyn Object, op: u16, words: &[u64], texts: &[Vec<u8>], as_it_is: bool) {
    let operation = &linux::module().interfaces[0].operations[usize::from(op)];
    let layout = &operation.layout;
    let mut areas = Areas::default();
    let mut block: Vec<u64> = (0..layout.words()).map(|at| words[at % words.len()]).collect();
    for (at, word) in layout.ins.iter().chain(&layout.outs).enumerate() {
        if as_it_is || !matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. }) {
            continue;
        }
        let text = &texts[at % texts.len()];
        let list = if matches!(word, Word::List { .. }) { words.to_vec() } else { Vec::new() };
        block[at] = Ref::new(areas.list.len(), 0, text.len()).expect("it is short").0;
        areas.list.push(Area { bytes: text.clone(), words: list });
    }
    let mut made = Vec::new();
    let caller = caller("mallory");
    let mut call =
        Call { words: &mut block, areas: &mut areas, portals: &[], made: &mut made, caller: &caller };
    if let Err(failure) = object.dispatch(op, &mut call) {
        let is_answer = matches!(failure.kind(), Kind::Raised | Kind::BadArgument);
        assert!(is_answer, "{}: {failure:?}", operation.name);
    }
}

fn any_calls(cases: u32) {
    let open = open_with(|rules| {
        rules.limits.call = Duration::from_millis(5);
        rules.limits.file = 1 << 20;
        rules.network.connect = vec![9];
    });
    let object = open.service.session(&caller("mallory"));
    let operations = linux::module().interfaces[0].operations.len() as u16;
    let words = proptest::collection::vec(word(), 1..8);
    let texts = proptest::collection::vec(text(), 1..4);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let all = (0..operations, words, texts, prop::bool::weighted(0.1));
    runner
        .run(&all, |(op, words, texts, as_it_is)| {
            call(&*object, op, &words, &texts, as_it_is);
            Ok(())
        })
        .expect("the process lives, and every answer is one");
    assert_eq!(open.service.processes(), 1, "the same that it was");
}

#[test]
fn any_arguments_get_an_answer() {
    any_calls(1_500);
}

#[test]
#[ignore = "long: verify-long runs it"]
fn any_arguments_get_an_answer_for_long() {
    any_calls(100_000);
}

#[test]
fn there_are_no_other_operations() {
    let open = open();
    let object = open.service.session(&caller("mallory"));
    let operations = linux::module().interfaces[0].operations.len() as u16;
    for op in [operations, 1_000, u16::MAX] {
        let (mut areas, mut made) = (Areas::default(), Vec::new());
        let caller = caller("mallory");
        let mut call =
            Call { words: &mut [], areas: &mut areas, portals: &[], made: &mut made, caller: &caller };
        assert_eq!(object.dispatch(op, &mut call).expect_err("none").kind(), Kind::NoSuchOperation);
    }
}
