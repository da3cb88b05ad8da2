//! A target for `cargo fuzz run --fuzz-dir fuzz/targets linux`; what it checks is in `carnet-fuzz`. The processes of its sessions are this
//! program, too.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(
    init: {
        if carnet_fuzz::linux::is_session() {
            std::process::exit(i32::from(carnet_fuzz::linux::serve() != std::process::ExitCode::SUCCESS));
        }
    },
    |bytes: &[u8]| carnet_fuzz::targets::linux_bytes(bytes)
);
