//! One project.

use std::sync::Arc;

use carnet_database::{Access, Fault};
use carnet_portal::stub::{Caller, Served};

use crate::check;
use crate::engine::{self, Engine};
use crate::fault;
use crate::issue;
use crate::key::List;
use crate::record::{self, Issue};
use crate::tracker::{self, Error, IssueEntryList, ProjectInfo, ProjectService, Reason, State, Which};

/// A portal's project.
pub(crate) struct One {
    pub(crate) engine: Arc<Engine>,
    pub(crate) name: Box<[u8]>,
    pub(crate) access: Access,
}

impl One {
    fn page(
        &self,
        list: List<'_>,
        which: Which,
        after: &[u8],
        result: &mut IssueEntryList<'_>,
    ) -> Result<bool, Error> {
        let after = check::cursor(after)?;
        engine::list(&self.engine.view()?, &self.name, list, which, after, result)
    }
}

impl ProjectService for One {
    fn get(&self, _: &Caller) -> Result<ProjectInfo, Error> {
        let record::Project { created, last, open } = engine::project(&self.engine.view()?, &self.name)?;
        let (open, closed) = (open.cast_signed(), (last - open).cast_signed());
        Ok(ProjectInfo { name: self.name.to_vec(), created, open, closed })
    }

    fn issue(&self, _: &Caller, number: i64) -> Result<Served<tracker::Issue>, Error> {
        let Some(known) = u64::try_from(number).ok().filter(|number| *number > 0) else {
            let text = "is none: issues have the numbers 1, 2, 3 and so on";
            return Err(fault::of_issue(Reason::BadNumber, &self.name, number, text));
        };
        engine::issue(&self.engine.view()?, &self.name, known)?;
        let (engine, project) = (Arc::clone(&self.engine), self.name.clone());
        Ok(tracker::Issue::serve(issue::One { engine, project, number: known, access: self.access }))
    }

    fn create(&self, caller: &Caller, title: &[u8], body: &[u8]) -> Result<i64, Error> {
        check::line("title", Reason::BadText, title)?;
        check::text("body", body)?;
        if self.access == Access::ReadOnly {
            return Err(Fault::ReadOnly.into());
        }
        self.engine.write(|changes| {
            let mut project = changes.project(&self.name)?.ok_or_else(|| engine::no_project(&self.name))?;
            let most = self.engine.limits.issues;
            if project.last >= most {
                let text = format_args!("has {most} issues, as many as may be");
                return Err(fault::of(Reason::TooMany, "project", &self.name, text).into());
            }
            project.last += 1;
            project.open += 1;
            let now = changes.now();
            let new = Issue {
                version: changes.version(),
                created: now,
                updated: now,
                closed: 0,
                comments: 0,
                state: State::Open,
                title: title.to_vec(),
                author: check::author(&caller.principal).to_vec(),
                assignee: Vec::new(),
                labels: Vec::new(),
            };
            changes.set_project(&self.name, &project)?;
            changes.set_body(&self.name, project.last, body)?;
            changes.set_issue(&self.name, project.last, None, &new)?;
            Ok(project.last.cast_signed())
        })
    }

    fn list(
        &self,
        _: &Caller,
        which: Which,
        after: &[u8],
        result: &mut IssueEntryList<'_>,
    ) -> Result<bool, Error> {
        self.page(List::All, which, after, result)
    }

    fn labelled(
        &self,
        _: &Caller,
        label: &[u8],
        which: Which,
        after: &[u8],
        result: &mut IssueEntryList<'_>,
    ) -> Result<bool, Error> {
        check::line("label", Reason::BadName, label)?;
        self.page(List::Label(label), which, after, result)
    }

    fn assigned(
        &self,
        _: &Caller,
        user: &[u8],
        which: Which,
        after: &[u8],
        result: &mut IssueEntryList<'_>,
    ) -> Result<bool, Error> {
        if !user.is_empty() {
            check::line("user", Reason::BadName, user)?;
        }
        self.page(List::User(user), which, after, result)
    }
}
