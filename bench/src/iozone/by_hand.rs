//! The re-read with messages made by hand: the least that can be sent as bytes on the same channel.
//!
//! ```text
//! request: offset (8 bytes), length (8 bytes)      answer: the record
//! ```

use std::sync::Arc;

use carnet_portal::call::Object;
use carnet_portal::portal::Portal;
use carnet_portal::stub::{BytesOut, Caller, Failure, Served};

use super::{PATH, RECORD_BYTES, content, opaque, part};

/// The client.
pub(super) struct File(opaque::File);

impl File {
    pub(super) fn open(root: Portal) -> Result<File, String> {
        let file = opaque::Vfs::from_portal(root).open(PATH.as_bytes());
        file.map(File).map_err(|failure| failure.to_string())
    }

    pub(super) fn read(&self, offset: u64) -> Result<Vec<u8>, String> {
        let mut request = [0; 16];
        request[..8].copy_from_slice(&offset.to_le_bytes());
        request[8..].copy_from_slice(&(RECORD_BYTES as u64).to_le_bytes());
        self.0.exchange(&request).map_err(|failure| failure.to_string())
    }
}

/// What a peer serves.
pub(crate) fn root() -> Arc<dyn Object> {
    opaque::Vfs::serve(Vfs(opaque::File::serve(Service(content())))).into_object()
}

struct Vfs(Served<opaque::File>);

impl opaque::VfsService for Vfs {
    fn open(&self, _caller: &Caller, request: &[u8]) -> Result<Served<opaque::File>, Failure> {
        if request != PATH.as_bytes() {
            return Err(Failure::bad_argument("there is no such file"));
        }
        Ok(self.0.clone())
    }
}

struct Service(Vec<u8>);

impl opaque::FileService for Service {
    fn exchange(&self, _caller: &Caller, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        let asked = request.as_chunks::<8>();
        let ([offset, length], []) = asked else {
            return Err(Failure::bad_argument("a request of another size than 16 bytes"));
        };
        let length = u64::from_le_bytes(*length).min(RECORD_BYTES as u64) as usize;
        let fits = answer.extend(part(&self.0, u64::from_le_bytes(*offset), length));
        if fits { Ok(()) } else { Err(Failure::service("a record too long")) }
    }
}
