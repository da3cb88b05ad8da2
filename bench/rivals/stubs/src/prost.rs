//! prost (protocol buffers): what its compiler makes of `bench/stubs/pfs.idl`, with `int64` and `bytes` as `Vec<u8>`,
//! its defaults. Encoding goes to a buffer that is kept. `get_direntries` keeps its reply, and frees it in the next call.

use prost::Message;

use crate::harness::{Answer, Client, DATA_BYTES_MAX, Failure, GET_DIRENTRIES, OPEN, Rival, WRITE, fail};
use crate::user::{self, Object};

#[derive(Clone, PartialEq, Message)]
struct OpenCall {
    #[prost(int64, tag = "1")]
    client: i64,
    #[prost(int64, tag = "2")]
    fobj: i64,
    #[prost(int64, tag = "3")]
    flags: i64,
    #[prost(int64, tag = "4")]
    mode: i64,
}

#[derive(Clone, PartialEq, Message)]
struct OpenReply {
    #[prost(int64, tag = "1")]
    result: i64,
    #[prost(int64, tag = "2")]
    handle: i64,
}

#[derive(Clone, PartialEq, Message)]
struct WriteCall {
    #[prost(int64, tag = "1")]
    handle: i64,
    #[prost(int64, tag = "2")]
    pos: i64,
    #[prost(int64, tag = "3")]
    len: i64,
    #[prost(bytes = "vec", tag = "4")]
    data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct WriteReply {
    #[prost(int64, tag = "1")]
    result: i64,
    #[prost(int64, tag = "2")]
    pos: i64,
}

#[derive(Clone, PartialEq, Message)]
struct GetDirentriesCall {
    #[prost(int64, tag = "1")]
    handle: i64,
    #[prost(int64, tag = "2")]
    pos: i64,
    #[prost(int64, tag = "3")]
    count: i64,
}

#[derive(Clone, PartialEq, Message)]
struct GetDirentriesReply {
    #[prost(int64, tag = "1")]
    result: i64,
    #[prost(int64, tag = "2")]
    pos: i64,
    #[prost(bytes = "vec", tag = "3")]
    data: Vec<u8>,
}

/// What a client keeps: its request, and the last reply.
#[derive(Default)]
pub struct Kept {
    request: Vec<u8>,
    reply: GetDirentriesReply,
}

fn encode<'a>(message: &impl Message, buffer: &'a mut Vec<u8>, failure: Failure) -> Option<&'a [u8]> {
    buffer.clear();
    match message.encode(buffer) {
        Ok(()) => Some(buffer),
        Err(_) => fail(failure),
    }
}

fn decode<M: Message + Default>(message: &[u8], failure: Failure) -> Option<M> {
    match M::decode(message) {
        Ok(message) => Some(message),
        Err(_) => fail(failure),
    }
}

pub struct Prost;

impl Rival for Prost {
    type ClientState = Kept;
    type ServerState = Vec<u8>;

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
        let request = encode(&call, &mut client.state.request, Failure::BadArgument)?;
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
        let call = WriteCall { handle, pos: *pos, len, data: data.to_vec() };
        let request = encode(&call, &mut client.state.request, Failure::BadArgument)?;
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
        let request = encode(&call, &mut client.state.request, Failure::BadArgument)?;
        let reply = (client.call)(&mut client.server, client.target, GET_DIRENTRIES, request)?;
        client.state.reply = decode(reply, Failure::Service)?;
        let reply = &client.state.reply;
        if reply.data.len() > DATA_BYTES_MAX {
            return fail(Failure::Service);
        }
        *pos = reply.pos;
        Some((reply.result, &reply.data))
    }

    fn serve_open<'a>(state: &'a mut Vec<u8>, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: OpenCall = decode(request, Failure::BadArgument)?;
        let mut handle = 0;
        let result = user::pfs_open(object, call.client, call.fobj, call.flags, call.mode, &mut handle);
        encode(&OpenReply { result, handle }, state, Failure::Service)
    }

    fn serve_write<'a>(state: &'a mut Vec<u8>, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: WriteCall = decode(request, Failure::BadArgument)?;
        if call.data.len() > DATA_BYTES_MAX {
            return fail(Failure::BadArgument);
        }
        let mut pos = call.pos;
        let result = user::pfs_write(object, call.handle, call.len, &call.data, &mut pos);
        encode(&WriteReply { result, pos }, state, Failure::Service)
    }

    fn serve_get_direntries<'a>(state: &'a mut Vec<u8>, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: GetDirentriesCall = decode(request, Failure::BadArgument)?;
        let mut pos = call.pos;
        let (result, data) = user::pfs_get_direntries(object, call.handle, call.count, &mut pos);
        encode(&GetDirentriesReply { result, pos, data: data.to_vec() }, state, Failure::Service)
    }
}
