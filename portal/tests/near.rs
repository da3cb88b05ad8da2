//! Short calls on objects of the same process, which go past session and block: rights, panics, other interfaces, ends.
//! What values become of is tested with all stubs (`stubs.rs`, `whole.rs`), there over both ways.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::stub::Served;
use every::*;

mod every {
    include!("../../idl/tests/cases/modules/everything.rs");
}

/// Holds a number; panics at 13, and at its end if it holds 666 then.
struct Holder(Arc<AtomicI64>);

impl BoxService for Holder {
    fn put(&self, caller: &Caller, value: i64) -> Result<(), Failure> {
        assert_ne!(value, 13, "thirteen");
        assert_eq!(caller.principal.as_ref(), "local");
        self.0.store(value, Ordering::Relaxed);
        Ok(())
    }

    fn get(&self, _: &Caller) -> Result<i64, Failure> {
        Ok(self.0.load(Ordering::Relaxed))
    }

    fn parse(&self, _: &Caller, _: &[u8]) -> Result<Served<Box>, Failure> {
        Ok(Box::serve(Holder(Arc::clone(&self.0))))
    }

    fn work(&self, _: &Caller, n: i64) -> Result<i64, Failure> {
        // An exception that the operation does not raise.
        Err(Failure::raised(1, format!("no {n}")))
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let last = self.0.fetch_add(1000, Ordering::Relaxed);
        assert_ne!(last, 666, "an end");
    }
}

fn holder() -> (Arc<AtomicI64>, Capability, Box) {
    let number = Arc::new(AtomicI64::new(0));
    let capability = Capability::new(Box::serve(Holder(Arc::clone(&number))).into_object());
    let session = LocalSession::new(capability.clone(), Caller::local());
    (number, capability, Box::from_portal(session.root()))
}

fn kind_of<T: std::fmt::Debug>(result: Result<T, Failure>) -> Kind {
    result.unwrap_err().kind()
}

#[test]
fn a_right_that_has_ended_is_asked_for_at_each_call() {
    let (number, capability, client) = holder();
    let made = client.parse(b"").unwrap();
    client.put(5).unwrap();
    capability.grant().revoke();
    assert_eq!(kind_of(client.put(6)), Kind::Revoked);
    assert_eq!(kind_of(client.clone().get()), Kind::Revoked);
    assert_eq!(kind_of(made.get()), Kind::Revoked, "what it made ends with it");
    assert_eq!(number.load(Ordering::Relaxed), 5);
}

#[test]
fn a_panic_is_a_failure_of_its_call() {
    let (_, _, client) = holder();
    let failure = client.put(13).unwrap_err();
    assert_eq!(failure.kind(), Kind::Internal);
    assert!(failure.details().message.contains("the service panicked in put"), "{failure}");
    client.put(14).unwrap();
    assert_eq!(client.get().unwrap(), 14);
}

#[test]
fn an_exception_that_the_operation_does_not_raise_is_the_peers_fault() {
    let (_, _, client) = holder();
    assert_eq!(kind_of(client.work(1)), Kind::Protocol);
}

#[test]
fn a_client_of_another_interface_finds_no_operation() {
    let (number, _, client) = holder();
    let echo = Echo::from_portal(client.portal().clone());
    assert_eq!(kind_of(echo.add(1, 2, 3)), Kind::NoSuchOperation);
    assert_eq!(kind_of(echo.flip(true)), Kind::NoSuchOperation);
    assert_eq!(number.load(Ordering::Relaxed), 0, "no operation of the same number was done");
}

#[test]
fn the_service_hears_of_the_last_client_alone_and_its_panic_stays_there() {
    let (number, capability, client) = holder();
    let other = client.clone();
    drop((capability, client));
    assert_eq!(other.get().unwrap(), 0);
    number.store(666, Ordering::Relaxed);
    drop(other);
    assert_eq!(number.load(Ordering::Relaxed), 1666, "it has ended, once");
}
