//! The programs for the issue tracker, against the same done by single calls.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use carnet_portal::stub::CallError;
use carnet_program::protocol::{End, RunOptions};
use carnet_programs::{CLOSE_STALE, DIGEST, FILE_ISSUE, OPEN_BY_ASSIGNEE, RELABEL, TRIAGE};
use carnet_tracker::tracker::{
    Comment, Error, Issue, IssueEntry, IssueInfo, Project, Reason, State, Tracker, Which,
};

use crate::served::{Aged, Result, calls, result};

const DAY: u64 = 86_400;

fn days_ago(tracker: &Aged, days: u64) {
    tracker.age.store(days * DAY, Ordering::Relaxed);
}

fn new_project(tracker: &Aged, name: &str) -> Project {
    tracker.served.tracker().create(name.as_bytes()).expect("a new one")
}

/// All that is known of an issue.
#[derive(Debug, PartialEq)]
pub(crate) struct Known {
    info: IssueInfo,
    body: Vec<u8>,
    labels: Vec<Vec<u8>>,
    comments: Vec<Comment>,
}

impl Known {
    /// Without what differs between two trackers in which the same was done.
    fn what(&self) -> String {
        let comments: Vec<_> = self.comments.iter().map(|comment| &comment.text).collect();
        let IssueInfo { title, state, assignee, .. } = &self.info;
        format!("{:?}", (title, state, assignee, &self.labels, comments))
    }
}

type Page<T> = std::result::Result<(Vec<T>, bool), CallError<Error>>;

fn walk<T>(page: impl Fn(&[u8]) -> Page<T>, cursor: impl Fn(&T) -> &[u8]) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    loop {
        let (more, last) = page(all.last().map_or(b"", &cursor)).expect("a page");
        all.extend(more);
        if last {
            return all;
        }
    }
}

fn projects(tracker: &Tracker) -> Vec<(Vec<u8>, Project)> {
    let names = walk(|after| tracker.projects(after), |project| &project.name);
    names
        .into_iter()
        .map(|info| (info.name.clone(), tracker.project(&info.name).expect("it is listed")))
        .collect()
}

fn entries(project: &Project, which: Which) -> Vec<IssueEntry> {
    walk(|after| project.list(which, after), |entry| &entry.id)
}

fn comments(issue: &Issue) -> Vec<Comment> {
    walk(|after| issue.comments(after), |comment| &comment.id)
}

fn labels(issue: &Issue) -> Vec<Vec<u8>> {
    issue.labels().expect("it is there").into_iter().map(|label| label.name).collect()
}

/// All issues by project and number, as single calls see them.
pub(crate) fn all(tracker: &Tracker) -> BTreeMap<(Vec<u8>, i64), Known> {
    let mut all = BTreeMap::new();
    for (name, project) in projects(tracker) {
        for entry in entries(&project, Which::All) {
            let issue = project.issue(entry.number).expect("it is listed");
            let (info, body) = (issue.get().expect("it is there"), issue.body().expect("it is there"));
            let known = Known { info, body, labels: labels(&issue), comments: comments(&issue) };
            all.insert((name.clone(), entry.number), known);
        }
    }
    all
}

fn create(project: &Project, title: &str, labels: &[&str]) -> Issue {
    let number = project.create(title.as_bytes(), b"").expect("a new one");
    let issue = project.issue(number).expect("it is there");
    for label in labels {
        issue.add_label(label.as_bytes()).expect("there is room");
    }
    issue
}

fn two(result: &mut Result<'_>) -> (i64, i64) {
    (result.int(), result.int())
}

fn three(result: &mut Result<'_>) -> (i64, i64, i64) {
    (result.int(), result.int(), result.int())
}

#[test]
fn file_issue_does_what_single_calls_do() {
    let (ours, theirs) = (Aged::issues(), Aged::issues());
    let (_, web) = (new_project(&ours, "web"), new_project(&theirs, "web"));
    create(&web, "plain", &[]);
    create(&web, "full", &["bug"]).assign(b"eve").expect("it is there");
    let file = |arguments: &[&str]| {
        let first = ["tracker=web", "project=web"];
        ours.served.done(FILE_ISSUE, &[&first[..], arguments].concat(), |number| number.int())
    };
    assert_eq!((file(&["title=plain"]), file(&["title=full", "label=bug", "assignee=eve"])), (1, 2));
    let (own, wanted) = (all(&ours.served.tracker()), all(&theirs.served.tracker()));
    assert!(own.values().map(Known::what).eq(wanted.values().map(Known::what)));
}

/// The same by single calls.
fn close_stale_by_calls(tracker: &Tracker, old: impl Fn(&IssueEntry) -> bool) {
    for (_, project) in projects(tracker) {
        for entry in entries(&project, Which::Open).iter().filter(|entry| old(entry)) {
            let issue = project.issue(entry.number).expect("it is listed");
            if !labels(&issue).contains(&b"pinned".to_vec()) {
                issue.set_state(State::Closed, entry.version).expect("nobody else writes");
                issue.add_label(b"old").expect("there is room");
                issue.comment(b"closed").expect("there is room");
            }
        }
    }
}

#[test]
fn close_stale_does_what_single_calls_do() {
    let (ours, theirs) = (Aged::issues(), Aged::issues());
    for tracker in [&ours, &theirs] {
        let (web, api) = (new_project(tracker, "web"), new_project(tracker, "api"));
        days_ago(tracker, 200);
        for number in 0..120 {
            let labels = if number % 3 == 0 { &["pinned"][..] } else { &[] };
            create(if number % 2 == 0 { &web } else { &api }, &format!("{number}"), labels);
        }
        web.issue(2).and_then(|issue| issue.set_state(State::Closed, 0)).expect("it is there");
        days_ago(tracker, 10);
        create(&web, "young", &[]);
        web.issue(3).and_then(|issue| issue.comment(b"still so")).expect("it is there");
        days_ago(tracker, 0);
    }
    let arguments = ["tracker=", "age=90d", "label=old", "text=closed"];
    let dry =
        ours.served.run_with(CLOSE_STALE, &arguments, RunOptions { dry: true, ..RunOptions::default() });
    assert_eq!((&dry.end, result(&dry, three)), (&End::Done, (78, 40, 0)), "{:?}", dry.call);
    let before = all(&ours.served.tracker());
    let outcome = ours.served.run(CLOSE_STALE, &arguments);
    assert_eq!((&outcome.end, result(&outcome, three)), (&End::Done, (78, 40, 0)), "{:?}", outcome.call);
    assert_eq!(calls(&outcome, "set_state"), 78);
    let limit = SystemTime::now() - Duration::from_secs(90 * DAY);
    let limit = limit.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_nanos() as i64;
    close_stale_by_calls(&theirs.served.tracker(), |entry| entry.updated < limit);
    let (ours, theirs) = (all(&ours.served.tracker()), all(&theirs.served.tracker()));
    assert_ne!(ours, before);
    assert!(ours.values().map(Known::what).eq(theirs.values().map(Known::what)));
}

#[test]
fn close_stale_stops_at_as_many_as_it_says() {
    let tracker = Aged::issues();
    let web = new_project(&tracker, "web");
    days_ago(&tracker, 200);
    (0..210).for_each(|number| drop(create(&web, &format!("{number}"), &[])));
    days_ago(&tracker, 0);
    assert_eq!(tracker.served.done(CLOSE_STALE, &["tracker=web"], three), (200, 0, 0));
    assert_eq!(entries(&web, Which::Open).len(), 10);
    assert_eq!(tracker.served.done(CLOSE_STALE, &["tracker=web"], three), (10, 0, 0));
    assert_eq!(tracker.served.done(CLOSE_STALE, &["tracker=web"], three), (0, 0, 0));
}

#[test]
fn triage_labels_what_has_no_label() {
    let tracker = Aged::issues();
    let web = new_project(&tracker, "web");
    let titles =
        ["Crash at start", "slow, and crashes", "please add a map", "typo", "what is this", "an error"];
    let issues = titles.map(|title| create(&web, title, &[]));
    let own = create(&web, "crash", &["mine"]);
    let closed = create(&web, "crash", &[]);
    closed.set_state(State::Closed, 0).expect("it is there");
    assert_eq!(tracker.served.done(TRIAGE, &["tracker=web"], two), (5, 1));
    let found: Vec<String> =
        issues.iter().map(|issue| String::from_utf8(labels(issue).join(&b' ')).expect("text")).collect();
    assert_eq!(found, ["bug", "bug performance", "feature", "documentation", "triage", "bug"]);
    assert_eq!((labels(&own), labels(&closed).len()), (vec![b"mine".to_vec()], 0));
    // Whatever has a label is left alone.
    let again = tracker.served.run(TRIAGE, &["tracker=web"]);
    assert_eq!((result(&again, two), calls(&again, "add_label")), ((0, 0), 0));
}

#[test]
fn relabel_leaves_none_of_the_old_label() {
    let (ours, theirs) = (Aged::issues(), Aged::issues());
    for tracker in [&ours, &theirs] {
        for (name, count) in [("web", 150), ("api", 8)] {
            let project = new_project(tracker, name);
            for number in 0..count {
                let labels: &[&str] = match number % 8 {
                    1 => &["defect", "bug"],
                    2 => &["bug"],
                    3 => &["defects"],
                    _ => &["defect"],
                };
                let issue = create(&project, &format!("{number}"), labels);
                if number % 3 == 0 {
                    issue.set_state(State::Closed, 0).expect("it is there");
                }
            }
        }
        // One has as many labels as there may be.
        let full =
            tracker.served.tracker().project(b"web").and_then(|web| web.issue(1)).expect("it is there");
        (0..31).for_each(|label| drop(full.add_label(format!("l{label}").as_bytes())));
        assert_eq!(labels(&full).len(), 32);
    }
    for (_, project) in projects(&theirs.served.tracker()) {
        for entry in entries(&project, Which::All) {
            let issue = project.issue(entry.number).expect("it is listed");
            if issue.remove_label(b"defect").expect("it is there") {
                issue.add_label(b"bug").expect("there is room");
            }
        }
    }
    let changed = |arguments: &[&str]| ours.served.done(RELABEL, arguments, |changed| changed.int());
    assert_eq!(changed(&["tracker=", "old=defect", "new=bug"]), 118);
    let (own, wanted) = (all(&ours.served.tracker()), all(&theirs.served.tracker()));
    assert!(own.values().map(Known::what).eq(wanted.values().map(Known::what)));
    assert_eq!(changed(&["tracker=", "old=defect", "new=bug"]), 0);
    assert_eq!(changed(&["tracker=", "old=bug", "new=bug"]), 0);
}

#[test]
fn open_by_assignee_counts_what_is_open() {
    let tracker = Aged::issues();
    let mut wanted: BTreeMap<Vec<u8>, (i64, i64)> = BTreeMap::new();
    for (name, days) in [("web", 30), ("api", 50)] {
        days_ago(&tracker, days);
        let project = new_project(&tracker, name);
        for number in 0..150 {
            let user = ["", "ann", "bob", "eve"][number % 4].as_bytes();
            let issue = create(&project, &format!("{number}"), &[]);
            issue.assign(user).expect("it is there");
            if number % 5 == 0 || user == b"eve" && name == "api" {
                issue.set_state(State::Closed, 0).expect("it is there");
            } else {
                let load = wanted.entry(user.to_vec()).or_default();
                *load = (load.0 + 1, load.1.max(days as i64));
            }
        }
    }
    let wanted: Vec<_> = wanted.into_iter().map(|(user, (open, days))| (user, open, days)).collect();
    let loads = |result: &mut Result<'_>| result.list(|one| (one.text(), one.int(), one.int()));
    assert_eq!(tracker.served.done(OPEN_BY_ASSIGNEE, &["tracker=:ro"], loads), wanted);
    assert_eq!(wanted.len(), 4);
}

#[test]
fn digest_counts_the_comments_of_what_changed() {
    let tracker = Aged::issues();
    let mut wanted = Vec::new();
    let web = new_project(&tracker, "web");
    for number in 0..12_i64 {
        days_ago(&tracker, 30);
        let issue = create(&web, &format!("issue {number}"), &[]);
        let comment = |text: &[u8]| assert!(issue.comment(text).expect("there is room") > 0);
        (0..number * 20).for_each(|_| comment(b"old"));
        days_ago(&tracker, 1);
        let fresh = (number * 7) % 5;
        (0..fresh).for_each(|_| comment(b"new"));
        if fresh > 0 {
            let title = format!("issue {number}").into_bytes();
            wanted.push((
                fresh,
                number * 20 + fresh,
                b"web".to_vec(),
                number + 1,
                0,
                b"local".to_vec(),
                title,
            ));
        }
    }
    wanted.sort();
    let lines = |result: &mut Result<'_>| {
        result.list(|one| {
            let (fresh, comments, project) = (one.int(), one.int(), one.text());
            (fresh, comments, project, one.int(), one.int(), one.text(), one.text())
        })
    };
    assert_eq!(tracker.served.done(DIGEST, &["tracker=:ro"], lines), wanted);
    assert_eq!(tracker.served.done(DIGEST, &["tracker=web", "age=0"], lines), []);
}

/// What one project's portal may not name, no program reaches through it.
#[test]
fn a_program_reaches_the_project_that_it_was_handed() {
    let tracker = Aged::issues();
    for name in ["web", "api"] {
        create(&new_project(&tracker, name), "crash", &["defect"]);
    }
    let before = all(&tracker.served.tracker());
    let changed = tracker.served.done(RELABEL, &["tracker=web", "old=defect", "new=bug"], |one| one.int());
    let after = all(&tracker.served.tracker());
    let api = (b"api".to_vec(), 1);
    assert_eq!((changed, &after[&api]), (1, &before[&api]));
    let outcome = tracker.served.run(RELABEL, &["tracker=api:ro", "old=defect", "new=bug"]);
    assert!(matches!(outcome.end, End::CallFailed { .. } | End::Failed { .. }), "{:?}", outcome.end);
    assert_eq!(all(&tracker.served.tracker()), after);
    let error = tracker.served.tracker().at(b"unknown").expect_err("there is none");
    assert!(matches!(error, CallError::Raised(error) if error.kind == Reason::Missing));
}
