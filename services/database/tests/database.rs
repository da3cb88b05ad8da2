//! What any service over a database relies on. What follows a full or failing disk is tested with the key-value service.

use std::io;
use std::ops::Bound;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use carnet_database::{Access, Database, Fault, Layout, OpenError, Opener, open_file, with_backend};
use redb::StorageBackend;

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
