//! What a hostile program costs its server before it runs: no more than its size allows. Also what a source costs that is
//! compiled, and what the oracle costs that runs it.
//!
//! Each case makes a program of an eighth of a size and one of the whole, which fills as much of the format as it
//! can and breaks a rule only at its end, or none. The whole may take three times as much processor time as eight
//! times the eighth: where work grows with the square of the size, it takes eight times as much. Time is that of
//! this thread alone, so that a busy machine does not matter.

use std::sync::Arc;
use std::time::Duration;

use carnet_fuzz::engines::{Setting, run_tree};
use carnet_fuzz::probe::{module, registry};
use carnet_program::bill::bill;
use carnet_program::bytecode::{
    CODE_MAX, INTERFACES_MAX, Ins, LOOPS_MAX, Loop, NONE, Op, OpRef, ParamPlace, Program, REGISTERS_MAX,
    ResultKind, SLOTS_MAX, SlotType, TABLE_MAX, UNBOUNDED, WORDS_MAX, pack,
};
use carnet_program::compile::{compile, compile_marked};
use carnet_program::eval::Compiled;
use carnet_program::interp::Stop;
use carnet_program::limits::Limits;
use carnet_program::source::parse;
use carnet_program::tree::{
    ArithOp, Block, Expr, ExprKind, Mutability, Place, Pos, Record, RecordId, Stmt, StmtKind, Strided, Tree,
    Ty, Var, VarId,
};
use carnet_program::verify::{FAULTS_MAX, LoadError, load};
use rustix::time::{ClockId, clock_gettime};

/// The whole size; a case is made of so many eighths of what the format allows.
const WHOLE: usize = 8;
/// How much more than its share the whole may take.
const FACTOR: u32 = 3;
/// Times below this are noise.
const NOISE: Duration = Duration::from_micros(100);

fn ins(op: Op, a: u16, b: u16, c: u16, d: u64) -> Ins {
    Ins { op, flags: 0, a, b, c, d }
}

const LEAF: usize = 0;
const ROOT: usize = 1;

fn op(interface: usize, name: &str) -> OpRef {
    let (_, operation) = module().interfaces[interface].operation(name).expect("the probe has it");
    OpRef { hash: operation.hash.0, interface: interface as u16 }
}

/// A program with a leaf in register 0 that calls nothing. Operations: `plain` takes and returns an integer,
/// `value` returns one or raises.
fn program(slots: Vec<SlotType>, code: Vec<Ins>) -> Program {
    let interface = |name: &str| (module().name.clone(), name.to_owned());
    Program {
        name: "large".to_owned(),
        code,
        ops: vec![op(LEAF, "plain"), op(LEAF, "value"), op(ROOT, "list")],
        loops: Vec::new(),
        enums: module().enums.iter().map(|e| e.hash.0).collect(),
        slots,
        layouts: Vec::new(),
        layout_words: Vec::new(),
        result: ResultKind::None,
        so_far: NONE,
        result_words: Vec::new(),
        caps: Vec::new(),
        lines: Vec::new(),
        registers: vec![LEAF as u16],
        params: vec![ParamPlace::Register(0)],
        started: NONE,
        literals: Vec::new(),
        interfaces: vec![interface("Leaf"), interface("Root")],
    }
}

const END: (Op, u16) = (Op::End, NONE);
const PLAIN: u16 = 0;
const VALUE: u16 = 1;
/// Results stay in the block, and an error ends the program.
const CALL: u64 = 0xffff_ffff;

fn with_end(mut code: Vec<Ins>) -> Vec<Ins> {
    code.push(ins(END.0, END.1, 0, 0, 0));
    code
}

/// A program that ends in what is not an instruction.
fn with_late_fault(mut code: Vec<Ins>) -> Vec<Ins> {
    code.push(ins(Op::Add, NONE, NONE, NONE, 0));
    with_end(code)
}

fn calls(count: usize) -> impl Iterator<Item = Ins> {
    std::iter::repeat_n(ins(Op::Call, 0, PLAIN, 0, CALL), count)
}

/// Every table as full as it can be; the last parameter has no place, which is looked at when all else is checked.
fn tables(size: usize) -> Program {
    let of = |max: usize| max * size / WHOLE;
    let mut slots =
        vec![SlotType::Int, SlotType::Int, SlotType::Counter, SlotType::Str(40), SlotType::Enum(1)];
    slots.extend((0..1000).map(|_| SlotType::Str(9)));
    slots.resize(of(SLOTS_MAX), SlotType::Int);
    let (mut code, mut loops) = (vec![ins(Op::Load, 0, 0, 0, 1)], Vec::new());
    for k in 0..of(LOOPS_MAX) as u16 {
        let head = code.len() as u16;
        let end = head + 2;
        loops.push(Loop {
            head,
            test: end,
            end,
            counter: 2,
            own: UNBOUNDED,
            limit: 3,
            line: 1,
            inner: NONE,
            default: false,
        });
        code.extend([ins(Op::Loop, k, 0, 0, 0), ins(Op::Load, 0, 0, 0, 1)]);
    }
    while code.len() + 2 < of(CODE_MAX) {
        let handler = code.len() as u16 + 1;
        code.push(ins(Op::Call, 0, VALUE, 0, pack([NONE, handler, 4, 3])));
    }
    let mut large = program(slots, with_end(code));
    large.loops = loops;
    large.lines = (0..large.code.len() as u32).map(|at| (at, Pos { line: at, col: 1 })).collect();
    large.layout_words = vec![SlotType::StrRef(9); of(TABLE_MAX - 1) * WORDS_MAX];
    large.layouts = (0..of(TABLE_MAX - 1)).map(|k| ((k * WORDS_MAX) as u16, WORDS_MAX as u16)).collect();
    large.interfaces = large.interfaces.iter().cycle().take(of(INTERFACES_MAX)).cloned().collect();
    large.enums = large.enums.iter().cycle().take(of(INTERFACES_MAX)).copied().collect();
    large.ops = large.ops.iter().cycle().take(of(TABLE_MAX)).copied().collect();
    large.registers = vec![LEAF as u16; of(REGISTERS_MAX)];
    large.params = vec![ParamPlace::Slot(0); of(TABLE_MAX)];
    large.literals = vec![b'x'; of(1 << 20)];
    if let Some(last) = large.params.last_mut() {
        *last = ParamPlace::Slot(NONE);
    }
    large
}

/// All literals are the same long text.
fn literals(size: usize) -> Program {
    let len = (65_535 * size / WHOLE) as u16;
    let slots = vec![SlotType::Literal { len, offset: 0 }; SLOTS_MAX * size / WHOLE];
    let mut large = program(slots, with_late_fault(Vec::new()));
    large.literals = vec![b'x'; usize::from(len)];
    large
}

/// Each repeat is right by itself; together they are too many.
fn repeats(size: usize) -> Program {
    let times = pack([(60_000 * size / WHOLE) as u16, 0, 1, 0]);
    let pair = [ins(Op::Repeat, 0, 0, 0, times), ins(Op::Call, 0, PLAIN, 0, CALL)];
    let code = pair.into_iter().cycle().take(2048 * size).collect();
    program(vec![SlotType::Int; SLOTS_MAX], with_end(code))
}

/// Each repeat is too many, and all its blocks are wrong.
fn wrong_repeats(size: usize) -> Program {
    let mut large = repeats(size);
    large.slots = vec![SlotType::Bool; SLOTS_MAX];
    large
}

/// As [`repeats`], with strided moves.
fn moves(size: usize) -> Program {
    let count = pack([(30_000 * size / WHOLE) as u16, 0, 1, 1]);
    let code = vec![ins(Op::MoveStrided, 30_000, 0, 0, count); 4096 * size];
    program(vec![SlotType::Int; SLOTS_MAX], with_end(code))
}

/// Every instruction breaks rules.
fn faults(size: usize) -> Program {
    program(vec![SlotType::Bool; 9], with_end(vec![ins(Op::Add, 1, 2, NONE, 1); 8000 * size]))
}

/// Lists with the longest elements.
fn lists(size: usize) -> Program {
    let mut slots = vec![SlotType::List(0, 9), SlotType::List(1, 9)];
    slots.resize(100, SlotType::Int);
    let pair = [ins(Op::Push, 0, 2, 0, 0), ins(Op::Set, 0, 1, 0, 0), ins(Op::Sort, 0, 0, 0, 63)];
    let mut large = program(slots, with_late_fault(pair.into_iter().cycle().take(8000 * size).collect()));
    large.layout_words = vec![SlotType::Int; WORDS_MAX];
    large.layouts = vec![(0, WORDS_MAX as u16); 2];
    large
}

/// As many elements of the longest kind as can be added to a list, all from slots of one type.
fn pushes(from: SlotType) -> Vec<u8> {
    let mut slots = vec![from; 1 + WORDS_MAX];
    slots[0] = SlotType::List(0, 9);
    let mut large = program(slots, with_end(vec![ins(Op::Push, 0, 1, 0, 0); CODE_MAX - 1]));
    large.layout_words = vec![SlotType::Int; WORDS_MAX];
    large.layouts = vec![(0, WORDS_MAX as u16)];
    large.encode()
}

/// A valid program: nested loops, one after the other, and many calls behind and in them.
fn valid(size: usize) -> Program {
    const DEPTH: usize = 16;
    let (mut code, mut loops) = (vec![ins(Op::Load, 0, 0, 0, 1)], Vec::new());
    for _ in 0..LOOPS_MAX * size / WHOLE / DEPTH {
        let first = loops.len();
        for k in 0..DEPTH {
            let head = code.len() as u16;
            loops.push(Loop {
                head,
                test: 0,
                end: 0,
                counter: 2,
                own: 2,
                limit: UNBOUNDED,
                line: 1,
                inner: NONE,
                default: false,
            });
            code.push(ins(Op::Loop, (first + k) as u16, 0, 0, 0));
        }
        code.extend(calls(8));
        // Each loop ends with a call of its own, so that all ends differ.
        for k in (0..DEPTH).rev() {
            code.extend(calls(1));
            let end = code.len() as u16;
            (loops[first + k].test, loops[first + k].end) = (end, end);
        }
    }
    code.extend(calls((CODE_MAX * size / WHOLE).saturating_sub(code.len() + 1)));
    let mut large = program(vec![SlotType::Int, SlotType::Int, SlotType::Counter], with_end(code));
    large.loops = loops;
    large.lines = (0..large.code.len() as u32).map(|at| (at, Pos { line: at, col: 1 })).collect();
    large
}

/// A source of many statements, compiled.
fn source(statement: &str, count: usize) -> Tree {
    let body: String = (0..count).map(|k| statement.replace('@', &k.to_string())).collect();
    let text =
        format!("use probe\n\nprogram large(leaf: Leaf) -> int {{\n  var a = 0\n{body}  return a\n}}\n");
    let modules = [Arc::new(module().clone())];
    match parse(&text, &modules) {
        Ok(tree) => tree,
        Err(faults) => panic!("{}", carnet_idl::diagnostic::render("large", &text, &faults[..1])),
    }
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// The least time of three that `work` takes.
fn time_of(work: impl Fn()) -> Duration {
    let once = || {
        let before = cpu_time();
        work();
        cpu_time() - before
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

fn assert_costs_its_size(name: &str, work: impl Fn(usize)) {
    let (part, whole) = (time_of(|| work(1)), time_of(|| work(WHOLE)));
    println!("{name}: {part:?}, {whole:?}");
    let most = part.max(NOISE) * WHOLE as u32 * FACTOR;
    assert!(whole <= most, "{name}: {part:?} for an eighth, {whole:?} for the whole");
}

#[test]
fn what_is_rejected_costs_its_size() {
    type Case = (&'static str, fn(usize) -> Program);
    let cases: [Case; 7] = [
        ("tables", tables),
        ("literals", literals),
        ("repeats", repeats),
        ("wrong repeats", wrong_repeats),
        ("moves", moves),
        ("faults", faults),
        ("lists", lists),
    ];
    for (name, case) in cases {
        let bytes = [1, WHOLE].map(|size| case(size).encode());
        for bytes in &bytes {
            let faults = load(bytes, registry()).expect_err("it breaks a rule").to_string();
            println!("{name}: {} bytes: {faults}", bytes.len());
        }
        assert_costs_its_size(name, |size| {
            let _faults = load(&bytes[size / WHOLE], registry());
        });
    }
}

/// Each word of each element is wrong, and most of what could be said of it is not.
#[test]
fn what_is_rejected_costs_no_more_than_what_is_accepted() {
    let [right, wrong] = [SlotType::Int, SlotType::Bool].map(pushes);
    assert!(load(&right, registry()).is_ok());
    let Err(LoadError::Rejected(faults)) = load(&wrong, registry()) else { panic!("it breaks a rule") };
    assert_eq!(faults.len(), FAULTS_MAX);
    let [accepted, rejected] = [&right, &wrong].map(|bytes| {
        time_of(|| {
            let _loaded = load(bytes, registry());
        })
    });
    println!("{accepted:?} if it is accepted, {rejected:?} if it is rejected");
    assert!(rejected <= accepted + NOISE, "{rejected:?}, and {accepted:?} if it is accepted");
}

/// The tables are right but for the one thing that is looked at last.
#[test]
fn the_large_tables_are_refused_at_their_end() {
    let mut large = tables(WHOLE);
    let faults = load(&large.encode(), registry()).expect_err("it breaks a rule").to_string();
    assert_eq!(faults, "error[table]: parameter 1023 has no place");
    large.params.pop();
    assert!(load(&large.encode(), registry()).is_ok());
}

#[test]
fn what_is_accepted_costs_its_size() {
    let programs = [1, WHOLE].map(|size| {
        let bytes = valid(size).encode();
        let loaded = load(&bytes, registry()).expect("it is valid");
        (bytes, loaded)
    });
    assert_costs_its_size("load", |size| {
        let _loaded = load(&programs[size / WHOLE].0, registry());
    });
    let bill_of = |size: usize| {
        let (bytes, loaded) = &programs[size / WHOLE];
        bill(bytes, loaded, &Limits::UNLIMITED)
    };
    assert_costs_its_size("bill", |size| {
        let _bill = bill_of(size);
    });
    assert_costs_its_size("text of the bill", |size| {
        let _text = bill_of(size).to_string();
    });
}

#[test]
fn what_is_compiled_costs_its_size() {
    for (statement, count) in [
        ("  a += 1\n", 400),
        ("  if a > 1 && a < 9 { a = 2 } else { a = 3 }\n", 400),
        ("  for i@ in 0..a limit 3 { a = a + i@ }\n", 400),
        ("  let v@ = leaf.plain(a)\n", 400),
        ("  let c@ = try leaf.child(a) else { return 1 }\n", 400),
        ("  leaf.label(\"t@\")\n", 1000),
    ] {
        assert_costs_its_size(statement, |size| {
            let tree = source(statement, count * size);
            let _bytes = compile(&tree).expect("it fits").encode();
        });
    }
}

/// A loop that asks for the length of a long list, and for a field of a record beside a long text.
/// Trees that keep all rules, each of one kind of thing, and as large as it can be; some become too large when they are compiled.
fn large_trees(size: usize) -> [(&'static str, Tree); 6] {
    let of = |whole: usize| whole * size / WHOLE;
    let empty = || source("", 0);
    let pos = Pos { line: 2, col: 1 };
    let expr = |kind| Expr { pos, kind };
    let stmt = |kind| Stmt { pos, kind };
    let int = |n: usize| expr(ExprKind::Int(n as i64));
    let declare = |tree: &mut Tree, ty: Ty| {
        let var = VarId(tree.vars.len() as u16);
        tree.vars.push(Var { name: "v".to_owned(), ty, mutability: Mutability::Changes });
        tree.body.stmts.push(stmt(StmtKind::Declare(var)));
        var
    };
    let mut lists = empty();
    (0..of(60_000)).for_each(|k| _ = declare(&mut lists, Ty::List(Box::new(Ty::Str(k as u32)), 1)));
    // A statement that needs many temporaries, and many that need one of another kind.
    let mut temps = empty();
    let text = declare(&mut temps, Ty::Str(9));
    let long = |of: usize| {
        let var = || expr(ExprKind::Var(text));
        let tests = |k: usize| {
            expr(ExprKind::Len(Box::new(expr(ExprKind::Concat(vec![
                var(),
                expr(ExprKind::Text(vec![b'x'; 1 + k % 4_000])),
            ])))))
        };
        expr(ExprKind::Arith(Box::new(int(1)), (0..of).map(|k| (ArithOp::Add, tests(k))).collect()))
    };
    let sum = declare(&mut temps, Ty::Int);
    let assign = |value| stmt(StmtKind::Assign { place: Place::var(sum), value });
    temps.body.stmts.push(assign(long(of(3_000).min(240))));
    (0..of(3_000)).for_each(|_| temps.body.stmts.push(assign(long(1))));
    let mut records = empty();
    let fields = (0..60).map(|k| (format!("f{k}"), Ty::Str(9))).collect();
    records.records.push(Record { name: "R".to_owned(), fields, union: None, list: None });
    let record = RecordId(records.records.len() as u16 - 1);
    let (a, b) = (declare(&mut records, Ty::Record(record)), declare(&mut records, Ty::Record(record)));
    let copy = || stmt(StmtKind::Assign { place: Place::var(a), value: expr(ExprKind::Var(b)) });
    records.body.stmts.extend((0..of(80_000)).map(|_| copy()));
    let mut moves = empty();
    let fields = (0..1_000).map(|k| (format!("f{k}"), Ty::Int)).collect();
    moves.records.push(Record { name: "R".to_owned(), fields, union: None, list: None });
    let record = RecordId(moves.records.len() as u16 - 1);
    let a = declare(&mut moves, Ty::Record(record));
    let items = |first| Strided { var: a, first, step: 1 };
    let one = || stmt(StmtKind::Move { from: items(999), to: items(998), count: 1 });
    moves.body.stmts.extend((0..of(70_000)).map(|_| one()));
    let mut texts = empty();
    let text = declare(&mut texts, Ty::Str(9));
    let more = |k: usize| {
        let value = expr(ExprKind::Text(format!("{k}").into_bytes()));
        stmt(StmtKind::Update { place: Place::var(text), op: ArithOp::Add, value })
    };
    texts.body.stmts.extend((0..of(60_000)).map(more));
    let mut ifs = empty();
    let arms = (0..of(70_000)).map(|_| (expr(ExprKind::Bool(true)), Block::default())).collect();
    ifs.body.stmts.push(stmt(StmtKind::If { arms, otherwise: Block::default() }));
    [
        ("kinds of list", lists),
        ("temporaries", temps),
        ("records", records),
        ("moves", moves),
        ("literals", texts),
        ("choices", ifs),
    ]
}

/// A server reads, checks and compiles them on the thread of the session.
#[test]
fn what_comes_as_a_tree_costs_its_size() {
    let made: Vec<Vec<(&str, Vec<u8>)>> = [1, WHOLE]
        .map(|size| large_trees(size).into_iter().map(|(name, tree)| (name, tree.encode())).collect())
        .into();
    for (k, (name, whole)) in made[1].iter().enumerate() {
        assert!(whole.len() <= carnet_program::tree::BYTES_MAX, "{name}: {} bytes", whole.len());
        assert_costs_its_size(name, |size| {
            let bytes = if size == WHOLE { whole } else { &made[0][k].1 };
            if let Ok(tree) = Tree::decode(bytes) {
                drop(compile(&tree));
            }
        });
    }
}

#[test]
fn what_the_oracle_runs_costs_what_it_is_charged() {
    let text = |count: usize| {
        format!(
            "use probe\n\nrecord Both {{ long: string, n: int }}\n\nprogram look(leaf: Leaf) -> int {{\n  \
             var all: list(Both, 10000)\n  var a = 0\n  let both = Both(long: \"x\", n: 1)\n  \
             for i in 0..{count} limit 10000 {{ all.add(both) }}\n  \
             for i in 0..{count} limit 10000 {{ a += all.len + both.n }}\n  return a\n}}\n"
        )
    };
    let modules = [Arc::new(module().clone())];
    let trees = [1, WHOLE].map(|size| parse(&text(200 * size), &modules).expect("it is valid"));
    assert_costs_its_size("oracle", |size| {
        let tree = &trees[size / WHOLE];
        let (program, marks) = compile_marked(tree).expect("it fits");
        let loaded = load(&program.encode(), registry()).expect("it is valid");
        let setting = Setting::unlimited();
        let seen = run_tree(Compiled { tree, marks: &marks, loaded: &loaded }, &setting);
        assert!(matches!(seen.stop, Stop::Done(_)), "{:?}", seen.stop);
    });
}
