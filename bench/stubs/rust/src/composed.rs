//! The calls of the driver, made by a program of the same process: one loop, which the bytecode interpreter runs. Loops that call nothing
//! show what the interpreter itself takes.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_program::bytecode::ParamPlace;
use carnet_program::compile::compile_to_bytes;
use carnet_program::interp::{Blocking, Env, Machine, Mode, Slice, Stop};
use carnet_program::limits::{Effective, Limits};
use carnet_program::source::parse;
use carnet_program::verify::{Loaded, Registry, load};

use crate::pfs;
use crate::service::{DIRECTORY_BYTES, WRITE_BYTES};

/// The program that makes calls of one operation, or has a loop without any, and returns what it found in the last turn.
fn source(operation: &str) -> String {
    let call = match operation {
        "add" => "last = last + k",
        "branch" => "if k > last {\n      last = k\n    }",
        "open" => "last = fs.open(k, 2, 3, 4).handle",
        "write" => "last = fs.write(k, k, 7, data).value",
        _ => "let found = fs.get_direntries(k, k, 5)\n    last = found.value + found.data.len",
    };
    format!(
        "use pfs\nprogram calls(fs: FS, n: int, data: bytes(65536)) -> int {{\n  var last = 0\n  \
         for k in 0 .. n limit 1_000_000 {{\n    {call}\n  }}\n  return last\n}}\n"
    )
}

/// What the last of so many turns comes to.
fn expected(operation: &str, calls: i64) -> i64 {
    match operation {
        "add" => calls * (calls - 1) / 2,
        "branch" => calls - 1,
        "open" => calls - 1 + 6,
        "write" => calls - 1 + 7 + 1 + 2 + 1,
        _ => calls - 1 + 1 + DIRECTORY_BYTES as i64,
    }
}

fn bind(machine: &mut Machine, program: &Loaded, right: &Capability, calls: i64, data: &[u8]) {
    let slots = |place: &ParamPlace| match *place {
        ParamPlace::Slot(slot) => Some(slot),
        ParamPlace::Register(_) => None,
    };
    for place in &program.params {
        if let ParamPlace::Register(register) = *place {
            machine.set_portal(register, right.clone());
        }
    }
    let [n, text] = program.params.iter().filter_map(slots).collect::<Vec<_>>()[..] else {
        panic!("the program has a number and data");
    };
    machine.set_scalar(n, calls);
    machine.set_text(program, text, data).unwrap();
}

/// Makes `calls` calls of `operation` on what `right` is to, and checks what the last of them came to.
pub(crate) fn run(right: Capability, operation: &str, calls: i64, data: &[u8; WRITE_BYTES]) {
    let module = pfs::module();
    let tree = parse(&source(operation), &[Arc::new(module.clone())]).unwrap();
    let program = load(&compile_to_bytes(&tree).unwrap(), &Registry::new(&[module])).unwrap();
    let mut machine = Machine::new();
    machine.reset(&program, Effective::new(&Limits::UNLIMITED, &program.caps).budget());
    bind(&mut machine, &program, &right, calls, data);
    let (interrupt, caller) = (AtomicU32::new(0), Caller::local());
    let env = Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
    let Stop::Done(at) = machine.advance(&program, &env, Slice::UNLIMITED) else {
        panic!("the program did not end");
    };
    let mut result = Vec::new();
    machine.result(&program, at, &mut result).unwrap();
    let found = i64::from_le_bytes(result[..].try_into().unwrap());
    assert_eq!(found, expected(operation, calls));
}
