//! `carnet serve relay ADDR`: programs beside a service of another process, which knows nothing of them.
//!
//! ```text
//! client ── programs, calls ──► carnet serve relay ── calls ──► the service behind
//! ```
//!
//! Each session has one of its own behind it, so that nobody reaches what another one opened. It begins with the first call.

use std::ffi::OsStr;
use std::sync::Arc;

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Caller, Failure, Kind, Object};
use carnet_portal::capability::Capability;
use carnet_portal::relay;
use carnet_portal::sturdy::Sturdy;

use crate::args;
use crate::connect::Way;
use crate::exit::Problem;
use crate::services::{self, Opened, Sharing, nothing};
use crate::value::harmless;

/// The kind of service, as the command line names it.
pub const KIND: &str = "relay";

/// Connects to the service at `address` that `carnet serve relay` or `--also relay=` names, and learns what it is. Others have the
/// interfaces `known`.
///
/// # Errors
/// If it cannot be reached, or an option is given that would be the service's own.
pub fn open(args: &args::Serve, address: &OsStr, known: &[&'static Module]) -> Result<Opened, Problem> {
    // The quota of a server with several services is of its first.
    let has_quota = args.quota.is_some() && args.kind == KIND;
    for (is_given, option, help) in [
        (args.read_only, "--read-only", "give it to that server, or let a policy allow no writes"),
        (has_quota, "--quota", "give it to that server, or let a policy limit what is written"),
        (
            args.threads == args::Threads::Loop,
            "--threads loop",
            "a call waits for another process: leave it out, and each client has a thread",
        ),
    ] {
        if is_given {
            return Err(Problem::usage(format!("error: {option} is nothing for a relay\n{help}")));
        }
    }
    let way = Way::of(&args::Server {
        server: Some(address.to_string_lossy().into_owned()),
        client: args.client.clone(),
        // `--wait` is for its own clients, and for the other server if that is reached in the same way.
        wait: address.to_string_lossy().starts_with("shm:").then_some(args.wait),
    })?;
    let connection = way.connect()?;
    let (described, description) = connection.describe()?;
    // It may be that of services here, too: programs take objects of both.
    let shipped = services::KINDS.iter().map(|kind| (kind.module)());
    let same = known.iter().copied().chain(shipped).find(|module| **module == *described.module);
    let (module, root) = (same.unwrap_or(described.module), described.root);
    let interface = &module.interfaces[root.index()].name;
    let summary = format!("{}.{interface} of {}", harmless(&module.name), harmless(&description.server));
    let max = connection.transport.relays_for(None).unwrap_or(relay::SESSIONS_UNSAID);
    let (way, sessions) = (Arc::new(way), Arc::new(relay::Sessions::new(max)));
    let expected = Arc::new((description.module, description.root));
    let roots = move |caller: &Caller| {
        let (way, expected, sessions) = (Arc::clone(&way), Arc::clone(&expected), Arc::clone(&sessions));
        let caller = caller.clone();
        let connect = move || {
            let session = sessions.begin(&caller, || way.session())?;
            let found = session.describe().map_err(|failure| relay::unanswered(&failure))?;
            if (found.module, found.root) != *expected {
                // What programs were verified against is no more.
                return Err(Failure::new(Kind::Refused, "the service behind has another interface now"));
            }
            Ok(session.root())
        };
        Ok(Capability::new(relay::root(connect, module, root)))
    };
    let sturdy = Arc::new(Behind { module, root, address: address.as_encoded_bytes().to_vec() });
    let (roots, sharing) = (Arc::new(roots), Sharing::None);
    Ok(Opened { module, roots, sharing, summary, sturdy, at_end: nothing() })
}

/// What follows "which", of what is of a session that is over.
const GONE: &str = "is gone with the session with the service behind that it was of";

/// The service behind: it is known again by its address. Below its root nothing is, but what the empty text names, which is taken anew as the
/// root itself is.
struct Behind {
    module: &'static Module,
    root: InterfaceId,
    address: Vec<u8>,
}

impl Sturdy for Behind {
    fn module(&self) -> &'static Module {
        self.module
    }

    fn identity(&self, _: &dyn Object) -> Result<Vec<u8>, String> {
        if relay::is_of_a_process(self.module, self.root) {
            return Err("is a process of the session with the service behind, which ends with it".to_owned());
        }
        Ok(self.address.clone())
    }

    fn name(&self, _: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String> {
        if relay::is_of_empty_text(object) { Ok(Vec::new()) } else { Err("is of another server".to_owned()) }
    }

    fn is_lost(&self, object: &dyn Object) -> bool {
        relay::is_lost(object)
    }

    fn gone(&self, object: &dyn Object) -> Option<String> {
        relay::is_gone(object).then(|| GONE.to_owned())
    }

    fn have_again(&self, object: &dyn Object, caller: &Caller) -> Result<(), String> {
        relay::have_again(object, caller).map_err(|failure| match failure.kind() {
            Kind::Revoked => GONE.to_owned(),
            _ => format!("cannot be had again now: {}", failure.details().message),
        })
    }

    fn find(&self, root: &dyn Object, name: &[u8], caller: &Caller) -> Result<Arc<dyn Object>, String> {
        if !name.is_empty() {
            return Err("it holds what is of another server".to_owned());
        }
        relay::of_empty_text(root, caller).map_err(|failure| failure.details().message.clone())
    }
}
