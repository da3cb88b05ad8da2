//! The virtual file system, which has one file server mounted, and opening a file through it.

use std::path::Path;

use carnet_portal::address::Address;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, WaitMode};
use carnet_portal::stub::{Caller, Failure};

use crate::listen;
use crate::reread::{Elsewhere, File, Files, Issuer, Vfs, VfsService};

/// Where the file server is mounted.
const MOUNTED: &str = "/disk";

/// The file's name there.
pub(crate) const NAME: &str = "/cached";

/// The file's name in the virtual file system.
pub const PATH: &str = "/disk/cached";

/// Serves a virtual file system in the socket file `at`, with the file server mounted that issues tickets at `issuer`.
///
/// # Errors
/// Why that is not reached, or why it cannot listen.
pub fn serve_vfs(at: &Path, issuer: &Address) -> Result<Server, String> {
    let issuer = root(issuer, WaitMode::default()).map_err(|failure| failure.to_string())?;
    listen(at, WaitMode::default(), Vfs::serve(Mounts { issuer: Issuer::from_portal(issuer) }))
}

struct Mounts {
    issuer: Issuer,
}

impl VfsService for Mounts {
    fn open(&self, _caller: &Caller, path: &[u8]) -> Result<Elsewhere, Failure> {
        let name = path.strip_prefix(MOUNTED.as_bytes());
        let name = name.ok_or_else(|| Failure::bad_argument("nothing is mounted there"))?;
        self.issuer.issue(name)
    }
}

/// Opens the file through the virtual file system at `vfs`, and connects with the server that has it: through memory that
/// both share, waiting so, or, if that is `None`, over a socket.
///
/// # Errors
/// What either answers; an address that is none of a socket file.
pub fn open(vfs: &Address, shared: Option<WaitMode>) -> Result<File, Failure> {
    let vfs = Vfs::from_portal(root(vfs, WaitMode::default())?);
    let Elsewhere { address, ticket } = vfs.open(PATH.as_bytes())?;
    let address = String::from_utf8_lossy(&address).parse();
    let (Ok(Address::Unix(file)), waiting) = (address, shared.unwrap_or_default()) else {
        return Err(Failure::bad_argument("the file is at no socket of this machine"));
    };
    let address = if shared.is_some() { Address::Shared(file) } else { Address::Unix(file) };
    Files::from_portal(root(&address, waiting)?).redeem(&ticket)
}

fn root(address: &Address, waiting: WaitMode) -> Result<Portal, Failure> {
    let options = ConnectOptions { waiting, ..ConnectOptions::default() };
    Ok(RemoteSession::connect(address, options)?.root())
}
