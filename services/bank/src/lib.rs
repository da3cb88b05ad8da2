//! The memory bank: page frames, address translations and processor slots (CompositeCall, "Applying CompositeCall on Off++").
//!
//! ```text
//! application ── pages, at the socket ──► Bank ── Machine.space ──► Space: fault, map, unmap, protect ◄── pager
//!     waits for a page ◄── mapped ──────────────────────────────────────┘         Frames: alloc, free ◄──┘
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Bank`], [`Options`] | the way in |
//! | [`bank`] | the stubs of the interface |
//! | `frames` | who has which frames, and what they hold |
//! | `space` | the translations of one application |
//! | `slots` | processor slots |
//! | `keeper` | the thread that takes applications in, and ends those whose pager does nothing |
//!
//! * **What is taken is given back** when the portal is released through which it was taken, so that no pager that dies leaves anything.
//! * **Nobody waits without an end.** An application that has waited for a page longer than [`Options::fault_time`], or whose space is
//!   released, is killed: it asked for that when it handed its pages over. Going on with other content would be worse.
//! * **Quotas** are per user, over all of his portals, and one process of his has two thirds of them at most.
//! * Applications are processes of the same user, and not trusted: see [`carnet_paging`].
//!
//! What it does not do: frames are this process's memory, and a page that is mapped has a copy of what the frame held. So two
//! applications share no page.

mod frames;
mod keeper;
mod slots;
mod space;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use carnet_paging::Pager;
use carnet_portal::call::Object;
use carnet_portal::stub::{Caller, Module, Served};
use carnet_portal::sturdy::Sturdy;

use bank::{Error, MachineService, Reason};
use frames::{Holder, Table};
use keeper::Applications;
use slots::SlotTable;

/// Stubs of the interface `bank.idl`.
pub mod bank {
    include!(concat!(env!("OUT_DIR"), "/bank.rs"));
}

/// What there is, and who may have how much of it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Frames.
    pub frames: usize,
    /// Frames that one user may have, and one process of his two thirds of that.
    pub frames_per_user: usize,
    /// Processor slots.
    pub slots: usize,
    /// Slots that one user may have: all but one, where there are several; one process of his two thirds of that.
    pub slots_per_user: usize,
    /// Where applications hand their pages over, if they may.
    pub socket: Option<PathBuf>,
    /// Applications that may wait for a pager.
    pub waiting_max: usize,
    /// How long a fault may wait before its application is ended.
    pub fault_time: Duration,
    /// Whether each call checks all tables, as the kernel did that the paper measured: an expensive service.
    pub checks: bool,
}

impl Default for Options {
    fn default() -> Options {
        let slots = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            frames: 4_096,
            frames_per_user: 2_048,
            slots,
            slots_per_user: slots.saturating_sub(1).max(1),
            socket: None,
            waiting_max: 16,
            fault_time: Duration::from_secs(10),
            checks: false,
        }
    }
}

/// A memory bank.
#[derive(Debug)]
pub struct Bank {
    options: Options,
    frames: Mutex<Table>,
    slots: Mutex<SlotTable>,
    applications: Applications,
}

/// No lock is held while anything of ours can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cold]
fn error(kind: Reason, message: &str) -> Error {
    Error::new(kind, message)
}

impl Bank {
    /// A bank, and its root object.
    ///
    /// # Errors
    /// If it cannot listen at its socket.
    pub fn serve(options: Options) -> io::Result<(Arc<Bank>, Served<bank::Machine>)> {
        let bank = Arc::new(Bank {
            frames: Mutex::new(Table::new(options.frames, options.frames_per_user, options.checks)),
            slots: Mutex::new(SlotTable::new(options.slots, options.slots_per_user)),
            applications: Applications::default(),
            options,
        });
        keeper::start(&bank)?;
        let root = bank::Machine::serve(Machine(Arc::clone(&bank)));
        Ok((bank, root))
    }

    /// Takes an application in: the next pager that asks for a space gets it.
    ///
    /// # Errors
    /// The pager again, if too many applications wait already.
    pub fn offer(&self, pager: Pager) -> Result<(), Pager> {
        self.applications.offer(pager, self.options.waiting_max)
    }

    /// Frames that nobody has, spaces that are open, slots that nobody has.
    #[must_use]
    pub fn left(&self) -> (usize, usize, usize) {
        (lock(&self.frames).free(), self.applications.open(), lock(&self.slots).left())
    }
}

struct Machine(Arc<Bank>);

impl MachineService for Machine {
    fn frames(&self, caller: &Caller) -> Result<Served<bank::Frames>, Error> {
        Ok(bank::Frames::serve(Holder::new(&self.0, caller)))
    }

    fn space(&self, caller: &Caller) -> Result<Served<bank::Space>, Error> {
        let none = || error(Reason::NoApplication, "no application waits for a pager");
        let pager = self.0.applications.next().ok_or_else(none)?;
        Ok(space::Space::open(&self.0, pager, &caller.principal))
    }

    fn slots(&self, _: &Caller) -> Result<Served<bank::Slots>, Error> {
        Ok(bank::Slots::serve(slots::Holder::new(&self.0)))
    }

    fn waiting(&self, _: &Caller) -> Result<i64, Error> {
        Ok(self.0.applications.waiting() as i64)
    }
}

/// Frames and applications are this process's: nothing of a bank is found again by a later one.
#[derive(Clone, Copy, Debug)]
pub struct SturdyBank;

impl Sturdy for SturdyBank {
    fn module(&self) -> &'static Module {
        bank::module()
    }

    fn identity(&self, _: &dyn Object) -> Result<Vec<u8>, String> {
        Err("is a memory bank, whose frames and applications end with the server".to_owned())
    }

    fn name(&self, _: &dyn Object, _: &dyn Object) -> Result<Vec<u8>, String> {
        Err("is of a memory bank, whose frames and applications end with the server".to_owned())
    }

    fn find(&self, _: &dyn Object, _: &[u8], _: &Caller) -> Result<Arc<dyn Object>, String> {
        Err("a memory bank keeps nothing for a later server".to_owned())
    }
}
