//! Programs beside the descriptors of a session: over each transport, with errors, limits, cancellation, resuming, and processes that die.

mod support;

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use carnet_linux::linux::{self, System};
use carnet_program::client::{Asked, Client};
use carnet_program::host::{Policy, Trees};
use carnet_program::protocol::{
    Argument, End, Engine, Outcome, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest,
};
use carnet_program::source::parse;
use rustix::process::{Pid, Signal, kill_process};
use support::served::{Served, bytes, request, served, served_and_written_down};
use support::*;

fn run(client: &Client, system: &System, id: u128, bytes: &[u8], texts: &[&str]) -> Outcome {
    let texts = texts.iter().map(|text| Argument::Text(text.as_bytes()));
    let arguments = std::iter::once(Argument::Portal(0)).chain(texts).collect();
    client.run(&request(id, bytes, arguments), &[system.portal()]).expect("the server answers")
}

#[test]
fn a_file_is_copied_over_each_transport() {
    let copy = bytes(include_str!("copy.carnet"));
    for shared in [false, true] {
        let served = served(shared, Policy::default(), |_| {});
        let data: Vec<u8> = (0..1_000_000_u32).map(|k| (k % 253) as u8).collect();
        fs::write(served.dir.path().join("files/a"), &data).expect("it is written");
        let (client, system) = served.client();
        let outcome = run(&client, &system, 1, &copy, &["a", "b"]);
        assert_eq!(outcome.end, End::Done);
        assert_eq!(outcome.result.as_deref(), Some(&1_000_000_u64.to_le_bytes()[..]));
        let counted = (outcome.receipt.calls, outcome.receipt.writes, outcome.receipt.written);
        assert_eq!(counted, (4 + 17 + 16, 17, 1_000_000));
        assert_eq!(fs::read(served.dir.path().join("files/b")).expect("it is there"), data);
        assert_eq!(system.dup(0).expect("it lives"), 3, "the program has closed what it opened");
        // Once more, with the program there: O_EXCL refuses.
        let again = run(&client, &system, 2, &copy, &["a", "b"]);
        let End::CallFailed { raised: true, message } = &again.end else { panic!("{:?}", again.end) };
        assert_eq!(message, "file exists");
        assert_eq!(again.call.as_ref().map(|call| &call.operation[..]), Some("System.open_write"));
        assert_eq!((again.receipt.calls, again.receipt.writes), (2, 1));
    }
}

/// Two pipes, of which something is written into the second.
#[test]
fn a_program_sends_a_list_of_what_it_waits_for() {
    let source = r#"
        use linux
        program ready(sys: System, path: string) -> int {
          let first = sys.pipe2(0)
          let second = sys.pipe2(0)
          var both: list(Poll, 2)
          both.add(Poll(fd: first.reader, events: 1))
          both.add(Poll(fd: second.reader, events: 1))
          var found = -1
          for k, one in sys.poll_several(both, 0) { if one.revents != 0 { found = 10 + k } }
          sys.write(second.writer, sys.read(sys.open(path, 0), 1))
          for k, one in sys.poll_several(both, 20_000) { if one.revents == 1 { found += 100 * (k + 1) } }
          return found
        }"#;
    for shared in [false, true] {
        let served = served(shared, Policy::default(), |_| {});
        fs::write(served.dir.path().join("files/a"), "a").expect("it is written");
        let (client, system) = served.client();
        let outcome = run(&client, &system, 1, &bytes(source), &["a"]);
        assert_eq!(outcome.end, End::Done);
        assert_eq!(outcome.result.as_deref(), Some(&199_i64.to_le_bytes()[..]));
    }
}

/// A number in a list has to fit as one beside lists has: it is not cut to what fits.
#[test]
fn a_number_in_a_list_that_does_not_fit_is_refused() {
    let source = r#"
        use linux
        program ready(sys: System, path: string) -> int {
          let at = sys.open(path, 0)
          var one: list(Poll, 1)
          one.add(Poll(fd: at + 4_294_967_296, events: 1))
          return sys.poll_several(one, 0).len
        }"#;
    let served = served(false, Policy::default(), |_| {});
    fs::write(served.dir.path().join("files/a"), "a").expect("it is written");
    let (client, system) = served.client();
    let outcome = run(&client, &system, 1, &bytes(source), &["a"]);
    let End::CallFailed { raised: false, message } = &outcome.end else { panic!("{:?}", outcome.end) };
    assert_eq!(message, "an integer that is not of its type");
}

#[test]
fn errors_are_numbers_that_programs_test() {
    let source = r#"
        use linux
        program look(sys: System, path: string) -> int {
          try sys.stat(path) else {
            if error.kind == Errno.ENOENT { return 2 }
            if error.kind == Errno.ENOTDIR { return 20 }
            fail error.message
          }
          return 0
        }"#;
    let look = bytes(source);
    let served = served(false, Policy::default(), |_| {});
    fs::write(served.dir.path().join("files/a"), b"").expect("it is written");
    let (client, system) = served.client();
    for (id, (path, expected)) in [("a", 0_u64), ("none", 2), ("a/b", 20)].into_iter().enumerate() {
        let outcome = run(&client, &system, id as u128 + 1, &look, &[path]);
        assert_eq!(outcome.result.as_deref(), Some(&expected.to_le_bytes()[..]), "{path}: {:?}", outcome.end);
    }
    let outcome = run(&client, &system, 9, &look, &["/etc"]);
    assert_eq!(outcome.end, End::Failed(b"permission denied".to_vec()));
}

#[test]
fn structures_and_lists_are_records_of_programs() {
    let source = r#"
        use linux
        program sizes(sys: System) -> int {
          let dir = sys.open(".", 65_536)
          var sum = 0
          while true limit 100 {
            let entries = sys.getdents64(dir, 1KiB)
            if entries.len == 0 { break }
            for entry in entries {
              if entry.kind == 8 { sum += sys.statx(dir, entry.name, 0, 2_047).size }
            }
          }
          let pipe = sys.pipe2(0)
          let ready = sys.poll(Poll(fd: pipe.writer, events: 4, revents: 0), 0)
          if ready.revents != 4 { fail "a pipe without room" }
          return sum
        }"#;
    let sizes = bytes(source);
    let served = served(false, Policy::default(), |_| {});
    for k in 0..100 {
        fs::write(served.dir.path().join(format!("files/{k}")), vec![0; k]).expect("it is written");
    }
    let (client, system) = served.client();
    let outcome = run(&client, &system, 1, &sizes, &[]);
    assert_eq!(outcome.result.as_deref(), Some(&4_950_u64.to_le_bytes()[..]), "{:?}", outcome.end);
    assert_eq!(outcome.receipt.writes, 0);
}

const WAITS: &str = r#"
    use linux
    program waits(sys: System, one: bytes(10)) -> int {
      let pipe = sys.pipe2(0)
      sys.write(pipe.writer, one)
      sys.read(pipe.reader, 1)
      let data = sys.read(pipe.reader, 1)
      return data.len
    }"#;

/// Until a process that has opened this descriptor sleeps, and goes on sleeping. Within a slice it sleeps in calls alone.
fn wait_until_it_sleeps(pid: i32, opened: i32) {
    let slept = || {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name).map(str::trim));
        line("State:")?.starts_with('S').then(|| line("voluntary_ctxt_switches:").map(str::to_owned))?
    };
    wait_until(|| fs::exists(format!("/proc/{pid}/fd/{opened}")).expect("proc is there"));
    wait_until(|| {
        let before = slept();
        before.is_some()
            && (0..20).all(|_| {
                thread::park_timeout(Duration::from_millis(1));
                slept() == before
            })
    });
}

/// Until a process waits in this call on this descriptor.
fn wait_until_it_is_in(pid: i32, call: u16, fd: i32) {
    let begins = format!("{call} {fd:#x} ");
    wait_until(|| fs::read_to_string(format!("/proc/{pid}/syscall")).is_ok_and(|it| it.starts_with(&begins)));
}

const READ: u16 = 0;

#[test]
fn a_run_that_waits_is_cancelled_and_goes_on_with_its_descriptors() {
    goes_on(WAITS);
}

/// That it was interrupted is no exception of the call's, which the program would take for the pipe's.
#[test]
fn a_run_that_waits_under_a_handler_is_cancelled_and_goes_on() {
    goes_on(&WAITS.replace(
        "data = sys.read(pipe.reader, 1)",
        "data = try sys.read(pipe.reader, 1) else { fail error.message }",
    ));
}

/// Nor is it one that an array carries on after.
#[test]
fn an_array_that_waits_in_a_call_that_may_fail_is_cancelled_and_goes_on() {
    goes_on(
        r#"
        use linux
        array waits(sys: System, one: bytes(10)) -> int
        {
          message pipe: System.pipe2(flags: 0)
          message put: System.write(fd: 4, data: one)
          message got: System.read(fd: 3, n: 1)
          call sys with pipe
          call sys with put
          call sys with got
          try call sys with got
          return put.value
        }"#,
    );
}

/// What waits is cancelled, and goes on.
fn goes_on(source: &str) {
    let waits = bytes(source);
    let served = served(false, Policy::default(), |_| {});
    let (client, system) = served.client();
    let pid = system.getpid().expect("it lives");
    let named =
        RunRequest { name: "waits", ..request(7, &waits, vec![Argument::Portal(0), Argument::Text(b"x")]) };
    let running = client.start(&named, &[system.portal()]).expect("it begins");
    let (other, _) = served.client();
    wait_until_it_sleeps(pid, 4);
    assert!(other.cancel(RunId(7)).expect("it answers"));
    let outcome = running.wait(&mut |_| {}).expect("it answers");
    assert_eq!(outcome.end, End::Cancelled);
    let kept = outcome.kept.expect("it is kept");
    let call = outcome.call.as_ref().expect("it is known which");
    assert_eq!((&call.operation[..], call.interrupted), ("System.read", true));
    drop((client, system));
    assert!(fs::exists(format!("/proc/{pid}")).expect("proc is there"), "the run keeps its process");
    // Another session lets it go on; what it waits for is put into its pipe through /proc.
    let (client, _) = served.client();
    fs::write(format!("/proc/{pid}/fd/4"), b"y").expect("the pipe is open");
    let resume = ResumeRequest::new(RunId(7), kept.stop);
    let outcome = client.resume(&resume).expect("it begins").wait(&mut |_| {}).expect("it answers");
    assert_eq!(outcome.end, End::Done);
    assert_eq!(outcome.result.as_deref(), Some(&1_u64.to_le_bytes()[..]));
    wait_until(|| !fs::exists(format!("/proc/{pid}")).expect("proc is there"));
}

/// A run that is cancelled has stopped by then.
const STOPS_WITHIN: Duration = Duration::from_millis(10);

/// Whose calls are made one by one: the call that waits is interrupted all the same, and no handler is told of it.
fn stops_at_once(served: &Served, source: &str, engine: Engine) {
    let (client, system) = served.client();
    let pid = system.getpid().expect("it lives");
    let tree = parse(source, &[Arc::new(linux::module().clone())]).expect("it parses").encode();
    let whole = bytes(source);
    let options = RunOptions { engine, ..RunOptions::default() };
    let program = if engine == Engine::Tree { RunProgram::Tree(&tree) } else { RunProgram::Whole(&whole) };
    let arguments = vec![Argument::Portal(0), Argument::Text(b"x")];
    let named = RunRequest { name: "waits", options, program, ..request(7, &whole, arguments) };
    let (other, _) = served.client();
    let mut running = client.start(&named, &[system.portal()]).expect("it begins");
    let (mut quickest, mut stops) = (Duration::MAX, 0);
    // The machine may have others to run each time but one.
    let patience = Instant::now() + peer::PATIENCE;
    while stops < 5 || quickest > STOPS_WITHIN && Instant::now() < patience {
        wait_until_it_is_in(pid, READ, 3);
        let began = Instant::now();
        assert!(other.cancel(RunId(7)).expect("it answers"));
        let outcome = running.wait(&mut |_| {}).expect("it answers");
        quickest = quickest.min(began.elapsed());
        assert_eq!(outcome.end, End::Cancelled, "{engine:?}");
        let call = outcome.call.as_ref().expect("it is known which");
        assert_eq!((&call.operation[..], call.interrupted), ("System.read", true), "{engine:?}");
        // What was interrupted was made, and failed.
        let read = outcome.calls.iter().find(|call| call.operation == "read").expect("it was called");
        let calls = 4 + u64::from(stops);
        assert_eq!((outcome.receipt.calls, read.count, read.failed), (calls, calls - 2, calls - 3));
        stops += 1;
        let stop = outcome.kept.expect("it is kept").stop;
        assert_eq!(stop, stops);
        let request = ResumeRequest { options, ..ResumeRequest::new(RunId(7), stop) };
        running = client.resume(&request).expect("it begins");
    }
    assert!(quickest <= STOPS_WITHIN, "{engine:?}: {quickest:?} of {stops}");
    fs::write(format!("/proc/{pid}/fd/4"), b"y").expect("the pipe is open");
    let outcome = running.wait(&mut |_| {}).expect("it answers");
    assert_eq!(outcome.end, End::Done, "{engine:?}");
    assert_eq!(outcome.result.as_deref(), Some(&1_u64.to_le_bytes()[..]));
}

#[test]
fn a_run_whose_calls_are_made_one_by_one_stops_within_a_call_that_waits() {
    let with_handler = WAITS.replace(
        "data = sys.read(pipe.reader, 1)",
        "data = try sys.read(pipe.reader, 1) else { fail error.message }",
    );
    for source in [WAITS, &with_handler] {
        let policy = || Policy { trees: Trees::Taken, ..Policy::default() };
        stops_at_once(&served_and_written_down(policy()), source, Engine::Bytecode);
        stops_at_once(&served_and_written_down(policy()), source, Engine::Tree);
        stops_at_once(&served(false, policy(), |_| {}), source, Engine::Bytecode);
        stops_at_once(&served(false, policy(), |_| {}), source, Engine::Tree);
    }
}

/// The next server knows that a write which was interrupted did nothing.
#[test]
fn a_write_that_was_interrupted_is_written_down_as_not_done() {
    // A pipe holds 64 KiB.
    let source = r#"
        use linux
        program fills(sys: System, one: bytes(10)) -> int {
          let pipe = sys.pipe2(0)
          var put = 0
          while true limit 100_000 { put += sys.write(pipe.writer, one) }
          return put
        }"#;
    let served = served_and_written_down(Policy::default());
    let (client, system) = served.client();
    let pid = system.getpid().expect("it lives");
    let fills = bytes(source);
    let arguments = vec![Argument::Portal(0), Argument::Text(b"12345678")];
    let named = RunRequest { name: "fills", ..request(7, &fills, arguments) };
    let running = client.start(&named, &[system.portal()]).expect("it begins");
    let (other, _) = served.client();
    // One that does not wait is over before anybody looks twice.
    let is_in =
        || fs::read_to_string(format!("/proc/{pid}/syscall")).is_ok_and(|it| it.starts_with("1 0x4 "));
    wait_until(|| (0..50).all(|_| is_in()));
    assert!(other.cancel(RunId(7)).expect("it answers"));
    let outcome = running.wait(&mut |_| {}).expect("it answers");
    assert_eq!(outcome.end, End::Cancelled);
    assert!(outcome.call.as_ref().expect("it is known which").interrupted);
    let write = outcome.calls.iter().find(|call| call.operation == "write").expect("it was called");
    let mut data = vec![0; 1 << 20];
    let pipe = fs::File::open(format!("/proc/{pid}/fd/3")).expect("the run keeps its process");
    let held = rustix::io::read(&pipe, &mut data).expect("it is full");
    assert_eq!((write.took_effect(), write.failed), (held as u64 / 8, 1));
    // As it was told, so it is written down; but the process that it would go on in is gone.
    let next = served.as_if_killed();
    let Asked::Ended(told) = next.client().0.ask(RunId(7)).expect("it answers") else { panic!("it ended") };
    let why = told.cannot_go_on.clone();
    assert!(why.as_ref().is_some_and(|why| why.contains("a session's process")), "{why:?}");
    assert_eq!(*told, Outcome { kept: None, cannot_go_on: why, ..outcome });
}

/// A program in each engine, beside the process of its session and written down call by call: its server, a client of that, and the run that it is
/// to begin.
fn in_each_way(
    source: &str,
    arguments: &[Argument<'_>],
    each: impl Fn(&Served, (Client, System), &RunRequest<'_>),
) {
    let bytes = bytes(source);
    let tree = parse(source, &[Arc::new(linux::module().clone())]).expect("it parses").encode();
    let policy = || Policy { trees: Trees::Taken, ..Policy::default() };
    let all = [
        (served(false, policy(), |_| {}), Engine::Bytecode),
        (served(true, policy(), |_| {}), Engine::Native),
        (served_and_written_down(policy()), Engine::Bytecode),
        (served(false, policy(), |_| {}), Engine::Tree),
        (served_and_written_down(policy()), Engine::Tree),
    ];
    for (served, engine) in all {
        let options = RunOptions { engine, ..RunOptions::default() };
        let program =
            if engine == Engine::Tree { RunProgram::Tree(&tree) } else { RunProgram::Whole(&bytes) };
        let named = RunRequest { name: "fills", options, program, ..request(7, &bytes, arguments.to_vec()) };
        each(&served, served.client(), &named);
    }
}

/// A write that did nothing wrote nothing, and costs nothing of what the header allows, however often it is interrupted; whoever runs it is charged for each.
#[test]
fn a_write_that_was_interrupted_leaves_all_that_the_header_allows() {
    // A pipe holds 64 KiB.
    let source = r#"
        use linux
        program fills(sys: System, data: bytes(64KiB), one: bytes(10)) -> int
          at most 3 calls, 2 writes, 65_537 written
        {
          let pipe = sys.pipe2(0)
          var put = sys.write(pipe.writer, data)
          put += sys.write(pipe.writer, one)
          return put
        }"#;
    let data = vec![b'x'; 1 << 16];
    let arguments = vec![Argument::Portal(0), Argument::Text(&data), Argument::Text(b"y")];
    in_each_way(source, &arguments, |served, (client, system), named| {
        let (engine, options) = (named.options.engine, named.options);
        let pid = system.getpid().expect("it lives");
        let mut running = client.start(named, &[system.portal()]).expect("it begins");
        let (other, _) = served.client();
        // One that does not wait is over before anybody looks twice.
        let is_in =
            || fs::read_to_string(format!("/proc/{pid}/syscall")).is_ok_and(|it| it.starts_with("1 0x4 "));
        for stop in 1..=3 {
            wait_until(|| (0..50).all(|_| is_in()));
            assert!(other.cancel(RunId(7)).expect("it answers"));
            let outcome = running.wait(&mut |_| {}).expect("it answers");
            assert_eq!(outcome.end, End::Cancelled, "{engine:?}");
            assert_eq!(outcome.receipt.written, 1 << 16, "{engine:?}: what did nothing wrote nothing");
            assert_eq!(outcome.kept.map(|kept| kept.stop), Some(stop));
            let request = ResumeRequest { options, ..ResumeRequest::new(RunId(7), stop) };
            running = client.resume(&request).expect("it begins");
        }
        wait_until(|| (0..50).all(|_| is_in()));
        let pipe = fs::File::open(format!("/proc/{pid}/fd/3")).expect("the run keeps its process");
        assert_eq!(rustix::io::read(&pipe, &mut vec![0; 1 << 20]).expect("it is full"), 1 << 16);
        let outcome = running.wait(&mut |_| {}).expect("it answers");
        assert_eq!((&outcome.end, outcome.receipt.written), (&End::Done, 65_537), "{engine:?}");
        assert_eq!(outcome.result.as_deref(), Some(&65_537_i64.to_le_bytes()[..]));
        let used = client.status().expect("it answers").standing.used;
        assert_eq!((used.calls, used.writes, used.written), (6, 5, 65_537), "{engine:?}");
    });
}

#[test]
fn a_kept_run_that_is_discarded_leaves_no_process() {
    let waits = bytes(WAITS);
    let served = served(false, Policy::default(), |_| {});
    let (client, system) = served.client();
    let named =
        RunRequest { name: "waits", ..request(7, &waits, vec![Argument::Portal(0), Argument::Text(b"x")]) };
    let running = client.start(&named, &[system.portal()]).expect("it begins");
    let (other, _) = served.client();
    wait_until(|| other.cancel(RunId(7)).expect("it answers"));
    let outcome = running.wait(&mut |_| {}).expect("it answers");
    assert_eq!(outcome.end, End::Cancelled);
    drop((client, system));
    if outcome.kept.is_some() {
        assert!(other.discard(RunId(7)).expect("it answers"));
    }
    wait_until(|| served.service.processes() == 0);
}

#[test]
fn a_process_that_dies_under_a_program_is_told_of() {
    let waits = bytes(WAITS);
    let served = served(false, Policy::default(), |_| {});
    let (client, system) = served.client();
    let pid = system.getpid().expect("it lives");
    let running = client
        .start(&request(7, &waits, vec![Argument::Portal(0), Argument::Text(b"x")]), &[system.portal()])
        .expect("it begins");
    kill_process(Pid::from_raw(pid).expect("a number"), Signal::KILL).expect("it is ours");
    let outcome = running.wait(&mut |_| {}).expect("it answers");
    let (End::CallInDoubt { message } | End::CallFailed { message, .. }) = &outcome.end else {
        panic!("{:?}", outcome.end)
    };
    assert!(message.contains("was killed by signal 9"), "{message}");
    wait_until(|| served.service.processes() == 0);
}

/// The next call is made in no other process: the run is not kept, and says so.
#[test]
fn a_run_whose_calls_are_made_one_by_one_does_not_go_on_without_its_process() {
    let tree = parse(WAITS, &[Arc::new(linux::module().clone())]).expect("it parses").encode();
    let whole = bytes(WAITS);
    for (engine, program) in
        [(Engine::Bytecode, RunProgram::Whole(&whole)), (Engine::Tree, RunProgram::Tree(&tree))]
    {
        let served = served_and_written_down(Policy { trees: Trees::Taken, ..Policy::default() });
        let (client, system) = served.client();
        let pid = system.getpid().expect("it lives");
        let arguments = vec![Argument::Portal(0), Argument::Text(b"x")];
        let options = RunOptions { engine, ..RunOptions::default() };
        let named = RunRequest { name: "waits", options, program, ..request(7, &whole, arguments) };
        let running = client.start(&named, &[system.portal()]).expect("it begins");
        wait_until_it_is_in(pid, READ, 3);
        kill_process(Pid::from_raw(pid).expect("a number"), Signal::KILL).expect("it is ours");
        let outcome = running.wait(&mut |_| {}).expect("it answers");
        assert!(matches!(outcome.end, End::CallInDoubt { .. }), "{engine:?}: {:?}", outcome.end);
        assert_eq!(outcome.kept, None, "{engine:?}");
        let why = "it holds a linux.System that is of a process that is gone: the process of this session was killed by signal 9";
        assert_eq!(outcome.cannot_go_on.as_deref(), Some(why), "{engine:?}");
    }
}

/// What it had done of the run is known to the call, however many there were since it was heard of last.
#[test]
fn a_process_that_dies_is_accounted_for_to_the_call() {
    let source = r#"
        use linux
        program fills(sys: System, path: string, one: bytes(10)) -> int {
          let pipe = sys.pipe2(0)
          let to = sys.open_write(path, 65, 420)
          for k in 0 .. 1_500 { sys.write(to, one) }
          let data = sys.read(pipe.reader, 1)
          return data.len
        }"#;
    let served = served(false, Policy::default(), |_| {});
    let (client, system) = served.client();
    let pid = system.getpid().expect("it lives");
    let fills = bytes(source);
    let arguments = vec![Argument::Portal(0), Argument::Text(b"a"), Argument::Text(b"12")];
    let running = client.start(&request(7, &fills, arguments), &[system.portal()]).expect("it begins");
    let file = served.dir.path().join("files/a");
    wait_until(|| fs::metadata(&file).is_ok_and(|data| data.len() == 3_000));
    wait_until_it_is_in(pid, READ, 3);
    kill_process(Pid::from_raw(pid).expect("a number"), Signal::KILL).expect("it is ours");
    let outcome = running.wait(&mut |_| {}).expect("it answers");
    let End::CallFailed { raised: false, message } = &outcome.end else { panic!("{:?}", outcome.end) };
    assert!(message.contains("was killed by signal 9"), "{message}");
    let call = outcome.call.as_ref().expect("it is known which");
    assert_eq!((&call.operation[..], &call.arguments[0].1[..]), ("System.read", "3"));
    let receipt = outcome.receipt;
    assert_eq!((receipt.calls, receipt.writes, receipt.written), (1_503, 1_501, 3_000));
    assert!(receipt.instructions > 3 * 1_500, "{receipt:?}");
}

/// Killed anywhere in a loop that writes: what is told is what was done, but for the one call that is in doubt.
#[test]
fn a_process_that_is_killed_in_a_loop_of_writes_leaves_one_call_in_doubt_at_most() {
    let source = r#"
        use linux
        program fills(sys: System, path: string, one: bytes(10)) -> int {
          let to = sys.open_write(path, 65, 420)
          var put = 0
          while true limit 900_000 { put += sys.write(to, one) }
          return put
        }"#;
    let fills = bytes(source);
    let mut in_doubt = 0;
    for round in 0..20_u64 {
        let served = served(false, Policy::default(), |_| {});
        let (client, system) = served.client();
        let pid = system.getpid().expect("it lives");
        let arguments = vec![Argument::Portal(0), Argument::Text(b"a"), Argument::Text(b"1")];
        let running = client.start(&request(7, &fills, arguments), &[system.portal()]).expect("it begins");
        let file = served.dir.path().join("files/a");
        let size = || fs::metadata(&file).map_or(0, |data| data.len());
        wait_until(|| size() > 100 * round);
        kill_process(Pid::from_raw(pid).expect("a number"), Signal::KILL).expect("it is ours");
        let outcome = running.wait(&mut |_| {}).expect("it answers");
        let write = outcome.calls.iter().find(|call| call.operation == "write").expect("it was called");
        let doubt = u64::from(matches!(outcome.end, End::CallInDoubt { .. }));
        let done = size() - write.took_effect();
        assert!(done <= doubt, "{done} more than is told, {:?}", outcome.end);
        assert_eq!((write.failed, outcome.call.is_some()), (doubt, doubt == 1));
        assert_eq!(outcome.receipt.written, write.count);
        in_doubt += doubt;
    }
    println!("in doubt: {in_doubt} of 20");
}

#[test]
fn the_deadline_of_a_run_interrupts_a_call_that_waits() {
    let waits = bytes(WAITS);
    let mut policy = Policy::default();
    policy.limits.time_ns = 200_000_000;
    let served = served(false, policy, |_| {});
    let (client, system) = served.client();
    let outcome = run(&client, &system, 7, &waits, &["x"]);
    assert!(matches!(outcome.end, End::Limit { .. }), "{:?}", outcome.end);
    assert_eq!(
        (outcome.receipt.calls, outcome.receipt.writes),
        (4, 1),
        "what was interrupted was made, and failed"
    );
    system.getpid().expect("it lives");
}

/// A call of the session waits in a run. Others wait for their turn, no longer than they may, and can be stopped while they do.
#[test]
fn whoever_waits_for_his_turn_can_be_stopped() {
    let waits = bytes(WAITS);
    let mut policy = Policy::default();
    policy.limits.time_ns = 60_000_000_000;
    let served = served(false, policy, |rules| rules.limits.call = Duration::from_millis(50));
    let (client, system) = served.client();
    let arguments = || vec![Argument::Portal(0), Argument::Text(b"x")];
    let first = client.start(&request(7, &waits, arguments()), &[system.portal()]).expect("it begins");
    let began = Instant::now();
    wait_until(|| {
        system.getpid().is_err_and(|error| format!("{error:?}").contains("busy with another call"))
    });
    let second = client.start(&request(8, &waits, arguments()), &[system.portal()]).expect("it begins");
    let (other, _) = served.client();
    wait_until(|| other.cancel(RunId(8)).expect("it answers"));
    let outcome = second.wait(&mut |_| {}).expect("it answers");
    assert_eq!((outcome.end, outcome.receipt.calls), (End::Cancelled, 0));
    assert!(began.elapsed() < Duration::from_secs(20), "nobody waits for the first to end");
    assert!(other.cancel(RunId(7)).expect("it answers"), "it waits still");
    assert_eq!(first.wait(&mut |_| {}).expect("it answers").end, End::Cancelled);
    system.getpid().expect("it is free again");
}

#[test]
fn a_dry_run_reads_and_does_not_write() {
    let copy = bytes(include_str!("copy.carnet"));
    let served = served(false, Policy::default(), |_| {});
    fs::write(served.dir.path().join("files/a"), b"text").expect("it is written");
    let (client, system) = served.client();
    let mut dry = request(1, &copy, vec![Argument::Portal(0), Argument::Text(b"a"), Argument::Text(b"b")]);
    dry.options.dry = true;
    let outcome = client.run(&dry, &[system.portal()]).expect("it answers");
    assert!(!served.dir.path().join("files/b").exists());
    assert!(outcome.dry);
}

#[test]
fn calls_and_programs_of_one_session_take_turns() {
    let source = r#"
        use linux
        program spin(sys: System) -> int {
          var k = 0
          while k < 20_000 limit 20_000 {
            sys.getpid()
            k += 1
          }
          return k
        }"#;
    let spin = bytes(source);
    let served = served(false, Policy::default(), |_| {});
    let (client, system) = served.client();
    let running =
        client.start(&request(1, &spin, vec![Argument::Portal(0)]), &[system.portal()]).expect("it begins");
    let calls = AtomicU32::new(0);
    for _ in 0..50 {
        system.getpid().expect("it lives");
        calls.fetch_add(1, Ordering::Relaxed);
    }
    let outcome = running.wait(&mut |_| {}).expect("it answers");
    assert_eq!((outcome.end, outcome.receipt.calls), (End::Done, 20_000));
}

#[test]
fn a_call_array_runs_beside_the_descriptors_too() {
    let source = r#"
        use linux
        array copies(sys: System, fd: int)
        {
          message first: System.dup(fd: fd)
          message second: System.close()
          call sys with first
          move first.value to second.fd
          call sys with second
        }"#;
    let copies = bytes(source);
    let served = served(false, Policy::default(), |_| {});
    let (client, system) = served.client();
    let arguments = vec![Argument::Portal(0), Argument::Scalar(0)];
    let outcome = client.run(&request(1, &copies, arguments), &[system.portal()]).expect("it answers");
    assert_eq!((outcome.end, outcome.receipt.calls), (End::Done, 2));
    assert_eq!(system.dup(0).expect("it lives"), 3, "the array has closed what it made");
}

/// A pipe that does not wait takes 64 KiB: what a call has not written may be written by the next one, up to the last byte.
#[test]
fn a_write_of_a_part_leaves_the_rest_of_what_the_header_allows() {
    let source = r#"
        use linux
        program fills(sys: System, data: bytes(128KiB)) -> int
          at most 2 writes, 131_072 written
        {
          let pipe = sys.pipe2(0x800)
          var put = 0
          while put < data.len limit 4 {
            put += sys.write(pipe.writer, data.from(put))
            sys.read(pipe.reader, 64KiB)
          }
          return put
        }"#;
    let data = vec![b'x'; 128 << 10];
    in_each_way(source, &[Argument::Portal(0), Argument::Text(&data)], |_, (client, system), named| {
        let engine = named.options.engine;
        let outcome = client.run(named, &[system.portal()]).expect("it answers");
        assert_eq!(outcome.end, End::Done, "{engine:?}");
        assert_eq!(outcome.result.as_deref(), Some(&131_072_i64.to_le_bytes()[..]));
        assert_eq!((outcome.receipt.writes, outcome.receipt.written), (2, 131_072), "{engine:?}");
        let used = client.status().expect("it answers").standing.used;
        assert_eq!((used.writes, used.written), (2, 131_072), "{engine:?}");
    });
}

/// So it is told when its process dies behind that, and by the next server.
#[test]
fn what_a_write_of_a_part_has_written_is_told_when_all_else_is_lost() {
    let source = r#"
        use linux
        program fills(sys: System, data: bytes(128KiB)) -> int {
          let waits = sys.pipe2(0)
          let pipe = sys.pipe2(0x800)
          let put = sys.write(pipe.writer, data)
          sys.read(waits.reader, 1)
          return put
        }"#;
    let fills = bytes(source);
    let data = vec![b'x'; 128 << 10];
    for served in [served(false, Policy::default(), |_| {}), served_and_written_down(Policy::default())] {
        let (client, system) = served.client();
        let pid = system.getpid().expect("it lives");
        let arguments = vec![Argument::Portal(0), Argument::Text(&data)];
        let named = RunRequest { name: "fills", ..request(7, &fills, arguments) };
        let running = client.start(&named, &[system.portal()]).expect("it begins");
        wait_until_it_is_in(pid, READ, 3);
        if fs::exists(served.dir.path().join("state")).expect("the directory is there") {
            let next = served.as_if_killed();
            let Asked::Ended(told) = next.client().0.ask(RunId(7)).expect("it answers") else {
                panic!("it ended")
            };
            assert_eq!((told.receipt.writes, told.receipt.written), (1, 65_536), "{told:?}");
        }
        kill_process(Pid::from_raw(pid).expect("a number"), Signal::KILL).expect("it is ours");
        let outcome = running.wait(&mut |_| {}).expect("it answers");
        assert_eq!((outcome.receipt.writes, outcome.receipt.written), (1, 65_536), "{outcome:?}");
    }
}
