//! A service that reads memory where it lies, keeps some, and has some of its own.

use std::sync::{Arc, Mutex};

use carnet_memory::{Mapping, Segment};
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::memory::Memory;
use carnet_portal::server::ServerOptions;
use carnet_portal::session::ServerLimits;
use carnet_portal::stub::{PortalIn, Served};
use generated::{CarnetMemory, Sums, SumsService};

use super::{Fixture, World};

pub mod generated {
    include!("../../../idl/tests/cases/modules/memory.rs");
}

#[derive(Default)]
pub struct Keeper(Arc<Mutex<Option<Memory>>>);

impl SumsService for Keeper {
    fn sum(&self, _: &Caller, of: PortalIn<'_, CarnetMemory>) -> Result<u64, Failure> {
        Ok(sum(here(&of)?))
    }

    fn counted(&self, _: &Caller, bytes: i64) -> Result<Served<CarnetMemory>, Failure> {
        let content = counted(usize::try_from(bytes).unwrap());
        let mut draft = Memory::draft(content.len())?;
        draft.copy_from_slice(&content);
        Memory::seal(draft)?.serve()
    }

    fn keep(&self, _: &Caller, of: PortalIn<'_, CarnetMemory>) -> Result<(), Failure> {
        *self.0.lock().unwrap() = Some(here(&of)?.clone());
        Ok(())
    }

    fn kept(&self, _: &Caller) -> Result<Served<CarnetMemory>, Failure> {
        self.0.lock().unwrap().as_ref().ok_or_else(|| Failure::service("nothing is kept"))?.serve()
    }
}

fn here<'a>(of: &PortalIn<'a, CarnetMemory>) -> Result<&'a Memory, Failure> {
    of.local().ok_or_else(|| Failure::service("memory that is not here"))
}

pub fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte)).sum()
}

/// Bytes that count, in primes.
pub fn counted(len: usize) -> Vec<u8> {
    (0..len).map(|index| (index % 251) as u8).collect()
}

/// A service, and what it keeps.
pub fn root() -> (Capability, Arc<Mutex<Option<Memory>>>) {
    let keeper = Keeper::default();
    let kept = Arc::clone(&keeper.0);
    (Capability::new(Sums::serve(keeper).into_object()), kept)
}

/// A server of one such service, for all sessions.
pub fn fixture(change: impl FnOnce(&mut ServerLimits)) -> Fixture {
    with_root(change, root().0)
}

pub fn with_root(change: impl FnOnce(&mut ServerLimits), root: Capability) -> Fixture {
    let mut options = ServerOptions::default();
    change(&mut options.limits);
    Fixture::with_roots(options, World::new(), move |_| Ok(root.clone()))
}

pub fn client(fixture: &Fixture) -> (Arc<carnet_portal::remote::RemoteSession>, Sums) {
    let session = fixture.connect();
    let sums = Sums::from_portal(session.root());
    (session, sums)
}

/// As a peer hands it over that takes no care: nothing is sealed.
pub fn unsealed(len: usize) -> (Segment, Mapping) {
    let segment = Segment::create(len).unwrap();
    let mapping = Mapping::new(&segment).unwrap();
    (segment, mapping)
}
