//! Cap'n Proto, with code that capnpc generates when this is built. A message is made in a builder, flattened into a
//! buffer that is kept, and read where it lies. Where builders take their memory from is a policy; there are three.

use std::marker::PhantomData;

use capnp::Word;
use capnp::message::{Allocator, Builder, HeapAllocator, ReaderOptions, ScratchSpaceHeapAllocator};
use capnp::serialize::{read_message_from_flat_slice_no_alloc, write_message};
use capnp::traits::Owned;

#[allow(unused, clippy::all, reason = "generated")]
mod pfs_capnp {
    include!(concat!(env!("OUT_DIR"), "/pfs_capnp.rs"));
}

use pfs_capnp::{get_direntries_call, get_direntries_reply, open_call, open_reply, write_call, write_reply};

use crate::harness::{
    Answer, Client, DATA_BYTES_MAX, Failure, GET_DIRENTRIES, MESSAGE_BYTES, OPEN, Rival, WRITE, fail,
};
use crate::user::{self, Object};

/// Where the memory of builders comes from.
pub trait Policy: 'static {
    /// What is kept from message to message.
    type Kept: Default;
    fn builder(kept: &mut Self::Kept) -> Builder<impl Allocator>;
}

/// The default: segments from the heap.
pub struct Usual;

impl Policy for Usual {
    type Kept = ();
    fn builder(_: &mut ()) -> Builder<impl Allocator> {
        Builder::new_default()
    }
}

/// A first segment of 256 bytes, since most messages are small.
pub struct Small;

impl Policy for Small {
    type Kept = ();
    fn builder(_: &mut ()) -> Builder<impl Allocator> {
        Builder::new(HeapAllocator::new().first_segment_words(32))
    }
}

/// An allocator with scratch space for any message, kept from message to message.
pub struct Scratch;

/// Its memory is as old as the process.
pub struct KeptScratch(ScratchSpaceHeapAllocator<'static>);

impl Default for KeptScratch {
    fn default() -> KeptScratch {
        let words = Word::allocate_zeroed_vec(MESSAGE_BYTES / 8).leak();
        KeptScratch(ScratchSpaceHeapAllocator::new(Word::words_to_bytes_mut(words)))
    }
}

impl Policy for Scratch {
    type Kept = KeptScratch;
    fn builder(kept: &mut KeptScratch) -> Builder<impl Allocator> {
        Builder::new(&mut kept.0)
    }
}

/// What an end keeps: its last message, and what its policy keeps.
pub struct End<P: Policy> {
    message: Vec<Word>,
    kept: P::Kept,
}

impl<P: Policy> Default for End<P> {
    fn default() -> End<P> {
        End { message: Word::allocate_zeroed_vec(MESSAGE_BYTES / 8), kept: P::Kept::default() }
    }
}

impl<P: Policy> End<P> {
    /// Makes a message, and flattens it.
    fn encode<M: Owned>(&mut self, failure: Failure, fill: impl FnOnce(M::Builder<'_>)) -> Option<&[u8]> {
        let mut builder = P::builder(&mut self.kept);
        fill(builder.init_root::<M::Builder<'_>>());
        let buffer = Word::words_to_bytes_mut(&mut self.message);
        let mut rest = &mut buffer[..];
        if write_message(&mut rest, &builder).is_err() {
            return fail(failure);
        }
        let len = MESSAGE_BYTES - rest.len();
        buffer.get(..len)
    }
}

/// Reads a message where it lies.
fn decode<M: Owned, T>(
    mut message: &[u8],
    failure: Failure,
    read: impl FnOnce(M::Reader<'_>) -> capnp::Result<T>,
) -> Option<T> {
    let read = read_message_from_flat_slice_no_alloc(&mut message, ReaderOptions::new())
        .and_then(|message| read(message.get_root::<M::Reader<'_>>()?));
    match read {
        Ok(value) => Some(value),
        Err(_) => fail(failure),
    }
}

/// Data that are not too long.
fn bounded(data: &[u8]) -> capnp::Result<&[u8]> {
    if data.len() > DATA_BYTES_MAX {
        return Err(capnp::Error::failed(String::new()));
    }
    Ok(data)
}

pub struct Capnp<P>(PhantomData<P>);

impl<P: Policy> Rival for Capnp<P> {
    type ClientState = End<P>;
    type ServerState = End<P>;

    #[inline(never)]
    fn stub_open(
        client: &mut Client<Self>,
        id: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
        handle: &mut i64,
    ) -> Option<i64> {
        let request = client.state.encode::<open_call::Owned>(Failure::BadArgument, |mut call| {
            call.set_client(id);
            call.set_fobj(fobj);
            call.set_flags(flags);
            call.set_mode(mode);
        })?;
        let reply = (client.call)(&mut client.server, client.target, OPEN, request)?;
        decode::<open_reply::Owned, _>(reply, Failure::Service, |reply| {
            *handle = reply.get_handle();
            Ok(reply.get_result())
        })
    }

    #[inline(never)]
    fn stub_write(
        client: &mut Client<Self>,
        handle: i64,
        len: i64,
        data: &[u8],
        pos: &mut i64,
    ) -> Option<i64> {
        let request = client.state.encode::<write_call::Owned>(Failure::BadArgument, |mut call| {
            call.set_handle(handle);
            call.set_pos(*pos);
            call.set_len(len);
            call.set_data(data);
        })?;
        let reply = (client.call)(&mut client.server, client.target, WRITE, request)?;
        decode::<write_reply::Owned, _>(reply, Failure::Service, |reply| {
            *pos = reply.get_pos();
            Ok(reply.get_result())
        })
    }

    #[inline(never)]
    fn stub_get_direntries<'a>(
        client: &'a mut Client<Self>,
        handle: i64,
        count: i64,
        pos: &mut i64,
    ) -> Option<(i64, &'a [u8])> {
        let request =
            client.state.encode::<get_direntries_call::Owned>(Failure::BadArgument, |mut call| {
                call.set_handle(handle);
                call.set_pos(*pos);
                call.set_count(count);
            })?;
        let whole = (client.call)(&mut client.server, client.target, GET_DIRENTRIES, request)?;
        // A reader's data live no longer than the reader, so that only their place can be kept.
        let read = decode::<get_direntries_reply::Owned, _>(whole, Failure::Service, |reply| {
            let data = bounded(reply.get_data()?)?;
            *pos = reply.get_pos();
            Ok((reply.get_result(), data.as_ptr() as usize - whole.as_ptr() as usize, data.len()))
        });
        let (result, at, len) = read?;
        Some((result, whole.get(at..at + len)?))
    }

    fn serve_open<'a>(state: &'a mut End<P>, object: &Object, request: &[u8]) -> Answer<'a> {
        let mut handle = 0;
        let result = decode::<open_call::Owned, _>(request, Failure::BadArgument, |call| {
            let (client, fobj) = (call.get_client(), call.get_fobj());
            Ok(user::pfs_open(object, client, fobj, call.get_flags(), call.get_mode(), &mut handle))
        })?;
        state.encode::<open_reply::Owned>(Failure::Service, |mut reply| {
            reply.set_result(result);
            reply.set_handle(handle);
        })
    }

    fn serve_write<'a>(state: &'a mut End<P>, object: &Object, request: &[u8]) -> Answer<'a> {
        let (result, pos) = decode::<write_call::Owned, _>(request, Failure::BadArgument, |call| {
            let data = bounded(call.get_data()?)?;
            let mut pos = call.get_pos();
            Ok((user::pfs_write(object, call.get_handle(), call.get_len(), data, &mut pos), pos))
        })?;
        state.encode::<write_reply::Owned>(Failure::Service, |mut reply| {
            reply.set_result(result);
            reply.set_pos(pos);
        })
    }

    fn serve_get_direntries<'a>(state: &'a mut End<P>, object: &Object, request: &[u8]) -> Answer<'a> {
        let ((result, data), pos) =
            decode::<get_direntries_call::Owned, _>(request, Failure::BadArgument, |call| {
                let mut pos = call.get_pos();
                let handle = call.get_handle();
                Ok((user::pfs_get_direntries(object, handle, call.get_count(), &mut pos), pos))
            })?;
        state.encode::<get_direntries_reply::Owned>(Failure::Service, |mut reply| {
            reply.set_result(result);
            reply.set_pos(pos);
            reply.set_data(data);
        })
    }
}
