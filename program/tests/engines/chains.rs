//! Chains of operators and of `else if`, however long, on every engine.

use std::fmt::Write as _;

use crate::engines::Case;
use crate::run_engines;

/// How a program ends and what the service saw, on all engines.
fn report(text: &str) -> Vec<String> {
    let case = Case::parse(text).unwrap_or_else(|fault| panic!("{fault}"));
    let report = run_engines("a chain", &case);
    report.lines().map(|line| line.trim_start_matches("-- ").trim().to_owned()).collect()
}

/// How a program ends that gives back such a value, where `x` is 1 and `t` is true.
fn value(ty: &str, value: &str) -> String {
    report(&format!("#! x=1 t=true\nprogram p(x: int, t: bool) -> {ty} {{ return {value} }}\n")).remove(0)
}

/// `first`, and so many more of `next`.
fn chain(first: &str, next: &str, more: usize) -> String {
    format!("{first}{}", next.repeat(more))
}

#[test]
fn a_thousand_terms() {
    assert_eq!(value("int", &chain("1", " + 1", 999)), "done 1000");
    assert_eq!(value("int", &chain("x", " + x", 999)), "done 1000");
    assert_eq!(value("int", &chain("x", " - x", 999)), "done -998");
    assert_eq!(value("int", &chain("1000", " * (x + 1) / 2", 500)), "done 1000");
    assert_eq!(
        value("int", &chain("9_223_372_036_854_775_000", " + x", 999)),
        "fault: an integer left the range of 64 bits"
    );
    let own = format!("var n = x n = {} return n", chain("2 * n", " + n - 1", 500));
    assert_eq!(report(&format!("#! x=3\nprogram p(x: int) -> int {{ {own} }}\n"))[0], "done 1006");
    let texts = format!("let r = {} return r.len", chain("s", " + \"bc\" + s", 500));
    assert_eq!(report(&format!("#! s=a\nprogram p(s: string) -> int {{ {texts} }}\n"))[0], "done 1501");
}

#[test]
fn a_thousand_truths() {
    let (all, none) = (chain("t", " && t", 999), chain("!t", " || !t", 999));
    assert_eq!(value("bool", &all), "done true");
    assert_eq!(value("bool", &none), "done false");
    // What does not matter is not evaluated.
    assert_eq!(value("bool", &format!("{all} || 1 / (x - x) > 0")), "done true");
    assert_eq!(value("bool", &format!("({none}) && 1 / (x - x) > 0 && t")), "done false");
    assert_eq!(value("bool", &format!("{all} && 1 / (x - x) > 0")), "fault: division by zero");
    let choice = format!("if !({all}) || {none} {{ return 1 }} return 2");
    assert_eq!(report(&format!("#! t=true\nprogram p(t: bool) -> int {{ {choice} }}\n"))[0], "done 2");
}

#[test]
fn strengths_are_mixed() {
    let zeros = chain("x * 2 + 1", " + x * 2 - 10 / 5 % 3", 300);
    assert_eq!(value("int", &zeros), "done 3");
    assert_eq!(value("int", &format!("-({zeros}) * 2 - 1 - ({zeros} - (2 - x))")), "done -9");
    let truths = chain("x + x * 2 == 3", " && 7 - x - x == 5 && x < 2 || x / 2 * 2 == x", 200);
    assert_eq!(value("bool", &truths), "done true");
    assert_eq!(value("int", "7 - 2 - 1 - 8 / 4 / 2"), "done 3");
    assert_eq!(value("int", "7 - (2 - 1) - 8 / (4 / 2)"), "done 2");
}

/// More than half of the instructions that there can be, on a thread with little stack.
#[test]
fn forty_thousand_terms() {
    let run = || assert_eq!(value("int", &chain("x", " + x", 40_000)), "done 40001");
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
}

/// `if x == 0 { … } else if x == 1 { … }`, and so on.
fn choice(arms: usize, then: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0..arms {
        let word = if at == 0 { "if" } else { "else if" };
        let _ = writeln!(text, "{word} x == {at} {{ {} }}", then(at));
    }
    text
}

#[test]
fn two_hundred_arms() {
    let returned = choice(200, |at| format!("return {}", at * 10));
    let set = choice(200, |at| format!("n = {}", at * 10));
    for (x, wanted) in [(0, 0), (1, 10), (150, 1500), (199, 1990), (200, -1)] {
        for body in [
            format!("{returned} else {{ return -1 }}"),
            format!("{returned} return -1"),
            format!("var n = -1 {set} return n"),
            format!("var n = 5 {set} else {{ n = -1 }} return n"),
        ] {
            let text = format!("#! x={x}\nprogram p(x: int) -> int {{ {body} }}\n");
            assert_eq!(report(&text)[0], format!("done {wanted}"), "{x}");
        }
    }
}

/// What a condition makes ends with the block around the choice, whichever arm is run.
#[test]
fn portals_of_conditions_are_released() {
    let body = "if desk.is(true) {
      if x == 0 { desk.note(\"0\") }
      else if desk.open(\"one\").inner(\"a\").size() == x { desk.note(\"1\") }
      else if desk.open(\"two\").size() == x { desk.note(\"2\") }
      else { desk.note(\"3\") }
      desk.note(\"behind\")
    } desk.note(\"end\")";
    let run = |x: i64| report(&format!("#! x={x}\nprogram p(desk: Desk, x: int) {{ {body} }}\n"));
    let ended = run(9);
    assert_eq!(ended[2..7], ["open \"one\"", "one.inner \"a\"", "a.size", "open \"two\"", "two.size"]);
    let behind = ["note \"behind\"", "release two", "release a", "release one", "note \"end\""];
    assert_eq!((&*ended[7], &ended[8..13]), ("note \"3\"", &behind.map(str::to_owned)[..]));
    assert_eq!(run(3)[7], "note \"2\"");
    assert_eq!(run(0)[2..5], ["note \"0\"", "note \"behind\"", "note \"end\""]);
}
