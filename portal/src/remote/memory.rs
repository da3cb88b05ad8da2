//! Memory: handing it over, and asking for it.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::RemoteSession;
use super::pending::PendingControl;
use crate::call::{Failure, Kind};
use crate::memory::{Memory, check_len};
use crate::message::nonsense;
use crate::portal::Portal;
use crate::session::lock;
use crate::wire::{CALL_SESSION, HEADER_BYTES, kind};

impl RemoteSession {
    /// Hands memory over; a portal on it, for as many calls as one likes. The server has it until the portal is released.
    /// Through shared memory the server maps it, and nothing is copied; otherwise it travels in one message.
    ///
    /// # Errors
    /// [`Kind::BadArgument`] if it does not fit into a message where it must; [`Kind::Refused`] if the server's interface uses
    /// no memory, or its limits are reached; what the way to it answered.
    pub fn hand_over(self: &Arc<Self>, memory: &Memory) -> Result<Portal, Failure> {
        let deadline = self.deadline();
        let id = match self.link.shared() {
            Some(shared) => {
                let (memory, len) = (memory.passable()?, (memory.len() as u64).to_le_bytes());
                self.send_control(kind::MEMORY, &len, &[], deadline, |id| {
                    memory.pass(shared, id.0).map_err(|errno| {
                        let text = match errno {
                            Errno::PERM => "this server takes no memory".to_owned(),
                            errno => format!("the descriptor of memory cannot be passed: {errno}"),
                        };
                        Failure::new(Kind::Refused, &text)
                    })
                })?
            }
            None => {
                self.check_fits(memory.len())?;
                self.send_control(kind::MEMORY, memory, &[], deadline, |_| Ok(()))?
            }
        };
        PendingControl::new(Arc::clone(self), id).wait_until(deadline, &mut |_| {}, |_, portals| {
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
        let deadline = self.deadline();
        // One at a time: whoever takes a descriptor closes those that lie before it.
        let _turn = self.turn(deadline)?;
        // What is there now is of calls that were given up, and leaves the server no room to pass another.
        shared.take(CALL_SESSION).into_iter().for_each(|file| shared.put_away(file));
        let id = self.send_control(kind::MAP, &[], &[portal], deadline, |_| Ok(()))?;
        let answer = PendingControl::new(Arc::clone(self), id).wait_until(
            deadline,
            &mut |_| {},
            |data, _| match data {
                [] => Ok(None),
                data => data.try_into().map(Some).map_err(|_| nonsense("it is no length")),
            },
        );
        let len = match answer {
            Ok(Some(len)) => u64::from_le_bytes(len),
            Ok(None) => return Ok(None),
            // A server that knows nothing of it serves its calls.
            Err(failure) if failure.kind() == Kind::Refused => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let file = shared.take(id.0).ok_or_else(|| {
            if shared.closes_much() {
                let text = "this process still closes memory of calls that were given up; try again later";
                return Failure::new(Kind::Refused, text);
            }
            // That this process has no descriptor left is no fault of the server's.
            Memory::draft(1).err().unwrap_or_else(|| nonsense("it carries no memory"))
        })?;
        let memory = match check_len(len, bytes_max) {
            Ok(len) => {
                Memory::accept(file, len).map_err(|(refused, file)| (nonsense(&refused.to_string()), file))
            }
            Err(failure) => Err((failure, file)),
        };
        memory.map(Some).map_err(|(failure, file)| {
            shared.put_away(file);
            failure
        })
    }

    /// Waits until no other thread asks for memory.
    fn turn(&self, deadline: Option<Instant>) -> Result<Turn<'_>, Failure> {
        let mut mapping = lock(&self.mapping);
        while *mapping {
            let left = deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                let why = self.not_in_time();
                return Err(Failure::new(Kind::TimedOut, &why.details().message));
            }
            mapping = self.mapped.wait_timeout(mapping, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        *mapping = true;
        Ok(Turn(self))
    }
}

/// Until it is dropped, no other thread of the session asks for memory.
struct Turn<'s>(&'s RemoteSession);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(&self.0.mapping) = false;
        self.0.mapped.notify_one();
    }
}
