//! Makes the stubs of the files interface.

fn main() {
    carnet_idl::build("files.idl");
}
