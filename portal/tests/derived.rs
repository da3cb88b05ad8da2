//! Stubs of an interface with three others below it, the lowest of another module: each operation is called and served
//! as that of the interface that declares it, in the same process and over a socket. They compile without a warning.

#![deny(warnings)]

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Areas, Call, Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::{Block, OpNumber, Portal, PortalId, Transport};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{BytesOut, CallError, Extends, PortalIn, Served};
use derived::*;

mod derived {
    include!("../../idl/tests/cases/modules/derived.rs");
}

/// The other module's own file.
mod shared {
    include!("../../idl/tests/cases/modules/shared.rs");
}

/// Says what was called.
#[derive(Default)]
struct Service(AtomicI64);

impl SharedBaseService for Service {
    fn name(&self, _: &Caller, result: &mut BytesOut<'_>) -> Result<(), Failure> {
        assert!(result.extend(b"name"));
        Ok(())
    }

    fn client(&self, _: &Caller) -> Result<i64, Failure> {
        Ok(self.0.load(Ordering::Relaxed))
    }

    fn set_client(&self, _: &Caller, value: i64) -> Result<(), Failure> {
        self.0.store(value, Ordering::Relaxed);
        Ok(())
    }

    fn kind(&self, _: &Caller, at: &SharedPoint) -> Result<SharedKind, SharedBaseKindError> {
        match at.x {
            0 => Ok(SharedKind::Dir),
            1 => Err(SharedBusy::new(SharedKind::Dir, "busy").into()),
            _ => Err(SharedGone { last: at.clone() }.into()),
        }
    }

    fn points(
        &self,
        _: &Caller,
        service_: &[SharedPoint],
        result: &mut SharedPointList<'_>,
    ) -> Result<(), Failure> {
        assert!(service_.iter().rev().all(|point| result.push(point.x, point.y)));
        Ok(())
    }

    fn length(&self, _: &Caller, base: &[u8]) -> Result<i32, Failure> {
        Ok(base.len() as i32)
    }

    fn again(&self, _: &Caller, other: PortalIn<'_, SharedBase>) -> Result<Served<SharedBase>, Failure> {
        let value = other.local::<Service>().map_or(-1, |other| other.0.load(Ordering::Relaxed));
        Ok(SharedBase::serve(Service(AtomicI64::new(value + 1))))
    }
}

impl SService for Service {}

impl MiddleService for Service {
    fn name_into_(&self, _: &Caller, client: i32, result: &mut BytesOut<'_>) -> Result<(), Failure> {
        assert!(result.extend(format!("into {client}").as_bytes()));
        Ok(())
    }

    fn clone_(&self, _: &Caller, service_: i32) -> Result<i32, Failure> {
        Ok(service_ + 1)
    }

    fn to_owned_(&self, _: &Caller, result: &mut BytesOut<'_>) -> Result<(), Failure> {
        assert!(result.extend(b"owned"));
        Ok(())
    }

    fn deref(&self, _: &Caller) -> Result<i32, Failure> {
        Ok(10)
    }

    fn to_base_(&self, _: &Caller, base: i32) -> Result<i32, Failure> {
        Ok(base + 11)
    }
}

impl LastService for Service {
    fn set_client_(&self, _: &Caller, op: i32) -> Result<i32, Failure> {
        Ok(op + 12)
    }

    fn length_of(
        &self,
        _: &Caller,
        some: PortalIn<'_, SharedBase>,
        other: PortalIn<'_, Middle>,
    ) -> Result<(SharedKind, Served<Middle>), LastLengthOfError> {
        match (some.local::<Service>(), other.local::<Service>()) {
            (Some(_), Some(_)) => Ok((SharedKind::File, Last::serve(Service(AtomicI64::new(13))).to_base())),
            _ => Err(SharedBusy::new(SharedKind::File, "other").into()),
        }
    }

    fn read(&self, _: &Caller, piece: &[u8], caller_: &mut i64) -> Result<(), Failure> {
        *caller_ += piece.len() as i64;
        if piece == b"fail" { Err(Failure::service("as it was told")) } else { Ok(()) }
    }
}

fn root() -> Served<Last> {
    Last::serve(Service::default())
}

/// A portal on an object of this process.
fn near<I>(served: Served<I>) -> Portal {
    LocalSession::new(Capability::new(served.into_object()), Caller::local()).root()
}

/// Calls each operation of each level.
fn exercise(last: &Last) {
    lowest(last);
    middle(last);
    assert_eq!(last.set_client_(1).unwrap(), 13);
    let (kind, made) = last.length_of(last, last).unwrap();
    assert_eq!((kind, made.client().unwrap(), made.clone_(1).unwrap()), (SharedKind::File, 13, 2));
    let mut sum = 1;
    last.read(b"four", &mut sum).unwrap();
    assert_eq!(sum, 5);
    assert_eq!(last.read(b"fail", &mut sum).unwrap_err().kind(), Kind::Service);
    assert_eq!(sum, 5, "a call that failed changes nothing of its caller's");
    assert_eq!(last.read(b"longer", &mut sum).unwrap_err().kind(), Kind::BadArgument);
    assert_eq!(sum, 5, "it was not called");
}

fn lowest(base: &SharedBase) {
    let mut name = b"before".to_vec();
    base.name_into(&mut name).unwrap();
    assert_eq!((base.name().unwrap(), name), (b"name".to_vec(), b"name".to_vec()));
    base.set_client(i64::MIN).unwrap();
    assert_eq!(base.client().unwrap(), i64::MIN);
    let kind = |x| base.kind(&SharedPoint { x, y: 7 });
    assert_eq!(kind(0), Ok(SharedKind::Dir));
    let busy = SharedBusy::new(SharedKind::Dir, "busy");
    assert_eq!(kind(1), Err(CallError::Raised(SharedBaseKindError::SharedBusy(busy))));
    let gone = SharedGone { last: SharedPoint { x: 2, y: 7 } };
    assert_eq!(kind(2), Err(CallError::Raised(SharedBaseKindError::SharedGone(gone))));
    let points = [SharedPoint { x: 1, y: 2 }, SharedPoint { x: 3, y: 4 }];
    assert_eq!(base.points(&points).unwrap(), [points[1].clone(), points[0].clone()]);
    assert_eq!(base.length(b"eight by").unwrap(), 8);
    assert_eq!(base.length(b"nine long").unwrap_err().kind(), Kind::BadArgument);
    base.set_client(5).unwrap();
    assert_eq!(base.again(base).unwrap().client().unwrap(), 6);
}

fn middle(middle: &Middle) {
    let mut text = b"before".to_vec();
    assert_eq!(middle.name_into_(3).unwrap(), b"into 3");
    middle.name_into_into(4, &mut text).unwrap();
    assert_eq!(text, b"into 4");
    assert_eq!(
        (middle.clone_(7).unwrap(), middle.deref().unwrap(), middle.to_base_(0).unwrap()),
        (8, 10, 11)
    );
    middle.to_owned_into(&mut text).unwrap();
    assert_eq!((middle.to_owned_().unwrap(), text), (b"owned".to_vec(), b"owned".to_vec()));
}

#[test]
fn in_the_same_process() {
    exercise(&Last::from_portal(near(root())));
}

#[test]
fn over_a_socket() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let serve = |_: &Caller| Ok(Capability::new(root().into_object()));
    let server = Server::listen(&address, ServerOptions::default(), serve).unwrap();
    let transport = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
    exercise(&Last::from_portal(transport.root()));
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

#[test]
fn each_level_is_served_as_itself() {
    lowest(&SharedBase::from_portal(near(SharedBase::serve(Service::default()))));
    lowest(&S_::from_portal(near(S_::serve(Service::default()))));
    middle(&Middle::from_portal(near(Middle::serve(Service::default()))));
    let base: SharedBase = Last::from_portal(near(root())).to_base();
    lowest(&base);
}

/// Whoever knows nothing but the other module calls what inherits from it elsewhere.
#[test]
fn a_client_of_the_other_module_is_a_client_of_the_base() {
    let base = shared::Base::from_portal(near(root()));
    base.set_client(3).unwrap();
    assert_eq!((base.client().unwrap(), base.name().unwrap()), (3, b"name".to_vec()));
    let error = base.kind(&shared::Point { x: 1, y: 0 }).unwrap_err();
    let busy = shared::Busy::new(shared::Kind::Dir, "busy");
    assert_eq!(error, CallError::Raised(shared::BaseKindError::Busy(busy)));
    assert_eq!(base.again(&base).unwrap().client().unwrap(), 4);
}

/// A portal on a base is not one on what inherits from it, whatever it is taken for.
#[test]
fn what_an_object_does_not_inherit_it_has_not() {
    let last = Last::from_portal(near(SharedBase::serve(Service::default())));
    assert_eq!(last.set_client_(1).unwrap_err().kind(), Kind::NoSuchOperation);
    assert_eq!(last.deref().unwrap_err().kind(), Kind::NoSuchOperation);
    assert_eq!(last.length(b"four").unwrap(), 4);
}

#[test]
fn a_number_of_no_operation_is_refused_by_the_interface_itself() {
    let (mut areas, mut made, caller) = (Areas::default(), vec![], Caller::local());
    let mut call = Call { words: &mut [], areas: &mut areas, portals: &[], made: &mut made, caller: &caller };
    let failure = root().object().dispatch(15, &mut call).unwrap_err();
    assert_eq!(failure.kind(), Kind::NoSuchOperation);
    assert_eq!(failure.details().message, "Last has no operation number 15");
}

/// Notes by which interface and number it was called.
#[derive(Default)]
struct Noting(Mutex<Vec<(u16, u16)>>);

impl Transport for Noting {
    fn call(self: Arc<Self>, _: PortalId, op: OpNumber, _: &mut Block<'_>) -> Result<(), Failure> {
        self.0.lock().unwrap().push((op.interface.0, op.op));
        Err(Failure::service("it only notes"))
    }

    fn release(&self, _: PortalId, _: u32) {}
}

/// A server is told what a client takes an object for, whichever operation is called first.
#[test]
fn inherited_operations_are_named_as_those_of_the_clients_interface() {
    let noting = Arc::new(Noting::default());
    let transport: Arc<dyn Transport> = Arc::clone(&noting) as _;
    let last = Last::from_portal(Portal::new(transport, PortalId::ROOT));
    let base: SharedBase = last.to_base();
    let _ =
        (last.client(), last.name(), last.length(b""), last.points(&[]), last.deref(), last.set_client_(0));
    let _ = (last.clone().points(&[]), base.client(), base.points(&[]));
    let noted = [(3, 1), (3, 0), (3, 5), (3, 4), (3, 10), (3, 12), (3, 4), (0, 1), (0, 4)];
    assert_eq!(noting.0.lock().unwrap()[..], noted);
}
