//! Makes the stubs of the memory bank's interface.

fn main() {
    carnet_idl::build("bank.idl");
}
