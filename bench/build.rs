//! Makes the stubs of the services that are called.

fn main() {
    carnet_idl::build("src/null.idl");
    carnet_idl::build("src/other.idl");
    carnet_idl::build("src/channel.idl");
    carnet_idl::build("src/memory.idl");
}
