//! Other RPC systems that give back what they are given: processes from bench/rivals/calls.
//!
//! Each sample starts a client, which starts its server, as for ours; what the client says is checked by the sum of the
//! bytes that came back.

use super::{Place, SAMPLE};
use crate::measure::Contender;
use crate::peer::Way;
use crate::rival::Calls;

/// Where one can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Anywhere,
    CrossOnly,
}

/// What it travels by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    SharedMemory,
    Socket,
}

pub(super) struct Other {
    pub(super) name: &'static str,
    command: &'static [&'static str],
    at: Where,
    by: By,
}

pub(super) const OTHERS: [Other; 4] = [
    Other {
        name: "iceoryx2, polling",
        command: &["iceoryx2", "polling"],
        at: Where::CrossOnly,
        by: By::SharedMemory,
    },
    Other {
        name: "iceoryx2, events",
        command: &["iceoryx2", "events"],
        at: Where::Anywhere,
        by: By::SharedMemory,
    },
    Other { name: "gRPC (tonic), Unix socket", command: &["grpc"], at: Where::Anywhere, by: By::Socket },
    Other {
        name: "Cap'n Proto RPC, Unix socket",
        command: &["capnp-rpc"],
        at: Where::Anywhere,
        by: By::Socket,
    },
];

impl Other {
    /// Shared memory is for all of them a rival to beat; a Unix socket is so for those that use one, too.
    pub(super) fn stands_beside(&self, way: Way) -> bool {
        match way {
            Way::Shared(_) => true,
            Way::Socket => self.by == By::Socket,
            Way::Tls => false,
        }
    }
}

/// Those that can be measured there.
pub(super) fn contenders(
    built: &Calls,
    place: Place,
    size: Option<usize>,
) -> impl Iterator<Item = Contender<'_>> {
    let here = move |other: &&Other| place == Place::Cross || other.at == Where::Anywhere;
    let (key, each) = size.map_or(("empty".to_owned(), 0), |size| (size.to_string(), size as i64));
    OTHERS.iter().filter(here).map(move |other| {
        let key = key.clone();
        Contender::new(other.name, move || {
            built.start(other.command, place.processor())?.time(&key, SAMPLE, each)
        })
    })
}
