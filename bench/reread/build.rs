//! Makes the stubs.

fn main() {
    carnet_idl::build("src/reread.idl");
}
