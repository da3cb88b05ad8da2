//! What would keep the loop from its other clients is done by a helper: freeing much memory, and the end of a session that
//! holds much.

mod support;

use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use carnet_memory::pass;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::memory::Memory;
use carnet_portal::remote::RemoteSession;
use carnet_portal::stub::{BytesOut, PortalIn, Served};
use carnet_portal::wire::{Reply, kind};
use carnet_queue::Wanted;
use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags, fallocate, fcntl_add_seals, memfd_create};
use support::shared::Peer;
use support::sums::generated::{CarnetMemory, CarnetMemoryService, Sums, SumsService};
use support::sums::{client, with_root};
use support::{Fixture, raw, until};

/// Tells which thread drops it.
struct Watched(Sender<String>);

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.0.send(std::thread::current().name().unwrap_or_default().to_owned());
    }
}

impl CarnetMemoryService for Watched {
    fn size(&self, _: &Caller) -> Result<i64, Failure> {
        Ok(0)
    }

    fn read(&self, _: &Caller, _: i64, _: i64, _: &mut BytesOut<'_>) -> Result<(), Failure> {
        Ok(())
    }
}

/// Whoever calls `kept` is given something that is watched.
struct Watcher(Sender<String>);

impl SumsService for Watcher {
    fn sum(&self, _: &Caller, of: PortalIn<'_, CarnetMemory>) -> Result<u64, Failure> {
        of.local::<Memory>().map(|_| 0).ok_or_else(|| Failure::service("memory that is not here"))
    }

    fn counted(&self, _: &Caller, _: i64) -> Result<Served<CarnetMemory>, Failure> {
        Err(Failure::service("nothing counts"))
    }

    fn keep(&self, _: &Caller, _: PortalIn<'_, CarnetMemory>) -> Result<(), Failure> {
        Ok(())
    }

    fn kept(&self, _: &Caller) -> Result<Served<CarnetMemory>, Failure> {
        Ok(CarnetMemory::serve(Watched(self.0.clone())))
    }
}

fn fixture() -> (Fixture, Receiver<String>) {
    let (tell, told) = channel();
    (with_root(|_| {}, Capability::new(Sums::serve(Watcher(tell)).into_object())), told)
}

/// Which thread drops something that a client of this session holds and gives back.
fn dropped_by(sums: &Sums, told: &Receiver<String>) -> String {
    drop(sums.kept().unwrap());
    told.recv_timeout(Duration::from_secs(20)).unwrap()
}

fn hand_over(session: &Arc<RemoteSession>, bytes: usize) -> CarnetMemory {
    CarnetMemory::from_portal(session.hand_over(&Memory::of(&vec![1; bytes]).unwrap()).unwrap())
}

#[test]
fn a_helper_gives_back_for_a_session_that_has_handed_much_memory_over() {
    let (fixture, told) = fixture();
    let (session, sums) = client(&fixture);
    let small = hand_over(&session, 1);
    assert_eq!(dropped_by(&sums, &told), "carnet-loop");
    let large = hand_over(&session, 64 << 20);
    assert_eq!(dropped_by(&sums, &told), "carnet-helper");
    assert_eq!((sums.sum(&small), sums.sum(&large)), (Ok(0), Ok(0)));
    drop(large);
    // Behind the release.
    assert_eq!(sums.sum(&small), Ok(0));
    assert_eq!(dropped_by(&sums, &told), "carnet-loop");
}

const FRAMES: Wanted = Wanted { frames: true, room: false };
/// Number of `kept`.
const KEPT: u16 = 3;

/// A client that holds so many things that are watched, and has handed so much memory over, with so much more behind its end.
fn holds(fixture: &Fixture, portals: u32, bytes: usize, behind: u64) -> Peer {
    let peer = Peer::connect(fixture.socket().unwrap());
    let answered = |frame: &[u8]| {
        peer.send(frame);
        until("it is answered", || peer.end.look(FRAMES).unwrap().frames);
        let mut buffer = vec![0; 4096];
        peer.end.receive(&mut buffer).unwrap();
        assert_eq!(Reply::decode(&buffer).unwrap().status, 0);
    };
    peer.send(&raw::hello());
    (1..=portals).for_each(|call| answered(&raw::call(KEPT, 1, call, &[])));
    let file = memfd_create("test", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
    assert_eq!(rustix::io::pwrite(&file, &vec![1; bytes], 0), Ok(bytes));
    fallocate(&file, FallocateFlags::KEEP_SIZE, 0, bytes as u64 + behind).unwrap();
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE).unwrap();
    pass::send(peer.socket.as_fd(), &7_u32.to_le_bytes(), &file).unwrap();
    answered(&raw::frame(kind::MEMORY, &[], 0, 0, 7, &(bytes as u64).to_le_bytes()));
    peer
}

#[test]
fn a_helper_ends_a_session_that_holds_much() {
    let (fixture, told) = fixture();
    for (portals, bytes, behind, by) in [
        (10, 1, 0, "carnet-loop"),
        (2000, 1, 0, "carnet-helper"),
        (1, 1 << 20, 0, "carnet-helper"),
        (1, 1, 1 << 20, "carnet-helper"),
    ] {
        drop(holds(&fixture, portals, bytes, behind));
        until("the session has ended", || fixture.sessions() == 0);
        let threads: Vec<String> = told.try_iter().collect();
        assert_eq!(threads, vec![by; portals as usize]);
    }
}
