//! Portals as the caller holds them, and what a transport must do for them.
//!
//! A [`Portal`] is a right to call one object, wherever it lives. Which [`Transport`] carries its calls was
//! chosen when it was made. Generated code wraps it in a type of its own for each interface.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carnet_idl::descriptor::{InterfaceId, Module, Operation, Short};

use crate::call::{Area, Caller, Failure, Ref, ShortWords};
use crate::capability::Capability;
use crate::link::WaitMode;
use crate::memory::Memory;
use crate::message::turned_max;
use crate::near::NearObject;
use crate::panics::drop_quietly;
use crate::stub::{Check as _, bytes_output};

/// Number of a portal in its session's capability table. Number 1 is the root object of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PortalId(pub u32);

impl PortalId {
    /// The object that a session is opened on.
    pub const ROOT: PortalId = PortalId(1);
}

/// One input of variable size, lent by the caller and gathered by the transport without a copy before it.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// A string or bytes.
    Bytes(&'a [u8]),
    /// A list.
    List(&'a Area),
}

/// One call on the caller's side.
///
/// A reference word's area number counts the inputs first, in order, then the outputs: of `inputs.len() == 2`
/// inputs and one output, the output is area 2.
#[derive(Debug)]
pub struct Block<'a> {
    /// The whole argument block: in, inout, out. The transport sends the prefix and fills the suffix.
    pub words: &'a mut [u64],
    /// Data of in and inout words.
    pub inputs: &'a [Input<'a>],
    /// Filled with the data of inout and out words, one area for each such word, in order.
    pub outputs: &'a mut [Area],
    /// Portals handed over; a portal word is an index into it. All must belong to this transport.
    pub portals: &'a [&'a Portal],
    /// Portals that come back; a portal word of the reply is an index into it.
    pub made: Vec<Portal>,
}

/// Carries calls to objects of one session.
pub trait Transport: Send + Sync + 'static {
    /// Makes one call and waits for its reply.
    ///
    /// # Errors
    /// What the service or the way to it answered. After [`Kind::PeerDied`](crate::call::Kind::PeerDied) or
    /// [`Kind::TimedOut`](crate::call::Kind::TimedOut) it is unknown whether the call was done; after
    /// [`Kind::Unreachable`](crate::call::Kind::Unreachable) it was not sent as a whole, so that it was not begun.
    fn call(self: Arc<Self>, target: PortalId, op: OpNumber, block: &mut Block<'_>) -> Result<(), Failure>;

    /// As [`Transport::call`], and waits for the answer also if the operation is `oneway`, so that it is known what became of it.
    ///
    /// # Errors
    /// As [`Transport::call`].
    fn call_answered(
        self: Arc<Self>,
        target: PortalId,
        op: OpNumber,
        block: &mut Block<'_>,
    ) -> Result<(), Failure> {
        self.call(target, op, block)
    }

    /// Makes a short call, if it has a way of its own for these: as [`Portal::short`]. `None`: it has none.
    fn short(
        &self,
        _target: PortalId,
        _op: OpNumber,
        _words: &mut ShortWords,
        _piece: &[u8],
        _out: &mut Vec<u8>,
    ) -> Option<Result<(), Failure>> {
        None
    }

    /// Makes a call that is about `data`, which go both ways, if it has a way of its own for these: as [`Portal::turn`]. `None`: it
    /// has none.
    fn turn(
        &self,
        _target: PortalId,
        _op: OpNumber,
        _words: &ShortWords,
        _data: &mut Vec<u8>,
    ) -> Option<Result<(), Failure>> {
        None
    }

    /// The memory behind one of its portals, if that can be had without calls; at most `bytes_max` bytes.
    ///
    /// # Errors
    /// As [`Memory::map`].
    fn map(self: Arc<Self>, _portal: &Portal, _bytes_max: usize) -> Result<Option<Memory>, Failure> {
        Ok(None)
    }

    /// Waits for answers to calls through one of its portals like this from now on, or as for the others, if it waits in ways of its own.
    fn set_waiting(&self, _portal: PortalId, _mode: Option<WaitMode>) {}

    /// Whether its session is over, as far as can be seen without waiting: then no call of it is made any more.
    fn is_over(&self) -> bool {
        false
    }

    /// Gives a portal back; `receipts` says how often it had been received, so that a racing send loses nothing.
    fn release(&self, portal: PortalId, receipts: u32);
}

/// An operation, as generated clients name it.
#[derive(Clone, Copy, Debug)]
pub struct OpNumber {
    /// The client's descriptor.
    pub module: &'static Module,
    /// The interface in it.
    pub interface: InterfaceId,
    /// The operation in that.
    pub op: u16,
}

impl OpNumber {
    /// What the descriptor says of it.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        &self.module.interfaces[self.interface.index()].operations[self.op as usize]
    }
}

/// A right to call one object through one transport. Clones share it; when the last is dropped it is released.
#[derive(Clone)]
pub struct Portal(Arc<Held>);

struct Held {
    transport: Arc<dyn Transport>,
    id: PortalId,
    near: Option<NearObject>,
    /// It was said how its calls wait.
    waits: AtomicBool,
}

impl Drop for Held {
    fn drop(&mut self) {
        if *self.waits.get_mut() {
            self.transport.set_waiting(self.id, None);
        }
        if self.id != PortalId::ROOT {
            self.transport.release(self.id, 1);
        }
        drop_quietly(self.near.take());
    }
}

impl std::fmt::Debug for Portal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Portal({})", self.0.id.0)
    }
}

impl Portal {
    /// The portal `id` of `transport`'s session, received once.
    #[must_use]
    pub fn new(transport: Arc<dyn Transport>, id: PortalId) -> Portal {
        Portal(Arc::new(Held { transport, id, near: None, waits: AtomicBool::new(false) }))
    }

    /// The portal `id` of a session in this process, on the object of `capability`.
    pub(crate) fn near(
        transport: Arc<dyn Transport>,
        id: PortalId,
        capability: &Capability,
        caller: &Caller,
    ) -> Portal {
        let near = Some(NearObject::new(capability, caller));
        Portal(Arc::new(Held { transport, id, near, waits: AtomicBool::new(false) }))
    }

    /// How calls through it wait for their answers through shared memory from now on, whatever its session was told; where nothing is shared
    /// nothing changes. It holds for all clones, until the last is dropped. Of several threads that wait at the same time one reads for
    /// all, and waits as the portal of its own call says.
    pub fn set_waiting(&self, mode: WaitMode) {
        self.0.waits.store(true, Ordering::Relaxed);
        self.0.transport.set_waiting(self.0.id, Some(mode));
    }

    /// Its number in the session.
    #[must_use]
    pub fn id(&self) -> PortalId {
        self.0.id
    }

    /// What carries its calls.
    #[must_use]
    pub fn transport(&self) -> &Arc<dyn Transport> {
        &self.0.transport
    }

    /// Makes one call; generated code uses this.
    ///
    /// # Errors
    /// As [`Transport::call`].
    pub fn call(&self, op: OpNumber, block: &mut Block<'_>) -> Result<(), Failure> {
        Arc::clone(&self.0.transport).call(self.0.id, op, block)
    }

    /// Makes one call, and waits for the answer also if the operation is `oneway`: for who must know what became of it.
    ///
    /// # Errors
    /// As [`Transport::call`].
    pub fn call_answered(&self, op: OpNumber, block: &mut Block<'_>) -> Result<(), Failure> {
        Arc::clone(&self.0.transport).call_answered(self.0.id, op, block)
    }

    /// Makes a short call that sends `piece` and fills `out`, which is empty, as far as it has data; generated code uses this.
    ///
    /// # Errors
    /// As [`Transport::call`].
    #[inline]
    pub(crate) fn short(
        &self,
        op: OpNumber,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let done = self.0.transport.short(self.0.id, op, words, piece, out);
        done.unwrap_or_else(|| self.short_by_call(op, words, piece, out))
    }

    #[cold]
    fn short_by_call(
        &self,
        op: OpNumber,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let layout = &op.operation().layout;
        let (mut inputs, mut outputs) = (&[Input::Bytes(piece)][..], &mut [Area::default()][..]);
        if layout.short.and_then(Short::sent).is_none() {
            inputs = &[];
        }
        match layout.short.and_then(Short::returned) {
            Some(at) => {
                outputs[0].bytes = std::mem::take(out);
                words[at] = Ref::new(inputs.len(), 0, 0).unwrap_or_default().0;
            }
            None => outputs = &mut [],
        }
        let words = &mut words[..layout.words()];
        let done = self.call(op, &mut Block { words, inputs, outputs, portals: &[], made: Vec::new() });
        *out = outputs.first_mut().map(|area| std::mem::take(&mut area.bytes)).unwrap_or_default();
        done
    }

    /// Makes a call whose layout says that it is [turned](carnet_idl::descriptor::Layout::turned): it sends these words and `data`,
    /// and gets `data` back. They are as they were if it fails; generated code uses this.
    ///
    /// # Errors
    /// As [`Transport::call`].
    #[inline]
    pub(crate) fn turn(&self, op: OpNumber, words: &ShortWords, data: &mut Vec<u8>) -> Result<(), Failure> {
        let done = self.0.transport.turn(self.0.id, op, words, data);
        done.unwrap_or_else(|| self.turn_by_call(op, words, data))
    }

    #[cold]
    fn turn_by_call(&self, op: OpNumber, words: &ShortWords, data: &mut Vec<u8>) -> Result<(), Failure> {
        let operation = op.operation();
        let mut words = *words;
        let mut outputs = [Area::default()];
        let mut block = Block {
            words: &mut words[..operation.layout.words()],
            inputs: &[Input::Bytes(data)],
            outputs: &mut outputs,
            portals: &[],
            made: Vec::new(),
        };
        self.call(op, &mut block)?;
        let max = turned_max(&operation.layout);
        *data = bytes_output(&mut outputs[0], max as usize).reply(&operation.name)?;
        Ok(())
    }

    /// The object, if it is one of this process.
    pub(crate) fn near_object(&self) -> Option<&NearObject> {
        self.0.near.as_ref()
    }
}
