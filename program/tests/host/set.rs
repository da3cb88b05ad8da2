//! Variables of a run that stopped, set before it goes on.

use carnet_codegen::Translator;
use carnet_program::bill::hash;
use carnet_program::bytecode::SlotType;
use carnet_program::client::Client;
use carnet_program::compile::{Names, compile_named};
use carnet_program::host::{Confirm, Policy};
use carnet_program::limits::Limits;
use carnet_program::protocol::{
    APPROVAL_DIGITS, End, Engine, Outcome, Refusal, ResumeRequest, RunOptions, RunRequest, SetVariable,
    SetVariables, VariableValue,
};
use carnet_program::source::args::set_variable;
use carnet_program::source::parse;

use carnet_program::verify::{Registry, load};

use super::probe::{Fixture, MODULE, program};
use super::restart::{ID, on_root_by, translated};

/// What `NAME=VALUE` set, by the names of a program's source.
pub(super) fn named(source: &str, given: &[&str]) -> SetVariables {
    let tree = parse(&format!("use probe\n{source}"), &[std::sync::Arc::new(MODULE.clone())]);
    let tree = tree.expect("it is right");
    let (compiled, Names { variables, .. }) = compile_named(&tree).expect("it fits");
    let set = |text: &&str| set_variable(&tree, &variables, text.as_bytes()).expect("it can be set");
    let mut variables: Vec<SetVariable> = given.iter().map(set).collect();
    variables.sort_by_key(|variable| variable.slot);
    SetVariables { program: hash(&compiled.encode()), variables }
}

fn request(set: SetVariables) -> ResumeRequest {
    ResumeRequest { set: Some(set), ..ResumeRequest::new(ID, 1) }
}

fn resume(client: &Client, request: &ResumeRequest) -> Outcome {
    client.resume(request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
}

/// As many calls at a time as the policy says.
fn stopped(policy: Policy, source: &str, engine: Engine) -> Fixture {
    let fixture = Fixture::new(Policy { translated_after: 0, ..policy });
    fixture.programs.translate_with(Box::new(Translator::new().expect("this processor is known")));
    let bytes = program(source);
    let request = RunRequest { name: "mine", ..on_root_by(&bytes, engine) };
    let client = fixture.client();
    let root = client.transport().root();
    let outcome = client.run(&request, &[&root]).expect("the server answers");
    assert!(outcome.kept.is_some(), "{:?}", outcome.end);
    fixture
}

fn calls(calls: u64) -> Policy {
    Policy { limits: Limits { calls, ..Limits::default() }, ..translated() }
}

fn result(outcome: &Outcome) -> i64 {
    assert_eq!(outcome.end, End::Done);
    let bytes = outcome.result.as_ref().expect("it has a result");
    i64::from_le_bytes(bytes[..8].try_into().expect("an integer"))
}

/// What is computed for the call at which it stopped is computed with what was set, and what was computed before is not.
#[test]
fn the_call_at_which_it_stopped_is_made_with_what_was_set() {
    for (source, set, expected) in [
        ("{ var n = 5\n p.get(0, 0, 0)\n return p.add(n) }", &["n=50"][..], 50),
        ("{ var n = 5\n p.get(0, 0, 0)\n return p.add(n * 2 + 1) }", &["n=50"], 101),
        ("{ var n = 5\n var m = 1\n p.get(0, 0, 0)\n return p.add(n * m) + m }", &["n=50", "m=3"], 153),
        // Nothing of what is assigned behind the last call undoes it.
        ("{ var n = 5\n p.get(0, 0, 0)\n n = 6\n return p.add(n) }", &["n=50"], 50),
        ("{ var n = 5\n p.get(0, 0, 0)\n n = n + 1\n return p.add(n) }", &["n=50"], 50),
        // What was added to itself is not added to again.
        ("{ var n = 5\n var m = 0\n p.get(0, 0, 0)\n n = n + 1\n return p.add(n + m) }", &["m=100"], 106),
        // Nor is a text read of a list that was changed since.
        (
            "{ var n = 1
               var l: list(string(4), 2)
               var m: list(string(4), 2)
               l.add(\"ab\")
               m.add(\"xyz\")
               p.get(0, 0, 0)
               var text: string(4) = l[0]
               var same = l[0] == \"ab\"
               l = m
               p.add(n)
               if same { n += 10 }
               return n + text.len }",
            &["n=100"],
            112,
        ),
        // A branch that was not taken is not taken.
        (
            "{ var n = 5\n var m = 0\n if p.get(0, 0, 0) == 1 { n = 7 }\n return p.add(n + m) }",
            &["m=100"],
            105,
        ),
        (
            "{ var b = false\n var n = 1\n p.get(0, 0, 0)\n n = p.add(n)\n if b { n = 9 }\n return n }",
            &["b=true"],
            9,
        ),
        (
            "{ var l: list(int, 3)\n l.add(1)\n p.get(0, 0, 0)\n return p.add(l[0] + l.len) }",
            &["l=[10, 1KiB, -3]"],
            13,
        ),
        (
            "{ var l: list(string(8), 3)\n l.add(\"x\")\n p.get(0, 0, 0)\n return p.add(l[0].len) + l.len * 10 }",
            &["l=[\"abc\", \"\"]"],
            23,
        ),
        ("{ var l: list(bool, 3)\n l.add(true)\n p.get(0, 0, 0)\n p.add(1)\n return l.len }", &["l=[]"], 0),
        // Lists within lists and records.
        (
            "{ var g: list(list(int, 3), 3)\n p.get(0, 0, 0)\n p.add(1)\n var sum = 0\n \
             for row in g { for n in row { sum += n } }\n return sum + g.len }",
            &["g=[[1, 2], [], [-30]]"],
            -24,
        ),
        // A loop reads the length anew, and its bound stays.
        (
            "{ var l: list(int, 4)\n l.add(1)\n l.add(2)\n var sum = 0\n for x in l { sum += p.get(0, 0, 0) + x }\n return sum }",
            &["l=[7, 20, 300]"],
            321,
        ),
        (
            "{ var n = 1\n var sum = 0\n for i in 0 .. 3 { sum += p.get(0, 0, 0) + n }\n return sum }",
            &["n=10", "sum=1000"],
            1020,
        ),
    ] {
        let source = format!("program sets(p: Probe) -> int {source}");
        for engine in [Engine::Bytecode, Engine::Native] {
            let fixture = stopped(calls(1), &source, engine);
            let client = fixture.client();
            let options = RunOptions { engine, ..RunOptions::default() };
            let mut outcome = resume(&client, &ResumeRequest { options, ..request(named(&source, set)) });
            while let Some(kept) = outcome.kept {
                outcome = resume(&client, &ResumeRequest { options, ..ResumeRequest::new(ID, kept.stop) });
            }
            assert_eq!(result(&outcome), expected, "{source} {engine:?}");
        }
    }
}

/// A call that failed of a text is made with another.
#[test]
fn a_call_that_failed_is_made_with_another_text() {
    for (source, set) in [
        ("{ var who: string(60) = \"nobody\"\n let q = p.named(who)\n return q.add(7) }", "who=me"),
        ("{ var who: string(6) = \"nobody\"\n let q = p.named(\"my\" + who)\n return q.add(7) }", "who=self"),
        ("{ var who: string(6) = \"nobody\"\n let q = p.named(who)\n return q.add(who.len + 5) }", "who=me"),
        // The text that failed is a copy.
        (
            "{ var who: string(6) = \"nobody\"\n var n = 1\n let q = p.named(who)\n who = \"y\"\n return q.add(who.len + n) }",
            "n=6",
        ),
    ] {
        let source = format!("program sets(p: Probe) -> int {source}");
        let fixture = stopped(Policy::default(), &source, Engine::Any);
        let outcome = resume(&fixture.client(), &request(named(&source, &[set])));
        if set == "n=6" {
            assert!(matches!(outcome.end, End::CallFailed { .. }), "{:?}", outcome.end);
            let text = ResumeRequest { set: Some(named(&source, &["who=me"])), ..ResumeRequest::new(ID, 2) };
            assert_eq!(result(&resume(&fixture.client(), &text)), 7);
        } else {
            assert_eq!(result(&outcome), 7, "{source}");
        }
    }
}

/// Elements are written as records are in answers.
#[test]
fn a_list_of_records_is_set() {
    let source = "record Two { a: string(6), n: int }
program sets(p: Probe) -> int {
  var l: list(Two, 3)
  l.add(Two(a: \"me\", n: 1))
  p.get(0, 0, 0)
  let q = p.named(l[0].a)
  var sum = 0
  for two in l { sum += two.n * two.a.len }
  return q.add(sum)
}";
    for engine in [Engine::Bytecode, Engine::Native] {
        let fixture = stopped(calls(1), source, engine);
        let set = named(source, &["l=[{a: \"myself\", n: 10}, {\"n\": 1, \"a\": \"a\\x41\"}]"]);
        let client = fixture.client();
        let mut outcome = resume(&client, &request(set));
        while let Some(kept) = outcome.kept {
            outcome = resume(&client, &ResumeRequest::new(ID, kept.stop));
        }
        assert_eq!(result(&outcome), 62, "{engine:?}");
    }
    let tree =
        parse(&format!("use probe\n{source}"), &[std::sync::Arc::new(MODULE.clone())]).expect("it is right");
    let (_, Names { variables, .. }) = compile_named(&tree).expect("it fits");
    for (given, why) in [
        ("l=[{a: \"me\"}]", "element 0: the field `n` is missing"),
        ("l=[{a: \"me\", n: 1}, {a: \"x\", n: 1, k: 2}]", "element 1: there is no field `k`"),
        ("l=[{a: \"me\", n: x}]", "element 0: x is no such value"),
        ("l=[{a: \"longer than it\", n: 1}]", "element 0: longer than it is no such value"),
        ("l=[1]", "element 0: expected {a: …, n: …}"),
        ("l=1", "expected a list, for example [1, 2, 3]"),
        ("l=[", "found its end, expected a value"),
        ("l=[{a: \"\", n: 1}, {a: \"\", n: 1}, {a: \"\", n: 1}, {a: \"\", n: 1}]", "found 4 elements"),
    ] {
        let fault = set_variable(&tree, &variables, given.as_bytes()).expect_err(given).to_string();
        assert!(fault.contains(why) && fault.contains("at most 3 elements"), "{given}: {fault}");
    }
}

#[test]
fn lists_within_elements_are_set() {
    let source = "record Group { name: string(6), all: list(string(4), 2) }
program sets(p: Probe) -> int {
  var l: list(Group, 3)
  p.get(0, 0, 0)
  p.add(1)
  var sum = 0
  for group in l { for each in group.all { sum += each.len } }
  return sum
}";
    for engine in [Engine::Bytecode, Engine::Native] {
        let fixture = stopped(calls(1), source, engine);
        let set = named(source, &["l=[{name: \"a\", all: [\"xy\", \"z\"]}, {name: \"\", all: []}]"]);
        let client = fixture.client();
        let mut outcome = resume(&client, &request(set));
        while let Some(kept) = outcome.kept {
            outcome = resume(&client, &ResumeRequest::new(ID, kept.stop));
        }
        assert_eq!(result(&outcome), 3, "{engine:?}");
    }
    let tree =
        parse(&format!("use probe\n{source}"), &[std::sync::Arc::new(MODULE.clone())]).expect("it is right");
    let (_, Names { variables, .. }) = compile_named(&tree).expect("it fits");
    for (given, why) in [
        ("l=[{name: \"a\", all: 1}]", "element 0: expected a list, for example [1, 2, 3]"),
        ("l=[{name: \"a\", all: [\"longer\"]}]", "element 0: element 0: longer is no such value"),
        ("l=[{name: \"a\", all: [\"\", \"\", \"\"]}]", "element 0: found 3 elements"),
    ] {
        let fault = set_variable(&tree, &variables, given.as_bytes()).expect_err(given).to_string();
        assert!(fault.contains(why), "{given}: {fault}");
    }
}

/// What a list holds is held against the memory of the run, and a text of it that waits to be used stays as it is.
#[test]
fn a_list_is_set_within_its_limits() {
    let source = "program sets(p: Probe) -> int {
  var l: list(string(100), 400)
  l.add(\"me\")
  p.get(0, 0, 0)
  let q = p.named(l[0])
  return q.add(l.len)
}";
    let limits = Limits { memory: 1_000, ..calls(1).limits };
    let fixture = stopped(Policy { limits, ..translated() }, source, Engine::Any);
    let client = fixture.client();
    let long = format!("l=[{}]", ["\"0123456789012345678901234567890123456789\""; 30].join(", "));
    let End::Refused(Refusal::Variable { message, .. }) =
        resume(&client, &request(named(source, &[&long]))).end
    else {
        panic!("it is too much")
    };
    assert!(message.contains("with it the run takes 1.4 KiB"), "{message}");
    let mut outcome = resume(&client, &request(named(source, &["l=[\"myself\", \"\", \"\"]"])));
    while let Some(kept) = outcome.kept {
        outcome = resume(&client, &ResumeRequest::new(ID, kept.stop));
    }
    assert_eq!(result(&outcome), 3);

    let source = "record Two { a: string(6), n: int }
program sets(p: Probe) -> int {
  var l: list(string(6), 3)
  l.add(\"me\")
  var two: list(Two, 3)
  two.add(Two(a: l[0], n: p.get(0, 0, 0) + p.get(1, 1, 1)))
  return p.add(two[0].a.len)
}";
    let fixture = stopped(calls(1), source, Engine::Any);
    let End::Refused(Refusal::Variable { message, .. }) =
        resume(&fixture.client(), &request(named(source, &["l=[\"abc\"]"]))).end
    else {
        panic!("a text of it is in use")
    };
    assert_eq!(message, "what is done next was given its text already");
}

/// What was put together before it stopped is not changed under its hands.
#[test]
fn a_text_that_is_in_use_cannot_be_set() {
    let source = "record Two { a: string(6), n: int }
program sets(p: Probe) -> int {
  var who: string(6) = \"me\"
  var l: list(Two, 3)
  l.add(Two(a: who, n: p.get(0, 0, 0) + p.get(1, 1, 1)))
  let q = p.named(who)
  return l[0].a.len + q.add(5)
}";
    let fixture = stopped(calls(1), source, Engine::Any);
    let client = fixture.client();
    let why = resume(&client, &request(named(source, &["who=nobody"]))).end;
    let End::Refused(Refusal::Variable { message, .. }) = why else { panic!("{why:?}") };
    assert_eq!(message, "what is done next was given its text already");
    // Behind it, it can.
    let stopped = resume(&client, &ResumeRequest::new(ID, 1)).kept.map(|kept| kept.stop);
    assert_eq!(stopped, Some(2));
    let set = Some(named(source, &["who=myself"]));
    let mut outcome = resume(&client, &ResumeRequest { set, ..ResumeRequest::new(ID, 2) });
    while let Some(kept) = outcome.kept {
        outcome = resume(&client, &ResumeRequest::new(ID, kept.stop));
    }
    assert_eq!(result(&outcome), 7);
}

/// Only variables, only with values of their types, all or none; the run stays as it was.
#[test]
fn what_cannot_be_set_is_refused() {
    let source = "program sets(p: Probe) -> int {
  var b = true
  var text: string(8) = \"nobody\"
  var n = 0
  for i in 0 .. 2 { n += i }
  var all: list(string(8), 2)
  let q = p.named(text)
  all.add(text)
  return q.add(n)
}";
    let (fixture, of) = (stopped(Policy::default(), source, Engine::Any), named(source, &["n=1"]));
    let loaded = load(&program(source), &Registry::new(&[&MODULE])).expect("it is right");
    let (client, mut stop) = (fixture.client(), 1);
    let mut refusals = 0;
    for (slot, ty) in loaded.slots.iter().map(Some).chain([None]).enumerate() {
        for value in [
            VariableValue::Scalar(2),
            VariableValue::Text(b"too long for it".to_vec()),
            VariableValue::Text(b"a\0".to_vec()),
            VariableValue::List(vec![VariableValue::Text(b"me".to_vec())]),
            VariableValue::List(vec![VariableValue::Text(b"me".to_vec()), VariableValue::Scalar(2)]),
            VariableValue::List(vec![VariableValue::Text(b"too long for it".to_vec())]),
            VariableValue::List(vec![VariableValue::Text(b"a\0".to_vec())]),
            VariableValue::List(vec![VariableValue::Text(b"me".to_vec()); 3]),
        ] {
            let one = VariableValue::List(vec![VariableValue::Text(b"me".to_vec())]);
            let is_good = match ty {
                Some(SlotType::Int) => value == VariableValue::Scalar(2),
                Some(SlotType::List(..)) => value == one,
                _ => false,
            };
            let variables = vec![SetVariable { slot: slot as u16, value }];
            let set = Some(SetVariables { variables, ..of });
            let outcome = resume(&client, &ResumeRequest { set, ..ResumeRequest::new(ID, stop) });
            match outcome.end {
                End::CallFailed { .. } if is_good => stop += 1,
                End::Refused(Refusal::Variable { slot: of, .. }) if !is_good => {
                    assert_eq!(usize::from(of), slot);
                    refusals += 1;
                }
                other => panic!("{slot} {ty:?}: {other:?}"),
            }
        }
    }
    assert!(refusals > 30 && stop > 3, "{refusals} {stop}");
    // The first of two fits, and is not set.
    let both = named(source, &["n=40", "text=me"]);
    let mut wrong = both.clone();
    for variable in &mut wrong.variables {
        if let VariableValue::Text(text) = &mut variable.value {
            text.push(0);
        }
    }
    let refused = resume(&client, &ResumeRequest { set: Some(wrong), ..ResumeRequest::new(ID, stop) });
    assert!(matches!(refused.end, End::Refused(Refusal::Variable { .. })));
    let other = SetVariables { program: [7; 32], ..both.clone() };
    let refused = resume(&client, &ResumeRequest { set: Some(other), ..ResumeRequest::new(ID, stop) });
    assert_eq!(refused.end, End::Refused(Refusal::OtherProgram));
    let twice = both.variables.iter().chain(&both.variables).cloned().collect();
    let twice = SetVariables { variables: twice, ..both.clone() };
    let twice = ResumeRequest { set: Some(twice), ..ResumeRequest::new(ID, stop) };
    let failure = client.resume(&twice).expect("it is sent").wait(&mut |_| {});
    assert_eq!(failure.expect_err("each once").kind(), carnet_portal::call::Kind::Protocol);
    // Every integer of the program is 2 by now.
    let last = resume(
        &client,
        &ResumeRequest { set: Some(named(source, &["text=me"])), ..ResumeRequest::new(ID, stop) },
    );
    assert_eq!(result(&last), 2);
}

/// Somebody approved a bill with these arguments, and not what may be set later.
#[test]
fn what_was_approved_goes_on_as_it_was() {
    let source = "program sets(p: Probe) -> int at most 5 writes { var n = 5\n p.named(\"nobody\")\n return p.add(n) }";
    let fixture = Fixture::new(Policy { confirm: Confirm::Writes, ..Policy::default() });
    let (client, bytes) = (fixture.client(), program(source));
    let root = client.transport().root();
    let asked = RunRequest { name: "mine", ..on_root_by(&bytes, Engine::Any) };
    let End::Refused(Refusal::NotApproved { approval, .. }) =
        client.run(&asked, &[&root]).expect("the server answers").end
    else {
        panic!("it wants an approval")
    };
    let digits = carnet_program::text::hex(&approval)[..APPROVAL_DIGITS].to_owned();
    let approved = RunRequest { approval: &digits, ..asked };
    let stopped = client.run(&approved, &[&root]).expect("the server answers");
    assert!(stopped.kept.is_some(), "{:?}", stopped.end);
    let refused = resume(&client, &request(named(source, &["n=50"])));
    assert_eq!(refused.end, End::Refused(Refusal::FixedVariables));
}

/// Whoever tried it as it was before sets no less for it, and in a later round of a loop all is computed.
#[test]
fn a_run_that_went_on_before_is_set_as_well() {
    let source = "program sets(p: Probe) -> int {
  var mode = 1
  var who: string(6) = \"nobody\"
  let q = p.named(who)
  return q.add(mode * 2)
}";
    let fixture = stopped(Policy::default(), source, Engine::Any);
    let client = fixture.client();
    let again = resume(&client, &ResumeRequest::new(ID, 1));
    assert_eq!(again.kept.map(|kept| kept.stop), Some(2), "nobody came");
    let set = Some(named(source, &["mode=3", "who=me"]));
    assert_eq!(result(&resume(&client, &ResumeRequest { set, ..ResumeRequest::new(ID, 2) })), 6);

    let source = "program sets(p: Probe) -> int {
  var m = 1
  var sum = 0
  for i in 0 .. 3 {
    p.get(0, 0, 0)
    let x = m * 10
    sum += p.add(x)
  }
  return sum
}";
    let fixture = stopped(calls(1), source, Engine::Any);
    let client = fixture.client();
    let mut stop = 1;
    let outcome = loop {
        let set = match stop {
            1 => Some(named(source, &["m=2"])),
            3 => Some(named(source, &["m=3"])),
            _ => None,
        };
        let outcome = resume(&client, &ResumeRequest { set, ..ResumeRequest::new(ID, stop) });
        match outcome.kept {
            Some(kept) => stop = kept.stop,
            None => break outcome,
        }
    };
    assert_eq!(result(&outcome), 20 + 30 + 30);
}

/// The same answer was lost, and the same is asked again.
#[test]
fn what_was_set_is_set_once() {
    let source = "program sets(p: Probe) -> int { var n = 5\n p.get(0, 0, 0)\n n = n + p.add(n)\n return n }";
    let fixture = stopped(calls(1), source, Engine::Any);
    let client = fixture.client();
    let set = request(named(source, &["n=50"]));
    let once = resume(&client, &set);
    assert_eq!(result(&once), 100);
    assert_eq!(resume(&client, &set), once);
    assert_eq!(resume(&client, &request(named(source, &["n=51"]))).end, End::Refused(Refusal::NotKept));
    assert_eq!(fixture.probe.writes(), 1);
}
