//! Generates what can be generated without a tool in C++: Cap'n Proto's code, from the parsed schema.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=schema");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let schema = fs::File::open("schema/pfs.capnp.request").expect("the parsed schema is there");
    let mut generator = capnpc::codegen::CodeGenerationCommand::new();
    generator.output_directory(Path::new(&out)).run(schema).expect("the parsed schema is right");
}
