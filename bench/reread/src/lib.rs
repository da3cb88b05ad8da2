//! A cached file that is read by records in 4 KiB, as in section 5.2 of the IDL4 paper: what contenders have in common.
//!
//! ```text
//! client                     virtual file system          file server            three processes
//!    │ open("/disk/cached") ────► Vfs │ issue("/cached") ──► Issuer │
//!    │ ◄────── address and ticket ────┘ ◄────── address and ticket ─┘
//!    │ redeem(ticket) ─────────────────────────────────────► Files │
//!    │ read(offset, 4096), again and again ────────────────► File ─┘ which is in memory
//! ```
//!
//! A portal is a right in one session with one process: a server cannot hand out portals on objects of another's. So the
//! virtual file system answers with what such a portal comes by: where the file server is, and a *ticket*, an unguessable
//! text that the file server made for this file and takes back once. The portal that it is redeemed for is the client's
//! own, in its own session with the file server, and nobody stands between the two any more.
//!
//! Opening is the same for all contenders, and is not measured. What differs is how records are asked for and given:
//! by the generated stubs of [`Records`](reread::Records), or as bytes that somebody else's code makes and reads
//! ([`Opaque`](reread::Opaque)), over the same sessions, transports and objects.
//!
//! | file | what it is |
//! | --- | --- |
//! | `reread.idl` | the interfaces |
//! | `file_server.rs` | tickets, and the two doors of the file server |
//! | `opaque.rs` | bytes of others within our calls |
//! | `vfs.rs` | the virtual file system, and opening through it |
//! | `content.rs` | the file, its records, and whether the right ones came |

mod content;
mod file_server;
mod opaque;
mod vfs;

/// Stubs of `reread.idl`.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
pub mod reread {
    include!(concat!(env!("OUT_DIR"), "/reread.rs"));
}

pub use content::{Course, FILE_BYTES, RECORD_BYTES, content, part};
pub use file_server::{FileServer, TICKETS_MAX, records};
pub use opaque::{Answers, REQUEST_BYTES_MAX, exchange, opaque};
pub use vfs::{PATH, open, serve_vfs};

use std::path::Path;
use std::sync::Arc;

use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::server::{Server, ServerOptions, WaitMode};
use carnet_portal::stub::Served;

/// A server of one object for whoever connects to the socket file.
fn listen<I>(file: &Path, waiting: WaitMode, root: Served<I>) -> Result<Server, String> {
    let options = ServerOptions { waiting, ..ServerOptions::default() };
    let root = root.into_object();
    let made = Server::listen(&Address::Unix(file.to_owned()), options, move |_| {
        Ok(Capability::new(Arc::clone(&root)))
    });
    made.map_err(|error| error.to_string())
}
