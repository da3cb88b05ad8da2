//! Makes the stubs whose decoders are fuzzed.

fn main() {
    carnet_idl::build("src/mirror/mirror.idl");
}
