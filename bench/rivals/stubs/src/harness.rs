//! What all rivals have in common, so that they differ in their stubs alone.
//!
//! It is what Carnet's own stubs are counted with (`bench/stubs/`): one client and one server in a process, a transport
//! of one jump, objects in a table. Identity of the object, number of the operation and status travel in registers
//! beside the message, as ours do, and cost a rival nothing to encode.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::user::Object;

/// Bytes of the server's directory.
pub const DIRECTORY_BYTES: usize = 1024;
/// Bytes that are written.
pub const WRITE_BYTES: usize = 4096;
/// Room for any message.
pub const MESSAGE_BYTES: usize = 8192;
/// The most data that a call or a reply may hold, as our interface says.
pub const DATA_BYTES_MAX: usize = 65536;

/// Numbers of the operations.
pub const OPEN: u32 = 0;
pub const WRITE: u32 = 1;
pub const GET_DIRENTRIES: u32 = 2;

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    BadArgument = 2,
    NoSuchOperation = 3,
    NoSuchPortal = 4,
    Service = 7,
}

/// The last failure, as `carnet_failure` in C: what a call returns says only that there is one, and so fits registers.
static FAILURE: AtomicU32 = AtomicU32::new(0);

/// Notes a failure.
#[cold]
pub fn fail<T>(failure: Failure) -> Option<T> {
    FAILURE.store(failure as u32, Ordering::Relaxed);
    None
}

/// The number of the last failure.
pub fn failure() -> u32 {
    FAILURE.load(Ordering::Relaxed)
}

/// A reply, if the call succeeded.
pub type Answer<'a> = Option<&'a [u8]>;

/// Carries a call to object `target`.
pub type Transport<R> =
    for<'a> fn(server: &'a mut Server<R>, target: u32, operation: u32, request: &[u8]) -> Answer<'a>;

/// A rival: the stubs of three functions on both sides, and what these keep from call to call.
pub trait Rival: Sized + 'static {
    type ClientState: Default;
    type ServerState: Default;

    /// The client's stubs: encode, call, decode. They are never compiled into the driver, which counts them by name.
    fn stub_open(
        client: &mut Client<Self>,
        id: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
        handle: &mut i64,
    ) -> Option<i64>;
    fn stub_write(
        client: &mut Client<Self>,
        handle: i64,
        len: i64,
        data: &[u8],
        pos: &mut i64,
    ) -> Option<i64>;
    /// The entries stay where they are until the next call.
    fn stub_get_direntries<'a>(
        client: &'a mut Client<Self>,
        handle: i64,
        count: i64,
        pos: &mut i64,
    ) -> Option<(i64, &'a [u8])>;

    /// The server's stubs: decode, call the user's function, encode.
    fn serve_open<'a>(state: &'a mut Self::ServerState, object: &Object, request: &[u8]) -> Answer<'a>;
    fn serve_write<'a>(state: &'a mut Self::ServerState, object: &Object, request: &[u8]) -> Answer<'a>;
    fn serve_get_direntries<'a>(
        state: &'a mut Self::ServerState,
        object: &Object,
        request: &[u8],
    ) -> Answer<'a>;
}

/// The client's end.
pub struct Client<R: Rival> {
    pub state: R::ClientState,
    pub call: Transport<R>,
    pub target: u32,
    pub server: Server<R>,
}

impl<R: Rival> Client<R> {
    pub fn new() -> Client<R> {
        // What is behind a pointer that the compiler has lost sight of is compiled for any caller, as code of another
        // object file is.
        let call = black_box(transport::<R> as Transport<R>);
        let server = Server { objects: vec![None, Some(Object::new())], state: R::ServerState::default() };
        Client { state: R::ClientState::default(), call, target: black_box(1), server }
    }
}

/// The server's end.
pub struct Server<R: Rival> {
    objects: Vec<Option<Object>>,
    state: R::ServerState,
}

/// The transport: one jump.
#[inline(never)]
fn transport<'a, R: Rival>(
    server: &'a mut Server<R>,
    target: u32,
    operation: u32,
    request: &[u8],
) -> Answer<'a> {
    server_dispatch(server, target, operation, request)
}

/// The server's loop body: looks up object and operation.
#[inline(never)]
fn server_dispatch<'a, R: Rival>(
    server: &'a mut Server<R>,
    target: u32,
    operation: u32,
    request: &[u8],
) -> Answer<'a> {
    let Some(Some(object)) = server.objects.get(target as usize) else {
        return fail(Failure::NoSuchPortal);
    };
    match operation {
        OPEN => R::serve_open(&mut server.state, object, request),
        WRITE => R::serve_write(&mut server.state, object, request),
        GET_DIRENTRIES => R::serve_get_direntries(&mut server.state, object, request),
        _ => fail(Failure::NoSuchOperation),
    }
}
