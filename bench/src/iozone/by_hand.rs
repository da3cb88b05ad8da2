//! The re-read with messages made by hand: the least that can be sent as bytes within our calls.
//!
//! ```text
//! request: offset (8 bytes), length (8 bytes)      answer: the record
//! ```
//! What it takes beyond our stubs is what travelling within a call of [`Opaque`] costs others.

use carnet_bench_reread::reread::{File, Opaque};
use carnet_bench_reread::{Answers, RECORD_BYTES, content, exchange, opaque, part};
use carnet_portal::stub::{BytesOut, Failure, Served};

/// The client.
pub(super) struct ByHand(Opaque);

impl ByHand {
    pub(super) fn new(file: &File) -> ByHand {
        ByHand(Opaque::from_portal(file.portal().clone()))
    }

    pub(super) fn read(&self, offset: u64, record: &mut Vec<u8>) -> Result<(), Failure> {
        let mut request = [0; 16];
        request[..8].copy_from_slice(&offset.to_le_bytes());
        request[8..].copy_from_slice(&(RECORD_BYTES as u64).to_le_bytes());
        exchange(&self.0, &request, record)
    }
}

/// The file.
pub(super) fn file() -> Served<File> {
    opaque(Cached(content()))
}

struct Cached(Vec<u8>);

impl Answers for Cached {
    fn answer(&self, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        let ([offset, length], []) = request.as_chunks::<8>() else {
            return Err(Failure::bad_argument("a request of another size than 16 bytes"));
        };
        let length = u64::from_le_bytes(*length).min(RECORD_BYTES as u64) as usize;
        let fits = answer.extend(part(&self.0, u64::from_le_bytes(*offset), length));
        if fits { Ok(()) } else { Err(Failure::service("a record too long")) }
    }
}
