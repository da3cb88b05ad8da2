//! Projects and issues that the next service over the same file finds again.

use std::sync::Arc;

use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_portal::sturdy::Sturdy as _;
use carnet_tracker::tracker::{Issue, Project, Tracker};
use carnet_tracker::{Access, Durability, Options, SturdyTrackers, serve};

fn opened(folder: &tempfile::TempDir, access: Access) -> Arc<dyn Object> {
    let options = Options { access, ..Options::new(folder.path().join("issues.db")) };
    serve(options).expect("a good file").into_object()
}

fn session(root: &Arc<dyn Object>) -> Arc<LocalSession> {
    LocalSession::new(Capability::new(Arc::clone(root)), Caller::local())
}

fn found(root: &Arc<dyn Object>, name: &[u8]) -> Result<Portal, String> {
    let found = SturdyTrackers.find(&**root, name, &Caller::local())?;
    Ok(session(&found).root())
}

/// Names of a tracker of one project for reading only, of a project and of an issue, in a service that has ended.
fn named(folder: &tempfile::TempDir) -> [Vec<u8>; 3] {
    let root = opened(folder, Access::ReadWrite);
    let session = session(&root);
    let tracker = Tracker::from_portal(session.root());
    let web = tracker.create(b"web").expect("a new one");
    let number = web.create(b"title", b"body").expect("a new one");
    let issue = web.issue(number).expect("it is there");
    let only = tracker.at(b"web:ro").expect("it is there");
    [only.portal(), web.portal(), issue.portal()].map(|portal| {
        let object = session.capability(portal.id()).expect("it is of this session");
        SturdyTrackers.name(&*root, &**object.object()).expect("it has a name")
    })
}

#[test]
fn a_database_is_known_again_and_told_from_others() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().expect("there is room"));
    named(&folder);
    let identity = |root: &Arc<dyn Object>| SturdyTrackers.identity(&**root);
    let root = opened(&folder, Access::ReadWrite);
    let first = identity(&root).expect("it has one");
    let own = session(&root);
    let only = Tracker::from_portal(own.root()).at(b"web").expect("it is there");
    let part = own.capability(only.portal().id()).expect("it is of this session");
    assert_ne!(identity(part.object()), Ok(first.clone()), "one project is another root");
    drop((part, only, own, root));
    assert_eq!(identity(&opened(&folder, Access::ReadOnly)), Ok(first.clone()));
    assert_ne!(identity(&opened(&other, Access::ReadWrite)), Ok(first));
    let path = folder.path().join("memory.db");
    let options = Options { access: Access::ReadWrite, durability: Durability::Memory, ..Options::new(path) };
    let root = serve(options).expect("a good file").into_object();
    assert_eq!(identity(&root), Err("keeps changes in memory, which may be lost".to_owned()));
}

#[test]
fn they_are_what_they_were() {
    let folder = tempfile::tempdir().expect("there is room");
    let [only, web, issue] = named(&folder);
    let root = opened(&folder, Access::ReadWrite);
    let only = Tracker::from_portal(found(&root, &only).expect("it is found"));
    let project = only.project(b"web").expect("it is there");
    assert!(project.create(b"another", b"").is_err(), "it is for reading only");
    assert!(only.project(b"api").is_err());
    let web = Project::from_portal(found(&root, &web).expect("it is found"));
    assert_eq!(web.create(b"another", b"").expect("it may"), 2);
    let issue = Issue::from_portal(found(&root, &issue).expect("it is found"));
    assert_eq!(issue.get().expect("it is there").title, b"title");
    issue.add_label(b"bug").expect("it may");
}

#[test]
fn names_give_no_more_than_the_root() {
    let folder = tempfile::tempdir().expect("there is room");
    let [only, web, issue] = named(&folder);
    let other = tempfile::tempdir().expect("there is room");
    let root = opened(&other, Access::ReadWrite);
    for name in [&only, &web, &issue] {
        assert!(found(&root, name).is_err(), "there is no such project");
        for len in 0..10 {
            assert!(found(&root, &name[..len]).is_err(), "{len}");
        }
    }
    drop(root);
    let read_only = opened(&folder, Access::ReadOnly);
    assert!(found(&read_only, &only).is_ok());
    let why = "could be changed, and is now served for reading only";
    assert_eq!(found(&read_only, &issue).map(drop), Err(why.to_owned()));
    drop(read_only);
    // Below a root of one project there is no other, and not all.
    let root = opened(&folder, Access::ReadWrite);
    Tracker::from_portal(session(&root).root()).create(b"api").expect("a new one");
    let api = session(&root);
    let at = Tracker::from_portal(api.root()).at(b"api").expect("it is there");
    let api = Arc::clone(api.capability(at.portal().id()).expect("it is of this session").object());
    assert!(found(&api, &web).is_err_and(|why| why.contains("is outside")));
    let all = Tracker::from_portal(found(&api, &[0, 1, 0, 0, 0, 0, 0, 0, 0, 0]).expect("it is found"));
    assert!(all.project(b"web").is_err());
    let missing = [&issue[..2], &99_u64.to_le_bytes(), b"web"].concat();
    assert!(found(&root, &missing).is_err());
    assert!(found(&root, &[7, 0, 0, 0, 0, 0, 0, 0, 0, 0, b'w', b'e', b'b']).is_err());
}
