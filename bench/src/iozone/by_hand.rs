//! The re-read with messages made by hand: the least that can be sent as bytes within our calls.
//!
//! ```text
//! request: offset (8 bytes), length (8 bytes)      answer: the record
//! ```
//! What it takes beyond our stubs is what travelling within a call of [`Opaque`] costs others.

use carnet_bench_reread::reread::{File, Opaque, OpaqueService};
use carnet_bench_reread::{RECORD_BYTES, content, part};
use carnet_portal::stub::{BytesOut, Caller, Failure, Served};

/// The client.
pub(super) struct ByHand(Opaque);

impl ByHand {
    pub(super) fn new(file: &File) -> ByHand {
        ByHand(Opaque::from_portal(file.portal().clone()))
    }

    pub(super) fn read(&self, offset: u64) -> Result<Vec<u8>, Failure> {
        let mut request = [0; 16];
        request[..8].copy_from_slice(&offset.to_le_bytes());
        request[8..].copy_from_slice(&(RECORD_BYTES as u64).to_le_bytes());
        self.0.exchange(&request)
    }
}

/// The file.
pub(super) fn file() -> Served<File> {
    Opaque::serve(Cached(content())).to_base()
}

struct Cached(Vec<u8>);

impl OpaqueService for Cached {
    fn exchange(&self, _caller: &Caller, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        let ([offset, length], []) = request.as_chunks::<8>() else {
            return Err(Failure::bad_argument("a request of another size than 16 bytes"));
        };
        let length = u64::from_le_bytes(*length).min(RECORD_BYTES as u64) as usize;
        let fits = answer.extend(part(&self.0, u64::from_le_bytes(*offset), length));
        if fits { Ok(()) } else { Err(Failure::service("a record too long")) }
    }
}
