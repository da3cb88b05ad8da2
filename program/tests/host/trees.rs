//! Programs that come as trees, compiled by the server, and run by the recursive interpreter if they are to be.

use std::sync::Arc;

use carnet_codegen::Translator;
use carnet_idl::descriptor::Effect;
use carnet_portal::call::Kind;
use carnet_program::bill::hash;
use carnet_program::builder::{
    BuildError, Builder, Type, for_range, give, greater, if_, let_, named, record, set,
};
use carnet_program::client::{Asked, Client, Running};
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Confirm, OnlyInstalled, Policy, Trees};
use carnet_program::interp::FaultKind;
use carnet_program::limits::{Allowance, Amounts, LimitKind, LimitSource, Limits};
use carnet_program::protocol::{
    Argument, End, Engine, InDoubt, NotWalked, Outcome, Progress, Refusal, ResumeRequest, RunId, RunOptions,
    RunProgram, RunRequest,
};
use carnet_program::source::parse;
use carnet_program::tree::{CapKind, Tree};

use super::probe::{Fixture, MODULE, wait_until};
use super::restart::{copied, directory};
use super::{COUNT, int, request, run};

pub(super) fn tree(source: &str) -> Tree {
    parse(&format!("use probe\n{}", source.trim_start()), &[Arc::new(MODULE.clone())]).expect("a program")
}

pub(super) fn taken() -> Policy {
    Policy { trees: Trees::Taken, ..Policy::default() }
}

pub(super) fn sent<'a>(
    id: u128,
    tree: &'a [u8],
    engine: Engine,
    arguments: Vec<Argument<'a>>,
) -> RunRequest<'a> {
    let options = RunOptions { engine, ..RunOptions::default() };
    RunRequest { options, program: RunProgram::Tree(tree), ..request(id, &[], arguments) }
}

pub(super) fn counting(id: u128, tree: &[u8], engine: Engine) -> RunRequest<'_> {
    sent(id, tree, engine, vec![Argument::Portal(0), Argument::Scalar(4)])
}

/// A run of a source text by the recursive interpreter.
fn walked(fixture: &Fixture, source: &str) -> Outcome {
    let bytes = tree(source).encode();
    run(fixture, &sent(1, &bytes, Engine::Tree, vec![Argument::Portal(0)]))
}

#[test]
fn a_server_takes_no_trees_unless_it_is_told_to() {
    let fixture = Fixture::new(Policy::default());
    let bytes = tree(COUNT).encode();
    for engine in [Engine::Any, Engine::Tree] {
        let refused = run(&fixture, &counting(1, &bytes, engine));
        assert_eq!(refused.end, End::Refused(Refusal::NoTrees));
    }
    let bill = fixture.client().bill(&counting(2, &bytes, Engine::Any)).expect("the server answers");
    assert_eq!((bill.bill, bill.refusal), (Err(Vec::new()), Some(Refusal::NoTrees)));
    assert_eq!(fixture.probe.writes(), 0);
}

/// However the program was sent, it is the same program and the same run.
#[test]
fn what_comes_of_a_tree_is_the_bytecode_that_the_client_would_have_made() {
    let fixture = Fixture::new(taken());
    let tree = tree(COUNT);
    let (bytes, bytecode) = (tree.encode(), compile_to_bytes(&tree).expect("it fits"));
    let first = run(&fixture, &counting(1, &bytes, Engine::Any));
    assert_eq!((&first.end, int(&first)), (&End::Done, 6));
    let hash = hash(&bytecode);
    for program in [RunProgram::Tree(&bytes), RunProgram::Whole(&bytecode), RunProgram::Hash(&hash)] {
        let again = RunRequest { program, ..counting(1, &bytes, Engine::Any) };
        assert_eq!(run(&fixture, &again), first, "{program:?}");
    }
    assert_eq!(fixture.probe.writes(), 4, "it ran once");
    assert_eq!(fixture.client().status().expect("the server answers").cached, 1);
    let billed = |program| {
        let asked = RunRequest { program, ..counting(2, &bytes, Engine::Any) };
        fixture.client().bill(&asked).expect("the server answers")
    };
    let bill = billed(RunProgram::Tree(&bytes));
    assert_eq!(bill, billed(RunProgram::Whole(&bytecode)));
    assert_eq!(bill.bill.map(|bill| bill.hash), Ok(hash));
}

#[test]
fn a_tree_is_walked_as_its_bytecode_runs() {
    let fixture = Fixture::new(taken());
    let bytes = tree(COUNT).encode();
    let by_code = run(&fixture, &counting(1, &bytes, Engine::Bytecode));
    let by_tree = run(&fixture, &counting(2, &bytes, Engine::Tree));
    assert_eq!(
        (&by_tree.end, &by_tree.result, &by_tree.calls),
        (&End::Done, &by_code.result, &by_code.calls)
    );
    assert_eq!(by_tree.receipt.instructions, by_code.receipt.instructions);
    assert_eq!(fixture.probe.writes(), 8);
    let options = RunOptions { dry: true, engine: Engine::Tree, ..RunOptions::default() };
    let dry = run(&fixture, &RunRequest { options, ..counting(3, &bytes, Engine::Tree) });
    assert_eq!((dry.end, dry.dry, dry.receipt.writes), (End::Done, true, 4));
    assert_eq!(fixture.probe.writes(), 8, "a dry run writes nothing");
}

#[test]
fn each_call_is_told_before_it_is_made_in_the_same_words() {
    let fixture = Fixture::new(taken());
    let bytes = tree(COUNT).encode();
    let told = |id, engine| {
        let client = fixture.client();
        let root = client.transport().root();
        let options = RunOptions { trace: true, engine, dry: false };
        let request = RunRequest { options, ..counting(id, &bytes, engine) };
        let mut told = Vec::new();
        let mut hear = |progress| {
            if let Progress::Call { pos, call, .. } = progress {
                told.push((pos, call));
            }
        };
        let outcome = client.start(&request, &[&root]).expect("it is sent").wait(&mut hear);
        assert_eq!(outcome.expect("the server answers").end, End::Done);
        told
    };
    let calls = told(1, Engine::Tree);
    assert_eq!(calls.len(), 4);
    assert_eq!(calls, told(2, Engine::Bytecode));
}

#[test]
fn without_a_tree_there_is_none_to_walk() {
    let fixture = Fixture::new(taken());
    let bytecode = compile_to_bytes(&tree(COUNT)).expect("it fits");
    let options = RunOptions { engine: Engine::Tree, ..RunOptions::default() };
    let asked =
        RunRequest { options, ..request(1, &bytecode, vec![Argument::Portal(0), Argument::Scalar(1)]) };
    assert_eq!(run(&fixture, &asked).end, End::Refused(Refusal::NotATree(NotWalked::NoTree)));
    // A run of bytecode that stopped goes on as that.
    let stopped = RunRequest {
        name: "count",
        options: RunOptions::default(),
        ..request(2, &bytecode, vec![Argument::Portal(0), Argument::Scalar(60)])
    };
    let kept = run(&fixture, &stopped).kept.expect("it can go on");
    let resume = |engine| {
        let options = RunOptions { engine, ..RunOptions::default() };
        let raises = Vec::new();
        let request = ResumeRequest {
            id: RunId(2),
            stop: kept.stop,
            options,
            raises,
            set: None,
            in_doubt: InDoubt::Leave,
        };
        let running = fixture.client().resume(&request).expect("it is sent");
        running.wait(&mut |_| {}).expect("the server answers").end
    };
    assert_eq!(resume(Engine::Tree), End::Refused(Refusal::NotATree(NotWalked::Began)));
    assert!(matches!(resume(Engine::Any), End::Limit { kind: LimitKind::Writes, .. }));
}

#[test]
fn who_may_run_installed_programs_only_sends_the_trees_of_these() {
    let fixture = Fixture::new(Policy { only_installed: OnlyInstalled::Everybody, ..taken() });
    let (bytes, other) = (tree(COUNT).encode(), tree(&COUNT.replace("count", "other")).encode());
    let only = || End::Refused(Refusal::OnlyInstalled("default".to_owned()));
    let client = fixture.client();
    for sent in [&bytes[..], &other, b"no tree at all"] {
        assert_eq!(run(&fixture, &counting(1, sent, Engine::Any)).end, only());
        let bill = client.bill(&counting(1, sent, Engine::Any)).expect("the server answers");
        assert_eq!(bill.refusal.map(End::Refused), Some(only()));
    }
    let bytecode = compile_to_bytes(&tree(COUNT)).expect("it fits");
    fixture.programs.install("count", COUNT, &bytecode).expect("it is right");
    assert_eq!(client.status().expect("the server answers").cached, 0, "nothing is kept of what was refused");
    for (id, engine) in (2..).zip([Engine::Any, Engine::Tree, Engine::Tree]) {
        assert_eq!(run(&fixture, &counting(id, &bytes, engine)).end, End::Done, "{engine:?}");
        assert_eq!(run(&fixture, &counting(9, &other, engine)).end, only());
    }
    assert_eq!(fixture.probe.writes(), 12);
    let other = compile_to_bytes(&tree(&COUNT.replace("count", "other"))).expect("it fits");
    fixture.programs.install("count", "", &other).expect("it is right");
    assert_eq!(run(&fixture, &counting(10, &bytes, Engine::Tree)).end, only(), "it is installed no more");
}

/// Its limits are fixed, and nobody approves it, as when it is sent otherwise; another who sends the same tree sends a program of his own.
#[test]
fn a_tree_of_an_installed_program_is_that_program_for_who_may_run_nothing_else() {
    for (only_installed, is_installed) in [(OnlyInstalled::Everybody, true), (OnlyInstalled::Nobody, false)] {
        let policy = Policy { only_installed, confirm: Confirm::Writes, ..taken() };
        let fixture = Fixture::new(policy);
        let bytecode = compile_to_bytes(&tree(COUNT)).expect("it fits");
        fixture.programs.install("count", COUNT, &bytecode).expect("it is right");
        let end = run(&fixture, &counting(1, &tree(COUNT).encode(), Engine::Tree)).end;
        assert_eq!(end == End::Done, is_installed, "{end:?}");
        assert_eq!(matches!(end, End::Refused(Refusal::NotApproved { .. })), !is_installed, "{end:?}");
    }
}

pub(super) fn fault(outcome: Outcome) -> String {
    let End::Rejected(faults) = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!((faults.len(), faults[0].rule), (1, "tree"));
    faults[0].message.clone()
}

#[test]
fn what_is_no_tree_is_rejected_with_the_reason() {
    let fixture = Fixture::new(taken());
    let whole = tree(COUNT).encode();
    let mut other_version = whole.clone();
    other_version[4] = 9;
    let mut longer = whole.clone();
    longer.push(0);
    let rejected = [
        (b"nothing".to_vec(), "this is no tree of a Carnet program"),
        (other_version, "the tree is of version 9, and this Carnet reads version 1"),
        (whole[..whole.len() - 3].to_vec(), "the tree is cut off: it ends within its body"),
        (longer, "the tree is damaged: 1 bytes come behind its end"),
    ];
    for (bytes, expected) in rejected {
        assert_eq!(fault(run(&fixture, &counting(1, &bytes, Engine::Any))), expected);
        let bill = fixture.client().bill(&counting(1, &bytes, Engine::Any)).expect("the server answers");
        assert_eq!(bill.bill.expect_err("there is none")[0].message, expected);
    }
    assert_eq!(fixture.probe.writes(), 0);
}

/// A tree says of an operation that writes that it reads: the recursive interpreter would make the call in a dry run.
#[test]
fn a_tree_does_not_redefine_operations() {
    let fixture = Fixture::new(taken());
    let honest = tree(COUNT);
    type Lie = (&'static str, fn(&mut Tree));
    let lies: [Lie; 4] = [
        ("effect", |tree| tree.ops[0].effect = Effect::Reads),
        ("name", |tree| tree.ops[0].name = "get".to_owned()),
        ("exception", |tree| tree.ops[0].raises = Some(carnet_program::tree::EnumId(0))),
        ("cost", |tree| tree.ops[0].cost = Some(0)),
    ];
    for (what, lie) in lies {
        let mut tree = honest.clone();
        tree.enums.push(carnet_program::tree::EnumUse {
            name: "Reason".to_owned(),
            hash: MODULE.enums[0].hash,
            values: MODULE.enums[0].values.clone(),
        });
        lie(&mut tree);
        let bytes = tree.encode();
        let options = RunOptions { dry: true, engine: Engine::Tree, ..RunOptions::default() };
        let outcome = run(&fixture, &RunRequest { options, ..counting(1, &bytes, Engine::Tree) });
        let message = fault(outcome);
        assert!(message.contains("in another way than its interface file"), "{what}: {message}");
    }
    assert_eq!(fixture.probe.writes(), 0);
}

const FOREVER: &str = "
program forever(p: Probe) {
  let first = p.get(1, 2, 3)
  var n = 0
  while n < 2 limit 1_000_000_000_000 { n = 1 - n }
}";

fn patient() -> Policy {
    let limits = Limits { instructions: u64::MAX / 2, time_ns: 600_000_000_000, ..Limits::default() };
    let amounts = Amounts { instructions: u64::MAX, ..Amounts::from(&Limits::default()) };
    Policy { limits, allowance: Allowance { period_s: 60, amounts }, ..taken() }
}

#[test]
fn a_walk_is_cancelled_and_holds_up_nobody() {
    let fixture = Fixture::new(patient());
    let bytes = tree(FOREVER).encode();
    let client = fixture.client();
    let root = client.transport().root();
    let request = RunRequest { name: "forever", ..sent(1, &bytes, Engine::Tree, vec![Argument::Portal(0)]) };
    let mut running = client.start(&request, &[&root]).expect("it is sent");
    wait_until(|| fixture.probe.was_read());
    // The same session is heard meanwhile.
    assert_eq!(client.status().expect("the server answers").running, 1);
    let mut before = 0;
    // As a walk it comes again to where it was, and may be cancelled before; as bytecode it goes on there at once.
    for (stop, goes_on_as) in [(1, Engine::Tree), (2, Engine::Tree), (3, Engine::Bytecode), (4, Engine::Any)]
    {
        assert!(client.cancel(RunId(1)).expect("the server answers"));
        let outcome = running.wait(&mut |_| {}).expect("the server answers");
        assert_eq!(outcome.end, End::Cancelled);
        assert_eq!(outcome.kept.map(|kept| kept.stop), Some(stop), "it can go on");
        assert_eq!((outcome.pos.line, outcome.receipt.calls), (5, 1), "{stop}");
        assert!(outcome.receipt.instructions >= before, "{stop}");
        before = outcome.receipt.instructions;
        running = goes_on(&client, stop, goes_on_as);
    }
    assert!(client.cancel(RunId(1)).expect("the server answers"));
    let outcome = running.wait(&mut |_| {}).expect("the server answers");
    assert_eq!((outcome.end, outcome.receipt.calls), (End::Cancelled, 1));
    let refused = goes_on(&client, 5, Engine::Tree).wait(&mut |_| {}).expect("the server answers");
    assert_eq!(refused.end, End::Refused(Refusal::NotATree(NotWalked::WentOn)), "it has gone on as bytecode");
}

fn goes_on(client: &Client, stop: u32, engine: Engine) -> Running {
    let options = RunOptions { engine, ..RunOptions::default() };
    let request = ResumeRequest { options, ..ResumeRequest::new(RunId(1), stop) };
    client.resume(&request).expect("it is sent")
}

/// What calls have made is let go of when the run lets go of it, however often it stops; and none is made twice.
#[test]
fn a_walk_that_goes_on_holds_no_more_than_it_would() {
    let source = "
program holds(p: Probe) -> int {
  var sum = 0
  for i in 0 .. 3 {
    let x = p.named(\"me\")
    sum += x.add(i)
    try x.named(\"nobody\") else { sum += 100 }
  }
  let list = p.named(\"myself\")
  sum += list.add(1_000)
  return sum
}";
    let bytes = tree(source).encode();
    let limits = Limits { calls: 1, ..Limits::default() };
    let alone = {
        let fixture = Fixture::new(taken());
        let outcome = run(&fixture, &sent(1, &bytes, Engine::Bytecode, vec![Argument::Portal(0)]));
        assert_eq!(outcome.end, End::Done);
        (outcome.result, outcome.calls, fixture.probe.writes())
    };
    for engines in [[Engine::Tree; 2], [Engine::Tree, Engine::Bytecode], [Engine::Bytecode; 2]] {
        let fixture = Fixture::new(Policy { limits, ..taken() });
        let client = fixture.client();
        let root = client.transport().root();
        let request = sent(1, &bytes, Engine::Tree, vec![Argument::Portal(0)]);
        let mut outcome = client.run(&RunRequest { name: "holds", ..request }, &[&root]).expect("it answers");
        let mut stops = 0;
        while let Some(kept) = outcome.kept {
            stops += 1;
            // The root, and what the block that is open has made.
            assert!(kept.stop == stops && kept.portals <= 2, "{stops}: {kept:?}");
            let engine = if stops < 5 { engines[0] } else { engines[1] };
            outcome = goes_on(&client, stops, engine).wait(&mut |_| {}).expect("the server answers");
        }
        assert_eq!((&outcome.end, stops), (&End::Done, 10), "{engines:?}");
        assert_eq!((outcome.result, outcome.calls, fixture.probe.writes()), alone, "{engines:?}");
    }
}

/// A walk that goes on begins anew with what its calls came to. There may be too much of that; then it goes on as bytecode.
#[test]
fn what_a_walk_remembers_is_bounded() {
    let source = "
program long(p: Probe) -> int {
  var sum = 0
  for i in 0 .. 20_000 { sum += p.get(i, 0, 0) }
  return sum
}";
    let bytes = tree(source).encode();
    let limits = Limits { calls: 15_000, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..taken() });
    let client = fixture.client();
    let root = client.transport().root();
    let request = sent(1, &bytes, Engine::Tree, vec![Argument::Portal(0)]);
    let stopped = client.run(&RunRequest { name: "long", ..request }, &[&root]).expect("it answers");
    assert_eq!(stopped.kept.map(|kept| kept.stop), Some(1), "{:?}", stopped.end);
    let refused = goes_on(&client, 1, Engine::Tree).wait(&mut |_| {}).expect("the server answers");
    assert_eq!(refused.end, End::Refused(Refusal::NotATree(NotWalked::TooMuch)));
    let outcome = goes_on(&client, 1, Engine::Any).wait(&mut |_| {}).expect("the server answers");
    assert_eq!((&outcome.end, outcome.receipt.calls), (&End::Done, 20_000));
}

/// Of calls that are given much and return little, little is remembered: these are given half a megabyte in all.
#[test]
fn what_calls_are_given_is_not_remembered() {
    let text = "x".repeat(100);
    let source = format!(
        "
program puts(p: Probe) -> int {{
  var last = 0
  for i in 0 .. 5_500 {{ last = p.put(\"{text}\", 0) }}
  return last
}}"
    );
    let bytes = tree(&source).encode();
    let limits = Limits { calls: 5_400, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..taken() });
    let client = fixture.client();
    let root = client.transport().root();
    let request = sent(1, &bytes, Engine::Tree, vec![Argument::Portal(0)]);
    let stopped = client.run(&RunRequest { name: "long", ..request }, &[&root]).expect("it answers");
    assert_eq!(stopped.kept.map(|kept| kept.stop), Some(1), "{:?}", stopped.end);
    let outcome = goes_on(&client, 1, Engine::Tree).wait(&mut |_| {}).expect("the server answers");
    assert_eq!((&outcome.end, outcome.receipt.calls), (&End::Done, 5_500));
    assert_eq!(fixture.probe.writes(), 5_500, "none is made twice");
}

#[test]
fn a_walk_ends_at_its_deadline() {
    // On a busy machine a short time can be over before the first call.
    let mut calls = [20, 200, 2_000, 20_000].into_iter().map(|milliseconds| {
        let limits = Limits { time_ns: milliseconds * 1_000_000, ..patient().limits };
        let outcome = walked(&Fixture::new(Policy { limits, ..patient() }), FOREVER);
        assert!(matches!(outcome.end, End::Limit { kind: LimitKind::Time, .. }), "{:?}", outcome.end);
        outcome.receipt.calls
    });
    assert_eq!(calls.find(|calls| *calls > 0), Some(1));
}

#[test]
fn a_walk_may_call_what_blocks() {
    let fixture = Fixture::new(taken());
    fixture.probe.let_go();
    let outcome = walked(&fixture, "program waits(p: Probe) -> int { return p.wait() }");
    assert_eq!((&outcome.end, int(&outcome)), (&End::Done, 7));
}

/// Within the time that the server gives, texts of megabytes are looked through, and looked at in a list, as by other engines. To copy them each
/// time would take several times that.
#[test]
fn a_walk_does_what_it_is_charged_for() {
    let limits = Limits { time_ns: 20_000_000_000, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..taken() });
    // What is given to a function is charged for as if it were copied.
    let given = Limits { instructions: 4 * limits.instructions, ..limits };
    let given = Fixture::new(Policy { limits: given, ..taken() });
    let long = format!("\"{}\"", "a".repeat(400));
    let texts = format!(
        "var t: string(4_000_000) for i in 0 .. 6_000 {{ t += {long} }}
         var part: string(4_000_000) for i in 0 .. 3_000 {{ part += {long} }} part += \"b\""
    );
    let in_list = "var l: list(R, 2) l.add(R(1, t))";
    for (k, rounds) in [
        "for i in 0 .. 3 { if t.contains(part) { n += 1 } }",
        "for i in 0 .. 100_000 { n += l[0].n - 1 }",
        "for i in 0 .. 100_000 { n += l[0].t.len - 2_400_000 }",
        "for i in 0 .. 100_000 { if t == \"\" || t.starts_with(\"b\") { n += 1 } }",
        // What nobody copies in bytecode is not copied here, either.
        "for i in 0 .. 200_000 { t = t + \"a\" }",
        "var r = R(1, t) for i in 0 .. 200_000 { r.t += \"a\" }",
        "for i in 0 .. 200_000 { for r in l { n += r.n - 1 } }",
        "for i in 0 .. 80_000 { n += f(t) }",
        "for i in 0 .. 80_000 { n += f(t) t += \"a\" n -= i }  n = 0",
    ]
    .into_iter()
    .enumerate()
    {
        let source = format!(
            "record R {{ n: int, t: string(4_000_000) }}
             fn f(t: string(4_000_000)) -> int {{ return t.len - 2_400_000 }}
             program long(p: Probe) -> int {{ var n = 0 {texts} {in_list} {rounds} return n }}"
        );
        let bytes = tree(&source).encode();
        let id = 2_000 + k as u128;
        let fixture = if rounds.contains("f(t)") { &given } else { &fixture };
        let outcome = run(fixture, &sent(id, &bytes, Engine::Tree, vec![Argument::Portal(0)]));
        assert_eq!(outcome.end, End::Done, "{rounds}");
        assert_eq!(int(&outcome), 0, "{rounds}");
    }
}

#[test]
fn a_walk_is_stopped_by_what_its_values_take() {
    let limits = Limits { memory: 100_000, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, ..taken() });
    let grows = [
        "program list(p: Probe) { var l: list(int, 100_000) for i in 0 .. 100_000 { l.add(i) } }",
        "program text(p: Probe) { var s: string(1_000_000) s = \"0123456789\" for i in 0 .. 20 { s = s + s } }",
        "program grow(p: Probe) { var s: string(1_000_000) for i in 0 .. 100_000 { s += \"0123456789\" } }",
        "record R { s: string }
         program records(p: Probe) { var l: list(R, 1000) for i in 0 .. 1000 { l.add(R()) }
           for i in 0 .. 1000 { l[i].s = \"0123456789012345678901234567890123456789012345678901234567890123456789\" } }",
        // What is on its way counts, too.
        "program passes(p: Probe) -> bool { var s: string(60_000) for i in 0 .. 5_000 { s += \"0123456789\" }
           return s + s == s }",
        "record R { a: string(40_000), b: string(40_000), c: string(40_000), d: string(40_000), e: string(40_000), f: string(40_000), g: string(40_000), h: string(40_000) }
         program tails(p: Probe) { var l: list(R, 2) var s: string(40_000) for i in 0 .. 4_000 { s += \"0123456789\" }
           l.add(R(a: s.from(1), b: s.from(2), c: s.from(3), d: s.from(4), e: s.from(5), f: s.from(6), g: s.from(7), h: s.from(8))) }",
    ];
    for source in grows {
        let bytes = tree(source).encode();
        let request = sent(source.len() as u128, &bytes, Engine::Tree, vec![Argument::Portal(0)]);
        let outcome = run(&fixture, &request);
        let End::Limit { kind, limit, .. } = outcome.end else { panic!("{source}: {:?}", outcome.end) };
        assert_eq!((kind, limit), (LimitKind::Memory, 100_000), "{source}");
        assert!(outcome.receipt.memory <= 200_000, "{source}: {}", outcome.receipt.memory);
    }
    // What is let go of is free again.
    let fits = "program fits(p: Probe) -> int { var n = 0 for i in 0 .. 1000 {
        var s: string(10_000) for k in 0 .. 100 { s += \"0123456789\" } n += s.len } return n }";
    let bytes = tree(fits).encode();
    let outcome = run(&fixture, &sent(1_000_000, &bytes, Engine::Tree, vec![Argument::Portal(0)]));
    assert_eq!((&outcome.end, int(&outcome)), (&End::Done, 1_000_000));
    // So is what an attempt gave a name to, behind its block.
    for (k, (call, len)) in [("data", "len"), ("piece", "value.len")].into_iter().enumerate() {
        let attempts: String = ["a", "b", "c", "d"]
            .map(|name| {
                format!("for i in 0 .. 2 {{ let {name} = try p.{call}(20_000) else {{ return 0 }} n += {name}.{len} }} ")
            })
            .concat();
        let source = format!("program attempts(p: Probe) -> int {{ var n = 0 {attempts} return n }}");
        let bytes = tree(&source).encode();
        let id = 2_000_000 + k as u128;
        let outcome = run(&fixture, &sent(id, &bytes, Engine::Tree, vec![Argument::Portal(0)]));
        assert_eq!(outcome.end, End::Done, "{call}");
        assert_eq!(int(&outcome), 160_000, "{call}");
    }
}

/// What is copied is charged before there is no room for it, in each of them, so that a stop for memory has one receipt.
#[test]
fn engines_are_stopped_for_memory_with_the_same_receipt() {
    let limits = Limits { memory: 1_000_000, ..Limits::default() };
    let fixture = Fixture::new(Policy { limits, translated_after: 0, ..taken() });
    fixture.programs.translate_with(Box::new(Translator::new().expect("this processor is known")));
    let copies: String = (0..15).map(|k| format!("p.add(1) let x{k} = t n += x{k}.len ")).collect();
    let programs = [
        ("var l: list(string(90_000), 99)", "p.add(1) l.add(t)"),
        ("var l: list(R, 99) for j in 0 .. 50 { l.add(R()) }", "p.add(1) l[i].t = t"),
        ("var l: list(string(90_000), 99) for j in 0 .. 50 { l.add(\"\") }", "p.add(1) l[i] = t"),
        ("var s: string(2_000_000)", "p.add(1) s += t"),
        ("var l: list(string(90_000), 99) for j in 0 .. 6 { l.add(t) } var m = l", "p.add(1) m = l"),
        (&*copies, "p.add(1)"),
    ];
    for (k, (before, round)) in programs.into_iter().enumerate() {
        let source = format!(
            "record R {{ n: int, t: string(90_000) }}
             program full(p: Probe) -> int {{ var n = 0 var t: string(90_000)
               for h in 0 .. 9_000 {{ t += \"0123456789\" }}
               {before} for i in 0 .. 50 {{ {round} }} return n }}"
        );
        let bytes = tree(&source).encode();
        let stopped = |engine: Engine| {
            let id = 100 * k as u128 + engine as u128;
            let outcome = run(&fixture, &sent(id, &bytes, engine, vec![Argument::Portal(0)]));
            let End::Limit { kind, .. } = outcome.end else { panic!("{round}: {:?}", outcome.end) };
            assert_eq!(kind, LimitKind::Memory, "{round}");
            (outcome.calls, outcome.receipt.instructions)
        };
        let by_bytecode = stopped(Engine::Bytecode);
        for engine in [Engine::Native, Engine::Tree] {
            assert_eq!(stopped(engine), by_bytecode, "{engine:?}: {before} {round}");
        }
    }
}

#[test]
fn a_service_that_panics_ends_a_walk_and_no_other() {
    let fixture = Fixture::new(taken());
    for (source, calls) in [
        ("program p(p: Probe) -> int { p.add(1) return p.panics() }", 2),
        ("program p(p: Probe) -> int { let x = p.named(\"explosive\") return x.panics() }", 2),
    ] {
        let outcome = walked(&Fixture::new(taken()), source);
        let End::CallFailed { raised: false, message } = &outcome.end else { panic!("{:?}", outcome.end) };
        assert!(message.contains("broke off"), "{message}");
        assert_eq!((outcome.receipt.calls, outcome.pos.line), (calls, 2), "{source}");
    }
    // What it lets go of may panic as well.
    let brittle = "program p(p: Probe) { for i in 0 .. 3 { let x = p.named(\"many brittle\") let y = p.named(\"brittle\") } }";
    assert_eq!(walked(&fixture, brittle).end, End::Done);
    assert_eq!(
        walked(&fixture, COUNT.replace(", n: int = 5", "").replace("0 .. n", "0 .. 2").as_str()).end,
        End::Refused(Refusal::IdentityUsed)
    );
    let outcome = run(&fixture, &counting(5, &tree(COUNT).encode(), Engine::Tree));
    assert_eq!(outcome.end, End::Done);
}

#[test]
fn faults_of_a_walk_are_told_with_their_line() {
    let outcome = walked(
        &Fixture::new(taken()),
        "program p(p: Probe) -> int {\n  p.add(1)\n  var n = 0\n  return 1 / n\n}",
    );
    assert_eq!((outcome.end, outcome.pos.line), (End::Fault(FaultKind::DivisionByZero), 5));
    assert_eq!(outcome.calls[0].to_string(), "Probe.add 1");
}

#[test]
fn a_walk_draws_from_the_allowance_until_it_is_used_up() {
    let amounts = Amounts { writes: 6, ..Amounts::from(&Limits::default()) };
    let allowance = Allowance { period_s: 60, amounts };
    let fixture = Fixture::new(Policy { allowance, ..taken() });
    let bytes = tree(COUNT).encode();
    assert_eq!(run(&fixture, &counting(1, &bytes, Engine::Tree)).end, End::Done);
    let outcome = run(&fixture, &counting(2, &bytes, Engine::Tree));
    let End::Limit { kind, source, .. } = outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(kind, LimitKind::Writes);
    assert!(matches!(source, LimitSource::Allowance { .. }), "{source:?}");
    assert_eq!(fixture.probe.writes(), 6);
    assert_eq!(
        outcome.call.expect("the call that was not made").arguments,
        [("n".to_owned(), "2".to_owned())]
    );
}

#[test]
fn what_a_walk_writes_is_written_down() {
    let dir = directory();
    let bytes = tree(COUNT).encode();
    let fixture = Fixture::journalled(taken(), dir.path());
    let outcome = run(&fixture, &counting(1, &bytes, Engine::Tree));
    assert_eq!(outcome.end, End::Done);
    fixture.probe.lose_second(Kind::PeerDied);
    let lost = run(&fixture, &counting(2, &bytes, Engine::Tree));
    assert!(matches!(lost.end, End::CallInDoubt { .. }), "{:?}", lost.end);
    assert_eq!(lost.calls[0].to_string(), "Probe.add 2");
    let left = copied(dir.path());
    let next = Fixture::journalled(taken(), left.path());
    for (id, before) in [(1, outcome), (2, lost)] {
        let Asked::Ended(told) = next.client().ask(RunId(id)).expect("the server answers") else {
            panic!("the run has ended");
        };
        assert_eq!(*told, before);
    }
    assert_eq!(run(&next, &counting(1, &bytes, Engine::Tree)).end, End::Done);
    assert_eq!(next.probe.writes(), 0, "it ran once");
}

#[test]
fn a_walk_that_the_server_did_not_survive_is_told_of() {
    let dir = directory();
    let bytes = tree("program stalls(p: Probe) -> int { p.add(1) return p.put(\"the text\", 2) }").encode();
    let fixture = Fixture::journalled(taken(), dir.path());
    let request = sent(1, &bytes, Engine::Tree, vec![Argument::Portal(0)]);
    let left = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&fixture, &request));
        wait_until(|| fixture.probe.stalling());
        let left = copied(dir.path());
        fixture.probe.let_go();
        assert_eq!(running.join().expect("it ends").end, End::Done);
        left
    });
    let next = Fixture::journalled(taken(), left.path());
    let Asked::Ended(told) = next.client().ask(RunId(1)).expect("the server answers") else {
        panic!("it was under way");
    };
    assert_eq!(told.end, End::ServerEnded { in_doubt: true });
    assert_eq!(told.kept, None);
    let call = told.call.as_ref().expect("the call that is in doubt");
    assert_eq!(
        call.arguments,
        [("text".to_owned(), "\"the text\"".to_owned()), ("how".to_owned(), "2".to_owned())]
    );
    assert_eq!((told.calls[0].to_string(), told.pos.line), ("Probe.add 1".to_owned(), 2));
}

/// Each part of a client adds its calls to what it was handed, in bytes; what comes out is sent once.
#[test]
fn two_parts_of_a_client_extend_a_program_that_is_sent_once() {
    let module = &*MODULE;
    let mut first = Builder::new("together", &[module]);
    let p = first.param("p", named("probe.Probe"));
    let sum = first.var("sum", Type::Int);
    first.record("Sums", &[("before", Type::Int), ("all", Type::Int)]);
    first.at_most(CapKind::Writes, 20);
    let handed = first.build(set(sum, p.call("add", [1]))).expect("it is well made").encode();

    let mut second = Builder::extend(Tree::decode(&handed).expect("a tree"), &[module]).expect("it goes on");
    let (p, sum) = (second.existing("p").expect("it is there"), second.existing("sum").expect("it is there"));
    let n = second.param("n", Type::Int);
    let (i, started) = (second.name("i"), second.started());
    let adds = for_range(i, 0, n, set(sum, sum + p.call("add", [i])));
    let handed = second.build(if_(greater(started, 0), adds, ())).expect("it is well made").encode();

    let mut third = Builder::extend(Tree::decode(&handed).expect("a tree"), &[module]).expect("it goes on");
    let (p, sum) = (third.existing("p").expect("it is there"), third.existing("sum").expect("it is there"));
    assert_eq!(third.existing("i"), None, "its block has ended");
    assert_eq!(third.existing("started"), Some(third.started()));
    third.returns(named("Sums"));
    let before = third.name("before");
    let last = (
        let_(before, sum),
        set(sum, sum + p.call("copy", [100])),
        give(record("Sums", vec![("before", before.into()), ("all", sum.into())])),
    );
    let tree = third.build(last).expect("it is well made");
    assert_eq!(Tree::decode(&tree.encode()), Ok(tree.clone()), "it keeps the rules of trees");
    assert_eq!(
        Builder::extend(tree.clone(), &[module]).err(),
        Some(BuildError::Ended("together".to_owned()))
    );

    let fixture = Fixture::new(taken());
    let bytes = tree.encode();
    for (id, engine) in [(1, Engine::Tree), (2, Engine::Bytecode)] {
        let request = sent(id, &bytes, engine, vec![Argument::Portal(0), Argument::Scalar(4)]);
        let outcome = run(&fixture, &request);
        assert_eq!(outcome.end, End::Done);
        let words: Vec<u8> = [7_i64, 107].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(outcome.result, Some(words), "{engine:?}");
        assert_eq!(
            outcome.calls.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["Probe.add 5", "Probe.copy 1"]
        );
    }
    assert_eq!(fixture.probe.writes(), 12);
}
