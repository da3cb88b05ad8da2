//! What no client can do: a file that fails, and its being opened anew.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use carnet_database::with_backend;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::stub::CallError;
use redb::StorageBackend;
use redb::backends::InMemoryBackend;

use crate::kv::Reason;
use crate::{Access, Options, engine, kv, serve_from};

/// A disk that outlives the databases on it, and takes so many bytes in a file.
#[derive(Clone, Debug)]
struct Disk {
    bytes: Arc<InMemoryBackend>,
    size: Arc<AtomicU64>,
    syncs_left: Arc<AtomicU64>,
    /// How many syncs fail then.
    failing: Arc<AtomicU64>,
}

impl StorageBackend for Disk {
    fn len(&self) -> Result<u64, io::Error> {
        self.bytes.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        self.bytes.read(offset, out)
    }

    fn set_len(&self, len: u64) -> Result<(), io::Error> {
        if len > self.size.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.set_len(len)
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        let less = |left: u64| left.checked_sub(1);
        match self.syncs_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
            Ok(_) => Ok(()),
            Err(_) => match self.failing.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
                Ok(_) => Err(io::Error::other("the disk is gone")),
                Err(_) => Ok(()),
            },
        }
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        self.bytes.write(offset, data)
    }
}

impl Disk {
    fn new() -> Disk {
        let unbounded = || Arc::new(AtomicU64::new(u64::MAX));
        let failing = Arc::default();
        Disk { bytes: Arc::new(InMemoryBackend::new()), size: unbounded(), syncs_left: unbounded(), failing }
    }

    fn client(&self) -> kv::Store {
        let disk = self.clone();
        let open = Box::new(move || with_backend(disk.clone(), Access::ReadWrite, &engine::LAYOUT));
        let served = serve_from(open, &Options { access: Access::ReadWrite, ..Options::new("disk") });
        let capability = Capability::new(served.expect("it opens").into_object());
        kv::Store::from_portal(LocalSession::new(capability, Caller::local()).root())
    }

    /// The number in a server that is started anew.
    fn client_after(&self, store: kv::Store) -> i64 {
        drop(store);
        self.client().get_int(b"n").unwrap()
    }
}

#[track_caller]
fn reason<T>(outcome: Result<T, CallError<kv::Error>>) -> Reason {
    match outcome {
        Err(CallError::Raised(error)) => error.kind,
        Err(CallError::Failed(failure)) => panic!("failed: {failure:?}"),
        Ok(_) => panic!("an exception was expected"),
    }
}

#[test]
fn a_full_disk_loses_nothing_and_is_over_when_there_is_room() {
    let disk = Disk::new();
    let store = disk.client();
    store.put(b"kept", b"1").unwrap();
    let open = store.begin().unwrap();
    open.put(b"kept", b"2").unwrap();
    disk.size.store(disk.len().unwrap(), Ordering::Relaxed);
    let (mut written, value) = (0_u32, vec![7; 60_000]);
    let full = loop {
        match store.put(format!("k{written}").as_bytes(), &value) {
            Ok(()) => written += 1,
            other => break other,
        }
        assert!(written < 10_000, "the disk is never full");
    };
    assert_eq!(reason(full), Reason::NoSpace);
    assert_eq!(reason(open.commit()), Reason::Ended, "what it saw is gone");
    assert_eq!(store.get(b"kept").unwrap(), b"1");
    for number in 0..written {
        assert_eq!(store.get(format!("k{number}").as_bytes()).unwrap(), value);
    }
    assert_eq!(reason(store.get(format!("k{written}").as_bytes())), Reason::Missing);
    disk.size.store(u64::MAX, Ordering::Relaxed);
    store.put(b"more", &value).unwrap();
    assert_eq!(store.get(b"more").unwrap(), value);
}

/// Whichever of the commit's syncs fails, once or from then on: what is answered is what is there afterwards, or it is said that
/// nobody knows.
#[test]
fn a_commit_that_fails_is_told_as_it_ended() {
    let (mut done, mut not_done, mut unknown) = (0, 0, 0);
    for (syncs, failing) in (0..8).flat_map(|syncs| [(syncs, 1), (syncs, u64::MAX)]) {
        let disk = Disk::new();
        let store = disk.client();
        store.put_int(b"n", 1).unwrap();
        disk.failing.store(failing, Ordering::Relaxed);
        disk.syncs_left.store(syncs, Ordering::Relaxed);
        let told = store.put_int(b"n", 2);
        disk.syncs_left.store(u64::MAX, Ordering::Relaxed);
        let found = store.get_int(b"n").unwrap();
        match told {
            Ok(()) => {
                assert_eq!(found, 2, "after {syncs} syncs");
                done += 1;
            }
            Err(CallError::Raised(error)) if error.message.contains("not known") => unknown += 1,
            failed => {
                assert_eq!((reason(failed), found), (Reason::Io, 1), "after {syncs} syncs");
                not_done += 1;
            }
        }
        assert_eq!(disk.client_after(store), found, "after {syncs} syncs");
    }
    assert!(done > 0 && unknown > 0, "{done} done, {not_done} not, {unknown} unknown");
}
