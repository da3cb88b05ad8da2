//! Wherever a run is when it is cancelled, it stops soon, in every engine: counted in instructions that it still charges and calls that
//! it still makes, so that it does not matter how busy the machine is.
//!
//! An instruction takes some nanoseconds, and so does each 64 bytes of a text or each comparison that one charges for: [`SOON`] is less than a
//! millisecond. What a server adds is to set the interrupt, and to wake a run that waits for its turn.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_program::builder::*;
use carnet_program::bytecode::{Op, ParamPlace};
use carnet_program::compile::{Marks, compile_marked};
use carnet_program::eval::{self, Arg, Compiled, State, Value, Watch};
use carnet_program::interp::{Blocking, CANCEL, Env, Given, Machine, Mode, Slice, Stop, TURN, Translation};
use carnet_program::limits::Budget;
use carnet_program::tree::Pos;

use crate::desk::{World, module};
use crate::engines::Case;

/// Instructions that a run charges after it was cancelled, at most: a program without loops has no more than 65,536, and where texts are
/// long, a look comes after some thousand.
const SOON: u64 = 80_000;
/// Instructions after which runs are cancelled. Not the same place of each loop.
const CANCELLED_AFTER: [u64; 7] = [1, 5, 31, 207, 1_009, 12_007, 60_013];

/// Or after so many calls, whichever comes first: a repeat makes many in one instruction.
fn calls(after: u64) -> u64 {
    1 + after % 5_003
}

/// In a loop, what runs spend their time with. Before it there are a text of 62 KiB, one of half of that, and a list of 500 texts.
const BODIES: [&str; 11] = [
    "n = n + 1",
    "if n % 3 == 0 { n += 2 } else { n += 1 }",
    "for k in 0 .. 5 limit 1_000_000_000 { for l in 0 .. k limit 1_000_000_000 { n += l } }",
    "n += desk.echo(i)",
    "let box = desk.open(\"a\") n += box.size()",
    "try desk.echo(-1) else { n += 1 }",
    "for item in desk.items(\"more\") limit 100_000_000 { n += item.size }",
    "if long.contains(half) && half < long { n += 1 }",
    "other = list n += other.len",
    "list.add(R(n, \"more words\")) if list.len > 590 { list = short }",
    "sort list by t, n",
];

fn source(body: &str) -> String {
    format!(
        "record R {{ n: int, t: string(60_000) }}
program p(desk: Desk) -> int {{
  var n = 0
  var long: string(110_000) = \"0123456789abcdef0123456789abcde\"
  for i in 0 .. 12 {{ if long.len < 30_000 {{ long += long }} }}
  var half: string(60_000) = long
  long += half
  var short: list(R, 600)
  var list: list(R, 600)
  var other: list(R, 600)
  for i in 0 .. 500 {{ list.add(R(-i, \"some words that take some time to compare\")) }}
  for i in 0 .. 1_000_000_000_000 limit 1_000_000_000_000 {{
    {body}
  }}
  return n
}}"
    )
}

/// Texts are looked through again and again, without a loop or call.
fn without_loops() -> String {
    let looks = "  found = long.contains(half)\n".repeat(3_000);
    source("n += 1").replace(
        "  for i in 0 .. 1_000_000_000_000",
        &format!("  var found = false\n{looks}  for i in 0 .. 1_000_000_000_000"),
    )
}

/// One call after the other, all of one instruction.
fn repeats() -> Case {
    let mut b = Builder::new("p", &[module()]);
    let desk = b.param("desk", named("desk.Desk"));
    let k = b.name("k");
    let calls = repeat(desk.call("echo", [k]), 60_000);
    let tree = b.build(for_range(k, 0, 1_000_000, calls)).expect("it is well made");
    Case::of(tree, "").expect("it compiles")
}

fn cases() -> Vec<(String, Case)> {
    let texts = BODIES.iter().map(|body| ((*body).to_owned(), source(body)));
    let texts = texts.chain([("without loops".to_owned(), without_loops())]);
    let parsed = texts.map(|(name, text)| {
        let case = Case::parse(&text).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        (name, case)
    });
    parsed.chain([("repeats".to_owned(), repeats())]).collect()
}

/// No limit that is reached, but by a run that does not stop.
fn plenty() -> Budget {
    const PLENTY: u64 = 1 << 60;
    Budget {
        instructions_left: 400 * SOON,
        calls_left: PLENTY,
        writes_left: PLENTY,
        written_left: PLENTY,
        memory_max: 1 << 30,
        returned_max: 1 << 20,
    }
}

/// A run is over, and what was left when it was cancelled; it has not charged much since.
#[track_caller]
fn is_soon(name: &str, after: u64, stop: &Stop, cancelled: &Budget, now: &Budget) {
    assert_eq!(*stop, Stop::Cancelled, "{name}, {after}");
    let charged = cancelled.instructions_left - now.instructions_left;
    let made = cancelled.calls_left - now.calls_left;
    assert!(charged <= SOON && made <= 1, "{name}, {after}: {charged} instructions, {made} calls");
}

/// What a run is in, and what it calls.
struct Around {
    world: Arc<World>,
    interrupt: AtomicU32,
    caller: Caller,
}

impl Around {
    fn new(interrupt: u32) -> Around {
        Around { world: Arc::default(), interrupt: AtomicU32::new(interrupt), caller: Caller::local() }
    }

    fn env(&self) -> Env<'_> {
        let Around { interrupt, caller, .. } = self;
        Env { caller, interrupt, mode: Mode::Real, blocking: Blocking::Allowed }
    }

    fn root(&self) -> Capability {
        Capability::under(self.world.root(), &self.world.grant)
    }
}

fn marks(case: &Case) -> Marks {
    compile_marked(&case.tree).expect("it compiled before").1
}

/// A case as a tree, with its [`marks`].
fn compiled<'c>(case: &'c Case, marks: &'c Marks) -> Compiled<'c> {
    Compiled { tree: &case.tree, marks, loaded: &case.loaded }
}

/// `slice` carries it out.
fn machine(name: &str, case: &Case, slice: impl Fn(&mut Machine, &Env<'_>, Slice) -> Stop) {
    let around = Around::new(0);
    let env = around.env();
    let mut machine = Machine::new();
    for after in CANCELLED_AFTER {
        machine.reset(&case.loaded, plenty());
        machine.set_portal(0, around.root());
        around.interrupt.store(0, Ordering::Relaxed);
        let stop = slice(&mut machine, &env, Slice { instructions: after, calls: calls(after) });
        assert_eq!(stop, Stop::Pause, "{name}, {after}");
        around.interrupt.store(CANCEL, Ordering::Relaxed);
        // One that does not stop fails soon.
        machine.budget.instructions_left = 100 * SOON;
        let cancelled = machine.budget;
        let stop = slice(&mut machine, &env, Slice::UNLIMITED);
        is_soon(name, after, &stop, &cancelled, &machine.budget);
        around.world.log.lock().expect("no panic while logging").clear();
    }
}

#[test]
fn bytecode_stops_soon() {
    for (name, case) in cases() {
        machine(&name, &case, |machine, env, slice| machine.advance(&case.loaded, env, slice));
    }
}

#[test]
fn machine_code_stops_soon() {
    for (name, case) in cases() {
        for translation in [&case.translation, &case.whole] {
            let Some(translation): &Option<Translation> = translation else {
                println!("skipped: this machine's processor is none that programs are translated for");
                return;
            };
            machine(&name, &case, |machine, env, slice| machine.advance_translated(translation, env, slice));
        }
    }
}

/// Cancels a run of a tree when it has charged so much.
struct Cancels<'i> {
    interrupt: &'i AtomicU32,
    /// When there is so much left.
    at: (u64, u64),
    left: Option<Budget>,
}

impl Cancels<'_> {
    fn look(&mut self, state: &State<'_>) -> ControlFlow<()> {
        let (instructions, calls) = self.at;
        let is_there = state.budget.instructions_left <= instructions || state.budget.calls_left <= calls;
        if self.left.is_none() && is_there {
            self.interrupt.store(CANCEL, Ordering::Relaxed);
            self.left = Some(*state.budget);
        }
        ControlFlow::Continue(())
    }
}

impl Watch for Cancels<'_> {
    fn statement(&mut self, _pos: Pos, state: &State<'_>) -> ControlFlow<()> {
        self.look(state)
    }

    fn call(&mut self, _call: &eval::Call<'_>, state: &State<'_>) -> ControlFlow<()> {
        self.look(state)
    }

    fn returned(&mut self, _call: &eval::Call<'_>, _came: Result<&[Value], &Failure>, state: &State<'_>) {
        let _ = self.look(state);
    }
}

#[test]
fn the_tree_stops_soon() {
    for (name, case) in cases() {
        let marks = marks(&case);
        let compiled = compiled(&case, &marks);
        for after in CANCELLED_AFTER {
            let around = Around::new(0);
            let args = [Arg::Portal(around.root())];
            let at = (plenty().instructions_left - after, plenty().calls_left - calls(after));
            let mut cancels = Cancels { interrupt: &around.interrupt, at, left: None };
            let outcome = eval::run_watched(compiled, &args, 0, &around.env(), plenty(), &mut cancels);
            let left = cancels.left.expect("it was cancelled");
            is_soon(&name, after, &outcome.stop, &left, &outcome.budget);
        }
    }
}

/// Searching a long text for a long part takes some ten milliseconds: as long as both, in the worst case that is known.
const SEARCH: &str = "program p(desk: Desk, text: string(4_000_000), part: string(2_000_000)) -> bool {
  return text.contains(part)
}";

/// The text, a part that is not in it, and one that is.
fn texts() -> (Vec<u8>, [(Vec<u8>, bool); 2]) {
    let mut text = vec![b'a'; 3 << 20];
    text.push(b'b');
    let mut absent = vec![b'a'; 1 << 20];
    absent[0] = b'b';
    let present = text[(1 << 21) + 77..].to_vec();
    (text, [(absent, false), (present, true)])
}

/// Instructions that it has paid for.
fn used(machine: &Machine) -> u64 {
    plenty().instructions_left - machine.budget.instructions_left
}

/// It is asked to give way all the time: it does so step by step, pays for each, goes on where it was, and is charged for once.
fn gives_way(case: &Case, slice: impl Fn(&mut Machine, &Env<'_>, Slice) -> Stop) {
    let around = Around::new(0);
    let env = around.env();
    let (text, parts) = texts();
    let mut machine = Machine::new();
    for (part, is_there) in &parts {
        let mut came = Vec::new();
        for asked in [0, TURN] {
            machine.reset(&case.loaded, plenty());
            machine.set_portal(0, around.root());
            for (place, text) in case.loaded.params.iter().skip(1).zip([&text, part]) {
                let ParamPlace::Slot(slot) = *place else { panic!("{place:?}") };
                machine.set_text(&case.loaded, slot, text).expect("it fits");
            }
            around.interrupt.store(asked, Ordering::Relaxed);
            let (mut pauses, mut paid) = (0, 0);
            let slot = loop {
                match slice(&mut machine, &env, Slice::UNLIMITED) {
                    Stop::Pause => pauses += 1,
                    Stop::Done(slot) => break slot,
                    stop => panic!("{stop:?}"),
                }
                assert!(pauses < 10_000, "it does not go on where it was");
                // Whoever cancels it now has paid for the step.
                let before = std::mem::replace(&mut paid, used(&machine));
                assert!(before < paid || pauses > 5, "{pauses} pauses, {before} instructions");
            };
            assert!(asked == 0 || paid > used(&machine) / 2, "{paid} of {}", used(&machine));
            assert!((asked == 0) == (pauses == 0) && (asked == 0 || pauses > 5), "{pauses}");
            came.push((machine.slots()[slot as usize], machine.budget));
        }
        assert_eq!(came[0], came[1]);
        assert_eq!(came[0].0, u64::from(*is_there));
    }
}

#[test]
fn a_search_gives_way_and_goes_on() {
    let case = Case::parse(SEARCH).unwrap_or_else(|faults| panic!("{faults}"));
    gives_way(&case, |machine, env, slice| machine.advance(&case.loaded, env, slice));
    for translation in [&case.translation, &case.whole].into_iter().flatten() {
        gives_way(&case, |machine, env, slice| machine.advance_translated(translation, env, slice));
    }
}

/// A long list is sorted.
const SORT: &str = "record R { n: int, t: string(8) }
program p(desk: Desk) -> int {
  var list: list(R, 40_000)
  var n = 12_345
  for i in 0 .. 40_000 {
    n = (n * 1_103_515_245 + 12_345) % 2_147_483_648
    list.add(R(n, \"a\"))
  }
  let first = list[0].n
  sort list by n
  return list[20_000].n + first
}";

/// Asked to give way all the time, it does so step by step, also when the elements are put in their places, goes on where it was, and is
/// charged for once. Cancelled after some of these steps, it stops at the next one, and as if it had not begun.
fn sorts_in_steps(case: &Case, slice: impl Fn(&mut Machine, &Env<'_>, Slice) -> Stop) {
    let around = Around::new(0);
    let env = around.env();
    let sort = case.loaded.code.iter().position(|step| step.op == Op::Sort).expect("it sorts");
    let mut machine = Machine::new();
    // With `asked` behind so many instructions; cancelled once after so many steps of the sort.
    let mut run = |before: u64, asked: u32, steps: usize| {
        machine.reset(&case.loaded, plenty());
        machine.set_portal(0, around.root());
        around.interrupt.store(0, Ordering::Relaxed);
        assert_eq!(slice(&mut machine, &env, Slice { instructions: before, calls: 1 }), Stop::Pause);
        around.interrupt.store(asked, Ordering::Relaxed);
        let (mut left, mut pauses, mut was_cancelled) = (0, 0, false);
        let stop = loop {
            match slice(&mut machine, &env, Slice::UNLIMITED) {
                Stop::Pause if usize::from(machine.pc()) == sort => {
                    pauses += 1;
                    left = machine.budget.instructions_left;
                }
                stop => break stop,
            }
            if pauses == steps && !was_cancelled {
                was_cancelled = true;
                let (areas, budget) = (machine.areas().list.clone(), machine.budget);
                around.interrupt.store(CANCEL, Ordering::Relaxed);
                assert_eq!(slice(&mut machine, &env, Slice::UNLIMITED), Stop::Cancelled);
                assert_eq!((usize::from(machine.pc()), &machine.areas().list), (sort, &areas), "{steps}");
                assert_eq!(machine.budget, budget);
                around.interrupt.store(asked, Ordering::Relaxed);
            }
            assert!(pauses < 10_000, "it does not go on where it was");
        };
        let Stop::Done(slot) = stop else { panic!("{stop:?}") };
        (pauses, machine.slots()[slot as usize], machine.budget, left)
    };
    let (none, value, budget, _) = run(100, 0, usize::MAX);
    assert_eq!(none, 0);
    // Behind the loop, which would not go on, what is left is one block. The sort is charged for as many comparisons as 40,000 elements
    // may take, 16 for each.
    let used = plenty().instructions_left - budget.instructions_left;
    let before = used - 16 * 40_000 - 1;
    let (steps, value_of_steps, budget_of_steps, left) = run(before, TURN, usize::MAX);
    assert_eq!((value, budget), (value_of_steps, budget_of_steps));
    // 8,192 elements are sorted or merged in a step, merged three times, and 16,384 of one word put in their places.
    assert!(steps > 4 + 3 * 5, "{steps}");
    for cancelled_after in [1, 7, steps - 1] {
        let came = run(before, TURN, cancelled_after);
        // It began anew.
        assert_eq!(came, (cancelled_after + steps, value, budget, left));
    }
}

#[test]
fn a_sort_gives_way_and_goes_on() {
    let case = Case::parse(SORT).unwrap_or_else(|faults| panic!("{faults}"));
    sorts_in_steps(&case, |machine, env, slice| machine.advance(&case.loaded, env, slice));
    for translation in [&case.translation, &case.whole].into_iter().flatten() {
        sorts_in_steps(&case, |machine, env, slice| machine.advance_translated(translation, env, slice));
    }
}

/// It looks at the interrupt in the midst of a search: else it would be done.
#[test]
fn a_search_of_a_tree_is_cancelled() {
    let case = Case::parse(SEARCH).unwrap_or_else(|faults| panic!("{faults}"));
    let marks = marks(&case);
    let compiled = compiled(&case, &marks);
    let (text, parts) = texts();
    for (part, is_there) in parts {
        let run = |interrupt: u32| {
            let around = Around::new(interrupt);
            let portal = Arg::Portal(around.root());
            let value = |text: &[u8]| Arg::Value(Value::Text(Arc::new(text.to_vec())));
            let args = [portal, value(&text), value(&part)];
            let outcome = eval::run(compiled, &args, 0, &around.env(), plenty());
            (outcome.stop, outcome.budget.instructions_left)
        };
        let (stop, left) = run(CANCEL);
        assert_eq!(stop, Stop::Cancelled);
        let (stop, left_whole) = run(0);
        assert!(matches!(stop, Stop::Done(_)), "{stop:?}");
        assert!(
            left > left_whole + (1 << 20) / 64,
            "what was not done is not charged: {left}, {left_whole}, {is_there}"
        );
    }
}

/// Also where a machine follows the tree, and searches again.
#[test]
fn a_search_costs_the_same_in_each_engine() {
    let case = Case::parse(SEARCH).unwrap_or_else(|faults| panic!("{faults}"));
    let marks = marks(&case);
    let compiled = compiled(&case, &marks);
    let (text, parts) = texts();
    let around = Around::new(0);
    let env = around.env();
    let portal = around.root();
    for (part, is_there) in parts {
        let value = |text: &[u8]| Arg::Value(Value::Text(Arc::new(text.to_vec())));
        let args = [Arg::Portal(portal.clone()), value(&text), value(&part)];
        let mut machine = Machine::new();
        machine.reset(&case.loaded, plenty());
        let given = [Given::Portal(portal.clone()), Given::Text(&text), Given::Text(&part)];
        for (place, given) in case.loaded.params.iter().zip(given) {
            machine.give(&case.loaded, *place, given).expect("it fits");
        }
        let stop = machine.advance(&case.loaded, &env, Slice::UNLIMITED);
        assert!(matches!(stop, Stop::Done(_)), "{stop:?}");
        let left = machine.budget.instructions_left;
        let mut looks_on = Cancels { interrupt: &around.interrupt, at: (0, 0), left: None };
        for outcome in [
            eval::run(compiled, &args, 0, &env, plenty()),
            eval::run_watched(compiled, &args, 0, &env, plenty(), &mut looks_on),
        ] {
            assert!(matches!(outcome.stop, Stop::Done(_)), "{:?}", outcome.stop);
            assert_eq!(outcome.budget.instructions_left, left);
        }
        let charged = plenty().instructions_left - left;
        let bytes = (text.len() + part.len()) as u64;
        // What is there nearly fits before, everywhere; of what is not, nothing does.
        let least = if is_there { bytes } else { text.len() as u64 / 64 };
        assert!((least..2 * least).contains(&charged), "{charged} for {bytes} bytes");
        assert!(charged <= case.loaded.totals.instructions, "it is within the bill");
    }
}
