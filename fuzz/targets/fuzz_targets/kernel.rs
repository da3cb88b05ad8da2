//! A target for `cargo fuzz run --fuzz-dir fuzz/targets kernel`; what it checks is in `carnet-fuzz`.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| carnet_fuzz::targets::kernel_bytes(bytes));
