//! Rust names for IDL names.

use crate::backend::{self, Scope};
use crate::descriptor::{Module, Type};

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
    /// Structs with portals, as a service is handed them and as it returns them.
    pub(super) given: Vec<String>,
    pub(super) returned: Vec<String>,
    /// What operations with several exceptions raise, by interface and operation; empty for others.
    pub(super) raised: Vec<Vec<String>>,
    /// Writers of list results, by element.
    lists: Vec<(Type, String)>,
}

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
        let interfaces: Vec<String> =
            module.interfaces.iter().map(|new| taken.take(&camel(&new.name))).collect();
        let services = interfaces.iter().map(|name| taken.take(&format!("{name}Service"))).collect();
        let servers = interfaces.iter().map(|name| taken.take(&format!("{name}Server"))).collect();
        let mut names = Names {
            enums,
            structs,
            unions,
            exceptions,
            interfaces,
            services,
            servers,
            given: vec![],
            returned: vec![],
            raised: vec![],
            lists: vec![],
        };
        for name in &names.structs {
            names.given.push(taken.take(&format!("{name}Given")));
            names.returned.push(taken.take(&format!("{name}Returned")));
        }
        for (interface, name) in module.interfaces.iter().zip(&names.interfaces) {
            // What is inherited raises what it raises in the base.
            let base = interface.base.map(|id| names.raised[id.index()].clone());
            let mut raised = base.unwrap_or_default();
            for operation in interface.operations.iter().skip(usize::from(interface.inherited)) {
                raised.push(match operation.raises.len() {
                    0 | 1 => String::new(),
                    _ => taken.take(&format!(
                        "{name}{}Error",
                        camel(snake(&operation.name).trim_start_matches("r#"))
                    )),
                });
            }
            names.raised.push(raised);
        }
        for element in lists {
            let name = taken.take(&format!("{}List", names.stem(element)));
            names.lists.push((element.clone(), name));
        }
        names
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
            Type::List { .. } => String::new(),
        }
    }
}

/// `not_found` as `NotFound`.
pub(super) fn camel(name: &str) -> String {
    let name = backend::camel(name);
    if name == "Self" { "Self_".to_owned() } else { name }
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
    match out.as_str() {
        "self" | "super" | "crate" => format!("{out}_"),
        word if KEYWORDS.contains(&word) => format!("r#{word}"),
        _ => out,
    }
}
