//! Java names for IDL names.

use std::collections::BTreeMap;

use crate::backend::{Scope, camel};
use crate::descriptor::{Module, Operation};
use crate::java::interfaces::given_back;

/// A class, by its package and its name in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// The module of the interface file.
    pub(super) module: String,
    pub(super) package: String,
    pub(super) name: String,
}

/// Names of classes, methods and records of results.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) enums: Vec<Class>,
    pub(super) structs: Vec<Class>,
    pub(super) unions: Vec<Class>,
    pub(super) exceptions: Vec<Class>,
    pub(super) interfaces: Vec<Class>,
    pub(super) constants: Class,
    /// By interface and operation, inherited ones included.
    pub(super) methods: Vec<Vec<String>>,
    /// Records of what operations give back, where that is several things; empty for others.
    pub(super) results: Vec<Vec<String>>,
    /// All classes of each package.
    packages: Packages,
}

#[derive(Debug, Default)]
struct Packages(BTreeMap<String, Scope>);

impl Packages {
    fn take(&mut self, module: &Module, name: &str) -> Class {
        // `::other::Dir` is of another module.
        let (root, rest) = match name.strip_prefix("::").and_then(|name| name.split_once("::")) {
            Some(parts) => parts,
            None => (module.name.as_str(), name),
        };
        let package = package(root);
        let name = self.0.entry(package.clone()).or_default().take(&camel(rest));
        Class { module: root.to_owned(), package, name }
    }
}

impl Names {
    pub(super) fn new(module: &Module) -> Names {
        let mut packages = Packages::default();
        let mut take = |name: &String| packages.take(module, name);
        let enums = module.enums.iter().map(|new| take(&new.name)).collect();
        let structs = module.structs.iter().map(|new| take(&new.name)).collect();
        let unions = module.unions.iter().map(|new| take(&new.name)).collect();
        let exceptions = module.exceptions.iter().map(|new| take(&new.name)).collect();
        let interfaces: Vec<Class> = module.interfaces.iter().map(|new| take(&new.name)).collect();
        // Last, since it is a name that we make up.
        let constants = take(&"Constants".to_owned());
        let (mut methods, mut results): (Vec<Vec<String>>, Vec<Vec<String>>) = (vec![], vec![]);
        for (interface, class) in module.interfaces.iter().zip(&interfaces) {
            let base = interface.base.map(crate::descriptor::InterfaceId::index);
            let mut names = base.map(|base| methods[base].clone()).unwrap_or_default();
            let mut records = base.map(|base| results[base].clone()).unwrap_or_default();
            // A method of the base with the same name would be overridden.
            let (mut taken, mut nested) = (member_scope(&names), packages.0[&class.package].clone());
            records.iter().for_each(|name| nested.reserve(name));
            for operation in interface.own() {
                names.push(taken.take(&lower(&operation.name)));
                records.push(match given_back(operation).len() {
                    0 | 1 => String::new(),
                    _ => nested.take(&result_name(operation)),
                });
            }
            methods.push(names);
            results.push(records);
        }
        Names { enums, structs, unions, exceptions, interfaces, constants, methods, results, packages }
    }

    /// The names of all classes of a package.
    pub(super) fn classes(&self, package: &str) -> &Scope {
        &self.packages.0[package]
    }

    /// Names for members or parameters, each free of keywords and of the others.
    pub(super) fn members<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<String> {
        let mut taken = member_scope(&[]);
        // A variable would hide a package of its name in expressions such as `other.Kind.FILE`.
        self.packages.0.keys().for_each(|package| taken.reserve(package));
        ["carnet", "java"].iter().for_each(|package| taken.reserve(package));
        let rename = |name| {
            let name = lower(name);
            // These are the variables of our own functions.
            let number = name.strip_prefix("each");
            let is_ours = number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()));
            taken.take(&if is_ours { format!("{name}_") } else { name })
        };
        names.map(rename).collect()
    }
}

fn result_name(operation: &Operation) -> String {
    format!("{}Result", camel(operation.name.trim_start_matches('_')))
}

/// What a member cannot be called, and `taken`.
fn member_scope(taken: &[String]) -> Scope {
    let mut scope = Scope::with(KEYWORDS);
    OBJECT.iter().copied().chain(taken.iter().map(String::as_str)).for_each(|name| scope.reserve(name));
    scope
}

/// The package of a top-level module.
pub(super) fn package(module: &str) -> String {
    let name = module.to_ascii_lowercase();
    let is_taken = KEYWORDS.contains(&name.as_str()) || PACKAGES.contains(&name.as_str());
    if is_taken { format!("{name}_") } else { name }
}

/// `make_dir` as `makeDir`, `URL` as `url`; the attribute `x` is read by `getX` and written by `setX`.
pub(super) fn lower(name: &str) -> String {
    let name = camel(name.trim_start_matches('_'));
    if !name.bytes().any(|b| b.is_ascii_lowercase()) {
        return name.to_ascii_lowercase();
    }
    let mut chars = name.chars();
    let first = chars.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

/// `dark_green` as `DARK_GREEN`. Names in one scope differ in more than capitals.
pub(super) fn upper(name: &str) -> String {
    name.trim_start_matches(':').replace("::", "_").to_ascii_uppercase()
}

/// Packages that are not a module's: those of Java, and ours.
const PACKAGES: &[&str] = &["carnet", "java", "javax", "jdk", "sun"];

const KEYWORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "var",
    "void",
    "volatile",
    "while",
    "yield",
];

/// Methods of `java.lang.Object` and of `java.lang.Throwable`.
const OBJECT: &[&str] = &[
    "addSuppressed",
    "clone",
    "equals",
    "fillInStackTrace",
    "finalize",
    "getCause",
    "getClass",
    "getLocalizedMessage",
    "getMessage",
    "getStackTrace",
    "getSuppressed",
    "hashCode",
    "initCause",
    "notify",
    "notifyAll",
    "printStackTrace",
    "setStackTrace",
    "toString",
    "wait",
];
