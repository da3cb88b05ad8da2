//! The driver of register messages, through a plain session: `carnet-bench-stubs-registers OPERATION N`.

mod plain;
mod service;

type Form = plain::Jump;

fn main() {
    plain::drive(|session| session);
}
