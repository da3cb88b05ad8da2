//! The driver of messages whose data are lent, through a plain session: `carnet-bench-stubs-descriptors OPERATION N`.

mod plain;
mod service;

type Form = carnet_portal::plain::InMemory<plain::Jump>;

fn main() {
    plain::drive(carnet_portal::plain::InMemory);
}
