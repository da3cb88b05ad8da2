//! Generates stubs: gRPC's from the lines below, and Cap'n Proto's from the parsed schemas, which `capnp` made of those
//! beside them (`capnp compile -o- --src-prefix=schema schema/NAME.capnp > schema/NAME.capnp.request`).

use std::path::Path;
use std::{env, fs};

use tonic_build::manual::{Builder, Method, Service};

fn main() {
    println!("cargo:rerun-if-changed=schema");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for name in ["echo", "reread"] {
        let schema =
            fs::File::open(format!("schema/{name}.capnp.request")).expect("the parsed schema is there");
        let mut generator = capnpc::codegen::CodeGenerationCommand::new();
        generator.output_directory(Path::new(&out)).run(schema).expect("the parsed schema is right");
    }
    Builder::new().compile(&[grpc()]);
}

/// What bench/src/channel.idl says.
fn grpc() -> Service {
    let method = |name: &str, route: &str, message: &str| {
        let types = Method::builder().input_type(message).output_type(message);
        types.name(name).route_name(route).codec_path("tonic_prost::ProstCodec").build()
    };
    let nothing = method("nothing", "Nothing", "crate::rpc::grpc::Nothing");
    let echo = method("echo", "Echo", "crate::rpc::grpc::Data");
    Service::builder().name("Echo").package("bench").method(nothing).method(echo).build()
}
