//! Rust names for IDL names.

use super::shape::stem;
use crate::backend::{self, Scope};
use crate::descriptor::{Interface, InterfaceId, Mode, Module, Operation, Short, Type};

/// Names of types. Those of the interface come first, so that only names that we make up are bent.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) enums: Vec<String>,
    pub(super) structs: Vec<String>,
    pub(super) unions: Vec<String>,
    pub(super) exceptions: Vec<String>,
    pub(super) interfaces: Vec<String>,
    pub(super) services: Vec<String>,
    pub(super) servers: Vec<String>,
    /// What objects are called by in plain sessions.
    pub(super) ats: Vec<String>,
    /// Structs with portals, as a service is handed them and as it returns them.
    pub(super) given: Vec<String>,
    pub(super) returned: Vec<String>,
    /// By interface and operation, of what is not inherited.
    pub(super) methods: Vec<Vec<Method>>,
    /// What operations with several exceptions raise, by interface and operation that is not inherited; empty for others.
    pub(super) raised: Vec<Vec<String>>,
    /// Writers of list results, by element.
    lists: Vec<(Type, String)>,
}

/// Names of what is made of an interface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trio<'n> {
    pub(super) client: &'n str,
    pub(super) service: &'n str,
    pub(super) server: &'n str,
    /// What an object is called by in a plain session.
    pub(super) at: &'n str,
}

/// Names of an operation.
#[derive(Debug)]
pub(super) struct Method {
    /// Of the method.
    pub(super) name: String,
    /// Of the client's method that fills buffers of the caller's, if there is one.
    pub(super) into: Option<String>,
}

/// Methods that clients have, and then those that a value has from the prelude: a call finds them before an operation,
/// by value before by reference, or with a derived client before what that has of its base.
const METHODS: &[&str] =
    &["serve", "from_portal", "portal", "to_base", "into", "try_into", "clone", "to_owned", "clone_into"];

/// Names that generated code uses without a path.
const PRELUDE: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Eq",
    "Err",
    "From",
    "Hash",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Self",
    "Send",
    "Some",
    "String",
    "Sync",
    "Vec",
];

impl Names {
    /// `lists` are the elements of list results.
    pub(super) fn new(module: &Module, lists: &[Type]) -> Names {
        let mut taken = Scope::with(PRELUDE);
        let enums = module.enums.iter().map(|new| taken.take(&camel(&new.name))).collect();
        let structs = module.structs.iter().map(|new| taken.take(&camel(&new.name))).collect();
        let unions = module.unions.iter().map(|new| taken.take(&camel(&new.name))).collect();
        let exceptions = module.exceptions.iter().map(|new| taken.take(&camel(&new.name))).collect();
        // What dispatch calls the service's type.
        taken.reserve("S");
        let interfaces: Vec<String> =
            module.interfaces.iter().map(|new| taken.take(&camel(&new.name))).collect();
        let mut made_of = |name: &String, what: &str| taken.take(&format!("{}{what}", stem(name)));
        let services = interfaces.iter().map(|name| made_of(name, "Service")).collect();
        let servers = interfaces.iter().map(|name| made_of(name, "Server")).collect();
        let ats = interfaces.iter().map(|name| made_of(name, "At")).collect();
        let mut names = Names {
            enums,
            structs,
            unions,
            exceptions,
            interfaces,
            services,
            servers,
            ats,
            given: vec![],
            returned: vec![],
            methods: methods(module),
            raised: vec![],
            lists: vec![],
        };
        for name in &names.structs {
            names.given.push(taken.take(&format!("{}Given", stem(name))));
            names.returned.push(taken.take(&format!("{}Returned", stem(name))));
        }
        for (interface, name) in module.interfaces.iter().zip(&names.interfaces) {
            let raised = interface.own().iter().map(|operation| match operation.raises.len() {
                0 | 1 => String::new(),
                _ => taken.take(&format!(
                    "{}{}Error",
                    stem(name),
                    camel(snake(&operation.name).trim_start_matches("r#"))
                )),
            });
            let raised = raised.collect();
            names.raised.push(raised);
        }
        for element in lists {
            let name = taken.take(&format!("{}List", stem(&names.stem(element))));
            names.lists.push((element.clone(), name));
        }
        names
    }

    /// Names of what is made of an interface.
    pub(super) fn of(&self, id: InterfaceId) -> Trio<'_> {
        let at = id.index();
        Trio {
            client: &self.interfaces[at],
            service: &self.services[at],
            server: &self.servers[at],
            at: &self.ats[at],
        }
    }

    /// Name of the writer of lists of `element`.
    pub(super) fn list(&self, element: &Type) -> &str {
        self.lists.iter().find(|(of, _)| of == element).map_or("List", |(_, name)| name)
    }

    fn stem(&self, element: &Type) -> String {
        match element {
            Type::Bool => "Bool".to_owned(),
            Type::Int { bits, signed } => format!("{}{bits}", if *signed { 'I' } else { 'U' }),
            Type::Enum(id) => self.enums[id.index()].clone(),
            Type::Struct(id) => self.structs[id.index()].clone(),
            Type::String { max } => format!("String{max}"),
            Type::Bytes { max } => format!("Bytes{max}"),
            Type::Char => "Char".to_owned(),
            Type::Float { bits } => format!("F{bits}"),
            Type::Union(id) => self.unions[id.index()].clone(),
            Type::Array { of, len } => format!("{}x{len}", self.stem(of)),
            Type::Portal(id) => self.interfaces[id.index()].clone(),
            Type::List { of, .. } => format!("{}List", self.stem(of)),
        }
    }
}

/// Names of the operations of each interface: free of each other, and of those of its base.
fn methods(module: &Module) -> Vec<Vec<Method>> {
    let mut scopes: Vec<Scope> = Vec::new();
    let mut all = Vec::new();
    for interface in &module.interfaces {
        let base = interface.base.and_then(|id| scopes.get(id.index()));
        let mut taken = base.map_or_else(|| Scope::with(METHODS), Scope::clone);
        all.push(own_methods(interface, &mut taken));
        scopes.push(taken);
    }
    all
}

fn own_methods(interface: &Interface, taken: &mut Scope) -> Vec<Method> {
    let method = |operation: &Operation| Method { name: taken.take(&snake(&operation.name)), into: None };
    let mut methods: Vec<Method> = interface.own().iter().map(method).collect();
    // Behind all others, so that no method of the interface is called otherwise because of them.
    for (method, operation) in methods.iter_mut().zip(interface.own()) {
        if operation.layout.short.and_then(Short::returned).is_some() || lands(operation) {
            method.into = Some(taken.take(&format!("{}_into", stem(&method.name))));
        }
    }
    methods
}

/// Whether something comes back that a buffer of the caller's can have.
fn lands(operation: &Operation) -> bool {
    let params = operation.params.iter().filter(|param| param.mode != Mode::In).map(|param| &param.ty);
    params.chain(&operation.result).any(is_data)
}

/// Whether it is data of its own: a string, bytes or a list.
pub(super) fn is_data(ty: &Type) -> bool {
    matches!(ty, Type::String { .. } | Type::Bytes { .. } | Type::List { .. })
}

/// `not_found` as `NotFound`.
pub(super) fn camel(name: &str) -> String {
    let name = backend::camel(name);
    if name == "Self" { "Self_".to_owned() } else { name }
}

/// Names of an enum's variants, made of names in the interface.
pub(super) fn variants<'n>(names: impl IntoIterator<Item = &'n String>) -> Vec<String> {
    let mut taken = Scope::default();
    names.into_iter().map(|name| taken.take(&camel(name))).collect()
}

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// `readOnly` as `read_only`; keywords as `r#type`.
pub(super) fn snake(name: &str) -> String {
    // An attribute `x` is read by `x` and written by `set_x`.
    let name = name.strip_prefix("_get_").or_else(|| name.strip_prefix('_')).unwrap_or(name);
    let mut out = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && was_small {
            out.push('_');
        }
        was_small = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c.to_ascii_lowercase());
    }
    free(&out)
}

/// A name that is no word of Rust: keywords as `r#type`.
pub(super) fn free(name: &str) -> String {
    match name {
        "self" | "Self" | "super" | "crate" => format!("{name}_"),
        word if KEYWORDS.contains(&word) => format!("r#{word}"),
        _ => name.to_owned(),
    }
}
