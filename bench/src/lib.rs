//! Benchmarks: our side, side by side with rivals in the same run.
//!
//! Everything measured is a [`Contender`](measure::Contender). Contenders take turns, round after round, on one
//! processor, so that a change of the machine's speed meets all of them; what is reported is the median of all
//! samples after a warm-up round, with the lowest and highest median of a round. Answers are checked in every
//! sample. Rivals are processes of their own that answer over a pipe, built from `bench/rivals`, a separate
//! workspace; with `--tiny` there are none and one short round, so that our side cannot rot.
//!
//! | file | what it is |
//! | --- | --- |
//! | `measure.rs` | contenders, rounds, medians, processors |
//! | `rival.rs` | rivals as processes |
//! | `report.rs` | JSON lines, table, kept results |
//! | `services.rs` | services whose calls do nothing |
//! | `null_programs.rs` | programs over them, made by the builder |
//! | `runs.rs` | a verified program that is run again and again |
//! | `peer.rs` | the other process, and the ways to it |
//! | `channels.rs` | round trips between processes, their floors, other RPC |
//! | `threads.rs` | one loop over all clients beside a thread for each |
//! | `uring.rs` | independent system calls, together and one by one |
//! | `memory.rs` | memory that is handed over once, beside sending it in calls |
//! | `iozone.rs` | a cached file read by records, through our stubs and with others' messages |
//! | `off.rs` | page faults and page frames, beside Off++'s |
//! | `figure8.rs` | a file copied within one server, beside NFS and sftp |
//! | `remote_linux.rs` | Linux calls of another process, as programs and one by one |
//! | `guest.rs` | an emulated machine with Debian's kernel |
//! | `plot.rs` | lines over points, and bars in groups, as SVG |
//! | `cache.rs` | runs of a program that the server has in its cache, and of one that it has not |
//! | `fair.rs` | single calls beside programs that never end |
//! | `kv.rs` | numbers read and written under 1,000 keys, beside Redis |
//! | `stubs.rs` | the benchmark of this name: instructions of stubs, counted, beside those of rivals |
//! | `applet.rs` | from the bytes of an applet to its first call |
//! | `java.rs` | Java classes, compiled and run in a domain |
//! | `java_interp.rs`, `java_start.rs` | Java interpreted beside HotSpot and C; how soon it runs, and what it takes while it waits |
//! | `interp.rs`, `compile.rs`, `load.rs`, `break_even.rs`, `remote_copy.rs`, `verify.rs` | the benchmarks of these names |

pub mod applet;
pub mod break_even;
pub mod cache;
pub mod channels;
pub mod compile;
mod copying;
pub mod fair;
pub mod figure8;
mod folder;
mod guest;
pub mod interp;
pub mod iozone;
pub mod java;
pub mod java_interp;
pub mod java_start;
pub mod kv;
pub mod load;
pub mod measure;
pub mod memory;
pub mod null_programs;
pub mod off;
pub mod peer;
pub mod plot;
pub mod remote_copy;
pub mod remote_linux;
pub mod report;
pub mod rival;
pub mod runs;
pub mod services;
pub mod stubs;
pub mod threads;
pub mod uring;
pub mod verify;
