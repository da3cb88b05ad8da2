//! The programs for the key-value service, against the same done by single calls.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use carnet_kv::kv::Store;
use carnet_program::protocol::{End, RunOptions};
use carnet_programs::{BUMP_ALL, COUNT_BY_PREFIX, EXPIRE, MOVE_PREFIX};

use crate::served::{Aged, Result, calls, result};

/// All keys with their values, as single calls see them.
pub(crate) fn all(store: &Store) -> BTreeMap<Vec<u8>, Vec<u8>> {
    keys(store).into_iter().map(|key| (key.clone(), store.get(&key).expect("it is there"))).collect()
}

fn keys(store: &Store) -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    loop {
        let after = keys.last().cloned().unwrap_or_default();
        let (page, last) = store.scan(b"", &after).expect("a page");
        keys.extend(page.into_iter().map(|entry| entry.key));
        if last {
            return keys;
        }
    }
}

pub(crate) fn fill(store: &Store, values: impl IntoIterator<Item = (String, String)>) {
    let transaction = store.begin().expect("there is room");
    for (key, value) in values {
        transaction.put(key.as_bytes(), value.as_bytes()).expect("a value");
    }
    transaction.commit().expect("nobody else writes");
}

fn numbers(count: i64) -> impl Iterator<Item = (String, String)> {
    (0..count).map(|number| (format!("hits.{number:04}"), (number * 3).to_string()))
}

fn two(result: &mut Result<'_>) -> (i64, i64) {
    (result.int(), result.int())
}

#[test]
fn bump_all_does_what_single_calls_do_in_one_commit() {
    let (ours, theirs) = (Aged::keys().served, Aged::keys().served);
    for store in [ours.store(), theirs.store()] {
        fill(&store, numbers(1_000).chain([("other".to_owned(), "5".to_owned())]));
    }
    let single = theirs.store().begin().expect("there is room");
    for key in keys(&theirs.store()).iter().filter(|key| key.starts_with(b"hits.")) {
        single.put_int(key, single.get_int(key).expect("a number") + 7).expect("a value");
    }
    single.commit().expect("nobody else writes");
    let outcome = ours.run(BUMP_ALL, &["store=hits.", "by=7"]);
    assert_eq!(outcome.end, End::Done, "{:?}", outcome.call);
    assert_eq!(result(&outcome, two), (1_000, 999 * 500 * 3 + 7_000));
    assert_eq!(all(&ours.store()), all(&theirs.store()));
    assert_eq!((calls(&outcome, "scan"), calls(&outcome, "commit")), (1, 1));
}

#[test]
fn what_is_no_number_leaves_all_as_they_were() {
    let served = Aged::keys().served;
    fill(&served.store(), numbers(10).chain([("hits.9999".to_owned(), "many".to_owned())]));
    let before = all(&served.store());
    let outcome = served.run(BUMP_ALL, &["store=hits."]);
    assert!(matches!(outcome.end, End::CallFailed { .. }), "{:?}", outcome.end);
    assert_eq!(all(&served.store()), before);
    // What it held is free again: as many as one session may have can begin.
    let begun: Vec<_> = (0..32).map(|_| served.store().begin().expect("there is room")).collect();
    assert_eq!(begun.len(), 32);
}

#[test]
fn move_prefix_renames_all_or_none() {
    let served = Aged::keys().served;
    let value = |key: &str| (key.to_owned(), format!("of {key}"));
    fill(&served.store(), ["a.1", "a.2", "a.a.3", "ab", "b.2"].map(value));
    let moved = |from: &str, to: &str| {
        served.run(MOVE_PREFIX, &["store=", &format!("old={from}"), &format!("new={to}")])
    };
    let before = all(&served.store());
    let taken = moved("a.", "b.");
    let End::Failed { .. } = taken.end else { panic!("it ended so: {:?}", taken.end) };
    assert_eq!(all(&served.store()), before, "nothing was moved");
    for (from, to) in [("a.", "c."), ("c.", "c.d."), ("nothing", "x"), ("", "all/"), ("all/", "all/")] {
        let wanted: BTreeMap<_, _> = all(&served.store())
            .into_iter()
            .map(|(key, value)| match key.strip_prefix(from.as_bytes()) {
                Some(rest) => ([to.as_bytes(), rest].concat(), value),
                None => (key, value),
            })
            .collect();
        let outcome = moved(from, to);
        assert_eq!(outcome.end, End::Done, "{from} to {to}: {:?}", outcome.call);
        assert_eq!(all(&served.store()), wanted, "{from} to {to}");
    }
    assert!(served.store().get(b"all/c.d.a.3").is_ok());
}

#[test]
fn expire_deletes_what_is_old_and_nothing_else() {
    let Aged { served, age } = Aged::keys();
    age.store(40 * 86_400, Ordering::Relaxed);
    fill(&served.store(), numbers(1_500));
    fill(&served.store(), [("other".to_owned(), "old, too".to_owned())]);
    age.store(20 * 86_400, Ordering::Relaxed);
    fill(&served.store(), (1_400..1_600).map(|number| (format!("hits.{number}"), "young".to_owned())));
    let before = all(&served.store());
    let dry = RunOptions { dry: true, ..RunOptions::default() };
    let would = served.run_with(EXPIRE, &["store=hits."], dry);
    assert_eq!(
        (would.end.clone(), result(&would, |gone| gone.int())),
        (End::Done, 1_400),
        "{:?}",
        would.call
    );
    assert_eq!(all(&served.store()), before, "a dry run changes nothing");
    let wanted: Vec<_> =
        before.into_keys().filter(|key| !key.starts_with(b"hits.") || key[..] >= b"hits.1400"[..]).collect();
    assert_eq!(served.done(EXPIRE, &["store=hits."], |gone| gone.int()), 1_400);
    assert_eq!(keys(&served.store()), wanted);
    assert_eq!(served.done(EXPIRE, &["store=", "age=30d"], |gone| gone.int()), 1);
    assert_eq!(served.done(EXPIRE, &["store=", "age=30d"], |gone| gone.int()), 0);
    assert_eq!(keys(&served.store()).len(), 200);
}

#[test]
fn expire_stops_at_as_many_as_it_says() {
    let Aged { served, age } = Aged::keys();
    age.store(40 * 86_400, Ordering::Relaxed);
    fill(&served.store(), numbers(5_010));
    assert_eq!(served.done(EXPIRE, &["store="], |gone| gone.int()), 5_000);
    assert_eq!(keys(&served.store()).len(), 10);
}

/// As many keys, of the longest names, as all that one transaction may read and write could not hold.
#[test]
fn expire_commits_in_portions_that_fit() {
    let Aged { served, age } = Aged::keys();
    age.store(40 * 86_400, Ordering::Relaxed);
    let long = |number: i64| (format!("{number:0>512}"), String::new());
    for first in (0..5_010).step_by(1_000) {
        fill(&served.store(), (first..5_010.min(first + 1_000)).map(long));
    }
    let outcome = served.run(EXPIRE, &["store="]);
    assert_eq!(outcome.end, End::Done, "{:?}", outcome.call);
    assert_eq!(result(&outcome, |gone| gone.int()), 5_000);
    assert_eq!((calls(&outcome, "delete"), calls(&outcome, "commit")), (5_000, 6));
    let left: Vec<_> = (5_000..5_010).map(|number| long(number).0.into_bytes()).collect();
    assert_eq!(keys(&served.store()), left);
    assert_eq!(served.done(EXPIRE, &["store="], |gone| gone.int()), 10);
}

#[test]
fn counts_are_those_of_all_keys() {
    let served = Aged::keys().served;
    let names =
        ["plain", "also", "a.", "a.b", "a.b.c", "b:c", "b:c.d"].map(|key| (key.to_owned(), key.repeat(3)));
    fill(&served.store(), numbers(1_200).chain(names));
    for separator in [".", ":", "b", "nowhere"] {
        let mut wanted: BTreeMap<(bool, Vec<u8>), (i64, i64)> = BTreeMap::new();
        for (key, value) in all(&served.store()) {
            let text = String::from_utf8(key).expect("text");
            let prefix =
                text.split_once(separator).map_or(String::new(), |(first, _)| format!("{first}{separator}"));
            let count = wanted.entry((prefix.is_empty(), prefix.into_bytes())).or_default();
            *count = (count.0 + 1, count.1 + value.len() as i64);
        }
        let wanted: Vec<_> =
            wanted.into_iter().map(|((_, prefix), (keys, bytes))| (prefix, keys, bytes)).collect();
        let counts = |result: &mut Result<'_>| result.list(|one| (one.text(), one.int(), one.int()));
        let separator = format!("separator={separator}");
        assert_eq!(served.done(COUNT_BY_PREFIX, &["store=", &separator], counts), wanted, "{separator}");
    }
}
