//! The driver of messages whose data are copied, through a plain session: `carnet-bench-stubs-copied OPERATION N`.

mod plain;
mod service;

type Form = carnet_portal::plain::Copied<plain::Jump>;

fn main() {
    plain::drive(carnet_portal::plain::Copied);
}
