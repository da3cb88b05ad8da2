//! Makes the stubs of the paper's three functions, and those with integers of 32 bits.

use std::path::Path;
use std::{env, fs};

fn main() {
    carnet_idl::build("../pfs.idl");
    let narrow = fs::read_to_string("../pfs.idl").expect("the interface").replace("long long", "long");
    let out = env::var_os("OUT_DIR").expect("cargo says where");
    let module = carnet_idl::compile_str("pfs.idl", &narrow).expect("it has no faults");
    fs::write(Path::new(&out).join("narrow.rs"), carnet_idl::generate_rust(&module))
        .expect("stubs are written");
}
