//! `carnet java`: what it says of class files, and how it ends.

mod support;

use std::io::Write as _;
use std::process::Command;

use carnet_classes::library::installed_jdk;
use carnet_fuzz::classes::assemble::assemble;
use carnet_fuzz::java_programs::javac;
use serde_json::{Value, json};
use support::{Place, skip};

/// A folder with a class that is right, one that is wrong, and a jar with both.
fn place() -> Place {
    let place = Place::new();
    let good = assemble(include_str!("../../fuzz/src/classes/seed.class.txt")).expect("a class");
    let bad = "class a/Bad extends Seed\nmethod f (I)V static\n  stack 1 locals 1\n  aload_0\n  return\n";
    let bad = assemble(bad).expect("a class");
    place.write("out/Seed.class", &good);
    place.write("out/a/Bad.class", &bad);
    place.write("none.class", b"no class");
    let mut jar = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in [("Seed.class", &good), ("a/Bad.class", &bad), ("a/Moved.class", &good)] {
        jar.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        jar.write_all(bytes).expect("its bytes");
    }
    place.write("both.jar", jar.finish().expect("a jar").get_ref());
    place
}

/// Exit code, standard output and standard error.
fn said(place: &Place, words: &[&str]) -> (i32, String, String) {
    let output = place.carnet(words);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

const FAULT: &str = "error[local-type] a/Bad: method f(I)V at 0 aload_0: found int in local variable 0, expected a \
                     reference (JVMS 4.10.1.7)";

#[test]
fn verify() {
    if installed_jdk().is_none() {
        return skip("there is no JDK");
    }
    let place = place();
    let (exit, out, err) = said(&place, &["java", "verify", "out/Seed.class"]);
    assert_eq!((exit, out.as_str(), err.as_str()), (0, "ok: out/Seed.class, 1 class, 2 methods\n", ""));
    // Its superclass is found beside it, by its name.
    let (exit, out, err) =
        said(&place, &["java", "verify", "out/a/Bad.class", "out/Seed.class", "none.class"]);
    assert_eq!((exit, out.as_str()), (3, "ok: out/Seed.class, 1 class, 2 methods\n"));
    let none = "error: none.class: not a class file: it does not begin with 0xCAFEBABE\n  --> none.class\n";
    assert_eq!(err, format!("{FAULT}\n  --> out/a/Bad.class\n{none}"));
    let (exit, _, err) = said(&place, &["java", "verify", "both.jar"]);
    assert_eq!(exit, 3);
    let moved = "error: a/Moved.class contains Seed, expected a/Moved\n  --> both.jar\n";
    assert_eq!(err, format!("{FAULT}\n  --> both.jar\n{moved}"));

    let (exit, out, _) = said(&place, &["java", "verify", "out/a/Bad.class", "--json"]);
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    let fault = &answer["files"][0]["classes"][0]["faults"][0];
    assert_eq!((exit, &answer["exit"], &answer["files"][0]["ok"]), (3, &json!(3), &json!(false)));
    assert_eq!(fault["rule"], "local-type");
    assert_eq!(fault["place"], "method f(I)V at 0 aload_0");
    assert_eq!(
        (&fault["found"], &fault["expected"]),
        (&json!("int in local variable 0"), &json!("a reference"))
    );
    assert_eq!(fault["message"], FAULT);
}

#[test]
fn verify_as_an_applet() {
    if installed_jdk().is_none() {
        return skip("there is no JDK");
    }
    let place = place();
    let applet = "class Applet extends java/lang/Object\nmethod doTx (I)I static\n  stack 1 locals 1\n  iload_0\n  ireturn\n";
    place.write("out/Applet.class", &assemble(applet).expect("a class"));
    let words = ["java", "verify", "out/Applet.class", "out/Seed.class", "out/a/Bad.class"];
    let (exit, out, err) = said(&place, &[&words[..], &["--profile", "applet"]].concat());
    assert_eq!((exit, out.as_str()), (3, "ok: out/Applet.class, 1 class, 1 method\n"));
    let beyond = "not in the profile[applet-type] Seed: method sum(I[J)J: found [J, expected byte, short, int, or an array of one of \
                  these (JIVE 3.1)\n  --> out/Seed.class\n";
    assert!(err.starts_with(beyond), "{err}");
    // What the verifier rejects is told as ever.
    assert!(err.ends_with(&format!("{FAULT}\n  --> out/a/Bad.class\n")), "{err}");
}

#[test]
fn what_cannot_be_verified() {
    let place = place();
    let (exit, _, err) = said(&place, &["java", "verify", "out/Seed.class", "--jdk", "out"]);
    assert_eq!(exit, 2);
    assert!(err.starts_with("error: cannot look for classes in out/lib/modules: No such file"), "{err}");
    if installed_jdk().is_none() {
        return skip("there is no JDK");
    }
    let (exit, _, err) = said(&place, &["java", "verify", "out/Sead.class"]);
    assert_eq!(
        (exit, err.as_str()),
        (2, "error: there is no class file out/Sead.class\ndid you mean out/Seed.class?\n")
    );
    place.write("none.jar", b"no jar");
    let (exit, _, err) = said(&place, &["java", "verify", "none.jar"]);
    assert_eq!(exit, 2);
    assert!(err.starts_with("error: cannot look for classes in none.jar: not a jar: "), "{err}");
}

#[test]
fn inspect() {
    let place = place();
    let (exit, out, _) = said(&place, &["java", "inspect", "out/Seed.class"]);
    let expected = "\
public class Seed extends java/lang/Object
  version 61.0, 222 bytes, 12 constants

  method public <init>()V
    stack 1, locals 1
        0: aload_0
        1: invokespecial java/lang/Object.<init>()V
        4: return

  method public static sum(I[J)J
    stack 6, locals 5
        0: lconst_0
        1: lstore 2
        3: iconst_0
        4: istore 4
        6: iload 4
        8: iload_0
        9: if_icmpge 27
       12: lload 2
       14: aload_1
       15: iload 4
       17: laload
       18: ladd
       19: lstore 2
       21: iinc 4 1
       24: goto 6
       27: lload 2
       29: lreturn
";
    assert_eq!((exit, out.as_str()), (0, expected));
    let (exit, out, _) = said(&place, &["java", "inspect", "out/a/Bad.class", "--json"]);
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((exit, &answer["class"], &answer["super"]), (0, &json!("a/Bad"), &json!("Seed")));
    assert_eq!(answer["methods"][0]["code"][0], json!({ "at": 0, "text": "aload_0" }));
    let (exit, _, err) = said(&place, &["java", "inspect", "none.class"]);
    assert_eq!(
        (exit, err.as_str()),
        (3, "error: none.class: not a class file: it does not begin with 0xCAFEBABE\n")
    );
}

#[test]
fn a_program_runs_from_source_class_and_jar() {
    if installed_jdk().is_none() {
        return skip("there is no JDK");
    }
    let place = Place::new();
    place.write("Count.java", include_bytes!("../../examples/java/Count.java"));
    let expected = (0, "{a=2, b=1}\n".to_owned(), String::new());
    assert_eq!(said(&place, &["java", "run", "Count.java", "a", "b", "a"]), expected);

    let compiled = std::process::Command::new("javac")
        .arg("-d")
        .arg(place.path("out"))
        .arg(place.path("Count.java"))
        .status();
    assert!(compiled.expect("javac starts").success());
    assert_eq!(said(&place, &["java", "run", "out/Count.class", "a", "b", "a"]), expected);

    let mut jar = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let class = std::fs::read(place.path("out/Count.class")).expect("the class");
    // A line of a manifest that goes on in the next.
    let manifest = b"Manifest-Version: 1.0\r\nMain-Class: Cou\r\n nt\r\n";
    for (name, bytes) in [("META-INF/MANIFEST.MF", &manifest[..]), ("Count.class", &class)] {
        jar.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
        jar.write_all(bytes).expect("its bytes");
    }
    place.write("count.jar", jar.finish().expect("a jar").get_ref());
    assert_eq!(said(&place, &["java", "run", "count.jar", "a", "b", "a"]), expected);
}

/// Where a class, its package and all others are said to check assertions, and a loader is told otherwise: as with `java`.
#[test]
fn assertions_are_checked_where_java_checks_them() {
    let place = Place::new();
    let source = "package a.b; public class Checks { \n\
                  static class In { static boolean is() { boolean is = false; assert is = true; return is; } }\n\
                  public static void main(String[] words) throws Exception { boolean is = false; assert is = true;\n\
                  for (var of : new Class<?>[] {Checks.class, Out.class, Out[].class, String.class, int.class})\n\
                  System.out.println(of + \" \" + of.desiredAssertionStatus());\n\
                  System.out.println(is + \" \" + In.is() + \" \" + Class.forName(\"Top\").desiredAssertionStatus());\n\
                  ClassLoader.getSystemClassLoader().setClassAssertionStatus(\"a.b.Other\", true);\n\
                  for (var of : new Class<?>[] {Checks.class, Out.class, Out[].class, String.class, Class.forName(\"Top\")})\n\
                  System.out.println(of + \" \" + of.desiredAssertionStatus()); assert !is : \"checked\"; } }\n\
                  class Out {}\n";
    place.write("a/b/Checks.java", source.as_bytes());
    place.write("Top.java", b"class Top {}");
    if !javac(&place.path("."), &["a/b/Checks.java", "Top.java"]) {
        return skip("there is no JDK");
    }
    let java = installed_jdk().expect("a JDK").join("bin/java");
    for (enabled, disabled) in [
        (&[][..], &[][..]),
        (&[""], &[]),
        (&["", "a.b.Out"], &["a.b..."]),
        (&["a...", "..."], &["a.b.Checks"]),
        (&["a.b.Checks", "a.b.Checks$In"], &["a..."]),
        (&["a..."], &["a.b..."]),
        (&["a.b..."], &["a..."]),
        (&["b...", "Checks", "a"], &[]),
        (&[""], &["a.b.Checks$In", "a.b.Out", "..."]),
    ] {
        let places = |places: &[&str], option: &str, sign: &str| {
            let of = |place: &&str| {
                if place.is_empty() { option.to_owned() } else { format!("{option}{sign}{place}") }
            };
            places.iter().map(of).collect::<Vec<_>>()
        };
        let (ours, theirs) = (
            [places(enabled, "--enable-assertions", "="), places(disabled, "--disable-assertions", "=")]
                .concat(),
            [places(enabled, "-ea", ":"), places(disabled, "-da", ":")].concat(),
        );
        let expected = Command::new(&java)
            .args(theirs)
            .arg("-cp")
            .arg(place.path("."))
            .arg("a.b.Checks")
            .output()
            .expect("java runs");
        let mut words = vec!["java", "run"];
        words.extend(ours.iter().map(String::as_str));
        words.push("a/b/Checks.class");
        let found = place.carnet(&words);
        let texts = |output: &std::process::Output| {
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        };
        assert_eq!(
            (found.status.code(), texts(&found)),
            (expected.status.code(), texts(&expected)),
            "{ours:?}"
        );
    }
}

#[test]
fn a_program_that_comes_to_a_limit_is_ended_and_cannot_catch_it() {
    if installed_jdk().is_none() {
        return skip("there is no JDK");
    }
    let place = Place::new();
    let endless = "public class Endless { public static void main(String[] words) {\n\
                   while (true) { try { while (true) {} } catch (Throwable all) { } finally { System.out.println(\"seen\"); } } } }\n";
    place.write("Endless.java", endless.as_bytes());
    let ended = |limit: &str| {
        (4, String::new(), format!("error: the program was ended: the limit of {limit} is reached\n"))
    };
    assert_eq!(
        said(&place, &["java", "run", "--instructions", "1000000", "Endless.java"]),
        ended("1000000 instructions")
    );
    assert_eq!(
        said(&place, &["java", "run", "--cpu-time", "100ms", "Endless.java"]),
        ended("100 ms of processor time")
    );
    let sleeping = "public class Sleeping { public static void main(String[] words) throws Exception {\n\
                    while (true) { try { Thread.sleep(1_000_000); } catch (Throwable all) { } finally { System.out.println(\"seen\"); } } } }\n";
    place.write("Sleeping.java", sleeping.as_bytes());
    assert_eq!(said(&place, &["java", "run", "--time", "100ms", "Sleeping.java"]), ended("100 ms"));
}

#[test]
fn memory_that_the_machine_does_not_have_is_an_error_that_can_be_caught() {
    let place = Place::new();
    let full = "public class Full { public static void main(String[] words) {\n\
                Object[] kept = new Object[1 << 16];\n\
                try { for (int at = 0;; at++) { kept[at] = new byte[8 << 20]; } }\n\
                catch (OutOfMemoryError error) { kept = null; System.out.println(error.getMessage()); } } }\n";
    place.write("Full.java", full.as_bytes());
    if !javac(&place.path("."), &["Full.java"]) {
        return;
    }
    // So many KiB of addresses in all.
    let script = "ulimit -v 1500000; exec \"$0\" java run --heap 4GiB Full.class";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_carnet")])
        .current_dir(place.path("."))
        .output()
        .expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Java heap space\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn limits_that_cannot_be_are_refused() {
    let place = Place::new();
    for (option, value, told) in [
        ("--heap", "0", "`0` is not between 64KiB and 32GiB"),
        ("--heap", "99999GiB", "`99999GiB` is not between 64KiB and 32GiB"),
        ("--heap", "1TiB", "`1TiB` is no size; write 64KiB, 64MiB or 1GiB"),
        ("--classes", "0", "`0` is not between 64KiB and 18446744073709551615"),
        ("--time", "long", "`long` is no time; write 500ms or 10s"),
        ("--cpu-time", "0s", "`0s` is no time; write 500ms or 10s"),
        ("--instructions", "0", "`0` is not between 1 and 18446744073709551615"),
        ("--threads", "0", "`0` is not between 1 and 4294967295"),
        ("--depth", "0", "`0` is not between 64 and 4294967295"),
    ] {
        let (exit, out, err) = said(&place, &["java", "run", option, value, "None.class"]);
        assert_eq!((exit, &*out, err), (2, "", format!("error: {option}: {told}\n")));
    }
}

#[test]
fn what_cannot_be_run_is_told() {
    if installed_jdk().is_none() {
        return skip("there is no JDK");
    }
    let place = place();
    let (exit, out, err) = said(&place, &["java", "run", "none.class"]);
    assert_eq!((exit, &*out), (3, ""));
    assert!(err.starts_with("error: none.class: not a class file"), "{err}");
    let (exit, _, err) = said(&place, &["java", "run", "both.jar"]);
    assert_eq!((exit, &*err), (2, "error: both.jar has no Main-Class in its manifest\n"));
    let (exit, _, err) = said(&place, &["java", "run", "out/Seed.class"]);
    assert_eq!((exit, &*err), (1, "error: class Seed has no method `public static void main(String[])`\n"));
    let seed = assemble(include_str!("../../fuzz/src/classes/seed.class.txt")).expect("a class");
    place.write("Other.class", &seed);
    let (exit, _, err) = said(&place, &["java", "run", "Other.class"]);
    let told = "error: Other.class contains the class Seed, whose file must have its name\n";
    assert_eq!((exit, &*err), (3, told));
    place.write("Wrong.java", b"class Wrong {");
    let (exit, _, err) = said(&place, &["java", "run", "Wrong.java"]);
    assert_eq!(exit, 3);
    assert!(err.ends_with("error: Wrong.java does not compile\n"), "{err}");
    let (exit, _, err) = said(&place, &["java", "run", "Wrnog.java"]);
    assert_eq!((exit, &*err), (2, "error: there is no source file Wrnog.java\ndid you mean Wrong.java?\n"));
}

#[test]
fn names_play_no_tricks_on_a_terminal() {
    if installed_jdk().is_none() {
        return skip("there is no JDK");
    }
    let place = Place::new();
    let name = "\u{1b}[31mred\u{1b}]0;title\u{7}";
    let shown = "\\u{1b}[31mred\\u{1b}]0;title\\u{7}";
    let class = assemble(&format!("class {name} extends java/lang/Object\n")).expect("a class");
    place.write("Other.class", &class);
    let (_, _, err) = said(&place, &["java", "run", "Other.class"]);
    assert_eq!(
        err,
        format!("error: Other.class contains the class {shown}, whose file must have its name\n")
    );
    let jar = |name: &str, of: &[(&str, &[u8])]| {
        let mut jar = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let stored =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (name, bytes) in of {
            jar.start_file(*name, stored).expect("an entry");
            jar.write_all(bytes).expect("its bytes");
        }
        let mut bytes = jar.finish().expect("a jar").into_inner();
        // What does not have the checksum that it should cannot be read.
        if let Some(at) = bytes.windows(5).position(|some| some == b"spoil") {
            bytes[at] ^= 1;
        }
        place.write(name, &bytes);
    };
    jar("spoilt.jar", &[(&format!("{name}.class"), b"spoilt")]);
    let (exit, _, err) = said(&place, &["java", "verify", "spoilt.jar"]);
    assert_eq!(exit, 3);
    assert!(
        err.starts_with(&format!("error: spoilt.jar: {shown}.class: ")) && !err.contains('\u{1b}'),
        "{err:?}"
    );
    jar("main.jar", &[("META-INF/MANIFEST.MF", format!("Main-Class: {name}\n").as_bytes())]);
    let (_, _, err) = said(&place, &["java", "run", "main.jar"]);
    assert!(err.starts_with(&format!("error: cannot run {shown}: ")) && !err.contains('\u{1b}'), "{err:?}");
}

/// Entries of a small jar may be large, and many.
#[test]
fn a_jar_is_verified_up_to_a_size() {
    let place = Place::empty();
    let options = zip::write::SimpleFileOptions::default();
    let mut one = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    one.start_file("A.class", options).expect("an entry");
    one.write_all(&vec![0; 16 << 20]).expect("its bytes");
    let one = one.finish().expect("a jar").into_inner();
    let mut one = zip::ZipArchive::new(std::io::Cursor::new(one)).expect("a jar");
    let mut many = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for at in 10..80 {
        let entry = one.by_index(0).expect("it is there");
        many.raw_copy_file_rename(entry, format!("A{at}.class")).expect("a copy");
    }
    let many = many.finish().expect("a jar").into_inner();
    assert!(many.len() < 4 << 20);
    place.write("many.jar", &many);
    let (exit, _, err) = said(&place, &["java", "verify", "many.jar"]);
    let expected = "error: many.jar: its classes have more than 1024 MiB, up to A74.class\n";
    assert_eq!((exit, &*err), (3, expected));
}
