//! The Java back end: a module in, the texts of Java files out. Deterministic; nothing is read but the module.
//!
//! It makes interfaces and value classes. It makes no code that turns calls into messages or back: who carries the
//! calls reads interfaces and effects from the class files. What needs thought stands by hand in `idl/java`, as the
//! package `carnet`: annotations, checks of bounds, and immutable bytes.
//!
//! A top-level module is a package, and names within it are flattened: `inner::Pair` is `InnerPair`, `Leaf::Kind` is
//! `LeafKind`. So the class of a type does not hang on whether what it stands in, which the descriptor of another
//! module does not say, is a module or an interface. Types of other modules are named, and made from their own files:
//! a descriptor has only what is used of them, and two makings of one package would not be the same.
//!
//! | part | what it makes |
//! | --- | --- |
//! | `names` | Java names for IDL names, free of keywords and of each other |
//! | `code` | lines, documentation comments, imports |
//! | `shape` | Java types, literals, checks of values |
//! | `constants` | the class of constants |
//! | `types` | enums, records, and exceptions |
//! | `unions` | sealed interfaces with a record for each arm |
//! | `interfaces` | interfaces, and records of what an operation gives back |

mod code;
mod constants;
mod interfaces;
mod names;
mod shape;
mod types;
mod unions;

use std::collections::BTreeMap;

use self::code::{File, ascii, literal};
use self::names::{Class, Names};
use crate::descriptor::Module;

/// The package that generated code uses: paths and texts.
pub const JAVA_RUNTIME: [(&str, &str); 16] = [
    ("carnet/Argument.java", include_str!("../java/carnet/Argument.java")),
    ("carnet/Blocks.java", include_str!("../java/carnet/Blocks.java")),
    ("carnet/Bounds.java", include_str!("../java/carnet/Bounds.java")),
    ("carnet/Bytes.java", include_str!("../java/carnet/Bytes.java")),
    ("carnet/Cost.java", include_str!("../java/carnet/Cost.java")),
    ("carnet/Does.java", include_str!("../java/carnet/Does.java")),
    ("carnet/Idempotent.java", include_str!("../java/carnet/Idempotent.java")),
    ("carnet/Interface.java", include_str!("../java/carnet/Interface.java")),
    ("carnet/Module.java", include_str!("../java/carnet/Module.java")),
    ("carnet/Note.java", include_str!("../java/carnet/Note.java")),
    ("carnet/Once.java", include_str!("../java/carnet/Once.java")),
    ("carnet/Oneway.java", include_str!("../java/carnet/Oneway.java")),
    ("carnet/Operation.java", include_str!("../java/carnet/Operation.java")),
    ("carnet/Paged.java", include_str!("../java/carnet/Paged.java")),
    ("carnet/Reads.java", include_str!("../java/carnet/Reads.java")),
    ("carnet/Writes.java", include_str!("../java/carnet/Writes.java")),
];

/// The Java files for `module`: their texts by path, such as `files/Dir.java`. The same module always gives the same
/// texts. They use [`JAVA_RUNTIME`] and nothing else, and are written for Java 17.
#[must_use]
pub fn generate_java(module: &Module) -> BTreeMap<String, String> {
    let java = Java { module, names: Names::new(module) };
    let own = |name: &str| !name.starts_with("::");
    let mut files = vec![java.package_info()];
    files.extend(java.constants());
    let enums = module.enums.iter().enumerate().filter(|(_, new)| own(&new.name));
    files.extend(enums.map(|(index, new)| java.enumeration(index, new)));
    let structs = module.structs.iter().enumerate().filter(|(_, new)| own(&new.name));
    files.extend(structs.map(|(index, new)| java.structure(index, new)));
    let unions = module.unions.iter().enumerate().filter(|(_, new)| own(&new.name));
    files.extend(unions.map(|(index, new)| java.union(index, new)));
    let exceptions = module.exceptions.iter().enumerate().filter(|(_, new)| own(&new.name));
    files.extend(exceptions.map(|(index, new)| java.exception(index, new)));
    let interfaces = module.interfaces.iter().enumerate().filter(|(_, new)| own(&new.name));
    files.extend(interfaces.map(|(index, new)| java.interface(index, new)));
    files.into_iter().collect()
}

/// What the parts share.
struct Java<'a> {
    module: &'a Module,
    names: Names,
}

impl Java<'_> {
    /// An empty file for `class`, whose nested classes are `nested`.
    fn file(&self, class: &Class, nested: &[String]) -> File<'_> {
        File::new(class, nested, self.names.classes(&class.package))
    }

    /// What is said of the whole package.
    fn package_info(&self) -> (String, String) {
        let module = self.module;
        let package = names::package(&module.name);
        let doc = if module.doc.trim().is_empty() { "An interface of Carnet." } else { module.doc.trim() };
        let doc: String =
            doc.lines().map(|line| format!(" * {}", ascii(line)).trim_end().to_owned() + "\n").collect();
        let [name, version, unknown] =
            [&module.name, &module.version, &module.unknown].map(|text| literal(text));
        let text = format!(
            "// Made from the interface {}; changes here are lost.\n\n/**\n{doc} */\n\
             @carnet.Module(name = {name}, version = {version}, unknown = {unknown})\npackage {package};\n",
            module.name
        );
        (format!("{package}/package-info.java"), text)
    }
}
