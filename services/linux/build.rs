//! Makes the stubs of the interface of Linux calls.

fn main() {
    carnet_idl::build("linux.idl");
}
