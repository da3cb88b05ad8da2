//! rbpf's interpreter. Its verifier checks jumps and opcodes, not registers or bounds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rbpf::EbpfVmNoData;
use rbpf::assembler::assemble;

use crate::{Rival, service};

const LOOP: &str = "
    mov64 r1, 1
    mov64 r2, 2
    mov64 r3, 3
    call 0
    jsle r0, 0, +5
    mov64 r1, 1
    mov64 r2, 2
    mov64 r3, 3
    call 1
    ja -10
    exit";

fn read(i: u64, j: u64, k: u64, _: u64, _: u64) -> u64 {
    service::read(i as i64, j as i64, k as i64) as u64
}

fn write(i: u64, j: u64, k: u64, _: u64, _: u64) -> u64 {
    service::write(i as i64, j as i64, k as i64) as u64
}

pub struct Rbpf {
    code: Vec<u8>,
}

fn load(code: &[u8]) -> EbpfVmNoData<'_> {
    let mut vm = EbpfVmNoData::new(Some(code)).expect("it verifies");
    vm.register_helper(0, read).expect("there is room");
    vm.register_helper(1, write).expect("there is room");
    vm
}

impl Rbpf {
    pub fn new() -> Rbpf {
        Rbpf { code: assemble(LOOP).expect("it assembles") }
    }
}

impl Rival for Rbpf {
    fn sample(&mut self, key: &str, n: i64) -> Option<Duration> {
        match key {
            "copy" => {
                let vm = load(&self.code);
                let begin = Instant::now();
                vm.execute_program().expect("it runs");
                Some(begin.elapsed())
            }
            "load" => {
                let begin = Instant::now();
                for _ in 0..n {
                    black_box(load(black_box(&self.code)));
                }
                Some(begin.elapsed())
            }
            _ => None,
        }
    }
}
