//! Makes the stubs of the key-value interface.

fn main() {
    carnet_idl::build("kv.idl");
}
