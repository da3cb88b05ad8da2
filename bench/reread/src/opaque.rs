//! Messages of others within our calls.
//!
//! A request has at most [`REQUEST_BYTES_MAX`] bytes, and travels in four words. So asking is a short call, as a read through
//! our own stubs is, and what a contender loses against these it does not lose here.

use carnet_portal::stub::{BytesOut, Caller, Failure, Served};

use crate::reread::{File, FileService, Opaque, OpaqueService};

/// Longest request.
pub const REQUEST_BYTES_MAX: usize = 32;

/// Asks; the answer, in memory that is used again.
///
/// # Errors
/// As for any call; a request that is too long.
#[inline]
pub fn exchange(file: &Opaque, request: &[u8], answer: &mut Vec<u8>) -> Result<(), Failure> {
    let mut bytes = [0; REQUEST_BYTES_MAX];
    let place = bytes.get_mut(..request.len());
    place.ok_or_else(|| Failure::bad_argument("a request of more than 32 bytes"))?.copy_from_slice(request);
    let [a, b, c, d] = words(&bytes);
    file.exchange_into(a, b, c, d, request.len() as u32, answer)
}

fn words(bytes: &[u8; REQUEST_BYTES_MAX]) -> [i64; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = i64::from_le_bytes(*bytes);
    }
    words
}

/// Who reads requests and makes answers.
pub trait Answers: Send + Sync + 'static {
    /// Answers a request.
    ///
    /// # Errors
    /// One that cannot be read.
    fn answer(&self, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure>;
}

/// A file that is read with the messages of `answers`.
#[must_use]
pub fn opaque(answers: impl Answers) -> Served<File> {
    Opaque::serve(Carried(answers)).to_base()
}

struct Carried<A>(A);

impl<A: Answers> FileService for Carried<A> {}

impl<A: Answers> OpaqueService for Carried<A> {
    fn exchange(
        &self,
        _caller: &Caller,
        a: i64,
        b: i64,
        c: i64,
        d: i64,
        count: u32,
        answer: &mut BytesOut<'_>,
    ) -> Result<(), Failure> {
        let mut bytes = [0; REQUEST_BYTES_MAX];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip([a, b, c, d]) {
            *bytes = word.to_le_bytes();
        }
        let request = bytes.get(..count as usize);
        self.0.answer(request.ok_or_else(|| Failure::bad_argument("more than 32 bytes"))?, answer)
    }
}
