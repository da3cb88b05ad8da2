//! The system calls of a session, as its process makes them: the object that programs call.
//!
//! ```text
//! block ─► range and bits of each number, lengths ─► guard: paths, ports ─► the kernel ─► block
//! ```
//! Every operation goes this way, by its [plan](crate::plan). What an argument may be is said by the interface alone; what the kernel
//! cannot be told by Landlock and seccomp is looked at by the [guard](crate::guard).

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use carnet_idl::descriptor::{InterfaceId, Module, Word};
use carnet_portal::call::{Area, Areas, Call, Failure, Kind, Object};
use carnet_portal::stub::{NO_WORDS, in_range};
use carnet_syscalls::{Arg, Descriptors};
use rustix::io::Errno;

use crate::errno;
use crate::guard::Guard;
use crate::layout::{read_address, read_entries, until_nul, write_address};
use crate::linux;
use crate::plan::{Holds, Plan, Source, plans};
