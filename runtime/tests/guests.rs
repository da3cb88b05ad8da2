//! What guests cannot get hold of: classes that are internal to the JDK, by any of the ways that lead to them.

use std::path::Path;
use std::process::Command;

use carnet_classes::library::{Library, installed_jdk};
use carnet_runtime::domain::{Domain, Limits};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

/// Compiles a class, for which the JDK's internal packages are there; `None` where that is not possible.
fn compiled(name: &str, source: &str) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(format!("{name}.java")), source).expect("it is written");
    let javac = Command::new("javac")
        .args(["-nowarn", "--add-exports", "java.base/jdk.internal.access=ALL-UNNAMED", "-d", "."])
        .arg(format!("{name}.java"))
        .current_dir(folder.path())
        .status();
    match javac {
        Err(error) => {
            println!("skipped: no Java compiler: javac: {error} (make setup)");
            None
        }
        Ok(status) => {
            assert!(status.success(), "{name} compiles");
            Some(folder)
        }
    }
}

fn refused(folder: &Path, name: &str) -> String {
    let library = Library::open(installed_jdk().as_deref(), &[folder.to_owned()]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let mut domain = Domain::new(universe, Limits::default(), Io::none()).expect("a domain");
    domain.run_main(name, &[]).expect_err("it is not run").to_string()
}

#[test]
fn an_internal_class_is_no_superclass() {
    let source = "public class Heir extends jdk.internal.access.SharedSecrets {\n\
                  public static void main(String[] words) { System.out.println(getJavaLangAccess()); } }\n";
    let Some(folder) = compiled("Heir", source) else { return };
    assert_eq!(
        refused(folder.path(), "Heir"),
        "java/lang/IllegalAccessError: class Heir cannot access its superclass or superinterface \
         jdk.internal.access.SharedSecrets"
    );
}

#[test]
fn an_internal_interface_is_no_superinterface() {
    let source = "public abstract class Kin implements jdk.internal.access.JavaLangAccess {\n\
                  public static void main(String[] words) { } }\n";
    let Some(folder) = compiled("Kin", source) else { return };
    assert_eq!(
        refused(folder.path(), "Kin"),
        "java/lang/IllegalAccessError: class Kin cannot access its superclass or superinterface \
         jdk.internal.access.JavaLangAccess"
    );
}
