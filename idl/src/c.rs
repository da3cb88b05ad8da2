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
//! | `registers` | `call_…` and `MODULE_Interface_pass` of short calls, which are messages only where they must be |
//! | `shape` | words of parameters, their C types, checks of scalars |
//! | `names`, `words` | C names for IDL names, free of each other and of words |
//! | `values` | `MODULE_Type_put` and `_take`, for what is more than words and data |
//! | `copies` | `MODULE_Type_copy`, for what outlives the message that it came with |
//! | `rich` | stubs of operations that need these |
//!
//! An operation that raises exceptions, or whose result is no scalar, returns a `carnet_status` in the client, and its
//! result is the first of the outs; any other returns its result as the paper's do.

mod client;
mod code;
mod copies;
mod names;
mod registers;
mod rich;
mod server;
mod shape;
mod types;
mod values;
mod words;

use self::names::{For, Names, Taken};
use crate::backend::Lines;
use crate::descriptor::Module;

/// The headers that generated code includes, and a main loop for users to edit: names and texts.
pub const C_RUNTIME: [(&str, &str); 10] = [
    ("carnet.h", include_str!("../c/carnet.h")),
    ("carnet_gather.h", include_str!("../c/carnet_gather.h")),
    ("carnet_into.h", include_str!("../c/carnet_into.h")),
    ("carnet_values.h", include_str!("../c/carnet_values.h")),
    ("carnet_shared.h", include_str!("../c/carnet_shared.h")),
    ("carnet_client.h", include_str!("../c/carnet_client.h")),
    ("carnet_memory.h", include_str!("../c/carnet_memory.h")),
    ("carnet_session.h", include_str!("../c/carnet_session.h")),
    ("carnet_server.h", include_str!("../c/carnet_server.h")),
    ("carnet_main.c", include_str!("../c/carnet_main.c")),
];

/// Makes `MODULE.h`: C stubs of all interfaces of `module`, for clients and servers. The same module always gives the
/// same text.
#[must_use]
pub fn generate_c(module: &Module) -> String {
    generate_c_of(std::slice::from_ref(module)).concat()
}

/// As [`generate_c`], of all modules of one file: their headers can be included together, in any order.
#[must_use]
pub fn generate_c_of(modules: &[Module]) -> Vec<String> {
    let mut taken = Taken::default();
    let names: Vec<Names> = modules.iter().map(|module| Names::new(module, &mut taken)).collect();
    let each = modules.iter().zip(names);
    each.map(|(module, names)| C { module, names, taken: &taken }.header()).collect()
}

/// Whether a module's header would be taken for one of the runtime or of the system, which it hides or is overwritten by.
#[must_use]
pub fn is_header_of_others(module: &str) -> bool {
    let is_of_runtime = |(name, _): &(&str, &str)| name.strip_suffix(".h") == Some(module);
    C_RUNTIME.iter().any(is_of_runtime) || words::SYSTEM_HEADERS.split_whitespace().any(|name| name == module)
}

/// The macro that says that a module's header was included already.
fn guard(module: &Module) -> String {
    format!("CARNET_STUBS_{}_H", module.name.to_uppercase())
}

/// What the parts share.
struct C<'a> {
    module: &'a Module,
    names: Names,
    taken: &'a Taken,
}

impl C<'_> {
    fn header(&self) -> String {
        let name = &self.module.name;
        let mut code = Lines::default();
        code.line(&format!(
            "/* Stubs of module {name}, made by `carnet idl build --lang c`. Do not edit. */"
        ));
        code.comment(&self.module.doc);
        let guard = guard(self.module);
        code.line(&format!("#ifndef {guard}"));
        code.line(&format!("#define {guard}"));
        code.blank();
        code.line("#include \"carnet_values.h\"");
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
            let service = self.names.of(For::Service, &interface.name);
            code.line(&format!("static inline const struct carnet_service *{service}(void);"));
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
        let name = self.names.of(For::Descriptor, "");
        code.line(&format!("static inline struct carnet_bytes {name}(void)"));
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
        self.names.of(For::Definition, name)
    }
}
