//! A service that only this test knows: its interface is a file, its objects are written by hand over the
//! descriptor, and the command serves, checks, bills, runs and calls it without knowing more than the file.

mod support;

use std::any::Any;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use carnet_cli::serve::{Hosted, host};
use carnet_cli::services::same;
use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_program::host::{Policy, Programs};

use support::{Place, golden};

/// The interface, as `gauge.idl` says it.
static GAUGE: LazyLock<Module> = LazyLock::new(|| {
    let text = include_str!("fixtures/gauge.idl");
    carnet_idl::compile_str("gauge.idl", text).expect("an interface without faults")
});

struct Panel {
    kelvin: Arc<AtomicI64>,
}

struct Gauge {
    value: Arc<AtomicI64>,
}

impl Object for Panel {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&GAUGE, GAUGE.interface("Panel").expect("an interface"))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let text = call.areas.string(call.words[0], 100)?.to_vec();
        let made: Arc<dyn Object> = match (op, text.as_slice()) {
            (0, b"/") => Arc::new(Panel { kelvin: Arc::clone(&self.kelvin) }),
            (1, b"kelvin") => Arc::new(Gauge { value: Arc::clone(&self.kelvin) }),
            _ => return Err(Failure::raised(1, format!("there is no \"{}\"", text.escape_ascii()))),
        };
        call.words[1] = call.make(made);
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

impl Object for Gauge {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (&GAUGE, GAUGE.interface("Gauge").expect("an interface"))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        if op == 1 {
            self.value.store(call.words[0] as i64, Ordering::Relaxed);
            return Ok(());
        }
        call.words[0] = self.value.load(Ordering::Relaxed) as u64;
        call.words[1] = 0;
        let mut note = call.areas.take(call.words[2])?;
        note.bytes.extend_from_slice(b"warm \x1b[31m");
        call.words[2] = call.areas.put(call.words[2], note)?;
        Ok(())
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

fn serve(place: &Place) -> Hosted {
    let address = Address::Unix(place.path("gauge.sock"));
    let root = Capability::new(Arc::new(Panel { kelvin: Arc::new(AtomicI64::new(290)) }));
    host(&address.into(), "gauges", same(root), Programs::new(&[&GAUGE], Policy::default()))
        .expect("it listens")
}

#[test]
fn the_command_needs_nothing_but_the_interface_file() {
    let mut place = Place::new();
    let hosted = serve(&place);
    golden(&mut place, "second_service");
    hosted.end(Instant::now() + support::PATIENCE);
    assert!(!Path::new(&place.path("gauge.sock")).exists(), "the socket is removed");
}
