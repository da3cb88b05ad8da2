//! Reading and changing projects and issues: one view or one change of the database for each call.
//!
//! An issue stands in one listing for all, one for each of its labels, and one for its user or nobody. A change of it takes it out of
//! those that it leaves and puts it into those that it enters, together with the issue itself, so that a listing needs no search.

use carnet_database::{
    self as database, Database, Durability, Entries, Fault, Layout, OpenError, Opener, View,
};

use crate::key::{self, List};
use crate::record::{Comment, Issue, Project};
use crate::tracker::{Error, IssueEntryList, Reason, State, Which};
use crate::{Clock, Limits, fault};

pub(crate) const LAYOUT: Layout =
    Layout { entries: "carnet.tracker.entries", counts: "carnet.tracker.counts", format: 1, entry_bytes: 64 };

/// One tracker, for all portals on it.
pub(crate) struct Engine {
    database: Database,
    pub(crate) limits: Limits,
}

/// Why a change is not made.
pub(crate) enum Stop<T> {
    /// All is so already.
    Unchanged(T),
    Failed(Error),
}

impl<T> From<Error> for Stop<T> {
    fn from(error: Error) -> Stop<T> {
        Stop::Failed(error)
    }
}

impl<T> From<Fault> for Stop<T> {
    fn from(fault: Fault) -> Stop<T> {
        Stop::Failed(fault.into())
    }
}

impl Engine {
    pub(crate) fn new(
        open: Opener,
        quota: u64,
        durability: Durability,
        limits: Limits,
        clock: Clock,
    ) -> Result<Engine, OpenError> {
        let database = Database::new(open, LAYOUT, quota, clock)?.durability(durability);
        Ok(Engine { database, limits })
    }

    /// Has all on the disk that was answered.
    pub(crate) fn flush(&self) -> Result<(), String> {
        self.database.flush().map_err(|fault| fault.to_string())
    }

    /// What tells the database from others.
    pub(crate) fn identity(&self) -> Result<u64, String> {
        self.database.identity()
    }

    /// What is stored now.
    pub(crate) fn view(&self) -> Result<View, Error> {
        Ok(self.database.view()?)
    }

    /// Makes a change, or none of it if `change` says so. It is as durable afterwards as the database is.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&mut Change<'_, '_>) -> Result<T, Stop<T>>,
    ) -> Result<T, Error> {
        match self.database.write(|made| change(&mut Change(made))) {
            Ok(value) | Err(Stop::Unchanged(value)) => Ok(value),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// A project that is there.
pub(crate) fn project(view: &View, name: &[u8]) -> Result<Project, Error> {
    view.get(&key::project(name), Project::read)?.ok_or_else(|| no_project(name))
}

/// An issue that is there.
pub(crate) fn issue(view: &View, project: &[u8], number: u64) -> Result<Issue, Error> {
    let found = view.get(&key::issue(project, number), Issue::read)?;
    found.ok_or_else(|| no_issue(project, number.cast_signed()))
}

#[cold]
pub(crate) fn no_project(name: &[u8]) -> Error {
    fault::of(Reason::Missing, "project", name, "does not exist")
}

#[cold]
pub(crate) fn no_issue(project: &[u8], number: i64) -> Error {
    fault::of_issue(Reason::Missing, project, number, "does not exist")
}

/// A page of a listing, behind the issue `after`; whether it is the last.
pub(crate) fn list(
    view: &View,
    project: &[u8],
    list: List<'_>,
    which: Which,
    after: u64,
    result: &mut IssueEntryList<'_>,
) -> Result<bool, Error> {
    let numbers = |state| Numbers::of(view, project, list, state, after);
    let (mut open, mut closed) = match which {
        Which::Open => (numbers(State::Open)?, Numbers::none()),
        Which::Closed => (Numbers::none(), numbers(State::Closed)?),
        Which::All => (numbers(State::Open)?, numbers(State::Closed)?),
    };
    loop {
        let of = match (open.next, closed.next) {
            (None, None) => return Ok(true),
            (Some(one), Some(other)) if one > other => &mut closed,
            (None, Some(_)) => &mut closed,
            _ => &mut open,
        };
        let Some(number) = of.next else { return Ok(true) };
        let found = view.get(&key::issue(project, number), Issue::read)?.ok_or_else(fault::damaged)?;
        if !push(result, number, &found) {
            return Ok(false);
        }
        of.step()?;
    }
}

fn push(result: &mut IssueEntryList<'_>, number: u64, issue: &Issue) -> bool {
    let Issue { title, state, assignee, created, updated, version, .. } = issue;
    let (id, number) = (number.to_string(), number.cast_signed());
    let version = version.cast_signed();
    result.push(id.as_bytes(), number, title, *state, assignee, *created, *updated, version)
}

/// Numbers of issues of one state in a listing, in their order.
struct Numbers<'v> {
    rest: Option<Entries<'v>>,
    next: Option<u64>,
}

impl<'v> Numbers<'v> {
    fn none() -> Numbers<'v> {
        Numbers { rest: None, next: None }
    }

    fn of(
        view: &'v View,
        project: &[u8],
        list: List<'_>,
        state: State,
        after: u64,
    ) -> Result<Numbers<'v>, Error> {
        let [after, last] = [after, u64::MAX].map(|number| key::listed(project, list, state, number));
        let rest = key::behind(&after, &last).map(|keys| view.entries(keys)).transpose()?;
        let mut numbers = Numbers { rest, next: None };
        numbers.step()?;
        Ok(numbers)
    }

    fn step(&mut self) -> Result<(), Error> {
        let next = self.rest.as_mut().and_then(Iterator::next).transpose()?;
        self.next = next.map(|entry| key::number(entry.key()));
        Ok(())
    }
}

/// A change, while it is made.
pub(crate) struct Change<'c, 't>(&'c mut database::Change<'t>);

impl Change<'_, '_> {
    /// When it is made.
    pub(crate) fn now(&self) -> i64 {
        self.0.now
    }

    /// The version of what it changes.
    pub(crate) fn version(&self) -> u64 {
        self.0.sequence
    }

    /// How many projects there are.
    pub(crate) fn projects(&self) -> Result<u64, Error> {
        let count = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).map_err(|_| fault::damaged());
        Ok(self.0.get(key::PROJECTS, count)?.unwrap_or(0))
    }

    pub(crate) fn set_projects(&mut self, count: u64) -> Result<(), Error> {
        self.put(key::PROJECTS, &count.to_le_bytes())
    }

    pub(crate) fn project(&self, name: &[u8]) -> Result<Option<Project>, Error> {
        self.0.get(&key::project(name), Project::read)
    }

    pub(crate) fn set_project(&mut self, name: &[u8], project: &Project) -> Result<(), Error> {
        self.put(&key::project(name), &project.write())
    }

    pub(crate) fn issue(&self, project: &[u8], number: u64) -> Result<Issue, Error> {
        let found = self.0.get(&key::issue(project, number), Issue::read)?;
        found.ok_or_else(|| no_issue(project, number.cast_signed()))
    }

    /// Puts an issue where `old` was, if it is not new.
    pub(crate) fn set_issue(
        &mut self,
        project: &[u8],
        number: u64,
        old: Option<&Issue>,
        new: &Issue,
    ) -> Result<(), Error> {
        let lists =
            |issue: Option<&Issue>| issue.map_or_else(Vec::new, |issue| lists(project, number, issue));
        let (left, entered) = (lists(old), lists(Some(new)));
        for key in left.iter().filter(|key| !entered.contains(key)) {
            self.0.set(key, None)?;
        }
        for key in entered.iter().filter(|key| !left.contains(key)) {
            self.put(key, b"")?;
        }
        self.put(&key::issue(project, number), &new.write())
    }

    /// The body of an issue.
    pub(crate) fn body(&self, project: &[u8], number: u64) -> Result<Vec<u8>, Error> {
        Ok(self.0.get(&key::body(project, number), |body| Ok::<_, Error>(body.to_vec()))?.unwrap_or_default())
    }

    pub(crate) fn set_body(&mut self, project: &[u8], number: u64, body: &[u8]) -> Result<(), Error> {
        self.put(&key::body(project, number), body)
    }

    pub(crate) fn add_comment(
        &mut self,
        project: &[u8],
        number: u64,
        comment: u64,
        added: &Comment,
    ) -> Result<(), Error> {
        self.put(&key::comment(project, number, comment), &added.write())
    }

    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error> {
        self.0.set(key, Some(value)).map(drop).map_err(Fault::into)
    }
}

/// The keys of the listings that an issue stands in.
fn lists(project: &[u8], number: u64, issue: &Issue) -> Vec<Vec<u8>> {
    let labels = issue.labels.iter().map(|label| List::Label(label));
    let all = [List::All, List::User(&issue.assignee)].into_iter().chain(labels);
    all.map(|list| key::listed(project, list, issue.state, number)).collect()
}
