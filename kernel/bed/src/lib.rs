//! The test bed of the kernel module: builds it against Debian's headers, boots Debian's kernel in an emulator with a small first file
//! system, and reads what the programs in it print.
//!
//! ```text
//! kernel/*.c ─ make, against the headers ─► carnet.ko ─┐
//! kernel/test/*.c ─ gcc -static ──────────► programs  ─┼─► archive ─► qemu, software emulation ─► lines on the serial port
//! kernel/test/programs, cases ─ compiler ─► bytecode  ─┘             kernel of Debian
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`machine`] | headers, kernel, module, emulator |
//! | [`archive`] | the first file system |
//! | [`cases`] | the cases that all engines share |
//! | [`host`] | verifier and interpreter in an ordinary process, under sanitizers |
//! | [`agree`] | an oracle: they do what those in Rust do |
//! | [`programs`] | the programs of tests and measurements, as bytecode |
//! | [`figure`] | what the measurement printed, as a table and as a drawing |
//!
//! Nothing is installed here: the image of the kernel is downloaded and taken apart under `target/`.

pub mod agree;
pub mod archive;
pub mod cases;
pub mod figure;
pub mod host;
pub mod machine;
pub mod programs;
