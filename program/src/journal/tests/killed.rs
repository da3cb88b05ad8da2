//! A server is killed after each of its writes, and at each byte within those that are not one word: of an outcome, of a place, and of a file that is made longer. What the next
//! one finds is what was acknowledged, or that and what was about to be; it never refuses. And a header of any of these moments beside the files of any later one loses nothing that was acknowledged: it is
//! refused, or the same.

use std::cell::RefCell;
use std::rc::Rc;

use super::*;

thread_local! {
    /// What is done after each write of this thread.
    static AFTER_EACH: RefCell<Option<Box<dyn FnMut()>>> = const { RefCell::new(None) };
}

/// Something was written.
pub(in crate::journal) fn wrote() {
    AFTER_EACH.with_borrow_mut(|after| {
        if let Some(after) = after {
            after();
        }
    });
}

const FEW: Bounds = Bounds { places: 2, ..BOUNDS };

/// Outcomes, the first first.
type Told = Vec<&'static str>;

/// What was there at a moment, and what may be told of it.
#[derive(Clone)]
struct Moment {
    files: Files,
    /// Before what is being done, and behind it.
    may_tell: [Told; 2],
    /// A run that is under way.
    runs: Option<u128>,
    /// It has gone on from its first stop, and may have done something since.
    went_on: bool,
}

/// A server's life.
struct Life {
    journal: Arc<Journal>,
    moments: Rc<RefCell<Vec<Moment>>>,
    now: Rc<RefCell<Moment>>,
    _dir: tempfile::TempDir,
}

impl Life {
    fn begin() -> Life {
        let dir = tempfile::tempdir().expect("there is room");
        let journal = Journal::open(dir.path(), &FEW).expect("it is new").0;
        let now =
            Moment { files: Files::new(), may_tell: [Vec::new(), Vec::new()], runs: None, went_on: false };
        let (now, moments) = (Rc::new(RefCell::new(now)), Rc::new(RefCell::new(Vec::new())));
        let (path, of, all) = (dir.path().to_owned(), Rc::clone(&now), Rc::clone(&moments));
        let after = move || all.borrow_mut().push(Moment { files: files(&path), ..of.borrow().clone() });
        AFTER_EACH.set(Some(Box::new(after)));
        Life { journal, moments, now, _dir: dir }
    }

    /// What is done from now on leaves this told.
    fn leads_to(&self, told: &[&'static str]) {
        let mut now = self.now.borrow_mut();
        now.may_tell = [now.may_tell[1].clone(), told.to_vec()];
    }

    fn runs(&self, run: Option<u128>) {
        self.now.borrow_mut().runs = run;
    }

    /// Tells one more.
    fn tells(&self, outcome: &'static str) {
        let told = [&self.now.borrow().may_tell[1][..], &[outcome]].concat();
        self.leads_to(&told);
    }

    fn ended(&self, record: &mut Record, outcome: &'static str) {
        self.tells(outcome);
        self.journal.ended(record, outcome.as_bytes());
        self.runs(None);
    }

    fn keeps(&self, record: &mut Record, stop: u32) {
        assert!(self.journal.keep(record, &kept(stop)));
    }

    fn moments(self) -> Vec<Moment> {
        AFTER_EACH.set(None);
        self.moments.take()
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        AFTER_EACH.set(None);
    }
}

/// Of all that a server writes.
fn life() -> Vec<Moment> {
    let life = Life::begin();
    life.runs(Some(1));
    let mut one = begin(&life.journal, 1);
    call(&mut one, "text", 1, [0, 1, 0]);
    one.returned(false, 8);
    life.ended(&mut one, "one");
    life.runs(Some(2));
    let mut two = begin(&life.journal, 2);
    call(&mut two, "text", 1, [0, 1, 0]);
    life.keeps(&mut two, 1);
    life.ended(&mut two, "two stopped");
    life.runs(Some(2));
    two.go_on(RESUMED);
    life.now.borrow_mut().went_on = true;
    call(&mut two, "text", 2, [0, 2, 0]);
    two.was_not_sent();
    life.keeps(&mut two, 2);
    life.ended(&mut two, "two stopped again");
    life.tells("two is let go");
    life.journal.discarded(&mut two, b"two is let go").expect("it is written");
    life.tells("one is told anew");
    life.journal.told(one.who(), b"one is told anew");
    drop(two);
    life.leads_to(&["two is let go", "one is told anew"]);
    life.journal.shorten(|| 7, |entries| entries.into_iter().skip(3).collect());
    life.leads_to(&["two is let go", "one is told anew"]);
    life.runs(Some(3));
    let mut three = begin(&life.journal, 3);
    life.ended(&mut three, "three");
    drop((one, three));
    life.moments()
}

/// The files after each write from now on, until they are asked for.
pub(super) fn moments_of(dir: &Path) -> impl FnOnce() -> Vec<Files> {
    let (dir, moments) = (dir.to_owned(), Rc::new(RefCell::new(Vec::new())));
    let all = Rc::clone(&moments);
    AFTER_EACH.set(Some(Box::new(move || all.borrow_mut().push(files(&dir)))));
    move || {
        AFTER_EACH.set(None);
        moments.take()
    }
}

/// A directory with these files.
pub(super) fn directory(files: &Files) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("there is room");
    for below in ["programs", "kept"] {
        fs::create_dir(dir.path().join(below)).expect("it is new");
    }
    files.iter().for_each(|(name, bytes)| fs::write(dir.path().join(name), bytes).expect("there is room"));
    dir
}

/// What the next server tells.
fn told_by(dir: &Path) -> Result<(Vec<String>, Found, Arc<Journal>), JournalError> {
    let (journal, found) = Journal::open(dir, &FEW)?;
    let text = |entry: &Entry| String::from_utf8_lossy(&entry.outcome).into_owned();
    Ok((found.ended.iter().map(text).collect(), found, journal))
}

/// The next server tells one or the other, and so does the one behind it.
fn is_one_of_both(moment: &Moment) {
    let dir = directory(&moment.files);
    for _ in 0..2 {
        let (told, found, journal) = told_by(dir.path()).expect("it was left so by a kill");
        let is_done = told == moment.may_tell[1];
        assert!(is_done || told == moment.may_tell[0], "{told:?} of {:?}", moment.may_tell);
        if let Some(run) = moment.runs
            && !is_done
        {
            let begun: Vec<u128> = found.left.iter().map(|left| left.who.id).collect();
            assert!(begun.is_empty() || begun == [run], "{begun:?}");
        }
        let stop = match told.last().map(String::as_str) {
            Some("two stopped") if found.left.is_empty() => 1,
            Some("two stopped again") if found.left.is_empty() => 2,
            _ => continue,
        };
        let kept = journal.kept(1).expect("it is whole").map(|kept| kept.stop);
        // The next outcome is not told before its file is gone, nor its file written.
        assert_eq!(kept, Some(stop), "{told:?}");
    }
}

#[test]
fn after_each_write() {
    let moments = life();
    assert!(moments.len() > 60, "{} writes", moments.len());
    moments.iter().for_each(is_one_of_both);
}

/// The next server is killed in its first outcome, too: what the first had left is not lost by that.
#[test]
fn after_each_write_of_the_next_server() {
    for moment in life() {
        let dir = directory(&moment.files);
        let (told, _, journal) = told_by(dir.path()).expect("it was left so by a kill");
        let cuts = moments_of(dir.path());
        journal.told(&Who { serial: 9, ..who(9) }, b"next");
        let cuts = cuts();
        assert_eq!(cuts.len(), 4);
        for (at, files) in cuts.iter().enumerate() {
            let (now, ..) = told_by(directory(files).path()).expect("it was left so by a kill");
            let expected = if at == 0 { told.clone() } else { [&told[..], &["next".to_owned()]].concat() };
            assert_eq!(now, expected, "after write {at}");
        }
    }
}

#[test]
fn within_each_write_of_an_outcome() {
    let (moments, mut cuts) = (life(), 0);
    for pair in moments.windows(2) {
        let [before, behind] = pair else { continue };
        for (name, bytes) in behind.files.iter().filter(|(name, _)| name.starts_with("outcomes.")) {
            let was = before.files.get(name).map_or(0, Vec::len);
            for len in was..bytes.len() {
                let mut cut = before.clone();
                cut.files.insert(name.clone(), bytes[..len].to_vec());
                is_one_of_both(&cut);
                cuts += 1;
            }
        }
    }
    assert!(cuts > 500, "{cuts}");
}

/// The mapped file where a server is killed while it copies bytes into it, one after the other. A word is there or not.
fn cuts_of_the_copy(before: &[u8], behind: &[u8]) -> Vec<Vec<u8>> {
    if before.len() != behind.len() {
        return Vec::new();
    }
    let differ: Vec<usize> = (0..before.len()).filter(|at| before[*at] != behind[*at]).collect();
    if differ.iter().all(|at| at / 8 == differ[0] / 8) {
        return Vec::new();
    }
    let cut = |at: &usize| [&behind[..=*at], &before[at + 1..]].concat();
    differ.iter().map(cut).collect()
}

#[test]
fn within_each_copy_into_a_place() {
    let (moments, mut cuts) = (life(), 0);
    for pair in moments.windows(2) {
        let [before, behind] = pair else { continue };
        for journal in cuts_of_the_copy(&before.files["journal"], &behind.files["journal"]) {
            let mut cut = before.clone();
            cut.files.insert("journal".to_owned(), journal);
            is_one_of_both(&cut);
            cuts += 1;
        }
    }
    assert!(cuts > 150, "{cuts}");
}

/// Two runs are kept, and the next server puts each to the place that the other had.
#[test]
fn while_the_next_server_takes_over_what_is_kept() {
    let dir = tempfile::tempdir().expect("there is room");
    let (journal, _) = Journal::open(dir.path(), &FEW).expect("it is new");
    let first = begin(&journal, 1);
    let mut records = vec![begin(&journal, 2)];
    drop(first);
    records.push(begin(&journal, 3));
    for record in &mut records {
        assert!(journal.keep(record, &kept(1)));
        journal.ended(record, b"stopped");
    }
    let killed = killed(dir.path());
    let mut moments = vec![files(killed.path())];
    let all = moments_of(killed.path());
    let (journal, found) = Journal::open(killed.path(), &FEW).expect("it is as it was left");
    let again = |entry: &Entry| journal.kept_again(&entry.who, &kept(1)).expect("there is a place");
    let _records: Vec<Record> = found.ended.iter().map(again).collect();
    journal.keep_only(&HashSet::from([1, 2]));
    moments.extend(all());
    let mut cuts = 0;
    for pair in moments.windows(2) {
        let copied = cuts_of_the_copy(&pair[0]["journal"], &pair[1]["journal"]);
        cuts += copied.len();
        for journal in copied.into_iter().chain([pair[1]["journal"].clone()]) {
            let mut files = pair[0].clone();
            files.insert("journal".to_owned(), journal);
            let dir = directory(&files);
            let (told, _, journal) = told_by(dir.path()).expect("it was left so by a kill");
            assert_eq!(told, ["stopped", "stopped"]);
            for serial in [1, 2] {
                assert_eq!(journal.kept(serial).expect("it is whole"), Some(kept(1)));
            }
        }
    }
    assert!(cuts > 2, "{cuts}");
}

/// It makes its files, and lays out other places when it is to have more or fewer.
#[test]
fn while_the_journal_is_made_and_laid_out() {
    let dir = tempfile::tempdir().expect("there is room");
    let mut told = Vec::new();
    for (places, outcome) in [(2, "one"), (3, "two"), (1, "three"), (0, ""), (2, "four")] {
        let all = moments_of(dir.path());
        let (journal, _) =
            Journal::open(dir.path(), &Bounds { places, ..FEW }).expect("it is as it was left");
        let moments = all();
        assert!(moments.len() > 8, "{} writes", moments.len());
        let is_as_before = |dir: &Path| assert_eq!(told_by(dir).expect("it was left so by a kill").0, told);
        moments.iter().for_each(|files| is_as_before(directory(files).path()));
        for pair in moments.windows(2) {
            let [was, is] = [&pair[0], &pair[1]].map(|files| files.get("journal").map_or(0, Vec::len));
            for len in (was..is).filter(|len| len % 4096 < 4 || len % 509 < 2) {
                let mut files = pair[0].clone();
                files.entry("journal".to_owned()).or_default().resize(len, 0);
                is_as_before(directory(&files).path());
            }
        }
        if !outcome.is_empty() {
            journal.ended(&mut begin(&journal, 1), outcome.as_bytes());
            told.push(outcome.to_owned());
        }
    }
}

#[test]
fn a_header_of_before_loses_nothing() {
    let moments = life();
    let (mut refused, mut taken) = (0, 0);
    let (mut headers, mut before) = (Vec::new(), None);
    for later in &moments {
        let mut others = later.files.clone();
        headers.extend(others.remove("journal"));
        headers.dedup();
        if before.replace(others.clone()).is_some_and(|before| before == others) {
            continue;
        }
        let (now, ..) = told_by(directory(&later.files).path()).expect("it was left so by a kill");
        for header in &headers {
            let mut files = others.clone();
            files.insert("journal".to_owned(), header.clone());
            let dir = directory(&files);
            match told_by(dir.path()) {
                Ok((told, found, journal)) => {
                    let kept = journal.kept(1).expect("it is whole").map(|kept| kept.stop);
                    let goes_on = found.left.is_empty() && kept == Some(1);
                    assert!(!later.went_on || !goes_on, "it would go on a second time");
                    assert!(now.iter().all(|outcome| told.contains(outcome)), "{told:?}, and not {now:?}");
                    taken += 1;
                }
                Err(why) => {
                    let why = why.to_string();
                    assert!(why.contains("of an earlier time") || why.ends_with("is missing"), "{why}");
                    assert!(super::files(dir.path()) == files, "something was changed");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 20 && taken > 20, "{refused} refused, {taken} taken");
}
