//! Stores and transactions that the next service over the same file finds again.

use std::sync::Arc;
use std::time::Duration;

use carnet_kv::kv::{Store, Transaction};
use carnet_kv::{Access, Durability, Options, SturdyStores, serve};
use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::sturdy::Sturdy as _;

/// For as long as runs are kept unless a policy says another time.
const KEPT: Duration = Duration::from_secs(600);

fn opened(folder: &tempfile::TempDir, access: Access) -> Arc<dyn Object> {
    let options = Options { access, ..Options::new(folder.path().join("kv.db")) };
    serve(options).expect("a good file").into_object()
}

fn session(root: &Arc<dyn Object>) -> Arc<LocalSession> {
    LocalSession::new(Capability::new(Arc::clone(root)), Caller::local())
}

/// The name of what `make` makes in a service that ends then.
fn named(folder: &tempfile::TempDir, make: impl FnOnce(&Store) -> Portal) -> Vec<u8> {
    let root = opened(folder, Access::ReadWrite);
    let session = session(&root);
    let portal = make(&Store::from_portal(session.root()));
    let object = session.capability(portal.id()).expect("it is of this session");
    SturdyStores.name(&*root, &**object.object()).expect("it has a name")
}

fn found(root: &Arc<dyn Object>, name: &[u8]) -> Result<Portal, String> {
    let found = SturdyStores.find(&**root, name, &Caller::local())?;
    Ok(session(&found).root())
}

#[test]
fn stores_are_what_they_were() {
    let folder = tempfile::tempdir().expect("there is room");
    for read_only in [false, true] {
        let name = named(&folder, |store| {
            store.put(b"n.one", b"1").expect("there is room");
            store.narrow(b"n.", read_only).expect("it is short").portal().clone()
        });
        let root = opened(&folder, Access::ReadWrite);
        let store = Store::from_portal(found(&root, &name).expect("it is found"));
        assert_eq!(store.get(b"one").expect("it is there"), b"1");
        assert_eq!(store.put(b"two", b"2").is_err(), read_only);
    }
}

#[test]
fn a_database_is_known_again_and_told_from_others() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().expect("there is room"));
    let identity = |root: &Arc<dyn Object>| SturdyStores.identity(&**root);
    let of = |folder, access| identity(&opened(folder, access));
    let first = of(&folder, Access::ReadWrite).expect("it has one");
    assert_eq!(of(&folder, Access::ReadOnly), Ok(first.clone()));
    assert_eq!(of(&folder, Access::ReadWrite), Ok(first.clone()));
    assert_ne!(of(&other, Access::ReadWrite), Ok(first.clone()));
    // Not by its name.
    std::fs::rename(folder.path().join("kv.db"), other.path().join("kv.db")).expect("they are on one disk");
    let root = opened(&other, Access::ReadWrite);
    assert_eq!(identity(&root), Ok(first.clone()));
    let session = session(&root);
    let narrow = Store::from_portal(session.root()).narrow(b"n.", false).expect("it is short");
    let part = session.capability(narrow.portal().id()).expect("it is of this session");
    assert_ne!(identity(part.object()), Ok(first), "a part is another root");
    drop((part, narrow));
    let options = Options {
        access: Access::ReadWrite,
        durability: Durability::Memory,
        ..Options::new(folder.path().join("memory.db"))
    };
    let root = serve(options).expect("a good file").into_object();
    assert_eq!(identity(&root), Err("keeps changes in memory, which may be lost".to_owned()));
}

#[test]
fn transactions_go_on() {
    let folder = tempfile::tempdir().expect("there is room");
    let name = named(&folder, |store| {
        store.put_int(b"sum", 1).expect("there is room");
        store.put(b"gone", b"x").expect("there is room");
        let open = store.begin().expect("there is a place");
        open.put_int(b"sum", open.get_int(b"sum").expect("it is there") + 1).expect("there is room");
        open.delete(b"gone").expect("it is there");
        assert!(open.get(b"none").is_err());
        open.portal().clone()
    });
    let root = opened(&folder, Access::ReadWrite);
    let store = Store::from_portal(session(&root).root());
    // What it has not read may change.
    store.put(b"other", b"new").expect("there is room");
    let open = Transaction::from_portal(found(&root, &name).expect("it is found"));
    assert_eq!(open.get_int(b"sum").expect("it wrote that"), 2);
    assert!(open.get(b"gone").is_err());
    assert_eq!(open.get(b"other").expect("it is there"), b"new");
    assert_eq!(store.get_int(b"sum").expect("it is there"), 1);
    open.commit().expect("all is as it was");
    assert_eq!((store.get_int(b"sum").expect("it is there"), store.get(b"gone").is_err()), (2, true));
}

#[test]
fn transactions_whose_keys_were_changed_do_not() {
    for key in [&b"sum"[..], b"none"] {
        let folder = tempfile::tempdir().expect("there is room");
        let name = named(&folder, |store| {
            store.put_int(b"sum", 1).expect("there is room");
            let open = store.begin().expect("there is a place");
            open.get_int(b"sum").expect("it is there");
            assert!(open.get(b"none").is_err());
            open.portal().clone()
        });
        let root = opened(&folder, Access::ReadWrite);
        let store = Store::from_portal(session(&root).root());
        store.put(key, b"7").expect("there is room");
        let why = found(&root, &name).map(drop).expect_err("it was changed");
        assert!(why.contains("was changed by others since the transaction read it"), "{why}");
    }
}

/// It holds its keys against what is found by the commit, too.
#[test]
fn a_transaction_that_was_found_can_be_in_conflict() {
    let folder = tempfile::tempdir().expect("there is room");
    let name = named(&folder, |store| {
        store.put_int(b"sum", 1).expect("there is room");
        let open = store.begin().expect("there is a place");
        open.put_int(b"sum", open.get_int(b"sum").expect("it is there") + 1).expect("there is room");
        open.portal().clone()
    });
    let root = opened(&folder, Access::ReadWrite);
    let open = Transaction::from_portal(found(&root, &name).expect("it is found"));
    let store = Store::from_portal(session(&root).root());
    store.put_int(b"sum", 50).expect("there is room");
    assert!(open.commit().is_err());
    assert_eq!(store.get_int(b"sum").expect("it is there"), 50);
}

#[test]
fn transactions_that_are_over_stay_over() {
    let folder = tempfile::tempdir().expect("there is room");
    for (committed, why) in [(true, "is over: it was committed"), (false, "is over: it was aborted")] {
        let name = named(&folder, |store| {
            let open = store.begin().expect("there is a place");
            open.put(b"key", b"value").expect("there is room");
            if committed { open.commit() } else { open.abort() }.expect("it is open");
            open.portal().clone()
        });
        let root = opened(&folder, Access::ReadWrite);
        let over = Transaction::from_portal(found(&root, &name).expect("it is found"));
        let error = over.commit().expect_err("it is over");
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn names_give_no_more_than_the_root() {
    let folder = tempfile::tempdir().expect("there is room");
    let name = named(&folder, |store| store.narrow(b"n.", false).expect("it is short").portal().clone());
    let read_only = opened(&folder, Access::ReadOnly);
    let why = "its keys could be changed, and are now served for reading only";
    assert_eq!(found(&read_only, &name).map(drop), Err(why.to_owned()));
    drop(read_only);
    let root = opened(&folder, Access::ReadWrite);
    for len in 0..name.len() {
        assert!(found(&root, &name[..len]).is_err(), "{len}");
    }
    for name in [&[9, 1, 0, 0, 0, 0][..], &[1, 1, 0, 0, 0, 0, 9], &[0, 2, 0, 0, 0, 0], &[0xff; 40]] {
        assert!(found(&root, name).is_err(), "{name:?}");
    }
    // A number of keys that are not there takes no memory.
    assert!(found(&root, &[1, 1, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]).is_err());
}

/// Runs until the time of transactions that were begun before is over.
fn until_others_are_over(store: &Store, control: &Transaction) {
    while control.get(b"none").is_err_and(|error| !format!("{error:?}").contains("Expired")) {
        std::thread::yield_now();
    }
    // Who writes ends those whose time is over.
    store.put(b"other", b"new").expect("there is room");
}

/// A run that holds one is kept for longer than a transaction may take.
#[test]
fn a_transaction_that_a_kept_run_holds_has_no_end() {
    for changed in [false, true] {
        let folder = tempfile::tempdir().expect("there is room");
        let options = Options {
            access: Access::ReadWrite,
            transaction_time: std::time::Duration::from_millis(300),
            transactions_max: 4,
            ..Options::new(folder.path().join("kv.db"))
        };
        let root = serve(options).expect("a good file").into_object();
        let (first, second) = (session(&root), session(&root));
        let (store, other) = (Store::from_portal(first.root()), Store::from_portal(second.root()));
        store.put_int(b"sum", 1).expect("there is room");
        let held = store.begin().expect("there is a place");
        held.put_int(b"sum", held.get_int(b"sum").expect("it is there") + 1).expect("there is room");
        SturdyStores.keep(&**first.capability(held.portal().id()).expect("it is there").object(), KEPT);
        let control = other.begin().expect("there is a place");
        until_others_are_over(&store, &control);
        // A session may have two. The place of what is over is free, and so is that of what is kept.
        let both = [other.begin().expect("there is a place"), store.begin().expect("there is a place")];
        assert!(store.begin().is_err());
        drop(both);
        if changed {
            other.put_int(b"sum", 7).expect("there is room");
            let why = format!("{:?}", held.get(b"none").expect_err("what it read was changed"));
            assert!(why.contains("was changed by others"), "{why}");
            assert!(held.commit().is_err());
            assert_eq!(store.get_int(b"sum").expect("it is there"), 7);
            continue;
        }
        assert_eq!(held.get(b"other").expect("it sees what is there now"), b"new");
        assert_eq!(held.get_int(b"sum").expect("it wrote that"), 2);
        held.commit().expect("all is as it was");
        assert_eq!(store.get_int(b"sum").expect("it is there"), 2);
    }
}

/// One that goes on has the time of a new one, and one that is committed at once needs none.
#[test]
fn a_kept_transaction_that_goes_on_has_a_time_again_and_one_whose_run_is_gone_ends() {
    let folder = tempfile::tempdir().expect("there is room");
    let options = Options {
        access: Access::ReadWrite,
        transaction_time: std::time::Duration::from_millis(100),
        ..Options::new(folder.path().join("kv.db"))
    };
    let root = serve(options).expect("a good file").into_object();
    let session = session(&root);
    let store = Store::from_portal(session.root());
    let keep_for = |it: &Transaction, at_most| {
        SturdyStores.keep(&**session.capability(it.portal().id()).expect("it is there").object(), at_most);
    };
    let keep = |it: &Transaction| keep_for(it, KEPT);
    let [woken, parked, left] = [(); 3].map(|()| store.begin().expect("there is a place"));
    for one in [&woken, &parked] {
        one.put(b"k", b"v").expect("there is room");
        keep(one);
    }
    keep_for(&left, Duration::ZERO);
    let _ = woken.get(b"none");
    until_others_are_over(&store, &woken);
    keep(&woken);
    assert!(woken.commit().is_err(), "it is over, and keeping it does not bring it back");
    assert!(left.commit().is_err(), "its run is not kept any more, and nobody has used it since");
    parked.commit().expect("nothing that it read was changed");
    assert_eq!(store.get(b"k").expect("it is there"), b"v");
}

fn places(most: usize) -> (tempfile::TempDir, Arc<dyn Object>) {
    let folder = tempfile::tempdir().expect("there is room");
    let options = Options {
        access: Access::ReadWrite,
        transactions_max: most,
        ..Options::new(folder.path().join("kv.db"))
    };
    let root = serve(options).expect("a good file").into_object();
    (folder, root)
}

/// A principal with one session.
struct Client(Arc<LocalSession>, Store);

impl Client {
    fn new(root: &Arc<dyn Object>, principal: &str, session: u64) -> Client {
        let caller = Caller::of(principal, session);
        let session = LocalSession::new(Capability::new(Arc::clone(root)), caller);
        let store = Store::from_portal(session.root());
        Client(session, store)
    }

    fn begun(&self) -> Transaction {
        self.1.begin().expect("there is a place")
    }

    /// One that has written `key`, and that a kept run holds.
    fn kept(&self, key: &[u8]) -> Transaction {
        let kept = self.begun();
        kept.put(key, b"kept").expect("there is room");
        SturdyStores.keep(&**self.0.capability(kept.portal().id()).expect("it is there").object(), KEPT);
        kept
    }
}

fn displaced(transaction: &Transaction) -> bool {
    let ended = transaction.put(b"more", b"v").err().map(|error| error.to_string());
    ended.is_some_and(|error| error.contains("is over: kept runs held more than may be kept"))
}

#[test]
fn kept_transactions_take_no_places_and_need_one_to_go_on() {
    let (_folder, root) = places(4);
    let [ann, bob, eve] =
        [("ann", 1), ("bob", 2), ("eve", 3)].map(|(name, session)| Client::new(&root, name, session));
    let kept = [&b"a"[..], b"b", b"c"].map(|key| ann.kept(key));
    let of_bob = [bob.begun(), bob.begun()];
    let of_eve = [eve.begun(), eve.begun()];
    // What is used again needs a place, and waits for one as it was.
    for _ in 0..2 {
        let told = kept[0].put(b"more", b"v").expect_err("all places are taken").to_string();
        assert!(told.contains("begins no transaction now: it has 4 open"), "{told}");
    }
    // What is committed at once does not.
    kept[1].commit().expect("it read nothing");
    drop(of_eve);
    kept[0].put(b"more", b"v").expect("there is a place");
    // It is used, as those that were begun now are.
    assert!(matches!((eve.1.begin(), eve.1.begin()), (Ok(_), Err(_))));
    kept[0].commit().expect("it read nothing");
    assert_eq!(bob.1.get(b"more").expect("it is there"), b"v");
    drop(of_bob);
    assert!(!displaced(&kept[2]));
}

#[test]
fn who_keeps_too_many_transactions_loses_his_own() {
    let (_folder, root) = places(4);
    let [ann, bob, eve] =
        [("ann", 1), ("bob", 2), ("eve", 3)].map(|(name, session)| Client::new(&root, name, session));
    // Three quarters of what may be kept, and one more.
    let mut of_ann: Vec<Transaction> =
        [&b"a"[..], b"b", b"c", b"d"].into_iter().map(|key| ann.kept(key)).collect();
    assert!(displaced(&of_ann[0]));
    // With this all four are kept; the next takes the place of one of who has most.
    let of_bob = bob.kept(b"bob");
    let of_eve = eve.kept(b"eve");
    assert!(displaced(&of_ann[1]));
    let left = of_ann.split_off(2);
    for transaction in left.iter().chain([&of_bob, &of_eve]) {
        transaction.commit().expect("it is kept, and read nothing");
    }
    for key in [&b"c"[..], b"d", b"bob", b"eve"] {
        assert_eq!(ann.1.get(key).expect("it was written"), b"kept");
    }
    assert!(ann.1.get(b"a").is_err() && ann.1.get(b"b").is_err());
}
