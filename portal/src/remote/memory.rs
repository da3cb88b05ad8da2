//! Memory: handing it over, and asking for it.

use std::sync::Arc;

use super::RemoteSession;
use super::pending::PendingControl;
use crate::call::{Failure, Kind};
use crate::memory::{Memory, check_len};
use crate::message::nonsense;
use crate::portal::Portal;
use crate::session::lock;
use crate::wire::{HEADER_BYTES, kind};

impl RemoteSession {
    /// Hands memory over; a portal on it, for as many calls as one likes. The server has it until the portal is released.
    /// Through shared memory the server maps it, and nothing is copied; otherwise it travels in one message.
    ///
    /// # Errors
    /// [`Kind::BadArgument`] if it does not fit into a message where it must; [`Kind::Refused`] if the server's interface uses
    /// no memory, or its limits are reached; what the way to it answered.
    pub fn hand_over(self: &Arc<Self>, memory: &Memory) -> Result<Portal, Failure> {
        let id = match self.link.shared() {
            Some(shared) => {
                let (memory, len) = (memory.passable()?, (memory.len() as u64).to_le_bytes());
                self.send_control(kind::MEMORY, &len, &[], |id| {
                    memory.pass(shared, id.0).map_err(|errno| {
                        Failure::new(
                            Kind::Refused,
                            &format!("the descriptor of memory cannot be passed: {errno}"),
                        )
                    })
                })?
            }
            None => {
                self.check_fits(memory.len())?;
                self.send_control(kind::MEMORY, memory, &[], |_| Ok(()))?
            }
        };
        PendingControl::new(Arc::clone(self), id).wait_until(self.deadline(), &mut |_| {}, |_, portals| {
            <[Portal; 1]>::try_from(portals).map(|[portal]| portal).map_err(|_| nonsense("it has no portal"))
        })
    }

    fn check_fits(&self, len: usize) -> Result<(), Failure> {
        let max = self.options.frame_bytes_max as usize - HEADER_BYTES;
        if len <= max {
            return Ok(());
        }
        Err(Failure::bad_argument(&format!(
            "memory of {len} bytes: over a socket it travels in one message, which has room for {max}; through shared memory \
             (shm:PATH) there is no such bound"
        )))
    }

    /// The memory behind `portal`, if this session shares memory with a server that has its descriptor.
    pub(super) fn map_memory(
        self: &Arc<Self>,
        portal: &Portal,
        bytes_max: usize,
    ) -> Result<Option<Memory>, Failure> {
        let Some(shared) = self.link.shared() else { return Ok(None) };
        // One at a time: whoever takes a descriptor closes those that lie before it.
        let _one = lock(&self.mapping);
        let id = self.send_control(kind::MAP, &[], &[portal], |_| Ok(()))?;
        let answer =
            PendingControl::new(Arc::clone(self), id).wait_until(self.deadline(), &mut |_| {}, |data, _| {
                match data {
                    [] => Ok(None),
                    data => data.try_into().map(Some).map_err(|_| nonsense("it is no length")),
                }
            });
        let len = match answer {
            Ok(Some(len)) => u64::from_le_bytes(len),
            Ok(None) => return Ok(None),
            // A server that knows nothing of it serves its calls.
            Err(failure) if failure.kind() == Kind::Refused => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let file = shared.take(id.0).ok_or_else(|| nonsense("it carries no memory"))?;
        let len = check_len(len, bytes_max)?;
        Memory::accept(file, len, None).map(Some).map_err(|refused| nonsense(&refused.to_string()))
    }
}
