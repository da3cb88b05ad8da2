//! A process that is killed is a directory that is copied: what was stored before is there.

use std::collections::BTreeMap;
use std::fs;

use carnet_idl::descriptor::{Layout, Word};
use carnet_portal::call::{Area, Areas, Ref};

use super::*;

pub(super) mod killed;

const BOUNDS: Bounds = Bounds { places: 3, programs: 4, program_bytes: 1 << 20 };
const PROGRAM: &[u8] = b"bytecode";

const RESUMED: Resumed = Resumed { stop: 1, changes: [9; 32] };

fn who(id: u128) -> Who {
    Who {
        principal: "alice".into(),
        id,
        digest: 7,
        name: "nightly".to_owned(),
        stops: 0,
        serial: 0,
        resumed: None,
    }
}

fn begin(journal: &Arc<Journal>, id: u128) -> Record {
    journal.begin(who(id), &crate::bill::hash(PROGRAM), PROGRAM).expect("there is a place")
}

fn open(dir: &Path) -> (Arc<Journal>, Found) {
    Journal::open(dir, &BOUNDS).expect("it is as it was left")
}

/// What is kept of a run at a stop.
fn kept(stop: u32) -> Kept {
    Kept {
        stop,
        until_s: u64::MAX,
        hash: crate::bill::hash(PROGRAM),
        program: "nightly".to_owned(),
        written: 0,
        memento: Err("it is not needed".to_owned()),
    }
}

/// The same files somewhere else.
fn killed(dir: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("there is room");
    for below in ["programs", "kept"] {
        fs::create_dir(copy.path().join(below)).expect("it is new");
    }
    for (name, bytes) in files(dir) {
        fs::write(copy.path().join(name), bytes).expect("there is room");
    }
    copy
}

type Files = BTreeMap<String, Vec<u8>>;

fn files(dir: &Path) -> Files {
    let mut files = BTreeMap::new();
    for (of, prefix) in
        [(dir.to_owned(), ""), (dir.join("programs"), "programs/"), (dir.join("kept"), "kept/")]
    {
        for entry in fs::read_dir(of).expect("it is there").flatten().filter(|entry| entry.path().is_file()) {
            let name = format!("{prefix}{}", entry.file_name().to_str().expect("names are plain"));
            files.insert(name, fs::read(entry.path()).expect("it is there"));
        }
    }
    files
}

fn layout() -> Layout {
    let ins = vec![Word::String { max: 100 }, Word::Int { bits: 64, signed: true }];
    Layout { ins, ..Layout::default() }
}

/// A call of the second of three operations, with a text and a number.
fn call(record: &mut Record, text: &str, number: u64, counts: [u64; 3]) {
    let areas = Areas { list: vec![Area { bytes: text.into(), words: Vec::new() }] };
    let words = [Ref::new(0, 0, text.len()).expect("it is short").0, number];
    record.call(&Call {
        pc: 9,
        op: 1,
        layout: &layout(),
        words: &words,
        areas: &areas,
        counts: &counts,
        failed: &[],
    });
}

/// The one run that was under way.
fn left(dir: &Path) -> Left {
    let (_, found) = open(killed(dir).path());
    let [left] = <[Left; 1]>::try_from(found.left).expect("one was under way");
    left
}

/// Its place was another run's before, whose calls are not its own.
#[test]
fn a_run_that_goes_on_with_the_next_server_has_made_no_calls_of_another() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let (mut other, mut record) = (begin(&journal, 5), begin(&journal, 6));
    call(&mut other, "the other's", 1, [0, 1, 0]);
    journal.ended(&mut other, b"in doubt");
    journal.ended(&mut record, b"stopped");
    let next = killed(dir.path());
    let (journal, _) = open(next.path());
    let mut record = journal.kept_again(record.who(), &kept(1)).expect("there is a place");
    record.go_on(RESUMED);
    assert_eq!(left(next.path()).last, None);
}

#[test]
fn what_a_run_was_doing_is_known_after_each_step() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, found) = open(dir.path());
    assert!(found.left.is_empty() && found.ended.is_empty());
    let mut record = begin(&journal, 5);
    let found = left(dir.path());
    assert_eq!((found.who, found.last), (who(5), None));
    for (n, failed) in [(1, false), (2, true), (3, false)] {
        call(&mut record, "über", n, [4, n, 0]);
        let begun = left(dir.path()).last.expect("a call had begun");
        assert_eq!((begun.ended, begun.written), (CallEnd::InDoubt, 100 * (n - 1)));
        assert_eq!((begun.pc, begun.op, &*begun.counts, &*begun.failed), (9, 1, &[4, n, 0][..], &[0; 3][..]));
        assert_eq!((&*begun.texts, begun.words[1]), ("über".as_bytes(), n));
        assert_eq!(Ref(begun.words[0]).len(), 5);
        record.returned(failed, 100);
        let back = left(dir.path()).last.expect("a call had begun");
        let ended = if failed { CallEnd::Failed } else { CallEnd::Returned };
        assert_eq!(back, Last { ended, written: 100 * n, ..begun });
    }
    journal.ended(&mut record, b"outcome");
    let copy = killed(dir.path());
    let (_, found) = open(copy.path());
    assert!(found.left.is_empty(), "its outcome is known");
    assert_eq!(found.ended, [Entry { who: who(5), outcome: Arc::from(&b"outcome"[..]) }]);
}

/// It is as if it had not begun: the call before it is the last one.
#[test]
fn a_call_that_was_not_sent_is_not_in_the_place() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let mut record = begin(&journal, 5);
    call(&mut record, "first", 1, [0, 1, 0]);
    record.was_not_sent();
    assert_eq!(left(dir.path()).last, None);
    call(&mut record, "first", 1, [0, 1, 0]);
    record.returned(false, 8);
    let first = left(dir.path()).last;
    for _ in 0..2 {
        call(&mut record, "second", 2, [0, 2, 0]);
        record.was_not_sent();
        assert_eq!(left(dir.path()).last, first);
    }
    call(&mut record, "second", 2, [0, 2, 0]);
    let second = left(dir.path()).last.expect("a call had begun");
    assert_eq!((second.ended, second.counts[1], second.written), (CallEnd::InDoubt, 2, 8));
}

#[test]
fn a_run_that_went_on_is_under_way_since_its_last_stop() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let mut record = begin(&journal, 5);
    call(&mut record, "", 1, [0, 1, 0]);
    record.returned(false, 8);
    journal.ended(&mut record, b"stopped");
    record.go_on(RESUMED);
    let found = left(dir.path());
    assert_eq!(found.who.stops, 1);
    assert_eq!(found.last.map(|last| (last.ended, last.written)), Some((CallEnd::Returned, 8)));
    journal.ended(&mut record, b"done");
    let stops: Vec<u32> = open(killed(dir.path()).path()).1.ended.iter().map(|e| e.who.stops).collect();
    assert_eq!(stops, [0, 1]);
}

#[test]
fn texts_are_cut_and_long_names_have_no_place() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let mut record = begin(&journal, 1);
    call(&mut record, &"ü".repeat(400), 1, [0, 1, 0]);
    let last = left(dir.path()).last.expect("a call had begun");
    assert_eq!(last.texts, "ü".repeat(128).as_bytes());
    let long = Who { principal: "x".repeat(257).into(), ..who(2) };
    assert!(journal.begin(long, &crate::bill::hash(PROGRAM), PROGRAM).is_err());
    drop(record);
    // Its place and its pin were given back.
    let all: Vec<Record> = (0..3).map(|id| begin(&journal, id)).collect();
    let full = journal.begin(who(9), &crate::bill::hash(PROGRAM), PROGRAM);
    assert_eq!(full.map(|_| ()), Err("all places are taken".to_owned()));
    drop(all);
    begin(&journal, 9);
}

/// It is as if its program had never been there, also when another run brings it again.
#[test]
fn a_run_whose_program_is_lost_takes_no_pin_of_others() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let _record = begin(&journal, 5);
    let copy = killed(dir.path());
    let hash = crate::bill::hash(PROGRAM);
    let file = copy.path().join("programs").join(crate::text::hex(&hash));
    fs::remove_file(&file).expect("it is there");
    let (journal, found) = open(copy.path());
    let lost = journal.again(&found.left[0]);
    let needs_it = begin(&journal, 6);
    drop(lost);
    // More than there is room for; those that were not used for longest go.
    let keep_others = || {
        (0..=BOUNDS.programs as u8).for_each(|n| journal.keep_program(&crate::bill::hash(&[n]), &[n]));
    };
    keep_others();
    assert_eq!(journal.needed(&hash), Ok(PROGRAM.to_vec()));
    drop(needs_it);
    keep_others();
    assert!(!file.exists(), "nobody needs it any more");
}

#[test]
fn another_number_of_places_waits_until_none_is_taken() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let record = begin(&journal, 5);
    let copy = killed(dir.path());
    drop(record);
    drop(journal);
    for (dir, places) in [(copy.path(), 3), (dir.path(), 1)] {
        let (journal, found) =
            Journal::open(dir, &Bounds { places: 1, ..BOUNDS }).expect("it is as it was left");
        let records: Vec<Record> = found.left.iter().map(|left| journal.again(left)).collect();
        drop(records);
        let all: Vec<Record> = (0..places).map(|id| begin(&journal, id)).collect();
        assert!(journal.begin(who(9), &crate::bill::hash(PROGRAM), PROGRAM).is_err());
        drop(all);
    }
}

/// What is cut, edited, missing or of another version is refused, and stays as it is.
#[test]
fn damaged_files_are_refused_and_not_touched() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let mut ended = begin(&journal, 1);
    journal.ended(&mut ended, b"outcome");
    let mut record = begin(&journal, 2);
    call(&mut record, "text", 3, [1, 2, 3]);
    record.returned(false, 9);
    let good = files(dir.path());
    let refused = |what: &str, change: &dyn Fn(&mut Files)| {
        let copy = killed(dir.path());
        let mut files_now = good.clone();
        change(&mut files_now);
        for name in good.keys().filter(|name| !files_now.contains_key(*name)) {
            fs::remove_file(copy.path().join(name)).expect("it is there");
        }
        for (name, bytes) in &files_now {
            fs::write(copy.path().join(name), bytes).expect("there is room");
        }
        let error = match Journal::open(copy.path(), &BOUNDS) {
            Ok(found) => panic!("{what}: {:?}", found.1),
            Err(error) => error.to_string(),
        };
        assert!(files(copy.path()) == files_now, "{what}: {error}: something was changed");
        error
    };
    let of = |name: &str, edit: fn(&mut Vec<u8>)| {
        let name = name.to_owned();
        move |files: &mut Files| edit(files.get_mut(&name).expect("it is there"))
    };
    let cut = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 1);
    assert_eq!(refused("cut journal", &of("journal", cut)), "journal is cut off");
    assert_eq!(refused("empty journal", &of("journal", Vec::clear)), "journal is cut off");
    assert_eq!(refused("cut outcomes", &of("outcomes.0", cut)), "outcomes.0 is cut off");
    let longer: fn(&mut Vec<u8>) = |bytes| bytes.push(b'x');
    let place_more = |bytes: &mut Vec<u8>| bytes.extend([0; PLACE_BYTES]);
    for error in [refused("a byte", &of("journal", longer)), refused("a place", &of("journal", place_more))] {
        assert_eq!(error, "journal is longer than it was left");
    }
    let again = |bytes: &mut Vec<u8>| bytes.extend_from_within(..);
    let part: fn(&mut Vec<u8>) = |bytes| bytes.extend_from_within(..40);
    let zeros: fn(&mut Vec<u8>) = |bytes| bytes.extend([0; 4096]);
    for (what, end) in [("a byte", longer), ("a part of it", part), ("zeros", zeros)] {
        assert_eq!(
            refused(what, &of("outcomes.0", end)),
            "outcomes.0 is not as it was left: what is behind its last outcome, no server was writing"
        );
    }
    let error = refused("its outcome twice", &of("outcomes.0", again));
    assert!(error.starts_with("journal is of an earlier time than outcomes.0"), "{error}");
    for version in [5, 99] {
        assert_eq!(
            refused("version", &|files| files.get_mut("journal").expect("it is there")[8] = version),
            format!("its files are of version {version}, and this server knows version 6")
        );
    }
    assert_eq!(refused("no journal", &of("journal", |bytes| bytes[0] = b'C')), "journal is no journal");
    for missing in ["journal", "outcomes.0"] {
        let error = refused(missing, &|files| _ = files.remove(missing));
        assert!(error.contains("missing") || error.contains("cut off"), "{error}");
    }
    for at in 0..good["outcomes.0"].len() {
        let error = refused("a byte of the outcomes", &|files| {
            files.get_mut("outcomes.0").expect("it is there")[at] ^= 4;
        });
        assert!(error.starts_with("outcomes.0 is not as it was left"), "{error}");
    }
    // Words of the header and of a place, edited so that less counts than did.
    let (first, second) = (HEADER_BYTES, HEADER_BYTES + PLACE_BYTES);
    for at in [at::KEY, at::PLACES, at::COMMITTED, first, first + 24, second, second + 8, second + 24] {
        let error = refused("a word of 0", &|files| {
            files.get_mut("journal").expect("it is there")[at..at + 8].fill(0);
        });
        assert!(error.contains(" is not as it was left"), "{at}: {error}");
    }
    let less = refused("less of the outcomes", &|files| {
        files.get_mut("journal").expect("it is there")[at::COMMITTED..at::COMMITTED + 5].fill(0);
    });
    assert_eq!(less, "journal is not as it was left: how much of the outcomes counts");
    let rests = good["journal"][first..first + 8].to_vec();
    refused("the state of another place", &|files| {
        files.get_mut("journal").expect("it is there")[second..second + 8].copy_from_slice(&rests);
    });
    // Everything that was ever written in the place of the run under way, which is the second.
    let place = HEADER_BYTES + PLACE_BYTES;
    let written = good["journal"][place..place + PLACE_BYTES].iter().enumerate();
    for at in written.filter(|(_, byte)| **byte != 0).map(|(at, _)| place + at) {
        let error = refused("a byte of the place", &|files| {
            files.get_mut("journal").expect("it is there")[at] ^= 4;
        });
        assert!(error.starts_with("journal is not as it was left"), "{error}");
    }
}

/// A server was killed in the middle of an outcome: what it had written of it is no outcome, and anything else there is no part of it.
#[test]
fn a_torn_end_is_a_part_of_what_was_being_written() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    journal.ended(&mut begin(&journal, 1), b"first");
    let (mut second, moments) = (begin(&journal, 2), killed::moments_of(dir.path()));
    journal.ended(&mut second, b"second");
    let writing = moments().swap_remove(0);
    let (first, all) = (writing["outcomes.0"].len(), files(dir.path())["outcomes.0"].clone());
    let with = |outcomes: &[u8]| {
        let copy = killed::directory(&writing);
        fs::write(copy.path().join("outcomes.0"), outcomes).expect("there is room");
        let before = files(copy.path());
        let found = Journal::open(copy.path(), &BOUNDS).map(|(_, found)| found);
        let now = files(copy.path());
        assert!(found.is_ok() || now == before, "something was changed");
        let found = found.map_err(|why| why.to_string())?;
        Ok((found.ended.len(), found.left.len(), now["outcomes.0"].len()))
    };
    for len in first..all.len() {
        assert_eq!(with(&all[..len]), Ok((1, 1, first)), "{len}: it is cut off");
    }
    assert_eq!(with(&all), Ok((2, 1, all.len())));
    let why = "outcomes.0 is not as it was left: what is behind its last outcome, no server was writing";
    assert_eq!(with(&[&all[..], b"x"].concat()), Err(why.to_owned()), "behind all of it");
    for at in first..all.len() {
        let mut edited = all.clone();
        edited[at] ^= 4;
        assert_eq!(with(&edited), Err(why.to_owned()), "byte {at}");
        // The beginning says what the whole is; what is behind it does not count.
        if at < first + 12 {
            assert_eq!(with(&edited[..all.len() - 1]), Err(why.to_owned()), "byte {at}");
        }
    }
}

/// A place that rests tells nothing, but its run is kept: what says whose place it is, is held against that.
#[test]
fn the_place_of_a_kept_run_is_held_against_it() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let mut record = begin(&journal, 5);
    assert!(journal.keep(&mut record, &kept(1)));
    journal.ended(&mut record, b"stopped");
    let next = killed(dir.path());
    // The next server has put it to another place, which was no run's before.
    let (journal, found) = open(next.path());
    let _elsewhere = begin(&journal, 6);
    let _record = journal.kept_again(&found.ended[0].who, &kept(1)).expect("there is a place");
    for (dir, place) in [(dir.path(), 0), (next.path(), 1)] {
        let good = files(dir);
        let head = HEADER_BYTES + place * PLACE_BYTES + 64;
        // Its check, of which run there is a file, and all of the head.
        for at in (head - 48..head - 32).chain(head..head + 448) {
            let copy = killed(dir);
            let mut edited = good["journal"].clone();
            edited[at] ^= 1;
            fs::write(copy.path().join("journal"), &edited).expect("there is room");
            let why = Journal::open(copy.path(), &BOUNDS).map(|_| ()).map_err(|why| why.to_string());
            let what = if at < head - 40 || at >= head { "the head" } else { "the kept file" };
            assert_eq!(why, Err(format!("journal is not as it was left: {what} of place {place}")), "{at}");
            assert!(fs::read(copy.path().join("journal")).expect("it is there") == edited);
        }
        assert_eq!(open(killed(dir).path()).1.kept, HashSet::from([0]));
    }
}

/// A run that was begun and has no outcome yet has left its program.
#[test]
fn a_journal_that_is_missing_or_cut_is_missed_without_outcomes() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let _record = begin(&journal, 1);
    for len in [None, Some(0), Some(4_000)] {
        let copy = killed(dir.path());
        let file = copy.path().join("journal");
        match len {
            None => fs::remove_file(&file).expect("it is there"),
            Some(len) => {
                File::options().write(true).open(&file).expect("it is there").set_len(len).expect("it is cut")
            }
        }
        let error = Journal::open(copy.path(), &BOUNDS).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(error, Err("journal is cut off".to_owned()), "{len:?}");
    }
}

/// The place of the first says that it is under way: it was killed before it said otherwise.
#[test]
fn runs_of_the_same_identity_are_told_apart() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let mut first = begin(&journal, 5);
    journal.ended(&mut first, b"outcome");
    drop(first);
    let _second = begin(&journal, 5);
    let serial = |who: &Who| who.serial;
    let copy = killed(dir.path());
    let (next, found) = open(copy.path());
    assert_eq!((serial(&found.ended[0].who), serial(&found.left[0].who)), (0, 1));
    let _third = begin(&next, 5);
    let copy = killed(copy.path());
    let serials: Vec<u64> = open(copy.path()).1.left.iter().map(|left| left.who.serial).collect();
    assert_eq!(serials.iter().max(), Some(&2), "the next server goes on counting: {serials:?}");
}

#[test]
fn one_server_at_a_time() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let second = Journal::open(dir.path(), &BOUNDS).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(second, Err("another server uses it".to_owned()));
    drop(journal);
    open(dir.path());
}

#[test]
fn outcomes_are_written_anew_while_others_are_added() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let outcome = vec![b'x'; 64 << 10];
    let mut written = 0;
    while !journal.is_long() {
        written += 1;
        journal.ended(&mut begin(&journal, written), &outcome);
    }
    assert!(written >= 16 && !journal.is_long(), "it is said once");
    // What ends after the clock was read is not in what may be forgotten.
    let clock = || {
        journal.ended(&mut begin(&journal, 999), b"behind the clock");
        0
    };
    journal.shorten(clock, |entries| {
        assert_eq!(entries.len() as u128, written);
        journal.ended(&mut begin(&journal, 1_000), b"meanwhile");
        entries.into_iter().skip(written as usize - 2).collect()
    });
    journal.ended(&mut begin(&journal, 1_001), b"behind");
    let ids = |dir: &Path| open(dir).1.ended.iter().map(|entry| entry.who.id).collect::<Vec<_>>();
    let expected = [written - 1, written, 999, 1_000, 1_001];
    assert_eq!(ids(killed(dir.path()).path()), expected);
    assert!(!dir.path().join("outcomes.0").exists());
    // A server that was killed before the new file counted has left it.
    let copy = killed(dir.path());
    fs::write(copy.path().join("outcomes.2"), "half of it").expect("there is room");
    assert_eq!(ids(copy.path()), expected);
    assert!(!copy.path().join("outcomes.2").exists());
}

/// A header is put back beside outcomes that a later one has counted. What a killed server leaves is the only outcome that may be there.
#[test]
fn a_journal_of_an_earlier_time_is_refused_and_nothing_is_touched() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let empty = files(dir.path());
    journal.ended(&mut begin(&journal, 1), b"first");
    let one = files(dir.path());
    let mut second = begin(&journal, 2);
    let under_way = files(dir.path());
    journal.ended(&mut second, b"second");
    let two = files(dir.path());
    let mut third = begin(&journal, 3);
    let third_under_way = files(dir.path());
    journal.ended(&mut third, b"third");
    let three = files(dir.path());
    while !journal.is_long() {
        journal.ended(&mut begin(&journal, 4), &[b'x'; 64 << 10]);
    }
    let long = files(dir.path());
    journal.shorten(|| 0, |entries| entries.into_iter().take(2).collect());
    let shortened = files(dir.path());
    // The outcomes of all of these, and this header.
    let put_back = |outcomes: &[&Files], header: &Files| {
        let copy = tempfile::tempdir().expect("there is room");
        for below in ["programs", "kept"] {
            fs::create_dir(copy.path().join(below)).expect("it is new");
        }
        let outcomes = outcomes.iter().flat_map(|files| files.iter()).filter(|(name, _)| *name != "journal");
        outcomes.for_each(|(name, bytes)| fs::write(copy.path().join(name), bytes).expect("there is room"));
        fs::write(copy.path().join("journal"), &header["journal"]).expect("there is room");
        let before = files(copy.path());
        let found = Journal::open(copy.path(), &BOUNDS).map(|(_, found)| found);
        if found.is_err() {
            assert!(files(copy.path()) == before, "something was changed");
        }
        found.map_err(|error| error.to_string())
    };
    let known = |found: Result<Found, String>| {
        let found = found.expect("it may be left so");
        (found.ended.len(), found.left.len())
    };
    // A run was under way then, and has ended since. `killed` has what a server leaves that is killed between an outcome and its header.
    let earlier = "journal is of an earlier time than outcomes.0, which has outcomes that it does not count";
    for (outcomes, header) in [
        (&one, &empty),
        (&two, &one),
        (&two, &under_way),
        (&three, &one),
        (&three, &under_way),
        (&three, &third_under_way),
        (&long, &two),
    ] {
        assert_eq!(put_back(&[outcomes], header).expect_err("it counts less"), earlier);
    }
    // Outcomes were written anew meanwhile.
    assert_eq!(put_back(&[&shortened], &three).expect_err("it counts others"), "outcomes.0 is missing");
    assert_eq!(put_back(&[&shortened], &empty).expect_err("it counts none"), "outcomes.0 is missing");
    let next = earlier.replace("outcomes.0", "outcomes.1");
    assert_eq!(put_back(&[&one, &shortened], &one).expect_err("it counts less"), next);
    // And a server that is killed before the new file counts.
    let all = known(put_back(&[&long, &shortened], &long));
    assert_eq!(all, known(put_back(&[&long], &long)));
}

#[test]
fn what_cannot_be_written_anew_is_tried_again_when_there_is_twice_as_much() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let outcome = vec![b'x'; 64 << 10];
    let until_it_is_long = || {
        (1..).find(|_| {
            journal.ended(&mut begin(&journal, 1), &outcome);
            journal.is_long()
        })
    };
    let first = until_it_is_long();
    fs::create_dir(dir.path().join("outcomes.1")).expect("it is new");
    journal.shorten(|| 0, |_| Vec::new());
    let second = until_it_is_long();
    assert!(second > first, "{second:?} entries after {first:?}");
    fs::remove_dir(dir.path().join("outcomes.1")).expect("it is there");
    journal.shorten(|| 0, |_| Vec::new());
    assert_eq!(open(killed(dir.path()).path()).1.ended, []);
}

/// A disk that is full: what was begun is told by its place, and nothing more is begun.
#[test]
fn what_cannot_be_written_stays_under_way() {
    let dir = tempfile::tempdir().expect("there is room");
    drop(open(dir.path()));
    fs::remove_file(dir.path().join("outcomes.0")).expect("it is there");
    std::os::unix::fs::symlink("/dev/full", dir.path().join("outcomes.0")).expect("there is room");
    let (journal, _) = open(dir.path());
    let mut record = begin(&journal, 5);
    call(&mut record, "", 1, [0, 1, 0]);
    record.returned(false, 0);
    journal.ended(&mut record, b"outcome");
    drop(record);
    let refused = journal.begin(who(6), &crate::bill::hash(PROGRAM), PROGRAM);
    let why = refused.map(|_| ()).expect_err("nothing can be written");
    assert!(why.starts_with("outcomes: "), "{why}");
    drop(journal);
    fs::remove_file(dir.path().join("outcomes.0")).expect("it is there");
    let (_, found) = open(dir.path());
    assert_eq!(found.left.len(), 1, "its outcome was told, but not written down");
}

#[test]
fn programs_go_when_no_run_needs_them() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = open(dir.path());
    let program = |n: u8| vec![n; 100];
    let hash = |n: u8| crate::bill::hash(&program(n));
    let pinned = journal.begin(who(0), &hash(0), &program(0)).expect("there is a place");
    (1..=9).for_each(|n| journal.keep_program(&hash(n), &program(n)));
    assert_eq!(journal.program(&hash(0)), Some(program(0)), "a run needs it");
    assert_eq!(journal.program(&hash(9)), Some(program(9)));
    assert_eq!(journal.program(&hash(1)), None, "it was not used for longest");
    drop(pinned);
    let file = dir.path().join("programs").join(crate::text::hex(&hash(9)));
    fs::write(&file, "edited").expect("it is there");
    assert_eq!(journal.program(&hash(9)), None, "it is not what its name says");
    assert!(!file.exists());
    // One that a run needs stays, and is written anew when it comes again.
    let pinned = journal.begin(who(0), &hash(8), &program(8)).expect("there is a place");
    let file = dir.path().join("programs").join(crate::text::hex(&hash(8)));
    for damaged in ["edited", ""] {
        fs::write(&file, damaged).expect("it is there");
        assert_eq!(journal.program(&hash(8)), None);
        assert_eq!(fs::read(&file).expect("it stays"), damaged.as_bytes());
        drop(journal.begin(who(1), &hash(8), &program(8)).expect("there is a place"));
        assert_eq!(journal.program(&hash(8)), Some(program(8)));
    }
    drop(pinned);
    fs::write(dir.path().join("programs/part7"), "half of it").expect("there is room");
    drop(journal);
    let (journal, _) = open(dir.path());
    assert_eq!(journal.program(&hash(8)), Some(program(8)), "as before");
    assert!(!dir.path().join("programs/part7").exists());
}

/// A client that was told so by one server knows by the next one's answer whether its run can have been forgotten.
#[test]
fn servers_of_a_journal_go_on_counting_runs() {
    let dir = tempfile::tempdir().expect("there is room");
    let first = open(dir.path()).0.line();
    let second = open(killed(dir.path()).path()).0.line();
    assert_eq!((second.of, second.forgotten), (first.of, first.forgotten), "nothing was forgotten");
    assert!(second.clock > first.clock);
    let (journal, _) = open(dir.path());
    let third = journal.line();
    journal.shorten(|| third.clock + 5, |_| Vec::new());
    drop(journal);
    let fourth = open(dir.path()).0.line();
    assert_eq!((fourth.of, fourth.forgotten), (first.of, third.clock + 5));
}

/// Of the two halves, one counts; the other holds what counted before, or half of what was to.
#[test]
fn an_edited_line_of_servers_is_refused() {
    let dir = tempfile::tempdir().expect("there is room");
    for counts in [72..112, 40..72] {
        let line = open(dir.path()).0.line();
        assert_eq!(line.forgotten, 1 << 40, "nothing was forgotten since the first server");
        let others = if counts.start == 40 { 72..104 } else { 40..72 };
        for at in counts.clone().chain(others) {
            let copy = killed(dir.path());
            let path = copy.path().join("journal");
            let mut bytes = fs::read(&path).expect("it is there");
            bytes[at] ^= 4;
            fs::write(&path, &bytes).expect("there is room");
            let opened = Journal::open(copy.path(), &BOUNDS).map(|(journal, _)| journal.line());
            if counts.contains(&at) {
                let why = opened.map_err(|error| error.to_string()).expect_err("it was edited");
                assert_eq!(why, "journal is not as it was left: how far back it remembers", "byte {at}");
                assert_eq!(fs::read(&path).expect("it is there"), bytes, "nothing was changed");
            } else {
                let opened = opened.expect("that half counts for nothing");
                assert_eq!((opened.of, opened.forgotten), (line.of, line.forgotten), "byte {at}");
                assert!(opened.clock > line.clock);
            }
        }
    }
}
