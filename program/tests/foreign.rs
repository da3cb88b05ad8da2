//! What the interface language has and programs have not is refused with its place: by the checker of sources, by the
//! builder, and by the verifier, which trusts neither.

use std::sync::Arc;

use carnet_idl::descriptor::{Module, Type};
use carnet_program::builder::{
    Builder, Command, Var, add, for_each, len, let_, let_parts, list, named, record, sequence, set,
};
use carnet_program::bytecode::Program;
use carnet_program::compile::compile;
use carnet_program::source;
use carnet_program::verify::{FaultKind, LoadError, Registry, load};

const IDL: &str = "
module t {
  enum Kind { a, b };
  struct Real { double x; };
  struct Pair { Real real; float y; };
  struct Key { octet key[4]; };
  struct Point { long x; long y; };
  struct Named { long at; string<8> name; };
  union Either switch (Kind) { case a: long n; case b: string<8> s; };
  struct Holder { Either held; };
  struct Twice { Either held[2]; };
  typedef Either Unions[2];
  typedef octet Octets[4];
  typedef string<8> Texts[2];
  typedef long Numbers[2][3];
  exception Plain { Kind kind; string<8> message; };
  exception Rich { long code; };
  interface I;
  struct Link { I target; };
  typedef I Twins[2];
  struct Shelf { long at; sequence<long, 4> all; };
  union Listing switch (boolean) { case TRUE: Shelf shelf; };
  union Lists switch (long) { case 1: sequence<long, 4> a; };
  typedef sequence<long, 4> Pairs[2];
  exception Listed { sequence<long, 4> all; };
  interface Base { long inherited(in long x); };
  interface I : Base {
    long fine(in long x);
    char letter(in char c, in int8 small);
    attribute long level;
    oneway void tell(in long x);
    double real();
    void real_in(in float x);
    void in_struct(in Real r);
    Real out_struct();
    Key key(in Key k);
    void unions(in Unions u);
    Unions pair_of(in Either e);
    void octets(inout Octets o);
    void texts(inout Texts t);
    Texts two_texts(in Octets o);
    Numbers numbers();
    void turned(inout Numbers n);
    @cost(bytes = m) long long work(in Numbers n, in long long m);
    Either either();
    sequence<Either, 4> eithers();
    void turn_union(inout Either e);
    void turn_unions(inout Unions u);
    void turn_eithers(inout sequence<Either, 4> e);
    void turn_holder(inout Holder h);
    void hold_one(in Holder h, in Twice t);
    Listing listing();
    void links(in sequence<Link, 4> l);
    Link link(in Link l);
    void pairs_of(inout Twins t);
    sequence<I, 4> all();
    sequence<Link, 4> linked();
    long take(inout sequence<I> l);
    void rich() raises (Rich);
    void several() raises (Plain, Rich);
    void turn(inout string<8> s);
    void fill(inout sequence<octet, 8> b);
    void sort(inout sequence<long, 8> n);
    void step(inout I next);
    void rename(inout Named n);
    void count(inout long n, inout Point p);
    I both(in long n, out boolean on, out sequence<long, 4> all);
    sequence<string<8>, 4> names(inout long n) raises (Rich);
    I half_real(out double x);
    sequence<Real, 4> pairs(in Pair p);
    void turn_real(inout double x, inout float y);
    void two(out I one, out sequence<I, 4> all);
    void hold(in Shelf h);
    Shelf held();
    sequence<Shelf, 4> holders();
    void grid(in sequence<sequence<long, 2>, 2> g);
    void lists(in Lists l);
    void pair(in Pairs p);
    Pairs both_lists();
    long listed(in sequence<long, 4> all) raises (Listed);
  };
};";

/// Operations that programs cannot call, of a module that no interface file says, how sources call them, and what is said of them.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "turn_union",
        "i.turn_union(1)",
        "I.turn_union is not supported in programs: parameter `e` is a union with a portal",
    ),
    (
        "turn_holder",
        "i.turn_holder(1)",
        "I.turn_holder is not supported in programs: parameter `h` is a union with a portal",
    ),
    ("either", "i.either()", "I.either is not supported in programs: the result is a union with a portal"),
    ("eithers", "i.eithers()", "I.eithers is not supported in programs: the result is a union with a portal"),
];

/// The same module with a portal in a union, which the compiler of interfaces refuses.
fn with_a_portal_in_a_union() -> &'static Module {
    let mut module = module().clone();
    let interface = module.interface("I").expect("an interface");
    let either = module.unions.iter_mut().find(|union| union.name == "Either").expect("a union");
    either.arms[0].ty = Type::Portal(interface);
    Box::leak(Box::new(module))
}

fn module() -> &'static Module {
    Box::leak(Box::new(carnet_idl::compile_str("t.idl", IDL).expect("the interface is good")))
}

fn program(body: &str) -> String {
    format!("use t\nprogram p(i: I) {{\n  {body}\n}}\n")
}

fn compiled(module: &Module, body: &str) -> Program {
    let tree = source::parse(&program(body), &[Arc::new(module.clone())]).expect("the source is good");
    compile(&tree).expect("it compiles")
}

#[test]
fn sources_are_refused_with_the_place() {
    let module = with_a_portal_in_a_union();
    for (_, call, message) in REFUSED {
        let text = program(call);
        let faults = source::parse(&text, &[Arc::new(module.clone())]).expect_err(call);
        assert_eq!(faults.len(), 1, "{call}: {faults:?}");
        assert_eq!((faults[0].code, faults[0].message.as_str()), ("not-in-programs", *message));
        let shown = carnet_idl::diagnostic::render("p.carnet", &text, &faults);
        assert!(
            shown.starts_with("not supported yet[not-in-programs]: I.") && shown.contains("--> p.carnet:3:"),
            "{shown}"
        );
    }
}

#[test]
fn the_builder_refuses_them_too() {
    let module = with_a_portal_in_a_union();
    for (name, _, message) in REFUSED {
        let mut vars = Builder::new("p", &[module]);
        let i = vars.param("i", named("t.I"));
        let fault = vars.build(sequence((i.call(name, [1]),))).expect_err(name);
        assert!(fault.to_string().contains(message), "{fault}");
    }
}

/// The variables of a program that is built: `i`, a list of portals, and two names.
fn built(body: impl FnOnce([Var; 4]) -> Command) -> Result<Program, String> {
    let module = module();
    let mut vars = Builder::new("p", &[module]);
    let i = vars.param("i", named("t.I"));
    let own = vars.var("own", list(named("t.I"), 4));
    let names = [i, own, vars.name("all"), vars.name("each")];
    let tree = vars.build(body(names)).map_err(|fault| fault.to_string())?;
    Ok(compile(&tree).expect("it compiles"))
}

#[test]
fn the_builder_has_lists_of_portals() {
    let all_of = |i: Var, all: Var| let_parts([all], i.call("all", [] as [i64; 0]));
    let program = built(|[i, own, all, each]| {
        let call = Command::from(own.at(0).call("fine", [len(own)]));
        sequence((all_of(i, all), for_each(each, all, add(own, each)), call))
    });
    let body = "var own: list(I, 4)\n  let all = i.all()\n  for each in all { own.add(each) }\n  own[0].fine(own.len)";
    assert_eq!(program.map(|program| program.code), Ok(compiled(module(), body).code));
    let fault = built(|[_, own, all, _]| let_(all, own)).expect_err("a copy");
    assert!(fault.contains("a value that is copied"), "{fault}");
    let fault = built(|[i, own, ..]| set(own.at(0), i)).expect_err("a change");
    assert!(fault.contains("an element of a list that changes"), "{fault}");
    let fault = built(|[i, own, all, _]| sequence((all_of(i, all), set(own, all)))).expect_err("a copy");
    assert!(fault.contains("a value that is copied"), "{fault}");
}

#[test]
fn the_builder_has_lists_of_structs_with_portals() {
    let module = module();
    let of = |body: fn([Var; 4]) -> Command| {
        let mut vars = Builder::new("p", &[module]);
        let i = vars.param("i", named("t.I"));
        let own = vars.var("own", list(named("t.Link"), 4));
        let names = [i, own, vars.name("all"), vars.name("each")];
        vars.build(body(names)).map_err(|fault| fault.to_string())
    };
    let tree = of(|[i, own, all, each]| {
        let made = add(own, record("t.Link", vec![("target", i.into())]));
        let call = Command::from(each.field("target").call("fine", [len(own)]));
        let of_all = let_parts([all], i.call("linked", [] as [i64; 0]));
        let last = Command::from(all.at(0).field("target").call("fine", [1]));
        let walk = for_each(each, all, sequence((call, add(own, each))));
        sequence((made, of_all, walk, Command::from(i.call("links", [own])), last))
    });
    let body = "var own: list(Link, 4)\n  own.add(Link(target: i))\n  let all = i.linked()
  for each in all { each.target.fine(own.len) own.add(each) }
  i.links(own)\n  all[0].target.fine(1)";
    let program = tree.map(|tree| compile(&tree).expect("it compiles").code);
    assert_eq!(program, Ok(compiled(module, body).code));
    let fault = of(|[i, own, all, _]| {
        sequence((let_parts([all], i.call("linked", [] as [i64; 0])), add(own, all.at(0))))
    });
    assert!(fault.expect_err("an index is computed once").contains("a loop's element"));
    let fault = of(|[_, own, all, _]| let_(all, own.at(0)));
    assert!(fault.expect_err("a copy").contains("a value that is copied"));
    let fault = of(|[i, own, ..]| add(own, i));
    assert!(fault.expect_err("another type").contains("an element with portals"));
}

/// A program that names the hash of such an operation, as no compiler would make it.
#[test]
fn the_verifier_refuses_them_too() {
    let module = with_a_portal_in_a_union();
    let interface = &module.interfaces[module.interface("I").expect("an interface").index()];
    let registry = Registry::new(&[module]);
    let mut program = compiled(module, "i.fine(1)");
    assert!(load(&program.encode(), &registry).is_ok());
    for (name, _, message) in REFUSED {
        let (_, operation) = interface.operation(name).expect("an operation");
        program.ops[0].hash = operation.hash.0;
        let Err(LoadError::Rejected(faults)) = load(&program.encode(), &registry) else { panic!("{name}") };
        let fault = faults.iter().find(|fault| fault.rule == "not-in-programs").expect(name);
        assert_eq!((fault.kind, fault.message.as_str()), (FaultKind::Unsupported, *message));
    }
}

/// Characters, small integers, attributes, `oneway`, what is inherited, and what raises other exceptions are usable.
#[test]
fn what_programs_can_use_of_the_new_they_can() {
    let module = module();
    let registry = Registry::new(&[module]);
    for body in [
        "let c = i.letter(65, -128)",
        "i._set_level(i._get_level() + 1)",
        "i.tell(1)",
        "let n = i.inherited(1)",
        "i.rich()",
        "i.several()",
        "let c = i.count(1, Point(2, 3))",
        "let r = i.both(1)\n  for k in r.all { r.value.fine(k) }",
        "let n = i.names(3).value.len",
        "let k = i.key(Key())\n  let again = i.key(k)",
        "let t = i.two_texts(i.key(Key()).key)\n  if t[1] == t[0] { i.fine(1) }",
        "let n = i.numbers()\n  i.fine(n[1][2])\n  let m = i.turned(n)\n  i.fine(m[0][0])",
        "let n = i.work(i.numbers(), 10)",
        "var n = i.numbers()\n  let k = i.fine(1)\n  n[k][k + 1] = n[0][k]\n  for row in n { for x in row { i.fine(x) } }",
        "let x = i.real()\n  let y = x * 2.0",
        "i.real_in(1.5)",
        "i.in_struct(Real(-0.25))",
        "let r = i.out_struct()\n  i.in_struct(r)",
        "let p = i.pairs(Pair(Real(1e3), 0.5))\n  for r in p { i.in_struct(r) }",
        "let h = i.half_real()\n  h.value.fine(1)",
        "let b = i.turn_real(1.5, 2.5)\n  i.in_struct(Real(b.x))",
        "let n = i.listed(i.both(1).all)",
        "match i.either() {\n    n(n) { i.fine(n) }\n    s { }\n  }",
        "for e in i.eithers() { i.hold_one(Holder(e), Twice(i.pair_of(e))) }",
        "i.unions(i.pair_of(Either(n: 1)))",
        "let o = i.octets(i.octets(i.key(Key()).key))",
        "let t = i.texts(i.two_texts(i.key(Key()).key))\n  if t[0] == t[1] { i.fine(1) }",
        "let s = i.turn(i.turn(\"abc\"))\n  i.fine(s.len)",
        "let b = i.fill(i.key(Key()).key)",
        "let n = i.sort(i.both(1).all)\n  for each in n { i.fine(each) }",
        "let n = i.step(i.step(i))\n  n.fine(1)",
        "let n = i.rename(Named(1, \"x\"))\n  i.fine(n.at)",
        "let e = i.turn_union(Either(n: 1))\n  i.turn_unions(i.pair_of(e))\n  i.turn_eithers(i.eithers())\n  i.turn_holder(Holder(e))",
        "var n: list(int, 4)\n  n.add(1)\n  i.lists(Lists(a: n))",
        "i.hold(i.held())\n  for h in i.holders() { i.hold(h) }",
        "var n: list(int, 4)\n  n.add(1)\n  let h = Shelf(1, n)\n  i.hold(h)\n  i.fine(h.all[0])",
        "var g: list(list(int, 2), 2)\n  i.grid(g)",
        "match i.listing() {\n    shelf(s) { i.hold(s) }\n  }",
        "var p = i.both_lists()\n  p[1] = p[0]\n  p[i.fine(0)] = p[1]\n  i.pair(p)\n  for all in p { for n in all { i.fine(n) } }",
        "for each in i.all() { each.fine(1) }\n  i.all()[0].fine(i.all().len)",
        "let t = i.two()\n  t.one.fine(t.all.len)\n  for each in t.all { each.fine(1) }",
        "var l: list(I, 64)\n  l.add(i)\n  let back = i.take(l)\n  i.fine(i.take(back.l).value)",
        "let l = i.link(Link(i))\n  let t = i.link(l).target\n  t.fine(1)",
        "for l in i.linked() { l.target.fine(i.link(l).target.fine(1)) }",
        "i.links(i.linked())\n  var own: list(Link, 4)\n  own.add(Link(i))\n  for l in i.linked() { own.add(l) }\n  i.links(own)",
        "let all = i.linked()\n  let l = all[i.fine(0)]\n  i.link(all[all.len - 1])\n  l.target.fine(1)",
    ] {
        let program = compiled(module, body);
        assert!(load(&program.encode(), &registry).is_ok(), "{body}");
    }
    let faults =
        source::parse(&program("let c = i.letter(256, 0)"), &[Arc::new(module.clone())]).expect_err("256");
    assert!(faults[0].message.contains("256") || faults[0].label.contains("256"), "{faults:?}");
}
