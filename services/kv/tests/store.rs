//! What the operations promise, through generated clients.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use carnet_kv::kv::{Error, Reason, Store, Transaction};
use carnet_kv::{Access, OpenError, Options, TRANSACTION_BYTES, serve};
use carnet_portal::call::{Caller, Object, Origin};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::stub::CallError;

struct Place {
    folder: tempfile::TempDir,
    object: Option<Arc<dyn Object>>,
}

impl Place {
    fn new() -> Place {
        Place::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut Options)) -> Place {
        let mut place = Place { folder: tempfile::tempdir().unwrap(), object: None };
        place.open(change).unwrap();
        place
    }

    /// Ends the service, and opens the file again.
    fn open(&mut self, change: impl FnOnce(&mut Options)) -> Result<(), OpenError> {
        self.object = None;
        let path = self.folder.path().join("kv.db");
        let mut options = Options { access: Access::ReadWrite, ..Options::new(path) };
        change(&mut options);
        self.object = Some(serve(options)?.into_object());
        Ok(())
    }

    fn store(&self) -> Store {
        self.store_of("local", 0)
    }

    fn store_of(&self, principal: &str, session: u64) -> Store {
        self.store_of_caller(Caller::of(principal, session))
    }

    fn store_of_caller(&self, caller: Caller) -> Store {
        let object = Arc::clone(self.object.as_ref().unwrap());
        Store::from_portal(LocalSession::new(Capability::new(object), caller).root())
    }
}

#[track_caller]
fn raised<T>(outcome: Result<T, CallError<Error>>) -> Error {
    match outcome {
        Err(CallError::Raised(error)) => error,
        Err(CallError::Failed(failure)) => panic!("failed: {failure:?}"),
        Ok(_) => panic!("an exception was expected"),
    }
}

#[track_caller]
fn reason<T>(outcome: Result<T, CallError<Error>>) -> Reason {
    raised(outcome).kind
}

fn keys(store: &Store, prefix: &[u8]) -> Vec<Vec<u8>> {
    walk(|after| {
        let (page, last) = store.scan(prefix, after).unwrap();
        (page.into_iter().map(|entry| entry.key).collect(), last)
    })
}

/// All of a listing, page by page.
fn walk(page: impl Fn(&[u8]) -> (Vec<Vec<u8>>, bool)) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    loop {
        let (more, last) = page(all.last().map_or(b"", Vec::as_slice));
        assert!(last || !more.is_empty(), "an empty page that is not the last");
        all.extend(more);
        if last {
            return all;
        }
    }
}

#[test]
fn values_are_put_read_and_deleted() {
    let time = Arc::new(AtomicU64::new(5));
    let clock = Arc::clone(&time);
    let place = Place::with(|options| {
        options.clock = Arc::new(move || UNIX_EPOCH + Duration::from_nanos(clock.load(Ordering::Relaxed)));
    });
    let store = place.store();
    store.put(b"a", b"one").unwrap();
    let first = store.stat(b"a").unwrap();
    assert_eq!((first.size, first.modified), (3, 5));
    time.store(7, Ordering::Relaxed);
    store.put(b"a", b"").unwrap();
    let second = store.stat(b"a").unwrap();
    assert_eq!((second.size, second.modified), (0, 7));
    assert!(second.version > first.version);
    assert_eq!(store.fetch(b"a").unwrap(), (Vec::new(), second.version));
    assert!(store.delete(b"a").unwrap() && !store.delete(b"a").unwrap());
    assert_eq!(raised(store.get(b"a\n")).message, r#""a\n" does not exist"#);
    assert_eq!(reason(store.put(b"", b"x")), Reason::BadKey);
    let large = vec![0xFF; 65_536];
    store.put(&[b'k'; 512], &large).unwrap();
    assert_eq!(store.get(&[b'k'; 512]).unwrap(), large);
}

#[test]
fn numbers_are_their_text() {
    let place = Place::new();
    let store = place.store();
    assert_eq!((store.add(b"n", 3).unwrap(), store.add(b"n", -5).unwrap()), (3, -2));
    assert_eq!((store.get(b"n").unwrap(), store.get_int(b"n").unwrap()), (b"-2".to_vec(), -2));
    store.put_int(b"n", i64::MAX).unwrap();
    assert_eq!(reason(store.add(b"n", 1)), Reason::Overflow);
    assert_eq!(store.get_int(b"n").unwrap(), i64::MAX);
    store.put(b"t", b"text").unwrap();
    assert_eq!(reason(store.get_int(b"t")), Reason::NotANumber);
    assert_eq!(reason(store.add(b"t", 1)), Reason::NotANumber);
}

#[test]
fn a_swap_needs_the_version_that_is_there() {
    let place = Place::new();
    let store = place.store();
    let first = store.swap(b"a", 0, b"1").unwrap();
    assert_eq!(reason(store.swap(b"a", 0, b"2")), Reason::Conflict);
    let second = store.swap(b"a", first, b"2").unwrap();
    // What is deleted and made again has another version.
    store.delete(b"a").unwrap();
    store.put(b"a", b"2").unwrap();
    let told = raised(store.swap(b"a", second, b"3"));
    assert_eq!(told.kind, Reason::Conflict);
    assert!(told.message.ends_with(&format!("not {second}")), "{}", told.message);
    assert_eq!(store.get(b"a").unwrap(), b"2");
}

#[test]
fn listings_come_in_pages_and_in_order() {
    let place = Place::new();
    let store = place.store();
    let all = store.begin().unwrap();
    for number in 0..2_500 {
        all.put(format!("n{number:04}").as_bytes(), b"").unwrap();
    }
    for name in ["a", "m.x", "z"] {
        all.put(name.as_bytes(), b"v").unwrap();
    }
    all.commit().unwrap();
    assert_eq!(keys(&store, b"").len(), 2_503);
    let numbered = keys(&store, b"n");
    assert!(numbered.len() == 2_500 && numbered.is_sorted());
    let between = walk(|after| {
        let (page, last) = store.range(b"m.x", b"n0002", after).unwrap();
        (page.into_iter().map(|entry| entry.key).collect(), last)
    });
    assert_eq!(between, [&b"m.x"[..], b"n0000", b"n0001"]);
    assert_eq!(store.range(b"z", b"a", b"").unwrap(), (Vec::new(), true));
    assert_eq!(store.range(b"n2499", b"", b"").unwrap().0.len(), 2);
}

/// A page ends where a call has gone over as much as it may, however few entries that are.
#[test]
fn a_page_goes_over_so_many_bytes() {
    let place = Place::new();
    let store = place.store();
    for number in 0..40 {
        store.put(format!("{number:02}.k").as_bytes(), &[0; 65_536]).unwrap();
    }
    let (page, last) = store.scan(b"", b"").unwrap();
    assert!(!last && page.len() == 16, "{}", page.len());
    assert_eq!(keys(&store, b"").len(), 40);
    let (page, last) = store.prefixes(b"", b".", b"").unwrap();
    assert!(!last && page.len() == 16, "{}", page.len());
}

#[test]
fn prefixes_are_shown_once() {
    let place = Place::new();
    let store = place.store();
    for key in ["a", "a.", "a.b", "a.b.c", "ab", "b::c", "b::d::e", "c.\u{e4}"] {
        store.put(key.as_bytes(), b"").unwrap();
    }
    let shown = |store: &Store, prefix: &str, separator: &str| {
        let list = walk(|after| {
            let (page, last) = store.prefixes(prefix.as_bytes(), separator.as_bytes(), after).unwrap();
            (page.into_iter().map(|group| group.prefix).collect(), last)
        });
        String::from_utf8(list.join(&b' ')).unwrap()
    };
    assert_eq!(shown(&store, "", "."), "a a. ab b::c b::d::e c.");
    assert_eq!(shown(&store, "", "::"), "a a. a.b a.b.c ab b:: c.\u{e4}");
    assert_eq!(shown(&store, "a.", "."), "a. a.b a.b.");
    assert_eq!(shown(&store, "", ""), "a a. a.b a.b.c ab b::c b::d::e c.\u{e4}");
    assert_eq!(shown(&store.at(b"a").unwrap(), "", "."), ". b");
    let all = store.begin().unwrap();
    for number in 0..1_500 {
        all.put(format!("p{number}/x").as_bytes(), b"").unwrap();
    }
    all.commit().unwrap();
    assert_eq!(shown(&store, "p", "/").split(' ').count(), 1_500);
}

#[test]
fn a_narrow_store_names_nothing_else() {
    let place = Place::new();
    let store = place.store();
    store.put(b"user.", b"the prefix itself").unwrap();
    store.put(b"user.1", b"one").unwrap();
    store.put(b"other", b"no").unwrap();
    let users = store.narrow(b"user.", false).unwrap();
    assert_eq!((users.get(b"1").unwrap(), keys(&users, b"")), (b"one".to_vec(), vec![b"1".to_vec()]));
    users.put(b"2", b"two").unwrap();
    assert_eq!(store.get(b"user.2").unwrap(), b"two");
    assert_eq!(reason(users.get(b"user.1")), Reason::Missing);
    let read = store.at(b"user.:ro").unwrap();
    assert_eq!(read.get(b"2").unwrap(), b"two");
    assert_eq!(reason(read.put(b"2", b"x")), Reason::ReadOnly);
    assert_eq!(reason(read.at(b":rw").unwrap().delete(b"2")), Reason::ReadOnly);
    let transaction = read.begin().unwrap();
    assert_eq!(reason(transaction.put(b"2", b"x")), Reason::ReadOnly);
    let transaction = users.begin().unwrap();
    transaction.put(b"3", b"three").unwrap();
    transaction.commit().unwrap();
    assert_eq!(keys(&store, b"user").len(), 4);
}

fn counted(transaction: &Transaction) {
    transaction.put_int(b"n", transaction.get_int(b"n").unwrap() + 1).unwrap();
}

#[test]
fn a_transaction_is_made_at_one_moment_or_not() {
    let place = Place::new();
    let store = place.store();
    store.put_int(b"n", 1).unwrap();
    let (first, second) = (store.begin().unwrap(), store.begin().unwrap());
    counted(&first);
    counted(&second);
    assert_eq!((first.get_int(b"n").unwrap(), store.get_int(b"n").unwrap()), (2, 1));
    first.commit().unwrap();
    let told = raised(second.commit());
    assert_eq!(told.kind, Reason::Conflict);
    assert_eq!(told.message, r#""n" was changed by others since the transaction began; nothing was written"#);
    assert_eq!(reason(second.commit()), Reason::Ended);
    assert_eq!(reason(first.put(b"n", b"")), Reason::Ended);
    assert_eq!(store.get_int(b"n").unwrap(), 2);
    // What was not there counts as read, too; what was only written does not.
    let (reader, writer) = (store.begin().unwrap(), store.begin().unwrap());
    assert_eq!(reason(reader.get(b"new")), Reason::Missing);
    reader.put(b"seen", b"nothing").unwrap();
    writer.put(b"new", b"2").unwrap();
    store.put(b"new", b"1").unwrap();
    writer.commit().unwrap();
    assert_eq!(reason(reader.commit()), Reason::Conflict);
    assert_eq!((store.get(b"new").unwrap(), reason(store.get(b"seen"))), (b"2".to_vec(), Reason::Missing));
}

#[test]
fn a_transaction_sees_one_state_and_its_own_changes() {
    let place = Place::new();
    let store = place.store();
    store.put(b"a", b"1").unwrap();
    let transaction = store.begin().unwrap();
    store.put(b"a", b"2").unwrap();
    store.put(b"b", b"2").unwrap();
    assert_eq!(
        (transaction.get(b"a").unwrap(), reason(transaction.stat(b"b"))),
        (b"1".to_vec(), Reason::Missing)
    );
    transaction.put(b"a", b"33").unwrap();
    let own = transaction.stat(b"a").unwrap();
    assert_eq!((own.size, own.modified, own.version), (2, 0, 0));
    transaction.delete(b"a").unwrap();
    assert_eq!(reason(transaction.get(b"a")), Reason::Missing);
    transaction.abort().unwrap();
    assert_eq!(reason(transaction.abort()), Reason::Ended);
    assert_eq!(store.get(b"a").unwrap(), b"2");
}

/// Nobody waits for a transaction that stalls, and none may stall for ever.
#[test]
fn a_transaction_that_stalls_keeps_nobody_waiting() {
    let place = Place::with(|options| options.transaction_time = Duration::ZERO);
    let store = place.store();
    let stalled = store.begin().unwrap();
    store.put(b"a", b"1").unwrap();
    assert_eq!(reason(stalled.get(b"a")), Reason::Expired);
    assert_eq!(reason(stalled.commit()), Reason::Expired);
    let place = Place::new();
    let store = place.store();
    let stalled: Vec<_> = (0..16).map(|_| store.begin().unwrap()).collect();
    for transaction in &stalled {
        transaction.put(b"a", b"0").unwrap();
    }
    for number in 0..20 {
        store.put_int(b"a", number).unwrap();
    }
    assert_eq!(store.get_int(b"a").unwrap(), 19);
}

#[test]
fn transactions_are_bounded_and_what_is_dropped_is_aborted() {
    let place = Place::with(|options| options.transactions_max = 8);
    let (one, two) = (place.store_of("ann", 1), place.store_of("ann", 2));
    let (bob, eve) = (place.store_of("bob", 3), place.store_of("eve", 4));
    let mut held: Vec<_> = (0..4).map(|_| one.begin().unwrap()).collect();
    let told = raised(one.begin());
    assert_eq!(told.kind, Reason::Busy);
    assert!(told.message.contains("this session has 4 open"), "{}", told.message);
    held.extend((0..2).map(|_| two.begin().unwrap()));
    assert!(raised(two.begin()).message.contains("your sessions have 6 open"));
    let others = [bob.begin().unwrap(), bob.begin().unwrap()];
    assert!(raised(eve.begin()).message.contains("it has 8 open"));
    held[0].put(b"a", b"1").unwrap();
    held[1].abort().unwrap();
    let free = eve.begin().unwrap();
    drop(held);
    assert_eq!(reason(eve.get(b"a")), Reason::Missing);
    let again: Vec<_> = (0..4).map(|_| one.begin().unwrap()).collect();
    assert_eq!((again.len(), others.len()), (4, 2));
    free.commit().unwrap();
}

#[test]
fn one_process_leaves_some_transactions_to_the_others_of_its_user() {
    let place = Place::with(|options| options.transactions_max = 8);
    let of = |process, session| {
        place.store_of_caller(Caller { origin: Origin::Process(process), ..Caller::of("ann", session) })
    };
    let (one, two, other) = (of(7, 1), of(7, 2), of(8, 3));
    let mut held: Vec<_> = (0..2).flat_map(|_| [one.begin().unwrap(), two.begin().unwrap()]).collect();
    let told = raised(two.begin());
    let text = "begins no transaction now: this process has 4 open, as many as it may";
    assert!(told.kind == Reason::Busy && told.message.contains(text), "{}", told.message);
    let others = [other.begin().unwrap(), other.begin().unwrap()];
    assert!(raised(other.begin()).message.contains("your sessions have 6 open"));
    held.pop().unwrap().abort().unwrap();
    drop(others);
    two.begin().unwrap();
}

#[test]
fn a_transaction_holds_so_many_bytes() {
    let place = Place::new();
    let store = place.store();
    let transaction = store.begin().unwrap();
    let value = [0; 65_536];
    let each = value.len() + 2 + 64;
    for number in 0..TRANSACTION_BYTES / each {
        transaction.put(format!("{number:02}").as_bytes(), &value).unwrap();
    }
    // Writing over what was written takes no more.
    transaction.put(b"00", &value).unwrap();
    assert_eq!(reason(transaction.put(b"99", &value)), Reason::TooLarge);
    transaction.commit().unwrap();
    let transaction = store.begin().unwrap();
    let mut read = 0;
    while transaction.stat(format!("{read:09}").as_bytes()).is_err_and(|error| match error {
        CallError::Raised(error) => error.kind == Reason::Missing,
        CallError::Failed(_) => false,
    }) {
        read += 1;
    }
    assert_eq!(read, TRANSACTION_BYTES / (9 + 64));
}

#[test]
fn the_quota_counts_what_is_stored() {
    let mut place = Place::with(|options| options.quota = 1_000);
    let store = place.store();
    store.put(b"a", &[0; 435]).unwrap();
    store.put(b"b", &[0; 435]).unwrap();
    let told = raised(store.put(b"c", b""));
    assert_eq!(told.kind, Reason::Quota);
    assert_eq!(
        told.message,
        "the store was not changed: it would hold 1065 bytes instead of 1000, of a quota of 1000"
    );
    store.put(b"a", &[1; 435]).unwrap();
    assert!(store.delete(b"b").unwrap());
    store.put(b"c", b"").unwrap();
    let transaction = store.begin().unwrap();
    transaction.put(b"d", &[0; 300]).unwrap();
    transaction.put(b"e", &[0; 300]).unwrap();
    assert_eq!(reason(transaction.commit()), Reason::Quota);
    assert_eq!(keys(&store, b""), [b"a", b"c"]);
    // A smaller one later still lets people delete.
    drop(store);
    drop(transaction);
    place.open(|options| options.quota = 10).unwrap();
    let store = place.store();
    assert_eq!(reason(store.put(b"x", b"")), Reason::Quota);
    assert!(store.delete(b"a").unwrap());
}

#[test]
fn a_file_that_cannot_be_served_is_told() {
    let mut place = Place::new();
    place.store().put(b"a", b"1").unwrap();
    let path = place.folder.path().join("kv.db");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let twice = serve(Options { access: Access::ReadWrite, ..Options::new(&path) });
    assert_eq!(twice.unwrap_err().to_string(), "another process has opened it");
    place.open(|options| options.access = Access::ReadOnly).unwrap();
    assert_eq!(place.store().get(b"a").unwrap(), b"1");
    assert_eq!(reason(place.store().put(b"a", b"2")), Reason::ReadOnly);
    place.object = None;
    let whole = fs::read(&path).unwrap();
    let folder = place.folder.path();
    fs::write(folder.join("text"), "some text that is no database, and long enough to be one".repeat(100))
        .unwrap();
    fs::write(folder.join("cut"), &whole[..whole.len() / 2]).unwrap();
    fs::write(folder.join("begun"), &whole[..20]).unwrap();
    let mut other = redb::Database::create(folder.join("other")).unwrap().begin_write().unwrap();
    other.open_table(redb::TableDefinition::<u64, u64>::new("theirs")).unwrap();
    other.set_two_phase_commit(true);
    other.commit().unwrap();
    for access in [Access::ReadWrite, Access::ReadOnly] {
        let why = |name: &str| serve(Options { access, ..Options::new(folder.join(name)) }).unwrap_err();
        assert!(matches!(why(""), OpenError::Directory));
        assert!(matches!(why("text"), OpenError::NoDatabase), "{:?}", why("text"));
        assert!(matches!(why("other"), OpenError::OtherTables), "{:?}", why("other"));
        assert!(!why("cut").to_string().is_empty() && !why("begun").to_string().is_empty());
        assert!(matches!(why("no/such/folder"), OpenError::Io(_)));
    }
    let missing = serve(Options::new(folder.join("missing")));
    assert!(matches!(missing, Err(OpenError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound));
    assert!(!folder.join("missing").exists(), "reading makes nothing");
}

/// A file that others changed is refused, or served as far as it is whole; it never ends the server.
#[test]
fn a_file_that_was_changed_is_refused_or_whole() {
    let mut place = Place::new();
    let all = place.store().begin().unwrap();
    for number in 0..300 {
        all.put(format!("n{number:04}").as_bytes(), &[number as u8; 40]).unwrap();
    }
    all.commit().unwrap();
    drop(all);
    place.object = None;
    let path = place.folder.path().join("kv.db");
    let whole = fs::read(&path).unwrap();
    let used: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
    let mut refused = 0;
    for round in 0..FLIPS {
        let mut changed = whole.clone();
        changed[used[round * used.len() / FLIPS]] ^= 1 << (round % 8);
        fs::write(&path, changed).unwrap();
        for access in [Access::ReadWrite, Access::ReadOnly] {
            match serve(Options { access, ..Options::new(&path) }) {
                Ok(served) => {
                    let session = LocalSession::new(Capability::new(served.into_object()), Caller::local());
                    let store = Store::from_portal(session.root());
                    // An exception is an answer, too.
                    let _ = store.scan(b"", b"");
                    let _ = store.get(b"n0007");
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 0, "none was refused");
}

const FLIPS: usize = 200;
