//! FlatBuffers, with the code that flatc 2.0.8 generates and the crate that fits it, 2.1.2. Tables are verified, then
//! read where they lie. Builders are kept; the bytes that a builder holds are sent as they are.

use flatbuffers::FlatBufferBuilder;

#[path = "../schema/pfs_generated.rs"]
#[allow(unused, clippy::all, reason = "generated")]
mod generated;

use generated::{
    GetDirentriesCall, GetDirentriesCallArgs, GetDirentriesReply, GetDirentriesReplyArgs, OpenCall,
    OpenCallArgs, OpenReply, OpenReplyArgs, WriteCall, WriteCallArgs, WriteReply, WriteReplyArgs,
};

use crate::harness::{Answer, Client, DATA_BYTES_MAX, Failure, GET_DIRENTRIES, OPEN, Rival, WRITE, fail};
use crate::user::{self, Object};

type Builder = FlatBufferBuilder<'static>;

fn decode<'a, M>(message: &'a [u8], failure: Failure) -> Option<M>
where
    M: flatbuffers::Follow<'a, Inner = M> + flatbuffers::Verifiable + 'a,
{
    match flatbuffers::root::<M>(message) {
        Ok(message) => Some(message),
        Err(_) => fail(failure),
    }
}

/// Data of a message; none is as wrong as too much.
fn bounded(data: Option<&[u8]>, failure: Failure) -> Option<&[u8]> {
    match data {
        Some(data) if data.len() <= DATA_BYTES_MAX => Some(data),
        _ => fail(failure),
    }
}

pub struct FlatBuffers;

impl Rival for FlatBuffers {
    type ClientState = Builder;
    type ServerState = Builder;

    #[inline(never)]
    fn stub_open(
        client: &mut Client<Self>,
        id: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
        handle: &mut i64,
    ) -> Option<i64> {
        client.state.reset();
        let call = OpenCall::create(&mut client.state, &OpenCallArgs { client: id, fobj, flags, mode });
        client.state.finish_minimal(call);
        let request = client.state.finished_data();
        let reply = (client.call)(&mut client.server, client.target, OPEN, request)?;
        let reply: OpenReply<'_> = decode(reply, Failure::Service)?;
        *handle = reply.handle();
        Some(reply.result())
    }

    #[inline(never)]
    fn stub_write(
        client: &mut Client<Self>,
        handle: i64,
        len: i64,
        data: &[u8],
        pos: &mut i64,
    ) -> Option<i64> {
        client.state.reset();
        let data = Some(client.state.create_vector_direct(data));
        let call = WriteCall::create(&mut client.state, &WriteCallArgs { handle, pos: *pos, len, data });
        client.state.finish_minimal(call);
        let request = client.state.finished_data();
        let reply = (client.call)(&mut client.server, client.target, WRITE, request)?;
        let reply: WriteReply<'_> = decode(reply, Failure::Service)?;
        *pos = reply.pos();
        Some(reply.result())
    }

    #[inline(never)]
    fn stub_get_direntries<'a>(
        client: &'a mut Client<Self>,
        handle: i64,
        count: i64,
        pos: &mut i64,
    ) -> Option<(i64, &'a [u8])> {
        client.state.reset();
        let call = GetDirentriesCallArgs { handle, pos: *pos, count };
        let call = GetDirentriesCall::create(&mut client.state, &call);
        client.state.finish_minimal(call);
        let request = client.state.finished_data();
        let reply = (client.call)(&mut client.server, client.target, GET_DIRENTRIES, request)?;
        let reply: GetDirentriesReply<'_> = decode(reply, Failure::Service)?;
        let data = bounded(reply.data(), Failure::Service)?;
        *pos = reply.pos();
        Some((reply.result(), data))
    }

    fn serve_open<'a>(state: &'a mut Builder, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: OpenCall<'_> = decode(request, Failure::BadArgument)?;
        let mut handle = 0;
        let result =
            user::pfs_open(object, call.client(), call.fobj(), call.flags(), call.mode(), &mut handle);
        state.reset();
        let reply = OpenReply::create(state, &OpenReplyArgs { result, handle });
        state.finish_minimal(reply);
        Some(state.finished_data())
    }

    fn serve_write<'a>(state: &'a mut Builder, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: WriteCall<'_> = decode(request, Failure::BadArgument)?;
        let data = bounded(call.data(), Failure::BadArgument)?;
        let mut pos = call.pos();
        let result = user::pfs_write(object, call.handle(), call.len(), data, &mut pos);
        state.reset();
        let reply = WriteReply::create(state, &WriteReplyArgs { result, pos });
        state.finish_minimal(reply);
        Some(state.finished_data())
    }

    fn serve_get_direntries<'a>(state: &'a mut Builder, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: GetDirentriesCall<'_> = decode(request, Failure::BadArgument)?;
        let mut pos = call.pos();
        let (result, data) = user::pfs_get_direntries(object, call.handle(), call.count(), &mut pos);
        state.reset();
        let data = Some(state.create_vector_direct(data));
        let reply = GetDirentriesReply::create(state, &GetDirentriesReplyArgs { result, pos, data });
        state.finish_minimal(reply);
        Some(state.finished_data())
    }
}
