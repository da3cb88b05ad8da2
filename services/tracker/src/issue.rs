//! One issue.

use std::sync::Arc;

use carnet_database::{Access, Fault};
use carnet_portal::stub::{BytesOut, Caller};

use crate::check;
use crate::engine::{self, Change, Engine, Stop};
use crate::fault;
use crate::key;
use crate::record::{Comment, Issue};
use crate::tracker::{CommentList, Error, IssueInfo, IssueService, LABELS, LabelList, Reason, State};

/// A portal's issue.
pub(crate) struct One {
    pub(crate) engine: Arc<Engine>,
    pub(crate) project: Box<[u8]>,
    pub(crate) number: u64,
    pub(crate) access: Access,
}

impl One {
    fn read(&self) -> Result<Issue, Error> {
        engine::issue(&self.engine.view()?, &self.project, self.number)
    }

    /// Changes the issue, which has a new version then. What `change` gives is the result.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Change<'_, '_>, &mut Issue) -> Result<T, Stop<T>>,
    ) -> Result<T, Error> {
        if self.access == Access::ReadOnly {
            return Err(Fault::ReadOnly.into());
        }
        self.engine.write(|changes| {
            let old = changes.issue(&self.project, self.number)?;
            let mut new = old.clone();
            let result = change(changes, &mut new)?;
            (new.version, new.updated) = (changes.version(), changes.now());
            changes.set_issue(&self.project, self.number, Some(&old), &new)?;
            Ok(result)
        })
    }

    fn fail(&self, kind: Reason, text: impl std::fmt::Display) -> Error {
        fault::of_issue(kind, &self.project, self.number.cast_signed(), text)
    }

    fn expect(&self, issue: &Issue, version: i64) -> Result<(), Error> {
        let found = issue.version.cast_signed();
        if found == version {
            return Ok(());
        }
        Err(self
            .fail(Reason::Conflict, format_args!("was not changed: its version is {found}, not {version}")))
    }
}

impl IssueService for One {
    fn get(&self, _: &Caller) -> Result<IssueInfo, Error> {
        let issue = self.read()?;
        Ok(IssueInfo {
            title: issue.title,
            state: issue.state,
            author: issue.author,
            assignee: issue.assignee,
            created: issue.created,
            updated: issue.updated,
            closed: issue.closed,
            comments: issue.comments.cast_signed(),
            version: issue.version.cast_signed(),
        })
    }

    fn body(&self, _: &Caller, result: &mut BytesOut<'_>) -> Result<(), Error> {
        let shown = |body: &[u8]| if result.extend(body) { Ok(()) } else { Err(fault::damaged()) };
        let body = self.engine.view()?.get(&key::body(&self.project, self.number), shown)?;
        body.ok_or_else(|| engine::no_issue(&self.project, self.number.cast_signed()))
    }

    fn labels(&self, _: &Caller, result: &mut LabelList<'_>) -> Result<(), Error> {
        let shown = self.read()?.labels.iter().all(|label| result.push(label));
        if shown { Ok(()) } else { Err(fault::damaged()) }
    }

    fn comments(&self, _: &Caller, after: &[u8], result: &mut CommentList<'_>) -> Result<bool, Error> {
        let [after, last] =
            [check::cursor(after)?, u64::MAX].map(|number| key::comment(&self.project, self.number, number));
        let view = self.engine.view()?;
        let Some(keys) = key::behind(&after, &last) else { return Ok(true) };
        for entry in view.entries(keys)? {
            let entry = entry?;
            let (number, comment) = (key::number(entry.key()), Comment::read(entry.value())?);
            let id = number.to_string();
            let number = number.cast_signed();
            if !result.push(id.as_bytes(), number, &comment.author, comment.created, &comment.text) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn edit(&self, _: &Caller, title: &[u8], body: &[u8], version: i64) -> Result<i64, Error> {
        check::line("title", Reason::BadText, title)?;
        check::text("body", body)?;
        self.change(|changes, issue| {
            self.expect(issue, version)?;
            if issue.title == title && changes.body(&self.project, self.number)? == body {
                return Err(Stop::Unchanged(version));
            }
            issue.title = title.to_vec();
            changes.set_body(&self.project, self.number, body)?;
            Ok(changes.version().cast_signed())
        })
    }

    fn set_state(&self, _: &Caller, state: State, version: i64) -> Result<i64, Error> {
        self.change(|changes, issue| {
            if version != 0 {
                self.expect(issue, version)?;
            }
            if issue.state == state {
                return Err(Stop::Unchanged(issue.version.cast_signed()));
            }
            let mut project = changes.project(&self.project)?.ok_or_else(fault::damaged)?;
            (project.open, issue.closed) = match state {
                State::Open => (project.open + 1, 0),
                State::Closed => (project.open.checked_sub(1).ok_or_else(fault::damaged)?, changes.now()),
            };
            issue.state = state;
            changes.set_project(&self.project, &project)?;
            Ok(changes.version().cast_signed())
        })
    }

    fn add_label(&self, _: &Caller, label: &[u8]) -> Result<bool, Error> {
        check::line("label", Reason::BadName, label)?;
        self.change(|_, issue| {
            let Err(place) = issue.labels.binary_search_by(|own| own[..].cmp(label)) else {
                return Err(Stop::Unchanged(false));
            };
            if issue.labels.len() >= LABELS as usize {
                return Err(self
                    .fail(Reason::TooMany, format_args!("has {LABELS} labels, as many as may be"))
                    .into());
            }
            issue.labels.insert(place, label.to_vec());
            Ok(true)
        })
    }

    fn remove_label(&self, _: &Caller, label: &[u8]) -> Result<bool, Error> {
        check::line("label", Reason::BadName, label)?;
        self.change(|_, issue| {
            let Ok(place) = issue.labels.binary_search_by(|own| own[..].cmp(label)) else {
                return Err(Stop::Unchanged(false));
            };
            issue.labels.remove(place);
            Ok(true)
        })
    }

    fn assign(&self, _: &Caller, user: &[u8]) -> Result<(), Error> {
        if !user.is_empty() {
            check::line("user", Reason::BadName, user)?;
        }
        self.change(|_, issue| {
            if issue.assignee == user {
                return Err(Stop::Unchanged(()));
            }
            issue.assignee = user.to_vec();
            Ok(())
        })
    }

    fn comment(&self, caller: &Caller, text: &[u8]) -> Result<i64, Error> {
        check::text("comment", text)?;
        if text.is_empty() {
            return Err(fault::of(Reason::BadText, "comment", text, "is empty"));
        }
        self.change(|changes, issue| {
            let most = self.engine.limits.comments;
            if issue.comments >= most {
                return Err(self
                    .fail(Reason::TooMany, format_args!("has {most} comments, as many as may be"))
                    .into());
            }
            issue.comments += 1;
            let author = check::author(&caller.principal).to_vec();
            let added = Comment { created: changes.now(), author, text: text.to_vec() };
            changes.add_comment(&self.project, self.number, issue.comments, &added)?;
            Ok(issue.comments.cast_signed())
        })
    }
}
