//! Memory whose pages somebody else provides: userfaultfd(2), made safe.
//!
//! ```text
//! application                                       pager, here or in another process
//! Pages ── first touch of a page ──► the thread waits ──► Pager::fault says which page
//!   │                                                        │
//!   └────────────── goes on ◄────────── Pager::map ◄─────────┘
//! ```
//!
//! | file | what it is | unsafe |
//! | --- | --- | --- |
//! | `pages` | the application's side: the mapping, and how it is handed over | none |
//! | `pager` | the other side: faults, and pages that are mapped, protected and taken away | none |
//! | `look` | whether a pager looks for a fault before it sleeps | none |
//! | `system` | userfaultfd and its requests | all of it |
//!
//! No privilege is needed: only faults of user code are asked for (`UFFD_USER_MODE_ONLY`), and a system call that comes to a page that is
//! not there fails with `EFAULT`. The memory is a memory file of fixed size, mapped shared. So a page is put into the file and the
//! application's page table by one request, and taken away from both by a hole in the file, from another process as
//! from this one.
//!
//! Whoever hands pages over is not believed: descriptors are looked at before they are taken out of a socket, their kinds and
//! seals are checked, and the file is read and changed by system calls and never mapped. A pager that goes away lets the
//! application go on with zeros; who must not have that ends the application before ([`Pager::application`]).
//!
//! Linux from 5.19 on. It is part of the floor.

mod look;
mod pager;
mod pages;
mod system;

pub use pager::{Access, CHANGING_MAX, Fault, Pager, Refused};
pub use pages::Pages;

/// Bytes of a page.
pub const PAGE: usize = 4096;
/// Most pages of one application.
pub const PAGES_MAX: usize = 1 << 16;
