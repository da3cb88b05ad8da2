//! prost's messages. A record is `Bytes`, a part of the file on the one side and of the answer on the other: the only copy
//! is the one into the answer, which is written where the channel wants it.

use bytes::Bytes;
use carnet_portal::stub::{BytesOut, Failure};
use prost::Message as _;

use super::{Messages, range, room, wrong};

#[derive(Clone, PartialEq, prost::Message)]
struct Open {
    #[prost(string, tag = "1")]
    path: String,
}

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

#[derive(Clone)]
pub struct Prost;

impl Messages for Prost {
    type Kept = Vec<u8>;

    fn open(&self, path: &str) -> Vec<u8> {
        Open { path: path.to_owned() }.encode_to_vec()
    }

    fn opened(&self, request: &[u8]) -> Result<String, Failure> {
        Open::decode(request).map(|open| open.path).map_err(|_| wrong())
    }

    fn read<'a>(&self, offset: u64, length: u32, kept: &'a mut Vec<u8>) -> &'a [u8] {
        kept.clear();
        Read { offset, length }.encode_raw(kept);
        kept
    }

    fn reading(&self, file: &Bytes, request: &[u8], answer: &mut BytesOut<'_>) -> Result<(), Failure> {
        let read = Read::decode(request).map_err(|_| wrong())?;
        let record = Record { data: file.slice(range(file, read.offset, read.length)) };
        answer.fill(room(record.data.len()), |bytes, _| record.encode_raw(bytes));
        Ok(())
    }

    fn record(&self, answer: Vec<u8>, is_right: impl Fn(&[u8]) -> bool) -> bool {
        Record::decode(Bytes::from(answer)).is_ok_and(|record| is_right(&record.data))
    }
}
