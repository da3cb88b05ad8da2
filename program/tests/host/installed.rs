//! Programs that the owner installed: by name and hash, with fixed limits, and for some principals nothing else.

use carnet_portal::call::Kind;
use carnet_program::client::Client;
use carnet_program::host::{Confirm, OnlyInstalled, Policy};
use carnet_program::limits::{Allowance, Amounts, LimitKind, Limits};
use carnet_program::protocol::{
    End, Engine, InstalledProgram, Outcome, Raise, Refusal, ResumeRequest, RunProgram, RunRequest,
};
use carnet_program::tree::CapKind;

use super::probe::{Fixture, program};
use super::trees::{counting, taken, tree};
use super::{COUNT, on_root};

const THREE: &str =
    "program three(p: Probe) -> int at most 3 writes { return p.add(1) + p.add(2) + p.add(3) }";
const READS: &str = "program reads(p: Probe) -> int { return p.get(1, 2, 3) }";
/// Stops, since its last call fails.
const FAILS: &str = r#"program fails(p: Probe) -> int at most 3 writes { return p.add(1) + p.put("x", 3) }"#;

fn run(client: &Client, request: &RunRequest<'_>) -> Outcome {
    let root = client.transport().root();
    client.run(request, &[&root]).expect("the server answers")
}

fn by_hash<'a>(id: u128, hash: &'a [u8; 32]) -> RunRequest<'a> {
    RunRequest { program: RunProgram::Hash(hash), ..on_root(id, &[]) }
}

fn hash(source: &str) -> [u8; 32] {
    carnet_program::bill::hash(&program(source))
}

fn installed(policy: Policy, programs: &[(&str, &str)]) -> Fixture {
    let fixture = Fixture::new(policy);
    for (name, source) in programs {
        fixture.programs.install(name, source, &program(source)).expect("it is right");
    }
    fixture
}

#[test]
fn they_are_listed_shown_and_replaced() {
    let fixture = installed(Policy::default(), &[("three", THREE), ("a", READS), ("b", READS)]);
    let client = fixture.client();
    let listed = |client: &Client| -> Vec<String> {
        let all = client.installed().expect("the server answers");
        assert!(all.iter().all(|program| program.source.is_empty()));
        all.into_iter().map(|program| program.name).collect()
    };
    assert_eq!(listed(&client), ["a", "b", "three"]);
    let shown = client.installed_as("three").expect("the server answers");
    let three = InstalledProgram { name: "three".into(), hash: hash(THREE), source: THREE.into() };
    assert_eq!(shown, Some(three));
    assert_eq!(client.installed_as("four").expect("the server answers"), None);
    assert_eq!(run(&client, &by_hash(1, &hash(THREE))).end, End::Done);
    // One that has two names goes with the last of them.
    for (name, is_there) in [("a", true), ("b", false)] {
        fixture.programs.install(name, THREE, &program(THREE)).expect("it is right");
        let end = run(&client, &by_hash(u128::from(is_there) + 2, &hash(READS))).end;
        assert_eq!(end == End::Done, is_there, "{end:?}");
    }
    assert!(fixture.programs.install("bad", "", b"no program").is_err());
    assert_eq!(listed(&client), ["a", "b", "three"]);
}

#[test]
fn nothing_pushes_them_out() {
    let policy = Policy { cached_max: 1, cached_per_principal_max: 1, ..Policy::default() };
    let fixture = installed(policy, &[("three", THREE)]);
    for id in 1..5 {
        let other = program(&READS.replace("1, 2, 3", &format!("{id}, 2, 3")));
        assert_eq!(run(&fixture.client(), &on_root(id, &other)).end, End::Done);
        assert_eq!(run(&fixture.client(), &by_hash(10 + id, &hash(THREE))).end, End::Done);
    }
}

#[test]
fn who_installed_a_program_has_approved_it() {
    let policy = Policy { confirm: Confirm::Writes, ..Policy::default() };
    let fixture = installed(policy, &[("three", THREE)]);
    let client = fixture.client();
    let root = client.transport().root();
    let (three, bytes) = (hash(THREE), program(THREE));
    assert_eq!(run(&client, &by_hash(1, &three)).end, End::Done);
    let bill = client.bill(&by_hash(2, &three)).expect("the server answers");
    assert_eq!(bill.refusal, None);
    let sent = client.run(&on_root(3, &bytes), &[&root]).expect("the server answers").end;
    assert!(
        matches!(sent, End::Refused(Refusal::NotApproved { .. })),
        "one that is sent is one's own: {sent:?}"
    );
}

#[test]
fn their_limits_are_fixed() {
    let fixture = installed(Policy::default(), &[("fails", FAILS), ("three", THREE)]);
    fixture.probe.let_go();
    let client = fixture.client();
    let fails = hash(FAILS);
    let request = RunRequest { name: "mine", ..by_hash(1, &fails) };
    let stopped = run(&client, &request);
    let stop = stopped.kept.expect("the call failed, and can be made again").stop;
    let raises = vec![Raise { kind: CapKind::Writes, by: 1 }];
    let resume = |raises| {
        let request = ResumeRequest { raises, ..ResumeRequest::new(request.id, stop) };
        client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers").end
    };
    assert_eq!(resume(raises), End::Refused(Refusal::RaisesInstalled));
    assert!(matches!(resume(Vec::new()), End::CallFailed { .. }), "it goes on without");
    // With its header's limit used up it can never go on, so it is not kept.
    let two = THREE.replace("at most 3", "at most 2");
    fixture.programs.install("two", &two, &program(&two)).expect("it is right");
    let stopped = run(&client, &RunRequest { name: "other", ..by_hash(2, &hash(&two)) });
    assert!(matches!(stopped.end, End::Limit { .. }) && stopped.kept.is_none(), "{stopped:?}");
    let sent = program(&two);
    let stopped = run(&client, &RunRequest { name: "mine", ..on_root(3, &sent) });
    assert!(stopped.kept.is_some(), "one's own program is kept");
}

#[test]
fn who_is_bound_to_them_can_do_nothing_else() {
    let only = |names: &[&str]| OnlyInstalled::These(names.iter().map(|name| (*name).to_owned()).collect());
    assert!(only(&["ci", "nightly"]).binds("ci") && !only(&["ci"]).binds("alice"));
    assert!(OnlyInstalled::Everybody.binds("ci") && !OnlyInstalled::Nobody.binds("ci"));
    let policy = Policy { only_installed: OnlyInstalled::Everybody, ..Policy::default() };
    let fixture = installed(policy, &[("three", THREE)]);
    let client = fixture.client();
    let refused = End::Refused(Refusal::OnlyInstalled("default".into()));
    let (reads, damaged) = (program(READS), vec![7; 100]);
    for bytes in [&reads, &damaged] {
        assert_eq!(run(&client, &on_root(1, bytes)).end, refused, "it is not even verified");
        let bill = client.bill(&on_root(1, bytes)).expect("the server answers");
        assert_eq!(bill.refusal.map(End::Refused), Some(refused.clone()));
    }
    assert_eq!(run(&client, &by_hash(1, &hash(READS))).end, End::Refused(Refusal::NotCached));
    assert_eq!(run(&client, &by_hash(2, &hash(THREE))).end, End::Done);
    assert_eq!(run(&client, &on_root(3, &program(THREE))).end, End::Done, "it may be sent as well");
    assert_eq!(fixture.probe.writes(), 6);
    let call = fixture.call(&client, 2, 1).expect_err("it is a single call");
    assert_eq!(call.kind(), Kind::Refused);
    assert!(call.details().message.contains("installed programs"), "{}", call.details().message);
    assert_eq!(fixture.probe.writes(), 6);
}

/// What is refused was compiled to see what it is: that is charged, and ends with the allowance.
#[test]
fn trees_that_are_not_installed_are_charged_to_who_may_run_installed_programs_only() {
    let bytes = tree(COUNT).encode();
    let each = 10 * bytes.len() as u64;
    let amounts = Amounts { instructions: 3 * each, ..Amounts::from(&Limits::default()) };
    let allowance = Allowance { period_s: 60, amounts };
    let fixture = Fixture::new(Policy { only_installed: OnlyInstalled::Everybody, allowance, ..taken() });
    let client = fixture.client();
    for id in 0..3 {
        let refused = run(&client, &counting(id, &bytes, Engine::Any));
        assert!(matches!(refused.end, End::Refused(Refusal::OnlyInstalled(_))), "{:?}", refused.end);
        assert_eq!(client.status().expect("it answers").standing.used.instructions, (id as u64 + 1) * each);
    }
    let refused = run(&client, &counting(3, &bytes, Engine::Any));
    let End::Refused(Refusal::Allowance { kind: LimitKind::Instructions, .. }) = refused.end else {
        panic!("{:?}", refused.end)
    };
}
