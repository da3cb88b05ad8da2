//! Classes by name: out of folders, jars and the JDK; and what is told of those that cannot be had.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use carnet_classes::hierarchy::Hierarchy as _;
use carnet_classes::library::{Image, Jar, Library, installed_jdk};
use carnet_classes::read::BYTES_MAX;
use carnet_fuzz::classes::assemble::assemble;
use zip::write::SimpleFileOptions;

fn class(name: &str) -> Vec<u8> {
    assemble(&format!("class {name} extends java/lang/Object\n")).expect("a class")
}

fn jar(path: &Path, entries: &[(&str, &[u8])]) {
    let mut writer = zip::ZipWriter::new(std::fs::File::create(path).expect("a file"));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("a jar");
}

fn why(library: &Library, name: &str) -> String {
    library.outline(name.as_bytes()).expect_err("it is not to be had").to_string()
}

#[test]
fn folders_and_jars_in_their_order() {
    let place = tempfile::tempdir().expect("a folder");
    let (folder, archive) = (place.path().join("classes"), place.path().join("a.jar"));
    std::fs::create_dir_all(folder.join("a")).expect("a folder");
    std::fs::write(folder.join("a/One.class"), class("a/One")).expect("a file");
    std::fs::write(folder.join("a/Other.class"), class("a/One")).expect("a file");
    std::fs::write(folder.join("a/None.class"), b"no class").expect("a file");
    std::fs::write(folder.join("a/Bad.class"), assemble("class a/Bad\n").expect("a class")).expect("a file");
    let entries: [(&str, &[u8]); 4] = [
        ("a/One.class", b"hidden by the folder"),
        ("a/Two.class", &class("a/Two")),
        ("module-info.class", b"left out"),
        ("META-INF/versions/9/a/Two.class", b"left out"),
    ];
    jar(&archive, &entries);
    assert_eq!(Jar::open(&archive).expect("a jar").classes(), ["a/One", "a/Two"]);
    let library = Library::open(None, &[folder, archive]).expect("they open");
    assert_eq!(*library.outline(b"a/One").expect("it is there").name, *b"a/One");
    assert_eq!(library.bytes(b"a/Two").expect("it is there"), class("a/Two"));
    assert_eq!(why(&library, "a/Three"), "a/Three: not found");
    assert_eq!(why(&library, "a/Other"), "a/Other: its file contains a/One");
    assert!(
        why(&library, "a/None").starts_with("a/None: not a class file: it does not begin with 0xCAFEBABE")
    );
    assert!(why(&library, "a/Bad").starts_with("a/Bad: error[superclass] a/Bad: found none"));
    for name in ["../a/One", "a/../a/One", "/a/One", "a/One\0", "a//One", ""] {
        assert!(why(&library, name).ends_with("no name that a file could have"), "{name}");
    }
}

#[test]
fn classes_that_are_given() {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::write(place.path().join("Old.class"), class("Old")).expect("a file");
    let library = Library::open(None, &[place.path().to_owned()]).expect("it opens");
    assert_eq!(why(&library, "a/New"), "a/New: not found");
    library.give("a/New", class("a/New")).expect("there was none");
    assert_eq!(*library.outline(b"a/New").expect("it is there").name, *b"a/New");
    for name in ["Old", "a/New"] {
        let refused = library.give(name, class(name)).expect_err("there is one");
        assert_eq!(refused.to_string(), format!("there is a class {name} already"));
    }
    library.give("a/Other", class("a/New")).expect("there was none");
    assert_eq!(why(&library, "a/Other"), "a/Other: its file contains a/New");
}

#[test]
fn names_in_a_jar_are_bytes_that_are_looked_up_at_once() {
    let place = tempfile::tempdir().expect("a folder");
    let archive = place.path().join("a.jar");
    jar(&archive, &[("a/\u{e9}.class", &class("a/\u{e9}")), ("a/O.class", &class("a/O"))]);
    let mut bytes = std::fs::read(&archive).expect("a jar");
    // 0x82 is the letter of U+00E9 in code page 437, in which the names of old archives are shown.
    for at in 0..bytes.len() {
        if bytes[at..].starts_with(b"a/O.class") {
            bytes[at + 2] = 0x82;
        }
    }
    std::fs::write(&archive, &bytes).expect("a jar");
    let library = Library::open(None, std::slice::from_ref(&archive)).expect("it opens");
    assert_eq!(library.bytes("a/\u{e9}".as_bytes()).expect("it is there"), class("a/\u{e9}"));
    for at in 0..bytes.len() {
        if bytes[at..].starts_with("a/\u{e9}.class".as_bytes()) {
            bytes[at] = b'b';
        }
    }
    std::fs::write(&archive, &bytes).expect("a jar");
    let library = Library::open(None, &[archive]).expect("it opens");
    assert_eq!(why(&library, "a/\u{e9}"), "a/\u{e9}: not found");
    assert!(!library.has_guest_resource("a/\u{e9}.class"));
}

#[test]
fn what_is_too_long_is_not_read() {
    let place = tempfile::tempdir().expect("a folder");
    let archive = place.path().join("a.jar");
    // A few kilobytes in the jar.
    jar(&archive, &[("Long.class", &vec![0; BYTES_MAX + 1])]);
    let library = Library::open(None, std::slice::from_ref(&archive)).expect("it opens");
    assert_eq!(why(&library, "Long"), format!("Long: more than {BYTES_MAX} bytes"));
    let file = std::fs::File::create(place.path().join("Sparse.class")).expect("a file");
    file.set_len(1 << 40).expect("a length");
    let library = Library::open(None, &[place.path().to_owned()]).expect("it opens");
    assert_eq!(why(&library, "Sparse"), format!("Sparse: more than {BYTES_MAX} bytes"));
}

#[test]
fn what_is_no_jar_and_no_class_library() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("lib/modules");
    std::fs::create_dir(place.path().join("lib")).expect("a folder");
    let opened = |jdk: Option<&Path>, path: &[PathBuf]| {
        Library::open(jdk, path).err().map(|error| error.to_string()).unwrap_or_default()
    };
    std::fs::write(&file, b"neither").expect("a file");
    assert!(opened(None, std::slice::from_ref(&file)).contains("not a jar"));
    assert!(opened(Some(place.path()), &[]).contains("failed to fill whole buffer"));
    std::fs::write(&file, [0; 28]).expect("a file");
    assert!(opened(Some(place.path()), &[]).contains("not the class library of a JDK"));
    assert!(opened(None, &[PathBuf::from("/dev/null")]).contains("not a regular file"));
    assert!(opened(None, &[place.path().join("missing.jar")]).contains("No such file"));
}

/// A class library whose tables say anything: no look-up takes memory by what they say, or panics.
#[test]
fn a_class_library_that_lies() {
    let place = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(place.path().join("lib")).expect("a folder");
    let mut seed = 1u32;
    for _ in 0..300 {
        let mut words = vec![0xCAFE_DADA, 1 << 16, 0, 0, 2, 60, 30];
        words.extend((0..40).map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed & 0x300 == 0 { seed } else { seed >> 24 & 31 }
        }));
        let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
        std::fs::write(place.path().join("lib/modules"), bytes).expect("a file");
        let library = Library::open(Some(place.path()), &[]).expect("it opens");
        assert!(library.outline(b"java/lang/Object").is_err());
        let _ = Image::open(&place.path().join("lib/modules")).expect("it opens").classes("");
    }
}

#[test]
fn the_installed_jdk() {
    let Some(jdk) = installed_jdk() else {
        println!("skipped: no JDK is installed (make setup)");
        return;
    };
    let library = Library::open(Some(&jdk), &[]).expect("it opens");
    let list = library.outline(b"java/util/ArrayList").expect("it is there");
    assert_eq!(list.super_class.as_deref(), Some(&b"java/util/AbstractList"[..]));
    assert!(library.outline(b"java/sql/Connection").is_ok(), "a class of another module");
    assert_eq!(why(&library, "java/util/Nothing"), "java/util/Nothing: not found");
    assert_eq!(why(&library, "nowhere/Nothing"), "nowhere/Nothing: not found");
    assert_eq!(why(&library, "Nothing"), "Nothing: not found");
}
