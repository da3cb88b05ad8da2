//! The file server: one file, and tickets for it.
//!
//! It listens at two places. Whoever is told of the issuer's may have a ticket made; clients are told of the other, where a
//! ticket is all that counts. A ticket is good for one file, once, and at most [`TICKETS_MAX`] wait for their clients.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::fingerprint::Fingerprint;
use carnet_portal::identity::Token;
use carnet_portal::server::{Server, WaitMode};
use carnet_portal::stub::{BytesOut, Caller, Failure, Served};

use crate::content::{content, part};
use crate::reread::{
    Elsewhere, File, FileService, Files, FilesService, Issuer, IssuerService, Records, RecordsService,
};
use crate::{listen, vfs};

/// Tickets that nobody has redeemed yet.
pub const TICKETS_MAX: usize = 16;

/// The file server, until it is shut down.
#[derive(Debug)]
pub struct FileServer {
    issuer: Server,
    files: Server,
}

impl FileServer {
    /// Serves `file` in the socket files `STEM.issuer` and `STEM.files`; clients that share memory are waited for so.
    ///
    /// # Errors
    /// Why it cannot listen.
    pub fn listen(stem: &Path, waiting: WaitMode, file: Served<File>) -> Result<FileServer, String> {
        let tickets = Arc::new(Tickets::default());
        let redeeming = Files::serve(Door { tickets: Arc::clone(&tickets), file });
        let files = listen(&stem.with_extension("files"), waiting, redeeming)?;
        let issuing = Issuer::serve(Desk { tickets, address: files.address().to_string() });
        let issuer = listen(&stem.with_extension("issuer"), WaitMode::default(), issuing)?;
        Ok(FileServer { issuer, files })
    }

    /// Where tickets are issued.
    #[must_use]
    pub fn issuer(&self) -> Address {
        self.issuer.address()
    }

    /// Ends it; clients have a second to end their calls.
    pub fn shutdown(self) {
        let deadline = Instant::now() + Duration::from_secs(1);
        self.issuer.shutdown(deadline);
        self.files.shutdown(deadline);
    }
}

/// Hashes of the tickets that are good.
#[derive(Debug, Default)]
struct Tickets(Mutex<Vec<Fingerprint>>);

impl Tickets {
    fn issue(&self) -> Result<Token, Failure> {
        let ticket = Token::generate().map_err(|error| Failure::service(&error.to_string()))?;
        let mut good = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if good.len() >= TICKETS_MAX {
            return Err(Failure::service("as many tickets as may be wait for their clients"));
        }
        good.push(ticket.hash());
        Ok(ticket)
    }

    /// Takes a ticket back, if it is good.
    fn redeem(&self, ticket: &[u8]) -> Result<(), Failure> {
        let hash = Token::parse(ticket).map(|ticket| ticket.hash());
        let mut good = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = good.iter().position(|good| hash.is_some_and(|hash| good.matches(&hash)));
        let found = found.ok_or_else(|| Failure::bad_argument("this ticket is not good, or not any more"))?;
        good.swap_remove(found);
        Ok(())
    }
}

/// What clients find.
struct Door {
    tickets: Arc<Tickets>,
    file: Served<File>,
}

impl FilesService for Door {
    fn redeem(&self, _caller: &Caller, ticket: &[u8]) -> Result<Served<File>, Failure> {
        self.tickets.redeem(ticket)?;
        Ok(self.file.clone())
    }
}

/// What the virtual file system finds.
struct Desk {
    tickets: Arc<Tickets>,
    address: String,
}

impl IssuerService for Desk {
    fn issue(&self, _caller: &Caller, path: &[u8]) -> Result<Elsewhere, Failure> {
        if path != vfs::NAME.as_bytes() {
            return Err(Failure::bad_argument("there is no such file"));
        }
        let ticket = self.tickets.issue()?.expose().to_vec();
        Ok(Elsewhere { address: self.address.clone().into_bytes(), ticket })
    }
}

/// The file, read through generated stubs.
#[must_use]
pub fn records() -> Served<File> {
    Records::serve(Cached(content())).to_base()
}

struct Cached(Vec<u8>);

impl FileService for Cached {}

impl RecordsService for Cached {
    fn read(
        &self,
        _caller: &Caller,
        offset: u64,
        length: u32,
        record: &mut BytesOut<'_>,
    ) -> Result<(), Failure> {
        // A record never is longer than an answer may be.
        let fits = record.extend(part(&self.0, offset, length as usize));
        if fits { Ok(()) } else { Err(Failure::service("a record too long")) }
    }
}
