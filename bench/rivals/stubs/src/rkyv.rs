//! rkyv 0.8: archives are checked, then used where they lie. Encoding goes to an aligned buffer that is kept, by the
//! interface that allocates nothing and shares no pointers: its quickest form.

use std::mem::MaybeUninit;

use rkyv::api::low::{LowSerializer, LowValidator, access, to_bytes_in_with_alloc};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::Failure as Fault;
use rkyv::ser::allocator::SubAllocator;
use rkyv::ser::writer::Buffer;
use rkyv::util::Align;
use rkyv::with::InlineAsBox;
use rkyv::{Archive, Portable, Serialize};

use crate::harness::{
    Answer, Client, DATA_BYTES_MAX, Failure, GET_DIRENTRIES, MESSAGE_BYTES, OPEN, Rival, WRITE, fail,
};
use crate::user::{self, Object};

#[derive(Archive, Serialize)]
struct OpenCall {
    client: i64,
    fobj: i64,
    flags: i64,
    mode: i64,
}

#[derive(Archive, Serialize)]
struct OpenReply {
    result: i64,
    handle: i64,
}

#[derive(Archive, Serialize)]
struct WriteCall<'a> {
    handle: i64,
    pos: i64,
    len: i64,
    #[rkyv(with = InlineAsBox)]
    data: &'a [u8],
}

#[derive(Archive, Serialize)]
struct WriteReply {
    result: i64,
    pos: i64,
}

#[derive(Archive, Serialize)]
struct GetDirentriesCall {
    handle: i64,
    pos: i64,
    count: i64,
}

#[derive(Archive, Serialize)]
struct GetDirentriesReply<'a> {
    result: i64,
    pos: i64,
    #[rkyv(with = InlineAsBox)]
    data: &'a [u8],
}

/// A message that is kept.
pub struct Kept(Align<[u8; MESSAGE_BYTES]>);

impl Default for Kept {
    fn default() -> Kept {
        Kept(Align([0; MESSAGE_BYTES]))
    }
}

type Serializer<'a> = LowSerializer<Buffer<'a>, SubAllocator<'a>, Fault>;

fn encode<'a>(
    message: &impl for<'b> Serialize<Serializer<'b>>,
    kept: &'a mut Kept,
    failure: Failure,
) -> Option<&'a [u8]> {
    let mut nothing: [MaybeUninit<u8>; 0] = [];
    let (writer, allocator) = (Buffer::from(&mut kept.0.0[..]), SubAllocator::new(&mut nothing));
    match to_bytes_in_with_alloc::<_, _, Fault>(message, writer, allocator).map(|written| written.len()) {
        Ok(len) => kept.0.0.get(..len),
        Err(_) => fail(failure),
    }
}

fn decode<M>(message: &[u8], failure: Failure) -> Option<&M>
where
    M: Portable + for<'b> CheckBytes<LowValidator<'b, Fault>>,
{
    match access::<M, Fault>(message) {
        Ok(message) => Some(message),
        Err(_) => fail(failure),
    }
}

pub struct Rkyv;

impl Rival for Rkyv {
    type ClientState = Kept;
    type ServerState = Kept;

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
        let request = encode(&call, &mut client.state, Failure::BadArgument)?;
        let reply = (client.call)(&mut client.server, client.target, OPEN, request)?;
        let reply: &ArchivedOpenReply = decode(reply, Failure::Service)?;
        *handle = reply.handle.to_native();
        Some(reply.result.to_native())
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
        let request = encode(&call, &mut client.state, Failure::BadArgument)?;
        let reply = (client.call)(&mut client.server, client.target, WRITE, request)?;
        let reply: &ArchivedWriteReply = decode(reply, Failure::Service)?;
        *pos = reply.pos.to_native();
        Some(reply.result.to_native())
    }

    #[inline(never)]
    fn stub_get_direntries<'a>(
        client: &'a mut Client<Self>,
        handle: i64,
        count: i64,
        pos: &mut i64,
    ) -> Option<(i64, &'a [u8])> {
        let call = GetDirentriesCall { handle, pos: *pos, count };
        let request = encode(&call, &mut client.state, Failure::BadArgument)?;
        let reply = (client.call)(&mut client.server, client.target, GET_DIRENTRIES, request)?;
        let reply: &'a ArchivedGetDirentriesReply<'static> = decode(reply, Failure::Service)?;
        if reply.data.len() > DATA_BYTES_MAX {
            return fail(Failure::Service);
        }
        *pos = reply.pos.to_native();
        Some((reply.result.to_native(), &reply.data))
    }

    fn serve_open<'a>(state: &'a mut Kept, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: &ArchivedOpenCall = decode(request, Failure::BadArgument)?;
        let (client, fobj) = (call.client.to_native(), call.fobj.to_native());
        let mut handle = 0;
        let result =
            user::pfs_open(object, client, fobj, call.flags.to_native(), call.mode.to_native(), &mut handle);
        encode(&OpenReply { result, handle }, state, Failure::Service)
    }

    fn serve_write<'a>(state: &'a mut Kept, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: &ArchivedWriteCall<'static> = decode(request, Failure::BadArgument)?;
        if call.data.len() > DATA_BYTES_MAX {
            return fail(Failure::BadArgument);
        }
        let mut pos = call.pos.to_native();
        let result =
            user::pfs_write(object, call.handle.to_native(), call.len.to_native(), &call.data, &mut pos);
        encode(&WriteReply { result, pos }, state, Failure::Service)
    }

    fn serve_get_direntries<'a>(state: &'a mut Kept, object: &Object, request: &[u8]) -> Answer<'a> {
        let call: &ArchivedGetDirentriesCall = decode(request, Failure::BadArgument)?;
        let mut pos = call.pos.to_native();
        let (result, data) =
            user::pfs_get_direntries(object, call.handle.to_native(), call.count.to_native(), &mut pos);
        encode(&GetDirentriesReply { result, pos, data }, state, Failure::Service)
    }
}
