//! Cap'n Proto's messages. Records are read where they lie in the answer; to be sent they are copied into a message, and
//! that into the answer, as its interface for flat messages wants it.

use capnp::message::{Builder, HeapAllocator, ReaderOptions};
use capnp::serialize::{read_message_from_flat_slice, write_message};
use carnet_bench_reread::reread::File;
use carnet_bench_reread::{Answers, content, opaque, part};
use carnet_portal::stub::{BytesOut, Failure, Served};

use super::{Messages, room, wrong};
use crate::reread_capnp::{read, record};

/// Words of a message besides data.
const WORDS: u32 = 8;

#[derive(Default)]
pub struct Capnp {
    request: Vec<u8>,
}

fn builder(data_bytes: usize) -> Builder<HeapAllocator> {
    let words = WORDS + data_bytes.div_ceil(8) as u32;
    Builder::new(HeapAllocator::new().first_segment_words(words))
}

fn written(into: &mut Vec<u8>, message: &Builder<HeapAllocator>) {
    // Memory takes all that is written.
    let _ = write_message(into, message);
}

fn read_record<T>(mut answer: &[u8], read: impl FnOnce(&[u8]) -> T) -> capnp::Result<T> {
    let message = read_message_from_flat_slice(&mut answer, ReaderOptions::new())?;
    Ok(read(message.get_root::<record::Reader<'_>>()?.get_data()?))
}

impl Messages for Capnp {
    fn file() -> Served<File> {
        opaque(Cached(content()))
    }

    fn request(&mut self, offset: u64, length: u32) -> &[u8] {
        let mut message = builder(0);
        let mut asked = message.init_root::<read::Builder<'_>>();
        asked.set_offset(offset);
        asked.set_length(length);
        self.request.clear();
        written(&mut self.request, &message);
        &self.request
    }

    fn record<T>(&mut self, answer: &mut Vec<u8>, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        read_record(answer, read).ok()
    }

    fn copy_record(&mut self, answer: &[u8], buffer: &mut Vec<u8>) -> bool {
        buffer.clear();
        read_record(answer, |record| buffer.extend_from_slice(record)).is_ok()
    }
}

struct Cached(Vec<u8>);

impl Answers for Cached {
    fn answer(&self, mut request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        let asked = read_message_from_flat_slice(&mut request, ReaderOptions::new()).map_err(|_| wrong())?;
        let asked = asked.get_root::<read::Reader<'_>>().map_err(|_| wrong())?;
        let data = part(&self.0, asked.get_offset(), asked.get_length() as usize);
        let mut message = builder(data.len());
        message.init_root::<record::Builder<'_>>().set_data(data);
        answer.fill(room(data.len()), |bytes, _| written(bytes, &message));
        Ok(())
    }
}
