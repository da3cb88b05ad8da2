//! What the operations promise, through generated clients.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::stub::CallError;
use carnet_tracker::tracker::{Error, Issue, IssueEntry, Project, Reason, State, Tracker, Which};
use carnet_tracker::{Access, Limits, OpenError, Options, serve};

struct Place {
    folder: tempfile::TempDir,
    time: Arc<AtomicU64>,
    object: Option<Arc<dyn Object>>,
}

impl Place {
    fn new() -> Place {
        Place::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut Options)) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let mut place = Place { folder, time: Arc::new(AtomicU64::new(10)), object: None };
        place.open(change).unwrap();
        place
    }

    /// Ends the service, and opens the file again.
    fn open(&mut self, change: impl FnOnce(&mut Options)) -> Result<(), OpenError> {
        self.object = None;
        let mut options = Options::new(self.folder.path().join("issues.db"));
        let time = Arc::clone(&self.time);
        options.access = Access::ReadWrite;
        options.clock = Arc::new(move || UNIX_EPOCH + Duration::from_nanos(time.load(Ordering::Relaxed)));
        change(&mut options);
        self.object = Some(serve(options)?.into_object());
        Ok(())
    }

    fn at(&self, time: u64) {
        self.time.store(time, Ordering::Relaxed);
    }

    fn tracker(&self) -> Tracker {
        self.tracker_of("local")
    }

    fn tracker_of(&self, principal: &str) -> Tracker {
        let object = Arc::clone(self.object.as_ref().unwrap());
        let caller = Caller::of(principal, 0);
        Tracker::from_portal(LocalSession::new(Capability::new(object), caller).root())
    }

    fn web(&self) -> Project {
        self.tracker().create(b"web").unwrap()
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
fn told<T>(outcome: Result<T, CallError<Error>>, kind: Reason, message: &str) {
    let error = raised(outcome);
    assert_eq!((error.kind, &*error.message), (kind, message));
}

/// All of a listing, page by page.
fn walk(page: impl Fn(&[u8]) -> Result<(Vec<IssueEntry>, bool), CallError<Error>>) -> Vec<i64> {
    let (mut all, mut after) = (Vec::new(), Vec::new());
    loop {
        let (more, last) = page(&after).unwrap();
        assert!(last || !more.is_empty(), "an empty page that is not the last");
        after = more.last().map_or(after, |entry| entry.id.clone());
        all.extend(more.iter().map(|entry| entry.number));
        if last {
            return all;
        }
    }
}

fn create(project: &Project, title: &str) -> Issue {
    let number = project.create(title.as_bytes(), b"").unwrap();
    project.issue(number).unwrap()
}

fn labels(issue: &Issue) -> Vec<Vec<u8>> {
    issue.labels().unwrap().into_iter().map(|label| label.name).collect()
}

#[test]
fn an_issue_from_its_creation_to_its_end() {
    let place = Place::new();
    let web = place.web();
    place.at(20);
    let by_ann = place.tracker_of("ann").project(b"web").unwrap();
    assert_eq!(by_ann.create("page löads slowly".as_bytes(), b"since\nMonday").unwrap(), 1);
    let issue = web.issue(1).unwrap();
    let first = issue.get().unwrap();
    assert_eq!(
        (&*first.title, &*first.author, &*first.assignee),
        ("page löads slowly".as_bytes(), &b"ann"[..], &b""[..])
    );
    assert_eq!(
        (first.state, first.created, first.updated, first.closed, first.comments),
        (State::Open, 20, 20, 0, 0)
    );
    assert_eq!(issue.body().unwrap(), b"since\nMonday");
    place.at(30);
    assert!(issue.add_label(b"slow").unwrap() && issue.add_label(b"bug").unwrap());
    assert_eq!(labels(&issue), [&b"bug"[..], b"slow"]);
    issue.assign(b"eve").unwrap();
    assert_eq!(issue.comment(b"seen, too").unwrap(), 1);
    assert_eq!(place.tracker_of("bob").project(b"web").unwrap().issue(1).unwrap().comment(b"me").unwrap(), 2);
    let (comments, last) = issue.comments(b"").unwrap();
    let shown: Vec<_> =
        comments.iter().map(|one| (one.number, &*one.author, &*one.text, one.created)).collect();
    assert!(
        last && shown == [(1, &b"local"[..], &b"seen, too"[..], 30), (2, b"bob", b"me", 30)],
        "{shown:?}"
    );
    let second = issue.get().unwrap();
    assert_eq!((second.updated, &*second.assignee, second.comments), (30, &b"eve"[..], 2));
    assert!(second.version > first.version);
    place.at(40);
    let third = issue.edit(b"slow", b"", second.version).unwrap();
    let fourth = issue.set_state(State::Closed, third).unwrap();
    let info = issue.get().unwrap();
    assert_eq!(
        (info.state, info.closed, info.version, &*info.title),
        (State::Closed, 40, fourth, &b"slow"[..])
    );
    let project = web.get().unwrap();
    assert_eq!((&*project.name, project.created, project.open, project.closed), (&b"web"[..], 10, 0, 1));
    issue.set_state(State::Open, 0).unwrap();
    assert_eq!((issue.get().unwrap().closed, web.get().unwrap().open), (0, 1));
}

/// What changes nothing leaves time and version as they were; so doing it twice is doing it once.
#[test]
fn what_changes_nothing_is_no_change() {
    let place = Place::new();
    let issue = create(&place.web(), "a");
    issue.add_label(b"bug").unwrap();
    issue.assign(b"eve").unwrap();
    let before = issue.get().unwrap();
    place.at(99);
    assert!(!issue.add_label(b"bug").unwrap() && !issue.remove_label(b"other").unwrap());
    issue.assign(b"eve").unwrap();
    assert_eq!(issue.set_state(State::Open, 0).unwrap(), before.version);
    assert_eq!(issue.set_state(State::Open, before.version).unwrap(), before.version);
    assert_eq!(issue.edit(b"a", b"", before.version).unwrap(), before.version);
    let after = issue.get().unwrap();
    assert_eq!((after.updated, after.version), (before.updated, before.version));
}

#[test]
fn a_version_that_was_overtaken_changes_nothing() {
    let place = Place::new();
    let issue = create(&place.web(), "a");
    let seen = issue.get().unwrap().version;
    issue.comment(b"meanwhile").unwrap();
    let now = issue.get().unwrap().version;
    let message = format!("issue 1 of project \"web\" was not changed: its version is {now}, not {seen}");
    told(issue.edit(b"b", b"", seen), Reason::Conflict, &message);
    told(issue.set_state(State::Closed, seen), Reason::Conflict, &message);
    assert_eq!(raised(issue.edit(b"b", b"", 0)).kind, Reason::Conflict);
    assert_eq!(raised(issue.set_state(State::Closed, -1)).kind, Reason::Conflict);
    let info = issue.get().unwrap();
    assert_eq!((&*info.title, info.state, info.version), (&b"a"[..], State::Open, now));
}

/// Of many that want to change the same version at once, one does.
#[test]
fn one_of_many_writers_of_a_version_wins() {
    let place = Place::new();
    let web = place.web();
    let issue = create(&web, "a");
    let seen = issue.get().unwrap().version;
    let won = thread::scope(|scope| {
        let edit = |number: u8| {
            let own = place.tracker().project(b"web").unwrap().issue(1).unwrap();
            scope.spawn(move || own.edit(&[b'a' + number + 1], b"", seen).is_ok())
        };
        let writers: Vec<_> = (0..8).map(edit).collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).filter(|won| *won).count()
    });
    assert_eq!(won, 1);
}

/// Each listing against the same by looking at all issues, while issues change.
#[test]
fn listings_show_what_looking_at_all_would() {
    let place = Place::new();
    let (web, other) = (place.web(), place.tracker().create(b"web2").unwrap());
    create(&other, "not of web");
    let issues: Vec<Issue> = (0..250).map(|number| create(&web, &format!("issue {number}"))).collect();
    let names = [&b"bug"[..], b"bug fix", b"x"];
    let users = [&b""[..], b"ann", b"bob"];
    for (at, issue) in issues.iter().enumerate() {
        if at % 2 == 0 {
            issue.add_label(names[at % 3]).unwrap();
        }
        if at % 5 == 0 {
            issue.add_label(names[2]).unwrap();
        }
        issue.assign(users[at % 7 % 3]).unwrap();
        if at % 4 == 1 {
            issue.set_state(State::Closed, 0).unwrap();
        }
        if at % 8 == 0 {
            issue.remove_label(names[2]).unwrap();
        }
        if at % 12 == 1 {
            issue.set_state(State::Open, 0).unwrap();
        }
    }
    let known: Vec<_> = issues.iter().map(|issue| (issue.get().unwrap(), labels(issue))).collect();
    let wanted = |holds: &dyn Fn(usize) -> bool| {
        (0..known.len()).filter(|at| holds(*at)).map(|at| at as i64 + 1).collect::<Vec<_>>()
    };
    for which in [Which::Open, Which::Closed, Which::All] {
        let is_it = |at: usize| match which {
            Which::Open => known[at].0.state == State::Open,
            Which::Closed => known[at].0.state == State::Closed,
            Which::All => true,
        };
        let all = walk(|after| web.list(which, after));
        assert_eq!(all, wanted(&is_it));
        assert!(all.len() > 40);
        for name in names {
            let own = |at: usize| is_it(at) && known[at].1.iter().any(|label| label == name);
            assert_eq!(walk(|after| web.labelled(name, which, after)), wanted(&own));
        }
        for user in users {
            let own = |at: usize| is_it(at) && known[at].0.assignee == user;
            assert_eq!(walk(|after| web.assigned(user, which, after)), wanted(&own));
        }
        assert_eq!(web.labelled(b"unknown", which, b"").unwrap(), (Vec::new(), true));
    }
    let (page, last) = web.list(Which::All, b"").unwrap();
    assert!(page.len() == 100 && !last);
    assert_eq!(
        (web.get().unwrap().open, web.get().unwrap().closed),
        (
            wanted(&|at| known[at].0.state == State::Open).len() as i64,
            wanted(&|at| known[at].0.state == State::Closed).len() as i64
        )
    );
}

#[test]
fn comments_come_in_pages() {
    let place = Place::new();
    let (issue, other) = (create(&place.web(), "a"), create(&place.tracker().create(b"x").unwrap(), "b"));
    let long = vec![b'c'; 8_192];
    for _ in 0..120 {
        issue.comment(&long).unwrap();
    }
    other.comment(b"else").unwrap();
    let (page, last) = issue.comments(b"").unwrap();
    assert!(page.len() == 100 && !last);
    let (page, last) = issue.comments(&page[99].id).unwrap();
    assert!(page.len() == 20 && last && page[19].number == 120 && page[0].text == long);
    assert_eq!(issue.comments(b"120").unwrap(), (Vec::new(), true));
    assert_eq!(issue.comments(b"9223372036854775807").unwrap(), (Vec::new(), true));
}

#[test]
fn bad_input_is_told_by_what_is_at_fault() {
    let place = Place::new();
    let (tracker, web) = (place.tracker(), place.web());
    let issue = create(&web, "a");
    told(tracker.create(b"web"), Reason::Exists, "project \"web\" exists already");
    told(tracker.project(b"wbe"), Reason::Missing, "project \"wbe\" does not exist");
    told(
        tracker.create(b"a b\n"),
        Reason::BadName,
        "project \"a b\\n\" is no name: letters, digits, `.`, `_` and `-` are, after a letter or digit",
    );
    for name in [&b""[..], b".x", b"web:ro", b"\xE4"] {
        assert_eq!(raised(tracker.create(name)).kind, Reason::BadName);
        assert_eq!(raised(tracker.project(name)).kind, Reason::BadName);
    }
    told(web.issue(2), Reason::Missing, "issue 2 of project \"web\" does not exist");
    for number in [0, -1, i64::MIN] {
        let message =
            format!("issue {number} of project \"web\" is none: issues have the numbers 1, 2, 3 and so on");
        told(web.issue(number), Reason::BadNumber, &message);
    }
    for (title, why) in [
        (&b""[..], "is empty"),
        (b"a\nb", "has a control character"),
        (b" a", "begins or ends with blank space"),
        (b"\xFF", "is not UTF-8"),
    ] {
        let message = format!("title \"{}\" {why}", title.escape_ascii());
        told(web.create(title, b""), Reason::BadText, &message);
        told(issue.edit(title, b"", 1), Reason::BadText, &message);
    }
    told(web.create(b"a", b"ab\xFFcd"), Reason::BadText, "body \"\\xffcd\" from byte 2 on is not UTF-8");
    told(issue.comment(b""), Reason::BadText, "comment \"\" is empty");
    assert_eq!(raised(issue.comment(b"\xC3")).kind, Reason::BadText);
    told(issue.add_label(b""), Reason::BadName, "label \"\" is empty");
    assert_eq!(raised(issue.remove_label(b"a\x1Bb")).kind, Reason::BadName);
    assert_eq!(raised(issue.assign(b"\x7F")).kind, Reason::BadName);
    assert_eq!(raised(web.labelled(b"", Which::All, b"")).kind, Reason::BadName);
    assert_eq!(raised(web.assigned(b"\n", Which::All, b"")).kind, Reason::BadName);
    assert_eq!(web.get().unwrap().open, 1, "nothing was made");
}

#[test]
fn forged_cursors_are_refused() {
    let place = Place::new();
    let web = place.web();
    let issue = create(&web, "a");
    for cursor in [&b"0"[..], b"-1", b"+1", b"01", b"1 ", b"x", b"9223372036854775808", b"\xFF"] {
        let shown = cursor.escape_ascii();
        let message =
            format!("cursor \"{shown}\" is none that a listing showed: one is the `id` of an entry");
        told(web.list(Which::All, cursor), Reason::BadCursor, &message);
        told(web.labelled(b"a", Which::All, cursor), Reason::BadCursor, &message);
        told(web.assigned(b"a", Which::All, cursor), Reason::BadCursor, &message);
        told(issue.comments(cursor), Reason::BadCursor, &message);
    }
    // A number that no issue has is a place in the listing, too.
    assert_eq!(web.list(Which::All, b"77").unwrap(), (Vec::new(), true));
    assert_eq!(raised(place.tracker().projects(b"a\xFF")).kind, Reason::BadCursor);
    assert_eq!(place.tracker().projects(b"web").unwrap(), (Vec::new(), true));
}

#[test]
fn a_portal_names_and_changes_what_it_was_made_for() {
    let place = Place::new();
    let tracker = place.tracker();
    for name in [&b"api"[..], b"web", b"web.old"] {
        create(&tracker.create(name).unwrap(), "a");
    }
    let names = |tracker: &Tracker, after: &[u8]| -> Vec<Vec<u8>> {
        let (page, last) = tracker.projects(after).unwrap();
        assert!(last);
        page.into_iter().map(|project| project.name).collect()
    };
    assert_eq!(names(&tracker, b""), [&b"api"[..], b"web", b"web.old"]);
    assert_eq!(names(&tracker, b"api"), [&b"web"[..], b"web.old"]);
    let web = tracker.at(b"web").unwrap();
    assert_eq!(names(&web, b""), [b"web"]);
    assert_eq!((names(&web, b"a").len(), names(&web, b"web").len()), (1, 0));
    told(
        web.project(b"api"),
        Reason::Outside,
        "project \"api\" is outside: this portal is for the project \"web\" alone",
    );
    assert_eq!(raised(web.project(b"unknown")).kind, Reason::Outside, "nor whether it is there");
    assert_eq!(raised(web.create(b"new")).kind, Reason::Outside);
    assert_eq!(raised(web.at(b"api")).kind, Reason::Outside);
    assert_eq!(names(&web.at(b"").unwrap(), b""), [b"web"]);
    web.project(b"web").unwrap().issue(1).unwrap().comment(b"written").unwrap();
    assert_eq!(raised(tracker.at(b"wbe")).kind, Reason::Missing);
    for text in [&b"web:ro"[..], b":ro"] {
        let read = tracker.at(text).unwrap().at(b"web:rw").unwrap();
        let project = read.project(b"web").unwrap();
        let issue = project.issue(1).unwrap();
        let message = "the tracker cannot be changed: it is served for reading only";
        told(project.create(b"a", b""), Reason::ReadOnly, message);
        told(issue.edit(b"b", b"", 0), Reason::ReadOnly, message);
        told(issue.set_state(State::Closed, 0), Reason::ReadOnly, message);
        told(issue.add_label(b"a"), Reason::ReadOnly, message);
        told(issue.remove_label(b"a"), Reason::ReadOnly, message);
        told(issue.assign(b"a"), Reason::ReadOnly, message);
        told(issue.comment(b"a"), Reason::ReadOnly, message);
        told(tracker.at(b":ro").unwrap().create(b"new"), Reason::ReadOnly, message);
        assert_eq!(issue.comments(b"").unwrap().0.len(), 1);
    }
}

#[test]
fn limits_fire() {
    let limits = Limits { projects: 2, issues: 3, comments: 4 };
    let place = Place::with(|options| options.limits = limits);
    let (tracker, web) = (place.tracker(), place.web());
    tracker.create(b"api").unwrap();
    told(tracker.create(b"more"), Reason::TooMany, "the tracker has 2 projects, as many as may be");
    let issues = ["a", "b", "c"].map(|title| create(&web, title));
    told(web.create(b"d", b""), Reason::TooMany, "project \"web\" has 3 issues, as many as may be");
    for _ in 0..4 {
        issues[0].comment(b"text").unwrap();
    }
    told(
        issues[0].comment(b"text"),
        Reason::TooMany,
        "issue 1 of project \"web\" has 4 comments, as many as may be",
    );
    for label in 0..32 {
        issues[1].add_label(format!("{label}").as_bytes()).unwrap();
    }
    told(
        issues[1].add_label(b"more"),
        Reason::TooMany,
        "issue 2 of project \"web\" has 32 labels, as many as may be",
    );
    assert!(!issues[1].add_label(b"7").unwrap(), "it is there");
    issues[1].remove_label(b"7").unwrap();
    assert!(issues[1].add_label(b"more").unwrap());
    assert_eq!(labels(&issues[1]).len(), 32);
    assert_eq!(Options::new("x").limits, Limits { projects: 1_000, issues: 1_000_000, comments: 10_000 });
}

#[test]
fn the_quota_counts_what_is_stored() {
    let mut place = Place::with(|options| options.quota = 2_000);
    let web = place.web();
    let issue = create(&web, "a");
    let (before, body) = (issue.get().unwrap(), vec![b'x'; 1_500]);
    let error = raised(issue.edit(b"a", &body, before.version));
    assert_eq!(error.kind, Reason::Quota);
    assert!(
        error.message.starts_with("the tracker was not changed: it would hold ")
            && error.message.ends_with(" of a quota of 2000"),
        "{}",
        error.message
    );
    let mut written = 0;
    while issue.comment(&[b'x'; 100]).is_ok() {
        written += 1;
        assert!(written < 100, "the quota never fires");
    }
    assert_eq!((issue.get().unwrap().comments, issue.body().unwrap()), (written, Vec::new()));
    // What was refused left nothing behind.
    drop((issue, web));
    place.open(|options| options.quota = 100_000).unwrap();
    let issue = place.tracker().project(b"web").unwrap().issue(1).unwrap();
    assert_eq!(issue.comments(b"").unwrap().0.len() as i64, written);
    assert_eq!(issue.comment(b"more").unwrap(), written + 1);
}

#[test]
fn a_file_that_cannot_be_served_is_told() {
    let mut place = Place::new();
    create(&place.web(), "kept");
    let path = place.folder.path().join("issues.db");
    let twice = serve(Options { access: Access::ReadWrite, ..Options::new(&path) });
    assert_eq!(twice.unwrap_err().to_string(), "another process has opened it");
    place.open(|options| options.access = Access::ReadOnly).unwrap();
    let web = place.tracker().project(b"web").unwrap();
    assert_eq!(web.issue(1).unwrap().get().unwrap().title, b"kept");
    assert_eq!(raised(web.create(b"b", b"")).kind, Reason::ReadOnly);
    drop(web);
    place.object = None;
    let whole = fs::read(&path).unwrap();
    let folder = place.folder.path();
    fs::write(folder.join("text"), "some text that is no database".repeat(300)).unwrap();
    fs::write(folder.join("cut"), &whole[..whole.len() / 2]).unwrap();
    fs::write(folder.join("begun"), &whole[..20]).unwrap();
    let other = |name: &str, table: &str, format: Option<u64>| {
        let change = redb::Database::create(folder.join(name)).unwrap().begin_write().unwrap();
        change.open_table(redb::TableDefinition::<&[u8], &[u8]>::new(&format!("carnet.{table}"))).unwrap();
        if let Some(format) = format {
            let counts = redb::TableDefinition::<&str, u64>::new("carnet.tracker.counts");
            change.open_table(counts).unwrap().insert("format", format).unwrap();
        }
        let mut change = change;
        change.set_two_phase_commit(true);
        change.commit().unwrap();
    };
    other("kv", "kv.values", None);
    other("later", "tracker.entries", Some(2));
    for access in [Access::ReadWrite, Access::ReadOnly] {
        let why = |name: &str| serve(Options { access, ..Options::new(folder.join(name)) }).unwrap_err();
        assert!(matches!(why(""), OpenError::Directory));
        assert!(matches!(why("text"), OpenError::NoDatabase), "{:?}", why("text"));
        assert!(matches!(why("kv"), OpenError::OtherTables), "{:?}", why("kv"));
        assert_eq!(why("later").to_string(), "its format is 2, and this version of the service has 1");
        assert!(!why("cut").to_string().is_empty() && !why("begun").to_string().is_empty());
    }
    let missing = serve(Options::new(folder.join("missing")));
    assert!(matches!(missing, Err(OpenError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound));
}

/// A file that others changed is refused, or served as far as it is whole; it never ends the server.
#[test]
fn a_file_that_was_changed_is_refused_or_whole() {
    let mut place = Place::new();
    let web = place.web();
    for number in 0..40 {
        let issue = create(&web, &format!("issue {number}"));
        issue.add_label(b"bug").unwrap();
        issue.comment(b"some words on it").unwrap();
    }
    drop(web);
    place.object = None;
    let path = place.folder.path().join("issues.db");
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
                    // An exception is an answer, too.
                    let _ = look(&Tracker::from_portal(session.root()));
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 0, "none was refused");
}

const FLIPS: usize = 120;

fn look(tracker: &Tracker) -> Result<(), CallError<Error>> {
    tracker.projects(b"")?;
    let web = tracker.project(b"web")?;
    web.labelled(b"bug", Which::All, b"")?;
    let (page, _) = web.list(Which::All, b"")?;
    for entry in page {
        let issue = web.issue(entry.number)?;
        issue.body()?;
        issue.labels()?;
        issue.comments(b"")?;
    }
    Ok(())
}
