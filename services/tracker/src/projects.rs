//! All projects, or one of them alone.

use std::ops::Bound;
use std::sync::Arc;

use carnet_database::{Access, Fault};
use carnet_portal::stub::{Caller, Served};

use crate::check;
use crate::engine::{self, Engine};
use crate::fault;
use crate::key;
use crate::project;
use crate::record::Project;
use crate::tracker::{self, Error, ProjectInfoList, Reason, TrackerService};

/// A portal's projects.
pub(crate) struct Projects {
    pub(crate) engine: Arc<Engine>,
    /// The only one, if not all.
    pub(crate) only: Option<Box<[u8]>>,
    pub(crate) access: Access,
}

impl Projects {
    /// Whether this portal may name a project.
    fn may_name(&self, name: &[u8]) -> Result<(), Error> {
        match &self.only {
            Some(only) if **only != *name => {
                let text = format_args!(
                    "is outside: this portal is for the project \"{}\" alone",
                    only.escape_ascii()
                );
                Err(fault::of(Reason::Outside, "project", name, text))
            }
            _ => Ok(()),
        }
    }

    fn serve(&self, name: &[u8]) -> Served<tracker::Project> {
        let engine = Arc::clone(&self.engine);
        tracker::Project::serve(project::One { engine, name: name.into(), access: self.access })
    }

    /// A project that is there, and may be named.
    pub(crate) fn known(&self, name: &[u8]) -> Result<(), Error> {
        check::project(name)?;
        self.may_name(name)?;
        engine::project(&self.engine.view()?, name).map(drop)
    }
}

impl TrackerService for Projects {
    fn at(&self, _: &Caller, text: &[u8]) -> Result<Served<tracker::Tracker>, Error> {
        let (name, access) = match text.strip_suffix(b":ro") {
            Some(name) => (name, Access::ReadOnly),
            None => (text.strip_suffix(b":rw").unwrap_or(text), self.access),
        };
        let only = if name.is_empty() {
            self.only.clone()
        } else {
            self.known(name)?;
            Some(name.into())
        };
        Ok(tracker::Tracker::serve(Projects { engine: Arc::clone(&self.engine), only, access }))
    }

    fn project(&self, _: &Caller, name: &[u8]) -> Result<Served<tracker::Project>, Error> {
        self.known(name)?;
        Ok(self.serve(name))
    }

    fn create(&self, _: &Caller, name: &[u8]) -> Result<Served<tracker::Project>, Error> {
        check::project(name)?;
        self.may_name(name)?;
        if self.access == Access::ReadOnly {
            return Err(Fault::ReadOnly.into());
        }
        self.engine.write(|changes| {
            if changes.project(name)?.is_some() {
                return Err(fault::of(Reason::Exists, "project", name, "exists already").into());
            }
            let most = self.engine.limits.projects;
            let count = changes.projects()?;
            if count >= most {
                let text = format_args!("has {most} projects, as many as may be");
                return Err(fault::of_tracker(Reason::TooMany, text).into());
            }
            changes.set_projects(count + 1)?;
            changes.set_project(name, &Project { created: changes.now(), last: 0, open: 0 })?;
            Ok(())
        })?;
        Ok(self.serve(name))
    }

    fn projects(&self, _: &Caller, after: &[u8], result: &mut ProjectInfoList<'_>) -> Result<bool, Error> {
        if !after.is_empty() && check::project(after).is_err() {
            let text = "is none that a listing showed: one is the name of a project";
            return Err(fault::of(Reason::BadCursor, "cursor", after, text));
        }
        let view = self.engine.view()?;
        // Behind those of all projects is the first key of what comes next.
        let (first, end) = (key::project(after), key::project(&[0xFF]));
        let only = self.only.as_deref().map(key::project);
        let keys = match &only {
            Some(only) if first < *only => (Bound::Included(&only[..]), Bound::Included(&only[..])),
            Some(_) => return Ok(true),
            None => (Bound::Excluded(&first[..]), Bound::Excluded(&end[..])),
        };
        for entry in view.entries(keys)? {
            let entry = entry?;
            let Project { created, last, open } = Project::read(entry.value())?;
            let name = entry.key().get(1..).unwrap_or_default();
            if !result.push(name, created, open.cast_signed(), (last - open).cast_signed()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
