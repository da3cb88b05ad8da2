//! prost's messages. On the server a record is `Bytes`, a part of the file: the only copy is the one into the answer, which
//! is written where the channel wants it. A client that uses records where they are has a part of the answer; one that wants
//! them in its own buffer has a message whose data are that buffer.

use bytes::Bytes;
use carnet_bench_reread::reread::File;
use carnet_bench_reread::{Answers, content, opaque, part};
use carnet_portal::stub::{BytesOut, Failure, Served};
use prost::Message as _;

use super::{Messages, room, wrong};

#[derive(Clone, Copy, PartialEq, prost::Message)]
struct Read {
    #[prost(uint64, tag = "1")]
    offset: u64,
    #[prost(uint32, tag = "2")]
    length: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Record {
    #[prost(bytes = "bytes", tag = "1")]
    data: Bytes,
}

/// The same message, with memory of its own.
#[derive(Clone, PartialEq, prost::Message)]
struct Copied {
    #[prost(bytes = "vec", tag = "1")]
    data: Vec<u8>,
}

#[derive(Default)]
pub struct Prost {
    request: Vec<u8>,
}

impl Messages for Prost {
    fn file() -> Served<File> {
        opaque(Cached(content().into()))
    }

    fn request(&mut self, offset: u64, length: u32) -> &[u8] {
        self.request.clear();
        Read { offset, length }.encode_raw(&mut self.request);
        &self.request
    }

    fn record<T>(&mut self, answer: &mut Vec<u8>, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let record = Record::decode(Bytes::from(std::mem::take(answer))).ok()?;
        Some(read(&record.data))
    }

    fn copy_record(&mut self, answer: &[u8], buffer: &mut Vec<u8>) -> bool {
        let mut record = Copied { data: std::mem::take(buffer) };
        record.clear();
        let came = record.merge(answer).is_ok();
        *buffer = record.data;
        came
    }
}

struct Cached(Bytes);

impl Answers for Cached {
    fn answer(&self, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        let read = Read::decode(request).map_err(|_| wrong())?;
        let data = part(&self.0, read.offset, read.length as usize);
        let record = Record { data: self.0.slice_ref(data) };
        answer.fill(room(record.data.len()), |bytes, _| record.encode_raw(bytes));
        Ok(())
    }
}
