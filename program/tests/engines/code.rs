//! Cases at the level of bytecode: what no compiled program does.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_program::bytecode::{
    Ins, Loop, NONE, Op, OpRef, ParamPlace, Program, ResultKind, SlotType, UNBOUNDED, pack,
};
use carnet_program::float::Precision;
use carnet_program::interp::{Blocking, Env, FaultKind, Machine, Mode, Slice, Stop};
use carnet_program::limits::{Budget, LimitKind};
use carnet_program::verify::{LoadError, Loaded, Registry, load};

use crate::desk::{World, module};

pub(crate) fn ins(op: Op, a: u16, b: u16, c: u16, d: u64) -> Ins {
    Ins { op, flags: 0, a, b, c, d }
}

pub(crate) fn op(interface: usize, name: &str) -> OpRef {
    let (_, operation) = module().interfaces[interface].operation(name).expect("the desk has it");
    OpRef { hash: operation.hash.0, interface: interface as u16 }
}

/// A program over the desk: register 0 is the desk, registers 1 and 2 are boxes; operations are echo, open,
/// Box.size, Desk.seal, Box.name, Box.put and Desk.note, in this order.
pub(crate) fn program(slots: Vec<SlotType>, code: Vec<Ins>) -> Program {
    Program {
        name: "by hand".to_owned(),
        code,
        ops: vec![
            op(1, "echo"),
            op(1, "open"),
            op(0, "size"),
            op(1, "seal"),
            op(0, "name"),
            op(0, "put"),
            op(1, "note"),
        ],
        loops: Vec::new(),
        enums: Vec::new(),
        slots,
        layouts: Vec::new(),
        layout_words: Vec::new(),
        result: ResultKind::None,
        so_far: NONE,
        result_words: Vec::new(),
        caps: Vec::new(),
        lines: Vec::new(),
        registers: vec![1, 0, 0],
        params: vec![ParamPlace::Register(0)],
        started: NONE,
        literals: b"box".to_vec(),
        interfaces: vec![("desk".to_owned(), "Box".to_owned()), ("desk".to_owned(), "Desk".to_owned())],
    }
}

pub(crate) const END: Ins = Ins { op: Op::End, flags: 0, a: NONE, b: 0, c: 0, d: 0 };
pub(crate) const CALL: u64 = u64::from_le_bytes([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

pub(crate) fn loaded(program: &Program) -> Result<Loaded, LoadError> {
    load(&program.encode(), &Registry::new(&[module()]))
}

pub(crate) fn faults(program: &Program) -> Vec<String> {
    match loaded(program) {
        Err(LoadError::Rejected(faults)) => faults.iter().map(ToString::to_string).collect(),
        other => panic!("expected to be rejected: {other:?}"),
    }
}

pub(crate) struct Run {
    machine: Machine,
    world: Arc<World>,
    pub(crate) stop: Stop,
}

pub(crate) fn run(program: &Program) -> Run {
    run_with(program, 1 << 30, 1 << 30)
}

pub(crate) fn run_with(program: &Program, instructions: u64, calls: u64) -> Run {
    let loaded = loaded(program).expect("a valid program");
    let world = Arc::new(World::default());
    let budget = Budget {
        instructions_left: instructions,
        calls_left: calls,
        writes_left: 100,
        written_left: 1000,
        memory_max: 1 << 20,
        returned_max: 1 << 20,
    };
    let mut machine = Machine::new();
    machine.reset(&loaded, budget);
    machine.set_portal(0, Capability::under(world.root(), &world.grant));
    let interrupt = AtomicU32::new(0);
    let caller = Caller::local();
    let env = Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
    let stop = machine.advance(&loaded, &env, Slice::UNLIMITED);
    Run { machine, world, stop }
}

/// How many of the desk's objects are left when a run lets go of what it holds.
pub(crate) fn left_of(mut run: Run) -> usize {
    run.machine.release();
    Arc::strong_count(&run.world) - 1
}

pub(crate) fn log(run: &Run) -> Vec<String> {
    run.world.log.lock().expect("no panic while logging").clone()
}

fn ints(count: usize) -> Vec<SlotType> {
    vec![SlotType::Int; count]
}

#[test]
fn a_strided_move_takes_every_third_to_every_second() {
    let mut code: Vec<Ins> = (0..9).map(|k| ins(Op::Load, k, 0, 0, u64::from(k) + 100)).collect();
    code.push(ins(Op::MoveStrided, 10, 0, 0, pack([3, 0, 3, 2])));
    code.push(ins(Op::End, NONE, 0, 0, 0));
    let run = run(&program(ints(16), code));
    assert_eq!(run.stop, Stop::Done(NONE));
    assert_eq!(run.machine.slots()[10..16], [100, 0, 103, 0, 106, 0]);
    // Eleven instructions, and three slots.
    assert_eq!(run.machine.budget.instructions_left, (1 << 30) - 14);
}

#[test]
fn a_strided_move_onto_itself_goes_from_first_to_last() {
    let code = vec![
        ins(Op::Load, 0, 0, 0, 7),
        ins(Op::MoveStrided, 1, 0, 0, pack([4, 0, 1, 1])),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let run = run(&program(ints(5), code));
    assert_eq!(run.machine.slots()[0..5], [7; 5]);
}

#[test]
fn a_strided_move_fills_with_one_value() {
    let code = vec![
        ins(Op::Load, 0, 0, 0, 9),
        ins(Op::MoveStrided, 1, 0, 0, pack([3, 0, 0, 1])),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let run = run(&program(ints(4), code));
    assert_eq!(run.machine.slots()[0..4], [9; 4]);
}

#[test]
fn a_strided_move_out_of_the_table_is_rejected() {
    let strided = ins(Op::MoveStrided, 1, 0, 0, pack([4, 0, 1, 1]));
    let faults = faults(&program(ints(4), vec![strided, ins(Op::End, NONE, 0, 0, 0)]));
    assert_eq!(faults, ["error[strided] instruction 0: slot 4 is not Int as slot 0 is"]);
}

#[test]
fn a_strided_move_of_nothing_is_rejected() {
    let strided = ins(Op::MoveStrided, 1, 0, 0, pack([0, 0, 1, 1]));
    let faults = faults(&program(ints(4), vec![strided, ins(Op::End, NONE, 0, 0, 0)]));
    assert_eq!(
        faults,
        ["error[strided] instruction 0: copies 0 slots, expected 1 to 65536 in the whole program"]
    );
}

/// Slots 0, 2, 4 are arguments of echo, 1, 3, 5 its results; slots 6, 7, 8 take them.
fn repeated() -> Program {
    let code = vec![
        ins(Op::Load, 0, 0, 0, 10),
        ins(Op::Load, 2, 0, 0, 20),
        ins(Op::Load, 4, 0, 0, 30),
        ins(Op::Repeat, 0, 0, 0, pack([3, 0, 2, 1])),
        ins(Op::Call, 0, 0, 0, pack([6, NONE, 0, 0])),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    program(ints(9), code)
}

#[test]
fn a_repeat_moves_arguments_and_results() {
    let run = run(&repeated());
    assert_eq!(run.stop, Stop::Done(NONE));
    assert_eq!(log(&run), ["echo 10", "echo 20", "echo 30"]);
    assert_eq!(run.machine.slots()[6..9], [10, 20, 30]);
    assert_eq!(run.machine.counts()[0], 3);
}

#[test]
fn a_repeat_stops_in_its_middle_when_calls_are_used_up() {
    let run = run_with(&repeated(), 100, 2);
    assert_eq!(run.stop, Stop::Limit(LimitKind::Calls));
    assert_eq!(log(&run), ["echo 10", "echo 20"]);
    assert_eq!(run.machine.slots()[6..9], [10, 20, 0]);
}

#[test]
fn a_repeat_counts_every_call_in_its_bill() {
    let loaded = loaded(&repeated()).expect("a valid program");
    assert_eq!(loaded.totals.calls, 3);
}

#[test]
fn a_repeat_that_leaves_the_table_is_rejected() {
    let mut program = repeated();
    program.code[3].d = pack([6, 0, 2, 1]);
    let faults = faults(&program);
    assert_eq!(
        faults,
        ["error[type] instruction 4: found no slot in slot 9, expected the result of the call"]
    );
}

#[test]
fn a_jump_to_the_call_of_a_repeat_is_rejected() {
    let mut program = repeated();
    program.code[0] = ins(Op::Jump, 0, 0, 4, 0);
    let faults = faults(&program);
    assert_eq!(faults, ["error[branch] instruction 0: instruction 4 belongs to the repeat before it"]);
}

#[test]
fn a_repeat_of_nothing_but_a_move_is_rejected() {
    let mut program = repeated();
    program.code[4] = ins(Op::Move, 0, 1, 0, 0);
    let faults = faults(&program);
    assert_eq!(faults, ["error[repeat] instruction 3: is not followed by a call"]);
}

/// Slot 0 is the literal, 1 the argument of open, 2 what it makes, 3 the size, 4 a string, 5 what refers to it.
fn boxes(code: Vec<Ins>) -> Program {
    let slots = vec![
        SlotType::Literal { len: 3, offset: 0 },
        SlotType::StrRef(20),
        SlotType::Made(0),
        SlotType::Int,
        SlotType::Str(20),
        SlotType::StrRef(20),
    ];
    program(slots, code)
}

#[test]
fn what_another_call_made_is_not_taken_for_it() {
    // The slot still names the first portal that a call made, but the last call made none.
    let code = vec![
        ins(Op::Move, 1, 0, 0, 0),
        ins(Op::Call, 0, 1, 1, CALL),
        ins(Op::Take, 1, 2, 0, 0),
        ins(Op::Take, 2, 2, 0, 0),
        ins(Op::Call, 2, 2, 3, CALL),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let run = run(&boxes(code));
    assert_eq!(run.stop, Stop::Fault(FaultKind::NullPortal));
}

#[test]
fn what_a_revoked_portal_made_is_revoked_even_if_taken_later() {
    let code = vec![
        ins(Op::Move, 1, 0, 0, 0),
        ins(Op::Call, 0, 1, 1, CALL),
        ins(Op::Take, 1, 2, 0, 0),
        ins(Op::Call, 0, 3, 3, CALL),
        ins(Op::Drop, 0, 0, 0, 0),
        ins(Op::Call, 1, 2, 3, CALL),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let run = run(&boxes(code));
    assert_eq!(run.stop, Stop::Revoked);
    assert_eq!(log(&run), ["open \"box\"", "seal"]);
}

#[test]
fn dropping_what_made_a_portal_before_it_is_taken_keeps_its_revocation() {
    let code = vec![
        ins(Op::Move, 1, 0, 0, 0),
        ins(Op::Call, 0, 1, 1, CALL),
        ins(Op::Drop, 0, 0, 0, 0),
        ins(Op::Take, 1, 2, 0, 0),
        ins(Op::Call, 1, 2, 3, CALL),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let run = run(&boxes(code));
    assert_eq!(run.stop, Stop::Done(NONE));
    run.world.grant.revoke();
    assert!(run.machine.portal(1).expect("it was taken").is_revoked());
}

#[test]
fn a_register_takes_portals_of_its_interface_only() {
    let mut program = boxes(vec![ins(Op::Take, 0, 2, 0, 0), ins(Op::End, NONE, 0, 0, 0)]);
    let found = faults(&program);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("error[type] instruction 0: found Made(0) in slot 2"), "{found:?}");
    program.registers[0] = 7;
    assert!(!faults(&program).is_empty());
}

#[test]
fn a_reference_that_outlives_its_text_is_a_fault() {
    let code = vec![
        ins(Op::Set, 4, 0, 0, 0),
        ins(Op::Move, 5, 4, 0, 0),
        ins(Op::Clear, 4, 0, 0, 0),
        ins(Op::Append, 4, 5, 0, 0),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    assert_eq!(run(&boxes(code)).stop, Stop::Fault(FaultKind::Reference));
}

#[test]
fn the_service_refuses_a_reference_that_outlives_its_text() {
    let code = vec![
        ins(Op::Set, 4, 0, 0, 0),
        ins(Op::Move, 1, 4, 0, 0),
        ins(Op::Clear, 4, 0, 0, 0),
        ins(Op::Call, 0, 1, 1, CALL),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let run = run(&boxes(code));
    assert!(matches!(run.stop, Stop::CallFailed(_)), "{:?}", run.stop);
    assert!(log(&run).is_empty());
}

#[test]
fn a_short_call_fills_an_empty_text() {
    let code = vec![
        ins(Op::Move, 1, 0, 0, 0),
        ins(Op::Call, 0, 1, 1, CALL),
        ins(Op::Take, 1, 2, 0, 0),
        ins(Op::Call, 1, 4, 4, CALL),
        ins(Op::Call, 1, 4, 4, CALL),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let run = run(&boxes(code));
    assert_eq!(run.stop, Stop::Done(NONE));
    let name = run.machine.areas().bytes(run.machine.slots()[4], 20).expect("it refers to its area");
    assert_eq!((name, run.machine.memory()), (&b"box"[..], 3));
}

#[test]
fn a_short_call_does_not_carry_what_a_reference_outlived() {
    let code = |between| {
        vec![
            ins(Op::Set, 4, 0, 0, 0),
            ins(Op::Move, 1, 4, 0, 0),
            between,
            ins(Op::Call, 0, 6, 1, CALL),
            ins(Op::End, NONE, 0, 0, 0),
        ]
    };
    let before = run(&boxes(code(ins(Op::Move, 1, 4, 0, 0))));
    assert_eq!((before.stop.clone(), log(&before)), (Stop::Done(NONE), vec!["note \"box\"".to_owned()]));
    let stale = run(&boxes(code(ins(Op::Clear, 4, 0, 0, 0))));
    assert!(matches!(stale.stop, Stop::CallFailed(_)), "{:?}", stale.stop);
    assert!(log(&stale).is_empty());
}

/// Words of a union that was made by hand, each read as what it is not.
#[test]
fn an_arm_that_is_not_there_is_a_fault() {
    let hash = |name| module().enums.iter().find(|e| e.name == name).expect("the desk has it").hash.0;
    let read = |ty, word| {
        let code = vec![ins(Op::Load, 0, 0, 0, word), ins(Op::As, 1, 0, 0, 0), ins(Op::End, NONE, 0, 0, 0)];
        // A hash that no interface of the server has is that of an enum without values.
        let program = Program { enums: vec![hash("Color"), 7], ..program(vec![SlotType::Int, ty], code) };
        let run = run(&program);
        (run.stop, run.machine.slots()[1])
    };
    let (single, double) = (SlotType::Float(Precision::Single), SlotType::Float(Precision::Double));
    let most =
        [(SlotType::Bool, 1), (SlotType::Enum(0), 2), (SlotType::Enum(1), 0), (single, u32::MAX.into())];
    for (ty, word) in most {
        assert_eq!(read(ty, word), (Stop::Done(NONE), word), "{ty:?}");
        for word in [word + 1, u64::MAX] {
            assert_eq!(read(ty, word), (Stop::Fault(FaultKind::Arm), 0), "{ty:?} {word}");
        }
    }
    assert_eq!(read(double, u64::MAX), (Stop::Done(NONE), u64::MAX));
}

#[test]
fn a_string_of_a_union_is_as_long_as_its_variable_allows() {
    let slots = vec![
        SlotType::Literal { len: 3, offset: 0 },
        SlotType::Bytes(200),
        SlotType::Str(3),
        SlotType::Str(2),
        SlotType::Bytes(2),
    ];
    let read = |second: Ins| {
        let code = vec![ins(Op::As, 1, 0, 0, 0), second, ins(Op::End, NONE, 0, 0, 0)];
        run(&program(slots.clone(), code)).stop
    };
    assert_eq!(read(ins(Op::As, 2, 1, 0, 0)), Stop::Done(NONE));
    assert_eq!(read(ins(Op::As, 3, 1, 0, 0)), Stop::Fault(FaultKind::TextTooLong));
    assert_eq!(read(ins(Op::As, 4, 0, 0, 0)), Stop::Fault(FaultKind::TextTooLong));
}

#[test]
fn a_string_of_a_union_has_no_zero_byte() {
    let slots = vec![SlotType::Bytes(8), SlotType::Str(8)];
    let code = vec![ins(Op::As, 1, 0, 0, 0), ins(Op::End, NONE, 0, 0, 0)];
    let loaded = loaded(&program(slots, code)).expect("a valid program");
    let read = |bytes: &[u8]| {
        let budget = Budget {
            instructions_left: 100,
            calls_left: 0,
            writes_left: 0,
            written_left: 0,
            memory_max: 100,
            returned_max: 100,
        };
        let mut machine = Machine::new();
        machine.reset(&loaded, budget);
        machine.set_text(&loaded, 0, bytes).expect("it fits");
        let (interrupt, caller) = (AtomicU32::new(0), Caller::local());
        let env =
            Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
        let stop = machine.advance(&loaded, &env, Slice::UNLIMITED);
        (stop, machine.areas().list[2].bytes.clone())
    };
    assert_eq!(read(b"a\xffb"), (Stop::Done(NONE), b"a\xffb".to_vec()));
    assert_eq!(read(b"a\0b"), (Stop::Fault(FaultKind::Arm), Vec::new()));
}

/// A loop of three instructions with these bounds.
fn looped(own: u64, limit: u64) -> Program {
    let code = vec![
        ins(Op::Jump, 0, 0, 3, 0),
        ins(Op::Loop, 0, 0, 0, 0),
        ins(Op::AddI, 1, 1, 0, 1),
        ins(Op::Jump, 0, 0, 1, 0),
        ins(Op::End, NONE, 0, 0, 0),
    ];
    let mut program = program(vec![SlotType::Counter, SlotType::Int], code);
    let (head, test, end) = (1, 3, 4);
    program.loops =
        vec![Loop { head, test, end, counter: 0, own, limit, line: 0, inner: NONE, default: false }];
    program
}

#[test]
fn a_loop_stops_at_its_limit() {
    let run = run(&looped(UNBOUNDED, 4));
    assert_eq!(run.stop, Stop::Limit(LimitKind::Loop(0)));
    assert_eq!(run.machine.slots()[1], 4);
}

#[test]
fn a_loop_stops_at_its_own_bound() {
    assert_eq!(run(&looped(3, UNBOUNDED)).machine.slots()[1], 3);
}

#[test]
fn a_loop_that_may_not_be_entered_is_not() {
    let run = run(&looped(UNBOUNDED, 0));
    assert_eq!((run.stop, run.machine.slots()[1]), (Stop::Limit(LimitKind::Loop(0)), 0));
}

#[test]
fn a_stopped_loop_uses_no_more_than_its_bill() {
    let program = looped(UNBOUNDED, 4);
    let totals = loaded(&program).expect("a valid program").totals;
    let used = (1 << 30) - run(&program).machine.budget.instructions_left;
    assert!(used <= totals.instructions, "{used} of {}", totals.instructions);
}

#[test]
fn a_loop_without_bound_is_rejected() {
    assert_eq!(faults(&looped(UNBOUNDED, UNBOUNDED)), ["error[no-limit]: loop 0 (line 0) has no bound"]);
}

/// Sixty-four words of the result name one text: the result is held against its limit before it is made.
#[test]
fn a_result_takes_no_more_memory_than_its_limit() {
    let slots = vec![SlotType::Literal { len: 60_000, offset: 0 }; 64];
    let mut program = program(slots, vec![ins(Op::End, 0, 0, 0, 0)]);
    program.literals = vec![b'x'; 60_000];
    program.result = ResultKind::Words;
    program.result_words = vec![SlotType::StrRef(60_000); 64];
    let (loaded, run) = (loaded(&program).expect("a valid program"), run(&program));
    assert_eq!(run.stop, Stop::Done(0));
    let mut result = Vec::new();
    assert_eq!(run.machine.result(&loaded, 0, &mut result), None);
    assert!(result.len() <= 1 << 20, "{} bytes of at most 1 MiB", result.len());
    let mut machine = run.machine;
    machine.budget.returned_max = 64 * 60_004;
    result.clear();
    assert_eq!(machine.result(&loaded, 0, &mut result), Some(()));
    assert_eq!(result.len(), 64 * 60_004);
}
