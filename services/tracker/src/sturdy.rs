//! Projects and issues that are found again by another process over the same database.
//!
//! A name is a byte that says what it is (tracker, project, issue), one that says whether it may be changed (1) or not (0), the number of
//! an issue (u64), and the name of the project, empty for all projects.

use std::sync::Arc;

use carnet_portal::call::{Caller, Object};
use carnet_portal::stub::{Module, Served};
use carnet_portal::sturdy::Sturdy;

use crate::Access;
use crate::engine;
use crate::projects::Projects;
use crate::tracker::{self, Error};
use crate::{issue, project};

const TRACKER: u8 = 0;
const PROJECT: u8 = 1;
const ISSUE: u8 = 2;

/// Names trackers, projects and issues.
#[derive(Clone, Copy, Debug, Default)]
pub struct SturdyTrackers;

fn root_of(root: &dyn Object) -> Result<&Projects, String> {
    root.service().downcast_ref().ok_or_else(|| "is of no tracker".to_owned())
}

fn named(kind: u8, access: Access, number: u64, project: &[u8]) -> Vec<u8> {
    let head = [kind, u8::from(access == Access::ReadWrite)];
    [&head[..], &number.to_le_bytes(), project].concat()
}

impl Sturdy for SturdyTrackers {
    fn module(&self) -> &'static Module {
        tracker::module()
    }

    fn identity(&self, root: &dyn Object) -> Result<Vec<u8>, String> {
        let root = root_of(root)?;
        Ok([&root.engine.identity()?.to_le_bytes()[..], root.only.as_deref().unwrap_or_default()].concat())
    }

    fn name(&self, _: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String> {
        let service = object.service();
        if let Some(Projects { only, access, .. }) = service.downcast_ref() {
            Ok(named(TRACKER, *access, 0, only.as_deref().unwrap_or_default()))
        } else if let Some(project::One { name, access, .. }) = service.downcast_ref() {
            Ok(named(PROJECT, *access, 0, name))
        } else if let Some(issue::One { project, number, access, .. }) = service.downcast_ref() {
            Ok(named(ISSUE, *access, *number, project))
        } else {
            Err("is of another service".to_owned())
        }
    }

    fn find(&self, root: &dyn Object, name: &[u8], _: &Caller) -> Result<Arc<dyn Object>, String> {
        let root = root_of(root)?;
        let ([kind, access, number @ ..], name) =
            name.split_first_chunk::<10>().ok_or("its name is damaged")?;
        let access = match access {
            0 => Access::ReadOnly,
            1 if root.access == Access::ReadOnly => {
                return Err("could be changed, and is now served for reading only".to_owned());
            }
            _ => Access::ReadWrite,
        };
        let number = u64::from_le_bytes(*number);
        let engine = || Arc::clone(&root.engine);
        let told = |error: Error| error.message;
        if *kind != TRACKER || !name.is_empty() {
            root.known(name).map_err(told)?;
        }
        match *kind {
            TRACKER if name.is_empty() => {
                let only = root.only.clone();
                Ok(tracker::Tracker::serve(Projects { engine: engine(), only, access }).into_object())
            }
            TRACKER => {
                let only = Some(name.into());
                Ok(tracker::Tracker::serve(Projects { engine: engine(), only, access }).into_object())
            }
            PROJECT => {
                let project = project::One { engine: engine(), name: name.into(), access };
                Ok(tracker::Project::serve(project).into_object())
            }
            ISSUE => {
                let view = root.engine.view().map_err(told)?;
                engine::issue(&view, name, number).map_err(told)?;
                let issue = issue::One { engine: engine(), project: name.into(), number, access };
                Ok(Served::into_object(tracker::Issue::serve(issue)))
            }
            _ => Err("its name is damaged".to_owned()),
        }
    }
}
