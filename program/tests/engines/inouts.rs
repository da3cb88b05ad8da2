//! What no compiled program does with values that go both ways, and calls of them that are made again.

use std::any::Any;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Call, Caller, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_program::bytecode::{Ins, NONE, Op, ParamPlace, Program, SlotType};
use carnet_program::interp::{Blocking, Env, FaultKind, Machine, Mode, Slice, Stop};
use carnet_program::limits::Budget;
use carnet_program::protocol::{SetVariable, VariableValue};
use carnet_program::verify::Loaded;

use crate::code::{CALL, END, faults, ins, loaded, op, program};
use crate::desk::{World, module};
use crate::engines::{Case, Engine};

const TURN: u16 = 0;
const STEP: u16 = 1;
const ORDER: u16 = 2;
const SWAP: u16 = 3;
const RELAMP: u16 = 6;
const LOOK: u16 = 7;
const KEPT: u16 = 8;

/// Register 0 is the desk, registers 1 and 2 are boxes; the literal is "box". Lists are of integers, or of texts.
fn by_hand(slots: Vec<SlotType>, code: Vec<Ins>) -> Program {
    Program {
        ops: vec![
            op(1, "turn"),
            op(1, "step"),
            op(1, "order"),
            op(1, "swap"),
            op(1, "echo"),
            op(0, "name"),
            op(1, "relamp"),
            op(1, "look"),
            op(1, "kept"),
        ],
        layouts: vec![(0, 1), (1, 1)],
        layout_words: vec![SlotType::Int, SlotType::StrRef(20)],
        ..program(slots, code)
    }
}

fn call(op: u16, first: u16) -> Ins {
    ins(Op::Call, 0, op, first, CALL)
}

/// A call of an operation whose block, with what is sent in front, is these slots.
fn one_call(op: u16, slots: &[SlotType]) -> Program {
    by_hand(slots.to_vec(), vec![call(op, 0), END])
}

const SENT: SlotType = SlotType::StrRef(12);
const BACK: SlotType = SlotType::Str(12);

#[test]
fn what_is_sent_and_what_comes_back_have_slots_of_their_own_kinds() {
    let good: [(u16, &[SlotType]); 9] = [
        (TURN, &[SENT, BACK]),
        (TURN, &[SlotType::StrRef(9000), BACK]),
        (TURN, &[SlotType::Literal { len: 3, offset: 0 }, SlotType::Str(13)]),
        (TURN, &[BACK, BACK]),
        (STEP, &[SlotType::Lent(0), SlotType::Made(0)]),
        (ORDER, &[SlotType::ListRef(0, 9), SlotType::List(0, 6)]),
        (ORDER, &[SlotType::List(0, 5), SlotType::List(0, 7)]),
        (SWAP, &[SENT, SENT, BACK, BACK]),
        (SWAP, &[BACK, SENT, SlotType::Str(8), BACK]),
    ];
    for (op, slots) in good {
        assert!(loaded(&one_call(op, slots)).is_ok(), "{op} {slots:?}");
    }
    let text = |slot: u16, found: &str, max: u32, of: &str| {
        format!(
            "error[type] instruction 0: found {found} in slot {slot}, expected String {{ max: {max} }} for Desk.{of}"
        )
    };
    let other = |slot: u16, found: &str, wanted: &str, of: &str| {
        format!("error[type] instruction 0: found {found} in slot {slot}, expected {wanted} for Desk.{of}")
    };
    let portal = "Portal(InterfaceId(0))";
    let numbers = "List { element: [Int { bits: 64, signed: true }], max: 6 }";
    let bad: [(u16, &[SlotType], String); 17] = [
        // What comes back is nobody else's: the service would write into another variable, or into literals.
        (TURN, &[SENT, SENT], text(1, "StrRef(12)", 12, "turn")),
        (
            TURN,
            &[SENT, SlotType::Literal { len: 3, offset: 0 }],
            text(1, "Literal { len: 3, offset: 0 }", 12, "turn"),
        ),
        (TURN, &[SENT, SlotType::Str(11)], text(1, "Str(11)", 12, "turn")),
        (TURN, &[SENT, SlotType::Bytes(12)], text(1, "Bytes(12)", 12, "turn")),
        (TURN, &[SENT, SlotType::Int], text(1, "Int", 12, "turn")),
        (TURN, &[SlotType::Int, BACK], text(0, "Int", 12, "turn")),
        (TURN, &[SlotType::BytesRef(12), BACK], text(0, "BytesRef(12)", 12, "turn")),
        (TURN, &[SlotType::List(1, 6), BACK], text(0, "List(1, 6)", 12, "turn")),
        (SWAP, &[SENT, BACK, SENT, BACK], text(2, "StrRef(12)", 8, "swap")),
        // A portal that came back is none that can be sent, and one that is sent is none that came back.
        (STEP, &[SlotType::Made(0), SlotType::Made(0)], other(0, "Made(0)", portal, "step")),
        (STEP, &[SlotType::Lent(0), SlotType::Lent(0)], other(1, "Lent(0)", portal, "step")),
        (STEP, &[SlotType::Lent(1), SlotType::Made(0)], other(0, "Lent(1)", portal, "step")),
        (STEP, &[SlotType::Lent(0), SlotType::Made(1)], other(1, "Made(1)", portal, "step")),
        (STEP, &[SlotType::Int, SlotType::Made(0)], other(0, "Int", portal, "step")),
        (
            ORDER,
            &[SlotType::List(0, 6), SlotType::ListRef(0, 6)],
            other(1, "ListRef(0, 6)", numbers, "order"),
        ),
        (ORDER, &[SlotType::List(0, 6), SlotType::List(0, 5)], other(1, "List(0, 5)", numbers, "order")),
        (ORDER, &[SlotType::List(1, 6), SlotType::List(0, 6)], other(0, "List(1, 6)", numbers, "order")),
    ];
    for (op, slots, said) in bad {
        assert_eq!(faults(&one_call(op, slots)), [said], "{op} {slots:?}");
    }
}

/// A union that goes both ways is sent apart, though all its words are scalars.
#[test]
fn a_union_that_is_sent_has_slots_of_its_own() {
    let lamp = [SlotType::Bool, SlotType::Int, SlotType::Int];
    assert!(loaded(&one_call(RELAMP, &[lamp, lamp].concat())).is_ok());
    let together = "error[block] instruction 0: the arguments of Desk.relamp leave the variable table";
    assert_eq!(faults(&one_call(RELAMP, &lamp)), [together]);
    for at in [0, 3] {
        let mut slots = [lamp, lamp].concat();
        slots[at] = SlotType::Int;
        let said =
            format!("error[type] instruction 0: found Int in slot {at}, expected Bool for Desk.relamp");
        assert_eq!(faults(&one_call(RELAMP, &slots)), [said]);
    }
}

/// In a struct, too, a portal that is sent comes from a register, and one that comes back goes into one.
#[test]
fn portals_in_structs_are_portals() {
    let look = [SlotType::Lent(0), SlotType::Int, SlotType::StrRef(10), SlotType::Str(40)];
    let kept = [SlotType::StrRef(20), SlotType::Made(0), SlotType::Int, SlotType::Str(10)];
    for (op, slots) in [(LOOK, look), (KEPT, kept)] {
        assert!(loaded(&one_call(op, &slots)).is_ok(), "{op}");
    }
    let portal = "Portal(InterfaceId(0))";
    let bad = [
        (LOOK, 0, SlotType::Int, "look"),
        (LOOK, 0, SlotType::Made(0), "look"),
        (LOOK, 0, SlotType::Lent(1), "look"),
        (KEPT, 1, SlotType::Int, "kept"),
        (KEPT, 1, SlotType::Lent(0), "kept"),
        (KEPT, 1, SlotType::Made(1), "kept"),
    ];
    for (op, at, ty, name) in bad {
        let mut slots = if op == LOOK { look } else { kept };
        slots[at] = ty;
        let said = format!(
            "error[type] instruction 0: found {ty:?} in slot {at}, expected {portal} for Desk.{name}"
        );
        assert_eq!(faults(&one_call(op, &slots)), [said]);
    }
}

#[test]
fn nothing_leaves_the_table_and_no_slot_is_used_as_another() {
    let leaves = ["error[block] instruction 0: the arguments of Desk.turn leave the variable table"];
    assert_eq!(faults(&by_hand(vec![SENT, BACK], vec![call(TURN, 1), END])), leaves);
    assert_eq!(faults(&by_hand(vec![SENT], vec![call(TURN, 0), END])), leaves);
    assert_eq!(faults(&by_hand(vec![SENT, BACK], vec![call(TURN, u16::MAX), END])), leaves);
    let portals = vec![SlotType::Lent(0), SlotType::Made(0), SlotType::Int];
    let bad = [
        (
            ins(Op::Take, 1, 0, 0, 0),
            "found Lent(0) in slot 0, expected a portal of the register's interface, just made",
        ),
        (ins(Op::Lend, 1, 1, 0, 0), "found Made(0) in slot 1, expected Lent(0)"),
        (ins(Op::Move, 0, 1, 0, 0), "found Made(0) in slot 1, expected Lent(0), as slot 0"),
        (ins(Op::Move, 2, 1, 0, 0), "found Made(0) in slot 1, expected Int, as slot 2"),
        (ins(Op::Load, 1, 0, 0, 1), "found Made(0) in slot 1, expected a scalar that can hold the value"),
    ];
    for (other, said) in bad {
        let found = faults(&by_hand(portals.clone(), vec![call(STEP, 0), other, END]));
        assert_eq!(found, [format!("error[type] instruction 1: {said}")]);
    }
    // The result that a call may name is one scalar.
    let named = Ins { d: carnet_program::bytecode::pack([2, NONE, 0, 0]), ..call(TURN, 0) };
    let found = faults(&by_hand(vec![SENT, BACK, SlotType::Int], vec![named, END]));
    assert_eq!(found, ["error[type] instruction 0: found Int in slot 2, expected the result of the call"]);
    // Each block of a repeat is looked at.
    let repeat = ins(Op::Repeat, 0, 0, 0, carnet_program::bytecode::pack([2, 0, 2, 0]));
    let two = |last| by_hand(vec![SENT, BACK, SENT, last], vec![repeat, call(TURN, 0), END]);
    assert!(loaded(&two(BACK)).is_ok());
    let said =
        "error[type] instruction 1: found StrRef(12) in slot 3, expected String { max: 12 } for Desk.turn";
    assert_eq!(faults(&two(SENT)), [said]);
}

const PLENTY: Budget = Budget {
    instructions_left: 1 << 30,
    calls_left: 100,
    writes_left: 100,
    written_left: 1000,
    memory_max: 1 << 20,
    returned_max: 1 << 20,
};

/// A machine at the beginning of a program whose portals are all on one desk.
fn machine(program: &Loaded, root: &Arc<dyn Object>, world: &World) -> Machine {
    let mut machine = Machine::new();
    machine.reset(program, PLENTY);
    for place in &program.params {
        if let ParamPlace::Register(register) = place {
            machine.set_portal(*register, Capability::under(Arc::clone(root), &world.grant));
        }
    }
    machine
}

fn advance(machine: &mut Machine, program: &Loaded) -> Stop {
    let (interrupt, caller) = (AtomicU32::new(0), Caller::local());
    let env = Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
    machine.advance(program, &env, Slice::UNLIMITED)
}

/// Runs a program by hand: how it stopped, what the desk saw, and the machine.
fn run(program: &Program) -> (Stop, Vec<String>, Machine) {
    let (program, world) = (loaded(program).expect("it is accepted"), Arc::new(World::default()));
    let mut machine = machine(&program, &world.root(), &world);
    let stop = advance(&mut machine, &program);
    let log = world.log.lock().expect("no panic while logging").clone();
    (stop, log, machine)
}

const LITERAL: SlotType = SlotType::Literal { len: 3, offset: 0 };

#[test]
fn what_a_call_would_send_of_what_it_changes_is_a_fault_before_the_call() {
    let code = vec![ins(Op::Move, 0, 2, 0, 0), call(TURN, 0), ins(Op::Move, 0, 1, 0, 0), call(TURN, 0), END];
    let (stop, log, machine) = run(&by_hand(vec![SENT, BACK, LITERAL], code));
    assert_eq!((stop, &log[..]), (Stop::Fault(FaultKind::Reference), &["turn \"box\"".to_owned()][..]));
    // The second is not counted, and what came back of the first is there.
    assert_eq!((machine.counts()[0], machine.memory()), (1, 3));
    let back = machine.areas().bytes(machine.slots()[1], 12).expect("it refers to its area");
    assert_eq!(back, b"xbo");
}

/// The second of two is sent from the place to which the first comes back: there it finds what fits, or nothing.
#[test]
fn one_of_two_that_refers_to_the_other_s_place_reads_no_further_than_that() {
    // In slots 0 and 1 what is sent, in 2 and 3 what comes back; then a literal, and an empty one.
    let empty = SlotType::Literal { len: 0, offset: 0 };
    let slots = vec![SENT, SENT, BACK, BACK, LITERAL, empty];
    let code = |first| {
        vec![
            ins(Op::Set, 2, 4, 0, 0),
            ins(Op::Move, 0, first, 0, 0),
            ins(Op::Move, 1, 2, 0, 0),
            call(SWAP, 0),
            END,
        ]
    };
    let (stop, log, _) = run(&by_hand(slots.clone(), code(4)));
    assert_eq!((stop, &log[..]), (Stop::Done(NONE), &["swap \"box\" \"box\"".to_owned()][..]));
    let (stop, log, machine) = run(&by_hand(slots, code(5)));
    assert_eq!((stop, log), (Stop::Fault(FaultKind::Reference), vec![]));
    assert_eq!(machine.memory(), 0);
}

#[test]
fn what_was_never_sent_is_nothing() {
    let (stop, log, _) = run(&one_call(TURN, &[SENT, BACK]));
    assert!(matches!(stop, Stop::CallFailed(_)), "{stop:?}");
    assert_eq!(log, ["turn \"\""]);
    let (stop, log, _) = run(&one_call(ORDER, &[SlotType::ListRef(0, 6), SlotType::List(0, 6)]));
    assert!(matches!(stop, Stop::CallFailed(_)), "{stop:?}");
    assert_eq!(log, ["order []"]);
    // The first register is the desk, and no box.
    let (stop, log, _) = run(&one_call(STEP, &[SlotType::Lent(0), SlotType::Made(0)]));
    assert!(matches!(stop, Stop::CallFailed(_)), "{stop:?}");
    assert!(log.is_empty(), "{log:?}");
}

#[test]
fn a_portal_that_has_not_come_back_yet_is_null() {
    let slots = vec![SlotType::Lent(0), SlotType::Made(0), SlotType::Str(20)];
    let code = vec![ins(Op::Take, 1, 1, 0, 0), ins(Op::Call, 1, 5, 2, CALL), END];
    let (stop, log, _) = run(&by_hand(slots, code));
    assert_eq!((stop, log), (Stop::Fault(FaultKind::NullPortal), vec![]));
}

#[test]
fn a_text_that_a_call_sends_is_not_set_under_it() {
    // Echo ends what can be computed again.
    let slots = vec![SlotType::Str(12), SENT, BACK, SlotType::Int, SlotType::Int];
    let code = vec![ins(Op::Move, 1, 0, 0, 0), call(4, 3), call(TURN, 1), END];
    let program = loaded(&by_hand(slots, code)).expect("it is accepted");
    let world = Arc::new(World::default());
    let mut machine = machine(&program, &world.root(), &world);
    machine.set_text(&program, 0, b"sent").expect("it fits");
    machine.budget.calls_left = 1;
    advance(&mut machine, &program);
    assert_eq!(machine.pc(), 2);
    let set = [SetVariable { slot: 0, value: VariableValue::Text(b"else".to_vec()) }];
    let refused = machine.fit_variables(&program, &set).expect_err("the call was given it");
    assert_eq!(refused, (0, "what is done next was given its text already".to_owned()));
}

/// A desk that does each call, and then fails it once: nothing of it comes back.
struct FailingOnce {
    desk: Arc<dyn Object>,
    failed: Mutex<bool>,
}

impl Object for FailingOnce {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.desk.interface()
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let done = self.desk.dispatch(op, call);
        let mut failed = self.failed.lock().expect("nobody panics with it");
        *failed = !*failed;
        if *failed { Err(Failure::new(Kind::Refused, "once more")) } else { done }
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

/// The calls of the desk among what was done.
fn of_desk(log: &[String]) -> Vec<&String> {
    let is_of_box = |line: &str| line.split(' ').next().is_some_and(|first| first.contains('.'));
    log.iter().filter(|line| !line.starts_with("release") && !is_of_box(line)).collect()
}

#[test]
fn a_call_that_failed_and_is_made_again_sends_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/cases/inouts.cases");
    let text = std::fs::read_to_string(path).expect("the cases are there");
    let mut called = BTreeSet::new();
    for block in format!("\n{text}").split("\n== ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a case has a name");
        let source = rest.split("\n--").next().unwrap_or_default();
        let Ok(case) = Case::parse(source) else { continue };
        if source.contains("#!") {
            continue;
        }
        let once = case.run(Engine::Bytecode, &case.setting);
        let world = Arc::new(World::default());
        let desk = FailingOnce { desk: world.root(), failed: Mutex::new(false) };
        let mut machine = machine(&case.loaded, &(Arc::new(desk) as Arc<dyn Object>), &world);
        let mut stops = 0;
        let stop = loop {
            match advance(&mut machine, &case.loaded) {
                Stop::CallFailed(failure) if failure.kind() == Kind::Refused => stops += 1,
                stop => break stop,
            }
        };
        let log = world.log.lock().expect("no panic while logging").clone();
        let calls = of_desk(&log);
        let is_pair = |pair: &[&String]| pair.len() == 2 && pair[0] == pair[1];
        assert!(calls.len() <= 2 * stops && calls.chunks(2).all(is_pair), "{name}: {stops}, {calls:?}");
        let each: Vec<_> = calls.into_iter().step_by(2).collect();
        assert_eq!(each, of_desk(&once.log), "{name}");
        assert_eq!(once.by_itself(), matches!(stop, Stop::Done(_) | Stop::CallFailed(_)), "{name}: {stop:?}");
        called.extend(each.iter().filter_map(|line| line.split(' ').next().map(str::to_owned)));
    }
    let interface = &module().interfaces[1];
    let both_ways =
        ["turn", "order", "relabel", "rename", "swap", "rotate", "step", "trade", "keep", "marked", "log"];
    for name in both_ways {
        assert!(interface.operation(name).is_some() && called.contains(name), "{name} was not called");
    }
}
