//! Makes the stubs of the counter interface.

fn main() {
    carnet_idl::build("counter.idl");
}
