//! The classes behind `invokedynamic`: each passes the verifier, and HotSpot, linked to them, runs programs as it does with method
//! handles of its own.
//!
//! ```text
//! X.java ─ javac ─► X.class ───────────────────────────────────────────────► java: lines
//!                      ├─ synthetic::site, for each call site ─► sites/*.class     ║ the same
//!                      └─ its bootstrap methods replaced by Linker.link ─────► java: lines
//! ```

use std::path::{Path, PathBuf};
use std::process::Command;

use carnet_classes::class::{ClassFile, Constant, find};
use carnet_classes::library::{Library, installed_jdk};
use carnet_classes::synthetic::concat::{Concat, Literal};
use carnet_classes::synthetic::lambda::Lambda;
use carnet_classes::synthetic::record::{Component, Record, Which};
use carnet_classes::synthetic::switch::{Label, Switch};
use carnet_classes::synthetic::{Handle, Unsupported, concat, lambda, record, site, switch};
use carnet_classes::write::{Owner, Reference, WriteError};
use carnet_classes::{read, verify};
use carnet_fuzz::classes::assemble::assemble;

/// Programs: name of the main class, text, flags of javac, and the least number of call sites.
const PROGRAMS: &[(&str, &str, &[&str], usize)] = &[
    ("Lambdas", include_str!("Lambdas.java"), &[], 85),
    ("Concats", include_str!("Concats.java"), &[], 20),
    ("Concats", include_str!("Concats.java"), &["-XDstringConcat=indy"], 18),
    ("Records", include_str!("Records.java"), &[], 25),
];

/// The folder of the JDK, and its release; or it is said that there is none.
fn jdk() -> Option<(PathBuf, u32)> {
    let Some(jdk) = installed_jdk().filter(|jdk| jdk.join("bin/javac").is_file()) else {
        println!("skipped: no Java compiler is installed (make setup)");
        return None;
    };
    let text = std::fs::read_to_string(jdk.join("release")).expect("a JDK says its release");
    let release = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\"")).expect("a version");
    let digits: String = release.chars().take_while(char::is_ascii_digit).collect();
    Some((jdk, digits.parse().expect("a release")))
}

fn javac(jdk: &Path, folder: &Path, sources: &[(&str, &str)], flags: &[&str]) {
    for (name, text) in sources {
        std::fs::write(folder.join(name).with_extension("java"), text).expect("a source is written");
    }
    let mut javac = Command::new(jdk.join("bin/javac"));
    javac.current_dir(folder).args(["-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-d", "."]).args(flags);
    let output = javac.args(sources.iter().map(|(name, _)| format!("{name}.java"))).output();
    let output = output.expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What a program prints.
fn java(jdk: &Path, class_path: &Path, flags: &[String], main: &str) -> String {
    let mut java = Command::new(jdk.join("bin/java"));
    java.args(["-Xverify:all", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"]).arg(class_path);
    java.args(flags).arg(main);
    let output = java.output().expect("java starts");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{main}: {errors}\n{text}");
    text.into_owned()
}

/// Where each constant begins, and where the pool ends.
fn constants(bytes: &[u8], class: &ClassFile<'_>) -> (Vec<usize>, usize) {
    let (mut offsets, mut at) = (vec![0], 10);
    while offsets.len() < class.pool.count() {
        offsets.push(at);
        at += match bytes[at] {
            1 => 3 + usize::from(u16::from_be_bytes([bytes[at + 1], bytes[at + 2]])),
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            5 | 6 => {
                offsets.push(at);
                9
            }
            _ => 5,
        };
    }
    (offsets, at)
}

/// A class whose call sites are linked by `Linker` to the classes in a folder, which are made here. How many there are is
/// added to `count`.
fn relinked(bytes: &[u8], sites: &Path, count: &mut usize) -> Vec<u8> {
    let class = read(bytes).expect("a class file");
    let (offsets, end) = constants(bytes, &class);
    let (mut out, mut more, mut next) = (bytes.to_vec(), Vec::new(), class.pool.count() as u16);
    let mut add = |parts: &[&[u8]]| {
        more.extend(parts.concat());
        next += 1;
        (next - 1).to_be_bytes()
    };
    let utf8 = |text: &str| [&[1][..], &(text.len() as u16).to_be_bytes(), text.as_bytes()].concat();
    let (linker, link) = (add(&[&utf8("Linker")]), add(&[&utf8("link")]));
    let ty = add(&[&utf8(
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;[Ljava/lang/Object;)\
         Ljava/lang/invoke/CallSite;",
    )]);
    let (linker, link) = (add(&[&[7], &linker]), add(&[&[12], &link, &ty]));
    let method = add(&[&[10], &linker, &link]);
    let handle = add(&[&[15, 6], &method]);
    let Some(table) = find(&class.attributes, &class.pool, "BootstrapMethods") else { return out };
    let table_at = table.as_ptr() as usize - bytes.as_ptr() as usize;
    for (at, constant) in class.pool.iter() {
        let Constant::InvokeDynamic(computed) = constant else { continue };
        let name = format!("{}$$site{}", String::from_utf8_lossy(class.name()), at.0);
        let made = site(&class, at, name.as_bytes()).unwrap_or_else(|why| panic!("{name}: {why}"));
        std::fs::write(sites.join(&name).with_extension("class"), made).expect("a class is written");
        *count += 1;
        // The name of the call site becomes that of its class.
        let Constant::NameAndType { descriptor, .. } = class.pool.get(computed.name_and_type) else {
            panic!("a call site without a type");
        };
        let name = add(&[&utf8(&name)]);
        let name_and_type = add(&[&[12], &name, &descriptor.0.to_be_bytes()]);
        let constant = offsets[usize::from(at.0)] + 3;
        out[constant..constant + 2].copy_from_slice(&name_and_type);
        let mut row = 2;
        for _ in 0..computed.bootstrap {
            row += 4 + 2 * usize::from(u16::from_be_bytes([table[row + 2], table[row + 3]]));
        }
        out[table_at + row..table_at + row + 2].copy_from_slice(&handle);
    }
    out[8..10].copy_from_slice(&next.to_be_bytes());
    out.splice(end..end, more);
    out
}

/// All class files in a folder.
fn class_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "class")).collect()
}

fn verified(jdk: &Path, class_path: Vec<PathBuf>, classes: &[Vec<u8>]) {
    let library = Library::open(Some(jdk), &class_path).expect("a library");
    for bytes in classes {
        let class = read(bytes).expect("a class file");
        if let Err(faults) = verify(&class, &library) {
            panic!("{}\n{}", faults[0], carnet_classes::listing::text(&class));
        }
    }
}

/// Runs a program with the JDK's call sites and with ours.
fn compare(jdk: &Path, main: &str, text: &str, flags: &[&str]) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (plain, linked, sites) = (folder.join("plain"), folder.join("linked"), folder.join("sites"));
    for folder in [&plain, &linked, &sites] {
        std::fs::create_dir(folder).expect("a folder is made");
    }
    javac(jdk, &plain, &[(main, text), ("Linker", include_str!("Linker.java"))], flags);
    let mut count = 0;
    for path in class_files(&plain) {
        let (mut bytes, name) =
            (std::fs::read(&path).expect("a class file"), path.file_name().expect("a name"));
        if name != "Linker.class" {
            bytes = relinked(&bytes, &sites, &mut count);
        }
        std::fs::write(linked.join(name), bytes).expect("a class is written");
    }
    let made: Vec<_> = class_files(&sites).iter().map(|path| std::fs::read(path).expect("a class")).collect();
    verified(jdk, vec![plain.clone()], &made);
    let expected = java(jdk, &plain, &[], main);
    let found = java(jdk, &linked, &[format!("-Dsites={}", sites.display())], main);
    assert_eq!(found, expected, "{main} {flags:?}");
    println!("{main} {flags:?}: {count} call sites, {} lines", expected.lines().count());
    count
}

#[test]
fn programs_run_as_with_method_handles() {
    let Some((jdk, _)) = jdk() else { return };
    for (main, text, flags, least) in PROGRAMS {
        assert!(compare(&jdk, main, text, flags) >= *least, "{main}: fewer call sites");
    }
}

#[test]
#[ignore = "the language of Java 21: needs JAVA_HOME of such a JDK"]
fn switches_run_as_with_method_handles() {
    let Some((jdk, release)) = jdk() else { return };
    if release < 21 {
        println!("skipped: the installed compiler is of Java {release}");
        return;
    }
    assert!(compare(&jdk, "Switches", include_str!("Switches.java"), &[]) >= 16);
}

/// As much as HotSpot links: 250 parameters, 150 components, 200 operands; and many captures of two slots.
#[test]
fn large_call_sites_run_as_with_method_handles() {
    let Some((jdk, _)) = jdk() else { return };
    let list =
        |count: usize, each: &dyn Fn(usize) -> String| (0..count).map(each).collect::<Vec<_>>().join(", ");
    let sum = |count: usize| (0..count).map(|at| format!("p{at}")).collect::<Vec<_>>().join(" + ");
    let text = format!(
        "public class Large {{
            interface Many {{ long of({}); }}
            interface Boxed<T> {{ long of({}); }}
            record Wide({}) {{}}
            static String join({}) {{ return \"\" + {}; }}
            static java.util.function.LongSupplier captures({}) {{ return () -> {}; }}
            public static void main(String[] arguments) {{
                Many many = ({}) -> {};
                System.out.println(many.of({}));
                Boxed<Integer> boxed = ({}) -> {};
                System.out.println(boxed.of({}));
                Wide wide = new Wide({}), other = new Wide({});
                System.out.println(wide + \" \" + wide.hashCode() + wide.equals(other));
                System.out.println(join({}));
                System.out.println(captures({}).getAsLong());
            }}
        }}",
        list(250, &|at| format!("int p{at}")),
        list(250, &|at| format!("T p{at}")),
        list(150, &|at| format!("{} c{at}", ["int", "double", "String"][at % 3])),
        list(200, &|at| format!("int p{at}")),
        (0..200).map(|at| format!("p{at}")).collect::<Vec<_>>().join(" + \"/\" + "),
        list(120, &|at| format!("long p{at}")),
        sum(120),
        list(250, &|at| format!("p{at}")),
        sum(250),
        list(250, &|at| at.to_string()),
        list(250, &|at| format!("p{at}")),
        sum(250),
        list(250, &|at| at.to_string()),
        list(150, &|at| [at.to_string(), format!("{at}.5"), format!("\"s{at}\"")][at % 3].clone()),
        list(150, &|at| [at.to_string(), format!("{at}.5"), format!("\"s{at}\"")][at % 3].clone()),
        list(200, &|at| at.to_string()),
        list(120, &|at| format!("{at}L << 32")),
    );
    compare(&jdk, "Large", &text, &[]);
}

#[test]
fn labels_are_told_as_by_the_jdk() {
    let Some((jdk, _)) = jdk() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (text, linker) = (include_str!("Labels.java"), include_str!("Linker.java"));
    javac(&jdk, folder.path(), &[("Labels", text), ("Linker", linker)], &[]);
    let sites = folder.path().join("sites");
    std::fs::create_dir(&sites).expect("a folder is made");
    let object = &b"(Ljava/lang/Object;I)I"[..];
    let color = b"Labels$Color";
    let all: [(&[u8], &[u8], &[Label<'_>]); 3] = [
        (
            b"Types",
            object,
            &[
                Label::Class(b"java/lang/String"),
                Label::Text(b"text"),
                Label::Int(120),
                Label::Class(b"java/lang/Integer"),
                Label::Class(b"[I"),
                Label::Class(b"java/lang/CharSequence"),
            ],
        ),
        (
            b"Texts",
            object,
            &[
                Label::Text(b"a"),
                Label::Text(b""),
                Label::Text(b"a"),
                Label::Int(65_536),
                Label::Int(-1),
                Label::Class(b"java/lang/String"),
            ],
        ),
        (
            b"Names",
            b"(LLabels$Color;I)I",
            &[
                Label::Enum(color, b"BLUE"),
                Label::Enum(color, b"GREEN"),
                Label::Class(color),
                Label::Enum(color, b"RED"),
            ],
        ),
    ];
    let made = all.map(|(name, descriptor, labels)| {
        let bytes = switch(&Switch { name, descriptor, labels }).expect("a class");
        let file = sites.join(String::from_utf8_lossy(name).as_ref()).with_extension("class");
        std::fs::write(file, &bytes).expect("a class is written");
        bytes
    });
    verified(&jdk, vec![folder.path().to_owned()], &made);
    let expected = java(&jdk, folder.path(), &[], "Labels");
    let found = java(&jdk, folder.path(), &[format!("-Dsites={}", sites.display())], "Labels");
    assert_eq!(found, expected);
}

const HOST: &[u8] = b"Host";

fn of_host<'a>(kind: u8, name: &'a str, descriptor: &'a str) -> Handle<'a> {
    Handle { kind, member: Reference::new("Host", name, descriptor), owner: Owner::Class }
}

fn static_lambda<'a>(factory: &'a [u8], erased: &'a [u8], descriptor: &'a str) -> Lambda<'a> {
    Lambda {
        name: b"Host$$1",
        host: HOST,
        factory,
        method: b"of",
        erased,
        implementation: of_host(6, "body", descriptor),
        instantiated: erased,
        markers: &[],
        bridges: &[],
    }
}

/// The bounds of class files themselves; method handles have closer ones.
#[test]
fn the_largest_call_sites_are_verified() {
    let Some((jdk, _)) = jdk() else { return };
    let ints = "I".repeat(254);
    let (erased, longs) = (format!("({ints})I"), format!("({})Ljava/lang/Runnable;", "J".repeat(127)));
    let body = format!("({})V", "J".repeat(127));
    let components: Vec<_> = (0..4000).map(|at| format!("c{at}")).collect();
    let components: Vec<_> =
        components.iter().map(|name| Component { name: name.as_bytes(), descriptor: b"D" }).collect();
    let record_of = |which, components: &[Component<'_>]| {
        record(&Record { name: b"R$$1", which, class: b"R", simple_name: b"R", components })
    };
    let operands = format!("({})Ljava/lang/Object;", "[C".repeat(255));
    let literals = [
        Literal::Text(b"\x01\x02"),
        Literal::Int(-1),
        Literal::Long(7),
        Literal::Float(1.5),
        Literal::Double(-0.0),
        Literal::Class(b"[I"),
    ];
    let concat_of = |recipe: Option<&[u8]>, constants: &[Literal<'_>], descriptor: &[u8]| {
        concat(&Concat { name: b"Host$$1", recipe, constants, descriptor })
    };
    let made = [
        lambda(&static_lambda(b"()Ljava/lang/Runnable;", erased.as_bytes(), &erased)),
        lambda(&static_lambda(longs.as_bytes(), b"()V", &body)),
        record_of(Which::ToString, &components),
        record_of(Which::HashCode, &components),
        record_of(Which::Equals, &components[..3000]),
        record_of(Which::Equals, &[]),
        concat_of(None, &[], operands.as_bytes()),
        concat_of(Some(b""), &[], b"()Ljava/lang/CharSequence;"),
        concat_of(Some(b"\x02a\x02\x02b\x02\x02c\x02"), &literals, b"()Ljava/lang/String;"),
    ];
    let made: Vec<_> = made.into_iter().collect::<Result<_, _>>().expect("classes");
    verified(&jdk, Vec::new(), &made);
    let error = record_of(Which::Equals, &components).expect_err("too much");
    assert_eq!(error, WriteError::Limit("65535 bytes of code").into());
    // With `this`, there are 256.
    let (ints, captures) = (format!("({}I)V", "I".repeat(254)), "J".repeat(127));
    let (longs, body) = (format!("({captures}I)Ljava/lang/Runnable;"), format!("({captures}I)V"));
    for of in [
        static_lambda(b"()Ljava/lang/Runnable;", ints.as_bytes(), &ints),
        static_lambda(longs.as_bytes(), b"()V", &body),
    ] {
        let error = lambda(&of).expect_err("too much");
        assert_eq!(error, WriteError::Limit("255 slots of arguments").into());
    }
}

#[test]
fn call_sites_that_make_no_sense_are_refused() {
    let of = |factory: &[u8], erased: &[u8], descriptor: &str| {
        lambda(&static_lambda(factory, erased, descriptor)).map(drop)
    };
    let conversion =
        |from: &str, to: &str| Err(Unsupported::Conversion { from: from.to_owned(), to: to.to_owned() });
    let descriptor = |text: &str| Err(WriteError::Descriptor(text.to_owned()).into());
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"(I)I", "(I)I"), Ok(()));
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"(J)I", "(I)I"), conversion("J", "I"));
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"(B)I", "(C)I"), conversion("B", "C"));
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"(Z)I", "(I)I"), conversion("Z", "I"));
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"(Ljava/lang/Long;)V", "(I)V"), conversion("J", "I"));
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"(I)I", "(I)V"), conversion("V", "I"));
    assert_eq!(
        of(b"()Ljava/lang/Runnable;", b"(I)I", "(II)I"),
        Err(Unsupported::Arity { found: 1, expected: 2 })
    );
    assert_eq!(
        of(b"()I", b"(I)I", "(I)I").map_err(|e| e.to_string()),
        Err("I for the interface of a lambda".into())
    );
    assert_eq!(of(b"()Ljava/lang/Runnable", b"(I)I", "(I)I"), descriptor("()Ljava/lang/Runnable"));
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"I", "(I)I"), descriptor("I"));
    assert_eq!(of(b"()Ljava/lang/Runnable;", b"(I)I", "(Q)I"), descriptor("(Q)I"));
    for (kind, class) in [(0, "Host"), (1, "Host"), (4, "Host"), (7, "Above"), (9, "Host"), (10, "Host")] {
        let member = Reference::new(class, "body", "(I)I");
        let implementation = Handle { kind, member, owner: Owner::Class };
        let error =
            lambda(&Lambda { implementation, ..static_lambda(b"()Ljava/lang/Runnable;", b"(I)I", "(I)I") });
        let expected = format!(
            "a handle of kind {kind} of {class}.body(I)I for a method or constructor that implements a lambda"
        );
        assert_eq!(error.map_err(|error| error.to_string()), Err(expected));
    }
    let of = |recipe: &[u8], constants: &[Literal<'_>], descriptor: &[u8]| {
        concat(&Concat { name: b"A", recipe: Some(recipe), constants, descriptor }).map(drop)
    };
    let arity = |found, expected| Err(Unsupported::Arity { found, expected });
    assert_eq!(of(b"\x01", &[], b"()Ljava/lang/String;"), arity(0, 1));
    assert_eq!(of(b"", &[], b"(I)Ljava/lang/String;"), arity(1, 0));
    assert_eq!(of(b"\x02", &[], b"()Ljava/lang/String;"), arity(0, 1));
    assert!(of(b"", &[], b"()V").is_err() && of(b"", &[], b"").is_err());
    for descriptor in [&b"(I)I"[..], b"(II)I", b"(Ljava/lang/Object;I)V", b"(Ljava/lang/Object;II)I", b""] {
        assert!(switch(&Switch { name: b"A", descriptor, labels: &[] }).is_err(), "{descriptor:?}");
    }
}

/// What is said of a call site whose one bootstrap method is of a class, with arguments. The attribute is the last thing in
/// what is assembled, and its handle was made up.
fn said(bootstrap: &str, arguments: &[u16]) -> String {
    let text = format!(
        "class A\nmethod f ()V static\n  stack 1 locals 0\n  ldc handle 6 {bootstrap}()V\n  pop\n  \
         invokedynamic run ()Ljava/lang/Runnable;\n  pop\n  return\n"
    );
    let mut bytes = assemble(&text).expect("the class");
    let class = read(&bytes).expect("a class file");
    let constant = |kind| class.pool.iter().find(|(_, constant)| constant.kind() == kind).expect("one").0;
    let (handle, at) = (constant("MethodHandle"), constant("InvokeDynamic"));
    let content = bytes.len() - 6;
    bytes[content - 4..content].copy_from_slice(&(6 + 2 * arguments.len() as u32).to_be_bytes());
    bytes[content + 2..content + 4].copy_from_slice(&handle.0.to_be_bytes());
    bytes[content + 4..].copy_from_slice(&(arguments.len() as u16).to_be_bytes());
    bytes.extend(arguments.iter().flat_map(|argument| argument.to_be_bytes()));
    let class = read(&bytes).expect("a class file");
    assert!(
        site(&class, handle, b"A$$1").is_err_and(|why| why.to_string() == "MethodHandle for InvokeDynamic")
    );
    site(&class, at, b"A$$1").expect_err("no class").to_string()
}

#[test]
fn arguments_of_bootstrap_methods_are_looked_at() {
    let alt = "java/lang/invoke/LambdaMetafactory.altMetafactory";
    assert_eq!(said("Own.bootstrap", &[]), "the bootstrap method Own.bootstrap");
    assert_eq!(said(alt, &[]), "no constant for a MethodType");
    assert_eq!(said(alt, &[1; 4]), "Utf8 for an Integer");
    assert_eq!(said(alt, &[1; 257]), "257 arguments for at most 256 of a bootstrap method");
    let concat = "java/lang/invoke/StringConcatFactory.makeConcatWithConstants";
    assert_eq!(said(concat, &[1]), "Utf8 for a String");
    let record = "java/lang/runtime/ObjectMethods.bootstrap";
    assert_eq!(said(record, &[]), "run for a method of ObjectMethods");
    let switch = "java/lang/runtime/SwitchBootstraps.typeSwitch";
    assert_eq!(said(switch, &[]), "()Ljava/lang/Runnable; for the descriptor of a switch");
    assert_eq!(said(switch, &[1]), "Utf8 for a String");
}
