//! The C back end: one header of static inline functions for both sides of a call.
//!
//! The code is short because it stands on `idl/c/carnet.h`, which is written and tested by hand. What a stub does can be
//! read in it; which instructions that takes is counted by the benchmark `stubs`.
//!
//! | part | what it makes |
//! | --- | --- |
//! | `types` | enums, structs, elements of lists, descriptions of interfaces |
//! | `client` | `call_MODULE_Interface_operation`: marshal, call, unmarshal |
//! | `server` | `MODULE_Interface_serve`, which calls `MODULE_Interface_operation` of the user |
//! | `shape` | words of parameters, their C types, checks of scalars |
//!
//! An operation that raises exceptions, or whose result is no scalar, returns a `carnet_status` in the client, and its
//! result is the first of the outs; any other returns its result as the paper's do.

mod client;
mod code;
mod names;
mod server;
mod shape;
mod types;

use std::collections::BTreeSet;

use self::names::flat;
use crate::backend::Lines;
use crate::descriptor::{Module, Operation, Type};

/// The headers that generated code includes, and a main loop for users to edit: names and texts.
pub const C_RUNTIME: [(&str, &str); 6] = [
    ("carnet.h", include_str!("../c/carnet.h")),
    ("carnet_shared.h", include_str!("../c/carnet_shared.h")),
    ("carnet_client.h", include_str!("../c/carnet_client.h")),
    ("carnet_session.h", include_str!("../c/carnet_session.h")),
    ("carnet_server.h", include_str!("../c/carnet_server.h")),
    ("carnet_main.c", include_str!("../c/carnet_main.c")),
];

/// What the back end cannot do, each as a line for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CUnsupported(pub Vec<String>);

impl std::fmt::Display for CUnsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for CUnsupported {}

/// Makes `MODULE.h`: C stubs of all interfaces of `module`, for clients and servers. The same module always gives the
/// same text.
///
/// # Errors
/// All that the module has and the back end does not do yet.
pub fn generate_c(module: &Module) -> Result<String, CUnsupported> {
    let c = C { module };
    let missing = c.missing();
    if missing.is_empty() { Ok(c.header()) } else { Err(CUnsupported(missing)) }
}

/// What the parts share.
struct C<'a> {
    module: &'a Module,
}

impl C<'_> {
    fn header(&self) -> String {
        let name = &self.module.name;
        let mut code = Lines::default();
        code.line(&format!(
            "/* Stubs of module {name}, made by `carnet idl build --lang c`. Do not edit. */"
        ));
        code.comment(&self.module.doc);
        let guard = format!("CARNET_STUBS_{}_H", name.to_uppercase());
        code.line(&format!("#ifndef {guard}"));
        code.line(&format!("#define {guard}"));
        code.blank();
        code.line("#include \"carnet.h\"");
        code.blank();
        code.line("#ifdef __cplusplus");
        code.line("extern \"C\" {");
        code.line("#endif");
        code.blank();
        self.types(&mut code);
        for interface in &self.module.interfaces {
            self.client(interface, &mut code);
        }
        code.line("/* Servers define CARNET_SERVER before they include this file. */");
        code.line("#ifdef CARNET_SERVER");
        code.blank();
        for interface in &self.module.interfaces {
            let name = self.name(&interface.name);
            code.line(&format!("static inline const struct carnet_service *{name}_service(void);"));
        }
        code.blank();
        self.descriptor(&mut code);
        for interface in &self.module.interfaces {
            self.server(interface, &mut code);
        }
        code.line("#endif");
        code.blank();
        code.line("#ifdef __cplusplus");
        code.line("}");
        code.line("#endif");
        code.blank();
        code.line("#endif");
        code.into_text()
    }

    /// The encoded descriptor, which a server shows to clients that have no stubs.
    fn descriptor(&self, code: &mut Lines) {
        let name = &self.module.name;
        code.line(&format!("static inline struct carnet_bytes {name}_descriptor(void)"));
        code.open("{");
        code.open("static const unsigned char bytes[] = {");
        for line in crate::encode(self.module).chunks(24) {
            let bytes: Vec<String> = line.iter().map(u8::to_string).collect();
            code.line(&format!("{},", bytes.join(",")));
        }
        code.close("};");
        code.line("struct carnet_bytes found = {bytes, sizeof bytes};");
        code.line("return found;");
        code.close("}");
        code.blank();
    }

    /// `files_Dir` for `Dir`.
    fn name(&self, name: &str) -> String {
        format!("{}_{}", self.module.name, flat(name))
    }

    /// Lines about what is not done yet, each once.
    fn missing(&self) -> Vec<String> {
        let mut found = BTreeSet::new();
        for interface in &self.module.interfaces {
            if interface.base.is_some() {
                let place = format!("{}.{}", self.module.name, interface.name);
                found.insert(not_supported(&place, "inheritance is"));
            }
            for operation in &interface.operations {
                for what in self.missing_of(operation) {
                    let place = format!("{}.{}.{}", self.module.name, interface.name, operation.name);
                    found.insert(not_supported(&place, what));
                }
            }
        }
        found.into_iter().collect()
    }

    fn missing_of(&self, operation: &Operation) -> Vec<&'static str> {
        let mut missing = vec![];
        let types = operation.params.iter().map(|param| &param.ty).chain(&operation.result);
        types.for_each(|ty| self.missing_in(ty, &mut missing));
        if operation.oneway {
            missing.push("oneway operations are");
        }
        if !operation.raises.is_empty() && self.module.plain_exception(operation).is_none() {
            missing.push("exceptions other than one of an enum `kind` and a string `message` are");
        }
        let mut lists = operation.params.iter().filter(|param| matches!(param.ty, Type::List { .. }));
        if lists.any(|param| param.mode != crate::descriptor::Mode::Out) {
            missing.push("lists as arguments are");
        }
        let layout = &operation.layout;
        // A gathered head has 8 bits for the number of words and 7 for one of them.
        if layout.words() > 100 {
            missing.push("more than 100 words are");
        }
        missing
    }

    fn missing_in(&self, ty: &Type, missing: &mut Vec<&'static str>) {
        match ty {
            Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::String { .. } | Type::Bytes { .. } => {}
            Type::Portal(_) => {}
            Type::Struct(id) => {
                let fields = &self.module.structs[id.index()].fields;
                if fields.iter().any(|field| matches!(field.ty, Type::Portal(_) | Type::List { .. })) {
                    missing.push("portals and lists in structs are");
                }
                fields.iter().for_each(|field| self.missing_in(&field.ty, missing));
            }
            Type::List { of, .. } => {
                if matches!(**of, Type::Portal(_)) {
                    missing.push("lists of portals are");
                }
                self.missing_in(of, missing);
            }
            Type::Char => missing.push("char is"),
            Type::Float { .. } => missing.push("floating point is"),
            Type::Union(_) => missing.push("unions are"),
            Type::Array { .. } => missing.push("arrays are"),
        }
    }
}

fn not_supported(place: &str, what: &str) -> String {
    format!("error[not-supported]: {place}: {what} not supported by the C back end yet")
}
