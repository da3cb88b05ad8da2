//! What any service over a database relies on. What follows a full or failing disk is tested with the key-value service.

use std::io;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use carnet_database::{
    Access, BEHIND, Database, Durability, Fault, Layout, OpenError, Opener, open_file, with_backend,
};
use redb::StorageBackend;
use redb::backends::InMemoryBackend;

const LAYOUT: Layout = Layout { entries: "test.entries", counts: "test.counts", format: 3, entry_bytes: 10 };

fn opener(folder: &tempfile::TempDir, access: Access, layout: Layout) -> Opener {
    let path = folder.path().join("test.db");
    Box::new(move || open_file(&path, access, &layout))
}

fn database(folder: &tempfile::TempDir, access: Access, quota: u64) -> Result<Database, OpenError> {
    let clock = Arc::new(|| UNIX_EPOCH + Duration::from_nanos(7));
    Database::new(opener(folder, access, LAYOUT), LAYOUT, quota, clock)
}

fn keys(database: &Database) -> Vec<Vec<u8>> {
    let view = database.view().unwrap();
    let entries = view.entries((Bound::Unbounded, Bound::Unbounded)).unwrap();
    entries.map(|entry| entry.unwrap().key().to_vec()).collect()
}

#[test]
fn a_change_is_made_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let database = database(&folder, Access::ReadWrite, 1_000).unwrap();
    let before = database.view().unwrap();
    let number = database.write(|change| {
        assert!(!change.set(b"a", Some(b"1"))?);
        assert!(change.set(b"a", Some(b"2"))?);
        assert_eq!(change.get(b"a", |value| Ok::<_, Fault>(value.to_vec()))?, Some(b"2".to_vec()));
        Ok::<_, Fault>((change.sequence, change.now))
    });
    assert_eq!(number, Ok((before.sequence + 1, 7)));
    let failed = database.write(|change| {
        change.set(b"a", None)?;
        change.set(b"b", Some(b""))?;
        Err::<(), _>(Fault::Io("enough".to_owned()))
    });
    assert_eq!(failed, Err(Fault::Io("enough".to_owned())));
    assert_eq!(keys(&database), [b"a"]);
    // What is held shows what was there.
    assert_eq!(before.get(b"a", |_| Ok::<_, Fault>(())), Ok(None));
    assert_eq!(database.view().unwrap().sequence, before.sequence + 1);
}

#[test]
fn the_quota_counts_keys_values_and_entries() {
    let folder = tempfile::tempdir().unwrap();
    let first = database(&folder, Access::ReadWrite, 30).unwrap();
    let put = |database: &Database, key: &[u8], len: usize| {
        database.write(|change| change.set(key, Some(&vec![0; len])).map(drop))
    };
    assert_eq!(put(&first, b"a", 19), Ok(()));
    let over = Fault::Quota { bytes: 31, before: 30, quota: 30 };
    assert_eq!(put(&first, b"a", 20), Err(over.clone()));
    assert_eq!(over.to_string(), "was not changed: it would hold 31 bytes instead of 30, of a quota of 30");
    assert_eq!(put(&first, b"a", 5), Ok(()));
    assert_eq!(put(&first, b"b", 3), Ok(()));
    drop(first);
    // A smaller one later still lets people write less.
    let second = database(&folder, Access::ReadWrite, 5).unwrap();
    assert!(matches!(put(&second, b"b", 4), Err(Fault::Quota { .. })));
    assert_eq!(put(&second, b"b", 2), Ok(()));
    assert_eq!(second.write(|change| change.set(b"a", None)), Ok(true));
}

#[test]
fn what_is_read_only_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let missing = database(&folder, Access::ReadOnly, 1_000).map(drop);
    assert!(matches!(missing, Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::NotFound));
    drop(database(&folder, Access::ReadWrite, 1_000).unwrap());
    let read = database(&folder, Access::ReadOnly, 1_000).unwrap();
    assert_eq!(read.write(|change| change.set(b"a", None)), Err(Fault::ReadOnly));
    assert_eq!(keys(&read).len(), 0);
}

#[test]
fn a_file_of_another_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(database(&folder, Access::ReadWrite, 1_000).unwrap());
    for access in [Access::ReadOnly, Access::ReadWrite] {
        let other = opener(&folder, access, Layout { format: 4, ..LAYOUT })().map(drop);
        assert!(matches!(other, Err(OpenError::Format { found: 3, expected: 4 })), "{other:?}");
        let theirs = opener(&folder, access, Layout { entries: "other.entries", ..LAYOUT })().map(drop);
        assert!(matches!(theirs, Err(OpenError::OtherTables)), "{theirs:?}");
    }
}

/// A backend over which the library panics.
#[derive(Debug)]
struct Panicking;

impl StorageBackend for Panicking {
    fn len(&self) -> Result<u64, io::Error> {
        panic!("as over pages that contradict each other")
    }

    fn read(&self, _: u64, _: &mut [u8]) -> Result<(), io::Error> {
        Ok(())
    }

    fn set_len(&self, _: u64) -> Result<(), io::Error> {
        Ok(())
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        Ok(())
    }

    fn write(&self, _: u64, _: &[u8]) -> Result<(), io::Error> {
        Ok(())
    }
}

#[test]
fn a_panic_over_a_file_is_damage() {
    for access in [Access::ReadOnly, Access::ReadWrite] {
        let opened = with_backend(Panicking, access, &LAYOUT).map(drop);
        assert!(matches!(opened, Err(OpenError::Damaged(_))), "{opened:?}");
    }
}

/// A disk that outlives the databases on it, which one at a time may have open, as a file that is locked.
#[derive(Clone, Debug, Default)]
struct Disk(Arc<OnDisk>);

#[derive(Debug, Default)]
struct OnDisk {
    bytes: InMemoryBackend,
    is_open: AtomicBool,
    syncs: AtomicU64,
    /// Syncs that fail.
    failing: AtomicU64,
}

/// It, as long as it is open.
#[derive(Debug)]
struct Locked(Disk);

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.0.is_open.store(false, Ordering::SeqCst);
    }
}

impl StorageBackend for Locked {
    fn len(&self) -> Result<u64, io::Error> {
        self.0.0.bytes.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        self.0.0.bytes.read(offset, out)
    }

    fn set_len(&self, len: u64) -> Result<(), io::Error> {
        self.0.0.bytes.set_len(len)
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        let on = &self.0.0;
        on.syncs.fetch_add(1, Ordering::SeqCst);
        match on.failing.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) {
            Ok(_) => Err(io::Error::other("the disk is gone")),
            Err(_) => Ok(()),
        }
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        self.0.0.bytes.write(offset, data)
    }
}

impl Disk {
    fn opener(&self) -> Opener {
        let disk = self.clone();
        Box::new(move || {
            if disk.0.is_open.swap(true, Ordering::SeqCst) {
                return Err(OpenError::Locked);
            }
            with_backend(Locked(disk.clone()), Access::ReadWrite, &LAYOUT)
        })
    }

    /// What is on it now, as after a crash.
    fn copied(&self) -> Disk {
        let bytes = InMemoryBackend::new();
        let len = self.0.bytes.len().unwrap();
        let mut all = vec![0; len as usize];
        self.0.bytes.read(0, &mut all).unwrap();
        bytes.set_len(len).unwrap();
        bytes.write(0, &all).unwrap();
        Disk(Arc::new(OnDisk { bytes, ..OnDisk::default() }))
    }

    fn syncs(&self) -> u64 {
        self.0.syncs.load(Ordering::SeqCst)
    }
}

fn put(database: &Database, key: &[u8]) -> Result<u64, Fault> {
    database.write(|change| change.set(key, Some(b"value")).map(|_| change.sequence))
}

/// Who reads when the file fails has it open yet, and may have begun after others were told to end. Nothing is told as not known, and
/// nobody is refused, because of that.
#[test]
fn it_is_opened_anew_when_the_last_reader_is_gone() {
    let disk = Disk::default();
    let database = Database::new(disk.opener(), LAYOUT, 1_000, carnet_database::system_clock()).unwrap();
    let reader: Arc<Mutex<Option<carnet_database::View>>> = Arc::default();
    let (told, theirs) = (Arc::new(AtomicU64::new(0)), Arc::clone(&reader));
    let count = Arc::clone(&told);
    let database = database.before_close(move || {
        // It goes only when it is told for the third time.
        if count.fetch_add(1, Ordering::SeqCst) >= 2 {
            theirs.lock().unwrap().take();
        }
    });
    assert_eq!(put(&database, b"a"), Ok(1));
    for _ in 0..3 {
        *reader.lock().unwrap() = Some(database.view().unwrap());
        told.store(0, Ordering::SeqCst);
        disk.0.failing.store(1, Ordering::SeqCst);
        let answer = put(&database, b"b");
        disk.0.failing.store(0, Ordering::SeqCst);
        assert!(told.load(Ordering::SeqCst) >= 3, "it waits for readers");
        assert!(reader.lock().unwrap().is_none());
        // Whatever became of it is known.
        let is_there = database.view().unwrap().get(b"b", |_| Ok::<_, Fault>(())).unwrap().is_some();
        match answer {
            Ok(_) => assert!(is_there),
            Err(Fault::Io(_)) => assert!(!is_there),
            other => panic!("{other:?}"),
        }
        assert!(put(&database, b"c").is_ok());
    }
}

/// Others come while it fails: each is answered when it is opened anew.
#[test]
fn whoever_comes_while_it_is_opened_anew_waits() {
    let disk = Disk::default();
    let database = Database::new(disk.opener(), LAYOUT, 1_000_000, carnet_database::system_clock()).unwrap();
    assert_eq!(put(&database, b"a"), Ok(1));
    std::thread::scope(|scope| {
        for number in 0..4 {
            let database = &database;
            scope.spawn(move || {
                for round in 0..50 {
                    let key = format!("{number} {round}");
                    match put(database, key.as_bytes()) {
                        Ok(_) => {
                            let found = database.view().and_then(|view| view.get(key.as_bytes(), |_| Ok(())));
                            assert!(matches!(found, Ok(Some(())) | Err(_)), "what was told is there");
                        }
                        // It was under way when the file failed, or that failed again while it was opened.
                        Err(Fault::Io(_) | Fault::Failed) => {}
                        Err(Fault::Unknown(why) | Fault::Closed(why)) => {
                            assert_eq!(why.replace("I/O error: ", ""), "the disk is gone")
                        }
                        Err(other) => panic!("{other:?}"),
                    }
                }
            });
        }
        for _ in 0..10 {
            let before = disk.syncs();
            disk.0.failing.store(1, Ordering::SeqCst);
            while disk.syncs() == before && disk.0.failing.load(Ordering::SeqCst) == 1 {
                put(&database, b"again").map_or_else(drop, drop);
            }
        }
    });
    assert!(put(&database, b"z").is_ok());
}

#[test]
fn changes_in_memory_are_on_the_disk_a_second_later_or_at_the_end() {
    let disk = Disk::default();
    let ns = Arc::new(AtomicU64::new(7_000_000_000));
    let told = Arc::clone(&ns);
    let clock: carnet_database::Clock =
        Arc::new(move || UNIX_EPOCH + Duration::from_nanos(told.load(Ordering::SeqCst)));
    let database = |disk: &Disk| Database::new(disk.opener(), LAYOUT, 1_000, Arc::clone(&clock)).unwrap();
    let open = database(&disk).durability(Durability::Memory);
    // Nothing is on the disk yet that was not there: the first one is.
    assert_eq!(put(&open, b"a"), Ok(1));
    let syncs = disk.syncs();
    assert_eq!((put(&open, b"b"), put(&open, b"c")), (Ok(2), Ok(3)));
    assert_eq!(disk.syncs(), syncs, "nobody waits for the disk");
    assert_eq!(keys(&open), [b"a", b"b", b"c"]);
    assert_eq!(keys(&database(&disk.copied())), [b"a"], "who is killed leaves what was on the disk");
    ns.fetch_add(BEHIND.as_nanos() as u64, Ordering::SeqCst);
    assert_eq!(put(&open, b"d"), Ok(4));
    assert!(disk.syncs() > syncs);
    assert_eq!(keys(&database(&disk.copied())), [b"a", b"b", b"c", b"d"]);
    assert_eq!(put(&open, b"e"), Ok(5));
    assert_eq!(keys(&database(&disk.copied())).len(), 4);
    assert_eq!(open.flush(), Ok(()));
    assert_eq!(keys(&database(&disk.copied())).len(), 5, "who ends may have it so without closing it");
    assert_eq!(put(&open, b"f"), Ok(6));
    assert_eq!(keys(&database(&disk.copied())).len(), 5);
    drop(open);
    assert_eq!(keys(&database(&disk)).len(), 6, "closed in order, all is there");
}

#[test]
fn many_changes_in_memory_make_the_file_no_longer_than_they_need() {
    let disk = Disk::default();
    let clock: carnet_database::Clock = Arc::new(|| UNIX_EPOCH + Duration::from_secs(7));
    let open = Database::new(disk.opener(), LAYOUT, 1_000, clock).unwrap().durability(Durability::Memory);
    for _ in 0..11_000 {
        put(&open, b"a").unwrap();
    }
    assert!((2..20).contains(&disk.syncs()), "{} syncs", disk.syncs());
    let len = disk.0.bytes.len().unwrap();
    assert!(len < 256 << 20, "{len} bytes");
}
