//! The builder: what it builds is what source text says, and each of its errors.

use std::sync::Arc;

use carnet_idl::descriptor::Module;
use carnet_program::builder::*;
use carnet_program::bytecode::Program;
use carnet_program::compile::compile;
use carnet_program::import::{ImportError, RECORD_DEPTH_MAX, RECORD_WORDS_MAX};
use carnet_program::source;
use carnet_program::tree::{CapKind, Const, TextTest, Tree};

const IDL: &str = "
module t {
  enum Kind { small, large };
  enum Reason { missing, broken };
  exception Error { Reason kind; string<64> message; };
  exception Other { Kind kind; string<64> message; };
  struct Item { string<20> name; Kind kind; long long size; };
  struct Plain { long long number; };
  interface Tape {
    @reads sequence<octet, 65536> next(in long long n);
    long long append(in sequence<octet, 65536> data);
    long long seek(in octet where) raises (Error);
    long long wind(in octet where) raises (Other);
    void rewind();
    @reads boolean pair(out long long first, in Kind kind);
    @reads Tape split(out long long rest);
    @reads sequence<Item, 4> some(in Kind kind, out boolean more) raises (Error);
    @reads Plain plain();
  };
  interface Shelf {
    @reads Tape open(in string<100> name) raises (Error);
    @reads @paged sequence<Item, 16> items(in string<20> after, in Kind kind, out boolean last) raises (Error);
    void remove(in string<100> name) raises (Error);
  };
};";

fn module() -> Module {
    carnet_idl::compile_str("t.idl", IDL).expect("the interface is good")
}

fn from_source(text: &str) -> Program {
    let tree = source::parse(text, &[Arc::new(module())]).expect("the source is good");
    compile(&tree).expect("it compiles")
}

/// The same bytecode, places in the source apart.
fn assert_same(tree: &Tree, text: &str) {
    let mut built = compile(tree).expect("it compiles");
    let mut wanted = from_source(text);
    for program in [&mut built, &mut wanted] {
        program.lines.clear();
        program.loops.iter_mut().for_each(|l| l.line = 0);
        program.caps.iter_mut().for_each(|cap| cap.pos = Default::default());
    }
    assert_eq!(built, wanted);
}

#[test]
fn figure_3() {
    let t = module();
    let mut vars = Builder::new("copy", &[&t]);
    let (from, to) = (vars.param("from", named("t.Tape")), vars.param("to", named("t.Tape")));
    let buf = vars.var("buf", Type::Bytes(65_536));
    let read = || set(buf, from.call("next", [65_536]));
    let write = || to.call("append", [buf]);
    let copy = sequence((read(), while_(greater(len(buf), 0), (write(), read()))));
    assert_same(
        &vars.build(copy).unwrap(),
        "use t
        program copy(from: Tape, to: Tape) {
          var buf: bytes(65536)
          buf = from.next(65536)
          while buf.len > 0 {
            to.append(buf)
            buf = from.next(65536)
          }
        }",
    );
}

#[test]
fn a_walk_over_pages_with_records_and_lists() {
    let t = module();
    let mut p = Builder::new("sizes", &[&t]);
    let shelf = p.param("shelf", named("t.Shelf"));
    let least = p.param_or("least", Type::Int, Const::Int(100));
    p.record("Found", &[("name", Type::Str(20)), ("size", Type::Int)]);
    p.returns(list(named("Found"), 50));
    p.at_most(CapKind::Calls, 1000);
    let found = p.var("found", list(named("Found"), 50));
    let item = p.name("item");
    let large = value_of("t.Kind", "large");
    let fits = and(equal(item.field("kind"), large.clone()), at_least(item.field("size"), least));
    let one = record("Found", vec![("name", item.field("name")), ("size", item.field("size") + 1)]);
    let body = (
        for_pages(
            item,
            shelf.call("items", [large]),
            if_(fits, (if_(equal(len(found), 50), give(found), ()), add(found, one)), ()),
        )
        .limit(200),
        sort(found, &["size"]),
        give(found),
    );
    assert_same(
        &p.build(body).unwrap(),
        "use t
        record Found { name: string(20), size: int }
        program sizes(shelf: Shelf, least: int = 100) -> list(Found, 50) at most 1000 calls {
          var found: list(Found, 50)
          for item in shelf.items(Kind.large) limit 200 {
            if item.kind == Kind.large && item.size >= least {
              if found.len == 50 { return found }
              found.add(Found(name: item.name, size: item.size + 1))
            }
          }
          sort found by size
          return found
        }",
    );
}

#[test]
fn lists_within_values() {
    let t = module();
    let mut p = Builder::new("lists", &[&t]);
    p.record("Group", &[("name", Type::Str(20)), ("all", list(Type::Str(8), 3))]);
    p.returns(list(list(Type::Int, 2), 4));
    let words = p.var("words", list(Type::Str(8), 3));
    let group = p.var("group", named("Group"));
    let rows = p.var("rows", list(list(Type::Int, 2), 4));
    let row = p.var("row", list(Type::Int, 2));
    let body = (
        add(words, "a"),
        set(group, record("Group", vec![("name", "g".into()), ("all", words.into())])),
        set(words, group.field("all")),
        add(row, len(words)),
        add(rows, row),
        set(row, rows.at(0)),
        set(rows.at(0), row),
        give(rows),
    );
    assert_same(
        &p.build(body).unwrap(),
        "record Group { name: string(20), all: list(string(8), 3) }
        program lists() -> list(list(int, 2), 4) {
          var words: list(string(8), 3)
          var group: Group
          var rows: list(list(int, 2), 4)
          var row: list(int, 2)
          words.add(\"a\")
          group = Group(name: \"g\", all: words)
          words = group.all
          row.add(words.len)
          rows.add(row)
          row = rows[0]
          rows[0] = row
          return rows
        }",
    );
    let mut wrong = Builder::new("wrong", &[&t]);
    wrong.record("Group", &[("all", list(Type::Str(8), 3))]);
    let numbers = wrong.var("numbers", list(Type::Int, 3));
    let group = wrong.var("group", named("Group"));
    let fault = wrong.build(set(group, record("Group", vec![("all", numbers.into())]))).expect_err("numbers");
    assert!(fault.to_string().contains("list of string"), "{fault}");
}

#[test]
fn several_results_of_a_call() {
    let t = module();
    let mut p = Builder::new("rest", &[&t]);
    let tape = p.param("tape", named("t.Tape"));
    p.returns(Type::Int);
    let (half, rest) = (p.name("half"), p.name("rest"));
    let (items, more, item) = (p.name("items"), p.name("more"), p.name("item"));
    let (kind, message) = (p.name("kind"), p.name("message"));
    let sum = p.var("sum", Type::Int);
    let some = let_parts([items, more], half.call("some", [value_of("t.Kind", "small")]));
    let body = (
        let_parts([half, rest], tape.call("split", ())),
        attempt(some, kind, message, fail(message)),
        for_each(item, items, set(sum, item.field("size"))),
        if_(more, give(rest), ()),
        give(sum),
    );
    let tree = p.build(body).unwrap();
    assert_eq!(Tree::decode(&tree.encode()).as_ref(), Ok(&tree));
    assert_same(
        &tree,
        "use t
        program rest(tape: Tape) -> int {
          var sum: int
          let split = tape.split()
          let some = try split.value.some(Kind.small) else { fail error.message }
          for item in some.value { sum = item.size }
          if some.more { return split.rest }
          return sum
        }",
    );
    // Whoever extends it can use what its outermost block has named.
    let second = Builder::extend(
        {
            let mut p = Builder::new("rest", &[&t]);
            let tape = p.param("tape", named("t.Tape"));
            let (half, rest) = (p.name("half"), p.name("rest"));
            p.build(let_parts([half, rest], tape.call("split", ()))).unwrap()
        },
        &[&t],
    )
    .unwrap();
    let (half, rest) = (second.existing("half").unwrap(), second.existing("rest").unwrap());
    let tree = second.build(half.call("seek", [rest])).unwrap();
    assert_eq!(tree.body.stmts.len(), 2);
}

#[test]
fn an_attempt_with_its_exception() {
    let t = module();
    let mut p = Builder::new("tidy", &[&t]);
    let shelf = p.param("shelf", named("t.Shelf"));
    let (tape, kind, message) = (p.name("tape"), p.name("kind"), p.name("message"));
    let missing = equal(kind, value_of("t.Reason", "missing"));
    let body = (
        attempt(
            let_(tape, shelf.call("open", ["a"])),
            kind,
            message,
            (if_(missing, end(), ()), fail(join(("no tape: ", message)))),
        ),
        tape.call("rewind", ()),
    );
    assert_same(
        &p.build(body).unwrap(),
        "use t
        program tidy(shelf: Shelf) {
          let tape = try shelf.open(\"a\") else {
            if error.kind == Reason.missing { return }
            fail \"no tape: \" + error.message
          }
          tape.rewind()
        }",
    );
}

/// As source text has it: chains of operators and of `else if` are one level, however long.
#[test]
fn chains_are_flat() {
    let t = module();
    let mut p = Builder::new("chains", &[&t]);
    let (n, b) = (p.param("n", Type::Int), p.param("b", Type::Bool));
    p.returns(Type::Int);
    let sum = (0..2_000).fold(n * 2, |sum, _| sum + n * 3 - 1);
    let all = (0..2_000).fold(Value::from(b), |all, _| and(all, less(n, 5)));
    let any = (0..2_000).fold(all, |any, _| or(any, b));
    let choice = (0..200).rev().fold(sequence(give(0)), |rest, k| if_(equal(n, k), give(k), rest));
    let tree = p.build((if_(any, give(sum), ()), choice)).unwrap();
    assert_same(
        &tree,
        &format!(
            "program chains(n: int, b: bool) -> int {{ if b{}{} {{ return n * 2{} }} {} {{ return 0 }} }}",
            " && n < 5".repeat(2_000),
            " || b".repeat(2_000),
            " + n * 3 - 1".repeat(2_000),
            (0..200).map(|k| format!("if n == {k} {{ return {k} }} else ")).collect::<String>(),
        ),
    );
}

#[test]
fn loops_and_operators() {
    let t = module();
    let mut p = Builder::new("count", &[&t]);
    let word = p.param("word", Type::Str(100));
    let n = p.var("n", Type::Int);
    let (k, j) = (p.name("k"), p.name("j"));
    let list_var = p.var("seen", list(Type::Int, 10));
    p.returns(Type::Int);
    let odd = equal(Value::from(k) % 2, 1);
    let body = (
        for_range(
            k,
            0,
            10,
            (
                if_(or(odd, test(TextTest::EndsWith, word, "x")), continue_(), ()),
                if_(!less(n, 5), break_(), ()),
                set(n, n + k * 3 - -Value::from(k)),
                add(list_var, n),
            ),
        ),
        for_each(j, list_var, set(n, n + j)),
        give(n),
    );
    assert_same(
        &p.build(body).unwrap(),
        "program count(word: string(100)) -> int {
          var n: int
          var seen: list(int, 10)
          for k in 0 .. 10 {
            if k % 2 == 1 || word.ends_with(\"x\") { continue }
            if !(n < 5) { break }
            n = n + k * 3 - -k
            seen.add(n)
          }
          for j in seen { n = n + j }
          return n
        }",
    );
}

/// Builds a program whose body is made with a shelf, a tape, an integer variable and a free name.
fn fault<C: Commands>(body: impl FnOnce(&mut Builder<'_>, [Var; 4]) -> C) -> BuildError {
    let t = module();
    let mut p = Builder::new("faulty", &[&t]);
    let vars = [
        p.param("shelf", named("t.Shelf")),
        p.param("tape", named("t.Tape")),
        p.var("n", Type::Int),
        p.name("name"),
    ];
    let body = body(&mut p, vars);
    p.build(body).expect_err("it is refused")
}

fn text(error: &BuildError) -> String {
    error.to_string()
}

#[test]
fn names_and_types() {
    let empty = Builder::new("", &[]).build(()).unwrap_err();
    assert_eq!(empty, BuildError::Name(String::new()));
    let reserved = fault(|p, _| {
        p.var("started", Type::Int);
    });
    assert_eq!(reserved, BuildError::Name("started".to_owned()));
    let unknown = fault(|p, _| {
        p.var("x", named("t.Nothing"));
    });
    assert_eq!(text(&unknown), "there is no type `t.Nothing`");
    let twice = fault(|p, _| {
        p.record("R", &[("a", Type::Int)]);
        p.record("R", &[("b", Type::Int)]);
    });
    assert_eq!(twice, BuildError::TwoRecords("R".to_owned()));
    let portal = fault(|p, _| {
        p.var("x", named("t.Tape"));
    });
    assert_eq!(text(&portal), "x: found portal t.Tape, expected a type that has a zero");
    let default = fault(|p, _| {
        p.param_or("x", Type::Str(2), Const::Text(b"long".to_vec()));
    });
    assert!(text(&default).starts_with("default of `x`: found Text"), "{default}");
    let many = fault(|p, _| {
        for _ in 0..70_000 {
            p.var("x", Type::Int);
        }
    });
    assert_eq!(many, BuildError::TooMany("variables"));
}

#[test]
fn variables() {
    let foreign = fault(|_, [..]| {
        let mut other = Builder::new("other", &[]);
        let mut last = other.name("x");
        for _ in 0..10 {
            last = other.name("x");
        }
        set(last, 1)
    });
    assert_eq!(foreign, BuildError::ForeignVariable);
    let early = fault(|_, [_, _, n, name]| (set(n, name), let_(name, 1)));
    assert_eq!(early, BuildError::NoValueHere("name".to_owned()));
    let late = fault(|_, [_, _, n, name]| (if_(true, let_(name, 1), ()), set(n, name)));
    assert_eq!(late, BuildError::NoValueHere("name".to_owned()));
    let twice = fault(|_, [_, _, _, name]| (let_(name, 1), let_(name, 2)));
    assert_eq!(twice, BuildError::ValueElsewhere("name".to_owned()));
    let param = fault(|_, [_, tape, ..]| let_(tape, 2));
    assert_eq!(param, BuildError::ValueElsewhere("tape".to_owned()));
    let fixed = fault(|_, [_, _, _, name]| (let_(name, 1), set(name, 2)));
    assert_eq!(fixed, BuildError::Fixed("name".to_owned()));
    let place = fault(|_, [_, _, n, _]| set(n + 1, 2));
    assert_eq!(place, BuildError::NoPlace);
}

#[test]
fn calls() {
    let wrong = fault(|_, [_, tape, n, _]| tape.call("append", [n]));
    assert_eq!(text(&wrong), "argument `data` of Tape.append: found int, expected bytes");
    let integer = fault(|_, [_, _, n, _]| n.call("append", [1]));
    assert_eq!(text(&integer), "before `.append`: found int, expected a portal");
    let none = fault(|_, [_, tape, ..]| tape.call("delete", ()));
    assert_eq!(text(&none), "Tape has no operation `delete`");
    let few = fault(|_, [_, tape, ..]| tape.call("next", ()));
    assert_eq!(text(&few), "Tape.next takes 1 arguments, found 0");
    let range = fault(|_, [_, tape, ..]| tape.call("seek", [256]));
    assert_eq!(text(&range), "argument `where` of Tape.seek: 256 is not between 0 and 255");
    let nothing = fault(|_, [_, tape, n, _]| set(n, tape.call("rewind", ())));
    assert_eq!(text(&nothing), "Tape.rewind gives nothing back");
    let large = || value_of("t.Kind", "large");
    let paged = fault(|_, [shelf, ..]| shelf.call("items", [large()]));
    assert_eq!(paged, BuildError::Paged("Shelf.items".to_owned()));
    let flat = fault(|_, [_, tape, _, name]| for_pages(name, tape.call("next", [1]), ()));
    assert_eq!(flat, BuildError::NotPaged("Tape.next".to_owned()));
    let huge =
        fault(|_, [_, tape, n, _]| set(n, tape.call("pair", [value_of("t.Kind", "huge")]).field("first")));
    assert_eq!(text(&huge), "t.Kind has no value `huge`");
    let second = fault(|_, [_, tape, n, _]| set(n, tape.call("pair", [large()]).field("second")));
    assert_eq!(text(&second), "Tape.pair has no field `second`");
}

#[test]
fn what_programs_cannot_hold() {
    let results = fault(|_, [_, tape, ..]| tape.call("split", ()));
    assert_eq!(results, BuildError::Parts("Tape.split".to_owned()));
    let part = fault(|_, [_, tape, n, _]| set(n, tape.call("split", ()).field("rest")));
    assert_eq!(part, BuildError::Parts("Tape.split".to_owned()));
    let few = fault(|_, [_, tape, _, name]| let_parts([name], tape.call("split", ())));
    assert_eq!(text(&few), "Tape.split: found 1 names, expected 2");
    let whole = fault(|_, [_, tape, _, name]| let_parts([name], tape.call("next", [1])));
    assert_eq!(text(&whole), "Tape.next: found 1 names, expected 0");
    let twice = fault(|_, [_, tape, n, name]| let_parts([name, n], tape.call("split", ())));
    assert_eq!(text(&twice), "`n` cannot be given its value here: it has one from elsewhere");
    // A struct with a portal is no value: it is no type, and a call gives its parts.
    let mut t = module();
    let plain = t.structs.iter_mut().find(|s| s.name == "Plain").unwrap();
    plain.fields[0].ty = carnet_idl::descriptor::Type::Portal(carnet_idl::descriptor::InterfaceId(0));
    let mut p = Builder::new("faulty", &[&t]);
    let tape = p.param("tape", named("t.Tape"));
    assert_eq!(p.build(tape.call("plain", ())).unwrap_err(), BuildError::Parts("Tape.plain".to_owned()));
    let mut p = Builder::new("faulty", &[&t]);
    let tape = p.param("tape", named("t.Tape"));
    let number = p.name("number");
    assert!(
        p.build(sequence((let_parts([number], tape.call("plain", ())), number.call("rewind", ())))).is_ok()
    );
    let mut p = Builder::new("faulty", &[&t]);
    let plain = p.var("plain", named("t.Plain"));
    let whole = p.build(set(plain, plain)).unwrap_err();
    assert_eq!(
        text(&whole),
        "t.Plain: found Plain, expected a type of values: one with portals is given and taken by its parts"
    );
    let large = fault(|p, _| {
        let names: Vec<String> = (0..=RECORD_WORDS_MAX).map(|k| format!("f{k}")).collect();
        let fields: Vec<(&str, Type)> = names.iter().map(|name| (name.as_str(), Type::Int)).collect();
        p.record("R", &fields);
    });
    assert_eq!(large, BuildError::Import(ImportError::RecordTooLarge("R".to_owned())));
    let deep = fault(|p, _| {
        p.record("R0", &[("f", Type::Int)]);
        for k in 1..=RECORD_DEPTH_MAX {
            p.record(&format!("R{k}"), &[("f", named(&format!("R{}", k - 1)))]);
        }
    });
    assert_eq!(deep, BuildError::Import(ImportError::RecordTooLarge(format!("R{RECORD_DEPTH_MAX}"))));
}

#[test]
fn repeats_and_moves() {
    let two = |p: &mut Builder<'_>| {
        p.record("Two", &[("name", Type::Str(9)), ("a", Type::Int), ("yes", Type::Bool), ("b", Type::Int)]);
        p.var("two", named("Two"))
    };
    let on = |first: &'static str, step: u16, count: u16| {
        let moved = fault(|p, _| {
            let of = two(p);
            move_(strided(of.field("a"), 0), strided(of.field(first), step), count)
        });
        text(&moved)
    };
    assert_eq!(on("a", 1, 2), "word 2 of `two` is not of the type that its word 1 has");
    assert_eq!(on("a", 2, 3), "word 5 of `two` is not of the type that its word 1 has");
    assert_eq!(on("yes", 0, 1), "where scalars are moved: found bool, expected int");
    assert_eq!(on("name", 0, 1), "the first of strided items: found string, expected a scalar");
    assert_eq!(on("a", 1, 0), "a repeat or move is done at least once");
    let alone = fault(|p, [_, tape, ..]| {
        let of = two(p);
        tape.call("next", (strided(of.field("a"), 1),))
    });
    assert_eq!(alone, BuildError::NotRepeated);
    let bytes = fault(|p, [_, tape, ..]| {
        let of = two(p);
        repeat_into(strided(of.field("a"), 2), tape.call("next", [1]), 2)
    });
    assert_eq!(text(&bytes), "where the results go: found int, expected bytes");
    let nothing = fault(|p, [_, tape, ..]| {
        let of = two(p);
        repeat_into(strided(of.field("a"), 2), tape.call("rewind", ()), 2)
    });
    assert_eq!(text(&nothing), "Tape.rewind gives nothing back");
    assert_eq!(text(&fault(|_, [_, tape, ..]| repeat(tape.call("rewind", ()), 0))), on("a", 1, 0));
    let open = fault(|_, [shelf, ..]| repeat(shelf.call("open", ["a"]), 2));
    assert_eq!(text(&open), "Shelf.open makes portals, of which a repeat would keep none");
    let pages = fault(|_, [shelf, ..]| repeat(shelf.call("items", [value_of("t.Kind", "small")]), 2));
    assert_eq!(pages, BuildError::Paged("Shelf.items".to_owned()));
}

#[test]
fn commands() {
    assert_eq!(fault(|_, _| break_()), BuildError::NoLoop);
    let missing = fault(|p, _| {
        p.record("R", &[("kind", named("t.Kind"))]);
        let r = p.var("r", named("R"));
        set(r, record("R", vec![]))
    });
    assert_eq!(text(&missing), "a R needs a value for `kind`");
    let sorted = fault(|p, [_, _, _, name]| {
        p.record("R", &[("a", Type::Int)]);
        let l = p.var("l", list(named("R"), 5));
        for_each(name, l, sort(l, &["a"]))
    });
    assert_eq!(sorted, BuildError::LoopedOver("l".to_owned()));
    let unended = fault(|p, _| {
        p.returns(Type::Int);
        if_(true, give(1), ())
    });
    assert_eq!(unended, BuildError::NoResult);
}

#[test]
fn attempts() {
    let names = |p: &mut Builder<'_>| [p.name("kind"), p.name("message")];
    let nothing = fault(|p, [_, tape, ..]| {
        let [kind, message] = names(p);
        attempt(tape.call("rewind", ()), kind, message, ())
    });
    assert_eq!(nothing, BuildError::NothingRaised);
    let both = fault(|p, [_, tape, n, _]| {
        let [kind, message] = names(p);
        let sum = Value::from(tape.call("seek", [1])) + tape.call("wind", [2]);
        attempt(set(n, sum), kind, message, ())
    });
    assert_eq!(both, BuildError::RaisedDifferently("Reason".to_owned(), "Kind".to_owned()));
    let stays = fault(|p, [shelf, _, _, name]| {
        let [kind, message] = names(p);
        attempt(let_(name, shelf.call("open", ["a"])), kind, message, ())
    });
    assert_eq!(stays, BuildError::MustLeave("name".to_owned()));
    let other = fault(|p, _| {
        let [kind, message] = names(p);
        attempt(end(), kind, message, ())
    });
    assert_eq!(other, BuildError::NoAttempt);
}
