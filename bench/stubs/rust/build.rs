//! Makes the stubs of the paper's three functions.

fn main() {
    carnet_idl::build("../pfs.idl");
}
