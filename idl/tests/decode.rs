//! Descriptors that are well formed but break a rule of the language are refused, each for its reason.

use carnet_idl::descriptor::*;
use carnet_idl::{DecodeError, compile_str, decode, encode, limits};

const TEXT: &str = r#"
@version("1.0") module m {
  enum Kind { a, b };
  struct Inner { long x; };
  struct Entry { Inner inner; string<8> name; };
  union Either switch (Kind) { case a: Inner inner; case b: string<8> text; };
  const unsigned short TOP = 3;
  const string<8> NAME = "name";
  exception Fault { Kind kind; string<8> message; };
  exception Other2 { long x; };
  interface Other { void f(); };
  interface Dir {
    @paged sequence<Entry, 4> list(in string<8> after, out boolean last) raises (Fault);
    @reads @argument Dir at(in string<8> text);
    @cost(bytes = n) long work(in long n, inout long m, in string<8> s);
    oneway void tell(in Either e);
  };
  interface Derived : Dir { void more(in Derived d); };
};
"#;

fn module() -> Module {
    compile_str("m.idl", TEXT).expect("no faults")
}

/// What decoding says to the module after `change`.
fn after(change: impl FnOnce(&mut Module)) -> Result<Module, DecodeError> {
    let mut changed = module();
    change(&mut changed);
    decode(&encode(&changed))
}

fn list(module: &mut Module) -> &mut Operation {
    &mut module.interfaces[1].operations[0]
}

fn work(module: &mut Module) -> &mut Operation {
    &mut module.interfaces[1].operations[2]
}

fn field(ty: Type) -> Field {
    Field { name: "more".to_owned(), ty }
}

/// An array of so many lists, each of arrays of 64 lists.
fn repeating(len: u32) -> Type {
    let list = |of: Type| Type::List { of: Box::new(of), max: 1 };
    let lists = Type::Array { of: Box::new(list(LONG)), len: 64 };
    Type::Array { of: Box::new(list(lists)), len }
}

const LONG: Type = Type::Int { bits: 32, signed: true };

#[test]
fn rules_are_checked() {
    assert_eq!(after(|_| {}).as_ref(), Ok(&module()));
    type Change = fn(&mut Module);
    let rules: &[(&str, Change)] = &[
        ("a name is not one", |m| m.name = "no name".to_owned()),
        ("a name is not one", |m| m.structs[0].name = String::new()),
        ("a name is not one", |m| list(m).name = "x".repeat(limits::NAME_MAX + 1)),
        ("a name is not one", |m| list(m).params[0].name = "../x".to_owned()),
        ("a name stands twice", |m| m.structs[0].name = "kind".to_owned()),
        ("a name stands twice", |m| m.enums[0].values[1] = "A".to_owned()),
        ("a name stands twice", |m| work(m).name = "list".to_owned()),
        ("a name stands twice", |m| work(m).params[0].name = "m".to_owned()),
        ("an enum is empty", |m| m.enums[0].values.clear()),
        ("a struct is empty", |m| m.structs[0].fields.clear()),
        ("a struct is not known here", |m| m.structs[0].fields.push(field(Type::Struct(StructId(0))))),
        ("a struct is not known here", |m| m.structs[0].fields.push(field(Type::Struct(StructId(1))))),
        ("portals are in a list within another value", |m| {
            let list = Type::List { of: Box::new(Type::Portal(InterfaceId(0))), max: 1 };
            m.structs[0].fields.push(field(list));
        }),
        ("elements of a list within another value grow too much", |m| {
            m.unions[0].arms[1].ty = Type::Array { of: Box::new(Type::Char), len: 4096 };
            let list = Type::List { of: Box::new(Type::Union(UnionId(0))), max: 1 };
            work(m).result = Some(Type::List { of: Box::new(list), max: 1 });
        }),
        ("a list is nested too deeply", |m| {
            let deep = (0..18).fold(LONG, |of, _| Type::List { of: Box::new(of), max: 1 });
            work(m).result = Some(deep);
        }),
        ("arrays and lists repeat too much in each other", |m| work(m).result = Some(repeating(8))),
        ("arrays and lists repeat too much in each other", |m| {
            let deep = (0..15).fold(LONG, |of, level| match level % 2 {
                0 => Type::Array { of: Box::new(of), len: 64 },
                _ => Type::List { of: Box::new(of), max: 1 },
            });
            work(m).result = Some(deep);
        }),
        ("arrays and lists repeat too much in each other", |m| {
            m.structs[0].fields =
                vec![field(repeating(7)), Field { name: "again".to_owned(), ty: repeating(1) }];
        }),
        ("arrays and lists repeat too much in each other", |m| {
            m.exceptions[1].members =
                vec![field(repeating(7)), Field { name: "again".to_owned(), ty: repeating(1) }];
        }),
        ("there is no such integer", |m| {
            m.structs[0].fields.push(field(Type::Int { bits: 7, signed: true }))
        }),
        ("there is no such float", |m| m.structs[0].fields.push(field(Type::Float { bits: 16 }))),
        ("a union is not known here", |m| m.structs[0].fields.push(field(Type::Union(UnionId(0))))),
        ("a union is not known here", |m| m.unions[0].arms[0].ty = Type::Union(UnionId(0))),
        ("a struct is not known here", |m| m.unions[0].structs_before = 0),
        ("a union stands in the wrong place", |m| m.unions[0].structs_before = 7),
        ("a union is empty", |m| m.unions[0].arms.clear()),
        ("a union has two defaults", |m| m.unions[0].arms.iter_mut().for_each(|arm| arm.labels.clear())),
        ("a label is no value of the discriminant", |m| m.unions[0].arms[0].labels.push(2)),
        ("a label is no value of the discriminant", |m| m.unions[0].arms[0].labels.push(-1)),
        ("a label stands twice", |m| m.unions[0].arms[0].labels.push(1)),
        ("a discriminant is none", |m| m.unions[0].switch = Type::Float { bits: 64 }),
        ("a portal is in a union", |m| m.unions[0].arms[1].ty = Type::Portal(InterfaceId(0))),
        ("portals are in a list within another value", |m| {
            let list = Type::List { of: Box::new(Type::Portal(InterfaceId(0))), max: 1 };
            m.unions[0].arms[1].ty = list;
        }),
        ("a name stands twice", |m| m.unions[0].arms[1].name = "INNER".to_owned()),
        ("an array is too large", |m| {
            m.structs[0].fields.push(field(Type::Array { of: Box::new(LONG), len: 65 }));
        }),
        ("an array is too large", |m| {
            m.structs[0].fields.push(field(Type::Array { of: Box::new(LONG), len: 0 }));
        }),
        ("portals are in a list within another value", |m| {
            let list = Type::List { of: Box::new(Type::Portal(InterfaceId(0))), max: 1 };
            m.structs[0].fields.push(field(Type::Array { of: Box::new(list), len: 1 }));
        }),
        ("a constant is no value of its type", |m| m.constants[0].value = Value::Word(1 << 16)),
        ("a constant is no value of its type", |m| m.constants[0].value = Value::Text("x".to_owned())),
        ("a constant is no value of its type", |m| {
            m.constants[1].value = Value::Text("123456789".to_owned())
        }),
        ("a constant is no value of its type", |m| m.constants[1].value = Value::Text("\0".to_owned())),
        ("a constant is no value of its type", |m| m.constants[1].ty = Type::Bytes { max: 9 }),
        ("a portal is in an exception", |m| {
            m.exceptions[1].members.push(field(Type::Portal(InterfaceId(0))));
        }),
        ("an exception is too large", |m| m.exceptions[1].members.push(field(Type::String { max: 8193 }))),
        ("the exceptions are not a few different ones", |m| list(m).raises.push(ExceptionId(0))),
        ("a oneway operation gives something back", |m| work(m).oneway = true),
        ("a oneway operation gives something back", |m| {
            m.interfaces[1].operations[3].effect = Effect::Reads;
        }),
        ("a base is not known here", |m| m.interfaces[0].base = Some(InterfaceId(0))),
        ("a base is not known here", |m| m.interfaces[0].base = Some(InterfaceId(9))),
        ("a name stands twice", |m| m.interfaces[2].operations[4].name = "tell".to_owned()),
        ("a name is not one", |m| list(m).name = "_get_".to_owned()),
        ("a name is not one", |m| list(m).name = "_put_x".to_owned()),
        ("a name is not one", |m| m.structs[0].name = "a::::b".to_owned()),
        ("there is no such enum", |m| m.structs[0].fields.push(field(Type::Enum(EnumId(1))))),
        ("there is no such enum", |m| m.exceptions[0].members[0].ty = Type::Enum(EnumId(1))),
        ("a bound is out of range", |m| m.exceptions[0].members[1].ty = Type::String { max: 0 }),
        ("a bound is out of range", |m| m.structs[0].fields.push(field(Type::Bytes { max: 0 }))),
        ("a bound is out of range", |m| work(m).params[2].ty = Type::String { max: limits::BYTES_MAX + 1 }),
        ("a bound is out of range", |m| {
            work(m).result = Some(Type::List { of: Box::new(LONG), max: limits::LIST_MAX + 1 });
        }),
        ("portals are in a list within another value", |m| {
            let list = Type::List { of: Box::new(Type::Portal(InterfaceId(0))), max: 1 };
            work(m).result = Some(Type::List { of: Box::new(list), max: 1 });
        }),
        ("a list holds octets", |m| {
            work(m).result = Some(Type::List { of: Box::new(Type::Int { bits: 8, signed: false }), max: 1 });
        }),
        ("there is no such interface", |m| work(m).result = Some(Type::Portal(InterfaceId(3)))),
        ("a bound is out of range", |m| work(m).params[1].ty = Type::String { max: 0 }),
        ("there is no such exception", |m| list(m).raises = vec![ExceptionId(2)]),
        ("the cost names no integer or bytes", |m| work(m).cost = Some(2)),
        ("the cost names no integer or bytes", |m| work(m).cost = Some(3)),
        ("a paged operation does not have its shape", |m| list(m).result = None),
        ("a paged operation does not have its shape", |m| list(m).params[1].mode = Mode::In),
        ("a paged operation does not have its shape", |m| {
            list(m).paged = Some(Paged { cursor: 0, last: 1, key: 0 });
        }),
        ("a paged operation does not have its shape", |m| {
            list(m).paged = Some(Paged { cursor: 0, last: 9, key: 1 });
        }),
        ("the operation for arguments does not have its shape", |m| m.interfaces[1].argument = Some(0)),
        ("the operation for arguments does not have its shape", |m| m.interfaces[1].argument = Some(9)),
        ("the operation for arguments does not have its shape", |m| m.interfaces[0].argument = Some(0)),
        ("the operation for arguments does not have its shape", |m| {
            m.interfaces[1].operations[1].effect = Effect::Writes;
        }),
    ];
    for (number, (rule, change)) in rules.iter().enumerate() {
        let Err(DecodeError::Rule(text)) = after(change) else { panic!("{number}: {rule}: accepted") };
        assert!(text.ends_with(rule), "{number}: {text}");
    }
}

#[test]
fn sizes_are_checked_before_anything_is_flattened() {
    let double = |m: &mut Module| {
        for number in 0..60_u16 {
            let before = Type::Struct(StructId(1 + number));
            let fields = ["a", "b"].map(|name| Field { name: name.to_owned(), ty: before.clone() });
            m.structs.push(Struct { name: format!("D{number}"), doc: String::new(), fields: fields.into() });
        }
    };
    assert!(matches!(after(double), Err(DecodeError::Rule(text)) if text == "D5: a struct is too large"));
    let deep = |m: &mut Module| {
        for number in 0..60_000_u16 {
            let fields = vec![field(Type::Struct(StructId(1 + number)))];
            m.structs.push(Struct { name: format!("D{number}"), doc: String::new(), fields });
        }
    };
    assert!(after(deep).is_err());
    let wide = |m: &mut Module| {
        for number in 0..70 {
            let param = Param { name: format!("p{number}"), mode: Mode::In, ty: LONG };
            work(m).params.push(param);
        }
    };
    assert!(
        matches!(after(wide), Err(DecodeError::Rule(text)) if text == "work: the argument block is too large")
    );
}

/// Hashes and layouts are the reader's own: a peer cannot say what they are.
#[test]
fn hashes_and_layouts_are_not_taken_from_anyone() {
    let lied = after(|m| {
        list(m).hash = OpHash(1);
        list(m).layout = Layout::default();
        m.interfaces[1].hash = TypeHash(2);
        m.enums[0].hash = TypeHash(3);
    });
    assert_eq!(lied, Ok(module()));
}

/// What breaks callers changes a hash; what does not, does not.
#[test]
fn hashes_follow_the_signature() {
    let hash = |module: &Module| module.interfaces[1].operations[0].hash;
    let original = hash(&module());
    let changed = |change: fn(&mut Module)| hash(&after(change).expect("a valid module"));
    let same: &[fn(&mut Module)] = &[
        |m| m.version = "2.0".to_owned(),
        |m| list(m).doc = "other".to_owned(),
        |m| list(m).params[0].name = "from".to_owned(),
        |m| list(m).idempotent = true,
        |m| m.interfaces[1].operations.truncate(2),
    ];
    for (number, change) in same.iter().enumerate() {
        assert_eq!(changed(*change), original, "{number}");
    }
    let other: &[fn(&mut Module)] = &[
        |m| m.name = "n".to_owned(),
        |m| m.interfaces[1].name = "Directory".to_owned(),
        |m| list(m).name = "entries".to_owned(),
        |m| list(m).raises.clear(),
        |m| list(m).effect = Effect::Reads,
        |m| list(m).params[0].ty = Type::String { max: 9 },
        |m| list(m).params[0].ty = Type::String { max: 88 },
        |m| m.structs[0].fields[0].name = "y".to_owned(),
        |m| m.structs[0].fields[0].ty = Type::Int { bits: 32, signed: false },
        |m| m.enums[0].values.push("c".to_owned()),
        |m| m.exceptions[0].members[1].ty = Type::String { max: 9 },
    ];
    for (number, change) in other.iter().enumerate() {
        assert_ne!(changed(*change), original, "{number}");
    }
    let fewer = after(|m| m.interfaces[1].operations.truncate(2)).expect("a valid module");
    assert_ne!(fewer.interfaces[1].hash, module().interfaces[1].hash);
    assert_eq!(fewer.interfaces[0].hash, module().interfaces[0].hash);
}

/// A descriptor of some kilobytes must not become one of gigabytes.
#[test]
fn inherited_operations_are_bounded() {
    let many = |m: &mut Module| {
        let operation = m.interfaces[0].operations[0].clone();
        m.interfaces[0].operations =
            (0..1000).map(|n| Operation { name: format!("f{n}"), ..operation.clone() }).collect();
        for number in 0..5 {
            let new = Interface {
                name: format!("I{number}"),
                base: Some(InterfaceId(0)),
                ..m.interfaces[0].clone()
            };
            m.interfaces.push(Interface { operations: vec![], ..new });
        }
    };
    let found = after(many);
    assert!(matches!(found, Err(DecodeError::Rule(text)) if text == "I4: too many operations are inherited"));
}

/// What a session must have room for before an operation is called.
#[test]
fn what_a_reply_may_bring_is_counted() {
    let text = "module m {
      interface A { };
      struct Two { A one; A other; long n; };
      typedef A Three[3];
      interface B {
        void none(in A a, in sequence<A, 9> all);
        A one(inout A a, out Two two);
        sequence<Two, 100> many(out Three a);
        sequence<Two, 127> too_many(out A a);
        sequence<A> unbounded();
      };
    };";
    let module = compile_str("m.idl", text).expect("no faults");
    let brings = |at: usize| {
        let Brings { alone, most } = module.interfaces[1].operations[at].layout.brings;
        (alone, most)
    };
    assert_eq!([0, 1, 2, 3, 4].map(brings), [(0, 0), (4, 4), (3, 203), (1, 255), (0, 0)]);
    let room = |most| Brings { alone: 1, most }.wanted(20);
    assert_eq!([1, 20, 21].map(room), [1, 20, 1]);
}

/// Whatever the compiler takes, its descriptor decodes: all annotations, up to four at a time, on all kinds of operations.
#[test]
fn what_is_accepted_decodes() {
    const ANNOTATIONS: &[&str] = &[
        "@reads",
        "@writes",
        "@idempotent",
        "@once",
        "@blocks",
        "@paged",
        "@argument",
        "@does(\"a\", \"b\", \"c\")",
        "@note(\"n\")",
        "@cost(bytes = p)",
        "@cost(bytes = value)",
        "@syscall(\"0 p\")",
        "@syscall(\"1 *return\")",
    ];
    const OPERATIONS: &[&str] = &[
        "readonly attribute long x;",
        "attribute long x;",
        "attribute sequence<octet, 9> x;",
        "readonly attribute I x;",
        "attribute I x, y;",
        "readonly attribute Entries x;",
        "void o();",
        "oneway void o();",
        "oneway void o(in long p);",
        "long o(in long p);",
        "I o(in string<9> p);",
        "Entries o(in string<9> a, out boolean l);",
        "Entries o(in long p, in string<9> a, out boolean l);",
        "sequence<octet, 9> o(in sequence<octet, 9> p);",
        "void o(inout sequence<octet, 9> p);",
        "void o(in I p) raises (Fault);",
    ];
    let mut taken = 0;
    for set in (0_u32..1 << ANNOTATIONS.len()).filter(|set| set.count_ones() <= 4) {
        let words = ANNOTATIONS.iter().enumerate().filter(|(index, _)| set >> index & 1 == 1);
        let words: String = words.map(|(_, word)| format!("{word} ")).collect();
        for operation in OPERATIONS {
            let text = format!(
                "module m {{ struct Entry {{ string<9> name; }}; typedef sequence<Entry, 4> Entries; \
                 exception Fault {{ long x; }}; interface I {{ {words}{operation} }}; }};"
            );
            if let Ok(module) = compile_str("m.idl", &text) {
                assert_eq!(decode(&encode(&module)).as_ref(), Ok(&module), "{text}");
                taken += 1;
            }
        }
    }
    // Each by itself where it belongs, and most with most.
    assert!(taken > 1_000, "{taken} were taken");
}
