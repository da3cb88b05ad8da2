//! `--json`: one object that parses, with names that scripts can rely on.

mod support;

use serde_json::{Value, json};
use support::Place;

/// Runs the command; exit code and what it printed.
fn ask(place: &Place, arguments: &[&str]) -> (i32, Value) {
    let output = place.carnet(&[arguments, &["--json"]].concat());
    let value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stdout))
    });
    let exit = output.status.code().expect("an exit code");
    (exit, value)
}

/// Types a command as it was suggested, with `--json` already.
fn typed(place: &Place, command: &str) -> (i32, Value) {
    let words: Vec<&str> = command.split(' ').skip(1).filter(|word| *word != "--json").collect();
    ask(place, &words)
}

fn served(policy: &[&str]) -> Place {
    let mut place = Place::new();
    place.export("CARNET_SERVER", "unix:./c.sock");
    let serve = [&["serve", "files", "./data", "--listen", "unix:./c.sock"], policy].concat();
    place.serve(&serve);
    place
}

#[test]
fn a_bill_and_the_run_that_it_approves() {
    let place = served(&[]);
    let program = ["copy_tree.carnet", "from=/src", "to=/backup"];
    let (exit, bill) = ask(&place, &[&["bill"], &program[..]].concat());
    assert_eq!((exit, &bill["program"]), (0, &json!("copy_tree")));
    assert_eq!(bill["writes"]["at_most"], 120_000);
    assert_eq!(
        bill["written"],
        json!({ "at_most": 10_u64 << 30, "loops_alone": 104_857_600_000_u64, "by": "header", "line": 6 })
    );
    assert_eq!(bill["default_limits_at_lines"], json!([21]));
    let copied = bill["operations"].as_array().expect("a list").last().expect("one").clone();
    assert_eq!(copied["operation"], "File.copy_from");
    assert_eq!(copied["from"], json!([{ "line": 22, "at_most": 100_000, "default": true }]));

    let approval = bill["approval"].as_str().expect("a hash");
    let (exit, run) = ask(&place, &[&["run", "--approve", approval], &program[..]].concat());
    assert_eq!((exit, &run["end"], &run["exit"]), (0, &json!("done"), &json!(0)));
    assert_eq!(run["result"], json!({ "files": 3, "bytes": 2016 }));
    assert_eq!(run["receipt"]["writes"], 7);
    assert_eq!(run["receipt"]["round_trips"], 1);
    let (exit, asked) = ask(&place, &["status", "--run", run["run"].as_str().expect("a name")]);
    assert_eq!((exit, &asked["receipt"]), (0, &run["receipt"]));
}

#[test]
fn what_was_refused_says_what_to_type_next() {
    let place = served(&[]);
    let (exit, refused) = ask(&place, &["run", "delete_old.carnet", "root=/"]);
    assert_eq!(
        (exit, &refused["error"], &refused["refusal"]),
        (6, &json!("refused"), &json!("not_approved"))
    );
    let next = refused["next"].as_str().expect("a command").to_owned();
    assert!(next.starts_with("carnet run delete_old.carnet root=/ --json --approve "), "{next}");
    let (exit, run) = typed(&place, &next);
    assert_eq!(
        (exit, &run["result"]),
        (0, &json!(["./scratch/1.tmp", "./scratch/2.tmp", "./scratch/3.tmp"]))
    );
}

#[test]
fn what_to_type_next_has_all_options_that_were_given() {
    let mut place = Place::new();
    place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock"]);
    let given = ["--server", "unix:./c.sock", "--timeout", "9s", "--id", "mine", "--trace"];
    let (_, refused) = ask(&place, &[&["run", "delete_old.carnet", "root=/"], &given[..]].concat());
    let next = refused["next"].as_str().expect("a command");
    let (exit, run) = typed(&place, next);
    assert_eq!((exit, &run["run"]), (0, &json!("mine")), "{next}");
    assert!(next.contains(" --timeout 9s ") && next.contains(" --trace "), "{next}");
}

#[test]
fn a_run_that_is_known_by_its_name_needs_no_approval_and_does_not_run_again() {
    let place = served(&[]);
    let log = b"use files
        program log(root: Dir, data: bytes(9)) { let f = root.edit(\"log\") f.append(data) }";
    place.write("log.carnet", log);
    place.write("data/log", b"");
    let run = ["run", "log.carnet", "root=/", "data=x", "--id", "backup-1"];
    let (_, refused) = ask(&place, &run);
    let (exit, first) = typed(&place, refused["next"].as_str().expect("a command"));
    assert_eq!((exit, &first["end"]), (0, &json!("done")));
    let (exit, again) = ask(&place, &run);
    assert_eq!((exit, &again["again"], &first["again"]), (0, &json!("ended"), &json!(null)));
    for key in ["end", "run", "calls", "receipt"] {
        assert_eq!(again[key], first[key]);
    }
    assert!(
        again["message"].as_str().is_some_and(|note| note.contains("nothing was begun"))
            || again["message"].is_null()
    );
    assert_eq!(std::fs::read(place.path("data/log")).expect("the file"), b"x");

    let (exit, other) = ask(&place, &["run", "delete_old.carnet", "root=/", "--id", "backup-1"]);
    assert_eq!((exit, &other["refusal"]), (6, &json!("identity_used")));
}

#[test]
fn a_run_that_was_stopped_has_its_limit_its_call_and_its_result_so_far() {
    let place = served(&[]);
    let program = ["remove_two.carnet", "root=/", "dir=scratch"];
    let (_, bill) = ask(&place, &[&["bill"], &program[..]].concat());
    let approval = bill["approval"].as_str().expect("a hash");
    let (exit, run) = ask(&place, &[&["run", "--approve", approval], &program[..]].concat());
    assert_eq!((exit, &run["end"]), (4, &json!("limit")));
    assert_eq!(run["limit"], json!({ "kind": "writes", "limit": 2, "used": 2 }));
    assert_eq!(run["at"], json!({ "line": 12, "column": 7 }));
    assert_eq!(
        run["call"],
        json!({ "operation": "Dir.remove", "text": "root.remove(\"scratch/3.tmp\")", "made": false })
    );
    assert_eq!(run["result"], json!(["scratch/1.tmp", "scratch/2.tmp"]));
    // The server knows what it is of.
    let name = run["run"].as_str().expect("its name");
    let (exit, again) = ask(&place, &["resume", name]);
    assert_eq!((exit, &again["end"], &again["program"]), (4, &json!("limit"), &json!("remove_two")));
    assert_eq!(
        run["calls"][1],
        json!({ "operation": "Dir.remove", "effect": "writes", "count": 2, "failed": 0 })
    );
}

#[test]
fn calls_that_failed_were_made_and_took_no_effect() {
    let place = served(&[]);
    let program = ["try_three.carnet", "root=/"];
    let (_, bill) = ask(&place, &[&["bill"], &program[..]].concat());
    let approval = bill["approval"].as_str().expect("a hash");
    let (exit, run) = ask(&place, &[&["run", "--approve", approval], &program[..]].concat());
    assert_eq!((exit, &run["end"]), (1, &json!("failed")));
    let removed = json!([{ "operation": "Dir.remove", "effect": "writes", "count": 3, "failed": 3 }]);
    assert_eq!(run["calls"], removed);
    assert_eq!((&run["receipt"]["calls"], &run["receipt"]["failed"]), (&json!(3), &json!(3)));
    let message = run["message"].as_str().expect("a message");
    assert!(message.ends_with("; nothing took effect"), "{message}");
}

#[test]
fn a_dry_run_changes_nothing_however_it_ends() {
    let place = served(&[]);
    let ends: [(&[&str], &str); 3] =
        [(&[], "failed"), (&["n=0"], "fault"), (&["n=0", "missing=nowhere"], "call_failed")];
    for (arguments, end) in ends {
        let (_, run) =
            ask(&place, &[&["run", "--dry-run", "give_up_late.carnet", "root=/"], arguments].concat());
        assert_eq!((&run["end"], &run["dry_run"]), (&json!(end), &json!(true)));
        let message = run["message"].as_str().expect("a message");
        assert!(message.ends_with("up to there it would make 1 directory; nothing was changed"), "{message}");
        assert!(!place.path("data/late").exists());
    }
}

#[test]
fn names_that_are_not_text_have_a_form_of_their_own() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = served(&[]);
    let name = std::ffi::OsStr::from_bytes(b"odd\xff\x1b");
    std::fs::write(place.path("data/backup").join(name), b"x").expect("a file");
    let (exit, listed) = ask(&place, &["call", "Dir.list", "path=backup"]);
    assert_eq!((exit, &listed["result"]["result"][0]["name"]), (0, &json!({ "bytes": "6f6464ff1b" })));
    let shown = place.carnet(&["call", "Dir.list", "path=backup"]);
    let shown = String::from_utf8(shown.stdout).expect("text");
    assert!(shown.contains("odd\\xff\\u{1b}"), "{shown}");
}

#[test]
fn every_verb_that_prints_data_answers_in_json() {
    let place = served(&["--policy", "careful.toml", "--name", "here"]);
    let (exit, described) = ask(&place, &["describe"]);
    assert_eq!((exit, &described["module"], &described["root"]), (0, &json!("files"), &json!("Dir")));
    assert_eq!(described["server"]["name"], "here");
    assert_eq!(described["policy"]["name"], "careful");
    assert_eq!(described["policy"]["accept"]["writes"], 1000);
    let (exit, open) = ask(&place, &["describe", "Dir.open"]);
    assert_eq!((exit, &open["effect"], &open["result"]), (0, &json!("reads"), &json!("File")));
    let (exit, status) = ask(&place, &["status"]);
    assert_eq!((exit, &status["running"]), (0, &json!(0)));
    let (exit, stat) = ask(&place, &["call", "Dir.stat", "path=src/README"]);
    assert_eq!((exit, &stat["result"]["size"]), (0, &json!(2000)));
    let (exit, checked) = ask(&place, &["check", "hello.carnet", "clean.carnet"]);
    assert_eq!(
        (exit, &checked["files"][0]["ok"], &checked["files"][1]["ok"]),
        (3, &json!(true), &json!(false))
    );
    let (exit, checked) = ask(&place, &["idl", "check", "gauge.idl"]);
    assert_eq!((exit, &checked["files"][0]["operations"]), (0, &json!(4)));
}

#[test]
fn an_allowance_is_shown_with_what_is_used_and_left() {
    let place = served(&["--policy", "frugal.toml"]);
    let (_, described) = ask(&place, &["describe"]);
    assert_eq!(described["policy"]["allowance"]["writes"], 2);
    assert_eq!(described["policy"]["allowance"]["period_s"], 30 * 86_400);
    let run = ["run", "delete_old.carnet", "root=/", "age=30d", "--approve"];
    let (_, bill) = ask(&place, &["bill", "delete_old.carnet", "root=/", "age=30d"]);
    let run = [&run[..], &[bill["approval"].as_str().expect("a hash")]].concat();
    let (exit, stopped) = ask(&place, &run);
    assert_eq!((exit, &stopped["end"]), (4, &json!("limit")));
    let limit = &stopped["limit"];
    assert_eq!((&limit["kind"], &limit["limit"], &limit["used"]), (&json!("writes"), &json!(2), &json!(2)));
    assert_eq!(limit["allowance"]["period_s"], 30 * 86_400);
    assert!(limit["allowance"]["again_s"].as_u64().is_some_and(|s| s > 29 * 86_400), "{limit}");
    let (exit, refused) = ask(&place, &run);
    assert_eq!((exit, &refused["refusal"]), (6, &json!("allowance")));
    assert_eq!(refused["allowance"]["kind"], "writes");
    let (exit, status) = ask(&place, &["status"]);
    let allowance = &status["allowance"];
    assert_eq!((exit, &allowance["left"]["writes"], &allowance["of"]["writes"]), (0, &json!(0), &json!(2)));
    assert_eq!((&allowance["used"]["writes"], &allowance["held"]["writes"]), (&json!(2), &json!(0)));
}

#[test]
fn problems_are_objects_too() {
    let place = Place::new();
    let (exit, problem) = ask(&place, &["status", "--server", "unix:./nobody.sock"]);
    assert_eq!((exit, &problem["error"], &problem["exit"]), (7, &json!("unreachable"), &json!(7)));
    let (exit, problem) = ask(&place, &["run", "clean.carnet"]);
    assert_eq!((exit, &problem["error"]), (3, &json!("rejected")));
    for wrong in [&["run", "nothing.carnet"][..], &["run"], &["foo"], &["status", "--run"], &[]] {
        let (exit, problem) = ask(&place, wrong);
        assert_eq!((exit, &problem["error"], &problem["exit"]), (2, &json!("usage"), &json!(2)), "{wrong:?}");
        let message = problem["message"].as_str().expect("a message");
        assert!(message.starts_with("error: "), "{message}");
    }
}

#[test]
fn what_the_policy_refuses_has_its_name_before_it_is_confirmed_and_after() {
    let place = served(&["--policy", "careful.toml"]);
    let copy = ["run", "copy_tree.carnet", "from=/src", "to=/backup"];
    let approved = [&copy[..], &["--approve", "00000000000000000000000000000000"]].concat();
    for run in [&copy[..], &approved] {
        let (exit, refused) = ask(&place, run);
        assert_eq!((exit, &refused["refusal"]), (6, &json!("bill")), "{run:?}");
    }
}

#[test]
fn all_that_ends_otherwise_than_well_has_a_name_and_a_message() {
    let place = served(&["--policy", "careful.toml"]);
    let approved = ["--approve", "00000000000000000000000000000000"];
    let delete = [&["run", "delete_old.carnet"], &approved[..]].concat();
    for (asked, exit, error) in [
        (&[&delete[..], &["root="]].concat()[..], 6, "refused"),
        (&[&delete[..], &["root=/"]].concat(), 6, "refused"),
        (&["bill", "copy_tree.carnet", "from=/src", "to=/backup"], 6, "refused"),
        (&["run", "give_up.carnet", "root=/"], 1, "failed"),
        (&["run", "forever.carnet", "root=/"], 4, "stopped"),
        (&["check", "nothing.carnet"], 2, "usage"),
        (&["check", "hello.carnet", "clean.carnet"], 3, "rejected"),
        (&["idl", "check", "nothing.idl"], 2, "usage"),
        (&["idl", "check", "broken.idl"], 3, "rejected"),
        (&["java", "verify", "nothing.class"], 2, "usage"),
    ] {
        let (code, problem) = ask(&place, asked);
        assert_eq!(
            (code, &problem["exit"], &problem["error"]),
            (exit, &json!(exit), &json!(error)),
            "{asked:?} {problem}"
        );
        assert!(problem["message"].as_str().is_some_and(|message| !message.is_empty()), "{problem}");
    }
}

/// `NAME …` of each verb that does something, with whether it takes `--json`.
fn verbs(command: &clap::Command, path: &str, found: &mut Vec<(String, bool)>) {
    if !command.has_subcommands() {
        let takes = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
        found.push((path.to_owned(), takes));
    }
    for verb in command.get_subcommands() {
        verbs(verb, &format!("{path} {}", verb.get_name()), found);
    }
}

#[test]
fn every_verb_has_it() {
    let mut found = Vec::new();
    verbs(&<carnet_cli::args::CommandLine as clap::CommandFactory>::command(), "carnet", &mut found);
    assert!(found.len() > 12, "{found:?}");
    let without: Vec<_> = found.iter().filter(|(_, takes)| !takes).map(|(verb, _)| verb.as_str()).collect();
    // What a Java program writes is its own.
    assert_eq!(without, ["carnet java run"]);
}

#[test]
fn a_server_says_where_it_listens() {
    let mut place = Place::new();
    let line = place.serve(&["serve", "files", "./data", "--listen", "unix:./c.sock", "--json"]);
    let said: Value = serde_json::from_str(&line).expect("JSON");
    let addresses = json!(["unix:./c.sock"]);
    assert_eq!(
        said,
        json!({
        "serving": "./data", "kind": "files", "summary": "read, write", "also": [], "addresses": addresses,
        })
    );
    let (exit, said) = ask(&place, &["serve", "nothing", "./data"]);
    assert_eq!((exit, &said["error"]), (2, &json!("usage")));
}

#[test]
fn tokens_and_fingerprints() {
    let place = Place::new();
    let (exit, made) = ask(&place, &["token", "new", "alice", "--tokens", "tokens"]);
    assert_eq!((exit, &made["name"], &made["output"]), (0, &json!("alice"), &Value::Null));
    let token = made["token"].as_str().expect("a token");
    assert!(token.len() > 32 && !token.contains('\n'), "{token}");
    let (exit, made) = ask(&place, &["token", "new", "alice", "--tokens", "tokens", "--output", "secret"]);
    assert_eq!((exit, &made["token"], &made["output"]), (0, &Value::Null, &json!("secret")));
    let (exit, gone) = ask(&place, &["token", "revoke", "alice", "--tokens", "tokens"]);
    assert_eq!((exit, &gone["revoked"]), (0, &json!(2)));
    let key = rcgen::generate_simple_self_signed(vec!["host".to_owned()]).expect("a key");
    place.write("cert.pem", key.cert.pem().as_bytes());
    let shown = place.carnet(&["token", "fingerprint", "cert.pem"]);
    let (exit, told) = ask(&place, &["token", "fingerprint", "cert.pem"]);
    assert_eq!(exit, 0);
    assert_eq!(told["fingerprint"], json!(String::from_utf8_lossy(&shown.stdout).trim_end()));
}

#[test]
fn interface_files() {
    let place = Place::new();
    place.write("m.idl", b"module m{interface I{void f();};};\n");
    let (exit, built) = ask(&place, &["idl", "build", "m.idl", "--lang", "c"]);
    assert_eq!((exit, &built["modules"]), (0, &json!(["m"])));
    assert!(built["stubs"].as_str().is_some_and(|stubs| stubs.contains("m_I")), "{built}");
    let (exit, built) = ask(&place, &["idl", "build", "m.idl", "--lang", "rust", "--output", "m.rs"]);
    assert_eq!((exit, &built["wrote"]), (0, &json!("m.rs")));
    let file = |was: bool, wrote: bool| json!([{ "file": "m.idl", "was_laid_out": was, "wrote": wrote }]);
    let (exit, looked) = ask(&place, &["idl", "fmt", "--check", "m.idl"]);
    assert_eq!((exit, &looked["exit"], &looked["files"]), (3, &json!(3), &file(false, false)));
    assert_eq!(ask(&place, &["idl", "fmt", "m.idl"]), (0, json!({ "exit": 0, "files": file(false, true) })));
    assert_eq!(ask(&place, &["idl", "fmt", "m.idl"]), (0, json!({ "exit": 0, "files": file(true, false) })));
    let (exit, pages) = ask(&place, &["idl", "doc", "m.idl"]);
    assert_eq!((exit, &pages["pages"][1]["name"]), (0, &json!("m.I")));
    let (exit, pages) = ask(&place, &["idl", "doc", "m.idl", "--output", "pages"]);
    assert_eq!((exit, &pages["wrote"]), (0, &json!(["pages/m.md", "pages/m.I.md"])));
}

#[test]
fn bytecode() {
    let place = Place::new();
    let (exit, shown) = ask(&place, &["debug", "disasm", "copy_tree.carnet"]);
    assert_eq!(
        (exit, &shown["program"], &shown["file"]),
        (0, &json!("copy_tree"), &json!("copy_tree.carnet"))
    );
    let code = shown["code"].as_array().expect("a list");
    let (_, checked) = ask(&place, &["check", "copy_tree.carnet"]);
    assert_eq!(checked["files"][0]["instructions"], code.len());
    assert_eq!(checked["files"][0]["bill"]["hash"], shown["hash"]);
    assert_eq!((&code[3]["at"], code[3]["line"].as_u64().is_some_and(|line| line > 1)), (&json!(3), true));
    let listing = shown["listing"].as_str().expect("a text");
    assert!(code.iter().all(|ins| listing.contains(ins["text"].as_str().expect("a text").trim_end())));
}

/// Where its calls are, and where all of its time went.
#[test]
fn a_profile_counts_the_calls_of_each_line() {
    let place = served(&[]);
    let (exit, run) = ask(&place, &["debug", "profile", "find_duplicates.carnet", "root=/src"]);
    assert_eq!((exit, &run["end"]), (0, &json!("done")));
    let lines = run["profile"]["lines"].as_array().expect("lines");
    let calls: Vec<(u64, u64)> = lines
        .iter()
        .filter(|line| line["calls"] != json!(0))
        .map(|line| (line["line"].as_u64().expect("a line"), line["calls"].as_u64().expect("a number")))
        .collect();
    // Two directories; two files of one size, each opened, read in one step, and its digest taken.
    assert_eq!(calls, [(14, 2), (17, 2), (21, 2), (31, 2)]);
    assert_eq!(calls.iter().map(|(_, calls)| calls).sum::<u64>(), run["receipt"]["calls"]);
    let time: u64 = lines.iter().map(|line| line["time_ns"].as_u64().expect("a time")).sum();
    let whole = run["receipt"]["time_ns"].as_u64().expect("a time");
    assert_eq!(time + run["profile"]["rest_ns"].as_u64().expect("a time"), whole);
    let of_31 = lines.iter().find(|line| line["line"] == json!(31)).expect("it made calls");
    assert_eq!(of_31["text"], "for e in root.list(dir) {");
}

/// The server tells of a call before it makes it, and may stop there.
#[test]
fn a_profile_counts_no_call_that_was_not_made() {
    let place = served(&["--trees"]);
    place.write(
        "twice.carnet",
        b"use files\nprogram twice(root: Dir, n: int) at most 2 writes {\n  for i in 0 .. n limit 9 {\n    \
          root.set_mode(\"scratch\", 493)\n  }\n}\n",
    );
    let program = ["twice.carnet", "root=/", "n=5"];
    let (_, bill) = ask(&place, &[&["bill"], &program[..]].concat());
    let approval = bill["approval"].as_str().expect("a hash");
    let ways: [&[&str]; 3] =
        [&["--approve", approval], &["--dry-run"], &["--approve", approval, "--engine", "tree"]];
    for more in ways {
        let words = [&["debug", "profile"], &program[..], more].concat();
        let (_, run) = ask(&place, &words);
        assert_eq!((&run["end"], &run["receipt"]["calls"]), (&json!("limit"), &json!(2)), "{run}");
        let lines = run["profile"]["lines"].as_array().expect("lines");
        let calls: Vec<u64> = lines.iter().filter_map(|line| line["calls"].as_u64()).collect();
        assert_eq!(calls.iter().sum::<u64>(), 2, "{more:?}: {run}");
    }
}

/// Lines that make no calls, too: of each it is told what it took, and not of the call before.
#[test]
fn a_profile_tells_what_each_line_took() {
    let place = served(&[]);
    place.write(
        "busy.carnet",
        b"use files\nprogram busy(root: Dir) -> int {\n  let file = root.open(\"src/README\")\n  var sum = file.size()\n  \
          for i in 0 .. 200_000 limit 200_000 {\n    sum += i\n    if i % 2 == 0 { sum -= 1 }\n  }\n  return sum\n}\n",
    );
    let (exit, run) = ask(&place, &["debug", "profile", "busy.carnet", "root=/", "--engine", "bytecode"]);
    assert_eq!((exit, &run["profile"]["by_line"]), (0, &json!(true)), "{run}");
    let of = |number: u64, what: &str| {
        let lines = run["profile"]["lines"].as_array().expect("lines");
        let line = lines.iter().find(|line| line["line"] == json!(number));
        line.and_then(|line| line[what].as_u64()).unwrap_or(0)
    };
    assert_eq!([3, 4, 5, 6, 7, 9].map(|line| of(line, "calls")), [1, 1, 0, 0, 0, 0]);
    let all: u64 = (1..=10).map(|line| of(line, "instructions")).sum();
    assert!(all.abs_diff(run["receipt"]["instructions"].as_u64().expect("a number")) < 20, "{run}");
    // In each round one or two instructions of line 6, and more of the loop and of line 7.
    let share = |line: u64| of(line, "instructions") as f64 / all as f64;
    assert!((0.05..0.25).contains(&share(6)) && share(5) > 0.1 && share(7) > 0.3, "{run}");
    assert!(share(3) + share(4) + share(9) < 0.01, "{run}");
    let time = |line: u64| of(line, "time_ns");
    assert!(time(5) > 0 && time(6) > 0 && time(7) > time(6), "{run}");
}
