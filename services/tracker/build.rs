//! Makes the stubs of the tracker's interface.

fn main() {
    carnet_idl::build("tracker.idl");
}
