//! Receipts: whatever the order in which hand-outs and releases cross, nothing is lost and nothing stays.

mod support;

use std::collections::HashMap;
use std::sync::Arc;

use carnet_portal::call::Object;
use carnet_portal::capability::{Capability, Grant};
use carnet_portal::portal::PortalId;
use carnet_portal::table::Table;
use proptest::prelude::*;
use support::World;

/// What happens next.
#[derive(Clone, Debug)]
enum Step {
    /// The server sends object `n`.
    Send(usize),
    /// The client receives the oldest message.
    Receive,
    /// The client drops one of the portals that it holds.
    Drop(usize),
    /// The server receives the oldest release.
    Release,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0_usize..4).prop_map(Step::Send),
        Just(Step::Receive),
        any::<usize>().prop_map(Step::Drop),
        Just(Step::Release),
    ]
}

/// A server, a client, and what is on the way between them.
struct Model {
    table: Table,
    objects: Vec<Arc<dyn Object>>,
    grant: Grant,
    to_client: Vec<(PortalId, usize)>,
    /// Receipts that the client holds, with the object that each stands for.
    held: Vec<(PortalId, usize)>,
    to_server: Vec<PortalId>,
    dropped: usize,
}

impl Model {
    fn new(world: &Arc<World>) -> Model {
        Model {
            table: Table::new(Capability::new(world.root()), 100),
            objects: (0..4).map(|_| world.root()).collect(),
            grant: Grant::new(),
            to_client: Vec::new(),
            held: Vec::new(),
            to_server: Vec::new(),
            dropped: 0,
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Send(object) => {
                let capability = Capability::under(Arc::clone(&self.objects[*object]), &self.grant);
                let id = self.table.hand_out(capability).unwrap();
                self.to_client.push((id, *object));
            }
            Step::Receive if !self.to_client.is_empty() => self.held.push(self.to_client.remove(0)),
            Step::Drop(which) if !self.held.is_empty() => {
                let (id, _) = self.held.swap_remove(which % self.held.len());
                self.to_server.push(id);
            }
            Step::Release if !self.to_server.is_empty() => {
                let id = self.to_server.remove(0);
                self.dropped += usize::from(self.table.release(id, 1).is_some());
            }
            Step::Receive | Step::Drop(_) | Step::Release => {}
        }
    }

    /// Each portal that the client holds, or will, names the object that was sent.
    fn check(&self) {
        for (id, object) in self.held.iter().chain(&self.to_client) {
            let found = self.table.get(*id).expect("what is held is there");
            assert!(Arc::ptr_eq(found.object(), &self.objects[*object]));
        }
        let mut outstanding: HashMap<PortalId, usize> = HashMap::new();
        let ids = self.held.iter().chain(&self.to_client).map(|(id, _)| id).chain(&self.to_server);
        for id in ids {
            *outstanding.entry(*id).or_default() += 1;
        }
        assert_eq!(self.table.len(), 1 + outstanding.len());
    }
}

proptest! {
    #[test]
    fn no_order_loses_or_keeps_anything(steps in proptest::collection::vec(step(), 0..200)) {
        let world = World::new();
        let mut model = Model::new(&world);
        for step in &steps {
            model.take(step);
            model.check();
        }
        for step in [Step::Receive, Step::Drop(0), Step::Release] {
            for _ in 0..steps.len() {
                model.take(&step);
            }
        }
        prop_assert_eq!(model.table.len(), 1);
        drop(model);
        prop_assert_eq!(world.live(), 0);
    }
}

#[test]
fn a_stale_id_names_nothing_for_long() {
    let world = World::new();
    let mut table = Table::new(Capability::new(world.root()), 2);
    let mut last = None;
    for _ in 0..1000 {
        let id = table.hand_out(Capability::new(world.root())).unwrap();
        assert_ne!(Some(id), last);
        assert!(table.get(id).is_ok());
        assert!(table.release(id, 1).is_some());
        assert!(table.get(id).is_err());
        assert!(table.release(id, 1).is_none());
        last = Some(id);
    }
    assert_eq!(world.live(), 1);
}

#[test]
fn another_grant_is_another_portal() {
    let world = World::new();
    let mut table = Table::new(Capability::new(world.root()), 10);
    let object = world.root();
    let (first, second) = (Capability::new(Arc::clone(&object)), Capability::new(object));
    let ids = (table.hand_out(first.clone()).unwrap(), table.hand_out(second).unwrap());
    assert_ne!(ids.0, ids.1);
    first.grant().revoke();
    assert!(table.get(ids.0).unwrap().is_revoked());
    assert!(!table.get(ids.1).unwrap().is_revoked());
}
