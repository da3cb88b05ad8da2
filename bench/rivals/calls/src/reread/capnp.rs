//! Cap'n Proto's messages. Records are read where they lie in the answer; to be sent they are copied into a message, and
//! that into the answer, as its interface for flat messages wants it.

use bytes::Bytes;
use capnp::message::{Builder, HeapAllocator, ReaderOptions};
use capnp::serialize::{read_message_from_flat_slice, write_message};
use carnet_portal::stub::{BytesOut, Failure};

use super::{Messages, range, room, wrong};
use crate::reread_capnp::{open, read, record};

/// Words of a message besides data.
const WORDS: u32 = 8;

#[derive(Clone)]
pub struct Capnp;

fn builder(data_bytes: usize) -> Builder<HeapAllocator> {
    let words = WORDS + data_bytes.div_ceil(8) as u32;
    Builder::new(HeapAllocator::new().first_segment_words(words))
}

fn written(into: &mut Vec<u8>, message: &Builder<HeapAllocator>) {
    // Memory takes all that is written.
    let _ = write_message(into, message);
}

impl Messages for Capnp {
    type Kept = Vec<u8>;

    fn open(&self, path: &str) -> Vec<u8> {
        let mut message = builder(path.len() + 1);
        message.init_root::<open::Builder<'_>>().set_path(path);
        let mut bytes = Vec::new();
        written(&mut bytes, &message);
        bytes
    }

    fn opened(&self, mut request: &[u8]) -> Result<String, Failure> {
        let mut path = || -> capnp::Result<String> {
            let message = read_message_from_flat_slice(&mut request, ReaderOptions::new())?;
            Ok(message.get_root::<open::Reader<'_>>()?.get_path()?.to_string()?)
        };
        path().map_err(|_| wrong())
    }

    fn read<'a>(&self, offset: u64, length: u32, kept: &'a mut Vec<u8>) -> &'a [u8] {
        let mut message = builder(0);
        let mut asked = message.init_root::<read::Builder<'_>>();
        asked.set_offset(offset);
        asked.set_length(length);
        kept.clear();
        written(kept, &message);
        kept
    }

    fn reading(&self, file: &Bytes, mut request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        let asked = read_message_from_flat_slice(&mut request, ReaderOptions::new()).map_err(|_| wrong())?;
        let asked = asked.get_root::<read::Reader<'_>>().map_err(|_| wrong())?;
        let data = &file[range(file, asked.get_offset(), asked.get_length())];
        let mut message = builder(data.len());
        message.init_root::<record::Builder<'_>>().set_data(data);
        answer.fill(room(data.len()), |bytes, _| written(bytes, &message));
        Ok(())
    }

    fn record(&self, answer: Vec<u8>, is_right: impl Fn(&[u8]) -> bool) -> bool {
        let found = || -> capnp::Result<bool> {
            let message = read_message_from_flat_slice(&mut &answer[..], ReaderOptions::new())?;
            Ok(is_right(message.get_root::<record::Reader<'_>>()?.get_data()?))
        };
        found().unwrap_or(false)
    }
}
