//! Stubs of an interface whose names generated code, or every type, has already: they compile without a warning, and
//! each operation reaches its own.

#![deny(warnings)]

use std::sync::Mutex;

use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::stub::{BytesOut, PortalIn};
use names::*;

mod names {
    include!("../../idl/tests/cases/modules/names.rs");
}

/// Says who was called with what.
#[derive(Default)]
struct Service(Mutex<Vec<u8>>);

impl ClashService for Service {
    fn read(
        &self,
        _: &Caller,
        words_: i32,
        piece: i32,
        caller_: i32,
        portal: i32,
        out: &mut BytesOut<'_>,
    ) -> Result<(), Failure> {
        out.extend(format!("read {words_} {piece} {caller_} {portal}").as_bytes());
        Ok(())
    }

    fn read_into(&self, _: &Caller, area: i32, out: &mut BytesOut<'_>) -> Result<(), Failure> {
        out.extend(format!("into {area}").as_bytes());
        Ok(())
    }

    fn read_into_(&self, _: &Caller, op: i32, out: &mut BytesOut<'_>) -> Result<(), Failure> {
        out.extend(format!("into_ {op}").as_bytes());
        Ok(())
    }

    fn both(&self, _: &Caller, piece: &[u8], out: &mut BytesOut<'_>) -> Result<(), Failure> {
        out.extend(piece);
        Ok(())
    }

    fn loud(
        &self,
        _: &Caller,
        outputs_: i32,
        call_: &mut i64,
        out: &mut BytesOut<'_>,
    ) -> Result<i32, Failure> {
        *call_ += i64::from(outputs_);
        out.extend(b"loud");
        Ok(outputs_ + 1)
    }

    fn sized(&self, _: &Caller, words_: &[u8], call_: &mut i64) -> Result<i32, Failure> {
        *call_ += 1;
        Ok(words_.len() as i32)
    }

    fn show(&self, _: &Caller, call_: &mut i32, words_: &mut BytesOut<'_>) -> Result<(), Failure> {
        words_.extend(b"shown");
        *call_ += 1;
        Ok(())
    }

    fn hold(&self, _: &Caller, portals_: &[PortalIn<'_, Clash>], call_: &mut i32) -> Result<i32, Failure> {
        *call_ += 1;
        Ok(portals_.len() as i32)
    }

    fn into_(&self, _: &Caller, a: i32) -> Result<i32, Failure> {
        Ok(a + 1)
    }

    fn try_into_(&self, _: &Caller, a: i32) -> Result<i32, Failure> {
        Ok(a + 2)
    }

    fn name(&self, _: &Caller, out: &mut BytesOut<'_>) -> Result<(), Failure> {
        out.extend(&self.0.lock().unwrap());
        Ok(())
    }

    fn set_name(&self, _: &Caller, value: &[u8]) -> Result<(), Failure> {
        *self.0.lock().unwrap() = value.to_vec();
        Ok(())
    }
}

#[test]
fn each_name_means_its_own_operation() {
    let root = Capability::new(Clash::serve(Service::default()).into_object());
    let client = Clash::from_portal(LocalSession::new(root, Caller::local()).root());
    let mut buffer = b"before".to_vec();
    assert_eq!(client.read(1, 2, 3, 4).unwrap(), b"read 1 2 3 4");
    assert_eq!(client.read_into(5).unwrap(), b"into 5");
    assert_eq!(client.read_into_(6).unwrap(), b"into_ 6");
    client.read_into__(7, 8, 9, 10, &mut buffer).unwrap();
    assert_eq!(buffer, b"read 7 8 9 10");
    assert_eq!(client.both(b"piece").unwrap(), b"piece");
    let mut number = 40;
    assert_eq!(client.loud(2, &mut number).unwrap(), (b"loud".to_vec(), 3));
    assert_eq!(client.sized(b"four", &mut number).unwrap(), 4);
    assert_eq!(number, 43);
    let mut small = 1;
    assert_eq!(client.show(&mut small).unwrap(), b"shown");
    assert_eq!(client.hold(&[client.clone(), client.clone()], &mut small).unwrap(), 2);
    assert_eq!(small, 3);
    assert_eq!((client.into_(1).unwrap(), client.try_into_(1).unwrap()), (2, 3));
    client.set_name(b"new").unwrap();
    client.name_into(&mut buffer).unwrap();
    assert_eq!(buffer, b"new");
}
