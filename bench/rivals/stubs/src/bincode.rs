//! bincode 2, integers of fixed width, data borrowed from the message: its quickest form. Encoding goes to a buffer that
//! is kept.

use bincode::config::{Configuration, Fixint, LittleEndian};
use bincode::{BorrowDecode, Encode};

use crate::harness::{
    Answer, Client, DATA_BYTES_MAX, Failure, GET_DIRENTRIES, MESSAGE_BYTES, OPEN, Rival, WRITE, fail,
};
use crate::user::{self, Object};

#[derive(Encode, BorrowDecode)]
struct OpenCall {
    client: i64,
    fobj: i64,
    flags: i64,
    mode: i64,
}

#[derive(Encode, BorrowDecode)]
struct OpenReply {
    result: i64,
    handle: i64,
}

#[derive(Encode, BorrowDecode)]
struct WriteCall<'a> {
    handle: i64,
    pos: i64,
    len: i64,
    data: &'a [u8],
}

#[derive(Encode, BorrowDecode)]
struct WriteReply {
    result: i64,
    pos: i64,
}

#[derive(Encode, BorrowDecode)]
struct GetDirentriesCall {
    handle: i64,
    pos: i64,
    count: i64,
}

#[derive(Encode, BorrowDecode)]
struct GetDirentriesReply<'a> {
    result: i64,
    pos: i64,
    data: &'a [u8],
}

const FORM: Configuration<LittleEndian, Fixint> = bincode::config::legacy();

/// A message that is kept.
pub struct Buffer([u8; MESSAGE_BYTES]);

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer([0; MESSAGE_BYTES])
    }
}

fn encode(message: impl Encode, buffer: &mut Buffer, failure: Failure) -> Option<&[u8]> {
    match bincode::encode_into_slice(message, &mut buffer.0, FORM) {
        Ok(len) => buffer.0.get(..len),
        Err(_) => fail(failure),
    }
}

fn decode<'a, M: BorrowDecode<'a, ()>>(message: &'a [u8], failure: Failure) -> Option<M> {
    match bincode::borrow_decode_from_slice(message, FORM) {
        Ok((message, _)) => Some(message),
        Err(_) => fail(failure),
    }
}

pub struct Bincode;

impl Rival for Bincode {
    type ClientState = Buffer;
    type ServerState = Buffer;

    #[inline(never)]
    fn stub_open(
        client: &mut Client<Self>,
        id: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
        handle: &mut i64,
    ) -> Option<i64> {
        let call = OpenCall { client: id, fobj, flags, mode };
        let request = encode(call, &mut client.state, Failure::BadArgument)?;
        let reply = (client.call)(&mut client.server, client.target, OPEN, request)?;
        let reply: OpenReply = decode(reply, Failure::Service)?;
        *handle = reply.handle;
        Some(reply.result)
    }

    #[inline(never)]
    fn stub_write(
        client: &mut Client<Self>,
        handle: i64,
        len: i64,
        data: &[u8],
        pos: &mut i64,
    ) -> Option<i64> {
        let call = WriteCall { handle, pos: *pos, len, data };
        let request = encode(call, &mut client.state, Failure::BadArgument)?;
        let reply = (client.call)(&mut client.server, client.target, WRITE, request)?;
        let reply: WriteReply = decode(reply, Failure::Service)?;
        *pos = reply.pos;
        Some(reply.result)
    }

    #[inline(never)]
    fn stub_get_direntries<'a>(
        client: &'a mut Client<Self>,
        handle: i64,
        count: i64,
        pos: &mut i64,
    ) -> Option<(i64, &'a [u8])> {
        let call = GetDirentriesCall { handle, pos: *pos, count };
        let request = encode(call, &mut client.state, Failure::BadArgument)?;
        let reply = (client.call)(&mut client.server, client.target, GET_DIRENTRIES, request)?;
        let reply: GetDirentriesReply<'_> = decode(reply, Failure::Service)?;
        if reply.data.len() > DATA_BYTES_MAX {
            return fail(Failure::Service);
        }
        *pos = reply.pos;
        Some((reply.result, reply.data))
    }

    fn serve_open<'a>(state: &'a mut Buffer, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: OpenCall = decode(request, Failure::BadArgument)?;
        let mut handle = 0;
        let result = user::pfs_open(object, call.client, call.fobj, call.flags, call.mode, &mut handle);
        encode(OpenReply { result, handle }, state, Failure::Service)
    }

    fn serve_write<'a>(state: &'a mut Buffer, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: WriteCall<'_> = decode(request, Failure::BadArgument)?;
        if call.data.len() > DATA_BYTES_MAX {
            return fail(Failure::BadArgument);
        }
        let mut pos = call.pos;
        let result = user::pfs_write(object, call.handle, call.len, call.data, &mut pos);
        encode(WriteReply { result, pos }, state, Failure::Service)
    }

    fn serve_get_direntries<'a>(state: &'a mut Buffer, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: GetDirentriesCall = decode(request, Failure::BadArgument)?;
        let mut pos = call.pos;
        let (result, data) = user::pfs_get_direntries(object, call.handle, call.count, &mut pos);
        encode(GetDirentriesReply { result, pos, data }, state, Failure::Service)
    }
}
