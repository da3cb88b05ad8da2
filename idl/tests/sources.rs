//! Files that include each other, and descriptors of several modules.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use carnet_idl::descriptor::{Module, Short, Type};
use carnet_idl::{Sources, compile, decode, encode};

/// Compiles `main.idl` of these files, with the include path `lib`.
fn build(files: &[(&str, &str)]) -> Result<Vec<Module>, String> {
    let files: HashMap<PathBuf, &str> =
        files.iter().map(|(name, text)| (PathBuf::from(name), *text)).collect();
    let read = |path: &Path| {
        let text = files.get(path).map(|text| (*text).to_owned());
        text.ok_or_else(missing)
    };
    let sources =
        Sources::load_with(Path::new("main.idl"), &[PathBuf::from("lib")], &read).expect("main.idl");
    compile(&sources).map_err(|faults| sources.render(&faults))
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such file")
}

const SHARED: &str = "module shared {
  enum Kind { file, dir };
  struct Point { long x; long y; };
  struct Unused { Kind kind; };
  union Either switch (Kind) { case file: Point point; case dir: long number; };
  exception Busy { Kind kind; string<8> message; };
  interface Base { Kind kind() raises (Busy); Point unused(); };
};";

#[test]
fn a_module_takes_what_it_uses_of_others_and_no_more() {
    let main = "#include \"shared.idl\"
        module m {
          struct Own { shared::Either either; };
          interface Derived : shared::Base { void put(in Own own, in shared::Base base); };
        };";
    let modules = build(&[("main.idl", main), ("shared.idl", SHARED)]).expect("no faults");
    let [module] = &modules[..] else { panic!("{} modules", modules.len()) };
    let structs: Vec<&str> = module.structs.iter().map(|new| new.name.as_str()).collect();
    assert_eq!(structs, ["::shared::Point", "Own"]);
    assert_eq!(module.unions[0].name, "::shared::Either");
    assert_eq!(module.unions[0].structs_before, 1);
    let interfaces: Vec<&str> = module.interfaces.iter().map(|new| new.name.as_str()).collect();
    assert_eq!(interfaces, ["::shared::Base", "Derived"]);
    assert_eq!(module.interfaces[1].inherited, 2);
    assert_eq!(module.interfaces[1].operations[2].layout.words(), 3 + 1);
    assert_eq!(decode(&encode(module)).as_ref(), Ok(module));
}

/// Whoever sees a definition from elsewhere sees the same hash.
#[test]
fn hashes_do_not_depend_on_where_a_definition_is_used() {
    let shared = build(&[("main.idl", SHARED)]).expect("no faults").remove(0);
    let main = "#include \"shared.idl\"
        module m { interface I : shared::Base { shared::Kind put(in shared::Base base); }; };";
    let user = build(&[("main.idl", main), ("shared.idl", SHARED)]).expect("no faults").remove(0);
    let base = user.interface("::shared::Base").expect("the base").index();
    assert_eq!(user.interfaces[base].hash, shared.interfaces[0].hash);
    assert_eq!(user.interfaces[base].operations, shared.interfaces[0].operations);
    assert_eq!(user.enums[0].hash, shared.enums[0].hash);
    let derived = &user.interfaces[user.interface("I").expect("the interface").index()];
    assert_eq!(derived.operations[0].hash, shared.interfaces[0].operations[0].hash);
}

#[test]
fn several_modules_of_a_file_have_a_descriptor_each() {
    let main = "@version(\"1\") module a { struct S { long x; }; module deep { enum E { one }; }; };
        @version(\"2\") module b { interface I { a::deep::E f(in ::a::S s); }; };
        module a { typedef S Again; interface J { Again g(in deep::E e); }; };";
    let modules = build(&[("main.idl", main)]).expect("no faults");
    let heads: Vec<(&str, &str)> = modules.iter().map(|m| (m.name.as_str(), m.version.as_str())).collect();
    assert_eq!(heads, [("a", "1"), ("b", "2")]);
    assert_eq!(modules[0].enums[0].name, "deep::E");
    assert_eq!(modules[1].enums[0].name, "::a::deep::E");
    assert_eq!(modules[0].enums[0].hash, modules[1].enums[0].hash);
    assert!(matches!(modules[0].interfaces[0].operations[0].result, Some(Type::Struct(_))));
}

#[test]
fn files_are_read_once_and_found_beside_the_includer_or_on_the_path() {
    let files = [
        (
            "main.idl",
            "#include \"sub/a.idl\"\n#include \"b.idl\"\nmodule m { struct S { a::A a; b::B b; }; };",
        ),
        (
            "sub/a.idl",
            "#include \"../shared.idl\"\n#include \"c.idl\"\nmodule a { typedef shared::Point A; };",
        ),
        ("sub/c.idl", "#include \"./../shared.idl\"\nmodule c {};"),
        ("lib/b.idl", "#include \"../shared.idl\"\nmodule b { typedef shared::Kind B; };"),
        // Whichever of its names is used first.
        ("shared.idl", SHARED),
        ("sub/../shared.idl", SHARED),
        ("lib/../shared.idl", SHARED),
    ];
    let modules = build(&files).unwrap_or_else(|shown| panic!("{shown}"));
    assert_eq!(modules.len(), 1);
    assert_eq!(modules[0].structs[1].fields.len(), 2);
}

#[test]
fn faults_name_their_file_and_how_it_came_in() {
    let files = [
        ("main.idl", "module m { struct S { lung x; }; };\n#include \"a.idl\"\n"),
        ("a.idl", "module a {};\n  #include \"b.idl\"\n#include \"none.idl\"\n"),
        (
            "b.idl",
            "module b {\n  struct T { shirt y; };\n  #include \"a.idl\"\n};\n#include \"b.idl\"\n#pragma x\n",
        ),
    ];
    let shown = build(&files).expect_err("faults");
    let expected = "error[unknown-type]: there is no type `lung`
  --> main.idl:1:23
 1 | module m { struct S { lung x; }; };
   |                       ^^^^ found `lung`, expected a type of this module or of the language
help: did you mean `long`?
6 other faults follow.

error[include]: cannot read none.idl: no such file
  --> a.idl:3:1
 3 | #include \"none.idl\"
   | ^^^^^^^^^^^^^^^^^^^
note: included from main.idl:2:1
help: give its folder with -I

error[unknown-type]: there is no type `shirt`
  --> b.idl:2:14
 2 |   struct T { shirt y; };
   |              ^^^^^ found `shirt`, expected a type of this module or of the language
note: included from a.idl:2:3
note: included from main.idl:2:1
help: did you mean `short`?

error[include-cycle]: a.idl includes itself
  --> b.idl:3:3
 3 |   #include \"a.idl\"
   |   ^^^^^^^^^^^^^^^^
note: a.idl includes b.idl includes a.idl
note: included from a.idl:2:3
note: included from main.idl:2:1

error[include-place]: files are included before or behind modules, not within them
  --> b.idl:3:3
 3 |   #include \"a.idl\"
   |   ^^^^^^^^^^^^^^^^
note: included from a.idl:2:3
note: included from main.idl:2:1

error[include-cycle]: b.idl includes itself
  --> b.idl:5:1
 5 | #include \"b.idl\"
   | ^^^^^^^^^^^^^^^^
note: b.idl includes b.idl
note: included from a.idl:2:3
note: included from main.idl:2:1

not supported yet[preprocessor]: preprocessor lines other than `#include`
  --> b.idl:6:1
 6 | #pragma x
   | ^^^^^^^^^
note: included from a.idl:2:3
note: included from main.idl:2:1
help: leave it out; constants are `const unsigned long N = 8;`
";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn what_is_included_is_bounded() {
    let names: Vec<String> = (0..300).map(|n| format!("f{n}.idl")).collect();
    let chain: Vec<String> = (1..=300).map(|n| format!("#include \"f{n}.idl\"\nmodule m{n} {{}};")).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(chain.iter().map(String::as_str)).collect();
    files.push(("main.idl", "#include \"f0.idl\"\nmodule m {};"));
    let shown = build(&files).expect_err("too deep");
    assert!(shown.contains("error[too-many-files]: too much is included"), "{shown}");
    assert!(shown.contains("expected at most 16 files that include each other"), "{shown}");
    let wide: String = names.iter().map(|name| format!("#include \"{name}\"\n")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    files.push(("main.idl", &wide));
    let shown = build(&files).expect_err("too many");
    assert!(shown.contains("expected at most 256 files"), "{shown}");
    let large = format!("module a {{}};\n{}", " ".repeat(1 << 20));
    let shown =
        build(&[("main.idl", "#include \"a.idl\"\nmodule m {};"), ("a.idl", &large)]).expect_err("too large");
    assert!(shown.contains("error[file-size]: a.idl is too large"), "{shown}");
    assert!(shown.contains("expected at most 1048576"), "{shown}");
    let part = " ".repeat(1 << 20);
    let wide: String = names[..5].iter().map(|name| format!("#include \"{name}\"\n")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), part.as_str())).collect();
    files.push(("main.idl", &wide));
    let shown = build(&files).expect_err("too much");
    assert!(shown.contains("expected at most 4194304 bytes"), "{shown}");
}

#[test]
fn a_file_that_ships_is_there_unless_another_of_its_name_is() {
    let main = "#include \"carnet/memory.idl\"
        #include \"deep/twice.idl\"
        module m { interface I { @reads long long sum(in carnet::Memory of); }; };";
    let twice = ("deep/twice.idl", "#include \"carnet/memory.idl\"\nmodule twice {};");
    let module = build(&[("main.idl", main), twice]).expect("no faults").remove(0);
    let shipped = carnet_idl::compile_str("memory.idl", carnet_idl::MEMORY_IDL).expect("no faults");
    let memory = module.interface("::carnet::Memory").expect("it is used").index();
    assert_eq!(module.interfaces[memory].hash, shipped.interfaces[0].hash);
    let layouts = shipped.interfaces[0].operations.iter().map(|operation| operation.layout.short);
    assert_eq!(layouts.collect::<Vec<_>>(), [Some(Short::Words), Some(Short::Out(2))]);
    let own = ("lib/carnet/memory.idl", "module carnet { interface Memory {}; };");
    let module = build(&[("main.idl", main), twice, own]).expect("no faults").remove(0);
    let memory = module.interface("::carnet::Memory").expect("it is used").index();
    assert_eq!(module.interfaces[memory].operations.len(), 0);
    let named =
        Sources::load_with(Path::new("carnet/memory.idl"), &[], &|_| Err(missing())).expect("it ships");
    assert_eq!(compile(&named).map(|modules| modules[0].name.clone()), Ok("carnet".to_owned()));
    let (text, rendered) = ("#include \"carnet/other.idl\"\nmodule m {};", "cannot read carnet/other.idl");
    assert!(build(&[("main.idl", text)]).expect_err("there is none").contains(rendered));
}

#[test]
fn a_build_script_watches_no_file_that_ships() {
    let text =
        "#include \"carnet/memory.idl\"\nmodule m { interface I { void put(in carnet::Memory of); }; };";
    let read = |path: &Path| {
        if path == Path::new("main.idl") { Ok(text.to_owned()) } else { Err(missing()) }
    };
    let sources = Sources::load_with(Path::new("main.idl"), &[], &read).expect("main.idl");
    assert_eq!(sources.names().collect::<Vec<_>>(), ["main.idl"]);
    assert_eq!(compile(&sources).map(|modules| modules.len()), Ok(1));
}
