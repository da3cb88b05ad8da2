//! Ways to objects: open, closed, to nothing, copied, and taken away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use carnet_code::{Gate, Switch};

/// What lies behind a count in different places: by how it is aligned.
trait Named: Send + Sync {
    fn name(&self) -> u64;
}

struct Small(u8, Arc<AtomicUsize>);

#[repr(align(256))]
struct Wide(u64, Arc<AtomicUsize>);

impl Named for Small {
    fn name(&self) -> u64 {
        self.0.into()
    }
}

impl Named for Wide {
    fn name(&self) -> u64 {
        self.0
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Wide {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }
}

fn gate(object: Arc<dyn Named>) -> (Arc<AtomicBool>, Gate<dyn Named>) {
    let closed = Arc::new(AtomicBool::new(false));
    (Arc::clone(&closed), Gate::new(object, Switch::new(&closed)))
}

#[test]
fn a_gate_leads_to_its_object_until_it_is_closed() {
    let ends = Arc::new(AtomicUsize::new(0));
    let small: Arc<dyn Named> = Arc::new(Small(7, Arc::clone(&ends)));
    let wide: Arc<dyn Named> = Arc::new(Wide(1 << 40, Arc::clone(&ends)));
    for (object, name) in [(small, 7), (wide, 1 << 40)] {
        let (closed, gate) = gate(object);
        assert_eq!(gate.object().map(Named::name), Some(name));
        let copy = gate.clone();
        let moved = Box::new(gate);
        assert_eq!(moved.object().map(Named::name), Some(name));
        closed.store(true, Ordering::Release);
        drop(closed);
        assert!(moved.object().is_none() && copy.object().is_none(), "closed");
        assert!(moved.leads_somewhere() && copy.leads_somewhere());
        drop(moved);
        assert!(copy.object().is_none());
    }
    assert_eq!(ends.load(Ordering::Relaxed), 2, "each ended once, with its last gate");
}

#[test]
fn a_gate_keeps_its_object_and_gives_it_back() {
    let ends = Arc::new(AtomicUsize::new(0));
    let (_closed, mut gate) = gate(Arc::new(Small(1, Arc::clone(&ends))));
    let mut copy = gate.clone();
    let object = gate.remove().expect("it led somewhere");
    assert!(gate.object().is_none() && !gate.leads_somewhere() && gate.remove().is_none());
    assert_eq!((Arc::strong_count(&object), copy.object().map(Named::name)), (2, Some(1)));
    drop(object);
    assert_eq!(ends.load(Ordering::Relaxed), 0);
    drop(copy.remove());
    assert_eq!(ends.load(Ordering::Relaxed), 1);
}

#[test]
fn a_gate_to_nothing_never_opens() {
    let gate = Gate::<dyn Named>::nowhere();
    assert!(gate.object().is_none() && gate.clone().object().is_none() && !gate.leads_somewhere());
}
