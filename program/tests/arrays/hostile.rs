//! Bytes that are no arrays, or arrays that lie: refused with a reason, or run without harm.

use std::panic::{AssertUnwindSafe, catch_unwind};

use carnet_program::array::{Array, Command, Messages, OnError, Preset, Returns, Text, TextKind};
use carnet_program::bytecode::{NONE, NotAProgram, ParamPlace};
use carnet_program::interp::{Mode, Slice};
use carnet_program::source::args::Arg;
use carnet_program::tree::Const;
use carnet_program::verify::{LoadError, load};

use super::{array, plenty, registry, run};

/// One of everything.
const SOURCE: &str = "use desk array a(desk: Desk, n: int, name: string(10)) -> list(int, 3)
  at most 40 calls {
    message opening[3]: Desk.open(name: \"box\")
    message size[3]: Box.size()
    message e[3]: Desk.echo(n: n step 3)
    message f: Desk.find(name: name)
    portal boxes[3]: Box
    portal box: Box
    message same: Box.same(other: box)
    repeat 3 {
      call desk with opening into boxes
      try call boxes with size
      try call desk with e
    }
    call desk with opening[0] into box
    call box with same
    move e[1].value to e[0].n
    call desk with f
    return size.value
  }";

fn good() -> Array {
    array(SOURCE).array
}

fn arguments() -> Vec<Arg> {
    vec![Arg::Portal(Vec::new()), Arg::Const(Const::Int(-2)), Arg::Const(Const::Text(b"someone".to_vec()))]
}

/// Verifies, and runs what is accepted; whether it was. Whatever it does, it does within its budget.
fn check(bytes: &[u8]) -> bool {
    let Ok(program) = load(bytes, &registry()) else { return false };
    if !program.is_array() {
        return true;
    }
    let mut given = arguments().into_iter();
    let fits: Vec<Arg> = program.params.iter().map_while(|_| given.next()).collect();
    let scalar = |at: usize| matches!(program.params.get(at), Some(ParamPlace::Slot(_)));
    // The arguments are held against their places before they are bound; here only what fits is given.
    let fits_all = fits.len() == program.params.len()
        && program.params.iter().zip(&fits).enumerate().all(|(at, (place, arg))| match (place, arg) {
            (ParamPlace::Register(_), Arg::Portal(_)) => true,
            (ParamPlace::Slot(slot), Arg::Const(Const::Int(_))) => {
                scalar(at) && program.slots[usize::from(*slot)].text_max().is_none()
            }
            (ParamPlace::Slot(slot), Arg::Const(Const::Text(text))) => {
                program.slots[usize::from(*slot)].text_max().is_some_and(|max| text.len() <= max as usize)
            }
            _ => false,
        });
    if fits_all {
        let ran = run(&program, &fits, plenty(), Mode::Real, Slice::UNLIMITED);
        let calls: u64 = ran.counts.iter().sum();
        assert!(calls <= program.totals.calls, "{calls} calls, and its bill says {}", program.totals.calls);
    }
    true
}

#[test]
fn one_of_everything_is_accepted_and_runs() {
    assert!(check(&good().encode()));
    let program = super::loaded(&good().encode());
    let ran = run(&program, &arguments(), plenty(), Mode::Real, Slice::UNLIMITED);
    assert!(ran.log.contains(&"find \"someone\"".to_owned()), "{ran:?}");
    assert!(ran.log.contains(&"box.same box".to_owned()), "{ran:?}");
}

/// Each bit of an array turned over, and each end cut off.
#[test]
fn every_edit_is_refused_or_harmless() {
    let bytes = good().encode();
    let mut accepted = 0;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut edited = bytes.clone();
            edited[at] ^= 1 << bit;
            let checked = catch_unwind(AssertUnwindSafe(|| check(&edited)));
            accepted += u64::from(checked.unwrap_or_else(|_| panic!("byte {at}, bit {bit}")));
        }
        assert!(!check(&bytes[..at]), "cut at {at}");
    }
    assert!(accepted > 100, "most names and lines can be others: {accepted}");
    let mut longer = bytes;
    longer.push(0);
    assert!(!check(&longer));
}

fn refused(array: &Array, rule: &str) {
    match load(&array.encode(), &registry()) {
        Err(LoadError::Rejected(faults)) => {
            assert_eq!(faults[0].rule, rule, "{faults:#?}");
            assert!(!faults[0].message.is_empty());
        }
        other => panic!("{rule}: {other:?}"),
    }
}

/// An array that names an operation which changes texts, lists or portals, as no source does.
#[test]
fn what_goes_both_ways_is_a_scalar_and_lists_hold_no_portals() {
    let desk = &crate::desk::module().interfaces[1];
    let mut array = good();
    let find = desk.operation("find").expect("the desk has it").1.hash.0;
    let at = array.ops.iter().position(|op| op.hash == find).expect("it is called");
    // Nor does it have lists of portals.
    for name in ["turn", "order", "step", "reverse", "open_all", "names_all", "every"] {
        array.ops[at].hash = desk.operation(name).expect("the desk has it").1.hash.0;
        refused(&array, "unsupported");
    }
}

/// Every kind of wrong index, stride, size and number, each refused by its rule before the first command runs.
#[test]
fn what_is_wrong_is_named() {
    let with = |edit: &dyn Fn(&mut Array)| {
        let mut array = good();
        edit(&mut array);
        array
    };
    let command = |command: Command| {
        with(&|array| {
            array.commands.clear();
            array.commands.push((command, 1));
        })
    };
    let call = |register, message| Command::call(register, message);
    refused(&command(call(0, 40_000)), "message");
    refused(&command(call(0, 1)), "message");
    refused(&command(call(99, 0)), "register");
    refused(&command(call(4, 0)), "type");
    refused(&command(Command::word(0, 65_000)), "strided");
    refused(&command(Command::word(65_535, 0)), "strided");
    // The name of an opened box is a text, its size a number.
    refused(&command(Command::word(0, 7)), "type");
    // The portal of a reply is nobody's to move.
    refused(&command(Command::word(1, 0)), "type");
    refused(&command(Command::Repeat { times: 3, commands: 1 }), "repeat");
    let many = |from, stride, size, items, add| Command::Move {
        from,
        from_step: 0,
        to: from,
        to_step: 0,
        stride,
        to_stride: stride,
        size,
        items,
        add,
    };
    refused(&command(many(0, 0, 1, u32::MAX, 0)), "operands");
    refused(&command(many(0, 0, 0, 1, 0)), "strided");
    refused(&command(many(0, 0, 1, 0, 0)), "strided");
    refused(&command(many(0, 60_000, 1, 3, 0)), "strided");
    refused(&command(many(0, 1, 60_000, 1, 0)), "type");
    refused(&command(many(0, 1, 2, 1, 5)), "strided");
    let repeat = |times, body: &[Command]| {
        with(&|array| {
            let all = std::iter::once(Command::Repeat { times, commands: body.len() as u16 });
            array.commands = all.chain(body.iter().copied()).map(|command| (command, 1)).collect();
        })
    };
    refused(&repeat(0, &[call(0, 0)]), "repeat");
    refused(&repeat(65_536, &[call(0, 0)]), "repeat");
    refused(&repeat(2, &[Command::Repeat { times: 2, commands: 1 }, call(0, 0)]), "repeat");
    let stepped = |register_step, message_step, into, into_step, on_error| Command::Call {
        register: 0,
        register_step,
        message: 0,
        message_step,
        into,
        into_step,
        on_error,
    };
    // Three messages of two words each.
    refused(&repeat(4, &[stepped(0, 2, NONE, 0, OnError::Abort)]), "message");
    refused(&repeat(2, &[stepped(0, 3, NONE, 0, OnError::Abort)]), "message");
    refused(&repeat(3, &[stepped(1, 2, NONE, 0, OnError::Abort)]), "type");
    refused(&repeat(3, &[stepped(9, 2, NONE, 0, OnError::Abort)]), "register");
    refused(&repeat(3, &[stepped(0, 2, 0, 1, OnError::Abort)]), "type");
    refused(&repeat(3, &[stepped(0, 2, 3, 9, OnError::Abort)]), "register");
    refused(&repeat(3, &[stepped(0, 2, NONE, 1, OnError::Abort)]), "operands");
    refused(&repeat(3, &[stepped(0, 2, NONE, 0, OnError::CarryOn)]), "operands");
    refused(&with(&|array| array.commands.clear()), "end");
    refused(&with(&|array| array.messages[0].op = 77), "table");
    refused(&with(&|array| array.messages[0].count = 0), "message");
    refused(&with(&|array| array.messages[0].count = u16::MAX), "message");
    refused(&with(&|array| array.ops[0].hash ^= 1), "unknown-operation");
    refused(&with(&|array| array.ops[0].interface = 9), "table");
    refused(&with(&|array| array.interfaces[0].1 = "Disk".to_owned()), "unknown-interface");
    refused(&with(&|array| array.registers[0] = 9), "table");
    refused(&with(&|array| array.params[0] = ParamPlace::Register(50)), "table");
    // A reply's text is the service's.
    refused(&with(&|array| array.params[1] = ParamPlace::Slot(1)), "table");
    let text = |slot, stride, count, kind| Text { slot, stride, count, kind };
    let texts = |text: Text| with(&|array| array.texts = vec![text]);
    refused(&texts(text(60_000, 0, 1, TextKind::Held(1))), "table");
    refused(&texts(text(0, 2, 0, TextKind::Held(1))), "table");
    refused(&texts(text(0, 0, 1, TextKind::Held(21))), "table");
    refused(&texts(text(0, 0, 1, TextKind::Literal { len: 9, offset: 0 })), "table");
    refused(&texts(text(0, 0, 1, TextKind::Literal { len: 1, offset: u32::MAX })), "table");
    refused(&with(&|array| array.literals[0] = 0), "table");
    let preset = |preset: Preset| with(&|array| array.presets.push(preset));
    refused(&preset(Preset { slot: 0, stride: 0, count: 1, value: 1, add: 0 }), "table");
    let edge = Preset { slot: 12, stride: 3, count: 3, value: i64::MAX, add: 1 };
    refused(&preset(edge), "table");
    refused(&preset(Preset { slot: 12, stride: 1, count: 60_000, value: 1, add: 0 }), "table");
    // A portal that is handed over is one of the array's, and is named.
    refused(&with(&|array| array.presets.clear()), "register");
    refused(&with(&|array| array.presets.last_mut().expect("one is the box").value = 0), "table");
    let returns = |first, stride, items, words, list| {
        with(&|array| array.returns = Some(Returns { first, stride, items, words, list }))
    };
    refused(&returns(0, 2, 3, 1, false), "table");
    refused(&returns(0, 2, 0, 1, true), "table");
    refused(&returns(0, 2, 3, 0, true), "table");
    refused(&returns(0, 2, 3, 65, true), "table");
    refused(&returns(1, 2, 3, 1, true), "table");
    refused(&returns(0, 1, 3, 1, true), "table");
    refused(&returns(0, 60_000, 3, 1, true), "table");
    refused(&returns(12, 0, u16::MAX, 2, true), "operands");
}

#[test]
fn counts_in_the_header_are_bounded() {
    let too_many = |edit: &dyn Fn(&mut Array), what: &str| {
        let mut array = good();
        edit(&mut array);
        let found = load(&array.encode(), &registry()).expect_err("there are too many");
        assert_eq!(
            found,
            LoadError::NotAProgram(NotAProgram::TooMany(match what {
                "commands" => "commands",
                _ => "arrays of messages",
            }))
        );
    };
    too_many(&|array| array.commands = vec![(Command::call(0, 0), 0); 4_097], "commands");
    let one = Messages { op: 0, count: 1, status: false };
    too_many(&|array| array.messages = vec![one; 4_097], "messages");
}

/// Each of its messages costs what it has to cost, and no more: sending many texts into few words is no way around.
#[test]
fn checking_costs_no_more_than_the_bytes_allow() {
    let mut array = good();
    let text = Text { slot: 0, stride: 0, count: u16::MAX, kind: TextKind::Literal { len: 1, offset: 0 } };
    array.texts = vec![text; 3];
    refused(&array, "operands");
    let preset = Preset { slot: 12, stride: 0, count: u16::MAX, value: 0, add: 0 };
    let mut array = good();
    array.presets = vec![preset; 3];
    refused(&array, "operands");
}
